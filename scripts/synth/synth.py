#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""synth.py - what a switch, a network or the arbiter costs on FPGAs and in gates, and its clock.

usage: synth.py [CONFIG...] [--matrix] [--family LIST] [--seeds N] [-j N] [--csv FILE]
                [--rtl DIR] [--yosys OPTS]
       synth.py --doc | --check [--csv FILE]

CONFIG is a switch s1of3-v1-q2-w32-rp-rr (level of levels, VCS, DEPTH, FLIT_W, PATH, SCAN), a
network n16-v1-q2-w32-rp-rr, the arbiter with its scan, arbiter-rp-rr, or a router of a torus or a
mesh, torus8n27-v2-q2-w32-ecube-rot (radix, node); default the first.
  --matrix       all that docs/fpga*.md list, with as many seeds as it says
  --family LIST  of ice40, ecp5 (placed), xilinx, gowin, gates (cells only); default all
  --seeds N      placements, seeds 1 to N (default 8; with --matrix at most N; 0: cells only); for
                 a seed that is not routed the next one, for N of them in vain none
  -j N           jobs at once (default one a core)
  --csv FILE     write the points there, too; other points that FILE has stay, column rtl says of
                 which sources; what was placed of a netlist that is still the same is not
                 placed again
                 (docs/results/fpga.csv is the file of the page)
  --rtl DIR      sources (default rtl)
  --yosys OPTS   more options for the synth_* command of Yosys
  --doc          write the tables of docs/fpga*.md from the CSV file; --check: are they up to date?
Tools: YOSYS, NEXTPNR_ICE40, NEXTPNR_ECP5 name other programs, PNR_OPTS holds more options of
nextpnr.  All is kept under build/synth/CONFIG/FAMILY, so that a second run goes on where the
first was stopped.
Exit codes: 0 done, 1 the harness changed the design, or a page differs, 2 usage, 3 an unknown
configuration, a design that does not fit or is not routed, 4 a tool is missing, too old or failed, interrupted.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import difflib
import hashlib
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import synth_page
import synth_tools
from lib.programs import Programs, interruptible, written
from lib.progress import Progress
from synth_configs import ALL, Config, Fail, matrix, parse
from synth_page import fmax
from synth_tools import Netlist

Row = dict[str, str]       # by COLUMNS

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD") or ROOT / "build").absolute()
DOCS = ROOT / "docs"
TABLE = ROOT / "docs" / "results" / "fpga.csv"

COLUMNS = ("config family device lut ff carry ram gates depth fmax_mhz fmax_min fmax_max seeds "
           "unrouted logic_levels path tools rtl netlist").split()

# Wide multiplexers cost LUTs and win no clock, so they are off where that is an option.
SYNTH = {
    "ice40": "synth_ice40",
    "ecp5": "synth_ecp5 -nowidelut",
    "xilinx": "synth_xilinx -flatten -noiopad -noclkbuf",
    "gowin": "synth_gowin -nowidelut -noiopads",
    "gates": "synth -flatten -noabc",
}
DEVICE = {"ice40": "iCE40 HX8K", "ecp5": "ECP5-85F", "xilinx": "Xilinx 7-series", "gowin": "Gowin",
          "gates": "gates"}
PLACE = {
    "ice40": "--hx8k --package ct256 --freq 150 --pcf-allow-unconstrained",
    "ecp5": "--85k --package CABGA381 --speed 6 --freq 200 --lpf-allow-unconstrained",
}
# A router may never end: under router1 two wires take each other's way in turns.  It is given up
# when it has routed that many times the arcs that it routed with no wire in the way (those that end:
# below 2 times), router2 after that many rounds (59).  Steps, not time: the same on any machine.
ROUTER1_TIMES, ROUTER2_ROUNDS = 5, 200
ROUTER1_STEP = re.compile(r"^Info:\s+(\d+) \|\s*\d+\s+(\d+) \|")
ROUTER2_STEP = re.compile(r"^Info:\s+iter=(\d+) ")
# Or it says that a wire has no way, given where this seed put its ends.
NO_WAY = re.compile(r"^ERROR: (Failed to route|Routing design failed)", re.MULTILINE)


