/* SPDX-License-Identifier: Apache-2.0
 * pattern.h - where a processor's worm goes (spec, section 6; GO III.B.3).
 */
#ifndef FATFLY_PATTERN_H
#define FATFLY_PATTERN_H

#include "fatfly.h"
#include "rng.h"

/* Bits of an address: log2 N, rounded up. */
unsigned pattern_bits(uint32_t nodes);

/* Whether the pattern permutes address bits, so that N must be a power of two. */
bool pattern_needs_bits(enum fatfly_pattern pattern);

/* Whether a processor may draw itself and another one the next time. */
bool pattern_may_stay(enum fatfly_pattern pattern);

/* Whether one class of several may have it: all processors send, and it is no list of messages. */
bool pattern_may_be_of_class(enum fatfly_pattern pattern);

/* Destination by a pattern, which need not be c's own, of a worm of processor src of c->nodes with that many
 * bits; may be src itself (fixed points of a permutation; RANDOM and HOTSPOT if c->self_traffic).  Not for
 * MESSAGES, MATRIX and those with a pattern_table(). */
uint32_t pattern_dst_of(const struct fatfly_config *c, enum fatfly_pattern pattern, unsigned bits, uint32_t src,
                        struct rng *r);

/* Of RANDOM: any processor, or any other one. */
static inline uint32_t pattern_uniform(const struct fatfly_config *c, uint32_t src, struct rng *r)
{
    if (c->self_traffic)
        return rng_below(r, c->nodes);
    uint32_t d = rng_below(r, c->nodes - 1);
    return d + (d >= src); /* no branch: half of them cannot be foreseen */
}

/* The same as pattern_dst_of() by c's own. */
static inline uint32_t pattern_dst(const struct fatfly_config *c, unsigned bits, uint32_t src, struct rng *r)
{
    return pattern_dst_of(c, c->pattern, bits, src, r);
}

enum { PATTERN_NOBODY = UINT32_MAX };

/* Whether some processors send nothing. */
bool pattern_is_partial(enum fatfly_pattern pattern);

/* Whether pattern_table() says who sends where, and not pattern_dst(). */
bool pattern_has_table(enum fatfly_pattern pattern);

/* [c->nodes], the destination of each processor or PATTERN_NOBODY.  To be freed; NULL if memory is
 * short. */
uint32_t *pattern_table(const struct fatfly_config *c);

#endif
