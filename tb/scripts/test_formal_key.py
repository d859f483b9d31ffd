# SPDX-License-Identifier: Apache-2.0
"""test_formal_key.py - a proof that is kept is that of the same check: whatever makes another proof makes another key."""
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
