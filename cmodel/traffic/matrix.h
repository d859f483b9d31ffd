/* SPDX-License-Identifier: Apache-2.0
 * matrix.h - destinations by the weights of a traffic matrix.
 */
#ifndef FATFLY_MATRIX_H
#define FATFLY_MATRIX_H

#include "fatfly.h"
#include "rng.h"

/* The viewer's page (FATFLY_SESSIONS_ALONE), which reads no files, is compiled without. */
#ifdef FATFLY_SESSIONS_ALONE
enum { MATRIX_THERE = 0 };
#else
enum { MATRIX_THERE = 1 };
#endif

/* [nodes]: each processor's part of the load, its row's sum over the mean row's; 0: it sends nothing.
 * To be freed; NULL if memory is short. */
double *matrix_parts(const struct fatfly_config *c);

/* [nodes * nodes]: of each row, the sums of its weights up to each destination over the whole sum, in
 * 2^53.  To be freed; NULL if memory is short. */
uint64_t *matrix_sums(const struct fatfly_config *c);

/* A destination of src, each with its weight's chance.  Not for a row of zeros. */
uint32_t matrix_dst(const uint64_t *sums, uint32_t nodes, uint32_t src, struct rng *r);

/* Whether src sends to somebody else, too. */
bool matrix_leaves(const struct fatfly_config *c, uint32_t src);

#endif
