# SPDX-License-Identifier: Apache-2.0
"""test_gates.py - formal_gates.py: every cell, narrow, with every input, against what Yosys's manual says of it; a module with registers;
models as files; graphs and their clauses (lib/aig.py)."""
from __future__ import annotations

import itertools
import pathlib
import random
from collections.abc import Callable
from typing import Any

import pytest

import formal_gates
import formal_sat
from formal_sat import File, Model, Wrong
from lib import aig

WIDTHS = ((1, 1, 1), (2, 3, 4), (3, 2, 2), (3, 1, 5), (2, 2, 1))   # of A, B, Y


def shift(a: int, b: int, left: bool) -> int:
    return a << b if left else a >> b


# Of operands as numbers; A's is negative if it is signed and its highest bit is set.
TWO: dict[str, Callable[[int, int], int]] = {
    "$and": lambda a, b: a & b, "$or": lambda a, b: a | b, "$xor": lambda a, b: a ^ b, "$xnor": lambda a, b: ~(a ^ b),
    "$logic_and": lambda a, b: bool(a and b), "$logic_or": lambda a, b: bool(a or b), "$eq": lambda a, b: a == b,
    "$ne": lambda a, b: a != b, "$eqx": lambda a, b: a == b, "$nex": lambda a, b: a != b, "$lt": lambda a, b: a < b,
    "$le": lambda a, b: a <= b, "$gt": lambda a, b: a > b, "$ge": lambda a, b: a >= b, "$add": lambda a, b: a + b,
    "$sub": lambda a, b: a - b, "$shl": lambda a, b: a << b, "$sshl": lambda a, b: a << b, "$sshr": lambda a, b: a >> b}
ONE: dict[str, Callable[[list[int]], int]] = {
    "$reduce_and": all, "$reduce_or": any, "$reduce_bool": any, "$reduce_xor": lambda bits: sum(bits) % 2,
    "$reduce_xnor": lambda bits: 1 - sum(bits) % 2, "$logic_not": lambda bits: not any(bits)}


def netlist(kind: str, widths: dict[str, int], values: dict[str, int], signs: dict[str, bool]) -> formal_gates.Netlist:
    """A cell whose inputs are constants."""
    pins: dict[str, list[int | str]] = {k: [str(values[k] >> n & 1) for n in range(w)] for k, w in widths.items() if k != "Y"}
    pins["Y"] = list(range(2, 2 + widths["Y"]))
    parameters = {f"{k}_WIDTH": f"{w:b}" for k, w in widths.items()} | {f"{k}_SIGNED": f"{int(s):b}" for k, s in signs.items()}
    cell: dict[str, Any] = {"type": kind, "connections": pins, "parameters": parameters}
    return formal_gates.Netlist({"cells": {"x": cell}, "netnames": {}, "ports": {}})


def made(*args: Any) -> int:
    made_of = netlist(*args)
    return sum(made_of.literal(2 + n) << n for n in range(args[1]["Y"]))


def numeral(value: int, width: int, signed: bool) -> int:
    return value - (1 << width) if signed and value >> (width - 1) else value


def two(kind: str, wa: int, wb: int, wy: int, sign: bool, a: int, b: int) -> None:
    signs = {"A": sign, "B": sign and "sh" not in kind}
    x, y = numeral(a, wa, signs["A"]), numeral(b, wb, signs["B"])
    if kind == "$shr":                 # fills with zeros
        want = (x & ((1 << max(wa, wy)) - 1)) >> y
    else:
        want = TWO[kind](x, y)
    got = made(kind, {"A": wa, "B": wb, "Y": wy}, {"A": a, "B": b}, signs)
    assert got == want & ((1 << wy) - 1), (kind, wa, wb, wy, sign, a, b)


@pytest.mark.parametrize("kind", [*TWO, "$shr"])
def test_two(kind: str) -> None:
    for (wa, wb, wy), sign in itertools.product(WIDTHS, (False, True)):
        for a, b in itertools.product(range(1 << wa), range(1 << wb)):
            two(kind, wa, wb, wy, sign, a, b)


@pytest.mark.parametrize("kind", [*TWO, "$shr"])
def test_two_wide(kind: str) -> None:
    r = random.Random(kind)
    for k in range(40):
        wa, wb, wy = r.randint(1, 150), r.randint(1, 9 if "sh" in kind else 150), r.randint(1, 150)
        a, b = r.getrandbits(wa), r.getrandbits(wb)
        two(kind, wa, wb, wy, k % 2 > 0, a, a & ((1 << wb) - 1) if k % 5 == 0 else b)


