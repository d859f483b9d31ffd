/* SPDX-License-Identifier: Apache-2.0
 * matrix.c - destinations by the weights of a traffic matrix.
 */
#include "matrix.h"

#include <stdlib.h>

static double row_sum(const struct fatfly_config *c, uint32_t src)
{
    double sum = 0;
    for (uint32_t dst = 0; dst < c->nodes; dst++)
        sum += c->matrix[(size_t)src * c->nodes + dst];
    return sum;
}

double *matrix_parts(const struct fatfly_config *c)
{
    double *part = malloc(c->nodes * sizeof *part), all = 0;

    for (uint32_t src = 0; part && src < c->nodes; src++)
        all += part[src] = row_sum(c, src);
    double scale = all < 1e-290 ? 0x1p300 : 1; /* sums near the smallest number keep their digits */
    for (uint32_t src = 0; part && src < c->nodes; src++)
        part[src] = part[src] * scale / (all * scale / c->nodes);
    return part;
}

uint64_t *matrix_sums(const struct fatfly_config *c)
{
    uint32_t n = c->nodes;
    uint64_t *sums = malloc((size_t)n * n * sizeof *sums);

    for (uint32_t src = 0; sums && src < n; src++) {
        double sum = row_sum(c, src), so_far = 0;
        uint64_t *row = sums + (size_t)src * n;
        uint32_t last = 0; /* with a weight: rounding must leave nothing to those after it */
        for (uint32_t dst = 0; dst < n; dst++) {
            double weight = c->matrix[(size_t)src * n + dst];
            so_far += weight;
            last = weight > 0 ? dst : last;
            row[dst] = sum > 0 ? (uint64_t)(so_far / sum * 0x1p53) : 0;
        }
        for (uint32_t dst = last; dst < n; dst++)
            row[dst] = UINT64_C(1) << 53;
    }
    return sums;
}

uint32_t matrix_dst(const uint64_t *sums, uint32_t nodes, uint32_t src, struct rng *r)
{
    const uint64_t *row = sums + (size_t)src * nodes, x = rng_next(r) >> 11;
    uint32_t low = 0, high = nodes - 1; /* the first above x is in low .. high */

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (row[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool matrix_leaves(const struct fatfly_config *c, uint32_t src)
{
    for (uint32_t dst = 0; dst < c->nodes; dst++)
        if (dst != src && c->matrix[(size_t)src * c->nodes + dst] > 0)
            return true;
    return false;
}
