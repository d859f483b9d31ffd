# SPDX-License-Identifier: Apache-2.0
"""test_sound.py - what provers say of random machines with three registers, against every state of these: no mutant that differs
is proven equivalent, and no property that breaks is proven."""

from __future__ import annotations

import collections
import itertools
import pathlib
import random

import pytest

import formal
import formal_gates
import formal_sat
import mutate_equal
import mutate_reach
from lib import aig

REGISTERS, GATES = 3, 12
INPUTS = ["rst_i", "in_i", *(f"mutant[{k}]" for k in range(16))]
State = tuple[int, ...]


class Machine:
    """AND gates of random literals; some of them read bit 0 of the mutant's number, which is that of `inputs` behind the second.  Of an
    odd seed an output shows one register, which reads the next, and so on."""

    def __init__(self, seed: int, inputs: int) -> None:
        r = random.Random(seed)
        self.inputs, first = inputs, 1 + inputs + REGISTERS
        registers, mutant = range(1 + inputs, first), [3] * (inputs > 2)
        self.gates: list[tuple[int, int]] = []
        for k in range(GATES):
            part = k // 4                  # of an odd seed: the register for which the gate is
            those = [1, 2, *registers[part:part + 2], *mutant, *range(first + 4 * part, first + k)] if seed % 2 else [
                1, 2, *registers, 1, 2, *registers, *mutant, *range(first, first + k)] if k < GATES - 3 else range(first, first + k)
            self.gates.append((2 * r.choice(those) + r.randrange(2), 2 * r.choice(those) + r.randrange(2)))
        nodes = range(first + GATES // 2, first + GATES)
        self.after, self.ends = ([2 * r.choice(nodes) + r.randrange(2) for _ in range(count)] for count in (REGISTERS, 2))
        if seed % 2:
            self.after, self.ends[0] = [2 * (first + 4 * part + 3) for part in range(REGISTERS)], 2 * registers[0]

    def cycle(self, state: State, given: State) -> tuple[State, State]:
        """Registers after a cycle, and its outputs."""
        value = [0, *given, *[0] * (self.inputs - len(given)), *state]
        for a, b in self.gates:
            value.append((value[a >> 1] ^ a & 1) & (value[b >> 1] ^ b & 1))
        after, ends = (tuple(value[x >> 1] ^ x & 1 for x in literals) for literals in (self.after, self.ends))
        return after, ends

    def write(self, file: pathlib.Path) -> None:
        first = 1 + self.inputs + REGISTERS
        rows = [f"aag {first - 1 + GATES} {self.inputs} {REGISTERS} 1 {GATES}", *(str(2 * k) for k in range(1, 1 + self.inputs)),
                *(f"{2 * (1 + self.inputs + k)} {x}" for k, x in enumerate(self.after)), str(self.ends[0]),
                *(f"{2 * (first + k)} {a} {b}" for k, (a, b) in enumerate(self.gates)), *(f"i{k} {name}" for k, name in enumerate(INPUTS)),
                "o0 out_valid_o", "c", ""]
        file.write_text("\n".join(rows))


ALL = list(itertools.product(range(2), repeat=REGISTERS))


def differs(machine: Machine, begin: list[tuple[State, State]]) -> bool:
    """Is there a way from these pairs of states, without and with the mutant, to two outputs?"""
    seen, left = set(begin), list(begin)
    while left:
        one, other = left.pop()
        for given in itertools.product(range(2), repeat=2):
            (a, out), (b, wrong) = machine.cycle(one, (*given, 0)), machine.cycle(other, (*given, 1))
            if out[0] != wrong[0]:
                return True
            if (a, b) not in seen:
                seen.add((a, b))
                left.append((a, b))
    return False


def test_equal_from_every_state(tmp_path: pathlib.Path) -> None:
    found: collections.Counter[tuple[str, bool]] = collections.Counter()
    for seed in range(70):
        machine = Machine(seed, len(INPUTS))
        machine.write(tmp_path / "netlist.aag")
        how = mutate_equal.equivalent(str(tmp_path), "", [1]).get(1, "")
        different = differs(machine, [(s, s) for s in ALL])
        assert not how or not different, seed
        found[how, different] += 1
    assert found["sat", False] > 1 and found["structure", False] > 3 and found["", True] > 10, found


def test_equal_after_a_reset(tmp_path: pathlib.Path) -> None:
    """Registers begin with anything, the same on both sides, and one cycle of reset follows."""
    found: collections.Counter[tuple[bool, bool]] = collections.Counter()
    for seed in range(18):
        machine = Machine(seed, len(INPUTS))
        machine.write(tmp_path / "netlist.aag")
        begin = [(machine.cycle(s, (1, x, 0))[0], machine.cycle(s, (1, x, 1))[0]) for s in ALL for x in range(2)]
        different = differs(machine, begin)
        same = mutate_reach.unseen(mutate_reach.Device(f"{tmp_path}/netlist.aag", 1, 16, ()), f"{tmp_path}/reach.aig", 1)
        assert not same or not different, seed
        found[same, different] += 1
    assert found[True, False] > 3 and found[False, True] > 3, found


SEEDS = {"pdr": range(0, 20, 2), "scorr": range(20, 40, 2), "bmc:9": range(40, 60, 2), "cadical:1": range(0, 50, 2), "cadical:3": range(40, 120, 2)}


def breaks(machine: Machine) -> int | None:
    """The first cycle in which the first output can be high, where the second is in all; None: never."""
    states, seen = {(0,) * REGISTERS}, set()
    for cycle in range(len(ALL)):
        steps = [machine.cycle(s, given) for s in states for given in itertools.product(range(2), repeat=2)]
        if any(ends == (1, 1) for _, ends in steps):
            return cycle
        seen |= states
        states = {after for after, ends in steps if ends[1]} - seen
    return None


def leads(machine: Machine, trace: list[str], at: int) -> bool:
    """Does a trace, registers and then the inputs of each cycle, break the property in that cycle, its last, with the constraint met in all?"""
    state, *given = (tuple(map(int, row)) for row in trace)
    ends: list[State] = []
    for row in given:
        state, end = machine.cycle(state, row)
        ends.append(end)
    return trace[0] == "0" * REGISTERS and len(ends) == at + 1 and ends[-1] == (1, 1) and all(end[1] for end in ends)


@pytest.mark.parametrize("engine", SEEDS)
def test_properties(engine: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A property and a constraint; what Yosys reads is left out."""
    found: collections.Counter[str] = collections.Counter()
    monkeypatch.setattr(formal, "YOSYS", "true")
    for seed in SEEDS[engine]:
        machine = Machine(seed, 2)
        model = formal_sat.Model(2, machine.after, [machine.ends[0]], [machine.ends[1]], machine.gates)

        def gates(_check: formal.Check, where: pathlib.Path, model: formal_sat.Model = model) -> formal_sat.Model:
            formal_gates.write_aiger(where / "model.aig", model)
            return model

        monkeypatch.setattr(formal, "gates", gates)
        check = formal.Check("c", ["tb/formal/check.v"], "check", [], engine, "proved", "x")
        status, said = formal.attempt(check, tmp_path, {}, 20, lambda: None)
        first, steps = breaks(machine), int(engine.partition(":")[2] or 9)
        found[status] += 1
        if status == "falsified":
            at = int(said.split()[-1])
            assert first is not None and (at == first if engine == "bmc:9" else at >= first), seed
            # ABC's has a register more, for the constraint.
            assert "cadical" not in engine or leads(machine, (tmp_path / "trace.aiw").read_text().split(), at), seed
        elif engine in formal.ALONE:
            assert status == "proved" and first is None, seed
        else:
            assert first is None or status == "unknown" and first >= steps, seed
    assert 1 < found["falsified"] < len(SEEDS[engine]) - 1, found


def test_planted(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment must keep its word after what breaks, too."""
    right = formal_sat.Unrolled.formula
    def wrong(cycles: formal_sat.Unrolled, good: int) -> tuple[dict[int, int], list[aig.Clause]]:
        name, rows = right(cycles, good)
        return name, rows + [(aig.variable(name, x),) for cycle in cycles.held for x in cycle if x >> 1 in name]

    monkeypatch.setattr(formal_sat.Unrolled, "formula", wrong)
    with pytest.raises(AssertionError):
        test_properties("cadical:3", tmp_path, monkeypatch)
