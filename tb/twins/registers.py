#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""registers.py - the C model and the reference switch have the same registers, of the same widths.

usage: registers.py [--rtl DIR] [--c DIR] [--one N]

The C side is what the headers of cmodel/switch/ declare: a field that ends in _q, its bits in
brackets in the comment behind it, [BITS] or [BITS if CONDITION], of one instance of its struct.
The Verilog side is what Yosys finds in the elaborated rtl/switch_ref.v: the outputs of its
flip-flops and its memories.  Compared are, for each configuration below, the names, the bits of an
instance and the number of instances of each module.
Prints a line for each difference and `N passed, N failed`.
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

Config = tuple[Any, ...]          # of configurations()
Found = dict[str, tuple[int, dict[str, int]]]

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Header, the Verilog module, the instances of it in a switch.
STRUCTS = [("fifo", "fifo", "ports * vcs"), ("port", "port", "ports"), ("scan", "scan", "1"),
           ("lfsr", "lfsr", "1 if random"), ("switch", "switch_ref", "1")]
PATHS = ["FP", "RP", "GP", "RG", "RW"]
SCANS = ["RR", "FO", "FF", "ROT", "FCFS"]


def clog2(x: int) -> int:
    return max(0, x - 1).bit_length()


def configurations() -> Iterator[Config]:
    """(VCS, DEPTH, FLIT_W, LEVEL, LEVELS, PATH, SCAN): every value of what adds or drops a register."""
    sizes = [(1, 2, 32, 1, 3), (2, 2, 33, 2, 3), (4, 2, 16, 3, 3), (1, 1, 64, 1, 1), (2, 3, 48, 2, 8),
             (1, 4, 32, 3, 5), (4, 16, 64, 5, 10), (1, 8, 56, 10, 10)]
    policies = [("RP", "RR"), ("FP", "FO"), ("GP", "FF"), ("RG", "ROT"), ("FP", "FCFS")]
    for size in sizes:
        for path, scan in policies:
            yield size + (path, scan)
    yield (2, 2, 33, 2, 3, "RW", "FF")
    yield (1, 3, 32, 3, 3, "RW", "FO")


def declared(folder: pathlib.Path) -> dict[str, dict[str, str]]:
    """Register -> text of its bits, for each struct of the C side."""
    found = {}
    for header, _, _ in STRUCTS:
        text = (folder / f"{header}.h").read_text()
        body = re.search(r"^struct (?:fat_)?%s \{(.*?)^\};" % header, text, re.S | re.M)
        if not body:
            sys.exit(f"registers.py: {folder / header}.h: no struct {header}")
        found[header] = {}
        for name, behind in re.findall(r"^\s+[\w ]+[ *](\w+_q)(?:\[\w+\])?;\s*(?:/\*\s*(.*))?$", body[1], re.M):
            bits = re.match(r"\[([^]]+)\]", behind)
            if not bits:
                sys.exit(f"registers.py: {folder / header}.h: {name} does not say its bits: needed: "
                         "/* [bits] ... */ behind it")
            found[header][name] = bits[1]
    return found


def value(text: str, names: dict[str, Any]) -> int:
    bits, _, condition = text.partition(" if ")
    if condition and not eval(condition, {"__builtins__": {}}, names):      # our own headers
        return 0
    return eval(bits, {"__builtins__": {}}, names)


def of_c(fields: dict[str, dict[str, str]], config: Config) -> Found:
    """{module: (instances, {register: bits})} of the C side."""
    vcs, depth, flit_w, level, levels, path, scan = config
    names = {"vcs": vcs, "depth": depth, "flit_w": flit_w, "height": clog2(levels + 1), "clog2": clog2,
             "ports": 4 if level == levels else 6,
             "random": scan in ("RR", "FF") or path in ("RP", "RG", "RW")}
    names.update({s: s == scan for s in SCANS} | {x: x == path for x in PATHS})
    found = {}
    for header, module, count in STRUCTS:
        registers = {name: value(text, names) for name, text in fields[header].items()}
        registers = {name: bits for name, bits in registers.items() if bits}
        if registers and value(count, names):
            found[module] = (value(count, names), registers)
    return found


