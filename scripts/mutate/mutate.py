#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# mutate.py - breaks the design on purpose, often, and counts what the regression notices.
#
# Verilog: yosys `mutate` inverts, ties or crosses single bits of cells; all mutants of a shape are one
# Verilated library with an input that selects one.  C: one token or statement of a source file is
# changed.  Each mutant meets the true other side in the co-simulation's own cases, through
# tb/mutate/judge.c; what no case kills must be proven equivalent (scripts/mutate/mutate_equal.py and
# mutate_reach.py, or the same object code), or it is a failure.  Results stay in
# BUILD/mutate/full/mutants.db, so an interrupted run goes on where it was.  --task K/T runs a share of the
# shapes and files, --merge joins shares, and the run after that does the rest (mutate_tasks.py).
from __future__ import annotations

import argparse
import concurrent.futures
import csv
import difflib
import glob
import hashlib
import os
import re
import shutil
import signal
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import mutate_c
import mutate_equal
import mutate_reach
import mutate_tasks
from mutate_tools import HERE, Parser, Store, Trouble, call, judge, keyed
from lib import markdown, tasks
from lib.programs import kill
from lib.progress import Progress

Mutant = tuple[int, str, str]           # id, module, command of Yosys
Place = tuple[str, str, str, str, str]  # in the source: module, mode, cell, port, bit
Listing = dict[Place, dict[str, list[str]]]

PROGRESS = Progress()
PATHS = ["fp", "rp", "gp", "rg", "rw"]
SCANS = ["rr", "fo", "ff", "rot", "fcfs"]
# Mutants of a module in one shape, in parts of all of that shape.
PARTS = {"fifo": 3, "route": 2, "arbiter": 2, "pick": 2, "order": 1, "scan": 4, "port": 5, "switch_ref": 5,
         "lfsr": 1, "gather": 2, "switch_fast": 5, "network": 1, "port_fast": 5, "fifo_fast": 3, "scan_fast": 4,
         "port_pair": 5, "reach": 2, "link": 1, "port_one": 5, "link_one": 1, "lead": 1, "pick_apart": 1, "parents": 2,
         "keep": 1, "gate": 1, "cube": 5, "cube_port": 6, "cube_route": 4, "cube_network": 1}
# Together: every scan, path and number of channels, every kind of queue, every level; a leaf and a root with
# port_fast.v and with port_one.v, a leaf with port_pair.v.
FAST = ["s1of3-v1-q2-w32-rp-rr", "s2of3-v2-q2-w32-gp-fo", "s2of3-v1-q2-w32-rg-ff",
        "s1of3-v1-q4-w24-fp-rot", "s1of3-v2-q5-w33-fp-fcfs", "s1of3-v2-q1-w17-rp-rot",
        "s2of3-v4-q3-w24-rp-rr", "s1of3-v2-q4-w64-gp-ff", "s3of3-v1-q5-w48-rp-rot",
        "s2of3-v1-q2-w32-rp-fcfs", "s1of3-v2-q3-w16-rg-fcfs", "s1of3-v2-q2-w32-rp-rr",
        "s2of3-v1-q2-w32-gp-rr", "s2of3-v1-q2-w32-fp-ff", "n16-v1-q2-w32-rp-rr"]
# The same of the reference switch, which is the only one of the first two; all have a case in the regression.
REFERENCE = ["s2of3-v4-q2-w64-rg-fcfs", "s1of3-v4-q4-w24-rw-fo", "s2of3-v1-q2-w32-rp-rr-ref", "s1of3-v2-q1-w17-rp-rot-ref",
             "s2of3-v1-q2-w32-rg-ff-ref", "s1of3-v2-q4-w64-gp-ff-ref", "s3of3-v1-q2-w32-rp-rot-ref", "s1of3-v2-q5-w33-fp-fcfs-ref",
             "s2of3-v1-q2-w32-gp-rr-ref"]
TREES = FAST + REFERENCE
# Both topologies and ways of routing, even and odd routers, 1 to 4 channels; of these only what the fat tree
# has not.
CUBES = ["torus4n5-v2-q2-w32-ecube-rot", "torus4n6-v3-q2-w32-nhop-rot", "torus4n5-v3-q2-w32-nhop-rr",
         "torus4n15-v4-q3-w16-ecube-fo", "mesh4n5-v1-q2-w32-ecube-rot", "mesh4n6-v4-q2-w32-nhop-rot",
         "torus4-v3-q2-w32-nhop-rr"]
