/* SPDX-License-Identifier: Apache-2.0
 * hardware.c - the Verilog and the waves, as the commands of cmodel/cli ask for them.
 */
#include "hardware.h"

#include "library.h"
#include "lockstep.h"
#include "tree.h"
#include "watch.h"
#include "waves_moves.h"

#include <string.h>

static int parse(const char *name, struct hardware_design *d, char *why, size_t size)
{
    struct dut_shape shape;
    if (dut_shape_parse(name, &shape, why, size))
        return -1;
    *d = (struct hardware_design){.network = shape.network, .params = shape.params, .radix = shape.cube.radix,
                                  .node = shape.cube.node, .torus = shape.cube.torus,
                                  .negative_hop = shape.cube.negative_hop};
    return 0;
}

static void name_switch(const struct hardware_design *d, char *name, size_t size)
{
    struct dut_shape shape = {.params = d->params};
    shape.cube.radix = d->radix;
    shape.cube.node = d->node;
    shape.cube.torus = d->torus;
    shape.cube.negative_hop = d->negative_hop;
    dut_shape_name(&shape, name, size);
}

static struct dut_shape shape_of(const struct fatfly_config *c)
{
    struct dut_shape shape = {.network = true};
    tree_params(c, &shape.params);
    return shape;
}

static int load(const struct fatfly_config *c, const char *build, void **device, struct fail *f)
{
    struct dut_shape shape = shape_of(c);
    const struct dut_ops *ops;
    char name[64], file[400];

    dut_shape_name(&shape, name, sizeof name);
    snprintf(file, sizeof file, "%s/rtl/%s.so", build, name);
    if (library_load(file, build, &ops, f))
        return -1;
    *device = (void *)(uintptr_t)ops;
    return 0;
}

static int run(void *device, const struct fatfly_config *c, const struct fatfly_hooks *h,
               struct fatfly_result *r, struct fail *f)
{
    const struct dut_ops *ops[2] = {device, NULL};
    struct lockstep_options o = {.max_cycles = c->max_cycles, .outputs_only = true};
    struct dut_shape shape = shape_of(c);
    struct lockstep_result result;
    struct stimulus stimulus;

    (void)h;
    if (stimulus_traffic(&stimulus, &shape, c, f))
        return -1;
    lockstep_run(ops, &stimulus, &o, &result);
    stimulus_free(&stimulus);
    if (result.end == END_MEMORY)
        return fail(f, EXIT_SYSTEM, "%s", result.why);
    if (result.end != END_DONE && result.end != END_CUT)
        return fail(f, EXIT_CHECK, "the Verilog, cycle %llu: %s", (unsigned long long)result.cycle,
                    result.why);
    memset(r, 0, sizeof *r);
    r->end = result.end == END_CUT ? FATFLY_CUT : FATFLY_DONE;
    r->digest = result.totals.digest;
    r->cycles = result.end == END_CUT ? result.cycles : result.totals.last_arrival + 1; /* without worms 1, as engines have it */
    r->worms = r->measured = result.totals.worms_delivered;
    r->flits = result.totals.worm_flits;
    r->last_arrival = result.totals.last_arrival;
    /* here the last cycle counts, too */
    r->latency_sum = result.totals.latency_sum + r->worms;
    r->latency_max = result.totals.latency_max + (r->worms > 0);
    r->measure_cycles = r->cycles;
    r->warmed_up = true;
    return 0;
}

static int look(const struct fatfly_config *c, const char *waves, uint32_t worm, FILE *out,
                struct fail *f)
{
    struct lockstep_options o = {.max_cycles = c->max_cycles};
    struct stimulus stimulus;
    struct dut_shape shape = shape_of(c);

    if (stimulus_traffic(&stimulus, &shape, c, f))
        return -1;
    struct watch w = {.ops = {&dut_cmodel, NULL}, .stimulus = &stimulus, .options = &o,
                      .waves = waves, .to = UINT64_MAX, .worm = worm};
    int bad = watch_run(&w, out, f);
    stimulus_free(&stimulus);
    return bad;
}

const struct hardware hardware = {
    .parse = parse, .name = name_switch, .load = load, .run = run, .look = look, .waves = waves_moves_run};
