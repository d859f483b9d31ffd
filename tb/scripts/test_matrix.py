# SPDX-License-Identifier: Apache-2.0
"""The matrix of the co-simulation: what it must have, and holes that are seen."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts" / "sim"), str(ROOT / "tb" / "spec")]
import matrix  # noqa: E402  (the path above)


def test_complete() -> None:
    lines = (ROOT / "sim" / "matrix.txt").read_text().splitlines()
    assert not matrix.lacks(lines)
    assert len(matrix.wanted()) > 100


def test_planted_holes() -> None:
    lines = (ROOT / "sim" / "matrix.txt").read_text().splitlines()
    for start, name in (("s10of10-v1", "level 10 one"), ("s10of10-v2", "level 10 pair"), ("s9of10-v4", "vcs 4 port")):
        fewer = [line for line in lines if not line.startswith(start)]
        assert len(fewer) < len(lines)
        assert matrix.lacks(fewer), name
    assert len(matrix.lacks([])) == len(matrix.wanted())
