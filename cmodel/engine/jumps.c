/* SPDX-License-Identifier: Apache-2.0
 * jumps.c - tables of the shift register, 2^k cycles on.
 */
#include "jumps.h"

/* What 2^k cycles make of a register with one bit. */
static uint32_t one_bit(const struct jumps *j, unsigned k, uint32_t bit)
{
    struct lfsr r = {bit};
    if (k)
        return jumps_by(j, k - 1, jumps_by(j, k - 1, bit));
    lfsr_tick(&r);
    return r.lfsr_q;
}

void jumps_make(struct jumps *j, unsigned k)
{
    for (unsigned byte = 0; byte < 4; byte++) {
        uint32_t *power = j->power[k][byte];
        power[0] = 0;
        for (uint32_t v = 1; v < 256; v++) {
            uint32_t lowest = v & (0 - v);
            power[v] = v == lowest ? one_bit(j, k, v << 8 * byte) : power[v ^ lowest] ^ power[lowest];
        }
    }
}

void jumps_masks(unsigned bit, uint32_t *masks, size_t step)
{
    for (unsigned from = 0; from < 32; from++) {
        struct lfsr r = {UINT32_C(1) << from};
        for (unsigned k = 0; k < JUMPS_SOON; k++, lfsr_tick(&r))
            masks[k * step] = (from ? masks[k * step] : 0) | (r.lfsr_q >> bit & 1) << from;
    }
}

void soon_make(struct soon *t)
{
    for (uint32_t v = 0; v < 16; v++)
        for (unsigned k = 0; k < 8; k++) {
            struct lfsr r = {v << 4 * k};
            for (unsigned cycles = 0; cycles < SOON; cycles++, lfsr_tick(&r))
                t->part[cycles][k][v] = (uint16_t)(r.lfsr_q >> 8 & 0xfff);
        }
}
