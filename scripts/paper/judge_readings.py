# SPDX-License-Identifier: Apache-2.0
"""judge_readings.py - readings of the papers' words against the statements that they decide.

A trial is a reading (options of fatfly run) under a statement; what it finds is a Verdict.  statements.py keeps them in
docs/results/statement-readings.csv and shows them in docs/statements.md.  Under OWN the first reading, ours, is not tried:
its verdict is the statement's own.
"""

from collections.abc import Callable

import judge_bc
from judge_go_fat_trees import runs_of
from judging import AGREES, DIFFERS, PART, Verdict, last, point, verdict
from paper_tools import Value, gain, over, show

# -- GO: where RR starts, how deep SPLIT's queues are -----------------------------------------------

GO_READINGS = {"start any, SPLIT q = 2 (ours)": ("", 2), "start waiting, SPLIT q = 2": ("--start waiting", 2),
               "start any, SPLIT q = 1": ("", 1)}


def store(reading: str, nodes: int, options: str) -> Value:
    return last(f"--nodes {nodes} --discipline store --runs {runs_of(nodes)} {options} {GO_READINGS[reading][0]}")


def split(reading: str, nodes: int, options: str) -> Value:
    start, depth = GO_READINGS[reading]
    return last(f"--nodes {nodes} --discipline split --depth {depth} --runs 100 {options} {start}")


def worm(nodes: int) -> Value:
    return last(f"--nodes {nodes} --runs {runs_of(nodes)}")


def store_complement(reading: str) -> Verdict:
    """GO-75, the one cell that differs."""
    off = over(store(reading, 4096, "--pattern complement"), Value(2896))
    return Verdict(AGREES if abs(off.mean) < 1 else DIFFERS, show(off, " %", 1))


def store_random(reading: str) -> Verdict:
    off = over(store(reading, 1024, ""), Value(1677))
    return Verdict(AGREES if abs(off.mean) < 1.5 + off.half else DIFFERS, show(off, " %", 1))


def rr_fo(reading: str) -> Verdict:
    by = gain(store(reading, 1024, ""), store("start any, SPLIT q = 2 (ours)", 1024, "--scan fo"))
    return Verdict(AGREES if by.high >= 4 and by.low <= 8 else DIFFERS, show(by, " %", 1))


def rr_gp_fo(reading: str) -> Verdict:
    by = gain(store(reading, 1024, ""), store("start any, SPLIT q = 2 (ours)", 1024, "--path gp --scan fo"))
    return Verdict(AGREES if by.high >= 4.5 and by.low <= 9.5 else DIFFERS, show(by, " %", 1))


def split_gp_ff(reading: str) -> Verdict:
    by = {n: over(split(reading, n, "--path gp --scan ff"), worm(n)) for n in (64, 1024)}
    return verdict(sum(v.high >= 0 for v in by.values()), len(by), ", ".join(show(v, " %", 1) for v in by.values()))


def split_rp_rr(reading: str) -> Verdict:
    by = {n: over(split(reading, n, ""), worm(n)) for n in (64, 1024)}
    good = sum(v.high < 0 for v in by.values())
    slight = all(abs(v.mean) < 15 for v in by.values())
    return Verdict(AGREES if good == len(by) and slight else PART if good else DIFFERS, ", ".join(show(v, " %", 1) for v in by.values()))


# -- BC: queues at the sources, and how deep those of the channels are ------------------------------

BC_READINGS = {"queue a channel, q = 4 (ours)": judge_bc.TORUS,
               "one queue a source, q = 4": "--topology torus --nodes 256 --length 4 --depth 4 --injection one-queue",
               "one queue a source, q = 2": "--topology torus --nodes 256 --length 4 --depth 2 --injection one-queue"}
PART_OF = 4    # of the cycles that the statements' own judgements measure
BEYOND = (1, 1.05, 1.1, 1.15, 1.25)    # of BC's figure: loads, as far as docs/results.md goes


def saturation(path: str, theirs: float, hot: str = "") -> Callable[[str], Verdict]:
    """The highest utilisation of runs at and beyond BC's figure."""
    def judge(reading: str) -> Verdict:
        loads = [theirs * by * 4 / judge_bc.HOPS for by in BEYOND if by < 1.2 or path == "north-last"]
        cycles = 60000 if path == "negative-hop" else 200000    # the others collapse late
        most = max(float(point(f"{BC_READINGS[reading]} --path {path} {hot} --whole --load {load:.5f} "
                               f"--warmup {cycles // 2} --cycles {cycles} --runs 1")["utilisation"]) for load in loads)
        return Verdict(AGREES if abs(most - theirs) <= judge_bc.WITHIN else DIFFERS, f"{most:.3f}")
    return judge


HOT = "--pattern hotspot --hotspot 0.04 --hotspot-node 255"


def alike(path: str) -> Callable[[str], Verdict]:
    def judge(reading: str) -> Verdict:
        kind, found, spread = judge_bc.alike(BC_READINGS[reading], path, PART_OF)
        return Verdict(kind, f"{', '.join(f'{v.mean:.3f}' for v in found.values())}: {show(spread, ' %', 1)} apart")
    return judge


def best(path: str) -> Callable[[str], Verdict]:
    def judge(reading: str) -> Verdict:
        kind, whole, most = judge_bc.best(BC_READINGS[reading], path, PART_OF)
        means = [", ".join(f"{v.mean:.3f}" for v in found.values()) for found in (whole, most)]
        return Verdict(kind, f"whole {means[0]}; most {means[1]}")
    return judge


# Reading -> statements, under what they are called in the table.
TRIALS: dict[str, tuple[list[str], dict[str, Callable[[str], Verdict]]]] = {
    "GO: where the random scan starts, and SPLIT's queues": (list(GO_READINGS), {
        "GO-75: STORE complement, N = 4096 (above 2896)": store_complement,
        "GO-75: STORE random, N = 1024 (above 1677)": store_random,
        "GO-62: RR below FO, N = 1024 (4 to 8 %)": rr_fo,
        "GO-66: RP-RR below GP-FO, N = 1024 (5 to 9 %)": rr_gp_fo,
        "GO-72: SPLIT GP-FF above WORM, N = 64, 1024": split_gp_ff,
        "GO-73: SPLIT RP-RR slightly below WORM, N = 64, 1024": split_rp_rr}),
    "BC: queues": (list(BC_READINGS), {
        "BC-26: e-cube 0.17": saturation("e-cube", 0.17),
        "BC-25: north-last 0.13": saturation("north-last", 0.13),
        "BC-30: negative-hop 0.255": saturation("negative-hop", 0.255),
        "BC-37: hot spot, e-cube 0.122": saturation("e-cube", 0.122, HOT),
        "BC-36: hot spot, north-last 0.114": saturation("north-last", 0.114, HOT),
        "BC-38: hot spot, negative-hop 0.235": saturation("negative-hop", 0.235, HOT),
        "BC-43: e-cube alike with the hot node at any of four places": alike("e-cube"),
        "BC-42: north-last best with it at (15, 15)": best("north-last")}),
}
OWN = {"BC: queues"}


def judged_elsewhere(title: str, name: str, reading: str) -> str:
    """The statement whose own verdict stands for this trial of ours; empty: none."""
    return name.partition(":")[0] if title in OWN and reading == TRIALS[title][0][0] else ""
