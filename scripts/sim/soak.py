#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""soak.py - checks for as long as one likes, never the same twice.  Of two turns one is co-simulation: a random switch or network of
the covering design, random traffic, stalls and resets in mid-traffic.  The other tries the C side alone (trials.py): drawn runs and
sweeps, unit tests and switches with new seeds, each against a second answer.

Usage: soak.py [--time 10m] [--jobs N] [--build DIR] [--folder DIR] [--record FILE] [--turn SECONDS] [--room MB]
               [--shrink SECONDS] [--shape NAME [--rtl LIB]]
A turn of co-simulation is a shape, whose Verilated library serves many runs.  Turns have numbers, and a number says everything
that is random in it; each is begun once, so that a soak that goes on never repeats one.  turns.csv in the folder
has a line for each turn, and the record a line for each soak: date, commit, turns, runs, switch-cycles compared, trials,
digest of the runs.  The first failure ends the soak with exit code 1; its configuration, its explanation and its
smallest worms, or the files of its trial, are kept in the folder, under failures/.  A run that hangs is a failure, which may come
minutes after the time is over.  A soak that compares nothing ends with 1, too.
--shape trials takes no co-simulation, --shape NAME that shape alone.
"""
import argparse
import csv
import datetime
import errno
import hashlib
import io
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "scripts/sim"), str(ROOT / "tb/spec")]
import cover  # noqa: E402  (the paths above)
import drawn  # noqa: E402
import trials  # noqa: E402
from lib.programs import Programs, interruptible, written  # noqa: E402

TURNS = ("turn", "began", "commit", "shape", "runs", "switch_cycles", "trials", "digest")
RECORD = ("began", "commit", "first_turn", "last_turn", "runs", "switch_cycles", "trials", "digest")
TRIALS = "trials"                       # in place of a shape
# What is built of a shape; bare is fast, and what users have.  The reference of 64 processors takes 6 GB to compile.
KINDS = {"bare": 4, "reference": 3, "fast": 2, "bare-reference": 1}
SUFFIX = {"bare": "-bare", "reference": "-ref", "fast": "", "bare-reference": "-ref-bare"}
PATTERNS = ("random", "complement", "many-to-1", "transpose", "bit-reversal", "shuffle", "neighbour", "hotspot")
SHAPE = re.compile(r"(?:n(\d+)|s(\d+)of(\d+))-v(\d)-q(\d+)-w(\d+)-([a-z]+)-([a-z]+)(-ref)?(-bare)?")
SWITCHES = {4: 1, 16: 6, 64: 28}        # of the networks that are run
RUN = 3_000_000                         # switch-cycles of the longest run, about
LONGEST = 600                           # seconds; a run that takes more hangs
GRACE = 120                             # ... and one that goes on for so long when the soak is over


class Wrong(Exception):
    """What a user is told: exit code, one line."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


def designs() -> tuple[list[str], list[str]]:
    """Networks and single switches, each of a covering design, in a fixed random order."""
    sizes = {"depth": "1,2,3,4,5,8,16", "flit_w": "16,17,24,27,32,33,48,53,63,64"}
    values = cover.values_from({**sizes, "levels": "1-3"}, True)
    networks = [cover.shape(r) for r in cover.design(values) if r["levels"] < 3 or r["vcs"] == 1]
    switches = [cover.shape(r) for r in cover.design(cover.values_from(sizes))]
    for some in (networks, switches):
        random.Random(1).shuffle(some)
    return networks, switches


