/* SPDX-License-Identifier: Apache-2.0
 * jumps.h - the shift register of lfsr.h many cycles on, for switches that sleep.
 */
#ifndef FATFLY_JUMPS_H
#define FATFLY_JUMPS_H

#include "lfsr.h"

#include <stddef.h>

enum { JUMPS = 32, JUMPS_SOON = 128 };

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

/* The same without a branch for up to 63 cycles, where how many cannot be foreseen. */
static inline uint32_t jumps_few(struct jumps *j, uint32_t lfsr_q, uint64_t cycles)
{
    if (cycles > 63)
        return jumps_after(j, lfsr_q, cycles);
    struct lfsr one = {lfsr_q}, two;
    uint32_t gap = (uint32_t)cycles;
    lfsr_tick(&one);
    lfsr_q ^= (lfsr_q ^ one.lfsr_q) & (0 - (gap & 1));
    two.lfsr_q = lfsr_q;
    lfsr_tick(&two);
    lfsr_tick(&two);
    lfsr_q ^= (lfsr_q ^ two.lfsr_q) & (0 - (gap >> 1 & 1));
    if (gap > 3) {
        while (j->rows < 6)
            jumps_make(j, j->rows++);
        for (unsigned k = 2; k < 6; k++)
            lfsr_q ^= (lfsr_q ^ jumps_by(j, k, lfsr_q)) & (0 - (gap >> k & 1));
    }
    return lfsr_q;
}

#endif
