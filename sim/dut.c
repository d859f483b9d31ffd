/* SPDX-License-Identifier: Apache-2.0
 * dut.c - names and sizes of a shape.
 */
#include "dut.h"

#include "fat_tree.h"
#include "switch.h"

#include <stdio.h>
#include <string.h>

unsigned dut_endpoints(const struct dut_shape *shape)
{
    return shape->network ? fat_tree_nodes(shape->params.levels) : SWITCH_PORTS;
}

unsigned dut_switches(const struct dut_shape *shape)
{
    return shape->network ? fat_tree_switches(shape->params.levels) : 1;
}

unsigned dut_probe_words(const struct dut_shape *shape)
{
    return dut_switches(shape) * switch_probe_words(&shape->params);
}

void dut_shape_name(const struct dut_shape *shape, char *name, size_t size)
{
    const struct switch_params *p = &shape->params;
    char place[24];

    if (shape->network)
        snprintf(place, sizeof place, "n%u", fat_tree_nodes(p->levels));
    else
        snprintf(place, sizeof place, "s%uof%u", p->level, p->levels);
    snprintf(name, size, "%s-v%u-q%u-w%u-%s-%s", place, p->vcs, p->depth, p->flit_w,
             path_names[p->path], scan_names[p->scan]);
}

static unsigned name_index(const char *name, const char *const *names, unsigned count)
{
    unsigned k = 0;
    while (k < count && strcmp(name, names[k]) != 0)
        k++;
    return k;
}

const char *dut_shape_parse(const char *name, struct dut_shape *shape, char *why, size_t size)
{
    unsigned nodes = 0;
    unsigned level = 1;
    unsigned levels = 0;
    int end = 0;
    char path[8];
    char scan[8];
    struct switch_params p = {.level = 1};
    const char *rest = strchr(name, '-');
    char again[64];

    shape->network = sscanf(name, "n%u-", &nodes) == 1;
    if (shape->network)
        while (levels <= MAX_LEVELS && fat_tree_nodes(levels) != nodes)
            levels++;
    else if (sscanf(name, "s%uof%u-", &level, &levels) != 2)
        rest = NULL;
    if (!rest || sscanf(rest, "-v%u-q%u-w%u-%7[a-z]-%7[a-z]%n", &p.vcs, &p.depth, &p.flit_w, path,
                        scan, &end) != 5 || rest[end]) {
        snprintf(why, size, "shape \"%s\"; allowed: n<N>-v<V>-q<depth>-w<bits>-<path>-<scan>, or "
                 "s<level>of<levels> in place of n<N>", name);
        return why;
    }
    p.level = level;
    p.levels = levels;
    p.path = (enum path_select)name_index(path, path_names, PATH_COUNT);
    p.scan = (enum scan_order)name_index(scan, scan_names, SCAN_COUNT);
    shape->params = p;
    if (switch_params_check(&p, why, size))
        return why;
    dut_shape_name(shape, again, sizeof again);
    if (strcmp(again, name) != 0) {
        snprintf(why, size, "shape \"%s\" is not in its plain form \"%s\"", name, again);
        return why;
    }
    return NULL;
}
