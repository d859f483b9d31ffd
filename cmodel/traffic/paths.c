/* SPDX-License-Identifier: Apache-2.0
 * paths.c - path collections, and what theorems ask of them.
 */
#include "paths.h"

#include "rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- making one ------------------------------------------------------------------------------- */

/* A collection that grows, or, with p NULL, is only counted. */
struct maker {
    struct paths *p;
    uint64_t hops, worms;
    size_t room_worms, room_hops;
};

/* Room for one more of `size` bytes each. */
static bool grow(void *list, size_t *room, uint64_t count, size_t size)
{
    void **at = list;
    if (count < *room)
        return true;
    size_t more = *room ? *room + *room / 2 : 64;
    void *bigger = realloc(*at, more * size);
    if (!bigger)
        return false;
    *at = bigger;
    *room = more;
    return true;
}

static bool add_hop(struct maker *m, uint32_t link)
{
    if (m->p) {
        if (!grow(&m->p->link, &m->room_hops, m->hops, sizeof *m->p->link))
            return false;
        m->p->link[m->hops] = link;
    }
    m->hops++;
    return true;
}

static bool begin_worm(struct maker *m, const struct traffic_worm *w)
{
    size_t room = m->room_worms;
    if (m->p) {
        if (m->worms >= UINT32_MAX - 1 ||
            !grow(&m->p->worm, &m->room_worms, m->worms, sizeof *m->p->worm) ||
            !grow(&m->p->first, &room, m->worms + 1, sizeof *m->p->first))
            return false;
        m->p->worm[m->worms] = *w;
        m->p->first[m->worms] = m->hops;
    }
    m->worms++;
    return true;
}

/* Counts worms over each link; closes the table. */
static int finish(struct paths *p, const struct maker *m)
{
    uint32_t *worms = calloc((size_t)p->links + 1, sizeof *worms);
    if (!worms || (!p->first && !(p->first = malloc(sizeof *p->first)))) {
        free(worms);
        return FATFLY_NO_MEMORY;
    }
    p->count = (uint32_t)m->worms;
    p->first[p->count] = m->hops;
    for (uint32_t k = 0; k < p->count; k++) {
        uint32_t length = paths_length(p, k);
        p->dilation = length > p->dilation ? length : p->dilation;
    }
    for (size_t k = 0; k < m->hops; k++) {
        uint32_t n = ++worms[p->link[k]];
        p->congestion = n > p->congestion ? n : p->congestion;
    }
    free(worms);
    return FATFLY_OK;
}

void paths_free(struct paths *p)
{
    free(p->first);
    free(p->link);
    free(p->from);
    free(p->to);
    free(p->worm);
    *p = (struct paths){.count = 0};
}

static bool make_links(struct paths *p, uint32_t links, uint32_t nodes)
{
    p->links = links;
    p->nodes = nodes;
    p->from = malloc(((size_t)links + 1) * sizeof *p->from);
    p->to = malloc(((size_t)links + 1) * sizeof *p->to);
    return p->from && p->to;
}

/* -- of a topology ---------------------------------------------------------------------------- */

/* The way of one worm; the first choice in every node. */
static int walk(struct maker *m, const struct topology *t, const struct traffic_worm *w, char *why,
                size_t size)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    struct topology_place at = {.node = topology_enter(t, w->src), .from = TOPOLOGY_NONE,
                                .parents = w->path};
    uint64_t before = m->hops;
    uint32_t end = topology_leave(t, w->dst);

    for (uint64_t hops = 0; (hops == 0 || at.node != end) && t->kind->route(t, &at, w->dst, choice); hops++) {
        if (hops > (uint64_t)t->nodes * t->ports) {
            snprintf(why, size, "the path from %u to %u does not end", w->src, w->dst);
            return FATFLY_BAD_CONFIG;
        }
        if (!add_hop(m, topology_number(t, at.node, choice->port)))
            return FATFLY_NO_MEMORY;
        at.from = at.node;
        at.port = choice->port;
        at.class = choice->low;
        at.node = t->kind->far(t, at.from, at.port);
    }
    if (m->hops == before) {
        snprintf(why, size, "the path from %u to %u has no link", w->src, w->dst);
        return FATFLY_BAD_CONFIG;
    }
    return FATFLY_OK;
}

