# SPDX-License-Identifier: Apache-2.0
"""The matrix of the co-simulation: what it must have, and holes that are seen."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts" / "sim"), str(ROOT / "tb" / "spec")]
import cover  # noqa: E402  (the path above)
import matrix  # noqa: E402  (the path above)


def test_complete() -> None:
    lines = (ROOT / "sim" / "matrix.txt").read_text().splitlines()
    assert not matrix.lacks(lines)
    assert len(matrix.wanted()) > 100


def test_planted_holes() -> None:
    lines = (ROOT / "sim" / "matrix.txt").read_text().splitlines()
    for start, name in (("s10of10-v1-q2", "level 10 one"), ("s10of10-v2-q2", "level 10 pair"), ("s10of10-v4-q3", "level 10 ref")):
        fewer = [line for line in lines if not line.startswith(start)]
        assert len(fewer) < len(lines)
        assert name in matrix.lacks(fewer)
    assert len(matrix.lacks([])) == len(matrix.wanted()) + len(cover.all_tuples(matrix.WHOLE))


def test_full_completes_the_design() -> None:
    """Without any one of the rows marked full some pair or triple is missing."""
    lines = (ROOT / "sim" / "matrix.txt").read_text().splitlines()
    full = [line for line in lines if line.endswith(matrix.FULL)]
    assert 50 < len(full) < 120
    last = full[-1]
    assert matrix.lacks([line for line in lines if line != last])
    lacks = len(matrix.lacks([line for line in lines if line not in full]))
    every = len(cover.all_tuples(matrix.WHOLE))
    page = (ROOT / "docs" / "cosim-cases.md").read_text()
    assert f"{len(full)} more, marked" in page and f"{every - lacks:,} of the {every:,} pairs and triples" in page
