#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""outputs.py - what the commands write is what was recorded.

Usage: outputs.py FATFLY [FIRST LAST]    drawn commands, all or some, against outputs.txt
       outputs.py --write FATFLY         outputs.txt anew, where a change of outputs is meant
       outputs.py --show N FATFLY        command N and all that it writes

Commands are drawn with a seed from the tables below: runs with every kind of file that a run writes, searches for saturation,
sweeps with their tables, plots and shares, the models, estimates, imports and lock-step; each option of these commands but those of
ELSEWHERE, options at the ends of what they take (EDGES), and networks in which more is counted than 16 bits count (CROWDS).  A record is a hash of the exit codes, of what is
printed, on standard error too, and of every file.  Times are left out, and the memory of the machine.  That a record is right
is for the other tests; this one says that nothing has changed, and that no point contradicts itself (unsound()).
"""
from __future__ import annotations

import concurrent.futures
import csv
import gzip
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

LIST = pathlib.Path(__file__).with_name("outputs.txt")
ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNT = {"run": 360, "sweep": 60, "model": 80, "saturation": 20, "estimate": 20, "import": 40, "classes": 40,
         "many": 30, "table": 50, "cosim": 60, "edge": 0, "deadlock": 40, "each": 0, "refused": 60, "crowd": 0}
ATTEMPTS = 25
REFUSED = {kind: ["exit code 2"] + (["exit code 3"] if kind in ("import", "sweep", "table") else []) if kind not in ("refused", "crowd") else [] for kind in COUNT}
SECONDS = 300
HUNG = threading.Event()  # one command has not ended: no more are run
DRAWN: dict[str, list[str]] = {}  # what commands that stand alone have written
GNUPLOT = r"""#!/bin/sh
n=$(ls "$SCRIPTS"/script.* 2>/dev/null | wc -l)
tee "$SCRIPTS/script.$n" | sed -n 's/^set output "\(.*\)".*/\1/p' | while read -r output; do echo '<svg>drawn</svg>' >"$(printf "$output")"; done
"""

Options = dict[str, list[str]]

TREE: Options = {
    "nodes": ["4", "16", "64", "256"], "depth": ["1", "2", "3", "8"], "vcs": ["1", "2", "4"], "flit-bits": ["32", "64"],
    "path": ["fp", "rp", "gp", "rg", "rw"], "scan": ["rr", "fo", "ff", "rot", "fcfs"], "start": ["any", "waiting"],
    "discipline": ["worm", "store", "univ", "split", "phased"], "engine": ["auto", "cycle"], "parts": ["1", "2"]}
CUBE: Options = {
    "topology": ["torus", "mesh"], "radix": ["2", "3", "4", "5"], "dimensions": ["1", "2", "3"], "processor-links": [""],
    "depth": ["1", "2", "4", "unbounded"], "vcs": ["2", "4", "6"], "bandwidth": ["fixed-share", "on-demand"],
    "injection": ["one-queue", "per-channel"], "channel-release": ["tail-gone", "tail-sent"], "channels-in-turn": [""],
    "link-bandwidth": ["1", "2"], "input-bandwidth": ["1", "2"], "link-latency": ["1", "3"], "router-latency": ["0", "2"],
    "head-latency": ["0", "1"], "force": [""],
    "path": ["e-cube", "north-last", "positive-hop", "negative-hop", "minimal-adaptive", "balanced-e-cube"]}
OTHER: Options = {
    "topology": ["butterfly", "reverse-butterfly", "wrapped-butterfly", "hypercube", "graph:ring"], "nodes": ["8", "16", "32"],
    "depth": ["1", "2", "unbounded"], "vcs": ["1", "2", "4"], "link-bandwidth": ["1", "2"], "path": ["greedy", "walk", "e-cube"], "force": [""],
    "discipline": ["worm", "store", "cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol", "cmsv-butterfly"]}
WORMS: Options = {
    "pattern": ["complement", "many-to-1", "transpose", "bit-reversal", "bit-complement", "shuffle", "neighbour", "hotspot",
                "permutation", "identity", "random-permutation", "packing", "spreading", "monotone", "trace", "tornado",
                "digit-neighbour", "diagonal", "asymmetric", "matrix"],
    "self-traffic": [""], "hotspot": ["0.1", "0.5"], "hotspot-node": ["3"], "density": ["0.25", "0.7"], "length": ["1", "4", "19", "70"],
    "lengths": ["uniform", "geometric", "bimodal", "mix"], "length-min": ["1", "2"], "length-mean": ["3"], "short-share": ["0.3"],
    "length-mix": ["1:4,5:1", "3:1,8:1,20:2"], "cycles-per-us": ["500"], "max-bytes": ["64"], "max-messages": ["20"]}
CLASSES: Options = {
    "classes": ["2", "2", "4"], "class-length": ["4,9", "8,2"], "class-pattern": ["random,transpose", "matrix,random", "random,permutation", "hotspot,neighbour"], "class-share": ["1,3", "1,2"],
    "class-priority": ["1,0", "0,2"], "class-channels": ["reserved"], "reply": ["5", "3"], "reply-delay": ["7"], "outstanding": ["2"]}
STATIC: Options = {"rounds": ["2", "5"], "delay-range": ["4", "30"], "phases": ["3"], "phase-length": ["90"], "overhead": ["0.5"],
                   "runs": ["1", "3", "30"], "seed": ["7", "123456789"]}
OPEN: Options = {"load": ["0.02", "0.05", "0.1", "0.15", "0.3", "0.9"], "arrivals": ["poisson", "on-off"], "burst-on": ["20"],
                 "burst-off": ["35"], "warmup": ["auto", "2000"], "cycles": ["2000", "20000"], "whole": [""], "fail-saturated": [""],
                 "runs": ["1", "2"], "precision": ["0.1"], "seed": ["7", "123456789"], "max-cycles": ["60000"]}
FILES: Options = {"histogram": ["o.hist"], "links": ["o.links"], "events": ["o.events", "o.events.gz"], "perfetto": ["o.json"],
                  "waves": ["o.vcd"], "watch": ["1", "6"], "output": ["o.out"]}
MODEL: Options = {"nodes": ["4", "16", "64", "1024", "65536"], "length": ["1", "16", "32", "200"], "load": ["0.01", "0.08", "0.5"],
                  "loads": ["0.01:0.2:7", "0:0.1:5"], "levels": [""], "format": ["csv", "json"], "fail-saturated": [""]}
GENERAL: Options = {"topology": ["torus", "mesh", "hypercube", "butterfly", "wrapped-butterfly", "graph:ring"], "nodes": ["16", "64"],
                    "radix": ["3", "4", "8"], "dimensions": ["1", "2", "3"], "processor-links": [""], "vcs": ["1", "2", "4"],
                    "path": ["e-cube", "balanced-e-cube", "greedy"], "bandwidth": ["on-demand"], "link-bandwidth": ["1", "2", "4"], "force": [""]}
ESTIMATE: Options = {"nodes": ["16", "64"], "length": ["8", "32"], "pattern": ["transpose", "complement"], "family": ["ecp5", "xilinx"],
                     "topology": ["fat-tree,torus", "mesh"], "vcs": ["1", "1,2"], "depth": ["2"], "flit-bits": ["16,32"], "path": ["rp"],
                     "min-throughput": ["0.1"], "max-latency": ["800"], "max-lut": ["200000"], "best": ["throughput", "latency", "per-lut"],
                     "format": ["csv", "json"], "seed": ["5"]}
BOOKSIM: Options = {"topology": ["mesh", "torus", "fattree", "fly"], "k": ["2", "4", "8"], "n": ["1", "2"], "num_vcs": ["2", "4", "{4}"],
                    "vc_buf_size": ["2", "4", "8"], "routing_function": ["dor", "dim_order", "nca", "dest_tag"], "packet_size": ["1", "8", "{{1,5}}"],
                    "packet_size_rate": ["{{3,1}}"], "injection_rate": ["0.02", "0.1"], "injection_rate_uses_flits": ["1"],
                    "injection_process": ["bernoulli", "on_off"], "burst_alpha": ["0.02"], "burst_beta": ["0.1"], "seed": ["9"],
                    "traffic": ["uniform", "transpose", "bitcomp", "tornado", "neighbor", "shuffle", "hotspot({1,1,1,3})", "hotspot({0,2,2},{1,2,4})"], "sample_period": ["2000"],
                    "warmup_periods": ["2"], "classes": ["2"], "use_read_write": ["1"], "read_request_size": ["2"],
                    "write_request_size": ["6"], "read_reply_size": ["3"], "write_reply_size": ["1"], "priority": ["age", "none"], "credit_delay": ["1"]}
BASE = {"tree": "--nodes 16 --length 4 --runs 1 --rounds 3", "store": "--nodes 16 --discipline store --length 3 --runs 1 --rounds 3",
        "cube": "--topology torus --radix 4 --length 6 --runs 1 --rounds 4", "open": "--nodes 16 --length 3 --load 0.1 --cycles 2000 --warmup 500 --max-cycles 90000",
        "flow": "--topology mesh --radix 4 --length 5 --load 0.1 --cycles 1000 --warmup 300 --max-cycles 90000",
        "wide": "--topology torus --radix 4 --vcs 64 --bandwidth on-demand --injection per-channel --length 8 --runs 1 --rounds 40",
        "cut": "--topology torus --radix 4 --length 6 --vcs 4 --rounds 20 --runs 1", "chain": "--topology graph:chain --length 8 --runs 1 --rounds 2",
        "hops": "--topology graph:chain --length 3 --runs 1 --discipline store", "copies": "--topology graph:chain --length 3 --runs 1 --discipline cmsv2",
        "fly": "--topology butterfly --length 1 --runs 1 --discipline store", "wings": "--topology butterfly --length 2 --runs 1",
        "bits": "--topology hypercube --length 1 --runs 1 --discipline store", "wrapped": "--topology wrapped-butterfly --length 2 --runs 1 --discipline cmsv2",
        "block": "--topology torus --dimensions 3 --length 2 --runs 1 --pattern neighbour",
        "stack": "--topology mesh --dimensions 3 --length 1 --runs 1 --discipline store --pattern neighbour",
        "long": "--nodes 4 --length 8 --warmup 0", "large": "--length 1 --runs 1 --pattern neighbour", "trace": "--nodes 16 --pattern trace",
        "split": "--nodes 4 --discipline split --overhead 100 --runs 1", "huge": "--nodes 262144 --length 2 --runs 1 --max-cycles 30",
        "sent": "--topology torus --radix 4 --vcs 4 --channel-release tail-sent --depth 8 --length 6 --pattern many-to-1 --rounds 20 --runs 1"}
# Bases whose log of moves is written and read, too.
LOGGED = ("tree", "store", "cube", "flow", "wide", "cut", "sent")
# Values at the ends of what an option takes, and around those where a count of 8 or 16 bits would end.
EDGES = """tree nodes 1024 4096 16384      large nodes 65536 262144 1048576       chain nodes 255 256 257 300
cube radix 2 16 17 32          cube dimensions 1 3 4         tree depth 7 8 9 15 16        cube depth 8 15 16
cube vcs 3 6 7 8 9 15 16 17 31 32 33 63 64 65 127 128 129    tree flit-bits 16 17 20 24 31 33 40 47 48 49 56 63 64
wide link-bandwidth 7 8 15 16 17 31 33 63 64    wide input-bandwidth 7 8 15 16 17 20 31 33 63 64
cube link-latency 7 8 15 16 17 31 33 63 64  cube router-latency 1 8 15 16 31 33 64  cube head-latency 1 8 15 16 31 33 64
tree length 1 255 256 257 1000 4095 4096    cube length 255 256 257 4096     store length 255 256 700 4096
flow class-priority 0,1000 255,256 1000,1   open class-length 256,4096 1,300
open length-mix 1:1,2:1,4:1,8:1,16:1,32:1 1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8 4096:1,1:99 1:1000000,2:1,3:5,4:1,5:2,6:1,7:3
open reply-delay 255 256 257 65535 65536 100000  open outstanding 1 255 256 257 300 65535
tree rounds 255 256 257 1000   cube rounds 255 256 300        tree delay-range 255 256 257 65535 65536 1000000
tree phases 255 256 65536 4294967296    tree phase-length 255 256 65536 16777216   store overhead 0.75 3 10 100
open load 0.000001 0.0001 0.5 1  open burst-on 1 256 65536 1000000000     open burst-off 1 256 65536 1000000000
open warmup 0 255 65536 200000  open cycles 64 65535 65536 300000  tree parts 2 4 8 16 32 64  tree threads 64 256
tree runs 255 256 257 1000     tree seed 0 4294967295 4294967296 18446744073709551615   cut max-cycles 1 2 17 40 60 90 140
tree max-cycles 1 2 9 15 30 4611686018427387904  store max-cycles 3 9 20  open hotspot 0 1 0.9999  open density 0 1
trace cycles-per-us 0.001 1 1000000    trace max-bytes 1 255 256 65536  trace max-messages 1 2 59 60 1000
hops nodes 255 256 257 300 400          copies nodes 255 256 257 300      long cycles 4194303 4194304 6000000 20000000
split length 4 16 655 656 700 4096      huge seed 1 2 3 4       sent max-cycles 10 25 33 47 60 85 110 200
fly nodes 16384 32768 65536             wings nodes 16384 65536                 bits nodes 16384 65536     wrapped nodes 4096 16384
block radix 33 50 64                    stack radix 41 64"""
PLACES = [(base, option, value) for base, option, *values in (row.split() for row in re.split(r"\n| {2,}", EDGES) if row) for value in values]
COUNT["edge"] = 2 * len(PLACES)
# More than 65,536 processors, nodes, links, channels, worms at once or messages, for each engine and each kind of network that has so many.
CROWDS = """torus, radix 41, dimensions 3, length 2, pattern neighbour: vcs 2, bandwidth on-demand, link-latency 2; events o.gz; perfetto o.json; links o.csv; discipline cmsv2; discipline store
torus, radix 41, dimensions 3, length 1: vcs 2, bandwidth on-demand, pattern complement; discipline store, pattern complement; load 0.002, cycles 200, warmup 0, vcs 4
mesh, radix 41, dimensions 3: length 2, pattern random; length 1, load 0.002, cycles 200, warmup 0; length 1, pattern complement, vcs 2, link-latency 2; length 1, discipline store, depth 2
butterfly: nodes 65536, length 1, discipline cmsv-butterfly; nodes 65536, length 2, vcs 2, bandwidth on-demand
reverse-butterfly, nodes 65536, length 1: pattern shuffle
wrapped-butterfly, nodes 65536, length 1, force: pattern random; discipline store; discipline cmsv1
fat-tree, nodes 262144, length 1: engine cycle, pattern neighbour; engine cycle, pattern neighbour, vcs 2; arrivals on-off, load 0.002, cycles 200, warmup 0
fat-tree, nodes 262144, length 1, load 0.001, cycles 200, warmup 0: reply 2; reply 2, outstanding 1; discipline store; path fp
fat-tree, nodes 262144, length 2, load 0.002, cycles 200, warmup 0: path rp; vcs 2; depth 4; parts 4
fat-tree, nodes 262144, length 2, max-cycles 30: parts 2; vcs 2; path rg, vcs 4; depth 4; discipline store; discipline phased
fat-tree, nodes 65536, length 4: discipline split; discipline split, depth 4; discipline cmsv2, max-cycles 40; discipline cmsv-store, max-cycles 40
fat-tree, nodes 262144, length 1, max-cycles 40: discipline univ; discipline univ, path fp; delay-range 6000; pattern random-permutation
fat-tree, nodes 262144, length 1, max-cycles 40: pattern bit-reversal; pattern transpose; pattern packing, density 0.5; pattern spreading; pattern monotone; pattern hotspot
fat-tree, nodes 262144, max-cycles 40: trace messages; trace messages, discipline store
graph:chain, nodes 2, length 3: vcs 1; link-latency 2; discipline store; discipline cmsv2; load 0.001, cycles 100; events o.gz
mesh, radix 41, dimensions 3, length 300: max-cycles 900"""
CROWD = [f"topology {same}, {own}" for row in CROWDS.splitlines() for same, _, each_own in (row.rpartition(": "),) for own in each_own.split("; ")]
COUNT["crowd"] = len(CROWD)
NEEDED = {"phases": {"discipline": "phased"}, "phase-length": {"discipline": "phased"}, "overhead": {"discipline": "split"}, "parts": {"nodes": "16384", "rounds": "1"},
          "class-priority": {"classes": "2"}, "class-length": {"classes": "2"}, "length-mix": {"lengths": "mix", "cycles": "6000"},
          "reply-delay": {"reply": "4"}, "outstanding": {"reply": "4", "load": "0.9", "whole": ""}, "burst-on": {"arrivals": "on-off", "load": "0.0001"},
          "burst-off": {"arrivals": "on-off", "load": "0.000001"}, "input-bandwidth": {"link-bandwidth": "64", "rounds": "64"}, "hotspot": {"pattern": "hotspot"}, "density": {"pattern": "packing"}, "threads": {"runs": "300"},
          "warmup": {"load": "0.01"}, "cycles": {"load": "0.01"}}
COSIM: Options = {"seed": ["7", "99"], "cover": ["o.cover"], "waves": ["o.vcd"], "from": ["20"], "to": ["35"], "watch": ["3"], "shrink": ["0"],
                  "outputs-only": [""], "side": ["c", "both"]}
CASES = """fat16-random fat16-complement fat16-open-load fat64-random levels1-ff levels4-fp switch-s2of3-v1-q2-w32-gp-rot
switch-s1of3-v2-q8-w48-rp-rr switch-s2of3-v2-q4-w33-rg-rot switch-s1of3-v4-q3-w17-fp-ff switch-s1of3-v1-q4-w24-fp-rot""".split()
# What an option wants of another; without it, it is not drawn.
WANTS = {"from": ("waves", "o.vcd"), "to": ("waves", "o.vcd"), "start": ("discipline", "store split"), "phases": ("discipline", "phased"), "phase-length": ("discipline", "phased"),
         "overhead": ("discipline", "split"), "cycles-per-us": ("pattern", "trace"), "max-bytes": ("pattern", "trace"),
         "max-messages": ("pattern", "trace"), "density": ("pattern", "packing spreading monotone"), "hotspot": ("pattern", "hotspot"),
         "hotspot-node": ("pattern", "hotspot"), "burst-on": ("arrivals", "on-off"), "burst-off": ("arrivals", "on-off"),
         "length-mean": ("lengths", "geometric"), "length-min": ("lengths", "uniform geometric bimodal"), "short-share": ("lengths", "bimodal"),
         "length-mix": ("lengths", "mix"), "length": ("lengths", "fixed bimodal"), "input-bandwidth": ("bandwidth", "on-demand"),
         "class-length": ("classes", "2"), "class-pattern": ("classes", "2"), "class-share": ("classes", "2"), "class-priority": ("classes", "2"),
         "class-channels": ("classes", "2 4"), "reply-delay": ("reply", "5 3 5,3 1,4"), "outstanding": ("reply", "5 3 5,3 1,4"),
         "waves": ("runs", "1"), "watch": ("runs", "1")}
ALL: Options = {**OTHER, **CUBE, **TREE, **WORMS, **CLASSES, **STATIC, **OPEN, **FILES, "from": ["3"], "to": ["20"], "threads": ["2"]}
RUN_ALONE = {*FILES, "rounds", "delay-range", "phases", "phase-length", "load", "whole", "fail-saturated", "outstanding", "parts", "from", "to",
             "cycles-per-us", "max-bytes", "max-messages"} - {"output"}
OF_ESTIMATE: Options = {**ESTIMATE, "max-latency": ["800", "90"], "scan": ["rr", "fo"], "threads": ["2"]}
EACH = [("run", name) for name in ALL] + [("saturation", name) for name in ALL if name not in RUN_ALONE] + [("saturation", "matrix"), ("saturation", "permutation")] + [("estimate", name) for name in OF_ESTIMATE]
COUNT["each"] = 2 * len(EACH)
DEFAULT = {"runs": "1", "lengths": "fixed"}
ROUTERS = """torus4n5-v2-q2-w32-ecube-rr,ice40,1200,700,0,90,
torus4n5-v2-q2-w16-ecube-rr,ecp5,800,500,0,140,
mesh4n5-v1-q2-w32-ecube-rr,ice40,700,400,0,110,
"""
TIMES = re.compile(r"in [0-9.]+ s of CPU time(, [0-9.e+]+ (million )?per second)?")
COSIM_TIMES = re.compile(r"(?<= time=)\"[0-9.]+\"|(?<=[0-9a-f]{16}) +[0-9]+(?=$|  FAILED$)", re.M)  # cycles/s is the last column
FAULT = ("rand * (p->level == p->levels ? 4 : 6) >> 8", "(rand ^ 1u) * (p->level == p->levels ? 4 : 6) >> 8")
# Options of which no command is drawn, and where they are tested.
ELSEWHERE = {"plugin": "step plugin", "plugin-seconds": "step plugin", "slurm": "step sweep", "submit": "step sweep", "tasks": "step sweep",
             "timing": "times", "sim": "step cli", "c": "step judge", "worms": "step cli", "config": "steps run, cli",
             "build": "the Verilog: step run"}


def pick(draw: random.Random, values: list[str]) -> str:
    """By random() alone, which is the same in every version of Python."""
    return values[int(draw.random() * len(values))]


def options(draw: random.Random, tables: list[Options], share: float) -> dict[str, str]:
    """Of each table, options that a share of all have, and their values."""
    return {name: pick(draw, values) for table in tables for name, values in table.items() if draw.random() < share}


def consistent(chosen: dict[str, str]) -> dict[str, str]:
    """Without the options of which another is not as they want it."""
    kept = dict(chosen)
    for name, (other, values) in WANTS.items():
        if name in kept and kept.get(other, DEFAULT.get(other)) not in values.split():
            del kept[name]
    return kept


def words(chosen: dict[str, str]) -> list[str]:
    return [word for name, value in chosen.items() for word in ([f"--{name}"] + ([value] if value else []))]


def files(draw: random.Random, chosen: dict[str, str], folder: pathlib.Path) -> dict[str, str]:
    """What the options name, written there."""
    cube = int(chosen.get("radix", 4)) ** int(chosen.get("dimensions", 2))
    nodes = int(chosen.get("nodes", cube if "topology" in chosen else 64))
    if chosen.get("topology", "").startswith("graph:"):
        name = chosen["topology"][6:]
        links = [f"link {a} {b}" for k in range(nodes if name == "ring" else nodes - 1) for a, b in ((k, (k + 1) % nodes), ((k + 1) % nodes, k))]
        (folder / name).write_text("\n".join([f"nodes {nodes}", *links]) + "\n")
    added = {}
    patterns = chosen.get("pattern", "") + chosen.get("class-pattern", "")
    if "permutation" in patterns and "random-permutation" not in patterns:
        (folder / "to").write_text("".join(f"{(5 * k + 3) % nodes}\n" for k in range(nodes)))
        added["permutation"] = "to"
    if "matrix" in patterns:
        (folder / "weights").write_text("".join(" ".join(str(int(draw.random() * 9)) for _ in range(nodes)) + "\n" for _ in range(nodes)))
        added["matrix"] = "weights"
    if chosen.get("pattern") == "trace":
        ends = [(int(draw.random() * nodes), 1 + int(draw.random() * (nodes - 1)), 1 + int(draw.random() * 200)) for k in range(60)]
        rows = [f"{100 * k},{src},{(src + step) % nodes},{size}" for k, (src, step, size) in enumerate(ends)]
        (folder / "trace").write_text("\n".join(["t_ns,src,dst,bytes", *rows]) + "\n")
        added["trace"] = "trace"
    return added


def run(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    network = [TREE, TREE, CUBE, OTHER][int(draw.random() * 4)]
    chosen = options(draw, [network], 0.2)
    if network is not TREE:
        chosen.setdefault("topology", pick(draw, network["topology"]))
    if network is CUBE:
        chosen.setdefault("radix", "4")
    if network is OTHER:
        chosen.setdefault("nodes", "16")
    chosen |= options(draw, [WORMS], 0.08) | ({"classes": "2"} | options(draw, [CLASSES], 0.3) if draw.random() < 0.2 else {})
    if draw.random() < 0.4 or chosen.get("discipline", "worm") not in ("worm", "store", "split"):
        chosen |= {"runs": "3"} | options(draw, [STATIC], 0.2)
    else:
        chosen |= {"load": pick(draw, OPEN["load"]), "cycles": "4000", "max-cycles": "200000"} | options(draw, [OPEN], 0.2)
    chosen |= options(draw, [FILES], 0.25) | {"format": pick(draw, ["table", "table", "csv", "json"])}
    if any(name in chosen for name in ("waves", "watch")) and draw.random() < 0.7:
        chosen["runs"] = "1"
    if any(name in chosen for name in ("events", "perfetto", "waves")) and "load" in chosen:  # a line a move: not too many
        chosen |= {"cycles": "400", "max-cycles": "3000", "warmup": "200"}
        chosen.setdefault("length", "4")
        chosen.pop("precision", None)  # which repeats the run
    if "whole" in chosen and chosen.get("load") == "0.9":  # which ends at max-cycles
        chosen["max-cycles"] = "20000"
    chosen = consistent(chosen)
    chosen |= files(draw, chosen, folder)
    commands = [["run", *words(chosen)]]
    if "output" in chosen:
        commands.append(["run", "--nodes", "16", "--rounds", "2", "--output", "o.out"])  # which is there
    if "events" in chosen:
        commands.append(["events", chosen["events"], "--worm", "2"])
    return commands


def classes(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """A run with classes, which few of those above have."""
    chosen = options(draw, [TREE if draw.random() < 0.5 else CUBE], 0.1)
    if set(chosen) & set(CUBE) - set(TREE):
        chosen |= {"topology": pick(draw, CUBE["topology"]), "radix": "4"}
    chosen |= {"load": pick(draw, OPEN["load"]), "cycles": "4000", "max-cycles": "40000"} | options(draw, [CLASSES], 0.4) | {"classes": "2"}
    if "reply" in chosen:
        chosen["reply"] = pick(draw, ["5,3", "1,4"])
        chosen.pop("class-priority", None)  # of which there are four then
    chosen = consistent(chosen)
    chosen |= options(draw, [{"histogram": ["o.hist"], "links": ["o.links"]}], 0.3) | {"format": pick(draw, ["table", "csv", "json"])}
    chosen |= files(draw, chosen, folder)
    return [["run", *words(chosen)]]


def saturation(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    network = [TREE, CUBE][int(draw.random() * 2)]
    chosen = options(draw, [network], 0.12) | options(draw, [WORMS], 0.05)
    chosen |= {"topology": "torus", "radix": "3"} if network is CUBE else {"nodes": "16"}
    chosen |= {"cycles": "2000", "max-cycles": "30000", "precision": "0.2", "seed": pick(draw, ["1", "2"])}
    chosen.pop("parts", None)
    chosen = consistent(chosen)
    chosen |= files(draw, chosen, folder) | {"format": pick(draw, ["table", "csv", "json"])}
    return [["saturation", *words(chosen)]]


def sweep(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """A sweep in one go and in two shares, its table, and plots of it."""
    lists = {"load": "[0.02, 0.08, 0.2]", "nodes": "[16, 64]", "length": "[4, 16]", "path": '["rp", "gp"]', "scan": '["rr", "fo"]',
             "vcs": "[1, 2]", "pattern": '["random", "transpose"]', "depth": "[1, 2]"}
    static = draw.random() < 0.4
    names = [name for name in lists if draw.random() < 0.35 and not (static and name == "load")]
    if not static and "load" not in names:
        names.append("load")
    lines = [f"{name} = {lists[name]};" for name in names[-4:]]
    lines.append(f"runs = {2 + int(draw.random() * 3)};" if static else "cycles = 4000;")
    (folder / "s.cfg").write_text("\n".join([f'title = "{"Some" if static else "Loads"}";', *lines]) + "\n")
    varied = {name: [value.strip('" ') for value in lists[name].strip("[]").split(",")] for name in names[-4:]}
    table: Options = {"where": [f"{name}={values[0]}" for name, values in varied.items()] or ["vcs=1"],
                      "columns": ["seed,latency_mean,vcs,load"], "all": [""]}
    return [["sweep", "s.cfg", "--db", "a", "--dry-run"], ["sweep", "s.cfg", "--db", "a", "--threads", "1"],
            ["export", "a", "--format", pick(draw, ["csv", "json", "table"]), *words(options(draw, [table], 0.2))],
            ["sweep", "s.cfg", "--task", "1/2", "--db", "b.sqlite"], ["export", "b.1-of-2.sqlite", "--format", "json"],
            *(["plot", "a", "--output", f"p{k}.svg", *curves(draw, varied, static)] for k in range(3))]


def curves(draw: random.Random, varied: dict[str, list[str]], static: bool) -> list[str]:
    """Options of a plot: each setting that varies is the x axis, one value, or one of those that make the curves."""
    axes = [name for name in ("load", "nodes", "length", "depth", "vcs") if name in varied]
    x = pick(draw, axes) if axes else "vcs"
    of = {name: draw.random() < 0.5 for name in varied if name != x}
    chosen = {"x": x, "y": pick(draw, ["last_arrival_mean", "congestion_mean", "utilisation"] if static else
                                ["latency_mean", "latency_mean", "accepted_load", "latency_p99", "wait_mean", "utilisation"])}
    series = ",".join(name for name, one in of.items() if not one)
    chosen |= {"series": series} if series and draw.random() < 0.7 else {}
    chosen |= options(draw, [{"log": ["x", "y", "xy", "none"], "title": ["T"]}], 0.3)
    if x == "load" and chosen["y"] == "latency_mean":
        chosen |= options(draw, [{"yrange": ["1:60", "20:", "18:40"], "xrange": ["0.01:0.1", ":0.15", "0.05:"], "model": ["gg"]}], 0.4)
    return words(chosen) + [word for name, one in of.items() if one for word in ("--where", f"{name}={pick(draw, varied[name])}")]


def model(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    chosen = options(draw, [MODEL], 0.4)
    if draw.random() < 0.5:
        chosen = options(draw, [GENERAL], 0.35) | {k: v for k, v in chosen.items() if k not in ("nodes", "levels")}
        chosen.setdefault("topology", pick(draw, GENERAL["topology"]))
        if chosen["topology"] not in ("torus", "mesh"):
            chosen.setdefault("nodes", "16")
    files(draw, chosen, folder)
    return [["model", *words(chosen)]]


def estimate(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    (folder / "cost.csv").write_text(LIST.with_name("cost.csv").read_text() + ROUTERS)
    return [["estimate", "--cost", "cost.csv", "--nodes", "16", "--length", "8", "--plot", "e.svg", *words(options(draw, [ESTIMATE], 0.2))]]


def booksim(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    chosen = {"topology": "mesh", "routing_function": "dor"} | options(draw, [BOOKSIM], 0.25)
    (folder / "b").write_text("".join(f"{name} = {value};\n" for name, value in chosen.items()))
    return [["import", "booksim", "b", "--output", "o.cfg", *(["--pipeline"] if draw.random() < 0.3 else [])],
            ["run", "--config", "o.cfg", "--cycles", "1000", "--warmup", "0", "--max-cycles", "20000"]]


def many(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """More runs than the parts that intervals are made of."""
    chosen = options(draw, [TREE], 0.1) | {"nodes": pick(draw, ["4", "16", "64"]), "runs": pick(draw, ["31", "33", "47", "60", "100", "200"])}
    chosen |= options(draw, [{"length": ["1", "4", "19"], "threads": ["1", "2", "3"], "seed": ["7", "8"], "histogram": ["o.hist"]}], 0.5)
    if draw.random() < 0.3:
        chosen |= {"load": pick(draw, ["0.05", "0.1"]), "cycles": "300", "warmup": "100", "max-cycles": "20000"}
    return [["run", *words(consistent(chosen | {"format": pick(draw, ["table", "csv", "json"])}))]]


def table(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """A sweep with many curves, that says what it found; the same in shares, of which some may be missing; plots of many curves."""
    static = draw.random() < 0.5
    lists: Options = {"length": [str(k) for k in range(1, 2 + int(draw.random() * 7))], "path": ['"fp"', '"rp"', '"gp"', '"rg"', '"rw"'][:1 + int(draw.random() * 5)],
             "scan": ['"rr"', '"fo"', '"ff"'][:1 + int(draw.random() * 3)]}
    lists |= {"runs": ["3"]} if static else {"load": ["0.05", "0.9"][:1 + int(draw.random() * 2)], "warmup": ["200"], "cycles": ["600"],
                                             "max-cycles": ["4000"]}
    lines = [f"{name.replace('-', '_')} = [{', '.join(values)}];" if len(values) > 1 else
             f"{name.replace('-', '_')} = {values[0]};" for name, values in lists.items()]
    (folder / "t.cfg").write_text("\n".join(["nodes = 16;", *lines]) + "\n")
    tasks = 2 + int(draw.random() * 3)
    done = [k for k in range(1, tasks + 1) if k == 1 or draw.random() < 0.6]
    shares = [f"m.db.{k}-of-{tasks}.sqlite" for k in done]
    says: Options = {"format": ["csv", "json", "table"], "fail-saturated": [""], "threads": ["2"]}
    series = ",".join(name for name in ("path", "scan", "load") if len(lists.get(name, [])) > 1)
    plot = {"x": "length", "y": "latency_mean" if static else "accepted_load"} | ({"series": series} if series else {})
    return [["sweep", "t.cfg", "--db", "a", *words(options(draw, [says], 0.5))],
            *(["sweep", "t.cfg", "--db", "m.db", "--task", f"{k}/{tasks}", *(["--local", "."] if draw.random() < 0.3 else [])] for k in done),
            ["merge", "m", *shares, *(["--list"] if draw.random() < 0.5 else [])],
            ["export", "m", "--format", "csv", "--output", "m.csv", *(["--all"] if draw.random() < 0.3 else [])],
            ["plot", "a", "--output", "p.svg", *words(plot)]]


def cosim(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """Lock-step of the C model with itself, in place of the Verilog."""
    chosen = options(draw, [COSIM], 0.3) | {"max-cycles": pick(draw, ["40", "400", "1500"]), "jobs": "1", "build": ".", "sim": f"{ROOT}/sim"}
    cases = [pick(draw, CASES) for _ in range(1 if set(chosen) & {"waves", "watch"} else 1 + int(draw.random() * 2))]
    if "waves" not in chosen:
        chosen = {name: value for name, value in chosen.items() if name not in ("from", "to")}
    library_of = draw.random()
    if library_of < 0.7:
        chosen |= {"rtl": os.environ["C_LIBRARY" if library_of < 0.45 else "WRONG_LIBRARY"]}
    elif not set(chosen) & {"waves", "watch"}:  # there is none; of several cases it is said how to repeat them
        cases = CASES[:3]
        chosen |= {"seed": pick(draw, COSIM["seed"])}
    return [["cosim", *words(chosen), *(word for case in dict.fromkeys(cases) for word in ("--case", case))],
            ["cosim", "--sim", f"{ROOT}/sim", *pick(draw, ["--list", "--shapes", "--list --full", "--list --task 1/3", "--shapes --full --task 2/5"]).split()]]


def edge(draw: random.Random, folder: pathlib.Path, place: int) -> list[list[str]]:
    """One option at an end of what it takes, and few others."""
    base, option, value = PLACES[place]
    given = BASE[base].split()
    chosen = {word[2:]: "" if after.startswith("--") else after for word, after in zip(given, [*given[1:], "--"]) if word.startswith("--")}
    networks: dict[str, Options] = {"wide": {}, "chain": {}, "hops": {}, "copies": {}, "long": {}, "fly": {}, "wings": {}, "bits": {}, "wrapped": {}, "block": {}, "stack": {}, "trace": {}, "split": {}, "huge": {}, "sent": {}, "large": {"discipline": ["worm", "store", "split", "univ"], "path": TREE["path"]},
                       "cube": CUBE, "cut": CUBE, "flow": CUBE}
    others = networks.get(base, TREE)
    few = {} if option == "parts" else {name: values for name, values in others.items() if name not in ("nodes", "radix", "dimensions", "topology", "engine", "parts")}
    more = options(draw, [few], {"cut": 0.25, "large": 0.6}.get(base, 0.07)) | options(draw, [{"pattern": ["complement", "many-to-1"]}], 0.1 if base not in ("trace", "huge") and option != "parts" else 0)
    chosen = {**more, **chosen, **NEEDED.get(option, {}), option: value, "format": "csv"}
    if option in ("class-length", "length-mix"):
        del chosen["length"]
    if option in ("nodes", "length") and int(value) > 1000:  # a log of one round is long enough
        chosen["rounds"] = "1"
    if int(chosen.get("nodes", "0")) >= 1 << 20:
        chosen |= {"scan": "rr", "depth": "2"}
    chosen = files(draw, chosen, folder) | chosen
    if base not in LOGGED or option in ("nodes", "runs", "parts", "seed", "phases", "phase-length", "delay-range") or chosen.get("runs") != "1" and "load" not in chosen:
        return [["run", *words(chosen)]]
    return [["run", *words(chosen | {"events": "o.events.gz"})], ["events", "o.events.gz"]]


def crowd(folder: pathlib.Path, place: int) -> list[list[str]]:
    """One of CROWDS, with a chain of 70,000 nodes or 70,000 messages."""
    chosen = {name: value for name, _, value in (option.partition(" ") for option in CROWD[place].split(", "))}
    if chosen["topology"] == "graph:chain":
        links = "".join(f"link {a} {a + 1}\n" for a in range(69999))
        (folder / "chain").write_text(f"nodes 70000\nprocessor 0 69999\nprocessor 1 69998\n{links}")
    if "trace" in chosen:
        chosen["pattern"] = "trace"
        rows = (f"{k // 7000},{k * 40503 % 262144},{k * 40503 % 262144 ^ 1 + k % 262143},{4 + k % 9}\n" for k in range(70000))
        (folder / "messages").write_text("t_ns,src,dst,bytes\n" + "".join(rows))
    chosen = ({} if "load" in chosen or "trace" in chosen else {"runs": "1"}) | chosen
    commands = [["run", *words(chosen | {"format": "csv"})]]
    return commands + [["events", "o.gz"]] * ("events" in chosen)


def each(draw: random.Random, folder: pathlib.Path, place: int) -> list[list[str]]:
    """One option, what it wants, and few others."""
    command, option = EACH[place]
    if command == "estimate":
        chosen = {"cost": "cost.csv", "nodes": "16", "length": "8", option: pick(draw, OF_ESTIMATE[option])}
        (folder / "cost.csv").write_text(LIST.with_name("cost.csv").read_text() + ROUTERS)
        return [["estimate", *words(chosen)]]
    cube = option in {**CUBE, **CLASSES} and option not in TREE
    chosen = {"topology": "mesh", "radix": "3"} if cube else {"nodes": "16"}
    if command == "saturation":
        chosen |= {"cycles": "1000", "max-cycles": "20000", "precision": "0.3"}
    elif option in {**OPEN, **CLASSES} or option not in {**STATIC, **FILES} and draw.random() < 0.5:
        chosen |= {"load": "0.1", "cycles": "1000", "warmup": "200", "max-cycles": "30000"}
    else:
        chosen |= {"runs": "2"}
    if option in CLASSES:
        chosen |= {"reply": "4"} if option in ("reply-delay", "outstanding") else {"classes": "2"} if option != "reply" else {}
    if option in WANTS:
        chosen[WANTS[option][0]] = WANTS[option][1].split()[0]
    if option in ("waves", "from", "to", "watch"):
        chosen["runs"] = "1"
    if option == "input-bandwidth":
        chosen["bandwidth"] = "on-demand"
    if option in ("matrix", "permutation"):
        chosen["pattern"] = option
    else:
        chosen[option] = pick(draw, ALL[option])
    return [[command, *words(files(draw, chosen, folder) | chosen), "--format", pick(draw, ["csv", "json"])]]


def deadlock(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """Which tori and meshes, small and large, are refused, as they could deadlock."""
    commands = []
    for _ in range(5):
        size = pick(draw, ["2 1", "3 2", "4 2", "5 3", "8 2", "16 1", "16 2", "18 3", "33 2", "40 2", "50 2", "64 1", "64 2", "16 3"]).split()
        chosen = {"topology": pick(draw, CUBE["topology"]), "radix": size[0], "dimensions": size[1], "path": pick(draw, CUBE["path"]),
                  "vcs": pick(draw, ["1", "2", "3", "4", "5", "7", "8", "9", "12"])}
        commands.append(["run", *words(chosen), "--runs", "1", "--max-cycles", "1", "--format", "csv"])
    return commands


def refused(draw: random.Random, folder: pathlib.Path) -> list[list[str]]:
    """Runs of any options at all: most are refused, and what is said then is a part of the record."""
    commands = []
    for _ in range(12):
        network = pick(draw, ["fat-tree", "fat-tree", "torus", "mesh", "hypercube", "butterfly"])
        chosen = {"load": pick(draw, OPEN["load"]), "cycles": "300", "warmup": "0"} if draw.random() < 0.5 else {"runs": "1"}
        chosen |= {"topology": network} | ({"radix": "4"} if network in CUBE["topology"] else {"nodes": "16"})
        few = options(draw, [TREE if network == "fat-tree" else CUBE if network in CUBE["topology"] else OTHER], 0.15)
        few |= {"classes": "2"} if draw.random() < 0.3 else {"reply": "4"} if draw.random() < 0.3 else {}
        few |= options(draw, [CLASSES], 0.2 if set(few) & {"classes", "reply"} else 0) | options(draw, [WORMS, OPEN if "load" in chosen else STATIC], 0.08)
        few |= options(draw, [{name: values for name, values in ALL.items() if name not in FILES}], 0.015)
        chosen = {**few, **chosen, "max-cycles": "600", "format": "csv"}
        chosen = consistent(chosen) if draw.random() < 0.8 else chosen
        commands.append(["run", *words(files(draw, chosen, folder) | chosen)])
    return commands


DRAW = {"run": run, "classes": classes, "saturation": saturation, "sweep": sweep, "model": model, "estimate": estimate, "import": booksim,
        "many": many, "table": table, "cosim": cosim, "deadlock": deadlock, "refused": refused}


def numbered() -> list[str]:
    return [kind for kind, count in COUNT.items() for _ in range(count)]


def content(path: pathlib.Path) -> bytes:
    data = path.read_bytes()
    if data.startswith(b"SQLite"):
        return b"a results file"  # export says what is in it
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def written(fatfly: str, number: int) -> list[str]:
    """Command `number`, from 1, and what it prints and leaves; times are left out.  The first of its draws that is not refused."""
    kind = numbered()[number - 1]
    said: list[str] = []
    for attempt in range(ATTEMPTS):
        if HUNG.is_set():
            return [f"$ fatfly {kind}\nnot run, since another did not end"]
        said = tried(fatfly, kind, random.Random(number * ATTEMPTS + attempt), number - numbered().index(kind) - 1)
        if said[0].split("\n")[1] not in REFUSED[kind]:
            break
    return said


def tried(fatfly: str, kind: str, draw: random.Random, place: int) -> list[str]:
    said: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        home = folder / "tools"
        home.mkdir()
        (home / "gnuplot").write_text(GNUPLOT)
        (home / "gnuplot").chmod(0o755)
        made = crowd(folder, place) if kind == "crowd" else edge(draw, folder, place // 2) if kind == "edge" else \
            each(draw, folder, place // 2) if kind == "each" else DRAW[kind](draw, folder)
        there = set(folder.iterdir())
        drawn = repr((made, sorted((path.name, path.read_bytes()) for path in there if path.is_file())))
        if drawn in DRAWN:  # the same commands with the same files
            return DRAWN[drawn]
        for command in made:
            try:
                done = subprocess.run([fatfly, *command], cwd=folder, capture_output=True, timeout=SECONDS, check=False,
                                      env={**os.environ, "PATH": f"{home}:{os.environ['PATH']}", "SCRIPTS": name, "TMPDIR": name})
                out, code = done.stdout.decode(errors="replace"), str(done.returncode)
                out += re.sub(r"[0-9.]+ GB are there", "some GB are there", done.stderr.decode(errors="replace"))
            except subprocess.TimeoutExpired:
                HUNG.set()
                return [f"$ fatfly {' '.join(command)}\nno end after {SECONDS} s\n"]
            said.append(f"$ fatfly {' '.join(command)}\nexit code {code}\n{out}")
            if f"exit code {code}" in REFUSED[kind] and len(said) == 1:
                return said
        for path in sorted(p for p in folder.iterdir() if p not in there and p.is_file()):
            said.append(f"== {path.name}\n{content(path).decode(errors='replace')}")
    if kind == "cosim":
        said = [COSIM_TIMES.sub(" 0", text) for text in said]
    said = [TIMES.sub("in a time", timeless(text)).replace(name, "FOLDER").replace(os.environ["C_LIBRARY"], "LIBRARY").replace(os.environ["WRONG_LIBRARY"], "WRONG").replace(str(ROOT), "ROOT") for text in said]
    if len(made) == 1:
        DRAWN[drawn] = said
    return said


def timeless(text: str) -> str:
    """Without the columns of times, and the dates of waves."""
    if len(text) > 1 << 18:  # moves
        return re.sub(r"\$date.*?\$end", "", text[:4096], flags=re.S) + text[4096:]
    lines = text.split("\n")
    for k, line in enumerate(lines):
        cells = line.split(",")
        if "cpu_s" in cells:
            times = [cells.index(name) for name in ("cpu_s", "wall_s") if name in cells]
            for j in range(k, len(lines)):
                row = lines[j].split(",")
                if len(row) == len(cells):
                    lines[j] = ",".join(cell for n, cell in enumerate(row) if n not in times)
            break
    text = re.sub(r'"(cpu_s|wall_s)": ?[0-9.e+-]+', r'"\1": 0', "\n".join(lines))
    return re.sub(r"\$date.*?\$end", "", text, flags=re.S)


def libraries(folder: str, wanted: bool) -> None:
    """Two libraries, one of which has a fault: the round robin starts one further; their names alone if they are not wanted."""
    wrong = pathlib.Path(folder) / "wrong"
    shutil.copytree(ROOT / "cmodel/switch", wrong)
    text = (wrong / "scan.c").read_text()
    if text.count(FAULT[0]) != 1:
        raise SystemExit(f"outputs.py: {FAULT[0]} is not in cmodel/switch/scan.c once")
    (wrong / "scan.c").write_text(text.replace(*FAULT))
    for name, switch in (("C_LIBRARY", ROOT / "cmodel/switch"), ("WRONG_LIBRARY", wrong)):
        os.environ[name] = f"{folder}/{name.lower()}.so"
        if wanted:
            subprocess.run([ROOT / "tb/lib/c_library.sh", os.environ[name], "cmodel", switch], check=True)


def unused(fatfly: str, texts: list[list[str]]) -> list[str]:
    """Options of the help of the commands that are drawn here, of which no command that was taken has one."""
    given: dict[str, set[str]] = {}
    for text in texts:
        for part in text:
            if part.startswith("$ fatfly ") and not part.split("\n")[1].startswith("exit code 2"):
                words_of = part.split("\n")[0].split()[2:]
                given.setdefault(words_of[0], set()).update(word[2:] for word in words_of if word.startswith("--"))
    left = []
    for command, seen in sorted(given.items()):
        told = subprocess.run([fatfly, command, "--help"], capture_output=True, text=True, check=True).stdout
        names = set(re.findall(r"^ +--([a-z-]+)", told, re.M))
        left += [f"{command} --{name}" for name in sorted(names - seen - set(ELSEWHERE))]
    return left


ORDERED = (["latency_p50", "latency_p95", "latency_p99", "latency_p999", "latency_max"], ["latency_low", "latency_mean", "latency_high"])


def unsound(text: list[str]) -> list[str]:
    """What no point may say, whatever was run: a number that is none, and columns that contradict each other."""
    wrong = []
    for part in text:
        command, _, printed = part.partition("\n")
        if command.startswith("$ fatfly") and re.search(r"(?<![a-z])-?(nan|inf)(?![a-z])", printed):
            wrong.append("nan or inf is printed")
        if not command.startswith("$ fatfly run"):
            continue
        lines = printed.split("\n")[1:]
        for row in csv.DictReader(lines) if lines and lines[0].startswith("nodes,") else []:
            del row["digest"]
            cells = {name: float(value) for name, value in row.items() if value and re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", value)}
            for names in ORDERED:
                values = [cells[name] for name in names if name in cells]
                wrong += [f"not in order: {', '.join(names)}"] if any(a > b * (1 + 1e-9) for a, b in zip(values, values[1:])) else []
            wrong += ["a utilisation above 1"] if cells.get("utilisation", 0) > 1 + 1e-9 else []
            wrong += ["a verdict on what did not end"] if row.get("verdict") and row["end"] in ("deadlock", "cut") else []
            wrong += ["stable without an interval"] if row.get("verdict") == "stable" and "latency_low" not in cells else []
            wrong += ["an interval of few worms"] if row.get("verdict") == "stable" and cells["measured"] < 160 else []
            if row["discipline"] in ("worm", "phased") and "wait_mean" in cells:
                waits = cells["source_wait_mean"] + cells["blocked_mean"]
                wrong += ["more waiting than the wait"] if waits > cells["wait_mean"] * (1 + 1e-6) + 1e-6 else []
    return wrong


def record(text: list[str]) -> str:
    return hashlib.sha256("\0".join(text).encode()).hexdigest()[:12]


def main() -> int:
    mode = next((word for word in sys.argv[1:2] if word in ("--write", "--show")), "")
    rest = sys.argv[2:] if mode else sys.argv[1:]
    number = int(rest.pop(0)) if mode == "--show" and len(rest) > 1 and rest[0].isdigit() else 0
    bounds = [int(word) for word in rest[1:] if word.isdigit()]
    first, last = bounds if len(bounds) == 2 else (1, len(numbered()))
    if bool(number) != (mode == "--show") or len(rest) not in ((1, 3) if not mode else (1,)) or len(bounds) != len(rest) - 1 or \
            not 0 < first <= last <= len(numbered()) or number > len(numbered()) or not os.access(rest[0], os.X_OK):
        print(f"outputs.py: wrong arguments; commands are 1 to {len(numbered())}\n{__doc__}", file=sys.stderr)
        return 2
    fatfly = str(pathlib.Path(rest[0]).resolve())
    with tempfile.TemporaryDirectory() as home:
        libraries(home, "cosim" in numbered()[(number or first) - 1:number or last])
        return compare(fatfly, mode, number, first, last)


def compare(fatfly: str, mode: str, number: int, first: int, last: int) -> int:
    if number:
        print("\n".join(written(fatfly, number)))
        return 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
        texts = dict(zip(range(first, last + 1), pool.map(lambda n: written(fatfly, n), range(first, last + 1))))
    for text in texts.values():
        if text and "\nno end after" in text[0]:
            print(f"FAIL {' '.join(text[0].split())}; what comes after it was not run\n0 passed, 1 failed")
            return 1
    if mode == "--write":
        LIST.write_text("".join(f"{n} {record(text)}\n" for n, text in texts.items()), encoding="utf-8")
        return 0
    want = dict(row.split() for row in LIST.read_text(encoding="utf-8").splitlines())
    other = [n for n, text in texts.items() if want.get(str(n)) != record(text)]
    bad = {n: unsound(text) for n, text in texts.items() if unsound(text)}
    bad |= {n: ["refused"] for n, text in texts.items() if numbered()[n - 1] == "crowd" and "\nexit code 0\n" not in text[0]}
    for n, wrong in list(bad.items())[:5]:
        print(f"FAIL {wrong[0]}: command {n} (--show {n}): {texts[n][0].splitlines()[0][2:]}")
    for n in other[:5]:
        print(f"FAIL not as recorded: command {n} (--show {n}): {texts[n][0].splitlines()[0][2:]}")
    if not other:
        print(f"PASS {len(texts)} commands write what was recorded")
    never = unused(fatfly, list(texts.values())) if len(texts) == len(numbered()) else []
    for option in never:
        print(f"FAIL no command has: {option}")
    failed = len(set(other) | set(bad))
    print(f"{len(texts) - failed} passed, {failed + len(never)} failed")
    return 1 if failed or never else 0


if __name__ == "__main__":
    sys.exit(main())
