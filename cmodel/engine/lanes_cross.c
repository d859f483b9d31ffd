/* SPDX-License-Identifier: Apache-2.0
 * lanes_cross.c - who crosses, of flits that contend: heads, and bodies that share a port or a
 * link.  The rules are those of port.c, scan.c and arbiter.c.
 */
#include "lanes.h"

#include "heads.h"

#include <string.h>

/* Row t: the first channel of a set from channel t on, of four; wrapping. */
static const uint8_t first_from[MAX_VCS][16] = {
    {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0},
    {0, 0, 1, 1, 2, 2, 1, 1, 3, 3, 1, 1, 2, 2, 1, 1},
    {0, 0, 1, 0, 2, 2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 2},
    {0, 0, 1, 0, 2, 0, 1, 0, 3, 3, 3, 3, 3, 3, 3, 3},
};

/* The flits on offer in a switch. */
struct offer {
    uint8_t req[SWITCH_PORTS];     /* outputs that the flit could take now, a bit each */
    uint8_t channel[SWITCH_PORTS]; /* that it waits in */
    unsigned asks;                 /* ports, a bit each */
    bool contest;                  /* two could take one output, or one two */
};

static uint32_t random_bits(struct lanes *e, struct node *n)
{
    uint64_t gap = e->run.now - n->time;
    if (gap) {
        n->time = e->run.now;
        n->lfsr_q = jumps_few(&e->jumps, n->lfsr_q, gap);
    }
    return n->lfsr_q;
}

static void grant(struct lanes *e, uint32_t k, uint32_t link, unsigned channel, uint64_t waited)
{
    struct worm *w = &e->worm[k];
    unsigned half = w->links / 2u;
    bool up = w->head < half;
    uint32_t q = (lanes_place(e, link) << e->shift) + channel;
    w->queue[w->head] = q;
    w->granted = true;
    e->queue[q].busy = true;
    measure_hop(&e->run.m, e->run.now, link, up, up ? w->head : w->links - 1u - w->head, waited);
    lanes_activate(e, k);
}

/* -- sources ---------------------------------------------------------------------------------- */

/* The first worm that waits begins to leave by channel v. */
static void begin(struct lanes *e, uint32_t a, unsigned v)
{
    struct source *q = &e->source[a];
    uint32_t k = q->first;
    struct worm *w = &e->worm[k];
    uint64_t waited = e->run.now - q->front;

    q->first = w->next;
    w->next = NONE;
    q->front = e->run.now + 1;
    if (q->first != NONE && e->worm[q->first].is.ready > q->front)
        q->front = e->worm[q->first].is.ready;
    w->injected = e->run.now;
    w->inside = e->inside.count;
    append(&e->inside, k);
    w->contended = q->lanes != 0;
    for (unsigned rest = q->lanes; rest; rest &= rest - 1)
        e->worm[q->who[__builtin_ctz(rest)]].contended |= 1;
    q->lanes |= (uint8_t)(1u << v);
    q->free &= (uint8_t)~(1u << v);
    q->who[v] = k;
    grant(e, k, SWITCH_PORTS * (a >> 2) + (a & 3), v, waited);
}

/* True if a worm could begin in the next cycle, by what is known in this one. */
static bool send(struct lanes *e, uint32_t a)
{
    struct source *q = &e->source[a];
    unsigned lowest = q->first != NONE ? q->free & -(unsigned)q->free : 0;
    unsigned asks = q->asks;

    q->asks = 0;
    for (unsigned rest = lowest ? q->lanes & ~asks : 0; rest; rest &= rest - 1) {
        struct worm *w = &e->worm[q->who[__builtin_ctz(rest)]];
        asks |= (w->moves & 1) << __builtin_ctz(rest);
        w->moves &= ~UINT32_C(1);
    }
    asks |= lowest;
    if (!asks)
        return false;
    unsigned v = first_from[q->turn][asks];
    q->turn = (uint8_t)((v + 1) & (e->vcs - 1));
    if (lowest >> v & 1) {
        begin(e, a, v);
    } else {
        struct worm *w = &e->worm[q->who[v]];
        w->moves |= 1;
        if (q->lanes == 1u << v)
            w->contended &= ~UINT32_C(1);
    }
    return q->first != NONE && q->free;
}

