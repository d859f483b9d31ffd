/* SPDX-License-Identifier: Apache-2.0
 * shared.h - a run that processes share (docs/mpi.md).  A program that has them fills `shared` before it calls
 * the command run; without, there is one process.  The first one reads and writes files and speaks.
 */
#ifndef FATFLY_SHARED_H
#define FATFLY_SHARED_H

#include "fail.h"
#include "settings.h"

struct shared {
    const struct fatfly_ranks *ranks; /* NULL: one process */
    unsigned count;                   /* of processes; 0, 1: one */
    unsigned here;                    /* of them on this machine */
};
extern struct shared shared;

/* This process speaks and writes for all. */
bool shared_first(void);

/* Before settings_finish(): what a run that processes share does not do is refused. */
int shared_prepare(struct settings *s, struct fail *f);
/* After it: whether so many can share the run. */
int shared_check(const struct settings *s, struct fail *f);
/* Bytes that the run needs on this machine. */
double shared_memory(const struct settings *s);

/* Says on stderr what each needs, before a run of many. */
void shared_tell(const struct settings *s);

/* All processes begin, or none does: returns what the first one that cannot says, of all the same.  `bad`: this
 * one cannot, and f says why. */
int shared_agree(const struct settings *s, int bad, struct fail *f);

#endif
