# SPDX-License-Identifier: Apache-2.0
"""test_graphs.py - networks that scripts write, and the sources that a board's tool is given."""

from __future__ import annotations

import glob
import pathlib
import random
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "sim"))
import leveled  # noqa: E402  (the path above)
import random_graph  # noqa: E402


@pytest.mark.parametrize("nodes, degree", [(8, 1), (8, 2), (9, 3), (16, 4), (64, 1), (64, 3), (64, 8), (256, 1), (256, 8)])
def test_random_graph(capsys: pytest.CaptureFixture[str], nodes: int, degree: int) -> None:
    """As many links out of each node as into it, none twice, none to itself, whatever the seed."""
    for seed in (0, 1, 2, 3):
        assert random_graph.main([str(nodes), str(degree), str(seed)]) == 0
        text = capsys.readouterr().out
        links = re.findall(r"^link (\d+) (\d+)$", text, re.M)
        assert text.startswith(f"# SPDX-License-Identifier: Apache-2.0\n# made by scripts/sim/random_graph.py {nodes} {degree} {seed}\nnodes {nodes}\nlink ")
        assert len(set(links)) == len(links) == nodes * degree
        assert all(a != b for a, b in links)
        for end in (0, 1):
            ends = [link[end] for link in links]
            assert all(ends.count(str(node)) == degree for node in range(nodes))


