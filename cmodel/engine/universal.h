/* SPDX-License-Identifier: Apache-2.0
 * universal.h - the universal algorithms (CMSV) as disciplines, and what algorithm A (GO II) needs to
 * know of the paths on other topologies than the butterfly fat-tree.
 */
#ifndef FATFLY_UNIVERSAL_H
#define FATFLY_UNIVERSAL_H

#include "fatfly.h"
#include "topology.h"

/* Whether the discipline is one of CMSV's. */
bool universal_is(const struct fatfly_config *c);

/* One line in why[size] if something contradicts such a discipline, else NULL. */
const char *universal_refuse(const struct fatfly_config *c, char *why, size_t size);

/* A run; o NULL: a butterfly fat-tree.  link_worms[] as for measure_start(): every worm is counted
 * once on each link of its path, however often it tries.  A fatfly_status. */
int universal_run(const struct fatfly_config *c, const struct topology *o,
                  const struct fatfly_hooks *hooks, uint32_t *link_worms, struct fatfly_result *r,
                  char *why, size_t size);
uint64_t universal_memory(const struct fatfly_config *c, const struct topology *o); /* bytes */

/* Fills phases and phase_length of discipline phased where they are 0: twice c L, and the latency of
 * a lone worm over the longest path and a cycle (GO II).  step: cycles in which a flit crosses a
 * link. */
int universal_phases(struct fatfly_config *c, const struct topology *o, unsigned step, char *why,
                     size_t size);

#endif
