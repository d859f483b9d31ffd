#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_view.py - what the viewer and the Python package take, against what they may: docs/results/view.csv.

usage: scripts/bench/bench_view.py [--output FILE]     BUILD=build; default docs/results/view.csv

Needs what scripts/setup.sh view python installs.  A row a measure: name, value, unit, limit; "at most" or "at least"
the limit.  Python's figures are processor time.  Ends with 0 if all limits are kept, 1 if not, 4 if a tool is missing.
"""
from __future__ import annotations

import csv
import gzip
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("BUILD", "build")
LIMITS = { # name: unit, at most or at least, limit
    "page": ("bytes gzipped", "at most", 200_000),
    "built-to-moving": ("s", "at most", 60),
    "frames-256": ("frames/s", "at least", 30),
    "traversals-1024": ("links/s", "at least", 20_000_000),
    "python-overhead": ("ppm", "at most", 10_000),
    "python-tiny-runs": ("ms", "at most", 3_000),
}
PYTHON = """
import fatfly, fatfly._run as inner, time
class Lib:
    spent = 0.0
    def __getattr__(self, name):
        return getattr(real, name)
    def fatfly_run(self, *all):
        t = time.process_time()
        try:
            return real.fatfly_run(*all)
        finally:
            Lib.spent += time.process_time() - t
real, inner.lib = inner.lib, Lib()
t = time.process_time()
fatfly.run(nodes=256, load=0.06, length=16, cycles=1500000, seed=1)
took = time.process_time() - t
print("python-run", took)
print("python-overhead", 1e6 * (took - Lib.spent) / took)
inner.lib = real
t = time.process_time()
for k in range(10000):
    fatfly.run(nodes=4, length=1, rounds=1, seed=k)
print("python-tiny-runs", 1e3 * (time.process_time() - t))
"""


def stop(code: int, text: str) -> None:
    print("bench_view.py: " + text, file=sys.stderr)
    sys.exit(code)


def run(*words: str, **more: str) -> str:
    """What a program prints; ends this one if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **more})
    if done.returncode:
        stop(4, f"{' '.join(words)}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return done.stdout


def numbers(text: str) -> dict[str, float]:
    """Lines `name value`, others left out."""
    words = (line.split() for line in text.splitlines())
    return {w[0]: float(w[1]) for w in words if len(w) == 2 and w[0].replace("-", "").isalnum() and w[1][0].isdigit()}


def page() -> dict[str, float]:
    folder = ROOT / BUILD / "view"
    for name in ("page.html", "fatfly.wasm"):
        (folder / name).unlink(missing_ok=True)
    begin = time.monotonic()
    run("make", "-s", f"{BUILD}/view/page.html", f"BUILD={BUILD}")
    run(f"{BUILD}/fatfly", "view", "--build", BUILD, "--nodes", "16", "--load", "0.25", "--output", str(folder / "bench.html"))
    made = time.monotonic() - begin
    size = len(gzip.compress((folder / "bench.html").read_bytes(), 9))
    shown = numbers(run("/usr/bin/python3", "-B", "tb/view/test_view.py", "--measure", BUILD=BUILD))
    return {"page": size, "built-to-moving": made + shown["opened"], **shown}


def python() -> dict[str, float]:
    folder = ROOT / BUILD / "bench" / "python"
    run("make", "-s", "lib", f"BUILD={BUILD}")
    run("/usr/bin/python3", "setup.py", "-q", "build", "--force", "--build-base", str(folder / "tmp"), "--build-lib", str(folder / "lib"),
        FATFLY_OBJECTS=str(ROOT / BUILD / "lib" / "obj"))
    return numbers(run("/usr/bin/python3", "-B", "-c", PYTHON, PYTHONPATH=str(folder / "lib")))


def main() -> int:
    args = sys.argv[1:]
    if args and (args[0] != "--output" or len(args) != 2):
        stop(2, f"{' '.join(args)}; allowed: --output FILE")
    output = pathlib.Path(args[1] if args else ROOT / "docs" / "results" / "view.csv")
    found = {**page(), **python()}
    missed = []
    part = output.with_suffix(".part")
    with open(part, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["measure", "value", "unit", "kind", "limit"])
        for name, (unit, kind, limit) in LIMITS.items():
            value = int(found[name]) if kind == "at least" else -int(-found[name] // 1)
            rows.writerow([name, value, unit, kind, limit])
            good = value >= limit if kind == "at least" else value <= limit
            missed += [] if good else [name]
            print(f"{name}: {value} {unit}; {kind} {limit}" + ("" if good else ": MISSED"))
    os.replace(part, output)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
