#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""draw.py - makes the drawings in docs/img: network.svg, switch.svg, timing.svg, systemc.svg, tlm.svg, cocotb.svg,
python.svg.

usage: scripts/docs/draw.py [--check] [FOLDER]

The network is drawn from the formulas that rtl/network.v uses, the timing from the tables in
docs/timing.md, so neither can drift from its source.  --check writes nothing and fails if a
drawing in FOLDER (default docs/img) is not what this script makes.
"""

from __future__ import annotations

import os
import re
import sys
from xml.sax.saxutils import escape
from collections.abc import Iterable, Sequence

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

INK, SOFT, PALE, LINE = "#1f2933", "#66727f", "#f1f4f8", "#b6c0cb"
BLUE, ORANGE, GREEN, RED = "#1f6fb2", "#c4620a", "#2b8048", "#b3261e"
WAY = "#a9d8b8"  # the links of the example
FILL = {"A": "#cfe3f5", "B": "#fbdcc0"}  # flits by worm


class Svg:
    """A white sheet with a few shapes; coordinates are pixels."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.size = width, height
        self.out = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<!-- SPDX-License-Identifier: Apache-2.0; made by scripts/docs/draw.py, not by hand -->",
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" '
            'font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            "<defs>",
        ]
        for name, colour in (("ink", INK), ("soft", SOFT), ("green", GREEN), ("blue", BLUE),
                             ("red", RED)):
            self.out.append(
                f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
                f'markerHeight="7" orient="auto-start-reverse">'
                f'<path d="M0,0.5 L10,5 L0,9.5 z" fill="{colour}"/></marker>')
        self.out.append("</defs>")
        self.rect(0, 0, width, height, "#ffffff", None)

    def rect(self, x: float, y: float, w: float, h: float, fill: str = PALE, stroke: str | None = INK, r: float = 0, width: float = 1.2) -> None:
        edge = f' stroke="{stroke}" stroke-width="{width}"' if stroke else ""
        self.out.append(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{r}" '
                        f'fill="{fill}"{edge}/>')

    def line(self, points: Iterable[tuple[float, float]], colour: str = INK, width: float = 1.4, head: str | None = None, dash: str | None = None) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        more = f' marker-end="url(#{head})"' if head else ""
        more += f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                        f'stroke-width="{width}" stroke-linejoin="round"{more}/>')

    def dot(self, x: float, y: float, r: float = 4.5, fill: str = INK, stroke: str | None = None) -> None:
        edge = f' stroke="{stroke}" stroke-width="1.2"' if stroke else ""
        self.out.append(f'<circle cx="{x:g}" cy="{y:g}" r="{r}" fill="{fill}"{edge}/>')

    def text(self, x: float, y: float, words: str, size: float = 13, colour: str = INK, anchor: str = "middle", bold: bool = False, mono: bool = False) -> None:
        more = ' font-weight="bold"' if bold else ""
        more += ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"' if mono else ""
        self.out.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" '
                        f'text-anchor="{anchor}"{more}>{escape(words)}</text>')

    def box(self, x: float, y: float, w: float, h: float, words: str, note: str | None = None, fill: str = PALE, stroke: str = INK) -> None:
        self.rect(x, y, w, h, fill, stroke, 4)
        middle = y + h / 2 + 4.5
        self.text(x + w / 2, middle - (7 if note else 0), words, bold=True)
        if note:
            self.text(x + w / 2, middle + 9, note, 11, SOFT)

    def done(self) -> str:
        return "\n".join(self.out + ["</svg>", ""])


def parent(level: int, a: int, which: int) -> tuple[int, int]:
    """Address at level + 1 of parent 0 or 1 of S(level, a), and the child that it meets there."""
    width = 1 << level
    above = a // (2 * width) * width + (a + which * width // 2) % width
    return above, a % (2 * width) // (width // 2)


def turns_at(src: int, dst: int) -> int:
    level = 1
    while src >> 2 * level != dst >> 2 * level:
        level += 1
    return level


