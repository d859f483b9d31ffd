/* SPDX-License-Identifier: Apache-2.0
 * hardware.h - what the commands ask of the side that knows the Verilog; sim/hardware.c fills the table.
 */
#ifndef FATFLY_HARDWARE_H
#define FATFLY_HARDWARE_H

#include "fail.h"
#include "fatfly.h"
#include "params.h"

#include <stdio.h>

/* A switch of the butterfly fat-tree, a router of a torus or a mesh, or a network of them. */
struct hardware_design {
    bool network;
    struct switch_params params; /* of a router count vcs, depth, flit_w and scan */
    unsigned radix;              /* k of a torus or mesh; 0: a fat-tree */
    unsigned node;               /* place of a single router, x + k * y */
    bool torus, negative_hop;
};

struct hardware {
    /* A design by its name.  0, or -1 with one line. */
    int (*parse)(const char *name, struct hardware_design *d, char *why, size_t size);
    void (*name)(const struct hardware_design *d, char *name, size_t size); /* of a switch or router */
    /* Opens the Verilated network of a configuration, below a build folder: 0, or -1 with f filled. */
    int (*load)(const struct fatfly_config *c, const char *build, void **device, struct fail *f);
    /* A run of it. */
    int (*run)(void *device, const struct fatfly_config *c, const struct fatfly_hooks *h,
               struct fatfly_result *r, struct fail *f);
    /* A run of the C model with somebody looking inside: waves into a file (or NULL), the life of a
     * worm (or 0) as text. */
    int (*look)(const struct fatfly_config *c, const char *waves, uint32_t worm, FILE *out,
                struct fail *f);
    /* A run of a network that is not the butterfly fat-tree: waves of cycles first to last into a file. */
    int (*waves)(const struct fatfly_config *c, const char *file, uint64_t first, uint64_t last, struct fail *f);
};

extern const struct hardware hardware;

#endif
