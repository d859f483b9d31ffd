/* SPDX-License-Identifier: Apache-2.0
 * fence.c - calloc() for mutants of the C model: what lies before and behind a block is watched.
 *
 * Linked with --wrap=calloc,--wrap=free.  A mutant that touches what lies behind an array crashes, as it
 * may anywhere, instead of passing where nothing of value lies there: that page cannot be touched.  What
 * it has written before the array, up to the start of the page, is found when the array is freed.
 */
#define _DEFAULT_SOURCE /* MAP_ANON */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);

enum { PAGE = 4096, BEFORE = 0xa5 };

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes = count * size; /* a type's alignment divides its size */
    size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
    uint8_t *at = mmap(NULL, pages + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);

    if (at == MAP_FAILED || mprotect(at, PAGE, PROT_NONE) || mprotect(at + PAGE + pages, PAGE, PROT_NONE))
        return NULL;
    at += PAGE;
    memset(at, BEFORE, pages - bytes);
    return at + pages - bytes;
}

/* The memory is kept: a mutant has a process of its own, which ends soon. */
void __wrap_free(void *block)
{
    for (const uint8_t *at = block; (uintptr_t)at % PAGE;)
        if (*--at != BEFORE)
            abort();
}
