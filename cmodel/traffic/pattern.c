/* SPDX-License-Identifier: Apache-2.0
 * pattern.c - where a processor's worm goes.
 */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

const char *const fatfly_pattern_names[FATFLY_PATTERNS] = {
    "random", "complement", "many-to-1", "transpose", "bit-reversal", "bit-complement",
    "shuffle", "neighbour", "hotspot", "permutation", "identity", "random-permutation", "packing",
    "spreading", "monotone", "trace", "tornado", "digit-neighbour", "diagonal", "asymmetric",
    "matrix"};

static uint32_t reverse(uint32_t a, unsigned bits)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < bits; k++)
        r |= (a >> k & 1) << (bits - 1 - k);
    return r;
}

unsigned pattern_bits(uint32_t nodes)
{
    unsigned bits = 0;
    while (bits < 32 && UINT32_C(1) << bits < nodes)
        bits++;
    return bits;
}

bool pattern_needs_bits(enum fatfly_pattern pattern)
{
    return pattern == FATFLY_TRANSPOSE || pattern == FATFLY_BIT_REVERSAL ||
           pattern == FATFLY_SHUFFLE || pattern == FATFLY_BIT_COMPLEMENT;
}

static uint32_t tornado_step(uint32_t k)
{
    return (k - 1) / 2; /* ceil(k / 2) - 1 */
}

static uint32_t neighbour_step(uint32_t k)
{
    (void)k;
    return 1;
}

/* Every digit of src goes on round its ring: radix k on a torus or mesh, else one digit of N. */
static uint32_t by_digits(const struct fatfly_config *c, uint32_t src, uint32_t (*step)(uint32_t k))
{
    bool cube = c->topology && (strcmp(c->topology, "torus") == 0 || strcmp(c->topology, "mesh") == 0);
    uint32_t k = cube ? c->radix : c->nodes, dst = 0;
    for (uint32_t weight = 1; weight < c->nodes; weight *= k)
        dst += (src / weight % k + step(k)) % k * weight;
    return dst;
}

bool pattern_may_stay(enum fatfly_pattern pattern)
{
    return pattern == FATFLY_RANDOM || pattern == FATFLY_HOTSPOT || pattern == FATFLY_DIAGONAL ||
           pattern == FATFLY_ASYMMETRIC;
}

bool pattern_may_be_of_class(enum fatfly_pattern pattern)
{
    return pattern < FATFLY_PATTERNS && !pattern_is_partial(pattern) && pattern != FATFLY_MESSAGES;
}

uint32_t pattern_dst_of(const struct fatfly_config *c, enum fatfly_pattern pattern, unsigned bits, uint32_t src,
                        struct rng *r)
{
    uint32_t n = c->nodes;
    switch (pattern) {
    case FATFLY_COMPLEMENT:
    case FATFLY_BIT_COMPLEMENT:
        return n - 1 - src;
    case FATFLY_MANY_TO_1:
        return src < n / 2 ? n - 1 : 0;
    case FATFLY_TRANSPOSE:
        return (src >> bits / 2 | src << (bits - bits / 2)) & (n - 1);
    case FATFLY_BIT_REVERSAL:
        return reverse(src, bits);
    case FATFLY_SHUFFLE:
        return (src << 1 | src >> (bits - 1)) & (n - 1);
    case FATFLY_NEIGHBOUR:
        return (src + 1) % n;
    case FATFLY_TORNADO:
        return by_digits(c, src, tornado_step);
    case FATFLY_DIGIT_NEIGHBOUR:
        return by_digits(c, src, neighbour_step);
    case FATFLY_DIAGONAL:
        return rng_below(r, 3) ? src : (src + 1) % n;
    case FATFLY_ASYMMETRIC:
        return src % (n / 2) + (rng_below(r, 2) ? n / 2 : 0);
    case FATFLY_IDENTITY:
        return src;
    case FATFLY_PERMUTATION:
        return c->permutation[src];
    case FATFLY_HOTSPOT:
        /* The hot spot itself has no hot spot: all that it sends is uniform. */
        if (src != c->hotspot_node && rng_next(r) >> 11 < (uint64_t)(c->hotspot * 0x1p53))
            return c->hotspot_node;
        break;
    default:
        break;
    }
    return pattern_uniform(c, src, r);
}

bool pattern_is_partial(enum fatfly_pattern pattern)
{
    return pattern == FATFLY_PACKING || pattern == FATFLY_SPREADING || pattern == FATFLY_MONOTONE;
}

bool pattern_has_table(enum fatfly_pattern pattern)
{
    return pattern_is_partial(pattern) || pattern == FATFLY_RANDOM_PERMUTATION;
}

/* Every order equally likely (Fisher and Yates). */
static uint32_t *permutation(uint32_t n, uint64_t seed)
{
    uint32_t *table = malloc(n * sizeof *table);
    struct rng r = {rng_hash(seed)};

    for (uint32_t a = 0; table && a < n; a++) {
        uint32_t k = rng_below(&r, a + 1);
        table[a] = k < a ? table[k] : a;
        table[k] = a;
    }
    return table;
}

/* The processors that send or receive, in order: `count` of n, every choice equally likely (Knuth,
 * algorithm S), or the first ones. */
static void choose(uint32_t *chosen, uint32_t count, uint32_t n, bool at_random, uint64_t seed)
{
    struct rng r = {rng_hash(seed)};
    for (uint32_t a = 0, k = 0; k < count; a++)
        if (!at_random || rng_below(&r, n - a) < count - k)
            chosen[k++] = a;
}

static uint32_t *in_order(const struct fatfly_config *c)
{
    uint32_t n = c->nodes, count = (uint32_t)(c->density * n + 0.5);
    uint32_t *table = malloc(n * sizeof *table);
    uint32_t *from = malloc(((size_t)count + 1) * sizeof *from);
    uint32_t *to = malloc(((size_t)count + 1) * sizeof *to);

    if (table && from && to) {
        choose(from, count, n, c->pattern != FATFLY_SPREADING, c->seed ^ UINT64_C(0x73656e6473));
        choose(to, count, n, c->pattern != FATFLY_PACKING, c->seed ^ UINT64_C(0x74616b6573));
        for (uint32_t a = 0; a < n; a++)
            table[a] = PATTERN_NOBODY;
        for (uint32_t k = 0; k < count; k++)
            table[from[k]] = to[k];
    } else {
        free(table);
        table = NULL;
    }
    free(from);
    free(to);
    return table;
}

uint32_t *pattern_table(const struct fatfly_config *c)
{
    return pattern_is_partial(c->pattern) ? in_order(c)
                                          : permutation(c->nodes, c->seed ^ UINT64_C(0x7065726d));
}
