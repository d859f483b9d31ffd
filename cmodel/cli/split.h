/* SPDX-License-Identifier: Apache-2.0
 * split.h - work cut into tasks of about equal cost, the same on every machine: K/T.
 */
#ifndef FATFLY_SPLIT_H
#define FATFLY_SPLIT_H

#include "fail.h"

#include <stddef.h>
#include <stdint.h>

enum { SPLIT_MAX_TASKS = 100000 };

/* "3/16": task 3 of 16, both from 1.  -1 with f filled (exit code 2). */
int split_parse(const char *text, uint32_t *task, uint32_t *tasks, struct fail *f);

/* task_of[count]: the task, from 1, of each piece of work.  The longest piece first goes to the task
 * that has least (R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17, 1969);
 * equal ones in their order, to the task of the lowest number.  -1 with f filled: no memory. */
int split(const double *cost, size_t count, uint32_t tasks, uint32_t *task_of, struct fail *f);

#endif
