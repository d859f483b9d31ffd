/* SPDX-License-Identifier: Apache-2.0
 * parallel.c - one run cut into parts (parallel.h): what each part owns, and the sections of the run.
 *
 * A section lasts until something is to be decided (measure_over()), or, of a static run, until all
 * worms have arrived.  Between two sections nothing runs beside the run's own thread, which adds up what
 * the parts have counted.
 */
#include "parallel.h"

#include "cuts.h"
#include "discipline.h"
#include "fat_tree.h"
#include "heads.h"
#include "lines.h"
#include "network.h"
#include "rng.h"
#include "tree.h"

#include <stdio.h>

enum { NONE = POOL_NONE };

/* -- who owns what ---------------------------------------------------------------------------- */

/* Of `count` things in a row, of which every part has as many. */
static unsigned owner(const struct parallel *e, uint32_t count, uint32_t which)
{
    return which / (count / e->parts);
}

static uint32_t level_size(const struct parallel *e, unsigned l)
{
    return e->nodes >> (l + 1);
}

unsigned parallel_parts(const struct fatfly_config *c, const struct topology *t)
{
    unsigned parts = 1;
    if (!t->levels || c->vcs != 1 || discipline_of(c)->packets || c->plugin || c->reply[0] || c->engine == FATFLY_CYCLE ||
        !heads_know(c))
        return 1;
    while (2 * parts <= c->parts && 2 * parts <= PARTS_MOST && 2 * parts <= 1u << (t->levels - 1))
        parts *= 2;
    return parts;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return parallel_parts(c, t) > 1;
}

/* -- cut links -------------------------------------------------------------------------------- */

/* Cut links so far, of the parts of other processes, too. */
struct counts {
    bool only; /* they are counted, nothing else */
    uint32_t gates[PARTS_MOST], entries[PARTS_MOST];
};

/* The link that leaves output `from` of a part for a queue of another one. */
static void add_cut(struct parallel *e, struct counts *c, uint32_t from, uint32_t link, unsigned near,
                    unsigned far)
{
    uint32_t g = c->gates[near]++, n = c->entries[far]++;

    if (e->part[near] && !c->only) {
        e->part[near]->gate[g] = (struct gate){.link = link, .from = from, .part = far, .entry = n,
                                               .room = (uint8_t)e->params.depth};
        e->to[from] = (uint32_t)GATE | g;
    }
    if (e->part[far] && !c->only) {
        e->part[far]->entry[n] = (struct entry){.link = link, .part = near, .gate = g, .worm = NONE};
        e->queue[link].from = (uint32_t)GATE | n;
    }
}

/* All cut links, in the same order every time.  Below the roots of whole subtrees there are none. */
static void each_cut(struct parallel *e, struct counts *c)
{
    unsigned levels = e->params.levels;

    for (unsigned l = 1; l <= levels; l++)
        for (unsigned o = 0; o < SWITCH_PORTS; o++) {
            unsigned other = o < SWITCH_CHILDREN ? l - 1 : l + 1, upper = other > l ? other : l;
            if (other == 0 || other > levels || e->nodes >> 2 * upper >= e->parts)
                continue;
            for (uint32_t a = 0; a < level_size(e, l); a++) {
                uint32_t link = fat_tree_output(levels, l, a, o);
                unsigned near = owner(e, level_size(e, l), a);
                unsigned far = owner(e, level_size(e, other), link / SWITCH_PORTS - fat_tree_base(levels, other));
                if (near != far)
                    add_cut(e, c, SWITCH_PORTS * (fat_tree_base(levels, l) + a) + o, link, near, far);
            }
        }
}

/* Words that a part may write to another in a cycle. */
static uint32_t letter_room(const struct part *from, unsigned to)
{
    uint32_t room = 0;
    for (uint32_t g = 0; g < from->gates; g++)
        room += from->gate[g].part == to ? 1 + ARRIVAL_WORDS : 0;
    for (uint32_t n = 0; n < from->entries; n++)
        room += from->entry[n].part == to;
    return room;
}

