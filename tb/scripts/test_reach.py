# SPDX-License-Identifier: Apache-2.0
"""test_reach.py - mutate_equal.py and mutate_reach.py around their proofs: which netlists are read and which switches and routers are asked for,
what ABC and CaDiCaL are told to do, and what their answers together prove."""
from __future__ import annotations

import itertools
import pathlib
from typing import Any

import pytest

import formal_sat
import mutate_equal
import mutate_reach
from mutate_tools import Trouble

MUTANT = [f"i{k + 2} mutant[{k}]" for k in range(16)]
NAMES = ["i0 rst_i", "i1 in_i[3]", *MUTANT, "l0 q", "o0 out_valid_o", "o1 out_flit_o[2]", "c", "made by a tool", "i9"]


def netlist(file: pathlib.Path, names: list[str], gates: str = "44 38 7\n42 2 4") -> pathlib.Path:
    file.write_text("\n".join(["aag 22 18 1 2 2", *(str(2 * k) for k in range(1, 19)), "38 43", "44", "42", gates, *names, ""]))
    return file


def test_a_netlist(tmp_path: pathlib.Path) -> None:
    """Gates in order; a name without a number is that of bit 0."""
    made = mutate_equal.Netlist(str(netlist(tmp_path / "a.aag", NAMES)))
    assert made.inputs == [2 * k for k in range(1, 19)] and made.registers == [(38, 43)] and made.outputs == [44, 42] and made.gates == [(42, 2, 4), (44, 38, 7)]
    assert made.name == {"rst_i[0]": 2, "in_i[3]": 4, **{f"mutant[{k}]": 6 + 2 * k for k in range(16)}, "out_valid_o[0]": 0, "out_flit_o[2]": 1}
    assert made.select == {6 + 2 * k: k for k in range(16)}


@pytest.mark.parametrize("gone, good", [(0, True), (1, True), (2, False), (17, False), (18, True), (19, False), (20, False), (21, False), (range(2, 18), True)])
def test_names_that_are_missing(gone: int | range, good: bool, tmp_path: pathlib.Path) -> None:
    """An input may be free, and a module without mutants has none of their names; each output has one, and the last line is there."""
    kept = [name for k, name in enumerate(NAMES) if k not in (gone if isinstance(gone, range) else (gone,))]
    file = netlist(tmp_path / "a.aag", kept)
    if good:
        assert len(mutate_equal.Netlist(str(file)).select) == (0 if isinstance(gone, range) else 16)
    else:
        with pytest.raises(Trouble, match="names of ports are missing"):
            mutate_equal.Netlist(str(file))


