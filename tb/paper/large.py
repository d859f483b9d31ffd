#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""large.py - GO's table I at N = 1024 and 4096 by the fast engine, and runs that are wrong on purpose.

Usage: large.py [FATFLY]   SEED=n for another seed; ends with `N passed, N failed`.
A mean of 30 runs must lie within the 99 % interval of a trial simulation's and its own taken together, and
within its own and the spread of 30 runs of what GO print.  Cells without randomness are exact.
"""
import csv
import os
import subprocess
import sys

# pattern, N: GO's value, the trial's mean and half of its 99 % interval (30 runs)
RANDOM = {("random", 1024): (843, 842, 12), ("random", 4096): (1592, 1610, 14),
          ("complement", 1024): (583, 581.9, 5.5), ("complement", 4096): (1123, 1124, 7)}
EXACT = {("worm", 1024): 16392, ("worm", 4096): 65546, ("store", 1024): 32992, ("store", 4096): 131360}
WRONG = (["--path", "fp"], ["--scan", "fo"], ["--depth", "1"], ["--length", "34"], ["--vcs", "2"])
RUNS = 30


def cell(fatfly: str, *options: object) -> tuple[float, float]:
    """Mean latency and half of its 99 % interval."""
    text = subprocess.run([fatfly, "run", "--format", "csv", "--seed", os.environ.get("SEED", "1"),
                           *map(str, options)], check=True, capture_output=True, text=True).stdout
    row = next(csv.DictReader(text.splitlines()))
    return float(row["last_arrival_mean"]), float(row["last_arrival_ci99"] or 0)


def off(mean: float, half: float, page: tuple[float, float, float]) -> list[str]:
    """What does not hold, in words."""
    go, trial, trial_half = page
    wrong = []
    if abs(mean - trial) > half + trial_half:
        wrong.append(f"{mean:.1f} +- {half:.1f} beside {trial} +- {trial_half}")
    # GO's mean is of 30 runs, too, and printed without decimals.
    if abs(mean - go) > 2 * half + 0.5:
        wrong.append(f"{mean:.1f} +- {half:.1f} beside GO's {go}")
    return wrong


def main() -> int:
    fatfly = sys.argv[1] if len(sys.argv) > 1 else "build/fatfly"
    failed = passed = 0

    def check(name: str, right: bool, says: str) -> None:
        nonlocal failed, passed
        print("PASS" if right else "FAIL", f"{name}: {says}")
        passed, failed = passed + right, failed + (not right)

    for (discipline, nodes), want in EXACT.items():
        mean, _ = cell(fatfly, "--discipline", discipline, "--pattern", "many-to-1", "--nodes", nodes, "--runs", 1)
        check(f"{discipline} many-to-1 N = {nodes}", mean == want, f"{mean:.0f}, must be {want}")
    for (pattern, nodes), page in RANDOM.items():
        fast = ["--engine", "fast", "--runs", RUNS, "--nodes", nodes, "--pattern", pattern]
        mean, half = cell(fatfly, *fast)
        wrong = off(mean, half, page)
        check(f"worm {pattern} N = {nodes}", not wrong, "; ".join(wrong) or f"{mean:.1f} +- {half:.1f}")
    for options in WRONG:
        engine = "cycle" if "--vcs" in options else "fast"
        seen = []
        for pattern in ("complement", "random"):
            mean, half = cell(fatfly, "--engine", engine, "--runs", 10 if engine == "cycle" else RUNS,
                              "--nodes", 1024, "--pattern", pattern, *options)
            seen += off(mean, half, RANDOM[pattern, 1024])
        check(f"planted: {' '.join(options)}", bool(seen), "; ".join(seen) or "not seen")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
