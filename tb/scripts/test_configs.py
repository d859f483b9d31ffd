# SPDX-License-Identifier: Apache-2.0
"""test_configs.py - what is synthesized for a name is what the name says: each parameter of the top module, with the numbers that
rtl/flit.vh has for paths and scans; the harness has as many channels, bits and processors.  The same of what verilate.sh hands to
Verilator for a shape.  Routers have the limits of docs/cube.md."""
import os
import pathlib
import random
import re
import subprocess

import pytest
from synth_configs import Fail, matrix, parse

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
