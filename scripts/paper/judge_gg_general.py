# SPDX-License-Identifier: Apache-2.0
"""judge_gg_general.py - GG's general model (2, equations 1 to 11) on networks other than the fat-tree, and the fat-tree's waits
level by level, both against simulation.

The networks have a link from each processor and one to it, as GG's have, and fixed paths.
"""

import collections
import itertools
import json
import math
import os
import tempfile
from collections.abc import Callable

from judging import AGREES, DIFFERS, PART, Verdict, read_point, run
from paper_tools import fatfly, read_csv

__all__ = ["left_out", "levels_apart", "links_alike", "more_servers", "other_networks"]

Link = tuple[str, int, int]    # a kind of node, from, to
Path = list[Link]


# -- the general model ------------------------------------------------------------------------------


class Channel:
    """Links that are alike: worms over one of them for each that a processor sends, where these begin, and where they go on."""

    def __init__(self, rate: float, injects: float = 0.0, servers: int = 1) -> None:
        self.rate, self.injects, self.servers = rate, injects, servers
        self.nexts: list[tuple["Channel", int, float]] = []    # channel, so many alike, share of one
        self.service = self.wait = 0.0


def hokstad(servers: int, rate: float, service: float, length: float) -> float:
    """GG 4 to 8, for any number of servers: Erlang's C, the chance to wait, with the variance of GG 5."""
    busy = rate * service
    if busy >= servers:
        return math.inf
    vary = 1 + ((service - length) / service) ** 2
    lost = 1.0
    for k in range(1, servers + 1):
        lost = busy * lost / (k + busy * lost)
    return servers * lost / (servers - busy * (1 - lost)) * service / (servers - busy) * vary / 2


def solve(channels: list[Channel], length: float, load: float, distance: float) -> float:
    """Latency by GG 2 and 11; infinite beyond saturation."""
    each = load / length
    for c in channels:
        c.service, c.wait = length, hokstad(c.servers, each * c.rate * c.servers, length, length)
    for _ in range(200):
        most = 0.0
        for c in channels:
            old = c.service
            if c.nexts:
                c.service = math.fsum(ways * share * (to.service + max(0.0, 1 - c.rate * share / to.rate)
                                                      * to.wait) for to, ways, share in c.nexts)
            c.wait = hokstad(c.servers, each * c.rate * c.servers, c.service, length)
            if not math.isfinite(c.service) or not math.isfinite(c.wait):
                return math.inf
            most = max(most, abs(c.service / old - 1))
        if most < 1e-12:
            break
    return math.fsum(c.injects * (c.service + c.wait) for c in channels) + distance - 1


def of_paths(paths: list[Path], processors: int, servers: int = 1) -> tuple[list[Channel], float]:
    """A channel for each link, of so many servers, from the paths between all pairs, in an order in which a link stands behind those it
    leads to."""
    count = collections.Counter(link for path in paths for link in path)
    pairs = collections.Counter(step for path in paths for step in zip(path, path[1:]))
    made = {link: Channel(n / (processors - 1) / servers, servers=servers) for link, n in count.items()}
    for path in paths:
        made[path[0]].injects = 1 / processors
    follow = collections.defaultdict(list)
    for (one, other), n in pairs.items():
        made[one].nexts.append((made[other], 1, n / count[one]))
        follow[one].append(other)
    order: list[Link] = []
    seen: set[Link] = set()

    def visit(link: Link) -> None:
        seen.add(link)
        for other in follow[link]:
            if other not in seen:
                visit(other)
        order.append(link)
    for link in made:
        if link not in seen:
            visit(link)
    return [made[link] for link in order], sum(map(len, paths)) / len(paths)


