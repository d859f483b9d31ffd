#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""handed.py - a parameter that a module hands to one inside it under the same name arrives unchanged.

Usage: handed.py [RTL [PARENT]]      RTL: a folder of Verilog (rtl); PARENT: what it hands on, alone
The networks, the choice between the two switches, the router, the switch with AXI4-Stream ports and the self-test are built by Yosys
in 16 sets of parameters, which have every value of DEPTH, VCS, PATH, SCAN, IMPL, PROBE, TORUS and NHOP and widths of 16 to 64; the
modules inside them are empty, and what each was told is read back.  A parameter that is left out arrives as its default, which is not what was asked.
"""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tb/spec"))
import cover  # noqa: E402  (the path above)

PARENTS = ("network", "switch", "cube/cube_network", "cube/cube_one", "cube/cube", "axis/fatfly_switch", "axis/fatfly_switch_lanes",
           "board/selftest", "board/selftest_board")
DERIVED = ("PROBE_W", "N", "SWITCHES")          # which a caller leaves alone
OTHER = {("fatfly_switch", "fifo_fast", "DEPTH"): 2, ("cube", "scan_fast", "VCS"): 1}   # what is meant to be another, and how much
SETS = 16


def head(rtl: pathlib.Path, module: str) -> str:
    file = next(f for f in rtl.rglob(f"{module}.v"))
    return file.read_text(encoding="utf-8").partition("\n);\n")[0]


def parameters(text: str) -> list[str]:
    return [name for name in re.findall(r"^ +parameter +(?:integer|\[31:0\]) +(\w+) *=", text, re.M) if name not in DERIVED]


def values(parent: str, names: Iterable[str], k: int) -> dict[str, int]:
    """The k-th set; one that a switch takes."""
    width, path, scan, vcs, board = min(16 + 4 * k, 64), k % 5, (k + k // 5) % 5, (1, 2, 4)[k // 2 % 3], "selftest" in parent
    most = {"network": 1 + (k == 7), "selftest": 8, "selftest_board": 8}.get(parent, 10)
    fits = [n for n in range(1, most + 1) if cover.head_bits(n, cover.RANGES["path"][path]) <= width - 16 * board]
    levels = fits[k % len(fits)] if fits else 1
    fast = path < 4 and (vcs < 4 or (path, scan) == (1, 0))
    found = {"K": 2 + (k % 4 == 3 if parent == "cube_network" else k % 15), "TORUS": k % 2, "NHOP": k // 2 % 2, "VCS": 1 + k % 9 if "cube" in parent else vcs,
             "DEPTH": 1 + k % 16, "FLIT_W": width, "PATH": path, "SCAN": (0, 1, 3)[k % 3] if "cube" in parent else scan, "PROBE": k % 2,
             "LEVELS": levels, "LEVEL": 1 + k // 3 % levels, "IMPL": (0, 1, 1 + fast)[k % 3], "SEED": k * 0x9E3779B1 & 0xFFFFFFFF, "NODE": k % 4}
    return {name: found.get(name, 3 + k) for name in names}


def number(bits: str) -> int:
    return int(bits, 2) & 0xFFFFFFFF


def compare(parent: str, inside: dict[str, list[str]], sets: list[dict[str, int]], modules: dict[str, Any]) -> tuple[int, list[str]]:
    """How much was handed on, and a line for what arrived as something else."""
    right, wrong, met = 0, [], set()
    for k, asked in enumerate(sets):
        for cell in modules[modules["sets"]["cells"][f"u{k}"]["type"]]["cells"].values():
            kind = cell["type"].lstrip("\\")
            for name in set(inside.get(kind, ())) & set(asked):
                want = OTHER.get((parent, kind, name), asked[name])
                got = number(cell["parameters"][name]) if name in cell["parameters"] else None
                met.add((kind, name))
                right += got == want
                if got != want:
                    wrong.append(f"{parent} with {name} = {asked[name]}: a {kind} has {'its default' if got is None else got}")
    return right, wrong + [f"{parent}: no {kind} with {name} was met" for kind, names in inside.items() for name in set(names) & set(sets[0])
                           if (kind, name) not in met]


def main() -> int:
    rtl, script, asked = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "rtl").resolve(), [], {}
    with tempfile.TemporaryDirectory() as folder:
        for path in sys.argv[2:] or PARENTS:
            parent = pathlib.Path(path).stem
            text = (rtl / f"{path}.v").read_text(encoding="utf-8")
            inside = {m: head(rtl, m) for m in sorted(set(re.findall(r"^ +(\w+) #\(", text, re.M))) if list(rtl.rglob(f"{m}.v"))}
            sets = [values(parent, parameters(text.partition("\n);\n")[0]), k) for k in range(SETS)]
            asked[parent] = {m: parameters(stub) for m, stub in inside.items()}, sets
            lines = [f"{parent} #({', '.join(f'.{name}({value})' for name, value in one.items())}) u{k} ();" for k, one in enumerate(sets)]
            pathlib.Path(folder, f"{parent}.v").write_text(
                "\n".join([*(f"{stub}\n);\nendmodule" for stub in inside.values()), "module sets;", *lines, "endmodule\n"]), encoding="utf-8")
            script.append(f"design -reset; read_verilog -I{rtl} -I{rtl}/fast -I{rtl}/axis {folder}/{parent}.v {rtl}/{path}.v; hierarchy -top sets; delete p:*; "
                          f"write_json {folder}/{parent}.json")
        done = subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", "; ".join(script)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"handed.py: yosys: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
        found = [compare(parent, *rest, json.loads(pathlib.Path(folder, f"{parent}.json").read_text(encoding="utf-8"))["modules"])
                 for parent, rest in asked.items()]
    wrong = [line for _, lines in found for line in lines]
    for line in wrong[:20]:
        print(f"handed.py: {line}")
    if not wrong:
        print(f"{sum(right for right, _ in found)} parameters arrive as they were asked for")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
