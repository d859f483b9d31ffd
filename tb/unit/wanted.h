/* SPDX-License-Identifier: Apache-2.0
 * wanted.h - where patterns send worms, by their definitions (spec, section 6), not by shifts as pattern.c has them.
 */
#ifndef FATFLY_WANTED_H
#define FATFLY_WANTED_H

#include "fat_tree.h"
#include "fatfly.h"

static inline uint32_t wanted(enum fatfly_pattern pattern, uint32_t a, unsigned levels)
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

#endif
