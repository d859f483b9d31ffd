# SPDX-License-Identifier: Apache-2.0
"""judging.py - what the judgements of judge_*.py share: verdicts, runs of build/fatfly, tables of docs/results.md.

A judgement is a function that returns a Verdict.  With @run it runs the model or counts for longer, and statements.py
keeps what it finds; with @quick it takes docs/results.md or arithmetic alone, and is asked whenever the pages are made.
"""

import functools
import math
import pathlib
from collections.abc import Callable, Iterable

from paper_tools import Value, fatfly, line_fit, read_csv, student

AGREES, PART, DIFFERS = "agrees", "agrees in part", "differs"
RUN, RESULTS, ARITHMETIC = "run", "results", "arithmetic"
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Verdict:
    """What a statement is found to be, and the numbers in short."""

    def __init__(self, kind: str, found: str, seconds: float = 0.0) -> None:
        self.kind, self.found, self.seconds = kind, found, seconds


class Judge:
    """A judgement, and how it comes by its numbers: RUN, RESULTS or ARITHMETIC."""

    def __init__(self, judge: Callable[..., Verdict], by: str) -> None:
        self.judge, self.by = judge, by

    def __call__(self, *words: str) -> Verdict:
        return self.judge(*words)


def run(judge: Callable[..., Verdict]) -> Judge:
    return Judge(judge, RUN)


def quick(judge: Callable[..., Verdict]) -> Judge:
    return Judge(judge, RESULTS)


def counted(judge: Callable[..., Verdict]) -> Judge:
    return Judge(judge, ARITHMETIC)


def verdict(good: int, of: int, found: str) -> Verdict:
    """All, some or none of the cases agree; there is one at least."""
    if not 0 <= good <= of or of == 0:
        raise ValueError(f"{good} of {of} cases agree: {found}")
    return Verdict(AGREES if good == of else PART if good else DIFFERS, found)


# -- runs -------------------------------------------------------------------------------------------


def read_point(command: str) -> dict:
    """The row of one `fatfly run`, its options as on the command line; for files that are gone later."""
    return read_csv(fatfly("run", *command.split(), "--format", "csv", quiet=True))[0]


@functools.cache
def point(command: str) -> dict:
    """The same, once for each command."""
    return read_point(command)


def last(command: str) -> Value:
    """Mean last arrival of static runs."""
    row = point(command)
    return Value(row["last_arrival_mean"], row["last_arrival_ci99"] or 0.0)


# -- intervals --------------------------------------------------------------------------------------


def growth(terms: Iterable[float], measured: Iterable[float]) -> Value:
    """The exponent p of measured = k term^p, with its 99 % interval over the points."""
    x, y = [math.log(v) for v in terms], [math.log(v) for v in measured]
    _, p, error, _ = line_fit(x, y)
    return Value(p, student(0.005, len(x) - 2) * error)


WIDE = 0.5    # half the interval of an exponent from points that do not tell


def undecided(p: Value) -> bool:
    """The points tell neither that the ratio grows nor that it does not."""
    return p.low <= 1 < p.high and p.half > WIDE


def bounded(p: Value) -> bool:
    """O(term): the ratio to the term does not grow with it.  Who asks of few points asks undecided() first."""
    if undecided(p):
        raise ArithmeticError(f"an exponent of {p.mean:.2f} ± {p.half:.2f} decides nothing; more sizes are needed")
    return p.low <= 1


def span(values: Iterable[float], places: int = 2) -> str:
    """least to largest"""
    every = list(values)
    return f"{min(every):.{places}f} to {max(every):.{places}f}"


# -- docs/results.md --------------------------------------------------------------------------------


def tables(heading: str) -> list[list[list[str]]]:
    """The tables under a heading (## or ###), each a list of rows of cells, head first."""
    found, inside, level = [], False, 0
    rows: list[list[str]] = []
    for line in (ROOT / "docs" / "results.md").read_text().splitlines() + [""]:
        if line.startswith("#"):
            depth = len(line) - len(line.lstrip("#"))
            if line.lstrip("#").strip() == heading:
                inside, level = True, depth
            elif inside and depth <= level:
                inside = False
        if inside and line.startswith("|"):
            if not line.startswith("| ---"):
                rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
        elif rows:
            found.append(rows)
            rows = []
    if not found:
        raise LookupError(f"docs/results.md has no table under {heading!r}")
    return found


def value(cell: str) -> Value:
    """A cell such as `299.9 ± 3.6` or `8.8 ± 2.3 %`."""
    mean, _, half = cell.replace("%", "").partition("±")
    return Value(float(mean), float(half) if half.strip() else 0.0)
