#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plot_script.py - what `fatfly plot` tells gnuplot to draw is what the results say, whatever the axes show.

Usage: plot_script.py FATFLY RESULTS   latency by load, a curve for each N.  A gnuplot that only keeps the script stands
in for the real one.  Checked for each pair of ranges: the points of each curve; its bars, in older files half as long as latency_ci99
says on either side; an open triangle for each point above the axis; a full one for the first saturated point of each curve; and that
the legend names what is there, nothing else.
Prints a line a difference, and `N ranges`.
"""
from __future__ import annotations

import csv
import io
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COLUMNS = ("nodes", "load", "latency_mean", "saturated")
XRANGES = (None, "0.01:0.12", "0.03:0.17", "0.16:1", "0:0.5")
YRANGES = (None, "0:40", "36:50", "0:200")
NAMES = {"saturated": 9, "above the axis": 8}


def drawn(fatfly: str, results: str, folder: pathlib.Path, options: list[str]) -> str:
    """The script that gnuplot would get."""
    fake = folder / "gnuplot"
    fake.write_text('#!/bin/sh\ncat >"$SCRIPT"\n')
    fake.chmod(0o755)
    script = folder / "script"
    subprocess.run([fatfly, "plot", results, "--output", str(folder / "x.svg"), *options], check=False, capture_output=True,
                   env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "SCRIPT": str(script)})
    return script.read_text()


def curves(fatfly: str, results: str) -> list[list[tuple[float, float | None]]]:
    """Of each N, by load: the load, the latency, which is None where it is saturated."""
    text = subprocess.run([fatfly, "export", results, "--columns", ",".join(COLUMNS)], check=True, capture_output=True, text=True).stdout
    found: dict[str, list[tuple[float, float | None]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        y = float(row["latency_mean"]) if row["latency_mean"] else None
        if y is not None or row["saturated"] == "1":
            found.setdefault(row["nodes"], []).append((float(row["load"]), y))
    return [sorted(curve, key=lambda point: point[0]) for curve in found.values()]


def bars(fatfly: str, results: str) -> list[list[tuple[float, ...]]]:
    """Of each N, by load: load, latency, and the ends of its interval."""
    text = subprocess.run([fatfly, "export", results], check=True, capture_output=True, text=True).stdout
    found: dict[str, list[tuple[float, ...]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        curve = found.setdefault(row["nodes"], [])
        if "latency_low" not in row and row["latency_ci99"]:
            y, half = float(row["latency_mean"]), float(row["latency_ci99"])
            curve.append((float(row["load"]), y, y - half, y + half))
        elif row.get("latency_low"):
            curve.append(tuple(float(row[name]) for name in ("load", "latency_mean", "latency_low", "latency_high")))
    return [sorted(curve) for curve in found.values()]


def other_bars(text: str, want: list[list[tuple[float, ...]]]) -> list[str]:
    """Curves whose bars are not those; the last digit is left to rounding."""
    wrong = []
    for k, curve in enumerate(want):
        block = re.search(rf"^\$e{k} << EOD\n(.*?)^EOD", text, re.M | re.S)
        there = [list(map(float, line.split())) for line in (block[1] if block else "").splitlines()]
        if len(there) != len(curve) or any(abs(x - y) > 1e-8 * abs(y) for a, b in zip(there, curve) for x, y in zip(a, b)):
            wrong.append(f"bars of curve {k}: {there}; results: {curve}")
    return wrong


def differences(text: str, want: list[list[tuple[float, float | None]]]) -> list[str]:
    low, high = map(float, re.findall(r"^set xrange \[(\S+):(\S+)\]", text, re.M)[0])
    top = float(re.findall(r"^set yrange \[\S+:(\S+)\]", text, re.M)[0])
    colour = dict(re.findall(r"\$s(\d+) using 1:2 with \w+ .*?linecolor rgb '(\S+?)'", text))
    triangles = {kind: sorted((float(x), c) for x, c in re.findall(
        rf"^set label '' at (\S+),graph \S+ point pointtype {kind} .*rgb '(\S+)'", text, re.M)) for kind in NAMES.values()}
    wrong, full, opened, dotted = [], [], [], 0
    for k, curve in enumerate(want):
        block = re.search(rf"^\$s{k} << EOD\n(.*?)^EOD", text, re.M | re.S)
        there = [tuple(map(float, line.split())) for line in (block[1] if block else "").splitlines()]
        points = [(x, y) for x, y in curve if y is not None]
        if there != points:
            wrong.append(f"curve {k}: {there}; results: {points}")
        opened += [(x, colour[str(k)]) for x, y in points if y > top and low <= x <= high]
        first = next((j for j, (_, y) in enumerate(curve) if y is None), None)
        if first is not None and low <= curve[first][0] <= high:
            full.append((curve[first][0], colour[str(k)]))
            x, y = curve[first - 1] if first else (low - 1, top)
            dotted += low <= x and y is not None and y <= top
    for kind, points in ((9, full), (8, opened)):
        if triangles[kind] != sorted(points):
            wrong.append(f"triangles {kind}: {triangles[kind]}; results: {sorted(points)}")
    if len(re.findall(r"^set arrow .* dashtype 3", text, re.M)) != dotted:
        wrong.append(f"not {dotted} dotted lines")
    for name, found in (("saturated", full), ("above the axis", opened), ("on the way there", dotted)):
        if (f"title '{name}'" in text) != bool(found):
            wrong.append(f"legend: '{name}' {'is missing' if found else 'of nothing'}")
    return wrong


def main() -> int:
    fatfly, results = sys.argv[1:]
    want, ends, count, bad = curves(fatfly, results), bars(fatfly, results), 0, 0
    if not any(ends):
        sys.exit("no bars")
    with tempfile.TemporaryDirectory() as folder:
        for x, y in itertools.product(XRANGES, YRANGES):
            options = [word for name, value in (("--xrange", x), ("--yrange", y)) if value for word in (name, value)]
            text = drawn(fatfly, results, pathlib.Path(folder), options)
            for one in differences(text, want) + other_bars(text, ends):
                print(f"{' '.join(options) or 'as it is'}: {one}")
                bad += 1
            count += 1
    print(f"{count} ranges")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
