/* SPDX-License-Identifier: Apache-2.0
 * worm_count.c - what the fast engine counts of worms that are under way: samples of queues, hops.
 *
 * Most worms of a full network stand still, and those that sleep keep their flits where they are.  So the flits in
 * queues are not counted anew for every sample: tally[], held[] and filled[] have them of worms that stood still at
 * the last one and have not moved since, inside[0 .. counted - 1]; a sample adds the others to its result alone.
 */
#include "worm_fetch.h"

enum { LONG_SLEEP = 128 }; /* cycles, two samples */

/* Links behind which flits of the worm wait. */
TRAIL_INLINE uint32_t taken(const struct worm *w, unsigned planes)
{
    uint32_t some = w->plane[0] | w->plane[1];
    for (unsigned b = 2; b < planes; b++)
        some |= w->plane[b];
    return some;
}

/* Worm k counts in the queues where it has flits (sign 1), or not any more (-1): in filled[] and held[] if it stays, or
 * in this sample alone.  sign, stays and planes are constants (trail.h). */
TRAIL_INLINE void tally_planes(struct state *e, uint32_t k, int sign, bool stays, unsigned planes)
{
    struct fatfly_result *r = e->run.m.result;
    const struct worm *w = &e->worm[k];
    const uint32_t *link = e->passenger[k].link;
    uint64_t *filled = stays ? e->filled : r->occupied;

    for (uint32_t rest = taken(w, planes); rest; rest &= rest - 1) {
        unsigned p = (unsigned)__builtin_ctz(rest), flits = trail_flits(w->plane, p, planes);
        bool up = p < w->links / 2u;
        unsigned level = up ? p : w->links - 1u - p;
        uint8_t *there = &e->tally[link[p]];
        filled[*there]--;
        *there = (uint8_t)(sign > 0 ? *there + flits : *there - flits);
        filled[*there]++;
        *(stays ? &e->held[up][level] : &measure_level(&e->run.m, up, level)->occupancy) +=
            sign > 0 ? flits : 0 - (uint64_t)flits;
    }
}

/* Worm k, of this sample alone, leaves the queues. */
TRAIL_INLINE void clear_planes(struct state *e, uint32_t k, unsigned planes)
{
    const struct worm *w = &e->worm[k];
    for (uint32_t rest = taken(w, planes); rest; rest &= rest - 1) {
        unsigned p = (unsigned)__builtin_ctz(rest);
        uint8_t *there = &e->tally[e->passenger[k].link[p]];
        *there = (uint8_t)(*there - trail_flits(w->plane, p, planes));
    }
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
    if (e->params.depth <= 3)
        tally_planes(e, k, -1, true, 2);
    else
        tally_planes(e, k, -1, true, WORM_PLANES);
    swap_inside(e, e->worm[k].inside, --e->counted);
    if (e->larger && e->counted > FETCH_STEP)
        fetch(&e->worm[e->inside.item[e->counted - FETCH_STEP]]);
}

/* It keeps its flits where they are for some samples, as far as one can see. */
TRAIL_INLINE bool stands(const struct state *e, const struct worm *w)
{
    return !w->listed && (!w->asleep || w->length - w->sent > e->run.now - w->front + LONG_SLEEP);
}

/* Worms that stand count until they move; the others for this sample. */
TRAIL_INLINE void sample_planes(struct state *e, unsigned planes)
{
    const uint32_t *item = e->inside.item;

    for (uint32_t j = e->counted; j < e->inside.count; j++) {
        if (e->larger)
            fetch_inside(e, j);
        if (stands(e, &e->worm[item[j]])) {
            tally_planes(e, item[j], 1, true, planes);
            swap_inside(e, j, e->counted++);
        }
    }
    for (uint32_t j = e->counted; j < e->inside.count; j++)
        tally_planes(e, item[j], 1, false, planes);
    for (uint32_t j = e->counted; j < e->inside.count; j++)
        clear_planes(e, item[j], planes);
}

void worm_sample(struct state *e)
{
    struct fatfly_result *r = e->run.m.result;

    if (e->params.depth <= 3)
        sample_planes(e, 2);
    else
        sample_planes(e, WORM_PLANES);
    for (unsigned level = 0; level < e->params.levels; level++) {
        r->up[level].occupancy += e->held[true][level];
        r->down[level].occupancy += e->held[false][level];
    }
    for (unsigned flits = 0; flits <= MAX_DEPTH; flits++)
        r->occupied[flits] += e->filled[flits];
    r->occupied[0] += e->queues;
    r->samples++;
}

uint64_t worm_hops_inside(const struct state *e)
{
    uint64_t hops = 0;
    for (uint32_t j = 0; j < e->inside.count; j++) {
        const struct worm *w = &e->worm[e->inside.item[j]];
        if (!worm_leaves(w))
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
        unsigned from = w->first && w->tail <= w->first ? w->first + 1u : w->tail;
        for (unsigned p = w->end; p-- > from;) {
            bool up = p < w->links / 2u;
            flits += own_flits(e, w, p);
            measure_under_way(&e->run.m, up, up ? p : w->links - 1u - p, flits);
        }
    }
}
