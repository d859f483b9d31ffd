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
#include "place.h"

#include <stdio.h>

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

/* -- opening ---------------------------------------------------------------------------------- */

static int open_letters(struct part *p)
{
    for (unsigned q = 0; q < p->of->parts; q++)
        for (unsigned turn = 0; turn < 2 && q != p->number; turn++) {
            uint32_t room = part_words(p, q);
            p->out[turn][q] = calloc(1, sizeof(struct letter) + room * sizeof(uint32_t));
            if (!p->out[turn][q])
                return FATFLY_NO_MEMORY;
            p->out[turn][q]->room = room;
        }
    return FATFLY_OK;
}

/* Of the arrays of the whole network what the part owns, which its own thread thus touches first. */
static void clear_share(struct parallel *e, unsigned k)
{
    unsigned levels = e->run.topology->levels;
    uint32_t nodes = e->run.topology->processors / e->parts;

    memset(e->source + (size_t)k * nodes, 0, nodes * sizeof *e->source);
    for (unsigned l = 1; l <= levels; l++) {
        uint32_t size = (e->run.topology->processors >> (l + 1)) / e->parts, first = fat_tree_base(levels, l) + k * size;
        memset(e->node + first, 0, size * sizeof *e->node);
        memset(e->tally + (size_t)PLACES * first, 0, (size_t)PLACES * size);
    }
}

static int open_part(struct parallel *e, unsigned k)
{
    struct part *p = calloc(1, sizeof *p);
    const struct measure *m = &e->run.m;
    uint32_t processors = e->run.topology->processors, nodes = processors / e->parts;
    uint32_t cuts = cuts_count(e->run.topology->levels);

    e->part[k] = p;
    if (!p)
        return FATFLY_NO_MEMORY;
    p->of = e;
    p->number = k;
    p->is.node = e->node;
    p->is.source = e->source;
    p->is.tally = e->tally;
    p->leave = m->leave ? calloc(2 * (size_t)cuts, sizeof *p->leave) : NULL;
    p->histograms = m->hooks && m->hooks->histograms ? calloc(FATFLY_BATCHES, sizeof *p->histograms) : NULL;
    p->hooks.histograms = p->histograms;
    struct run *r = &p->is.run;
    r->config = e->run.config;
    r->topology = e->run.topology;
    r->engine = &engine_worm;
    r->unit = 1;
    r->traffic = traffic_share(e->traffic);
    if (!e->ranks)
        clear_share(e, k);
    if ((m->leave && !p->leave) || !r->traffic || (m->hooks && m->hooks->histograms && !p->histograms) ||
        calendar_open_some(&r->calendar, r->traffic, processors, k * nodes, (k + 1) * nodes) ||
        worm_open(&p->is, k, e->parts))
        return FATFLY_NO_MEMORY;
    return open_letters(p);
}

/* Of the whole network, of which a part clears and a process touches what it owns alone. */
static void *array(const struct parallel *e, size_t count, size_t size)
{
    return e->ranks ? calloc(count, size) : lines_unset(count, size);
}

static int open_parallel(struct run *r)
{
    struct parallel *e = (struct parallel *)r;
    uint32_t switches = fat_tree_switches(r->topology->levels), nodes = r->topology->processors;

    e->ranks = r->m.hooks ? r->m.hooks->ranks : NULL;
    e->transport = e->ranks ? &transport_ranks
                   : r->config->nodes < FATFLY_SMALLEST_SHARED ? &transport_in_turn : &transport_threads;
    e->first = e->ranks ? e->ranks->rank : 0;
    e->parts = parallel_parts(r->config, r->topology);
    uint32_t share = nodes / e->parts;
    e->traffic = e->ranks ? traffic_new_some(r->config, e->first * share, (e->first + 1) * share)
                          : traffic_new(r->config);
    e->section = calloc(e->ranks ? e->parts : 1, sizeof *e->section);
    e->node = array(e, switches, sizeof *e->node);
    e->source = array(e, nodes, sizeof *e->source);
    e->tally = array(e, switches, PLACES);
    if (!e->traffic || !e->section || !e->node || !e->source || !e->tally)
        return FATFLY_NO_MEMORY;
    int status = e->transport->each(e, open_part);
    return status || !e->ranks ? status : ranks_open(e);
}

static void close_part(struct part *p)
{
    if (!p)
        return;
    calendar_close(&p->is.run.calendar);
    free(p->is.run.traffic);
    worm_close(&p->is);
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
    free(e->node);
    free(e->source);
    free(e->tally);
}

/* -- sections --------------------------------------------------------------------------------- */

