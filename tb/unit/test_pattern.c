/* SPDX-License-Identifier: Apache-2.0
 * test_pattern.c - destinations of every pattern.
 */
#include "fat_tree.h"
#include "pattern.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

/* By the digits of the pattern's own definition (spec, section 6), not by shifts. */
static uint32_t want(enum fatfly_pattern pattern, uint32_t a, unsigned levels)
{
    uint32_t n = fat_tree_nodes(levels), side = 1u << levels, r = 0;
    switch (pattern) {
    case FATFLY_COMPLEMENT:
        return n - 1 - a;
    case FATFLY_BIT_COMPLEMENT:
        for (unsigned k = 0; k < 2 * levels; k++)
            r += (a >> k) % 2 ? 0 : 1u << k;
        return r;
    case FATFLY_MANY_TO_1:
        return a < n / 2 ? n - 1 : 0;
    case FATFLY_TRANSPOSE:
        return a % side * side + a / side;
    case FATFLY_BIT_REVERSAL:
        for (unsigned k = 0; k < 2 * levels; k++)
            r = 2 * r + (a >> k) % 2;
        return r;
    case FATFLY_SHUFFLE:
        return a < n / 2 ? 2 * a : 2 * a - n + 1;
    default:
        return a == n - 1 ? 0 : a + 1; /* neighbour */
    }
}

/* Patterns without randomness draw no number, so that they can share a stream. */
static void fixed_patterns(void **state)
{
    (void)state;
    for (enum fatfly_pattern k = FATFLY_COMPLEMENT; k <= FATFLY_NEIGHBOUR; k++)
        for (unsigned levels = 1; levels <= 5; levels++) {
            struct fatfly_config c = {.nodes = fat_tree_nodes(levels), .pattern = k};
            struct rng r = {unit_seed};
            for (uint32_t a = 0; a < fat_tree_nodes(levels); a++)
                CHECK_AT(a, pattern_dst(&c, 2 * levels, a, &r), want(k, a, levels));
            CHECK_EQ(r.state, unit_seed);
        }
}

static void permutation(void **state)
{
    uint32_t map[64];
    struct fatfly_config c = {.nodes = 64, .pattern = FATFLY_PERMUTATION, .permutation = map};
    struct rng r = {unit_seed};
    (void)state;
    for (unsigned k = 0; k < 64; k++)
        map[k] = draw(64);
    for (unsigned k = 0; k < 64; k++)
        CHECK_AT(k, pattern_dst(&c, 6, k, &r), map[k]);
}

enum { DRAWS = 200000 };

/* Destinations of processor 3 of 16 against their chances, by Pearson's test: at most 15 degrees
 * of freedom, so the limit is passed with a chance below 10^-7. */
static void check_chances(const struct fatfly_config *c, const double *chance)
{
    struct rng r = {unit_seed};
    unsigned to[16] = {0};
    double sum = 0;
    for (unsigned k = 0; k < DRAWS; k++) {
        uint32_t dst = pattern_dst(c, 4, 3, &r);
        assert_true(dst < 16);
        to[dst]++;
    }
    for (unsigned k = 0; k < 16; k++) {
        double mean = DRAWS * chance[k];
        if (mean > 0)
            sum += (to[k] - mean) * (to[k] - mean) / mean;
        else
            CHECK_AT(k, to[k], 0);
    }
    if (sum > 64)
        print_error("chi square %g\n", sum);
    assert_true(sum <= 64);
}

static void random_patterns(void **state)
{
    static const double hotspot[] = {0, 0.04, 0.25, 1};
    double chance[16];
    (void)state;
    for (unsigned self = 0; self < 2; self++) {
        struct fatfly_config c = {.nodes = 16, .pattern = FATFLY_RANDOM, .self_traffic = self};
        double even = self ? 1.0 / 16 : 1.0 / 15;
        for (unsigned k = 0; k < 16; k++)
            chance[k] = k == 3 && !self ? 0 : even;
        check_chances(&c, chance);
        c.pattern = FATFLY_HOTSPOT;
        c.hotspot_node = 3; /* the hot spot's own worms are uniform */
        c.hotspot = 0.5;
        check_chances(&c, chance);
        for (size_t j = 0; j < ROWS(hotspot); j++) {
            c.hotspot = hotspot[j];
            c.hotspot_node = 9;
            for (unsigned k = 0; k < 16; k++)
                chance[k] = (k == 3 && !self ? 0 : even * (1 - hotspot[j])) +
                            (k == 9 ? hotspot[j] : 0);
            check_chances(&c, chance);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_patterns),
        cmocka_unit_test(permutation),
        cmocka_unit_test(random_patterns),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
