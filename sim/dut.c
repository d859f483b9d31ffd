/* SPDX-License-Identifier: Apache-2.0
 * dut.c - names and sizes of a shape.
 */
#include "dut.h"

#include "cube_router.h"
#include "fat_tree.h"
#include "switch.h"

#include <stdio.h>
#include <string.h>

void dut_cube_params(const struct dut_shape *shape, struct cube_params *p)
{
    const struct switch_params *s = &shape->params;
    *p = (struct cube_params){.radix = shape->cube.radix, .torus = shape->cube.torus,
                              .negative_hop = shape->cube.negative_hop, .vcs = s->vcs,
                              .depth = s->depth, .flit_w = s->flit_w, .scan = s->scan};
}

unsigned dut_endpoints(const struct dut_shape *shape)
{
    if (shape->cube.radix)
        return shape->network ? shape->cube.radix * shape->cube.radix : CUBE_PORTS;
    return shape->network ? fat_tree_nodes(shape->params.levels) : SWITCH_PORTS;
}

unsigned dut_switches(const struct dut_shape *shape)
{
    if (shape->cube.radix)
        return shape->network ? shape->cube.radix * shape->cube.radix : 1;
    return shape->network ? fat_tree_switches(shape->params.levels) : 1;
}

unsigned dut_probe_words(const struct dut_shape *shape)
{
    struct cube_params cube;
    dut_cube_params(shape, &cube);
    return dut_switches(shape) *
           (shape->cube.radix ? cube_probe_words(&cube) : switch_probe_words(&shape->params));
}

_Static_assert((int)MAX_CUBE_VCS <= (int)DUT_MAX_VCS, "a channel of a cube has no bit of room");

static const char *const places[] = {"mesh", "torus"};
static const char *const routings[] = {"ecube", "nhop"};

void dut_shape_name(const struct dut_shape *shape, char *name, size_t size)
{
    const struct switch_params *p = &shape->params;
    char place[24];

    if (shape->cube.radix && shape->network)
        snprintf(place, sizeof place, "%s%u", places[shape->cube.torus], shape->cube.radix);
    else if (shape->cube.radix)
        snprintf(place, sizeof place, "%s%un%u", places[shape->cube.torus], shape->cube.radix,
                 shape->cube.node);
    else if (shape->network)
        snprintf(place, sizeof place, "n%u", fat_tree_nodes(p->levels));
    else
        snprintf(place, sizeof place, "s%uof%u", p->level, p->levels);
    snprintf(name, size, "%s-v%u-q%u-w%u-%s-%s%s%s", place, p->vcs, p->depth, p->flit_w,
             shape->cube.radix ? routings[shape->cube.negative_hop] : path_names[p->path],
             scan_names[p->scan], shape->reference ? "-ref" : "", shape->bare ? "-bare" : "");
}

static unsigned name_index(const char *name, const char *const *names, unsigned count)
{
    unsigned k = 0;
    while (k < count && strcmp(name, names[k]) != 0)
        k++;
    return k;
}

static bool parse_place(const char *name, struct dut_shape *shape)
{
    for (unsigned torus = 0; torus < 2; torus++) {
        size_t length = strlen(places[torus]);
        if (strncmp(name, places[torus], length) != 0)
            continue;
        shape->cube.torus = torus;
        shape->network = sscanf(name + length, "%un%u-", &shape->cube.radix, &shape->cube.node) == 1;
        return true;
    }
    return false;
}

/* What of the Verilog is asked for behind the scan. */
static bool parse_end(const char *end, bool tree, struct dut_shape *shape)
{
    shape->reference = tree && strncmp(end, "-ref", 4) == 0;
    end += shape->reference ? 4 : 0;
    shape->bare = strcmp(end, "-bare") == 0;
    return shape->bare || !*end;
}

static const char *parse_cube(const char *name, const char *rest, struct dut_shape *shape, char *why,
                              size_t size)
{
    struct switch_params *p = &shape->params;
    char path[8] = "", scan[8] = "", again[64];
    int end = 0;

    if (!rest || !shape->cube.radix || sscanf(rest, "-v%u-q%u-w%u-%7[a-z]-%7[a-z]%n", &p->vcs,
                                              &p->depth, &p->flit_w, path, scan, &end) != 5 ||
        !parse_end(rest + end, false, shape) || name_index(path, routings, 2) == 2) {
        snprintf(why, size, "shape \"%s\"; allowed: torus<k>-v<V>-q<depth>-w<bits>-<ecube|nhop>-<scan>, "
                 "or mesh; <k>n<node> for one router; -bare at the end for PROBE = 0", name);
        return why;
    }
    p->path = PATH_RP;
    p->scan = (enum scan_order)name_index(scan, scan_names, SCAN_COUNT);
    p->level = 1;
    p->levels = 2;
    shape->cube.negative_hop = name_index(path, routings, 2);
    struct cube_params cube;
    dut_cube_params(shape, &cube);
    if (cube_params_check(&cube, why, size))
        return why;
    if (!shape->network && shape->cube.node >= cube.radix * cube.radix) {
        snprintf(why, size, "node = %u; allowed: 0 to %u", shape->cube.node,
                 cube.radix * cube.radix - 1);
        return why;
    }
    dut_shape_name(shape, again, sizeof again);
    if (strcmp(again, name) == 0)
        return NULL;
    snprintf(why, size, "shape \"%s\" is not in its plain form \"%s\"", name, again);
    return why;
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

    memset(shape, 0, sizeof *shape);
    if (parse_place(name, shape))
        return parse_cube(name, rest, shape, why, size);
    shape->network = sscanf(name, "n%u-", &nodes) == 1;
    if (shape->network)
        while (levels <= MAX_LEVELS && fat_tree_nodes(levels) != nodes)
            levels++;
    else if (sscanf(name, "s%uof%u-", &level, &levels) != 2)
        rest = NULL;
    if (!rest || sscanf(rest, "-v%u-q%u-w%u-%7[a-z]-%7[a-z]%n", &p.vcs, &p.depth, &p.flit_w, path,
                        scan, &end) != 5 || !parse_end(rest + end, true, shape)) {
        snprintf(why, size, "shape \"%s\"; allowed: n<N>-v<V>-q<depth>-w<bits>-<path>-<scan>, or "
                 "s<level>of<levels> in place of n<N>; -ref at the end for the reference switch, -bare "
                 "for PROBE = 0", name);
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

uint32_t dut_head_dst(const struct dut_shape *shape, uint64_t head)
{
    return shape->cube.radix ? cube_head_dst(shape->cube.radix, head)
                             : (uint32_t)head_dst(shape->params.levels, head);
}

uint32_t dut_head_src(const struct dut_shape *shape, uint64_t head)
{
    unsigned k = shape->cube.radix;
    return k ? cube_head_dst(k, head >> 2 * cube_digit_bits(k))
             : (uint32_t)head_src(shape->params.levels, head);
}

unsigned dut_address_bits(const struct dut_shape *shape)
{
    return 2 * (shape->cube.radix ? cube_digit_bits(shape->cube.radix) : shape->params.levels);
}
