#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""alike.py - whether Verilog sources have something that a synthesizer reads otherwise than a simulator.

Usage: alike.py FILE...

These are: attributes but keep_hierarchy (parallel_case and full_case change what is built), comments that are orders to a
synthesizer, casex and casez, comparisons with x, digits x and z, `initial`, delays, system tasks, conditions of the preprocessor
but for a header's own guard and for FATFLY_GATE_TABLE, whose two sides tb/rtl/test_gate.sh compares.
Prints a line for each, file:line and what it is; exit code 1 if there is one.
"""
from __future__ import annotations

import pathlib
import re
import sys

from declared import code_of

ORDERS = re.compile(r"(?://|/\*)\s*(?:synthesis|synopsys|synplify|pragma|translate_o\w+|(?:parallel|full)_case)\b", re.I)
KINDS = {
    "an attribute": r"\(\*(?!\))(?!\s*keep_hierarchy\s*\*\))",
    "casex or casez": r"\bcase[xz]\b",
    "a comparison with x": r"[!=]==",
    "a digit x or z": r"'[sS]?[bodhBODH]\s*[\da-fA-F_]*[xXzZ?]",
    "initial": r"\binitial\b",
    "a delay": r"#\s*\d",
    "a system task": r"\$(?!clog2\b|signed\b|unsigned\b)\w+",
    "a condition": r"`(?:ifn?def\s+(?!FATFLY_GATE_TABLE\b|FATFLY_\w+_VH\b)|elsif)",
}


def unlike(text: str) -> list[tuple[int, str]]:
    """(line, what it is)."""
    code = code_of(text)
    found = [(m.start(), f"{what}: {m[0].strip()}") for what, pattern in KINDS.items() for m in re.finditer(pattern, code)]
    found += [(m.start(), f"an order to a synthesizer: {m[0]}") for m in ORDERS.finditer(text)]
    return [(text.count("\n", 0, at) + 1, what) for at, what in sorted(found)]


def main(files: list[str]) -> int:
    if not files:
        print("usage: alike.py FILE...", file=sys.stderr)
        return 2
    code = 0
    for name in files:
        for line, what in unlike(pathlib.Path(name).read_text(encoding="utf-8")):
            print(f"{name}:{line}: {what}")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
