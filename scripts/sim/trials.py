#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trials.py - what `make soak` tries of the C side, where no Verilog runs beside it: drawn runs, sweeps, unit tests and switches,
each of which must agree with a second answer that comes in another way.

  run     an open loop or static runs on any topology, with any discipline: every engine that takes it, one thread and several, a
          configuration file in place of the options, and a log give the same results; counts, mean, maximum and quantiles follow
          from the log, which has the worms that the options ask for (tb/events/asked.py)
  sweep   points in one go, as shares that are merged in any order, and by a sweep that is killed and goes on: the same table, of
          which each row is what `fatfly run` gives
  unit    a unit test with sanitizers and a seed that it never had
  judge   co-simulation of the C model with itself, where one side has a fault of one bit at a drawn place and cycle: it stops there
  spec    a switch, network or cube beside the specification in Python, with a seed that it never had

Usage: trials.py [--build DIR] [--kind KIND] [--most COUNT] TURN [TRIAL]
Repeats a trial of a turn of scripts/sim/soak.py, or its first COUNT (100), and prints what each gave; all that is random in a trial
follows from the two numbers.  Exit codes: 0 all agree, 1 one does not, which is kept under DIR/trials, 2 usage, 4 nothing to run.
"""
from __future__ import annotations

import argparse
import csv
import io
import json
import os
import pathlib
import re
import shutil
import sys
from collections.abc import Callable, Sequence

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "scripts/sim"), str(ROOT / "tb/spec"), str(ROOT / "tb/events")]
import asked  # noqa: E402  (the paths above)
import cover  # noqa: E402
import cube  # noqa: E402
import drawn  # noqa: E402
import events  # noqa: E402
from lib.programs import Programs, written  # noqa: E402

LONGEST = 300                           # seconds of a program of a trial
MOST_MOVES = 100_000                    # of a run whose log is read here; its rows are held in memory
TIMES = ("cpu_s", "wall_s")


class Differs(Exception):
    """Two answers that should be equal, or an end that none may have: one line."""


class Missing(Exception):
    """What a trial needs is not there: one line."""


class Trial:
    """A trial's random draws, which follow from its numbers, and the programs that it runs in a folder of its own."""

    def __init__(self, programs: Programs, build: pathlib.Path, home: pathlib.Path, turn: int, number: int):
        self.programs, self.build, self.home = programs, build, home
        self.r = drawn.Lots(f"turn {turn} trial {number}")
        self.calls = 0

    def call(self, words: Sequence[str | os.PathLike[str]], limit: float | None = None) -> tuple[int | None, str]:
        """Exit code, None if it was ended after a limit of its own, and what it wrote; each call keeps its log."""
        self.calls += 1
        log = self.home / f"{self.calls}.log"
        code = self.programs.run([str(w) for w in words], log, limit or LONGEST)
        if code is None and not limit:
            raise Differs(f"it takes more than {LONGEST} s: {' '.join(map(str, words))}")
        return code, written(log)

    def run(self, words: Sequence[str]) -> tuple[int, str, str]:
        """A run: exit code, its table in JSON or the like, and messages.  An end that none may have raises."""
        out = self.home / "out"
        out.unlink(missing_ok=True)
        code, said = self.call([self.build / "fatfly", "run", *words, "--output", str(out)])
        if code not in (0, 1, 2, 3):
            raise Differs(f"exit code {code}: {last(said)}: fatfly run {' '.join(words)}")
        if code in (2, 3) and (said.count("\n") != 1 or not said.startswith("fatfly run: ")):
            raise Differs(f"a refusal that is not one line: {said.strip()[:200]!r}: fatfly run {' '.join(words)}")
        return 2 if code == 3 else code or 0, out.read_text(encoding="utf-8") if out.exists() else "", said


def last(text: str) -> str:
    return (text.strip().splitlines() or ["no word"])[-1]


# -- kinds of trials ----------------------------------------------------------------------------------

def same(want: dict[str, object], got: dict[str, object], what: str) -> None:
    for name in {**want, **got}:
        if name not in TIMES and want.get(name) != got.get(name):
            raise Differs(f"{what}: {name} is {got.get(name)}, was {want.get(name)}")


