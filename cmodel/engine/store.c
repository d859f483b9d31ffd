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
#include "jumps.h"
#include "network.h"
#include "rng.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

enum { PARENTS = 0x30 };

/* A switch as it looks between steps. */
struct node {
    uint32_t random;  /* lfsr_q as of step drawn */
    uint32_t drawn;
    uint32_t came_in; /* step (low bits) in which the packets of the ports in came arrived */
    uint8_t came;     /* they cannot leave in that step */
    uint8_t filled;   /* ports with a packet at the front */
    uint8_t fresh;    /* ... to which it came since the switch last acted (FCFS) */
    uint8_t room;     /* outputs whose queue at the far end has room */
    uint8_t level;
    uint8_t want[SWITCH_PORTS]; /* outputs that the front may take at all */
};

struct store {
    struct packets p;
    struct switch_params params[MAX_LEVELS + 1]; /* of the switches of a level */
    struct node *node;      /* [switches] */
    struct scan *scan;      /* [switches], ROT and FCFS */
    uint64_t *awake;        /* [switches] bits: something might move */
    uint64_t *sending;      /* [nodes] bits: the source has a packet and its link has room */
    uint64_t *eating;       /* [nodes] bits: the processor's queue is not empty */
    bool quiet;             /* nothing was there to do in the last step */
    bool random;            /* path or scan draw random bits */
    bool among_waiting;     /* FATFLY_WAITING */
    struct jumps jumps;
};

static void set(uint64_t *bits, uint32_t k)
{
    bits[k >> 6] |= UINT64_C(1) << (k & 63);
}

static void clear(uint64_t *bits, uint32_t k)
{
    bits[k >> 6] &= ~(UINT64_C(1) << (k & 63));
}

/* -- random bits ---------------------------------------------------------------------------- */

/* The register steps once a step, asleep or not. */
static void draw(struct store *e, struct node *n)
{
    n->random = jumps_after(&e->jumps, n->random, (uint32_t)e->p.step - n->drawn);
    n->drawn = (uint32_t)e->p.step;
}

/* -- queues --------------------------------------------------------------------------------- */

/* Outputs that a packet may take from port i of switch s (docs/rules.md, routing). */
static uint8_t wanted(const struct store *e, uint32_t s, unsigned i, struct piece x)
{
    unsigned l = e->node[s].level;
    uint32_t dst = e->p.packet[x.packet].is.dst;

    if (i >= SWITCH_CHILDREN || dst >> 2 * l == (s - e->p.base[l]) >> (l - 1))
        return (uint8_t)(1u << (dst >> 2 * (l - 1) & 3));
    if (e->p.params.path == PATH_FP)
        return (uint8_t)(16u << (packets_path(&e->p, x) >> (l - 1) & 1));
    return PARENTS;
}

/* A packet is at the front of port i. */
static void new_front(struct store *e, uint32_t s, unsigned i, struct piece x)
{
    struct node *n = &e->node[s];
    n->want[i] = wanted(e, s, i, x);
    n->filled |= (uint8_t)(1u << i);
    n->fresh |= (uint8_t)(1u << i);
    set(e->awake, s);
}

static void arrive(struct store *e, uint32_t link, struct piece x)
{
    uint32_t s = link / SWITCH_PORTS;
    unsigned i = link % SWITCH_PORTS;
    struct node *n = &e->node[s];

    if (e->p.count[link] != 1)
        return;
    new_front(e, s, i, x);
    if (n->came_in != (uint32_t)e->p.step)
        n->came = 0;
    n->came_in = (uint32_t)e->p.step;
    n->came |= (uint8_t)(1u << i);
}

/* The queue at the end of a link has room again; its near end acts later in this step if it is
 * nearer to the leaves, else in the next. */
static void room(struct store *e, uint32_t link)
{
    uint32_t near = e->p.from[link];

    if (near >= SWITCH_PORTS * e->p.switches) {
        near -= SWITCH_PORTS * e->p.switches;
        if (e->p.source[near].first != NO_PACKET)
            set(e->sending, near);
        return;
    }
    struct node *n = &e->node[near / SWITCH_PORTS];
    n->room |= (uint8_t)(1u << near % SWITCH_PORTS);
    set(e->awake, near / SWITCH_PORTS);
}

/* The front of port i of switch s crosses by port o. */
static void move(struct store *e, uint32_t s, unsigned i, unsigned o)
{
    struct node *n = &e->node[s];
    uint32_t in = SWITCH_PORTS * s + i;
    uint32_t out = e->p.to[SWITCH_PORTS * s + o];
    uint32_t since = e->p.since[in];
    bool was_full = packets_full(&e->p, in);
    struct piece x = packets_pop(&e->p, in, i < SWITCH_CHILDREN, n->level);

    if (was_full)
        room(e, in);
    n->filled &= (uint8_t)~(1u << i);
    if (e->p.count[in])
        new_front(e, s, i, packets_front(&e->p, in));
    bool up = o >= SWITCH_CHILDREN;
    packets_cross(&e->p, out, out, up, up ? n->level + 1u : n->level - 1u, x, since);
    if (packets_full(&e->p, out))
        n->room &= (uint8_t)~(1u << o);
    if (out < SWITCH_PORTS * e->p.switches)
        arrive(e, out, x);
    else
        set(e->eating, out - SWITCH_PORTS * e->p.switches);
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
        in.height[i] = e->p.packet[packets_front(&e->p, SWITCH_PORTS * s + i).packet].height;
    }
    scan_eval(scan, p, &in, order, rows);
    arbiter_eval(p->path, n->level == p->levels, req, n->random >> 16 & 15, order, gnt);
    if (e->scan)
        scan_tick(scan, p, 0, gnt, fresh);
}

