/* SPDX-License-Identifier: Apache-2.0
 * gg_paths.c - GG's channels from the paths of a topology.
 */
#include "gg_paths.h"

#include "dependency.h"
#include "grow.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* A channel while worms are counted, one from each processor to each other one. */
struct link {
    uint32_t from, node; /* nodes */
    unsigned port, low, high;
    double worms, begins;
    uint32_t edge;       /* first of its list; NONE */
    uint32_t place;      /* in the network */
    /* of the destination in work */
    uint32_t stamp;      /* destination + 1 */
    uint32_t on;         /* channel that follows; NONE: it ends here */
    uint32_t carries;    /* worms */
    unsigned links;      /* that the longest path to here has */
};

/* Worms that go on from one channel to another. */
struct edge {
    uint32_t to, more; /* more: next of the list; NONE */
    double worms;
};

struct count {
    const struct topology *t;
    uint32_t *of;       /* [topology_channels()], link + 1 of each virtual channel; 0: none yet */
    struct link *link;
    uint32_t *list;     /* links of the destination in work: whoever follows stands before */
    struct edge *edge;
    uint32_t links, listed, edges, link_room, edge_room;
    double hops;
    unsigned longest;
};

/* -- the channels ----------------------------------------------------------------------------- */

static enum gg_paths_status new_link(struct count *c, uint32_t from, const struct topology_choice *by)
{
    if (c->links == c->link_room) {
        uint32_t room = GROWN(c->link_room, 1024);
        if (!grow_to(&c->link, sizeof *c->link, room) || !grow_to(&c->list, sizeof *c->list, room))
            return GG_PATHS_MEMORY;
        c->link_room = room;
    }
    for (unsigned class = by->low; class <= by->high; class++) {
        uint32_t *of = &c->of[topology_channel(c->t, from, by->port, class)];
        if (*of)
            return GG_PATHS_OVERLAP;
        *of = c->links + 1;
    }
    c->link[c->links++] = (struct link){.from = from, .node = c->t->kind->far(c->t, from, by->port), .port = by->port,
                                        .low = by->low, .high = by->high, .edge = NONE};
    return GG_PATHS_OK;
}

/* The channel that a head at this place takes; NONE: it has arrived. */
static enum gg_paths_status next_link(struct count *c, const struct topology_place *at, uint32_t dst, uint32_t *link)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    unsigned choices = c->t->kind->route(c->t, at, dst, choice);

    *link = NONE;
    if (choices > 1)
        return GG_PATHS_CHOICE;
    if (!choices || at->node == topology_leave(c->t, dst))
        return GG_PATHS_OK;
    uint32_t *of = &c->of[topology_channel(c->t, at->node, choice->port, choice->low)];
    if (!*of) {
        enum gg_paths_status status = new_link(c, at->node, choice);
        if (status)
            return status;
    }
    *link = *of - 1;
    const struct link *l = &c->link[*link];
    return l->low == choice->low && l->high == choice->high ? GG_PATHS_OK : GG_PATHS_OVERLAP;
}

/* The same of a head that came by any of a link's virtual channels: all must go on alike. */
static enum gg_paths_status link_after(struct count *c, uint32_t link, uint32_t dst, uint32_t *on)
{
    const struct link l = c->link[link];
    struct topology_place at = {.node = l.node, .from = l.from, .port = l.port, .class = l.low};
    enum gg_paths_status status = next_link(c, &at, dst, on);

    for (uint32_t other = *on; at.class < l.high && !status;) {
        at.class++;
        status = next_link(c, &at, dst, on);
        if (!status && *on != other)
            status = GG_PATHS_CHOICE;
    }
    return status;
}

/* -- the worms -------------------------------------------------------------------------------- */

/* Lists the links from a source on, as far as the first one that is listed. */
static enum gg_paths_status walk(struct count *c, uint32_t src, uint32_t dst)
{
    const struct topology_place at = {.node = topology_enter(c->t, src), .from = TOPOLOGY_NONE};
    uint32_t start = c->listed, link, on;
    enum gg_paths_status status = next_link(c, &at, dst, &link);
    const uint32_t first = link;

    for (; !status && link != NONE && c->link[link].stamp != dst + 1; link = on) {
        c->link[link].stamp = dst + 1;
        c->link[link].carries = c->link[link].links = 0;
        c->list[c->listed++] = link;
        status = link_after(c, link, dst, &on);
        c->link[link].on = on;
    }
    for (uint32_t i = start, j = c->listed; i + 1 < j; i++) { /* the last one first */
        uint32_t swapped = c->list[--j];
        c->list[j] = c->list[i];
        c->list[i] = swapped;
    }
    if (status || first == NONE)
        return status;
    struct link *l = &c->link[first];
    l->begins++;
    l->carries++;
    l->links = l->links ? l->links : 1;
    return GG_PATHS_OK;
}

