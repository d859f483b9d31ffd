# SPDX-License-Identifier: Apache-2.0
"""judge_go.py - judgements of the statements of GO's sections II and III.A (Greenberg and Oh 1997), and those of
judge_go_fat_trees.py; the list is statements/go.txt.
"""

import collections
import itertools
import math
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from judge_go_delays import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judge_go_fat_trees import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judging import AGREES, DIFFERS, PART, Verdict, bounded, counted, growth, last, point, run, span, undecided, verdict
from paper_tools import Value, fatfly, show

THEIR_K = 32 * math.e
# Instances of GO II: paths that are drawn before a worm starts.
NETWORKS = [f"--path fp --nodes {n}" for n in (64, 256, 1024)] + [
    "--topology torus --radix 16 --bandwidth on-demand", "--topology butterfly --nodes 256 --bandwidth on-demand"]
SEEDS = range(1, 6)


# -- II: lemmas -------------------------------------------------------------------------------------


@counted
def lemma_1() -> Verdict:
    cases = wrong = 0
    for trials, p in itertools.product((5, 20, 100, 400), (0.001, 0.01, 0.1, 0.3, 0.7)):
        tail = 0.0
        for s in range(trials, math.floor(p * trials), -1):
            tail += math.comb(trials, s) * p ** s * (1 - p) ** (trials - s)
            cases += 1
            wrong += tail > (math.e * p * trials / s) ** s * (1 + 1e-9)
    return verdict(cases - wrong, cases, f"exact tails of 20 binomials, {cases} values of s")


def recursion(length: int, c: int, k: float) -> Callable[[int, int], float]:
    """Lemma 2's proof, its inequalities taken as equal: P(x, y)."""
    known: dict[tuple[int, int], float] = {}

    def most(x: int, y: int) -> float:
        if x <= 0:
            return 1.0
        if y <= 0:
            return 0.0
        if (x, y) not in known:
            rest = y - length if y > length else y
            known[x, y] = (most(x, rest) if y > length else 0.0) + math.fsum(
                (math.e / k) ** i * most(x - i, rest + i * length) for i in range(1, c * length + 1))
        return known[x, y]
    return most


def latencies(command: str) -> collections.Counter[int]:
    """How many worms had which latency."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "latencies.csv")
        fatfly("run", *command.split(), "--histogram", path, "--format", "csv", quiet=True)
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:]]
    return collections.Counter({int(a): int(b) for a, b in rows})


class Phases:
    """Algorithm A on one instance, with GO's own number and length of phases."""

    def __init__(self, network: str, length: int, seed: int, options: str = "") -> None:
        self.options = f"{network} --discipline phased --length {length} --seed {seed} --runs 1 {options}"
        row = point(self.options + " --phases 1 --phase-length 1")
        self.c, self.d, self.p = row["congestion_mean"], row["dilation"], row["measured"]
        self.length, self.eta = length, min(row["dilation"], length)

    @property
    def phase(self) -> int:
        """T of theorem 4."""
        return math.ceil(2 * self.d + self.length * math.log2(self.p))

    def command(self, k: float, phase: int, eta: float = 0) -> str:
        count = max(1, math.ceil(k * self.c * (eta or self.eta)))
        return f"{self.options} --phases {count} --phase-length {phase}"

    def runs(self, k: float, phase: int, eta: float = 0) -> dict:
        return point(self.command(k, phase, eta))


def instances(lengths: tuple[int, ...], long: bool, options: str = "") -> Iterator[Phases]:
    """Those with L > d if long, else those with L <= d; scans are the fat-tree's."""
    for network, length, seed in itertools.product(NETWORKS[:3] if "--scan" in options else NETWORKS, lengths, SEEDS):
        found = Phases(network, length, seed, options)
        if (length > found.d) == long:
            yield found


@run
def lemma_2() -> Verdict:
    """The recursion of its proof; then the worms of Algorithm A by how many others delay them."""
    cases = wrong = 0
    for length, c, k in itertools.product((2, 4), (1, 3, 10), (8 * math.e, THEIR_K)):
        most = recursion(length, c, k)
        for x, y in itertools.product(range(1, 9), range(1, 5 * length)):
            cases += 1
            wrong += most(x, y) > math.sqrt(k / 2 / math.e) ** -(x - y / length) * (1 + 1e-9)
    every = list(instances((4, 6), False))
    worst, words = late_by([i.command(8 * math.e, i.phase, i.length) for i in every], [round(i.p) for i in every], 8 * math.e, [(i.d, i.length) for i in every])
    return Verdict(DIFFERS if wrong or worst > 1 else AGREES, f"of {sum(i.p for i in every):.0f} worms with k = 8e so many are delayed by so many others: {words}; the share is at most {worst:.2f} of the "
                   f"bound, or of 1; the recursion of its proof stays below in {cases - wrong} of {cases} cases")


