# SPDX-License-Identifier: Apache-2.0
"""judge_bc.py - judgements of the statements of BC (Boppana and Chalasani 1993); the list is statements/bc.txt."""

import math
import re

from judge_bc_classes import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judge_bc_links import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judging import AGREES, DIFFERS, PART, ROOT, Verdict, counted, point, quick, run, tables, value, verdict
from paper_tools import Value, mean_of, over, show

CHAPTER = "Tori: Boppana and Chalasani"
WITHIN = 0.01    # of a utilisation
RATIO = 0.05    # of a ratio of two utilisations
HOPS = 8 * 256 / 255    # of 16 x 16: two dimensions of 4, of other nodes
TORUS = "--topology torus --nodes 256 --length 4 --depth 4 --injection per-channel"


def saturations() -> dict[tuple[str, str], tuple[float, float]]:
    """Algorithm and traffic: BC's utilisation at saturation, and ours."""
    return {(r[0], r[1]): (float(r[2]), float(r[3])) for r in tables(CHAPTER)[0][1:]}


EDGES = {"uniform traffic": "uniform", "the hot spot": "4 % to (15, 15)"}


def rising() -> set[tuple[str, str]]:
    """Algorithms and traffic of which docs/results.md says that utilisation still rises at the last load."""
    text = next(line for line in (ROOT / "docs/results.md").read_text().splitlines() if re.search(r" of \d+ are within ", line))
    return {(path, EDGES[traffic]) for path, traffic in re.findall(r"([\w-]+) under (uniform traffic|the hot spot) \(", text)}


def at_the_edge(found: Verdict, traffic: str, *paths: str) -> Verdict:
    """That a maximum at the last load offered agrees decides nothing."""
    on = [path for path in paths if (path, traffic) in rising() and found.kind != DIFFERS]
    return Verdict(PART, f"{found.found}; undecided: {', '.join(on)} still rises at the last load offered") if on else found


@quick
def saturates(path: str, *traffic: str) -> Verdict:
    theirs, ours = saturations()[path, " ".join(traffic)]
    off = ours - theirs
    return at_the_edge(Verdict(AGREES if abs(off) <= WITHIN else DIFFERS, f"{ours:.3f}, {off:+.3f}"), " ".join(traffic), path)


@quick
def percent(path: str, other: str, *words: str) -> Verdict:
    """BC's percentage; their own two figures may say another."""
    traffic, said = " ".join(words[:-1]), float(words[-1])
    found = saturations()
    theirs, ours = (100 * (found[path, traffic][k] / found[other, traffic][k] - 1) for k in (0, 1))
    off = (100 + ours) / (100 + said) - 1
    return at_the_edge(Verdict(AGREES if abs(off) <= RATIO else DIFFERS,
                               f"{ours:+.0f} %: the ratio is {100 * off:+.1f} % off; BC's own figures make {theirs:+.0f} %"), traffic, path, other)


@quick
def lower_hot() -> Verdict:
    found = saturations()
    pairs = [(path, found[path, "uniform"][1], hot[1]) for (path, traffic), hot in found.items() if traffic != "uniform"]
    return at_the_edge(verdict(sum(hot < even for _, even, hot in pairs), len(pairs),
                               "; ".join(f"{path} {hot:.3f} for {even:.3f}" for path, even, hot in pairs)),
                       EDGES["the hot spot"], *(path for path, _, _ in pairs))    # uniform traffic that rises makes it no less true


def said(begin: str) -> str:
    """Ours beside what BC say, in the chapter's second table."""
    return next(r[1] for r in tables(CHAPTER)[1] if r[0].startswith(begin))


@quick
def north_last_low() -> Verdict:
    ours = said("north-last is slightly faster").partition(": ")[2]
    gains = [float(x.strip(" %")) for x in ours.split(",")]
    return verdict(sum(g > 0 for g in gains), len(gains), f"faster at 0.05, 0.08 and 0.11 by {ours}")


