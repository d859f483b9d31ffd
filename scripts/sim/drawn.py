# SPDX-License-Identifier: Apache-2.0
"""drawn.py - what trials.py runs: options of `fatfly run`, over all topologies and disciplines; switches and networks, cases of
co-simulation for them, and faults.  An option that the others do not go with may be among those of a run; what the command refuses
is left out there.
"""
from __future__ import annotations

import pathlib
import random
import re

import cover                            # of tb/spec, which trials.py can import

OF_A_FLIT = ("bend", "lose", "twice", "astray")         # faults that wait for a flit; the others have a cycle
Options = dict[str, str]                # --nodes 16 is {"nodes": "16"}; a switch has the value ""

FAT_TREE_PATHS = ("fp", "rp", "gp", "rg", "rw")
SCANS = ("rr", "fo", "ff", "rot", "fcfs")
CUBE_PATHS = ("e-cube", "e-cube", "positive-hop", "negative-hop", "north-last", "minimal-adaptive", "loose-hop", "balanced-e-cube")
PATTERNS = ("random", "random", "random", "complement", "many-to-1", "transpose", "bit-reversal", "bit-complement", "shuffle",
            "neighbour", "hotspot", "identity", "random-permutation", "packing", "spreading", "monotone", "tornado",
            "digit-neighbour", "diagonal", "asymmetric", "permutation", "matrix")
SIZES = {"fat-tree": (4, 16, 16, 64, 64, 256), "hypercube": (4, 8, 32, 64), "butterfly": (4, 8, 32),
         "reverse-butterfly": (4, 8, 32), "wrapped-butterfly": (4, 8, 32)}


class Lots(random.Random):
    """Random draws.  A run has few options, some, or nearly all that may be: faults may need several together."""
    eager = 1.0


def some(r: Lots, share: float, options: Options, **more: object) -> None:
    """Adds these options with about that probability."""
    if r.random() < min(share * r.eager, 0.9):
        options.update({k.replace("_", "-"): str(v) for k, v in more.items()})


def graph(r: Lots, nodes: int) -> str:
    """A network of that many nodes in which each reaches each: a ring of them in some order, and more links."""
    order = r.sample(range(nodes), nodes)
    links = dict.fromkeys((order[k - 1], order[k]) for k in range(nodes))
    for a in range(nodes):
        links.update(dict.fromkeys((a, b) for b in r.sample(range(nodes), r.choice((0, 1, min(3, nodes)))) if b != a))
    lines = [f"link {a} {b}" for a, b in links]
    r.shuffle(lines)
    return "\n".join([f"nodes {nodes}", *lines, ""])


def network(r: Lots, home: pathlib.Path, options: Options) -> int:
    """A topology, a discipline and what they take; the number of processors."""
    topology = r.choices(("fat-tree", "torus", "mesh", "hypercube", "butterfly", "reverse-butterfly", "wrapped-butterfly", "graph"),
                         (12, 5, 5, 2, 1, 1, 1, 2))[0]
    options["topology"] = topology
    if topology in ("torus", "mesh"):
        dimensions = r.choice((1, 2, 2, 2, 3))
        radix = r.randint(2, (12, 8, 4)[dimensions - 1])
        options |= {"radix": str(radix), "dimensions": str(dimensions)}
        nodes = radix ** dimensions
    elif topology == "graph":
        nodes = r.randint(2, 40)
        (home / "graph.txt").write_text(graph(r, nodes), encoding="ascii")
        options["topology"] = f"graph:{home / 'graph.txt'}"
    else:
        nodes = r.choice(SIZES[topology])
        options["nodes"] = str(nodes)
    discipline = r.choices(("worm", "phased", "store", "split", "univ", "cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol",
                            "cmsv-butterfly"), (24, 3, 5, 4, 2, .5, .5, .5, .5, .5))[0]
    some(r, discipline != "worm", options, discipline=discipline)
    worms = discipline in ("worm", "phased")
    some(r, 0.7, options, depth=r.choice((1, 2, 3, 4, 5, 8, 16, "unbounded" if topology != "fat-tree" else 7)))
    if topology == "fat-tree":
        some(r, 0.3 if worms else 0.05, options, flit_bits=r.randint(16, 64))
        some(r, 0.6 if worms else 0.02, options, vcs=r.choice((1, 2, 4)))
        some(r, 0.8, options, path=r.choice(FAT_TREE_PATHS if worms else ("fp", "rp", "gp")))
        some(r, 0.7, options, scan=r.choice(SCANS))
    else:
        some(r, 0.5 if worms else 0.05, options, vcs=r.choice((1, 2, 3, 4, r.randint(5, 16), r.randint(17, 129))))
        if topology in ("torus", "mesh"):
            some(r, 0.6, options, path=r.choice(CUBE_PATHS if worms else ("e-cube",)))
        if worms:
            some(r, 0.4, options, bandwidth=r.choice(("fixed-share", "on-demand", "on-demand")))
            some(r, 0.2, options, injection="per-channel")
            some(r, 0.2, options, channel_release="tail-sent")
            some(r, 0.15, options, channels_in_turn="")
            some(r, 0.15, options, link_bandwidth=r.choice((2, 3, 64)))
            some(r, 0.25 if options.get("bandwidth") == "on-demand" else 0, options, input_bandwidth=r.choice((1, 2)))
            some(r, 0.2, options, link_latency=r.choice((2, 3, 9)))
            some(r, 0.2, options, router_latency=r.choice((1, 2, 5)))
            some(r, 0.15, options, head_latency=r.choice((1, 2, 4)))
            some(r, 0.3, options, force="")
        if topology in ("torus", "mesh"):
            some(r, 0.15, options, processor_links="")
    some(r, 0.1 if discipline in ("store", "split") else 0, options, start="waiting")
    some(r, 0.3 if discipline == "split" else 0, options, overhead=r.choice((0.25, 0.5, 1)))
    some(r, 0.4 if discipline == "phased" else 0, options, phases=r.randint(1, 40))
    return nodes


