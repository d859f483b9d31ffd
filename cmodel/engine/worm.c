/* SPDX-License-Identifier: Apache-2.0
 * worm.c - the fast engine: wormhole networks with one virtual channel, flit for flit equal to
 * network.c.
 *
 * With one channel a worm's flits stand in the queues along its path and nowhere else, and all
 * but its head move without arbitration: a flit crosses link p if one waits before it and the queue
 * behind it is not full.  So a worm is a few bit vectors over the links of its path, bit p for
 * link p, and one cycle of all its flits is a handful of logic operations.  A head asks the
 * arbiter (arbiter.h) as it does in switch.c.  Only what can move is looked at:
 *
 *   active worms     those that moved in the last cycle or were granted a link
 *   awake switches   those where a head waits for an output that is open: not held, with room
 *   sources          those where a worm may begin
 *
 * All decisions of a cycle use the state at its start: arbitrate() and advance() change nothing
 * that another one reads; what they found is applied in settle(), at the clock edge.  The random
 * bits of a switch are those of lfsr.h; a switch that slept catches up by a jump.
 */
#include "worm.h"

#include "digest.h"
#include "discipline.h"
#include "fat_tree.h"
#include "heads.h"
#include "network.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* -- random bits ---------------------------------------------------------------------------- */

/* The switch's random bits of this cycle. */
static uint32_t random_bits(struct state *e, struct node *n)
{
    uint64_t gap = e->run.now - n->time;
    n->time = e->run.now;
    return n->lfsr_q = jumps_after(&e->jumps, n->lfsr_q, gap);
}

/* -- memory --------------------------------------------------------------------------------- */

static uint32_t worm_take(struct state *e)
{
    uint32_t before = e->pool.count, k = POOL_TAKE(e->worm, e->pool, struct worm);
    if (k != NONE && e->pool.count > before && /* no list holds more than all worms */
        (!lengthen(&e->active, e->pool.count) || !lengthen(&e->tails, e->pool.count) ||
         !lengthen(&e->heads, e->pool.count) || !lengthen(&e->inside, e->pool.count)))
        return NONE;
    return k;
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t switches = c->nodes / 2;
    uint64_t worms = measure_worms(t, c);
    uint64_t places = 256; /* worm_take() doubles them */
    while (places < worms)
        places *= 2;
    return places * (sizeof(struct worm) + 16) +
           (uint64_t)t->links * (sizeof(struct queue) + 5) +
           switches * (sizeof(struct node) + 8) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + 8) +
           sizeof(struct state);
}

static void close_worms(struct run *r)
{
    struct state *e = (struct state *)r;
    free(e->to);
    free(e->queue);
    free(e->node);
    free(e->source);
    free(e->worm);
    free(e->active.item);
    free(e->awake.item);
    free(e->ready.item);
    free(e->tails.item);
    free(e->heads.item);
    free(e->inside.item);
    free(e->tally);
}

static void visit(struct run *r, struct visitor *v)
{
    struct state *e = (struct state *)r;
    struct list *const lists[] = {&e->active, &e->tails, &e->heads, &e->inside};
    VISIT(v, e->queue, r->topology->links);
    VISIT(v, e->node, e->switches);
    VISIT(v, e->source, e->nodes);
    VISIT(v, e->worm, e->pool.count);
    for (unsigned k = 0; k < 4; k++)
        VISIT(v, lists[k]->item, e->pool.count);
    VISIT(v, e->awake.item, e->switches);
    VISIT(v, e->ready.item, e->nodes);
}

