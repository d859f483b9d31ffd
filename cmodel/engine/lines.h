/* SPDX-License-Identifier: Apache-2.0
 * lines.h - arrays whose records are lines of the cache; those of some megabytes and more are in large pages where
 * the system has them, so that the processor finds them without a walk through its tables of pages.
 */
#ifndef FATFLY_LINES_H
#define FATFLY_LINES_H

#include <stddef.h>

/* An array of `count` records of any contents, or NULL if memory is short.  free() frees it. */
void *lines_unset(size_t count, size_t size);

/* An array of `count` records in place of one of `was`, which it takes over; the others are zero.  free() frees it.
 * NULL if memory is short: then the old one (NULL: none) is as it was. */
void *lines_longer(void *old, size_t was, size_t count, size_t size);

#endif
