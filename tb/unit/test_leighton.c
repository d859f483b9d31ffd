/* SPDX-License-Identifier: Apache-2.0
 * test_leighton.c - greedy routing on the butterfly against what L 3.4 proves: theorem 3.22 for every
 * problem of 8 rows, for random ones and for the worst that a search finds; order-preserving problems
 * without a queue.
 */
#include "leighton.h"

#include "fatfly.h"
#include "pattern.h"

#include <math.h>
#include <string.h>

#include "unit.h"

enum { NOBODY = PATTERN_NOBODY, MOST_ROWS = 1024 };

static struct fatfly_config greedy(const char *topology, uint32_t rows, enum fatfly_pattern pattern)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = topology;
    c.nodes = rows;
    c.discipline = FATFLY_STORE;
    c.path = FATFLY_GREEDY;
    c.depth = FATFLY_UNBOUNDED;
    c.length = 1;
    c.pattern = pattern;
    return c;
}

static const struct fatfly_result *must_run(const struct fatfly_config *c)
{
    static struct fatfly_result r;
    char why[400] = "";
    if (fatfly_run(c, NULL, &r, why, sizeof why))
        fail_msg("%s", why);
    return &r;
}

/* One packet from each row a to dst[a]; NOBODY: none. */
static const struct fatfly_result *route(const char *topology, uint32_t rows, const uint32_t *dst)
{
    static struct fatfly_message messages[MOST_ROWS];
    struct fatfly_config c = greedy(topology, rows, FATFLY_MESSAGES);
    c.messages = messages;
    for (uint32_t a = 0; a < rows; a++)
        if (dst[a] != NOBODY)
            messages[c.message_count++] = (struct fatfly_message){0, a, dst[a], 1};
    return must_run(&c);
}

/* -- theorem 3.22 ----------------------------------------------------------------------------- */

/* The proof's sum, as the paper closes it for odd log N: 3 sqrt(N/2) - log N - 2 of delay. */
static void closed_form(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 19; n += 2) {
        double delay = 3 * sqrt((double)(UINT32_C(1) << n) / 2) - n - 2;
        CHECK_AT(n, leighton_bound(n), n + (uint64_t)(delay + 0.5));
        CHECK_AT(n, leighton_bit_reversal(n), (UINT64_C(1) << (n - 1) / 2) + n - 1);
        CHECK_AT(n, leighton_bit_reversal(n + 1), 0);
    }
    CHECK_EQ(leighton_bound(3), 4);
    CHECK_EQ(leighton_bound(4), 6);
    CHECK_EQ(leighton_edge_bound(4, 1), 1);
    CHECK_EQ(leighton_edge_bound(4, 2), 2);
    CHECK_EQ(leighton_edge_bound(4, 3), 2);
    CHECK_EQ(leighton_edge_bound(4, 4), 1);
}

/* Steps, checked against both bounds. */
static uint64_t steps_of(unsigned n, const uint32_t *dst)
{
    uint64_t own = leighton_bound_of(n, dst);
    const struct fatfly_result *r = route("butterfly", UINT32_C(1) << n, dst);
    assert_true(own <= leighton_bound(n));
    assert_true(r->cycles <= own);
    assert_true(r->cycles == 0 || r->cycles >= n + r->congestion - 1);
    assert_true(r->congestion <= leighton_edge_bound(n, (n + 1) / 2));
    return r->cycles;
}

static void swap(uint32_t *dst, unsigned a, unsigned b)
{
    uint32_t x = dst[a];
    dst[a] = dst[b];
    dst[b] = x;
}

/* All orders of dst[k ..], by exchange. */
static void all_orders(uint32_t *dst, unsigned k, uint64_t took[16])
{
    if (k == 8) {
        took[steps_of(3, dst)]++;
        return;
    }
    for (unsigned j = k; j < 8; j++) {
        swap(dst, k, j);
        all_orders(dst, k + 1, took);
        swap(dst, k, j);
    }
}

/* All 8! permutations: 3 steps if no edge has two paths, else 4, which is the bound. */
static void every_permutation_of_8(void **state)
{
    uint32_t dst[8];
    uint64_t took[16] = {0};
    (void)state;
    for (uint32_t a = 0; a < 8; a++)
        dst[a] = a;
    all_orders(dst, 0, took);
    CHECK_EQ(took[3] + took[4], 40320);
    CHECK_EQ(took[3], 23040); /* counted apart: no two paths take one edge of the middle */
}

static void random_problem(unsigned n, uint32_t *dst, unsigned share)
{
    uint32_t rows = UINT32_C(1) << n;
    for (uint32_t a = 0; a < rows; a++)
        dst[a] = a;
    for (uint32_t a = rows; a > 1; a--)
        swap(dst, a - 1, draw(a));
    for (uint32_t a = 0; a < rows; a++)
        if (draw(100) >= share)
            dst[a] = NOBODY;
}