/* Which of the links that leave a node lead to where this worm has not been; a random one. */
static unsigned fresh_port(const struct topology *t, uint32_t node, const uint32_t *seen,
                           uint32_t worm, struct rng *r)
{
    uint8_t port[TOPOLOGY_MAX_PORTS];
    unsigned count = 0;

    for (unsigned p = 0; p < t->ports; p++) {
        uint32_t far = t->kind->far(t, node, p);
        if (far != TOPOLOGY_NONE && seen[far] != worm)
            port[count++] = (uint8_t)p;
    }
    return count ? port[rng_below(r, count)] : t->ports;
}

/* A simple path at random; *w gets the destination.  seen[nodes]: the last worm that came there. */
static int stroll(struct maker *m, const struct topology *t, struct traffic_worm *w, uint64_t seed,
                  uint32_t *seen, char *why, size_t size)
{
    struct rng r = {rng_hash(seed + rng_hash(w->number))};
    uint32_t at = w->src;
    unsigned bits = 1;

    while (t->nodes > UINT32_C(1) << bits) /* at most 2^20 (graph.c) */
        bits++;
    for (uint32_t left = 1 + rng_below(&r, 2 * bits); left; left--) {
        seen[at] = w->number;
        unsigned port = fresh_port(t, at, seen, w->number, &r);
        if (port == t->ports)
            break;
        if (!add_hop(m, topology_number(t, at, port)))
            return FATFLY_NO_MEMORY;
        at = t->kind->far(t, at, port);
    }
    if (at == w->src) {
        snprintf(why, size, "path = walk; no link leads from node %u to another one", at);
        return FATFLY_BAD_CONFIG;
    }
    w->dst = at;
    return FATFLY_OK;
}

/* -- of a configuration ----------------------------------------------------------------------- */

/* The way of the worm that was begun last. */
static int add_path(struct maker *m, const struct fatfly_config *c, const struct topology *o,
                    struct traffic_worm *w, uint32_t *seen, char *why, size_t size)
{
    if (!seen)
        return walk(m, o, w, why, size);
    int status = stroll(m, o, w, c->seed, seen, why, size);
    if (m->p)
        m->p->worm[m->worms - 1].dst = w->dst;
    return status;
}

static int make(struct maker *m, const struct fatfly_config *c, const struct topology *o, char *why,
                size_t size)
{
    /* Where worms go does not depend on the discipline; these two ask for no delays. */
    struct fatfly_config plain = *c;
    plain.discipline = FATFLY_WORM;
    plain.delay_range = 1;
    bool strolls = c->path == FATFLY_WALK;
    uint32_t *seen = strolls ? calloc(o->nodes, sizeof *seen) : NULL;
    struct traffic *t = traffic_new(&plain);
    struct traffic_worm w;
    int status = t && (seen || !strolls) ? FATFLY_OK : FATFLY_NO_MEMORY;

    if (t && topology_apart(o))
        traffic_apart(t);
    for (uint32_t src = 0; src < c->nodes && !status; src++)
        while (!status && traffic_next(t, src, &w))
            status = begin_worm(m, &w) ? add_path(m, c, o, &w, seen, why, size) : FATFLY_NO_MEMORY;
    if (t && m->p)
        m->p->self_worms = traffic_self_worms(t);
    traffic_free(t);
    free(seen);
    return status;
}

static bool make_links_of(struct paths *p, const struct topology *o)
{
    if (!make_links(p, o->links, o->nodes))
        return false;
    for (uint32_t k = 0; k < o->links; k++) {
        struct topology_link l = topology_link(o, k);
        p->from[k] = l.from;
        p->to[k] = l.to;
    }
    return true;
}

int paths_of(struct paths *p, const struct fatfly_config *c, const struct topology *o, char *why,
             size_t size)
{
    struct maker m = {.p = p};

    *p = (struct paths){.count = 0};
    int status = make_links_of(p, o) ? make(&m, c, o, why, size) : FATFLY_NO_MEMORY;
    if (!status)
        status = finish(p, &m);
    if (status)
        paths_free(p);
    return status;
}

int paths_sent(struct paths *p, const struct traffic_worm *worm, size_t count, const struct topology *o,
               char *why, size_t size)
{
    struct maker m = {.p = p};

    *p = (struct paths){.count = 0};
    int status = make_links_of(p, o) ? FATFLY_OK : FATFLY_NO_MEMORY;
    for (size_t k = 0; k < count && !status; k++)
        status = begin_worm(&m, &worm[k]) ? walk(&m, o, &worm[k], why, size) : FATFLY_NO_MEMORY;
    if (!status)
        status = finish(p, &m);
    if (status)
        paths_free(p);
    return status;
}

