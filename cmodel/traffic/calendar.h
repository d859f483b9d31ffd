/* SPDX-License-Identifier: Apache-2.0
 * calendar.h - the next worm of every processor, by the cycle in which it is ready.
 */
#ifndef FATFLY_CALENDAR_H
#define FATFLY_CALENDAR_H

#include "pool.h"
#include "traffic.h"
#include "visit.h"

enum { DIGIT_BITS = 6, DIGITS = 11, DIGIT = 1 << DIGIT_BITS };

/* A cycle is a number of eleven digits of 6 bits.  A processor whose worm is ready after `time` stands in the row of
 * the highest digit in which that cycle differs from time, under what that digit is.  Time goes to where the earliest
 * worms are, so each processor moves to lower rows until its cycle has come. */
struct calendar {
    struct traffic *traffic;
    struct traffic_worm *coming; /* [nodes], the next worm of each; ready = UINT64_MAX: none */
    uint32_t count;              /* processors that have one */
    uint64_t time;               /* where due_count is not 0, the cycle of all that are due */
    uint64_t *due;               /* [nodes] bits: processors with a worm of that cycle */
    uint64_t *some;              /* [words of due] bits: those that are not 0 */
    uint32_t due_count, due_from;/* of due; the first word of some that may not be 0 */
    uint32_t rows;               /* with a processor, a bit each */
    uint64_t under[DIGITS];      /* digits under which there is one, a bit each */
    uint32_t slot[DIGITS][DIGIT];/* the first processor there */
    uint32_t *next;              /* [nodes], behind it */
    uint32_t *heap;              /* processors whose worms are ready before time, the earliest first */
    uint32_t late;               /* so many */
    /* Without a traffic: worms that were added behind those in coming[]. */
    struct calendar_worm *more;
    struct pool pool;
    uint32_t *first, *last;      /* [nodes] */
    uint32_t *room;              /* [nodes], worms of each that may be taken before calendar_resume(); NULL: any
                                    number */
};

/* 0, or -1 if memory is short.  t stays the caller's; NULL: worms come by calendar_add(). */
int calendar_open(struct calendar *c, struct traffic *t, uint32_t nodes);
/* The same for processors from .. to - 1 of a traffic with more, which other calendars have. */
int calendar_open_some(struct calendar *c, struct traffic *t, uint32_t nodes, uint32_t from, uint32_t to);
void calendar_close(struct calendar *c);

/* Adds a worm, ready no earlier than the last one of its source.  0, or -1 if memory is short. */
int calendar_add(struct calendar *c, const struct traffic_worm *w);

/* From now on a source has `room` worms on their way at most, each until a calendar_resume(); what it has for
 * earlier is ready when it is taken.  0, or -1 if memory is short. */
int calendar_limit(struct calendar *c, uint32_t nodes, uint32_t room);
void calendar_resume(struct calendar *c, uint32_t a);

void calendar_visit(struct calendar *c, uint32_t nodes, struct visitor *v);

/* The next worm, where there is one; in that cycle it is ready. */
void calendar_take_next(struct calendar *c, uint64_t cycle, struct traffic_worm *w);

/* True if processor a has worms to come. */
static inline bool calendar_more(const struct calendar *c, uint32_t a)
{
    return c->coming[a].ready != UINT64_MAX;
}

/* Cycle of the next one, UINT64_MAX if no worm is left. */
static inline uint64_t calendar_next(const struct calendar *c)
{
    return c->late ? c->coming[c->heap[0]].ready : c->count ? c->time : UINT64_MAX;
}

/* The next worm that is ready at `cycle`; of several the lowest processor's.  False if none. */
static inline bool calendar_take(struct calendar *c, uint64_t cycle, struct traffic_worm *w)
{
    if (!c->count || calendar_next(c) > cycle)
        return false;
    calendar_take_next(c, cycle, w);
    return true;
}

#endif