static void random_problems(void **state)
{
    static uint32_t dst[MOST_ROWS];
    (void)state;
    for (unsigned round = 0; round < 600; round++) {
        unsigned n = 1 + draw(10);
        random_problem(n, dst, round % 2 ? 100 : draw(100));
        steps_of(n, dst);
    }
}

/* The worst permutation that exchanges find from `starts` random ones: better ones are kept, equal
 * ones, too. */
static uint64_t climb(unsigned n, unsigned starts, unsigned tries)
{
    uint32_t dst[32], rows = UINT32_C(1) << n;
    uint64_t worst = 0;
    for (unsigned start = 0; start < starts; start++) {
        random_problem(n, dst, 100);
        uint64_t now = steps_of(n, dst);
        for (unsigned k = 0; k < tries; k++) {
            unsigned a = draw(rows), b = draw(rows);
            swap(dst, a, b);
            uint64_t then = steps_of(n, dst);
            if (then < now)
                swap(dst, a, b);
            else
                now = then;
        }
        worst = now > worst ? now : worst;
    }
    return worst;
}

/* No search comes above the bound, and it comes as far as bit reversal does. */
static void worst_found(void **state)
{
    uint64_t at_16, at_32;
    (void)state;
    at_16 = climb(4, 4, 1500);
    at_32 = climb(5, 6, 3000);
    print_message("worst found: %d steps of at most %d (16 rows), %d of %d (32 rows)\n", (int)at_16,
                  (int)leighton_bound(4), (int)at_32, (int)leighton_bound(5));
    assert_true(at_16 >= 5 && at_16 <= leighton_bound(4));
    assert_true(at_32 >= leighton_bit_reversal(5) && at_32 <= leighton_bound(5));
}

/* Worst case sqrt(N/2), random permutations close to log N (L 3.4.2). */
static void growth(void **state)
{
    static uint32_t dst[MOST_ROWS];
    (void)state;
    for (unsigned n = 3; n <= 9; n += 2) {
        uint32_t rows = UINT32_C(1) << n;
        struct fatfly_config c = greedy("butterfly", rows, FATFLY_BIT_REVERSAL);
        CHECK_AT(n, must_run(&c)->cycles, leighton_bit_reversal(n));
        for (unsigned round = 0; round < 5; round++) {
            random_problem(n, dst, 100);
            assert_true(steps_of(n, dst) <= 2 * n);
        }
    }
}

/* -- packing, spreading, monotone ------------------------------------------------------------- */

static void no_queue(const struct fatfly_result *r, unsigned n)
{
    if (r->worms == 0)
        return;
    CHECK_AT(n, r->cycles, n);
    CHECK_AT(n, r->congestion, 1);
}

/* Packets to rows 0, 1, .. from the level log N side, and from there to any rows, in order. */
static void pack_and_spread(unsigned n, const uint8_t *sends)
{
    uint32_t rows = UINT32_C(1) << n, pack[MOST_ROWS], spread[MOST_ROWS], count = 0;
    for (uint32_t a = 0; a < rows; a++)
        pack[a] = spread[a] = NOBODY;
    for (uint32_t a = 0; a < rows; a++)
        if (sends[a]) {
            pack[a] = count;
            spread[count++] = a;
        }
    no_queue(route("reverse-butterfly", rows, pack), n);
    no_queue(route("butterfly", rows, spread), n);
}

/* Every choice of 8 rows, and random ones of more: no packet ever waits. */
static void order_preserving(void **state)
{
    uint8_t sends[MOST_ROWS];
    (void)state;
    for (unsigned set = 0; set < 256; set++) {
        for (unsigned a = 0; a < 8; a++)
            sends[a] = set >> a & 1;
        pack_and_spread(3, sends);
    }
    for (unsigned round = 0; round < 200; round++) {
        unsigned n = 1 + draw(10), share = draw(101);
        for (uint32_t a = 0; a < UINT32_C(1) << n; a++)
            sends[a] = draw(100) < share;
        pack_and_spread(n, sends);
    }
}

/* In the other direction packets meet: from rows 0 and 4 to 0 and 1 by the same edge. */
static void wrong_direction(void **state)
{
    static const uint32_t pack[] = {0, NOBODY, NOBODY, NOBODY, 1, NOBODY, NOBODY, NOBODY};
    static const uint32_t spread[] = {0, 4, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY};
    (void)state;
    CHECK_EQ(route("butterfly", 8, pack)->cycles, 4);
    CHECK_EQ(route("reverse-butterfly", 8, spread)->cycles, 4);
}

