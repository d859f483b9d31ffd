#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""declared.py - whether Verilog sources use a name before its declaration.

Usage: declared.py FILE...

Verilator, Icarus and Yosys take that without a word, and other tools refuse it.  Looks at the text alone: of each module every
name that a wire, reg, integer, genvar or localparam declares, and where it stands first; names after a dot are ports.
Prints a line for each, file:line and name; exit code 1 if there is one.
"""
from __future__ import annotations

import pathlib
import re
import sys

KINDS = r"wire|reg|integer|genvar|localparam"
DECLARATION = re.compile(rf"\b(?:{KINDS})\b(?:\s+(?:integer|signed|reg))*\s*(?:\[[^\]]*\]\s*)*(\w+(?:\s*,\s*\w+)*)")
IN_DECLARATION = re.compile(rf"\b(?:{KINDS}|input|output|parameter|module|function|task)\b[^;]*$")
NO_NAMES = {"input", "output", "wire", "reg", "integer", "signed"}


def code_of(text: str) -> str:
    """Without comments and strings, each character in its place."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S)


def early(text: str) -> list[tuple[int, str]]:
    """(line, name) of uses that come before the declaration."""
    code = code_of(text)
    found = []
    for module in re.finditer(r"\bmodule\b.*?\bendmodule\b", code, re.S):
        body = module[0]
        for declaration in DECLARATION.finditer(body):
            for name in set(re.split(r"\s*,\s*", declaration[1])) - NO_NAMES:
                first = re.search(rf"(?<![.\w$`']){name}\b", body)
                if first and first.start() < declaration.start() and not IN_DECLARATION.search(body[:first.start()]):
                    found.append((code[:module.start() + first.start()].count("\n") + 1, name))
    return sorted(set(found))


def main(files: list[str]) -> int:
    if not files:
        print("usage: declared.py FILE...", file=sys.stderr)
        return 2
    bad = [(file, *use) for file in files for use in early(pathlib.Path(file).read_text(encoding="utf-8"))]
    for file, line, name in bad:
        print(f"{file}:{line}: {name} is declared further down")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
