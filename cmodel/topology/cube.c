/* SPDX-License-Identifier: Apache-2.0
 * cube.c - k-ary n-cubes, as torus and as mesh, and the ways to route on them (BC).
 *
 * Node sum of digit[d] * k^d; link 2d leads on to digit[d] + 1, link 2d + 1 back to digit[d] - 1.
 * All paths are shortest ones.  Where both ways round a ring are, adaptive heads may take either, and
 * others go up from even digits, so that both ways carry the same.
 *
 * With processor links router a of N has one more link, 2n, to node 2N + a, where worms for processor a end,
 * and node N + a, where its worms begin, has that link alone, to router a.
 */
#include "topology.h"

#include <stdio.h>
#include <stdlib.h>

static const enum fatfly_path paths[] = {FATFLY_E_CUBE, FATFLY_NORTH_LAST, FATFLY_POSITIVE_HOP, FATFLY_NEGATIVE_HOP, FATFLY_MINIMAL_ADAPTIVE, FATFLY_LOOSE_HOP,
                                         FATFLY_BALANCED_E_CUBE, FATFLY_PATHS};
static const enum fatfly_path any_channel[] = {FATFLY_MINIMAL_ADAPTIVE, FATFLY_PATHS};

/* -- the grid --------------------------------------------------------------------------------- */

static uint32_t weight(const struct topology *t, unsigned dimension)
{
    uint32_t w = 1;
    while (dimension-- > 0)
        w *= t->params.radix;
    return w;
}

struct cube {
    uint32_t *digits;            /* of each node, eight bits a dimension, that of dimension 0 lowest */
    struct topology_choice *way; /* FATFLY_E_CUBE: [radix * radix], from digit x to y of dimension 0; NULL */
};

static unsigned digit(const struct topology *t, uint32_t node, unsigned dimension)
{
    const struct cube *cube = t->data;
    return cube->digits[node] >> 8 * dimension & 255;
}

/* Nodes but routers: a processor's worms begin in one and end in another. */
static uint32_t enter(const struct topology *t, uint32_t a)
{
    return t->params.processor_links ? t->processors + a : a;
}

static uint32_t leave(const struct topology *t, uint32_t a)
{
    return t->params.processor_links ? 2 * t->processors + a : a;
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    if (node >= t->processors || port == 2 * t->params.dimensions) {
        bool is = node < 2 * t->processors && port == 2 * t->params.dimensions;
        return !is ? (uint32_t)TOPOLOGY_NONE : node < t->processors ? leave(t, node) : node - t->processors;
    }
    unsigned k = t->params.radix, d = port / 2, x = digit(t, node, d);
    bool up = port % 2 == 0;
    unsigned edge = up ? k - 1 : 0;

    if (x != edge)
        return up ? node + weight(t, d) : node - weight(t, d);
    if (!t->wraps)
        return TOPOLOGY_NONE;
    return up ? node - (k - 1) * weight(t, d) : node + (k - 1) * weight(t, d);
}

/* Hops up and round from digit x to y. */
static unsigned up_hops(const struct topology *t, unsigned x, unsigned y)
{
    return y >= x ? y - x : y + t->params.radix - x;
}

/* Whether both ways from digit x to y are shortest. */
static bool both_ways(const struct topology *t, unsigned x, unsigned y)
{
    return t->wraps && 2 * up_hops(t, x, y) == t->params.radix;
}

/* The port on a shortest way from digit x to y of a dimension, if they differ; tie: take the one
 * down where both ways are. */
static unsigned port_towards(const struct topology *t, unsigned d, unsigned x, unsigned y, bool tie)
{
    unsigned hops = up_hops(t, x, y);
    bool up = t->wraps ? 2 * hops < t->params.radix + !tie : y > x;
    return 2 * d + !up;
}

/* -- which virtual channel -------------------------------------------------------------------- */

static struct topology_choice choose(unsigned port, unsigned low, unsigned high)
{
    return (struct topology_choice){(uint8_t)port, (uint8_t)low, (uint8_t)high};
}

/* Whether the link between k - 1 and 0 is still to be taken on the way from x to y. */
static bool must_wrap(const struct topology *t, unsigned port, unsigned x, unsigned y)
{
    return t->wraps && (port % 2 == 0 ? y < x : y > x);
}