def network() -> str:
    levels, n = 2, 16
    src, dst = 1, 14
    g = Svg(1020, 490, "The butterfly fat-tree of 16 processors")
    g.text(24, 34, "The butterfly fat-tree, N = 16", 18, anchor="start", bold=True)
    for x, colour, words in ((24, BLUE, "parent 0 (port 4)"), (180, ORANGE, "parent 1 (port 5)")):
        g.line([(x, 56), (x + 26, 56)], colour, 2.4)
        g.text(x + 32, 60, words, 12, anchor="start")
    g.line([(336, 56), (362, 56)], WAY, 9)
    g.text(368, 60, f"the shortest paths from {src} to {dst}: height "
           f"{turns_at(src, dst)}, {2 * turns_at(src, dst)} links, two ways up", 12, anchor="start")

    pitch, left = 54, 148
    top = {1: 276, 2: 92}  # upper edge of the boxes of a level
    high, wide = 58, 172
    floor = 402             # upper edge of the processors

    def processor_x(a: int) -> float:
        return left + pitch * a

    def switch_x(level: int, a: int) -> float:
        count = n >> (level + 1)
        return processor_x(0) - pitch / 2 + pitch * n * (a + 0.5) / count

    def port(level: int, a: int, p: int) -> tuple[float, float]:
        if p < 4:
            return switch_x(level, a) + (p - 1.5) * 40, top[level] + high
        return switch_x(level, a) + (p - 4.5) * 76, top[level]

    # Links of the example, drawn wide under the others: every switch of its height may be crossed.
    marked = []
    for which in range(2):
        above, child = parent(1, src // 4, which)
        marked.append((port(1, src // 4, 4 + which), port(2, above, child)))
        for back in range(2):
            if parent(1, dst // 4, back)[0] == above:
                marked.append((port(1, dst // 4, 4 + back),
                               port(2, above, parent(1, dst // 4, back)[1])))
    for a in (src, dst):
        marked.append((port(1, a // 4, a % 4), (processor_x(a), floor)))
    for link in marked:
        g.line(link, WAY, 9)

    for level in range(1, levels):
        for a in range(n >> (level + 1)):
            for which in range(2):
                above, child = parent(level, a, which)
                g.line([port(level, a, 4 + which), port(level + 1, above, child)],
                       (BLUE, ORANGE)[which], 2.2)
    for a in range(n):
        g.line([port(1, a // 4, a % 4), (processor_x(a), floor)], INK, 1.4)

    for level in range(1, levels + 1):
        for a in range(n >> (level + 1)):
            middle = switch_x(level, a)
            g.rect(middle - wide / 2, top[level], wide, high, PALE, INK, 5)
            g.text(middle, top[level] + 34, f"S({level}, {a})", 14, bold=True)
            for p in range(6 if level < levels else 4):
                px, py = port(level, a, p)
                g.rect(px - 9, py - 8, 18, 16, "#ffffff", INK, 3, 1)
                g.text(px, py + 4, str(p), 11)
        g.text(24, top[level] + 26, f"level {level}", 13, anchor="start", bold=True)
        if level == levels:
            g.text(24, top[level] + 43, "(root)", 12, SOFT, "start")
    for a in range(n):
        g.rect(processor_x(a) - 20, floor, 40, 26, "#cfe9d8" if a in (src, dst) else "#ffffff",
               INK, 4)
        g.text(processor_x(a), floor + 18, str(a), 13, bold=a in (src, dst))
        g.text(processor_x(a), floor + 43, f"{a // 4}{a % 4}", 11, SOFT, mono=True)
    g.text(24, floor + 18, "processors", 13, anchor="start", bold=True)
    g.text(24, floor + 43, "base 4", 11, SOFT, "start")
    g.text(24, 474, "Going down, the digit of the destination for a level is the child to take "
           "there. Every line is a pair of opposite links of one flit per cycle.", 12, SOFT, "start")
    return g.done()


def switch() -> str:
    g = Svg(1060, 690, "The butterfly fat-tree switch")
    names = ["child 0", "child 1", "child 2", "child 3", "parent 0", "parent 1"]
    row = [196 + 56 * i for i in range(6)]
    col = [668 + 54 * o for o in range(6)]
    g.text(24, 34, "The switch", 18, anchor="start", bold=True)
    g.text(152, 34, "one cycle a hop; registers end in _q", 13, SOFT, "start")

    # Control, above the data path.
    g.box(258, 64, 100, 50, "lfsr", "lfsr_q")
    g.box(418, 64, 156, 50, "scan", "start_q rot_q older_q", fill=PALE)
    g.box(col[0] - 34, 64, col[5] - col[0] + 68, 50, "arbiter", "at most one grant an input and an output")
    g.line([(358, 89), (418, 89)], SOFT, head="soft")
    g.text(387, 82, "start", 11, SOFT)
    g.line([(574, 89), (col[0] - 34, 89)], INK, head="ink")
    g.text(602, 82, "order", 11, SOFT)
    g.line([(308, 114), (308, row[0] - 19)], SOFT, head="soft")
    g.text(316, 140, "way up, a bit a child (RG: to the arbiter)", 11, SOFT, "start")

    # Requests climb on one bus to the arbiter.
    bus = 604
    g.line([(bus, row[5] - 8), (bus, 106), (col[0] - 34, 106)], BLUE, 2.2, "blue")
    g.text(bus - 8, 166, "req", 12, BLUE, "end", mono=True)
    g.line([(col[5] + 34, 89), (col[5] + 62, 89), (col[5] + 62, row[0] - 26), (col[5] + 16, row[0] - 26)],
           RED, 2.2, "red")
    g.text(col[5] + 68, 140, "gnt", 12, RED, "start", mono=True)

    for i, y in enumerate(row):
        g.text(24, y - 6, names[i], 12, anchor="start", bold=True)
        g.text(24, y + 10, f"port {i}", 11, SOFT, "start")
        g.line([(82, y), (128, y)], INK, head="ink")
        for k in (2, 1):  # V queues, one behind the other
            g.rect(130 + 4 * k, y - 16 - 3 * k, 96, 32, "#ffffff", LINE, 3)
        g.rect(130, y - 16, 96, 32, "#ffffff", INK, 3)
        for k in range(1, 4):
            g.line([(130 + 24 * k, y - 16), (130 + 24 * k, y + 16)], LINE if k < 3 else INK, 1)
        g.rect(202, y - 16, 24, 32, "#cfe3f5", INK, 3)
        g.line([(238, y), (270, y)], INK, head="ink")
        g.box(272, y - 19, 72, 38, "route", "hold_q")
        g.line([(344, y), (388, y)], INK, head="ink")
        g.box(390, y - 19, 72, 38, "offer", "next_q")
        g.line([(462, y), (col[5] + 16, y)], INK, 1.6)
        g.line([(462, y - 8), (bus, y - 8)], BLUE, 1.4)
        g.dot(bus, y - 8, 3, BLUE)
    g.text(182, row[0] - 48, "queues: V of q flits", 12, anchor="middle")
    g.text(182, row[0] - 33, "front_q is the last cell", 11, SOFT)
    g.text(534, row[0] + 17, "flit", 11, SOFT)

    # Crossbar.
    for o, x in enumerate(col):
        g.line([(x, row[0] - 26), (x, 534)], INK, 1.6)
    g.rect(col[0] - 30, row[0] - 34, col[5] - col[0] + 60, row[5] - row[0] + 60, "none", LINE, 6)
    points = [(x, y) for i, y in enumerate(row) for o, x in enumerate(col) if i != o and (i < 4 or o < 4)]
    for x, y in points:
        g.dot(x, y, 5.5, INK)
    assert len(points) == 28
    g.text((col[0] + col[5]) / 2, row[0] - 44, f"crossbar: the {len(points)} crosspoints of shortest paths",
           12)

    for o, x in enumerate(col):
        g.rect(x - 24, 534, 48, 34, PALE, INK, 4)
        g.text(x, 555, "busy_q", 11, bold=True)
        g.line([(x, 568), (x, 612)], INK, head="ink")
        g.text(x, 630, names[o].split()[0], 12, bold=True)
        g.text(x, 645, names[o].split()[1], 12, bold=True)
        g.text(x, 661, f"port {o}", 11, SOFT)
    # What a request may count on, back to the offers.
    g.line([(col[0] - 24, 551), (426, 551), (426, row[5] + 21)], GREEN, 2.2, "green")
    g.text(438, 544, "free: room and not busy_q", 12, GREEN, "start")
    g.line([(col[0] - 60, 600), (col[0] - 60, 551)], GREEN, 1.6)
    g.dot(col[0] - 60, 551, 3, GREEN)
    g.line([(col[5] + 24, 600), (col[0] - 60, 600)], GREEN, 1.6)
    g.text(col[0] - 68, 604, "room of the far queues", 12, GREEN, "end")
    g.line([(178, row[5] + 18), (178, 551), (82, 551)], GREEN, 1.6, "green")
    g.text(130, 570, "room, back to the sender", 12, GREEN)
    g.text(24, 672, "At the root ports 4 and 5 are absent and 12 crosspoints remain.", 12, SOFT,
           "start")
    return g.done()


def tables() -> dict[str, list[list[str]]]:
    """The timing tables of docs/timing.md: name -> rows of cells."""
    with open(os.path.join(ROOT, "docs", "timing.md"), encoding="utf-8") as f:
        text = f.read()
    found = {}
    for name, body in re.findall(r"<!-- timing (\S+) -->\n((?:\|.*\n)+)", text):
        rows = [[c.strip().replace("`", "") for c in line.strip()[1:-1].split("|")]
                for line in body.splitlines()]
        found[name] = [rows[0]] + rows[2:]
    return found


def timing() -> str:
    found = tables()
    shown = (("q2", "One worm of 4 flits, q = 2: a flit every cycle"),
             ("q1", "The same, q = 1: room is seen a cycle late, so every second cycle"),
             ("one-output", "Two worms for output 1, V = 1: no cycle is lost between them"),
             ("v2-output", "The same, V = 2: the worms share the link (B0/1: flit B0 on channel 1)"))
    cell, label, step = 52, 176, 26
    rows = sum(len(found[name]) + 1.9 for name, _ in shown)
    cycles = max(len(found[name][0]) - 1 for name, _ in shown)
    g = Svg(label + cell * cycles + 48, round(rows * step + 20), "Flits per port per cycle")
    y = 36
    for name, title in shown:
        table = found[name]
        g.text(24, y, title, 14, anchor="start", bold=True)
        y += 14
        for r, cells in enumerate(table):
            g.text(24, y + 18, cells[0], 12, SOFT if r == 0 else INK, "start")
            for t, what in enumerate(cells[1:]):
                x = label + cell * t
                if r == 0:
                    g.text(x + cell / 2, y + 18, what, 12, SOFT)
                    continue
                flits = what.split()
                g.rect(x, y, cell, step, "#ffffff", LINE, 0, 0.8)
                for k, flit in enumerate(flits):
                    fill = FILL.get(flit[0])
                    wide = (cell - 4) / len(flits)
                    if fill:
                        g.rect(x + 2 + wide * k, y + 2, wide, step - 4, fill, None, 3)
                    g.text(x + 2 + wide * (k + 0.5), y + 18, flit, 11, INK if fill else SOFT)
            y += step
        y += round(1.9 * step) - 14
    return g.done()


def systemc() -> str:
    g = Svg(900, 292, "The test of the SystemC modules")
    g.text(24, 34, "One SystemC simulation, both sides", 18, anchor="start", bold=True)
    g.box(24, 120, 170, 74, "worms of a case", "directed, random", stroke=BLUE)
    g.box(362, 62, 200, 74, "fat_switch<>", "C model, sim/systemc", stroke=GREEN)
    g.box(362, 184, 200, 74, "Vswitch", "verilator --sc rtl/switch.v", stroke=ORANGE)
    g.box(716, 120, 160, 74, "the same?", "every pin, every cycle")
    for y in (99, 221):
        g.line([(194, 157), (278, 157), (278, y), (362, y)], INK, 1.6, "ink")
        g.line([(562, y), (640, y), (640, 157), (716, 157)], INK, 1.6, "ink")
        g.text(600, y - 8, "*_o", 12, mono=True)
    g.text(236, 149, "*_i", 12, mono=True)
    g.text(24, 276, "clk_i, rst_i, seed_i, in_valid_i, in_flit_i, out_room_i go to both; "
           "in_room_o, out_valid_o, out_flit_o, probe_o come from each.", 11, SOFT, "start")
    return g.done()


def tlm() -> str:
    """The network of docs/tlm.md between two processors of a platform."""
    g = Svg(900, 250, "A write of processor 0 to processor 5")
    g.text(24, 34, "A write of processor 0 to processor 5", 18, anchor="start", bold=True)
    g.box(24, 78, 150, 74, "processor 0", "an initiator", stroke=BLUE)
    g.box(316, 62, 268, 106, "tlm_network", "a session of libfatfly", stroke=GREEN)
    g.box(726, 78, 150, 74, "processor 5", "its target", stroke=ORANGE)
    g.line([(174, 115), (316, 115)], head="ink")
    g.line([(584, 115), (726, 115)], head="ink")
    g.text(245, 104, "from_processor[0]", 11, mono=True)
    g.text(655, 104, "to_processor[5]", 11, mono=True)
    g.text(245, 134, "5 * window + 64", 11, SOFT, mono=True)
    g.text(655, 134, "64", 11, SOFT, mono=True)
    for k in range(9):
        g.rect(370 + 18 * k, 186, 14, 14, BLUE if k == 8 else FILL["A"])
    g.text(450, 222, "header + data / flit_bits flits; the head first", 11, SOFT)
    g.text(24, 196, "call: the worm is ready", 11, SOFT, "start")
    g.text(876, 196, "tail there: the target is called", 11, SOFT, "end")
    return g.done()


def cocotb() -> str:
    """The example of docs/cocotb.md: what is on both sides of the switch, and who looks on."""
    svg = Svg(760, 236, "A source and a sink on each lane of the switch; two scoreboards look on")
    svg.box(20, 70, 150, 54, "sources", "cocotbext-axi, a lane each")
    svg.box(290, 60, 180, 74, "fatfly_switch_lanes", "Verilog, in a simulator", FILL["A"])
    svg.box(590, 70, 150, 54, "sinks", "cocotbext-axi, a lane each")
    svg.box(290, 172, 180, 50, "fatfly.Switch", "the C model, from Python", FILL["B"])
    svg.line([(170, 97), (290, 97)], head="ink")
    svg.line([(470, 97), (590, 97)], head="ink")
    svg.text(230, 88, "s_axis_p0_c0", 11, mono=True)
    svg.text(530, 88, "m_axis_p0_c0", 11, mono=True)
    svg.line([(230, 97), (230, 197), (290, 197)], BLUE, head="blue", dash="4 3")
    svg.line([(470, 197), (530, 197), (530, 97)], BLUE, head="blue", dash="4 3")
    svg.text(540, 172, "the same TVALID, TDATA, TLAST,", 11, BLUE, "start")
    svg.text(540, 188, "TREADY in every cycle?", 11, BLUE, "start")
    svg.line([(95, 70), (95, 30), (665, 30), (665, 70)], GREEN, head="green", dash="4 3")
    svg.text(380, 22, "every packet once, whole, by an output that its head allows?", 11, GREEN)
    return svg.done()


def python() -> str:
    """What goes into the Python package, and what comes back (docs/python.md)."""
    svg = Svg(860, 250, "The package calls the library; results come back as arrays and frames")
    svg.box(20, 60, 160, 60, "your program", "or the notebook", stroke=BLUE)
    svg.box(340, 60, 180, 60, "fatfly", "cffi; the GIL is released", stroke=GREEN)
    svg.box(680, 60, 160, 60, "libfatfly", "the C model, compiled in", stroke=ORANGE)
    svg.line([(180, 78), (340, 78)], head="ink")
    svg.line([(520, 78), (680, 78)], head="ink")
    svg.line([(680, 104), (520, 104)], head="ink")
    svg.text(260, 70, "nodes=64, load=0.1", 11, mono=True)
    svg.text(600, 70, "fatfly_config", 11, mono=True)
    svg.text(600, 120, "fatfly_result", 11, mono=True)
    svg.line([(340, 104), (180, 104)], head="ink")
    svg.text(260, 120, "Result", 11, mono=True)
    for k, (what, how) in enumerate((("run(), runs()", "Result: histogram, levels"), ("sweep()", "a frame, a row a run"),
                                     ("Session", "worms, queues, registers"), ("wrong settings", "ValueError, the command's words"))):
        x = 20 + 208 * k
        svg.rect(x, 166, 196, 52, "#ffffff", LINE, 4)
        svg.text(x + 98, 188, what, 12, bold=True)
        svg.text(x + 98, 206, how, 11, SOFT)
    svg.text(20, 240, "The digest of a result is the one that the command prints for the same settings.", 11, SOFT, "start")
    return svg.done()


def main(argv: Sequence[str]) -> int:
    check = "--check" in argv
    rest = [a for a in argv if a != "--check"]
    if len(rest) > 1 or any(a.startswith("-") for a in rest):
        print("usage: scripts/docs/draw.py [--check] [FOLDER]", file=sys.stderr)
        return 2
    folder = rest[0] if rest else os.path.join(ROOT, "docs", "img")
    stale = 0
    for name, make in (("network", network), ("switch", switch), ("timing", timing), ("systemc", systemc),
                       ("tlm", tlm), ("cocotb", cocotb), ("python", python)):
        path = os.path.join(folder, name + ".svg")
        svg = make()
        if not check:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(svg)
            continue
        try:
            with open(path, encoding="utf-8") as f:
                same = f.read() == svg
        except FileNotFoundError:
            same = False
        if not same:
            print(f"{os.path.relpath(path)}: out of date; run scripts/docs/draw.py", file=sys.stderr)
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