uint64_t paths_memory(const struct fatfly_config *c, const struct topology *o, uint64_t *hops)
{
    struct maker m = {.p = NULL};
    uint32_t links = o->links;
    char why[1];

    make(&m, c, o, why, sizeof why);
    *hops = m.hops;
    /* lists that grow by half are a quarter larger than what they hold, on the mean */
    return links * (uint64_t)(2 * sizeof(uint32_t)) + m.hops * 5 / 4 * sizeof(uint32_t) +
           m.worms * 5 / 4 * (sizeof(struct traffic_worm) + sizeof(size_t));
}

/* -- given ones ------------------------------------------------------------------------------- */

/* Marks links of one path; false: this one was there before. */
static bool mark(uint32_t *seen, uint32_t link, uint32_t worm)
{
    bool fresh = seen[link] != worm + 1;
    seen[link] = worm + 1;
    return fresh;
}

static int check(const struct paths *p, char *why, size_t size)
{
    uint32_t *seen = calloc((size_t)p->links + 1, sizeof *seen);
    int status = seen ? FATFLY_OK : FATFLY_NO_MEMORY;

    for (uint32_t k = 0; k < p->count && !status; k++)
        for (size_t j = p->first[k]; j < p->first[k + 1] && !status; j++) {
            uint32_t link = p->link[j];
            const char *wrong = NULL;
            if (!mark(seen, link, k))
                wrong = "is in it twice";
            else if (j > p->first[k] && p->from[link] != p->to[p->link[j - 1]])
                wrong = "does not begin where the last one ends";
            if (wrong) {
                snprintf(why, size, "path %u: link %u (%u to %u) %s", k, link, p->from[link],
                         p->to[link], wrong);
                status = FATFLY_BAD_CONFIG;
            }
        }
    free(seen);
    return status;
}

static struct traffic_worm numbered(uint32_t k, uint32_t length)
{
    return (struct traffic_worm){.index = k, .number = k + 1, .length = length};
}

int paths_given(struct paths *p, uint32_t nodes, uint32_t links, const uint32_t *from,
                const uint32_t *to, uint32_t count, const size_t *first, const uint32_t *link,
                uint32_t length, char *why, size_t size)
{
    struct maker m = {.p = p};
    *p = (struct paths){.count = 0};
    bool good = make_links(p, links, nodes);

    for (uint32_t k = 0; k < count && good; k++) {
        struct traffic_worm w = numbered(k, length);
        good = begin_worm(&m, &w);
        bool wrong = first[k] == first[k + 1];
        if (wrong)
            snprintf(why, size, "path %u: no link; allowed: at least one", k);
        for (size_t j = first[k]; j < first[k + 1] && good && !wrong; j++) {
            wrong = link[j] >= links;
            if (wrong)
                snprintf(why, size, "path %u: link %u; allowed: 0 to %u", k, link[j], links - 1);
            else
                good = add_hop(&m, link[j]);
        }
        if (wrong) {
            paths_free(p);
            return FATFLY_BAD_CONFIG;
        }
    }
    if (good) {
        memcpy(p->from, from, links * sizeof *from);
        memcpy(p->to, to, links * sizeof *to);
    }
    int status = good ? finish(p, &m) : FATFLY_NO_MEMORY;
    if (!status)
        status = check(p, why, size);
    if (status)
        paths_free(p);
    return status;
}

/* -- what theorems ask ------------------------------------------------------------------------ */

/* Links of one component get levels relative to each other; a conflict: there are none. */
struct levels {
    const struct paths *p;
    int64_t *level;   /* [links] */
    uint32_t *root;   /* [links], of the union-find trees; level[] is relative to it */
};

/* The root of a link; *level: its level above the root's. */
static uint32_t find(struct levels *s, uint32_t link, int64_t *level)
{
    int64_t sum = 0;
    uint32_t root = link;
    while (s->root[root] != root) {
        sum += s->level[root];
        root = s->root[root];
    }
    *level = sum;
    while (s->root[link] != root) { /* the way is shorter the next time */
        uint32_t next = s->root[link];
        int64_t own = s->level[link];
        s->root[link] = root;
        s->level[link] = sum;
        sum -= own;
        link = next;
    }
    return root;
}

/* The level of b is that of a and one. */
static bool join(struct levels *s, uint32_t a, uint32_t b)
{
    int64_t la, lb;
    uint32_t ra = find(s, a, &la), rb = find(s, b, &lb);
    if (ra == rb)
        return lb == la + 1;
    s->root[rb] = ra;
    s->level[rb] = la + 1 - lb;
    return true;
}

