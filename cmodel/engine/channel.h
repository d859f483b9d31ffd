/* SPDX-License-Identifier: Apache-2.0
 * channel.h - the state of the engine of channel.c, for the files that it is made of.
 */
#ifndef FATFLY_CHANNEL_H
#define FATFLY_CHANNEL_H

#include "engine.h"
#include "list.h"
#include "pool.h"
#include "rng.h"

enum { NONE = POOL_NONE };

struct channel_worm {
    struct traffic_worm is;
    uint64_t injected;
    uint64_t front;   /* cycle from which the head has asked for its next channel */
    uint64_t arrived; /* last cycle of the head's last hop */
    uint32_t at;      /* channel whose queue the head stands in; NONE: the source */
    uint32_t next;    /* in its source or among the unused */
    uint32_t behind;  /* of the heads that wait in the same node, the next */
    uint32_t links;   /* so far */
    uint32_t end;     /* node where it is consumed */
    uint32_t lead;    /* channel that its head took last */
    bool waits;       /* its head asks for a channel */
    uint8_t queue;    /* of its source */
    uint8_t choices;
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
};

/* A worm's time on a channel: from the cycle in which its head takes it. */
struct channel_stay {
    uint32_t worm;    /* NONE */
    uint32_t from;    /* channel that its flits come from; NONE: the source */
    uint32_t next;    /* that of the worm behind it; NONE */
    uint16_t crossed; /* flits of the worm that have, at most FATFLY_MAX_LENGTH */
    uint16_t queued;  /* of them, those that have come and are still there */
    uint16_t flying;  /* and those that have not come to the far end yet */
    bool last;        /* the worm is consumed at the far end */
};

/* Its first stay is the one whose flits are first in the queue.  There are more where a channel is free
 * as soon as the tail was sent; the last of them is that of `worm`. */
struct channel {
    uint32_t worm;    /* that holds it; NONE */
    struct channel_stay front;
    uint32_t to;      /* channel that flits of the front go on to; NONE: none yet, or they are consumed */
    uint32_t link;
    uint8_t group;    /* of the link */
    uint8_t class;
    bool sending;
};

/* What the common kinds of run do not need of a channel. */
struct channel_rest {
    uint32_t newest;  /* of e->stay; NONE: the front */
    uint32_t behind;  /* flits behind those of the front, queued or flying */
    uint32_t owed;    /* flits that left the far end, of which the sender does not know yet: credits */
};

/* Heads that wait in a node, the longest waiting first. */
struct channel_node {
    uint32_t first, last; /* worms; NONE */
    bool listed;          /* in state.looks */
};

/* What ends in a cycle: a flit has crossed, has come to the far end, a credit has come back, a head is routed. */
enum { CROSSING, FLYING, OWED, ROUTED, WHEELS };

/* How channels share a link, by fixed shares or on demand, with at most 64 of them and with nothing of
 * what came later: channels free once the tail is sent, long links, limits of inputs, classes with ranks or
 * channels for themselves, a plug-in's order.  ANY: what has one of them. */
enum channels_kind { FIXED, DEMAND, ANY };

struct channels {
    struct run run;
    enum channels_kind kind;
    const struct topology *t;
    unsigned depth, step;
    unsigned extra;          /* cycles from a flit's crossing to where it can go on: link and router */
    unsigned back;           /* cycles that a credit takes */
    unsigned head;           /* cycles at the front of a queue before a head asks */
    bool demand;
    unsigned lanes;          /* on demand: flits that cross a link in a cycle */
    struct channel_worm *worm;
    struct pool pool;
    uint32_t inside;         /* worms whose head has left its source */
    unsigned queues;         /* of a source */
    uint32_t *first, *last;  /* [processors * queues], worms that wait in it */
    struct channel *channel;
    struct channel_rest *rest;
    bool reuse;              /* a channel is free when the tail was sent, not when it has left the queue */
    struct channel_stay *stay;
    struct pool stays;
    uint32_t *far;           /* [links] */
    struct channel_node *node;
    struct list *wheel;      /* [WHEELS * spokes], channels of which something ends, by kind and cycle */
    unsigned spokes, spoke;  /* now mod spokes */
    unsigned soon;           /* now + step mod spokes, where flits that begin to cross end */
    uint32_t turning;        /* channels in the wheels */
    struct list looks;       /* nodes where a head came or a channel became free */
    /* on demand: channels that could send */
    struct list links;       /* that have some */
    uint64_t *ready;         /* [links * words], a bit for each class */
    unsigned words;
    /* the same where an input sends on so many flits in a cycle alone; 0: any */
    unsigned inputs;
    uint64_t *input;         /* [links + nodes], inputs of nodes and sources: 256 * (cycle + 1) + flits in it */
    uint16_t *asking;        /* [nodes], ports that could send */
    struct list sharing;     /* nodes that have some */
    const struct fatfly_plugin *order; /* whose before() says which head chooses first; NULL */
    struct fatfly_plug_network network; /* what it sees */
    uint8_t *turn;           /* [links], class to begin with */
    uint8_t *taken;          /* [links], class that a head took last; NULL: heads take the lowest that is free */
    /* classes of worms */
    struct topology part;    /* as a class sees it that has channels for itself */
    unsigned own;            /* channels of a link that it has; 0: all are everyone's */
    bool ranked;             /* some go before others */
    bool mixed;              /* the next worm of a queue may go before the one that leaves it */
};

