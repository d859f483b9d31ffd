/* SPDX-License-Identifier: Apache-2.0
 * grow.h - arrays that grow to twice their length; of no layer, for all.
 */
#ifndef FATFLY_GROW_H
#define FATFLY_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The array of items of `size` bytes at *array becomes `room` long; false if memory is short: then it is as it was. */
static inline bool grow_to(void *array, size_t size, size_t room)
{
    void *items;
    memcpy(&items, array, sizeof items);
    items = realloc(items, room * size);
    if (items)
        memcpy(array, &items, sizeof items);
    return items;
}

#define GROWN(room, least) ((room) ? 2 * (room) : (least))

/* Room for one more behind count, at first for `least`; false if memory is short: then all is as it was. */
#define GROW(array, count, room, least)                                                \
    ((count) < (room) || (GROWN(room, least) > (room) &&                               \
                          grow_to(&(array), sizeof *(array), GROWN(room, least)) &&    \
                          ((room) = GROWN(room, least), true)))

#endif
