# SPDX-License-Identifier: Apache-2.0
# mutate_c.py - mutants of the C model: one token or one statement of a source file changed.
#
# A mutant that compiles to the same object code as the original, with any of the compilers tried, is
# equivalent.  Not mutated: what shows or checks the state or gets and frees memory (SKIP), since the
# co-simulation looks with it and the sanitizers of `make test` look at it; params.c, which only refuses
# wrong parameters.
from __future__ import annotations

import argparse
import functools
import glob
import hashlib
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from mutate_tools import HERE, Store, Trouble, call, judge, keyed, missing

Change = tuple[int, int, str, str]      # start, end, new text, what

TREES = ["switch/arbiter.c", "switch/port.c", "switch/scan.c", "switch/switch.c", "switch/fifo.h",
         "switch/flit.h", "switch/lfsr.h", "switch/pick.h", "switch/port.h", "switch/route.h",
         "network/network.c", "network/fat_tree.c", "network/fat_tree.h", "network/network.h"]
CUBES = ["switch/cube_router.c", "switch/cube_route.h", "network/cube_network.c"]
FILES = TREES + CUBES
SKIP = ["scan_probe_words", "scan_probe", "flit_words", "flit_probe", "port_words",
        "switch_probe_words", "ports_probe", "switch_probe", "registers_check", "switch_check", "switch_check_wires",
        "network_bytes", "network_new", "network_free", "network_probe", "network_check", "switch_mem", "head_pack", "head_dst", "head_src",
        "worm_height", "cube_needs", "cube_params_check", "cube_router_mem", "cube_probe_words",
        "cube_router_probe", "cube_network_new", "cube_network_free", "cube_network_probe", "cube_address",
        "cube_head"]
UNITS = ["switch/arbiter.c", "switch/params.c", "switch/port.c", "switch/scan.c", "switch/switch.c",
         "network/fat_tree.c", "network/network.c", "sim/dut.c", "sim/dut_cmodel.c"]
# With dut_cube.c in place of dut_cmodel.c a library of cubes.
CUBE_UNITS = UNITS[:-1] + ["switch/cube_router.c", "network/cube_network.c", "sim/dut_cube.c"]
SWAP = {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "&": ["|"], "|": ["&", "^"],
        "^": ["|"], "<<": [">>"], ">>": ["<<"], "<": ["<=", ">"], "<=": ["<"], ">": [">=", "<"],
        ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"], "+=": ["-="],
        "-=": ["+="], "|=": ["&=", "="], "&=": ["|="], "^=": ["="], ">>=": ["<<="], "<<=": [">>="],
        "++": ["--"]}
DROP = {"~", "!"}
TOKEN = re.compile(r"(?P<skip>\s+|/\*.*?\*/|//[^\n]*|^#(?:\\\n|[^\n])*)|(?P<number>\.?\d[\w.]*)|"
                   r"(?P<name>[A-Za-z_]\w*)|(?P<text>\"(?:\\.|[^\"])*\"|'(?:\\.|[^'])*')|"
                   r"(?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)", re.S | re.M)
TYPES = {"unsigned", "int", "char", "void", "bool", "const", "struct", "enum", "return", "case"}
KEYWORDS = {"if", "for", "while", "switch", "sizeof", "return", "do", "else"}
# One shape each, then all the others; the first kills most.
FIRST = ["switch-s2of3-v2-q4-w33-rg-rot", "switch-s1of3-v1-q2-w32-rp-rr", "fat16-random",
         "switch-s2of3-v1-q2-w32-gp-fcfs", "switch-s2of3-v2-q2-w32-gp-fo", "fat16-gp-rot",
         "switch-s1of3-v4-q3-w17-fp-ff", "fat16-v2-rg-fcfs", "fat16-v4-fp-ff",
         "switch-s1of3-v2-q5-w33-fp-fcfs", "switch-s2of3-v1-q2-w32-rg-ff", "fat64-random",
         "switch-s2of3-v4-q2-w64-rg-fcfs", "levels1-ff", "levels4-fp",
         "levels7-fp-ff", "levels8-fp-ff"]
