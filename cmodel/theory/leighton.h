/* SPDX-License-Identifier: Apache-2.0
 * leighton.h - greedy routing on the n-dimensional butterfly, N = 2^n rows: closed forms and bounds
 * of L 3.4.2.
 */
#ifndef FATFLY_LEIGHTON_H
#define FATFLY_LEIGHTON_H

#include <stdint.h>

/* Proof of theorem 3.22: the most greedy paths over an edge from level i - 1 to level i, 1 <= i <= n,
 * in any one-to-one problem. */
uint64_t leighton_edge_bound(unsigned n, unsigned i);

/* Steps that no one-to-one problem exceeds: n, and on each level the delay by all others that may
 * cross the same edge. */
uint64_t leighton_bound(unsigned n);

/* The same for one problem: row a sends to dst[a] (UINT32_MAX: nothing), paths counted edge by edge.
 * Never above leighton_bound() if no two send to the same row.  0 if memory is short. */
uint64_t leighton_bound_of(unsigned n, const uint32_t *dst);

/* Steps of the bit-reversal permutation, sqrt(N/2) + n - 1, for odd n; 0 for even n. */
uint64_t leighton_bit_reversal(unsigned n);

#endif
