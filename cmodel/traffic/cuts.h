/* SPDX-License-Identifier: Apache-2.0
 * cuts.h - worms over the channels of the underlying 4-ary tree, for the load factor (GO III.A).
 *
 * The subtree of 4^l processors, l = 0 .. levels - 1, hangs on a channel of 2^l links in each
 * direction.
 */
#ifndef FATFLY_CUTS_H
#define FATFLY_CUTS_H

#include "fat_tree.h"
#include "flit.h"

/* Counters of one direction: N + N/4 + .. + 4. */
static inline uint32_t cuts_count(unsigned levels)
{
    return (fat_tree_nodes(levels) - 1) / 3 * 4;
}

/* Adds a worm to leave[] and enter[], cuts_count() of each. */
static inline void cuts_add(uint32_t *leave, uint32_t *enter, unsigned levels, uint32_t src,
                            uint32_t dst)
{
    unsigned height = worm_height(src, dst);
    uint32_t base = 0;
    for (unsigned l = 0; l < height; l++) {
        leave[base + (src >> 2 * l)]++;
        enter[base + (dst >> 2 * l)]++;
        base += fat_tree_nodes(levels) >> 2 * l;
    }
}

/* The largest ratio of worms to links in one direction. */
static inline double cuts_factor(const uint32_t *worms, unsigned levels)
{
    double most = 0;
    for (unsigned l = 0; l < levels; l++)
        for (uint32_t a = 0; a < fat_tree_nodes(levels) >> 2 * l; a++, worms++) {
            double ratio = *worms / (double)(UINT32_C(1) << l);
            most = ratio > most ? ratio : most;
        }
    return most;
}

#endif
