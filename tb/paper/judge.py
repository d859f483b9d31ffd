#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge.py - are the cells of a sweep what they were, and what GO print?

usage: judge.py [--write] REFERENCE CELLS

CELLS is a CSV of `fatfly export` with the columns of COLUMNS (test_paper.sh).  Exit codes: 0 all
cells hold, 1 some do not, 2 usage.  --write makes REFERENCE from CELLS.

A cell has the mean m and the standard deviation s of n runs, and from the reference M with standard
error E.  It holds if |m - M| <= t sqrt(s^2 / n + E^2), and, if GO print a value G (rounded, of 30
runs), |m - G| <= t s sqrt(1 / n + 1 / 30) + 1/2, with t the quantile of Student's distribution that
leaves ALARM / (2 * bounds) in each tail: whatever the seed, ALARM bounds the chance that any cell
of a right simulator fails (Bonferroni).  Latencies are a little skewed, which so far out can make a
tail twice as heavy at n = 1000; ALARM is a tenth of the rate that is promised, 10^-4.  Cells
without randomness must be equal.
"""

from __future__ import annotations

import csv
import math
import os
import sys
from collections.abc import Sequence

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "paper"))
from paper_tools import student  # noqa: E402
from paper_page import GO_RUNS, SIZES, TABLE_1  # noqa: E402

ALARM = 1e-5
KEY = ("nodes length lengths depth vcs discipline path scan start pattern load arrivals "
       "delay_range").split()
COLUMNS = KEY + ["runs", "seed", "last_arrival_mean", "last_arrival_ci99", "latency_mean", "latency_ci99",
                 "digest"]


def read(path: str) -> dict[tuple[str, ...], dict[str, str]]:
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {tuple(r[k] for k in KEY): r for r in rows}


def shown(row: dict[str, str], what: str) -> str:
    """Of a static run its last arrival, of an open loop that of its worms: mean or ci99."""
    return row["last_arrival_" + what] or row["latency_" + what]


def name(key: Sequence[str]) -> str:
    k = dict(zip(KEY, key))
    words = [k["discipline"], k["path"], k["scan"], k["pattern"], "N=" + k["nodes"]]
    usual = {"length": "32", "lengths": "fixed", "vcs": "1", "load": "0", "start": ("any", "")}
    for what, value in usual.items():
        if k[what] not in value and k[what] != value:
            words.append(f"{what}={k[what]}")
    delays = [f"R={k['delay_range']}"] if k["delay_range"] not in ("", "1") else []
    return " ".join(words + [f"q={k['depth']}"] + delays)


def error_of(row: dict[str, str]) -> float:
    """Standard error of the mean."""
    half, runs = float(shown(row, "ci99")), int(row["runs"])
    return half / student(0.005, runs - 1)


def published(key: Sequence[str]) -> int | None:
    """What GO print for this cell, or None."""
    k = dict(zip(KEY, key))
    plain = (k["path"], k["scan"], k["length"], k["lengths"], k["vcs"], k["load"], k["delay_range"],
             k["depth"]) == ("rp", "rr", "32", "fixed", "1", "0", "1",
                             "1" if k["discipline"] == "store" else "2")
    cell = TABLE_1.get((k["discipline"], k["pattern"]))
    if not plain or not cell or int(k["nodes"]) not in SIZES or k["start"] not in ("any", ""):
        return None
    return cell[SIZES.index(int(k["nodes"]))]


def judge(reference: str, cells: str) -> tuple[list[str], int, float]:
    theirs, ours = read(reference), read(cells)
    failures = [f"{name(k)}: is not among the cells" for k in theirs if k not in ours]
    failures += [f"{name(k)}: is not in {reference}" for k in ours if k not in theirs]
    keys = [k for k in ours if k in theirs]
    bounds = sum(1 + (published(k) is not None) for k in keys if float(theirs[k]["error"]) > 0)
    tail = ALARM / (2 * max(bounds, 1))
    largest = 0.0
    for k in keys:
        m, runs = float(shown(ours[k], "mean") or "nan"), int(ours[k]["runs"])
        go, want, far = published(k), float(theirs[k]["mean"]), float(theirs[k]["error"])
        if far == 0:
            spread = float(shown(ours[k], "ci99"))
            if m != want or spread != 0 or (go is not None and go != m):
                failures.append(f"{name(k)}: {m:g} ± {spread:g}, must be {want:g} exactly")
            continue
        error = error_of(ours[k])
        t = student(tail, runs - 1)
        allowed = t * math.hypot(error, far)
        if not abs(m - want) <= allowed:
            failures.append(f"{name(k)}: {m:.2f}, must be {want:.2f} ± {allowed:.2f}")
        largest = max(largest, abs(m - want) / allowed)
        if go is None:
            continue
        allowed = t * error * math.sqrt(1 + runs / GO_RUNS) + 0.5
        if not abs(m - go) <= allowed:
            failures.append(f"{name(k)}: {m:.2f}, GO print {go} (± {allowed:.1f})")
    return failures, len(keys), largest


def write(reference: str, cells: str) -> None:
    with open(reference, "w", encoding="utf-8") as out:
        out.write("# SPDX-License-Identifier: Apache-2.0\n# Means that test_paper.sh compares "
                  "with; made by "
                  "tb/paper/test_paper.sh --reference.  error: standard error, 0: exact.\n")
        out.write(",".join(KEY + ["mean", "error", "runs", "seed", "digest"]) + "\n")
        for k, r in read(cells).items():
            exact = float(shown(r, "ci99")) == 0
            error = 0 if exact else error_of(r)
            out.write(",".join(list(k) + [shown(r, "mean"), f"{error:.6g}", r["runs"], r["seed"],
                                          r["digest"]]) + "\n")


def main(words: list[str]) -> int:
    writing = words[:1] == ["--write"]
    words = words[writing:]
    if words == ["--columns"]:
        print(",".join(COLUMNS))
        return 0
    if len(words) != 2 or words[0].startswith("-"):
        print("usage: judge.py [--write] REFERENCE CELLS | --columns", file=sys.stderr)
        return 2
    if writing:
        write(*words)
        return 0
    failures, count, largest = judge(*words)
    for line in failures:
        print("FAIL", line)
    print(f"{count} cells, {len(failures)} bounds broken; the largest difference is "
          f"{largest:.2f} of what "
          "is allowed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