static int open_letters(struct part *p)
{
    for (unsigned q = 0; q < p->of->parts; q++)
        for (unsigned turn = 0; turn < 2 && q != p->number; turn++) {
            uint32_t room = letter_room(p, q);
            p->out[turn][q] = calloc(1, sizeof(struct letter) + room * sizeof(uint32_t));
            if (!p->out[turn][q])
                return FATFLY_NO_MEMORY;
            p->out[turn][q]->room = room;
        }
    return FATFLY_OK;
}

static int open_cuts(struct parallel *e)
{
    struct counts c = {.only = true};

    each_cut(e, &c);
    for (unsigned k = 0; k < e->parts; k++) {
        struct part *p = e->part[k];
        if (!p)
            continue;
        p->gates = c.gates[k];
        p->entries = c.entries[k];
        p->gate = calloc(p->gates + 1u, sizeof *p->gate);
        p->entry = calloc(p->entries + 1u, sizeof *p->entry);
        if (!p->gate || !p->entry)
            return FATFLY_NO_MEMORY;
    }
    c = (struct counts){.only = false};
    each_cut(e, &c);
    for (unsigned k = 0; k < e->parts; k++)
        if (e->part[k] && open_letters(e->part[k]))
            return FATFLY_NO_MEMORY;
    return FATFLY_OK;
}

/* -- opening ---------------------------------------------------------------------------------- */

/* Between any two switches lie two links, there and back: the one that enters port q of switch t comes from
 * where the one that leaves t by q goes to. */
static void wire_switch(struct parallel *e, unsigned l, uint32_t a, uint32_t seed)
{
    uint32_t s = fat_tree_base(e->params.levels, l) + a;
    struct junction *n = &e->node[s];
    struct lfsr r;

    n->ports = l == e->params.levels ? SWITCH_CHILDREN : SWITCH_PORTS;
    n->open = (uint8_t)((1u << n->ports) - 1);
    lfsr_reset(&r, network_switch_seed(seed, s));
    n->lfsr_q = r.lfsr_q;
    for (unsigned o = 0; o < SWITCH_PORTS; o++) {
        uint32_t to = fat_tree_output(e->params.levels, l, a, o);
        e->to[SWITCH_PORTS * s + o] = to;
        e->queue[SWITCH_PORTS * s + o] = (struct lane_queue){.from = to, .first = NONE, .last = NONE};
    }
}

/* What part k owns, nothing else: memory of which nothing is touched is none. */
static void wire(struct parallel *e, unsigned k)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed), nodes = e->nodes / e->parts;

    for (unsigned l = 1; l <= e->params.levels; l++)
        for (uint32_t size = level_size(e, l) / e->parts, a = k * size; a < (k + 1) * size; a++)
            wire_switch(e, l, a, seed);
    for (uint32_t a = k * nodes; a < (k + 1) * nodes; a++) {
        e->queue[SWITCH_PORTS * e->switches + a] =
            (struct lane_queue){.from = SWITCH_PORTS * (a >> 2) + (a & 3), .first = NONE, .last = NONE};
        e->source[a].first = NONE;
    }
}

static int open_part(struct parallel *e, unsigned k)
{
    struct part *p = calloc(1, sizeof *p);
    const struct measure *m = &e->run.m;
    uint32_t switches = 0, nodes = e->nodes / e->parts, cuts = cuts_count(e->params.levels);

    e->part[k] = p;
    if (!p)
        return FATFLY_NO_MEMORY;
    p->of = e;
    p->number = k;
    p->pool.unused = NONE;
    for (unsigned l = 1; l <= e->params.levels; l++)
        switches += level_size(e, l) / e->parts;
    p->awake.item = calloc(switches, sizeof *p->awake.item);
    p->ready.item = calloc(nodes, sizeof *p->ready.item);
    p->leave = m->leave ? calloc(2 * (size_t)cuts, sizeof *p->leave) : NULL;
    p->histograms = m->hooks && m->hooks->histograms ? calloc(FATFLY_BATCHES, sizeof *p->histograms) : NULL;
    p->hooks.histograms = p->histograms;
    p->traffic = traffic_share(e->traffic);
    if (!p->awake.item || !p->ready.item || (m->leave && !p->leave) || !p->traffic ||
        (m->hooks && m->hooks->histograms && !p->histograms))
        return FATFLY_NO_MEMORY;
    return calendar_open_some(&p->calendar, p->traffic, e->nodes, k * nodes, (k + 1) * nodes)
               ? FATFLY_NO_MEMORY : FATFLY_OK;
}

