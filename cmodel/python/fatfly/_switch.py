# SPDX-License-Identifier: Apache-2.0
"""_switch.py - one switch of the C model, cycle by cycle: a golden reference for benches in Python."""
from __future__ import annotations

from typing import NamedTuple, Optional, Sequence

from ._config import NAMES, _name, _whole
from ._fatfly import ffi, lib

PORTS = 6


class Flit(NamedTuple):
    """What crosses a link: a virtual channel, a payload, whether it is a worm's head and its tail."""
    channel: int
    payload: int
    head: bool
    tail: bool


class Wires(NamedTuple):
    """A cycle: of each port the room for a flit to come, a bit a channel, and the flit that leaves, if any."""
    room: tuple[int, ...]
    flits: tuple[Optional[Flit], ...]


class Switch:
    """A switch of docs/switch.md with the parameters of rtl/switch.v; ports 0 to 3 are children, 4 and 5 parents.

    In each cycle outputs() says what leaves and where there is room, then tick() takes what arrives and is the clock edge.
    At the root (level = levels) ports 4 and 5 have no room.
    """

    def __init__(self, *, vcs: int = 1, depth: int = 2, flit_bits: int = 32, path: str = "rp",
                 scan: str = "rr", level: int = 1, levels: int = 3, seed: int = 1):
        why = ffi.new("char[200]")
        numbers = [_whole(name, value, 32) for name, value in (("vcs", vcs), ("depth", depth), ("flit_bits", flit_bits))]
        self._seed = _whole("seed", seed, 32)
        if _name("path", path) >= lib.FATFLY_TREE_PATHS:
            raise ValueError(f"path = {path}; allowed: {', '.join(NAMES['path'][:lib.FATFLY_TREE_PATHS])}")
        self._switch = lib.golden_open(*numbers, _name("path", path), _name("scan", scan), _whole("level", level, 32),
                                       _whole("levels", levels, 32), why, len(why))
        if self._switch == ffi.NULL:
            text = ffi.string(why).decode()
            raise ValueError(text) if text else MemoryError("no memory for a switch")
        self._switch = ffi.gc(self._switch, lib.golden_close)
        self.vcs, self.flit_bits = numbers[0], numbers[2]
        self._room: Optional[tuple[int, ...]] = None   # of the cycle's outputs(); None: not asked
        self.reset()

    def reset(self, seed: Optional[int] = None) -> None:
        """The registers' first values; seed starts the random bits, and stays that of later resets."""
        if seed is not None:
            self._seed = _whole("seed", seed, 32)
        lib.golden_reset(self._switch, self._seed)
        self._room = None

    def outputs(self, room: Sequence[int]) -> Wires:
        """What leaves in this cycle: room has of each port the channels with room at the far end, a bit each."""
        given = ffi.new("uint8_t[6]", self._six("room", room))
        in_room, valid, kind = (ffi.new("uint8_t[6]") for _ in range(3))
        payload = ffi.new("uint64_t[6]")
        lib.golden_eval(self._switch, given, in_room, valid, kind, payload)
        self._room = tuple(in_room)
        return Wires(self._room, tuple(
            Flit(valid[p].bit_length() - 1, payload[p], bool(kind[p] & 2), bool(kind[p] & 1)) if valid[p] else None
            for p in range(PORTS)))

    def tick(self, arrivals: Sequence[Optional[Flit]]) -> None:
        """The clock edge, with what arrives at each port; after outputs() of the same cycle.

        ValueError for a flit where outputs() showed no room; then nothing is taken, and the cycle is still the same.
        """
        if self._room is None:
            raise RuntimeError("tick() without outputs() of the same cycle")
        if len(arrivals) != PORTS:
            raise ValueError(f"{len(arrivals)} arrivals; allowed: {PORTS}, a flit or None each")
        valid, kind, payload = [0] * PORTS, [0] * PORTS, [0] * PORTS
        for p, flit in enumerate(arrivals):
            if flit is None:
                continue
            if not 0 <= flit.channel < self.vcs:
                raise ValueError(f"channel = {flit.channel}; allowed: 0 to {self.vcs - 1}")
            if not 0 <= flit.payload < 1 << self.flit_bits:
                raise ValueError(f"payload = {flit.payload}; allowed: {self.flit_bits} bits")
            if not self._room[p] >> flit.channel & 1:
                raise ValueError(f"port {p}, channel {flit.channel}: no room; allowed: a flit only where outputs() shows room")
            valid[p], kind[p], payload[p] = 1 << flit.channel, bool(flit.head) * 2 + bool(flit.tail), flit.payload
        lib.golden_tick(self._switch, ffi.new("uint8_t[6]", valid), ffi.new("uint8_t[6]", kind),
                        ffi.new("uint64_t[6]", payload))
        self._room = None

    def _six(self, name: str, values: Sequence[int]) -> list[int]:
        if len(values) != PORTS or not all(0 <= value < 1 << self.vcs for value in values):
            raise ValueError(f"{name} = {list(values)}; allowed: {PORTS} times 0 to {(1 << self.vcs) - 1}")
        return [int(value) for value in values]


def head(levels: int, src: int, dst: int, parents: int = 0) -> int:
    """Payload of a head in a network of 4^levels processors; bit l - 1 of parents is the one to take at level l (FP)."""
    if not 1 <= _whole("levels", levels, 32) <= lib.FATFLY_MAX_LEVELS:
        raise ValueError(f"levels = {levels}; allowed: 1 to {lib.FATFLY_MAX_LEVELS}")
    for name, value in (("src", src), ("dst", dst)):
        if not 0 <= _whole(name, value, 32) < 4 ** levels:
            raise ValueError(f"{name} = {value}; allowed: 0 to {4 ** levels - 1}")
    if not 0 <= _whole("parents", parents, 32) < 1 << (levels - 1):
        raise ValueError(f"parents = {parents}; allowed: 0 to {(1 << (levels - 1)) - 1}")
    return int(lib.golden_head(levels, src, dst, parents))
