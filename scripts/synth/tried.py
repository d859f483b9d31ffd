#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tried.py - what the switch would cost if a part of it were built in another way.

usage: tried.py [WAY...] [--family LIST] [--seeds N] [-j N] [--csv FILE]
       tried.py --rtl WAY FOLDER
       tried.py --list
       tried.py --doc | --check [--csv FILE]

A way is a patch of rtl/, tb/synth/tried/WAY.patch: the same switch cycle by cycle, which
tb/synth/test_tried.sh shows.  Its first lines say what is different (what:), on which
configurations of synth.py it bears (configs:) and, where not on all, in which families.  Default:
all of them, and beside them rtl/ as it is, which is called kept.
  --family LIST  of ice40, ecp5 (placed), xilinx (cells only); default all three
  --seeds N      placements, seeds 1 to N (default 8; 0: cells only)
  -j N           jobs at once (default one a core)
  --csv FILE     write the points there, too; other points that FILE has stay
                 (docs/results/tried.csv is the file of the page)
  --rtl WAY FOLDER  write what the way makes of rtl/ to FOLDER, which must not be there, and stop
  --list         names of the ways, and what their configurations are
  --doc          write the table of docs/fpga-tried.md from the CSV file; --check: is it up to date?
Tools (PATCH among them), PNR_OPTS and what is kept under build/synth/tried/WAY are as synth.py has them.
Exit codes: 0 done, 1 a patch does not fit rtl/, or the page differs, 2 usage, 3 an unknown way or a
damaged patch or table, 4 a tool is missing, too old or failed, interrupted.
"""

from __future__ import annotations

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

sys.dont_write_bytecode = True
import synth
import synth_page
from lib.markdown import table
from synth import Fail

WAYS = synth.ROOT / "tb" / "synth" / "tried"
PAGE = "fpga-tried.md"
TABLE = synth.ROOT / "docs" / "results" / "tried.csv"
KEPT = "kept"
FAMILIES = ["ice40", "ecp5", "xilinx"]
COLUMNS = ["way"] + synth.COLUMNS


class Way:
    """A name, what is different, and the points (configuration, family) on which it bears."""

    def __init__(self, name: str, what: str, pairs: list[tuple[str, str]], patch: pathlib.Path | None) -> None:
        self.name, self.what, self.pairs, self.patch = name, what, pairs, patch

    def write(self, folder: pathlib.Path) -> None:
        """What it makes of rtl/, in a new folder."""
        shutil.copytree(synth.ROOT / "rtl", folder / "rtl")
        if not self.patch:
            return
        tool = os.environ.get("PATCH") or "patch"
        try:
            done = subprocess.run([tool, "-p1", "-F0", "-s", "-d", folder, "-i", self.patch],
                                  text=True, check=False, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except FileNotFoundError:
            raise Fail(4, f"no {tool}; scripts/setup.sh installs it") from None
        if done.returncode:
            said = re.sub(r"\s*\n\s*", "; ", done.stdout.strip())
            raise Fail(1, f"{self.patch} does not fit rtl/: {said}")


def read_way(file: pathlib.Path) -> Way:
    """A patch, by the lines before it."""
    said = dict(re.findall(r"^(\w+): (.+)$", file.read_text().split("\n--- ", 1)[0], re.M))
    for key in ("what", "configs"):
        if key not in said:
            raise Fail(3, f"{file}: no line '{key}: ..' before the patch")
    families = said.get("families", " ".join(FAMILIES)).split()
    for family in families:
        if family not in FAMILIES:
            raise Fail(3, f"{file}: family '{family}'; allowed: {', '.join(FAMILIES)}")
    return Way(file.stem, said["what"], [(c, f) for c in said["configs"].split() for f in families],
               file)


def ways() -> dict[str, Way]:
    return {file.stem: read_way(file) for file in sorted(WAYS.glob("*.patch"))}


def chosen(names: Iterable[str]) -> list[Way]:
    """These ways, or all."""
    every = ways()
    for name in names:
        if name not in every:
            near = difflib.get_close_matches(name, every, 1, 0)
            raise Fail(3, f"unknown way '{name}'; allowed: {', '.join(every)}; nearest: {near[0]}")
    return [every[name] for name in names] or list(every.values())


def with_kept(some: list[Way]) -> list[Way]:
    """rtl/ as it is, on all that the others bear on, and the others."""
    return [Way(KEPT, "as it is", [p for way in some for p in way.pairs], None)] + some


def points(way: Way, got: argparse.Namespace) -> list[synth.Row]:
    """Rows of one way."""
    pairs = sorted({p for p in way.pairs if p[1] in got.family},
                   key=lambda p: (p[0], FAMILIES.index(p[1])))
    if not pairs:
        return []
    base = synth.BUILD / "synth" / "tried" / way.name
    shutil.rmtree(base / "from", ignore_errors=True)
    way.write(base / "from")
    flow = synth.Flow(base / "from" / "rtl", "", {family for _, family in pairs}, got.seeds, base)
    todo = [synth.Point(flow, None, synth.parse(c), f, got.seeds) for c, f in pairs]
    synth.run(todo, max(1, got.workers))
    return [{"way": way.name} | point.row() for point in todo]


# -- the table ----------------------------------------------------------------------------------

def in_order(rows: Iterable[synth.Row]) -> list[synth.Row]:
    return sorted(rows, key=lambda r: (r["config"], r["way"] != KEPT, r["way"],
                                       FAMILIES.index(r["family"])))


def section(rows: Sequence[synth.Row]) -> str:
    """One table a configuration: the kept one first, then the ways."""
    what = {way.name: way.what for way in with_kept(chosen([]))}
    out = []
    of_point = {(r["config"], r["way"], r["family"]): r for r in rows}

    def cells(config: str, way: str, family: str, columns: Sequence[str]) -> list[str]:
        row = of_point.get((config, way, family))
        return [""] * len(columns) if not row else [
            synth_page.fmax(row) if c == "fmax_mhz" else synth_page.number(row[c]) for c in columns]

    for config in dict.fromkeys(r["config"] for r in rows):
        of = [r["way"] for r in rows if r["config"] == config]
        lines = [[f"`{way}`: {what.get(way, 'gone')}",
                  *cells(config, way, "ice40", ["lut", "ff", "fmax_mhz"]),
                  *cells(config, way, "ecp5", ["lut", "ram", "ff", "fmax_mhz"]),
                  *cells(config, way, "xilinx", ["lut", "ram"])]
                 for way in dict.fromkeys(of)]
        out += [f"`{config}`:\n", table(
            ["way", "HX8K LUT", "FF", "Fmax", "ECP5 LUT", "RAM", "FF", "Fmax", "7-series LUT", "RAM"],
            lines)]
    seeds = sorted({int(r["seeds"]) for r in rows if r["seeds"]})
    tools = dict.fromkeys(t for r in rows for t in r["tools"].split(", "))
    rtl = dict.fromkeys(r["rtl"] for r in rows if r["way"] == KEPT)
    out.append(f"Seeds: {' or '.join(map(str, seeds))}.  Tools: {', '.join(tools)}.  "
               f"RTL {', '.join(rtl)}.  RAM: cells, each in six places of a LUT on ECP5,\nin four on "
               f"7-series, where wide multiplexers (MUXF7, MUXF8) are not counted.\n")
    return "\n".join(out)


# -- the command --------------------------------------------------------------------------------

def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = synth.Parser(prog="tried.py", usage="", add_help=False, allow_abbrev=False)
    parser.add_argument("ways", nargs="*", metavar="WAY")
    parser.add_argument("--family", type=synth.families(FAMILIES), default=FAMILIES)
    parser.add_argument("--seeds", type=synth.count, default=8)
    parser.add_argument("-j", dest="workers", type=synth.count, default=os.cpu_count() or 1)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--rtl", nargs=2, metavar=("WAY", "FOLDER"))
    for flag in ("--list", "--doc", "--check", "--help"):
        parser.add_argument(flag, action="store_true")
    got = parser.parse_args(words)
    alone = [flag for flag in ("rtl", "list", "doc", "check") if getattr(got, flag)]
    if len(alone) > 1 or (alone and got.ways):
        raise Fail(2, f"--{alone[0]} stands alone; --help lists all options")
    return got


def main(words: Sequence[str]) -> None:
    got = arguments(words)
    if got.help:
        print(__doc__)
    elif got.doc or got.check:
        file = got.csv or TABLE
        synth.document(PAGE, file, got.check, "tried", section(synth.read_table(file, COLUMNS)))
    elif got.list:
        for way in chosen([]):
            print(way.name, *dict.fromkeys(config for config, _ in way.pairs))
    elif got.rtl:
        folder = pathlib.Path(got.rtl[1])
        if folder.exists():
            raise Fail(3, f"--rtl {folder} is there; it must not be")
        chosen(got.rtl[:1])[0].write(folder)
    else:
        if got.csv and not got.csv.absolute().parent.is_dir():
            raise Fail(3, f"--csv {got.csv}: no such folder")
        earlier = synth.earlier_rows(got.csv, COLUMNS)
        rows = []
        for way in with_kept(chosen(got.ways)):
            rows += points(way, got)
            if got.csv:                # what is finished is not lost
                new = {(r["way"], r["config"], r["family"]) for r in rows}
                synth.write(got.csv.absolute(), synth.csv_text(in_order(rows + [
                    r for r in earlier if (r["way"], r["config"], r["family"]) not in new]), COLUMNS))
        synth.show([r | {"config": f"{r['way']} {r['config']}"} for r in rows])


if __name__ == "__main__":
    synth.command("tried.py", main)
