/* SPDX-License-Identifier: Apache-2.0
 * fronts.c - flits that each ask for themselves: opening, who comes first, and what is counted at the end.
 */
#include "fronts.h"

#include "fat_tree.h"
#include "lines.h"
#include "network.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>

bool fronts_can(const struct fatfly_config *c, const struct topology *t)
{
    bool scan = (c->scan == FATFLY_RR && c->start == FATFLY_ANY) || c->scan == FATFLY_FO;
    return t->levels && c->vcs == 1 && c->depth == 2 && c->path == FATFLY_RP && scan && !c->plugin;
}

/* -- memory ----------------------------------------------------------------------------------- */

/* Lists of a level: its queues, for each of two cycles; those of children, which alone may climb, once more. */
static size_t listed(uint64_t switches)
{
    return (size_t)(2 * (uint64_t)(SWITCH_PORTS + SWITCH_CHILDREN) * switches);
}

uint64_t fronts_memory(const struct fatfly_config *c)
{
    uint64_t switches = fat_tree_switches(tree_levels(c->nodes));
    return switches * (PLACES * (sizeof(struct queue_port) + sizeof(uint32_t) + 2 * sizeof(uint16_t)) + sizeof(struct lottery) + SWITCH_PORTS * sizeof(fronts_front)) +
           listed(switches) * sizeof(fronts_front);
}

static void wire(struct fronts *p, uint32_t seed)
{
    for (unsigned l = 1; l <= p->levels; l++)
        for (uint32_t s = p->base[l]; s < p->base[l + 1]; s++) {
            struct lfsr r;
            lfsr_reset(&r, network_switch_seed(seed, s));
            p->lottery[s].random = r.lfsr_q;
            for (unsigned o = 0; o < (l == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS); o++) {
                uint32_t to = place_of(fat_tree_output(p->levels, l, s - p->base[l], o), p->places / PLACES);
                p->port[PLACES * s + o].to = to;
                if (to < p->places)
                    p->port[to].from = PLACES * s + o;
            }
        }
}

static void lists(struct fronts *p)
{
    fronts_front *at = p->listed;
    for (unsigned l = 1; l <= p->levels; l++)
        for (unsigned climbs = 0; climbs < 2; climbs++) {
            struct front_list *list = &p->list[l][climbs];
            uint32_t most = (climbs ? SWITCH_CHILDREN : SWITCH_PORTS) * (p->base[l + 1] - p->base[l]);
            list->now = list->end = at;
            list->next = list->tail = at + most;
            at += 2 * (size_t)most;
        }
}

bool fronts_open(struct fronts *p, const struct fatfly_config *c)
{
    p->levels = tree_levels(c->nodes);
    p->nodes = c->nodes;
    p->rotates = c->scan == FATFLY_RR;
    for (unsigned l = 1; l <= p->levels + 1; l++)
        p->base[l] = fat_tree_base(p->levels, l);
    uint32_t switches = p->base[p->levels + 1];
    p->places = PLACES * switches;
    for (unsigned i = 0; i < SWITCH_CHILDREN; i++)
        jumps_masks(16 + i, &p->bit[0][i], SWITCH_CHILDREN);
    p->port = lines_longer(NULL, 0, p->places, sizeof *p->port);
    p->count = calloc(p->places, sizeof *p->count);
    p->asked = calloc(p->places, sizeof *p->asked);
    p->parked = calloc(p->places, sizeof *p->parked);
    p->listed = malloc(listed(switches) * sizeof *p->listed);
    p->ask = malloc(SWITCH_PORTS * (size_t)switches * sizeof *p->ask);
    p->lottery = calloc(switches, sizeof *p->lottery);
    if (!p->port || !p->count || !p->asked || !p->parked || !p->listed || !p->ask || !p->lottery)
        return false;
    wire(p, (uint32_t)rng_hash(c->seed));
    lists(p);
    return true;
}

void fronts_close(struct fronts *p)
{
    free(p->port);
    free(p->count);
    free(p->asked);
    free(p->parked);
    free(p->listed);
    free(p->ask);
    free(p->lottery);
}

/* -- a cycle ---------------------------------------------------------------------------------- */

bool fronts_before(struct fronts *p, uint32_t s, unsigned level, unsigned i, unsigned j, uint64_t now)
{
    struct lottery *t = &p->lottery[s];
    unsigned start = 0;

    if (p->rotates) {
        t->random = jumps_after(&p->jumps, t->random, now - t->drawn);
        t->drawn = now;
        start = heads_start(now, t->random, level == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS);
    }
    return (i < start) == (j < start) ? i < j : j < start;
}

bool fronts_turn(struct fronts *p)
{
    bool none = true;
    for (unsigned l = 1; l <= p->levels; l++)
        for (unsigned climbs = 0; climbs < 2; climbs++) {
            struct front_list *list = &p->list[l][climbs];
            fronts_front *now = list->now;
            list->now = list->next;
            list->end = list->tail;
            list->next = list->tail = now;
            none &= list->now == list->end;
        }
    p->asks = 0;
    return none;
}

/* -- what is counted -------------------------------------------------------------------------- */

void fronts_sample(const struct fronts *p, struct run *r, uint64_t times, uint32_t eating, uint32_t eaters)
{
    struct held h = {.holding = {0}};
    uint64_t queues = SWITCH_PORTS * (uint64_t)p->base[p->levels + 1] - 2 * (uint64_t)(p->base[p->levels + 1] - p->base[p->levels]);

    for (unsigned l = 1; l <= p->levels; l++)
        for (uint32_t place = PLACES * p->base[l]; place < PLACES * p->base[l + 1]; place++) {
            unsigned count = p->count[place], up = place % PLACES < SWITCH_CHILDREN;
            h.level[up][l - up] += count;
            h.holding[count]++;
        }
    h.level[0][0] += eating;
    h.holding[1] += eating;
    h.holding[0] = queues + eaters - h.holding[1] - h.holding[2];
    held_count(&h, r, p->levels, times);
}

void fronts_links(const struct fronts *p, uint32_t *link_worms)
{
    for (unsigned l = 1; l <= p->levels; l++)
        for (uint32_t s = p->base[l]; s < p->base[l + 1]; s++)
            for (unsigned o = 0; o < (l == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS); o++)
                link_worms[fat_tree_output(p->levels, l, s - p->base[l], o)] += p->port[PLACES * s + o].crossed;
}
