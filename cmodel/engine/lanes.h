/* SPDX-License-Identifier: Apache-2.0
 * lanes.h - the fast engine for several virtual channels on the butterfly fat-tree, flit for flit
 * equal to network.c: what its two files share.  lanes.c moves worms, lanes_cross.c decides who
 * crosses where several could.
 *
 * A worm is a few bit vectors over the links of its path, as in worm.c.  With V > 1 a body flit must
 * win its port (one flit a cycle leaves a port) and its output (one flit a cycle crosses a link),
 * so bit p of a worm may need the arbiter.  It does where the crossing is contended:
 *
 *   contended  bit p is clear only if, in the switch (or source) that link p leaves,
 *              (a) no other channel of the worm's input port holds an output,
 *              (b) no other worm holds a channel of link p, and
 *              (c) the registers are as this worm's own crossing leaves them: the port's turn is past its
 *                  channel, the pointer of its output past its port.
 *
 * So an uncontended crossing changes no register and nobody else's decision: all of a worm's are
 * taken at once, without a look at the switch.  The bit is set in whoever holds the port or the
 * output when a head is granted, and cleared when a flit has won at the arbiter while (a) and (b)
 * hold: that flit's win is what makes (c) true.  So a turn need not be kept up flit by flit, and
 * nothing is to be restored when a tail has gone.
 *
 * A head at the front of a queue, which holds nothing yet, contends only in a cycle in which it asks.  Then
 * the flits that its port and its outputs would pass uncontended are called to the arbiter for this cycle.
 *
 * A cycle: gather() finds what each active worm wants to move, and ask_all() has contended flits ask;
 * lanes_inject() and lanes_arbitrate() decide; advance_all() moves; settle() is the clock edge for what worms
 * share.  All decisions use the state at the start of the cycle.
 *
 * In a switch each port offers one of its channels that ask.  These are found for all ports at once, and cross
 * as they are unless a head is among them or several hold an output that others hold, too: only then does
 * anyone look at the order of the scan.
 *
 * Under RG and RW with ROT the pick at one parent can depend on who else asks for the other.  Not on an
 * uncontended flit: by (c) its port comes last in the order of its output.
 */
#ifndef FATFLY_LANES_H
#define FATFLY_LANES_H

#include "engine.h"

#include "arbiter.h"
#include "jumps.h"
#include "list.h"
#include "pool.h"
#include "trail.h"

enum { NONE = POOL_NONE };

/* A switch has places for eight ports here, and a port for four channels, so that shifts find them: port p
 * of switch s is place 8s + p, what enters processor a place 8 * switches + a.  Channel v of a place has
 * queue 4 * place + v.  The channels of a switch are counted 4 * port + channel, a bit each. */
enum { PLACES = 8, CHANNELS_LOG2 = 2, CHANNELS = 1 << CHANNELS_LOG2 };
enum { SWITCH_LOG2 = 5, WITHIN = (1 << SWITCH_LOG2) - 1 }; /* of a queue, its switch and its channel there */
_Static_assert((int)MAX_VCS <= (int)CHANNELS && (int)SWITCH_PORTS <= (int)PLACES,
               "a place for every channel of a switch");
_Static_assert(CHANNELS * PLACES == 1 << SWITCH_LOG2 && CHANNELS * SWITCH_PORTS < 32,
               "a bit in 32 for every channel of a switch, and one more");
_Static_assert(((uint64_t)PLACES / 2 + 1) * CHANNELS << 2 * FATFLY_MAX_LEVELS <= UINT32_MAX,
               "all queues of the largest network that has several channels, in 32 bits");

/* What every cycle looks at, a line of the cache. */
struct worm {
    uint32_t plane[WORM_PLANES]; /* own flits in the queue at the far end of link p (trail.h) */
    uint32_t contended; /* bit p: flits ask the arbiter for link p */
    uint32_t moves;     /* links that flits cross in this cycle, but for the head that is granted one */
    uint32_t outside;   /* flits that have not left the source */
    uint32_t length;
    uint32_t got;       /* flits that have arrived */
    uint32_t number;    /* of the worm: is.number */
    uint32_t last;      /* queue behind the last link that the head was granted */
    uint64_t address;   /* payload of the head */
    uint8_t head;       /* link that the head crosses next; links: it has arrived */
    uint8_t tail;       /* link that the tail crosses next */
    uint8_t links;      /* of the whole path, 2 * height */
    bool listed;        /* among the active */
    bool granted;       /* the head crosses in this cycle */
    bool shared;        /* flits of an earlier worm are ahead in the queue of its head */
    bool wants;         /* some flit could have moved in this cycle */
    uint8_t drawn;      /* RW: the parent that the head wants from its second cycle at the front on */
};

/* What its head and tail look at, at the same place. */
struct voyage {
    uint64_t front;     /* cycle from which the head has been at the front of its queue */
    struct traffic_worm is;
    uint64_t injected;
    uint64_t arrived;   /* of the head */
    uint32_t queue[WORM_LINKS]; /* behind the links that the head has crossed */
    uint32_t next;      /* worm behind it in its source, or among the unused */
    uint32_t behind;    /* worm whose head waits next in the queue where this one's waits */
    uint32_t inside;    /* place in state.inside */
};

