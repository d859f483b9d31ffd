/* SPDX-License-Identifier: Apache-2.0
 * check.h - what is asked of a configuration before it runs.
 */
#ifndef FATFLY_CHECK_H
#define FATFLY_CHECK_H

#include "topology.h"

/* What two fields of a configuration say does not go together. */
struct contradiction {
    const char *field, *with; /* as in struct fatfly_config */
    const char *only;         /* the values of `with` that go with it; NULL: any other */
};

/* The first of the table, which has all; false if there is none. */
bool check_contradiction(const struct fatfly_config *c, struct contradiction *is);

/* A field whose range another one decides, beyond it. */
struct beyond {
    const char *field, *of;
    uint64_t low, high;
};

/* The first that there is; false if there is none. */
bool check_beyond(const struct fatfly_config *c, struct beyond *is);

/* fatfly_check() that leaves the topology open; its kind is NULL if the configuration is bad. */
int check_open(const struct fatfly_config *c, struct topology *t, char *why, size_t size);

/* What it says of classes of worms and replies is wrong, and why (check_class.c). */
bool check_classes(const struct fatfly_config *c, const struct topology *t, char *why, size_t size);

/* fatfly_deadlock_free() of a checked configuration whose topology is open (deadlock.c). */
int check_deadlock(const struct fatfly_config *c, const struct topology *t, uint32_t *longest,
                   unsigned *radix, char *why, size_t size);

#endif
