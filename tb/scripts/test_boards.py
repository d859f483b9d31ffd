# SPDX-License-Identifier: Apache-2.0
"""test_boards.py - the constraint files of the boards say what the tables of constraints/README.md say: each pin, clock and
electrical attribute; and a button is pulled to the level at which it is not pressed."""
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

# A line of each format that says more of a port than its pin: the port, and words in pairs, a name and a value.
MORE = {
    ".pcf": r"set_io\s+(?P<pairs>(?:-\S+\s+\S+\s+)*)(?P<port>\S+)\s+\w+",
    ".lpf": r'IOBUF\s+PORT\s+"(?P<port>[^"]+)"(?P<pairs>.*);',
    ".cst": r'IO_PORT\s+"(?P<port>[^"]+)"(?P<pairs>.*);',
    ".xdc": r"set_property\s+(?:-dict\s+\{(?P<pairs>[^}]*)\}|(?P<pair>\w+\s+\w+))\s+\[get_ports\s+\{?\s*(?P<port>\w+(?:\[\d+\])?)",
}
COLUMNS = {  # of the table, by what the formats call it
    "io_type": "Standard", "iostandard": "Standard", "pullmode": "Pull", "pull_mode": "Pull", "pulltype": "Pull", "pullup": "Pull",
    "pulldown": "Pull", "-pullup": "Pull", "drive": "Drive, mA"}


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


def rows(board: str) -> dict[str, dict[str, str]]:
    """The rows of a board in the table of electrical attributes, by port."""
    table = next(t for t in tables() if t and "Pulled by" in t[0])
    return {row[1].strip("`"): dict(zip(table[0], row)) for row in table[2:] if row[0] == board}


def attributes(suffix: str, text: str) -> tuple[dict[str, dict[str, str]], list[str]]:
    """What a constraint file says of each port, by the names of the table's columns; and the names that it has no column for."""
    ports: dict[str, dict[str, str]] = {}
    unknown = []
    for line in text.splitlines():
        if match := re.match(r"\s*" + MORE[suffix], line, re.IGNORECASE):
            of = ports.setdefault(match["port"], {})
            words = re.split(r"[\s=]+", ((match["pairs"] or "") if suffix != ".xdc" else match["pairs"] or match["pair"]).strip())
            for name, value in zip(words[::2], words[1::2]):
                name, value = name.lower(), value.lower()
                if name in COLUMNS:
                    if name.lstrip("-") in ("pullup", "pulldown"):
                        value = name.lstrip("-").removeprefix("pull") if value in ("true", "yes", "1") else "none"
                    of[COLUMNS[name]] = value.removeprefix("pull")
                elif name != "package_pin":
                    unknown.append(f"{match['port']}: {name}")
    return ports, unknown


def active(top: str) -> dict[str, str]:
    """The ports of a top whose polarity matters, with the level at which they are active."""
    button = re.search(r"\.restart_i\((~?)(\w+)\)", top)
    lamps = re.search(r"assign\s+(led\w*)\s*=\s*(~?)\s*led\b", top)
    levels = {"": "high", "~": "low"}
    found = {lamps[1]: levels[lamps[2]]} if lamps else {"led_o": "high"} if ".led_o(led_o)" in top else {}
    return found | ({button[2]: levels[button[1]]} if button else {})


def electrical(board: str, texts: dict[str, str], page: dict[str, dict[str, str]]) -> list[str]:
    """What the constraint file and the top of a board say of its ports that the rows of the page do not, or the reverse; and a button
    that is pulled to where it is pressed, or not at all."""
    name = BOARDS[board]["pins"]
    suffix = pathlib.Path(name).suffix
    there, unknown = attributes(suffix, texts[name])
    found = [f"{board}: {one}: the table has no such column" for one in unknown]
    pins = [m["port"] for line in texts[name].splitlines() if (m := re.match(r"\s*" + PIN[suffix], line, re.IGNORECASE))]
    found += [f"{board}: {port} has no pin" for port in there if port not in pins]
    found += [f"{board}: {port}: no port" for port in page if port not in [pin.split("[")[0] for pin in pins]]
    for port in pins:
        row = page.get(port.split("[")[0], {})
        for column in sorted(set(COLUMNS.values())):
            is_, said_ = there.get(port, {}).get(column, ""), row.get(column, "").lower()
            if is_ != said_:
                found.append(f"{board}: {port}: {column}: {is_ or 'nothing'}, not {said_ or 'nothing'}")
    levels = active(texts["top.v"])
    found += [f"{board}: {port}: active {levels.get(port)}" for port in page if page[port]["Active"] != levels.get(port, "")]
    for port in page:
        pull, by = page[port]["Pull"], page[port]["Pulled by"]
        if port in levels and not port.startswith("led"):
            rest = {"high": "down", "low": "up"}[levels[port]]
            if (pull, by) not in ((rest, "device"), ("", "board")):
                found.append(f"{board}: {port} is {levels[port]} while pressed, and pulled {pull or 'nowhere'} by the {by or 'device'}")
        elif by:
            found.append(f"{board}: {port} is no button")
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


