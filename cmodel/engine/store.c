/* SPDX-License-Identifier: Apache-2.0
 * store.c - STORE and SPLIT: packets move whole from queue to queue (GO III.B.2).
 *
 * Within a step nodes act in order from the roots to the leaves, processors last, and a queue that
 * a packet left in this step can be filled in this step; no packet moves twice in a step.  So packets
 * that go up follow each other without a gap, and packets that queue up on their way down move every
 * second step if q = 1.  SPLIT is the same with flits as packets and steps of one cycle.
 *
 * The switches choose as those of WORM do (docs/rules.md): the same random bits, scan and arbiter.
 * Nodes of one level share no queue, so the order within a level cannot matter.
 *
 * Only switches in which something might move are looked at.  A switch sleeps when no packet at the
 * front of its queues has an output with room; a queue that gets room or a new front wakes it.
 */
#include "packets.h"

#include "discipline.h"
#include "flit.h"
#include "hops.h"
#include "jumps.h"
#include "network.h"
#include "rng.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

/* A switch and its queues as they look between steps. */
struct node {
    uint32_t since[SWITCH_PORTS]; /* step (low bits) from which the front may move */
    uint64_t drawn;
    uint32_t random;              /* lfsr_q as of step drawn */
    uint32_t subtree;             /* dst >> 2 * level of the processors below it */
    uint16_t level;
    uint16_t below;               /* 2 * (level - 1) */
    uint16_t queue[SWITCH_PORTS]; /* of hops.h */
    uint16_t filled;              /* ports with a packet at the front */
    uint16_t fresh;               /* ... to which it came since the switch last acted (FCFS) */
    uint16_t came;                /* ... to which it came down in this step: it cannot leave yet */
    uint16_t room;                /* outputs whose queue at the far end has room */
};

/* The queue of a processor. */
struct eater {
    uint32_t since; /* step of its last arrival, low bits */
    uint32_t count;
};

struct store {
    struct packets p;
    unsigned shift;         /* log2 of a queue's slots */
    uint32_t places;        /* 8 * switches; the places of processors come after those */
    uint32_t *to;           /* [places], where the link that leaves a switch by a port leads */
    uint32_t *from;         /* [places + nodes], 8 * switch + output that the link leaves, or places + processor */
    struct switch_params params[MAX_LEVELS + 1]; /* of the switches of a level */
    struct node *node;      /* [switches] */
    struct piece *slot;     /* [places << shift] */
    struct eater *eater;    /* [nodes] */
    struct scan *scan;      /* [switches], ROT and FCFS */
    uint64_t *awake;        /* [switches] bits: something might move */
    uint64_t *sending;      /* [nodes] bits: the source has a packet and its link has room */
    uint64_t *eating;       /* [nodes] bits: the processor's queue is not empty */
    struct tally tally[2];  /* [up] */
    bool quiet;             /* nothing was there to do in the last step */
    bool random;            /* path or scan draw random bits */
    bool draws_parent;      /* RP */
    bool plain;             /* a head wants one output, and the scan is an order from a start port */
    bool among_waiting;     /* FATFLY_WAITING */
    struct jumps jumps;
    uint32_t bit[JUMPS_SOON][SWITCH_CHILDREN]; /* jumps_masks() of bits 16 to 19: the parent drawn for a child */
};

static void clear(uint64_t *bits, uint32_t k)
{
    bits[k >> 6] &= ~(UINT64_C(1) << (k & 63));
}

/* -- random bits ---------------------------------------------------------------------------- */

/* The register steps once a step, asleep or not. */
static void draw(struct store *e, struct node *n)
{
    n->random = jumps_after(&e->jumps, n->random, e->p.step - n->drawn);
    n->drawn = e->p.step;
}

/* The parent drawn for child i in this step: one bit of the register, for which it need not be moved on. */
INLINE unsigned drawn_parent(struct store *e, struct node *n, unsigned i)
{
    uint64_t gap = e->p.step - n->drawn;
    if (gap >= JUMPS_SOON) {
        draw(e, n);
        gap = 0;
    }
    return 16u << __builtin_parity(n->random & e->bit[gap][i]);
}

/* -- queues --------------------------------------------------------------------------------- */

/* A packet is at the front of port i, whose queue is otherwise as said; it may take the outputs that docs/rules.md
 * says (routing). */
