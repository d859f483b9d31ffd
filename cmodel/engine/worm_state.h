/* SPDX-License-Identifier: Apache-2.0
 * worm_state.h - what the files of the fast engine for one virtual channel share: worm.c moves worms,
 * worm_open.c has the memory and the wires, stream.c lets those sleep that nothing can stop, worm_count.c
 * counts those under way.
 *
 * A state may have a whole network, or a part of one that others share (parallel.h).  A link between two
 * parts is cut: a worm that crosses it is a record in each of them, the near one's ends there, the far
 * one's begins.  Where a part's own links lead to others there is a struct gate; a whole network has none.
 */
#ifndef FATFLY_WORM_STATE_H
#define FATFLY_WORM_STATE_H

#include "engine.h"

#include "arbiter.h"
#include "jumps.h"
#include "list.h"
#include "place.h"
#include "pool.h"
#include "trail.h"

enum { NONE = POOL_NONE };

/* What a step looks at of a worm: a line of the cache.  The rest of it is in struct passenger (trail.h). */
struct worm {
    uint32_t plane[WORM_PLANES]; /* own flits in queue p, which is at the far end of link p (trail.h) */
    uint32_t sent;   /* flits that have left the source, or have come by a gate */
    uint32_t got;    /* flits that have arrived, or have left by a gate */
    uint32_t length;
    uint32_t dst;    /* leaves by a gate: that gate */
    uint32_t next;   /* worm behind it in its source, or among the unused; came by a gate: that gate */
    uint32_t behind; /* worm whose head waits next in the queue where this one's waits, of the last the first;
                        asleep: next in its spoke */
    uint32_t inside; /* place in state.inside */
    uint64_t front;  /* cycle from which the head has been at the front of its queue; asleep: of the
                        next flit that is to arrive or leave; will_sleep: in which it wakes */
    uint8_t head;    /* link that the head crosses next; end: it has arrived, or left */
    uint8_t tail;    /* link that the tail crosses next */
    uint8_t links;   /* of the whole path, 2 * height */
    uint8_t end;     /* links up to where it arrives, or leaves by a gate */
    uint8_t first;   /* link by which it came from another part; 0: it began here */
    bool listed;     /* among the active */
    bool granted;    /* the head crosses in this cycle */
    bool shared : 1; /* flits of an earlier worm are ahead in the queue of its head */
    bool asleep : 1; /* in the wheel */
    bool flows : 1;  /* came by a gate and has arrived: all flits here moved in its last cycle */
    bool will_sleep : 1; /* flows, and so does what is left of it in the part before: both sleep after the next cycle */
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
                                    also the output that the link to that port leaves; GATE | gate */
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

enum { GATE = 1 << 30 }; /* of places that are none */
_Static_assert(((uint64_t)PLACES / 2 + 1) << 2 * FATFLY_LARGEST_LEVELS <= GATE,
               "no place of the largest network, nor of a processor behind them, is a gate's");

/* A port whose two links are cut. */
struct gate {
    uint32_t at;     /* place of the port */
    uint32_t link;   /* where the link leads that leaves by it */
    uint32_t part;   /* which that is in */
    uint32_t holder; /* worm that leaves by it, if busy */
    uint32_t comer;  /* worm that comes by it */
    uint8_t room;    /* in the queue at `link` */
    bool busy;
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
    uint64_t queues;   /* that it has: worm_sample() is about them */
    unsigned part, parts;
    struct gate *gate; /* NULL: none */
    uint32_t gates;
    struct jumps jumps;
    struct wheel wheel;
};

/* All flits of a worm that are inside, the head arrived, move in every cycle: what is in its queues stays
 * as it is, and nothing of anybody else's can stop it until its last flit leaves the source.  Not of one
 * that leaves by a gate. */
static inline bool worm_streams(const struct worm *w, uint32_t moves)
{
    return moves == (UINT32_C(2) << (w->end - 1u)) - 1 && w->length - w->sent > SHORTEST_SLEEP + 1u;
}

/* It goes on in another part. */
static inline bool worm_leaves(const struct worm *w)
{
    return w->end < w->links;
}

static inline unsigned own_flits(const struct state *e, const struct worm *w, unsigned p)
{
    return trail_flits(w->plane, p, e->params.depth > 3 ? WORM_PLANES : 2);
}

/* Worm k is in the network. */
static inline void worm_inside(struct state *e, uint32_t k)
{
    e->worm[k].inside = e->inside.count;
    append(&e->inside, k);
}

/* -- worm_open.c ------------------------------------------------------------------------------ */

/* Part `part` of `parts` of a network, with the switches' and the processors' records that it owns, k of
 * every level's: e->run is there, e->node, e->source and e->tally are of the whole network and zero.
 * A fatfly_status; worm_close() follows either way, and leaves those three. */
int worm_open(struct state *e, unsigned part, unsigned parts);
void worm_close(struct state *e);
/* Bytes of one of so many parts. */
uint64_t worm_memory(const struct fatfly_config *c, const struct topology *t, unsigned parts);
/* A record for a worm; NONE: memory is short. */
uint32_t worm_take(struct state *e);

/* -- worm.c ----------------------------------------------------------------------------------- */

/* Worm k may move. */
void worm_activate(struct state *e, uint32_t k);
/* No worm holds the link that leaves from there, and there is room behind it: heads may ask again. */
void worm_reopen(struct state *e, uint32_t from);
/* The head of worm k has entered a queue. */
void worm_head_enters(struct state *e, uint32_t k);

/* -- parallel_letters.c ----------------------------------------------------------------------- */

/* A flit of worm k leaves by its gate in this cycle; flows: it has moved all along, from its source. */
void gate_flit(struct state *e, uint32_t k, bool flows);
/* A flit of worm k has left the queue at the gate by which it came. */
void gate_room(struct state *e, uint32_t k);

/* -- worm_count.c ----------------------------------------------------------------------------- */

/* Worm k may move and counts in tally[] no more. */
void worm_uncount(struct state *e, uint32_t k);
/* Flits in every queue at the start of this cycle. */
void worm_sample(struct state *e);
/* Hops of the flits that are still under way, those that have left by a gate apart. */
uint64_t worm_hops_inside(const struct state *e);
/* Links of worms under way that their heads have crossed and their tails have not; a cut one counts where it begins. */
void worm_count_inside(struct state *e);

/* -- stream.c --------------------------------------------------------------------------------- */

void stream_open(struct wheel *h);
/* Worm k, which streams and has moved in this cycle, sleeps: for some cycles its flits arrive by themselves. */
void stream_sleep(struct state *e, uint32_t k);
/* The same until the start of a cycle, less than SPOKES from now. */
void stream_sleep_until(struct state *e, uint32_t k, uint64_t wakes);
/* Those whose time has come are active again. */
void stream_wake(struct state *e);
/* What has arrived before this cycle of worms that sleep is counted: they may sleep on. */
void stream_count(struct state *e);
/* The first cycle from now on in which a worm wakes; UINT64_MAX: none sleeps. */
uint64_t stream_next(const struct state *e);

#endif