@quick
def below_four() -> Verdict:
    ours = said("north-last is slightly faster").partition(": ")[2]
    gains = [float(x.strip(" %")) for x in ours.split(",")]
    return verdict(sum(g < 4 for g in gains), len(gains), f"at 0.05, 0.08 and 0.11: {ours}")


@quick
def four_and_a_half() -> Verdict:
    ours = value(said("at low loads negative-hop"))
    return Verdict(AGREES if abs(ours.mean / 4.5 - 1) < 0.05 else DIFFERS, f"{ours.mean:.2f} ± {ours.half:.2f} times")


def crossed(text: str) -> list[tuple[float, bool]]:
    """From which utilisation on negative-hop is faster than e-cube and than north-last; True: the other's curve ends there."""
    found = []
    for name in ("e-cube", "north-last"):
        on = re.search(rf"negative-hop is (faster than {name} from a utilisation of |the faster one beyond the last point of {name} \()([\d.]+)", text)
        if not on:
            raise LookupError(f"docs/results.md does not say from where on negative-hop is faster than {name}")
        found.append((float(on[2]), on[1][0] == "t"))
    return found


@quick
def moderate() -> Verdict:
    at = crossed((ROOT / "docs/results.md").read_text())
    words = [f"{x} on" if not ends else f"{x} on, where its curve ends" for x, ends in at]
    return verdict(sum(x < 0.2 for x, _ in at), 2, f"faster than e-cube from {words[0]}, than north-last from {words[1]}")


def in_order(rows: list[list[str]]) -> int:
    """So many rows of e-cube, north-last, negative-hop (last three cells) are in BC's order."""
    return sum(float(r[-1]) > float(r[-3]) > float(r[-2]) for r in rows)


@quick
def other_lengths() -> Verdict:
    rows = tables("Longer messages, and 10 x 10")[0][1:]
    return verdict(in_order(rows), len(rows), f"the order of the three is the same in {in_order(rows)} of {len(rows)}; BC "
                   "give no numbers")


@quick
def on_demand() -> Verdict:
    rows = {r[0]: r[-1] for r in tables("What BC leave open")[0][1:]}
    three = [rows[p] for p in ("e-cube", "north-last", "negative-hop")]
    return verdict(in_order([three]), 1, "reached: negative-hop at least {2}, more was not offered; e-cube {0}, north-last {1}".format(*three))


# -- arithmetic -------------------------------------------------------------------------------------


