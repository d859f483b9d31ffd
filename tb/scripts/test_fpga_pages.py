# SPDX-License-Identifier: Apache-2.0
"""test_fpga_pages.py - synth/synth_page.py: the sections of docs/fpga*.md of made-up rows, cell by cell, and its counts once more in another way."""
from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
import synth
import synth_page

Row = dict[str, str]


def row(config: str, family: str, number: int, **more: str) -> Row:
    """Each number of a row is another: lut is 1000 times it, ff one more, and so on."""
    numbers = {c: str(1000 * number + k) for k, c in enumerate(("lut", "ff", "carry", "ram", "gates", "depth", "logic_levels"))}
    clocks = {"fmax_mhz": f"{number}.5", "fmax_min": f"{number}.1", "fmax_max": f"{number}.9", "seeds": "8", "unrouted": "0", "path": f"way {number}"}
    placed = clocks if family in ("ice40", "ecp5") else {}
    return dict.fromkeys(synth.COLUMNS, "") | {"config": config, "family": family, "device": f"<{family}>", "tools": f"yosys {number % 2}, nextpnr {number % 3}",
                                               "rtl": f"r{number % 3}"} | numbers | placed | more


BASE, SECOND = "s1of3-v1-q2-w32-rp-rr", "s2of3-v4-q2-w32-rp-rr"
ROWS = [row(BASE, "ice40", 1), row(BASE, "ecp5", 2, seeds="1"), row(BASE, "xilinx", 3), row(BASE, "gates", 4), row(SECOND, "ecp5", 5, path="does not fit: 9 LUT of 8", seeds=""),
        row("n16-v1-q2-w32-rp-rr", "ice40", 6, unrouted="3"), row("n4-v1-q2-w16-rp-rr", "ecp5", 7, path="not routed with any of 15 seeds", seeds="", unrouted="15"),
        row("arbiter-rp-rr", "gowin", 8), row("arbiter-rp-rr", "gates", 9), row("torus8n27-v2-q2-w32-ecube-rot", "ice40", 10),
        row("mesh8n27-v2-q2-w32-ecube-rot", "ecp5", 11, unrouted=""),
        row("s1of2-v1-q2-w32-rp-rr", "ice40", 12), row("s1of3-v1-q2-w64-rp-rr", "ecp5", 13), row("s1of3-v1-q2-w64-rp-rr", "gates", 14, lut="x"),
        row("s4of4-v1-q2-w32-rp-rr", "ecp5", 15)]
MATRIX = [(BASE, ["ice40", "ecp5", "gates"], 8), (SECOND, ["ecp5", "ice40"], 8), ("n16-v1-q2-w32-rp-rr", ["ice40"], 9), ("arbiter-rp-rr", ["gowin"], 8)]


def lines(text: str, first: str) -> list[list[str]]:
    """The cells of the table whose head begins so, without head and line."""
    rows = text[text.index(f"| {first} |"):].partition("\n\n")[0].splitlines()
    assert set(rows[1]) == set("|- ")
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (rows[0], *rows[2:]) if line.startswith("|")]


def cells(row_: Row | None, columns: str) -> list[str]:
    """Of a row, with commas; its clock with the range of more than one seed, or why there is none."""
    def cell(column: str) -> str:
        if not row_:
            return ""
        if column == "clock":
            if re.match("does not fit|not routed", row_["path"]):
                return row_["path"].split(":")[0]
            return row_["fmax_mhz"] + (f" ({row_['fmax_min']} to {row_['fmax_max']})" if row_["seeds"] not in ("", "1") else "")
        return re.sub(r"^(\d+)(\d{3})$", r"\1,\2", row_[column])

    return [cell(column) for column in columns.split()]


def at(config: str, family: str) -> Row | None:
    return next((r for r in ROWS if (r["config"], r["family"]) == (config, family)), None)


def beside(*configs: str) -> list[list[str]]:
    return [[f"`{c}`", *(x for f in ("ice40", "ecp5") for x in cells(at(c, f), "lut ff ram clock seeds"))] for c in configs]


PLACED = ["HX8K LUT", "FF", "RAM", "Fmax", "seeds", "ECP5 LUT", "FF", "RAM", "Fmax", "seeds"]


def test_the_page_of_switches() -> None:
    """Switches of three levels on each device that they were placed on, and networks; each tool once."""
    text = synth_page.main_page(ROWS, MATRIX)
    assert "Tools: yosys 1, nextpnr 1, yosys 0, nextpnr 2, nextpnr 0.\n" in text and text.startswith("LUT, FF, carry")
    assert lines(text, "switch") == [["switch", "device", "LUT", "FF", "carry", "RAM", "Fmax", "seeds", "LUTs in path"]] + [
        [f"`{c}`", f"<{f}>", *cells(at(c, f), "lut ff carry ram clock seeds logic_levels")] for c, f in ((BASE, "ice40"), (BASE, "ecp5"), (SECOND, "ecp5"))]
    assert lines(text, "switch")[3][6] == "does not fit" and lines(text, "switch")[1][6] == "1.5 (1.1 to 1.9)" and lines(text, "switch")[2][6] == "2.5"
    assert lines(text, "network") == [["network", *PLACED], *beside("n16-v1-q2-w32-rp-rr", "n4-v1-q2-w16-rp-rr")] and "\nWhole networks:\n\n| network" in text


