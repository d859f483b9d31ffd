/* SPDX-License-Identifier: Apache-2.0
 * single.c - the fast engine for worms of one flit and one virtual channel, flit for flit equal to
 * worm.c: a flit is head and tail, so a link is free again in the next cycle and a queue is a ring of worms.
 *
 * Only switches that are awake are looked at: those where a flit at the front of a queue has an output
 * with room behind it.  All decisions of a cycle use the state at its start: they are a list of moves, which
 * is carried out at the clock edge.
 */
#include "engine.h"

#include "arbiter.h"
#include "digest.h"
#include "discipline.h"
#include "fat_tree.h"
#include "heads.h"
#include "jumps.h"
#include "network.h"
#include "pool.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, PARENTS = 0x30 };

struct flit_worm {
    struct traffic_worm is;
    uint64_t injected;
    uint32_t next; /* behind it in its source, or among the unused */
};

/* The queue at the far end of a link. */
struct ring {
    uint32_t since; /* cycle from which its front has been there, low 32 bits */
    uint32_t from;  /* 6 * switch + output that the link leaves, or 6 * switches + processor */
    uint8_t first;  /* place of the front */
    uint8_t count;
};

struct node {
    uint32_t lfsr_q;
    uint32_t level;
    uint64_t time;  /* cycle of lfsr_q */
    uint8_t open;   /* outputs with room behind them */
    uint8_t heads;  /* ports with a flit at the front */
    uint8_t ports;
    bool awake;
    uint8_t want[SWITCH_PORTS]; /* outputs that will do for it */
    uint8_t rot[SWITCH_PORTS];
};

struct source {
    uint64_t front; /* cycle from which first could leave but for room */
    uint32_t first, last;
    bool listed;
};

struct move {
    uint32_t in; /* queue, or 6 * switches + processor: a source */
    uint32_t out;
    uint8_t level; /* of the link, as in struct fatfly_result */
    bool up;
};

struct singles {
    struct run run;
    struct switch_params params;
    uint64_t mask;      /* of a payload */
    uint32_t switches, nodes;
    uint32_t ports;     /* 6 * switches */
    uint32_t *to;       /* fat_tree_wire() */
    struct ring *ring;  /* [links] */
    uint32_t *slot;     /* [ports * depth] */
    struct node *node;
    struct source *source;
    struct flit_worm *worm;
    struct pool pool;
    uint32_t *awake, *ready;
    struct move *move;
    uint32_t awake_count, ready_count, move_count;
    struct jumps jumps;
};

/* -- memory ----------------------------------------------------------------------------------- */

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t switches = c->nodes / 2, worms = measure_worms(t, c), places = 256;
    while (places < worms)
        places *= 2;
    return sizeof(struct singles) + places * sizeof(struct flit_worm) +
           (uint64_t)t->links * (sizeof(struct ring) + (c->depth + 1) * sizeof(uint32_t) + sizeof(struct move)) +
           switches * (sizeof(struct node) + 4) + c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + 8);
}

static void wire(struct singles *e)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed);

    fat_tree_wire(e->params.levels, e->to);
    for (uint32_t a = 0; a < e->nodes; a++) {
        e->ring[SWITCH_PORTS * (a >> 2) + (a & 3)].from = e->ports + a;
        e->source[a].first = NONE;
    }
    for (unsigned l = 1; l <= e->params.levels; l++)
        for (uint32_t s = fat_tree_base(e->params.levels, l); s < fat_tree_base(e->params.levels, l + 1); s++) {
            struct node *n = &e->node[s];
            struct lfsr r;
            n->level = l;
            n->ports = l == e->params.levels ? SWITCH_CHILDREN : SWITCH_PORTS;
            n->open = (uint8_t)((1u << n->ports) - 1);
            lfsr_reset(&r, network_switch_seed(seed, s));
            n->lfsr_q = r.lfsr_q;
            for (unsigned o = 0; o < n->ports; o++)
                e->ring[e->to[SWITCH_PORTS * s + o]].from = SWITCH_PORTS * s + o;
        }
}