def try_run(t: Trial) -> str:
    options = drawn.options_of(t.r, t.home)
    code, text, said = 2, "", ""
    while code == 2:
        words = [*drawn.words_of(options), "--format", "json"]
        code, text, said = t.run(words)
        # What is refused beside others is left out, until the rest is taken.
        named = re.match(r"fatfly run: (?:--)?([a-z_-]+)", said)
        if code == 2 and (not named or options.pop(named[1].replace("_", "-"), None) is None):
            return f"refused: {said.strip()}"
    want = json.loads(text) if text else {}
    config = t.home / "run.cfg"
    config.write_text(drawn.settings_of(options), encoding="ascii")
    threads = str(t.r.randint(2, 4))
    others = {"the cycle engine": [*words, "--engine", "cycle"], "the fast engine": [*words, "--engine", "fast"],
              "one thread": [*words, "--threads", "1"], f"{threads} threads": [*words, "--threads", threads],
              "two parts": [*words, "--parts", "2"]}
    if int(options["seed"]) < 10 ** 18:  # what files take
        others["a configuration file"] = ["--config", str(config), "--format", "json"]
    for name, other in others.items():
        code2, text2, said2 = t.run(other)
        if code2 == 2 and ("engine" in name or "parts" in name):
            continue
        if code2 != code or said2 != said and "parts" not in name and code != 1:
            raise Differs(f"{name}: exit code {code2}, was {code}: {last(said2)}; {' '.join(other)}")
        same(want, json.loads(text2) if text2 else {}, f"{name}: fatfly run {' '.join(other)}")
    one = drawn.words_of({**options, "runs": "1"})
    log = t.home / "log.csv"
    code, text, said = t.run([*one, "--format", "json"])
    first = json.loads(text) if text else {}
    if first.get("flit_hops", 0) > MOST_MOVES:
        return str(want["digest"])
    code2, text2, said2 = t.run([*one, "--format", "json", "--events", str(log)])
    if code2 != code:
        raise Differs(f"with a log: exit code {code2}, was {code}: {last(said2)}; {' '.join(one)}")
    same(first, json.loads(text2) if text2 else {}, f"with a log: fatfly run {' '.join(one)}")
    bad, found = t.call([t.build / "fatfly", "events", str(log)])
    if bad:
        wrong = next((line for line in found.splitlines() if line.startswith("wrong ")), last(found))
        raise Differs(f"the log contradicts itself: {wrong}; fatfly run {' '.join(one)}")
    if why := first and events.tried(events.read_anew, log, first) or events.tried(asked.asked_wrong, one, log, first):
        raise Differs(f"{why}; fatfly run {' '.join(one)}")
    return str(want.get("digest", "deadlock"))


def done(t: Trial, words: Sequence[str | os.PathLike[str]]) -> None:
    code, said = t.call([t.build / "fatfly", *words])
    if code:
        raise Differs(f"exit code {code}: {last(said)}: fatfly {' '.join(map(str, words))}")


def table(t: Trial, results: pathlib.Path, *words: str) -> str:
    out = t.home / "table"
    done(t, ["export", results, *words, "--output", out])
    return out.read_text(encoding="utf-8")


