/* SPDX-License-Identifier: Apache-2.0
 * deadlock.c - whether the routing of a configuration can deadlock, asked before it runs.
 */
#include "fatfly.h"

#include "check.h"
#include "dependency.h"
#include "discipline.h"
#include "plug.h"
#include "traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the search that are worth waiting for, about a second. */
static const double most_steps = 2e7;

/* "3->4.0": from node 3 to node 4 in class 0. */
static int channel_text(const struct topology *t, uint32_t c, char *text, size_t size)
{
    uint32_t link = c / t->classes;
    return snprintf(text, size, "%u->%u.%u", link / t->ports,
                    t->kind->far(t, link / t->ports, link % t->ports), c % t->classes);
}

/* A circle of channels, as much of it as there is room for. */
static void circle_text(const struct topology *t, unsigned vcs, const uint32_t *cycle, uint32_t length, char *why,
                        size_t size)
{
    size_t n = (size_t)snprintf(why, size, "path = %s with topology = %s and vcs = %u can deadlock: "
                                "%u channels (from->to.class) wait in a circle:", t->params.path,
                                t->kind->name, vcs, length);
    uint32_t said = 0;
    for (; said < length && n + 60 < size; said++) {
        n += (size_t)snprintf(why + n, size - n, " ");
        n += (size_t)channel_text(t, cycle[said], why + n, size - n);
    }
    if (n < size)
        snprintf(why + n, size - n, "%s; allowed with force", said < length ? " .." : "");
}

/* vcs: virtual channels of a link, of which t may have joined all in one. */
static int order(const struct topology *t, unsigned vcs, const struct dependency *d, uint32_t *longest, char *why,
                 size_t size)
{
    uint32_t *rank = calloc((size_t)d->channels + 1, sizeof *rank);
    uint32_t *cycle = calloc((size_t)d->channels + 1, sizeof *cycle);
    int status = rank && cycle ? FATFLY_OK : FATFLY_NO_MEMORY;

    if (!status) {
        uint32_t length = dependency_order(d, rank, cycle), from, to, most = 0;
        for (uint32_t c = 0; c < d->channels && !length; c++)
            most = rank[c] > most ? rank[c] : most;
        if (length) {
            circle_text(t, vcs, cycle, length, why, size);
            status = FATFLY_DEADLOCK;
        } else if (!dependency_check(d, rank, &from, &to)) {
            snprintf(why, size, "internal check failed: channel %u is not below channel %u", from, to);
            status = FATFLY_BROKEN;
        }
        if (longest)
            *longest = most + 1;
    }
    free(rank);
    free(cycle);
    return status;
}

/* STORE: the virtual channels of a link are one queue. */
static void join_classes(struct topology *t, struct dependency *d)
{
    uint32_t links = d->channels / t->classes;
    for (uint32_t link = 0; link <= links; link++)
        d->first[link] = d->first[(size_t)link * t->classes];
    for (uint32_t k = 0; k < d->first[links]; k++)
        d->next[k] /= t->classes;
    d->channels = links;
    t->classes = 1;
}

static int search(const struct topology *t, unsigned vcs, bool store, uint32_t *longest, char *why, size_t size)
{
    struct topology queues = *t;
    struct dependency d;
    struct topology_place bad;
    int status = dependency_topology(t, &d, &bad);

    if (!status && store)
        join_classes(&queues, &d);

    if (status == -2 && plug_fault(t))
        snprintf(why, size, "%s", plug_fault(t));
    else if (status == -2)
        snprintf(why, size, "path = %s with topology = %s asks in node %u for a channel that is not "
                 "there", t->params.path, t->kind->name, bad.node);
    status = status == -2 ? FATFLY_BAD_CONFIG
           : status       ? FATFLY_NO_MEMORY : order(&queues, vcs, &d, longest, why, size);
    dependency_free(&d);
    return status;
}

/* Links of the longest way through a network whose links lead nowhere back; 0: they do.  Nodes are
 * taken away again and again that no link leads to from one that is left. */
static uint32_t longest_way(const struct topology *t, uint32_t *into, uint32_t *list, uint32_t *way)
{
    uint32_t count = 0, most = 0;

    for (uint32_t link = 0; link < t->nodes * t->ports; link++) {
        uint32_t far = t->kind->far(t, link / t->ports, link % t->ports);
        if (far != TOPOLOGY_NONE)
            into[far]++;
    }
    for (uint32_t a = 0; a < t->nodes; a++)
        if (!into[a])
            list[count++] = a;
    for (uint32_t done = 0; done < count; done++)
        for (unsigned p = 0; p < t->ports; p++) {
            uint32_t a = list[done], far = t->kind->far(t, a, p);
            if (far == TOPOLOGY_NONE)
                continue;
            way[far] = way[a] + 1 > way[far] ? way[a] + 1 : way[far];
            most = way[far] > most ? way[far] : most;
            if (--into[far] == 0)
                list[count++] = far;
        }
    return count == t->nodes ? most : 0;
}

/* Of a network that is too large to search: whatever the routing, it cannot deadlock if no links lead
 * in a circle. */
