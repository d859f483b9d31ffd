# SPDX-License-Identifier: Apache-2.0
"""test_colours.py - the viewer's colours of worms, neighbours of its heat map, and the colours of `fatfly plot` can be told
apart by everybody.

How a colour looks with a missing kind of cone is by the matrices of Machado, Oliveira and Fernandes (A physiologically-based
model for simulation of color vision deficiency, 2009, severity 1); the distance is that of CIE 1976 L*a*b*, in which about
2 can just be seen side by side.  The least distance of Okabe and Ito's own colours is 16.
"""

import itertools
import json
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRAW, PLOT = ROOT / "sim" / "view" / "draw.js", ROOT / "cmodel" / "cli" / "gnuplot.c"
LEAST = 15
SEEN = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no middle": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no short": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> list[float]:
    """Light of #rrggbb, 0 to 1 (sRGB)."""
    part = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in part]


def lab(colour: str, eye: str) -> tuple[float, float, float]:
    light = linear(colour)
    r, g, b = (min(1.0, max(0.0, sum(m * x for m, x in zip(row, light)))) for row in SEEN[eye])
    x, y, z = (p ** (1 / 3) if p > 0.008856 else 7.787 * p + 16 / 116 for p in (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047, 0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, eye: str) -> float:
    return sum((a - b) ** 2 for a, b in zip(lab(one, eye), lab(other, eye))) ** 0.5


def colours(name: str) -> list[str]:
    found = re.search(rf"^const {name} = (\[.*\]);$", DRAW.read_text(encoding="utf-8"), re.M)
    assert found, name
    return json.loads(found[1])


def all_apart(found: list[str], eye: str) -> None:
    assert len(found) >= 6
    for one, other in itertools.combinations(found, 2):
        assert apart(one, other, eye) >= LEAST, (one, other)


@pytest.mark.parametrize("eye", SEEN)
def test_worms(eye: str) -> None:
    all_apart(colours("COLOURS"), eye)


@pytest.mark.parametrize("eye", SEEN)
def test_curves(eye: str) -> None:
    table = re.search(r"gnuplot_colours\[GNUPLOT_COLOURS\] = {(.*?)}", PLOT.read_text(encoding="utf-8"), re.S)
    assert table
    all_apart(re.findall(r"#\w{6}", table[1]), eye)


@pytest.mark.parametrize("eye", SEEN)
def test_steps_of_heat(eye: str) -> None:
    found = colours("HEAT")
    for one, other in zip(found, found[1:]):
        assert apart(one, other, eye) >= LEAST, (one, other)
    light = [lab(colour, eye)[0] for colour in found]
    assert light == sorted(light, reverse=True)


def test_a_pair_that_is_one_colour_to_some() -> None:
    """An orange and an olive that were both in the viewer."""
    assert apart("#e69f00", "#b8a800", "all cones") > LEAST > apart("#e69f00", "#b8a800", "no long")