void lanes_inject(struct lanes *e)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < e->ready.count; j++) {
        uint32_t a = e->ready.item[j];
        if (send(e, a))
            e->ready.item[kept++] = a;
        else
            e->source[a].listed = false;
    }
    e->ready.count = kept;
}

/* -- switches --------------------------------------------------------------------------------- */

/* In what follows shift is a constant, so that there is a copy for two channels and one for four. */
#define SHIFTED static inline __attribute__((always_inline))

/* Channels that hold output o, or an output for another channel of channel c's port: c's own, too. */
SHIFTED uint32_t rivals(const struct node *n, unsigned c, unsigned o, unsigned shift)
{
    uint32_t port = ((UINT32_C(1) << (1u << shift)) - 1) << (c >> shift << shift);
    return (n->holds & port) | n->out[o];
}

/* A flit of the worm that holds an output by channel c crosses. */
SHIFTED void body_crosses(struct lanes *e, const struct node *n, const struct queue *q, unsigned c, unsigned o,
                          unsigned shift)
{
    struct worm *w = &e->worm[q[c].who];
    uint32_t bit = UINT32_C(1) << q[c].hop;

    w->moves |= bit;
    if (rivals(n, c, o, shift) == UINT32_C(1) << c)
        w->contended &= ~bit;
}

/* The head in channel c crosses to output o. */
static void head_crosses(struct lanes *e, uint32_t s, struct queue *q, unsigned c, unsigned o, uint32_t others)
{
    struct node *n = &e->node[s];
    uint32_t k = q[c].who, bit = UINT32_C(1) << c;
    struct worm *w = &e->worm[k];
    unsigned to = (unsigned)__builtin_ctz(n->free[o]);

    n->free[o] &= (uint8_t)(n->free[o] - 1);
    if (!n->free[o])
        n->open &= (uint8_t)~(1u << o);
    n->heads &= ~bit;
    n->holds |= bit;
    n->out[o] |= bit;
    q[c].want = (uint8_t)(1u << o);
    q[c].hop = w->head;
    lanes_contend(e, q, others);
    if (others)
        w->contended |= UINT32_C(1) << w->head;
    grant(e, k, e->to[SWITCH_PORTS * s + o], to, e->run.now - w->front);
}

/* What stands at the front of channel c crosses to output o. */
SHIFTED void cross(struct lanes *e, uint32_t s, struct queue *q, unsigned c, unsigned o, unsigned shift)
{
    struct node *n = &e->node[s];
    unsigned i = c >> shift;

    n->turn[i] = (uint8_t)((c + 1) & ((1u << shift) - 1));
    if (e->rot)
        e->rot[PLACES * s + o] = i == 5 ? 0 : (uint8_t)(i + 1);
    if (n->heads >> c & 1)
        head_crosses(e, s, q, c, o, rivals(n, c, o, shift));
    else
        body_crosses(e, n, q, c, o, shift);
}

/* Flits that would have crossed uncontended ask in this cycle, too. */
static uint32_t call(struct lanes *e, const struct queue *q, uint32_t channels)
{
    uint32_t asks = 0;
    for (; channels; channels &= channels - 1) {
        unsigned c = (unsigned)__builtin_ctz(channels);
        struct worm *w = &e->worm[q[c].who];
        uint32_t bit = UINT32_C(1) << q[c].hop;
        if (w->moves & bit) {
            w->moves &= ~bit;
            asks |= UINT32_C(1) << c;
        }
    }
    return asks;
}

/* Heads that ask, and for what; whom they call joins *bodies. */
SHIFTED uint32_t ask_heads(struct lanes *e, struct node *n, const struct queue *q, uint32_t *bodies,
                           uint8_t want[PLACES * MAX_VCS], unsigned shift)
{
    uint32_t asks = 0, all = 0;

    for (uint32_t rest = n->heads; rest; rest &= rest - 1) {
        unsigned c = (unsigned)__builtin_ctz(rest);
        unsigned w = q[c].want & n->open;
        if (w && q[c].want == PARENTS && e->params.path == PATH_RP)
            w &= 16u << (random_bits(e, n) >> (16 + (c >> shift)) & 1);
        if (!w)
            continue;
        want[c] = (uint8_t)w;
        asks |= UINT32_C(1) << c;
        for (; w; w &= w - 1)
            all |= rivals(n, c, (unsigned)__builtin_ctz(w), shift);
    }
    if (all & ~*bodies)
        *bodies |= call(e, q, all & ~*bodies);
    return asks;
}

