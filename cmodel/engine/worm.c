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
#include "worm_state.h"

#include "digest.h"
#include "discipline.h"
#include "fat_tree.h"
#include "heads.h"
#include "lines.h"
#include "network.h"
#include "place.h"
#include "rng.h"
#include "tree.h"
#include "worm_fetch.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEWEST = 256,    /* worms that there is room for */
    LARGE = 1 << 14, /* processors */
    LARGER = 1 << 16,
};

/* -- random bits ---------------------------------------------------------------------------- */

/* The switch's random bits of this cycle. */
static uint32_t random_bits(struct state *e, struct node *n)
{
    uint64_t gap = e->run.now - n->time;
    n->time = e->run.now;
    return n->lfsr_q = jumps_after(&e->jumps, n->lfsr_q, gap);
}

/* -- memory --------------------------------------------------------------------------------- */

/* Worms that there is room for at first: of a static run all that it has. */
static uint32_t first_worms(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t worms = measure_worms(t, c);
    return c->load <= 0 && c->pattern != FATFLY_MESSAGES && worms > FEWEST && worms < NONE / 4 ? (uint32_t)worms : FEWEST;
}

/* Twice as many worms, or the first ones. */
static bool more_worms(struct state *e)
{
    uint32_t was = e->pool.count;
    uint32_t count = was ? 2 * was : e->run.fed ? FEWEST : first_worms(e->run.config, e->run.topology);
    struct worm *worm = was < NONE / 4 ? lines_longer(e->worm, was, count, sizeof *worm) : NULL;
    struct passenger *passenger = worm ? lines_longer(e->passenger, was, count, sizeof *passenger) : NULL;

    e->worm = worm ? worm : e->worm;
    e->passenger = passenger ? passenger : e->passenger;
    if (!passenger || !lengthen(&e->active, count) || !lengthen(&e->tails, count) || /* none holds more than all */
        !lengthen(&e->heads, count) || !lengthen(&e->inside, count))
        return false;
    for (uint32_t k = was; k < count; k++)
        worm[k].next = k + 1 < count ? k + 1 : NONE;
    e->pool = (struct pool){.count = count, .unused = was};
    return true;
}

static uint32_t worm_take(struct state *e)
{
    if (e->pool.unused == NONE && !more_worms(e))
        return NONE;
    uint32_t k = e->pool.unused;
    e->pool.unused = e->worm[k].next;
    return k;
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t switches = c->nodes / 2;
    uint64_t worms = measure_worms(t, c);
    uint64_t places = first_worms(c, t); /* more_worms() doubles them */
    while (places < worms)
        places *= 2;
    return places * (sizeof(struct worm) + sizeof(struct passenger) + 16) +
           switches * (sizeof(struct node) + 8 + PLACES) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + 8) +
           sizeof(struct state);
}

static void close_worms(struct run *r)
{
    struct state *e = (struct state *)r;
    free(e->node);
    free(e->source);
    free(e->worm);
    free(e->passenger);
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
    VISIT(v, e->node, e->switches);
    VISIT(v, e->source, e->nodes);
    VISIT(v, e->worm, e->pool.count);
    VISIT(v, e->passenger, e->pool.count);
    VISIT(v, e->tally, PLACES * (size_t)e->switches);
    for (unsigned k = 0; k < 4; k++)
        VISIT(v, lists[k]->item, e->pool.count);
    VISIT(v, e->awake.item, e->switches);
    VISIT(v, e->ready.item, e->nodes);
}

