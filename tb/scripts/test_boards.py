# SPDX-License-Identifier: Apache-2.0
"""test_boards.py - the constraint files of the boards say what the tables of constraints/README.md say: each pin and clock."""
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "scripts" / "synth")]
from bitstream import BOARDS, PIN  # noqa: E402  (the path above)

FOLDER = ROOT / "constraints"
# The clock of the board where a constraint file says it, by its period in ns or its frequency in MHz.
CLOCK = r"create_clock\s.*-period\s+(?P<ns>[\d.]+)|set_frequency\s+\w+\s+(?P<mhz>[\d.]+)|FREQUENCY\s+PORT\s+\S+\s+(?P<MHZ>[\d.]+)\s+MHZ"


def tables() -> list[list[list[str]]]:
    """The tables of the page, each a list of rows of cells."""
    found: list[list[list[str]]] = [[]]
    for line in (FOLDER / "README.md").read_text().splitlines():
        if line.startswith("|"):
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif found[-1]:
            found.append([])
    return found


def said(board: str) -> tuple[dict[str, str], float, int]:
    """What the page says: pins by what they are for, the clock in MHz, what it is divided by."""
    boards, lamps = tables()[:2]
    name, clock, restart = next((row[0], row[3], row[4]) for row in boards if row[0] == board)
    column = next(k for k, short in enumerate(lamps[0]) if short and short in name)
    pins = {f"led {row[0]}": row[column] for row in lamps[2:] if row[column]}
    words = clock.split(", ")
    pins["clock"] = words[1]
    if button := re.search(r"\((\w+)\)", restart):
        pins["restart"] = button[1]
    divided = re.search(r"divided by (\d+)", clock)
    return pins, float(words[0].removesuffix(" MHz")), int(divided[1]) if divided else 1


def faults(board: str, texts: dict[str, str]) -> list[str]:
    """What the constraint files of a board, by name, say that the page does not, or the reverse."""
    pins, mhz, divided = said(board)
    there = {}
    for line in texts[BOARDS[board]["pins"]].splitlines():
        if match := re.match(r"\s*" + PIN[pathlib.Path(BOARDS[board]["pins"]).suffix], line, re.IGNORECASE):
            port = match["port"]
            use = f"led {port.split('[')[1][:-1]}" if port.startswith("led") else "clock" if port.startswith("clk") else "restart"
            there[use] = match["pin"]
    found = [f"{board}: {use}: {there.get(use)}, not {pins.get(use)}" for use in sorted(pins.keys() | there.keys()) if pins.get(use) != there.get(use)]
    every = "\n".join(texts.values())
    clocks = [1000 / float(m["ns"]) if m["ns"] else float(m["mhz"] or m["MHZ"]) for m in re.finditer(CLOCK, every)]
    if [round(clock, 2) for clock in clocks] != [mhz]:
        found.append(f"{board}: clocks of {clocks} MHz, not {mhz}")
    if [int(m) for m in re.findall(r"-divide_by\s+(\d+)", every)] != [divided] * (divided > 1):
        found.append(f"{board}: not divided by {divided}")
    if divided > 1 and f"[{divided.bit_length() - 2}:0] div_q" not in texts["top.v"]:
        found.append(f"{board}: top.v does not divide by {divided}")
    if mhz / divided != BOARDS[board]["mhz"]:
        found.append(f"{board}: bitstream.py has {BOARDS[board]['mhz']} MHz")
    return found


def files(board: str) -> dict[str, str]:
    return {path.name: path.read_text() for path in (FOLDER / board).iterdir()}


@pytest.mark.parametrize("board", BOARDS)
def test_as_the_page_says(board: str) -> None:
    assert not faults(board, files(board))


@pytest.mark.parametrize("board", BOARDS)
def test_each_number_counts(board: str) -> None:
    """Each line that has a pin, with another one, and each number of a clock, one more: something is wrong then."""
    for name, text in files(board).items():
        lines = text.splitlines()
        for k, line in enumerate(lines):
            pin = re.match(r"\s*" + PIN[pathlib.Path(name).suffix], line, re.IGNORECASE) if pathlib.Path(name).suffix in PIN else None
            places = [pin.span("pin")] if pin else []
            places += [m.span(1) for m in re.finditer(r"(?:-period|set_frequency \w+|FREQUENCY PORT \S+|-divide_by)\s+(\d+)", line)]
            for begin, end in places:
                old = line[begin:end]
                new = str(int(old) + 1) if old.isdigit() else old[:-1] + str((int(old[-1]) + 1) % 10)
                texts = files(board) | {name: "\n".join([*lines[:k], line[:begin] + new + line[end:], *lines[k + 1:]])}
                assert faults(board, texts), f"{name}:{k + 1}: {new}"
