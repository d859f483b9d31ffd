# SPDX-License-Identifier: Apache-2.0
"""test_mutants.py - the verdict on a mutant, for every answer of the compilers and of the tests."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

import pytest

import judges
import mutate_c

FILE, OTHER = "sim/probe.c", "sim/config.c"
CHANGE = (0, 0, " ", "x")
NAMES = [" ".join(c) for c in mutate_c.TCE]


class Copy:
    """Stands in for a copy of the repository: with which compilers the mutant is the same or does not compile, and what fails."""

    def __init__(self, same: set[str], broken: set[str] = frozenset(), failing: str = "") -> None:
        self.same, self.broken, self.failing = same, broken, failing
        self.planted: Any = None
        self.ran: list[str] = []

    def plant(self, file: str, change: Any) -> None:
        self.planted = file, change

    def code(self, file: str, compiler: list[str]) -> str | None:
        name = " ".join(compiler)
        assert self.planted[0] == file
        if self.planted[1] and name in self.broken:
            return None
        return f"{file} {name}" + ("" if not self.planted[1] or name in self.same else " mutant")

    def passes(self, command: str) -> bool:
        assert self.planted[1] == CHANGE
        self.ran.append(command)
        return command != self.failing


PARTS = judges.parts


@pytest.fixture(autouse=True)
def two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "parts", lambda file, *_: [("unit one", "one"), ("step two", "two")])


def test_the_compilers_are_five() -> None:
    assert len(set(NAMES)) == 5 and {n.split()[0] for n in NAMES} == {"gcc", "clang"}


def test_equivalent_where_any_compiler_says_so() -> None:
    """Also where what is known comes from another mutant, or is of another file."""
    known: dict[tuple[str, str], str | None] = {}
    for count in range(6):
        for same in map(set, itertools.combinations(NAMES, count)):
            for memory in ({}, known):
                for file in (FILE, OTHER):
                    copy = Copy(same)
                    want = ("equivalent", "object code") if same else ("survived", "")
                    assert judges.verdict(copy, file, CHANGE, memory) == want, same
                    assert copy.ran == ([] if same else ["one", "two"])


def test_killed_by_the_first_that_fails() -> None:
    assert judges.verdict(Copy(set(), failing="one"), FILE, CHANGE, {}) == ("killed", "unit one")
    assert judges.verdict(Copy(set(), failing="two"), FILE, CHANGE, {}) == ("killed", "step two")
    assert judges.verdict(Copy({NAMES[4]}, failing="one"), FILE, CHANGE, {}) == ("equivalent", "object code")


def test_stillborn_where_the_first_compiler_refuses() -> None:
    assert judges.verdict(Copy(set(NAMES), {NAMES[0]}), FILE, CHANGE, {}) == ("stillborn", "")
    assert judges.verdict(Copy(set(), set(NAMES[1:])), FILE, CHANGE, {}) == ("survived", "")
    for other in NAMES[1:]:    # one that is not installed makes nothing of either
        known: dict[tuple[str, str], str | None] = {(FILE, other): None}
        assert judges.verdict(Copy(set(), {other}), FILE, CHANGE, known) == ("survived", "")


def test_each_type_takes_half_its_bits() -> None:
    """In declarations and casts, not in comments, texts, preprocessor lines and longer names."""
    source = ('/* uint64_t */ #define X\n#define Y uint64_t\nstruct a { uint64_t b; int64_t c; uint16_t d : 3; };\n'
              'double f(uint32_t x) { return (double)(uint64_t)x * UINT64_C(3); } // int64_t\nconst char *s = "uint64_t"; uint64_t_of y; size_t z;\n')
    found = [(source[start:end], new, source.count("\n", 0, start)) for start, end, new, _ in judges.narrowed(source)]
    assert found == [("uint64_t", "uint32_t", 2), ("int64_t", "int32_t", 2), ("uint16_t", "uint8_t", 2), ("double", "float", 3),
                     ("uint32_t", "uint16_t", 3), ("double", "float", 3), ("uint64_t", "uint32_t", 3), ("UINT64_C", "(unsigned)", 3)]
    assert all(what.startswith(f"{text} to {new} | ") for (text, new, _), (*_, what) in zip(found, judges.narrowed(source)))


def test_either_kind_of_change() -> None:
    for narrow in (False, True):
        every = judges.changes("cmodel/traffic/geometric.c", narrow)
        assert len(every) > 5 and all((new in judges.NARROWER.values()) == narrow for _, _, new, _ in every)
        some = judges.drawn("cmodel/traffic/geometric.c", 3, 5, narrow)
        assert len(some) == 5 and some == [change for change in every if change in some]


class Calls:
    """Stands in for programs: what was called."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def run(self, words: list[str], *_: Any) -> int:
        self.words = words
        return 0


