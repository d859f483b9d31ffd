/* SPDX-License-Identifier: Apache-2.0
 * calendar.c - the next worm of every processor, by the cycle in which it is ready.
 *
 * Worms of a traffic come from wheels of 64 slots, one for each digit of a cycle: a few instructions for each,
 * however many processors there are.  A worm that is added when the wheels have turned past its cycle goes to a
 * binary heap.
 */
#include "calendar.h"

#include <stdlib.h>

struct calendar_worm {
    struct traffic_worm is;
    uint32_t next; /* of its source, or unused */
};

static bool earlier(const struct calendar *c, uint32_t a, uint32_t b)
{
    uint64_t x = c->coming[a].ready;
    uint64_t y = c->coming[b].ready;
    return x < y || (x == y && a < b);
}

/* -- worms that come late: a heap -------------------------------------------------------------- */

static void sift_down(struct calendar *c, uint32_t k)
{
    uint32_t a = c->heap[k];
    for (;;) {
        uint32_t child = 2 * k + 1;
        if (child >= c->late)
            break;
        if (child + 1 < c->late && earlier(c, c->heap[child + 1], c->heap[child]))
            child++;
        if (!earlier(c, c->heap[child], a))
            break;
        c->heap[k] = c->heap[child];
        k = child;
    }
    c->heap[k] = a;
}

static void sift_up(struct calendar *c, uint32_t a)
{
    uint32_t k = c->late++;
    for (; k && earlier(c, a, c->heap[(k - 1) / 2]); k = (k - 1) / 2)
        c->heap[k] = c->heap[(k - 1) / 2];
    c->heap[k] = a;
}

/* -- the others: wheels ------------------------------------------------------------------------ */

static inline void set_due(struct calendar *c, uint32_t a)
{
    uint32_t word = a >> 6;
    c->due[word] |= UINT64_C(1) << (a & 63);
    c->some[word >> 6] |= UINT64_C(1) << (word & 63);
    c->due_from = word >> 6 < c->due_from ? word >> 6 : c->due_from;
    c->due_count++;
}

static uint32_t take_due(struct calendar *c)
{
    while (!c->some[c->due_from])
        c->due_from++;
    uint64_t *some = &c->some[c->due_from];
    uint32_t word = c->due_from << 6 | (uint32_t)__builtin_ctzll(*some);
    uint32_t a = word << 6 | (uint32_t)__builtin_ctzll(c->due[word]);
    c->due[word] &= c->due[word] - 1;
    *some &= *some - (c->due[word] == 0); /* the lowest bit goes if that was the last */
    c->due_count--;
    return a;
}

/* Processor a, which is nowhere, has a worm. */
static inline __attribute__((always_inline)) void place(struct calendar *c, uint32_t a)
{
    uint64_t ready = c->coming[a].ready;
    if (ready == c->time) {
        set_due(c, a);
    } else if (ready < c->time) {
        sift_up(c, a);
    } else {
        unsigned row = (63u - (unsigned)__builtin_clzll(ready ^ c->time)) / DIGIT_BITS;
        unsigned digit = ready >> DIGIT_BITS * row & (DIGIT - 1);
        c->next[a] = c->under[row] >> digit & 1 ? c->slot[row][digit] : POOL_NONE;
        c->slot[row][digit] = a;
        c->under[row] |= UINT64_C(1) << digit;
        c->rows |= UINT32_C(1) << row;
    }
}

/* To the cycle of the earliest worms, if none is due. */
static void turn(struct calendar *c)
{
    while (!c->due_count && c->rows) {
        unsigned row = (unsigned)__builtin_ctz(c->rows), digit = (unsigned)__builtin_ctzll(c->under[row]);
        uint64_t higher = row + 1 < DIGITS ? c->time >> DIGIT_BITS * (row + 1) << DIGIT_BITS * (row + 1) : 0;
        uint32_t a = c->slot[row][digit], next;

        c->time = higher | (uint64_t)digit << DIGIT_BITS * row;
        c->under[row] &= c->under[row] - 1;
        if (!c->under[row])
            c->rows &= c->rows - 1;
        for (; a != POOL_NONE; a = next) {
            next = c->next[a];
            place(c, a);
        }
    }
}

/* Processor a, which is nowhere, has a worm.  If no other has one, its cycle is the time. */
static void insert(struct calendar *c, uint32_t a)
{
    if (c->count++ == c->late)
        c->time = c->coming[a].ready > c->time ? c->coming[a].ready : c->time;
    place(c, a);
}

/* -- opening ----------------------------------------------------------------------------------- */

