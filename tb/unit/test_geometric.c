/* SPDX-License-Identifier: Apache-2.0
 * test_geometric.c - geometric random numbers against their distribution.
 */
#include "geometric.h"

#include "unit.h" /* last: cmocka has a macro fail() */

enum { DRAWS = 400000, CELLS = 12 };

/* Chance of more than this with CELLS - 1 degrees of freedom: below 10^-7. */
static const double chi_square_limit = 55;

/* P(G = k) for k = 0 .. CELLS - 2 and P(G >= CELLS - 1), by Pearson's test. */
static void distribution(void **state)
{
    static const double p[] = {0.02, 0.1, 0.3, 0.5, 0.8};
    (void)state;
    for (size_t j = 0; j < ROWS(p); j++) {
        struct geometric g;
        struct rng r = {unit_seed + j};
        unsigned found[CELLS] = {0};
        double chance = p[j], rest = 1, sum = 0;
        geometric_init(&g, p[j]);
        for (unsigned k = 0; k < DRAWS; k++) {
            uint64_t x = geometric_next(&g, &r);
            found[x < CELLS ? x : CELLS - 1]++;
        }
        for (unsigned k = 0; k < CELLS; k++) {
            double want = DRAWS * (k < CELLS - 1 ? chance : rest);
            if (want >= 5)
                sum += (found[k] - want) * (found[k] - want) / want;
            rest -= chance;
            chance *= 1 - p[j];
        }
        if (sum > chi_square_limit)
            print_error("p = %g: chi square %g\n", p[j], sum);
        assert_true(sum <= chi_square_limit);
    }
}

/* Mean (1 - p) / p and variance (1 - p) / p^2, far into the tail; of a million draws the mean is
 * within 5.5 standard deviations (chance 4 10^-8). */
static void mean_and_variance(void **state)
{
    static const double p[] = {0x1p-40, 1e-9, 1e-6, 1e-3, 0.25, 0.9};
    enum { MILLION = 1000000 };
    (void)state;
    for (size_t j = 0; j < ROWS(p); j++) {
        struct geometric g;
        struct rng r = {unit_seed + 100 + j};
        double mean = (1 - p[j]) / p[j], variance = mean / p[j], sum = 0, square = 0;
        geometric_init(&g, p[j]);
        for (unsigned k = 0; k < MILLION; k++) {
            double x = (double)geometric_next(&g, &r) - mean;
            sum += x;
            square += x * x;
        }
        double off = sum / MILLION;
        assert_true(off * off <= 5.5 * 5.5 * variance / MILLION);
        /* The variance of (x - mean)^2 is that of an exponential distribution, 8 variance^2, and
         * for large p a little more in proportion. */
        double ratio = square / MILLION / variance - 1;
        assert_true(ratio * ratio <= 5.5 * 5.5 * (8 + p[j] * p[j] / (1 - p[j])) / MILLION);
    }
}

/* In 2^53. */
static uint64_t chance(const struct geometric *g, unsigned i)
{
    CHECK_AT(i, g->digit[i] & ((1 << 11) - 1), 0);
    return g->digit[i] >> 11;
}

/* Every digit looked at: what a draw gives, and where it leaves the random numbers. */
static uint64_t digit_by_digit(const struct geometric *g, struct rng *r)
{
    uint64_t k = 0;
    for (unsigned i = 0; i < g->digits; i++)
        k |= (uint64_t)(rng_next(r) >> 11 < chance(g, i)) << i;
    return k;
}

/* Digits that are passed over have a chance of 2^-53 by rounding alone; their random numbers are used up. */
static void digits_that_are_passed_over(void **state)
{
    unsigned passed = 0, all = 0;
    (void)state;
    for (unsigned j = 0; j < 2000; j++) {
        struct geometric g;
        struct rng r = {unit_seed + j}, other = r;
        double p = (1 + draw(1u << 20)) * (j % 2 ? 0x1p-21 : 0x1p-40);
        geometric_init(&g, p);
        for (unsigned k = 0; k < 50; k++) {
            uint64_t want = digit_by_digit(&g, &other);
            CHECK_AT(j, geometric_next(&g, &r), want);
            CHECK_AT(j, r.state, other.state);
        }
        for (unsigned i = g.looked_at; i < g.digits; i++)
            CHECK_AT(j, chance(&g, i) + chance(&g, i - 1), 2);
        if (g.looked_at < g.digits)
            CHECK_AT(j, g.digits, ROWS(g.digit));
        passed += g.looked_at < g.digits;
        all += g.looked_at == g.digits;
    }
    assert_true(passed > 100 && all > 100);
}

/* The ends of the range, and digits that stop where they should. */
static void ends(void **state)
{
    struct geometric g;
    struct rng r = {unit_seed};
    (void)state;
    geometric_init(&g, 1);
    CHECK_EQ(g.digits, 0);
    CHECK_EQ(geometric_next(&g, &r), 0);
    geometric_init(&g, 0x1p-50);
    assert_true(g.digits >= 50 && g.digits <= 56);
    for (unsigned i = 0; i < g.digits; i++)
        assert_true(chance(&g, i) > 0 && chance(&g, i) <= UINT64_C(1) << 52);
    for (unsigned i = 1; i < g.digits; i++)
        assert_true(g.digit[i] <= g.digit[i - 1]);
    geometric_init(&g, 0.5); /* digit 0 is one with chance 1/3 */
    CHECK_EQ(chance(&g, 0), (uint64_t)(0x1p53 / 3 + 0.5));
    CHECK_EQ(g.digits, 6); /* 2^-32 of 1 / (1 + 2^-32), 2^-64 of the next rounds to none */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distribution),
        cmocka_unit_test(mean_and_variance),
        cmocka_unit_test(digits_that_are_passed_over),
        cmocka_unit_test(ends),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
