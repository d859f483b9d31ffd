# SPDX-License-Identifier: Apache-2.0
"""synth_page.py - the tables of docs/fpga.md that scripts/synth/synth.py --doc writes, from the rows of
docs/results/fpga.csv.  Standard library alone.
"""

import collections
import re

PLACED = ["ice40", "ecp5"]

HOW = """Made by runs of `make synth SYNTH_ARGS="--csv docs/results/fpga.csv"` with these configurations
(`--matrix` for all that there can be) and `scripts/synth/synth.py --doc`.  {coverage}
All columns are in [results/fpga.csv](results/fpga.csv).
Tools: {tools}.  LUT, FF, carry and RAM are those of the design alone.  Fmax is register
to register in the harness, in MHz: median (range) over the seeds.
"""
PATHS = """\
**Their longest paths**, of the median seed.  A number is gates in a row; without it, one.
"""
CELLS = """\
**Families without placement.** NAND2: transistors of static CMOS gates by 4, with 6 for each
flip-flop.  Depth: LUTs or gates on the longest way.
"""


def fmax(row):
    """Median (range)."""
    if row["seeds"] in ("", "1"):
        return row["fmax_mhz"]
    return f"{row['fmax_mhz']} ({row['fmax_min']} to {row['fmax_max']})"


def unplaced(row):
    """Does the row say why there is no clock?"""
    return row["path"].startswith(("does not fit", "not routed"))


def number(text):
    return f"{int(text):,}" if text.isdigit() else text


def markdown(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)] +
                     ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


class Table:
    """The rows by configuration and family."""

    def __init__(self, rows):
        self.rows = {(r["config"], r["family"]): r for r in rows}

    def has(self, config, family):
        return (config, family) in self.rows

    def cells(self, config, family, columns):
        row = self.rows.get((config, family))
        if not row:
            return [""] * len(columns.split())
        return [row["path"].partition(":")[0] if c == "fmax_mhz" and unplaced(row) else
                fmax(row) if c == "fmax_mhz" else number(row[c]) for c in columns.split()]

    def placed(self, first, configs):
        """iCE40 beside ECP5."""
        columns = "lut ff ram fmax_mhz seeds"
        names = ["LUT", "FF", "RAM", "Fmax", "seeds"]
        return markdown([first, "HX8K " + names[0], *names[1:], "ECP5 " + names[0], *names[1:]],
                        [[f"`{c}`"] + [x for f in PLACED for x in self.cells(c, f, columns)]
                         for c in configs])


def coverage(rows, matrix):
    """How much of the matrix is there; a point is a configuration in a family."""
    seeds = {(c, f): n if f in PLACED else 0 for c, families, n in matrix for f in families}
    have = {(r["config"], r["family"]): int(r["seeds"] or 0) for r in rows}
    unfit = {(r["config"], r["family"]) for r in rows if unplaced(r)}
    there = [p for p in seeds if p in have]
    fewer = [p for p in there if p not in unfit and have[p] < seeds[p]]
    placed = collections.Counter(n for n in have.values() if n)
    each = ", ".join(f"{points} with {n}" for n, points in sorted(placed.items(), reverse=True))
    short = f"{len(fewer)} of them have" if fewer else "None of them has"
    return (f"Of the {len(seeds)} points of the matrix {len(there)} have been run:\n{sources(rows)}.\n{short} "
            f"fewer seeds than it has; the others are not listed.  Seeds of those placed: {each}.")


def sources(rows):
    """Of which RTL the points are; those that are not of the one that most are of by name."""
    points = collections.defaultdict(list)
    for r in rows:
        points[r["rtl"]].append(r["config"])
    most, *others = sorted(points, key=lambda rtl: -len(points[rtl]))
    return "; ".join([f"{len(points[most])} with RTL {most}"] + [
        f"{len(points[rtl])} with RTL {rtl} (" + ", ".join(f"`{c}`" for c in dict.fromkeys(points[rtl])) + ")"
        for rtl in others])


def section(rows, matrix):
    """What stands between the markers."""
    table = Table(rows)
    configs = list(dict.fromkeys(r["config"] for r in rows))
    base = [c for c in configs if re.fullmatch(r"s\dof3-v\d-q2-w32-rp-rr", c)]
    networks = [c for c in configs if c[0] == "n"]
    others = [c for c in configs if c not in base and c not in networks]
    full = [c for c in others if table.has(c, "gates")]
    rest = [c for c in others if c not in full]
    device = {r["family"]: r["device"] for r in rows}
    bases = [(c, f) for c in base for f in PLACED if table.has(c, f)]

    tools = dict.fromkeys(t for r in rows for t in r["tools"].split(", "))
    out = [HOW.format(coverage=coverage(rows, matrix), tools=", ".join(tools)),
           markdown(["switch", "device", "LUT", "FF", "carry", "RAM", "Fmax", "seeds",
                     "LUTs in path"],
                    [[f"`{c}`", device[f],
                      *table.cells(c, f, "lut ff carry ram fmax_mhz seeds logic_levels")]
                     for c, f in bases]),
           PATHS,
           markdown(["switch", "device", "path"],
                    [[f"`{c}`", device[f], *table.cells(c, f, "path")]
                     for c, f in bases if table.cells(c, f, "path") != [""]]),
           CELLS,
           markdown(["design", "7-series LUT", "FF", "depth", "Gowin LUT", "FF", "depth", "NAND2",
                     "FF", "depth"],
                    [[f"`{c}`", *table.cells(c, "xilinx", "lut ff depth"),
                      *table.cells(c, "gowin", "lut ff depth"),
                      *table.cells(c, "gates", "gates ff depth")]
                     for c in base + full if table.has(c, "gates")]),
           "**One parameter at a time**, and the arbiter with its scan alone.\n",
           table.placed("design", full), "**Networks.**\n", table.placed("network", networks),
           "**Other levels; channels by queue by scan.**\n", table.placed("switch", rest)]
    unfit = [f"- `{r['config']}` on {r['device']} {r['path']}." for r in rows
             if unplaced(r)]
    if unfit:
        out.append("\n".join(["**What does not fit or is not routed:**\n"] + unfit) + "\n")
    again = [f"- `{r['config']}` on {r['device']}: {r['unrouted']}." for r in rows
             if r["seeds"] and r["unrouted"] not in ("", "0")]
    if again:
        out.append("\n".join(["**Seeds that were not routed**, others taken for them:\n"] + again) + "\n")
    return "\n".join(out)
