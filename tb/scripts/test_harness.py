# SPDX-License-Identifier: Apache-2.0
"""test_harness.py - synth_tools.check_harness(): a harness that changes nothing passes, and each way to change something is found."""
from __future__ import annotations

import copy
import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import synth_tools

Module = dict[str, Any]


def cell(kind: str, **pins: list[int]) -> Module:
    return {"type": kind, "connections": pins,
            "port_directions": {pin: "output" if pin in ("Q", "O") else "input" for pin in pins}, "attributes": {}, "parameters": {}}


def netlists() -> dict[str, Module]:
    """A design of a register and two functions, the harness of two registers and a reader, and both in one netlist."""
    ports = {"clk_i": {"direction": "input", "bits": [2]}, "a_i": {"direction": "input", "bits": [3]}, "b_i": {"direction": "input", "bits": [4]},
             "y_o": {"direction": "output", "bits": [7]}}
    design = {"u": cell("SB_LUT4", I0=[3], I1=[4], O=[5]), "r": cell("SB_DFF", C=[2], D=[5], Q=[6]), "c": cell("SB_CARRY", I0=[6], O=[7])}
    box = {"type": "design", "connections": {"clk_i": [2], "a_i": [13], "b_i": [14], "y_o": [17]}, "attributes": {}, "parameters": {},
           "port_directions": {"clk_i": "input", "a_i": "input", "b_i": "input", "y_o": "output"}}
    harness = {"box": box, "a": cell("SB_DFF", C=[2], D=[20], Q=[13]), "b": cell("SB_DFF", C=[2], D=[13], Q=[14]), "z": cell("SB_DFF", C=[2], D=[17], Q=[20])}
    top = {**design, **{name: one for name, one in harness.items() if name != "box"}}
    return {name: {"ports": ports if name == "design" else {}, "cells": cells, "netnames": {}} for name, cells in
            (("design", design), ("harness", harness), ("top", top))}


def check(parts: dict[str, Module], folder: pathlib.Path) -> None:
    file = folder / "netlist.json"
    file.write_text(json.dumps({"modules": parts}), encoding="utf-8")
    made = {name: synth_tools.Netlist(file, name) for name in parts}
    synth_tools.check_harness(made["design"], made["harness"], made["top"], "ice40", "design")


def test_nothing_is_changed(tmp_path: pathlib.Path) -> None:
    check(netlists(), tmp_path)


def lost(kind: str) -> Callable[[dict[str, Module]], None]:
    """All cells of a kind are gone from the one netlist."""
    def change(parts: dict[str, Module]) -> None:
        parts["top"]["cells"] = {name: one for name, one in parts["top"]["cells"].items() if one["type"] != kind}
    return change


def more(kind: str) -> Callable[[dict[str, Module]], None]:
    def change(parts: dict[str, Module]) -> None:
        parts["top"]["cells"]["more"] = cell(kind, D=[5], Q=[99])
    return change


def pins(name: str, **to: list[int]) -> Callable[[dict[str, Module]], None]:
    def change(parts: dict[str, Module]) -> None:
        parts["harness"]["cells"][name]["connections"].update(to)
    return change


def without_a_port(parts: dict[str, Module]) -> None:
    del parts["harness"]["cells"]["box"]["connections"]["b_i"]


def twice(parts: dict[str, Module]) -> None:
    parts["harness"]["cells"]["again"] = copy.deepcopy(parts["harness"]["cells"]["box"])


@pytest.mark.parametrize("change, words", [
    (lost("SB_CARRY"), "cells SB_CARRY: 1 apart, 0 in one netlist"), (lost("SB_DFF"), "cells SB_DFF: 4 apart, 0 in one netlist"),
    (lost("SB_LUT4"), "cells SB_LUT4: 1 apart, 0 in one netlist"), (more("SB_DFF"), "cells SB_DFF: 4 apart, 5 in one netlist"),
    (more("SB_DFFER"), "cells SB_DFFER: 0 apart, 1 in one netlist"), (pins("box", a_i=[30]), "an input of a_i does not come from a register"),
    (pins("box", b_i=[13]), "two inputs share a register"), (pins("z", D=[14]), "an output of y_o is not read"),
    (without_a_port, "b_i not connected"), (twice, "2 instances of design in the harness, not 1")])
def test_what_is_changed(change: Callable[[dict[str, Module]], None], words: str, tmp_path: pathlib.Path) -> None:
    parts = netlists()
    change(parts)
    with pytest.raises(synth_tools.Broken, match=words):
        check(parts, tmp_path)
