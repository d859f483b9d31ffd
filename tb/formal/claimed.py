#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""claimed.py - rtl/switch.v builds a fast switch where `make formal` proves that it is the reference, and nowhere else.

HAS_FAST is compared with the proofs of equal_formal.v in proofs.txt that need no --slow, for every V, q, PATH,
SCAN, with parents and at the root: q = 2 by a proof with queues of two flits, any other q by one with ANY and the
proof fifo-any of its queues.  And every file of rtl/fast has a planted bug in bugs.txt, and every bug that docs/proofs.md
names beside a bit of bad_o breaks that bit alone.  The table of parameters there is what proofs.txt has, docs/results/formal.csv has a
row for each check, and what is called root is one.  Prints a line for each difference and `N passed, N failed`.
"""
from __future__ import annotations

import csv
import pathlib
import re
import sys
from collections.abc import Callable
from typing import Any

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/formal"), str(ROOT / "scripts")]
import formal  # noqa: E402  pylint: disable=wrong-import-position

DEFAULTS = {"VCS": 1, "DEPTH": 2, "PATH": 1, "SCAN": 0, "LEVEL": 1, "LEVELS": 3, "ANY": 0}


def has_fast() -> Callable[..., bool]:
    """HAS_FAST as a function of VCS, DEPTH, PATH, SCAN, LEVEL and LEVELS."""
    text = re.search(r"localparam integer HAS_FAST = \((.*)\) \? 1 : 0;", (ROOT / "rtl/switch.v").read_text())[1]
    for name, number in formal.macros().items():
        text = re.sub(rf"`FATFLY_{name}\b", number, text)
    code = compile(text.replace("&&", " and ").replace("||", " or "), "HAS_FAST", "eval")
    return lambda **values: bool(eval(code, {}, values))  # pylint: disable=eval-used


def proven() -> tuple[set[tuple[Any, ...]], set[int]]:
    """What the proofs say: (V, q or ANY, PATH, SCAN, at the root) of whole switches, depths of queues."""
    switches: set[tuple[Any, ...]] = set()
    queues = set()
    for checks in formal.proofs().values():
        for c in checks:
            given = {k: int(v) for k, v in c.params}
            if c.expect != "proved" or c.slow:
                continue
            if c.top == "fifo_any_formal":
                queues.add(given["DEPTH"])
            elif c.top == "equal_formal":
                p = {**DEFAULTS, **given}
                switches.add((p["VCS"], "any" if p["ANY"] else p["DEPTH"], p["PATH"], p["SCAN"], p["LEVEL"] == p["LEVELS"]))
    return switches, queues


def named() -> list[tuple[str, set[int]]]:
    """Each bug in a table `bit of bad_o` of docs/proofs.md, with the bits of its row."""
    found, inside = [], False
    for line in (ROOT / "docs/proofs.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        inside = line.startswith("| bit of `bad_o` |") or inside and line.startswith("|")
        row = re.search(r"(\d+)(?:-(\d+))?$", cells[0])
        if inside and row:
            found += [(bug, set(range(int(row[1]), int(row[2] or row[1]) + 1))) for bug in cells[-1].split(", ")]
    return found


def full(c: formal.Check) -> dict[str, int]:
    """The parameters of a check, also those that its top sets."""
    numbers = formal.macros()
    own = re.findall(r"parameter integer (\w+)\s*= (?:`FATFLY_)?(\w+)(?=[\s,])", (ROOT / f"tb/formal/{c.top}.v").read_text())
    return {name: int(numbers.get(value, value)) for name, value in own if value in numbers or value.isdigit()} | {k: int(v) for k, v in c.params}


def words_of(cell: str) -> set[tuple[Any, ...]]:
    """(PATH, SCAN, place, q) of a cell such as `RP with RR, FCFS; GP ROT; inner, root; q = 1, 2`: where nothing else is said RP with RR,
    a leaf, q = 2."""
    found: set[tuple[Any, ...]] = set()
    for phrase in cell.replace("RP RR, q = 2", "RP RR").split("; "):
        if phrase == "inner, root":
            found |= {("RP", "RR", place, 2) for place in ("inner", "root")}
        elif phrase.startswith("q = "):
            found |= {("RP", "RR", "leaf", int(q)) for q in phrase[4:].split(", ")}
        else:
            paths, scans = phrase.split(" with ") if " with " in phrase else phrase.rsplit(" ", 1)
            every = ["RR", "FO", "FF", "ROT", "FCFS"] if scans == "every scan" else scans.split(", ")
            found |= {(path, scan, "leaf", 2) for path in paths.split(", ") for scan in every}
    return found


def whole(slow: bool) -> dict[tuple[str, int], set[tuple[Any, ...]]]:
    """What is proven of whole switches and networks, by top and V, with --slow or without."""
    found: dict[tuple[str, int], set[tuple[Any, ...]]] = {}
    names = {number: name for name, number in formal.macros().items() if name in ("FP", "RP", "GP", "RG", "RW")}
    scans = {number: name for name, number in formal.macros().items() if name in ("RR", "FO", "FF", "ROT", "FCFS")}
    for c in (c for checks in formal.proofs().values() for c in checks):
        if c.top in ("switch_formal", "network_formal") and c.expect == "proved" and slow >= c.slow:
            p = {"VCS": 1, "LEVEL": 1, "LEVELS": 2} | full(c)
            place = {(1, 2): "leaf", (2, 3): "inner", (2, 2): "root"}.get((p["LEVEL"], p["LEVELS"]), f"s{p['LEVEL']}of{p['LEVELS']}")
            found.setdefault((c.top[:-7], p["VCS"]), set()).add((names[str(p["PATH"])], scans[str(p["SCAN"])], place, p["DEPTH"]))
    return found


def claims() -> list[str]:
    """What docs/proofs.md and its table of results say otherwise than the lists."""
    wrong, top, rows = [], "", 0
    proven_now, proven_slow = whole(False), whole(True)
    for line in (ROOT / "docs/proofs.md").read_text().splitlines():
        row = re.match(r"\| (?:(switch|network)[\w =]*, )?V = (\d)[^|]* \| (.*) \| (.*) \|$", line)
        if row:
            top, rows = row[1] or top, rows + 1
            key, said, late = (top, int(row[2])), words_of(row[3]), words_of(row[4])
            for words, want, have in (("`make formal`", said, proven_now.pop(key, set())), ("`--slow`", said | late, proven_slow.pop(key, set()))):
                wrong += [f"docs/proofs.md, {top}, V = {key[1]}, {words}: {one} is {'not proven' if one in want else 'proven, too'}" for one in want ^ have]
    wrong += [f"docs/proofs.md: no row for {top}, V = {vcs}" for top, vcs in {*proven_now, *proven_slow}]
    known = formal.proofs()
    for c in (c for checks in known.values() for c in checks):
        p = full(c)
        root = p.get("ROOT") == 1 or p.get("PORTS") == 4 or p.get("LEVEL", 0) == p.get("LEVELS", 1)
        place = re.search(r"-s(\d)of(\d)$", c.name)
        if root != (place[1] == place[2] if place else "root" in c.name + c.words):
            wrong.append(f"{c.label}: {'the root, which' if root else 'not the root, as'} its line says{' nowhere' * root}")
    labels = {c.label: (c.kind, c.expect) for some in (known, formal.bugs(known), formal.probes()) for checks in some.values() for c in checks if not c.slow}
    with open(ROOT / "docs/results/formal.csv", encoding="utf-8", newline="") as file:
        results = {r["check"]: (r["kind"], r["expect"]) for r in csv.DictReader(file)}
    wrong += [f"docs/results/formal.csv: {name} is {results.get(name, 'not there')}, in the lists {labels.get(name, 'not there')}"
              for name in sorted({*labels, *results}) if labels.get(name) != results.get(name)]
    return wrong if rows > 3 else [*wrong, "docs/proofs.md: no table of parameters"]


def main() -> int:
    fast, (switches, queues) = has_fast(), proven()
    passed = failed = 0
    for vcs in (1, 2, 4):
        for depth in range(1, 17):
            for path in range(5):
                for scan in range(5):
                    for root in (False, True):
                        built = fast(VCS=vcs, DEPTH=depth, PATH=path, SCAN=scan, LEVEL=2 if root else 1, LEVELS=2)
                        shown = (vcs, 2 if depth == 2 else "any", path, scan, root) in switches
                        shown = shown and (depth == 2 or depth in queues)
                        passed += built == shown
                        failed += built != shown
                        if built != shown:
                            print(f"FAIL V = {vcs}, q = {depth}, PATH = {path}, SCAN = {scan}{', root' if root else ''}: "
                                  f"{'built' if built else 'not built'} by rtl/switch.v, {'proven' if shown else 'not proven'}")
    bugs = formal.bugs(formal.proofs())
    broken = {c.edit[0] for checks in bugs.values() for c in checks if c.edit}
    for file in sorted((ROOT / "rtl/fast").glob("*.v")):
        name = str(file.relative_to(ROOT))
        passed += name in broken
        failed += name not in broken
        if name not in broken:
            print(f"FAIL {name}: no planted bug in tb/formal/bugs.txt")
    for bug, row in named():
        bits = bugs[bug][0].bits if bug in bugs else None
        good = bits is not None and any(bits == 1 << k for k in row)
        passed += good
        failed += not good
        if not good:
            print(f"FAIL {bug} of docs/proofs.md: {'breaks another bit' if bug in bugs else 'no such bug in tb/formal/bugs.txt'}")
    if not named():
        failed += 1
        print("FAIL docs/proofs.md: no table of bits")
    wrong = claims()
    passed += not wrong
    failed += len(wrong)
    print("".join(f"FAIL {line}\n" for line in wrong), end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