CUBES_FIRST = ["router-torus4n6-v3-q2-w32-nhop-rot", "router-torus4n5-v2-q2-w32-ecube-rot",
               "router-torus4n0-v2-q1-w32-ecube-rr", "router-mesh4n5-v1-q2-w32-ecube-rot",
               "cube-torus4-v3-q2-w32-nhop-rr", "cube-mesh4-v4-q2-w32-nhop-rot",
               "router-torus3n8-v3-q2-w33-ecube-rr", "router-mesh5n12-v5-q3-w32-nhop-fo",
               "router-torus16n120-v8-q2-w24-ecube-rot", "router-torus16n248-v9-q1-w24-nhop-rr"]
SHORT = 6000                            # cycles of a case in the first round
# Cases of the fat tree, and of cubes; in the others there is nothing of these files.
CASES = ("switch-", "fat", "exact-", "levels")
CUBE_CASES = ("router-", "cube-torus", "cube-mesh")
LONG = 70000                            # ... in the second, over all cases: every phase twice
# The case arbiter-core goes through all that these files can be asked (docs/arbiter.md, which says how far it goes
# for each), in these of its parts.  What port.c does with four channels is not among it.
ARBITER = {"switch/arbiter.c": ("arbiter-", "child-cones", "parent-cones", "shared-order"),
           "switch/scan.c": ("scan-",), "switch/port.c": ("port-",)}
COMPLETE = ["switch/arbiter.c", "switch/scan.c"]
TCE = [["gcc", "-O2"], ["gcc", "-O3"], ["gcc", "-Os"], ["clang", "-O2"], ["clang", "-O3"]]
TRAPS = ["gcc", "-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
OPTIONS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-DDUT_LIBRARY", "-ffp-contract=off", "-w", "-g0", "-fPIC",
           "-Werror=incompatible-pointer-types", "-Werror=int-conversion"]

TRUE_HASH: dict[tuple[str, ...], str | None] = {}       # (unit, compiler ...): of its object code without a change


class Token:
    def __init__(self, kind: str | None, text: str, at: int) -> None:
        self.kind, self.text, self.at = kind, text, at


def tokens(source: str) -> list[Token]:
    return [Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(source)
            if m.lastgroup != "skip"]


