/* SPDX-License-Identifier: Apache-2.0
 * flit.h - what travels on a link, and how a head says where it goes.  RTL twin: rtl/flit.vh.
 */
#ifndef FATFLY_FLIT_H
#define FATFLY_FLIT_H

#include <stdint.h>

/* Bit 1: head, bit 0: tail; a worm of one flit is both. */
enum flit_kind { FLIT_BODY = 0, FLIT_TAIL = 1, FLIT_HEAD = 2, FLIT_SINGLE = 3 };

struct flit {
    uint64_t payload; /* FLIT_W bits, zero above */
    uint8_t kind;     /* enum flit_kind */
    uint32_t tag;     /* not on the wire: a simulator's name for the worm; no logic reads it */
};

/* The bits that a payload of flit_w bits, 1 to 64, may have. */
static inline uint64_t flit_mask(unsigned flit_w)
{
    return UINT64_MAX >> (64 - flit_w);
}

/* One direction of a link in one cycle.  The flit is zero while nothing crosses. */
struct link {
    struct flit flit;
    uint16_t valid; /* virtual channel of the flit, one-hot; zero = no flit */
};

enum { SWITCH_PORTS = 6, SWITCH_CHILDREN = 4, MAX_VCS = 4, MAX_DEPTH = 16, MAX_LEVELS = 10 };

/* Bits of the height field: ceil(log2(levels + 1)). */
static inline unsigned head_height_bits(unsigned levels)
{
    return levels < 2 ? 1 : levels < 4 ? 2 : levels < 8 ? 3 : 4;
}

/* Payload of a head: dst 2n | src 2n | height | path n - 1 | free, from bit 0.
 * Bit l - 1 of path names the parent to take at level l (FP). */
static inline uint64_t head_pack(unsigned levels, uint64_t dst, uint64_t src, unsigned height,
                                 uint64_t path)
{
    unsigned h = 4 * levels;
    return dst | src << 2 * levels | (uint64_t)height << h | path << (h + head_height_bits(levels));
}

static inline uint64_t head_dst(unsigned levels, uint64_t head)
{
    return head & ((UINT64_C(1) << 2 * levels) - 1);
}

static inline uint64_t head_src(unsigned levels, uint64_t head)
{
    return head >> 2 * levels & ((UINT64_C(1) << 2 * levels) - 1);
}

static inline unsigned head_height(unsigned levels, uint64_t head)
{
    return (unsigned)(head >> 4 * levels) & ((1u << head_height_bits(levels)) - 1);
}

static inline unsigned head_path_bit(unsigned levels, uint64_t head, unsigned level)
{
    return (unsigned)(head >> (4 * levels + head_height_bits(levels) + level - 1)) & 1;
}

/* Level at which a worm turns: the smallest l >= 1 with src >> 2l = dst >> 2l (spec, section 1). */
static inline unsigned worm_height(uint64_t src, uint64_t dst)
{
    return (63 - (unsigned)__builtin_clzll((src ^ dst) | 1)) / 2 + 1;
}

#endif
