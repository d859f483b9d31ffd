#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_said.py - what each statement of the papers that is judged by runs asks for, and what is said of it, from made-up runs
(answers.py), against said.txt: a number, a sign or a size that changes in judge_*.py changes a line there.

said.txt does not say what is right; the tests of terms, limits and verdicts do.  After a change that is meant:
python3 -B tb/scripts/test_said.py --write
"""
from __future__ import annotations

import hashlib
import math
import pathlib
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEEDS = (1, 2, 3)
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts/paper")]

import pytest

import judge_gg_general
import judge_leighton
import judging
import statements
from answers import Answers

RECORD = HERE / "said.txt"
MODULES = [module for name, module in sorted(sys.modules.items()) if name.startswith("judge_") or name == "judging"]


def judges() -> dict[str, statements.Row]:
    return {row.name: row for row in statements.read(ROOT) if row.kind == "judge" and row.function().by == judging.RUN}


def said(row: statements.Row, seed: int, patch: pytest.MonkeyPatch) -> str:
    """A line: the statement and the seed, how much was asked for and its digest, what is said."""
    command = Answers(seed)
    for module in MODULES:
        if hasattr(module, "fatfly"):
            patch.setattr(module, "fatfly", command)
        for kept in vars(module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
    # The command's model of a network from a file is not known here: what it would be held against is recorded.
    patch.setattr(judge_gg_general, "agrees_with_command", lambda file, servers, ours, load: command("model", f"graph:{file}", f"{servers} {ours:.8g} {load:.8g}"))
    try:
        found = row.judged()
        what = f"{found.kind}: {found.found}"
    except (ArithmeticError, LookupError) as wrong:
        what = f"{type(wrong).__name__}: {wrong}"
    digest = hashlib.sha256("\n".join(command.asked).encode()).hexdigest()[:8]
    return f"{row.name} {seed} | {len(command.asked)} {digest} | {what}"


def recorded() -> dict[tuple[str, int], str]:
    """Of each statement and seed; where nothing is asked for, one seed is enough."""
    lines = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {(line.split()[0], int(line.split()[1])): line for line in lines}


def expected() -> Iterator[tuple[str, int]]:
    for name in judges():
        yield from ((name, seed) for seed in (SEEDS if " | 0 " not in recorded().get((name, 1), "") else SEEDS[:1]))


@pytest.mark.parametrize("name, seed", expected())
def test_what_is_said(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(judges()[name], seed, monkeypatch) == recorded()[name, seed]


@pytest.mark.parametrize("name, other", [
    ("GREEDY", judge_leighton.GREEDY + " --depth 3"), ("log2", lambda x: math.log2(x) + 0.5), ("DIFFERS", "agrees")])
def test_a_change_is_seen(name: str, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for, a number, the verdict: each alone."""
    if name == "log2":
        monkeypatch.setattr(judge_leighton, "math", SimpleNamespace(**vars(math) | {name: other}))
    else:
        monkeypatch.setattr(judge_leighton, name, other)
    asked, found = said(judges()["L-20"], 1, monkeypatch), recorded()["L-20", 1]
    assert [a != b for a, b in zip(asked.split(" | "), found.split(" | "))] == {"GREEDY": [False, True, True], "log2": [False, False, True], "DIFFERS": [False, False, True]}[name]


def test_no_line_is_left_over() -> None:
    assert set(recorded()) == set(expected())


def main() -> int:
    if sys.argv[1:] != ["--write"]:
        print("test_said.py: allowed: --write", file=sys.stderr)
        return 2
    head = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    with pytest.MonkeyPatch.context() as patch:
        lines = []
        for row in judges().values():
            lines.append(said(row, SEEDS[0], patch))
            lines += [said(row, seed, patch) for seed in SEEDS[1:] if " | 0 " not in lines[-1]]
    part = RECORD.with_suffix(".part")
    part.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
    part.replace(RECORD)
    return 0


if __name__ == "__main__":
    sys.exit(main())
