#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py - what the regression reaches: functional points, lines and toggles of rtl/, lines of C.

Usage: coverage.py [--build DIR] [--check] [STEP]...
       coverage.py holes FILE [PREFIX]...

Steps, all by default:
  functional  the co-simulation regression with --cover
  rtl         lines and toggles of rtl/ and rtl/cube/ over the cases of tb/coverage/cases.txt
  c           lines and branches of C over unit tests and the same cases
  table       the summary, docs/results/coverage.csv and DIR/coverage/trust.md; with --check the
              summary must be that of docs/results/coverage.csv, and nothing is written there
`make coverage` builds what they need first.  `holes` lists the points of a cover file, as
`fatfly cosim --cover FILE` writes it, that were never met.  Exit codes: docs/cosim.md.
"""

from __future__ import annotations

import concurrent.futures
import csv
import fnmatch
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, 'scripts'))
from lib import markdown
CSV = os.path.join(ROOT, 'docs', 'results', 'coverage.csv')
CASES = os.path.join(ROOT, 'tb', 'coverage', 'cases.txt')
WAIVERS = os.path.join(ROOT, 'tb', 'coverage', 'waivers.txt')
HEADER = 'fatfly cover 1'
# The modules that the regression runs.
RTL = ['rtl', 'rtl/fast', 'rtl/cube']
# Whose coverage counts; cli and sim are tested by the command, too, which is not counted.
C_PARTS = [f'cmodel/{layer}' for layer in ('base', 'switch', 'network', 'topology', 'traffic', 'theory', 'measure', 'engine',
                                           'api', 'cli')] + ['sim']
# C is cut at the first cycles of a case: what follows runs the same lines again.
C_CYCLES = 2000
NEED = {'functional': 100.0, 'line': 98.0, 'toggle': 98.0}
# Unit tests take times, so that a line more or less runs; the rest is the same in every run.
SLACK = {'c-line': 1.0, 'c-branch': 1.0}

Row = tuple[Any, ...]                    # kind, part; covered, total, waived
Point = tuple[str, str, str]             # file, signal, bit
Reached = tuple[str, int, int, str]      # file, line, column; what it is
Item = TypeVar('Item')
Result = TypeVar('Result')


class Fail(Exception):
    """Ends the program: exit code and one line."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def read_lines(path: str) -> list[str]:
    try:
        with open(path, encoding='utf-8') as file:
            return file.read().splitlines()
    except (OSError, UnicodeDecodeError) as e:
        why = e.strerror if isinstance(e, OSError) else 'not a text file'
        raise Fail(3, f'{path}: {why}; allowed: a readable file') from e


def write_text(path: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + '.part', 'w', encoding='utf-8') as file:
            file.write(text)
        os.replace(path + '.part', path)
    except OSError as e:
        raise Fail(4, f'{path}: {e.strerror}') from e


def tool(name: str, package: str) -> None:
    if not shutil.which(name):
        raise Fail(4, f'no {name} on this machine; scripts/setup.sh installs it (Debian package '
                      f'{package})')


