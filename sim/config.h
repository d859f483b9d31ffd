/* SPDX-License-Identifier: Apache-2.0
 * config.h - a co-simulation case from a file: what is simulated and what runs through it.
 *
 * The configuration of a run (settings.h), with stall, and level and levels for one switch; one case
 * a file: sim/cases/<name>.cfg.
 */
#ifndef FATFLY_CONFIG_H
#define FATFLY_CONFIG_H

#include "dut.h"
#include "settings.h"

/* set.config: of a static run pattern, hotspot, hotspot_node, length and rounds count, or the trace; of an open loop
 * (load > 0) length_min .. length and cycles, with geometric arrivals and uniform destinations.  To one switch worms
 * come from every side.  length_min is length where lengths are fixed, cycles is 0 where nobody set them. */
struct config {
    char name[64];          /* file name without folder and .cfg */
    struct dut_shape shape; /* nodes = N for a network; level and levels for one switch */
    struct settings set;
};

/* Defaults, for a network of 16 processors. */
void config_default(struct config *c);

/* Returns 0, or -1 with f filled.  (Not config_read: libconfig has a function of that name.) */
int config_load(struct config *c, const char *file, struct fail *f);

/* The same from memory, for tests and fuzzing; name stands for the file in messages,
 * relative trace names stay as they are. */
int config_parse(struct config *c, const char *name, const char *text, struct fail *f);

#endif
