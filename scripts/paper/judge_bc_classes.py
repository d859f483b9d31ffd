# SPDX-License-Identifier: Apache-2.0
"""judge_bc_classes.py - judgements of BC's store-and-forward algorithms with classes of buffers, and of virtual cut-through.

The model's packets have no classes, so a small simulator of them is here: a buffer of one packet for each class in every
node, a packet over a link in a step, all ways that are shortest allowed.
"""

import itertools
import random

from judging import AGREES, DIFFERS, Verdict, point, run

__all__ = ["cut_through", "odd_sides", "store_and_forward"]

Place = tuple[int, ...]
LOOSE, ONE = "loose", "one"


def towards(here: Place, there: Place, k: int) -> list[Place]:
    """Neighbours that are nearer; both ways where they are as short."""
    found = []
    for axis, (a, b) in enumerate(zip(here, there)):
        gap = (b - a) % k
        for step, allowed in ((1, 0 < gap <= k - gap), (-1, gap and gap >= k - gap)):
            if allowed:
                found.append((*here[:axis], (a + step) % k, *here[axis + 1:]))
    return found


def colour(here: Place, k: int) -> int:
    """Neighbours have different ones: two do for even k, three for odd k, where the last node of a ring has one of its own."""
    return sum(here) % 2 if k % 2 == 0 else sum(2 if x == k - 1 else x % 2 for x in here) % 3


def next_classes(algorithm: str, at: int, hops: int, down: bool) -> list[int]:
    """Classes of buffers that a packet of class at, so many hops from its source, may take at the next node; down: to a lower colour."""
    return {"positive-hop": [at + 1], "negative-hop": [at + down], LOOSE: list(range(hops + 1, -1, -1)), ONE: [0]}[algorithm]


class Torus:
    """Store and forward, packets of all nodes at once."""

    def __init__(self, k: int, n: int, algorithm: str, each: int, seed: int) -> None:
        self.k, self.algorithm = k, algorithm
        self.draw = random.Random(seed)
        nodes = list(itertools.product(range(k), repeat=n))
        self.waiting = {a: [self.draw.choice(nodes) for _ in range(each)] for a in nodes}
        self.held: dict[tuple[Place, int], tuple[Place, int]] = {}    # (node, class): destination, hops
        self.highest = self.arrived = 0

    def step(self) -> bool:
        """Whether anything moved."""
        moved, used = False, set()
        for a, queue in self.waiting.items():
            if queue and (a, 0) not in self.held:
                self.held[a, 0] = (queue.pop(), 0)
                moved = True
        buffers = list(self.held)
        self.draw.shuffle(buffers)
        for here, at in buffers:
            there, hops = self.held[here, at]
            if here == there:
                del self.held[here, at]
                self.arrived += 1
                moved = True
                continue
            ways = towards(here, there, self.k)
            self.draw.shuffle(ways)
            for to, level in ((to, level) for to in ways for level in next_classes(
                    self.algorithm, at, hops, colour(here, self.k) > colour(to, self.k))):
                if (to, level) not in self.held and (here, to) not in used:
                    used.add((here, to))
                    self.highest = max(self.highest, level)
                    self.held[to, level] = (there, hops + 1)
                    del self.held[here, at]
                    moved = True
                    break
        return moved

    def finish(self) -> bool:
        """Whether all arrive."""
        while self.step():
            pass
        return not self.held


def is_ordered(k: int, n: int, algorithm: str) -> tuple[bool, int]:
    """Whether no buffers can wait in a circle, from every (node, class) that a packet can reach, and the highest class."""
    zero = (0,) * n
    follow: dict[tuple[Place, int], set[tuple[Place, int]]] = {}
    todo = []
    places = list(itertools.product(range(k), repeat=n))
    for source, there in itertools.product([zero, (1, *zero[1:])] if k % 2 == 0 else places, places):
        todo.append((source, 0, there))    # of even k a torus looks the same from all even nodes, and from all odd ones
    known = set(todo)
    while todo:
        here, at, there = todo.pop()
        for to in towards(here, there, k):
            level, = next_classes(algorithm, at, 0, colour(here, k) > colour(to, k))
            follow.setdefault((here, at), set()).add((to, level))
            if (to, level, there) not in known:
                known.add((to, level, there))
                todo.append((to, level, there))
    # Class, then colour: must rise.  Shifts by an even distance keep the two colours of even k.
    rises = all((level, colour(to, k)) > (at, colour(here, k)) for (here, at), nexts in follow.items() for to, level in nexts)
    return rises, max(level for _, level, _ in known)