def run(command: Sequence[str], **more: Any) -> str:
    """Runs a command; its output is shown if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', check=False, **more)
    if done.returncode:
        sys.stdout.write(done.stdout[-3000:])
        raise Fail(1 if done.returncode == 1 else 4,
                   f'{command[0]} ended with {done.returncode}: {" ".join(command)[:300]}')
    return done.stdout


def side_by_side(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(work, items))


# -- functional ------------------------------------------------------------------------------------

def read_cover(path: str) -> dict[str, int]:
    """The points of a cover file, in order: name to count."""
    lines = read_lines(path)
    if not lines or lines[0] != HEADER:
        first = lines[0][:60] if lines else ''
        raise Fail(3, f'{path}:1: "{first}"; allowed: the header {HEADER}')
    points = {}
    for number, line in enumerate(lines[1:], 2):
        match = re.fullmatch(r'([a-z0-9.-]+) (\d+)', line)
        if not match or match[1] in points:
            raise Fail(3, f'{path}:{number}: "{line[:60]}"; allowed: a point and a count, each once')
        points[match[1]] = int(match[2])
    if not points:
        raise Fail(3, f'{path}: no points; allowed: a file of fatfly cosim --cover')
    return points


def holes(args: Sequence[str]) -> int:
    if not args:
        raise Fail(2, 'holes needs a file; allowed: coverage.py holes FILE [PREFIX]...')
    points = read_cover(args[0])
    for prefix in args[1:]:
        if not any(name.startswith(prefix) for name in points):
            raise Fail(2, f'holes {prefix}: no point begins so; the families are: '
                          + ', '.join(dict.fromkeys(n.split('.')[0] for n in points)))
    chosen = {n: c for n, c in points.items() if len(args) < 2 or n.startswith(tuple(args[1:]))}
    missed = [name for name, count in chosen.items() if not count]
    for name in missed:
        print(f'never met: {name}')
    print(f'{len(chosen) - len(missed)} of {len(chosen)} points met')
    return 1 if missed else 0


def step_functional(build: str) -> None:
    out = f'{build}/coverage/functional.txt'
    os.makedirs(os.path.dirname(out), exist_ok=True)
    if os.path.exists(out):
        os.remove(out)
    text = run([f'{build}/fatfly', 'cosim', '--build', build, '--cover', out])
    print(text.splitlines()[-1])


def rows_functional(build: str) -> list[Row]:
    points = read_cover(f'{build}/coverage/functional.txt')
    parts = {}
    for name, count in points.items():
        part = parts.setdefault(name.split('.')[0], [0, 0, 0])
        part[0] += count > 0
        part[1] += 1
        if not count:
            print(f'hole: {name} was never met')
    return [('functional', name, *part) for name, part in parts.items()]


# -- rtl -------------------------------------------------------------------------------------------

def cases() -> list[list[str]]:
    found = []
    for number, line in enumerate(read_lines(CASES), 1):
        words = line.split('#')[0].split()
        if not words:
            continue
        if len(words) != 2 or not words[1].isdecimal():
            raise Fail(3, f'{CASES}:{number}: "{line[:60]}"; allowed: a case and its cycles')
        found.append(words)
    return found


def step_rtl(build: str) -> None:
    """Each case leaves NAME.dat, Verilator's counts of lines and branches, and NAME.toggle."""
    data = f'{build}/coverage/data'
    shutil.rmtree(data, ignore_errors=True)
    os.makedirs(data)

    def one(case: list[str]) -> None:
        name, cycles = case
        pipe = f'{data}/{name}.pipe'
        os.mkfifo(pipe)
        # The shell opens the pipe, for opening waits for the other end.
        with subprocess.Popen(['sh', '-c', 'exec "$0" <"$1" >"$2"', f'{build}/coverage/toggles',
                               pipe, f'{data}/{name}.toggle']) as counter:
            try:
                run([f'{build}/fatfly', 'cosim', '--build', f'{build}/coverage', '--outputs-only',
                     '--case', name, '--max-cycles', cycles],
                    env=dict(os.environ, FATFLY_VCD=pipe, FATFLY_COVERAGE=f'{data}/{name}.dat'))
            except BaseException:
                counter.kill()
                raise
        os.remove(pipe)
        if counter.returncode:
            raise Fail(4, f'{name}: its toggles were not counted')

    side_by_side(one, cases())
    print(f'rtl: {len(cases())} cases')


