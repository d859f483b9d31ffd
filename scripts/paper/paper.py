#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""paper.py - judges the published fat-tree experiments against ours and writes the page.

usage: scripts/paper/paper.py [--quick | --gg] FOLDER PAGE

FOLDER has the results of the sweeps in sim/paper (scripts/paper/paper.sh makes them), PAGE is the
Markdown file to write; plots go to the folder of the page's name beside it.  --quick: the small
sweeps of sim/paper/quick, tables alone.  --gg: the page as it is, but for the chapter about GG, its rows in the tables of
statements and of sweeps, and the counts that follow from them.
GO = Greenberg and Oh 1997, GG = Greenberg and Guan 1997.
Exit codes: 0 written, 2 usage, 4 a tool or a sweep's results are missing.
"""

from __future__ import annotations

import math
import os
import pathlib
import platform
import re
import subprocess
import sys
from collections.abc import Sequence

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
from paper_tools import Sweep, fatfly


def counts_of(verdicts: Sequence[str]) -> list[int]:
    """How many agree, agree in part, differ."""
    good = sum(v == "agrees" for v in verdicts)
    part = sum(v.startswith("agrees") for v in verdicts) - good
    return [good, part, len(verdicts) - good - part]


def summary(good: int, part: int, rest: int) -> str:
    """Of the verdicts, without repeating them."""
    return (f"Of {good + part + rest} published results and statements {good} agree, {part} "
            f"agree in part and {rest} differ: see the [table of statements](#gos-statements) "
            "and those of the later chapters, which say by how much.")


def sweep_row(page: Page, name: str, sweep: Sweep) -> list[object]:
    """Of the table of sweeps; its fifth cell is CPU seconds."""
    folder = "sim/paper/quick" if page.quick else "sim/paper"
    link = os.path.relpath(os.path.join(paper_tools.ROOT, f"{folder}/{name}.cfg"), os.path.dirname(os.path.abspath(page.path)))
    every = sorted({int(r["seed"]) for r in sweep.rows})
    seeds = f"{every[0]}" if len(every) == 1 else f"{every[0]} .. {every[-1]}"
    cpu = math.fsum(float(r["cpu_s"]) for r in sweep.rows)
    return [f"[{name}]({link})", len(sweep.rows), sum(int(r["runs"]) for r in sweep.rows), seeds, f"{cpu:.0f}", f"`{sweep.digest()}`"]


def footer(page: Page) -> None:
    rows = [sweep_row(page, name, sweep) for name, sweep in page.sweeps.items()]
    total = math.fsum(float(r["cpu_s"]) for sweep in page.sweeps.values() for r in sweep.rows)
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


def write(page: Page) -> None:
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
            summary(*counts_of([v[3] for v in page.verdicts])) + "\n"]
    with open(page.path, "w", encoding="utf-8") as out:
        out.write("\n".join(head + page.text))


def one_chapter(page: Page) -> None:
    """The page that is there, with the chapter about GG anew."""
    with open(page.path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    gg(page)
    begin = lines.index(page.text[0].rstrip("\n"))
    end = next(k for k in range(begin + 1, len(lines)) if lines[k].startswith("## "))
    lines[begin:end] = "\n".join(page.text).split("\n")
    fresh = {v[0]: v for v in page.verdicts}
    rows = {f"[{name}]": sweep_row(page, name, sweep) for name, sweep in page.sweeps.items()}
    place = next(k for k, line in enumerate(lines) if line.startswith("| [gg]"))
    lines[place:] = [line for line in lines[place:] if line.partition("]")[0][2:] + "]" not in rows]
    lines[place:place] = ["| " + " | ".join(map(str, cells)) + " |" for cells in rows.values()]
    before = []
    for k, line in enumerate(lines):
        cells = line.strip("|").split(" | ")
        if len(cells) == 4 and cells[0].strip() in fresh:
            before.append(cells[3].strip())
            lines[k] = "| " + " | ".join(fresh[cells[0].strip()]) + " |"
    change = [new - old for new, old in zip(counts_of([v[3] for v in page.verdicts]), counts_of(before))]
    lines = "\n".join(lines).split("\n")
    cpu = sum(int(line.split(" | ")[4]) for line in lines[lines.index("## To repeat"):] if line.startswith("| ["))
    for k, line in enumerate(lines):
        counted = re.match(r"Of \d+ published results and statements (\d+) agree, (\d+) agree in part and (\d+) differ", line)
        if counted:
            lines[k] = summary(*(int(n) + d for n, d in zip(counted.groups(), change)))
        if line.endswith(" s of CPU time in all."):
            lines[k] = line.rpartition("; ")[0] + f"; {cpu} s of CPU time in all."
    with open(f"{page.path}.part", "w", encoding="utf-8") as out:
        out.write("\n".join(lines))
    os.replace(f"{page.path}.part", page.path)


def main(words: Sequence[str]) -> int:
    quick, chapter = "--quick" in words, "--gg" in words
    words = [w for w in words if w not in ("--quick", "--gg")]
    if len(words) != 2 or words[0].startswith("-") or quick and chapter:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    try:
        page = Page(words[0], words[1], quick)
        if chapter:
            one_chapter(page)
        else:
            write(page)
    except (OSError, subprocess.CalledProcessError, LookupError) as wrong:
        print(f"paper.py: {wrong}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
