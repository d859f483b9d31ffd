/* SPDX-License-Identifier: Apache-2.0
 * page.h - what the co-simulation writes for a browser: the report of a regression, and a page for each
 * mismatch with both sides of the failing switch in the cycles around it.  No scripts, no network.
 */
#ifndef FATFLY_PAGE_H
#define FATFLY_PAGE_H

#include "lockstep.h"
#include "probe.h"
#include "report.h"

/* All cases of a regression in folder/report<part>.html, with links to what lies beside it.  0, or -1 with f filled. */
int page_report(const struct report_row *row, size_t count, const char *folder, const char *part, struct fail *f);

/* A run that failed. */
struct mismatch {
    const struct dut_ops *const *ops; /* [2], ops[1] NULL: one side alone */
    const struct stimulus *stimulus;
    const struct lockstep_options *options;
    const struct probe *probe;
    uint64_t cycle;     /* in which it failed */
    unsigned at;        /* the switch */
    const char *why;
    const char *folder; /* for the page, FOLDER/NAME.html */
    const char *name;
    const char *repeat; /* the command that repeats it */
    const char *small;  /* the file of the smallest failing case, "": none */
    const char *alone;  /* ... and the command that repeats that */
};

/* 0, or -1 with f filled. */
int page_mismatch(const struct mismatch *x, struct fail *f);

#endif
