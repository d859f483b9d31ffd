/* SPDX-License-Identifier: Apache-2.0
 * fatfly.c - the public functions of the library: names, defaults, and a run from check to result.
 */
#include "fatfly.h"

#include "check.h"
#include "discipline.h"
#include "engine.h"
#include "lines.h"
#include "parallel.h"
#include "params.h"
#include "rng.h"
#include "rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fatfly_discipline_names[FATFLY_DISCIPLINES] = {
    "worm", "store", "univ", "split", "phased", "cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol",
    "cmsv-butterfly"};
const char *const fatfly_bandwidth_names[FATFLY_BANDWIDTHS] = {"fixed-share", "on-demand"};
const char *const fatfly_injection_names[FATFLY_INJECTIONS] = {"one-queue", "per-channel"};
const char *const fatfly_class_channel_names[FATFLY_CLASS_CHANNELS] = {"shared", "reserved"};
const char *const fatfly_release_names[FATFLY_RELEASES] = {"tail-gone", "tail-sent"};
const char *const fatfly_scan_names[FATFLY_SCANS] = {SCAN_ORDERS(ROW_NAME)};
const char *const fatfly_start_names[FATFLY_STARTS] = {"any", "waiting"};
const char *const fatfly_arrival_names[FATFLY_ARRIVALS] = {"geometric", "poisson", "on-off"};
const char *const fatfly_length_names[FATFLY_LENGTHS] = {"fixed", "uniform", "geometric",
                                                         "bimodal", "mix"};
const char *const fatfly_engine_names[FATFLY_ENGINES] = {"auto", "fast", "cycle"};
const char *const fatfly_end_names[FATFLY_ENDS] = {"done", "saturated", "cut", "stopped", "deadlock"};

void fatfly_defaults(struct fatfly_config *c)
{
    memset(c, 0, sizeof *c);
    c->nodes = 64;
    c->radix = 16;
    c->dimensions = 2;
    c->link_bandwidth = 1;
    c->link_latency = 1;
    c->depth = 2;
    c->vcs = 1;
    c->path = FATFLY_RP;
    c->length = 32;
    c->length_min = 1;
    c->length_mean = 16;
    c->short_share = 0.5;
    c->burst_on = c->burst_off = 100;
    c->hotspot = 0.04;
    c->density = 0.5;
    c->classes = 1;
    c->rounds = 1;
    c->delay_range = 1;
    c->detect_warmup = true;
    c->warmup = 200000;
    c->cycles = 100000;
    c->seed = 1;
    c->parts = 1;
}

void fatfly_defaults_of(struct fatfly_config *c, const char *topology, enum fatfly_discipline d)
{
    fatfly_defaults(c);
    c->discipline = d;
    c->topology = topology;
    const struct topology_kind *kind = topology_kind_of(c);
    if (discipline_of(c)->rounds)
        c->path = FATFLY_FP; /* paths that are known before */
    if (!kind || kind == &topology_fat_tree) {
        c->depth = d == FATFLY_STORE ? 1 : c->depth;
        return;
    }
    c->path = kind->paths[0];
    c->vcs = 0;
    c->scan = FATFLY_FCFS;
    if (kind == &topology_torus || kind == &topology_mesh)
        for (unsigned k = c->nodes = 1; k <= c->dimensions; k++)
            c->nodes *= c->radix;
    if (d != FATFLY_WORM && d != FATFLY_PHASED)
        c->depth = FATFLY_UNBOUNDED;
}

const char *fatfly_version(void)
{
    return FATFLY_VERSION;
}

uint64_t fatfly_run_seed(uint64_t seed, uint64_t k)
{
    return rng_hash(seed + rng_hash(k));
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    const struct engine *e = engine_of(c, t);
    uint64_t tables = t->kind->memory ? t->kind->memory(t) : 0;
    return (e ? e->memory(c, t) : 0) + tables + traffic_memory(c) + measure_memory(t, c) + 4 * (uint64_t)t->links;
}

/* What is asked of a configuration and its topology, or otherwise if it has none. */
static uint64_t ask(const struct fatfly_config *c, uint64_t (*what)(const struct fatfly_config *, const struct topology *),
                    uint64_t otherwise)
{
    struct topology t;
    char why[1];

    if (topology_of(c, &t, why, sizeof why))
        return otherwise;
    uint64_t answer = what(c, &t);
    topology_close(&t);
    return answer;
}

static uint64_t parts(const struct fatfly_config *c, const struct topology *t)
{
    return t->processors < FATFLY_SMALLEST_SHARED ? 1 : parallel_parts(c, t);
}

