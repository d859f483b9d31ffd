/* SPDX-License-Identifier: Apache-2.0
 * trail.h - the flits of one worm in the queues along its path on the butterfly fat-tree, for the engines that keep
 * them as counts (worm.c, lanes.c, parallel.c): bit p of plane[b] is bit b of the count in the queue at the far end of
 * link p, so one cycle of all flits is a handful of logic operations.  planes is a constant where it can be: 2 for
 * queues of up to 3 flits, else WORM_PLANES.
 */
#ifndef FATFLY_TRAIL_H
#define FATFLY_TRAIL_H

#include "flit.h"
#include "params.h"
#include "traffic.h"

enum { WORM_LINKS = 2 * FATFLY_LARGEST_LEVELS, WORM_PLANES = 5, PARENTS = 0x30 };
_Static_assert(2 * FATFLY_LARGEST_LEVELS <= WORM_LINKS && WORM_LINKS < 32,
               "a bit for every link of the longest path, and one more");
_Static_assert(MAX_DEPTH < 1 << WORM_PLANES, "the longest queue full of one worm");

#define TRAIL_INLINE static inline __attribute__((always_inline))

/* Flits in the queue behind link p. */
TRAIL_INLINE unsigned trail_flits(const uint32_t plane[WORM_PLANES], unsigned p, unsigned planes)
{
    unsigned count = (plane[0] >> p & 1) | (plane[1] >> p & 1) << 1;
#pragma GCC unroll 3
    for (unsigned b = 2; b < planes; b++)
        count |= (plane[b] >> p & 1) << b;
    return count;
}

/* Links across which flits of the worm could follow: one waits before the link, and those behind it leave room in
 * their queue.  `next`: a flit is there for the first link. */
TRAIL_INLINE uint32_t trail_ready(const uint32_t plane[WORM_PLANES], uint32_t depth, bool next, unsigned planes)
{
    uint32_t some = 0;
    uint32_t full = ~UINT32_C(0);
    for (unsigned b = 0; b < planes; b++) {
        some |= plane[b];
        full &= plane[b] ^ ((depth >> b & 1) - 1u);
    }
    return ((some << 1) | next) & ~full;
}

/* A flit crosses each link of moves; over the link of `last`, if not 0, it leaves. */
TRAIL_INLINE void trail_move(uint32_t plane[WORM_PLANES], uint32_t moves, uint32_t last, unsigned planes)
{
    uint32_t in = moves & ~last; /* queue p gains a flit */
    uint32_t out = moves >> 1;   /* queue p loses one */
    uint32_t carry = in & ~out;
    uint32_t borrow = out & ~in;
    for (unsigned b = 0; b < planes; b++) {
        uint32_t was = plane[b];
        plane[b] = was ^ (carry | borrow);
        carry &= was;
        borrow &= ~was;
    }
}

/* What a step does not look at, of a worm whose planes lie elsewhere. */
struct passenger {
    struct traffic_worm is;
    uint64_t address; /* payload of the head */
    uint64_t injected;
    uint64_t arrived; /* of the head */
    uint32_t link[WORM_LINKS]; /* numbers of those that its head has been granted */
};

/* Outputs that will do for a head that has crossed `head` of its path's links; route.v, before the draw of a parent.
 * *parents, its path, is read where paths are fixed alone. */
TRAIL_INLINE uint8_t trail_want(uint32_t dst, const uint32_t *parents, unsigned head, unsigned links,
                                enum path_select path)
{
    unsigned half = links / 2, level = head <= half ? head : links - head;
    if (head >= half)
        return (uint8_t)(1u << (dst >> 2 * (level - 1) & 3));
    return (uint8_t)(path == PATH_FP ? 16u << (*parents >> (level - 1) & 1) : PARENTS);
}

#endif