@pytest.mark.parametrize("words", [["8", "8", "1"], ["7", "1", "1"], ["8", "0", "1"], ["64", "9", "1"], ["64", "8"], ["64", "x", "1"], ["64", "8", "-1"]])
def test_random_graph_refuses(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert random_graph.main(words) == 2
    assert "allowed: 8 nodes at least" in capsys.readouterr().err


def test_random_graph_gives_up(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_graph, "DRAWS", 3)
    assert random_graph.main(["8", "7", "1"]) == 1
    assert capsys.readouterr() == ("", "random_graph.py: no network of 8 nodes and degree 7 in 3 draws; allowed: more nodes, or another seed\n")


@pytest.mark.parametrize("words, good", [
    (["2", "1", "2"], True), (["2", "64", "2"], True), (["4096", "3", "16"], True), (["1", "1", "1"], False), (["4097", "3", "16"], False), (["2", "0", "2"], False),
    (["2", "65", "2"], False),
    (["4", "2", "0"], False), (["17", "2", "16"], True), (["17", "2", "17"], False), (["4", "2", "4"], True), (["4", "2", "5"], False), (["4", "2", "4", "0"], True),
    (["4", "2", "4", "-1"], False),
    (["4", "2", "4", "1", "1"], False), (["4", "2"], False), ([], False), (["4", "2", "x"], False), (["4", "2", "4", "x"], False)])
def test_levels_that_are_refused(capsys: pytest.CaptureFixture[str], words: list[str], good: bool) -> None:
    """Both sides of each limit, in one line."""
    if good:
        assert leveled.main(words) == 0 and capsys.readouterr().out.startswith(f"# leveled.py {' '.join(words)}\nnodes {int(words[0]) * (int(words[1]) + 1)}\n")
    else:
        with pytest.raises(SystemExit) as end:
            leveled.main(words)
        assert end.value.code == 2 and capsys.readouterr() == ("", leveled.USAGE + "\n")


Levels = list[list[set[int]]]


def levels_of(capsys: pytest.CaptureFixture[str], *words: int) -> Levels:
    """Of a network that leveled.py writes: by level and row, the rows of the next level."""
    assert leveled.main([f" {word}\n" for word in words]) == 0
    rows, depth, degree = words[:3]
    first, nodes, *lines = capsys.readouterr().out.splitlines()
    assert first == " ".join(map(str, ("# leveled.py", *words))) and nodes == f"nodes {rows * (depth + 1)}"
    assert lines[:rows] == [f"processor {row} {depth * rows + row}" for row in range(rows)]
    links = re.findall(r"^link (\d+) (\d+)$", "\n".join(lines[rows:]), re.M)
    assert len(set(links)) == len(links) == len(lines) - rows == rows * depth * degree
    levels: Levels = [[set() for _ in range(rows)] for _ in range(depth)]
    for a, b in links:
        level, row = divmod(int(a), rows)
        assert int(b) // rows == level + 1
        levels[level][row].add(int(b) % rows)
    assert all(len(to) == degree for level in levels for to in level)
    return levels


def reach(rows: int, levels: Levels) -> bool:
    """All rows of the first level reach all of the last."""
    for row in range(rows):
        there = {row}
        for level in levels:
            there = set().union(*(level[at] for at in there))
        if len(there) < rows:
            return False
    return True


@pytest.mark.parametrize("rows, depth, degree", [(16, 6, 5), (27, 8, 10), (40, 5, 12), (64, 4, 14)])
def test_random_levels(capsys: pytest.CaptureFixture[str], rows: int, depth: int, degree: int) -> None:
    """Each row of each level of each seed has links of its own: two rows have as many in common as chance says, degree^2 / rows,
    and each row of the next level gets as many as the others.  All of it within five deviations."""
    every = [levels_of(capsys, rows, depth, degree, seed) for seed in range(8)]
    assert every[1] == levels_of(capsys, rows, depth, degree, 1)
    assert all(reach(rows, levels) for levels in every)
    common = degree ** 2 / rows
    spread = common * (1 - degree / rows) * (rows - degree) / (rows - 1)  # the variance for a pair of rows, hypergeometric
    flat = [level for levels in every for level in levels]
    # The same row on two levels or of two seeds, and two rows of a level.
    others = [[(a[row], b[row]) for row in range(rows)] for k, a in enumerate(flat) for b in flat[:k]]
    others += [[(level[row], level[row - step]) for row in range(rows)] for level in flat for step in (1, 2, rows // 2)]
    for pairs in others:
        found = sum(len(a & b) for a, b in pairs)
        assert abs(found - common * len(pairs)) < 5 * (spread * len(pairs)) ** 0.5 + 1, "links in common"
    into = [sum(row in to for level in flat for to in level) for row in range(rows)]
    mean = degree * len(flat)
    assert all(abs(count - mean) < 5 * mean ** 0.5 for count in into)


def test_levels_that_are_alike(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is planted is seen: on all levels the links of the first, or every second level that of before."""
    drawn, period = leveled.links, 1
    before: dict[random.Random | None, list[list[list[int]]]] = {}

    def links(rows: int, degree: int, rng: random.Random | None) -> list[list[int]]:
        levels = before.setdefault(rng, [])
        levels.append(levels[-1] if len(levels) % period else drawn(rows, degree, rng))
        return levels[-1]
    monkeypatch.setattr(leveled, "links", links)
    test_random_levels(capsys, 16, 6, 8)
    for period in (2, 6):
        with pytest.raises(AssertionError, match="links in common"):
            test_random_levels(capsys, 16, 6, 8)


@pytest.mark.parametrize("degree", range(1, 6))
def test_omega_network(capsys: pytest.CaptureFixture[str], degree: int) -> None:
    """Rows row * degree .. row * degree + degree - 1; so after l levels a row reaches degree^l rows that follow one another:
    what is out of reach is refused, and nothing else.  Of degree^n rows a link shifts a row's digits and sets the last one."""
    for rows in range(max(2, degree), 30):
        for depth in range(1, 6):
            if degree ** depth < rows:
                assert leveled.main([str(rows), str(depth), str(degree)]) == 1
                said = capsys.readouterr()
                assert not said.out and said.err.count("\n") == 1 and "out of reach" in said.err
                continue
            levels = levels_of(capsys, rows, depth, degree)
            assert reach(rows, levels)
            assert levels == [[{far % rows for far in range(row * degree, row * degree + degree)} for row in range(rows)]] * depth
            if rows in [degree ** n for n in range(1, 6)]:
                top = rows // degree
                assert all(to == {row % top * degree + digit for digit in range(degree)} for row, to in enumerate(levels[0]))


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
