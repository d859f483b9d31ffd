# SPDX-License-Identifier: Apache-2.0
"""synth_configs.py - the designs that scripts/synth/synth.py knows by name, and its matrix of them.
Standard library alone.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

Place = tuple[str, list[str], int]  # of the matrix: configuration, families, seeds

# Of what is in rtl/: nothing else can change a point.
SOURCES = """arbiter.v fifo.v flit.vh lfsr.v network.v order.v pick.v port.v route.v scan.v switch.v
             switch_check.vh switch_ref.v fast/fifo_fast.v fast/gate.v fast/gather.v fast/keep.v fast/lead.v
             fast/link.v fast/link_one.v fast/parents.v fast/pick_apart.v fast/port_fast.v fast/port_one.v fast/port_pair.v
             fast/reach.v fast/scan_fast.v fast/switch_fast.v""".split()
# The router of a torus or a mesh has these besides; where it is not asked for, they are not read.
CUBE = ["cube/cube.v", "cube/cube_one.v", "cube/cube_port.v", "cube/cube_route.v"]

PATHS = ["fp", "rp", "gp", "rg", "rw"]             # as rtl/flit.vh numbers them
SCANS = ["rr", "fo", "ff", "rot", "fcfs"]


class Fail(Exception):
    """One line for the user, and an exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Config:
    """A design by its name: top module, parameters, and those of the harness."""

    def __init__(self, name: str, kind: str, path: str, scan: str, v: int = 1, q: int = 2, w: int = 32, level: int = 1, levels: int = 3) -> None:
        self.name, self.kind, self.levels = name, kind, levels
        self.bench = "switch_harness"
        self.sources = SOURCES
        self.top = {"s": "switch", "n": "network", "arbiter": "arbiter_core"}[kind]
        self.parameters = {"PATH": PATHS.index(path), "SCAN": SCANS.index(scan)}
        self.harness = {"KIND": ["s", "n", "arbiter"].index(kind), "VCS": v, "FLIT_W": w,
                        "N": 4 ** levels}
        if kind != "arbiter":
            self.parameters |= {"VCS": v, "DEPTH": q, "FLIT_W": w, "LEVELS": levels}
        if kind == "s":
            self.parameters["LEVEL"] = level

    def options(self, family: str) -> str:
        """Options of nextpnr beside those of the family."""
        if family != "ecp5" or self.kind != "n":
            return ""
        # Its other router is slow on networks of many switches.  N = 64 with 32 bits, placed by timing, has
        # too many wires in one place; placed by length, some seeds are routed.
        large = self.harness["N"] * self.harness["FLIT_W"] > 64 * 16
        return "--router router2" + " --no-tmdriv" * large


class Router(Config):
    """A router of a torus or a mesh, its place a constant."""

    def __init__(self, name: str, torus: bool, radix: int, node: int, v: int, q: int, w: int, hops: bool, scan: str) -> None:
        super().__init__(name, "arbiter", "rp", scan)
        self.kind, self.top, self.bench, self.sources = "r", "cube_one", "router_harness", SOURCES + CUBE
        self.parameters = {"K": radix, "TORUS": int(torus), "NODE": node, "NHOP": int(hops), "VCS": v,
                           "DEPTH": q, "FLIT_W": w, "SCAN": SCANS.index(scan)}
        self.harness = {"VCS": v, "FLIT_W": w}


FORM = ("sLofN-vV-qQ-wW-PATH-SCAN, nN-vV-qQ-wW-PATH-SCAN, arbiter-PATH-SCAN, torusKnNODE-vV-qQ-wW-ecube-SCAN "
        "(or mesh, nhop)")
CUBE_FORM = re.compile(r"(torus|mesh)(\d+)n(\d+)-v(\d+)-q(\d+)-w(\d+)-(ecube|nhop)-(rr|fo|rot)")


