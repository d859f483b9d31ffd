#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lanes.py - does each stream of fatfly_switch_lanes lead where its name says?

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
PORTS, CHANNELS, WIDTH = 6, 4, 5
SIGNALS = {"tdata": WIDTH, "tlast": 1, "tvalid": 1, "tready": 1}


def netlist(vcs: int, file: str) -> dict:
    """The wrapper, around a switch of which nothing but the ports is kept."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "lanes.json"
        script = (f"read_verilog -I{RTL} -I{RTL}/fast {file} {RTL}/axis/fatfly_switch.v {RTL}/*.v {RTL}/fast/*.v; "
                  f"hierarchy -top fatfly_switch_lanes -chparam VCS {vcs} -chparam FLIT_W {WIDTH} -chparam LEVELS 1; "
                  f"proc; opt_clean; write_json {out}")
        subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", script], check=True)
        modules = json.loads(out.read_text(encoding="utf-8"))["modules"]
    return next(m for name, m in modules.items() if "fatfly_switch_lanes" in name)


def main() -> int:
    vcs = int(sys.argv[1])
    module = netlist(vcs, sys.argv[2] if len(sys.argv) > 2 else str(RTL / "axis/fatfly_switch_lanes.v"))
    inside = next(c["connections"] for c in module["cells"].values() if "fatfly_switch" in c["type"])
    bad = 0
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
