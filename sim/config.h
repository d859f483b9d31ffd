/* SPDX-License-Identifier: Apache-2.0
 * config.h - a co-simulation case from a file: what is simulated and what runs through it.
 *
 * The configuration of a run (settings.h), with stall, and level and levels for one switch; one case
 * a file: sim/cases/<name>.cfg.
 */
#ifndef FATFLY_CONFIG_H
#define FATFLY_CONFIG_H

#include "dut.h"
#include "fail.h"
#include "fatfly.h"

/* load = 0: a static run, every processor sends `rounds` worms by the pattern, or those of the
 * trace.  Otherwise an open loop: geometric arrivals, uniform destinations.  To one switch worms come
 * from every side. */
struct config {
    char name[64];               /* file name without folder and .cfg */
    struct dut_shape shape;      /* nodes = N for a network; level and levels for one switch */
    enum fatfly_pattern pattern; /* pattern = "random" */
    double hotspot;              /* share that goes to one processor, beside its own */
    uint32_t hotspot_node;
    unsigned length;             /* length = 32; flits a worm, 1 .. 4096 (trace: the longest, 2 ..) */
    unsigned length_min;         /* lengths = "uniform": length_min .. length */
    unsigned rounds;             /* static patterns: so many in a row */
    double load;                 /* open loop: flits per cycle per endpoint, 10^-6 .. 1 */
    uint64_t cycles;             /* generate for so long; 0: all (open: needed) */
    uint64_t seed;
    unsigned stall;              /* percent of cycles an exit has no room, 0 .. 90 */
    uint64_t reset_every;        /* cycles between resets in mid-traffic, on average; 0: none */
    char trace[256];             /* relative to the configuration's folder */
    double cycles_per_us;        /* trace: for a microsecond recorded */
    uint64_t max_bytes;          /* trace: longer ones are cut to this; 0: none */
    size_t max_messages;         /* trace: read only the first; 0: all */
};

/* Defaults, for a network of 16 processors. */
void config_default(struct config *c);

/* Returns 0, or -1 with f filled.  (Not config_read: libconfig has a function of that name.) */
int config_load(struct config *c, const char *file, struct fail *f);

/* The same from memory, for tests and fuzzing; name stands for the file in messages,
 * relative trace names stay as they are. */
int config_parse(struct config *c, const char *name, const char *text, struct fail *f);

#endif