SHAPES = TREES + CUBES
PER_SHAPE = 110
PER_CUBE = 50
# Modules that only some shapes have.
EITHER = ["s2of3-v1-q2-w32-rg-ff", "s2of3-v1-q2-w32-gp-rr"]
ONE = ["s1of3-v1-q2-w32-rp-rr", "n16-v1-q2-w32-rp-rr", "s2of3-v1-q2-w32-rp-fcfs",
       "s2of3-v1-q2-w32-fp-ff"] + EITHER           # the network for its roots
PAIR = ["s1of3-v2-q2-w32-rp-rr"]
ONLY_IN = {"network": ["n16-v1-q2-w32-rp-rr"], "cube_network": CUBES[-1:]}
ONLY_IN.update({m: ONE for m in ("port_one", "link_one")})
ONLY_IN.update({m: PAIR for m in ("port_pair", "reach", "link")})
ONLY_IN.update({m: ONE + PAIR for m in ("pick_apart", "keep", "gate")})
ONLY_IN["lead"] = [s for s in ONE + PAIR if s not in EITHER]
ONLY_IN["parents"] = EITHER
ONLY_IN.update({m: [s for s in FAST if s not in ONE + PAIR] for m in ("port_fast", "fifo_fast")})
ONLY_IN["arbiter"] = [s for s in TREES if s not in ONE + PAIR]
ONLY_IN["route"] = [s for s in TREES if s not in ONE]
ONLY_IN.update({m: REFERENCE for m in ("port", "fifo", "switch_ref")})
ONLY_IN.update({m: FAST for m in ("switch_fast", "scan_fast", "gather")})
ONLY_IN.update({m: CUBES[:-1] for m in ("cube", "cube_port", "cube_route")})
CASES = {"n16-v1-q2-w32-rp-rr": ["fat16-random", "fat16-many-to-1", "exact-n16-l1", "fat16-open-load"],
         "torus4-v3-q2-w32-nhop-rr": ["cube-torus4-v3-q2-w32-nhop-rr",
                                      "cube-torus4-v3-q2-w32-nhop-rr-transpose"]}
PROOF = "proof"                         # in place of a case: fast and reference are no longer equal
SHORT = 12000                           # cycles of the first try
WEAK = 20                               # ... with --weak


def plain(module: str) -> str:
    """Its name in the source: Yosys says name, $paramod$HASH\\name or $paramod\\name\\P=VALUE."""
    return (module.split("\\") + [module])[1]


def yosys(script: Sequence[str], what: str) -> str:
    return call(["yosys", "-q", "-p", "\n".join(script)], what)


# -- the judge ----------------------------------------------------------------------------------------

def check_built(o: argparse.Namespace) -> None:
    """What make builds is there: the command, which names cases and shapes, and the judge."""
    for file in (f"{o.build}/fatfly", f"{o.build}/mutate/judge"):
        if not os.path.exists(file):
            raise Trouble(4, f"{file}: not there; build it with: make {file}")


# -- Verilog mutants ------------------------------------------------------------------------------

def parameters(shape: str) -> tuple[str, dict[str, Any]]:
    """Name of the top and the yosys parameters of a shape."""
    place, v, q, w, path, scan, *reference = shape.split("-")
    values = {"VCS": v[1:], "DEPTH": q[1:], "FLIT_W": w[1:], "SCAN": SCANS.index(scan), "PROBE": 1}
    if shape in CUBES:
        torus, k, node = re.fullmatch(r"(torus|mesh)(\d+)n?(\d*)", place).groups()
        values |= {"K": k, "TORUS": int(torus == "torus"), "NHOP": int(path == "nhop")}
        return ("cube_one", values | {"NODE": node}) if node else ("cube_network", values)
    values["PATH"] = PATHS.index(path)
    if reference:
        values["IMPL"] = 1
    if place[0] == "n":
        values["LEVELS"] = (int(place[1:]).bit_length() - 1) // 2
        return "network", values
    values["LEVEL"], values["LEVELS"] = place[1:].split("of")
    return "switch", values


