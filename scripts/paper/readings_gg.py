#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readings_gg.py - which reading of GG 3.1 gives GG figure 3?  Writes docs/readings-gg.md.

usage: readings_gg.py [--redraw | --check] [FOLDER [PAGE]]

FOLDER has readings-gg.sqlite, the results of sim/paper/readings-gg.cfg; default build/paper.  What is missing there is run.
--redraw: runs nothing.  --check: the same, compares the page with the results and writes nothing.
Exit codes: 0 written, 1 the page is another (--check), 2 usage, 4 the results are not there or the sweep did not end.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from typing import Any

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from lib.markdown import table  # noqa: E402  pylint: disable=wrong-import-position
from paper_gg import model  # noqa: E402  pylint: disable=wrong-import-position
from paper_tools import BUILD, ROOT, Sweep, Value, fatfly, latency, mean_of, show  # noqa: E402  pylint: disable=wrong-import-position

NODES = 1024
READINGS = {"rw": "waits for the link it drew (RW)", "rg": "draws anew in every cycle (RG)"}


def errors(sweep: Sweep, saturation: float) -> tuple[list[list[str]], dict[tuple[str, float], float]]:
    """Rows of the table of latencies, and the largest errors of either reading at each share."""
    rows, worst = [], {}
    shares = sorted({round(p["load"] / saturation, 3) for p in sweep.all(runs=10)})
    for share in shares:
        for path, words in READINGS.items():
            row = [f"{100 * share:.0f} %", words]
            for length in (16, 32, 64):
                point, = [p for p in sweep.all(runs=10, path=path, length=length)
                          if round(p["load"] / saturation, 3) == share]
                theirs = model(NODES, length, point["load"])["latency"]
                error = (Value(theirs) / latency(point)).scaled(100, -100)
                row += [show(latency(point)), f"{theirs:.1f}", show(error, " %", 1)]
                worst[path, share] = max(worst.get((path, share), 0), abs(error.mean))
            rows.append(row)
    return rows, worst


def accepted(sweep: Sweep) -> list[tuple[Any, ...]]:
    """What the network accepts under each variant, for each length: [(path, scan, q, V, [Value])]."""
    found = {}
    for p in sweep.all(runs=1):
        key = p["path"], p["scan"], int(p["depth"]), int(p["vcs"])
        found.setdefault(key, {}).setdefault(int(p["length"]), []).append(p["accepted_load"])
    return [(*key, [mean_of(of[length]) for length in (16, 32, 64)]) for key, of in found.items()]


def page_of(sweep: Sweep) -> str:
    """The page, from the results alone."""
    saturation = model(NODES, 32, 0.001)["saturation_load"]
    rows, worst = errors(sweep, saturation)
    at = {path: ", ".join(f"{worst[path, s]:.1f} % at {100 * s:.0f} %" for p, s in sorted(worst) if p == path)
          for path in READINGS}
    shares = sorted({s for _, s in worst})
    nearer = {path: ", ".join(f"{100 * s:.0f} %" for s in shares if worst[path, s] == min(worst["rw", s], worst["rg", s]))
              for path in READINGS}
    variants = accepted(sweep)
    off = [[100 * (v.mean / saturation - 1) for v in values] for *_, values in variants]
    all_near = [v for v, o in zip(variants, off) if max(abs(x) for x in o) < 2]
    nearest = min(zip(off, variants), key=lambda x: max(abs(y) for y in x[0]))
    name = "{} {}, q = {}, V = {}".format(nearest[1][0].upper(), nearest[1][1].upper(), *nearest[1][2:4])
    verdict = (f"None of the {len(variants)} variants accepts the model's {saturation:.4f} for all three lengths within 2 %. The nearest, "
               f"{name}, is off by {min(nearest[0]):+.1f} to {max(nearest[0]):+.1f} %." if not all_near else
               f"{len(all_near)} of the {len(variants)} variants accept the model's {saturation:.4f} within 2 % for all three lengths.")
    shown = [[path.upper(), scan.upper(), q, v] + [f"{show(x)} ({100 * (x.mean / saturation - 1):+.1f} %)" for x in values]
             for path, scan, q, v, values in variants]
    return f"""<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by scripts/paper/readings_gg.py: change that. -->
# Which reading of GG 3.1 gives GG figure 3?

GG 3.1 says that a worm which goes up draws one of the two parent links at random, tries the other if that one is blocked, "and if both are
blocked, it waits". It can be read in two ways:

- **RW**, `--path rw`: the worm waits for the link that it drew. It draws once in a switch, in its head's first cycle at the front.
- **RG**, `--path rg`: it draws and tries anew in every cycle, so it takes whichever link comes free first.

"It waits" follows the draw, so RW is nearer to the words; the model itself takes the two links for one queue with two servers. The figure's
curve is nearer to RW at {nearer["rw"] or "no share"} of its saturation load, and to RG at {nearer["rg"] or "no share"}: the largest error of the
model over the three lengths is

- RW: {at["rw"]};
- RG: {at["rg"]}.

Neither gives the figure up to saturation. [rules.md](rules.md#decisions) has RW cycle by cycle.

## Latency

N = {NODES}, open loop, uniform, Poisson arrivals, FCFS, q = 2, V = 1; ten runs of 100 000 measured cycles a point. The model is GG's equations 1
to 26 with the two printed corrections (`fatfly model`); GG print a figure and no numbers. Latency from generation to the last flit, in
cycles; *error*: model above simulation.

{table(["share", "a blocked worm"] + [f"L = {v}: {w}" for v in (16, 32, 64) for w in ("ours", "model", "error")], rows)}
## Saturation

The model saturates at {saturation:.5f} flits per cycle and processor for every L. What the network accepts when twice that is offered (three seeds;
in brackets: against the model):

{table(["path", "scan", "q", "V"] + [f"L = {v}" for v in (16, 32, 64)], shown)}
{verdict}

## To repeat

    make build/fatfly && scripts/paper/readings_gg.py

runs [sim/paper/readings-gg.cfg](../sim/paper/readings-gg.cfg), which `make paper` runs, too, and writes this page. One point:

    build/fatfly run --nodes 1024 --path rw --scan fcfs --arrivals poisson --length 32 --load 0.03518 --runs 10
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--redraw", action="store_true", help="run nothing")
    only.add_argument("--check", action="store_true", help="run nothing, compare the page with the results")
    parser.add_argument("folder", nargs="?", default=os.path.join(ROOT, BUILD, "paper"))
    parser.add_argument("page", nargs="?", type=pathlib.Path, default=pathlib.Path(ROOT, "docs", "readings-gg.md"))
    got = parser.parse_args()
    os.makedirs(got.folder, exist_ok=True)
    folder = os.path.abspath(got.folder)
    try:
        if not got.redraw and not got.check:
            fatfly("sweep", "sim/paper/readings-gg.cfg", "--db", os.path.join(folder, "readings-gg.sqlite"))
        text = page_of(Sweep(folder, "readings-gg"))
    except subprocess.CalledProcessError as failed:  # it has said why
        print(f"readings_gg.py: fatfly {failed.cmd[1]} ended with exit code {failed.returncode}", file=sys.stderr)
        return 4
    if got.check:
        if got.page.read_text() != text:
            print(f"readings_gg.py: {got.page} is not what the results say", file=sys.stderr)
            return 1
        return 0
    part = got.page.with_name(got.page.name + ".part")
    part.write_text(text)
    part.replace(got.page)
    print(f"wrote {got.page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
