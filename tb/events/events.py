#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""events.py - the log of every move of a run, for every topology and discipline, held against the run and
against itself, and logs with planted mistakes, each of which must be found.

usage: events.py [TEXT] [FATFLY]    TEXT: only checks with it in their names; FATFLY: default $BUILD/fatfly
The runs are the lines of tb/events/runs.txt.  Of each: the results with a log are those without one, `fatfly
events` finds nothing wrong, a reader written here anew finds the run's counts and mean latency, and asked.py finds what was asked for.
Ends with `N passed, N failed`; exit codes: 0 all passed, 1 not all, 4 no program.
"""
from __future__ import annotations

import collections
import csv
import gzip
import io
import json
import math
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from typing import Callable

import asked

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = ROOT / "tb" / "events" / "runs.txt"
TIMES = {"cpu_s", "wall_s"}
Lines = list[str]


def run(words: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", "not done after 60 s")


def tried(check: Callable[..., str], *arguments: object) -> str:
    """What a check found; where it cannot read what it is given, that."""
    try:
        return check(*arguments)
    except (OSError, EOFError, ValueError, LookupError, zlib.error) as error:
        return f"cannot be read: {type(error).__name__}: {error}"


def results(text: str) -> dict[str, object]:
    return {name: value for name, value in json.loads(text).items() if name not in TIMES}


def totals(line: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in line.split()[2:])


def read_anew(log: pathlib.Path, said: dict[str, object]) -> str:
    """What of the run's results does not follow from the rows; empty: nothing."""
    with (gzip.open if log.suffix == ".gz" else open)(log, "rt", encoding="ascii") as file:  # type: ignore[operator]
        lines = file.read().splitlines()
    end = totals(lines[-1])
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines if not line.startswith("#")))))
    made = {row["worm"]: int(row["cycle"]) for row in rows if row["event"] == "ready"}
    begin = int(end["measure_from"])
    window = range(begin, begin + int(end["measure_cycles"]))
    latencies = [int(row["cycle"]) - made[row["worm"]] + 1 for row in rows
                 if row["event"] == "arrived" and made[row["worm"]] in window]
    moves = sum(int(row["flits"]) for row in rows if row["event"] == "move")
    if moves != said["flit_hops"]:
        return f"{moves} flits over links in the rows, {said['flit_hops']} in the result"
    if len(latencies) != said["measured"]:
        return f"{len(latencies)} worms measured in the rows, {said['measured']} in the result"
    if why := inputs_beyond(rows, said):
        return why
    if said["latency_mean"] is None or not latencies:
        return ""
    latencies.sort()
    ranks = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p999": 0.999}
    want = {"latency_mean": sum(latencies) / len(latencies), "latency_max": latencies[-1],
            **{f"latency_{name}": rounded(latencies[math.ceil(len(latencies) * share - 1e-9) - 1]) for name, share in ranks.items()}}
    entries = [(row["link"], row["worm"], int(row["cycle"]), row["place"]) for row in rows
               if row["event"] == "move" and row["kind"] in ("head", "single", "packet")]
    if said["discipline"] in ("worm", "phased", "store", "split"):  # the others send copies of worms
        waits = [cycle - made[worm] for _, worm, cycle, place in entries if place in ("first", "only") and made[worm] in window]
        want["source_wait_mean"] = sum(waits) / len(waits)
        # Packets of SPLIT are flits, and moves that the end of a run cuts short have no row.
        if said["discipline"] != "split" and sum(row["event"] == "arrived" for row in rows) == len(made):
            want["congestion_mean"] = max(collections.Counter(link for link, *_ in entries).values())
    if not said["load"] and end["end"] == "done":
        arrived = [(int(row["cycle"]), int(row["flits"])) for row in rows if row["event"] == "arrived"]
        want["accepted_load"] = sum(flits for _, flits in arrived) / (max(arrived)[0] + 1) / int(str(said["nodes"]))
    for name, value in want.items():
        got = said[name]
        if not isinstance(got, (int, float)) or abs(value - got) > 1e-6 * value:
            return f"{name} {value} of the rows, {got} of the result"
    return ""


def inputs_beyond(rows: list[dict[str, str]], said: dict[str, object]) -> str:
    """A cycle in which the queues behind a link, or the sources of a node, sent more than --input-bandwidth; empty: none."""
    most = said["input_bandwidth"]
    behind: dict[tuple[str, int], str] = {}  # the link that each flit of a worm has crossed last
    sent: collections.Counter[tuple[str, str]] = collections.Counter()
    for row in rows if most else ():
        if row["event"] != "move":
            continue
        flits = range(int(row["flit"]), int(row["flit"]) + int(row["flits"]))
        for flit in flits:
            sent[behind.get((row["worm"], flit), f"sources of node {row['from']}"), row["cycle"]] += 1
            behind[row["worm"], flit] = f"link {row['link']}"
    where, count = max(sent.items(), key=lambda item: item[1], default=(("", ""), 0))
    return f"{where[0]} sends {count} flits in cycle {where[1]}, input_bandwidth is {most}" if isinstance(most, int) and count > most > 0 else ""


def rounded(latency: int) -> int:
    """As quantiles are: from 128 on down to the next of 64 steps to twice a power of two."""
    step = max(1, 1 << max(0, latency.bit_length() - 7))
    return latency // step * step


def check_run(fatfly: str, options: list[str], log: pathlib.Path) -> str:
    command = [fatfly, "run", *options, "--runs", "1", "--format", "json"]
    plain, logged = run(command), run([*command, "--events", str(log)])
    if plain.returncode not in (0, 1) or (plain.returncode == 1) != ("deadlock" in plain.stderr):
        return f"exit code {plain.returncode}: {plain.stderr}"
    if plain.returncode != logged.returncode or results(plain.stdout) != results(logged.stdout):
        return "the results with a log are not those without one"
    found = run([fatfly, "events", str(log)])
    if found.returncode:
        return found.stdout + found.stderr
    return read_anew(log, results(logged.stdout)) or asked.asked_wrong(options, log, json.loads(logged.stdout or "{}"))


