/* SPDX-License-Identifier: Apache-2.0
 * jumps.c - tables of the shift register, 2^k cycles on.
 */
#include "jumps.h"

void jumps_make(struct jumps *j, unsigned k)
{
    for (unsigned byte = 0; byte < 4; byte++)
        for (uint32_t v = 0; v < 256; v++) {
            struct lfsr r = {v << 8 * byte};
            if (k == 0)
                lfsr_tick(&r);
            else
                r.lfsr_q = jumps_by(j, k - 1, jumps_by(j, k - 1, r.lfsr_q));
            j->power[k][byte][v] = r.lfsr_q;
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
