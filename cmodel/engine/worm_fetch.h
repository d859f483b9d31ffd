/* SPDX-License-Identifier: Apache-2.0
 * worm_fetch.h - in a large network most of what a cycle looks at is in no cache, so worm.c asks for it some items of
 * its lists before.  Nothing here changes or decides anything.
 */
#ifndef FATFLY_WORM_FETCH_H
#define FATFLY_WORM_FETCH_H

#include "place.h"
#include "worm_state.h"

/* Items between asking for what is known of one and what that leads to. */
enum { FETCH_STEP = 6 };

TRAIL_INLINE void fetch(const void *what)
{
    __builtin_prefetch(what, 1);
}

TRAIL_INLINE void fetch_node(const struct state *e, uint32_t s)
{
    fetch(&e->node[s]);
    fetch((const char *)&e->node[s] + sizeof(struct node) / 2);
}

/* Before arbitrate(), for the switches behind item j of the awake ones. */
static inline void fetch_awake(const struct state *e, uint32_t j)
{
    const uint32_t *item = e->awake.item;
    uint32_t count = e->awake.count;

    if (j + 3 * FETCH_STEP < count)
        fetch_node(e, item[j + 3 * FETCH_STEP]);
    if (j + 2 * FETCH_STEP < count) {
        const struct node *n = &e->node[item[j + 2 * FETCH_STEP]];
        for (unsigned rest = n->heads; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (n->want[i] & n->open)
                fetch(&e->worm[n->who[i]]);
        }
        for (unsigned rest = n->open; rest; rest &= rest - 1) {
            uint32_t to = n->to[__builtin_ctz(rest)];
            if (to >> PLACE_SHIFT < e->switches)
                fetch(&e->node[to >> PLACE_SHIFT]);
        }
    }
    if (j + FETCH_STEP < count) {
        const struct node *n = &e->node[item[j + FETCH_STEP]];
        for (unsigned rest = n->heads; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (n->want[i] & n->open)
                fetch(&e->passenger[n->who[i]].link[e->worm[n->who[i]].head]);
        }
    }
}

/* The same where the counters are in no cache either: those of the links that may be granted, and what worm_uncount()
 * looks at of the worms that may. */
static inline void fetch_counters(const struct state *e, uint32_t j)
{
    const uint32_t *item = e->awake.item;
    uint32_t count = e->awake.count;

    if (j + FETCH_STEP < count) {
        const struct node *n = &e->node[item[j + FETCH_STEP]];
        unsigned outputs = 0;
        for (unsigned rest = n->heads; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            const struct worm *w = &e->worm[n->who[i]];
            outputs |= n->want[i];
            if (n->want[i] & n->open && w->inside < e->counted && w->tail)
                fetch(&e->passenger[n->who[i]].link[w->tail - 1]);
        }
        for (outputs &= n->open; outputs; outputs &= outputs - 1) {
            uint32_t to = n->to[__builtin_ctz(outputs)], s = to >> PLACE_SHIFT;
            if (to & GATE)
                continue;
            fetch(&e->run.m.link_worms[to - 2 * (s < e->switches ? s : e->switches)]);
        }
    }
    if (j + FETCH_STEP / 2 < count) {
        const struct node *n = &e->node[item[j + FETCH_STEP / 2]];
        for (unsigned rest = n->heads; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            const struct worm *w = &e->worm[n->who[i]];
            if (!(n->want[i] & n->open) || w->inside >= e->counted)
                continue;
            fetch(&e->inside.item[w->inside]);
            for (unsigned p = w->tail ? w->tail - 1u : 0; p < w->head && p + 1u < w->end; p++)
                fetch(&e->tally[e->passenger[n->who[i]].link[p]]);
        }
    }
}

/* Before advance(). */
static inline void fetch_active(const struct state *e, uint32_t j)
{
    const uint32_t *item = e->active.item;

    if (j + 3 * FETCH_STEP < e->active.count)
        fetch(&e->worm[item[j + 3 * FETCH_STEP]]);
    if (j + FETCH_STEP < e->active.count) {
        uint32_t k = item[j + FETCH_STEP];
        const struct worm *w = &e->worm[k];
        if (w->head + w->granted >= w->end || w->shared)
            fetch(&e->passenger[k].address);
    }
}

/* Before tail_moves(). */
static inline void fetch_tails(const struct state *e, uint32_t j)
{
    const uint32_t *item = e->tails.item;

    if (j + 3 * FETCH_STEP < e->tails.count) {
        uint32_t k = item[j + 3 * FETCH_STEP];
        fetch(&e->passenger[k].link[e->worm[k].tail]);
    }
    if (j + 2 * FETCH_STEP < e->tails.count) {
        uint32_t k = item[j + 2 * FETCH_STEP];
        const struct worm *w = &e->worm[k];
        for (unsigned p = w->tail ? w->tail - 1u : 0; p <= w->tail && p + 1u < w->end; p++)
            fetch_node(e, e->passenger[k].link[p] >> PLACE_SHIFT);
    }
    if (j + FETCH_STEP < e->tails.count) {
        uint32_t k = item[j + FETCH_STEP], t = e->worm[k].tail;
        if (t > 0) {
            uint32_t link = e->passenger[k].link[t - 1], last = e->node[link >> PLACE_SHIFT].last[link % PLACES];
            if (last != NONE)
                fetch(&e->worm[last]);
        }
    }
}

/* Before head_enters(). */
static inline void fetch_entered(const struct state *e, uint32_t j)
{
    if (j + FETCH_STEP < e->heads.count) {
        uint32_t k = e->heads.item[j + FETCH_STEP];
        fetch_node(e, e->passenger[k].link[e->worm[k].head - 1] >> PLACE_SHIFT);
    }
}

/* Before worms of inside[] are counted. */
static inline void fetch_inside(const struct state *e, uint32_t j)
{
    const uint32_t *item = e->inside.item;

    if (j + 3 * FETCH_STEP < e->inside.count)
        fetch(&e->worm[item[j + 3 * FETCH_STEP]]);
    if (j + 2 * FETCH_STEP < e->inside.count) {
        uint32_t k = item[j + 2 * FETCH_STEP];
        const struct worm *w = &e->worm[k];
        if (w->head) {
            fetch(&e->passenger[k].link[w->head - 1]);
            fetch(&e->passenger[k].link[w->tail ? w->tail - 1 : 0]);
        }
    }
    if (j + FETCH_STEP < e->inside.count) {
        uint32_t k = item[j + FETCH_STEP];
        const struct worm *w = &e->worm[k];
        for (unsigned p = w->tail ? w->tail - 1u : 0; p < w->head && p + 1u < w->end; p++)
            fetch(&e->tally[e->passenger[k].link[p]]);
    }
}

#endif
