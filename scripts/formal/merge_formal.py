#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""merge_formal.py - joins what the tasks of `make formal` left (formal.py --task K/T; docs/cluster.md).

Usage: merge_formal.py OUT MANIFEST...     OUT is one manifest of all checks, in the order of the lists
       merge_formal.py --csv MANIFEST      docs/results/formal.csv, by which shares are balanced
       merge_formal.py --table MANIFEST    the table of docs/proofs.md (scripts/docs/section.py puts it there)

A check that is in several manifests must have read the same sources and have the same verdict in all.  Checks that are in none are
listed.  Exit codes: 0 all are there and passed, 1 one failed, or verdicts differ, 2 usage, 3 a file is no manifest or one of other
checks or sources, 4 checks are missing, or OUT cannot be written.  Where they differ nothing is written.
"""
from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any, NoReturn

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import formal_tasks
from lib import markdown

Manifest = dict[str, Any]
USAGE = "usage: merge_formal.py OUT MANIFEST...  or  merge_formal.py --csv|--table MANIFEST"
KINDS = {"equality": "tuned switch and reference are the same", "property": "other proofs", "cover": "what should be possible is",
         "bug": "planted bugs", "probe": "Verilog without a probe (`tb/probe`)"}


def stop(code: int, text: str) -> NoReturn:
    print(f"merge_formal.py: {text}", file=sys.stderr)
    sys.exit(code)


def manifest(name: str) -> Manifest:
    """What a task left."""
    try:
        found = json.loads(pathlib.Path(name).read_text())
        known = set(found["every"])
        for label, c in found["checks"].items():
            if label not in known or not {"kind", "expect", "status", "cpu", "key"} <= set(c):
                raise KeyError(label)
        found["commit"], found["wall"], found["jobs"]  # pylint: disable=pointless-statement
    except OSError as e:
        stop(3, f"{name}: {e.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError):
        stop(3, f"{name}: not a manifest; allowed: checks.K-of-T.json, as formal.py --task K/T leaves it")
    return found


def join(names: list[str]) -> Manifest:
    """One manifest of several."""
    whole: Manifest = {}
    where: dict[str, str] = {}
    for name in names:
        part = manifest(name)
        if not whole:
            whole = {**part, "wall": 0.0, "checks": {}}
        if part["every"] != whole["every"]:
            stop(3, f"{name} is a share of other checks than {names[0]}; allowed: shares of one list, with the same options")
        whole["wall"] += part["wall"]
        if part["commit"] != whole["commit"]:
            whole["commit"] = ", ".join(dict.fromkeys([*whole["commit"].split(", "), part["commit"]]))
        for label, check in part["checks"].items():
            other = whole["checks"].setdefault(label, check)
            where.setdefault(label, name)
            if check["key"] != other["key"]:
                stop(3, f"{label}: {where[label]} and {name} read other sources")
            if check["status"] != other["status"]:
                stop(1, f"{label}: {other['status']} in {where[label]}, {check['status']} in {name}")
    whole["wall"] = round(whole["wall"], 1)
    whole["checks"] = {label: whole["checks"][label] for label in whole["every"] if label in whole["checks"]}
    return whole


def passed(check: Manifest) -> bool:
    return check["status"] == check["expect"]


def tell(whole: Manifest, out: str) -> int:
    """What is missing and what failed; the exit code."""
    checks = whole["checks"]
    missing = [label for label in whole["every"] if label not in checks]
    failed = [label for label, c in checks.items() if not passed(c)]
    for label in missing:
        print(f"missing: {label}")
    for label in failed:
        print(f"FAILED {label}: {checks[label]['status']}: {checks[label].get('words', '')}; expected: {checks[label]['expect']}")
    print(f"{len(checks) - len(failed)} passed, {len(failed)} failed, {len(missing)} missing: {out}")
    return 1 if failed else 4 if missing else 0


def table(whole: Manifest) -> str:
    """What ran, for a page."""
    checks, rows = list(whole["checks"].values()), []
    for kind, words in KINDS.items():
        mine = [c for c in checks if c["kind"] == kind]
        if mine:
            seconds = [c["cpu"] for c in mine]
            rows.append([words, len(mine), sum(map(passed, mine)), f"{sum(seconds) / 60:.1f}", f"{max(seconds):.0f}"])
    seconds = [c["cpu"] for c in checks]
    rows.append(["all", len(checks), sum(map(passed, checks)), f"{sum(seconds) / 60:.1f}", f"{max(seconds, default=0):.0f}"])
    left = len(whole["every"]) - len(checks)
    note = f" {left} of {len(whole['every'])} checks were not run." if left else ""
    return (markdown.table(["Checks", "run", "as expected", "CPU minutes", "longest, CPU s"], rows, (1, 2, 3, 4)) +
            f"\nAt commit {whole['commit'] or 'unknown'}{' (+: with changes)' if '+' in whole['commit'] else ''}.{note}\n")


def main(argv: list[str]) -> int:
    if len(argv) == 2 and argv[0] in ("--csv", "--table"):
        whole = join(argv[1:])
        if argv[0] == "--table":
            print(table(whole), end="")
        else:
            formal_tasks.write_csv(formal_tasks.RESULTS, ([label, c["kind"], c["expect"], c["status"], f"{c['cpu']:.1f}"]
                                                          for label, c in whole["checks"].items()))
        return 0
    if len(argv) < 2 or argv[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 2
    out, names = argv[0], argv[1:]
    if any(os.path.realpath(out) == os.path.realpath(name) for name in names):
        stop(2, f"{out} is read, too; allowed: another name for what is written")
    whole = join(names)
    try:
        part = pathlib.Path(f"{out}.part")
        part.write_text(json.dumps(whole, indent=1) + "\n")
        part.rename(out)
    except OSError as e:
        stop(4, f"{out}: {e.strerror}")
    return tell(whole, out)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