def bodies(toks: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """(name, first token, end) of every function that is mutated."""
    depth = 0
    name = None
    for k, t in enumerate(toks):
        if t.text == "{":
            if depth == 0:
                back = k - 1
                name = None
                if toks[back].text == ")":
                    level = 0
                    while True:
                        level += {")": 1, "(": -1}.get(toks[back].text, 0)
                        back -= 1
                        if level == 0:
                            break
                    name, start = toks[back].text, k
            depth += 1
        elif t.text == "}":
            depth -= 1
            if depth == 0 and name and name not in SKIP:
                yield name, start, k


def is_binary(toks: Sequence[Token], k: int) -> bool:
    """& * - + between two operands, and not the star of a declaration."""
    before = toks[k - 1]
    if before.kind == "number" or before.text == "]":
        return True
    if before.text == ")":
        return toks[k - 2].text not in TYPES and not toks[k - 2].text.endswith("_t")
    return (before.kind == "name" and before.text not in TYPES and not before.text.endswith("_t")
            and toks[k - 2].text not in ("struct", "enum"))


def closing(toks: Sequence[Token], k: int) -> int:
    """The bracket that closes the one at k."""
    level = 0
    while True:
        level += {"(": 1, ")": -1}.get(toks[k].text, 0)
        if level == 0:
            return k
        k += 1


def other_number(text: str, step: int) -> str | None:
    m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if not m or re.fullmatch(r"0\d+", m.group(1)):
        return None
    value = int(m.group(1), 0) + step
    if value < 0:
        return None
    return (hex(value) if text[:2].lower() == "0x" else str(value)) + m.group(2)


def changes(source: str) -> Iterator[Change]:
    """(start, end, new text, what) of every mutant of a file."""
    toks = tokens(source)
    for name, first, last in bodies(toks):
        begin = True                    # of a statement
        inside = 0                      # brackets
        for k in range(first + 1, last):
            t = toks[k]
            inside += {"(": 1, ")": -1}.get(t.text, 0)
            end = t.at + len(t.text)
            if t.kind == "op" and t.text in SWAP and (t.text not in "+-*&" or is_binary(toks, k)):
                for new in SWAP[t.text]:
                    yield t.at, end, new, f"{name}: {t.text} to {new}"
            elif t.text in DROP:
                yield t.at, end, "", f"{name}: {t.text} dropped"
            elif t.kind == "number":
                for step in (1, -1):
                    new = other_number(t.text, step)
                    if new:
                        yield t.at, end, new, f"{name}: {t.text} to {new}"
            elif t.text in ("if", "while"):
                stop = toks[closing(toks, k + 1)].at
                start = toks[k + 1].at + 1
                yield start, stop, f"!({source[start:stop]})", f"{name}: {t.text} ({source[start:stop]}) negated"
            if begin and t.kind == "name" and t.text not in TYPES | KEYWORDS | {"static", "continue"} \
                    and not t.text.endswith("_t") or begin and t.text in ("*", "continue"):
                stop = k
                while toks[stop].text != ";" and stop < last:
                    stop += 1
                text = source[t.at:toks[stop].at]
                if "{" not in text:
                    yield t.at, toks[stop].at, "", f"{name}: dropped: {' '.join(text.split())}"
            if t.kind == "name" and toks[k + 1].text == "(" and t.text not in KEYWORDS:
                yield from swapped(source, toks, k, name)
            begin = inside == 0 and (t.text in ("{", "}", ";", "else") or
                                     t.text == ")" and closes_head(toks, k))


def closes_head(toks: Sequence[Token], k: int) -> bool:
    """The bracket at k ends the head of an if, for or while."""
    level = 0
    while True:
        level += {")": 1, "(": -1}.get(toks[k].text, 0)
        k -= 1
        if level == 0:
            return toks[k].text in ("if", "for", "while", "switch")


def swapped(source: str, toks: Sequence[Token], k: int, name: str) -> Iterator[Change]:
    """Two neighbouring arguments of a call change places."""
    stop = closing(toks, k + 1)
    cuts = [toks[k + 1].at + 1]
    level = 0
    for t in toks[k + 2:stop]:
        level += {"(": 1, ")": -1, "[": 1, "]": -1}.get(t.text, 0)
        if t.text == "," and level == 0:
            cuts += [t.at, t.at + 1]
    cuts.append(toks[stop].at)
    args = [source[a:b].strip() for a, b in zip(cuts[::2], cuts[1::2])]
    for j in range(len(args) - 1):
        if args[j] != args[j + 1]:
            new = ", ".join(args[:j] + [args[j + 1], args[j]] + args[j + 2:])
            yield cuts[0], cuts[-1], new, f"{name}: {toks[k].text}() with {args[j]} and {args[j + 1]} swapped"


def mutants(file: str) -> Iterator[Change]:
    """(start, end, new, what with its line before and after the change), each text once."""
    with open(f"{HERE}/cmodel/{file}", encoding="utf-8") as text:
        source = text.read()
    seen = set()
    for start, end, new, what in changes(source):
        if (start, end, new) not in seen:
            seen.add((start, end, new))
            changed = source[:start] + new + source[end:]
            row = changed[changed.rfind("\n", 0, start) + 1:].split("\n", 1)[0]
            yield start, end, new, f"{source.count(chr(10), 0, start) + 1}: {what} | {row.strip()}"


# -- building -----------------------------------------------------------------------------------------

def folders() -> list[str]:
    return ["-Icmodel/switch", "-Icmodel/network", f"-I{HERE}/sim"]


def library_units(file: str) -> list[str]:
    """Translation units of the library in which a file is mutated."""
    return CUBE_UNITS if file in CUBES else UNITS


def source_of(unit: str) -> str:
    return f"{HERE}/{unit}" if unit.startswith("sim") else f"cmodel/{unit}"


@functools.cache
def read_by(unit: str) -> set[str]:
    """Names of the files that a translation unit reads."""
    return {os.path.basename(word) for word in call(["gcc", "-MM", *folders(), source_of(unit)], unit, cwd=HERE).split()}


@functools.cache
def units_of(file: str) -> list[str]:
    """Translation units that a change of this file touches."""
    if file.endswith(".c"):
        return [file]
    name = os.path.basename(file)
    return [u for u in library_units(file) if name in read_by(u)]


def compile_unit(root: str, compiler: Sequence[str], unit: str) -> tuple[str | None, str | None]:
    """Object file of a unit below root, and its hash; None if the compiler refuses it."""
    out = f"{root}/{unit.replace('/', '_')}.o"
    try:
        done = subprocess.run([*compiler, *OPTIONS, *folders(), "-c", source_of(unit), "-o", out],
                              capture_output=True, check=False, cwd=root)
    except FileNotFoundError:
        raise missing(compiler[0]) from None
    if done.returncode:
        return None, None
    with open(out, "rb") as data:
        return out, hashlib.sha256(data.read()).hexdigest()


def fresh_copy(root: str) -> None:
    for part in ("switch", "network"):
        os.makedirs(f"{root}/cmodel/{part}", exist_ok=True)
        call(["cp", *glob.glob(f"{HERE}/cmodel/{part}/*.[ch]"), f"{root}/cmodel/{part}/"], "copy")


def plant(root: str, file: str, change: Change | None) -> None:
    """Writes the file with one change; None: as it was."""
    with open(f"{HERE}/cmodel/{file}", encoding="utf-8") as text:
        source = text.read()
    if change:
        source = source[:change[0]] + change[2] + source[change[1]:]
    with open(f"{root}/cmodel/{file}", "w", encoding="utf-8") as out:
        out.write(source)


def same_code(root: str, compiler: Sequence[str], file: str, change: Change | None, known: dict[tuple[str, ...], str | None]) -> bool | None:
    """True if the change leaves the object code as it is, False once a unit has other code, None once one does not compile."""
    for unit in units_of(file):
        if (unit, *compiler) not in known:
            plant(root, file, None)
            known[(unit, *compiler)] = compile_unit(root, compiler, unit)[1]
    plant(root, file, change)
    same: bool | None = True
    for unit in units_of(file):
        code = compile_unit(root, compiler, unit)[1]
        same = None if code is None else code == known[(unit, *compiler)]
        if not same:
            break
    plant(root, file, None)
    return same


def link(root: str, file: str, change: Change | None, out: str) -> bool:
    """The C model with one change as a library; sanitizer and fence end it where the change runs wild.  False: it does not compile."""
    plant(root, file, change)
    objects = [compile_unit(root, TRAPS, u)[0] if u in units_of(file) or not os.path.exists(true_object(root, u))
               else true_object(root, u) for u in library_units(file)]
    plant(root, file, None)
    if None in objects:
        return False
    os.makedirs(os.path.dirname(out), exist_ok=True)
    call(["gcc", "-shared", "-Wl,-Bsymbolic,--wrap=calloc,--wrap=free", *objects, f"{root}/fence.o", "-o", f"{out}.part"],
         file)
    os.rename(f"{out}.part", out)
    return True


def true_object(root: str, unit: str) -> str:
    """What a unit without a change is compiled to."""
    return f"{root}/true_{unit.replace('/', '_')}.o"


def prepare(root: str, units: Iterable[str] = tuple(UNITS)) -> None:
    fresh_copy(root)
    for unit in units:
        if os.path.exists(true_object(root, unit)):
            continue
        out, _ = compile_unit(root, TRAPS, unit)
        if not out:
            raise Trouble(4, f"{unit}: does not compile")
        os.rename(out, true_object(root, unit))
    call(["gcc", "-O2", *OPTIONS, "-c", f"{HERE}/tb/mutate/fence.c", "-o", f"{root}/fence.o"], "fence.c")


def compile_once(o: argparse.Namespace, units: Collection[str]) -> None:
    """What take_true() takes, unchanged(), and the hashes that every file begins with; what units read, which processes to come then know."""
    keyed(once(o), o.key)
    for unit in units:
        read_by(unit)
    prepare(once(o), units)
    for unit in units:
        TRUE_HASH[(unit, *TCE[0])] = compile_unit(once(o), TCE[0], unit)[1]
    for file in (TREES[0], CUBES[0]):
        if set(library_units(file)) <= set(units):
            link(once(o), file, None, unchanged(o, file))


def take_true(o: argparse.Namespace, root: str, units: Iterable[str]) -> None:
    """As prepare(), with objects that are compiled once for all files."""
    fresh_copy(root)
    for made in [true_object(once(o), u) for u in units] + [f"{once(o)}/fence.o"]:
        shutil.copy(made, root)


# -- one batch ------------------------------------------------------------------------------------------

def build_file(o: argparse.Namespace, file: str) -> None:
    """Compiles every new mutant of a file; those with the same object code are equivalent."""
    store = Store(o.db)
    new = store.get("c", file, "new")
    if not new:
        return
    root = home(o, file)
    keyed(root, o.key)
    take_true(o, root, library_units(file))
    all_changes = dict(enumerate(chosen(file, o), 1))
    known = dict(TRUE_HASH)
    for number, _, _ in new:
        change = all_changes[number]
        out = library(o, file, number)
        if os.path.exists(out):
            continue
        same = same_code(root, TCE[0], file, change, known)
        if same:
            store.settle("c", file, number, "equivalent", "object code")
        elif same is None or not link(root, file, change, out):
            store.settle("c", file, number, "stillborn")


def whole_arbiter(o: argparse.Namespace, file: str, number: int) -> tuple[str, int] | None:
    """A mutant in all cases of the arbiter: (part, cases of it) that tells it apart, or None if none does."""
    program = f"{o.build}/mutate/arbiter_all"
    mutant = library(o, file, number)
    parts = [p for p in call([program, "--list"], program).split() if p.startswith(ARBITER[file])]
    if not parts:
        raise Trouble(4, f"{program}: no part is about {file}")
    for part in parts:
        try:
            done = subprocess.run([program, "--only", part], check=False, capture_output=True, text=True,
                                  errors="replace", timeout=600,
                                  env={**os.environ, "LD_PRELOAD": mutant})
        except subprocess.TimeoutExpired:
            return part, 0
        # Without the mutant the true model would run, and prove anything.
        if "LD_PRELOAD" in done.stderr or done.returncode in (2, 127):
            raise Trouble(4, f"{program}: {done.stderr.strip().splitlines()[0]}")
        cases = re.search(rf"^{part}, (\d+),", done.stdout, re.M)
        if done.returncode:
            return part, int(cases[1]) if cases else 0
    return None


def arbiter_file(o: argparse.Namespace, file: str) -> None:
    """What is left of a file that the arbiter's enumeration is about."""
    store = Store(o.db)
    for number, _, _ in store.get("c", file, "new"):
        found = whole_arbiter(o, file, number)
        if found:
            store.settle("c", file, number, "killed", "arbiter-core", found[1])
        elif file in COMPLETE:
            store.settle("c", file, number, "equivalent", "every case")


def prove_file(o: argparse.Namespace, file: str) -> None:
    """Other compilers may see that what is left changes nothing."""
    store = Store(o.db)
    root = home(o, file)
    fresh_copy(root)
    all_changes = dict(enumerate(chosen(file, o), 1))
    known = {}
    for number, _, _ in store.get("c", file, "new") + store.get("c", file, "survived"):
        if any(same_code(root, c, file, all_changes[number], known) for c in TCE[1:]):
            store.settle("c", file, number, "equivalent", "object code")


def once(o: argparse.Namespace) -> str:
    """Folder of what is the same for all files."""
    return f"{o.work}/c/true"


def unchanged(o: argparse.Namespace, file: str) -> str:
    """The library in which a file is mutated, without a mutant."""
    return f"{once(o)}/{'cube' if file in CUBES else 'tree'}.so"


def home(o: argparse.Namespace, file: str) -> str:
    """Folder of what is built of a file."""
    return f"{o.work}/c/{file.replace('/', '_')}"


def library(o: argparse.Namespace, file: str, number: int) -> str:
    return f"{home(o, file)}/{number}.so"


def chosen(file: str, o: argparse.Namespace) -> list[Change]:
    """All mutants of a file; for a sample a part, drawn by the seed."""
    every = list(mutants(file))
    if not o.sample:
        return every
    count = max(1, round(len(every) * min(1.0, o.sample / 2 / 1400)))
    keep = sorted(random.Random(f"{o.seed} {file}").sample(range(len(every)), count))
    return [every[k] for k in keep]


def try_case(o: argparse.Namespace, case: str, other: str, rows: Sequence[tuple[str, int]], cycles: int) -> None:
    """Runs (file, id) through a case."""
    store = Store(o.db)
    mine = dict(enumerate(rows, 1))
    libraries = [(k, library(o, *row)) for k, row in mine.items()]
    for k, end, cycle in judge(o, case, "c", other, libraries, cycles, plain=unchanged(o, rows[0][0])):
        if end != "passed":
            file, number = mine[k]
            store.settle("c", file, number, "killed", case, cycle)


def rtl_library(o: argparse.Namespace, case: str) -> str:
    shape = call([f"{o.build}/fatfly", "cosim", "--build", o.build, "--sim", f"{HERE}/sim", "--shapes",
                  "--case", case], case).strip()
    file = f"{o.build}/rtl/{shape}.so"
    if not os.path.exists(file):
        raise Trouble(4, f"{file}: no such library; build them all with: make cosim")
    return file


def files_of(o: argparse.Namespace) -> list[str]:
    return [f for f in FILES if not o.module or f == o.module]


def run(o: argparse.Namespace, store: Store, side_by_side: Callable[..., None]) -> None:
    files = [name for side, name in o.mine if side == "c"]
    os.makedirs(f"{o.work}/c", exist_ok=True)
    for file in files:
        if not store.get("c", file):
            shutil.rmtree(home(o, file), ignore_errors=True)
            store.add("c", file, [(file, c[3]) for c in chosen(file, o)])
    if any(store.get("c", f, "new") for f in files):
        compile_once(o, dict.fromkeys(u for f in files for u in library_units(f)))
    side_by_side(o, store, "C: compiling", build_file, sorted(files, key=lambda f: f[-1], reverse=True))
    for mine, first in ((TREES, FIRST), (CUBES, CUBES_FIRST)):
        for case in first[:1] if o.weak else first:
            meet(o, store, side_by_side, [f for f in files if f in mine], case, 20 if o.weak else SHORT)
    if not o.weak and not o.sample:
        side_by_side(o, store, "C: every case of the arbiter", arbiter_file,
                     [f for f in ARBITER if f in files])
    side_by_side(o, store, "C: proofs", prove_file, files)
    if not o.weak and not o.sample:
        every = call([f"{o.build}/fatfly", "cosim", "--sim", f"{HERE}/sim", "--list"], "cases").split()
        for case in every:
            for mine, cases in ((TREES, CASES), (CUBES, CUBE_CASES)):
                if case.startswith(cases):
                    meet(o, store, side_by_side, [f for f in files if f in mine], case, LONG)
    for file in files:
        for row in store.get("c", file, "new"):
            store.settle("c", file, row[0], "survived")


def meet(o: argparse.Namespace, store: Store, side_by_side: Callable[..., None], files: Iterable[str], case: str, cycles: int) -> None:
    """All that is left of the mutants runs through a case."""
    alive = [(f, row[0]) for f in files for row in store.get("c", f, "new")]
    if not alive:
        return
    other = rtl_library(o, case)
    parts = [p for p in (alive[k::o.jobs] for k in range(o.jobs)) if p]
    side_by_side(o, store, f"C: {case}", try_case, [case] * len(parts), [other] * len(parts), parts,
                 [cycles] * len(parts))
