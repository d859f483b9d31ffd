/* SPDX-License-Identifier: Apache-2.0
 * task.h - what a case of the regression costs, and which cases a task of many has.
 */
#ifndef FATFLY_TASK_H
#define FATFLY_TASK_H

#include "cases.h"

#include <stdint.h>

/* CPU seconds, about, on a core of 2023: of the run of a case, of building what it needs.  From the case alone, so
 * that they are the same on every machine. */
double task_run_cost(const struct cosim_case *c);
double task_build_cost(const struct cosim_case *c);

/* Leaves of item[count] those of share `task` of `tasks` (from 1), in their order.  Cases that need the same library
 * are in one share, so that no library is built twice.  Returns how many; -1: f filled. */
long task_share(const struct cosim_case **item, size_t count, uint32_t task, uint32_t tasks, struct fail *f);

#endif