def elaborate(shape: str, folder: str) -> list[str]:
    """Writes base.il, the design as word-level cells, and returns the names of its modules."""
    top, values = parameters(shape)
    files = []
    for folder_of in ("", "fast/", "cube/")[:3 if shape in CUBES else 2]:
        files += sorted(folder_of + os.path.basename(f) for f in glob.glob(f"{HERE}/rtl/{folder_of}*.v"))
    sets = " ".join(f"-set {k} {v}" for k, v in values.items())
    call(["yosys", "-q", "-p", "\n".join([
        "read_verilog -I. " + " ".join(files), f"chparam {sets} {top}",
        f"hierarchy -check -top {top}", "proc", "opt_expr", "opt_clean",
        f"hierarchy -top {top}",        # drops what nobody reads: arbiter.v beside port_one.v
        f"tee -o {folder}/modules ls", f"write_rtlil {folder}/base.il.part"])], shape, cwd=f"{HERE}/rtl")
    os.rename(f"{folder}/base.il.part", f"{folder}/base.il")
    with open(f"{folder}/modules", encoding="utf-8") as text:
        names = [line.strip() for line in text]
    return [n for n in names if n and not n.endswith("modules:")]


def choose(shape: str, folder: str, seed: int, count: int, only: str | None) -> list[tuple[str, str]]:
    """The mutations of a shape, (module, yosys command).

    Only of the cone of what is no probe: the probe is how the co-simulation looks, not what it looks at.
    """
    modules = [m for m in elaborate(shape, folder) if (not only or plain(m) == only) and
               plain(m) not in ("switch", "cube_one")]          # those are wires alone
    if shape in CUBES:
        modules = [m for m in modules if plain(m).startswith("cube")]
    kinds = [plain(m) for m in modules]
    parts = sum(PARTS[k] for k in set(kinds))
    script = [f"read_rtlil {folder}/base.il", "select -set design o:* o:probe_o %d %ci*"]
    wanted = []
    for k, module in enumerate(modules):
        wanted.append(max(1, round(count * PARTS[kinds[k]] / parts / kinds.count(kinds[k]))))
        script.append(f"mutate -list {2 * wanted[k] + 20} -seed {seed} -module {module} "
                      f"-o {folder}/list{k} @design")
    yosys(script, shape)
    mutants = []
    for k, module in enumerate(modules):
        with open(f"{folder}/list{k}", encoding="utf-8") as text:
            lines = [line.strip() for line in text if "-port probe_o " not in line]
        mutants += [(kinds[k], line) for line in lines[:wanted[k]]]
    return mutants


def plant(shape: str, folder: str, mutants: Iterable[Mutant]) -> None:
    """Writes the design with all mutants (id, module, command); its input `mutant` selects one, 0 none.

    TOP.v has the modules of the design, for the proofs; flat/TOP.v is one module, for Verilator.
    """
    script = [f"read_rtlil {folder}/base.il"]
    for number, _, command in mutants:
        script.append(re.sub(r" -(src|wire|wirebit) \S+", "", command).replace(
            "mutate ", f"mutate -ctrl mutant 16 {number} ", 1))
    top = parameters(shape)[0]
    # A mutant drives one bit of a wire anew from the wire as it was; Verilator takes both for a loop unless
    # the wire is split, that of a port, too, and 5.006 settles some such loops wrongly.
    split = ["opt_clean", "splitnets -driver", "write_verilog -noattr " + folder]
    os.makedirs(f"{folder}/flat", exist_ok=True)
    with open(f"{folder}/mutate.ys", "w", encoding="utf-8") as out:
        out.write("\n".join([*script, *split]) + f"/{top}.v\nsetattr -mod -unset keep_hierarchy\nflatten\n")
        out.write("\n".join(split) + f"/flat/{top}.v\n")
    call(["yosys", "-q", f"{folder}/mutate.ys"], shape)


def build_rtl(o: argparse.Namespace, shape: str, folder: str, mutants: Iterable[Mutant]) -> None:
    """rtl.so: all mutants of a shape; it has that name once it is seen to be right without one."""
    if os.path.exists(f"{folder}/rtl.so"):
        return
    plant(shape, folder, mutants)
    runtime = f"{o.build}/verilated.o {o.build}/verilated_threads.o"
    if os.path.exists(f"{o.build}/verilated.o"):
        os.environ["VERILATED"] = runtime
    call([os.path.join(HERE, "scripts/sim/verilate.sh"), shape, f"{folder}/new.so", f"{folder}/flat"], shape,
         env={**os.environ, "MUTANTS": "1"})
    for _ in judge(o, cases_of(shape)[0], "rtl", "-", [], SHORT, plain=f"{folder}/new.so"):
        pass
    os.rename(f"{folder}/new.so", f"{folder}/rtl.so")


