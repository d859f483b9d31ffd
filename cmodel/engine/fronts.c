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

/* Lists of a level: its queues and one more, for each of two cycles; those of children, which alone may climb, once more. */
static size_t listed(uint64_t switches, unsigned levels)
{
    return (size_t)(2 * (uint64_t)(SWITCH_PORTS + SWITCH_CHILDREN) * switches + 4 * (uint64_t)levels);
}

uint64_t fronts_memory(const struct fatfly_config *c)
{
    unsigned levels = tree_levels(c->nodes);
    uint64_t switches = fat_tree_switches(levels);
    return switches * (PLACES * (sizeof(struct front_queue) + 2 * sizeof(uint32_t) + sizeof(uint16_t)) + sizeof(struct lottery)) +
           switches * SWITCH_PORTS * (2 * sizeof(fronts_front) + sizeof(uint32_t)) + listed(switches, levels) * sizeof(fronts_front);
}

static void wire(struct fronts *p, uint32_t seed)
{
    for (unsigned l = 1; l <= p->levels; l++)
        for (uint32_t s = p->base[l]; s < p->base[l + 1]; s++) {
            struct lfsr r;
            lfsr_reset(&r, network_switch_seed(seed, s));
            p->lottery[s].random = r.lfsr_q;
            for (unsigned o = 0; o < (l == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS); o++)
                p->to[PLACES * s + o] = place_of(fat_tree_output(p->levels, l, s - p->base[l], o), p->places / PLACES);
        }
}

static void lists(struct fronts *p)
{
    fronts_front *at = p->listed;
    for (unsigned l = 1; l <= p->levels; l++)
        for (unsigned climbs = 0; climbs < 2; climbs++) {
            struct front_list *list = &p->list[l][climbs];
            uint32_t most = (climbs ? SWITCH_CHILDREN : SWITCH_PORTS) * (p->base[l + 1] - p->base[l]) + 1;
            list->now = list->end = at;
            list->next = list->tail = at + most;
            at += 2 * (size_t)most;
        }
}

/* What start_of() folds: of bits 0, 4; 2, 6; 1, 5; and 3, 7 of the byte that is drawn. */
static void starts(struct fronts *p)
{
    uint32_t masks[JUMPS_SOON];
    for (unsigned i = 0; i < 8; i++) {
        jumps_masks(8 + i, masks, 1);
        for (unsigned k = 0; k < JUMPS_SOON; k++)
            p->start[k][(i & 1) << 1 | (i >> 1 & 1)] |= (uint64_t)masks[k] << 8 * (i & 4);
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
    starts(p);
    p->queue = lines_longer(NULL, 0, p->places, sizeof *p->queue);
    p->to = calloc(p->places, sizeof *p->to);
    p->asked = calloc(p->places, sizeof *p->asked);
    p->parked = calloc(p->places, sizeof *p->parked);
    p->listed = malloc(listed(switches, p->levels) * sizeof *p->listed);
    p->ask = malloc((SWITCH_PORTS * (size_t)switches + 1) * sizeof *p->ask);
    p->rival = malloc((SWITCH_PORTS * (size_t)switches + 1) * sizeof *p->rival);
    p->left = malloc((SWITCH_PORTS * (size_t)switches + 1) * sizeof *p->left);
    p->lottery = calloc(switches, sizeof *p->lottery);
    if (!p->queue || !p->to || !p->asked || !p->parked || !p->listed || !p->ask || !p->rival || !p->left || !p->lottery)
        return false;
    wire(p, (uint32_t)rng_hash(c->seed));
    lists(p);
    return true;
}

void fronts_close(struct fronts *p)
{
    free(p->queue);
    free(p->to);
    free(p->asked);
    free(p->parked);
    free(p->listed);
    free(p->ask);
    free(p->rival);
    free(p->left);
    free(p->lottery);
}

/* -- a cycle ---------------------------------------------------------------------------------- */

/* Rare: inlined, it would take registers from what is not.  By a multiple, which mostly is one jump. */
__attribute__((noinline)) void fronts_move_on(struct fronts *p, struct lottery *t, uint64_t now)
{
    uint64_t most = (now - t->drawn) / JUMPS_SOON * JUMPS_SOON;
    t->random = jumps_after(&p->jumps, t->random, most);
    t->drawn += most;
}

/* Of both halves of two words, in turn: the lower half of each half, folded with the upper one. */
static uint64_t fold(uint64_t x, uint64_t y, unsigned by, uint64_t lower)
{
    return ((x ^ x >> by) & lower) | ((y ^ y << by) & ~lower);
}

/* The port from which the scan starts, by a byte that is drawn: the parities of eight words of 32 bits, all at once. */
static unsigned start_of(struct fronts *p, struct lottery *t, unsigned level, uint64_t now)
{
    const uint64_t *mask = p->start[fronts_gap(p, t, now)];
    uint64_t q = t->random | (uint64_t)t->random << 32;
    uint64_t even = fold(q & mask[0], q & mask[1], 16, UINT64_C(0x0000FFFF0000FFFF));
    uint64_t odd = fold(q & mask[2], q & mask[3], 16, UINT64_C(0x0000FFFF0000FFFF));
    uint64_t byte = fold(even, odd, 8, UINT64_C(0x00FF00FF00FF00FF));

    byte ^= byte >> 4;
    byte ^= byte >> 2;
    byte ^= byte >> 1;
    byte = (byte & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56; /* bit 8 * i to bit 56 + i */
    return heads_start(now, (uint32_t)byte << 8, level == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS);
}

bool fronts_before(struct fronts *p, uint32_t s, unsigned level, unsigned i, unsigned j, uint64_t now)
{
    unsigned start = p->rotates ? start_of(p, &p->lottery[s], level, now) : 0;
    return (i | (unsigned)(i < start) << PLACE_SHIFT) < (j | (unsigned)(j < start) << PLACE_SHIFT);
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
    uint64_t inside = eating;

    for (unsigned l = 1; l <= p->levels; l++)
        for (unsigned up = 0; up < 2; up++) {
            h.level[up][l - up] = p->held[up][l];
            inside += p->held[up][l];
        }
    h.level[0][0] = eating;
    h.holding[2] = p->full;
    h.holding[1] = inside - 2 * p->full;
    h.holding[0] = queues + eaters - h.holding[1] - h.holding[2];
    held_count(&h, r, p->levels, times);
}

void fronts_links(const struct fronts *p, uint32_t *link_worms)
{
    for (uint32_t s = 0; s < p->base[p->levels + 1]; s++)
        for (unsigned i = 0; i < SWITCH_PORTS; i++)
            link_worms[SWITCH_PORTS * s + i] += (uint32_t)(p->queue[PLACES * s + i].crossed / QUEUED);
}
