#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""limits.py - the Verilog takes what docs/switch.md and docs/cube.md say that it takes, to the ends of each range, and no more.

Usage: limits.py [--cubes FATFLY] [RTL]      RTL: a folder of Verilog (rtl)
       limits.py RTL WORDS                   of the fat-tree's instances those that have these words in their parameters
       --cubes: only the router of tori and meshes, in Verilog and, but for -, in the C model of the command FATFLY
Icarus must take the switch at every path and number of levels with the least FLIT_W that the table of heads, or what it says
"in general", promises, and at the ends of the other ranges.  With one less, or beyond an end, the switch, the network and the
switch with AXI4-Stream ports are refused by the module that has the name of the reason: in one design, in which Icarus counts
the modules that are missing.
"""
from __future__ import annotations

import itertools
import os
import pathlib
import re
import shutil
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
            taken += [(top, {"VCS": vcs, "PATH": path, "SCAN": path, "IMPL": 2 * (vcs < 4 and path < 4)}) for path in range(5) if top == "switch"]
        else:
            refused.append(("VCS_must_be_1_2_or_4", (top, {"VCS": vcs})))
    # Where there is no fast switch, FAST is refused.
    for vcs, path, scan in itertools.product((1, 2, 4), range(5), range(5)):
        if path == 4 or (vcs == 4 and (path, scan) != (1, 0)):
            values = {"VCS": vcs, "PATH": path, "SCAN": scan, "LEVELS": 1, "IMPL": 2}
            refused += [("no_fast_switch_for_these_parameters", (top, values)) for top in ("switch", "network")]
    return taken, refused


def cubes(text: str) -> tuple[list[Instance], list[tuple[str, Instance]]]:
    """The same of the router, with the least and the most channels for every radix, topology and routing."""
    if "| torus | 2 | floor(k/2) + 1 |" not in text or "| mesh | 1 | k |" not in text or "least .. 9" not in text:
        raise SystemExit("limits.py: docs/cube.md has another table of channels")
    taken: list[Instance] = []
    refused: list[tuple[str, Instance]] = []
    low, high = ends(text, "K")
    for k, torus, nhop in itertools.product(range(low - 1, high + 2), (1, 0), (0, 1)):
        least = (k // 2 + 1 if torus else k) if nhop else 2 if torus else 1
        for vcs in (least - 1, least, 9, 10):
            values = {"K": k, "TORUS": torus, "NHOP": nhop, "VCS": vcs}
            if not low <= k <= high:
                refused += [("K_must_be_2_to_16", ("cube", values))] * (least <= vcs <= 9 and not nhop)
            elif torus and nhop and k % 2:
                refused += [("K_must_be_even_for_NHOP_on_a_torus", ("cube", values))] * (least <= vcs <= 9)
            elif least <= vcs <= 9:
                taken.append(("cube", values))
            else:
                refused.append(("VCS_must_be_what_the_routing_needs_to_9", ("cube", values)))
    for name, reason in (("DEPTH", "DEPTH_must_be_1_to_16"), ("FLIT_W", WIDTH)):
        for value, less in zip(ends(text, name), (-1, 1)):
            taken.append(("cube", {name: value}))
            refused.append((reason, ("cube", {name: value + less})))
    for scan in range(6):
        if scan in (0, 1, 3):
            taken.append(("cube", {"SCAN": scan}))
        else:
            refused.append(("SCAN_must_be_RR_FO_or_ROT", ("cube", {"SCAN": scan})))
    return taken, refused


def emptied(rtl: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The router with empty parts, which is built in no time."""
    (folder / "cube").mkdir(parents=True)
    for file in (*rtl.glob("*.v"), *rtl.glob("fast/*.v"), *rtl.glob("cube/*.v")):
        text = file.read_text(encoding="utf-8")
        (folder / "cube" / file.name).write_text(text if file.name == "cube.v" else text.partition("\n);\n")[0] + "\n);\nendmodule\n", encoding="utf-8")
    shutil.copy(rtl / "flit.vh", folder)
    return folder


