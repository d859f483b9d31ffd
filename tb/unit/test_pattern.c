/* SPDX-License-Identifier: Apache-2.0
 * test_pattern.c - destinations of every pattern.
 */
#include "fat_tree.h"
#include "pattern.h"
#include "wanted.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>


/* Patterns without randomness draw no number, so that they can share a stream. */
static void fixed_patterns(void **state)
{
    (void)state;
    for (enum fatfly_pattern k = FATFLY_COMPLEMENT; k <= FATFLY_NEIGHBOUR; k++)
        for (unsigned levels = 1; levels <= 5; levels++) {
            struct fatfly_config c = {.nodes = fat_tree_nodes(levels), .pattern = k};
            struct rng r = {unit_seed};
            for (uint32_t a = 0; a < fat_tree_nodes(levels); a++)
                CHECK_AT(a, pattern_dst(&c, 2 * levels, a, &r), wanted(k, a, levels));
            CHECK_EQ(r.state, unit_seed);
        }
}

/* Addresses of any number of bits, as hypercubes and butterflies have: where each bit goes. */
static void bit_patterns(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 13; bits++) {
        struct rng r = {unit_seed};
        for (uint32_t a = 0; a < 1u << bits; a++) {
            uint32_t want[4] = {0};
            for (unsigned k = 0; k < bits; k++) {
                uint32_t bit = a >> k & 1;
                want[0] |= bit << (k + bits - bits / 2) % bits; /* the upper half down, of which an odd number has one bit more */
                want[1] |= bit << (bits - 1 - k);
                want[2] |= (1 - bit) << k;
                want[3] |= bit << (k + 1) % bits;
            }
            for (unsigned j = 0; j < 4; j++) {
                static const enum fatfly_pattern pattern[] = {FATFLY_TRANSPOSE, FATFLY_BIT_REVERSAL, FATFLY_BIT_COMPLEMENT,
                                                              FATFLY_SHUFFLE};
                struct fatfly_config c = {.topology = "hypercube", .nodes = 1u << bits, .pattern = pattern[j]};
                CHECK_AT(bits, pattern_dst(&c, bits, a, &r), want[j]);
            }
        }
        CHECK_EQ(r.state, unit_seed);
    }
}

/* Dally and Towles, Principles and Practices of Interconnection Networks, table 3.1, digit by digit. */
static void digit_patterns(void **state)
{
    static const struct { const char *topology; unsigned radix, dimensions; } row[] = {
        {"torus", 8, 2}, {"mesh", 5, 3}, {"torus", 2, 4}, {"mesh", 7, 1}, {NULL, 64, 1}, {"butterfly", 32, 1}};
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        unsigned radix = row[k].radix, nodes = 1;
        for (unsigned d = 0; d < row[k].dimensions; d++)
            nodes *= radix;
        for (unsigned tornado = 0; tornado < 2; tornado++) {
            struct fatfly_config c = {.topology = row[k].topology, .nodes = nodes, .radix = 3,
                                      .pattern = tornado ? FATFLY_TORNADO : FATFLY_DIGIT_NEIGHBOUR};
            struct rng r = {unit_seed};
            if (row[k].topology && row[k].topology[0] != 'b')
                c.radix = radix;
            for (uint32_t a = 0; a < nodes; a++) {
                uint32_t dst = pattern_dst(&c, 0, a, &r);
                assert_true(dst < nodes);
                for (uint32_t x = a, y = dst, d = 0; d < row[k].dimensions; d++, x /= radix, y /= radix)
                    CHECK_AT(a, y % radix, (x % radix + (tornado ? (radix + 1) / 2 - 1 : 1)) % radix);
            }
            CHECK_EQ(r.state, unit_seed);
        }
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

/* Of processor 3 of 16. */
static void two_ways(void **state)
{
    struct fatfly_config c = {.nodes = 16, .pattern = FATFLY_DIAGONAL};
    double diagonal[16] = {[3] = 2.0 / 3, [4] = 1.0 / 3}, asymmetric[16] = {[3] = 0.5, [11] = 0.5};
    (void)state;
    check_chances(&c, diagonal);
    c.pattern = FATFLY_ASYMMETRIC;
    check_chances(&c, asymmetric);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_patterns),
        cmocka_unit_test(bit_patterns),
        cmocka_unit_test(digit_patterns),
        cmocka_unit_test(two_ways),
        cmocka_unit_test(permutation),
        cmocka_unit_test(random_patterns),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