# -- logs with planted mistakes ------------------------------------------------------------------------

COLUMNS = "event,cycle,cycles,worm,kind,flit,flits,link,channel,from,to,place,waited,src,dst,latency".split(",")


def rows_where(lines: Lines, **wanted: str) -> list[int]:
    """Rows that have these values, from the middle of the log on."""
    def fits(line: str) -> bool:
        row = dict(zip(COLUMNS, line.split(",")))
        return not line.startswith("#") and all(row.get(name) in value.split("|") for name, value in wanted.items())
    found = [k for k, line in enumerate(lines) if fits(line)]
    return found[len(found) // 2:] + found[:len(found) // 2]


def change(lines: Lines, k: int, **fields: Callable[[int], int] | str) -> Lines:
    row = lines[k].split(",")
    for name, to in fields.items():
        at = COLUMNS.index(name)
        row[at] = to if isinstance(to, str) else str(to(int(row[at])))
    return [*lines[:k], ",".join(row), *lines[k + 1:]]


def total(name: str) -> Callable[[Lines], Lines]:
    def plant(lines: Lines) -> Lines:
        was = totals(lines[-1])[name]
        return [*lines[:-1], lines[-1].replace(f" {name}={was} ", f" {name}={int(was) + 1} ")]
    return plant


def late(lines: Lines) -> Lines:
    k = rows_where(lines, event="move", place="last|only", kind="tail|packet|single")[0]
    return change(lines, k, cycle=lambda x: x + 1)


def without_worm(lines: Lines) -> Lines:
    worm = lines[rows_where(lines, event="arrived")[0]].split(",")[3]
    return [line for line in lines if line.startswith("#") or line.split(",")[3] != worm]


def two_in_one(lines: Lines) -> Lines:
    """A worm takes the link of another in its cycle."""
    k = rows_where(lines, event="move", place="inner")[0]
    cycle = lines[k].split(",")[1]
    other = next(j for j in rows_where(lines, event="move", cycle=cycle) if j != k)
    link = dict(zip(COLUMNS, lines[other].split(",")))
    return change(lines, k, **{name: link[name] for name in ("link", "channel", "from", "to")})


def shuffled(lines: Lines) -> Lines:
    """Two rows of one link in the wrong order."""
    k = rows_where(lines, event="move", kind="head|packet|single")[0]
    link = lines[k].split(",")[7]
    j = next(j for j in range(k + 1, len(lines)) if lines[j].startswith("move,") and lines[j].split(",")[7] == link)
    lines = list(lines)
    lines[k], lines[j] = lines[j], lines[k]
    return lines


def moved(**fields: Callable[[int], int] | str) -> Callable[[Lines], Lines]:
    return lambda lines: change(lines, rows_where(lines, event="move")[0], **fields)


PLANTED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "a move is missing": (lambda x: [line for k, line in enumerate(x) if k != rows_where(x, event="move")[0]], "wrong  "),
    "a move is there twice": (lambda x: (k := rows_where(x, event="move")[0], [*x[:k], x[k], *x[k:]])[1], "wrong  "),
    "a move is another worm's": (lambda x: (k := rows_where(x, event="move")[0],
                                            change(x, k, worm=lambda n: n - 1 if n > 1 else n + 1))[1], "wrong  "),
    "a last move is late": (late, "its last flit in"),
    "a move is before the worm was made": (lambda x: change(x, rows_where(x, event="ready")[0],
                                                            cycle=lambda n: n + 1000000), "not there"),
    "a worm takes another's link": (two_in_one, "wrong  "),
    "two rows of a link in the wrong order": (shuffled, "wrong  "),
    "a link leaves another node": (moved(**{"from": lambda n: n + 1}), "no such link"),
    "a link that is not there": (moved(link="4000000"), "no such link"),
    "a channel that is not there": (moved(channel="200"), "no such link"),
    "another flit": (moved(flit=lambda n: n + 1), "wrong  "),
    "a first move that is none": (lambda x: change(x, rows_where(x, event="move", place="first|only")[0],
                                                   place="inner"), "not there"),
    "a worm that waited longer than it was there": (moved(waited=lambda n: n + 100000), "waited"),
    "a worm that goes to another processor": (
        lambda x: change(x, rows_where(x, event="ready")[0], dst=lambda n: n ^ 1), "wrong  "),
    "a worm of another length": (lambda x: change(x, rows_where(x, event="ready")[0], flits=lambda n: n + 1), "wrong  "),
    "a worm that never arrives": (lambda x: [line for k, line in enumerate(x)
                                             if k != rows_where(x, event="arrived")[0]], "worms that arrived"),
    "a worm that arrives too late": (lambda x: change(x, rows_where(x, event="arrived")[0], cycle=lambda n: n + 1,
                                                      latency=lambda n: n + 1), "its last flit in"),
    "a latency that is none": (lambda x: change(x, rows_where(x, event="arrived")[0], latency=lambda n: n - 1),
                               "a latency of"),
    "a worm is missing": (without_worm, "worms that arrived"),
    "flits that are lost": (lambda x: (k := rows_where(x, event="move")[0], [*x[:k], ",".join(
        ["lost", *x[k].split(",")[1:2], "", x[k].split(",")[3], "", "0", "", *x[k].split(",")[7:8], "",
         *x[k].split(",")[9:11], "", "", "", "", ""]), *x[k:]])[1], "is lost"),
    **{f"the run says another number: {name}": (total(name), "says the run") for name in (
        "flit_hops", "worms", "flits", "measured", "latency_sum", "latency_max", "source_wait", "dilation", "congestion")},
}
# What worms on the channels of a torus show besides.
CHANNEL = {
    "another channel": (moved(channel=lambda n: n ^ 1), "wrong  "),
    "a link that carries one at a time": (lambda x: [line.replace(" at_once=2", " at_once=1") for line in x], "at once"),
    "queues that are smaller": (lambda x: [line.replace(" depth=2 ", " depth=1 ") for line in x], "it holds 1"),
    "links that take longer": (lambda x: [line.replace(" link_cycles=2 ", " link_cycles=3 ") if line.startswith("#") else
                                          ",".join([*line.split(",")[:2], "3", *line.split(",")[3:]])
                                          if line.startswith("move") else line for line in x],
                               "carries two flits"),
    "links that are longer": (lambda x: [line.replace(" hop_cycles=0 ", " hop_cycles=1 ") for line in x], "it is not there"),
    "a worm that is made again": (lambda x: (k := rows_where(x, event="ready")[0], [*x[:k], x[k], *x[k:]])[1], "made again"),
    "a worm that arrives again": (lambda x: (k := rows_where(x, event="arrived")[0], [*x[:k], x[k], *x[k:]])[1],
                                  "arrives, but is not under way"),
    "a move of a worm that was not made": (moved(worm="4000000"), "moves, but is not under way"),
    "a head that is none": (lambda x: change(x, rows_where(x, event="move", kind="body")[0], kind="head"), "is no such flit"),
    "a move of no flits": (moved(flits="0"), "moves, but is not under way"),
    "a processor that is not there": (lambda x: change(x, rows_where(x, event="ready")[0], src="16"), "of 16"),
    "an inner move that is the last": (lambda x: change(x, rows_where(x, event="move", place="inner|first")[0], place="last"),
                                       "arrives in node"),
}
# Worm 2 takes a channel behind which a flit of worm 1 still waits.
BEHIND = """# fatfly events 1
# network topology=mesh discipline=worm engine=channel processors=3 nodes=3 links=2 channels=1 depth=2 link_cycles=1 hop_cycles=0 at_once=1 seed=1
# link 0 0 1
# link 1 1 2
# processor 0 0 0
# processor 1 1 1
# processor 2 2 2
""" + ",".join(COLUMNS) + """
ready,0,,1,,,1,,,,,,,0,2,
ready,0,,2,,,1,,,,,,,0,2,
move,0,1,1,single,0,1,0,0,0,1,first,0,,,
move,1,1,2,single,0,1,0,0,0,1,first,0,,,
move,2,1,1,single,0,1,1,0,1,2,last,0,,,
arrived,2,,1,,,1,,,,,,,0,2,3
move,3,1,2,single,0,1,1,0,1,2,last,0,,,
arrived,3,,2,,,1,,,,,,,0,2,4
# run end=done cycles=4 flit_hops=4 worms=2 flits=2 measure_from=0 measure_cycles=4 measured=2 latency_sum=7 latency_max=4 \
source_wait=1 congestion=2 dilation=2 digest=0
""".replace(" \\\n", " ")
# The same where a channel is free when the tail was sent, and what is wrong there, too.
REUSE = BEHIND.replace(" at_once=1 ", " at_once=1 release=tail-sent ")
MISTAKES_OF_REUSE = {
    "the second leaves the queue first": (
        REUSE.replace("move,2,1,1,", "move,2,1,x,").replace("move,3,1,2,", "move,3,1,1,").replace("move,2,1,x,", "move,2,1,2,")
        .replace("arrived,2,,1,,,1,,,,,,,0,2,3", "arrived,2,,2,,,1,,,,,,,0,2,3")
        .replace("arrived,3,,2,,,1,,,,,,,0,2,4", "arrived,3,,1,,,1,,,,,,,0,2,4"), "before those that came first"),
    "a worm arrives past the one before it": (
        REUSE.replace("ready,0,,2,,,1,,,,,,,0,2,", "ready,0,,2,,,1,,,,,,,0,1,")
        .replace("move,1,1,2,single,0,1,0,0,0,1,first,0,,,", "move,1,1,2,single,0,1,0,0,0,1,only,0,,,\narrived,1,,2,,,1,,,,,,,0,1,2")
        .replace("move,3,1,2,single,0,1,1,0,1,2,last,0,,,\narrived,3,,2,,,1,,,,,,,0,2,4\n", "")
        .replace("cycles=4 flit_hops=4", "cycles=3 flit_hops=3").replace("measure_cycles=4", "measure_cycles=3")
        .replace("latency_sum=7 latency_max=4", "latency_sum=5 latency_max=3"), "arrives past the flits before it"),
}
# And files that are no logs, which are refused with exit code 3.
BROKEN: dict[str, Callable[[Lines], Lines]] = {
    "no log": lambda x: ["load,latency"],
    "empty": lambda x: [],
    "of another version": lambda x: ["# fatfly events 2", *x[1:]],
    "cut short": lambda x: x[:-1],
    "without rows": lambda x: x[:2],
    "a row more after its end": lambda x: [*x, x[-2]],
    "a column more": lambda x: [*x[:-2], x[-2] + ",1", x[-1]],
    "a column less": lambda x: [*x[:-2], x[-2].rsplit(",", 1)[0], x[-1]],
    "a negative number": lambda x: change(x, rows_where(x, event="move")[0], cycle="-1"),
    "no number": lambda x: change(x, rows_where(x, event="move")[0], cycle="1e3"),
    "a number that is too large": lambda x: change(x, rows_where(x, event="move")[0], cycle="18446744073709551616"),
    "no event": lambda x: change(x, rows_where(x, event="move")[0], event="moves"),
    "no network": lambda x: [x[0], *x[2:]],
    "a discipline that is none": lambda x: [x[0], x[1].replace("discipline=", "discipline=x"), *x[2:]],
    "more links than there can be": lambda x: [x[0], x[1].replace(" links=", " links=99999999"), *x[2:]],
}
SAMPLES = {
    "fat-tree, worm": ["--nodes", "16", "--length", "6", "--vcs", "2", "--rounds", "4"],
    "torus, worm": ["--topology", "torus", "--radix", "4", "--length", "6", "--rounds", "3"],
    "butterfly, cmsv1": ["--topology", "butterfly", "--nodes", "16", "--length", "6", "--discipline", "cmsv1", "--delay-range", "3"],
    "mesh, store": ["--topology", "mesh", "--radix", "4", "--length", "6", "--discipline", "store", "--rounds", "3"],
}


