# SPDX-License-Identifier: Apache-2.0
"""judge_gg.py - judgements of the statements of GG (Greenberg and Guan 1997); the list is statements/gg.txt.

The model is written once more here, so that a part of it can be left out; whole, it must give what `fatfly model` gives.
"""

import csv
import functools
import itertools
import math
import os
import tempfile
from typing import Any

from judge_gg_general import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judging import AGREES, DIFFERS, PART, Verdict, point, quick, run, tables, value, verdict
from paper_tools import Value, fatfly, mean_of, over, read_csv, show

CHAPTER = "GG figure 3: simulation and model"
FCFS = "--path rw --scan fcfs --arrivals poisson --depth 2"    # the words of GG 3.1


class Model:
    """Latency, source wait and injection service of GG's equations 12 to 26."""

    def __init__(self, levels: int, length: float, load: float, servers: int = 2, double: int = 2, blocking: bool = True,
                 variation: float | None = None) -> None:
        self.levels, self.length, self.rate = levels, length, load / length
        self.servers, self.double, self.blocking, self.fixed = servers, double, blocking, variation
        downs: list[tuple[float, float]] = []
        for l in range(levels):
            x = length if not l else downs[-1][0] + self.chance(1 - self.flow(l) / self.flow(l - 1) / 4) * downs[-1][1]
            downs.append((x, self.wait(1, self.flow(l), x)))
        above: tuple[float, float] = (0.0, 0.0)
        for l in range(levels, 0, -1):
            up, down = self.up(l), 1 - self.up(l)
            x = (downs[l - 1][0] + self.chance(1 - down / 3) * downs[l - 1][1]) * down
            if l < levels:
                x += (above[0] + self.chance(1 - self.flow(l - 1) / self.flow(l) * up) * above[1]) * up
            above = (x, self.wait(1 if l == 1 else servers, self.flow(l - 1) * (1 if l == 1 or servers == 1 else double), x))
        self.service, self.source_wait = above
        self.latency = self.service + self.source_wait + distance(levels) - 1

    def up(self, l: int) -> float:
        return (4 ** self.levels - 4 ** l) / (4 ** self.levels - 1)

    def flow(self, l: int) -> float:
        return self.rate * self.up(l) * 2 ** l

    def chance(self, p: float) -> float:
        return p if self.blocking else 1.0

    def wait(self, servers: int, rate: float, x: float) -> float:
        """GG 6 and 8."""
        c = ((x - self.length) / x) ** 2 if self.fixed is None else self.fixed
        if not rate * x < servers:
            return math.inf
        if servers == 1:
            return rate * x * x * (1 + c) / 2 / (1 - rate * x)
        return rate ** 2 * x ** 3 * (1 + c) / 2 / (4 - (rate * x) ** 2)


def distance(levels: int) -> float:
    return sum(2 * h * 3 * 4 ** (h - 1) for h in range(1, levels + 1)) / (4 ** levels - 1)


def simulated(length: int) -> dict[float, Value]:
    """Latency by share of saturation in percent, N = 1024, RW, from docs/results.md, whose first table it is."""
    head, *rows = tables(CHAPTER)[0]
    at = head.index(f"L = {length}: ours")
    return {float(r[1].strip(" %")): value(r[at]) for r in rows}


def errors(length: int = 32, **options: Any) -> dict[float, float]:
    """By how many percent such a model is above the simulation, by share of saturation; N = 1024."""
    return {share: over(Value(Model(5, length, share / 100 * saturation_1024(), **options).latency), ours).mean
            for share, ours in simulated(length).items()}


@functools.cache
def saturation_1024() -> float:
    words = ("--nodes", "1024", "--load", "0.01", "--format", "csv")
    return float(read_csv(fatfly("model", *words, quiet=True))[0]["saturation_load"])


SHARES = (50.0, 70.0, 80.0, 90.0, 95.0)


def ablation(**options: Any) -> Verdict:
    whole, part = errors(), errors(**options)
    better = sum(abs(whole[s]) < abs(part[s]) for s in SHARES if s <= 80)
    past = [f"{s:.0f} %" for s in SHARES if s > 80 and abs(whole[s]) > abs(part[s])]
    words = ", ".join(f"{part[s]:+.1f} for {whole[s]:+.1f} %" if math.isfinite(part[s]) else f"saturated for {whole[s]:+.1f} %"
                      for s in SHARES)
    kind = DIFFERS if better < 3 else PART if past else AGREES
    return Verdict(kind, f"model without it above simulation, N = 1024, L = 32, at 50, 70, 80, 90, 95 % of saturation: {words}" + (
        f"; nearer without it at {' and '.join(past)}" if past else ""))


def is_the_model() -> None:
    """The copy here is what fatfly has."""
    for levels, length, share in ((2, 16, 0.3), (5, 32, 0.8), (4, 64, 0.9)):
        load = share * (0.0390 if levels == 5 else 0.0788 if levels == 4 else 0.324)
        row = read_csv(fatfly("model", "--nodes", str(4 ** levels), "--length", str(length), "--load", repr(load), "--format",
                              "csv", quiet=True))[0]
        if abs(Model(levels, length, load).latency / row["latency"] - 1) > 1e-8:
            raise ArithmeticError(f"the copy of GG's model gives {Model(levels, length, load).latency}, fatfly {row['latency']}")


