/* SPDX-License-Identifier: Apache-2.0
 * results_scan.h - the rows of a results file one after another, those of a damaged one as far as they are
 * whole.
 */
#ifndef FATFLY_RESULTS_SCAN_H
#define FATFLY_RESULTS_SCAN_H

#include "results.h"

struct results_scan {
    struct results r;
    struct results_meta meta;
    struct results_row row; /* the present one, until the next */
    bool damaged;           /* not whole: rows are looked for one by one */
    uint64_t lost;          /* rows so far that do not match their sums; of a damaged file more may be gone */
    char why[200];          /* what is damaged */
    sqlite3_stmt *query;
    int64_t rowid, last;    /* of a damaged file: where it is, and where rows can be at most */
};

/* Opens a file whose points this build of fatfly could have written.  0, or -1 with f filled:
 * EXIT_INPUT if it is not there, not ours, of another version, or nothing in it can be read; then
 * damaged says whether it was ours. */
int results_scan_open(struct results_scan *s, const char *file, struct fail *f);

/* 1: the next whole row is there, 0: there is none, -1 with f filled. */
int results_scan_next(struct results_scan *s, struct fail *f);
void results_scan_close(struct results_scan *s);

#endif