INLINE void new_front(struct store *e, struct node *n, uint32_t s, unsigned i, unsigned queue, struct piece x)
{
    uint32_t below = e->p.packet[x.packet].is.dst >> n->below;
    unsigned want = 1u << (below & 3);

    if (i < SWITCH_CHILDREN && below >> 2 != n->subtree)
        want = e->p.params.path == PATH_FP ? 16u << (packets_path(&e->p, x) >> (n->level - 1) & 1) : PARENTS;
    n->queue[i] = (uint16_t)(queue | want << WANT_SHIFT);
    n->since[i] = (uint32_t)e->p.step + 1;
    n->filled |= (uint16_t)(1u << i);
    n->fresh |= (uint16_t)(1u << i);
    set(e->awake, s);
}

/* Joins the queue at the end of a link to a switch.  True if that is full now. */
INLINE bool push(struct store *e, uint32_t place, bool up, struct piece x)
{
    uint32_t s = place >> PLACE_SHIFT;
    unsigned i = place % PLACES;
    struct node *n = &e->node[s];
    unsigned queue = n->queue[i], count = count_of(queue);

    e->slot[(place << e->shift) + ((queue + count) & ((1u << e->shift) - 1))] = x;
    queue += 1u << COUNT_SHIFT;
    if (count) {
        n->queue[i] = (uint16_t)queue;
    } else {
        new_front(e, n, s, i, queue, x);
        n->came |= (uint16_t)(!up << i); /* what is nearer to the leaves acts later in this step */
    }
    return count + 1 == e->p.params.depth;
}

/* The queue at the end of a link has room again; its near end acts later in this step if it is
 * nearer to the leaves, else in the next. */
static void room(struct store *e, uint32_t place)
{
    uint32_t near = e->from[place];

    if (near < e->places) {
        e->node[near >> PLACE_SHIFT].room |= (uint16_t)(1u << near % PLACES);
        set(e->awake, near >> PLACE_SHIFT);
    } else if (e->p.source[near - e->places].first != NO_PACKET) {
        set(e->sending, near - e->places);
    }
}

/* A processor takes all flits of what arrives at once. */
static bool feed(struct store *e, uint32_t a, struct piece x)
{
    e->eater[a].since = (uint32_t)e->p.step;
    set(e->eating, a);
    packets_deliver(&e->p, x);
    return ++e->eater[a].count == e->p.params.depth;
}

/* A piece crosses a link after so many steps at the front. */
INLINE void cross(struct store *e, uint32_t link, bool up, uint32_t waited, struct piece x)
{
    struct tally *t = &e->tally[up];

    e->p.run.m.link_worms[link]++;
    t->moves++;
    t->waited += waited;
    if (!e->p.split)
        t->flits += e->p.packet[x.packet].is.length;
    if (e->p.run.m.observer)
        packets_tell(&e->p, link, waited, x);
}

/* The front of port i of switch s crosses by port o. */
INLINE void move(struct store *e, struct node *n, uint32_t s, unsigned i, unsigned o)
{
    unsigned queue = n->queue[i], first = queue & FIRST, count = count_of(queue);
    uint32_t in = PLACES * s + i, out = e->to[PLACES * s + o];
    struct piece x = e->slot[(in << e->shift) + first];
    bool up = o >= SWITCH_CHILDREN, ends = out >= e->places;

    cross(e, out - 2 * (ends ? e->p.switches : out >> PLACE_SHIFT), up, (uint32_t)e->p.step - n->since[i], x);
    first = (first + 1) & ((1u << e->shift) - 1);
    if (count == 1) {
        n->queue[i] = (uint16_t)first;
        n->filled &= (uint16_t)~(1u << i);
    } else {
        new_front(e, n, s, i, first | (count - 1) << COUNT_SHIFT, e->slot[(in << e->shift) + first]);
    }
    if (count == e->p.params.depth)
        room(e, in);
    if (ends ? feed(e, out - e->places, x) : push(e, out, up, x))
        n->room &= (uint16_t)~(1u << o);
}

/* -- a step --------------------------------------------------------------------------------- */

