# SPDX-License-Identifier: Apache-2.0
"""The matrix of the co-simulation: holes, idle rows and rows that a list misses are seen, and a search mends them."""
import collections
import itertools
import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts" / "sim"), str(ROOT / "tb" / "spec")]
import matrix  # noqa: E402  (the path above)


def rows() -> list[str]:
    return [line for line in (ROOT / "sim" / "matrix.txt").read_text().splitlines() if not line.startswith("#")]


def test_each_row_is_needed() -> None:
    """Without a row, what it alone meets is missing, or a list that names it says so."""
    lines, names = rows(), matrix.named(ROOT)
    assert not matrix.faults(lines, names)
    for line in lines:
        found = matrix.faults([other for other in lines if other != line], names)
        assert found and (line not in names or f"lacks {line}, which {names[line]} names" in found)


def test_idle_rows() -> None:
    lines, names = rows(), matrix.named(ROOT)
    assert matrix.faults([*lines, "s1of3-v1-q2-w64-rp-fo"], names) == ["has s1of3-v1-q2-w64-rp-fo, which nothing needs"]
    assert "has a row twice" in matrix.faults([*lines, lines[0]], names)


def test_named(tmp_path: pathlib.Path) -> None:
    """A shape of a list, and a case of a page or of planted bugs."""
    for name in matrix.LISTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("s1of3-v1-q2-w32-rp-rr-ref\n" if name == matrix.LISTS[0] else "")
    (tmp_path / "README.md").write_text("make cosim CASE=switch-s2of3-v1-q2-w32-rp-fo; s2of3-v1-q2-w32-rp-ff is no case\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("switch-s1of2-v1-q2-w32-rp-ff\n")
    (tmp_path / "docs/z.md").write_text("fatfly cosim --case switch-s1of2-v1-q2-w32-rp-rot\n")
    (tmp_path / "tb/bugs/bugs.txt").write_text("a | rtl | switch-s3of3-v1-q1-w32-rg-fo-bare | mismatch\n")
    assert matrix.named(tmp_path) == {"s1of3-v1-q2-w32-rp-rr-ref": matrix.LISTS[0], "s2of3-v1-q2-w32-rp-fo": "README.md",
                                      "s1of2-v1-q2-w32-rp-ff": "docs/a.md", "s1of2-v1-q2-w32-rp-rot": "docs/z.md",
                                      "s3of3-v1-q1-w32-rg-fo": "tb/bugs/bugs.txt"}


def test_what_is_wanted() -> None:
    """Every tuple of rows drawn by chance is wanted, and no other: those of each row, and all of some row."""
    every = {name: tuple(values) for name, values in matrix.VALUES.items()}
    rng, met = random.Random(1), set()
    for _ in range(60000):
        row = {name: rng.choice(values) for name, values in every.items()}
        if matrix.possible(row):
            met |= matrix.tuples(row)
    assert met <= set(matrix.wanted()) and len(met) > 0.97 * len(matrix.wanted())


def test_search() -> None:
    """What a search adds to rows with holes has none, keeps what it must, and stays where it was."""
    lines = rows()
    kept = [matrix.row_of(line) for line in lines[:20]]
    found = [matrix.shape_of(row) for row in matrix.search(kept, [matrix.row_of(line) for line in lines[30:]], 0, random.Random(1))]
    assert not matrix.faults(found, dict.fromkeys(lines[:20], "a list")) and found[:20] == lines[:20]
    met = [set(matrix.tuples(matrix.row_of(shape))) for shape in found]
    times = collections.Counter(itertools.chain(*met))
    assert all(any(times[each] == 1 for each in some) for some in met[20:])  # each row meets what no other does
    moved = matrix.placed(found, lines)
    assert sorted(moved) == sorted(found)
    assert all(moved[k] == line for k, line in enumerate(lines[:len(moved)]) if line in found)


def test_wrong_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--search"], ["--search", "x"], ["--search", "\u00b2"], ["--search", "-1"], ["--check", "1"]):
        assert matrix.main(words) == 2
        assert capsys.readouterr().err == "usage: matrix.py --check | --search SECONDS\n"
