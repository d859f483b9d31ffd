/* SPDX-License-Identifier: Apache-2.0
 * ranade.c - UNIV, the leveled-network algorithm of Leighton, Maggs, Ranade and Rao (J. Algorithms
 * 1994, GO's [15], section 2 there) on the butterfly fat-tree.
 *
 * A packet's rank is drawn from [1, R]; ties are broken by its number, so ranks are in total order.
 * Every node passes packets in that order.  The nodes are the up half and the down half of each
 * switch (GO III: "duplicating each switch"), so the network has no cycle.  The link from a child
 * leads to both halves, each has a queue of q packets at its end, and a packet that turns goes to
 * the down half.  So a path has 2 * height links, as in the other disciplines.
 *
 * All nodes act on the state at the start of the step:
 *  - A node looks at the front of each of its queues, or, where a queue is empty, at the ghost that
 *    came in the last step.  If a queue has neither, it does nothing.
 *  - It selects the smallest rank.  If that is a packet, and the queue that it goes to next held
 *    fewer than q packets, the packet crosses; at most one packet a node and step.
 *  - Every other outgoing link, or all of them if nothing crosses, gets a ghost with that rank:
 *    nothing smaller will come.  A ghost lives one step, and does not count where packets wait.
 *  - A source with nothing left to send, and a node all of whose queues are at their end, send
 *    ghosts of infinite rank for ever (the paper's end-of-stream packets) and have ended.
 *  - A processor's queue holds q packets, too; it consumes one that came in an earlier step.
 * Ghosts also go over the link of a packet that is blocked: with q = 1 its queue may be empty in
 * the next step, and nothing would tell its reader that no smaller rank is to come.
 *
 * It ends: the packet of smallest rank is at the front of its queue, its next queue holds nothing
 * (what passed before had smaller ranks), and within as many steps as there are levels all ghosts
 * that meet it say more than its rank.
 *
 * A random parent (RP) is drawn anew in each step.  The scan plays no part.  Packets that become
 * ready at different cycles (lists of messages) are ordered by that first.
 */
#include "ranade.h"

#include "fat_tree.h"
#include "flit.h"
#include "jumps.h"
#include "lfsr.h"
#include "network.h"
#include "packets.h"
#include "rng.h"

#include <stdlib.h>

enum { UP_ENDED = 1, DOWN_ENDED = 2, ENDED = 3, NO_QUEUE = UINT32_MAX };

struct ranade {
    struct packets p;
    const struct ranade_watch *watch;
    struct ranade_key *ghost[2]; /* [step parity][queues]; rank 0: none came */
    struct lfsr *random;       /* [switches] */
    uint8_t *ended;            /* [switches], halves that will send nothing more */
    uint32_t *active;          /* switches that have not ended */
    uint32_t *sending;         /* sources that have not ended */
    uint32_t active_count, sending_count;
    struct jumps jumps;
};

static const struct ranade_key endless = {UINT64_MAX, UINT64_MAX};
static const struct ranade_key nothing = {0, 0};

static bool less(struct ranade_key a, struct ranade_key b)
{
    return a.ready < b.ready || (a.ready == b.ready && a.rank < b.rank);
}

static struct ranade_key key_of(const struct ranade *e, uint32_t packet)
{
    const struct packet *k = &e->p.packet[packet];
    return (struct ranade_key){k->is.ready, k->rank};
}

/* What one half of a switch selects. */
struct select {
    struct ranade_key key;
    uint32_t queue; /* of the packet, or NO_QUEUE: a ghost */
    unsigned port;
    bool unknown;   /* a queue says nothing: do nothing */
};

/* The queue at child port i of the down half; 6s + i is the up half's. */
static uint32_t turning(const struct ranade *e, uint32_t s, unsigned i)
{
    return SWITCH_PORTS * e->p.switches + e->p.nodes + 4 * s + i;
}

static bool turns(const struct packets *p, uint32_t s, unsigned level, uint32_t dst)
{
    return dst >> 2 * level == (s - p->base[level]) >> (level - 1);
}

/* The queue for a packet that goes up a link. */
static uint32_t upward(const struct ranade *e, uint32_t link, unsigned level, uint32_t dst)
{
    uint32_t s = link / SWITCH_PORTS;
    return turns(&e->p, s, level, dst) ? turning(e, s, link % SWITCH_PORTS) : link;
}

/* The queue had room at the start of the step: its reader may have acted, a processor has not. */
static bool had_room(const struct ranade *e, uint32_t queue)
{
    uint32_t first = SWITCH_PORTS * e->p.switches;
    bool processor = queue >= first && queue < first + e->p.nodes;
    bool popped = !processor && e->p.since[queue] == (uint32_t)e->p.step + 1;
    return e->p.count[queue] + (unsigned)popped < e->p.params.depth;
}

static void send_ghost(struct ranade *e, uint32_t queue, struct ranade_key key)
{
    e->ghost[(e->p.step + 1) & 1][queue] = key;
}

