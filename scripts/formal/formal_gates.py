# SPDX-License-Identifier: Apache-2.0
"""formal_gates.py - gates of a flat netlist of words, for scripts/formal/formal.py.

Yosys reads the Verilog and writes its cells ($add, $mux, $dff, ..) with `write_json`; here each becomes AND gates of
one graph, in which no gate is there twice and constants vanish as they come.  `techmap; opt; abc; write_aiger` of Yosys
does the same in several times the time; tb/formal/gates.py proves that both have the same registers, properties and
constraints.  What this does not know it refuses: no cell is guessed.

A register that no `initial` sets starts with any value: in the first cycle an input of its own stands for it.  An undefined bit
is an input of its own, too, wherever it is read, and so is each bit that $shiftx reads beyond its word.
"""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable, Sequence
from typing import Any

from formal_sat import Model, Wrong
from lib.aig import Graph

Bit = int | str                        # the number of a wire, or "0", "1"
Cell = dict[str, Any]
Row = list[int]                        # literals of a word, low bit first

BITWISE = ("$not", "$and", "$or", "$xor", "$xnor", "$mux")
REDUCE = ("$reduce_and", "$reduce_or", "$reduce_bool", "$reduce_xor", "$reduce_xnor", "$logic_not")
ONE = ("$neg", "$pos")
PICK = ("$pmux", "$shift", "$shiftx")
TWO = ("$logic_and", "$logic_or", "$eq", "$ne", "$eqx", "$nex", "$lt", "$le", "$gt", "$ge", "$add", "$sub", "$shl", "$sshl", "$shr", "$sshr")
# A gate of one bit is a cell of words one bit wide.
GATES = {"$_NOT_": "$not", "$_AND_": "$and", "$_OR_": "$or", "$_XOR_": "$xor", "$_XNOR_": "$xnor", "$_MUX_": "$mux"}
# What Yosys has to make smaller first.
OTHERS = "t:$* " + " ".join(f"t:{name} %d" for name in (
    *BITWISE, *REDUCE, *ONE, *PICK, *TWO, "$dff", "$anyseq", "$anyconst", "$assert", "$assume", "$cover"))


def number(text: str) -> int:
    return int(text, 2)


class Words(Graph):
    """Words of literals."""

    def differ(self, a: int, b: int) -> int:
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def choose(self, s: int, a: int, b: int) -> int:
        """b if s, else a."""
        return a if a == b else self.either(self.both(s, b), self.both(s ^ 1, a))

    def every(self, row: Sequence[int]) -> int:
        """As a tree, which is flat."""
        row = list(row) or [1]
        while len(row) > 1:
            row = [self.both(*row[k:k + 2]) if k + 1 < len(row) else row[k] for k in range(0, len(row), 2)]
        return row[0]

    def some(self, row: Sequence[int]) -> int:
        return self.every([x ^ 1 for x in row]) ^ 1

    def odd(self, row: Sequence[int]) -> int:
        value = 0
        for x in row:
            value = self.differ(value, x)
        return value

    def total(self, a: Row, b: Row, carry: int) -> tuple[Row, int]:
        """Sum of two words of one width, carry."""
        row = []
        for x, y in zip(a, b, strict=True):
            half = self.differ(x, y)
            row.append(self.differ(half, carry))
            carry = self.either(self.both(x, y), self.both(half, carry))
        return row, carry

    def shifted(self, a: Row, by: Row, left: bool, fill: int) -> Row:
        for k, s in enumerate(by):
            far = min(1 << k, len(a)) if k < 32 else len(a)
            moved = [fill] * far + a[:len(a) - far] if left else a[far:] + [fill] * far
            a = [self.choose(s, x, y) for x, y in zip(a, moved, strict=True)]
        return a

    def window(self, a: Row, by: Row, width: int) -> Row:
        """`width` bits of a from number `by` on, zeros beyond its end: the high bits of `by` first, so that little is shifted."""
        a, by = a + [0] * width, list(by)
        while len(by) > 1 and 1 << (len(by) - 1) >= len(a):   # beyond, whatever the others say
            beyond = by.pop()
            a = [self.both(x, beyond ^ 1) for x in a]
        for k in reversed(range(len(by))):
            far, last = 1 << k, width + (1 << k) - 1
            a += [0] * (last + far - len(a))
            a = [self.choose(by[k], a[j], a[j + far]) for j in range(last)]
        return a[:width]


