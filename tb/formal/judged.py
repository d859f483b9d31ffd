#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judged.py - properties must not let wrong answers through: they judge drawn answers, right and wrong, and are compared with their words.

Usage: judged.py [NAME]...

route, pick, gather, arbiter: a right answer with one bit turned is wrong.  cube_route, wait: any answers, each bit of bad_o and
ok_o beside what its comment says, told once more here.  Runs Icarus; ends with `N passed, N failed`.
"""
from __future__ import annotations

import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

ROOT = pathlib.Path(__file__).resolve().parents[2]
Fields = Sequence[tuple[str, int]]
FP, RP, _, RG, _ = range(5)
RR, FO, FF, ROT, FCFS = range(5)


def judged(name: str, fields: Fields, body: str, outputs: Fields, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """The outputs of a text in Verilog for each row of inputs, in order; clk rises after each."""
    width = sum(w for _, w in fields)
    words = []
    for row in rows:
        word = 0
        for (_, w), value in zip(fields, row):
            word = word << w | value
        words.append(f"{word:x}")
    text = [f"module tb;\n reg [{width - 1}:0] rows [0:{len(rows) - 1}], row; reg clk; integer k;\n",
            *(f" wire [{w - 1}:0] {n};\n" for n, w in [*fields, *outputs]), f" assign {{{', '.join(n for n, _ in fields)}}} = row;\n{body}\n",
            " initial begin\n clk = 0;\n $readmemh(\"rows.hex\", rows);\n",
            f" for (k = 0; k < {len(rows)}; k = k + 1) begin row = rows[k]; #1 $display(\"{' '.join(['%h'] * len(outputs))}\", {', '.join(n for n, _ in outputs)});\n",
            " clk = 1; #1 clk = 0; end\n end\nendmodule\n"]
    with tempfile.TemporaryDirectory() as folder:
        there = pathlib.Path(folder)
        (there / "rows.hex").write_text("\n".join(words) + "\n")
        (there / f"{name}.v").write_text("".join(text))
        places = [word for place in ("tb/formal", "rtl", "rtl/fast", "rtl/cube") for word in ("-y", str(ROOT / place))]
        subprocess.run(["iverilog", "-g2005", f"-I{ROOT}/rtl", *places, "-o", "tb.vvp", f"{name}.v"], cwd=there, check=True)
        said = subprocess.run(["vvp", "-n", "tb.vvp"], cwd=there, check=True, capture_output=True, text=True).stdout
    return [[int(word.replace("x", "0"), 16) for word in line.split()] for line in said.splitlines()]


def turned(r: random.Random, width: int) -> int:
    """No bit, or one."""
    return r.choice((0, 1 << r.randrange(width)))


def alone(name: str, fields: Fields, kinds: Sequence[tuple[str, int]], rows: Sequence[Sequence[int]], wrong: Callable[[Sequence[int], int], bool]) -> str:
    """Where an answer with a bit turned counts as right, or a right one as wrong.  kinds: text with BAD and OK, width of bad; each
    with the last field as what is turned."""
    body = "\n".join(text.replace("BAD", f"bad{k}").replace("OK", f"ok{k}").replace("@", f"_{k}") for k, (text, _) in enumerate(kinds))
    outputs = [out for k, (_, width) in enumerate(kinds) for out in ((f"bad{k}", width), (f"ok{k}", 1))]
    for row, said in zip(rows, judged(name, fields, body, outputs, rows)):
        for k, (text, _) in enumerate(kinds):
            if not said[2 * k + 1] or (said[2 * k] != 0) != wrong(row, k):
                return f"{name}: {text.split('(')[1].split(')')[0]} of row {row}: bad {said[2 * k]:b}, ok {said[2 * k + 1]}"
    return ""


def route(r: random.Random) -> str:
    """Levels, paths and sides of a network of three levels; a head whose height is where the digits of its ends last differ."""
    places = [(path, level, parent) for path in range(5) for level in (1, 2, 3) for parent in (0, 1)]
    kinds = [(f"wire [3:0] c@; wire [1:0] p@, h@;\nroute #(.FLIT_W(24), .PATH({a}), .LEVEL({b}), .LEVELS(3), .PARENT({c})) d@ (head, rnd, c@, p@, h@);\n"
              f"route_props #(.FLIT_W(24), .PATH({a}), .LEVEL({b}), .LEVELS(3), .PARENT({c})) u@ (head, rnd, c@ ^ turn[3:0], p@ ^ turn[5:4], h@ ^ turn[7:6], OK, BAD, );", 3)
             for a, b, c in places]
    rows = []
    for _ in range(300):
        src, dst = r.randrange(64), r.randrange(64)
        height = next(n for n in (1, 2, 3) if src >> 2 * n == dst >> 2 * n)
        rows.append([r.randrange(1 << 10) << 14 | height << 12 | src << 6 | dst, r.randrange(2), turned(r, 8)])
    return alone("route", [("head", 24), ("rnd", 1), ("turn", 8)], kinds, rows, lambda row, k: bool(row[-1]))


def before_of(order: Sequence[int]) -> int:
    return sum((order.index(i) < order.index(j)) << i * (11 - i) // 2 + j - i - 1 for i in range(5) for j in range(i + 1, 6))


def pick(r: random.Random) -> str:
    """Total orders; also both bits of a pair of ports turned."""
    text = ("wire [35:0] a@; wire [5:0] g@;\norder o@ (before, a@); pick d@ (req, a@, g@);\nassign OK = 1;\n"
            "pick_props u@ (before, a@ ^ turn[41:6], req, g@ ^ turn[5:0], BAD, );")
    pairs = [64 << 6 * i + j | 64 << 6 * j + i for i in range(6) for j in range(i)]
    rows = [[before_of(r.sample(range(6), 6)), r.randrange(64), r.choice((turned(r, 42), r.choice(pairs)))] for _ in range(400)]
    return alone("pick", [("before", 15), ("req", 6), ("turn", 42)], [(text, 5)], rows, lambda row, k: bool(row[-1]))


def gather(r: random.Random) -> str:
    """Every code of every number of words; bits that are not read are zero."""
    for inputs, code in ((2, 0), (3, 0), (4, 0), (4, 1), (4, 2), (5, 0)):
        codes = [0, 1] if inputs == 2 else [0, *(1 << k for k in range(inputs))]
        if inputs == 4 and code < 2:
            codes = [0, 1, 3, 6, 4] if code else [0, 1, 2, 4, 7]
        for bits in (255, 90):
            text = (f"wire [7:0] w@;\ngather #(.WIDTH(8), .INPUTS({inputs}), .CODE({code}), .BITS(8'd{bits})) d@ (code, words, w@);\n"
                    f"gather_props #(.WIDTH(8), .INPUTS({inputs}), .CODE({code}), .BITS(8'd{bits})) u@ (code, words, w@ ^ turn, OK, BAD, );")
            rows = [[r.choice(codes), r.randrange(1 << 8 * inputs), turned(r, 8)] for _ in range(60)]
            if why := alone("gather", [("code", inputs), ("words", 8 * inputs), ("turn", 8)], [(text, 2)], rows, lambda row, k: bool(row[-1])):
                return why
    return ""


def arbiter(r: random.Random) -> str:
    """A grant less or more of any scan of all inputs, with one order or six."""
    kinds = [(f"wire [35:0] g@;\narbiter #(.PATH({path}), .ROOT({root}), .ORDERS({orders})) d@ (req{'r' * root}, pref, before{orders}, g@);\n"
              f"arbiter_props #(.PATH({path}), .ROOT({root}), .ORDERS({orders})) u@ (req{'r' * root}, pref, before{orders}, g@ ^ turn, 6'd0, 6'd0, 3'd0, OK, BAD, );", 7)
             for path in (FP, RP) for root in (0, 1) for orders in (1, 6)]
    rows = []
    for _ in range(24):
        req, req_root = 0, 0
        for i in range(6):
            outputs = [o for o in range(6) if o != i and (i < 4 or o < 4)]
            req |= r.choice((0, 1, 1, 1)) << 6 * i + r.choice(outputs)
            req_root |= (r.choice((0, 1, 1, 1)) << 6 * i + r.choice(outputs[:3])) * (i < 4)
        orders = [before_of(r.sample(range(6), 6)) for _ in range(6)]
        rows.append([req, req_root, r.randrange(16), orders[0], sum(b << 15 * k for k, b in enumerate(orders)), turned(r, 36)])
    fields = [("req", 36), ("reqr", 36), ("pref", 4), ("before1", 15), ("before6", 90), ("turn", 36)]
    return alone("arbiter", fields, kinds, rows, lambda row, k: bool(row[-1]))


def cube(r: random.Random) -> str:
    for k, torus, nhop, vcs in ((4, 1, 0, 2), (5, 1, 0, 3), (5, 0, 0, 1), (4, 1, 1, 3), (4, 0, 1, 9), (8, 1, 1, 5)):
        if why := cube_of(r, k, torus, nhop, vcs):
            return why
    return ""


def cube_of(r: random.Random, k: int, torus: int, nhop: int, vcs: int) -> str:
    """Nodes are pairs; links are (dimension, down)."""
    d = (k - 1).bit_length()

    def hops(a: Sequence[int], b: Sequence[int]) -> list[int]:
        return [min(abs(x - y), k - abs(x - y) if torus else k) for x, y in zip(a, b)]

    fields = [("node", 2 * d), ("next", 2 * d), ("dst", 2 * d), ("link", 1), ("chan", 4), ("by", 2), ("on", 4), ("by2", 2), ("on2", 4),
              ("want", 5), ("mask", vcs), ("want2", 5), ("mask2", vcs)]
    rows, wants = [], []
    places: list[tuple[int, ...]]
    for _ in range(1500):
        node, dst = [[r.randrange(k) for _ in (0, 1)] for _ in (0, 1)]
        if r.random() < 0.3:
            dst = [(x + r.choice((0, 0, 1, k // 2))) % k for x in node]
        (dim, down), (dim2, down2) = ((r.randrange(2), r.randrange(2)) for _ in (0, 1))
        after = list(node)
        after[dim] = (after[dim] + (-1 if down else 1)) % k
        left, left2 = hops(node, dst), hops(after, dst)
        link, chan, on, on2 = r.randrange(2), r.randrange(min(vcs + 1, 16)), r.randrange(vcs), r.randrange(vcs)
        want, want2 = ((1 << 2 * dim + down) * r.choice((0, 1, 1)) | r.randrange(32) & r.randrange(32) & r.randrange(32), r.randrange(32))
        if sum(left) == 0 and r.random() < 0.5:
            want = 16
        mask, mask2 = r.choice((0, (1 << vcs) - 1, r.randrange(1 << vcs))), r.randrange(1 << vcs)
        rows.append([node[1] << d | node[0], after[1] << d | after[0], dst[1] << d | dst[0], link, chan, 2 * dim + down, on, 2 * dim2 + down2, on2, want, mask, want2, mask2])
        leaves = want >> 2 * dim + down & 1
        takes = leaves and mask >> on & 1
        takes2 = want2 >> 2 * dim2 + down2 & 1 and mask2 >> on2 & 1
        needed = [left[0] > 0, left[1] > 0 and (nhop or left[0] == 0)]
        odd, odd2 = sum(node) % 2, sum(after) % 2
        upper = [torus and c >= vcs // 2 for c in (on, on2)]
        along = [k - 1 - at if way else at for at, way in ((node[dim], down), (after[dim2], down2))]
        places = [(on, odd), (on2, odd2)] if nhop else [(dim, upper[0], along[0]), (dim2, upper[1], along[1])]
        # Every second hop is negative, the first if it leaves an odd node; a hop to an even node was one.
        rest, rest2 = (sum(n) // 2 + (n_odd and sum(n) % 2) for n, n_odd in ((left, odd), (left2, odd2)))
        bad = [bool(want & 16) != (sum(left) == 0) or sum(left) == 0 and mask != (1 << vcs) - 1,
               leaves and (sum(left2) != sum(left) - 1 or not torus and node[dim] == (0 if down else k - 1)),
               any((want >> 2 * axis & 3) not in ((1, 2) if needed[axis] else (0,)) for axis in (0, 1)),
               leaves and torus and k % 2 == 0 and left[dim] == k // 2 and down != node[dim] % 2,
               mask == 0, takes and takes2 and not places[1] > places[0], nhop and takes and on + (not odd2) + rest2 >= vcs]
        ok = not (nhop and link and chan + (not odd) + rest >= vcs)
        wants.append([sum(bool(b) << n for n, b in enumerate(bad)), int(ok)])
    body = (f"cube_route_props #(.K({k}), .TORUS({torus}), .NHOP({nhop}), .VCS({vcs})) u (node, next, dst, link, chan, by, on, by2, on2, want, mask, want2, mask2, "
            "ok, bad, );")
    for row, said, want_ in zip(rows, judged("cube", fields, body, [("bad", 7), ("ok", 1)], rows), wants):
        if said != want_:
            return f"cube_route, k = {k}, torus {torus}, nhop {nhop}, V = {vcs}, row {row}: bad {said[0]:07b}, ok {said[1]}; by its words {want_[0]:07b}, {want_[1]}"
    return ""


class Waiting:
    """What wait_props.v says of one run of cycles, told by what has happened in it."""

    def __init__(self, path: int, scan: int, root: int, watched: int, output: int):
        self.path, self.scan, self.watched, self.output = path, scan, watched, output
        self.ports = 4 if root else 6
        self.lead = [i for i in range(self.ports) if i != output and (i < 4 or output < 4)]
        self.reset()
        self.start = 0

    def reset(self) -> None:
        self.there: set[int] = set()
        self.ahead: set[int] = set()
        self.went = self.bound = self.rot = 0
        self.here = False

    def cycle(self, rst: int, rival: int, req: Sequence[int], gnt: Sequence[int], fresh: set[int], tail: set[int], byte: int, heights: Sequence[int]) -> tuple[int, int]:
        """bad and ok."""
        me, out = self.watched, self.output
        asks = {i for i in self.lead if req[i] >> out & 1}
        gets = {i for i in range(6) if gnt[i] >> out & 1}
        granted = {i for i in range(6) if gnt[i]}
        lost = me in asks and me not in granted
        others = gets - {me}
        there = self.there | fresh
        if me in fresh:
            self.here, self.went = True, 0 if self.scan == FCFS else self.went
            self.ahead = (self.there | {i for i in fresh if i < me}) - {me}
            self.bound = len(self.ahead)
        else:
            self.ahead -= fresh
        ends = granted & tail
        bounded = self.scan == ROT and not (self.path == RG and out == 5)
        rivals = len(self.lead) - 1
        between = [i for i in self.lead if i != me and (i - self.rot) % 6 < (me - self.rot) % 6]
        first = rival != me and rival in asks and req[rival] == 1 << out and (rival < me if self.scan == FO else heights[rival] > heights[me])
        bad = [bounded and self.went > rivals, bounded and self.went > 0 and self.went + len(between) > rivals,
               self.scan == FCFS and self.here and self.went > self.bound,
               self.scan == FCFS and self.here and (lost and others - self.ahead or self.went + len(self.ahead) > self.bound),
               self.scan == RR and self.start == me and lost, self.scan in (FO, FF) and first and me in gets]
        ok = out < self.ports and me in self.lead and not fresh & self.there and not (self.scan == FCFS and {i for i in range(6) if req[i]} - there)
        # What the next cycle sees.
        if self.scan == FCFS:
            self.went = (self.went + (lost and bool(others & ends))) % 8
        else:
            self.went = min(self.went + bool(others), 7) if lost else 0
        self.there, self.ahead = there - ends, self.ahead - ends
        self.here = self.here and me not in ends
        self.start = self.ports * byte // 256
        self.rot = (max(gets) + 1) % 6 if gets else self.rot
        if rst:
            keep = self.went if self.scan == FCFS else 0
            self.there, self.here, self.rot, self.start, self.went = set(), False, 0, 0, keep
        return sum(bool(b) << n for n, b in enumerate(bad)), int(bool(ok))


def wait(r: random.Random) -> str:
    """Runs of 24 cycles, each from a reset on; who is granted is drawn, in turns of those that ask, or by chance."""
    kinds = [(path, scan, root) for path, scan in [*((RP, scan) for scan in range(5)), (RG, ROT)] for root in (0, 1)]
    fields = [("rst", 1), ("in", 3), ("out", 3), ("rival", 3), ("req", 36), ("gnt", 36), ("fresh", 6), ("tail", 6), ("byte_", 8), ("height", 12)]
    rows, wants = [], []
    for watched, output in [(i, o) for i, o in itertools.product(range(6), repeat=2) if i != o and (i < 4 or o < 4)]:
        models = [Waiting(*kind, watched, output) for kind in kinds]
        there: set[int] = set()
        turn, chance = 0, r.choice((0.05, 0.3))
        for cycle in range(24):
            fresh = {i for i in set(range(6)) - there if r.random() < 0.7}
            there |= fresh
            req = [(1 << output if r.random() < 0.9 else 1 << r.randrange(6)) * (i in there) for i in range(6)]
            asks = [i for i in range(6) if req[i] >> output & 1 and i != watched]
            one = min(asks, key=lambda i: (i - turn) % 6, default=watched) if r.random() > chance else r.choice([*asks, watched])
            turn = (one + 1) % 6
            gnt = [(1 << output) * (i == one) * (r.random() < 0.95) for i in range(6)]
            tail = {i for i in range(6) if r.random() < 0.6}
            byte, rival = r.randrange(256), r.randrange(6)
            heights = [r.randrange(4) for _ in range(6)]
            rst = int(cycle == 0)
            rows.append([rst, watched, output, rival, *(sum(x << 6 * i for i, x in enumerate(some)) for some in (req, gnt)),
                         sum(1 << i for i in fresh), sum(1 << i for i in tail), byte, sum(h << 2 * i for i, h in enumerate(heights))])
            said = [m.cycle(rst, rival, req, gnt, set(fresh), tail, byte, heights) for m in models]
            wants.append([None if rst else value for pair in said for value in pair])
            there = set() if rst else there - {i for i in range(6) if gnt[i] and i in tail}
    body = "\n".join(f"wait_props #(.PATH({p}), .SCAN({s}), .ROOT({t})) u{k} (clk, rst, in, out, rival, req, gnt, fresh, tail, byte_, height, ok{k}, bad{k}, );"
                     for k, (p, s, t) in enumerate(kinds))
    outputs = [field for k in range(len(kinds)) for field in ((f"bad{k}", 6), (f"ok{k}", 1))]
    for at, (told, want) in enumerate(zip(judged("wait", fields, body, outputs, rows), wants)):
        for k, kind in enumerate(kinds):
            bad, ok = want[2 * k:2 * k + 2]
            if bad is not None and (told[2 * k + 1] != ok or ok and told[2 * k] != bad):
                return (f"wait, PATH, SCAN, ROOT = {kind}, cycle {at % 24} of input {rows[at][1]} and output {rows[at][2]}: bad {told[2 * k]:06b}, ok {told[2 * k + 1]}; "
                        f"by its words {bad:06b}, {ok}")
    return ""


def main(names: Sequence[str]) -> int:
    every = (route, pick, gather, arbiter, cube, wait)
    if set(names) - {of.__name__ for of in every}:
        print(f"usage: judged.py [{' | '.join(of.__name__ for of in every)}]...", file=sys.stderr)
        return 2
    passed = failed = 0
    for of in every if not names else [of for of in every if of.__name__ in names]:
        why = of(random.Random(1))
        passed, failed = passed + (not why), failed + bool(why)
        print(f"FAIL {why}" if why else f"PASS {of.__name__}: what is wrong is judged so")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
