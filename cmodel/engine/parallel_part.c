/* SPDX-License-Identifier: Apache-2.0
 * parallel_part.c - a cycle of one part of a run (parallel.h).  It decides as worm.c does: all decisions
 * use the state at the start of the cycle, and what they found is applied at the clock edge, first
 * here, then what the other parts wrote.
 */
#include "parallel.h"

#include "arbiter.h"
#include "digest.h"
#include "fat_tree.h"
#include "heads.h"
#include "lines.h"

enum { NONE = POOL_NONE };

/* Most of what a cycle of a large network looks at is in no cache, so it is asked for some items before. */
enum { AHEAD = 6, FAR_AHEAD = 12 };

static void fetch(const void *what)
{
    __builtin_prefetch(what, 1);
}

/* The switch's random bits of this cycle. */
static uint32_t random_bits(struct part *p, struct junction *n)
{
    uint64_t gap = p->now - n->time;
    n->time = p->now;
    return n->lfsr_q = jumps_after(&p->jumps, n->lfsr_q, gap);
}

/* -- letters ---------------------------------------------------------------------------------- */

static struct letter *letter_to(struct part *p, uint32_t part)
{
    p->wrote = true;
    return p->out[p->turn][part];
}

static void tell_left(struct part *p, const struct entry *e)
{
    struct letter *l = letter_to(p, e->part);
    l->word[l->count++] = e->gate * LETTER_TAGS + LETTER_LEFT;
}

static void tell_flit(struct part *p, const struct gate *g)
{
    struct letter *l = letter_to(p, g->part);
    l->word[l->count++] = g->entry * LETTER_TAGS + LETTER_FLIT;
}

static void tell_head(struct part *p, const struct gate *g, const struct piece *w, const struct passenger *is)
{
    struct letter *l = letter_to(p, g->part);
    const struct arrival a = {.is = is->is, .injected = is->injected,
                              .base = w->base + (uint64_t)__builtin_ctz(w->last)};
    l->word[l->count] = g->entry * LETTER_TAGS + LETTER_HEAD;
    memcpy(&l->word[l->count + 1], &a, sizeof a);
    l->count += 1 + ARRIVAL_WORDS;
}

/* -- who may move next ------------------------------------------------------------------------ */

void part_activate(struct part *p, uint32_t k)
{
    struct piece *w = &p->worm[k];
    if (w->listed)
        return;
    w->listed = true;
    append(&p->active, k);
    if (w->inside >= p->counted)
        return;
    part_tally(p, k, -1);
    uint32_t other = p->inside[--p->counted]; /* to those not counted */
    p->inside[w->inside] = other;
    p->worm[other].inside = w->inside;
    p->inside[p->counted] = k;
    w->inside = p->counted;
}

static void wake(struct part *p, uint32_t s)
{
    struct junction *n = &p->of->node[s];
    if (!n->awake && n->heads) {
        n->awake = true;
        append(&p->awake, s);
    }
}

/* A worm may begin at this source, if the link has room. */
static void try_source(struct part *p, uint32_t a)
{
    struct origin *q = &p->of->source[a];
    if (!q->listed && !q->sending && q->first != NONE) {
        q->listed = true;
        append(&p->ready, a);
    }
}

/* No worm holds the link that leaves here, and there is room behind it: heads may ask again. */
void part_reopen(struct part *p, uint32_t from)
{
    uint32_t s = from / SWITCH_PORTS;
    if (s >= p->of->switches) {
        try_source(p, from - SWITCH_PORTS * p->of->switches);
        return;
    }
    p->of->node[s].open |= (uint8_t)(1u << from % SWITCH_PORTS);
    wake(p, s);
}

/* Head k is at the front of the queue at the end of `link` from the next cycle on. */
static void to_front(struct part *p, uint32_t k, uint32_t link)
{
    const struct parallel *e = p->of;
    struct piece *w = &p->worm[k];
    const struct traffic_worm *is = &p->passenger[k].is;
    uint32_t s = link / SWITCH_PORTS;
    unsigned port = link % SWITCH_PORTS, head = w->base + w->head;
    struct junction *n = &e->node[s];

    n->want[port] = trail_want(is->dst, &is->path, head, w->links, e->params.path);
    if (e->params.path == PATH_RW) {
        struct lfsr r = {random_bits(p, n)};
        lfsr_tick(&r);
        n->drawn[port] = (uint8_t)(n->want[port] == PARENTS ? 16u << (r.lfsr_q >> (16 + port) & 1)
                                                            : n->want[port]);
    }
    n->who[port] = k;
    n->links[port] = w->links;
    n->front[port] = p->now + 1;
    n->heads |= (uint8_t)(1u << port);
    w->shared = false;
    if (n->want[port] & n->open)
        wake(p, s);
}

