#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cover.py - a covering design: few switches, or networks, that meet every pair of parameter values.

Usage: cover.py [--network] [--vcs LIST] [--depth LIST] [--flit-w LIST] [--path LIST] [--scan LIST]
                [--level LIST] [--levels LIST]
A LIST is as 1,2,4 or 1-16; without it the whole range is taken.  Prints a shape a line.

Every pair of values that one switch can have is in some row: V, q, FLIT_W, path, scan, level,
levels and the kind of port that they choose.  So is every triple of what chooses an implementation: V,
q as 1, 2 or more, path, scan, root or not.  The same lists give the same rows.
"""
from __future__ import annotations

import argparse
import functools
import itertools
import random
import re
import sys
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

Row = dict[str, Any]              # a value for each name of ORDER
Values = dict[str, tuple[Any, ...]]

ORDER = ("vcs", "depth", "flit_w", "path", "scan", "level", "levels")
RANGES: Values = {"vcs": (1, 2, 4), "depth": tuple(range(1, 17)), "flit_w": tuple(range(16, 65)),
          "path": ("fp", "rp", "gp", "rg", "rw"), "scan": ("rr", "fo", "ff", "rot", "fcfs"),
          "level": tuple(range(1, 11)), "levels": tuple(range(1, 11))}
NETWORK_LEVELS = tuple(range(1, 6))  # up to N = 1024
NAMES = ORDER + ("port", "queue", "root")
PAIRED = ORDER + ("port",)
CHOOSING = ("vcs", "queue", "path", "scan", "root")
MET = [tuple(map(NAMES.index, some)) for names, count in ((PAIRED, 2), (CHOOSING, 3))
       for some in itertools.combinations(names, count)]
DEPTH, WIDTH = NAMES.index("depth"), NAMES.index("flit_w")
SHAPE = re.compile(r"s(?P<level>\d+)of(?P<levels>\d+)-v(?P<vcs>\d+)-q(?P<depth>\d+)-w(?P<flit_w>\d+)-(?P<path>[a-z]+)-(?P<scan>[a-z]+)")
TRIES = 60  # rows drawn for each row that is taken


def port_kind(row: Row) -> str:
    """The module that rtl/switch.v takes for a port: port_one, port_pair, port_fast, or the reference's (docs/switch.md); of a network
    the one below its root."""
    vcs, path, scan = row["vcs"], row["path"], row["scan"]
    turned = scan in ("rr", "fo", "rot")
    if path == "rw" or (vcs == 4 and (path, scan) != ("rp", "rr")):
        return "ref"
    if row["depth"] == 2 and vcs == 1 and (path not in ("gp", "rg") or row["level"] == row["levels"] or scan != "rot"):
        return "one"
    return "pair" if (row["depth"], vcs, path, turned) == (2, 2, "rp", True) else "fast"


def head_bits(levels: int, path: str) -> int:
    return 4 * levels + levels.bit_length() + (levels - 1 if path == "fp" else 0)


def derived(row: Row) -> Row:
    """The row with what follows from it."""
    return {**row, "port": port_kind(row), "queue": min(row["depth"], 3),
            "root": row["level"] == row["levels"]}


def possible(row: Row) -> bool:
    """level 0 stands for a whole network."""
    return row["level"] <= row["levels"] and head_bits(row["levels"], row["path"]) <= row["flit_w"]


def tuples(row: Row) -> set[tuple[Any, ...]]:
    """The pairs and triples that a row meets, as (name, value, name, value ..), names as numbers."""
    value = tuple(derived(row)[name] for name in NAMES)
    return {tuple(x for k in some for x in (k, value[k])) for some in MET}


def all_tuples(values: Values) -> dict[tuple[Any, ...], None]:
    """Every pair and triple of some possible row, in a fixed order."""
    return dict(tuples_of(tuple(values.items())))


@functools.cache
def tuples_of(items: tuple[tuple[str, tuple[Any, ...]], ...]) -> dict[tuple[Any, ...], None]:
    """The same, kept."""
    values, found, least = dict(items), set(), {}
    deep = [depth for depth in values["depth"] if depth > 2]  # of which no other value follows: one stands for all
    for path, level, levels in itertools.product(values["path"], values["level"], values["levels"]):
        widths = [w for w in values["flit_w"] if w >= head_bits(levels, path)]
        if level > levels or not widths:
            continue
        for vcs, depth, scan in itertools.product(values["vcs"], [*(d for d in values["depth"] if d < 3), *deep[:1]], values["scan"]):
            row = {"vcs": vcs, "depth": depth, "flit_w": 0, "path": path, "scan": scan,
                   "level": level, "levels": levels}
            for met in tuples(row):
                if met[:2] == (WIDTH, 0) or met[2:] == (WIDTH, 0):
                    other = met[2:] if met[0] == WIDTH else met[:2]
                    least[other] = min([*widths, least.get(other, widths[0])])
                else:
                    found.add(met)
    for (name, value), width in least.items():
        for wide in values["flit_w"]:
            if wide >= width:
                found.add((name, value, WIDTH, wide) if name < WIDTH else (WIDTH, wide, name, value))
    for met in list(found):
        for k in range(0, len(met), 2):
            if met[k:k + 2] == (DEPTH, *deep[:1]):
                found |= {(*met[:k + 1], depth, *met[k + 2:]) for depth in deep}
    return dict.fromkeys(sorted(found))


def draw(values: Values, wanted: Row, rng: random.Random) -> Row:
    """A possible row that meets the tuple, the rest at random."""
    fixed: dict[Any, Row] = {"one": {"vcs": 1, "depth": 2}, "pair": {"vcs": 2, "depth": 2, "path": "rp"}}
    known = {**fixed.get(wanted.get("port"), {}), **{k: v for k, v in wanted.items() if k in ORDER}}
    while True:
        row = {name: known[name] if name in known else rng.choice(values[name]) for name in ORDER}
        if wanted.get("root") and row["level"]:
            row["level"] = row["levels"]
        if possible(row) and row["level"] in values["level"]:
            full = derived(row)
            if all(full[k] == v for k, v in wanted.items()):
                return row


def lacks(values: Values, given: Iterable[Row]) -> dict[tuple[Any, ...], None]:
    """The tuples that none of these rows meets."""
    missing = all_tuples(values)
    for row in given:
        for met in tuples(row):
            missing.pop(met, None)
    return missing


def design(values: Values, given: Iterable[Row] = ()) -> list[Row]:
    """Rows that with those given meet all tuples: for the first that is missing, of some rows that meet it
    the one that meets most others that are missing."""
    missing, rng, rows = lacks(values, given), random.Random(1), []
    # What is missing, in a table for each entry of MET: it is looked up for TRIES times as many rows as are taken.
    left: list[dict[Any, bool]] = [{} for _ in MET]
    place = {some: k for k, some in enumerate(MET)}
    for met in missing:
        left[place[met[::2]]][met[1::2]] = True
    get = [(itemgetter(*(NAMES[k] for k in some)), table.get) for some, table in zip(MET, left)]

    def meets(row: Row) -> int:
        full = derived(row)
        return sum(found(names_of(full), False) for names_of, found in get)

    while missing:
        first = next(iter(missing))
        wanted = {NAMES[k]: value for k, value in zip(first[::2], first[1::2])}
        rows.append(max((draw(values, wanted, rng) for _ in range(TRIES)), key=meets))
        for met in tuples(rows[-1]):
            if missing.pop(met, 1) is None:
                del left[place[met[::2]]][met[1::2]]
    return rows


def shape(row: Row) -> str:
    """As build/fatfly calls it."""
    where = f"s{row['level']}of{row['levels']}" if row["level"] else f"n{4 ** row['levels']}"
    return "{}-v{vcs}-q{depth}-w{flit_w}-{path}-{scan}".format(where, **row)


def row_of(text: str) -> Row:
    """The row of a shape; ValueError: it is none."""
    m = SHAPE.fullmatch(text)
    if not m:
        raise ValueError(f"{text} is not a switch as s2of3-v1-q2-w32-rp-rr")
    return {name: int(x) if x.isdigit() else x for name, x in m.groupdict().items()}


def values_of(name: str, text: str) -> tuple[Any, ...]:
    """The values of a list; ValueError says what is wrong."""
    allowed: tuple[Any, ...] = RANGES[name]
    chosen: list[Any] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if dash and first.isdigit() and last.isdigit():
            some: list[Any] = list(range(int(first), int(last) + 1)) or [part]
        else:
            some = [int(part) if part.isdigit() else part]
        for value in some:
            if value not in allowed:
                says = f"{allowed[0]} to {allowed[-1]}" if name in ("depth", "flit_w", "level", "levels") \
                    else ", ".join(map(str, allowed))
                raise ValueError(f"--{name.replace('_', '-')} {value}; allowed: {says}")
            chosen.append(value)
    return tuple(dict.fromkeys(chosen))


def values_from(options: Mapping[str, Any], network: bool = False) -> Values:
    """The lists of a design, from {name: text}; ValueError says what is wrong."""
    values: Values = {name: values_of(name, options[name]) if options.get(name) else RANGES[name] for name in ORDER}
    if network:
        if options.get("level"):
            raise ValueError("--level with --network; allowed: one of them")
        values["level"] = (0,)
        if not options.get("levels"):
            values["levels"] = NETWORK_LEVELS
        if max(values["levels"]) > NETWORK_LEVELS[-1]:
            raise ValueError(f"--levels {max(values['levels'])} with --network; allowed: 1 to {NETWORK_LEVELS[-1]}")
    # A value that no row can have would be left out silently.
    for name in ("flit_w", "levels", "level", "path"):
        for value in values[name]:
            one: Values = {**values, name: (value,)}
            if not any(possible({"path": p, "level": l, "levels": n, "flit_w": max(one["flit_w"])})
                       for p in one["path"] for l in one["level"] for n in one["levels"]):
                raise ValueError(f"--{name.replace('_', '-')} {value} fits no other value of the lists; "
                                 "allowed: level up to levels, a head that fits FLIT_W")
    return values


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--network", action="store_true")
    for name in ORDER:
        parser.add_argument("--" + name.replace("_", "-"), metavar="LIST")
    options = vars(parser.parse_args())
    try:
        values = values_from(options, options["network"])
    except ValueError as why:
        print(f"cover.py: {why}", file=sys.stderr)
        return 2
    print("\n".join(shape(row) for row in design(values)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