class Rtl:
    """What the sources declare: modules, their instances, their signals."""

    def __init__(self) -> None:
        self.text = {}       # module to its source
        self.file = {}       # ... and its file
        self.module = {}     # (module, instance) to the modules that it can be
        for folder in RTL:
            for name in sorted(os.listdir(os.path.join(ROOT, folder))):
                if name.endswith('.v'):
                    self.file[name[:-2]] = f'{folder}/{name}'
                    self.text[name[:-2]] = '\n'.join(
                        line.split('//')[0] for line in read_lines(os.path.join(ROOT, folder, name)))
        self.words = {m: set(re.findall(r'\w+', text)) for m, text in self.text.items()}
        for module, text in self.text.items():
            for kind in self.text:
                for match in re.finditer(rf'^\s*{kind}\b\s*(#\s*\()?', text, re.M):
                    at = after_brackets(text, match.end()) if match[1] else match.end()
                    inside = re.match(r'\s*(u_\w+)\s*\(', text[at:])
                    if inside:
                        self.module.setdefault((module, inside[1]), set()).add(kind)

    def declared(self, module: str) -> set[str]:
        return set(re.findall(r'\b(?:wire|reg)\b\s*(?:\[.*?\]\s*)?(\w+)(?=\s*[;,=\[)\n])',
                              self.text[module]))

    def place(self, scope: str, names: dict[str, set[str]]) -> tuple[str | None, list[str]]:
        """/TOP/switch/g_port[0]/g_in/u_port/g_vc[1] is (port, [g_vc]); (None, []) is no module.

        names: of each scope, what it has.  An instance that a generate makes of one module or of
        another is of the one whose text has all its names.
        """
        path = scope.split('/')[2:]
        if not path:
            return None, []
        module, blocks, at = path[0], [], '/TOP/' + path[0]
        for step in path[1:]:
            at += '/' + step
            step = step.split('[')[0]
            kinds = self.module.get((module, step))
            if kinds:
                fit = [k for k in kinds
                       if len(kinds) == 1 or names.get(at, set()) <= self.words[k]]
                if len(fit) != 1:
                    raise Fail(3, f'{at}: of {len(fit)} modules; allowed: one of '
                                  f'{", ".join(sorted(kinds))}')
                module, blocks = fit[0], []
            else:
                blocks.append(step)
        return module, blocks

    def line(self, module: str, name: str) -> int:
        """Line of a declaration, for the annotated source."""
        text, at = self.text[module], 0
        *blocks, base = name.split('.')
        for block in blocks:
            found = re.search(rf'begin\s*:\s*{block}\b', text[at:])
            at += found.end() if found else 0
        found = re.search(rf'\b(?:wire|reg)\b[^;]*?\b{base}\b', text[at:])
        return text.count('\n', 0, at + found.end()) + 1 if found else 1


def after_brackets(text: str, at: int) -> int:
    depth = 1
    while depth:
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        at += 1
    return at


def toggles(build: str, rtl: Rtl) -> dict[Point, int]:
    """(file, signal, bit) to 1 rose, 2 fell, 3 both, of all cases."""
    seen = {}
    for name, _ in cases():
        lines = [line.split(' ') for line in read_lines(f'{build}/coverage/data/{name}.toggle')]
        names, places = {}, {}
        for scope, name, _ in lines:
            names.setdefault(scope, set()).add(name.partition('[')[0])
        for scope, name, bits in lines:
            if scope not in places:
                places[scope] = rtl.place(scope, names)
            module, blocks = places[scope]
            base, _, index = name.partition('[')
            if module is None or base.isupper() or re.fullmatch(r'[A-Z0-9_]+', base):
                continue             # a parameter
            key = (module + '.v', '.'.join(blocks + [base]))
            index = '[' + index if index else ''
            for k, bit in enumerate(reversed(bits)):
                point = (*key, f'{index}[{k}]')
                seen[point] = seen.get(point, 0) | int(bit)
    for module in rtl.text:
        known = {signal.split('.')[-1] for file, signal, _ in seen if file == module + '.v'}
        for name in rtl.declared(module) - known:
            seen[module + '.v', name, ''] = 0 # declared, and in no trace
    return seen


def read_waivers() -> list[tuple[int, list[str]]]:
    found = []
    for number, line in enumerate(read_lines(WAIVERS), 1):
        words = line.split(None, 4)
        if not words or words[0].startswith('#'):
            continue
        if len(words) != 5 or words[0] not in ('skip', 'waive', 'line'):
            raise Fail(3, f'{WAIVERS}:{number}: "{line[:60]}"; allowed: skip, waive or line, file, '
                          'signal, bits, reason')
        found.append((number, words))
    return found


def covers(words: Sequence[str], point: Point) -> bool:
    _, file, signal, bits, _ = words
    return (fnmatch.fnmatchcase(point[0], file) and fnmatch.fnmatchcase(point[1], signal) and
            any(bit_matches(part, point[2]) for part in bits.split(',')))