def shape_of(turn: int, lists: tuple[list[str], list[str]]) -> str:
    """The shape of a turn, or TRIALS: of six turns three are trials, two networks and one a switch; what is built is drawn."""
    if turn % 2:
        return TRIALS
    networks, switches = lists
    turns = turn // 2                    # of co-simulation, before this one
    name = switches[turns // 3 % len(switches)] if turns % 3 == 1 else networks[(turns - (turns + 1) // 3) % len(networks)]
    some = {k: v for k, v in KINDS.items() if not name.startswith("n64") or "reference" not in k}
    return name + SUFFIX[random.Random(f"kind {turn}").choices(list(some), list(some.values()))[0]]


def draw(shape: str, turn: int, run: int) -> tuple[str, int]:
    """The configuration of a run, and the cycles after which it is cut."""
    m = SHAPE.fullmatch(shape)
    if not m or (m[1] and int(m[1]) not in SWITCHES):
        raise Wrong(2, f"--shape {shape}; allowed: a switch or a network of 4 to 64 processors, as fatfly cosim --shapes has them")
    nodes, level, levels, vcs, depth, width, path, scan, ref, bare = m.groups()
    r = random.Random(f"turn {turn} run {run}")
    switches = SWITCHES[int(nodes)] if nodes else 1
    cycles = min(r.choice((3000, 40_000, 400_000)), RUN // switches)
    kind = ("bare-" if bare and ref else "bare" if bare else "") + ("reference" if ref else "") or "fast"
    row = {"level": level, "levels": levels or (int(nodes).bit_length() - 1) // 2, "vcs": vcs, "depth": depth, "flit_w": width,
           "path": path, "scan": scan}
    text = drawn.machine(row, kind) + f"seed = {r.randrange(10 ** 18)};\nstall = {r.choice((0, 10, 30, 60, 85))};\n"
    length = r.choice((1, 2, 3, 5, 9, 16, 40))
    if nodes and r.random() < 0.2:
        text += f'pattern = "{r.choice(PATTERNS)}";\nrounds = {max(1, cycles // (8 * length))};\nlength = {length};\n'
    else:
        text += f"load = {r.choice((0.02, 0.1, 0.3, 0.6, 1.0))};\ncycles = {cycles};\nlength = {length};\n"
        if r.random() < 0.7 and length > 1:
            text += 'lengths = "uniform";\n'
    if r.random() < 0.7:
        text += f"reset_every = {r.choice((20, 100, 500, 3000))};\n"
    return text, 2 * cycles


def seconds(text: str) -> float:
    m = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not m or not float(m[1]) > 0:
        raise Wrong(2, f"--time {text}; allowed: a number above 0 with s, m or h")
    return float(m[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[m[2]]


def read(file: pathlib.Path, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """Rows of one of our files, none if it is not there."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    lines = list(csv.DictReader(io.StringIO(text)))
    if text.partition("\n")[0] != ",".join(columns) or any(None in r.values() or None in r for r in lines):
        raise Wrong(3, f"{file}:1: not a file of soak.py; needed: the columns {','.join(columns)}")
    return lines


def write(file: pathlib.Path, columns: tuple[str, ...], lines: list[dict[str, str]]) -> None:
    part = file.with_name(file.name + ".part")
    with open(part, "w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(lines)
    os.replace(part, file)


def total_of(rows: list[dict[str, str]], column: str) -> int:
    return sum(int(r[column]) for r in rows)


class Soak:
    """What the threads of a soak share."""

    def __init__(self, options: argparse.Namespace, limit: float):
        self.o, self.end = options, time.monotonic() + limit
        self.folder = pathlib.Path(options.folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.room()
        self.lock, self.programs = threading.Lock(), Programs()
        self.lists: tuple[list[str], list[str]] = ([], []) if options.shape else designs()
        self.began = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        done = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=7"],
                              capture_output=True, text=True, check=False)
        self.commit = done.stdout.strip() or "none"
        self.turns = read(self.folder / "turns.csv", TURNS)
        self.record = read(pathlib.Path(options.record), RECORD)
        self.next = 1 + max([0, *(int(r["turn"]) for r in self.turns), *(int(r["last_turn"]) for r in self.record)])
        claimed = self.folder / "next"
        if claimed.exists():
            self.next = max(self.next, int(claimed.read_text(encoding="utf-8")))
        self.failed: list[str] = []
        self.ill: list[Wrong] = []

    def room(self) -> None:
        free = shutil.disk_usage(self.folder).free // 1_000_000
        if free < self.o.room:
            raise Wrong(4, f"{self.folder}: {free} MB free; needed: {self.o.room} MB (--room)")

    def claim(self) -> int:
        """A turn that nobody has begun."""
        with self.lock:
            turn = self.next
            self.next += 1
            part = self.folder / "next.part"
            part.write_text(f"{self.next}\n", encoding="utf-8")
            os.replace(part, self.folder / "next")
            return turn

    def over(self) -> bool:
        return time.monotonic() >= self.end or bool(self.failed or self.ill) or self.programs.stopped

    def keep(self, turn: int, shape: str, lines: list[str], cycles: int, took: float) -> None:
        """Writes what a turn has compared, and the record."""
        if not lines:
            return
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
        counts = (0, 0, len(lines)) if shape == TRIALS else (len(lines), cycles, 0)
        with self.lock:
            self.turns.append(dict(zip(TURNS, map(str, (turn, self.began, self.commit, shape, *counts, digest)))))
            write(self.folder / "turns.csv", TURNS, self.turns)
            self.write_record()
            did = f"{len(lines)} trials" if shape == TRIALS else \
                f"{shape}, {len(lines)} runs, {cycles:,} switch-cycles, {cycles / took / 1e6:.2f} million a second"
            total = total_of(self.record, "trials" if shape == TRIALS else "switch_cycles")
            print(f"{time.strftime('%H:%M:%S')} turn {turn}: {did}; {total:,} so far", flush=True)

    def write_record(self) -> None:
        """A line for each soak that turns.csv knows; those of other folders stay."""
        mine: dict[tuple[str, str], list[dict[str, str]]] = {}
        for r in self.turns:
            mine.setdefault((r["began"], r["commit"]), []).append(r)
        others = [r for r in self.record if (r["began"], r["commit"]) not in mine]
        for (began, commit), some in mine.items():
            some.sort(key=lambda r: int(r["turn"]))
            digest = hashlib.sha256("\n".join(",".join(r.values()) for r in some).encode()).hexdigest()[:16]
            others.append(dict(zip(RECORD, (began, commit, some[0]["turn"], some[-1]["turn"],
                                            *(str(total_of(some, name)) for name in ("runs", "switch_cycles", "trials")), digest))))
        self.record = sorted(others, key=lambda r: r["began"])
        write(pathlib.Path(self.o.record), RECORD, self.record)

    def library(self, shape: str, home: pathlib.Path) -> pathlib.Path | None:
        """The Verilated library of a shape; None if the time was over first."""
        if self.o.rtl:
            return pathlib.Path(self.o.rtl).resolve()
        out = home / f"{shape}.so"
        left = self.end - time.monotonic()
        code = self.programs.run([ROOT / "scripts/sim/verilate.sh", shape, out], home / "verilate.log", left)
        if code:
            last = (written(home / "verilate.log").strip().splitlines() or ["no word"])[-1]
            raise Wrong(4, f"{shape} does not build: {last}")
        return out if code == 0 else None

    def fails(self, turn: int, run: int, shape: str, home: pathlib.Path, name: str, why: str) -> None:
        """Keeps what is needed to repeat a failure."""
        to = self.folder / "failures" / name
        to.mkdir(parents=True, exist_ok=True)
        for file in (home / f"{name}.cfg", home / "run.log", *(home / "cosim").glob(f"{name}.*")):
            if file.exists():
                shutil.copy(file, to)
        with self.lock:
            self.failed.append(f"FAILED turn {turn} run {run}, {shape}: {why}\nkept: {to}")

    def play(self, turn: int, run: int, shape: str, library: pathlib.Path, home: pathlib.Path) -> tuple[str, int] | None:
        """A run: a line for the digest, and its switch-cycles; None if it failed."""
        text, cut = draw(shape, turn, run)
        name = f"turn{turn}-run{run}"
        config = home / f"{name}.cfg"
        config.write_text(text, encoding="utf-8")
        limit = min(LONGEST, max(self.end - time.monotonic(), 0) + GRACE + 3 * self.o.shrink)
        code = self.programs.run([pathlib.Path(self.o.build).resolve() / "fatfly", "cosim", "--sim", ROOT / "sim",
                                  "--build", home, "--config", config, "--rtl", library, "--max-cycles", str(cut),
                                  "--shrink", str(self.o.shrink)], home / "run.log", limit)
        said = written(home / "run.log")
        row = re.search(rf"^{name} +(\d+) +\d+ +\d+ +\d+  ([0-9a-f]{{16}}) ", said, re.M)
        compared = re.search(r"^(\d+) switch-cycles compared$", said, re.M)
        if code == 0 and row and compared:
            config.unlink()
            return f"{turn},{run},{shape},{row[1]},{row[2]}", int(compared[1])
        lines = said.strip().splitlines() or ["no word"]
        if code in (2, 3, 4):
            raise Wrong(4, f"{name} of {shape} could not run: {lines[-1]}")
        self.fails(turn, run, shape, home, name, f"it takes more than {limit:.0f} s" if code is None else
                   lines[0] if code == 1 else f"exit code {code}: {lines[-1]}")
        return None

    def attempt(self, turn: int, home: pathlib.Path, lines: list[str]) -> bool:
        """A trial, whose line is added; whether all agree."""
        folder, number = home / "trial", len(lines)
        try:
            lines.append(trials.trial(self.programs, pathlib.Path(self.o.build).resolve(), folder, turn, number))
            return True
        except trials.Missing as e:
            raise Wrong(4, str(e)) from e
        except trials.Differs as e:
            to = self.folder / "failures" / f"turn{turn}-trial{number}"
            shutil.rmtree(to, ignore_errors=True)
            shutil.copytree(folder, to)
            with self.lock:
                self.failed.append(f"FAILED turn {turn} trial {number}: {e}\nkept: {to}; again: scripts/sim/trials.py {turn} {number}")
            return False

    def turn(self, home: pathlib.Path) -> None:
        self.room()
        number = self.claim()
        shape = self.o.shape or shape_of(number, self.lists)
        lines: list[str] = []
        cycles, begin = 0, time.monotonic()
        if shape == TRIALS:
            try:
                while not self.over() and time.monotonic() < begin + self.o.turn and self.attempt(number, home, lines):
                    pass
            finally:
                self.keep(number, shape, lines, cycles, time.monotonic() - begin)
            return
        library = self.library(shape, home)
        begin = time.monotonic()
        try:
            while library and not self.over() and time.monotonic() < begin + self.o.turn:
                done = self.play(number, len(lines), shape, library, home)
                if not done:
                    break
                lines.append(done[0])
                cycles += done[1]
        finally:
            self.keep(number, shape, lines, cycles, time.monotonic() - begin)
            if library and not self.o.rtl:
                library.unlink(missing_ok=True)

    def work(self, worker: int) -> None:
        """A thread: turn after turn."""
        home = self.folder / f"worker{worker}"
        try:
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            while not self.over():
                self.turn(home)
        except KeyboardInterrupt:
            pass
        except Wrong as e:
            self.ill.append(e)
        except OSError as e:
            full = e.errno in (errno.ENOSPC, errno.EDQUOT)
            self.ill.append(Wrong(4, f"{e.filename or self.folder}: {'no room on disk' if full else e.strerror}"))


def soak(options: argparse.Namespace) -> int:
    limit = seconds(options.time)
    if options.jobs < 1 or options.turn <= 0:
        raise Wrong(2, f"--jobs {options.jobs} --turn {options.turn:g}; allowed: 1 or more, above 0")
    if options.rtl and options.shape in (None, TRIALS):
        raise Wrong(2, "--rtl without --shape; allowed: the library of the shape that is named")
    if options.shape and options.shape != TRIALS:
        draw(options.shape, 0, 0)
    s = Soak(options, limit)
    s.write_record()
    threads = [threading.Thread(target=s.work, args=(k,)) for k in range(options.jobs)]
    stopped = False
    for t in threads:
        t.start()
    try:
        while any(t.is_alive() for t in threads):
            time.sleep(0.1)
    except KeyboardInterrupt:
        stopped = True
        s.programs.stop()
    for t in threads:
        t.join()
    mine = [r for r in s.turns if r["began"] == s.began]
    if s.ill and not mine:
        raise s.ill[0]
    print(f"this soak: {len(mine)} turns, {total_of(mine, 'runs')} runs, {total_of(mine, 'switch_cycles'):,} switch-cycles compared, "
          f"{total_of(mine, 'trials'):,} trials; {total_of(s.record, 'switch_cycles'):,} switch-cycles and "
          f"{total_of(s.record, 'trials'):,} trials in {options.record}")
    for line in s.failed:
        print(line)
    if s.failed:
        return 1
    if s.ill:
        raise s.ill[0]
    if stopped:
        raise Wrong(4, "interrupted; what was compared is kept")
    if not mine:
        print(f"FAILED nothing was compared in {options.time}")
        return 1
    return 0


def main() -> int:
    build = os.environ.get("BUILD", "build")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--time", default="10m", help="for so long; 90, 10m, 2h")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="turns at once")
    parser.add_argument("--build", default=build, help="where fatfly is")
    parser.add_argument("--folder", default=f"{build}/soak", help="turns.csv, failures")
    parser.add_argument("--record", default="docs/results/soak.csv", help="a line for each soak")
    parser.add_argument("--turn", type=float, default=120, help="seconds of runs with one library")
    parser.add_argument("--room", type=int, default=500, help="MB that must be free on disk")
    parser.add_argument("--shrink", type=int, default=20, help="seconds to look for a smaller case that fails")
    parser.add_argument("--shape", help="this alone, or trials: none")
    parser.add_argument("--rtl", help="its Verilated library")
    interruptible()
    try:
        return soak(parser.parse_args())
    except Wrong as e:
        print(f"soak.py: {e}", file=sys.stderr)
        return e.code
    except OSError as e:
        full = e.errno in (errno.ENOSPC, errno.EDQUOT)
        print(f"soak.py: {e.filename}: {'no room on disk' if full else e.strerror}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        print("soak.py: interrupted", file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main())
