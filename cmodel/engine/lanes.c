/* SPDX-License-Identifier: Apache-2.0
 * lanes.c - the fast engine for two and four virtual channels: worms as bit vectors that share
 * links.  lanes.h says when a flit needs the arbiter; who wins is in lanes_cross.c.
 */
#include "lanes.h"

#include "digest.h"
#include "discipline.h"
#include "fat_tree.h"
#include "heads.h"
#include "network.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* -- memory --------------------------------------------------------------------------------- */

/* As many worms as voyages; there were `before`. */
static bool more_worms(struct lanes *e, uint32_t before)
{
    struct worm *worm = aligned_alloc(sizeof *worm, e->pool.count * sizeof *worm);
    if (!worm)
        return false;
    if (before)
        memcpy(worm, e->worm, before * sizeof *worm);
    free(e->worm);
    e->worm = worm;
    return true;
}

/* Room in the other lists of worms for those of the pool, of which there were `before`. */
static bool make_room(struct lanes *e, uint32_t before)
{
    uint32_t all = e->pool.count + 1; /* no list holds more than all worms, and one that is not yet counted */
    if (e->pool.count > WORMS_MAX || !more_worms(e, before))
        return false;
    struct asker *asker = realloc(e->asker, all * sizeof *asker);
    if (asker)
        e->asker = asker;
    return asker && lengthen(&e->active, all) && lengthen(&e->tails, all) && lengthen(&e->heads, all) &&
           lengthen(&e->inside, all) && lengthen(&e->arrivals, all);
}

static uint32_t worm_take(struct lanes *e)
{
    const struct pool before = e->pool;
    uint32_t k = POOL_TAKE(e->voyage, e->pool, struct voyage);
    if (k == NONE || e->pool.count == before.count || make_room(e, before.count))
        return k;
    e->pool = before;
    return NONE;
}

static size_t places(uint32_t switches, uint32_t nodes)
{
    return (size_t)PLACES * switches + nodes;
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    return pool_places(measure_worms(t, c)) * (sizeof(struct worm) + sizeof(struct voyage) + sizeof(struct asker) + 20) +
           places(c->nodes / 2, c->nodes) * (CHANNELS * (sizeof(struct queue) + 1) + 4) +
           (c->scan == FATFLY_FCFS ? places(c->nodes / 2, c->nodes) * CHANNELS * 8 : 0) +
           (c->scan == FATFLY_ROT ? places(c->nodes / 2, c->nodes) : 0) +
           (uint64_t)c->nodes / 2 * (sizeof(struct node) + sizeof(struct random) + 4 +
                                     SWITCH_PORTS * (uint64_t)4) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + 8) +
           sizeof(struct lanes);
}

static void close_lanes(struct run *r)
{
    struct lanes *e = (struct lanes *)r;
    free(e->to);
    free(e->from);
    free(e->queue);
    free(e->front);
    free(e->rot);
    free(e->node);
    free(e->random);
    free(e->source);
    free(e->worm);
    free(e->voyage);
    free(e->active.item);
    free(e->awake.item);
    free(e->ready.item);
    free(e->tails.item);
    free(e->heads.item);
    free(e->inside.item);
    free(e->arrivals.item);
    free(e->asker);
    free(e->tally);
}

static void visit(struct run *r, struct visitor *v)
{
    struct lanes *e = (struct lanes *)r;
    struct list *const lists[] = {&e->active, &e->tails, &e->heads, &e->inside, &e->arrivals};
    size_t all = places(e->switches, e->nodes), each = e->pool.count ? e->pool.count + 1u : 0;
    VISIT(v, e->queue, all * CHANNELS);
    VISIT(v, e->front, e->front ? all * CHANNELS : 0);
    VISIT(v, e->rot, e->rot ? all : 0);
    VISIT(v, e->node, e->switches);
    VISIT(v, e->random, e->switches);
    VISIT(v, e->source, e->nodes);
    VISIT(v, e->worm, e->pool.count);
    VISIT(v, e->voyage, e->pool.count);
    for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++)
        VISIT(v, lists[k]->item, each);
    VISIT(v, e->asker, each);
    VISIT(v, e->awake.item, e->switches + 1);
    VISIT(v, e->ready.item, e->nodes);
}

