# SPDX-License-Identifier: Apache-2.0
"""synth_page.py - the tables of docs/fpga*.md that scripts/synth/synth.py --doc writes, from the rows of
docs/results/fpga.csv.  Standard library alone.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable, Mapping, Sequence

from lib.markdown import table

Rows = Sequence[Mapping[str, str]]  # of the CSV file
Matrix = Sequence[tuple[str, list[str], int]]  # configuration, families, seeds

PLACED = ["ice40", "ecp5"]

HOW = """\
LUT, FF, carry cells and RAM are those of the design alone. Fmax is register to register in the
harness, in MHz: median (range) over the seeds. Tools: {tools}.
"""
SOURCES = """\
{coverage}
All columns are in [results/fpga.csv](results/fpga.csv); column `rtl` is a hash of the sources of a
point:

"""
CELLS = """\
NAND2: transistors of static CMOS gates by 4, with 6 for each flip-flop. Depth: LUTs or gates on the
longest path.
"""

def fmax(row: Mapping[str, str]) -> str:
    """Median (range)."""
    if row["seeds"] in ("", "1"):
        return row["fmax_mhz"]
    return f"{row['fmax_mhz']} ({row['fmax_min']} to {row['fmax_max']})"


def unplaced(row: Mapping[str, str]) -> bool:
    """Does the row say why there is no clock?"""
    return row["path"].startswith(("does not fit", "not routed"))


def number(text: str) -> str:
    return f"{int(text):,}" if text.isdigit() else text


class Table:
    """The rows by configuration and family."""

    def __init__(self, rows: Rows) -> None:
        self.rows = {(r["config"], r["family"]): r for r in rows}

    def has(self, config: str, family: str) -> bool:
        return (config, family) in self.rows

    def cells(self, config: str, family: str, columns: str) -> list[str]:
        row = self.rows.get((config, family))
        if not row:
            return [""] * len(columns.split())
        return [row["path"].partition(":")[0] if c == "fmax_mhz" and unplaced(row) else
                fmax(row) if c == "fmax_mhz" else number(row[c]) for c in columns.split()]

    def placed(self, first: str, configs: Iterable[str]) -> str:
        """iCE40 beside ECP5."""
        columns = "lut ff ram fmax_mhz seeds"
        names = ["LUT", "FF", "RAM", "Fmax", "seeds"]
        return table([first, "HX8K " + names[0], *names[1:], "ECP5 " + names[0], *names[1:]],
                        [[f"`{c}`"] + [x for f in PLACED for x in self.cells(c, f, columns)]
                         for c in configs])


def coverage(rows: Rows, matrix: Matrix) -> str:
    """How much of the matrix is there; a point is a configuration in a family."""
    seeds = {(c, f): n if f in PLACED else 0 for c, families, n in matrix for f in families}
    have = {(r["config"], r["family"]): int(r["seeds"] or 0) for r in rows}
    unfit = {(r["config"], r["family"]) for r in rows if unplaced(r)}
    there = [p for p in seeds if p in have]
    fewer = [p for p in there if p not in unfit and have[p] < seeds[p]]
    placed = collections.Counter(n for n in have.values() if n)
    each = ", ".join(f"{points} with {n}" for n, points in sorted(placed.items(), reverse=True))
    short = f"{len(fewer)} of them have" if fewer else "None of them has"
    return (f"Of the {len(seeds)} points of the matrix (`--matrix`) {len(there)} have been run. {short} fewer "
            f"seeds than the matrix asks for. Seeds of those placed: {each}.")


def sources(rows: Rows) -> str:
    """How many points are of which RTL."""
    points = collections.Counter(r["rtl"] for r in rows)
    return table(["RTL", "points"], [[f"`{rtl}`", str(n)] for rtl, n in points.most_common()])


class Groups:
    """The configurations in the order of the table, by what a page shows together."""

    def __init__(self, rows: Rows) -> None:
        self.table = Table(rows)
        configs = list(dict.fromkeys(r["config"] for r in rows))
        self.base = [c for c in configs if re.fullmatch(r"s\dof3-v\d-q2-w32-rp-rr", c)]
        self.networks = [c for c in configs if c[0] == "n"]
        self.routers = [c for c in configs if c.startswith(("torus", "mesh"))]
        others = [c for c in configs if c not in self.base + self.networks + self.routers]
        self.varied = [c for c in others if self.table.has(c, "gates")]
        self.rest = [c for c in others if c not in self.varied]
        self.device = {r["family"]: r["device"] for r in rows}
        self.placed = [(c, f) for c in self.base for f in PLACED if self.table.has(c, f)]


def main_page(rows: Rows, matrix: Matrix) -> str:
    """Switches of V = 1, 2, 4 in three levels, and networks."""
    of = Groups(rows)
    tools = dict.fromkeys(t for r in rows for t in r["tools"].split(", "))
    return "\n".join([
        HOW.format(tools=", ".join(tools)),
        table(["switch", "device", "LUT", "FF", "carry", "RAM", "Fmax", "seeds", "LUTs in path"],
                 [[f"`{c}`", of.device[f],
                   *of.table.cells(c, f, "lut ff carry ram fmax_mhz seeds logic_levels")]
                  for c, f in of.placed]),
        "Whole networks:\n",
        of.table.placed("network", of.networks)])


def cubes_page(rows: Rows, matrix: Matrix) -> str:
    """Routers of tori and meshes."""
    of = Groups(rows)
    return of.table.placed("router", of.routers)


def paths_page(rows: Rows, matrix: Matrix) -> str:
    """Longest paths; families without placement; what does not fit, seeds that were not routed."""
    of = Groups(rows)
    out = ["## Longest paths\n",
           "Of the median seed. A number is gates in a row; without it, one.\n",
           table(["switch", "device", "path"],
                    [[f"`{c}`", of.device[f], *of.table.cells(c, f, "path")]
                     for c, f in of.placed if of.table.cells(c, f, "path") != [""]]),
           "## Families without placement\n", CELLS,
           table(["design", "7-series LUT", "FF", "depth", "Gowin LUT", "FF", "depth", "NAND2",
                     "FF", "depth"],
                    [[f"`{c}`", *of.table.cells(c, "xilinx", "lut ff depth"),
                      *of.table.cells(c, "gowin", "lut ff depth"),
                      *of.table.cells(c, "gates", "gates ff depth")]
                     for c in of.base + of.varied if of.table.has(c, "gates")])]
    unfit = [f"- `{r['config']}` on {r['device']} {r['path']}." for r in rows
             if unplaced(r)]
    if unfit:
        out.append("\n".join(["## What does not fit or is not routed\n"] + unfit) + "\n")
    again = [f"- `{r['config']}` on {r['device']}: {r['unrouted']}." for r in rows
             if r["seeds"] and r["unrouted"] not in ("", "0")]
    if again:
        out.append("\n".join(["## Seeds that were not routed\n", "Others were taken for them.\n"] + again)
                   + "\n")
    return "\n".join(out)


def configurations_page(rows: Rows, matrix: Matrix) -> str:
    """Every other configuration."""
    of = Groups(rows)
    return "\n".join([SOURCES.format(coverage=coverage(rows, matrix)) + sources(rows),
                      "## One parameter at a time\n", "And the arbiter with its scan alone.\n",
                      of.table.placed("design", of.varied),
                      "## Other levels; channels by queue by scan\n",
                      of.table.placed("switch", of.rest)])


# What stands between the markers of each page.
SECTIONS = {"fpga.md": main_page, "fpga-cubes.md": cubes_page, "fpga-paths.md": paths_page,
            "fpga-configurations.md": configurations_page}
