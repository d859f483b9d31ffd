/* SPDX-License-Identifier: Apache-2.0
 * geometric.c - geometric random numbers, binary digit by binary digit.
 */
#include "geometric.h"

#include <float.h>

#if FLT_EVAL_METHOD != 0
#error "doubles must be rounded to doubles at every step, or digests differ: use -msse2 -mfpmath=sse"
#endif

/* s = 1 - r^(2^i) is kept rather than r^(2^i): a small p keeps all its digits in s, and
 * 1 - (1 - s)^2 = s (2 - s). */
void geometric_init(struct geometric *g, double p)
{
    double s = p;
    g->digits = 0;
    while (g->digits < sizeof g->digit / sizeof *g->digit) {
        uint64_t chance = (uint64_t)((1 - s) / (2 - s) * 0x1p53 + 0.5);
        if (chance == 0) /* so are those of all higher digits */
            break;
        g->digit[g->digits++] = chance;
        s = s * (2 - s);
    }
}

uint64_t geometric_next(const struct geometric *g, struct rng *r)
{
    uint64_t k = 0;
    for (unsigned i = 0; i < g->digits; i++)
        k |= (uint64_t)(rng_next(r) >> 11 < g->digit[i]) << i;
    return k;
}
