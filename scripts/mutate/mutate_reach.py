# SPDX-License-Identifier: Apache-2.0
# mutate_reach.py - proves that a mutant of a switch, or of a cube's router, changes nothing in any state that
# it can reach.
#
# mutate_equal.py compares from every state and for every input; what it leaves may still be equivalent since
# some states are never reached.  Here the registers start with anything, one cycle of reset follows, and
# from then on every sender keeps the rules of a link (docs/switch.md): a flit only where there was room, one
# channel at a time, whole worms on a channel, no worm back to where it came from; at a router (docs/cube.md)
# only to nodes that there are, and by negative-hop no further than the channels go.  ABC's pdr then finds an
# invariant under which original and mutant, from the same registers, have the same next state, also of the reset
# cycle, and the same outputs after it.  If only that cycle leaves other registers, pdr must prove that a mutant with
# registers of its own, which start as those of the original do, never has another output.
# The rules are not assumptions but part of the graph: whatever its inputs, what enters the switch keeps them.
#
# A mutant in a network is proven for each switch of it alone: that every link of the network keeps the rules
# is what `make formal` proves (network_props.v); as long as they hold the mutant acts as the original does,
# so they go on to hold.
#
# told() looks for the reverse, of a mutant of the fast switch: an output of a mutant with registers of its own that
# the switch does not give.  The switch is proven to be the reference, so the
# proof of that fails for this mutant.
from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence

from mutate_equal import Graph, Netlist, write_graph
from mutate_tools import Trouble, missing
from lib.programs import ABC

SECONDS = 300                           # for a proof; those of make mutate take 4 to 160
CYCLES = 12                             # that say which registers a proof needs
ENDS = r"Property proved|was asserted in frame|resource limit|timeout"
FRAMES = 200                            # cycles in which a difference is looked for