def try_sweep(t: Trial) -> str:
    r = t.r
    axes: dict[str, list[str]] = {"nodes": r.sample(["4", "16", "64"], r.randint(1, 3)),
                                  "length": r.sample(["1", "3", "8", "20"], r.randint(1, 2)),
                                  "seed": [str(r.randrange(2 ** 31))]}
    if r.random() < 0.5:
        axes["load"] = r.sample(["0.01", "0.1", "0.3", "0.8"], r.randint(1, 3))
        axes["cycles"] = [r.choice(("200", "3000"))]
        axes["warmup"] = ["100"]
    else:
        axes["runs"] = [r.choice(("1", "2", "30"))]
        axes["pattern"] = r.sample(["random", "complement", "many-to-1"], r.randint(1, 2))
    for name, values in {"path": drawn.FAT_TREE_PATHS, "scan": drawn.SCANS, "vcs": ("1", "2", "4"), "depth": ("1", "2", "5")}.items():
        if r.random() < 0.4:
            axes[name] = r.sample(list(values), r.randint(1, 2))
    text = "".join(f"{name} = [{', '.join(v if re.fullmatch('[0-9.]+', v) else chr(34) + v + chr(34) for v in values)}];\n"
                   for name, values in axes.items())
    plan = t.home / "plan.cfg"
    plan.write_text(text, encoding="ascii")
    whole, merged, killed = (t.home / f"{name}.sqlite" for name in ("whole", "merged", "killed"))
    done(t, ["sweep", plan, "--db", whole, "--threads", str(r.randint(1, 3))])
    want = table(t, whole)
    shares = r.randint(2, 4)
    for k in range(1, shares + 1):
        done(t, ["sweep", plan, "--task", f"{k}/{shares}", "--db", t.home / "part.sqlite", "--local", t.home])
    files = [f for f in (t.home / f"part.{k}-of-{shares}.sqlite" for k in range(1, shares + 1)) if f.exists()]
    r.shuffle(files)
    done(t, ["merge", merged, *files, *r.sample(files, r.randint(0, 1))])
    if table(t, merged) != want:
        raise Differs(f"{shares} shares that are merged give another table than one sweep")
    code: int | None = None
    while code is None:
        code, said = t.call([t.build / "fatfly", "sweep", plan, "--db", killed], r.choice((0.02, 0.05, 0.2, None)))
    if code:
        raise Differs(f"exit code {code} after a kill: {last(said)}")
    if table(t, killed) != want:
        raise Differs("a sweep that was killed and went on gives another table")
    rows = list(csv.DictReader(io.StringIO(want)))
    row = r.choice(rows)
    point = {name: row[name] for name in axes if name in row}
    if "load" in axes:
        point |= {name: axes[name][0] for name in ("cycles", "warmup")}
    code, one, said = t.run([*drawn.words_of(point), "--format", "csv"])
    if code:
        raise Differs(f"exit code {code} of a point alone: {last(said)}")
    same({k: v for k, v in row.items() if v}, {k: v for k, v in next(csv.DictReader(io.StringIO(one))).items() if v and k in row},
         f"fatfly run {' '.join(drawn.words_of(point))}, a point of the sweep")
    return f"{len(rows)} points {row['digest']}"


def try_unit(t: Trial) -> str:
    tests = [p for p in sorted((t.build / "unit").glob("test_*")) if os.access(p, os.X_OK) and not p.suffix]
    if not tests:
        raise Missing(f"{t.build}/unit has no tests; build them with: make unit")
    name = t.r.choice([p for p in tests if (ROOT / "tb/unit" / f"{p.name}.c").exists()])
    seed = str(t.r.randrange(1, 2 ** 64))
    code, said = t.call(["env", "-C", ROOT, name, seed])
    if code:
        at = next((line for line in said.splitlines() if re.search(r"\.c:\d+|ERROR: |runtime error", line)), last(said))
        raise Differs(f"{name.name} {seed}: exit code {code}: {at}")
    return f"{name.name} {seed}"


def try_spec(t: Trial) -> str:
    r = t.r
    if not (t.build / "spec/drive").exists():
        raise Missing(f"{t.build}/spec/drive is not there; build it with: make {t.build}/spec/drive")
    what = r.choice(("switch", "switch", "network", "cube"))
    if what == "cube":
        shape, _, cycles = r.choice(list(cube.every())).partition(":")
        shape = re.sub(r"-q.*-w\d+-(.*)-.*", rf"-q{r.randint(1, 16)}-w{r.randint(16, 64)}-\1-{r.choice(('rot', 'rr', 'fo'))}", shape)
    else:
        shape = cover.shape(drawn.switch_of(r, what == "network"))
        cycles = "2048" if what == "switch" else {"n4": "2048", "n16": "1024", "n64": "384", "n256": "128"}.get(shape.split("-")[0], "72")
    seed = str(r.choice((0, r.randrange(2 ** 32), r.randrange(2 ** 32))))
    code, said = t.call([sys.executable, "-B", ROOT / "tb/spec/compare.py", "--build", t.build, "--seed", seed, f"{shape}:{cycles}"])
    if code:
        raise Differs(f"{last(said)} (seed {seed})")
    return f"{shape} {seed}"