/* Whether the hop that ended here took the link between k - 1 and 0 of this dimension. */
static bool has_wrapped(const struct topology *t, unsigned port, unsigned x, unsigned from)
{
    return t->wraps && (port % 2 == 0 ? x < from : x > from);
}

/* Two classes of channels, the lower and the upper half, break a ring (Dally and Seitz): a worm that
 * takes the link between k - 1 and 0 does so in the lower class and goes on in the upper one, where
 * nobody takes that link.  A worm that does not take it goes in the upper class, so that one carries
 * the more; or, balanced, by the parity of its hops half of them go in the lower class all the way. */
static struct topology_choice ring(const struct topology *t, const struct topology_place *at,
                                   unsigned port, unsigned x, unsigned y)
{
    unsigned last = t->classes - 1, half = t->classes / 2;
    bool in_upper_class = !must_wrap(t, port, x, y);
    if (!t->wraps || !half)
        return choose(port, 0, last);
    if (in_upper_class && t->path == FATFLY_BALANCED_E_CUBE)
        in_upper_class = at->from == TOPOLOGY_NONE || at->port != port /* it enters the dimension */
                    ? (x ^ y) & 1
                    : at->class >= half || has_wrapped(t, port, x, digit(t, at->from, port / 2));
    return in_upper_class ? choose(port, half, last) : choose(port, 0, half - 1);
}

/* Nodes have two colours, 1 and 2 by the parity of their digits' sum; a hop from 2 to 1 is negative
 * (BC 2, negative hop). */
static bool is_odd(const struct topology *t, uint32_t node)
{
    unsigned sum = 0;
    for (unsigned d = 0; d < t->params.dimensions; d++)
        sum += digit(t, node, d);
    return sum % 2;
}

/* Hops, or negative hops, before the one to come. */
static unsigned hop_class(const struct topology *t, const struct topology_place *at)
{
    if (at->from == TOPOLOGY_NONE)
        return 0;
    return at->class + (t->path != FATFLY_NEGATIVE_HOP || is_odd(t, at->from));
}

/* Classes that a path selection needs. */
static unsigned classes_of(const struct topology *t)
{
    unsigned n = t->params.dimensions, k = t->params.radix;
    unsigned hops = t->wraps ? n * (k / 2) : n * (k - 1); /* the most that a worm makes */

    switch (t->path) {
    case FATFLY_POSITIVE_HOP:
    case FATFLY_LOOSE_HOP:
        return hops + 1; /* BC's count; the last is for whoever waits at its destination */
    case FATFLY_NEGATIVE_HOP:
        return (hops + 1) / 2 + 1;
    case FATFLY_E_CUBE:
    case FATFLY_BALANCED_E_CUBE:
    case FATFLY_NORTH_LAST:
        return t->wraps ? 2 : 1;
    default:
        return 1;
    }
}

/* -- the interface ---------------------------------------------------------------------------- */

static int check(struct topology *t, char *why, size_t size)
{
    unsigned k = t->params.radix, n = t->params.dimensions;

    if (k < 2 || k > TOPOLOGY_MAX_RADIX) {
        snprintf(why, size, "radix = %u; allowed: 2 to %d", k, TOPOLOGY_MAX_RADIX);
        return -1;
    }
    if (n < 1 || n > TOPOLOGY_MAX_DIMENSIONS) {
        snprintf(why, size, "dimensions = %u; allowed: 1 to %d", n, TOPOLOGY_MAX_DIMENSIONS);
        return -1;
    }
    if (t->path == FATFLY_NEGATIVE_HOP && t->wraps && k % 2) {
        snprintf(why, size, "radix = %u with path = negative-hop; allowed: an even one, since the "
                 "nodes of a ring of odd length cannot have two colours", k);
        return -1;
    }
    if (t->path == FATFLY_NORTH_LAST && n != 2) {
        snprintf(why, size, "dimensions = %u with path = north-last; allowed: 2", n);
        return -1;
    }
    return 0;
}

static bool tabulate(struct topology *t)
{
    struct cube *cube = t->data = calloc(1, sizeof *cube);
    uint32_t *digits = cube ? cube->digits = calloc(t->processors, sizeof *digits) : NULL;
    for (uint32_t node = 0; digits && node < t->processors; node++)
        for (unsigned d = 0, rest = node; d < t->params.dimensions; d++, rest /= t->params.radix)
            digits[node] |= (uint32_t)(rest % t->params.radix) << 8 * d;
    return digits;
}