/* RR and FF: the port to start from, drawn from byte 31:24 of the last step, 15:8 of this one. */
static unsigned start_port(const struct store *e, const struct node *n,
                           const struct switch_params *p)
{
    unsigned byte = n->random >> 8 & 0xff;

    if (p->scan == SCAN_FO)
        return 0;
    if (!e->among_waiting)
        return byte * (n->level == p->levels ? 4 : 6) >> 8;
    unsigned filled = n->filled;
    for (unsigned skip = byte * (unsigned)__builtin_popcount(filled) >> 8; skip; skip--)
        filled &= filled - 1;
    return (unsigned)__builtin_ctz(filled);
}

/* Whom the switch lets pass: gnt[i] as arbiter_eval() says. */
static void grant(struct store *e, uint32_t s, const uint8_t req[SWITCH_PORTS], unsigned asks,
                  unsigned fresh, uint8_t gnt[SWITCH_PORTS])
{
    struct node *n = &e->node[s];
    const struct switch_params *p = &e->params[n->level];
    struct scan own;
    struct scan *scan = e->scan ? &e->scan[s] : &own;
    struct scan_in in = {.asks = (uint8_t)asks, .fresh = fresh};
    uint8_t rows[SWITCH_PORTS];
    arbiter_order order;

    if (e->random)
        draw(e, n);
    if (!e->scan)
        own.start_q = (uint8_t)start_port(e, n, p);
    for (unsigned rest = p->scan == SCAN_FF ? asks : 0; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        struct piece x = e->slot[((PLACES * s + i) << e->shift) + (n->queue[i] & FIRST)];
        in.height[i] = e->p.packet[x.packet].height;
    }
    scan_eval(scan, p, &in, order, rows);
    arbiter_eval(p->path, n->level == p->levels, req, n->random >> 16 & 15, order, gnt);
    if (e->scan)
        scan_tick(scan, p, 0, gnt, fresh);
}

/* Outputs with room that the front of port i could take in this step. */
INLINE unsigned chosen(struct store *e, struct node *n, unsigned i)
{
    unsigned want = n->queue[i] >> WANT_SHIFT;
    return (want == PARENTS && e->draws_parent ? drawn_parent(e, n, i) : want) & n->room;
}

static bool could_move(const struct node *n)
{
    for (unsigned rest = n->filled; rest; rest &= rest - 1)
        if (n->queue[__builtin_ctz(rest)] >> WANT_SHIFT & n->room)
            return true;
    return false;
}

/* What each port gets of what it asks for, as the switch decides. */
static uint64_t contest(struct store *e, uint32_t s, uint64_t req, unsigned asks, unsigned fresh)
{
    uint8_t in[SWITCH_PORTS], gnt[SWITCH_PORTS];

    rows_of(req, in);
    grant(e, s, in, asks, fresh, gnt);
    return bytes_of(gnt);
}

/* Several fronts that can leave.  True if some might in the next step. */
INLINE bool act_among(struct store *e, struct node *n, uint32_t s, unsigned live)
{
    unsigned fresh = n->fresh & live;
    bool stateful = e->scan;
    struct asks a = {0};

    for (unsigned rest = live; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        ask(&a, i, chosen(e, n, i));
    }
    n->fresh &= (uint16_t)~fresh;
    if (a.contended && e->plain) {
        if (e->random)
            draw(e, n);
        a.ports = choose(a.req, a.ports, start_port(e, n, &e->params[n->level]));
    } else if (a.contended || (stateful && (a.ports || fresh))) {
        a.req = contest(e, s, a.req, a.ports, fresh);
    }
    for (unsigned rest = a.ports; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest), o = a.req >> 8 * i & 0x3f;
        if (o)
            move(e, n, s, i, (unsigned)__builtin_ctz(o));
    }
    return (a.ports && n->filled) || could_move(n) || (stateful && n->fresh);
}

/* A switch that is awake no more.  Most have one front that can leave, and nobody to ask. */
INLINE void act(struct store *e, uint32_t s)
{
    struct node *n = &e->node[s];
    unsigned live = n->filled & ~(unsigned)n->came;

    n->came = 0;
    if (live == 0 || (live & (live - 1)) || e->scan) {
        if (act_among(e, n, s, live))
            set(e->awake, s);
        return;
    }
    unsigned i = (unsigned)__builtin_ctz(live), want = chosen(e, n, i);
    if (want == PARENTS) /* GP takes the first, RG the one that it prefers */
        want = e->p.params.path == PATH_GP ? 16 : drawn_parent(e, n, i);
    if (want)
        move(e, n, s, i, (unsigned)__builtin_ctz(want));
    if (want ? n->filled != 0 : could_move(n))
        set(e->awake, s);
}

