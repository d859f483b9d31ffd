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
#include "place.h"
#include "worm_fetch.h"

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

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    return worm_memory(c, t, 1);
}

static int open_worms(struct run *r)
{
    struct state *e = (struct state *)r;
    unsigned levels = r->topology->levels;
    uint32_t switches = fat_tree_switches(levels);

    e->node = lines_longer(NULL, 0, switches, sizeof *e->node);
    e->source = lines_longer(NULL, 0, fat_tree_nodes(levels), sizeof *e->source);
    e->tally = lines_longer(NULL, 0, switches, PLACES);
    return worm_open(e, 0, 1);
}

static void close_worms(struct run *r)
{
    struct state *e = (struct state *)r;
    worm_close(e);
    free(e->node);
    free(e->source);
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

static void reopen(struct state *e, uint32_t from)
{
    uint32_t s = from >> PLACE_SHIFT;
    if (s >= e->switches) {
        if (!(from & GATE)) /* gate_room() */
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
    uint8_t links = (uint8_t)(2 * worm_height(is->src, is->dst));
    *w = (struct worm){.next = NONE, .length = is->length, .dst = is->dst,
                       .links = links, .end = links};
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

/* Worm k gets the link that leads to `link`, a place or GATE | gate. */
static void grant(struct state *e, uint32_t k, uint32_t link, uint64_t waited)
{
    struct worm *w = &e->worm[k];
    unsigned half = w->links / 2u, s = link >> PLACE_SHIFT;
    bool up = w->head < half;
    if (s < e->switches) {
        e->node[s].busy[link % PLACES] = true;
    } else if (link & GATE) {
        struct gate *g = &e->gate[link - GATE];
        g->busy = true;
        g->holder = k;
        w->dst = link - GATE;
        w->end = w->head + 1;
        link = g->link;
        s = link >> PLACE_SHIFT;
    } else {
        s = e->switches;
    }
    e->passenger[k].link[w->head] = link;
    w->granted = true;
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
        q->sending = true;
        e->passenger[k].injected = e->run.now;
        worm_inside(e, k);
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
 * up to 3 flits, else 5; gates, too: whether there are any. */
TRAIL_INLINE bool advance(struct state *e, struct worm *w, uint32_t k, uint32_t depth, unsigned planes, bool gates)
{
    bool comes = gates && w->first, leaves = gates && worm_leaves(w); /* by a gate */
    uint32_t blocked = 0, last = UINT32_C(1) << (w->end - 1u);
    if (gates && w->asleep) /* since the clock edge */
        return false;
    if (leaves && !e->gate[w->dst].room)
        blocked = last;
    if (w->shared) { /* in the queue of the head, earlier worms' flits count, too */
        unsigned p = w->head - 1u;
        blocked |= (uint32_t)(own_flits(e, w, p) + *whole_at(e, e->passenger[k].link[p]) >= depth) << p;
    }
    uint32_t moves = trail_ready(w->plane, depth, !comes && w->sent < w->length, planes) & ~blocked &
                     ((UINT32_C(1) << w->head) - 1);
    if (w->granted) {
        w->granted = false;
        moves |= UINT32_C(1) << w->head;
        if (++w->head == w->end)
            e->passenger[k].arrived = e->run.now;
        else
            append(&e->heads, k);
    }
    bool flows = gates && moves == (last << 1) - (comes ? UINT32_C(2) << w->first : 1);
    if (comes)
        w->flows = flows && !leaves;
    if (!moves) {
        if (w->got == UINT32_MAX) {
            POOL_GIVE(e->worm, e->pool, k);
            e->finished--;
        }
        return false;
    }
    if (!leaves && worm_streams(w, moves)) {
        w->sent++;
        eject(e, w, &e->passenger[k]);
        stream_sleep(e, k);
        return false;
    }

    trail_move(w->plane, moves, last, planes);
    bool whole = w->sent == w->length; /* the tail is in queue tail - 1 */
    w->sent += moves & 1;
    if (moves & last) {
        if (leaves)
            gate_flit(e, k, flows && !comes);
        else
            eject(e, w, &e->passenger[k]);
    }
    if (comes && moves >> w->first & 2)
        gate_room(e, k);
    if (whole ? moves >> w->tail & 1 : w->sent == w->length)
        append(&e->tails, k);
    return true;
}

TRAIL_INLINE void advance_planes(struct state *e, unsigned planes, bool gates)
{
    uint32_t kept = 0, depth = e->params.depth, *item = e->active.item;

    for (uint32_t j = 0; j < e->active.count; j++) {
        uint32_t k = item[j];
        if (e->large)
            fetch_active(e, j);
        if (advance(e, &e->worm[k], k, depth, planes, gates))
            item[kept++] = k;
        else
            e->worm[k].listed = false;
    }
    e->active.count = kept;
}

static void advance_all(struct state *e)
{
    if (e->params.depth <= 3 && !e->gate)
        advance_planes(e, 2, false);
    else if (e->params.depth <= 3)
        advance_planes(e, 2, true);
    else if (!e->gate)
        advance_planes(e, WORM_PLANES, false);
    else
        advance_planes(e, WORM_PLANES, true);
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

/* Worm k has arrived, or has left this part. */
static void finish(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    const struct passenger *who = &e->passenger[k];
    if (!worm_leaves(w)) {
        measure_delivered(&e->run.m, &who->is, who->injected, who->arrived, e->run.now, w->links);
        e->run.hops += (uint64_t)w->length * w->links;
    }
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
    if (t + 1 == w->end) {
        struct gate *g = &e->gate[w->dst];
        g->busy = false;
        if (g->room)
            reopen(e, g->at);
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
    if (t + 1 == w->end)
        finish(e, k);
}

TRAIL_INLINE void head_enters(struct state *e, uint32_t k)
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

/* -- for what comes from other parts ---------------------------------------------------------- */

void worm_activate(struct state *e, uint32_t k)
{
    activate(e, k);
}

void worm_reopen(struct state *e, uint32_t from)
{
    reopen(e, from);
}

void worm_head_enters(struct state *e, uint32_t k)
{
    head_enters(e, k);
}

/* -- the engine ------------------------------------------------------------------------------- */

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
    for (; samples && e->inside.count; samples--)
        worm_sample(e);
    r->m.result->samples += samples;
    r->m.result->occupied[0] += samples * e->queues;
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