/* -- arrivals --------------------------------------------------------------------------------- */

/* Worms that there is room for at first: of a static run those that begin here, and a quarter for others that come. */
static uint32_t first_worms(const struct parallel *e)
{
    enum { FEWEST = 256 };
    const struct fatfly_config *c = e->run.config;
    uint64_t worms = measure_worms(e->run.topology, c) / e->parts * 5 / 4;
    return c->load <= 0 && c->pattern != FATFLY_MESSAGES && worms > FEWEST && worms < NONE / 4 ? (uint32_t)worms : FEWEST;
}

/* Half as many again, or the first ones. */
static bool more_worms(struct part *p)
{
    uint32_t was = p->pool.count, count = was ? was + was / 2 : first_worms(p->of);
    struct piece *worm = was < NONE / 4 ? lines_longer(p->worm, was, count, sizeof *worm) : NULL;
    struct passenger *passenger = worm ? lines_longer(p->passenger, was, count, sizeof *passenger) : NULL;
    uint32_t *inside = passenger ? lines_longer(p->inside, was, count, sizeof *inside) : NULL;

    p->worm = worm ? worm : p->worm;
    p->passenger = passenger ? passenger : p->passenger;
    p->inside = inside ? inside : p->inside;
    if (!inside || !lengthen(&p->active, count) || !lengthen(&p->tails, count) || /* none holds more than all */
        !lengthen(&p->heads, count) || !lengthen(&p->leavers, count))
        return false;
    for (uint32_t k = was; k < count; k++)
        worm[k].next = k + 1 < count ? k + 1 : NONE;
    p->pool = (struct pool){.count = count, .unused = was};
    return true;
}

uint32_t part_take(struct part *p)
{
    if (p->pool.unused == NONE && !more_worms(p))
        return NONE;
    uint32_t k = p->pool.unused;
    p->pool.unused = p->worm[k].next;
    return k;
}

void part_go_inside(struct part *p, uint32_t k)
{
    p->worm[k].inside = p->inside_count;
    p->inside[p->inside_count++] = k;
}

static int enter(struct part *p, const struct traffic_worm *is)
{
    uint32_t k = part_take(p);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    struct piece *w = &p->worm[k];
    *w = (struct piece){.next = NONE, .exit = NONE, .entry = NONE, .length = is->length,
                        .links = (uint8_t)(2 * worm_height(is->src, is->dst))};
    struct passenger *who = &p->passenger[k];
    who->is = *is;
    who->address = traffic_head(&p->of->params, is);
    struct origin *q = &p->of->source[is->src];
    if (q->first == NONE) {
        q->first = k;
        q->front = is->ready > q->front ? is->ready : q->front;
    } else {
        p->worm[q->last].next = k;
    }
    q->last = k;
    try_source(p, is->src);
    return FATFLY_OK;
}

/* -- a cycle ---------------------------------------------------------------------------------- */

/* Worm k gets the link that leaves output `from` as to[] has it. */
static void grant(struct part *p, uint32_t k, uint32_t to, uint64_t waited)
{
    const struct parallel *e = p->of;
    struct piece *w = &p->worm[k];
    uint32_t link = to;
    bool up;

    if (to & GATE) {
        struct gate *g = &p->gate[to & (GATE - 1)];
        link = g->link;
        g->busy = true;
        g->holder = k;
        w->exit = to & (GATE - 1);
        w->last = UINT32_C(1) << w->head;
    } else {
        e->queue[link].busy = true;
        if (link >= SWITCH_PORTS * e->switches)
            w->last = UINT32_C(1) << w->head;
    }
    p->passenger[k].link[w->head] = link;
    w->granted = true;
    unsigned level = piece_level(w, w->head, &up);
    measure_hop(&p->m, p->now, link, up, level, waited);
    part_activate(p, k);
}