static void wire(struct lanes *e)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed);
    size_t queues = places(e->switches, e->nodes) * CHANNELS;
    uint8_t all = (uint8_t)((1u << e->vcs) - 1);

    fat_tree_wire(e->params.levels, e->to);
    for (size_t k = 0; k < queues; k++)
        e->queue[k].first = e->queue[k].last = NONE;
    for (uint32_t a = 0; a < e->nodes; a++) {
        e->from[PLACES * (a >> 2) + (a & 3)] = PLACES * e->switches + a;
        e->source[a].first = NONE;
        e->source[a].free = all;
    }
    for (uint32_t s = 0; s < e->switches; s++) {
        struct node *n = &e->node[s];
        struct lfsr r;
        n->ports = s >= fat_tree_base(e->params.levels, e->params.levels) ? SWITCH_CHILDREN
                                                                          : SWITCH_PORTS;
        n->open = (uint8_t)((1u << n->ports) - 1);
        lfsr_reset(&r, network_switch_seed(seed, s));
        e->random[s].lfsr_q = r.lfsr_q;
        for (unsigned o = 0; o < n->ports; o++) {
            n->free[o] = all;
            e->from[lanes_place(e, e->to[SWITCH_PORTS * s + o])] = PLACES * s + o;
        }
    }
}

static int open_lanes(struct run *r)
{
    struct lanes *e = (struct lanes *)r;
    struct switch_params *p = &e->params;

    tree_params(r->config, p);
    e->nodes = fat_tree_nodes(p->levels);
    e->switches = fat_tree_switches(p->levels);
    e->mask = flit_mask(p->flit_w);
    e->vcs = p->vcs;
    e->turns = p->scan == SCAN_RR || p->scan == SCAN_FO;
    e->prefers = p->path == PATH_RG || p->path == PATH_RW;
    e->pool.unused = NONE;
    size_t all = places(e->switches, e->nodes);
    e->to = calloc((size_t)SWITCH_PORTS * e->switches, sizeof *e->to);
    e->from = calloc(all, sizeof *e->from);
    e->queue = calloc(all * CHANNELS, sizeof *e->queue);
    e->front = p->scan == SCAN_FCFS ? calloc(all * CHANNELS, sizeof *e->front) : NULL;
    e->rot = p->scan == SCAN_ROT ? calloc(all, 1) : NULL;
    e->node = aligned_alloc(sizeof *e->node, e->switches * sizeof *e->node);
    e->random = calloc(e->switches, sizeof *e->random);
    e->source = calloc(e->nodes, sizeof *e->source);
    e->awake.item = calloc(e->switches + 1, sizeof *e->awake.item);
    e->ready.item = calloc(e->nodes, sizeof *e->ready.item);
    e->tally = calloc(all * CHANNELS, 1);
    if (!e->to || !e->from || !e->queue || (p->scan == SCAN_FCFS && !e->front) ||
        (p->scan == SCAN_ROT && !e->rot) || !e->node || !e->random || !e->source || !e->awake.item ||
        !e->ready.item || !e->tally)
        return FATFLY_NO_MEMORY;
    memset(e->node, 0, e->switches * sizeof *e->node);
    soon_make(&e->soon);
    wire(e);
    return FATFLY_OK;
}

/* -- who may move next ------------------------------------------------------------------------ */

static void awaken(struct lanes *e, uint32_t s)
{
    struct node *n = &e->node[s];
    e->awake.item[e->awake.count] = s; /* counts if it is new: no branch, as nobody can foresee it */
    e->awake.count += !n->asks;
    n->asks |= AWAKE;
}

