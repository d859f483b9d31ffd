#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judges.py - breaks on purpose what decides a verdict or a number: all C but the twins of the Verilog, which mutate.py
breaks.  A sample of small changes, drawn by a seed; each is planted in a copy of the repository, where parts of
`make test` run until one fails.

With --narrow types take half their bits, in place of the small changes; whoever writes one by hand writes the casts, too, so nothing warns.
With --python the scripts are changed in place of C (mutate_python.py).

Killed: a part fails, crashes or does not end.  Equivalent: gcc or clang makes the same object code at some level, of a
header in all that include it; Python reads the same.
Survived: neither.  Results stay in BUILD/mutate/judges/mutants.db, so an interrupted run goes on where it was; the table
goes to the terminal and to BUILD/mutate/judges/judges.csv.
"""

import argparse
import collections
import csv
import difflib
import functools
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import mutate_c
import mutate_python
from mutate_c import Change
from mutate_tools import HERE, Parser, Store, Trouble, call
from lib import markdown
from lib.programs import Programs
from lib.sources import sources, state

# File: the unit tests that bear on it, then steps of make test.  The first that fails has killed the mutant.
PARTS: dict[str, tuple[str, str]] = {
    # the co-simulation
    "sim/lockstep.c": ("lockstep driver inside", "small judge cli"),
    "sim/driver.c": ("driver lockstep", "small judge cli"),
    "sim/stimulus.c": ("stimulus driver", "small judge cli"),
    "sim/stimulus.h": ("stimulus driver", "small judge cli"),
    "sim/probe.c": ("probe", "small judge cli"),
    "sim/config.c": ("config", "small cli"),
    "sim/cases.c": ("cases config", "small cli digest"),
    "sim/cosim.c": ("", "small cli digest judge"),
    "sim/cover.c": ("cover", "small digest coverage"),
    "sim/dut.c": ("driver stimulus waves probe", "small judge cli"),
    "sim/dut.h": ("driver stimulus waves probe", "small judge cli"),
    "sim/dut_cmodel.c": ("driver lockstep", "small judge digest"),
    "sim/dut_cube.c": ("cube", "judge digest"),
    "sim/explain.c": ("follow", "cli digest"),
    "sim/follow.c": ("follow", "cli digest"),
    "sim/hardware.c": ("", "run digest"),
    "sim/library.c": ("", "small cli"),
    "sim/options.c": ("", "small cli digest"),
    "sim/page.c": ("", "cli digest"),
    "sim/report.c": ("report", "small cli digest"),
    "sim/task.c": ("", "cli"),
    "sim/watch.c": ("lockstep", "small cli digest"),
    "sim/waves_moves.c": ("waves", "events digest"),
    "sim/waves_save.c": ("waves", "events digest"),
    "sim/waves_tell.c": ("waves", "events digest"),
    "sim/waves_write.c": ("waves", "events digest"),
    # what is simulated
    "cmodel/switch/params.c": ("params", "small run"),
    "cmodel/switch/switch.h": ("switch worm", "small digest"),
    "cmodel/traffic/traffic.c": ("traffic fatfly", "run digest"),
    "cmodel/traffic/pattern.c": ("pattern traffic", "run digest"),
    "cmodel/traffic/calendar.c": ("calendar inside", "run digest"),
    "cmodel/traffic/geometric.c": ("geometric traffic", "run digest"),
    "cmodel/traffic/matrix.c": ("traffic pattern", "run digest bindings"),
    "cmodel/traffic/paths.c": ("paths", "run paper digest"),
    "cmodel/traffic/calendar.h": ("calendar session", "run digest"),
    "cmodel/traffic/cuts.h": ("measure fatfly", "run digest"),
    "cmodel/traffic/discipline.h": ("fatfly settings", "run digest"),
    "cmodel/traffic/paths.h": ("paths rounds", "run digest"),
    "cmodel/traffic/pattern.h": ("pattern traffic", "run digest"),
    "cmodel/traffic/pool.h": ("pool worm", "digest"),
    "cmodel/traffic/rng.h": ("traffic fatfly", "run digest"),
    "cmodel/traffic/traffic.h": ("traffic classes fatfly", "run digest"),
    "cmodel/topology/butterfly.c": ("butterfly topology", "run digest"),
    "cmodel/topology/cube.c": ("cube topology", "run digest"),
    "cmodel/topology/dependency.c": ("dependency topology", "run digest"),
    "cmodel/topology/graph.c": ("graph topology", "run digest"),
    "cmodel/topology/hypercube.c": ("topology", "run digest"),
    "cmodel/traffic/plug.c": ("plug", "plugin digest"),
    "cmodel/topology/topology.c": ("topology", "run digest"),
    "cmodel/topology/tree.c": ("topology fatfly", "run digest"),
    "cmodel/topology/topology.h": ("topology graph cube", "run digest"),
    "cmodel/engine/channel.c": ("channel times session", "digest"),
    "cmodel/engine/channel_open.c": ("channel times", "digest"),
    "cmodel/engine/channel_read.c": ("inside channel", "bindings digest"),
    "cmodel/engine/cmsv.c": ("cmsv", "events paper digest"),
    "cmodel/engine/cycle.c": ("fatfly worm session inside", "digest"),
    "cmodel/engine/fronts.c": ("worm fatfly", "digest"),
    "cmodel/engine/fronts_split.c": ("store fatfly", "digest"),
    "cmodel/engine/fronts_worm.c": ("worm fatfly", "digest"),
    "cmodel/engine/jumps.c": ("lfsr worm store", "digest"),
    "cmodel/engine/lanes.c": ("lanes session", "digest"),
    "cmodel/engine/lanes_cross.c": ("lanes", "digest"),
    "cmodel/engine/lines.c": ("pool worm", "digest"),
    "cmodel/engine/packets.c": ("store session", "digest"),
    "cmodel/engine/parallel.c": ("parallel", "digest"),
    "cmodel/engine/parallel_letters.c": ("parallel ranks", "digest mpi"),
    "cmodel/engine/parallel_ranks.c": ("ranks", "mpi"),
    "cmodel/engine/parallel_threads.c": ("parallel", "digest"),
    "cmodel/engine/ranade.c": ("store session", "digest"),
    "cmodel/engine/replies.c": ("classes session", "run digest"),
    "cmodel/engine/rounds.c": ("rounds", "paper digest"),
    "cmodel/engine/run.c": ("fatfly session", "run digest"),
    "cmodel/engine/single.c": ("worm session", "digest"),
    "cmodel/engine/store.c": ("store session", "digest"),
    "cmodel/engine/store_any.c": ("store_any session", "digest"),
    "cmodel/engine/stream.c": ("worm session", "digest"),
    "cmodel/engine/engine.h": ("fatfly measure worm inside", "digest"),
    "cmodel/engine/channel.h": ("channel times session", "digest"),
    "cmodel/engine/flit_worms.h": ("worm session", "digest"),
    "cmodel/engine/fronts.h": ("worm store", "digest"),
    "cmodel/engine/heads.h": ("worm lanes", "digest"),
    "cmodel/engine/hops.h": ("worm store", "digest"),
    "cmodel/engine/jumps.h": ("lfsr worm store lanes", "digest"),
    "cmodel/engine/lanes.h": ("lanes", "digest"),
    "cmodel/engine/list.h": ("worm lanes", "digest"),
    "cmodel/engine/packets.h": ("store", "digest"),
    "cmodel/engine/place.h": ("worm store", "digest"),
    "cmodel/engine/replies.h": ("classes session", "run digest"),
    "cmodel/engine/trail.h": ("worm lanes parallel", "digest"),
    "cmodel/engine/worm_fetch.h": ("worm", "digest"),
    "cmodel/engine/worm_state.h": ("worm session", "digest"),
    "cmodel/engine/times.c": ("times", "digest"),
    "cmodel/engine/worm.c": ("worm session", "digest"),
    "cmodel/engine/worm_count.c": ("worm", "digest"),
    "cmodel/engine/worm_open.c": ("worm", "digest"),
    # what is measured, and worked out from it
    "cmodel/measure/digest.h": ("digest fatfly", "run digest"),
    "cmodel/measure/digest.c": ("digest worm", "digest"),
    "cmodel/measure/measure.h": ("measure fatfly worm", "run digest"),
    "cmodel/measure/measure.c": ("measure fatfly", "run digest"),
    "cmodel/theory/interval.c": ("interval measure point", "run sweep"),
    "cmodel/theory/gg.c": ("gg", "run paper"),
    "cmodel/theory/gg_paths.c": ("gg", "run paper digest"),
    "cmodel/theory/leighton.c": ("leighton", "run paper"),
    "cmodel/api/check.c": ("settings fatfly config classes check", "run digest"),
    "cmodel/api/check_class.c": ("classes check", "run digest"),
    "cmodel/api/deadlock.c": ("dependency topology", "run digest"),
    "cmodel/api/fatfly.c": ("fatfly session", "run digest"),
    "cmodel/api/inside.c": ("inside", "bindings digest"),
    "cmodel/api/session.c": ("session glue", "bindings digest"),
    "cmodel/api/snapshot.c": ("session glue", "bindings digest"),
    # what is read and written
    "cmodel/base/trace.c": ("trace", "run cli"),
    "cmodel/base/source.c": ("trace", "run cli events"),
    "cmodel/base/cfgtext.c": ("config settings", "run cli"),
    "cmodel/base/fail.c": ("settings config", "run cli"),
    "cmodel/base/text.c": ("text settings", "run cli"),
    "cmodel/cli/args.c": ("settings", "run cli digest"),
    "cmodel/cli/cells.c": ("cost", "estimate"),
    "cmodel/cli/commands.c": ("", "run cli"),
    "cmodel/cli/cost.c": ("cost", "estimate digest"),
    "cmodel/cli/estimate.c": ("cost", "estimate digest"),
    "cmodel/cli/estimate_show.c": ("cost", "estimate digest"),
    "cmodel/cli/event_check.c": ("", "events digest"),
    "cmodel/cli/event_log.c": ("", "events digest"),
    "cmodel/cli/event_read.c": ("", "events digest"),
    "cmodel/cli/events.c": ("", "events digest"),
    "cmodel/cli/export.c": ("results", "sweep digest"),
    "cmodel/cli/fatfly.c": ("", "run cli"),
    "cmodel/cli/gnuplot.c": ("plot", "sweep digest"),
    "cmodel/cli/import.c": ("", "run digest"),
    "cmodel/cli/import_check.c": ("", "run digest"),
    "cmodel/cli/import_matrix.c": ("", "run digest"),
    "cmodel/cli/life.c": ("", "events digest"),
    "cmodel/cli/merge.c": ("results", "sweep digest"),
    "cmodel/cli/model.c": ("gg", "run digest"),
    "cmodel/cli/outfile.c": ("", "run sweep faults"),
    "cmodel/cli/perfetto.c": ("", "events digest"),
    "cmodel/cli/plan.c": ("sweep", "sweep digest"),
    "cmodel/cli/plot.c": ("plot", "sweep digest"),
    "cmodel/cli/plot_axes.c": ("plot", "sweep digest"),
    "cmodel/cli/plugin.c": ("plug", "plugin digest"),
    "cmodel/cli/point.c": ("point", "run sweep"),
    "cmodel/cli/point.h": ("point", "run sweep"),
    "cmodel/cli/point_circle.c": ("point", "run sweep"),
    "cmodel/cli/point_class.c": ("point classes", "run sweep digest"),
    "cmodel/cli/point_table.c": ("point", "run sweep digest"),
    "cmodel/cli/point_text.c": ("point", "run sweep digest"),
    "cmodel/cli/results_scan.c": ("results sweep", "sweep digest"),
    "cmodel/cli/results_sql.c": ("results sweep", "sweep"),
    "cmodel/cli/rows.h": ("settings", "run cli digest"),
    "cmodel/cli/rows.c": ("settings", "run cli digest"),
    "cmodel/cli/run.c": ("", "run digest"),
    "cmodel/cli/saturation.c": ("search", "run digest"),
    "cmodel/cli/search.c": ("search", "run digest"),
    "cmodel/cli/settings_finish.c": ("settings", "run cli digest"),
    "cmodel/cli/settings_help.c": ("settings", "run docs"),
    "cmodel/cli/settings_network.c": ("settings", "run cli digest"),
    "cmodel/cli/settings_read.c": ("settings", "run cli digest"),
    "cmodel/cli/settings_traffic.c": ("settings", "run cli digest"),
    "cmodel/cli/share.c": ("sweep", "sweep"),
    "cmodel/cli/shared.c": ("shared", "sweep"),
    "cmodel/cli/slurm.c": ("", "sweep"),
    "cmodel/cli/split.c": ("", "run digest"),
    "cmodel/cli/sweep.c": ("sweep results", "sweep"),
    "cmodel/cli/sweep_file.c": ("sweep settings", "sweep"),
    "cmodel/cli/tee.c": ("", "events run"),
    "cmodel/cli/timeline.c": ("", "events digest"),
    "cmodel/cli/view.c": ("", "view"),
}
EVERY = PARTS | mutate_python.PARTS
LIMIT = 3600                            # seconds of a part, after which a mutant hangs
LAYERS = ("switch", "network", "base", "topology", "traffic", "theory", "measure", "engine", "api", "cli")
NARROWER = {"uint64_t": "uint32_t", "int64_t": "int32_t", "uint32_t": "uint16_t", "uint16_t": "uint8_t", "double": "float",
            "UINT64_C": "(unsigned)"}
OPTIONS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off", "-w", "-g0", "-Icmodel", "-Isim",
           *(f"-Icmodel/{layer}" for layer in LAYERS)]


def narrowed(source: str) -> Iterator[Change]:
    """Each name of a type, in a declaration or a cast, takes half its bits."""
    for t in mutate_c.tokens(source):
        if t.text in NARROWER and t.kind == "name":
            row = source[source.rfind("\n", 0, t.at) + 1:].split("\n", 1)[0]
            yield t.at, t.at + len(t.text), NARROWER[t.text], f"{t.text} to {NARROWER[t.text]} | {row.strip()}"


def changes(file: str, narrow: bool = False) -> list[Change]:
    """All mutants of a file, each text once."""
    source = pathlib.Path(HERE, file).read_text(encoding="utf-8")
    seen: dict[tuple[int, int, str], Change] = {}
    made = narrowed if narrow else mutate_python.changes if file.endswith(".py") else mutate_c.changes
    for start, end, new, what in made(source):
        line = source.count("\n", 0, start) + 1
        seen.setdefault((start, end, new), (start, end, new, f"{line}: {what}"))
    return list(seen.values())


@functools.cache
def units_of(file: str) -> list[str]:
    """What compiles the code of a file: itself, or of a header all that include it."""
    if not file.endswith(".h"):
        return [file]
    sources = sorted(str(path.relative_to(HERE)) for part in ("cmodel/*/*.c", "sim/*.c") for path in pathlib.Path(HERE).glob(part))
    rules = call(["gcc", "-MM", "-MG", *OPTIONS, *sources], file, cwd=HERE).replace("\\\n", " ").splitlines()
    return [words[1] for words in map(str.split, rules) if file in words]


def drawn(file: str, seed: int, each: int, narrow: bool = False) -> list[Change]:
    """The sample of a file: evenly by chance."""
    every = changes(file, narrow)
    keep = sorted(random.Random(f"{seed} {file}").sample(range(len(every)), min(each, len(every))))
    return [every[k] for k in keep]


def quiet(warn: bool) -> list[str]:
    """Before a command: its compilers warn as usual, or not at all."""
    return [] if warn else ["env", "MAKEFLAGS=WARN=-w"]


class Copy:
    """A copy of the repository in which one mutant at a time is planted."""

    def __init__(self, folder: pathlib.Path, programs: Programs, warn: bool = True) -> None:
        self.folder, self.programs = folder, programs
        self.quiet = quiet(warn)
        files = sources(HERE)
        for left in [file for file in folder.rglob("*") if file.is_file() and file.relative_to(folder).parts[0] != "build"]:
            if str(left.relative_to(folder)) not in files:
                left.unlink()  # of sources that are no more
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if not (folder / name).exists() or (folder / name).read_bytes() != pathlib.Path(HERE, name).read_bytes():
                shutil.copy(f"{HERE}/{name}", folder / name)

    def plant(self, file: str, change: Change | None) -> None:
        """Writes the file with one change; None: as it was."""
        source = pathlib.Path(HERE, file).read_text(encoding="utf-8")
        if change:
            source = source[:change[0]] + change[2] + source[change[1]:]
        (self.folder / file).write_text(source, encoding="utf-8")

    def code(self, file: str, compiler: list[str]) -> str | None:
        """Hash of the object code of all its units, or what Python reads; None if one does not compile."""
        if file.endswith(".py"):
            return mutate_python.code((self.folder / file).read_text(encoding="utf-8"))
        out = self.folder / "build" / "mutant.o"
        out.parent.mkdir(exist_ok=True)
        code = hashlib.sha256()
        for unit in units_of(file):
            done = subprocess.run([*compiler, *OPTIONS, "-c", unit, "-o", str(out)], check=False, capture_output=True, cwd=self.folder)
            if done.returncode:
                return None
            code.update(out.read_bytes())
        return code.hexdigest()

    def passes(self, command: str) -> bool:
        """A part of make test passes in the copy."""
        log = self.folder / "part.log"
        return self.programs.run([*self.quiet, "sh", "-c", command], log, LIMIT) == 0


def parts(file: str, only_units: bool = False) -> Iterator[tuple[str, str]]:
    """(name, command) of what may kill a mutant of a file."""
    units, steps = EVERY[file]
    steps = "" if only_units else steps
    if file.endswith(".py") and units:
        yield f"unit {units}", mutate_python.command(units)
    for unit in "" if file.endswith(".py") else units.split():
        yield f"unit {unit}", (f"make -s JOBS=1 build/unit/test_{unit} >make.log 2>&1 && "
                               f"timeout -s KILL 300 build/unit/test_{unit}")
    for step in steps.split():
        yield f"step {step}", f"JOBS=1 scripts/test.sh {step}"


def verdict(copy: Copy, file: str, change: Change, known: dict[tuple[str, str], str | None], only_units: bool = False) -> tuple[str, str]:
    """(state, by what) of a mutant."""
    same = False
    for compiler in mutate_c.TCE[:1] if file.endswith(".py") else mutate_c.TCE:
        key = (file, " ".join(compiler))
        if key not in known:
            copy.plant(file, None)
            known[key] = copy.code(file, compiler)
        copy.plant(file, change)
        code = copy.code(file, compiler)
        if code is None and compiler is mutate_c.TCE[0]:
            return "stillborn", ""
        same = same or code is not None and code == known[key]
    if same:
        return "equivalent", "object code"
    for name, command in parts(file, only_units):
        if not copy.passes(command):
            return "killed", name
    return "survived", ""


def checked(copy: Copy, files: list[str], only_units: bool = False) -> None:
    """Without a mutant every part passes; else it could kill nothing.  The tests of scripts run once, together."""
    tests = " ".join(sorted({name for file in files if file.endswith(".py") for name in EVERY[file][0].split()}))
    commands = {f"unit {tests}": mutate_python.command(tests, 1200)} if tests else {}
    commands |= {name: command for file in files for name, command in parts(file, only_units) if not (file.endswith(".py") and name.startswith("unit"))}
    for name, command in commands.items():
        print(f"as it is: {name}", flush=True)
        if not copy.passes(command):
            raise Trouble(1, f"{name} fails without a mutant; its log: {copy.folder}/part.log")


def work(o: argparse.Namespace, todo: list[tuple[str, int, Change]], copy: Copy, lock: threading.Lock,
         left: list[int]) -> None:
    store = Store(o.db)
    known: dict[tuple[str, str], str | None] = {}
    while True:
        with lock:
            if not todo:
                return
            file, number, change = todo.pop()
        try:
            state, how = verdict(copy, file, change, known, o.units)
        finally:
            copy.plant(file, None)
        store.settle("judges", file, number, state, how)
        with lock:
            left[0] -= 1
            print(f"{state}{' by ' + how if how else ''}: {file}:{change[3]} ({left[0]} left)", flush=True)


def report(o: argparse.Namespace, store: Store, files: list[str]) -> tuple[int, int]:
    """The table on the terminal and in csv; how many were killed or proven, and how many survived."""
    head = ["file", "all", "drawn", "stillborn", "killed by unit tests", "killed by steps", "equivalent", "survived"]
    rows: list[list[object]] = []
    for file in files:
        got = store.db.execute("select state, how, count(*) from mutant where side='judges' and shape=? group by 1, 2",
                               (file,)).fetchall()
        states: collections.Counter[str] = collections.Counter()
        for state, how, n in got:
            states[f"{state} {how.split()[0]}" if state == "killed" else state] += n
        rows.append([file, len(changes(file, o.narrow)), sum(states.values()), states["stillborn"], states["killed unit"],
                     states["killed step"], states["equivalent"], states["survived"]])
    rows.append(["sum", *(sum(int(str(r[k])) for r in rows) for k in range(1, len(head)))])
    part = o.work / "judges.csv.part"
    with open(part, "w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([[h.replace(" ", "_") for h in head], *rows])
    os.rename(part, o.work / "judges.csv")
    for file, what in store.db.execute("select shape, what from mutant where side='judges' and state='survived' order by 1, 2"):
        print(f"FAIL survived: {file}:{what}")
    print(markdown.table(head, rows, range(1, len(head))), end="")
    last = [int(str(v)) for v in rows[-1][1:]]
    return last[3] + last[4] + last[5], last[6]


def options(argv: list[str]) -> argparse.Namespace:
    p = Parser(prog="judges.py", allow_abbrev=False, description="Plants small faults in what judges and counts.")
    p.add_argument("--file", action="append", help="only of this file; again for more")
    p.add_argument("--each", type=int, default=12, help="mutants a file (default 12)")
    p.add_argument("--seed", type=int, default=1, help="which mutants are drawn (default 1)")
    p.add_argument("--python", action="store_true", help="scripts, in place of C")
    p.add_argument("--narrow", action="store_true", help="in place of the small changes: types of half the bits")
    p.add_argument("--units", action="store_true", help="unit tests or pytest alone, no steps of make test")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="copies at once")
    o = p.parse_args(argv)
    for file in o.file or []:
        if file not in EVERY:
            near = difflib.get_close_matches(file, EVERY, 1)
            raise Trouble(2, f"--file {file}: not among {', '.join(EVERY)}" + (f"; nearest: {near[0]}" if near else ""))
    if o.narrow and (o.python or any(file.endswith(".py") for file in o.file or [])):
        raise Trouble(2, "--narrow: a script has no types of so many bits; allowed with C")
    for name, low, high in (("seed", 0, 2**31 - 1), ("jobs", 1, 64), ("each", 1, 100000)):
        if not low <= getattr(o, name) <= high:
            raise Trouble(2, f"--{name} {getattr(o, name)}; allowed: {low} to {high}")
    o.work = pathlib.Path(os.environ.get("BUILD", f"{HERE}/build")).absolute() / "mutate" / "judges"
    o.db = str(o.work / "mutants.db")
    return o


def key(o: argparse.Namespace) -> str:
    """Changes with the sources, the tests and the sample."""
    tree = state(HERE, "cmodel", "sim", "tb", "scripts", "rtl", "Makefile")
    return hashlib.sha256(repr((o.seed, o.each, o.narrow, o.units, o.python, tree)).encode()).hexdigest()


def main(argv: list[str]) -> int:
    programs = Programs()
    try:
        o = options(argv)
        files = o.file or list(mutate_python.PARTS if o.python else PARTS)
        o.work.mkdir(parents=True, exist_ok=True)
        store = Store(o.db)
        store.begin("judges", key(o))
        todo = []
        for file in files:
            sample = drawn(file, o.seed, o.each, o.narrow)
            if not store.get("judges", file):
                store.add("judges", file, [(file, c[3]) for c in sample])
            new = {number for number, _, _ in store.get("judges", file, "new")}
            todo += [(file, k, c) for k, c in enumerate(sample, 1) if k in new]
        random.Random(o.seed).shuffle(todo)
        copies = [Copy(o.work / f"copy{k}", programs, not o.narrow) for k in range(o.jobs)]
        if todo:
            checked(copies[0], files, o.units)
        lock, left = threading.Lock(), [len(todo)]
        with ThreadPoolExecutor(o.jobs) as pool:
            jobs = [pool.submit(work, o, todo, copy, lock, left) for copy in copies]
            try:
                wait(jobs, return_when=FIRST_EXCEPTION)
            except KeyboardInterrupt:
                programs.stop()
                raise
            for job in jobs:
                job.result()
        passed, failed = report(o, store, files)
    except Trouble as t:
        print(f"judges.py: {t}", file=sys.stderr)
        return t.code
    except KeyboardInterrupt:
        print("\njudges.py: interrupted; the same command goes on", file=sys.stderr)
        return 4
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
