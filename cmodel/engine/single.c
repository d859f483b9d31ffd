/* SPDX-License-Identifier: Apache-2.0
 * single.c - the fast engine for worms of one flit and one virtual channel, flit for flit equal to
 * worm.c: a flit is head and tail, so a link is free again in the next cycle and a queue is a ring of worms.  The usual
 * switch has fronts_worm.c, but for sessions, which look at links on the way.
 *
 * Only switches that are awake are looked at: those where a flit at the front of a queue may have an output
 * with room behind it.  All decisions of a cycle use the state at its start, and each is carried out at once: a
 * flit that comes to an empty queue is noted beside those that may leave, and ends of links are told of new room
 * when all switches have acted.
 */
#include "engine.h"

#include "arbiter.h"
#include "discipline.h"
#include "fat_tree.h"
#include "flit_worms.h"
#include "heads.h"
#include "hops.h"
#include "jumps.h"
#include "network.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* A worm in a queue. */
struct guest {
    uint32_t worm, dst;
};

/* A switch and its queues. */
struct node {
    uint32_t since[SWITCH_PORTS]; /* cycle from which the front has been there, low 32 bits */
    uint64_t drawn;
    uint32_t random;              /* lfsr_q as of cycle drawn */
    uint32_t subtree;             /* dst >> 2 * level of the processors below it */
    uint16_t queue[SWITCH_PORTS]; /* of hops.h */
    uint16_t filled;              /* ports with a flit at the front since the last cycle or before */
    uint16_t came[2];             /* others to which one came, in cycles of that parity */
    uint16_t open;                /* outputs with room behind them */
    uint16_t below;               /* 2 * (level - 1) */
    uint32_t turns;               /* ROT: three bits an output, the port to start from */
};

struct singles {
    struct run run;
    struct switch_params params;
    uint32_t switches, nodes;
    uint32_t places;    /* 8 * switches */
    unsigned shift;     /* log2 of a queue's slots */
    bool plain;         /* a head wants one output, and the scan is an order from a start port */
    uint32_t *to;       /* [places], where the link that leaves a switch by a port leads */
    uint32_t *from;     /* [places], 8 * switch + output that the link leaves, or places + processor */
    struct guest *slot; /* [places << shift] */
    struct node *node;
    struct flit_worms worms;
    uint64_t *awake;    /* [2][switches] bits, of this cycle and the next */
    uint64_t *later;    /* of them those of the next cycle, while this one lasts */
    uint32_t *roomy;    /* [places], queues that have room again from the next cycle on */
    uint32_t roomy_count;
    uint32_t base[FATFLY_LARGEST_LEVELS + 2]; /* first switch of a level */
    struct tally tally[2];         /* [up] */
    bool quiet;         /* there was nothing to do in the last cycle */
    bool draws_parent;  /* RP */
    bool rotates;       /* ROT */
    struct jumps jumps;
    uint32_t bit[JUMPS_SOON][SWITCH_CHILDREN]; /* jumps_masks() of bits 16 to 19: the parent drawn for a child */
};

/* -- memory ----------------------------------------------------------------------------------- */

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t switches = c->nodes / 2;
    return sizeof(struct singles) + flit_worms_memory(c, t) +
           PLACES * switches * ((sizeof(struct guest) << shift_of(c->depth)) + 3 * sizeof(uint32_t)) +
           switches * (sizeof(struct node) + 1);
}

static void wire(struct singles *e, const uint32_t *to)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed);

    for (uint32_t a = 0; a < e->nodes; a++)
        e->from[PLACES * (a >> 2) + (a & 3)] = e->places + a;
    for (unsigned l = 1; l <= e->params.levels; l++)
        for (uint32_t s = e->base[l]; s < e->base[l + 1]; s++) {
            struct node *n = &e->node[s];
            struct lfsr r;
            unsigned ports = l == e->params.levels ? SWITCH_CHILDREN : SWITCH_PORTS;
            n->below = (uint16_t)(2 * (l - 1));
            n->subtree = (s - e->base[l]) >> (l - 1);
            n->open = (uint16_t)((1u << ports) - 1);
            lfsr_reset(&r, network_switch_seed(seed, s));
            n->random = r.lfsr_q;
            for (unsigned o = 0; o < ports; o++) {
                uint32_t place = place_of(to[SWITCH_PORTS * s + o], e->switches);
                e->to[PLACES * s + o] = place;
                if (place < e->places)
                    e->from[place] = PLACES * s + o;
            }
        }
}

