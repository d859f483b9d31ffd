# SPDX-License-Identifier: Apache-2.0
"""test_terms.py - the terms and conditions of theorems that judgements ask for, written down once more from the papers, over made-up runs; and the small
simulators and counts of judge_*.py against slow ways to do the same."""
from __future__ import annotations

import collections
import fractions
import functools
import itertools
import math
import pathlib
import random
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import judge_bc_classes
import judge_cmsv
import judge_cmsv_bounds
import judge_cmsv_ranks
import judge_gg_general
import judge_go
import judge_go_delays
import judge_leighton_problems
from paper_tools import Value

Row = dict[str, Any]
lg, ln = math.log2, math.log


def options(command: str) -> dict[str, str]:
    words = command.split()
    return {word[2:]: value for word, value in zip(words, [*words[1:], ""]) if word.startswith("--")}


def made_up(command: str, r: random.Random, dilation: range) -> Row:
    """What a run of the command might give; what it asks for is as it asks."""
    asked = options(command)
    size = int(asked.get("radix", 0))
    dimensions = int(asked.get("dimensions", 2))
    nodes = int(asked.get("nodes", 0)) or size ** dimensions or 64
    number = {"length": "length", "link_bandwidth": "link-bandwidth", "depth": "depth"}
    return {"topology": asked["topology"].partition(":")[0], "nodes": nodes, "radix": size or 2, "dimensions": dimensions, "q": int(asked.get("rounds", 1)),
            "measured": nodes * int(asked.get("rounds", 1)), "dilation": r.choice(dilation), "congestion_mean": r.choice((16, 40, 250, 4000)) * r.uniform(1, 2),
            "cycles": r.uniform(10, 9000), "last_arrival_mean": r.uniform(10, 9000), "rounds": 1, "latency_max": 1,
            **{column: float(asked[name]) for column, name in number.items() if asked.get(name, "x").isdigit()}}


def theorem_1(r: Row) -> float:
    n, c, d = r["measured"], r["congestion_mean"], r["dilation"]
    return d * lg(lg(n)) + c + lg(n) * lg(lg(n)) / ln(ln(c * d))


def buffers(r: Row) -> float:
    """log CD / log log CD, the bandwidth of theorem 1 without its ten."""
    product = r["congestion_mean"] * r["dilation"]
    return ln(product) / ln(ln(product))


def theorem_2(r: Row, c: float) -> float:
    l, b, d = r["length"], r["link_bandwidth"], r["dilation"]
    return (l * c * d ** (1 / b) + (d + l) * lg(r["measured"])) / b


def least(r: Row) -> float:
    """LC/B + D + L"""
    return r["length"] * r["congestion_mean"] / r["link_bandwidth"] + r["dilation"] + r["length"]


def on_meshes(r: Row, root: float) -> float:
    d, m, b, l = r["dimensions"], r["radix"], r["link_bandwidth"], r["length"]
    return (r["q"] * l * m * root ** (1 / b) + (m * d + l) * d * lg(m)) / b


def of_node_symmetric(r: Row, degree: float) -> float:
    d, b, l = r["dilation"], r["link_bandwidth"], r["length"]
    return l * d ** (1 + 1 / b) / (degree * b) + (d + l) * lg(r["measured"]) / b


def of_expanders(r: Row) -> float:
    n, b = lg(r["measured"]), r["link_bandwidth"]
    return (r["length"] * n ** (1 + 1 / b) + n ** 2) / b


def butterfly_least(r: Row) -> float:
    n, b = lg(r["nodes"]), r["link_bandwidth"]
    return r["q"] * r["length"] * n ** (1 / b) * lg(n) ** (-2 / b) / b


def every(_: Row) -> bool:
    return True


def cycles(r: Row) -> float:
    return r["cycles"]


def in_stages(r: Row) -> float:
    """A step of B packets takes B steps, B = 10 ln CD / ln ln CD."""
    return r["cycles"] * math.ceil(10 * buffers(r))


