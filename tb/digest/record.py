#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record.py - are the results of the drawn runs of digest.c those that were recorded?

Usage: record.py LINES FILE            LINES: what digest.c prints; FILE: the number of a line, its sum and those of the next
       record.py --write LINES FILE    where a change of results is meant
What differs is shown, five lines at most; exit code 1.
"""
from __future__ import annotations

import hashlib
import pathlib
import sys

EACH = 16  # sums in a line


def main() -> int:
    write = sys.argv[1] == "--write"
    lines, file = (pathlib.Path(a) for a in sys.argv[-2:])
    said = {text.split(" ", 1)[0]: text for text in lines.read_text(encoding="utf-8").splitlines()}
    sums = {number: hashlib.sha256(text.encode()).hexdigest()[:8] for number, text in said.items()}
    if write:
        numbers = list(sums)
        file.write_text("".join(f"{numbers[k]} {' '.join(sums[n] for n in numbers[k:k + EACH])}\n"
                                for k in range(0, len(numbers), EACH)), encoding="utf-8")
        return 0
    want = {}
    for row in file.read_text(encoding="utf-8").splitlines():
        first, *of_row = row.split()
        want.update((str(int(first) + k), s) for k, s in enumerate(of_row))
    other = [number for number in sums if want.get(number) != sums[number]]
    for number in other[:5]:
        print(f"not as recorded: {said[number]}")
    print(f"{len(sums) - len(other)} of {len(sums)} runs as recorded")
    return 1 if other or not sums else 0


if __name__ == "__main__":
    sys.exit(main())
