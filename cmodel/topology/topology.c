/* SPDX-License-Identifier: Apache-2.0
 * topology.c - the networks that there are.
 */
#include "topology.h"

#include "params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each is a struct topology_kind of that name in a file of its own; a new one is a line here. */
#define KINDS(KIND)         \
    KIND(fat_tree)          \
    KIND(torus)             \
    KIND(mesh)              \
    KIND(butterfly)         \
    KIND(reverse_butterfly) \
    KIND(wrapped_butterfly) \
    KIND(hypercube)         \
    KIND(graph)

#define DECLARE(name) extern const struct topology_kind topology_##name;
#define PLACE(name) &topology_##name,
KINDS(DECLARE)
const struct topology_kind *const topology_kinds[] = {KINDS(PLACE)};
const unsigned topology_kinds_count = sizeof topology_kinds / sizeof *topology_kinds;

const char *const fatfly_path_names[FATFLY_PATHS] = {
    PATH_SELECTS(ROW_NAME) "greedy", "e-cube", "north-last", "positive-hop", "negative-hop",
    "minimal-adaptive", "loose-hop", "balanced-e-cube", "walk"};

static int no_kind(const char *name, char *why, size_t size)
{
    int n = snprintf(why, size, "topology = %.40s; allowed:", name);
    for (unsigned k = 0; k < topology_kinds_count && n >= 0 && (size_t)n < size; k++)
        n += snprintf(why + n, size - (size_t)n, "%s %s", k ? "," : "", topology_kinds[k]->name);
    return -1;
}

const char *fatfly_topology_name(unsigned k)
{
    return k < topology_kinds_count ? topology_kinds[k]->name : NULL;
}

static int no_path(const struct topology *t, char *why, size_t size)
{
    int n = snprintf(why, size, "path = %.40s; allowed on a %s:", t->params.path, t->kind->name);
    for (const enum fatfly_path *p = t->kind->paths; *p < FATFLY_PATHS && n >= 0 && (size_t)n < size; p++)
        n += snprintf(why + n, size - (size_t)n, "%s %s", p > t->kind->paths ? "," : "", fatfly_path_names[*p]);
    return -1;
}

static const struct topology_kind *kind_named(const char *name)
{
    const struct topology_kind *kind = NULL;
    for (unsigned k = 0; k < topology_kinds_count; k++)
        if (strcmp(topology_kinds[k]->name, name) == 0)
            kind = topology_kinds[k];
    return kind;
}

const struct topology_kind *topology_kind_of(const struct fatfly_config *c)
{
    return c->topology ? kind_named(c->topology) : &topology_fat_tree;
}

int topology_open(struct topology *t, const char *name, const struct topology_params *p, char *why,
                  size_t size)
{
    *t = (struct topology){.params = *p};
    t->kind = kind_named(name);
    if (!t->kind)
        return no_kind(name, why, size);
    const enum fatfly_path *path = t->kind->paths;
    while (p->path && *path < FATFLY_PATHS && strcmp(fatfly_path_names[*path], p->path) != 0)
        path++;
    t->path = *path;
    if (t->path == FATFLY_PATHS)
        return no_path(t, why, size);
    if (t->kind->open(t, why, size))
        return -1;
    if (!t->links)
        t->links = t->nodes * t->ports;
    return 0;
}

int topology_of(const struct fatfly_config *c, struct topology *t, char *why, size_t size)
{
    struct topology_params p = {.processors = c->nodes, .text = c->graph,
                                      .text_name = c->graph_name, .radix = c->radix,
                                      .dimensions = c->dimensions, .classes = c->vcs, .processor_links = c->processor_links,
                                      .path = fatfly_path_names[c->path]};
    const char *name = c->topology ? c->topology : topology_fat_tree.name;
    bool routes = PLUGGED(c, route);
    if (routes) /* in place of any of its own */
        p.path = NULL;
    if (routes && !p.classes)
        p.classes = c->plugin->channels ? c->plugin->channels : 1;
    if (topology_open(t, name, &p, why, size))
        return -1;
    if (c->plugin && plug_route_open(t, c)) {
        snprintf(why, size, "plugin: memory is short");
        topology_close(t);
        return -1;
    }
    return 0;
}

struct topology_link topology_link(const struct topology *t, uint32_t k)
{
    if (t->kind->link)
        return t->kind->link(t, k);
    uint32_t node = k / t->ports, to = t->kind->far(t, node, k % t->ports);
    if (to == TOPOLOGY_NONE)
        return (struct topology_link){TOPOLOGY_NONE, TOPOLOGY_NONE, 0};
    return (struct topology_link){node, to, t->kind->group(t, node, k % t->ports)};
}

uint32_t fatfly_links(const struct fatfly_config *c)
{
    struct topology t;
    char why[1];

    if ((unsigned)c->path >= FATFLY_PATHS || topology_of(c, &t, why, sizeof why))
        return 0;
    uint32_t links = t.links;
    topology_close(&t);
    return links;
}

void topology_close(struct topology *t)
{
    if (t->kind && t->kind->close)
        t->kind->close(t);
    free(t->plug);
    *t = (struct topology){.kind = NULL};
}
