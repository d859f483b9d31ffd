# SPDX-License-Identifier: Apache-2.0
"""test_covered.py - test/coverage.py: what counts as covered, as a hole and as waived, of made-up runs of a made-up module, each counted
once more in another way; and what `make coverage` says of other numbers than the committed ones."""
import csv
import importlib.util
import pathlib
import random
import re
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("fatfly_coverage", ROOT / "scripts/test/coverage.py")
assert spec and spec.loader
coverage: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(coverage)

MODULE = """module one (input wire clk_i);
  wire [7:0] wide;
  reg        bit_q;
  wire       never_seen;
  function unused_one;
    input x;
    unused_one = x;
  endfunction
  function used_one;
    input x;
    used_one = x;
  endfunction
endmodule
"""
CASES = ["a", "b", "c"]


@pytest.fixture(name="tree")
def tree_(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    for folder in (*coverage.RTL, "build/coverage/data"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / "rtl/one.v").write_text(MODULE)
    for name in ("CASES", "WAIVERS", "CSV"):
        monkeypatch.setattr(coverage, name, str(tmp_path / name))
    (tmp_path / "CASES").write_text("".join(f"{name} 10\n" for name in CASES))
    monkeypatch.setattr(coverage, "ROOT", str(tmp_path))
    return tmp_path


def toggled(tree: pathlib.Path, r: random.Random) -> dict[tuple[str, int], set[int]]:
    """Writes the traces; of each bit whether it rose (1) and fell (2), in any case."""
    ways: dict[tuple[str, int], set[int]] = {}
    for case in CASES:
        lines = []
        for name, width in (("clk_i", 1), ("wide", 8), ("bit_q", 1)):
            digits = [r.choice((0, 0, 0, 1, 2, 3)) for _ in range(width)]
            lines.append(f"/TOP/one {name} {''.join(map(str, reversed(digits)))}")
            for k, digit in enumerate(digits):
                ways.setdefault((name, k), set()).update(way for way in (1, 2) if digit & way)
        (tree / f"build/coverage/data/{case}.toggle").write_text("\n".join([*lines, "/TOP/one SIZE 0", ""]))
    return ways


@pytest.mark.parametrize("seed", range(6))
def test_bits(tree: pathlib.Path, seed: int) -> None:
    """A bit is covered if it rose and fell, in one case or in two; what is waived did not, and is no hole."""
    r = random.Random(seed)
    ways = toggled(tree, r)
    both = {bit for bit, of in ways.items() if of == {1, 2}}
    left = sorted(set(ways) - both)
    waived = r.sample(left, len(left) // 2)
    (tree / "WAIVERS").write_text("".join(f"waive one.v {name} {k} why\n" for name, k in waived) + "waive one.v never_seen * why\n")
    assert coverage.rows_toggle(f"{tree}/build") == [("toggle", "one.v", len(both), len(ways) - len(waived), len(waived) + 1)]
    hits = re.findall(r" (\d+)$", (tree / "build/coverage/toggle.dat").read_text(), re.M)
    assert (hits.count("1"), hits.count("0")) == (len(both), len(left) - len(waived))
    wrong = ["waive one.v none * why", "waive one.v wide 8 why", *(f"waive one.v {name} {k} why" for name, k in both), "waive one.v wide"]
    for line in wrong:
        (tree / "WAIVERS").write_text(line + "\n")
        with pytest.raises(coverage.Fail):
            coverage.rows_toggle(f"{tree}/build")


@pytest.mark.parametrize("part, bits", [("7", {7}), ("2-5", {2, 3, 4, 5}), ("0-0", {0}), ("9-11", {9, 10, 11}), ("*", set(range(16))), ("1,3-4", {1, 3, 4})])
def test_bits_that_are_named(part: str, bits: set[int]) -> None:
    words = ["waive", "*.v", "g_*.sum", part, "why"]
    assert {k for k in range(16) if coverage.covers(words, ("one.v", "g_vc.sum", f"[{k}]"))} == bits
    assert not any(coverage.covers(words, point) for point in (("one.vh", "g_vc.sum", "[3]"), ("one.v", "g_vc.sums", "[3]")))


@pytest.mark.parametrize("seed", range(6))
def test_lines(tree: pathlib.Path, seed: int) -> None:
    """A line is covered if any case reached it; a function that is waived was reached nowhere."""
    r = random.Random(seed)
    places = [(line, column) for line in (*range(2, 5), *range(6, 8), *range(10, 12)) for column in (3, 9)]
    counts = {place: [r.choice((0, 0, 0, 5)) for _ in CASES] for place in places}
    for line, column in places:
        if 5 <= line <= 8:
            counts[line, column] = [0] * len(CASES)
    for k, case in enumerate(CASES):
        lines = [f"C '\1f\2/x/one.v\1l\2{line}\1n\2{column}\1page\2v_{r.choice(('line', 'branch'))}/one\1o\2block\1h\2TOP' {count[k]}"
                 for (line, column), count in counts.items()]
        lines += ["# SystemC::Coverage-3", "C '\1f\2/x/one.v\1l\x021\1n\x021\1page\2v_toggle/one\1o\2wide[0]\1h\2TOP' 0"]
        (tree / f"build/coverage/data/{case}.dat").write_text("\n".join(lines) + "\n")
    for line_of in ("line one.v unused_one - why\n", ""):
        (tree / "WAIVERS").write_text(line_of)
        counted = {place for place in places if not (line_of and 5 <= place[0] <= 8)}
        covered = {place for place in counted if any(counts[place])}
        assert coverage.rows_line(f"{tree}/build") == [("line", "one.v", len(covered), len(counted), len(places) - len(counted))]
    reached = any(any(counts[place]) for place in places if 9 <= place[0] <= 12)
    for name, wrong in (("used_one", reached), ("none", True)):
        (tree / "WAIVERS").write_text(f"line one.v {name} - why\n")
        if wrong:
            with pytest.raises(coverage.Fail):
                coverage.rows_line(f"{tree}/build")
        else:
            coverage.rows_line(f"{tree}/build")


@pytest.mark.parametrize("seed", range(4))
def test_lines_of_c(tree: pathlib.Path, seed: int) -> None:
    """A branch whose condition was never asked, -, is not taken; files elsewhere do not count."""
    r = random.Random(seed)
    text, want = [], {}
    for part in ("cmodel/switch", "sim", "tb/unit", "cmodel/switchboard"):
        text.append(f"SF:{tree}/{part}/a.c")
        for kind, mark, values in (("c-line", "DA:3", "0 1 7"), ("c-branch", "BRDA:3,0,1", "- 0 1 20")):
            for value in r.choices(values.split(), k=9):
                text.append(f"{mark},{value}")
                row = want.setdefault((kind, part), [0, 0, 0])
                row[0] += value.isdigit() and int(value) > 0
                row[1] += 1
    (tree / "build/coverage/c.info").write_text("\n".join([*text, "end_of_record", ""]))
    assert sorted(coverage.rows_c(f"{tree}/build")) == sorted((*key, *row) for key, row in want.items() if key[1] in ("cmodel/switch", "sim"))


ROWS = [("functional", "grant", 7, 7, 0), ("functional", "age", 3, 3, 0), ("line", "one.v", 98, 100, 1), ("toggle", "one.v", 999, 1000, 20),
        ("c-line", "sim", 900, 1000, 0), ("c-branch", "sim", 400, 1000, 0)]


def table(tree: pathlib.Path, rows: list[tuple[Any, ...]], check: bool, monkeypatch: pytest.MonkeyPatch) -> int:
    """The last step, of these rows."""
    for name, kind in (("rows_functional", "functional"), ("rows_line", "line"), ("rows_toggle", "toggle"), ("rows_c", "c-")):
        monkeypatch.setattr(coverage, name, lambda build, kind=kind: [row for row in rows if row[0].startswith(kind)])
    for name in ("annotate", "run"):
        monkeypatch.setattr(coverage, name, lambda *words: "")
    return coverage.step_table(f"{tree}/build", check)


def test_sums_and_differences(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of each kind; with --check each number of each row counts, but that lines and branches of C may be 1 % more or less; what is
    below its least fails in any case."""
    assert table(tree, ROWS, False, monkeypatch) == 0
    with open(tree / "CSV", encoding="utf-8", newline="") as file:
        found = {(r["kind"], r["part"]): [int(r[c]) for c in ("covered", "total", "holes", "waived")] for r in csv.DictReader(file)}
    assert found["functional", "all"] == [10, 10, 0, 0] and found["toggle", "one.v"] == [999, 1000, 1, 20] and len(found) == len(ROWS) + 5
    before = (tree / "CSV").read_text()
    assert table(tree, ROWS, True, monkeypatch) == 0
    for at, row in enumerate(ROWS):
        for column, by in ((2, -1), (3, 1), (4, 1), (2, -12)):
            other = list(row)
            other[column] += by
            if other[2] >= 0:
                small = row[0].startswith("c-") and by != -12
                assert table(tree, [*ROWS[:at], tuple(other), *ROWS[at + 1:]], True, monkeypatch) == (not small), other
        assert table(tree, ROWS[:at] + ROWS[at + 1:], True, monkeypatch) == 1
    assert (tree / "CSV").read_text() == before
    for at, least in ((0, 7), (2, 98), (3, 980)):
        for covered, bad in ((least, 0), (least - 1, 1)):
            row = (*ROWS[at][:2], covered, *ROWS[at][3:])
            assert table(tree, [*ROWS[:at], row, *ROWS[at + 1:]], False, monkeypatch) == bad, row
