#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""random_graph.py - a random network as a text that --topology graph:FILE reads.

usage: scripts/sim/random_graph.py NODES DEGREE SEED >FILE

Every node has DEGREE links to others and as many from others: the union of DEGREE random
permutations without fixed points, each of which is one cycle through all nodes, so that every node
reaches every other; no link comes twice.
Exit codes: 0 written, 1 no such network was drawn, 2 usage.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence


DRAWS = 1_000_000  # of a cycle; one of 64 nodes and degree 8 takes some thousand


def cycle(rng: random.Random, nodes: int, links: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """A random cycle through all nodes that shares no link with the ones before; empty if none was drawn."""
    for _ in range(DRAWS):
        order = list(range(nodes))
        rng.shuffle(order)
        new = set(zip(order, order[1:] + order[:1]))
        if not new & links:
            return new
    return set()


def main(words: Sequence[str]) -> int:
    try:
        nodes, degree, seed = (int(w) for w in words)
    except ValueError:
        nodes = degree = seed = 0
    if len(words) != 3 or nodes < 8 or not 1 <= degree <= min(8, nodes - 1) or seed < 0:
        print(__doc__.split("\n\n")[1] + "; allowed: 8 nodes at least, degree 1 to 8 and less than the nodes, seed 0 or more",
              file=sys.stderr)
        return 2
    rng, links = random.Random(seed), set()
    for _ in range(degree):
        new = cycle(rng, nodes, links)
        if not new:
            print(f"random_graph.py: no network of {nodes} nodes and degree {degree} in {DRAWS} draws; allowed: more nodes, or another seed",
                  file=sys.stderr)
            return 1
        links |= new
    print("# SPDX-License-Identifier: Apache-2.0")
    print(f"# made by scripts/sim/random_graph.py {nodes} {degree} {seed}")
    print(f"nodes {nodes}")
    for a, b in sorted(links):
        print(f"link {a} {b}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
