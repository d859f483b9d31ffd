/* SPDX-License-Identifier: Apache-2.0
 * place.h - the queues of a butterfly fat-tree by place, 8 * switch + port, for engines that keep what belongs to a
 * switch together.
 */
#ifndef FATFLY_PLACE_H
#define FATFLY_PLACE_H

#include "fatfly.h"
#include "flit.h"

#include <stdint.h>

/* Those of processors, and outputs that processors are, come after those of switches. */
enum { PLACES = 8, PLACE_SHIFT = 3 };
_Static_assert((int)PLACES == 1 << PLACE_SHIFT && (int)SWITCH_PORTS <= (int)PLACES, "a place for every port of a switch");
/* N processors have fewer than N / 2 switches. */
_Static_assert(((uint64_t)PLACES / 2 + 1) << 2 * FATFLY_LARGEST_LEVELS <= UINT32_MAX,
               "all places, and processors behind them, in 32 bits");

/* The place of a link of fat_tree_wire(). */
static inline uint32_t place_of(uint32_t link, uint32_t switches)
{
    return link < SWITCH_PORTS * switches ? PLACES * (link / SWITCH_PORTS) + link % SWITCH_PORTS : link + 2 * switches;
}

/* Where the link from processor a leads. */
static inline uint32_t place_of_entry(uint32_t a)
{
    return PLACES * (a >> 2) + (a & 3);
}

#endif
