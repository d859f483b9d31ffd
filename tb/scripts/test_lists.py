# SPDX-License-Identifier: Apache-2.0
"""test_lists.py - lib/lists.py: the rows of a list, and what it refuses."""

import pathlib
import re

import pytest

from lib import lists


def rows(folder: pathlib.Path, text: str, count: int) -> list[tuple[str, list[str]]]:
    (folder / "list.txt").write_text(text)
    return list(lists.rows(folder, "list.txt", count))


def test_fields_comments_and_bars(tmp_path: pathlib.Path) -> None:
    text = "# a comment | of | many | bars\n\n  a | b \\| c |\n|x|\\|\n"
    assert rows(tmp_path, text, 3) == [("list.txt:3", ["a", "b | c", ""]), ("list.txt:4", ["", "x", "|"])]


@pytest.mark.parametrize("text, said", [("a | b\n", "list.txt:1: 2 fields; needed: 3, separated by |"),
                                        ("a|b|c\na|b|c|d\n", "list.txt:2: 4 fields; needed: 3")])
def test_wrong_number_of_fields(tmp_path: pathlib.Path, text: str, said: str) -> None:
    with pytest.raises(lists.Wrong) as wrong:
        rows(tmp_path, text, 3)
    assert str(wrong.value).startswith(said)


def test_no_file(tmp_path: pathlib.Path) -> None:
    with pytest.raises(lists.Wrong, match="none.txt: No such file"):
        list(lists.rows(tmp_path, "none.txt", 1))


@pytest.mark.parametrize("path, count", [("tb/bugs/bugs.txt", 7), ("tb/formal/proofs.txt", 7), ("tb/formal/bugs.txt", 8)])
def test_own_lists(path: str, count: int) -> None:
    named = re.compile(r"\w+\s*=[^|]*").fullmatch  # proofs.txt: NAME = files
    assert list(lists.rows(pathlib.Path(__file__).resolve().parents[2], path, count, named))
