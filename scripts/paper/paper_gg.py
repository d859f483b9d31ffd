# SPDX-License-Identifier: Apache-2.0
"""paper_gg.py - the chapter of scripts/paper/paper.py about GG: Greenberg and Guan 1997.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

from lib.markdown import table
from paper_page import Page, sizes_of
from paper_tools import ROOT, Curve, Panel, Row, Sweep, Value, fatfly, latency, mean_of, read_csv, show


def model_rows(nodes: float, length: float, *loads: str) -> list[Row]:
    return read_csv(fatfly("model", "--nodes", str(int(nodes)), "--length", str(int(length)),
                           *loads, "--format", "csv"))


def model(nodes: float, length: float, load: float) -> Row:
    return model_rows(nodes, length, "--load", f"{load:.10g}")[0]


def model_curve(nodes: float, length: float, highest: float) -> list[tuple[float, float]]:
    rows = model_rows(nodes, length, "--loads", f"0:{highest:.10g}:60")
    return [(r["load"], r["latency"]) for r in rows if r["latency"] != ""]


Found = dict[tuple[str, int, int, float], tuple[Row, float, Value]]  # reading, N, L, share: point, model, error
READINGS = {"rw": "RW", "rg": "RG"}    # the words of GG 3.1, then the other way to read them


def shares_of(sweep: Sweep, saturation: dict[int, float]) -> Found:
    """By reading, N, L and share of the model's saturation load: the point, the model's latency, its error in percent."""
    found = {}
    for p in sweep.rows:
        n = int(p["nodes"])
        if p["load"] < saturation[n]:
            m = model(n, p["length"], p["load"])["latency"]
            key = p["path"], n, int(p["length"]), round(p["load"] / saturation[n], 3)
            found[key] = (p, m, (Value(m) / latency(p)).scaled(100, -100))
    return found


def plots(page: Page, found: Found, sizes: Sequence[int], lengths_of: Sequence[int], saturation: dict[int, float]) -> None:
    for n in sizes:
        curves = []
        for k, length in enumerate(lengths_of):
            for path, name in READINGS.items():
                shown = [(p["load"], p["latency_mean"], p["latency_ci99"]) for (way, m, v, _), (p, _, _) in found.items()
                         if (way, m, v) == (path, n, length) and not p["saturated"]]
                curves.append(Curve(f"L = {length}, {name}", shown, k, dash=path == "rg"))
            curves.append(Curve(f"L = {length}, model", list(model_curve(n, length, 0.985 * saturation[n])), k, model=True))
        highest = 1.5 * max(p["latency_mean"] for (_, m, _, _), (p, _, _) in found.items() if m == n)
        page.plot(f"gg{n}", f"latency against load, N = {n}", [Panel(
            f"N = {n}, FCFS", "load, flits per cycle and processor", "latency, cycles",
            curves, lines=[saturation[n]], yrange=f"0:{highest:.0f}", points_only=True)], height=430)
    if not page.quick:
        page.add("The dotted line is the model's saturation load; full points RW, open ones RG.")


def beside(page: Page, found: Found, n: int, lengths_of: Sequence[int]) -> None:
    """Latencies of one size, a table for each reading."""
    shares = sorted({key[3] for key in found})
    for path, name in READINGS.items():
        page.add(f"N = {n}, {name} beside the model:", table(
            ["load", "share"] + [f"L = {v}: {w}" for v in lengths_of for w in ("ours", "model", "error")],
            [[f"{found[path, n, lengths_of[0], s][0]['load']:.5f}", f"{100 * s:.0f} %"] + [
                w for v in lengths_of for w in (show(latency(found[path, n, v, s][0])), f"{found[path, n, v, s][1]:.1f}",
                                                show(found[path, n, v, s][2], " %", 1))] for s in shares]))


def saturations(page: Page, sweep: Sweep, sizes: Sequence[int], lengths_of: Sequence[int], saturation: dict[int, float]) -> dict[str, Value]:
    """The table of what is accepted; the mean of the largest network by reading."""
    rows, top = [], {}
    for n in sizes:
        for path, name in READINGS.items():
            line = [n, name, f"{saturation[n]:.5f}"]
            for length in lengths_of:
                accepted = mean_of([p["accepted_load"] for p in sweep.all(nodes=n, length=length, path=path, runs=1)])
                line += [show(accepted), f"{100 * (saturation[n] / accepted.mean - 1):+.1f} %"]
            rows.append(line)
            top.setdefault(path, mean_of([p["accepted_load"] for p in sweep.all(nodes=n, path=path, runs=1)]))
    page.add("Saturation load: the model's, and what the network accepts when twice that is offered (ten seeds), flits per cycle and "
             "processor. *Error*: model above simulation.",
             table(["N", "reading", "model"] + [f"L = {v}: {w}" for v in lengths_of for w in ("accepted", "error")], rows))
    return top


def variants() -> str:
    """What docs/readings-gg.md says of all variants; make paper writes it before this page."""
    text = pathlib.Path(ROOT, "docs", "readings-gg.md").read_text(encoding="utf-8")
    said = [line for line in text.split("\n") if " variants accept" in line]
    if len(said) != 1:
        raise LookupError("docs/readings-gg.md does not say which variants accept the model's load")
    return said[0] + " Each is in [readings-gg.md](readings-gg.md#saturation)."


def gg(page: Page) -> None:
    sweep = page.sweep("gg")
    sizes = sizes_of(sweep)[::-1]
    lengths_of = [int(v) for v in sweep.values("length")]
    saturation = {n: model(n, 32, 0.001)["saturation_load"] for n in sizes}
    runs = int(max(p["runs"] for p in sweep.rows))
    page.add("## GG figure 3: simulation and model",
             f"Open loop, uniform, Poisson arrivals, FCFS, q = 2, V = 1; {runs} runs a point. The model is GG's equations 1 to 26 with the two "
             "printed corrections (`fatfly model`). Latency from generation to the last flit, waiting at the source included. GG print a "
             "figure and no numbers, so the model is what we compare with; loads are shares of its saturation load. *Error*: model above "
             "simulation.",
             "GG 3.1: a worm draws one of the two links up, tries the other if it is blocked, \"and if both are blocked, it waits\". **RW** waits for "
             "the link that it drew, as the words have it; **RG** draws anew in every cycle. Words and figure disagree: the figure's curve is the "
             "model's, and neither reading follows it to saturation.")
    found = shares_of(sweep, saturation)
    plots(page, found, sizes, lengths_of, saturation)
    beside(page, found, sizes[0], lengths_of)
    if len(sizes) > 1:
        shares = sorted({key[3] for key in found})
        page.add("The same for the smaller networks, error alone:", table(
            ["share", "reading"] + [f"N = {m}, L = {v}" for m in sizes[1:] for v in lengths_of],
            [[f"{100 * s:.0f} %", name] + [show(found[path, m, v, s][2], " %", 1) for m in sizes[1:] for v in lengths_of]
             for s in shares for path, name in READINGS.items()]))
    accepted = saturations(page, sweep, sizes, lengths_of, saturation)
    if not page.quick:
        page.add(variants())
    verdicts(page, found, sizes[0], saturation[sizes[0]], accepted)


def verdicts(page: Page, found: Found, top: int, saturation: float, accepted: dict[str, Value]) -> None:
    """By RW; what RG gives stands beside it."""
    low, most = ({path: max(abs(e.mean) for (way, n, _, s), (_, _, e) in found.items() if (way, n) == (path, top) and s <= limit)
                  for path in READINGS} for limit in (0.8, 1))
    page.judge("the model's latencies are accurate, N = 1024, L = 16, 32, 64" if top == 1024 else
               f"the model's latencies are accurate, N = {top}", "GG 3.6, figure 3",
               f"RW: error at most {low['rw']:.1f} % up to 80 % of saturation and {most['rw']:.1f} % up to 95 %; RG: {low['rg']:.1f} and "
               f"{most['rg']:.1f} %",
               "agrees" if most["rw"] < 10 else
               f"agrees up to 80 % of saturation (within {low['rw']:.1f} %), differs near it by up to {most['rw']:.0f} %" if low["rw"] < 10 else "differs")
    off = {path: saturation / v.mean - 1 for path, v in accepted.items()}
    page.judge("the model's saturation load is accurate", "GG 3.6, figure 3",
               f"N = {top}: {saturation:.4f} against {show(accepted['rw'])} accepted by RW, {show(accepted['rg'])} by RG",
               "agrees" if abs(off["rw"]) < 0.05 else f"differs: the model is {abs(100 * off['rw']):.0f} % {'low' if off['rw'] < 0 else 'high'}")
