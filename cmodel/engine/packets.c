/* SPDX-License-Identifier: Apache-2.0
 * packets.c - packets, the sources and processors they run between, and the queues of links.
 */
#include "packets.h"

#include "digest.h"
#include "engine.h"
#include "fat_tree.h"
#include "flit.h"
#include "pool.h"

#include <stdlib.h>
#include <string.h>

static uint32_t links(const struct packets *p)
{
    return SWITCH_PORTS * p->switches + p->nodes;
}

static uint64_t now(const struct packets *p)
{
    return p->step * p->unit;
}

/* -- memory --------------------------------------------------------------------------------- */

bool packets_open(struct packets *p, const struct switch_params *params, struct traffic *t,
                  struct measure *m)
{
    const struct fatfly_config *c = m->config;
    unsigned levels = params->levels;

    memset(p, 0, sizeof *p);
    p->params = *params;
    p->m = m;
    p->nodes = fat_tree_nodes(levels);
    p->switches = fat_tree_switches(levels);
    for (unsigned l = 1; l <= levels + 1; l++)
        p->base[l] = fat_tree_base(levels, l);
    p->split = c->discipline == FATFLY_SPLIT;
    p->unit = p->split ? 1 : c->length;
    p->mask = params->flit_w < 64 ? (UINT64_C(1) << params->flit_w) - 1 : UINT64_MAX;
    p->unused = NO_PACKET;

    size_t ports = (size_t)SWITCH_PORTS * p->switches;
    size_t queues = links(p) + (c->discipline == FATFLY_UNIV ? 4 * (size_t)p->switches : 0);
    p->source = malloc(p->nodes * sizeof *p->source);
    p->to = malloc(ports * sizeof *p->to);
    p->from = calloc(links(p), sizeof *p->from);
    p->slot = malloc(queues * params->depth * sizeof *p->slot);
    p->count = calloc(queues, sizeof *p->count);
    p->head = calloc(queues, sizeof *p->head);
    p->since = calloc(queues, sizeof *p->since);
    if (!p->source || !p->to || !p->from || !p->slot || !p->count || !p->head || !p->since ||
        calendar_open(&p->calendar, t, p->nodes))
        return false;

    fat_tree_wire(levels, p->to);
    for (uint32_t s = 0; s < p->switches; s++)
        for (unsigned o = 0; o < (s < p->base[levels] ? 6u : 4u); o++)
            p->from[p->to[SWITCH_PORTS * s + o]] = SWITCH_PORTS * s + o;
    for (uint32_t a = 0; a < p->nodes; a++) {
        p->from[SWITCH_PORTS * (a >> 2) + (a & 3)] = SWITCH_PORTS * p->switches + a;
        p->source[a] = (struct source){.first = NO_PACKET, .last = NO_PACKET};
    }
    p->holding[0] = queues - 2 * (uint64_t)(p->switches - p->base[levels]);
    return true;
}

void packets_close(struct packets *p)
{
    free(p->packet);
    calendar_close(&p->calendar);
    free(p->source);
    free(p->to);
    free(p->from);
    free(p->slot);
    free(p->count);
    free(p->head);
    free(p->since);
}

uint64_t packets_memory(const struct fatfly_config *c)
{
    uint64_t nodes = c->nodes, links = 4 * nodes; /* there are less than nodes / 2 switches */
    uint64_t queues = links + (c->discipline == FATFLY_UNIV ? 2 * nodes : 0);
    uint64_t worms = measure_worms(c);
    uint64_t pool = 1024;
    while (pool < worms)
        pool *= 2;
    return sizeof(struct packets) + pool * sizeof(struct packet) +
           nodes * (4 + sizeof(struct traffic_worm) + sizeof(struct source)) +
           2 * links * sizeof(uint32_t) +
           queues * (c->depth * sizeof(struct piece) + 2 + sizeof(uint32_t));
}

