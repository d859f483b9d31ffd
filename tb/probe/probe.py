#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""probe.py - the Verilog with PROBE = 0, which users synthesize, is the one with PROBE = 1, which is simulated
and proven, less its probe.

Usage: probe.py [--build DIR] [--rtl DIR] [--jobs N] SHAPE...
       probe.py --list         the shapes of the regression, each fat-tree with either switch; networks to N = 64
       probe.py --quick        those of make test: in either switch every two of V, q as 1, 2 or more, path, scan, and leaf, inner
                               or root; torus and mesh with either routing, and with V = 1 where it can be; some beside
       probe.py --missing      what of that no shape meets, of shapes read from standard input
Yosys reads a shape twice.  Both must be the same graph: from each bit of each output but probe_o back through cells
of the same kind and parameters, registers one to one, to the same inputs and constants; through a module inside by the
output that is met, as far as that reaches, each two modules once.  Then both give the same outputs for every input,
in every cycle.  Nothing is optimised before, so that nothing has to be proven.  A line for each shape that differs: where.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATHS, SCANS, ROUTES = ("fp", "rp", "gp", "rg", "rw"), ("rr", "fo", "ff", "rot", "fcfs"), ("ecube", "nhop")
NAME = re.compile(r"(?:s(?P<level>\d+)of(?P<levels>\d+)|n(?P<n>\d+)|(?P<kind>torus|mesh)(?P<k>\d+)(?:n(?P<node>\d+))?)"
                  r"-v(?P<v>\d)-q(?P<q>\d+)-w(?P<w>\d+)-(?P<path>[a-z]+)-(?P<scan>[a-z]+)(?P<ref>-ref)?")
STATE = ("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$aldff", "$dlatch", "$sr", "$mem", "$mem_v2", "$ff")
NETWORKS = ("n16-v1-q2-w32-rp-rr", "n16-v2-q3-w24-rg-fcfs", "n64-v1-q2-w32-rp-rr")

# A port of each kind, its neighbour with other orders, deep queues, heads of N = 4^10, a network, a whole mesh.
OTHERS = ("s2of3-v1-q2-w32-rp-rr", "s2of3-v1-q2-w32-gp-fcfs", "s1of3-v2-q2-w32-rp-rot", "s2of3-v2-q4-w33-rg-rot",
          "s2of3-v4-q3-w24-rp-rr", "s1of3-v1-q8-w17-gp-fcfs", "s10of10-v1-q2-w64-rp-ff", "n16-v1-q2-w32-rp-rr", "mesh4-v1-q2-w32-ecube-rot")


class Wrong(Exception):
    """What is wrong with a shape or its netlists, in a line."""


