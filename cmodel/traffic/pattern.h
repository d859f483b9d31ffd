/* SPDX-License-Identifier: Apache-2.0
 * pattern.h - where a processor's worm goes (spec, section 6; GO III.B.3).
 */
#ifndef FATFLY_PATTERN_H
#define FATFLY_PATTERN_H

#include "fatfly.h"
#include "rng.h"

/* Destination of a worm of processor src, N = 4^levels; may be src itself (fixed points of a
 * permutation; RANDOM and HOTSPOT if c->self_traffic).  Not for MESSAGES. */
uint32_t pattern_dst(const struct fatfly_config *c, unsigned levels, uint32_t src, struct rng *r);

#endif
