/* SPDX-License-Identifier: Apache-2.0
 * fronts_split.c - SPLIT over the usual switch (fronts.h), flit for flit equal to store.c.
 *
 * Levels act from the roots to the leaves, so a queue that a flit left in this step can be filled in it, and what came
 * down in it waits for the next one: that flit stands in the next step's list.  With queues of two a processor always has
 * room: it consumes in each step what came in the one before.
 */
#include "packets.h"

#include "discipline.h"
#include "fronts.h"

#include <stdlib.h>

struct flit_of {
    struct piece is;
    uint32_t next; /* among the unused */
};

struct split {
    struct packets p;
    struct fronts fronts;
    struct flit_of *flit;
    struct pool pool;
    uint64_t *sending; /* [nodes] bits: the source has a packet and its link has room */
    uint64_t *fed;     /* [nodes] bits: a flit came to the processor in the last step */
    bool quiet;        /* nothing was there to do in the last step */
};

/* -- sources and processors ------------------------------------------------------------------- */

static void room(void *engine, uint32_t a)
{
    struct split *e = engine;
    if (e->p.source[a].first != NO_PACKET)
        set(e->sending, a);
}

static void arrived(void *engine, uint32_t processor, uint32_t k)
{
    struct split *e = engine;
    set(e->fed, processor);
    e->p.run.m.link_worms[SWITCH_PORTS * e->p.switches + processor]++;
    packets_deliver(&e->p, e->flit[k].is);
    POOL_GIVE(e->flit, e->pool, k);
}

static int enter(struct run *r, const struct traffic_worm *w)
{
    struct split *e = (struct split *)r;
    int status = packets_enter(r, w);
    if (!fronts_full(&e->fronts, place_of_entry(w->src)))
        set(e->sending, w->src);
    return status;
}

/* False if memory is short. */
static bool inject(struct split *e, uint32_t a, struct tally *t)
{
    uint32_t k = POOL_TAKE(e->flit, e->pool, struct flit_of);
    if (k == POOL_NONE)
        return false;
    t->moves++;
    t->waited += e->p.step - e->p.source[a].front;
    e->flit[k].is = packets_take(&e->p, a);
    const struct packet *packet = &e->p.packet[e->flit[k].is.packet];
    bool full = fronts_inject(&e->fronts, a, fronts_of(k, packet->is.dst, packet->height), e->p.step);
    if (e->p.source[a].first == NO_PACKET || full)
        e->sending[a >> 6] &= ~(UINT64_C(1) << (a & 63));
    return true;
}

static int inject_all(struct split *e)
{
    struct tally t = {0};

    for (uint32_t w = 0; w <= (e->p.nodes - 1) >> 6; w++)
        for (uint64_t rest = e->sending[w]; rest; rest &= rest - 1)
            if (!inject(e, w << 6 | (uint32_t)__builtin_ctzll(rest), &t))
                return FATFLY_NO_MEMORY;
    e->quiet &= !t.moves;
    t.flits = t.moves;
    tally_up(&t, &e->p.run, true, 0);
    return FATFLY_OK;
}

/* -- the run around it ------------------------------------------------------------------------ */

/* Processors with a flit of the last step. */
static uint32_t eating(const struct split *e)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w <= (e->p.nodes - 1) >> 6; w++)
        count += (uint32_t)__builtin_popcountll(e->fed[w]);
    return count;
}

/* They consume it.  True if there was one. */
static bool consume(struct split *e)
{
    uint64_t some = 0;
    for (uint32_t w = 0; w <= (e->p.nodes - 1) >> 6; w++) {
        some |= e->fed[w];
        e->fed[w] = 0;
    }
    return some;
}

static int step(struct run *r)
{
    struct split *e = (struct split *)r;
    struct fronts *p = &e->fronts;
    const struct fronts_sides sides = {true, arrived, room};

    e->quiet = fronts_turn(p);
    if (packets_begin(&e->p))
        fronts_sample(p, r, 1, eating(e), e->p.nodes);
    e->quiet &= !consume(e);
    for (unsigned l = p->levels; l >= 1; l--) {
        p->asks = 0;
        fronts_ask(p, l, true, e->p.step);
        fronts_ask(p, l, false, e->p.step);
        fronts_cross(p, e, r, l, true, sides, e->p.step);
        fronts_cross(p, e, r, l, false, sides, e->p.step);
    }
    return inject_all(e);
}

static bool idle(const struct run *r)
{
    return ((const struct split *)r)->quiet;
}

/* Of an empty network. */
static void sample(struct run *r, uint64_t to)
{
    const struct split *e = (const struct split *)r;
    fronts_sample(&e->fronts, r, packets_samples(r, to), 0, e->p.nodes);
}

static void finish(struct run *r)
{
    fronts_links(&((struct split *)r)->fronts, r->m.link_worms);
}

static int open_split(struct run *r)
{
    struct split *e = (struct split *)r;

    e->pool.unused = POOL_NONE;
    if (packets_open(&e->p) || !fronts_open(&e->fronts, r->config))
        return FATFLY_NO_MEMORY;
    e->sending = calloc(words(e->p.nodes), sizeof *e->sending);
    e->fed = calloc(words(e->p.nodes), sizeof *e->fed);
    return e->sending && e->fed ? FATFLY_OK : FATFLY_NO_MEMORY;
}

static void close_split(struct run *r)
{
    struct split *e = (struct split *)r;
    packets_close(&e->p);
    fronts_close(&e->fronts);
    free(e->flit);
    free(e->sending);
    free(e->fed);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    return packets_memory(c, t) + sizeof(struct split) + fronts_memory(c) + c->nodes * sizeof(struct flit_of) + c->nodes / 4;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return c->discipline == FATFLY_SPLIT && fronts_can(c, t);
}

const struct engine engine_fronts_split = {
    .name = "store", .state = sizeof(struct split), .can = can, .memory = memory, .link_cycles = packets_link_cycles,
    .open = open_split, .close = close_split, .enter = enter, .step = step, .sample = sample, .idle = idle,
    .finish = finish, .asks_between = true, .of_traffic = true, .to_the_end = true};
