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