def parameters(shape: str) -> tuple[str, dict[str, int]]:
    """Module and parameters of a shape, as scripts/sim/verilate.sh has them."""
    m = NAME.fullmatch(shape)
    cube = bool(m and m["kind"])
    if not m or m["scan"] not in SCANS or m["path"] not in (ROUTES if cube else PATHS) or (cube and m["ref"]):
        raise Wrong(f"shape {shape}; allowed: names as fatfly cosim --shapes has them")
    values = {"VCS": int(m["v"]), "DEPTH": int(m["q"]), "FLIT_W": int(m["w"]), "SCAN": SCANS.index(m["scan"])}
    if cube:
        values |= {"K": int(m["k"]), "TORUS": int(m["kind"] == "torus"), "NHOP": ROUTES.index(m["path"])}
        return ("cube_one", values | {"NODE": int(m["node"])}) if m["node"] else ("cube_network", values)
    values |= {"PATH": PATHS.index(m["path"]), "IMPL": 1 if m["ref"] else 0}
    if m["n"]:
        return "network", values | {"LEVELS": (int(m["n"]).bit_length() - 1) // 2}
    return "switch", values | {"LEVEL": int(m["level"]), "LEVELS": int(m["levels"])}


def read(rtl: pathlib.Path, shape: str, folder: pathlib.Path) -> tuple[str, list[dict]]:
    """The top module of a shape, and all modules, with PROBE = 0 and 1."""
    top, values = parameters(shape)
    set_all = " ".join(f"-chparam {k} {v}" for k, v in values.items())
    parts = ("", "fast", "cube") if top.startswith("cube") else ("", "fast")
    files = " ".join(str(f) for part in parts for f in sorted((rtl / part).glob("*.v")))
    script = f"read_verilog -defer -I{rtl} -I{rtl}/fast -I{rtl}/cube {files}; design -save all"
    for probe in (0, 1):
        script += (f"; design -load all; hierarchy -check -top {top} -chparam PROBE {probe} {set_all}; proc; memory_collect"
                   f"; write_json {folder}/{probe}.json")
    done = subprocess.run([os.environ.get("YOSYS", "yosys"), "-q", "-p", script], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise Wrong(f"{shape}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return top, [json.loads((folder / f"{probe}.json").read_text())["modules"] for probe in (0, 1)]


class Side:
    """A module: who drives which bit."""

    def __init__(self, module: dict):
        self.cells, self.driver = module["cells"], {}
        self.outputs: dict[str, list] = {}
        for name, port in module["ports"].items():
            if port["direction"] == "output":
                self.outputs[name] = port["bits"]
            else:
                for k, bit in enumerate(port["bits"]):
                    self.driver[bit] = ("", name, k)
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                if cell["port_directions"][port] == "output":
                    for k, bit in enumerate(bits):
                        self.driver[bit] = (name, port, k)

    def place(self, bit: int | str) -> str:
        """A bit in words."""
        if isinstance(bit, str):
            return f"constant {bit}"
        cell, port, k = self.driver.get(bit, ("", "nothing", 0))
        if not cell:
            return f"{port}[{k}]"
        return f"{self.cells[cell]['type']} at {self.cells[cell]['attributes'].get('src', cell)}"


def same_cell(one: dict, two: dict) -> bool:
    return one["type"] == two["type"] and one["parameters"] == two["parameters"]


class Pair:
    """A module without and with a probe: what was met there, whichever outputs were asked for."""

    def __init__(self, bare: Side, probed: Side):
        self.bare, self.probed = bare, probed
        self.bits, self.registers = 0, 0
        self.one_to_one: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def alone(self, cell: str, other: str) -> bool:
        """No other cell was met in place of either."""
        return self.one_to_one.setdefault(cell, other) == other and self.back.setdefault(other, cell) == cell


class Graphs:
    """All modules of a shape without and with a probe, and the inputs that an output of both reaches."""

    def __init__(self, bare: dict, probed: dict):
        self.modules = bare, probed
        self.pairs: dict[tuple[str, str], Pair] = {}
        self.reached: dict[tuple[str, str, str], set[tuple[str, int]]] = {}

    def pair(self, bare: str, probed: str) -> Pair:
        if (bare, probed) not in self.pairs:
            self.pairs[bare, probed] = Pair(Side(self.modules[0][bare]), Side(self.modules[1][probed]))
        return self.pairs[bare, probed]

    def reach(self, bare: str, probed: str, output: str) -> set[tuple[str, int]]:
        """The bits of inputs that this output comes of; if it is not the same graph, Wrong says where."""
        if (bare, probed, output) not in self.reached:
            self.reached[bare, probed, output] = self.walk(self.pair(bare, probed), output)
        return self.reached[bare, probed, output]

    def walk(self, pair: Pair, output: str) -> set[tuple[str, int]]:
        todo = list(zip(pair.bare.outputs[output], pair.probed.outputs[output], strict=True))
        met, through, inputs = set(), set(), set()
        while todo:
            a, b = todo.pop()
            if (a, b) in met:
                continue
            met.add((a, b))
            differ = Wrong(f"{output}: PROBE = 0 {pair.bare.place(a)}, 1 {pair.probed.place(b)}")
            if isinstance(a, str) or isinstance(b, str):
                if a != b:
                    raise differ
                continue
            (cell, port, k), (other, to_port, to) = (side.driver.get(x, ("", "nothing", 0))
                                                     for side, x in ((pair.bare, a), (pair.probed, b)))
            if (port, k) != (to_port, to) or bool(cell) != bool(other) or port == "nothing":
                raise differ
            if not cell:
                inputs.add((port, k))
                continue
            one, two = pair.bare.cells[cell], pair.probed.cells[other]
            inside = one["type"] in self.modules[0] and two["type"] in self.modules[1]
            if not inside and not same_cell(one, two) or (inside or one["type"] in STATE) and not pair.alone(cell, other):
                raise differ
            what = (cell, other, port if inside else "")
            if what in through:
                continue
            through.add(what)
            pins, to_pins = one["connections"], two["connections"]
            if inside:
                try:
                    wanted = self.reach(one["type"], two["type"], port)
                except Wrong as e:
                    raise Wrong(f"{output}: {e}") from None
                if any(n >= len(side.get(name, ())) for name, n in wanted for side in (pins, to_pins)):
                    raise differ
                todo += [(pins[name][n], to_pins[name][n]) for name, n in wanted]
            else:
                if not one["type"].startswith("$"):
                    raise Wrong(f"a cell {one['type']}, which is no gate")
                for name in (name for name, way in one["port_directions"].items() if way == "input"):
                    if len(pins[name]) != len(to_pins[name]):
                        raise Wrong(f"{output}: inputs of {pair.bare.place(a)}")
                    todo += zip(pins[name], to_pins[name], strict=True)
        pair.bits += len(met)
        pair.registers += sum(pair.bare.cells[cell]["type"] in STATE for cell, _, _ in through)
        return inputs

    def compare(self, top: str) -> int:
        """Bits that were met; each output of both tops but probe_o is the same graph."""
        outputs = [set(self.pair(top, top).bare.outputs), set(self.pair(top, top).probed.outputs)]
        if outputs[0] != outputs[1] or not outputs[0] - {"probe_o"}:
            raise Wrong("other outputs")
        for output in sorted(outputs[0] - {"probe_o"}):
            self.reach(top, top, output)
        if not any(pair.registers for pair in self.pairs.values()):
            raise Wrong("no register is left")
        return sum(pair.bits for pair in self.pairs.values())


def judge(rtl: pathlib.Path, shape: str) -> tuple[str, int, str]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            top, both = read(rtl, shape, pathlib.Path(folder))
            return shape, Graphs(*both).compare(top), ""
        except Wrong as e:
            return shape, 0, str(e).removeprefix(f"{shape}: ")


def regression() -> list[str]:
    """Every shape of sim/matrix.txt and sim/cubes.txt to a radix of 5, and NETWORKS; fat-trees with either switch."""
    found = []
    for name in ("matrix.txt", "cubes.txt"):
        for line in (ROOT / "sim" / name).read_text().splitlines():
            if shape := line.partition("#")[0].split():
                m = NAME.fullmatch(shape[0])
                if not m or not m["k"] or m["node"] or int(m["k"]) <= 5:
                    found.append(shape[0].removesuffix("-ref"))
    found = [*dict.fromkeys(found), *NETWORKS]
    return [x for shape in found for x in ([shape] if shape[0] in "tm" else [shape, shape + "-ref"])]


def met(shape: str) -> set[tuple]:
    """What a single switch or router adds to the quick list: two values, with which switch or kind of cube has them."""
    m = NAME.fullmatch(shape)
    if not m or m["n"]:
        return set()
    if m["kind"]:
        return {(m["kind"], m["path"], "V > 1" if int(m["v"]) > 1 else "V = 1")}
    place = "root" if m["level"] == m["levels"] else "leaf" if m["level"] == "1" else "inner"
    values = (f"V = {m['v']}", f"q = {m['q']}" if int(m["q"]) < 3 else "q > 2", m["path"], m["scan"], place)
    return {("ref" if m["ref"] else "fast", *two) for two in itertools.combinations(values, 2)}


def switches() -> list[str]:
    """Every switch of three levels with small queues, in an order by chance, and a router of each kind."""
    found = ["torus4n6-v2-q2-w32-ecube-rot", "torus4n6-v3-q2-w32-nhop-rot", "mesh4n5-v1-q1-w24-ecube-rr", "mesh4n5-v3-q2-w16-ecube-fo",
             "mesh4n5-v4-q3-w24-nhop-rr"]
    for (k, path), (j, scan), v, q, level in itertools.product(enumerate(PATHS), enumerate(SCANS), (1, 2, 4), (1, 2, 3), (1, 2, 3)):
        depth, width = (q if q < 3 else 3 + (k + j) % 3), (16, 24, 32, 33)[(k + 2 * j + v) % 4]
        name = f"s{level}of3-v{v}-q{depth}-w{width}-{path}-{scan}"
        found += [name + "-ref"] if path == "rw" or (v == 4 and (path, scan) != ("rp", "rr")) else [name, name + "-ref"]
    random.Random(1).shuffle(found)
    return found


def quick(given: list[str]) -> list[str]:
    """These, and of switches() each time the first that meets most of what is missing."""
    some = {shape: met(shape) for shape in switches()}
    missing = set().union(*some.values()).difference(*map(met, given))
    chosen = list(given)
    while missing:
        chosen.append(max(some, key=lambda shape: len(some[shape] & missing)))
        missing -= some[chosen[-1]]
    return chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rtl", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    for name in ("--list", "--quick", "--missing"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    options = parser.parse_args()
    if options.list:
        print("\n".join(regression()))
        return 0
    if options.quick:
        print("\n".join(quick(list(OTHERS))))
        return 0
    if options.missing:
        lost = set().union(*map(met, switches())).difference(*map(met, sys.stdin.read().split()))
        print("\n".join("no shape with " + ", ".join(some) for some in sorted(lost)) or "every two values")
        return 1 if lost else 0
    try:
        for shape in options.shapes:
            parameters(shape)
    except Wrong as e:
        print(f"probe.py: {e}", file=sys.stderr)
        return 2
    if not options.shapes or options.jobs < 1:
        print("probe.py: no shape, or --jobs below 1; allowed: one SHAPE or more; --list has those of the regression",
              file=sys.stderr)
        return 2
    total = differ = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for shape, bits, why in pool.map(judge, itertools.repeat(options.rtl), options.shapes):
            total, differ = total + bits, differ + bool(why)
            if why:
                print(f"{shape}: {why}")
    print(f"{len(options.shapes) - differ} of {len(options.shapes)} shapes are the same graph without a probe as with it; "
          f"{total} bits met")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
