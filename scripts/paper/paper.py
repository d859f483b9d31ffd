#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""paper.py - judges the published fat-tree experiments against ours and writes the page.

usage: scripts/paper/paper.py [--quick] FOLDER PAGE

FOLDER has the results of the sweeps in sim/paper (scripts/paper/paper.sh makes them), PAGE is the
Markdown file to write; plots go to the folder of the page's name beside it.  --quick: the small
sweeps of sim/paper/quick, tables alone.
GO = Greenberg and Oh 1997, GG = Greenberg and Guan 1997.
Exit codes: 0 written, 2 usage, 4 a tool or a sweep's results are missing.
"""

import math
import os
import pathlib
import platform
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from lib.markdown import table
import paper_bc
import paper_cmsv
import paper_leighton
import paper_tools
from paper_beyond import beyond
from paper_gg import gg
from paper_go import (delays, depths, figure_2, figure_5, figures_3_4, formulas, lengths,
                      open_cell, statements, table_1, table_2)
from paper_page import Page
from paper_tools import fatfly


def summary(page):
    """Of the verdicts, without repeating them."""
    good = sum(v[3] == "agrees" for v in page.verdicts)
    part = sum(v[3].startswith("agrees") for v in page.verdicts) - good
    rest = len(page.verdicts) - good - part
    return (f"Of {len(page.verdicts)} published results and statements {good} agree, {part} "
            f"agree in part and {rest} differ: see the [table of statements](#gos-statements) "
            "and those of the later chapters, which say by how much.")


def footer(page):
    rows, total = [], 0.0
    for name, sweep in page.sweeps.items():
        cpu = math.fsum(float(r["cpu_s"]) for r in sweep.rows)
        total += cpu
        every = sorted({int(r["seed"]) for r in sweep.rows})
        seeds = f"{every[0]}" if len(every) == 1 else f"{every[0]} .. {every[-1]}"
        folder = "sim/paper/quick" if page.quick else "sim/paper"
        file = f"{folder}/{name}.cfg"
        link = os.path.relpath(os.path.join(paper_tools.ROOT, file), os.path.dirname(
            os.path.abspath(page.path)))
        runs = sum(int(r["runs"]) for r in sweep.rows)
        rows.append([f"[{name}]({link})", len(sweep.rows), runs, seeds, f"{cpu:.0f}",
                     f"`{sweep.digest()}`"])
    compiler = subprocess.run([os.environ.get("CC", "gcc"), "--version"], text=True,
                              stdout=subprocess.PIPE, check=False).stdout.split("\n")[0]
    plotter = subprocess.run(["gnuplot", "--version"], text=True, stdout=subprocess.PIPE,
                             check=False).stdout.strip()
    cores = len(os.sched_getaffinity(0))
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        chips = [x.split(":")[1].strip() for x in info if x.startswith("model name")]
    command = "make paper" + (" PAPER_ARGS=--quick" if page.quick else "")
    page.add("## To repeat",
             f"    {command}\n",
             "or one sweep, one cell:\n",
             "    build/fatfly sweep "
             f"{'sim/paper/quick' if page.quick else 'sim/paper'}/table1.cfg "
             "--format table\n"
             "    build/fatfly run --nodes 1024 --discipline worm --pattern complement --length 32 "
             "--path rp --scan rr --runs 30 --seed 1\n",
             "The digest of a sweep is the first 16 digits of the SHA-256 of its points' "
             "digests, one a "
             "line; those count every flit delivered, see [simulator.md](" +
             os.path.relpath(os.path.join(paper_tools.ROOT, "docs/simulator.md"),
                             os.path.dirname(os.path.abspath(page.path))) + "). They depend on no "
             "machine, compiler or number of threads; CPU times do.",
             table(["sweep", "points", "runs", "seeds", "CPU s", "digest"], rows),
             f"{fatfly('--version').strip()}; {compiler}; {plotter}; {platform.system()} "
             f"{platform.machine()}, {cores} cores{' of ' + chips[0] if chips else ''}; "
             f"{total:.0f} s of CPU time in all.")


def write(page):
    table_1(page)
    if page.quick:
        table_2(page)
        figure_2(page)
        figures_3_4(page)
        figure_5(page)
        formulas(page)
        gg(page)
        statements(page)
        paper_bc.tori(page)
        paper_leighton.leighton(page)
    else:
        open_cell(page)
        table_2(page)
        figure_2(page)
        figures_3_4(page)
        figure_5(page)
        delays(page)
        lengths(page)
        depths(page)
        formulas(page)
        place = len(page.text)
        gg(page)
        after = page.text[place:]
        del page.text[place:]
        statements(page)
        page.text += after
        beyond(page)
        paper_bc.tori(page)
        paper_leighton.leighton(page)
        paper_cmsv.universal(page)
        paper_bc.comparison(page)
    footer(page)
    head = ["<!-- SPDX-License-Identifier: Apache-2.0; made by make paper, not by hand -->\n",
            "# The papers' experiments, repeated\n",
            "Ours beside theirs: GO is Greenberg and Oh, *Universal wormhole routing*, 1997; "
            "GG is Greenberg and Guan, *An improved analytical model for wormhole routed "
            "networks with application to butterfly fat-trees*, 1997; BC is Boppana and "
            "Chalasani, *New wormhole routing algorithms for multicomputers*, 1993; L is Leighton, "
            "*Introduction to Parallel Algorithms and Architectures*, 1992, section 3.4. ± is the "
            "half-width of a 99 % interval (Student's t over independent runs); bars in plots are "
            "these intervals, and smaller than the points where there are none.\n",
            summary(page) + "\n"]
    with open(page.path, "w", encoding="utf-8") as out:
        out.write("\n".join(head + page.text))


def main(words):
    quick = "--quick" in words
    words = [w for w in words if w != "--quick"]
    if len(words) != 2 or words[0].startswith("-"):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    try:
        write(Page(words[0], words[1], quick))
    except (OSError, subprocess.CalledProcessError, LookupError) as wrong:
        print(f"paper.py: {wrong}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
