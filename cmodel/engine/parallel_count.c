/* SPDX-License-Identifier: Apache-2.0
 * parallel_count.c - what a part counts of worms that are under way: samples of its queues, hops.
 *
 * Most worms of a full network stand still.  So the flits in queues are not counted anew for every
 * sample: tally[], held[] and filled[] have them of worms that stand still, inside[0 .. counted - 1],
 * and a sample adds the others.
 */
#include "parallel.h"

void part_tally(struct part *p, uint32_t k, int sign)
{
    const struct piece *w = &p->worm[k];
    const uint32_t *link = p->passenger[k].link;
    uint8_t *tally = p->of->tally;
    unsigned from = w->sent == w->length ? w->tail - 1u : 0;
    bool up;

    for (unsigned q = from; q < w->head && !(w->last >> q & 1); q++) {
        unsigned flits = piece_flits(w, q), level = piece_level(w, q, &up);
        uint8_t *there = &tally[link[q]];
        if (!flits)
            continue;
        p->filled[*there]--;
        *there = (uint8_t)(sign > 0 ? *there + flits : *there - flits);
        p->filled[*there]++;
        p->held[up][level] += sign > 0 ? flits : 0 - (uint64_t)flits;
    }
}

static void swap_inside(struct part *p, uint32_t a, uint32_t b)
{
    uint32_t k = p->inside[a];
    p->inside[a] = p->inside[b];
    p->inside[b] = k;
    p->worm[p->inside[a]].inside = a;
    p->worm[k].inside = b;
}

static uint64_t queues(const struct parallel *e)
{
    return (uint64_t)SWITCH_PORTS * e->switches - 2 * (uint64_t)(e->nodes >> e->params.levels >> 1);
}

/* Flits in every queue at the start of this cycle. */
void part_sample(struct part *p)
{
    struct fatfly_result *r = &p->result;

    for (uint32_t j = p->counted; j < p->inside_count; j++)
        part_tally(p, p->inside[j], 1);
    for (unsigned level = 0; level < p->of->params.levels; level++) {
        r->up[level].occupancy += p->held[true][level];
        r->down[level].occupancy += p->held[false][level];
    }
    for (unsigned flits = 0; flits <= MAX_DEPTH; flits++)
        r->occupied[flits] += p->filled[flits];
    if (p->number == 0) {
        r->occupied[0] += queues(p->of);
        r->samples++;
    }
    for (uint32_t j = p->counted; j < p->inside_count; j++)
        if (p->worm[p->inside[j]].listed)
            part_tally(p, p->inside[j], -1);
        else
            swap_inside(p, j, p->counted++);
}

/* Of an empty network. */
void part_sample_idle(struct part *p, uint64_t to)
{
    if (p->number || !measure_window(&p->m, p->now))
        return;
    uint64_t samples = (to + 63) / 64 - (p->now + 63) / 64;
    p->result.samples += samples;
    p->result.occupied[0] += samples * queues(p->of);
}

/* Hops of the flits that are still under way, those that have left the part by a gate apart. */
uint64_t part_hops_inside(const struct part *p)
{
    uint64_t hops = 0;
    for (uint32_t j = 0; j < p->inside_count; j++) {
        const struct piece *w = &p->worm[p->inside[j]];
        if (w->exit == POOL_NONE)
            hops += (uint64_t)w->got * w->links;
        for (unsigned q = 0; q < w->head; q++)
            hops += (uint64_t)piece_flits(w, q) * (w->base + q + 1u);
    }
    return hops;
}

/* Links of worms under way that their heads have crossed and their tails have not, by the part at the
 * near end. */
void part_count_inside(const struct part *p, struct measure *m)
{
    for (uint32_t j = 0; j < p->inside_count; j++) {
        const struct piece *w = &p->worm[p->inside[j]];
        uint64_t flits = w->got;
        unsigned first = w->entry == POOL_NONE ? 0 : 1;
        for (unsigned q = w->head; q-- > (w->tail > first ? w->tail : first);) {
            bool up;
            unsigned level = piece_level(w, q, &up);
            flits += piece_flits(w, q);
            measure_under_way(m, up, level, flits);
        }
    }
}
