#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""resets.py - one clock edge with reset high gives every register of the Verilog a value that depends on nothing else, and none has
an initial value, so that what a switch, router or network does after a reset does not depend on what it did before.

usage: resets.py [--only TEXT] [RTL]      RTL: a folder of Verilog (rtl); --only: instances with that text

Yosys reads both switches, the router and the switch with AXI4-Stream ports as flip-flops and gates.  With the reset of
each module high and all else unknown, what enters each flip-flop is worked out bit by bit: it must be a constant.  DATA lists
the registers without a reset, each with the reason why it needs none.
Prints a line for each register that is not so and `N passed, N failed`.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTED = "the count or the valid bit of its queue says whether it is read"
BEHIND = "read only where a flit waits behind the first"
DATA = {
    "fifo": {"front_q": COUNTED, "mem_q": COUNTED}, "fifo_fast": {"front_q": COUNTED, "mem_q": COUNTED},
    "port_fast": {"even_q": COUNTED, "odd_q": COUNTED, "g_rp.parent_q": "up_q says whether it is read", "body_q": "read only where want_q is not zero"},
    "port_one": {"even_q": COUNTED, "odd_q": COUNTED, "digit_q": BEHIND, "up_q": BEHIND, "fork_q": BEHIND, "behind_q": BEHIND,
                 "height_q": "read only where a head waits"},
    "port_pair": {"even_q": COUNTED, "odd_q": COUNTED, "behind_q": BEHIND, "drawn_q": "a random bit of the cycle before, which is a reset's"},
    "switch_ref": {"c": "the variable of a loop"},
    "lfsr": {"lfsr_q": "takes the seed: the proof `lfsr`, and the step `spec` in every cycle"},
}
PARTS = (".", "fast", "cube", "axis")
RESETS = {"rst_i": "1", "aresetn": "0"}     # and the value that resets
Bit = Any                                   # of Yosys: a number, or "0" and the like


def instances() -> Iterator[str]:
    """Switches and routers that have every register between them.  What a network hands on is in the step `wiring`."""
    reset, low = ".clk_i(clk), .rst_i(1'b1), .seed_i(seed)", ".aclk(clk), .aresetn(1'b0)"
    rows = [(2, scan % 3 + 1, scan, scan, 1) for scan in range(5)]      # V, q, path, scan, IMPL
    rows += [(vcs, 2, (scan + vcs) % 4, scan, 2) for vcs in (1, 2) for scan in range(5)]
    rows += [(1, 3, 1, 0, 2), (2, 1, 0, 2, 2), (4, 2, 1, 0, 2)]
    for k, (vcs, depth, path, scan, impl) in enumerate(rows):
        yield f"switch #(.VCS({vcs}), .DEPTH({depth}), .FLIT_W(16), .PATH({path}), .SCAN({scan}), .LEVEL({1 + k % 4 // 3}), .LEVELS(2), " \
              f".IMPL({impl}), .PROBE({int(k in (9, 13))})) NAME ({reset});"
    for vcs in (1, 2):
        yield f"fatfly_switch_lanes #(.VCS({vcs}), .FLIT_W(16), .LEVEL(2)) NAME ({low});"
    for vcs, depth, scan, nhop in ((1, 1, 3, 0), (3, 3, 0, 0), (9, 1, 1, 1)):
        yield f"cube #(.TORUS({nhop}), .NHOP({nhop}), .VCS({vcs}), .DEPTH({depth}), .FLIT_W(16), .SCAN({scan})) NAME ({reset});"
    yield f"cube_one #(.FLIT_W(16)) NAME ({reset});"


def netlist(rtl: pathlib.Path, only: str) -> dict[str, Any]:
    lines = "\n".join(line.replace("NAME", f"u{k}") for k, line in enumerate(instances()) if only in line)
    with tempfile.TemporaryDirectory() as folder:
        bench, out = pathlib.Path(folder) / "resets.v", pathlib.Path(folder) / "resets.json"
        bench.write_text(f"module resets (input wire clk, input wire [31:0] seed);\n{lines}\nendmodule\n")
        sources = " ".join(str(f) for part in PARTS for f in sorted((rtl / part).glob("*.v")))
        script = f"read_verilog -I{rtl} -I{rtl}/fast {sources} {bench}; hierarchy -check -top resets; proc -noopt; write_json {out}"
        done = subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", script], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"resets.py: yosys: {done.stderr.strip().splitlines()[-1]}")
        return json.loads(out.read_text())["modules"]


