# SPDX-License-Identifier: Apache-2.0
"""paper_tools.py - what scripts/paper/paper.py and tb/paper/judge.py share: points of a sweep, intervals,
fits, Markdown tables, plots.  Standard library alone.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ.get("BUILD", "build")

Row = dict[str, Any]  # of COLUMNS, numbers where they are numbers


def fatfly(*words: str, quiet: bool = False) -> str:
    """Standard output of the command; quiet: warnings are shown only if it fails."""
    done = subprocess.run([os.path.join(ROOT, BUILD, "fatfly"), *words], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, check=False)
    if done.returncode and done.stderr:
        print(done.stderr, end="", file=sys.stderr)
    done.check_returncode()
    return done.stdout


# -- points ---------------------------------------------------------------------------------------

COLUMNS = ("nodes length depth vcs discipline path scan pattern load runs seed lengths delay_range "
           "overhead latency_mean latency_ci99 latency_max last_arrival_mean last_arrival_ci99 "
           "last_arrival_max congestion_mean latency_per_congestion "
           "accepted_load utilisation wait_mean topology radix dimensions bandwidth injection "
           "link_bandwidth rounds saturated cycles flit_hops cpu_s digest")


def number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def read_csv(text: str) -> list[Row]:
    return [{k: number(v) if k != "digest" else v for k, v in row.items()}
            for row in csv.DictReader(io.StringIO(text))]


class Sweep:
    """The points of one results file, in the order of the sweep file."""

    def __init__(self, folder: str, name: str) -> None:
        self.name = name
        self.db = os.path.join(folder, name + ".sqlite")
        self.rows = read_csv(fatfly("export", self.db, "--columns", COLUMNS.replace(" ", ",")))

    def all(self, **where: Any) -> list[Row]:
        return [r for r in self.rows if all(r[k] == v for k, v in where.items())]

    def one(self, **where: Any) -> Row:
        found = self.all(**where)
        if len(found) != 1:
            raise LookupError(f"{self.name}: {len(found)} points with {where}")
        return found[0]

    def values(self, column: str, **where: Any) -> list[Any]:
        return list(dict.fromkeys(r[column] for r in self.all(**where)))

    def digest(self) -> str:
        """Of the digests of all points, in order."""
        text = "\n".join(r["digest"] for r in self.rows)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# -- intervals ------------------------------------------------------------------------------------

class Value:
    """A mean and the half-width of its 99 % interval.  Points of one sweep have the same worms
    where seeds and sizes agree; differences and ratios treat them as independent, so their
    intervals are too wide rather than too narrow."""

    def __init__(self, mean: float, half: float = 0.0) -> None:
        self.mean, self.half = mean, half

    def __sub__(self, other: Value) -> Value:
        return Value(self.mean - other.mean, math.hypot(self.half, other.half))

    def __truediv__(self, other: Value) -> Value:
        ratio = self.mean / other.mean
        return Value(ratio, abs(ratio) * math.hypot(self.half / self.mean, other.half / other.mean))

    def scaled(self, by: float, plus: float = 0.0) -> Value:
        return Value(self.mean * by + plus, self.half * abs(by))

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half


def latency(row: Row) -> Value:
    """Of a static run the papers mean its last arrival, of an open loop the mean of its worms."""
    name = "latency" if row["load"] else "last_arrival"
    return Value(row[name + "_mean"], row[name + "_ci99"] or 0.0)


def gain(better: Value, worse: Value) -> Value:
    """By how many percent better is below worse."""
    return (better / worse).scaled(-100, 100)


def over(a: Value, b: Value) -> Value:
    """By how many percent a is above b."""
    return (a / b).scaled(100, -100)


def student_tail(t: float, degrees: float) -> float:
    """P(T > t), t > 0: half the regularized incomplete beta function, by its continued fraction."""
    x = degrees / (degrees + t * t)
    a, b = degrees / 2, 0.5
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a / 2
    return (1 - front * beta_fraction(b, a, 1 - x) / b) / 2


def beta_fraction(a: float, b: float, x: float) -> float:
    """Lentz's method (Numerical Recipes calls it betacf; DLMF 8.17.22)."""
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 10000):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    raise ArithmeticError("the continued fraction does not settle")


def student(tail: float, degrees: float) -> float:
    """t with P(T > t) = tail."""
    low, high = 0.0, 1.0
    while student_tail(high, degrees) > tail:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if student_tail(middle, degrees) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def mean_of(values: Sequence[float]) -> Value:
    """Of independent values, with Student's t."""
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return Value(mean, math.nan)
    error = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (n - 1) / n)
    return Value(mean, student(0.005, n - 1) * error)