static void list_source(struct lanes *e, uint32_t a)
{
    if (!e->source[a].listed) {
        e->source[a].listed = true;
        append(&e->ready, a);
    }
}

/* A worm may begin at this source, if one waits and a channel is free. */
static void try_source(struct lanes *e, uint32_t a)
{
    if (e->source[a].first != NONE && e->source[a].free)
        list_source(e, a);
}

/* No worm holds channel q of a link, and there is room behind it: heads may ask again. */
static void reopen(struct lanes *e, uint32_t q)
{
    uint32_t from = e->from[q >> CHANNELS_LOG2], s = from / PLACES;
    uint8_t channel = (uint8_t)(1u << q % CHANNELS);
    if (s >= e->switches) {
        uint32_t a = from - PLACES * e->switches;
        e->source[a].free |= channel;
        try_source(e, a);
        return;
    }
    struct node *n = &e->node[s];
    n->free[from % PLACES] |= channel;
    n->open |= (uint8_t)(1u << from % PLACES);
    if (n->heads)
        awaken(e, s);
}

/* Head k is at the front of queue q from the next cycle on. */
static void to_front(struct lanes *e, uint32_t k, uint32_t q)
{
    struct worm *w = &e->worm[k];
    struct voyage *y = &e->voyage[k];
    struct queue *is = &e->queue[q];
    uint32_t s = q >> SWITCH_LOG2;
    struct node *n = &e->node[s];

    is->want = trail_want(y->is.dst, &y->is.path, w->head, w->links, e->params.path);
    is->who = k << HOP_LOG2 | w->head;
    n->heads |= UINT32_C(1) << (q & WITHIN);
    y->front = e->run.now + 1;
    if (e->front)
        e->front[q] = y->front;
    w->shared = false;
    if (e->params.path == PATH_RW) { /* the bit of the next cycle */
        const struct random *r = &e->random[s];
        w->drawn = (uint8_t)(16u << (jumps_after(&e->jumps, r->lfsr_q, y->front - r->time) >>
                                     (16 + (q & WITHIN) / CHANNELS) & 1));
    }
    if (is->want & n->open)
        awaken(e, s);
}

/* -- arrivals --------------------------------------------------------------------------------- */

/* Into its source's queue. */
static int enter(struct run *r, const struct traffic_worm *is)
{
    struct lanes *e = (struct lanes *)r;
    uint32_t k = worm_take(e);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    e->voyage[k].is = *is;
    e->voyage[k].next = NONE;
    e->worm[k] = (struct worm){.outside = is->length, .length = is->length, .number = is->number,
                               .address = traffic_head(&e->params, is),
                               .links = (uint8_t)(2 * worm_height(is->src, is->dst))};
    struct source *q = &e->source[is->src];
    if (q->first == NONE) {
        q->first = k;
        q->front = is->ready > q->front ? is->ready : q->front;
    } else {
        e->voyage[q->last].next = k;
    }
    q->last = k;
    try_source(e, is->src);
    return FATFLY_OK;
}

/* -- a cycle ---------------------------------------------------------------------------------- */

static unsigned own_flits(const struct worm *w, unsigned p)
{
    return trail_flits(w->plane, p, WORM_PLANES);
}

static void ask_source(struct lanes *e, const struct voyage *y)
{
    e->source[y->is.src].asks |= (uint8_t)(1u << y->queue[0] % CHANNELS);
    list_source(e, y->is.src);
}

/* Contended flits of `count` worms ask. */
static void ask_all(struct lanes *e, uint32_t count)
{
    struct node *node = e->node;
    uint32_t *awake = e->awake.item + e->awake.count;

    for (const struct asker *a = e->asker, *end = a + count; a < end; a++)
        for (uint32_t links = a->links; links; links &= links - 1) {
            uint32_t q = a->queue[(unsigned)__builtin_ctz(links) - 1];
            struct node *n = &node[q >> SWITCH_LOG2];
            *awake = q >> SWITCH_LOG2; /* counts if it is new */
            awake += !n->asks;
            n->asks |= UINT32_C(1) << (q & WITHIN);
        }
    e->awake.count = (uint32_t)(awake - e->awake.item);
}

