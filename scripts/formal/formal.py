#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""formal.py - runs the proofs of tb/formal/proofs.txt and the planted bugs of tb/formal/bugs.txt.

A line of proofs.txt is one proof, or one for each combination of its parameters' values:
  [*+]name{P} | files | top | P=values ... | engines | expect | what it says
    *        part of --quick, with the first of its engines
    +        takes minutes: runs with --slow, or when --only names it
    files    names without .v, from tb/formal, rtl and rtl/fast, or a name of several; check.v is always read
    P=values a list like 1,2,4 or RR,FO (the names of flit.vh); {P} in the name is replaced
    engines  pdr      ABC's property directed reachability, unbounded
             ind:K    yosys sat -tempinduct, at most K steps
             cadical:K  induction over K steps, with CaDiCaL (formal_sat.py), for what is too large for that
             z3:K     yosys-smtbmc with z3: K steps from the start, then induction over K
             cvc5:K   the same with cvc5
             bmc:K    ABC's bmc3 over K frames: finds counterexamples, proves nothing
             cover:K  yosys-smtbmc -c with z3: each bit of cover_i goes high within K steps
             reach:K  the same by ABC's bmc3, for what is too large for that
    expect   proved, covered (cover and reach only) or falsified
A line NAME = files gives several files a name.  A top instantiates tb/formal/check.v.  A line `// bad[k]: words` in a file names a property, and
`// cover[k]: words` a cover, for the reports.

A line of bugs.txt must be caught:
  [*]name | file | text that goes | text that comes | proof | engine | bits of bad_i | what it does
"""
from __future__ import annotations

import argparse
import concurrent.futures
import difflib
import fnmatch
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import formal_gates
import formal_sat
import formal_tasks
from lib import aig, lists, tasks
from lib.programs import ABC, Programs, interruptible, written
from lib.progress import Progress

Said = tuple[str, str]     # status, a few words
Result = dict[str, Any]    # as result.json has it

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("BUILD", "build") / "formal"
PROOFS = "tb/formal/proofs.txt"
BUGS = "tb/formal/bugs.txt"
FOLDERS = ("tb/formal", "rtl", "rtl/fast")
YOSYS = os.environ.get("YOSYS", "yosys")
SMTBMC = os.environ.get("SMTBMC", "yosys-smtbmc")
ENGINES = ("pdr", "scorr", "ind", "cadical", "z3", "cvc5", "bmc", "cover", "reach")
ALONE = ("pdr", "scorr")
GATED = ("pdr", "scorr", "bmc", "reach", "cadical")   # they read an AIGER file
PROBE = "tb/probe/probe.py"
EXPECT = ("proved", "covered", "falsified")
# What each tool says of itself, and the least that will do.
TOOLS = {
    YOSYS: (["-V"], r"Yosys (\d+)\.(\d+)", (0, 23), "yosys"),
    SMTBMC: (["-h"], None, None, "yosys"),
    ABC: (["-c", "version"], r"ABC (\d+)\.(\d+)", (1, 1), "berkeley-abc"),
    "z3": (["--version"], r"version (\d+)\.(\d+)", (4, 8), "z3"),
    "cvc5": (["--version"], r"version (\d+)\.(\d+)", (1, 0), "cvc5"),
    "cadical": (["--version"], None, None, "cadical"),
}
NEEDS = {"pdr": (YOSYS, ABC), "scorr": (YOSYS, ABC), "bmc": (YOSYS, ABC), "reach": (YOSYS, ABC), "ind": (YOSYS,),
         "cadical": (YOSYS, "cadical"), "z3": (YOSYS, SMTBMC, "z3"), "cvc5": (YOSYS, SMTBMC, "cvc5"),
         "cover": (YOSYS, SMTBMC, "z3"), "probe": (YOSYS,)}


class Wrong(Exception):
    """What a user is told: exit code, one line."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def nearest(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, 1, 0.3)
    return f"; nearest: {close[0]}" if close else ""


# -- the lists ------------------------------------------------------------------------------------

