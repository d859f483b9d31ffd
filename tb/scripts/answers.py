# SPDX-License-Identifier: Apache-2.0
"""answers.py - stands in for the command fatfly where the judges of the papers are tested: it keeps what they ask for, and answers
with numbers made up from the words, so that a run of any size takes no time.

The numbers grow with the network and the worms much as true ones do, so that judges find something to say; they are no results.
"""
from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import math
import pathlib
import random
import re
from collections.abc import Sequence
from typing import Any

FILES = ("events", "links", "histogram")    # options whose files the command writes
# The model of GG, by the true command: (nodes, length, load) and its latency, which copies of the model are held against.
MODEL = {(16, 16, 0.0972): 21.17559561, (1024, 32, 0.8 * 0.0390): 61.50434555, (256, 64, 0.9 * 0.0788): 149.8492307,
         (16, 16, 0.1): 21.27472206, (1024, 32, 0.03): 58.99302315, (256, 64, 0.07): 143.5132592}


def options(words: Sequence[str]) -> dict[str, str]:
    """Each option with its value; one without has none."""
    return {word[2:]: "" if k + 1 == len(words) or words[k + 1].startswith("--") else words[k + 1]
            for k, word in enumerate(words) if word.startswith("--")}


class Answers:
    """In place of paper_tools.fatfly(): asked has what was asked for, files by what is in them.  seed makes other numbers."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.asked: list[str] = []

    def __call__(self, *words: str, quiet: bool = False) -> str:
        del quiet
        o = options(words)
        written = {name: pathlib.Path(o[name]) for name in FILES if name in o}
        said = " ".join(self.named(word) for word in words if pathlib.Path(word) not in written.values())
        self.asked.append(said)
        r = random.Random(f"{self.seed} {said}")
        row = self.row(o, said, r)
        for name, path in written.items():
            path.write_text(getattr(self, name)(r, row), encoding="ascii")
        if o.get("format") == "json":
            return json.dumps(row | {"levels": levels(r)})
        out = io.StringIO()
        table = csv.DictWriter(out, list(row))
        table.writeheader()
        table.writerow(row)
        return out.getvalue()

    @staticmethod
    def named(word: str) -> str:
        """A file that is read by what is in it, for its name is another each time."""
        kind, _, name = word.rpartition(":")
        path = pathlib.Path(name)
        if "/" not in name or not path.is_file():
            return word
        text = path.read_bytes()
        return f"{kind}:{hashlib.sha256(text).hexdigest()[:8]}/{len(text.splitlines())}"

    def row(self, o: dict[str, str], said: str, r: random.Random) -> dict[str, Any]:
        """One point: what was asked for, and what was found."""
        lines = re.search(r":[0-9a-f]{8}/(\d+)", said)
        nodes = int(o["nodes"]) if "nodes" in o else int(o["radix"]) ** int(o.get("dimensions", 2)) if "radix" in o else int(lines[1]) if lines else 256
        numbers = [int(text) for text in re.findall(r"\d+", o.get("length", "32"))] or [32]
        length, load, rounds = numbers[0], float(o.get("load") or 0), int(o.get("rounds") or 1)
        width = int(o.get("link-bandwidth") or 1)
        dilation = math.ceil(math.log2(nodes)) + r.randint(1, 2)
        congestion = rounds * dilation ** (0.7 + 0.2 * self.seed) * r.uniform(1.9, 2.1)
        last, mean = congestion * length * r.uniform(0.98, 1.02) + dilation, length + dilation * r.uniform(0.9, 1.1) + 60 * load
        latency = MODEL.get((nodes, length, load)) or mean * r.uniform(0.9, 1.2)
        found = {"nodes": nodes, "length": length, "load": load, "rounds": r.randint(2, 12), "link_bandwidth": width, "dilation": dilation,
                 "congestion_mean": round(congestion, 3), "last_arrival_mean": round(last, 3), "last_arrival_ci99": round(last / 300, 3),
                 "last_arrival_max": math.ceil(last * 1.2), "latency_mean": round(mean, 4), "latency_ci99": 0.05, "latency": latency,
                 "latency_max": math.ceil(mean * r.uniform(1, 2.1)), "accepted_load": round(load * r.uniform(0.97, 1), 5),
                 "utilisation": round(load * r.uniform(1, 2) + 0.01, 5), "wait_mean": round(dilation * r.random(), 3), "vcs": int(o.get("vcs") or r.randint(2, 17)),
                 "source_wait_mean": round(length * load * r.uniform(5, 9), 3), "blocked_mean": round(length * load * r.uniform(4, 9), 3),
                 "measured": (nodes - 1) * rounds, "warmup": int(o.get("warmup") or 0), "cycles": math.ceil(last * 1.1), "worms": 10 * nodes, "digest": f"{r.getrandbits(64):016x}",
                 "saturation_load": round(r.uniform(0.4, 0.6) / dilation, 5), "load_factor": round(r.uniform(1, 2), 4), "levels": dilation // 2,
                 "class0_latency_mean": round(mean * r.uniform(0.95, 1.05), 4), "class0_latency_ci99": 0.05, "saturated": int(load > 0.5), "limit": ""}
        return {name.replace("-", "_"): value for name, value in o.items() if name not in FILES and "/" not in value} | found

    @staticmethod
    def events(r: random.Random, row: dict[str, Any]) -> str:
        """Rigid worms on paths of four of 24 links, upwards, so that none waits in a circle; more of them in larger networks."""
        length, rows, last = max(row["length"], 5), [], [0, 1, 2, 3]
        owner: dict[int, int] = {}
        worms = [(sorted(r.sample(range(24), 4)), row["warmup"] + r.randint(0, 2 * length)) for _ in range(min(4 * math.isqrt(row["nodes"]), 200))]
        steps, waited = [0] * len(worms), [0] * len(worms)
        for at in itertools.count(row["warmup"]):
            if min(steps) == length + 3:
                break
            for worm, (path, begins) in enumerate(worms):
                step = steps[worm]
                if at < begins or step == length + 3:
                    continue
                if step < 4 and owner.get(path[step], worm) != worm:
                    waited[worm] += step > 0
                    continue
                crossed = [("head", step, waited[worm])] if step in last else []
                crossed += [("tail", step - length + 1, 0)] if step - length + 1 in last else []
                for kind, place, cycles in crossed:
                    link = path[place]
                    rows.append(f"move,{at},1,{worm},{kind},0,{worm % row['nodes']},{link},0,{link},{(link + worm) % row['nodes']},inner,{cycles},,,\n")
                    if kind == "head":
                        owner[link], waited[worm] = worm, 0
                    else:    # the queue behind the link before is empty now
                        owner.pop(path[max(place - 1, 0)] if place else -1, None)
                        if place == 3:
                            owner.pop(link)
                steps[worm] += 1
        return "".join(rows)

    @staticmethod
    def links(r: random.Random, row: dict[str, Any]) -> str:
        return "lower,upper,worms,direction,level\n" + "".join(f"{k},{(k + 1 + k % 3 * 16) % row['nodes']},{r.randint(90, 110)},{('up', 'down')[k // 4 % 2]},{k % 4}\n"
                                                               for k in range(4 * row["nodes"]))

    @staticmethod
    def histogram(r: random.Random, row: dict[str, Any]) -> str:
        return "latency,worms\n" + "".join(f"{row['length'] + k},{r.randint(1, 50)}\n" for k in range(40))


def levels(r: random.Random) -> list[dict[str, Any]]:
    """What `--format json` says of each level of a fat-tree with four."""
    return [{"direction": direction, "level": level, "wait_mean": round(r.uniform(0.1, 5), 3)} for direction in ("up", "down") for level in range(4)]
