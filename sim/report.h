/* SPDX-License-Identifier: Apache-2.0
 * report.h - what a regression found: a table for people, JUnit XML for CI, a JSON manifest.
 */
#ifndef FATFLY_REPORT_H
#define FATFLY_REPORT_H

#include "fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct report_row {
    char name[80];
    bool passed;
    uint64_t seed;
    uint64_t cycles;       /* simulated; of the arbiter: cases enumerated */
    uint64_t worms;
    uint64_t flits;
    uint64_t links;        /* links compared: links x cycles */
    uint64_t switch_cycles; /* switches x cycles compared on both sides */
    uint64_t latency_max;  /* cycles */
    uint64_t last;         /* cycle of the last arrival, from 0 */
    uint64_t digest;
    double seconds;        /* processor time of the run */
    char why[400];         /* of a failure: one line */
};

void report_table(const struct report_row *row, size_t count, FILE *out);

/* Both are written under FILE.part first.  whole: the cases ran to their ends, with everything compared on both sides.
 * 0, or -1 with f filled. */
int report_junit(const struct report_row *row, size_t count, const char *file, struct fail *f);
int report_manifest(const struct report_row *row, size_t count, bool whole, const char *file, struct fail *f);

/* What says Verilator's version: the program itself, or the Perl script around it, which takes 0.1 s to begin. */
#define REPORT_VERILATOR "verilator_bin --version 2>/dev/null || verilator --version 2>/dev/null"

/* The first line that a command prints, "" if there is none; false with errno if no process can be had for it. */
bool report_first_line(const char *command, char line[200]);

#endif
