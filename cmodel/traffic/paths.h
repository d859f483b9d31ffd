/* SPDX-License-Identifier: Apache-2.0
 * paths.h - path collections: worms, each with the links that it is to cross, for algorithms that
 * route along given paths in any network (GO II, CMSV).
 */
#ifndef FATFLY_PATHS_H
#define FATFLY_PATHS_H

#include "fatfly.h"
#include "topology.h"
#include "traffic.h"

struct paths {
    uint32_t count;           /* worms */
    uint32_t links, nodes;
    size_t *first;            /* [count + 1]: worm k crosses link[first[k]] .. link[first[k + 1] - 1] */
    uint32_t *link;
    uint32_t *from, *to;      /* [links], nodes; TOPOLOGY_NONE: there is no such link */
    struct traffic_worm *worm; /* [count] */
    uint32_t congestion;      /* C: the most worms over one link */
    uint32_t dilation;        /* D: links of the longest path */
    uint64_t self_worms;      /* drawn for their own source; they are not in it */
};

static inline uint32_t paths_length(const struct paths *p, uint32_t worm)
{
    return (uint32_t)(p->first[worm + 1] - p->first[worm]);
}

/* The worms of a static configuration that has passed fatfly_check(), source by source, on the first
 * link that route() offers in each node.  path = walk: each worm goes from its source to random neighbours,
 * where it has not been, 1 to 2 ceil(log2 nodes) links drawn, or until there is none; where it
 * ends is its destination.  A fatfly_status. */
int paths_of(struct paths *p, const struct fatfly_config *c, const struct topology *o, char *why,
             size_t size);

/* The same of worms that are given, in their order. */
int paths_sent(struct paths *p, const struct traffic_worm *worm, size_t count, const struct topology *o,
               char *why, size_t size);

/* What paths_of() will take, bytes; *hops: links of all worms. */
uint64_t paths_memory(const struct fatfly_config *c, const struct topology *o, uint64_t *hops);

/* The same from tables, which are copied: link k leads from from[k] to to[k]; worms of `length`
 * flits, numbered from 1.  FATFLY_BAD_CONFIG if a path is none, or has a link twice. */
int paths_given(struct paths *p, uint32_t nodes, uint32_t links, const uint32_t *from,
                const uint32_t *to, uint32_t count, const size_t *first, const uint32_t *link,
                uint32_t length, char *why, size_t size);

void paths_free(struct paths *p);

/* Whether links have levels so that every path goes from each level to the next: FATFLY_OK with
 * start[count], the level of each worm's first link, above 0 where paths begin at different ones;
 * FATFLY_BAD_CONFIG: they have none; FATFLY_NO_MEMORY. */
int paths_leveled(const struct paths *p, uint32_t *start);

/* Whether no path can be made shorter by parts of others, so that two of them that meet again have
 * gone equally far in between: FATFLY_OK, FATFLY_BAD_CONFIG with one line, FATFLY_NO_MEMORY. */
int paths_shortcut_free(const struct paths *p, char *why, size_t size);

#endif
