/* SPDX-License-Identifier: Apache-2.0
 * dependency.h - which channel can wait for which, and an order that shows that none can wait for
 * itself (Dally and Seitz, IEEE Trans. Computers C-36, 1987; BC section 2).
 *
 * A channel is a queue and the link into it.  Channel c depends on d if a worm that stands at the
 * front of c may want d.  If every dependency goes to a channel of higher rank there is no
 * deadlock: the worm in the highest channel that holds one can always move on.
 */
#ifndef FATFLY_DEPENDENCY_H
#define FATFLY_DEPENDENCY_H

#include "topology.h"

#include <stdbool.h>
#include <stdint.h>

/* Channel c depends on next[first[c]] .. next[first[c + 1] - 1]. */
struct dependency {
    uint32_t channels;
    uint32_t *first; /* [channels + 1] */
    uint32_t *next;  /* [first[channels]] */
};

/* What the routing of a topology makes of it: a channel for each virtual channel of each link
 * (topology_channel()), and a dependency where some worm, come from anywhere by choices of the
 * routing, may hold the one and ask for the other.  0, -1 if memory is short, -2 if the routing
 * gave a class that a link does not have or a link that does not exist: *bad is where. */
int dependency_topology(const struct topology *t, struct dependency *d, struct topology_place *bad);
void dependency_free(struct dependency *d);

/* Whether rank[channels] is a certificate: every dependency goes up.  If not, *from depends on *to,
 * which is not above it. */
bool dependency_check(const struct dependency *d, const uint32_t *rank, uint32_t *from,
                      uint32_t *to);

/* Finds ranks where there are any: rank[c] is the longest chain of dependencies that ends in c.
 * Returns 0; or the length of a cycle, its channels in cycle[], each dependent on the next and the
 * last on the first.  Both arrays have room for all channels. */
uint32_t dependency_order(const struct dependency *d, uint32_t *rank, uint32_t *cycle);

#endif
