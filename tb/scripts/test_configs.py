# SPDX-License-Identifier: Apache-2.0
"""test_configs.py - what is synthesized for a name is what the name says: each parameter of the top module, with the numbers that
rtl/flit.vh has for paths and scans; the harness has as many channels, bits and processors.  The same of what verilate.sh hands to
Verilator for a shape.  Routers have the limits of docs/cube.md."""
import csv
import itertools
import os
import pathlib
import random
import re
import subprocess
from collections.abc import Iterator

import pytest
from synth_configs import ALL, FORM, PATHS, PLACED, SCANS, Fail, matrix, parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = {m[1].lower(): int(m[2]) for m in re.finditer(r"^`define FATFLY_(\w+)\s+(\d+)", (ROOT / "rtl/flit.vh").read_text(), re.M)}
FILES = {"switch": "rtl/switch.v", "network": "rtl/network.v", "arbiter_core": "tb/synth/arbiter_core.v", "cube_one": "rtl/cube/cube_one.v"}


def said(name: str) -> tuple[str, dict[str, int], dict[str, int]]:
    """Top module, its parameters and those of the harness, from the name."""
    first, *rest = name.split("-")
    if first == "arbiter":
        return "arbiter_core", {"PATH": NUMBER[rest[0]], "SCAN": NUMBER[rest[1]]}, {"KIND": 2}
    *sizes, path, scan = rest
    v, q, w = (int(size[1:]) for size in sizes)
    size, harness = {"VCS": v, "DEPTH": q, "FLIT_W": w}, {"VCS": v, "FLIT_W": w}
    if cube := re.fullmatch(r"(torus|mesh)(\d+)n(\d+)", first):
        return "cube_one", {**size, "TORUS": int(cube[1] == "torus"), "K": int(cube[2]), "NODE": int(cube[3]),
                            "NHOP": int(path == "nhop"), "SCAN": NUMBER[scan]}, harness
    size |= {"PATH": NUMBER[path], "SCAN": NUMBER[scan]}
    if network := re.fullmatch(r"n(\d+)", first):
        n = int(network[1])
        return "network", {**size, "LEVELS": {4: 1, 16: 2, 64: 3, 256: 4}[n]}, {**harness, "KIND": 1, "N": n}
    level, levels = first[1:].split("of")
    return "switch", {**size, "LEVEL": int(level), "LEVELS": int(levels)}, {**harness, "KIND": 0}


def names() -> list[str]:
    """All of the matrix, and random ones."""
    r = random.Random(1)
    found = [row[0] for row in matrix()]
    for _ in range(200):
        path, scan = r.choice(("fp", "rp", "gp", "rg", "rw")), r.choice(("rr", "fo", "ff", "rot", "fcfs"))
        levels = r.randint(1, 8)
        size = f"v{r.choice((1, 2, 4))}-q{r.randint(1, 16)}-w{r.randint(43, 64)}"
        found += [f"s{r.randint(1, levels)}of{levels}-{size}-{path}-{scan}", f"n{4 ** r.randint(1, 4)}-{size}-{path}-{scan}",
                  f"arbiter-{path}-{scan}"]
        k = 2 * r.randint(1, 4)
        found.append(f"{r.choice(('torus', 'mesh'))}{k}n{r.randrange(k * k)}-v{r.randint(2, 9)}-q{r.randint(1, 16)}-w{r.randint(16, 64)}-ecube-"
                     f"{r.choice(('rr', 'fo', 'rot'))}")
    return found + ["torus8n9-v5-q1-w20-nhop-rr", "mesh4n3-v9-q2-w64-nhop-fo"]


def differs(name: str, parameters: dict[str, int]) -> bool:
    return parameters != said(name)[1]


def test_names_say_what_is_built() -> None:
    for name in names():
        config = parse(name)
        top, parameters, harness = said(name)
        assert (config.top, config.parameters) == (top, parameters), name
        assert harness.items() <= config.harness.items(), name


@pytest.mark.parametrize("top", FILES)
def test_the_name_says_each_parameter(top: str) -> None:
    """But those that a user leaves alone, and which switch it is."""
    text = (ROOT / FILES[top]).read_text()
    head = text[text.index(f"module {top} "):]
    there = set(re.findall(r"parameter integer (\w+)", head[:head.index(") (")]))
    name = next(n for n in names() if said(n)[0] == top)
    assert there - set(said(name)[1]) <= {"PROBE", "IMPL", "PROBE_W", "N", "SWITCHES"}


