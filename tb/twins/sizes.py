#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sizes.py - the sizes at which the Verilog and the C model of switches and networks do something else.

Usage: sizes.py [--root DIR] [--list FILE]
       sizes.py --write      what is asked, as rows of the list
Nobody simulates every depth, width, level, number of levels and radix.  Tests of some stand for the others because the
sources ask nothing of a size but what sizes.txt names: a size beside a number, as in `DEPTH == 2`, `level > 6`, `s % 128`,
`k > 10 && ..`, or one digit of it, as in `LEVEL[2]`.  The list says of each which test has sizes on both sides of it.
A line for what is asked and not in the list, or is in the list and not asked; exit code 1.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "tb" / "twins" / "sizes.txt"
FOLDERS = ("rtl", "rtl/fast", "rtl/cube", "cmodel/switch", "cmodel/network")
# Sizes by what they are of: in Verilog parameters and the loops over levels, switches and routers; in C as they are called there.
VERILOG = {"width": "FLIT_W WIDTH W", "depth": "DEPTH COUNT_W PTR_W LAST", "levels": "LEVELS HEIGHT_W HEIGHT_LSB PATH_LSB FORK",
           "level": "LEVEL l", "radix": "K D FAR", "number": "N S s a COUNT BASE x X Y AT"}
C = {"width": "flit_w", "depth": "depth", "levels": "levels", "level": "level l", "radix": "radix k", "number": "nodes switches routers s a"}
NUMBER = r"\(?(?:\d+'[bdh][0-9a-fA-F_]+|UINT(?:32|64)_C\(\d+\)|0x[0-9a-fA-F]+u?|\d+u?)\b"
ASKS = r"(?:==|!=|<=|>=|<(?!<)|>(?!>)|%|&(?!&))"


def code(text: str) -> str:
    """Without comments and quoted words; every line where it was."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", re.sub(r'"[^"\n]*"', '""', text))


def asked(text: str, names: dict[str, str]) -> list[tuple[int, str, str]]:
    """(place, kind of size, what is asked) of each question."""
    found = []
    for kind, words in names.items():
        name = rf"(?<![\w.`])(?:\w+(?:->|\.))*(?:{'|'.join(words.split())})\b"
        for pattern in (rf"{name} *({ASKS}) *({NUMBER})", rf"(?<!\w)({NUMBER}) *({ASKS}) *{name}", rf"{name} *\[ *(\d+)(?: *: *\d+)? *\]"):
            for m in re.finditer(pattern, text):
                words_of = re.sub(r"^\w+(?:->|\.)", "", re.sub(r"\s+", " ", m[0]).replace("(", ""))
                if re.search(r"<= *\d+'", words_of) and not re.search(r"\b(if|\?|&&|\|\|)", text[max(0, m.start() - 60):m.start()].rpartition("\n")[2]):
                    continue  # an assignment of Verilog
                if kind in ("number", "level") and re.search(r"[%<>=!]=? *0\b", words_of):
                    continue  # loops from nothing
                found.append((m.start(), kind, words_of))
    return sorted(set(found))


def listed(file: pathlib.Path) -> dict[tuple[str, str], str]:
    """{(file, question): the test} of the list."""
    rows = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, question, test = (part.strip() for part in line.split("|", 2))
            rows[name, question.replace("¦", "|")] = test
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    parser.add_argument("--write", action="store_true", help="print what is asked, for the list")
    options = parser.parse_args()
    rows, met, wrong, questions = listed(options.list), set(), [], 0
    for folder in FOLDERS:
        for file in sorted((options.root / folder).glob("*")):
            if file.suffix not in (".v", ".vh", ".c", ".h"):
                continue
            name, text = str(file.relative_to(options.root)), code(file.read_text(encoding="utf-8"))
            for at, kind, question in asked(text, VERILOG if file.suffix in (".v", ".vh") else C):
                questions += 1
                met.add((name, question))
                if options.write:
                    print(f"{name} | {question} | {rows.get((name, question), '')}")
                elif (name, question) not in rows:
                    wrong.append(f"{name}:{text.count(chr(10), 0, at) + 1}: `{question}`, a {kind} at which it does something else; "
                                 "allowed: what tb/twins/sizes.txt has, with the test of both sides")
    wrong += [f"{name}: `{question}` is in tb/twins/sizes.txt, and nobody asks it" for name, question in rows if (name, question) not in met]
    if options.write:
        return 0
    for line in wrong:
        print(f"FAIL {line}")
    print(f"{questions} questions of sizes, all with a test" if not wrong else f"{len(wrong)} of {questions} questions of sizes")
    return 1 if wrong or questions < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
