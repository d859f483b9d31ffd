/* SPDX-License-Identifier: Apache-2.0
 * hardware.h - what the commands ask of the side that knows the Verilog; sim/hardware.c fills the table.
 */
#ifndef FATFLY_HARDWARE_H
#define FATFLY_HARDWARE_H

#include "fail.h"
#include "fatfly.h"
#include "params.h"

#include <stdio.h>

struct hardware {
    /* The shape of a design by its name: a network or a switch.  0, or -1 with one line. */
    int (*parse)(const char *name, bool *network, struct switch_params *p, char *why, size_t size);
    void (*name)(const struct switch_params *p, char *name, size_t size); /* of a switch */
    /* Opens the Verilated network of a configuration, below a build folder: 0, or -1 with f filled. */
    int (*load)(const struct fatfly_config *c, const char *build, void **device, struct fail *f);
    /* A run of it. */
    int (*run)(void *device, const struct fatfly_config *c, const struct fatfly_hooks *h,
               struct fatfly_result *r, struct fail *f);
    /* A run of the C model with somebody looking inside: waves into a file (or NULL), the life of a
     * worm (or 0) as text. */
    int (*look)(const struct fatfly_config *c, const char *waves, uint32_t worm, FILE *out,
                struct fail *f);
    /* A run of a network that is not the butterfly fat-tree: waves into a file. */
    int (*waves)(const struct fatfly_config *c, const char *file, struct fail *f);
};

extern const struct hardware hardware;

#endif
