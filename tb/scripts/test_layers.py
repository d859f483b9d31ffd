# SPDX-License-Identifier: Apache-2.0
"""test_layers.py - test/layers.py of made-up trees: each pair of layers, both sides of each length, and circles against closures of graphs."""
from __future__ import annotations

import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "test"))
import layers  # noqa: E402  (the path above)

# What a layer may include, as docs/architecture.md has it: of each the folders, first to last.
LIBRARY = "switch network topology traffic theory measure engine api".split()
MAY = {"base": "base switch".split(), "python": "switch python".split(), "cli": [*LIBRARY, "base", "cli"], "sim": [*LIBRARY, "base", "cli", "sim"]} | {
    layer: LIBRARY[:k + 1] for k, layer in enumerate(LIBRARY)}


def folder(layer: str) -> str:
    return "sim" if layer == "sim" else f"cmodel/{layer}"


def tree(root: pathlib.Path, **texts: str) -> pathlib.Path:
    """A file for each name, __ for a slash and _DOT_ for a dot."""
    for name, text in texts.items():
        file = root / name.replace("__", "/").replace("_DOT_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_each_pair_of_layers(tmp_path: pathlib.Path) -> None:
    for layer in MAY:
        at = tmp_path / folder(layer)
        at.mkdir(parents=True)
        (at / f"of_{layer}.h").write_text("int x;\n")
    for layer, may in MAY.items():
        lines = ["// first", *(f'#include "of_{other}.h"' for other in MAY), '#include "elsewhere.h"', '#include <stdio.h>']
        file = tmp_path / folder(layer) / "user.c"
        file.write_text("\n".join(lines) + "\n")
        found = list(layers.faults(str(tmp_path)))
        assert found == [f"{folder(layer)}/user.c:{k}: {layer} includes {folder(other)}/of_{other}.h; allowed: {', '.join(sorted(may))}"
                         for k, other in enumerate(MAY, 2) if other not in may]
        file.unlink()
    assert [layers.layer_of(path) for path in ("cmodel/api/a.c", "cmodel/fatfly.h", "sim/a.c", "sim/x/a.c", "tb/a.c", "cmodel/a/b/c.h")] == ["api", None, "sim", "sim", None,
            None]


def test_what_is_read(tmp_path: pathlib.Path) -> None:
    """C of cmodel and sim alone; a file outside the layers may include anything."""
    tree(tmp_path, cmodel__api__b_DOT_c="", cmodel__api__a_DOT_h="", cmodel__top_DOT_h='#include "a.h"\n', sim__x_DOT_cpp="", sim__y_DOT_py="", tb__z_DOT_c='#include "a.h"\n')
    assert sorted(layers.sources(str(tmp_path))) == ["cmodel/api/a.h", "cmodel/api/b.c", "cmodel/top.h", "sim/x.cpp"] and not list(layers.faults(str(tmp_path)))


@pytest.mark.parametrize("lines, said", [(80, []), (81, ["cmodel/api/a.c:3: a function of 81 lines; allowed: 80"])])
def test_long_functions(lines: int, said: list[str], tmp_path: pathlib.Path) -> None:
    """From { to } in the first column; a } alone ends nothing, and the next function begins anew."""
    body = ["{", *["    {", "    }"][:2], *["  ;"] * (lines - 4), "}"]
    tree(tmp_path, cmodel__api__a_DOT_c="\n".join(["}", "int f(void)", *body, "};", *["int x;"] * 100, "}", "{", "}", ""]))
    assert list(layers.faults(str(tmp_path))) == said
    part = [line.replace("cmodel/api/a.c:3", "scripts/a.py:2").replace("a function of 81", "long() has 81") for line in said]
    tree(tmp_path, scripts__a_DOT_py="\n".join(["X = 1", "def long():", *["    pass"] * (lines - 1), "def short():", "    pass", ""]), scripts__b_DOT_txt="x\n" * 900)
    assert list(layers.scripts(str(tmp_path))) == part


@pytest.mark.parametrize("lines", [800, 801])
def test_long_files(lines: int, tmp_path: pathlib.Path) -> None:
    tree(tmp_path, sim__a_DOT_c=";\n" * lines, scripts__x__a_DOT_py="{\n" + "\n" * (lines - 2) + "}\n")
    assert list(layers.faults(str(tmp_path))) == [f"sim/a.c: {lines} lines; allowed: 800"] * (lines > 800)
    assert list(layers.scripts(str(tmp_path))) == [f"scripts/x/a.py: {lines} lines; allowed: 800"] * (lines > 800)


@pytest.mark.parametrize("seed", range(40))
def test_circles(seed: int, tmp_path: pathlib.Path) -> None:
    """One is found where some module reaches itself, and each step of it is an include; a header and its own source are one module."""
    r = random.Random(seed)
    names = [f"m{k}" for k in range(7)]
    edges = {a: {b for b in names if b != a and r.random() < 0.15} for a in names if r.random() < 0.9}
    closure = {a: set(edges.get(a, ())) for a in names}
    for _ in names:
        closure = {a: to | {c for b in to for c in closure[b]} for a, to in closure.items()}
    circles = any(a in to for a, to in closure.items())
    found = layers.circle(edges)
    assert bool(found) == circles
    assert not found or found[0] == found[-1] and len(found) == len(set(found)) + 1 and all(b in edges[a] for a, b in zip(found, found[1:]))
    for name in names:
        tree(tmp_path, **{f"sim__{name}_DOT_c": f'#include "{name}.h"\n', f"sim__{name}_DOT_h": "".join(f'#include "{b}.h"\n' for b in edges.get(name, ()))})
    said = list(layers.faults(str(tmp_path)))
    assert said == ["a circle of includes: " + " -> ".join(f"sim/{name}" for name in found)] * circles


def test_no_circle_twice() -> None:
    """Ways that meet again are no circle; one that begins behind others is."""
    assert layers.circle({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) == [] == layers.circle({})
    assert layers.circle({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"c"}}) == ["c", "d", "c"]


def test_the_command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    tree(tmp_path, sim__a_DOT_c=";\n" * 801, scripts__a_DOT_py="\n" * 900)
    monkeypatch.setattr(sys, "argv", ["layers.py", str(tmp_path)])
    assert layers.main() == 1 and capsys.readouterr().out == "sim/a.c: 801 lines; allowed: 800\nscripts/a.py: 900 lines; allowed: 800\n"
    for name in ("sim/a.c", "scripts/a.py"):
        (tmp_path / name).unlink()
    assert layers.main() == 0 and capsys.readouterr().out == "cmodel and sim keep the layers\n"
    monkeypatch.setattr(sys, "argv", ["layers.py"])
    assert layers.main() == 0 and capsys.readouterr().out == "cmodel and sim keep the layers\n"
