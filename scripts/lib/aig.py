# SPDX-License-Identifier: Apache-2.0
"""aig.py - graphs of AND gates, each gate once, and their clauses for a SAT solver."""

import os
from collections.abc import Iterable, Sequence

Clause = tuple[int, ...]


class Graph:
    """A literal is 2 * node + negation; node 0 is false."""

    def __init__(self) -> None:
        self.fan: list[tuple[int, int] | None] = [None]  # of a node: its two literals, None for a leaf
        self.known: dict[tuple[int, int], int] = {}

    def new(self, fan: tuple[int, int] | None = None) -> int:
        self.fan.append(fan)
        return 2 * (len(self.fan) - 1)

    def both(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a < 2:
            return b if a else 0
        if a ^ b < 2:
            return 0 if a ^ b else a
        if (a, b) not in self.known:
            self.known[a, b] = self.new((a, b))
        return self.known[a, b]

    def either(self, a: int, b: int) -> int:
        return self.both(a ^ 1, b ^ 1) ^ 1

    def cone(self, literals: Iterable[int]) -> set[int]:
        """Nodes below these literals."""
        seen: set[int] = set()
        stack = [x >> 1 for x in literals]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack += [x >> 1 for x in self.fan[node] or ()]
        return seen

    def clauses(self, literals: Iterable[int]) -> tuple[dict[int, int], list[Clause]]:
        """The cone of these literals: {node: variable from 1 up}, clauses that say what each gate is."""
        name = {n: k for k, n in enumerate(self.cone(literals), 1)}
        rows: list[Clause] = [(-name[0],)] if 0 in name else []
        for node, out in name.items():
            fan = self.fan[node]
            if fan:
                a, b = (variable(name, x) for x in fan)
                rows += [(-out, a), (-out, b), (out, -a, -b)]
        return name, rows


def variable(name: dict[int, int], literal: int) -> int:
    """A literal of the graph as one of the clauses."""
    return -name[literal >> 1] if literal & 1 else name[literal >> 1]


def write_cnf(file: str | os.PathLike[str], count: int, rows: Sequence[Clause]) -> None:
    """Clauses over variables 1 to count, as a file in DIMACS form."""
    with open(file, "w", encoding="ascii") as out:
        out.write(f"p cnf {count} {len(rows)}\n")
        out.writelines(" ".join(map(str, r)) + " 0\n" for r in rows)
