# SPDX-License-Identifier: Apache-2.0
"""test_markdown.py - lib/markdown.py: tables, and sections between two lines."""

import pytest

from lib.markdown import replaced, table


def test_table() -> None:
    assert table(["a", "b"], [[1, "x"], (2, "y")], right=[0]) == "| a | b |\n| ---: | --- |\n| 1 | x |\n| 2 | y |\n"
    assert table(["a"], []) == "| a |\n| --- |\n"


def test_section() -> None:
    assert replaced("before\nBEGIN\nold\nEND\nafter\n", "BEGIN", "END", "new") == "before\nBEGIN\nnew\nEND\nafter\n"


@pytest.mark.parametrize("page", ["", "BEGIN\n", "END\nBEGIN\n", "BEGIN\nBEGIN\nEND\n", "BEGIN\nEND\nEND\n"])
def test_no_such_section(page: str) -> None:
    assert replaced(page, "BEGIN", "END", "new") is None
