/* SPDX-License-Identifier: Apache-2.0
 * channel.c - worms on any topology, virtual channel by virtual channel (BC 2).
 *
 * A virtual channel is a share of a link and a queue of q flits at its far end.  It belongs to one
 * worm from the cycle in which the head takes it to the one in which the tail leaves its queue.
 * Processors put worms straight into the links of their node and take what arrives at once (BC 2:
 * a message never waits at its destination).  A source has one queue, or one for each class; the
 * first worm of a queue asks, the next one as soon as the head before it has a channel.
 *
 * With fixed shares (BC 2.1) a flit takes V cycles on a channel, whatever the others do; on demand
 * it takes one, and the channels of a link that could send take turns.  A flit leaves the queue
 * that it comes from when it has crossed.  So a worm over d links that meets nobody takes
 * (d + L - 1) * step cycles.  Of the heads that stand in a node the one that has waited longest
 * chooses first; where several links will do it begins with any of them.
 */
#include "engine.h"

#include "calendar.h"
#include "digest.h"
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, LOOK_CYCLES = 16384 };

struct worm {
    struct traffic_worm is;
    uint64_t injected;
    uint64_t front;   /* cycle from which the head has asked for its next channel */
    uint64_t arrived; /* last cycle of the head's last hop */
    uint32_t at;      /* channel whose queue the head stands in; NONE: the source */
    uint32_t next;    /* in its source or among the unused */
    uint32_t behind;  /* of the heads that wait in the same node, the next */
    uint32_t links;   /* so far */
    uint32_t end;     /* node where it is consumed */
    bool waits;       /* its head asks for a channel */
    bool live;        /* stuck(): it will move some day */
    uint8_t queue;    /* of its source */
    uint8_t choices;
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
};

struct channel {
    uint32_t worm;    /* that holds it; NONE */
    uint32_t from;    /* channel that its flits come from; NONE: the source */
    uint32_t to;      /* channel that they go on to; NONE: none yet, or they are consumed */
    uint32_t crossed; /* flits of the worm that have */
    uint32_t queued;  /* of them, those that are still at the far end */
    uint32_t link;
    uint8_t group;    /* of the link */
    uint8_t class;
    bool sending;
    bool last;        /* the worm is consumed at the far end */
};

struct list {
    uint32_t *item;
    uint32_t count, room;
};

/* Heads that wait in a node, the longest waiting first. */
struct node {
    uint32_t first, last; /* worms; NONE */
    bool listed;          /* in engine.looks */
};

struct engine {
    const struct topology *t;
    struct measure *m;
    struct calendar calendar;
    uint64_t now, digest, hops;
    unsigned depth, step;
    bool demand;
    unsigned lanes;          /* on demand: flits that cross a link in a cycle */
    struct worm *worm;
    uint32_t worms, unused;
    uint32_t inside;         /* worms whose head has left its source */
    unsigned queues;         /* of a source */
    uint32_t *first, *last;  /* [processors * queues], worms that wait in it */
    struct channel *channel;
    uint32_t *far;           /* [links] */
    struct node *node;
    struct list *wheel;      /* [step + 1], channels whose flit has crossed, by cycle */
    unsigned spoke;          /* now mod step + 1 */
    uint32_t crossing;       /* channels in the wheel */
    struct list looks;       /* nodes where a head came or a channel became free */
    /* on demand: channels that could send */
    struct list links;       /* that have some */
    uint64_t *ready;         /* [links * words], a bit for each class */
    unsigned words;
    uint8_t *turn;           /* [links], class to begin with */
    char *why;
    size_t size;
};

/* -- lists that grow ---------------------------------------------------------------------------- */

static bool push(struct list *l, uint32_t item)
{
    if (l->count == l->room) {
        uint32_t room = l->room ? 2 * l->room : 64;
        uint32_t *more = realloc(l->item, room * sizeof *more);
        if (!more)
            return false;
        l->item = more;
        l->room = room;
    }
    l->item[l->count++] = item;
    return true;
}

static uint32_t worm_take(struct engine *e)
{
    if (e->unused == NONE) {
        struct worm *w = pool_grow(e->worm, sizeof *w, offsetof(struct worm, next),
                                   e->worms ? e->worms : 256, &e->worms, &e->unused);
        if (!w)
            return NONE;
        e->worm = w;
    }
    uint32_t k = e->unused;
    e->unused = e->worm[k].next;
    return k;
}

