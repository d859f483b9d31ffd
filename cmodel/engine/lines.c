/* SPDX-License-Identifier: Apache-2.0
 * lines.c - arrays whose records are lines of the cache.
 */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise() */
#include <sys/mman.h>
#endif

#include "lines.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, LARGE_PAGE = 1 << 21 };

/* Where the system has no large pages, or gives none, the array is in small ones and all else is the same. */
static void ask_for_large_pages(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    (void)!madvise(array, bytes, MADV_HUGEPAGE);
#else
    (void)array;
    (void)bytes;
#endif
}

void *lines_unset(size_t count, size_t size)
{
    size_t step = count * size >= (size_t)2 * LARGE_PAGE ? LARGE_PAGE : LINE, bytes = (count * size + step - 1) / step * step;
    void *array = aligned_alloc(step, bytes);
    if (array && step == LARGE_PAGE)
        ask_for_large_pages(array, bytes);
    return array;
}

void *lines_longer(void *old, size_t was, size_t count, size_t size)
{
    char *more = lines_unset(count, size);
    if (!more)
        return NULL;
    if (was)
        memcpy(more, old, was * size);
    memset(more + was * size, 0, (count - was) * size);
    free(old);
    return more;
}