def deviation(value: Value, runs: float) -> float:
    """Standard deviation of one run, from the interval of the mean of so many."""
    return value.half * math.sqrt(runs) / student(0.005, runs - 1)


# -- fits -----------------------------------------------------------------------------------------

def line_fit(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float, float]:
    """y = a + b x by least squares: a, b, standard error of b, R^2 (1 if all y are equal).  ArithmeticError: all x are equal."""
    n = len(x)
    mx, my = math.fsum(x) / n, math.fsum(y) / n
    xx = math.fsum((u - mx) ** 2 for u in x)
    if not xx:
        raise ArithmeticError(f"{n} points at {mx:g} have no slope; other sizes are needed")
    b = math.fsum((u - mx) * (v - my) for u, v in zip(x, y)) / xx
    a = my - b * mx
    rest = math.fsum((v - a - b * u) ** 2 for u, v in zip(x, y))
    total = math.fsum((v - my) ** 2 for v in y)
    error = math.sqrt(rest / (n - 2) / xx) if n > 2 else math.nan
    return a, b, error, 1 - rest / total if total else 1.0


def power_fit_logs(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float]:
    """y = k x^p by least squares of the logarithms: k, p, standard error of p."""
    a, p, error, _ = line_fit([math.log(u) for u in x], [math.log(v) for v in y])
    return math.exp(a), p, error


def power_fit(x: Sequence[float], y: Sequence[float]) -> tuple[float, float, float]:
    """y = k x^p by least squares of y itself: for a given p the best k is known, and the sum of
    squares has one minimum in p."""
    def best(p: float) -> tuple[float, float]:
        k = math.fsum(v * u ** p for u, v in zip(x, y)) / math.fsum(u ** (2 * p) for u in x)
        return k, math.fsum((v - k * u ** p) ** 2 for u, v in zip(x, y))

    low, high = -2.0, 3.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if best(a)[1] < best(b)[1] else (a, high)
    p = (low + high) / 2
    k, rest = best(p)
    # Standard error of p from the Jacobian (d/dk, d/dp) at the minimum.
    dk = [u ** p for u in x]
    dp = [k * u ** p * math.log(u) for u in x]
    kk, pp = math.fsum(u * u for u in dk), math.fsum(u * u for u in dp)
    kp = math.fsum(u * v for u, v in zip(dk, dp))
    error = math.sqrt(rest / (len(x) - 2) * kk / (kk * pp - kp * kp)) if len(x) > 2 else math.nan
    return k, p, error


# -- words ----------------------------------------------------------------------------------------

def digits(x: float) -> int:
    """So many decimals that a half-width has two digits."""
    if not x or math.isnan(x):
        return 0
    return max(0, 1 - math.floor(math.log10(x)))


def show(value: Value, unit: str = "", places: int | None = None) -> str:
    if places is None:
        places = digits(value.half)
    if not value.half:
        return f"{value.mean:.{0 if value.mean == round(value.mean) else 2}f}{unit}"
    mean = f"{value.mean:.{places}f}"
    return f"{mean.lstrip('-') if float(mean) == 0 else mean} ± {value.half:.{places}f}{unit}"


def listing(words: Iterable[object]) -> str:
    text = [str(w) for w in words]
    return text[0] if len(text) == 1 else ", ".join(text[:-1]) + " and " + text[-1]


# -- plots ----------------------------------------------------------------------------------------

# Okabe and Ito's colours, told apart with any kind of colour blindness; every curve has a point
# type of its own, too.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f"]
POINTS = [7, 5, 9, 11, 4, 6, 8, 10]


class Curve:
    """points: (x, y) or (x, y, half-width).  A model has a line and no points."""

    def __init__(self, name: str, points: Sequence[Sequence[float]], style: int | None = None, dash: bool = False, model: bool = False) -> None:
        self.name, self.points, self.style = name, points, style
        self.dash, self.model = dash, model


class Panel:
    def __init__(self, title: str, x: str, y: str, curves: Sequence[Curve], **options: Any) -> None:
        self.title, self.x, self.y, self.curves, self.options = title, x, y, curves, options