/* -- links -------------------------------------------------------------------------------------- */

static uint32_t link_of(const struct engine *e, uint32_t c)
{
    return e->channel[c].link;
}

/* A flit of channel c begins to cross. */
static bool send(struct engine *e, uint32_t c)
{
    struct channel *ch = &e->channel[c];
    ch->sending = true;
    e->crossing++;
    if (ch->crossed == 0) {
        struct worm *w = &e->worm[ch->worm];
        if (w->links++ == 0)
            w->injected = e->now;
        measure_hop(e->m, e->now, ch->link, !(ch->group & 1), ch->group / 2, e->now - w->front);
    }
    /* step cycles on is one spoke back */
    return push(&e->wheel[e->spoke ? e->spoke - 1 : e->step], c);
}

/* Called whenever something happened that channel c may have waited for. */
static bool try_send(struct engine *e, uint32_t c)
{
    struct channel *ch = &e->channel[c];
    if (ch->sending || (!ch->last && ch->queued >= e->depth) ||
        (ch->from != NONE && e->channel[ch->from].queued == 0))
        return true;
    if (!e->demand)
        return send(e, c);
    uint32_t link = ch->link, class = ch->class;
    uint64_t *ready = &e->ready[(size_t)link * e->words], any = 0;
    for (unsigned k = 0; k < e->words; k++)
        any |= ready[k];
    ready[class / 64] |= UINT64_C(1) << class % 64;
    return any || push(&e->links, link);
}

/* The first class at or after `from`, around, that is ready. */
static unsigned next_ready(const struct engine *e, const uint64_t *ready, unsigned from)
{
    for (unsigned k = 0; k <= e->words; k++) {
        unsigned word = (from / 64 + k) % e->words;
        uint64_t bits = ready[word];
        if (k == 0)
            bits &= ~UINT64_C(0) << from % 64;
        if (bits)
            return word * 64 + (unsigned)__builtin_ctzll(bits);
    }
    return NONE;
}

/* On demand: each link sends for the next channels in turn. */
static bool share_links(struct engine *e)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < e->links.count; k++) {
        uint32_t link = e->links.item[k];
        uint64_t *ready = &e->ready[(size_t)link * e->words];
        unsigned class = 0;
        for (unsigned lane = 0; lane < e->lanes && class != NONE; lane++) {
            class = next_ready(e, ready, e->turn[link]);
            if (class == NONE)
                break;
            ready[class / 64] &= ~(UINT64_C(1) << class % 64);
            e->turn[link] = (uint8_t)((class + 1) % e->t->classes);
            if (!send(e, link * e->t->classes + class))
                return false;
        }
        if (next_ready(e, ready, 0) != NONE)
            e->links.item[left++] = link;
    }
    e->links.count = left;
    return true;
}

/* -- heads -------------------------------------------------------------------------------------- */

static bool look(struct engine *e, uint32_t node)
{
    if (e->node[node].listed)
        return true;
    e->node[node].listed = true;
    return push(&e->looks, node);
}

/* Whether a head chooses before another one in its node: it has waited longer, or came in by a
 * channel of lower number; sources come last, of the queues of one the older worm first. */
static bool before(const struct worm *a, const struct worm *b)
{
    if (a->front != b->front)
        return a->front < b->front;
    return a->at != b->at ? a->at < b->at : a->is.number < b->is.number;
}

/* The head of worm k, with its `at` and `front` set, asks for its next channel. */
static bool ask(struct engine *e, uint32_t k, const struct topology_place *place)
{
    struct worm *w = &e->worm[k];
    struct node *n = &e->node[place->node];

    w->choices = (uint8_t)e->t->kind->route(e->t, place, w->is.dst, w->choice);
    w->waits = true;
    if (n->first == NONE || !before(w, &e->worm[n->last])) {
        w->behind = NONE;
        if (n->first == NONE)
            n->first = k;
        else
            e->worm[n->last].behind = k;
        n->last = k;
        return look(e, place->node);
    }
    uint32_t *link = &n->first;
    while (!before(w, &e->worm[*link]))
        link = &e->worm[*link].behind;
    w->behind = *link;
    *link = k;
    return look(e, place->node);
}