class Checks:
    def __init__(self, text: str) -> None:
        self.text, self.passed, self.failed = text, 0, 0

    def wanted(self, name: str) -> bool:
        return self.text in name

    def check(self, name: str, wrong: str) -> None:
        self.passed += not wrong
        self.failed += bool(wrong)
        print(f"FAIL {name}: {wrong}" if wrong else f"PASS {name}")


# -- the circle of a deadlock ----------------------------------------------------------------------------

DEADLOCKS = (
    "--topology torus --radix 4 --path minimal-adaptive --vcs 1 --length 32 --rounds 8",
    "--topology mesh --radix 4 --path minimal-adaptive --vcs 1 --rounds 8",
    "--topology graph:sim/paper/graphs/random-64.txt --rounds 8",
    "--topology torus --radix 4 --path minimal-adaptive --vcs 1 --length 3 --depth 4 --channel-release tail-sent --rounds 90",
    "--topology torus --radix 4 --path minimal-adaptive --vcs 1 --length 6 --depth 4 --channel-release tail-sent --rounds 90",
    "--topology torus --radix 5 --discipline store --depth 1 --path e-cube --length 4 --rounds 9",
    "--topology graph:sim/paper/graphs/random-64.txt --discipline store --depth 1 --rounds 8",
)
WORM = re.compile(r"  worm (\d+) from \d+ to \d+, its head behind link (\d+)->(\d+) channel (\d+), waits (for|in the queue of) "
                  r"(\d+)->(\d+) channel (\d+), (?:which|where) worm (\d+) (?:has|is first)")