static int open_singles(struct run *r)
{
    struct singles *e = (struct singles *)r;
    struct switch_params *p = &e->params;

    tree_params(r->config, p);
    e->nodes = fat_tree_nodes(p->levels);
    e->switches = fat_tree_switches(p->levels);
    e->places = PLACES * e->switches;
    e->draws_parent = p->path == PATH_RP;
    e->rotates = p->scan == SCAN_ROT;
    e->shift = shift_of(p->depth);
    e->plain = (p->path == PATH_RP || p->path == PATH_FP) && !e->rotates;
    for (unsigned l = 1; l <= p->levels + 1; l++)
        e->base[l] = fat_tree_base(p->levels, l);
    for (unsigned i = 0; i < SWITCH_CHILDREN; i++)
        jumps_masks(16 + i, &e->bit[0][i], SWITCH_CHILDREN);
    uint32_t *to = malloc(SWITCH_PORTS * (size_t)e->switches * sizeof *to);
    e->to = calloc(e->places, sizeof *e->to);
    e->from = calloc(e->places, sizeof *e->from);
    e->slot = calloc((size_t)e->places << e->shift, sizeof *e->slot);
    e->node = calloc(e->switches, sizeof *e->node);
    e->awake = calloc(2 * words(e->switches), sizeof *e->awake);
    e->roomy = calloc(e->places, sizeof *e->roomy);
    bool whole = flit_worms_open(&e->worms, e->nodes) && to && e->to && e->from && e->slot && e->node && e->awake && e->roomy;
    if (whole) {
        fat_tree_wire(p->levels, to);
        wire(e, to);
    }
    free(to);
    return whole ? FATFLY_OK : FATFLY_NO_MEMORY;
}

static void close_singles(struct run *r)
{
    struct singles *e = (struct singles *)r;
    free(e->to);
    free(e->from);
    free(e->slot);
    free(e->node);
    free(e->awake);
    free(e->roomy);
    flit_worms_close(&e->worms);
}

static void visit(struct run *r, struct visitor *v)
{
    struct singles *e = (struct singles *)r;
    VISIT(v, e->slot, (size_t)e->places << e->shift);
    VISIT(v, e->node, e->switches);
    VISIT(v, e->worms.source, e->nodes);
    VISIT(v, e->worms.worm, e->worms.pool.count);
    VISIT(v, e->awake, 2 * words(e->switches));
    VISIT(v, e->worms.ready, words(e->nodes));
}

/* -- random bits ------------------------------------------------------------------------------ */

static uint32_t random_bits(struct singles *e, struct node *n)
{
    uint64_t gap = e->run.now - n->drawn;
    n->drawn = e->run.now;
    return n->random = jumps_after(&e->jumps, n->random, gap);
}

/* The parent drawn for child i in this cycle: one bit of the register, for which it need not be moved on. */
INLINE unsigned drawn_parent(struct singles *e, struct node *n, unsigned i)
{
    uint64_t gap = e->run.now - n->drawn;
    if (gap >= JUMPS_SOON) {
        random_bits(e, n);
        gap = 0;
    }
    return 16u << __builtin_parity(n->random & e->bit[gap][i]);
}

/* -- queues ----------------------------------------------------------------------------------- */

/* A worm is at the front of port i, whose queue is otherwise as said; it may leave from the next cycle on. */
INLINE void new_front(struct singles *e, struct node *n, unsigned i, unsigned queue, struct guest x)
{
    uint32_t below = x.dst >> n->below;
    unsigned want = 1u << (below & 3);

    if (i < SWITCH_CHILDREN && below >> 2 != n->subtree)
        want = e->params.path == PATH_FP ? 16u << (e->worms.worm[x.worm].is.path >> n->below / 2 & 1) : PARENTS;
    n->queue[i] = (uint16_t)(queue | want << WANT_SHIFT);
    n->since[i] = (uint32_t)e->run.now + 1;
}

/* Joins the queue at the end of a link to a switch.  True if it is full now. */
INLINE bool push(struct singles *e, uint32_t place, struct guest x)
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
        new_front(e, n, i, queue, x);
        n->came[e->run.now & 1] |= (uint16_t)(1u << i);
        set(e->later, s);
    }
    return count + 1 == e->params.depth;
}

/* There is room again behind links whose queues were full. */
static void reopen(struct singles *e)
{
    for (uint32_t j = 0; j < e->roomy_count; j++) {
        uint32_t from = e->from[e->roomy[j]];
        if (from < e->places) {
            e->node[from >> PLACE_SHIFT].open |= (uint16_t)(1u << from % PLACES);
            set(e->later, from >> PLACE_SHIFT);
        } else {
            flit_worms_room(&e->worms, from - e->places);
        }
    }
    e->roomy_count = 0;
}