# Module and function; which rows count, the term, and what is held against it, all but for a factor.
TERMS: list[tuple[ModuleType, str, Callable[[Row], bool], Callable[[Row], float], Callable[[Row], float]]] = [
    (judge_cmsv, "expected_congestion", every, lambda r: theorem_2(r, max(1.0, judge_cmsv.expected(r))), cycles),
    (judge_cmsv, "corollary_1_4_optimal", lambda r: r["congestion_mean"] >= r["dilation"] * lg(r["measured"]), lambda r: r["congestion_mean"] + r["dilation"], cycles),
    (judge_cmsv, "corollary_1_5", every, lambda r: theorem_1(r) * buffers(r), in_stages),
    (judge_cmsv, "corollary_1_15", every, lambda r: r["length"] * theorem_1(r), cycles),
    (judge_cmsv, "corollary_1_9", every, lambda r: r["dilation"] * (ln(r["dilation"]) / ln(ln(r["dilation"])) + lg(lg(r["measured"]))), cycles),
    (judge_cmsv, "theorem_2_optimal", lambda r: r["link_bandwidth"] >= lg(r["dilation"]) and r["length"] * r["congestion_mean"] >= (r["dilation"] + r["length"]) * lg(r["measured"]),
     least, cycles),
    (judge_cmsv, "corollary_1_10", every, lambda r: of_node_symmetric(r, 1), cycles),
    (judge_cmsv, "corollary_1_11", every, lambda r: of_node_symmetric(r, {"torus": 4, "hypercube": lg(r["nodes"])}[r["topology"]]), cycles),
    (judge_cmsv, "corollary_1_6", every, lambda r: lg(r["measured"]) * lg(lg(r["measured"])) ** 2 / lg(lg(lg(r["measured"]))), in_stages),
    (judge_cmsv, "corollary_1_12", every, of_expanders, cycles),
    (judge_cmsv, "theorem_1_13", every, lambda r: on_meshes(r, r["dimensions"]), cycles),
    (judge_cmsv, "mesh_by_theorem_2", every, lambda r: on_meshes(r, r["dimensions"] * r["radix"]), cycles),
    (judge_cmsv, "butterfly_optimal", every, least, cycles),
    (judge_cmsv, "butterfly_lower_bound", every, lambda r: r["nodes"], lambda r: r["cycles"] / butterfly_least(r)),
    (judge_cmsv_bounds, "mesh_optimal", every, least, cycles),
    (judge_cmsv_bounds, "known_wormhole", every, lambda r: r["nodes"], lambda r: (r["last_arrival_mean"] + 1) / (lg(r["nodes"]) / lg(lg(r["nodes"]))) ** 2),
    (judge_go, "independent_flits", every, lambda r: r["congestion_mean"] + r["dilation"] + lg(r["measured"]), lambda r: r["last_arrival_mean"])]


def proportional(found: list[float], wanted: list[float]) -> bool:
    return len(found) == len(wanted) > 0 and all(math.isclose(x / found[0], y / wanted[0], rel_tol=1e-9) for x, y in zip(found, wanted))


class Growth:
    """In place of growth(): keeps what it is asked for."""

    def __init__(self) -> None:
        self.terms: list[float] = []
        self.measured: list[float] = []

    def __call__(self, terms: Any, measured: Any) -> Value:
        self.terms += terms
        self.measured += measured
        return Value(1.0)