/* Of e-cube, whose choice depends on two digits alone. */
static bool tabulate_ways(struct topology *t)
{
    unsigned k = t->params.radix;
    struct cube *cube = t->data;
    const struct topology_place at = {.from = TOPOLOGY_NONE};

    if (t->path != FATFLY_E_CUBE)
        return true;
    cube->way = malloc((size_t)k * k * sizeof *cube->way);
    for (unsigned x = 0; cube->way && x < k; x++)
        for (unsigned y = 0; y < k; y++)
            cube->way[x * k + y] = ring(t, &at, port_towards(t, 0, x, y, x % 2), x, y);
    return cube->way;
}

static void close_cube(struct topology *t)
{
    struct cube *cube = t->data;
    if (cube) {
        free(cube->digits);
        free(cube->way);
    }
    free(cube);
    t->data = NULL;
}

static int open_cube(struct topology *t, char *why, size_t size)
{
    if (check(t, why, size))
        return -1;
    unsigned need = classes_of(t), have = t->params.classes;
    bool by_hops = t->path == FATFLY_POSITIVE_HOP || t->path == FATFLY_NEGATIVE_HOP || t->path == FATFLY_LOOSE_HOP;
    if (need > TOPOLOGY_MAX_CLASSES) {
        snprintf(why, size, "radix = %u with dimensions = %u and path = %s takes %u virtual channels; allowed: up to %d",
                 t->params.radix, t->params.dimensions, fatfly_path_names[t->path], need, TOPOLOGY_MAX_CLASSES);
        return -1;
    }
    if ((have ? have : need) > TOPOLOGY_MAX_CLASSES || (have && have < need && by_hops)) {
        snprintf(why, size, "vcs = %u; allowed: path = %s takes %u to %d", have, fatfly_path_names[t->path],
                 by_hops ? need : 1, TOPOLOGY_MAX_CLASSES);
        return -1;
    }
    t->processors = weight(t, t->params.dimensions);
    if (t->params.processors && t->params.processors != t->processors) {
        snprintf(why, size, "nodes = %u; allowed: radix^dimensions = %u^%u = %u",
                 t->params.processors, t->params.radix, t->params.dimensions, t->processors);
        return -1;
    }
    t->nodes = t->params.processor_links ? 3 * t->processors : t->processors;
    t->ports = 2 * t->params.dimensions + t->params.processor_links;
    t->classes = have ? have : need;
    if (tabulate(t) && tabulate_ways(t))
        return 0;
    close_cube(t);
    snprintf(why, size, "nodes = %u: memory is short", t->nodes);
    return -1;
}

static int open_torus(struct topology *t, char *why, size_t size)
{
    t->wraps = true;
    return open_cube(t, why, size);
}

/* Turning to north is the last turn (Glass and Ni), so with something else left that comes first;
 * lines are numbered from the top (BC 2.1), so north is down in dimension 1.  That orders a mesh.
 * BC do not say how two classes did it on a torus, where turning freely among rings can deadlock.
 * Here the upper class goes north-last and takes no link that joins the ends of a line.  The lower
 * one is e-cube as far as the last such link, after which a worm goes on in the upper class; a worm
 * that takes none may go over in any hop. */
static unsigned north_last(const struct topology *t, const struct topology_place *at,
                           const unsigned port[2], const unsigned x[2], const unsigned y[2],
                           struct topology_choice *choice)
{
    unsigned last = t->classes - 1, half = t->wraps ? t->classes / 2 : 0, count = 0;
    bool injected = at->from == TOPOLOGY_NONE;
    /* Whether it may still take dimension 0 in the lower class: it has not left it, nor wrapped. */
    bool first = injected || (at->class < half && at->port < 2 &&
                              !has_wrapped(t, at->port, x[0], digit(t, at->from, 0)));

