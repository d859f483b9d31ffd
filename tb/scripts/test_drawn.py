# SPDX-License-Identifier: Apache-2.0
"""test_drawn.py - sim/drawn.py: how often each option is drawn and with which values, that what belongs together fits, the files that are
written, and the same options as words and as a configuration."""
from __future__ import annotations

import pathlib
import re
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/sim"), str(ROOT / "tb/spec")]
import cover  # noqa: E402  (the paths above)
import drawn  # noqa: E402

# Option: the shares with which it is added, and its values, or the least and the largest.
NETWORK = """bandwidth|0.4|fixed-share on-demand
channel-release|0.2|tail-sent
channels-in-turn|0.15|-
depth|0.7|1 16 2 3 4 5 7 8 unbounded
dimensions||1 2 3
discipline|0 1|cmsv-butterfly cmsv-protocol cmsv-store cmsv1 cmsv2 phased split store univ
flit-bits|0.05 0.3|16..64
force|0.3|-
head-latency|0.15|1 2 4
injection|0.2|per-channel
input-bandwidth|0 0.25|1 2
link-bandwidth|0.15|2 3 64
link-latency|0.2|2 3 9
nodes||4 8 16 32 64 256
overhead|0 0.3|0.25 0.5 1
path|0.6 0.8|balanced-e-cube e-cube fp gp loose-hop minimal-adaptive negative-hop north-last positive-hop rg rp rw
phases|0 0.4|1..40
processor-links|0.15|-
radix||2..12
router-latency|0.2|1 2 5
scan|0.7|fcfs ff fo rot rr
start|0 0.1|waiting
topology||butterfly fat-tree graph hypercube mesh reverse-butterfly torus wrapped-butterfly
vcs|0.02 0.05 0.5 0.6|1..129"""
WORMS = """density|0.5|0 0.1 0.8 1
hotspot|0.7|0.01 0.2 1
hotspot-node|0.5|0 1 2 3 4
length||1 2 3 4 5 8 16 33 64
length-min|0.5|1..64
length-mix||
lengths|0 1|bimodal geometric mix uniform
matrix||
pattern||asymmetric bit-complement bit-reversal complement diagonal digit-neighbour hotspot identity many-to-1 matrix monotone neighbour packing permutation random \
random-permutation shuffle spreading tornado transpose
permutation||
self-traffic|0.2|-
short-share|0 0.5|0 0.25 0.9"""
CLASSES = """class-channels|0.3|reserved
class-length|0.6|1 2 5 9
class-pattern|0.3|complement neighbour random
class-priority|0.3|0 1 2 3
class-share|0.3|1 2 3 4
classes|0 1|2 3 4
outstanding|0 0.4|1 2 5
reply|0.6|1 3 8
reply-delay|0 0.4|1 7 100"""
RUN = """arrivals|0.4|on-off poisson
burst-off|0 0.5|1 30 5000
burst-on|0 0.5|1 30 5000
cycles||64 500 1777 6000
cycles-per-us|0.5|1 100 2500
delay-range|0.4|2 5 40 1000
length-mean|0 0.5|1..64
load||0.003 0.02 0.05 0.1 0.2 0.4 0.9
max-cycles|0.08|1 40 300 2000
phase-length|0 0.3|1 7 100
rounds|0.6|1 2 3 7
runs|0.6|1 2 3
seed||
trace||
warmup|0.8|0 1 200 1000
whole|0.2|-"""


def told(values: set[str]) -> str:
    if all(re.fullmatch(r"[\d.]+", value) for value in values):
        numbers = sorted(values, key=float)
        return f"{numbers[0]}..{numbers[-1]}" if len(numbers) > 9 else " ".join(numbers)
    return " ".join(sorted(value or "-" for value in values))


