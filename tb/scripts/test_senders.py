# SPDX-License-Identifier: Apache-2.0
"""test_senders.py - mutate_reach.py: what its senders let into a switch or router is all that the specification allows, and nothing
else.  One flit that they keep back, and a mutant that it shows would be proven equivalent."""

from __future__ import annotations

import pathlib
import random
import sys
from collections.abc import Callable, Sequence

import pytest

import mutate_equal
import mutate_reach

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "spec"))
import cube  # noqa: E402  (the path above)
import spec  # noqa: E402

MANY, CYCLES, FLIT_W = 64, 8, 24
Allowed = Callable[[int, int, int], bool]       # of a port, a channel there, the payload of a head


def write_queues(file: pathlib.Path, ports: int, vcs: int) -> None:
    """A netlist that is no more than its inputs, and a register for the room of each channel, in which anything comes."""
    names = ["rst_i[0]", *(f"in_valid_i[{k}]" for k in range(ports * vcs)), *(f"in_flit_i[{k}]" for k in range(ports * (FLIT_W + 2))),
             *(f"mutant[{k}]" for k in range(16)), *(f"free_i[{k}]" for k in range(ports * vcs))]
    first, rooms = len(names) + 1, ports * vcs
    rows = [f"aag {len(names) + rooms} {len(names)} {rooms} {rooms} 0", *(str(2 * k) for k in range(1, first)),
            *(f"{2 * (first + k)} {2 * (first - rooms + k)}" for k in range(rooms)), *(str(2 * (first + k)) for k in range(rooms)),
            *(f"i{k} {name}" for k, name in enumerate(names)), *(f"o{k} in_room_o[{k}]" for k in range(rooms)), "c", ""]
    file.write_text("\n".join(rows))


class Played:
    """MANY runs of a device at once, a bit of a number each."""

    def __init__(self, device: mutate_reach.Device) -> None:
        self.device, self.random = device, random.Random(1)
        self.raw = mutate_equal.Graph(device.netlist).leaf           # what comes to the senders: the same nodes, by their order
        self.state = {literal >> 1: 0 for literal in device.after}
        self.value: list[int] = []

    def cycle(self) -> None:
        self.value = []
        for node, fan in enumerate(self.device.fan):
            if node == 0:
                self.value.append(0)
            elif fan:
                self.value.append(self.of(fan[0]) & self.of(fan[1]))
            else:
                self.value.append(self.state[node] if node in self.state else self.random.getrandbits(MANY))
        self.state = {literal >> 1: self.of(after) for literal, after in self.device.after.items()}

    def of(self, literal: int) -> int:
        return self.value[literal >> 1] ^ (-(literal & 1) & ((1 << MANY) - 1))

    def words(self, names: list[str], raw: bool = False) -> list[int]:
        """Of each run the bits of these names: as they enter, or as they came to the senders."""
        columns = [self.of(self.raw[self.device.netlist.name[name] >> 1] if raw else self.device.at(name)) for name in names]
        return [sum((column >> run & 1) << k for k, column in enumerate(columns)) for run in range(MANY)]

    def rooms(self, port: int) -> list[int]:
        device = self.device
        columns = [self.of(device.gold[len(device.netlist.registers) + device.netlist.name[f"in_room_o[{device.vcs * port + v}]"]])
                   for v in range(device.vcs)]
        return [sum((column >> run & 1) << v for v, column in enumerate(columns)) for run in range(MANY)]


def faults(device: mutate_reach.Device, ports: Sequence[int], allowed: Allowed) -> set[str]:
    """What enters and must not, and what may enter and does not."""
    played, found = Played(device), set()
    within = {port: [0] * MANY for port in ports}                    # of each run: the channels with a worm under way
    for cycle in range(CYCLES):
        played.cycle()
        resets = played.words(["rst_i[0]"])
        for port in ports:
            valid, flit = [device.valid(port, v) for v in range(device.vcs)], [device.flit(port, bit) for bit in range(FLIT_W + 2)]
            came, entered = (list(zip(played.words(valid, raw), played.words(flit, raw))) for raw in (True, False))
            for run, room in enumerate(played.rooms(port)):
                def right(on: int, word: int, port: int = port, room: int = room, inside: int = within[port][run]) -> bool:
                    head = word >> FLIT_W + 1
                    return not on or bool(on & on - 1 == 0 and on & room and head == (not on & inside) and (
                        not head or allowed(port, on.bit_length() - 1, word & (1 << FLIT_W) - 1)))

                (on, word), (old, came_word) = entered[run], came[run]
                if cycle > 0:
                    if not right(on, word):
                        found.add(f"port {port}: a flit enters that must not")
                    if right(old, came_word) and (old != on or on and word != came_word):
                        found.add(f"port {port}: a flit that may enter does not")
                within[port][run] = 0 if resets[run] else within[port][run] & ~on | (0 if word >> FLIT_W & 1 else on)
    return found


