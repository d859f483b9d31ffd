/* SPDX-License-Identifier: Apache-2.0
 * test_params.c - names, limits and the width of a head.
 */
#include "unit.h"

#include "params.h"

#include <string.h>

static const struct switch_params good = {
    .vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP, .scan = SCAN_RR, .level = 1, .levels = 3};

/* 4n + ceil(log2(n + 1)) bits, and n - 1 more for FP (spec, section 2: N = 4096 fits 32). */
static void head_width(void **state)
{
    static const struct { unsigned levels, bits, fp_bits; } row[] = {
        {1, 5, 5},    {2, 10, 11},  {3, 14, 16},  {4, 19, 22},  {5, 23, 27},
        {6, 27, 32},  {7, 31, 37},  {8, 36, 43},  {9, 40, 48},  {10, 44, 53},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        CHECK_AT(k, head_bits(row[k].levels, PATH_FP), row[k].fp_bits);
        CHECK_AT(k, head_bits(row[k].levels, PATH_RP), row[k].bits);
        CHECK_AT(k, head_bits(row[k].levels, PATH_GP), row[k].bits);
        CHECK_AT(k, head_bits(row[k].levels, PATH_RG), row[k].bits);
    }
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(path_names[PATH_FP], "fp");
    assert_string_equal(path_names[PATH_RP], "rp");
    assert_string_equal(path_names[PATH_GP], "gp");
    assert_string_equal(path_names[PATH_RG], "rg");
    assert_string_equal(path_names[PATH_RW], "rw");
    assert_string_equal(scan_names[SCAN_RR], "rr");
    assert_string_equal(scan_names[SCAN_FO], "fo");
    assert_string_equal(scan_names[SCAN_FF], "ff");
    assert_string_equal(scan_names[SCAN_ROT], "rot");
    assert_string_equal(scan_names[SCAN_FCFS], "fcfs");
}

/* Every number from 0 to 70 in each field, one at a time: exactly the allowed ones pass. */
static void every_value(void **state)
{
    char why[120];
    (void)state;
    for (unsigned x = 0; x <= 70; x++) {
        struct switch_params p = good;
        p.vcs = x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x == 1 || x == 2 || x == 4);
        p = good;
        p.depth = x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x >= 1 && x <= 16);
        p = good;
        p.flit_w = x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x >= 16 && x <= 64);
        p = good;
        p.level = x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x >= 1 && x <= 3);
        p = good;
        p.flit_w = 64;
        p.levels = x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x >= 1 && x <= 10);
        p = good;
        p.path = (enum path_select)x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x < 5);
        p = good;
        p.scan = (enum scan_order)x;
        CHECK_AT(x, switch_params_check(&p, why, sizeof why) == NULL, x < 5);
    }
}

/* What is wrong and what is allowed, in one line. */
static void messages(void **state)
{
    static const struct { struct switch_params p; const char *names, *allows; } row[] = {
        {{3, 2, 32, PATH_RP, SCAN_RR, 1, 3}, "vcs = 3", "1, 2 or 4"},
        {{1, 0, 32, PATH_RP, SCAN_RR, 1, 3}, "depth = 0", "1 to 16"},
        {{1, 17, 32, PATH_RP, SCAN_RR, 1, 3}, "depth = 17", "1 to 16"},
        {{1, 2, 15, PATH_RP, SCAN_RR, 1, 3}, "flit_w = 15", "16 to 64"},
        {{1, 2, 65, PATH_RP, SCAN_RR, 1, 3}, "flit_w = 65", "16 to 64"},
        {{1, 2, 32, (enum path_select)9, SCAN_RR, 1, 3}, "path = 9", "fp, rp, gp, rg, rw"},
        {{1, 2, 32, PATH_RP, (enum scan_order)9, 1, 3}, "scan = 9", "rr, fo, ff, rot, fcfs"},
        {{1, 2, 32, PATH_RP, SCAN_RR, 1, 0}, "levels = 0", "1 to 10"},
        {{1, 2, 32, PATH_RP, SCAN_RR, 1, 11}, "levels = 11", "1 to 10"},
        {{1, 2, 32, PATH_RP, SCAN_RR, 0, 3}, "level = 0", "1 to 3"},
        {{1, 2, 32, PATH_RP, SCAN_RR, 4, 3}, "level = 4", "1 to 3"},
        {{1, 2, 26, PATH_RP, SCAN_RR, 1, 6}, "4096 processors", "needs 27"},
        {{1, 2, 31, PATH_FP, SCAN_RR, 1, 6}, "path = fp", "needs 32"},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        char why[120] = "";
        CHECK_AT(k, switch_params_check(&row[k].p, why, sizeof why) == why, 1);
        CHECK_AT(k, strstr(why, row[k].names) != NULL, 1);
        CHECK_AT(k, strstr(why, row[k].allows) != NULL, 1);
        CHECK_AT(k, strchr(why, '\n') == NULL, 1);
    }
}

/* The narrowest flit that a head fits in passes, one bit less does not. */
static void narrowest(void **state)
{
    char why[120];
    (void)state;
    for (unsigned levels = 3; levels <= 10; levels++)
        for (enum path_select path = PATH_FP; path < PATH_COUNT; path++) {
            struct switch_params p = good;
            p.levels = levels;
            p.path = path;
            p.flit_w = head_bits(levels, path);
            if (p.flit_w < 16)
                continue;
            CHECK_AT(levels, switch_params_check(&p, why, sizeof why) == NULL, 1);
            p.flit_w--;
            CHECK_AT(levels, switch_params_check(&p, why, sizeof why) == NULL, 0);
        }
}

/* A short buffer cuts the message and nothing behind it is written. */
static void short_buffer(void **state)
{
    struct switch_params p = good;
    char why[9] = "????????";
    (void)state;
    p.vcs = 0;
    assert_non_null(switch_params_check(&p, why, 6));
    assert_string_equal(why, "vcs =");
    CHECK_EQ(why[6], '?');
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_width), cmocka_unit_test(names),     cmocka_unit_test(every_value),
        cmocka_unit_test(messages),   cmocka_unit_test(narrowest), cmocka_unit_test(short_buffer),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
