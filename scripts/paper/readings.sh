#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# readings.sh - runs tb/paper/readings.c over the readings of GO's STORE and writes docs/readings.md
# and docs/readings-table.md.
#
# Takes 4 to 5 minutes of processor time, and on two free processors half of that.  Exit code 1: the
# text says something that the table does not (with few runs that can be chance).
#
#   RUNS=N       runs of a cell, default 150; the first two rows and the engine get 6 N, WORM N / 3
#   SEED=N       default 1
#   JOBS=N       rows at once, default: all processors; the numbers do not depend on it
#   OUT=FILE     default docs/readings.md; the table goes to FILE without .md, with -table.md
#   ENGINE=FILE  the fatfly to compare with, default: made, build/fatfly
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
runs=${RUNS:-150}
seed=${SEED:-1}
out=${OUT:-docs/readings.md}
jobs=${JOBS:-$(nproc)}

wrong() {
  echo "readings.sh: $*" >&2
  exit 2
}
[ $# = 0 ] || wrong "$1; allowed: no options, only the variables RUNS, SEED, JOBS, OUT and ENGINE"
case $runs in '' | 0* | *[!0-9]* | ???????*) wrong "RUNS=$runs; allowed: 15 to 10000" ;; esac
if [ "$runs" -lt 15 ] || [ "$runs" -gt 10000 ]; then wrong "RUNS=$runs; allowed: 15 to 10000"; fi
case $seed in '' | 0?* | *[!0-9]* | ??????????*) wrong "SEED=$seed; allowed: 0 to 999999999" ;; esac
case $jobs in '' | *[!0-9]* | 0* | ????*) wrong "JOBS=$jobs; allowed: 1 to 999" ;; esac
if [ -d "$out" ] || [ ! -d "$(dirname "$out")" ]; then wrong "OUT=$out; allowed: a file in a folder that is there"; fi

engine=${ENGINE:-$build/fatfly}
[ -n "${ENGINE:-}" ] || make -s BUILD="$build" "$engine" >&2
[ -x "$engine" ] || wrong "ENGINE=$engine; allowed: the fatfly command"

dir=$build/readings
rm -rf "$dir"
mkdir -p "$dir"
"${CC:-gcc}" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion \
  -Wstrict-prototypes -Wmissing-prototypes -Werror tb/paper/readings.c -lm -o "$dir/readings"

