# SPDX-License-Identifier: Apache-2.0
"""judge_readings.py - readings of the papers' words against the statements that they decide.

A trial is a reading (options of fatfly run, or of tb/paper/readings.c) under a statement; what it finds is a Verdict.  statements.py keeps them in
docs/results/statement-readings.csv and shows them in docs/statements.md.  Under OWN the first reading, ours, is not tried:
its verdict is the statement's own.
"""

import csv
import functools
import io
import math
import os
import subprocess
from collections.abc import Callable

import judge_bc
import judge_gg
from judge_go_fat_trees import runs_of
from judging import AGREES, DIFFERS, PART, Verdict, last, point
from paper_tools import BUILD, ROOT, Value, gain, over, show

# -- GO: where RR starts, what FF does with equals, how deep SPLIT's queues are --------------------

OURS, SIX, TIES = "start any, SPLIT q = 2 (ours)", "start of six ports, even at a root", "FF's equals in fixed order"
GO_READINGS = {OURS: ("", 2), "start waiting, SPLIT q = 2": ("--start waiting", 2), "start any, SPLIT q = 1": ("", 1), SIX: ("--start six", 2),
               TIES: ("--start fixed", 2)}
PROGRAM_RUNS = {64: 300, 1024: 60, 4096: 30}


@functools.cache
def program() -> str:
    """tb/paper/readings.c, which has the readings that no option of fatfly run has."""
    built = os.path.join(ROOT, BUILD, "readings", "readings")
    os.makedirs(os.path.dirname(built), exist_ok=True)
    source = os.path.join(ROOT, "tb/paper/readings.c")
    subprocess.run([os.environ.get("CC", "gcc"), "-std=c11", "-O2", "-ffp-contract=off", source, "-lm", "-o", f"{built}.part"], check=True)
    os.replace(f"{built}.part", built)
    return built


@functools.cache
def by_program(nodes: int, options: str) -> dict[str, Value]:
    """Mean last arrivals by pattern."""
    told = subprocess.run([program(), "--runs", str(PROGRAM_RUNS[nodes]), "--only", str(nodes), *options.split()], check=True, capture_output=True, text=True)
    return {r["pattern"]: Value(float(r["mean"]), float(r["ci99"])) for r in csv.DictReader(io.StringIO(told.stdout))}


@functools.cache
def is_the_engine() -> None:
    """Where the program reads as the engine does it finds the same."""
    for how, path, scan in (("split", "gp", "ff"), ("split", "rp", "rr"), ("worm", "rp", "ff"), ("store", "rp", "ff")):
        theirs = by_program(64, f"--discipline {how} --path {path}{' --priority farthest' if scan == 'ff' else ''}")
        for pattern, mean in theirs.items():
            ours = last(f"--nodes 64 --discipline {how} --path {path} --scan {scan} --pattern {pattern} --runs 300")
            if abs(ours.mean - mean.mean) > 1.5 * math.hypot(ours.half, mean.half):
                raise ArithmeticError(f"{how} {path} {scan} {pattern}: readings.c has {show(mean)}, fatfly {show(ours)}")


def took(reading: str, how: str, nodes: int, path: str = "rp", scan: str = "rr", pattern: str = "random") -> Value:
    """Last arrival under a reading: of the engine, or of the program where a start is drawn that the engine does not have.  FO has no start."""
    start, depth = GO_READINGS[reading]
    if (reading == SIX and scan != "fo") or (reading == TIES and scan == "ff") or (how == "worm" and start and scan == "ff"):
        is_the_engine()
        return by_program(nodes, f"--discipline {how} --path {path} {start}{' --priority farthest' if scan == 'ff' else ''}")[pattern]
    engine = f" --depth {depth}" if how == "split" else ""
    if start == "--start waiting" and how != "worm" and scan != "fo":
        engine += " --start waiting"
    runs = 100 if how == "split" else runs_of(nodes)
    return last(f"--nodes {nodes} --discipline {how} --path {path} --scan {scan} --pattern {pattern} --runs {runs}{engine}")


def worm(nodes: int) -> Value:
    return last(f"--nodes {nodes} --runs {runs_of(nodes)}")


def table_1(nodes: int, pattern: str, theirs: int) -> Callable[[str], Verdict]:
    """A cell of GO-75, STORE: GO's is a mean of 30 runs."""
    def judge(reading: str) -> Verdict:
        off = over(took(reading, "store", nodes, pattern=pattern), Value(theirs))
        return Verdict(AGREES if abs(off.mean) < 1 + (off.half if nodes < 4096 else 0) else DIFFERS, show(off, " %", 1))
    return judge


def rr_fo(reading: str) -> Verdict:
    by = gain(took(reading, "store", 1024), took(reading, "store", 1024, scan="fo"))
    return Verdict(AGREES if by.high >= 4 and by.low <= 8 else DIFFERS, show(by, " %", 1))


def rr_gp_fo(reading: str) -> Verdict:
    by = gain(took(reading, "store", 1024), took(reading, "store", 1024, "gp", "fo"))
    return Verdict(AGREES if by.high >= 4.5 and by.low <= 9.5 else DIFFERS, show(by, " %", 1))