@run
def lemma_3() -> Verdict:
    """Worms by their latency against the bound, at k' = 2 and 4, kcL phases."""
    words, worst = [], 0.0
    for k in (8 * math.e, THEIR_K):
        worms = reached = 0
        for i in instances((4, 6), False):
            found = latencies(i.command(k, i.phase, i.length))
            worms += found.total()
            reached += sum(n for t, n in found.items() if t >= 2 * i.d)
            for at in found:
                z = (at - 2 * i.d) / i.length
                share = sum(n for t, n in found.items() if t >= at) / found.total()
                if z > 0:
                    worst = max(worst, share * math.sqrt(k / 2 / math.e) ** z)
        words.append(f"k = {k / math.e:.0f}e: {reached} of {worms} worms need 2d or more")
    return Verdict(AGREES if worst <= 1 else DIFFERS,
                   "; ".join(words) + f"; the share that needs 2d + Lz is at most {worst:.3f} of the bound")


def missed(every: list[Phases], k: float) -> tuple[int, float]:
    """Runs in which a worm is not delivered in its phase of T, and the longest latency as a share of T."""
    rows = [(i, i.runs(k, i.phase)["latency_max"]) for i in every]
    return sum(worst > i.phase for i, worst in rows), max(worst / i.phase for i, worst in rows)


def theorem_4(lengths: tuple[int, ...], long: bool, options: str = "") -> Verdict:
    every = list(instances(lengths, long, options))
    late, most = missed(every, THEIR_K)
    few, more = missed(every, 2)
    return Verdict(DIFFERS if late else AGREES, f"a worm is late in {late} of {len(every)} runs, the slowest takes {100 * most:.0f} % of "
                   f"T; with k = 2 late in {few}, {100 * more:.0f} %")


@run
def theorem_4_short() -> Verdict:
    return theorem_4((2, 4, 6), False)


@run
def theorem_4_long() -> Verdict:
    return theorem_4((32, 64, 128), True)


@run
def one_flit_fixed_order() -> Verdict:
    found = theorem_4((2, 4, 6), False, "--depth 1 --scan fo")
    return Verdict(found.kind, f"theorem 4 with q = 1 and FO: {found.found}; here a queue of one passes a flit every second cycle")


@run
def any_power() -> Verdict:
    """Lemma 3's share of worms that are z worms late falls at least as k^(-z/2); with z = log2 P that is P^(-log2(k)/2), any power."""
    factors = {1: (1, 2, 4, 8, 16), 2: (0.125, 0.25, 0.5, 1, 2), 3: (0.125, 0.25, 0.5, 1)}
    late: dict[tuple[int, float], int] = collections.Counter()
    worms = 0
    for k, seed in itertools.product(sorted(set().union(*factors.values())), range(1, 11)):
        i = Phases("--path fp --nodes 1024", 4, seed)
        found = latencies(i.command(k, i.phase))
        worms = found.total() * 10
        for z in factors:
            late[z, k] += sum(n for t, n in found.items() if t >= i.d + i.length - 1 + z * i.length)
    words, good = [], 0
    for z, every in factors.items():
        slope = growth(every, [late[z, k] for k in every])
        good += slope.mean <= -z / 2
        words.append(f"{z}: k = {every[0]} to {every[-1]} {late[z, every[0]]} to {late[z, every[-1]]}, as k^{show(slope, places=1)}")
    return verdict(good, len(factors), f"fat-tree, N = 1024, L = 4, of {worms} worms those that need so many worms' lengths more than alone: {'; '.join(words)}; the "
                   "bound falls as k^(-z/2), which with z = log P is a power of 1/P that grows with k; failures themselves are too rare to count")


@run
def theorem_4_time() -> Verdict:
    """Last arrival against the term, GO's k and T, both cases."""
    words, fits = [], []
    for k, name in ((2, "k = 2"), (THEIR_K, "k = 32e")):
        terms, took = [], []
        for i in itertools.chain(instances((2, 4, 6), False), instances((32, 64), True)):
            terms.append(i.c * i.d * i.eta + i.c * i.length * i.eta * math.log2(i.p))
            took.append(i.runs(k, i.phase)["last_arrival_mean"])
        fits.append(growth(terms, took))
        words.append(f"{name}: {span(b / a for a, b in zip(terms, took))} times the term, exponent {show(fits[-1], places=3)}")
    return Verdict(AGREES if all(map(bounded, fits)) else DIFFERS, "; ".join(words))


