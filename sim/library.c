/* SPDX-License-Identifier: Apache-2.0
 * library.c - opens the library of a device.
 */
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int library_load(const char *file, const char *build, const struct dut_ops **ops, struct fail *f)
{
    struct stat there;
    bool usual = build && strcmp(build, "build") == 0;
    if (stat(file, &there) != 0 && !build)
        return fail(f, EXIT_SYSTEM, "%s: no such library", file);
    if (stat(file, &there) != 0)
        return fail(f, EXIT_SYSTEM, "%s: no such library; build it with: make%s%s %s", file,
                    usual ? "" : " BUILD=", usual ? "" : build, file);
    char path[800];
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    dut_entry *entry = NULL;
    if (lib)
        *(void **)&entry = dlsym(lib, DUT_ENTRY); /* the way that POSIX gives */
    if (!entry)
        return fail(f, EXIT_SYSTEM, "%s: not a library of a device: %s", file, dlerror());
    *ops = entry();
    if ((*ops)->seam != DUT_SEAM)
        return fail(f, EXIT_SYSTEM, "%s: made by another version of fatfly (seam %zx, here %zx); build it "
                    "again", file, (*ops)->seam, DUT_SEAM);
    return 0;
}
