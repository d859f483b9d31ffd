/* SPDX-License-Identifier: Apache-2.0
 * jumps.h - the shift register of lfsr.h many cycles on, for switches that sleep.
 */
#ifndef FATFLY_JUMPS_H
#define FATFLY_JUMPS_H

#include "lfsr.h"

#include <stddef.h>

enum { JUMPS = 32, JUMPS_SOON = 128, SOON = 64 };

/* All zero before the first use. */
struct jumps {
    unsigned rows; /* of power[] that have been needed */
    uint32_t power[JUMPS][4][256];
};

static inline uint32_t jumps_by(const struct jumps *j, unsigned power, uint32_t q)
{
    return j->power[power][0][q & 255] ^ j->power[power][1][q >> 8 & 255] ^
           j->power[power][2][q >> 16 & 255] ^ j->power[power][3][q >> 24];
}

/* The register is linear, so 2^k cycles are the XOR of what they make of each byte. */
void jumps_make(struct jumps *j, unsigned k);

/* Bit `bit` of the register k cycles on, k below JUMPS_SOON, is the parity of masks[k * step] and lfsr_q. */
void jumps_masks(unsigned bit, uint32_t *masks, size_t step);

/* lfsr_q after `cycles` cycles. */
static inline uint32_t jumps_after(struct jumps *j, uint32_t lfsr_q, uint64_t cycles)
{
    uint64_t gap = cycles % UINT32_MAX; /* the period of the register */
    if (gap < 6) {
        struct lfsr r = {lfsr_q};
        for (; gap; gap--)
            lfsr_tick(&r);
        return r.lfsr_q;
    }
    for (unsigned k = 0; gap; k++, gap >>= 1) {
        if (k == j->rows)
            jumps_make(j, j->rows++);
        if (gap & 1)
            lfsr_q = jumps_by(j, k, lfsr_q);
    }
    return lfsr_q;
}

/* Bits 8 to 19 of the register less than SOON cycles on: what each four bits of it add to them.  16 kB. */
struct soon {
    uint16_t part[SOON][8][16];
};

void soon_make(struct soon *t);

/* They, at their places, after so many cycles. */
static inline uint32_t soon_bits(const struct soon *t, uint32_t lfsr_q, uint64_t cycles)
{
    const uint16_t(*part)[16] = t->part[cycles];
    uint32_t bits = 0;
#pragma GCC unroll 8
    for (unsigned k = 0; k < 8; k++)
        bits ^= part[k][lfsr_q >> 4 * k & 15];
    return bits << 8;
}

#endif
