/* SPDX-License-Identifier: Apache-2.0
 * worm.h - what the files of the fast engine for one virtual channel share: worm.c moves worms,
 * stream.c lets those sleep that nothing can stop.
 */
#ifndef FATFLY_WORM_H
#define FATFLY_WORM_H

#include "engine.h"

#include "arbiter.h"
#include "jumps.h"
#include "list.h"
#include "pool.h"
#include "trail.h"

enum { NONE = POOL_NONE };

struct worm {
    uint32_t plane[WORM_PLANES]; /* own flits in queue p, which is at the far end of link p (trail.h) */
    uint8_t head;    /* link that the head crosses next; links: it has arrived */
    uint8_t tail;    /* link that the tail crosses next */
    uint8_t links;   /* of the whole path, 2 * height */
    bool listed;     /* among the active */
    bool granted;    /* the head crosses in this cycle */
    bool shared;     /* flits of an earlier worm are ahead in the queue of its head */
    bool asleep;     /* in the wheel */
    uint32_t sent;   /* flits that have left the source */
    uint32_t got;    /* flits that have arrived */
    uint32_t next;   /* worm behind it in its source, or among the unused */
    uint32_t behind; /* worm whose head waits next in the queue where this one's waits; asleep: next
                        in its spoke */
    uint32_t inside; /* place in state.inside */
    uint64_t address;/* payload of the head */
    uint64_t injected;
    uint64_t arrived;/* of the head */
    uint64_t front;  /* cycle from which the head has been at the front of its queue; asleep: of the
                        next flit that is to arrive */
    struct traffic_worm is;
    uint32_t link[WORM_LINKS];
};

/* The queue at the far end of a link, and the link. */
struct queue {
    uint32_t from;  /* 6 * switch + output, or 6 * switches + processor */
    uint32_t first; /* worms whose heads are in the queue behind flits of another, in order */
    uint32_t last;
    uint8_t whole;  /* flits here of worms whose tail is here or beyond */
    bool busy;      /* a worm is crossing the link */
};

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
    uint8_t rot[SWITCH_PORTS];
};

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
    uint32_t *to;      /* fat_tree_wire() */
    struct queue *queue;
    struct node *node;
    struct source *source;
    struct worm *worm;
    struct pool pool;  /* of worm[] */
    struct list active, awake, ready, tails, heads, inside;
    uint8_t *tally;    /* [links], for samples */
    struct jumps jumps;
    struct wheel wheel;
};

/* All flits of a worm that are inside, the head arrived, move in every cycle: what is in its queues stays
 * as it is, and nothing of anybody else's can stop it until its last flit leaves the source. */
static inline bool worm_streams(const struct worm *w, uint32_t moves)
{
    return moves == (UINT32_C(2) << (w->links - 1u)) - 1 && w->is.length - w->sent > SHORTEST_SLEEP + 1u;
}

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

