# SPDX-License-Identifier: Apache-2.0
"""cube.py - who crosses which link of a torus or mesh in every cycle, by the rules of docs/cube.md.

A third description beside rtl/cube and the C model, as spec.py is for the fat-tree, though by a hand that had read both: it is
given the worms, the registers of random bits and the stalls, and predicts the rest.  Quoted lines are the page's.

Usage: cube.py    prints a shape for every topology, k, V and routing that the page allows, for compare.py
"""
from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import spec

X, Y, PROCESSOR = (0, 1), (2, 3), 4


class Config(NamedTuple):
    radix: int
    torus: bool
    vcs: int
    depth: int
    flit_w: int
    path: str     # ecube nhop
    scan: str     # rr fo rot


def shared(c: Config) -> spec.Config:
    """What a queue and a source ask of a switch's."""
    return spec.Config(0, 0, c.vcs, c.depth, c.flit_w, c.path, c.scan)


class Worm(spec.Worm):
    """"A head's payload is, from bit 0: x of the destination in D bits, y in D bits, x and y of the source"."""

    def __init__(self, config: Config, number: int, src: int, dst: int, length: int) -> None:  # pylint: disable=super-init-not-called
        k, bits = config.radix, (config.radix - 1).bit_length()
        self.number, self.dst, self.length = number, dst, length
        self.head = dst % k | dst // k << bits | src % k << 2 * bits | src // k << 3 * bits
        self.width = config.flit_w


class Router(spec.Switch):
    """Five ports; what crosses, leaves and arrives is as in a switch."""

    def __init__(self, config: Config, node: int) -> None:  # pylint: disable=super-init-not-called
        self.of, self.config, self.node, self.ports = config, shared(config), node, 5
        self.inputs = [[spec.Channel() for _ in range(config.vcs)] for _ in range(5)]
        self.held = [[False] * config.vcs for _ in range(5)]
        self.turn, self.after, self.flits = [0] * 5, [0] * 5, 0

    def ways(self, port: int, v: int, dst: int) -> tuple[list[int], range]:
        """Outputs, and channels that will do there."""
        k, vcs, half = self.of.radix, self.of.vcs, self.of.vcs // 2
        here, there = (self.node % k, self.node // k), (dst % k, dst // k)
        outputs, low = [], False
        for d in (0, 1):
            if here[d] == there[d]:
                continue
            rising, falling = (there[d] - here[d]) % k, (here[d] - there[d]) % k
            # "the shorter way round; if both ways are equal, up from an even coordinate and down from an odd one"
            up = there[d] > here[d] if not self.of.torus else here[d] % 2 == 0 if rising == falling else rising < falling
            if not outputs:  # "before and on the link between k - 1 and 0"
                low = there[d] < here[d] if up else there[d] > here[d]
            outputs.append(2 * d + (not up))
        if not outputs:  # "A head at its destination goes to the processor, by any channel."
            return [PROCESSOR], range(vcs)
        if self.config.path == "nhop":
            # "the number is 0 for a head from the processor, else that of the channel that it came by, plus 1 in an even node"
            number = 0 if port == PROCESSOR else v + (sum(here) % 2 == 0)
            return outputs, range(number, number + 1)
        if self.of.torus and vcs > 1:
            return outputs[:1], range(half) if low else range(half, vcs)
        return outputs[:1], range(vcs)

    def wish(self, port: int, v: int, bits: int, room: Callable[[int, int], bool]) -> tuple[int, int] | None:
        """The output that the front flit asks for and the channel it takes there."""
        channel = self.inputs[port][v]
        worm, index = channel.queue[0]
        if index > 0:
            return channel.hold if room(*channel.hold) else None
        outputs, channels = self.ways(port, v, worm.dst)
        # "A head takes the lowest free channel of those that it may take"
        free = {o: next((c for c in channels if not self.held[o][c] and room(o, c)), None) for o in outputs}
        able = [o for o in outputs if free[o] is not None]
        if len(able) == 2:  # "a random bit decides: bit 16 + port of lfsr_q, y if it is 1"
            able = [able[bits >> 16 + port & 1]]
        return (able[0], free[able[0]]) if able else None

    def decide(self, now: int, bits: int, start: int, room: Callable[[int, int], bool]) -> list[tuple[int, int, int, int]]:
        asks: dict[int, list[tuple[int, int, int]]] = {}
        for port in range(5):
            # "of the first channel that asks, from next_q upwards, wrapping"
            channels = self.inputs[port]
            for v in spec.RING[self.config.vcs][self.turn[port]]:
                wish = self.wish(port, v, bits, room) if channels[v].queue else None
                if wish:
                    asks.setdefault(wish[0], []).append((port, v, wish[1]))
                    break
        moves = []
        for output, those in sorted(asks.items()):
            first = {"rot": self.after[output], "rr": start, "fo": 0}[self.config.scan]
            _, port, v, c = min(((port - first) % 6, port, v, c) for port, v, c in those)
            moves.append((port, v, output, c))
        return moves


class Machine(spec.Machine):
    """A network of k x k routers."""

    def __init__(self, config: Config, worms: Sequence[tuple[int, int, int, spec.Worm]]) -> None:  # pylint: disable=super-init-not-called
        k = config.radix
        self.config = shared(config)
        self.far = {}
        for s in range(k * k):
            for port in (*X, *Y):
                at = [s % k, s // k]
                at[port // 2] += 1 if port % 2 == 0 else -1
                if config.torus or 0 <= at[port // 2] < k:
                    self.far[s, port] = (at[0] % k + at[1] % k * k, port ^ 1)
            self.far[s, PROCESSOR] = (-1, s)
        self.switches = [Router(config, s) for s in range(k * k)]
        self.entry = {far[1]: near for near, far in self.far.items() if far[0] < 0}
        self.sources = {e: [deque() for _ in range(config.vcs)] for e in self.entry}
        self.source_turn = dict.fromkeys(self.entry, 0)
        for ready, entry, v, worm in worms:
            for index in range(worm.length):
                self.sources[entry][v].append((ready, worm, index))
        self.start = [0] * (k * k)

    def ports_drawn(self, switch: spec.Switch) -> int:
        return 6  # "from a port drawn anew in every cycle", of the six that scan.v knows


def every() -> Iterator[str]:
    """Every topology, k, V and routing; q, width and scan in turn.  Up to k = 5 as many cycles as it takes to fill all channels."""
    shapes = 0
    for kind, k, path, vcs in itertools.product(("torus", "mesh"), range(2, 17), ("ecube", "nhop"), range(1, 10)):
        ring = kind == "torus"
        # "floor(k/2) + 1" and "k" of the table of the least V, "not with odd K on a torus"
        least = (k // 2 + 1 if ring else k) if path == "nhop" else 2 if ring else 1
        if vcs >= least and not (path == "nhop" and ring and k % 2):
            q, width, scan = (1, 2, 3, 16)[shapes % 4], (16, 17, 32, 33, 64)[shapes % 5], ("rot", "rr", "fo")[shapes % 3]
            shapes += 1
            yield f"{kind}{k}-v{vcs}-q{q}-w{width}-{path}-{scan}:{192 if k < 6 else 20}"


if __name__ == "__main__":
    print("\n".join(every()))
