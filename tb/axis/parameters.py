#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parameters.py - does each parameter of fatfly_switch and of fatfly_switch_lanes reach the switch inside, whatever its value?

Usage: parameters.py FOLDER [FILE]   FOLDER: for what is built; FILE: in place of the one of rtl/axis that has its name
Each value that is allowed stands in a set at least, beside others that are drawn.  Icarus builds the wrappers with each set, around a
switch that says what it was told and nothing else.  Exit codes: 0 right, 1 a switch was told something else, with a line for each.
"""
from __future__ import annotations

import os
import pathlib
import random
import subprocess
import sys
from collections.abc import Iterator

RTL = pathlib.Path(__file__).resolve().parents[2] / "rtl"
VALUES = {"VCS": [1, 2, 4], "DEPTH": range(1, 17), "FLIT_W": range(16, 65), "PATH": range(5), "SCAN": range(5), "LEVEL": range(1, 11),
          "LEVELS": range(1, 11), "SEED": [0, (1 << 32) - 1, *(1 << bit for bit in range(32))]}
LANES = 20                             # sets of the streams by name, which take longer: not all widths and seeds
# As in switch.v and fifo_fast.v, but for what they do.
INSIDE = """module switch #(parameter integer VCS = 9, DEPTH = 9, FLIT_W = 9, PATH = 9, SCAN = 9, LEVEL = 9, LEVELS = 9) (
  input wire clk_i, rst_i, input wire [31:0] seed_i, input wire [6*VCS-1:0] in_valid_i, input wire [6*FLIT_W+11:0] in_flit_i,
  output wire [6*VCS-1:0] in_room_o, out_valid_o, output wire [6*FLIT_W+11:0] out_flit_o, input wire [6*VCS-1:0] out_room_i);
  initial #1 $display("%m %0d %0d %0d %0d %0d %0d %0d %0d", VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS, seed_i);
endmodule
module fifo_fast #(parameter integer WIDTH = 1, DEPTH = 1) (input wire clk_i, rst_i, push_i, input wire [WIDTH-1:0] data_i,
  input wire pop_i, output wire [WIDTH-1:0] data_o, output wire valid_o, room_o);
endmodule
"""


def sets() -> Iterator[tuple[int, ...]]:
    """Each column has its values in an order that is drawn, again and again, as far as the longest goes."""
    draw = random.Random(1)
    columns = [draw.sample(list(values), len(values)) for values in VALUES.values()]
    for row in range(max(map(len, columns))):
        yield tuple(column[row % len(column)] for column in columns)


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    files = {name: str(RTL / "axis" / name) for name in ("fatfly_switch.v", "fatfly_switch_lanes.v")}
    files |= {pathlib.Path(file).name: file for file in sys.argv[2:]}
    bench, want = [INSIDE, "module tb;\n"], {}
    for k, values in enumerate(sets()):
        given = ", ".join(f".{name}(32'd{value})" for name, value in zip(VALUES, values))
        for top, inside in (("fatfly_switch", "u_switch"), ("fatfly_switch_lanes", "u_switch.u_switch"))[:2 if k < LANES else 1]:
            bench.append(f"  {top} #({given}) {top}{k} ();\n")
            want[f"tb.{top}{k}.{inside}"] = list(values)
    (folder / "parameters.v").write_text("".join([*bench, "endmodule\n"]), encoding="utf-8")
    subprocess.run([os.environ.get("IVERILOG", "iverilog"), "-g2005", f"-I{RTL}", "-s", "tb", "-o", str(folder / "parameters.vvp"),
                    str(folder / "parameters.v"), *files.values()], check=True)
    said = subprocess.run(["vvp", "-N", str(folder / "parameters.vvp")], check=True, capture_output=True, text=True).stdout
    told = {line.split()[0]: list(map(int, line.split()[1:])) for line in said.splitlines()}
    wrong = [name for name in want if told.get(name) != want[name]]
    for name in wrong[:5]:
        print(f"parameters.py: {name}: told {told.get(name)}, not {want[name]}, of {' '.join(VALUES)}")
    return 1 if wrong or told.keys() != want.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