    if (half && x[0] != y[0] && must_wrap(t, port[0], x[0], y[0])) {
        choice[0] = choose(port[0], 0, half - 1);
        return 1;
    }
    if (half && x[1] != y[1] && must_wrap(t, port[1], x[1], y[1])) {
        choice[0] = choose(port[x[0] == y[0] || !first], 0, half - 1);
        return 1;
    }
    for (unsigned d = 0; d < 2; d++)
        if (x[d] != y[d] && !(port[d] == 3 && count))
            choice[count++] = choose(port[d], half, last);
    bool lower = injected || (at->class < half &&
                              !has_wrapped(t, at->port, x[at->port / 2],
                                           digit(t, at->from, at->port / 2)));
    if (half && count && lower && (first || x[0] == y[0]))
        choice[count++] = choose(port[x[0] == y[0]], 0, half - 1);
    return count;
}

/* Any of several dimensions; apart, so that e-cube keeps few registers. */
__attribute__((noinline)) static unsigned adaptive(const struct topology *t, const struct topology_place *at,
                                                  uint32_t dst, struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned count = 0, n = t->params.dimensions;
    unsigned x[TOPOLOGY_MAX_DIMENSIONS], y[TOPOLOGY_MAX_DIMENSIONS], port[TOPOLOGY_MAX_DIMENSIONS];

    for (unsigned d = 0; d < n; d++) {
        x[d] = digit(t, at->node, d);
        y[d] = digit(t, dst, d);
        port[d] = port_towards(t, d, x[d], y[d], x[d] % 2);
    }
    if (t->path == FATFLY_NORTH_LAST)
        return north_last(t, at, port, x, y, choice);
    unsigned high = t->path == FATFLY_MINIMAL_ADAPTIVE ? t->classes - 1 : hop_class(t, at);
    unsigned low = t->path == FATFLY_MINIMAL_ADAPTIVE || t->path == FATFLY_LOOSE_HOP ? 0 : high;
    for (unsigned d = 0; d < n; d++) {
        if (x[d] == y[d])
            continue;
        choice[count++] = choose(port[d], low, high);
        if (both_ways(t, x[d], y[d]))
            choice[count++] = choose(port[d] ^ 1, low, high);
    }
    return count;
}

/* The first dimension in which digits differ. */
static unsigned e_cube(const struct topology *t, const struct topology_place *at, uint32_t dst,
                       struct topology_choice *choice)
{
    const struct cube *cube = t->data;
    uint32_t from = cube->digits[at->node], to = cube->digits[dst];

    if (from == to)
        return 0;
    unsigned d = (unsigned)__builtin_ctz(from ^ to) / 8, x = from >> 8 * d & 255, y = to >> 8 * d & 255;
    if (cube->way) {
        *choice = cube->way[x * t->params.radix + y];
        choice->port = (uint8_t)(choice->port + 2 * d);
    } else {
        *choice = ring(t, at, port_towards(t, d, x, y, x % 2), x, y);
    }
    return 1;
}

/* Over the network, where a head that has come from a processor is as one that was injected here. */
static unsigned route_over(const struct topology *t, const struct topology_place *at, uint32_t dst,
                           struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    return t->path == FATFLY_E_CUBE || t->path == FATFLY_BALANCED_E_CUBE ? e_cube(t, at, dst, choice)
                                                           : adaptive(t, at, dst, choice);
}

__attribute__((noinline)) static unsigned route_apart(const struct topology *t, const struct topology_place *at,
                                                     uint32_t dst, struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    struct topology_place here = *at;
    if (at->node >= t->processors || at->node == dst) {
        choice[0] = choose(2 * t->params.dimensions, 0, t->classes - 1);
        return 1;
    }
    if (here.from >= t->processors)
        here.from = TOPOLOGY_NONE;
    return route_over(t, &here, dst, choice);
}

static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    return t->params.processor_links ? route_apart(t, at, dst, choice) : route_over(t, at, dst, choice);
}

static unsigned group(const struct topology *t, uint32_t node, unsigned port)
{
    /* Level d, up and down, is dimension d; the last one processors' links, up into the network. */
    return port == 2 * t->params.dimensions && node < t->processors ? port + 1 : port;
}

const struct topology_kind topology_torus = {.name = "torus", .paths = paths, .any = any_channel, .open = open_torus,
                                             .close = close_cube, .enter = enter, .leave = leave,
                                             .far = far, .group = group, .route = route};
const struct topology_kind topology_mesh = {.name = "mesh", .paths = paths, .any = any_channel, .open = open_cube,
                                            .close = close_cube, .enter = enter, .leave = leave,
                                            .far = far, .group = group, .route = route};
