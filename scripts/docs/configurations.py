#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""configurations.py - the table of configurations in README.md.

usage: configurations.py [--check] [PAGE]

Area and clock are those of docs/results/fpga.csv; latency and saturation are what `fatfly estimate`
(build/fatfly, or that of BUILD) simulates.  --check writes nothing and fails if the table differs.
PAGE is another copy of README.md.
Exit codes: 0 done, 1 the table is not up to date, 4 a point or the program is missing.
"""

import csv
import io
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from lib import markdown

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "README.md"
TABLE = ROOT / "docs" / "results" / "fpga.csv"
BEGIN, END = "<!-- configurations: scripts/docs/configurations.py -->\n", "<!-- /configurations -->\n"
NODES = "64"
# V, q, scan: what it is for.
CONFIGURATIONS = {
    ("1", "1", "fo"): "the smallest; fixed order",
    ("1", "2", "rr"): "the default; random round-robin",
    ("1", "2", "rot"): "rotating order: a bounded wait",
    ("2", "2", "rr"): "two virtual channels",
    ("4", "2", "rr"): "four virtual channels",
}


def area(config: str, family: str) -> dict[str, str]:
    with open(TABLE, newline="") as file:
        for row in csv.DictReader(file):
            if (row["config"], row["family"]) == (config, family):
                return row
    print(f"configurations.py: {TABLE.name} has no {config} of {family}", file=sys.stderr)
    sys.exit(4)


def traffic(vcs: str, depth: str, scan: str) -> dict[str, str]:
    """Latency and saturation of a network, in cycles."""
    program = os.path.join(ROOT, os.environ.get("BUILD", "build"), "fatfly")
    done = subprocess.run(
        [program, "estimate", "--nodes", NODES, "--vcs", vcs, "--depth", depth, "--flit-bits", "32",
         "--path", "rp", "--scan", scan, "--format", "csv"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(4)
    return next(csv.DictReader(io.StringIO(done.stdout)))


def table() -> str:
    lines = []
    for (vcs, depth, scan), purpose in CONFIGURATIONS.items():
        name = f"v{vcs}-q{depth}-w32-rp-{scan}"
        small, large = (area(f"s1of3-{name}", family) for family in ("ice40", "ecp5"))
        flow = traffic(vcs, depth, scan)
        lines.append([f"`{name}`", purpose, f"{int(small['lut']):,}", f"{int(small['ff']):,}", small["fmax_mhz"],
                      large["fmax_mhz"], f"{float(flow['latency_cycles']):.1f}",
                      f"{float(flow['saturation_load']):.3f}"])
    return markdown.table(["Configuration", "For", "LUT4", "FF", "MHz, iCE40", "MHz, ECP5", "Latency", "Saturation"],
                          lines, range(2, 8))


def main() -> int:
    check = sys.argv[1:2] == ["--check"]
    names = sys.argv[1 + check:]
    if len(names) > 1 or any(name.startswith("-") for name in names):
        print(__doc__)
        return 2
    page = pathlib.Path(names[0]) if names else PAGE
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        print(f"configurations.py: {page}: {BEGIN.strip()} without {END.strip()}", file=sys.stderr)
        return 1
    new = before + BEGIN + table() + END + after
    if new == text:
        return 0
    if check:
        print(f"configurations.py: {page} is not up to date; run scripts/docs/configurations.py",
              file=sys.stderr)
        return 1
    page.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