# -- tools --------------------------------------------------------------------------------------

def version(words: list[str], ask: list[str], pattern: str, least: tuple[int, int], name: str) -> str | None:
    """The version of a program, at least (major, minor); its first word becomes a full path."""
    program = shutil.which(words[0])
    if not program:
        return None
    done = subprocess.run([program, *words[1:], *ask], text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    found = re.search(pattern, done.stdout)
    if not found:
        raise Fail(4, f"{shlex.join(words + ask)} says no version; "
                      f"allowed: {name} {least[0]}.{least[1]} or later")
    if (int(found[2]), int(found[3])) < least:
        raise Fail(4, f"{words[0]} is {name} {found[1]}; "
                      f"allowed: {least[0]}.{least[1]} or later")
    words[0] = os.path.abspath(program)
    return found[1]


def yosys() -> tuple[list[str], str]:
    """Command and version."""
    words = shlex.split(os.environ.get("YOSYS") or "yosys")
    found = version(words, ["-V"], r"Yosys ((\d+)\.(\d+)\S*)", (0, 23), "Yosys")
    if found is None:
        raise Fail(4, f"no {words[0]}; scripts/setup.sh fpga installs yosys")
    return words, f"yosys {found}"


def nextpnr(family: str) -> tuple[list[str], str]:
    """Command and version; ([], "") if there is none and none was asked for."""
    variable = "NEXTPNR_" + family.upper()
    named = os.environ.get(variable) or (family == "ice40" and os.environ.get("NEXTPNR"))
    venv = BUILD / "venv" / "bin" / f"yowasp-nextpnr-{family}"
    for words in [shlex.split(named)] if named else [[f"nextpnr-{family}"], [str(venv)]]:
        found = version(words, ["--version"], r"Version (?:nextpnr-)?((\d+)\.(\d+)[\w.]*)", (0, 4),
                        f"nextpnr-{family}")
        if found:
            return words, f"nextpnr {found}"
    if named or family == "ice40":
        installs = "scripts/setup.sh fpga" if family == "ice40" else "scripts/setup/venv.sh"
        raise Fail(4, f"no {words[0] if named else 'nextpnr-ice40'}; "
                      f"{installs} installs nextpnr-{family}")
    return [], ""


def first_error(log: pathlib.Path) -> str:
    text = written(log)
    found = re.search(r"ERROR:? .*", text) or re.search(r".*\S.*(?=\s*\Z)", text)
    return found[0].strip() if found else "nothing said"


def given_up(log: pathlib.Path) -> bool:
    """Has the router of nextpnr gone round too often, by the last whole line that it wrote?"""
    for line in reversed(written(log).split("\n")[:-1]):
        if step := ROUTER1_STEP.match(line):
            return int(step[1]) > ROUTER1_TIMES * max(1000, int(step[2]))
        if step := ROUTER2_STEP.match(line):
            return int(step[1]) > ROUTER2_ROUNDS
    return False


def write(file: pathlib.Path, text: str) -> None:
    """All of a file or nothing."""
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.write_text(text)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Fail(4, f"cannot write {file}: {error.strerror}") from error


def keep(file: pathlib.Path, key: str, value: dict[str, Any]) -> None:
    write(file, json.dumps({"key": key} | value))


def kept(file: pathlib.Path, key: str) -> dict[str, Any] | None:
    """What keep() wrote under the same key, or None."""
    try:
        value = json.loads(file.read_text())
    except (OSError, ValueError):
        return None
    return value if value.get("key") == key else None


def sha(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


# -- one point: a configuration in a family -----------------------------------------------------

class Flow:
    """What all points share: sources, tools, options."""

    def __init__(self, rtl: pathlib.Path, options: str, families: Iterable[str], seeds: int, folder: pathlib.Path = BUILD / "synth") -> None:
        self.rtl = rtl
        self.folder = folder           # what is kept lies in CONFIG/FAMILY of it
        self.options = options
        self.bench = ROOT / "tb" / "synth"
        self.yosys, self.yosys_version = yosys()
        self.place = {}
        for family in families:
            if family in PLACE and seeds:
                self.place[family] = nextpnr(family)
        if "ecp5" in self.place and not self.place["ecp5"][0]:
            print("synth.py: no nextpnr-ecp5, so only cells for ECP5; scripts/setup/venv.sh installs it",
                  file=sys.stderr)
        self.programs = Programs()

    def rtl_hash(self, config: Config) -> str:
        """Of the sources of a configuration."""
        sources = [self.rtl / name for name in config.sources]
        for file in sources:
            if not file.is_file():
                raise Fail(3, f"no {file.name} in {self.rtl}")
        return sha(*(f.name + "\n" + f.read_text() for f in sources))

    def script(self, config: Config, family: str) -> str:
        """For Yosys: the design alone, the harness around a black box of it, and both together."""
        top = config.top
        synth = f"{SYNTH[family]} {self.options}".strip() + " -top"

        def chparam(values: Mapping[str, Any]) -> str:
            return "".join(f" -chparam {k} {v}" for k, v in sorted(values.items()))

        lines = ["read_verilog -Irtl -Irtl/fast " + " ".join(f"rtl/{f}" for f in config.sources if f.endswith(".v")) +
                 " bench/arbiter_core.v",
                 f"hierarchy -check -top {top}{chparam(config.parameters)}"]
        if family == "gates":
            lines += ["setattr -mod -unset keep_hierarchy *"]
        if config.kind == "n":         # each level's switch is mapped once
            lines += ["setattr -mod -set keep_hierarchy 1 *switch*"]
        lines += [f"{synth} {top}"]
        if family == "gates":
            lines += ["dfflegalize -cell $_DFF_P_ x", "abc -g cmos", "opt_clean"]
        lines += ["setattr -mod -unset keep_hierarchy *", "flatten", "opt_clean",
                  "write_json design.json"]
        if family in PLACE:
            lines += ["write_rtlil design.il", f"blackbox {top}", "write_rtlil box.il",
                      "design -reset", "read_rtlil box.il",
                      f"read_verilog bench/{config.bench}.v",
                      f"hierarchy -check -top {config.bench}{chparam(config.harness)}",
                      f"{synth} {config.bench}", "write_json harness.json", f"delete ={top}",
                      "read_rtlil design.il", f"hierarchy -check -top {config.bench}",
                      "flatten", "opt_clean", "write_json top.json"]
        return "\n".join(lines) + "\n"


class Point:
    def __init__(self, flow: Flow, earlier: Row | None, config: Config, family: str, seeds: int) -> None:
        """earlier: row of the same point, or None."""
        self.flow, self.config, self.family = flow, config, family
        self.earlier = earlier
        self.command, self.version = flow.place.get(family, ([], "")) if seeds else ([], "")
        self.seeds = seeds if self.command else 0
        self.folder = flow.folder / config.name / family
        self.netlist = self.folder / "top.json"
        self.script = flow.script(config, family)
        self.rtl_hash = flow.rtl_hash(config)
        benches = sorted(flow.bench.glob("*.v"))
        self.key = sha(self.script, sha(self.rtl_hash, *(f.read_text() for f in benches)), flow.yosys_version, "with netlist")
        self.options = shlex.split(
            f"{PLACE.get(family, '')} {config.options(family)} {os.environ.get('PNR_OPTS', '')}")
        self.cells: dict[str, Any] = {}
        self.adopted: Row | None = None  # earlier, if it has these placements
        self.unfit = ""
        self.placed = []
        self.unrouted = []             # seeds
        self.lock = threading.Lock()

    @property
    def place_key(self) -> str:
        return sha(self.cells["netlist"], self.version, *self.options)

    def adopt(self) -> None:
        """Takes the placements of the earlier row, if they are of this netlist and nextpnr."""
        row = self.earlier
        if not row or os.environ.get("PNR_OPTS"):
            return
        enough = any(row[c].isdigit() and int(row[c]) >= self.seeds for c in ("seeds", "unrouted"))
        if (row["netlist"] == self.cells["netlist"]
                and f"{row['tools']}, ".startswith("".join(f"{tool}, " for tool in (self.flow.yosys_version, self.version) if tool))
                and (enough or row["path"].startswith("does not fit"))):
            self.adopted, self.seeds = row, 0

    def missing(self) -> bool:
        """Is there a placement that is not kept?"""
        seed, last = 1, self.seeds
        lacking = False
        while seed <= last:
            found = kept(self.folder / f"seed-{seed}.json", self.place_key) or {}
            if "unfit" in found:
                return False
            lacking |= not found
            last += "unrouted" in found and last < 2 * self.seeds - 1
            seed += 1
        return lacking

    def name(self) -> str:
        return f"{self.config.name}, {DEVICE[self.family]}"

    def synthesize(self) -> None:
        """Cells of the design, and the netlist to place."""
        file = self.folder / "cells.json"
        self.cells = kept(file, self.key) or {}
        if self.cells:
            self.adopt()
        if self.cells and (self.netlist.is_file() or not self.missing()):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        (self.folder / "synth.ys").write_text(self.script)
        # What Yosys makes depends on names, and these on the names of files: the same everywhere.
        for link, to in (("rtl", self.flow.rtl), ("bench", self.flow.bench)):
            (self.folder / link).unlink(missing_ok=True)
            (self.folder / link).symlink_to(to)
        log = self.folder / "yosys.log"
        if self.flow.programs.run(self.flow.yosys + ["-Q", "synth.ys"], log) != 0:
            raise Fail(4, f"{self.name()}: yosys: {first_error(log)} ({log})")
        design = Netlist(self.folder / "design.json", self.config.top)
        try:
            if self.family in PLACE:
                harness = Netlist(self.folder / "harness.json", self.config.bench)
                top = Netlist(self.netlist, self.config.bench)
                synth_tools.check_harness(design, harness, top, self.family, self.config.top)
            cells: dict[str, Any] = design.count(self.family) | {"depth": design.depth(self.family)}
            cells["gates"] = design.nand2() if self.family == "gates" else None
            cells["netlist"] = (top if self.family in PLACE else design).digest()
            if self.family in PLACE:
                cells["harness_ff"] = harness.count(self.family)["ff"]
        except synth_tools.Broken as error:
            raise Fail(1, f"{self.name()}: {error}") from error
        for spare in ("design.json", "harness.json", "design.il", "box.il"):
            (self.folder / spare).unlink(missing_ok=True)
        keep(file, self.key, cells)
        self.cells = cells
        self.adopt()

    def place(self, seed: int) -> int | None:
        """Clock and slowest path with one seed; the seed to take in its place if it is not routed."""
        file = self.folder / f"seed-{seed}.json"
        result = kept(file, self.place_key)
        if not result:
            report, log = self.folder / f"{seed}.report", self.folder / f"{seed}.log"
            report.unlink(missing_ok=True)
            words = self.command + self.options + [
                "--json", self.netlist.name, "--seed", str(seed), "--timing-allow-fail",
                "--report", report.name]
            status = self.flow.programs.run(words, log, endless=given_up)
            # One that ended between two looks at its log went round as often.
            lost = status is None or given_up(log) or status != 0 and NO_WAY.search(written(log))
            result = ({"unrouted": True} if lost else
                      self.read_report(report) if status == 0 else {"unfit": self.too_large(log)})
            keep(file, self.place_key, result)
        with self.lock:
            if "unfit" in result:
                self.unfit = result["unfit"]
            elif "unrouted" in result:
                self.unrouted.append(seed)
                if len(self.unrouted) < self.seeds:
                    return self.seeds + len(self.unrouted)
            else:
                self.placed.append((result["fmax"], seed, result["path"]))
        return None

    def read_report(self, file: pathlib.Path) -> dict[str, Any]:
        report = json.loads(file.read_text())
        clocks = [c["achieved"] for c in report["fmax"].values()]
        if len(clocks) != 1:
            raise Fail(4, f"{self.name()}: {len(clocks)} clocks in {file}, not 1")
        netlist = Netlist(self.netlist, self.config.bench)
        return {"fmax": clocks[0], "path": synth_tools.critical_path(report, netlist)}

    def too_large(self, log: pathlib.Path) -> str:
        """What is needed of what there is; any other failure is an error."""
        for line in written(log).splitlines():
            found = re.search(r"(\w+):\s*(\d+)/\s*(\d+)\s", line)
            if found and int(found[2]) > int(found[3]):
                harness = (f", the {self.cells['harness_ff']:,} registers of the harness among them"
                           if found[1] in ("ICESTORM_LC", "TRELLIS_FF") else "")
                return f"does not fit: {int(found[2]):,} {found[1]} of {int(found[3]):,}{harness}"
        raise Fail(4, f"{self.name()}: nextpnr: {first_error(log)} ({log})")

    def unplaced(self) -> str:
        """Why there is no clock, though one was asked for; "" if there is."""
        if self.adopted:
            return self.adopted["path"] if synth_page.unplaced(self.adopted) else ""
        if self.unrouted and not self.placed:
            return f"not routed with any of {len(self.unrouted)} seeds"
        return self.unfit

    def row(self) -> Row:
        """A line of the table, all as text."""
        row = dict.fromkeys(COLUMNS, "")
        row |= {k: str(self.cells[k]) for k in ("lut", "ff", "carry", "ram", "depth")}
        row |= {"config": self.config.name, "family": self.family, "device": DEVICE[self.family],
                "rtl": self.rtl_hash, "tools": self.flow.yosys_version,
                "netlist": self.cells["netlist"]}
        if self.family == "gates":
            row |= {"gates": str(self.cells["gates"]), "lut": "", "carry": "", "ram": ""}
        if self.adopted:
            return self.adopted | {"rtl": self.rtl_hash}
        row["path"] = self.unplaced()
        if self.placed or row["path"]:
            row["tools"] += f", {self.version}"
            row["unrouted"] = str(len(self.unrouted))
        if self.placed:
            clocks = sorted(self.placed, key=lambda p: p[:2])
            path = clocks[(len(clocks) - 1) // 2][2]
            row |= {"fmax_mhz": f"{statistics.median(c[0] for c in clocks):.1f}",
                    "fmax_min": f"{clocks[0][0]:.1f}", "fmax_max": f"{clocks[-1][0]:.1f}",
                    "seeds": str(len(clocks)), "logic_levels": str(path["luts"]),
                    "path": synth_tools.in_words(path)}
        return row


# -- a run --------------------------------------------------------------------------------------

class Steps(Progress):
    def __init__(self, total: int) -> None:
        super().__init__()
        self.total, self.done = total, 0
        self.lock = threading.Lock()

    def step(self, what: str, spared: int = 0) -> None:
        with self.lock:
            self.done += 1
            self.total -= spared
            self.show(f"{self.done} of {self.total} steps, last {what}")


def run(points: Sequence[Point], workers: int) -> None:
    """All points: first every netlist, then every placement that no earlier row has."""
    progress = Steps(sum(1 + p.seeds for p in points))
    running = points[0].flow.programs
    pool = concurrent.futures.ThreadPoolExecutor(workers)

    def synthesize(point: Point) -> None:
        wanted = point.seeds
        point.synthesize()
        progress.step(point.name(), wanted - point.seeds)

    def place(point: Point, seed: int) -> None:
        while seed:
            another = point.place(seed) if not point.unfit else None
            progress.step(f"{point.name()}, seed {seed}", -1 if another else 0)
            seed = another

    interruptible()
    try:
        for submit in (lambda: [pool.submit(synthesize, p) for p in points],
                       lambda: [pool.submit(place, p, s) for p in points for s in range(1, p.seeds + 1)]):
            waiting = submit()
            for future in concurrent.futures.as_completed(waiting):
                future.result()
        for point in points:           # the largest file; made again for more seeds
            point.netlist.unlink(missing_ok=True)
    except KeyboardInterrupt:
        raise Fail(4, f"interrupted after {progress.done} of {progress.total} steps, which are "
                      f"kept; the same command goes on from there") from None
    finally:
        running.stop()
        pool.shutdown(cancel_futures=True)
        progress.clear()


def show(rows: Sequence[Row]) -> None:
    """A table for a terminal."""
    head = ["config", "family", "LUT", "FF", "carry", "RAM", "NAND2", "depth", "Fmax MHz", "seeds",
            "path"]
    columns = "config family lut ff carry ram gates depth fmax_mhz seeds path".split()
    table = [head] + [[fmax(r) if c == "fmax_mhz" else r[c] for c in columns] for r in rows]
    wide = [max(len(line[i]) for line in table) for i in range(len(head))]
    for line in table:
        print("  ".join(cell.ljust(n) if i in (0, 1, 8, 10) else cell.rjust(n)
                        for i, (cell, n) in enumerate(zip(line, wide))).rstrip())
    print("tools: " + ", ".join(dict.fromkeys(t for r in rows for t in r["tools"].split(", "))))


def read_table(file: pathlib.Path, columns: list[str] = COLUMNS) -> list[Row]:
    """The rows of a CSV file, at least one."""
    try:
        with open(file, newline="", encoding="utf-8") as f:
            table = csv.DictReader(f)
            rows, names = list(table), table.fieldnames
    except OSError as error:
        raise Fail(3, f"cannot read {error.filename}: {error.strerror}") from error
    if names != columns or not rows or any(None in r or None in r.values() for r in rows):
        raise Fail(3, f"{file}: not a table of this script; wanted: {','.join(columns)}")
    return rows


def earlier_rows(file: pathlib.Path | None, columns: list[str] = COLUMNS) -> list[Row]:
    """What a file has; nothing if there is none."""
    return read_table(file, columns) if file and file.exists() else []


def merged(earlier: Sequence[Row], rows: list[Row]) -> list[Row]:
    """The rows, and earlier ones of other points, in the matrix's order."""
    order = [row[0] for row in matrix()]
    new = {(r["config"], r["family"]) for r in rows}
    rows = rows + [r for r in earlier if (r["config"], r["family"]) not in new]
    place = {name: k for k, name in enumerate(order)}
    return sorted(rows, key=lambda r: (place.get(r["config"], len(place)), r["config"],
                                       ALL.index(r["family"])))


def csv_text(rows: Sequence[Row], columns: list[str] = COLUMNS) -> str:
    out = io.StringIO()
    table = csv.DictWriter(out, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


# -- the page -----------------------------------------------------------------------------------

def document(page: str, file: pathlib.Path, check: bool, script: str, section: str) -> None:
    """Writes what a script has in a page of docs, section, or tells whether it is that of the file."""
    path = DOCS / page
    text = path.read_text()
    begin, end = f"<!-- {script}: scripts/synth/{script}.py --doc -->\n", f"<!-- /{script} -->\n"
    before, found, rest = text.partition(begin)
    after = rest.partition(end)[1:]
    if not found or not after[0]:
        raise Fail(3, f"{path}: {begin.strip()} without {end.strip()}")
    new = "".join([before, begin, section, *after])
    if check and new != text:
        raise Fail(1, f"{path} does not show {file}; scripts/synth/{script}.py --doc writes it")
    if not check:
        write(path, new)


# -- the command --------------------------------------------------------------------------------

class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Fail(2, f"{message}; --help lists all options")


def count(text: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text):
        raise argparse.ArgumentTypeError(f"{text} is no number from 0 to 999")
    return int(text)


def families(allowed: Sequence[str]) -> Callable[[str], list[str]]:
    """Reads a list of families."""
    def read(text: str) -> list[str]:
        for family in text.split(","):
            if family not in allowed:
                near = difflib.get_close_matches(family, allowed, 1, 0)
                raise Fail(3, f"unknown family '{family}'; allowed: {', '.join(allowed)}; "
                              f"nearest: {near[0]}")
        return text.split(",")
    return read


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = Parser(prog="synth.py", usage="", add_help=False, allow_abbrev=False)
    parser.add_argument("configs", nargs="*", metavar="CONFIG")
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--family", type=families(ALL), default=ALL)
    parser.add_argument("--seeds", type=count, default=8)
    parser.add_argument("-j", dest="workers", type=count, default=os.cpu_count() or 1)
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--rtl", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--yosys", default="")
    parser.add_argument("--doc", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    # Options of Yosys begin as ours do: what stands behind --yosys is its value.
    joined = [f"--yosys={word}" if before == "--yosys" else word for before, word in zip(["", *words], words)]
    got = parser.parse_args([word for k, word in enumerate(joined) if word != "--yosys" or k + 1 == len(joined)])
    if (got.doc or got.check) and (got.configs or got.matrix or (got.doc and got.check)):
        raise Fail(2, "--doc and --check stand alone, with --csv at most")
    return got


def plan(got: argparse.Namespace) -> list[tuple[Config, str, int]]:
    """(configuration, family, seeds) of all points, each once."""
    rows = [(name, ALL, got.seeds) for name in got.configs]
    if got.matrix:
        rows += matrix()
    if not rows:
        rows = [(matrix()[0][0], ALL, got.seeds)]
    points = {}
    for name, families, seeds in rows:
        config = parse(name)
        for family in families:
            if family in got.family:
                points.setdefault((name, family), (config, family, min(seeds, got.seeds)))
    return list(points.values())


def main(words: Sequence[str]) -> None:
    got = arguments(words)
    if got.help:
        print(__doc__)
        return
    if got.doc or got.check:
        file = got.csv or TABLE
        rows = read_table(file)
        for page, section in synth_page.SECTIONS.items():
            document(page, file, got.check, "synth", section(rows, matrix()))
        return
    todo = plan(got)
    if got.csv and not got.csv.absolute().parent.is_dir():
        raise Fail(3, f"--csv {got.csv}: no such folder")
    flow = Flow(got.rtl.absolute(), got.yosys, {family for _, family, _ in todo}, got.seeds)
    earlier = earlier_rows(got.csv)
    known = {(row["config"], row["family"]): row for row in earlier}
    points = [Point(flow, known.get((what[0].name, what[1])), *what) for what in todo]
    run(points, max(1, got.workers))
    rows = [point.row() for point in points]
    show(rows)
    if got.csv:
        write(got.csv.absolute(), csv_text(merged(earlier, rows)))
    # In the matrix it is a result that a network does not fit or is not routed; what a user names must.
    for point in points:
        if point.unplaced() and point.config.name in got.configs:
            raise Fail(3, f"{point.name()}: {point.unplaced()}")


def command(name: str, body: Callable[[Sequence[str]], None]) -> None:
    """Runs the body of a script, and says in one line what was wrong."""
    try:
        body(sys.argv[1:])
    except Fail as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(error.code)
    except OSError as error:
        print(f"{name}: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        sys.exit(4)
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        sys.exit(4)


if __name__ == "__main__":
    command("synth.py", main)