def ff_fo(how: str) -> Callable[[str], Verdict]:
    """Similarly: within 3 %."""
    def judge(reading: str) -> Verdict:
        by = over(took(reading, how, 1024, scan="ff"), took(OURS, how, 1024, scan="fo"))
        return Verdict(AGREES if by.low <= 3 and by.high >= -3 else DIFFERS, show(by, " %", 1))
    return judge


def above(by: dict[int, Value]) -> Verdict:
    """Of sizes: beyond chance above; what chance may explain neither agrees nor differs."""
    good, bad = sum(v.low > 0 for v in by.values()), sum(v.high < 0 for v in by.values())
    return Verdict(AGREES if good == len(by) else DIFFERS if bad and not good else PART, ", ".join(show(v, " %", 1) for v in by.values()))


def split_gp_ff(reading: str) -> Verdict:
    return above({n: over(took(reading, "split", n, "gp", "ff"), worm(n)) for n in (64, 1024)})


def gp_ff(how: str, theirs_below: bool) -> Callable[[str], Verdict]:
    """GP-FF against RP-FO, N = 1024: GO have it below for SPLIT, and not for STORE."""
    def judge(reading: str) -> Verdict:
        by = over(took(reading, how, 1024, "gp", "ff"), took(reading, how, 1024, scan="fo"))
        return Verdict(AGREES if (by.high < 0) == theirs_below else DIFFERS, show(by, " %", 1))
    return judge


def split_rp_rr(reading: str) -> Verdict:
    by = {n: over(took(reading, "split", n), worm(n)) for n in (64, 1024)}
    good = sum(v.high < 0 for v in by.values())
    slight = all(abs(v.mean) < 15 for v in by.values())
    return Verdict(AGREES if good == len(by) and slight else PART if good else DIFFERS, ", ".join(show(v, " %", 1) for v in by.values()))


# -- GG: what a worm does that finds both links blocked ---------------------------------------------

GG_READINGS = {"waits for the link it drew, RW (ours)": "rw", "draws anew in every cycle, then the other, RG": "rg",
               "draws one anew in every cycle, RP": "rp", "one parent, drawn before it starts, FP": "fp"}


def model_above(share: float) -> Callable[[str], Verdict]:
    """GG's model above the simulation, N = 1024, L = 32, at a share of the model's saturation; accurate: within 5 %."""
    def judge(reading: str) -> Verdict:
        load = share * judge_gg.saturation_1024()
        row = point(f"--nodes 1024 --length 32 --path {GG_READINGS[reading]} --scan fcfs --arrivals poisson --load {load:.6f} --cycles 50000 --runs 8")
        if row["latency_mean"] == "":
            return Verdict(DIFFERS, "ours is saturated")
        by = over(Value(judge_gg.Model(5, 32, load).latency), Value(float(row["latency_mean"]), float(row["latency_ci99"] or 0)))
        return Verdict(AGREES if abs(by.mean) <= 5 else DIFFERS, show(by, " %", 1))
    return judge


def model_saturates(reading: str) -> Verdict:
    """The model's saturation against what is accepted at twice that."""
    full = judge_gg.saturation_1024()
    row = point(f"--nodes 1024 --length 32 --path {GG_READINGS[reading]} --scan fcfs --arrivals poisson --load {2 * full:.6f} --whole --cycles 20000 --runs 3")
    off = 100 * (full / float(row["accepted_load"]) - 1)
    return Verdict(AGREES if abs(off) <= 5 else DIFFERS, f"{off:+.1f} %")


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
    "GO: where the random scan starts, FF's equals, SPLIT's queues": (list(GO_READINGS), {
        "GO-75: STORE complement, N = 4096 (above 2896)": table_1(4096, "complement", 2896),
        "GO-75: STORE random, N = 1024 (above 1677)": table_1(1024, "random", 1677),
        "GO-75: STORE random, N = 4096 (above 3031)": table_1(4096, "random", 3031),
        "GO-62: RR below FO, N = 1024 (4 to 8 %)": rr_fo,
        "GO-66: RP-RR below GP-FO, N = 1024 (5 to 9 %)": rr_gp_fo,
        "GO-64: STORE: FF above FO, N = 1024 (similar)": ff_fo("store"),
        "GO-65: WORM: FF above FO, N = 1024 (similar)": ff_fo("worm"),
        "GO-69: SPLIT: GP-FF above RP-FO, N = 1024 (below)": gp_ff("split", True),
        "GO-70: STORE: GP-FF above RP-FO, N = 1024 (not below)": gp_ff("store", False),
        "GO-72: SPLIT GP-FF above WORM, N = 64, 1024": split_gp_ff,
        "GO-73: SPLIT RP-RR slightly below WORM, N = 64, 1024": split_rp_rr}),
    "GG: a worm that finds both links up blocked": (list(GG_READINGS), {
        "GG-30: model above simulation at 50 % of saturation (accurate)": model_above(0.5),
        "GG-30: at 80 %": model_above(0.8),
        "GG-30: at 90 %": model_above(0.9),
        "GG-30: at 95 %": model_above(0.95),
        "GG-31: saturation of the model above ours (accurate)": model_saturates}),
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