/* The ghosts of both parities are endless: nobody needs to send them again. */
static bool said_end(const struct ranade *e, uint32_t queue)
{
    return e->ghost[0][queue].rank == endless.rank && e->ghost[1][queue].rank == endless.rank;
}

/* Looks at the front of a queue, or at its ghost.  What arrived in this step does not count. */
static void look(const struct ranade *e, uint32_t queue, unsigned port, struct select *s)
{
    bool filled = e->p.count[queue] > (e->p.since[queue] == (uint32_t)e->p.step + 1);
    struct ranade_key key = filled ? key_of(e, packets_front(&e->p, queue).packet)
                                 : e->ghost[e->p.step & 1][queue];

    if (key.rank == 0)
        s->unknown = true;
    if (less(key, s->key) || (filled && !less(s->key, key))) {
        s->key = key;
        s->queue = filled ? queue : NO_QUEUE;
        s->port = port;
    }
}

static unsigned parent(const struct ranade *e, uint32_t s, unsigned level, const struct select *x)
{
    const uint32_t *to = &e->p.to[SWITCH_PORTS * (size_t)s];
    unsigned bit = e->random[s].lfsr_q >> (16 + x->port) & 1;
    struct piece k = packets_front(&e->p, x->queue);
    uint32_t dst = e->p.packet[k.packet].is.dst;

    switch (e->p.params.path) {
    case PATH_FP:
        return 4 + (packets_path(&e->p, k) >> (level - 1) & 1);
    case PATH_RP:
        return 4 + bit;
    case PATH_GP:
        return had_room(e, upward(e, to[4], level + 1, dst)) ? 4 : 5;
    default:
        return had_room(e, upward(e, to[4 + bit], level + 1, dst)) ? 4 + bit : 5 - bit;
    }
}

/* One half's packet crosses a link into a queue. */
static void cross(struct ranade *e, uint32_t s, unsigned level, bool up, const struct select *x,
                  uint32_t link, uint32_t queue)
{
    uint32_t since = e->p.since[x->queue];
    struct piece piece = packets_pop(&e->p, x->queue, x->port < SWITCH_CHILDREN, level);

    packets_cross(&e->p, link, queue, up, up ? level + 1 : level - 1, piece, since);
    if (e->watch)
        e->watch->passes(e->watch->context, e->p.step, s, up, x->key);
}

/* The up half; false when it has ended. */
static bool act_up(struct ranade *e, uint32_t s, unsigned level)
{
    const uint32_t *to = &e->p.to[SWITCH_PORTS * (size_t)s];
    struct select x = {.key = endless, .queue = NO_QUEUE};
    uint32_t goal = NO_QUEUE;

    for (unsigned i = 0; i < SWITCH_CHILDREN; i++)
        look(e, SWITCH_PORTS * s + i, i, &x);
    if (x.unknown)
        x.key = nothing;
    else if (x.queue != NO_QUEUE) {
        uint32_t dst = e->p.packet[packets_front(&e->p, x.queue).packet].is.dst;
        uint32_t link = to[parent(e, s, level, &x)];
        goal = upward(e, link, level + 1, dst);
        if (had_room(e, goal))
            cross(e, s, level, true, &x, link, goal);
        else
            goal = NO_QUEUE;
    }
    for (unsigned o = 4; o < 6; o++) {
        uint32_t turn = turning(e, to[o] / SWITCH_PORTS, to[o] % SWITCH_PORTS);
        send_ghost(e, to[o], goal == to[o] ? nothing : x.key);
        send_ghost(e, turn, goal == turn ? nothing : x.key);
    }
    return !said_end(e, to[4]);
}

/* The down half; false when it has ended. */
static bool act_down(struct ranade *e, uint32_t s, unsigned level)
{
    const uint32_t *to = &e->p.to[SWITCH_PORTS * (size_t)s];
    struct select x = {.key = endless, .queue = NO_QUEUE};
    uint32_t goal = NO_QUEUE;

    for (unsigned i = 0; i < SWITCH_CHILDREN; i++)
        look(e, turning(e, s, i), i, &x);
    for (unsigned i = SWITCH_CHILDREN; i < SWITCH_PORTS && level < e->p.params.levels; i++)
        look(e, SWITCH_PORTS * s + i, i, &x);
    if (x.unknown)
        x.key = nothing;
    else if (x.queue != NO_QUEUE) {
        uint32_t dst = e->p.packet[packets_front(&e->p, x.queue).packet].is.dst;
        goal = to[dst >> 2 * (level - 1) & 3];
        if (had_room(e, goal))
            cross(e, s, level, false, &x, goal, goal);
        else
            goal = NO_QUEUE;
    }
    for (unsigned o = 0; o < SWITCH_CHILDREN; o++)
        send_ghost(e, to[o], goal == to[o] ? nothing : x.key);
    return !said_end(e, to[0]);
}

static void act(struct ranade *e, uint32_t s, unsigned level)
{
    if (!(e->ended[s] & UP_ENDED) && (level == e->p.params.levels || !act_up(e, s, level)))
        e->ended[s] |= UP_ENDED;
    if (!(e->ended[s] & DOWN_ENDED) && !act_down(e, s, level))
        e->ended[s] |= DOWN_ENDED;
    lfsr_tick(&e->random[s]);
}

