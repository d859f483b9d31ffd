/* SPDX-License-Identifier: Apache-2.0
 * hops.h - what the engines share that decide for every flit in every switch of a butterfly fat-tree (single.c,
 * store.c, fronts.h): the state of a queue in one word, sets of switches, the greedy choice of who crosses, and counts that
 * are kept for a level and cycle before they are added up.
 */
#ifndef FATFLY_HOPS_H
#define FATFLY_HOPS_H

#include "arbiter.h"
#include "engine.h"
#include "place.h"

#define INLINE static inline __attribute__((always_inline))

/* The queue at a port of a switch, in 16 bits: a store of 8 bits could change whatever the compiler has in a
 * register. */
enum {
    PARENTS = 0x30,
    FIRST = 15,                  /* slot of the front; */
    COUNT_SHIFT = 4, COUNT = 31, /* flits or packets in it; */
    WANT_SHIFT = 9               /* outputs that the front may take at all */
};
_Static_assert((FIRST & (FIRST + 1)) == 0 && MAX_DEPTH - 1 <= FIRST && FIRST < 1 << COUNT_SHIFT,
               "any slot of the longest queue, below the count");
_Static_assert((COUNT & (COUNT + 1)) == 0 && MAX_DEPTH + 0 <= COUNT + 0 && COUNT << COUNT_SHIFT < 1 << WANT_SHIFT,
               "as many as the longest queue holds, below the outputs");
_Static_assert(WANT_SHIFT + SWITCH_PORTS <= 16 && PARENTS == (1 << SWITCH_PORTS) - (1 << SWITCH_CHILDREN),
               "a bit for every output, in 16");

INLINE unsigned count_of(unsigned queue)
{
    return queue >> COUNT_SHIFT & COUNT;
}

/* log2 of the slots of a queue. */
static inline unsigned shift_of(unsigned depth)
{
    unsigned shift = 0;
    while (1u << shift < depth)
        shift++;
    return shift;
}

static inline void set(uint64_t *bits, uint32_t k)
{
    bits[k >> 6] |= UINT64_C(1) << (k & 63);
}

/* Words that hold so many bits, and one more. */
static inline size_t words(uint32_t bits)
{
    return (bits >> 6) + 1;
}

/* Those of bits first .. last, the switches of a level, that are in word w of theirs. */
INLINE uint64_t level_word(const uint64_t *bits, uint32_t w, uint32_t first, uint32_t last)
{
    uint64_t rest = bits[w];
    if (w == first >> 6)
        rest &= UINT64_MAX << (first & 63);
    if (w == last >> 6)
        rest &= UINT64_MAX >> (63 - (last & 63));
    return rest;
}

/* What the fronts of a switch ask for. */
struct asks {
    uint64_t req;       /* byte i: outputs of port i */
    unsigned ports;     /* that ask */
    unsigned outputs;   /* that are asked for */
    unsigned contended; /* ... twice, or by one that would take either parent */
};

INLINE void ask(struct asks *a, unsigned i, unsigned want)
{
    a->req |= (uint64_t)want << 8 * i;
    a->ports |= (unsigned)(want != 0) << i;
    a->contended |= (a->outputs & want) | (want & (want - 1));
    a->outputs |= want;
}

/* Rows of the arbiter, as the bytes of req, and back. */
static inline void rows_of(uint64_t req, uint8_t row[SWITCH_PORTS])
{
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        row[i] = req >> 8 * i & 0x3f;
}

static inline uint64_t bytes_of(const uint8_t row[SWITCH_PORTS])
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        bytes |= (uint64_t)row[i] << 8 * i;
    return bytes;
}

/* Ports of asks that cross where each wants one output, in byte i of req: of each output's the first from the start
 * port on. */
static inline unsigned choose(uint64_t req, unsigned asks, unsigned start)
{
    unsigned taken = 0, granted = 0;
    for (unsigned rest = (asks | asks << SWITCH_PORTS) & 0x3fu << start; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        i -= i < SWITCH_PORTS ? 0 : SWITCH_PORTS;
        unsigned want = req >> 8 * i & 0x3f;
        granted |= (unsigned)!(taken & want) << i;
        taken |= want;
    }
    return granted;
}

/* Moves over the links of one level in this cycle, one way. */
struct tally {
    uint64_t moves, flits;
    uint64_t waited; /* cycles, or steps of `unit`, at the front */
};

/* Counts them, and they begin anew. */
static inline void tally_up(struct tally *t, struct run *r, bool up, unsigned level)
{
    if (t->moves == 0)
        return;
    measure_moves(&r->m, r->now, up, level, t->moves, t->waited * r->unit, t->flits);
    r->hops += t->flits;
    *t = (struct tally){0};
}

/* Queues of a sample: by level and way, and by what they hold. */
struct held {
    uint64_t level[2][FATFLY_LARGEST_LEVELS + 1];
    uint64_t holding[MAX_DEPTH + 1];
};

/* So many samples of them. */
static inline void held_count(const struct held *h, struct run *r, unsigned levels, uint64_t times)
{
    for (unsigned up = 0; up < 2; up++)
        for (unsigned l = 0; l < levels; l++)
            measure_level(&r->m, up, l)->occupancy += times * h->level[up][l] * r->unit;
    for (unsigned k = 0; k <= r->config->depth; k++)
        r->m.result->occupied[k] += times * h->holding[k];
    r->m.result->samples += times;
}

#endif
