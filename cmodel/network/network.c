/* SPDX-License-Identifier: Apache-2.0
 * network.c - a butterfly fat-tree of fat_switches, stepped cycle by cycle.
 */
#include "network.h"

#include "fat_tree.h"

#include <stdlib.h>
#include <string.h>

size_t network_bytes(const struct switch_params *p)
{
    size_t switches = fat_tree_switches(p->levels);
    size_t links = SWITCH_PORTS * switches + fat_tree_nodes(p->levels);
    return sizeof(struct network) +
           switches * (sizeof(struct fat_switch) + sizeof(struct switch_wires) + 2 +
                       SWITCH_PORTS * sizeof(uint32_t) + switch_mem(p) * sizeof(struct flit)) +
           links * (sizeof(struct link) + 1 + sizeof(uint32_t));
}

uint32_t network_switch_seed(uint32_t seed, uint32_t s)
{
    uint32_t h = (s + 1) * 0x9E3779B1u;
    h = (h ^ h >> 16) * 0x85EBCA6Bu;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return seed ^ h ^ h >> 16;
}

struct network *network_new(const struct switch_params *p)
{
    struct network *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->params = *p;
    n->nodes = fat_tree_nodes(p->levels);
    n->switches = fat_tree_switches(p->levels);

    size_t links = (size_t)SWITCH_PORTS * n->switches + n->nodes;
    size_t mem = switch_mem(p);
    n->sw = calloc(n->switches, sizeof *n->sw);
    n->wires = calloc(n->switches, sizeof *n->wires);
    n->link = calloc(links, sizeof *n->link);
    n->room = calloc(links, sizeof *n->room);
    n->to = calloc((size_t)SWITCH_PORTS * n->switches, sizeof *n->to);
    n->mem = calloc(n->switches * mem + 1, sizeof *n->mem);
    n->driven = calloc(links, sizeof *n->driven);
    n->clean = calloc(n->switches, sizeof *n->clean);
    n->reached = calloc(n->switches, sizeof *n->reached);
    if (!n->sw || !n->wires || !n->link || !n->room || !n->to || !n->mem || !n->driven || !n->clean ||
        !n->reached) {
        network_free(n);
        return NULL;
    }
    fat_tree_wire(p->levels, n->to);
    for (uint32_t s = 0; s < n->switches; s++) {
        struct switch_params mine = *p;
        uint32_t a;
        fat_tree_place(p->levels, s, &mine.level, &a);
        switch_init(&n->sw[s], &mine, n->mem + s * mem);
    }
    network_reset(n, 1);
    return n;
}

void network_free(struct network *n)
{
    if (!n)
        return;
    free(n->sw);
    free(n->wires);
    free(n->link);
    free(n->room);
    free(n->to);
    free(n->mem);
    free(n->driven);
    free(n->clean);
    free(n->reached);
    free(n);
}

void network_reset(struct network *n, uint32_t seed)
{
    for (uint32_t s = 0; s < n->switches; s++) {
        struct fat_switch *sw = &n->sw[s];
        switch_reset(sw, network_switch_seed(seed, s));
        for (unsigned p = sw->ports; p-- > 0;)
            n->room[SWITCH_PORTS * s + p] = port_room(&sw->port[p], &sw->params);
    }
}

void network_drive(struct network *n, const struct link *in, const uint8_t *room)
{
    memcpy(&n->room[SWITCH_PORTS * (size_t)n->switches], room, n->nodes);
    while (n->driven_count > 0)
        n->link[n->driven[--n->driven_count]] = (struct link){.valid = 0};
    memset(n->reached, false, n->switches * sizeof *n->reached);
    for (uint32_t a = 0; a < n->nodes; a++)
        if (in[a].valid) {
            uint32_t k = SWITCH_PORTS * (a >> 2) + (a & 3);
            n->link[k] = in[a];
            n->driven[n->driven_count++] = k;
            n->reached[a >> 2] = true;
        }
}

void network_eval(struct network *n)
{
    for (uint32_t s = 0; s < n->switches; s++) {
        const struct fat_switch *sw = &n->sw[s];
        struct switch_wires *w = &n->wires[s];
        const uint32_t *to = &n->to[SWITCH_PORTS * (size_t)s];
        uint8_t room[SWITCH_PORTS];

        if (switch_idle(sw)) {
            if (!n->clean[s]) {
                switch_eval(sw, room, w); /* reads no room: nothing waits */
                n->clean[s] = true;
            }
            continue;
        }
        n->clean[s] = false;
        for (unsigned o = 0; o < sw->ports; o++)
            room[o] = n->room[to[o]];
        switch_eval(sw, room, w);
        for (unsigned rest = w->sent; rest; rest &= rest - 1) {
            unsigned o = (unsigned)__builtin_ctz(rest);
            n->link[to[o]] = w->out[o];
            n->driven[n->driven_count++] = to[o];
            if (to[o] < SWITCH_PORTS * n->switches)
                n->reached[to[o] / SWITCH_PORTS] = true;
        }
    }
}

void network_tick(struct network *n)
{
    for (uint32_t s = 0; s < n->switches; s++) {
        struct fat_switch *sw = &n->sw[s];
        const struct switch_wires *w = &n->wires[s];
        const struct link *in = &n->link[SWITCH_PORTS * (size_t)s];
        if (n->clean[s] && !n->reached[s]) {
            switch_tick_idle(sw);
            continue;
        }
        switch_tick(sw, in, w);
        for (unsigned p = 0; p < sw->ports; p++)
            if (in[p].valid || w->gnt[p])
                n->room[SWITCH_PORTS * s + p] = port_room(&sw->port[p], &sw->params);
    }
}

void network_probe(const struct network *n, uint32_t *words)
{
    size_t each = switch_probe_words(&n->params);
    for (uint32_t s = 0; s < n->switches; s++)
        switch_probe(&n->sw[s], &n->link[SWITCH_PORTS * (size_t)s], &n->wires[s], words + (size_t)s * each);
}

const char *network_check(const struct network *n, uint32_t *at)
{
    const unsigned vcs = n->params.vcs, depth = n->params.depth;
    uint32_t flits = 0;

    for (uint32_t s = 0; s < n->switches; s++) {
        const struct fat_switch *sw = &n->sw[s];
        const struct link *in = &n->link[SWITCH_PORTS * (size_t)s];
        const uint8_t *room = &n->room[SWITCH_PORTS * (size_t)s];
        bool reached = false;
        *at = s;
        const char *wrong = switch_check(sw);
        if (!wrong)
            wrong = switch_check_wires(sw, &n->wires[s]);
        if (wrong)
            return wrong;
        const uint32_t *to = &n->to[SWITCH_PORTS * (size_t)s];
        if (!to[0] || !to[SWITCH_CHILDREN] != (sw->ports == SWITCH_CHILDREN))
            return "a switch that leads nowhere, or a root that has a parent";
        if (n->clean[s] != switch_idle(sw))
            return "the network takes an idle switch for a busy one, or the other way round";
        for (unsigned p = 0; p < sw->ports; p++) {
            reached |= in[p].valid != 0;
            flits += in[p].valid != 0;
            if (room[p] != (vcs == 1 ? fifo_room(&sw->port[p].fifo[0], depth) : port_room(&sw->port[p], &sw->params)))
                return "the room that the network knows of is not the port's";
        }
        if (n->reached[s] != reached)
            return "the network is wrong about a flit that arrives at this switch, or none";
    }
    for (uint32_t a = 0; a < n->nodes; a++)
        flits += network_exit(n, a)->valid != 0;
    return flits == n->driven_count ? NULL : "the list of links with a flit is too long or too short";
}