@pytest.mark.parametrize("board", BOARDS)
def test_electrical_as_the_page_says(board: str) -> None:
    assert not electrical(board, files(board), rows(board))


@pytest.mark.parametrize("board", BOARDS)
def test_each_attribute_counts(board: str) -> None:
    """Each attribute of a port, with another value, under another name or left out, and one more: something is wrong then."""
    name = BOARDS[board]["pins"]
    text = files(board)[name]
    changed = 0
    for match in re.finditer(r"\b(IO_TYPE|IOSTANDARD|PULL_?MODE|DRIVE)([ =])(\w+)", text):
        other = {"UP": "DOWN", "DOWN": "UP", "NONE": "UP", "LVCMOS33": "LVCMOS25", "LVCMOS18": "LVCMOS33", "4": "8", "8": "16"}[match[3]]
        for new in (match[1] + match[2] + other, "SLEWRATE" + match[2] + "FAST", ""):
            changed += 1
            texts = files(board) | {name: text[:match.start()] + new + text[match.end():]}
            assert electrical(board, texts, rows(board)), f"{match[0]}: {new}"
    assert changed == 3 * len(re.findall("LVCMOS|PULL|DRIVE", text))
    more = {".pcf": ("set_io ", "set_io -pullup yes "), ".xdc": (" IOSTANDARD", " PULLUP true IOSTANDARD"),
            ".lpf": (" IO_TYPE", " OPENDRAIN=ON IO_TYPE"), ".cst": (" IO_TYPE", " BANK_VCCIO=3.3 IO_TYPE")}[pathlib.Path(name).suffix]
    assert more[0] in text
    for match in re.finditer(more[0], text):
        assert electrical(board, files(board) | {name: text[:match.start()] + more[1] + text[match.end():]}, rows(board))
    assert pathlib.Path(name).suffix != ".xdc" or electrical(
        board, files(board) | {name: text + "set_property PULLTYPE PULLUP [get_ports btn0_i]\n"}, rows(board))


@pytest.mark.parametrize("board", BOARDS)
def test_a_button_rests_where_it_is_not_pressed(board: str) -> None:
    """A button the other way round in the top; one that is pulled to where it is pressed, or not at all, though page and constraints agree."""
    texts = files(board)
    for port, level in active(texts["top.v"]).items():
        top = texts["top.v"]
        old = re.search(rf"(\.restart_i\()(~?)({port}\))|(assign\s+{port}\s*=\s*)(~?)(\s*led)", top)
        if old:
            before, turned, behind = old.groups()[:3] if old[1] else old.groups()[3:]
            top = top[:old.start()] + before + ("" if turned else "~") + behind + top[old.end():]
            assert electrical(board, texts | {"top.v": top}, rows(board)), f"{port} the other way round"
        if port.startswith("led"):
            continue
        page, name = rows(board), BOARDS[board]["pins"]
        for pull in ("up" if level == "high" else "down", "none", ""):
            wrong = page | {port: page[port] | {"Pull": pull, "Pulled by": "device"}}
            mode = f" PULLMODE={pull.upper()}" if pull else ""
            text = re.sub(rf'(IO\w* (?:PORT )?"{port}".*?) PULL_?MODE=\w+', lambda m, add=mode: m[1] + add, texts[name])
            if pathlib.Path(name).suffix == ".xdc" and pull:
                text += f"set_property PULLTYPE PULL{pull.upper()} [get_ports {port}]\n"
            found = electrical(board, texts | {name: text}, wrong)
            assert len(found) == 1 and "while pressed" in found[0], found