def try_judge(t: Trial) -> str:
    r, faulty, case = t.r, t.build / "judge/faulty.so", t.home / "case.cfg"
    if not faulty.exists():
        raise Missing(f"{faulty} is not there; build it with: make {faulty}")
    row = drawn.switch_of(r)
    case.write_text(drawn.case_of(r, row), encoding="ascii")

    def cosim(fault: str) -> tuple[int | None, str]:
        return t.call(["env", f"FAULTY={fault}", "FAULTY_OF=", t.build / "fatfly", "cosim", "--sim", ROOT / "sim", "--build", t.home,
                       "--config", case, "--rtl", faulty, "--shrink", "0"])
    code, said = cosim("none 0 0 0 0")
    found = re.search(r"^case +(\d+) +\d+ +(\d+) ", said, re.M)
    if code or not found:
        raise Differs(f"without a fault: exit code {code}: {last(said)}")
    cycles, flits = map(int, found.groups())
    what, place, bit, at = drawn.fault_of(r, row, cycles, flits)
    # Before the reset that counts there are 16 of a switch and one of a network of queues of two flits.
    fault = f"{what} {place} {bit} {17 if row['level'] else 2 if row['depth'] == 2 else 1} {at}"
    code, said = cosim(fault)
    stopped = re.search(r"the two sides differ at cycle (\d+):", said)
    if code != 1 or not stopped or (what not in drawn.OF_A_FLIT and int(stopped[1]) != at):
        raise Differs(f"{fault} of {cycles} cycles, {flits} flits: exit code {code}, {stopped[0] if stopped else 'not seen'}; "
                      f"repeat: FAULTY='{fault}' FAULTY_OF= {t.build}/fatfly cosim --config {case} --rtl {faulty} --shrink 0")
    return f"{cover.shape(row)} {fault.replace(' ', '-')}"


KINDS: dict[str, tuple[float, Callable[[Trial], str]]] = {"run": (8, try_run), "sweep": (1, try_sweep), "unit": (2, try_unit),
                                                          "judge": (1, try_judge), "spec": (2, try_spec)}


def trial(programs: Programs, build: pathlib.Path, home: pathlib.Path, turn: int, number: int, kind: str = "") -> str:
    """A trial, whose folder is emptied before; a line for a digest.  Raises Differs, Missing."""
    t = Trial(programs, build, home, turn, number)
    by_weight = t.r.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    kind = kind or by_weight
    try:
        return f"{turn},{number},{kind},{KINDS[kind][1](t)}"
    except (ValueError, LookupError, TypeError, ArithmeticError) as e:  # of what was read
        raise Differs(f"what {kind} wrote cannot be read: {type(e).__name__}: {e}") from e


def main() -> int:
    build = os.environ.get("BUILD", "build")
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("turn", type=int, metavar="TURN")
    parser.add_argument("trial", type=int, nargs="?", metavar="TRIAL")
    parser.add_argument("--build", default=build, help="where fatfly and its tests are")
    parser.add_argument("--kind", choices=KINDS, default="", help="this kind alone, which need not be the one that the soak drew")
    parser.add_argument("--most", type=int, default=100, help="trials, if none is named; default 100")
    o = parser.parse_args()
    if o.most < 1:
        parser.error(f"--most {o.most}; allowed: 1 or more")
    folder = pathlib.Path(o.build).resolve()
    home = folder / "trials" / f"{o.turn}{o.kind}"
    for number in range(o.most) if o.trial is None else [o.trial]:
        try:
            print(trial(Programs(), folder, home, o.turn, number, o.kind), flush=True)
        except Differs as e:
            print(f"FAILED turn {o.turn} trial {number}: {e}\nkept: {home}")
            return 1
        except (Missing, OSError) as e:
            print(f"trials.py: {e}", file=sys.stderr)
            return 4
        except KeyboardInterrupt:
            print("trials.py: interrupted", file=sys.stderr)
            return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