def elaborated(rtl: pathlib.Path, configs: list[Config]) -> tuple[dict[str, Any], list[str]]:
    """All of them in one design, as Yosys has it, and the module that is each."""
    lines = []
    for k, (vcs, depth, flit_w, level, levels, path, scan) in enumerate(configs):
        values = {"VCS": vcs, "DEPTH": depth, "FLIT_W": flit_w, "LEVEL": level, "LEVELS": levels,
                  "PATH": PATHS.index(path), "SCAN": SCANS.index(scan)}
        lines.append(f"(* keep *) switch_ref #({', '.join(f'.{name}({value})' for name, value in values.items())}) u{k} ();")
    with tempfile.TemporaryDirectory() as folder:
        bench, out = pathlib.Path(folder) / "sets.v", pathlib.Path(folder) / "sets.json"
        bench.write_text("\n".join(["module sets;", *lines, "endmodule\n"]))
        sources = " ".join(str(f) for f in sorted(rtl.glob("*.v")))
        script = (f"read_verilog -defer -I{rtl} {sources} {bench}; hierarchy -check -top sets; "
                  f"proc -noopt; opt_clean; write_json {out}")
        done = subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", script], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            sys.exit(f"registers.py: yosys: {done.stderr.strip().splitlines()[-1]}")
        modules = json.loads(out.read_text())["modules"]
    cells = next(what for what in modules.values() if "top" in what["attributes"])["cells"]
    return modules, [cells[f"u{k}"]["type"] for k in range(len(configs))]


def of_rtl(modules: dict[str, Any], top: str) -> Found:
    """The same of the elaborated Verilog, from that module down."""
    plain = {name: (name.split("\\") + [name])[1] if name.startswith("$") else name for name in modules}
    found = {}

    def walk(name: str) -> None:
        module = modules[name]
        registers = {}
        outputs = set()
        for cell in module["cells"].values():
            if re.match(r"\$.*dff", cell["type"]):
                outputs.update(cell["connections"]["Q"])
            if cell["type"] in modules:
                walk(cell["type"])
        for net, what in module["netnames"].items():
            bits = [b for b in what["bits"] if b in outputs]
            base = net.split(".")[-1]
            if bits and base.endswith("_q"):
                registers[base] = registers.get(base, 0) + len(bits)
                outputs.difference_update(bits)
        if outputs:
            registers["(a register without a name in _q)"] = len(outputs)
        for net, memory in module.get("memories", {}).items():
            base = net.split(".")[-1]
            registers[base] = registers.get(base, 0) + memory["width"] * memory["size"]
        if registers:
            count, before = found.get(plain[name], (0, registers))
            if before != registers:
                sys.exit(f"registers.py: instances of {plain[name]} differ")
            found[plain[name]] = (count + 1, registers)

    walk(top)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rtl", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--c", type=pathlib.Path, default=ROOT / "cmodel" / "switch")
    parser.add_argument("--one", type=int, default=None, help="only that configuration, from 0")
    got = parser.parse_args()
    fields = declared(got.c)
    passed = failed = 0
    configs = list(configurations())[slice(None) if got.one is None else slice(got.one, got.one + 1)]
    modules, tops = elaborated(got.rtl.resolve(), configs)
    for config, top in zip(configs, tops, strict=True):
        c, rtl = of_c(fields, config), of_rtl(modules, top)
        said = []
        for module in sorted(set(c) | set(rtl)):
            (n, mine), (m, theirs) = c.get(module, (0, {})), rtl.get(module, (0, {}))
            if n != m:
                said.append(f"{module}: {n} instances in C, {m} in Verilog")
            for name in sorted(set(mine) | set(theirs)):
                if n and m and mine.get(name, 0) != theirs.get(name, 0):
                    said.append(f"{module}.{name}: {mine.get(name, 0)} bits in C, "
                                f"{theirs.get(name, 0)} in Verilog")
        name = "v%d-q%d-w%d-s%dof%d-%s-%s" % config
        for line in said:
            print(f"FAIL {name}: {line}")
        failed += bool(said)
        passed += not said
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
