/* SPDX-License-Identifier: Apache-2.0
 * dependency.c - which channel can wait for which.
 */
#include "dependency.h"

#include "fat_tree.h"
#include "flit.h"

#include <stdlib.h>

/* The crosspoints of a switch that has `ports` ports: not back, not from parent to parent. */
static bool crosses(unsigned i, unsigned o, unsigned ports)
{
    return i != o && i < ports && o < ports && (i < SWITCH_CHILDREN || o < SWITCH_CHILDREN);
}

static unsigned ports_at(unsigned levels, uint32_t s)
{
    return s >= fat_tree_base(levels, levels) ? SWITCH_CHILDREN : SWITCH_PORTS;
}

int dependency_fat_tree(unsigned levels, struct dependency *d)
{
    uint32_t switches = fat_tree_switches(levels), links = SWITCH_PORTS * switches, n = 0;
    uint32_t *to = calloc(links, sizeof *to);

    d->channels = links + fat_tree_nodes(levels);
    d->first = calloc((size_t)d->channels + 1, sizeof *d->first);
    d->next = calloc((size_t)links * (SWITCH_PORTS - 1), sizeof *d->next);
    if (!to || !d->first || !d->next) {
        free(to);
        dependency_free(d);
        return -1;
    }
    fat_tree_wire(levels, to);
    for (uint32_t link = 0; link < links; link++) {
        uint32_t s = link / SWITCH_PORTS;
        unsigned i = link % SWITCH_PORTS, ports = ports_at(levels, s);
        d->first[link] = n;
        for (unsigned o = 0; o < ports; o++)
            if (crosses(i, o, ports))
                d->next[n++] = to[SWITCH_PORTS * s + o];
    }
    for (uint32_t c = links; c <= d->channels; c++)
        d->first[c] = n; /* a processor consumes and waits for nobody */
    free(to);
    return 0;
}

void dependency_free(struct dependency *d)
{
    free(d->first);
    free(d->next);
    *d = (struct dependency){0};
}

uint32_t dependency_fat_tree_rank(unsigned levels, uint32_t link)
{
    uint32_t s = link / SWITCH_PORTS, a;
    unsigned l;

    if (s >= fat_tree_switches(levels))
        return 2 * levels - 1;
    fat_tree_place(levels, s, &l, &a);
    if (link % SWITCH_PORTS < SWITCH_CHILDREN)
        return l - 1;
    return l == levels ? 0 : 2 * levels - 1 - l;
}

bool dependency_check(const struct dependency *d, const uint32_t *rank, uint32_t *from,
                      uint32_t *to)
{
    for (uint32_t c = 0; c < d->channels; c++)
        for (uint32_t k = d->first[c]; k < d->first[c + 1]; k++)
            if (rank[d->next[k]] <= rank[c]) {
                *from = c;
                *to = d->next[k];
                return false;
            }
    return true;
}

/* Channels that nobody who is left depends on are taken away, again and again: cycle[] is the list
 * of them, rank[] counts who still depends on a channel, from the top of the numbers down. */
static uint32_t peel(const struct dependency *d, uint32_t *rank, uint32_t *list)
{
    uint32_t count = 0, done = 0;

    for (uint32_t c = 0; c < d->channels; c++)
        rank[c] = 0;
    for (uint32_t k = 0; k < d->first[d->channels]; k++)
        rank[d->next[k]]++;
    for (uint32_t c = 0; c < d->channels; c++)
        if (rank[c] == 0)
            list[count++] = c;
    for (; done < count; done++)
        for (uint32_t k = d->first[list[done]]; k < d->first[list[done] + 1]; k++)
            if (--rank[d->next[k]] == 0)
                list[count++] = d->next[k];
    return count;
}

/* After peel(): those left have rank > 0, and each is depended on by another one left.  The first
 * who depends on c stands for all, so steps back from anywhere end in a cycle. */
static uint32_t walk_back(const struct dependency *d, uint32_t *rank, uint32_t *cycle)
{
    const uint32_t none = UINT32_MAX;
    uint32_t at = none, length = 0;

    for (uint32_t c = 0; c < d->channels; c++)
        cycle[c] = none; /* for now: who depends on c */
    for (uint32_t c = 0; c < d->channels; c++)
        for (uint32_t k = d->first[c]; k < d->first[c + 1] && rank[c]; k++)
            if (cycle[d->next[k]] == none)
                cycle[at = d->next[k]] = c;
    for (uint32_t k = 0; k < d->channels; k++)
        at = cycle[at]; /* now on the cycle */
    for (uint32_t c = at; length == 0 || c != at; c = cycle[c])
        rank[length++] = c;
    for (uint32_t k = 0; k < length; k++)
        cycle[k] = rank[length - 1 - k];
    return length;
}

uint32_t dependency_order(const struct dependency *d, uint32_t *rank, uint32_t *cycle)
{
    uint32_t count = peel(d, rank, cycle);

    if (count < d->channels)
        return walk_back(d, rank, cycle);
    for (uint32_t c = 0; c < d->channels; c++)
        rank[c] = 0;
    for (uint32_t j = 0; j < count; j++) /* everyone comes after all that depend on it */
        for (uint32_t k = d->first[cycle[j]]; k < d->first[cycle[j] + 1]; k++)
            if (rank[d->next[k]] <= rank[cycle[j]])
                rank[d->next[k]] = rank[cycle[j]] + 1;
    return 0;
}