def wide(row: Row, width: int, signed: bool) -> Row:
    return row[:width] + [row[-1] if signed and row else 0] * (width - len(row))


class Netlist:
    """The one module of a JSON file that Yosys wrote, as gates; undefined bits are zero instead of any value if `zero`."""

    def __init__(self, module: dict[str, Any], zero: bool = False) -> None:
        self.graph = Words()
        self.cells: dict[str, Cell] = module["cells"]
        self.names: dict[str, Any] = module["netnames"]
        self.value: dict[Bit, int] = {"0": 0, "1": 1}
        self.driver: dict[Bit, tuple[Cell, int]] = {}
        self.registers: list[tuple[Bit, Bit]] = []   # wire, what is in it next
        self.index: dict[Bit, int] = {}              # of a wire that is an input: its place among those
        self.free: dict[Bit, int] = {}               # of a register that starts anywhere: the input that says where
        clocks: set[Bit] = set()
        self.zero, self.unknown = zero, 0
        leaves: list[Bit] = [b for p in module["ports"].values() if p["direction"] == "input" for b in p["bits"]]
        for name, cell in self.cells.items():
            kind, pins = GATES.get(cell["type"], cell["type"]), cell["connections"]
            leaves += self.defined(kind, pins)
            if kind == "$anyseq":
                leaves += pins["Y"]
            elif kind == "$anyconst":      # a register that keeps what it has
                self.registers += zip(pins["Y"], pins["Y"], strict=True)
            elif kind == "$dff":
                clocks |= {*pins["CLK"], cell["parameters"]["CLK_POLARITY"][-1:]}
                self.registers += zip(pins["Q"], pins["D"], strict=True)
            elif kind in BITWISE + REDUCE + ONE + PICK + TWO:
                for k, bit in enumerate(pins["Y"]):
                    if self.driver.setdefault(bit, (cell, k))[0] is not cell:
                        raise Wrong(f"{name}: its output has another driver")
            elif kind not in ("$assert", "$assume"):
                raise Wrong(f"{name}: no rule for a cell {kind}")
        if len(clocks) > 2 or "0" in clocks:
            raise Wrong("registers of more than one clock, or of its falling edge")
        self.begin(leaves)

    def defined(self, kind: str, pins: dict[str, list[Bit]]) -> list[Bit]:
        """Inputs in place of the undefined bits that a cell reads, and in a pin X of $shiftx those beyond its word."""
        if kind == "$shiftx":
            pins["X"] = ["x"] * len(pins["Y"])
        made: list[Bit] = []
        for k, bits in pins.items():
            if "x" in bits and k not in ("Y", "Q"):
                named = ["0" if self.zero else f"x{self.unknown + n}" for n in range(len(bits))]
                self.unknown += len(bits)
                pins[k] = [new if bit == "x" else bit for bit, new in zip(bits, named, strict=True)]
                made += [new for bit, new in zip(bits, named, strict=True) if bit == "x" and not self.zero]
        return made

    def begin(self, leaves: Iterable[Bit]) -> None:
        """Inputs, then registers: the first nodes of the graph."""
        start = self.starts()
        for bit in leaves:
            self.index[bit] = len(self.index)
            self.value[bit] = self.graph.new()
        for bit, _ in self.registers:
            if bit not in start:
                self.free[bit] = self.graph.new()
        self.inputs = len(self.index) + len(self.free)
        began = self.graph.new()       # low in the first cycle
        state = [self.graph.new() for _ in self.registers]
        for (bit, _), q in zip(self.registers, state, strict=True):
            if bit in self.value:
                raise Wrong(f"wire {bit}: a register and something else, too")
            self.value[bit] = q ^ start[bit] if bit in start else self.graph.choose(began, self.free[bit], q)
        self.after = [1] + [self.literal(d) ^ start.get(bit, 0) for bit, d in self.registers]

    def starts(self) -> dict[Bit, int]:
        """What `initial` says of a wire."""
        found: dict[Bit, int] = {}
        for wire in self.names.values():
            for bit, digit in zip(wire["bits"], reversed(wire["attributes"].get("init", ""))):
                if digit in "01" and found.setdefault(bit, int(digit)) != int(digit):
                    raise Wrong(f"wire {bit} starts at 0 and at 1")
        return found

    def literal(self, want: Bit) -> int:
        """A wire; all that it depends on becomes gates first."""
        stack, opened, value = [want], set(), self.value
        while stack:
            bit = stack[-1]
            if bit in value:
                stack.pop()
                continue
            if bit not in self.driver:
                raise Wrong(f"wire {bit} has no driver")
            cell, place = self.driver[bit]
            rest = [b for b in depends(cell, place) if b not in value]
            if not rest:
                self.make(cell, place)
            elif bit in opened:
                raise Wrong(f"wire {bit} depends on itself")
            else:
                opened.add(bit)
                stack += rest
        return value[want]

    def make(self, cell: Cell, place: int) -> None:
        """The gates of a bit of a bitwise cell, or of a whole cell."""
        kind, pins, value = GATES.get(cell["type"], cell["type"]), cell["connections"], self.value
        if kind in BITWISE:
            row = [value[b] for b in depends(cell, place)]
            value[pins["Y"][place]] = bitwise(self.graph, kind, row)
            return
        row = word(self.graph, kind, {k: [value[b] for b in pins[k]] for k in pins if k != "Y"}, cell["parameters"])
        row = wide(row, len(pins["Y"]), False)
        for bit, x in zip(pins["Y"], row, strict=True):
            value[bit] = x

    def model(self) -> Model:
        bad, held = [], []
        for cell in self.cells.values():
            if cell["type"] in ("$assert", "$assume"):
                on, good = (self.literal(cell["connections"][k][0]) for k in ("EN", "A"))
                wrong = self.graph.both(on, good ^ 1)
                if cell["type"] == "$assert":
                    bad.append(wrong)
                else:
                    held.append(wrong ^ 1)
        gates = [fan for fan in self.graph.fan[1 + self.inputs + len(self.after):] if fan]
        return Model(self.inputs, self.after, bad, held, gates)

    def places(self) -> list[str]:
        """The lines of a map, as `write_aiger -map` has them: names of inputs and registers."""
        latch = {bit: k for k, (bit, _) in enumerate(self.registers, 1)}
        inputs = {bit: f"input {k}" for bit, k in self.index.items()}
        rows = []
        start = self.starts()
        for name, wire in self.names.items():
            for k, bit in enumerate(wire["bits"] if not wire["hide_name"] else []):
                if bit in inputs:
                    rows.append(f"{inputs[bit]} {k} {name}")
                if bit in self.free:
                    rows.append(f"init {(self.free[bit] >> 1) - 1} {k} {name}")
                if bit in latch:
                    rows.append(f"{'inv' if start.get(bit) else ''}latch {latch[bit]} {k} {name}")
        return rows