class Check:
    """One proof by one engine, or one planted bug."""

    def __init__(self, name: str, files: Sequence[str], top: str, params: Sequence[tuple[str, str]], engine: str, expect: str, words: str) -> None:
        self.name, self.files, self.top, self.params = name, files, top, params
        self.engine, _, depth = engine.partition(":")
        self.depth = int(depth or 0)
        self.expect, self.words = expect, words
        self.edit: tuple[str, str, str] | None = None  # of a bug: file, text that goes, text that comes
        self.bits: int | None = None   # of a bug: the properties that are asserted
        self.proof = name
        self.quick = self.slow = False

    @property
    def label(self) -> str:
        return f"{self.name}/{self.engine}"

    @property
    def kind(self) -> str:
        """What it is, for tables."""
        if self.engine == "probe":
            return "probe"
        if self.edit:
            return "bug"
        return "cover" if self.expect == "covered" else "equality" if self.top == "equal_formal" else "property"


def fields(path: str, count: int) -> Iterator[tuple[str, list[str]]]:
    """Place, fields of each line of a list."""
    try:
        yield from lists.rows(ROOT, path, count, several)
    except lists.Wrong as e:
        raise Wrong(3, str(e)) from None


def several(line: str) -> re.Match[str] | None:
    """NAME = files: a match, of any other line none."""
    return re.fullmatch(r"(\w+)\s*=([^|]*)", line)


def groups() -> dict[str, str]:
    """The names that stand for several files."""
    found = map(several, (ROOT / PROOFS).read_text().splitlines())
    return {m[1]: m[2] for m in found if m}


def source(name: str, place: str) -> str:
    for folder in FOLDERS:
        if (ROOT / folder / f"{name}.v").is_file():
            return f"{folder}/{name}.v"
    known = [p.stem for folder in FOLDERS for p in (ROOT / folder).glob("*.v")]
    raise Wrong(3, f"{place}: no file {name}.v in {' or '.join(FOLDERS)}{nearest(name, known)}")


def macros() -> dict[str, str]:
    """The numbers of flit.vh: FATFLY_RR is written RR."""
    text = (ROOT / "rtl/flit.vh").read_text()
    return dict(re.findall(r"`define FATFLY_(\w+)\s+(\d+)\s", text))


def engine(text: str, place: str) -> str:
    name, _, depth = text.partition(":")
    if name not in ENGINES:
        raise Wrong(3, f"{place}: no engine {name}; allowed: {', '.join(ENGINES)}{nearest(name, ENGINES)}")
    if (name not in ALONE) != bool(re.fullmatch(r"[1-9]\d*", depth)):
        raise Wrong(3, f"{place}: engine {text}; needed: "
                       + (f"{name} alone" if name in ALONE else f"{name}:K, K steps, 1 or more"))
    return text


def combinations(text: str, place: str) -> Iterator[tuple[tuple[str, str, str], ...]]:
    """Each way to choose one value for each parameter: [(name, text, number), ...]."""
    numbers, lists = macros(), []
    for word in text.split():
        name, equals, values = word.partition("=")
        if not equals or not values:
            raise Wrong(3, f"{place}: parameter {word}; needed: NAME=value,value,..")
        row = []
        for value in values.split(","):
            if not value.isdecimal() and value not in numbers:
                raise Wrong(3, f"{place}: {name}={value}; needed: a number or a name of "
                               f"rtl/flit.vh{nearest(value, list(numbers))}")
            row.append((name, value.lower(), numbers.get(value, value)))
        lists.append(row)
    return itertools.product(*lists)


def proofs() -> dict[str, list[Check]]:
    """All checks of proofs.txt: name -> its checks."""
    found, known = {}, groups() if (ROOT / PROOFS).is_file() else {}
    for place, (pattern, files, top, params, engines, expect, words) in fields(PROOFS, 7):
        mark, pattern = pattern[:1], pattern.lstrip("*+ ")
        if expect not in EXPECT:
            raise Wrong(3, f"{place}: {expect}; allowed: {', '.join(EXPECT)}")
        names = ["check"] + [f for word in files.split() for f in known.get(word, word).split()]
        paths = [source(f, place) for f in dict.fromkeys(names)]
        for choice in combinations(params, place):
            name = pattern
            for key, text, _ in choice:
                name = name.replace("{" + key + "}", text)
            if name in found:
                raise Wrong(3, f"{place}: a second proof is called {name}")
            found[name] = []
            for word in engines.split():
                c = Check(name, paths, top, [(k, v) for k, _, v in choice], engine(word, place),
                          expect, words)
                if (expect == "covered") != (c.engine in ("cover", "reach")):
                    raise Wrong(3, f"{place}: {c.engine} cannot say {expect}")
                c.quick = mark == "*" and not found[name]
                c.slow = mark == "+"
                found[name].append(c)
    return found


