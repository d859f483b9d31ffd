# SPDX-License-Identifier: Apache-2.0
"""_config.py - from keyword arguments to struct fatfly_config."""
from __future__ import annotations

import difflib
import functools
import numbers
import pathlib
from typing import Any, NamedTuple

import numpy as np

from ._fatfly import ffi, lib

VERSION = "0.2.0"  # of these files; the compiled half has its own
WHY = 400          # characters of the library's sentence


class Message(NamedTuple):
    """A recorded message (struct fatfly_message): the cycle from which it may enter, ends, flits."""

    ready: int
    src: int
    dst: int
    length: int


def text(pointer: Any) -> str:
    """A C string."""
    return ffi.string(pointer).decode("utf-8", "replace")


def same_version() -> None:
    """Refuses a compiled half that was built from another version."""
    made = text(lib.fatfly_version()), text(lib.fatfly_header_version)
    if made != (VERSION, VERSION):
        raise ImportError(f"fatfly: the Python files are of version {VERSION}, the compiled half of {made[1]} with the "
                          f"library {made[0]}; allowed: the same; repeat `pip install .`")


def _name_lists() -> dict[str, list[str]]:
    lists = {"discipline": "DISCIPLINES", "path": "PATHS", "scan": "SCANS", "start": "STARTS", "pattern": "PATTERNS",
             "arrivals": "ARRIVALS", "lengths": "LENGTHS", "engine": "ENGINES", "bandwidth": "BANDWIDTHS",
             "injection": "INJECTIONS", "channel_release": "RELEASES", "class_channels": "CLASS_CHANNELS"}
    table = {"arrivals": "arrival", "lengths": "length", "class_channels": "class_channel", "channel_release": "release"}
    found = {}
    for setting, count in lists.items():
        array = getattr(lib, f"fatfly_{table.get(setting, setting)}_names")
        found[setting] = [text(array[k]) for k in range(getattr(lib, "FATFLY_" + count))]
    found["class_pattern"] = found["pattern"]
    found["topology"] = []
    while (topology := lib.fatfly_topology_name(len(found["topology"]))) != ffi.NULL:
        found["topology"].append(text(topology))
    return found


same_version()
NAMES = _name_lists()
FIELDS = {name: field.type for name, field in ffi.typeof("struct fatfly_config").fields}
LISTS = {"class_length": "whole", "class_pattern": "name", "class_share": "number", "class_priority": "whole", "reply": "whole"}
# The pattern that a setting brings with it.
BRINGS = {"permutation": "permutation", "messages": "trace", "matrix": "matrix", "hotspot": "hotspot", "hotspot_node": "hotspot"}
# Settings that only some topologies have.
ELSEWHERE: dict[str, tuple[str, ...]] = {"graph": ("graph",), "radix": ("torus", "mesh"), "dimensions": ("torus", "mesh"),
                                         "processor_links": ("torus", "mesh")}
SETTINGS = sorted(set(FIELDS) - {"message_count", "mix_count", "graph_name", "class_patterns"})


def names(setting: str) -> list[str]:
    """The values of a setting that takes names: names("path") is ["fp", "rp", ..]."""
    if setting not in NAMES:
        raise ValueError(f"setting '{setting}'; allowed: {', '.join(sorted(NAMES))}")
    return list(NAMES[setting])


def _nearest(word: str, allowed: list[str]) -> str:
    near = difflib.get_close_matches(word, allowed, 1, 0.5)
    return f"; nearest: {near[0]}" if near else ""


def _name(setting: str, value: Any) -> int:
    if not isinstance(value, str):
        raise TypeError(f"{setting} = {value!r} ({type(value).__name__}); allowed: a name, {', '.join(NAMES[setting])}")
    if value not in NAMES[setting]:
        raise ValueError(f"{setting} = {value}; allowed: {', '.join(NAMES[setting])}{_nearest(value, NAMES[setting])}")
    return NAMES[setting].index(value)


