#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judges.py - breaks on purpose what decides a verdict or a number: the lock-step, the drivers, the digest, measures,
intervals, traffic, readers, sweeps.  A sample of small changes in C, drawn by a seed; each is planted in a copy of the
repository, where parts of `make test` run until one fails.

Killed: a part fails, crashes or does not end.  Equivalent: gcc or clang makes the same object code at some level, of a
header in all that include it.
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
from mutate_tools import HERE, Parser, Store, Trouble, call
from lib import markdown
from lib.programs import Programs
from lib.sources import sources, state

Change = tuple[int, int, str, str]      # first and last character, new text, what

# File: the unit tests that bear on it, then steps of make test.  The first that fails has killed the mutant.
PARTS: dict[str, tuple[str, str]] = {
    "sim/lockstep.c": ("lockstep driver inside", "small judge cli"),
    "sim/driver.c": ("driver lockstep", "small judge cli"),
    "sim/stimulus.c": ("stimulus driver", "small judge cli"),
    "sim/probe.c": ("probe", "small judge cli"),
    "sim/config.c": ("config", "small cli"),
    "cmodel/measure/digest.h": ("digest fatfly", "run digest"),
    "cmodel/measure/measure.c": ("measure fatfly", "run digest"),
    "cmodel/theory/interval.c": ("interval measure point", "run sweep"),
    "cmodel/theory/gg.c": ("gg", "run paper"),
    "cmodel/theory/leighton.c": ("leighton", "run paper"),
    "cmodel/traffic/traffic.c": ("traffic fatfly", "run digest"),
    "cmodel/traffic/pattern.c": ("pattern traffic", "run digest"),
    "cmodel/traffic/calendar.c": ("calendar", "run digest"),
    "cmodel/traffic/geometric.c": ("geometric traffic", "run digest"),
    "cmodel/base/trace.c": ("trace", "run cli"),
    "cmodel/base/cfgtext.c": ("config settings", "run cli"),
    "cmodel/cli/point.c": ("point", "run sweep"),
    "cmodel/cli/results_sql.c": ("results sweep", "sweep"),
    "cmodel/cli/sweep.c": ("sweep results", "sweep"),
    "cmodel/cli/sweep_file.c": ("sweep settings", "sweep"),
}
LIMIT = 3600                            # seconds of a part, after which a mutant hangs
LAYERS = ("switch", "network", "base", "topology", "traffic", "theory", "measure", "engine", "api", "cli")
OPTIONS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off", "-w", "-g0", "-Icmodel", "-Isim",
           *(f"-Icmodel/{layer}" for layer in LAYERS)]


def changes(file: str) -> list[Change]:
    """All mutants of a file, each text once."""
    source = pathlib.Path(HERE, file).read_text(encoding="utf-8")
    seen: dict[tuple[int, int, str], Change] = {}
    for start, end, new, what in mutate_c.changes(source):
        line = source.count("\n", 0, start) + 1
        seen.setdefault((start, end, new), (start, end, new, f"{line}: {what}"))
    return list(seen.values())


@functools.cache
def units_of(file: str) -> list[str]:
    """What compiles the code of a file: itself, or of a header all that include it."""
    if file.endswith(".c"):
        return [file]
    sources = sorted(str(path.relative_to(HERE)) for part in ("cmodel/*/*.c", "sim/*.c") for path in pathlib.Path(HERE).glob(part))
    rules = call(["gcc", "-MM", "-MG", *OPTIONS, *sources], file, cwd=HERE).replace("\\\n", " ").splitlines()
    return [words[1] for words in map(str.split, rules) if file in words]


def drawn(file: str, seed: int, each: int) -> list[Change]:
    """The sample of a file: evenly by chance."""
    every = changes(file)
    keep = sorted(random.Random(f"{seed} {file}").sample(range(len(every)), min(each, len(every))))
    return [every[k] for k in keep]


class Copy:
    """A copy of the repository in which one mutant at a time is planted."""

    def __init__(self, folder: pathlib.Path, programs: Programs) -> None:
        self.folder, self.programs = folder, programs
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
        """Hash of the object code of all its units; None if one does not compile."""
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
        return self.programs.run(["sh", "-c", command], log, LIMIT) == 0


def parts(file: str) -> Iterator[tuple[str, str]]:
    """(name, command) of what may kill a mutant of a file."""
    units, steps = PARTS[file]
    for unit in units.split():
        yield f"unit {unit}", (f"make -s JOBS=1 build/unit/test_{unit} >make.log 2>&1 && "
                               f"timeout -s KILL 300 build/unit/test_{unit}")
    for step in steps.split():
        yield f"step {step}", f"JOBS=1 scripts/test.sh {step}"


def verdict(copy: Copy, file: str, change: Change, known: dict[tuple[str, str], str | None]) -> tuple[str, str]:
    """(state, by what) of a mutant."""
    same = False
    for compiler in mutate_c.TCE:
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
    for name, command in parts(file):
        if not copy.passes(command):
            return "killed", name
    return "survived", ""


def checked(copy: Copy, files: list[str]) -> None:
    """Without a mutant every part passes; else it could kill nothing."""
    done = set()
    for file in files:
        for name, command in parts(file):
            if name not in done:
                done.add(name)
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
            state, how = verdict(copy, file, change, known)
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
        rows.append([file, len(changes(file)), sum(states.values()), states["stillborn"], states["killed unit"],
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
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="copies at once")
    o = p.parse_args(argv)
    for file in o.file or []:
        if file not in PARTS:
            near = difflib.get_close_matches(file, PARTS, 1)
            raise Trouble(2, f"--file {file}: not among {', '.join(PARTS)}" + (f"; nearest: {near[0]}" if near else ""))
    for name, low, high in (("seed", 0, 2**31 - 1), ("jobs", 1, 64), ("each", 1, 100000)):
        if not low <= getattr(o, name) <= high:
            raise Trouble(2, f"--{name} {getattr(o, name)}; allowed: {low} to {high}")
    o.work = pathlib.Path(os.environ.get("BUILD", f"{HERE}/build")).absolute() / "mutate" / "judges"
    o.db = str(o.work / "mutants.db")
    return o


def key(o: argparse.Namespace) -> str:
    """Changes with the sources, the tests and the sample."""
    tree = state(HERE, "cmodel", "sim", "tb", "scripts", "rtl", "Makefile")
    return hashlib.sha256(repr((o.seed, o.each, tree)).encode()).hexdigest()


def main(argv: list[str]) -> int:
    programs = Programs()
    try:
        o = options(argv)
        files = o.file or list(PARTS)
        o.work.mkdir(parents=True, exist_ok=True)
        store = Store(o.db)
        store.begin("judges", key(o))
        todo = []
        for file in files:
            sample = drawn(file, o.seed, o.each)
            if not store.get("judges", file):
                store.add("judges", file, [(file, c[3]) for c in sample])
            new = {number for number, _, _ in store.get("judges", file, "new")}
            todo += [(file, k, c) for k, c in enumerate(sample, 1) if k in new]
        random.Random(o.seed).shuffle(todo)
        copies = [Copy(o.work / f"copy{k}", programs) for k in range(o.jobs)]
        if todo:
            checked(copies[0], files)
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
