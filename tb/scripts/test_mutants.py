# SPDX-License-Identifier: Apache-2.0
"""test_mutants.py - the verdict on a mutant, for every answer of the compilers and of the tests."""

from __future__ import annotations

import itertools
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