def saturation(channels: list[Channel], distance: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if math.isfinite(solve(channels, 32, middle, distance)) else (low, middle)
    return low


def fat_tree(levels: int) -> tuple[list[Channel], float]:
    """GG 12 to 15, as a network."""
    p = [(4 ** levels - 4 ** l) / (4 ** levels - 1) for l in range(levels)]
    down = [Channel(p[l] * 2 ** l) for l in range(levels)]
    up = [Channel(p[l] * 2 ** l, 0.0 if l else 1.0, 2 if l else 1) for l in range(levels)]
    for l in range(levels):
        goes_up = p[l + 1] if l + 1 < levels else 0.0    # GG 22 takes the share of all worms
        up[l].nexts = [(down[l], 3, (1 - goes_up) / 3)] + ([(up[l + 1], 1, goes_up)] if goes_up else [])
        down[l].nexts = [(down[l - 1], 4, 1 / 4)] if l else []
    return down + up[::-1], math.fsum(2 * h * 3 * 4 ** (h - 1) for h in range(1, levels + 1)) / (4 ** levels - 1)


def agrees_with_fatfly() -> None:
    """The copy here gives what fatfly has for the fat-tree."""
    for levels, length, load in ((2, 16, 0.1), (5, 32, 0.03), (4, 64, 0.07)):
        channels, distance = fat_tree(levels)
        row = read_csv(fatfly("model", "--nodes", str(4 ** levels), "--length", str(length), "--load", repr(load), "--format", "csv",
                              quiet=True))[0]
        ours = solve(channels, length, load, distance)
        if abs(ours / row["latency"] - 1) > 1e-8:
            raise ArithmeticError(f"the copy of GG's general model gives {ours}, fatfly {row['latency']}")


def agrees_with_command(file: str, servers: int, ours: float, load: float) -> None:
    """And what it has for a network from a file."""
    row = read_csv(fatfly("model", "--topology", f"graph:{file}", "--link-bandwidth", str(servers), "--load", repr(load), "--format", "csv",
                          quiet=True))[0]
    if abs(ours / row["latency"] - 1) > 1e-8:
        raise ArithmeticError(f"GG's general model of {file} is {ours} here, {row['latency']} by fatfly")


# -- networks ---------------------------------------------------------------------------------------


def hypercube(a: int, b: int) -> list[int]:
    found = [a]
    for bit in range(6):
        if (found[-1] ^ b) >> bit & 1:
            found.append(found[-1] ^ 1 << bit)
    return found


def mesh(a: int, b: int) -> list[int]:
    """8 x 8, x before y."""
    x, y = a % 8, a // 8
    found = [a]
    while x != b % 8:
        x += 1 if b % 8 > x else -1
        found.append(8 * y + x)
    while y != b // 8:
        y += 1 if b // 8 > y else -1
        found.append(8 * y + x)
    return found


def tree(a: int, b: int) -> list[int]:
    """Switches over a heap of 64 leaves, 4 children each: 21 of them above; not fat."""
    def above(leaf: int) -> list[int]:
        return [leaf // 4, 16 + leaf // 16, 20]
    one, other = above(a), above(b)
    top = next(l for l in range(3) if one[l] == other[l])
    return one[:top + 1] + other[:top][::-1]


def paths_of(way: Callable[[int, int], list[int]]) -> dict[tuple[int, int], Path]:
    found = {}
    for a, b in itertools.permutations(range(64), 2):
        nodes = way(a, b)
        found[a, b] = [("in", a, nodes[0]), *(("net", u, v) for u, v in zip(nodes, nodes[1:])), ("out", nodes[-1], b)]
    return found


def graph_of(paths: dict[tuple[int, int], Path], channels: int = 1) -> str:
    """The file of the network, with so many channels of a link: processors are the first 64 nodes, their exits the next, then the switches."""
    def ends(link: Link) -> tuple[int, int]:
        kind, a, b = link
        return (a, 128 + b) if kind == "in" else (128 + a, 64 + b) if kind == "out" else (128 + a, 128 + b)
    links = {ends(link) for path in paths.values() for link in path}
    lines = [f"nodes {max(max(ends_of) for ends_of in links) + 1}"] + [f"processor {a} {64 + a}" for a in range(64)]
    lines += [f"link {a} {b} {channels}" for a, b in sorted(links)]
    for (a, b), path in paths.items():
        lines.append(f"path {a} {b} {a} " + " ".join(str(ends(link)[1]) for link in path))
    return "\n".join(lines) + "\n"


SHARES = (0.2, 0.5, 0.8, 0.9)
NETWORKS = {"hypercube of 64, e-cube": hypercube, "mesh 8 x 8, e-cube": mesh, "tree of 64, one link to a parent": tree}


def held_against(name: str, servers: int, cycles: int, runs: int) -> tuple[list[float], float]:
    """By how many percent the model is above simulation at SHARES of its saturation, and its saturation above what is accepted.  A link of
    m channels that carries m flits a cycle is m servers."""
    paths = paths_of(NETWORKS[name])
    channels, distance = of_paths(list(paths.values()), 64, servers)
    full = saturation(channels, distance)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "net.txt")
        with open(file, "w", encoding="ascii") as out:
            out.write(graph_of(paths, servers))
        agrees_with_command(file, servers, solve(channels, 32, full / 2, distance), full / 2)
        base = f"--topology graph:{file} --length 32 --depth 2 --arrivals poisson"
        if servers > 1:
            base += f" --bandwidth on-demand --link-bandwidth {servers}"
        errors = []
        for share in SHARES:
            row = read_point(f"{base} --load {share * full:.6f} --cycles {cycles} --runs {runs}")
            errors.append(100 * (solve(channels, 32, share * full, distance) / row["latency_mean"] - 1) if row["latency_mean"] != "" else math.nan)
        over = read_point(f"{base} --load {min(1.0, 2 * full):.6f} --cycles {cycles} --runs 1")
    return errors, 100 * (full / over["accepted_load"] - 1)


def of_networks(cases: list[tuple[str, int]], cycles: int, runs: int) -> tuple[str, str]:
    """The verdict of several, and their numbers."""
    agrees_with_fatfly()
    words, worst = [], {s: 0.0 for s in SHARES}
    for name, servers in cases:
        errors, off = held_against(name, servers, cycles, runs)
        for share, error in zip(SHARES, errors):
            worst[share] = max(worst[share], math.inf if math.isnan(error) else abs(error))
        of = f", m = {servers}" if servers > 1 else ""
        words.append(f"{name}{of}: {', '.join(f'{e:+.1f}' for e in errors)} %, saturation {off:+.0f} %")
    return AGREES if worst[0.8] < 5 and worst[0.9] < 10 else PART if worst[0.5] < 5 else DIFFERS, "; ".join(words)


@run
def other_networks() -> Verdict:
    kind, words = of_networks([(name, 1) for name in NETWORKS], 60000, 8)
    return Verdict(kind, f"equations 1 to 11 above simulation at 20, 50, 80, 90 % of the model's saturation, L = 32: {words}")


@run
def more_servers() -> Verdict:
    kind, words = of_networks([("tree of 64, one link to a parent", 3), ("tree of 64, one link to a parent", 4), ("mesh 8 x 8, e-cube", 4)], 20000, 4)
    return Verdict(kind, f"links of m channels, each with a flit a cycle; the model with M/G/m above simulation at 20, 50, 80, 90 % of its saturation, L = 32: {words}")


@run
def links_alike() -> Verdict:
    """Worms over each link of a level and direction: their spread against that of independent counts with one mean."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "links.csv")
        fatfly("run", "--nodes", "256", "--path", "rw", "--scan", "fcfs", "--arrivals", "poisson", "--load", "0.04", "--cycles", "400000", "--links", path, quiet=True)
        groups = collections.defaultdict(list)
        for row in read_csv(path_text(path)):
            groups[row["direction"], row["level"]].append(float(row["worms"]))
    ratios = []
    for counts in groups.values():
        mean = math.fsum(counts) / len(counts)
        freedom = len(counts) - 1
        ratios.append((math.fsum((c - mean) ** 2 for c in counts) / mean / freedom - 1) / math.sqrt(2 / freedom))
    return Verdict(AGREES if max(ratios) < 2.6 else DIFFERS, f"N = 256, RW, 400,000 cycles: over the {len(groups)} levels and directions the spread of worms a link is "
                   f"{min(ratios):+.1f} to {max(ratios):+.1f} standard deviations from that of chance")


def path_text(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


# -- the fat-tree level by level --------------------------------------------------------------------

LEVELS, LENGTH = 4, 32


def by_level(path: str, share: float) -> tuple[dict[tuple[str, int], float], dict[tuple[str, int], float]]:
    """Cycles that a head waits for a link of each level and direction: ours, and the model's, which are blocking chance times W."""
    channels, distance = fat_tree(LEVELS)
    load = share * 0.0788566
    solve(channels, LENGTH, load, distance)
    ups = channels[LEVELS:][::-1]
    model = {}
    for l in range(1, LEVELS):
        came, to = ups[l - 1], ups[l]
        part = next(s for c, _, s in came.nexts if c is to)
        model["up", l] = (1 - came.rate * part / to.rate) * to.wait
    for l in range(LEVELS):
        to = channels[l]
        from_below, from_above = ups[l], channels[l + 1] if l + 1 < LEVELS else None
        flows = []
        turn = next(s for c, _, s in from_below.nexts if c is to)
        flows.append((3 * from_below.rate * turn, 1 - from_below.rate * turn / to.rate))
        if from_above:
            flows.append((2 * from_above.rate / 4, 1 - from_above.rate / 4 / to.rate))
        model["down", l] = math.fsum(f * p for f, p in flows) / math.fsum(f for f, _ in flows) * to.wait
    words = (f"--nodes {4 ** LEVELS} --path {path} --scan fcfs --arrivals poisson --depth 2 --length {LENGTH} --load {load:.6f} "
             "--cycles 400000 --runs 1 --format json").split()
    rows = json.loads(fatfly("run", *words, quiet=True))["levels"]
    return {(r["direction"], r["level"]): r["wait_mean"] for r in rows if (r["direction"], r["level"]) != ("up", 0)}, model


def services(waits: dict[tuple[str, int], float]) -> dict[tuple[str, int], float]:
    """x of each level: L, and the waits on the way from there."""
    p = [(4 ** LEVELS - 4 ** l) / (4 ** LEVELS - 1) for l in range(LEVELS)] + [0.0]
    found = {("down", 0): float(LENGTH)}
    for l in range(1, LEVELS):
        found["down", l] = found["down", l - 1] + waits["down", l - 1]
    for l in range(LEVELS - 1, -1, -1):
        on = p[l + 1] / p[l]
        found["up", l] = (1 - on) * (found["down", l] + waits["down", l])
        if on:
            found["up", l] += on * (found["up", l + 1] + waits["up", l + 1])
    return found


@run
def levels_apart() -> Verdict:
    words, good, of, waits = [], 0, 0, 0.0
    for share in (0.3, 0.5, 0.8):
        ours, model = by_level("rw", share)
        one, other = services(ours), services(model)
        off = {key: 100 * (other[key] / one[key] - 1) for key in one}
        gone = [100 * (model[key] / ours[key] - 1) for key in ours]
        good += sum(abs(x) < 5 for x in off.values())
        of += len(off)
        waits = max(waits, max(abs(x) for x in gone))
        words.append(f"{100 * share:.0f} %: services {min(off.values()):+.1f} to {max(off.values()):+.1f} %, waits {min(gone):+.0f} to {max(gone):+.0f} %")
    kind = AGREES if good == of and waits < 10 else PART if good else DIFFERS
    return Verdict(kind, f"N = 256, L = 32, RW, model above simulation by level and direction, at so much of saturation: {'; '.join(words)}")


@run
def left_out() -> Verdict:
    """What the blocking chance of two servers leaves out shows as too short or too long a wait for the up links."""
    words, worst = [], 0.0
    for share in (0.1, 0.3, 0.5, 0.8):
        cells = []
        for path in ("rw", "rg"):
            ours, model = by_level(path, share)
            off = [ours["up", l] - model["up", l] for l in range(1, LEVELS)]
            part = 100 * sum(off) / services(ours)["up", 0]
            if share <= 0.5:
                worst = max(worst, abs(part))
            cells.append(f"{path.upper()} {part:+.1f} %")
        words.append(f"{100 * share:.0f} %: {', '.join(cells)}")
    return Verdict(AGREES if worst < 2 else PART, f"N = 256, L = 32: all waits for up links together exceed the model's by so much of x at the source, at so much of "
                   f"saturation: {'; '.join(words)}; up to 50 % at most {worst:.1f} %")