static int level_starts(struct levels *s, uint32_t *start)
{
    const struct paths *p = s->p;
    int64_t *low = calloc((size_t)p->links + 1, sizeof *low), level;
    if (!low)
        return FATFLY_NO_MEMORY;
    for (uint32_t k = 0; k < p->links; k++) {
        uint32_t root = find(s, k, &level);
        low[root] = level < low[root] ? level : low[root];
    }
    for (uint32_t k = 0; k < p->count; k++) {
        uint32_t root = find(s, p->link[p->first[k]], &level);
        start[k] = (uint32_t)(level - low[root]);
    }
    free(low);
    return FATFLY_OK;
}

int paths_leveled(const struct paths *p, uint32_t *start)
{
    struct levels s = {.p = p, .level = calloc((size_t)p->links + 1, sizeof *s.level),
                       .root = malloc(((size_t)p->links + 1) * sizeof *s.root)};
    int status = s.level && s.root ? FATFLY_OK : FATFLY_NO_MEMORY;

    for (uint32_t k = 0; k < p->links && !status; k++)
        s.root[k] = k;
    for (uint32_t k = 0; k < p->count && !status; k++)
        for (size_t j = p->first[k] + 1; j < p->first[k + 1] && !status; j++)
            if (!join(&s, p->link[j - 1], p->link[j]))
                status = FATFLY_BAD_CONFIG;
    if (!status)
        status = level_starts(&s, start);
    free(s.level);
    free(s.root);
    return status;
}

/* The graph of the links that paths take. */
struct graph {
    uint32_t *first; /* [nodes + 2] */
    uint32_t *next;  /* nodes */
    uint32_t *queue, *hops, *seen;
};

static bool make_graph(struct graph *g, const struct paths *p)
{
    size_t nodes = p->nodes;
    uint8_t *used = calloc((size_t)p->links + 1, 1);
    g->first = calloc(nodes + 3, sizeof *g->first);
    g->next = malloc(((size_t)p->links + 1) * sizeof *g->next);
    g->queue = malloc((nodes + 1) * sizeof *g->queue);
    g->hops = malloc((nodes + 1) * sizeof *g->hops);
    g->seen = calloc(nodes + 1, sizeof *g->seen);
    bool good = used && g->first && g->next && g->queue && g->hops && g->seen;

    for (size_t k = 0; good && k < p->first[p->count]; k++)
        if (!used[p->link[k]]) {
            used[p->link[k]] = 1;
            g->first[p->from[p->link[k]] + 2]++;
        }
    for (size_t a = 0; good && a < nodes; a++)
        g->first[a + 2] += g->first[a + 1];
    for (uint32_t k = 0; good && k < p->links; k++)
        if (used[k])
            g->next[g->first[p->from[k] + 1]++] = p->to[k];
    free(used);
    return good;
}

/* Links from node a to all others, in hops[] where seen[] is `mark`. */
static void distances(struct graph *g, uint32_t a, uint32_t stamp)
{
    uint32_t count = 1;
    g->queue[0] = a;
    g->seen[a] = stamp;
    g->hops[a] = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = g->queue[k];
        for (uint32_t j = g->first[at]; j < g->first[at + 1]; j++)
            if (g->seen[g->next[j]] != stamp) {
                g->seen[g->next[j]] = stamp;
                g->hops[g->next[j]] = g->hops[at] + 1;
                g->queue[count++] = g->next[j];
            }
    }
}

int paths_shortcut_free(const struct paths *p, char *why, size_t size)
{
    struct graph g;
    int status = make_graph(&g, p) ? FATFLY_OK : FATFLY_NO_MEMORY;
    uint32_t from = TOPOLOGY_NONE, stamp = 0;

    for (uint32_t k = 0; k < p->count && !status; k++) {
        uint32_t length = paths_length(p, k);
        uint32_t a = p->from[p->link[p->first[k]]], b = p->to[p->link[p->first[k + 1] - 1]];
        if (a != from) /* worms of one source are next to each other */
            distances(&g, from = a, ++stamp);
        /* A circle, as round a wrapped butterfly, is as short as it can be if what it is without its
         * last link is. */
        if (a == b && length > 1) {
            b = p->from[p->link[p->first[k + 1] - 1]];
            length--;
        }
        if (g.hops[b] < length) {
            snprintf(why, size, "worm %u takes %u links from node %u to %u, and parts of paths make "
                     "one of %u", p->worm[k].number, length, a, b, g.hops[b]);
            status = FATFLY_BAD_CONFIG;
        }
    }
    free(g.first);
    free(g.next);
    free(g.queue);
    free(g.hops);
    free(g.seen);
    return status;
}