def parse_router(name: str, form: re.Match[str]) -> Router:
    """As docs/cube.md has the limits."""
    torus, hops = form[1] == "torus", form[7] == "nhop"
    k, node, v, q, w = (int(form[i]) for i in range(2, 7))
    least = ((k // 2 if torus else k - 1) + 1) if hops else 2 if torus else 1

    def check(what: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise Fail(3, f"{name}: {what} {value}; allowed: {low} to {high}")

    check("radix", k, 2, 16)
    check("node", node, 0, k * k - 1)
    check("v", v, least, 9)
    check("q", q, 1, 16)
    check("w", w, 16, 64)
    if torus and hops and k % 2:
        raise Fail(3, f"{name}: radix {k}; allowed with nhop on a torus: an even one")
    return Router(name, torus, k, node, v, q, w, hops, form[8])


def parse(name: str) -> Config:
    """A Config, or Fail 3 with what is allowed."""
    form = re.fullmatch(r"(?:s(\d)of(\d)|n(\d+))-v(\d+)-q(\d+)-w(\d+)-([a-z]+)-([a-z]+)"
                        r"|arbiter-([a-z]+)-([a-z]+)", name)
    # One design has one name, or a table would have it twice.
    if (form or CUBE_FORM.fullmatch(name)) and re.search(r"(?<!\d)0\d|[^\x00-\x7f]", name):
        raise Fail(3, f"{name}: a number that is not plain; allowed: digits 0 to 9, no zero before others")
    if router := CUBE_FORM.fullmatch(name):
        return parse_router(name, router)
    if not form:
        near = difflib.get_close_matches(name, [row[0] for row in matrix()], 1, 0)
        raise Fail(3, f"unknown configuration '{name}'; allowed: {FORM}; nearest: {near[0]}")
    level, levels, n, v, q, w, path, scan, path_a, scan_a = form.groups()
    path, scan = path or path_a, scan or scan_a

    def check(what: str, value: str, allowed: Sequence[str]) -> None:
        if value not in allowed:
            near = difflib.get_close_matches(value, allowed, 1, 0)
            raise Fail(3, f"{name}: {what} {value}; allowed: {', '.join(allowed)}; "
                          f"nearest: {(near or allowed)[0]}")

    check("path", path, PATHS)
    check("scan", scan, SCANS)
    if path_a:
        return Config(name, "arbiter", path, scan)
    check("v", v, ["1", "2", "4"])
    check("q", q, [str(i) for i in range(1, 17)])
    if n:
        check("N", n, ["4", "16", "64", "256"])
        level, levels = 1, (int(n).bit_length() - 1) // 2
    level, levels, v, q, w = int(level), int(levels), int(v), int(q), int(w)
    if not 1 <= level <= levels <= 8:
        raise Fail(3, f"{name}: level {level} of {levels}; "
                      f"allowed: 1 to {min(levels, 8)} of 1 to 8")
    head = 4 * levels + levels.bit_length() + (levels - 1 if path == "fp" else 0)
    if not max(16, head) <= w <= 64:
        raise Fail(3, f"{name}: w {w}; allowed: {max(16, head)} to 64 (a head has {head} bits)")
    return Config(name, "n" if n else "s", path, scan, v, q, w, level, levels)


ALL = ["ice40", "ecp5", "xilinx", "gowin", "gates"]
PLACED = ["ice40", "ecp5"]


def matrix() -> list[Place]:
    """(config, families, seeds), the most useful first."""
    rows = {}

    def add(name: str, families: list[str], seeds: int = 8) -> None:
        rows.setdefault(name, (name, families, seeds))

    for v in (1, 2, 4):
        for place in ("1of3", "2of3", "3of3"):
            add(f"s{place}-v{v}-q2-w32-rp-rr", ALL)
    # The last takes 4 to 10 minutes a placement, and with half of the seeds it is not routed.
    for size, seeds in (("n4-v1-q2-w32", 8), ("n16-v1-q2-w32", 8), ("n16-v1-q2-w16", 8),
                        ("n64-v1-q2-w16", 8), ("n64-v1-q2-w32", 2)):
        add(f"{size}-rp-rr", PLACED, seeds)
    for scan in SCANS:
        add(f"arbiter-rp-{scan}", ALL)
    for path in PATHS[:4]:  # RW has the reference switch alone
        add(f"arbiter-{path}-rr", ALL)
    for q in (1, 4, 8):
        add(f"s1of3-v1-q{q}-w32-rp-rr", ALL)
    for w in (16, 64):
        add(f"s1of3-v1-q2-w{w}-rp-rr", ALL)
    for path in PATHS[:4]:  # RW has the reference switch alone
        add(f"s1of3-v1-q2-w32-{path}-rr", ALL)
    for scan in SCANS:
        add(f"s1of3-v1-q2-w32-rp-{scan}", ALL)
    for place in ("1of2", "2of2", "1of4", "2of4", "3of4", "4of4"):
        add(f"s{place}-v1-q2-w32-rp-rr", PLACED)
    # The smallest, the largest, and what a user of several channels may want.
    for name in ("v1-q1-w16-fp-fo", "v4-q8-w64-gp-ff", "v2-q4-w64-rg-fcfs", "v2-q2-w16-rp-rot"):
        add(f"s1of3-{name}", ALL, 0)
    # The leaf for each number of channels, queue and scan.
    for scan in SCANS:
        for v in (1, 2, 4):
            for q in (2, 1, 4, 8):
                large = v == 4 and q != 2 and scan != "rr"
                add(f"s1of3-v{v}-q{q}-w32-rp-{scan}", PLACED, 0 if large else 8)
    # Routers within a torus and a mesh: all five ports lead somewhere.
    for place, channels in (("torus8n27", (2, 4)), ("mesh8n27", (1, 2, 4)), ("torus4n5", (2,)), ("mesh4n5", (1, 2)),
                            ("torus16n119", (2,)), ("mesh16n119", (1, 2))):
        for v in channels:
            add(f"{place}-v{v}-q2-w32-ecube-rot", PLACED, 3)
    return list(rows.values())