static int open_singles(struct run *r)
{
    struct singles *e = (struct singles *)r;
    struct switch_params *p = &e->params;

    tree_params(r->config, p);
    e->nodes = fat_tree_nodes(p->levels);
    e->switches = fat_tree_switches(p->levels);
    e->ports = SWITCH_PORTS * e->switches;
    e->mask = p->flit_w < 64 ? (UINT64_C(1) << p->flit_w) - 1 : UINT64_MAX;
    e->pool.unused = NONE;
    e->to = calloc(e->ports, sizeof *e->to);
    e->ring = calloc((size_t)e->ports + e->nodes, sizeof *e->ring);
    e->slot = calloc((size_t)e->ports * p->depth, sizeof *e->slot);
    e->node = calloc(e->switches, sizeof *e->node);
    e->source = calloc(e->nodes, sizeof *e->source);
    e->awake = calloc(e->switches, sizeof *e->awake);
    e->ready = calloc(e->nodes, sizeof *e->ready);
    e->move = calloc((size_t)e->ports + e->nodes, sizeof *e->move);
    if (!e->to || !e->ring || !e->slot || !e->node || !e->source || !e->awake || !e->ready || !e->move)
        return FATFLY_NO_MEMORY;
    wire(e);
    return FATFLY_OK;
}

static void close_singles(struct run *r)
{
    struct singles *e = (struct singles *)r;
    free(e->to);
    free(e->ring);
    free(e->slot);
    free(e->node);
    free(e->source);
    free(e->worm);
    free(e->awake);
    free(e->ready);
    free(e->move);
}

static void visit(struct run *r, struct visitor *v)
{
    struct singles *e = (struct singles *)r;
    VISIT(v, e->ring, r->topology->links);
    VISIT(v, e->slot, (size_t)e->ports * e->params.depth);
    VISIT(v, e->node, e->switches);
    VISIT(v, e->source, e->nodes);
    VISIT(v, e->worm, e->pool.count);
    VISIT(v, e->awake, e->switches);
    VISIT(v, e->ready, e->nodes);
}

/* -- who may move next ------------------------------------------------------------------------ */

static void wake(struct singles *e, uint32_t s)
{
    struct node *n = &e->node[s];
    if (!n->awake && n->heads) {
        n->awake = true;
        e->awake[e->awake_count++] = s;
    }
}

static void try_source(struct singles *e, uint32_t a)
{
    struct source *q = &e->source[a];
    if (!q->listed && q->first != NONE) {
        q->listed = true;
        e->ready[e->ready_count++] = a;
    }
}

/* There is room again behind the link. */
static void reopen(struct singles *e, uint32_t link)
{
    uint32_t from = e->ring[link].from;
    if (from >= e->ports) {
        try_source(e, from - e->ports);
        return;
    }
    e->node[from / SWITCH_PORTS].open |= (uint8_t)(1u << from % SWITCH_PORTS);
    wake(e, from / SWITCH_PORTS);
}

/* The front of the queue at the end of `link` may leave from the next cycle on. */
static inline void to_front(struct singles *e, uint32_t link)
{
    struct ring *q = &e->ring[link];
    uint32_t s = link / SWITCH_PORTS;
    unsigned port = link % SWITCH_PORTS;
    struct node *n = &e->node[s];
    const struct traffic_worm *w = &e->worm[e->slot[link * e->params.depth + q->first]].is;
    unsigned level = n->level, want = 1u << (w->dst >> 2 * (level - 1) & 3);

    if (port < SWITCH_CHILDREN && w->src >> 2 * level != w->dst >> 2 * level)
        want = e->params.path == PATH_FP ? 16u << (w->path >> (level - 1) & 1) : PARENTS;
    n->want[port] = (uint8_t)want;
    n->heads |= (uint8_t)(1u << port);
    q->since = (uint32_t)e->run.now + 1;
    if (want & n->open)
        wake(e, s);
}

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct singles *e = (struct singles *)r;
    uint32_t k = POOL_TAKE(e->worm, e->pool, struct flit_worm);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    struct source *q = &e->source[is->src];
    e->worm[k].is = *is;
    e->worm[k].next = NONE;
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

/* -- decisions -------------------------------------------------------------------------------- */