def heads_of_switch(level: int, levels: int, vcs: int) -> Allowed:
    """Those that leave elsewhere than where they came from; what comes from above goes down whatever its height."""
    config = spec.Config(levels, level, vcs, 2, FLIT_W, "gp", "rr")

    def allowed(port: int, _: int, payload: int) -> bool:
        switch = spec.Switch(config, level)
        worm = spec.Worm(config, 0, 0, payload & (4 ** levels - 1), max(1, payload >> 4 * levels & ((1 << levels.bit_length()) - 1)), 0, 1)
        if level == levels:
            worm.height = level
        switch.inputs[port][0].queue.append((worm, 0))
        return all(output != port for output, _ in switch.wishes(0, port, switch.inputs[port][0], 0, lambda *_: True)) or port in spec.PARENTS
    return allowed


def heads_of_router(config: cube.Config, node: int) -> Allowed:
    """Those to nodes that there are, not back, and with no more hops than there are channels."""
    router, bits = cube.Router(config, node), (config.radix - 1).bit_length()

    def allowed(port: int, v: int, payload: int) -> bool:
        x, y = payload & ((1 << bits) - 1), payload >> bits & ((1 << bits) - 1)
        if max(x, y) >= config.radix:
            return False
        outputs, channels = router.ways(port, v, x + config.radix * y)
        return port not in outputs and channels[-1] < config.vcs
    return allowed


SWITCHES = [(1, 3, 1), (2, 3, 2), (3, 3, 1), (1, 1, 2), (2, 4, 1), (4, 4, 1)]
ROUTERS = [(2, True, "ecube", 2), (3, True, "ecube", 2), (4, True, "ecube", 2), (5, True, "ecube", 3), (4, True, "nhop", 3), (6, True, "nhop", 4),
           (2, False, "ecube", 1), (3, False, "nhop", 3), (4, False, "ecube", 2), (5, False, "nhop", 5)]


@pytest.mark.parametrize("level, levels, vcs", SWITCHES)
def test_switches(level: int, levels: int, vcs: int, tmp_path: pathlib.Path) -> None:
    write_queues(tmp_path / "queues.aag", 6, vcs)
    device = mutate_reach.Switch(f"{tmp_path}/queues.aag", vcs, FLIT_W, level, levels)
    assert not faults(device, range(4 if level == levels else 6), heads_of_switch(level, levels, vcs))


@pytest.mark.parametrize("k, torus, path, vcs", ROUTERS)
def test_routers(k: int, torus: bool, path: str, vcs: int, tmp_path: pathlib.Path) -> None:
    """At an even and an odd node, and one at the edge.  What comes over the edge of a mesh is left free."""
    write_queues(tmp_path / "queues.aag", 5, vcs)
    for node in {k + 1, k + min(2, k - 1), k * k - 1}:
        device = mutate_reach.Router(f"{tmp_path}/queues.aag", vcs, FLIT_W, k, torus, path == "nhop", node)
        x, y = node % k, node // k
        over = [] if torus else [port for port, at in enumerate((x == k - 1, x == 0, y == k - 1, y == 0)) if at]
        config = cube.Config(k, torus, vcs, 2, FLIT_W, path, "rr")
        assert not faults(device, [port for port in range(5) if port not in over], heads_of_router(config, node)), node


def test_planted(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half way round an even ring the other way; no worm turns at its height."""
    way, number_is = mutate_reach.Router.way, mutate_reach.Switch.number_is
    monkeypatch.setattr(mutate_reach.Router, "way", lambda self, d, to: way(self, d, to) ^ (2 * abs(to - self.here[d]) == self.k))
    with pytest.raises(AssertionError, match="that may enter does not"):
        test_routers(4, True, "ecube", 2, tmp_path)
    monkeypatch.setattr(mutate_reach.Switch, "number_is", lambda self, bits, number: 0 if number == 2 else number_is(self, bits, number))
    with pytest.raises(AssertionError, match="enters that must not"):
        test_switches(2, 3, 2, tmp_path)
