/* SPDX-License-Identifier: Apache-2.0
 * fat_tree.h - the wiring of the butterfly fat-tree (GO III.B.1, GG 3.1).  RTL twin: the generate
 * blocks of rtl/network.v.
 *
 * Level l = 1 .. levels holds N / 2^(l+1) switches S(l, a), N = 4^levels.  They are numbered level
 * by level from the leaves.
 */
#ifndef FATFLY_FAT_TREE_H
#define FATFLY_FAT_TREE_H

#include <stdint.h>

static inline uint32_t fat_tree_nodes(unsigned levels)
{
    return UINT32_C(1) << 2 * levels;
}

/* Switches of all levels below l; l = levels + 1: of the whole network. */
static inline uint32_t fat_tree_base(unsigned levels, unsigned l)
{
    return (fat_tree_nodes(levels) >> 1) - (fat_tree_nodes(levels) >> l);
}

static inline uint32_t fat_tree_switches(unsigned levels)
{
    return fat_tree_base(levels, levels + 1);
}

/* Level and address of switch number s. */
static inline void fat_tree_place(unsigned levels, uint32_t s, unsigned *l, uint32_t *a)
{
    uint32_t size = fat_tree_nodes(levels) / 4; /* switches of this level */
    unsigned level = 1;
    while (s >= size) {
        s -= size;
        size /= 2;
        level++;
    }
    *l = level;
    *a = s;
}

/* Address of parent p of S(l, a), on level l + 1: of 2^l in a circle the one at a's place, or half a
 * circle on, which is the place with its highest bit turned over. */
static inline uint32_t fat_tree_parent(unsigned l, uint32_t a, unsigned p)
{
    uint32_t width = UINT32_C(1) << l;
    return a / (2 * width) * width + (a ^ p * width / 2) % width;
}

/* The child port at which both parents meet S(l, a). */
static inline unsigned fat_tree_child(unsigned l, uint32_t a)
{
    uint32_t width = UINT32_C(1) << l;
    return a % (2 * width) / (width / 2);
}

/* Address of child i of S(l, a), l > 1: the switch of level l - 1 with the same low bits. */
static inline uint32_t fat_tree_child_at(unsigned l, uint32_t a, unsigned i)
{
    uint32_t low = UINT32_C(1) << (l - 2);
    return a / (2 * low) * (4 * low) + i * low + a % low;
}

/* One link of fat_tree_wire(), that which leaves S(l, a) by port p, which a root has only to its children. */
uint32_t fat_tree_output(unsigned levels, unsigned l, uint32_t a, unsigned p);

/* Fills to[6 * switches]: to[6s + p] is the link that leaves switch s by port p.  Link 6t + q enters
 * port q of switch t, link 6 * switches + a reaches processor a.  The parents of
 * the root lead nowhere: what is in to[] for them stays. */
void fat_tree_wire(unsigned levels, uint32_t *to);

#endif