static void inject(struct singles *e)
{
    for (uint32_t j = 0; j < e->ready_count; j++) {
        uint32_t a = e->ready[j], link = SWITCH_PORTS * (a >> 2) + (a & 3);
        e->source[a].listed = false;
        if (e->ring[link].count < e->params.depth) /* else it comes back when there is room */
            e->move[e->move_count++] = (struct move){e->ports + a, link, 0, true};
    }
    e->ready_count = 0;
}

static uint32_t random_bits(struct singles *e, struct node *n)
{
    uint64_t gap = e->run.now - n->time;
    n->time = e->run.now;
    return n->lfsr_q = jumps_after(&e->jumps, n->lfsr_q, gap);
}

/* Those that contend: as the switch decides. */
static void contest(struct singles *e, struct node *n, const uint8_t req[SWITCH_PORTS], uint8_t gnt[SWITCH_PORTS])
{
    enum scan_order scan = e->params.scan;
    bool draws = scan == SCAN_RR || e->params.path == PATH_RP || e->params.path == PATH_RG;
    uint32_t bits = draws ? random_bits(e, n) : 0;
    /* start_q was drawn from the last cycle's upper byte, which is now bits 15:8. */
    unsigned start = scan == SCAN_RR ? heads_start(e->run.now, bits, n->ports) : 0;
    arbiter_order order;

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = scan_from[scan == SCAN_ROT ? n->rot[o] : start];
    arbiter_eval(e->params.path, n->ports == SWITCH_CHILDREN, req, bits >> 16 & 15, order, gnt);
}

/* One switch: who crosses.  True if some flit could cross in the next cycle. */
static bool arbitrate(struct singles *e, uint32_t s)
{
    struct node *n = &e->node[s];
    uint8_t req[SWITCH_PORTS] = {0}, gnt[SWITCH_PORTS];
    unsigned asks = 0, asked = 0, some = 0;
    bool contends = false, rotates = e->params.scan == SCAN_ROT;

    for (unsigned rest = n->heads; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest), want = n->want[i] & n->open;
        some |= want;
        if (want && n->want[i] == PARENTS && e->params.path == PATH_RP)
            want = n->open & (16u << (random_bits(e, n) >> (16 + i) & 1));
        req[i] = (uint8_t)want;
        contends |= (asked & want) || (want & (want - 1));
        asked |= want;
        asks |= (unsigned)(want != 0) << i;
    }
    if (contends)
        contest(e, n, req, gnt);
    else
        memcpy(gnt, req, sizeof gnt);
    for (; asks; asks &= asks - 1) {
        unsigned i = (unsigned)__builtin_ctz(asks);
        if (!gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(gnt[i]);
        n->heads &= (uint8_t)~(1u << i);
        bool up = o >= SWITCH_CHILDREN;
        if (rotates)
            n->rot[o] = i == 5 ? 0 : (uint8_t)(i + 1);
        e->move[e->move_count++] =
            (struct move){SWITCH_PORTS * s + i, e->to[SWITCH_PORTS * s + o], (uint8_t)(n->level - !up), up};
    }
    return some && n->heads;
}

static void arbitrate_all(struct singles *e)
{
    uint32_t kept = 0;
    for (uint32_t j = 0; j < e->awake_count; j++) {
        uint32_t s = e->awake[j];
        if (arbitrate(e, s))
            e->awake[kept++] = s;
        else
            e->node[s].awake = false;
    }
    e->awake_count = kept;
}

/* -- the clock edge --------------------------------------------------------------------------- */

/* Leaves its source. */
static uint32_t begin(struct singles *e, uint32_t a)
{
    struct source *q = &e->source[a];
    uint32_t k = q->first;

    e->worm[k].injected = e->run.now;
    q->first = e->worm[k].next;
    q->front = e->run.now + 1;
    return k;
}

/* The front of a queue leaves it. */
static uint32_t leave(struct singles *e, uint32_t link)
{
    struct ring *q = &e->ring[link];
    uint32_t k = e->slot[link * e->params.depth + q->first];

    q->first = (uint8_t)(q->first + 1u == e->params.depth ? 0 : q->first + 1u);
    if (q->count-- == e->params.depth)
        reopen(e, link);
    if (q->count)
        to_front(e, link);
    return k;
}

