/* SPDX-License-Identifier: Apache-2.0
 * heads.h - the order in which a switch looks at heads that compete, for the fast engines; what scan.c finds
 * in its registers is worked out here of the heads alone.  asks has a bit for each port whose head asks; of
 * the others nothing is read.  ahead[i] gets a bit for each port that comes before port i.
 */
#ifndef FATFLY_HEADS_H
#define FATFLY_HEADS_H

#include "fatfly.h"
#include "scan.h"

/* Whether this order is known of a configuration's scan: a new one runs in the engine `cycle` at first. */
static inline bool heads_know(const struct fatfly_config *c)
{
    return c->scan <= FATFLY_FCFS;
}

/* Start port of RR and FF: drawn from the last cycle's upper byte, which is now bits 15:8. */
static inline unsigned heads_start(uint64_t cycle, uint32_t bits, unsigned ports)
{
    return cycle ? (bits >> 8 & 255) * ports >> 8 : 0;
}

/* FCFS: of two the one that has been at the front longer, of two from one cycle the lower port.  front[]:
 * cycle from which each has been there. */
static inline void heads_by_age(unsigned asks, const uint64_t front[SWITCH_PORTS], uint8_t ahead[SWITCH_PORTS])
{
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        ahead[i] = 0;
    for (unsigned rest = asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        for (unsigned others = rest & (rest - 1); others; others &= others - 1) {
            unsigned j = (unsigned)__builtin_ctz(others);
            if (front[i] <= front[j])
                ahead[j] |= (uint8_t)(1u << i);
            else
                ahead[i] |= (uint8_t)(1u << j);
        }
    }
}

/* FF: greater height first, then from the start port.  links[]: of each head's path, twice its height. */
static inline void heads_by_height(unsigned asks, const uint8_t links[SWITCH_PORTS], unsigned start,
                                   uint8_t ahead[SWITCH_PORTS])
{
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        ahead[i] = 0;
    for (unsigned rest = asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        for (unsigned others = asks; others; others &= others - 1) {
            unsigned j = (unsigned)__builtin_ctz(others);
            if (links[j] > links[i] || (links[j] == links[i] && (scan_from[start][i] >> j & 1)))
                ahead[i] |= (uint8_t)(1u << j);
        }
    }
}

#endif