/* Outputs that the front of port i could take if they had room, in this step. */
static unsigned chosen(const struct node *n, enum path_select path, unsigned i)
{
    if (path == PATH_RP && n->want[i] == PARENTS)
        return 16u << (n->random >> (16 + i) & 1);
    return n->want[i];
}

static bool could_move(const struct node *n)
{
    for (unsigned rest = n->filled; rest; rest &= rest - 1)
        if (n->want[__builtin_ctz(rest)] & n->room)
            return true;
    return false;
}

static void act(struct store *e, uint32_t s)
{
    struct node *n = &e->node[s];
    enum path_select path = e->p.params.path;
    unsigned live = n->filled & ~(n->came_in == (uint32_t)e->p.step ? n->came : 0u);
    unsigned fresh = n->fresh & live;
    uint8_t req[SWITCH_PORTS] = {0}, gnt[SWITCH_PORTS] = {0};
    unsigned asks = 0, asked = 0;
    bool contest = false;

    for (unsigned rest = live; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (path == PATH_RP && n->want[i] == PARENTS && n->drawn != (uint32_t)e->p.step)
            draw(e, n);
        unsigned want = chosen(n, path, i) & n->room;
        req[i] = (uint8_t)want;
        asks |= (unsigned)(want != 0) << i;
        contest |= (asked & want) || (want & (want - 1));
        asked |= want;
    }
    n->fresh &= (uint8_t)~fresh;
    if (contest || (e->scan && (asks || fresh)))
        grant(e, s, req, asks, fresh, gnt);
    else
        memcpy(gnt, req, sizeof gnt);
    for (unsigned rest = asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (gnt[i])
            move(e, s, i, (unsigned)__builtin_ctz(gnt[i]));
    }
    if (!could_move(n) && !(n->fresh && e->scan))
        clear(e->awake, s);
}

/* Switches first .. last - 1, those of one level. */
static bool act_level(struct store *e, uint32_t first, uint32_t last)
{
    bool any = false;
    for (uint32_t w = first >> 6; w <= (last - 1) >> 6; w++) {
        uint64_t rest = e->awake[w];
        if (w == first >> 6)
            rest &= UINT64_MAX << (first & 63);
        if (w == (last - 1) >> 6)
            rest &= UINT64_MAX >> (63 - ((last - 1) & 63));
        any |= rest != 0;
        for (; rest; rest &= rest - 1)
            act(e, w << 6 | (uint32_t)__builtin_ctzll(rest));
    }
    return any;
}

static void consume(struct store *e, uint32_t a)
{
    uint32_t link = SWITCH_PORTS * e->p.switches + a;
    bool was_full = packets_full(&e->p, link);

    if (packets_consume(&e->p, a) && was_full)
        room(e, link);
    if (!e->p.count[link])
        clear(e->eating, a);
}

static void inject(struct store *e, uint32_t a)
{
    uint32_t link = SWITCH_PORTS * (a >> 2) + (a & 3);
    struct piece x = {e->p.source[a].first, e->p.source[a].flit};

    packets_inject(&e->p, a, link);
    arrive(e, link, x);
    if (packets_full(&e->p, link) || e->p.source[a].first == NO_PACKET)
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

static int step(struct run *r)
{
    struct store *e = (struct store *)r;
    bool any = false;

    packets_begin(&e->p);
    for (unsigned l = e->p.params.levels; l >= 1; l--)
        any |= act_level(e, e->p.base[l], e->p.base[l + 1]);
    any |= each(e, e->eating, consume);
    any |= each(e, e->sending, inject);
    e->quiet = !any;
    return FATFLY_OK;
}

static int enter(struct run *r, const struct traffic_worm *w)
{
    struct store *e = (struct store *)r;
    int status = packets_enter(r, w);
    if (!packets_full(&e->p, SWITCH_PORTS * (w->src >> 2) + (w->src & 3)))
        set(e->sending, w->src);
    return status;
}

static size_t words(uint32_t bits)
{
    return (bits >> 6) + 1;
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
    e->among_waiting = r->config->start == FATFLY_WAITING;
    e->node = calloc(e->p.switches, sizeof *e->node);
    e->scan = stateful ? calloc(e->p.switches, sizeof *e->scan) : NULL;
    e->awake = calloc(words(e->p.switches), sizeof *e->awake);
    e->sending = calloc(words(e->p.nodes), sizeof *e->sending);
    e->eating = calloc(words(e->p.nodes), sizeof *e->eating);
    if (!e->node || (stateful && !e->scan) || !e->awake || !e->sending || !e->eating)
        return FATFLY_NO_MEMORY;
    for (unsigned l = 1; l <= p->levels; l++) {
        e->params[l] = *p;
        e->params[l].level = l;
        e->params[l].vcs = 1;
        for (uint32_t s = e->p.base[l]; s < e->p.base[l + 1]; s++) {
            struct lfsr q;
            lfsr_reset(&q, network_switch_seed(seed, s));
            e->node[s] = (struct node){.random = q.lfsr_q, .level = (uint8_t)l,
                                       .room = l == p->levels ? 0x0f : 0x3f,
                                       .came_in = UINT32_MAX};
        }
    }
    return FATFLY_OK;
}

static void close_store(struct run *r)
{
    struct store *e = (struct store *)r;
    packets_close(&e->p);
    free(e->node);
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
           switches * (sizeof(struct node) + (stateful ? sizeof(struct scan) : 0)) + c->nodes / 2;
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
    .step = step, .sample = packets_sample, .idle = idle, .tells = true, .asks_between = true};
