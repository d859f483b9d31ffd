# SPDX-License-Identifier: Apache-2.0
"""tasks.py - work cut into tasks of about equal cost, as fatfly sweep --task K/T does (cmodel/cli/split.c).

usage: tasks.py K/T      says what is wrong with a share, in a line; exit code 2 then
"""
from __future__ import annotations

import heapq
import re
import sys
from collections.abc import Sequence

MOST = 100000


def task(text: str) -> tuple[int, int]:
    """K and T of "K/T".  ValueError says in a line what is allowed."""
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if found:
        k, t = int(found[1]), int(found[2])
        if 1 <= k <= t <= MOST:
            return k, t
    raise ValueError(f"--task {text[:60]}; allowed: K/T, the share K of T, with K from 1 to T and T from 1 to {MOST}")


def shares(costs: Sequence[float], tasks: int) -> list[int]:
    """The task, from 1, of each piece of work: the longest first, each to the task that has least so far."""
    heap = [(0.0, k) for k in range(1, tasks + 1)]
    mine = [0] * len(costs)
    for place in sorted(range(len(costs)), key=lambda p: (-costs[p], p)):
        load, k = heap[0]
        mine[place] = k
        heapq.heapreplace(heap, (load + costs[place], k))
    return mine


if __name__ == "__main__":
    try:
        task(sys.argv[1])
    except ValueError as e:
        print(e, file=sys.stderr)
        sys.exit(2)