def test_the_pages_of_routers_and_others() -> None:
    assert lines(synth_page.cubes_page(ROWS, MATRIX), "router") == [["router", *PLACED], *beside("torus8n27-v2-q2-w32-ecube-rot", "mesh8n27-v2-q2-w32-ecube-rot")]
    text = synth_page.configurations_page(ROWS, MATRIX)
    assert lines(text, "design") == [["design", *PLACED], *beside("arbiter-rp-rr", "s1of3-v1-q2-w64-rp-rr")]
    assert lines(text, "switch") == [["switch", *PLACED], *beside("s1of2-v1-q2-w32-rp-rr", "s4of4-v1-q2-w32-rp-rr")]
    assert lines(text, "RTL") == [["RTL", "points"], ["`r1`", "5"], ["`r2`", "5"], ["`r0`", "5"]] and \
        lines(synth_page.configurations_page(ROWS[:4], MATRIX), "RTL")[1] == ["`r1`", "2"]
    order = [text.index(word) for word in ("Of the 7 points", "| RTL |", "## One parameter at a time\n\nAnd the arbiter with its scan alone.\n\n| design |",
                                           "## Other levels; channels by queue by scan\n\n| switch |")]
    assert order == sorted(order)


def test_the_page_of_paths() -> None:
    """The path of each placed switch, cells of families without placement, what does not fit, and seeds that were not routed, each if there is one."""
    text = synth_page.paths_page(ROWS, MATRIX)
    assert lines(text, "switch") == [["switch", "device", "path"], [f"`{BASE}`", "<ice40>", "way 1"], [f"`{BASE}`", "<ecp5>", "way 2"],
                                     [f"`{SECOND}`", "<ecp5>", "does not fit: 9 LUT of 8"]]
    columns = (("xilinx", "lut ff depth"), ("gowin", "lut ff depth"), ("gates", "gates ff depth"))
    assert lines(text, "design") == [["design", "7-series LUT", "FF", "depth", "Gowin LUT", "FF", "depth", "NAND2", "FF", "depth"]] + [
        [f"`{c}`", *(x for f, of in columns for x in cells(at(c, f), of))] for c in (BASE, "arbiter-rp-rr", "s1of3-v1-q2-w64-rp-rr")]
    assert text.endswith("""
## What does not fit or is not routed

- `s2of3-v4-q2-w32-rp-rr` on <ecp5> does not fit: 9 LUT of 8.
- `n4-v1-q2-w16-rp-rr` on <ecp5> not routed with any of 15 seeds.

## Seeds that were not routed

Others were taken for them.

- `n16-v1-q2-w32-rp-rr` on <ice40>: 3.
""")
    assert text.startswith("## Longest paths\n\nOf the median seed.") and "\n\n## Families without placement\n\nNAND2: " in text
    without = synth_page.paths_page([r | {"path": ""} if r["family"] == "ecp5" else r for r in ROWS[:4]], MATRIX)
    assert "not routed" not in without and "does not fit" not in without and len(lines(without, "switch")) == 2


@pytest.mark.parametrize("seed", range(6))
def test_how_much_is_there(seed: int) -> None:
    """Of the matrix's points those with a row; fewer seeds than asked for, where it is placed and fits; how many rows have as many seeds."""
    r = random.Random(seed)

    def drawn() -> Iterator[Row]:
        for name, families, _ in MATRIX + [("other", ["ice40", "gates"], 8)]:
            for family in families:
                if r.random() < 0.8:
                    lost = r.random() < 0.2
                    yield row(name, family, 1, **({"seeds": "", "path": "not routed with any"} if lost else {"seeds": r.choice("789")} if family in ("ice40", "ecp5") else {}))

    rows = list(drawn())
    wanted = {(name, family): seeds for name, families, seeds in MATRIX for family in families}
    there = [one for one in rows if (one["config"], one["family"]) in wanted]
    fewer = sum(one["family"] in ("ice40", "ecp5") and one["seeds"] != "" and int(one["seeds"]) < wanted[one["config"], one["family"]] for one in there)
    each = ", ".join(f"{sum(one['seeds'] == n for one in rows)} with {n}" for n in "987" if any(one["seeds"] == n for one in rows))
    assert synth_page.coverage(rows,
                               MATRIX) == (f"Of the 7 points of the matrix (`--matrix`) {len(there)} have been run. {f'{fewer} of them have' if fewer else 'None of them has'} "
                                                 f"fewer seeds than the matrix asks for. Seeds of those placed: {each}.")


def test_none_has_fewer() -> None:
    for seeds, said in (("8", "None of them has fewer"), ("7", "1 of them have fewer"), ("", "1 of them have fewer")):
        assert said in synth_page.coverage([row(BASE, "ice40", 1, seeds=seeds)], MATRIX)
    assert "None of them has fewer" in synth_page.coverage([row(BASE, "gates", 1)], MATRIX)
