/* SPDX-License-Identifier: Apache-2.0
 * settings_network.c - what the settings of the network say together: topology, processors, radix,
 * dimensions, virtual channels, path.
 */
#include "rows.h"

#include "cfgtext.h"
#include "discipline.h"
#include "topology.h"
#include "traffic.h"

#include <string.h>

enum { MOST_GRAPH = 1 << 26 }; /* characters of a graph's file */

/* -- the butterfly fat-tree ------------------------------------------------------------------- */

/* Of a number of processors between two allowed ones, both are near. */
static int refuse_nodes(const struct settings *s, struct fail *f)
{
    uint32_t nodes = s->config.nodes, below = 4;
    unsigned levels = s->place == IN_RUN ? FATFLY_LARGEST_LEVELS : FATFLY_MAX_LEVELS;
    uint32_t most = UINT32_C(1) << 2 * levels;
    struct origin o = row_origin(s, NODES);
    char read[SPELLED];
    while (below < most && below * 4 <= nodes)
        below *= 4;
    if (below == nodes)
        return 0;
    row_spell_own(read, &o, s, NODES);
    if (nodes < 4 || nodes > most)
        return row_refuse(f, &o, "%s; allowed: 4^n with n = 1 to %u; nearest: %u", read, levels,
                          nodes < 4 ? 4 : below);
    return row_refuse(f, &o, "%s; allowed: 4^n with n = 1 to %u; nearest: %u and %u", read, levels, below,
                      below * 4);
}

static int only_elsewhere(const struct settings *s, enum row row, const char *where, struct fail *f)
{
    struct origin o = row_origin(s, row);
    char a[SPELLED], b[SPELLED], c[SPELLED];
    return row_refuse(f, &o, "%s with %s; allowed: only with %s", row_spell_own(a, &o, s, row),
                      row_spell(b, &o, TOPOLOGY, s->topology[0] ? s->topology : "fat-tree"),
                      row_spell(c, &o, TOPOLOGY, where));
}

static int fat_tree(struct settings *s, struct fail *f)
{
    static const enum row others[] = {RADIX, DIMENSIONS, PROCESSOR_LINKS, BANDWIDTH, INJECTION, CHANNEL_RELEASE, CHANNELS_IN_TURN, LINK_BANDWIDTH, INPUT_BANDWIDTH,
                                      LINK_LATENCY, ROUTER_LATENCY, HEAD_LATENCY, FORCE};
    struct fatfly_config *c = &s->config, usual;
    char read[SPELLED];

    fatfly_defaults_of(&usual, NULL, c->discipline);
    c->topology = NULL;
    if (!row_given(s, NODES))
        c->nodes = usual.nodes;
    if (!row_given(s, VCS))
        c->vcs = usual.vcs;
    if (!row_given(s, PATH))
        c->path = usual.path;
    if (!row_given(s, SCAN))
        c->scan = usual.scan;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (row_given(s, others[k]) && !(others[k] == LINK_BANDWIDTH && discipline_of(c)->rounds))
            return only_elsewhere(s, others[k], others[k] <= PROCESSOR_LINKS ? "torus or mesh"
                                                                             : "torus, mesh or another", f);
    c->radix = usual.radix;
    c->dimensions = usual.dimensions;
    if (refuse_nodes(s, f))
        return -1;
    struct origin o = row_origin(s, VCS), at_path = row_origin(s, PATH), depth = row_origin(s, DEPTH);
    if (c->vcs != 1 && c->vcs != 2 && c->vcs != 4)
        return row_refuse(f, &o, "%s; allowed: a whole number, 1, 2 or 4",
                          row_spell_own(read, &o, s, VCS));
    if (c->path >= FATFLY_GREEDY)
        return row_refuse(f, &at_path, "%s; allowed on a fat-tree: fp, rp, gp, rg, rw",
                          row_spell_own(read, &at_path, s, PATH));
    if (row_given(s, DEPTH) && c->depth == FATFLY_UNBOUNDED)
        return row_refuse(f, &depth, "%s; allowed on a fat-tree: 1 to 16",
                          row_spell_own(read, &depth, s, DEPTH));
    return 0;
}

/* -- other topologies ------------------------------------------------------------------------- */

static bool is_cube(const struct settings *s)
{
    return strcmp(s->topology, "torus") == 0 || strcmp(s->topology, "mesh") == 0;
}

/* The root of nodes, or 0 if it is not whole. */
static unsigned root(uint32_t nodes, unsigned dimensions)
{
    for (unsigned k = 1; k <= TOPOLOGY_MAX_RADIX; k++) {
        uint64_t power = 1;
        for (unsigned d = 0; d < dimensions; d++)
            power *= k;
        if (power == nodes)
            return k;
    }
    return 0;
}

/* Dimensions of so many nodes, or the usual ones if it is no power. */
static unsigned exponent(uint32_t nodes, unsigned radix, unsigned usual)
{
    uint64_t power = radix;
    for (unsigned d = 1; d <= TOPOLOGY_MAX_DIMENSIONS; d++, power *= radix)
        if (power == nodes)
            return d;
    return usual;
}

