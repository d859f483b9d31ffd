# SPDX-License-Identifier: Apache-2.0
"""_session.py - a network that the caller drives."""
from __future__ import annotations

from types import TracebackType
from typing import Any, Iterator, NamedTuple, Optional

import pandas as pd

from ._config import WHY, Config, _whole, _within, text
from ._fatfly import ffi, lib
from ._run import Result, raise_for

NEVER = (1 << 64) - 1
_WORM = [name for name, _ in ffi.typeof("struct fatfly_worm_state").fields]
# What says that a field of a worm has no value: which field, and what it then is.
_NONE = {"injected": ("injected", NEVER), "since": ("since", NEVER), "wants": ("wants", lib.FATFLY_NOWHERE),
         **{f"{end}_{of}": (f"{end}_link", lib.FATFLY_NOWHERE) for end in ("head", "tail") for of in ("link", "channel")}}


def _field(worm: Any, name: str) -> Optional[int]:
    where, none = _NONE.get(name, (name, None))
    return None if getattr(worm, where) == none else int(getattr(worm, name))


class Snapshot(NamedTuple):
    """A state of a session."""

    pointer: Any
    session: "Session"


class Delivery(NamedTuple):
    """A worm that has arrived: the caller's tag, cycles, ends, flits, and links of its path."""

    tag: int
    ready: int
    injected: int
    head: int
    tail: int
    src: int
    dst: int
    length: int
    links: int
    of_class: int


class Session:
    """A network that stands still until it is told to advance.

        with fatfly.Session(nodes=16) as s:
            s.send(0, 15, length=8, tag=1)
            s.advance(until_delivery=True)
            print(s.poll())
    """

    def __init__(self, **settings: Any):
        self._config = Config(settings)
        self._why = ffi.new("char[]", WHY)
        place = ffi.new("struct fatfly_session **")
        raise_for(lib.fatfly_open(place, self._config.c, self._why, WHY), self._why)
        self._session: Any = place[0]

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_session", None):
            self.close()

    def close(self) -> None:
        """Gives back its memory; may be called twice."""
        if self._session:
            lib.fatfly_close(self._session)
        self._session = None

    def _open(self) -> Any:
        if not self._session:
            raise ValueError("the session is closed; allowed: one that is open")
        return self._session

    def send(self, src: int, dst: int, length: Optional[int] = None, *, tag: int = 0, ready: Optional[int] = None,
             parents: int = 0, of_class: int = 0) -> None:
        """A worm that may enter from cycle `ready` (default: now); length: the configuration's."""
        session = self._open()
        worm = {"src": src, "dst": dst, "length": self._config.c.length if length is None else length, "tag": tag,
                "ready": self.now if ready is None else ready, "parents": parents, "of_class": of_class}
        worm = {name: _whole(name, value, 64 if name in ("tag", "ready") else 32) for name, value in worm.items()}
        raise_for(lib.fatfly_send(session, ffi.new("struct fatfly_worm *", worm), self._why, WHY), self._why)

    def advance(self, cycle: Optional[int] = None, *, until_delivery: bool = False) -> int:
        """To a cycle, by default as far as anything happens, or to the first delivery.  The session's cycle."""
        if cycle is None and not until_delivery:
            while (event := self.next_event) is not None:
                self.advance(event + 1)
            return self.now
        target = NEVER if cycle is None else _whole("cycle", cycle, 64)
        if target == NEVER and self.next_event is None:
            return self.now
        raise_for(lib.fatfly_advance(self._open(), target, until_delivery, self._why, WHY), self._why)
        return self.now

    def poll(self) -> Optional[Delivery]:
        """The oldest delivery that was not taken, or None."""
        d = ffi.new("struct fatfly_delivery *")
        if not lib.fatfly_poll(self._open(), d):
            return None
        return Delivery(*(getattr(d, field) for field in Delivery._fields))

    def deliveries(self) -> Iterator[Delivery]:
        """All deliveries that were not taken."""
        while (delivery := self.poll()) is not None:
            yield delivery

    @property
    def now(self) -> int:
        """The session's cycle."""
        return int(lib.fatfly_now(self._open()))

    @property
    def next_event(self) -> Optional[int]:
        """The first cycle from now on in which something can happen; None: never, until something is sent."""
        event = int(lib.fatfly_next_event(self._open()))
        return None if event == NEVER else event

    def save(self) -> "Snapshot":
        """All that the session will ever look at; restore() goes back to it, any number of times."""
        place = ffi.new("struct fatfly_snapshot **")
        raise_for(lib.fatfly_save(self._open(), place, self._why, WHY), self._why)
        return Snapshot(ffi.gc(place[0], lib.fatfly_snapshot_free), self)

    def restore(self, snapshot: "Snapshot") -> None:
        """Back to where save() was called."""
        if not isinstance(snapshot, Snapshot) or snapshot.session is not self:
            raise ValueError("a snapshot of another session; allowed: one that this session made")
        raise_for(lib.fatfly_restore(self._open(), snapshot.pointer, self._why, WHY), self._why)

    def _inside(self) -> Any:
        """The shape of a session whose engine shows its inside."""
        shape = ffi.new("struct fatfly_shape *")
        lib.fatfly_read_shape(self._open(), shape)
        if not shape.shows:
            raise ValueError(f"engine = {text(shape.engine)} shows neither worms nor registers; allowed: discipline worm or "
                             "phased, and on a fat-tree engine=\"cycle\"")
        return shape

    def worms(self) -> pd.DataFrame:
        """Worms under way, a row each: fields of struct fatfly_worm_state; a place that is none is missing.

        A fat-tree shows them with engine="cycle", other topologies with discipline worm or phased; else a ValueError.
        """
        self._inside()
        room = lib.fatfly_read_worms(self._session, ffi.NULL, 0)
        w = ffi.new("struct fatfly_worm_state[]", max(1, room))
        count = lib.fatfly_read_worms(self._session, w, room)
        frame = pd.DataFrame([[_field(w[k], name) for name in _WORM] for k in range(count)], columns=_WORM)
        return frame.set_index("worm")

    def registers(self, switch: int) -> pd.DataFrame:
        """Registers (_q) and wires of a switch in this cycle, with the names of docs/switch.md; where worms() has any."""
        switch = _within("switch", switch, 0, self._inside().switches - 1)
        room = lib.fatfly_read_switch(self._session, switch, ffi.NULL, 0)
        x = ffi.new("struct fatfly_register[]", max(1, room))
        lib.fatfly_read_switch(self._session, switch, x, room)
        rows = [(text(x[k].name), x[k].port, x[k].channel, x[k].index, x[k].value) for k in range(room)]
        return pd.DataFrame(rows, columns=["name", "port", "channel", "index", "value"])

    def statistics(self) -> Result:
        """What was measured so far."""
        raw = ffi.new("struct fatfly_result *")
        lib.fatfly_statistics(self._open(), raw)
        return Result(self._config, raw)