def cases_of(shape: str) -> list[str]:
    return CASES.get(shape, [("router-" if shape in CUBES else "switch-") + shape])


def check_cases(o: argparse.Namespace, shapes: Sequence[str]) -> None:
    """Every case is in the regression, told before anything is built."""
    there = set(call([f"{o.build}/fatfly", "cosim", "--sim", f"{HERE}/sim", "--list"], "cases").split())
    for shape in shapes:
        for case in cases_of(shape):
            if case not in there:
                near = difflib.get_close_matches(case, there, 1)
                raise Trouble(1, f"{shape}: no case {case} in the regression" + (f"; nearest: {near[0]}" if near else ""))


def try_rtl(o: argparse.Namespace, store: Store, shape: str, folder: str, numbers: Iterable[int], case: str, cycles: int, home: dict[int, tuple[str, int]] | None = None) -> None:
    """Runs mutants of a shape; home gives the (shape, id) of those that were moved here."""
    rows = [(n, f"{folder}/rtl.so") for n in numbers]
    for number, end, cycle in judge(o, case, "rtl", "-", rows, cycles, plain=f"{folder}/rtl.so"):
        if end != "passed":
            at, mine = home[number] if home else (shape, number)
            store.settle("rtl", at, mine, "killed", case, cycle)


def rtl_shape(o: argparse.Namespace, shape: str, count: int) -> None:
    """All mutants of one shape: short run, proof."""
    store = Store(o.db)
    folder = f"{o.work}/{shape}"
    keyed(folder, o.key)
    if not store.get("rtl", shape):
        for f in glob.glob(f"{folder}/rtl.so") + glob.glob(f"{folder}/*.aag"):
            os.remove(f)
        store.add("rtl", shape, choose(shape, folder, o.seed, count, o.module))
    if not store.get("rtl", shape, "new"):  # done, or --module names one that this shape lacks
        return
    ready(o, store, shape)
    ids = lambda state: [row[0] for row in store.get("rtl", shape, state)]
    try_rtl(o, store, shape, folder, ids("new"), cases_of(shape)[0], WEAK if o.weak else SHORT)
    for number, how in mutate_equal.equivalent(folder, parameters(shape)[0], ids("new")).items():
        store.settle("rtl", shape, number, "equivalent", how)
    for number in ids("new"):
        store.settle("rtl", shape, number, "survived")


def ready(o: argparse.Namespace, store: Store, shape: str) -> None:
    """The design and the library of a shape are there, also where a share on another machine began it."""
    folder = f"{o.work}/{shape}"
    keyed(folder, o.key)
    if not os.path.exists(f"{folder}/base.il"):
        elaborate(shape, folder)
    build_rtl(o, shape, folder, store.get("rtl", shape))


def full_cases(o: argparse.Namespace, shape: str) -> None:
    """What is left meets every case of its shape to the end."""
    store = Store(o.db)
    if store.get("rtl", shape, "survived"):
        ready(o, store, shape)
    for case in cases_of(shape):
        left = [row[0] for row in store.get("rtl", shape, "survived")]
        if left:
            try_rtl(o, store, shape, f"{o.work}/{shape}", left, case, 0)


def reached(o: argparse.Namespace, shape: str) -> None:
    """What no case tells is asked whether any state that is reached could; of the fast switch, whether the proof
    that it is the reference could."""
    store = Store(o.db)
    for number, module, _ in store.get("rtl", shape, "survived"):
        if module.endswith("network"):
            continue
        if mutate_reach.equivalent(f"{o.work}/{shape}", parameters(shape)[0], shape, number):
            store.settle("rtl", shape, number, "equivalent", "reach")
        elif shape in FAST:
            cycles = mutate_reach.told(f"{o.work}/{shape}", parameters(shape)[0], shape, number)
            if cycles is not None:
                store.settle("rtl", shape, number, "killed", PROOF, cycles)


def words(command: str) -> dict[str, str]:
    """Options of a yosys mutate command."""
    return dict(re.findall(r"-(\w+) (\S+)", command))