def depends(cell: Cell, place: int) -> list[Bit]:
    """The wires that a bit of a cell's output is made from."""
    kind, pins = GATES.get(cell["type"], cell["type"]), cell["connections"]
    if kind == "$mux":
        return [pins["S"][0], pins["A"][place], pins["B"][place]]
    if kind in BITWISE:
        both = signed(cell["parameters"], *("AB" if "B" in pins else "A"))
        return [far(pins[k], place, both) for k in "AB" if k in pins]
    return [b for k, bits in pins.items() if k != "Y" for b in bits]


def far(bits: list[Bit], place: int, both: bool) -> Bit:
    return bits[place] if place < len(bits) else bits[-1] if both and bits else "0"


def signed(parameters: dict[str, str], *pins: str) -> bool:
    return all(number(parameters.get(f"{k}_SIGNED", "0")) for k in pins)


def bitwise(graph: Words, kind: str, row: Row) -> int:
    if kind == "$not":
        return row[0] ^ 1
    if kind == "$mux":
        return graph.choose(*row)
    if kind in ("$and", "$or"):
        return (graph.both if kind == "$and" else graph.either)(*row)
    return graph.differ(*row) ^ (kind == "$xnor")


def word(graph: Words, kind: str, pins: dict[str, Row], parameters: dict[str, str]) -> Row:
    """What a cell that is not bitwise gives, as wide as it needs to be."""
    a = pins["A"]
    if kind in ONE:
        a, width = wide(a, number(parameters["Y_WIDTH"]), signed(parameters, "A")), number(parameters["Y_WIDTH"])
        return graph.total([0] * width, [x ^ 1 for x in a], 1)[0] if kind == "$neg" else a
    if kind in PICK:
        return picked(graph, kind, pins, parameters)
    if kind in REDUCE:
        return [{"$reduce_and": lambda: graph.every(a), "$reduce_xor": lambda: graph.odd(a), "$reduce_xnor": lambda: graph.odd(a) ^ 1,
                 "$logic_not": lambda: graph.some(a) ^ 1}.get(kind, lambda: graph.some(a))()]
    b, both, width = pins["B"], signed(parameters, "A", "B"), number(parameters["Y_WIDTH"])
    if kind in ("$logic_and", "$logic_or"):
        return [(graph.both if kind == "$logic_and" else graph.either)(graph.some(a), graph.some(b))]
    if kind in ("$shl", "$sshl", "$shr", "$sshr"):
        if kind[-1] == "l":
            return graph.shifted(wide(a, width, signed(parameters, "A")), b, True, 0)
        a = wide(a, max(width, len(a)), signed(parameters, "A"))
        return graph.shifted(a, b, False, a[-1] if kind == "$sshr" and signed(parameters, "A") else 0)[:width]
    if kind in ("$add", "$sub"):
        minus = int(kind == "$sub")
        return graph.total(wide(a, width, both), [x ^ minus for x in wide(b, width, both)], minus)[0]
    width = max(len(a), len(b))
    a, b = wide(a, width, both), wide(b, width, both)
    if kind in ("$eq", "$eqx", "$ne", "$nex"):
        return [graph.some([graph.differ(x, y) for x, y in zip(a, b, strict=True)]) ^ (kind[1] == "e")]
    if both:                           # the sign bit counts the other way
        a, b = a[:-1] + [a[-1] ^ 1], b[:-1] + [b[-1] ^ 1]
    if kind in ("$gt", "$le"):
        a, b = b, a
    less = graph.total(a, [x ^ 1 for x in b], 1)[1] ^ 1
    return [less if kind in ("$lt", "$gt") else less ^ 1]


