/* SPDX-License-Identifier: Apache-2.0
 * packets.c - packets, the sources and processors they run between, and the queues of links.
 */
#include "packets.h"

#include "digest.h"
#include "discipline.h"
#include "fat_tree.h"
#include "flit.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static uint32_t links(const struct packets *p)
{
    return SWITCH_PORTS * p->switches + p->nodes;
}

/* -- memory --------------------------------------------------------------------------------- */

int packets_open(struct packets *p)
{
    const struct fatfly_config *c = p->run.config;
    const struct switch_params *params = &p->params;

    tree_params(c, &p->params);
    unsigned levels = params->levels;
    p->nodes = fat_tree_nodes(levels);
    p->switches = fat_tree_switches(levels);
    for (unsigned l = 1; l <= levels + 1; l++)
        p->base[l] = fat_tree_base(levels, l);
    p->split = c->discipline == FATFLY_SPLIT;
    p->run.unit = packets_link_cycles(c, p->run.topology);
    p->mask = flit_mask(params->flit_w);
    p->pool.unused = NO_PACKET;

    size_t ports = (size_t)SWITCH_PORTS * p->switches;
    size_t queues = c->discipline == FATFLY_UNIV ? links(p) + 4 * (size_t)p->switches : 0;
    p->source = malloc(p->nodes * sizeof *p->source);
    p->to = malloc(ports * sizeof *p->to);
    p->from = calloc(links(p), sizeof *p->from);
    p->slot = queues ? malloc(queues * params->depth * sizeof *p->slot) : NULL;
    p->count = queues ? calloc(queues, sizeof *p->count) : NULL;
    p->head = queues ? calloc(queues, sizeof *p->head) : NULL;
    p->since = queues ? calloc(queues, sizeof *p->since) : NULL;
    if (!p->source || !p->to || !p->from || (queues && (!p->slot || !p->count || !p->head || !p->since)))
        return FATFLY_NO_MEMORY;

    fat_tree_wire(levels, p->to);
    for (uint32_t s = 0; s < p->switches; s++)
        for (unsigned o = 0; o < (s < p->base[levels] ? 6u : 4u); o++)
            p->from[p->to[SWITCH_PORTS * s + o]] = SWITCH_PORTS * s + o;
    for (uint32_t a = 0; a < p->nodes; a++) {
        p->from[SWITCH_PORTS * (a >> 2) + (a & 3)] = SWITCH_PORTS * p->switches + a;
        p->source[a] = (struct source){.first = NO_PACKET, .last = NO_PACKET};
    }
    p->holding[0] = queues ? queues - 2 * (uint64_t)(p->switches - p->base[levels]) : 0;
    return FATFLY_OK;
}

void packets_close(struct packets *p)
{
    free(p->packet);
    free(p->source);
    free(p->to);
    free(p->from);
    free(p->slot);
    free(p->count);
    free(p->head);
    free(p->since);
}

unsigned packets_link_cycles(const struct fatfly_config *c, const struct topology *t)
{
    (void)t;
    return discipline_of(c)->steps ? c->length : 1;
}

uint64_t packets_memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t nodes = c->nodes, links = 4 * nodes; /* there are less than nodes / 2 switches */
    uint64_t queues = c->discipline == FATFLY_UNIV ? links + 2 * nodes : 0;
    return sizeof(struct packets) + pool_places(measure_worms(t, c)) * sizeof(struct packet) +
           nodes * (4 + sizeof(struct traffic_worm) + sizeof(struct source)) +
           2 * links * sizeof(uint32_t) +
           queues * (c->depth * sizeof(struct piece) + 2 + sizeof(uint32_t));
}

/* -- packets -------------------------------------------------------------------------------- */

/* What a worm is cut into. */
static uint32_t pieces_of(const struct packets *p, uint32_t length)
{
    if (!p->split)
        return 1;
    return measure_flits(p->run.config, length);
}

static uint64_t rank_of(const struct packets *p, const struct traffic_worm *w)
{
    unsigned range = p->run.config->delay_range;
    struct rng r = {rng_hash(p->run.config->seed ^ UINT64_C(0x756e6976)) + w->number};
    uint32_t rank = range > 1 ? rng_below(&r, range) + 1 : 1;
    return (uint64_t)rank << 32 | w->number;
}

