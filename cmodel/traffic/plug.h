/* SPDX-License-Identifier: Apache-2.0
 * plug.h - the routing of a topology replaced by a caller's (fatfly_plugin.h).
 */
#ifndef FATFLY_PLUG_H
#define FATFLY_PLUG_H

#include "topology.h"

/* What the callbacks see of it. */
struct fatfly_plug_network plug_network(const struct topology *t);

/* What was wrong with an answer of route(); NULL: nothing. */
const char *plug_fault(const struct topology *t);

/* What the digest of a run is folded with: the name and which callbacks it has; 0: no plug-in. */
uint64_t plug_hash(const struct fatfly_config *c);

/* One line about what is wrong with a plug-in by itself, or NULL. */
const char *plug_check(const struct fatfly_plugin *p, char *why, size_t size);

#endif