/* What flits of an active worm would cross by themselves; a flit crosses link p if one waits before
 * it and there is room behind it.  planes is a constant: 2 for queues of up to 3 flits, else 5. */
static inline __attribute__((always_inline)) bool gather(struct lanes *e, uint32_t k, uint32_t depth,
                                                         struct asker *ask, unsigned planes)
{
    struct worm *w = &e->worm[k];
    struct voyage *y = &e->voyage[k];
    uint32_t blocked = 0;
    if (w->shared) { /* in the queue of the head, earlier worms' flits count, too */
        unsigned p = w->head - 1u;
        blocked = (uint32_t)(trail_flits(w->plane, p, planes) + e->queue[w->last].whole >= depth) << p;
    }
    uint32_t want = trail_ready(w->plane, depth, w->outside != 0, planes) & ~blocked &
                    ((UINT32_C(1) << w->head) - 1);
    uint32_t asks = want & w->contended;
    w->moves = want & ~asks;
    w->wants = want;
    if (asks & 1)
        ask_source(e, y);
    asks &= ~UINT32_C(1);
    *ask = (struct asker){y->queue, asks};
    return asks;
}

static void gather_all(struct lanes *e)
{
    const uint32_t *k = e->active.item, *end = k + e->active.count, depth = e->params.depth;
    struct asker *asker = e->asker;

    if (depth <= 3)
        for (; k < end; k++)
            asker += gather(e, *k, depth, asker, 2);
    else
        for (; k < end; k++)
            asker += gather(e, *k, depth, asker, WORM_PLANES);
    ask_all(e, (uint32_t)(asker - e->asker));
}

static void eject(struct lanes *e, struct worm *w)
{
    unsigned kind = (w->got == 0 ? FLIT_HEAD : 0u) | (w->got + 1 == w->length ? FLIT_TAIL : 0u);
    uint32_t processor = w->last / CHANNELS - PLACES * e->switches;
    unsigned channel = w->last % CHANNELS;
    e->run.digest += digest_flit(flit_payload(w->address, w->number, w->got, e->mask), kind, e->run.now,
                                 processor, channel);
    w->got++;
}

/* Where the lists of a cycle end. */
struct ends {
    uint32_t *heads, *tails, *arrivals;
};

/* All flits of worm k in this cycle.  False if none could have moved. */
static inline __attribute__((always_inline)) bool advance(struct worm *w, uint32_t k, struct ends *ends,
                                                          unsigned planes)
{
    uint32_t moves = w->moves, last = UINT32_C(1) << (w->links - 1u);
    if (w->granted) {
        w->granted = false;
        moves |= UINT32_C(1) << w->head++;
        *ends->heads++ = k;
    }
    if (!moves)
        return w->wants;
    trail_move(w->plane, moves, last, planes);
    w->outside -= moves & 1;
    *ends->arrivals = k; /* counts if a flit has arrived: no branch, as nobody can foresee it */
    ends->arrivals += (moves & last) != 0;
    *ends->tails = k;
    ends->tails += moves >> w->tail & !w->outside;
    return true;
}

/* A worm that moves no more until it is activated. */
static void rest(struct lanes *e, uint32_t k)
{
    e->worm[k].listed = false;
    if (e->worm[k].got == UINT32_MAX)
        POOL_GIVE(e->voyage, e->pool, k);
}

static inline __attribute__((always_inline)) void advance_planes(struct lanes *e, unsigned planes)
{
    struct ends ends = {e->heads.item, e->tails.item, e->arrivals.item};
    struct worm *worm = e->worm;
    uint32_t *item = e->active.item, *kept = item;

    for (const uint32_t *end = item + e->active.count; item < end; item++) {
        uint32_t k = *item;
        *kept = k;
        if (advance(&worm[k], k, &ends, planes))
            kept++;
        else
            rest(e, k);
    }
    e->active.count = (uint32_t)(kept - e->active.item);
    e->heads.count = (uint32_t)(ends.heads - e->heads.item);
    e->tails.count = (uint32_t)(ends.tails - e->tails.item);
    e->arrivals.count = (uint32_t)(ends.arrivals - e->arrivals.item);
}