static struct topology_place source(const struct engine *e, uint32_t src)
{
    return (struct topology_place){.node = topology_enter(e->t, src), .from = TOPOLOGY_NONE};
}

/* The queue that a worm waits in at its source: that of the lowest class of its first choice. */
static uint8_t queue_of(const struct engine *e, struct worm *w)
{
    struct topology_place place = source(e, w->is.src);
    if (e->queues == 1 || e->t->kind->route(e->t, &place, w->is.dst, w->choice) == 0)
        return 0;
    return w->choice[0].low;
}

/* Of a source's queue. */
static bool ask_first(struct engine *e, uint32_t src, unsigned queue)
{
    struct topology_place place = source(e, src);
    uint32_t first = e->first[src * e->queues + queue];
    struct worm *w = &e->worm[first];
    w->at = NONE;
    w->links = 0;
    w->front = w->is.ready > e->now ? w->is.ready : e->now;
    return ask(e, first, &place);
}

/* A free channel of its choices, the lowest class of the first link that has one; NONE. */
static uint32_t choose(const struct engine *e, const struct worm *w, uint32_t node)
{
    unsigned j = w->choices > 1
                     ? (unsigned)(rng_hash((uint64_t)w->is.number << 32 | node) % w->choices) : 0;
    for (unsigned k = 0; k < w->choices; k++, j = j + 1 < w->choices ? j + 1 : 0)
        for (unsigned class = w->choice[j].low; class <= w->choice[j].high; class++) {
            uint32_t c = topology_channel(e->t, node, w->choice[j].port, class);
            if (e->channel[c].worm == NONE)
                return c;
        }
    return NONE;
}

/* Worm k takes channel c; its queue at the source, if it comes from there, goes on to the next. */
static bool take(struct engine *e, uint32_t k, uint32_t c)
{
    struct worm *w = &e->worm[k];
    uint32_t at = w->at, src = w->is.src;
    uint8_t queue = w->queue;

    struct channel *ch = &e->channel[c];
    ch->worm = k;
    ch->from = at;
    ch->to = NONE;
    ch->crossed = ch->queued = 0;
    ch->last = e->far[ch->link] == w->end;
    w->waits = false;
    if (at != NONE) {
        e->channel[at].to = c;
        return try_send(e, c);
    }
    uint32_t *first = &e->first[src * e->queues + queue];
    e->inside++;
    *first = w->next;
    return try_send(e, c) && (*first == NONE || ask_first(e, src, queue));
}

/* The heads in a node try once, those of worms that a queue of a source now sends on, too. */
static bool look_at(struct engine *e, uint32_t node)
{
    struct node *n = &e->node[node];
    uint32_t stays = NONE; /* the last that has found none */

    for (uint32_t k = n->first; k != NONE;) {
        uint32_t c = choose(e, &e->worm[k], node);
        if (c == NONE) {
            stays = k;
            k = e->worm[k].behind;
            continue;
        }
        if (!take(e, k, c)) /* may add to this list, behind k, but leaves k in it */
            return false;
        uint32_t next = e->worm[k].behind;
        if (stays == NONE)
            n->first = next;
        else
            e->worm[stays].behind = next;
        if (next == NONE)
            n->last = stays;
        k = next;
    }
    return true;
}

static bool look_at_all(struct engine *e)
{
    for (uint32_t k = 0; k < e->looks.count; k++) {
        if (!look_at(e, e->looks.item[k]))
            return false;
        e->node[e->looks.item[k]].listed = false;
    }
    e->looks.count = 0;
    return true;
}

static int generate(struct engine *e)
{
    struct traffic_worm is;

    while (calendar_take(&e->calendar, e->now, &is)) {
        uint32_t k = worm_take(e);
        if (k == NONE)
            return FATFLY_NO_MEMORY;
        e->worm[k] = (struct worm){.is = is, .next = NONE, .at = NONE,
                                   .end = topology_leave(e->t, is.dst)};
        measure_generated(e->m, &is);
        uint8_t queue = e->worm[k].queue = queue_of(e, &e->worm[k]);
        uint32_t *first = &e->first[is.src * e->queues + queue];
        uint32_t *last = &e->last[is.src * e->queues + queue];
        bool alone = *first == NONE;
        *(alone ? first : &e->worm[*last].next) = k;
        *last = k;
        if (alone && !ask_first(e, is.src, queue))
            return FATFLY_NO_MEMORY;
    }
    e->m->all_generated = e->calendar.count == 0;
    return FATFLY_OK;
}

