/* SPDX-License-Identifier: Apache-2.0
 * calendar.c - the next worm of every processor, by the cycle in which it is ready: a binary heap.
 */
#include "calendar.h"

#include <stdlib.h>

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
    c->traffic = t;
    c->count = 0;
    c->coming = malloc(nodes * sizeof *c->coming);
    c->heap = malloc(nodes * sizeof *c->heap);
    if (!c->coming || !c->heap) {
        calendar_close(c);
        return -1;
    }
    for (uint32_t a = 0; a < nodes; a++)
        if (traffic_next(t, a, &c->coming[a]))
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
    c->coming = NULL;
    c->heap = NULL;
    c->count = 0;
}

bool calendar_take(struct calendar *c, uint64_t cycle, struct traffic_worm *w)
{
    if (!c->count || c->coming[c->heap[0]].ready > cycle)
        return false;
    uint32_t a = c->heap[0];
    *w = c->coming[a];
    if (!traffic_next(c->traffic, a, &c->coming[a])) {
        c->coming[a].ready = UINT64_MAX;
        c->heap[0] = c->heap[--c->count];
    }
    if (c->count)
        sift_down(c, 0);
    return true;
}