static void advance_all(struct lanes *e)
{
    if (e->params.depth <= 3)
        advance_planes(e, 2);
    else
        advance_planes(e, WORM_PLANES);
}

/* A flit has left queue q, and no flit of its worm is still to come. */
static void leave(struct lanes *e, uint32_t q)
{
    struct queue *is = &e->queue[q];
    bool was_full = is->whole == e->params.depth;
    is->whole--;
    if (is->busy) {
        if (is->last != NONE)
            lanes_activate(e, is->last); /* it has room to follow */
    } else if (was_full) {
        reopen(e, q);
    }
}

static void finish(struct lanes *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    struct voyage *y = &e->voyage[k];
    measure_delivered(&e->run.m, &y->is, y->injected, y->arrived, e->run.now, w->links);
    e->run.hops += (uint64_t)w->length * w->links;
    uint32_t other = e->inside.item[--e->inside.count];
    e->inside.item[y->inside] = other;
    e->voyage[other].inside = y->inside;
    w->got = UINT32_MAX; /* to be taken off the active list */
}

/* The tail has left queue q for good: its output is no longer held, and the next head comes up. */
static void release(struct lanes *e, uint32_t q)
{
    struct queue *before = &e->queue[q];
    struct node *n = &e->node[q >> SWITCH_LOG2];
    uint32_t bit = UINT32_C(1) << (q & WITHIN), next = before->first;
    uint32_t *out = &n->out[__builtin_ctz(before->want)];

    n->holds &= ~bit;
    *out &= ~bit;
    n->crowd &= several(*out) ? ~bit : ~(*out | bit);
    n->left |= lanes_rivals(n, q & WITHIN, (unsigned)(out - n->out));
    if (next == NONE)
        return;
    before->first = e->voyage[next].behind;
    if (before->first == NONE)
        before->last = NONE;
    to_front(e, next, q);
}

/* The tail of worm k is whole inside the network, and a flit has left the queue that it is in. */
static void tail_moves(struct lanes *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    const struct voyage *y = &e->voyage[k];
    unsigned t = w->tail;

    if (t > 0) {
        leave(e, y->queue[t - 1]);
        if (own_flits(w, t - 1))
            return;
    }
    /* It was the tail, over link t. */
    struct queue *q = &e->queue[y->queue[t]];
    bool up = t < w->links / 2u;
    measure_tail(&e->run.m, e->run.now, up, up ? t : w->links - 1u - t, w->length);
    q->busy = false;
    w->tail++;
    if (t + 1 < w->links)
        q->whole = (uint8_t)(q->whole + own_flits(w, t));
    if (t == 0)
        e->source[y->is.src].lanes &= (uint8_t)~(1u << y->queue[0] % CHANNELS);
    else
        release(e, y->queue[t - 1]);
    if (q->whole < e->params.depth)
        reopen(e, y->queue[t]);
    if (t + 1 == w->links)
        finish(e, k);
}

/* The head of worm k has entered a queue, or arrived. */
static void head_enters(struct lanes *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    if (w->head == w->links)
        return;
    uint32_t at = w->last;
    struct queue *q = &e->queue[at];
    unsigned others = q->whole - (w->tail == w->head ? own_flits(w, w->head - 1u) : 0);

    if (!others) {
        to_front(e, k, at);
        return;
    }
    w->shared = true;
    e->voyage[k].behind = NONE;
    if (q->last == NONE)
        q->first = k;
    else
        e->voyage[q->last].behind = k;
    q->last = k;
}

