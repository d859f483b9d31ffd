/* SPDX-License-Identifier: Apache-2.0
 * life.h - the life of a worm as text: from a log of events, or while it is simulated.
 */
#ifndef FATFLY_LIFE_H
#define FATFLY_LIFE_H

#include "event_read.h"

#include <stdio.h>

/* Whether a row is of the life of a worm: moves of bodies follow from the others. */
bool life_has(const struct event_row *x, uint64_t worm);

/* A row as a line.  switches: of a butterfly fat-tree, whose other nodes are processors; else 0. */
void life_print(const struct event_row *x, uint32_t switches, FILE *out);

/* Simulates a run and prints the life of a worm: any topology and discipline.  0, or -1 with f filled:
 * EXIT_USAGE if no such worm is made; a deadlock is no failure. */
int life_run(const struct fatfly_config *c, uint32_t worm, FILE *out, struct fail *f);

#endif
