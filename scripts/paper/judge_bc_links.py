# SPDX-License-Identifier: Apache-2.0
"""judge_bc_links.py - judgements of what BC say about single links: how evenly they are used, the bisection, shares of a link."""

import csv
import math
import os
import tempfile

from judging import AGREES, DIFFERS, Verdict, point, run, verdict
from paper_tools import Value, fatfly, show

__all__ = ["bisection", "fixed_shares", "skewed", "stored_latency"]

TORUS = "--topology torus --nodes 256 --length 4 --depth 4 --injection per-channel"
SIDE = 16


def links_of(options: str) -> list[tuple[int, int, int]]:
    """From, to and worms of all links of one run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "links.csv")
        fatfly("run", *options.split(), "--runs", "1", "--links", path, quiet=True)
        with open(path, encoding="ascii", newline="") as file:
            rows = list(csv.DictReader(file))
    return [(int(r["lower"]), int(r["upper"]), int(r["worms"])) for r in rows]


def spread(counts: list[int]) -> float:
    """Standard deviation over the mean, without what chance adds to independent counts."""
    mean = sum(counts) / len(counts)
    square = sum((c - mean) ** 2 for c in counts) / (len(counts) - 1) - mean
    return math.sqrt(max(0.0, square)) / mean


@run
def skewed() -> Verdict:
    """Uniform traffic at a utilisation of about 0.1, which all three carry."""
    found = {path: spread([n for _, _, n in links_of(f"{TORUS} --path {path} --load 0.05 --warmup 10000 --cycles 100000")])
             for path in ("e-cube", "north-last", "negative-hop")}
    others = max(found["e-cube"], found["negative-hop"])
    return Verdict(AGREES if found["north-last"] > 2 * others else DIFFERS, "uniform traffic, utilisation 0.1, standard deviation of the worms a link in percent of "
                   f"their mean, beyond chance: {', '.join(f'{k} {100 * v:.1f}' for k, v in found.items())}")


@run
def fixed_shares() -> Verdict:
    """Latencies at a low load, of V fixed shares and on demand."""
    ratios = {}
    for how in ("fixed-share", "on-demand"):
        one, other = (point(f"{TORUS} --bandwidth {how} --path {path} --load 0.005 --warmup 5000 --cycles 100000") for path in ("negative-hop", "e-cube"))
        ratios[how] = Value(one["latency_mean"], one["latency_ci99"]) / Value(other["latency_mean"], other["latency_ci99"])
    good = ratios["on-demand"].high < 1.1 and ratios["fixed-share"].low > 4
    return Verdict(AGREES if good else DIFFERS, f"negative-hop's latency over e-cube's at a load of 0.005: fixed shares {show(ratios['fixed-share'], places=2)}, "
                   f"on demand {show(ratios['on-demand'], places=2)}")


@run
def bisection() -> Verdict:
    """Links between columns 7 and 8, and those that go round, against all links."""
    words, ratios = [], {}
    for network, path in (("torus", "e-cube"), ("torus", "negative-hop"), ("mesh", "e-cube")):
        rows = links_of(f"--topology {network} --nodes 256 --length 4 --path {path} --load 0.05 --warmup 5000 --cycles 50000")
        cut = [n for a, b, n in rows if a // SIDE == b // SIDE and (a % SIDE < SIDE // 2) != (b % SIDE < SIDE // 2)]
        used = [n for _, _, n in rows]
        ratios[network, path] = (sum(cut) / len(cut)) / (sum(used) / len(used))
        words.append(f"{network}, {path}: {len(cut)} links of the bisection {ratios[network, path]:.3f}")
    good = [abs(v - 1) < 0.02 if network == "torus" else v > 1.2 for (network, _), v in ratios.items()]
    return verdict(sum(good), len(good), "16 x 16, uniform traffic, use of a link of the bisection over that of all links: " + "; ".join(words))


@run
def stored_latency() -> Verdict:
    """A packet takes its length for each link, from a packet-step on, which it waits for at its source, (L - 1) / 2 on average."""
    words, good = [], 0
    hops = 2 * sum(min(d, SIDE - d) for d in range(SIDE)) / SIDE * 256 / 255
    for length in (4, 16):
        row = point(f"--topology torus --nodes 256 --discipline store --length {length} --load 0.001 --warmup 2000 --cycles 200000")
        want = hops * length + (length - 1) / 2
        good += abs(row["latency_mean"] - want) < row["latency_ci99"] + 0.01 * want
        words.append(f"L = {length}: {show(Value(row['latency_mean'], row['latency_ci99']), places=1)} for {want:.1f}")
    return verdict(good, 2, "16 x 16, at a load of 0.001, mean latency against hops times length, and half a packet-step until the next one begins: " + "; ".join(words))