static unsigned start_port(struct lanes *e, struct node *n)
{
    return heads_start(e->run.now, random_bits(e, n), n->ports);
}

/* As scan_eval() and arbiter_eval() decide: FF, ROT, FCFS. */
static void decide(struct lanes *e, uint32_t s, const struct queue *q, const struct offer *f,
                   uint8_t gnt[SWITCH_PORTS])
{
    struct node *n = &e->node[s];
    enum scan_order scan = e->params.scan;
    uint64_t front[SWITCH_PORTS];
    uint8_t links[SWITCH_PORTS], own[SWITCH_PORTS];
    arbiter_order order;

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = scan == SCAN_ROT ? scan_from[e->rot[PLACES * s + o]] : own;
    for (unsigned rest = scan == SCAN_ROT ? 0 : f->asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (scan == SCAN_FCFS)
            front[i] = e->front[q - e->queue + f->channel[i]];
        else
            links[i] = (uint8_t)e->worm[q[f->channel[i]].who].links;
    }
    if (scan == SCAN_FCFS)
        heads_by_age(f->asks, front, own);
    else if (scan == SCAN_FF)
        heads_by_height(f->asks, links, start_port(e, n), own);
    unsigned prefer = e->prefers ? random_bits(e, n) >> 16 & 15 : 0;
    arbiter_eval(e->prefers ? PATH_RG : e->params.path, n->ports == SWITCH_CHILDREN, f->req, prefer, order, gnt);
}

/* Of the outputs that the head at port i could take, those of PARENTS if more than one: GP the lowest, RG
 * and RW the one that it prefers. */
static unsigned choose(struct lanes *e, struct node *n, unsigned i, unsigned outputs)
{
    if (!(outputs & (outputs - 1)))
        return outputs;
    return e->prefers && random_bits(e, n) >> (16 + i) & 1 ? 32 : 16;
}

/* RR, FO: input by input in the one order of the scan, each takes what it wants if that is free. */
SHIFTED void scan_inputs(struct lanes *e, uint32_t s, struct queue *q, const struct offer *f, unsigned shift)
{
    struct node *n = &e->node[s];
    unsigned start = f->contest && e->params.scan == SCAN_RR ? start_port(e, n) : 0, taken = 0;
    unsigned late = f->asks & ((1u << start) - 1);

    for (unsigned rest = f->asks & ~late; rest || late;) {
        if (!rest) {
            rest = late;
            late = 0;
        }
        unsigned i = (unsigned)__builtin_ctz(rest), free = f->req[i] & ~taken;
        rest &= rest - 1;
        if (!free)
            continue;
        free = choose(e, n, i, free);
        taken |= free;
        cross(e, s, q, f->channel[i], (unsigned)__builtin_ctz(free), shift);
    }
}

/* Two or more ask: each port offers one, and the arbiter picks. */
SHIFTED void arbitrate_many(struct lanes *e, uint32_t s, struct queue *q, uint32_t bodies, uint32_t heads,
                            const uint8_t want[PLACES * MAX_VCS], unsigned shift)
{
    const struct node *n = &e->node[s];
    const uint32_t group = (UINT32_C(1) << (1u << shift)) - 1;
    struct offer f = {.asks = 0};
    unsigned asked = 0;

    for (uint32_t rest = bodies | heads; rest;) {
        unsigned i = (unsigned)__builtin_ctz(rest) >> shift, base = i << shift;
        unsigned c = base + first_from[n->turn[i]][rest >> base & group];
        unsigned req = heads >> c & 1 ? want[c] : q[c].want;
        f.channel[i] = (uint8_t)c;
        f.req[i] = (uint8_t)req;
        f.asks |= 1u << i;
        f.contest |= (asked & req) || (req & (req - 1));
        asked |= req;
        rest &= ~(group << base);
    }
    if (e->turns) {
        scan_inputs(e, s, q, &f, shift);
        return;
    }
    uint8_t gnt[SWITCH_PORTS];
    if (f.contest)
        decide(e, s, q, &f, gnt);
    else
        memcpy(gnt, f.req, sizeof gnt);
    for (unsigned rest = f.asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (gnt[i])
            cross(e, s, q, f.channel[i], (unsigned)__builtin_ctz(gnt[i]), shift);
    }
}

