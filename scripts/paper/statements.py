#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""statements.py - every statement of the five papers: the list, the judgements, the pages.

usage: scripts/paper/statements.py run [--missing] [NUMBER]...
                                  readings | page | check | again SECONDS

  run    runs the judgements of these statements (GO-10), of all, or of those without one, and writes
         docs/results/statements.csv after each, so that it may be stopped; then the pages
  readings  runs the readings against the statements that they decide, those that are not yet in
         docs/results/statement-readings.csv; then the pages
  page   writes docs/statements*.md from the lists, docs/results.md and docs/results/statements.csv
  check  every row has a place, a statement and a verdict, every test, claim and function that is named
         exists, and the pages are what the lists make
  again  runs what takes at most so many seconds once more: the words must be the same

The lists are scripts/paper/statements/*.txt, a row a statement: number | place | statement | how | note.
How a statement is judged:
  judge: FUNCTION [WORD]..  a function of judge_*.py here; those with @run by `run` alone
  results: CLAIM            a row of a table of statements in docs/results.md, which make paper writes
  test: FILE NAME.., ..     it is a check of ours: that it passes is the verdict
  built: FILE NAME.., ..    a definition: the tests that hold ours to it
  shown: HEADING            docs/results.md has it, without a verdict
  cannot: WHY               it cannot be judged
  later: WHY                it could, and was not
Exit codes: 0 done, 1 a check failed, 2 usage, 3 a list is wrong, 4 no build/fatfly, or interrupted.
"""

import csv
import itertools
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from lib import lists
from lib.markdown import table
import judge_bc
import judge_cmsv
import judge_gg
import judge_go
import judge_leighton
import judge_readings
from judging import AGREES, DIFFERS, PART, RESULTS, RUN, Judge, Verdict, point

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = "scripts/paper/statements"
FOUND = "docs/results/statements.csv"
TRIED = "docs/results/statement-readings.csv"
TABLES = "docs/results.md"
PAGES = "docs/statements"
BUILT, SHOWN, CANNOT, LATER = "built", "shown, not judged", "cannot be judged", "not run yet"
VERDICTS = (AGREES, PART, DIFFERS, BUILT, SHOWN, CANNOT, LATER)

PAPERS = {
    "go": ("GO", "Greenberg and Oh, *Universal wormhole routing*, 1997", judge_go),
    "gg": ("GG", "Greenberg and Guan, *An improved analytical model for wormhole routed networks with application to "
           "butterfly fat-trees*, 1997", judge_gg),
    "bc": ("BC", "Boppana and Chalasani, *New wormhole routing algorithms for multicomputers*, 1993", judge_bc),
    "cmsv": ("CMSV", "Cypher, Meyer auf der Heide, Scheideler and Vöcking, *Universal algorithms for store-and-forward "
             "and wormhole routing*, 1996", judge_cmsv),
    "l": ("L", "Leighton, *Introduction to Parallel Algorithms and Architectures*, 1992, section 3.4 as far as 3.4.2",
          judge_leighton),
}


class Row:
    """A statement: where it stands, what it says, and how it is judged."""

    def __init__(self, paper: str, at: str, fields: list[str]) -> None:
        self.paper, self.at = paper, at
        number, self.place, self.says, how, self.note = fields
        self.name = f"{PAPERS[paper][0]}-{number}"
        self.kind, _, self.how = (part.strip() for part in how.partition(":"))

    def function(self) -> Judge:
        word = self.how.split()[0] if self.how else ""
        found = getattr(PAPERS[self.paper][2], word, None)
        if not isinstance(found, Judge):
            raise lists.Wrong(f"{self.at}: no function {word!r} in {PAPERS[self.paper][2].__name__}.py")
        return found

    def judged(self) -> Verdict:
        try:
            return self.function()(*self.how.split()[1:])
        except ArithmeticError as wrong:
            raise ArithmeticError(f"{self.name}: {wrong}") from wrong


def read(root: pathlib.Path) -> list[Row]:
    """All rows; the first mistake is raised."""
    every = []
    for paper in PAPERS:
        rows = [Row(paper, at, fields) for at, fields in lists.rows(root, f"{LISTS}/{paper}.txt", 5)]
        for count, row in enumerate(rows, 1):
            if row.name != f"{PAPERS[paper][0]}-{count}":
                raise lists.Wrong(f"{row.at}: statement {row.name}; the next number is {count}")
            if not row.place or not row.says or not row.how:
                raise lists.Wrong(f"{row.at}: no {'place' if not row.place else 'statement' if not row.says else 'how'}")
            if row.kind not in KINDS:
                raise lists.Wrong(f"{row.at}: how {row.kind!r}; allowed: {', '.join(KINDS)}")
        every += rows
    return every


# -- what judges ------------------------------------------------------------------------------------


def claims(root: pathlib.Path) -> dict[str, Verdict]:
    """The rows of the tables of statements in docs/results.md."""
    found, inside = {}, False
    for line in (root / TABLES).read_text().splitlines():
        cells = line.strip("|").split(" | ")
        if line.startswith("| statement | source |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and len(cells) == 4 and not line.startswith("| ---"):
            found[cells[0].strip()] = by_words(cells[3].strip(" *"))
    return found


def by_words(said: str) -> Verdict:
    """A verdict of docs/results.md."""
    said = said.replace("**", "")
    for kind in (AGREES, DIFFERS):
        if said.startswith(kind):
            rest = re.sub(r"\[([^]]*)\]\(#", r"[\1](results.md#", said[len(kind):].strip(" :,"))
            return Verdict(PART if kind == AGREES and rest else kind, rest)
    raise lists.Wrong(f"{TABLES}: verdict {said!r}")


def tests(root: pathlib.Path, row: Row) -> list[tuple[str, list[str]]]:
    """Files and names in them, which must exist."""
    found = []
    for part in row.how.split(","):
        file, *names = part.split()
        if not (root / file).is_file():
            raise lists.Wrong(f"{row.at}: no file {file}")
        text = (root / file).read_text()
        for name in names:
            if not re.search(rf"unit_test(_setup_teardown)?\({name}\b", text):
                raise lists.Wrong(f"{row.at}: {file} has no test {name}")
        found.append((file, names))
    return found


def stored(root: pathlib.Path) -> dict[str, Verdict]:
    """What `run` found."""
    path = root / FOUND
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {r["statement"]: Verdict(r["verdict"], r["found"], float(r["seconds"])) for r in csv.DictReader(file)}


def store(root: pathlib.Path, every: list[Row], found: dict[str, Verdict]) -> None:
    path = root / FOUND
    with open(f"{path}.part", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["statement", "verdict", "found", "seconds"])
        for row in every:
            if row.kind == "judge" and row.function().by == RUN and row.name in found:
                v = found[row.name]
                out.writerow([row.name, v.kind, v.found, f"{v.seconds:.1f}"])
    os.replace(f"{path}.part", path)


def judge_row(root: pathlib.Path, row: Row, said: dict[str, Verdict], found: dict[str, Verdict]) -> tuple[Verdict, str]:
    """The verdict, and what judges, in Markdown."""
    if row.kind == "judge":
        if row.function().by != RUN:
            return row.judged(), "[results](results.md)" if row.function().by == RESULTS else row.function().by
        if row.name not in found:
            raise lists.Wrong(f"{row.at}: {row.name} was not run; make statements ID={row.name}")
        return found[row.name], "run"
    if row.kind == "results":
        if row.how not in said:
            raise lists.Wrong(f"{row.at}: no statement {row.how!r} in {TABLES}")
        return said[row.how], "[results](results.md)"
    if row.kind in ("test", "built"):
        names = "; ".join(f"[{' '.join(n) or pathlib.PurePath(f).name}](../{f})" for f, n in tests(root, row))
        return Verdict(AGREES if row.kind == "test" else BUILT, ""), names
    if row.kind == "shown":
        return Verdict(SHOWN, ""), f"[results](results.md#{row.how})"
    return Verdict(CANNOT if row.kind == "cannot" else LATER, row.how), ""


KINDS = ("judge", "results", "test", "built", "shown", "cannot", "later")


# -- the pages --------------------------------------------------------------------------------------

HEAD = "<!-- SPDX-License-Identifier: Apache-2.0; made by scripts/paper/statements.py, not by hand -->\n"


def pages(root: pathlib.Path) -> dict[str, str]:
    """File names under docs/, and what they are to hold."""
    every, said, found = read(root), claims(root), stored(root)
    judged = {row.name: judge_row(root, row, said, found) for row in every}
    out = {}
    for paper, (short, title, _) in PAPERS.items():
        rows = [r for r in every if r.paper == paper]
        out[f"{PAGES}-{paper}.md"] = one_page(short, title, rows, judged)
    out[f"{PAGES}.md"] = summary(every, judged) + tried(root, {name: verdict for name, (verdict, _) in judged.items()})
    return out


def one_page(short: str, title: str, rows: list[Row], judged: dict[str, tuple[Verdict, str]]) -> str:
    lines = []
    for row in rows:
        verdict, by = judged[row.name]
        kind = f"**{verdict.kind}**" if verdict.kind in (DIFFERS, PART) else verdict.kind
        text = "; ".join(x for x in (verdict.found, row.note) if x)
        lines.append([row.name.rpartition("-")[2], row.place, row.says, kind, text, by])
    lines = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return (f"{HEAD}\n# Statements of {short}\n\n{title}. {len(rows)} statements; [statements.md](statements.md) says what "
            f"the verdicts mean. *run*: by `make statements ID={short}-NUMBER`; *results*: from the tables of "
            "[results.md](results.md); *arithmetic*: of the papers' own figures; else the tests that are named.\n\n" +
            table(["", "place", "statement", "verdict", "found", "by"], lines))


def summary(every: list[Row], judged: dict[str, tuple[Verdict, str]]) -> str:
    kinds = {row.name: judged[row.name][0].kind for row in every}
    counts = []
    for paper, (short, _, _) in PAPERS.items():
        own = [kinds[r.name] for r in every if r.paper == paper]
        counts.append([f"[{short}](statements-{paper}.md)", len(own)] + [own.count(v) for v in VERDICTS])
    counts.append(["all", len(every)] + [list(kinds.values()).count(v) for v in VERDICTS])
    open_ones = [r for r in every if kinds[r.name] in (DIFFERS, PART)]
    lines = [[r.name, r.says.replace("|", "\\|"), kinds[r.name]] for r in open_ones]
    text = INTRODUCTION + "\n" + table(["paper", "statements"] + list(VERDICTS), counts, range(1, 2 + len(VERDICTS)))
    return (f"{HEAD}\n# Every statement of the five papers\n\n{text}\n## Statements that differ, or agree only in part\n\n" +
            table(["", "statement", "verdict"], lines))


def trials_run(root: pathlib.Path) -> dict[tuple[str, str], Verdict]:
    """What `readings` found, of each reading and statement."""
    path = root / TRIED
    if not path.exists():
        raise lists.Wrong(f"no {TRIED}; scripts/paper/statements.py readings")
    with open(path, encoding="utf-8", newline="") as file:
        return {(r["reading"], r["statement"]): Verdict(r["verdict"], r["found"]) for r in csv.DictReader(file)}


def tried(root: pathlib.Path, judged: dict[str, Verdict]) -> str:
    """Readings x statements."""
    found = trials_run(root)
    for title, (readings, trials) in judge_readings.TRIALS.items():
        for name, reading in itertools.product(trials, readings):
            own = judge_readings.judged_elsewhere(title, name, reading)
            if own and (reading, name) in found:
                raise lists.Wrong(f"{TRIED}: {name!r} under {reading!r}: the verdict is that of {own}; delete this row")
            if own:
                said = judged[own]
                page = f"statements-{own.partition('-')[0].lower()}.md"
                found[reading, name] = Verdict(said.kind, said.found if len(said.found) < 40 else f"as {own}, [its row]({page})")
    text = READINGS
    for title, (readings, trials) in judge_readings.TRIALS.items():
        lines = []
        for name in trials:
            cells = [found.get((reading, name)) for reading in readings]
            if None in cells:
                raise lists.Wrong(f"{TRIED}: nothing of {name!r}; scripts/paper/statements.py readings")
            lines.append([name] + [f"{'' if c.kind == AGREES else '**' + c.kind + '** '}{c.found}" for c in cells if c])
        agree = [sum(found[reading, name].kind == AGREES for name in trials) for reading in readings]
        text += f"\n### {title}\n\n" + table(["statement"] + readings, lines + [["agree"] + [f"{n} of {len(trials)}" for n in agree]])
        text += f"\n{sum(n == len(trials) for n in agree) or 'None'} of these {len(readings)} readings has all of them.\n"
    return text


READINGS = """
## Readings that decide statements

Where the words leave something open the verdict depends on how they are read. Rows are statements, columns readings, all of them
options of `fatfly run`, but for *six ports* and *fixed order*, which are of [readings.c](../tb/paper/readings.c); cells have what is found, and
the verdict where it is not *agrees*. Of GO and GG runs are shorter than those of the other
pages. Of BC the first column has the statements' own verdicts; the others are judged by shorter runs: saturations by 200,000 cycles a load
(negative-hop 60,000) where [results.md](results.md) has a million, without asking whether utilisation still rises at the last load; the hot node's
place by a quarter of the cycles, at
(15, 15), (7, 7), (0, 0), (15, 7).

*What the words say.* GO: RR "selects the first incoming link randomly", of all links, so a start of any port is ours; at a root six ports would be
a register's way, not a word of GO's. FF "scans its input queues in a RR fashion", so equals are in a random order in ours; their figure 4, where FF performs as FO, wants a
fixed one, under which GP-FF is then no longer better than RP-FO in SPLIT (GO-69). GG 3.1: "if both are blocked, it waits" is RW.

[readings.md](readings.md) and [readings-bc.md](readings-bc.md) have more
readings, each against the figures of one table alone.
"""


def readings(root: pathlib.Path) -> int:
    """Runs the trials that are not in the file, and writes it after each."""
    path = root / TRIED
    rows: list[list[str]] = []
    if path.exists():
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
    done = {(r[0], r[1]) for r in rows}
    for title, (names, trials) in judge_readings.TRIALS.items():
        for (name, trial), reading in itertools.product(trials.items(), names):
            if (reading, name) in done or judge_readings.judged_elsewhere(title, name, reading):
                continue
            verdict = trial(reading)
            rows.append([reading, name, verdict.kind, verdict.found])
            print(f"{name}; {reading}: {verdict.kind}: {verdict.found}", flush=True)
            with open(f"{path}.part", "w", encoding="utf-8", newline="") as out:
                csv.writer(out, lineterminator="\n").writerows([["reading", "statement", "verdict", "found"], *rows])
            os.replace(f"{path}.part", path)
    write_pages(root)
    return 0


INTRODUCTION = """This page counts the quantitative and comparative statements, tables, figures, algorithms, lemmas and theorems of the five papers that fatfly
repeats. Each paper has a page, on which they are numbered. The lists are [scripts/paper/statements](../scripts/paper/statements); `make statements`
runs the judgements and writes these pages, `make statements ID=GO-10` one of them. A statement that a paper makes twice is one row with both places, but
CMSV-8, 10, 19 and 32 judge rows 7, 9, 18 and 31 again, by the exponent, and CMSV-47 is row 3 again. Statements
that it only quotes from other works have rows, too.

- *agrees*: a run, a table of [results.md](results.md) or a test agrees with it, within a 99 % interval where there is chance. A bound O(X)
  agrees if measured / X does not grow with X where it was measured; a finite number of runs cannot show more.
  A printed number without an interval agrees within 5 %, a utilisation of BC within 0.01.
- *agrees in part*, *differs*: the row says where and by how much, or what is undecided.
- *built*: a definition, such as an algorithm or a wiring; the named tests check the model against it.
- *cannot be judged*: the row says why. *not run yet*: it could be judged, but has not been run.
"""


# -- the command ------------------------------------------------------------------------------------


def write_pages(root: pathlib.Path) -> None:
    for name, text in pages(root).items():
        part = root / f"{name}.part"
        part.write_text(text)
        os.replace(part, root / name)


def run(root: pathlib.Path, names: list[str], missing: bool) -> int:
    every, found = read(root), stored(root)
    able = {row.name: row for row in every if row.kind == "judge" and row.function().by == RUN}
    for name in names:
        if name not in able:
            print(f"statements.py: no statement {name!r} that is judged by a run; there are {len(able)}, such as "
                  f"{next(iter(able), 'none')}", file=sys.stderr)
            return 2
    chosen = [able[n] for n in names or able if not missing or n not in found]
    for count, row in enumerate(chosen, 1):
        point.cache_clear()    # so that seconds are those of this row alone
        begun = sum(os.times()[:4])    # of the processor, those of build/fatfly included: a busy machine does not change them
        verdict = row.judged()
        found = stored(root)    # another run may have written
        found[row.name] = Verdict(verdict.kind, verdict.found, sum(os.times()[:4]) - begun)
        print(f"{count} of {len(chosen)}: {row.name} {verdict.kind}: {verdict.found}", flush=True)
        store(root, every, found)
    store(root, every, found)
    if all(name in found for name in able):
        write_pages(root)
    else:
        print("pages not written: statements.py run --missing for the rest")
    return 0


def check(root: pathlib.Path) -> int:
    wrong = 0
    for name, text in pages(root).items():
        if not (root / name).exists() or (root / name).read_text() != text:
            print(f"{name} is not what the lists make; write it with scripts/paper/statements.py page")
            wrong += 1
    known = {row.name for row in read(root) if row.kind == "judge" and row.function().by == RUN}
    for name in stored(root):
        if name not in known:
            print(f"{FOUND}: {name} is not judged by a run")
            wrong += 1
    trials = {(reading, name) for readings, of in judge_readings.TRIALS.values() for reading in readings for name in of}
    for reading, name in trials_run(root).keys() - trials:
        print(f"{TRIED}: there is no trial {name!r} under {reading!r}")
        wrong += 1
    return 1 if wrong else 0


def again(root: pathlib.Path, most: float) -> int:
    """Runs the short ones once more."""
    passed = failed = 0
    found = stored(root)
    for row in read(root):
        if row.name not in found or row.kind != "judge" or found[row.name].seconds > most:
            continue
        try:
            now = row.judged()
        except (ArithmeticError, LookupError) as wrong:
            now = Verdict("no verdict", str(wrong))
        if (now.kind, now.found) == (found[row.name].kind, found[row.name].found):
            passed += 1
        else:
            failed += 1
            print(f"FAIL {row.name}: {now.kind}: {now.found}; {FOUND} has {found[row.name].kind}: {found[row.name].found}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def main(words: list[str]) -> int:
    command, rest = (words[0], words[1:]) if words else ("", [])
    try:
        if command == "run":
            return run(ROOT, [w for w in rest if w != "--missing"], "--missing" in rest)
        if command == "readings" and not rest:
            return readings(ROOT)
        if command == "page" and not rest:
            write_pages(ROOT)
            return 0
        if command == "check" and not rest:
            return check(ROOT)
        if command == "again" and len(rest) == 1 and re.fullmatch(r"\d+(\.\d+)?", rest[0]):
            return again(ROOT, float(rest[0]))
    except lists.Wrong as wrong:
        print(f"statements.py: {wrong}", file=sys.stderr)
        return 3
    except ArithmeticError as wrong:
        print(f"statements.py: {wrong}", file=sys.stderr)
        return 1
    except (OSError, subprocess.CalledProcessError, LookupError, KeyboardInterrupt) as wrong:
        print(f"statements.py: {str(wrong) or 'interrupted'}", file=sys.stderr)
        return 4
    print((__doc__ or "").split("\n\n")[1], file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
