#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""waves.py - the waves of networks that are no butterfly fat-tree, held against the log of every move of the same run.

usage: waves.py [TEXT] [FATFLY]    TEXT: only checks with it in their names; FATFLY: default $BUILD/fatfly
Each FST is read back with fst2vcd (package gtkwave; without it the run's VCD is read instead, said aloud).  Every
crossing of the waves is one of the log and the other way round, cycle by cycle; holder and fill of every channel are
counted here anew from the log; a head behind a head is another value.  Mistakes that are planted in the log or in
the waves must be found.  Ends with `N passed, N failed`; exit codes: 0 all passed, 1 not all, 4 no program.
"""
from __future__ import annotations

import collections
import csv
import functools
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = (
    "--topology torus --radix 4 --length 5 --rounds 3",
    "--topology torus --radix 4 --length 5 --bandwidth on-demand --rounds 3",
    "--topology torus --radix 5 --length 1 --bandwidth on-demand --rounds 9",
    "--topology torus --radix 4 --length 3 --lengths uniform --bandwidth on-demand --vcs 4 --depth 6 --channel-release tail-sent --rounds 6",
    "--topology torus --radix 4 --length 6 --bandwidth on-demand --link-latency 3 --router-latency 2 --depth 4 --rounds 2",
    "--topology torus --radix 4 --length 3 --link-bandwidth 2 --rounds 3",
    "--topology torus --radix 4 --path negative-hop --length 4 --rounds 3 --bandwidth on-demand --injection per-channel",
    "--topology mesh --radix 4 --length 6 --rounds 4",
    "--topology mesh --radix 4 --path north-last --vcs 3 --length 6 --rounds 3 --bandwidth on-demand",
    "--topology mesh --radix 4 --discipline store --depth 2 --length 6 --rounds 3",
    "--topology hypercube --nodes 32 --length 8 --rounds 2",
    "--topology hypercube --nodes 16 --discipline phased --length 4",
    "--topology butterfly --nodes 16 --length 8 --vcs 2 --rounds 3",
    "--topology reverse-butterfly --nodes 16 --length 4 --discipline store --link-bandwidth 2",
    "--topology wrapped-butterfly --nodes 16 --length 4 --rounds 2",
    "--topology graph:sim/paper/graphs/random-64.txt --length 6 --force",
    "--topology graph:sim/paper/graphs/random-64.txt --length 2 --depth unbounded --channel-release tail-sent --rounds 2 --force",
    "--topology torus --radix 4 --path minimal-adaptive --vcs 1 --length 32 --rounds 8 --force",
    "--topology mesh --radix 4 --length 4 --max-cycles 12",
    # Behind the bar what the waves alone are told.
    "--topology torus --radix 4 --length 4 --load 0.2 --warmup 100 --cycles 200",
    "--topology torus --radix 4 --length 4 --load 0.3 --bandwidth on-demand --warmup 200 --cycles 400 | --from 150 --to 420",
    "--topology mesh --radix 4 --length 6 --vcs 2 --bandwidth on-demand --channel-release tail-sent --load 0.3 --warmup 100 --cycles 300 | --to 90",
    "--topology torus --radix 4 --length 5 --link-latency 3 --router-latency 2 --depth 6 --bandwidth on-demand --load 0.2 --warmup 100 --cycles 200 | --from 77 --to 78",
    "--topology torus --radix 4 --dimensions 1 --vcs 64 --bandwidth on-demand --length 4 --load 0.3 --warmup 0 --cycles 64",
    "--topology torus --radix 4 --dimensions 1 --vcs 40 --length 2 --rounds 3",
    "--topology hypercube --nodes 16 --length 4 --load 0.4 --warmup 100 --cycles 200 | --from 90",
    "--topology torus --radix 4 --discipline store --length 4 --load 0.2 --warmup 100 --cycles 200 | --from 50 --to 140",
    # A run is asked every 4,096 cycles whether it goes on.
    "--topology torus --radix 4 --length 4 --load 0.2 --warmup 4200 --cycles 100 | --from 4090 --to 4095",
    "--topology mesh --radix 4 --length 6 --rounds 4 | --from 20 --to 40",
    # Butterfly fat-trees whose waves are not of registers.
    "--nodes 16 --length 5 --load 0.1 --warmup 100 --cycles 200",
    "--nodes 64 --length 3 --vcs 4 --load 0.2 --warmup 100 --cycles 100 | --from 60 --to 160",
    "--nodes 16 --length 4 --depth 1 --load 0.05 --warmup 0 --cycles 100",
    "--nodes 1024 --length 2",
    "--nodes 16 --discipline store --length 4 --rounds 3",
    "--nodes 16 --discipline store --depth 3 --length 4 --load 0.1 --warmup 0 --cycles 100",
    "--nodes 16 --discipline univ --length 4 --rounds 2",
    "--nodes 16 --discipline split --length 4 --rounds 2 --overhead 0.3",
    "--nodes 16 --discipline split --length 4 --load 0.1 --warmup 0 --cycles 100",
    "--nodes 64 --pattern trace --trace sim/traces/scalapack_lu_64.csv.gz --max-messages 8 --max-bytes 64 --discipline store",
    # Algorithms of CMSV, which discard and send again; several classes, requests and replies.
    "--topology butterfly --nodes 16 --discipline cmsv1 --length 4",
    "--topology butterfly --nodes 16 --discipline cmsv2 --length 4 --link-bandwidth 2",
    "--topology butterfly --nodes 16 --discipline cmsv-store --length 4",
    "--topology wrapped-butterfly --nodes 16 --discipline cmsv-protocol --length 4",
    "--topology butterfly --nodes 16 --discipline cmsv-butterfly --length 4",
    "--topology graph:sim/paper/graphs/random-64.txt --discipline cmsv2 --path walk --length 3",
    "--topology torus --radix 4 --vcs 4 --bandwidth on-demand --classes 2 --class-length 2,5 --load 0.2 --warmup 0 --cycles 200",
    "--topology mesh --radix 4 --vcs 2 --bandwidth on-demand --length 2 --reply 4 --class-channels reserved --load 0.2 --warmup 0 --cycles 200",
    "--nodes 16 --length 2 --reply 3 --load 0.1 --warmup 0 --cycles 200",
    "--topology torus --radix 4 --processor-links --channels-in-turn --head-latency 2 --vcs 4 --bandwidth on-demand --length 4 --load 0.2 --warmup 0 --cycles 200",
)
KINDS = {"body": 4, "tail": 5, "head": 6, "single": 7, "packet": 7}
FAT_TREE_PORTS = 6  # of a switch
Lines = list[str]
Signals = dict[str, list[tuple[int, str]]]
Crossing = tuple[int, str, int, int, int, int, str]  # cycle, scope of the link, channel, worm, flit, kind, track


def run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


# -- the waves -----------------------------------------------------------------------------------------

def read_vcd(text: str) -> Signals:
    """Of each signal its changes, (cycle, value); a cycle is 10 ns."""
    head, body = text.split("$enddefinitions $end", 1)
    scope: Lines = []
    names: dict[str, list[str]] = collections.defaultdict(list)
    for words in (line.split() for line in head.splitlines()):
        if words[:1] == ["$scope"]:
            scope.append(words[2])
        elif words[:1] == ["$upscope"]:
            scope.pop()
        elif words[:1] == ["$var"]:
            names[words[3]].append(".".join([*scope, words[4]]))
    signals: Signals = {name: [] for all_of in names.values() for name in all_of}
    now = 0
    for line in body.splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif line and line[0] in "bsBS":
            value, _, name = line[1:].rpartition(" ")
            for signal in names[name]:
                signals[signal].append((now // 10, value))
        elif line and line[0] in "01":
            for signal in names[line[1:]]:
                signals[signal].append((now // 10, line[0]))
    return signals


def each_cycle(changes: list[tuple[int, str]], end: int, number: bool) -> list[int | str]:
    values: list[int | str] = []
    last: int | str = -1 if number else "?"
    for cycle, text in changes:
        values += [last] * (min(cycle, end) - len(values))
        last = (int(text, 2) if set(text) <= {"0", "1"} else -1) if number else text
    return values + [last] * (end - len(values))


class Waves:
    """What the signals say, cycle by cycle."""

    def __init__(self, signals: Signals) -> None:
        cycles = [int(value, 2) for _, value in signals["fatfly.cycle"]]
        self.begin, self.end = min(cycles), 1 + max(cycles)
        self.signals = signals
        self.known: dict[str, list[int]] = {}
        self.links = sorted(name.rpartition(".")[0] for name in signals if name.endswith((".to", ".from")))
        self.lanes: dict[str, list[str]] = {link: [] for link in self.links}
        for lane in (name[:-6] for name in signals if name.endswith(".track")):
            self.lanes[lane if lane in self.lanes else lane.rpartition(".")[0]].append(lane)

    def numbers(self, name: str) -> list[int]:
        """Of the cycles from begin on."""
        if name not in self.known:
            self.known[name] = [int(x) for x in each_cycle(self.signals[name], self.end, True)][self.begin:]
        return self.known[name]

    def texts(self, name: str) -> list[str]:
        return [str(x) for x in each_cycle(self.signals[name], self.end, False)][self.begin:]


@functools.lru_cache(1)
def waves(vcd: str) -> Waves:
    """Read once for all that looks at them."""
    return Waves(read_vcd(vcd))


def crossings(w: Waves) -> tuple[collections.Counter[Crossing], str]:
    """All of them, and what is wrong among the signals themselves."""
    found: collections.Counter[Crossing] = collections.Counter()
    for link in w.links:
        valid = w.numbers(link + ".link_valid")
        busy = [0] * (w.end - w.begin)
        for lane in w.lanes[link]:
            flit, worm = w.numbers(lane + ".link_flit"), w.numbers(lane + ".link_worm")
            place, track = w.numbers(lane + ".flit"), w.texts(lane + ".track")
            own = re.search(r"\.vc(\d+)$", lane)
            for cycle in range(w.end - w.begin):
                if not flit[cycle]:
                    if worm[cycle] or place[cycle] or track[cycle]:
                        return found, f"{lane}: something crosses in cycle {cycle}, but no flit"
                    continue
                channel = int(own[1]) if own else valid[cycle].bit_length() - 1
                busy[cycle] |= 1 << max(channel, 0)
                found[(w.begin + cycle, link, channel, worm[cycle], place[cycle], 4 | flit[cycle] & 3, track[cycle])] += 1
        if busy != valid:
            return found, f"{link}: link_valid is not that of its flits"
    return found, ""


# -- the log -------------------------------------------------------------------------------------------

class Log:
    """What the rows say."""

    def __init__(self, lines: Lines) -> None:
        said = dict(item.split("=", 1) for item in lines[1].split()[3:] if "=" in item)
        said["discipline"] = lines[1].split("discipline=")[1].split()[0]
        self.channels, self.depth, self.hop = int(said["channels"]), int(said["depth"]), int(said["hop_cycles"])
        self.ports = int(said["links"]) // int(said["nodes"])
        self.tree = "topology=fat-tree " in lines[1]
        self.sent = self.tree or said.get("release") == "tail-sent"
        self.worms = said["discipline"] in ("worm", "phased")
        ends = [[int(x) for x in line.split()[2:]] for line in lines if line.startswith("# link ")]
        into = {link: end for link, _, end in ends}  # a fat-tree's links are numbered by the node that they enter
        first = min((link for link in into if into[link] >= int(said["nodes"]) - int(said["processors"])), default=0)
        self.names = {link: f"fatfly.node{into[link]}.in{link % FAT_TREE_PORTS if link < first else 0}" if self.tree
                      else f"fatfly.node{link // self.ports}.port{link % self.ports}" for link in into}
        self.far = {self.names[link]: begin if self.tree else end for link, begin, end in ends}
        self.rows = list(csv.DictReader(io.StringIO("\n".join(x for x in lines if not x.startswith("#")))))
        self.track = {x["worm"]: f"w{x['worm']}:{x['src']}>{x['dst']}" for x in self.rows if x["event"] == "ready"}
        self.moves = [x for x in self.rows if x["event"] == "move"]

    def scope(self, link: int) -> str:
        return self.names.get(link, "no link")

    def crossings(self, begin: int, end: int) -> collections.Counter[Crossing]:
        return collections.Counter(
            (cycle, self.scope(int(x["link"])), int(x["channel"]), int(x["worm"]), int(x["flit"]), KINDS[x["kind"]],
             self.track[x["worm"]])
            for x in self.moves for cycle in range(max(begin, int(x["cycle"])), min(end, int(x["cycle"]) + int(x["cycles"]))))

    def queues(self, end: int) -> dict[str, tuple[list[int], list[int]]]:
        """Holder and fill of each channel in each cycle."""
        said = {f"{link}.vc{v}": ([0] * end, [0] * end) for link in self.far for v in range(self.channels)}
        ways: dict[tuple[str, str], list[dict[str, str]]] = collections.defaultdict(list)
        for x in self.moves:
            ways[x["worm"], x["flit"]].append(x)
        takes: list[tuple[int, str, int, int]] = []
        tails = {x["worm"]: x["flit"] for x in self.moves if x["kind"] in ("tail", "single")}
        for (worm, flit), way in ways.items():
            way.sort(key=lambda x: int(x["cycle"]))
            for k, x in enumerate(way):
                name = f"{self.scope(int(x['link']))}.vc{x['channel']}"
                begin, crossed = int(x["cycle"]), int(x["cycle"]) + int(x["cycles"])
                gone = int(way[k + 1]["cycle"]) + 1 if k + 1 < len(way) else end
                if x["place"] in ("inner", "first"):
                    for cycle in range(crossed + self.hop, min(gone, end)):
                        said[name][1][cycle] += 1
                if flit == "0":
                    last = ways.get((worm, tails.get(worm, "")), [])
                    tail = last[k] if k < len(last) else None
                    until = end
                    if tail and self.sent:
                        until = int(tail["cycle"]) + int(tail["cycles"])
                    elif tail and tail["place"] in ("last", "only"):
                        until = int(tail["cycle"]) + int(tail["cycles"]) + self.hop
                    elif tail and k + 1 < len(last):
                        until = int(last[k + 1]["cycle"]) + 1
                    takes.append((begin, name, until, int(worm)))
        for begin, name, until, number in sorted(takes):
            for cycle in range(begin, min(until, end)):
                said[name][0][cycle] = number
        return said


# -- one against the other -----------------------------------------------------------------------------

def boxes(w: Waves, pairs: list[tuple[str, int, bool]] | None = None) -> str:
    """A head behind a head on what one track shows: two values.  pairs: those that were there."""
    for link in w.links:
        valid = w.numbers(link + ".link_valid")
        for lane in w.lanes[link]:
            flit, worm = w.numbers(lane + ".link_flit"), w.numbers(lane + ".link_worm")
            for cycle in range(1, w.end - w.begin):
                if flit[cycle] & 6 == 6 and flit[cycle - 1] & 6 == 6 and worm[cycle] != worm[cycle - 1]:
                    if pairs is not None:
                        pairs.append((lane, cycle, valid[cycle] != valid[cycle - 1]))
                    if flit[cycle] == flit[cycle - 1]:
                        return f"{lane}: two heads are one box in cycle {cycle}"
    return ""


def compare(lines: Lines, vcd: str, window: str = "") -> str:
    """What differs; empty: nothing.  window: --from and --to of the waves."""
    w, log = waves(vcd), Log(lines)
    asked = dict(zip(window.split()[::2], window.split()[1::2]))
    if w.begin != int(asked.get("--from", "0")) or w.end - 1 != int(asked.get("--to", w.end - 1)):
        return f"cycles {w.begin} to {w.end - 1}, not {window}"
    if w.links != sorted(log.far):
        return "the links are not those of the log"
    for link in w.links:
        if set(w.numbers(link + (".from" if log.tree else ".to"))) != {log.far[link]}:
            return f"{link} does not lead to, or come from, node {log.far[link]}"
    seen, wrong = crossings(w)
    told = log.crossings(w.begin, w.end if "--to" in asked else sys.maxsize)
    if wrong:
        return wrong
    if seen != told or not told:
        return f"{len(told)} crossings, of which waves have not {min(told - seen, default='')}, but {min(seen - told, default='')}"
    queues = log.queues(w.end) if log.worms else {}
    if sorted(queues) != sorted(x[:-7] for x in w.signals if x.endswith(".holder")):
        return "the channels are not those of the log"
    for name, (holder, fill) in queues.items():
        for what, right in (("holder", holder), ("fill", fill)):
            shown = w.numbers(f"{name}.{what}")
            if shown != right[w.begin:]:
                cycle = next(k for k, (a, b) in enumerate(zip(shown, right[w.begin:])) if a != b)
                return f"{name}.{what} is {shown[cycle]} in cycle {w.begin + cycle}; the log: {right[w.begin + cycle]}"
        if log.depth and max(fill) > log.depth:
            return f"{name}: {max(fill)} flits in a queue of {log.depth}"
    return boxes(w)


class Checks:
    def __init__(self, text: str) -> None:
        self.text, self.passed, self.failed = text, 0, 0

    def check(self, name: str, wrong: str) -> None:
        self.passed += not wrong
        self.failed += bool(wrong)
        print(f"FAIL {name}: {wrong}" if wrong else f"PASS {name}")


def vcd_of(file: pathlib.Path) -> str:
    if file.suffix == ".vcd":
        return file.read_text(encoding="ascii")
    return run(["fst2vcd", str(file)]).stdout


def record(fatfly: str, options: str, folder: pathlib.Path, ending: str) -> tuple[str, Lines, str]:
    """What is wrong with the run, its log and its waves."""
    file, log = folder / f"x.{ending}", folder / "x.csv"
    words, _, window = options.partition("|")
    one = [*shlex.split(words), *([] if "--load" in words else ["--runs", "1"]), "--format", "csv"]
    plain = run([fatfly, "run", *one])
    done = run([fatfly, "run", *one, *window.split(), "--waves", str(file), "--events", str(log)])
    if plain.returncode != done.returncode or done.returncode not in (0, 1):
        return f"exit code {done.returncode}, without waves {plain.returncode}: {done.stderr}", [], ""
    save = folder / "x.gtkw"
    lines, vcd = log.read_text(encoding="ascii").splitlines(), vcd_of(file)
    named = {re.sub(r"\[.*", "", x.split()[-1]) for x in save.read_text(encoding="ascii").splitlines() if x.startswith("+{")}
    lost = named - set(waves(vcd).signals)
    for left in folder.iterdir():
        left.unlink()
    return f"the save file names {min(lost)}" if lost else "", lines, vcd


def change(lines: Lines, column: str, by: int, **wanted: str) -> Lines:
    """One row of the middle of a log with another number in a column."""
    columns = next(x for x in lines if x.startswith("event,")).split(",")
    rows = [k for k, x in enumerate(lines) if x.startswith("move,") and
            all(x.split(",")[columns.index(name)] == value for name, value in wanted.items())]
    fields = lines[rows[len(rows) // 2]].split(",")
    at = columns.index(column)
    fields[at] = str(int(fields[at]) + by)
    return [*lines[:rows[len(rows) // 2]], ",".join(fields), *lines[rows[len(rows) // 2] + 1:]]


def without_change(vcd: str, signal: str) -> str:
    """Waves in which one change of a signal of that name is missing."""
    ids = set(re.findall(rf"^\$var \S+ \d+ (\S+) {signal}\b", vcd, re.M))
    lines = vcd.splitlines()
    begin = lines.index("$enddefinitions $end")
    at = [k for k in range(begin, len(lines)) if lines[k][:1] in ("b", "0", "1", "s") and
          (lines[k].split(" ")[-1] if lines[k][0] in "bs" else lines[k][1:]) in ids]
    k = at[len(at) * 2 // 3]
    return "\n".join(lines[:k] + lines[k + 1:])


def a_cycle_late(vcd: str) -> str:
    return re.sub(r"^#(\d+)$", lambda x: f"#{int(x[1]) + 10}", vcd, flags=re.M)


def one_box(vcd: str) -> str:
    """The bit that is another for every other head is 0."""
    ids = set(re.findall(r"^\$var \S+ \d+ (\S+) link_flit\b", vcd, re.M))
    return re.sub(r"^b1([01]{3}) (\S+)$", lambda x: f"b0{x[1]} {x[2]}" if x[2] in ids else x[0], vcd, flags=re.M)


PLANTED: dict[str, Callable[[Lines, str], tuple[Lines, str]]] = {
    "a move over another link": lambda log, vcd: (change(log, "link", 1), vcd),
    "a move a cycle late": lambda log, vcd: (change(log, "cycle", 1), vcd),
    "another channel": lambda log, vcd: (change(log, "channel", 1, channel="0"), vcd),
    "another worm": lambda log, vcd: (change(log, "worm", -1), vcd),
    "another flit": lambda log, vcd: (change(log, "flit", 1, kind="body"), vcd),
    "the waves a cycle late": lambda log, vcd: (log, a_cycle_late(vcd)),
    "two heads in one box": lambda log, vcd: (log, one_box(vcd)),
    **{f"a change of {name} is missing": lambda log, vcd, name=name: (log, without_change(vcd, name))  # type: ignore[misc]
       for name in ("link_valid", "link_flit", "link_worm", "flit", "track", "holder", "fill", "to")},
}
REFUSED = (
    ("--topology torus --waves {0}/x.fst --load 0.1 --precision 0.05", 2, "only with --precision none"),
    ("--topology torus --waves {0}/x.fst --load 0.1", 2, "moves; allowed: at most 2097152; --to C ends them sooner"),
    ("--topology torus --from 5 --load 0.1", 2, "--from 5 without --waves; allowed: with --waves FILE"),
    ("--nodes 16 --to 5 --waves {0}/x.fst", 2, "--to 5 in a static run of a fat-tree, whose waves are of registers"),
    ("--topology torus --from 9 --to 5 --waves {0}/x.fst", 2, "the window ends before it begins"),
    ("--topology torus --from 100000 --waves {0}/x.fst", 2, "--from 100000: nothing moves after cycle"),
    ("--topology torus --to 0 --waves {0}/x.fst", 2, "--to 0"),
    ("--nodes 65536 --length 1 --waves {0}/x.fst", 2, "signals; allowed: at most 131072"),
    ("--topology torus --waves {0}/x.fst --runs 2", 2, "only with --runs 1"),
    ("--topology torus --waves {0}/x.lxt", 2, "ends in .fst or .vcd"),
    ("--topology mesh --radix 64 --vcs 2 --length 1 --waves {0}/x.fst", 2, "signals; allowed: at most 131072"),
    ("--topology mesh --radix 24 --length 256 --rounds 9 --waves {0}/x.fst", 2, "moves; allowed: at most 2097152"),
    ("--topology torus --radix 4 --delay-range 1000000 --link-latency 64 --rounds 200 --length 99 --waves {0}/x.fst", 2, "cycles; allowed: at most 1048576"),
    ("--topology torus --radix 4 --waves {0}/none/x.fst", 4, "cannot write"),
    ("--nodes 16 --load 0.1 --engine fast --waves {0}/x.fst", 2, "with --engine fast; allowed: only with --engine auto or cycle"),
)


def main() -> int:
    words = sys.argv[1:]
    fatfly = next((w for w in words if "/" in w), os.environ.get("BUILD", "build") + "/fatfly")
    checks = Checks(next((w for w in words if "/" not in w), ""))
    if not os.access(ROOT / fatfly, os.X_OK):
        print(f"waves.py: {fatfly}: no program; allowed: after make build/fatfly", file=sys.stderr)
        return 4
    ending = "fst" if shutil.which("fst2vcd") else "vcd"
    if ending == "vcd":
        print("waves.py: SKIPPED: reading FST back (no fst2vcd; scripts/setup.sh extra); VCD is read instead")
    pairs: list[tuple[str, int, bool]] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for options in RUNS:
            if checks.text not in options:
                continue
            wrong, lines, vcd = record(fatfly, options, folder, ending)
            checks.check(f"waves: {options}", wrong or compare(lines, vcd, options.partition("|")[2]))
            if not wrong:
                boxes(waves(vcd), pairs)
        if not checks.text:
            checks.check("waves: heads in successive cycles, of one channel and of two, were there",
                         "" if {two for _, _, two in pairs} == {False, True} else str(pairs[:3]))
        wrong, lines, vcd = record(fatfly, RUNS[2], folder, ending)
        other = record(fatfly, RUNS[2], folder, "vcd")[2]
        checks.check("waves: FST and VCD say the same", wrong if wrong else "" if read_vcd(vcd) == read_vcd(other) else "they differ")
        _, lines, vcd = record(fatfly, RUNS[1], folder, ending)
        single = record(fatfly, RUNS[2], folder, ending)
        for name, plant in PLANTED.items():
            bad = plant(*(single[1:] if name == "two heads in one box" else (lines, vcd)))
            checks.check(f"found: waves: {name}", "" if compare(*bad) else "it was not")
        for options, code, text in REFUSED:
            done = run([fatfly, "run", *options.format(folder).split()])
            good = done.returncode == code and text in done.stderr and done.stderr.count("\n") == 1 and not list(folder.iterdir())
            checks.check(f"refused: waves: {options.format('.')}", "" if good else f"exit code {done.returncode}: {done.stderr}")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