static void deliver(struct singles *e, uint32_t k)
{
    const struct traffic_worm *w = &e->worm[k].is;

    e->run.digest += digest_flit(traffic_head(&e->params, w), FLIT_SINGLE, e->run.now, w->dst, 0);
    measure_delivered(&e->run.m, w, e->worm[k].injected, e->run.now, e->run.now, 2 * worm_height(w->src, w->dst));
    POOL_GIVE(e->worm, e->pool, k);
}

/* Over its link into the queue at its end. */
static void carry_out(struct singles *e, struct move m)
{
    bool first = m.in >= e->ports;
    uint32_t since = first ? (uint32_t)e->source[m.in - e->ports].front : e->ring[m.in].since;
    uint32_t k = first ? begin(e, m.in - e->ports) : leave(e, m.in);

    measure_hop(&e->run.m, e->run.now, m.out, m.up, m.level, (uint32_t)e->run.now - since);
    measure_tail(&e->run.m, e->run.now, m.up, m.level, 1);
    e->run.hops++;
    if (m.out >= e->ports) {
        deliver(e, k);
        return;
    }
    struct ring *q = &e->ring[m.out];
    unsigned at = (unsigned)q->first + q->count;
    e->slot[m.out * e->params.depth + (at < e->params.depth ? at : at - e->params.depth)] = k;
    if (++q->count == 1)
        to_front(e, m.out);
    if (q->count < e->params.depth && first)
        try_source(e, m.in - e->ports);
    if (q->count == e->params.depth && !first)
        e->node[q->from / SWITCH_PORTS].open &= (uint8_t)~(1u << q->from % SWITCH_PORTS);
}

/* -- the run around it ------------------------------------------------------------------------ */

/* The roots have none for their parents. */
static uint64_t queues(const struct singles *e)
{
    return (uint64_t)e->ports - 2 * (uint64_t)(e->nodes >> e->params.levels >> 1);
}

static void sample_queues(struct singles *e)
{
    struct fatfly_result *r = e->run.m.result;
    uint64_t used = 0;

    for (uint32_t link = 0; link < e->ports; link++) {
        unsigned count = e->ring[link].count;
        if (!count)
            continue;
        bool up = link % SWITCH_PORTS < SWITCH_CHILDREN;
        measure_level(&e->run.m, up, e->node[link / SWITCH_PORTS].level - up)->occupancy += count;
        r->occupied[count]++;
        used++;
    }
    r->occupied[0] += queues(e) - used;
    r->samples++;
}

static bool idle(const struct run *r)
{
    const struct singles *e = (const struct singles *)r;
    return !e->awake_count && !e->ready_count;
}

/* Of an empty network. */
static void sample(struct run *r, uint64_t to)
{
    uint64_t samples = run_ticks(r, to);
    r->m.result->samples += samples;
    r->m.result->occupied[0] += samples * queues((const struct singles *)r);
}

static int step(struct run *r)
{
    struct singles *e = (struct singles *)r;

    if (measure_samples(&r->m, r->now))
        sample_queues(e);
    inject(e);
    arbitrate_all(e);
    for (uint32_t j = 0; j < e->move_count; j++)
        carry_out(e, e->move[j]);
    e->move_count = 0;
    return FATFLY_OK;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    bool alone = c->lengths == FATFLY_FIXED && c->length == 1 && c->pattern != FATFLY_MESSAGES &&
                 c->classes <= 1 && !c->class_length[0] && !c->reply[0];
    bool scan = c->scan == FATFLY_RR || c->scan == FATFLY_FO || c->scan == FATFLY_ROT;
    return t->levels && c->vcs == 1 && !discipline_of(c)->packets && alone && scan && c->path != FATFLY_RW &&
           !c->plugin;
}

const struct engine engine_single = {
    .name = "fast", .state = sizeof(struct singles), .can = can, .memory = memory, .open = open_singles,
    .close = close_singles, .enter = enter, .step = step, .sample = sample, .idle = idle, .visit = visit,
    .of_traffic = true};