def test_what_yosys_writes(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    def call(words: list[str], what: str) -> None:
        asked.append(words)
        assert what == str(tmp_path)
        (tmp_path / (words[-1].split("/")[-1])).write_text("aag")
    monkeypatch.setattr(mutate_equal, "call", call)
    for module, out in ((None, "netlist.aag"), ("\\one", "level1.aag")):
        mutate_equal.write_graph(str(tmp_path), "top", module, out)
        assert asked[-1] == ["yosys", "-q", "-p", f"read_verilog {tmp_path}/top.v; hierarchy -top {module or 'top'}; proc; memory_collect; memory_map; setundef -zero; opt_expr; "
                             f"simplemap; techmap; dffunmap; simplemap; opt_clean -purge; flatten; aigmap; write_aiger -ascii -symbols {tmp_path}/{out}.part"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["level1.aag", "netlist.aag"]


def test_mutants_that_are_proven(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By structure without a question, else by the solver; the netlist is written if it is not there."""
    wrote: list[Any] = []
    def write(folder: str, top: str) -> None:
        wrote.append((folder, top))
        netlist(tmp_path / "netlist.aag", NAMES)
    monkeypatch.setattr(mutate_equal, "write_graph", write)
    answers = [False, True]
    monkeypatch.setattr(mutate_equal, "solve", lambda file, count, rows: file == f"{tmp_path}/query.cnf" and answers.pop(0))
    assert mutate_equal.equivalent(str(tmp_path), "top", [1, 2, 3, 4]) == {2: "structure", 3: "sat", 4: "structure"} and not answers
    assert mutate_equal.equivalent(str(tmp_path), "top", []) == {} and wrote == [(str(tmp_path), "top")]
    netlist(tmp_path / "netlist.aag", [n for n in NAMES if n not in MUTANT])
    with pytest.raises(Trouble, match="no mutants in it"):
        mutate_equal.equivalent(str(tmp_path), "top", [1])


@pytest.mark.parametrize("names, registers", [([0, 1], {0, 1, 2}), ([1], {1, 2}), ([2], {2}), ([], set())])
def test_where_a_difference_counts(names: list[int], registers: set[int], tmp_path: pathlib.Path) -> None:
    """In registers that reach an output, in any number of cycles, and in outputs.  Register k reads the next one and the mutant's bit."""
    rows = ["aag 27 18 3 2 6", *(str(2 * k) for k in range(1, 19)), "38 45", "40 49", "42 53", str(38 + 2 * names[0]) if names else "2", "4"]
    for k, (source, out) in enumerate(((40, 44), (42, 48), (4, 52))):      # q[k] after: source or mutant[0]
        rows += [f"{out} {source ^ 1} 7", f"{out + 2} 2 {38 + 2 * k}"]
    (tmp_path / "a.aag").write_text("\n".join([*rows, *NAMES[:18], "o0 a", "o1 b", "c", ""]))
    graph = mutate_equal.Graph(mutate_equal.Netlist(str(tmp_path / "a.aag")))
    assert graph.places(graph.roots(0)) == graph.places(graph.roots(2)) == [] and set(graph.places(graph.roots(1))) == registers
    assert set(graph.places(graph.roots(3))) == registers and graph.differences(graph.roots(1)) == [(graph.gold[k], graph.roots(1)[k]) for k in sorted(registers)]


def test_which_mutant_is_which(tmp_path: pathlib.Path) -> None:
    """A number selects by its bits, 0 none: of 16 outputs mutant 1 << k changes output k alone."""
    rows = ["aag 34 18 0 16 16", *(str(2 * k) for k in range(1, 19)), *(str(38 + 2 * k) for k in range(16)), *(f"{38 + 2 * k} 4 {7 + 2 * k}" for k in range(16))]
    (tmp_path / "a.aag").write_text("\n".join([*rows, *NAMES[:18], *(f"o{k} out[{k}]" for k in range(16)), "c", ""]))
    graph = mutate_equal.Graph(mutate_equal.Netlist(str(tmp_path / "a.aag")))
    assert graph.gold == [graph.leaf[2]] * 16 and [graph.places(graph.roots(1 << k)) for k in range(16)] == [[k] for k in range(16)]
    assert graph.places(graph.roots(0)) == [] and graph.places(graph.roots(0x8101)) == [0, 8, 15]


# -- questions and answers ----------------------------------------------------------------------------

class Device:
    """In place of a device: of each question, whether it is one at all; the order of the questions."""

    def __init__(self, *questions: bool) -> None:
        self.questions, self.asked = list(questions), list[Any]()

    def write(self, file: str, number: int, reset: bool) -> bool:
        self.asked.append((file, number, reset))
        return self.questions[0 if reset else 1]

    def write_apart(self, file: str, number: int) -> bool:
        self.asked.append((file, number, "apart"))
        return self.questions[2]


@pytest.mark.parametrize("questions", itertools.product((False, True), repeat=3))
def test_what_three_questions_prove(questions: tuple[bool, bool, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first alone, or both others; what is no question is proven."""
    for proven in itertools.product((False, True), repeat=3):
        device = Device(*questions)
        kinds = {True: 0, False: 1, "apart": 2}
        monkeypatch.setattr(mutate_reach, "never", lambda file, device=device, proven=proven: proven[kinds[device.asked[-1][2]]])
        first, second, third = (p or not q for p, q in zip(proven, questions, strict=True))
        assert mutate_reach.unseen(device, "file", 7) == (first or second and third), proven    # type: ignore[arg-type]
        assert device.asked == [("file", 7, True), ("file", 7, False), ("file", 7, "apart")][:1 if first else 3 if second else 2]


PDR, FEW = "scorr; dc2; pdr -T ", f"scorr; dc2; &get; &gla -F {mutate_reach.CYCLES} -T 60; &gla_derive; &put; dc2; scorr; pdr -T 60"


@pytest.mark.parametrize("answers, want", [
    (["Property proved"], True), (["was asserted in frame"], False), (["timeout", "Property proved"], True),
    (["timeout", "was asserted in frame", "was asserted in frame"], False),
    (["timeout", "", "Property proved"], True), (["timeout", "timeout", "timeout"], False), (["timeout", "timeout", "resource limit"], False)])
def test_how_often_abc_is_asked(answers: list[str], want: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str, str]] = []
    def abc(file: str, commands: str, ends: str) -> str:
        asked.append((file, commands, ends))
        return answers[len(asked) - 1]
    monkeypatch.setattr(mutate_reach, "abc", abc)
    assert mutate_reach.never("file") == want
    assert asked == [("file", f"{PDR}30", mutate_reach.ENDS), ("file", FEW, ""), ("file", f"{PDR}{mutate_reach.SECONDS}", mutate_reach.ENDS)][:len(answers)]


def test_abc(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of the file; an end that is none of those expected is no answer, nor is one with another exit code."""
    program = tmp_path / "abc"
    monkeypatch.setattr(mutate_reach, "ABC", str(program))
    program.write_text("#!/bin/sh\npwd; echo \"$*\"; echo proved; exit $(cat code)\n")
    program.chmod(0o755)
    (tmp_path / "f").mkdir()
    for code, ends, good in ((0, "pro+ved", True), (1, "proved", False), (0, "other", False), (0, "", True)):
        (tmp_path / "f/code").write_text(str(code))
        if good:
            assert mutate_reach.abc(f"{tmp_path}/f/a.aig", "pdr", ends).splitlines() == [f"{tmp_path}/f", "-c read_aiger a.aig; strash; pdr", "proved"]
        else:
            with pytest.raises(Trouble, match=f"ended with code {code}"):
                mutate_reach.abc(f"{tmp_path}/f/a.aig", "pdr", ends)
    program.unlink()
    with pytest.raises(Trouble, match="not on this machine"):
        mutate_reach.abc(f"{tmp_path}/f/a.aig", "pdr", "")


def test_numbers_in_a_file() -> None:
    for number in (0, 1, 126, 127, 128, 129, 255, 256, 16383, 16384, 2097151, 2097152, 123456789):
        assert formal_sat.File(mutate_reach.packed(number) + b"x").number() == number and len(mutate_reach.packed(number)) == max(1, -(-number.bit_length() // 7))


def test_a_question_as_a_file(tmp_path: pathlib.Path) -> None:
    """No more than it needs; inputs, then registers, then gates, each after what it joins."""
    device = mutate_reach.Device(str(netlist(tmp_path / "a.aag", NAMES)), 1, 1, ())
    a, b = device.new(), device.new()
    device.after[b] = device.both(a, b ^ 1) ^ 1
    seen = device.both(b, a ^ 1)
    assert device.save(str(tmp_path / "q"), seen ^ 1)
    head, rest = (tmp_path / "q").read_bytes().split(b"\n", 1)
    assert head == b"aig 4 1 1 1 2"
    words = formal_sat.File(b"aig 4 1 1 1 2 0 0 0 0\n" + rest).model()
    assert (words.inputs, words.gates) == (1, [(4, 3), (5, 2)] if words.after == [9] else [(5, 2), (4, 3)]) and words.after in ([7], [9])
    assert rest.split(b"\n")[1] == (b"9" if words.after == [7] else b"7")
    assert not device.save(str(tmp_path / "q"), 0) and (tmp_path / "q").read_bytes() == b"aig 0 0 0 1 0\n0\n"


def first_high(file: pathlib.Path) -> int | None:
    """The cycle in which the output of such a file can first be high; None: in no state that is reached."""
    head, rest = file.read_bytes().split(b"\n", 1)
    model = formal_sat.File(head + b" 0 0 0 0\n" + rest).model()
    output = int(rest.split(b"\n")[len(model.after)])
    states, seen, cycle = {(0,) * len(model.after)}, set[tuple[int, ...]](), 0
    while states - seen:
        seen |= states
        after: set[tuple[int, ...]] = set()
        for state, given in itertools.product(states, itertools.product((0, 1), repeat=model.inputs)):
            value = [0, *given, *state]
            for a, b in model.gates:
                value.append((value[a >> 1] ^ a & 1) & (value[b >> 1] ^ b & 1))
            if value[output >> 1] ^ output & 1:
                return cycle
            after.add(tuple(value[x >> 1] ^ x & 1 for x in model.after))
        states, cycle = after, cycle + 1
    return None


@pytest.mark.parametrize("registers, gates, out, resets, later, apart", [
    (0, [(40, 4, 7)], 40, 2, 2, 2), (1, [(40, 4, 7)], 38, 1, 2, 2),    # in & ~mutant, at once and in a register
    (1, [(40, 38, 2), (42, 40, 7)], 38, 1, 2, 2), (1, [(40, 38, 3), (42, 40, 7)], 38, None, None, None),   # kept in a reset, and lost in it
    (1, [(40, 2, 7)], 38, 1, 2, 2)])
def test_from_which_cycle_a_difference_counts(registers: int, gates: list[tuple[int, int, int]], out: int, resets: int | None, later: int | None, apart: int | None,
                                              tmp_path: pathlib.Path) -> None:
    """Cycle 0 loads the registers, cycle 1 is a reset: what it leaves in registers counts if that is asked, no output does before cycle 2."""
    rows = [f"aag 22 18 {registers} 1 {len(gates)}", *(str(2 * k) for k in range(1, 19)), *[f"38 {gates[-1][0]}"] * registers, str(out), *(" ".join(map(str, g)) for g in gates)]
    (tmp_path / "a.aag").write_text("\n".join([*rows, *NAMES[:18], "o0 out_valid_o", "c", ""]))
    device = mutate_reach.Device(str(tmp_path / "a.aag"), 1, 1, ())
    for reset, want in ((True, resets), (False, later)):
        device.write(str(tmp_path / "q"), 1, reset)
        assert first_high(tmp_path / "q") == want, reset
        device.write(str(tmp_path / "q"), 2, reset)
        assert first_high(tmp_path / "q") is None
    device.write_apart(str(tmp_path / "q"), 1)
    assert first_high(tmp_path / "q") == apart


# -- which switches and routers -----------------------------------------------------------------------

BASE = """module \\cube
module \\$paramod\\fifo\\LEVEL=7
  parameter \\LEVEL 9
end
module $paramod\\switch\\A=1
  parameter \\LEVEL 4
end
module \\$paramod$12\\switch
  parameter \\LEVEL 1
  parameter \\LEVELS 5
end
module \\$paramod$34\\switch
  parameter \\LEVEL 2
end
module \\cubes
"""


def test_switches_of_a_shape(tmp_path: pathlib.Path) -> None:
    (tmp_path / "base.il").write_text(BASE)
    assert mutate_reach.switches(str(tmp_path), "s2of3-v1-q2-w32-rp-rr") == ([(None, 2)], 3)
    assert mutate_reach.switches(str(tmp_path), "n16-v1-q2-w32-rp-rr") == ([("$paramod$12\\switch", 1), ("$paramod$34\\switch", 2)], 2)
    assert mutate_reach.router_of(str(tmp_path)) == "cube"
    for text, name in (("module $paramod\\cube\\K=4\n", "$paramod\\cube\\K=4"), ("module \\cubes\n", ""), ("module \\cube\nmodule $paramod\\cube\\K=4\n", "")):
        (tmp_path / "base.il").write_text(text)
        if name:
            assert mutate_reach.router_of(str(tmp_path)) == name
        else:
            with pytest.raises(Trouble, match="modules of cube.v; there should be one"):
                mutate_reach.router_of(str(tmp_path))


class Asked:
    """In place of switches and routers: which were made, and of which this or that is asked; those in `differ` have mutant 7, those in `seen` show it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, differ: tuple[int, ...], seen: tuple[int, ...] = ()) -> None:
        self.made, self.unseen, self.graphs, asked = list[tuple[Any, ...]](), list[tuple[Any, ...]](), list[tuple[Any, ...]](), self

        class Made:
            def __init__(self, file: str, *words: Any) -> None:
                self.who = words[2] if len(words) == 4 else words[5]        # the level of a switch, the node of a router
                asked.made.append((pathlib.Path(file).name, *words))

            def roots(self, number: int) -> list[int]:
                return [number]

            def differences(self, mutant: list[int]) -> bool:
                return mutant == [7] and self.who in differ

            def write_apart(self, file: str, number: int) -> bool:
                pathlib.Path(file).write_text(str(self.who))
                return number == 7 and self.who in differ

        def unseen(device: Made, file: str, number: int) -> bool:
            self.unseen.append((device.who, pathlib.Path(file).name, number))
            return device.who not in seen

        def graph(folder: str, top: str, module: str | None = None, out: str = "netlist.aag") -> None:
            self.graphs.append((top, module, out))
            pathlib.Path(folder, out).touch()

        for name, value in (("Switch", Made), ("Router", Made), ("unseen", unseen), ("write_graph", graph)):
            monkeypatch.setattr(mutate_reach, name, value)


LEVELS = [("network", "\\$paramod$12\\switch", "level1.aag"), ("network", "\\$paramod$34\\switch", "level2.aag")]


@pytest.mark.parametrize("differ, seen, want", [((), (), False), ((2,), (), True), ((1, 2), (), True), ((1, 2), (2,), False), ((1, 2), (1,), False)])
def test_mutants_of_a_network(differ: tuple[int, ...], seen: tuple[int, ...], want: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each kind of switch that has it, and at least in one; what is written once is not written again."""
    (tmp_path / "base.il").write_text(BASE)
    asked, levels = Asked(monkeypatch, differ, seen), [1] if seen == (1,) else [1, 2]
    for _ in range(2):
        assert mutate_reach.equivalent(str(tmp_path), "network", "n16-v3-q2-w17-rp-rr", 7) == want
    assert asked.graphs == LEVELS[:len(levels)] and asked.made == [(f"level{n}.aag", 3, 17, n, 2) for n in levels] * 2
    assert asked.unseen == [(n, "reach.aig", 7) for n in levels if n in differ] * 2


@pytest.mark.parametrize("shape, made, module", [
    ("s2of3-v3-q2-w17-rp-rr", [("netlist.aag", 3, 17, 2, 3)], None), ("torus4n6-v3-q2-w32-nhop-rot", [("netlist.aag", 3, 32, 4, True, True, 6, False)], None),
    ("mesh5n2-v1-q2-w32-ecube-rot", [("netlist.aag", 1, 32, 5, False, False, 2, False)], None),
    ("torus2-v3-q2-w32-nhop-rr", [("router.aag", 3, 32, 2, True, True, node, True) for node in range(4)], "\\cube")])
def test_mutants_of_other_shapes(shape: str, made: list[tuple[Any, ...]], module: str | None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch or router alone, and each router of a cube."""
    (tmp_path / "base.il").write_text(BASE)
    for differ, seen, want in (((2, 3, 6), (), True), ((9,), (), False), ((2, 3, 6), (2, 6), False)):
        asked = Asked(monkeypatch, differ, seen)
        for file in tmp_path.glob("*.aag"):
            file.unlink()
        for _ in range(2):
            assert mutate_reach.equivalent(str(tmp_path), "top", shape, 7) == want
        mine = made[:3] if seen else made
        assert asked.made == mine * 2 and asked.graphs == [("top", module, made[0][0])]
        whos = [row[3] if len(row) == 5 else row[6] for row in mine]
        assert asked.unseen == [(who, "reach.aig", 7) for who in whos if who in differ] * 2


@pytest.mark.parametrize("said, want", [(["was asserted in frame 12 x"], 12), (["No output asserted", "was asserted in frame 3 x"], 3), (["No output asserted"] * 2, None)])
def test_what_tells_a_mutant(said: list[str], want: int | None, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first kind of switch in which one is found; where there is no question ABC is not asked."""
    (tmp_path / "base.il").write_text(BASE)
    asked, calls = Asked(monkeypatch, (1, 2)), list[tuple[str, ...]]()
    def abc(file: str, commands: str, ends: str) -> str:
        calls.append((pathlib.Path(file).name, pathlib.Path(file).read_text(), commands, ends))
        return said[len(calls) - 1]
    monkeypatch.setattr(mutate_reach, "abc", abc)
    assert mutate_reach.told(str(tmp_path), "network", "n16-v3-q2-w17-rp-rr", 7) == want
    assert calls == [("told.aig", str(n), f"bmc3 -F {mutate_reach.FRAMES} -T {mutate_reach.SECONDS}", "was asserted in frame|No output asserted") for n in (1, 2)][:len(said)]
    assert asked.graphs == LEVELS[:len(said)] and asked.made == [(f"level{n}.aag", 3, 17, n, 2) for n in (1, 2)][:len(said)]
    Asked(monkeypatch, (2,))
    calls.clear()
    said[:] = ["was asserted in frame 4"]
    assert mutate_reach.told(str(tmp_path), "network", "n16-v3-q2-w17-rp-rr", 7) == 4 and [row[1] for row in calls] == ["2"]
    Asked(monkeypatch, (2,))
    assert mutate_reach.told(str(tmp_path), "switch", "s2of3-v1-q2-w32-rp-rr", 8) is None and len(calls) == 1 and (tmp_path / "netlist.aag").exists()


@pytest.mark.parametrize("k, torus", [(2, True), (4, True), (5, False), (3, False)])
@pytest.mark.parametrize("network", [False, True])
def test_the_place_of_a_router(k: int, torus: bool, network: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a network it is told where it is, and over the edge of a mesh nothing comes; by itself it has its place, and that comes as it likes."""
    given: list[Any] = []
    monkeypatch.setattr(mutate_reach.Device, "__init__", lambda self, file, vcs, flit_w, ports, fixed: given.append((file, vcs, flit_w, [*ports], dict(fixed))))
    bits = (k - 1).bit_length()
    for node in range(k * k):
        router = mutate_reach.Router("file", 3, 24, k, torus, False, node, network)
        x, y = node % k, node // k
        over = [port for port, edge in enumerate((x == k - 1, x == 0, y == k - 1, y == 0)) if edge and not torus]
        ports = [p for p in range(5) if p not in over]
        fixed = {f"node_i[{b}]": (x + (y << bits)) >> b & 1 for b in range(2 * bits)} if network else {}
        fixed |= {f"in_valid_i[{3 * p + v}]": 0 for p in range(4) if p not in ports for v in range(3)} if network else {}
        assert router.here == (x, y) and given[-1] == ("file", 3, 24, ports, fixed), node
