#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""inputs.py - does every input of a board's top but its clock pass two flip-flops before any logic?

Usage: inputs.py TOP CLOCK FILE [FOLDER]   module TOP of FILE, its input CLOCK; FOLDER: rtl/board, or a copy
Yosys reads it, and nothing of the self-test but its ports.  A bit of an input, or that bit inverted, must go to the D of one
flip-flop and nowhere else, and the Q of that to the D of another of the same clock, and nowhere else.  YOSYS: the program.
Says how many bits there are.  Exit codes: 0 right, 1 a bit that does not, with a line for each.
"""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
Use = tuple[str, str, int]  # cell, port, bit of it


def netlist(top: str, file: str, folder: str) -> dict:
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "top.json"
        script = (f"read_verilog -lib -I{ROOT}/rtl {folder}/selftest.v {ROOT}/tb/board/BUFG.v; read_verilog -I{ROOT}/rtl {folder}/selftest_board.v; "
                  + (f"read_verilog {file}; " if top != "selftest_board" else "")
                  + f"hierarchy -check -top {top}; proc; flatten; opt_clean -purge; write_json {out}")
        subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", script], check=True)
        return json.loads(out.read_text(encoding="utf-8"))["modules"][top]


class Netlist:
    def __init__(self, module: dict) -> None:
        self.cells = module["cells"]
        self.uses: dict[int, list[Use]] = {}
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                if cell["port_directions"][port] == "input":
                    for i, bit in enumerate(bits):
                        self.uses.setdefault(bit, []).append((name, port, i))
        for name, port_ in module["ports"].items():
            if port_["direction"] == "output":
                for i, bit in enumerate(port_["bits"]):
                    self.uses.setdefault(bit, []).append(("", name, i))

    def flop(self, bit: int) -> dict | str:
        """The one flip-flop that a bit goes to, with the bit of its Q; or why there is none."""
        uses = self.uses.get(bit, [])
        if len(uses) != 1:
            return f"goes to {len(uses)} places"
        cell = self.cells.get(uses[0][0], {"type": "an output"})
        if cell["type"] != "$dff" or uses[0][1] != "D":
            return f"goes to {cell['type']} {uses[0][1]}"
        return {"clock": (cell["connections"]["CLK"], cell["parameters"]["CLK_POLARITY"]), "q": cell["connections"]["Q"][uses[0][2]]}

    def passes(self, bit: int) -> str:
        """What is wrong with a bit of an input; nothing if it passes two flip-flops."""
        uses = self.uses.get(bit, [])
        if len(uses) == 1 and self.cells.get(uses[0][0], {}).get("type") == "$not":
            bit = self.cells[uses[0][0]]["connections"]["Y"][uses[0][2]]
        first = self.flop(bit)
        if isinstance(first, str):
            return first
        second = self.flop(first["q"])
        if isinstance(second, str):
            return f"after one flip-flop {second}"
        return "" if first["clock"] == second["clock"] else "passes two flip-flops of different clocks"


def main() -> int:
    top, clock, file = sys.argv[1:4]
    module = netlist(top, file, sys.argv[4] if len(sys.argv) > 4 else str(ROOT / "rtl/board"))
    wires = Netlist(module)
    bits = [(name, bit) for name, port in module["ports"].items() if port["direction"] != "output" and name != clock for bit in port["bits"]]
    bad = 0
    for name, bit in bits:
        if why := wires.passes(bit):
            print(f"inputs.py: {top}: {name} {why}")
            bad += 1
    print(f"{top}: {len(bits)} asynchronous inputs")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
