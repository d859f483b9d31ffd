/* SPDX-License-Identifier: Apache-2.0
 * geometric.c - geometric random numbers, binary digit by binary digit.
 */
#include "geometric.h"

#include <float.h>

#if FLT_EVAL_METHOD != 0
#error "doubles must be rounded to doubles at every step, or digests differ: use -msse2 -mfpmath=sse"
#endif

/* s = 1 - r^(2^i) is kept rather than r^(2^i): a small p keeps all its digits in s, and
 * 1 - (1 - s)^2 = s (2 - s).  For many p rounding keeps s from becoming 1: it stays 2^-53 below, and all digits to
 * the highest have a chance of 2^-53, where from the second of them on it should be 2^-106 and less. */
void geometric_init(struct geometric *g, double p)
{
    double s = p;
    g->digits = g->looked_at = 0;
    while (g->digits < sizeof g->digit / sizeof *g->digit) {
        uint64_t chance = (uint64_t)((1 - s) / (2 - s) * 0x1p53 + 0.5);
        if (chance == 0) /* so are those of all higher digits */
            break;
        if (g->digits == g->looked_at && (g->digits == 0 || g->digit[g->digits - 1] >> 11 > 1))
            g->looked_at++;
        g->digit[g->digits++] = chance << 11;
        s = s * (2 - s);
    }
}

uint64_t geometric_next(const struct geometric *g, struct rng *r)
{
    const uint64_t *digit = g->digit + g->looked_at;
    struct rng at = *r;
    uint64_t k = 0;
    rng_skip(&at, g->looked_at);
    while (digit != g->digit)
        k = k + k + (rng_back(&at) < *--digit);
    rng_skip(r, g->digits);
    return k;
}
