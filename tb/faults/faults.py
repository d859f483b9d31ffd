#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py - the command on a machine where memory, disk, calls or helpers fail (preload.c).

Usage: faults.py FATFLY PRELOAD FOLDER [TEXT [KIND]]: only the programs with TEXT in their names; of one KIND of
fault, to the first that ends badly.  RTL is a folder with the Verilated library of n16-v1-q2-w32-rp-rr, SEED draws
which of many faults are taken.  Each fault must end in the right result, or in one line on stderr and exit code 4
with every file as it was or whole, and none more.  Prints a line a kind of fault, then `N passed, N failed`.
"""
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Iterator

TIMEOUT_S = 60
SHOWN = 3


@dataclass
class Program:
    """A command, what it needs in its folder, and the files that it writes."""
    name: str
    words: list[str]
    writes: list[str]
    keep: list[str] = field(default_factory=list)  # what may be left by a run that failed
    database: str = ""
    draws: int = 12


@dataclass
class Outcome:
    """What a run left."""
    code: int
    out: str
    err: str
    files: dict[str, bytes]
    struck: int
    counted: int


def timeless(text: str) -> str:
    """Output without the times that a run took."""
    text = re.sub(r'"(cpu_s|wall_s|cpu_seconds)": *[0-9.e-]+', "", text)
    text = re.sub(r'time="[0-9.]+"', "", text)
    text = re.sub(r'"not known: Cannot allocate memory"', '"1"', text)
    text = re.sub(r"<li>[^<]*: not known: [^<]*</li>", "<li>1</li>", text)
    return re.sub(r"(?m)^((?:\S+ +){5}\S+) +[0-9.]+( *FAILED)?$", r"\1\2", text)


class Bench:
    """Runs programs in folders of their own, with faults and without."""

    def __init__(self, fatfly: str, preload: str, folder: str) -> None:
        self.fatfly, self.preload, self.folder = fatfly, preload, folder
        self.helpers = f"{folder}/helpers"
        self.passed = self.failed = 0
        self.random = random.Random(int(os.environ.get("SEED", "1")))
        self.only = ""  # of this kind of fault, to the first that ends badly
        self.tables: dict[bytes, str] = {}
        self.gone_on: dict[tuple[str, frozenset[tuple[str, bytes]]], str] = {}  # what resumed() says, by the files that it begins with

    def fill(self, program: Program) -> str:
        """A folder with what the program needs."""
        at = f"{self.folder}/at"
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(f"{self.folder}/given", at, symlinks=True)
        if program.words[0] == "cosim":  # its cases are many: main() looks whether they are as they were
            shutil.copytree(f"{self.folder}/cases/b", f"{at}/b", symlinks=True)
            os.symlink(f"{self.folder}/cases/sim", f"{at}/sim")
        if program.database:
            shutil.copy(f"{self.folder}/{program.database}", f"{at}/x.sqlite")
        return at

    def run(self, program: Program, fault: str, path: str = "") -> Outcome:
        """One run with a fault; files are those that were not given, or have changed."""
        at = self.fill(program)
        log = f"{self.folder}/log"
        if os.path.exists(log):
            os.remove(log)
        before = contents(at)
        env = {**os.environ, "LC_ALL": "C", "PATH": f"{path or self.helpers}:{os.environ['PATH']}"}
        if fault:
            env |= {"LD_PRELOAD": self.preload, "FAULTS": fault, "FAULTS_LOG": log,
                    "FAULTS_IN": os.path.basename(self.fatfly)}
        try:
            done = subprocess.run([self.fatfly, *program.words], cwd=at, env=env, capture_output=True, check=False,
                                  timeout=TIMEOUT_S, stdin=subprocess.DEVNULL)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            code, out, err = 124, b"", b"no end\n"
        after = contents(at)
        struck = counted = 0
        if os.path.exists(log):
            with open(log, encoding="ascii") as lines:
                rows = [line.split() for line in lines]
            struck = sum(int(row[1]) for row in rows)
            counted = max(int(row[2]) for row in rows)
        return Outcome(code, timeless(out.decode(errors="replace")), err.decode(errors="replace"),
                       {k: v for k, v in after.items() if before.get(k) != v}, struck, counted)

    def table(self, database: bytes) -> str:
        """What a sweep's file says, or what is wrong with it."""
        if database in self.tables:
            return self.tables[database]
        with open(f"{self.folder}/look.sqlite", "wb") as to:
            to.write(database)
        done = subprocess.run([self.fatfly, "export", "look.sqlite"], cwd=self.folder, capture_output=True,
                              check=False, text=True)
        return done.stdout if done.returncode == 0 else f"{done.returncode}: {done.stderr}"

    def same(self, name: str, one: bytes, other: bytes) -> bool:
        """Two files have the same results; the second is the right one."""
        if one == other:
            return True
        if name.endswith(".sqlite"):
            self.tables.setdefault(other, self.table(other))
            return self.table(one) == self.tables[other]
        return timeless(one.decode(errors="replace")) == timeless(other.decode(errors="replace"))

    def resumed(self, program: Program, right: Outcome) -> str:
        """A sweep that failed goes on where it stopped, to the table that it has without a fault."""
        at = f"{self.folder}/at"
        done = subprocess.run([self.fatfly, *program.words], cwd=at, capture_output=True, check=False, text=True)
        if done.returncode:
            return f"does not go on: {done.stderr.strip()}"
        files = contents(at)
        if "x.sqlite-journal" in files:
            return "going on leaves the journal"
        return "" if self.same("x.sqlite", files["x.sqlite"], right.files["x.sqlite"]) else "goes on to another table"

    def wrong(self, program: Program, right: Outcome, got: Outcome) -> str:
        """What is wrong with a run that met a fault; empty: nothing."""
        more = [f for f in got.files if f not in right.files and f not in program.keep]
        if got.code and program.words[0] == "sweep" and "x.sqlite" in got.files:
            more = [f for f in more if f != "x.sqlite-journal"]  # SQLite undoes by it what was half done
            left = (program.name, frozenset(got.files.items()))
            if left not in self.gone_on:
                self.gone_on[left] = self.resumed(program, right)
            why = self.gone_on[left]
            if why:
                return why
        if more:
            return f"left {' '.join(more)}"
        if got.code == 0:
            missing = [f for f in right.files if f not in got.files or not self.same(f, got.files[f], right.files[f])]
            if missing:
                return f"exit code 0, but {' '.join(missing)} is another or missing"
            return "" if got.out == right.out else "exit code 0, but another output"
        if got.code != 4:
            return f"exit code {got.code}: {got.err.strip()[-150:]}"
        lines = [line for line in got.err.splitlines() if not re.match(r"\[\d+/\d+\] ", line)]
        if not lines and re.search(r"(?m)^FAILED \S+: .", got.out):
            return ""  # a case of the regression, in its report
        if len(lines) != 1 or not lines[0].startswith("fatfly"):
            return f"{len(lines)} lines on stderr: {got.err.strip()[-150:]}"
        for name in program.writes:
            if name in got.files and not name.endswith(".sqlite") and \
                    not self.same(name, got.files[name], right.files[name]):
                return f"{name} is neither as it was nor whole"
        return ""

    def kind(self, program: Program, right: Outcome, name: str, faults: Iterator[str]) -> None:
        """All faults of a kind; stops where one is never met."""
        tried = struck = 0
        bad: list[str] = []
        if self.only not in ("", name):
            return
        for fault in faults:
            got = self.run(program, fault)
            tried += 1
            struck += got.struck > 0
            why = self.wrong(program, right, got)
            if why:
                bad.append(f"  {fault}: {why}")
            if why and self.only:
                break
            if got.struck == 0 and got.code >= 0 and name in ("malloc", "malloc for ever", "sync", "rename"):
                break
        self.say(f"{program.name}: {name}: {struck} of {tried} faults met", bad)

    def say(self, what: str, bad: list[str]) -> None:
        """A line of the result."""
        print(f"{'FAIL' if bad else 'PASS'} {what}" + (f", {len(bad)} ended badly" if bad else ""))
        for line in bad[:SHOWN]:
            print(line)
        sys.stdout.flush()
        self.passed += not bad
        self.failed += bool(bad)

    def all_of(self, program: Program) -> None:
        """Every kind of fault that may meet a program."""
        right = self.run(program, "none:0")
        if right.code != 0 or right.err.count("\n") > 4 or any(f not in right.files for f in program.writes):
            self.say(f"{program.name}: without a fault: {right.code} {right.err} {sorted(right.files)}", ["  it fails"])
            return
        self.kind(program, right, "malloc", (f"malloc:{n}" for n in range(1, 100000)))
        self.kind(program, right, "malloc for ever",
                  (f"malloc:{n}+" for n in range(1, 100000) if n < 20 or n % 17 == 0))
        if program.database or "sweep" in program.words:
            total = self.run(program, "sqlite:0").counted
            some = {1, 2, 3, total - 1, total} | set(self.random.sample(range(1, total + 1), 2 * program.draws))
            self.kind(program, right, "memory of SQLite", (f"sqlite:{n}" for n in sorted(some)))
        total = self.run(program, "disk:1000000000").counted
        sizes = {0, 1, max(total - 1, 0)} | {self.random.randrange(total + 1) for _ in range(program.draws)}
        self.kind(program, right, "disk full", (f"disk:{n}" for n in sorted(sizes)))
        self.kind(program, right, "short writes", iter(["short:1", "short:7", "short:1000"]))
        self.kind(program, right, "interrupted calls", iter([f"eintr:{n}" for n in (2, 3, 5, 11)]))
        self.kind(program, right, "rename", (f"rename:{n}" for n in range(1, 100)))
        self.kind(program, right, "sync", (f"sync:{n}" for n in range(1, 1000)))
        self.kind(program, right, "the clock goes back", iter([f"clock:{n}" for n in (1, 2, 3, 5)]))

    def helper(self, name: str, script: str) -> None:
        """gnuplot as a helper that ends badly."""
        path = f"{self.folder}/bad"
        os.makedirs(path, exist_ok=True)
        with open(f"{path}/gnuplot", "w", encoding="ascii") as to:
            to.write(f"#!/bin/sh\n{script}\n")
        os.chmod(f"{path}/gnuplot", 0o755)
        program = PROGRAMS["plot"]
        got = self.run(program, "", path)
        bad = []
        if got.code != 4 or len(got.err.splitlines()) != 1 or got.files or got.err.strip().endswith(":"):
            bad = [f"  exit code {got.code}, {got.err.strip()}, left {sorted(got.files)}"]
        self.say(f"gnuplot {name}: {got.err.strip()}", bad)


