/* SPDX-License-Identifier: Apache-2.0
 * list.h - a list of numbers that grows.
 */
#ifndef FATFLY_LIST_H
#define FATFLY_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct list {
    uint32_t *item;
    uint32_t count, room;
};

/* false: memory is short. */
static inline bool push(struct list *l, uint32_t item)
{
    if (l->count == l->room) {
        uint32_t room = l->room ? 2 * l->room : 64;
        uint32_t *more = realloc(l->item, room * sizeof *more);
        if (!more)
            return false;
        l->item = more;
        l->room = room;
    }
    l->item[l->count++] = item;
    return true;
}

#endif
