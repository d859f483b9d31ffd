#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cubes.py - the wiring of cube_network.v, read back from Yosys (or Icarus) as a graph, and of the C model's tori and meshes, against
docs/cube.md: router x + k y, port 0 to x + 1, 1 to x - 1, 2 to y + 1, 3 to y - 1, each into the port of the other way.

Usage: cubes.py [--build DIR] [--rtl DIR] [--model PROGRAM] [--vcs V] [--no-rtl|--icarus] RADIX...      each as a torus and as a mesh
Compared: for each link valid, flit and room, bit by bit; clock, reset, parameters, address and seed of every router.  A line of
what agrees, or one that says who says what, with exit code 1.
"""
from __future__ import annotations

import argparse
import subprocess
import sys

from wiring import PASSED, PROCESSOR, End, Graph, Wrong, mix, of_lines, read_empty, same

PORTS, OWN = 5, 4                                   # of a router; the one of its processor


def of_specification(k: int, torus: bool) -> dict[End, End]:
    far: dict[End, End] = {}
    for s in range(k * k):
        at = [s % k, s // k]
        for port in range(4):
            d, step = port // 2, 1 if port % 2 == 0 else -1
            to = at[d] + step
            if torus or 0 <= to < k:
                there = [*at]
                there[d] = to % k
                far[s, port] = (there[0] + k * there[1], port ^ 1)
        far[s, OWN] = (PROCESSOR, s)
        far[PROCESSOR, s] = (s, OWN)
    return far


def of_model(program: str, k: int, torus: bool) -> tuple[dict[End, End], list[int]]:
    links, seeds = of_lines(subprocess.run([program, "cube", str(k), str(int(torus))], check=True, capture_output=True, text=True).stdout)
    nodes = k * k
    far = {out: divmod(link, PORTS) if link < PORTS * nodes else (PROCESSOR, link - PORTS * nodes)
           for out, link in links.items() if link < PORTS * nodes + nodes}    # the link after the last leads over the edge
    far.update({end: out for out, end in far.items() if end[0] == PROCESSOR})
    return far, seeds


def check_rest(graph: Graph, k: int, torus: bool) -> None:
    bits = (k - 1).bit_length()
    for s, cell in graph.switch.items():
        node = "".join(str(bit) for bit in reversed(cell["connections"]["node_i"]))
        if node != f"{s // k:0{bits}b}{s % k:0{bits}b}":
            raise Wrong(f"node_i of router {s} is {node}")
        for name in ("clk_i", "rst_i"):
            if cell["connections"][name] != graph.top[name]:
                raise Wrong(f"{name} of router {s} is not the network's")
        for name, value in {**graph.parameters, "TORUS": int(torus)}.items():
            read = int(cell["parameters"].get(name, "0"), 2)
            if read != value:
                raise Wrong(f"{name} of router {s} is {read}, not {value}")


def compare(options: argparse.Namespace, k: int, torus: bool) -> tuple[int, int]:
    far, seeds = of_specification(k, torus), {s: mix(s + 1) for s in range(k * k)}
    model, model_seeds = of_model(options.model, k, torus)
    rtl, rtl_seeds = {}, {}
    if not options.no_rtl:
        parameters = {"K": k, "TORUS": int(torus), "VCS": options.vcs, "FLIT_W": 1, "NHOP": 1, **PASSED, "SCAN": 1}
        graph = Graph(read_empty(options, "cube/cube.v", "cube/cube_network.v", parameters), parameters, "cube")
        if set(graph.switch) != set(seeds):
            raise Wrong(f"{len(graph.switch)} routers in the Verilog, not {len(seeds)}")
        check_rest(graph, k, torus)
        rtl = {f"Verilog ({signal})": links for signal, links in graph.links().items()}
        rtl_seeds = {"Verilog": {s: graph.seed(s) for s in graph.switch}}
    links = same("the link from", far, model, rtl)
    return links, same("the seed of switch", seeds, dict(enumerate(model_seeds)), rtl_seeds)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("radix", type=int, nargs="+", metavar="RADIX", choices=range(2, 17))
    parser.add_argument("--build", default="build")
    parser.add_argument("--rtl", default="rtl")
    parser.add_argument("--model", metavar="PROGRAM")
    parser.add_argument("--vcs", type=int, default=2)
    parser.add_argument("--no-rtl", action="store_true")
    parser.add_argument("--icarus", action="store_true", help="reads the Verilog, not Yosys")
    options = parser.parse_args()
    options.model = options.model or f"{options.build}/wiring/wiring"
    links = seeds = 0
    for k in options.radix:
        for torus in (True, False):
            try:
                more = compare(options, k, torus)
            except Wrong as why:
                print(f"{'torus' if torus else 'mesh'} of {k} x {k}: {why}")
                return 1
            except (OSError, subprocess.CalledProcessError) as why:
                print(f"cubes.py: {why}")
                return 4
            links, seeds = links + more[0], seeds + more[1]
    print(f"tori and meshes, k = {', '.join(map(str, options.radix))}: {links} links and {seeds} seeds agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
