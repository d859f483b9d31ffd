/* SPDX-License-Identifier: Apache-2.0
 * heads.c - heads of random worms by the C model; tb_fatfly_head.v prints the same list.
 */
#include <inttypes.h>
#include <stdio.h>

#include "flit.h"

static uint32_t state = 1;

static uint32_t bits(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return n ? state >> (32 - n) : 0;
}

int main(void)
{
    for (unsigned levels = 1; levels <= MAX_LEVELS; levels++)
        for (unsigned i = 0; i < 1000; i++) {
            uint32_t src = bits(2 * levels);
            uint32_t dst = bits(2 * levels);
            if (i % 2) /* of all heights as often */
                dst ^= (dst ^ src) >> 2 * (i / 2 % levels) << 2 * (i / 2 % levels);
            uint32_t path = bits(levels - 1);
            printf("%u %" PRIu32 " %" PRIu32 " %" PRIu32 " %016" PRIx64 "\n", levels, src, dst, path,
                   head_pack(levels, dst, src, worm_height(src, dst), path));
        }
    return 0;
}