static void inject(struct part *p)
{
    const struct parallel *e = p->of;

    for (uint32_t j = 0; j < p->ready.count; j++) {
        uint32_t a = p->ready.item[j];
        struct origin *q = &e->source[a];
        uint32_t link = SWITCH_PORTS * (a >> 2) + (a & 3);
        q->listed = false;
        if (e->queue[link].whole >= e->params.depth)
            continue; /* comes back when there is room */
        q->sending = true;
        p->passenger[q->first].injected = p->now;
        part_go_inside(p, q->first);
        grant(p, q->first, link, p->now - q->front);
    }
    p->ready.count = 0;
}

/* As scan_eval() orders them. */
static void order_heads(const struct part *p, const struct junction *n, unsigned asks, uint32_t bits,
                        arbiter_order order, uint8_t room[SWITCH_PORTS])
{
    enum scan_order scan = p->of->params.scan;
    unsigned start = scan == SCAN_RR || scan == SCAN_FF ? heads_start(p->now, bits, n->ports) : 0;

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = scan == SCAN_ROT ? scan_from[n->rot[o]]
                   : scan == SCAN_FF || scan == SCAN_FCFS ? room : scan_from[start];
    if (scan == SCAN_FCFS)
        heads_by_age(asks, n->front, room);
    if (scan == SCAN_FF)
        heads_by_height(asks, n->links, start, room);
}

/* RW: heads whose first cycle at the front is before `cycle` want the parent that they drew. */
static void keep_drawn(struct junction *n, uint64_t cycle)
{
    for (unsigned rest = n->heads & 15; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (n->front[i] < cycle)
            n->want[i] = n->drawn[i];
    }
}

/* What the heads of a switch ask for. */
struct requests {
    uint8_t req[SWITCH_PORTS];
    unsigned asks;
    uint32_t bits;
    bool drawn;   /* bits are there */
    bool contest; /* two ask for one output, or one for two */
};

static void ask(struct part *p, struct junction *n, struct requests *r)
{
    const struct parallel *e = p->of;
    unsigned asked = 0;

    for (unsigned rest = n->heads; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        unsigned want = n->want[i] & n->open;
        if (!want)
            continue;
        if (n->want[i] == PARENTS && e->random) {
            if (!r->drawn)
                r->bits = random_bits(p, n);
            r->drawn = true;
            if (e->params.path == PATH_RP)
                want = n->open & (16u << (r->bits >> (16 + i) & 1));
        }
        if (!want)
            continue;
        r->req[i] = (uint8_t)want;
        r->contest |= (asked & want) || (want & (want - 1));
        asked |= want;
        r->asks |= 1u << i;
    }
}

