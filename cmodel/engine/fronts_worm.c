/* SPDX-License-Identifier: Apache-2.0
 * fronts_worm.c - worms of one flit over the usual switch (fronts.h), flit for flit equal to single.c.
 *
 * Who crosses in a cycle is decided in all switches before anything moves, so each decision uses the state at the start
 * of the cycle.
 */
#include "fronts.h"

#include "discipline.h"
#include "flit_worms.h"
#include "tree.h"

struct flits {
    struct run run;
    struct fronts fronts;
    struct switch_params params;
    struct flit_worms worms;
    bool quiet; /* there was nothing to do in the last cycle */
};

/* -- sources and processors ------------------------------------------------------------------- */

static void room(void *engine, uint32_t a)
{
    struct flits *e = engine;
    flit_worms_room(&e->worms, a);
}

static void arrived(void *engine, uint32_t processor, uint32_t k)
{
    struct flits *e = engine;
    e->run.m.link_worms[e->fronts.places / PLACES * SWITCH_PORTS + processor]++;
    flit_worms_deliver(&e->worms, &e->run, &e->params, k);
}

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct flits *e = (struct flits *)r;
    return flit_worms_enter(&e->worms, is, !fronts_full(&e->fronts, place_of_entry(is->src)));
}

static void inject(struct flits *e, uint32_t a, struct tally *t)
{
    uint32_t k = flit_worms_inject(&e->worms, &e->run, a, t), dst = e->worms.worm[k].is.dst;

    if (!fronts_inject(&e->fronts, a, fronts_of(k, dst, worm_height(a, dst)), e->run.now))
        flit_worms_room(&e->worms, a);
}

static void inject_all(struct flits *e)
{
    struct tally t = {0};

    for (uint32_t w = 0; w <= (e->fronts.nodes - 1) >> 6; w++) {
        uint64_t rest = e->worms.ready[w];
        e->worms.ready[w] = 0;
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
    bool worms = flit_worms_open(&e->worms, r->config->nodes);
    return fronts_open(&e->fronts, r->config) && worms ? FATFLY_OK : FATFLY_NO_MEMORY;
}

static void close_flits(struct run *r)
{
    struct flits *e = (struct flits *)r;
    fronts_close(&e->fronts);
    flit_worms_close(&e->worms);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    return sizeof(struct flits) + flit_worms_memory(c, t) + fronts_memory(c);
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return fronts_can(c, t) && !discipline_of(c)->packets && traffic_one_flit(c);
}

const struct engine engine_fronts_worm = {
    .name = "fast", .state = sizeof(struct flits), .can = can, .memory = memory, .open = open_flits, .close = close_flits,
    .enter = enter, .step = step, .sample = sample, .idle = idle, .finish = finish, .of_traffic = true, .to_the_end = true};
