/* SPDX-License-Identifier: Apache-2.0
 * measure.h - what all engines count in the same way: latencies, levels, warm-up, saturation, and
 * when a run is over.
 *
 * An engine calls measure_generated() when a worm's ready cycle has come, measure_hop() when a head
 * crosses a link, measure_tail() when a tail does, measure_delivered() when a worm has arrived, and
 * measure_over() at cycle m->check.  What is left to the engine: result->digest, flit_hops, and,
 * where measure_samples() says so, samples, occupied[] and the levels' occupancy.
 */
#ifndef FATFLY_MEASURE_H
#define FATFLY_MEASURE_H

#include "fatfly.h"
#include "topology.h"
#include "traffic.h"

/* Butterfly fat-tree: worms over the links from processors and to them. */
struct measure_ends {
    uint64_t into, out;
};

struct measure {
    const struct fatfly_config *config;
    /* Told of every worm that has arrived; NULL: nobody.  head, tail: cycles, tail the last one. */
    void (*arrived)(void *context, const struct traffic_worm *w, uint64_t injected, uint64_t head,
                    uint64_t tail, unsigned links);
    void *context;
    /* The same for the run, which may answer; NULL. */
    void (*delivery)(void *run, const struct traffic_worm *w, uint64_t tail);
    void *run;
    const struct fatfly_hooks *hooks; /* or NULL */
    const struct fatfly_observer *observer; /* of hooks */
    struct fatfly_result *result;
    uint32_t *link_worms;             /* [links], worms over each link */
    const struct topology *topology;
    uint64_t from, to;                /* measured cycles; from is UINT64_MAX during the warm-up */
    uint64_t check;                   /* next cycle in which measure_over() must be asked */
    uint64_t generated, delivered;    /* worms, whole run */
    uint64_t backlog;                 /* worms under way when the measurement began */
    uint64_t generated_in;            /* worms generated in the measured cycles */
    uint64_t pending;                 /* ... that have not arrived */
    /* warm-up detection: latencies of worms delivered in each eighth of [span / 2, span) */
    uint64_t span;
    uint64_t eighth_sum[8], eighth_count[8];
    uint64_t decide;                  /* open loop: next cycle in which something is decided */
    uint64_t poll;                    /* next cycle of the caller's poll */
    uint64_t step;                    /* cycles in which a flit that nothing stops crosses a link;
                                         STORE, UNIV: a packet */
    uint64_t hop;                     /* cycles behind that until it can go on: links and routers */
    uint64_t head;                    /* cycles of a head at the front of each queue before it asks */
    uint64_t last;                    /* cycles of a tail that measure_delivered() does not name: it
                                         names the first of a step, not the last */
    uint32_t *leave, *enter;          /* static: worms over the tree's channels (cuts.h) */
    struct measure_ends elsewhere;    /* of a run that processes share: what the others counted */
    bool open;
    bool closed;                      /* open loop: the measured cycles are over */
    bool overrun;                     /* the backlog is hopeless: saturated, whatever comes */
    bool all_generated;               /* static: traffic has no more */
};

/* step: as in struct measure.  link_worms[t->links] must be zero.  Zeroes *result.  False if memory
 * is short. */
bool measure_start(struct measure *m, const struct topology *t, unsigned step,
                   const struct fatfly_config *c, const struct fatfly_hooks *h,
                   struct fatfly_result *result, uint32_t *link_worms);
void measure_free(struct measure *m); /* if it never comes to measure_finish() */
void measure_visit(struct measure *m, struct visitor *v);
/* Bytes that measure_start() takes. */
uint64_t measure_memory(const struct topology *t, const struct fatfly_config *c);

/* An open loop is over early if more worms than this are under way, for each processor, and more than twice those that
 * only travel; ... */
static inline uint64_t measure_overrun(uint32_t nodes)
{
    return nodes <= UINT32_C(1) << 16 ? 64 : (UINT32_C(1) << 22) / nodes;
}

/* ... but first the accepted load is measured while at most so many more arrive. */
static inline uint64_t measure_overrun_more(uint32_t nodes)
{
    uint32_t worms = (UINT32_C(1) << 18) / nodes;
    return worms > 1024 ? 1024 : worms < 16 ? 16 : worms;
}

/* Worms that can be in a run at once, for estimates of memory. */
uint64_t measure_worms(const struct topology *t, const struct fatfly_config *c);

