# SPDX-License-Identifier: Apache-2.0
"""judge_readings.py - readings of the papers' words against the statements that they decide.

A trial is a reading (options of fatfly run) under a statement; what it finds is a Verdict.  statements.py keeps them in
docs/results/statement-readings.csv and shows them in docs/statements.md.
"""

from collections.abc import Callable

from judge_go_fat_trees import runs_of
from judging import AGREES, DIFFERS, PART, ROOT, Verdict, last, point, verdict
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

# As readings-bc.md calls them, and as options.
BC_READINGS = {"queue a channel, q = 4 (ours)": ("4 ends leaves fifo channel parity", "--injection per-channel --depth 4"),
               "one queue a source, q = 4": ("4 ends leaves fifo one parity", "--injection one-queue --depth 4"),
               "one queue a source, q = 2": ("2 ends leaves fifo one parity", "--injection one-queue --depth 2")}
LOADS = (0.03, 0.045, 0.06)


def saturation(column: int) -> Callable[[str], Verdict]:
    """From the first table of docs/readings-bc.md."""
    def judge(reading: str) -> Verdict:
        begin = f"| {BC_READINGS[reading][0]} |"
        line = next(x for x in (ROOT / "docs/readings-bc.md").read_text().splitlines() if x.startswith(begin))
        cell = line.strip("|").split(" | ")[column].strip()
        return Verdict(DIFFERS if "*" in cell else AGREES, f"{float(cell.strip('*')):.3f}")    # *: more than 0.01 off
    return judge


def anywhere(path: str) -> Callable[[str], Verdict]:
    """The highest utilisation of short runs, with the hot node at two places."""
    def judge(reading: str) -> Verdict:
        found = [max(float(point(f"--topology torus --nodes 256 --length 4 --path {path} {BC_READINGS[reading][1]} --pattern hotspot "
                                 f"--hotspot 0.04 --hotspot-node {node} --whole --load {load} --warmup 20000 --cycles 30000 "
                                 "--runs 1")["utilisation"]) for load in LOADS) for node in (255, 119)]
        good = found[0] >= found[1] if path == "north-last" else max(found) / min(found) < 1.05
        return Verdict(AGREES if good else DIFFERS, f"{found[0]:.3f}, {found[1]:.3f}")
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
        "BC-26: e-cube 0.17": saturation(1), "BC-25: north-last 0.13": saturation(2),
        "BC-30: negative-hop 0.255": saturation(3), "BC-37: hot spot, e-cube 0.122": saturation(4),
        "BC-36: hot spot, north-last 0.114": saturation(5), "BC-38: hot spot, negative-hop 0.235": saturation(6),
        "BC-43: e-cube alike with the hot node at (15, 15), (7, 7)": anywhere("e-cube"),
        "BC-42: north-last best at (15, 15), not at (7, 7)": anywhere("north-last")}),
}
