/* SPDX-License-Identifier: Apache-2.0
 * sweeps.h - sweep files of the tests: read, their points, and a folder for them.
 */
#ifndef FATFLY_SWEEPS_H
#define FATFLY_SWEEPS_H

#include "sweep_file.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <unistd.h>

static char folder[] = "/tmp/test_sweep_XXXXXX";

static struct sweep parse(const char *text)
{
    struct sweep s;
    struct fail f = {.text = ""};
    if (sweep_parse(&s, "dir/x.cfg", text, &f)) {
        print_error("%s\n", f.text);
        assert_true(false);
    }
    return s;
}

static struct settings point(const struct sweep *s, uint64_t k)
{
    struct settings to;
    struct fail f = {.text = ""};
    if (sweep_point(s, k, &to, &f) || settings_finish(&to, &f)) {
        print_error("point %llu: %s\n", (unsigned long long)k, f.text);
        assert_true(false);
    }
    return to;
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    CHECK_EQ(fclose(out), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

#endif