@pytest.mark.parametrize("name", ["s2of3-v2-q4-w33-rg-rot", "torus8n27-v2-q2-w32-ecube-rr", "n16-v1-q2-w32-rp-rr"])
def test_a_parameter_less_or_another_is_found(name: str) -> None:
    parameters = parse(name).parameters
    assert not differs(name, parameters)
    for each, value in parameters.items():
        assert differs(name, {**parameters, each: value + 1}) and differs(name, {k: v for k, v in parameters.items() if k != each})


def taken(name: str) -> bool:
    try:
        return bool(parse(name))
    except Fail:
        return False


@pytest.mark.parametrize("route", ["ecube", "nhop"])
@pytest.mark.parametrize("place", ["torus", "mesh"])
def test_limits_of_routers(place: str, route: str) -> None:
    """E-cube needs two channels on a torus; negative-hop one more than the negative hops of the longest way, and on a torus two colours."""
    for k in range(1, 18):
        hops = 2 * (k // 2) if place == "torus" else 2 * (k - 1)
        least = (hops + 1) // 2 + 1 if route == "nhop" else 2 if place == "torus" else 1
        good = 2 <= k <= 16 and not (route == "nhop" and place == "torus" and k % 2)
        for v in range(11):
            assert taken(f"{place}{k}n0-v{v}-q2-w32-{route}-rr") == (good and least <= v <= 9), (k, v)
        assert taken(f"{place}{k}n{k * k - 1}-v9-q16-w64-{route}-rot") == (good and least <= 9), k
        assert not taken(f"{place}{k}n{k * k}-v9-q16-w64-{route}-rot"), k


def test_one_design_has_one_name() -> None:
    for name in ("s2of3-v2-q4-w33-rg-rot", "n16-v1-q2-w32-rp-rr", "mesh8n27-v2-q2-w32-ecube-rr"):
        assert taken(name)
        for at in re.finditer(r"\d+", name):
            for other in (f"0{at[0]}", at[0].translate({48 + k: 0x660 + k for k in range(10)})):
                assert not taken(name[:at.start()] + other + name[at.end():]), (name, at)


def handed(shape: str, folder: pathlib.Path) -> dict[str, int]:
    """What verilate.sh gives the top module."""
    fake = folder / "verilator"
    if not fake.exists():
        fake.write_text('#!/bin/sh\necho "$@" >"$ASKED"\nexit 1\n')
        fake.chmod(0o755)
    subprocess.run([ROOT / "scripts/sim/verilate.sh", shape, folder / "out.so"], check=False, stderr=subprocess.DEVNULL,
                   env={**os.environ, "VERILATOR": str(fake), "VERILATED_ROOT": str(folder), "ASKED": str(folder / "asked")})
    return {m[1]: int(m[2]) for m in re.finditer(r"-G(\w+)=(\d+)", (folder / "asked").read_text())}


def test_what_is_verilated(tmp_path: pathlib.Path) -> None:
    """With its probe and as switch.v chooses, or as the end of its name says."""
    r = random.Random(2)
    trees = [name for name in names() if said(name)[0] in ("switch", "network")]
    cubes = [name for name in names() if said(name)[0] == "cube_one"]
    for end in ("", "-ref", "-bare", "-ref-bare"):
        for shape in r.sample(trees, 5) + (r.sample(cubes, 3) if "ref" not in end else []):
            want = {**said(shape)[1], "PROBE": int("bare" not in end), **({"IMPL": NUMBER["ref"]} if "ref" in end else {})}
            assert handed(shape + end, tmp_path) == want, shape + end


@pytest.mark.parametrize("name, said", [
    ("s0of3-v1-q2-w32-rp-rr", "level 0 of 3; allowed: 1 to 3 of 1 to 8"), ("s4of3-v1-q2-w32-rp-rr", "level 4 of 3; allowed: 1 to 3 of 1 to 8"),
    ("s9of9-v1-q2-w64-rp-rr", "level 9 of 9; allowed: 1 to 8 of 1 to 8"), ("s1of9-v1-q2-w64-rp-rr", "level 1 of 9; allowed: 1 to 8 of 1 to 8"),
    ("s1of1-v1-q1-w15-rp-rr", "w 15; allowed: 16 to 64 (a head has 5 bits)"), ("s1of3-v1-q1-w65-rp-rr", "w 65; allowed: 16 to 64 (a head has 14 bits)"),
    ("s1of8-v1-q1-w42-fp-rr", "w 42; allowed: 43 to 64 (a head has 43 bits)"), ("s1of8-v1-q1-w35-gp-rr", "w 35; allowed: 36 to 64 (a head has 36 bits)"),
    ("n256-v1-q1-w18-rp-rr", "w 18; allowed: 19 to 64 (a head has 19 bits)"), ("n64-v3-q2-w32-rp-rr", "v 3; allowed: 1, 2, 4; nearest: 4"),
    ("n64-v1-q0-w32-rp-rr", f"q 0; allowed: {', '.join(map(str, range(1, 17)))}; nearest: 10"),
    ("n64-v1-q17-w32-rp-rr", f"q 17; allowed: {', '.join(map(str, range(1, 17)))}; nearest: 7"),
    ("n65-v1-q2-w32-rp-rr", "N 65; allowed: 4, 16, 64, 256; nearest: 64"), ("s1of3-v1-q2-w32-rx-rr", "path rx; allowed: fp, rp, gp, rg, rw; nearest: rw"),
    ("s1of3-v1-q2-w32-rp-rox", "scan rox; allowed: rr, fo, ff, rot, fcfs; nearest: rot"), ("arbiter-rr-rr", "path rr; allowed: fp, rp, gp, rg, rw; nearest: rw"),
    ("arbiter-rp-rp", "scan rp; allowed: rr, fo, ff, rot, fcfs; nearest: rr"), ("mesh1n0-v1-q2-w32-ecube-rr", "radix 1; allowed: 2 to 16"),
    ("mesh17n0-v1-q2-w32-ecube-rr", "radix 17; allowed: 2 to 16"), ("mesh4n16-v1-q2-w32-ecube-rr", "node 16; allowed: 0 to 15"),
    ("torus4n0-v1-q2-w32-ecube-rr", "v 1; allowed: 2 to 9"),
    ("mesh4n0-v0-q2-w32-ecube-rr", "v 0; allowed: 1 to 9"), ("mesh4n0-v3-q2-w32-nhop-rr", "v 3; allowed: 4 to 9"), ("torus8n0-v4-q2-w32-nhop-rr", "v 4; allowed: 5 to 9"),
    ("mesh4n0-v1-q0-w32-ecube-rr", "q 0; allowed: 1 to 16"), ("mesh4n0-v1-q17-w32-ecube-rr", "q 17; allowed: 1 to 16"), ("mesh4n0-v1-q2-w15-ecube-rr", "w 15; allowed: 16 to 64"),
    ("mesh4n0-v1-q2-w65-ecube-rr", "w 65; allowed: 16 to 64"), ("torus5n0-v9-q2-w32-nhop-rr", "radix 5; allowed with nhop on a torus: an even one"),
    ("s1of3-v01-q2-w32-rp-rr", "a number that is not plain; allowed: digits 0 to 9, no zero before others")])
def test_what_is_refused(name: str, said: str) -> None:
    """In a line that says what is allowed; one less or more is a name."""
    with pytest.raises(Fail, match=f"^{re.escape(f'{name}: {said}')}$") as wrong:
        parse(name)
    assert wrong.value.code == 3


def test_ends_of_the_limits() -> None:
    for name in ("s1of1-v1-q1-w16-fp-fcfs", "s8of8-v4-q16-w43-fp-ff", "s1of8-v1-q1-w36-rp-rr", "n256-v1-q1-w19-rw-rot", "n4-v2-q16-w64-rg-fo", "mesh2n3-v1-q1-w16-ecube-rr",
                 "mesh16n255-v9-q16-w64-ecube-fo", "torus8n0-v5-q2-w32-nhop-rr", "mesh4n0-v4-q2-w32-nhop-rr"):
        assert parse(name).name == name
    with pytest.raises(Fail, match=f"^unknown configuration 's1of3v1-q2-w32-rp-rr'; allowed: {re.escape(FORM)}; nearest: s1of3-v1-q2-w32-rp-rr$") as wrong:
        parse("s1of3v1-q2-w32-rp-rr")
    assert wrong.value.code == 3


@pytest.mark.parametrize("name, words", [("n64-v1-q2-w16-rp-rr", "--router router2"), ("n64-v1-q2-w17-rp-rr", "--router router2 --no-tmdriv"),
                                         ("n16-v1-q2-w64-rp-rr", "--router router2"),
                                         ("n256-v1-q2-w19-rp-rr", "--router router2 --no-tmdriv"), ("s1of3-v1-q2-w64-rp-rr", ""), ("torus8n27-v2-q2-w64-ecube-rr", ""),
                                         ("arbiter-rp-rr", "")])
def test_options_of_placers(name: str, words: str) -> None:
    """Networks on ECP5 have another router; those of more than 1024 bits are placed by length."""
    assert parse(name).options("ecp5") == words and parse(name).options("ice40") == ""


# Of the matrix: names, families, seeds; the first that has a name counts.  {a,b} is each of them.
MATRIX = """s{1,2,3}of3-v{1,2,4}-q2-w32-rp-rr all 8
n{4,16}-v1-q2-w{16,32}-rp-rr placed 8
n64-v1-q2-w16-rp-rr placed 8
n64-v1-q2-w32-rp-rr placed 2
arbiter-rp-{rr,fo,ff,rot,fcfs} all 8
arbiter-{fp,gp,rg}-rr all 8
s1of3-v1-q{1,4,8}-w32-rp-rr all 8
s1of3-v1-q2-w{16,64}-rp-rr all 8
s1of3-v1-q2-w32-{fp,gp,rg}-rr all 8
s1of3-v1-q2-w32-rp-{fo,ff,rot,fcfs} all 8
s{1,2}of2-v1-q2-w32-rp-rr placed 8
s{1,2,3,4}of4-v1-q2-w32-rp-rr placed 8
s1of3-{v1-q1-w16-fp-fo,v4-q8-w64-gp-ff,v2-q4-w64-rg-fcfs,v2-q2-w16-rp-rot} all 0
s1of3-v4-q{1,4,8}-w32-rp-{fo,ff,rot,fcfs} placed 0
s1of3-v{1,2,4}-q{1,2,4,8}-w32-rp-{rr,fo,ff,rot,fcfs} placed 8
torus8n27-v{2,4}-q2-w32-ecube-rot placed 3
mesh8n27-v{1,2,4}-q2-w32-ecube-rot placed 3
torus{4n5,16n119}-v2-q2-w32-ecube-rot placed 3
mesh{4n5,16n119}-v{1,2}-q2-w32-ecube-rot placed 3"""


def expanded(name: str) -> Iterator[str]:
    parts = re.split(r"\{(.*?)\}", name)
    return map("".join, itertools.product(*(part.split(",") if k % 2 else [part] for k, part in enumerate(parts))))


def test_the_matrix() -> None:
    """Each name, in which families and with how many seeds; those of n4 with 16 bits are not in it.  The table has its order, and as many seeds."""
    want: dict[str, tuple[list[str], int]] = {}
    for line in MATRIX.splitlines():
        names, families, seeds = line.split()
        for name in expanded(names):
            want.setdefault(name, (ALL if families == "all" else PLACED, int(seeds)))
    del want["n4-v1-q2-w16-rp-rr"]
    found = matrix()
    assert {name: (families, seeds) for name, families, seeds in found} == want and len(found) == len(want)
    assert (ALL, PLACED, PATHS, SCANS) == (["ice40", "ecp5", "xilinx", "gowin", "gates"], ["ice40", "ecp5"], ["fp", "rp", "gp", "rg", "rw"], ["rr", "fo", "ff", "rot", "fcfs"])
    with open(ROOT / "docs/results/fpga.csv", encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    names_ = list(dict.fromkeys(row["config"] for row in rows))
    assert names_ == [name for name, *_ in found if name in names_] and len(names_) > 0.9 * len(found)
    for row in rows:
        assert row["family"] in want[row["config"]][0] and row["seeds"] in ("", str(want[row["config"]][1])), row
