# SPDX-License-Identifier: Apache-2.0
"""test_graphs.py - networks that scripts write, and the sources that a board's tool is given."""

from __future__ import annotations

import glob
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "sim"))
import random_graph  # noqa: E402  (the path above)


@pytest.mark.parametrize("nodes, degree", [(8, 1), (8, 2), (9, 3), (16, 4), (64, 1), (64, 3), (64, 8), (256, 1), (256, 8)])
def test_random_graph(capsys: pytest.CaptureFixture[str], nodes: int, degree: int) -> None:
    """As many links out of each node as into it, none twice, none to itself, whatever the seed."""
    for seed in (0, 1, 2, 3):
        assert random_graph.main([str(nodes), str(degree), str(seed)]) == 0
        links = re.findall(r"^link (\d+) (\d+)$", capsys.readouterr().out, re.M)
        assert len(set(links)) == len(links) == nodes * degree
        assert all(a != b for a, b in links)
        for end in (0, 1):
            ends = [link[end] for link in links]
            assert all(ends.count(str(node)) == degree for node in range(nodes))


@pytest.mark.parametrize("words", [["8", "8", "1"], ["7", "1", "1"], ["8", "0", "1"], ["64", "9", "1"], ["64", "8"], ["64", "x", "1"]])
def test_random_graph_refuses(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert random_graph.main(words) == 2
    assert "allowed: 8 nodes at least" in capsys.readouterr().err


def test_random_graph_gives_up(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_graph, "DRAWS", 3)
    assert random_graph.main(["8", "7", "1"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("script", sorted(ROOT.glob("constraints/*/*.tcl"), key=str), ids=lambda path: path.parent.name)
def test_a_board_is_given_every_source(script: pathlib.Path) -> None:
    """Those of the switch, as rtl/fatfly.f lists them, and the board's; their folders are searched for what they include."""
    text = script.read_text(encoding="utf-8")
    if "read_verilog" not in text:
        pytest.skip("it reads no Verilog")
    read = {path for pattern in re.findall(r"glob (\S+?)\]", text) for path in glob.glob(pattern, root_dir=ROOT)}
    listed = {line for line in (ROOT / "rtl/fatfly.f").read_text(encoding="utf-8").splitlines() if re.match(r"rtl/(fast/)?[^/]*\.v$", line)}
    board = {str(path.relative_to(ROOT)) for path in ROOT.glob("rtl/board/*.v")}
    assert len(listed) > 20 and board and not (listed | board) - read
    folders = re.search(r"-include_dirs (?:\{([^}]*)\}|(\S+))", text)
    assert folders
    included = {found for path in read for found in re.findall(r'^`include "(.*)"', (ROOT / path).read_text(encoding="utf-8"), re.M)}
    assert all(any((ROOT / folder / name).exists() for folder in (folders[1] or folders[2]).split()) for name in included)