/* One switch: who gets an output.  True if some head could still get one in the next cycle. */
static bool arbitrate(struct part *p, uint32_t s)
{
    const struct parallel *e = p->of;
    struct junction *n = &e->node[s];
    struct requests r = {.asks = 0};
    uint8_t gnt[SWITCH_PORTS];

    if (e->params.path == PATH_RW)
        keep_drawn(n, p->now);
    ask(p, n, &r);
    if (r.contest) {
        arbiter_order order;
        uint8_t room[SWITCH_PORTS];
        if (e->random && !r.drawn)
            r.bits = random_bits(p, n);
        order_heads(p, n, r.asks, r.bits, order, room);
        arbiter_eval(e->params.path == PATH_RW ? PATH_RG : e->params.path, n->ports == SWITCH_CHILDREN,
                     r.req, r.bits >> 16 & 15, order, gnt);
    } else {
        memcpy(gnt, r.req, sizeof gnt);
    }
    for (unsigned asks = r.asks; asks; asks &= asks - 1) {
        unsigned i = (unsigned)__builtin_ctz(asks);
        if (!gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(gnt[i]);
        n->open &= (uint8_t)~gnt[i];
        n->heads &= (uint8_t)~(1u << i);
        n->rot[o] = i == 5 ? 0 : (uint8_t)(i + 1);
        grant(p, n->who[i], e->to[SWITCH_PORTS * s + o], p->now - n->front[i]);
    }
    if (e->params.path == PATH_RW)
        keep_drawn(n, p->now + 1);
    for (unsigned rest = n->heads; rest; rest &= rest - 1)
        if (n->want[__builtin_ctz(rest)] & n->open)
            return true;
    return false;
}

static void fetch_switch(const struct part *p, uint32_t s)
{
    const struct junction *n = &p->of->node[s];
    fetch(n);
    fetch((const char *)n + 64);
    fetch(&p->of->to[SWITCH_PORTS * s]);
}

/* What part_activate() touches of a worm that is there, if it is counted. */
static void fetch_counted(const struct part *p, uint32_t k)
{
    const struct piece *w = &p->worm[k];
    const uint32_t *link = p->passenger[k].link;

    fetch(&link[w->head]);
    if (w->inside >= p->counted)
        return;
    fetch(&p->inside[w->inside]);
    fetch(&link[w->sent == w->length ? w->tail - 1 : 0]);
}

/* Of the heads that may be granted a link now what grant() touches; where the worms are there already, what they
 * lead to. */
static void fetch_heads(const struct part *p, uint32_t s, bool worms)
{
    const struct junction *n = &p->of->node[s];
    const uint32_t *to = &p->of->to[SWITCH_PORTS * s];
    unsigned outputs = 0;

    for (unsigned rest = n->heads; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        outputs |= n->want[i];
        if (!(n->want[i] & n->open))
            continue;
        if (worms)
            fetch_counted(p, n->who[i]);
        else
            fetch(&p->worm[n->who[i]]);
    }
    for (outputs &= worms ? 0 : n->open; outputs; outputs &= outputs - 1) {
        uint32_t link = to[__builtin_ctz(outputs)];
        if (link & GATE)
            link = p->gate[link & (GATE - 1)].link;
        fetch(&p->of->queue[link]);
        fetch(&p->m.link_worms[link]);
    }
}

static void arbitrate_all(struct part *p)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < p->awake.count; j++) {
        uint32_t s = p->awake.item[j];
        if (j + 3 * AHEAD < p->awake.count)
            fetch_switch(p, p->awake.item[j + 3 * AHEAD]);
        if (j + 2 * AHEAD < p->awake.count)
            fetch_heads(p, p->awake.item[j + 2 * AHEAD], false);
        if (j + AHEAD < p->awake.count)
            fetch_heads(p, p->awake.item[j + AHEAD], true);
        if (arbitrate(p, s))
            p->awake.item[kept++] = s;
        else
            p->of->node[s].awake = false;
    }
    p->awake.count = kept;
}

/* A flit of worm k leaves the part. */
static void leave_part(struct part *p, uint32_t k)
{
    struct piece *w = &p->worm[k];
    struct passenger *who = &p->passenger[k];

    if (w->exit != NONE) {
        struct gate *g = &p->gate[w->exit];
        g->room--;
        if (w->got == 0)
            tell_head(p, g, w, who);
        else
            tell_flit(p, g);
    } else {
        unsigned kind = (w->got == 0 ? FLIT_HEAD : 0u) | (w->got + 1 == w->length ? FLIT_TAIL : 0u);
        p->digest += digest_flit(flit_payload(who->address, who->is.number, w->got, p->of->mask), kind, p->now,
                                 who->is.dst, 0);
        if (w->got == 0)
            who->arrived = p->now;
    }
    w->got++;
}

/* All flits of worm k in this cycle.  False if none moved.  planes is a constant: 2 for queues of
 * up to 3 flits, else 5. */
static inline __attribute__((always_inline)) bool advance(struct part *p, uint32_t k, unsigned planes)
{
    struct piece *w = &p->worm[k];
    uint32_t depth = p->of->params.depth;
    uint32_t blocked = w->exit != NONE && !p->gate[w->exit].room ? w->last : 0;
    if (w->shared) { /* in the queue of the head, earlier worms' flits count, too */
        unsigned at = w->head - 1u;
        blocked |= (uint32_t)(piece_flits(w, at) + p->of->queue[p->passenger[k].link[at]].whole >= depth) << at;
    }
    bool next = w->entry == NONE && w->sent < w->length;
    uint32_t moves = trail_ready(w->plane, depth, next, planes) & ~blocked & ((UINT32_C(1) << w->head) - 1);
    if (w->granted) {
        w->granted = false;
        moves |= UINT32_C(1) << w->head;
        w->head++;
        if (!w->last)
            append(&p->heads, k);
    }
    if (!moves)
        return false;

    trail_move(w->plane, moves, w->last, planes);
    bool whole = w->sent == w->length; /* the tail is in queue tail - 1 */
    w->sent += moves & 1;
    if (moves & w->last)
        append(&p->leavers, k);
    if ((moves & 2) && w->entry != NONE)
        tell_left(p, &p->entry[w->entry]);
    if (whole ? moves >> w->tail & 1 : w->sent == w->length)
        append(&p->tails, k);
    return true;
}

