# SPDX-License-Identifier: Apache-2.0
"""_run.py - one run, and several of one configuration."""
from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterable, Optional, Sequence

import numpy as np
import pandas as pd

from ._config import WHY, Config, _within, text
from ._fatfly import ffi, lib

ENDS = ["done", "saturated", "cut", "stopped", "deadlock"]  # of enum fatfly_end
_SCALARS = [name for name, field in ffi.typeof("struct fatfly_result").fields
            if field.type.kind == "primitive" and name not in ("digest", "classes")]


class Deadlock(RuntimeError):
    """Worms would wait, or wait, for each other for ever; the message shows the circle.  .result holds what was done
    until then by a run that began (force=True), None where the routing alone says it."""

    def __init__(self, says: str, result: Optional["Result"] = None):
        super().__init__(says)
        self.result = result


class Stopped(RuntimeError):
    """The run was ended by its poll function; .result holds what was done."""

    def __init__(self, result: "Result"):
        super().__init__(f"stopped in cycle {result.cycles}")
        self.result = result


def raise_for(status: int, why: Any) -> None:
    """The library's status as an exception with its sentence."""
    if status == lib.FATFLY_OK:
        return
    kind: type[Exception] = {lib.FATFLY_BAD_CONFIG: ValueError, lib.FATFLY_NO_MEMORY: MemoryError,
                             lib.FATFLY_DEADLOCK: Deadlock}.get(status, RuntimeError)
    raise kind(text(why))


def _on_fat_tree(config: Config) -> bool:
    return not config.c.topology or text(config.c.topology) == "fat-tree"