def bit_matches(part: str, bit: str) -> bool:
    """7, 7-9 and [2][7] name bits, [2]* all of an element and * all; bit is like [7] or [2][7]."""
    ends = re.fullmatch(r'(\d+)(?:-(\d+))?', part)
    if ends:
        return bit in [f'[{k}]' for k in range(int(ends[1]), int(ends[2] or ends[1]) + 1)]
    return bit.startswith(part[:-1]) if part.endswith('*') else bit == part


def rows_toggle(build: str) -> list[Row]:
    rtl = Rtl()
    seen = toggles(build, rtl)
    waivers = read_waivers()
    skipped, waived = set(), set()
    for number, words in waivers:
        if words[0] == 'line':
            continue
        points = [p for p in seen if covers(words, p)]
        if not points:
            raise Fail(3, f'{WAIVERS}:{number}: {words[1]} {words[2]} {words[3]} matches nothing')
        if words[0] == 'skip':
            skipped.update(points)
            continue
        points = [p for p in points if p not in skipped]
        both = [p for p in points if seen[p] == 3]
        if both:
            raise Fail(3, f'{WAIVERS}:{number}: {words[1]} {words[2]}{both[0][2]} did rise and fall')
        waived.update(points)
    rows = {}
    missed = {}
    dat = ['# SystemC::Coverage-3']
    for point in sorted(seen):
        file, signal, bit = point
        if point in skipped:
            continue
        row = rows.setdefault(file, [0, 0, 0])
        row[0] += seen[point] == 3
        row[1] += point not in waived
        row[2] += point in waived
        if seen[point] != 3 and point not in waived:
            missed.setdefault((file, signal), []).append(bit)
        if point not in waived:
            dat.append(f"C '\1f\2{ROOT}/{rtl.file[file[:-2]]}\1l\2{rtl.line(file[:-2], signal)}\1n\0021\1page\2"
                       f"v_toggle/{file[:-2]}\1o\2{signal}{bit}\1h\2TOP' {int(seen[point] == 3)}")
    for (file, signal), bits in sorted(missed.items()):
        print(f'hole: {file} {signal} {" ".join(bits[:8])}{" .." if len(bits) > 8 else ""}: '
              f'{len(bits)} bits did not both rise and fall')
    write_text(f'{build}/coverage/toggle.dat', '\n'.join(dat) + '\n')
    return [('toggle', file, *row) for file, row in sorted(rows.items())]


def rows_line(build: str) -> list[Row]:
    """Lines and branches that Verilator counts, of all shapes and instances together."""
    hits = {}
    for name, _ in cases():
        for line in read_lines(f'{build}/coverage/data/{name}.dat'):
            if not line.startswith("C '"):
                continue
            text, count = line[3:].rsplit("' ", 1)
            field = dict(part.split('\2', 1) for part in text.split('\1') if part)
            if field['page'].startswith(('v_line', 'v_branch')):
                point = (os.path.basename(field['f']), int(field['l']), int(field['n']), field['o'])
                hits[point] = hits.get(point, 0) + int(count)
    waived = waived_lines(hits)
    rows = {}
    for point, times in sorted(hits.items()):
        file, number, _, what = point
        row = rows.setdefault(file, [0, 0, 0])
        if point in waived:
            row[2] += 1
            continue
        row[0] += times > 0
        row[1] += 1
        if not times:
            print(f'hole: {file}:{number}: {what} was never reached')
    return [('line', file, *row) for file, row in sorted(rows.items())]


def waived_lines(hits: dict[Reached, int]) -> set[Reached]:
    """Points in functions that the waivers name."""
    rtl = Rtl()
    waived = set()
    for number, (kind, file, name, _, _) in read_waivers():
        if kind != 'line':
            continue
        text = rtl.text.get(file[:-2], '')
        found = re.search(rf'\bfunction\b[^;]*\b{re.escape(name)}\s*;.*?\bendfunction\b', text, re.S)
        first, last = ((text.count('\n', 0, at) + 1 for at in found.span()) if found else (0, 0))
        points = [p for p in hits if p[0] == file and first <= p[1] <= last]
        if not points:
            raise Fail(3, f'{WAIVERS}:{number}: line {file} {name} matches nothing')
        if any(hits[p] for p in points):
            raise Fail(3, f'{WAIVERS}:{number}: function {name} of {file} was reached')
        waived.update(points)
    return waived


