# SPDX-License-Identifier: Apache-2.0
"""lists.py - reads the lists of proofs, bugs and the like: a row a line, fields between bars."""

import pathlib
import re
from collections.abc import Callable, Iterator


class Wrong(Exception):
    """What is wrong with a list, in one line."""


def rows(root: pathlib.Path, path: str, count: int,
         other: Callable[[str], object] = lambda line: None) -> Iterator[tuple[str, list[str]]]:
    """Place and fields of each row; empty lines and those from # on the left are comments; lines that are other are none.

    Within a field \\| is a bar.  The place is `path:number`, for messages.
    """
    try:
        text = (root / path).read_text()
    except OSError as e:
        raise Wrong(f"{path}: {e.strerror}") from e
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#") or other(line):
            continue
        row = [f.strip().replace("\\|", "|") for f in re.split(r"(?<!\\)\|", line)]
        if len(row) != count:
            raise Wrong(f"{path}:{number}: {len(row)} fields; needed: {count}, separated by |")
        yield f"{path}:{number}", row