/* Counts what crossed links of that level. */
static void count_moves(struct store *e, bool up, unsigned level)
{
    if (e->p.split)
        e->tally[up].flits = e->tally[up].moves;
    tally_up(&e->tally[up], &e->p.run, up, level);
}

static bool act_level(struct store *e, unsigned level)
{
    uint32_t first = e->p.base[level], last = e->p.base[level + 1] - 1;
    bool any = false;

    for (uint32_t w = first >> 6; w <= last >> 6; w++) {
        uint64_t rest = level_word(e->awake, w, first, last);
        e->awake[w] ^= rest; /* until they say that they stay awake */
        any |= rest != 0;
        for (; rest; rest &= rest - 1)
            act(e, w << 6 | (uint32_t)__builtin_ctzll(rest));
    }
    count_moves(e, true, level);
    count_moves(e, false, level - 1);
    return any;
}

/* Consumes what came in an earlier step. */
static void consume(struct store *e, uint32_t a)
{
    struct eater *q = &e->eater[a];

    if (q->count > (q->since == (uint32_t)e->p.step) && q->count-- == e->p.params.depth)
        room(e, e->places + a);
    if (!q->count)
        clear(e->eating, a);
}

static void inject(struct store *e, uint32_t a)
{
    uint32_t waited = (uint32_t)(e->p.step - e->p.source[a].front);
    struct piece x = packets_take(&e->p, a);

    cross(e, SWITCH_PORTS * (a >> 2) + (a & 3), true, waited, x);
    if (push(e, PLACES * (a >> 2) + (a & 3), true, x) || e->p.source[a].first == NO_PACKET)
        clear(e->sending, a);
}

static bool each(struct store *e, const uint64_t *bits, void (*act_on)(struct store *, uint32_t))
{
    bool any = false;
    for (uint32_t w = 0; w <= (e->p.nodes - 1) >> 6; w++)
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1) {
            act_on(e, w << 6 | (uint32_t)__builtin_ctzll(rest));
            any = true;
        }
    return any;
}

/* -- the run -------------------------------------------------------------------------------- */

/* So many samples of the queues as they are. */
static void take_samples(struct store *e, uint64_t times)
{
    struct held h = {.holding = {0}};

    for (uint32_t s = 0; s < e->p.switches; s++) {
        const struct node *n = &e->node[s];
        unsigned ports = n->level == e->p.params.levels ? SWITCH_CHILDREN : SWITCH_PORTS;
        h.holding[0] += ports;
        for (unsigned rest = n->filled; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest), up = i < SWITCH_CHILDREN, count = count_of(n->queue[i]);
            h.level[up][n->level - up] += count;
            h.holding[count]++;
            h.holding[0]--;
        }
    }
    h.holding[0] += e->p.nodes;
    for (uint32_t w = 0; w <= (e->p.nodes - 1) >> 6; w++)
        for (uint64_t rest = e->eating[w]; rest; rest &= rest - 1) {
            unsigned count = e->eater[w << 6 | (uint32_t)__builtin_ctzll(rest)].count;
            h.level[0][0] += count;
            h.holding[count]++;
            h.holding[0]--;
        }
    held_count(&h, &e->p.run, e->p.params.levels, times);
}

static void sample(struct run *r, uint64_t to)
{
    uint64_t samples = packets_samples(r, to);
    if (samples)
        take_samples((struct store *)r, samples);
}

static int step(struct run *r)
{
    struct store *e = (struct store *)r;

    if (packets_begin(&e->p))
        take_samples(e, 1);
    bool any = false;
    for (unsigned l = e->p.params.levels; l >= 1; l--) /* from the roots to the leaves */
        any |= act_level(e, l);
    any |= each(e, e->eating, consume);
    any |= each(e, e->sending, inject);
    count_moves(e, true, 0);
    e->quiet = !any;
    return FATFLY_OK;
}

static int enter(struct run *r, const struct traffic_worm *w)
{
    struct store *e = (struct store *)r;
    int status = packets_enter(r, w);
    if (count_of(e->node[w->src >> 2].queue[w->src & 3]) < e->p.params.depth)
        set(e->sending, w->src);
    return status;
}