def annotate(build: str) -> None:
    """Verilator's own view: the sources with counts, and a file for lcov."""
    folder = f'{build}/coverage'
    dats = [f'{folder}/data/{name}.dat' for name, _ in cases()] + [f'{folder}/toggle.dat']
    run(['verilator_coverage', '--write', f'{folder}/rtl.dat', *dats])
    run(['verilator_coverage', '--annotate', f'{folder}/annotated', '--annotate-min', '1', '--annotate-all',
         f'{folder}/rtl.dat'])
    run(['verilator_coverage', '--write-info', f'{folder}/rtl.info', f'{folder}/rtl.dat'])


# -- C ---------------------------------------------------------------------------------------------

def step_c(build: str) -> None:
    folder = f'{build}/coverage'
    for path, _, names in os.walk(f'{folder}/obj'):
        for name in names:
            if name.endswith('.gcda'):
                os.remove(f'{path}/{name}')
    tests = sorted(os.listdir(f'{folder}/unit'))
    side_by_side(lambda n: run([f'{folder}/unit/{n}']), tests)
    fatfly = f'{folder}/fatfly'
    names = [name for name, _ in cases()]
    side_by_side(lambda n: run([fatfly, 'cosim', '--build', build, '--case', n, '--max-cycles',
                                str(C_CYCLES)]), names)
    # Several cases at once, in processes of their own.
    run([fatfly, 'cosim', '--build', build, '--max-cycles', '100', '--cover', f'{folder}/few.txt',
         '--case', 'fat16-random', '--case', 'fat16-complement'])
    branches = ['--rc', 'lcov_branch_coverage=1']
    run(['lcov', '-q', '--capture', *branches, '--directory', f'{folder}/obj', '--base-directory',
         ROOT, '--no-external', '-o', f'{folder}/all.info'])
    wanted = [f'{ROOT}/{part}/*' for part in C_PARTS]
    run(['lcov', '-q', *branches, '--extract', f'{folder}/all.info', *wanted, '-o',
         f'{folder}/c.info'])
    print(f'c: {len(tests)} unit tests, {len(names)} cases cut at {C_CYCLES} cycles')


def rows_c(build: str) -> list[Row]:
    rows, part = {}, None
    for line in read_lines(f'{build}/coverage/c.info'):
        if line.startswith('SF:'):
            name = os.path.relpath(line[3:], ROOT)
            part = next((p for p in C_PARTS if name.startswith(p + '/')), None)
        elif part and line.startswith(('DA:', 'BRDA:')):
            kind = 'c-line' if line.startswith('DA:') else 'c-branch'
            hit = line.split(',')[1 if kind == 'c-line' else 3] not in ('0', '-')
            row = rows.setdefault((kind, part), [0, 0, 0])
            row[0] += hit
            row[1] += 1
    return [(*key, *row) for key, row in sorted(rows.items(), key=lambda r: (r[0][0] == 'c-branch', r[0][1]))]


# -- the table -------------------------------------------------------------------------------------

def percent(covered: int, total: int) -> float:
    return 100.0 * covered / total if total else 100.0


def with_sums(rows: Sequence[Row]) -> list[Row]:
    """A line of all parts after those of a kind."""
    out = []
    for kind in dict.fromkeys(r[0] for r in rows):
        parts = [r for r in rows if r[0] == kind]
        out += parts + [(kind, 'all', *(sum(r[k] for r in parts) for k in (2, 3, 4)))]
    return out


def csv_text(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator='\n')
    writer.writerow(['kind', 'part', 'covered', 'total', 'percent', 'holes', 'waived'])
    for kind, part, covered, total, waived in rows:
        writer.writerow([kind, part, covered, total, f'{percent(covered, total):.2f}',
                         total - covered, waived])
    return out.getvalue()


