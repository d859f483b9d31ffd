/* SPDX-License-Identifier: Apache-2.0
 * rounds.h - the universal algorithms (CMSV) as disciplines, and what algorithm A (GO II) needs to
 * know of the paths on other topologies than the butterfly fat-tree.
 */
#ifndef FATFLY_ROUNDS_H
#define FATFLY_ROUNDS_H

#include "fatfly.h"
#include "topology.h"

/* Fills phases and phase_length of discipline phased where they are 0: twice c L, and the latency of
 * a lone worm over the longest path and a cycle (GO II).  step: cycles in which a flit crosses a
 * link. */
int rounds_phases(struct fatfly_config *c, const struct topology *t, unsigned step, char *why,
                  size_t size);

#endif