/* Of the whole network, of which another process touches what it owns alone. */
static void *array(const struct parallel *e, size_t count, size_t size)
{
    return e->ranks ? calloc(count, size) : lines_longer(NULL, 0, count, size);
}

static int open_parallel(struct run *r)
{
    struct parallel *e = (struct parallel *)r;
    struct switch_params *p = &e->params;

    tree_params(r->config, p);
    e->ranks = r->m.hooks ? r->m.hooks->ranks : NULL;
    e->transport = e->ranks ? &transport_ranks
                   : r->config->nodes < FATFLY_SMALLEST_SHARED ? &transport_in_turn : &transport_threads;
    e->first = e->ranks ? e->ranks->rank : 0;
    e->parts = parallel_parts(r->config, r->topology);
    e->nodes = fat_tree_nodes(p->levels);
    e->switches = fat_tree_switches(p->levels);
    e->mask = p->flit_w < 64 ? (UINT64_C(1) << p->flit_w) - 1 : UINT64_MAX;
    e->random = p->scan == SCAN_RR || p->scan == SCAN_FF || p->path == PATH_RP || p->path == PATH_RG ||
                p->path == PATH_RW;
    size_t links = (size_t)SWITCH_PORTS * e->switches + e->nodes;
    uint32_t share = e->nodes / e->parts;
    e->traffic = e->ranks ? traffic_new_some(r->config, e->first * share, (e->first + 1) * share)
                          : traffic_new(r->config);
    e->section = calloc(e->ranks ? e->parts : 1, sizeof *e->section);
    e->to = array(e, (size_t)SWITCH_PORTS * e->switches, sizeof *e->to);
    e->queue = array(e, links, sizeof *e->queue);
    e->node = array(e, e->switches, sizeof *e->node);
    e->source = array(e, e->nodes, sizeof *e->source);
    e->tally = array(e, links, 1);
    if (!e->traffic || !e->section || !e->to || !e->queue || !e->node || !e->source || !e->tally)
        return FATFLY_NO_MEMORY;
    for (unsigned k = 0; k < e->parts; k++) {
        if (e->ranks && k != e->first)
            continue;
        wire(e, k);
        if (open_part(e, k))
            return FATFLY_NO_MEMORY;
    }
    int status = open_cuts(e);
    return status || !e->ranks ? status : ranks_open(e);
}

static void close_part(struct part *p)
{
    if (!p)
        return;
    calendar_close(&p->calendar);
    free(p->traffic);
    free(p->worm);
    free(p->passenger);
    struct list *const lists[] = {&p->active, &p->awake, &p->ready, &p->tails, &p->heads, &p->leavers};
    for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++)
        free(lists[k]->item);
    free(p->inside);
    free(p->gate);
    free(p->entry);
    free(p->leave);
    free(p->histograms);
    for (unsigned q = 0; q < PARTS_MOST; q++) {
        free(p->out[0][q]);
        free(p->out[1][q]);
    }
    free(p);
}

static void close_parallel(struct run *r)
{
    struct parallel *e = (struct parallel *)r;

    for (unsigned k = 0; k < e->parts; k++)
        close_part(e->part[k]);
    ranks_close(e);
    traffic_free(e->traffic);
    free(e->section);
    free(e->to);
    free(e->queue);
    free(e->node);
    free(e->source);
    free(e->tally);
}