def contents(folder: str) -> dict[str, bytes]:
    """Every plain file below a folder."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            file = f"{at}/{name}"
            if os.path.isfile(file) and not os.path.islink(file):
                with open(file, "rb") as data:
                    found[os.path.relpath(file, folder)] = data.read()
    return found


def sweep_words(threads: int) -> list[str]:
    """A sweep of one point."""
    return ["sweep", "s.cfg", "--db", "x.sqlite", "--threads", str(threads)]


PROGRAMS = {p.name: p for p in [
    Program("run", ["run", "--nodes", "16", "--runs", "2", "--length", "4", "--threads", "1", "--format", "json",
                    "--output", "o.json", "--links", "l.csv", "--histogram", "h.csv"],
            ["o.json", "l.csv", "h.csv"], ["o.json", "l.csv", "h.csv"]),
    Program("open", ["run", "--nodes", "16", "--load", "0.1", "--cycles", "256", "--warmup", "64", "--histogram", "h.csv",
                     "--output", "o.csv", "--format", "json"], ["h.csv", "o.csv"], ["h.csv", "o.csv"]),
    Program("waves", ["run", "--nodes", "4", "--length", "2", "--runs", "1", "--waves", "w.vcd", "--format", "json",
                      "--output", "o.json"], ["w.vcd", "o.json"], ["w.vcd", "o.json", "w.gtkw"]),
    Program("sweep", sweep_words(1), ["x.sqlite"], ["x.sqlite"], draws=20),
    Program("threads", sweep_words(2), ["x.sqlite"], ["x.sqlite"], draws=4),
    Program("export", ["export", "x.sqlite", "--output", "o.csv"], ["o.csv"], [], "ready.sqlite"),
    Program("plot", ["plot", "x.sqlite", "--output", "o.svg"], ["o.svg"], [], "ready.sqlite"),
    Program("estimate", ["estimate", "--nodes", "4", "--length", "4", "--cost", "cost.csv", "--threads", "1",
                         "--format", "csv"], []),
    Program("cosim", ["cosim", "--build", "b", "--case", "fat16-random", "--max-cycles", "60"], []),
    Program("cases", ["cosim", "--build", "b", "--side", "c", "--case", "fat16-random", "--case", "exact-n16-l1",
                      "--max-cycles", "60", "--jobs", "1"], ["b/cosim/junit.xml", "b/cosim/manifest.json"],
            ["b/cosim/junit.xml", "b/cosim/manifest.json", "b/cosim/report.html", "b/cosim/fat16-random.log",
             "b/cosim/exact-n16-l1.log"]),
]}

BAD_HELPERS: dict[str, str] = {
    "is killed at once": "kill -9 $$",
    "is killed when it has read": "cat >/dev/null; kill -9 $$",
    "is killed in the middle of a picture": "cat >/dev/null; for f in *.part*; do echo '<svg' >\"$f\"; done; kill -9 $$",
    "ends well without a picture": "cat >/dev/null",
    "ends well with half a picture": "cat >/dev/null; for f in *.part*; do echo '<svg' >\"$f\"; done",
    "reads nothing and fails": "exit 3",
    "complains without an end of line": "printf 'no fonts' >&2; exit 1",
}


def prepare(bench: Bench) -> None:
    """What programs are given: a sweep file, a small table of costs, cases, a library, quick tools."""
    given = f"{bench.folder}/given"
    shutil.rmtree(bench.folder, ignore_errors=True)
    cases = f"{bench.folder}/cases"  # what cosim has as well
    os.makedirs(given)
    os.makedirs(f"{cases}/b/rtl")
    os.makedirs(bench.helpers)
    with open(f"{given}/s.cfg", "w", encoding="ascii") as to:
        to.write("nodes = 4;\nlength = 2;\n")
    with open(f"{given}/two.cfg", "w", encoding="ascii") as to:
        to.write("nodes = 4;\nlength = [2, 4];\n")
    with open("docs/results/fpga.csv", encoding="utf-8") as table:
        rows = table.read().splitlines(keepends=True)
    with open(f"{given}/cost.csv", "w", encoding="utf-8") as to:
        to.writelines(r for k, r in enumerate(rows) if r.startswith("#") or k < 1 or "v1-q2-w32-rp-rr" in r)
    shutil.copytree("sim/cases", f"{cases}/sim/cases")
    for name in ("matrix.txt", "cubes.txt", "reference.txt"):
        shutil.copy(f"sim/{name}", f"{cases}/sim")
    shutil.copytree("sim/traces", f"{cases}/sim/traces")
    os.symlink(os.path.abspath(os.environ.get("RTL", "build/rtl") + "/n16-v1-q2-w32-rp-rr.so"),
               f"{cases}/b/rtl/n16-v1-q2-w32-rp-rr.so")
    for tool in ("verilator_bin", "g++"):  # their versions are in the manifest
        with open(f"{bench.helpers}/{tool}", "w", encoding="ascii") as to:
            to.write("#!/bin/sh\necho 1\n")
        os.chmod(f"{bench.helpers}/{tool}", 0o755)
    made = bench.run(Program("ready", ["sweep", "two.cfg", "--db", "x.sqlite"], ["x.sqlite"]), "")
    with open(f"{bench.folder}/ready.sqlite", "wb") as data:
        data.write(made.files["x.sqlite"])


def main() -> int:
    """Runs everything."""
    if len(sys.argv) < 4:
        print("usage: faults.py FATFLY PRELOAD FOLDER [TEXT [KIND]]", file=sys.stderr)
        return 2
    bench = Bench(*(os.path.abspath(a) for a in sys.argv[1:4]))
    text = sys.argv[4] if len(sys.argv) > 4 else ""
    bench.only = sys.argv[5] if len(sys.argv) > 5 else ""
    prepare(bench)
    cases = contents(f"{bench.folder}/cases")
    for program in PROGRAMS.values():
        if text in program.name:
            bench.all_of(program)
    if text in "gnuplot" and bench.only in ("", "gnuplot"):
        for name, script in BAD_HELPERS.items():
            bench.helper(name, script)
    bench.say("no program changes the cases of cosim", [] if contents(f"{bench.folder}/cases") == cases else ["  one does"])
    print(f"{bench.passed} passed, {bench.failed} failed")
    return bench.failed > 0


if __name__ == "__main__":
    sys.exit(main())