PACKET = re.compile(r"  packet (\d+) from \d+ to \d+, first before link (\d+)->(\d+), waits for room before (\d+)->(\d+), "
                    r"where packet (\d+) is first")


def wrong_circle(text: str, log: pathlib.Path) -> str:
    """What of a circle that a run printed is not so by its log; empty: nothing."""
    moves: list[dict[str, str]] = []
    with log.open(encoding="ascii") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        moves = [row for row in rows if row["event"] == "move"]
    found = [m.groups() for m in WORM.finditer(text)]
    if found:
        has = {(m["from"], m["to"], m["channel"]): m["worm"] for m in moves}
        head = {m["worm"]: (m["from"], m["to"], m["channel"]) for m in moves if m["flit"] == "0"}
        queued = {m[0]: m[5:8] for m in found if m[4] != "for"}  # these have the channel, sent or not
        for worm, a, b, channel, how, c, d, other, holder in found:
            if head.get(worm) != (a, b, channel) or (how == "for" and b != c):
                return f"the head of worm {worm} is not behind {a}->{b} channel {channel}, before {c}->{d}"
            if how == "for" and has.get((c, d, other)) != holder and queued.get(holder) != (c, d, other):
                return f"worm {holder} does not have {c}->{d} channel {other}"
            if how != "for" and not any(m["worm"] == holder and (m["from"], m["to"], m["channel"]) == (c, d, other) for m in moves):
                return f"worm {holder} is not in the queue of {c}->{d} channel {other}"
        names = [(m[0], m[-1]) for m in found]
    else:
        packets = [m.groups() for m in PACKET.finditer(text)]
        place = {m["worm"]: m["to"] for m in moves}
        for (worm, a, b, c, d, holder), after in zip(packets, packets[1:] + packets[:1]):
            if place.get(worm, a) != a or b != c or after[1:3] != (c, d):
                return f"packet {worm} is not in {a}, before {c}->{d} where {holder} is"
        names = [(m[0], m[-1]) for m in packets]
    if len(names) < 2 or any(holder != after for (_, holder), (after, _) in zip(names, names[1:] + names[:1])):
        return f"no circle: {names}"
    return "" if f": {len(names)} " in text else "another number of worms"


def circles(checks: Checks, fatfly: str, folder: pathlib.Path) -> None:
    log = folder / "deadlock.csv"
    for options in DEADLOCKS:
        if not checks.wanted("deadlock " + options):
            continue
        log.unlink(missing_ok=True)
        out = run([fatfly, "run", *options.split(), "--force", "--runs", "1", "--events", str(log)])
        wrong = tried(wrong_circle, out.stdout, log) if out.returncode == 1 and log.exists() else \
            f"exit code {out.returncode}: {out.stderr.strip()}"
        checks.check("the circle of a deadlock " + options, wrong)
        if wrong:
            continue
        lines = out.stdout.splitlines()
        at = next((k for k, line in enumerate(lines) if WORM.match(line) or PACKET.match(line)), 0)
        plants = {"one is missing": lines[:at] + lines[at + 1:], "in another order": lines[:at] + [lines[at + 1], lines[at]] + lines[at + 2:],
                  "another node": [*lines[:at], re.sub(r"(\d+)->(\d+)", r"\2->\1", lines[at]), *lines[at + 1:]],
                  "another worm": [*lines[:at], re.sub(r"(worm|packet) (\d+)", r"\1 9\2", lines[at]), *lines[at + 1:]]}
        for name, planted in plants.items():
            checks.check(f"found: a circle where {name}", "" if tried(wrong_circle, "\n".join(planted), log) else "nothing")


