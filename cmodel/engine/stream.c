/* SPDX-License-Identifier: Apache-2.0
 * stream.c - worms that stream sleep (events, not cycles, for worm.c).
 *
 * Once its head has arrived nothing outside a worm can stop it: its queues hold its own flits alone, and
 * the links are its own until its tail has passed.  If all its flits move in one cycle they do in the next,
 * and the counts of its queues stay the same, until the last flit leaves the source.  So it need not be
 * looked at: it sleeps on a wheel of cycles, and what arrived meanwhile is counted at once when it wakes,
 * or when somebody wants to know.
 *
 * A worm in two parts of a network sleeps in both at the same time.  Where it comes from, the part tells with a
 * flit that all have moved, and how many are to follow; where it arrives, the part sees whether all have moved
 * there in the same cycle, and answers when both will wake (parallel_letters.c).
 */
#include "worm_state.h"

#include "digest.h"

#include <string.h>

void stream_open(struct wheel *h)
{
    memset(h->first, 0xff, sizeof h->first); /* NONE */
}

/* Flits of worm k that arrive, or leave by a gate, in cycles front .. to - 1, all of its body. */
static void arrive(struct state *e, uint32_t k, uint64_t to)
{
    struct worm *w = &e->worm[k];
    uint32_t count = (uint32_t)(to - w->front);

    if (!worm_leaves(w))
        e->run.digest += digest_bodies(e->passenger[k].is.number, w->got, count, w->front, w->dst, e->mask);
    w->got += count;
    w->sent += count;
    w->front = to;
}

void stream_sleep_until(struct state *e, uint32_t k, uint64_t wakes)
{
    struct wheel *h = &e->wheel;
    struct worm *w = &e->worm[k];
    unsigned spoke = wakes % SPOKES;

    w->asleep = true;
    w->front = e->run.now + 1;
    w->behind = h->first[spoke];
    h->first[spoke] = k;
    h->busy[spoke / 64] |= UINT64_C(1) << spoke % 64;
    h->count++;
}

void stream_sleep(struct state *e, uint32_t k)
{
    const struct worm *w = &e->worm[k];
    uint32_t left = w->length - w->sent - 1; /* flits before the last */
    stream_sleep_until(e, k, e->run.now + 1 + (left < SPOKES - 1 ? left : SPOKES - 2));
}

void stream_wake(struct state *e)
{
    struct wheel *h = &e->wheel;
    unsigned spoke = e->run.now % SPOKES;

    for (uint32_t k = h->first[spoke]; k != NONE; k = e->worm[k].behind) {
        struct worm *w = &e->worm[k];
        arrive(e, k, e->run.now);
        w->asleep = false;
        w->listed = true;
        if (w->inside < e->counted)
            worm_uncount(e, k);
        append(&e->active, k);
        h->count--;
    }
    h->first[spoke] = NONE;
    h->busy[spoke / 64] &= ~(UINT64_C(1) << spoke % 64);
}

void stream_count(struct state *e)
{
    for (uint32_t j = 0; j < e->inside.count; j++) {
        uint32_t k = e->inside.item[j];
        if (e->worm[k].asleep)
            arrive(e, k, e->run.now);
    }
}

uint64_t stream_next(const struct state *e)
{
    const struct wheel *h = &e->wheel;
    unsigned now = e->run.now % SPOKES;

    for (unsigned k = 0; k <= SPOKES / 64 && h->count; k++) {
        unsigned word = (now / 64 + k) % (SPOKES / 64);
        uint64_t bits = h->busy[word] & (k ? UINT64_MAX : UINT64_MAX << now % 64);
        if (bits)
            return e->run.now + (word * 64 + (unsigned)__builtin_ctzll(bits) - now) % SPOKES;
    }
    return UINT64_MAX;
}
