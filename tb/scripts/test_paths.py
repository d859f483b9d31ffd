# SPDX-License-Identifier: Apache-2.0
"""test_paths.py - the slowest path of a report of nextpnr, as scripts/synth/synth.py reads it and says it: LUTs, delays, names."""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any

import pytest

import synth_tools

PORT, OUTPUT, LEVEL = "u_switch.g_port[{}].u_port.", "u_switch.g_out[{}].", "u_net.g_level[{}].g_switch[{}]."
LUT, OTHER = ("O", "F", "F0", "F1", "Z"), ("COUT", "CO", "FCO", "FCI", "OFX0", "DO")   # outputs of cells


def slowest(folder: pathlib.Path, nets: list[tuple[str, int]], passed: list[str], pin: str, of_lut: bool) -> tuple[dict[str, Any], list[float]]:
    """critical_path() of a chain: each net a name and which bit of it, each cell between two nets the output by which the path goes on;
    the register at the end alone, or behind a LUT in one cell of an iCE40.  And the delays, logic and routing."""
    r = random.Random(1)
    width = 1 + max(bit for _, bit in nets)
    bits = {name: list(range(100 * (k + 1), 100 * (k + 1) + (width if bit else 1))) for k, (name, bit) in enumerate(nets)}
    last = bits[nets[-1][0]][nets[-1][1]]
    cells: dict[str, Any] = {"end": {"connections": {"O": [7]}}, "ff": {"connections": {"D": [7], "Q": [last]}}} if of_lut else {
        "end": {"connections": {"D": [5], "Q": [last]}}, "ff": {"connections": {"D": [6], "Q": [8]}}}
    file = folder / "top.json"
    file.write_text(json.dumps({"modules": {"top": {"cells": cells, "ports": {}, "netnames": {name: {"bits": of} for name, of in bits.items()}}}}))
    hops: list[dict[str, Any]] = [{"type": "clk-to-q", "from": {"cell": "a", "port": "CLK"}, "to": {"cell": "a", "port": "O"}}]
    for k, (name, bit) in enumerate(nets[:-1]):
        end = k == len(nets) - 2
        to = {"cell": f"end{'_LC' if of_lut else '_DFFLC'}", "port": pin} if end else {"cell": f"c{k}", "port": "I0"}
        hops.append({"type": "routing", "net": f"{name}[{bit}]" if len(bits[name]) > 1 else name, "from": {}, "to": to})
        hops.append({"type": "setup", "from": to, "to": to} if end else {"type": "logic", "from": to, "to": {"cell": f"c{k}", "port": passed[k]}})
    sums = [0.0, 0.0]
    for hop in hops:
        hop["delay"] = r.randrange(1, 30) / 10
        sums[hop["type"] == "routing"] += hop["delay"]
    report = {"critical_paths": [{"from": "<async>", "to": "posedge clk", "path": hops[:2]}, {"from": "posedge clk", "to": "<async>", "path": hops[:1]},
                                 {"from": "posedge clk", "to": "posedge clk", "path": hops}]}
    return synth_tools.critical_path(report, synth_tools.Netlist(file, "top")), sums


def test_a_path_in_words(tmp_path: pathlib.Path) -> None:
    nets = [(PORT.format(5) + "g_vc[0].head_q", 0), ("u_switch.gnt", 13), (OUTPUT.format(1) + "word_o", 3), (OUTPUT.format(1) + "out", 3), (OUTPUT.format(1) + "busy_q", 0)]
    for of_lut, pin, luts in ((True, "I2", 4), (True, "CEN", 3), (False, "CEN", 3), (False, "D", 3), (False, "SR", 3)):
        path, (logic, routing) = slowest(tmp_path, nets, ["O"] * 3, pin, of_lut)
        end = {"CEN": " enable", "SR": " reset"}.get(pin, "")
        assert (path["luts"], path["pin"]) == (luts, pin)
        assert (path["logic"], path["routing"]) == pytest.approx((logic, routing))
        assert synth_tools.in_words(path) == (f"port 5 head_q -> grant of port 2 to output 1 -> output 1 crossbar (2) -> output 1 busy_q{end}; "
                                              f"{luts} LUTs, {logic:.1f} ns logic + {routing:.1f} ns routing")


