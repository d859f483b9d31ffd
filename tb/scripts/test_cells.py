# SPDX-License-Identifier: Apache-2.0
"""test_cells.py - what a cell of a netlist counts as: each that Yosys can map to in a family, by the vendor's name of it."""

from __future__ import annotations

import json
import pathlib

import pytest

import synth
from synth_tools import CELLS, TRANSISTORS, Broken, Netlist

# Of the memories, block RAM as well as LUTs that store: a queue becomes one or the other by its depth.
KINDS = {
    "ice40": {"lut": "SB_LUT4", "carry": "SB_CARRY", "ram": "SB_RAM40_4K SB_RAM40_4KNR SB_RAM40_4KNW SB_RAM40_4KNRNW",
              "ff": "SB_DFF SB_DFFE SB_DFFSR SB_DFFSS SB_DFFESR SB_DFFESS SB_DFFR SB_DFFS SB_DFFER SB_DFFES "
                    "SB_DFFN SB_DFFNE SB_DFFNSR SB_DFFNSS SB_DFFNESR SB_DFFNESS SB_DFFNR SB_DFFNS SB_DFFNER SB_DFFNES",
              "": "SB_GB SB_IO"},
    "ecp5": {"lut": "LUT4", "carry": "CCU2C", "ff": "TRELLIS_FF", "ram": "TRELLIS_DPR16X4 DP16KD PDPW16KD", "": "PFUMX L6MUX21 TRELLIS_IO"},
    "xilinx": {"lut": "LUT1 LUT2 LUT3 LUT4 LUT5 LUT6 INV", "carry": "CARRY4", "ff": "FDRE FDSE FDCE FDPE",
               "ram": "RAM32M RAM64M RAM32X1D RAM64X1D RAM128X1D RAM64X1S RAM128X1S RAM256X1S SRL16E SRLC32E RAMB18E1 RAMB36E1",
               "": "MUXF7 MUXF8 BUFG IBUF OBUF"},
    "gowin": {"lut": "LUT1 LUT2 LUT3 LUT4", "carry": "ALU", "ff": "DFF DFFE DFFR DFFRE DFFS DFFSE DFFC DFFCE DFFP DFFPE DFFN DFFNE",
              "ram": "RAM16SDP1 RAM16SDP2 RAM16SDP4 SDP SDPX9 DP DPX9", "": "MUX2_LUT5 MUX2_LUT6 MUX2_LUT7 MUX2_LUT8 GSR VCC GND"},
    "gates": {"lut": "$_NOT_ $_NAND_ $_NOR_ $_AOI3_ $_OAI3_ $_AOI4_ $_OAI4_ $_MUX_ $_NMUX_ $_XOR_ $_XNOR_", "ff": "$_DFF_P_"}}
# Of a netlist with each of these cells once.
NUMBERS = {"ice40": (1, 20, 1, 4), "ecp5": (1, 1, 1, 3), "xilinx": (7, 4, 1, 12), "gowin": (4, 12, 1, 7), "gates": (11, 1, 0, 0)}
COLUMNS = ("lut", "ff", "carry", "ram")


def netlist(folder: pathlib.Path, types: list[str]) -> Netlist:
    """A chain: each cell reads the one before."""
    cells = {f"c{k}": {"type": name, "parameters": {}, "port_directions": {"I": "input", "O": "output"}, "connections": {"I": [k + 2], "O": [k + 3]}}
             for k, name in enumerate(types)}
    file = folder / "design.json"
    file.write_text(json.dumps({"modules": {"top": {"cells": cells, "ports": {}, "netnames": {}}}}))
    return Netlist(file, "top")


def test_every_family_is_here() -> None:
    assert set(KINDS) == set(NUMBERS) == set(CELLS) == set(synth.SYNTH)


@pytest.mark.parametrize("family", KINDS)
def test_cells_are_counted_as_what_they_are(family: str, tmp_path: pathlib.Path) -> None:
    for kind, names in KINDS[family].items():
        for name in names.split():
            want = {column: 3 * (column == kind) for column in COLUMNS}
            assert netlist(tmp_path, [name] * 3).count(family) == want, name


@pytest.mark.parametrize("family", KINDS)
def test_a_netlist_of_each_cell(family: str, tmp_path: pathlib.Path) -> None:
    every = " ".join(KINDS[family].values()).split()
    assert netlist(tmp_path, every).count(family) == dict(zip(COLUMNS, NUMBERS[family]))


# A way of cells, and the LUTs on the longest: registers and memories cut it, what is passed on the way is no LUT.
WAYS = {
    "ice40": ("SB_DFF SB_LUT4 SB_CARRY SB_LUT4 SB_RAM40_4K SB_LUT4", 2), "ecp5": ("TRELLIS_FF LUT4 PFUMX L6MUX21 CCU2C LUT4 TRELLIS_DPR16X4 LUT4", 2),
    "xilinx": ("FDRE LUT6 MUXF7 MUXF8 CARRY4 INV RAM32M LUT2", 2), "gowin": ("DFF LUT4 MUX2_LUT5 MUX2_LUT6 ALU LUT1 RAM16SDP4 LUT2", 2),
    "gates": ("$_DFF_P_ $_NAND_ $_XOR_ $_DFF_P_ $_NOT_", 2)}


@pytest.mark.parametrize("family", WAYS)
def test_depths(family: str, tmp_path: pathlib.Path) -> None:
    names, luts = WAYS[family]
    assert netlist(tmp_path, names.split()).depth(family) == luts


def test_gates_as_nand2(tmp_path: pathlib.Path) -> None:
    """Static CMOS: a transistor pair an input; a flip-flop has 24 transistors, a NAND2 4."""
    assert set(KINDS["gates"]["lut"].split()) <= {f"$_{name}_" for name in TRANSISTORS}
    assert netlist(tmp_path, ["$_NAND_"] * 5 + ["$_DFF_P_"] + ["$_NOT_"] * 2 + ["$_AOI4_", "$_XOR_"]).nand2() == 5 + 6 + 1 + 2 + 3
    for inverters, gates in ((1, 0), (2, 1), (3, 2), (4, 2), (5, 2), (6, 3), (7, 4)):    # of two transistors each; a half goes to the even side
        assert netlist(tmp_path, ["$_NOT_"] * inverters).nand2() == gates
    with pytest.raises(Broken, match="no area is known for RAM32M"):
        netlist(tmp_path, ["RAM32M"]).nand2()
