#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fast_rows.py - whether the rows of tb_fast.v are all that choose an implementation of the fast switch.

Reads lines `row V q PATH SCAN LEVEL LEVELS FLIT_W`.  Each combination of V, q as 1, 2 or more, path, scan, root or not that
has a fast switch must be there; of V, q so, path, scan, and leaf, inner or root every four where V = 1 or 2, every two where
V = 4; each q, number of levels and level; each two of V, q so, path, scan or level with a number of levels, where V = 1 or 2.
"""
import itertools
import sys

NAMES = ("vcs", "queue", "path", "scan", "place", "root", "level", "levels", "depth")
CHOICE = NAMES[:5]


def values(row: tuple[int, ...]) -> dict[str, int | str]:
    vcs, depth, path, scan, level, levels = row[:6]
    place = "root" if level == levels else "leaf" if level == 1 else "inner"
    return dict(zip(NAMES, (vcs, min(depth, 3), path, scan, place, int(level == levels), level, levels, depth)))


def tuples(row: tuple[int, ...]) -> set[str]:
    """What must be met, of a row, in words."""
    value, few = values(row), row[0] < 4
    some = [("vcs", "queue", "path", "scan", "root"), *itertools.combinations(CHOICE, 4 if few else 2), ("depth",), ("levels",), ("level",)]
    if few:
        some += [(name, "levels") for name in ("vcs", "queue", "path", "scan", "level")]
    return {", ".join(f"{name} {value[name]}" for name in names) for names in some}


def main() -> int:
    rows = [tuple(map(int, line.split()[1:])) for line in sys.stdin]
    wanted: set[str] = set()
    for vcs, depth, levels in itertools.product((1, 2, 4), range(1, 17), range(1, 11)):
        for path, scan, level in itertools.product(range(4), range(5), range(1, levels + 1)):
            if vcs < 4 or (path, scan) == (1, 0):
                wanted |= tuples((vcs, depth, path, scan, level, levels))
    missing = sorted(wanted - set().union(*map(tuples, rows)))
    for what in missing:
        print(f"no row of {what}")
    if not missing:
        print(f"{len(rows)} rows, {len(wanted)} combinations")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