/* -- flits that have crossed -------------------------------------------------------------------- */

static bool set_free(struct engine *e, uint32_t c)
{
    e->channel[c].worm = NONE;
    return look(e, link_of(e, c) / e->t->ports);
}

/* Flit `place` of worm k is consumed; its last cycle on the link was the one before this. */
static void consume(struct engine *e, uint32_t k, uint32_t place, bool tail, unsigned class)
{
    struct worm *w = &e->worm[k];
    uint64_t cycle = e->now - 1;
    uint64_t head = (uint64_t)w->is.dst << 32 | w->is.src;
    unsigned kind = (place == 0 ? FLIT_HEAD : 0u) | (tail ? FLIT_TAIL : 0u);

    e->digest += digest_flit(flit_payload(head, w->is.number, place, UINT64_MAX), kind, cycle,
                             w->is.dst, class);
    if (place == 0)
        w->arrived = cycle;
    if (tail) {
        measure_delivered(e->m, &w->is, w->injected, w->arrived, cycle, w->links);
        w->next = e->unused;
        e->unused = k;
        e->inside--;
    }
}

/* The queue that a flit has left for channel c. */
static bool leave(struct engine *e, uint32_t c, bool tail)
{
    uint32_t from = e->channel[c].from;
    if (from == NONE)
        return true;
    e->channel[from].queued--;
    if (tail)
        return set_free(e, from);
    return e->channel[from].crossed == e->worm[e->channel[from].worm].is.length || try_send(e, from);
}

static bool arrive(struct engine *e, uint32_t c)
{
    struct channel *ch = &e->channel[c];
    uint32_t k = ch->worm, link = ch->link, place = ch->crossed++;
    struct worm *w = &e->worm[k];
    bool tail = ch->crossed == w->is.length;

    ch->sending = false;
    e->hops++;
    if (tail)
        measure_tail(e->m, e->now - 1, !(ch->group & 1), ch->group / 2, w->is.length);
    if (!leave(e, c, tail))
        return false;
    if (ch->last) {
        consume(e, k, place, tail, ch->class);
        return tail ? set_free(e, c) : try_send(e, c);
    }
    ch->queued++;
    if (place == 0) {
        struct topology_place at = {.node = e->far[link], .from = link / e->t->ports,
                                    .port = link % e->t->ports, .class = ch->class};
        w->at = c;
        w->front = e->now;
        if (!ask(e, k, &at))
            return false;
    }
    return (ch->to == NONE || try_send(e, ch->to)) && (tail || try_send(e, c));
}

static bool arrive_all(struct engine *e)
{
    struct list *l = &e->wheel[e->spoke];
    for (uint32_t k = 0; k < l->count; k++)
        if (!arrive(e, l->item[k]))
            return false;
    e->crossing -= l->count;
    l->count = 0;
    return true;
}

/* -- deadlock ----------------------------------------------------------------------------------- */

/* A channel that worm k waits for, held by a worm that is not live; NONE if one is free or its
 * worm is. */
static uint32_t blocker(const struct engine *e, uint32_t k)
{
    const struct worm *w = &e->worm[k];
    uint32_t node = e->far[link_of(e, w->at)], found = NONE;
    for (unsigned j = 0; j < w->choices; j++)
        for (unsigned class = w->choice[j].low; class <= w->choice[j].high; class++) {
            uint32_t c = topology_channel(e->t, node, w->choice[j].port, class);
            if (e->channel[c].worm == NONE || e->worm[e->channel[c].worm].live)
                return NONE;
            found = c;
        }
    return found;
}

