# SPDX-License-Identifier: Apache-2.0
"""test_soak.py - what a soak draws leaves nothing out and repeats nothing, and each answer that a trial compares may be the wrong one."""
import argparse
import json
import pathlib
import re
import sys
from collections import Counter

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/sim"), str(ROOT / "tb/spec"), str(ROOT / "tb/events")]
import drawn  # noqa: E402  (the paths above)
import soak  # noqa: E402
import trials  # noqa: E402
from lib.programs import Programs  # noqa: E402


def test_every_design_has_its_turns() -> None:
    """Of six turns three are trials, two networks and one a switch; each network is run as often as any other, and so is each switch."""
    lists = networks, switches = soak.designs()
    assert all(name[0] == "n" and (not name.startswith("n64") or "-v1-" in name) for name in networks) and {name.split("-")[0] for name in networks} == {"n4", "n16", "n64"}
    assert all(name[0] == "s" for name in switches) and len(set(networks)) == len(networks) and len(set(switches)) == len(switches)
    names = [re.sub("(-ref)?(-bare)?$", "", soak.shape_of(turn, lists)) for turn in range(6 * 2 * max(map(len, lists)))]
    for k in range(0, len(names), 6):
        assert [name in lists[0] for name in names[k:k + 6]].count(True) == 2 and names[k:k + 6].count(soak.TRIALS) == 3
    for every in lists:
        counts = Counter(name for name in names if name in every)
        assert set(counts) == set(every) and max(counts.values()) - min(counts.values()) <= 1


def test_a_turn_is_begun_once(tmp_path: pathlib.Path) -> None:
    """Also one that has left nothing: by the folder, by its table, by the record, whichever knows most."""
    for row, mark, last in ((0, 0, 0), (3, 0, 0), (3, 5, 0), (3, 5, 9), (8, 5, 2), (1, 7, 6)):
        o = argparse.Namespace(folder=tmp_path / "soak", record=tmp_path / "soak.csv", room=0, shape=soak.TRIALS)
        o.folder.mkdir(exist_ok=True)
        soak.write(o.folder / "turns.csv", soak.TURNS, [dict.fromkeys(soak.TURNS, "1") | {"turn": str(row)}] if row else [])
        soak.write(o.record, soak.RECORD, [dict.fromkeys(soak.RECORD, "1") | {"last_turn": str(last)}] if last else [])
        (o.folder / "next").write_text(f"{mark}\n")
        first = max(row + 1, mark, last + 1)
        assert [soak.Soak(o, 0).claim() for _ in range(3)] == [first, first + 1, first + 2]


# What trials give all runs alike, or do not draw, as docs/soak.md says.
NOT_DRAWN = set("plugin plugin-seconds waves from to watch build events perfetto links histogram threads parts engine config format output help "
                "fail-saturated precision max-bytes max-messages".split())
WORDS = {("nodes", word) for word in "1024 4096 16384 65536 262144 1048576".split()} | {("path", "greedy"), ("path", "walk")}


def test_every_option_is_drawn(tmp_path: pathlib.Path) -> None:
    """Each option of `fatfly run`, and each word that one may have but for the first, which is often what is meant without it."""
    text = (ROOT / "scripts/docs/fatfly.bash").read_text()    # written from what the command says
    options = set(re.search(r'^  run\) echo "(.*)" ;;$', text, re.M)[1].replace("--", "").split())
    words = {(m[1], word) for m in re.finditer(r'^  run:--([\w-]+)\) echo "words (.*)" ;;$', text, re.M) for word in m[2].split()[1:]}
    seen = {}
    for k in range(2500):
        for name, value in drawn.options_of(drawn.Lots(f"turn 0 trial {k}"), tmp_path).items():
            seen.setdefault(name, set()).add(value.partition(":")[0] + ":" * (name == "topology" and ":" in value))
    assert set(seen) == options - NOT_DRAWN
    assert {(name, word) for name, word in words if name in seen and word not in seen[name]} == WORDS


def test_graphs() -> None:
    """In a graph that is drawn each node reaches each, and no link is there twice, or leads to where it begins."""
    for k in range(60):
        nodes = 2 + k % 39
        first, *lines = drawn.graph(drawn.Lots(k), nodes).splitlines()
        links = [(int(a), int(b)) for a, b in (line.removeprefix("link ").split() for line in lines)]
        assert first == f"nodes {nodes}" and len(set(links)) == len(links) and all(a != b for a, b in links)
        for start in range(nodes):
            there, left = {start}, [start]
            while left:
                at = left.pop()
                new = {b for a, b in links if a == at} - there
                there |= new
                left += new
            assert there == set(range(nodes)), (k, start)


class Answers(trials.Trial):
    """Stands in for the command: all runs give one table, but for those with an option, which give another answer."""
    def __init__(self, home: pathlib.Path, word: str, answer: tuple[int, str, str]):
        super().__init__(Programs(), home, home, 1, 1)
        self.word, self.answer, self.asked = word, answer, False

    def run(self, words: list[str]) -> tuple[int, str, str]:
        if self.word in " ".join(words):
            self.asked = True
            return self.answer
        return 0, json.dumps({"digest": "d", "flit_hops": 10 ** 9 if self.word != "--events" else 1, "latency_mean": 5.0, "cpu_s": 1.0}), ""


@pytest.mark.parametrize("word", ["--engine cycle", "--engine fast", "--threads 1", "--threads", "--parts 2", "--config", "--events"])
def test_each_answer_is_compared(word: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal counts as an answer where the others give results, but that of an engine or of parts; so does a column less or more,
    or one that differs, but a time."""
    monkeypatch.setattr(drawn, "options_of", lambda r, home: {"nodes": "4", "seed": "7"})
    right = {"digest": "d", "flit_hops": 10 ** 9 if word != "--events" else 1, "latency_mean": 5.0, "cpu_s": 1.0}
    answers = [((2, "", "fatfly run: no\n"), word.split()[0] not in ("--engine", "--parts")), ((1, "", ""), True)]
    answers += [((0, json.dumps(table), ""), True) for table in (right | {"digest": "e"}, right | {"more": 1}, {k: v for k, v in right.items() if k != "latency_mean"})]
    if word != "--events":
        answers.append(((0, json.dumps(right | {"cpu_s": 9.0}), ""), False))
    for answer, wrong in answers:
        t = Answers(tmp_path, word, answer)
        if wrong:
            with pytest.raises(trials.Differs):
                trials.try_run(t)
        else:
            assert trials.try_run(t) == "d"
        assert t.asked
