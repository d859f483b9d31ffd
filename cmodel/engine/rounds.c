/* SPDX-License-Identifier: Apache-2.0
 * rounds.c - the universal algorithms (CMSV) as disciplines.
 */
#include "rounds.h"

#include "cmsv.h"
#include "discipline.h"
#include "engine.h"
#include "grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_stages(const struct fatfly_config *c)
{
    return discipline_of(c)->steps;
}

/* -- a run ------------------------------------------------------------------------------------ */

struct state {
    struct run run;
    struct paths p;
    struct cmsv *algorithm;
    struct cmsv_params params;
    struct cmsv_watch watch;
    struct cmsv_result result;
    struct traffic_worm *sent; /* what a session sends before the first step */
    size_t sent_count, sent_room;
    uint8_t *group;          /* [links], as topology_kind.group() */
    uint32_t *start;         /* algorithm 1: level of a worm's first link */
    uint32_t *rank, *delay;  /* [worms], the butterfly's */
    unsigned flits;          /* that cross at once */
};

/* Flit 0 of an algorithm in stages is the packet. */
static void tell(const struct state *e, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    const struct fatfly_config *c = e->run.config;
    bool packet = in_stages(c);

    run_tell(&e->run, &(struct fatfly_move){
                          .cycle = cycle, .cycles = packet ? c->length : 1,
                          .worm = e->p.worm[worm].number, .flit = flit, .flits = e->flits,
                          .link = e->p.link[e->p.first[worm] + place],
                          .tail = packet || flit + 1 == c->length, .first = place == 0,
                          .last = place + 1 == paths_length(&e->p, worm)});
}

static void cut(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    const struct state *e = context;
    const struct fatfly_observer *o = e->run.m.observer;
    if (o && o->lost)
        o->lost(o->context, cycle, e->p.worm[worm].number, flit, e->p.link[e->p.first[worm] + place]);
}

static void crosses(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    struct state *e = context;
    unsigned group = e->group[e->p.link[e->p.first[worm] + place]];
    struct fatfly_level *l = measure_level(&e->run.m, !(group & 1), group / 2);
    (void)cycle;
    l->worms += flit == 0;
    l->flits += e->flits;
}

static void crosses_told(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    crosses(context, cycle, worm, place, flit);
    tell(context, cycle, worm, place, flit);
}

static void delivered(void *context, uint32_t worm, uint64_t injected, uint64_t head, uint64_t tail,
                      uint64_t digest)
{
    struct state *e = context;
    e->run.digest += digest;
    measure_delivered(&e->run.m, &e->p.worm[worm], injected, head, tail - e->run.m.last,
                      paths_length(&e->p, worm));
}

/* Counts for the result; groups of links.  Of a session's worms the run has told already. */
static bool prepare(struct state *e)
{
    e->group = malloc((size_t)e->p.links + 1);
    if (!e->group)
        return false;
    for (uint32_t k = 0; k < e->p.links; k++)
        e->group[k] = (uint8_t)topology_link(e->run.topology, k).group;
    for (size_t k = 0; k < e->p.first[e->p.count]; k++)
        e->run.m.link_worms[e->p.link[k]]++;
    for (uint32_t k = 0; k < e->p.count && !e->run.fed; k++)
        measure_generated(&e->run.m, &e->p.worm[k]);
    return true;
}

/* Worms of the source that has most. */
static uint32_t most_of_one(const struct state *e, const struct fatfly_config *c)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < e->p.count; k++) {
        uint32_t index = (e->p.worm[k].number - 1) / c->nodes;
        most = index >= most ? index + 1 : most;
    }
    return most;
}

/* Ranks and delays of 4.4.1.  Node level * N + row; link 1 of a node corrects a bit. */
static int butterfly(struct state *e, const struct fatfly_config *c, const struct topology *o)
{
    uint8_t order[32];
    unsigned bits = (unsigned)__builtin_ctz(c->nodes);
    uint32_t most = e->run.fed ? most_of_one(e, c) : c->rounds;

    e->rank = malloc(((size_t)e->p.count + 1) * sizeof *e->rank);
    e->delay = malloc(((size_t)e->p.count + 1) * sizeof *e->delay);
    if (!e->rank || !e->delay)
        return FATFLY_NO_MEMORY;
    for (unsigned level = 0; level < bits; level++)
        order[level] = (uint8_t)__builtin_ctz(o->kind->far(o, level * c->nodes, 1) % c->nodes);
    for (uint32_t k = 0; k < e->p.count; k++) {
        const struct traffic_worm *w = &e->p.worm[k];
        uint32_t number;
        cmsv_butterfly_pass((w->number - 1) / c->nodes, most, c->length, bits, &e->delay[k], &number);
        e->rank[k] = number * c->nodes + cmsv_butterfly_rank(w->src, order, bits);
    }
    return FATFLY_OK;
}