@pytest.mark.parametrize("kind", [k for k in TWO if "sh" not in k])
@pytest.mark.parametrize("of_a, of_b", ((True, False), (False, True)))
def test_one_operand_signed(kind: str, of_a: bool, of_b: bool) -> None:
    # Yosys's manual: signed only if both are.
    for a, b in itertools.product(range(4), range(8)):
        got = made(kind, {"A": 2, "B": 3, "Y": 4}, {"A": a, "B": b}, {"A": of_a, "B": of_b})
        assert got == TWO[kind](a, b) & 15, (kind, a, b)


@pytest.mark.parametrize("kind", ["$shl", "$sshl", "$shr", "$sshr"])
def test_far_shift(kind: str) -> None:
    for sign, b in itertools.product((False, True), range(64)):
        x = numeral(0x9, 4, sign) & 0xFFFFF if sign else 0x9
        filled = x - (1 << 20) if sign and kind == "$sshr" else x
        got = made(kind, {"A": 4, "B": 6, "Y": 20}, {"A": 0x9, "B": b}, {"A": sign, "B": False})
        assert got == shift(filled, b, kind.endswith("l")) & 0xFFFFF, (kind, sign, b)


@pytest.mark.parametrize("kind", ONE)
def test_one(kind: str) -> None:
    for width, a in ((w, a) for w in (1, 2, 3, 4) for a in range(1 << w)):
        assert made(kind, {"A": width, "Y": 2}, {"A": a}, {"A": False}) == int(ONE[kind]([a >> n & 1 for n in range(width)]))


def test_not_and_mux() -> None:
    for a, b, s in itertools.product(range(4), range(4), range(2)):
        assert made("$mux", {"A": 2, "B": 2, "S": 1, "Y": 2}, {"A": a, "B": b, "S": s}, {}) == (b if s else a)
        assert made("$not", {"A": 2, "Y": 4}, {"A": a}, {"A": bool(s)}) == ~numeral(a, 2, bool(s)) & 15


def test_neg_and_pos() -> None:
    for (wa, _, wy), sign in itertools.product(WIDTHS, (False, True)):
        for a in range(1 << wa):
            x = numeral(a, wa, sign)
            assert made("$neg", {"A": wa, "Y": wy}, {"A": a}, {"A": sign}) == -x & ((1 << wy) - 1)
            assert made("$pos", {"A": wa, "Y": wy}, {"A": a}, {"A": sign}) == x & ((1 << wy) - 1)


def test_pmux() -> None:
    for a, b, s in itertools.product(range(4), range(64), range(8)):
        want = 0 if s else a
        for k in range(3):
            want |= (b >> 2 * k & 3) * (s >> k & 1)
        assert made("$pmux", {"A": 2, "B": 6, "S": 3, "Y": 2}, {"A": a, "B": b, "S": s}, {}) == want, (a, b, s)


@pytest.mark.parametrize("sign", (False, True))
@pytest.mark.parametrize("wa, wb, wy", ((1, 1, 1), (3, 2, 2), (3, 4, 1), (2, 3, 5), (5, 6, 3), (6, 1, 2), (100, 8, 70), (70, 9, 100)))
def test_shift_and_shiftx(sign: bool, wa: int, wb: int, wy: int) -> None:
    r = random.Random(wa)
    drawn = [(r.getrandbits(wa), r.getrandbits(wb)) for _ in range(30)]
    for a, b in itertools.product(range(1 << wa), range(1 << wb)) if wa < 9 else drawn:
        first = numeral(b, wb, sign)
        widths, values, signs = {"A": wa, "B": wb, "Y": wy}, {"A": a, "B": b}, {"A": False, "B": sign}
        want = [a >> k & 1 if 0 <= k < wa else None for k in range(first, first + wy)]
        assert made("$shift", widths, values, signs) == sum((x or 0) << k for k, x in enumerate(want)), (a, b)
        made_of = netlist("$shiftx", widths, values, signs)
        got = [made_of.literal(2 + k) for k in range(wy)]
        inputs = [x for x in got if x > 1]       # a bit beyond the word: an input of its own
        assert [x if x < 2 else None for x in got] == want and len(set(inputs)) == want.count(None), (a, b)
        zeros = formal_gates.Netlist({"cells": made_of.cells, "netnames": {}, "ports": {}}, zero=True)
        assert sum(zeros.literal(2 + k) << k for k in range(wy)) == sum((x or 0) << k for k, x in enumerate(want))