def bugs(known: Mapping[str, Sequence[Check]]) -> dict[str, list[Check]]:
    """All checks of bugs.txt."""
    found = {}
    for place, (name, file, old, new, proof, how, bits, words) in fields(BUGS, 8):
        quick, name = name.startswith("*"), name.lstrip("* ")
        if name in found:
            raise Wrong(3, f"{place}: a second bug is called {name}")
        if proof not in known:
            raise Wrong(3, f"{place}: no proof {proof}{nearest(proof, list(known))}")
        like = known[proof][0]
        if file not in like.files:
            raise Wrong(3, f"{place}: {proof} does not read {file}{nearest(file, like.files)}")
        if not re.fullmatch(r"\d+(,\d+)*|all", bits):
            raise Wrong(3, f"{place}: bits {bits}; needed: all, or numbers like 0,3")
        c = Check(name, like.files, like.top, like.params, engine(how, place), "falsified", words)
        c.edit, c.proof, c.quick = (file, old, new), proof, quick
        c.bits = None if bits == "all" else sum([1 << int(b) for b in bits.split(",")])
        found[name] = [c]
    return found


def probes() -> dict[str, list[Check]]:
    """A check for each shape whose Verilog must be the same without its probe (tb/probe)."""
    listed = subprocess.run([sys.executable, "-B", str(ROOT / PROBE), "--list"], capture_output=True, text=True, check=False)
    if listed.returncode:
        raise Wrong(4, f"{PROBE} --list: {listed.stderr.strip()}")
    files = [str(p.relative_to(ROOT)) for p in sorted((ROOT / "rtl").glob("**/*.v*"))] + [PROBE]
    return {f"probe-{s}": [Check(f"probe-{s}", files, s, [], "probe", "same", "without its probe the same graph")] for s in listed.stdout.split()}


# -- the tools ------------------------------------------------------------------------------------

PROGRAMS = Programs()


