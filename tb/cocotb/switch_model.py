# SPDX-License-Identifier: Apache-2.0
"""switch_model.py - what rtl/axis/fatfly_switch.v adds to a switch, around fatfly.Switch, cycle by cycle.

At the inputs a beat is a flit; of several channels of a port with a beat and room one is taken, in turns.  At
each output channel is a queue of two flits (docs/rtl.md).
"""
from __future__ import annotations

from collections import deque
from typing import NamedTuple, Optional

import fatfly

PORTS = 6


class Beat(NamedTuple):
    data: int
    last: bool


class AxisSwitch:
    """Lanes are pairs of port and channel.  In each cycle offers() and ready(), then tick()."""

    def __init__(self, **parameters: object):
        self.switch = fatfly.Switch(**parameters)
        self.vcs = self.switch.vcs
        self.lanes = [(p, c) for p in range(PORTS) for c in range(self.vcs)]
        self.reset()

    def reset(self) -> None:
        """A clock edge with aresetn low."""
        self.switch.reset()
        self.runs = False                                # no TREADY in the cycle after it either
        self.open = {lane: False for lane in self.lanes} # a packet has begun and its last beat is to come
        self.turn = [0] * PORTS
        self.queue: dict[tuple[int, int], deque[Beat]] = {lane: deque() for lane in self.lanes}
        self.eval()

    def eval(self) -> None:
        room = [sum((len(self.queue[p, c]) < 2) << c for c in range(self.vcs)) for p in range(PORTS)]
        self.wires = self.switch.outputs(room)

    def offers(self) -> dict[tuple[int, int], Optional[Beat]]:
        """What stands at each output lane in this cycle; None: TVALID is low."""
        return {lane: self.queue[lane][0] if self.queue[lane] else None for lane in self.lanes}

    def ready(self, valid: dict[tuple[int, int], Optional[Beat]]) -> dict[tuple[int, int], bool]:
        """TREADY of each input lane, if these beats stand there."""
        is_ready = {}
        for p in range(PORTS):
            room = [self.runs and bool(self.wires.room[p] >> c & 1) for c in range(self.vcs)]
            can = [c for c in range(self.vcs) if room[c] and valid[p, c]]
            taken = min(can, key=lambda c: (c - self.turn[p]) % self.vcs, default=None)
            for c in range(self.vcs):
                is_ready[p, c] = room[c] if self.vcs == 1 else c == taken
        return is_ready

    def tick(self, valid: dict[tuple[int, int], Optional[Beat]], out_ready: dict[tuple[int, int], bool]) -> None:
        """The clock edge with aresetn high."""
        ready = self.ready(valid)
        arrivals: list[Optional[fatfly.Flit]] = [None] * PORTS
        for lane in self.lanes:
            port, channel = lane
            beat = valid[lane]
            if beat and ready[lane]:
                arrivals[port] = fatfly.Flit(channel, beat.data, not self.open[lane], beat.last)
                self.open[lane] = not beat.last
                self.turn[port] = (channel + 1) % self.vcs
        for lane in self.lanes:
            if self.queue[lane] and out_ready[lane]:
                self.queue[lane].popleft()
        for p, flit in enumerate(self.wires.flits):
            if flit:
                self.queue[p, flit.channel].append(Beat(flit.payload, flit.tail))
        self.switch.tick(arrivals)
        self.runs = True
        self.eval()
