# SPDX-License-Identifier: Apache-2.0
"""test_outputs.py - what tb/cli/outputs.py calls unsound: each contradiction alone, and nothing that is right."""

from __future__ import annotations

import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import outputs  # noqa: E402  (the path above)

RIGHT = {"nodes": "16", "discipline": "worm", "measured": "160", "latency_mean": "12.5", "latency_low": "12", "latency_high": "13", "latency_p50": "12",
         "latency_p95": "14", "latency_p99": "15", "latency_p999": "15", "latency_max": "16", "source_wait_mean": "1.5", "blocked_mean": "2", "wait_mean": "3.5",
         "utilisation": "1", "end": "done", "verdict": "stable", "digest": "6341207e5e898985"}


def said(**changed: str) -> list[str]:
    cells = {**RIGHT, **changed}
    return outputs.unsound([f"$ fatfly run --format csv\nexit code 0\n{','.join(cells)}\n{','.join(cells.values())}\n"])


def test_right() -> None:
    assert not said()
    assert not said(verdict="undecided", latency_low="", latency_high="", measured="3")
    assert not said(discipline="store", wait_mean="1")  # whose waits are counted in steps
    assert not outputs.unsound(["$ fatfly run\nexit code 0\ninformation\n", "== a file\nnan\n"])


@pytest.mark.parametrize("changed, wrong", [
    ({"utilisation": "1.001"}, "a utilisation above 1"), ({"wait_mean": "3.4"}, "more waiting than the wait"), ({"measured": "159"}, "an interval of few worms"),
    ({"latency_low": "", "latency_high": ""}, "stable without an interval"), ({"end": "deadlock"}, "a verdict on what did not end"),
    ({"end": "cut"}, "a verdict on what did not end"), ({"latency_low": "12.6"}, "not in order: latency_low"), ({"latency_high": "12.4"}, "not in order: latency_low"),
    ({"latency_p95": "11"}, "not in order: latency_p50"), ({"latency_max": "14"}, "not in order: latency_p50"), ({"latency_p99": "nan"}, "nan or inf"),
    ({"latency_p99": "-inf"}, "nan or inf")])
def test_wrong(changed: dict[str, str], wrong: str) -> None:
    assert any(one.startswith(wrong) for one in said(**changed))