def test_types_that_do_not_fit_are_no_errors() -> None:
    """Who narrows a type by hand writes the casts, too."""
    for warn in (True, False):
        copy, calls = judges.Copy.__new__(judges.Copy), Calls()
        copy.folder, copy.programs, copy.quiet = judges.pathlib.Path("x"), calls, judges.quiet(warn)
        assert copy.passes("make") and calls.words == ([] if warn else ["env", "MAKEFLAGS=WARN=-w"]) + ["sh", "-c", "make"]


def test_unit_tests_alone() -> None:
    file = "cmodel/engine/parallel_ranks.c"
    units, steps = judges.PARTS[file]
    names = [name for name, _ in PARTS(file)]
    assert names == [f"unit {u}" for u in units.split()] + [f"step {s}" for s in steps.split()] and steps
    assert [name for name, _ in PARTS(file, True)] == [f"unit {u}" for u in units.split()]


SCRIPT = '''"""A script."""
LIMIT = 3

@cache(4)
def f(x: int = 5, *, low: bool = True) -> list[int]:
    """7"""
    if not x and LIMIT <= 2.5:  # or
        raise ValueError(x - 1)
    y: int = -x
    y += (min(x, y)
          ) % 9
    call(f"{x + 1}", y)
    return [a.low for a in z if a in y] if "ä" == x is None else "+"

if LIMIT:
    def h(): return 2

class C:
    def options(self): return 1
    def g(self):
        for k in k:
            continue
'''


def test_each_change_of_a_script() -> None:
    """Not of its head, its types, what it says and what it refuses."""
    found = [(SCRIPT[start:end], new) for start, end, new, _ in judges.mutate_python.changes(SCRIPT)]
    assert sorted(found) == sorted([
        ("not x and LIMIT <= 2.5", "True"), ("not x and LIMIT <= 2.5", "False"), ("not ", ""), ("and", "or"), ("<=", "<"), ("2.5", "5.0"), ("2.5", "1.25"),
        ("-", ""), ("+", "-"), ("%", "//"), ("9", "10"), ("9", "8"), ("min", "max"), ("x, y", "y, x"),
        ('call(f"{x + 1}", y)', "pass"), ('f"{x + 1}", y', 'y, f"{x + 1}"'), ("low", "high"), ("a in y", "True"), ("in", "not in"),
        ('"ä" == x is None', "True"), ('"ä" == x is None', "False"), ("==", "!="), ("is", "is not"), ("continue", "break")])
    for start, end, new, what in judges.mutate_python.changes(SCRIPT):
        changed = SCRIPT[:start] + new + SCRIPT[end:]
        assert judges.mutate_python.code(changed) not in (None, judges.mutate_python.code(SCRIPT)) and what[:2] in ("f:", "C.")
    assert judges.mutate_python.code("f(") is None
    assert judges.mutate_python.code(SCRIPT.replace("  # or", "")) == judges.mutate_python.code(SCRIPT)


def test_a_script_is_changed_and_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """By Python alone, and by its tests in one call, then by the steps."""
    file = "scripts/lib/lists.py"
    monkeypatch.setattr(judges.mutate_c, "TCE", [["a compiler"], ["another"]])
    monkeypatch.setattr(judges, "parts", PARTS)
    copy = judges.Copy.__new__(judges.Copy)
    copy.folder, good = tmp_path, [True, True]
    (tmp_path / file).parent.mkdir(parents=True)
    monkeypatch.setattr(copy, "passes", lambda command: good["test.sh" in command])
    change = judges.changes(file)[0]
    assert judges.verdict(copy, file, change, {}) == ("survived", "")
    assert judges.verdict(copy, file, (change[0], change[0], "", "nothing"), {}) == ("equivalent", "object code")
    assert judges.verdict(copy, file, (change[0], change[1], "(", "a bracket"), {}) == ("stillborn", "")
    for k, how in ((1, "step setup"), (0, "unit lists statements")):
        good[k] = False
        assert judges.verdict(copy, file, change, {}) == ("killed", how)
    assert [name for name, _ in PARTS("scripts/view/page.py")] == ["step view"] and [name for name, _ in PARTS(file, True)] == ["unit lists statements"]


# -- the whole of it, in a small repository -----------------------------------------------------------