# One reading a line: runs, title, options.
more=$((6 * runs)) worm=$((runs / 3))
sed 's/^ *//; /^$/d' >"$dir/rows" <<ROWS
  $worm|start port of all ports|--discipline worm
  $worm|start among the inputs that hold a flit|--discipline worm --start waiting
  $worm|inputs in a random order|--discipline worm --start shuffle
  $more|the spec: root to leaf, start port of all ports|
  $more|start among the inputs that hold a packet|--start waiting
  $runs|leaf to root|--order leaf-to-root
  $runs|all at once, on the state at the start of the step|--order at-once
  $runs|root to leaf, first all packets that go up, then all that go down|--order ups-then-downs
  $runs|root to leaf, first all packets that go down, then all that go up|--order downs-then-ups
  $runs|the spec, but in each switch first the packets that go up|--order switch-ups-first
  $runs|no gaps: downs from leaf to root, then ups from root to leaf|--order no-gaps
  $runs|downs from root to leaf, then ups from leaf to root|--order mixed
  $runs|switches in a random order, new in each step|--order random
  $runs|root to leaf, inputs from children, then those from parents|--order children-first
  $runs|start among the inputs whose packet may move in this step|--start movable
  $runs|inputs in a random order|--start shuffle
  $runs|children scanned from a random one, then parents|--start apart
  $runs|start port: step mod ports|--start turns
  $runs|start port: always 0 (FO)|--start fixed
  $runs|parents lie between the children|--ring parents-between
  $runs|RP: the selection is kept until the packet moves|--path rp-kept
  $runs|RP: one selection a switch and step|--path rp-per-switch
  $runs|GP|--path gp
  $runs|random numbers: \`rand() % n\` of BSD|--generator bsd
  $runs|random numbers: \`rand() % n\`, example of the C standard|--generator ansi
  $runs|processors send before the switches act|--processors sources-first
  $runs|processors empty their queue before the switches act|--processors sinks-first
  $runs|two packets a queue|--depth 2
  $runs|random may draw the packet's own source|--destinations all
  $runs|waiting, parents between the children|--start waiting --ring parents-between
  $runs|waiting, in each switch first the packets that go up|--start waiting --order switch-ups-first
  $runs|waiting, first all packets that go down|--start waiting --order downs-then-ups
  $runs|waiting, all at once|--start waiting --order at-once
  $runs|waiting, \`rand() % n\` of the C standard|--start waiting --generator ansi
ROWS

export dir seed
# The rows that take longest stand first, so that no processor is idle at the end.
# shellcheck disable=SC2016  # expanded by the inner shell
seq "$(wc -l <"$dir/rows")" | xargs -P "$jobs" -I{} bash -ec '
  IFS="|" read -r runs _ options < <(sed -n "{}p" "$dir/rows")
  "$dir/readings" --runs "$runs" --seed "$seed" $options >"$dir/{}.part"
  mv "$dir/{}.part" "$dir/{}.csv"'

# The engine on the two readings that it knows; many-to-1 is the same in every run.
for start in any waiting; do
  for pattern in complement random many-to-1; do
    for nodes in 16 64 256 1024 4096; do
      times=$more
      [ $pattern != many-to-1 ] || times=2
      "$engine" run --discipline store --start $start --pattern $pattern --nodes $nodes --runs $times --seed "$seed" \
        --threads "$jobs" --format csv
    done
  done
done >"$dir/engine.csv"

python3 - "$dir" "$seed" >"$dir/readings.md" <<'PYTHON' || code=$?
import csv
import re
import sys
import textwrap

NODES = (16, 64, 256, 1024, 4096)
LIMIT = 2.9  # standard deviations of the difference
folder, seed = sys.argv[1:]


class Reading:
    """A row: its CSV, and how it compares with GO's."""

    def __init__(self, number, line):
        self.runs, self.title, self.options = line.rstrip("\n").split("|")
        self.cell = self.engine(GO) if number is None else self.read(number)
        self.worm = "worm" in self.options
        self.random = [self.cell[p, n] for p in ("complement", "random") for n in NODES]
        self.off = sum(map(is_off, self.random))
        self.exact = not any(is_off(self.cell["many-to-1", n]) for n in NODES)

    @staticmethod
    def read(number):
        with open(f"{folder}/{number}.csv", encoding="ascii") as f:
            return {(c["pattern"], int(c["nodes"])): c for c in csv.DictReader(f)}

    def engine(self, theirs):
        """The same columns from those of fatfly run."""
        with open(f"{folder}/engine.csv", encoding="ascii") as f:
            points = [c for c in csv.DictReader(f) if c["start"] == ("waiting" if "waiting" in self.options else "any")]
        return {(c["pattern"], int(c["nodes"])): self.point(c, theirs[c["pattern"], int(c["nodes"])]["go"]) for c in points}

    @staticmethod
    def point(c, go):
        runs, mean, half = int(c["runs"]), float(c["last_arrival_mean"]), float(c["last_arrival_ci99"] or 0)
        sd = half * runs**0.5 / (2.5758 + 4.916 / (runs - 1) + 8.84 / (runs - 1) ** 2)  # Student's t
        off = f"{(mean - int(go)) / (sd * (1 / 30 + 1 / runs) ** 0.5)}" if sd else ""
        return {**c, "go": go, "mean": mean, "sd": sd, "ci99": half, "off": off}

    def mean(self, pattern="complement", nodes=4096):
        return f"{float(self.cell[pattern, nodes]['mean']):.0f}"

    def percent(self, pattern="complement", nodes=4096):
        c = self.cell[pattern, nodes]
        return f"{100 * (float(c['mean']) / float(c['go']) - 1):.1f} %"

    def chi2(self):
        if any(c["off"] == "" for c in self.random):
            return "-"
        return f"{sum(float(c['off']) ** 2 for c in self.random) / len(self.random):.1f}"

    def worst(self):
        return max(abs(float(c["off"])) for c in self.random)

    def columns(self):
        digits = 1 if self.worm else 0
        cells = [f"{float(c['mean']):.{digits}f} ({float(c['ci99']):.{digits}f}){'*' * is_off(c)}" for c in self.random]
        exact = "exact" if self.exact else f"{self.mean('many-to-1', 16)}*"
        mark = "**" if self.options == "--start waiting" else ""
        name = f"{mark}{self.title}{mark} ({self.runs} runs{', `' + self.options + '`' if self.options else ''})"
        return [name, *cells, exact, str(self.off), self.chi2()]


def is_off(c):
    if c["off"] == "":  # no spread
        return float(c["mean"]) != float(c["go"])
    return abs(float(c["off"])) > LIMIT


def apart(a, b, pattern="", least=0):
    """The largest difference of two readings, in standard deviations of it."""
    worst = 0
    for x in a.random:
        y = b.cell[x["pattern"], int(x["nodes"])]
        if x["pattern"].startswith(pattern) and int(x["nodes"]) >= least:
            squares = sum(float(c["sd"]) ** 2 / int(c["runs"]) for c in (x, y))
            worst = max(worst, abs(float(x["mean"]) - float(y["mean"])) / squares ** 0.5)
    return worst


def filled(text):
    """The same in lines of equal length; tables, headings and commands as they are."""
    out = []
    for block in text.split("\n\n"):
        for part in re.split(r"\n(?=- )", block):
            prose = not part.startswith(("|", "#", "    ", "<!--"))
            indent = "  " if part.startswith("- ") else ""
            if prose:  # a line that starts with - or + would be a list
                part = re.sub(r"(?<=.) ([-+]) ", "~\\1~", " ".join(part.split()))
                part = textwrap.fill(part, 120, subsequent_indent=indent, break_long_words=False,
                                     break_on_hyphens=False).replace("~", " ")
            out.append(part)
            out.append("\n")
        out.append("\n")
    return "".join(out).rstrip("\n")


def table(rows):
    head = ["Reading"] + [f"{p}{n}" for p in ("complement ", "random ") for n in NODES]
    head += ["many-to-1", "cells off", "chi2"]
    head = [h if h.split()[-1] == "16" or not h[-1].isdigit() else h.split()[-1] for h in head]
    first = rows[0]
    go = ["**GO**"] + [c["go"] for c in first.random] + [first.cell["many-to-1", 16]["go"] + " ..", "", ""]
    lines = [head, ["---"] * len(head), go] + [r.columns() for r in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def span(rows, what):
    values = sorted({what(r) for r in rows})
    return f"{values[0]}" if len(values) == 1 else f"{values[0]} to {values[-1]}"


with open(f"{folder}/rows", encoding="ascii") as f:
    readings = [Reading(k, line) for k, line in enumerate(f, 1)]
store = [r for r in readings if not r.worm]
GO = store[0].cell
engines = [Reading(None, f"{store[0].runs}|the engine, {title}|fatfly run --discipline store{option}")
           for title, option in (("the spec", ""), ("waiting", " --start waiting"))]
worms = [r for r in readings if r.worm]
by = {r.options: r for r in readings}


def row(*options):
    return by[" ".join(options)]


spec, waiting = row(), row("--start waiting")
same = [row(o) for o in ("--order downs-then-ups", "--order switch-ups-first", "--processors sources-first", "--generator ansi")]
misfit = [row(f"--order {o}") for o in ("leaf-to-root", "at-once", "ups-then-downs", "no-gaps", "mixed", "random")]
equal = [row(f"--start {o}") for o in ("shuffle", "apart")]
kept, per_switch, gp = (row(f"--path {o}") for o in ("rp-kept", "rp-per-switch", "gp"))
bsd, ansi = (row(f"--generator {o}") for o in ("bsd", "ansi"))
own = row("--destinations all")
inexact = [row("--processors sinks-first"), row("--depth 2")]
children_first, between = row("--order children-first"), row("--ring parents-between")
fixed, turns, movable = (row(f"--start {o}") for o in ("fixed", "turns", "movable"))
with_between, with_ups, with_downs, with_at_once, with_ansi = (
    row(f"--start waiting {o}") for o in ("--ring parents-between", "--order switch-ups-first", "--order downs-then-ups",
                                          "--order at-once", "--generator ansi"))
worm, worm_waiting, worm_shuffle = (row(f"--discipline worm{o}") for o in ("", " --start waiting", " --start shuffle"))


def cells_off(r):
    return r.off


def complement(r):
    return int(r.mean())


print(filled(f"""<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by scripts/paper/readings.sh: change that. -->
# Which reading of the paper gives GO's STORE column?

A trial of the spec's reading of (GO III.B.2) gave 29 of the 30 cells of GO table I, but STORE, complement, N = 4096 was 2.6 %
high, 2973 flit-steps instead of 2896, for an unknown reason. Over {spec.runs} runs that reading is {spec.percent()} high
({spec.mean()}, {spec.worst():.1f} standard deviations), and of everything that the paper leaves open, the
reading that corrects it is how the round robin draws its first input. **If "selects the first incoming link randomly" means one of the links
whose queue holds a packet, all 15 STORE cells agree** ({waiting.mean()} for 2896), and the 15 of WORM agree either way.

This is the likely answer, not a proven one: some 60 readings were tried (those that say nothing new are left out here), one
cell decides, and another rule of similar fairness might fit as well. The engine can run it:

    build/fatfly run --discipline store --start waiting --pattern complement --nodes 4096 --runs 1000

Readings of the other papers: [readings-gg.md](readings-gg.md), where GG's words and their figure 3 ask for a worm that waits for
the link that it drew (`--path rw`); [readings-bc.md](readings-bc.md).

## The experiment

[tb/paper/readings.c](../tb/paper/readings.c) is a separate simulator that shares no code with the engines: it asks every
queue of every switch in every step, and draws other random numbers (SplitMix64). Each row changes the reading of the
specification in the points that its options name: nodes act from the roots to the leaves, processors last; a queue that was left in a step can be
filled in it; processors also have a queue of q packets; a packet that goes up draws its parent again in every step; the
scan starts from a port drawn among all. L = 32, q = 1, R = 1, seed {seed}.

`scripts/paper/readings.sh` repeats all of it and writes this page and the [table](readings-table.md) of all readings; `build/readings/readings --start waiting` then prints one row
as CSV, and a wrong option lists them all.

Cells are means in flit-steps, 99 % half-widths in brackets. `*`: more than {LIMIT} standard deviations from GO's, those of a
difference to a mean of 30 runs; chance does that to about one cell in 250. *Cells off* counts them among the ten random cells,
and *chi2* is the mean square of the ten deviations: about 1 is chance, 1.8 is exceeded once in 20 times, 2.3 once in 100
(`-`: a cell has no spread). Many-to-1 is *exact* if every run takes 2c + d - 3 packet-steps, which are GO's 544, 2144,
8352, 32992, 131360 (one run for N = 1024 and 4096); else the cell for N = 16 is given. **Bold** is the answer.

## What it says

- *Processors*: a queue of one packet that is emptied last gives many-to-1 exactly, since the link to the processor then
carries a packet every second step. If processors take their packets before the switches act, or q = 2, N = 16 takes about
{inexact[0].mean("many-to-1", 16)} and {inexact[1].mean("many-to-1", 16)} for 544: GO's column excludes both.
- *Order of the nodes*: from the roots to the leaves fits ({spec.off} cell off). It is the same if all packets that go down
move before those that go up, if each switch first lets those move that go up, and if processors send before the switches
act: no cell differs from the first row's by more than {max(apart(r, spec) for r in same[:3]):.1f} deviations. The other
orders, leaf to root, all at once, all ups first, no gaps, mixed, random, are off in {span(misfit, cells_off)} cells;
inputs from children first in {children_first.off}. The order within a level cannot matter: its nodes share no queue.
- *RP*: each packet selects its parent anew in each step. A selection that is kept gives {kept.mean()} for 2896, one for all
packets of a switch {per_switch.mean()}; GP is off in {gp.off} cells.
- *Random numbers*: `rand() % n` of BSD, whose last bit alternates, sends packets to the two parents alternately and is off in
{bsd.off} cells. `rand() % n` of the example in the C standard, which hands out bits 16 to 30, is as good as SplitMix64
({ansi.mean()} and {spec.mean()}).
- *Random destinations*: if a packet may draw its own source, N = 16 has {own.mean("random", 16)} in place of
{spec.mean("random", 16)}, for GO's 269; larger networks do not show it.
- *Scan*: what is left is how fair it is. Start from a port of all six, children 0 to 3 before parents 4 and 5: if the four
children all have packets to send up, child 0 is the first of them in three cases of six, the others in one each, since
packets from parents go down and so pass their turn on to it. Complement at N = 4096 feels that: {spec.mean()} so,
{between.mean()} with the parents between the children, {span(equal, complement)} where all children have the same
chance, {fixed.mean()} if the scan always starts at child 0, {turns.mean()} if it starts at step mod ports.
- **A start among the inputs that hold a packet** lies in between, for a parent without a packet passes no turn on. It fits
all ten cells, the worst by {waiting.worst():.1f} deviations. The packet may have come in this very step and be unable to
move: drawn among those that can move, it is as if all children had the same chance ({movable.mean()}).
- *Both together*: the answer needs the rest of the reading as well. Waiting, with the parents between the children, gives
{with_between.mean()}, with all down moves first {with_downs.mean()}, with each switch's up moves first
{with_ups.mean()}, with the C standard's numbers {with_ansi.mean()}; all at once is off in {with_at_once.off} cells.
- *The engine* agrees with this program: of the 20 random cells of its two rows none differs by more than
{max(apart(a, b) for a, b in zip(engines, (spec, waiting))):.1f} deviations.

## The same scan in WORM

q = 2; all flits move at once, so there is no order of nodes. The start is a port of all, or one whose queue holds a flit.
Many-to-1, cL + d - 2 cycles, is exact for N = 16 to 4096 in each row.

{table(worms)}

The first two rows agree with GO ({worm.mean()} and {worm_waiting.mean()} for 1123). Inputs in a random order, fair to all
children, are off in {worm_shuffle.off} cells ({worm_shuffle.mean()}): again GO's figures come from a scan around the
switch, which favours some.

## What the switch does

It draws its start from all ports, the literal meaning of GO's words. Drawing it among the queues that hold something would put
one more priority encoder into the path from the queues to the grant, where a drawn port comes from a register. The other 29
cells of table I agree either way, though enough runs tell the two apart: complement, N = 1024 is
{spec.mean("complement", 1024)} and {waiting.mean("complement", 1024)}, for GO's 1565."""))
print("\f")
print(filled(f"""<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by scripts/paper/readings.sh: change that. -->
# All readings of GO's STORE column

[readings.md](readings.md) says how to read this table, and what follows from it.

{table(store + engines)}"""))

wrong = []
for true, what in (
    (waiting.off == 0 and waiting.exact, "--start waiting agrees in all 15 cells"),
    (spec.off == 1 and float(spec.cell["complement", 4096]["off"]) > LIMIT, "the spec's reading is high at 4096, and only there"),
    (all(r.exact for r in readings if r not in inexact), "many-to-1 is exact in all rows but two"),
    (not any(r.exact for r in inexact), "sinks-first and q = 2 are not exact"),
    (all(r.off >= 3 for r in misfit), "the other orders are off in three cells or more"),
    (all(apart(r, spec) < 4 for r in same), "order of halves, sources and generator make no difference"),
    (apart(own, spec, "random", 64) < 4, "own source shows at N = 16 alone"),
    (all(apart(r, waiting) < 4 for r in (with_ansi,)), "the generator makes no difference to the answer"),
    (all(apart(a, b) < 4 and a.exact for a, b in zip(engines, (spec, waiting))), "the engine agrees"),
    (worm.off == worm_waiting.off == 0 and worm.exact and worm_waiting.exact, "WORM agrees with both starts"),
    (worm_shuffle.off > 0, "WORM does not agree with a random order"),
):
    if not true:
        wrong.append(what)
if wrong:
    sys.exit("readings.sh: the text says what the table does not: " + "; ".join(wrong))
PYTHON

awk -v page="$out" -v table="${out%.md}-table.md" \
  '/^\f/ { page = table; next } { print > page }' "$dir/readings.md"
exit "${code:-0}"
