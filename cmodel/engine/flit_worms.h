/* SPDX-License-Identifier: Apache-2.0
 * flit_worms.h - worms of one flit at their sources and at their destinations: what single.c and fronts_worm.c, which
 * move them over the same switches, have in common.
 */
#ifndef FATFLY_FLIT_WORMS_H
#define FATFLY_FLIT_WORMS_H

#include "digest.h"
#include "engine.h"
#include "hops.h"
#include "pool.h"

struct flit_worm {
    struct traffic_worm is;
    uint64_t injected;
    uint32_t next; /* behind it in its source, or among the unused */
};

struct flit_source {
    uint64_t front; /* cycle from which first could leave but for room */
    uint32_t first, last;
};

struct flit_worms {
    struct flit_source *source; /* [nodes] */
    struct flit_worm *worm;
    struct pool pool;
    uint64_t *ready; /* [nodes] bits: the source has a worm and its link has room */
};

/* False if memory is short; flit_worms_close() either way. */
static inline bool flit_worms_open(struct flit_worms *p, uint32_t nodes)
{
    p->pool.unused = POOL_NONE;
    p->source = calloc(nodes, sizeof *p->source);
    p->ready = calloc(words(nodes), sizeof *p->ready);
    for (uint32_t a = 0; p->source && a < nodes; a++)
        p->source[a].first = POOL_NONE;
    return p->source && p->ready;
}

static inline void flit_worms_close(struct flit_worms *p)
{
    free(p->source);
    free(p->worm);
    free(p->ready);
}

/* Bytes, without those of struct flit_worms; with what the calendar holds of each source. */
static inline uint64_t flit_worms_memory(const struct fatfly_config *c, const struct topology *t)
{
    return pool_places(measure_worms(t, c)) * sizeof(struct flit_worm) +
           c->nodes * (sizeof(struct flit_source) + sizeof(struct traffic_worm) + sizeof(uint32_t)) + c->nodes / 8;
}

/* A worm is ready at its source; room: there is some behind its injection link.  FATFLY_OK or FATFLY_NO_MEMORY. */
INLINE int flit_worms_enter(struct flit_worms *p, const struct traffic_worm *is, bool room)
{
    uint32_t k = POOL_TAKE(p->worm, p->pool, struct flit_worm);
    if (k == POOL_NONE)
        return FATFLY_NO_MEMORY;
    struct flit_source *q = &p->source[is->src];
    p->worm[k].is = *is;
    p->worm[k].next = POOL_NONE;
    if (q->first == POOL_NONE) {
        q->first = k;
        q->front = is->ready > q->front ? is->ready : q->front;
    } else {
        p->worm[q->last].next = k;
    }
    q->last = k;
    if (room)
        set(p->ready, is->src);
    return FATFLY_OK;
}

/* There is room again behind the injection link of source a. */
INLINE void flit_worms_room(struct flit_worms *p, uint32_t a)
{
    if (p->source[a].first != POOL_NONE)
        set(p->ready, a);
}

/* The first worm of source a leaves it, which is counted but for the link; its number. */
INLINE uint32_t flit_worms_inject(struct flit_worms *p, struct run *r, uint32_t a, struct tally *t)
{
    struct flit_source *q = &p->source[a];
    uint32_t k = q->first;

    p->worm[k].injected = r->now;
    t->moves++;
    t->waited += r->now - q->front;
    q->first = p->worm[k].next;
    q->front = r->now + 1;
    return k;
}

/* Worm k has arrived. */
INLINE void flit_worms_deliver(struct flit_worms *p, struct run *r, const struct switch_params *params, uint32_t k)
{
    const struct traffic_worm *w = &p->worm[k].is;

    r->digest += digest_flit(traffic_head(params, w), FLIT_SINGLE, r->now, w->dst, 0);
    measure_delivered(&r->m, w, p->worm[k].injected, r->now, r->now, 2 * worm_height(w->src, w->dst));
    POOL_GIVE(p->worm, p->pool, k);
}

#endif
