# SPDX-License-Identifier: Apache-2.0
"""lines.py - a pytest plugin: which lines in functions of the package fatfly no test ran.

A session with such a line fails, after a line `never run: FILE:LINE: text` for each.  What runs when the package is
imported (IMPORTED) is not looked at: that is over before the tests begin.
"""
import pathlib
import sys
import threading
import types

import pytest

IMPORTED = ("same_version",)
ran: set[tuple[str, int]] = set()
FOLDER = next(str(pathlib.Path(p) / "fatfly") for p in sys.path if (pathlib.Path(p) / "fatfly").is_dir())


def trace(frame, event, _):
    if not frame.f_code.co_filename.startswith(FOLDER):
        return None
    if event == "line":
        ran.add((frame.f_code.co_filename, frame.f_lineno))
    return trace


def functions(code: types.CodeType, inside: bool = False):
    """The code of each function below that of a module; a class's own lines run when it is read."""
    for one in code.co_consts:
        if isinstance(one, types.CodeType) and one.co_name not in IMPORTED:
            function = inside or bool(one.co_flags & 2)   # CO_NEWLOCALS
            if function:
                yield one
            yield from functions(one, function)


def missing():
    for path in sorted(pathlib.Path(FOLDER).glob("*.py")):
        text = path.read_text()
        lines = {line for code in functions(compile(text, str(path), "exec"))
                 for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
        for line in sorted(lines):
            words = text.splitlines()[line - 1].strip()
            if (str(path), line) not in ran and not words.startswith(("def ", '"""', "@")):
                yield f"{path.name}:{line}: {words}"


def pytest_sessionstart():
    sys.settrace(trace)
    threading.settrace(trace)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    sys.settrace(None)
    left = list(missing())
    for one in left:
        print(f"\nnever run: {one}", end="")
    if left and not session.exitstatus:
        session.exitstatus = 1