def worms_of(r: Lots, home: pathlib.Path, options: Options, nodes: int) -> None:
    """Where worms go and how long they are."""
    options["pattern"] = pattern = r.choice(PATTERNS)
    if pattern == "permutation":
        to = list(range(nodes))
        r.shuffle(to)
        (home / "permutation.txt").write_text("".join(f"{a}\n" for a in to), encoding="ascii")
        options["permutation"] = str(home / "permutation.txt")
    if pattern == "matrix":
        (home / "matrix.txt").write_text("".join(" ".join(str(r.choice((0, 1, 2, 7)) if a != b else 0) for b in range(nodes)) + "\n"
                                                   for a in range(nodes)), encoding="ascii")
        options["matrix"] = str(home / "matrix.txt")
    if pattern == "hotspot":
        some(r, 0.7, options, hotspot=r.choice((0.01, 0.2, 1)))
        some(r, 0.5, options, hotspot_node=r.randrange(nodes))
    if pattern in ("random", "hotspot"):
        some(r, 0.2, options, self_traffic="")
    if pattern in ("packing", "spreading", "monotone"):
        some(r, 0.5, options, density=r.choice((0, 0.1, 0.8, 1)))
    length = r.choice((1, 2, 2, 3, 4, 5, 8, 16, 33, 64))
    options["length"] = str(length)
    if length > 1 and options.get("discipline", "worm") in ("worm", "split", "phased"):
        lengths = r.choice(("fixed", "fixed", "uniform", "geometric", "bimodal", "mix"))
        some(r, lengths != "fixed", options, lengths=lengths)
        if lengths == "mix":
            del options["length"]
            options["length-mix"] = ",".join(f"{x}:{r.randint(1, 5)}" for x in sorted({length, *r.sample(range(1, length + 1), min(3, length))}))
        elif lengths != "fixed":
            some(r, 0.5, options, length_min=r.randint(1, length))
            some(r, 0.5 if lengths == "bimodal" else 0, options, short_share=r.choice((0, 0.25, 0.9)))


def classes_of(r: Lots, options: Options) -> None:
    classes = r.choice((1, 1, 2, 2, 3, 4))
    some(r, classes > 1, options, classes=classes)
    several = [r.choice((1, 2, 5, 9)) for _ in range(classes)]
    some(r, 0.6, options, class_length=",".join(map(str, several)))
    some(r, 0.3, options, class_pattern=",".join(r.choice(("random", "complement", "neighbour")) for _ in several))
    some(r, 0.3, options, class_share=",".join(str(r.randint(1, 4)) for _ in several))
    if classes < 3:
        some(r, 0.6, options, reply=",".join(str(r.choice((1, 3, 8))) for _ in several))
        some(r, 0.4 if "reply" in options else 0, options, reply_delay=r.choice((1, 7, 100)))
        some(r, 0.4 if "reply" in options else 0, options, outstanding=r.choice((1, 2, 5)))
    if options["topology"] != "fat-tree":
        some(r, 0.3, options, class_priority=",".join(str(r.randint(0, 3)) for _ in range(2 * classes if "reply" in options else classes)))
        some(r, 0.3, options, class_channels="reserved")


def trace(r: Lots, file: pathlib.Path, nodes: int) -> None:
    """Some messages between processors, with gaps of none to seconds."""
    lines, now = ["t_ns,src,dst,bytes\n"], 0
    for _ in range(r.randint(1, 200)):
        now += r.choice((0, 0, 3, 50, 10 ** 4, 10 ** 9))
        src = r.randrange(nodes)
        lines.append(f"{now},{src},{(src + r.randrange(1, nodes)) % nodes},{r.choice((0, 1, 4, 64, 300))}\n")
    file.write_text("".join(lines), encoding="ascii")


