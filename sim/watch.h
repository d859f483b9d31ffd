/* SPDX-License-Identifier: Apache-2.0
 * watch.h - looks on while a case runs: waves of a window or of one worm, and a worm's life as text.
 */
#ifndef FATFLY_WATCH_H
#define FATFLY_WATCH_H

#include "fail.h"
#include "lockstep.h"

#include <stdio.h>

struct watch {
    const struct dut_ops *ops[2]; /* ops[1] NULL: one side alone */
    const struct stimulus *stimulus;
    const struct lockstep_options *options;
    const char *waves; /* file, or NULL */
    uint64_t from, to; /* cycles of the waves */
    uint32_t worm;     /* 0: none; else the waves are cut to its time in the device */
};

/* Runs the case, once or (waves of a worm) twice.  0, or -1 with f filled. */
int watch_run(const struct watch *w, FILE *out, struct fail *f);

#endif
