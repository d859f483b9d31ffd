/* SPDX-License-Identifier: Apache-2.0
 * split.c - work cut into tasks of about equal cost.
 */
#include "split.h"

#include "args.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int split_parse(const char *text, uint32_t *task, uint32_t *tasks, struct fail *f)
{
    struct fail ignored;
    uint64_t k = 0, t = 0;
    char first[24] = "";
    const char *slash = strchr(text, '/');
    if (slash && slash - text < (int)sizeof first)
        memcpy(first, text, (size_t)(slash - text));
    if (!slash || args_whole("", first, 1, SPLIT_MAX_TASKS, &k, &ignored)
        || args_whole("", slash + 1, 1, SPLIT_MAX_TASKS, &t, &ignored) || k > t)
        return fail(f, EXIT_USAGE, "--task %.60s; allowed: K/T, the share K of T, with K from 1 to T and T from 1 to %d",
                    text, SPLIT_MAX_TASKS);
    *task = (uint32_t)k;
    *tasks = (uint32_t)t;
    return 0;
}

struct load {
    double cost;
    uint32_t task;
};

static bool less(const struct load *a, const struct load *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->task < b->task);
}

/* The first of a heap has more now. */
static void sink(struct load *heap, uint32_t count)
{
    for (uint32_t k = 0, least; 2 * k + 1 < count; k = least) {
        least = 2 * k + 1;
        least += least + 1 < count && less(&heap[least + 1], &heap[least]);
        if (!less(&heap[least], &heap[k]))
            return;
        struct load swap = heap[k];
        heap[k] = heap[least];
        heap[least] = swap;
    }
}

struct sized {
    double cost;
    size_t place;
};

static int longer_first(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    return x->cost > y->cost ? -1 : x->cost < y->cost ? 1 : x->place < y->place ? -1 : 1;
}

int split(const double *cost, size_t count, uint32_t tasks, uint32_t *task_of, struct fail *f)
{
    struct load *heap = calloc(tasks, sizeof *heap);
    struct sized *order = calloc(count ? count : 1, sizeof *order);
    if (!heap || !order) {
        free(heap);
        free(order);
        return fail(f, EXIT_SYSTEM, "no memory for %" PRIu32 " tasks", tasks);
    }
    for (uint32_t k = 0; k < tasks; k++)
        heap[k].task = k + 1;
    for (size_t k = 0; k < count; k++)
        order[k] = (struct sized){cost[k], k};
    qsort(order, count, sizeof *order, longer_first);
    for (size_t k = 0; k < count; k++) {
        task_of[order[k].place] = heap[0].task;
        heap[0].cost += order[k].cost;
        sink(heap, tasks);
    }
    free(heap);
    free(order);
    return 0;
}
