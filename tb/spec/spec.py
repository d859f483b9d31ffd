# SPDX-License-Identifier: Apache-2.0
"""spec.py - who crosses which link in every cycle, from the specification alone.

A third opinion beside the C model and the Verilog, written from the specification and the papers
without a look at either.  Slow and plain: a switch is its queues and the scan is a loop over the
inputs, each of which takes what it wants, as Greenberg and Oh (GO, III.B.2) describe it.  It is given what a run draws at
random (the worms, the registers of random bits, the stalls of the exits) and predicts the rest.

Quoted lines are the specification's; "decision" is a numbered decision of docs/rules.md.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

Flit = tuple["Worm", int]   # and its index
End = tuple[int, int]       # switch, or -1, and port
Offers = dict[int, tuple["Channel", list[tuple[int, int]]]]
Taken = dict[int, tuple[int, int]]
CHILDREN = (0, 1, 2, 3)
PARENTS = (4, 5)
# From k upwards, wrapping: RING[count][k].
RING = [[[(k + i) % count for i in range(count)] for k in range(count)] for count in range(10)]


class Config(NamedTuple):
    levels: int   # n, N = 4^n processors
    level: int    # of a single switch; 0: the whole network
    vcs: int      # V
    depth: int    # q
    flit_w: int   # payload bits of a flit
    path: str     # fp rp gp rg rw
    scan: str     # rr fo ff rot fcfs


class Worm:
    """L flits: head, body, tail.  Only the head is routed, the rest follow it."""

    def __init__(self, config: Config, number: int, src: int, dst: int, said: int, path: int, length: int) -> None:
        self.number, self.dst, self.path, self.length = number, dst, path, length
        # "The height of a packet is the level at which it turns: the smallest l with
        # src >> 2l = dst >> 2l."  A single switch may be told another one.
        self.height = said or next(l for l in range(1, config.levels + 1) if src >> 2 * l == dst >> 2 * l)
        n = config.levels
        head = dst | src << 2 * n | self.height << 4 * n
        if config.path == "fp":
            head |= path << 4 * n + n.bit_length()
        self.head, self.width = head, config.flit_w

    def flit(self, index: int) -> tuple[int, int]:
        """What is on the wire: kind (body 0, tail 1, head 2, single 3) and payload."""
        kind = (2 if index == 0 else 0) + (1 if index == self.length - 1 else 0)
        if index == 0:
            return kind, self.head
        mixed = (self.number + 1) * 0x9E3779B97F4A7C15 + index * 0xBF58476D1CE4E5B9
        return kind, (mixed & (1 << 64) - 1) >> 64 - self.width


class Channel:
    """One virtual channel of an input port: a queue of q flits (worm, index), the first in front."""

    def __init__(self) -> None:
        self.queue: deque[Flit] = deque()
        self.hold: tuple[int, int] | None = None   # (output, channel there) that the worm's head got
        self.since: int | None = None  # cycle in which the worm's head came to the front
        self.drawn: int | None = None  # RW: the parent that it drew in that cycle


class Switch:
    def __init__(self, config: Config, level: int) -> None:
        self.config, self.level = config, level
        # "A switch at level n has no parents."
        self.ports = 4 if level == config.levels else 6
        self.inputs = [[Channel() for _ in range(config.vcs)] for _ in range(6)]
        self.held = [[False] * config.vcs for _ in range(6)]  # output channels, by a worm
        self.turn = [0] * 6  # channel of the input that is looked at first
        self.after = [0] * 6  # ROT: port after the last one granted, per output
        self.flits = 0

    def wishes(self, now: int, port: int, channel: Channel, bits: int, room: Callable[[int, int], bool]) -> list[tuple[int, int]]:
        """The outputs that the front flit could take now, the best first: [(output, channel)]."""
        worm, index = channel.queue[0]
        if index > 0:
            # "A body or tail flit wants the output that its head got."
            return [channel.hold] if room(*channel.hold) else []
        if port in PARENTS or worm.height <= self.level:
            # "Going down at level l, a packet for processor p leaves by child (p >> 2(l-1)) mod 4."
            wanted = [(worm.dst >> 2 * (self.level - 1)) % 4]
        elif self.config.path == "fp":
            # "the parent named by the worm's path bit for this level"
            wanted = [4 + (worm.path >> self.level - 1) % 2]
        else:
            drawn = 4 + (bits >> 16 + port) % 2
            wanted = {"rp": [drawn], "gp": [4, 5], "rg": [drawn, 9 - drawn], "rw": [drawn, 9 - drawn]}[self.config.path]
            # GG 3.1: one at random, the other if it is blocked, "and if both are blocked, it waits".
            if self.config.path == "rw" and channel.since != now:
                wanted = [channel.drawn]
        # "A head takes the lowest free output channel that has room."
        free = []
        for output in wanted:
            for c in range(self.config.vcs):
                if not self.held[output][c] and room(output, c):
                    free.append((output, c))
                    break
        return free

    def order(self, offers: Offers, start: int) -> list[int]:
        """The inputs in the order in which they are scanned (all scans but ROT)."""
        scan = self.config.scan
        ring = [p for p in RING[self.ports][0 if scan == "fo" else start] if p in offers]
        if scan == "ff":
            # "as RR, but heads with greater height first"; with V > 1 all flits (decision 2).
            # The sort is stable, so equal heights stay as in RR.
            ring.sort(key=lambda p: -offers[p][0].queue[0][0].height)
        if scan == "fcfs":
            # "the head that has been at the front longest first"; of equals the lowest
            # V * port + channel (decision 1).
            ring.sort(key=lambda p: (offers[p][0].since, p))
        return ring

    def scanned(self, offers: Offers, start: int) -> Taken:
        """Inputs are scanned once a cycle; each takes what it wants if no other has taken it."""
        taken = {}
        for port in self.order(offers, start):
            for output, c in offers[port][1]:
                if output not in taken:
                    taken[output] = (port, c)
                    break
        return taken

    def rotated(self, offers: Offers) -> Taken:
        """ROT: "from the port after the last one granted, per output"."""
        taken, served = {}, set()

        def pick(pointer: int, those: Iterable[int]) -> int:
            return min(those, key=lambda p: (p - self.after[pointer]) % 6)

        def give(output: int) -> None:
            those = [p for p in offers if p not in served and output in dict(offers[p][1])]
            if those:
                port = pick(output, those)
                taken[output] = (port, dict(offers[port][1])[output])
                served.add(port)

        for output in CHILDREN:
            give(output)
        rest: tuple[int, ...] = PARENTS
        rising = [p for p in offers if p not in served and offers[p][1][0][0] in PARENTS]
        if self.config.path in ("rg", "rw") and rising:
            # Decision 6: the first of all that go up, in parent 0's order, takes the parent that
            # it prefers; the other parent then picks from the rest.
            port = pick(4, rising)
            output, c = offers[port][1][0]
            taken[output] = (port, c)
            served.add(port)
            rest = (9 - output,)
        for output in rest:
            give(output)
        return taken

    def decide(self, now: int, bits: int, start: int, room: Callable[[int, int], bool]) -> list[tuple[int, int, int, int]]:
        """The moves of a cycle, all from the state at its start: [(port, v, output, channel)]."""
        offers, chosen = {}, {}
        for port in range(self.ports):
            channels = self.inputs[port]
            for channel in channels:
                if channel.since is None and channel.queue and channel.queue[0][1] == 0:
                    channel.since = now
                    channel.drawn = 4 + (bits >> 16 + port) % 2
            # "Each input port offers one flit a cycle (rotating among its channels that could move)."
            for v in RING[self.config.vcs][self.turn[port]]:
                if channels[v].queue:
                    wishes = self.wishes(now, port, channels[v], bits, room)
                    if wishes:
                        offers[port], chosen[port] = (channels[v], wishes), v
                        break
        taken = self.rotated(offers) if self.config.scan == "rot" else self.scanned(offers, start)
        return [(port, chosen[port], output, c) for output, (port, c) in sorted(taken.items())]

    def leave(self, port: int, v: int, output: int, c: int) -> Flit:
        """A flit crosses; returns it."""
        channel = self.inputs[port][v]
        worm, index = channel.queue.popleft()
        # "The channel is held until the worm's tail has crossed."
        tail = index == worm.length - 1
        channel.hold = None if tail else (output, c)
        self.held[output][c] = not tail
        if tail:
            channel.since = None
        self.turn[port] = (v + 1) % self.config.vcs  # decision 4
        self.after[output] = (port + 1) % 6          # decision 3
        self.flits -= 1
        return worm, index

    def arrive(self, port: int, v: int, flit: Flit) -> None:
        self.inputs[port][v].queue.append(flit)
        self.flits += 1


def parents(level: int, address: int) -> tuple[tuple[int, int], int]:
    """The switches at the two parent ports of S(level, address), and the child port of both."""
    block, low = address // 2 ** (level + 1) * 2 ** level, 2 ** level
    return ((block + address % low, block + (address + low // 2) % low),
            address % (2 * low) // (low // 2))


def wiring(levels: int) -> tuple[dict[End, End], list[int]]:
    """Far end of every output: {(switch, port): (switch, port)}, processors as (-1, address).
    Switches are counted level by level from the leaves."""
    count = [4 ** levels // 2 ** (l + 1) for l in range(1, levels + 1)]
    first = [sum(count[:l]) for l in range(levels)]
    far = {(a // 4, a % 4): (-1, a) for a in range(4 ** levels)}
    for level in range(1, levels):
        for address in range(count[level - 1]):
            above, child = parents(level, address)
            for k in (0, 1):
                lower, upper = first[level - 1] + address, first[level] + above[k]
                far[lower, 4 + k] = (upper, child)
                far[upper, child] = (lower, 4 + k)
    return far, [l + 1 for l in range(levels) for _ in range(count[l])]


class Machine:
    """A network of 4^n processors, or one switch with its six ports as endpoints."""

    def __init__(self, config: Config, worms: Sequence[tuple[int, int, int, Worm]]) -> None:
        """worms: [(ready, entry, channel, Worm)] in the order in which they queue."""
        self.config = config
        if config.level:
            levels = [config.level]
            self.far = {(0, port): (-1, port) for port in range(6)}
        else:
            self.far, levels = wiring(config.levels)
        self.switches = [Switch(config, level) for level in levels]
        self.entry = {far[1]: near for near, far in self.far.items() if far[0] < 0}
        self.sources = {e: [deque() for _ in range(config.vcs)] for e in self.entry}
        self.source_turn = dict.fromkeys(self.entry, 0)
        for ready, entry, v, worm in worms:
            for index in range(worm.length):
                self.sources[entry][v].append((ready, worm, index))
        self.start = [0] * len(levels)

    def inject(self, entry: int, end: End, now: int) -> int | None:
        """"Injection crosses a link too": the source sends as an input port offers."""
        sources = self.sources[entry]
        for v in RING[self.config.vcs][self.source_turn[entry]]:
            queue = sources[v]
            if queue and queue[0][0] <= now and len(self.switches[end[0]].inputs[end[1]][v].queue) < self.config.depth:
                return v
        return None

    def ports_drawn(self, switch: Switch) -> int:
        return switch.ports

    def cycle(self, now: int, bits: Sequence[int], stalled: Sequence[int]) -> dict[int, tuple[int, Worm, int]]:
        """The moves of a cycle, {link: (channel, worm, index)}.  bits: a register for each switch;
        stalled: for each exit, a bit for each channel
        without room.  Link 6s + p enters port p of switch s, link
        6 * switches + e leaves by exit e."""
        moves: dict[int, tuple[int, Worm, int]] = {}
        plans: list[tuple[tuple[Switch, int] | None, int, int, End, int]] = []
        far, switches, depth, exits = self.far, self.switches, self.config.depth, 6 * len(self.switches)
        for entry, end in self.entry.items():
            v = self.inject(entry, end, now)
            if v is not None:
                plans.append((None, entry, v, end, v))
        for s, switch in enumerate(switches):
            if switch.flits:
                def room(output: int, c: int, s: int = s) -> bool:
                    there, port = far[s, output]
                    # "room means fewer than q flits at the start of the cycle"
                    return len(switches[there].inputs[port][c].queue) < depth if there >= 0 else not stalled[port] >> c & 1
                for port, v, output, c in switch.decide(now, bits[s], self.start[s], room):
                    plans.append(((switch, output), port, v, far[s, output], c))
            # "from a start port drawn at random anew in every cycle" (decision 7: one cycle ahead)
            self.start[s] = self.ports_drawn(switch) * (bits[s] >> 24) >> 8
        for sender, port, v, end, c in plans:
            if sender is None:
                _, worm, index = self.sources[port][v].popleft()
                self.source_turn[port] = (v + 1) % self.config.vcs
            else:
                worm, index = sender[0].leave(port, v, sender[1], c)
            link = exits + end[1] if end[0] < 0 else 6 * end[0] + end[1]
            assert link not in moves, "two flits on one link"
            moves[link] = (c, worm, index)
        # "All moves happen together at the clock edge."
        for link, (c, worm, index) in moves.items():
            if link < exits:
                switches[link // 6].arrive(link % 6, c, (worm, index))
        return moves