static void advance_all(struct part *p)
{
    uint32_t kept = 0;
    bool shallow = p->of->params.depth <= 3;
    for (uint32_t j = 0; j < p->active.count; j++) {
        uint32_t k = p->active.item[j];
        if (j + FAR_AHEAD < p->active.count)
            fetch(&p->worm[p->active.item[j + FAR_AHEAD]]);
        if (shallow ? advance(p, k, 2) : advance(p, k, WORM_PLANES))
            p->active.item[kept++] = k;
        else
            p->worm[k].listed = false;
    }
    p->active.count = kept;
    for (uint32_t j = 0; j < p->leavers.count; j++) {
        if (j + FAR_AHEAD < p->leavers.count) {
            fetch(&p->passenger[p->leavers.item[j + FAR_AHEAD]]);
            fetch(&p->passenger[p->leavers.item[j + FAR_AHEAD]].injected);
        }
        leave_part(p, p->leavers.item[j]);
    }
    p->leavers.count = 0;
}

/* -- the clock edge --------------------------------------------------------------------------- */

/* A flit has left the queue, and no flit of its worm is still to come. */
static void leave(struct part *p, uint32_t link)
{
    struct lane_queue *q = &p->of->queue[link];
    bool was_full = q->whole == p->of->params.depth;
    q->whole--;
    if (q->from & GATE)
        return; /* tell_left() */
    if (q->busy) {
        if (q->last != NONE)
            part_activate(p, q->last); /* it has room to follow */
    } else if (was_full) {
        part_reopen(p, q->from);
    }
}

/* The tail of worm k has left this part. */
static void finish(struct part *p, uint32_t k)
{
    struct piece *w = &p->worm[k];
    if (w->exit == NONE) {
        const struct passenger *who = &p->passenger[k];
        measure_delivered(&p->m, &who->is, who->injected, who->arrived, p->now, w->links);
        p->hops += (uint64_t)w->length * w->links;
    }
    uint32_t other = p->inside[--p->inside_count]; /* it is active, and so not counted */
    p->inside[w->inside] = other;
    p->worm[other].inside = w->inside;
    w->done = true;
}

/* The tail has left the source. */
static void next_of_source(struct part *p, uint32_t k)
{
    struct origin *s = &p->of->source[p->passenger[k].is.src];
    s->sending = false;
    s->first = p->worm[k].next;
    s->front = p->now + 1;
    if (s->first != NONE && p->passenger[s->first].is.ready > s->front)
        s->front = p->passenger[s->first].is.ready;
    p->worm[k].next = NONE;
}

/* The tail of worm k has crossed link t, over which nothing more will come. */
static void free_link(struct part *p, uint32_t k, unsigned t)
{
    struct piece *w = &p->worm[k];

    if ((w->last >> t & 1) && w->exit != NONE) {
        struct gate *g = &p->gate[w->exit];
        g->busy = false;
        if (g->room)
            part_reopen(p, g->from);
        return;
    }
    struct lane_queue *q = &p->of->queue[p->passenger[k].link[t]];
    q->busy = false;
    if (!(w->last >> t & 1))
        q->whole = (uint8_t)(q->whole + piece_flits(w, t));
    if (q->whole < p->of->params.depth)
        part_reopen(p, q->from);
}

/* The tail of worm k is whole inside the part, and a flit has left the queue that it is in. */
static void tail_moves(struct part *p, uint32_t k)
{
    struct piece *w = &p->worm[k];
    const uint32_t *link = p->passenger[k].link;
    unsigned t = w->tail;
    bool up;

    if (t > 0) {
        leave(p, link[t - 1]);
        if (piece_flits(w, t - 1))
            return;
    }
    /* It was the tail, over link t. */
    unsigned level = piece_level(w, t, &up);
    measure_tail(&p->m, p->now, up, level, w->length);
    w->tail++;
    if (t == 0) {
        next_of_source(p, k);
    } else {
        struct lane_queue *before = &p->of->queue[link[t - 1]];
        uint32_t next = before->first;
        if (next != NONE) {
            before->first = p->worm[next].behind;
            if (before->first == NONE)
                before->last = NONE;
            to_front(p, next, link[t - 1]);
        }
    }
    free_link(p, k, t);
    if (w->last >> t & 1)
        finish(p, k);
}