@run
def without_corrections() -> Verdict:
    is_the_model()
    return ablation(double=1)


@run
def one_server() -> Verdict:
    is_the_model()
    return ablation(servers=1)


@run
def without_blocking() -> Verdict:
    is_the_model()
    return ablation(blocking=False)


@run
def variance() -> Verdict:
    is_the_model()
    found = {"GG": errors(), "C² = 0": errors(variation=0.0), "C² = 1": errors(variation=1.0)}
    words = "; ".join(f"{k} {', '.join(f'{v[s]:+.1f}' for s in SHARES)}" for k, v in found.items())
    best = all(abs(found["GG"][s]) == min(abs(v[s]) for v in found.values()) for s in SHARES)
    return Verdict(AGREES if best else PART, f"model above simulation in %, N = 1024, L = 32, at 50, 70, 80, 90, 95 % of saturation: {words}")


# -- docs/results.md --------------------------------------------------------------------------------


def by_share(which: str) -> Verdict:
    """Errors of N = 16 to 256 and of N = 1024 under RW, most of them up to a share."""
    full, alone = tables(CHAPTER)[0], tables(CHAPTER)[2]
    found: dict[str, list[float]] = {}
    for r in alone[1:]:
        if r[1] == "RW":
            found.setdefault(r[0], []).extend(value(c).mean for c in r[2:])
    for r in full[1:]:
        found.setdefault(r[1], []).extend(value(r[k]).mean for k in range(2, len(r)) if full[0][k].endswith("error"))
    most = {float(s.strip(" %")): max(abs(v) for v in values) for s, values in found.items()}
    words = "; ".join(f"up to {s:.0f} %: {max(v for t, v in most.items() if t <= s):.1f} %" for s in (70, 80, 90, 95))
    low = max(v for t, v in most.items() if t <= 80)
    if which == "wide":
        return Verdict(AGREES if low < 5 else DIFFERS, f"largest error of 12 curves by share of saturation, RW, {words}")
    return Verdict(PART if low < 10 else DIFFERS, f"largest error by share of saturation, RW, {words}")


@quick
def all_sizes() -> Verdict:
    return by_share("sizes")


@quick
def all_lengths() -> Verdict:
    return by_share("lengths")


@quick
def wide_range() -> Verdict:
    return by_share("wide")


# -- runs -------------------------------------------------------------------------------------------


def measured(levels: int, length: int, load: float, column: str) -> Value:
    return mean_of([float(point(f"{FCFS} --nodes {4 ** levels} --length {length} --load {load:.6f} --cycles 40000 --runs 1 --seed {s}")[column])
                    for s in range(1, 9)])


@run
def equation_1() -> Verdict:
    """W, blocked cycles and latency are counted each on its own."""
    worst = 0.0
    for levels, length, share in itertools.product((2, 3), (16, 64), (0.3, 0.8)):
        load = share * (0.32421 if levels == 2 else 0.15986)
        got = {c: measured(levels, length, load, c).mean for c in ("latency_mean", "source_wait_mean", "blocked_mean")}
        want = got["source_wait_mean"] + length + got["blocked_mean"] + distance(levels) - 1
        worst = max(worst, abs(got["latency_mean"] / want - 1))
    return Verdict(AGREES if worst < 0.005 else DIFFERS, "x is L and the cycles in which a head in the network is blocked: at most "
                   f"{100 * worst:.2f} % off, N = 16 and 64, L = 16 and 64, 30 and 80 % of saturation")


def against_model(column: str, of: str, plus: float) -> Verdict:
    words, near = [], 0
    shares = (0.3, 0.5, 0.7, 0.8, 0.9)
    for share in shares:
        load = share * 0.0788566
        model = getattr(Model(4, 32, load), of)
        ours = measured(4, 32, load, column)
        ours = Value(ours.mean + plus, ours.half)
        off = over(Value(model), ours)
        near += abs(off.mean) - off.half < 5
        words.append(f"{show(ours)} for {model:.2f}")
    return verdict(near, len(shares), f"N = 256, L = 32, at 30, 50, 70, 80, 90 % of saturation ours {', '.join(words)} of the model")


@run
def source_wait() -> Verdict:
    return against_model("source_wait_mean", "source_wait", 0)


@run
def injection_service() -> Verdict:
    return against_model("blocked_mean", "service", 32)


@run
def rates() -> Verdict:
    """Worms counted at every link."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "links.csv")
        fatfly("run", *FCFS.split(), "--nodes", "256", "--load", "0.04", "--cycles", "200000", "--runs", "1", "--links", path,
               quiet=True)
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    sums: dict[tuple[str, int], int] = {}
    for r in rows:
        key = r["direction"], int(r["level"])
        sums[key] = sums.get(key, 0) + int(r["worms"])
    every = sums["up", 0]
    off, model = [], Model(4, 32, 0.04)
    for (_, level), count in sums.items():
        p = model.up(level)
        if 0 < p < 1:
            off.append(abs(count - every * p) / math.sqrt(every * p * (1 - p)))
    return Verdict(AGREES if max(off) < 3.3 else DIFFERS, f"{every} worms, N = 256: the {len(off)} levels and directions above the first "
                   f"are at most {max(off):.1f} standard deviations off")
