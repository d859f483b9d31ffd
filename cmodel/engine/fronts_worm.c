/* SPDX-License-Identifier: Apache-2.0
 * fronts_worm.c - worms of one flit over the usual switch (fronts.h), flit for flit equal to single.c.
 *
 * Who crosses in a cycle is decided in all switches before anything moves, so each decision uses the state at the start
 * of the cycle.
 */
#include "fronts.h"

#include "digest.h"
#include "discipline.h"
#include "pool.h"
#include "tree.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

struct flit_worm {
    struct traffic_worm is;
    uint64_t injected;
    uint32_t next; /* behind it in its source, or among the unused */
};

struct source {
    uint64_t front; /* cycle from which first could leave but for room */
    uint32_t first, last;
};

struct flits {
    struct run run;
    struct fronts fronts;
    struct switch_params params;
    struct source *source; /* [nodes] */
    struct flit_worm *worm;
    struct pool pool;
    uint64_t *ready;       /* [nodes] bits: the source has a worm and its link has room */
    bool quiet;            /* there was nothing to do in the last cycle */
};

/* -- sources and processors ------------------------------------------------------------------- */

static void room(void *engine, uint32_t a)
{
    struct flits *e = engine;
    if (e->source[a].first != NONE)
        set(e->ready, a);
}

static void arrived(void *engine, uint32_t processor, uint32_t k)
{
    struct flits *e = engine;
    struct flit_worm *w = &e->worm[k];

    e->run.digest += digest_flit(traffic_head(&e->params, &w->is), FLIT_SINGLE, e->run.now, processor, 0);
    measure_delivered(&e->run.m, &w->is, w->injected, e->run.now, e->run.now, 2 * worm_height(w->is.src, processor));
    POOL_GIVE(e->worm, e->pool, k);
}

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct flits *e = (struct flits *)r;
    uint32_t k = POOL_TAKE(e->worm, e->pool, struct flit_worm);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    struct source *q = &e->source[is->src];
    e->worm[k].is = *is;
    e->worm[k].next = NONE;
    if (q->first == NONE) {
        q->first = k;
        q->front = is->ready;
    } else {
        e->worm[q->last].next = k;
    }
    q->last = k;
    if (!fronts_full(&e->fronts, place_of_entry(is->src)))
        set(e->ready, is->src);
    return FATFLY_OK;
}

static void inject(struct flits *e, uint32_t a, struct tally *t)
{
    uint32_t place = place_of_entry(a);
    struct source *q = &e->source[a];
    struct flit_worm *w = &e->worm[q->first];
    fronts_flit x = fronts_of(q->first, w->is.dst, worm_height(a, w->is.dst));

    w->injected = e->run.now;
    t->moves++;
    t->waited += e->run.now - q->front;
    q->first = w->next;
    q->front = e->run.now + 1;
    e->run.m.link_worms[SWITCH_PORTS * (a >> 2) + (a & 3)]++;
    fronts_push(&e->fronts, place, x, 1, true, e->run.now);
    if (q->first != NONE && !fronts_full(&e->fronts, place))
        set(e->ready, a);
}

static void inject_all(struct flits *e)
{
    struct tally t = {0};

    for (uint32_t w = 0; w <= (e->fronts.nodes - 1) >> 6; w++) {
        uint64_t rest = e->ready[w];
        e->ready[w] = 0;
        e->quiet &= rest == 0;
        for (; rest; rest &= rest - 1)
            inject(e, w << 6 | (uint32_t)__builtin_ctzll(rest), &t);
    }
    t.flits = t.moves;
    tally_up(&t, &e->run, true, 0);
}

/* -- the run around it ------------------------------------------------------------------------ */

static int step(struct run *r)
{
    struct flits *e = (struct flits *)r;
    struct fronts *p = &e->fronts;
    const struct fronts_sides sides = {false, arrived, room};

    e->quiet = fronts_turn(p);
    if (measure_samples(&r->m, r->now))
        fronts_sample(p, r, 1, 0, 0);
    for (unsigned l = 1; l <= p->levels; l++) {
        fronts_ask(p, l, true, r->now);
        fronts_ask(p, l, false, r->now);
    }
    inject_all(e);
    for (unsigned l = 1; l <= p->levels; l++) {
        fronts_cross(p, e, r, l, true, sides, r->now);
        fronts_cross(p, e, r, l, false, sides, r->now);
    }
    return FATFLY_OK;
}

static bool idle(const struct run *r)
{
    return ((const struct flits *)r)->quiet;
}

/* Of an empty network. */
static void sample(struct run *r, uint64_t to)
{
    fronts_sample(&((struct flits *)r)->fronts, r, run_ticks(r, to), 0, 0);
}

static void finish(struct run *r)
{
    fronts_links(&((struct flits *)r)->fronts, r->m.link_worms);
}

static int open_flits(struct run *r)
{
    struct flits *e = (struct flits *)r;

    tree_params(r->config, &e->params);
    e->pool.unused = NONE;
    e->source = calloc(r->config->nodes, sizeof *e->source);
    e->ready = calloc(words(r->config->nodes), sizeof *e->ready);
    if (!fronts_open(&e->fronts, r->config) || !e->source || !e->ready)
        return FATFLY_NO_MEMORY;
    for (uint32_t a = 0; a < r->config->nodes; a++)
        e->source[a].first = NONE;
    return FATFLY_OK;
}

static void close_flits(struct run *r)
{
    struct flits *e = (struct flits *)r;
    fronts_close(&e->fronts);
    free(e->source);
    free(e->ready);
    free(e->worm);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t worms = measure_worms(t, c), pool = 256;
    while (pool < worms)
        pool *= 2;
    return sizeof(struct flits) + pool * sizeof(struct flit_worm) + fronts_memory(c) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + 4) + c->nodes / 8;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return fronts_can(c, t) && !discipline_of(c)->packets && traffic_one_flit(c);
}

const struct engine engine_fronts_worm = {
    .name = "fast", .state = sizeof(struct flits), .can = can, .memory = memory, .open = open_flits, .close = close_flits,
    .enter = enter, .step = step, .sample = sample, .idle = idle, .finish = finish, .of_traffic = true, .to_the_end = true};
