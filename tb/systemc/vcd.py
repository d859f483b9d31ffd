#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two VCD files of the pins of one module: the same names, widths, and values at the end of every cycle.

Usage: vcd.py C.vcd RTL.vcd PERIOD   the period in the files' units of time
"""
import sys
from collections.abc import Iterator


def changes(path: str) -> tuple[dict[str, int], Iterator[tuple[int, str, str]]]:
    """Widths by name, and what changes: time, name, value as binary digits."""
    widths: dict[str, int] = {}
    names: dict[str, list[str]] = {}
    with open(path, encoding="ascii") as file:
        lines = file.read().splitlines()
    at = next(k for k, line in enumerate(lines) if "$enddefinitions" in line)
    depth = 0
    for line in lines[:at]:
        word = line.split()
        depth += {"$scope": 1, "$upscope": -1}.get(word[0], 0) if word else 0
        # The module itself: the Verilated file shows its parameters, and what is inside, too.
        if len(word) > 4 and word[0] == "$var" and depth == 2 and word[4].split("[")[0].endswith(("_i", "_o")):
            name = word[4].split("[")[0]
            widths[name] = int(word[2])
            names.setdefault(word[3], []).append(name)

    def walk() -> Iterator[tuple[int, str, str]]:
        time = 0
        for line in lines[at + 1:]:
            if line.startswith("#"):
                time = int(line[1:])
                continue
            value, _, code = line[1:].partition(" ") if line.startswith("b") else (line[:1], "", line[1:])
            for name in names.get(code, ()):
                yield time, name, value.lstrip("0") or "0"

    return widths, walk()


def samples(path: str, period: int) -> tuple[dict[str, int], dict[int, dict[str, str]]]:
    """All values before each multiple of the period at which the file still goes on."""
    widths, walk = changes(path)
    now: dict[str, str] = {}
    taken: dict[int, dict[str, str]] = {}
    cycle = 1
    for time, name, value in walk:
        while time >= cycle * period:
            taken[cycle] = dict(now)
            cycle += 1
        now[name] = value
    return widths, taken


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__)
        return 2
    period = int(sys.argv[3])
    c, c_taken = samples(sys.argv[1], period)
    rtl, rtl_taken = samples(sys.argv[2], period)
    if c != rtl:
        print(f"names or widths differ: {sorted(set(c.items()) ^ set(rtl.items()))}")
        return 1
    both = sorted(set(c_taken) & set(rtl_taken))
    for cycle in both[2:]:  # after the reset
        for name in c:
            if c_taken[cycle].get(name) != rtl_taken[cycle].get(name):
                print(f"cycle {cycle}: {name} is {c_taken[cycle].get(name)} and {rtl_taken[cycle].get(name)}")
                return 1
    print(f"{len(c)} pins, {len(both) - 2} cycles: equal")
    return 0 if len(both) > 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
