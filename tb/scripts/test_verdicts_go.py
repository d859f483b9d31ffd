# SPDX-License-Identifier: Apache-2.0
"""test_verdicts_go.py - the judgements of GO, BC and GG on either side of each limit that they hold numbers against: made-up runs and tables, by the
statement's own formula, at the limit and just beyond it.

A case is what spoils the runs or tables, and the verdict; where a judgement asks for several things, each is spoilt alone.
"""

from __future__ import annotations

import collections
import fractions
import functools
import itertools
import math
import pathlib
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import judge_bc
import judge_bc_classes
import judge_gg
import judge_gg_general
import judge_go
import judge_go_delays
import judge_go_fat_trees
from paper_tools import Value
from test_intervals import AGREES, DIFFERS, FAR, NEAR, PART, Patches, above, always, asked, below, by_command

Row = dict[str, Any]
LESS, MORE = 1 - 1e-9, 1 + 1e-9    # of exponents
BUILTINS = ("max", "min", "range", "round", "sum")
lg, e = math.log2, math.e


def fake_math(**names: Any) -> Patches:
    return {"math": SimpleNamespace(**vars(math) | names)}


# -- GO II: lemmas and phases ------------------------------------------------------------------------

class Asked:
    """What a run of Algorithm A is asked for; c, d and P of its instance, by its network and seed."""

    def __init__(self, command: str) -> None:
        self.nodes = int(asked(command, "nodes")) if "--nodes" in command else 256
        self.length, self.seed = int(asked(command, "length")), int(asked(command, "seed"))
        self.d = (40, 3, 6, 8, 31)[self.seed % 5]
        self.c, self.p = 16 + self.seed + self.nodes % 100, 64 if self.nodes == 64 else self.nodes - 1
        self.eta = min(self.d, self.length)
        self.phases, self.phase = (int(asked(command, name)) if f"--{name} " in command else 1 for name in ("phases", "phase-length"))
        self.bare = self.phases == self.phase == 1

    def has(self, k: float, eta: float) -> bool:
        """k c eta phases"""
        return self.phases == math.ceil(k * self.c * eta)

    @property
    def t(self) -> int:
        return math.ceil(2 * self.d + self.length * lg(self.p))

    def at(self, nodes: int, seed: int) -> bool:
        return (self.nodes, self.seed) == (nodes, seed)


def phased(made: Callable[[Asked], Row], options: str = "") -> Patches:
    def point(command: str) -> Row:
        assert options in command and "--discipline phased" in command
        i = Asked(command)
        return {"congestion_mean": i.c, "dilation": i.d, "measured": i.p} if i.bare else made(i)
    return by_command(point)


def theorem_4(late: int, long: bool, options: str = "") -> Patches:
    """One worm of 32e c eta phases is so late, which has L = d or L > d = 6; those with k = 2, and those of other lengths, do not count."""
    def made(i: Asked) -> Row:
        assert i.phase == i.t and (i.has(2, i.eta) or i.has(32 * e, i.eta))
        counts = i.has(32 * e, i.eta) and (i.length > i.d) == long
        return {"latency_max": i.t + late * (i.at(256, 2) and i.length in (6, 32)) if counts else 9 * i.t}
    return phased(made, options)


def theorem_4_time(x: tuple[float, float]) -> Patches:
    """With k = 2 and with k = 32e."""
    def made(i: Asked) -> Row:
        assert i.phase == i.t and (i.has(2, i.eta) or i.has(32 * e, i.eta))
        return {"last_arrival_mean": (i.c * i.eta * (i.d + i.length * lg(i.p))) ** x[i.has(32 * e, i.eta)]}
    return phased(made)


def theorem_5(x: float) -> Patches:
    """In the first, second or third pass all worms arrive."""
    def made(i: Asked) -> Row:
        first = 2 * (i.d + i.length)
        need = (first, first + 1, 2 * first, 2 * first + 1, 4 * first)[i.seed % 5]
        assert i.has(32 * e, i.eta) and i.phase in (first, 2 * first, 4 * first)
        before = (i.phase - first) * i.phases    # 1 + 2 + .. phases are one less than the next
        return {"latency_max": need, "last_arrival_mean": (2e4 * i.c * i.d * i.length) ** x - before if i.phase >= need else 7}
    return phased(made)


def corollary_6(late: int = 0, x: float = 1) -> Patches:
    """A worm so late in its phase; the last one later than the end of all phases."""
    def made(i: Asked) -> Row:
        assert i.phase == i.t and i.has(32 * e, i.eta)
        one = i.at(1024, 3) and i.length == 32
        return {"latency_max": i.t + late * one, "last_arrival_mean": (i.phases + 1) * i.t * (x if one else 1)}
    return phased(made)


def corollary_10(late: int, x: float) -> Patches:
    """Of the longest worm."""
    def point(command: str) -> Row:
        i = Asked(command)
        assert i.length == (63 if "--lengths uniform" in command else 128 if "--lengths bimodal" in command else 0)
        if i.bare:
            return {"congestion_mean": i.c, "dilation": i.d, "measured": i.p}
        assert i.phase == i.t and i.has(32 * e, i.eta)
        return {"latency_max": i.t + late * (i.at(256, 3) and i.length == 63), "last_arrival_mean": (i.c * i.length * lg(i.p) ** 2) ** x}
    return by_command(point)


def passes(more: int) -> Patches:
    """Many passes together take so many T0 more."""
    return {"sum": lambda terms: (total := sum(terms)) + more * (total > 1000)}


@functools.cache
def tightest() -> float:
    """The least e with which lemma 1's bound is above all exact tails that are asked for."""
    most = 0.0
    for n, p in itertools.product((5, 20, 100, 400), (0.001, 0.01, 0.1, 0.3, 0.7)):
        log_of = [math.lgamma(n + 1) - math.lgamma(s + 1) - math.lgamma(n - s + 1) + s * math.log(p) + (n - s) * math.log1p(-p) for s in range(n + 1)]
        for s in (s for s in range(1, n + 1) if s > p * n + 1e-9):
            log_tail = log_of[s] + math.log(math.fsum(math.exp(v - log_of[s]) for v in log_of[s:]))
            most = max(most, math.exp(log_tail / s) * s / p / n)
    return most


