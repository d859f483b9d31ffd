# SPDX-License-Identifier: Apache-2.0
# mutate_equal.py - proves that mutants of a netlist are equivalent to it.
#
# Both sides as one graph of AND gates with structural hashing, from the same registers and inputs.
# Registers that no output ever sees are left out.  If every output and every next state is the same
# node, or a SAT solver finds no state and no input that tells them apart, then the two behave alike
# from every state, hence from reset: induction over the cycles, with equal registers as hypothesis.
# No assumption on the inputs or on reachable states is used.  It proves less than could be proven,
# never more.
from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable

from mutate_tools import Trouble, call, missing
from lib import aig

Pairs = list[tuple[int, int]]           # literals


def write_graph(folder: str, top: str, module: str | None = None, out: str = "netlist.aag") -> None:
    """The netlist, or one module of it, with its input `mutant` as an AIGER file."""
    call(["yosys", "-q", "-p", "; ".join([
        f"read_verilog {folder}/{top}.v", f"hierarchy -top {module or top}", "proc", "memory_collect",
        "memory_map", "setundef -zero", "opt_expr", "simplemap", "techmap", "dffunmap", "simplemap",
        "opt_clean -purge", "flatten", "aigmap",
        f"write_aiger -ascii -symbols {folder}/{out}.part"])], folder)
    os.rename(f"{folder}/{out}.part", f"{folder}/{out}")


class Netlist:
    """An AIGER file: literals of inputs, (register, next), outputs and gates."""

    def __init__(self, file: str) -> None:
        with open(file, "rb") as text:
            lines = text.read().split(b"\n")
        _, inputs, registers, outputs, gates = map(int, lines[0].split()[1:6])
        rows = iter(lines[1:])
        self.inputs = [int(next(rows)) for _ in range(inputs)]
        self.registers = [tuple(map(int, next(rows).split()[:2])) for _ in range(registers)]
        self.outputs = [int(next(rows)) for _ in range(outputs)]
        self.gates = sorted(tuple(map(int, next(rows).split())) for _ in range(gates))
        # Inputs without a name are free: what a memory gives for an address that it has not.
        ports = {f"i{k}" for k in range(inputs)} | {f"o{k}" for k in range(outputs)}
        self.name = {}                  # "port[bit]": literal of an input, or place among the outputs
        for row in rows:
            word = row.decode().split(" ", 1)
            if len(word) == 2 and word[0] in ports:
                ports.remove(word[0])
                name = word[1] if word[1].endswith("]") else word[1] + "[0]"
                at = int(word[0][1:])
                self.name[name] = self.inputs[at] if word[0][0] == "i" else at
        # input literal: bit of the mutant's number
        self.select = {i: int(n[7:-1]) for n, i in self.name.items() if n.startswith("mutant[")}
        whole = b"c" in lines and not any(name.startswith("o") for name in ports)   # the names end with a line "c"
        if not whole or sorted(self.select.values()) not in ([], list(range(16))):  # none: no mutant in this module
            raise Trouble(4, f"{file}: names of ports are missing; delete it")


class Graph(aig.Graph):
    """A netlist and its mutants."""

    def __init__(self, netlist: Netlist) -> None:
        super().__init__()
        self.netlist = netlist
        self.leaf = {}                  # variable of the netlist: literal here
        self.register = {}              # node: number of the register
        for literal in netlist.inputs:
            if literal not in netlist.select:
                self.leaf[literal >> 1] = self.new()
        for k, (literal, _) in enumerate(netlist.registers):
            self.leaf[literal >> 1] = self.new()
            self.register[self.leaf[literal >> 1] >> 1] = k
        self.gold = self.roots(0)

    def roots(self, number: int) -> list[int]:
        """Next state and outputs with this mutant."""
        value = {0: 0, **self.leaf}
        for literal, bit in self.netlist.select.items():
            value[literal >> 1] = number >> bit & 1
        both = self.both
        for out, a, b in self.netlist.gates:
            value[out >> 1] = both(value[a >> 1] ^ (a & 1), value[b >> 1] ^ (b & 1))
        ends = [n for _, n in self.netlist.registers] + self.netlist.outputs
        return [value[e >> 1] ^ (e & 1) for e in ends]

    def places(self, mutant: list[int]) -> list[int]:
        """Where next states and outputs must be equal and are not the same node."""
        count = len(self.netlist.registers)
        seen = set()                    # registers that reach an output in some cycle, on either side
        more = self.gold[count:] + mutant[count:]
        while more:
            reached = {self.register[n] for n in self.cone(more) if n in self.register} - seen
            seen |= reached
            more = [side[r] for r in reached for side in (self.gold, mutant)]
        return [k for k, (a, b) in enumerate(zip(self.gold, mutant)) if a != b and (k >= count or k in seen)]

    def differences(self, mutant: list[int]) -> Pairs:
        """Pairs of literals that must be equal and are not the same node."""
        return [(self.gold[k], mutant[k]) for k in self.places(mutant)]

    def question(self, pairs: Pairs) -> tuple[int, list[aig.Clause]]:
        """Number of variables and clauses that hold if some pair differs."""
        name, rows = self.clauses([x for p in pairs for x in p])
        count = len(name)
        for k, (a, b) in enumerate(pairs, count + 1):
            a, b = aig.variable(name, a), aig.variable(name, b)
            rows += [(-k, a, b), (-k, -a, -b)]
        rows.append(tuple(range(count + 1, count + 1 + len(pairs))))
        return count + len(pairs), rows


def solve(file: str, count: int, rows: list[aig.Clause]) -> bool:
    """True if the clauses cannot hold together; False if they can, or it takes too long."""
    aig.write_cnf(file, count, rows)
    try:
        code = subprocess.run(["cadical", "-q", "-n", "-t", "60", file], check=False,
                              capture_output=True).returncode
    except FileNotFoundError:
        raise missing("cadical") from None
    os.remove(file)
    if code not in (0, 10, 20):
        raise Trouble(4, f"cadical: ended with code {code} on {file}")
    return code == 20


def equivalent(folder: str, top: str, numbers: Iterable[int]) -> dict[int, str]:
    """Those of the mutants that are proven equivalent, with how: structure or sat."""
    if not os.path.exists(f"{folder}/netlist.aag"):
        write_graph(folder, top)
    graph = Graph(Netlist(f"{folder}/netlist.aag"))
    if not graph.netlist.select:
        raise Trouble(4, f"{folder}/netlist.aag: no mutants in it")
    proven = {}
    for number in numbers:
        pairs = graph.differences(graph.roots(number))
        if not pairs:
            proven[number] = "structure"
        elif solve(f"{folder}/query.cnf", *graph.question(pairs)):
            proven[number] = "sat"
    return proven
