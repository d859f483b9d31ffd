/* SPDX-License-Identifier: Apache-2.0
 * explain.h - what went wrong, for a person: the first difference by name, both sides' registers,
 * the worm's history, the switch's last events, waves around it, and the smallest failing case.
 */
#ifndef FATFLY_EXPLAIN_H
#define FATFLY_EXPLAIN_H

#include "fail.h"
#include "lockstep.h"

#include <stdio.h>

struct explain {
    const struct dut_ops *ops[2]; /* ops[1] NULL: one side alone */
    const struct stimulus *stimulus;
    const struct lockstep_result *result; /* of the run that failed */
    const struct lockstep_options *options;
    const char *folder; /* for waves and worm files */
    const char *name;   /* of the case: stem of the files */
    const char *repeat; /* the command that repeats the run, but for its --worms */
    const char *worms;  /* the file of that, or NULL */
    double seconds;     /* how long shrinking may take */
};

/* Runs the case again and prints to out; writes NAME.fst, NAME.gtkw and NAME.worms. */
void explain(const struct explain *x, FILE *out);

/* The smallest failing stimulus found within the time: fewer worms, fewer processors, fewer flits.
 * 0, or -1 if memory is short. */
int explain_shrink(const struct explain *x, struct stimulus *small, struct lockstep_result *result);

#endif
