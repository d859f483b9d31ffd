/* SPDX-License-Identifier: Apache-2.0
 * calendar.c - the next worm of every processor, by the cycle in which it is ready: a binary heap.
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

static void sift_down(struct calendar *c, uint32_t k)
{
    uint32_t a = c->heap[k];
    for (;;) {
        uint32_t child = 2 * k + 1;
        if (child >= c->count)
            break;
        if (child + 1 < c->count && earlier(c, c->heap[child + 1], c->heap[child]))
            child++;
        if (!earlier(c, c->heap[child], a))
            break;
        c->heap[k] = c->heap[child];
        k = child;
    }
    c->heap[k] = a;
}

int calendar_open(struct calendar *c, struct traffic *t, uint32_t nodes)
{
    return calendar_open_some(c, t, nodes, 0, nodes);
}

int calendar_open_some(struct calendar *c, struct traffic *t, uint32_t nodes, uint32_t from, uint32_t to)
{
    c->traffic = t;
    c->count = 0;
    c->room = NULL;
    c->coming = malloc(nodes * sizeof *c->coming);
    c->heap = malloc((to - from) * sizeof *c->heap);
    c->pool.unused = POOL_NONE;
    c->first = t ? NULL : malloc(nodes * sizeof *c->first);
    c->last = t ? NULL : malloc(nodes * sizeof *c->last);
    if (!c->coming || !c->heap || (!t && (!c->first || !c->last))) {
        calendar_close(c);
        return -1;
    }
    for (uint32_t a = 0; a < nodes && !t; a++)
        c->first[a] = POOL_NONE;
    for (uint32_t a = from; a < to; a++)
        if (t && traffic_next(t, a, &c->coming[a]))
            c->heap[c->count++] = a;
        else
            c->coming[a].ready = UINT64_MAX;
    for (uint32_t k = c->count / 2; k-- > 0;)
        sift_down(c, k);
    return 0;
}

void calendar_close(struct calendar *c)
{
    free(c->coming);
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

/* Processor a, which is not in the heap, has a worm. */
static void insert(struct calendar *c, uint32_t a)
{
    uint32_t k = c->count++;
    for (; k && earlier(c, a, c->heap[(k - 1) / 2]); k = (k - 1) / 2)
        c->heap[k] = c->heap[(k - 1) / 2];
    c->heap[k] = a;
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

bool calendar_take(struct calendar *c, uint64_t cycle, struct traffic_worm *w)
{
    if (!c->count || c->coming[c->heap[0]].ready > cycle)
        return false;
    uint32_t a = c->heap[0];
    *w = c->coming[a];
    if (c->room && w->ready < cycle) /* it would have come while there was no room */
        w->ready = cycle;
    bool more = next_of(c, a);
    if (!more)
        c->coming[a].ready = UINT64_MAX;
    bool full = c->room && --c->room[a] == 0;
    if (!more || full)
        c->heap[0] = c->heap[--c->count];
    if (c->count)
        sift_down(c, 0);
    return true;
}
