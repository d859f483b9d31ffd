/* SPDX-License-Identifier: Apache-2.0
 * fat_tree.c - which link leaves by each port of each switch (GO III.B.1).
 */
#include "fat_tree.h"

#include "flit.h"

#include <stddef.h>

uint32_t fat_tree_output(unsigned levels, unsigned l, uint32_t a, unsigned p)
{
    if (p >= SWITCH_CHILDREN)
        return SWITCH_PORTS * (fat_tree_base(levels, l + 1) + fat_tree_parent(l, a, p & 1)) + fat_tree_child(l, a);
    if (l == 1)
        return SWITCH_PORTS * fat_tree_switches(levels) + 4 * a + p;
    uint32_t below = fat_tree_child_at(l, a, p);
    return SWITCH_PORTS * (fat_tree_base(levels, l - 1) + below) + SWITCH_CHILDREN +
           (fat_tree_parent(l - 1, below, 0) != a);
}

void fat_tree_wire(unsigned levels, uint32_t *to)
{
    for (uint32_t s = 0; s < fat_tree_switches(levels); s++) {
        unsigned l;
        uint32_t a;
        fat_tree_place(levels, s, &l, &a);
        for (unsigned p = 0; p < (l < levels ? SWITCH_PORTS : SWITCH_CHILDREN); p++)
            to[SWITCH_PORTS * (size_t)s + p] = fat_tree_output(levels, l, a, p);
    }
}
