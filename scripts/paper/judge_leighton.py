# SPDX-License-Identifier: Apache-2.0
"""judge_leighton.py - judgements of the statements of L (Leighton 1992, 3.4); the list is statements/l.txt."""

import csv
import itertools
import math
import os
import tempfile

from judge_leighton_problems import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judging import AGREES, DIFFERS, PART, Verdict, counted, growth, point, quick, run, span, tables, value, verdict
from paper_leighton import bound
from paper_tools import fatfly

CHAPTER = "L: greedy routing on the butterfly"
GREEDY = "--discipline store --length 1 --depth unbounded"


def steps(nodes: int, pattern: str, topology: str = "butterfly", runs: int = 1, seed: int = 1) -> float:
    """A run's last arrival is counted from 0."""
    row = point(f"--topology {topology} --nodes {nodes} {GREEDY} --pattern {pattern} --runs {runs} --seed {seed}")
    return row["last_arrival_mean"] + 1


@quick
def almost_all() -> Verdict:
    rows = tables(CHAPTER)[1][1:]
    p = growth([float(r[1]) for r in rows], [value(r[2]).mean for r in rows])
    return Verdict(AGREES if p.low <= 1.1 else DIFFERS, f"random permutations, N = 8 to 524288: {span(float(r[3]) for r in rows)} log N, "
                   f"growing as (log N)^{p.mean:.2f}, where (log N)^1 is the statement")


@run
def hot_destination() -> Verdict:
    """Two edges lead to a destination, so two packets arrive a step."""
    sizes = (16, 64, 256, 1024)
    hot, even = ([steps(n, pattern) for n in sizes] for pattern in ("many-to-1", "random-permutation"))
    return Verdict(AGREES if all(h >= n / 4 for h, n in zip(hot, sizes)) else DIFFERS, f"N/2 packets for each of two rows take "
                   f"{', '.join(f'{h:.0f}' for h in hot)} steps, a permutation {', '.join(f'{e:.0f}' for e in even)}, N = 16 to 1024; two "
                   "edges lead to a row, so a row takes two packets a step")


@run
def eight() -> Verdict:
    row = point(f"--topology butterfly --nodes 8 {GREEDY} --pattern bit-reversal --runs 1")
    return verdict((row["last_arrival_mean"] == 3) + (row["congestion_mean"] == 2), 2, f"{row['last_arrival_mean'] + 1:.0f} steps, at most "
                   f"{row['congestion_mean']:.0f} packets over an edge")


@quick
def bit_reversal_paths() -> Verdict:
    rows = tables(CHAPTER)[0][1:]
    good = sum(float(r[5]) == math.sqrt(float(r[0]) / 2) for r in rows)
    return verdict(good, len(rows), f"exact for {good} of {len(rows)} N from 8 to 524288")


@run
def bit_reversal_even() -> Verdict:
    """As with odd log N: so many paths, and that many steps with the log N - 1 others."""
    sizes = [4 ** k for k in range(1, 9)]
    rows = [point(f"--topology butterfly --nodes {n} {GREEDY} --pattern bit-reversal --runs 1") for n in sizes]
    paths = all(r["congestion_mean"] == math.sqrt(n) / 2 for n, r in zip(sizes, rows))
    exact = all(r["last_arrival_mean"] + 1 == math.sqrt(n) / 2 + math.log2(n) - 1 for n, r in zip(sizes, rows))
    return Verdict(AGREES if paths and exact else DIFFERS, f"sqrt(N)/2 paths over one edge, N = 4 to 65536; "
                   f"{', '.join(str(round(r['last_arrival_mean'] + 1)) for r in rows)} steps")


@run
def transpose() -> Verdict:
    sizes = [4 ** k for k in range(2, 10)]
    took = [steps(n, "transpose") for n in sizes]
    ratios = [(t - math.log2(n) + 1) / math.sqrt(n) for n, t in zip(sizes, took)]
    return Verdict(AGREES if min(ratios) > 0.25 and max(ratios) < 2 else DIFFERS, f"steps beyond log N - 1: "
                   f"{', '.join(f'{r:.2f}' for r in ratios)} sqrt N for N = 16 to 262144")


@run
def paths_of_a_level() -> Verdict:
    """Links counted one by one."""
    links = over = 0
    bits = 10
    for pattern in ("bit-reversal", "transpose", "random-permutation", "shuffle", "complement"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "links.csv")
            fatfly("run", "--topology", "butterfly", "--nodes", str(1 << bits), *GREEDY.split(), "--pattern", pattern, "--runs", "1",
                   "--links", path, quiet=True)
            with open(path, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    level = int(row["lower"]) // (1 << bits) + 1    # from level i - 1 to level i
                    links += 1
                    over += int(row["worms"]) > min(2 ** (level - 1), 2 ** (bits - level))
    return verdict(links - over, links, f"N = 1024, five permutations: {over} of {links} edges have more")


@run
def delay_bound() -> Verdict:
    exact = all(bound(2 ** k) - k == round(3 * math.sqrt(2 ** k) / math.sqrt(2)) - k - 2 for k in range(1, 20, 2))
    worst, count = 0.0, 0
    for k, pattern in itertools.product(range(3, 16, 2), ("bit-reversal", "transpose", "shuffle", "random-permutation")):
        worst = max(worst, (steps(2 ** k, pattern) - k) / (bound(2 ** k) - k))
        count += 1
    return Verdict(AGREES if exact and worst <= 1 else DIFFERS, f"{count} permutations, N = 8 to 32768: at most {100 * worst:.0f} % of it; the sum is "
                   "exact for odd log N")


@counted
def below_100() -> Verdict:
    words = [f"N = {n}: {math.sqrt(n / 2) + math.log2(n) - 1:.0f} for {math.log2(n):.0f}" for n in (8, 32, 128, 512, 2048)]
    return Verdict(AGREES, f"bit-reversal against log N steps: {', '.join(words)}")


@run
def hypercube() -> Verdict:
    """E-cube corrects the same bits, one a step, without staying in a level for the others."""
    ratios = {}
    for n, pattern in itertools.product((16, 64, 256, 1024), ("bit-reversal", "transpose", "random-permutation")):
        ratios[n, pattern] = steps(n, pattern, "hypercube --path e-cube --vcs 1", 1) / steps(n, pattern)
    return Verdict(AGREES if max(ratios.values()) <= 1.5 else PART, f"bit-reversal, transpose and random permutations, N = 16 to 1024: greedy on "
                   f"the hypercube takes {span(ratios.values())} of the butterfly's steps")


def worst_of(topology: str, sizes: tuple[int, ...], term: str) -> Verdict:
    ratios = []
    for n in sizes:
        took = max(steps(n, pattern, topology) for pattern in ("bit-reversal", "transpose"))
        ratios.append(took / (math.sqrt(n) / (2 if term == "d" else math.log2(n))))
    return Verdict(PART if min(ratios) >= 1 else DIFFERS, f"the worse of bit-reversal and transpose takes {span(ratios)} times it, N = {sizes[0]} to "
                   f"{sizes[-1]}; of the greedy algorithm alone, other oblivious ones were not run")


@run
def oblivious() -> Verdict:
    return worst_of("butterfly", (16, 64, 256, 1024, 4096, 16384), "d")


@run
def hypercube_oblivious() -> Verdict:
    return worst_of("hypercube --path e-cube --vcs 1", (16, 64, 256, 1024, 4096), "log")
