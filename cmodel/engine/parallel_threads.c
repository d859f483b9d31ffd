/* SPDX-License-Identifier: Apache-2.0
 * parallel_threads.c - the parts of a run on threads of this process: letters lie where their readers
 * see them, and a cycle ends at a barrier.  Where there are no threads, or the system gives no more,
 * the parts take turns.
 */
#include "parallel.h"

#ifndef __wasm__
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#endif

static int each_in_turn(struct parallel *e, int (*act)(struct parallel *e, unsigned k))
{
    int status = FATFLY_OK;

    for (unsigned k = 0; k < e->parts && !status; k++)
        status = act(e, k);
    return status;
}

static void open_letters(struct part *p)
{
    for (unsigned q = 0; q < p->of->parts; q++)
        p->in[q] = q == p->number ? NULL : p->of->part[q]->out[p->turn][p->number];
}

static void play_in_turn(struct parallel *e)
{
    for (bool over = false; !over;) {
        for (unsigned k = 0; k < e->parts; k++)
            part_compute(e->part[k]);
        for (unsigned k = 0; k < e->parts; k++) {
            open_letters(e->part[k]);
            over = part_conclude(e->part[k]); /* all say the same */
        }
    }
}

#ifndef __wasm__

enum { SPINS = 2000 }; /* then others may need the core */

struct barrier {
    _Alignas(64) atomic_uint phase;
    _Alignas(64) atomic_uint arrived;
    unsigned count;
};

static void barrier_wait(struct barrier *b)
{
    unsigned phase = atomic_load_explicit(&b->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&b->arrived, 1, memory_order_acq_rel) + 1 == b->count) {
        atomic_store_explicit(&b->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&b->phase, phase + 1, memory_order_release);
        return;
    }
    for (unsigned k = 0; atomic_load_explicit(&b->phase, memory_order_acquire) == phase; k++)
        if (k >= SPINS)
            sched_yield();
}

enum { WAIT, GO, QUIT };

struct crew {
    struct parallel *e;
    int (*act)(struct parallel *e, unsigned k);
    struct barrier barrier;
    atomic_int start;
    int status[PARTS_MOST];
    pthread_t thread[PARTS_MOST];
};

struct member {
    struct crew *crew;
    unsigned part;
};

/* What one thread does: act(), or where there is none the cycles of a section. */
static void work(struct crew *c, unsigned part)
{
    struct part *p = c->e->part[part];

    if (c->act) {
        c->status[part] = c->act(c->e, part);
        return;
    }
    do {
        part_compute(p);
        barrier_wait(&c->barrier);
        open_letters(p);
    } while (!part_conclude(p));
}

static void *join_in(void *context)
{
    struct member *m = context;
    int start;
    while ((start = atomic_load_explicit(&m->crew->start, memory_order_acquire)) == WAIT)
        sched_yield();
    if (start == GO)
        work(m->crew, m->part);
    return NULL;
}

/* The work of all parts at the same time.  False, and nothing done: the system gives too few threads. */
static bool together(struct crew *c)
{
    struct member member[PARTS_MOST];
    unsigned count = 1;

    c->barrier.count = c->e->parts;
    for (; count < c->e->parts; count++) {
        member[count] = (struct member){c, count};
        if (pthread_create(&c->thread[count], NULL, join_in, &member[count]))
            break;
    }
    bool all = count == c->e->parts;
    atomic_store_explicit(&c->start, all ? GO : QUIT, memory_order_release);
    if (all)
        work(c, 0);
    for (unsigned k = 1; k < count; k++)
        pthread_join(c->thread[k], NULL);
    return all;
}

static int each(struct parallel *e, int (*act)(struct parallel *e, unsigned k))
{
    struct crew c = {.e = e, .act = act};

    if (!together(&c))
        return each_in_turn(e, act);
    for (unsigned k = 0; k < e->parts; k++)
        if (c.status[k])
            return c.status[k];
    return FATFLY_OK;
}

static void play(struct parallel *e)
{
    struct crew c = {.e = e};

    if (!together(&c))
        play_in_turn(e);
}

#else

static int each(struct parallel *e, int (*act)(struct parallel *e, unsigned k))
{
    return each_in_turn(e, act);
}

static void play(struct parallel *e)
{
    play_in_turn(e);
}

#endif

const struct transport transport_threads = {.each = each, .play = play};
const struct transport transport_in_turn = {.each = each_in_turn, .play = play_in_turn};