enum { HOP_LOG2 = 5, HOPS = 1 << HOP_LOG2, WORMS_MAX = 1 << (32 - HOP_LOG2) };
_Static_assert((int)WORM_LINKS <= (int)HOPS, "a number below HOPS for every link of a path");

/* A channel of a link, and its queue at the far end. */
struct queue {
    uint32_t first; /* worms whose heads are in the queue behind flits of another, in order */
    uint32_t last;
    uint32_t who;   /* worm whose head is at the front, or that holds an output, times HOPS, and the link
                       that it crosses next, or on that output */
    uint8_t whole;  /* flits here of worms whose tail is here or beyond */
    bool busy;      /* a worm is crossing the link on this channel */
    uint8_t want;   /* outputs that will do for the head, or the one held, a bit each */
};

/* A switch, in one line of the cache. */
struct node {
    _Alignas(64) uint32_t asks; /* channels whose worm holds an output and has a flit ask in this cycle; AWAKE */
    uint32_t heads;             /* channels with a head at the front */
    uint32_t turn;              /* of each port the channels from its next_q on; none: from channel 0 on */
    uint32_t crowd;             /* channels that hold an output which others hold, too */
    uint32_t left;              /* channels of which a rival has gone since a flit last won there */
    uint32_t holds;             /* channels whose worm holds an output */
    uint32_t out[SWITCH_PORTS]; /* those that hold a channel of this one */
    uint8_t free[SWITCH_PORTS]; /* channels of an output that a head could take, a bit each: no worm
                                   holds them, and there is room */
    uint8_t open;               /* outputs with such a channel */
    uint8_t ports;
};
#define AWAKE (UINT32_C(1) << 31) /* in asks, which is not 0 while the switch is among the awake */

/* The random bits of a switch. */
struct random {
    uint64_t time; /* cycle of lfsr_q */
    uint32_t lfsr_q;
};

struct source {
    uint32_t first, last;   /* worms that wait */
    uint64_t front;         /* cycle from which first could leave but for room */
    uint32_t who[MAX_VCS];  /* worms that are leaving */
    uint8_t lanes;          /* channels with such a worm, a bit each */
    uint8_t free;           /* channels that first could take: no worm is leaving by them, and room */
    uint8_t asks;           /* lanes that ask in this cycle */
    uint8_t turn;           /* channel to try first */
    bool listed;
};

/* A worm with contended flits that ask. */
struct asker {
    const uint32_t *queue; /* voyage.queue */
    uint32_t links;        /* that they ask for, a bit each */
};

struct lanes {
    struct run run;
    struct switch_params params;
    uint64_t mask;        /* of a payload */
    uint32_t switches;
    uint32_t nodes;
    unsigned vcs;
    bool prefers;         /* RG, RW: a random bit says which parent a head that may take either takes */
    bool turns;           /* RR, FO: all outputs look at the inputs in one order */
    uint32_t *to;         /* fat_tree_wire() */
    uint32_t *from;       /* [places], 8 * switch + output, or 8 * switches + processor */
    struct queue *queue;  /* [4 * places] */
    uint64_t *front;      /* FCFS [4 * places]: voyage.front of queue.who, kept while it holds */
    uint8_t *rot;         /* ROT [places] the pointer of an output */
    struct node *node;
    struct random *random; /* [switches] */
    struct source *source;
    struct worm *worm;
    struct voyage *voyage;
    struct pool pool;     /* of worm[] and voyage[] */
    struct list active, awake, ready, tails, heads, inside, arrivals;
    struct asker *asker;
    uint8_t *tally;       /* [4 * places], for samples */
    struct jumps jumps;
    struct soon soon;
};

_Static_assert(sizeof(struct node) == 64 && sizeof(struct worm) == 64, "a line each");

static inline void lanes_activate(struct lanes *e, uint32_t k)
{
    if (!e->worm[k].listed) {
        e->worm[k].listed = true;
        append(&e->active, k);
    }
}

/* The place that a link of fat_tree_wire() enters. */
static inline uint32_t lanes_place(const struct lanes *e, uint32_t link)
{
    uint32_t s = link / SWITCH_PORTS;
    return s < e->switches ? link + (PLACES - SWITCH_PORTS) * s
                           : link + (PLACES - SWITCH_PORTS) * e->switches;
}

/* More than one bit is set. */
static inline bool several(uint32_t bits)
{
    return bits & (bits - 1);
}

/* Channels that hold output o, or an output for another channel of channel c's port: c's own, too. */
static inline uint32_t lanes_rivals(const struct node *n, unsigned c, unsigned o)
{
    uint32_t port = ((UINT32_C(1) << CHANNELS) - 1) << (c & ~(CHANNELS - 1u));
    return (n->holds & port) | n->out[o];
}

/* Who of the worms that ask in a source, or could begin, sends a flit; all sources in e->ready. */
void lanes_inject(struct lanes *e);

/* Who crosses, in all switches of e->awake; those with nothing more to decide leave the list. */
void lanes_arbitrate(struct lanes *e);

#endif