/* Processors, radix and dimensions, from those of them that were given. */
static int cube_size(struct settings *s, struct fail *f)
{
    struct fatfly_config *c = &s->config, usual;
    struct origin o = row_origin(s, NODES);
    char a[SPELLED], b[SPELLED];

    fatfly_defaults(&usual);
    if (!row_given(s, DIMENSIONS))
        c->dimensions = row_given(s, NODES) && row_given(s, RADIX) ? exponent(c->nodes, c->radix, usual.dimensions)
                                                                   : usual.dimensions;
    if (!row_given(s, RADIX))
        c->radix = row_given(s, NODES) ? root(c->nodes, c->dimensions) : usual.radix;
    if (c->radix == 0)
        return row_refuse(f, &o, "%s with %s; allowed: a power of a radix of 2 to %d",
                          row_spell_own(a, &o, s, NODES), row_spell_own(b, &o, s, DIMENSIONS),
                          TOPOLOGY_MAX_RADIX);
    if (row_given(s, NODES))
        return 0;
    c->nodes = 1;
    for (unsigned d = 0; d < c->dimensions; d++)
        c->nodes *= c->radix; /* 64^4 at most */
    return 0;
}

static int load_graph(struct settings *s, struct fail *f)
{
    const char *file = s->topology + strlen("graph:");
    s->graph = cfgtext_load_most(file, MOST_GRAPH, f);
    if (s->graph && strlen(s->graph) > MOST_GRAPH)
        return fail_at(f, file, 0, "more than %d characters; allowed: at most %d", MOST_GRAPH,
                       MOST_GRAPH);
    s->config.graph = s->graph;
    s->config.graph_name = file;
    return s->graph ? 0 : -1;
}

/* What the library says of "name = value" is said as the user wrote it. */
static int refuse_open(const struct settings *s, const char *why, struct fail *f)
{
    char name[64];
    size_t length = strcspn(why, " ");
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), why);
    int row = settings_find(name);
    struct origin o = row_origin(s, row >= 0 ? (enum row)row : TOPOLOGY);
    if (s->config.graph && strncmp(why, s->config.graph_name, strlen(s->config.graph_name)) == 0)
        return fail(f, EXIT_INPUT, "%s", why);
    if (row >= 0 && !o.file && strncmp(why + length, " = ", 3) == 0)
        return row_refuse(f, &o, "--%s %s", settings_table[row].name, why + length + 3);
    return row_refuse(f, &o, "%s", why);
}

static int other(struct settings *s, struct fail *f)
{
    static const enum row fat_tree_only[] = {FLIT_BITS, SCAN, START, ENGINE, OVERHEAD};
    struct fatfly_config *c = &s->config, usual;
    struct topology t;
    char why[300];
    bool graph = strncmp(s->topology, "graph:", 6) == 0;

    for (unsigned k = 0; fatfly_topology_name(k); k++)
        if (strcmp(s->topology, fatfly_topology_name(k)) == 0 ||
            (graph && strcmp(fatfly_topology_name(k), "graph") == 0))
            c->topology = fatfly_topology_name(k);
    fatfly_defaults_of(&usual, c->topology, c->discipline);
    for (size_t k = 0; k < sizeof fat_tree_only / sizeof *fat_tree_only; k++)
        if (row_given(s, fat_tree_only[k]) && (fat_tree_only[k] != ENGINE || c->engine != FATFLY_AUTO || s->rtl))
            return only_elsewhere(s, fat_tree_only[k], "fat-tree", f);
    for (enum row k = RADIX; k <= PROCESSOR_LINKS && !is_cube(s); k++)
        if (row_given(s, k))
            return only_elsewhere(s, k, "torus or mesh", f);
    if (is_cube(s) ? cube_size(s, f) : graph ? load_graph(s, f) : 0)
        return -1;
    if (!is_cube(s) && !row_given(s, NODES))
        c->nodes = graph ? 0 : usual.nodes;
    if (!row_given(s, PATH))
        c->path = usual.path;
    if (!row_given(s, VCS))
        c->vcs = usual.vcs;
    if (!row_given(s, DEPTH))
        c->depth = usual.depth;
    c->scan = usual.scan;
    if (topology_of(c, &t, why, sizeof why))
        return refuse_open(s, why, f);
    c->nodes = t.processors;
    c->vcs = t.classes * (row_given(s, VCS) || graph ? 1 : traffic_parts(c));
    topology_close(&t);
    return 0;
}

int settings_network(struct settings *s, struct fail *f)
{
    if (!row_given(s, FORCE))
        s->config.force = false;
    s->config.plugin = NULL;
    if (s->plugin[0] && settings_plugin(s, f))
        return -1;
    bool is_other = s->topology[0] && strcmp(s->topology, "fat-tree") != 0;
    return is_other ? other(s, f) : fat_tree(s, f);
}

int settings_deadlock(struct settings *s, struct fail *f)
{
    char why[400];
    struct origin o = row_origin(s, s->plugin[0] ? PLUGIN : row_given(s, PATH) ? PATH : TOPOLOGY);
    if (!s->config.topology || s->config.force)
        return 0;
    switch (fatfly_deadlock_free(&s->config, NULL, NULL, why, sizeof why)) {
    case FATFLY_OK:
        s->config.force = true; /* known to be safe: runs need not ask again */
        return 0;
    case FATFLY_NO_MEMORY:
        return fail(f, EXIT_SYSTEM, "no memory to look for deadlocks");
    case FATFLY_BROKEN:
        return fail(f, EXIT_CHECK, "%s", why);
    default:
        if (s->plugin[0] && strncmp(why, "plugin", 6) == 0)
            return fail_at(f, s->plugin, 0, "%s", why);
        return row_refuse(f, &o, "%s", why);
    }
}