static void wire(struct state *e)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed);
    uint32_t links = SWITCH_PORTS * e->switches + e->nodes;

    fat_tree_wire(e->params.levels, e->to);
    for (uint32_t k = 0; k < links; k++)
        e->queue[k].first = e->queue[k].last = NONE;
    for (uint32_t a = 0; a < e->nodes; a++) {
        e->queue[SWITCH_PORTS * (a >> 2) + (a & 3)].from = SWITCH_PORTS * e->switches + a;
        e->source[a].first = NONE;
    }
    for (uint32_t s = 0; s < e->switches; s++) {
        struct node *n = &e->node[s];
        struct lfsr r;
        n->ports = s >= fat_tree_base(e->params.levels, e->params.levels) ? SWITCH_CHILDREN
                                                                          : SWITCH_PORTS;
        n->open = (uint8_t)((1u << n->ports) - 1);
        lfsr_reset(&r, network_switch_seed(seed, s));
        n->lfsr_q = r.lfsr_q;
        for (unsigned o = 0; o < n->ports; o++)
            e->queue[e->to[SWITCH_PORTS * s + o]].from = SWITCH_PORTS * s + o;
    }
}

static int open_worms(struct run *r)
{
    struct state *e = (struct state *)r;
    struct switch_params *p = &e->params;

    tree_params(r->config, p);
    e->nodes = fat_tree_nodes(p->levels);
    e->switches = fat_tree_switches(p->levels);
    e->mask = p->flit_w < 64 ? (UINT64_C(1) << p->flit_w) - 1 : UINT64_MAX;
    e->random = p->scan == SCAN_RR || p->scan == SCAN_FF || p->path == PATH_RP || p->path == PATH_RG ||
                p->path == PATH_RW;
    e->pool.unused = NONE;
    stream_open(&e->wheel);
    size_t links = (size_t)SWITCH_PORTS * e->switches + e->nodes;
    e->to = calloc((size_t)SWITCH_PORTS * e->switches, sizeof *e->to);
    e->queue = calloc(links, sizeof *e->queue);
    e->node = calloc(e->switches, sizeof *e->node);
    e->source = calloc(e->nodes, sizeof *e->source);
    e->awake.item = calloc(e->switches, sizeof *e->awake.item);
    e->ready.item = calloc(e->nodes, sizeof *e->ready.item);
    e->tally = calloc(links, 1);
    if (!e->to || !e->queue || !e->node || !e->source || !e->awake.item || !e->ready.item || !e->tally)
        return FATFLY_NO_MEMORY;
    wire(e);
    return FATFLY_OK;
}

/* -- who may move next ------------------------------------------------------------------------ */

static void activate(struct state *e, uint32_t k)
{
    if (!e->worm[k].listed) {
        e->worm[k].listed = true;
        append(&e->active, k);
    }
}

static void wake(struct state *e, uint32_t s)
{
    struct node *n = &e->node[s];
    if (!n->awake && n->heads) {
        n->awake = true;
        append(&e->awake, s);
    }
}

/* A worm may begin at this source, if the link has room. */
static void try_source(struct state *e, uint32_t a)
{
    struct source *q = &e->source[a];
    if (!q->listed && !q->sending && q->first != NONE) {
        q->listed = true;
        append(&e->ready, a);
    }
}

/* No worm holds the link, and there is room behind it: heads may ask again. */
static void reopen(struct state *e, const struct queue *q)
{
    uint32_t s = q->from / SWITCH_PORTS;
    if (s >= e->switches) {
        try_source(e, q->from - SWITCH_PORTS * e->switches);
        return;
    }
    e->node[s].open |= (uint8_t)(1u << q->from % SWITCH_PORTS);
    wake(e, s);
}

/* Head k is at the front of the queue at the end of `link` from the next cycle on. */
static void to_front(struct state *e, uint32_t k, uint32_t link)
{
    struct worm *w = &e->worm[k];
    uint32_t s = link / SWITCH_PORTS;
    unsigned port = link % SWITCH_PORTS;
    struct node *n = &e->node[s];

    n->want[port] = trail_want(&w->is, w->head, w->links, e->params.path);
    if (e->params.path == PATH_RW) {
        struct lfsr r = {random_bits(e, n)};
        lfsr_tick(&r);
        n->drawn[port] = (uint8_t)(n->want[port] == PARENTS ? 16u << (r.lfsr_q >> (16 + port) & 1) : n->want[port]);
    }
    n->who[port] = k;
    n->heads |= (uint8_t)(1u << port);
    w->front = e->run.now + 1;
    w->shared = false;
    if (n->want[port] & n->open)
        wake(e, s);
}