class Device(Graph):
    """A netlist behind senders that keep the rules of a link, after a reset.

    ports: those by which flits enter; fixed: inputs that never change; aim(port, body) makes the head that enters one
    that may, if body is 0.
    """

    def __init__(self, file: str, vcs: int, flit_w: int, ports: Iterable[int], fixed: Iterable[tuple[str, int]] = ()) -> None:
        netlist = Netlist(file)
        super().__init__(netlist)
        for name, value in fixed:
            self.put(name, value)
        self.vcs, self.flit_w = vcs, flit_w
        # 0 0: the first cycle, registers load anything; 1 0: the second, a reset; 1 1: all others.
        self.late, self.live = self.new(), self.new()
        self.after = {self.late: 1, self.live: self.late}   # register: next state
        self.put("rst_i[0]", self.either(self.at("rst_i[0]"), self.live ^ 1))
        for port in ports:
            self.send(port)
        self.gold = self.roots(0)
        self.first = [self.new() for _ in netlist.registers]
        for k, (literal, _) in enumerate(netlist.registers):
            self.after[self.leaf[literal >> 1]] = self.choose(self.late, self.gold[k], self.first[k])

    def choose(self, which: int, a: int, b: int) -> int:
        return self.either(self.both(which, a), self.both(which ^ 1, b))

    def differ(self, a: int, b: int) -> int:
        return self.choose(a, b ^ 1, b)

    def at(self, name: str) -> int:
        return self.leaf[self.netlist.name[name] >> 1]

    def put(self, name: str, literal: int) -> None:
        self.leaf[self.netlist.name[name] >> 1] = literal

    def number_is(self, bits: Sequence[int], number: int) -> int:
        out = 1
        for k, bit in enumerate(bits):
            out = self.both(out, bit ^ 1 ^ (number >> k & 1))
        return out

    def flit(self, port: int, bit: int) -> str:
        return f"in_flit_i[{(self.flit_w + 2) * port + bit}]"

    def valid(self, port: int, v: int) -> str:
        return f"in_valid_i[{self.vcs * port + v}]"

    def send(self, port: int) -> None:
        """What enters by a port becomes what may enter there."""
        tail = self.at(self.flit(port, self.flit_w))
        reset = self.at("rst_i[0]")
        sent, body = 0, 0               # by a lower channel; within a worm
        for v in range(self.vcs):
            room = self.gold[len(self.netlist.registers) + self.netlist.name[f"in_room_o[{self.vcs * port + v}]"]]
            if any(n not in self.register and self.fan[n] is None and n for n in self.cone([room])):
                raise Trouble(4, "room depends on what enters in the same cycle")
            valid = self.both(self.both(self.at(self.valid(port, v)), room), sent ^ 1)
            self.put(self.valid(port, v), valid)
            sent = self.either(sent, valid)
            inside = self.new()     # a worm is under way on this channel
            self.after[inside] = self.both(reset ^ 1, self.choose(valid, tail ^ 1, inside))
            body = self.either(body, self.both(valid, inside))
        self.put(self.flit(port, self.flit_w + 1), body ^ 1)
        self.aim(port, body)

    def aim(self, port: int, body: int) -> None:
        raise NotImplementedError

    def write(self, file: str, number: int, reset: bool) -> bool:
        """The question whether this mutant is ever seen, as a binary AIGER file; False if it never can be.  reset: also by
        what the reset cycle leaves in registers."""
        seen, mutant = 0, self.roots(number)
        for k in self.places(mutant):
            when = self.late if reset and k < len(self.netlist.registers) else self.live
            seen = self.either(seen, self.both(when, self.differ(self.gold[k], mutant[k])))
        return self.save(file, seen)

    def write_apart(self, file: str, number: int) -> bool:
        """The question whether this mutant, with registers of its own, ever gives another output than a probe."""
        registers = self.netlist.registers
        mine = {literal >> 1: self.leaf[literal >> 1] for literal, _ in registers}
        self.leaf |= {variable: self.new() for variable in mine}
        other = self.roots(number)
        for k, (literal, _) in enumerate(registers):
            self.after[self.leaf[literal >> 1]] = self.choose(self.late, other[k], self.first[k])
        self.leaf |= mine
        seen = 0
        for name, place in self.netlist.name.items():
            if re.match(r"(in_room|out_valid|out_flit)_o\[", name):
                k = len(registers) + place
                seen = self.either(seen, self.differ(self.gold[k], other[k]))
        return self.save(file, self.both(seen, self.live))

    def save(self, file: str, seen: int) -> bool:
        """A binary AIGER file that asks whether a literal is ever high; False if it never can be."""
        after = {r >> 1: n for r, n in self.after.items()}
        nodes, stack = set(), [seen >> 1]
        while stack:
            node = stack.pop()
            if node not in nodes:
                nodes.add(node)
                stack += [x >> 1 for x in self.fan[node] or ()]
                stack += [after[node] >> 1] if node in after else []
        order = sorted(nodes - {0})     # a gate comes after what it joins
        gates = [n for n in order if self.fan[n]]
        registers = [n for n in order if n in after]
        inputs = [n for n in order if not self.fan[n] and n not in after]
        index = {n: k for k, n in enumerate([0, *inputs, *registers, *gates])}
        literal = lambda x: 2 * index[x >> 1] + (x & 1)
        with open(file, "wb") as out:
            out.write(f"aig {len(order)} {len(inputs)} {len(registers)} 1 {len(gates)}\n".encode())
            out.writelines(f"{literal(after[n])}\n".encode() for n in registers)
            out.write(f"{literal(seen)}\n".encode())
            for n in gates:
                low, high = sorted(map(literal, self.fan[n]))
                out.write(packed(2 * index[n] - high) + packed(high - low))
        return seen != 0


class Switch(Device):
    """A switch of the fat tree."""

    def __init__(self, file: str, vcs: int, flit_w: int, level: int, levels: int) -> None:
        self.level, self.levels = level, levels
        super().__init__(file, vcs, flit_w, range(4 if level == levels else 6))

    def aim(self, port: int, body: int) -> None:
        """A head that comes from a child and turns here goes to another child."""
        if port >= 4:
            return
        bits = range(self.levels.bit_length())
        height = [self.at(self.flit(port, 4 * self.levels + k)) for k in bits]
        digit = [self.at(self.flit(port, 2 * self.level - 2 + k)) for k in (0, 1)]
        back = self.number_is(digit, port)
        turns = int(self.level == self.levels)
        for low in range(self.level + 1):
            turns = self.either(turns, self.number_is(height, low))
        turns = self.both(turns, body ^ 1)
        self.put(self.flit(port, 2 * self.level - 2), self.differ(digit[0], self.both(back, turns)))


