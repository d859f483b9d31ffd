# SPDX-License-Identifier: Apache-2.0
"""codes.py - the wiring of a network as Icarus builds it, some ten times faster than Yosys reads it, so that every size can be read.

The switches are empty modules that send on every bit of every output a number that no other bit has, and print what reaches their
inputs; the bench does so at the network's own ports.  A number is sent bit by bit, then turned over bit by bit, which no `and` or
`or` of two of them survives, then a 0, by which a wire that turns bits over is known.  `read` returns what Yosys would write.
"""
from __future__ import annotations

import argparse
import itertools
import os
import pathlib
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

Bit = Any                  # as in wiring.py

BITS = 18                  # of a number
LOW = 7                    # of these, which bit of a switch; the rest, which switch
STEPS = 2 * BITS + 1

VERILOG = """`include "flit.vh"
STUB
);
  localparam integer SENT = PORTS * (2 * VCS + FLIT_W + 2);
  reg [SENT-1:0] sent;
  reg            bit_;      // of the numbers of the switches, turn by turn
  integer        self, t;
  assign {in_room_o, out_valid_o, out_flit_o} = sent;
  assign probe_o = bit_;
  initial begin
    #1 self = bench.count;
    bench.count = self + 1;
    $display("cell %0d TOLD", self, NAMES);
    for (t = 0; t < STEPS; t = t + 1) begin
      // On bit k the number k + self * 2^LOW.
      sent = (t % BITS < LOW) ? bench.counted[t%BITS] : {SENT{self[t%BITS-LOW]}};
      sent = (t < BITS) ? sent : (t < 2 * BITS) ? ~sent : {SENT{1'b0}};
      bit_ = (t < BITS) ? self[t] : (t < 2 * BITS) ? ~self[t-BITS] : 1'b0;
      #1 $display("into %0d %b", self, {INTO, seed_i, rst_i, clk_i, out_room_i, in_valid_i, in_flit_i});
      #1 ;
    end
  end
endmodule

module bench;
  localparam integer LINK    = VCS * NODES;
  localparam integer SENT    = 34 + 2 * LINK + (FLIT_W + 2) * NODES;
  wire [LINK-1:0]             inj_room, ej_valid;
  wire [(FLIT_W+2)*NODES-1:0] ej_flit;
  wire [SWITCHES-1:0]         probe;
  wire [SENT-1:0]             counted [0:BITS-1]; // of the numbers k on bits k, bit by bit
  reg  [SENT-1:0]             sent;
  integer                     count, t;
  genvar                      j;
  generate
    for (j = 0; j < BITS; j = j + 1) begin : g_bit
      assign counted[j] = {(SENT >> (j + 1)) + 1{{1 << j{1'b1}}, {1 << j{1'b0}}}};
    end
  endgenerate
  TOP #(SET) u_top (
    .seed_i(sent[31:0]), .rst_i(sent[32]), .clk_i(sent[33]), .ej_room_i(sent[34+:LINK]), .inj_valid_i(sent[34+LINK+:LINK]),
    .inj_flit_i(sent[34+2*LINK+:(FLIT_W+2)*NODES]), .inj_room_o(inj_room), .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .probe_o(probe)
  );
  initial begin
    count = 0;
    #1 ;
    for (t = 0; t < STEPS; t = t + 1) begin
      sent = (t % BITS == BITS - 1) ? {SENT{1'b1}} : counted[t%BITS]; // above all of the switches
      sent = (t < BITS) ? sent : (t < 2 * BITS) ? ~sent : {SENT{1'b0}};
      #1 $display("into %0d %b", SWITCHES, {inj_room, ej_valid, ej_flit});
      $display("into %0d %b", SWITCHES + 1, probe);
      #1 ;
    end
  end
endmodule
"""


