# SPDX-License-Identifier: Apache-2.0
"""paper_page.py - what the chapters share: the page that is written, sizes, names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from paper_tools import Panel, Sweep, Value, draw, show

SIZES = [16, 64, 256, 1024, 4096]
EXACT = "many-to-1"

# GO table I, flit-steps, N = 16 .. 4096.
TABLE_1 = {
    ("store", "random"): [269, 534, 944, 1677, 3031],
    ("store", "complement"): [198, 442, 829, 1565, 2896],
    ("store", EXACT): [544, 2144, 8352, 32992, 131360],
    ("worm", "random"): [125, 233, 441, 843, 1592],
    ("worm", "complement"): [68, 161, 301, 583, 1123],
    ("worm", EXACT): [258, 1028, 4102, 16392, 65546],
}
GO_RUNS = 30
# GO table II: c, latency / c.
TABLE_2 = [(3.5, 35.6), (5.6, 41.9), (10.2, 43.4), (18.6, 45.3), (34.3, 46.4)]
GO_POWER = 0.22

NAMES = {"store": "STORE", "worm": "WORM", "univ": "UNIV", "split": "SPLIT"}


class Page:
    """What is written, and what it is made from."""

    def __init__(self, folder: str, path: str, quick: bool) -> None:
        self.folder, self.path, self.quick = folder, path, quick
        self.plots = os.path.splitext(path)[0]
        self.text, self.sweeps, self.verdicts = [], {}, []
        if not quick:
            os.makedirs(self.plots, exist_ok=True)

    def sweep(self, name: str) -> Sweep:
        if name not in self.sweeps:
            self.sweeps[name] = Sweep(self.folder, name)
        return self.sweeps[name]

    def has(self, name: str) -> bool:
        return os.path.exists(os.path.join(self.folder, name + ".sqlite"))

    def add(self, *paragraphs: str) -> None:
        self.text += [p.rstrip("\n") + "\n" for p in paragraphs]

    def plot(self, name: str, what: str, panels: Sequence[Panel], height: int = 430) -> None:
        if self.quick:
            return
        draw(os.path.join(self.plots, name), panels, height)
        self.add(f"![{what}]({os.path.basename(self.plots)}/{name}.svg)")

    def judge(self, claim: str, source: str, ours: str, verdict: str) -> None:
        self.verdicts.append((claim, source, ours, verdict))


def sizes_of(sweep: Sweep, **where: Any) -> list[int]:
    return [int(n) for n in sweep.values("nodes", **where)]


def ticks(sizes: Iterable[float]) -> list[tuple[str, float]]:
    return [(f"{n}", n) for n in sizes]


POWERS = [(f"4^{{{n}}}", 4 ** n) for n in range(1, 11)]


def per_size(pairs: Iterable[tuple[Any, Value]], unit: str = " %", places: int | None = 1) -> str:
    """'N = 16: 1.0 ± 0.2 %; ...'"""
    return "; ".join(f"N = {n}: {show(v, unit, places)}" for n, v in pairs)
