#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ladder.py - runs in which one numeric option has one size after the other, mostly those beside powers of two: what is wrong at some
sizes alone is often seen neither at the usual ones nor at the largest.

usage: ladder.py [TEXT] [FATFLY]    TEXT: only rows with it in their names; FATFLY: default $BUILD/fatfly
A row is a network, an option and its sizes.  Of each size: the results are those of the run with a log, on a fat-tree with the other
engine, too; `fatfly events` finds nothing wrong; events.py and asked.py read the log anew; what --links, --histogram and --waves write
is what the log says.  Each numeric option of `fatfly run --help` has a row, or stands in ELSEWHERE.
Ends with `N passed, N failed`; exit codes: 0 all passed, 1 not all, 4 no program.
"""
from __future__ import annotations

import collections
import csv
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from typing import NamedTuple

import asked
import events
import waves

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sizes(first: int, last: int) -> list[int]:
    """The first and the last, and each power of two between them, one less and one more."""
    near = {(1 << k) + more for k in range(1, last.bit_length() + 1) for more in (-1, 0, 1)}
    return sorted({first, last} | {n for n in near if first <= n <= last})


class Row(NamedTuple):
    network: str
    option: str
    sizes: Iterable[int | str]
    waves: bool = False  # are written and compared, too
    alike: bool = False  # all sizes give the same digest


TREE = "--nodes 16 --length 5 --rounds 3"
OPEN = "--nodes 16 --length 5 --load 0.4 --warmup 64 --cycles 256"
TORUS = "--topology torus --radix 4 --length 5 --rounds 3"
RING = "--topology torus --dimensions 1 --radix 5 --length 3 --rounds 9"
SHARED = "--topology mesh --radix 4 --length 3 --rounds 2 --bandwidth on-demand"
SENT = SHARED + " --channel-release tail-sent"
STORE = " --discipline store"
POWERS = [1 << k for k in range(1, 9)]

ROWS = [
    # How many nodes.
    Row("--length 5", "nodes", [4, 16, 64, 256, 1024]),
    Row("--length 5 --vcs 4", "nodes", [4, 16, 64, 256, 1024]),
    Row("--length 5 --topology torus --dimensions 1", "radix", [*range(2, 18), 31, 32, 33, 63, 64], True),
    Row("--length 5 --topology torus --dimensions 2", "radix", [*range(2, 10), 15, 16, 17]),
    Row("--length 5 --topology torus --path negative-hop", "radix", [2, 4, 8, 16]),
    Row("--length 5 --topology mesh --dimensions 1", "radix", [*range(2, 18), 31, 32, 33, 63, 64]),
    Row("--length 5 --topology mesh --dimensions 2" + STORE, "radix", [*range(2, 10), 15, 16, 17]),
    Row("--length 5 --topology torus --radix 3", "dimensions", [1, 2, 3, 4], True),
    Row("--length 5 --topology mesh --radix 5 --processor-links", "dimensions", [1, 2, 3, 4]),
    Row("--length 5 --topology hypercube", "nodes", [*POWERS, 512], True),
    Row("--length 5 --topology hypercube" + STORE, "nodes", POWERS),
    Row("--length 5 --topology butterfly", "nodes", POWERS[:-2], True),
    Row("--length 5 --topology reverse-butterfly" + STORE, "nodes", POWERS[:-2]),
    Row("--length 5 --topology wrapped-butterfly", "nodes", POWERS[1:-2]),
    # Links of a node and channels of a link of a graph; the files are below.
    Row("--length 3 --rounds 3", "topology star", range(2, 17), True),
    Row("--length 3 --rounds 3 --bandwidth on-demand --input-bandwidth 1 --vcs 2", "topology stars", range(2, 17)),
    Row("--length 3 --rounds 3" + STORE, "topology star", range(2, 17)),
    Row("--length 3 --rounds 3", "topology funnel", sizes(17, 130)),
    Row("--length 3 --rounds 3" + STORE, "topology funnel", sizes(17, 130)),
    Row("--length 3 --rounds 3", "topology lanes", [*range(1, 18), *sizes(31, 129)]),
    # Virtual channels.
    Row(TREE, "vcs", [1, 2, 4]),
    Row(OPEN, "vcs", [1, 2, 4], True),
    Row(RING, "vcs", [*range(2, 18), *sizes(31, 129)]),
    Row(RING + " --bandwidth on-demand", "vcs", [*range(2, 18), *sizes(31, 129)]),
    Row("--topology mesh --dimensions 1 --radix 4 --length 2 --rounds 140 --pattern neighbour --channels-in-turn", "vcs", [*range(1, 18), *sizes(31, 129)]),
    Row("--topology mesh --dimensions 1 --radix 3 --length 2 --rounds 65 --pattern neighbour --channels-in-turn", "vcs", sizes(1, 64), True),
    Row("--topology mesh --radix 3 --length 2 --rounds 150 --channels-in-turn --bandwidth on-demand "
        "--input-bandwidth 1 --depth 3 --channel-release tail-sent --injection per-channel", "vcs", [*range(1, 18), *sizes(31, 129)]),
    Row(SHARED + " --injection per-channel", "vcs", [*range(1, 18), *sizes(31, 64)], True),
    # Queues.
    *(Row(f"--nodes 16 --length 20 --vcs {vcs} --pattern many-to-1", "depth", range(1, 17)) for vcs in (1, 2, 4)),
    Row("--topology torus --radix 4 --length 20 --pattern many-to-1", "depth", [*range(1, 17), "unbounded"], True),
    Row("--topology mesh --radix 4 --length 20 --pattern many-to-1 --bandwidth on-demand --vcs 3", "depth", [*range(1, 17), "unbounded"]),
    Row("--topology mesh --radix 4 --length 3 --rounds 9 --pattern many-to-1 --bandwidth on-demand --channel-release tail-sent --vcs 2",
        "depth", [*range(2, 17), "unbounded"], True),
    Row(TREE + STORE, "depth", range(1, 17)),
    Row(OPEN + STORE, "depth", range(1, 17)),
    Row("--topology mesh --radix 4 --length 5 --rounds 9" + STORE, "depth", [*range(1, 17), "unbounded"]),
    Row("--nodes 16 --length 3 --rounds 3 --discipline univ", "depth", range(1, 17)),
    # Flits and cycles of links and routers.
    Row(RING + " --vcs 64", "link-bandwidth", [*range(1, 18), *sizes(31, 64)]),
    Row(SHARED + " --vcs 64", "link-bandwidth", [*range(1, 18), *sizes(31, 64)]),
    Row("--topology mesh --radix 4 --length 40 --rounds 3" + STORE, "link-bandwidth", [*range(1, 18), *sizes(31, 64)]),
    Row("--nodes 16 --length 40 --discipline cmsv2", "link-bandwidth", [*range(1, 18), *sizes(31, 64)]),
    Row("--topology mesh --radix 4 --length 3 --vcs 64 --bandwidth on-demand --link-bandwidth 64", "input-bandwidth",
        [*range(0, 18), *sizes(31, 64)]),
    Row(TORUS, "link-latency", [*range(1, 18), *sizes(31, 64)], True),
    Row(SHARED + " --vcs 2 --depth 5", "link-latency", [*range(1, 18), *sizes(31, 64)]),
    Row(TORUS, "router-latency", [*range(0, 18), *sizes(31, 64)]),
    Row(SENT + " --vcs 2 --depth 5", "router-latency", [*range(0, 18), *sizes(31, 64)]),
    Row(SHARED + " --vcs 2", "head-latency", [*range(0, 18), *sizes(31, 64)], True),
    # Worms.
    Row("--nodes 16", "length", [*sizes(1, 257)]),
    Row("--nodes 16 --vcs 2 --rounds 2", "length", [*sizes(1, 257)]),
    Row("--nodes 4 --vcs 4", "length", sizes(511, 4096)),
    Row("--nodes 4", "length", sizes(511, 4096)),
    Row("--topology torus --radix 3", "length", sizes(1, 257)),
    Row("--topology mesh --radix 3 --vcs 2 --bandwidth on-demand", "length", sizes(1, 257)),
    Row("--topology mesh --radix 3 --dimensions 1", "length", sizes(511, 4096)),
    Row("--topology mesh --radix 3 --dimensions 1 --depth unbounded --rounds 2 --pattern many-to-1", "length", sizes(1, 4096)),
    Row("--nodes 16" + STORE, "length", sizes(1, 4096)),
    Row("--nodes 16 --discipline split", "length", sizes(1, 257)),
    Row("--nodes 4 --discipline split --length 64", "overhead", ["0.5", *sizes(1, 100)]),
    Row("--nodes 16 --discipline phased", "length", sizes(1, 257)),
    Row("--nodes 16 --load 0.3 --warmup 0 --cycles 900 --lengths uniform --length 64", "length-min", sizes(1, 64)),
    Row("--topology mesh --radix 4 --load 0.3 --warmup 0 --cycles 900 --lengths bimodal --length 64", "length-min", sizes(1, 64)),
    Row("--nodes 4 --length 2", "rounds", sizes(1, 1025)),
    Row("--topology mesh --radix 2 --length 2", "rounds", sizes(1, 1025)),
    Row("--nodes 16 --length 2 --rounds 3", "delay-range", sizes(1, 1 << 17)),
    Row("--topology torus --radix 4 --length 2 --rounds 3", "delay-range", sizes(1, 1 << 17)),
    Row("--nodes 16 --length 2 --discipline phased --rounds 2", "phases", sizes(1, 1 << 17)),
    Row("--nodes 16 --length 2 --discipline phased --rounds 2", "phase-length", sizes(1, 1 << 17)),
    Row("--nodes 16 --pattern trace --trace tb/events/gap.csv", "flit-bits", range(16, 65)),
    Row("--nodes 16 --pattern trace --trace tb/events/gap.csv", "max-bytes", sizes(1, 64)),
    Row("--nodes 16 --pattern trace --trace tb/events/gap.csv", "max-messages", range(1, 5)),
    Row("--nodes 16 --pattern hotspot --length 2 --rounds 9", "hotspot-node", range(16)),
    # Classes and replies.
    Row("--nodes 16 --length 3 --load 0.2 --warmup 0 --cycles 900", "classes", range(1, 5)),
    Row("--topology mesh --radix 4 --length 3 --load 0.2 --warmup 0 --cycles 900", "classes", range(1, 5)),
    Row("--topology mesh --radix 4 --vcs 2 --load 0.2 --warmup 0 --cycles 900 --length 2 --reply 3", "reply-delay", sizes(0, 1 << 12)),
    Row("--nodes 16 --load 0.2 --warmup 0 --cycles 900 --length 2 --reply 3", "reply-delay", sizes(0, 1 << 12)),
    Row("--nodes 16 --load 0.9 --warmup 0 --cycles 600 --length 2 --reply 3 --reply-delay 50 --whole", "outstanding", sizes(1, 33)),
    *(Row(f"--topology mesh --radix 4 --vcs 2 --load 0.6 --warmup 0 --cycles 500 --length 3 --whole --classes 2 --bandwidth {how}",
          "class-priority of both", sizes(1, 1000), alike=True) for how in ("fixed-share", "on-demand")),
    # Open loops.
    Row("--nodes 16 --length 5 --load 0.2 --warmup 0", "cycles", sizes(64, 1025)),
    Row("--nodes 16 --length 5 --load 0.2 --cycles 64", "warmup", sizes(0, 1025)),
    Row("--topology mesh --radix 4 --length 5 --load 0.1 --cycles 64", "warmup", sizes(0, 257), True),
    Row("--nodes 16 --length 2 --load 0.03 --warmup 0 --cycles 2000 --arrivals on-off", "burst-on", sizes(3, 513)),
    Row("--nodes 16 --length 2 --load 0.1 --warmup 0 --cycles 900 --arrivals on-off", "burst-off", sizes(1, 513)),
    Row("--nodes 64 --length 9 --rounds 9", "max-cycles", sizes(1, 257)),
    Row("--topology torus --radix 4 --length 9 --rounds 9", "max-cycles", sizes(1, 257)),
    # Rows of files.
    Row("--topology mesh --radix 4 --pattern trace", "trace of messages", sizes(1, 1025)),
    Row("--topology torus --dimensions 1 --length 2 --pattern permutation", "permutation of nodes", [*range(2, 18), 31, 32, 33, 63, 64]),
    Row("--topology torus --dimensions 1 --length 2 --pattern matrix", "matrix of nodes", [*range(2, 18), 31, 32, 33, 63, 64]),
    # What shares the work; the results are those of one thread.
    Row("--nodes 256 --length 5 --rounds 2", "parts", [1, 2, 4, 8, 16, 32, 64]),
    Row("--nodes 16 --length 5 --runs 40", "threads", sizes(1, 256)),
]
# Options whose sizes other tests take, or that have no sizes of whole numbers.
ELSEWHERE = {
    "hotspot": "a share", "density": "a share", "short-share": "a share", "load": "a share", "precision": "a share",
    "cycles-per-us": "a share", "length-mean": "test_traffic.c", "length-mix": "test_traffic.c", "class-length": "a list, test_classes.c",
    "class-share": "a list, test_classes.c", "reply": "a list, test_classes.c",
    "plugin-seconds": "test_run.sh", "runs": "test_point.c", "seed": "test_run.sh", "watch": "events.py",
    "from": "waves.py", "to": "waves.py",
}


def graph(kind: str, n: int) -> str:
    """star: a hub between n nodes; stars: with two channels.  funnel: n nodes that lead to a hub, which leads back to them over 16 others.
    lanes: links of n, n - 1, .. channels in a row."""
    if kind.startswith("star"):
        vcs = 1 + kind.endswith("s")
        return f"nodes {n + 1}\n" + "".join(f"processor {k}\nlink {k} 0 {vcs}\nlink 0 {k} {vcs}\n" for k in range(1, n + 1))
    if kind == "funnel":
        return f"nodes {n + 17}\n" + "".join(f"link {n} {n + k}\n" for k in range(1, 17)) + \
            "".join(f"processor {k}\nlink {k} {n}\nlink {n + 1 + k % 16} {k}\n" for k in range(n))
    return "nodes 4\n" + "".join(f"link {k} {k + 1} {max(1, n - k)}\nlink {k + 1} {k} {1 + k}\n" for k in range(3))


def messages(n: int) -> str:
    """A trace among 16 processors."""
    return "t_ns,src,dst,bytes\n" + "".join(f"{40 * k},{k % 16},{(k + 1 + k // 16 % 15) % 16},{1 + k % 90}\n" for k in range(n))


def options(row: Row, size: int | str, folder: pathlib.Path) -> list[str]:
    """Those of a run of that size; a file that it reads is written."""
    option, _, kind = row.option.partition(" ")
    words = [*row.network.split(), f"--{option}"]
    if not kind:
        return [*words, str(size)]
    n, file = int(size), folder / "input.txt"
    if option == "class-priority":
        return [*words, f"{n - 1},{n}"]
    if option == "topology":
        file.write_text(graph(kind, n), encoding="ascii")
        return [*words, f"graph:{file}"]
    if option == "trace":
        file.write_text(messages(n), encoding="ascii")
        return [*words, str(file)]
    to = [(5 * a + 1) % n if n % 5 else (a + 3) % n for a in range(n)]
    lines = [str(b) for b in to] if option == "permutation" else [" ".join(str(int(to[a] == b)) for b in range(n)) for a in range(n)]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return [*words, str(file), "--radix", str(n)]


def of_links(file: pathlib.Path, log: asked.Log) -> str:
    """Which link was crossed by another number of worms than the log says; empty: none."""
    crossed = collections.Counter(link for hops in log.hops.values() for link in hops)
    with file.open(encoding="ascii") as lines:
        rows = list(csv.DictReader(lines))
    if len(rows) != len(log.links):
        return f"--links: {len(rows)} links, {len(log.links)} in the log"
    for row in rows:
        if crossed[int(row["link"])] != int(row["worms"]):
            return f"--links: {row['worms']} worms over link {row['link']}, {crossed[int(row['link'])]} in the log"
        if log.network["topology"] != "fat-tree" and {int(row["lower"]), int(row["upper"])} != set(log.links[int(row["link"])]):
            return f"--links: link {row['link']} joins {row['lower']} and {row['upper']}, {log.links[int(row['link'])]} in the log"
    return ""


def of_histogram(file: pathlib.Path, log: asked.Log) -> str:
    """Which latency other worms had than the log says; empty: none."""
    begin = int(log.end["measure_from"])
    window = range(begin, begin + int(log.end["measure_cycles"]))
    had = collections.Counter(events.rounded(log.arrived[w.number] - w.ready + 1)
                              for w in log.worms if w.number in log.arrived and w.ready in window)
    with file.open(encoding="ascii") as lines:
        said = {int(row["latency"]): int(row["count"]) for row in csv.DictReader(lines)}
    wrong = [k for k in {*had, *said} if had[k] != said.get(k, 0)]
    return f"--histogram: {said.get(min(wrong), 0)} worms of latency {min(wrong)}, {had[min(wrong)]} in the log" if wrong else ""


def unmet(words: list[str], log: pathlib.Path) -> str:
    """A queue or a channel that the run was to fill or take, but no flit did: the size would not be tried; empty: none."""
    size = words[-1] if words[-1].isdigit() else ""
    if not size or words[-2] not in ("--depth", "--vcs") or "--discipline" in words:
        return ""
    lines = log.read_text(encoding="ascii").splitlines()
    if words[-2] == "--depth":
        w = waves.Log(lines)
        fill = max(max(fill) for _, fill in w.queues(1 + max(int(x["cycle"]) + int(x["cycles"]) for x in w.moves)).values())
        return f"at most {fill} flits wait in a queue of {size}" if fill != int(size) else ""
    if "--channels-in-turn" in words:
        last = max(int(line.split(",")[8]) for line in lines if line.startswith("move,"))
        return f"of {size} channels {last} is the last taken" if last != int(size) - 1 else ""
    return ""


def size_wrong(fatfly: str, words: list[str], folder: pathlib.Path, with_waves: bool, ending: str) -> str:
    """What is wrong with one run; empty: nothing."""
    log, links, histogram, wave = folder / "log.csv", folder / "links.csv", folder / "histogram.csv", folder / f"waves.{ending}"
    for file in folder.iterdir():
        file.unlink()
    one = words if {"--load", "--trace", "--runs"} & set(words) else [*words, "--runs", "1"]
    command = [fatfly, "run", *one, "--format", "json"]
    plain = events.run(command)
    shared = words[-2] in ("--parts", "--threads")
    if shared:
        logged = events.run([*command[:2], *words[:-2], *one[len(words):], "--format", "json"])
    else:
        logged = events.run([*command, "--events", str(log), "--links", str(links), "--histogram", str(histogram),
                             *(["--waves", str(wave)] if with_waves else [])])
    if plain.returncode != 0:
        return f"exit code {plain.returncode}: {plain.stderr}"
    said = events.results(plain.stdout)
    if plain.returncode != logged.returncode or said != events.results(logged.stdout or "{}"):
        return f"the results with a log, or without sharing, are not those without one: exit code {logged.returncode}: {logged.stderr}"
    if shared:
        return ""
    if "--topology" not in words and said["discipline"] in ("worm", "phased"):
        other = events.run([*command, "--engine", "cycle"])
        if other.returncode or said != events.results(other.stdout):
            return f"the results of engine cycle are others: exit code {other.returncode}: {other.stderr}"
    found = events.run([fatfly, "events", str(log)])
    if found.returncode:
        return found.stdout + found.stderr
    why = events.read_anew(log, said) or asked.asked_wrong(one, log, json.loads(logged.stdout))
    of = asked.Log(log)
    if not why and said["discipline"] in asked.PLAIN and of.end["end"] == "done":
        at_rest = not said["load"] and said["discipline"] != "split" # moves that the end of a run cuts short have no row
        why = (of_links(links, of) if at_rest else "") or of_histogram(histogram, of)
    why = why or unmet(words, log)
    if not why and with_waves:
        why = waves.compare(log.read_text(encoding="ascii").splitlines(), waves.vcd_of(wave))
    return why


def row_wrong(fatfly: str, row: Row, folder: pathlib.Path, ending: str) -> str:
    """Which sizes are wrong, and how."""
    wrong = []
    digests = set()
    for size in row.sizes:
        if why := events.tried(size_wrong, fatfly, options(row, size, folder.parent), folder, row.waves, ending):
            wrong.append(f"{size}: {why.strip()}")
        elif row.alike:
            digests.add((folder / "log.csv").read_text(encoding="ascii").rpartition("digest=")[2])
            if len(digests) > 1:
                wrong.append(f"{size}: another digest than at the sizes before")
    return f"{len(wrong)} sizes of {len(list(row.sizes))}; {wrong[0]}" if wrong else ""


def not_listed(fatfly: str) -> str:
    """Options of the help with a number whose sizes nobody takes, and listed ones that are none."""
    text = events.run([fatfly, "run", "--help"]).stdout
    said = dict(re.findall(r"^  --([a-z-]+) ((?:n|auto.CYCLES|[A-Z_]+)\b\S*)", text, re.M))
    numeric = {name for name, value in said.items() if not re.match("FILE|DIR|NAME", value)}
    taken = {row.option.split()[0] for row in ROWS}
    lost, more = numeric - taken - set(ELSEWHERE), set(ELSEWHERE) - numeric | set(ELSEWHERE) & taken
    return f"in no row: {sorted(lost)}; in the help is no number of: {sorted(more)}" if lost or more else ""


def main() -> int:
    words = sys.argv[1:]
    fatfly = next((w for w in words if "/" in w), os.environ.get("BUILD", "build") + "/fatfly")
    checks = events.Checks(next((w for w in words if "/" not in w), ""))
    if not os.access(ROOT / fatfly, os.X_OK):
        print(f"ladder.py: {fatfly}: no program; allowed: after make build/fatfly", file=sys.stderr)
        return 4
    ending = "fst" if shutil.which("fst2vcd") else "vcd"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "run"
        folder.mkdir()
        for row in ROWS:
            name = f"{row.network} --{row.option}"
            if checks.wanted(name):
                checks.check(f"sizes: {name}", row_wrong(fatfly, row, folder, ending))
    if checks.wanted("sizes of every option"):
        checks.check("sizes of every option", not_listed(fatfly))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
