# SPDX-License-Identifier: Apache-2.0
"""test_formal_key.py - a proof that is kept is that of the same check: whatever makes another proof makes another key; so
is the answer that a tool gave before of the same gates."""
import pathlib
from typing import Any

import formal
import pytest

GOOD: dict[str, Any] = {"files": ["lfsr", "lfsr_props"], "top": "lfsr_formal", "params": [("WIDTH", "4")], "engine": "bmc:4",
                        "edit": None, "bits": None}
TEXTS = {"lfsr": "module lfsr;", "lfsr_props": "module lfsr_props;"}
SAID = {tool: f"{tool} 1" for engine in formal.NEEDS for tool in formal.NEEDS[engine]}


def key_of(texts: dict[str, str], said: dict[str, str], **changed: Any) -> str:
    new = GOOD | changed
    check = formal.Check("name", new["files"], new["top"], new["params"], new["engine"], "proved", "x")
    check.edit, check.bits = new["edit"], new["bits"]
    return formal.key(check, texts, said)


@pytest.mark.parametrize("changed", [
    {"files": ["lfsr"]}, {"top": "other"}, {"params": [("WIDTH", "5")]}, {"params": [("VCS", "4")]}, {"params": []},
    {"engine": "bmc:5"}, {"engine": "ind:4"}, {"engine": "z3:4"}])
def test_settings(changed: dict[str, Any]) -> None:
    assert key_of(TEXTS, SAID, **changed) != key_of(TEXTS, SAID)


@pytest.mark.parametrize("engine", formal.NEEDS)
def test_depths(engine: str) -> None:
    """By every engine, of every depth."""
    assert len({key_of(TEXTS, SAID, engine=f"{engine}:{depth}") for depth in range(20)}) == 20


def test_texts() -> None:
    for name in TEXTS:
        assert key_of(TEXTS | {name: TEXTS[name] + " "}, SAID) != key_of(TEXTS, SAID)


def test_tools() -> None:
    for engine, tools in formal.NEEDS.items():
        for tool in tools:
            assert key_of(TEXTS, SAID | {tool: f"{tool} 2"}, engine=f"{engine}:4") != key_of(TEXTS, SAID, engine=f"{engine}:4")


def test_what_counts_not() -> None:
    assert key_of(TEXTS, SAID) == key_of(dict(reversed(TEXTS.items())), SAID)


def check_of(engine: str) -> formal.Check:
    return formal.Check("name", GOOD["files"], GOOD["top"], [], engine, "proved", "x")


@pytest.mark.parametrize("engine", formal.GATED)
def test_what_is_asked_of_gates(engine: str, tmp_path: pathlib.Path) -> None:
    """By which engine, how deep, by which versions of its tools, of which gates: each bit of them."""
    gates = b"aig 2 1 1 0 0 1\n"
    def asked(depth: int = 4, said: dict[str, str] = SAID, text: bytes = gates, by: str = engine) -> str:
        (tmp_path / "model.aig").write_bytes(text)
        return formal.question(check_of(f"{by}:{depth}"), tmp_path, said)

    every = [asked(), asked(5), asked(text=gates[:-1]), asked(text=gates + b"\n"), asked(text=gates[:-2] + b"2\n")]
    every += [asked(said=SAID | {tool: f"{tool} 2"}) for tool in formal.NEEDS[engine]]
    every += [asked(by=other) for other in formal.GATED if other != engine]
    assert len(set(every)) == len(every) and asked(said=SAID | {"other": "2"}) == every[0]


@pytest.mark.parametrize("engine", [*formal.ENGINES, "probe"])
def test_scripts(engine: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of what makes the gates, the formulas or the verdict; an answer depends on what stands behind the gates alone."""
    (tmp_path / "model.aig").write_bytes(b"aig")
    def now() -> tuple[str, str]:
        return key_of(TEXTS, SAID, engine=f"{engine}:4"), formal.question(check_of(f"{engine}:4"), tmp_path, SAID)

    gated = engine in formal.GATED
    for module, makes, decides in ((formal, True, True), (formal.aig, gated, engine == "cadical"), (formal.formal_sat, gated, engine == "cadical"),
                                   (formal.formal_gates, gated, False)):
        before = now()
        copy = tmp_path / "module.py"
        copy.write_text(pathlib.Path(module.__file__).read_text() + "# changed\n")
        monkeypatch.setattr(module, "__file__", str(copy))
        assert [a != b for a, b in zip(before, now())] == [makes, decides], module.__name__
        monkeypatch.undo()