/* -- packets -------------------------------------------------------------------------------- */

static uint32_t take_packet(struct packets *p)
{
    if (p->unused == NO_PACKET) {
        struct packet *grown = pool_grow(p->packet, sizeof *grown, offsetof(struct packet, next),
                                         p->capacity ? p->capacity : 1024, &p->capacity, &p->unused);
        if (!grown)
            return NO_PACKET;
        p->packet = grown;
    }
    uint32_t k = p->unused;
    p->unused = p->packet[k].next;
    return k;
}

/* SPLIT: flits of a worm, with the addresses that each of them carries (GO III.B.3). */
static uint32_t pieces_of(const struct packets *p, uint32_t length)
{
    if (!p->split)
        return 1;
    double flits = length * (1 + p->m->config->overhead);
    uint32_t whole = (uint32_t)flits;
    return whole + (whole < flits);
}

static uint64_t rank_of(const struct packets *p, const struct traffic_worm *w)
{
    unsigned range = p->m->config->delay_range;
    struct rng r = {rng_hash(p->m->config->seed ^ UINT64_C(0x756e6976)) + w->number};
    uint32_t rank = range > 1 ? rng_below(&r, range) + 1 : 1;
    return (uint64_t)rank << 32 | w->number;
}

/* UNIV: a source's queue is in order of rank, later worms after earlier ones. */
static void join(struct packets *p, struct source *q, uint32_t k)
{
    struct packet *x = &p->packet[k];
    uint32_t *at = &q->first;

    if (p->m->config->discipline != FATFLY_UNIV || *at == NO_PACKET) {
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

/* The next worm joins its source's queue.  The source, or NO_PACKET if memory is short. */
static uint32_t generate(struct packets *p, uint64_t cycle)
{
    uint32_t k = take_packet(p);

    if (k == NO_PACKET)
        return NO_PACKET;
    struct packet *x = &p->packet[k];
    *x = (struct packet){.height = 0};
    calendar_take(&p->calendar, cycle, &x->is);
    struct source *q = &p->source[x->is.src];
    x->pieces = x->missing = pieces_of(p, x->is.length);
    x->address = engine_head(&p->params, &x->is);
    x->rank = rank_of(p, &x->is);
    x->height = (uint8_t)worm_height(x->is.src, x->is.dst);
    measure_generated(p->m, &x->is);
    if (q->first == NO_PACKET && q->front < p->step)
        q->front = p->step;
    join(p, q, k);
    p->waiting++;
    return x->is.src;
}

/* measure_over() is asked about a cycle inside a step between the worms before and after it. */
bool packets_begin(struct packets *p, void (*came)(void *context, uint32_t src), void *context,
                   int *status)
{
    uint64_t cycle = now(p);

    for (;;) {
        uint64_t ready = calendar_next(&p->calendar);
        if (p->m->check <= (ready <= cycle ? ready : cycle)) {
            if (measure_over(p->m, p->m->check))
                return false;
        } else if (ready <= cycle) {
            uint32_t a = generate(p, cycle);
            if (a == NO_PACKET) {
                *status = FATFLY_NO_MEMORY;
                return false;
            }
            came(context, a);
        } else {
            break;
        }
    }
    p->m->all_generated = p->calendar.count == 0;
    return p->m->delivered != p->m->generated || !measure_over(p->m, cycle);
}

uint32_t packets_path(const struct packets *p, struct piece x)
{
    const struct traffic_worm *w = &p->packet[x.packet].is;
    uint32_t all = (UINT32_C(1) << (p->params.levels - 1)) - 1;
    return x.flit ? (w->path ^ (uint32_t)rng_hash((uint64_t)x.flit << 32 | w->number)) & all
                  : w->path;
}

/* -- moves ---------------------------------------------------------------------------------- */

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

/* All flits of a whole packet arrive in one cycle; of SPLIT, this one. */
static void deliver(struct packets *p, struct piece x)
{
    struct packet *k = &p->packet[x.packet];
    uint32_t flits = p->split ? k->pieces : k->is.length;

    for (uint32_t f = x.flit; f < (p->split ? x.flit + 1 : flits); f++) {
        unsigned kind = (f == 0 ? FLIT_HEAD : 0u) | (f + 1 == flits ? FLIT_TAIL : 0u);
        p->digest += digest_flit(flit_payload(k->address, k->is.number, f, p->mask), kind, now(p),
                                 k->is.dst, 0);
    }
    if (x.flit == 0)
        k->arrived = now(p);
    p->inside--;
    if (--k->missing)
        return;
    measure_delivered(p->m, &k->is, k->entered * p->unit, k->arrived, now(p), 2u * k->height);
    k->next = p->unused;
    p->unused = x.packet;
}

void packets_cross(struct packets *p, uint32_t link, uint32_t queue, bool up, unsigned level,
                   struct piece x, uint64_t since)
{
    uint32_t length = p->split ? 1 : p->packet[x.packet].is.length;
    uint64_t waited = (uint32_t)(p->step - since) * (uint64_t)p->unit;

    measure_hop(p->m, now(p), link, up, level - up, waited);
    measure_tail(p->m, now(p), up, level - up, length);
    p->hops += length;
    recount(p, queue, up, level - up, true);
    if (level == 0) {
        p->since[queue] = (uint32_t)p->step;
        deliver(p, x);
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
    struct source *q = &p->source[src];
    struct packet *k = &p->packet[q->first];
    struct piece x = {q->first, q->flit};

    if (x.flit == 0)
        k->entered = p->step;
    p->inside++;
    packets_cross(p, SWITCH_PORTS * (src >> 2) + (src & 3), queue, true, 1, x, q->front);
    q->front = p->step + 1;
    if (++q->flit < k->pieces)
        return;
    q->flit = 0;
    q->first = k->next;
    p->waiting--;
}

bool packets_consume(struct packets *p, uint32_t node)
{
    uint32_t link = SWITCH_PORTS * p->switches + node;

    if (p->count[link] <= (p->since[link] == (uint32_t)p->step))
        return false;
    recount(p, link, false, 0, false);
    return true;
}

/* -- the run -------------------------------------------------------------------------------- */

static void take_samples(struct packets *p, uint64_t count)
{
    struct fatfly_result *r = p->m->result;

    for (unsigned up = 0; up < 2; up++)
        for (unsigned l = 0; l < p->params.levels; l++)
            measure_level(p->m, up, l)->occupancy += count * p->held[up][l] * p->unit;
    for (unsigned k = 0; k <= p->params.depth; k++)
        r->occupied[k] += count * p->holding[k];
    r->samples += count;
}

/* Once in a step that has a sample's cycle in it. */
void packets_sample(struct packets *p)
{
    uint64_t tick = (now(p) + 63) & ~UINT64_C(63);

    if (tick >= now(p) + p->unit || !measure_samples(p->m, tick))
        return;
    take_samples(p, 1);
}

void packets_tick(struct packets *p, bool quiet)
{
    p->step++;
    if (!quiet || (!p->calendar.count && !p->m->open))
        return;
    uint64_t wake = calendar_next(&p->calendar);
    wake = wake < p->m->check ? wake : p->m->check;
    uint64_t next = wake / p->unit + (wake % p->unit != 0);
    if (next <= p->step)
        return;
    if (measure_window(p->m, now(p))) { /* what packets_sample() would have taken in between */
        uint64_t ticks = (next * p->unit + 63) / 64 - (now(p) + 63) / 64;
        take_samples(p, p->unit < 64 ? ticks : next - p->step);
    }
    p->step = next;
}

void packets_finish(struct packets *p)
{
    p->m->result->digest = p->digest;
    p->m->result->flit_hops = p->hops;
    measure_finish(p->m, now(p));
}
