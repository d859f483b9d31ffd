#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""limits.py - the Verilog takes what docs/switch.md says that it takes, to the ends of each range, and no more.

Usage: limits.py [RTL]      a folder of Verilog (rtl)
Icarus must take the switch at every path and number of levels with the least FLIT_W that the table of heads, or what it says
"in general", promises, and at the ends of the other ranges.  With one less, or beyond an end, the switch, the network and the
switch with AXI4-Stream ports are refused by the module that has the name of the reason: in one design, in which Icarus counts
the modules that are missing.
"""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATHS = ("fp", "rp", "gp", "rg", "rw")
HEADS = re.compile(r"^\| \d+ \| (\d+) \|(?:[^|]*\|){6} (\d+) \| (\d+) \|$", re.M)
TOO_SMALL, WIDTH = "FLIT_W_is_too_small_for_a_head", "FLIT_W_must_be_16_to_64"
Instance = tuple[str, dict[str, int]]


def ends(text: str, name: str) -> tuple[int, int]:
    """The range of a parameter, from a table."""
    m = re.search(rf"^\| `{name}`[^|]*\| (\d+) \.\. (\d+) \|", text, re.M)
    if not m:
        raise SystemExit(f"limits.py: no range of {name} in the table of parameters")
    return int(m[1]), int(m[2])


def heads(text: str) -> dict[tuple[int, int], int]:
    """The least FLIT_W, by path and number of levels: the table's, beyond it by the sentence below it."""
    table = {int(n): (int(fp), int(rest)) for n, fp, rest in HEADS.findall(text)}
    if len(table) < 6 or "dst and src have 2n bits, height ceil(log2(n+1)), path n - 1" not in text:
        raise SystemExit("limits.py: docs/switch.md has another table of heads")
    found = {}
    for n in range(1, ends(text, "LEVELS")[1] + 1):
        bits = 4 * n + n.bit_length()
        fp, rest = table.get(n, (max(16, bits + n - 1), max(16, bits)))
        found |= {(p, n): fp if name == "fp" else rest for p, name in enumerate(PATHS)}
    return found


def fat_trees(text: str) -> tuple[list[Instance], list[tuple[str, Instance]]]:
    """What must be taken, and what refused with the name of the reason."""
    taken: list[Instance] = []
    refused: list[tuple[str, Instance]] = []
    for (path, n), width in heads(text).items():
        for top in ("switch", "fatfly_switch") + (("network",) if n <= 2 else ()):
            values = {"PATH": path, "LEVELS": n, "FLIT_W": width} | ({} if top == "network" else {"LEVEL": n // 2 + 1})
            if top == "switch":
                taken.append((top, values))
            refused.append((WIDTH if width == 16 else TOO_SMALL, (top, values | {"FLIT_W": width - 1})))
    for name, reason in (("DEPTH", "DEPTH_must_be_1_to_16"), ("FLIT_W", WIDTH)):
        low, high = ends(text, name)
        for top in ("switch", "fatfly_switch", "network"):
            taken += [] if top == "network" else [(top, {name: value}) for value in (low, high)]
            refused += [(reason, (top, {name: value})) for value in (low - 1, high + 1)]
    for top, vcs in ((top, vcs) for top in ("switch", "fatfly_switch", "network") for vcs in range(6)):
        if vcs in (1, 2, 4):
            taken += [(top, {"VCS": vcs, "PATH": path, "SCAN": path}) for path in range(5) if top == "switch"]
        else:
            refused.append(("VCS_must_be_1_2_or_4", (top, {"VCS": vcs})))
    return taken, refused


def missing(rtl: pathlib.Path, instances: list[Instance]) -> dict[str, int]:
    """How often each module is missing in a design of these; a design that is refused otherwise has its words for a name."""
    lines = [f"{top} #({', '.join(f'.{name}({value})' for name, value in values.items())}) u{k} ();"
             for k, (top, values) in enumerate(instances)]
    with tempfile.NamedTemporaryFile("w", suffix=".v") as bench:
        bench.write("module limits;\n" + "\n".join(lines) + "\nendmodule\n")
        bench.flush()
        folders = [f"-y{rtl / part}" for part in (".", "fast", "cube", "axis")]
        done = subprocess.run([os.environ.get("IVERILOG", "iverilog"), "-g2005", "-t", "null", f"-I{rtl}", f"-I{rtl}/fast", *folders,
                               "-s", "limits", bench.name], capture_output=True, text=True, check=False)
    found = {name: int(count) for name, count in re.findall(r"^ +fatfly_error_(\w+) referenced (\d+) times", done.stderr, re.M)}
    return found or ({done.stderr.strip().split("\n")[0]: 1} if done.returncode else {})


def weight(one: Instance) -> int:
    """How many switches it has."""
    half = 4 ** one[1].get("LEVELS", 2) // 2
    return half - (half >> one[1].get("LEVELS", 2)) if one[0] == "network" else 1


def wrong(rtl: pathlib.Path, taken: list[Instance], refused: list[tuple[str, Instance]]) -> list[str]:
    """A line for each that is not as it must be: at first some at once, and if that is not so, each alone."""
    found = []
    for k in range(0, len(taken), 3):
        if missing(rtl, taken[k:k + 3]):
            found += [f"{top} {values}: refused, {', '.join(why)}" for top, values in taken[k:k + 3] if (why := missing(rtl, [(top, values)]))]
    want: dict[str, int] = {}
    for reason, one in refused:
        want[reason] = want.get(reason, 0) + weight(one)
    if missing(rtl, [one for _, one in refused]) != want:
        found += [f"{top} {values}: not refused by {reason}" for reason, (top, values) in refused
                  if missing(rtl, [(top, values)]) != {reason: weight((top, values))}]
        found = found or ["what is refused together is not what is refused alone"]
    return found


def main() -> int:
    rtl = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "rtl")
    taken, refused = fat_trees((ROOT / "docs/switch.md").read_text(encoding="utf-8"))
    found = wrong(rtl, taken, refused)
    for line in found:
        print(f"limits.py: {line}")
    if not found:
        print(f"{len(taken)} instances are taken and {len(refused)} refused as documented")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
