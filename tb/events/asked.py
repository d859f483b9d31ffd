# SPDX-License-Identifier: Apache-2.0
"""asked.py - whether the log of a run (docs/events.md) shows what was asked for, written anew from the pages: the links of the
network, how many worms come from where and when, where they go, how long they are, which replies follow, over how many links they
go, and how long a worm takes that is alone.

What is random is judged by chances: it is wrong if they are below 10^-17.  Not judged are geometric lengths, bursts, whether a matrix is
followed in its shares, arbitration on fat-trees and for shares of links on demand, and which of several shortest paths is taken; of disciplines
that send copies, the links alone.
"""
from __future__ import annotations

import bisect
import collections
import csv
import functools
import gzip
import math
import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Options = dict[str, str]                # --nodes 16 is {"nodes": "16"}; a switch has the value ""
LEAST = 40                              # e^-40 = 4 * 10^-18
QUIET = 200                             # cycles without any other worm, after which a worm counts as alone
WORMS = ("worm", "phased")
LEIGHTON = ("packing", "spreading", "monotone", "random-permutation")
LAST_LEVEL = 23
PLAIN = (*WORMS, "store", "split")      # the other disciplines send copies


class Worm(NamedTuple):
    number: int
    src: int
    dst: int
    flits: int
    ready: int


class Log:
    """What a log says; `links` by their numbers, `hops` the links that the head of each worm crossed, in order."""

    def __init__(self, file: pathlib.Path) -> None:
        self.links: dict[int, tuple[int, int]] = {}
        self.enter: dict[int, int] = {}
        self.leave: dict[int, int] = {}
        self.worms: list[Worm] = []
        self.arrived: dict[int, int] = {}
        self.hops: dict[int, list[int]] = collections.defaultdict(list)
        self.channels: dict[int, list[int]] = collections.defaultdict(list) # that it took there
        self.crossings: dict[int, list[tuple[int, int, int]]] = collections.defaultdict(list) # .. from which cycle, how many, waited before
        self.heads: list[tuple[int, int, int]] = [] # cycle, link, and cycles that it had waited
        self.tails: list[tuple[int, int, int, int]] = [] # last and first cycle of the crossing, link, worm
        self.left: dict[int, list[int]] = collections.defaultdict(list) # the last alone, link by link
        with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="ascii") as lines:  # type: ignore[operator]
            rows: csv.DictReader[str] = csv.DictReader(self.without(lines))
            for row in rows:
                if row["event"] == "ready":
                    self.worms.append(Worm(*(int(row[name]) for name in ("worm", "src", "dst", "flits", "cycle"))))
                elif row["event"] == "arrived":
                    self.arrived[int(row["worm"])] = int(row["cycle"])
                elif row["event"] == "move":
                    cycle, link, worm = (int(row[name]) for name in ("cycle", "link", "worm"))
                    if row["kind"] in ("head", "single", "packet"):
                        self.hops[worm].append(link)
                        self.channels[worm].append(int(row["channel"] or 0))
                        self.crossings[worm].append((cycle, int(row["cycles"]), int(row["waited"])))
                        self.heads.append((cycle, link, int(row["waited"])))
                    if row["kind"] in ("tail", "single", "packet"):
                        self.tails.append((cycle + int(row["cycles"]) - 1, cycle, link, worm))
                        self.left[worm].append(self.tails[-1][0])

    def without(self, lines: Iterator[str]) -> Iterator[str]:
        """The table; what the other lines say is kept."""
        for line in lines:
            if not line.startswith("#"):
                yield line
            elif line.startswith("# link "):
                number, a, b = map(int, line.split()[2:])
                self.links[number] = (a, b)
            elif line.startswith("# processor "):
                number, self.enter[number], self.leave[number] = map(int, line.split()[2:])
            elif line.startswith(("# network ", "# run ")):
                said = dict(item.split("=", 1) for item in line.split()[2:])
                if line.startswith("# network "):
                    self.network = said
                    self.processors = int(said["processors"])
                else:
                    self.end = said


def unlikely(hits: int, of: int, chance: float) -> bool:
    """Whether so many of independent draws are out of question (Chernoff's bound)."""
    if of == 0 or chance <= 0 or chance >= 1:
        return of > 0 and hits != (of if chance >= 1 else 0)
    share = hits / of
    far = sum(p * math.log(p / q) for p, q in ((share, chance), (1 - share, 1 - chance)) if p)
    return far * of > LEAST


def too_many_or_few(count: int, mean: float) -> bool:
    """The same of arrivals at a given rate."""
    return (count * math.log(count / mean) if count else 0) - count + mean > LEAST


# -- the network (docs/topologies.md) ------------------------------------------------------------------

def shape(o: Options, log: Log) -> tuple[int, int]:
    """Radix and dimensions of a torus or mesh."""
    n = int(o.get("dimensions", 2))
    nodes = log.processors
    radix = int(o.get("radix", 0)) or round(nodes ** (1 / n))
    return radix, n if "dimensions" in o or "radix" not in o else round(math.log(nodes, radix))


