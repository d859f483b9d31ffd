# SPDX-License-Identifier: Apache-2.0
"""judge_cmsv_ranks.py - judgements of CMSV's theorem 1.7: growing ranks, with buffers that overflow.

CMSV take the growing rank protocol from MV95 and do not give it.  It is taken here as it is known: a packet draws a rank of 0 to
R - 1, the least rank goes first, and the rank grows by R / D with each link.
"""

import collections
import itertools
import math
import random
from collections.abc import Callable

from judging import DIFFERS, PART, Verdict, bounded, growth, run, span
from paper_tools import show

__all__ = ["growing_ranks", "theorem_1_7"]

Way = list[tuple[int, int]]
AS_KNOWN = "growing ranks as they are known elsewhere, MV95 is not among the papers"


def cube(bits: int) -> Callable[[int, int], Way]:
    def way(a: int, b: int) -> Way:
        found = []
        for bit in range(bits):
            if (a ^ b) >> bit & 1:
                found.append((a, bit))
                a ^= 1 << bit
        return found
    return way


def torus(side: int) -> Callable[[int, int], Way]:
    def way(a: int, b: int) -> Way:
        found = []
        for unit in (1, side):
            here, there = a // unit % side, b // unit % side
            step = 1 if (there - here) % side <= side // 2 else -1
            while here != there:
                found.append((a, unit * step))
                after = (here + step) % side
                a += (after - here) * unit
                here = after
        return found
    return way


class Instance:
    """A shortest path for each packet: q of every node, destinations drawn."""

    def __init__(self, nodes: int, way: Callable[[int, int], Way], each: int, seed: int) -> None:
        self.draw = random.Random(seed)
        self.ways = [w for a in range(nodes) for _ in range(each) if (w := way(a, self.draw.randrange(nodes)))]
        self.n = len(self.ways)
        self.d = max(map(len, self.ways))
        self.c = max(collections.Counter(link for w in self.ways for link in w).values())
        self.size = 4 * (self.c + self.d)
        self.rank = [float(self.draw.randrange(self.size)) for _ in self.ways]    # drawn once for all rounds (4.1)

    def steps(self, active: list[int], depth: float, ties: list[int]) -> tuple[int, list[int]]:
        """A forward pass: how long it takes, and which packets are discarded; buffers of so many packets stand before the links."""
        rank = {p: self.rank[p] for p in active}
        place = dict.fromkeys(active, 0)
        buffers: dict[tuple[int, int], list[int]] = collections.defaultdict(list)
        lost: list[int] = []

        def arrive(packets: list[int]) -> None:
            came = set()
            for p in packets:
                if place[p] < len(self.ways[p]):
                    buffers[self.ways[p][place[p]]].append(p)
                    came.add(self.ways[p][place[p]])
            for link in came:
                queue = buffers[link]
                queue.sort(key=lambda p: ties[p])
                while len(queue) > depth:
                    lost.append(queue.pop())
        waiting = sorted(active, key=lambda p: (rank[p], p))
        count = 0
        while waiting or any(buffers.values()):
            first = []    # a packet leaves its source when there is room before its first link
            for p in waiting:
                link = self.ways[p][0]
                if len(buffers[link]) < depth:
                    buffers[link].append(p)
                    first.append(p)
            waiting = [p for p in waiting if p not in set(first)]
            moved = []
            for queue in buffers.values():
                if queue:
                    best = min(queue, key=lambda p: (rank[p], p))
                    queue.remove(best)
                    moved.append(best)
            for p in moved:
                place[p] += 1
                rank[p] += self.size / self.d
            arrive(moved)
            count += 1
        return count, lost

    def all_rounds(self, depth: float) -> tuple[int, int]:
        """Steps of all passes, there and back, and their number."""
        active, total, count = list(range(self.n)), 0, 0
        ties = list(range(self.n))
        self.draw.shuffle(ties)
        while active:
            took, active = self.steps(active, depth, ties)
            total += 2 * took
            count += 1
        return total, count


def instances(most: int) -> list[Instance]:
    networks = [(2 ** k, cube(k)) for k in (4, 6, 8, 10)[:most]] + [(s * s, torus(s)) for s in (4, 8, 16, 32)[:most]]
    return [Instance(nodes, way, each, seed) for (nodes, way), each, seed in itertools.product(networks, (1, 8), (1, 2)) if nodes * each < 5000]


@run
def growing_ranks() -> Verdict:
    every = instances(4)
    terms = [i.c + i.d for i in every]    # which is less than the term, by a log n that small networks are full of
    took = [i.steps(list(range(i.n)), math.inf, list(range(i.n)))[0] for i in every]
    p = growth(terms, took)
    return Verdict(PART if bounded(p) else DIFFERS, f"hypercube 16 to 1024, torus 4² to 32², 1 and 8 packets a node: {len(every)} runs, {span(b / a for a, b in zip(terms, took))} "
                   f"(C + D), exponent {show(p, places=2)}; {AS_KNOWN}")


@run
def theorem_1_7() -> Verdict:
    words, fits = [], []
    for depth in (1, 2, 4):
        every = instances(3)
        terms = [(i.c * i.d ** (1 / depth) + math.log2(i.n)) / depth * (i.c + i.d + math.log2(i.n)) for i in every]
        found = [i.all_rounds(depth) for i in every]
        fits.append(growth(terms, [t for t, _ in found]))
        words.append(f"A = {depth}: {max(r for _, r in found)} rounds at most, exponent {show(fits[-1], places=2)}, {span(t / x for x, (t, _) in zip(terms, found))} times the term")
    return Verdict(PART if all(map(bounded, fits)) else DIFFERS, f"hypercube 16 to 256, torus 4² to 16², 1 and 8 packets a node: {'; '.join(words)}; {AS_KNOWN}")