def options_of(r: Lots, home: pathlib.Path) -> Options:
    """Options of a run, most of which it takes; the files that they name are written to the folder."""
    options = Options()
    r.eager = r.choice((0.3, 1, 1, 4))
    nodes = network(r, home, options)
    worms_of(r, home, options, nodes)
    if r.random() < 0.45 and options.get("discipline") not in ("phased", "univ") and "cmsv" not in options.get("discipline", ""):
        options |= {"load": str(r.choice((0.003, 0.02, 0.05, 0.1, 0.2, 0.4, 0.9))), "cycles": str(r.choice((64, 500, 1777, 6000)))}
        some(r, 0.8, options, warmup=r.choice((0, 1, 200, 1000)))
        some(r, 0.4, options, arrivals=r.choice(("poisson", "on-off")))
        some(r, 0.5 if options.get("arrivals") == "on-off" else 0, options, burst_on=r.choice((1, 30, 5000)), burst_off=r.choice((1, 30, 5000)))
        some(r, 0.2, options, whole="")
        if r.random() < 0.25 and options["pattern"] == "random":
            classes_of(r, options)
    elif r.random() < 0.1 and nodes > 1:
        trace(r, home / "trace.csv", nodes)
        for name in ("lengths", "length-min", "length-mix", "short-share", "self-traffic", "density", "hotspot", "hotspot-node",
                     "permutation", "matrix", "length"):
            options.pop(name, None)
        options |= {"pattern": "trace", "trace": str(home / 'trace.csv')}
        some(r, 0.5, options, cycles_per_us=r.choice((1, 100, 2500)))
    else:
        some(r, 0.6, options, rounds=r.choice((1, 2, 3, 7)))
        some(r, 0.4, options, delay_range=r.choice((2, 5, 40, 1000)))
    some(r, 0.6, options, runs=r.randint(1, 3))
    some(r, 0.08, options, max_cycles=r.choice((1, 40, 300, 2000)))
    options["seed"] = str(r.randrange(10 ** 18 if r.random() < 0.9 else 2 ** 64))
    some(r, 0.3 if options.get("discipline") == "phased" else 0, options, phase_length=r.choice((1, 7, 100)))
    some(r, 0.5 if options.get("lengths") == "geometric" else 0, options, length_mean=r.randint(1, int(options.get("length", "1"))))
    return options


def words_of(options: Options) -> list[str]:
    return [word for name, value in options.items() for word in ((f"--{name}", value) if value else (f"--{name}",))]


def settings_of(options: Options) -> str:
    """The same as a configuration."""
    def value(name: str, text: str) -> str:
        if not text:
            return "true"
        number = re.fullmatch(r"[0-9.]+", text) and not name.startswith(("class-", "reply")) or name == "reply-delay"
        return text + ("L" if text.isdigit() and int(text) >= 2 ** 31 else "") if number else f'"{text}"'
    return "".join(f"{name.replace('-', '_')} = {value(name, text)};\n" for name, text in options.items())


# -- switches and networks of butterfly fat-trees --------------------------------------------------------

def switch_of(r: Lots, network_: bool | None = None) -> cover.Row:
    """A switch or a network, with any depth and width; by default either, the network up to N = 64."""
    sizes = {"depth": "1-16", "flit_w": "16-64"}
    if network_ is None and r.random() < 0.5:
        return cover.draw(cover.values_from({**sizes, "levels": "1-3"}, True), {}, r)
    return cover.draw(cover.values_from(sizes, bool(network_)), {}, r)


def machine(row: cover.Row, verilog: str) -> str:
    """The configuration of a switch or network, up to its traffic; verilog: fast, reference or bare."""
    where = f"level = {row['level']};\nlevels = {row['levels']};" if row["level"] else f"nodes = {4 ** row['levels']};"
    return (f'{where}\nvcs = {row["vcs"]};\ndepth = {row["depth"]};\nflit_bits = {row["flit_w"]};\npath = "{row["path"]}";\n'
            f'scan = "{row["scan"]}";\nverilog = "{verilog}";\n')


def case_of(r: Lots, row: cover.Row) -> str:
    """A case of co-simulation, in which the C model stands for the reference switch."""
    return machine(row, "reference") + (
        f"seed = {r.randrange(10 ** 18)};\nstall = {r.choice((0, 30, 70))};\n"
        f"load = {r.choice((0.05, 0.3, 0.9))};\ncycles = {r.choice((50, 300, 1500))};\nlength = {r.choice((1, 2, 5, 16))};\n")


def fault_of(r: Lots, row: cover.Row, cycles: int, flits: int) -> tuple[str, int, int, int]:
    """What goes wrong, where (a word, a link, or the number of a flit), in which bit, and in which cycle (tb/judge/faulty.h)."""
    what = r.choice(("state", "state", "valid", "room", "payload", *(OF_A_FLIT if flits else ())))
    links = 6 if row["level"] else 4 ** row["levels"]
    words = r.choice((54, 6000, 2 ** 32))  # of the first switch, of some, and the last of all
    place = r.randrange(words if what == "state" else flits if what in OF_A_FLIT else links)
    bits = {"state": 32, "payload": 64, "bend": 64, "valid": row["vcs"], "room": row["vcs"]}
    return what, place, r.randrange(bits.get(what, 1)), r.choice((0, cycles - 1, r.randrange(cycles)))