def tables(monkeypatch: pytest.MonkeyPatch, draw: Callable[[drawn.Lots], drawn.Options], times: int) -> tuple[str, list[drawn.Options]]:
    """What is drawn when nearly all that may be added is."""
    shares: dict[str, set[float]] = {}
    added = drawn.some

    def some(r: drawn.Lots, share: float, options: drawn.Options, **more: object) -> None:
        for name in more:
            shares.setdefault(name.replace("_", "-"), set()).add(share)
        added(r, share, options, **more)

    monkeypatch.setattr(drawn, "some", some)
    values: dict[str, set[str]] = {}
    every = []
    for k in range(times):
        r = drawn.Lots(f"{draw.__name__} {k}")
        r.eager = 1000
        every.append(draw(r))
        for name, value in every[-1].items():
            several = value.split(",") if name.startswith(("class-", "reply")) else [value]
            values.setdefault(name, set()).update(one.partition(":")[0] for one in several)
    for name in set(values) & {"length-mix", "matrix", "permutation", "seed", "trace"}:
        values[name] = set()
    return "\n".join(f"{name}|{' '.join(f'{share:g}' for share in sorted(shares.get(name, ())))}|{told(of) if of else ''}" for name, of in sorted(values.items())), every


def test_networks(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many processors as the options say; what only some topologies and disciplines take is only there."""
    counts = {}

    def network(r: drawn.Lots) -> drawn.Options:
        options: drawn.Options = {}
        nodes = drawn.network(r, tmp_path, options)
        counts[len(counts)] = nodes
        if options["topology"] == f"graph:{tmp_path}/graph.txt":
            assert (tmp_path / "graph.txt").read_text().startswith(f"nodes {nodes}\n") and 2 <= nodes <= 40
        return options

    text, every = tables(monkeypatch, network, 2000)
    assert text == NETWORK
    kinds: dict[str, set[str]] = {}
    for k, options in enumerate(every):
        kind, discipline = options["topology"].partition(":")[0], options.get("discipline", "worm")
        if "radix" in options:
            assert kind in ("torus", "mesh") and counts[k] == int(options["radix"]) ** int(options["dimensions"]) and \
                int(options["radix"]) <= (12, 8, 4)[int(options["dimensions"]) - 1]
        elif kind != "graph":
            assert counts[k] == int(options["nodes"]) and counts[k] in drawn.SIZES[kind]
        for name in options:
            kinds.setdefault(name, set()).add(kind)
        # A tenth of those that are no worms do not say so.
        assert discipline in ("worm", "phased") or not {"bandwidth", "injection", "link-latency", "head-latency", "force"} & set(options)
        assert discipline in ("worm", "phased") or options.get("path") not in ("rg", "rw", "north-last", "loose-hop")
        assert discipline == "worm" or not {"phases", "overhead", "start"} & set(options) - {"phased": {"phases"}, "split": {"overhead", "start"},
                                                                                             "store": {"start"}}.get(discipline, set())
        assert "input-bandwidth" not in options or options["bandwidth"] == "on-demand"
        assert kind != "fat-tree" or options.get("depth") != "unbounded" and int(options.get("vcs", "1")) in (1, 2, 4) and options.get("path", "rp") in drawn.FAT_TREE_PATHS
        assert kind == "fat-tree" or options.get("depth") != "7" and options.get("path", "e-cube") in drawn.CUBE_PATHS
    every_kind, cubes = kinds["topology"], {"torus", "mesh"}
    assert kinds["scan"] == kinds["flit-bits"] == {"fat-tree"} and kinds["processor-links"] == kinds["radix"] == cubes and kinds["path"] == cubes | {"fat-tree"}
    assert kinds["force"] == kinds["bandwidth"] == every_kind - {"fat-tree"} and kinds["vcs"] == kinds["depth"] == every_kind and kinds["nodes"] == every_kind - cubes - {"graph"}
    sizes = {(options["dimensions"], options["radix"]) for options in every if "radix" in options}
    assert {max(int(radix) for dimensions, radix in sizes if dimensions == d) for d in "1"} == {12} and ("2", "8") in sizes and ("3", "4") in sizes
    graphs = {counts[k] for k, options in enumerate(every) if options["topology"].startswith("graph")}
    assert min(graphs) == 2 and max(graphs) == 40
    channels = [int(options["vcs"]) for options in every if "vcs" in options and not options["topology"].startswith("fat-tree")]
    for count in (*(channels.count(v) for v in (1, 2, 3, 4)), sum(5 <= v <= 16 for v in channels), sum(v > 16 for v in channels)):
        assert abs(count - len(channels) / 6) < 5 * (len(channels) * 5 / 36) ** 0.5
    weights = dict(zip(("fat-tree", "torus", "mesh", "hypercube", "butterfly", "reverse-butterfly", "wrapped-butterfly", "graph"), (12, 5, 5, 2, 1, 1, 1, 2)))
    others = dict(zip(("phased", "store", "split", "univ", "cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol", "cmsv-butterfly"), (3, 5, 4, 2, .5, .5, .5, .5, .5)))
    there = Counter([options["topology"].partition(":")[0] for options in every] + [options.get("discipline", "worm") for options in every])
    for name, share in {**{name: weight / 29 for name, weight in weights.items()}, **{name: 0.9 * weight / 40.5 for name, weight in others.items()}}.items():
        assert abs(there[name] - len(every) * share) < 5 * (len(every) * share * (1 - share)) ** 0.5, name


def test_worms(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths go with the discipline; files are permutations and matrices of as many processors."""
    def worms(r: drawn.Lots) -> drawn.Options:
        options: drawn.Options = {"discipline": r.choice(("worm", "split", "phased", "store"))} if r.random() < 0.9 else {}
        discipline = options.get("discipline", "worm")
        drawn.worms_of(r, tmp_path, options, 5)
        pattern = options["pattern"]
        if pattern == "permutation":
            assert options["permutation"] == f"{tmp_path}/permutation.txt" and sorted((tmp_path / "permutation.txt").read_text().splitlines()) == list("01234")
        if pattern == "matrix":
            rows = [line.split() for line in (tmp_path / "matrix.txt").read_text().splitlines()]
            assert options["matrix"] == f"{tmp_path}/matrix.txt" and [len(row) for row in rows] == [5] * 5 and all(row[k] == "0" for k, row in enumerate(rows))
            entries.update(cell for a, row in enumerate(rows) for b, cell in enumerate(row) if a != b)
        for name, of in (("permutation", "permutation"), ("matrix", "matrix"), ("hotspot", "hotspot"), ("hotspot-node", "hotspot"), ("self-traffic", "random hotspot"),
                         ("density", "packing spreading monotone")):
            assert name not in options or pattern in of.split(), name
        length, lengths = int(options.get("length", "0")), options.get("lengths", "fixed")
        assert lengths == "fixed" or discipline != "store" and length != 1
        assert ("length-mix" in options) == ("length" not in options) >= (lengths == "mix")
        # A tenth of the kinds of lengths are not said.
        assert "length-min" not in options or lengths != "mix" and int(options["length-min"]) <= length
        assert "short-share" not in options or lengths in ("bimodal", "fixed")
        if "length-mix" in options:
            parts = [tuple(map(int, part.split(":"))) for part in options["length-mix"].split(",")]
            mixes.append(parts)
            assert parts == sorted(parts) and len({a for a, _ in parts}) == len(parts) and 2 <= len(parts) <= 4 and all(1 <= b <= 5 for _, b in parts)
        options.pop("discipline", None)
        return options

    entries: set[str] = set()
    mixes: list[Any] = []
    assert tables(monkeypatch, worms, 3000)[0] == WORMS and entries == set("0127")
    assert {part[-1][0] for part in mixes} == {2, 3, 4, 5, 8, 16, 33, 64} and {part[0][0] for part in mixes} >= {1, 2, 3} and \
        {b for part in mixes for _, b in part} == {1, 2, 3, 4, 5}


def test_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many values as classes; with replies as many priorities again."""
    def classes(r: drawn.Lots) -> drawn.Options:
        options: drawn.Options = {"topology": r.choice(("fat-tree", "torus"))}
        fat = options["topology"] == "fat-tree"
        drawn.classes_of(r, options)
        several = [options[name].count(",") + 1 for name in ("class-length", "class-pattern", "class-share", "reply") if name in options]
        count = int(options.get("classes", several[0] if several else 1))    # a tenth of them do not say so
        found[count] = found.get(count, 0) + 1
        for name in ("class-length", "class-pattern", "class-share", "reply"):
            assert options.get(name, "," * (count - 1)).count(",") == count - 1
        replies = "reply" in options
        assert not replies or count < 3
        assert replies or "reply-delay" not in options and "outstanding" not in options
        assert not fat or "class-priority" not in options and "class-channels" not in options
        assert options.get("class-priority", "," * (count * (1 + replies) - 1)).count(",") == count * (1 + replies) - 1
        del options["topology"]
        return options

    found: dict[int, int] = {}
    assert tables(monkeypatch, classes, 1500)[0] == CLASSES and min(found[1], found[2]) > 1.5 * max(found[3], found[4]) > 1.5 * min(found[3], found[4]) > 150


def test_traces(tmp_path: pathlib.Path) -> None:
    """Of up to 200 messages, in order of time, never from a processor to itself; gaps and sizes of each kind."""
    gaps, sizes, counts, ends = Counter[int](), Counter[str](), set(), set()
    for k in range(60):
        drawn.trace(drawn.Lots(k), tmp_path / "t.csv", 3)
        head, *lines = (tmp_path / "t.csv").read_text().splitlines()
        assert head == "t_ns,src,dst,bytes"
        counts.add(len(lines))
        now = 0
        for line in lines:
            t, src, dst, size = line.split(",")
            gaps[int(t) - now] += 1
            now = int(t)
            ends.add((src, dst))
            sizes[size] += 1
    assert ends == {(a, b) for a in "012" for b in "012" if a != b} and set(sizes) == {"0", "1", "4", "64", "300"} and min(counts) < 9 and 190 < max(counts) <= 200
    whole = sum(gaps.values())
    assert set(gaps) == {0, 3, 50, 10 ** 4, 10 ** 9} and abs(gaps[0] - whole / 3) < 5 * (whole * 2 / 9) ** 0.5


def test_options(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an open loop, of static runs or of a trace, each about as often as it says; few options, some or nearly all."""
    eager = Counter[float]()
    modes = Counter[str]()

    def lots(r: drawn.Lots) -> drawn.Options:
        options = drawn.options_of(r, tmp_path)
        eager[r.eager] += 1
        loop, trace = "load" in options, "trace" in options
        phased = options.get("discipline", "") in ("phased", "univ") or "cmsv" in options.get("discipline", "")
        modes["loop" if loop else "trace" if trace else "static"] += 1
        modes["may loop"] += not phased
        modes["random loop"] += loop and options["pattern"] == "random"
        modes["classes"] += any(name.startswith("class") or name == "reply" for name in options)
        assert loop == ("cycles" in options) and not (loop and phased) and (loop or not {"warmup", "arrivals", "burst-on", "whole", "classes", "reply"} & set(options))
        assert ("burst-on" in options) == ("burst-off" in options) and ("burst-on" not in options or options["arrivals"] == "on-off")
        assert trace == (options["pattern"] == "trace") and (not trace or options["trace"] == f"{tmp_path}/trace.csv" and not {
            "lengths", "length-min", "length-mix", "short-share", "self-traffic", "density", "hotspot", "hotspot-node", "permutation", "matrix", "length"} & set(options))
        assert trace or "cycles-per-us" not in options
        assert loop or trace or "load" not in options
        assert not (loop or trace) or not {"rounds", "delay-range"} & set(options)
        assert "phase-length" not in options or options["discipline"] == "phased"
        assert "length-mean" not in options or options["lengths"] == "geometric" and int(options["length-mean"]) <= int(options["length"])
        assert not {"classes", "reply"} & set(options) or options["pattern"] == "random"
        seeds.append(int(options["seed"]))
        return {name: value for name, value in options.items() if any(line.startswith(f"{name}|") for line in RUN.splitlines())}

    seeds: list[int] = []
    text, every = tables(monkeypatch, lots, 1000)
    assert [line for line in text.splitlines() if line.partition("|")[0] not in ("length-mean", "burst-on", "burst-off")] == [
        line for line in RUN.splitlines() if line.partition("|")[0] not in ("length-mean", "burst-on", "burst-off")]
    for line in RUN.splitlines():
        assert line.rpartition("|")[0] in text, line
    count = len(every)
    assert set(eager) == {0.3, 1, 4}

    def near(found: int, share: float, of: int = count) -> bool:
        return abs(found - share * of) < 5 * (of * share * (1 - share)) ** 0.5

    assert near(eager[1], 0.5) and near(eager[4], 0.25) and near(modes["loop"], 0.45, modes["may loop"]) and near(modes["trace"], 0.1, count - modes["loop"])
    assert near(modes["classes"], 0.2, modes["random loop"]) and near(sum(seed >= 10 ** 18 for seed in seeds), 0.1 * (1 - 10 ** 18 / 2 ** 64)) and max(seeds) > 2 ** 63
    assert max(seed for seed in seeds if seed < 10 ** 18) > 0.9 * 10 ** 18


@pytest.mark.parametrize("eager, share, found", [(1, 0.3, 0.3), (0.3, 0.5, 0.15), (4, 0.2, 0.8), (4, 0.3, 0.9), (1, 1, 0.9), (4, 0, 0)])
def test_how_often_an_option_is_added(eager: float, share: float, found: float) -> None:
    r, count = drawn.Lots(1), 0
    r.eager = eager
    for _ in range(2000):
        options: drawn.Options = {}
        drawn.some(r, share, options, length_min=3, force="")
        assert options in ({}, {"length-min": "3", "force": ""})
        count += bool(options)
    assert abs(count - 2000 * found) <= 5 * (2000 * found * (1 - found)) ** 0.5


def test_weights(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of topologies and disciplines, each; how often a torus has two dimensions."""
    asked: list[Any] = []
    monkeypatch.setattr(drawn.Lots, "choices", lambda self, of, weights: asked.append(dict(zip(of, weights))) or ["torus" if "torus" in of else "worm"])
    r = drawn.Lots(1)
    dimensions = Counter[str]()
    for _ in range(500):
        options: drawn.Options = {}
        drawn.network(r, tmp_path, options)
        dimensions[options["dimensions"]] += 1
    assert asked[0] == {"fat-tree": 12, "torus": 5, "mesh": 5, "hypercube": 2, "butterfly": 1, "reverse-butterfly": 1, "wrapped-butterfly": 1, "graph": 2}
    assert asked[1] == {"worm": 24, "phased": 3, "store": 5, "split": 4, "univ": 2} | dict.fromkeys(("cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol", "cmsv-butterfly"), .5)
    assert abs(dimensions["2"] - 300) < 5 * 120 ** 0.5


def test_the_same_in_words_and_settings() -> None:
    options = {"nodes": "16", "load": "0.05", "force": "", "pattern": "random", "seed": str(2 ** 31), "length": str(2 ** 31 - 1), "class-length": "1,2", "class-share": "3",
               "reply": "8", "reply-delay": "7", "length-mix": "1:2", "density": "1."}
    assert drawn.words_of(options) == ("--nodes 16 --load 0.05 --force --pattern random --seed 2147483648 --length 2147483647 --class-length 1,2 --class-share 3 --reply 8 "
                                       "--reply-delay 7 --length-mix 1:2 --density 1.").split()
    assert drawn.settings_of(options) == ('nodes = 16;\nload = 0.05;\nforce = true;\npattern = "random";\nseed = 2147483648L;\nlength = 2147483647;\nclass_length = "1,2";\n'
                                          'class_share = "3";\nreply = "8";\nreply_delay = 7;\nlength_mix = "1:2";\ndensity = 1.;\n')


# -- switches and cases ---------------------------------------------------------------------------

def test_switches() -> None:
    """Either is drawn, or what is asked for; networks of up to 64 processors if none is, of any depth and width."""
    rows = {what: [drawn.switch_of(drawn.Lots(f"{what} {k}"), what) for k in range(200)] for what in (None, True, False)}
    assert all(row["level"] == 0 for row in rows[True]) and all(row["level"] > 0 for row in rows[False])
    free = [row for row in rows[None] if row["level"] == 0]
    assert abs(len(free) - 100) < 36 and {row["levels"] for row in free} == {1, 2, 3} and {row["levels"] for row in rows[True]} == set(cover.NETWORK_LEVELS) and \
        len(cover.NETWORK_LEVELS) > 3
    every = [row for some in rows.values() for row in some]
    assert {row["depth"] for row in every} == set(range(1, 17)) and {row["flit_w"] for row in every} == set(range(16, 65)) and {row["vcs"] for row in every} == {1, 2, 4}


def test_cases() -> None:
    switch = {"level": 2, "levels": 3, "vcs": 4, "depth": 5, "flit_w": 33, "path": "rg", "scan": "rot"}
    rest = 'vcs = 4;\ndepth = 5;\nflit_bits = 33;\npath = "rg";\nscan = "rot";\nverilog = "bare";\n'
    assert drawn.machine(switch, "bare") == "level = 2;\nlevels = 3;\n" + rest and drawn.machine({**switch, "level": 0}, "bare") == "nodes = 64;\n" + rest
    seen: dict[str, set[float]] = {}
    for k in range(150):
        text = drawn.case_of(drawn.Lots(k), switch)
        assert text.startswith(drawn.machine(switch, "reference"))
        for name, value in re.findall(r"^(\w+) = (.*);$", text.removeprefix(drawn.machine(switch, "reference")), re.M):
            seen.setdefault(name, set()).add(float(value))
    assert 10 ** 17 < max(seen.pop("seed")) < 10 ** 18
    assert seen == {"stall": {0, 30, 70}, "load": {0.05, 0.3, 0.9}, "cycles": {50, 300, 1500}, "length": {1, 2, 5, 16}}


@pytest.mark.parametrize("level, links", [(1, 6), (0, 16)])
def test_faults(level: int, links: int) -> None:
    """A bit of a word, of a link or of a flit, in the first cycle, the last or any; of flits only where there are some."""
    row = {"level": level, "levels": 2, "vcs": 2}
    seen: dict[str, list[tuple[int, int, int]]] = {}
    for k in range(3000):
        what, *where = drawn.fault_of(drawn.Lots(k), row, 40, 7)
        seen.setdefault(what, []).append((where[0], where[1], where[2]))
        assert drawn.fault_of(drawn.Lots(k), row, 40, 0)[0] not in drawn.OF_A_FLIT
    assert set(seen) == {"state", "valid", "room", "payload", *drawn.OF_A_FLIT} and drawn.OF_A_FLIT == ("bend", "lose", "twice", "astray")
    assert len(seen["state"]) > 1.5 * len(seen["valid"])
    for what, places in seen.items():
        place, bit, at = ({found[k] for found in places} for k in range(3))
        bits = {"state": 32, "payload": 64, "bend": 64, "valid": 2, "room": 2}.get(what, 1)
        assert bit <= set(range(bits)) and len(bit) > 0.9 * bits and {0, bits - 1} <= bit, what
        assert at <= set(range(40)) and (len(at) > 37 or what != "state") and sum(found[2] == 0 for found in places) > len(places) / 5 < sum(found[2] == 39 for found in places)
        if what == "state":
            thirds = [sum(low <= p < high for p in (found[0] for found in places)) for low, high in ((0, 54), (54, 6000), (6000, 2 ** 32))]
            assert all(abs(count - len(places) / 3) < len(places) / 10 for count in thirds) and max(place) > 2 ** 31
        else:
            assert place == set(range(7 if what in drawn.OF_A_FLIT else links)), what
