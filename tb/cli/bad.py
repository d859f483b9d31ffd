#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bad.py - hundreds of bad inputs to every command, each of which must be refused in one line, with the
right exit code, without a crash, a hang, an overwritten input or silent acceptance.

usage: bad.py [--quick] [--list] [--planted] [FATFLY]    FATFLY: default $BUILD/fatfly or build/fatfly
The inputs are the lines of tb/cli/bad.txt and what follows from the option tables (`fatfly COMMAND --options`):
an option without a value, twice, misspelled, with values that nothing takes, and every output over every input.
--quick    every fifth of those from the tables, and all lines of bad.txt
--list     shows the inputs, runs none
--planted  runs programs with planted mistakes, each of which must be counted as what it is
Prints a line for each input that is not refused as it must be; the last line has the counts.
Exit codes: 0 all refused, 1 some are not, 2 usage, 4 no program.
"""
from __future__ import annotations

import hashlib
import itertools
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from typing import Iterator, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "tb" / "cli" / "bad.txt"
KINDS = ("crash", "hang", "accepted", "overwritten", "wrong exit code", "wrong message")
LIMIT = 20.0  # seconds until it is a hang

# Values that no option of numbers or names takes.
NOTHING = ("", " ", "nan", "-inf", "-1", "1e999", "0x", "1,5", "99999999999999999999999", "no-such-value",
           "1;2", "--")
# Options whose value may be any text, any list, or a file; and those that may be given again.
ANY_TEXT = {"title"}
AGAIN = {"where", "case"}
FILES = ("FILE", "LIB", "DIR", "FILE.so", "FOLDER")
WRITES = ("output", "histogram", "links", "events", "perfetto", "waves", "db", "plot", "cover")
GTKWAVE = ("in.gtkw", "flit.filter", "hold.filter", "cube.filter", "worm.filter")
COMMANDS = ("run", "saturation", "sweep", "export", "plot", "estimate", "model", "cosim", "view", "import", "merge", "events")
# What a command needs to come to the option in question.
OPERAND: dict[str, list[str]] = {"sweep": ["in.cfg"], "export": ["in.sqlite"], "plot": ["in.sqlite", "--output", "new.svg"],
           "estimate": ["--cost", "in.csv"], "model": [], "run": ["--nodes", "4"],
           "saturation": ["--nodes", "4"], "cosim": [], "view": ["--nodes", "4"], "import": ["booksim", "in.bs"],
           "merge": ["new.sqlite", "in.sqlite"], "events": ["in.events"]}


class Input(NamedTuple):
    """A command line, and the exit codes that are right."""
    words: tuple[str, ...]
    codes: tuple[int, ...]
    files: tuple[tuple[str, bytes], ...] = ()

    def shown(self) -> str:
        text = " ".join(shlex.quote(w) for w in self.words)
        return text + "".join(f"  [{name}: {data!r}]" for name, data in self.files)


class Option(NamedTuple):
    name: str
    value: str
    words: str


def options(fatfly: str, command: str) -> list[Option]:
    done = subprocess.run([fatfly, command, "--options"], capture_output=True, text=True, timeout=60, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("option\t")]
    return [Option(r[2], r[3], r[4]) for r in rows]


# -- the inputs -----------------------------------------------------------------------------------

def of_option(command: str, o: Option) -> Iterator[Input]:
    """What is wrong with one option whatever it means."""
    base, dashed = (command,) + tuple(OPERAND[command]), "--" + o.name
    yield Input((*base, dashed[:-1] + "qx"), (2,))
    if not o.value:
        yield Input((*base, dashed + "=perhaps"), (2,))
        return
    yield Input((*base, dashed), (2,))
    if o.name not in AGAIN and dashed not in base:
        yield Input((*base, dashed, "1", dashed, "2"), (2, 3))
    if o.name in ANY_TEXT:
        return
    if o.value in FILES:
        if o.words and o.name not in ("build", "sim"):
            yield Input((*base, dashed, "no/such/folder/file.svg"), (2, 3, 4))
        return
    for value in NOTHING:
        yield Input((*base, dashed, value), (2, 3))


def over_inputs(fatfly: str) -> Iterator[Input]:
    """Every output of a command over every input, by its name and through links."""
    read = {"config": "in.cfg", "permutation": "in.perm", "matrix": "in.matrix", "topology": "graph:in.graph"}
    inputs = {"run": read | {"trace": "in.trace"}, "view": read, "saturation": read,
              "sweep": {"": "in.cfg"}, "export": {"": "in.sqlite"}, "plot": {"": "in.sqlite"}, "import": {"": "in.bs"},
              "estimate": {"cost": "in.csv"}, "cosim": {"config": "in.cfg", "worms": "in.trace"}}
    for command, reads in inputs.items():
        have = [o.name for o in options(fatfly, command)]
        writes = [w for w in WRITES if w in have]
        operand = ["booksim"] if command == "import" else []
        for (name, file), out in itertools.product(reads.items(), writes):
            plain = file.removeprefix("graph:")
            for spelling in (plain, "./" + plain, "hard-" + plain, "soft-" + plain, "here/" + plain):
                given = ["--" + name, file] if name else [*operand, file]
                yield Input((command, *given, "--" + out, spelling), (2, 3))
        for a, b in itertools.combinations(writes, 2):
            for one, other in (("new", "new"), ("new", "./new"), ("here/new", "new")):
                yield Input((command, *OPERAND[command], "--" + a, one, "--" + b, other), (2,))
    for name in ("in.sqlite", "hard-in.sqlite", "soft-in.sqlite", "here/in.sqlite"):
        yield Input(("merge", name, "in.sqlite"), (2,))
    for file in [*GTKWAVE, "here/in.gtkw"]:  # what is written beside a wave file
        yield Input(("run", "--config", file, "--waves", "in.fst"), (2,))
        yield Input(("cosim", "--config", file, "--waves", "in.fst"), (2,))
        for out in ("output", "histogram", "links", "events", "perfetto"):
            yield Input(("run", "--nodes", "4", "--waves", "./in.fst", "--" + out, file), (2,))


def of_settings(fatfly: str) -> Iterator[Input]:
    """A sweep file and a configuration with one bad setting."""
    values = ("nan", "-1", '"no such value"', "{ a = 1; }", "[]", "( ( 1 ) )", "1e999", "1,5", "")
    for o in options(fatfly, "run"):
        name = o.name.replace("-", "_")
        words = o.name in ("output", "histogram", "links", "events", "perfetto", "build")  # any text is a name of one of these
        bad = values if o.value and o.value not in FILES else ("{ a = 1; }" if words else '"no such value"',
                                                               "{ a = 1; }", "[]", "7", "")
        for k, value in enumerate(bad):
            text = f"{name} = {value};\n".encode()
            if k % 2:
                yield Input(("sweep", "bad.cfg"), (3,), (("bad.cfg", text),))
            else:
                yield Input(("run", "--config", "bad.cfg"), (2, 3), (("bad.cfg", text),))
        twice = f"{name} = 1;\n{name} = 1;\n".encode()
        yield Input(("sweep", "bad.cfg"), (3,), (("bad.cfg", twice),))


def of_list() -> Iterator[Input]:
    """Lines of bad.txt: CODES COMMAND..., `@NAME TEXT` before it a file of the next one."""
    files: list[tuple[str, bytes]] = []
    for number, line in enumerate(LIST.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("@"):
            name, text = line[1:].split(" ", 1)
            files.append((name, text.encode().decode("unicode_escape").encode("latin-1")))
            continue
        codes, *words = shlex.split(line)
        if not words or not all(c.isdigit() for c in codes.split(",")):
            sys.exit(f"bad.py: {LIST}:{number}: {line}; allowed: CODES COMMAND...")
        yield Input(tuple(words), tuple(int(c) for c in codes.split(",")), tuple(files))
        files = []


def all_inputs(fatfly: str, quick: bool) -> list[Input]:
    made = [i for c in COMMANDS for o in options(fatfly, c) for i in of_option(c, o)]
    made += list(of_settings(fatfly))
    written, over = list(of_list()), list(over_inputs(fatfly))
    chosen = made[::5] + over[::2] if quick else made + over
    return list(dict.fromkeys(written + chosen))


# -- running them ---------------------------------------------------------------------------------

def prepare(fatfly: str, folder: pathlib.Path) -> None:
    """Right inputs that must not be written over."""
    nodes = "nodes = 4;\n"
    (folder / "in.cfg").write_text(nodes + "length = [2, 3];\n")
    (folder / "in.perm").write_text("3\n2\n1\n0\n")
    (folder / "in.trace").write_text("t_ns,src,dst,bytes\n0,0,1,4\n")
    (folder / "in.matrix").write_text("0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n")
    (folder / "in.graph").write_text("processors 2\nnodes 2\nlink 0 1\nlink 1 0\n")
    (folder / "in.bs").write_text("topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 2;\n")
    (folder / "in.events").write_text("no log\n")
    for name in GTKWAVE:
        (folder / name).write_text(nodes)
    shutil.copy(ROOT / "docs" / "results" / "fpga.csv", folder / "in.csv")
    subprocess.run([fatfly, "sweep", "in.cfg", "--db", "in.sqlite"], cwd=folder, check=True, capture_output=True,
                   timeout=60)
    for file in list(folder.iterdir()):
        os.link(file, folder / ("hard-" + file.name))
        os.symlink(file.name, folder / ("soft-" + file.name))
    os.symlink(".", folder / "here")


def sums(folder: pathlib.Path) -> dict[str, str]:
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(folder.iterdir())
            if f.is_file() and (f.name in GTKWAVE or f.name.split("-")[-1].startswith(("in.", "bad.")))}


def judge(fatfly: str, folder: pathlib.Path, given: Input) -> str:
    """A word of KINDS, or nothing if it is refused as it must be."""
    for name, data in given.files:
        (folder / name).write_bytes(data)
    before = sums(folder)
    try:
        done = subprocess.run([fatfly, *given.words], cwd=folder, capture_output=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return "hang"
    except ValueError:  # a zero byte: no program can be given it
        return ""
    if sums(folder) != before:
        return "overwritten"
    if done.returncode < 0 or done.returncode > 100:
        return "crash"
    if done.returncode == 0:
        return "accepted"
    if done.returncode not in given.codes:
        return "wrong exit code"
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    said = len(lines) == 1 and lines[0].startswith("fatfly") and len(lines[0]) > 20 and not done.stdout
    return "" if said else "wrong message"


def run_all(fatfly: str, inputs: list[Input], show: bool = True) -> dict[str, int]:
    counts = {k: 0 for k in KINDS}
    with tempfile.TemporaryDirectory() as name:
        clean, work = pathlib.Path(name) / "clean", pathlib.Path(name) / "work"
        clean.mkdir()
        prepare(os.environ.get("GOOD_FATFLY", fatfly), clean)
        for given in inputs:
            if not work.exists():
                shutil.copytree(clean, work, symlinks=True)
                for file in clean.iterdir():  # hard links again
                    if file.name.startswith("hard-"):
                        (work / file.name).unlink()
                        os.link(work / file.name[5:], work / file.name)
            files = {f.name for f in work.iterdir()}
            wrong = judge(fatfly, work, given)
            if wrong:
                counts[wrong] += 1
                if show:
                    print(f"FAIL {wrong}: fatfly {given.shown()}", flush=True)
            if wrong == "overwritten" or {f.name for f in work.iterdir()} != files:
                shutil.rmtree(work)
    return counts


# -- programs with planted mistakes -----------------------------------------------------------------

PLANTED = {"crash": "kill -SEGV $$", "hang": "exec sleep 60", "accepted": "exit 0", "wrong exit code": "exit 1",
           "wrong message": "exit 2", "overwritten": "for f in in.*; do echo >\"$f\"; done; exit 2"}


def planted(fatfly: str) -> int:
    """Each mistake instead of the refusal of one option."""
    global LIMIT  # pylint: disable=global-statement
    inputs, wrong = [Input(("run", "--nodes", "nan"), (2,)), Input(("run", "--runs", "nan"), (2,))], 0
    os.environ["GOOD_FATFLY"] = fatfly
    with tempfile.TemporaryDirectory() as name:
        program = pathlib.Path(name) / "fatfly"
        for kind, line in PLANTED.items():
            program.write_text(f'#!/bin/bash\n[ "$2" = --runs ] && {{ {line}; }}\nexec {shlex.quote(fatfly)} "$@"\n')
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            LIMIT = 2.0 if kind == "hang" else 20.0
            counts = run_all(str(program), inputs, show=False)
            right = counts[kind] == 1 and sum(counts.values()) == 1
            print(f"{'PASS' if right else 'FAIL'} planted: {kind}: {counts}")
            wrong += not right
    return 1 if wrong else 0


def main(words: list[str]) -> int:
    flags = {w for w in words if w.startswith("--")}
    rest = [w for w in words if not w.startswith("--")]
    if flags - {"--quick", "--list", "--planted"} or len(rest) > 1:
        print((__doc__ or "").split("\n\n")[1], file=sys.stderr)
        return 2
    fatfly = os.path.abspath(rest[0] if rest else str(ROOT / os.environ.get("BUILD", "build") / "fatfly"))
    if not os.access(fatfly, os.X_OK):
        print(f"bad.py: {fatfly} is not there; build it with: make build/fatfly", file=sys.stderr)
        return 4
    if "--planted" in flags:
        return planted(fatfly)
    inputs = all_inputs(fatfly, "--quick" in flags)
    if "--list" in flags:
        for given in inputs:
            print(",".join(map(str, given.codes)), given.shown())
        return 0
    counts = run_all(fatfly, inputs)
    print(f"{len(inputs)} bad inputs: " + ", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if any(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
