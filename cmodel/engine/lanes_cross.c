/* SPDX-License-Identifier: Apache-2.0
 * lanes_cross.c - who crosses, of flits that contend: heads, and bodies that share a port or a
 * link.  The rules are those of port.c, scan.c and arbiter.c.
 */
#include "lanes.h"

#include "heads.h"

/* Row t: the first channel of a set from channel t on, of four; wrapping. */
static const uint8_t first_from[MAX_VCS][16] = {
    {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0},
    {0, 0, 1, 1, 2, 2, 1, 1, 3, 3, 1, 1, 2, 2, 1, 1},
    {0, 0, 1, 0, 2, 2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 2},
    {0, 0, 1, 0, 2, 0, 1, 0, 3, 3, 3, 3, 3, 3, 3, 3},
};

/* What is rare is kept out of the loop over the switches, whose registers it would take. */
#define NOT_INLINE __attribute__((noinline))

/* Heads that ask in a switch. */
struct heads {
    uint32_t channels;              /* theirs, a bit each */
    uint32_t random;                /* random_bits(), once somebody has wanted them */
    bool drawn;
    uint8_t want[1 << SWITCH_LOG2]; /* outputs that each could take now */
};

/* The register as it is `far` cycles on. */
static NOT_INLINE void draw_far(struct lanes *e, struct random *r, uint64_t far)
{
    r->time += far;
    r->lfsr_q = jumps_after(&e->jumps, r->lfsr_q, far);
}

/* Bits 8 to 19 of the switch's register. */
static uint32_t random_bits(struct lanes *e, uint32_t s)
{
    struct random *r = &e->random[s];
    uint64_t gap = e->run.now - r->time;
    if (gap >= SOON)
        draw_far(e, r, gap - gap % SOON);
    return soon_bits(&e->soon, r->lfsr_q, gap % SOON);
}

/* The same, where more than one head may want them. */
static uint32_t draw(struct lanes *e, uint32_t s, struct heads *h)
{
    if (!h->drawn)
        h->random = random_bits(e, s);
    h->drawn = true;
    return h->random;
}

