# SPDX-License-Identifier: Apache-2.0
"""paper_beyond.py - the chapter of scripts/paper/paper.py beyond the papers: other sizes, lengths, channels, queues.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lib.markdown import table
from paper_page import POWERS, Page, ticks
from paper_tools import Curve, Panel, Sweep, Value, gain, latency, listing, mean_of, over, show


def saturated_at(page: Page, **where: Any) -> Value:
    """What is accepted far beyond saturation, from the sweep of that name."""
    base = {"nodes": 1024, "length": 32, "depth": 2, "vcs": 1, "path": "rp", "scan": "rr",
            "lengths": "fixed"}
    found = page.sweep("saturation").all(**{**base, **where})
    return mean_of([p["accepted_load"] for p in found])


def beyond(page: Page) -> None:
    page.add("## Beyond the papers", "What GO and GG could not run or did not ask. Each "
                                     "sentence's numbers "
             "come from the points drawn.")
    big_networks(page)
    long_worms(page)
    open_loops(page)


def big_networks(page: Page) -> None:
    sweep = page.sweep("sizes")
    left, right = [], []
    ends = {}
    for k, pattern in enumerate(("complement", "random")):
        rows = sweep.all(pattern=pattern)
        left.append(Curve(pattern, [(p["nodes"], p["last_arrival_mean"], p["last_arrival_ci99"] or 0)
                                    for p in rows], k))
        per = [(p["nodes"], p["last_arrival_mean"] / math.sqrt(p["nodes"]) / 16,
                (p["last_arrival_ci99"] or 0) / math.sqrt(p["nodes"]) / 16) for p in rows]
        right.append(Curve(pattern, per, k))
        ends[pattern] = per
    page.add("### N up to 4^10", f"WORM, RP, RR, L = 32, {listing(int(p['runs']) for p in rows)} "
                                 "runs for "
             "N = 4 .. 4^10. The right plot divides by √N/2 · L, the time that the complement's "
             "load on the root's links takes.")
    page.plot("sizes", "latency up to a million processors", [
        Panel("WORM, L = 32", "N, processors", "latency, cycles", left, log="xy", ticks=POWERS,
              xrange="3:1.5e6"),
        Panel("latency / (√N/2 · L)", "N, processors", "ratio", right, log="x", ticks=POWERS,
              xrange="3:1.5e6", yrange="0:2.5")])
    last = sweep.one(pattern="complement", nodes=4 ** 10)
    table_rows = [[f"4^{round(math.log(n, 4))} = {int(n)}"] + [
        show(latency(sweep.one(pattern=p, nodes=n))) for p in ("complement", "random")]
        for n in sweep.values("nodes")]
    page.add(table(["N", "complement", "random"], table_rows))
    page.add(f"With a million processors the complement takes {last['last_arrival_mean']:.0f} cycles, "
             f"{ends['complement'][-1][1]:.3f} times what its busiest links need at least and "
             f"{'less' if ends['complement'][-1][1] < ends['complement'][5][1] else 'no less'} than at N = 4096 ({ends['complement'][5][1]:.3f}); random traffic, which "
             "loads the root's links 3/4 as much on average, goes from "
             f"{ends['random'][5][1]:.3f} to {ends['random'][-1][1]:.3f}.")


def long_worms(page: Page) -> None:
    sizes = [64, 256, 1024]
    marks = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    curves, drop = [], []
    for k, n in enumerate(sizes):
        points = [(v, saturated_at(page, nodes=n, length=v)) for v in marks]
        top = points[0][1]
        curves.append(Curve(f"N = {n}", [(x, 100 * v.mean / top.mean, 100 * v.half / top.mean)
                                         for x, v in points], k))
        drop.append((n, points))
    page.add("### L = 1 to 256", "What the network accepts beyond saturation, as a share of what "
                                 "it accepts "
             "of single flits; RP, RR, q = 2, uniform.")
    page.plot("worms-saturation", "accepted load against L", [Panel(
        "beyond saturation", "L, flits", "accepted load, % of that with L = 1", curves, log="x",
        ticks=ticks(marks), xrange="0.8:320", yrange="80:104")])
    n, points = drop[-1]
    at = dict(points)
    short, long = (at[16] / at[1]).scaled(100), (at[256] / at[1]).scaled(100)
    same = abs(short.mean - long.mean) <= math.hypot(short.half, long.half)
    page.add(f"At N = {n} worms of 16 flits get {show(short, ' %')} of the throughput of single "
             f"flits, and those of 256 get {'no less' if same else 'other'}: {show(long, ' %')}.")


def latency_curves(sweep: Sweep, what: str, values: Sequence[Any], names: Sequence[str]) -> list[Curve]:
    curves = []
    for k, value in enumerate(values):
        rows = [p for p in sweep.all(**{what: value})
                if not p["saturated"] and p["latency_mean"] != ""]
        curves.append(Curve(names[k], [(p["load"], p["latency_mean"], p["latency_ci99"] or 0)
                                       for p in rows], k))
    return curves


def open_plot(page: Page, name: str, title: str, sweep: Sweep, what: str, values: Sequence[Any], names: Sequence[str], yrange: str = "0:300", **options: Any) -> None:
    page.plot(name, title, [Panel(title, "load, flits per cycle and processor", "latency, cycles",
                                  latency_curves(sweep, what, values, names), yrange=yrange,
                                  **{"xrange": "0:*", **options})])


def at_load(sweep: Sweep, load: float, **where: Any) -> Value:
    return latency(sweep.one(load=load, **where))


def open_loops(page: Page) -> None:
    page.add("All that follows: open loop, uniform, geometric arrivals, mean length 32 flits, "
             "RP, RR, q = 2, V = 1 and N = 1024 unless said. A curve ends where the network "
             "saturates.")
    open_channels(page)
    open_queues(page)
    open_scans(page)
    open_paths(page)
    open_worms(page)


def open_channels(page: Page) -> None:
    sweep = page.sweep("channels")
    page.add("### V = 1, 2, 4 virtual channels", "N = 256.")
    open_plot(page, "channels", "virtual channels, N = 256", sweep, "vcs", [1, 2, 4],
              ["V = 1", "V = 2", "V = 4"])
    full = {v: saturated_at(page, nodes=256, vcs=v) for v in (1, 2, 4)}
    low = {v: at_load(sweep, 0.04, vcs=v) for v in (1, 2, 4)}
    page.add(f"Two channels accept {show(over(full[2], full[1]), ' %', 1)} more than one and four "
             f"{show(over(full[4], full[1]), ' %', 1)}, but worms that share a link take "
             f"longer: at a load of 0.04 latency is {show(over(low[2], low[1]), ' %', 1)} and "
             f"{show(over(low[4], low[1]), ' %', 1)} above that of V = 1.")


def open_queues(page: Page) -> None:
    sweep = page.sweep("queues")
    page.add("### q = 1 to 8 flits")
    values = [int(v) for v in sweep.values("depth")]
    open_plot(page, "queues", "queues of q flits", sweep, "depth", values,
              [f"q = {v}" for v in values])
    full = {q: saturated_at(page, depth=q) for q in values}
    page.add(f"A single flit a queue halves the network ({show(gain(full[1], full[2]), ' %', 1)} "
             "below q = 2, because a queue of one passes a flit every second cycle), and q = 8 "
             f"adds only {show(over(full[8], full[2]), ' %', 1)} to what q = 2 accepts.")


def open_scans(page: Page) -> None:
    sweep = page.sweep("scans")
    page.add("### RR against ROT", "And the other scans; ROT is what hardware calls round robin.")
    values = ["rr", "rot", "fo", "ff", "fcfs"]
    open_plot(page, "scans", "scan", sweep, "scan", values, [v.upper() for v in values], "40:180",
              xrange="0.02:0.045")
    full = {s: saturated_at(page, scan=s) for s in values}
    near = {s: at_load(sweep, 0.04, scan=s) for s in values}
    order = sorted(values, key=lambda s: near[s].mean)
    wait, more = over(near["rot"], near["rr"]), over(full["rot"], full["rr"])
    same = abs(wait.mean) <= wait.half and abs(more.mean) <= more.half
    page.add(f"ROT and RR {'cannot be told apart' if same else 'differ'}: at a load of 0.04 "
             f"ROT's latency is {show(wait, ' %', 1)} above RR's and it accepts "
             f"{show(more, ' %', 1)} more, while among all scans {order[0].upper()} is the "
             f"fastest there ({show(near[order[0]])} cycles) and {order[-1].upper()} the "
             f"slowest ({show(near[order[-1]])}).")


def open_paths(page: Page) -> None:
    sweep = page.sweep("paths")
    page.add("### RG against RP", "And the other path selections.")
    values = ["rg", "rp", "gp", "fp"]
    open_plot(page, "paths", "path selection", sweep, "path", values, [v.upper() for v in values])
    full = {p: saturated_at(page, path=p) for p in values}
    near = {p: at_load(sweep, 0.03, path=p) for p in values}
    more = over(full["rg"], full["rp"])
    page.add("Trying the other parent (RG) makes latency "
             f"{show(gain(near['rg'], near['rp']), ' %', 1)} less than RP at a load of 0.03 and "
             f"{'does not change' if abs(more.mean) <= more.half else 'changes'} what is "
             f"accepted ({show(more, ' %', 1)}), while a fixed path (FP) accepts "
             f"{show(gain(full['fp'], full['rp']), ' %', 1)} less.")


def open_worms(page: Page) -> None:
    sweep = page.sweep("worms")
    page.add("### Lengths that vary", "All with a mean of 32 flits: fixed; uniform over 1 to 63; "
                                      "geometric, "
             "cut at 512; bimodal, 80 % of 8 and 20 % of 128 flits.")
    values = ["fixed", "uniform", "geometric", "bimodal"]
    open_plot(page, "worms", "lengths with a mean of 32 flits", sweep, "lengths", values, values)
    full = {"fixed": saturated_at(page)}
    for v, length in (("uniform", 63), ("geometric", 512), ("bimodal", 128)):
        full[v] = saturated_at(page, lengths=v, length=length)
    near = {v: at_load(sweep, 0.02, lengths=v) for v in values}
    page.add("The more the lengths vary the earlier the network saturates: it accepts " + listing(
        f"{show(gain(full[v], full['fixed']), ' %', 1)} less ({v})" for v in values[1:]) +
        " than with a fixed length, and at a load of 0.02 latency is " + listing(
            f"{show(over(near[v], near['fixed']), ' %', 0)}" for v in values[1:]) + " higher.")
