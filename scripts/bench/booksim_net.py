#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# booksim_net.py - the butterfly fat-tree as an anynet file of BookSim2: one router a line.
#
# Routers are numbered as in cmodel/network/fat_tree.h: level by level from the leaves.  So the
# ports that anynet gives them, processors first, then routers by number, are ours: children 0 to 3
# are ports 0 to 3, the parents 4 and 5.
from __future__ import annotations

import sys
from collections.abc import Iterator


def base(nodes: int, l: int) -> int:
    """Switches on the levels below l."""
    return (nodes >> 1) - (nodes >> l)


def parent(l: int, a: int, p: int) -> int:
    width = 1 << l
    return a // (2 * width) * width + (a + p * width // 2) % width


def lines(levels: int) -> Iterator[str]:
    nodes = 4 ** levels
    for l in range(1, levels + 1):
        for a in range(nodes >> (l + 1)):
            ends = ["node %d" % (4 * a + c) for c in range(4)] if l == 1 else []
            if l < levels:
                ends += ["router %d" % (base(nodes, l + 1) + parent(l, a, p)) for p in (0, 1)]
            # The root's links are told by its children.
            if ends:
                yield "router %d %s" % (base(nodes, l) + a, " ".join(ends))


def main() -> None:
    sizes = {str(4 ** n): n for n in range(1, 7)}
    if len(sys.argv) != 2 or sys.argv[1] not in sizes:
        sys.exit("usage: booksim_net.py NODES > FILE; NODES: " + ", ".join(sizes))
    print("\n".join(lines(sizes[sys.argv[1]])))


if __name__ == "__main__":
    main()
