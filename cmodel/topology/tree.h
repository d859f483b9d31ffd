/* SPDX-License-Identifier: Apache-2.0
 * tree.h - the butterfly fat-tree as a kind of topology, and what its own engines know beside that.
 *
 * Nodes are the switches as fat_tree.h numbers them, then the processors.  A processor's injection
 * and ejection links count, so every path has 2 * height links.  Links are numbered by where they
 * enter, as fat_tree_wire() has them.
 */
#ifndef FATFLY_TREE_H
#define FATFLY_TREE_H

#include "params.h"
#include "topology.h"

/* n of 4^n processors; FATFLY_LARGEST_LEVELS + 1 if there is none. */
unsigned tree_levels(uint32_t nodes);

/* The switches' parameters under a configuration of the butterfly fat-tree. */
void tree_params(const struct fatfly_config *c, struct switch_params *p);

#endif
