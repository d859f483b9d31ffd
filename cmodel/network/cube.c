/* SPDX-License-Identifier: Apache-2.0
 * cube.c - k-ary n-cubes, as torus and as mesh, and the ways to route on them (BC).
 *
 * Node sum of digit[d] * k^d; link 2d leads on to digit[d] + 1, link 2d + 1 back to digit[d] - 1.
 * All paths are shortest ones; where both ways round a ring are, a head goes up.
 */
#include "topology.h"

#include <stdio.h>

enum path { E_CUBE, NORTH_LAST, POSITIVE_HOP, NEGATIVE_HOP, MINIMAL_ADAPTIVE, PATHS };
static const char *const paths[PATHS + 1] = {"e-cube", "north-last", "positive-hop",
                                             "negative-hop", "minimal-adaptive", NULL};

/* -- the grid --------------------------------------------------------------------------------- */

static uint32_t weight(const struct topology *t, unsigned dimension)
{
    uint32_t w = 1;
    while (dimension-- > 0)
        w *= t->params.radix;
    return w;
}

static unsigned digit(const struct topology *t, uint32_t node, unsigned dimension)
{
    return node / weight(t, dimension) % t->params.radix;
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    unsigned k = t->params.radix, d = port / 2, x = digit(t, node, d);
    bool up = port % 2 == 0;
    unsigned edge = up ? k - 1 : 0;

    if (x != edge)
        return up ? node + weight(t, d) : node - weight(t, d);
    if (!t->wraps)
        return TOPOLOGY_NONE;
    return up ? node - (k - 1) * weight(t, d) : node + (k - 1) * weight(t, d);
}

/* The port on a shortest way from digit x to y of a dimension, if they differ. */
static unsigned port_towards(const struct topology *t, unsigned d, unsigned x, unsigned y)
{
    unsigned k = t->params.radix;
    bool up = t->wraps ? (y + k - x) % k <= k / 2 : y > x;
    return 2 * d + !up;
}

/* -- which virtual channel -------------------------------------------------------------------- */

/* Whether the link between k - 1 and 0 is still to be taken on the way from x to y. */
static bool must_wrap(const struct topology *t, unsigned port, unsigned x, unsigned y)
{
    return t->wraps && (port % 2 == 0 ? y < x : y > x);
}

/* Two channels break a ring (Dally and Seitz): 0 as long as the link between k - 1 and 0 is to come
 * or being taken, 1 after it or where it is not on the way.  So no worm in channel 1 takes that link,
 * and none changes from 1 to 0 within a dimension. */
static unsigned ring_class(const struct topology *t, unsigned port, unsigned x, unsigned y)
{
    return t->classes > 1 && t->wraps && !must_wrap(t, port, x, y);
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
    return at->class + (t->path == POSITIVE_HOP || is_odd(t, at->from));
}

/* Classes that a path selection needs. */
static unsigned classes_of(const struct topology *t)
{
    unsigned n = t->params.dimensions, k = t->params.radix;
    unsigned hops = t->wraps ? n * (k / 2) : n * (k - 1); /* the most that a worm makes */

    switch (t->path) {
    case POSITIVE_HOP:
        return hops + 1; /* BC's count; the last is for whoever waits at its destination */
    case NEGATIVE_HOP:
        return (hops + 1) / 2 + 1;
    case E_CUBE:
    case NORTH_LAST:
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
        snprintf(why, size, "radix %u; allowed: 2 to %d", k, TOPOLOGY_MAX_RADIX);
        return -1;
    }
    if (n < 1 || n > TOPOLOGY_MAX_DIMENSIONS) {
        snprintf(why, size, "dimensions %u; allowed: 1 to %d", n, TOPOLOGY_MAX_DIMENSIONS);
        return -1;
    }
    if (t->path == NEGATIVE_HOP && t->wraps && k % 2) {
        snprintf(why, size, "path negative-hop with radix %u; allowed: an even one, since a ring of "
                 "odd length has no two colours", k);
        return -1;
    }
    if (t->path == NORTH_LAST && n != 2) {
        snprintf(why, size, "path north-last with dimensions %u; allowed: 2", n);
        return -1;
    }
    return 0;
}

static int open_cube(struct topology *t, char *why, size_t size)
{
    if (check(t, why, size))
        return -1;
    unsigned need = classes_of(t), have = t->params.classes;
    if (have > TOPOLOGY_MAX_CLASSES || (have && have < need &&
        (t->path == POSITIVE_HOP || t->path == NEGATIVE_HOP))) {
        snprintf(why, size, "%u virtual channels; allowed: path %s takes %u to %d", have,
                 paths[t->path], need, TOPOLOGY_MAX_CLASSES);
        return -1;
    }
    t->nodes = weight(t, t->params.dimensions);
    t->ports = 2 * t->params.dimensions;
    t->classes = have ? have : need;
    return 0;
}

static int open_torus(struct topology *t, char *why, size_t size)
{
    t->wraps = true;
    return open_cube(t, why, size);
}

static struct topology_choice choose(unsigned port, unsigned low, unsigned high)
{
    return (struct topology_choice){(uint8_t)port, (uint8_t)low, (uint8_t)high};
}

/* Turning to north is the last turn (Glass and Ni), so with something else left that comes first;
 * lines are numbered from the top (BC 2.1), so north is down in dimension 1.  That orders a mesh.
 * On a torus a head first gets the links that join the ends of a line behind it, by dimension and in
 * channel 0, and goes north-last in channel 1 from there: BC do not say how two channels did it, and
 * turning freely among rings is not deadlock-free. */
static unsigned north_last(const struct topology *t, const unsigned port[2], const unsigned x[2],
                           const unsigned y[2], struct topology_choice *choice)
{
    unsigned count = 0;

    for (unsigned d = 0; d < 2; d++)
        if (x[d] != y[d] && must_wrap(t, port[d], x[d], y[d])) {
            choice[0] = choose(port[d], 0, 0);
            return 1;
        }
    for (unsigned d = 0; d < 2; d++)
        if (x[d] != y[d] && !(port[d] == 3 && count))
            choice[count++] = choose(port[d], t->classes - 1, t->classes - 1);
    return count;
}

static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned count = 0, n = t->params.dimensions;
    unsigned x[TOPOLOGY_MAX_DIMENSIONS], y[TOPOLOGY_MAX_DIMENSIONS], port[TOPOLOGY_MAX_DIMENSIONS];

    for (unsigned d = 0; d < n; d++) {
        x[d] = digit(t, at->node, d);
        y[d] = digit(t, dst, d);
        port[d] = port_towards(t, d, x[d], y[d]);
    }
    if (t->path == NORTH_LAST)
        return north_last(t, port, x, y, choice);
    for (unsigned d = 0; d < n; d++) {
        if (x[d] == y[d])
            continue;
        if (t->path == E_CUBE) {
            unsigned class = ring_class(t, port[d], x[d], y[d]);
            choice[count++] = choose(port[d], class, class);
            break;
        }
        if (t->path == MINIMAL_ADAPTIVE)
            choice[count++] = choose(port[d], 0, t->classes - 1);
        else
            choice[count++] = choose(port[d], hop_class(t, at), hop_class(t, at));
    }
    return count;
}

const struct topology_kind topology_torus = {"torus", paths, open_torus, NULL, far, route};
const struct topology_kind topology_mesh = {"mesh", paths, open_cube, NULL, far, route};
