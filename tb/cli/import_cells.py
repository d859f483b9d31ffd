#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""import_cells.py - every cell of the matrices that `fatfly import booksim` writes, computed a second time.

usage: tb/cli/import_cells.py FATFLY

What BookSim2 does for a packet of a source is written here once more: how many of its draws lead to each destination.  In a row of
a matrix the weights must be as these numbers, and all rows have the same sum.  A line on stderr for each matrix that is another.
Exit codes: 0 all are right, 1 some are wrong, 2 usage.
"""
from __future__ import annotations

import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHAPES = [("mesh", 8, 1), ("torus", 5, 1), ("mesh", 2, 2), ("mesh", 3, 2), ("torus", 4, 2), ("mesh", 7, 2), ("torus", 3, 3), ("mesh", 16, 2)]
OF_64 = [("mesh", 64, 1), ("mesh", 8, 2), ("torus", 8, 2), ("torus", 4, 3), ("mesh", 4, 3)]
LONGEST = 999  # characters of a value that the import takes
Row = list[int]  # how many of equally likely draws lead to each node


def hotspot(nodes: int, spots: list[int], rates: list[int]) -> Callable[[int], Row]:
    """A hot spot for every packet, as often as its rate says; the last rate stands for those that are not said, 1 if none is."""
    filled = (rates + [rates[-1] if rates else 1] * len(spots))[:len(spots)]
    row = [sum(rate for at, rate in zip(spots, filled) if at == node) for node in range(nodes)]
    return lambda source: row


def taper64(source: int) -> Row:
    """One of two packets goes to any of the 64 nodes, one to the source, moved by -1, 0 or 1 and by -8, 0 or 8, modulo 64."""
    row = [9] * 64  # of 2 * 9 * 64 draws
    for down in (-1, 0, 1):
        for along in (-1, 0, 1):
            row[(source + 8 * down + along) % 64] += 64
    return row


def spelled(numbers: list[int], rng: random.Random) -> str:
    """A list as BookSim2 takes it: one number may be without braces, and there may be spaces."""
    if len(numbers) == 1 and rng.random() < 0.5:
        return str(numbers[0])
    return "{" + rng.choice([",", ", "]).join(str(number) for number in numbers) + "}"


Case = tuple[str, int, int, str, Callable[[int], Row]]


def cases() -> Iterator[Case]:
    """Topology, k, n, traffic, and what a row must be."""
    for shape in OF_64:
        yield *shape, "taper64", taper64
    rng = random.Random(1)
    for topology, k, n in SHAPES:
        nodes = k ** n
        for count in sorted({1, 2, 3, min(nodes, 9), min(nodes, 64)}):
            # Without rates, with fewer than hot spots, with as many, and with more.
            for rates in sorted({0, 1, count - 1, count, min(count + 1, 64)}):
                at = [rng.randrange(nodes) for _ in range(count)] if rates % 2 else rng.sample(range(nodes), count)
                rate = [rng.choice([rng.randint(1, 9), rng.randint(1, 1000000)]) for _ in range(rates)]
                words = [spelled(numbers, rng) for numbers in (at, rate) if numbers]
                traffic = f"hotspot({rng.choice([',', ', ']).join(words)})"
                if len(traffic) <= LONGEST:
                    yield topology, k, n, traffic, hotspot(nodes, at, rate)


def fault(text: str, nodes: int, right: Callable[[int], Row]) -> str:
    """What is wrong with a matrix, or nothing."""
    rows = [[int(word) for word in line.split()] for line in text.splitlines() if not line.startswith("#")]
    if [len(row) for row in rows] != [nodes] * nodes:
        return f"not {nodes} rows of {nodes} weights"
    for source, row in enumerate(rows):
        draws = right(source)
        of, all_draws = sum(row), sum(draws)
        if of != sum(rows[0]) or not of:
            return f"the weights of row {source} are {of} in all, those of row 0 {sum(rows[0])}"
        for node, (weight, count) in enumerate(zip(row, draws)):
            if weight * all_draws != count * of:
                return f"from {source} to {node}: a weight of {weight} of {of}; right are {count} of {all_draws}"
    return ""


def imported(fatfly: str, folder: pathlib.Path, case: Case) -> tuple[str, str]:
    """The matrix that the import writes, or nothing, and why."""
    topology, k, n, traffic, _ = case
    routing = "dor" if topology == "mesh" else "dim_order"
    (folder / "m.matrix").unlink(missing_ok=True)
    (folder / "b").write_text(f"topology = {topology};\nrouting_function = {routing};\nk = {k};\nn = {n};\nnum_vcs = 4;\n"
                              f"injection_rate = 0.01;\ntraffic = {traffic};\n")
    done = subprocess.run([fatfly, "import", "booksim", folder / "b", "--output", folder / "m"], capture_output=True, text=True, check=False,
                          timeout=60)
    if done.returncode or not (folder / "m.matrix").exists():
        return "", f"exit code {done.returncode}: {done.stderr.strip()}"
    return (folder / "m.matrix").read_text(), ""


def page() -> set[str]:
    """The patterns of which docs/from-booksim.md says that they become a matrix."""
    row = re.search(r"((?:`[^`;]+`, )*`[^`;]+`): a `matrix`", (ROOT / "docs/from-booksim.md").read_text())
    return set(re.findall(r"`(\w+)", row[1])) if row else set()


def main(words: list[str]) -> int:
    if len(words) != 1:
        print("usage: tb/cli/import_cells.py FATFLY", file=sys.stderr)
        return 2
    every = list(cases())
    wrong = [f"docs/from-booksim.md has a matrix for {name}, which is not computed here" for name in
             sorted(page() ^ {traffic.split("(")[0] for _, _, _, traffic, _ in every})]
    with tempfile.TemporaryDirectory() as folder:
        for case in every:
            topology, k, n, traffic, right = case
            text, why = imported(words[0], pathlib.Path(folder), case)
            why = why or fault(text, k ** n, right)
            # The comparison sees a weight that is one more, wherever it is, and rows that have changed places.
            if not why:
                lines = text.splitlines()
                row = lines[-1].split()
                row[k ** n // 3] = str(int(row[k ** n // 3]) + 1)
                if not fault("\n".join([*lines[:-1], " ".join(row)]), k ** n, right):
                    why = "a weight that was damaged is not seen"
                if traffic == "taper64" and not fault("\n".join([*lines[:-2], lines[-1], lines[-2]]), k ** n, right):
                    why = "two rows that changed places are not seen"
            if why:
                wrong.append(f"{topology} of {k}^{n}, traffic = {traffic}: {why}")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    print(f"{len(every)} matrices, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
