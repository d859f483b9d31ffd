# SPDX-License-Identifier: Apache-2.0
"""paper_gg.py - the chapter of scripts/paper/paper.py about GG: Greenberg and Guan 1997.
"""

from lib.markdown import table
from paper_page import sizes_of
from paper_tools import Curve, Panel, Value, fatfly, latency, mean_of, read_csv, show


def model_rows(nodes, length, *loads):
    return read_csv(fatfly("model", "--nodes", str(int(nodes)), "--length", str(int(length)),
                           *loads, "--format", "csv"))


def model(nodes, length, load):
    return model_rows(nodes, length, "--load", f"{load:.10g}")[0]


def model_curve(nodes, length, highest):
    rows = model_rows(nodes, length, "--loads", f"0:{highest:.10g}:60")
    return [(r["load"], r["latency"]) for r in rows if r["latency"] != ""]


def gg(page):
    sweep = page.sweep("gg")
    sizes = sizes_of(sweep)[::-1]
    lengths_of = [int(v) for v in sweep.values("length")]
    saturation = {n: model(n, 32, 0.001)["saturation_load"] for n in sizes}
    page.add("## GG figure 3: simulation and model",
             "Open loop, uniform, Poisson arrivals, FCFS, RG, q = 2, V = 1; ten runs of 100 "
             "000 measured cycles a point. The model is GG's equations 1 to 26 with the two "
             "printed corrections (`fatfly model`). Latency from generation to the last flit, "
             "waiting at the source included. GG print a figure and no numbers, so the model "
             "is what we compare with; loads are shares of its saturation load. *Error*: model "
             "above simulation.")
    worst = {}
    errors = {}
    for n in sizes:
        curves = []
        for k, length in enumerate(lengths_of):
            points = [p for p in sweep.all(nodes=n, length=length) if p["load"] < saturation[n]]
            shown = [(p["load"], p["latency_mean"], p["latency_ci99"]) for p in points
                     if not p["saturated"]]
            curves.append(Curve(f"L = {length}, simulation", shown, k))
            curves.append(Curve(f"L = {length}, model",
                                [m for m in model_curve(n, length, 0.985 * saturation[n])], k,
                                model=True))
            for p in points:
                m = model(n, length, p["load"])["latency"]
                share = round(p["load"] / saturation[n], 3)
                sim = latency(p)
                error = (Value(m) / sim).scaled(100, -100)
                errors[n, length, share] = (p, m, sim, error)
                worst[n] = max(worst.get(n, 0), abs(error.mean))
        highest = 1.5 * max(p["latency_mean"] for p in sweep.all(nodes=n)
                            if p["load"] < saturation[n])
        page.plot(f"gg{n}", f"latency against load, N = {n}", [Panel(
            f"N = {n}, FCFS, RG", "load, flits per cycle and processor", "latency, cycles",
            curves, lines=[saturation[n]], yrange=f"0:{highest:.0f}",
            points_only=True)], height=400)
    page.add("The dotted line is the model's saturation load.")
    shares = sorted({s for _, _, s in errors})
    n = sizes[0]
    page.add(f"N = {n}, ours beside the model:", table(
        ["load", "share"] + [f"L = {v}: {w}" for v in lengths_of
                             for w in ("ours", "model", "error")],
        [[f"{errors[n, lengths_of[0], s][0]['load']:.5f}", f"{100 * s:.0f} %"] + [
            w for v in lengths_of for w in (show(errors[n, v, s][2]), f"{errors[n, v, s][1]:.1f}",
                                            show(errors[n, v, s][3], " %", 1))] for s in shares]))
    if len(sizes) > 1:
        page.add("The same for the smaller networks, error alone:", table(
            ["share"] + [f"N = {m}, L = {v}" for m in sizes[1:] for v in lengths_of],
            [[f"{100 * s:.0f} %"] + [show(errors[m, v, s][3], " %", 1) for m in sizes[1:]
                                    for v in lengths_of] for s in shares]))
    rows = []
    for n in sizes:
        line = [n, f"{saturation[n]:.5f}"]
        for length in lengths_of:
            full = sweep.all(nodes=n, length=length, runs=1)
            accepted = mean_of([p["accepted_load"] for p in full])
            line += [show(accepted), f"{100 * (saturation[n] / accepted.mean - 1):+.1f} %"]
        rows.append(line)
    page.add("Saturation load: the model's, and what the network accepts when twice that is "
             "offered (ten seeds), flits per cycle and processor. *Error*: model above "
             "simulation.",
             table(["N", "model"] + [f"L = {v}: {w}" for v in lengths_of
                                     for w in ("accepted", "error")], rows))
    top = sizes[0]
    low = max(abs(e[3].mean) for (n, _, s), e in errors.items() if n == top and s <= 0.8)
    page.judge("the model's latencies are accurate, N = 1024, L = 16, 32, 64" if top == 1024 else
               f"the model's latencies are accurate, N = {top}", "GG 3.6, figure 3",
               f"error at most {low:.1f} % up to 80 % of saturation and {worst[top]:.1f} % up to "
               "95 %",
               "agrees" if worst[top] < 10 else ("agrees up to 80 % of saturation (within 10 %), "
                                                 "differs "
               f"near it by up to {worst[top]:.0f} %" if low < 10 else "differs"))
    accepted = mean_of([p["accepted_load"] for p in sweep.all(nodes=top, runs=1)])
    page.judge("the model's saturation load is accurate", "GG 3.6, figure 3",
               f"N = {top}: {saturation[top]:.4f} against {show(accepted)} accepted",
               "agrees" if abs(saturation[top] / accepted.mean - 1) < 0.05 else
               f"differs: the model is {100 * (1 - saturation[top] / accepted.mean):.0f} % low")
