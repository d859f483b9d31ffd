#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wiring.py - the wiring of network.v, read back from Yosys as a graph, link by link against that of
the C model and that of the specification.

Usage: wiring.py [--build DIR] [--rtl DIR] [--model PROGRAM] [--vcs V] [--flit-w BITS] LEVELS
       wiring.py --icarus ...          Icarus reads the Verilog, not Yosys: codes.py
       wiring.py --no-rtl LEVELS       the C model and the specification alone
       wiring.py --some COUNT LEVELS   the same of the first, last and COUNT other switches of every level, drawn by --seed
The switch is an empty module, so that N = 1024 takes seconds.  Compared: for each link valid, flit and
room, bit by bit; clock, reset, parameters and seed of every switch.  Prints how much agrees, or one line
that says who says what, with exit code 1.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "spec"))
import codes  # noqa: E402
import spec  # noqa: E402  (the path above)
from lots import mix  # noqa: E402

Bit = Any                  # of Yosys: a number, or "0" and the like
End = tuple[int, int]      # switch, port
Ends = dict[Any, Any]      # of a link or a switch, what a side says

PROCESSOR = -1
PASSED = {"DEPTH": 3, "SCAN": 3, "PROBE": 1}  # what each switch is told, too; not the defaults


class Wrong(Exception):
    """What is not as it must be, in a line."""


def of_specification(levels: int) -> tuple[dict[End, End], list[int], list[int]]:
    """Far ends {(switch, port): (switch, port)}, levels and seeds of the switches."""
    far, level = spec.wiring(levels)
    return far, level, [mix(s + 1) for s in range(len(level))]


def some_of_specification(levels: int, count: int, seed: int) -> tuple[dict[End, End], dict[int, int]]:
    """Far ends, by links of some switches of every level and those above them; and their seeds."""
    number, far, lot = [4 ** levels // 2 ** (level + 1) for level in range(1, levels + 1)], {}, random.Random(seed)
    for level in range(1, levels + 1):
        size, first = number[level - 1], sum(number[:level - 1])
        for address in {0, size - 1, *(lot.randrange(size) for _ in range(count))}:
            far.update({(first + address, port): (PROCESSOR, 4 * address + port) for port in range(4) if level == 1})
            above, child = spec.parents(level, address)
            for k in (0, 1) if level < levels else ():
                far[first + address, 4 + k] = first + size + above[k], child
                far[first + size + above[k], child] = first + address, 4 + k
    return far, {s: mix(s + 1) for s, _ in far}


def of_lines(text: str) -> tuple[dict[End, int], list[int]]:
    """Links by number, and seeds, of the lines of wiring.c."""
    far, seeds = {}, []
    for line in text.splitlines():
        what, *numbers = line.split()
        if what == "link":
            s, port, link = map(int, numbers)
            far[s, port] = link
        else:
            seeds.append(int(numbers[1], 16))
    return far, seeds


def of_model(program: str, levels: int, asked: Sequence[int] | None = None) -> tuple[dict[End, End], list[int]]:
    """The same of the C model, less the levels; of the switches asked for, whose seeds are in that order."""
    text = subprocess.run([program, str(levels), *["-"][:asked is not None]], check=True, capture_output=True, text=True,
                          input=" ".join(map(str, asked or ()))).stdout
    far, seeds = of_lines(text)
    ports = 6 * (4 ** levels // 2 - 2 ** levels // 2)
    return {out: divmod(link, 6) if link < ports else (PROCESSOR, link - ports)
            for out, link in far.items()}, seeds


def netlist(options: argparse.Namespace) -> tuple[dict[str, Any], dict[str, int]]:
    """The module `network` as Yosys writes it, with a switch that has only ports."""
    parameters = {"LEVELS": options.levels, "VCS": options.vcs, "FLIT_W": options.flit_w, **PASSED, "PATH": 2, "IMPL": 1}
    return read_empty(options, "switch.v", "network.v", parameters), parameters


def read_empty(options: argparse.Namespace, cell: str, network: str, parameters: dict[str, int]) -> dict[str, Any]:
    """A network as Yosys writes it, with cells that have only ports."""
    if options.icarus:
        return codes.read(options, cell, network, parameters)
    folder = pathlib.Path(options.build) / "wiring"
    folder.mkdir(parents=True, exist_ok=True)
    head = (pathlib.Path(options.rtl) / cell).read_text().partition("\n);\n")
    top = pathlib.Path(network).stem
    stub, out = folder / f"{top}-{os.getpid()}.v", folder / f"{top}-{os.getpid()}.json"
    stub.write_text(f"{head[0]}{head[1]}endmodule\n")
    checked = f"check -assert {top}; " if vars(options).get("check") else ""
    subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", *(["-e", "."] if checked else []), "-p",
                    f"read_verilog -I{options.rtl} {stub} {options.rtl}/{network}; hierarchy -check -top {top} "
                    + " ".join(f"-chparam {k} {v}" for k, v in parameters.items())
                    + f"; proc_prune; proc_dlatch; proc_clean; {checked}write_json {out}"], check=True)
    module = json.loads(out.read_text())["modules"][top]
    stub.unlink()
    out.unlink()
    return module


