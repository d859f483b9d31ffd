#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lines.py - the links from docs/rules.md to lines of code go to the lines that they quote.

usage: lines.py [--write] [--page FILE]

A link [`code`](../FILE#Lnumber) must name a line of FILE that contains `code`.  --write puts the
right numbers in; it wants code that stands on one line of the file only.
Prints a line for each wrong link and `N passed, N failed`.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[`([^`]+)`\]\(\.\./([\w/.]+)#L(\d+)\)")
LEAST = 30                              # links; fewer means that they are written in another way


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "rules.md")
    got = parser.parse_args()
    text = got.page.read_text()
    passed, wrong = 0, []

    def mend(match: re.Match[str]) -> str:
        nonlocal passed
        quoted, file, number = match[1].replace("\\|", "|"), match[2], int(match[3])
        path = ROOT / file
        lines = path.read_text().splitlines() if path.is_file() else []
        if number <= len(lines) and quoted in lines[number - 1]:
            passed += 1
            return match[0]
        places = [n for n, line in enumerate(lines, 1) if quoted in line]
        if got.write and len(places) == 1:
            passed += 1
            return match[0].replace(f"#L{number})", f"#L{places[0]})")
        where = "lines " + ", ".join(map(str, places)) if places else "no line"
        wrong.append(f"{file}:{number} is not `{quoted}`, which stands on {where}"
                     if lines else f"{file}: there is no such file")
        return match[0]

    new = LINK.sub(mend, text)
    if passed + len(wrong) < LEAST:
        wrong.append(f"{passed + len(wrong)} links to lines; needed: {LEAST} or more")
    if got.write and new != text:
        got.page.write_text(new)
    for line in wrong:
        print(f"FAIL {got.page.name}: {line}")
    print(f"{passed} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
