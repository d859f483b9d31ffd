# SPDX-License-Identifier: Apache-2.0
"""synth_tools.py - what scripts/synth/synth.py reads out of netlists and timing reports: cells, depth,
the check of the harness, and the critical path in words.  Standard library alone.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

# Cells of each family, as patterns of whole names; what a family does not count is not listed.
# through: cells that a signal passes on its way, without being a LUT.
CELLS = {
    "ice40": {"lut": r"SB_LUT4", "ff": r"SB_DFF\w*", "carry": r"SB_CARRY", "ram": r"SB_RAM\w*",
              "through": r"SB_CARRY"},
    "ecp5": {"lut": r"LUT4", "ff": r"TRELLIS_FF", "carry": r"CCU2C",
             "ram": r"TRELLIS_DPR16X4|DP16KD|PDPW16KD", "through": r"CCU2C|PFUMX|L6MUX21"},
    "xilinx": {"lut": r"LUT\d|INV", "ff": r"FD[A-Z]+", "carry": r"CARRY4", "ram": r"RAM\w+|SRL\w+",
               "through": r"CARRY4|MUXF\d"},
    "gowin": {"lut": r"LUT\d", "ff": r"DFF\w*", "carry": r"ALU", "ram": r"RAM\w+|\w*DP\w*",
              "through": r"ALU|MUX2\w*"},
    "gates": {"lut": r"\$_(?!DFF)\w+_", "ff": r"\$_DFF_P_", "carry": r"(?!)", "ram": r"(?!)",
              "through": r"(?!)"},
}

# Transistors of static CMOS gates, as `stat -tech cmos` of Yosys has them, but for the flip-flop:
# 24, two latches of 12.  A NAND2 has 4.
TRANSISTORS = {"BUF": 4, "NOT": 2, "NAND": 4, "NOR": 4, "AOI3": 6, "OAI3": 6, "AOI4": 8, "OAI4": 8,
               "MUX": 12, "NMUX": 10, "XOR": 12, "XNOR": 12, "DFF_P": 24}


class Broken(Exception):
    """The harness changed the design, or a netlist is not what it should be."""


class Netlist:
    """One flat module of a JSON file of Yosys."""

    def __init__(self, file: str | os.PathLike[str], top: str) -> None:
        with open(file, encoding="utf-8") as f:
            module = json.load(f)["modules"][top]
        self.cells = module["cells"]
        self.ports = module["ports"]
        self.netnames = module["netnames"]

    def digest(self) -> str:
        """Of cells and connections in their order, whatever their names: what placement goes by."""
        text = json.dumps([[(name, port["direction"], port["bits"])
                            for name, port in self.ports.items()],
                           [(cell["type"], sorted(cell["parameters"].items()),
                             sorted(cell["connections"].items())) for cell in self.cells.values()]])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def types(self) -> collections.Counter[str]:
        return collections.Counter(cell["type"] for cell in self.cells.values())

    def count(self, family: str) -> dict[str, int]:
        """Cells of each kind."""
        types = self.types()
        return {kind: sum(n for t, n in types.items() if re.fullmatch(CELLS[family][kind], t))
                for kind in ("lut", "ff", "carry", "ram")}

    def nand2(self) -> int:
        """All gates as NAND2 equivalents, flip-flops among them."""
        total = 0
        for name, n in self.types().items():
            if name[2:-1] not in TRANSISTORS:
                raise Broken(f"no area is known for {name}")
            total += n * TRANSISTORS[name[2:-1]]
        return round(total / TRANSISTORS["NAND"])

    def depth(self, family: str) -> int:
        """LUTs (gates) on the longest way through the logic, whatever their delay."""
        of, driver, waits = {}, {}, {}
        for name, cell in self.cells.items():
            weight = (1 if re.fullmatch(CELLS[family]["lut"], cell["type"]) else
                      0 if re.fullmatch(CELLS[family]["through"], cell["type"]) else None)
            if weight is None:
                continue
            of[name] = weight
            for port, bits in cell["connections"].items():
                if cell["port_directions"][port] != "input":
                    driver.update((bit, name) for bit in bits)
        for name in of:
            cell = self.cells[name]
            waits[name] = {driver[bit] for port, bits in cell["connections"].items()
                           if cell["port_directions"][port] == "input"
                           for bit in bits if bit in driver}
        readers = collections.defaultdict(list)
        for name, before in waits.items():
            for other in before:
                readers[other].append(name)
        depth = dict.fromkeys(of, 0)
        left = {name: len(before) for name, before in waits.items()}
        ready = [name for name, n in left.items() if n == 0]
        done = 0
        while ready:
            name = ready.pop()
            done += 1
            depth[name] += of[name]
            for other in readers[name]:
                depth[other] = max(depth[other], depth[name])
                left[other] -= 1
                if left[other] == 0:
                    ready.append(other)
        if done != len(of):
            raise Broken("the logic has a loop")
        return max(depth.values(), default=0)

    def aliases(self, wanted: Iterable[Any]) -> dict[Any, list[str]]:
        """Names of some bits: {bit: [name[index], ...]}."""
        names = {bit: [] for bit in wanted}
        for name, net in self.netnames.items():
            for index, bit in enumerate(net["bits"]):
                if bit in names:
                    names[bit].append(f"{name}[{index}]" if len(net["bits"]) > 1 else name)
        return names


def check_harness(design: Netlist, harness: Netlist, top: Netlist, family: str, box: str) -> None:
    """Nothing of the design is constant, unread or changed inside the harness."""
    ff = CELLS[family]["ff"]
    registers, readers = set(), collections.Counter()
    for cell in harness.cells.values():
        for port, bits in cell["connections"].items():
            if cell["type"] == box:
                continue
            if cell["port_directions"][port] == "input":
                readers.update(bits)
            elif re.fullmatch(ff, cell["type"]):
                registers.update(bits)
    boxes = [cell for cell in harness.cells.values() if cell["type"] == box]
    if len(boxes) != 1:
        raise Broken(f"{len(boxes)} instances of {box} in the harness, not 1")
    used = collections.Counter()
    for port, bits in boxes[0]["connections"].items():
        if port == "clk_i":
            continue
        if design.ports[port]["direction"] == "input":
            used.update(bits)
            if not set(bits) <= registers:
                raise Broken(f"an input of {port} does not come from a register")
        elif any(readers[bit] == 0 for bit in bits):
            raise Broken(f"an output of {port} is not read")
    missing = set(design.ports) - set(boxes[0]["connections"]) - {"probe_o"}
    if missing:
        raise Broken(f"{', '.join(sorted(missing))} not connected")
    if any(n > 1 for n in used.values()):
        raise Broken("two inputs share a register")
    want = design.types() + harness.types()
    del want[box]
    got = top.types()
    for kind in sorted(set(want) | set(got)):
        if want[kind] != got[kind]:
            raise Broken(f"cells {kind}: {want[kind]} apart, {got[kind]} in one netlist")


# -- the critical path ------------------------------------------------------------------------

def critical_path(report: dict[str, Any], netlist: Netlist) -> dict[str, Any]:
    """The slowest path from register to register, with all names of its nets."""
    path = next(p for p in report["critical_paths"]
                if p["from"].startswith("posedge") and p["to"].startswith("posedge"))["path"]
    index = {}
    for name, net in netlist.netnames.items():
        for place, bit in enumerate(net["bits"]):
            index[f"{name}[{place}]" if len(net["bits"]) > 1 else name] = bit
    cells = netlist.cells
    hops, bits, lut_at_end = [], [], False
    for hop in path:
        if hop["type"] == "routing":
            bits.append(index.get(hop["net"]))
            hops.append({"net": hop["net"]})
    end = path[-1]["to"]
    cell, pin = end["cell"], end["port"]
    if cell.endswith("_DFFLC"):
        cell = cell[:-6]
    elif cell.endswith("_LC"):          # a LUT and the flip-flop behind it are one cell
        cell = cell[:-3]
        lut_at_end = re.fullmatch(r"I\d", pin) is not None
    found = cells.get(cell)
    bit = None
    if found and "Q" in found["connections"]:
        bit = found["connections"]["Q"][0]
    elif found:
        out = found["connections"].get("O", [None])[0]
        bit = next((c["connections"]["Q"][0] for c in cells.values()
                    if c["connections"].get("D") == [out] and "Q" in c["connections"]), None)
    names = netlist.aliases([b for b in bits + [bit] if b is not None])
    for hop, b in zip(hops, bits):
        hop["names"] = names.get(b) or [hop["net"]]
    luts = sum(1 for hop in path if hop["type"] == "logic" and
               re.fullmatch(r"O|F\d?|Z", hop["to"]["port"])) + lut_at_end
    return {"hops": hops, "end": names.get(bit) or [cell], "pin": pin, "luts": luts,
            "logic": sum(h["delay"] for h in path if h["type"] != "routing"),
            "routing": sum(h["delay"] for h in path if h["type"] == "routing")}


# What a signal is about; of all names of a net the one that stands highest counts.
STAGES = [
    ("arbiter", "gnt won gnt_o gnt_i"),
    ("scan order", "before_bits before_o before_i ahead ahead_i ahead_o round pairs older age"),
    ("arbiter", "col req_i lead takes1 rest second rival1 rival2 rival3"),
    ("requests", "req ask can want req_o ask_o req_and next_want child_q up_q parent_q want_q"),
    ("channel choice", "offer offer_o asks leader favourite answer channel late next_q takes chan chan_q"),
    ("free channels", "free alloc busy busy_q held free_i"),
    ("channel taken", "out_valid out_valid_o head valid_i"),
    ("crossbar", "word_o words out out_flit flit turned_word front_word part from"),
    ("queue control", "renew none more pop draw room_o valid valid_q full_q turn_q body_q fresh_q "
                      "behind load count_q rd_q wr_q"),
    ("queue", "front front_q mem_q next even_q odd_q stored"),
    ("random bits", "lfsr_q fresh random state_o"),
]
RANK = {name: (rank, words) for rank, (words, names) in enumerate(STAGES) for name in names.split()}
# What yosys adds to the name of a net when it names the logic around it.
ADDED = re.compile(r"_(SB_\w+|LUT4|TRELLIS_FF|CCU2C|PFUMX|L6MUX21)_.*$")
HARNESS = {"in_q": "input", "out_q": "output", "fold_q": "output"}
RESET_PINS = ("SR", "LSR")
ENABLE_PINS = ("CEN", "CE")


def plain(name: str) -> str:
    """The last part of a hierarchical name, without index and without what yosys added."""
    return ADDED.sub("", re.sub(r"\[\d+\]$", "", re.split(r"\.(?=[^.]*$)", name)[-1]))


def place(name: str) -> str:
    """Which switch, port or output a name belongs to."""
    switch = re.search(r"g_level\[(\d+)\]\.g_switch\[(\d+)\]", name)
    port = re.search(r"g_port\[(\d)\]", name)
    out = re.search(r"g_out\[(\d)\]", name)
    words = [f"S({switch[1]},{switch[2]})"] if switch else []
    if port:
        words.append(f"port {port[1]}")
    elif out:
        words.append(f"output {out[1]}")
    return " ".join(words)


def best(names: Sequence[str]) -> str:
    """The name that says most: known, not made by yosys, within a port or output, short."""
    return min(names, key=lambda n: (RANK.get(plain(n), (99,))[0], ADDED.search(n) is not None,
                                     place(n) == "", len(n), n))


def register(names: Sequence[str]) -> str:
    """A register by its own name, if one is known."""
    own = [n for n in names if plain(n).endswith("_q")]
    name = min(own or names, key=lambda n: (ADDED.search(n) is not None, place(n) == "", len(n), n))
    said = HARNESS.get(plain(name), plain(name))
    return f"{place(name)} {said}".strip()


def stage(names: Sequence[str]) -> str:
    """What a net is about, and where."""
    for name in names:
        grant = re.search(r"\.gnt\[(\d+)\]$", name)
        if grant:
            return f"grant of port {int(grant[1]) // 6} to output {int(grant[1]) % 6}"
    name = best(names)
    if "u_scan" in name:
        return "scan order"
    words = RANK.get(plain(name), (99, plain(name)))[1]
    return words if words in ("arbiter", "scan order") else f"{place(name)} {words}".strip()


def in_words(path: dict[str, Any]) -> str:
    """output 2 busy_q -> port 1 requests -> arbiter (2) -> port 1 child_q enable."""
    parts: list[list[Any]] = [[register(path["hops"][0]["names"]), 0]]
    for hop in path["hops"][1:]:
        if hop["net"].startswith("$"):  # nextpnr's own, in a chain of carries
            continue
        words = stage(hop["names"])
        if parts[-1][0] == words:
            parts[-1][1] += 1
        else:
            parts.append([words, 1])
    # A switch of a network is named where the path enters it.
    pin, at = path["pin"], ""
    parts.append([register(path["end"]), 0])
    for part in parts:
        found = re.match(r"S\(\d+,\d+\) ", part[0])
        if found and found[0] == at:
            part[0] = part[0][len(at):]
        at = found[0] if found else at
    what = " enable" if pin in ENABLE_PINS else " reset" if pin in RESET_PINS else ""
    text = [words + (f" ({n})" if n > 1 else "") for words, n in parts]
    return (" -> ".join(text) + what + f"; {path['luts']} LUTs, {path['logic']:.1f} ns logic + "
            f"{path['routing']:.1f} ns routing")
