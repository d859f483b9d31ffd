/* SPDX-License-Identifier: Apache-2.0
 * engine.h - the ways to run a configuration, behind one table, and the one run around them.
 *
 * A run takes worms from the calendar, tells measure.h, skips cycles in which nothing can happen, and
 * decides when it is over.  An engine moves flits: it is a file with a struct engine and a line in
 * run.c.  Its own state begins with the struct run that its functions are given.
 */
#ifndef FATFLY_ENGINE_H
#define FATFLY_ENGINE_H

#include "calendar.h"
#include "measure.h"
#include "replies.h"
#include "topology.h"
#include "traffic.h"

struct engine;
struct run;

/* What can be read of an engine's state between two cycles, as fatfly.h says of the functions of
 * these names; worms() fills one for each that is under way. */
struct engine_view {
    void (*queue)(const struct run *r, uint32_t link, unsigned channel, struct fatfly_queue *q);
    bool (*worms)(const struct run *r, struct fatfly_worm_state *w);
    uint32_t (*registers)(const struct run *r, uint32_t node, struct fatfly_register *x, uint32_t room);
};

struct run {
    const struct fatfly_config *config;
    const struct topology *topology;
    const struct engine *engine;
    struct traffic *traffic;
    struct calendar calendar; /* worms to come */
    struct replies replies;   /* and those that answer others */
    struct measure m;
    uint64_t now;             /* first cycle of the coming step */
    uint64_t digest;          /* of the flits delivered */
    uint64_t hops;            /* flits over links */
    unsigned unit;            /* cycles of a step */
    bool fed;                 /* worms come by calendar_add(): whether more will nobody knows */
    bool session;             /* what can be read between two steps is as at the start of cycle now */
    bool arrived;             /* arrive() has been called for that cycle */
    bool stands;              /* nothing moved in the last step, though something waits */
    char *why;                /* [size], of what ends a run badly */
    bool broken;              /* finish() could not add up; why says what was in the way */
    size_t size;
};

enum { RUN_OVER = 1 }; /* of step(): result->end says why; beside the fatfly_status */

struct engine {
    const char *name;
    size_t state; /* bytes; the first are a struct run */
    /* Whether it can run what fatfly_check() allows; of several the first in the table does. */
    bool (*can)(const struct fatfly_config *c, const struct topology *t);
    uint64_t (*memory)(const struct fatfly_config *c, const struct topology *t); /* bytes */
    /* Cycles in which a flit, or a whole packet, crosses a link where nothing stops it; NULL: 1. */
    unsigned (*link_cycles)(const struct fatfly_config *c, const struct topology *t);
    /* Flits, or packets, that cross a link at the same time; NULL: 1. */
    unsigned (*at_once)(const struct fatfly_config *c, const struct topology *t);
    /* A fatfly_status; close() follows either way.  It may set run->unit, which is 1. */
    int (*open)(struct run *r);
    void (*close)(struct run *r); /* leaves the state itself */
    /* What has arrived by the start of a cycle, before new worms; NULL: nothing. */
    int (*arrive)(struct run *r);
    /* A worm is ready. */
    int (*enter)(struct run *r, const struct traffic_worm *w);
    /* Samples what measure_samples() asks for, then moves what moves in cycles now .. now + unit - 1. */
    int (*step)(struct run *r);
    /* What samples find in cycles now .. to - 1, in which nothing moves. */
    void (*sample)(struct run *r, uint64_t to);
    /* Nothing can move before the next worm is ready; NULL: never sure. */
    bool (*idle)(const struct run *r);
    /* The first cycle in which step() would do more than what it may as well do later, UINT64_MAX: none
     * before a worm enters; sample() does for those before it.  NULL: the coming one. */
    uint64_t (*next)(const struct run *r);
    /* Whether some will never move again: FATFLY_OK, FATFLY_DEADLOCK, or FATFLY_BROKEN if it is idle
     * and nobody knows why.  Asked when nothing moves, and every look_steps.  NULL: cannot be. */
    int (*look)(struct run *r, bool idle);
    unsigned look_steps;
    void (*visit)(struct run *r, struct visitor *v); /* NULL: no snapshots */
    const struct engine_view *view;                  /* NULL: its state is not shown */
    /* Adds to the run what it did not count on the way; NULL: nothing. */
    void (*finish)(struct run *r);
    bool knows_all;    /* it must know before the first step which worms will come: a session takes none later */
    bool rests;        /* no step is taken while it is idle: a run without a worm ends in cycle 0 */
    bool own_worms;    /* open() makes them: there is no calendar but a session's */
    bool of_traffic;   /* it cannot move what a session sends, but what the configuration says alone */
    bool to_the_end;   /* it knows some counts only when the run is over: not for sessions, which look in between */
    bool tells;        /* it tells r->m.observer, where there is one, of every move */
    bool asks_between; /* measure_over() is asked about a cycle inside a step between the worms before
                          and after it */
};

