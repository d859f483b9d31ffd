/* SPDX-License-Identifier: Apache-2.0
 * check.h - what is asked of a configuration before it runs.
 */
#ifndef FATFLY_CHECK_H
#define FATFLY_CHECK_H

#include "topology.h"

/* fatfly_check() that leaves the topology open; its kind is NULL if the configuration is bad. */
int check_open(const struct fatfly_config *c, struct topology *t, char *why, size_t size);

/* fatfly_deadlock_free() of a checked configuration whose topology is open (deadlock.c). */
int check_deadlock(const struct fatfly_config *c, const struct topology *t, uint32_t *longest,
                   unsigned *radix, char *why, size_t size);

#endif