@pytest.mark.parametrize("module, name, counts, term, measured", TERMS, ids=[row[1] for row in TERMS])
def test_terms_of_the_papers(module: ModuleType, name: str, counts: Callable[[Row], bool], term: Callable[[Row], float], measured: Callable[[Row], float],
                             monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = []
    r = random.Random(name)
    dilation = range(17, 99) if name == "corollary_1_9" else range(2, 40)    # of which log log is above 1

    def point(command: str) -> Row:
        rows.append(made_up(f"--topology fat-tree {command}" if "--topology" not in command else command, r, dilation))
        return rows[-1]

    growth = Growth()
    monkeypatch.setattr(module, "growth", growth)
    monkeypatch.setattr(module, "point", point)
    monkeypatch.setattr(judge_cmsv, "expanders", lambda folder: [f"--topology graph:net.txt --path walk --nodes {2 ** k}" for k in range(5, 11)])
    getattr(module, name)()
    some = [row for row in rows if counts(row)]
    assert len(rows) > len(some) > 2 or counts is every
    assert proportional(growth.terms, [term(row) for row in some]) and proportional(growth.measured, [measured(row) for row in some])


def test_meshes_that_are_optimal(monkeypatch: pytest.MonkeyPatch) -> None:
    """B >= log d, q >= d log m / m, qL >= d^2 log m, of all combinations of what is asked for."""
    asked = []

    def point(command: str) -> Row:
        asked.append(tuple(int(options(command)[name]) for name in ("dimensions", "radix", "rounds", "length", "link-bandwidth", "seed")))
        return made_up(command, random.Random(1), range(2, 40))

    monkeypatch.setattr(judge_cmsv_bounds, "point", point)
    monkeypatch.setattr(judge_cmsv_bounds, "growth", Growth())
    judge_cmsv_bounds.mesh_optimal()
    meshes = sorted({key[:2] for key in asked})
    others = [sorted({key[k] for key in asked}) for k in range(2, 6)]
    assert len(meshes) == 6 and [len(some) for some in others] == [2, 2, 2, 2]
    assert sorted(asked) == [(d, m, q, length, b, seed) for (d, m), q, length, b, seed in itertools.product(meshes, *others)
                             if b >= lg(d) and q >= d * lg(m) / m and q * length >= d * d * lg(m)]


# -- Greenberg and Oh's phases -------------------------------------------------------------------------

class Instance:
    """In place of Phases: c, d and P are drawn, and how long the slowest worm takes."""

    def __init__(self, r: random.Random, length: int, long: bool | None = None) -> None:
        self.length, self.c, self.p = length, r.randrange(2, 60), r.choice((64, 250, 1000))
        self.d = r.randrange(2, 40) if long is None else r.randrange(1, length) if long else r.randrange(length, 40)
        self.eta = min(self.d, length)
        self.phase = 2 * self.d + length * math.ceil(lg(self.p))
        self.need, self.last = r.randrange(1, 9 * (self.d + length)), r.uniform(10, 9000)

    def runs(self, k: float, phase: int) -> Row:
        del k, phase
        return {"latency_max": self.need, "last_arrival_mean": self.last}

    def passes(self) -> float:
        """32 e c eta phases of T0, of 2 T0, .., until the slowest worm does in one of them; the last pass is as long as its last arrival says."""
        phase, total = 2 * (self.d + self.length), 0.0
        while phase < self.need:
            total += math.ceil(32 * math.e * self.c * self.eta) * phase
            phase *= 2
        return total + self.last


GO_TERMS: list[tuple[str, Callable[[Instance], float], Callable[[Instance], float]]] = [
    ("theorem_4_time", lambda i: i.c * i.d * min(i.d, i.length) + i.c * i.length * min(i.d, i.length) * lg(i.p), lambda i: i.last),
    ("theorem_5", lambda i: i.c * i.d * i.length, Instance.passes),
    ("corollary_6", lambda i: i.c * i.length * lg(i.p) ** 2, lambda i: i.last),
    ("corollary_10", lambda i: i.c * i.length * lg(i.p) ** 2, lambda i: i.last)]


@pytest.mark.parametrize("name, term, measured", GO_TERMS, ids=[row[0] for row in GO_TERMS])
def test_terms_of_phases(name: str, term: Callable[[Instance], float], measured: Callable[[Instance], float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of worms as long as the longest, where lengths vary."""
    r, asked = random.Random(name), []

    def phases(network: str, length: int, seed: int, more: str = "") -> Instance:
        del network, seed, more
        asked.append(Instance(r, length))
        return asked[-1]

    def instances(lengths: tuple[int, ...], long: bool) -> Iterator[Instance]:
        for length in lengths * 4:
            asked.append(Instance(r, length, long))
            yield asked[-1]

    growth = Growth()
    monkeypatch.setattr(judge_go, "growth", growth)
    monkeypatch.setattr(judge_go, "Phases", phases)
    monkeypatch.setattr(judge_go, "instances", instances)
    getattr(judge_go, name)()
    times = 2 if name == "theorem_4_time" else 1    # k = 2 and k = 32e
    assert proportional(growth.terms, [term(i) for i in asked]) and proportional(growth.measured, [measured(i) for i in asked]) and len(asked) > 10 * times


@pytest.mark.parametrize("name, power", [("lemma_7", 1), ("theorem_8", 3), ("stored_step", 1), ("flits_of_a_step", 1), ("theorem_11", 3)])
def test_terms_of_a_torus(name: str, power: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """(log N)^p; of lengths that vary, times the longest over the mean of 32."""
    terms, found = [], []

    def of_a_torus(command: str, column: str, sizes: range) -> list[float]:
        del column
        longest = int(options(command)["length"]) if name == "theorem_11" else 1
        terms.extend(longest * (2 * levels) ** power for levels in sizes)
        found.extend(levels * 7.5 + longest for levels in sizes)
        return [levels * 7.5 + longest for levels in sizes]

    growth = Growth()
    monkeypatch.setattr(judge_go, "growth", growth)
    monkeypatch.setattr(judge_go, "of_a_torus", of_a_torus)
    getattr(judge_go, name)()
    assert proportional(growth.terms, terms) and proportional(growth.measured, found)


def test_theorem_1_7(monkeypatch: pytest.MonkeyPatch) -> None:
    """(C D^(1/A) + log n) / A (C + D + log n) for A = 1, 2 and 4; C + D for growing ranks with buffers of any size."""
    r = random.Random(1)
    some = [SimpleNamespace(n=r.randrange(9, 999), c=r.randrange(1, 99), d=r.randrange(2, 30), all_rounds=lambda depth, k=k: (100 * k + depth, 1),
                            steps=lambda active, depth, ties, k=k: (k, [])) for k in range(1, 9)]
    growth = Growth()
    monkeypatch.setattr(judge_cmsv_ranks, "instances", lambda most: some)
    monkeypatch.setattr(judge_cmsv_ranks, "growth", growth)
    judge_cmsv_ranks.theorem_1_7()
    want = [(i.c * i.d ** (1 / a) + lg(i.n)) / a * (i.c + i.d + lg(i.n)) for a in (1, 2, 4) for i in some]
    assert proportional(growth.terms, want) and growth.measured == [100 * k + a for a in (1, 2, 4) for k in range(1, 9)]
    growth.terms.clear()
    judge_cmsv_ranks.growing_ranks()
    assert proportional(growth.terms, [i.c + i.d for i in some])


@pytest.mark.parametrize("length, c", [(1, 2), (2, 1), (3, 2)])
def test_the_recursion_of_lemma_2(length: int, c: int) -> None:
    """P(x, y), the first L links of a worm at a time, or those that are left; exactly, for e / k = 1 / 12."""
    @functools.cache
    def of(x: int, y: int) -> fractions.Fraction:
        if x <= 0 or y <= 0:
            return fractions.Fraction(x <= 0)
        rest = [fractions.Fraction(1, 12) ** i * of(x - i, y + i * length - (length if y > length else 0)) for i in range(1, c * length + 1)]
        return sum(rest, of(x, y - length) if y > length else fractions.Fraction(0))

    most = judge_go.recursion(length, c, 12 * math.e)
    for x, y in itertools.product(range(1, 5), range(1, 3 * length + 1)):
        assert math.isclose(most(x, y), of(x, y)), (x, y)


@pytest.mark.parametrize("d, length", [(6, 3), (4, 8)])
def test_worms_that_are_delayed(d: int, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share that x or more delay, over (1/k')^(x - d/L), which is 1 at most."""
    each = [1, 1, 1, 2, 2, 5]
    monkeypatch.setattr(judge_go_delays, "delaying", lambda command: each if command else [])
    k = 18 * math.e    # k' = 3
    want = max(sum(n >= x for n in each) / 100 / min(1.0, 3 ** (d / length - x)) for x in range(1, 6))
    worst, words = judge_go_delays.late_by(["a", ""], [100, 100], k, [(d, length)] * 2)
    assert math.isclose(worst, want) and words == "3 by 1, 2 by 2, 1 by 5"


# -- networks and paths ----------------------------------------------------------------------------------

@pytest.mark.parametrize("levels", [2, 3])
def test_shortest_paths_of_a_fat_tree(levels: int) -> None:
    """Each switch has four children and two parents, m_l = N / 2^(l + 1) of them; all ways up and one down are paths, and no other."""
    paths = judge_go.shortest(levels)
    links = {link for path in paths for link in path}
    into: dict[Any, set[Any]] = collections.defaultdict(set)
    for a, b in links:
        into[b].add(a)
    switches = {node for node in into if node[0] != "leaf"}
    assert collections.Counter(level for level, _ in switches) == {level: 4 ** levels // 2 ** (level + 1) for level in range(1, levels + 1)}
    assert all(len(into[node]) == (6 if node[0] < levels else 4) for node in switches) and all((b, a) in links for a, b in links)
    count = collections.Counter((path[0][0], path[-1][1]) for path in paths)
    assert len({tuple(path) for path in paths}) == len(paths) and len(count) == 4 ** levels * (4 ** levels - 1)
    for path in paths:
        a, b = path[0][0][1], path[-1][1][1]
        top = next(level for level in itertools.count() if a >> 2 * level == b >> 2 * level)
        assert all(one[1] == other[0] for one, other in zip(path, path[1:])) and len(path) == 2 * top
        assert count[path[0][0], path[-1][1]] == 2 ** (top - 1)


@pytest.mark.parametrize("seed", range(5))
def test_sequences_in_common(seed: int) -> None:
    """As many as links in common, less those that follow one another in both."""
    r = random.Random(seed)
    for _ in range(200):
        one, other = (r.sample(range(12), r.randrange(1, 11)) for _ in range(2))
        if r.random() < 0.5:
            other = [*other, *one[r.randrange(len(one)):]]
            other = list(dict.fromkeys(other))
        joints = set(zip(one, one[1:])) & set(zip(other, other[1:]))
        assert judge_go.sequences(one, other) == len(set(one) & set(other)) - len(joints)


@pytest.mark.parametrize("levels", [2, 3, 4, 5])
def test_windows_of_a_torus(levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter of all worms cross the middle one way, over two links of each row: half of what these carry; a worm that crosses a link is in a window once."""
    r, side, loads = random.Random(levels), 2 ** levels, []
    moves = [(r.randrange(490, 1010), r.randrange(9), r.randrange(side), r.randrange(side)) for _ in range(400)]

    def fatfly(*words: str, quiet: bool) -> None:
        told = dict(zip(words, words[1:]))
        loads.append(float(told["--load"]))
        assert quiet and told["--radix"] == str(side) and "--whole" in words
        pathlib.Path(told["--events"]).write_text("run,of\n" + "".join(f"move,{at},1,{worm},body,0,0,0,0,{a},{b},inner\n" for at, worm, a, b in moves), encoding="ascii")

    monkeypatch.setattr(judge_go, "fatfly", fatfly)
    found = judge_go.hops_in_windows(levels, 16)
    assert math.isclose(loads[0] * side ** 2 / 4, (2 * side) / 2) and loads[0] <= 1
    every = {(at // 16, worm, a, b) for at, worm, a, b in moves if 500 <= at < 1000}
    assert sorted(map(sorted, found)) == sorted(sorted((a, b) for at, _, a, b in every if at == window) for window in {window for window, *_ in every})


class Given:
    """In place of random.Random: its numbers."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = iter(numbers)

    def randrange(self, _: int) -> int:
        return next(self.numbers)


@pytest.mark.parametrize("seed", range(6))
def test_steps_of_a_cube(seed: int) -> None:
    """Alone, a packet takes the hops to its first goal and on; with others, what a list of them all says."""
    r, bits = random.Random(seed), 3
    size = 1 << bits
    for to, through in (([*range(size)], [*range(size)]), (r.sample(range(size), size), [*range(size)]), ([*range(size)], r.choices(range(size), k=size)),
                        (r.sample(range(size), size), r.choices(range(size), k=size))):
        ways = []
        for a, b in enumerate(to):
            way, here = [], a
            for goal in (through[a], b):
                for bit in range(bits):
                    if (here ^ goal) >> bit & 1:
                        way.append((here, 1 << bit))
                        here ^= 1 << bit
            ways.append(way)
        waiting: list[int] = [a for a in range(size) if ways[a]]    # in the order in which they came
        steps = 0
        links: list[tuple[int, int]] = list(dict.fromkeys(ways[a][0] for a in waiting))
        while waiting:
            steps += 1
            first = [next(a for a in waiting if ways[a][0] == link) for link in links if any(ways[a][0] == link for a in waiting)]
            for a in first:
                waiting.remove(a)
                ways[a].pop(0)
                if ways[a]:
                    waiting.append(a)
                    links += [ways[a][0]] * (ways[a][0] not in links)
        assert judge_cmsv_bounds.cube_steps(bits, to, Given(through)) == steps


@pytest.mark.parametrize("seed", range(8))
def test_the_longest_queue(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step by step: who has come and has not gone on yet stands before the link that it takes next."""
    r, moves = random.Random(seed), []
    for worm in range(40):
        at = r.randrange(4)
        for hop in range(5):
            moves.append((at, r.choice((1, 1, 2)), worm, f"{hop}-{r.randrange(3)}"))
            at += moves[-1][1] + r.randrange(5)
    text = "run,of,something\n" + "".join(f"move,{at},{took},{worm},single,0,1,{link},0\n" for at, took, worm, link in sorted(moves))
    monkeypatch.setattr(judge_leighton_problems, "fatfly", lambda *words, quiet: pathlib.Path(words[words.index("--events") + 1]).write_text(text, encoding="ascii"))
    by: dict[int, list[tuple[int, int, str]]] = {}
    for at, took, worm, link in sorted(moves):
        by.setdefault(worm, []).append((at, took, link))
    most = max(sum(one[0] + one[1] <= now <= other[0] and other[2] == link for hops in by.values() for one, other in zip(hops, hops[1:]))
               for now in range(60) for link in {m[3] for m in moves})
    assert judge_leighton_problems.longest_queue("--nodes 8") == most > 1


@pytest.mark.parametrize("algorithm", ["positive-hop", "negative-hop", "loose"])
def test_a_step_of_a_torus(algorithm: str) -> None:
    """A link carries a packet in a step, a buffer holds one, and each packet comes nearer by a hop."""
    torus = judge_bc_classes.Torus(4, 2, algorithm, 12, 3)
    for _ in range(60):
        before = dict(torus.held)
        torus.step()
        places = collections.Counter(torus.held.values())
        assert all(hops <= 4 for _, hops in places)
        came: collections.Counter[tuple[Any, Any]] = collections.Counter()
        for (here, level), (there, hops) in torus.held.items():
            if before.get((here, level)) == (there, hops) or hops < 2:    # those that began in this step may have moved in it
                continue
            near = [(x, at) for (x, at), held in before.items() if held == (there, hops - 1) and here in judge_bc_classes.towards(x, there, 4)]
            assert near
            if len({x for x, _ in near}) == 1:    # of others it cannot be told where they came from
                came[near[0][0], here] += 1
        assert max(came.values(), default=0) <= 1


def test_ranks_are_drawn_once() -> None:
    """In all rounds the packets have the ranks of the first, so that the same packets take the same time (CMSV 4.1)."""
    net = judge_cmsv_ranks.Instance(16, judge_cmsv_ranks.cube(4), 8, 1)
    every_one, ties = list(range(net.n)), list(range(net.n))
    assert net.steps(every_one, 1, ties) == net.steps(every_one, 1, ties) and len(net.rank) == net.n and max(net.rank) < 4 * (net.c + net.d)


@pytest.mark.parametrize("servers", [1, 2, 3])
@pytest.mark.parametrize("name", ["hypercube of 64, e-cube", "tree of 64, one link to a parent"])
def test_channels_of_paths(name: str, servers: int) -> None:
    """A server carries what goes over its link, over the 63 others that each sends to, over the servers; shares on the way add up to one, or to none at the end."""
    paths = list(judge_gg_general.paths_of(judge_gg_general.NETWORKS[name]).values())
    channels, distance = judge_gg_general.of_paths(paths, 64, servers)
    used = collections.Counter(link for path in paths for link in path)
    assert sorted(c.rate for c in channels) == pytest.approx(sorted(n / 63 / servers for n in used.values())) and {c.servers for c in channels} == {servers}
    assert math.isclose(sum(c.injects for c in channels), 1) and math.isclose(distance, sum(used.values()) / len(paths))
    place = {id(c): k for k, c in enumerate(channels)}
    for k, c in enumerate(channels):
        total = math.fsum(ways * share for _, ways, share in c.nexts)
        assert (math.isclose(total, 1) or not c.nexts) and all(place[id(to)] < k for to, _, _ in c.nexts)
