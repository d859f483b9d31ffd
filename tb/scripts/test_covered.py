# SPDX-License-Identifier: Apache-2.0
"""test_covered.py - test/coverage.py: what counts as covered, as a hole and as waived, of made-up runs of a made-up module, each counted
once more in another way; and what `make coverage` says of other numbers than the committed ones."""
import csv
import importlib.util
import pathlib
import random
import re
from collections.abc import Callable
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


# -- files and tools ------------------------------------------------------------------------------

def refused(code: int, said: str, call: Callable[..., Any], *words: Any) -> None:
    with pytest.raises(coverage.Fail, match=f"^{re.escape(said)}$") as wrong:
        call(*words)
    assert wrong.value.code == code


def test_files_and_programs(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a/b/file"
    coverage.write_text(str(file), "one\ntwo\n")
    assert coverage.read_lines(str(file)) == ["one", "two"] and len(list(file.parent.iterdir())) == 1
    refused(3, f"{tmp_path}/none: No such file or directory; allowed: a readable file", coverage.read_lines, f"{tmp_path}/none")
    file.write_bytes(b"\xff")
    refused(3, f"{file}: not a text file; allowed: a readable file", coverage.read_lines, str(file))
    refused(4, f"{file}/x: File exists", coverage.write_text, f"{file}/x", "")
    coverage.tool("sh", "dash")
    refused(4, "no no_such_tool on this machine; scripts/setup.sh installs it (Debian package pack)", coverage.tool, "no_such_tool", "pack")
    assert coverage.run(["sh", "-c", "echo a; echo b >&2; pwd"], cwd=tmp_path) == f"a\nb\n{tmp_path}\n"
    for code, told in ((1, 1), (2, 4), (9, 4)):
        words = f"printf '%04000d' 7; exit {code}"
        refused(told, f"sh ended with {code}: sh -c {words}", coverage.run, ["sh", "-c", words])
        assert capsys.readouterr().out == "0" * 2999 + "7"
    refused(1, f"sh ended with 1: sh -c exit 1; {'x' * 286}", coverage.run, ["sh", "-c", "exit 1; " + "x" * 400])
    assert coverage.side_by_side(lambda n: n * n, range(50)) == [n * n for n in range(50)]


# -- functional points ----------------------------------------------------------------------------

def test_cover_files(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "cover"
    head = coverage.HEADER
    file.write_text(f"{head}\ngrant.a-1 0\nage.b 12\n")
    assert list(coverage.read_cover(str(file)).items()) == [("grant.a-1", 0), ("age.b", 12)]
    for text, said in (("", '1: ""; allowed: the header fatfly cover 1'), ("x" * 70 + "\na 1\n", f'1: "{"x" * 60}"; allowed: the header fatfly cover 1'),
                       (f"{head}\na 1\nA 2\n", '3: "A 2"; allowed: a point and a count, each once'),
                       (f"{head}\na 1\nb 2\na 3\n", '4: "a 3"; allowed: a point and a count, each once'),
                       (f"{head}\na {'1' * 70}x\n", f'2: "a {"1" * 58}"; allowed: a point and a count, each once'),
                       (f"{head}\n", " no points; allowed: a file of fatfly cosim --cover")):
        file.write_text(text)
        refused(3, f"{file}:{said}", coverage.read_cover, str(file))


def test_points_that_were_not_met(tree: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All, or those that begin so; and the rows of the table by family."""
    file = tree / "build/coverage/functional.txt"
    file.write_text(f"{coverage.HEADER}\ngrant.a 0\nage.b 12\ngrant.c 1\ngrand.d 0\nage.e 0\nage.f 0\n")
    for words, holes, met, of in (([], ["grant.a", "grand.d", "age.e", "age.f"], 2, 6), (["gran"], ["grant.a", "grand.d"], 1, 3), (["grant.a", "age.b"], ["grant.a"], 1, 2),
                                  (["grant.c", "age.b"], [], 2, 2)):
        assert coverage.main(["holes", str(file), *words]) == bool(holes)
        assert capsys.readouterr().out == "".join(f"never met: {name}\n" for name in holes) + f"{met} of {of} points met\n"
    refused(2, "holes needs a file; allowed: coverage.py holes FILE [PREFIX]...", coverage.holes, [])
    refused(2, "holes no: no point begins so; the families are: grant, age, grand", coverage.holes, [str(file), "age", "no"])
    assert coverage.rows_functional(f"{tree}/build") == [("functional", "grant", 1, 2, 0), ("functional", "age", 1, 3, 0), ("functional", "grand", 0, 1, 0)]
    assert capsys.readouterr().out == "".join(f"hole: {name} was never met\n" for name in ("grant.a", "grand.d", "age.e", "age.f"))


# -- what is run ----------------------------------------------------------------------------------

def test_cases_that_are_listed(tree: pathlib.Path) -> None:
    (tree / "CASES").write_text("# all\n\n a 10 # few\nb 2000\n")
    assert coverage.cases() == [["a", "10"], ["b", "2000"]]
    for line in ("a", "a x", "a 1 2", "a -1"):
        (tree / "CASES").write_text(f"b 1\n{line}\n")
        refused(3, f'{tree}/CASES:2: "{line}"; allowed: a case and its cycles', coverage.cases)


def test_what_is_run(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The regression with its points, unit tests and cases of C cut at some cycles, and what makes of them a table and pages."""
    asked: list[list[str]] = []
    build = f"{tree}/build"
    cover, folder = tree / "build/coverage/functional.txt", f"{build}/coverage"

    def run(words: list[str], **more: Any) -> str:
        assert not more and not cover.exists()
        asked.append(words)
        return "first\nlast\n"

    monkeypatch.setattr(coverage, "run", run)
    cover.write_text("old")
    coverage.step_functional(build)
    assert asked == [[f"{build}/fatfly", "cosim", "--build", build, "--cover", str(cover)]] and capsys.readouterr().out == "last\n"
    asked.clear()
    for name in ("obj/a/x.gcda", "obj/a/x.gcno", "unit/test_b", "unit/test_a"):
        (tree / "build/coverage" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "build/coverage" / name).write_text("")
    monkeypatch.setattr(coverage, "side_by_side", lambda work, items: [work(item) for item in items])
    coverage.step_c(build)
    fatfly, info = f"{folder}/fatfly", ["lcov", "-q"]
    assert asked == [[f"{folder}/unit/test_a"], [f"{folder}/unit/test_b"], *([fatfly, "cosim", "--build", build, "--case", name, "--max-cycles", "2000"] for name in CASES),
                     [fatfly, "cosim", "--build", build, "--max-cycles", "100", "--cover", f"{folder}/few.txt", "--case", "fat16-random", "--case", "fat16-complement"],
                     [*info, "--capture", "--rc", "lcov_branch_coverage=1", "--directory", f"{folder}/obj", "--base-directory", str(tree), "--no-external", "-o",
                      f"{folder}/all.info"],
                     [*info, "--rc", "lcov_branch_coverage=1", "--extract", f"{folder}/all.info", *(f"{tree}/{part}/*" for part in coverage.C_PARTS), "-o", f"{folder}/c.info"]]
    assert not (tree / "build/coverage/obj/a/x.gcda").exists() and (tree / "build/coverage/obj/a/x.gcno").exists()
    assert capsys.readouterr().out == "c: 2 unit tests, 3 cases cut at 2000 cycles\n"
    asked.clear()
    coverage.annotate(build)
    dats = [*(f"{folder}/data/{name}.dat" for name in CASES), f"{folder}/toggle.dat"]
    assert asked == [["verilator_coverage", "--write", f"{folder}/rtl.dat", *dats],
                     ["verilator_coverage", "--annotate", f"{folder}/annotated", "--annotate-min", "1", "--annotate-all", f"{folder}/rtl.dat"],
                     ["verilator_coverage", "--write-info", f"{folder}/rtl.info", f"{folder}/rtl.dat"]]


def test_traces_of_cases(tree: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each case writes its counts to a file and its trace through a pipe, which another program counts; both must end well."""
    programs = {"fatfly": 'echo "$*" >"$FATFLY_COVERAGE"; echo trace >"$FATFLY_VCD"; [ ! -e "$3/wrong" ] || exit 1',
                "coverage/toggles": 'cat >/dev/null; echo "counted $*"; [ ! -e "${0%/*}/bad" ]'}
    for name, text in programs.items():
        (tree / "build" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tree / "build" / name).chmod(0o755)
    data = tree / "build/coverage/data"
    (data / "old").write_text("")
    coverage.step_rtl(f"{tree}/build")
    assert capsys.readouterr().out == "rtl: 3 cases\n" and sorted(file.name for file in data.iterdir()) == sorted(f"{name}.{end}" for name in CASES for end in ("dat", "toggle"))
    for name in CASES:
        assert (data / f"{name}.dat").read_text() == f"cosim --build {tree}/build/coverage --outputs-only --case {name} --max-cycles 10\n" and \
            (data / f"{name}.toggle").read_text() == "counted \n"
    (tree / "CASES").write_text("a 10\n")
    (tree / "build/coverage/bad").write_text("")
    refused(4, "a: its toggles were not counted", coverage.step_rtl, f"{tree}/build")
    (tree / "build/coverage/bad").unlink()
    (tree / "build/coverage/wrong").write_text("")
    with pytest.raises(coverage.Fail) as wrong:
        coverage.step_rtl(f"{tree}/build")
    assert wrong.value.code == 1


# -- sources --------------------------------------------------------------------------------------

SOURCES = {"rtl/top.v": """module top (input wire clk_i);
  wire [3:0] a, b;
  // wire ghost;
  genvar k;
  for (k = 0; k < 2; k = k + 1) begin : g_one
    reg [1:0] bit_q;
    leaf #(.N(2), .M((3))) u_leaf (.x(a));
    if (k) begin : g_two
      wire bit_q;
      leaf u_other (.x(b));
      other u_other (.x(b));
    end
  end
endmodule
""", "rtl/fast/leaf.v": "module leaf (input x);\n  wire in_leaf;\n  wire both;\nendmodule\n",
"rtl/cube/other.v": "module other (input x);\n  wire in_other, both;\nendmodule\n", "rtl/notes.vh": "wire no;\n"}


@pytest.fixture(name="rtl")
def rtl_(tree: pathlib.Path) -> Any:
    (tree / "rtl/one.v").unlink()
    for name, text in SOURCES.items():
        (tree / name).write_text(text)
    return coverage.Rtl()


def test_what_sources_declare(rtl: Any) -> None:
    assert rtl.file == {"top": "rtl/top.v", "leaf": "rtl/fast/leaf.v", "other": "rtl/cube/other.v"}
    assert rtl.module == {("top", "u_leaf"): {"leaf"}, ("top", "u_other"): {"leaf", "other"}}
    assert rtl.declared("top") == {"clk_i", "a", "bit_q"} and rtl.declared("leaf") == {"in_leaf", "both"} and "ghost" not in rtl.words["top"]
    assert [rtl.line("top", name) for name in ("a", "b", "g_one.bit_q", "g_one.g_two.bit_q", "none", "g_none.a")] == [2, 2, 6, 9, 1, 2]
    for k, text in enumerate(("a)b", "(a)b)", "((x)(y)))")):
        assert coverage.after_brackets(text, 0) == (2, 5, 9)[k]


def test_places_of_signals(rtl: Any) -> None:
    """The module of a scope and the blocks in it; an instance of two modules is the one that has all its names."""
    names = {"/TOP/top/g_one[0]/g_two/u_other": {"in_other", "both"}, "/TOP/top/g_one[1]/g_two/u_other": {"in_leaf"}, "/TOP/top/g_one[2]/g_two/u_other": {"both"},
             "/TOP/top/g_one[3]/g_two/u_other": {"in_top"}}
    for scope, want in (("/TOP", (None, [])), ("/TOP/top", ("top", [])), ("/TOP/top/g_one[1]", ("top", ["g_one"])), ("/TOP/top/g_one[1]/g_two", ("top", ["g_one", "g_two"])),
                        ("/TOP/top/g_one[1]/u_leaf", ("leaf", [])), ("/TOP/top/g_one[0]/u_leaf/g_x[2]", ("leaf", ["g_x"])), ("/TOP/top/g_one[0]/g_two/u_other", ("other", [])),
                        ("/TOP/top/g_one[1]/g_two/u_other/g_y", ("leaf", ["g_y"]))):
        assert rtl.place(scope, names) == want, scope
    for k, of in ((2, 2), (3, 0)):
        refused(3, f"/TOP/top/g_one[{k}]/g_two/u_other: of {of} modules; allowed: one of leaf, other", rtl.place, f"/TOP/top/g_one[{k}]/g_two/u_other", names)


def test_bits_of_traces(rtl: Any, tree: pathlib.Path) -> None:
    """The last digit is bit 0; an element of an array has its index before; parameters do not count; what is declared and in no trace did nothing."""
    for case, digits in (("a", "0123"), ("b", "1020"), ("c", "0000")):
        (tree / f"build/coverage/data/{case}.toggle").write_text("\n".join([f"/TOP/top a {digits}", f"/TOP/top/g_one[0] bit_q[5] {digits[:2]}", "/TOP/top WIDTH 3",
                                                                            "/TOP/top N_2 3", "/TOP/top/g_one[1]/u_leaf in_leaf 3",
                                                                             "/TOP other_name 3"]) + "\n")
    seen = coverage.toggles(f"{tree}/build", rtl)
    assert seen == {("top.v", "a", "[0]"): 3, ("top.v", "a", "[1]"): 2, ("top.v", "a", "[2]"): 1, ("top.v", "a", "[3]"): 1, ("top.v", "g_one.bit_q", "[5][0]"): 1,
                    ("top.v", "g_one.bit_q", "[5][1]"): 1,
                    ("leaf.v", "in_leaf", "[0]"): 3, ("leaf.v", "both", ""): 0, ("other.v", "in_other", ""): 0, ("top.v", "clk_i", ""): 0}


def test_holes_of_bits(rtl: Any, tree: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each signal the first eight bits; each bit in a file for Verilator's tool, at the line where it is declared; what is skipped is nowhere."""
    for case in CASES:
        (tree / f"build/coverage/data/{case}.toggle").write_text(
            f"/TOP/top a {'2' * 9 + '3'}\n/TOP/top/g_one[0] bit_q 31{'1' * 7}\n/TOP/top clk_i 1\n/TOP/top/g_one[1]/u_leaf in_leaf 3\n/TOP/top/g_one[1]/u_leaf both 3\n")
    (tree / "WAIVERS").write_text("# none\n\nskip other.v * * of another\nskip top.v clk_i 0 it rises\nwaive top.v *.bit_q 0,2-3 why not\nline top.v none - x\n")
    assert coverage.rows_toggle(f"{tree}/build") == [("toggle", "leaf.v", 2, 2, 0), ("toggle", "top.v", 2, 16, 3)]
    assert capsys.readouterr().out == ("hole: top.v a [1] [2] [3] [4] [5] [6] [7] [8] ..: 9 bits did not both rise and fall\n"
                                       "hole: top.v g_one.bit_q [1] [4] [5] [6] [7]: 5 bits did not both rise and fall\n")
    first, *lines = (tree / "build/coverage/toggle.dat").read_text().splitlines()
    assert first == "# SystemC::Coverage-3" and len(lines) == 18
    assert lines[0] == f"C '\1f\2{tree}/rtl/fast/leaf.v\1l\2{3}\1n\0021\1page\2v_toggle/leaf\1o\2both[0]\1h\2TOP' 1"
    assert f"C '\1f\2{tree}/rtl/top.v\1l\2{6}\1n\0021\1page\2v_toggle/top\1o\2g_one.bit_q[4]\1h\2TOP' 0" in lines and \
        not any("clk_i" in line or "bit_q[2]" in line for line in lines)
    for line, said in (("waive top.v a 3,11 x", None), ("waive top.v a 11 x", "top.v a 11 matches nothing"), ("skip top.v b * x", "top.v b * matches nothing"),
                       ("waive top.v a 0-2 x", "top.v a[0] did rise and fall")):
        (tree / "WAIVERS").write_text(f"skip other.v * * x\n{line}\n")
        if said:
            refused(3, f"{tree}/WAIVERS:2: {said}", coverage.rows_toggle, f"{tree}/build")
        else:
            coverage.rows_toggle(f"{tree}/build")


def test_waivers(tree: pathlib.Path) -> None:
    (tree / "WAIVERS").write_text("# none\n\nwaive a.v b 1-2 for a reason\n line a.v f - x\n")
    assert coverage.read_waivers() == [(3, ["waive", "a.v", "b", "1-2", "for a reason"]), (4, ["line", "a.v", "f", "-", "x"])]
    for line in ("waive a b c", "wave a b c d", "skip"):
        (tree / "WAIVERS").write_text(f"skip a b c d\n{line}\n")
        refused(3, f'{tree}/WAIVERS:2: "{line}"; allowed: skip, waive or line, file, signal, bits, reason', coverage.read_waivers)
    for part, bit, met in (("[2][7]", "[2][7]", True), ("[2][7]", "[2][70]", False), ("[2]*", "[2][7]", True), ("[2]*", "[3][7]", False), ("*", "", True),
                           ("7", "[2][7]", False), ("7-6", "[7]", False), ("0", "", False)):
        assert coverage.bit_matches(part, bit) == met, (part, bit)


def test_functions_that_are_waived(tree: pathlib.Path) -> None:
    """From `function` to `endfunction`, of that name and in that file alone."""
    hits = {("one.v", line, 1, "b"): 0 for line in range(1, 14)} | {("two.v", 6, 1, "b"): 0}
    (tree / "WAIVERS").write_text("skip x * * x\nline one.v unused_one - why\n")
    assert {line for _, line, _, _ in coverage.waived_lines(hits)} == {5, 6, 7, 8} and len(coverage.waived_lines(hits)) == 4
    for line, said in (("line one.v unused - x", "line one.v unused matches nothing"), ("line two.v unused_one - x", "line two.v unused_one matches nothing")):
        (tree / "WAIVERS").write_text(f"\n{line}\n")
        refused(3, f"{tree}/WAIVERS:2: {said}", coverage.waived_lines, hits)
    (tree / "WAIVERS").write_text("line one.v unused_one - why\n")
    refused(3, f"{tree}/WAIVERS:1: function unused_one of one.v was reached", coverage.waived_lines, hits | {("one.v", 8, 1, "b"): 1})


def test_lines_that_were_not_reached(tree: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "WAIVERS").write_text("")
    for case, count in zip(CASES, (0, 3, 4)):
        (tree / f"build/coverage/data/{case}.dat").write_text("".join(f"C '\1f\2/x/{file}.v\1l\2{line}\1n\2{column}\1page\2{page}/x\1o\2{what}\1h\2TOP' {n}\n" for file, line,
                                                                      column, page, what, n in (
            ("two", 9, 1, "v_line", "else", 0), ("one", 9, 2, "v_branch", "if", count), ("one", 10, 1, "v_line", "case", 0), ("one", 9, 1, "v_user", "x", 0))))
    assert coverage.rows_line(f"{tree}/build") == [("line", "one.v", 1, 2, 0), ("line", "two.v", 0, 1, 0)]
    assert capsys.readouterr().out == "hole: one.v:10: case was never reached\nhole: two.v:9: else was never reached\n"


def test_the_order_of_c(tree: pathlib.Path) -> None:
    (tree / "build/coverage/c.info").write_text("".join(f"SF:{tree}/{part}/a.c\nDA:3,{hit}\nBRDA:3,0,1,{hit}\nFNDA:1,f\nend_of_record\n" for part,
                                                        hit in (("sim", 1), ("tb/unit", 1), ("cmodel/api", 0), ("cmodel/api/x", 2))))
    assert coverage.rows_c(f"{tree}/build") == [("c-line", "cmodel/api", 1, 2, 0), ("c-line", "sim", 1, 1, 0), ("c-branch", "cmodel/api", 1, 2, 0), ("c-branch", "sim", 1, 1, 0)]


# -- tables and the command -----------------------------------------------------------------------

def test_what_is_shown(tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The table on a terminal, that of the page, and each difference from the committed one."""
    rows = [("functional", "grant", 6, 7, 0), ("functional", "age", 3, 3, 0), ("line", "one.v", 1999, 2000, 1234), ("c-line", "sim", 1, 3, 0)]
    ran: list[Any] = []
    assert table(tree, rows, False, monkeypatch) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "coverage   of                       covered   total  percent  holes  waived" and \
        said[1] == "functional grant                          6       7    85.71      1       0"
    assert said[4] == "line       one.v                       1999    2000    99.95      1    1234" and said[-1] == "FAIL functional: 90.00 percent; allowed: 100 at least" and \
        len(said) == 9
    assert (tree / "build/coverage/trust.md").read_text() == """<!-- coverage: scripts/test/coverage.py -->
| Coverage | of | covered | of all | percent | waived |
| --- | --- | --- | --- | --- | --- |
| functional | all | 9 | 10 | 90.0 | 0 |
| line | one.v | 1,999 | 2,000 | 100.0 | 1,234 |
| line | all | 1,999 | 2,000 | 100.0 | 1,234 |
| c-line | sim | 1 | 3 | 33.3 | 0 |
| c-line | all | 1 | 3 | 33.3 | 0 |

Functional points by family: `grant` 7, `age` 3.
<!-- /coverage -->
"""
    other = [("functional", "age", 3, 3, 0), ("functional", "new", 7, 7, 0), ("line", "one.v", 1998, 2000, 1234), ("c-line", "sim", 10, 29, 0)]
    table(tree, other, True, monkeypatch)
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAIL")] == [
        "FAIL functional grant: only in the file", "FAIL functional all: 10 of 10, in the file 9 of 10", "FAIL line one.v: 1998 of 2000, in the file 1999 of 2000",
        "FAIL line all: 1998 of 2000, in the file 1999 of 2000", "FAIL c-line sim: 10 of 29, in the file 1 of 3", "FAIL c-line all: 10 of 29, in the file 1 of 3",
        "FAIL functional new: only in this run"]
    table(tree, rows, False, monkeypatch)
    monkeypatch.setattr(coverage, "run", ran.append)
    monkeypatch.setattr(coverage, "annotate", ran.append)
    coverage.step_table(f"{tree}/build", True)
    assert ran == [f"{tree}/build", ["genhtml", "-q", "--branch-coverage", "--title", "fatfly", "-o", f"{tree}/build/coverage/html", f"{tree}/build/coverage/c.info",
                                     f"{tree}/build/coverage/rtl.info"]]
    assert [coverage.percent(*words) for words in ((1, 4), (0, 0), (4, 4))] == [25.0, 100.0, 100.0]


@pytest.mark.parametrize("words, steps, tools", [
    ([], ["functional", "rtl", "c", "table"], "vl"), (["c", "functional"], ["c", "functional"], "l"), (["rtl"], ["rtl"], "v"), (["functional"], ["functional"], ""),
    (["table"], ["table"], "vl")])
def test_steps_of_the_command(words: list[str], steps: list[str], tools: str, tree: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In the order that is asked for; the build folder is that of the caller; the table's exit code counts."""
    ran: list[Any] = []
    for step in ("functional", "rtl", "c"):
        monkeypatch.setattr(coverage, f"step_{step}", lambda build, step=step: ran.append((step, build)))
    monkeypatch.setattr(coverage, "step_table", lambda build, check: ran.append(("table", build, check)) or 1)
    asked: list[str] = []
    monkeypatch.setattr(coverage, "tool", lambda name, package: asked.append(name[0]) or None)
    monkeypatch.chdir(tree / "build")
    assert coverage.main([*words, "--build", "x", "--check"]) == ("table" in steps)
    assert ran == [(step, f"{tree}/build/x", *([True] if step == "table" else [])) for step in steps] and "".join(asked) == tools and pathlib.Path.cwd() == tree
    ran.clear()
    assert coverage.main(words) == ("table" in steps) and ran == [(step, f"{tree}/build", *([False] if step == "table" else [])) for step in steps]
    assert coverage.main([*words, "--help"]) == 0 and capsys.readouterr().out == coverage.__doc__.strip() + "\n" and len(ran) == len(steps)
    for wrong in ("--build", "tables", "holes"):
        refused(2, f"{wrong}; allowed: holes, --build DIR, --check, functional, rtl, c, table", coverage.main, [*words, "--check", wrong])
