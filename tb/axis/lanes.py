#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lanes.py - does each stream of fatfly_switch_lanes lead where its name says, and each parameter, too?

Usage: lanes.py VCS [FILE]   FILE: in place of rtl/axis/fatfly_switch_lanes.v
Yosys reads the wrapper; stream p<port>_c<channel> must be bits VCS * port + channel of the switch inside, and streams
from VCS on say nothing.  YOSYS: the program.  Exit codes: 0 right, 1 a stream that is not, with a line for each.
"""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile

RTL = pathlib.Path(__file__).resolve().parents[2] / "rtl"
PORTS, CHANNELS, WIDTH = 6, 4, 29
PASSED = {"FLIT_W": WIDTH, "LEVELS": 4, "LEVEL": 2, "DEPTH": 3, "PATH": 2, "SCAN": 3, "SEED": 0xC0DE1248}  # and VCS; not the defaults
SIGNALS = {"tdata": WIDTH, "tlast": 1, "tvalid": 1, "tready": 1}


def netlist(vcs: int, file: str) -> tuple[dict, dict]:
    """The wrapper, around a switch of which nothing but the ports is kept; and what that switch was told."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "lanes.json"
        script = (f"read_verilog -defer -I{RTL} -I{RTL}/fast {file} {RTL}/axis/fatfly_switch.v {RTL}/*.v {RTL}/fast/*.v; "
                  f"hierarchy -top fatfly_switch_lanes -chparam VCS {vcs} {' '.join(f'-chparam {k} {v}' for k, v in PASSED.items())}; "
                  f"proc; opt_clean; write_json {out}")
        subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", script], check=True)
        modules = json.loads(out.read_text(encoding="utf-8"))["modules"]
    wrapper = next(m for name, m in modules.items() if "fatfly_switch_lanes" in name)
    inside = next(c["type"] for c in wrapper["cells"].values() if "fatfly_switch" in c["type"])
    return wrapper, {name: int(value, 2) for name, value in modules[inside]["parameter_default_values"].items()}


def main() -> int:
    vcs = int(sys.argv[1])
    module, told = netlist(vcs, sys.argv[2] if len(sys.argv) > 2 else str(RTL / "axis/fatfly_switch_lanes.v"))
    inside = next(c["connections"] for c in module["cells"].values() if "fatfly_switch" in c["type"])
    bad = 0
    for name, value in {"VCS": vcs, **PASSED}.items():
        if told[name] != value:
            print(f"lanes.py: VCS = {vcs}: {name} of the switch is {told[name]}, not {value}")
            bad += 1
    for name in ("aclk", "aresetn"):
        if inside[name] != module["ports"][name]["bits"]:
            print(f"lanes.py: VCS = {vcs}: {name} of the switch is another wire")
            bad += 1
    for side in "sm":
        for signal, width in SIGNALS.items():
            given = (side == "s") != (signal == "tready")  # what comes from outside
            for port in range(PORTS):
                for channel in range(CHANNELS):
                    name = f"{side}_axis_p{port}_c{channel}_{signal}"
                    at = width * (vcs * port + channel)
                    want = inside[f"{side}_axis_{signal}"][at:at + width] if channel < vcs else ["0"] * width
                    if channel >= vcs and given:
                        continue
                    if module["ports"][name]["bits"] != want:
                        print(f"lanes.py: VCS = {vcs}: {name} is not bit {at} of {side}_axis_{signal}")
                        bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
