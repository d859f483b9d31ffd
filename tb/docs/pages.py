#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py - checks README.md and docs/*.md against the repository and the program.

usage: pages.py [--root DIR] [--page PAGE] [--write] [links | output | facts | tables | data | sizes]...

  links   every relative link and anchor leads to something that exists
  output  every block of program output is what the program prints.  A comment before the block
          names the command; a block that begins with "$ COMMAND" must have such a comment:
              <!-- output: build/fatfly run --nodes 1024 -->
              <!-- varies: [0-9.]+ s of CPU time -->      (a regular expression; optional)
              <!-- report: lfsr-tap -->     instead: of what tb/bugs/run.sh says of a planted bug, a part
              <!-- by: tb/library/test_library.sh -->   instead: of what that test compares; it names the page or the text
          Other blocks are what is typed, by their first word, or have <!-- text --> before them.
          A line "..." stands for any lines, "..." at the end of a line for any rest of it.
  facts   every number that tb/docs/facts.txt lists is what its source says
  tables  the rows of docs/mutation.md, docs/coverage.md and the list of proofs are those of docs/results/*.csv
  data    the tables and drawings of docs/results are whole
  sizes   no page has more words than it may have
  --root DIR  the pages are those of DIR; commands and sources stay those of this repository
  --page PAGE only this page, such as docs/cosim.md, or this file of docs/results
  --write     put the right numbers (facts) and output (blocks without "...") into the pages
Without a name all run.  One line a mistake, `page:line: what is wrong`; the last line is
`N passed, N failed`.  Exit codes: 0 all right, 1 something is wrong, 2 usage.
"""

import argparse
import ast
import collections
import csv
import os
import pathlib
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "scripts/formal")]
import merge_formal
from lib.sources import sources

BUILD = os.environ.get("BUILD", "build")
TIMEOUT_S = 600
PAGE_WORDS = 2500
# Pages that may be longer, and why.
LONGER = {
    "docs/results.md": 20000,    # every table of the papers' experiments
    "docs/planted-bugs.md": 4000,  # a row for each bug
    "docs/statements-cmsv.md": 4000,  # a row for each statement
    "docs/statements-go.md": 4000,
    "docs/statements.md": 3000,    # a row for each that does not agree
}
README_LINES = 120
# What begins a block that is typed, not printed.
TYPED = re.compile(r"(build/|make |scripts/|sim/|tb/|\./|cc |g\+\+ |gdb |gtkwave |fatfly (?!\w+:)|sqlite3 |sbatch |parallel |python|yosys |protoc )")
REPORT = "tb/bugs/run.sh "


class Pages:
    """The pages of a tree, what was found wrong in them, and how many checks passed."""

    def __init__(self, root: pathlib.Path, only: str, write: bool) -> None:
        self.root, self.only, self.write = root, only, write
        self.passed = self.failed = 0
        names = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
        self.text = {str(p.relative_to(root)): p.read_text() for p in names if p.exists()}
        if only:
            self.text = {name: text for name, text in self.text.items() if name == only}

    def judge(self, good: bool, page: str, line: int, wrong: str) -> None:
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{page}:{line}: {wrong}")

    def replace(self, page: str, text: str) -> None:
        self.text[page] = text
        (self.root / page).write_text(text)


# -- links ------------------------------------------------------------------------------------------


def anchors(text: str) -> set[str]:
    """The anchors that a Markdown page gets from its headings, as GitHub makes them."""
    seen: collections.Counter[str] = collections.Counter()
    found = set()
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        heading = re.match(r"#{1,6} +(.*)", line)
        if fenced or not heading:
            continue
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def check_links(pages: Pages) -> None:
    text_of = dict(pages.text)
    if not pages.only and pages.root == ROOT:    # all other Markdown files of the repository
        text_of |= {name: (ROOT / name).read_text() for name in sources(ROOT) if name.endswith(".md")}
    for page, text in text_of.items():
        folder = pathlib.PurePosixPath(page).parent
        for number, line in enumerate(text.splitlines(), 1):
            prose = re.sub(r"`[^`]*`", lambda m: " " * len(m.group()), line)
            if line.startswith("    "):
                continue
            for target in re.findall(r"\]\(([^)\s]+)\)", prose):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                to = os.path.normpath(folder / path) if path else page
                exists = (pages.root / to).exists() or (ROOT / to).exists()
                if exists and anchor and to.endswith(".md"):
                    other = pages.text.get(to) or (ROOT / to).read_text()
                    exists = anchor in anchors(other)
                pages.judge(exists, page, number, f"no {target}; it would be {to}"
                            + (f", heading {anchor}" if anchor else ""))


# -- program output ---------------------------------------------------------------------------------


class Block:
    """A block of output: the lines of the page, the command, what varies, where it stands."""

    def __init__(self, command: str, varies: list[str], first: int, lines: list[str]) -> None:
        self.command, self.varies, self.first, self.lines = command, varies, first, lines

    def masked(self, line: str) -> str:
        for pattern in self.varies:
            line = re.sub(pattern, "<varies>", line)
        return line.rstrip()


def blocks(text: str) -> Iterator[Block]:
    """Every indented block that has a comment or begins with "$ "; without a comment: command ""."""
    lines = text.splitlines()
    command, varies, at = "", [], 0
    while at < len(lines):
        line = lines[at]
        if named := re.match(r"<!-- (output|report): (.*) -->$", line):
            command = named.group(2) if named.group(1) == "output" else REPORT + named.group(2)
        elif more := re.match(r"<!-- varies: (.*) -->$", line):
            varies.append(more.group(1))
        elif line.startswith("    ") and (command or line.startswith("    $ ")):
            first = at
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            while not lines[at - 1].strip():
                at -= 1
            shown = [line[4:] for line in lines[first:at]]
            if command.startswith(REPORT):
                shown = ["...", *shown, "..."]
            yield Block(command, varies, first, shown)
            command, varies = "", []
            continue
        elif line.strip() and command:
            yield Block(command, varies, at, [])
            command, varies = "", []
        at += 1


def printed(command: str) -> list[str]:
    """What the command prints, both streams; of a planted bug, its report."""
    if command.startswith(REPORT):
        report = ROOT / BUILD / "bugs" / command[len(REPORT):] / "report"
        program = ROOT / BUILD / "fatfly"
        if not report.exists() or report.stat().st_mtime < program.stat().st_mtime:
            subprocess.run(shlex.split(command), cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        return report.read_text().splitlines() if report.exists() else []
    words = [re.sub(r"^build/", BUILD + "/", word) for word in shlex.split(command)]
    done = subprocess.run(words, cwd=ROOT, timeout=TIMEOUT_S, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    return done.stdout.replace(BUILD + "/", "build/").splitlines()


def differs(block: Block, shown: list[str], real: list[str]) -> str:
    """The first line shown that the program does not print, or ""."""
    at, skip = 0, False
    for line in shown:
        if line.strip() == "...":
            skip = True
            continue
        rest = line.rstrip().endswith("...")
        want = block.masked(line.rstrip()[:-3] if rest else line)

        def same(got: str) -> bool:
            got = block.masked(got)
            return got.startswith(want) if rest else got == want
        while skip and at < len(real) and not same(real[at]):
            at += 1
        if at == len(real):
            return f"'{line.strip()}' is not printed" + ("" if skip else ", the output ends before")
        if not same(real[at]):
            return f"'{line.strip()}', but it prints '{real[at].strip()}'"
        at, skip = at + 1, False
    if not skip and any(line.strip() for line in real[at:]):
        return f"it prints more: '{real[at].strip()}'"
    return ""


def check_blocks(pages: Pages) -> None:
    """Every block is printed and compared, or typed, or said to be a text."""
    for page, text in pages.text.items():
        lines, fenced, listed, inside, said = text.splitlines(), False, False, False, ""
        for at, line in enumerate(lines):
            fenced ^= line.startswith("```")
            mark = re.match(r"<!-- (output|report|varies|text|by)(?:: (.*))? -->$", line)
            if mark:
                said = mark.group(0) if mark.group(1) != "varies" else said
            elif line.startswith("    ") and not fenced:
                if inside or listed or (at and lines[at - 1].strip() and not lines[at - 1].startswith("<!--")):
                    continue    # within a block, a list or a paragraph
                inside = True
                by = re.match(r"<!-- by: (\S+) -->", said)
                if by:
                    test = ROOT / by.group(1)
                    known = test.exists() and any(x in test.read_text() for x in (page, " ".join(line.split()[-6:])))
                    pages.judge(known, page, at + 1, f"{by.group(1)} has neither {page} nor this line")
                else:
                    pages.judge(bool(said or TYPED.match(line[4:]) or line.startswith("    $ ")), page, at + 1,
                                f"'{line.strip()}' is neither printed nor typed; allowed: <!-- output: COMMAND -->, "
                                "<!-- by: TEST --> or <!-- text --> before it")
                said = ""
            elif line.strip() and not line.startswith("<!--"):
                inside, listed, said = False, bool(re.match(r" *([-*]|\d+\.) ", line)) or (listed and line.startswith("  ")), ""


def check_output(pages: Pages) -> None:
    check_blocks(pages)
    results: dict[str, list[str]] = {}
    for page in list(pages.text):
        for block in reversed(list(blocks(pages.text[page]))):
            shown, place = block.lines, block.first + 1
            if not block.command:
                pages.judge(False, page, place, "a block of output without <!-- output: COMMAND -->")
                continue
            if not shown:
                pages.judge(False, page, place, f"no block follows <!-- output: {block.command} -->")
                continue
            head = []
            if shown[0].startswith("$ "):
                head, shown = shown[:1], shown[1:]
                if head[0][2:] != block.command:
                    pages.judge(False, page, place, f"'{head[0]}' stands above the output of "
                                f"'{block.command}'")
                    continue
            if block.command not in results:
                results[block.command] = printed(block.command)
            real = results[block.command]
            wrong = differs(block, shown, real)
            if wrong and pages.write and not any(line.rstrip().endswith("...") for line in shown):
                lines = pages.text[page].splitlines()
                new = [("    " + line).rstrip() for line in head + real]
                lines[block.first:block.first + len(block.lines)] = new
                pages.replace(page, "\n".join(lines) + "\n")
                wrong = ""
            pages.judge(not wrong, page, place, f"{block.command}: {wrong}")


# -- numbers in prose -------------------------------------------------------------------------------


def rows(name: str) -> list[dict[str, str]]:
    with open(ROOT / "docs" / "results" / name, newline="") as file:
        return list(csv.DictReader(file))


def papers() -> list[int]:
    """Statements of the papers: all, those that agree, in part, not; the line that paper.py writes."""
    text = (ROOT / "docs" / "results.md").read_text()
    found = re.search(r"Of (\d+) published results and statements (\d+) agree, (\d+) agree in part and "
                      r"(\d+) differ", text)
    return [int(n) for n in found.groups()] if found else []


def statements() -> list[int]:
    """Rows of docs/statements.md: all, and of each verdict but those that none has."""
    text = (ROOT / "docs" / "statements.md").read_text()
    found = re.search(r"^\| all \| (.*) \|$", text, re.M)
    return [int(n) for n in found.group(1).split(" | ") if n != "0"] if found else []


def mutants(side: str, part: str = "") -> Callable[[], list[int]]:
    """Mutants of a side, in modules whose name begins so: all, killed, proven equivalent, left."""
    def counts() -> list[int]:
        mine = [r for r in rows("mutation.csv") if r["side"] == side and re.match(rf"(\w+/)?{part}", r["module"])]
        return [sum(int(r[c]) for r in mine) for c in ("mutants", "killed", "equivalent", "survived")]
    return counts


def scripts_broken() -> list[int]:
    """Mutants of scripts: drawn, all, killed, survived, and how many of these in scripts of which none was killed."""
    *files, total = rows("mutants-scripts.csv")
    untested = sum(int(r["survived"]) for r in files if r["survived"] == r["drawn"])
    return [*(int(total[c]) for c in ("drawn", "all", "killed_by_unit_tests", "survived")), untested]


def situations() -> list[int]:
    """Functional coverage: covered, all."""
    mine = [r for r in rows("coverage.csv") if r["kind"] == "functional" and r["part"] != "all"]
    return [sum(int(r[c]) for r in mine) for c in ("covered", "total")]


def cases(pattern: str) -> Callable[[], list[int]]:
    """Cases of the regression whose names match; those that run a case again, NAME-ref, count in "" and "-ref" alone,
    those without a probe, NAME-bare, in "-bare"."""
    def count() -> list[int]:
        names = printed("build/fatfly cosim --list")
        if pattern in ("-ref", "-bare"):
            return [sum(name.endswith(pattern) for name in names)]
        names = [name for name in names if not name.endswith("-bare")]
        return [sum(bool(re.match(pattern, name)) and (not pattern or not name.endswith("-ref")) for name in names)]
    return count


def devices() -> list[int]:
    """Single switches and routers: cases whose device has a level or a node, each device's first run."""
    names = printed("build/fatfly cosim --list")
    alone = [name for name in names if re.match("switch-|router-", name)]
    high = [name for name in names if name.startswith("levels") and not re.match("levels[0-9]+-rw", name)]
    return [sum(not name.endswith(("-bare", "-ref")) for name in alone + high)]


def measures(*names: str) -> Callable[[], list[int]]:
    """Rows of view.csv, which scripts/bench/bench_view.py writes: value and limit of each."""
    def values() -> list[int]:
        of = {r["measure"]: [int(r["value"]), int(r["limit"])] for r in rows("view.csv")}
        return [n for name in names for n in of[name]]
    return values


def proofs() -> list[int]:
    """Checks of the proofs: all, proofs and covers, planted bugs, comparisons without a probe."""
    ends = collections.Counter(line.split()[1] for line in printed("scripts/formal/formal.py --probe --list"))
    return [ends.total(), ends["proved"] + ends["covered"], ends["falsified"], ends["same"]]


def listed(command: str) -> Callable[[], list[int]]:
    """Lines that a command prints."""
    return lambda: [len(printed(command))]


def literal(name: str, variable: str) -> Callable[[], list[int]]:
    """Elements of a list in a Python file."""
    def count() -> list[int]:
        for node in ast.walk(ast.parse((ROOT / name).read_text())):
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name) and target.id == variable and isinstance(node, ast.Assign | ast.AnnAssign) \
                    and isinstance(node.value, ast.List | ast.Tuple):
                return [len(node.value.elts)]
        return []
    return count


def matrix_rows(pattern: str) -> Callable[[], list[int]]:
    """Rows of sim/matrix.txt of these levels."""
    return lambda: [len(re.findall(rf"^s\d+of{pattern}-", (ROOT / "sim/matrix.txt").read_text(), re.M))]


def tuples() -> list[int]:
    """What the rows of sim/matrix.txt have together."""
    sys.path += [str(ROOT / "scripts/sim"), str(ROOT / "tb/spec")]
    import matrix  # pylint: disable=import-outside-toplevel,import-error
    return [len(matrix.wanted())]


def soaked() -> list[int]:
    """What all soaks that are recorded did: switch-cycles, runs, trials, turns."""
    mine = rows("soak.csv")
    return [sum(int(r["switch_cycles"]) for r in mine), sum(int(r["runs"]) for r in mine),
            sum(int(r["trials"]) for r in mine), sum(int(r["last_turn"]) - int(r["first_turn"]) + 1 for r in mine)]


def planted(name: str) -> Callable[[], list[int]]:
    """Bugs in a list: its lines but for comments."""
    return lambda: [sum(1 for line in (ROOT / name).read_text().splitlines()
                        if line.strip() and not line.startswith("#"))]


SOURCES: dict[str, Callable[[], list[int]]] = {
    "papers": papers,
    "statements": statements,
    "mutants-rtl": mutants("rtl"),
    "mutants-c": mutants("c"),
    "cubes-rtl": mutants("rtl", "cube"),
    "cubes-c": mutants("c", "cube"),
    "mutants-left": lambda: mutants("rtl")()[3:],
    "situations": situations,
    "cases": cases(""),
    "devices": devices,
    "routers": cases("router-"),
    "cubes": cases("cube-[tm]"),
    "exact": cases("exact-"),
    "reference": cases("-ref"),
    "bare": cases("-bare"),
    "view": measures("page", "frames-256", "traversals-1024", "built-to-moving"),
    "python": measures("python-overhead", "python-tiny-runs"),
    "proofs": proofs,
    "spec-switches": listed("python3 -B tb/spec/cover.py"),
    "spec-longer": listed("python3 -B tb/spec/cover.py --depth 1,2,3,4,5,8,16 --flit-w 16,17,24,32,33,40,48,55,63,64"),
    "spec-networks": listed("python3 -B tb/spec/cover.py --network --depth 1,2,3,16 --flit-w 16,27,32,48,64"),
    "rows": matrix_rows(r"\d+"),
    "deep": matrix_rows("(?:[4-9]|10)"),
    "tuples": tuples,
    "python-same": literal("tb/python/test_fatfly.py", "SAME"),
    "python-wrong": literal("tb/python/test_fatfly.py", "WRONG"),
    "coverage-cases": planted("tb/coverage/cases.txt"),
    "events": planted("tb/events/runs.txt"),
    "soak": soaked, "mutants-scripts": scripts_broken,
    "bugs-cosim": planted("tb/bugs/bugs.txt"),
    "bugs-formal": planted("tb/formal/bugs.txt"),
    "bugs-axis": planted("tb/axis/bugs.txt"),
}
NUMBER = r"(\d[\d,]*)"


def check_facts(pages: Pages) -> None:
    values: dict[str, list[int]] = {}
    name = "tb/docs/facts.txt"
    for at, line in enumerate((ROOT / name).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        page, rest = line.split(" | ", 1)
        sentence, source = rest.rsplit(" | ", 1)
        if pages.only and page != pages.only:
            continue
        if source not in SOURCES or page not in pages.text:
            pages.judge(False, name, at, f"no source {source}; allowed: {', '.join(SOURCES)}"
                        if source not in SOURCES else f"no page {page}")
            continue
        if source not in values:
            values[source] = SOURCES[source]()
        pattern = r"\s+".join(re.escape(word).replace(r"\{\}", NUMBER) for word in sentence.split())
        found = list(re.finditer(pattern, pages.text[page]))
        if len(found) != 1:
            pages.judge(False, name, at, f"'{sentence}' stands {len(found)} times in {page}, not once")
            continue
        read = [int(n.replace(",", "")) for n in found[0].groups()]
        want = values[source][:len(read)]
        place = pages.text[page].count("\n", 0, found[0].start()) + 1
        good = read == want
        if not good and pages.write and len(want) == len(read):
            text = pages.text[page]
            for k in reversed(range(len(read))):
                text = text[:found[0].start(k + 1)] + f"{want[k]:,}" + text[found[0].end(k + 1):]
            pages.replace(page, text)
            good = True
        pages.judge(good, page, place, f"'{' '.join(found[0].group().split())}', but {source} says "
                    f"{', '.join(f'{n:,}' for n in want) or 'nothing'}")


def check_tables(pages: Pages) -> None:
    """The rows of mutation.md, coverage.md and of the whole list in proofs.md are those of their CSV files."""
    want = []
    table = rows("mutation.csv")
    columns = [c for c in ("mutants", "killed", "by_proof", "equivalent", "survived") if c in table[0]]
    counted: dict[tuple[str, str], list[int]] = collections.defaultdict(lambda: [0] * len(columns))
    for r in table:
        name = f"rtl/{r['module']}.v" if r["side"] == "rtl" else r["module"]
        for key in (name, "all"):
            for k, column in enumerate(columns):
                counted[r["side"], key][k] += int(r[column])
    for (side, module), counts in counted.items():
        want.append(("docs/mutation.md", f"| {side} | {module} | " + " | ".join(map(str, counts)) + " |"))
    for r in rows("coverage.csv"):
        covered, total = int(r["covered"]), int(r["total"])
        percent = 100 * covered / total if total else 100
        if r["kind"] != "functional" or r["part"] == "all":
            want.append(("docs/coverage.md", f"| {r['kind']} | {r['part']} | {covered:,} | {total:,} | "
                         f"{percent:.1f} | {int(r['waived']):,} |"))
    proofs = rows("formal.csv")
    for kind, words in [*merge_formal.KINDS.items(), ("", "all")]:
        mine = [r for r in proofs if kind in ("", r["kind"])]
        good = sum(r["status"] == r["expect"] for r in mine)
        want.append(("docs/proofs.md", f"| {words} | {len(mine)} | {good} |"))
    for page, row in want:
        if page in pages.text:
            lines = pages.text[page].splitlines()
            pages.judge(any(line.startswith(row) for line in lines), page, 1, f"no row {row}")
    for page in {"docs/mutation.md", "docs/coverage.md"} & set(pages.text):
        expected = sum(1 for name, _ in want if name == page)
        shown = sum(bool(re.match(r"\| (rtl|c|functional|line|toggle|c-line|c-branch) \| [\w/.-]+ \| \d", line))
                    for line in pages.text[page].splitlines())
        pages.judge(shown == expected, page, 1, f"{shown} rows; the CSV file has {expected}")


def check_data(pages: Pages) -> None:
    """Each table of docs/results has rows as wide as its header, each drawing ends and draws something."""
    for path in sorted((pages.root / "docs/results").glob("*.*")):
        name = str(path.relative_to(pages.root))
        if pages.only not in ("", name):
            continue
        text = path.read_text()
        if path.suffix == ".svg":
            pages.judge(text.rstrip().endswith("</svg>") and len(re.findall(r"<(path|line|polyline|rect|circle|use)\b", text)) > 5,
                        name, 1, "no whole drawing")
            continue
        table = list(csv.reader(text.splitlines()))
        pages.judge(len(table) > 1, name, 1, f"{len(table)} lines; allowed: a header and rows")
        for number, row in enumerate(table, 1):
            if len(row) != len(table[0]) or not row[0]:
                pages.judge(False, name, number, f"{len(row)} fields, the first {row[0] if row else ''!r}; "
                            f"the header has {len(table[0])}")


# -- lengths ----------------------------------------------------------------------------------------


def check_sizes(pages: Pages) -> None:
    for page, text in pages.text.items():
        read = re.sub(r"<!--.*?-->", "", text, flags=re.S)    # comments are not read
        most, words = LONGER.get(page, PAGE_WORDS), len(read.split())
        pages.judge(words <= most, page, 1, f"{words:,} words; allowed: {most:,}")
    lines = pages.text.get("README.md", "").count("\n")
    if lines:
        pages.judge(lines <= README_LINES, "README.md", 1, f"{lines} lines; allowed: {README_LINES}")


CHECKS = {"links": check_links, "output": check_output, "facts": check_facts, "tables": check_tables,
          "data": check_data, "sizes": check_sizes}


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("\n\n")[1], add_help=False)
    parser.add_argument("checks", nargs="*")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--page", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--help", action="store_true")
    got = parser.parse_args()
    if got.help:
        print(__doc__)
        return 0
    for name in got.checks:
        if name not in CHECKS:
            parser.error(f"no check {name}; allowed: {', '.join(CHECKS)}")
    if got.page and not (got.root / got.page).is_file():
        parser.error(f"no page {got.page}")
    pages = Pages(got.root.resolve(), got.page, got.write)
    for name in got.checks or CHECKS:
        CHECKS[name](pages)
    print(f"{pages.passed} passed, {pages.failed} failed")
    return 1 if pages.failed else 0


if __name__ == "__main__":
    sys.exit(main())
