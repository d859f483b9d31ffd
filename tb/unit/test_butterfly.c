/* SPDX-License-Identifier: Apache-2.0
 * test_butterfly.c - wires and greedy paths of the butterflies, and the counts of L 3.4.2.
 */
#include "fatfly.h"

#include "topology.h"

#include <string.h>

#include "unit.h"

static void must_open(struct topology *t, const char *name, uint32_t rows)
{
    char why[200] = "";
    struct topology_params p = {.processors = rows, .path = "greedy"};
    if (topology_open(t, name, &p, why, sizeof why))
        fail_msg("%s: %s", name, why);
}

/* Figure 3-48: from <100, 0> to <001, 3> by <000, 1>, <000, 2>. */
static void figure_3_48(void **state)
{
    static const uint32_t rows[] = {4, 0, 0, 1};
    struct topology t;
    (void)state;
    must_open(&t, "butterfly", 8);
    for (unsigned level = 0; level < 3; level++) {
        struct topology_choice choice[TOPOLOGY_MAX_PORTS];
        struct topology_place at = {.node = 8 * level + rows[level], .from = TOPOLOGY_NONE};
        CHECK_AT(level, t.kind->route(&t, &at, 1, choice), 1);
        CHECK_AT(level, t.kind->far(&t, at.node, choice[0].port), 8 * (level + 1) + rows[level + 1]);
        CHECK_AT(level, t.kind->group(&t, at.node, choice[0].port), 2 * level);
    }
    CHECK_EQ(t.nodes, 32);
    for (uint32_t row = 0; row < 8; row++)
        for (unsigned port = 0; port < 2; port++)
            CHECK_AT(row, t.kind->far(&t, 24 + row, port), TOPOLOGY_NONE);
    topology_close(&t);
}

/* Level l's cross links change one bit, each bit in one level; two links enter each node. */
static void wires(void **state)
{
    static const char *const names[] = {"butterfly", "reverse-butterfly", "wrapped-butterfly"};
    (void)state;
    for (unsigned n = 1; n <= 6; n++)
        for (unsigned k = 0; k < ROWS(names); k++) {
            struct topology t;
            uint32_t rows = UINT32_C(1) << n, into[7 << 6] = {0};
            must_open(&t, names[k], rows);
            CHECK_AT(k, t.nodes, rows * (k == 2 ? n : n + 1));
            for (uint32_t a = 0; a < n * rows; a++)
                for (unsigned port = 0; port < 2; port++) {
                    uint32_t level = a / rows, b = t.kind->far(&t, a, port);
                    unsigned bit = k == 1 ? level : n - 1 - level;
                    CHECK_AT(a, b, (level + 1) % (t.nodes / rows) * rows +
                                       (a % rows ^ (port ? UINT32_C(1) << bit : 0)));
                    into[b]++;
                }
            for (uint32_t a = k == 2 ? 0 : rows; a < t.nodes; a++)
                CHECK_AT(a, into[a], 2);
            topology_close(&t);
        }
}

/* From every row to every row in log N hops. */
static void all_pairs(void **state)
{
    static const char *const names[] = {"butterfly", "reverse-butterfly", "wrapped-butterfly"};
    (void)state;
    for (unsigned n = 1; n <= 6; n++)
        for (unsigned k = 0; k < ROWS(names); k++) {
            struct topology t;
            uint32_t rows = UINT32_C(1) << n;
            must_open(&t, names[k], rows);
            CHECK_AT(k, topology_apart(&t), k != 2);
            for (uint32_t pair = 0; pair < rows * rows; pair++) {
                struct topology_choice choice[TOPOLOGY_MAX_PORTS];
                struct topology_place at = {.node = topology_enter(&t, pair / rows),
                                            .from = TOPOLOGY_NONE};
                unsigned hops = 0;
                while (t.kind->route(&t, &at, pair % rows, choice)) {
                    at.from = at.node;
                    at.port = choice[0].port;
                    at.node = t.kind->far(&t, at.from, at.port);
                    hops++;
                }
                CHECK_AT(pair, at.node, topology_leave(&t, pair % rows));
                CHECK_AT(pair, hops, n);
            }
            topology_close(&t);
        }
}