/* The head of worm k has entered a queue. */
void part_head_enters(struct part *p, uint32_t k)
{
    struct piece *w = &p->worm[k];
    uint32_t link = p->passenger[k].link[w->head - 1];
    struct lane_queue *q = &p->of->queue[link];
    unsigned others = q->whole - (w->tail == w->head ? piece_flits(w, w->head - 1u) : 0);

    if (!others) {
        to_front(p, k, link);
        return;
    }
    w->shared = true;
    w->behind = NONE;
    if (q->last == NONE)
        q->first = k;
    else
        p->worm[q->last].behind = k;
    q->last = k;
}

static void fetch_links(const struct part *p, uint32_t k)
{
    const struct piece *w = &p->worm[k];
    fetch(&p->passenger[k].link[w->tail]);
}

/* The queues that the tail of worm k leaves and enters; or the switches before them. */
static void fetch_queues(const struct part *p, uint32_t k, bool switches)
{
    const struct piece *w = &p->worm[k];
    const uint32_t *link = p->passenger[k].link;
    bool cut = (w->last >> w->tail & 1) && w->exit != NONE; /* that queue is another part's */

    for (unsigned q = w->tail ? w->tail - 1u : 0; q + cut <= w->tail; q++) {
        const struct lane_queue *queue = &p->of->queue[link[q]];
        if (!switches)
            fetch(queue);
        else if (queue->from / SWITCH_PORTS < p->of->switches)
            fetch(&p->of->node[queue->from / SWITCH_PORTS]);
        if (switches && queue->last != NONE)
            fetch(&p->worm[queue->last]);
    }
}

static void settle(struct part *p)
{
    bool done = false;
    for (uint32_t j = 0; j < p->tails.count; j++) {
        if (j + 2 * FAR_AHEAD < p->tails.count)
            fetch_links(p, p->tails.item[j + 2 * FAR_AHEAD]);
        if (j + FAR_AHEAD < p->tails.count)
            fetch_queues(p, p->tails.item[j + FAR_AHEAD], false);
        if (j + AHEAD < p->tails.count)
            fetch_queues(p, p->tails.item[j + AHEAD], true);
        tail_moves(p, p->tails.item[j]);
        done |= p->worm[p->tails.item[j]].done;
    }
    for (uint32_t j = 0; j < p->heads.count; j++)
        part_head_enters(p, p->heads.item[j]);
    p->tails.count = p->heads.count = 0;
    if (!done)
        return;
    uint32_t kept = 0;
    for (uint32_t j = 0; j < p->active.count; j++) {
        uint32_t k = p->active.item[j];
        if (!p->worm[k].done)
            p->active.item[kept++] = k;
        else
            POOL_GIVE(p->worm, p->pool, k);
    }
    p->active.count = kept;
}

static void take_worms(struct part *p)
{
    struct traffic_worm is;

    while (!p->broken && calendar_take(&p->calendar, p->now, &is)) {
        measure_generated(&p->m, &is);
        p->broken = enter(p, &is) != FATFLY_OK;
    }
}

void part_compute(struct part *p)
{
    p->turn ^= 1;
    p->wrote = false;
    for (unsigned q = 0; q < p->of->parts; q++)
        if (q != p->number)
            p->out[p->turn][q]->count = 0;
    take_worms(p);
    if (measure_samples(&p->m, p->now))
        part_sample(p);
    if (!p->broken) {
        inject(p);
        arbitrate_all(p);
        advance_all(p);
        settle(p);
    }
    bool idle = !p->active.count && !p->awake.count && !p->ready.count && !p->wrote;
    uint64_t next = calendar_next(&p->calendar);
    for (unsigned q = 0; q < p->of->parts; q++)
        if (q != p->number) {
            struct letter *l = p->out[p->turn][q];
            l->under_way = p->m.generated - p->m.delivered;
            l->next = idle ? next : p->now + 1;
            l->more = p->calendar.count;
            l->broken = p->broken;
        }
    p->idle = idle;
}
