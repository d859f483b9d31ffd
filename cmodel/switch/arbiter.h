/* SPDX-License-Identifier: Apache-2.0
 * arbiter.h - which input port crosses to which output port in this cycle.
 * RTL twin: rtl/arbiter.v.
 */
#ifndef FATFLY_ARBITER_H
#define FATFLY_ARBITER_H

#include "flit.h"
#include "params.h"

#include <stdbool.h>

/* Outputs that shortest paths from input i lead to, a bit each: not back to the same child, not
 * from parent to parent. */
extern const uint8_t arbiter_crosspoints[SWITCH_PORTS];

/* An order of the inputs for each output: ahead[o][i] has a bit for every port that comes before
 * input i at output o.  scan_eval() makes it. */
typedef const uint8_t *arbiter_order[SWITCH_PORTS];

/* req[i]: the outputs that the flit on offer at input i could take now, a bit each.
 * pref: bit i, child i prefers parent 1 (RG).  root: the switch has no parents.
 * gnt[i]: the output that input i crosses to, one-hot or zero; at most one per output. */
void arbiter_eval(enum path_select path, bool root, const uint8_t req[SWITCH_PORTS], unsigned pref,
                  const arbiter_order ahead, uint8_t gnt[SWITCH_PORTS]);

#endif