/* -- sections --------------------------------------------------------------------------------- */

/* What a part counts from zero in every section. */
static void begin_section(struct part *p)
{
    const struct measure *m = &p->of->run.m;

    p->m = *m;
    p->m.result = &p->result;
    p->m.leave = p->leave;
    p->m.enter = p->leave ? p->leave + cuts_count(p->of->params.levels) : NULL;
    p->m.hooks = &p->hooks;
    p->m.generated = p->m.delivered = p->m.generated_in = p->m.pending = 0;
    memset(p->m.eighth_sum, 0, sizeof p->m.eighth_sum);
    memset(p->m.eighth_count, 0, sizeof p->m.eighth_count);
    memset(&p->result, 0, sizeof p->result);
    p->result.classes = m->result->classes;
    p->digest = p->hops = 0;
    p->now = p->of->run.now;
}

static void add(uint64_t *to, const uint64_t *from, size_t count)
{
    for (size_t k = 0; k < count; k++)
        to[k] += from[k];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_level(struct fatfly_level *to, const struct fatfly_level *from)
{
    to->flits += from->flits;
    to->worms += from->worms;
    to->waited += from->waited;
    to->occupancy += from->occupancy;
}

static void add_class(struct fatfly_of_class *to, const struct fatfly_of_class *from)
{
    to->worms += from->worms;
    to->flits += from->flits;
    to->measured += from->measured;
    to->latency_sum += from->latency_sum;
    to->latency_max = larger(to->latency_max, from->latency_max);
    to->offered_flits += from->offered_flits;
    to->accepted_flits += from->accepted_flits;
    add(to->histogram, from->histogram, FATFLY_BUCKETS);
}

static void add_result(struct fatfly_result *to, const struct fatfly_result *from)
{
    to->worms += from->worms;
    to->flits += from->flits;
    to->last_arrival = larger(to->last_arrival, from->last_arrival);
    to->measured += from->measured;
    to->latency_sum += from->latency_sum;
    to->latency_max = larger(to->latency_max, from->latency_max);
    to->wait_sum += from->wait_sum;
    to->source_wait += from->source_wait;
    to->blocked += from->blocked;
    add(to->histogram, from->histogram, FATFLY_BUCKETS);
    add(to->series_sum, from->series_sum, FATFLY_SERIES);
    add(to->series_count, from->series_count, FATFLY_SERIES);
    to->dilation = (uint32_t)larger(to->dilation, from->dilation);
    to->offered_flits += from->offered_flits;
    to->accepted_flits += from->accepted_flits;
    for (unsigned l = 0; l < FATFLY_MAX_STAGES; l++) {
        add_level(&to->up[l], &from->up[l]);
        add_level(&to->down[l], &from->down[l]);
    }
    for (unsigned k = 0; k < FATFLY_MAX_CLASSES && to->classes > 1; k++)
        add_class(&to->by_class[k], &from->by_class[k]);
    to->samples += from->samples;
    add(to->occupied, from->occupied, FATFLY_MAX_DEPTH + 1);
}

void parallel_add(struct parallel *e, const struct section *s)
{
    struct measure *m = &e->run.m;

    m->generated += s->generated;
    m->delivered += s->delivered;
    m->generated_in += s->generated_in;
    m->pending += s->pending;
    add(m->eighth_sum, s->eighth_sum, 8);
    add(m->eighth_count, s->eighth_count, 8);
    add_result(m->result, &s->result);
    e->run.digest += s->digest;
    e->run.hops += s->hops;
}

static void end_section(struct section *s, const struct part *p)
{
    s->generated = p->m.generated;
    s->delivered = p->m.delivered;
    s->generated_in = p->m.generated_in;
    s->pending = p->m.pending;
    memcpy(s->eighth_sum, p->m.eighth_sum, sizeof s->eighth_sum);
    memcpy(s->eighth_count, p->m.eighth_count, sizeof s->eighth_count);
    s->result = p->result;
    s->digest = p->digest;
    s->hops = p->hops;
}

/* Of all parts, those of other processes, too. */
static bool add_sections(struct parallel *e)
{
    if (!e->ranks)
        for (unsigned k = 0; k < e->parts; k++) {
            end_section(e->section, e->part[k]);
            parallel_add(e, e->section);
        }
    if (!e->ranks)
        return true;
    end_section(&e->section[e->first], e->part[e->first]);
    if (e->cut_off || !ranks_gather(e))
        return false;
    for (unsigned k = 0; k < e->parts; k++)
        parallel_add(e, &e->section[k]);
    return true;
}

static int step(struct run *r)
{
    struct parallel *e = (struct parallel *)r;
    const struct part *first = e->part[e->first];

    e->until = r->m.check;
    e->base = r->m.generated - r->m.delivered;
    for (unsigned k = 0; k < e->parts; k++)
        if (e->part[k])
            begin_section(e->part[k]);
    e->transport->play(e);
    if (!add_sections(e)) {
        snprintf(r->why, r->size, "the other processes of the run cannot be reached");
        return FATFLY_BROKEN;
    }
    r->now = first->now - 1; /* a step is one cycle more */
    r->m.all_generated = !first->more;
    if (first->broken)
        return FATFLY_NO_MEMORY;
    return first->lost ? run_lost(r) : FATFLY_OK;
}

static void finish_run(struct run *r)
{
    struct parallel *e = (struct parallel *)r;
    struct measure *m = &r->m;
    size_t cuts = m->leave ? 2 * (size_t)cuts_count(e->params.levels) : 0;

    if (e->ranks) {
        ranks_finish(e);
        return;
    }
    for (unsigned k = 0; k < e->parts; k++) {
        struct part *p = e->part[k];
        r->hops += part_hops_inside(p);
        if (measure_unfinished(m, r->now))
            part_count_inside(p, m);
        m->result->self_worms += traffic_self_worms(p->traffic);
        for (size_t j = 0; j < cuts; j++)
            m->leave[j] += p->leave[j];
        for (unsigned b = 0; p->histograms && b < FATFLY_BATCHES; b++)
            for (unsigned j = 0; j < FATFLY_BUCKETS; j++)
                m->hooks->histograms[b][j] += p->histograms[b][j];
    }
}

/* Bytes of `share` of the worms, of the links and of the processors.  Of worms twice what worm.c has: a worm that crosses the cut is there twice or more. */
static uint64_t share_memory(const struct fatfly_config *c, const struct topology *t, unsigned shares)
{
    uint64_t worms = measure_worms(t, c) / shares, nodes = c->nodes / shares, places = 256;
    while (places < worms)
        places *= 2;
    return places * (sizeof(struct piece) + sizeof(struct passenger) + 16) * 5 / 4 +
           (uint64_t)t->links / shares * (sizeof(struct lane_queue) + 5) +
           nodes / 2 * (sizeof(struct junction) + 8) +
           nodes * (sizeof(struct origin) + sizeof(struct traffic_worm) + 8);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    return share_memory(c, t, 1) + sizeof(struct parallel) +
           parallel_parts(c, t) * (sizeof(struct part) + sizeof(struct section) + measure_memory(t, c));
}

/* What it counts of the tree's channels it has twice, of all processors; in the end of all processes. */
uint64_t parallel_rank_memory(const struct fatfly_config *c, const struct topology *t)
{
    unsigned ranks = parallel_parts(c, t);
    return share_memory(c, t, ranks) + traffic_memory_some(c, c->nodes / ranks) + sizeof(struct parallel) +
           ranks * sizeof(struct section) + sizeof(struct part) + 2 * measure_memory(t, c) +
           (uint64_t)t->links / ranks * sizeof(uint32_t);
}

const struct engine engine_parallel = {
    .name = "fast", .state = sizeof(struct parallel), .can = can, .memory = memory,
    .open = open_parallel, .close = close_parallel, .step = step, .finish = finish_run,
    .own_worms = true};
