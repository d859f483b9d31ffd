/* SPDX-License-Identifier: Apache-2.0
 * cube_route.h - where a head may go from a node of a k-ary 2-cube, and by which virtual channels.
 * RTL twin: rtl/cube/cube_route.v, which says why.
 */
#ifndef FATFLY_CUBE_ROUTE_H
#define FATFLY_CUBE_ROUTE_H

#include "scan.h"

#include <stdbool.h>

enum { CUBE_PORTS = 5, CUBE_PROCESSOR = 4, MAX_RADIX = 16, MAX_CUBE_VCS = 9 };

/* Port p of a node leads to and comes from: x + 1, x - 1, y + 1, y - 1, the processor. */
struct cube_params {
    unsigned radix;        /* k, 2 .. 16; k * k processors */
    bool torus;            /* else a mesh: no link joins the ends of a line */
    bool negative_hop;     /* else e-cube */
    unsigned vcs;          /* V, virtual channels of a link: as many as the routing needs .. 9 */
    unsigned depth;        /* q, flits a queue holds: 1 .. 16 */
    unsigned flit_w;       /* payload bits of a flit: 16 .. 64 */
    enum scan_order scan;  /* RR, FO or ROT */
};

/* Where a head may go. */
struct cube_ways {
    uint8_t want;          /* outputs, a bit each: one, or one a dimension */
    uint16_t mask;         /* channels that will do, of whichever output; bits from V on mean nothing */
};

/* Bits of a coordinate in a head: ceil(log2 k). */
static inline unsigned cube_digit_bits(unsigned radix)
{
    return radix > 8 ? 4 : radix > 4 ? 3 : radix > 2 ? 2 : 1;
}

/* A processor x + k * y as a head has it, {y, x}. */
static inline uint64_t cube_address(unsigned radix, uint32_t node)
{
    return node % radix | (uint64_t)(node / radix) << cube_digit_bits(radix);
}

/* Payload of a head, from bit 0: dst, src, free. */
static inline uint64_t cube_head(unsigned radix, uint32_t dst, uint32_t src)
{
    return cube_address(radix, dst) | cube_address(radix, src) << 2 * cube_digit_bits(radix);
}

static inline uint32_t cube_head_dst(unsigned radix, uint64_t head)
{
    unsigned d = cube_digit_bits(radix), mask = (1u << d) - 1;
    return ((unsigned)head & mask) + radix * ((unsigned)(head >> d) & mask);
}

/* port, channel: where the head came in. */
static inline struct cube_ways cube_route(const struct cube_params *p, uint32_t node, uint32_t dst,
                                          unsigned port, unsigned channel)
{
    unsigned k = p->radix, low = (1u << p->vcs / 2) - 1, want = 0, mask = ~0u;
    unsigned x[] = {node % k, node / k}, y[] = {dst % k, dst / k};

    for (unsigned d = 0; d < 2 && (!want || p->negative_hop); d++) {
        if (x[d] == y[d])
            continue;
        unsigned hops = (y[d] + k - x[d]) % k;
        bool less = x[d] + hops >= k; /* y[d] < x[d] */
        bool tie = 2 * hops == k; /* both ways are shortest: up from an even coordinate */
        bool up = !p->torus ? !less : tie ? x[d] % 2 == 0 : hops <= k / 2;
        want |= 1u << (2 * d + !up);
        if (p->torus) /* up == less: over the link between k - 1 and 0 */
            mask = up == less && low ? low : ~low;
    }
    if (!want)
        return (struct cube_ways){1u << CUBE_PROCESSOR, (uint16_t)mask};
    if (p->negative_hop) /* hops from odd to even nodes */
        mask = 1u << (port == CUBE_PROCESSOR ? 0 : channel + !((x[0] ^ x[1]) & 1));
    return (struct cube_ways){(uint8_t)want, (uint16_t)mask};
}

#endif