static void wire(struct state *e)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed);
    unsigned levels = e->params.levels;

    for (uint32_t a = 0; a < e->nodes; a++)
        e->source[a].first = NONE;
    for (unsigned l = 1; l <= levels; l++)
        for (uint32_t s = fat_tree_base(levels, l); s < fat_tree_base(levels, l + 1); s++) {
            struct node *n = &e->node[s];
            struct lfsr r;
            n->ports = l == levels ? SWITCH_CHILDREN : SWITCH_PORTS;
            n->open = (uint8_t)((1u << n->ports) - 1);
            lfsr_reset(&r, network_switch_seed(seed, s));
            n->lfsr_q = r.lfsr_q;
            for (unsigned o = 0; o < SWITCH_PORTS; o++) {
                n->to[o] = place_of(fat_tree_output(levels, l, s - fat_tree_base(levels, l), o), e->switches);
                n->last[o] = NONE;
            }
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
    e->large = e->nodes >= LARGE;
    e->larger = e->nodes >= LARGER;
    e->node = lines_longer(NULL, 0, e->switches, sizeof *e->node);
    e->source = lines_longer(NULL, 0, e->nodes, sizeof *e->source);
    e->awake.item = calloc(e->switches, sizeof *e->awake.item);
    e->ready.item = calloc(e->nodes, sizeof *e->ready.item);
    e->tally = lines_longer(NULL, 0, e->switches, PLACES);
    if (!e->node || !e->source || !e->awake.item || !e->ready.item || !e->tally)
        return FATFLY_NO_MEMORY;
    wire(e);
    return FATFLY_OK;
}

/* -- who may move next ------------------------------------------------------------------------ */

