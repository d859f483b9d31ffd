# SPDX-License-Identifier: Apache-2.0
"""fatfly - networks of butterfly fat-tree switches, tori, meshes and other graphs, simulated cycle by cycle.

    import fatfly
    result = fatfly.run(nodes=64, length=32, load=0.1)
    print(result.latency_mean, "cycles", result.digest)
    frame = fatfly.sweep({"load": [0.02, 0.05, 0.1], "nodes": [64, 256]}, runs=10)

Settings have the names of struct fatfly_config in fatfly.h and the values of the command line; a wrong one
is a TypeError or a ValueError with the library's sentence.  The same settings and seed give the digest of
`fatfly run`.  Loads are flits per cycle and processor, times are cycles.
"""
from ._config import NAMES, VERSION, Message, names
from ._model import estimate, model, saturation
from ._run import Deadlock, Result, Stopped, check, deadlock_free, digest, memory, run, runs
from ._session import Delivery, Session, Snapshot
from ._sweep import UNITS, sweep
from ._switch import Flit, Switch, Wires, head

__version__ = VERSION
__all__ = ["NAMES", "UNITS", "Deadlock", "Delivery", "Flit", "Message", "Result", "Session", "Snapshot", "Stopped", "Switch", "Wires", "check", "deadlock_free", "digest",
           "estimate", "head", "memory", "model", "names", "run", "runs", "saturation", "sweep"]
