/* SPDX-License-Identifier: Apache-2.0
 * tree.c - the butterfly fat-tree (GO III.B.1) as a kind of topology.
 */
#include "tree.h"

#include "fat_tree.h"
#include "flit.h"

#include <stdio.h>

static const enum fatfly_path paths[] = {FATFLY_FP, FATFLY_RP, FATFLY_GP, FATFLY_RG, FATFLY_RW, FATFLY_PATHS};

_Static_assert((int)FATFLY_RW == (int)PATH_RW && (int)FATFLY_GREEDY == (int)PATH_COUNT, "paths");
_Static_assert((int)FATFLY_FCFS == (int)SCAN_FCFS && (int)FATFLY_SCANS == (int)SCAN_COUNT, "scans");
_Static_assert(FATFLY_LARGEST_LEVELS < 1 << 4 && 4 * FATFLY_LARGEST_LEVELS + 4 + FATFLY_LARGEST_LEVELS - 1 <= 64,
               "a head of the largest network (head_pack())");
_Static_assert((int)FATFLY_MAX_LEVELS == (int)MAX_LEVELS && (int)FATFLY_MAX_DEPTH == (int)MAX_DEPTH,
               "limits");

unsigned tree_levels(uint32_t nodes)
{
    unsigned n = 1;
    while (n <= FATFLY_LARGEST_LEVELS && fat_tree_nodes(n) != nodes)
        n++;
    return n;
}

void tree_params(const struct fatfly_config *c, struct switch_params *p)
{
    unsigned levels = tree_levels(c->nodes);
    unsigned bits = head_bits(levels, (enum path_select)c->path);

    *p = (struct switch_params){.vcs = c->vcs, .depth = c->depth, .flit_w = c->flit_bits,
                                .path = (enum path_select)c->path,
                                .scan = (enum scan_order)c->scan, .level = 1, .levels = levels};
    if (!p->flit_w)
        p->flit_w = bits <= 32 ? 32 : 64;
}

static int open_tree(struct topology *t, char *why, size_t size)
{
    uint32_t nodes = t->params.processors;
    unsigned vcs = t->params.classes;

    t->levels = tree_levels(nodes);
    if (t->levels > FATFLY_LARGEST_LEVELS) {
        snprintf(why, size, "nodes = %u; allowed: 4^n for n = 1 to 12: 4, 16, 64, 256, 1024, "
                 "4096, 16384, 65536, 262144, 1048576, 4194304, 16777216", nodes);
        return -1;
    }
    if (vcs != 1 && vcs != 2 && vcs != 4) {
        snprintf(why, size, "vcs = %u; allowed: 1, 2 or 4", vcs);
        return -1;
    }
    t->processors = nodes;
    t->nodes = fat_tree_switches(t->levels) + nodes;
    t->links = SWITCH_PORTS * fat_tree_switches(t->levels) + nodes;
    t->ports = SWITCH_PORTS;
    t->classes = vcs;
    t->chain = 2 * t->levels; /* fat_tree_rank() of tb/unit/test_dependency.c */
    return 0;
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    uint32_t switches = t->nodes - t->processors, a;
    unsigned l;

    if (node >= switches)
        return port == 0 ? (node - switches) / SWITCH_CHILDREN : TOPOLOGY_NONE;
    fat_tree_place(t->levels, node, &l, &a);
    if (port >= SWITCH_CHILDREN)
        return l < t->levels ? fat_tree_base(t->levels, l + 1) +
                                   fat_tree_parent(l, a, port - SWITCH_CHILDREN) : TOPOLOGY_NONE;
    return l == 1 ? switches + SWITCH_CHILDREN * a + port
                  : fat_tree_base(t->levels, l - 1) + fat_tree_child_at(l, a, port);
}