def _within(setting: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{setting} = {value!r} ({type(value).__name__}); allowed: a whole number")
    if not least <= int(value) <= most:
        raise ValueError(f"{setting} = {value}; allowed: {least} to {most}")
    return int(value)


def _whole(setting: str, value: Any, bits: int) -> int:
    return _within(setting, value, 0, (1 << bits) - 1)


def _number(setting: str, value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{setting} = {value!r} ({type(value).__name__}); allowed: a number")
    return float(value)


def _truth(setting: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{setting} = {value!r} ({type(value).__name__}); allowed: True or False")
    return bool(value)


def _scalar(setting: str, value: Any) -> Any:
    kind = FIELDS[setting]
    if setting in NAMES:
        return _name(setting, value)
    if setting == "depth" and value == "unbounded":
        return lib.FATFLY_UNBOUNDED
    if kind.cname in ("bool", "_Bool"):
        return _truth(setting, value)
    if kind.cname == "double":
        return _number(setting, value)
    return _whole(setting, value, 8 * ffi.sizeof(kind))


@functools.lru_cache(maxsize=1)  # runs of one graph ask again and again
def _graph_processors(content: str, name: str) -> int:
    """Processors of a graph, counted by the library."""
    c, t, why = ffi.new("struct fatfly_config *"), ffi.new("struct topology *"), ffi.new("char[]", WHY)
    keep = [ffi.new("char[]", one.encode()) for one in ("graph", content, name)]
    lib.fatfly_defaults_of(c, keep[0], lib.FATFLY_WORM)
    c.graph, c.graph_name, c.nodes = keep[1], keep[2], 0
    if lib.topology_of(c, t, why, WHY):
        raise ValueError(text(why))
    processors = int(t.processors)
    lib.topology_close(t)
    return processors


class Config:
    """A struct fatfly_config, and what it points to.  What is None counts as not given."""

    def __init__(self, given: dict[str, Any]):
        self.given = {name: value for name, value in given.items() if value is not None}
        self.c = ffi.new("struct fatfly_config *")
        self._keep: list[Any] = []
        for name in self.given:
            if name not in SETTINGS:
                raise TypeError(f"'{name}' is no setting{_nearest(name, SETTINGS)}")
        topology = self.given.get("topology", "fat-tree")
        discipline = self.given.get("discipline", "worm")
        _name("topology", topology)
        for name, where in ELSEWHERE.items():
            if name in self.given and topology not in where:
                raise ValueError(f"{name} with topology = {topology!r}; allowed: only with {' or '.join(where)}")
        self._keep.append(ffi.new("char[]", topology.encode()))
        lib.fatfly_defaults_of(self.c, self._keep[-1], _name("discipline", discipline))
        for name, value in self.given.items():
            if name not in ("topology", "graph", "permutation", "messages", "matrix", "mix", *LISTS):
                setattr(self.c, name, _scalar(name, value))
        self._texts()
        self._size()
        self._arrays()
        self._follow()
        self._channels()

    def _texts(self) -> None:
        graph = self.given.get("graph")
        if graph is None:
            return
        if not isinstance(graph, (str, pathlib.Path)):
            raise TypeError(f"graph = {graph!r} ({type(graph).__name__}); allowed: its text, or a pathlib.Path")
        name = str(graph) if isinstance(graph, pathlib.Path) else "graph"
        content = graph.read_text(encoding="utf-8") if isinstance(graph, pathlib.Path) else graph
        self._keep += [ffi.new("char[]", content.encode()), ffi.new("char[]", name.encode())]
        self.c.graph, self.c.graph_name = self._keep[-2:]
        if self.given.get("topology") == "graph" and "nodes" not in self.given:
            self.c.nodes = _graph_processors(content, name)

    def _size(self) -> None:
        """Processors of a torus or mesh follow from radix and dimensions, and the radix from processors."""
        topology = self.given.get("topology")
        if topology not in ("torus", "mesh"):
            return
        if "nodes" not in self.given:
            self.c.nodes = min(self.c.radix ** self.c.dimensions, (1 << 32) - 1)
        elif "radix" in self.given and "dimensions" not in self.given:
            self.c.dimensions = next((d for d in range(1, 5) if self.c.radix ** d == self.c.nodes), self.c.dimensions)
        elif "radix" not in self.given:
            self.c.radix = round(self.c.nodes ** (1 / max(1, self.c.dimensions)))

    def _follow(self) -> None:
        """What the command takes for settings that others decide."""
        if not {"pattern", "class_pattern"} & set(self.given):
            brought = {name: pattern for name, pattern in BRINGS.items() if name in self.given}
            if len(set(brought.values())) > 1:
                raise ValueError(f"{' with '.join(brought)}; allowed: one of them, or a pattern that says which of them counts")
            if "hotspot" in brought.values():
                self._default("pattern", "hotspot")
        if "length_mean" not in self.given:
            self.c.length_mean = (self.c.length + self.c.length_min) / 2
        if "delay_range" not in self.given and self.given.get("discipline") == "univ":
            self.c.delay_range = max(1, (int(self.c.nodes) - 1).bit_length())
        if "warmup" in self.given and "detect_warmup" not in self.given:
            self.c.detect_warmup = False

    def _arrays(self) -> None:
        permutation = self.given.get("permutation")
        if permutation is not None:
            array = _integers("permutation", permutation)
            if array.shape != (self.c.nodes,):
                raise ValueError(f"permutation of {array.size} processors; allowed: {self.c.nodes}, one a processor")
            self._own("uint32_t[]", array.astype(np.uint32), "permutation")
            if "class_pattern" not in self.given:
                self._default("pattern", "permutation")
        messages = self.given.get("messages")
        if messages is not None:
            rows = [[_whole(f"messages[{k}].{field}", value, 64 if field == "ready" else 32)
                     for field, value in zip(Message._fields, _message(k, row))] for k, row in enumerate(messages)]
            own = ffi.new("struct fatfly_message[]", rows or 1)
            self._keep.append(own)
            self.c.messages, self.c.message_count = own, len(rows)
            self._default("pattern", "trace")

        matrix = self.given.get("matrix")
        if matrix is not None:
            weights = np.asarray(matrix)
            if weights.dtype.kind not in "iuf":
                raise TypeError(f"matrix of {weights.dtype}; allowed: numbers")
            if weights.shape != (self.c.nodes, self.c.nodes):
                raise ValueError(f"matrix of shape {weights.shape}; allowed: ({self.c.nodes}, {self.c.nodes}), a row a source")
            self._own("double[]", weights.astype(np.float64).reshape(-1), "matrix")
            if "class_pattern" not in self.given:
                self._default("pattern", "matrix")
        self._mix()
        self._classes()

    def _classes(self) -> None:
        """Lists with a value for each class."""
        self.c.class_patterns = "class_pattern" in self.given
        for name, kind in LISTS.items():
            values = self.given.get(name)
            if values is None:
                continue
            if not isinstance(values, (list, tuple)):
                raise TypeError(f"{name} = {values!r} ({type(values).__name__}); allowed: a list with a value for each class")
            replies = name == "class_priority" and "reply" in self.given
            count = min(int(self.c.classes) * (2 if replies else 1), lib.FATFLY_MAX_CLASSES)
            if len(values) != count:
                raise ValueError(f"{name} of {len(values)} values; allowed: {count}, one for each class")
            for k, value in enumerate(values):
                getattr(self.c, name)[k] = (_name(name, value) if kind == "name" else _number(name, value) if kind == "number"
                                            else _whole(name, value, 32))

    def _channels(self) -> None:
        """By default each part of the classes has as many channels as all would have together."""
        if "vcs" in self.given or self.given.get("topology", "fat-tree") in ("fat-tree", "graph") or self.c.class_channels != lib.FATFLY_RESERVED:
            return
        t, why = ffi.new("struct topology *"), ffi.new("char[]", WHY)
        if lib.topology_of(self.c, t, why, WHY) == 0: # otherwise the library says what is wrong
            self.c.vcs = t.classes * (2 if "reply" in self.given else self.c.classes)
            lib.topology_close(t)

    def _mix(self) -> None:
        """Lengths and their weights: {4: 0.5, 32: 0.5}."""
        mix = self.given.get("mix")
        if mix is None:
            return
        if not isinstance(mix, dict):
            raise TypeError(f"mix = {mix!r} ({type(mix).__name__}); allowed: a dict from flits to weights")
        if not 1 <= len(mix) <= lib.FATFLY_MAX_MIX:
            raise ValueError(f"mix of {len(mix)} lengths; allowed: 1 to {lib.FATFLY_MAX_MIX}")
        for k, (length, weight) in enumerate(mix.items()):
            self.c.mix[k].length = _whole("mix", length, 32)
            self.c.mix[k].weight = _number("mix", weight)
        self.c.mix_count = len(mix)
        self._default("lengths", "mix")
        if "length" not in self.given:
            self.c.length = max(mix)
        if "length_min" not in self.given:
            self.c.length_min = min(mix)

    def _default(self, name: str, value: str) -> None:
        if name not in self.given:
            setattr(self.c, name, _name(name, value))

    def _own(self, kind: str, array: Any, field: str) -> None:
        array = np.ascontiguousarray(array)
        self._keep.append(array)
        setattr(self.c, field, ffi.from_buffer(kind, array))


def _message(k: int, row: Any) -> tuple[Any, ...]:
    row = tuple(row)
    if len(row) != len(Message._fields):
        raise ValueError(f"messages[{k}] has {len(row)} fields; allowed: {', '.join(Message._fields)}")
    return row


def _integers(setting: str, values: Any) -> Any:
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{setting} of {array.dtype}; allowed: whole numbers")
    if array.size and (int(array.min()) < 0 or int(array.max()) >= 1 << 32):
        raise ValueError(f"{setting} has {int(array.min())} to {int(array.max())}; allowed: 0 to {(1 << 32) - 1}")
    return array
