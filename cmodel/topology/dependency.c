/* SPDX-License-Identifier: Apache-2.0
 * dependency.c - which channel can wait for which.
 */
#include "dependency.h"

#include <stdlib.h>

/* What is known of the channels: those that a worm for the present destination can hold, and in
 * row c of `after` those that follow on c, a bit for each channel of the node it leads to. */
struct search {
    const struct topology *t;
    uint32_t *node;      /* [channels], to which it leads; TOPOLOGY_NONE: no such link */
    uint32_t *seen;      /* [channels], destination + 1 for which it was found */
    uint32_t *stack;     /* [channels], found, its followers not yet */
    uint32_t depth;
    uint64_t *after;
    uint32_t words;      /* of a row */
    struct topology_place *bad;
};

static int search_open(struct search *s, const struct topology *t)
{
    size_t channels = topology_channels(t);
    s->t = t;
    s->words = (t->ports * t->classes + 63) / 64;
    s->node = calloc(channels, sizeof *s->node);
    s->seen = calloc(channels, sizeof *s->seen);
    s->stack = calloc(channels, sizeof *s->stack);
    s->after = calloc(channels * s->words, sizeof *s->after);
    if (!s->node || !s->seen || !s->stack || !s->after)
        return -1;
    for (uint32_t node = 0; node < t->nodes; node++)
        for (unsigned port = 0; port < t->ports; port++)
            for (unsigned class = 0; class < t->classes; class++)
                s->node[topology_channel(t, node, port, class)] = t->kind->far(t, node, port);
    return 0;
}

static void search_close(struct search *s)
{
    free(s->node);
    free(s->seen);
    free(s->stack);
    free(s->after);
}

/* All that a head at this place can take: found, and noted as following on the channel it holds. */
static int follow(struct search *s, const struct topology_place *at, uint32_t dst, uint64_t *row)
{
    const struct topology *t = s->t;
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    unsigned count = t->kind->route(t, at, dst, choice);

    if (!count) {
        *s->bad = *at;
        return -2;
    }
    for (unsigned k = 0; k < count; k++)
        for (unsigned class = choice[k].low; class <= choice[k].high; class++) {
            unsigned local = choice[k].port * t->classes + class;
            uint32_t c = topology_channel(t, at->node, choice[k].port, class);
            if (class >= t->classes || choice[k].port >= t->ports || s->node[c] == TOPOLOGY_NONE) {
                *s->bad = *at;
                return -2;
            }
            if (row)
                row[local / 64] |= UINT64_C(1) << local % 64;
            if (s->seen[c] != dst + 1) {
                s->seen[c] = dst + 1;
                s->stack[s->depth++] = c;
            }
        }
    return 0;
}

static int search_destination(struct search *s, uint32_t dst)
{
    const struct topology *t = s->t;
    uint32_t end = topology_leave(t, dst);
    int bad = 0;

    for (uint32_t src = 0; src < t->processors && !bad; src++)
        if (topology_enter(t, src) != end)
            bad = follow(s, &(struct topology_place){.node = topology_enter(t, src),
                                                     .from = TOPOLOGY_NONE}, dst, NULL);
    while (s->depth && !bad) {
        uint32_t c = s->stack[--s->depth], link = c / t->classes;
        struct topology_place at = {.node = s->node[c], .from = link / t->ports,
                                    .port = link % t->ports, .class = c % t->classes};
        if (at.node != end)
            bad = follow(s, &at, dst, &s->after[(size_t)c * s->words]);
    }
    return bad;
}

static int search_result(const struct search *s, struct dependency *d)
{
    const struct topology *t = s->t;
    size_t channels = topology_channels(t), edges = 0;

    for (size_t k = 0; k < channels * s->words; k++)
        edges += (size_t)__builtin_popcountll(s->after[k]);
    if (edges > UINT32_MAX)
        return -1;
    d->channels = (uint32_t)channels;
    d->first = calloc(channels + 1, sizeof *d->first);
    d->next = calloc(edges + 1, sizeof *d->next);
    if (!d->first || !d->next) {
        dependency_free(d);
        return -1;
    }
    uint32_t n = 0;
    for (uint32_t c = 0; c < channels; c++) {
        d->first[c] = n;
        for (uint32_t local = 0; local < t->ports * t->classes; local++)
            if (s->after[(size_t)c * s->words + local / 64] >> local % 64 & 1)
                d->next[n++] = s->node[c] * t->ports * t->classes + local;
    }
    d->first[channels] = n;
    return 0;
}

int dependency_topology(const struct topology *t, struct dependency *d, struct topology_place *bad)
{
    struct search s = {.bad = bad};
    int status = topology_channels(t) < UINT32_MAX ? search_open(&s, t) : -1;

    *d = (struct dependency){.channels = 0};
    for (uint32_t dst = 0; dst < t->processors && !status; dst++)
        status = search_destination(&s, dst);
    if (!status)
        status = search_result(&s, d);
    search_close(&s);
    return status;
}

void dependency_free(struct dependency *d)
{
    free(d->first);
    free(d->next);
    *d = (struct dependency){0};
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