/* Marks who will move some day; a worm that never will, or NONE. */
static uint32_t stuck(struct engine *e)
{
    uint32_t channels = (uint32_t)topology_channels(e->t), dead = NONE;
    bool more = true;

    for (uint32_t c = 0; c < channels; c++)
        if (e->channel[c].worm != NONE)
            e->worm[e->channel[c].worm].live = !e->worm[e->channel[c].worm].waits;
    while (more) {
        more = false;
        dead = NONE;
        for (uint32_t c = 0; c < channels; c++) {
            uint32_t k = e->channel[c].worm;
            if (k == NONE || e->worm[k].live || e->worm[k].at == NONE)
                continue;
            if (blocker(e, k) == NONE)
                more = e->worm[k].live = true;
            else
                dead = k;
        }
    }
    return dead;
}

/* Says who waits for whom, from worm k on until one comes again. */
static int deadlock(struct engine *e, uint32_t k)
{
    uint32_t steps = (uint32_t)topology_channels(e->t);
    while (steps--) /* to the circle */
        k = e->channel[blocker(e, k)].worm;
    size_t n = (size_t)snprintf(e->why, e->size, "deadlock in cycle %llu:", (unsigned long long)e->now);
    uint32_t first = k;
    do {
        uint32_t c = blocker(e, k), link = link_of(e, c);
        if (n + 80 < e->size)
            n += (size_t)snprintf(e->why + n, e->size - n, " worm %u waits for %u->%u.%u, held by",
                                  e->worm[k].is.number, link / e->t->ports, e->far[link],
                                  c % e->t->classes);
        k = e->channel[c].worm;
    } while (k != first);
    if (n < e->size)
        snprintf(e->why + n, e->size - n, " worm %u", e->worm[first].is.number);
    return FATFLY_DEADLOCK;
}

/* -- the run ------------------------------------------------------------------------------------ */

static void sample(struct engine *e)
{
    struct fatfly_result *r = e->m->result;
    uint32_t channels = (uint32_t)topology_channels(e->t);
    r->samples++;
    for (uint32_t c = 0; c < channels; c++) {
        const struct channel *ch = &e->channel[c];
        uint32_t queued = ch->worm == NONE ? 0 : ch->queued;
        measure_level(e->m, !(ch->group & 1), ch->group / 2)->occupancy += queued;
        r->occupied[queued < FATFLY_MAX_DEPTH ? queued : FATFLY_MAX_DEPTH]++;
    }
}

static void close_engine(struct engine *e)
{
    if (!e)
        return;
    calendar_close(&e->calendar);
    for (unsigned k = 0; e->wheel && k <= e->step; k++)
        free(e->wheel[k].item);
    free(e->wheel);
    free(e->worm);
    free(e->first);
    free(e->last);
    free(e->channel);
    free(e->far);
    free(e->node);
    free(e->looks.item);
    free(e->links.item);
    free(e->ready);
    free(e->turn);
    free(e);
}

static void fill_tables(struct engine *e)
{
    const struct topology *t = e->t;
    size_t channels = topology_channels(t);

    for (size_t q = 0; q < (size_t)t->processors * e->queues; q++)
        e->first[q] = NONE;
    for (uint32_t a = 0; a < t->nodes; a++) {
        e->node[a] = (struct node){.first = NONE, .last = NONE};
        for (unsigned p = 0; p < t->ports; p++) {
            e->far[a * t->ports + p] = t->kind->far(t, a, p);
        }
    }
    for (size_t c = 0; c < channels; c++) {
        struct channel *ch = &e->channel[c];
        uint32_t link = (uint32_t)(c / t->classes);
        *ch = (struct channel){.worm = NONE, .link = link, .class = (uint8_t)(c % t->classes)};
        if (e->far[link] != TOPOLOGY_NONE)
            ch->group = (uint8_t)t->kind->group(t, link / t->ports, link % t->ports);
    }
}

