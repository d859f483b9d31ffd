/* SPDX-License-Identifier: Apache-2.0
 * test_cost.c - the table of `make synth` read and added up to networks.
 */
#include "cost.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static char file[] = "/tmp/test_cost_XXXXXX";

/* Reads a table with this text; its result, *f and *t. */
static int reads(const char *text, struct cost_table *t, struct fail *f)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    return cost_read(t, file, f);
}

#define HEAD "config,family,lut,ff,ram,fmax_mhz\n"
#define BASE "v1-q2-w32-rp-rr"

/* Columns in any order, quotes, lines that end as in Windows, rows of the arbiter. */
static void a_table(void **state)
{
    struct cost_table t;
    struct fail f;

    (void)state;
    assert_int_equal(reads("path,ram,config,fmax_mhz,ff,lut,family\r\n"
                           "\"a, \"\"b\"\"\",0,s1of3-" BASE ",96.5,507,1081,ice40\r\n"
                           "\n"
                           ",,arbiter-rp-rr,,,,ice40\n"
                           ",,n16-" BASE ",,,7000,ecp5\n", &t, &f), 0);
    CHECK_EQ(t.count, 2);
    CHECK_EQ(t.row[0].lut, 1081);
    CHECK_EQ(t.row[0].ff, 507);
    assert_true(t.row[0].mhz == 96.5);
    assert_string_equal(t.row[1].family, "ecp5");
    assert_true(isnan(t.row[1].mhz) && isnan(t.row[1].ff));
    cost_free(&t);
}

static void wrong_tables(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "no row of a switch"},
        {HEAD, "no row of a switch"},
        {"config,family,lut,ff,ram\n", ":1: no column fmax_mhz"},
        {HEAD "s1of3-" BASE ",ice40,1\n", ":2: 3 fields; allowed: 6"},
        {HEAD "s1of3-" BASE ",ice40,1,2,3,4,5\n", ":2: 7 fields"},
        {HEAD "s9of3-" BASE ",ice40,1,2,3,4\n", ":2: config = s9of3"},
        {HEAD "s1of3-" BASE ",,1,2,3,4\n", ":2: family = "},
        {HEAD "s1of3-" BASE ",aaaaaaaaaaaaaaaaaaaaaaaa,1,2,3,4\n", ":2: family = "},
        {HEAD "s1of3-" BASE ",ice40,many,2,3,4\n", ":2: lut = many"},
        {HEAD "s1of3-" BASE ",ice40,1,-2,3,4\n", ":2: ff = -2"},
        {HEAD "s1of3-" BASE ",ice40,1,2,nan,4\n", ":2: ram = nan"},
        {HEAD "s1of3-" BASE ",ice40,1,2,3,1.2.3\n", ":2: fmax_mhz = 1.2.3"},
        {HEAD "\"s1of3-" BASE ",ice40,1,2,3,4\n", ":2: a quoted field"},
        {HEAD "\"s1of3-" BASE "\"x,ice40,1,2,3,4\n", ":2: a quoted field"},
        {HEAD "\"", ":2: a quoted field"},
    };
    struct cost_table t;
    struct fail f;

    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        CHECK_AT(k, reads(cases[k].text, &t, &f), -1);
        CHECK_AT(k, f.code, EXIT_INPUT);
        if (!strstr(f.text, cases[k].says))
            fail_msg("case %u: '%s' lacks '%s'", k, f.text, cases[k].says);
        CHECK_AT(k, t.count, 0);
    }
    CHECK_EQ(cost_read(&t, "/no/such/table", &f), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
}

