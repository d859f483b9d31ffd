/* SPDX-License-Identifier: Apache-2.0
 * route.h - where a head may go from a switch of one level.  RTL twin: rtl/route.v.
 */
#ifndef FATFLY_ROUTE_H
#define FATFLY_ROUTE_H

#include "flit.h"
#include "params.h"

#include <stdbool.h>

/* Outputs that will do for this head, a bit each: children 0..3, parents 4, 5.  parent_port: the
 * input is a parent, its worms only go down.  rand: this input's random bit of the cycle (RP). */
static inline uint8_t route_head(const struct switch_params *p, uint64_t head, bool parent_port,
                                 unsigned rand)
{
    unsigned level = p->level;
    if (level == p->levels || parent_port || head_height(p->levels, head) <= level)
        return (uint8_t)(1u << (head >> 2 * (level - 1) & 3));
    switch (p->path) {
    case PATH_FP:
        return (uint8_t)(16u << head_path_bit(p->levels, head, level));
    case PATH_RP:
        return (uint8_t)(16u << rand);
    default:
        return 0x30;
    }
}

#endif
