/* SPDX-License-Identifier: Apache-2.0
 * import_matrix.h - patterns of BookSim2 that here are a traffic matrix.
 */
#ifndef FATFLY_IMPORT_MATRIX_H
#define FATFLY_IMPORT_MATRIX_H

#include "fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a pattern of BookSim2's is one: hotspot and taper64, with parentheses behind it or not. */
bool import_matrix_is(const char *pattern);

/* Its weights of `nodes` processors, [nodes * nodes] to be freed, rows with one sum; NULL with what is wrong and what is
 * allowed in why[size]. */
double *import_matrix(const char *pattern, uint32_t nodes, char *why, size_t size);

/* A line for each source.  0, or -1 with f filled. */
int import_matrix_write(const double *weights, uint32_t nodes, const char *pattern, const char *file, struct fail *f);

#endif