static uint64_t ranks_most(const struct fatfly_config *c, const struct topology *t)
{
    struct fatfly_config most = *c;
    most.parts = PARTS_MOST;
    return parallel_parts(&most, t);
}

uint64_t fatfly_memory(const struct fatfly_config *c)
{
    return ask(c, memory, traffic_memory(c));
}

unsigned fatfly_parts(const struct fatfly_config *c)
{
    return (unsigned)ask(c, parts, 1);
}

unsigned fatfly_ranks_most(const struct fatfly_config *c)
{
    return (unsigned)ask(c, ranks_most, 1);
}

uint64_t fatfly_rank_memory(const struct fatfly_config *c)
{
    return ask(c, parallel_rank_memory, traffic_memory(c));
}

/* -- a run that processes share --------------------------------------------------------------- */

static int check_ranks(const struct fatfly_config *c, const struct topology *t, const struct fatfly_hooks *hooks,
                       char *why, size_t size)
{
    unsigned most = fatfly_ranks_most(c);

    if (c->parts < 2 || parallel_parts(c, t) != c->parts)
        snprintf(why, size, "%u processes for a run; allowed: a power of two from 2 to %u%s", c->parts, most,
                 most > 1 ? "" : ", which is none: it cannot be shared");
    else if (hooks->ranks->rank >= c->parts || hooks->observer)
        snprintf(why, size, "%s of a run that %u processes share", hooks->observer ? "an observer" : "no rank",
                 c->parts);
    else
        return FATFLY_OK;
    return FATFLY_BAD_CONFIG;
}

/* Of the first process that cannot begin, as all of them go on or none does. */
static int agree(const struct fatfly_ranks *r, unsigned ranks, int status, char *why, size_t size)
{
    int all[PARTS_MOST];

    if (!r->gather(r->context, &status, all, sizeof status)) {
        snprintf(why, size, "the other processes of the run cannot be reached");
        return status ? status : FATFLY_BROKEN;
    }
    for (unsigned k = 0; k < ranks && !status; k++)
        if (all[k]) {
            status = all[k];
            snprintf(why, size, "process %u cannot begin", k);
        }
    return status;
}

/* -- a run ------------------------------------------------------------------------------------ */

/* A checked configuration. */
static int play(const struct fatfly_config *c, const struct topology *t,
                const struct fatfly_hooks *hooks, struct fatfly_result *r, char *why, size_t size)
{
    const struct fatfly_ranks *ranks = hooks ? hooks->ranks : NULL;
    uint32_t *own = hooks && hooks->link_worms ? NULL
                    : ranks ? calloc(t->links, sizeof *own) : lines_longer(NULL, 0, t->links, sizeof *own);
    uint32_t *worms = own ? own : hooks ? hooks->link_worms : NULL;
    struct fatfly_config whole = *c;
    struct run *run = NULL;
    int status = worms ? FATFLY_OK : FATFLY_NO_MEMORY;

    if (worms && !own) /* what calloc() gave is not touched: it may be a process' share */
        memset(worms, 0, t->links * sizeof *worms);
    if (!status && c->discipline == FATFLY_PHASED && !t->levels)
        status = rounds_phases(&whole, t, engine_link_cycles(c, t), why, size);
    if (!status)
        status = run_open(&run, &whole, t, hooks, worms, r, why, size);
    if (ranks)
        status = agree(ranks, c->parts, status, why, size);
    if (!status)
        status = run_play(run);
    run_close(run);
    free(own);
    if (hooks && hooks->observer && t->levels) /* engine_that_tells() */
        whole.engine = FATFLY_CYCLE;
    if (status == FATFLY_NO_MEMORY)
        snprintf(why, size, "memory is short: %.3g GB are needed%s",
                 (double)(ranks ? parallel_rank_memory(c, t) : memory(&whole, t)) * 1e-9, ranks ? " by each process" : "");
    return status;
}

int fatfly_run(const struct fatfly_config *c, const struct fatfly_hooks *hooks,
               struct fatfly_result *r, char *why, size_t size)
{
    struct topology t;
    char none[1];

    if (!why) {
        why = none;
        size = sizeof none;
    }
    int status = check_open(c, &t, why, size);
    if (!status && !c->force)
        status = check_deadlock(c, &t, NULL, NULL, why, size);
    if (!status && hooks && hooks->ranks)
        status = check_ranks(c, &t, hooks, why, size);
    if (!status)
        status = play(c, &t, hooks, r, why, size);
    topology_close(&t);
    return status;
}