def listing(shape: str, folder: str) -> Listing:
    """Every mutation of the design that yosys knows for a shape: {place in the source: {module: [command]}}.

    A place is what the source says, whatever numbers yosys gave the cells; the commands of one place are
    in the order of these numbers, that is of the generate loops.
    """
    if not os.path.exists(f"{folder}/base.il"):
        os.makedirs(folder, exist_ok=True)
        elaborate(shape, folder)
    yosys([f"read_rtlil {folder}/base.il", "select -set design o:* o:probe_o %d %ci*",
           f"mutate -list 10000000 -o {folder}/every @design"], shape)
    found = {}
    with open(f"{folder}/every", encoding="utf-8") as text:
        for line in text:
            w = words(line)
            name, _, number = w["cell"].rpartition("$")
            found.setdefault(place(line), {}).setdefault(w["module"], []).append(
                (int(number) if name and number.isdigit() else 0, line.strip()))
    os.remove(f"{folder}/every")
    return {p: {m: [line for _, line in sorted(rows)] for m, rows in of.items()}
            for p, of in found.items()}


def place(command: str) -> Place:
    w = words(command)
    kind = plain(w["module"])
    if kind in ("gate", "keep"):        # what they are their table says, not their source
        kind = w["module"]
    return kind, w["mode"], re.sub(r"\$\d+$", "", w["cell"]), w["port"], w["portbit"]


def elsewhere(o: argparse.Namespace, shape: str, homeless: Sequence[tuple[str, int, str]], known: dict[str, Listing]) -> None:
    """Survivors of other shapes meet this one's case if it has the same place as often."""
    store = Store(o.db)
    folder = f"{o.work}/{shape}"
    for s in {shape, *(row[0] for row in homeless)} - set(known):
        keyed(f"{o.work}/{s}", o.key)
        known[s] = listing(s, f"{o.work}/{s}")
    moved = []
    home = {}
    for at, number, what in homeless:
        # The list has one control bit, drawn at random, of each place: ours is put in.
        bare = lambda line: re.sub(r" -ctrlbit \d+", "", line.split(" -src ")[0])
        mine = known[at].get(place(what), {}).get(words(what)["module"], [])
        if bare(what) not in map(bare, mine): # Yosys does not list every kind at every place
            continue
        index = [bare(line) for line in mine].index(bare(what))
        for lines in known[shape].get(place(what), {}).values() if at != shape else []:
            if len(lines) == len(mine):
                moved.append((len(moved) + 1, "", re.sub(
                    r"-ctrlbit \d+", f"-ctrlbit {words(what).get('ctrlbit')}", lines[index])))
                home[len(moved)] = (at, number)
    if moved:
        os.makedirs(f"{folder}/moved", exist_ok=True)
        for f in glob.glob(f"{folder}/moved/rtl.so"):
            os.remove(f)
        call(["cp", f"{folder}/base.il", f"{folder}/moved"], shape)
        build_rtl(o, shape, f"{folder}/moved", moved)
        try_rtl(o, store, shape, f"{folder}/moved", list(home), cases_of(shape)[0], SHORT, home)


# -- all of it ----------------------------------------------------------------------------------------

# Of which a verdict is made: what is planted in, what judges it, and the cases that it judges by.
SOURCES = ("rtl/*", "rtl/fast/*", "rtl/cube/*", "cmodel/*.h", "cmodel/*/*", "sim/*.*", "sim/cases/*", "sim/traces/*", "Makefile",
           "scripts/mutate/*.py", "scripts/lib/*.py", "scripts/sim/*", "tb/mutate/*.c", "tb/arbiter/*", "tb/cube/*.cpp", "tb/rtl/*_top.v")


def source_key(o: argparse.Namespace) -> str:
    """Changes when the design, the cases or these scripts do."""
    h = hashlib.sha256(repr((o.seed, o.sample, o.module, o.weak, len(o.sides) if o.sample else 0)).encode())
    for pattern in SOURCES:
        for file in sorted(glob.glob(os.path.join(HERE, pattern))):
            if os.path.isfile(file):
                with open(file, "rb") as data:
                    h.update(os.path.basename(file).encode() + data.read())
    return h.hexdigest()


def progress(o: argparse.Namespace, store: Store, text: str) -> None:
    count = store.count(o.sides)
    done = sum(n for state, n in count.items() if state != "new")
    PROGRESS.show(f"[{done}/{sum(count.values())}] {count.get('survived', 0)} survived  {text}")