def negative_hop_channels(k: int, n: int) -> int:
    return -(-(n * (k // 2)) // 2) + 1


def fewer(limit: str) -> tuple[dict[int, int], list[str]]:
    """For n = 2 .. 8, the first even k for which negative-hop does not need fewer."""
    first: dict[int, int] = {}
    for n in range(2, 9):
        other = (n + 1) * 2 ** (n - 1) if limit == "linder" else 10 * (n - 1) + 6
        first[n] = next(k for k in range(2, 100000, 2) if negative_hop_channels(k, n) >= other)
    return first, [f"k < {k} for n = {n}" for n, k in first.items() if n <= 4]


@counted
def berman() -> Verdict:
    first, words = fewer("berman")
    kind = AGREES if all(k > 40 for k in first.values()) else PART
    return Verdict(kind, f"true for {'; '.join(words)}, and k < {first[8]} for n = 8: k < 40 - 20/n")


@counted
def linder_harden() -> Verdict:
    first, words = fewer("linder")
    exact = all(k == math.ceil(((n + 1) / n * 2 ** (n + 1) - 4 / n) / 2) * 2 for n, k in first.items())
    return Verdict(PART if exact else DIFFERS, f"{'; '.join(words)}: k < (n + 1)/n 2^(n+1) - 4/n. The example, 20, is right, "
                   "the formula says 21.3")


@counted
def mean_hops() -> Verdict:
    one = sum(min(d, 16 - d) for d in range(16)) * 16 * 2 / 255
    return Verdict(AGREES if round(one, 2) == 8.03 else DIFFERS, f"{one:.4f}; nk/4 = 8")


@counted
def hot_shares() -> Verdict:
    other = 0.96 / 255
    hot = 0.04 + other
    good = (round(hot, 4), round(other, 4)) == (0.0438, 0.0038)
    return Verdict(AGREES if good else DIFFERS, f"{hot:.5f} and {other:.5f}, {hot / other:.1f} times; of the rounded shares "
                   f"{0.0438 / 0.0038:.1f}")


@counted
def messages() -> Verdict:
    """By equation 1: lambda = rho 2 n / (m d).  BC: for each pair at least 6,000, as many as 25,000 at high rates."""
    each = [1e6 * rho * 4 / (4 * HOPS) for rho in (0.05, 0.2, 0.255)]
    return verdict((each[0] / 255 >= 6000) + (each[-1] / 255 >= 25000), 2, "at utilisations of 0.05, 0.2 and 0.255 a source sends "
                   f"{each[0]:.0f}, {each[1]:.0f} and {each[2]:.0f}: BC's numbers are those of a source, {255} times those of a pair")


# -- runs -------------------------------------------------------------------------------------------


@run
def channels_16() -> Verdict:
    found = {p: int(point(f"--topology torus --nodes 256 --length 4 --path {p} --load 0.001 --cycles 1000 --warmup 0")["vcs"])
             for p in ("positive-hop", "negative-hop")}
    return verdict(sum((found["positive-hop"] == 17, found["negative-hop"] == 9)), 2,
                   f"positive-hop {found['positive-hop']}, negative-hop {found['negative-hop']}")


@run
def equation_1() -> Verdict:
    """Utilisation counted link by link against lambda m d / 2n, d of the destinations drawn."""
    off = []
    for load in (0.01, 0.05):
        for path in ("e-cube", "negative-hop"):
            row = point(f"{TORUS} --path {path} --load {load} --warmup 2000 --cycles 100000")
            off.append(row["utilisation"] / (row["accepted_load"] * HOPS / 4) - 1)
    most = max(abs(x) for x in off)
    return Verdict(AGREES if most < 0.01 else DIFFERS, f"counted link by link: at most {100 * most:.1f} % off in 4 runs of "
                   "100,000 cycles")


@run
def latency_formula() -> Verdict:
    """Nearly without load, where w is nearly 0."""
    words, good = [], 0
    for path, channels in (("e-cube", 2), ("negative-hop", 9)):
        row = point(f"{TORUS} --path {path} --load 0.0005 --warmup 2000 --cycles 200000")
        want = (4 + HOPS - 1) * channels
        good += abs(row["latency_mean"] - want) <= row["latency_ci99"] + 0.01 * want
        words.append(f"{path}, V = {channels}: {row['latency_mean']:.2f} ± {row['latency_ci99']:.2f} for {want:.2f}")
    return verdict(good, 2, "at a load of 0.0005 " + "; ".join(words))


PLACES = {"(15, 15)": 255, "(7, 7)": 119, "(0, 0)": 0, "(15, 7)": 127}


# Loads about what BC's saturation needs; measured cycles of the runs at the best of them, and those before.
HOT = {"negative-hop": ((0.09, 0.1, 0.11, 0.12), 60000, 20000), "e-cube": ((0.04, 0.045, 0.05, 0.055, 0.06), 200000, 50000),
       "north-last": ((0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1), 200000, 50000)}
WHOLE = 0.98    # of what is offered: carried whole
SEEDS = ((2, 3, 4), range(2, 12))    # of the runs at one load, and of those where three are wide; seed 1 chooses the load
WIDE = 0.05    # half an interval, as a share of the mean


def hot_run(torus: str, path: str, node: int, load: float, measured: int, before: int, seed: int) -> dict:
    return point(f"{torus} --path {path} --pattern hotspot --hotspot 0.04 --hotspot-node {node} --whole --load {load} "
                 f"--warmup {before} --cycles {measured} --runs 1 --seed {seed}")


class Runs(Value):
    """Utilisation of long runs at one load: their mean, its 99 % interval, and how far they reach."""

    def __init__(self, found: list[float]) -> None:
        mean = mean_of(found)
        super().__init__(mean.mean, mean.half)
        self.found = found

    def shown(self) -> str:
        """With the reach where there are ten."""
        many = len(self.found) > len(SEEDS[0])
        return show(self, places=4) + (f" (ten runs, {min(self.found):.3f} to {max(self.found):.3f})" if many else "")


def several(torus: str, path: str, node: int, load: float, part: int = 1) -> Runs:
    """Three runs, or ten: of some loads a run is carried whole or collapses, by chance, and three do not say how often."""
    _, cycles, before = HOT[path]
    runs = Runs([0.0, 0.0])
    for seeds in SEEDS:
        runs = Runs([float(hot_run(torus, path, node, load, cycles // part, before // part, seed)["utilisation"]) for seed in seeds])
        if runs.half <= WIDE * runs.mean:
            break
    return runs


def placed(found: dict[str, Runs]) -> str:
    return ", ".join(f"{v.shown()} at {p}" for p, v in found.items())


def alike(torus: str, path: str, part: int = 1) -> tuple[str, dict[str, Runs], Value]:
    """The most carried at any load: are no two places more than 5 % apart?  One short run a load says at which.

    part: runs of so small a part of HOT's cycles.
    """
    found = {}
    for place, node in PLACES.items():
        _, load = max((float(hot_run(torus, path, node, load, 40000, 20000, 1)["utilisation"]), load)
                      for load in HOT[path][0])
        found[place] = several(torus, path, node, load, part)
    spread = over(max(found.values(), key=lambda v: v.mean), min(found.values(), key=lambda v: v.mean))
    return AGREES if spread.high < 5 else DIFFERS if spread.low > 5 else PART, found, spread


@run
def hot_place(path: str) -> Verdict:
    kind, found, spread = alike(TORUS, path)
    loads, cycles, _ = HOT[path]
    return Verdict(kind, f"{placed(found)}: three runs of {cycles:,} cycles at the best load of {loads[0]} to {loads[-1]}; "
                   f"{show(spread, ' %', 1)} apart")


def best_at(found: dict[str, Runs], place: str) -> str:
    """Is this place above all others?  PART: within 99 % it is not told."""
    here, rest = found[place], [v for p, v in found.items() if p != place]
    return AGREES if all(here.low > v.high for v in rest) else DIFFERS if any(v.low > here.high for v in rest) else PART


def best(torus: str, path: str, part: int = 1) -> tuple[str, dict[str, Runs], dict[str, Runs]]:
    """Is (15, 15) above all other places beyond chance, in the most that is carried whole, and in the most at any load?"""
    loads, cycles, warmup = HOT[path][0], HOT[path][1] // part, HOT[path][2] // part
    whole: dict[str, Runs] = {}
    most: dict[str, Runs] = {}
    for place, node in PLACES.items():
        rows = {load: hot_run(torus, path, node, load, cycles, warmup, 1) for load in loads}
        able = [load for load, row in rows.items() if row["accepted_load"] >= WHOLE * load]
        whole[place] = several(torus, path, node, max(able), part) if able else Runs([0.0, 0.0])
        _, highest = max((float(row["utilisation"]), load) for load, row in rows.items())
        most[place] = several(torus, path, node, highest, part)
    told = {best_at(found, "(15, 15)") for found in (whole, most)}
    return AGREES if told == {AGREES} else DIFFERS if DIFFERS in told and AGREES not in told else PART, whole, most


@run
def hot_best(path: str) -> Verdict:
    kind, whole, most = best(TORUS, path)
    loads, cycles, _ = HOT[path]
    return Verdict(kind, f"at the highest load of {loads[0]} to {loads[-1]} that is carried whole {placed(whole)}; most at any of "
                   f"them {placed(most)}; three runs of {cycles:,} cycles each")