def source(options: argparse.Namespace, cell: str, network: str, parameters: dict[str, int], told: Sequence[str]) -> str:
    """An empty switch, whose probe is one bit, and a bench around the network."""
    stub = (pathlib.Path(options.rtl) / cell).read_text().partition("\n);\n")[0]
    stub = re.sub(r"(parameter integer PROBE_W +=) .*?\n\) \(", r"\1 1\n) (", stub, flags=re.S)
    cube = "K" in parameters
    nodes = parameters["K"] ** 2 if cube else 4 ** parameters["LEVELS"]
    sent = (5 if cube else 6) * (2 * parameters["VCS"] + parameters["FLIT_W"] + 2)
    if sent > 1 << LOW:
        raise SystemExit(f"codes.py: {sent} bits leave a switch; allowed: {1 << LOW}; fewer with a smaller --flit-w")
    own = {"PORTS": 5 if cube else 6, "STEPS": STEPS, "BITS": BITS, "LOW": LOW, "NODES": nodes, "SWITCHES": nodes if cube else nodes // 2 - 2 ** (parameters["LEVELS"] - 1)}
    text = VERILOG.replace("STUB", stub).replace("TOLD", "%0d " * len(told)).replace("NAMES", ", ".join(told))
    text = text.replace("TOP", pathlib.Path(network).stem).replace("INTO, ", "node_i, " if cube else "")
    text = text.replace("SET", ", ".join(f".{name}({value})" for name, value in {**parameters, "PROBE_W": 1}.items()))
    head, bench, rest = text.partition("module bench;")
    for name, value in own.items():
        head, rest = (re.sub(rf"\b{name}\b", str(value), part) for part in (head, rest))
    for name, value in parameters.items():
        rest = re.sub(rf"(?<!\.)\b{name}\b", str(value), rest)
    return head + bench + rest


def received(columns: Sequence[str]) -> Iterator[Bit]:
    """Of each bit, lowest first: its number, "0", "1", (number,) where it comes turned over, or "x" for nothing of these."""
    turn = str.maketrans("01", "10")
    for steps in zip(*(column[::-1] for column in columns), strict=True):
        line = "".join(steps)
        plain = line[:-1].translate(turn) if line[-1] == "1" else line[:-1]
        if len(set(line)) == 1:
            yield line[0]
        elif re.search("[^01]", line) or plain[BITS:] != plain[:BITS].translate(turn):
            yield "x"
        else:
            number = int(plain[BITS - 1::-1], 2)
            yield (number,) if line[-1] == "1" else number


def read(options: argparse.Namespace, cell: str, network: str, parameters: dict[str, int]) -> dict[str, Any]:
    """The network's module: its ports and its switches, their parameters, and the gates before their seeds."""
    told = [*parameters, *(["LEVEL"] if "LEVELS" in parameters else [])]
    folder = pathlib.Path(options.build) / "wiring"
    folder.mkdir(parents=True, exist_ok=True)
    file, program = folder / f"codes-{os.getpid()}.v", folder / f"codes-{os.getpid()}.vvp"
    file.write_text(source(options, cell, network, parameters, told))
    subprocess.run([os.environ.get("IVERILOG", "iverilog"), "-g2005", f"-I{options.rtl}", "-s", "bench", "-o", program, file,
                    f"{options.rtl}/{network}"], check=True)
    thin = program.with_suffix(".thin")
    with thin.open("w") as out:  # without what costs time and changes nothing
        subprocess.run(["awk", "-f", "tb/lib/thin.awk", program, program], check=True, stdout=out)
    text = subprocess.run(["vvp", "-n", thin], check=True, capture_output=True, text=True).stdout
    for made in (file, program, thin):
        made.unlink()
    cells, columns = {}, {}
    for line in text.splitlines():
        what, *rest = line.split()
        if what == "cell":
            cells[int(rest[0])] = {name: f"{int(value):b}" for name, value in zip(told, rest[1:], strict=True)}
        else:
            columns.setdefault(int(rest[0]), []).append(rest[1])
    return module_of(parameters, cells, {who: list(received(lines)) for who, lines in columns.items()})


def module_of(parameters: dict[str, int], cells: dict[int, dict[str, str]], got: dict[int, list[Bit]]) -> dict[str, Any]:
    ports = 5 if "K" in parameters else 6
    vcs, flit = parameters["VCS"], parameters["FLIT_W"] + 2
    places = got.pop(len(cells) + 1)  # of the turn in probe_o, the switch
    nodes = len(got[len(cells)]) // (2 * vcs + flit)

    def named(bits: Sequence[Bit], *sizes: tuple[str, int]) -> dict[str, list[Bit]]:
        rest = iter(bits)
        return {name: list(itertools.islice(rest, size)) for name, size in sizes}

    first = 1 << (BITS - 1)
    top = named(range(first, 2 * first), ("seed_i", 32), ("rst_i", 1), ("clk_i", 1), ("ej_room_i", vcs * nodes),
                ("inj_valid_i", vcs * nodes), ("inj_flit_i", flit * nodes))
    top |= named(got[len(cells)], ("ej_flit_o", flit * nodes), ("ej_valid_o", vcs * nodes), ("inj_room_o", vcs * nodes))
    probe = {who: f"probe {turn}" for turn, who in enumerate(places)}
    top["probe_o"] = [f"probe {turn}" for turn in range(len(places))]
    module: dict[str, Any] = {"ports": {name: {"bits": bits} for name, bits in top.items()}, "cells": {}}
    for who, parameter in cells.items():
        each = named(range(who << LOW, 2 * first), ("out_flit_o", ports * flit), ("out_valid_o", ports * vcs),
                     ("in_room_o", ports * vcs))
        each |= named(got[who], ("in_flit_i", ports * flit), ("in_valid_i", ports * vcs), ("out_room_i", ports * vcs), ("clk_i", 1), ("rst_i", 1),
                      ("seed_i", 32), ("node_i", len(got[who])))
        seed = each["seed_i"]
        each["seed_i"] = [f"seed {who} {k}" for k in range(32)]
        each["probe_o"] = [probe.get(who)]
        gate = {"A": [b[0] if isinstance(b, tuple) else b for b in seed], "B": ["01"[isinstance(b, tuple)] for b in seed], "Y": each["seed_i"]}
        module["cells"][f"seed {who}"] = {"type": "$xor", "connections": gate}
        module["cells"][f"switch {who}"] = {"type": "cube" if "K" in parameters else "switch", "parameters": parameter, "connections": each}
    return module
