#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# matrix.py - writes sim/matrix.txt: which switches the co-simulation covers.
#
# Of networks of three levels every triple path x scan x level and path x scan x V, and every pair that q or FLIT_W
# forms with V, level, path or scan; the sizes include odd ones; V = 1, q = 2 with every path and scan.  Of 4 to 10
# levels, by the tuples of tb/spec/cover.py: each number of levels, each level, root or not, each path, scan and V, and
# wide flits, with each kind of port.  RW, which has the reference switch alone, has rows of its own at the end: the same
# triples, pairs of q and FLIT_W with it, and one high network.  What a covering design of the whole (tb/spec/cover.py: every
# pair of values of WHOLE, every triple of what chooses an implementation) asks for beyond these rows follows, marked `full`:
# make cosim-full runs it.  --check says whether the file is this one, --missing what of all that it lacks.
from __future__ import annotations

import functools
import itertools
import pathlib
import random
import sys
from collections.abc import Sequence
from typing import Any

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tb" / "spec"))
import cover  # noqa: E402  (the path above)

VCS = [1, 2, 4]
DEPTH = [2, 1, 3, 4, 5, 8, 16]
FLIT_W = [32, 16, 17, 24, 33, 48, 64]
PATH = ["fp", "rp", "gp", "rg"]  # the rest: kept()
SCAN = ["rr", "fo", "ff", "rot", "fcfs"]
PLACE = ["1of3", "2of3", "3of3"]


def pairs(row: Sequence[Any]) -> set[Any]:
    """Pairs that q and FLIT_W form with each other and with the rest of a row."""
    place, v, q, w, path, scan = row
    rest = [("v", v), ("l", place), ("p", path), ("s", scan)]
    return ({(("q", q), r) for r in rest} | {(("w", w), r) for r in rest} | {(("q", q), ("w", w))})


def rows() -> tuple[list[tuple[Any, ...]], int]:
    base = [(PLACE[l], VCS[(l + p + s) % 3], PATH[p], SCAN[s])
            for l, p, s in itertools.product(range(3), range(4), range(5))]
    want = set()
    for place, v, path, scan in base:
        for q, w in itertools.product(DEPTH, FLIT_W):
            want |= pairs((place, v, q, w, path, scan))
    done: list[tuple[Any, ...]] = []
    for place, v, path, scan in base:
        # The q and FLIT_W that cover most of what is missing; deep queues with many channels last.
        q, w = max(itertools.product(DEPTH, FLIT_W),
                   key=lambda x: (len(pairs((place, v, *x, path, scan)) & want), -x[0] * v))
        want -= pairs((place, v, q, w, path, scan))
        done.append((place, v, q, w, path, scan))
    return done, len(want)


HIGH = {"levels": tuple(range(4, 11)), "level": tuple(range(1, 11)), "flit_w": (32, 40, 48, 55, 63, 64), "vcs": (1, 2, 4),
        "depth": (1, 2, 3, 16), "path": tuple(PATH), "scan": tuple(SCAN)}
WITH_PORT = ("levels", "level", "root", "path", "scan", "vcs", "flit_w")


WHOLE: cover.Values = {**cover.RANGES, "depth": tuple(sorted(DEPTH)), "flit_w": tuple(sorted({*FLIT_W, 40, 55, 63}))}
FULL = " full"


def met(row: dict[str, Any]) -> set[tuple[str, Any, str]]:
    """What a switch of a high network adds: a value with its kind of port."""
    full = cover.derived(row)
    return {(name, full[name], full["port"]) for name in WITH_PORT} | {("depth", full["depth"], "")}


@functools.cache
def wanted() -> frozenset[tuple[str, Any, str]]:
    """All of it that some switch can have."""
    found = set()
    for levels, level, path, scan, vcs, depth in itertools.product(*(HIGH[k] for k in ("levels", "level", "path", "scan", "vcs",
                                                                                       "depth"))):
        row = {"vcs": vcs, "depth": depth, "path": path, "scan": scan, "level": level, "levels": levels}
        for flit_w in HIGH["flit_w"]:
            if cover.possible({**row, "flit_w": flit_w}):
                found |= met({**row, "flit_w": flit_w})
    return frozenset(found)