static void settle(struct lanes *e)
{
    for (uint32_t j = 0; j < e->arrivals.count; j++)
        eject(e, &e->worm[e->arrivals.item[j]]);
    for (uint32_t j = 0; j < e->tails.count; j++)
        tail_moves(e, e->tails.item[j]);
    for (uint32_t j = 0; j < e->heads.count; j++)
        head_enters(e, e->heads.item[j]);
}

/* -- the run around it ------------------------------------------------------------------------ */

/* The roots have none for their parents. */
static uint64_t queues(const struct lanes *e)
{
    uint64_t links = (uint64_t)SWITCH_PORTS * e->switches - 2 * (uint64_t)(e->nodes >> e->params.levels >> 1);
    return links * e->vcs;
}

/* Flits in every queue at the start of this cycle. */
static void sample_queues(struct lanes *e)
{
    struct fatfly_result *r = e->run.m.result;
    uint64_t used = 0;

    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        const uint32_t *queue = e->voyage[e->inside.item[j]].queue;
        for (unsigned p = w->outside ? 0 : w->tail - 1u; p < w->head && p + 1u < w->links; p++) {
            unsigned flits = own_flits(w, p);
            bool up = p < w->links / 2u;
            measure_level(&e->run.m, up, up ? p : w->links - 1u - p)->occupancy += flits;
            e->tally[queue[p]] = (uint8_t)(e->tally[queue[p]] + flits);
        }
    }
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        const uint32_t *queue = e->voyage[e->inside.item[j]].queue;
        for (unsigned p = 0; p < w->head && p + 1u < w->links; p++)
            if (e->tally[queue[p]]) {
                r->occupied[e->tally[queue[p]]]++;
                e->tally[queue[p]] = 0;
                used++;
            }
    }
    r->occupied[0] += queues(e) - used;
    r->samples++;
}

static bool idle(const struct run *r)
{
    const struct lanes *e = (const struct lanes *)r;
    return !e->active.count && !e->awake.count && !e->ready.count;
}

/* Of an empty network. */
static void sample(struct run *r, uint64_t to)
{
    uint64_t samples = run_ticks(r, to);
    r->m.result->samples += samples;
    r->m.result->occupied[0] += samples * queues((const struct lanes *)r);
}

static int step(struct run *r)
{
    struct lanes *e = (struct lanes *)r;

    if (measure_samples(&r->m, r->now))
        sample_queues(e);
    gather_all(e);
    lanes_inject(e);
    lanes_arbitrate(e);
    advance_all(e);
    settle(e);
    return FATFLY_OK;
}

/* Hops of the flits that are still under way, and the links that a head has crossed and its tail has not. */
static void finish_run(struct run *r)
{
    const struct lanes *e = (const struct lanes *)r;
    bool count = measure_unfinished(&r->m, r->now);
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        uint64_t flits = w->got;
        r->hops += (uint64_t)w->got * w->links;
        for (unsigned p = w->links; p-- > 0;) {
            bool up = p < w->links / 2u;
            r->hops += (uint64_t)own_flits(w, p) * (p + 1);
            flits += own_flits(w, p);
            if (count && p >= w->tail)
                measure_under_way(&r->m, up, up ? p : w->links - 1u - p, flits);
        }
    }
}

/* Where nearly every flit is a head that contends, looking at every switch is faster: at loads of single
 * flits of 0.2 with two channels and 0.1 with four.  There it is left to the cycle engine unless asked for. */
static bool can(const struct fatfly_config *c, const struct topology *t)
{
    bool heads = c->length == 1 && c->load * c->vcs >= 0.4;
    return t->levels && c->vcs > 1 && !discipline_of(c)->packets && heads_know(c) &&
           (!heads || c->engine == FATFLY_FAST);
}

const struct engine engine_lanes = {
    .name = "fast", .state = sizeof(struct lanes), .can = can, .memory = memory, .open = open_lanes,
    .close = close_lanes, .enter = enter, .step = step, .sample = sample, .idle = idle,
    .visit = visit, .finish = finish_run};
