/* SPDX-License-Identifier: Apache-2.0
 * stimulus.h - the worms that go through a device and the stalls that they meet, in full, before
 * the run: both sides see the same, and a failing run can be shrunk worm by worm.
 */
#ifndef FATFLY_STIMULUS_H
#define FATFLY_STIMULUS_H

#include "config.h"
#include "dut.h"
#include "fail.h"
#include "fatfly.h"
#include "rng.h"

struct worm {
    uint64_t ready;      /* cycle in which its head may first cross into the device */
    uint64_t head;       /* payload of the head */
    uint32_t number;     /* 1 .. , as in waves and --watch; kept when others are shrunk away */
    uint32_t length;     /* flits, head and tail included */
    uint32_t entry;      /* endpoint where it enters */
    uint32_t exit_first; /* endpoints where it may leave: one of the two */
    uint32_t exit_last;
    uint32_t src;        /* processors, as in the head */
    uint32_t dst;
    uint32_t path;       /* FP: bit l - 1 is the parent to take at level l */
    uint16_t barred;     /* a cube's router: channels by which it cannot come in, a bit each */
};

enum { STALL_PHASES = 8 };

struct stimulus {
    struct dut_shape shape;
    struct worm *worm; /* [count], by entry, then by ready */
    size_t count;
    uint64_t flits;    /* of all worms */
    uint64_t last;     /* the latest ready */
    uint64_t seed;     /* of stalls and payloads */
    bool of_engine;    /* heads as libfatfly makes them: their free bits carry the number alone */
    uint32_t switch_seed; /* of the random bits inside the device */
    /* Chance in 256 that an exit channel has no room in a cycle, phase after phase. */
    uint8_t stall[STALL_PHASES];
    uint64_t phase;    /* cycles of a phase; the phases repeat */
    uint64_t reset_every; /* cycles between resets in mid-traffic, on average; 0: none */
};

/* The worms of a configuration.  0, or -1 with f filled. */
int stimulus_make(struct stimulus *s, const struct config *c, struct fail *f);

/* The worms that an engine of libfatfly takes through the network `shape` under c, which has passed
 * fatfly_check() and agrees with shape: numbers, payloads, seed of the switches.  Of an open loop
 * those that are ready before warmup + cycles.  No stalls. */
int stimulus_traffic(struct stimulus *s, const struct dut_shape *shape,
                     const struct fatfly_config *c, struct fail *f);

/* A worm file: CSV `ready,entry,src,dst,length,path` and, as shrinking writes it, `number`, which decides free
 * bits of the head and payloads; without it worms are numbered from 1 on. */
int stimulus_read(struct stimulus *s, const struct config *c, const char *file, struct fail *f);
int stimulus_write(const struct stimulus *s, const char *file, struct fail *f);

/* What follows from each worm's entry, src, dst, length, path and number, and from all of them together: after a change. */
void stimulus_complete(struct stimulus *s);

/* s without the worms whose keep[] is false.  -1 if memory is short. */
int stimulus_subset(struct stimulus *to, const struct stimulus *s, const bool *keep);
void stimulus_free(struct stimulus *s);

/* Payload of flit k of a worm: k = 0 is the head; others tell worm and place apart. */
uint64_t worm_payload(const struct worm *w, uint32_t k, unsigned flit_w);

static inline enum flit_kind worm_kind(const struct worm *w, uint32_t k)
{
    return (enum flit_kind)((k == 0 ? FLIT_HEAD : 0) | (k + 1 == w->length ? FLIT_TAIL : 0));
}

/* Channels by which worm k may enter, a bit each. */
static inline uint16_t stimulus_channels(const struct stimulus *s, size_t k)
{
    return (uint16_t)~s->worm[k].barred;
}

/* room[endpoints]: a bit per channel of each exit that has room in this cycle. */
bool stimulus_stalls(const struct stimulus *s);
void stimulus_room(const struct stimulus *s, uint64_t cycle, unsigned endpoints, uint16_t *room);

/* Whether both sides are reset before this cycle, whatever is inside: what is in flight is lost. */
static inline bool stimulus_resets(const struct stimulus *s, uint64_t cycle)
{
    return s->reset_every && cycle && rng_hash(s->seed + 1 + (cycle << 16)) % s->reset_every == 0;
}

/* Whether entries may keep still in this cycle though they could send.  Only at a single switch, in every
 * other phase: in a network the flits of a worm drift apart by themselves, from a source they would
 * always come without a gap. */
static inline bool stimulus_gaps(const struct stimulus *s, uint64_t cycle)
{
    return !s->shape.network && (cycle / s->phase & 1);
}

/* Whether this one does, in such a cycle: in an eighth of them. */
static inline bool stimulus_gap(const struct stimulus *s, uint64_t cycle, unsigned entry)
{
    return (rng_hash(~s->seed ^ cycle << 20 ^ entry) & 7) == 0;
}

#endif