class Router(Device):
    """The router of node {y, x} of a k-ary 2-cube."""

    def __init__(self, file: str, vcs: int, flit_w: int, k: int, torus: bool, nhop: bool, node: int, network: bool = False) -> None:
        self.k, self.torus, self.nhop = k, torus, nhop
        self.here = (node % k, node // k)
        ports = [p for p in range(5) if p == 4 or torus or self.here[p // 2] != (0 if p % 2 else k - 1)]
        # In a network it is told its place, and nothing comes over the edge of a mesh.  Alone what comes there is left
        # free: that proves less, never more.
        fixed: dict[str, int] = {}
        if network:
            digits = (k - 1).bit_length()
            place = self.here[0] | self.here[1] << digits
            fixed = {f"node_i[{b}]": place >> b & 1 for b in range(2 * digits)}
            fixed |= {f"in_valid_i[{vcs * p + v}]": 0 for p in {0, 1, 2, 3} - {*ports} for v in range(vcs)}
        super().__init__(file, vcs, flit_w, ports, fixed.items())

    def way(self, d: int, to: int) -> int:
        """Port that leads along dimension d to this coordinate."""
        k, at = self.k, self.here[d]
        up = (to - at) % k
        return 2 * d + int(not (to > at if not self.torus else 2 * up < k or 2 * up == k and at % 2 == 0))

    def back(self, port: int, x: int, y: int) -> bool:
        """Would a head for {y, x} that came in by this port go back?"""
        ways = [self.way(d, to) for d, to in enumerate((x, y)) if to != self.here[d]]
        return port in (ways if self.nhop else ways[:1]) if ways else port == 4

    def aim(self, port: int, body: int) -> None:
        """Any other head goes to a node where it may, the same one: this, or its neighbour along x."""
        digits = (self.k - 1).bit_length()
        names = [self.flit(port, k) for k in range(2 * digits)]
        bits = [self.at(name) for name in names]
        bad = 0
        for to in range(4 ** digits):
            x, y = to % 2 ** digits, to // 2 ** digits
            if max(x, y) >= self.k or self.back(port, x, y):
                bad = self.either(bad, self.number_is(bits, to))
        if self.nhop and port < 4 and sum(self.here) % 2 == 0:  # one hop more than the last channel counts
            away = self.number_is(bits, self.here[0] | self.here[1] << digits) ^ 1
            bad = self.either(bad, self.both(self.at(self.valid(port, self.vcs - 1)), away))
        bad = self.both(bad, body ^ 1)
        x, y = (self.here[0] + (port == 4)) % self.k, self.here[1]
        for k, (name, bit) in enumerate(zip(names, bits)):
            self.put(name, self.choose(bad, (x | y << digits) >> k & 1, bit))


def packed(number: int) -> bytes:
    """A number as binary AIGER has it: seven bits a byte, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def abc(file: str, commands: str, ends: str) -> str:
    """What ABC says of an AIGER file."""
    try:
        done = subprocess.run([ABC, "-c", f"read_aiger {os.path.basename(file)}; strash; {commands}"],
                              check=False, capture_output=True, text=True, errors="replace",
                              cwd=os.path.dirname(file))
    except FileNotFoundError:
        raise missing(ABC) from None
    if done.returncode or not re.search(ends, done.stdout):
        raise Trouble(4, f"{ABC}: ended with code {done.returncode} on {file}")
    return done.stdout


def never(file: str) -> bool:
    """True if pdr proves that the output of an AIGER file is never 1, False if it can be or nobody knows.

    What takes long is tried with the registers alone that a proof for some cycles needs, the others free: that proves
    less, never more, and may take seconds where all of them take more than SECONDS.
    """
    few = f"&get; &gla -F {CYCLES} -T 60; &gla_derive; &put; dc2; scorr; pdr -T 60"
    for how, ends in (("pdr -T 30", ENDS), (few, ""), (f"pdr -T {SECONDS}", ENDS)):
        said = abc(file, f"scorr; dc2; {how}", ends)
        if "Property proved" in said:
            return True
        if ends and "was asserted in frame" in said:
            return False
    return False


def unseen(device: Device, file: str, number: int) -> bool:
    """True if no state that is reached shows this mutant."""
    if not device.write(file, number, True) or never(file):
        return True
    return (not device.write(file, number, False) or never(file)) and (not device.write_apart(file, number) or never(file))


def switches(folder: str, shape: str) -> tuple[list[tuple[str | None, int]], int]:
    """(name of the module, level) of every kind of switch in a shape; the name is None if it is the top."""
    place = shape.split("-")[0]
    if place[0] == "s":
        level, levels = map(int, place[1:].split("of"))
        return [(None, level)], levels
    kinds, name = [], None
    with open(f"{folder}/base.il", encoding="utf-8") as text:
        for line in text:
            if line.startswith("module "):
                name = line.split()[1].lstrip("\\")
            elif name and name.endswith("\\switch") and line.startswith("  parameter \\LEVEL "):
                kinds.append((name, int(line.split()[2])))
    return kinds, max(level for _, level in kinds)


def router_of(folder: str) -> str:
    """Name of the module that is each router of a torus or a mesh: its place is an input."""
    with open(f"{folder}/base.il", encoding="utf-8") as text:
        names = [line.split()[1] for line in text if re.match(r"module \S*\\cube(\\\S*)?\n", line)]
    if len(names) != 1:
        raise Trouble(4, f"{folder}/base.il: {len(names)} modules of cube.v; there should be one")
    return names[0].lstrip("\\")


def equivalent(folder: str, top: str, shape: str, number: int) -> bool:
    """True if no switch or router of the shape, in any state that it can reach, shows this mutant."""
    vcs, flit_w = (int(re.search(rf"-{k}(\d+)", shape)[1]) for k in "vw")
    question = f"{folder}/reach.aig"
    cube = re.match(r"(torus|mesh)(\d+)n?(\d*)-", shape)
    if cube:
        graph = "netlist.aag" if cube[3] else "router.aag"
        if not os.path.exists(f"{folder}/{graph}"):
            write_graph(folder, top, None if cube[3] else f"\\{router_of(folder)}", graph)
        asked = 0
        for node in [int(cube[3])] if cube[3] else range(int(cube[2]) ** 2):
            router = Router(f"{folder}/{graph}", vcs, flit_w, int(cube[2]), cube[1] == "torus", "-nhop-" in shape, node,
                            not cube[3])
            if router.differences(router.roots(number)):
                asked += 1
                if not unseen(router, question, number):
                    return False
        return asked > 0
    kinds, levels = switches(folder, shape)
    asked = 0
    for name, level in kinds:
        graph = f"level{level}.aag" if name else "netlist.aag"
        if not os.path.exists(f"{folder}/{graph}"):
            write_graph(folder, top, f"\\{name}" if name else None, graph)
        switch = Switch(f"{folder}/{graph}", vcs, flit_w, level, levels)
        if switch.differences(switch.roots(number)):
            asked += 1
            if not unseen(switch, question, number):
                return False
    return asked > 0


def told(folder: str, top: str, shape: str, number: int) -> int | None:
    """Cycles after which some switch of the shape, behind senders that keep the rules, gives another output with
    this mutant; None if none is found."""
    vcs, flit_w = (int(re.search(rf"-{k}(\d+)", shape)[1]) for k in "vw")
    question = f"{folder}/told.aig"
    kinds, levels = switches(folder, shape)
    for name, level in kinds:
        graph = f"level{level}.aag" if name else "netlist.aag"
        if not os.path.exists(f"{folder}/{graph}"):
            write_graph(folder, top, f"\\{name}" if name else None, graph)
        if Switch(f"{folder}/{graph}", vcs, flit_w, level, levels).write_apart(question, number):
            said = abc(question, f"bmc3 -F {FRAMES} -T {SECONDS}", r"was asserted in frame|No output asserted")
            found = re.search(r"was asserted in frame (\d+)", said)
            if found:
                return int(found[1])
    return None
