/* SPDX-License-Identifier: Apache-2.0
 * hypercube.c - binary n-cubes of up to 2^16 processors (BC 1: Ncube's).
 *
 * Link d of a node leads to the node whose bit d differs; a link is up if that bit becomes 1.
 */
#include "topology.h"

#include <stdio.h>

static const enum fatfly_path paths[] = {FATFLY_E_CUBE, FATFLY_NEGATIVE_HOP, FATFLY_MINIMAL_ADAPTIVE, FATFLY_PATHS};
static const enum fatfly_path any_channel[] = {FATFLY_E_CUBE, FATFLY_MINIMAL_ADAPTIVE, FATFLY_PATHS};

static int open_hypercube(struct topology *t, char *why, size_t size)
{
    unsigned n = 1;
    while (n < TOPOLOGY_MAX_PORTS && UINT32_C(1) << n < t->params.processors)
        n++;
    if (UINT32_C(1) << n != t->params.processors) {
        snprintf(why, size, "nodes = %u; allowed: 2^n for n = 1 to %d", t->params.processors,
                 TOPOLOGY_MAX_PORTS);
        return -1;
    }
    unsigned need = t->path == FATFLY_NEGATIVE_HOP ? (n + 1) / 2 + 1 : 1, have = t->params.classes;
    if (have > TOPOLOGY_MAX_CLASSES || (have && have < need)) {
        snprintf(why, size, "vcs = %u; allowed: path = %s takes %u to %d", have, fatfly_path_names[t->path], need,
                 TOPOLOGY_MAX_CLASSES);
        return -1;
    }
    t->nodes = t->processors = t->params.processors;
    t->ports = n;
    t->classes = have ? have : need;
    t->chain = t->path == FATFLY_E_CUBE ? n : 0; /* dimension after dimension, whatever the channels */
    return 0;
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    (void)t;
    return node ^ UINT32_C(1) << port;
}

static unsigned group(const struct topology *t, uint32_t node, unsigned port)
{
    (void)t;
    return 2 * port + (node >> port & 1);
}

/* e-cube: the lowest bit that differs; else all of them.  Negative-hop counts hops from nodes with
 * an odd number of ones (BC 2). */
static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    uint32_t differ = at->node ^ dst;
    uint8_t low = 0, high = (uint8_t)(t->classes - 1);
    unsigned count = 0;

    if (t->path == FATFLY_NEGATIVE_HOP && at->from != TOPOLOGY_NONE)
        low = (uint8_t)(at->class + (unsigned)__builtin_parity(at->from));
    if (t->path == FATFLY_NEGATIVE_HOP)
        high = low;
    for (unsigned port = 0; port < t->ports; port++)
        if (differ >> port & 1 && !(t->path == FATFLY_E_CUBE && count))
            choice[count++] = (struct topology_choice){(uint8_t)port, low, high};
    return count;
}

const struct topology_kind topology_hypercube = {.name = "hypercube", .paths = paths, .any = any_channel,
                                                 .open = open_hypercube, .far = far,
                                                 .group = group, .route = route};