def wanted_links(o: Options, log: Log) -> collections.Counter[tuple[int, int]] | None:
    """The links that such a network has, None if another place says so."""
    topology, links = o.get("topology", "fat-tree"), []
    if topology.startswith("graph:"):
        words = [line.split("#")[0].split() for line in pathlib.Path(topology[6:]).read_text(encoding="ascii").splitlines()]
        links = [(int(w[1]), int(w[2])) for w in words if w and w[0] == "link"]
    elif topology in ("torus", "mesh"):
        k, n = shape(o, log)
        for a in range(k ** n):
            for d in range(n):
                digit = a // k ** d % k
                for step in (1, -1):
                    if topology == "torus" or 0 <= digit + step < k:
                        links.append((a, a + ((digit + step) % k - digit) * k ** d))
        if "processor-links" in o:
            links += [pair for a in range(k ** n) for pair in ((k ** n + a, a), (a, 2 * k ** n + a))]
    elif topology == "hypercube":
        links = [(a, a ^ 1 << bit) for a in range(log.processors) for bit in range(log.processors.bit_length() - 1)]
    else:
        return None
    return collections.Counter(links)


def network_wrong(o: Options, log: Log) -> str:
    want, got = wanted_links(o, log), collections.Counter(log.links.values())
    if want is None or want == got:
        return ""
    return f"links that the network should not have: {sorted((got - want).elements())[:3]}, that it lacks: {sorted((want - got).elements())[:3]}"


def distances(log: Log, start: int) -> dict[int, int]:
    """Links from a node to each that can be reached."""
    ways = collections.defaultdict(list)
    for a, b in log.links.values():
        ways[a].append(b)
    far, queue = {start: 0}, collections.deque([start])
    while queue:
        a = queue.popleft()
        for b in ways[a]:
            if b not in far:
                far[b] = far[a] + 1
                queue.append(b)
    return far


def given_paths(o: Options) -> bool:
    """Whether worms may take other paths than shortest ones."""
    topology = o.get("topology", "")
    return o.get("path") == "walk" or (topology.startswith("graph:") and any(
        line.startswith(("next", "path")) for line in pathlib.Path(topology[6:]).read_text(encoding="ascii").splitlines()))


def paths_wrong(o: Options, log: Log) -> str:
    """Every worm that arrived has gone from its source to its destination over as few links as there can be."""
    if o.get("discipline", "worm") not in (*WORMS, "store"):
        return ""
    far: dict[int, dict[int, int]] = {}
    for worm in log.worms:
        hops = log.hops[worm.number]
        if worm.number not in log.arrived:
            continue
        start, end = log.enter.get(worm.src, worm.src), log.leave.get(worm.dst, worm.dst)
        if start not in far:
            far[start] = distances(log, start)
        nodes = [log.links[hop] for hop in hops]
        if [a for a, _ in nodes] != [start, *(b for _, b in nodes[:-1])] or nodes[-1][1] != end:
            return f"worm {worm.number} does not go from node {start} to node {end}: links {hops}"
        if len(hops) != far[start][end] and not given_paths(o):
            return f"worm {worm.number} takes {len(hops)} links from node {start} to node {end}, {far[start][end]} are enough"
    return ""


