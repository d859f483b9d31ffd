/* SPDX-License-Identifier: Apache-2.0
 * universal.c - the universal algorithms (CMSV) as disciplines.
 */
#include "universal.h"

#include "cmsv.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool universal_is(const struct fatfly_config *c)
{
    return c->discipline >= FATFLY_CMSV1 && c->discipline <= FATFLY_CMSV_BUTTERFLY;
}

static bool in_stages(const struct fatfly_config *c)
{
    return c->discipline == FATFLY_CMSV_STORE || c->discipline == FATFLY_CMSV_PROTOCOL;
}

static bool has_rows(const struct fatfly_config *c)
{
    return topology_is_other(c) && strstr(c->topology, "butterfly");
}

const char *universal_refuse(const struct fatfly_config *c, char *why, size_t size)
{
    const char *name = fatfly_discipline_names[c->discipline];

    if (c->lengths != FATFLY_FIXED)
        snprintf(why, size, "lengths = %s contradicts discipline = %s; allowed: fixed",
                 fatfly_length_names[c->lengths], name);
    else if (c->pattern == FATFLY_MESSAGES)
        snprintf(why, size, "pattern = trace contradicts discipline = %s; allowed: patterns whose "
                 "worms are there from the start", name);
    else if (c->discipline == FATFLY_CMSV_BUTTERFLY && !has_rows(c))
        snprintf(why, size, "topology = %s contradicts discipline = %s; allowed: butterfly, "
                 "reverse-butterfly, wrapped-butterfly", c->topology ? c->topology : "fat-tree", name);
    else if (!topology_is_other(c) && c->path != FATFLY_FP)
        snprintf(why, size, "path = %s contradicts discipline = %s on a fat-tree; allowed: fp "
                 "(paths that are known before)", fatfly_path_names[c->path], name);
    else if (in_stages(c) && c->link_bandwidth > 1)
        snprintf(why, size, "link_bandwidth = %u contradicts discipline = %s, whose depth it is; "
                 "allowed: 1", c->link_bandwidth, name);
    else
        return NULL;
    return why;
}

/* -- a run ------------------------------------------------------------------------------------ */

struct engine {
    struct paths p;
    struct measure m;
    uint8_t *group;          /* [links], as topology_kind.group() */
    uint32_t *start;         /* algorithm 1: level of a worm's first link */
    uint32_t *rank, *delay;  /* [worms], the butterfly's */
    uint64_t digest;
    uint64_t injected_more;  /* fat-tree, packets: a tail counts by the first cycle of its step */
    unsigned flits;          /* that cross at once */
};

static bool over(void *context, uint64_t cycle)
{
    struct engine *e = context;
    return cycle >= e->m.check && measure_over(&e->m, cycle);
}

static void crosses(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    struct engine *e = context;
    unsigned group = e->group[e->p.link[e->p.first[worm] + place]];
    struct fatfly_level *l = measure_level(&e->m, !(group & 1), group / 2);
    (void)cycle;
    l->worms += flit == 0;
    l->flits += e->flits;
}

static void delivered(void *context, uint32_t worm, uint64_t injected, uint64_t head, uint64_t tail,
                      uint64_t digest)
{
    struct engine *e = context;
    e->digest += digest;
    measure_delivered(&e->m, &e->p.worm[worm], injected, head, tail - e->injected_more,
                      paths_length(&e->p, worm));
}

/* Counts for the result; groups of links. */
static bool prepare(struct engine *e, const struct topology *o, uint32_t *link_worms)
{
    e->group = malloc((size_t)e->p.links + 1);
    if (!e->group)
        return false;
    for (uint32_t k = 0; k < e->p.links; k++) {
        struct fatfly_link l = {.exists = false};
        if (!o)
            l = fatfly_link_at(e->m.config->nodes, k);
        else if (e->p.to[k] != TOPOLOGY_NONE)
            l.level = o->kind->group(o, k / o->ports, k % o->ports);
        e->group[k] = (uint8_t)(o ? l.level : 2 * l.level + !l.up);
    }
    for (size_t k = 0; k < e->p.first[e->p.count]; k++)
        link_worms[e->p.link[k]]++;
    for (uint32_t k = 0; k < e->p.count; k++)
        measure_generated(&e->m, &e->p.worm[k]);
    return true;
}

/* Ranks and delays of 4.4.1.  Node level * N + row; link 1 of a node corrects a bit. */
static int butterfly(struct engine *e, const struct fatfly_config *c, const struct topology *o)
{
    uint8_t order[32];
    unsigned bits = (unsigned)__builtin_ctz(c->nodes);

    e->rank = malloc(((size_t)e->p.count + 1) * sizeof *e->rank);
    e->delay = malloc(((size_t)e->p.count + 1) * sizeof *e->delay);
    if (!e->rank || !e->delay)
        return FATFLY_NO_MEMORY;
    for (unsigned level = 0; level < bits; level++)
        order[level] = (uint8_t)__builtin_ctz(o->kind->far(o, level * c->nodes, 1) % c->nodes);
    for (uint32_t k = 0; k < e->p.count; k++) {
        const struct traffic_worm *w = &e->p.worm[k];
        uint32_t number;
        cmsv_butterfly_pass((uint32_t)w->index, c->rounds, c->length, bits, &e->delay[k], &number);
        e->rank[k] = number * c->nodes + cmsv_butterfly_rank(w->src, order, bits);
    }
    return FATFLY_OK;
}

