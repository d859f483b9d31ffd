/* SPDX-License-Identifier: Apache-2.0
 * options.h - the command line of `fatfly cosim`.
 */
#ifndef FATFLY_OPTIONS_H
#define FATFLY_OPTIONS_H

#include "args.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum side { SIDE_BOTH, SIDE_C, SIDE_RTL };

struct options {
    struct arg_list named;  /* --case, in order */
    const char *config;     /* --config FILE: a case of the user's own */
    const char *worms;      /* --worms FILE: these worms instead of the case's */
    const char *waves;      /* --waves FILE.fst|.vcd */
    const char *rtl;        /* --rtl LIB.so: another Verilated library (a planted bug) */
    const char *c;          /* --c LIB.so: another C model (a planted bug) */
    const char *cover;      /* --cover FILE: count which points of sim/cover.c are met */
    const char *build;      /* --build DIR: libraries under DIR/rtl, results in DIR/cosim */
    const char *sim;        /* --sim DIR: cases, matrix and traces */
    unsigned side;          /* --side both|c|rtl, enum side */
    bool seeded;            /* --seed was given */
    uint64_t seed;
    uint64_t max_cycles;    /* --max-cycles, 0: none */
    uint64_t from, to;      /* --from, --to: the window of the waves, cycles */
    bool windowed;          /* one of them was given */
    uint64_t watch;         /* --watch WORM, 0: none */
    uint64_t jobs;          /* --jobs, cases at once */
    uint64_t shrink;        /* --shrink SECONDS */
    bool outputs_only;      /* --outputs-only: do not look inside the device */
    bool full;              /* --full: the slow cases, too */
    const char *share;      /* --task K/T */
    uint32_t task, tasks;   /* the same, from 1; tasks 0: all cases */
    bool list;              /* --list: names of the cases */
    bool shapes;            /* --shapes: names of the Verilated libraries they need */
};

/* In cosim.c: what the command does. */
int cosim_play(int argc, char *const argv[], struct fail *f);

/* 0, 1 if help was asked for and printed, or -1 with f filled. */
int options_parse(struct options *o, int argc, char *const argv[], struct fail *f);

#endif
