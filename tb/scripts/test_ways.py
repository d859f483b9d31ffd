# SPDX-License-Identifier: Apache-2.0
"""test_ways.py - synth/tried.py: what a patch says of itself, on which points it is measured beside what is kept, the table of made-up rows,
and what is refused.  No tool runs."""
from __future__ import annotations

import pathlib
import sys
from typing import Any

import pytest
import synth
import tried
from synth import Fail

A, B = "s1of3-v1-q2-w32-rp-rr", "arbiter-rp-rr"
FIRST = f"what: a shorter queue\nconfigs: {A} {B}\n"


@pytest.fixture(name="patches")
def patches_(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Three ways, of which the last bears on ECP5 and 7-series alone."""
    folder = tmp_path / "ways"
    folder.mkdir()
    for name, text in (("one", FIRST), ("two", f"what: no queue\nconfigs: {B}\n"), ("wide", f"what: wider\nconfigs: {A}\nfamilies: xilinx ecp5\n")):
        (folder / f"{name}.patch").write_text(text + "\n--- a/rtl/x.v\nconfigs: in the patch\n")
    monkeypatch.setattr(tried, "WAYS", folder)
    return folder


def test_what_a_patch_says(patches: pathlib.Path) -> None:
    """Its points are each configuration in each family; what stands in the patch itself does not count."""
    one, wide = tried.read_way(patches / "one.patch"), tried.read_way(patches / "wide.patch")
    assert (one.name, one.what, one.patch) == ("one", "a shorter queue", patches / "one.patch")
    assert one.pairs == [(c, f) for c in (A, B) for f in ("ice40", "ecp5", "xilinx")] and wide.pairs == [(A, "xilinx"), (A, "ecp5")]
    file = patches / "bad.patch"
    for text, said in (("configs: x\n", "no line 'what: ..' before the patch"), ("what: x\n\n--- \nconfigs: y", "no line 'configs: ..' before the patch"),
                       (FIRST + "families: ice40 gowin\n", "family 'gowin'; allowed: ice40, ecp5, xilinx")):
        file.write_text(text)
        with pytest.raises(Fail, match=f"^{file}: {said}$") as wrong:
            tried.read_way(file)
        assert wrong.value.code == 3


@pytest.mark.usefixtures("patches")
def test_which_ways() -> None:
    """Those that are named, in this order, or all; before them what is kept, on all their points."""
    assert [way.name for way in tried.chosen(["wide", "one"])] == ["wide", "one"] and [way.name for way in tried.chosen([])] == ["one", "two", "wide"]
    with pytest.raises(Fail, match="^unknown way 'wode'; allowed: one, two, wide; nearest: wide$") as wrong:
        tried.chosen(["one", "wode"])
    assert wrong.value.code == 3
    kept, *others = tried.with_kept(tried.chosen(["two", "wide"]))
    assert (kept.name, kept.what, kept.patch, [way.name for way in others]) == ("kept", "as it is", None, ["two", "wide"])
    assert kept.pairs == others[0].pairs + others[1].pairs


def test_what_a_way_makes(patches: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of rtl/, and the patch in it, exactly where it says."""
    (tmp_path / "root/rtl").mkdir(parents=True)
    (tmp_path / "root/rtl/x.v").write_text("module x;\n")
    monkeypatch.setattr(synth, "ROOT", tmp_path / "root")
    tool = tmp_path / "tool"
    tool.write_text('#!/bin/sh\necho "$@" >"${0%/*}/asked"\nprintf "one \\n  two\\n"\nexit "$CODE"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATCH", str(tool))
    monkeypatch.setenv("CODE", "0")
    way, kept = tried.chosen(["one"])[0], tried.with_kept([])[0]
    for k, each in enumerate((kept, way)):
        each.write(tmp_path / f"out{k}")
        assert (tmp_path / f"out{k}/rtl/x.v").read_text() == "module x;\n" and (tmp_path / "asked").exists() == (each is way)
    assert (tmp_path / "asked").read_text() == f"-p1 -F0 -s -d {tmp_path}/out1 -i {patches}/one.patch\n"
    for code, variable, said in ((1, str(tool), f"{patches}/one.patch does not fit rtl/: one; two"), (4, "/none", "no /none; scripts/setup.sh installs it")):
        monkeypatch.setenv("CODE", "1")
        monkeypatch.setenv("PATCH", variable)
        with pytest.raises(Fail, match=f"^{said}$") as wrong:
            way.write(tmp_path / f"bad{code}")
        assert wrong.value.code == code


def test_points_of_a_way(patches: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what it makes, in a folder of its own, in the families that are asked for, each once; never an earlier row."""
    asked: list[Any] = []
    monkeypatch.setattr(synth, "BUILD", tmp_path)
    monkeypatch.setattr(tried.Way, "write", lambda self, folder: asked.append((self.name, folder, folder.exists())))
    monkeypatch.setattr(synth, "Flow", lambda *of: asked.append(of) or "flow")

    class Stand:
        def __init__(self, *of: Any) -> None:
            self.of = of

        def row(self) -> synth.Row:
            return {"config": self.of[2].name, "family": self.of[3]}

    monkeypatch.setattr(synth, "Point", Stand)
    monkeypatch.setattr(synth, "run", lambda points, workers: asked.append(([(p.of[0], p.of[1], p.of[2].name, *p.of[3:]) for p in points], workers)))
    got = tried.arguments(["--family", "xilinx,ice40", "--seeds", "3", "-j", "0"])
    way = tried.chosen(["one"])[0]
    way.pairs = way.pairs[::-1] * 2
    base = tmp_path / "synth/tried/one"
    (base / "from").mkdir(parents=True)
    order = [(B, "ice40"), (B, "xilinx"), (A, "ice40"), (A, "xilinx")]
    assert tried.points(way, got) == [{"way": "one", "config": c, "family": f} for c, f in order]
    assert asked == [("one", base / "from", False), (base / "from/rtl", "", {"xilinx", "ice40"}, 3, base), ([("flow", None, c, f, 3) for c, f in order], 1)]
    assert tried.points(tried.chosen(["wide"])[0], tried.arguments(["--family", "ice40"])) == [] and len(asked) == 3 and patches.exists()
    tried.points(way, tried.arguments(["-j", "7"]))
    assert asked[-1][1] == 7


def row(way: str, config: str, family: str, number: int, **more: str) -> synth.Row:
    numbers = {c: str(1000 * number + k) for k, c in enumerate(("lut", "ff", "ram", "carry"))}
    placed = {"fmax_mhz": f"{number}.5", "fmax_min": f"{number}.1", "fmax_max": f"{number}.9", "seeds": "8", "tools": "yosys 1, nextpnr 2"} if family != "xilinx" else {}
    return dict.fromkeys(tried.COLUMNS, "") | {"way": way, "config": config, "family": family, "rtl": f"{way} rtl", "tools": "yosys 1"} | numbers | placed | more


ROWS = [row("kept", B, "ice40", 1), row("kept", B, "ecp5", 2), row("kept", B, "xilinx", 3), row("two", B, "ecp5", 4, seeds="1"), row("two", B, "xilinx", 5),
        row("kept", A, "ice40", 6, seeds="", fmax_mhz="", rtl="older"), row("lost", A, "ecp5", 7, seeds="10")]
PAGE = """`arbiter-rp-rr`:

| way | HX8K LUT | FF | Fmax | ECP5 LUT | RAM | FF | Fmax | 7-series LUT | RAM |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| `kept`: as it is | 1,000 | 1,001 | 1.5 (1.1 to 1.9) | 2,000 | 2,002 | 2,001 | 2.5 (2.1 to 2.9) | 3,000 | 3,002 |
| `two`: no queue |  |  |  | 4,000 | 4,002 | 4,001 | 4.5 | 5,000 | 5,002 |

`s1of3-v1-q2-w32-rp-rr`:

| way | HX8K LUT | FF | Fmax | ECP5 LUT | RAM | FF | Fmax | 7-series LUT | RAM |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| `kept`: as it is | 6,000 | 6,001 |  |  |  |  |  |  |  |
| `lost`: gone |  |  |  | 7,000 | 7,002 | 7,001 | 7.5 (7.1 to 7.9) |  |  |

Seeds: 1 or 8 or 10.  Tools: yosys 1, nextpnr 2.  RTL kept rtl, older.  RAM: cells, each in six places of a LUT on ECP5,
in four on 7-series, where wide multiplexers (MUXF7, MUXF8) are not counted.
"""


@pytest.mark.usefixtures("patches")
def test_the_table() -> None:
    assert tried.section(ROWS) == PAGE
    assert tried.in_order(ROWS[::-1]) == ROWS


def test_arguments() -> None:
    got = tried.arguments([])
    assert (got.ways, got.family, got.seeds, got.workers, got.csv, got.rtl, got.list, got.doc, got.check, got.help) == (
        [], ["ice40", "ecp5", "xilinx"], 8, tried.os.cpu_count(), None, None, False, False, False, False)
    got = tried.arguments("one two --family ecp5 --seeds 0 -j 3 --csv f".split())
    assert (got.ways, got.family, got.seeds, got.workers, got.csv) == (["one", "two"], ["ecp5"], 0, 3, pathlib.Path("f"))
    assert tried.arguments(["--rtl", "one", "f"]).rtl == ["one", "f"] and tried.arguments(["--check", "--csv", "f"]).check and tried.arguments(["--help"]).help
    for words, code, flag in (("--list one", 2, "list"), ("--doc --check", 2, "doc"), ("--list --check", 2, "list"), ("--rtl a b --list", 2, "rtl"), ("--doc one", 2, "doc"),
                              ("--check x", 2, "check")):
        with pytest.raises(Fail, match=f"^--{flag} stands alone; --help lists all options$") as wrong:
            tried.arguments(words.split())
        assert wrong.value.code == code, words
    for words, code in (("--family gates", 3), ("--seeds x", 2), ("--rtl a", 2), ("--lis", 2)):
        with pytest.raises(Fail) as wrong:
            tried.arguments(words.split())
        assert wrong.value.code == code, words


def test_the_command(patches: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Pages, lists, folders, and points, whose rows are written after each way; those of other points stay."""
    made: list[Any] = []
    monkeypatch.setattr(synth, "document", lambda *words: made.append(words))
    file = tmp_path / "a.csv"
    file.write_text(synth.csv_text(ROWS, tried.COLUMNS))
    tried.main(["--doc", "--csv", str(file)])
    tried.main(["--check", "--csv", str(file)])
    assert made == [("fpga-tried.md", file, check, "tried", PAGE) for check in (False, True)]
    tried.main(["--help"])
    assert capsys.readouterr().out == f"{tried.__doc__}\n"
    tried.main(["--list"])
    assert capsys.readouterr().out == f"one {A} {B}\ntwo {B}\nwide {A}\n"
    written: list[Any] = []
    monkeypatch.setattr(tried.Way, "write", lambda self, folder: written.append((self.name, folder)))
    tried.main(["--rtl", "two", str(tmp_path / "new")])
    assert written == [("two", tmp_path / "new")]
    for words, said in ((["--rtl", "two", str(patches)], f"--rtl {patches} is there; it must not be"),
                        (["--csv", f"{tmp_path}/none/a"], f"--csv {tmp_path}/none/a: no such folder")):
        with pytest.raises(Fail, match=f"^{said}$") as wrong:
            tried.main(words)
        assert wrong.value.code == 3 and len(written) == 1
    there: list[int] = []

    def points(way: tried.Way, got: Any) -> list[synth.Row]:
        there.append(sum(r["lut"] == "9000" for r in synth.read_table(file, tried.COLUMNS)))
        return [row(way.name, A, family, 9) for family in got.family if (A, family) in way.pairs]

    monkeypatch.setattr(tried, "points", points)
    monkeypatch.setattr(sys, "argv", ["tried.py", "wide", "one", "--family", "ecp5", "--csv", str(file)])
    synth.command("tried.py", tried.main)
    new = [row(way, A, "ecp5", 9) for way in ("kept", "one", "wide")]
    assert there == [0, 1, 2] and synth.read_table(file, tried.COLUMNS) == [*ROWS[:6], new[0], ROWS[6], new[1], new[2]]
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[:4] for line in said[1:4]] == [["kept", A, "ecp5", "9000"], ["wide", A, "ecp5", "9000"], ["one", A, "ecp5", "9000"]]
    monkeypatch.setattr(tried, "points", lambda way, got: [row(way.name, A, "ecp5", 9)])
    tried.main(["two"])
    assert len(capsys.readouterr().out.splitlines()) == 4
