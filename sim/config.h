/* SPDX-License-Identifier: Apache-2.0
 * config.h - a co-simulation case from a file: what is simulated and what runs through it.
 *
 * libconfig syntax, `key = value;`, one case a file: sim/cases/<name>.cfg.  Every key has a default
 * but nodes or level; an unknown key, a wrong type, a value out of range or a contradiction is
 * refused with file:line, what was read, what is allowed and the nearest valid name.
 */
#ifndef FATFLY_CONFIG_H
#define FATFLY_CONFIG_H

#include "dut.h"
#include "fail.h"

enum traffic_kind {
    TRAFFIC_RANDOM,        /* static: every processor sends one worm to a random other one */
    TRAFFIC_COMPLEMENT,    /* static: a to N-1-a */
    TRAFFIC_MANY_TO_1,     /* static: 0 .. N/2-1 to N-1, the rest to 0 */
    TRAFFIC_TRANSPOSE,     /* static: the halves of the address bits change places */
    TRAFFIC_BIT_REVERSAL,  /* static */
    TRAFFIC_SHUFFLE,       /* static: address bits rotate left by one */
    TRAFFIC_NEIGHBOUR,     /* static: a to a+1 */
    TRAFFIC_HOTSPOT,       /* static: as random, one in four to processor 0 */
    TRAFFIC_OPEN,          /* open loop: geometric arrivals, uniform destinations */
    TRAFFIC_TRACE,         /* a recorded trace */
    TRAFFIC_COUNT
};

extern const char *const traffic_names[TRAFFIC_COUNT]; /* "random", .. "many-to-1", .. "trace" */

struct config {
    char name[64];            /* file name without folder and .cfg */
    struct dut_shape shape;   /* nodes = N for a network; level and levels for one switch */
    enum traffic_kind traffic;/* traffic = "random"; a switch takes only "open", its default */
    unsigned length;          /* length = 32; flits a worm, 1 .. 4096 (trace: the longest, 2 ..) */
    unsigned length_min;      /* length_min; open loop draws length_min .. length, default length */
    unsigned repeat;          /* repeat = 1; static patterns: so many rounds in a row */
    double load;              /* load = 0.1; open loop: flits per cycle per endpoint, 10^-6 .. 1 */
    uint64_t cycles;          /* cycles = 0; generate for so long; 0: all (open: needed) */
    uint64_t seed;            /* seed = 1 */
    unsigned stall;           /* stall = 0; percent of cycles an exit has no room, 0 .. 90 */
    char trace[256];          /* trace = "file"; relative to the configuration's folder */
    double cycles_per_us;     /* cycles_per_us = 1000.0; trace: for a microsecond recorded */
    uint64_t max_bytes;       /* max_bytes = 0; trace: longer ones are cut to this; 0: none */
    size_t max_messages;      /* max_messages = 0; trace: read only the first; 0: all */
};

/* Defaults, for a network of 16 processors. */
void config_default(struct config *c);

/* Returns 0, or -1 with f filled.  (Not config_read: libconfig has a function of that name.) */
int config_load(struct config *c, const char *file, struct fail *f);

/* The same from memory, for tests and fuzzing; name stands for the file in messages,
 * relative trace names stay as they are. */
int config_parse(struct config *c, const char *name, const char *text, struct fail *f);

#endif
