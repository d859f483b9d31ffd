/* SPDX-License-Identifier: Apache-2.0
 * rng.h - random numbers of the traffic (not of the switches: those are in lfsr.h).
 *
 * SplitMix64 by Steele, Lea and Flood (OOPSLA 2014): the n-th number is a hash of seed + n, so the
 * same seed gives the same traffic on every machine.
 */
#ifndef FATFLY_RNG_H
#define FATFLY_RNG_H

#include <stdint.h>

static inline uint64_t rng_hash(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t x = rng_hash(r->state);
    r->state += UINT64_C(0x9E3779B97F4A7C15);
    return x;
}

/* As if so many numbers had been drawn. */
static inline void rng_skip(struct rng *r, uint64_t count)
{
    r->state += count * UINT64_C(0x9E3779B97F4A7C15);
}

/* The number that was drawn last, which then has not been drawn. */
static inline uint64_t rng_back(struct rng *r)
{
    r->state -= UINT64_C(0x9E3779B97F4A7C15);
    return rng_hash(r->state);
}

/* 0 .. n - 1, each equally likely to within 2^-32; n < 2^32. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

#endif