/* The patterns: as many as density says, in order, others at other seeds. */
static void patterns(void **state)
{
    static const enum fatfly_pattern patterns[] = {FATFLY_PACKING, FATFLY_SPREADING, FATFLY_MONOTONE};
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct fatfly_config c = greedy("butterfly", 1 + draw(1000), patterns[round % 3]);
        c.density = draw(101) / 100.0;
        c.seed = 1 + draw(1000);
        uint32_t count = 0, above = 0, *table = pattern_table(&c);
        for (uint32_t a = 0; a < c.nodes; a++) {
            if (table[a] == NOBODY)
                continue;
            assert_true(table[a] < c.nodes && table[a] >= above);
            CHECK_AT(a, c.pattern == FATFLY_PACKING ? table[a] : count, count);
            CHECK_AT(a, c.pattern == FATFLY_SPREADING ? a : count, count);
            above = table[a] + 1;
            count++;
        }
        CHECK_AT(round, count, (uint32_t)(c.density * c.nodes + 0.5));
        free(table);
    }
    struct fatfly_config c = greedy("butterfly", 1024, FATFLY_MONOTONE), d = c;
    d.seed++;
    uint32_t *one = pattern_table(&c), *two = pattern_table(&d);
    assert_memory_not_equal(one, two, 1024 * sizeof *one);
    free(one);
    free(two);
}

/* Of a monotone problem who sends says nothing of who receives: of four each of eight, any pair in a quarter of 800. */
static void senders_and_receivers(void **state)
{
    unsigned both[8][8] = {{0}};
    (void)state;
    for (unsigned round = 0; round < 800; round++) {
        struct fatfly_config c = greedy("butterfly", 8, FATFLY_MONOTONE);
        bool receives[8] = {false};
        c.density = 0.5;
        c.seed = round;
        uint32_t *table = pattern_table(&c);
        for (unsigned a = 0; a < 8; a++)
            if (table[a] != NOBODY)
                receives[table[a]] = true;
        for (unsigned a = 0; a < 8; a++)
            for (unsigned b = 0; b < 8; b++)
                both[a][b] += table[a] != NOBODY && receives[b];
        free(table);
    }
    for (unsigned k = 0; k < 64; k++)
        if (both[k / 8][k % 8] < 127 || both[k / 8][k % 8] > 273) /* 200 +- 6 sigma */
            fail_msg("%u sends and %u receives in %u of 800", k / 8, k % 8, both[k / 8][k % 8]);
}

/* Every destination once, about as often a as b, and another order at another seed. */
static void random_permutations(void **state)
{
    unsigned first[8] = {0};
    (void)state;
    for (unsigned round = 0; round < 800; round++) {
        struct fatfly_config c = greedy("butterfly", round % 2 ? 8 : 1 + draw(100),
                                        FATFLY_RANDOM_PERMUTATION);
        uint32_t seen[100] = {0};
        c.seed = round;
        uint32_t *table = pattern_table(&c);
        for (uint32_t a = 0; a < c.nodes; a++) {
            assert_true(table[a] < c.nodes);
            CHECK_AT(round, seen[table[a]]++, 0);
        }
        first[table[0] % 8] += round % 2;
        free(table);
    }
    for (unsigned k = 0; k < 8; k++)
        assert_true(first[k] > 20 && first[k] < 90); /* 50 +- 6 sigma */
}

/* As patterns: spreading in exactly log N steps, packing backwards; a monotone problem packs, then
 * spreads (L 3.4), 2 log N steps in all; identity keeps to its rows. */
static void whole_patterns(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        unsigned n = 1 + draw(10);
        uint32_t rows = UINT32_C(1) << n, pack[MOST_ROWS], spread[MOST_ROWS], count = 0;
        struct fatfly_config c = greedy("butterfly", rows, FATFLY_SPREADING);
        c.density = (double)draw(101) / 100;
        c.seed = round;
        no_queue(must_run(&c), n);
        CHECK_AT(n, must_run(&c)->worms, (uint32_t)(c.density * rows + 0.5));
        c.topology = "reverse-butterfly";
        c.pattern = FATFLY_PACKING;
        no_queue(must_run(&c), n);
        c.pattern = FATFLY_IDENTITY;
        no_queue(must_run(&c), n);
        CHECK_AT(n, must_run(&c)->worms, rows);
        c.pattern = FATFLY_MONOTONE;
        uint32_t *table = pattern_table(&c);
        for (uint32_t a = 0; a < rows; a++) {
            pack[a] = table[a] == NOBODY ? NOBODY : count;
            if (table[a] != NOBODY)
                spread[count++] = table[a];
        }
        for (uint32_t a = count; a < rows; a++)
            spread[a] = NOBODY;
        free(table);
        no_queue(route("reverse-butterfly", rows, pack), n);
        no_queue(route("butterfly", rows, spread), n);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form),     cmocka_unit_test(every_permutation_of_8),
        cmocka_unit_test(random_problems), cmocka_unit_test(worst_found),
        cmocka_unit_test(growth),          cmocka_unit_test(order_preserving),
        cmocka_unit_test(wrong_direction), cmocka_unit_test(patterns), cmocka_unit_test(senders_and_receivers),
        cmocka_unit_test(random_permutations), cmocka_unit_test(whole_patterns),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
