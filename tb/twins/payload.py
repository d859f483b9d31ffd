#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""payload.py - what a switch or router carries, it does not read: of a flit no bit beyond those of a head reaches anything
but the same bit of what leaves, in no cycle and for no value of the others.

usage: payload.py [--only TEXT] [RTL]      RTL: a folder of Verilog (rtl); --only: instances with that text

Yosys reads each instance flat, as words.  Of what works bit by bit (BITWISE), bit k leads to bit k, of any other cell all to all.  From bit b of every input the outputs are sought that it can
change, through any number of gates and flip-flops: they must be bits b of the outputs, and of each output that a
flit can leave by.  So no word, however rare, is treated in another way than any other.  What a head's bits do is for the
other tests.
Prints a line for each instance and `N passed, N failed`.
"""
from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = (".", "fast", "cube", "axis")
BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$mux", "$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$pmux", "$bwmux", "$pos"}
Instance = tuple[str, dict[str, int]]


def instances() -> list[Instance]:
    """Both switches, the router, the switch with AXI4-Stream ports: V, every path and scan, every kind of queue, three widths."""
    rows: list[Instance] = []
    for k, (vcs, depth, path, scan, impl) in enumerate([
            (1, 1, 0, 2, 1), (2, 2, 1, 0, 1), (4, 3, 4, 4, 1),                       # the reference
            (1, 2, 1, 0, 2), (1, 2, 1, 3, 2), (2, 2, 1, 1, 2),                      # ports of their own
            (1, 1, 2, 2, 2), (1, 3, 3, 4, 2), (2, 16, 0, 3, 2), (4, 2, 1, 0, 2)]):
        rows.append(("switch", {"VCS": vcs, "DEPTH": depth, "PATH": path, "SCAN": scan, "IMPL": impl, "LEVEL": 1 + k % 3, "LEVELS": 3, "FLIT_W": (24, 33, 64)[k % 3]}))
    for k, vcs in enumerate((1, 2, 4)):
        rows.append(("fatfly_switch", {"VCS": vcs, "LEVEL": 1 + k % 2, "LEVELS": 2, "FLIT_W": (32, 64, 24)[k]}))
    rows.append(("fatfly_switch_lanes", {"VCS": 2, "LEVEL": 1, "LEVELS": 2, "FLIT_W": 32}))
    for k, (vcs, depth, scan, nhop) in enumerate([(1, 1, 3, 0), (2, 2, 0, 0), (3, 1, 1, 1)]):
        rows.append(("cube", {"VCS": vcs, "DEPTH": depth, "SCAN": scan, "NHOP": nhop, "TORUS": int(k > 0), "K": 4, "FLIT_W": (16, 33, 24)[k]}))
    return rows


def head_bits(top: str, of: dict[str, int]) -> int:
    """Bits from 0 on that a head has for itself (route.v, cube_route.v)."""
    levels = of.get("LEVELS", 0)
    return 2 * (of["K"] - 1).bit_length() if top == "cube" else 4 * levels + levels.bit_length() + levels - 1


def netlists(rtl: pathlib.Path, rows: list[Instance]) -> list[dict[str, Any]]:
    """Each instance flat, with memories as registers."""
    with tempfile.TemporaryDirectory() as folder:
        sources = " ".join(str(f) for part in PARTS for f in sorted((rtl / part).glob("*.v")))
        script = [f"read_verilog -defer -I{rtl} -I{rtl}/fast {sources}", "design -save read"]
        for k, (top, of) in enumerate(rows):
            script += ["design -load read", f"hierarchy -check -top {top} " + " ".join(f"-chparam {name} {value}" for name, value in of.items()),
                       "proc -noopt", "setattr -mod -unset keep_hierarchy *", "flatten", "memory -nomap", "memory_map", "opt_clean",
                       f"write_json {folder}/{k}.json"]
        done = subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", "; ".join(script)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"payload.py: yosys: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
        every = [json.loads(pathlib.Path(folder, f"{k}.json").read_text())["modules"] for k in range(len(rows))]
    return [next(module for module in modules.values() if "top" in module["attributes"]) for modules in every]


def lanes(module: dict[str, Any], direction: str, width: int) -> list[list[Any]]:
    """The words of the ports that carry flits: their payload, bit by bit."""
    found = []
    for name, port in module["ports"].items():
        if port["direction"] == direction and ("flit" in name or name.endswith("tdata")):
            step = width + 2 if "flit" in name else width
            found += [port["bits"][at:at + width] for at in range(0, len(port["bits"]), step)]
    return found


def faults(module: dict[str, Any], top: str, of: dict[str, int]) -> list[str]:
    width, first = of["FLIT_W"], head_bits(top, of)
    onward: dict[Any, set[Any]] = collections.defaultdict(set)
    for cell in module["cells"].values():
        pins, outs = cell["connections"], [bits for pin, bits in cell["connections"].items() if cell["port_directions"][pin] == "output"]
        for pin, bits in pins.items():
            wide = cell["type"] in BITWISE and len(bits) > 1 and pin != "S"
            for k, bit in enumerate(bits if cell["port_directions"][pin] == "input" else []):
                for out in outs:
                    onward[bit] |= {out[k % len(out)]} if wide else set(out)
    names = {bit: f"{name}[{k}]" for name, port in module["ports"].items() if port["direction"] == "output" for k, bit in enumerate(port["bits"])}
    entering, leaving = lanes(module, "input", width), lanes(module, "output", width)
    found, ways = [], set()
    for b in range(first, width):
        met = {word[b] for word in entering}
        new = list(met)
        while new:
            for bit in onward[new.pop()] - met:
                met.add(bit)
                new.append(bit)
        there = {word[b] for word in leaving if not isinstance(word[b], str)}
        found += [f"bit {b} of a flit reaches {names[bit]}" for bit in sorted(met & names.keys() - there)]
        ways.add(sum(word[b] in met for word in leaving))
    return found + ([] if len(ways) == 1 and max(ways) >= 4 else [f"bits from {first} on leave by {sorted(ways)} outputs"])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("rtl", nargs="?", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--only", metavar="TEXT", default="")
    got = parser.parse_args()
    rows = [row for row in instances() if got.only in f"{row[0]} {row[1]}"]
    passed = 0
    for (top, of), module in zip(rows, netlists(got.rtl.resolve(), rows)):
        wrong = faults(module, top, of)
        passed += not wrong
        text = " ".join(f"{name}={value}" for name, value in of.items())
        print(f"FAIL {top} {text}: {wrong[0]}; {len(wrong)} in all" if wrong else f"PASS {top} {text}: bits {head_bits(top, of)} to {of['FLIT_W'] - 1}")
    print(f"{passed} passed, {len(rows) - passed} failed")
    return 0 if rows and passed == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