/* -- arrivals --------------------------------------------------------------------------------- */

/* Into its source's queue. */
static int enter(struct run *r, const struct traffic_worm *is)
{
    struct state *e = (struct state *)r;
    uint32_t k = worm_take(e);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    struct worm *w = &e->worm[k];
    *w = (struct worm){.is = *is, .next = NONE};
    w->address = traffic_head(&e->params, is);
    w->links = (uint8_t)(2 * worm_height(is->src, is->dst));
    struct source *q = &e->source[is->src];
    if (q->first == NONE) {
        q->first = k;
        q->front = is->ready > q->front ? is->ready : q->front;
    } else {
        e->worm[q->last].next = k;
    }
    q->last = k;
    try_source(e, is->src);
    return FATFLY_OK;
}

/* -- a cycle ---------------------------------------------------------------------------------- */

static void grant(struct state *e, uint32_t k, uint32_t link, uint64_t waited)
{
    struct worm *w = &e->worm[k];
    unsigned half = w->links / 2u;
    bool up = w->head < half;
    w->link[w->head] = link;
    w->granted = true;
    e->queue[link].busy = true;
    measure_hop(&e->run.m, e->run.now, link, up, up ? w->head : w->links - 1u - w->head, waited);
    activate(e, k);
}

static void inject(struct state *e)
{
    for (uint32_t j = 0; j < e->ready.count; j++) {
        uint32_t a = e->ready.item[j];
        struct source *q = &e->source[a];
        uint32_t link = SWITCH_PORTS * (a >> 2) + (a & 3);
        q->listed = false;
        if (e->queue[link].whole >= e->params.depth)
            continue; /* comes back when there is room */
        uint32_t k = q->first;
        struct worm *w = &e->worm[k];
        q->sending = true;
        w->injected = e->run.now;
        w->inside = e->inside.count;
        append(&e->inside, k);
        grant(e, k, link, e->run.now - q->front);
    }
    e->ready.count = 0;
}

/* As scan_eval() orders them. */
static void order_heads(const struct state *e, const struct node *n, unsigned asks,
                        uint32_t bits, arbiter_order order, uint8_t room[SWITCH_PORTS])
{
    enum scan_order scan = e->params.scan;
    unsigned start = scan == SCAN_RR || scan == SCAN_FF ? heads_start(e->run.now, bits, n->ports) : 0;
    uint64_t front[SWITCH_PORTS];
    uint8_t links[SWITCH_PORTS];

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = scan == SCAN_ROT ? scan_from[n->rot[o]]
                   : scan == SCAN_FF || scan == SCAN_FCFS ? room : scan_from[start];
    if (scan != SCAN_FF && scan != SCAN_FCFS)
        return;
    for (unsigned rest = asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        front[i] = e->worm[n->who[i]].front;
        links[i] = e->worm[n->who[i]].links;
    }
    if (scan == SCAN_FCFS)
        heads_by_age(asks, front, room);
    else
        heads_by_height(asks, links, start, room);
}

/* RW: heads whose first cycle at the front is before `cycle` want the parent that they drew. */
static void keep_drawn(const struct state *e, struct node *n, uint64_t cycle)
{
    for (unsigned rest = n->heads & 15; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (e->worm[n->who[i]].front < cycle)
            n->want[i] = n->drawn[i];
    }
}