/* N = 64 is 16 leaves, 8 inner switches, 4 roots. */
static void networks(void **state)
{
    const struct hardware_design base = {.params = {1, 2, 32, PATH_RP, SCAN_RR, 1, 3}};
    const struct hardware_design other = {.params = {2, 2, 32, PATH_RP, SCAN_RR, 1, 3}};
    const struct hardware_design torus = {.params = {2, 2, 32, PATH_RP, SCAN_ROT, 1, 2}, .radix = 4, .torus = true};
    struct cost_table t;
    struct cost c;
    struct fail f;

    (void)state;
    assert_int_equal(reads(HEAD "s1of3-" BASE ",ice40,1000,500,0,90\n"
                                "s2of3-" BASE ",ice40,100,50,0,80\n"
                                "s3of3-" BASE ",ice40,10,5,1,120\n"
                                "n16-" BASE ",ecp5,7000,3000,0,150\n"
                                "n64-" BASE ",ecp5,7000,3000,0,\n"
                                "s1of4-" BASE ",ecp5,900,400,0,160\n"
                                "s2of3-" BASE ",xilinx,900,400,0,\n", &t, &f), 0);
    assert_true(cost_network(&t, "ice40", &base, 3, &c));
    CHECK_EQ(c.lut, 16 * 1000 + 8 * 100 + 4 * 10);
    CHECK_EQ(c.ff, 16 * 500 + 8 * 50 + 4 * 5);
    CHECK_EQ(c.ram, 4);
    CHECK_EQ(c.mhz, 80);
    CHECK_EQ(c.basis, COST_SWITCHES);
    assert_true(cost_network(&t, "ice40", &base, 2, &c));
    CHECK_EQ(c.lut, 4 * 1000 + 2 * 10);
    CHECK_EQ(c.mhz, 90);
    /* the network itself, where it was placed */
    assert_true(cost_network(&t, "ecp5", &base, 2, &c));
    CHECK_EQ(c.lut, 7000);
    CHECK_EQ(c.mhz, 150);
    CHECK_EQ(c.basis, COST_NETWORK);
    assert_true(cost_network(&t, "ecp5", &base, 3, &c));
    CHECK_EQ(c.lut, 28 * 900);
    CHECK_EQ(c.basis, COST_BOUND);
    /* no leaf, no clock, no such design, no such family; a lone root is no leaf */
    assert_false(cost_network(&t, "xilinx", &base, 3, &c));
    assert_false(cost_network(&t, "ice40", &other, 3, &c));
    assert_false(cost_network(&t, "gowin", &base, 3, &c));
    assert_true(cost_network(&t, "ice40", &base, 1, &c));
    CHECK_EQ(c.lut, 10);
    assert_false(cost_network(&t, "ice40", &torus, 2, &c));
    cost_free(&t);
    /* routers, as many as nodes; of a larger torus a bound, of a smaller one nothing */
    assert_int_equal(reads(HEAD "torus8n27-v2-q2-w32-ecube-rot,ice40,1800,700,0,50\n"
                                "mesh4n5-v2-q2-w32-ecube-rot,ice40,1500,600,0,60\n", &t, &f), 0);
    assert_true(cost_network(&t, "ice40", &torus, 3, &c));
    CHECK_EQ(c.lut, 64 * 1800);
    CHECK_EQ(c.mhz, 50);
    CHECK_EQ(c.basis, COST_SWITCHES);
    assert_true(cost_network(&t, "ice40", &torus, 2, &c));
    CHECK_EQ(c.lut, 16 * 1800);
    CHECK_EQ(c.basis, COST_BOUND);
    assert_false(cost_network(&t, "ice40", &torus, 4, &c));
    cost_free(&t);
}

/* The columns after the family, of which now and then one that is needed is empty; whether they are whole. */
static bool numbers_of(char *text, size_t size, double lut, double mhz)
{
    unsigned lacks = draw(10);
    snprintf(text, size, "ice40,%.0f,1,0,%.0f\n", lut, mhz);
    if (lacks == 0)
        snprintf(text, size, "ice40,,1,0,%.0f\n", mhz);
    if (lacks == 1)
        snprintf(text, size, "ice40,%.0f,1,0,\n", lut);
    return lacks > 1;
}

/* A network that was placed itself is taken as it is.  Of the other rows, it takes for each of its switches that of the network nearest
 * in size, then of the nearest level.  Rows without area or clock count as if they were not there. */
