/* SPDX-License-Identifier: Apache-2.0
 * butterfly.c - the log N-dimensional butterfly, end to end, and the wrapped one (L 3.4.1, 3.4.2).
 *
 * Node level * N + row.  From level l two links lead to level l + 1: port 0 to the same row, port 1
 * to the row that differs in bit l + 1 of the address, counted from the most significant one.  A
 * packet enters at level 0 in the row of its source and leaves at level log N in the row of its
 * destination, so there is one path, the greedy one.  The reverse butterfly is the same from level
 * log N to level 0: the least significant bit first.  The wrapped one has level 0 in place of level
 * log N, and its packets go round once.
 */
#include "topology.h"

#include <stdio.h>

enum { MOST_ROWS = 1 << 20 };

static const enum fatfly_path paths[] = {FATFLY_GREEDY, FATFLY_PATHS};

static unsigned stages(const struct topology *t)
{
    return (unsigned)__builtin_ctz(t->processors);
}

static unsigned level_of(const struct topology *t, uint32_t node)
{
    return node / t->processors;
}

static uint32_t row_of(const struct topology *t, uint32_t node)
{
    return node & (t->processors - 1);
}

static uint32_t forward(const struct topology *t, unsigned level)
{
    return UINT32_C(1) << (stages(t) - 1 - level);
}

static int open(struct topology *t, uint32_t levels_more, char *why, size_t size)
{
    uint32_t rows = t->params.processors;
    unsigned classes = t->params.classes;

    if (rows < 2 || rows > MOST_ROWS || rows & (rows - 1)) {
        snprintf(why, size, "nodes = %u; allowed on a %s: 2^n rows with n = 1 to 20", rows,
                 t->kind->name);
        return -1;
    }
    if (classes > TOPOLOGY_MAX_CLASSES) {
        snprintf(why, size, "vcs = %u; allowed on a %s: 1 to %d", classes, t->kind->name,
                 TOPOLOGY_MAX_CLASSES);
        return -1;
    }
    t->processors = rows;
    t->nodes = (stages(t) + levels_more) * rows;
    t->ports = 2;
    t->classes = classes ? classes : 1;
    return 0;
}

static int open_straight(struct topology *t, char *why, size_t size)
{
    return open(t, 1, why, size);
}

static int open_wrapped(struct topology *t, char *why, size_t size)
{
    t->wraps = true;
    return open(t, 0, why, size);
}

static uint32_t follow(const struct topology *t, uint32_t node, unsigned port, uint32_t bit)
{
    uint32_t level = level_of(t, node) + 1;
    if (t->wraps && level == stages(t))
        level = 0;
    return level * t->processors + (port ? row_of(t, node) ^ bit : row_of(t, node));
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    unsigned level = level_of(t, node);
    return level == stages(t) ? TOPOLOGY_NONE : follow(t, node, port, forward(t, level));
}

static uint32_t far_reverse(const struct topology *t, uint32_t node, unsigned port)
{
    unsigned level = level_of(t, node);
    return level == stages(t) ? TOPOLOGY_NONE : follow(t, node, port, UINT32_C(1) << level);
}

static uint32_t enter(const struct topology *t, uint32_t a)
{
    (void)t;
    return a;
}

static uint32_t leave(const struct topology *t, uint32_t a)
{
    return stages(t) * t->processors + a;
}

static unsigned group(const struct topology *t, uint32_t node, unsigned port)
{
    (void)port;
    return 2 * level_of(t, node);
}

static unsigned choose(const struct topology *t, bool cross, struct topology_choice *choice)
{
    *choice = (struct topology_choice){cross, 0, (uint8_t)(t->classes - 1)};
    return 1;
}

static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned level = level_of(t, at->node);
    if (level == stages(t) || (t->wraps && level == 0 && at->from != TOPOLOGY_NONE))
        return 0;
    return choose(t, (row_of(t, at->node) ^ dst) & forward(t, level), choice);
}

static unsigned route_reverse(const struct topology *t, const struct topology_place *at,
                              uint32_t dst, struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned level = level_of(t, at->node);
    if (level == stages(t))
        return 0;
    return choose(t, (row_of(t, at->node) ^ dst) >> level & 1, choice);
}

const struct topology_kind topology_butterfly = {
    .name = "butterfly", .paths = paths, .any = paths, .open = open_straight, .far = far, .enter = enter,
    .leave = leave, .group = group, .route = route};
const struct topology_kind topology_reverse_butterfly = {
    .name = "reverse-butterfly", .paths = paths, .any = paths, .open = open_straight, .far = far_reverse,
    .enter = enter, .leave = leave, .group = group, .route = route_reverse};
const struct topology_kind topology_wrapped_butterfly = {
    .name = "wrapped-butterfly", .paths = paths, .any = paths, .open = open_wrapped, .far = far, .group = group,
    .route = route};
