/* SPDX-License-Identifier: Apache-2.0
 * cube_network.c - a k-ary 2-cube of cube_routers, stepped cycle by cycle, or one router of it.
 */
#include "cube_network.h"

#include "network.h"

#include <stdlib.h>

void cube_wire(const struct cube_params *p, uint32_t *to)
{
    unsigned k = p->radix, nodes = k * k;

    for (uint32_t s = 0; s < nodes; s++) {
        for (unsigned q = CUBE_PROCESSOR; q--;) {
            unsigned step = q < 2 ? 1 : k, at = s / step % k, edge = q % 2 ? 0 : k - 1;
            uint32_t t = at != edge ? (q % 2 ? s - step : s + step)
                                    : (q % 2 ? s + (k - 1) * step : s - (k - 1) * step);
            to[CUBE_PORTS * s + q] = p->torus || at != edge ? CUBE_PORTS * t + (q ^ 1)
                                                            : CUBE_PORTS * nodes + nodes;
        }
        to[CUBE_PORTS * s + CUBE_PROCESSOR] = CUBE_PORTS * nodes + s;
    }
}

struct cube_network *cube_network_new(const struct cube_params *p, int node)
{
    struct cube_network *n = calloc(1, sizeof *n);
    size_t mem = cube_router_mem(p);

    if (!n)
        return NULL;
    n->params = *p;
    n->routers = node < 0 ? p->radix * p->radix : 1;
    n->endpoints = node < 0 ? n->routers : CUBE_PORTS;
    size_t links = CUBE_PORTS * n->routers + n->endpoints + 1;
    n->router = calloc(n->routers, sizeof *n->router);
    n->wires = calloc(n->routers, sizeof *n->wires);
    n->link = calloc(links, sizeof *n->link);
    n->room = calloc(links, sizeof *n->room);
    n->to = calloc(CUBE_PORTS * (size_t)n->routers, sizeof *n->to);
    n->enter = calloc(n->endpoints, sizeof *n->enter);
    n->mem = calloc(n->routers * mem + 1, sizeof *n->mem);
    if (!n->router || !n->wires || !n->link || !n->room || !n->to || !n->enter || !n->mem) {
        cube_network_free(n);
        return NULL;
    }
    if (node < 0)
        cube_wire(p, n->to);
    else
        for (unsigned q = 0; q < CUBE_PORTS; q++)
            n->to[q] = CUBE_PORTS + q;
    for (uint32_t e = 0; e < n->endpoints; e++)
        n->enter[e] = node < 0 ? CUBE_PORTS * e + CUBE_PROCESSOR : e;
    for (uint32_t s = 0; s < n->routers; s++)
        cube_router_init(&n->router[s], p, node < 0 ? s : (uint32_t)node, n->mem + s * mem);
    return n;
}

void cube_network_free(struct cube_network *n)
{
    if (!n)
        return;
    free(n->router);
    free(n->wires);
    free(n->link);
    free(n->room);
    free(n->to);
    free(n->enter);
    free(n->mem);
    free(n);
}

static void show_room(struct cube_network *n)
{
    for (uint32_t s = 0; s < n->routers; s++)
        for (unsigned q = 0; q < CUBE_PORTS; q++)
            n->room[CUBE_PORTS * s + q] = cube_router_room(&n->router[s], q);
}

void cube_network_reset(struct cube_network *n, uint32_t seed)
{
    for (uint32_t s = 0; s < n->routers; s++)
        cube_router_reset(&n->router[s], n->routers == 1 ? seed : network_switch_seed(seed, s));
    show_room(n);
}

void cube_network_drive(struct cube_network *n, const struct link *in, const uint16_t *room)
{
    for (uint32_t e = 0; e < n->endpoints; e++) {
        n->link[n->enter[e]] = in[e];
        n->room[CUBE_PORTS * n->routers + e] = room[e];
    }
    for (uint32_t s = 0; s < n->routers; s++) {
        const uint32_t *to = &n->to[CUBE_PORTS * (size_t)s];
        uint16_t far[CUBE_PORTS];
        for (unsigned q = 0; q < CUBE_PORTS; q++)
            far[q] = n->room[to[q]];
        cube_router_eval(&n->router[s], far, &n->wires[s]);
        for (unsigned q = 0; q < CUBE_PORTS; q++)
            n->link[to[q]] = n->wires[s].out[q];
    }
}

void cube_network_tick(struct cube_network *n)
{
    for (uint32_t s = 0; s < n->routers; s++)
        cube_router_tick(&n->router[s], &n->link[CUBE_PORTS * (size_t)s], &n->wires[s]);
    show_room(n);
}

void cube_network_probe(const struct cube_network *n, uint32_t *words)
{
    for (uint32_t s = 0; s < n->routers; s++)
        cube_router_probe(&n->router[s], &n->link[CUBE_PORTS * (size_t)s], &n->wires[s],
                          words + (size_t)s * cube_probe_words(&n->params));
}