/* The bodies in channels c < d alone, under RR and FO: scan_inputs() of two. */
SHIFTED void arbitrate_two(struct lanes *e, uint32_t s, struct queue *q, unsigned c, unsigned d, unsigned shift)
{
    struct node *n = &e->node[s];
    unsigned i = c >> shift, j = d >> shift, late;
    const unsigned last = (1u << shift) - 1;

    if (i == j) {
        late = first_from[n->turn[i]][1u << (c & last) | 1u << (d & last)] == (d & last);
    } else if (q[c].want == q[d].want) {
        unsigned start = e->params.scan == SCAN_RR ? start_port(e, n) : 0;
        late = (i < start) & (start <= j);
    } else {
        cross(e, s, q, c, (unsigned)__builtin_ctz(q[c].want), shift);
        cross(e, s, q, d, (unsigned)__builtin_ctz(q[d].want), shift);
        return;
    }
    c = late ? d : c;
    cross(e, s, q, c, (unsigned)__builtin_ctz(q[c].want), shift);
}

/* RW: heads whose first cycle at the front is before `cycle` want the parent that they drew. */
static void keep_drawn(const struct lanes *e, const struct node *n, struct queue *q, uint64_t cycle)
{
    for (uint32_t rest = n->heads; rest; rest &= rest - 1) {
        struct queue *c = &q[__builtin_ctz(rest)];
        if (c->want == PARENTS && e->worm[c->who].front < cycle)
            c->want = e->worm[c->who].drawn;
    }
}

/* One switch.  True if some head could still get an output in the next cycle. */
SHIFTED bool arbitrate(struct lanes *e, uint32_t s, unsigned shift)
{
    struct node *n = &e->node[s];
    struct queue *q = &e->queue[(size_t)s << (PLACES_LOG2 + shift)];
    uint8_t want[PLACES * MAX_VCS];
    uint32_t bodies = n->asks, heads;

    n->asks = 0;
    if (e->params.path == PATH_RW)
        keep_drawn(e, n, q, e->run.now);
    heads = n->heads ? ask_heads(e, n, q, &bodies, want, shift) : 0;
    uint32_t all = bodies | heads;
    uint32_t more = all & (all - 1);
    if (more && !(more & (more - 1)) && !heads && e->turns) {
        arbitrate_two(e, s, q, (unsigned)__builtin_ctz(all), (unsigned)__builtin_ctz(more), shift);
    } else if (more) {
        arbitrate_many(e, s, q, bodies, heads, want, shift);
    } else if (all) { /* it alone */
        unsigned c = (unsigned)__builtin_ctz(all);
        unsigned o = heads ? choose(e, n, c >> shift, want[c]) : q[c].want;
        cross(e, s, q, c, (unsigned)__builtin_ctz(o), shift);
    }
    if (e->params.path == PATH_RW)
        keep_drawn(e, n, q, e->run.now + 1);
    for (uint32_t rest = n->heads; rest; rest &= rest - 1)
        if (q[__builtin_ctz(rest)].want & n->open)
            return true;
    return false;
}

SHIFTED void arbitrate_all(struct lanes *e, unsigned shift)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < e->awake.count; j++) {
        uint32_t s = e->awake.item[j];
        if (arbitrate(e, s, shift))
            e->awake.item[kept++] = s;
        else
            e->node[s].awake = false;
    }
    e->awake.count = kept;
}

void lanes_arbitrate(struct lanes *e)
{
    if (e->shift == 1)
        arbitrate_all(e, 1);
    else
        arbitrate_all(e, 2);
}
