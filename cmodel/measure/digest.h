/* SPDX-License-Identifier: Apache-2.0
 * digest.h - one number for every flit that a run delivered: which worm's, which, when and where.
 *
 * A sum of hashes, so that processors may be looked at in any order.
 */
#ifndef FATFLY_DIGEST_H
#define FATFLY_DIGEST_H

#include "flit.h"
#include "rng.h"

/* Payload of flit k of worm `number`: the head's own, or a hash that tells worm and place apart. */
static inline uint64_t flit_payload(uint64_t head, uint32_t number, uint32_t k, uint64_t mask)
{
    return k ? rng_hash((uint64_t)number << 32 | k) & mask : head;
}

static inline uint64_t digest_flit(uint64_t payload, unsigned kind, uint64_t cycle, uint32_t exit,
                                   unsigned channel)
{
    uint64_t late = (cycle >> 40) * UINT64_C(0xBF58476D1CE4E5B9); /* bits that the shift below loses */
    uint64_t place = (cycle << 24 ^ (uint64_t)exit << 4 ^ channel << 2 ^ kind) *
                     UINT64_C(0xD6E8FEB86659FD93) + late;
    return rng_hash(payload ^ place);
}

#endif
