#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shifted.py - a run long after its beginning writes what it writes early, with later cycles.

    tb/long/shifted.py FATFLY

A trace has a lone message in cycle 0 and a burst from cycle 10,000 on; in a second one the burst comes 5,000,002,560 cycles
later, which is more than 2^32.  Where nothing is drawn by chance the two runs differ in that alone.  So in each file that
fatfly writes every number below 10,000 must be the same, and every other one, which is a cycle of the burst, later by as
much: logs, traces for Perfetto, lives of worms, histograms, counts of links and
results.  Waves refuse so late a cycle.  Prints a line a check and `N passed, N failed`.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "perfetto"))
import trace_check

EARLY, SHIFT = 10_000, 496_032 * 10_080 # whole packet-steps, and turns of 2 to 9 ports
TRACKS = 1 << 40                        # from here on numbers of tracks of a trace for Perfetto
# Columns of results that are per cycle of the whole run, or of the machine.
OF_ALL_CYCLES = {"digest", "per_congestion", "utilisation", "occupancy", "queued_mean", "queue_shares", "accepted_load", "cpu_s", "wall_s"}
SETTINGS = """\
--nodes 16 --path fp --scan fo
--nodes 16 --vcs 2 --path fp --scan fcfs
--nodes 64 --vcs 4 --path fp --scan rot
--nodes 16 --discipline store --path fp --scan fo
--nodes 16 --discipline split --path fp --scan fo
--topology torus --nodes 16 --vcs 2
--topology mesh --nodes 16 --bandwidth on-demand --vcs 2 --link-latency 3
--topology mesh --nodes 16 --processor-links --bandwidth on-demand --vcs 2 --input-bandwidth 1 --depth 4
--topology torus --nodes 27 --dimensions 3 --bandwidth on-demand --vcs 4 --input-bandwidth 2 --channels-in-turn --channel-release tail-sent
--topology torus --nodes 16 --vcs 3 --link-bandwidth 2 --injection per-channel --head-latency 2 --router-latency 1
--topology torus --nodes 16 --path positive-hop --bandwidth on-demand --link-bandwidth 2
--topology butterfly --nodes 16
--topology butterfly --nodes 16 --discipline store
--topology hypercube --nodes 16 --path e-cube
""".splitlines()


def trace(nodes: int, at: int) -> tuple[str, int]:
    """Messages, and the number of the last one's worm."""
    chance, rows, sent = random.Random(5), ["t_ns,src,dst,bytes", "0,0,1,8"], [0] * nodes
    sent[0] = 1
    for _ in range(30):
        src, dst = chance.sample(range(nodes), 2)
        rows.append(f"{at},{src},{dst},{chance.choice((4, 8, 40))}")
        sent[src] += 1
        at += chance.randrange(5)
    return "\n".join(rows) + "\n", 1 + src + nodes * (sent[src] - 1)


def numbers_of(message: dict) -> Iterator[object]:
    """All that a decoded trace for Perfetto says, in its order."""
    for name, values in message.items():
        for value in values:
            yield name
            if isinstance(value, dict):
                yield from numbers_of(value)
            else:
                yield value


def told(value: object, name: str = "") -> Iterator[object]:
    """Names and values of a result, one after the other, without what is per cycle of the whole run."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from told(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from told(below, name)
    elif not any(name.endswith(word) for word in OF_ALL_CYCLES):
        yield from (name, value)


def words(name: str, data: bytes) -> list[object]:
    """What a file says, word by word, without what cannot be the same."""
    if name == "perfetto":
        return list(numbers_of(trace_check.decode(data, "Trace", trace_check.schema())))
    text = data.decode()
    if name == "life":
        text = text.partition("\n\n")[0] # not the table behind it
    if name in ("result", "alone"):
        return list(told(json.loads(text)))
    if name == "links":
        table = [row.split(",") for row in text.splitlines() if "," in row]
        left = [k for k, column in enumerate(table[0]) if not any(column.endswith(word) for word in OF_ALL_CYCLES)]
        return [row[k] for row in table for k in left]
    text = re.sub(r"\bdigest[ =][0-9a-f]+|[0-9.]+ s of CPU.*", "", text)
    return re.findall(r"[A-Za-z_]+|\d+(?:\.\d+)?|[^\sA-Za-z_\d]+", text)


def differs(one: list[object], other: list[object]) -> str:
    """The first word that is not as it should be."""
    if len(one) != len(other):
        return f"{len(one)} words, {len(other)} later"
    for k, (a, b) in enumerate(zip(one, other)):
        try:
            number = int(str(a))
        except ValueError:
            number = 0
        want = number + SHIFT if EARLY <= number < TRACKS else a
        if str(b) != str(want):
            return f"word {k}, after {' '.join(map(str, one[max(0, k - 3):k]))}: {a}, later {b}, not {want}"
    return "" if len(one) > 20 else "hardly a word"


def files(fatfly: str, setting: str, at: int, folder: pathlib.Path) -> dict[str, bytes]:
    """What a run and the reader of its log write."""
    options = setting.split()
    text, worm = trace(int(options[options.index("--nodes") + 1]), at)
    (folder / "trace.csv").write_text(text, encoding="utf-8")
    names = ["events", "perfetto", "links", "histogram"]
    command = [fatfly, "run", *options, "--trace", str(folder / "trace.csv")]
    calls = {"result": [*command, "--format", "json", *[word for name in names for word in (f"--{name}", str(folder / name))]],
             "alone": [*command, "--format", "json"],  # by the engine that is chosen where nobody looks on
             "life": [*command, "--watch", str(worm)],
             "summary": [fatfly, "events", str(folder / "events"), "--worm", str(worm)]}
    if "--topology" not in options and "--discipline" not in options:
        del calls["life"]               # goes through every cycle
    said = {}
    for name, call in calls.items():
        done = subprocess.run(call, capture_output=True, check=False, timeout=60)
        if done.returncode:
            raise trace_check.Wrong(f"{' '.join(call)}: {done.stderr.decode().strip()}")
        said[name] = done.stdout
    return said | {name: (folder / name).read_bytes() for name in names}


def main(fatfly: str) -> int:
    passed = failed = 0
    for setting in SETTINGS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                said = [files(fatfly, setting, at, pathlib.Path(folder)) for at in (EARLY, EARLY + SHIFT)]
                wrong = {name: differs(words(name, said[0][name]), words(name, said[1][name])) for name in said[0]}
            except trace_check.Wrong as why:
                wrong = {"a command": str(why)}
        for name, what in wrong.items():
            print(f"FAIL {setting}: {name}: {what}" if what else f"PASS {setting}: {name}")
            passed, failed = passed + (not what), failed + bool(what)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