def lemma_2(recursive: float = 1, more: int = 0) -> Patches:
    """The recursion at so much of the bound for one worm and few links; at one instance a worm more that so many delay, of d / L = 2 and k' = 2."""
    def recursion(length: int, c: int, k: float) -> Callable[[int, int], float]:
        root = math.sqrt(k / (2 * e))
        return lambda x, y: (recursive if (length, c, x, y) == (4, 3, 2, 3) else 1) * root ** (y / length - x)

    def delaying(command: str) -> list[int]:
        i = Asked(command)
        if i.length > i.d:
            return [99] * i.p
        assert i.phase == i.t and i.has(8 * e, i.length)
        reached = [math.floor(i.p * min(1.0, 2 ** (i.d / i.length - x))) for x in range(1, 40)]
        if more and i.at(64, 3) and i.length == 4:
            reached[more - 1] += 1
        return [x for x, (n, then) in enumerate(zip(reached, [*reached[1:], 0]), 1) for _ in range(n - then)]
    return {"recursion": recursion, "judge_go_delays.delaying": delaying} | phased(lambda i: {})


def lemma_3(root: int, z: float, more: int) -> Patches:
    """As many worms as may, of 64, need 2d + Lz, at one instance more, for one of the two k'."""
    def latencies(command: str) -> collections.Counter[int]:
        i = Asked(command)
        assert i.phase == i.t and (i.has(8 * e, i.length) or i.has(32 * e, i.length)) and i.length <= i.d
        ours = 2 if i.has(8 * e, i.length) else 4
        late = math.floor(64 / ours ** z + 1e-9) + more * (i.at(64, 3) and ours == root)
        return collections.Counter({2 * i.d: 64 - late, 2 * i.d + round(i.length * z): late})
    return {"latencies": latencies} | phased(lambda i: {})


def any_power(x: tuple[float, float, float]) -> Patches:
    """Worms that are 1, 2 and 3 worms' lengths late fall with k as k^(-z / 2)^x; half of each has just become so, half is just not yet later."""
    def latencies(command: str) -> collections.Counter[int]:
        i = Asked(command)
        k, = (k for k in (0.125, 0.25, 0.5, 1, 2, 4, 8, 16) if i.has(k, i.eta))
        assert i.phase == i.t and i.length == 4 and i.nodes == 1024
        late = [1e12, *(1e3 ** (3 - z) * k ** (-z / 2 * x[z - 1]) for z in (1, 2, 3)), 0]
        found: Any = collections.Counter()
        for z in range(4):
            found[i.d + 3 + 4 * z] += (late[z] - late[z + 1]) / 2
            found[i.d + 3 + 4 * z + 3] += (late[z] - late[z + 1]) / 2
        return found
    return {"latencies": latencies} | phased(lambda i: {})


@functools.cache
def outside(n: int) -> float:
    """Share of sums of n lengths of 1 to 63, all as likely, that are more than n standard deviations of one from
    their mean: all sums at once, in a large number."""
    digit = 8 * n
    every = sum(1 << digit * s for s in range(1, 64)) ** n
    counts = {s: every >> digit * s & (1 << digit) - 1 for s in range(n, 63 * n + 1)}
    assert sum(counts.values()) == 63 ** n
    return sum(count for s, count in counts.items() if 12 * (s - 32 * n) ** 2 > n * n * (63 * 63 - 1)) / 63 ** n


def chebyshev(x: float) -> Patches:
    """What is outside made x / n, for each n in turn."""
    numbers = itertools.count(1)

    def fsum(terms: Any) -> float:
        n = next(numbers)
        return math.fsum(terms) * x / (n * outside(n))
    return fake_math(fsum=fsum)


def chebyshev_of_each(beyond: list[int]) -> Patches:
    """1 / n is outside, of some n a little more."""
    numbers = itertools.count(1)

    def fsum(_: Any) -> float:
        n = next(numbers)
        return above(1 / n) if n in beyond else 1 / n
    return fake_math(fsum=fsum)


# -- GO III.A ----------------------------------------------------------------------------------------

def over_a_torus(term: Callable[[int, str], float], column: str, *options: str) -> Patches:
    """A step of four runs, which take 1, 2, 3 and 4 tenths."""
    def point(command: str) -> Row:
        levels, k = asked_word(command, "permutation").split("-")
        assert all(f"{option} " in f"{command} " for option in (*options, f"--nodes {4 ** int(levels)}", "--pattern permutation"))
        return {"congestion_mean": 3, "last_arrival_mean": 3, column: (int(k) + 1) / 10 * term(2 * int(levels), command)}
    return {"torus_steps": lambda levels, folder: [f"{levels}-{k}" for k in range(4)]} | by_command(point)


def theorem_11(x: dict[str, float]) -> Patches:
    """L_M / 32 log^3 N, to the power x of each kind of lengths."""
    def term(log: int, command: str) -> float:
        return (asked(command, "length") / 32 * log ** 3) ** next(x[kind] for kind in x if f"--lengths {kind}" in command)
    return over_a_torus(term, "last_arrival_mean", "--runs 30")


def windows(x: float, jitter: float = 1) -> Patches:
    """Load factor of the fullest window of three, whose hops are as many as they load."""
    def hops_in_windows(levels: int, length: int) -> list[list[float]]:
        assert length == 16
        most = (2 * levels) ** x * (jitter if levels == 3 else 1)
        return [[1.0], [most], [most / 2]]
    return {"hops_in_windows": hops_in_windows, "fat_tree_load": lambda levels, hops: hops[0]}


def independent_flits(x: float) -> Patches:
    def point(command: str) -> Row:
        assert all(f"{option} " in command for option in ("--discipline univ", "--length 1", "--rounds 32"))
        n = int(asked(command, "nodes"))
        c, d = n * (2 if "transpose" in command else 5), 7 if "complement" in command else lg(n)
        return {"congestion_mean": c, "dilation": d, "last_arrival_mean": (c + d + lg(32 * n)) ** x}
    return by_command(point)


