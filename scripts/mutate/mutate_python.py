# SPDX-License-Identifier: Apache-2.0
"""mutate_python.py - mutants of the scripts: one operator, number, name or statement of a function changed.

What stays as it is: what says or types something (docstrings, annotations, what a `raise` makes), decorators, the code that
only parses options (functions called `options`), and what is run when the file is the program.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mutate_c import Change

SWAP: dict[type, tuple[str, str]] = {   # node: what stands there, what is put in its place
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "|"), ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and")}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "low": "high", "high": "low", "ceil": "floor", "floor": "ceil",
         "first": "last", "True": "False", "False": "True"}

# File: the tests of tb/scripts that run its functions, quick ones first, then steps of make test, as in judges.py.
PARTS: dict[str, tuple[str, str]] = {
    "scripts/bench/bench_view.py": ("bench", "view"),
    "scripts/bench/booksim_net.py": ("commands", ""),
    "scripts/docs/bugs_table.py": ("written", "files"),
    "scripts/docs/configurations.py": ("written", "docs"),
    "scripts/docs/draw.py": ("", "files"),
    "scripts/docs/man.py": ("written", "library"),
    "scripts/docs/section.py": ("written", "speed"),
    "scripts/docs/trace_picture.py": ("", "bindings"),
    "scripts/formal/formal.py": ("formal_run formal_key sound provers", "formal"),
    "scripts/formal/formal_gates.py": ("gates sound provers", "formal"),
    "scripts/formal/formal_sat.py": ("gates sound provers", "formal"),
    "scripts/formal/formal_tasks.py": ("merges formal_run", "formal"),
    "scripts/formal/merge_formal.py": ("merges", "formal"),
    "scripts/lib/aig.py": ("gates senders sound provers", "mutate"),
    "scripts/lib/lists.py": ("lists statements", "setup"),
    "scripts/lib/markdown.py": ("covered scores merges statements numbers markdown chapters", "docs"),
    "scripts/lib/programs.py": ("programs sound soak provers", "formal"),
    "scripts/lib/progress.py": ("progress", "cli"),
    "scripts/lib/sources.py": ("caches sources", "mutate"),
    "scripts/lib/tasks.py": ("merges", "formal"),
    "scripts/mutate/judges.py": ("mutants caches scores", "mutate"),
    "scripts/mutate/mutate.py": ("mutate_run caches scores", "mutate"),
    "scripts/mutate/mutate_c.py": ("mutate_c scores mutants", "mutate"),
    "scripts/mutate/mutate_equal.py": ("reach senders sound provers", "mutate"),
    "scripts/mutate/mutate_python.py": ("mutants", "mutate"),
    "scripts/mutate/mutate_reach.py": ("reach senders sound provers", "mutate"),
    "scripts/mutate/mutate_tasks.py": ("merges", "mutate"),
    "scripts/mutate/mutate_tools.py": ("mutate_run caches scores merges provers", "mutate"),
    "scripts/paper/coverage_ci.py": ("caches numbers stand_ins", "paper"),
    "scripts/paper/judge_bc.py": ("judges statements intervals numbers verdicts_go said", "paper"),
    "scripts/paper/judge_bc_classes.py": ("judges terms verdicts_go said", "paper"),
    "scripts/paper/judge_bc_links.py": ("intervals numbers said", "paper"),
    "scripts/paper/judge_cmsv.py": ("judges terms statements intervals numbers verdicts_cmsv said", "paper"),
    "scripts/paper/judge_cmsv_bounds.py": ("judges terms statements intervals verdicts_cmsv said", "paper"),
    "scripts/paper/judge_cmsv_ranks.py": ("judges terms verdicts_cmsv said", "paper"),
    "scripts/paper/judge_gg.py": ("statements intervals verdicts_go said", "paper"),
    "scripts/paper/judge_gg_general.py": ("judges terms intervals verdicts_go said", "paper"),
    "scripts/paper/judge_go.py": ("judges terms statements intervals verdicts_go said", "paper"),
    "scripts/paper/judge_go_delays.py": ("judges terms intervals verdicts_go said", "paper"),
    "scripts/paper/judge_go_fat_trees.py": ("readings statements intervals verdicts_go said", "paper"),
    "scripts/paper/judge_leighton.py": ("statements intervals verdicts_cmsv said", "paper"),
    "scripts/paper/judge_leighton_problems.py": ("judges terms intervals verdicts_cmsv said", "paper"),
    "scripts/paper/judge_readings.py": ("judges readings statements intervals", "paper"),
    "scripts/paper/judging.py": ("judges terms readings statements intervals numbers verdicts_go verdicts_cmsv said", "paper"),
    "scripts/paper/paper.py": ("numbers chapters stand_ins", "paper"),
    "scripts/paper/paper_bc.py": ("numbers chapters pages", "paper"),
    "scripts/paper/paper_beyond.py": ("numbers chapters pages", "paper"),
    "scripts/paper/paper_cmsv.py": ("terms intervals numbers chapters pages stand_ins verdicts_cmsv", "paper"),
    "scripts/paper/paper_gg.py": ("numbers chapters pages stand_ins", "paper"),
    "scripts/paper/paper_go.py": ("numbers chapters pages", "paper"),
    "scripts/paper/paper_leighton.py": ("intervals numbers chapters pages", "paper"),
    "scripts/paper/paper_page.py": ("numbers chapters pages stand_ins", "paper"),
    "scripts/paper/paper_tools.py": ("judges terms readings statements intervals numbers chapters stand_ins pages verdicts_go verdicts_cmsv said", "paper"),
    "scripts/paper/readings_gg.py": ("numbers chapters stand_ins", "paper"),
    "scripts/paper/statements.py": ("statements", "paper"),
    "scripts/rtl/rtl_prefix.py": ("prefix", "packaging"),
    "scripts/sim/drawn.py": ("drawn soak", "digest"),
    "scripts/sim/leveled.py": ("graphs", "run"),
    "scripts/sim/matrix.py": ("matrix", "files"),
    "scripts/sim/merge_cosim.py": ("cosim_merges", "cli"),
    "scripts/sim/random_graph.py": ("graphs", ""),
    "scripts/sim/soak.py": ("turns soak", "soak"),
    "scripts/sim/trials.py": ("trials soak", "soak"),
    "scripts/synth/bitstream.py": ("bitstreams", "board"),
    "scripts/synth/synth.py": ("points caches numbers", "synth board"),
    "scripts/synth/synth_configs.py": ("configs caches", "synth"),
    "scripts/synth/synth_page.py": ("fpga_pages numbers", "synth"),
    "scripts/synth/synth_tools.py": ("harness paths cells", "synth"),
    "scripts/synth/tried.py": ("ways caches", "synth"),
    "scripts/test/coverage.py": ("covered", "coverage"),
    "scripts/test/layers.py": ("layers", "lint"),
    "scripts/view/page.py": ("", "view"),
}


def command(tests: str, limit: int = 300) -> str:
    """What runs these tests until one fails, in a copy of the repository; so many seconds at most."""
    folders = ":".join(f"scripts{part}" for part in ("", "/paper", "/synth", "/formal", "/mutate", "/docs")) + ":tb/spec:tb/events:tb/rtl:tb/perfetto:tb/scripts"
    return (f"PYTHONPATH={folders} PYTHONDONTWRITEBYTECODE=1 timeout -s KILL {limit} pytest-3 -q -x -p no:cacheprovider " +
            " ".join(f"tb/scripts/test_{name}.py" for name in tests.split()))


class Text:
    """Where nodes stand in a source, in characters."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.rows = source.splitlines(keepends=True)
        self.starts = [0]
        for row in self.rows:
            self.starts.append(self.starts[-1] + len(row))

    def at(self, row: int, column: int) -> int:
        """The character at a column, which Python counts in bytes."""
        return self.starts[row - 1] + len(self.rows[row - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno or 0, node.end_col_offset or 0)

    def operator(self, left: ast.expr, right: ast.expr, word: str) -> tuple[int, int]:
        """An operator between two operands, around which there may be brackets and comments."""
        start, end = self.span(left)[1], self.span(right)[0]
        between = re.sub(r"#.*", lambda m: " " * len(m.group()), self.source[start:end])
        found = re.search(r"\s+".join(map(re.escape, word.split())), between)
        assert found, (word, between)
        return start + found.start(), start + found.end()


def kept(node: ast.AST) -> bool:
    """Nothing in this node is changed."""
    return isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Pass | ast.Assert) or \
        isinstance(node, ast.FunctionDef) and node.name == "options"


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function that are changed: not its head, its types or what is kept."""
    parts: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.FunctionDef):
        parts = [*node.body]
    elif isinstance(node, ast.AnnAssign):
        parts = [node.value] if node.value else []
    for part in parts:
        if not kept(part):
            yield part
            yield from inside(part)


def functions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Those of a module and of its classes, and no others: what is inside a function is changed with it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and not kept(node):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{name}", function) for name, function in functions(node))


def of_node(text: Text, node: ast.AST) -> Iterator[tuple[tuple[int, int], str]]:
    """(where, new text) of each change of one node."""
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            yield text.span(node), NAMES[str(value)]
        elif isinstance(value, int):
            yield text.span(node), str(value + 1)
            yield text.span(node), str(value - 1) if value else "2"
        elif isinstance(value, float):
            yield text.span(node), repr(value * 2 if value else 1.0)
            yield text.span(node), repr(value / 2 if value else -1.0)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        old, new = SWAP.get(type(node.op), ("", ""))
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        assert isinstance(left, ast.expr)
        if old:
            yield text.operator(left, right, old), new
    elif isinstance(node, ast.BoolOp):
        old, new = SWAP[type(node.op)]
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield text.operator(left, right, old), new
    elif isinstance(node, ast.Compare):
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            old, new = SWAP[type(op)]
            yield text.operator(left, right, old), new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield (text.span(node)[0], text.span(node.operand)[0]), ""
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield text.span(node), NAMES[node.id]
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        end = text.span(node)[1]
        yield (end - len(node.attr), end), NAMES[node.attr]
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        for new in ("True", "False"):
            if not isinstance(node, ast.While) or new == "False":
                yield text.span(node.test), new
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield text.span(test), "True"
    elif isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
        if not isinstance(node.value, ast.Yield | ast.YieldFrom):
            yield text.span(node), "pass"
    elif isinstance(node, ast.Continue | ast.Break):
        yield text.span(node), "break" if isinstance(node, ast.Continue) else "continue"


def swapped(text: Text, node: ast.AST) -> Iterator[tuple[tuple[int, int], str]]:
    """Two neighbouring arguments of a call change places."""
    if isinstance(node, ast.Call):
        for one, other in zip(node.args, node.args[1:], strict=False):
            (a, b), (c, d) = text.span(one), text.span(other)
            yield (a, d), text.source[c:d] + text.source[b:c] + text.source[a:b]


def changes(source: str) -> Iterator[Change]:
    """(start, end, new text, what) of every mutant of a file."""
    text = Text(source)
    for name, function in functions(ast.parse(source)):
        for node in inside(function):
            for (start, end), new in (*of_node(text, node), *swapped(text, node)):
                old = " ".join(source[start:end].split())
                if old != " ".join(new.split()):
                    yield start, end, new, f"{name}: {old} to {new or 'nothing'}"


def code(source: str) -> str | None:
    """What Python runs, without the places; None if it cannot be run."""
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None