/* What the algorithms ask of the paths. */
static int prepare_paths(struct state *e, const struct fatfly_config *c, const struct topology *o,
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

static int begin(struct state *e)
{
    struct run *r = &e->run;
    const struct fatfly_config *c = r->config;
    const unsigned wanted = c->depth == FATFLY_UNBOUNDED ? 0 : c->depth;
    const bool told = r->m.observer;
    int status = r->fed ? paths_sent(&e->p, e->sent, e->sent_count, r->topology, r->why, r->size)
                        : paths_of(&e->p, c, r->topology, r->why, r->size);

    if (!status)
        status = prepare(e) ? prepare_paths(e, c, r->topology, r->why, r->size) : FATFLY_NO_MEMORY;
    r->m.result->self_worms = e->p.self_worms;
    if (status)
        return status;
    e->params = (struct cmsv_params){
        .kind = (enum cmsv_kind)(c->discipline - FATFLY_CMSV1), .length = c->length, .seed = c->seed,
        .bandwidth = in_stages(c) ? wanted : c->link_bandwidth,
        .delay_range = c->delay_range > 1 ? c->delay_range : 0,
        .start = e->start, .rank = e->rank, .delay = e->delay};
    e->watch = (struct cmsv_watch){.context = e, .crosses = told ? crosses_told : crosses,
                                   .cut = told ? cut : NULL, .delivered = delivered};
    return cmsv_open(&e->algorithm, &e->p, &e->params, &e->watch, &e->result);
}

/* A worm of a session; the rounds begin with the first step. */
static int enter(struct run *r, const struct traffic_worm *w)
{
    struct state *e = (struct state *)r;

    if (!GROW(e->sent, e->sent_count, e->sent_room, 64))
        return FATFLY_NO_MEMORY;
    e->sent[e->sent_count++] = *w;
    return FATFLY_OK;
}

static int over(struct state *e)
{
    struct run *r = &e->run;

    r->now = e->result.cycles;
    if (r->fed && e->result.given_up) {
        snprintf(r->why, r->size, "given up after %u rounds, with %llu worms left", e->result.rounds,
                 (unsigned long long)(r->m.generated - r->m.delivered));
        return FATFLY_BAD_CONFIG;
    }
    if (r->fed) {
        r->now -= r->unit; /* the run adds it */
        return FATFLY_OK;
    }
    r->m.all_generated = true;
    if (e->result.given_up)
        r->m.result->end = FATFLY_CUT;
    else
        measure_over(&r->m, r->now);
    return RUN_OVER;
}

static int step(struct run *run)
{
    struct state *e = (struct state *)run;
    int status = e->algorithm ? FATFLY_OK : begin(e);

    if (!status && !cmsv_over(e->algorithm))
        status = cmsv_step(e->algorithm);
    if (status == FATFLY_BROKEN)
        snprintf(run->why, run->size, "internal check failed: acknowledgements met, or nobody arrived");
    if (status)
        return status;
    run->hops = e->result.flit_hops;
    if (cmsv_over(e->algorithm))
        status = over(e);
    else
        run->now = cmsv_now(e->algorithm) - run->unit; /* the run adds it */
    return status;
}

static bool idle(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return r->fed && !e->result.given_up && (e->algorithm ? cmsv_over(e->algorithm) : e->sent_count == 0);
}

static void rest(struct run *r, uint64_t to)
{
    (void)r;
    (void)to;
}

static void finish(struct run *r)
{
    r->m.result->algorithm_rounds = ((struct state *)r)->result.rounds;
}

static int open_rounds(struct run *r)
{
    struct state *e = (struct state *)r;

    e->flits = in_stages(r->config) ? r->config->length : 1;
    return r->fed ? FATFLY_OK : begin(e);
}

static void close_rounds(struct run *r)
{
    struct state *e = (struct state *)r;
    cmsv_close(e->algorithm);
    free(e->sent);
    free(e->group);
    free(e->start);
    free(e->rank);
    free(e->delay);
    paths_free(&e->p);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t hops, worms = (uint64_t)c->nodes * c->rounds, links = t->links;
    uint64_t own = paths_memory(c, t, &hops);
    return own + cmsv_memory(worms, hops, links) + links +
           (c->discipline == FATFLY_CMSV_BUTTERFLY ? 2 * worms * sizeof(uint32_t) : 0);
}

static unsigned link_cycles(const struct fatfly_config *c, const struct topology *t)
{
    (void)t;
    return in_stages(c) ? c->length : 1;
}

/* Packets of an algorithm in stages cross a link one after the other. */
static unsigned at_once(const struct fatfly_config *c, const struct topology *t)
{
    (void)t;
    return in_stages(c) ? 1 : c->link_bandwidth;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    (void)t;
    return discipline_of(c)->rounds;
}

const struct engine engine_rounds = {
    .name = "rounds", .state = sizeof(struct state), .can = can, .memory = memory,
    .link_cycles = link_cycles, .at_once = at_once, .tells = true, .open = open_rounds, .close = close_rounds,
    .enter = enter, .step = step, .idle = idle, .sample = rest, .finish = finish, .own_worms = true,
    .knows_all = true, .rests = true};

int rounds_phases(struct fatfly_config *c, const struct topology *o, unsigned step, char *why,
                  size_t size)
{
    struct paths p;
    int status = paths_of(&p, c, o, why, size);

    if (status)
        return status;
    if (c->phases == 0)
        c->phases = 2 * (uint64_t)c->length * (p.congestion ? p.congestion : 1);
    if (c->phase_length == 0)
        c->phase_length = ((uint64_t)p.dilation + c->length - 1) * step + 1 +
                          (uint64_t)p.dilation * (c->link_latency - 1 + c->router_latency) +
                          (p.dilation ? (uint64_t)(p.dilation - 1) * c->head_latency : 0);
    paths_free(&p);
    return FATFLY_OK;
}