@functools.cache
def high() -> list[dict[str, Any]]:
    """Switches that meet all of wanted(): each the one of many drawn that meets most of what is missing."""
    missing, rng, done = set(wanted()), random.Random(1), []
    while missing:
        kind = min(missing, key=str)[2]
        best: dict = {}
        most = 0
        while not best:
            for _ in range(4000):
                row = {name: rng.choice(values) for name, values in HIGH.items()}
                if kind == "one":
                    row.update(vcs=1, depth=2)
                elif kind == "pair":
                    row.update(vcs=2, depth=2, path="rp", scan=rng.choice(("rr", "fo", "rot")))
                new = len(met(row) & missing) if cover.possible(row) else 0
                if new > most:
                    best, most = row, new
        missing -= met(best)
        done.append(best)
    return done


def lacks(lines: Sequence[str]) -> list[str]:
    """What of wanted() and of the covering design no line of a matrix meets."""
    missing = set(wanted())
    for row in high():
        if cover.shape(row) in lines:
            missing -= met(row)
    pairs_missing = cover.lacks(WHOLE, (cover.row_of(line.removesuffix(FULL)) for line in lines if line[:1] == "s"))
    return sorted([" ".join(map(str, some)).strip() for some in missing] +
                  [" ".join(str(cover.NAMES[x] if k % 2 == 0 else x) for k, x in enumerate(some)) for some in pairs_missing])


def kept() -> list[str]:
    """RW: each scan at each level and with each V, once with V = 1 and q = 2; every q and FLIT_W.  The shapes are such that no
    pattern of sim/reference.txt runs them again: they are of the reference switch by themselves."""
    places = [(1, 2, 4), (4, 1, 2), (1, 4, 2)]  # V at levels 1, 2, 3
    depths, widths = itertools.cycle(DEPTH[1:]), itertools.cycle(sorted(FLIT_W))
    lines = []
    for s, scan in enumerate(SCAN):
        for place, v in zip(PLACE, places[s % 3]):
            q, w = (2, 32 if place == "1of3" else 33) if v == 1 else (next(depths), next(widths))
            lines.append(f"s{place}-v{v}-q{q}-w{w}-rw-{scan}")
    return lines + ["s5of9-v2-q2-w64-rw-fcfs"]


def text() -> str:
    done, missing = rows()
    assert missing == 0, missing
    lines = ["# One switch a line, made by scripts/sim/matrix.py: every triple path x scan x level and",
             "# path x scan x V, every pair of q or FLIT_W with anything, V = 1, q = 2 with all scans; then 4 to 10 levels; full: make cosim-full."]
    # The plain switch with every path and scan: V = 1, q = 2 is what most people build.
    plain = [("2of3", 1, 2, 32, p, s) for p, s in itertools.product(PATH, SCAN)]
    # One and two channels under RP have ports of their own (rtl/fast/port_one.v, port_pair.v).
    plain += [(place, v, 2, 32, "rp", s)
              for v, place, s in itertools.product([1, 2], PLACE, ["rr", "fo", "rot"])]
    lines += ["s%s-v%d-q%d-w%d-%s-%s" % row
              for row in [("1of3", 1, 2, 32, "rp", "rr")] + plain + done]
    lines += map(cover.shape, high())
    lines += kept()
    lines = list(dict.fromkeys(lines))
    lines += [cover.shape(row) + FULL for row in cover.design(WHOLE, map(cover.row_of, lines[2:]))]
    # What chooses an implementation together: of four channels one path and one scan are fast, and q = 2 has queues of its own.
    lines += ["s1of3-v4-q2-w32-rp-rr"]
    return "\n".join(dict.fromkeys(lines)) + "\n"


if __name__ == "__main__":
    file = pathlib.Path(__file__).resolve().parents[2] / "sim" / "matrix.txt"
    if sys.argv[1:] == ["--missing"]:
        missing = lacks(file.read_text().splitlines())
        if missing:
            sys.exit("matrix.py: sim/matrix.txt lacks " + ", ".join(missing))
    elif sys.argv[1:] == ["--check"]:
        if file.read_text() != text():
            sys.exit("matrix.py: sim/matrix.txt is not what this script writes")
    else:
        file.write_text(text())
