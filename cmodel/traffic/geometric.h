/* SPDX-License-Identifier: Apache-2.0
 * geometric.h - geometric random numbers without a logarithm, so that every libm gives the same.
 *
 * P(G = k) = p (1 - p)^k, k = 0, 1, ..  The binary digits of G are independent: digit i is one with
 * chance r^(2^i) / (1 + r^(2^i)), r = 1 - p.
 */
#ifndef FATFLY_GEOMETRIC_H
#define FATFLY_GEOMETRIC_H

#include "rng.h"

#include <stdint.h>

struct geometric {
    uint64_t digit[56]; /* chance in 2^64 that digit i is one, a multiple of 2^11 */
    unsigned digits;    /* random numbers that a draw takes, one for each */
    unsigned looked_at; /* of them; those of higher digits are passed over, and the digits are zero */
};

/* 2^-50 <= p <= 1. */
void geometric_init(struct geometric *g, double p);
uint64_t geometric_next(const struct geometric *g, struct rng *r);

#endif