/* The front of port i of switch s crosses by port o. */
INLINE void move(struct singles *e, struct node *n, uint32_t s, unsigned i, unsigned o)
{
    unsigned queue = n->queue[i], first = queue & FIRST, count = count_of(queue);
    uint32_t in = PLACES * s + i, out = e->to[PLACES * s + o];
    struct guest x = e->slot[(in << e->shift) + first];
    struct tally *t = &e->tally[o >= SWITCH_CHILDREN];

    t->moves++;
    t->waited += (uint32_t)e->run.now - n->since[i];
    first = (first + 1) & ((1u << e->shift) - 1);
    if (count == 1) {
        n->queue[i] = (uint16_t)first;
        n->filled &= (uint16_t)~(1u << i);
    } else {
        new_front(e, n, i, first | (count - 1) << COUNT_SHIFT, e->slot[(in << e->shift) + first]);
    }
    if (count == e->params.depth)
        e->roomy[e->roomy_count++] = in;
    if (!e->plain && e->rotates)
        n->turns = (n->turns & ~(7u << 3 * o)) | (i == 5 ? 0 : i + 1) << 3 * o;
    if (out >= e->places) {
        e->run.m.link_worms[out - 2 * e->switches]++;
        flit_worms_deliver(&e->worms, &e->run, &e->params, x.worm);
    } else {
        e->run.m.link_worms[out - 2 * (out >> PLACE_SHIFT)]++;
        if (push(e, out, x))
            n->open &= (uint16_t)~(1u << o);
    }
}

/* -- decisions -------------------------------------------------------------------------------- */

static bool is_root(const struct singles *e, const struct node *n)
{
    return n->below == 2 * (e->params.levels - 1);
}

static unsigned start_port(const struct singles *e, const struct node *n)
{
    unsigned ports = is_root(e, n) ? SWITCH_CHILDREN : SWITCH_PORTS;
    return e->params.scan == SCAN_RR ? heads_start(e->run.now, n->random, ports) : 0;
}

/* Those that contend, as the switch decides: what each gets, as req. */
static uint64_t contest(struct singles *e, const struct node *n, uint64_t req)
{
    uint8_t want[SWITCH_PORTS], gnt[SWITCH_PORTS];
    unsigned start = start_port(e, n);
    arbiter_order order;

    rows_of(req, want);
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        order[i] = scan_from[e->rotates ? n->turns >> 3 * i & 7 : start];
    arbiter_eval(e->params.path, is_root(e, n), want, n->random >> 16 & 15, order, gnt);
    return bytes_of(gnt);
}

/* Outputs with room that the front of port i could take in this cycle. */
INLINE unsigned chosen(struct singles *e, struct node *n, unsigned i)
{
    unsigned want = n->queue[i] >> WANT_SHIFT;
    return (want == PARENTS && e->draws_parent ? drawn_parent(e, n, i) : want) & n->open;
}

static bool could_move(const struct node *n)
{
    for (unsigned rest = n->filled; rest; rest &= rest - 1)
        if (n->queue[__builtin_ctz(rest)] >> WANT_SHIFT & n->open)
            return true;
    return false;
}

/* Several fronts may leave.  True if some might in the next cycle. */
INLINE bool act_among(struct singles *e, struct node *n, uint32_t s)
{
    struct asks a = {0};

    for (unsigned rest = n->filled; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        ask(&a, i, chosen(e, n, i));
    }
    if (!a.ports)
        return could_move(n);
    if (a.contended) {
        random_bits(e, n);
        if (e->plain)
            a.ports = choose(a.req, a.ports, start_port(e, n));
        else
            a.req = contest(e, n, a.req);
    }
    for (unsigned rest = a.ports; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest), o = a.req >> 8 * i & 0x3f;
        if (o)
            move(e, n, s, i, (unsigned)__builtin_ctz(o));
    }
    return n->filled != 0;
}