class Module:
    """What the bits of a module are while its reset is high: "0", "1", or None for what is not known."""

    def __init__(self, module: dict[str, Any]) -> None:
        self.cells, self.known, self.driver = module["cells"], {}, {}
        for name, value in RESETS.items():
            if name in module["ports"]:
                self.known[module["ports"][name]["bits"][0]] = value
        for cell in self.cells.values():
            for k, bit in enumerate(cell["connections"].get("Y", ())):
                self.driver[bit] = (cell, k)

    def value(self, bit: Bit) -> str | None:
        if isinstance(bit, str):
            return bit if bit in "01" else None
        if bit not in self.known:
            self.known[bit] = None
            if bit in self.driver:
                self.known[bit] = self.gate(*self.driver[bit])
        return self.known[bit]

    def gate(self, cell: dict[str, Any], k: int) -> str | None:
        pins, kind = cell["connections"], cell["type"]
        a = pins.get("A", [])

        def at(name: str) -> str | None:   # without a sign, as these have none
            return self.value(pins[name][k]) if k < len(pins[name]) else "0"

        if kind in ("$and", "$or"):
            both, wins = (at("A"), at("B")), "0" if kind == "$and" else "1"
            return wins if wins in both else both[0] if both[0] == both[1] else None
        if kind == "$not":
            return {"0": "1", "1": "0", None: None}[at("A")]
        if kind == "$mux":
            chosen = self.value(pins["S"][0])
            either = {at(name) for name in ("A", "B") if chosen is None or name == "AB"[int(chosen)]}
            return either.pop() if len(either) == 1 else None
        if kind in ("$logic_not", "$logic_and", "$logic_or", "$reduce_or", "$reduce_bool", "$reduce_and") and k == 0:
            every = kind in ("$reduce_and", "$logic_and")
            if kind in ("$logic_and", "$logic_or"):
                given = [self.any(a), self.any(pins["B"])]
            else:
                given = [self.value(bit) for bit in a]
            wins = "0" if every else "1"
            out = wins if wins in given else None if None in given else "1" if every else "0"
            return {"0": "1", "1": "0", None: None}[out] if kind == "$logic_not" else out
        return None

    def any(self, bits: list[Bit]) -> str | None:
        given = [self.value(bit) for bit in bits]
        return "1" if "1" in given else None if None in given else "0"


def excused(kind: str, name: str) -> bool:
    return any(f".{name}".endswith(f".{end}") for end in DATA.get(kind, ()))


def wrong_in(kind: str, module: dict[str, Any], modules: dict[str, Any], met: set[str]) -> list[str]:
    """What is not as it must be; the places of its registers are met."""
    inside, found = Module(module), []
    nets = module["netnames"] | module.get("memories", {})
    names = {bit: name for name, net in module["netnames"].items() for bit in net["bits"] if name.endswith("_q") or excused(kind, name)}
    used = {bit for cell in module["cells"].values() for pin, bits in cell["connections"].items() if pin != "Q" for bit in bits}
    found += [f"{name} has an initial value" for name, net in module["netnames"].items() if "init" in net["attributes"]]
    registers = set(module.get("memories", {}))
    found += [f"{name} has no reset" for name in registers if not excused(kind, name)]
    for cell in module["cells"].values():
        pins = cell["connections"]
        if cell["type"] in modules:
            for name, value in RESETS.items():
                if name in modules[cell["type"]]["ports"] and [inside.value(bit) for bit in pins.get(name, [])] != [value]:
                    found.append(f"the reset of a {plain(cell['type'])} is not its own")
        elif cell["type"] == "$dff":
            name = names.get(pins["Q"][0], "")
            if name or used & set(pins["Q"]):
                registers.add(name)
                if not excused(kind, name) and None in map(inside.value, pins["D"]):
                    found.append(f"{name or 'a register without a name in _q'} has no reset")
        elif re.search("ff|latch", cell["type"]):
            found.append(f"a {cell['type']}; allowed: flip-flops with a reset at the clock edge")
    met |= {":".join(re.findall(r"(\w+\.v:\d+)", nets[name]["attributes"]["src"])) for name in registers if name}
    return found


def plain(name: str) -> str:
    return name.rpartition("\\")[2] if "$paramod$" in name else name.split("\\")[1] if "$paramod" in name else name


def declared(rtl: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Place and name of every register of the sources."""
    for part in PARTS:
        for file in sorted((rtl / part).glob("*.v")):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                if m := re.match(r" *reg +(?:\[[^]]*\] *)?(\w+_q)\b", line):
                    yield f"{file.name}:{number}", m[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("rtl", nargs="?", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--only", metavar="TEXT", default="")
    got = parser.parse_args()
    rtl, met, wrong = got.rtl.resolve(), set(), set()
    modules, there = netlist(rtl, got.only), dict(declared(rtl))
    for name, module in modules.items():
        wrong |= {f"{plain(name)}: {why}" for why in wrong_in(plain(name), module, modules, met)}
    if got.only:
        there = {place: name for place, name in there.items() if place in met}
    wrong |= {f"{place}: {name} was not looked at" for place, name in there.items() if place not in met}
    for line in sorted(wrong):
        print(f"FAIL {line}")
    print(f"{len(there) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or len(there) < (1 if got.only else 50) else 0


if __name__ == "__main__":
    sys.exit(main())
