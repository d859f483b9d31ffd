# SPDX-License-Identifier: Apache-2.0
"""test_gates.py - formal_gates.py: every cell, narrow, with every input, against what Yosys's manual says of it."""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

import formal_gates
from formal_sat import Wrong

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