void part_begin_section(struct part *p)
{
    const struct run *of = &p->of->run;
    struct run *r = &p->is.run;
    struct measure *m = &r->m;

    *m = of->m;
    m->result = &p->result;
    m->leave = p->leave;
    m->enter = p->leave ? p->leave + cuts_count(of->topology->levels) : NULL;
    m->hooks = &p->hooks;
    m->generated = m->delivered = m->generated_in = m->pending = 0;
    memset(m->eighth_sum, 0, sizeof m->eighth_sum);
    memset(m->eighth_count, 0, sizeof m->eighth_count);
    memset(&p->result, 0, sizeof p->result);
    p->result.classes = of->m.result->classes;
    r->digest = r->hops = 0;
    r->now = of->now;
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
    to->self_worms += from->self_worms;
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

/* All parts take the same samples, each of its queues. */
void part_end_section(struct section *s, const struct part *p)
{
    const struct measure *m = &p->is.run.m;

    *s = (struct section){.generated = m->generated, .delivered = m->delivered, .generated_in = m->generated_in,
                          .pending = m->pending, .digest = p->is.run.digest, .hops = p->is.run.hops,
                          .result = p->result};
    memcpy(s->eighth_sum, m->eighth_sum, sizeof s->eighth_sum);
    memcpy(s->eighth_count, m->eighth_count, sizeof s->eighth_count);
    s->result.samples = p->number ? 0 : p->result.samples;
}

/* Of all parts, those of other processes, too. */
static bool add_sections(struct parallel *e)
{
    if (!e->ranks)
        for (unsigned k = 0; k < e->parts; k++) {
            part_end_section(e->section, e->part[k]);
            parallel_add(e, e->section);
        }
    if (!e->ranks)
        return true;
    part_end_section(&e->section[e->first], e->part[e->first]);
    if (e->cut_off || !ranks_gather(e))
        return false;
    for (unsigned k = 0; k < e->parts; k++)
        parallel_add(e, &e->section[k]);
    return true;
}

void parallel_cut_off(const struct run *r)
{
    snprintf(r->why, r->size, "the other processes of the run cannot be reached");
}

static int step(struct run *r)
{
    struct parallel *e = (struct parallel *)r;
    const struct part *first = e->part[e->first];

    uint64_t last = r->config->max_cycles ? r->config->max_cycles : UINT64_MAX;
    e->until = r->m.check;
    e->rest = r->m.open ? e->until : last; /* of a static run nothing is asked while it rests */
    e->base = r->m.generated - r->m.delivered;
    for (unsigned k = 0; k < e->parts; k++)
        if (e->part[k])
            part_begin_section(e->part[k]);
    e->transport->play(e);
    if (!add_sections(e)) {
        parallel_cut_off(r);
        return FATFLY_BROKEN;
    }
    r->now = first->is.run.now - 1; /* a step is one cycle more */
    r->m.all_generated = !first->more;
    if (first->broken)
        return FATFLY_NO_MEMORY;
    return first->lost ? run_lost(r) : FATFLY_OK;
}

void part_finish(struct part *p)
{
    struct run *r = &p->is.run;

    part_begin_section(p);
    p->result.end = p->of->run.m.result->end;
    engine_worm.finish(r);
    p->result.self_worms = traffic_self_worms(r->traffic);
}

static int finish_part(struct parallel *e, unsigned k)
{
    part_finish(e->part[k]);
    return FATFLY_OK;
}

static void finish_run(struct run *r)
{
    struct parallel *e = (struct parallel *)r;
    struct measure *m = &r->m;
    size_t cuts = m->leave ? 2 * (size_t)cuts_count(r->topology->levels) : 0;

    if (e->ranks) {
        ranks_finish(e);
        return;
    }
    e->transport->each(e, finish_part);
    for (unsigned k = 0; k < e->parts; k++) {
        const struct part *p = e->part[k];
        for (size_t j = 0; j < cuts; j++)
            m->leave[j] += p->leave[j];
        for (unsigned b = 0; p->histograms && b < FATFLY_BATCHES; b++)
            for (unsigned j = 0; j < FATFLY_BUCKETS; j++)
                m->hooks->histograms[b][j] += p->histograms[b][j];
    }
    add_sections(e);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    unsigned parts = parallel_parts(c, t);
    uint64_t each = worm_memory(c, t, parts) - sizeof(struct state) + sizeof(struct part); /* which has a state */
    return sizeof(struct parallel) + sizeof(struct section) + parts * (each + measure_memory(t, c));
}

/* What it counts of the tree's channels it has twice, of all processors; in the end of all processes. */
uint64_t parallel_rank_memory(const struct fatfly_config *c, const struct topology *t)
{
    unsigned ranks = parallel_parts(c, t);
    return worm_memory(c, t, ranks) + traffic_memory_some(c, c->nodes / ranks) + sizeof(struct parallel) +
           ranks * sizeof(struct section) + sizeof(struct part) + 2 * measure_memory(t, c) +
           (uint64_t)t->links / ranks * sizeof(uint32_t);
}

const struct engine engine_parallel = {
    .name = "fast", .state = sizeof(struct parallel), .can = can, .memory = memory,
    .open = open_parallel, .close = close_parallel, .step = step, .finish = finish_run,
    .own_worms = true};
