/* SPDX-License-Identifier: Apache-2.0
 * task.c - what a case of the regression costs, and which cases a task of many has.
 */
#include "task.h"

#include "split.h"

#include <stdlib.h>
#include <string.h>

static double cycles_of(const struct config *c)
{
    if (c->set.config.load > 0)
        return (double)c->set.config.cycles;
    if (c->set.trace[0])
        return 1e5;
    double flits = (double)c->set.config.rounds * c->set.config.length;
    return c->set.config.pattern == FATFLY_MANY_TO_1 ? flits * dut_endpoints(&c->shape) / 2 : 8 * flits;
}

/* Measured on cores of 2023; verilate.sh says which networks are compiled block by block, which are slow. */
double task_run_cost(const struct cosim_case *c)
{
    const struct dut_shape *s = &c->config.shape;
    if (c->bench)
        return strcmp(c->bench, "arbiter_all") ? 3 : 30;
    unsigned switches = dut_switches(s), vcs = s->params.vcs;
    bool blocks = s->network && (s->cube.radix || dut_endpoints(s) * vcs > 64);
    return cycles_of(&c->config) * (vcs * 1e-6 + switches * (blocks ? 4e-6 : 0.6e-6 * vcs));
}

double task_build_cost(const struct cosim_case *c)
{
    const struct dut_shape *s = &c->config.shape;
    if (c->bench)
        return strcmp(c->bench, "arbiter_all") ? 10 : 20;
    if (!s->network)
        return 0.7 + 0.2 * s->params.vcs;
    return 1 + dut_switches(s) * (s->cube.radix ? 0.4 : 0.35 * s->params.vcs);
}

/* Cases of one shape have the number of the first of them. */
static void gather(const struct cosim_case *const *item, size_t count, size_t *group, double *cost)
{
    for (size_t k = 0; k < count; k++) {
        const struct cosim_case *c = item[k];
        char name[64], other[64];
        group[k] = k;
        dut_shape_name(&c->config.shape, name, sizeof name);
        for (size_t j = 0; j < k && group[k] == k && !c->bench; j++) {
            dut_shape_name(&item[j]->config.shape, other, sizeof other);
            if (!item[j]->bench && strcmp(name, other) == 0)
                group[k] = j;
        }
        cost[group[k]] += task_run_cost(c) + (group[k] == k ? task_build_cost(c) : 0);
    }
}

long task_share(const struct cosim_case **item, size_t count, uint32_t task, uint32_t tasks, struct fail *f)
{
    size_t *group = calloc(count + 1, sizeof *group);
    double *cost = calloc(count + 1, sizeof *cost);
    uint32_t *task_of = calloc(count + 1, sizeof *task_of);
    long own = -1;

    if (!group || !cost || !task_of) {
        fail(f, EXIT_SYSTEM, "no memory for the cases");
    } else {
        gather(item, count, group, cost); /* those that are not the first of a group cost nothing */
        if (split(cost, count, tasks, task_of, f) == 0) {
            own = 0;
            for (size_t k = 0; k < count; k++)
                if (task_of[group[k]] == task)
                    item[own++] = item[k];
        }
    }
    free(group);
    free(cost);
    free(task_of);
    return own;
}
