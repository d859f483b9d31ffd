#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""leveled.py - writes a leveled network as a graph file (docs/topologies.md) to standard output.

Usage: leveled.py ROWS LEVELS DEGREE [SEED]
Nodes level * ROWS + row on levels 0 .. LEVELS.  DEGREE links lead from each node to the next level:
from row r to rows r * DEGREE .. r * DEGREE + DEGREE - 1 modulo ROWS (an omega network), or, with a
seed, to as many rows at random.  Processor a enters by row a of level 0 and leaves by row a of level
LEVELS; all can reach all, or nothing is written.
Exit codes: 0 written, 1 some cannot reach some, 2 usage.
"""
from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

USAGE = "usage: leveled.py ROWS LEVELS DEGREE [SEED]; allowed: ROWS 2 to 4096, LEVELS 1 to 64, " \
        "DEGREE 1 to 16 and ROWS, SEED 0 or more"


def links(rows: int, degree: int, rng: random.Random | None) -> list[list[int]]:
    """Rows of the next level to which each row leads."""
    if rng:
        return [sorted(rng.sample(range(rows), degree)) for _ in range(rows)]
    return [[(row * degree + k) % rows for k in range(degree)] for row in range(rows)]


def all_reach_all(rows: int, levels: Iterable[list[list[int]]]) -> bool:
    reached = [1 << row for row in range(rows)]
    for level in levels:
        after = [0] * rows
        for row, to in enumerate(level):
            for far in to:
                after[far] |= reached[row]
        reached = after
    return all(sources == (1 << rows) - 1 for sources in reached)


def main(words: Sequence[str]) -> int:
    try:
        rows, depth, degree = (int(word) for word in words[:3])
        seed = [int(word) for word in words[3:]]
    except ValueError:
        usage()
    if not (2 <= rows <= 4096 and 1 <= depth <= 64 and 1 <= degree <= min(16, rows)) or len(seed) > 1 or min(seed, default=0) < 0:
        usage()
    rng = random.Random(seed[0]) if seed else None
    levels = [links(rows, degree, rng) for _ in range(depth)]
    if not all_reach_all(rows, levels):
        print(f"leveled.py: {depth} levels of {degree} links leave some of {rows} rows out of reach; "
              "allowed: more levels or links, or another seed", file=sys.stderr)
        return 1
    print("# leveled.py", rows, depth, degree, *seed)
    print(f"nodes {rows * (depth + 1)}")
    for row in range(rows):
        print(f"processor {row} {depth * rows + row}")
    for level, all_links in enumerate(levels):
        for row, to in enumerate(all_links):
            for far in to:
                print(f"link {level * rows + row} {(level + 1) * rows + far}")
    return 0


def usage() -> NoReturn:
    print(USAGE, file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
