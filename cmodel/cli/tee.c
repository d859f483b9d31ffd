/* SPDX-License-Identifier: Apache-2.0
 * tee.c - several observers of one run.
 */
#include "tee.h"

#include <stddef.h>

static void begin(void *context, const struct fatfly_wires *w)
{
    const struct tee *t = context;
    for (unsigned k = 0; k < t->count; k++)
        if (t->to[k]->begin)
            t->to[k]->begin(t->to[k]->context, w);
}

static void ready(void *context, uint32_t worm, const struct fatfly_worm *w)
{
    const struct tee *t = context;
    for (unsigned k = 0; k < t->count; k++)
        if (t->to[k]->ready)
            t->to[k]->ready(t->to[k]->context, worm, w);
}

static void move(void *context, const struct fatfly_move *m)
{
    const struct tee *t = context;
    for (unsigned k = 0; k < t->count; k++)
        if (t->to[k]->move)
            t->to[k]->move(t->to[k]->context, m);
}

static void lost(void *context, uint64_t cycle, uint32_t worm, uint32_t flit, uint32_t link)
{
    const struct tee *t = context;
    for (unsigned k = 0; k < t->count; k++)
        if (t->to[k]->lost)
            t->to[k]->lost(t->to[k]->context, cycle, worm, flit, link);
}

static void arrived(void *context, uint32_t worm, const struct fatfly_delivery *d)
{
    const struct tee *t = context;
    for (unsigned k = 0; k < t->count; k++)
        if (t->to[k]->arrived)
            t->to[k]->arrived(t->to[k]->context, worm, d);
}

const struct fatfly_observer *tee_of(struct tee *t, const struct fatfly_observer *const *to, unsigned count)
{
    *t = (struct tee){to, count, {t, begin, ready, move, lost, arrived}};
    return count > 1 ? &t->observer : count ? to[0] : NULL;
}
