#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py - the moves of the C model, cycle by cycle, against those that spec.py or, of tori and meshes, cube.py predicts, and its
random bits against those of lots.py.

Usage: compare.py [--build DIR] [--cycles N] [--seed N] [--jobs N] [--model LIBRARY] SHAPE...
A shape may end in :CYCLES.  Without --seed each has its own, one of sixteen the seed 0.
At the first difference it prints what each says, the Verilog too if its
library is built, and stops with exit code 1; else it prints how much was compared.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import gc
import pathlib
import re
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator

import cube
import lots
import spec

Move = tuple[int, int, int]  # channel, kind, payload

SHAPE = re.compile(r"(?:s(\d+)of(\d+)|n(\d+)|(torus|mesh)(\d+))-v(\d+)-q(\d+)-w(\d+)-([a-z]+)-([a-z]+)")


class Difference(Exception):
    """A link in a cycle, or a switch's register of random bits, of which two tell different things."""

    def __init__(self, cycle: int, link: int, predicted: Move | int | None, seen: Move | int | None) -> None:
        super().__init__(cycle, link)
        self.cycle, self.link, self.predicted, self.seen = cycle, link, predicted, seen


def config_of(shape: str) -> spec.Config | cube.Config:
    level, levels, nodes, kind, radix, *numbers, path, scan = SHAPE.fullmatch(shape).groups()
    if nodes:
        levels = (int(nodes).bit_length() - 1) // 2
    vcs, depth, flit_w = map(int, numbers)
    if kind:
        return cube.Config(int(radix), kind == "torus", vcs, depth, flit_w, path, scan)
    return spec.Config(int(levels), int(level or 0), vcs, depth, flit_w, path, scan)


def place(config: spec.Config | cube.Config, link: int) -> str:
    """Where a link leads, in words."""
    if isinstance(config, cube.Config):
        s, port, routers = link // 6, link % 6, config.radix ** 2
        return f"into port {port} of R({s % config.radix},{s // config.radix})" if s < routers else f"to processor {link - 6 * routers}"
    if config.level:
        return f"into port {link}" if link < 6 else f"out of port {link - 6}"
    switches, address = spec.wiring(config.levels)[1], link // 6
    if address >= len(switches):
        return f"to processor {link - 6 * len(switches)}"
    return f"into port {link % 6} of S({switches[address]},{address - switches.index(switches[address])})"


def says(move: Move | int | None) -> str:
    if move is None:
        return "nothing"
    if isinstance(move, int):
        return f"random bits 0x{move:08x}"
    return "channel %d kind %d payload 0x%x" % move


def lines_of(drive: str, shape: str, seed: int, cycles: int, library: str | None = None) -> Iterator[str]:
    """The lines that the driver writes."""
    command = [drive, shape, str(seed), str(cycles)] + ([library] if library else [])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield from process.stdout
    if process.returncode:
        raise RuntimeError(f"{shape}: {command[0]} ended with code {process.returncode}")


def moves_of(words: Iterable[str]) -> dict[int, Move]:
    """{link: (channel, kind, payload)} of the driver's words."""
    moves = {}
    for word in words:
        link, channel, kind, payload = word.split(":")
        moves[int(link)] = (int(channel), int(kind), int(payload, 16))
    return moves


def worm_of(config: spec.Config | cube.Config, number: int, src: int, dst: int, said: int, path: int, length: int) -> spec.Worm:
    if isinstance(config, cube.Config):
        return cube.Worm(config, number, src, dst, length)
    return spec.Worm(config, number, src, dst, said, path, length)


