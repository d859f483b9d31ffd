# SPDX-License-Identifier: Apache-2.0
"""The matrix of the co-simulation: holes, idle rows and rows that a list misses are seen, and a search mends them."""
import collections
import itertools
import pathlib
import random
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts" / "sim"), str(ROOT / "tb" / "spec")]
import matrix  # noqa: E402  (the path above)


def rows() -> list[str]:
    return [line for line in (ROOT / "sim" / "matrix.txt").read_text().splitlines() if not line.startswith("#")]


def test_each_row_is_needed() -> None:
    """Without a row, what it alone meets is missing, or a list that names it says so."""
    lines, names = rows(), matrix.named(ROOT)
    assert not matrix.faults(lines, names)
    for line in lines:
        found = matrix.faults([other for other in lines if other != line], names)
        assert found and (line not in names or f"lacks {line}, which {names[line]} names" in found)


def test_idle_rows() -> None:
    lines, names = rows(), matrix.named(ROOT)
    assert matrix.faults([*lines, "s1of3-v1-q2-w64-rp-fo"], names) == ["has s1of3-v1-q2-w64-rp-fo, which nothing needs"]
    assert "has a row twice" in matrix.faults([*lines, lines[0]], names)


def test_named(tmp_path: pathlib.Path) -> None:
    """A shape of a list, and a case of a page or of planted bugs."""
    for name in matrix.LISTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("s1of3-v1-q2-w32-rp-rr-ref\n" if name == matrix.LISTS[0] else "")
    (tmp_path / "README.md").write_text("make cosim CASE=switch-s2of3-v1-q2-w32-rp-fo; s2of3-v1-q2-w32-rp-ff is no case\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("switch-s1of2-v1-q2-w32-rp-ff\n")
    (tmp_path / "docs/z.md").write_text("fatfly cosim --case switch-s1of2-v1-q2-w32-rp-rot\n")
    (tmp_path / "tb/bugs/bugs.txt").write_text("a | rtl | switch-s3of3-v1-q1-w32-rg-fo-bare | mismatch\n")
    assert matrix.named(tmp_path) == {"s1of3-v1-q2-w32-rp-rr-ref": matrix.LISTS[0], "s2of3-v1-q2-w32-rp-fo": "README.md",
                                      "s1of2-v1-q2-w32-rp-ff": "docs/a.md", "s1of2-v1-q2-w32-rp-rot": "docs/z.md",
                                      "s3of3-v1-q1-w32-rg-fo": "tb/bugs/bugs.txt"}


def test_what_is_wanted() -> None:
    """Every tuple of rows drawn by chance is wanted, and no other: those of each row, and all of some row."""
    every = {name: tuple(values) for name, values in matrix.VALUES.items()}
    rng, met = random.Random(1), set()
    for _ in range(60000):
        row = {name: rng.choice(values) for name, values in every.items()}
        if matrix.possible(row):
            met |= matrix.tuples(row)
    assert met <= set(matrix.wanted()) and len(met) > 0.97 * len(matrix.wanted())


def test_search() -> None:
    """What a search adds to rows with holes has none, keeps what it must, and stays where it was."""
    lines = rows()
    kept = [matrix.row_of(line) for line in lines[:20]]
    found = [matrix.shape_of(row) for row in matrix.search(kept, [matrix.row_of(line) for line in lines[30:]], 0, random.Random(1))]
    assert not matrix.faults(found, dict.fromkeys(lines[:20], "a list")) and found[:20] == lines[:20]
    met = [set(matrix.tuples(matrix.row_of(shape))) for shape in found]
    times = collections.Counter(itertools.chain(*met))
    assert all(any(times[each] == 1 for each in some) for some in met[20:])  # each row meets what no other does
    moved = matrix.placed(found, lines)
    assert sorted(moved) == sorted(found)
    assert all(moved[k] == line for k, line in enumerate(lines[:len(moved)]) if line in found)


def test_wrong_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--search"], ["--search", "x"], ["--search", "\u00b2"], ["--search", "-1"], ["--check", "1"]):
        assert matrix.main(words) == 2
        assert capsys.readouterr().err == "usage: matrix.py --check | --search SECONDS\n"


def test_what_a_climb_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value that meets more is taken, until none does; a draw is a switch; only what meets something is added, the best of so many climbs."""
    for k in range(8):
        rng = random.Random(k)
        row, missing = matrix.drawn(rng), rng.getrandbits(len(matrix.wanted()))
        assert matrix.possible(row)
        top = matrix.climb(row, missing, rng)
        best = (matrix.bits(top) & missing).bit_count()
        assert best >= (matrix.bits(row) & missing).bit_count()
        assert all((matrix.bits({**top, name: value}) & missing).bit_count() <= best for name, values in matrix.VALUES.items() for value in values)
    line = matrix.row_of(rows()[0])
    wanted = dict(list(matrix.wanted().items())[:60])
    monkeypatch.setattr(matrix, "wanted", lambda: wanted)
    made = [matrix.row_of(shape) for shape in rows()[:40]]
    monkeypatch.setattr(matrix, "bits", lambda row: 1 << made.index(row) if row in made else 0)
    climbs = iter([line, made[3], made[3], *made])
    monkeypatch.setattr(matrix, "drawn", lambda rng: {})
    monkeypatch.setattr(matrix, "climb", lambda row, missing, rng: next(climbs))
    wanted = dict(list(wanted.items())[:4])
    assert matrix.complete([made[0], made[2]], random.Random(1), 1) == [made[0], made[2], made[3], made[1]]


def test_rows_that_stay_in_their_lines() -> None:
    assert matrix.placed(["e", "b", "f", "a"], ["a", "b", "c", "d", "e"]) == ["a", "b", "e", "f"] and matrix.placed([], ["a"]) == []
    assert matrix.placed(["c", "x", "y"], ["a", "b", "c"]) == ["x", "y", "c"] and matrix.placed(["x"], []) == ["x"]


def test_the_command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A check says each fault and writes nothing; a search is given what lists name, then the other rows, and writes what it finds."""
    file = tmp_path / "sim/matrix.txt"
    file.parent.mkdir()
    file.write_text("# heading\n" + "\n".join(lines := rows()[:5]) + "\n")
    monkeypatch.setattr(matrix, "ROOT", tmp_path)
    monkeypatch.setattr(matrix, "named", lambda root: {lines[3]: f"a list of {root}", "s1of3-v1-q2-w32-rp-rr-ref": "x"})
    monkeypatch.setattr(matrix, "faults", lambda found, names: [f"lacks {len(found)}", f"has {len(names)}"])
    assert matrix.main(["--check"]) == 1 and capsys.readouterr() == ("", "matrix.py: sim/matrix.txt lacks 5\nmatrix.py: sim/matrix.txt has 2\n")
    monkeypatch.setattr(matrix, "faults", lambda found, names: [])
    assert matrix.main(["--check"]) == 0 and capsys.readouterr() == ("", "")
    asked = []

    def search(kept: list[matrix.Row], others: list[matrix.Row], seconds: float, rng: random.Random) -> list[matrix.Row]:
        asked.append((*([matrix.shape_of(row) for row in some] for some in (kept, others)), seconds, rng.random()))
        return [*kept, others[0]]

    monkeypatch.setattr(matrix, "search", search)
    assert matrix.main(["--search", "7"]) == 0 and capsys.readouterr().out == "matrix.py: 5 rows, now 3\n"
    assert asked == [([lines[3], "s1of3-v1-q2-w32-rp-rr-ref"], [*lines[:3], lines[4]], 7, random.Random(5).random())]
    assert file.read_text() == matrix.HEADING + "\n".join([lines[0], lines[3], "s1of3-v1-q2-w32-rp-rr-ref"]) + "\n"


@pytest.mark.parametrize("shape, want", [
    ("s1of1-v1-q1-w32-rp-rr", {"port": "fast", "made": "fast", "queue": 1, "root": True, "place": None, "high": None}),
    ("s1of3-v1-q2-w32-rp-rr", {"port": "one", "made": "fast", "queue": 2, "root": False, "place": "bottom", "high": None}),
    ("s2of3-v2-q2-w32-rp-rr", {"port": "pair", "made": "fast", "queue": 2, "root": False, "place": "middle", "high": None}),
    ("s3of3-v1-q16-w32-rw-rr", {"port": "ref", "made": "ref", "queue": 3, "root": True, "place": "root", "high": None}),
    ("s4of4-v1-q3-w32-rp-rr-ref", {"port": "ref", "made": "ref", "queue": 3, "root": True, "place": "root", "high": "high"}),
    ("s1of5-v4-q4-w32-rp-rr", {"port": "fast", "made": "fast", "queue": 3, "root": False, "place": "bottom", "high": "high"})])
def test_what_follows_from_a_row(shape: str, want: matrix.Row) -> None:
    """Its kind of port, how deep its queue counts, where it stands and whether its network is high; a shape is its row and back."""
    row = matrix.row_of(shape)
    full = matrix.derived(row)
    assert {name: full[name] for name in want} == want and matrix.shape_of(row) == shape and matrix.possible(row) and row.items() <= full.items()
    assert not matrix.possible({**row, "impl": "ref"}) or "rw" not in shape
    assert {each for each in matrix.tuples(row) if "high" in each[0]} != set() or want["high"] is None
