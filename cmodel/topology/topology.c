/* SPDX-License-Identifier: Apache-2.0
 * topology.c - the networks that there are.
 */
#include "topology.h"

#include <stdio.h>
#include <string.h>

/* Each is a struct topology_kind of that name in a file of its own; a new one is a line here. */
#define KINDS(KIND)         \
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

static int no_kind(const char *name, char *why, size_t size)
{
    int n = snprintf(why, size, "topology = %.40s; allowed: fat-tree", name);
    for (unsigned k = 0; k < topology_kinds_count && n >= 0 && (size_t)n < size; k++)
        n += snprintf(why + n, size - (size_t)n, ", %s", topology_kinds[k]->name);
    return -1;
}

const char *fatfly_topology_name(unsigned k)
{
    return k == 0 ? "fat-tree" : k <= topology_kinds_count ? topology_kinds[k - 1]->name : NULL;
}

static int no_path(const struct topology *t, char *why, size_t size)
{
    int n = snprintf(why, size, "path = %.40s; allowed on a %s:", t->params.path, t->kind->name);
    for (unsigned k = 0; t->kind->paths[k] && n >= 0 && (size_t)n < size; k++)
        n += snprintf(why + n, size - (size_t)n, "%s %s", k ? "," : "", t->kind->paths[k]);
    return -1;
}

int topology_open(struct topology *t, const char *name, const struct topology_params *p, char *why,
                  size_t size)
{
    *t = (struct topology){.params = *p};
    for (unsigned k = 0; k < topology_kinds_count; k++)
        if (strcmp(topology_kinds[k]->name, name) == 0)
            t->kind = topology_kinds[k];
    if (!t->kind)
        return no_kind(name, why, size);
    while (p->path && t->kind->paths[t->path] && strcmp(t->kind->paths[t->path], p->path) != 0)
        t->path++;
    if (!t->kind->paths[t->path])
        return no_path(t, why, size);
    return t->kind->open(t, why, size);
}

bool topology_is_other(const struct fatfly_config *c)
{
    return c->topology && strcmp(c->topology, "fat-tree") != 0;
}

int topology_of(const struct fatfly_config *c, struct topology *t, char *why, size_t size)
{
    const struct topology_params p = {.processors = c->nodes, .text = c->graph,
                                      .text_name = c->graph_name, .radix = c->radix,
                                      .dimensions = c->dimensions, .classes = c->vcs,
                                      .path = fatfly_path_names[c->path]};
    return topology_open(t, c->topology, &p, why, size);
}

void topology_close(struct topology *t)
{
    if (t->kind && t->kind->close)
        t->kind->close(t);
    *t = (struct topology){.kind = NULL};
}
