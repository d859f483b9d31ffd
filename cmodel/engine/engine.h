/* SPDX-License-Identifier: Apache-2.0
 * engine.h - the ways to run a configuration; fatfly_run() chooses.  Each takes worms from
 * traffic.h, tells measure.h, and adds every flit delivered to measure.result->digest.
 */
#ifndef FATFLY_ENGINE_H
#define FATFLY_ENGINE_H

#include "measure.h"
#include "params.h"
#include "topology.h"
#include "traffic.h"

/* All return a fatfly_status. */

/* WORM and PHASED with one virtual channel: whole worms move as bit vectors, and only what can
 * move is looked at. */
int worm_run(const struct switch_params *p, struct traffic *t, struct measure *m);
uint64_t worm_memory(const struct fatfly_config *c); /* bytes */

/* WORM and PHASED, any number of channels: struct network, every switch that holds a flit in every
 * cycle. */
int cycle_run(const struct switch_params *p, struct traffic *t, struct measure *m);
uint64_t cycle_memory(const struct fatfly_config *c);

/* STORE, UNIV and SPLIT in packet-steps. */
int store_run(const struct switch_params *p, struct traffic *t, struct measure *m);
uint64_t store_memory(const struct fatfly_config *c);

/* WORM and PHASED on any topology: virtual channels that share links (channel.c). */
int channel_run(const struct topology *t, struct traffic *traffic, struct measure *m, char *why,
                size_t size);
uint64_t channel_memory(const struct topology *t, const struct fatfly_config *c); /* bytes */
unsigned channel_step(const struct topology *t, const struct fatfly_config *c); /* cycles a flit */

/* STORE on any topology: whole packets, a queue before each link (greedy.c). */
int greedy_run(const struct topology *t, struct traffic *traffic, struct measure *m, char *why,
               size_t size);
uint64_t greedy_memory(const struct topology *t, const struct fatfly_config *c); /* bytes */

/* fatfly_check() that leaves the topology open; its kind is NULL on a butterfly fat-tree, or if the
 * configuration is bad. */
int engine_check(const struct fatfly_config *c, struct topology *t, char *why, size_t size);

/* fatfly_deadlock_free() of a checked configuration whose topology is open (deadlock.c). */
int deadlock_look(const struct fatfly_config *c, const struct topology *t, uint32_t *longest,
                  unsigned *radix, char *why, size_t size);

/* The switches' parameters under this configuration. */
void engine_params(const struct fatfly_config *c, struct switch_params *p);

/* Payload of a worm's head; bits that the address leaves free carry the low bits of its number. */
uint64_t engine_head(const struct switch_params *p, const struct traffic_worm *w);

#endif