static struct engine *open_engine(const struct topology *t, struct traffic *traffic,
                                  struct measure *m)
{
    const struct fatfly_config *c = m->config;
    size_t links = (size_t)t->nodes * t->ports;
    struct engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->t = t;
    e->m = m;
    e->depth = c->depth;
    e->step = channel_step(t, c);
    e->demand = c->bandwidth == FATFLY_ON_DEMAND;
    e->lanes = c->link_bandwidth;
    e->words = (t->classes + 63) / 64;
    e->unused = NONE;
    e->queues = c->injection == FATFLY_PER_CHANNEL ? t->classes : 1;
    e->first = malloc((size_t)t->processors * e->queues * sizeof *e->first);
    e->last = malloc((size_t)t->processors * e->queues * sizeof *e->last);
    e->channel = calloc(links * t->classes, sizeof *e->channel);
    e->far = malloc(links * sizeof *e->far);
    e->node = malloc(t->nodes * sizeof *e->node);
    e->wheel = calloc(e->step + 1, sizeof *e->wheel);
    e->ready = calloc(links * e->words, sizeof *e->ready);
    e->turn = calloc(links, 1);
    if (!e->first || !e->last || !e->channel || !e->far || !e->node || !e->wheel ||
        !e->ready || !e->turn || calendar_open(&e->calendar, traffic, t->processors)) {
        close_engine(e);
        return NULL;
    }
    fill_tables(e);
    return e;
}

unsigned channel_step(const struct topology *t, const struct fatfly_config *c)
{
    return c->bandwidth == FATFLY_ON_DEMAND ? 1
                                            : (t->classes + c->link_bandwidth - 1) / c->link_bandwidth;
}

uint64_t channel_memory(const struct topology *t, const struct fatfly_config *c)
{
    uint64_t links = (uint64_t)t->nodes * t->ports;
    uint64_t queues = c->injection == FATFLY_PER_CHANNEL ? t->classes : 0;
    return links * (t->classes * sizeof(struct channel) + 6 + 8 * ((t->classes + 63) / 64)) +
           t->nodes * sizeof(struct node) + (uint64_t)t->processors * (100 + 8 * queues) +
           measure_worms(c) * sizeof(struct worm);
}

/* Nothing moves before the next worm comes. */
static bool quiet(const struct engine *e)
{
    return e->crossing == 0 && e->links.count == 0 && e->looks.count == 0;
}

/* To the next worm, or to the next decision about the run; what samples would find on the way. */
static void skip(struct engine *e)
{
    uint64_t next = calendar_next(&e->calendar);
    next = next < e->m->check ? next : e->m->check;
    if (next <= e->now)
        return;
    for (uint64_t at = (e->now + 63) & ~UINT64_C(63); at < next; at += 64)
        if (measure_samples(e->m, at))
            sample(e);
    e->now = next;
}

static int lost(struct engine *e)
{
    snprintf(e->why, e->size, "internal check failed: cycle %llu: %llu worms that nothing moves",
             (unsigned long long)e->now,
             (unsigned long long)(e->m->generated - e->m->delivered));
    return FATFLY_BROKEN;
}

static int cycle(struct engine *e)
{
    if (!arrive_all(e))
        return FATFLY_NO_MEMORY;
    int status = generate(e);
    if (status)
        return status;
    if (measure_samples(e->m, e->now))
        sample(e);
    if (!look_at_all(e) || (e->demand && !share_links(e)))
        return FATFLY_NO_MEMORY;
    e->now++;
    e->spoke = e->spoke < e->step ? e->spoke + 1 : 0;
    bool still = quiet(e);
    if (e->inside && (still || e->now % LOOK_CYCLES == 0)) {
        uint32_t dead = stuck(e);
        if (dead != NONE)
            return deadlock(e, dead);
        if (still)
            return lost(e);
    }
    if (still && !e->m->open && !e->calendar.count && e->m->delivered < e->m->generated)
        return lost(e);
    if (still && (e->calendar.count || e->m->open))
        skip(e);
    return FATFLY_OK;
}

int channel_run(const struct topology *t, struct traffic *traffic, struct measure *m, char *why,
                size_t size)
{
    struct engine *e = open_engine(t, traffic, m);
    int status = e ? FATFLY_OK : FATFLY_NO_MEMORY;

    if (e) {
        e->why = why;
        e->size = size;
    }
    while (!status) {
        if ((e->now >= m->check || m->delivered == m->generated) && measure_over(m, e->now))
            break;
        status = cycle(e);
    }
    if (!status) {
        m->result->digest = e->digest;
        m->result->flit_hops = e->hops;
        /* What crossed in the last cycle is seen in the one after it. */
        bool over = !m->open && m->result->end == FATFLY_DONE && m->delivered;
        measure_finish(m, over ? m->result->last_arrival + 1 : e->now);
    }
    close_engine(e);
    return status;
}
