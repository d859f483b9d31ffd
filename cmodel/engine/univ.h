/* SPDX-License-Identifier: Apache-2.0
 * univ.h - UNIV, the leveled-network algorithm of Leighton, Maggs, Ranade and Rao (GO's [15]).
 */
#ifndef FATFLY_UNIV_H
#define FATFLY_UNIV_H

#include "measure.h"
#include "params.h"
#include "traffic.h"

/* Order in which nodes pass packets; no two packets are equal. */
struct univ_key {
    uint64_t ready; /* cycle; 0 for all of GO's instances */
    uint64_t rank;  /* random rank in the high half, number of the worm in the low one */
};

/* Told of every packet that a switch's up or down half passes; for tests. */
struct univ_watch {
    void (*passes)(void *context, uint64_t step, uint32_t sw, bool up, struct univ_key key);
    void *context;
};

int univ_run(const struct switch_params *p, struct traffic *t, struct measure *m);
int univ_run_watched(const struct switch_params *p, struct traffic *t, struct measure *m,
                     const struct univ_watch *watch);
uint64_t univ_memory(const struct fatfly_config *c); /* bytes */

#endif