extern const struct engine engine_parallel; /* parallel.c: the same cut into parts that work at once */
extern const struct engine engine_fronts_worm; /* fronts_worm.c: worms of one flit over the usual switch */
extern const struct engine engine_single;    /* single.c: the same for worms of one flit */
extern const struct engine engine_worm;      /* worm.c: one virtual channel, worms as bit vectors */
extern const struct engine engine_lanes;     /* lanes.c: the same for several channels that share links */
extern const struct engine engine_cycle;     /* cycle.c: struct network, every switch */
extern const struct engine engine_fronts_split; /* fronts_split.c: SPLIT over the usual switch */
extern const struct engine engine_store;     /* store.c: packets, or flits as packets */
extern const struct engine engine_ranade;    /* ranade.c: packets in order of random ranks */
extern const struct engine engine_times;     /* times.c: worms on channels with fixed shares, event by event */
extern const struct engine engine_channel;   /* channel.c: worms on any topology */
extern const struct engine engine_store_any; /* store_any.c: packets on any topology */
extern const struct engine engine_rounds;    /* rounds.c: the universal algorithms */

/* The engine for a configuration; NULL: none can. */
const struct engine *engine_of(const struct fatfly_config *c, const struct topology *t);
/* The one that tells of moves. */
const struct engine *engine_that_tells(const struct fatfly_config *c, const struct topology *t);
unsigned engine_link_cycles(const struct fatfly_config *c, const struct topology *t);

/* Opens a run of a configuration that has passed fatfly_check(); what it is given must outlive it.
 * link_worms[t->links] must be zero.  A fatfly_status; *run is NULL unless it is FATFLY_OK. */
int run_open(struct run **run, const struct fatfly_config *c, const struct topology *t,
             const struct fatfly_hooks *hooks, uint32_t *link_worms, struct fatfly_result *result,
             char *why, size_t size);
/* The same for a session, which looks on between two cycles; fed: without traffic, worms come by calendar_add(). */
int run_open_session(struct run **run, const struct fatfly_config *c, const struct topology *t, bool fed,
                     uint32_t *link_worms, struct fatfly_result *result, char *why, size_t size);
/* Until it is over; *result is whole if this is FATFLY_OK. */
int run_play(struct run *r);
void run_close(struct run *r);

/* One turn of run_play(), but not beyond `horizon`. */
int run_turn(struct run *r, uint64_t horizon);
/* Cycle of the next worm that is ready without anything's happening before; UINT64_MAX: there is none. */
uint64_t run_next(const struct run *r);
/* Into the result what only the run knows: before measure_finish(). */
void run_finish(struct run *r);
void run_visit(struct run *r, struct visitor *v);

/* A register or wire more of a view's list. */
static inline void view_add(struct fatfly_register *x, uint32_t room, uint32_t *count, struct fatfly_register is)
{
    if (*count < room)
        x[*count] = is;
    ++*count;
}

/* A step, and the cycles after it in which nothing happens, but not beyond `horizon`: a
 * fatfly_status, or RUN_OVER. */
int run_step(struct run *r, uint64_t horizon);

/* Tells who looks on of a move; call it if run->m.observer is there. */
void run_tell(const struct run *r, const struct fatfly_move *m);

/* Takes the worms that are ready into the engine: a fatfly_status, or RUN_OVER. */
int run_take(struct run *r);

/* Says that worms are left that nothing moves: an internal check failed. */
int run_lost(struct run *r);

/* Multiples of 64 in now .. to - 1 that are measured. */
uint64_t run_ticks(const struct run *r, uint64_t to);

/* Who waits for whom for ever: items[count] wait.  blocker() names the item that one of them waits
 * for, or NONE if what it waits for will come; alive[] has those that will move some day, and is
 * filled.  say() writes one link of the circle, " worm 3 waits for .., held by".  FATFLY_OK, or
 * FATFLY_DEADLOCK with run->why. */
struct circle {
    const uint32_t *items;
    uint32_t count;
    uint8_t *alive;
    uint32_t (*blocker)(const struct run *r, uint32_t item, const uint8_t *alive);
    size_t (*say)(const struct run *r, uint32_t item, const uint8_t *alive, char *text, size_t size);
    /* The same for hooks.waits; cycle and holder are filled in for it. */
    void (*wait)(const struct run *r, uint32_t item, const uint8_t *alive, struct fatfly_wait *w);
    size_t longest;          /* text of one link */
    const char *noun;        /* "worm" */
    uint32_t (*number)(const struct run *r, uint32_t item);
};
int circle_look(struct run *r, const struct circle *c);

#endif