@run
def theorem_5() -> Verdict:
    """All passes until every worm arrives in its phase: T0 = 2(d + L), 2 T0, .."""
    terms, took, again, count = [], [], 0, 0
    for i in itertools.chain(instances((2, 4, 6), False), instances((32, 64), True)):
        phase, total, passes = round(2 * (i.d + i.length)), 0.0, 0
        while True:
            row = i.runs(THEIR_K, phase)
            passes += 1
            if row["latency_max"] <= phase:
                break
            total += math.ceil(THEIR_K * i.c * i.eta) * phase
            phase *= 2
        again += passes > 1
        count += 1
        terms.append(i.c * i.d * i.length)
        took.append(total + row["last_arrival_mean"])
    p = growth(terms, took)
    return Verdict(AGREES if bounded(p) else DIFFERS, f"a second pass in {again} of {count} runs; "
                   f"{span((b / a for a, b in zip(terms, took)), 0)} times cdL, exponent {show(p, places=2)}")


@counted
def passes_double() -> Verdict:
    """Phases of T0, 2 T0, .. up to the first that is long enough."""
    worst = max(sum(2 ** k for k in range(last + 1)) / 2 ** last for last in range(40))
    return Verdict(AGREES if worst < 2 else DIFFERS, "1 + 1/2 + 1/4 + ..: all passes take less than twice the last one; it is up to twice as long as would do")


@counted
def time_per_phase() -> Verdict:
    total = math.fsum(z * 0.25 ** z for z in range(60))
    return Verdict(AGREES if total < 1 else DIFFERS, f"the sum of z / 4^z is {total:.4f}, so {total:.2f} (d + L)")


@run
def corollary_6() -> Verdict:
    """On the fat-tree d = log2 N = log2 P; how the ratio goes with N, L by L."""
    ratios, words, late, fits = [], [], 0, []
    for length in (4, 6, 32, 64):
        terms, took = [], []
        for nodes, seed in itertools.product((64, 256, 1024, 4096), SEEDS):
            i = Phases(f"--path fp --nodes {nodes}", length, seed)
            row = i.runs(THEIR_K, i.phase)
            late += row["latency_max"] > i.phase
            late += row["last_arrival_mean"] > (math.ceil(THEIR_K * i.c * i.eta) + 1) * i.phase
            terms.append(i.c * length * math.log2(i.p) ** 2)
            took.append(row["last_arrival_mean"])
        ratios += [b / a for a, b in zip(terms, took)]
        fits.append(growth(terms, took))
        words.append(f"L = {length}: {show(fits[-1], places=2)}")
    return Verdict(DIFFERS if late else AGREES, f"fat-tree, N = 64 to 4096, GO's phases, which are at most 32e (1 + 2/L) terms: no worm is "
                   f"late, {span(ratios, 0)} times the term, exponents {', '.join(words)}")


@run
def lower_bounds(which: str) -> Verdict:
    """Run by run; packets of SPLIT are flits."""
    runs = short = 0
    closest = math.inf
    for nodes, pattern, how, seed in itertools.product((16, 256, 1024), ("random", "complement", "many-to-1"),
                                                       ("worm", "store", "split"), range(1, 11)):
        row = point(f"--nodes {nodes} --pattern {pattern} --discipline {how} --seed {seed} --runs 1")
        least = row["dilation"] if which == "d" else row["congestion_mean"] * (1 if how == "split" else 32)
        runs += 1
        short += row["last_arrival_mean"] < least
        closest = min(closest, row["last_arrival_mean"] / least)
    return Verdict(DIFFERS if short else AGREES, f"{short} of {runs} runs of WORM, STORE and SPLIT are faster than {which}; the fastest "
                   f"takes {closest:.3f} of it")


# -- III.A ------------------------------------------------------------------------------------------