SMALL = "def f(x: int) -> int:\n    if x > 3:\n        return x - 1\n    return 0\n"


@pytest.fixture(name="root")
def a_repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An archive with one script, whose test sees what is changed in its third line; what is made lies beside it."""
    root = tmp_path / "root"
    for name, text in (("scripts/a.py", SMALL), ("docs/page.md", "x"), ("build/old", "x")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("BUILD", str(tmp_path / "b"))
    monkeypatch.setattr(judges, "HERE", str(root))
    monkeypatch.setattr(judges.mutate_python, "PARTS", {"scripts/a.py": ("one", "two")})
    monkeypatch.setattr(judges, "EVERY", {"scripts/a.py": ("one", "two")})
    parts = [("unit one", "echo u >>../ran; grep -q 'return x - 1' scripts/a.py"), ("step two", "grep -q 'return 0' scripts/a.py")]
    monkeypatch.setattr(judges, "parts", lambda file, units: parts[:1] if units else parts)
    monkeypatch.setattr(judges.mutate_python, "command", lambda tests, limit: {"one": parts[0][1]}[tests])
    return root


def test_mutants_of_a_small_repository(root: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What becomes of each, in the table and by the exit code; a second run has nothing to do, one of other tests has."""
    every, words = judges.changes("scripts/a.py"), ["--file", "scripts/a.py", "--each", "100", "--jobs", "2"]
    ends = ["unit" if "x - 1" not in SMALL[:a] + new + SMALL[b:] else "step" if "return 0" not in SMALL[:a] + new + SMALL[b:] else "survived" for a, b, new, _ in every]
    assert [ends.count(end) for end in ("unit", "step", "survived")] == [3, 2, 5]
    ran = tmp_path / "b/mutate/judges/ran"
    for units in (False, True):
        total = [str(len(every))] * 2 + ["0", "3", "0" if units else "2", "0", "7" if units else "5"]
        for again in (False, True):
            count = len(ran.read_text().split()) if ran.exists() else 0
            assert judges.main(words + ["--units"] * units) == 1
            said = capsys.readouterr().out
            assert f"| scripts/a.py | {' | '.join(total)} |\n| sum | {' | '.join(total)} |\n" in said
            assert said.endswith(f"{3 if units else 5} passed, {7 if units else 5} failed\n") and ("(0 left)" in said) != again
            assert ("as it is: unit one" in said) != again and ("as it is: step two" in said) == (not again and not units)
            survived = sorted(f"FAIL survived: scripts/a.py:{c[3]}" for c, end in zip(every, ends, strict=True) if end == "survived" or units and end == "step")
            assert sorted(line for line in said.splitlines() if line.startswith("FAIL")) == survived
            assert len(ran.read_text().split()) - count == (0 if again else len(every) + 1)
            assert all((tmp_path / f"b/mutate/judges/copy{k}/scripts/a.py").read_text() == SMALL for k in (0, 1))
    assert (tmp_path / "b/mutate/judges/judges.csv").read_text().splitlines()[1] == "scripts/a.py," + ",".join(total)
    assert (root / "scripts/a.py").read_text() == SMALL
    assert judges.main(words[:2] + ["--each", "3", "--python"]) in (0, 1) and "| sum | 10 | 3 |" in capsys.readouterr().out
    assert judges.main(["--python", "--jobs", "1"]) == 1 and "| sum | 10 | 10 |" in capsys.readouterr().out