/* One switch: who gets an output.  True if some head could still get one in the next cycle. */
static bool arbitrate(struct state *e, uint32_t s)
{
    struct node *n = &e->node[s];
    uint8_t req[SWITCH_PORTS] = {0};
    uint8_t gnt[SWITCH_PORTS];
    unsigned asks = 0;
    unsigned asked = 0;
    bool contest = false;
    uint32_t bits = 0;
    bool drawn = false;

    if (e->params.path == PATH_RW)
        keep_drawn(e, n, e->run.now);
    for (unsigned rest = n->heads; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        unsigned want = n->want[i] & n->open;
        if (!want)
            continue;
        if (n->want[i] == PARENTS && e->random) {
            if (!drawn)
                bits = random_bits(e, n);
            drawn = true;
            if (e->params.path == PATH_RP)
                want = n->open & (16u << (bits >> (16 + i) & 1));
        }
        if (!want)
            continue;
        req[i] = (uint8_t)want;
        contest |= (asked & want) || (want & (want - 1));
        asked |= want;
        asks |= 1u << i;
    }
    if (contest) {
        arbiter_order order;
        uint8_t room[SWITCH_PORTS];
        if (e->random && !drawn)
            bits = random_bits(e, n);
        order_heads(e, n, asks, bits, order, room);
        arbiter_eval(e->params.path == PATH_RW ? PATH_RG : e->params.path, n->ports == SWITCH_CHILDREN, req, bits >> 16 & 15, order, gnt);
    } else {
        memcpy(gnt, req, sizeof gnt);
    }
    for (; asks; asks &= asks - 1) {
        unsigned i = (unsigned)__builtin_ctz(asks);
        if (!gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(gnt[i]);
        uint32_t k = n->who[i];
        n->open &= (uint8_t)~gnt[i];
        n->heads &= (uint8_t)~(1u << i);
        n->rot[o] = i == 5 ? 0 : (uint8_t)(i + 1);
        grant(e, k, e->to[SWITCH_PORTS * s + o], e->run.now - e->worm[k].front);
    }
    if (e->params.path == PATH_RW)
        keep_drawn(e, n, e->run.now + 1);
    for (unsigned rest = n->heads; rest; rest &= rest - 1)
        if (n->want[__builtin_ctz(rest)] & n->open)
            return true;
    return false;
}

static void arbitrate_all(struct state *e)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < e->awake.count; j++) {
        uint32_t s = e->awake.item[j];
        if (arbitrate(e, s))
            e->awake.item[kept++] = s;
        else
            e->node[s].awake = false;
    }
    e->awake.count = kept;
}

static inline unsigned own_flits(const struct state *e, const struct worm *w, unsigned p)
{
    return trail_flits(w->plane, p, e->params.depth > 3 ? WORM_PLANES : 2);
}

static void eject(struct state *e, struct worm *w)
{
    unsigned kind = (w->got == 0 ? FLIT_HEAD : 0u) | (w->got + 1 == w->is.length ? FLIT_TAIL : 0u);
    e->run.digest += digest_flit(flit_payload(w->address, w->is.number, w->got, e->mask), kind, e->run.now,
                             w->is.dst, 0);
    w->got++;
}

/* All flits of worm k in this cycle.  False if none moved.  planes is a constant: 2 for queues of
 * up to 3 flits, else 5. */
static inline __attribute__((always_inline)) bool advance(struct state *e, uint32_t k,
                                                          unsigned planes)
{
    struct worm *w = &e->worm[k];
    uint32_t depth = e->params.depth;
    uint32_t blocked = 0;
    if (w->shared) { /* in the queue of the head, earlier worms' flits count, too */
        unsigned p = w->head - 1u;
        blocked = (uint32_t)(own_flits(e, w, p) + e->queue[w->link[p]].whole >= depth) << p;
    }
    uint32_t moves = trail_ready(w->plane, depth, w->sent < w->is.length, planes) & ~blocked &
                     ((UINT32_C(1) << w->head) - 1);
    if (w->granted) {
        w->granted = false;
        moves |= UINT32_C(1) << w->head;
        if (++w->head == w->links)
            w->arrived = e->run.now;
        else
            append(&e->heads, k);
    }
    if (!moves)
        return false;
    if (worm_streams(w, moves)) {
        w->sent++;
        eject(e, w);
        stream_sleep(e, k);
        return false;
    }

    uint32_t last = UINT32_C(1) << (w->links - 1u);
    trail_move(w->plane, moves, last, planes);
    bool whole = w->sent == w->is.length; /* the tail is in queue tail - 1 */
    w->sent += moves & 1;
    if (moves & last)
        eject(e, w);
    if (whole ? moves >> w->tail & 1 : w->sent == w->is.length)
        append(&e->tails, k);
    return true;
}

