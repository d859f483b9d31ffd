/* SPDX-License-Identifier: Apache-2.0
 * ranade.h - UNIV, the leveled-network algorithm of Leighton, Maggs, Ranade and Rao (GO's [15]).
 */
#ifndef FATFLY_RANADE_H
#define FATFLY_RANADE_H

#include "engine.h"

/* Order in which nodes pass packets; no two packets are equal. */
struct ranade_key {
    uint64_t ready; /* cycle; 0 for all of GO's instances */
    uint64_t rank;  /* random rank in the high half, number of the worm in the low one */
};

/* Told of every packet that a switch's up or down half passes; for tests. */
struct ranade_watch {
    void (*passes)(void *context, uint64_t step, uint32_t sw, bool up, struct ranade_key key);
    void *context;
};

void ranade_watch(struct run *r, const struct ranade_watch *watch);

#endif
