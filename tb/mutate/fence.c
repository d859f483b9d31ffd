/* SPDX-License-Identifier: Apache-2.0
 * fence.c - calloc() for mutants of the C model: the page behind a block cannot be touched.
 *
 * Linked with --wrap=calloc,--wrap=free.  A mutant that writes past the end of an array crashes, as
 * it may anywhere, instead of passing where nothing of value lies there.
 */
#define _DEFAULT_SOURCE /* MAP_ANON */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);

enum { PAGE = 4096, ALIGN = 8 };

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
    uint8_t *at = mmap(NULL, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);

    if (at == MAP_FAILED || mprotect(at + pages, PAGE, PROT_NONE))
        return NULL;
    return at + pages - bytes;
}

/* A mutant has a process of its own, which ends soon. */
void __wrap_free(void *block)
{
    (void)block;
}