def compare(config: spec.Config | cube.Config, seed: int, lines: Iterable[str]) -> int:
    """Flits that crossed links; raises Difference."""
    worms, machine, now, flits, bits = [], None, 0, 0, []
    for line in lines:
        what, *words = line.split()
        if what == "worm":
            ready, entry, channel, src, dst, said, path, length = map(int, words)
            worms.append((ready, entry, channel,
                          worm_of(config, len(worms), src, dst, said, path, length)))
            continue
        if machine is None:
            machine = cube.Machine(config, worms) if isinstance(config, cube.Config) else spec.Machine(config, worms)
            bits = lots.after_reset(config, seed, len(machine.switches))
        if ",".join(map("{:x}".format, bits)) != words[0]:
            drawn = [int(x, 16) for x in words[0].split(",")]
            s = next(s for s, own in enumerate(bits) if own != drawn[s])
            raise Difference(now, s, bits[s], drawn[s])
        stalls = [int(x, 16) for x in (words[1].split(",") if "," in words[1] else words[1])]
        predicted = [(link, channel, *worm.flit(index)) for link, (channel, worm, index)
                     in machine.cycle(now, bits, stalls).items()]
        if sorted("%d:%d:%d:%x" % move for move in predicted) != sorted(words[2:]):
            ours, theirs = {link: (c, kind, flit) for link, c, kind, flit in predicted}, moves_of(words[2:])
            link = min(k for k in ours.keys() | theirs.keys() if ours.get(k) != theirs.get(k))
            raise Difference(now, link, ours.get(link), theirs.get(link))
        flits += len(predicted)
        now += 1
        bits = list(map(lots.step, bits))
    return flits


def third(drive: str, shape: str, seed: int, cycles: int, d: Difference, library: str) -> str:
    """What the Verilog has there in that cycle."""
    if not pathlib.Path(library).exists():
        return f"not built (make {library})"
    try:
        lines = [x for x in lines_of(drive, shape, seed, cycles, library) if x.startswith("cycle")]
    except RuntimeError as why:
        return str(why)
    _, bits, _, *moves = lines[d.cycle].split()
    return says(int(bits.split(",")[d.link], 16) if isinstance(d.predicted, int) else moves_of(moves).get(d.link))


def run(options: argparse.Namespace, given: str) -> tuple[int, int, str | None]:
    """(cycles, flits compared, None), or the line that says who says what."""
    shape, _, wanted = given.partition(":")
    cycles = int(wanted or options.cycles)
    drive, config, seed = f"{options.build}/spec/drive", config_of(shape), zlib.crc32(shape.encode())
    seed = seed if seed % 16 else 0
    if options.seed is not None:
        seed = options.seed
    try:
        lines = lines_of(drive, shape, seed, cycles, options.model)
        return cycles, compare(config, seed, lines), None
    except Difference as d:
        rtl = third(drive, shape, seed, cycles, d, f"{options.build}/rtl/{shape}.so")
        where = f"switch {d.link}" if isinstance(d.predicted, int) else f"link {d.link} {place(config, d.link)}"
        return 0, 0, (f"{shape}: cycle {d.cycle}, {where}: specification {says(d.predicted)}; C {says(d.seen)}; Verilog {rtl}")
    except RuntimeError as why:
        return 0, 0, f"compare.py: {why}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("shapes", nargs="+", metavar="SHAPE")
    parser.add_argument("--build", default="build")
    parser.add_argument("--cycles", type=int, default=2048)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--model", metavar="LIBRARY", help="in place of the C model of this build")
    options = parser.parse_args()
    for shape in options.shapes:
        if not SHAPE.fullmatch(shape.partition(":")[0]):
            print(f"compare.py: shape '{shape}'; allowed: s<level>of<levels>, n<N>, torus<k> or mesh<k>, then "
                  "-v<V>-q<depth>-w<bits>-<path>-<scan>[:<cycles>]", file=sys.stderr)
            return 2
    if not pathlib.Path(options.build, "spec/drive").exists():
        print(f"compare.py: {options.build}/spec/drive is not there; build it with: make {options.build}/spec/drive", file=sys.stderr)
        return 4
    gc.disable()  # nothing here refers to itself, and looking for what does takes a sixth of the time
    all_cycles = all_flits = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        given = [options] * len(options.shapes), options.shapes
        # One at a time without the pool, which begins another shape before it is known that one differs.
        for cycles, flits, difference in pool.map(run, *given) if options.jobs > 1 else map(run, *given):
            if difference:
                print(difference)
                pool.shutdown(cancel_futures=True)
                return 1
            all_cycles += cycles
            all_flits += flits
    print(f"{len(options.shapes)} shapes, {all_cycles} cycles, {all_flits} flits over links: as predicted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
