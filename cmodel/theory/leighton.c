/* SPDX-License-Identifier: Apache-2.0
 * leighton.c - closed forms and bounds of L 3.4.2.
 */
#include "leighton.h"

#include <stdlib.h>

uint64_t leighton_edge_bound(unsigned n, unsigned i)
{
    unsigned before = i - 1, after = n - i; /* 2^before rows reach it, and it reaches 2^after */
    return UINT64_C(1) << (before < after ? before : after);
}

uint64_t leighton_bound(unsigned n)
{
    uint64_t steps = n;
    for (unsigned i = 1; i <= n; i++)
        steps += leighton_edge_bound(n, i) - 1;
    return steps;
}

/* Edge that the path from row a to row b takes out of level i - 1: two for each of its rows.  Up to
 * there the first i - 1 bits are those of b. */
static uint32_t edge(unsigned n, unsigned i, uint32_t a, uint32_t b)
{
    uint32_t low = (UINT32_C(1) << (n - i + 1)) - 1;
    uint32_t row = (b & ~low) | (a & low), bit = UINT32_C(1) << (n - i);
    return 2 * row + (((row ^ b) & bit) != 0);
}

uint64_t leighton_bound_of(unsigned n, const uint32_t *dst)
{
    uint32_t rows = UINT32_C(1) << n;
    uint32_t *paths = calloc(2 * (size_t)rows * n, sizeof *paths);
    uint64_t most = 0;

    if (!paths)
        return 0;
    for (unsigned i = 1; i <= n; i++)
        for (uint32_t a = 0; a < rows; a++)
            if (dst[a] != UINT32_MAX)
                paths[2 * (size_t)rows * (i - 1) + edge(n, i, a, dst[a])]++;
    for (uint32_t a = 0; a < rows; a++) {
        uint64_t steps = n;
        for (unsigned i = 1; i <= n && dst[a] != UINT32_MAX; i++)
            steps += paths[2 * (size_t)rows * (i - 1) + edge(n, i, a, dst[a])] - 1;
        if (dst[a] != UINT32_MAX && steps > most)
            most = steps;
    }
    free(paths);
    return most;
}

uint64_t leighton_bit_reversal(unsigned n)
{
    return n % 2 ? (UINT64_C(1) << (n - 1) / 2) + n - 1 : 0;
}