def of_model(fatfly: str, folder: pathlib.Path, some: list[Instance]) -> bool:
    """Whether the C model takes all of these as lines of sim/cubes.txt."""
    lines = []
    for _, given in some:
        v = {"K": 4, "TORUS": 1, "NHOP": 0, "VCS": 2, "DEPTH": 2, "FLIT_W": 32, "SCAN": 3} | given
        scan = ("rr", "fo", "ff", "rot", "fcfs", "none")[v["SCAN"]]
        kind, path = ("mesh", "torus")[v["TORUS"]], ("ecube", "nhop")[v["NHOP"]]
        lines.append(f"{kind}{v['K']}-v{v['VCS']}-q{v['DEPTH']}-w{v['FLIT_W']}-{path}-{scan} open 100\n")
    (folder / "cubes.txt").write_text("".join(dict.fromkeys(lines)), encoding="utf-8")
    code = subprocess.run([fatfly, "cosim", "--sim", folder, "--list"], capture_output=True, check=False).returncode
    return code == 0


def main_cubes(fatfly: str, rtl: pathlib.Path) -> int:
    taken, refused = cubes((ROOT / "docs/cube.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        sim = pathlib.Path(name, "sim")
        for part in ("cases", "traces"):
            (sim / part).mkdir(parents=True)
        for part in ("matrix.txt", "reference.txt"):
            (sim / part).write_text("# none\n", encoding="utf-8")
        found = [f"Verilog: {line}" for line in wrong(emptied(rtl, pathlib.Path(name, "rtl")), taken, refused, 12)]
        if fatfly != "-":
            if not of_model(fatfly, sim, taken):
                found += [f"C: {one}: refused" for one in taken if not of_model(fatfly, sim, [one])]
            found += [f"C: {one}: not refused, {reason}" for reason, one in refused if of_model(fatfly, sim, [one])]
    for line in found:
        print(f"limits.py: {line}")
    if not found:
        print(f"{len(taken)} routers are taken and {len(refused)} refused as documented, in Verilog and C")
    return 1 if found else 0


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


def wrong(rtl: pathlib.Path, taken: list[Instance], refused: list[tuple[str, Instance]], some: int = 12) -> list[str]:
    """A line for each that is not as it must be: at first some at once, and if that is not so, each alone."""
    found = []
    for k in range(0, len(taken), some):
        if missing(rtl, taken[k:k + some]):
            found += [f"{top} {values}: refused, {', '.join(why)}" for top, values in taken[k:k + some] if (why := missing(rtl, [(top, values)]))]

    def counts_wrong(those: list[tuple[str, Instance]]) -> bool:
        want: dict[str, int] = {}
        for reason, one in those:
            want[reason] = want.get(reason, 0) + weight(one)
        return missing(rtl, [one for _, one in those]) != want

    if counts_wrong(refused):
        for k in range(0, len(refused), 12):
            if counts_wrong(part := refused[k:k + 12]):
                found += [f"{top} {values}: not refused by {reason}" for reason, (top, values) in part if counts_wrong([(reason, (top, values))])]
        found = found or ["what is refused together is not what is refused alone"]
    return found


def main() -> int:
    if sys.argv[1:2] == ["--cubes"]:
        return main_cubes(sys.argv[2], pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else "rtl"))
    rtl = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "rtl")
    taken, refused = fat_trees((ROOT / "docs/switch.md").read_text(encoding="utf-8"))
    if len(sys.argv) > 2:
        taken = [one for one in taken if sys.argv[2] in str(one[1])]
        refused = [(reason, one) for reason, one in refused if sys.argv[2] in str(one[1])]
    found = wrong(rtl, taken, refused)
    for line in found:
        print(f"limits.py: {line}")
    if not found:
        print(f"{len(taken)} instances are taken and {len(refused)} refused as documented")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