@run
def load_factor() -> Verdict:
    """Paths drawn at random; the largest ratio by size."""
    ratios = []
    for levels in range(2, 8):
        rows = [point(f"--nodes {4 ** levels} --path fp --pattern {pattern} --length 1 --runs 5") for pattern in
                ("random", "complement", "transpose", "bit-reversal", "random-permutation")]
        ratios.append(max(r["congestion_mean"] / (r["load_factor"] + 2 * levels) for r in rows))
    steps = [b - a for a, b in zip(ratios, ratios[1:])]
    return Verdict(AGREES if max(ratios) < 2 and steps[-1] <= max(steps) / 2 else DIFFERS, "paths drawn at random, five patterns, levelling "
                   f"off: at most {', '.join(f'{r:.2f}' for r in ratios)} times the term for N = 16, 64, .., 16384")


def ups(level: int, at: int, top: int) -> list[list[tuple[int, int]]]:
    """Ways from switch (level, at) up to level top, by the formula of III.B.1."""
    if level == top:
        return [[(level, at)]]
    base = at // 2 ** (level + 1) * 2 ** level
    return [[(level, at)] + way for parent in (base + at % 2 ** level, base + (at + 2 ** (level - 1)) % 2 ** level)
            for way in ups(level + 1, parent, top)]


