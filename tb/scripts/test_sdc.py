# SPDX-License-Identifier: Apache-2.0
"""test_sdc.py - constraints/switch.sdc: the two ends of a link have the whole cycle between them and no more, and each port of a
switch and of a network has one delay."""
import fnmatch
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SDC = (ROOT / "constraints/switch.sdc").read_text(encoding="ascii")
ENDS = {"_valid_o": "_valid_i", "_flit_o": "_flit_i", "_room_o": "_room_i"}


def ports(module: str) -> dict[str, str]:
    """Ports of a module, each input or output."""
    text = (ROOT / f"rtl/{module}.v").read_text(encoding="ascii")
    head = text[text.index(f"module {module} "):]
    return {m[2]: m[1] for m in re.finditer(r"\b(input|output)\s+wire\s+(?:\[[^\]]*\]\s*)?(\w+)", head[:head.index("\n);")])}


def delays(text: str, module: str) -> dict[str, list[tuple[str, float]]]:
    """Of each port: input or output, and the share of the cycle that is taken outside."""
    found: dict[str, list[tuple[str, float]]] = {port: [] for port in ports(module)}
    for m in re.finditer(r"^set_(input|output)_delay\s+\[expr ([\d.]+) \* \$period\] -clock clk \[get_ports \{([^}]*)\}\]$", text, re.M):
        for port in found:
            if any(fnmatch.fnmatchcase(port, pattern) for pattern in m[3].split()):
                found[port].append((m[1], float(m[2])))
    return found


def faults(text: str, module: str) -> list[str]:
    of = delays(text, module)
    bad = [port for port, way in ports(module).items()
           if [w for w, _ in of[port]] != ([] if port in ("clk_i", "probe_o") else [way])]
    for one, other in ENDS.items() if not bad else ():
        outs = {share for port, said in of.items() if port.endswith(one) for _, share in said}
        ins = {share for port, said in of.items() if port.endswith(other) for _, share in said}
        # What is outside of the one end is inside of the other.
        if len(outs) != 1 or len(ins) != 1 or abs(min(outs) + min(ins) - 1) > 1e-9:
            bad.append(f"{one}: {outs} and {ins}")
    return bad


@pytest.mark.parametrize("module", ["switch", "network"])
def test_the_ends_of_a_link_share_the_cycle(module: str) -> None:
    assert not faults(SDC, module)


@pytest.mark.parametrize("line", [line for line in SDC.splitlines() if line.startswith(("set_input", "set_output"))])
def test_another_share_a_pattern_less_and_a_line_twice_are_found(line: str) -> None:
    share = re.search(r"0\.\d", line)
    assert share
    others = [line.replace(share[0], "0.5"), re.sub(r"\*_(valid|room)_[io]\*", "", line), f"{line}\n{line}"]
    for other in others:
        assert other != line and faults(SDC.replace(line, other), "switch"), other