int calendar_open(struct calendar *c, struct traffic *t, uint32_t nodes)
{
    return calendar_open_some(c, t, nodes, 0, nodes);
}

int calendar_open_some(struct calendar *c, struct traffic *t, uint32_t nodes, uint32_t from, uint32_t to)
{
    uint32_t due = (nodes + 63) / 64, some = (due + 63) / 64;

    *c = (struct calendar){.traffic = t};
    c->coming = malloc(nodes * sizeof *c->coming);
    c->next = malloc(nodes * sizeof *c->next);
    c->due = calloc(due, sizeof *c->due);
    c->some = calloc(some, sizeof *c->some);
    c->heap = malloc((to - from) * sizeof *c->heap);
    c->pool.unused = POOL_NONE;
    c->first = t ? NULL : malloc(nodes * sizeof *c->first);
    c->last = t ? NULL : malloc(nodes * sizeof *c->last);
    if (!c->coming || !c->next || !c->due || !c->some || !c->heap || (!t && (!c->first || !c->last))) {
        calendar_close(c);
        return -1;
    }
    for (uint32_t a = 0; a < nodes && !t; a++)
        c->first[a] = POOL_NONE;
    for (uint32_t a = from; a < to; a++)
        if (t && traffic_next(t, a, &c->coming[a])) {
            c->count++;
            place(c, a);
        } else {
            c->coming[a].ready = UINT64_MAX;
        }
    turn(c);
    return 0;
}

void calendar_close(struct calendar *c)
{
    free(c->coming);
    free(c->next);
    free(c->due);
    free(c->some);
    free(c->heap);
    free(c->more);
    free(c->first);
    free(c->last);
    free(c->room);
    *c = (struct calendar){.count = 0};
}

void calendar_visit(struct calendar *c, uint32_t nodes, struct visitor *v)
{
    VISIT(v, c->coming, nodes);
    VISIT(v, c->next, nodes);
    VISIT(v, c->due, (nodes + 63) / 64);
    VISIT(v, c->some, ((nodes + 63) / 64 + 63) / 64);
    VISIT(v, c->heap, nodes);
    VISIT(v, c->more, c->pool.count);
    VISIT(v, c->first, c->first ? nodes : 0);
    VISIT(v, c->last, c->last ? nodes : 0);
    VISIT(v, c->room, c->room ? nodes : 0);
}

/* The next worm of processor a, where there is one. */
static bool next_of(struct calendar *c, uint32_t a)
{
    if (c->traffic)
        return traffic_next(c->traffic, a, &c->coming[a]);
    uint32_t k = c->first[a];
    if (k == POOL_NONE)
        return false;
    c->coming[a] = c->more[k].is;
    c->first[a] = c->more[k].next;
    POOL_GIVE(c->more, c->pool, k);
    return true;
}

int calendar_limit(struct calendar *c, uint32_t nodes, uint32_t room)
{
    c->room = malloc(nodes * sizeof *c->room);
    for (uint32_t a = 0; c->room && a < nodes; a++)
        c->room[a] = room;
    return c->room ? 0 : -1;
}

void calendar_resume(struct calendar *c, uint32_t a)
{
    if (c->room && c->room[a]++ == 0 && calendar_more(c, a))
        insert(c, a);
}

int calendar_add(struct calendar *c, const struct traffic_worm *w)
{
    uint32_t a = w->src;

    if (calendar_more(c, a)) {
        uint32_t k = POOL_TAKE(c->more, c->pool, struct calendar_worm);
        if (k == POOL_NONE)
            return -1;
        c->more[k] = (struct calendar_worm){*w, POOL_NONE};
        *(c->first[a] == POOL_NONE ? &c->first[a] : &c->more[c->last[a]].next) = k;
        c->last[a] = k;
        return 0;
    }
    c->coming[a] = *w;
    insert(c, a);
    return 0;
}

void calendar_take_next(struct calendar *c, uint64_t cycle, struct traffic_worm *w)
{
    uint32_t a = c->late ? c->heap[0] : take_due(c);
    if (c->late) {
        c->heap[0] = c->heap[--c->late];
        if (c->late)
            sift_down(c, 0);
    }
    *w = c->coming[a];
    if (c->room && w->ready < cycle) /* it would have come while there was no room */
        w->ready = cycle;
    bool more = next_of(c, a);
    if (!more)
        c->coming[a].ready = UINT64_MAX;
    bool full = c->room && --c->room[a] == 0;
    if (more && !full)
        place(c, a);
    else
        c->count--;
    if (!c->due_count)
        turn(c);
}