/* UNIV: a source's queue is in order of rank, later worms after earlier ones. */
static void join(struct packets *p, struct source *q, uint32_t k)
{
    struct packet *x = &p->packet[k];
    uint32_t *at = &q->first;

    if (p->run.config->discipline != FATFLY_UNIV || *at == NO_PACKET) {
        at = q->first == NO_PACKET ? &q->first : &p->packet[q->last].next;
    } else {
        while (*at != NO_PACKET && (p->packet[*at].is.ready < x->is.ready ||
                                    (p->packet[*at].is.ready == x->is.ready &&
                                     p->packet[*at].rank < x->rank)))
            at = &p->packet[*at].next;
    }
    x->next = *at;
    *at = k;
    if (x->next == NO_PACKET)
        q->last = k;
}

int packets_enter(struct run *r, const struct traffic_worm *w)
{
    struct packets *p = (struct packets *)r;
    uint32_t k = POOL_TAKE(p->packet, p->pool, struct packet);

    if (k == NO_PACKET)
        return FATFLY_NO_MEMORY;
    struct packet *x = &p->packet[k];
    *x = (struct packet){.is = *w, .height = (uint8_t)worm_height(w->src, w->dst)};
    struct source *q = &p->source[w->src];
    x->pieces = x->missing = pieces_of(p, w->length);
    x->address = traffic_head(&p->params, w);
    x->rank = rank_of(p, w);
    p->step = r->now / r->unit;
    if (q->first == NO_PACKET && q->front < p->step)
        q->front = p->step;
    join(p, q, k);
    p->waiting++;
    return FATFLY_OK;
}

uint32_t packets_path(const struct packets *p, struct piece x)
{
    const struct traffic_worm *w = &p->packet[x.packet].is;
    uint32_t all = (UINT32_C(1) << (p->params.levels - 1)) - 1;
    return x.flit ? (w->path ^ (uint32_t)rng_hash((uint64_t)x.flit << 32 | w->number)) & all
                  : w->path;
}

/* -- moves ---------------------------------------------------------------------------------- */

/* Flit f of a packet of so many arrives. */
static void arrives(struct packets *p, const struct packet *k, uint32_t f, uint32_t flits)
{
    unsigned kind = (f == 0 ? FLIT_HEAD : 0u) | (f + 1 == flits ? FLIT_TAIL : 0u);
    p->run.digest += digest_flit(flit_payload(k->address, k->is.number, f, p->mask), kind, p->run.now, k->is.dst, 0);
}

void packets_deliver(struct packets *p, struct piece x)
{
    struct packet *k = &p->packet[x.packet];

    if (p->split)
        arrives(p, k, x.flit, k->pieces);
    else
        for (uint32_t f = 0; f < k->is.length; f++)
            arrives(p, k, f, k->is.length);
    if (x.flit == 0)
        k->arrived = p->run.now;
    p->inside--;
    if (--k->missing)
        return;
    measure_delivered(&p->run.m, &k->is, k->entered * p->run.unit, k->arrived, p->run.now, 2u * k->height);
    POOL_GIVE(p->packet, p->pool, x.packet);
}

void packets_tell(const struct packets *p, uint32_t link, uint32_t waited, struct piece x)
{
    const struct packet *k = &p->packet[x.packet];

    run_tell(&p->run, &(struct fatfly_move){
                          .cycle = p->run.now, .cycles = p->run.unit, .worm = k->is.number, .flit = x.flit,
                          .tail = x.flit + 1 == k->pieces, .waited = waited * (uint64_t)p->run.unit,
                          .flits = p->split ? 1 : k->is.length, .link = link,
                          .first = p->from[link] >= SWITCH_PORTS * p->switches,
                          .last = link >= SWITCH_PORTS * p->switches});
}

struct piece packets_take(struct packets *p, uint32_t src)
{
    struct source *q = &p->source[src];
    struct packet *k = &p->packet[q->first];
    struct piece x = {q->first, q->flit};