static uint32_t number(const struct topology *t, uint32_t node, unsigned port)
{
    uint32_t switches = t->nodes - t->processors, to = far(t, node, port), a;
    unsigned l;

    if (node >= switches)
        return SWITCH_PORTS * to + (node - switches) % SWITCH_CHILDREN;
    if (to >= switches)
        return SWITCH_PORTS * switches + to - switches;
    fat_tree_place(t->levels, node, &l, &a);
    if (port >= SWITCH_CHILDREN)
        return SWITCH_PORTS * to + fat_tree_child(l, a);
    uint32_t below = to - fat_tree_base(t->levels, l - 1);
    return SWITCH_PORTS * to + SWITCH_CHILDREN + (fat_tree_parent(l - 1, below, 0) != a);
}

struct fatfly_link fatfly_link_at(uint32_t nodes, uint32_t k)
{
    unsigned levels = tree_levels(nodes), l;
    uint32_t switches = fat_tree_switches(levels);
    struct fatfly_link link = {.exists = true};

    if (levels > FATFLY_LARGEST_LEVELS || k >= SWITCH_PORTS * switches + nodes)
        return (struct fatfly_link){.exists = false};
    if (k >= SWITCH_PORTS * switches) { /* to a processor */
        link.lower = k - SWITCH_PORTS * switches;
        link.upper = link.lower / SWITCH_CHILDREN;
        return link;
    }
    unsigned port = k % SWITCH_PORTS;
    fat_tree_place(levels, k / SWITCH_PORTS, &l, &link.upper);
    if (port >= SWITCH_CHILDREN) { /* down from a parent */
        link.exists = l < levels;
        link.level = l;
        link.lower = link.upper;
        link.upper = link.exists ? fat_tree_parent(l, link.lower, port - SWITCH_CHILDREN) : 0;
        return link;
    }
    link.up = true;
    link.level = l - 1;
    link.lower = l == 1 ? SWITCH_CHILDREN * link.upper + port : fat_tree_child_at(l, link.upper, port);
    return link;
}

static struct topology_link link_at(const struct topology *t, uint32_t k)
{
    struct fatfly_link l = fatfly_link_at(t->processors, k);
    uint32_t upper = fat_tree_base(t->levels, l.level + 1) + l.upper;
    uint32_t lower = l.level ? fat_tree_base(t->levels, l.level) + l.lower
                             : t->nodes - t->processors + l.lower;

    if (!l.exists)
        return (struct topology_link){TOPOLOGY_NONE, TOPOLOGY_NONE, 0};
    return (struct topology_link){l.up ? lower : upper, l.up ? upper : lower, 2 * l.level + !l.up};
}

static unsigned group(const struct topology *t, uint32_t node, unsigned port)
{
    return link_at(t, number(t, node, port)).group;
}

static uint32_t terminal(const struct topology *t, uint32_t a)
{
    return t->nodes - t->processors + a;
}

/* Up, to any parent or the one that the worm names, until below the switch is where it goes. */
static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    uint8_t high = (uint8_t)(t->classes - 1);
    unsigned l, first = 0, count = 1;
    uint32_t a;

    if (at->node == terminal(t, dst))
        return 0;
    if (at->node < t->nodes - t->processors) {
        fat_tree_place(t->levels, at->node, &l, &a);
        if (dst >> 2 * l == a >> (l - 1)) {
            first = dst >> 2 * (l - 1) & 3;
        } else {
            count = t->path == FATFLY_FP ? 1 : 2;
            first = SWITCH_CHILDREN + (t->path == FATFLY_FP ? at->parents >> (l - 1) & 1 : 0);
        }
    }
    for (unsigned k = 0; k < count; k++)
        choice[k] = (struct topology_choice){(uint8_t)(first + k), 0, high};
    return count;
}

const struct topology_kind topology_fat_tree = {
    .name = "fat-tree", .paths = paths, .bounded = true, .open = open_tree, .far = far,
    .number = number, .link = link_at, .enter = terminal, .leave = terminal, .group = group,
    .route = route};