static inline unsigned channels_rank(const struct channels *e, const struct channel_worm *w)
{
    return e->run.config->class_priority[w->is.of_class];
}

/* Whether a head chooses before another one in its node: it has waited longer, or came in by a
 * channel of lower number; sources come last, of the queues of one the older worm first. */
static inline bool channels_before(const struct channel_worm *a, const struct channel_worm *b)
{
    if (a->front != b->front)
        return a->front < b->front;
    return a->at != b->at ? a->at < b->at : a->is.number < b->is.number;
}

/* Worm k, which has got a channel, leaves the list of its node; *stays: the last there before it that has found none.
 * The next to try: of its source the worm that asks since, if it went before k, else what is behind k. */
static inline uint32_t channels_leave_list(const struct channels *e, struct channel_node *n, uint32_t k, uint32_t *stays)
{
    const struct channel_worm *w = &e->worm[k];
    uint32_t asks = e->mixed && w->at == NONE ? e->first[w->is.src * e->queues + w->queue] : NONE;
    uint32_t next = w->behind, before = *stays, found = NONE;

    for (uint32_t j = e->mixed ? n->first : k, last = NONE; j != k; last = j, j = e->worm[j].behind) {
        if (j == asks) {
            found = asks;
            *stays = last;
        }
        before = j;
    }
    if (before == NONE)
        n->first = next;
    else
        e->worm[before].behind = next;
    if (next == NONE)
        n->last = before;
    return found != NONE ? found : next;
}

static inline uint32_t channels_link(const struct channels *e, uint32_t c)
{
    return e->channel[c].link;
}

/* The stay of the worm whose flits channel c takes, or took last. */
static inline struct channel_stay *channels_newest(const struct channels *e, uint32_t c)
{
    uint32_t newest = e->rest[c].newest;
    return newest == NONE ? &e->channel[c].front : &e->stay[newest];
}

/* The stay behind one of a channel; NULL. */
static inline const struct channel_stay *channels_behind(const struct channels *e, const struct channel_stay *s)
{
    return s->next == NONE ? NULL : &e->stay[s->next];
}

/* Flits in the queue of channel c. */
static inline uint32_t channels_queued(const struct channels *e, uint32_t c)
{
    const struct channel_stay *s = &e->channel[c].front;
    uint32_t queued = 0;
    for (; s && s->worm != NONE; s = channels_behind(e, s))
        queued += s->queued;
    return queued;
}

/* Flits under way to it. */
static inline uint32_t channels_flying(const struct channels *e, uint32_t c)
{
    const struct channel_stay *s = &e->channel[c].front;
    uint32_t flying = 0;
    for (; s && s->worm != NONE; s = channels_behind(e, s))
        flying += s->flying;
    return flying;
}

/* A free channel of a head's choices, of the first link that has one: the lowest class, or the first from last[link] + 1
 * on, around; NONE.  *holder: the worm that has channel 0, NONE if it is free, those of the others follow every `size`
 * bytes.  last: NULL, or [links], the class taken last. */
static inline uint32_t channels_free(const struct topology *t, const struct channel_worm *w, uint32_t node,
                                     const uint32_t *holder, size_t size, const uint8_t *last)
{
    if (w->choices == 1 && w->choice[0].low == w->choice[0].high) {
        uint32_t c = topology_channel(t, node, w->choice[0].port, w->choice[0].low);
        return *(const uint32_t *)(const void *)((const char *)holder + c * size) == NONE ? c : NONE;
    }
    unsigned j = w->choices > 1 ? (unsigned)(rng_hash((uint64_t)w->is.number << 32 | node) % w->choices) : 0;
    for (unsigned k = 0; k < w->choices; k++, j = j + 1 < w->choices ? j + 1 : 0) {
        unsigned low = w->choice[j].low, high = w->choice[j].high;
        unsigned class = last ? last[node * t->ports + w->choice[j].port] + 1u : low;
        class = class < low || class > high ? low : class;
        for (unsigned left = high - low + 1; left > 0; left--, class = class < high ? class + 1 : low) {
            uint32_t c = topology_channel(t, node, w->choice[j].port, class);
            if (*(const uint32_t *)(const void *)((const char *)holder + c * size) == NONE)
                return c;
        }
    }
    return NONE;
}

/* The free channel that a head takes; NONE. */
uint32_t channels_choose(const struct channels *e, const struct channel_worm *w, uint32_t node);

/* As those of struct engine: open, close, memory, link_cycles, at_once. */
int channels_open(struct run *r);
void channels_close(struct run *r);
uint64_t channels_memory(const struct fatfly_config *c, const struct topology *t);
unsigned channels_link_cycles(const struct fatfly_config *c, const struct topology *t);
unsigned channels_at_once(const struct fatfly_config *c, const struct topology *t);

/* As engine.look. */
int channels_look(struct run *r, bool idle);

extern const struct engine_view channels_view;

#endif
