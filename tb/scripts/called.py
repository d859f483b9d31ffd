# SPDX-License-Identifier: Apache-2.0
"""called.py - a pytest plugin: which functions of the modules below no test calls, of each module that judges (judge_*.py)
which of those that compare intervals, and which judgements have one verdict alone in all tests.

A session with such a function fails, after a line `never called: MODULE.FUNCTION` or `one verdict alone: MODULE.FUNCTION` for each;
so it does where one is excepted without need, or no test calls anything of a module that judges.
"""

from __future__ import annotations

import collections
import importlib
import pathlib
import sys
import types
from collections.abc import Iterator

import judging
import pytest

# Module: what no test calls, since it runs the model; the command that does.
MODULES: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("coverage_ci", "paper", "paper_bc", "paper_beyond", "paper_cmsv", "paper_gg", "paper_go", "paper_leighton", "paper_page", "paper_tools", "readings_gg"), ("", "")),
    "judging": ("read_point point last", "make statements"),
}
# Judgements of which no test has seen two verdicts.
ONE_VERDICT: dict[str, str] = {
    "judge_go_fat_trees": "buffers",
    "judge_leighton": "below_100",
}
TESTS = ("test_numbers.py", "test_judges.py", "test_intervals.py", "test_chapters.py", "test_verdicts_cmsv.py", "test_verdicts_go.py",
         "test_pages.py", "test_stand_ins.py")
PAPER = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "paper"
ENDS = {"low", "high", "half"}    # of a Value
called: set[tuple[str, str]] = set()
verdicts: dict[tuple[str, str], set[str]] = collections.defaultdict(set)
asked = judging.Judge.__call__
RECORD = "test_said.py"    # what it has been told is no verdict that a test wants
running = [""]


def judged(judge: judging.Judge, *words: str) -> judging.Verdict:
    """In place of Judge.__call__(): what it says is kept."""
    found = asked(judge, *words)
    if running[-1] != RECORD:
        verdicts[judge.judge.__module__, judge.judge.__name__].add(found.kind)
    return found


judging.Judge.__call__ = judged  # type: ignore[method-assign]


def on_call(frame: types.FrameType, event: str, argument: object) -> None:
    del event, argument
    code = frame.f_code
    called.add((code.co_filename, code.co_qualname))


def functions(code: types.CodeType) -> Iterator[types.CodeType]:
    """Of a module and its classes; what is inside a function runs with it."""
    for one in code.co_consts:
        if isinstance(one, types.CodeType) and not one.co_name.startswith("<"):
            if one.co_flags & 2:    # CO_NEWLOCALS
                yield one
            else:
                yield from functions(one)


def words_of(code: types.CodeType) -> set[str]:
    """The names in a function, and in what is inside it."""
    inner = (words_of(one) for one in code.co_consts if isinstance(one, types.CodeType))
    return set(code.co_names).union(*inner)


def there(file: str) -> list[types.CodeType]:
    return list(functions(compile(pathlib.Path(file).read_text(encoding="utf-8"), file, "exec")))


def left() -> Iterator[str]:
    for name, (words, _) in MODULES.items():
        file = importlib.import_module(name).__file__
        every = {function.co_qualname for function in there(file)}
        here = {function for path, function in called if path == file}
        excepted = set(words.split())
        yield from (f"never called: {name}.{function}" for function in sorted(every - here - excepted))
        yield from (f"excepted without need: {name}.{function}" for function in sorted(excepted & here | excepted - every))
    for judges in sorted(PAPER.glob("judge_*.py")):
        file = importlib.import_module(judges.stem).__file__
        here = {function for path, function in called if path == file}
        if not here & {function.co_qualname for function in there(file)}:
            yield f"never called: {judges.stem}, any function"
        yield from (f"never called: {judges.stem}.{function.co_qualname}" for function in there(file) if words_of(function) & ENDS and function.co_qualname not in here)
        all_of = {value.judge.__name__ for value in vars(importlib.import_module(judges.stem)).values()
                  if isinstance(value, judging.Judge) and value.judge.__module__ == judges.stem}
        alone = {name for name in all_of if len(verdicts[judges.stem, name]) < 2}
        excepted = set(ONE_VERDICT.get(judges.stem, "").split())
        yield from (f"one verdict alone: {judges.stem}.{name}" for name in sorted(alone - excepted))
        yield from (f"excepted without need: {judges.stem}.{name}" for name in sorted(excepted - alone))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Only where the modules are tested: to look takes time."""
    running.append(item.path.name)
    if item.path.name in TESTS:
        sys.settrace(on_call)
    yield
    sys.settrace(None)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    lines = list(left())
    for line in lines:
        print(f"\n{line}", end="")
    if lines and not session.exitstatus:
        session.exitstatus = 1