def versions(names: Iterable[str]) -> dict[str, str]:
    """What each tool calls itself; a missing or old one is an error."""
    said = {}
    for name in names:
        args, pattern, least, package = TOOLS[name]
        if not shutil.which(name):
            raise Wrong(4, f"{name} is missing; Debian has it in {package}")
        done = subprocess.run([name, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        said[name] = done.stdout.strip()
        if pattern:
            number = re.search(pattern, done.stdout)
            if not number:
                raise Wrong(4, f"{name} does not tell its version; needed: {least[0]}.{least[1]} or later")
            if tuple(map(int, number.groups())) < least:
                raise Wrong(4, f"{name} {'.'.join(number.groups())} is too old; needed: "
                               f"{least[0]}.{least[1]} or later")
    return said


# -- the models that the tools read ---------------------------------------------------------------

# Modules are made small, and into gates, one by one before their copies are.  Equal registers are not
# joined: they start anywhere, so that they may differ at first.
SMALL = ["opt_expr", "opt_merge t:$*dff* t:$*DFF* %u %n", "opt_clean"]


def modules(check: Check, files: Sequence[str]) -> list[str]:
    """Yosys: the modules of a proof, each made small."""
    reach = " -DFORMAL_REACH" if check.engine == "reach" else ""
    bits = "" if check.bits is None else f" -DFORMAL_BITS=64'd{check.bits}"
    params = "".join(f" -chparam {k} {v}" for k, v in check.params)
    rest = [f for f in files if f != "check.v"]
    return [f"read_verilog -formal{reach}{bits} check.v", f"read_verilog -defer -I. {' '.join(rest)}",
            f"hierarchy -check -top {check.top}{params}",
            "setattr -mod -unset keep_hierarchy *",
            "proc", "memory_share", "memory_collect", "memory_map", "dffunmap", *SMALL]


def prepared(check: Check, files: Sequence[str], gates: bool = False) -> list[str]:
    """Yosys: one flat module with assume, and assert or cover, without undefined bits."""
    drop = "assert" if check.engine == "cover" else "cover"
    return [*modules(check, files), *(["techmap", *SMALL] if gates else []),
            "flatten", f"chformal -{drop} -remove", "opt_expr", "opt_clean", "check -assert",
            "setundef -undriven -anyseq", "opt_clean"]


def words(check: Check, files: Sequence[str]) -> list[str]:
    """Yosys: one flat module of cells that formal_gates.py knows, which refuses what `check -assert` would."""
    return [*modules(check, files), *[f"techmap {formal_gates.OTHERS}"] * 3, "flatten", "chformal -cover -remove"]


def script(check: Check, files: Sequence[str]) -> str:
    """Yosys: the model that the engine reads."""
    if check.engine == "probe":
        return check.top
    if check.engine == "ind":
        return "\n".join(prepared(check, files) + [
            f"sat -tempinduct -prove-asserts -set-assumes -maxsteps {check.depth} "
            "-show-public -dump_vcd trace.vcd"]) + "\n"
    if check.engine in GATED:
        return "\n".join(words(check, files) + ["write_json model.json"]) + "\n"
    lines = prepared(check, files, gates=True)  # sums and shifts of words can take z3 for ever
    return "\n".join(lines + ["write_smt2 -wires model.smt2"]) + "\n"


def gates(check: Check, folder: pathlib.Path) -> formal_sat.Model:
    """model.aig of what Yosys read, and model.aim, its map."""
    netlist = formal_gates.read(folder / "model.json", check.top)
    model = netlist.model()
    formal_gates.write_aiger(folder / "model.aig", model)
    (folder / "model.aim").write_text("\n".join(netlist.places()) + "\n")
    (folder / "model.json").unlink()
    return model


def plant(check: Check, texts: dict[str, str]) -> dict[str, str]:
    """texts with the bug of a check in one of them."""
    file, old, new = check.edit
    name = pathlib.Path(file).name
    if texts[name].count(old) != 1:
        raise Wrong(3, f"{check.name}: its text stands {texts[name].count(old)} times in {file}, not once")
    return {**texts, name: texts[name].replace(old, new)}


def sources(check: Check) -> dict[str, str]:
    """Name -> text of all that a proof reads, its bug planted."""
    paths = [ROOT / f for f in check.files]
    paths += sorted(p for folder in FOLDERS for p in (ROOT / folder).glob("*.vh"))
    texts = {p.name: p.read_text() for p in paths}
    return plant(check, texts) if check.edit else texts


# -- engines: each returns (status, a few words) ---------------------------------------------------

def by_abc(check: Check, folder: pathlib.Path, limit: float) -> Said:
    # Constraints are joined to the property; one output, but for reach.
    if check.engine in ALONE:
        command = {"pdr": "pdr", "scorr": "scorr; dc2; pdr"}[check.engine]
    else:
        command = f"bmc3{' -a -x' if check.engine == 'reach' else ''} -F {check.depth}"
    code = PROGRAMS.run([ABC, "-c", f"read_aiger model.aig; fold; strash; print_stats; {command}; "
                                    "write_cex -a trace.aiw"], folder / "engine.log", limit)
    text = written(folder / "engine.log")
    if code is None:
        return "timeout", f"more than {limit:.0f} s"
    if check.engine == "reach":
        hit = {int(o): int(f) for o, f in re.findall(r"Output\s+(\d+) (?:of miter )?.*?frame\s+(\d+)", text)}
        total = re.search(r"i/o = *\d+/ *(\d+)", text)
        if total and len(hit) == int(total[1]):
            return "covered", f"{len(hit)} covers, the last in step {max(hit.values())}"
        missed = sorted(set(range(int(total[1]) if total else 0)) - set(hit))
        return "uncovered", f"not reached in {check.depth} steps: " + "; ".join(
            named(check, "cover", k) for k in missed)
    failed = re.search(r"asserted in frame (\d+)", text)
    if failed:
        return "falsified", f"in step {failed[1]}"
    if re.search(r"Property proved", text):
        frames = re.search(r"Invariant F\[(\d+)\] : (\d+) clauses with (\d+) flops", text)
        return "proved", f"invariant of {frames[2]} clauses in frame {frames[1]}" if frames else "by simplification"
    if re.search(r"No output asserted|Explored all reachable", text):
        return "unfound", f"no counterexample in {check.depth} steps"
    return "error", last(text)


def by_sat(check: Check, folder: pathlib.Path, _limit: float) -> Said:
    text = written(folder / "model.log")  # yosys asked while it read the model
    steps = re.findall(r"Trying induction with length (\d+)", text)
    if "Induction step proven: SUCCESS" in text:
        return "proved", f"induction over {steps[-1]} steps"
    if "SAT temporal induction proof finished - model found for base case: FAIL" in text:
        return "falsified", f"in step {int(steps[-1]) - 1}"
    if "Reached maximum number of time steps" in text:
        return "unknown", f"not inductive over {check.depth} steps"
    return "error", last(text)


def by_cadical(check: Check, folder: pathlib.Path, limit: float) -> Said:
    begin = time.monotonic()
    model = formal_sat.File((folder / "model.aig").read_bytes()).model()
    for part, question in (("start", formal_sat.start), ("step", formal_sat.step)):
        cycles, name, rows = question(model, check.depth)
        aig.write_cnf(folder / f"{part}.cnf", len(name), rows)
        left = max(1.0, limit - (time.monotonic() - begin))
        code = PROGRAMS.run(["cadical", "-q", f"{part}.cnf"], folder / f"{part}.log", left)
        (folder / f"{part}.cnf").unlink()
        if code is None:
            return "timeout", f"more than {limit:.0f} s"
        if code not in (10, 20):
            return "error", last(written(folder / f"{part}.log"))
        if code == 10 and part == "start":
            number, text = formal_sat.witness(model, cycles, name, written(folder / f"{part}.log"))
            (folder / "trace.aiw").write_text(text)
            return "falsified", f"in step {number}"
        if code == 10:
            return "unknown", f"not inductive over {check.depth} steps"
    return "proved", f"induction over {check.depth} steps"


def by_smt(check: Check, folder: pathlib.Path, limit: float) -> Said:
    solver = "z3" if check.engine == "cover" else check.engine
    base = [SMTBMC, "-s", solver, "--unroll", "--noprogress", "-t", str(check.depth)]
    begin = time.monotonic()
    if check.engine == "cover":
        code = PROGRAMS.run(base + ["-c", "--dump-vcd", "trace%.vcd", "model.smt2"], folder / "engine.log", limit)
        text = written(folder / "engine.log")
        if code is None:
            return "timeout", f"more than {limit:.0f} s"
        hit = re.findall(r"Reached cover statement .*?in step (\d+)|Reached cover statement.*?step (\d+)", text)
        if code == 0 and hit:
            return "covered", f"{len(hit)} covers, the last in step {max(int(a or b) for a, b in hit)}"
        return ("uncovered", last(text)) if "status: failed" in text.lower() else ("error", last(text))
    code = PROGRAMS.run(base + ["--dump-vcd", "trace.vcd", "model.smt2"], folder / "engine.log", limit)
    if code is None:
        return "timeout", f"more than {limit:.0f} s"
    text = written(folder / "engine.log")
    if code != 0 or "status: passed" not in text.lower():
        step = re.search(r"BMC failed!.*", text, re.S)
        number = re.findall(r"Checking assertions in step (\d+)", text)
        return ("falsified", f"in step {number[-1]}") if step and number else ("error", last(text))
    left = max(1.0, limit - (time.monotonic() - begin))
    code = PROGRAMS.run(base + ["-i", "model.smt2"], folder / "induction.log", left)
    if code is None:
        return "timeout", f"more than {limit:.0f} s"
    text = written(folder / "induction.log")
    if code == 0 and "Temporal induction successful" in text:
        numbers = [int(n) for n in re.findall(r"Trying induction in step (\d+)", text)]
        return "proved", f"induction over {check.depth - min(numbers or [0])} steps"
    return ("unknown", f"not inductive over {check.depth} steps") if "Temporal induction failed" in text \
        else ("error", last(text))


def last(text: str) -> str:
    """The most telling line of a log."""
    lines = [l.strip() for l in text.splitlines() if l.strip()]
    wrong = [l for l in lines if re.search(r"error|assert failed|unreached", l, re.I)]
    return (wrong or lines or ["it said nothing"])[-1][:160]


def named(check: Check, kind: str, number: int) -> str:
    """What a file says of bad[number] or cover[number]."""
    for file in check.files:
        for k, words in re.findall(rf"//\s*{kind}\[(\d+)\]:\s*(.*)", (ROOT / file).read_text()):
            if int(k) == number:
                return f"{kind}[{k}] {words}"
    return f"{kind}[{number}]"


def trace(check: Check, folder: pathlib.Path) -> pathlib.Path | None:
    """A VCD of the counterexample; Yosys plays what an engine of gates found."""
    if (folder / "trace.aiw").exists():
        lines = words(check, [pathlib.Path(f).name for f in check.files])
        if not re.search(r"\bclk_i\b", (folder / f"{check.top}.v").read_text()):
            lines += ["add -input clk_i 1"]   # it does not play without
        lines += ["sim -clock clk_i -r trace.aiw -map model.aim -vcd trace.vcd"]
        (folder / "trace.ys").write_text("\n".join(lines) + "\n")
        PROGRAMS.run([YOSYS, "-q", "-s", "trace.ys"], folder / "trace.log", 120)
    found = sorted(folder.glob("trace*.vcd"))
    return found[0] if found else None


def broken(check: Check, vcd: pathlib.Path) -> list[str]:
    """Which properties the counterexample breaks, from the last values of bad_i in a VCD."""
    code, value = None, ""
    for line in vcd.read_text(encoding="utf-8", errors="replace").splitlines():
        head = re.match(r"\$var \w+ \d+ (\S+) \S*?bad_i\b", line)
        if head and code is None:
            code = head[1]
        elif code and (m := re.fullmatch(r"b?([01xz]+) ?" + re.escape(code), line)) and "1" in m[1]:
            value = m[1]
    return [named(check, "bad", k) for k, bit in enumerate(reversed(value)) if bit == "1"]


# -- one check ------------------------------------------------------------------------------------

def key(check: Check, texts: dict[str, str], said: Mapping[str, str]) -> str:
    """Two checks with one key have one result."""
    parts = [script(check, check.files), check.engine, str(check.depth), json.dumps(texts, sort_keys=True)]
    parts += [said[tool] for tool in NEEDS[check.engine]] + [pathlib.Path(__file__).read_text()]
    if check.engine in GATED:          # ours
        parts += [pathlib.Path(module.__file__).read_text() for module in (aig, formal_sat, formal_gates)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def cached(folder: pathlib.Path, want: str) -> Result | None:
    try:
        old = json.loads((folder / "result.json").read_text())
        return old if old["key"] == want and old["cpu"] >= 0 and old["status"] in (
            "proved", "falsified", "covered", "same") else None
    except (OSError, ValueError, KeyError):
        return None


def answered(check: Check, folder: pathlib.Path, asked: str) -> Result | None:
    """The result that an engine gave before of the same gates, if that was proved or covered (what fails leaves a trace)."""
    try:
        old = json.loads((folder / "result.json").read_text())
        return old if old["question"] == asked and old["status"] == check.expect != "falsified" and old["cpu"] >= 0 else None
    except (OSError, ValueError, KeyError):
        return None


def question(check: Check, folder: pathlib.Path, said: Mapping[str, str]) -> str:
    """What an engine of gates is asked: two checks with one question have one verdict, whatever the Verilog says beside it."""
    parts = [check.engine, str(check.depth), *(said[tool] for tool in NEEDS[check.engine]), pathlib.Path(__file__).read_text()]
    if check.engine == "cadical":
        parts += [pathlib.Path(module.__file__).read_text() for module in (aig, formal_sat)]
    return hashlib.sha256("\0".join(parts).encode() + (folder / "model.aig").read_bytes()).hexdigest()


def attempt(check: Check, folder: pathlib.Path, texts: dict[str, str], limit: float, known: Callable[[], Result | None]) -> Said:
    """Builds the model in folder and asks the engine, unless what it says is known."""
    if check.engine == "probe":
        code = PROGRAMS.run([sys.executable, "-B", str(ROOT / PROBE), "--jobs", "1", check.top], folder / "model.log", limit)
        if code is None:
            return "timeout", f"more than {limit:.0f} s"
        return ("same", "") if code == 0 else ("other", last(written(folder / "model.log")))
    for name, text in texts.items():
        (folder / name).write_text(text)
    names = [pathlib.Path(f).name for f in check.files]
    (folder / "model.ys").write_text(script(check, names))
    code = PROGRAMS.run([YOSYS, "-q" if check.engine != "ind" else "-Q", "-s", "model.ys"],
                        folder / "model.log", limit)
    if code is None:
        return "timeout", f"more than {limit:.0f} s"
    if code != 0:
        return "error", last(written(folder / "model.log"))
    if check.engine in GATED:
        try:
            gates(check, folder)
        except formal_sat.Wrong as e:
            return "error", str(e)
        if (old := known()) is not None:
            return old["status"], old["words"]
    how = {"ind": by_sat, "cadical": by_cadical, "z3": by_smt, "cvc5": by_smt, "cover": by_smt}.get(check.engine, by_abc)
    return how(check, folder, limit)


def run(check: Check, said: Mapping[str, str], limit: float) -> Result:
    """The result of a check, from the cache if nothing changed."""
    texts = sources(check)
    final = BUILD / ("bugs" if check.edit else "proofs") / check.name / check.engine
    want = key(check, texts, said)
    done = cached(final, want)
    if done:
        return {**done, "cached": True}
    draft = final.with_name(f".{final.name}.{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    begin, before = time.monotonic(), time.thread_time() + PROGRAMS.spent()
    try:
        status, words = attempt(check, draft, texts, limit, lambda: answered(check, final, question(check, draft, said)))
        seconds, cpu = time.monotonic() - begin, time.thread_time() + PROGRAMS.spent() - before
        result = {"key": want, "status": status, "words": words, "seconds": round(seconds, 2), "cpu": round(cpu, 2)}
        if (draft / "model.aig").exists():
            result["question"] = question(check, draft, said)
            if old := answered(check, final, str(result["question"])):
                result["cpu"] = max(result["cpu"], old["cpu"])   # with the engine
        if status == "falsified":
            vcd = trace(check, draft) if check.edit is None else None
            result["trace"] = vcd.name if vcd else ""
            result["broken"] = broken(check, vcd) if vcd else []
        (draft / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    shutil.rmtree(final, ignore_errors=True)
    draft.rename(final)
    return result


# -- reports --------------------------------------------------------------------------------------

class Screen:
    """A line for each check, and what is under way."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.passed, self.under_way = total, 0, 0, []
        self.lock, self.progress = threading.Lock(), Progress()

    def draw(self) -> None:
        self.progress.show(f"[{self.done}/{self.total}] {', '.join(self.under_way)}")

    def begin(self, check: Check) -> None:
        with self.lock:
            self.under_way.append(check.label)
            self.draw()

    def end(self, check: Check, result: Result) -> None:
        good = result["status"] == check.expect
        with self.lock:
            self.under_way.remove(check.label)
            self.done += 1
            self.passed += good
            self.progress.clear()
            print(line(check, result, good), flush=True)
            self.draw()

    def close(self) -> None:
        self.progress.clear()


def line(check: Check, result: Result, good: bool) -> str:
    words = f": {result['words']}" if result["words"] else ""
    text = (f"{'PASS' if good else 'FAIL'} {check.label:<32} {result['seconds']:7.2f} s"
            f"{' cached' if result.get('cached') else ''} {result['status']}{words}")
    if good:
        return text
    folder = BUILD / ("bugs" if check.edit else "proofs") / check.name / check.engine
    text += f"; expected: {check.expect}"
    for words in result.get("broken", []):
        text += f"\n    broken: {words}"
    shown = folder / result["trace"] if result.get("trace") else folder
    return text + f"\n    see {os.path.relpath(shown, os.getcwd())}"


def chosen(args: argparse.Namespace) -> list[Check]:
    """The checks that the user asks for."""
    known = proofs()
    faults = bugs(known)
    twice = [n for n in faults if n in known]
    if twice:
        raise Wrong(3, f"{BUGS}: {twice[0]} is the name of a proof, too")
    both = {**(known if not args.bugs else {}), **(faults if not args.proofs else {}), **(probes() if args.probe else {})}
    names = list(both)
    for pattern in args.only:
        if not any(fits(pattern, c) for n in names for c in both[n]):
            raise Wrong(2, f"no proof {pattern}{nearest(pattern, names)} (--list names all)")
    every = [c for n in names for c in both[n]
             if not args.only or any(fits(p, c) for p in args.only)]
    if args.quick:
        return [c for c in every if c.quick]
    return [c for c in every if args.slow or args.only or not c.slow]


def fits(pattern: str, check: Check) -> bool:
    return any(fnmatch.fnmatchcase(text, pattern) for text in (check.name, check.label))


def arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="formal.py", description="Proofs of the RTL.")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN",
                        help="names, or name/engine, with * and ?")
    parser.add_argument("--quick", action="store_true", help="only those with a * in the lists")
    parser.add_argument("--slow", action="store_true",
                        help="those with a +, too: minutes each, hence a --timeout that allows it")
    parser.add_argument("--proofs", action="store_true", help="no planted bugs")
    parser.add_argument("--bugs", action="store_true", help="planted bugs alone")
    parser.add_argument("--probe", action="store_true", help="those of tb/probe, too")
    parser.add_argument("--task", metavar="K/T", help="the share K of T (docs/cluster.md)")
    parser.add_argument("--list", action="store_true", help="name them and end")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="a check (300)")
    parser.add_argument("-j", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="checks at once")
    args = parser.parse_args(words)
    if args.j < 1 or args.timeout <= 0:
        raise Wrong(2, "-j and --timeout must be above 0")
    try:
        args.task = tasks.task(args.task) if args.task is not None else None
    except ValueError as e:
        raise Wrong(2, str(e)) from None
    if args.proofs and args.bugs:
        raise Wrong(2, "--proofs and --bugs leave nothing")
    return args


def main(words: Sequence[str]) -> int:
    args = arguments(words)
    checks = chosen(args)
    every = [c.label for c in checks]
    if args.task:
        checks = list(itertools.compress(checks, formal_tasks.share(every, *args.task)))
    if args.list:
        for c in checks:
            print(f"{c.label:<32} {c.expect:<10} {c.words}")
        return 0
    said = versions(dict.fromkeys(tool for c in checks for tool in NEEDS[c.engine]))
    for c in checks:
        sources(c)                     # a bug without its text is told before anything runs
    screen, done, begin = Screen(len(checks)), {}, time.monotonic()

    def work(check: Check) -> None:
        screen.begin(check)
        result = run(check, said, args.timeout)
        done[check.label] = {"kind": check.kind, "expect": check.expect, **{k: result[k] for k in ("status", "words", "seconds", "cpu", "key")}}
        screen.end(check, result)

    def manifest() -> None:
        name = "checks.json" if not args.task else "checks.{}-of-{}.json".format(*args.task)
        formal_tasks.write(BUILD / name, every, {c.label: done[c.label] for c in checks if c.label in done}, time.monotonic() - begin, args.j)

    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        try:
            for job in [pool.submit(work, c) for c in checks]:
                job.result()
        except BaseException:
            PROGRAMS.stop()
            pool.shutdown(cancel_futures=True)
            screen.close()
            raise
        finally:
            manifest()
    screen.close()
    print(f"{screen.passed} passed, {screen.total - screen.passed} failed")
    return 0 if screen.passed == screen.total else 1


if __name__ == "__main__":
    interruptible()
    try:
        sys.exit(main(sys.argv[1:]))
    except Wrong as e:
        print(f"formal.py: {e}", file=sys.stderr)
        sys.exit(e.code)
    except KeyboardInterrupt:
        print("formal.py: interrupted; what is done is kept", file=sys.stderr)
        sys.exit(130)
    except OSError as e:
        print(f"formal.py: {e.filename or ''}: {e.strerror}", file=sys.stderr)
        sys.exit(4)
