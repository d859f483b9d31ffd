/* SPDX-License-Identifier: Apache-2.0
 * worm_count.c - what the fast engine counts of worms that are under way: samples of queues, hops.
 *
 * Most worms of a full network stand still, and those that sleep keep their flits where they are.  So the flits in
 * queues are not counted anew for every sample: tally[], held[] and filled[] have them of worms that stood still at
 * the last one and have not moved since, inside[0 .. counted - 1], and a sample adds the others.
 */
#include "worm_state.h"

/* Worm k counts (sign 1), or not any more (-1).  planes is a constant (trail.h). */
TRAIL_INLINE void tally_planes(struct state *e, uint32_t k, int sign, unsigned planes)
{
    const struct worm *w = &e->worm[k];
    const uint32_t *link = e->passenger[k].link;
    uint32_t some = w->plane[0] | w->plane[1];

    for (unsigned b = 2; b < planes; b++)
        some |= w->plane[b];
    for (; some; some &= some - 1) {
        unsigned p = (unsigned)__builtin_ctz(some), flits = trail_flits(w->plane, p, planes);
        bool up = p < w->links / 2u;
        uint8_t *there = &e->tally[link[p]];
        e->filled[*there]--;
        *there = (uint8_t)(sign > 0 ? *there + flits : *there - flits);
        e->filled[*there]++;
        e->held[up][up ? p : w->links - 1u - p] += sign > 0 ? flits : 0 - (uint64_t)flits;
    }
}

static void tally(struct state *e, uint32_t k, int sign)
{
    if (e->params.depth <= 3)
        tally_planes(e, k, sign, 2);
    else
        tally_planes(e, k, sign, WORM_PLANES);
}

static void swap_inside(struct state *e, uint32_t a, uint32_t b)
{
    uint32_t k = e->inside.item[a];
    e->inside.item[a] = e->inside.item[b];
    e->inside.item[b] = k;
    e->worm[e->inside.item[a]].inside = a;
    e->worm[k].inside = b;
}

void worm_uncount(struct state *e, uint32_t k)
{
    tally(e, k, -1);
    swap_inside(e, e->worm[k].inside, --e->counted);
}

/* The roots have none for their parents. */
uint64_t worm_queues(const struct state *e)
{
    return (uint64_t)SWITCH_PORTS * e->switches - 2 * (uint64_t)(e->nodes >> e->params.levels >> 1);
}

void worm_sample(struct state *e)
{
    struct fatfly_result *r = e->run.m.result;

    for (uint32_t j = e->counted; j < e->inside.count; j++)
        tally(e, e->inside.item[j], 1);
    for (unsigned level = 0; level < e->params.levels; level++) {
        r->up[level].occupancy += e->held[true][level];
        r->down[level].occupancy += e->held[false][level];
    }
    for (unsigned flits = 0; flits <= MAX_DEPTH; flits++)
        r->occupied[flits] += e->filled[flits];
    r->occupied[0] += worm_queues(e);
    r->samples++;
    for (uint32_t j = e->counted; j < e->inside.count; j++)
        if (e->worm[e->inside.item[j]].listed)
            tally(e, e->inside.item[j], -1);
        else
            swap_inside(e, j, e->counted++);
}

uint64_t worm_hops_inside(const struct state *e)
{
    uint64_t hops = 0;
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        hops += (uint64_t)w->got * w->links;
        for (unsigned p = 0; p < w->links; p++)
            hops += (uint64_t)own_flits(e, w, p) * (p + 1);
    }
    return hops;
}

void worm_count_inside(struct state *e)
{
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        uint64_t flits = w->got;
        for (unsigned p = w->links; p-- > w->tail;) {
            bool up = p < w->links / 2u;
            flits += own_flits(e, w, p);
            measure_under_way(&e->run.m, up, up ? p : w->links - 1u - p, flits);
        }
    }
}