def load_factor(ratios: list[float]) -> Patches:
    """The largest ratio to load factor + log N, of one pattern of five, for N = 16 .. 16384."""
    def point(command: str) -> Row:
        log = round(lg(asked(command, "nodes")))
        loads = 3 * log + len(command.split("--pattern ")[1].split()[0])
        return {"load_factor": loads, "congestion_mean": (loads + log) * ratios[log // 2 - 2] * (1 if "transpose" in command else 0.5)}
    return by_command(point)


def meeting(small: int, large: int) -> Patches:
    """Two paths that meet in so many sequences of two links, of 16 processors and of 64, and one that meets none."""
    def shortest(levels: int) -> list[list[str]]:
        times = {2: small, 3: large}[levels]
        return [["z"], *([f"{k}{which}" for k in range(times) for which in ("a", "b", other)] for other in "xy")]
    return {"shortest": shortest, "range": lambda *ends: range(*(min(end, 50) for end in ends))}


def delay_steps(limit: int, more: int, every: bool = False) -> Patches:
    """One pair of two in one run, or each, for so many steps more than the limit."""
    def steps_of(options: str) -> collections.Counter[tuple[str, str]]:
        assert ("--topology butterfly --channel-release tail-sent " if limit == 1 else "--path fp ") in options
        length = int(asked(options, "length"))
        one = every or (length, asked(options, "seed")) == (16, 2)
        return collections.Counter({("1", "2"): limit * length + more * one, ("3", "1"): limit * length + more * every})
    return {"steps_of": steps_of}


# -- GO III.B ----------------------------------------------------------------------------------------

SIZES = (16, 64, 256, 1024, 4096)


def complement(c: Callable[[float], float], load: Callable[[float], float]) -> Patches:
    """At N = 256 other than sqrt(N) / 2."""
    def point(command: str) -> Row:
        root = 2 ** (lg(asked(command, "nodes")) / 2 - 1)
        return {"congestion_mean": c(root) if root == 8 else root, "load_factor": load(root) if root == 8 else root}
    return by_command(point)


def univ(x: dict[int, float]) -> Patches:
    """By the depth of queues; packet-steps are 32 cycles."""
    def point(command: str) -> Row:
        n = asked(command, "nodes")
        assert "--discipline univ " in command
        c = math.sqrt(n) * (1 if "complement" in command else 0.3)
        return {"congestion_mean": c, "last_arrival_mean": 32 * (c + lg(n)) ** x[int(asked(command, "depth"))]}
    return by_command(point)


def delayed(how: str, pattern: str, n: int, most: int, x: float) -> Patches:
    """One case and range of delays takes x, all others what runs without delays take."""
    def at(nodes: int, options: str) -> Value:
        case = *(asked_word(options, name) for name in ("discipline", "pattern")), nodes, asked_word(options, "delay-range")
        return Value(100 * x if case == (how, pattern, n, str(most)) else 100)
    return {"at": at}


def asked_word(command: str, name: str) -> str:
    return f"{command} ".partition(f"--{name} ")[2].partition(" ")[0]


LENGTHS = (8, 16, 32, 64, 128, 256)


def bent(how: str, pattern: str, x: float) -> Patches:
    """Latency is 5 + 3 L but in one series, where 1 - R^2 is x / 1000: what is at right angles to the line, in proportion."""
    mean = sum(LENGTHS) / 6
    line = [length - mean for length in LENGTHS]
    other = [(-1) ** k for k in range(6)]
    slope = sum(a * b for a, b in zip(line, other)) / sum(a * a for a in line)
    other_way = [b - sum(other) / 6 - slope * a for a, b in zip(line, other)]
    by = math.sqrt(9 * sum(a * a for a in line) / sum(b * b for b in other_way) * x / 1000 / (1 - x / 1000))

    def last(command: str) -> Value:
        k = LENGTHS.index(int(asked(command, "length")))
        here = (asked_word(command, "discipline"), asked_word(command, "pattern")) == (how, pattern)
        return Value(5 + 3 * LENGTHS[k] + by * other_way[k] * here)
    return {"last": last}


def table_of(cells: Callable[[int], dict[str, Any]]) -> Patches:
    """A row for each N."""
    def columns(heading: str) -> dict[str, dict[str, str]]:
        assert heading in ("GO table II", "GO figure 5: WORM and SPLIT")
        return {str(n): {name: str(cell) for name, cell in cells(n).items()} for n in SIZES}
    return {"columns": columns}


def of_corollary_6(ratios: list[float]) -> Patches:
    """Latency over c L log2^2 N"""
    return table_of(lambda n: {"c, ours": 9.0, "latency / c, ours": repr(ratios[SIZES.index(n)] * 32 * lg(n) ** 2)})


def of_lower_bound(at: int, x: float) -> Patches:
    """Latency over cL + log2 N, at one N."""
    return table_of(lambda n: {"c, ours": repr(n / 8), "latency / c, ours": repr((x if n == at else 1) * (32 + lg(n) / (n / 8)))})


OURS = {"c": 100, "latency / c": 200}


def means(column: str, at: int, off: float) -> Patches:
    """GO's mean at one N so many t of 29 degrees off, with the digit that they round; ours of 10 experiments, of so many runs each, is OURS +- 1."""
    t_29, t_9 = 2.756386, 3.249836    # of 99 %
    limit = t_29 / t_9 * math.sqrt(10 * {16: 1000, 64: 1000, 256: 1000, 1024: 300, 4096: 100}[at] / 30)

    def cells(n: int) -> dict[str, Any]:
        theirs = {name: many + (off * limit + math.copysign(0.05, off) if (name, n) == (column, at) else 0) for name, many in OURS.items()}
        return {f"{name}, GO": v for name, v in theirs.items()} | {f"{name}, ours": f"{many} ± 1" for name, many in OURS.items()}
    return table_of(cells)


def split_of(at: int, x: float) -> Patches:
    return table_of(lambda n: {"WORM RP-RR": 90, "SPLIT RP-RR": 100, "SPLIT GP-FF": 70, "SPLIT RP-FO": repr(100 * (x if n == at else 1.3))})


# -- BC ----------------------------------------------------------------------------------------------

THREE = ("e-cube", "north-last", "negative-hop")
HOT = "4 % to (15, 15)"


def ends(ours: dict[tuple[str, str], float], *rises: tuple[str, str]) -> Patches:
    """Utilisation at the end of each curve; BC's are all 0.5."""
    found = {(path, traffic): (0.5, ours.get((path, traffic), 0.4 if traffic == HOT else 0.6)) for path in THREE for traffic in ("uniform", HOT)}
    return {"saturations": always(found), "rising": always(set(rises))}


def chapter(first: list[list[str]], second: list[list[str]]) -> Patches:
    return {"tables": lambda heading: [[["head"] * 9, *first], [["head"] * 9, *second]]}


def gains(*percent: float) -> Patches:
    said = f"at 0.05, 0.08, 0.11: {', '.join(f'{g!r} %' for g in percent)}"
    return chapter([], [["at low loads", "4.4"], ["north-last is slightly faster than e-cube", said]])


def in_order(*rows: tuple[float, float, float]) -> Patches:
    """e-cube, north-last, negative-hop."""
    return chapter([["16 x 16", "4", *map(repr, row)] for row in rows], [])


def on_demand(e_cube: float, north_last: float, negative_hop: float) -> Patches:
    """The last column; the others say otherwise."""
    return chapter([["e-cube", "3", repr(e_cube)], ["negative-hop", "1", repr(negative_hop)], ["north-last", "2", repr(north_last)],
                    ["positive-hop", "0", "0"]], [])


def page(e_cube: float, north_last: float, end: bool = False) -> Patches:
    """What docs/results.md says of negative-hop."""
    beyond = f"the faster one beyond the last point of north-last ({north_last!r}, 34 cycles)"
    other = beyond if end else f"faster than north-last from a utilisation of {north_last!r} on"
    text = f"negative-hop is faster than e-cube from a utilisation of {e_cube!r} on and negative-hop is {other}."

    class Root:
        def __truediv__(self, path: str) -> Any:
            assert path == "docs/results.md"
            return SimpleNamespace(read_text=always(text))
    return {"ROOT": Root()}


def fewer_from(limit: Callable[[int], float], first: Callable[[int], float]) -> Patches:
    """From k = first(n) on negative-hop needs as many channels as the other, before that one fewer."""
    return {"negative_hop_channels": lambda k, n: limit(n) - (k < first(n))}


def negative_hop(more: int) -> Patches:
    """n floor(k / 2) / 2, rounded up, and one, with so many more"""
    return {"negative_hop_channels": lambda k, n: math.ceil(n * math.floor(k / 2) / 2) + 1 + more}


def rounded(at: float, x: float) -> Patches:
    """A number near `at` made x of it, before it is rounded."""
    return {"round": lambda v, places: round(x * at if abs(v / at - 1) < 1e-3 else v, places)}


def channels(positive: int, negative: int) -> Patches:
    """Of a torus of 256."""
    return by_command(lambda command: {"vcs": {"positive-hop": positive, "negative-hop": negative}[asked_word(command, "path")]
                                       if "--topology torus --nodes 256 " in command else 0})


T_2 = 0.99 / math.sqrt(2 * 0.995 * 0.005)    # Student's of two degrees, 99 %
JITTER = 1e-4
REACH = math.sqrt(2 / 3) * T_2 * JITTER    # half the interval of a ratio of two means of 1 - JITTER, 1, 1 + JITTER


def hot_place(x: float, jitter: float = 0) -> Patches:
    """x at (7, 7), and one elsewhere; at the last load but one most is carried; the first seed is another, by chance."""
    def hot_run(torus: str, path: str, node: int, load: float, measured: int, before: int, seed: int) -> Row:
        assert torus == judge_bc.TORUS and measured and before
        best = load == judge_bc.HOT[path][0][-2]
        carried = (0.2 if best else 0.1) * (x if best and node == 7 * 16 + 7 else 1)
        return {"utilisation": carried * (1 if seed == 1 else 1 + (seed - 3) * jitter)}
    return {"hot_run": hot_run}


def hot_best(whole: float, most: float, able: float = 1) -> Patches:
    """At (15, 15); others 1, (0, 0) 0.5: in what is carried whole, up to the second load, and in the most, at the last; 98 % is whole."""
    def hot_run(torus: str, path: str, node: int, load: float, measured: int, before: int, seed: int) -> Row:
        assert torus == judge_bc.TORUS and measured and before and seed
        place, here = judge_bc.HOT[path][0].index(load), node == 15 * 16 + 15
        other = 1 if node else 0.5
        carried = 0.2 * (whole if here else other) if place == 1 else 0.3 * (most if here else other) if load == judge_bc.HOT[path][0][-1] else 0.05
        kept = 0.98 * load
        return {"utilisation": carried, "accepted_load": kept if place == 0 or place == 1 and (not here or able == 1) else below(kept)}
    return {"hot_run": hot_run}


def classes(spoilt: str = "") -> Patches:
    """Highest classes as BC's words have them, n floor(k / 2) and half of it, rounded up, or as odd_sides() may have; one thing spoilt."""
    def is_ordered(k: int, n: int, algorithm: str) -> tuple[bool, int]:
        hops = n * (k // 2)
        most = hops if algorithm == "positive-hop" or k % 2 else math.ceil(hops / 2)
        here = (k, n) in ((4, 3), (5, 2))
        return not (here and spoilt == "circle"), most + here * {"class more": 1, "class less": -1}.get(spoilt, 0)

    class Torus:
        def __init__(self, k: int, n: int, algorithm: str, each: int, seed: int) -> None:
            assert (n, each) == (2, 30)
            one = (k, seed) in ((8, 2), (5, 2))
            alone = spoilt == "one done" or spoilt == "one stuck" and not one    # with one class
            self.done = {"one": alone, "loose": not one or spoilt != "loose stuck"}.get(algorithm, not one or spoilt != "stuck")

        def finish(self) -> bool:
            return self.done
    return {"is_ordered": is_ordered, "Torus": Torus}


def cut_through(north_last: float, negative: float) -> Patches:
    """Against e-cube; in one of four kinds of runs, at one load."""
    def point(command: str) -> Row:
        path = asked_word(command, "path")
        one = "--depth 16" in command and "--bandwidth fixed-share" in command
        most = {"e-cube": 0.3, "north-last": 0.3 * (north_last if one else 0.5), "negative-hop": 0.3 * (negative if one else 2)}[path]
        return {"digest": command, "utilisation": most if "--load 0.0996" in command
                else {"e-cube": 0.02, "north-last": 0.03, "negative-hop": 0.01}[path]}
    return by_command(point)


# -- GG ----------------------------------------------------------------------------------------------

def figure_3(x: float, share: str, of: str) -> Patches:
    """One error of x, in the table of N = 1024 or in that of the others, under RW; those of RG, and of no error, do not count."""
    percent = ("10 %", "70 %", "80 %", "85 %", "90 %")

    def cell(place: str, at: str) -> str:
        return f"{x!r} ± 9 %" if (place, at) == (of, share) else "1 ± 9 %"
    full = [["load", "share", "L = 16: ours", "L = 16: model", "L = 16: error", "L = 64: error"],
            *(["0.1", at, "99 ± 1", "88", cell("1024, L = 16", at), cell("1024, L = 64", at)] for at in percent)]
    alone = [["share", "reading", "N = 256, L = 16", "N = 16, L = 64"],
             *([at, reading, *("99 ± 1 %" if reading == "RG" else cell(place, at) for place in ("256", "16"))] for at in percent
               for reading in ("RW", "RG"))]
    return {"tables": always([full, [["another"]], alone])}


def ablated(option: Row, changed: dict[float, tuple[float, float]]) -> Patches:
    """Errors of the whole model and of that without a part; elsewhere 1 and -2 %, at shares that do not count 2 and 1 %."""
    def errors(**options: Any) -> dict[float, float]:
        assert options in ({}, option)
        return {share: ({60.0: (2.0, 1.0), 85.0: (2.0, 1.0)} | changed).get(share, (1.0, -2.0))[bool(options)]
                for share in (50.0, 60.0, 70.0, 80.0, 85.0, 90.0, 95.0)}
    return {"errors": errors, "is_the_model": always(None)}


def variation(share: float, c: float, x: float) -> Patches:
    """Errors of GG's, of C^2 = 0 and of C^2 = 1: -3, 4 and -5 %, but for one."""
    def errors(**options: Any) -> dict[float, float]:
        assert not options or list(options) == ["variation"]
        kind = options.get("variation", -1)
        return {at: x if (at, kind) == (share, c) else {-1: -3.0, 0: 4.0, 1: -5.0}[kind] for at in (50.0, 60.0, 70.0, 80.0, 90.0, 95.0)}
    return {"errors": errors, "is_the_model": always(None)}


def of_model(which: str, column: str, plus: float, x: float, shares: tuple[float, ...]) -> Patches:
    """The model's service or wait, x of what is measured at some shares of saturation."""
    def model(levels: int, length: int, load: float) -> Any:
        assert (levels, length) == (4, 32)
        here = any(abs(load / 0.0788566 / share - 1) < 1e-9 for share in shares)
        return SimpleNamespace(**{"service": 7.0, "source_wait": 7.0} | {which: 50 * (x if here else 1)})

    def measured(levels: int, length: int, load: float, name: str) -> Value:
        assert (levels, length) == (4, 32) and load
        return Value(50.0 - plus if name == column else 3.0)
    return {"Model": model, "measured": measured}


def counted_links(rows: Callable[[], list[tuple[str, int, float]]]) -> Patches:
    """Direction, level and worms of each link, in the file that fatfly is asked for."""
    def fatfly(*words: str, quiet: bool) -> None:
        told = dict(zip(words, words[1:]))
        assert quiet and told["--nodes"] == "256" and told["--path"] == "rw" and told["--arrivals"] == "poisson"
        lines = ["direction,level,worms", *(f"{direction},{level},{worms!r}" for direction, level, worms in rows())]
        pathlib.Path(told["--links"]).write_text("\n".join(lines) + "\n", encoding="ascii")
    return {"fatfly": fatfly}


def rates(direction: str, level: int, deviations: float) -> Patches:
    """10^14 worms begin; over the links of a level go (4^4 - 4^l) / (4^4 - 1) of them, one of the six sums is so many standard deviations off."""
    every = 10 ** 14

    def rows() -> list[tuple[str, int, float]]:
        found: list[tuple[str, int, float]] = []
        for way, l in itertools.product(("up", "down"), range(4)):
            p = (256 - 4 ** l) / 255
            count = round(every * p + (deviations * math.sqrt(every * p * (1 - p)) if (way, l) == (direction, level) else 0))
            found += [(way, l, count // 3), (way, l, count - count // 3)]
        return found
    return counted_links(rows)


def spread_links(deviations: float) -> Patches:
    """Of 50 links, half are above and half below their mean of 400, so that the variance over the mean is
    so many deviations of chi squared above one; others are alike."""
    freedom = 49
    by = math.sqrt((1 + deviations * math.sqrt(2 / freedom)) * 400 * freedom / 50)
    alike = [("down", 1, 300.0 + k % 2) for k in range(50)] + [("up", 2, 4000.0)] * 8
    return counted_links(lambda: [("up", 1, 400 + by * (-1) ** k) for k in range(50)] + alike)


# Module, function, its words, what it reads; what that takes, and the verdict.
CASES: list[tuple[ModuleType, str, str, Callable[..., Patches], list[Any]]] = [
    (judge_go, "lemma_1", "", lambda x: fake_math(e=x * tightest()), [((1 + 1e-7,), AGREES), ((1 - 1e-7,), PART)]),
    (judge_go, "lemma_2", "", lemma_2, [((), AGREES), ((1 + 1e-8,), DIFFERS), ((1, 3), DIFFERS), ((1, 5), DIFFERS)]),
    (judge_go, "lemma_3", "", lemma_3, [((root, z, more), want) for root, z in itertools.product((2, 4), (0.5, 1, 2))
                                        for more, want in ((0, AGREES), (1, DIFFERS))]),
    (judge_go, "theorem_4_short", "", lambda late: theorem_4(late, False), [((0,), AGREES), ((1,), DIFFERS)]),
    (judge_go, "theorem_4_long", "", lambda late: theorem_4(late, True), [((0,), AGREES), ((1,), DIFFERS)]),
    (judge_go, "one_flit_fixed_order", "", lambda late: theorem_4(late, False, "--depth 1 --scan fo"), [((0,), AGREES), ((1,), DIFFERS)]),
    (judge_go, "any_power", "", any_power, [(((MORE, MORE, MORE),), AGREES), (((LESS, LESS, LESS),), DIFFERS),
                                            *(((x,), PART) for x in set(itertools.permutations((MORE, MORE, LESS))))]),
    (judge_go, "theorem_4_time", "", theorem_4_time, [(((LESS, LESS),), AGREES), (((MORE, LESS),), DIFFERS), (((LESS, MORE),), DIFFERS)]),
    (judge_go, "theorem_5", "", theorem_5, [((LESS,), AGREES), ((MORE,), DIFFERS)]),
    (judge_go, "passes_double", "", passes, [((0,), AGREES), ((1,), DIFFERS)]),
    # the sum is 4 / 9
    (judge_go, "time_per_phase", "", lambda x: fake_math(fsum=lambda terms: x * 9 / 4 * math.fsum(terms)), [((NEAR,), AGREES), ((FAR,), DIFFERS)]),
    (judge_go, "corollary_6", "", corollary_6, [((), AGREES), ((1,), DIFFERS), ((0, FAR), DIFFERS)]),
    (judge_go, "corollary_10", "", corollary_10, [((0, LESS), AGREES), ((0, MORE), DIFFERS), ((1, LESS), DIFFERS)]),
    (judge_go, "load_factor", "", load_factor, [(([1, 1.5, 1.75, 1.8, 1.9, 2 * NEAR],), AGREES), (([1, 1.5, 1.75, 1.8, 1.9, 2],), DIFFERS),
                                                (([1, 1.5, 2, 1.8, 1.9, 1.9],), DIFFERS),
                                                (([1, 1.1, 1.5, 1.5, 1.5, 1.7 * NEAR],), AGREES), (([1, 1.1, 1.5, 1.5, 1.5, 1.7 * FAR],), DIFFERS)]),
    (judge_go, "load_factor", "", load_factor, [(([1] * 6,), AGREES), (([1, 1, 1, 1, 1, FAR],), DIFFERS)]),
    (judge_go, "two_sequences", "", meeting, [((2, 2), AGREES), ((3, 2), DIFFERS), ((2, 3), DIFFERS)]),
    (judge_go, "lemma_7", "", lambda x: over_a_torus(lambda log, command: log ** x, "congestion_mean", "--path fp", "--length 1"),
     [((LESS,), PART), ((MORE,), DIFFERS)]),
    (judge_go, "theorem_8", "", lambda x: over_a_torus(lambda log, command: log ** (3 * x), "last_arrival_mean", "--length 32"),
     [((LESS,), PART), ((MORE,), DIFFERS)]),
    (judge_go, "stored_step", "", lambda x: over_a_torus(lambda log, command: log ** x, "last_arrival_mean", "--discipline univ", "--length 32"),
     [((LESS,), PART), ((MORE,), DIFFERS)]),
    (judge_go, "flits_of_a_step", "",
     lambda x: over_a_torus(lambda log, command: log ** x, "last_arrival_mean", "--discipline univ", "--length 1", "--rounds 32"),
     [((LESS,), PART), ((MORE,), DIFFERS)]),
    (judge_go, "theorem_11", "", theorem_11, [(({"uniform": u, "geometric": g, "bimodal": b},), want) for u, g, b, want in (
        (LESS, LESS, LESS, PART), (MORE, LESS, LESS, DIFFERS), (LESS, MORE, LESS, DIFFERS), (LESS, LESS, MORE, PART))]),
    (judge_go, "worms_in_a_window", "", windows, [((LESS,), PART), ((MORE,), DIFFERS), ((1.1, 3), PART), ((40, 3), DIFFERS)]),
    (judge_go, "independent_flits", "", independent_flits, [((LESS,), AGREES), ((MORE,), DIFFERS)]),
    (judge_go, "lemma_9", "", chebyshev, [((1 - 1e-4,), AGREES), ((1 + 1e-4,), DIFFERS)]),
    (judge_go, "lemma_9", "", chebyshev_of_each, [(([],), AGREES), *((([n],), PART) for n in (1, 2, 17, 40)), (([*range(1, 41)],), DIFFERS)]),
    *((judge_go_delays, "delay_steps", which, lambda more, every=False, limit=limit: delay_steps(limit, more, every),
       [((0,), AGREES), ((1,), PART), ((1, True), DIFFERS)])
      for which, limit in (("once", 1), ("twice", 2))),
    (judge_go_fat_trees, "complement_congestion", "", complement,
     [((float, float), AGREES), ((above, float), PART), ((below, float), PART), ((above, above), DIFFERS), ((below, below), DIFFERS)]),
    (judge_go_fat_trees, "worst_permutation", "", lambda more: {"min": lambda *v: min(v) + more},
     [((0,), AGREES), ((1e-9,), DIFFERS), ((-1e-9,), DIFFERS)]),
    (judge_go_fat_trees, "univ_bound", "", univ, [(({1: a, 2: b, 16: c},), want) for a, b, c, want in (
        (LESS, LESS, LESS, AGREES), (MORE, LESS, LESS, PART), (LESS, MORE, LESS, PART), (MORE, MORE, LESS, PART), (LESS, LESS, MORE, DIFFERS),
        (MORE, MORE, MORE, DIFFERS))]),
    (judge_go_fat_trees, "delays_of_other_patterns", "", delayed, [
        *(((*case, x), want) for case in (("store", "complement", 64, 2), ("worm", "many-to-1", 256, 16), ("worm", "complement", 1024, 4))
          for x, want in ((0.9 * FAR, AGREES), (0.9 * NEAR, DIFFERS))),
        (("worm", "random", 64, 2, 0.1), AGREES)]),
    (judge_go_fat_trees, "linear_elsewhere", "", bent, [
        ((how, pattern, x), want) for how, pattern in itertools.product(("store", "worm"), ("complement", "many-to-1"))
        for x, want in ((1 - 1e-6, AGREES), (1 + 1e-6, DIFFERS))]),
    (judge_go_fat_trees, "split_sensitive", "", split_of, [
        ((n, x), want) for n in (16, 256, 4096) for x, want in ((1.1 * FAR, AGREES), (1.1 * NEAR, DIFFERS))]),
    *((judge_go_fat_trees, name, "", means, [
        ((column, n, off), want if column == ours else AGREES) for column, n in itertools.product(OURS, SIZES)
        for off, want in ((0.9999, AGREES), (1.0001, PART), (-0.9999, AGREES), (-1.0001, PART))])
      for name, ours in (("table_2_c", "c"), ("table_2_latency", "latency / c"))),
    (judge_go_fat_trees, "below_corollary_6", "", of_corollary_6, [
        (([0.5, 0.6, 0.7, NEAR, 0.5 * NEAR],), AGREES), (([0.5, 0.6, 0.7, FAR, 0.4],), DIFFERS), (([NEAR, 0.6, 0.7, 0.4, 0.4],), AGREES),
        (([FAR, 0.6, 0.7, 0.4, 0.4],), DIFFERS),
        (([0.5, 0.4, 0.4, 0.4, 0.5 * FAR],), DIFFERS), (([0.5, 0.6, 0.6, 0.6, 0.55],), DIFFERS)]),
    (judge_go_fat_trees, "near_lower_bound", "", of_lower_bound,
     [((n, x), want) for n in SIZES for x, want in ((2 * NEAR, AGREES), (2 * FAR, DIFFERS))]),
    (judge_bc, "saturates", f"e-cube {HOT}", lambda x: ends({("e-cube", HOT): 0.5 + 0.01 * x}),
     [((NEAR,), AGREES), ((FAR,), DIFFERS), ((-NEAR,), AGREES), ((-FAR,), DIFFERS)]),
    *((judge_bc, "percent", f"negative-hop e-cube {HOT} {more}",
       lambda x, more=more: ends({("negative-hop", HOT): 0.2 * (1 + more / 100) * x, ("e-cube", HOT): 0.2}),
       [((1.05 * NEAR,), AGREES), ((1.05 * FAR,), DIFFERS), ((0.95 * FAR,), AGREES), ((0.95 * NEAR,), DIFFERS)]) for more in (93, -25)),
    (judge_bc, "lower_hot", "", ends, [
        (({(path, HOT): 0.6 * x for path in some},), want)
        for x, some, want in ((NEAR, THREE, AGREES), (1, THREE[:1], PART), (1, THREE[1:], PART), (1, THREE, DIFFERS))]),
    (judge_bc, "lower_hot", "", ends, [(({}, ("e-cube", HOT)), PART), (({}, ("e-cube", "uniform")), AGREES),
                                       (({(path, HOT): 0.7 for path in THREE}, ("e-cube", HOT)), DIFFERS)]),
    (judge_bc, "north_last_low", "", gains, [((1e-9, 3.0, 9.0), AGREES), ((0.0, 3.0, 9.0), PART), ((1.0, 3.0, -1e-9), PART),
                                             ((0.0, 0.0, -1.0), DIFFERS)]),
    (judge_bc, "below_four", "", gains, [((4 * NEAR, -9.0, 1.0), AGREES), ((4.0, 3.0, 3.0), PART), ((1.0, 1.0, 4.0), PART),
                                         ((4.0, 4.0, 9.0), DIFFERS)]),
    (judge_bc, "moderate", "", page, [((0.2 * NEAR, 0.2 * NEAR), AGREES), ((0.2, 0.1), PART), ((0.1, 0.2), PART), ((0.2, 0.2), DIFFERS),
                                      ((0.1, 0.2 * NEAR, True), AGREES), ((0.1, 0.2, True), PART)]),
    (judge_bc, "other_lengths", "", in_order, [(((3, 3 * NEAR, 3 * FAR), (2, 1, 3)), AGREES), (((3, 3, 4), (2, 1, 3)), PART),
                                               (((3, 2, 3), (2, 1, 3)), PART), (((3, 3, 4), (3, 2, 3)), DIFFERS)]),
    (judge_bc, "on_demand", "", on_demand, [((3, 3 * NEAR, 3 * FAR), AGREES), ((3, 3, 4), DIFFERS), ((3, 2, 3), DIFFERS), ((3, 4, 5), DIFFERS)]),
    (judge_bc, "berman", "", lambda first: fewer_from(lambda n: 10 * (n - 1) + 6, first), [
        ((lambda n: 42,), AGREES), ((lambda n: 40,), PART), ((lambda n: 40 if n == 8 else 42,), PART), ((lambda n: 40 if n == 2 else 42,), PART),
        ((lambda n: 41,), AGREES)]),
    (judge_bc, "linder_harden", "", negative_hop, [((0,), PART), ((1,), DIFFERS), ((-1,), DIFFERS)]),
    # the first even k from (n + 1) / n 2^(n + 1) - 4 / n on
    (judge_bc, "linder_harden", "", lambda off: fewer_from(lambda n: (n + 1) * 2 ** (n - 1),
                                                           lambda n: 2 * math.ceil(((n + 1) * 2 ** n - 2) / n) + off * (n == 5)),
     [((0,), PART), ((2,), DIFFERS), ((-2,), DIFFERS)]),
    (judge_bc, "mean_hops", "", lambda x: rounded(8 * 256 / 255, x / (8 * 256 / 255)),
     [((8.0251,), AGREES), ((8.0249,), DIFFERS), ((8.0349,), AGREES), ((8.0351,), DIFFERS)]),
    *((judge_bc, "hot_shares", "", lambda x, at=at: rounded(at, x / at),
       [((x - 5e-5 + 1e-9,), AGREES), ((x - 5e-5 - 1e-9,), DIFFERS), ((x + 5e-5 - 1e-9,), AGREES), ((x + 5e-5 + 1e-9,), DIFFERS)])
      for at, x in ((0.04 + 0.96 / 255, 0.0438), (0.96 / 255, 0.0038))),
    # messages for each of 255 pairs in a million cycles, at utilisations of 0.05 and 0.255: 2 n rho / (m d)
    (judge_bc, "messages", "", lambda d: {"HOPS": d}, [
        ((8 * 256 / 255,), DIFFERS), *(((1e6 * rho * 2 * 2 / 4 / 255 / many * x,), want) for rho, many, x, want in (
            (0.05, 6000, NEAR, AGREES), (0.05, 6000, FAR, PART), (0.255, 25000, NEAR, PART), (0.255, 25000, FAR, DIFFERS)))]),
    (judge_bc, "channels_16", "", channels, [((17, 9), AGREES), ((16, 9), PART), ((18, 9), PART), ((17, 8), PART), ((17, 10), PART),
                                             ((18, 10), DIFFERS)]),
    *((judge_bc, "hot_place", path, hot_place, [
        ((1.05 * NEAR,), AGREES), ((1.05 * FAR,), DIFFERS), ((NEAR / 1.05,), DIFFERS), ((FAR / 1.05,), AGREES),
        *(((1.05 / (1 + REACH) * x, JITTER), want) for x, want in ((1 - 1e-7, AGREES), (1 + 1e-7, PART))),
        *(((1.05 / (1 - REACH) * x, JITTER), want) for x, want in ((1 - 1e-7, PART), (1 + 1e-7, DIFFERS)))])
      for path in ("e-cube", "negative-hop")),
    (judge_bc, "hot_best", "north-last", hot_best, [((FAR, FAR), AGREES), ((NEAR, NEAR), DIFFERS), ((FAR, NEAR), PART), ((NEAR, FAR), PART),
                                                    ((1, FAR), PART), ((FAR, 1), PART), ((1, 1), PART),
                                                    ((NEAR, 1), DIFFERS), ((1, NEAR), DIFFERS), ((FAR, 1, 0), DIFFERS)]),
    *((judge_bc_classes, "store_and_forward", algorithm, classes, [
        (("",), AGREES), *(((spoilt,), DIFFERS) for spoilt in ("circle", "class more", "class less", "stuck", "one done")),
        (("one stuck",), AGREES), (("loose stuck",), loose)])
      for algorithm, loose in (("positive-hop", DIFFERS), ("negative-hop", AGREES))),
    (judge_bc_classes, "odd_sides", "", classes, [(("",), AGREES), (("class less",), AGREES),
                                                  *(((spoilt,), DIFFERS) for spoilt in ("circle", "class more", "stuck", "one done")),
                                                  (("one stuck",), AGREES)]),
    (judge_bc_classes, "cut_through", "", cut_through, [((NEAR, FAR), AGREES), ((1, FAR), DIFFERS), ((NEAR, 1), DIFFERS)]),
    *((judge_gg, name, "", figure_3, [
        ((99.0, "85 %", "256"), good),
        *(((x, share, of), want) for share, of in (("80 %", "1024, L = 16"), ("70 %", "1024, L = 64"), ("80 %", "256"),
                                               ("10 %", "16"), ("10 %", "1024, L = 16"))
          for x, want in ((limit * NEAR, good), (limit, DIFFERS), (-limit * NEAR, good), (-limit, DIFFERS)))])
      for name, limit, good in (("all_sizes", 10.0, PART), ("all_lengths", 10.0, PART), ("wide_range", 5.0, AGREES))),
    *((judge_gg, name, "", lambda changed, option=option: ablated(option, changed), [
        (({share: pair},), want) for share, pairs in (
            *((share, (((1, FAR), AGREES), ((-1, FAR), AGREES), ((1, -FAR), AGREES), ((1, 1), DIFFERS), ((1, -1), DIFFERS), ((-1, 1), DIFFERS)))
              for share in (50.0, 70.0, 80.0)),
            *((share, (((1, 1), AGREES), ((1, NEAR), PART), ((-1, NEAR), PART), ((1, -NEAR), PART), ((1, math.inf), AGREES)))
              for share in (90.0, 95.0))) for pair, want in pairs])
      for name, option in (("without_corrections", {"double": 1}), ("one_server", {"servers": 1}), ("without_blocking", {"blocking": False}))),
    (judge_gg, "variance", "", variation, [((share, c, x), want) for share in (50.0, 80.0, 95.0) for c, x, want in (
        (-1, 4.0, AGREES), (-1, 4 * FAR, PART), (-1, -4 * FAR, PART), (0, 3.0, AGREES), (0, -3 * NEAR, PART), (1, -3.0, AGREES),
        (1, 3 * NEAR, PART))] + [((60.0, -1, 9.0), AGREES)]),
    *((judge_gg, name, "", lambda x, shares, which=which, column=column, plus=plus: of_model(which, column, plus, x, shares), [
        ((1.05 * NEAR, (0.3,)), AGREES), ((1.05 * FAR, (0.3,)), PART), ((0.95 * FAR, (0.9,)), AGREES), ((0.95 * NEAR, (0.9,)), PART),
        ((1.05 * FAR, (0.3, 0.5, 0.7, 0.8, 0.9)), DIFFERS)])
      for name, which, column, plus in (("source_wait", "source_wait", "source_wait_mean", 0), ("injection_service", "service", "blocked_mean", 32))),
    (judge_gg, "rates", "", rates, [((way, level, x), want) for way, level in itertools.product(("up", "down"), (1, 2, 3))
                                    for x, want in ((3.3 - 1e-5, AGREES), (3.3 + 1e-5, DIFFERS), (-3.3 + 1e-5, AGREES), (-3.3 - 1e-5, DIFFERS))]),
    (judge_gg_general, "links_alike", "", spread_links, [((2.6 * NEAR,), AGREES), ((2.6 * FAR,), DIFFERS)])]


@pytest.mark.parametrize("module, name, words, reads, cases", CASES, ids=[f"{row[1]} {row[2]}".strip() for row in CASES])
def test_verdicts(module: ModuleType, name: str, words: str, reads: Callable[..., Patches], cases: list[Any],
                  monkeypatch: pytest.MonkeyPatch) -> None:
    for how, want in cases:
        with monkeypatch.context() as patch:
            for attribute, stands_in in reads(*how).items():
                if "." in attribute:
                    patch.setattr(attribute, stands_in)
                else:
                    patch.setattr(module, attribute, stands_in, raising=attribute not in ("point", "read_point", *BUILTINS))
            assert getattr(module, name)(*words.split()).kind == want, how


def test_all_successes() -> None:
    """Lemma 1 is asked for each s > p tau."""
    more = sum(n - math.floor(fractions.Fraction(p) * n) for n, p in itertools.product((5, 20, 100, 400), ("0.001", "0.01", "0.1", "0.3", "0.7")))
    assert f" {more} values of s" in judge_go.lemma_1().found


@pytest.mark.parametrize("option", [{}, {"double": 1}, {"servers": 1}, {"blocking": False}, {"variation": 0.0}, {"variation": 1.0}], ids=str)
@pytest.mark.parametrize("levels, length, load", [(2, 16, 0.2), (3, 32, 0.11), (5, 64, 0.03)])
def test_parts_left_out(option: Row, levels: int, length: int, load: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """GG's model of the fat-tree, against the general one on the same network: with one server up, half the rate of two,
    no chance that none blocks, another variance."""
    channels, hops = judge_gg_general.fat_tree(levels)
    wait = judge_gg_general.hokstad

    def hokstad(servers: int, rate: float, service: float, length: float) -> float:
        if "variation" in option:
            mean = wait(servers, rate, service, service)    # of no variance
            return mean * (1 + option["variation"])
        return wait(servers, rate / (servers if "double" in option else 1), service, length)

    monkeypatch.setattr(judge_gg_general, "hokstad", hokstad)
    if "blocking" in option:
        monkeypatch.setattr(judge_gg_general, "max", lambda least, v: 1.0 if least == 0 else max(least, v), raising=False)
    for channel in channels:
        channel.servers = option.get("servers", channel.servers)
    found = judge_gg.Model(levels, length, load, **option).latency
    assert math.isclose(found, judge_gg_general.solve(channels, length, load, hops), rel_tol=1e-9)
    assert math.isclose(found, judge_gg.Model(levels, length, load).latency, rel_tol=1e-4) == (not option)