def section(rows: Sequence[Row]) -> str:
    lines = [(kind, part, f'{covered:,}', f'{total:,}', f'{percent(covered, total):.1f}', f'{waived:,}')
             for kind, part, covered, total, waived in rows if kind != 'functional' or part == 'all']
    table = markdown.table(['Coverage', 'of', 'covered', 'of all', 'percent', 'waived'], lines)
    families = [f'`{r[1]}` {r[3]}' for r in rows if r[0] == 'functional' and r[1] != 'all']
    return (f'<!-- coverage: scripts/test/coverage.py -->\n{table}\n'
            f'Functional points by family: {", ".join(families)}.\n<!-- /coverage -->\n')


def differences(rows: Sequence[Row]) -> Iterator[str]:
    """What is other than in the committed file, a line each."""
    old = {(r['kind'], r['part']): r for r in csv.DictReader(io.StringIO(
        '\n'.join(read_lines(CSV)) + '\n'))}
    new = {(r['kind'], r['part']): r for r in csv.DictReader(io.StringIO(csv_text(rows)))}
    for key in dict.fromkeys([*old, *new]):
        a, b = old.get(key), new.get(key)
        if not a or not b:
            yield f'{" ".join(key)}: only in {"the file" if a else "this run"}'
        elif abs(float(a['percent']) - float(b['percent'])) > SLACK.get(key[0], 0.0) or (
                key[0] not in SLACK and a != b):
            yield (f'{" ".join(key)}: {b["covered"]} of {b["total"]}, in the file {a["covered"]} of '
                   f'{a["total"]}')


def step_table(build: str, check: bool) -> int:
    rows = with_sums(rows_functional(build) + rows_line(build) + rows_toggle(build) + rows_c(build))
    annotate(build)
    run(['genhtml', '-q', '--branch-coverage', '--title', 'fatfly', '-o', f'{build}/coverage/html',
         f'{build}/coverage/c.info', f'{build}/coverage/rtl.info'])
    print(f'{"coverage":<11}{"of":<24}{"covered":>8}{"total":>8}{"percent":>9}{"holes":>7}{"waived":>8}')
    for kind, part, covered, total, waived in rows:
        print(f'{kind:<11}{part:<24}{covered:>8}{total:>8}{percent(covered, total):>9.2f}'
              f'{total - covered:>7}{waived:>8}')
    bad = [f'{r[0]}: {percent(r[2], r[3]):.2f} percent; allowed: {NEED[r[0]]:g} at least'
           for r in rows if r[1] == 'all' and percent(r[2], r[3]) < NEED.get(r[0], 0)]
    write_text(f'{build}/coverage/trust.md', section(rows))
    if check:
        bad += differences(rows)
    else:
        write_text(CSV, csv_text(rows))
    for line in bad:
        print(f'FAIL {line}')
    return 1 if bad else 0


def main(args: Sequence[str]) -> int:
    build, check, steps = 'build', False, []
    if args[:1] == ['holes']:
        return holes(args[1:])
    known = ['functional', 'rtl', 'c', 'table']
    args = list(args)
    while args:
        word = args.pop(0)
        if word == '--help':
            print(__doc__.strip())
            return 0
        if word == '--check':
            check = True
        elif word == '--build' and args:
            build = args.pop(0)
        elif word in known:
            steps.append(word)
        else:
            raise Fail(2, f'{word}; allowed: holes, --build DIR, --check, ' + ', '.join(known))
    build = os.path.abspath(build)
    steps = steps or known
    os.chdir(ROOT)
    if 'rtl' in steps or 'table' in steps:
        tool('verilator_coverage', 'verilator')
    if 'c' in steps or 'table' in steps:
        tool('lcov', 'lcov')
    code = 0
    for step in steps:
        if step == 'table':
            code = step_table(build, check)
        else:
            {'functional': step_functional, 'rtl': step_rtl, 'c': step_c}[step](build)
    return code


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except Fail as fail:
        print(f'coverage.py: {fail}', file=sys.stderr)
        sys.exit(fail.code)