/* True when the run is over at the start of this cycle, before its worms are generated;
 * result->end says why.  Sets m->check to the next cycle in which to ask; asking earlier does no
 * harm.  Static runs: also ask when the last worm has arrived. */
bool measure_over(struct measure *m, uint64_t cycle);

/* Fills what is known only at the end.  cycle: cycles simulated. */
void measure_sum(struct measure *m, uint64_t cycle);
/* And frees what measure_start() took. */
void measure_finish(struct measure *m, uint64_t cycle);

/* After measure_finish() and what the engine adds: false if something does not add up, and what in
 * why[size].  Whatever crossed a link is counted there, and where it came from and went to: ends has the worms over
 * the outer links. */
bool measure_check_ends(const struct topology *t, const struct fatfly_config *c, const struct fatfly_result *r,
                        const struct measure_ends *ends, char *why, size_t size);
struct measure_ends measure_ends(const struct topology *t, const uint32_t *link_worms);

static inline bool measure_window(const struct measure *m, uint64_t cycle)
{
    return cycle >= m->from && cycle < m->to;
}

static inline bool measure_samples(const struct measure *m, uint64_t cycle)
{
    return (cycle & 63) == 0 && measure_window(m, cycle);
}

static inline struct fatfly_level *measure_level(struct measure *m, bool up, unsigned level)
{
    return up ? &m->result->up[level] : &m->result->down[level];
}

void measure_generated(struct measure *m, const struct traffic_worm *w);

/* A head crosses link k (topology_number()) of that level after standing at the front for waited cycles. */
static inline void measure_hop_on(struct measure *m, uint64_t cycle, uint32_t k, struct fatfly_level *level,
                                  uint64_t waited)
{
    m->link_worms[k]++;
    if (measure_window(m, cycle)) {
        level->worms++;
        level->waited += waited;
    }
}

/* The same of a level by its number. */
static inline void measure_hop(struct measure *m, uint64_t cycle, uint32_t k, bool up,
                               unsigned level, uint64_t waited)
{
    measure_hop_on(m, cycle, k, measure_level(m, up, level), waited);
}

/* The last of length flits has crossed a link of that level: all of them are counted now. */
static inline void measure_tail_on(const struct measure *m, uint64_t cycle, struct fatfly_level *level, uint32_t length)
{
    if (measure_window(m, cycle))
        level->flits += length;
}

/* The same of a level by its number. */
static inline void measure_tail(struct measure *m, uint64_t cycle, bool up, unsigned level,
                                uint32_t length)
{
    measure_tail_on(m, cycle, measure_level(m, up, level), length);
}

/* `worms` heads cross links of that level in a cycle, after `waited` cycles at the front together, and `flits` flits
 * of worms whose tails do; what m->link_worms[] counts is left to the engine. */
static inline void measure_moves(struct measure *m, uint64_t cycle, bool up, unsigned level, uint64_t worms,
                                 uint64_t waited, uint64_t flits)
{
    if (measure_window(m, cycle)) {
        struct fatfly_level *l = measure_level(m, up, level);
        l->worms += worms;
        l->waited += waited;
        l->flits += flits;
    }
}

/* Whether a run that ended with worms under way has measured all its cycles, so that the flits of theirs
 * that have crossed links count, too. */
static inline bool measure_unfinished(const struct measure *m, uint64_t cycle)
{
    return m->result->end != FATFLY_DONE && m->from == 0 && cycle <= m->to;
}

/* Such a worm: `flits` of its flits have crossed a link of that level, the tail has not. */
static inline void measure_under_way(struct measure *m, bool up, unsigned level, uint64_t flits)
{
    measure_level(m, up, level)->flits += flits;
}

/* Flits of a worm, under SPLIT with the addresses that each of them carries (GO III.B.3). */
static inline uint32_t measure_flits(const struct fatfly_config *c, uint32_t length)
{
    if (c->discipline != FATFLY_SPLIT)
        return length;
    double flits = length * (1 + c->overhead) * (1 - 0x1p-50); /* 100 * 1.1 is a whole number */
    uint32_t whole = (uint32_t)flits;
    return whole + (whole < flits);
}

/* Worm w's head crossed the injection link at `injected` and the ejection link at `head`, its tail
 * at `tail`, over `links` links.  For packets head = tail.  All its flits count as accepted in the
 * cycle of the tail. */
void measure_delivered(struct measure *m, const struct traffic_worm *w, uint64_t injected,
                       uint64_t head, uint64_t tail, unsigned links);

#endif