# -- a worm that is watched ----------------------------------------------------------------------------------

WATCHED = (
    "--topology torus --radix 4 --length 6 --rounds 3",
    "--topology hypercube --nodes 16 --load 0.2 --cycles 300 --warmup 0",
    "--topology graph:sim/paper/graphs/random-64.txt --length 3 --discipline cmsv2",
    "--nodes 16 --length 6 --load 0.3 --cycles 300 --warmup 0",
    "--nodes 16 --length 6 --discipline split",
    "--nodes 16 --length 6 --discipline store --rounds 2",
)


def watched(checks: Checks, fatfly: str, folder: pathlib.Path) -> None:
    """--watch shows what the log has of the worm: a line for each row but those of bodies."""
    log = folder / "watched.csv"
    for options in WATCHED:
        if not checks.wanted("watch " + options):
            continue
        log.unlink(missing_ok=True)
        out = run([fatfly, "run", *options.split(), "--runs", "1", "--watch", "7", "--events", str(log)])
        if not log.exists():
            checks.check("watch " + options, f"no log: exit code {out.returncode}: {out.stderr.strip()}")
            continue
        shown = [line for line in out.stdout.splitlines() if line.startswith("cycle ")]
        rows = [row for row in log.read_text(encoding="ascii").splitlines() if not row.startswith("#")]
        there = [row for row in rows if row.split(",")[3] == "7" and row.split(",")[4] != "body"]
        cycles = [row.split(",")[1] for row in there]
        again = run([fatfly, "events", str(log), "--worm", "7"]).stdout.splitlines()
        none = run([fatfly, "events", str(log), "--worm", "999999"])
        checks.check("watch a worm that the log does not have, " + options, "" if none.returncode == 2 and not none.stdout and
                     none.stderr == f"fatfly events: --worm 999999: no row of {log} has that worm\n" else str(none))
        moves = [row.split(",") for row in rows if row.startswith("move,") and row.split(",")[3] == "7"]
        at_source, inside = (sum(int(row[12] or 0) for row in moves if row[5] == "0" and (row[11] in ("first", "only")) == first) for first in (True, False))
        said = f"worm 7: {sum(int(row[6]) for row in moves)} flits over links; its head waited {at_source} cycles at its source, {inside} inside"
        good = len(there) > 3 and said in out.stdout and [line.split()[1].rstrip(":") for line in shown] == cycles and \
            shown == [line for line in again if line.startswith("cycle ")]
        checks.check("watch " + options, "" if good else out.stdout + out.stderr)


def plants(checks: Checks, fatfly: str, folder: pathlib.Path) -> None:
    log, bad = folder / "good.csv", folder / "bad.csv"
    for sample, options in SAMPLES.items():
        log.unlink(missing_ok=True)
        out = run([fatfly, "run", *options, "--runs", "1", "--events", str(log)])
        if not log.exists():
            checks.check(f"a log to plant in: {sample}", f"exit code {out.returncode}: {out.stderr.strip()}")
            return
        lines = log.read_text(encoding="ascii").splitlines()
        if checks.wanted(f"{sample}: each number") and "cmsv" not in sample:
            fields(checks, fatfly, sample, lines, bad)
        cases = {**PLANTED, **(CHANNEL if "torus" in sample else {})}
        if "cmsv" in sample:  # links and cycles of copies that came too late count, too
            cases = {name: PLANTED[name] for name in PLANTED if name.startswith("the run says") and
                     name.split(": ")[1] not in ("source_wait", "dilation", "congestion")}
        for name, (plant, text) in cases.items():
            if not checks.wanted(f"{sample}: {name}") or (name == "another flit" and "store" in sample):
                continue
            wrong = plant(list(lines))
            bad.write_text("\n".join(wrong) + "\n", encoding="ascii")
            found = run([fatfly, "events", str(bad)])
            good = wrong != lines and found.returncode == 1 and text in found.stdout
            checks.check(f"found: {sample}: {name}", "" if good else f"exit code {found.returncode}: "
                         f"{'nothing was planted ' if wrong == lines else ''}{found.stdout}{found.stderr}")
    bad.write_text(BEHIND, encoding="ascii")
    found = run([fatfly, "events", str(bad)])
    one = found.returncode == 1 and found.stdout.count("wrong  ") == 1 and "behind which are 1 flits" in found.stdout
    checks.check("found: a channel that is taken too early", "" if one else found.stdout + found.stderr)
    reuse(checks, fatfly, bad)
    bad.write_text(BEHIND.replace("mesh", "fat-tree"), encoding="ascii")
    checks.check("a switch of the fat-tree may queue two worms", "" if run([fatfly, "events", str(bad)]).returncode == 0 else "found")
    for name, plant in BROKEN.items():
        if not checks.wanted(name):
            continue
        bad.write_text("".join(line + "\n" for line in plant(list(lines))), encoding="ascii")
        found = run([fatfly, "events", str(bad)])
        good = found.returncode == 3 and found.stderr.count("\n") == 1 and "allowed:" in found.stderr
        checks.check(f"refused: {name}", "" if good else f"exit code {found.returncode}: {found.stderr}")


