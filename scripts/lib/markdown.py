# SPDX-License-Identifier: Apache-2.0
"""markdown.py - tables in Markdown, and sections of a page that a script writes."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Iterable[object]], right: Iterable[int] = ()) -> str:
    """A table; the columns in right are aligned there."""
    numbers = set(right)
    lines = [head, ["---:" if k in numbers else "---" for k in range(len(head))], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def replaced(page: str, begin: str, end: str, text: str) -> str | None:
    """The page with text between two lines; None unless each stands there once, in this order."""
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(end) < page.index(begin):
        return None
    return page[:page.index(begin)] + f"{begin}\n{text}\n" + page[page.index(end):]
