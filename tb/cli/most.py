#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""most.py - what files, lists and tables may be at most: at its limit a thing is taken, and one more is refused in one line that
names the limit.  A limit that is half of what it was refuses what is allowed, and one that nobody minds loses the rest in silence.

usage: most.py [TEXT] [FATFLY]    TEXT: only limits with it in their names; FATFLY: default $BUILD/fatfly
Ends with `N passed, N failed`; exit codes: 0 all passed, 1 not all, 4 no program.
"""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple


class Limit(NamedTuple):
    name: str
    most: int
    command: Callable[[int], str]            # with a thing of that size; files are in the folder of the command
    files: Callable[[int], dict[str, str]]   # their names and texts
    words: str                               # of the refusal, a pattern


def nothing(_: int) -> dict[str, str]:
    return {}


def padded(text: str, size: int, with_: str = " ") -> str:
    return text + with_ * (size - len(text))


def matrix(size: int) -> dict[str, str]:
    """Lines of that many characters, with their ends."""
    return {"m.txt": "".join(padded(" ".join(str(int(b != a)) for b in range(4)), size - 1) + "\n" for a in range(4))}


def graph(size: int) -> dict[str, str]:
    return {"g.txt": padded("nodes 2\nlink 0 1\nlink 1 0\n", size, "#")}


HEADER = "config,family,lut,ff,ram,fmax_mhz,path"
DESIGN = "s{}-v{}-q{}-w{}-{}-{},ice40,1000,500,0,100,"
LEAF, ROOT = (DESIGN.format(s, 1, 2, 32, "rp", "rr") for s in ("1of3", "3of3"))


def cost_lines(size: int) -> dict[str, str]:
    return {"c.csv": "\n".join([HEADER, *(padded(row, size - 1, "x") for row in (LEAF, ROOT)), ""])}


def cost_columns(size: int) -> dict[str, str]:
    more = "".join(f",more{k}" for k in range(size - 7))
    return {"c.csv": "\n".join([HEADER + more, *(row + "," * (size - 7) for row in (LEAF, ROOT)), ""])}


def cost_rows(size: int) -> dict[str, str]:
    return {"c.csv": "\n".join([HEADER, *[LEAF] * (size - 1), ROOT, ""])}


def designs(size: int) -> dict[str, str]:
    """So many designs of one switch."""
    every = [("1of1", v, q, w, path, "fo") for v in (1, 2, 4) for q in range(1, 17) for w in range(16, 65) for path in ("rp", "fp")]
    return {"c.csv": "\n".join([HEADER, *(DESIGN.format(*design) for design in every[:size]), ""])}


def sweep(size: int) -> dict[str, str]:
    """A list of so many seeds."""
    return {"s.cfg": "nodes = 4; length = 1; runs = 1;\nseed = [" + ", ".join(map(str, range(size))) + "];\n"}


def booksim(size: int) -> dict[str, str]:
    return {"b.txt": padded("topology = mesh;\nrouting_function = dor;\nk = 4;\nn = 2;\n//", size - 1, "x") + "\n"}


def spots(size: int) -> dict[str, str]:
    where = ",".join(str(k) for k in range(size))
    return {"b.txt": "topology = mesh;\nrouting_function = dor;\nk = 9;\nn = 2;\n" f"traffic = hotspot({{{where}}},{{{','.join('1' for _ in range(size))}}});\n"}


def rates(size: int) -> dict[str, str]:
    return {"b.txt": "topology = mesh;\nrouting_function = dor;\nk = 4;\nn = 2;\n" f"traffic = hotspot({{0,5}},{{{size},1}});\n"}


def configuration(size: int) -> dict[str, str]:
    return {"r.cfg": padded("nodes = 4; length = 1; runs = 1;\n#", size - 1, "x") + "\n"}


SETTINGS = ("nodes depth vcs path scan pattern seed runs rounds delay_range discipline flit_bits lengths length_min self_traffic load arrivals burst_on "
            "burst_off warmup cycles topology radix dimensions bandwidth").split()
ESTIMATE = "estimate --cost c.csv --nodes 16 --length 2 --format csv --threads 1"
IMPORT = "import booksim b.txt --output o.cfg"
LIMITS = [
    Limit("characters of a line of a matrix", (1 << 20) - 1, lambda n: "run --nodes 4 --length 1 --runs 1 --pattern matrix --matrix m.txt", matrix,
          r"m\.txt:1: a line of 1048576 characters or more; allowed: fewer"),
    Limit("characters of a graph", 1 << 26, lambda n: "run --topology graph:g.txt --length 1 --runs 1", graph,
          r"g\.txt: more than 67108864 characters; allowed: at most 67108864"),
    Limit("characters of a line of a table of costs", 4094, lambda n: ESTIMATE, cost_lines, r"c\.csv:2: a line of 4095 characters or more; allowed: fewer"),
    Limit("columns of a table of costs", 64, lambda n: ESTIMATE, cost_columns, r"c\.csv:1: more than 64 fields; allowed: at most 64"),
    Limit("rows of a table of costs", 100000, lambda n: ESTIMATE, cost_rows, r"c\.csv:100002: more than 100000 rows; allowed: at most 100000"),
    Limit("designs of a table of costs", 4096, lambda n: ESTIMATE.replace("16", "4"), designs, "more than 4096 designs of ice40 in c.csv"),
    Limit("characters of a file of BookSim2", 65536, lambda n: IMPORT, booksim, r"b\.txt: more than 65536 characters; allowed: at most 65536"),
    Limit("hot spots of BookSim2", 64, lambda n: IMPORT, spots, "at most 64 nodes of 0 to 80"),
    Limit("rates of hot spots of BookSim2", 1000000, lambda n: IMPORT, rates, "rates of 1 to 1000000"),
    Limit("characters of a configuration", 65536, lambda n: "run --config r.cfg", configuration, r"r\.cfg: more than 65536 characters; allowed: at most 65536"),
    Limit("loads of a model", 10000, lambda n: f"model --nodes 4 --loads 0.001:0.02:{n}", nothing, "10000"),
    Limit("shares of a sweep", 100000, lambda n: f"sweep s.cfg --dry-run --task 1/{n}", lambda n: sweep(3), "100000"),
    Limit("threads of a sweep", 256, lambda n: f"sweep s.cfg --dry-run --threads {n}", lambda n: sweep(3), "1 to 256"),
    Limit("points of a plot", 5000, lambda n: "plot s.sqlite --x seed --output p.svg", sweep, "5001 points; allowed: at most 5000"),
    Limit("curves of a plot", 24, lambda n: "plot s.sqlite --series seed --x length --output p.svg", sweep, "more than 24 curves"),
    Limit("names of a series", 24, lambda n: "plot s.sqlite --x length --output p.svg --series " + ",".join(SETTINGS[:n]), lambda n: sweep(3), "more than 24 names"),
    Limit("conditions of an export", 256, lambda n: "export s.sqlite" + " --where nodes=4" * n, lambda n: sweep(3), "--where nodes=4; allowed: at most 256 times"),
    Limit("channels of waves", 64, lambda n: f"run --topology torus --radix 3 --dimensions 1 --length 1 --runs 1 --vcs {n} --waves w.vcd", nothing,
          "65 channels of a link; allowed: at most 64"),
]


def run(fatfly: str, words: str, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run([fatfly, *words.split()], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([fatfly], 124, "", "not done after 300 s")


def tried(fatfly: str, limit: Limit, size: int, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    for name, text in limit.files(size).items():
        (folder / name).write_text(text, encoding="ascii")
    command = limit.command(size)
    if "s.sqlite" in command:
        run(fatfly, "sweep s.cfg --db s.sqlite --threads 1", folder)
    return run(fatfly, command, folder)


def main() -> int:
    words = sys.argv[1:]
    fatfly = os.path.abspath(next((w for w in words if "/" in w), os.environ.get("BUILD", "build") + "/fatfly"))
    text = next((w for w in words if "/" not in w), "")
    if not os.access(fatfly, os.X_OK):
        print(f"most.py: {fatfly}: no program; allowed: after make build/fatfly", file=sys.stderr)
        return 4
    passed = failed = 0
    for limit in LIMITS:
        if text not in limit.name:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for size, good, what in ((limit.most, True, "are taken"), (limit.most + 1, False, "are refused")):
                done = tried(fatfly, limit, size, folder)
                if good:
                    right = done.returncode == 0
                else:
                    right = done.returncode in (2, 3) and done.stderr.count("\n") == 1 and bool(re.search(limit.words, done.stderr))
                passed, failed = passed + right, failed + (not right)
                print(f"{'PASS' if right else 'FAIL'} {limit.name}: {size} {what}" + ("" if right else f": exit code {done.returncode}: {done.stderr[:300]}"))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
