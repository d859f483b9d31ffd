/* SPDX-License-Identifier: Apache-2.0
 * lfsr.h - the random bits of one switch: 16 fresh bits a cycle.  RTL twin: rtl/lfsr.v.
 *
 * s[n] = s[n-32] ^ s[n-30] ^ s[n-26] ^ s[n-25], 16 steps at once; period 2^32 - 1.
 */
#ifndef FATFLY_LFSR_H
#define FATFLY_LFSR_H

#include <stdint.h>

struct lfsr {
    uint32_t lfsr_q; /* [32] bit 0 is the oldest; bits 31..16 are new in this cycle */
};

/* State at reset; 0, which would stay 0, becomes 1. */
static inline void lfsr_reset(struct lfsr *r, uint32_t seed)
{
    r->lfsr_q = seed ? seed : 1;
}

static inline void lfsr_tick(struct lfsr *r)
{
    uint32_t q = r->lfsr_q;
    uint32_t fresh = q ^ q >> 2 ^ q >> 6 ^ q >> 7;
    r->lfsr_q = (fresh << 16) + (q >> 16);
}

#endif
