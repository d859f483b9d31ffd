# SPDX-License-Identifier: Apache-2.0
"""formal_sat.py - induction over k steps, for scripts/formal/formal.py: two formulas for a SAT solver.

A model is what formal_gates.py makes: registers that start at zero, properties
("bad", high when broken) and constraints (high when the environment keeps its word).

  start: from reset no property breaks in the first k cycles;
  step:  from *any* state, after k cycles in which none breaks none breaks in the next.

Constraints are assumed in every cycle up to the one that breaks, not after it: the environment may have no way on.  If neither
formula can be met, no reachable state breaks a property.  Yosys `sat -tempinduct` does the same with another solver and without gates shared over cycles.
"""
from __future__ import annotations

import dataclasses

from lib.aig import Clause, Graph, variable


class Wrong(Exception):
    """What was read is no model."""


@dataclasses.dataclass
class Model:
    """Number of inputs, next states, properties, constraints, gates (a, b): literals as AIGER numbers them, inputs first,
    then registers, then gates."""
    inputs: int
    after: list[int]
    bad: list[int]
    held: list[int]
    gates: list[tuple[int, int]]


class File:
    """A binary AIGER file."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def model(self) -> Model:
        words = self.line().split()
        if words[:1] != [b"aig"] or len(words) != 10 or any(map(int, words[8:])):
            raise Wrong(f"not what write_aiger -B makes: {b' '.join(words).decode(errors='replace')}")
        _, inputs, registers, outputs, gates, bad, held = map(int, words[1:8])
        after = []
        for k in range(registers):
            then, *start = map(int, self.line().split())
            if start not in ([], [0]):
                raise Wrong(f"register {k} does not start at zero")
            after.append(then)
        for _ in range(outputs):
            self.line()
        broken = [int(self.line()) for _ in range(bad)]
        kept = [int(self.line()) for _ in range(held)]
        pairs = []
        for k in range(gates):
            a = 2 * (1 + inputs + registers + k) - self.number()
            pairs.append((a, a - self.number()))
        return Model(inputs, after, broken, kept, pairs)

    def line(self) -> bytes:
        end = self.data.index(b"\n", self.at)
        text, self.at = self.data[self.at:end], end + 1
        return text

    def number(self) -> int:
        """Seven bits a byte, the low ones first."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7


class Unrolled:
    """Some cycles of a model, from reset or from any state."""

    def __init__(self, model: Model, cycles: int, reset: bool) -> None:
        self.graph = Graph()
        new, both = self.graph.new, self.graph.both
        state = [0 if reset else new() for _ in model.after]
        self.inputs, self.bad, self.held = [], [], []   # of each cycle
        for _ in range(cycles):
            self.inputs.append([new() for _ in range(model.inputs)])
            value = [0, *self.inputs[-1], *state]
            for a, b in model.gates:
                value.append(both(value[a >> 1] ^ (a & 1), value[b >> 1] ^ (b & 1)))
            self.bad.append([value[x >> 1] ^ (x & 1) for x in model.bad])
            self.held.append([value[x >> 1] ^ (x & 1) for x in model.held])
            state = [value[x >> 1] ^ (x & 1) for x in model.after]

    def formula(self, good: int) -> tuple[dict[int, int], list[Clause]]:
        """Can a property break after the first `good` cycles, in which none does?

        {node: variable}, clauses."""
        kept = [x for cycle in self.bad[:good] for x in cycle]
        assumed = [x for cycle in self.held[:good + 1] for x in cycle]
        so_far, broken = 1, []
        for k in range(good, len(self.bad)):
            for x in self.held[k] if k > good else []:
                so_far = self.graph.both(so_far, x)
            broken += [self.graph.both(so_far, x) for x in self.bad[k]]
        name, rows = self.graph.clauses(broken + kept + assumed)
        rows += [(variable(name, x),) for x in assumed] + [(-variable(name, x),) for x in kept]
        return name, rows + [tuple(variable(name, x) for x in broken)]


def start(model: Model, steps: int) -> tuple[Unrolled, dict[int, int], list[Clause]]:
    """The formula that no property breaks in the first `steps` cycles, and its cycles."""
    cycles = Unrolled(model, steps, True)
    return cycles, *cycles.formula(0)


def step(model: Model, steps: int) -> tuple[Unrolled, dict[int, int], list[Clause]]:
    """The formula that none breaks after `steps` cycles without."""
    cycles = Unrolled(model, steps + 1, False)
    return cycles, *cycles.formula(steps)


def witness(model: Model, cycles: Unrolled, name: dict[int, int], text: str) -> tuple[int, str]:
    """(first cycle in which a property breaks, registers at reset and inputs of each cycle up to it) of what the solver found."""
    true = {int(w) for line in text.splitlines() if line.startswith("v ") for w in line.split()[1:]}

    def high(literal: int) -> bool:
        return literal == 1 or (literal >> 1 in name and variable(name, literal) in true)

    last = next(k for k, bad in enumerate(cycles.bad) if any(map(high, bad)))
    rows = ["0" * len(model.after)]
    rows += ["".join("01"[high(x)] for x in cycles.inputs[k]) for k in range(last + 1)]
    return last, "\n".join(rows) + "\n"