@pytest.mark.parametrize("passed, luts", [*(([port], 1) for port in LUT), *(([port], 0) for port in OTHER), ([*LUT, *OTHER, *LUT], 2 * len(LUT))])
def test_luts_of_each_family(tmp_path: pathlib.Path, passed: list[str], luts: int) -> None:
    """By the output of a cell: that of a LUT of iCE40 or ECP5, a carry, a multiplexer, a memory."""
    nets = [(f"n{k}", 0) for k in range(len(passed) + 2)]
    assert slowest(tmp_path, nets, passed, "CE", False)[0]["luts"] == luts


def test_every_grant() -> None:
    """Bit 6 i + o of gnt, of input i and output o (switch_fast.v)."""
    for name in ("u_switch.gnt[{}]", "u_dut.u_cube.gnt[{}]"):
        for port in range(6):
            for output in range(6):
                assert synth_tools.stage([name.format(6 * port + output)]) == f"grant of port {port} to output {output}"


def test_every_place() -> None:
    for k in range(6):
        assert synth_tools.place(PORT.format(k) + "head_q") == f"port {k}" and synth_tools.place(OUTPUT.format(k) + "busy_q[3]") == f"output {k}"
        for level, switch in ((1, 0), (2, 7), (3, 15)):
            assert synth_tools.place(LEVEL.format(level, switch) + PORT.format(k) + "head_q") == f"S({level},{switch}) port {k}"
    assert synth_tools.place("u_switch.u_scan.age_q") == ""


@pytest.mark.parametrize("pin, said", [*((pin, " enable") for pin in synth_tools.ENABLE_PINS), *((pin, " reset") for pin in synth_tools.RESET_PINS), ("D", ""), ("I0", "")])
def test_switches_of_a_network(pin: str, said: str) -> None:
    """A switch is named where the path enters it; what yosys adds to a name, and wires of nextpnr's own, are left out."""
    one, two = LEVEL.format(1, 3), LEVEL.format(2, 0)
    nets = [one + PORT.format(4) + "head_q[7]", one + PORT.format(4) + "req_o_SB_LUT4_O_I2[1]", "$nextpnr_carry", one + OUTPUT.format(2) + "word_o[0]",
            two + PORT.format(0) + "room_o", two + PORT.format(0) + "room_o_SB_LUT4_I3_O"]
    path = {"hops": [{"net": net, "names": [net]} for net in nets], "end": [two + PORT.format(0) + "count_q[1]"], "pin": pin, "luts": 5, "logic": 1.25, "routing": 2.06}
    assert synth_tools.in_words(path) == ("S(1,3) port 4 head_q -> port 4 requests -> output 2 crossbar -> S(2,0) port 0 queue control (2) -> "
                                          f"port 0 count_q{said}; 5 LUTs, 1.2 ns logic + 2.1 ns routing")


def test_each_name_of_a_net(tmp_path: pathlib.Path) -> None:
    """A bit has the names of all nets that it is in, with its place in those of more bits; of them the best known is said."""
    pin = {"cell": "z", "port": "D"}
    hops = [{"type": "clk-to-q", "delay": 1.0, "to": {"cell": "a", "port": "Q"}}, {"type": "routing", "net": "one", "delay": 1.0, "to": pin},
            {"type": "routing", "net": "two[1]", "delay": 1.0, "to": pin}, {"type": "setup", "delay": 1.0, "to": pin}]
    nets = {"one": [5], "u_a.head_q": [5], "wide": [5, 6], "two": [8, 7], "u_b.gnt": [9, 7], "end_q": [4]}
    file = tmp_path / "top.json"
    file.write_text(json.dumps({"modules": {"top": {"cells": {"z": {"connections": {"D": [7], "Q": [4]}}}, "ports": {},
                                                    "netnames": {name: {"bits": bits} for name, bits in nets.items()}}}}))
    path = synth_tools.critical_path({"critical_paths": [{"from": "posedge c", "to": "posedge c", "path": hops}]}, synth_tools.Netlist(file, "top"))
    assert [hop["names"] for hop in path["hops"]] == [["one", "u_a.head_q", "wide[0]"], ["two[1]", "u_b.gnt[1]"]] and path["end"] == ["end_q"]
    assert synth_tools.in_words(path) == "head_q -> grant of port 0 to output 1 -> end_q; 0 LUTs, 2.0 ns logic + 2.0 ns routing"