TRAIL_INLINE void activate(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    if (!w->listed) {
        w->listed = true;
        append(&e->active, k);
        if (w->inside < e->counted)
            worm_uncount(e, k);
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

/* No worm holds the link that leaves from there, and there is room behind it: heads may ask again. */
static void reopen(struct state *e, uint32_t from)
{
    uint32_t s = from >> PLACE_SHIFT;
    if (s >= e->switches) {
        try_source(e, from - PLACES * e->switches);
        return;
    }
    e->node[s].open |= (uint8_t)(1u << from % PLACES);
    wake(e, s);
}

/* Head k is at the front of the queue at the end of `link` from the next cycle on. */
static void to_front(struct state *e, uint32_t k, uint32_t link)
{
    struct worm *w = &e->worm[k];
    uint32_t s = link >> PLACE_SHIFT;
    unsigned port = link % PLACES;
    struct node *n = &e->node[s];

    n->want[port] = trail_want(w->dst, &e->passenger[k].is.path, w->head, w->links, e->params.path);
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
    *w = (struct worm){.next = NONE, .length = is->length, .dst = is->dst,
                       .links = (uint8_t)(2 * worm_height(is->src, is->dst))};
    e->passenger[k].is = *is;
    e->passenger[k].address = traffic_head(&e->params, is);
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
    unsigned half = w->links / 2u, s = link >> PLACE_SHIFT;
    bool up = w->head < half;
    e->passenger[k].link[w->head] = link;
    w->granted = true;
    if (s < e->switches)
        e->node[s].busy[link % PLACES] = true;
    else
        s = e->switches;
    measure_hop(&e->run.m, e->run.now, link - 2 * s, up, up ? w->head : w->links - 1u - w->head, waited);
    activate(e, k);
}

static void inject(struct state *e)
{
    for (uint32_t j = 0; j < e->ready.count; j++) {
        uint32_t a = e->ready.item[j];
        struct source *q = &e->source[a];
        uint32_t link = place_of_entry(a);
        q->listed = false;
        if (e->node[a >> 2].whole[a & 3] >= e->params.depth)
            continue; /* comes back when there is room */
        uint32_t k = q->first;
        struct worm *w = &e->worm[k];
        q->sending = true;
        e->passenger[k].injected = e->run.now;
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
        grant(e, k, n->to[o], e->run.now - e->worm[k].front);
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
        if (e->large)
            fetch_awake(e, j);
        if (e->larger)
            fetch_counters(e, j);
        if (arbitrate(e, s))
            e->awake.item[kept++] = s;
        else
            e->node[s].awake = false;
    }
    e->awake.count = kept;
}

static inline uint8_t *whole_at(const struct state *e, uint32_t link)
{
    return &e->node[link >> PLACE_SHIFT].whole[link % PLACES];
}

static void eject(struct state *e, struct worm *w, const struct passenger *who)
{
    unsigned kind = (w->got == 0 ? FLIT_HEAD : 0u) | (w->got + 1 == w->length ? FLIT_TAIL : 0u);
    e->run.digest += digest_flit(flit_payload(who->address, who->is.number, w->got, e->mask), kind, e->run.now,
                                 w->dst, 0);
    w->got++;
}

/* All flits of worm k in this cycle.  False if none moved.  planes is a constant: 2 for queues of
 * up to 3 flits, else 5. */
TRAIL_INLINE bool advance(struct state *e, struct worm *w, uint32_t k, uint32_t depth, unsigned planes)
{
    uint32_t blocked = 0;
    if (w->shared) { /* in the queue of the head, earlier worms' flits count, too */
        unsigned p = w->head - 1u;
        blocked = (uint32_t)(own_flits(e, w, p) + *whole_at(e, e->passenger[k].link[p]) >= depth) << p;
    }
    uint32_t moves = trail_ready(w->plane, depth, w->sent < w->length, planes) & ~blocked &
                     ((UINT32_C(1) << w->head) - 1);
    if (w->granted) {
        w->granted = false;
        moves |= UINT32_C(1) << w->head;
        if (++w->head == w->links)
            e->passenger[k].arrived = e->run.now;
        else
            append(&e->heads, k);
    }
    if (!moves) {
        if (w->got == UINT32_MAX) {
            POOL_GIVE(e->worm, e->pool, k);
            e->finished--;
        }
        return false;
    }
    if (worm_streams(w, moves)) {
        w->sent++;
        eject(e, w, &e->passenger[k]);
        stream_sleep(e, k);
        return false;
    }

    uint32_t last = UINT32_C(1) << (w->links - 1u);
    trail_move(w->plane, moves, last, planes);
    bool whole = w->sent == w->length; /* the tail is in queue tail - 1 */
    w->sent += moves & 1;
    if (moves & last)
        eject(e, w, &e->passenger[k]);
    if (whole ? moves >> w->tail & 1 : w->sent == w->length)
        append(&e->tails, k);
    return true;
}

TRAIL_INLINE void advance_planes(struct state *e, unsigned planes)
{
    uint32_t kept = 0, depth = e->params.depth, *item = e->active.item;

    for (uint32_t j = 0; j < e->active.count; j++) {
        uint32_t k = item[j];
        if (e->large)
            fetch_active(e, j);
        if (advance(e, &e->worm[k], k, depth, planes))
            item[kept++] = k;
        else
            e->worm[k].listed = false;
    }
    e->active.count = kept;
}

static void advance_all(struct state *e)
{
    if (e->params.depth <= 3)
        advance_planes(e, 2);
    else
        advance_planes(e, WORM_PLANES);
}

/* A flit has left the queue, and no flit of its worm is still to come. */
static void leave(struct state *e, uint32_t link)
{
    struct node *n = &e->node[link >> PLACE_SHIFT];
    unsigned port = link % PLACES;
    bool was_full = n->whole[port] == e->params.depth;
    n->whole[port]--;
    if (n->busy[port]) {
        if (n->last[port] != NONE)
            activate(e, n->last[port]); /* it has room to follow */
    } else if (was_full) {
        reopen(e, n->to[port]);
    }
}

static void finish(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    const struct passenger *who = &e->passenger[k];
    measure_delivered(&e->run.m, &who->is, who->injected, who->arrived, e->run.now, w->links);
    e->run.hops += (uint64_t)w->length * w->links;
    uint32_t other = e->inside.item[--e->inside.count]; /* it is active, and so not counted */
    e->inside.item[w->inside] = other;
    e->worm[other].inside = w->inside;
    w->got = UINT32_MAX;
    e->finished++;
}

/* The tail has left the source. */
static void next_of_source(struct state *e, uint32_t k)
{
    struct source *s = &e->source[e->passenger[k].is.src];
    s->sending = false;
    s->first = e->worm[k].next;
    s->front = e->run.now + 1;
    if (s->first != NONE && e->passenger[s->first].is.ready > s->front)
        s->front = e->passenger[s->first].is.ready;
    e->worm[k].next = NONE;
}

/* The next head behind a tail that has left the queue, if there is one. */
static void next_head(struct state *e, uint32_t link)
{
    struct node *n = &e->node[link >> PLACE_SHIFT];
    unsigned port = link % PLACES;
    uint32_t last = n->last[port];
    if (last == NONE)
        return;
    uint32_t next = e->worm[last].behind;
    if (next == last)
        n->last[port] = NONE;
    else
        e->worm[last].behind = e->worm[next].behind;
    to_front(e, next, link);
}

/* The tail of worm k has crossed link t, over which nothing more will come. */
static void free_link(struct state *e, uint32_t k, unsigned t)
{
    const struct worm *w = &e->worm[k];
    if (t + 1 == w->links) {
        reopen(e, place_of_entry(w->dst));
        return;
    }
    uint32_t link = e->passenger[k].link[t];
    struct node *n = &e->node[link >> PLACE_SHIFT];
    unsigned port = link % PLACES;
    n->busy[port] = false;
    n->whole[port] = (uint8_t)(n->whole[port] + own_flits(e, w, t));
    if (n->whole[port] < e->params.depth)
        reopen(e, n->to[port]);
}

/* The tail of worm k is whole inside the network, and a flit has left the queue that it is in. */
static void tail_moves(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    const uint32_t *link = e->passenger[k].link;
    unsigned t = w->tail;

    if (t > 0) {
        leave(e, link[t - 1]);
        if (own_flits(e, w, t - 1))
            return;
    }
    /* It was the tail, over link t. */
    bool up = t < w->links / 2u;
    measure_tail(&e->run.m, e->run.now, up, up ? t : w->links - 1u - t, w->length);
    w->tail++;
    if (t == 0)
        next_of_source(e, k);
    else
        next_head(e, link[t - 1]);
    free_link(e, k, t);
    if (t + 1 == w->links)
        finish(e, k);
}

/* The head of worm k has entered a queue. */
static void head_enters(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    uint32_t link = e->passenger[k].link[w->head - 1];
    struct node *n = &e->node[link >> PLACE_SHIFT];
    unsigned port = link % PLACES;
    unsigned others = n->whole[port] - (w->tail == w->head ? own_flits(e, w, w->head - 1u) : 0);
    uint32_t last = n->last[port];

    if (!others) {
        to_front(e, k, link);
        return;
    }
    w->shared = true;
    w->behind = last == NONE ? k : e->worm[last].behind;
    if (last != NONE)
        e->worm[last].behind = k;
    n->last[port] = k;
}

static void settle(struct state *e)
{
    for (uint32_t j = 0; j < e->tails.count; j++) {
        if (e->large)
            fetch_tails(e, j);
        tail_moves(e, e->tails.item[j]);
    }
    for (uint32_t j = 0; j < e->heads.count; j++) {
        if (e->large)
            fetch_entered(e, j);
        head_enters(e, e->heads.item[j]);
    }
    e->tails.count = e->heads.count = 0;
}

/* Nothing is to be looked at but worms that sleep. */
static bool rests(const struct state *e)
{
    return e->active.count == e->finished && !e->awake.count && !e->ready.count;
}

static bool idle(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return rests(e) && !e->wheel.count;
}

/* Where there is nothing to do but for worms that sleep. */
static uint64_t next(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return rests(e) ? stream_next(e) : r->now;
}

/* Of a network that is empty, or whose worms all sleep. */
static void sample(struct run *r, uint64_t to)
{
    struct state *e = (struct state *)r;
    uint64_t samples = run_ticks(r, to);
    for (; samples && e->wheel.count; samples--)
        worm_sample(e);
    r->m.result->samples += samples;
    r->m.result->occupied[0] += samples * worm_queues(e);
}

static int step(struct run *r)
{
    struct state *e = (struct state *)r;

    if (measure_samples(&r->m, r->now))
        worm_sample(e);
    stream_wake(e);
    inject(e);
    arbitrate_all(e);
    advance_all(e);
    settle(e);
    return FATFLY_OK;
}

static void finish_run(struct run *r)
{
    struct state *e = (struct state *)r;
    stream_count(e);
    r->hops += worm_hops_inside(e);
    if (measure_unfinished(&r->m, r->now))
        worm_count_inside(e);
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return t->levels && c->vcs == 1 && !discipline_of(c)->packets && heads_know(c);
}

const struct engine engine_worm = {
    .name = "fast", .state = sizeof(struct state), .can = can, .memory = memory, .open = open_worms,
    .close = close_worms, .enter = enter, .step = step, .sample = sample, .idle = idle, .next = next,
    .visit = visit, .finish = finish_run};
