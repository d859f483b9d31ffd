/* SPDX-License-Identifier: Apache-2.0
 * worm_state.h - what the files of the fast engine for one virtual channel share: worm.c moves worms,
 * stream.c lets those sleep that nothing can stop, worm_count.c counts those under way.
 */
#ifndef FATFLY_WORM_STATE_H
#define FATFLY_WORM_STATE_H

#include "engine.h"

#include "arbiter.h"
#include "jumps.h"
#include "list.h"
#include "pool.h"
#include "trail.h"

enum { NONE = POOL_NONE };

/* What a step looks at of a worm: a line of the cache.  The rest of it is in struct passenger (trail.h). */
struct worm {
    uint32_t plane[WORM_PLANES]; /* own flits in queue p, which is at the far end of link p (trail.h) */
    uint32_t sent;   /* flits that have left the source */
    uint32_t got;    /* flits that have arrived */
    uint32_t length;
    uint32_t dst;
    uint32_t next;   /* worm behind it in its source, or among the unused */
    uint32_t behind; /* worm whose head waits next in the queue where this one's waits, of the last the first;
                        asleep: next in its spoke */
    uint32_t inside; /* place in state.inside */
    uint64_t front;  /* cycle from which the head has been at the front of its queue; asleep: of the
                        next flit that is to arrive */
    uint8_t head;    /* link that the head crosses next; links: it has arrived */
    uint8_t tail;    /* link that the tail crosses next */
    uint8_t links;   /* of the whole path, 2 * height */
    bool listed;     /* among the active */
    bool granted;    /* the head crosses in this cycle */
    bool shared;     /* flits of an earlier worm are ahead in the queue of its head */
    bool asleep;     /* in the wheel */
};
_Static_assert(sizeof(struct worm) == 64, "a line of the cache");

/* A switch, the queues at its ports and the links that lead to them: two lines of the cache. */
struct node {
    uint32_t lfsr_q;
    uint8_t open;    /* outputs that a head could take: no worm holds them, and there is room */
    uint8_t heads;   /* ports with a head at the front */
    bool awake;      /* among the awake */
    uint8_t ports;
    uint64_t time;   /* cycle of lfsr_q */
    uint32_t who[SWITCH_PORTS];
    uint8_t want[SWITCH_PORTS]; /* outputs that will do for this head */
    uint8_t drawn[SWITCH_PORTS]; /* RW: the one of them that it wants from its second cycle on */
    bool busy[SWITCH_PORTS];     /* a worm is crossing the link that leads there */
    uint8_t whole[SWITCH_PORTS]; /* flits in the queue of worms whose tail is there or beyond */
    uint32_t last[SWITCH_PORTS]; /* of the worms whose heads are in the queue behind flits of another */
    uint32_t to[SWITCH_PORTS];   /* where the link leads that leaves by a port; as links come in pairs, that is
                                    also the output that the link to that port leaves */
    uint8_t rot[SWITCH_PORTS];
    uint8_t spare[10];
};
_Static_assert(sizeof(struct node) == 128, "two lines of the cache");

struct source {
    uint32_t first, last; /* worms that wait or are leaving */
    bool listed;
    bool sending;         /* first has begun to leave */
    uint64_t front;       /* cycle from which first could leave but for room */
};

enum { SPOKES = 256, SHORTEST_SLEEP = 3 };

/* Worms that sleep, by the cycle in which they wake. */
struct wheel {
    uint32_t first[SPOKES];       /* of a list; worms that wake in cycles that are this modulo SPOKES */
    uint64_t busy[SPOKES / 64];   /* spokes with worms, a bit each */
    uint32_t count;               /* worms */
};

struct state {
    struct run run;
    struct switch_params params;
    uint64_t mask;     /* of a payload */
    uint32_t switches;
    uint32_t nodes;
    bool random;
    struct node *node;
    struct source *source;
    struct worm *worm;
    struct passenger *passenger;
    struct pool pool;  /* of worm[] and passenger[] */
    struct list active, awake, ready, tails, heads, inside;
    uint32_t finished; /* worms among the active that have arrived: advance() finds nothing that moves, and gives them back */
    bool large;        /* a cycle's data is in no cache (worm_fetch.h) */
    bool larger;       /* nor are the counters */
    uint32_t counted;  /* worms of inside[], the first ones, that are in tally[], held[] and filled[] */
    uint8_t *tally;    /* [8 * switches], flits in queues */
    uint64_t held[2][WORM_LINKS];   /* by direction and level */
    uint64_t filled[MAX_DEPTH + 1]; /* queues with so many, less those that there are */
    struct jumps jumps;
    struct wheel wheel;
};

/* All flits of a worm that are inside, the head arrived, move in every cycle: what is in its queues stays
 * as it is, and nothing of anybody else's can stop it until its last flit leaves the source. */
static inline bool worm_streams(const struct worm *w, uint32_t moves)
{
    return moves == (UINT32_C(2) << (w->links - 1u)) - 1 && w->length - w->sent > SHORTEST_SLEEP + 1u;
}

static inline unsigned own_flits(const struct state *e, const struct worm *w, unsigned p)
{
    return trail_flits(w->plane, p, e->params.depth > 3 ? WORM_PLANES : 2);
}

/* -- worm_count.c ----------------------------------------------------------------------------- */

/* Worm k may move and counts in tally[] no more. */
void worm_uncount(struct state *e, uint32_t k);
/* Flits in every queue at the start of this cycle. */
void worm_sample(struct state *e);
uint64_t worm_queues(const struct state *e);
/* Hops of the flits that are still under way. */
uint64_t worm_hops_inside(const struct state *e);
/* Links of worms under way that their heads have crossed and their tails have not. */
void worm_count_inside(struct state *e);

/* -- stream.c --------------------------------------------------------------------------------- */

void stream_open(struct wheel *h);
/* Worm k, which streams and has moved in this cycle, sleeps: for some cycles its flits arrive by themselves. */
void stream_sleep(struct state *e, uint32_t k);
/* Those whose time has come are active again. */
void stream_wake(struct state *e);
/* What has arrived before this cycle of worms that sleep is counted: they may sleep on. */
void stream_count(struct state *e);
/* The first cycle from now on in which a worm wakes; UINT64_MAX: none sleeps. */
uint64_t stream_next(const struct state *e);

#endif