def test_where_all_are_killed(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    same = f"cmp -s scripts/a.py {root}/scripts/a.py"
    monkeypatch.setattr(judges, "parts", lambda *_: [("unit one", same)])
    monkeypatch.setattr(judges.mutate_python, "command", lambda tests, limit: {"one": same}[tests])
    assert judges.main(["--file", "scripts/a.py", "--jobs", "1"]) == 0 and capsys.readouterr().out.endswith("10 passed, 0 failed\n")


@pytest.mark.parametrize("words, code, said", [
    ("--file scripts/b.py", 2, "nearest: scripts/a.py"), ("--each 0", 2, "--each 0; allowed: 1 to 100000"), ("--jobs 65", 2, "allowed: 1 to 64"), ("--seed -1", 2, "--seed -1"),
    ("--narrow --python", 2, "--narrow"),
    ("--narrow --file scripts/a.py", 2, "--narrow"), ("--other", 2, "--other"), ("--file scripts/a.py", 1, "unit one fails without a mutant")])
def test_what_is_refused(words: str, code: int, said: str, root: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "scripts/a.py").write_text(SMALL.replace("x - 1", "x - 2"))
    assert judges.main(words.split()) == code and said in capsys.readouterr().err


def test_an_interrupt(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What is under way ends; the file is as it was."""
    del root
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr(judges, "verdict", stop)
    assert judges.main(["--file", "scripts/a.py", "--jobs", "1"]) == 4 and "interrupted" in capsys.readouterr().err


def test_a_copy(root: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """It has the sources and no others but what is built there; what has not changed is not written again."""
    folder = tmp_path / "copy"
    copy = judges.Copy(folder, judges.Programs())
    def files() -> list[str]:
        return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    assert files() == ["docs/page.md", "scripts/a.py"] and copy.quiet == [] and judges.Copy(folder, judges.Programs(), False).quiet == judges.quiet(False)
    for name in ("build/made", "scripts/gone.py", "scripts/build/x", "part.log"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x")
    (root / "docs/page.md").write_text("new")
    before = (folder / "scripts/a.py").stat()
    (folder / "docs/page.md").chmod(0o600)
    judges.Copy(folder, judges.Programs())
    assert files() == ["build/made", "docs/page.md", "scripts/a.py"] and (folder / "docs/page.md").read_text() == "new"
    after = (folder / "scripts/a.py").stat()
    assert (after.st_mtime_ns, after.st_ctime_ns) == (before.st_mtime_ns, before.st_ctime_ns)
    copy.plant("scripts/a.py", (3, 6, "xyz", "what"))
    assert (folder / "scripts/a.py").read_text() == SMALL[:3] + "xyz" + SMALL[6:]
    copy.plant("scripts/a.py", None)
    assert (folder / "scripts/a.py").read_text() == SMALL
    assert copy.passes("test -f scripts/a.py && echo told") and not copy.passes("exit 3") and (folder / "part.log").read_text().endswith("exit 3\n")


def test_the_code_of_a_header(root: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of all units which include it, by what gcc says they read; None if one of them does not compile."""
    texts = {"cmodel/switch/a.h": "x", "cmodel/switch/a.c": '#include "a.h"', "sim/b.c": '#include "a.h"', "cmodel/switch/c.c": ""}
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "cc").write_text('#!/bin/sh\nfor w; do case $last in -c) unit=$w ;; -o) out=$w ;; esac; last=$w; done\n'
                             '(cat $unit; echo; cat cmodel/switch/a.h) | sed "s/ *#.*//" >$out\n! grep -q BAD $unit\n')
    (root / "cc").chmod(0o755)
    judges.units_of.cache_clear()
    try:
        assert judges.units_of("cmodel/switch/a.h") == ["cmodel/switch/a.c", "sim/b.c"] and judges.units_of("cmodel/switch/c.c") == ["cmodel/switch/c.c"]
        copy = judges.Copy(tmp_path / "copy", judges.Programs())
        code = {file: copy.code(file, ["./cc"]) for file in ("cmodel/switch/a.h", "sim/b.c")}
        assert len(set(code.values())) == 2 and None not in code.values()
        copy.plant("cmodel/switch/a.h", (0, 1, "x  # said", ""))
        assert copy.code("cmodel/switch/a.h", ["./cc"]) == code["cmodel/switch/a.h"]
        copy.plant("cmodel/switch/a.h", (0, 1, "y", ""))
        assert copy.code("cmodel/switch/a.h", ["./cc"]) != code["cmodel/switch/a.h"]
        (tmp_path / "copy/sim/b.c").write_text("BAD")
        assert copy.code("cmodel/switch/a.h", ["./cc"]) is None
    finally:
        judges.units_of.cache_clear()


@pytest.mark.parametrize("file, units", [("cmodel/switch/params.c", False), ("cmodel/switch/params.c", True), ("scripts/lib/lists.py", False)])
def test_what_runs_for_a_file(file: str, units: bool) -> None:
    tests, steps = judges.EVERY[file]
    if file.endswith(".c"):
        want = [(f"unit {t}", f"make -s JOBS=1 build/unit/test_{t} >make.log 2>&1 && timeout -s KILL 300 build/unit/test_{t}") for t in tests.split()]
    else:
        want = [(f"unit {tests}", judges.mutate_python.command(tests))]
        assert want[0][1].endswith(" ".join(f"tb/scripts/test_{t}.py" for t in tests.split()))
    assert list(PARTS(file, units)) == want + [(f"step {s}", f"JOBS=1 scripts/test.sh {s}") for s in steps.split() if not units]
