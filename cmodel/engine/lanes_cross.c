/* SPDX-License-Identifier: Apache-2.0
 * lanes_cross.c - who crosses, of flits that contend: heads, and bodies that share a port or a
 * link.  The rules are those of port.c, scan.c and arbiter.c.
 */
#include "lanes.h"

#include "scan.h"

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
    uint8_t gnt[SWITCH_PORTS];
    unsigned asks;                 /* ports, a bit each */
    bool contest;                  /* two could take one output, or one two */
};

static uint32_t random_bits(struct lanes *e, struct node *n)
{
    uint64_t gap = e->run.now - n->time;
    if (gap) {
        n->time = e->run.now;
        n->lfsr_q = jumps_after(&e->jumps, n->lfsr_q, gap);
    }
    return n->lfsr_q;
}

static void grant(struct lanes *e, uint32_t k, uint32_t link, unsigned channel, uint64_t waited)
{
    struct worm *w = &e->worm[k];
    unsigned half = w->links / 2u;
    bool up = w->head < half;
    uint32_t q = (link << e->shift) + channel;
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
    e->inside.item[e->inside.count++] = k;
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

/* Channels that hold what a head in channel c asks for, or share its port. */
static uint32_t rivals(const struct lanes *e, const struct node *n, unsigned c, unsigned outputs)
{
    uint32_t who = e->group << (c >> e->shift << e->shift);
    for (; outputs; outputs &= outputs - 1)
        who |= n->out[__builtin_ctz(outputs)];
    return who;
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

/* FCFS: of two the one whose head has been at the front longer, of two from one cycle the lower. */
static void fcfs_order(const struct lanes *e, uint32_t base, const struct offer *f, uint8_t ahead[SWITCH_PORTS])
{
    memset(ahead, 0, SWITCH_PORTS);
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        for (unsigned j = i + 1; j < SWITCH_PORTS; j++)
            if ((f->asks >> i & 1) && (f->asks >> j & 1)) {
                if (e->front[base + f->channel[i]] <= e->front[base + f->channel[j]])
                    ahead[j] |= (uint8_t)(1u << i);
                else
                    ahead[i] |= (uint8_t)(1u << j);
            }
}

/* FF: greater height first, then from the start port. */
static void ff_order(const struct lanes *e, const struct queue *q, const struct offer *f, unsigned start,
                     uint8_t ahead[SWITCH_PORTS])
{
    unsigned links[SWITCH_PORTS] = {0};
    for (unsigned rest = f->asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        links[i] = e->worm[q[f->channel[i]].who].links;
    }
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        ahead[i] = 0;
        for (unsigned rest = f->asks; rest; rest &= rest - 1) {
            unsigned j = (unsigned)__builtin_ctz(rest);
            if (links[j] > links[i] || (links[j] == links[i] && (scan_from[start][i] >> j & 1)))
                ahead[i] |= (uint8_t)(1u << j);
        }
    }
}

/* As scan_eval() and arbiter_eval() decide. */
static void decide(struct lanes *e, uint32_t s, struct offer *f)
{
    struct node *n = &e->node[s];
    uint32_t base = (uint32_t)(SWITCH_PORTS * s) << e->shift;
    enum scan_order scan = e->params.scan;
    uint32_t bits = e->random ? random_bits(e, n) : 0;
    /* start_q was drawn from the last cycle's upper byte, which is now bits 15:8. */
    unsigned start = (scan == SCAN_RR || scan == SCAN_FF) && e->run.now
                         ? (bits >> 8 & 255) * n->ports >> 8 : 0;
    uint8_t own[SWITCH_PORTS];
    arbiter_order order;

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = scan == SCAN_ROT ? scan_from[n->rot[o]]
                   : scan == SCAN_FF || scan == SCAN_FCFS ? own : scan_from[start];
    if (scan == SCAN_FCFS)
        fcfs_order(e, base, f, own);
    else if (scan == SCAN_FF)
        ff_order(e, &e->queue[base], f, start, own);
    arbiter_eval(e->params.path, n->ports == SWITCH_CHILDREN, f->req, bits >> 16 & 15, order, f->gnt);
}

/* Who asks in this switch, the heads among them, and for what. */
static uint32_t find_asks(struct lanes *e, struct node *n, const struct queue *q, uint32_t *heads,
                          uint8_t want[SWITCH_PORTS * MAX_VCS])
{
    uint32_t asks = n->asks, all = 0;

    n->asks = 0;
    *heads = 0;
    for (uint32_t rest = n->heads; rest; rest &= rest - 1) {
        unsigned c = (unsigned)__builtin_ctz(rest);
        unsigned w = q[c].want & n->open;
        if (w && q[c].want == PARENTS && e->params.path == PATH_RP)
            w &= 16u << (random_bits(e, n) >> (16 + (c >> e->shift)) & 1);
        if (!w)
            continue;
        want[c] = (uint8_t)w;
        *heads |= UINT32_C(1) << c;
        all |= rivals(e, n, c, w);
    }
    return *heads | asks | call(e, q, all & n->holds & ~asks);
}

/* A flit of the worm that holds an output by channel c crosses. */
static void body_crosses(struct lanes *e, struct node *n, const struct queue *q, unsigned c)
{
    struct worm *w = &e->worm[q[c].who];
    uint32_t bit = UINT32_C(1) << q[c].hop;

    w->moves |= bit;
    if (!(rivals(e, n, c, q[c].want) & n->holds & ~(UINT32_C(1) << c)))
        w->contended &= ~bit;
}

/* The head in channel c crosses to output o. */
static void head_crosses(struct lanes *e, uint32_t s, struct queue *q, unsigned c, unsigned o)
{
    struct node *n = &e->node[s];
    uint32_t k = q[c].who, bit = UINT32_C(1) << c;
    struct worm *w = &e->worm[k];
    unsigned to = (unsigned)__builtin_ctz(n->free[o]);
    uint32_t others = rivals(e, n, c, 1u << o) & n->holds;

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

/* One switch.  True if some head could still get an output in the next cycle. */
static bool arbitrate(struct lanes *e, uint32_t s)
{
    struct node *n = &e->node[s];
    struct queue *q = &e->queue[(size_t)(SWITCH_PORTS * s) << e->shift];
    uint8_t want[SWITCH_PORTS * MAX_VCS];
    struct offer f = {.asks = 0};
    unsigned asked = 0;
    uint32_t heads;

    for (uint32_t rest = find_asks(e, n, q, &heads, want); rest;) {
        unsigned i = (unsigned)__builtin_ctz(rest) >> e->shift, base = i << e->shift;
        unsigned c = base + first_from[n->turn[i]][rest >> base & e->group];
        unsigned req = heads >> c & 1 ? want[c] : q[c].want;
        f.channel[i] = (uint8_t)c;
        f.req[i] = (uint8_t)req;
        f.asks |= 1u << i;
        f.contest |= (asked & req) || (req & (req - 1));
        asked |= req;
        rest &= ~(e->group << base);
    }
    const uint8_t *gnt = f.req;
    if (f.contest) {
        decide(e, s, &f);
        gnt = f.gnt;
    }
    for (unsigned rest = f.asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest), c = f.channel[i];
        if (!gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(gnt[i]);
        n->turn[i] = (uint8_t)((c + 1) & (e->vcs - 1));
        n->rot[o] = i == 5 ? 0 : (uint8_t)(i + 1);
        if (heads >> c & 1)
            head_crosses(e, s, q, c, o);
        else
            body_crosses(e, n, q, c);
    }
    for (uint32_t rest = n->heads; rest; rest &= rest - 1)
        if (q[__builtin_ctz(rest)].want & n->open)
            return true;
    return false;
}

void lanes_arbitrate(struct lanes *e)
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