static int leveled(const struct topology *t, uint32_t *longest, char *why, size_t size)
{
    uint32_t *work = calloc((size_t)t->nodes * 3, sizeof *work), most = 0;

    if (!work)
        return FATFLY_NO_MEMORY;
    most = longest_way(t, work, work + t->nodes, work + 2 * (size_t)t->nodes);
    free(work);
    if (longest)
        *longest = most;
    if (!most)
        snprintf(why, size, "topology = %s with %u nodes has circles of links and is too large to look "
                 "for deadlocks; allowed: with force, or at most %.0f channels times processors",
                 t->kind->name, t->nodes, most_steps);
    return most ? FATFLY_OK : FATFLY_DEADLOCK;
}

static bool is_cube(const struct topology *t)
{
    return t->kind == &topology_torus || t->kind == &topology_mesh;
}

static double steps(const struct topology *t)
{
    return (double)topology_channels(t) * t->processors;
}

static int look(const struct fatfly_config *c, const struct topology *t, unsigned vcs, uint32_t *longest, char *why,
                size_t size)
{
    bool store = c->discipline == FATFLY_STORE;
    if (longest)
        *longest = t->chain;
    /* Known to have an order, or nobody waits for room. */
    if (t->chain || discipline_of(c)->rounds || (store && c->depth == FATFLY_UNBOUNDED))
        return FATFLY_OK;
    if (!is_cube(t) && steps(t) > most_steps)
        return leveled(t, longest, why, size);
    return search(t, vcs, store, longest, why, size);
}

/* Radices from which on cubes of one parity are alike: from them on each way round a ring has two links in a row
 * from every node.  With 4 links of a way of two all go up from even nodes and down from odd ones. */
static bool is_small(unsigned radix)
{
    return radix <= 6;
}

/* In place of a large cube the largest one of the same dimensions and parity of radix that is quick
 * to search.  Its channels do for each of its nodes what those of the large one do. */
static int look_smaller(const struct fatfly_config *c, unsigned vcs, uint32_t *longest, unsigned *radix, char *why,
                        size_t size)
{
    struct fatfly_config s = *c;
    struct topology t;

    s.nodes = 0;
    if (c->path == FATFLY_POSITIVE_HOP || c->path == FATFLY_NEGATIVE_HOP ||
        c->path == FATFLY_LOOSE_HOP)
        s.vcs = 0; /* as many as it needs */
    for (s.radix -= 2; topology_of(&s, &t, why, size) == 0; s.radix -= 2) {
        if (is_small(s.radix) || steps(&t) <= most_steps) {
            int status = look(&s, &t, vcs, longest, why, size);
            topology_close(&t);
            *radix = s.radix;
            return status;
        }
        topology_close(&t);
    }
    return FATFLY_BAD_CONFIG;
}

static int look_near(const struct fatfly_config *c, const struct topology *t, unsigned vcs, uint32_t *longest,
                     unsigned *radix, char *why, size_t size)
{
    if (is_cube(t) && !is_small(t->params.radix) && steps(t) > most_steps)
        return look_smaller(c, vcs, longest, radix, why, size);
    return look(c, t, vcs, longest, why, size);
}

/* Whether a head may take any virtual channel of a link that it may take. */
static bool takes_any(const struct fatfly_config *c, const struct topology *t)
{
    const enum fatfly_path *path = t->kind->any;

    while (path && *path != FATFLY_PATHS && *path != t->path)
        path++;
    return path && *path == t->path && !PLUGGED(c, route);
}

/* With one channel in place of vcs: where worms may take any, all are alike. */
static int look_once(const struct fatfly_config *c, unsigned vcs, uint32_t *longest, unsigned *radix, char *why, size_t size)
{
    struct fatfly_config one = *c;
    struct topology t;

    one.vcs = 1;
    if (topology_of(&one, &t, why, size))
        return FATFLY_BAD_CONFIG;
    int status = look_near(&one, &t, vcs, longest, radix, why, size);
    topology_close(&t);
    return status;
}

int check_deadlock(const struct fatfly_config *c, const struct topology *t, uint32_t *longest,
                   unsigned *radix, char *why, size_t size)
{
    unsigned own;

    if (traffic_parts(c) > 1) { /* each part is a network of its own */
        struct fatfly_config part = *c;
        struct topology of_part;
        char text[300] = "";
        part.class_channels = FATFLY_SHARED;
        part.vcs = t->classes / traffic_parts(c);
        if (topology_of(&part, &of_part, why, size))
            return FATFLY_BAD_CONFIG;
        int status = check_deadlock(&part, &of_part, longest, radix, text, sizeof text);
        topology_close(&of_part);
        if (status)
            snprintf(why, size, "class_channels = reserved, %u channels each: %s", part.vcs, text);
        return status;
    }
    radix = radix ? radix : &own;
    return takes_any(c, t) && t->classes > 1
               ? look_once(c, t->classes, longest, radix, why, size)
               : look_near(c, t, t->classes, longest, radix, why, size);
}

int fatfly_deadlock_free(const struct fatfly_config *c, uint32_t *longest, unsigned *radix, char *why,
                         size_t size)
{
    struct topology t;
    char none[1];

    if (!why) {
        why = none;
        size = sizeof none;
    }
    int status = check_open(c, &t, why, size);
    if (longest)
        *longest = 0;
    if (radix)
        *radix = c->radix;
    if (status)
        return status;
    status = check_deadlock(c, &t, longest, radix, why, size);
    topology_close(&t);
    return status;
}