static void nearest_rows(void **state)
{
    const struct hardware_design base = {.params = {1, 2, 64, PATH_RP, SCAN_RR, 1, 3}};
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        char text[8000] = HEAD, numbers[80];
        size_t n = strlen(text);
        unsigned row[60][2], rows = 0, placed = 0; /* a bit for each size */
        for (unsigned levels = 1; levels <= 10; levels++) {
            for (unsigned level = 1; level <= levels; level++)
                if (draw(4) == 0) {
                    bool is_whole = numbers_of(numbers, sizeof numbers, 100 * levels + level, 50 + 10 * levels + level);
                    n += (size_t)snprintf(text + n, sizeof text - n, "s%uof%u-v1-q2-w64-rp-rr,%s", level, levels, numbers);
                    row[rows][0] = level;
                    row[rows][1] = levels;
                    rows += is_whole;
                }
            if (draw(6) == 0) {
                placed |= (unsigned)numbers_of(numbers, sizeof numbers, 7 + levels, 3 + levels) << levels;
                n += (size_t)snprintf(text + n, sizeof text - n, "n%u-v1-q2-w64-rp-rr,%s", 1U << 2 * levels, numbers);
            }
        }
        struct cost_table t;
        struct cost c;
        struct fail f;
        if (!rows)
            continue;
        assert_int_equal(reads(text, &t, &f), 0);
        unsigned levels = 1 + draw(10);
        double lut = 0, mhz = INFINITY;
        bool found = true, bound = false;
        for (unsigned l = 1, best[2] = {0}; l <= levels && found; l++) {
            unsigned taken = rows;
            for (unsigned k = 0; k < rows; k++) {
                const unsigned *x = row[k], *y = taken < rows ? row[taken] : NULL;
                bool leaf = x[0] == 1, root = x[0] == x[1];
                if (root != (l == levels) || (!root && leaf != (l == 1)))
                    continue;
                unsigned size = x[1] > levels ? x[1] - levels : levels - x[1], off = x[0] > l ? x[0] - l : l - x[0];
                unsigned other = !y ? 0 : y[1] > levels ? y[1] - levels : levels - y[1], least = !y ? 0 : y[0] > l ? y[0] - l : l - y[0];
                if (!y || size < other || (size == other && off < least))
                    taken = k;
            }
            found = l > 1 || taken < rows;
            bound = bound || taken == rows;
            if (l == 1 && found)
                memcpy(best, row[taken], sizeof best);
            const unsigned *x = taken < rows ? row[taken] : best; /* of what has no row, the leaf */
            lut += (double)(1U << (2 * levels - 1 - l)) * (100 * x[1] + x[0]);
            mhz = fmin(mhz, 50 + 10 * x[1] + x[0]);
        }
        if (placed >> levels & 1) {
            assert_true(cost_network(&t, "ice40", &base, levels, &c));
            CHECK_AT(round, c.lut, 7 + levels);
            CHECK_AT(round, c.mhz, 3 + levels);
            CHECK_AT(round, c.basis, COST_NETWORK);
            cost_free(&t);
            continue;
        }
        CHECK_AT(round, cost_network(&t, "ice40", &base, levels, &c), found);
        if (found) {
            CHECK_AT(round, c.lut, lut);
            CHECK_AT(round, c.mhz, mhz);
            CHECK_AT(round, c.basis, bound ? COST_BOUND : COST_SWITCHES);
        }
        cost_free(&t);
    }
}

/* Of the routers of a torus, or of a mesh, that of the smallest one which is large enough; rows without area or clock do not count. */
static void nearest_routers(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        char text[4000] = HEAD, numbers[80];
        unsigned levels = 1 + draw(5), k = 1U << levels, best = UINT32_MAX;
        const struct hardware_design d = {.params = {2, 2, 32, PATH_RP, SCAN_ROT, 1, 2}, .radix = k, .torus = draw(2)};
        for (unsigned radix = 2; radix < 40; radix++)
            if (draw(10) == 0) {
                bool torus = draw(2), is_whole = numbers_of(numbers, sizeof numbers, 10 * radix, 100 + radix);
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%un0-v2-q2-w32-ecube-rot,%s", torus ? "torus" : "mesh", radix, numbers);
                if (is_whole && torus == d.torus && radix >= k && radix < best)
                    best = radix;
            }
        struct cost_table t;
        struct cost c;
        struct fail f;
        if (reads(text, &t, &f))
            continue; /* no row */
        CHECK_AT(round, cost_network(&t, "ice40", &d, levels, &c), best < UINT32_MAX);
        if (best < UINT32_MAX) {
            CHECK_AT(round, c.lut, 10 * best * k * k);
            CHECK_AT(round, c.mhz, 100 + best);
            CHECK_AT(round, c.basis, d.torus && best == k ? COST_SWITCHES : COST_BOUND);
        }
        cost_free(&t);
    }
}

/* Any bytes: an error or a table, never a crash (the sanitizers watch). */
static void random_tables(void **state)
{
    static const char bytes[] = "\"\",,,,\n\n\rs1of3-v1q2w32rpr0123456789.nic40e";
    struct cost_table t;
    struct fail f;

    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        char text[300] = HEAD;
        size_t n = draw(2) ? strlen(HEAD) : 0, more = draw(250);
        for (; more; more--)
            text[n++] = bytes[draw(sizeof bytes - 1)];
        text[n] = '\0';
        if (reads(text, &t, &f) == 0)
            cost_free(&t);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table),
        cmocka_unit_test(wrong_tables),
        cmocka_unit_test(networks),
        cmocka_unit_test(nearest_rows),
        cmocka_unit_test(nearest_routers),
        cmocka_unit_test(random_tables),
    };
    unit_args(argc, argv);
    int fd = mkstemp(file);
    if (fd < 0)
        return 1;
    close(fd);
    int bad = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(file);
    return bad;
}
