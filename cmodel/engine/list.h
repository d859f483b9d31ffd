/* SPDX-License-Identifier: Apache-2.0
 * list.h - a list of numbers that grows: item by item (push), or to a known length beforehand (lengthen, append).
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

/* So many have room.  false: memory is short. */
static inline bool lengthen(struct list *l, uint32_t count)
{
    uint32_t *item = realloc(l->item, count * sizeof *item);
    if (!item)
        return false;
    l->item = item;
    l->room = count;
    return true;
}

/* There is room. */
static inline void append(struct list *l, uint32_t item)
{
    l->item[l->count++] = item;
}

#endif