def test_shift_of_a_signed_word_is_refused() -> None:
    with pytest.raises(Wrong, match="no rule for a cell .shiftx of a signed word"):
        made("$shiftx", {"A": 2, "B": 1, "Y": 1}, {"A": 1, "B": 0}, {"A": True, "B": False})


def test_undefined_bits_are_inputs_of_their_own() -> None:
    cells: dict[str, Any] = {"a": {"type": "$xor", "connections": {"A": ["x", "0"], "B": ["x", "x"], "Y": [5, 6]}, "parameters": {}}}
    made_of = formal_gates.Netlist(module(**cells))
    assert made_of.inputs == 3 and made_of.literal(5) > 1 and made_of.literal(6) == made_of.value[cells["a"]["connections"]["B"][1]]


def test_gates_of_one_bit() -> None:
    for a, b in itertools.product(range(2), range(2)):
        assert made("$_XNOR_", {"A": 1, "B": 1, "Y": 1}, {"A": a, "B": b}, {}) == int(a == b)


def module(**cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": cells, "netnames": {}, "ports": {}}


@pytest.mark.parametrize("cells, words", [
    ({"m": {"type": "$mul", "connections": {}, "parameters": {}}}, "no rule for a cell .mul"),
    ({"l": {"type": "$dff", "connections": {"CLK": [2], "D": [4], "Q": [3]}, "parameters": {"CLK_POLARITY": "0"}}}, "falling edge"),
    ({"l": {"type": "$dff", "connections": {"CLK": [2], "D": [4], "Q": [3]}, "parameters": {"CLK_POLARITY": "1"}}}, "wire 4 has no driver"),
    ({"a": {"type": "$not", "connections": {"A": [5], "Y": [5]}, "parameters": {}},
      "l": {"type": "$dff", "connections": {"CLK": [2], "D": [5], "Q": [3]}, "parameters": {"CLK_POLARITY": "1"}}}, "depends on itself"),
    ({"a": {"type": "$not", "connections": {"A": ["z"], "Y": [5]}, "parameters": {}},
      "l": {"type": "$dff", "connections": {"CLK": [2], "D": [5], "Q": [3]}, "parameters": {"CLK_POLARITY": "1"}}}, "wire z has no driver"),
])
def test_refused(cells: dict[str, Any], words: str) -> None:
    with pytest.raises(Wrong, match=words):
        formal_gates.Netlist(module(**cells))


@pytest.mark.parametrize("first, second", itertools.product("01x", repeat=2))
def test_two_names_of_a_wire(first: str, second: str) -> None:
    """What `initial` says by one name, it may not deny by another; where none says it, the register starts anywhere."""
    register = {"type": "$dff", "connections": {"CLK": [2], "D": [3], "Q": [3]}, "parameters": {"CLK_POLARITY": "1"}}
    names = {name: {"bits": [3], "hide_name": 0, "attributes": {"init": digit}} for name, digit in (("a", first), ("b", second))}
    parts = {**module(l=register), "netnames": names}
    if {first, second} == {"0", "1"}:
        with pytest.raises(Wrong, match="starts at 0 and at 1"):
            formal_gates.Netlist(parts)
        return
    made_of = formal_gates.Netlist(parts)
    assert made_of.inputs == int(first == second == "x") and made_of.starts() == {3: int(d) for d in first + second if d != "x"}


# -- registers, properties and constraints: a whole module --------------------------------------------

def cell(kind: str, parameters: dict[str, str] | None = None, **pins: list[int | str]) -> dict[str, Any]:
    return {"type": kind, "connections": pins, "parameters": parameters or {}}


def a_module(**changed: Any) -> dict[str, Any]:
    """q begins with 1 in its bit 0 and anywhere in its bit 1, and counts what comes; held is any number that stays, drawn any bit."""
    widths = {"A_WIDTH": "10", "B_WIDTH": "10", "Y_WIDTH": "10"}
    cells = {"sum": cell("$add", widths, A=[7, 8], B=[3, 4], Y=[5, 6]), "q": cell("$dff", {"CLK_POLARITY": "1"}, CLK=[2], D=[5, 6], Q=[7, 8]),
             "drawn": cell("$anyseq", Y=[9]), "held": cell("$anyconst", Y=[10]), "same": cell("$eq", widths, A=[7, 8], B=[10, "0"], Y=[11]),
             "both": cell("$_AND_", A=[9], B=[7], Y=[12]), "first": cell("$assert", EN=[9], A=[11]), "assumed": cell("$assume", EN=["1"], A=[12]),
             "second": cell("$assert", EN=["1"], A=[8]), "kept": cell("$assume", EN=[3], A=[4])}
    def name(bits: list[int], hidden: int = 0, **attributes: str) -> dict[str, Any]:
        return {"bits": bits, "hide_name": hidden, "attributes": attributes}
    names = {"clk_i": name([2]), "in_i": name([3, 4]), "$q": name([7, 8], 1), "q": name([7, 8], init="x1"), "held": name([10]), "drawn": name([9]), "wire": name([5, 6])}
    ports = {"clk_i": {"direction": "input", "bits": [2]}, "in_i": {"direction": "input", "bits": [3, 4]}, "out": {"direction": "output", "bits": [7, 8]}}
    return {"cells": {**cells, **changed}, "netnames": names, "ports": ports}


def played(model: Model, cycles: list[list[int]]) -> list[tuple[list[int], list[int]]]:
    """(bad, held) of each cycle."""
    state, found = [0] * len(model.after), []
    for given in cycles:
        value = [0, *given, *state]
        def of(x: int, value: list[int] = value) -> int:
            return value[x >> 1] ^ x & 1
        for a, b in model.gates:
            value.append(of(a) & of(b))
        found.append(([of(x) for x in model.bad], [of(x) for x in model.held]))
        state = [of(x) for x in model.after]
    return found


def test_a_module_with_registers() -> None:
    """From the first cycle on, whatever comes: its properties and constraints, each in the order of the cells."""
    netlist_of = formal_gates.Netlist(a_module())
    model, r = netlist_of.model(), random.Random(1)
    assert (model.inputs, len(model.after), len(model.bad), len(model.held)) == (6, 4, 2, 2)
    for _ in range(200):
        cycles = [[r.randrange(2) for _ in range(6)] for _ in range(4)]          # clk, in, in, drawn; where bit 1 of q and held begin
        q, held, want = 1 | cycles[0][4] << 1, cycles[0][5], list[tuple[list[int], list[int]]]()
        for _, a, b, drawn, _, _ in cycles:
            want.append(([drawn & (q != held), q >> 1 ^ 1], [drawn & q & 1, 1 - a | b]))
            q = (q + a + 2 * b) & 3
        assert played(model, cycles) == want
    assert netlist_of.places() == ["input 0 0 clk_i", "input 1 0 in_i", "input 2 1 in_i", "invlatch 1 0 q", "init 4 1 q", "latch 2 1 q", "init 5 0 held", "latch 3 0 held",
                                   "input 3 0 drawn"]


@pytest.mark.parametrize("changed, said", [
    ({"q2": cell("$dff", {"CLK_POLARITY": "1"}, CLK=[3], D=[5], Q=[20])}, "more than one clock"),
    ({"q2": cell("$dff", {"CLK_POLARITY": "1"}, CLK=[2], D=[5], Q=[3])}, "a register and something else"),
    ({"two": cell("$_NOT_", A=[3], Y=[11])}, "another driver"), ({"second": cell("$assert", EN=["1"], A=[30])}, "no driver")])
def test_modules_that_are_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(Wrong, match=said):
        formal_gates.Netlist(a_module(**changed)).model()


def test_constants_in_cycles() -> None:
    """A register that takes 1, one that takes 0, one that keeps what it has; a property and a constraint that never change."""
    model = Model(1, [1, 0, 8], [4, 6, 8, 0, 1], [1, 0, 5], [(4, 2)])
    cycles = formal_sat.Unrolled(model, 3, True)
    assert cycles.bad == [[0, 0, 0, 0, 1], *[[1, 0, 0, 0, 1]] * 2] and cycles.held == [[1, 0, 1], *[[1, 0, 0]] * 2]
    free = formal_sat.Unrolled(model, 3, False)
    assert free.bad == [[2, 4, 6, 0, 1], *[[1, 0, 6, 0, 1]] * 2] and free.held == [[1, 0, 3], *[[1, 0, 0]] * 2]


# -- files ------------------------------------------------------------------------------------------

def test_models_written_and_read(tmp_path: pathlib.Path) -> None:
    """The same again, of few nodes and of many: distances take one byte, two and three; also with outputs, which nobody reads."""
    r, distances = random.Random(1), set()
    for inputs, registers, gates in ((0, 0, 0), (2, 0, 1), (1, 3, 5), (40, 50, 300), (9, 8, 9000)):
        first = 1 + inputs + registers
        pairs = [(a, b) for k in range(gates) for b, a in [sorted(r.randrange(min(2 * (first + k), 60) if r.random() < 0.3 else 2 * (first + k)) for _ in "ab")]]
        every = range(2 * (first + gates))
        after, bad, held = ([r.choice(every) for _ in range(count)] for count in (registers, 3, 2))
        model = Model(inputs, after, bad, held, pairs)
        formal_gates.write_aiger(tmp_path / "a.aig", model)
        data = (tmp_path / "a.aig").read_bytes()
        assert File(data).model() == model
        sizes = [max(1, -(-delta.bit_length() // 7)) for k, (a, b) in enumerate(pairs) for delta in (2 * (first + k) - a, a - b)]
        assert len(data) == len(b"\n".join(data.split(b"\n", 1 + registers + 5)[:-1])) + 1 + sum(sizes)       # as short as can be
        distances |= {len(f"{delta:b}") for k, (a, b) in enumerate(pairs) for delta in (2 * (first + k) - a, a - b)}
        head, _, rest = data.partition(b"\n")
        words = head.split()
        words[4] = b"2"
        rows = rest.split(b"\n", registers)
        assert File(b" ".join(words) + b"\n" + b"\n".join([*(row + b" 0" for row in rows[:-1]), b"1\n1\n" + rows[-1]])).model() == model
        if registers:
            with pytest.raises(Wrong, match="register 0 does not start at zero"):
                File(head + b"\n" + b"\n".join([rows[0] + b" 1", *rows[1:]])).model()
    assert {1, 7, 8, 14, 15} <= distances


@pytest.mark.parametrize("head", ["aag 1 1 0 0 0 0 0 0 0", "aig 1 1 0 0 0", "aig 1 1 0 0 0 0 0 1 0", "aig 1 1 0 0 0 0 0 0 1", "aig 1 1 0 0 0 0 0 1 1", ""])
def test_files_that_are_no_model(head: str) -> None:
    assert File(b"aig 1 1 0 0 0 0 0 0 0\n").model() == Model(1, [], [], [], [])
    with pytest.raises(Wrong, match="not what write_aiger -B makes"):
        File(head.encode() + b"\n").model()


# -- graphs, and their clauses ------------------------------------------------------------------------

def test_a_graph() -> None:
    """Each gate once, whatever the order of what it joins; constants, a literal with itself and with its reverse make none."""
    graph = aig.Graph()
    a, b = graph.new(), graph.new()
    assert (a, b) == (2, 4) and [graph.both(x, y) for x, y in ((a, 0), (0, a), (a, 1), (1, b ^ 1), (a, a), (a, a ^ 1), (b ^ 1, b),
        (b ^ 1, b ^ 1))] == [0, 0, a, b ^ 1, a, 0, 0, b ^ 1]
    one = graph.both(a, b)
    assert one == graph.both(b, a) == 6 and graph.either(a ^ 1, b ^ 1) == one ^ 1 and graph.fan == [None, None, None, (a, b)]
    two = graph.both(one ^ 1, b)
    assert graph.cone([two]) == {1, 2, 3, 4} and graph.cone([one, 0]) == {0, 1, 2, 3} and graph.cone([b ^ 1]) == {2} and graph.cone([]) == set()


@pytest.mark.parametrize("seed", range(8))
def test_clauses(seed: int, tmp_path: pathlib.Path) -> None:
    """Met by what the gates are, and by nothing else; node 0 is false.  The file has them all."""
    r, graph = random.Random(seed), aig.Graph()
    nodes = [0, *(graph.new() for _ in range(3))]
    for _ in range(5):
        nodes.append(graph.both(r.choice(nodes) ^ r.randrange(2), r.choice(nodes) ^ r.randrange(2)) & ~1)
    roots = [nodes[-1], nodes[-2] ^ 1, 0]
    name, rows = graph.clauses(roots)
    assert set(name) == graph.cone(roots) and sorted(name.values()) == list(range(1, len(name) + 1))
    assert all(aig.variable(name, 2 * n) == v and aig.variable(name, 2 * n + 1) == -v for n, v in name.items())
    for bits in itertools.product((False, True), repeat=len(name)):
        high = {n: bits[v - 1] for n, v in name.items()}
        right = not high[0] and all(high[n] == all(high[x >> 1] != bool(x & 1) for x in fan) for n in name for fan in [graph.fan[n]] if fan)
        assert all(any(bits[abs(x) - 1] == (x > 0) for x in row) for row in rows) == right
    aig.write_cnf(tmp_path / "a.cnf", 9, [(1, -2), (3,), ()])
    assert (tmp_path / "a.cnf").read_text() == "p cnf 9 3\n1 -2 0\n3 0\n 0\n"
