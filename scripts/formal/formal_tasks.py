# SPDX-License-Identifier: Apache-2.0
"""formal_tasks.py - shares of the checks of scripts/formal/formal.py, and the manifests that a run leaves for merge_formal.py."""
from __future__ import annotations

import csv
import json
import os
import pathlib
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lib import tasks

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs/results/formal.csv"
HEAD = ["check", "kind", "expect", "status", "cpu_s"]
USUAL = 3.0                            # processor seconds of a check that RESULTS does not have


def costs(labels: Sequence[str]) -> list[float]:
    """Processor seconds of each check, as RESULTS has them."""
    known = {}
    if RESULTS.is_file():
        with open(RESULTS, encoding="utf-8", newline="") as text:
            known = {row["check"]: float(row["cpu_s"]) for row in csv.DictReader(text)}
    return [known.get(label, USUAL) for label in labels]


def share(labels: Sequence[str], k: int, t: int) -> list[bool]:
    """Which of the checks are in share k of t."""
    return [mine == k for mine in tasks.shares(costs(labels), t)]


def commit() -> str:
    """Of the sources, with a + where they were changed since; empty without Git."""
    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""
    at = git("rev-parse", "--short", "HEAD")
    return at + "+" * bool(at and git("status", "--porcelain", "--", "rtl", "scripts/formal", "scripts/lib", "tb/formal", "tb/probe"))


def write(path: pathlib.Path, every: Sequence[str], done: Mapping[str, Mapping[str, Any]], wall: float, jobs: int) -> None:
    """A manifest: all checks of which this is a share, what came of those that ended."""
    text = json.dumps({"every": list(every), "commit": commit(), "wall": round(wall, 1), "jobs": jobs, "checks": done}, indent=1) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text)
    part.rename(path)


def write_csv(path: pathlib.Path, rows: Iterable[Sequence[object]]) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with open(part, "w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([HEAD, *rows])
    part.rename(path)