static struct fatfly_config greedy(uint32_t rows, enum fatfly_pattern pattern)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = "butterfly";
    c.nodes = rows;
    c.discipline = FATFLY_STORE;
    c.path = FATFLY_GREEDY;
    c.depth = FATFLY_UNBOUNDED;
    c.length = 1;
    c.pattern = pattern;
    return c;
}

static struct fatfly_result must_run(const struct fatfly_config *c)
{
    static struct fatfly_result r;
    char why[400] = "";
    int status = fatfly_run(c, NULL, &r, why, sizeof why);
    if (status || r.end != FATFLY_DONE)
        fail_msg("status %d, end %d: %s", status, (int)r.end, why);
    return r;
}

/* L 3.4.2: sqrt(N/2) paths over one edge, sqrt(N/2) + log N - 1 steps, for odd log N; a step is L
 * cycles. */
static void bit_reversal(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 15; n += 2) {
        struct fatfly_config c = greedy(UINT32_C(1) << n, FATFLY_BIT_REVERSAL);
        uint64_t root = UINT64_C(1) << (n - 1) / 2;
        struct fatfly_result r = must_run(&c);
        CHECK_AT(n, r.cycles, root + n - 1);
        CHECK_AT(n, r.last_arrival, root + n - 2);
        CHECK_AT(n, r.congestion, root);
        CHECK_AT(n, r.dilation, n);
        CHECK_AT(n, r.worms, c.nodes);
        c.length = 7;
        r = must_run(&c);
        CHECK_AT(n, r.cycles, 7 * (root + n - 1));
        CHECK_AT(n, r.flit_hops, UINT64_C(7) * n * c.nodes);
    }
}

/* One packet alone takes log N steps, and so do all where none shares a link, those that stay in
 * their row among them. */
static void no_waiting(void **state)
{
    static const enum fatfly_pattern patterns[] = {FATFLY_COMPLEMENT, FATFLY_BIT_COMPLEMENT};
    (void)state;
    for (unsigned n = 1; n <= 10; n++)
        for (unsigned k = 0; k < ROWS(patterns); k++) {
            struct fatfly_config c = greedy(UINT32_C(1) << n, patterns[k]);
            CHECK_AT(n, must_run(&c).cycles, n);
            c.topology = "wrapped-butterfly";
            CHECK_AT(n, must_run(&c).cycles, n);
        }
}

/* Transpose takes as long as sqrt(N): its middle is as narrow (L problem 3.182). */
static void transpose(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 14; n++) {
        struct fatfly_config c = greedy(UINT32_C(1) << n, FATFLY_TRANSPOSE);
        struct fatfly_result r = must_run(&c);
        uint64_t root = UINT64_C(1) << n / 2;
        assert_true(r.congestion >= root / 2 && r.cycles >= root / 2 + n - 1);
        assert_true(r.cycles <= 2 * root + n);
    }
}

static void refused(void **state)
{
    static const struct {
        const char *topology;
        uint32_t nodes;
        unsigned vcs;
        const char *says;
    } cases[] = {
        {"butterfly", 0, 1, "nodes = 0; allowed on a butterfly: 2^n rows with n = 1 to 20"},
        {"butterfly", 1, 1, "nodes = 1; allowed on a butterfly: 2^n rows with n = 1 to 20"},
        {"wrapped-butterfly", 48, 1,
         "nodes = 48; allowed on a wrapped-butterfly: 2^n rows with n = 1 to 20"},
        {"butterfly", 1u << 21, 1, "nodes = 2097152; allowed on a butterfly: 2^n rows with n = 1 to 20"},
        {"butterfly", 8, 130, "vcs = 130; allowed on a butterfly: 1 to 129"},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = greedy(cases[k].nodes, FATFLY_RANDOM);
        char why[200] = "";
        c.topology = cases[k].topology;
        c.vcs = cases[k].vcs;
        CHECK_AT(k, fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
        assert_string_equal(why, cases[k].says);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3_48), cmocka_unit_test(wires),      cmocka_unit_test(all_pairs),
        cmocka_unit_test(bit_reversal), cmocka_unit_test(no_waiting), cmocka_unit_test(transpose),
        cmocka_unit_test(refused),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
