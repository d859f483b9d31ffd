#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# matrix.py - writes sim/matrix.txt: which switches the co-simulation covers.
#
# Every triple path x scan x level and path x scan x V, and every pair that q or FLIT_W forms with
# V, level, path or scan; the sizes include odd ones; V = 1, q = 2 with every path and scan.  --check says whether the file is this one.
import itertools
import pathlib
import sys

VCS = [1, 2, 4]
DEPTH = [2, 1, 3, 4, 5, 8, 16]
FLIT_W = [32, 16, 17, 24, 33, 48, 64]
PATH = ["fp", "rp", "gp", "rg"]
SCAN = ["rr", "fo", "ff", "rot", "fcfs"]
PLACE = ["1of3", "2of3", "3of3"]


def pairs(row):
    """Pairs that q and FLIT_W form with each other and with the rest of a row."""
    place, v, q, w, path, scan = row
    rest = [("v", v), ("l", place), ("p", path), ("s", scan)]
    return ({(("q", q), r) for r in rest} | {(("w", w), r) for r in rest} | {(("q", q), ("w", w))})


def rows():
    base = [(PLACE[l], VCS[(l + p + s) % 3], PATH[p], SCAN[s])
            for l, p, s in itertools.product(range(3), range(4), range(5))]
    want = set()
    for place, v, path, scan in base:
        for q, w in itertools.product(DEPTH, FLIT_W):
            want |= pairs((place, v, q, w, path, scan))
    done = []
    for place, v, path, scan in base:
        # The q and FLIT_W that cover most of what is missing; deep queues with many channels last.
        q, w = max(itertools.product(DEPTH, FLIT_W),
                   key=lambda x: (len(pairs((place, v, *x, path, scan)) & want), -x[0] * v))
        want -= pairs((place, v, q, w, path, scan))
        done.append((place, v, q, w, path, scan))
    return done, len(want)


def text():
    done, missing = rows()
    assert missing == 0, missing
    lines = ["# One switch a line, made by scripts/sim/matrix.py: every triple path x scan x level and",
             "# path x scan x V, every pair of q or FLIT_W with anything, V = 1, q = 2 with all scans."]
    # The plain switch with every path and scan: V = 1, q = 2 is what most people build.
    plain = [("2of3", 1, 2, 32, p, s) for p, s in itertools.product(PATH, SCAN)]
    # One and two channels under RP have ports of their own (rtl/fast/port_one.v, port_pair.v).
    plain += [(place, v, 2, 32, "rp", s)
              for v, place, s in itertools.product([1, 2], PLACE, ["rr", "fo", "rot"])]
    lines += ["s%s-v%d-q%d-w%d-%s-%s" % row
              for row in [("1of3", 1, 2, 32, "rp", "rr")] + plain + done]
    return "\n".join(dict.fromkeys(lines)) + "\n"


if __name__ == "__main__":
    file = pathlib.Path(__file__).resolve().parents[2] / "sim" / "matrix.txt"
    if sys.argv[1:] == ["--check"]:
        if file.read_text() != text():
            sys.exit("matrix.py: sim/matrix.txt is not what this script writes")
    else:
        file.write_text(text())