def fields(checks: Checks, fatfly: str, sample: str, lines: Lines, bad: pathlib.Path) -> None:
    """Each number of each kind of row, in the first such row and the last, one more than it is, and in the first one the largest
    there is, too, and a wait that began before the run: all are found or refused but what may be so."""
    kinds: dict[tuple[str, ...], list[int]] = {}
    for k, line in enumerate(lines):
        row = line.split(",")
        if not line.startswith("#") and row != COLUMNS:
            kinds.setdefault((row[0], row[4], row[11]), []).append(k)
    missed, tries = [], 0
    for kind, rows in kinds.items():
        for k in sorted({rows[0], rows[-1]}):
            for name, value in zip(COLUMNS, lines[k].split(",")):
                if not value.isdigit() or (name == "cycle" and kind[0] != "arrived"):
                    continue  # a flit may move later
                more = int(lines[k].split(",")[1]) + 1 if name == "waited" else int(value) + 1
                for other in (more, *((1 << 32) - 1,) * (k == rows[0])):
                    bad.write_text("\n".join(change(lines, k, **{name: str(other)})) + "\n", encoding="ascii")
                    found = run([fatfly, "events", str(bad)])
                    tries += 1
                    if (found.returncode != 1 or "wrong  " not in found.stdout) and (found.returncode != 3 or "allowed: " not in found.stderr):
                        missed.append(f"{name} of {' '.join(kind)}, line {k + 1}, as {other}")
    checks.check(f"found: {sample}: each number of each kind of row, {tries} of them",
                 "; ".join(missed) or ("" if tries > 60 else "too few"))


def reuse(checks: Checks, fatfly: str, bad: pathlib.Path) -> None:
    bad.write_text(REUSE, encoding="ascii")
    found = run([fatfly, "events", str(bad)])
    checks.check("a channel may be taken once the tail was sent", "" if found.returncode == 0 else found.stdout + found.stderr)
    for name, (log, text) in MISTAKES_OF_REUSE.items():
        bad.write_text(log, encoding="ascii")
        found = run([fatfly, "events", str(bad)])
        checks.check(f"found: {name}", "" if found.returncode == 1 and text in found.stdout else found.stdout + found.stderr)