static void advance_all(struct state *e)
{
    uint32_t kept = 0;
    if (e->params.depth <= 3) {
        for (uint32_t j = 0; j < e->active.count; j++) {
            uint32_t k = e->active.item[j];
            if (advance(e, k, 2))
                e->active.item[kept++] = k;
            else
                e->worm[k].listed = false;
        }
    } else {
        for (uint32_t j = 0; j < e->active.count; j++) {
            uint32_t k = e->active.item[j];
            if (advance(e, k, WORM_PLANES))
                e->active.item[kept++] = k;
            else
                e->worm[k].listed = false;
        }
    }
    e->active.count = kept;
}

/* A flit has left the queue, and no flit of its worm is still to come. */
static void leave(struct state *e, uint32_t link)
{
    struct queue *q = &e->queue[link];
    bool was_full = q->whole == e->params.depth;
    q->whole--;
    if (q->busy) {
        if (q->last != NONE)
            activate(e, q->last); /* it has room to follow */
    } else if (was_full) {
        reopen(e, q);
    }
}

static void finish(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    measure_delivered(&e->run.m, &w->is, w->injected, w->arrived, e->run.now, w->links);
    e->run.hops += (uint64_t)w->is.length * w->links;
    uint32_t other = e->inside.item[--e->inside.count];
    e->inside.item[w->inside] = other;
    e->worm[other].inside = w->inside;
    w->got = UINT32_MAX; /* to be taken off the active list */
}

/* The tail of worm k is whole inside the network, and a flit has left the queue that it is in. */
static void tail_moves(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    unsigned t = w->tail;

    if (t > 0) {
        leave(e, w->link[t - 1]);
        if (own_flits(e, w, t - 1))
            return;
    }
    /* It was the tail, over link t. */
    struct queue *q = &e->queue[w->link[t]];
    bool up = t < w->links / 2u;
    measure_tail(&e->run.m, e->run.now, up, up ? t : w->links - 1u - t, w->is.length);
    q->busy = false;
    w->tail++;
    if (t + 1 < w->links)
        q->whole = (uint8_t)(q->whole + own_flits(e, w, t));
    if (t == 0) {
        struct source *s = &e->source[w->is.src];
        s->sending = false;
        s->first = w->next;
        s->front = e->run.now + 1;
        if (s->first != NONE && e->worm[s->first].is.ready > s->front)
            s->front = e->worm[s->first].is.ready;
        w->next = NONE;
    } else {
        struct queue *before = &e->queue[w->link[t - 1]];
        uint32_t next = before->first;
        if (next != NONE) {
            before->first = e->worm[next].behind;
            if (before->first == NONE)
                before->last = NONE;
            to_front(e, next, w->link[t - 1]);
        }
    }
    if (q->whole < e->params.depth)
        reopen(e, q);
    if (t + 1 == w->links)
        finish(e, k);
}

/* The head of worm k has entered a queue. */
static void head_enters(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    uint32_t link = w->link[w->head - 1];
    struct queue *q = &e->queue[link];
    unsigned others = q->whole - (w->tail == w->head ? own_flits(e, w, w->head - 1u) : 0);

    if (!others) {
        to_front(e, k, link);
        return;
    }
    w->shared = true;
    w->behind = NONE;
    if (q->last == NONE)
        q->first = k;
    else
        e->worm[q->last].behind = k;
    q->last = k;
}

