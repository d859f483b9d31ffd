#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""matrix.py - sim/matrix.txt: which switches the co-simulation covers.

Usage: matrix.py --check             says what sim/matrix.txt lacks, and which of its rows nothing needs
       matrix.py --search SECONDS    adds what it lacks, looks for fewer rows that do the same, and writes them

A row is a switch and its Verilog: what rtl/switch.v chooses, or with -ref the reference.  The rows have every tuple of TUPLES that
some switch can have: every pair of values of V, q, FLIT_W, path, scan, level, levels and kind of port; every triple of what chooses
an implementation; every kind of port with every path and scan, and, at the bottom, in the middle and at the root, with every scan;
every path with every scan there; in networks of four levels and more, every value with every kind of port.  A row that a list of
LISTS or a case of CASES names stays, and a row that stays keeps its line, whose number is the seed of its case.
"""
from __future__ import annotations

import functools
import itertools
import pathlib
import random
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tb" / "spec"))
import cover  # noqa: E402  (the path above)

Row = dict[str, Any]
Tuple = tuple[tuple[str, ...], tuple[Any, ...]]  # names and their values

VALUES: cover.Values = {**cover.RANGES, "depth": (1, 2, 3, 4, 5, 8, 16), "flit_w": (16, 17, 24, 32, 33, 40, 48, 55, 63, 64),
                        "impl": ("", "ref")}
LISTS = ("sim/reference.txt", "scripts/mutate/mutate.py", "scripts/mutate/mutate_c.py", "scripts/test.sh", "tb/bugs/bugs.txt",
         "tb/cli/outputs.py", "tb/coverage/cases.txt", "tb/coverage/test_coverage.sh", "tb/judge/test_judge.sh")
SHAPE = re.compile(cover.SHAPE.pattern.replace("(?P<scan>[a-z]+)", f"(?P<scan>{'|'.join(cover.RANGES['scan'])})") + "(?P<impl>-ref)?")
CASES, CASE = ("README.md", "docs/*.md", "tb/*/bugs.txt"), re.compile(f"switch-({SHAPE.pattern})")
HEADING = """# One switch a line; -ref: with the reference switch in place of the fast one.  scripts/sim/matrix.py says what the rows have
# together, checks it and looks for fewer rows.  A line's number is the seed of its case.
"""
HIGH = 4  # levels from which a network counts as high
TUPLES = [*itertools.combinations((*cover.ORDER, "port"), 2),
          *itertools.combinations(("vcs", "queue", "path", "scan", "root", "made"), 3),
          ("path", "scan", "place"), ("port", "scan", "place"), ("port", "path", "scan"),
          *(("high", "port", name) for name in ("levels", "level", "root", "path", "scan", "vcs", "flit_w"))]


def row_of(shape: str) -> Row:
    """The row of a shape; ValueError: it is none."""
    return {**cover.row_of(shape.removesuffix("-ref")), "impl": "ref" if shape.endswith("-ref") else ""}


def shape_of(row: Row) -> str:
    return cover.shape(row) + (row["impl"] and "-ref")


def derived(row: Row) -> Row:
    """The row with what follows from it; None: no such thing."""
    port = "ref" if row["impl"] else cover.port_kind(row)
    level, levels = row["level"], row["levels"]
    return {**row, "port": port, "made": "ref" if port == "ref" else "fast", "queue": min(row["depth"], 3), "root": level == levels,
            "place": None if levels == 1 else "root" if level == levels else "bottom" if level == 1 else "middle",
            "high": "high" if levels >= HIGH else None}


def possible(row: Row) -> bool:
    """What is the reference by itself has no -ref."""
    return cover.possible(row) and not (row["impl"] and cover.port_kind(row) == "ref")


def tuples(row: Row) -> set[Tuple]:
    full = derived(row)
    return {(names, values) for names in TUPLES if None not in (values := tuple(full[name] for name in names))}


@functools.cache
def wanted() -> dict[Tuple, int]:
    """Every tuple of some switch, numbered."""
    found: set[Tuple] = set()
    names = [name for name in VALUES if name != "flit_w"]
    # Of queues of more than two flits all else is alike; of a width it matters only that a head fits.
    some: cover.Values = {**VALUES, "depth": (1, 2, 3)}
    every = [dict(zip(names, values)) for values in itertools.product(*(some[name] for name in names))]
    rows = [derived(row) for row in every if possible({**row, "flit_w": VALUES["flit_w"][-1]})]
    heads = [cover.head_bits(row["levels"], row["path"]) for row in rows]
    for met in TUPLES:
        rest = [name for name in met if name != "flit_w"]
        values: Iterable[tuple[Any, ...]] = map(itemgetter(*rest), rows) if len(rest) > 1 else ((row[rest[0]],) for row in rows)
        if len(rest) == len(met):
            found |= {(met, each) for each in set(values)}
            continue
        least: dict[tuple[Any, ...], int] = {}
        for each, head in zip(values, heads):
            least[each] = min(head, least.get(each, head))
        at = met.index("flit_w")
        found |= {(met, (*each[:at], wide, *each[at:])) for each, head in least.items() for wide in VALUES["flit_w"] if wide >= head}
    for met, each in [some for some in found if "depth" in some[0]]:
        at = met.index("depth")
        if each[at] == 3:
            found |= {(met, (*each[:at], depth, *each[at + 1:])) for depth in VALUES["depth"] if depth > 3}
    return {each: number for number, each in enumerate(sorted((one for one in found if None not in one[1]), key=str))}


@functools.cache
def bits_of(values: tuple[Any, ...]) -> int:
    row = dict(zip(VALUES, values))
    return sum(1 << wanted()[each] for each in tuples(row)) if possible(row) else 0


def bits(row: Row) -> int:
    """What a row meets, a bit a tuple; 0 if there is no such switch."""
    return bits_of(tuple(row[name] for name in VALUES))


def all_bits(rows: Iterable[Row]) -> int:
    return functools.reduce(lambda met, row: met | bits(row), rows, 0)


def climb(row: Row, missing: int, rng: random.Random) -> Row:
    """The row with one value after another changed as long as it meets more of what is missing."""
    best, better = (bits(row) & missing).bit_count(), True
    while better:
        better = False
        for name in rng.sample(list(VALUES), len(VALUES)):
            for value in VALUES[name]:
                other = {**row, name: value}
                count = (bits(other) & missing).bit_count()
                if count > best:
                    row, best, better = other, count, True
    return row


def drawn(rng: random.Random) -> Row:
    while not bits(row := {name: rng.choice(values) for name, values in VALUES.items()}):
        pass
    return row


def complete(rows: Sequence[Row], rng: random.Random, tries: int) -> list[Row]:
    """Rows that with those given meet everything, each the best of some climbs."""
    done, missing = list(rows), (1 << len(wanted())) - 1 & ~all_bits(rows)
    while missing:
        best = max((climb(drawn(rng), missing, rng) for _ in range(tries)), key=lambda row: (bits(row) & missing).bit_count())
        if bits(best) & missing:
            done.append(best)
            missing &= ~bits(best)
    return done


def needed(rows: Sequence[Row], kept: int) -> list[Row]:
    """The rows without those, from the last on, that the others make idle; the first `kept` stay."""
    done = list(rows)
    for k in range(len(done) - 1, kept - 1, -1):
        if bits(done[k]) & ~all_bits(done[:k] + done[k + 1:]) == 0:
            del done[k]
    return done


def search(kept: Sequence[Row], rows: Sequence[Row], seconds: float, rng: random.Random) -> list[Row]:
    """Fewer rows: again and again those that meet least alone are left out, and what is then missing is met anew."""
    end, first = time.monotonic() + seconds, len(kept)
    best = needed(complete([*kept, *rows], rng, 12), first)
    while time.monotonic() < end:
        once = twice = 0
        for row in best:
            twice |= once & bits(row)
            once |= bits(row)
        own = sorted(best[first:], key=lambda row: (bits(row) & ~twice).bit_count() + 6 * rng.random())
        new = needed(complete([*kept, *own[rng.randint(3, max(4, len(own) // 6)):]], rng, 4), first)
        if len(new) <= len(best):
            best = new
    return best


def named(root: pathlib.Path) -> dict[str, str]:
    """The switches that lists and pages name, and one that does."""
    found = {m[0]: name for name in LISTS for m in SHAPE.finditer((root / name).read_text())}
    for file in itertools.chain(*(root.glob(pattern) for pattern in CASES)):
        found |= {m[1]: str(file.relative_to(root)) for m in CASE.finditer(file.read_text())}
    return {shape: name for shape, name in found.items() if possible(row_of(shape))}


def faults(lines: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """What is wrong with the rows of a file."""
    rows = [row_of(line) for line in lines]
    numbers = {number: met for met, number in wanted().items()}
    missing = (1 << len(numbers)) - 1 & ~all_bits(rows)
    said = [f"lacks {' '.join(map(str, itertools.chain(*zip(*numbers[k]))))}" for k in numbers if missing >> k & 1]
    said += [f"lacks {shape}, which {name} names" for shape, name in names.items() if shape not in lines]
    if len(set(lines)) < len(lines):
        said.append("has a row twice")
    kept = [row for row in rows if shape_of(row) in names]
    others = [row for row in rows if shape_of(row) not in names]
    idle = {shape_of(row) for row in others} - {shape_of(row) for row in needed([*kept, *others], len(kept))}
    return said + [f"has {shape}, which nothing needs" for shape in sorted(idle)]


def placed(shapes: Sequence[str], old: Sequence[str]) -> list[str]:
    """Rows that were there before in their lines, the others in those that are free."""
    stay = {shape: old.index(shape) for shape in shapes if shape in old and old.index(shape) < len(shapes)}
    others = iter(shape for shape in shapes if shape not in stay)
    at = {place: shape for shape, place in stay.items()}
    return [at[k] if k in at else next(others) for k in range(len(shapes))]


def main(arguments: Sequence[str]) -> int:
    file = ROOT / "sim" / "matrix.txt"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    names = named(ROOT)
    if list(arguments) == ["--check"]:
        for fault in faults(lines, names):
            print(f"matrix.py: sim/matrix.txt {fault}", file=sys.stderr)
        return 1 if faults(lines, names) else 0
    if len(arguments) != 2 or arguments[0] != "--search" or not arguments[1].isdecimal():
        print("usage: matrix.py --check | --search SECONDS", file=sys.stderr)
        return 2
    kept = [row_of(shape) for shape in names]
    rows = search(kept, [row_of(line) for line in lines if line not in names], int(arguments[1]), random.Random(len(lines)))
    print(f"matrix.py: {len(lines)} rows, now {len(rows)}")
    file.write_text(HEADING + "\n".join(placed([shape_of(row) for row in rows], lines)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
