/* SPDX-License-Identifier: Apache-2.0
 * pool.h - records known by their numbers, in an array that grows; those not in use are a list.
 */
#ifndef FATFLY_POOL_H
#define FATFLY_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POOL_NONE = UINT32_MAX };

struct pool {
    uint32_t count;  /* places in the array */
    uint32_t unused; /* the first of the list; POOL_NONE */
};

/* Makes the array of *count records of `size` bytes longer by `more`; the new ones, linked by the
 * uint32_t at byte `next` of each, the lowest first, become the unused ones, of which there must be
 * none.  Returns the array, or NULL if memory is short: then all is as it was. */
static inline void *pool_grow(void *records, size_t size, size_t next, uint32_t more, uint32_t *count,
                              uint32_t *unused)
{
    char *r = more > POOL_NONE / 2 - *count ? NULL : realloc(records, ((size_t)*count + more) * size);
    if (!r)
        return NULL;
    for (uint32_t k = *count; k < *count + more; k++) {
        uint32_t after = k + 1 < *count + more ? k + 1 : POOL_NONE;
        memcpy(r + k * size + next, &after, sizeof after);
    }
    *unused = *count;
    *count += more;
    return r;
}

/* The number of an unused record of the array at *array, which grows by `more` where there is none;
 * POOL_NONE if memory is short. */
static inline uint32_t pool_take(void *array, struct pool *p, size_t size, size_t next, uint32_t more)
{
    char *records;
    uint32_t k;

    memcpy(&records, array, sizeof records);
    if (p->unused == POOL_NONE) {
        records = pool_grow(records, size, next, more, &p->count, &p->unused);
        if (!records)
            return POOL_NONE;
        memcpy(array, &records, sizeof records);
    }
    k = p->unused;
    memcpy(&p->unused, records + k * size + next, sizeof p->unused);
    return k;
}

/* The same for an array whose records are linked by a member `next`; it grows to twice its size. */
#define POOL_TAKE(array, pool, type)                                                             \
    pool_take(&(array), &(pool), sizeof(type), offsetof(type, next), (pool).count ? (pool).count : 256)

/* Records in such an array of which so many are in use at once. */
static inline uint64_t pool_places(uint64_t used)
{
    uint64_t places = 256;
    while (places < used)
        places *= 2;
    return places;
}

/* Record k is not in use any more. */
#define POOL_GIVE(array, pool, k) ((array)[k].next = (pool).unused, (pool).unused = (k))

#endif