static void settle(struct state *e)
{
    bool done = false;
    for (uint32_t j = 0; j < e->tails.count; j++) {
        tail_moves(e, e->tails.item[j]);
        done |= e->worm[e->tails.item[j]].got == UINT32_MAX;
    }
    for (uint32_t j = 0; j < e->heads.count; j++)
        head_enters(e, e->heads.item[j]);
    e->tails.count = e->heads.count = 0;
    if (!done)
        return;
    uint32_t kept = 0;
    for (uint32_t j = 0; j < e->active.count; j++) {
        uint32_t k = e->active.item[j];
        if (e->worm[k].got != UINT32_MAX) {
            e->active.item[kept++] = k;
        } else {
            POOL_GIVE(e->worm, e->pool, k);
        }
    }
    e->active.count = kept;
}

/* The roots have none for their parents. */
static uint64_t queues(const struct state *e)
{
    return (uint64_t)SWITCH_PORTS * e->switches - 2 * (uint64_t)(e->nodes >> e->params.levels >> 1);
}

/* Flits in every queue at the start of this cycle. */
static void sample_queues(struct state *e)
{
    struct fatfly_result *r = e->run.m.result;
    uint64_t used = 0;

    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        for (unsigned p = w->sent == w->is.length ? w->tail - 1u : 0; p < w->head && p + 1u < w->links; p++) {
            unsigned flits = own_flits(e, w, p);
            bool up = p < w->links / 2u;
            measure_level(&e->run.m, up, up ? p : w->links - 1u - p)->occupancy += flits;
            e->tally[w->link[p]] = (uint8_t)(e->tally[w->link[p]] + flits);
        }
    }
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        for (unsigned p = 0; p < w->head && p + 1u < w->links; p++)
            if (e->tally[w->link[p]]) {
                r->occupied[e->tally[w->link[p]]]++;
                e->tally[w->link[p]] = 0;
                used++;
            }
    }
    r->occupied[0] += queues(e) - used;
    r->samples++;
}

/* Hops of the flits that are still under way. */
static uint64_t hops_inside(const struct state *e)
{
    uint64_t hops = 0;
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        hops += (uint64_t)w->got * w->links;
        for (unsigned p = 0; p < w->links; p++)
            hops += (uint64_t)own_flits(e, w, p) * (p + 1);
    }
    return hops;
}

static bool idle(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return !e->active.count && !e->awake.count && !e->ready.count && !e->wheel.count;
}

/* Where there is nothing to do but for worms that sleep. */
static uint64_t next(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return e->active.count || e->awake.count || e->ready.count ? r->now : stream_next(e);
}

/* Of a network that is empty, or whose worms all sleep. */
static void sample(struct run *r, uint64_t to)
{
    struct state *e = (struct state *)r;
    uint64_t samples = run_ticks(r, to);
    for (; samples && e->wheel.count; samples--)
        sample_queues(e);
    r->m.result->samples += samples;
    r->m.result->occupied[0] += samples * queues(e);
}

static int step(struct run *r)
{
    struct state *e = (struct state *)r;

    if (measure_samples(&r->m, r->now))
        sample_queues(e);
    stream_wake(e);
    inject(e);
    arbitrate_all(e);
    advance_all(e);
    settle(e);
    return FATFLY_OK;
}

/* Links of worms under way that their heads have crossed and their tails have not. */
static void count_inside(struct state *e)
{
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        uint64_t flits = w->got;
        for (unsigned p = w->links; p-- > w->tail;) {
            bool up = p < w->links / 2u;
            flits += own_flits(e, w, p);
            measure_under_way(&e->run.m, up, up ? p : w->links - 1u - p, flits);
        }
    }
}

static void finish_run(struct run *r)
{
    struct state *e = (struct state *)r;
    stream_count(e);
    r->hops += hops_inside(e);
    if (measure_unfinished(&r->m, r->now))
        count_inside(e);
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return t->levels && c->vcs == 1 && !discipline_of(c)->packets;
}

const struct engine engine_worm = {
    .name = "fast", .state = sizeof(struct state), .can = can, .memory = memory, .open = open_worms,
    .close = close_worms, .enter = enter, .step = step, .sample = sample, .idle = idle, .next = next,
    .visit = visit, .finish = finish_run};