/* What the algorithms ask of the paths. */
static int prepare_paths(struct engine *e, const struct fatfly_config *c, const struct topology *o,
                         char *why, size_t size)
{
    char shortcut[200];
    int status = FATFLY_OK;

    if (c->discipline == FATFLY_CMSV_BUTTERFLY)
        return butterfly(e, c, o);
    if (c->discipline == FATFLY_CMSV_PROTOCOL) {
        status = paths_shortcut_free(&e->p, shortcut, sizeof shortcut);
        if (status == FATFLY_BAD_CONFIG)
            snprintf(why, size, "discipline = cmsv-protocol; allowed: on shortest paths, and %s",
                     shortcut);
    } else if (c->discipline == FATFLY_CMSV1 && c->length > 1) {
        e->start = malloc(((size_t)e->p.count + 1) * sizeof *e->start);
        status = e->start ? paths_leveled(&e->p, e->start) : FATFLY_NO_MEMORY;
        if (status == FATFLY_BAD_CONFIG)
            snprintf(why, size, "length = %u with discipline = cmsv1 on paths that are not leveled; "
                     "allowed: 1", c->length);
    }
    return status;
}

static int play(struct engine *e, const struct fatfly_config *c, char *why, size_t size)
{
    const unsigned wanted = c->depth == FATFLY_UNBOUNDED ? 0 : c->depth;
    const struct cmsv_params params = {
        .kind = (enum cmsv_kind)(c->discipline - FATFLY_CMSV1), .length = c->length, .seed = c->seed,
        .bandwidth = in_stages(c) ? wanted : c->link_bandwidth,
        .delay_range = c->delay_range > 1 ? c->delay_range : 0,
        .start = e->start, .rank = e->rank, .delay = e->delay};
    const struct cmsv_watch watch = {.context = e, .over = over, .crosses = crosses,
                                     .delivered = delivered};
    struct cmsv_result r;
    struct fatfly_result *to = e->m.result;
    int status = cmsv_run(&e->p, &params, &watch, &r);

    if (status == FATFLY_BROKEN)
        snprintf(why, size, "internal check failed: acknowledgements met, or nobody arrived");
    if (status)
        return status;
    to->digest = e->digest;
    to->flit_hops = r.flit_hops;
    to->algorithm_rounds = r.rounds;
    e->m.all_generated = true;
    if (r.given_up)
        to->end = FATFLY_CUT;
    else if (!r.stopped)
        measure_over(&e->m, r.cycles);
    measure_finish(&e->m, r.cycles);
    return FATFLY_OK;
}

int universal_run(const struct fatfly_config *c, const struct topology *o,
                  const struct fatfly_hooks *hooks, uint32_t *link_worms, struct fatfly_result *r,
                  char *why, size_t size)
{
    struct engine e = {.flits = in_stages(c) ? c->length : 1};
    int status = paths_of(&e.p, c, o, why, size);
    if (status)
        return status;
    e.injected_more = o ? 0 : e.flits - 1;
    if (!(o ? measure_start_on(&e.m, o, e.flits, c, hooks, r, link_worms)
            : measure_start(&e.m, c, hooks, r, link_worms))) {
        status = FATFLY_NO_MEMORY;
    } else {
        status = prepare(&e, o, link_worms) ? prepare_paths(&e, c, o, why, size) : FATFLY_NO_MEMORY;
        if (!status)
            status = play(&e, c, why, size);
        r->self_worms = e.p.self_worms;
        if (status)
            measure_free(&e.m);
        else if (!measure_check(c, r, link_worms, why, size))
            status = FATFLY_BROKEN;
    }
    free(e.group);
    free(e.start);
    free(e.rank);
    free(e.delay);
    paths_free(&e.p);
    return status;
}

uint64_t universal_memory(const struct fatfly_config *c, const struct topology *o)
{
    uint64_t hops, worms = (uint64_t)c->nodes * c->rounds, links = fatfly_config_links(c);
    uint64_t own = paths_memory(c, o, &hops);
    return own + cmsv_memory(worms, hops, links) + links +
           (c->discipline == FATFLY_CMSV_BUTTERFLY ? 2 * worms * sizeof(uint32_t) : 0);
}

int universal_phases(struct fatfly_config *c, const struct topology *o, unsigned step, char *why,
                     size_t size)
{
    struct paths p;
    int status = paths_of(&p, c, o, why, size);

    if (status)
        return status;
    if (c->phases == 0)
        c->phases = 2 * (uint64_t)c->length * (p.congestion ? p.congestion : 1);
    if (c->phase_length == 0)
        c->phase_length = ((uint64_t)p.dilation + c->length - 1) * step + 1;
    paths_free(&p);
    return FATFLY_OK;
}