/* Links by place. */
static void wire(struct store *e)
{
    for (uint32_t link = 0; link < SWITCH_PORTS * e->p.switches + e->p.nodes; link++) {
        uint32_t near = e->p.from[link], place = place_of(link, e->p.switches), from = place_of(near, e->p.switches);
        bool wired = near || link == e->p.to[0]; /* roots have no parents */
        if (wired)
            e->from[place] = from;
        if (wired && from < e->places)
            e->to[from] = place;
    }
}

static int open_store(struct run *r)
{
    struct store *e = (struct store *)r;
    const struct switch_params *p = &e->p.params;
    uint32_t seed = (uint32_t)rng_hash(r->config->seed);

    if (packets_open(&e->p))
        return FATFLY_NO_MEMORY;
    bool stateful = p->scan == SCAN_ROT || p->scan == SCAN_FCFS;
    e->random = p->scan == SCAN_RR || p->scan == SCAN_FF || p->path == PATH_RP ||
                p->path == PATH_RG;
    e->draws_parent = p->path == PATH_RP;
    e->plain = (p->path == PATH_RP || p->path == PATH_FP) && (p->scan == SCAN_RR || p->scan == SCAN_FO);
    e->among_waiting = r->config->start == FATFLY_WAITING;
    e->node = calloc(e->p.switches, sizeof *e->node);
    e->places = PLACES * e->p.switches;
    e->shift = shift_of(p->depth);
    e->to = calloc(e->places, sizeof *e->to);
    e->from = calloc(e->places + e->p.nodes, sizeof *e->from);
    e->slot = malloc(((size_t)e->places << e->shift) * sizeof *e->slot);
    e->eater = calloc(e->p.nodes, sizeof *e->eater);
    e->scan = stateful ? calloc(e->p.switches, sizeof *e->scan) : NULL;
    e->awake = calloc(words(e->p.switches), sizeof *e->awake);
    e->sending = calloc(words(e->p.nodes), sizeof *e->sending);
    e->eating = calloc(words(e->p.nodes), sizeof *e->eating);
    if (!e->node || !e->to || !e->from || !e->slot || !e->eater || (stateful && !e->scan) || !e->awake || !e->sending || !e->eating)
        return FATFLY_NO_MEMORY;
    for (unsigned i = 0; i < SWITCH_CHILDREN; i++)
        jumps_masks(16 + i, &e->bit[0][i], SWITCH_CHILDREN);
    wire(e);
    for (unsigned l = 1; l <= p->levels; l++) {
        e->params[l] = *p;
        e->params[l].level = l;
        e->params[l].vcs = 1;
        for (uint32_t s = e->p.base[l]; s < e->p.base[l + 1]; s++) {
            struct lfsr q;
            lfsr_reset(&q, network_switch_seed(seed, s));
            e->node[s] = (struct node){.random = q.lfsr_q, .level = (uint16_t)l, .subtree = (s - e->p.base[l]) >> (l - 1),
                                       .below = (uint16_t)(2 * (l - 1)), .room = l == p->levels ? 0x0f : 0x3f};
        }
    }
    return FATFLY_OK;
}

static void close_store(struct run *r)
{
    struct store *e = (struct store *)r;
    packets_close(&e->p);
    free(e->node);
    free(e->to);
    free(e->from);
    free(e->slot);
    free(e->eater);
    free(e->scan);
    free(e->awake);
    free(e->sending);
    free(e->eating);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t switches = c->nodes / 2;
    bool stateful = c->scan == FATFLY_ROT || c->scan == FATFLY_FCFS;

    return packets_memory(c, t) + sizeof(struct store) +
           switches * (sizeof(struct node) + PLACES * ((sizeof(struct piece) << shift_of(c->depth)) + 8) +
                       (stateful ? sizeof(struct scan) : 0)) +
           c->nodes * (sizeof(struct eater) + 4) + c->nodes / 2;
}

static bool idle(const struct run *r)
{
    return ((const struct store *)r)->quiet;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return t->levels && (c->discipline == FATFLY_STORE || c->discipline == FATFLY_SPLIT);
}

const struct engine engine_store = {
    .name = "store", .state = sizeof(struct store), .can = can, .memory = memory,
    .link_cycles = packets_link_cycles, .open = open_store, .close = close_store, .enter = enter,
    .step = step, .sample = sample, .idle = idle, .tells = true, .asks_between = true};