def channels_wrong(o: Options, log: Log) -> str:
    """Dimension after dimension, and the channels that e-cube and the hop schemes prescribe on tori, meshes and hypercubes."""
    topology, path = o.get("topology", ""), o.get("path", "e-cube")
    if topology not in ("torus", "mesh", "hypercube") or o.get("discipline", "worm") not in WORMS or o.get("class-channels") == "reserved":
        return ""
    k, n = (2, log.processors.bit_length() - 1) if topology == "hypercube" else shape(o, log)
    nodes, half = k ** n, int(log.network["channels"]) // 2
    parity = [sum(a // k ** d % k for d in range(n)) % 2 for a in range(nodes)]
    upper: dict[int, bool] = {}         # balanced: of an even or odd number of hops along a ring
    for worm in log.worms:
        way = [(log.links[hop], channel) for hop, channel in zip(log.hops[worm.number], log.channels[worm.number]) if max(log.links[hop]) < nodes]
        dims = [next(d for d in range(n) if a // k ** d % k != b // k ** d % k) for (a, b), _ in way]
        said = f"worm {worm.number} takes {[(*link, channel) for link, channel in way]}"
        if path.endswith("e-cube") and dims != sorted(dims):
            return f"{said}: dimensions are out of order"
        if path == "positive-hop" and [channel for _, channel in way] != list(range(len(way))):
            return f"{said}: the channel is not the number of hops"
        if path == "negative-hop" and [channel for _, channel in way] != [sum(parity[a] for (a, _), _ in way[:hop]) for hop in range(len(way))]:
            return f"{said}: the channel is not the number of hops from odd nodes"
        for d in range(n) if path.endswith("e-cube") and topology == "torus" and k > 2 and worm.number in log.arrived else ():
            ring = [(a // k ** d % k, b // k ** d % k, channel >= half) for ((a, b), channel), at in zip(way, dims) if at == d]
            wraps = [abs(a - b) > 1 for a, b, _ in ring]
            if any(wraps) or path == "e-cube":
                want = [True not in wraps[hop:] for hop in range(len(ring))]
            elif ring:
                want = [upper.setdefault(len(ring) % 2, ring[0][2])] * len(ring)
            else:
                continue
            if half and [high for *_, high in ring] != want:
                return f"{said}: the wrong half of the channels in dimension {d}"
            if ring and 2 * len(ring) == k and (ring[0][0] % 2 == 0) != ((ring[0][1] - ring[0][0]) % k == 1):
                return f"{said}: of two ways round the ring the wrong one"
    if len(set(upper.values())) < len(upper):
        return "balanced-e-cube: even and odd numbers of hops take the same half"
    return ""


def alone(o: Options, log: Log, d: int, flits: int) -> int:
    """Cycles of a worm alone over d links."""
    share = 1
    if o.get("topology", "fat-tree") != "fat-tree" and o.get("bandwidth", "fixed-share") == "fixed-share":
        share = -(-int(log.network["channels"]) // int(o.get("link-bandwidth", 1)))
    link, router, head = (int(o.get(name, default)) for name, default in (("link-latency", 1), ("router-latency", 0), ("head-latency", 0)))
    return (d + flits - 1) * share + d * (link - 1 + router) + (d - 1) * head


def alone_wrong(o: Options, log: Log) -> str:
    """A worm alone takes d + L - 1 cycles, and what links and routers add (docs/topologies.md)."""
    if o.get("discipline", "worm") not in WORMS or "plugin" in o:
        return ""
    depth = int(log.network["depth"]) or 2 ** 30
    if depth < max(2, 2 * int(o.get("link-latency", 1)) + int(o.get("router-latency", 0))):
        return ""
    last = -QUIET                       # cycle in which the last of all earlier worms has arrived
    for this, after in zip(log.worms, [w.ready for w in log.worms[1:]] + [2 ** 63]):
        end = log.arrived.get(this.number)
        if end is None:
            break
        if this.ready >= last + QUIET and end < after:
            d = len(log.hops[this.number])
            want = alone(o, log, d, this.flits)
            if end - this.ready + 1 != want:
                return f"worm {this.number} is alone, has {this.flits} flits and crosses {d} links: {want} cycles, not {end - this.ready + 1}"
        last = max(last, end)
    return ""


# -- arbitration (docs/topologies.md) ------------------------------------------------------------------

class Head(NamedTuple):
    asks: int                           # from which cycle
    goes: int                           # in which it crosses
    link: int
    channel: int
    dst: int                            # node


def late(o: Options) -> int:
    """Cycles from the end of a crossing until a flit can go on."""
    return int(o.get("link-latency", 1)) - 1 + int(o.get("router-latency", 0))


def heads_of(o: Options, log: Log) -> tuple[dict[int, list[Head]], dict[tuple[int, int], list[tuple[int, int]]]]:
    """Those of each node, and the cycles in which each channel of a link belongs to a worm, from first to last."""
    heads: dict[int, list[Head]] = collections.defaultdict(list)
    taken: dict[tuple[int, int], list[tuple[int, int]]] = collections.defaultdict(list)
    for worm in log.worms:
        asks = -1
        for hop, (goes, cycles, waited) in enumerate(log.crossings[worm.number]):
            link, channel = log.hops[worm.number][hop], log.channels[worm.number][hop]
            asks = asks if hop else goes - waited
            heads[log.links[link][0]].append(Head(asks, goes, link, channel, log.leave.get(worm.dst, worm.dst)))
            asks = goes + cycles + late(o) + int(o.get("head-latency", 0))
            tail = log.left[worm.number] # in its queue until it has crossed the next link, or is consumed
            last = tail[hop + 1] if len(tail) > hop + 1 else tail[hop] + late(o) if worm.number in log.arrived else 2 ** 63
            taken[link, channel].append((goes, last))
    return heads, taken


def order_wrong(o: Options, log: Log) -> str:
    """No head waits for a channel that is free, and of the heads in a node that one may go to, the one that has waited longest takes it.

    What a head may take is at least what it takes in the end; under e-cube that half of the channels, with the hop schemes that
    channel of any link that is on a shortest way.
    """
    topology, path, channels = o.get("topology", "fat-tree"), o.get("path", "e-cube"), int(log.network["channels"])
    if topology == "fat-tree" or o.get("discipline", "worm") not in WORMS or {"plugin", "class-priority"} & set(o) or \
            {"reserved", "tail-sent", "on-demand"} & set(o.values()):
        return ""
    far: dict[int, dict[int, int]] = {}
    out: dict[int, list[int]] = collections.defaultdict(list)
    for link, (a, _) in log.links.items():
        out[a].append(link)

    def steps(a: int, b: int) -> int:
        if a not in far:
            far[a] = distances(log, a)
        return far[a].get(b, 2 ** 30)

    @functools.cache
    def allowed(node: int, link: int, channel: int, dst: int) -> list[tuple[int, int]]:
        if path in ("positive-hop", "negative-hop", "minimal-adaptive") and topology in ("torus", "mesh", "hypercube"):
            links = [k for k in out[node] if steps(log.links[k][1], dst) < steps(node, dst)]
            return [(k, c) for k in links for c in (range(channels) if path == "minimal-adaptive" else [channel])]
        if topology == "torus" and path == "e-cube" and max(log.links[link]) < log.processors:
            return [(link, c) for c in range(channels) if (c >= channels // 2) == (channel >= channels // 2)]
        return [(link, c) for c in range(channels)] if topology == "mesh" and path == "e-cube" else [(link, channel)]

    at_once = o.get("link-latency", "1") == "1"     # else a head that has a channel may wait for a credit
    heads, taken = heads_of(o, log)
    for spans in taken.values():
        spans.sort()
    for node, here in heads.items():
        later, waiting = sorted(here, reverse=True), list[Head]()
        for head in sorted(here, key=lambda h: h.goes):
            while later and later[-1].asks < head.asks:
                waiting.append(later.pop())
            waiting = [other for other in waiting if other.goes > head.goes]
            for other in waiting:
                if other.asks < head.asks and (head.link, head.channel) in allowed(node, *other[2:]):
                    return (f"in node {node} channel {head.channel} of link {head.link} goes in cycle {head.goes} to a head that asks from {head.asks} on, "
                            f"not to one from {other.asks} on")
            for place in allowed(node, *head[2:]) if head.asks < head.goes and at_once else ():
                free = head.asks
                for k in range(max(0, bisect.bisect(taken[place], (free,)) - 1), len(taken[place])):
                    start, last = taken[place][k]
                    if start > free:
                        break
                    free = max(free, last + 1)
                if free < head.goes:
                    return (f"in node {node} a head waits from cycle {head.asks} to {head.goes}, and channel {place[1]} of link {place[0]} "
                            f"is free in {free}")
    return ""


def waits_wrong(o: Options, log: Log) -> str:
    """How long a head was at the front of its queue follows from when it came, and when the tail before it left."""
    tree, discipline = o.get("topology", "fat-tree") == "fat-tree", o.get("discipline", "worm")
    if not (discipline in WORMS or discipline == "store" and tree) or "plugin" in o:
        return ""                       # with STORE elsewhere queues stand before the links
    queues: dict[tuple[int, int], list[tuple[int, int, int, int]]] = collections.defaultdict(list)
    for worm in log.worms:
        hops = log.crossings[worm.number]
        for k in range(1, len(hops)):
            place = log.hops[worm.number][k - 1], log.channels[worm.number][k - 1]
            tail = log.left[worm.number][k] if k < len(log.left[worm.number]) else 2 ** 63
            queues[place].append((hops[k - 1][0] + hops[k - 1][1] + late(o), hops[k][0], hops[k][2], tail))
    for (link, channel), queue in queues.items():
        free = 0
        for came, goes, waited, tail in sorted(queue):
            asks = max(came, free) + int(o.get("head-latency", 0))
            if waited != goes - asks:
                return f"behind channel {channel} of link {link} a head asks from cycle {asks} to {goes} and has waited {waited}"
            free = tail + 1
    return ""


# -- levels (docs/simulator.md, docs/columns.md) -------------------------------------------------------

def level_of_links(o: Options, log: Log) -> dict[int, tuple[int, str]]:
    """The group in which results have a link: of a cube its dimension, towards higher digits or down; else the links from a processor
    to its lower end, or its beginning, from the last level on all as one."""
    if o.get("topology") in ("torus", "mesh", "hypercube"):
        k, n = (2, log.processors.bit_length() - 1) if o["topology"] == "hypercube" else shape(o, log)
        found = {}
        for link, (a, b) in log.links.items():
            if max(a, b) >= k ** n:
                found[link] = (n, "up" if a >= k ** n else "down")
                continue
            d = next(d for d in range(n) if a // k ** d % k != b // k ** d % k)
            x, y = a // k ** d % k, b // k ** d % k
            found[link] = (d, "up" if (y - x) % k == 1 and (k > 2 or y) else "down")
        return found
    far: dict[int, int] = {}
    for start in {log.enter.get(a, a) for a in range(log.processors)}:
        for node, steps in distances(log, start).items():
            far[node] = min(steps, far.get(node, steps))
    tree = o.get("topology", "fat-tree") == "fat-tree"
    return {link: (min(far.get(a, 0), far[b] if tree else LAST_LEVEL, LAST_LEVEL), "down" if tree and far[b] < far[a] else "up")
            for link, (a, b) in log.links.items()}


def levels_wrong(o: Options, log: Log, said: dict[str, object]) -> str:
    """What the results say of the links of a level: how many there are, what share of what they could carry they did, and how long
    heads waited before them."""
    rows, twice = said.get("levels"), o.get("topology") == "torus" and shape(o, log)[0] == 2
    if not isinstance(rows, list) or not rows or twice or o.get("discipline", "worm") not in (*WORMS, "store") or log.end["end"] != "done" or "plugin" in o:
        return ""
    level, begin, length = level_of_links(o, log), int(log.end["measure_from"]), int(log.end["measure_cycles"])
    channels, can = int(log.network["channels"]), float(o.get("link-bandwidth", 1)) # can: flits over a link in a cycle
    if o.get("discipline") != "store":
        can = min(can, channels)
        can = channels / math.ceil(channels / can) if o.get("bandwidth", "fixed-share") == "fixed-share" else can
    links = collections.Counter(level.values())
    flits: collections.Counter[tuple[int, str]] = collections.Counter()
    waits: dict[tuple[int, str], list[int]] = collections.defaultdict(list)
    of_worm = {w.number: w.flits for w in log.worms}
    for last, first, link, worm in log.tails: # a worm counts whole, when its tail has crossed, on the tree a packet when it begins to
        counts = first if o.get("topology", "fat-tree") == "fat-tree" else last
        flits[level[link]] += of_worm[worm] * (begin <= counts < begin + length)
    for cycle, link, waited in log.heads:
        if begin <= cycle < begin + length:
            waits[level[link]].append(waited)
    for row in rows:
        at = (row["level"], row["direction"])
        mean = sum(waits[at]) / len(waits[at]) if waits[at] else 0
        share = flits[at] / (links[at] * length * can) if links[at] else 0
        for name, want in (("links", links.pop(at, 0)), ("utilisation", share), ("wait_mean", mean)):
            if abs(row[name] - want) > 1e-6 * want:
                return f"level {at}: {name} {want} of the rows, {row[name]} of the result"
    return f"levels {links} are not in the result" if links else ""


# -- worms (docs/simulator.md, docs/classes.md) --------------------------------------------------------

def table(file: str) -> list[list[float]]:
    lines = (line.split("#")[0].replace(",", " ").split() for line in pathlib.Path(file).read_text(encoding="ascii").splitlines())
    return [[float(word) for word in line] for line in lines if line]


def digits(a: int, k: int, n: int, move: int) -> int:
    return sum((a // k ** d % k + move) % k * k ** d for d in range(n))


def towards(pattern: str, o: Options, log: Log) -> Callable[[int], set[int] | None]:
    """The processors that a worm of this one may go to; None: any."""
    n = log.processors
    bits, half = (n - 1).bit_length(), n // 2
    low = bits // 2                     # bits of the lower half, the upper may be longer
    k, dimensions = shape(o, log) if o.get("topology") in ("torus", "mesh") else (n, 1)
    if pattern == "permutation":
        order = [int(line[0]) for line in table(o["permutation"])]
        return lambda a: {order[a]}
    if pattern == "matrix":
        weights = table(o["matrix"])
        return lambda a: {b for b, weight in enumerate(weights[a]) if weight}
    ways: dict[str, Callable[[int], set[int] | None]] = {
        "complement": lambda a: {n - 1 - a}, "bit-complement": lambda a: {n - 1 - a},
        "many-to-1": lambda a: {n - 1 if a < half else 0},
        "transpose": lambda a: {a >> low | (a & (1 << low) - 1) << bits - low},
        "bit-reversal": lambda a: {int(f"{a:0{bits}b}"[::-1], 2)},
        "shuffle": lambda a: {(a << 1 | a >> bits - 1) & n - 1},
        "neighbour": lambda a: {(a + 1) % n}, "identity": lambda a: {a},
        "tornado": lambda a: {digits(a, k, dimensions, (k + 1) // 2 - 1)},
        "digit-neighbour": lambda a: {digits(a, k, dimensions, 1)},
        "diagonal": lambda a: {a, (a + 1) % n}, "asymmetric": lambda a: {a % half, a % half + half},
    }
    return ways.get(pattern, lambda a: None)


def numbers(text: str | None, count: int, default: float) -> list[float]:
    return [float(word) for word in text.split(",")] if text else [default] * count


class Asked:
    """The traffic that options ask for."""

    def __init__(self, o: Options, log: Log) -> None:
        self.classes = int(o.get("classes", 1))
        self.longest = max((int(x.split(":")[0]) for x in o["length-mix"].split(",")), default=0) if "length-mix" in o else int(o.get("length", 32))
        self.lengths = o.get("lengths", "fixed")
        self.shortest = int(o.get("length-min", 1)) if self.lengths != "fixed" else self.longest
        self.of_class = [int(x) for x in numbers(o.get("class-length"), self.classes, 0)] if "class-length" in o else []
        self.reply = [int(x) for x in numbers(o.get("reply"), self.classes, 0)]
        self.share = numbers(o.get("class-share"), self.classes, 1)
        self.patterns = o["class-pattern"].split(",") if "class-pattern" in o else [o.get("pattern", "random")] * self.classes
        self.open = "load" in o
        ways = [towards(pattern, o, log) for pattern in self.patterns]

        def of_all(a: int) -> set[int] | None:
            sets = [way(a) for way in ways]
            return None if None in sets else set().union(*(s for s in sets if s is not None))
        self.to = of_all
        # Whether a worm may be for its own source; it is not in the log then, but for networks that it crosses.
        self.own = "self-traffic" in o or bool(set(self.patterns) & set(LEIGHTON)) or any(a in (of_all(a) or ()) for a in range(log.processors))
        requests = self.of_class or range(self.shortest, self.longest + 1)
        self.told_apart = any(self.reply) and not set(self.reply) & set(requests)

    def is_reply(self, worm: Worm) -> bool:
        return any(self.reply) and worm.flits in self.reply


def sources_wrong(o: Options, log: Log) -> str:
    """The numbers of worms; in static runs how many each processor makes, and when."""
    asked, n = Asked(o, log), log.processors
    of: dict[int, list[Worm]] = collections.defaultdict(list)
    for worm in log.worms:
        of[worm.src].append(worm)
    rounds = int(o.get("rounds", 1))
    for src, worms in of.items():
        places = [(worm.number - 1 - src) % 2 ** 32 / n for worm in worms]
        if any(asked.reply):
            places.sort()               # a reply has its number when its request arrives
        gaps = not (asked.own or any(asked.reply) or "hotspot" in asked.patterns or "trace" in asked.patterns)
        if any(b <= a for a, b in zip(places, places[1:])) or any(p != int(p) for p in places) or (gaps and places != list(range(len(places)))):
            return f"processor {src} makes worms {[worm.number for worm in worms][:5]}"
        if not asked.open and "trace" not in asked.patterns and not any(asked.reply) and places[-1] >= rounds:
            return f"processor {src} makes more than {rounds} worms"
    static = not asked.open and not set(asked.patterns) & {"trace", "packing", "spreading", "monotone"} and log.end["end"] == "done"
    if static and not asked.own and not any(asked.reply) and "hotspot" not in asked.patterns and "random-permutation" not in asked.patterns:
        few = [src for src in range(n) if len(of[src]) != rounds and asked.to(src) not in ({src}, set())]
        if few:
            return f"processor {few[0]} makes {len(of[few[0]])} worms, not {rounds}"
    if static and not any(asked.reply) and o.get("discipline", "worm") in ("worm", "store", "split"):
        delays, step = int(o.get("delay-range", 1)), delay_of(o, asked, n)
        bad = [w for w in log.worms if w.ready % step or w.ready // step >= delays]
        if bad:
            return f"worm {bad[0].number} is ready in cycle {bad[0].ready}; delays are 0 to {delays - 1} times {step} cycles"
    if static and not any(asked.reply) and not asked.of_class and o.get("discipline") == "phased":
        return phases_wrong(o, asked, log, n)
    return ""


def phases_wrong(o: Options, asked: Asked, log: Log, n: int) -> str:
    """A worm that is not ready at the beginning of a phase, or of none that was asked for (docs/simulator.md)."""
    longest, tree = asked.longest, o.get("topology", "fat-tree") == "fat-tree"
    d = n.bit_length() - 1 if tree else int(log.end["dilation"]) # the longest path of a tree
    step = int(o["phase-length"]) if "phase-length" in o else alone(o, log, d, longest) + (not tree)
    phases = int(o.get("phases", 2 ** 32))
    bad = [w for w in log.worms if w.ready % step or w.ready // step >= phases]
    return f"worm {bad[0].number} is ready in cycle {bad[0].ready}; there are {phases} phases of {step} cycles" if bad else ""


def delay_of(o: Options, asked: Asked, n: int) -> int:
    """Cycles by which delays are counted: packet-steps, or L log2 N cycles of worms."""
    if o.get("discipline") == "split":
        return 1
    return asked.longest * (1 if o.get("discipline") == "store" else math.ceil(math.log2(n)))


def where_wrong(o: Options, log: Log) -> str:
    """Destinations."""
    asked, n = Asked(o, log), log.processors
    if any(asked.reply) and not asked.told_apart:
        return ""
    requests = [w for w in log.worms if not asked.is_reply(w)]
    for w in requests:
        to = asked.to(w.src)
        if to is not None and w.dst not in to:
            return f"worm {w.number} of processor {w.src} goes to {w.dst}, not to {sorted(to)[:4]}"
        if w.dst == w.src and not asked.own and "hotspot" not in asked.patterns and "trace" not in asked.patterns:
            return f"worm {w.number} goes to its own source {w.src}"
    if len(set(asked.patterns)) > 1:
        return ""
    pattern = asked.patterns[0]
    if pattern == "random" and n > 2:
        for dst, count in collections.Counter(w.dst for w in requests).items():
            if unlikely(count, sum(w.src != dst for w in requests), 1 / (n - 1)):
                return f"{count} of {len(requests)} random worms go to processor {dst}"
    if pattern == "asymmetric" and unlikely(sum(w.dst >= n // 2 for w in requests), len(requests), 0.5) and not asked.own:
        return "asymmetric worms prefer a half"
    if pattern == "hotspot" and n > 2:
        hot, share = int(o.get("hotspot-node", 0)), float(o.get("hotspot", 0.04))
        others = [w for w in requests if w.src != hot and w.dst != w.src]
        rest = (1 - share) / (n if "self-traffic" in o else n - 1)
        if unlikely(sum(w.dst == hot for w in others), len(others), (share + rest) / (1 - rest * ("self-traffic" in o))):
            return f"{sum(w.dst == hot for w in others)} of {len(others)} worms go to the hot spot"
    if pattern == "random-permutation" and len({(w.src, w.dst) for w in requests}) == n and len({w.dst for w in requests}) != n:
        return "a random permutation has two sources for one destination"
    if pattern in ("packing", "spreading", "monotone"):
        once = int(o.get("rounds", 1)) == 1 and not asked.open and log.end["end"] == "done" # a run that is cut off has not made all
        return ordered_wrong(pattern, sorted({(w.src, w.dst) for w in requests}), once)
    return ""


def ordered_wrong(pattern: str, pairs: Sequence[tuple[int, int]], once: bool) -> str:
    """Leighton's problems: destinations keep the order of the sources; those of packing, or the sources of spreading, are the first."""
    if not once or not pairs:
        return ""
    if [b for _, b in pairs] != sorted({b for _, b in pairs}):
        return f"{pattern} does not keep the order of the sources"
    first = [b for _, b in pairs] if pattern == "packing" else [a for a, _ in pairs]
    if pattern != "monotone" and first != list(range(first[0], first[0] + len(first))):
        return f"{pattern}: {first}"    # worms to their own sources, which come before all others, are not in the log
    return ""


def lengths_wrong(o: Options, log: Log) -> str:
    asked = Asked(o, log)
    if "trace" in asked.patterns:
        return ""
    mix = {int(x.split(":")[0]): float(x.split(":")[1]) for x in o.get("length-mix", "").split(",") if x}
    allowed = set(asked.of_class) or set(mix) or ({asked.shortest, asked.longest} if asked.lengths == "bimodal" else
                                                 set(range(asked.shortest, asked.longest + 1)))
    allowed |= set(asked.reply) - {0}
    found = collections.Counter(w.flits for w in log.worms)
    if set(found) - allowed:
        return f"worms of {sorted(set(found) - allowed)[0]} flits"
    total = len(log.worms)
    if asked.of_class or any(asked.reply) or o.get("discipline", "worm") not in (*WORMS, "split"):
        return ""
    chances = {x: weight / sum(mix.values()) for x, weight in mix.items()}
    if asked.lengths == "uniform":
        chances = {x: 1 / len(allowed) for x in allowed}
    if asked.lengths == "bimodal" and asked.shortest != asked.longest:
        chances = {asked.shortest: float(o.get("short-share", 0.5))}
    for flits, chance in chances.items():
        if unlikely(found[flits], total, chance):
            return f"{found[flits]} of {total} worms have {flits} flits, not a share of {chance}"
    return ""


def rates_wrong(o: Options, log: Log) -> str:
    """Offered load, and how it is shared among processors and classes."""
    asked, n = Asked(o, log), log.processors
    plain = asked.open and o.get("arrivals", "geometric") != "on-off" and "outstanding" not in o and not asked.own
    if not plain or (any(asked.reply) and not asked.told_apart) or "hotspot" in asked.patterns or "plugin" in o:
        return ""
    requests = [w for w in log.worms if not asked.is_reply(w)]
    if not requests or set(asked.patterns) & {"matrix", "packing", "spreading", "monotone"}:
        return ""
    span = requests[-1].ready + 1
    if span < 64:
        return ""
    if asked.of_class or any(asked.reply):
        lengths = asked.of_class or [asked.longest] * asked.classes
        if asked.lengths != "fixed":
            return ""
        rates = [share / sum(asked.share) * float(o["load"]) / (a + b) for share, a, b in zip(asked.share, lengths, asked.reply)]
        for flits in set(lengths):
            rate = sum(r for r, a in zip(rates, lengths) if a == flits)
            count = sum(w.flits == flits for w in requests)
            if too_many_or_few(count, rate * n * span):
                return f"{count} worms of {flits} flits in {span} cycles, not about {rate * n * span:.0f}"
    else:
        mean = sum(w.flits for w in requests) / len(requests)
        slack = 4 / math.sqrt(len(requests)) * asked.longest / mean if asked.lengths != "fixed" else 0
        want = float(o["load"]) / mean * n * span
        if all(too_many_or_few(len(requests), want * x) for x in (max(0.1, 1 - slack), 1, 1 + slack)):
            return f"{len(requests)} worms of {mean:.2f} flits in {span} cycles, not about {want:.0f}"
    for src, count in collections.Counter(w.src for w in requests).items():
        if unlikely(count, len(requests), 1 / n):
            return f"{count} of {len(requests)} worms are of processor {src}"
    return ""


def replies_wrong(o: Options, log: Log) -> str:
    """Each request is answered by a reply in the right cycle, and nothing else; no processor has too many unanswered."""
    asked = Asked(o, log)
    if not asked.told_apart:
        return ""
    delay, most, end = int(o.get("reply-delay", 0)), int(o.get("outstanding", 0)), int(log.end["cycles"])
    lengths = asked.of_class or []
    want: collections.Counter[tuple[int, int, int, int]] = collections.Counter()
    for w in log.worms:
        if not asked.is_reply(w) and w.number in log.arrived:
            possible = {b for a, b in zip(lengths, asked.reply) if a == w.flits} if lengths else set(asked.reply)
            if len(possible) > 1:
                return ""
            want[log.arrived[w.number] + 1 + delay, w.dst, w.src, possible.pop()] += 1
    got = collections.Counter((w.ready, w.src, w.dst, w.flits) for w in log.worms if asked.is_reply(w))
    for key in (got - want) | collections.Counter({k: c for k, c in (want - got).items() if k[0] < end}):
        return f"a reply of {key[3]} flits from {key[1]} to {key[2]} in cycle {key[0]}: {got[key]}, not {want[key]}"
    if most:
        events = sorted([(w.ready, 1, w.src) for w in log.worms if not asked.is_reply(w)] +
                        [(log.arrived[w.number], 0, w.dst) for w in log.worms if asked.is_reply(w) and w.number in log.arrived])
        unanswered: collections.Counter[int] = collections.Counter()
        for cycle, request, processor in events:
            unanswered[processor] += 1 if request else -1
            if unanswered[processor] > most:
                return f"processor {processor} has {unanswered[processor]} unanswered requests in cycle {cycle}"
    return ""


def trace_wrong(o: Options, log: Log) -> str:
    """A message is cut into worms of at most L flits: a head, then as many whole bytes a flit as fit."""
    if o.get("pattern") != "trace" or "max-messages" in o:
        return ""
    with (gzip.open if o["trace"].endswith(".gz") else open)(o["trace"], "rt", encoding="ascii") as file:  # type: ignore[operator]
        messages = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(file)]
    want: list[tuple[int, ...]] = []
    longest, first, of_flit = int(o.get("length", 32)), messages[0]["t_ns"], int(o.get("flit-bits", 32)) // 8
    for m in messages:
        ready = (m["t_ns"] - first) * int(o.get("cycles-per-us", 1000)) // 1000
        words = -(-min(m["bytes"], int(o.get("max-bytes", 2 ** 40))) // of_flit)
        while True:
            want.append((ready, m["src"], m["dst"], 1 + min(words, longest - 1)))
            words -= min(words, longest - 1)
            if words == 0:
                break
    got = [(w.ready, w.src, w.dst, w.flits) for w in log.worms]
    if log.end["end"] == "done" and sorted(want) != sorted(got):
        off = next((pair for pair in zip(sorted(want), sorted(got)) if pair[0] != pair[1]), (len(want), len(got)))
        return f"the trace asks for (cycle, source, destination, flits) {off[0]}, the log has {off[1]}"
    return ""


CHECKS = (network_wrong, paths_wrong, channels_wrong, alone_wrong, order_wrong, waits_wrong, sources_wrong, where_wrong, lengths_wrong, rates_wrong, replies_wrong, trace_wrong)


def options_of(words: Sequence[str]) -> Options:
    o: Options = {}
    for word in words:
        if word.startswith("--"):
            o[word[2:]] = ""
        else:
            o[list(o)[-1]] = word
    return o


def asked_wrong(words: Sequence[str], file: pathlib.Path, said: dict[str, object] | None = None) -> str:
    """What in the log is not what the options ask for, or does not agree with the results by levels; empty: nothing."""
    o, log = options_of(words), Log(file)
    if o.get("discipline", "worm") not in PLAIN or o.get("path") == "walk":
        return network_wrong(o, log)
    if said and (why := levels_wrong(o, log, said)):
        return why
    return next((f"{check.__name__.removesuffix('_wrong')}: {why}" for check in CHECKS if (why := check(o, log))), "")