def side_by_side(o: argparse.Namespace, store: Store, text: str, function: Callable[..., None], *lists: Sequence[Any]) -> None:
    """Runs function(o, *args) for each row of arguments in processes of their own.

    Each leads a group, so that an interrupt ends it with the judge and the compilers that it runs.
    """
    with concurrent.futures.ProcessPoolExecutor(o.jobs, initializer=os.setpgrp) as pool:
        work = [pool.submit(function, o, *row) for row in zip(*lists)]
        try:
            while True:
                _, rest = concurrent.futures.wait(work, 1, concurrent.futures.FIRST_EXCEPTION)
                progress(o, store, text)
                for job in work:
                    if job.done() and job.exception():
                        raise job.exception()
                if not rest:
                    return
        except BaseException:
            for pid in list(getattr(pool, "_processes", None) or {}):
                kill(pid)
            raise


def shapes_of(o: argparse.Namespace) -> list[str]:
    return ONLY_IN.get(o.module, TREES if o.module else SHAPES)


def batches(o: argparse.Namespace) -> list[mutate_tasks.Batch]:
    """What is drawn from: shapes and files."""
    shapes, files = shapes_of(o), mutate_c.files_of(o)
    return [(side, name) for side in o.sides for name in (files if side == "c" else shapes[:1] if o.sample else shapes)]