static enum gg_paths_status go_on(struct count *c, struct link *from, uint32_t to)
{
    uint32_t e = from->edge;
    while (e != NONE && c->edge[e].to != to)
        e = c->edge[e].more;
    if (e == NONE) {
        if (!GROW(c->edge, c->edges, c->edge_room, 1024))
            return GG_PATHS_MEMORY;
        c->edge[e = c->edges++] = (struct edge){.to = to, .more = from->edge};
        from->edge = e;
    }
    c->edge[e].worms += from->carries;
    c->link[to].carries += from->carries;
    if (c->link[to].links <= from->links)
        c->link[to].links = from->links + 1;
    return GG_PATHS_OK;
}

/* All worms for one processor: those of the links that lead to a link are known before its own. */
static enum gg_paths_status count_to(struct count *c, uint32_t dst)
{
    enum gg_paths_status status = GG_PATHS_OK;

    c->listed = 0;
    for (uint32_t src = 0; src < c->t->processors && !status; src++)
        if (src != dst)
            status = walk(c, src, dst);
    while (c->listed && !status) {
        struct link *l = &c->link[c->list[--c->listed]];
        l->worms += l->carries;
        c->hops += l->carries;
        if (l->on != NONE)
            status = go_on(c, l, l->on);
        c->longest = l->links > c->longest ? l->links : c->longest;
    }
    return status;
}

/* -- the network ------------------------------------------------------------------------------ */

/* Gives each link its place: behind those that it leads to, where there is such an order. */
static enum gg_paths_status order(struct count *c, bool *circles)
{
    struct dependency d = {c->links, calloc((size_t)c->links + 1, sizeof *d.first), calloc((size_t)c->edges + 1, sizeof *d.next)};
    uint32_t *rank = calloc(c->links, sizeof *rank), *cycle = calloc(c->links, sizeof *cycle), n = 0, place = 0;
    bool memory = d.first && d.next && rank && cycle;

    for (uint32_t k = 0; memory && k < c->links; k++) {
        d.first[k] = n;
        for (uint32_t e = c->link[k].edge; e != NONE; e = c->edge[e].more)
            d.next[n++] = c->edge[e].to;
    }
    if (memory) {
        d.first[c->links] = n;
        *circles = dependency_order(&d, rank, cycle) > 0;
        memset(cycle, 0, c->links * sizeof *cycle);
        for (uint32_t k = 0; k < c->links && !*circles; k++)
            cycle[rank[k]]++; /* now: how many have a rank */
        for (uint32_t r = c->links; r-- > 0; place += n) { /* now: where they begin */
            n = cycle[r];
            cycle[r] = place;
        }
        for (uint32_t k = 0; k < c->links; k++)
            c->link[k].place = *circles ? k : cycle[rank[k]]++;
    }
    dependency_free(&d);
    free(rank);
    free(cycle);
    return memory ? GG_PATHS_OK : GG_PATHS_MEMORY;
}

/* Rates, R_{i|j} and D (GG 2, 3, 10) from the counts. */
static enum gg_paths_status describe(const struct count *c, struct gg_paths *p)
{
    double others = c->t->processors - 1, pairs = c->t->processors * others;
    uint32_t n = 0;

    p->channel = calloc(c->links, sizeof *p->channel);
    p->next = calloc((size_t)c->edges + 1, sizeof *p->next);
    if (!p->channel || !p->next)
        return GG_PATHS_MEMORY;
    for (uint32_t k = 0; k < c->links; k++) {
        const struct link *l = &c->link[k];
        struct gg_channel *h = &p->channel[l->place];
        unsigned servers = l->high - l->low + 1;
        double goes = 0;
        *h = (struct gg_channel){.servers = servers, .rate = l->worms / others / servers, .injects = l->begins / pairs,
                                 .next = &p->next[n]};
        for (uint32_t e = l->edge; e != NONE; e = c->edge[e].more, h->nexts++) {
            p->next[n++] = (struct gg_next){c->link[c->edge[e].to].place, 1, c->edge[e].worms / l->worms};
            goes += c->edge[e].worms;
        }
        h->ends = (l->worms - goes) / l->worms;
    }
    p->network = (struct gg_network){c->links, p->channel, c->hops / pairs};
    p->longest = c->longest;
    return GG_PATHS_OK;
}

enum gg_paths_status gg_paths_open(struct gg_paths *p, const struct topology *t)
{
    struct count c = {.t = t, .of = calloc(topology_channels(t), sizeof *c.of)};
    enum gg_paths_status status = c.of ? GG_PATHS_OK : GG_PATHS_MEMORY;

    *p = (struct gg_paths){.circles = false};
    for (uint32_t dst = 0; dst < t->processors && !status; dst++)
        status = count_to(&c, dst);
    if (!status)
        status = order(&c, &p->circles);
    if (!status)
        status = describe(&c, p);
    if (status)
        gg_paths_close(p);
    free(c.of);
    free(c.link);
    free(c.list);
    free(c.edge);
    return status;
}

void gg_paths_close(struct gg_paths *p)
{
    free(p->channel);
    free(p->next);
    *p = (struct gg_paths){.channel = NULL};
}