def panel_script(panel: Panel, number: int) -> list[str]:
    o = panel.options
    out = [f'set title "{panel.title}"', f'set xlabel "{panel.x}"', f'set ylabel "{panel.y}"',
           "unset logscale", "set mxtics 1", "set mytics 1", "set xtics autofreq",
           "set ytics autofreq", "set format x '%g'",
           "set format y '%g'", "unset label", "unset arrow"]
    for axis in o.get("log", ""):
        out.append(f"set logscale {axis} {o.get('base', {}).get(axis, 10)}")
    if "ticks" in o:
        out.append("set xtics (" + ", ".join(f'"{t}" {v:g}' for t, v in o["ticks"]) + ")")
    if "yticks" in o:
        out.append("set ytics (" + ", ".join(f"{v:g}" for v in o["yticks"]) + ")")
    out.append(f"set xrange [{o.get('xrange', '*:*')}]")
    out.append(f"set yrange [{o.get('yrange', '*:*')}]")
    for at in o.get("lines", []):
        out.append(f"set arrow from first {at:g}, graph 0 to first {at:g}, graph 1 nohead dt 3 "
                   "lc rgb '#666666'")
    for at in o.get("levels", []):
        out.append(f"set arrow from graph 0, first {at:g} to graph 1, first {at:g} nohead dt 3 "
                   "lc rgb '#666666'")
    rows = (len(panel.curves) + 2) // 3
    out += [f"set bmargin {4.3 + 1.3 * rows:g}", "set key bmargin center horizontal maxcols 3 "
            "samplen 3 width 2"]
    plots = []
    for k, c in enumerate(panel.curves):
        colour = COLOURS[(c.style if c.style is not None else k) % len(COLOURS)]
        kind = POINTS[(c.style if c.style is not None else k) % len(POINTS)]
        kind = {7: 6, 5: 4, 9: 8, 11: 10}.get(kind, kind) if c.dash else kind
        data = "\\n".join(" ".join(f"{v:.6g}" for v in p) for p in c.points)
        out.append(f'$d{number}_{k} << EOD\n' + data.replace("\\n", "\n") + "\nEOD")
        name = f"$d{number}_{k}"
        dash = "dt 2" if c.dash else "dt 1"
        if c.model:
            plots.append(f'{name} using 1:2 with lines lc rgb "{colour}" lw 1.5 {dash} '
                         f'title "{c.name}"')
            continue
        if len(c.points[0]) > 2:
            plots.append(f'{name} using 1:2:3 with yerrorbars lc rgb "{colour}" pt 0 '
                         "notitle")
        line = "points" if o.get("points_only") else "linespoints"
        plots.append(f'{name} using 1:2 with {line} lc rgb "{colour}" {dash} pt {kind} ps 0.7 '
                     f'title "{c.name}"')
    out.append("plot " + ", \\\n  ".join(plots))
    return out


def draw(path: str, panels: Sequence[Panel], height: int = 430) -> None:
    """One row of panels.  The legend is the first panel's: all have the same curves."""
    kind = os.environ.get("PAPER_PLOTS", "svg")
    width = 560 if len(panels) == 1 else 450 * len(panels)
    out = [f'set terminal svg size {width},{height} dynamic enhanced background "#ffffff" '
           'font "DejaVu Sans,12"' if kind == "svg" else
           f'set terminal pngcairo size {width},{height} enhanced background "#ffffff" '
           'font "DejaVu Sans,10"',
           f'set output "{path}.{kind}"', "set grid lc rgb '#dddddd' lt 1", "set border 3",
           "set tics nomirror", "set errorbars 0.7"]
    if len(panels) > 1:
        out.append(f"set multiplot layout 1,{len(panels)}")
    for k, p in enumerate(panels):
        out += panel_script(p, k)
    if len(panels) > 1:
        out.append("unset multiplot")
    subprocess.run(["gnuplot"], input="\n".join(out) + "\n", text=True, check=True)
    if kind == "svg":
        shrink(f"{path}.svg")


def shrink(path: str) -> None:
    """Takes out what an SVG of gnuplot does not need: empty groups, indentation,
    attributes that have their initial value."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    size = 0
    while size != len(text):
        size = len(text)
        text = re.sub(r"<g[^>]*>\s*</g>\s*", "", text)
    text = re.sub(r"[ \t]*\n\s*", "\n", text)
    text = text.replace(' color="black"', "").replace(' stroke-width="1.00"', "")
    text = text.replace(' stroke-linecap="butt" stroke-linejoin="miter"', "")
    text = re.sub(r"rgb\( *(\d+), *(\d+), *(\d+)\)",
                  lambda m: "#" + "".join(f"{int(v):02x}" for v in m.groups()), text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
