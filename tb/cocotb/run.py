#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - builds fatfly_switch_lanes with Icarus or Verilator and runs test_switch.py on it.

usage: tb/cocotb/run.py [NAME=VALUE]...

Names are the arguments of fatfly.Switch: vcs, depth, flit_bits, path,
scan, level, levels, seed; packets, how many are sent; and
simulator, icarus or verilator.  Ends with 0 if the Verilog and the C model agree.
RTL names a folder to take the place of rtl; BUILD that of results.
"""
import json
import os
import pathlib
import sys
import xml.etree.ElementTree

try:
    from cocotb_tools.runner import get_runner  # cocotb 2
except ImportError:
    from cocotb.runner import get_runner

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULTS = {"vcs": 1, "depth": 2, "flit_bits": 32, "path": "rp", "scan": "rr", "level": 1, "levels": 3, "seed": 1,
            "packets": 200, "simulator": "icarus"}
NAMES = {"simulator": ["icarus", "verilator"], "path": ["fp", "rp", "gp", "rg", "rw"], "scan": ["rr", "fo", "ff", "rot", "fcfs"]}


def main(argv: list[str]) -> int:
    p = dict(DEFAULTS)
    for pair in argv[1:]:
        name, _, value = pair.partition("=")
        if name not in p or (name in NAMES and value not in NAMES[name]) or not (name in NAMES or value.isdigit()):
            print(f"run.py: {pair}; allowed: {', '.join(DEFAULTS)} with a number or a name", file=sys.stderr)
            return 2
        p[name] = value if name in NAMES else int(value)
    packets = p.pop("packets")
    simulator = p.pop("simulator")
    rtl = pathlib.Path(os.environ.get("RTL", ROOT / "rtl")).resolve()
    name = "-".join([simulator, *(f"{k}{v}" for k, v in p.items()), *(["rtl"] if "RTL" in os.environ else [])])
    folder = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve() / "cocotb" / name
    listed = [line for line in (ROOT / "rtl" / "fatfly.f").read_text(encoding="utf-8").split() if line.endswith(".v")]
    sources = [rtl / pathlib.Path(f).relative_to("rtl") for f in listed if "cube" not in f]
    runner = get_runner(simulator)
    runner.build(sources=sources, includes=[rtl, rtl / "axis"], hdl_toplevel="fatfly_switch_lanes",
                 parameters={"VCS": p["vcs"], "DEPTH": p["depth"], "FLIT_W": p["flit_bits"], "LEVEL": p["level"],
                             "LEVELS": p["levels"], "SEED": p["seed"], "PATH": NAMES["path"].index(p["path"]),
                             "SCAN": NAMES["scan"].index(p["scan"])},
                 build_dir=folder, always=True, timescale=("1ns", "1ps"))  # the design has none, cocotb's clock needs one
    results = runner.test(hdl_toplevel="fatfly_switch_lanes", test_module="test_switch", build_dir=folder, test_dir=folder,
                          extra_env={"FATFLY_PARAMETERS": json.dumps(p), "PACKETS": str(packets)})
    tests = list(xml.etree.ElementTree.parse(results).iter("testcase"))
    return int(len(tests) != 1 or any(t.find("failure") is not None for t in tests))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