def picked(graph: Words, kind: str, pins: dict[str, Row], parameters: dict[str, str]) -> Row:
    """$pmux: the words of B whose bits of S are high, joined by OR, else A.  $shift, $shiftx: Y bits of A from number B on."""
    a, b = pins["A"], pins["B"]
    if kind == "$pmux":
        chosen = [[graph.both(s, x) for x in b[k * len(a):(k + 1) * len(a)]] for k, s in enumerate(pins["S"])]
        none = graph.some(pins["S"]) ^ 1
        return [graph.either(graph.some(column), graph.both(none, x)) for x, column in zip(a, zip(*chosen), strict=True)]
    if signed(parameters, "A"):
        raise Wrong(f"no rule for a cell {kind} of a signed word")
    width = number(parameters["Y_WIDTH"])
    below = b[-1] if signed(parameters, "B") else 0
    ahead = b[:-1] if signed(parameters, "B") else b
    back = graph.total([0] * len(b), [x ^ 1 for x in b], 1)[0]     # of a negative B: how far

    def moved(row: Row) -> Row:
        left = graph.shifted(wide(row, width, False), back, True, 0)
        return [graph.choose(below, x, y) for x, y in zip(graph.window(row, ahead, width), left, strict=True)]

    if kind == "$shift":
        return moved(a)
    return [graph.choose(there, x, y) for there, x, y in zip(moved([1] * len(a)), pins["X"], moved(a), strict=True)]


def read(path: pathlib.Path, top: str, zero: bool = False) -> Netlist:
    """A netlist of Yosys: proc, memory, dffunmap and flatten are done, and techmap of OTHERS."""
    return Netlist(json.loads(path.read_text())["modules"][top], zero)


def write_aiger(file: str | os.PathLike[str], model: Model) -> None:
    """A binary AIGER file with properties and constraints, as `write_aiger -B` has them."""
    first = 1 + model.inputs + len(model.after)
    head = [first - 1 + len(model.gates), model.inputs, len(model.after), 0, len(model.gates), len(model.bad), len(model.held), 0, 0]
    text = "\n".join(["aig " + " ".join(map(str, head)), *map(str, [*model.after, *model.bad, *model.held])]) + "\n"
    data = bytearray(text.encode())
    for k, (a, b) in enumerate(model.gates, first):
        low, high = sorted((a, b))
        for delta in (2 * k - high, high - low):
            while delta > 127:
                data.append(delta & 127 | 128)
                delta >>= 7
            data.append(delta)
    pathlib.Path(file).write_bytes(data)
