/* SPDX-License-Identifier: Apache-2.0
 * visit.h - the arrays that a state owns and changes, shown one after the other: snapshots copy them.
 */
#ifndef FATFLY_VISIT_H
#define FATFLY_VISIT_H

#include <stddef.h>

struct visitor {
    /* array: where the pointer to `bytes` bytes from malloc() lies (NULL if none are there yet). */
    void (*see)(struct visitor *v, void *array, size_t bytes);
};

/* The same arrays in the same order every time. */
#define VISIT(v, array, count) (v)->see((v), &(array), (size_t)(count) * sizeof *(array))

#endif