    if (x.flit == 0)
        k->entered = p->step;
    p->inside++;
    q->front = p->step + 1;
    if (++q->flit == k->pieces) {
        q->flit = 0;
        q->first = k->next;
        p->waiting--;
    }
    return x;
}

/* -- queues of UNIV ------------------------------------------------------------------------- */

static void recount(struct packets *p, uint32_t queue, bool up, unsigned level, bool more)
{
    p->holding[p->count[queue]]--;
    if (more) {
        p->count[queue]++;
        p->held[up][level]++;
    } else {
        p->count[queue]--;
        p->held[up][level]--;
    }
    p->holding[p->count[queue]]++;
}

struct piece packets_pop(struct packets *p, uint32_t queue, bool up, unsigned level)
{
    struct piece x = packets_front(p, queue);

    recount(p, queue, up, level - up, false);
    p->head[queue] = (uint8_t)(p->head[queue] + 1u == p->params.depth ? 0 : p->head[queue] + 1u);
    p->since[queue] = (uint32_t)p->step + 1;
    return x;
}

void packets_cross(struct packets *p, uint32_t link, uint32_t queue, bool up, unsigned level,
                   struct piece x, uint64_t since)
{
    uint32_t length = p->packet[x.packet].is.length;
    uint32_t waited = (uint32_t)(p->step - since);

    measure_moves(&p->run.m, p->run.now, up, level - up, 1, waited * (uint64_t)p->run.unit, length);
    p->run.m.link_worms[link]++;
    p->run.hops += length;
    if (p->run.m.observer)
        packets_tell(p, link, waited, x);
    recount(p, queue, up, level - up, true);
    if (level == 0) {
        p->since[queue] = (uint32_t)p->step;
        packets_deliver(p, x);
        return;
    }
    unsigned at = p->head[queue] + p->count[queue] - 1u;
    at -= at < p->params.depth ? 0 : p->params.depth;
    p->slot[(size_t)queue * p->params.depth + at] = x;
    if (p->count[queue] == 1)
        p->since[queue] = (uint32_t)p->step + 1;
}

void packets_inject(struct packets *p, uint32_t src, uint32_t queue)
{
    uint64_t since = p->source[src].front;
    struct piece x = packets_take(p, src);
    packets_cross(p, SWITCH_PORTS * (src >> 2) + (src & 3), queue, true, 1, x, since);
}

bool packets_consume(struct packets *p, uint32_t node)
{
    uint32_t link = SWITCH_PORTS * p->switches + node;

    if (p->count[link] <= (p->since[link] == (uint32_t)p->step))
        return false;
    recount(p, link, false, 0, false);
    return true;
}

void packets_look(struct packets *p, uint64_t count)
{
    struct fatfly_result *r = p->run.m.result;

    for (unsigned up = 0; up < 2; up++)
        for (unsigned l = 0; l < p->params.levels; l++)
            measure_level(&p->run.m, up, l)->occupancy += count * p->held[up][l] * p->run.unit;
    for (unsigned k = 0; k <= p->params.depth; k++)
        r->occupied[k] += count * p->holding[k];
    r->samples += count;
}

/* -- the run -------------------------------------------------------------------------------- */

/* One sample in a step that has a sample's cycle in it. */
bool packets_begin(struct packets *p)
{
    const struct run *r = &p->run;
    uint64_t tick = (r->now + 63) & ~UINT64_C(63);

    p->step = r->now / r->unit;
    return tick < r->now + r->unit && measure_samples(&r->m, tick);
}

/* Steps that begin in the cycles now .. cycle - 1. */
static uint64_t steps_before(const struct run *r, uint64_t cycle)
{
    return cycle > r->now ? (cycle - r->now - 1) / r->unit + 1 : 0;
}

/* A step of 64 cycles or more has one, in the first multiple of 64 that it has: as many as steps whose first is measured. */
uint64_t packets_samples(const struct run *r, uint64_t to)
{
    uint64_t ticks = run_ticks(r, to), from = (r->m.from + 63) / 64 * 64, end = (r->m.to - 1) / 64 * 64 + 1;

    if (ticks == 0 || r->unit < 64)
        return ticks;
    return steps_before(r, end < to ? end : to) - steps_before(r, from > 63 ? from - 63 : 0);
}
