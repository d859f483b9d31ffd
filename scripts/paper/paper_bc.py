# SPDX-License-Identifier: Apache-2.0
"""paper_bc.py - the chapters on tori and meshes: Boppana and Chalasani's experiments repeated, and
the butterfly fat-tree, the torus and the mesh at equal cost.

BC = Boppana and Chalasani, New wormhole routing algorithms for multicomputers, 1993.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lib.markdown import table
from paper_page import Page
from paper_tools import Curve, Panel, Row, Sweep, Value, listing, show

NAMES = {"e-cube": "e-cube", "balanced-e-cube": "balanced e-cube", "north-last": "north-last",
         "negative-hop": "negative-hop", "positive-hop": "positive-hop"}
PATHS = ["e-cube", "north-last", "negative-hop"]
# Channel utilisation at saturation, 2.1.
SATURATION = {"bc-uniform": {"e-cube": 0.17, "north-last": 0.13, "negative-hop": 0.255},
              "bc-hotspot": {"e-cube": 0.122, "north-last": 0.114, "negative-hop": 0.235}}
TRAFFIC = [("bc-uniform", "uniform"), ("bc-hotspot", "4 % to (15, 15)")]
WITHIN = 0.01
RISE = 0.002
LOW = 0.02  # utilisation of the lightest load of every curve


def carried(rows: Sequence[Row]) -> float:
    """The highest utilisation that was carried without saturation."""
    return max((r["utilisation"] for r in rows if not r["saturated"]), default=0.0)


def reached(rows: Sequence[Row]) -> float:
    """The highest utilisation at any load, saturated or not: where a curve against utilisation
    ends."""
    return max(r["utilisation"] for r in rows)


def still_rises(rows: Sequence[Row]) -> bool:
    """Whether the most is reached at the last load, so that how much was offered decides."""
    *rest, last = sorted(rows, key=lambda r: r["load"])
    return bool(last["utilisation"] > reached(rest) + RISE)


def curve(sweep: Sweep, path: str, style: int, **where: Any) -> Curve:
    rows = [r for r in sweep.all(path=path, **where) if not r["saturated"]]
    rows.sort(key=lambda r: r["load"])
    return Curve(NAMES[path], [(r["utilisation"], r["latency_mean"], r["latency_ci99"] or 0)
                               for r in rows], style)


def at(points: Sequence[Sequence[float]], x: float) -> float | None:
    """On the line through the points of a curve; None beyond its ends."""
    for (x0, y0, _), (x1, y1, _) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return None


def crossing(one: Curve, other: Curve) -> float | None:
    """The utilisation from which `other` is the faster one; None if their curves do not meet."""
    low = max(one.points[0][0], other.points[0][0])
    high = min(one.points[-1][0], other.points[-1][0])
    steps = 2000
    for k in range(steps + 1):
        x = low + (high - low) * k / steps
        a, b = at(one.points, x), at(other.points, x)
        if a is not None and b is not None and b <= a:
            return x
    return None


EDGE = "agrees up to the last load that was offered, where it still rises"


def saturation_table(page: Page) -> list[tuple[str, str, float, bool]]:
    rows, judged = [], []
    for name, title in TRAFFIC:
        for path in PATHS:
            found = page.sweep(name).all(path=path)
            ours, theirs = reached(found), SATURATION[name][path]
            off = ours - theirs
            good = abs(off) <= WITHIN
            edge = good and not page.quick and still_rises(found)
            judged.append((title, NAMES[path], off, good))
            page.judge(f"{NAMES[path]} saturates at {theirs}, {title}", "BC 2.1", f"{ours:.3f}",
                       EDGE if edge else "agrees" if good else "differs")
            rows.append([NAMES[path], title, f"{theirs:.3f}", f"{ours:.3f}",
                         f"{off:+.3f}", "undecided, rises" if edge else "agrees" if good else "**differs**", f"{carried(found):.3f}"])
    page.add(table(["algorithm", "traffic", "BC saturates at", "ours reaches", "difference",
                    f"within {WITHIN}", "without saturation"], rows))
    return judged


def verdict(page: Page, judged: Sequence[tuple[str, str, float, bool]]) -> None:
    bad = [f"{path} under {title} traffic by {off:+.3f}" for title, path, off, good in judged
           if not good]
    page.add(f"{len(judged) - len(bad)} of {len(judged)} are within {WITHIN}" +
             (f"; outside are {listing(bad)}." if bad else ".") + ("" if page.quick else rising(page)))


def rising(page: Page) -> str:
    """Which curves still rise at the last load."""
    said = []
    for name, title in (("bc-uniform", "uniform traffic"), ("bc-hotspot", "the hot spot")):
        for path in PATHS:
            found = page.sweep(name).all(path=path)
            if still_rises(found):
                *rest, _ = sorted(found, key=lambda r: r["load"])
                said.append(f"{NAMES[path]} under {title} ({rest[-1]['utilisation']:.3f} at the load "
                            "before)")
    return f" Still rising at the last load: {listing(said)}, so that how much was offered decides these." if said else ""


def figures(page: Page) -> list[Curve]:
    uniform, hotspot = page.sweep("bc-uniform"), page.sweep("bc-hotspot")
    one = [curve(uniform, p, k) for k, p in enumerate(PATHS)]
    two = [curve(hotspot, p, k) for k, p in enumerate(PATHS)]
    page.plot("bc", "BC figures 1 and 2", [
        Panel("uniform traffic (BC figure 1)", "channel utilisation", "latency, cycles", one,
              xrange="0:0.28", yrange="0:400", lines=SATURATION["bc-uniform"].values()),
        Panel("4 % to one corner (BC figure 2)", "channel utilisation", "latency, cycles", two,
              xrange="0:0.28", yrange="0:400", lines=SATURATION["bc-hotspot"].values())])
    page.add("Dotted: where BC's curves end; theirs cross at a utilisation of about 0.17 and 0.13, where "
             "those of e-cube and north-last turn up. Ours: " + crossings(one))
    return one


def crossings(curves: Sequence[Curve]) -> str:
    e_cube, north, negative = curves
    said = []
    for name, other in (("e-cube", e_cube), ("north-last", north)):
        x = crossing(other, negative)
        if x is None:
            said.append(f"negative-hop is the faster one beyond the last point of {name} "
                        f"({other.points[-1][0]:.3f}, {other.points[-1][1]:.0f} cycles)")
        else:
            said.append(f"negative-hop is faster than {name} from a utilisation of {x:.3f} on")
    return listing(said) + "."


def statements(page: Page, curves: Sequence[Curve]) -> None:
    """What BC say in words (2.1)."""
    e_cube, north, _ = curves
    sweep = page.sweep("bc-uniform")

    def lowest(path: str) -> Value:
        row = min(sweep.all(path=path), key=lambda r: r["load"])
        return Value(row["latency_mean"], row["latency_ci99"] or 0)

    ratio = lowest("negative-hop") / lowest("e-cube")
    best = {p: reached(sweep.all(path=p)) for p in PATHS}
    hot = {p: reached(page.sweep("bc-hotspot").all(path=p)) for p in PATHS}
    gain = [1 - at(north.points, x) / at(e_cube.points, x) for x in (0.05, 0.08, 0.11)
            if at(north.points, x) and at(e_cube.points, x)]

    def more(found: dict[str, float], path: str) -> str:
        return f"{100 * (found['negative-hop'] / found[path] - 1):.0f} %"

    page.add(table(["BC say", "ours"], [
        ["at low loads negative-hop's latency is about 4.5 times that of e-cube", show(ratio, "", 2)],
        ["negative-hop carries 46 % more than e-cube, uniform", more(best, "e-cube")],
        ["and 100 % more than north-last", more(best, "north-last")],
        ["under the hot spot 93 % more than e-cube", more(hot, "e-cube")],
        ["and 106 % more than north-last", more(hot, "north-last")],
        ["north-last is slightly faster than e-cube below 0.12, by less than 4 % at low loads",
         "at 0.05, 0.08, 0.11: " + ", ".join(f"{100 * g:.1f} %" for g in gain)]]))


def lengths(page: Page) -> None:
    """Other messages and tori, of which BC give no numbers."""
    sweep = page.sweep("bc-lengths")
    rows, alike = [], True
    for k, length in ((16, 4), (16, 8), (16, 16), (10, 4)):
        where = {"radix": k, "length": length}
        most = {p: reached((page.sweep("bc-uniform") if where == {"radix": 16, "length": 4}
                            else sweep).all(path=p, **where)) for p in PATHS}
        alike = alike and most["negative-hop"] > most["e-cube"] > most["north-last"]
        rows.append([f"{k} x {k}", length] + [f"{most[p]:.3f}" for p in PATHS])
    page.add("### Longer messages, and 10 x 10",
             table(["torus", "flits"] + [NAMES[p] for p in PATHS], rows),
             "Highest utilisation reached, uniform traffic, a message fits in a queue, shorter runs "
             "but for the first line. BC report that results are similar, without numbers: the order "
             "of the algorithms is " + ("the same in all." if alike else "**not the same** in all."))


def choices(page: Page) -> None:
    """What BC leave open, and how much it matters."""
    sweep = page.sweep("bc-choices")
    rows, most = [], {}

    def cell(path: str, depth: float, bandwidth: str, injection: str) -> str:
        found = sweep.all(path=path, depth=depth, bandwidth=bandwidth, injection=injection)
        return f"{reached(found):.3f}" if found else "-"

    for path in ["e-cube", "balanced-e-cube", "north-last", "negative-hop", "positive-hop"]:
        demand = sweep.all(path=path, depth=4, bandwidth="on-demand")
        if demand:
            most[path] = reached(demand)
        rows.append([NAMES[path]] + [cell(path, q, "fixed-share", "per-channel") for q in (2, 3, 4)] +
                    [cell(path, 4, "fixed-share", "one-queue"),
                     cell(path, 4, "on-demand", "per-channel")])
    page.add("### What BC leave open",
             "They give neither the depth of a channel's queue, nor how worms wait at their source, nor "
             "how e-cube and north-last use their two channels on a torus. With queues of four flits, in "
             "which a message fits, and at each source a queue for each virtual channel "
             "(`--injection per-channel`) all three together come nearest; [readings-bc.md]"
             "(readings-bc.md) has other readings of queues, channels and sources. Highest utilisation "
             "reached, shorter runs:",
             table(["algorithm", "q = 2", "q = 3", "q = 4", "q = 4, one queue a source",
                    "q = 4, on demand"], rows),
             "Hop algorithms begin in channel 0 alone, so that their sources have one queue either way. "
             "e-cube here is Dally and Seitz's: a worm that does not cross the end of a line goes "
             "in the upper channel, which so carries four fifths; sharing such worms out "
             "(balanced e-cube) carries more than BC's figure. "
             "north-last: turning freely from ring to ring, with "
             "the channel chosen ring by ring, has circles in its channel dependency graph. Ours "
             "keeps free turns to one channel and leads worms there by the other "
             "(cmodel/topology/cube.c), which is shown to be without circles before every run.",
             "BC expect the order of the algorithms to stay when idle channels lend their "
             "bandwidth: it " + ("does" if most["negative-hop"] > most["e-cube"] >
                                 most["north-last"] else "**does not**") +
             f" (last column; more than {max(most.values()):.2f} was not offered).")


def tori(page: Page) -> None:
    page.add("## Tori: Boppana and Chalasani",
             "A torus of 16 x 16, messages of 4 flits, geometric arrivals, a fixed share of each "
             "link for each virtual channel (2, 2 and 9), queues of 4 flits, at each source a queue "
             "for each channel" +
             ("" if page.quick else "; a million cycles to warm up and a million measured") +
             ". Utilisation is flits over links per link and cycle (BC, equation 1). BC's curves end "
             "at the highest that is reached, and they do not say what was offered for it; ours are "
             "followed to 15 % beyond their figure, north-last to 25 %, and saturated networks are "
             "measured for all cycles, too. Without saturation: the highest whose backlog did not grow.")
    judged = saturation_table(page)
    verdict(page, judged)
    if page.quick:
        return
    curves = figures(page)
    statements(page, curves)
    choices(page)
    lengths(page)


# -- three networks at equal cost -----------------------------------------------------------------

KINDS: list[tuple[str, dict[str, Any], float]] = [("fat-tree, V = 1", {"topology": "fat-tree", "vcs": 1}, 1),
         ("fat-tree, V = 2", {"topology": "fat-tree", "vcs": 2}, 1),
         ("mesh", {"topology": "mesh"}, 1), ("torus", {"topology": "torus"}, 0.5)]


def comparison(page: Page) -> None:
    if page.quick:
        return
    sweep = page.sweep("compare")
    page.add("## Butterfly fat-tree, torus and mesh at equal cost",
             "256 and 1024 processors, messages of 16 flits of the same bits, uniform traffic. "
             "Equal bisection: sqrt(N) links a direction; the torus has twice as many, so its "
             "flits have half the bits and its messages 32 of them. Equal queues: 12 N flits in "
             "all (the fat-tree 3 N inputs of 4, or of two channels of 2; the mesh 4 N of 3; the "
             "torus 4 N of two channels of 3 half flits, bandwidth on demand). Loads are in whole "
             "flits. Mesh and torus go dimension by dimension (balanced e-cube). Every hop takes a cycle, however long its wire; processors of the mesh and "
             "the torus have no link of their own that could be full.")
    panels, rows = [], []
    for n in (256, 1024):
        curves = []
        for k, (name, where, scale) in enumerate(KINDS):
            found = sorted(sweep.all(nodes=n, **where), key=lambda r: r["load"])
            fine = [r for r in found if not r["saturated"]]
            curves.append(Curve(name, [(r["load"] * scale, r["latency_mean"],
                                        r["latency_ci99"] or 0) for r in fine], k))
            over = [r["accepted_load"] * scale for r in found if r["saturated"]]
            rows.append([n, name, f"{fine[0]['latency_mean']:.1f}",
                         f"{fine[-1]['load'] * scale:.3f}",
                         f"{max(over):.3f}" if over else "-"])
        panels.append(Panel(f"N = {n}", "load, flits per cycle and processor", "latency, cycles",
                            curves, yrange="0:180", xrange="0:*"))
    page.plot("compare", "latency against load at equal cost", panels)
    page.add(table(["N", "network", "latency at 0.005", "highest load carried",
                    "most accepted beyond"], rows))
    said = []
    for n in (256, 1024):
        own = [r for r in rows if r[0] == n]
        most = max(float(str(r[3])) for r in own)
        best = listing(r[1] for r in own if float(str(r[3])) == most)
        fast = min(own, key=lambda r: float(str(r[2])))
        said.append(f"With N = {n} the highest load, {most:g}, is carried by {best}, and the "
                    f"lightest is fastest on {fast[1]} ({fast[2]} cycles).")
    page.add(" ".join(said))