def run_rtl(o: argparse.Namespace, store: Store) -> None:
    shapes = shapes_of(o)
    homes = [name for side, name in o.mine if side == "rtl"]
    sample = max(1, o.sample // len(o.sides))
    side_by_side(o, store, "Verilog", rtl_shape, homes, [
        sample if o.sample else PER_CUBE if s in CUBES else PER_SHAPE for s in homes])
    if o.task:                          # the rest looks at survivors of all shapes
        return
    known = {}
    for shape in [] if o.weak else shapes[:2] if o.sample else shapes:
        homeless = [(s, n, w) for s in homes if (s in CUBES) == (shape in CUBES)
                    for n, _, w in store.get("rtl", s, "survived")]
        if homeless:
            elsewhere(o, shape, homeless, known)
            progress(o, store, "survivors in other shapes")
    if not o.weak:
        side_by_side(o, store, "full cases", full_cases, homes)
        side_by_side(o, store, "states that are reached", reached, homes)


def report(o: argparse.Namespace, store: Store) -> tuple[int, int]:
    """Tables on the terminal and in csv; returns how many passed and failed."""
    rows = []
    batches = store.db.execute("select distinct side, module, shape from mutant order by 1 desc, 2, 3")
    for side, module, shape in [b for b in batches.fetchall() if b[0] in o.sides]:
        got = store.db.execute("select state, how, cycles from mutant where side=? and module=? and "
                               "shape=?", (side, module, shape)).fetchall()
        killed = [(how, cycles) for state, how, cycles in got if state == "killed" and how != PROOF]
        state = lambda s: sum(row[0] == s for row in got)
        by_case = {}
        for how, cycles in killed:
            by_case.setdefault(how, []).append(cycles)
        # Of the cases that kill at least a tenth of those killed, the one that takes the fewest cycles.
        enough = [c for c in by_case if 10 * len(by_case[c]) >= len(killed)]
        best = min(enough, key=lambda c: (statistics.median(by_case[c]), c), default="")
        middle = f"{statistics.median([c for _, c in killed]):.0f}" if killed else ""
        rows.append([side, module, shape, len(got) - state("stillborn"), len(killed), state("killed") - len(killed),
                     state("equivalent"), state("survived"), best, middle])
    head = ["side", "module", "shape", "mutants", "killed", "by_proof", "equivalent", "survived", "fastest_case",
            "median_cycles_to_kill"]
    file = f"{o.work}/mutation.csv"
    with open(file + ".part", "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([head, *rows])
    os.rename(file + ".part", file)
    for side, shape, module, number, what in store.db.execute(
            "select side, shape, module, id, what from mutant where state='survived' order by 1, 2, 4"):
        if side not in o.sides:
            continue
        print(f"FAIL survived: {side} {shape} {module} {number}: {what}")
    table(rows)
    count = store.count(o.sides)
    return count.get("killed", 0) + count.get("equivalent", 0), count.get("survived", 0)


def table(rows: Sequence[list[Any]]) -> None:
    """Totals of each module as Markdown."""
    lines = []
    for side, module in dict.fromkeys((r[0], r[1]) for r in rows):
        mine = [r for r in rows if r[:2] == [side, module]]
        fast = min((r for r in mine if r[9]), key=lambda r: float(r[9]), default=["-"] * 10)
        name = f"rtl/{module}.v" if side == "rtl" else module
        lines.append([side, name, *(sum(r[k] for r in mine) for k in range(3, 8)), f"`{fast[8]}`", fast[9]])
    for side in dict.fromkeys(r[0] for r in rows):
        mine = [r for r in rows if r[0] == side]
        lines.append([side, "all", *(sum(r[k] for r in mine) for k in range(3, 8)), "", ""])
    print(markdown.table(["side", "module", "mutants", "killed", "by proof", "proven equivalent", "survived", "fastest case",
                          "median cycles"], lines, (2, 3, 4, 5, 6, 8)), end="")


def options(argv: Sequence[str]) -> argparse.Namespace:
    p = Parser(prog="mutate.py", allow_abbrev=False, description="Plants many small "
                                "faults and counts those that the co-simulation notices.")
    p.add_argument("--rtl", action="store_true", help="only Verilog mutants")
    p.add_argument("--c", action="store_true", help="only mutants of the C model")
    p.add_argument("--module", help="only of this Verilog module or C file")
    p.add_argument("--seed", type=int, default=1, help="which mutants are drawn (default 1)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    p.add_argument("--sample", type=int, default=0, metavar="N", help="only about N mutants")
    p.add_argument("--weak", action="store_true", help="first cycles of the first case only: shows "
                   "that a weak regression leaves survivors")
    p.add_argument("--task", metavar="K/T", help="only the share K of T of the shapes and files, into mutants.K-of-T.db; "
                   "survivors of the Verilog are left for the run after --merge")
    p.add_argument("--merge", nargs="+", metavar="DB", help="join shares into mutants.db and end")
    o = p.parse_args(argv)
    o.build = os.path.abspath(os.environ.get("BUILD", os.path.join(HERE, "build")))
    o.sides = [s for s, on in (("rtl", o.rtl), ("c", o.c)) if on] or ["rtl", "c"]
    names = [n for s in o.sides for n in (PARTS if s == "rtl" else mutate_c.FILES)]
    if o.module and o.module not in names:
        near = difflib.get_close_matches(o.module, names, 1)
        raise Trouble(2, f"--module {o.module}: no such module; allowed: {', '.join(names)}" +
                      (f"; nearest: {near[0]}" if near else ""))
    if o.module:
        o.sides = [s for s in o.sides if o.module in (PARTS if s == "rtl" else mutate_c.FILES)]
    for name, low, high in (("seed", 0, 2**31 - 1), ("jobs", 1, 256), ("sample", 0, 100000)):
        if not low <= getattr(o, name) <= high:
            raise Trouble(2, f"--{name} {getattr(o, name)}; allowed: {low} to {high}")
    if o.task and o.merge:
        raise Trouble(2, "--task and --merge; allowed: one of them")
    o.mine = batches(o)
    try:
        o.mine = mutate_tasks.share(o.mine, o.task) if o.task else o.mine
    except ValueError as e:
        raise Trouble(2, str(e)) from None
    return o


def main(argv: Sequence[str]) -> int:
    for sig in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sig, signal.default_int_handler)
    try:
        o = options(argv)
        o.work = f"{o.build}/mutate/{'sample' if o.sample else 'full'}"
        o.db = f"{o.work}/mutants{'.{}-of-{}'.format(*tasks.task(o.task)) if o.task else ''}.db"
        o.key = source_key(o)
        keys = dict.fromkeys(o.sides, o.key)
        if not o.merge:
            if "rtl" in o.sides and not shutil.which(os.environ.get("VERILATOR", "verilator")):
                raise Trouble(4, "no Verilator on this machine; scripts/setup.sh installs it")
            check_built(o)
            check_cases(o, SHAPES)
        os.makedirs(o.work, exist_ok=True)
        store = Store(o.db)
        for side, key in keys.items():
            store.begin(side, key)
        if o.merge:
            return mutate_tasks.merge(o, store, keys, o.mine)
        if "rtl" in o.sides:
            run_rtl(o, store)
        if "c" in o.sides:
            mutate_c.run(o, store, side_by_side)
        passed, failed = report(o, store)
    except Trouble as t:
        print(f"mutate.py: {t}", file=sys.stderr)
        return t.code
    except KeyboardInterrupt:
        print("\nmutate.py: interrupted; the same command goes on", file=sys.stderr)
        return 4
    if o.task:
        print(f"share {o.task}: {passed} passed, {failed} left: {o.db}")
        return 0
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