def cut_gzip(checks: Checks, fatfly: str, folder: pathlib.Path) -> None:
    """A compressed log that is not whole, or has a byte that is another."""
    log = folder / "whole.csv.gz"
    out = run([fatfly, "run", *SAMPLES["torus, worm"], "--runs", "1", "--events", str(log)])
    if not log.exists():
        checks.check("a compressed log", f"exit code {out.returncode}: {out.stderr.strip()}")
        return
    data = log.read_bytes()
    at = random.Random(1).randrange(len(data) // 4, len(data) // 2)
    twice = folder / "twice.csv.gz"
    whole = gzip.decompress(data)
    twice.write_bytes(gzip.compress(whole[:at]) + gzip.compress(whole[at:]))
    found = run([fatfly, "events", str(twice)])
    checks.check("compressed in two parts, one behind the other", "" if found.returncode == 0 else str(found))
    for name, wrong in {"cut": data[:-9], "bytes behind the end": data + b"\0" * 9, "a line behind the end": data + b"# run\n", "cut in the middle": data[:at],
                        "a byte is another": data[:at] + bytes([data[at] ^ 85]) + data[at + 1:]}.items():
        bad = folder / "bad.csv.gz"
        bad.write_bytes(wrong)
        found = run([fatfly, "events", str(bad)])
        checks.check(f"refused: compressed, {name}",
                     "" if found.returncode in (1, 3) and found.stderr.count("\n") == 1 else str(found))


def read_anew_finds(checks: Checks, fatfly: str, log: pathlib.Path) -> None:
    """What the reader here must say where the results are others than those of the rows."""
    command = [fatfly, "run", "--topology", "mesh", "--radix", "4", "--vcs", "2", "--bandwidth", "on-demand", "--input-bandwidth", "2",
               "--length", "3", "--rounds", "20", "--runs", "1", "--format", "json", "--events", str(log)]
    said = results(run(command).stdout or "{}")
    others: dict[str, object] = {"flit_hops": 1, "measured": 2, "latency_mean": 1.5, "latency_max": 7, "latency_p50": 9, "latency_p999": 5,
                                 "source_wait_mean": 0.5, "congestion_mean": 3, "accepted_load": 0.125, "input_bandwidth": 1}
    for name, other in others.items():
        found = tried(read_anew, log, {**said, name: other})
        want = r"sends 2 flits in cycle \d+, input_bandwidth is 1" if name == "input_bandwidth" else rf"\b{other} (in|of) the result"
        checks.check(f"found: another {name}", "" if re.search(want, found) else found or "nothing")
    checks.check("the results as they are", tried(read_anew, log, said) or tried(asked.asked_wrong, command[2:-6], log, said))
    levels = said.get("levels")
    rows = levels if isinstance(levels, list) else []
    for name in ("links", "utilisation", "wait_mean") if rows else ():
        down = {**rows[2], name: rows[2][name] * 1.001 + (name == "links")}
        bent: dict[str, object] = {**said, "levels": [*rows[:2], down, *rows[3:]]}
        found = tried(asked.asked_wrong, command[2:-6], log, bent)
        checks.check(f"found: another {name} of a level", "" if found.startswith(f"level (0, 'down'): {name} ") else found or "nothing")


# A run, and what else might have been asked for in its place: what is then wrong in its log.
OTHERWISE = {
    "--nodes 16 --length 4 --rounds 3": {
        "--nodes 16 --length 4 --rounds 2": "sources: processor 0 makes more than 2", "--nodes 16 --length 4 --rounds 4": "sources: processor 0 makes 3",
        "--nodes 16 --length 5 --rounds 3": "lengths: worms of 4 flits", "--nodes 16 --length 4 --rounds 3 --pattern shuffle": "where: worm 1 of processor 0 goes to"},
    "--nodes 64 --length 4 --rounds 9 --delay-range 6": {
        "--nodes 64 --length 4 --rounds 9 --delay-range 5": r"sources: worm \d+ is ready in cycle 120; delays are 0 to 4 times 24"},
    "--topology mesh --radix 4 --length 3 --discipline phased --router-latency 2 --rounds 3": {
        "--topology mesh --radix 4 --length 3 --discipline phased --router-latency 2 --phase-length 8 --rounds 3": r"sources: worm \d+ is ready in cycle \d+; there are \d+ phases of \d+",
        "--topology mesh --radix 4 --length 3 --discipline phased --router-latency 2 --rounds 3 --phases 9": "sources: worm .* there are 9 phases of"},
    "--topology mesh --radix 6 --length 2 --rounds 40 --pattern hotspot --hotspot 0.5 --hotspot-node 3": {
        "--topology mesh --radix 6 --length 2 --rounds 40 --pattern hotspot --hotspot 0.3 --hotspot-node 3": "where: .* go to the hot spot",
        "--topology mesh --radix 6 --length 2 --rounds 40 --pattern hotspot --hotspot 0.5 --hotspot-node 4": "where: .* go to the hot spot",
        "--topology mesh --radix 6 --length 2 --rounds 40": "where: .* random worms go to processor 3",
        "--topology torus --radix 6 --length 2 --rounds 40 --pattern hotspot --hotspot 0.5 --hotspot-node 3": "network: .* lacks: ..0, 5., .0, 30."},
    "--topology hypercube --nodes 16 --depth 4 --length 2 --load 0.002 --warmup 0 --cycles 60000 --force": {
        "--topology hypercube --nodes 16 --length 2 --load 0.003 --warmup 0 --cycles 60000 --force": "rates: .* worms of 2.00 flits in .* not about",
        "--topology hypercube --nodes 16 --depth 4 --length 2 --load 0.002 --warmup 0 --cycles 60000 --force --router-latency 1": "alone: worm .* is alone",
        "--topology hypercube --nodes 16 --depth 4 --length 2 --load 0.002 --warmup 0 --cycles 60000 --force --bandwidth on-demand --head-latency 1": "alone: worm"},
    "--nodes 16 --length 16 --load 0.2 --warmup 0 --cycles 20000 --lengths uniform": {
        "--nodes 16 --length 16 --load 0.2 --warmup 0 --cycles 20000 --lengths uniform --length-min 2": "lengths: worms of 1 flits",
        "--nodes 16 --length 17 --load 0.2 --warmup 0 --cycles 20000 --lengths uniform": "lengths: 0 of .* have 17 flits",
        "--nodes 16 --length 16 --load 0.2 --warmup 0 --cycles 20000 --lengths bimodal": "lengths: worms of 2 flits"},
    "--nodes 16 --load 0.2 --warmup 0 --cycles 4000 --classes 2 --class-length 2,5 --class-share 1,2 --reply 3,4 --outstanding 3": {
        "--nodes 16 --load 0.2 --warmup 0 --cycles 4000 --classes 2 --class-length 2,5 --class-share 1,2 --reply 4,3 --outstanding 3": "replies: a reply of 3",
        "--nodes 16 --load 0.2 --warmup 0 --cycles 4000 --classes 2 --class-length 2,5 --class-share 1,2 --reply 3,4 --reply-delay 1": "replies: a reply of",
        "--nodes 16 --load 0.2 --warmup 0 --cycles 4000 --classes 2 --class-length 2,5 --reply 3,4 --outstanding 2": "replies: .* has 3 unanswered"},
    "--nodes 16 --load 0.2 --warmup 0 --cycles 9000 --classes 2 --class-length 2,5 --class-share 1,2": {
        "--nodes 16 --load 0.2 --warmup 0 --cycles 9000 --classes 2 --class-length 2,5": "rates: .* worms of 2 flits"},
    "--topology torus --radix 4 --length 2 --rounds 9 --vcs 5": {
        "--topology torus --radix 4 --length 2 --rounds 9 --vcs 5 --path balanced-e-cube": "channels: .* even and odd numbers of hops take the same half",
        "--topology torus --radix 4 --length 2 --rounds 9 --vcs 5 --path positive-hop": "channels: .* the channel is not the number of hops$",
        "--topology torus --radix 4 --length 2 --rounds 9 --vcs 5 --path negative-hop": "channels: .* not the number of hops from odd nodes"},
    "--topology torus --radix 4 --length 2 --rounds 9 --vcs 5 --path balanced-e-cube": {
        "--topology torus --radix 4 --length 2 --rounds 9 --vcs 5": "channels: .* the wrong half of the channels in dimension"},
    "--topology torus --radix 4 --length 2 --rounds 9 --path negative-hop": {
        "--topology torus --radix 4 --length 2 --rounds 9": "channels: .* dimensions are out of order"},
    "--topology torus --radix 4 --dimensions 1 --length 2 --rounds 9 --path minimal-adaptive --force --vcs 1": {
        "--topology torus --radix 4 --dimensions 1 --length 2 --rounds 9 --vcs 1 --force": "channels: .* of two ways round the ring the wrong one"},
    "--topology mesh --radix 4 --vcs 3 --load 0.3 --length 6 --cycles 1000 --channel-release tail-sent": {
        "--topology mesh --radix 4 --vcs 3 --load 0.3 --length 6 --cycles 1000": "order: in node"},
    "--topology mesh --radix 4 --vcs 2 --load 0.3 --length 4 --cycles 1000 --classes 2 --class-channels reserved": {
        "--topology mesh --radix 4 --vcs 2 --load 0.3 --length 4 --cycles 1000 --classes 2": "order: in node .* a head waits from cycle .* is free in"},
    "--topology mesh --radix 4 --pattern packing --density 0.5 --length 2": {
        "--topology mesh --radix 4 --pattern spreading --density 0.5 --length 2": "where: spreading"},
    "--nodes 4 --length 2 --rounds 5 --pattern matrix --matrix tb/events/silent.txt": { # a row of zeros, which sends nothing
        "--nodes 4 --length 2 --rounds 5": "sources: processor 1 makes 0 worms, not 5"},
    "--nodes 16 --pattern trace --trace tb/events/gap.csv": {
        "--nodes 16 --pattern trace --trace tb/events/gap.csv --cycles-per-us 1001": r"trace: .*5005000000, 3, 9, 17.*5000000000, 3, 9",
        "--nodes 16 --pattern trace --trace tb/events/gap.csv --flit-bits 40": "trace: .*0, 5, 14.*0, 5, 17"},
}


def waited_less(options: str, log: pathlib.Path) -> str:
    """What is found in a log in which one head says that it has waited a cycle less."""
    rows = log.read_text(encoding="ascii").splitlines()
    k = next((k for k, row in enumerate(rows) if re.match(r"move,\d+,\d+,\d+,(head|packet),.*,(inner|last),[1-9]", row)), len(rows))
    rows[k] = re.sub(r",(\d+),,,$", lambda m: f",{int(m[1]) - 1},,,", rows[k])
    log.write_text("\n".join([*rows, ""]), encoding="ascii")
    return asked.asked_wrong(options.split(), log)


def other_runs(checks: Checks, fatfly: str, folder: pathlib.Path) -> None:
    """A log is that of what was asked for, and not that of something else; nor one in which a worm goes round."""
    for k, (options, others) in enumerate(OTHERWISE.items()):
        log = folder / f"asked{k}.csv"
        run([fatfly, "run", *options.split(), "--runs", "1", "--events", str(log)])
        checks.check(f"as asked: {options}", tried(asked.asked_wrong, options.split(), log))
        for other, want in others.items():
            found = tried(asked.asked_wrong, other.split(), log)
            checks.check(f"found: not {other}", "" if re.match(want, found) else found or "nothing")
    log = folder / "asked1.csv"
    log.write_text(AROUND, encoding="ascii")
    for asks, want in (("--topology mesh --radix 3 --dimensions 1 --length 1", "paths: worm 1 takes 3 links from node 0 to node 1, 1 are enough"),
                       ("--topology mesh --radix 3 --dimensions 1 --length 1 --discipline cmsv2", "")):
        found = tried(asked.asked_wrong, asks.split(), log)
        checks.check(f"a worm that goes round: {want or 'a copy may'}", "" if found == want else found or "nothing")
    for options in ("--nodes 16 --length 3 --vcs 2 --rounds 3", "--nodes 16 --discipline store --rounds 3", "--topology mesh --radix 4 --vcs 2 --rounds 9"):
        run([fatfly, "run", *options.split(), "--runs", "1", "--events", str(log)])
        found = tried(waited_less, options, log)
        checks.check(f"found: a head that says a cycle less: {options}", "" if found.startswith("waits: behind channel") else found or "nothing")


# A worm from 0 to 1 on a mesh of three nodes that goes back once.
AROUND = """# fatfly events 1
# network topology=mesh discipline=worm processors=3 channels=1 depth=2
# link 0 0 1
# link 1 1 2
# link 2 1 0
# link 3 2 1
event,cycle,cycles,worm,kind,flit,flits,link,channel,from,to,place,waited,src,dst,latency
ready,0,,1,,,1,,,,,,,0,1,
move,0,1,1,single,0,1,0,0,0,1,first,0,,,
move,1,1,1,single,0,1,1,0,1,2,inner,0,,,
move,2,1,1,single,0,1,3,0,2,1,last,0,,,
arrived,2,,1,,,1,,,,,,,0,1,3
# run end=done cycles=3
"""


def never_dies(checks: Checks) -> None:
    """Without a single log, from a program that says nothing, there are FAIL lines and the sums, no more."""
    for name in ("true", "false"):
        nothing = shutil.which(name)
        found = run([sys.executable, "-B", __file__, nothing]) if nothing else None
        good = found and found.returncode == 1 and not found.stderr and re.search(r"^FAIL the circle of a deadlock", found.stdout, re.M) and \
            re.fullmatch(r"\d+ passed, [1-9]\d* failed", found.stdout.splitlines()[-1])
        checks.check(f"a program that says nothing, {name}: FAIL lines alone", "" if good else str(found))


def main() -> int:
    words = sys.argv[1:]
    fatfly = next((w for w in words if "/" in w), os.environ.get("BUILD", "build") + "/fatfly")
    checks = Checks(next((w for w in words if "/" not in w), ""))
    if not os.access(ROOT / fatfly, os.X_OK):
        print(f"events.py: {fatfly}: no program; allowed: after make build/fatfly", file=sys.stderr)
        return 4
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for k, line in enumerate(RUNS.read_text(encoding="ascii").splitlines()):
            if line.startswith("#") or not checks.wanted(line):
                continue
            log = folder / ("log.csv.gz" if k % 4 else "log.csv")
            log.unlink(missing_ok=True)
            checks.check(line, tried(check_run, fatfly, shlex.split(line), log))
        plants(checks, fatfly, folder)
        circles(checks, fatfly, folder)
        watched(checks, fatfly, folder)
        if checks.wanted("found: another"):
            read_anew_finds(checks, fatfly, folder / "anew.csv")
        if checks.wanted("as asked"):
            other_runs(checks, fatfly, folder)
        if checks.wanted("compressed"):
            cut_gzip(checks, fatfly, folder)
    if checks.wanted("a program that says nothing") and pathlib.Path(fatfly).name == "fatfly":
        never_dies(checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
