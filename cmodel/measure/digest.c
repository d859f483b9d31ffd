/* SPDX-License-Identifier: Apache-2.0
 * digest.c - the sum of digest_terms() eight at a time, where compiler and processor have 64-bit products of vectors
 * (AVX-512 DQ of x86-64): for long worms the digest is a third of a run's instructions.
 */
#include "digest.h"

#if defined __x86_64__ && defined __GNUC__
#ifndef EIGHTS /* test_digest.c has any processor run them */
#define EIGHTS __attribute__((target("avx512f,avx512dq")))
#define CAN_EIGHTS __builtin_cpu_supports("avx512dq")
#endif
typedef uint64_t eight __attribute__((vector_size(64)));

/* rng_hash() of each. */
EIGHTS static inline void hash_eight(eight *of)
{
    eight x = *of + UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    *of = x ^ x >> 31;
}

/* Of so many times eight. */
EIGHTS static uint64_t by_eights(uint64_t payload, uint32_t eights, uint64_t place, uint64_t mask)
{
    const eight nth = {0, 1, 2, 3, 4, 5, 6, 7};
    eight payloads = nth + payload, places = nth * DIGEST_STEP + place, sum = {0};

    for (; eights; eights--, payloads += 8, places += 8 * DIGEST_STEP) {
        eight x = payloads;
        hash_eight(&x);
        x = (x & mask) ^ places;
        hash_eight(&x);
        sum += x;
    }
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}

uint64_t digest_many(uint64_t payload, uint32_t count, uint64_t place, uint64_t mask)
{
    uint32_t most = count & ~UINT32_C(7);

    if (!most || !CAN_EIGHTS)
        return digest_terms(payload, count, place, mask);
    return by_eights(payload, most / 8, place, mask) +
           digest_terms(payload + most, count - most, place + most * DIGEST_STEP, mask);
}
#else
uint64_t digest_many(uint64_t payload, uint32_t count, uint64_t place, uint64_t mask)
{
    return digest_terms(payload, count, place, mask);
}
#endif