def judged(algorithm: str, classes: str) -> Verdict:
    """The order of the buffers exactly, then runs in which every node sends 30 packets at once."""
    sizes = [(k, n) for k, n in ((4, 1), (6, 1), (4, 2), (6, 2), (8, 2), (16, 2), (4, 3), (5, 2), (7, 2)) if k % 2 == 0 or algorithm != "negative-hop"]
    want = {(k, n): n * (k // 2) if algorithm == "positive-hop" else -(-n * (k // 2) // 2) for k, n in sizes}
    exact = {size: is_ordered(*size, algorithm) for size in sizes}
    good = all(exact[size] == (True, want[size]) for size in sizes)
    runs = [(4, 2, seed) for seed in range(10)] + [(8, 2, 1), (8, 2, 2)]
    done = sum(Torus(k, n, algorithm, 30, seed).finish() for k, n, seed in runs)
    stuck = sum(not Torus(k, n, ONE, 30, seed).finish() for k, n, seed in runs)
    loose = sum(Torus(k, n, LOOSE, 30, seed).finish() for k, n, seed in runs)
    more = f"; any class up to the hops so far: {loose} of {len(runs)}" if algorithm == "positive-hop" else ""
    good = good and done == len(runs) and stuck > 0 and (not more or loose == len(runs))
    return Verdict(AGREES if good else DIFFERS, f"{classes} classes, and no circle of buffers, for {len(sizes)} tori, 4 to 16 x 16; 4 x 4 and "
                   f"8 x 8 with a packet a buffer, 30 packets a node at once: all arrive in {done} of {len(runs)} runs; with one class {stuck} "
                   f"stand still{more}")


@run
def store_and_forward(algorithm: str) -> Verdict:
    return judged(algorithm, "1 + n floor(k/2)" if algorithm == "positive-hop" else "1 + n floor(k/2) / 2, rounded up,")


@run
def odd_sides() -> Verdict:
    """Negative-hop with three colours."""
    words, good = [], 0
    sizes = ((3, 1), (5, 1), (3, 2), (5, 2), (7, 2), (3, 3))
    for k, n in sizes:
        rises, most = is_ordered(k, n, "negative-hop")
        good += rises and most < n * (k // 2) + 1
        words.append(f"{most + 1} for {k}^{n}")
    runs = [(3, 2, seed) for seed in range(5)] + [(5, 2, seed) for seed in range(5)]
    done = sum(Torus(k, n, "negative-hop", 30, seed).finish() for k, n, seed in runs)
    stuck = sum(not Torus(k, n, ONE, 30, seed).finish() for k, n, seed in runs)
    return Verdict(AGREES if good == len(sizes) and done == len(runs) and stuck else DIFFERS, f"BC do not give theirs; with three colours of nodes classes are "
                   f"{', '.join(words)}, at most those of positive-hop, and no circle of buffers; all arrive in {done} of {len(runs)} runs, with one class {stuck} stand still")


CUT_THROUGH = ("e-cube", "north-last", "negative-hop")
LOADS = ("0.0747", "0.0996", "0.1245", "0.1494", "0.1743", "0.1992", "0.2241")


@run
def cut_through() -> Verdict:
    """A channel is granted when its queue is empty; from a message's length on all of it fits, so it leaves its links."""
    words, good = [], 0
    seen: dict[tuple[str, ...], int] = {}    # digests of all runs: a queue that no message fills changes nothing
    for depth, bandwidth in itertools.product((4, 16), ("on-demand", "fixed-share")):
        runs = {path: [point(f"--topology torus --nodes 256 --length 4 --depth {depth} --injection per-channel --bandwidth {bandwidth} "
                             f"--path {path} --load {load} --whole --warmup 5000 --cycles 10000 --runs 1")
                       for load in (LOADS if bandwidth == "on-demand" else LOADS[:4])] for path in CUT_THROUGH}
        key = tuple(r["digest"] for rows in runs.values() for r in rows)
        if key in seen:
            words.append(f"q = {depth}, {bandwidth} the same runs as q = {seen[key]}")
            continue
        seen[key] = depth
        found = {path: max(float(r["utilisation"]) for r in rows) for path, rows in runs.items()}
        good += found["negative-hop"] > found["e-cube"] > found["north-last"]
        words.append(f"q = {depth}, {bandwidth} {', '.join(f'{v:.3f}' for v in found.values())}")
    return Verdict(AGREES if good == len(seen) else DIFFERS, f"queues of a message and more, highest utilisation of {', '.join(CUT_THROUGH)}: "
                   f"{'; '.join(words)}: the order is BC's in {good} of {len(seen)}")
