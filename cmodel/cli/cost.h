/* SPDX-License-Identifier: Apache-2.0
 * cost.h - what a switch and a network of switches cost on an FPGA: the table that `make synth`
 * writes (docs/results/fpga.csv), read and added up.
 */
#ifndef FATFLY_CLI_COST_H
#define FATFLY_CLI_COST_H

#include "fail.h"
#include "hardware.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of the table: one switch or router, or a whole network, on one family. */
struct cost_row {
    char family[16];
    struct hardware_design design;
    double lut, ff, ram; /* NaN: the table does not say */
    double mhz;          /* median clock over the seeds; NaN: not placed */
};

struct cost_table {
    struct cost_row *row;
    size_t count;
};

/* Reads a table with the columns config (hardware.name()), family, lut, ff, ram, fmax_mhz, in any
 * order and among others; rows of the arbiter alone are passed over.  0, or -1 with f filled:
 * EXIT_INPUT with file:line, EXIT_SYSTEM if it cannot be read. */
int cost_read(struct cost_table *t, const char *file, struct fail *f);
void cost_free(struct cost_table *t);

/* Whether two switches or routers differ at most in where they stand: level and levels, radix and node. */
bool cost_same_design(const struct hardware_design *a, const struct hardware_design *b);

/* Where the figures of a network come from, the best first. */
enum cost_basis {
    COST_NETWORK, /* the network itself was synthesized */
    COST_SWITCHES,/* a switch of each kind - leaf, inner, root - times how many there are; a torus's router
                     times its nodes */
    COST_BOUND,   /* the same, but the leaf's for a kind that the table lacks: a bound on the area,
                     since a leaf is the largest; so is a mesh's router for those at its edges, and one of a
                     larger torus or mesh */
    COST_BASES
};

struct cost {
    double lut, ff, ram;
    double mhz;           /* the slowest of its switches */
    enum cost_basis basis;
};

/* Cost of a network of N = 4^levels processors; false if the table has no leaf (N = 4: root) switch
 * of that design in that family with area and clock, no router of one at least as large. */
bool cost_network(const struct cost_table *t, const char *family, const struct hardware_design *d,
                  unsigned levels, struct cost *c);

/* LUTs of the device that a family's figures are for; 0 if unknown. */
unsigned cost_device(const char *family, const char **name);

#endif
