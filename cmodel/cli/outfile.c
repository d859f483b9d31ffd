/* SPDX-License-Identifier: Apache-2.0
 * outfile.c - a file that appears under its name when it is whole.
 */
#include "outfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool outfile_is_regular(const char *file)
{
    struct stat there;
    return stat(file, &there) != 0 || S_ISREG(there.st_mode);
}

int outfile_open(struct outfile *o, const char *file, struct fail *f)
{
    o->file = file;
    o->part[0] = '\0';
    if (strlen(file) > sizeof o->part - 8)
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(ENAMETOOLONG));
    if (outfile_is_regular(file))
        snprintf(o->part, sizeof o->part, "%s.part", file);
    o->out = fopen(o->part[0] ? o->part : file, "w");
    return o->out ? 0 : fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
}

int outfile_close(struct outfile *o, struct fail *f)
{
    bool bad = fflush(o->out) != 0 || ferror(o->out);
    int error = errno;
    if (fclose(o->out) != 0 && !bad) {
        bad = true;
        error = errno;
    }
    if (!bad && o->part[0] && rename(o->part, o->file) != 0) {
        bad = true;
        error = errno;
    }
    if (!bad)
        return 0;
    if (o->part[0])
        remove(o->part);
    return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", o->file, strerror(error));
}

void outfile_drop(struct outfile *o)
{
    fclose(o->out);
    if (o->part[0])
        remove(o->part);
}

void outfile_forget(const char *file)
{
    char part[sizeof ((struct outfile *)NULL)->part];
    struct stat there;
    snprintf(part, sizeof part, "%s.part", file);
    if (stat(part, &there) == 0 && S_ISREG(there.st_mode))
        remove(part);
}
