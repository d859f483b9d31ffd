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

static inline uint64_t digest_one_by_one(uint32_t number, uint32_t k, uint32_t count, uint64_t cycle, uint32_t exit,
                                         uint64_t mask)
{
    uint64_t sum = 0;
    for (uint32_t f = 0; f < count; f++)
        sum += digest_flit(flit_payload(0, number, k + f, mask), FLIT_BODY, cycle + f, exit, 0);
    return sum;
}

/* The sum of the hashes of count flits: of payloads payload, payload + 1 and so on, at places that grow by DIGEST_STEP. */
#define DIGEST_STEP (UINT64_C(0xD6E8FEB86659FD93) << 24)
static inline uint64_t digest_terms(uint64_t payload, uint32_t count, uint64_t place, uint64_t mask)
{
    uint64_t sum = 0;
    for (uint32_t f = 0; f < count; f++, place += DIGEST_STEP)
        sum += rng_hash((rng_hash(payload + f) & mask) ^ place);
    return sum;
}

/* The same, eight at a time where the processor can (digest.c). */
uint64_t digest_many(uint64_t payload, uint32_t count, uint64_t place, uint64_t mask);

/* The sum of what these are for body flits k .. k + count - 1 of a worm that arrive one a cycle, the first
 * in that cycle, by channel 0: below 4^10 processors exit << 4 lies below bit 24, so its place grows by the same with every cycle
 * but in those that are multiples of 2^40. */
static inline uint64_t digest_bodies(uint32_t number, uint32_t k, uint32_t count, uint64_t cycle, uint32_t exit,
                                     uint64_t mask)
{
    const uint64_t late = UINT64_C(0xBF58476D1CE4E5B9);
    uint64_t place = (cycle << 24 ^ (uint64_t)exit << 4) * UINT64_C(0xD6E8FEB86659FD93) + (cycle >> 40) * late;
    /* Of more than 4^10 processors the number reaches into the bits of the cycle. */
    if (exit >> 20)
        return digest_one_by_one(number, k, count, cycle, exit, mask);
    uint64_t payload = (uint64_t)number << 32 | k;
    uint64_t turn = (UINT64_C(1) << 40) - (cycle & ((UINT64_C(1) << 40) - 1)); /* cycles before the next of them */
    uint32_t before = turn < count ? (uint32_t)turn : count;

    uint64_t sum = digest_many(payload, before, place, mask);
    if (before < count)
        sum += digest_many(payload + before, count - before, place + late + before * DIGEST_STEP, mask);
    return sum;
}

#endif