/* A source; false when it has ended. */
static bool send(struct ranade *e, uint32_t a)
{
    const struct source *q = &e->p.source[a];
    uint32_t link = SWITCH_PORTS * (a >> 2) + (a & 3);
    uint32_t turn = turning(e, a >> 2, a & 3);
    /* Whatever comes later is not ready yet. */
    struct ranade_key key = {e->p.step * e->p.run.unit + 1, 1};
    uint32_t goal = NO_QUEUE;

    if (q->first != NO_PACKET) {
        key = key_of(e, q->first);
        goal = upward(e, link, 1, e->p.packet[q->first].is.dst);
        if (had_room(e, goal))
            packets_inject(&e->p, a, goal);
        else
            goal = NO_QUEUE;
    } else if (!calendar_more(&e->p.run.calendar, a)) {
        key = endless;
    }
    send_ghost(e, link, goal == link ? nothing : key);
    send_ghost(e, turn, goal == turn ? nothing : key);
    return !said_end(e, link);
}

static int step(struct run *r)
{
    struct ranade *e = (struct ranade *)r;
    uint32_t kept = 0;
    unsigned level = 1;

    if (packets_begin(&e->p))
        packets_look(&e->p, 1);
    for (uint32_t j = 0; j < e->active_count; j++) {
        uint32_t s = e->active[j];
        while (s >= e->p.base[level + 1])
            level++;
        act(e, s, level);
        if (e->ended[s] != ENDED)
            e->active[kept++] = s;
    }
    e->active_count = kept;
    kept = 0;
    for (uint32_t j = 0; j < e->sending_count; j++)
        if (send(e, e->sending[j]))
            e->sending[kept++] = e->sending[j];
    e->sending_count = kept;
    for (uint32_t a = 0; a < e->p.nodes; a++)
        packets_consume(&e->p, a);
    return FATFLY_OK;
}

static int open_ranade(struct run *r)
{
    struct ranade *e = (struct ranade *)r;
    uint32_t seed = (uint32_t)rng_hash(r->config->seed);

    if (packets_open(&e->p))
        return FATFLY_NO_MEMORY;
    size_t queues = 10 * (size_t)e->p.switches + e->p.nodes;
    e->ghost[0] = calloc(queues, sizeof *e->ghost[0]);
    e->ghost[1] = calloc(queues, sizeof *e->ghost[1]);
    e->random = malloc(e->p.switches * sizeof *e->random);
    e->ended = calloc(e->p.switches, sizeof *e->ended);
    e->active = malloc(e->p.switches * sizeof *e->active);
    e->sending = malloc(e->p.nodes * sizeof *e->sending);
    if (!e->ghost[0] || !e->ghost[1] || !e->random || !e->ended || !e->active || !e->sending)
        return FATFLY_NO_MEMORY;
    for (uint32_t s = 0; s < e->p.switches; s++) {
        lfsr_reset(&e->random[s], network_switch_seed(seed, s));
        e->active[e->active_count++] = s;
    }
    for (uint32_t a = 0; a < e->p.nodes; a++)
        e->sending[e->sending_count++] = a;
    return FATFLY_OK;
}

static void close_ranade(struct run *r)
{
    struct ranade *e = (struct ranade *)r;
    packets_close(&e->p);
    free(e->ghost[0]);
    free(e->ghost[1]);
    free(e->random);
    free(e->ended);
    free(e->active);
    free(e->sending);
}

void ranade_watch(struct run *r, const struct ranade_watch *watch)
{
    ((struct ranade *)r)->watch = watch;
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t nodes = c->nodes, switches = nodes / 2;
    return packets_memory(c, t) + sizeof(struct ranade) + 12 * nodes * sizeof(struct ranade_key) +
           switches * (sizeof(struct lfsr) + 1 + sizeof(uint32_t)) + nodes * sizeof(uint32_t);
}

/* Steps of an empty network: random bits alone go on. */
static void sample(struct run *r, uint64_t to)
{
    struct ranade *e = (struct ranade *)r;

    packets_look(&e->p, packets_samples(r, to));
    for (uint32_t j = 0; j < e->active_count; j++) {
        struct lfsr *random = &e->random[e->active[j]];
        random->lfsr_q = jumps_after(&e->jumps, random->lfsr_q, (to - r->now) / r->unit);
    }
}

static bool idle(const struct run *r)
{
    const struct packets *p = (const struct packets *)r;
    return p->inside == 0 && p->waiting == 0 && p->held[false][0] == 0; /* processors have consumed all */
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return t->levels && c->discipline == FATFLY_UNIV;
}

const struct engine engine_ranade = {
    .name = "ranade", .state = sizeof(struct ranade), .can = can, .memory = memory,
    .link_cycles = packets_link_cycles, .open = open_ranade, .close = close_ranade,
    .enter = packets_enter, .step = step, .sample = sample, .idle = idle,
    .tells = true, .asks_between = true, .knows_all = true};