def _most_of_link(config: Config, packets: bool) -> float:
    """Flits that can cross a link in a cycle: on demand one of each channel; with fixed shares one takes ceil(V / B) cycles on its."""
    c = config.c
    lanes, channels = int(c.link_bandwidth), int(c.vcs)
    if _on_fat_tree(config) or packets or lanes == 1:
        return lanes
    if not channels:  # as many as the routing needs
        why, t = ffi.new("char[]", WHY), ffi.new("struct topology *")
        raise_for(lib.topology_of(c, t, why, WHY), why)
        channels = int(t.classes)
        lib.topology_close(t)
    return min(channels, lanes) if c.bandwidth == lib.FATFLY_ON_DEMAND else channels / -(-channels // lanes)


class Result:
    """What a run measured: the scalar fields of struct fatfly_result, and what follows from them.

    Times are cycles, loads flits per cycle and processor.  A mean that does not exist (saturated, cut, nothing
    measured) is None.
    """

    def __init__(self, config: Config, raw: Any):
        self._raw = raw
        self.settings = dict(config.given)
        c = config.c
        self.nodes = int(c.nodes)
        self._open = c.load > 0
        packets = c.discipline not in (lib.FATFLY_WORM, lib.FATFLY_PHASED)
        # A packet crosses a link in a step of length cycles; the last arrival is where its step begins.
        steps = c.discipline in (lib.FATFLY_STORE, lib.FATFLY_UNIV, lib.FATFLY_CMSV_STORE, lib.FATFLY_CMSV_PROTOCOL) and _on_fat_tree(config)
        self._last_step = int(c.length) if steps else 1  # cycles in which the last one arrives
        self._link = _most_of_link(config, packets)
        self.end = ENDS[raw.end]
        self.digest = f"{raw.digest:016x}"

    def __getattr__(self, name: str) -> Any:
        if name in _SCALARS:
            return getattr(self._raw, name)
        raise AttributeError(f"a result has no '{name}'; it has: {', '.join(dir(self))}")

    def __dir__(self) -> list[str]:
        return sorted({*(name for name in super().__dir__() if not name.startswith("_")), *_SCALARS})

    def __repr__(self) -> str:
        mean = "" if self.latency_mean is None else f", latency_mean {self.latency_mean:.2f}"
        return f"<fatfly.Result {self.end}: {self.worms} worms in {self.cycles} cycles{mean}, digest {self.digest}>"

    @property
    def latency_mean(self) -> Optional[float]:
        """Mean over the measured worms, from ready to the arrival of the tail."""
        return self._raw.latency_sum / self._raw.measured if self.end == "done" and self._raw.measured else None

    @property
    def offered_load(self) -> Optional[float]:
        """Of the measured cycles of an open loop."""
        return self._load(self._raw.offered_flits)

    @property
    def accepted_load(self) -> Optional[float]:
        """Of the measured cycles of an open loop; of a static run until the last arrival."""
        raw = self._raw
        if self._open:
            return self._load(raw.accepted_flits)
        return raw.flits / (raw.last_arrival + self._last_step) / self.nodes if raw.measured else None

    def _load(self, flits: int) -> Optional[float]:
        return flits / self._raw.measure_cycles / self.nodes if self._raw.measure_cycles else None

    def quantile(self, share: float) -> int:
        """Smallest latency that this share of the measured worms does not exceed (the low end of its bucket)."""
        if not 0 <= share <= 1:
            raise ValueError(f"share = {share}; allowed: 0 to 1")
        return int(lib.fatfly_quantile(self._raw, share))

    @property
    def histogram(self) -> pd.Series:
        """Measured worms by latency: the index is the low end of each bucket that has any."""
        counts = np.frombuffer(ffi.buffer(self._raw.histogram), dtype=np.uint64)
        used = np.flatnonzero(counts)
        low = [lib.fatfly_bucket_low(int(k)) for k in used]
        return pd.Series(counts[used], index=pd.Index(low, name="latency"), name="worms")

    @property
    def classes(self) -> pd.DataFrame:
        """A row a class of worms, replies' last: worms, flits, measured, latency_mean, latency_p50, latency_p99, latency_max,
        offered_load, accepted_load; no rows where there is one class, no latencies where the run has no mean."""
        rows = []
        for k in range(self._raw.classes if self._raw.classes > 1 else 0):
            of = self._raw.by_class[k]
            times = [of.latency_sum / of.measured, *(lib.fatfly_class_quantile(self._raw, k, p) for p in (0.5, 0.99)),
                     of.latency_max] if self.end == "done" and of.measured else [None] * 4
            rows.append((of.worms, of.flits, of.measured, *times, self._load(of.offered_flits), self._load(of.accepted_flits)))
        return pd.DataFrame(rows, columns=["worms", "flits", "measured", "latency_mean", "latency_p50", "latency_p99",
                                           "latency_max", "offered_load", "accepted_load"])

    @property
    def occupied(self) -> np.ndarray:
        """Queues found with 0, 1, .. flits, over all samples."""
        return np.frombuffer(ffi.buffer(self._raw.occupied), dtype=np.uint64).copy()

    @property
    def levels(self) -> pd.DataFrame:
        """A row a level and direction of links: links, flits, worms, waited, occupancy, and use of a link."""
        rows = [(way, level, *(getattr(links, field) for field in ("links", "flits", "worms", "waited", "occupancy")))
                for way, array in (("up", self._raw.up), ("down", self._raw.down))
                for level, links in enumerate(array) if links.links]
        frame = pd.DataFrame(rows, columns=["way", "level", "links", "flits", "worms", "waited", "occupancy"])
        cycles = self._raw.measure_cycles or self._raw.cycles
        frame["use"] = frame["flits"] / (frame["links"] * self._link * max(1, cycles))
        return frame.set_index(["way", "level"])

    def to_dict(self) -> dict[str, Any]:
        """Scalars alone, for a row of a table."""
        row = {name: getattr(self._raw, name) for name in _SCALARS if name != "end"}
        mean = self.latency_mean
        if mean is None:
            row["latency_max"] = None
        p50, p99 = (None, None) if mean is None else (self.quantile(0.5), self.quantile(0.99))
        return {"end": self.end, "digest": self.digest, "latency_mean": mean, "latency_p50": p50, "latency_p99": p99, "offered_load": self.offered_load,
                "accepted_load": self.accepted_load, **row}


class _Poll:
    """What the library calls back: an exception of the function, or Ctrl-C, ends the run."""

    def __init__(self, function: Optional[Callable[[int, int], Any]]):
        self.function = function
        self.error: Optional[BaseException] = None


def _poll_error(kind: Any, value: BaseException, trace: Any) -> bool:
    del kind
    context = trace.tb_frame.f_locals.get("context")
    if context is not None:
        ffi.from_handle(context).error = value
    return False


@ffi.def_extern(onerror=_poll_error)  # type: ignore[misc]
def fatfly_python_poll(context: Any, cycle: int, delivered: int) -> bool:
    """Called every few thousand cycles."""
    function = ffi.from_handle(context).function
    return function is None or function(cycle, delivered) is not False


def _run(config: Config, poll: Optional[Callable[[int, int], Any]]) -> Result:
    why = ffi.new("char[]", WHY)
    raw = ffi.new("struct fatfly_result *")
    hooks = ffi.NULL
    state = _Poll(poll)
    handle = ffi.new_handle(state)
    hooks = ffi.new("struct fatfly_hooks *", {"poll": lib.fatfly_python_poll, "context": handle})
    status = lib.fatfly_run(config.c, hooks, raw, why, WHY)
    if state.error is not None:
        raise state.error
    if status == lib.FATFLY_DEADLOCK and raw.end == lib.FATFLY_DEADLOCKED:
        raise Deadlock(text(why), Result(config, raw))
    raise_for(status, why)
    return Result(config, raw)


def seeded(settings: dict[str, Any], k: int) -> Config:
    """The configuration of run k of an experiment."""
    config = Config(settings)
    config.c.seed = lib.fatfly_run_seed(config.c.seed, k)
    return config


def run(*, poll: Optional[Callable[[int, int], Any]] = None, **settings: Any) -> Result:
    """One run, run 0 of `fatfly run` with this seed.  poll(cycle, delivered): False ends it with Stopped."""
    result = _run(seeded(settings, 0), poll)
    if result.end == "stopped":
        raise Stopped(result)
    return result


def threads(jobs: Optional[int]) -> int:
    """Threads of several runs: jobs of them, or one a core."""
    return os.cpu_count() or 1 if jobs is None else at_least_one("jobs", jobs)


def at_least_one(name: str, count: int) -> int:
    """A number of runs or threads."""
    return _within(name, count, 1, (1 << 32) - 1)


def several(configs: Sequence[Config], workers: int, done: Callable[[], Any] = lambda: None) -> list[Result]:
    """The runs, in their order, on so many threads; done() after each.  Ctrl-C, or an exception, ends all of them."""
    stop = threading.Event()

    def one(config: Config) -> Result:
        result = _run(config, lambda cycle, delivered: not stop.is_set())
        done()
        return result

    with ThreadPoolExecutor(workers) as pool:
        try:
            return list(pool.map(one, configs))
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def runs(count: int, *, jobs: Optional[int] = None, **settings: Any) -> list[Result]:
    """Independent runs with the seeds of `fatfly run --runs`, on `jobs` threads (default: one a core)."""
    workers = threads(jobs)
    configs = [seeded(settings, k) for k in range(at_least_one("count", count))]
    return several(configs, workers)


def digest(results: Iterable[Result]) -> str:
    """What `fatfly run` prints for these runs, in their order."""
    mixed = 0
    for result in results:
        mixed = lib.rng_hash(mixed ^ int(result.digest, 16))
    return f"{mixed:016x}"


def check(**settings: Any) -> None:
    """ValueError with one sentence unless the library takes these settings."""
    config, why = Config(settings), ffi.new("char[]", WHY)  # a name: what config.c points to lives as long as config
    raise_for(lib.fatfly_check(config.c, why, WHY), why)


def deadlock_free(**settings: Any) -> int:
    """The longest chain of channels that can wait for each other; Deadlock with a circle if there is one."""
    config, why, longest = Config(settings), ffi.new("char[]", WHY), ffi.new("uint32_t *")
    raise_for(lib.fatfly_deadlock_free(config.c, longest, ffi.NULL, why, WHY), why)
    return int(longest[0])


def memory(**settings: Any) -> int:
    """Bytes that a run will need: fatfly_memory(), whose comment in fatfly.h says how near."""
    config = Config(settings)
    return int(lib.fatfly_memory(config.c))
