/* SPDX-License-Identifier: Apache-2.0
 * collections.h - random path collections for the tests, made by paths_given().
 */
#ifndef FATFLY_COLLECTIONS_H
#define FATFLY_COLLECTIONS_H

#include "paths.h"

#include "rng.h"

#include <stdlib.h>

#include "unit.h"

/* Tables for paths_given(). */
struct tables {
    uint32_t *from, *to, *link;
    size_t *first;
};

static inline void tables_make(struct tables *t, uint32_t links, uint32_t count, uint32_t most)
{
    t->from = calloc(links, sizeof *t->from);
    t->to = calloc(links, sizeof *t->to);
    t->link = calloc((size_t)count * most + 1, sizeof *t->link);
    t->first = calloc((size_t)count + 1, sizeof *t->first);
    assert_true(t->from && t->to && t->link && t->first);
}

static inline void tables_give(struct tables *t, struct paths *p, uint32_t nodes, uint32_t links,
                               uint32_t count, uint32_t length)
{
    char why[200] = "";
    int status = paths_given(p, nodes, links, t->from, t->to, count, t->first, t->link, length, why,
                             sizeof why);
    if (status)
        print_error("%s\n", why);
    assert_int_equal(status, FATFLY_OK);
    free(t->from);
    free(t->to);
    free(t->link);
    free(t->first);
}

/* A link that leaves node `at` and is not among path[hops]; degree * nodes: there is none. */
static inline uint32_t fresh_link(struct rng *r, uint32_t nodes, uint32_t degree, uint32_t at,
                                  const uint32_t *path, uint32_t hops)
{
    uint32_t i = rng_below(r, degree);
    for (uint32_t tried = 0; tried < degree; tried++) {
        uint32_t link = degree * at + (i + tried) % degree, k = 0;
        while (k < hops && path[k] != link)
            k++;
        if (k == hops)
            return link;
    }
    return degree * nodes;
}

/* `degree` links from every node to random others, worms from random nodes on walks of 1 to `most`
 * links that take no link twice. */
static inline void random_collection(struct paths *p, uint64_t seed, uint32_t nodes, uint32_t degree,
                                     uint32_t count, uint32_t most, uint32_t length)
{
    struct rng r = {rng_hash(seed)};
    struct tables t;

    tables_make(&t, nodes * degree, count, most);
    for (uint32_t k = 0; k < nodes * degree; k++) {
        t.from[k] = k / degree;
        t.to[k] = (k / degree + 1 + rng_below(&r, nodes - 1)) % nodes;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t left = 1 + rng_below(&r, most), at = rng_below(&r, nodes), hops = 0, link;
        uint32_t *path = &t.link[t.first[k]];
        while (hops < left &&
               (link = fresh_link(&r, nodes, degree, at, path, hops)) < nodes * degree) {
            path[hops++] = link;
            at = t.to[link];
        }
        t.first[k + 1] = t.first[k] + hops;
    }
    tables_give(&t, p, nodes, nodes * degree, count, length);
}

/* `levels` + 1 rows of nodes, `degree` links from each to random nodes of the next row; worms go from
 * the first row to the last. */
static inline void leveled_collection(struct paths *p, uint64_t seed, uint32_t row, uint32_t levels,
                                      uint32_t degree, uint32_t count, uint32_t length)
{
    struct rng r = {rng_hash(seed)};
    uint32_t links = row * levels * degree;
    struct tables t;

    tables_make(&t, links, count, levels);
    for (uint32_t k = 0; k < links; k++) {
        t.from[k] = k / degree;
        t.to[k] = (k / degree / row + 1) * row + rng_below(&r, row);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = rng_below(&r, row);
        t.first[k + 1] = t.first[k] + levels;
        for (uint32_t l = 0; l < levels; l++) {
            uint32_t link = at * degree + rng_below(&r, degree);
            t.link[t.first[k] + l] = link;
            at = t.to[link];
        }
    }
    tables_give(&t, p, row * (levels + 1), links, count, length);
}

#endif
