# SPDX-License-Identifier: Apache-2.0
"""_sweep.py - a grid of settings as a pandas frame."""
from __future__ import annotations

import importlib
import itertools
from typing import Any, Mapping, Optional, Sequence

import pandas as pd

from ._run import seeded, several, at_least_one, threads

UNITS = {"load": "flits per cycle and processor", "offered_load": "flits per cycle and processor",
         "accepted_load": "flits per cycle and processor", "latency_mean": "cycles", "latency_p50": "cycles",
         "latency_p99": "cycles", "latency_max": "cycles", "latency_sum": "cycles", "wait_sum": "cycles",
         "source_wait": "cycles", "blocked": "cycles", "last_arrival": "cycle, from 0", "cycles": "cycles",
         "simulated_cycles": "cycles", "measure_from": "cycle", "measure_cycles": "cycles", "length": "flits", "depth": "flits",
         "flits": "flits", "flit_hops": "flits over links", "offered_flits": "flits", "accepted_flits": "flits",
         "worms": "worms", "measured": "worms", "self_worms": "worms", "congestion": "worms", "dilation": "links",
         "algorithm_rounds": "rounds", "samples": "samples"}


def _bar(total: int, progress: bool) -> Any:
    if not progress:
        return None
    try:
        return importlib.import_module("tqdm.auto").tqdm(total=total, unit="run")
    except ImportError:
        return None


def sweep(grid: Mapping[str, Sequence[Any]], *, runs: int = 1, jobs: Optional[int] = None, progress: bool = False,
          **settings: Any) -> pd.DataFrame:
    """Every combination of the grid's values, `runs` runs of each: a row a run.

    The columns are the grid's settings, `run`, and those of Result.to_dict(); frame.attrs["units"] has their units.
    Where the grid has `cycles`, that column is the grid's, and the cycles of a run are `simulated_cycles`.
    The rows do not depend on jobs, the number of threads (default: one a core).  progress shows a bar where tqdm is installed.
    """
    if not isinstance(grid, Mapping):
        raise TypeError(f"grid of {type(grid).__name__}; allowed: a mapping from settings to lists of values")
    for name, values in grid.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Sequence) and not hasattr(values, "__len__"):
            raise TypeError(f"grid['{name}'] = {values!r}; allowed: a list of values")
        if name in settings:
            raise TypeError(f"'{name}' is in the grid and beside it; allowed: one of them")
    runs = at_least_one("runs", runs)
    workers = threads(jobs)
    points = [dict(zip(grid, values)) for values in itertools.product(*grid.values())]
    work = [(point, k) for point in points for k in range(runs)]
    configs = [seeded({**settings, **point}, k) for point, k in work]
    bar = _bar(len(work), progress)

    results = several(configs, workers, bar.update if bar is not None else lambda: None)
    if bar is not None:
        bar.close()
    other = {"cycles": "simulated_cycles"} if "cycles" in grid else {}
    frame = pd.DataFrame([{**point, "run": k, **{other.get(name, name): value for name, value in result.to_dict().items()}}
                          for (point, k), result in zip(work, results)])
    frame.attrs["units"] = {column: UNITS[column] for column in frame if column in UNITS}
    return frame