/* A switch that was awake.  Most have one front, and nobody to ask. */
INLINE void act(struct singles *e, uint32_t s)
{
    struct node *n = &e->node[s];
    unsigned last = ~e->run.now & 1, filled = n->filled | n->came[last];

    n->came[last] = 0; /* a switch to which a flit came acts in the cycle after that */
    n->filled = (uint16_t)filled;
    if (filled & (filled - 1)) {
        if (act_among(e, n, s))
            set(e->later, s);
        return;
    }
    if (!filled)
        return;
    unsigned i = (unsigned)__builtin_ctz(filled), want = chosen(e, n, i);
    if (!e->plain && want == PARENTS) /* GP takes the first, RG the one that it prefers */
        want = e->params.path == PATH_GP ? 16 : drawn_parent(e, n, i);
    if (want)
        move(e, n, s, i, (unsigned)__builtin_ctz(want));
    if (want ? n->filled != 0 : could_move(n))
        set(e->later, s);
}

static void act_level(struct singles *e, const uint64_t *awake, unsigned level)
{
    uint32_t first = e->base[level], last = e->base[level + 1] - 1;

    for (uint32_t w = first >> 6; w <= last >> 6; w++)
        for (uint64_t rest = level_word(awake, w, first, last); rest; rest &= rest - 1)
            act(e, w << 6 | (uint32_t)__builtin_ctzll(rest));
    e->tally[1].flits = e->tally[1].moves;
    e->tally[0].flits = e->tally[0].moves;
    tally_up(&e->tally[1], &e->run, true, level);
    tally_up(&e->tally[0], &e->run, false, level - 1);
}

/* -- sources ---------------------------------------------------------------------------------- */

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct singles *e = (struct singles *)r;
    return flit_worms_enter(&e->worms, is, count_of(e->node[is->src >> 2].queue[is->src & 3]) < e->params.depth);
}

static void inject(struct singles *e, uint32_t a)
{
    uint32_t k = flit_worms_inject(&e->worms, &e->run, a, &e->tally[1]);

    e->run.m.link_worms[SWITCH_PORTS * (a >> 2) + (a & 3)]++;
    if (!push(e, PLACES * (a >> 2) + (a & 3), (struct guest){k, e->worms.worm[k].is.dst}))
        flit_worms_room(&e->worms, a);
}

static void inject_all(struct singles *e)
{
    for (uint32_t w = 0; w <= (e->nodes - 1) >> 6; w++) {
        uint64_t rest = e->worms.ready[w];
        e->worms.ready[w] = 0;
        e->quiet &= rest == 0;
        for (; rest; rest &= rest - 1)
            inject(e, w << 6 | (uint32_t)__builtin_ctzll(rest));
    }
    e->tally[1].flits = e->tally[1].moves;
    tally_up(&e->tally[1], &e->run, true, 0);
}

/* -- the run around it ------------------------------------------------------------------------ */

/* The roots have none for their parents. */
static uint64_t queues(const struct singles *e)
{
    return SWITCH_PORTS * (uint64_t)e->switches - 2 * (uint64_t)(e->nodes >> e->params.levels >> 1);
}

static void sample_queues(struct singles *e)
{
    struct held h = {.holding = {queues(e)}};

    for (uint32_t s = 0; s < e->switches; s++) {
        const struct node *n = &e->node[s];
        for (unsigned rest = n->filled | n->came[0] | n->came[1]; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest), up = i < SWITCH_CHILDREN, count = count_of(n->queue[i]);
            h.level[up][n->below / 2 + 1 - up] += count;
            h.holding[count]++;
            h.holding[0]--;
        }
    }
    held_count(&h, &e->run, e->params.levels, 1);
}

static bool idle(const struct run *r)
{
    return ((const struct singles *)r)->quiet;
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

    size_t half = words(e->switches);
    uint64_t *awake = e->awake + (r->now & 1 ? half : 0);

    if (measure_samples(&r->m, r->now))
        sample_queues(e);
    e->later = e->awake + (r->now & 1 ? 0 : half);
    e->quiet = true;
    for (size_t w = 0; w < half; w++)
        e->quiet &= awake[w] == 0;
    inject_all(e);
    for (unsigned l = 1; l <= e->params.levels; l++)
        act_level(e, awake, l);
    memset(awake, 0, half * sizeof *awake);
    reopen(e);
    return FATFLY_OK;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    bool scan = c->scan == FATFLY_RR || c->scan == FATFLY_FO || c->scan == FATFLY_ROT;
    return t->levels && c->vcs == 1 && !discipline_of(c)->packets && traffic_one_flit(c) && scan && c->path != FATFLY_RW &&
           !c->plugin;
}

const struct engine engine_single = {
    .name = "fast", .state = sizeof(struct singles), .can = can, .memory = memory, .open = open_singles,
    .close = close_singles, .enter = enter, .step = step, .sample = sample, .idle = idle, .visit = visit,
    .of_traffic = true};