class Graph:
    """Who drives which bit of a netlist, and what it says of each switch."""

    def __init__(self, module: dict[str, Any], parameters: dict[str, int], kind: str = "switch") -> None:
        self.vcs, self.width = parameters["VCS"], parameters["FLIT_W"] + 2
        self.top = {name: port["bits"] for name, port in module["ports"].items()}
        switches = [c for c in module["cells"].values() if c["type"] == kind]
        probe = {bit: k for k, bit in enumerate(self.top["probe_o"])}
        words = len(switches[0]["connections"]["probe_o"])
        # A switch is known by its place in probe_o, not by its name.
        self.switch = {}
        for cell in switches:
            bits = [probe.get(bit) for bit in cell["connections"]["probe_o"]]
            if None in bits or bits[0] % words or bits != list(range(bits[0], bits[0] + words)):
                raise Wrong("a switch whose probe_o is not its part of the network's")
            self.switch[bits[0] // words] = cell
        self.xor = {tuple(c["connections"]["Y"]): c["connections"] for c in module["cells"].values()
                    if c["type"] == "$xor"}
        self.parameters = parameters
        self.driver = {}  # of a bit: (signal, switch or processor, its port, bit within)
        for name, size in (("inj_valid_i", self.vcs), ("inj_flit_i", self.width), ("ej_room_i", self.vcs)):
            for k, bit in enumerate(self.top[name]):
                self.driver[bit] = (name.split("_")[1], PROCESSOR, k // size, k % size)
        for s, cell in self.switch.items():
            for name, size in (("out_valid_o", self.vcs), ("out_flit_o", self.width), ("in_room_o", self.vcs)):
                for k, bit in enumerate(cell["connections"][name]):
                    self.driver[bit] = (name.split("_")[1], s, k // size, k % size)

    def far_end(self, bits: Sequence[Bit], signal: str, at: str) -> End | None:
        """The one place from which all bits of a bundle come, in order; None: from zeros."""
        if set(bits) == {"0"}:
            return None
        ends = {self.driver.get(bit, ("?", 0, 0, None))[:3] for bit in bits}
        inside = [self.driver.get(bit, (0, 0, 0, None))[3] for bit in bits]
        end = next(iter(ends))
        if len(ends) > 1 or end[0] != signal or inside != list(range(len(bits))):
            raise Wrong(f"{signal} of {at} comes from {sorted(map(str, ends))}, bits {inside}")
        return end[1], end[2]

    def bundles(self, s: int, name: str) -> list[list[Bit]]:
        """The six bundles of a switch's port, or one a processor of the network's."""
        bits = self.top[name] if s == PROCESSOR else self.switch[s]["connections"][name]
        size = self.width if "flit" in name else self.vcs
        return [bits[k:k + size] for k in range(0, len(bits), size)]

    def links(self) -> dict[str, dict[End, End]]:
        """{sender: receiver}, by valid, by flit and by room."""
        valid, flit, room = {}, {}, {}
        places = list(self.switch) + [PROCESSOR]
        for s in places:
            for signal, found in (("valid", valid), ("flit", flit)):
                name = f"ej_{signal}_o" if s == PROCESSOR else f"in_{signal}_i"
                for port, bits in enumerate(self.bundles(s, name)):
                    sender = self.far_end(bits, signal, f"{name} of {(s, port)}")
                    if sender:
                        if sender in found:
                            raise Wrong(f"{signal} of {sender} goes to {found[sender]} and to {(s, port)}")
                        found[sender] = (s, port)
            name = "inj_room_o" if s == PROCESSOR else "out_room_i"
            for port, bits in enumerate(self.bundles(s, name)):
                receiver = self.far_end(bits, "room", f"{name} of {(s, port)}")
                if receiver:
                    room[s, port] = receiver
        return {"valid": valid, "flit": flit, "room": room}

    def seed(self, s: int) -> int:
        bits = self.switch[s]["connections"]["seed_i"]
        gate = self.xor.get(tuple(bits))
        if not gate or gate["A"] != self.top["seed_i"] or not set(gate["B"]) <= {"0", "1"}:
            raise Wrong(f"the seed of switch {s} is not seed_i with constant bits turned over")
        return int("".join(reversed(gate["B"])), 2)

    def check_rest(self, levels: Sequence[int]) -> None:
        """Clock, reset and parameters of each switch."""
        for s, cell in self.switch.items():
            for name in ("clk_i", "rst_i"):
                if cell["connections"][name] != self.top[name]:
                    raise Wrong(f"{name} of switch {s} is not the network's")
            for name, value in {**self.parameters, "LEVEL": levels[s]}.items():
                read = int(cell["parameters"].get(name, "0"), 2)
                if read != value:
                    raise Wrong(f"{name} of switch {s} is {read}, not {value}")


def words(end: End | None) -> str:
    if end is None:
        return "nowhere"
    return f"processor {end[1]}" if end[0] == PROCESSOR else f"port {end[1]} of switch {end[0]}"


def same(what: str, specification: Ends, model: Ends, verilog: dict[str, Ends]) -> int:
    """Raises Wrong with all answers at the first key of which two say different things."""
    sides = {"specification": specification, "C": model, **verilog}
    for key in sorted(set().union(*sides.values())):
        answers = {name: side.get(key) for name, side in sides.items()}
        if len(set(answers.values())) > 1:
            says = "; ".join(f"{name} {value:#010x}" if isinstance(value, int) else f"{name} {words(value)}"
                             for name, value in answers.items())
            raise Wrong(f"{what} {key if isinstance(key, int) else words(key)}: {says}")
    return len(specification)


def compare(options: argparse.Namespace) -> tuple[int, int]:
    far, levels, seeds = of_specification(options.levels)
    model_far, model_seeds = of_model(options.model, options.levels)
    # What a processor injects goes back along the wire that reaches it.
    far.update({end: out for out, end in far.items() if end[0] == PROCESSOR})
    model_far.update({end: out for out, end in model_far.items() if end[0] == PROCESSOR})
    rtl_far, rtl_seeds = {}, {}
    if not options.no_rtl:
        graph = Graph(*netlist(options))
        if set(graph.switch) != set(range(len(levels))):
            raise Wrong(f"{len(graph.switch)} switches in the Verilog, not {len(levels)}")
        graph.check_rest(levels)
        rtl_far = {f"Verilog ({signal})": links for signal, links in graph.links().items()}
        rtl_seeds = {"Verilog": {s: graph.seed(s) for s in graph.switch}}
    links = same("the link from", far, model_far, rtl_far)
    same("the seed of switch", dict(enumerate(seeds)), dict(enumerate(model_seeds)), rtl_seeds)
    return links, len(levels)


def compare_some(options: argparse.Namespace) -> tuple[int, int]:
    far, seeds = some_of_specification(options.levels, options.some, options.seed)
    model_far, model_seeds = of_model(options.model, options.levels, list(seeds))
    same("the seed of switch", seeds, dict(zip(seeds, model_seeds, strict=True)), {})
    return same("the link from", far, {end: model_far[end] for end in far if end in model_far}, {}), len(seeds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("levels", type=int, metavar="LEVELS", choices=range(1, 11))
    parser.add_argument("--build", default="build")
    parser.add_argument("--rtl", default="rtl")
    parser.add_argument("--model", metavar="PROGRAM")
    parser.add_argument("--vcs", type=int, default=1)
    parser.add_argument("--flit-w", type=int, default=1, help="the empty switch takes any width")
    parser.add_argument("--no-rtl", action="store_true")
    parser.add_argument("--icarus", action="store_true", help="reads the Verilog, not Yosys")
    parser.add_argument("--check", action="store_true", help="Yosys has no warning: each wire has one driver")
    parser.add_argument("--some", type=int, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.model = options.model or f"{options.build}/wiring/wiring"
    try:
        links, switches = compare(options) if options.some is None else compare_some(options)
    except Wrong as why:
        print(f"N = {4 ** options.levels}: {why}")
        return 1
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"wiring.py: {why}")
        return 4
    print(f"N = {4 ** options.levels}: {links} links and {switches} seeds agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