def shortest(levels: int) -> list[list[Any]]:
    """All shortest paths of a fat-tree, as lists of directed links."""
    found = []
    for a, b in itertools.permutations(range(4 ** levels), 2):
        top = next(l for l in range(1, levels + 1) if a >> 2 * l == b >> 2 * l)
        for up in ups(1, a // 4, top):
            downs = [way for way in ups(1, b // 4, top) if way[-1] == up[-1]]
            nodes: list[Any] = [("leaf", a), *up, *downs[0][-2::-1], ("leaf", b)]
            found.append(list(zip(nodes, nodes[1:])))
    return found


def sequences(one: list, other: list) -> int:
    """How many contiguous sequences of links the two have in common."""
    place = {link: k for k, link in enumerate(other)}
    shared = [place[link] if link in place else None for link in one]
    return sum(k is not None and (not j or shared[j - 1] is None or shared[j - 1] != k - 1) for j, k in enumerate(shared))


@run
def two_sequences() -> Verdict:
    small, large = shortest(2), shortest(3)
    draw = random.Random(1)
    every = max(sequences(a, b) for a, b in itertools.combinations(small, 2))
    drawn = max(sequences(*draw.sample(large, 2)) for _ in range(300000))
    return Verdict(AGREES if max(every, drawn) <= 2 else DIFFERS, f"at most {every} for all pairs of the {len(small)} paths of N = 16, "
                   f"{drawn} for 300,000 pairs of N = 64")


def torus_steps(levels: int, folder: str) -> list[str]:
    """A step of a torus of 2^levels a side: files of the four neighbours, processors in shuffled row-major order."""
    side = 2 ** levels

    def place(x: int, y: int) -> int:
        return sum((x >> k & 1) << 2 * k | (y >> k & 1) << 2 * k + 1 for k in range(levels))

    files = []
    for dx, dy in ((1, 0), (side - 1, 0), (0, 1), (0, side - 1)):
        to = {place(x, y): place((x + dx) % side, (y + dy) % side) for x in range(side) for y in range(side)}
        files.append(os.path.join(folder, f"{levels}-{dx}-{dy}.txt"))
        with open(files[-1], "w", encoding="utf-8") as out:
            out.write("".join(f"{to[a]}\n" for a in range(side * side)))
    return files


def of_a_torus(options: str, column: str, sizes: range) -> list[float]:
    """The four runs of one step, added up, for each size."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for levels in sizes:
            rows = [point(f"--nodes {4 ** levels} --pattern permutation --permutation {file} --seed 1 {options}")
                    for file in torus_steps(levels, folder)]
            found.append(math.fsum(r[column] for r in rows))
    return found


@run
def lemma_7() -> Verdict:
    """The competing network is a torus of the same number of processors."""
    sizes = range(2, 9)
    found = of_a_torus("--path fp --length 1 --runs 10", "congestion_mean", sizes)
    p = growth([2 * l for l in sizes], found)
    return Verdict(PART if bounded(p) else DIFFERS, f"for a torus, N = 16 to 65536, four neighbours: c of the four adds up to "
                   f"{span((c / 2 / l for c, l in zip(found, sizes)), 1)} log2 N, exponent {show(p, places=2)}; other networks were not run")


@run
def theorem_8() -> Verdict:
    sizes = range(2, 8)
    found = [t / 32 for t in of_a_torus("--length 32 --runs 30", "last_arrival_mean", sizes)]
    p = growth([(2 * l) ** 3 for l in sizes], found)
    return Verdict(PART if bounded(p) else DIFFERS, f"for a torus, N = 16 to 16384, a step of four worms of 32 flits: slowdown "
                   f"{span(found, 1)}, as (log N)^{3 * p.mean:.1f}; other networks were not run")


@run
def stored_step() -> Verdict:
    """GO's [15] is UNIV; a step of the torus is four packets a processor."""
    sizes = range(2, 7)
    found = [t / 32 for t in of_a_torus("--discipline univ --length 32 --runs 10", "last_arrival_mean", sizes)]
    p = growth([2 * l for l in sizes], found)
    return Verdict(PART if bounded(p) else DIFFERS, f"for a torus, N = 16 to 4096, a step of four packets by UNIV, q = 2: slowdown {span(found, 1)}, as (log N)^{show(p, places=2)}; "
                   "as UNIV is here, row 51; other networks were not run")


@run
def flits_of_a_step() -> Verdict:
    """32 packets of a flit each; a flit and its address are two flits."""
    sizes = range(2, 7)
    found = [t / 32 for t in of_a_torus("--discipline univ --length 1 --rounds 32 --runs 5", "last_arrival_mean", sizes)]
    p = growth([2 * l for l in sizes], found)
    return Verdict(PART if bounded(p) else DIFFERS, f"for a torus, N = 16 to 4096, a step of four packets of 32 flits by UNIV, q = 2: slowdown {span(found, 1)}, as (log N)^{show(p, places=2)}, "
                   "addresses not counted, which double it; as UNIV is here, row 51; other networks were not run")


@run
def theorem_11() -> Verdict:
    """As theorem 8, lengths drawn; a step of the torus takes the mean length."""
    words, good = [], []
    for name, (longest, options) in VARYING.items():
        sizes = range(2, 7)
        found = [t / 32 for t in of_a_torus(f"{options} --length {longest} --runs 30", "last_arrival_mean", sizes)]
        p = growth([longest / 32 * (2 * l) ** 3 for l in sizes], found)
        good += [bounded(p)] * (name != BIMODAL)
        words.append(f"{name} {span(found, 1)}, as (log N)^{3 * p.mean:.1f}")
    return Verdict(PART if all(good) else DIFFERS, f"for a torus, N = 16 to 4096, four worms a processor, mean 32: slowdown {'; '.join(words)} ({OUTSIDE}); one step, not an interval of A times the mean; "
                   "other networks were not run")


def hops_in_windows(levels: int, length: int) -> list[list[tuple[int, int]]]:
    """A torus of 2^levels a side that is offered half of what its bisection carries, a load of 8 / 2^levels: from and to of all worms that cross a link within so many cycles, window by window."""
    windows: dict[int, set[tuple[str, int, int]]] = collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "moves.csv")
        fatfly("run", *f"--topology torus --radix {2 ** levels} --bandwidth on-demand --length {length} --load {4 / 2 ** levels} --warmup 500 --cycles 500 --whole".split(),
               "--events", path, quiet=True)
        with open(path, encoding="ascii") as file:
            for line in file:
                cell = line.split(",")
                if cell[0] == "move" and 500 <= int(cell[1]) < 1000:
                    windows[int(cell[1]) // length].add((cell[3], int(cell[9]), int(cell[10])))
    return [[(a, b) for _, a, b in every] for every in windows.values()]


def fat_tree_load(levels: int, hops: list[tuple[int, int]]) -> float:
    """Load factor of packets between these places of a torus, its processors in shuffled row-major order."""
    side = 2 ** levels

    def place(node: int) -> int:
        x, y = node % side, node // side
        return sum((x >> k & 1) << 2 * k | (y >> k & 1) << 2 * k + 1 for k in range(levels))
    over: collections.Counter[tuple[str, int, int]] = collections.Counter()
    for a, b in ((place(a), place(b)) for a, b in hops):
        for l in range(levels):
            if a >> 2 * l != b >> 2 * l:
                over["up", l, a >> 2 * l] += 1
                over["down", l, b >> 2 * l] += 1
    return max(n / 2 ** l for (_, l, _), n in over.items())


@run
def worms_in_a_window() -> Verdict:
    sizes, length = (2, 3, 4, 5), 16
    found = [max(fat_tree_load(levels, hops) for hops in hops_in_windows(levels, length)) for levels in sizes]
    p = growth([2 * l for l in sizes], found)
    return Verdict(PART if undecided(p) or bounded(p) else DIFFERS, f"for a torus, N = 16 to 1024, offered half of what its bisection carries, worms of {length} flits, windows of {length} cycles: load factor at most "
                   f"{', '.join(f'{f / 2 / l:.2f}' for f, l in zip(found, sizes))} log2 N, exponent {show(p, places=2)}{', so whether it grows is undecided' if undecided(p) else ''}; other networks were not run")


@run
def independent_flits() -> Verdict:
    """UNIV, 32 packets of a flit a processor."""
    terms, took = [], []
    for levels, pattern in itertools.product(range(2, 6), ("complement", "transpose", "many-to-1")):
        row = point(f"--nodes {4 ** levels} --discipline univ --length 1 --rounds 32 --pattern {pattern} --runs 5")
        terms.append(row["congestion_mean"] + row["dilation"] + math.log2(32 * 4 ** levels))
        took.append(row["last_arrival_mean"])
    p = growth(terms, took)
    return Verdict(AGREES if bounded(p) else DIFFERS, f"UNIV, q = 2, three patterns, N = 16 to 1024: "
                   f"{span(b / a for a, b in zip(terms, took))} times the term, exponent {show(p, places=2)}")


@counted
def lemma_9() -> Verdict:
    """Exact, lengths uniform over 1 to 63: sigma / mu = 0.568; S_n outside n mu (1 +- epsilon)."""
    mean, epsilon = 32, math.sqrt((63 * 63 - 1) / 12) / 32
    sums, wrong, most = {0: 1.0}, 0, 0.0
    for n in range(1, 41):
        nexts: collections.defaultdict[int, float] = collections.defaultdict(float)
        window = 0.0
        for s in range(n, 63 * n + 1):
            window += sums.get(s - 1, 0.0) - sums.get(s - 64, 0.0)
            nexts[s] = window / 63
        sums = dict(nexts)
        outside = math.fsum(p for s, p in sums.items() if abs(s - n * mean) > epsilon * n * mean)
        wrong += outside > 1 / n
        most = max(most, outside * n)
    return verdict(40 - wrong, 40, f"exact for lengths uniform over 1 to 63, n = 1 to 40: at most {most:.2f} / n are outside (1 ± "
                   f"{epsilon:.2f}) n mu")


# Their names, the longest, and the other options; all have a mean of 32.  GO III.A.2 assumes sigma <= epsilon times the mean, epsilon < 1:
# here sigma is 0.57 and 0.98 times the mean, of bimodal lengths 1.5 times, so that these are a remark.
BIMODAL = "bimodal 8 and 128"
VARYING = {"uniform 1 to 63": (63, "--lengths uniform"),
           "geometric": (512, "--lengths geometric --length-mean 32"),
           BIMODAL: (128, "--lengths bimodal --length-min 8 --short-share 0.8")}
OUTSIDE = "not judged: sigma is above the mean, which GO's lengths do not have"


@run
def corollary_10() -> Verdict:
    terms, took, late = [], [], 0
    for network, name, seed in itertools.product(NETWORKS[:3], ("uniform 1 to 63", BIMODAL), SEEDS):
        longest, options = VARYING[name]
        i = Phases(f"{network} {options}", longest, seed)
        row = i.runs(THEIR_K, i.phase)
        late += row["latency_max"] > i.phase
        terms.append(i.c * longest * math.log2(i.p) ** 2)
        took.append(row["last_arrival_mean"])
    p = growth(terms, took)
    return Verdict(AGREES if bounded(p) and not late else DIFFERS, f"theorem 4's phases with L_M, lengths uniform and bimodal: a worm is "
                   f"late in {late} of {len(took)} runs; {span((b / a for a, b in zip(terms, took)), 0)} times the term, exponent {show(p, places=2)}")


@run
def varying_lengths() -> Verdict:
    """WORM, RP, RR, static, mean length 32."""
    words, worst = [], 0.0
    for name, (longest, options) in VARYING.items():
        ratios: list[Value] = [last(f"--nodes {n} {options} --length {longest} --runs 300") / last(f"--nodes {n} --runs 300") for n in (64, 256, 1024, 4096)]
        if name != BIMODAL:
            worst = max(worst, *(r.mean for r in ratios))
        words.append(f"{name} {span((100 * r.mean - 100 for r in ratios), 0)} %")
    return Verdict(AGREES if worst < 1.25 else PART, f"slower than a fixed 32, N = 64 to 4096: {'; '.join(words)} ({OUTSIDE})")