static void grant(struct lanes *e, uint32_t k, uint32_t link, unsigned channel, uint64_t waited)
{
    struct worm *w = &e->worm[k];
    unsigned half = w->links / 2u;
    bool up = w->head < half;
    uint32_t q = CHANNELS * lanes_place(e, link) + channel;
    e->voyage[k].queue[w->head] = q;
    if (w->head + 1u == w->links)
        e->voyage[k].arrived = e->run.now;
    w->last = q;
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
    struct voyage *y = &e->voyage[k];
    uint64_t waited = e->run.now - q->front;

    q->first = y->next;
    y->next = NONE;
    q->front = e->run.now + 1;
    if (q->first != NONE && e->voyage[q->first].is.ready > q->front)
        q->front = e->voyage[q->first].is.ready;
    y->injected = e->run.now;
    y->inside = e->inside.count;
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

/* The worms of channels cross contended from now on; q[0] is the first of their switch. */
static void contend(struct lanes *e, const struct queue *q, uint32_t channels)
{
    for (; channels; channels &= channels - 1) {
        uint32_t is = q[__builtin_ctz(channels)].who;
        e->worm[is >> HOP_LOG2].contended |= UINT32_C(1) << is % HOPS;
    }
}

/* The head in channel c crosses to output o. */
static void head_crosses(struct lanes *e, uint32_t s, unsigned c, unsigned o)
{
    struct node *n = &e->node[s];
    struct queue *q = &e->queue[s << SWITCH_LOG2];
    uint32_t k = q[c].who >> HOP_LOG2, bit = UINT32_C(1) << c, others = lanes_rivals(n, c, o);
    struct worm *w = &e->worm[k];
    unsigned to = (unsigned)__builtin_ctz(n->free[o]);

    n->free[o] &= (uint8_t)(n->free[o] - 1);
    if (!n->free[o])
        n->open &= (uint8_t)~(1u << o);
    n->heads &= ~bit;
    n->holds |= bit;
    if (n->out[o])
        n->crowd |= n->out[o] | bit;
    n->out[o] |= bit;
    q[c].want = (uint8_t)(1u << o);
    contend(e, q, others);
    if (others)
        w->contended |= UINT32_C(1) << w->head;
    grant(e, k, e->to[SWITCH_PORTS * s + o], to, e->run.now - e->voyage[k].front);
}

/* Flits that would have crossed uncontended ask in this cycle, too. */
static uint32_t call(struct lanes *e, const struct queue *q, uint32_t channels)
{
    uint32_t asks = 0;
    for (; channels; channels &= channels - 1) {
        unsigned c = (unsigned)__builtin_ctz(channels);
        struct worm *w = &e->worm[q[c].who >> HOP_LOG2];
        uint32_t bit = UINT32_C(1) << q[c].who % HOPS;
        if (w->moves & bit) {
            w->moves &= ~bit;
            asks |= UINT32_C(1) << c;
        }
    }
    return asks;
}

/* Heads that ask, and for what; whom they call joins *bodies.  False if no head could get any output. */
static bool ask_heads(struct lanes *e, uint32_t s, uint32_t *bodies, struct heads *h)
{
    const struct node *n = &e->node[s];
    const struct queue *q = &e->queue[s << SWITCH_LOG2];
    uint32_t all = 0;
    bool some = false;

    for (uint32_t rest = n->heads; rest; rest &= rest - 1) {
        unsigned c = (unsigned)__builtin_ctz(rest);
        unsigned w = q[c].want & n->open;
        if (!w)
            continue;
        some = true;
        if (q[c].want == PARENTS && e->params.path == PATH_RP)
            w &= 16u << (draw(e, s, h) >> (16 + c / CHANNELS) & 1);
        h->want[c] = (uint8_t)w;
        h->channels |= (uint32_t)(w != 0) << c;
        for (; w; w &= w - 1)
            all |= lanes_rivals(n, c, (unsigned)__builtin_ctz(w));
    }
    if (all & ~*bodies)
        *bodies |= call(e, q, all & ~*bodies);
    return some;
}

static unsigned start_port(const struct lanes *e, uint32_t s, uint32_t random)
{
    return heads_start(e->run.now, random, e->node[s].ports);
}

/* Outputs that will do for what waits in channel c of switch s. */
static unsigned wanted(const struct lanes *e, uint32_t s, const struct heads *h, unsigned c)
{
    return h->channels >> c & 1 ? h->want[c] : e->queue[(s << SWITCH_LOG2) + c].want;
}

/* As scan_eval() and arbiter_eval() decide between one flit a port: FF, ROT, FCFS. */
static void order_inputs(struct lanes *e, uint32_t s, uint32_t offers, struct heads *h,
                         uint8_t gnt[SWITCH_PORTS])
{
    enum scan_order scan = e->params.scan;
    uint64_t front[SWITCH_PORTS];
    uint8_t links[SWITCH_PORTS], own[SWITCH_PORTS], req[SWITCH_PORTS] = {0};
    unsigned asks = 0;
    arbiter_order order;

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = scan == SCAN_ROT ? scan_from[e->rot[PLACES * s + o]] : own;
    for (; offers; offers &= offers - 1) {
        unsigned c = (unsigned)__builtin_ctz(offers), i = c / CHANNELS;
        asks |= 1u << i;
        req[i] = (uint8_t)wanted(e, s, h, c);
        if (scan == SCAN_FCFS)
            front[i] = e->front[(s << SWITCH_LOG2) + c];
        else if (scan == SCAN_FF)
            links[i] = e->worm[e->queue[(s << SWITCH_LOG2) + c].who >> HOP_LOG2].links;
    }
    if (scan == SCAN_FCFS)
        heads_by_age(asks, front, own);
    else if (scan == SCAN_FF)
        heads_by_height(asks, links, start_port(e, s, draw(e, s, h)), own);
    unsigned prefer = e->prefers ? draw(e, s, h) >> 16 & 15 : 0;
    arbiter_eval(e->prefers ? PATH_RG : e->params.path, e->node[s].ports == SWITCH_CHILDREN, req, prefer, order, gnt);
}

/* The same; returns who crosses. */
static uint32_t decide(struct lanes *e, uint32_t s, uint32_t offers, struct heads *h)
{
    uint8_t gnt[SWITCH_PORTS];
    uint32_t won = 0;

    order_inputs(e, s, offers, h, gnt);
    for (; offers; offers &= offers - 1) {
        unsigned c = (unsigned)__builtin_ctz(offers), to = gnt[c / CHANNELS];
        if (to && h->channels >> c & 1)
            head_crosses(e, s, c, (unsigned)__builtin_ctz(to));
        won |= (uint32_t)(to != 0) << c;
    }
    return won;
}

static NOT_INLINE uint32_t decide_bodies(struct lanes *e, uint32_t s, uint32_t offers)
{
    return decide(e, s, offers, &(struct heads){.channels = 0});
}

/* Of the outputs that the head at port i could take, those of PARENTS if more than one: GP the lowest, RG
 * and RW the one that it prefers. */
static unsigned choose(struct lanes *e, uint32_t s, struct heads *h, unsigned i, unsigned outputs)
{
    if (!several(outputs))
        return outputs;
    return e->prefers && draw(e, s, h) >> (16 + i) & 1 ? 32 : 16;
}

/* RR, FO: input by input in the one order of the scan, each takes what it wants if that is free.  Returns who
 * crosses. */
static NOT_INLINE uint32_t scan_inputs(struct lanes *e, uint32_t s, uint32_t offers, struct heads *h)
{
    unsigned start = e->params.scan == SCAN_RR ? start_port(e, s, draw(e, s, h)) : 0, taken = 0;
    uint32_t late = offers & ((UINT32_C(1) << CHANNELS * start) - 1), won = 0;

    for (uint64_t rest = (uint64_t)late << 32 | (offers ^ late); rest; rest &= rest - 1) {
        unsigned c = (unsigned)__builtin_ctzll(rest) % 32, free = wanted(e, s, h, c) & ~taken;
        if (free && h->channels >> c & 1) {
            free = choose(e, s, h, c / CHANNELS, free);
            head_crosses(e, s, c, (unsigned)__builtin_ctz(free));
        }
        taken |= free;
        won |= (uint32_t)(free != 0) << c;
    }
    return won;
}

/* A one for each port of which there is a channel in the set. */
static uint32_t ports_of(uint32_t channels)
{
    channels |= channels >> 1;
    return (channels | channels >> 2) & 0x111111;
}

/* What each port offers: the first of its channels that ask from its turn on; wrapping. */
static uint32_t offers_of(uint32_t asks, uint32_t ports, uint32_t turn)
{
    uint32_t late = asks & turn, first = late | (asks & ~(15 * ports_of(late)));
    return first & ((ports << CHANNELS) - first); /* the lowest of each */
}

/* The turns after flits of `won`, one a port at most, have crossed. */
static uint32_t turn_after(uint32_t turn, uint32_t won, uint32_t ports)
{
    return (turn & ~(15 * ports)) | ((ports << CHANNELS) - 2 * won);
}

/* ROT: the pointers of the outputs that have been crossed. */
static NOT_INLINE void turn_outputs(struct lanes *e, uint32_t s, uint32_t won)
{
    for (; won; won &= won - 1) {
        unsigned c = (unsigned)__builtin_ctz(won), i = c / CHANNELS;
        unsigned o = (unsigned)__builtin_ctz(e->queue[(s << SWITCH_LOG2) + c].want);
        e->rot[PLACES * s + o] = i == 5 ? 0 : (uint8_t)(i + 1);
    }
}

/* Flits of these channels, of which rivals have gone, have crossed: alone there, they cross uncontended. */
static NOT_INLINE void cross_alone(struct lanes *e, uint32_t s, uint32_t channels)
{
    struct node *n = &e->node[s];
    n->left &= ~channels;
    for (; channels; channels &= channels - 1) {
        unsigned c = (unsigned)__builtin_ctz(channels);
        unsigned o = (unsigned)__builtin_ctz(e->queue[(s << SWITCH_LOG2) + c].want);
        uint32_t is = e->queue[(s << SWITCH_LOG2) + c].who;
        if (lanes_rivals(n, c, o) == UINT32_C(1) << c)
            e->worm[is >> HOP_LOG2].contended &= ~(UINT32_C(1) << is % HOPS);
    }
}

/* RW: heads whose first cycle at the front is before `cycle` want the parent that they drew. */
static void keep_drawn(const struct lanes *e, uint32_t s, uint64_t cycle)
{
    for (uint32_t rest = e->node[s].heads; rest; rest &= rest - 1) {
        struct queue *q = &e->queue[(s << SWITCH_LOG2) + (uint32_t)__builtin_ctz(rest)];
        uint32_t k = q->who >> HOP_LOG2;
        if (q->want == PARENTS && e->voyage[k].front < cycle)
            q->want = e->worm[k].drawn;
    }
}

/* Some head could get an output in the next cycle. */
static bool awaits(const struct lanes *e, uint32_t s)
{
    const struct node *n = &e->node[s];
    for (uint32_t rest = n->heads; rest; rest &= rest - 1)
        if (e->queue[(s << SWITCH_LOG2) + (uint32_t)__builtin_ctz(rest)].want & n->open)
            return true;
    return false;
}

/* The same of bodies alone: of those that hold one output the first from the start port on. */
static NOT_INLINE uint32_t scan_bodies(struct lanes *e, uint32_t s, uint32_t offers)
{
    const struct node *n = &e->node[s];
    const struct queue *q = &e->queue[s << SWITCH_LOG2];
    uint32_t lost = 0, start = e->params.scan == SCAN_RR ? CHANNELS * start_port(e, s, random_bits(e, s)) : 0;

    for (uint32_t rest = offers & n->crowd; several(rest);) {
        uint32_t one = rest & n->out[__builtin_ctz(q[__builtin_ctz(rest)].want)];
        uint32_t early = one >> start << start, first = early ? early : one;
        lost |= one ^ (first & (0 - first));
        rest &= ~one;
    }
    return offers & ~lost;
}

/* What crosses of what the ports of a switch offer: bodies alone. */
static inline uint32_t pick_bodies(struct lanes *e, uint32_t s, uint32_t offers)
{
    if (!several(offers & e->node[s].crowd))
        return offers; /* nothing is in the way of any */
    return e->turns ? scan_bodies(e, s, offers) : decide_bodies(e, s, offers);
}

/* The same where there are heads among them. */
static uint32_t pick_heads(struct lanes *e, uint32_t s, uint32_t offers, struct heads *h)
{
    unsigned c = (unsigned)__builtin_ctz(offers);

    if (several(offers))
        return e->turns ? scan_inputs(e, s, offers, h) : decide(e, s, offers, h);
    head_crosses(e, s, c, (unsigned)__builtin_ctz(choose(e, s, h, c / CHANNELS, h->want[c])));
    return offers; /* it alone */
}

/* Registers, and whom they say to be alone from now on, after flits of `won` have crossed. */
static inline void crossed(struct lanes *e, uint32_t s, uint32_t won, uint32_t ports)
{
    struct node *n = &e->node[s];
    n->turn = turn_after(n->turn, won, ports);
    if (e->rot)
        turn_outputs(e, s, won);
    if (won & n->left)
        cross_alone(e, s, won & n->left);
}

/* A switch where heads are at the front.  Returns the flits that cross, but for heads. */
static NOT_INLINE uint32_t arbitrate_heads(struct lanes *e, uint32_t s)
{
    struct node *n = &e->node[s];
    uint32_t bodies = n->asks & ~AWAKE;
    struct heads h;

    h.channels = 0; /* want[] is read of theirs alone */
    h.drawn = false;
    if (e->params.path == PATH_RW)
        keep_drawn(e, s, e->run.now);
    bool some = ask_heads(e, s, &bodies, &h);
    uint32_t asks = bodies | h.channels, won = offers_of(asks, ports_of(asks), n->turn);
    won = won & h.channels ? pick_heads(e, s, won, &h) : pick_bodies(e, s, won);
    crossed(e, s, won, ports_of(won));
    if (e->params.path == PATH_RW)
        keep_drawn(e, s, e->run.now + 1);
    n->asks = some && awaits(e, s) ? AWAKE : 0;
    return won & ~h.channels;
}

/* A switch where flits that hold outputs are alone. */
static inline uint32_t arbitrate_bodies(struct lanes *e, uint32_t s)
{
    struct node *n = &e->node[s];
    uint32_t ports = ports_of(n->asks), offers = offers_of(n->asks, ports, n->turn);
    uint32_t won = pick_bodies(e, s, offers);

    n->asks = 0;
    crossed(e, s, won, won == offers ? ports : ports_of(won));
    return won;
}

/* Worms whose flits cross learn it; q[0] is the first of their switch. */
static inline void cross(struct worm *worm, const struct queue *q, uint32_t channels)
{
    for (; channels; channels &= channels - 1) {
        uint32_t is = q[(unsigned)__builtin_ctz(channels)].who;
        worm[is >> HOP_LOG2].moves |= UINT32_C(1) << is % HOPS;
    }
}

void lanes_arbitrate(struct lanes *e)
{
    uint32_t *item = e->awake.item, *kept = item;

    for (const uint32_t *end = item + e->awake.count; item < end; item++) {
        uint32_t s = *item;
        struct node *n = &e->node[s];
        cross(e->worm, &e->queue[s << SWITCH_LOG2], n->heads ? arbitrate_heads(e, s) : arbitrate_bodies(e, s));
        *kept = s;
        kept += n->asks != 0;
    }
    e->awake.count = (uint32_t)(kept - e->awake.item);
}
