# SPDX-License-Identifier: Apache-2.0
"""test_readings.py - readings of the papers: which run a trial of judge_readings.py asks for, and the pages that readings.sh makes of made-up runs, each
number worked out once more."""
from __future__ import annotations

import csv
import itertools
import math
import os
import pathlib
import random
import re
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import judge_readings
from paper_page import TABLE_1
from paper_tools import Value, student

PATTERNS, NODES = ("complement", "random"), (16, 64, 256, 1024, 4096)


# -- trials ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("how, path, scan", itertools.product(("store", "worm", "split"), ("rp", "gp"), ("rr", "ff", "fo")))
def test_what_a_reading_runs(how: str, path: str, scan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """FO has no start, and RR no equals; the engine draws a start of all ports or, of packets, of those that wait; all else is the program's."""
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(judge_readings, "is_the_engine", lambda: None)
    monkeypatch.setattr(judge_readings, "by_program", lambda nodes, words: asked.append(("program", str(nodes), *sorted(words.split()))) or {"random": Value(1)})
    monkeypatch.setattr(judge_readings, "last", lambda words: asked.append(("engine", *sorted(words.split()))) or Value(2))
    for reading, (start, depth) in {"start any, SPLIT q = 2 (ours)": ("any", 2), "start waiting, SPLIT q = 2": ("waiting", 2), "start any, SPLIT q = 1": ("any", 1),
                                    "start of six ports, even at a root": ("six", 2), "FF's equals in fixed order": ("fixed", 2)}.items():
        if (how, scan, start) == ("worm", "rr", "waiting"):
            continue    # which no trial asks for
        start = "any" if scan == "fo" or (start == "fixed" and scan == "rr") else start
        words = ["--discipline", how, "--path", path]
        runs = 100 if how == "split" else 300
        program = start in ("six", "fixed") or (how, start) == ("worm", "waiting")
        if program:
            want = ["program", "1024", *sorted([*words, "--start", start, *(["--priority", "farthest"] if scan == "ff" else [])])]
        else:
            want = ["engine", *sorted([*words, "--nodes", "1024", "--scan", scan, "--pattern", "random", "--runs", str(runs),
                                       *(["--depth", str(depth)] if how == "split" else []), *(["--start", "waiting"] if start == "waiting" else [])])]
        asked.clear()
        assert judge_readings.took(reading, how, 1024, path, scan).mean == (1 if program else 2) and asked == [tuple(want)], reading
    assert len(judge_readings.GO_READINGS) == 5


@pytest.mark.parametrize("path", ["e-cube", "north-last", "negative-hop"])
@pytest.mark.parametrize("off, kind", [(0.0, "agrees"), (0.0099, "agrees"), (-0.0099, "agrees"), (0.0101, "differs"), (-0.0101, "differs")])
def test_saturation_under_a_reading(path: str, off: float, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The most at loads that would use BC's share of the links and 5 % .. more: load times 8 * 256 / 255 hops over four links."""
    loads = []

    def point(words: str) -> dict[str, Any]:
        told = dict(zip(words.split(), words.split()[1:]))
        loads.append(float(told["--load"]))
        assert told["--path"] == path and int(told["--cycles"]) == 2 * int(told["--warmup"]) == (60000 if path == "negative-hop" else 200000) and told["--hotspot"] == "0.04"
        return {"utilisation": 0.2 + off - 0.01 * (len(loads) != 2)}

    monkeypatch.setattr(judge_readings, "point", point)
    found = judge_readings.saturation(path, 0.2, "--hotspot 0.04")("one queue a source, q = 2")
    beyond = [1, 1.05, 1.1, 1.15] + [1.25] * (path == "north-last")
    assert (found.kind, found.found) == (kind, f"{0.2 + off:.3f}") and loads == pytest.approx([0.2 * by * 4 / (8 * 256 / 255) for by in beyond], abs=6e-6)


@pytest.mark.parametrize("ratio, kind", [(1.05 - 1e-9, "agrees"), (1.05 + 1e-9, "differs"), (0.95 + 1e-9, "agrees"), (0.95 - 1e-9, "differs"), (None, "differs")])
def test_the_model_under_a_reading(ratio: float | None, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Latency at a share of the model's saturation, and what is accepted at twice that, within 5 %."""
    asked = []

    def point(words: str) -> dict[str, Any]:
        asked.append(float(dict(zip(words.split(), words.split()[1:]))["--load"]))
        return {"latency_mean": "" if ratio is None else 100 / ratio, "latency_ci99": 1.0, "accepted_load": 0.04 / (ratio or 2)}

    monkeypatch.setattr(judge_readings, "point", point)
    monkeypatch.setattr(judge_readings, "judge_gg", SimpleNamespace(saturation_1024=lambda: 0.04, Model=lambda levels, length, load: SimpleNamespace(latency=100.0 * levels / 5 * length / 32)))
    reading = next(iter(judge_readings.GG_READINGS))
    assert judge_readings.model_above(0.8)(reading).kind == kind and judge_readings.model_saturates(reading).kind == kind
    assert asked == pytest.approx([0.032, 0.08])


# -- the pages of readings.sh ------------------------------------------------------------------------------

SCRIPT = pathlib.Path(judge_readings.__file__).with_name("readings.sh").read_text(encoding="utf-8")
HEAD = ("pattern", "nodes", "runs", "go", "mean", "sd", "ci99", "off")
Cells = dict[tuple[str, int], dict[str, float]]


def part(begin: str, end: str) -> str:
    return SCRIPT.partition(begin)[2].partition(f"\n{end}\n")[0]


def made_up(r: random.Random, how: str, runs: int, exact: bool) -> Cells:
    """Means so many standard deviations from GO's."""
    found: Cells = {}
    for pattern, at in itertools.product((*PATTERNS, "many-to-1"), range(5)):
        go = TABLE_1[how, pattern][at]
        sd = 0.0 if pattern == "many-to-1" else 0.05 * go
        off = r.choice((-9.0, -2.95, -2.85, -1, 0, 1, 2.85, 2.95, 9)) if sd else 0.0
        mean = go + off * sd * math.sqrt(1 / 30 + 1 / runs) - (100 if not sd and not exact and r.random() < 0.7 else 0)
        found[pattern, NODES[at]] = {"go": go, "mean": mean, "sd": sd, "off": off, "runs": runs, "ci99": 0.0 if not sd else 2.8 * sd / math.sqrt(runs)}
    return found


def is_off(c: dict[str, float]) -> bool:
    return abs(c["off"]) > 2.9 if c["sd"] else c["mean"] != c["go"]


def apart(one: Cells, other: Cells) -> float:
    return max(abs(a["mean"] - b["mean"]) / math.sqrt(a["sd"] ** 2 / a["runs"] + b["sd"] ** 2 / b["runs"])
               for key, a in one.items() if a["sd"] for b in (other[key],))


@pytest.mark.parametrize("wrong", ["RUNS=14", "RUNS=10001", "RUNS=020", "RUNS=1e3", "SEED=01", "SEED=1000000000", "SEED=-1", "JOBS=0", "JOBS=1000", "JOBS=x", "OUT=none/page.md", "OUT=docs",
                                   "ENGINE=none", "--help"])
def test_wrong_settings(wrong: str, tmp_path: pathlib.Path) -> None:
    """Told before anything is run or made."""
    settings = dict([wrong.split("=")]) if "=" in wrong else {}
    told = subprocess.run([pathlib.Path(judge_readings.__file__).with_name("readings.sh"), *([] if settings else [wrong])], text=True, capture_output=True, check=False,
                          env=os.environ | {"BUILD": str(tmp_path), "ENGINE": "/bin/true"} | settings)
    assert told.returncode == 2 and told.stderr.startswith(f"readings.sh: {wrong}; allowed: ") and not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", range(2))
def test_pages(seed: int, tmp_path: pathlib.Path) -> None:
    r = random.Random(seed)
    rows = [line.strip() for line in part("<<ROWS\n", "ROWS").splitlines()]
    rows = [line.replace("$more", "900").replace("$worm", "50").replace("$runs", "150").replace("\\`", "`") for line in rows]
    (tmp_path / "rows").write_text("\n".join(rows) + "\n", encoding="ascii")
    found: dict[str, Cells] = {}
    for number, line in enumerate(rows, 1):
        runs, _, words = line.split("|")
        cells = found[words] = made_up(r, "worm" if "worm" in words else "store", int(runs), r.random() < 0.8)
        with open(tmp_path / f"{number}.csv", "w", encoding="ascii", newline="") as out:
            csv.writer(out).writerows([HEAD, *([p, n, c["runs"], c["go"], repr(c["mean"]), repr(c["sd"]), repr(c["ci99"]), repr(c["off"]) if c["sd"] else ""] for (p, n), c in cells.items())])
    engines = {start: made_up(r, "store", 900, True) for start in ("any", "waiting")}
    with open(tmp_path / "engine.csv", "w", encoding="ascii", newline="") as out:
        csv.writer(out).writerows([("start", "pattern", "nodes", "runs", "last_arrival_mean", "last_arrival_ci99"),
                                   *([start, p, n, 900 if c["sd"] else 2, repr(c["mean"]), repr(student(0.005, 899) * c["sd"] / 30)] for start, of in engines.items() for (p, n), c in of.items())])
    done = subprocess.run([sys.executable, "-", str(tmp_path), str(seed)], input=part("<<'PYTHON' || code=$?\n", "PYTHON"), text=True, capture_output=True, check=False)
    page, _, table = done.stdout.partition("\f")
    lines = {line.split(" | ")[0]: line.strip("| ").split(" | ") for line in (page + table).splitlines() if line.startswith("|")}
    every = [(line.split("|")[1], line.split("|")[0], line.split("|")[2], found[line.split("|")[2]]) for line in rows]
    every += [("the engine, the spec", "900", "fatfly run --discipline store", engines["any"]), ("the engine, waiting", "900", "fatfly run --discipline store --start waiting", engines["waiting"])]
    for title, runs, words, cells in every:
        mark = "**" * (words == "--start waiting")
        name = f"{mark}{title}{mark} ({runs} runs{f', `{words}`' if words else ''})"
        line = lines[f"| {name}"]
        random_ones = [cells[p, n] for p in PATTERNS for n in NODES]
        digits = 1 if "worm" in words else 0
        for cell, c in zip(line[1:11], random_ones):
            mean, half, star = re.fullmatch(r"([\d.]+) \(([\d.]+)\)(\*?)", cell).groups()
            half_of = student(0.005, 899) * c["sd"] / 30 if title.startswith("the engine") else c["ci99"]
            assert (mean, star == "*") == (f"{c['mean']:.{digits}f}", is_off(c)) and abs(float(half) - half_of) <= 0.51 * 10 ** -digits
        exact = not any(is_off(cells["many-to-1", n]) for n in NODES)
        assert line[11] == ("exact" if exact else f"{cells['many-to-1', 16]['mean']:.0f}*") and line[12] == str(sum(map(is_off, random_ones)))
        assert abs(float(line[13]) - sum(c["off"] ** 2 for c in random_ones) / 10) < 0.06
    said, spec, waiting = " ".join(page.split()), found[""], found["--start waiting"]
    off = {words: sum(is_off(cells[p, n]) for p in PATTERNS for n in NODES) for words, cells in found.items()}
    worst = max(abs(c["off"]) for c in waiting.values())
    assert f"all 15 STORE cells agree** ({waiting['complement', 4096]['mean']:.0f} for 2896)" in said and f"fits all ten cells, the worst by {worst:.1f} deviations" in said
    high = spec["complement", 4096]
    assert f"Over 900 runs that reading is {100 * (high['mean'] / 2896 - 1):.1f} % high ({high['mean']:.0f}, {max(abs(c['off']) for c in spec.values()):.1f} standard deviations)" in said
    near = max(apart(found[words], spec) for words in ("--order downs-then-ups", "--order switch-ups-first", "--processors sources-first"))
    orders = sorted({off[f"--order {o}"] for o in ("leaf-to-root", "at-once", "ups-then-downs", "no-gaps", "mixed", "random")})
    assert f"by more than {near:.1f} deviations. The other orders" in said
    assert f"are off in {orders[0] if len(orders) == 1 else f'{orders[0]} to {orders[-1]}'} cells; inputs from children first in {off['--order children-first']}." in said
    engine = max(apart(engines["any"], spec), apart(engines["waiting"], waiting))
    assert abs(float(re.findall(r"none differs by more than ([\d.]+) deviations", said)[0]) - engine) < 0.06 + 0.001 * engine
    claims = {"--start waiting agrees in all 15 cells": off["--start waiting"] == 0 and not any(map(is_off, waiting.values())),
              "the spec's reading is high at 4096, and only there": off[""] == 1 and high["off"] > 2.9,
              "the other orders are off in three cells or more": orders[0] >= 3,
              "WORM does not agree with a random order": off["--discipline worm --start shuffle"] > 0}
    assert done.returncode == 1 and all((claim in done.stderr) != true for claim, true in claims.items())


def test_the_program_is_built_of_the_source_that_is_there(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where one is from before; with the compiler of CC; none is left half written."""
    source = tmp_path / "tb" / "paper" / "readings.c"
    source.parent.mkdir(parents=True)
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\nfor word; do last=$word; done\ncp "$4" "$last"\necho "$*" >"$last.words"\n[ "$(cat "$4")" != broken ]\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setattr(judge_readings, "ROOT", str(tmp_path))
    monkeypatch.setattr(judge_readings, "BUILD", "made")
    built = tmp_path / "made" / "readings" / "readings"
    for text in ("one", "two", "broken"):
        source.write_text(text)
        judge_readings.program.cache_clear()
        if text == "broken":
            with pytest.raises(subprocess.CalledProcessError):
                judge_readings.program()
        else:
            assert judge_readings.program() == str(built) and built.read_text() == text
    judge_readings.program.cache_clear()
    assert built.read_text() == "two"
    assert (built.parent / "readings.part.words").read_text() == f"-std=c11 -O2 -ffp-contract=off {source} -lm -o {built}.part\n"
