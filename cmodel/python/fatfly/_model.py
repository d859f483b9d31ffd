# SPDX-License-Identifier: Apache-2.0
"""_model.py - the model of Greenberg and Guan, and `fatfly estimate`."""
from __future__ import annotations

import io
import os
import shutil
import subprocess
from typing import Any, Iterable, Optional, Union

import numpy as np
import pandas as pd

from ._config import _number, _whole
from ._fatfly import ffi, lib


def _levels(nodes: int) -> int:
    _whole("nodes", nodes, 32)
    levels = (int(nodes).bit_length() - 1) // 2
    if not 1 <= levels <= lib.FATFLY_MAX_LEVELS or 4 ** levels != nodes:
        raise ValueError(f"nodes = {nodes}; allowed: 4^n with n = 1 to {lib.FATFLY_MAX_LEVELS}")
    return levels


def saturation(nodes: int = 1024) -> float:
    """Saturation load of the butterfly fat-tree (GG 26), flits per cycle and processor."""
    return float(lib.gg_saturation(_levels(nodes)))


def model(nodes: int = 1024, length: int = 32, load: Union[float, Iterable[float], None] = None) -> pd.DataFrame:
    """Latency by the model (GG 12 to 25), a row a load; default: ten loads up to 95 % of saturation.

    latency = wait + service + distance - 1, all in cycles.  Above saturation these are missing.
    """
    levels = _levels(nodes)
    if not 1 <= _whole("length", length, 32) <= lib.FATFLY_MAX_LENGTH:
        raise ValueError(f"length = {length}; allowed: 1 to {lib.FATFLY_MAX_LENGTH}")
    if load is None:
        loads = [0.95 * saturation(nodes) * k / 10 for k in range(1, 11)]
    else:
        loads = [_number("load", one) for one in (load if isinstance(load, Iterable) else [load])]
    rows = []
    for one in loads:
        r = ffi.new("struct gg_result *")
        if not 0 <= one <= 1:
            raise ValueError(f"load = {one:g}; allowed: 0 to 1")
        status = lib.gg_fat_tree(levels, length, one, r)
        fine = status == lib.GG_OK
        rows.append({"load": one, "saturated": not fine, "latency": r.latency if fine else None,
                     "wait": r.wait if fine else None, "service": r.service if fine else None, "distance": r.distance})
    frame = pd.DataFrame(rows, columns=["load", "saturated", "latency", "wait", "service", "distance"])
    frame.attrs["units"] = {"load": "flits per cycle and processor", "latency": "cycles", "wait": "cycles",
                            "service": "cycles", "distance": "links"}
    return frame


def estimate(command: Optional[str] = None, **options: Any) -> pd.DataFrame:
    """`fatfly estimate` as a frame: area and clock beside latency and saturation.

    Options as on the command line, with _ for -; True: one without a value; None and False count as not given.
    command: the program, default $FATFLY or the one in PATH.
    """
    program = command or os.environ.get("FATFLY") or shutil.which("fatfly")
    if not program:
        raise FileNotFoundError("fatfly: the command is not in PATH; allowed: command=, $FATFLY, or `make install`")
    words = [program, "estimate", "--format", "csv"]
    for name, value in options.items():
        flag = isinstance(value, (bool, np.bool_))
        if value is not None and (not flag or value):
            words += ["--" + name.replace("_", "-")] + ([] if flag else [str(value)])
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"fatfly estimate ended with code {done.returncode}")
    return pd.read_csv(io.StringIO(done.stdout))
