/* SPDX-License-Identifier: Apache-2.0
 * worm_open.c - the fast engine's memory and wires, of a whole network or a part of one.
 */
#include "worm_state.h"

#include "fat_tree.h"
#include "lines.h"
#include "network.h"
#include "place.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>

enum {
    FEWEST = 256,    /* worms that there is room for */
    LARGE = 1 << 14, /* processors */
    LARGER = 1 << 16,
};

/* -- worms ------------------------------------------------------------------------------------ */

/* Worms of one of so many parts: those that begin there, and a quarter for others that come. */
static uint64_t share_of_worms(const struct fatfly_config *c, const struct topology *t, unsigned parts)
{
    uint64_t worms = measure_worms(t, c) / parts;
    return parts > 1 ? worms * 5 / 4 : worms;
}

/* Worms that there is room for at first: of a static run all that it has. */
static uint32_t first_worms(const struct fatfly_config *c, const struct topology *t, unsigned parts)
{
    uint64_t worms = share_of_worms(c, t, parts);
    return c->load <= 0 && c->pattern != FATFLY_MESSAGES && worms > FEWEST && worms < NONE / 4 ? (uint32_t)worms : FEWEST;
}

/* Twice as many; where that is much memory half as many again. */
static uint64_t longer(uint64_t count)
{
    return count < 1 << 18 ? 2 * count : count + count / 2;
}

/* More, or the first ones. */
static bool more_worms(struct state *e)
{
    uint32_t was = e->pool.count;
    uint32_t count = was ? (uint32_t)longer(was) : e->run.fed ? FEWEST : first_worms(e->run.config, e->run.topology, e->parts);
    struct worm *worm = was < NONE / 4 ? lines_longer(e->worm, was, count, sizeof *worm) : NULL;
    struct passenger *passenger = worm ? lines_longer(e->passenger, was, count, sizeof *passenger) : NULL;

    e->worm = worm ? worm : e->worm;
    e->passenger = passenger ? passenger : e->passenger;
    if (!passenger || !lengthen(&e->active, count) || !lengthen(&e->tails, count) || /* none holds more than all */
        !lengthen(&e->heads, count) || !lengthen(&e->inside, count))
        return false;
    for (uint32_t k = was; k < count; k++)
        worm[k].next = k + 1 < count ? k + 1 : NONE;
    e->pool = (struct pool){.count = count, .unused = was};
    return true;
}

uint32_t worm_take(struct state *e)
{
    if (e->pool.unused == NONE && !more_worms(e))
        return NONE;
    uint32_t k = e->pool.unused;
    e->pool.unused = e->worm[k].next;
    return k;
}

uint64_t worm_memory(const struct fatfly_config *c, const struct topology *t, unsigned parts)
{
    uint64_t switches = c->nodes / 2 / parts, nodes = c->nodes / parts;
    uint64_t worms = share_of_worms(c, t, parts);
    uint64_t places = first_worms(c, t, parts);
    while (places < worms)
        places = longer(places);
    return places * (sizeof(struct worm) + sizeof(struct passenger) + 16) +
           switches * (sizeof(struct node) + 8 + PLACES) +
           nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + 8) +
           sizeof(struct state);
}

/* -- wires ------------------------------------------------------------------------------------ */

/* Switches of a level. */
static uint32_t level_size(const struct state *e, unsigned l)
{
    return e->nodes >> (l + 1);
}

/* The part that owns switch a of a level. */
static unsigned owner(const struct state *e, unsigned l, uint32_t a)
{
    return a / (level_size(e, l) / e->parts);
}

/* The part at the end of the link that leaves a switch of level l by output o; this one for a processor. */
static unsigned part_behind(const struct state *e, unsigned l, unsigned o, uint32_t link)
{
    unsigned levels = e->params.levels, other = o < SWITCH_CHILDREN ? l - 1 : l + 1;
    if (other == 0 || other > levels)
        return e->part;
    return owner(e, other, link / SWITCH_PORTS - fat_tree_base(levels, other));
}

static void wire_switch(struct state *e, unsigned l, uint32_t a, uint32_t seed)
{
    unsigned levels = e->params.levels;
    uint32_t s = fat_tree_base(levels, l) + a;
    struct node *n = &e->node[s];
    struct lfsr r;

    n->ports = l == levels ? SWITCH_CHILDREN : SWITCH_PORTS;
    n->open = (uint8_t)((1u << n->ports) - 1);
    lfsr_reset(&r, network_switch_seed(seed, s));
    n->lfsr_q = r.lfsr_q;
    e->queues += n->ports;
    for (unsigned o = 0; o < SWITCH_PORTS; o++) {
        uint32_t link = o < n->ports ? fat_tree_output(levels, l, a, o) : 0, place = place_of(link, e->switches);
        unsigned part = part_behind(e, l, o, link);
        n->to[o] = part == e->part ? place : (uint32_t)GATE | e->gates;
        n->last[o] = NONE;
        if (part != e->part)
            e->gate[e->gates++] = (struct gate){.at = PLACES * s + o, .link = place, .part = part,
                                                .room = (uint8_t)e->params.depth};
    }
}

/* Most gates that a part has: of levels whose subtrees are not whole, all ports. */
static uint32_t most_gates(const struct state *e)
{
    uint32_t gates = 0;
    for (unsigned l = 1; l <= e->params.levels && e->parts > 1; l++)
        if (e->nodes >> 2 * l < e->parts || (l < e->params.levels && e->nodes >> 2 * (l + 1) < e->parts))
            gates += SWITCH_PORTS * (level_size(e, l) / e->parts);
    return gates;
}

static void wire(struct state *e)
{
    uint32_t seed = (uint32_t)rng_hash(e->run.config->seed), nodes = e->nodes / e->parts;

    for (unsigned l = 1; l <= e->params.levels; l++)
        for (uint32_t size = level_size(e, l) / e->parts, a = e->part * size; a < (e->part + 1) * size; a++)
            wire_switch(e, l, a, seed);
    for (uint32_t a = e->part * nodes; a < (e->part + 1) * nodes; a++)
        e->source[a].first = NONE;
}

int worm_open(struct state *e, unsigned part, unsigned parts)
{
    struct switch_params *p = &e->params;

    tree_params(e->run.config, p);
    e->nodes = fat_tree_nodes(p->levels);
    e->switches = fat_tree_switches(p->levels);
    e->mask = flit_mask(p->flit_w);
    e->random = p->scan == SCAN_RR || p->scan == SCAN_FF || p->path == PATH_RP || p->path == PATH_RG ||
                p->path == PATH_RW;
    e->pool.unused = NONE;
    e->part = part;
    e->parts = parts;
    e->large = e->nodes >= LARGE;
    e->larger = e->nodes >= LARGER;
    stream_open(&e->wheel);
    uint32_t gates = most_gates(e);
    e->awake.item = calloc(e->switches / parts + 1, sizeof *e->awake.item);
    e->ready.item = calloc(e->nodes / parts, sizeof *e->ready.item);
    e->gate = gates ? calloc(gates, sizeof *e->gate) : NULL;
    if (!e->node || !e->source || !e->tally || !e->awake.item || !e->ready.item || (gates && !e->gate))
        return FATFLY_NO_MEMORY;
    wire(e);
    return FATFLY_OK;
}

void worm_close(struct state *e)
{
    struct list *const lists[] = {&e->active, &e->awake, &e->ready, &e->tails, &e->heads, &e->inside};
    for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++)
        free(lists[k]->item);
    free(e->worm);
    free(e->passenger);
    free(e->gate);
}
