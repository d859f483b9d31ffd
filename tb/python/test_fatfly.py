# SPDX-License-Identifier: Apache-2.0
"""test_fatfly.py - the Python package against the command, and as its users meet it."""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pandas as pd
import pytest

import fatfly

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("FATFLY", str(ROOT / "build" / "fatfly"))

SAME = [
    {"nodes": 64, "load": 0.1, "cycles": 5000},
    {"nodes": 256, "length": 4, "path": "gp", "scan": "rot", "pattern": "complement"},
    {"vcs": 2, "scan": "ff", "depth": 4, "load": 0.05, "cycles": 2000, "warmup": 500},
    {"discipline": "store", "nodes": 64, "length": 8},
    {"discipline": "univ", "nodes": 64},
    {"discipline": "split", "nodes": 16, "length": 8},
    {"discipline": "cmsv1", "topology": "butterfly", "nodes": 64, "link_bandwidth": 2, "length": 5},
    {"topology": "torus", "radix": 4, "length": 5, "load": 0.1, "cycles": 3000},
    {"topology": "mesh", "nodes": 27, "dimensions": 3, "length": 5},
    {"topology": "butterfly", "nodes": 16, "discipline": "store", "length": 1, "pattern": "packing"},
    {"hotspot_node": 3, "hotspot": 0.1},
    {"lengths": "geometric", "length": 40, "length_min": 2},
]


def command(settings):
    words = [COMMAND, "run", "--runs", "1", "--format", "json"]
    for name, value in settings.items():
        words += ["--" + name.replace("_", "-"), str(value)]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("settings", SAME, ids=lambda s: "-".join(map(str, s.values())))
def test_same_digest_as_the_command(settings):
    result = fatfly.run(**settings)
    told = command(settings)
    assert fatfly.digest([result]) == told["digest"]
    assert result.cycles == told["cycles"] and result.flit_hops == told["flit_hops"]


# What follows from other settings, at more than one of their values.
FOLLOWS = [
    *({"lengths": "geometric", "length": length, "length_min": least, "load": 0.1, "cycles": 3000} for length, least in ((9, 2), (8, 3), (1, 1), (40, 39))),
    *({"discipline": "univ", "nodes": nodes, "length": 2} for nodes in (4, 16, 256)),
    *({"topology": "torus", "length": 3, **size} for size in ({"nodes": 27, "dimensions": 3}, {"nodes": 64, "radix": 8}, {"nodes": 64, "radix": 4},
                                                              {"nodes": 125, "radix": 5}, {"radix": 3, "dimensions": 4}, {"nodes": 49})),
    *({"load": 0.05, "cycles": 2000, "warmup": warmup} for warmup in (0, 1, 700)),
]


@pytest.mark.parametrize("settings", FOLLOWS, ids=lambda s: "-".join(map(str, s.values())))
def test_what_follows_is_as_in_the_command(settings):
    result = fatfly.run(**settings)
    assert fatfly.digest([result]) == command(settings)["digest"]


# Of a column and a result that have one name but not one meaning: the digest of all runs; of one.
OTHER = {"digest"}


@pytest.mark.parametrize("settings", [*SAME, *({**s, "load": 0.05, "cycles": 2000} for s in SAME if "load" not in s and s.get("discipline", "store") in ("store", "split")),
                                      {"discipline": "store", "topology": "mesh", "radix": 4, "nodes": 16, "length": 3, "vcs": 1},
                                      {"discipline": "univ", "nodes": 16, "length": 7, "rounds": 3}, {"discipline": "split", "nodes": 64, "length": 5, "rounds": 2},
                                      {"load": 0.9, "cycles": 2000}, {"nodes": 16, "rounds": 4, "max_cycles": 100}],
                         ids=lambda s: "-".join(map(str, s.values())))
def test_same_numbers_as_the_command(settings):
    same_numbers(settings)


@pytest.mark.parametrize("topology", ["fat-tree", "butterfly", "torus", "mesh", "hypercube"])
def test_same_numbers_of_each_discipline(topology):
    disciplines = ["worm", "store", "univ", "split", "phased", "cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol", "cmsv-butterfly"]
    taken = []
    for discipline in disciplines:
        settings = {"topology": topology, "nodes": 16, "discipline": discipline, "length": 6}
        try:
            fatfly.run(**settings)
        except ValueError:
            continue
        same_numbers(settings)
        taken.append(discipline)
    assert len(taken) == {"fat-tree": 9, "butterfly": 8}.get(topology, 7), taken


def same_numbers(settings):
    mine, told = fatfly.run(**settings).to_dict(), command(settings)
    both = (mine.keys() & told.keys()) - OTHER
    assert {"accepted_load", "latency_mean", "latency_p50", "latency_p99", "latency_max", "measured", "dilation", "end"} <= both
    for name in both:
        if told[name] is None:
            assert mine[name] is None or not mine[name] and not name.startswith("latency"), name  # or a count of what was not measured
        elif isinstance(told[name], str):
            assert mine[name] == told[name], name
        else:
            assert mine[name] == pytest.approx(told[name], rel=1e-9), name


@pytest.mark.parametrize("bandwidth", ["fixed-share", "on-demand"])
@pytest.mark.parametrize("settings", [{"topology": "torus", "radix": 4}, {"topology": "mesh", "radix": 4, "dimensions": 3},
                                      {"topology": "hypercube", "nodes": 16}, {"topology": "butterfly", "nodes": 16}])
def test_use_of_links_is_what_the_command_says(settings, bandwidth):
    for vcs, lanes in [(v, b) for v in (2, 3, 5, 8) for b in (1, 2, 3, 5)]:
        given = {**settings, "vcs": vcs, "link_bandwidth": lanes, "bandwidth": bandwidth, "load": 0.1, "length": 4, "cycles": 1000, "warmup": 100}
        levels = fatfly.run(**given).levels
        words = [word for name, value in given.items() for word in ("--" + name.replace("_", "-"), str(value))]
        said = subprocess.run([COMMAND, "run", "--runs", "1", *words], check=True, capture_output=True, text=True).stdout
        table = sorted((int(links), float(use)) for links, use in re.findall(r"^.* (\d+) +([\d.]+) % ", said, re.MULTILINE))
        mine = sorted((int(links), 100 * use) for links, use in zip(levels.links, levels.use))
        assert [links for links, _ in table] == [links for links, _ in mine], said
        assert [use for _, use in mine] == pytest.approx([use for _, use in table], abs=0.0501), (vcs, lanes)


@pytest.mark.parametrize("settings", [{"nodes": 64, "load": 0.1}, {"nodes": 256, "vcs": 2, "load": 0.06, "length": 8}, {"topology": "mesh", "radix": 5, "load": 0.1},
                                      {"topology": "butterfly", "nodes": 16, "load": 0.1}, {"topology": "hypercube", "nodes": 16, "load": 0.1, "length": 4},
                                      {"nodes": 4**7, "load": 0.01, "length": 2, "cycles": 512}, {"topology": "butterfly", "nodes": 1 << 13, "load": 0.02, "length": 2, "cycles": 512}])
def test_tables_are_those_of_the_command(settings):
    """Each cell by its own label, where no two rows are alike."""
    given = {"cycles": 4000, "warmup": 512, **settings}
    result = fatfly.run(**given)
    words = [word for name, value in given.items() for word in ("--" + name.replace("_", "-"), str(value))]
    told = json.loads(subprocess.run([COMMAND, "run", "--runs", "1", "--format", "json", *words], check=True, capture_output=True, text=True).stdout)
    levels, rows = result.levels, [row for row in told["levels"] if row["links"]]
    assert sorted(levels.index) == sorted((row["direction"], row["level"]) for row in rows)
    for row in rows:
        mine = levels.loc[(row["direction"], row["level"])]
        cells = (mine.links, mine.use, mine.waited / mine.worms, mine.occupancy / mine.links / result.samples)
        want = (row["links"], row["utilisation"], row["wait_mean"], row["queued_mean"])
        assert cells == pytest.approx(want, rel=1e-9), row
    assert len({(row["utilisation"], row["wait_mean"]) for row in rows}) == len(rows)
    assert (result.occupied[: len(told["queue_shares"])] / result.occupied.sum()).tolist() == pytest.approx(told["queue_shares"], rel=1e-9)
    counts = {low: count for low, count in told["histogram"]}
    assert {int(low): int(count) for low, count in zip(result.histogram.index, result.histogram) if count} == counts


@pytest.mark.parametrize("settings", [{"class_length": [1, 5]}, {"class_length": [7, 2, 3], "class_share": [1, 4, 2]}, {"reply": [5], "length": 3},
                                      {"class_length": [4, 2], "reply": [3, 6], "reply_delay": 9}], ids=str)
@pytest.mark.parametrize("network", [{"nodes": 64}, {"topology": "mesh", "radix": 4, "vcs": 4}], ids=str)
def test_every_column_of_the_classes(settings, network):
    """Those that the command has are its; the others add up to what the run has.  The warm-up is a half of the run: what is
    measured is not all."""
    given = {"classes": len(settings.get("class_length", [1])), **network, **settings, "load": 0.15, "cycles": 3000, "warmup": 3000}
    words = [word for name, value in given.items() for word in
             ("--" + name.replace("_", "-"), ",".join(map(str, value)) if isinstance(value, list) else str(value))]
    told = json.loads(subprocess.run([COMMAND, "run", "--runs", "1", "--format", "json", *words], check=True, capture_output=True, text=True).stdout)
    result = fatfly.run(**given)
    table, own = result.classes, set()
    assert len(table) == given["classes"] * (2 if "reply" in given else 1) > 1 and (table.worms > table.measured + 99).all()
    for k, row in enumerate(table.itertuples()):
        cells = {name.removeprefix(f"class{k}_"): value for name, value in told.items() if re.match(f"class{k}_", name)}
        assert len(cells) > 5 and {name: getattr(row, name) for name in cells} == pytest.approx(cells, rel=1e-9), k
        own |= set(table.columns) - set(cells)
    assert own == {"worms", "flits", "offered_load"}
    assert (table.worms.sum(), table.flits.sum()) == (result.worms, result.flits)
    assert table.offered_load.sum() == pytest.approx(result.offered_load, rel=1e-9)
    assert table.offered_load.tolist() == pytest.approx(table.accepted_load.tolist(), rel=0.1)


@pytest.mark.parametrize("settings", [{"load": 0.9}, {"load": 0.1, "max_cycles": 400}, {"load": 0.02, "class_share": [1, 1e-6]}], ids=str)
def test_no_latencies_of_classes_without_a_mean(settings):
    given = {"nodes": 16, "length": 4, "cycles": 1000, "warmup": 200, **({} if "class_share" in settings else {"reply": [3]}), **settings}
    given["classes"] = len(given.get("class_share", [1]))
    words = [word for name, value in given.items() for word in
             ("--" + name.replace("_", "-"), ",".join(map(str, value)) if isinstance(value, list) else str(value))]
    told = json.loads(subprocess.run([COMMAND, "run", "--runs", "1", "--format", "json", *words], check=True, capture_output=True, text=True).stdout)
    table, none = fatfly.run(**given).classes, 0
    for k, row in enumerate(table.itertuples()):
        for name in ("latency_mean", "latency_p50", "latency_p99", "latency_max"):
            want, mine = told[f"class{k}_{name}"], getattr(row, name)
            assert pd.isna(mine) if want is None else mine == pytest.approx(want, rel=1e-9), (k, name)
            none += want is None
    assert none == (4 if "class_share" in given else 8)


def test_a_seed_matters():
    assert fatfly.run(seed=1).digest != fatfly.run(seed=2).digest


def test_runs_are_those_of_the_command_on_any_threads():
    path = subprocess.run([COMMAND, "run", "--runs", "3", "--format", "csv", "--nodes", "16"], check=True,
                          capture_output=True, text=True).stdout
    row = next(csv.DictReader(path.splitlines()))
    results = fatfly.runs(3, nodes=16, jobs=3)
    assert [r.digest for r in results] == [r.digest for r in fatfly.runs(3, nodes=16, jobs=1)]
    assert fatfly.digest(results) == row["digest"] and sum(r.flit_hops for r in results) == int(row["flit_hops"])


def test_a_sweep_is_its_runs():
    frame = fatfly.sweep({"load": [0.02, 0.05], "nodes": np.array([16, 64])}, runs=2, cycles=2000)
    assert list(frame.columns[:3]) == ["load", "nodes", "run"] and len(frame) == 8
    row = frame[(frame.load == 0.05) & (frame.nodes == 64) & (frame.run == 1)].iloc[0]
    assert row.digest == fatfly.runs(2, nodes=64, load=0.05, cycles=2000)[1].digest
    assert frame.attrs["units"]["latency_mean"] == "cycles"


def test_a_grid_of_cycles_keeps_its_column():
    frame = fatfly.sweep({"cycles": [1000, 2000]}, runs=2, nodes=16, load=0.1)
    assert list(frame.cycles) == [1000, 1000, 2000, 2000]
    ran = [r.cycles for cycles in (1000, 2000) for r in fatfly.runs(2, nodes=16, load=0.1, cycles=cycles)]
    assert list(frame.simulated_cycles) == ran and min(ran) > 1000
    assert frame.attrs["units"]["simulated_cycles"] == frame.attrs["units"]["cycles"] == "cycles"
    beside = fatfly.sweep({"nodes": [16]}, load=0.1, cycles=1000)
    assert list(beside.cycles) == ran[:1] and "simulated_cycles" not in beside
    assert {*fatfly._config.SETTINGS, "run"} & set(fatfly.run(nodes=4).to_dict()) == {"cycles"}


def test_numbers_of_a_result():
    result = fatfly.run(nodes=64, load=0.1, length=16, cycles=5000)
    assert result.end == "done" and result.measured == result.histogram.sum()
    assert result.latency_mean == pytest.approx(result.latency_sum / result.measured)
    assert abs(result.accepted_load - 0.1) < 0.02 and result.quantile(0.5) <= result.quantile(0.99) <= result.latency_max
    up = result.levels.loc[("up", 0)]
    assert up.links == 64 and 0.05 < up.use < 0.2
    use = {b: fatfly.run(topology="torus", radix=4, load=0.2, length=4, cycles=3000, link_bandwidth=b).levels.use.max() for b in (1, 4)}
    assert use[4] == pytest.approx(use[1] / 2, rel=0.05) and 0 < use[1] < 1  # two channels fill two lanes
    for most, lanes, vcs, bandwidth in [(1, 1, 3, "fixed-share"), (3 / 2, 2, 3, "fixed-share"), (5 / 2, 3, 5, "fixed-share"), (7 / 3, 3, 7, "fixed-share"),
                                        (4, 4, 4, "fixed-share"), (2, 2, 3, "on-demand"), (2, 5, 2, "on-demand")]:
        fixed = {"topology": "torus", "radix": 4, "load": 0.1, "length": 4, "cycles": 3000, "vcs": vcs, "bandwidth": bandwidth}
        shared = fatfly.run(**fixed, link_bandwidth=lanes)
        a_cycle = shared.levels.flits / shared.levels.links / shared.measure_cycles  # of at most so many
        assert (shared.levels.use * most).tolist() == pytest.approx(a_cycle.tolist()) and a_cycle.max() > 0.05, (lanes, vcs, bandwidth)
    static = fatfly.run(nodes=16, length=4, rounds=3)
    assert static.accepted_load == pytest.approx(static.flits / (static.last_arrival + 1) / 16)
    assert fatfly.run(nodes=16, pattern="identity").accepted_load is None
    assert fatfly.run(topology="torus", nodes=64, radix=4).digest == fatfly.run(topology="torus", dimensions=3, radix=4).digest
    assert fatfly.run(nodes=64, load=0.9, cycles=20000).to_dict()["latency_p50"] is None
    assert set(result.to_dict()) >= {"end", "digest", "latency_p99", "congestion"}
    assert "digest" in dir(result) and result.digest in repr(result)
    with pytest.raises(AttributeError, match="'latency' *; it has: accepted_flits"):
        result.latency


@pytest.mark.parametrize("call", ["runs(4, jobs=2, nodes=64, load=0.1, length=4, cycles=10**11, max_cycles=10**11)",
                                  "sweep({'load': [0.1, 0.2]}, jobs=2, nodes=64, length=4, cycles=10**11, max_cycles=10**11)"])
def test_interrupt_ends_several_runs(call):
    code = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" \
           f"import fatfly; print('begins', flush=True)\ntry:\n    fatfly.{call}\nexcept KeyboardInterrupt:\n    print('interrupted')"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begins\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        try:
            assert child.communicate(timeout=60)[0] == "interrupted\n" and child.returncode == 0
        finally:
            child.kill()


def test_an_exception_ends_several_runs():
    def done():
        raise OverflowError("enough")
    configs = [fatfly._run.seeded({"nodes": 64, "load": 0.1, "cycles": 1000}, k) for k in range(3)]
    with pytest.raises(OverflowError, match="enough"):
        fatfly._run.several(configs, 2, done)


def test_saturated_has_no_mean():
    result = fatfly.run(nodes=64, load=0.9, cycles=20000)
    assert result.end == "saturated" and result.latency_mean is None


def test_deadlock_has_what_was_done():
    settings = {"topology": "torus", "radix": 4, "path": "minimal-adaptive", "vcs": 1, "length": 32, "rounds": 8}
    with pytest.raises(fatfly.Deadlock, match="wait in a circle") as caught:
        fatfly.run(**settings)
    assert caught.value.result is None
    with pytest.raises(fatfly.Deadlock, match="deadlock in cycle [0-9]+: worm ") as caught:
        fatfly.run(force=True, **settings)
    result = caught.value.result
    words = [COMMAND, "run", "--runs", "1", "--force", "--format", "json"]
    for name, value in settings.items():
        words += ["--" + name, str(value)]
    told = subprocess.run(words, check=False, capture_output=True, text=True)
    said = json.loads(told.stdout)
    assert told.returncode == 1 and result.end == said["end"] == result.to_dict()["end"] == "deadlock"
    assert (fatfly.digest([result]), result.cycles, result.flit_hops) == (said["digest"], said["cycles"], said["flit_hops"])
    assert result.latency_mean is None and "deadlock" in repr(result)
    assert len(fatfly._run.ENDS) == fatfly._run.lib.FATFLY_ENDS


def test_messages_graph_permutation(tmp_path):
    messages = [(0, 0, 5, 4), fatfly.Message(3, 1, 2, 7)]
    assert fatfly.run(nodes=16, messages=messages).flits == 11
    assert fatfly.run(nodes=16, permutation=np.arange(16)[::-1]).digest == fatfly.run(nodes=16, pattern="complement").digest
    assert fatfly.run(nodes=4, messages=[]).worms == 0


def test_matrix_and_mix():
    weights = np.zeros((16, 16))
    weights[np.arange(16), np.arange(16)[::-1]] = 2
    assert fatfly.run(nodes=16, matrix=weights, rounds=2).worms == 32
    result = fatfly.run(nodes=16, mix={3: 1, 9: 1}, rounds=50)
    assert 800 * 4 < result.flits < 800 * 8


def test_arrays_that_do_not_lie_in_the_order_of_their_rows():
    w = np.random.default_rng(3).random((16, 16)) * np.arange(1, 17) ** 2   # far from symmetric; columns differ
    np.fill_diagonal(w, 0)
    wide = np.zeros((32, 48))
    wide[::2, ::3] = w.T
    of = {"nodes": 16, "length": 4, "load": 0.02, "cycles": 2000}
    want = {name: fatfly.run(matrix=rows, **of).digest for name, rows in (("w", w.copy()), ("w.T", w.T.copy()))}
    assert want["w"] != want["w.T"]
    for name, rows in (("w.T", w.T), ("w", np.asfortranarray(w)), ("w", w[::-1].copy()[::-1]), ("w", w[:, ::-1].copy()[:, ::-1]),
                       ("w.T", wide[::2, ::3]), ("w", pd.DataFrame(w)), ("w.T", pd.DataFrame(w).T), ("w", w.tolist())):
        assert fatfly.run(matrix=rows, **of).digest == want[name], (name, type(rows))
    w = np.round(w).astype(np.float32)
    assert fatfly.run(matrix=w.T, **of).digest == fatfly.run(matrix=w.T.astype(int).copy(), **of).digest

    p = np.random.default_rng(4).permutation(16)
    of = {"nodes": 16, "length": 4, "rounds": 5}
    want = fatfly.run(permutation=p[::-1].tolist(), **of).digest
    assert want != fatfly.run(permutation=p.tolist(), **of).digest
    of_two = np.stack([p[::-1], p])
    for one in (p[::-1], p.astype(np.uint32)[::-1], np.repeat(p, 3)[::-3], of_two.T.copy()[:, 0], pd.Series(p)[::-1]):
        assert fatfly.run(permutation=one, **of).digest == want, type(one)

    m = np.array([(ready, src, 15 - src, 2 + src) for ready in (0, 7) for src in range(8)])
    want = fatfly.run(nodes=16, messages=m.tolist()).digest
    assert want != fatfly.run(nodes=16, messages=m[:8].tolist()).digest
    for rows in (m, np.asfortranarray(m), m[::-1].copy()[::-1], np.repeat(m, 2, axis=0)[::2], m.T.copy().T):
        assert fatfly.run(nodes=16, messages=rows).digest == want


def test_classes():
    result = fatfly.run(nodes=16, rounds=20, classes=2, class_length=[1, 5], reply=[5, 1], outstanding=2)
    worms = list(result.classes["worms"])
    assert worms[:2] == worms[2:] and sum(worms) == result.worms == 2 * 16 * 20
    assert list(result.classes["flits"]) == [worms[0], 5 * worms[1], 5 * worms[0], worms[1]]
    assert fatfly.run(nodes=16).classes.empty
    both = fatfly.run(nodes=16, rounds=20, classes=2, class_pattern=["tornado", "tornado"])
    assert both.digest == fatfly.run(nodes=16, rounds=20, classes=2, pattern="tornado").digest
    assert both.digest != fatfly.run(nodes=16, rounds=20, classes=2, class_pattern=["tornado", "random"]).digest
    back = list(range(15, -1, -1))
    by_table = fatfly.run(nodes=16, rounds=20, classes=2, class_pattern=["permutation", "permutation"], permutation=back)
    assert by_table.digest == fatfly.run(nodes=16, rounds=20, classes=2, pattern="complement").digest
    session = fatfly.Session(nodes=16, classes=2)
    session.send(0, 5, 3, of_class=1)
    session.advance()
    assert session.poll().of_class == 1


def test_channels_of_parts_are_those_of_the_command():
    for topology, radix, reply, channels in (("torus", 4, None, 4), ("mesh", 4, [5, 1], 2), ("torus", 8, [5, 1], 4)):
        words = ["--topology", topology, "--radix", str(radix), "--classes", "2", "--class-length", "1,5", "--class-channels", "reserved",
                 "--load", "0.1", "--cycles", "1000"] + (["--reply", "5,1"] if reply else [])
        told = json.loads(subprocess.run([COMMAND, "run", "--runs", "1", "--format", "json", *words], check=True, capture_output=True, text=True).stdout)
        given = {"topology": topology, "radix": radix, "classes": 2, "class_length": [1, 5], "class_channels": "reserved", "reply": reply,
                 "load": 0.1, "cycles": 1000}
        assert told["vcs"] == channels
        assert fatfly.digest([fatfly.run(**given)]) == fatfly.digest([fatfly.run(vcs=channels, **given)]) == told["digest"]


WRONG = [
    ({"matrix": [["a"]]}, TypeError, "matrix of <U1; allowed: numbers"),
    ({"mix": {}}, ValueError, "mix of 0 lengths; allowed: 1 to"),
    ({"reply": 5}, TypeError, "reply = 5 (int); allowed: a list with a value for each class"),
    ({"classes": 2, "class_pattern": ["tornado", "randm"]}, ValueError, "class_pattern = randm; allowed: random, "),
    ({"classes": 2, "class_pattern": ["random", "matrix"]}, ValueError, "class_pattern = matrix needs a table of 64 times 64 weights"),
    ({"classes": 2, "class_share": [1]}, ValueError, "class_share of 1 values; allowed: 2, one for each class"),
    ({"nods": 4}, TypeError, "'nods' is no setting; nearest: nodes"),
    ({"nodes": "64"}, TypeError, "nodes = '64' (str); allowed: a whole number"),
    ({"nodes": 64.0}, TypeError, "nodes = 64.0 (float); allowed: a whole number"),
    ({"nodes": True}, TypeError, "nodes = True (bool); allowed: a whole number"),
    ({"nodes": 65}, ValueError, "nodes = 65; allowed: 4^n for n = 1 to 12"),
    ({"depth": -1}, ValueError, "depth = -1; allowed: 0 to 4294967295"),
    ({"depth": 17}, ValueError, "depth = 17 flits; allowed: 1 to 16"),
    ({"depth": "many"}, TypeError, "depth = 'many' (str); allowed: a whole number"),
    ({"seed": 1 << 64}, ValueError, "seed = 18446744073709551616; allowed: 0 to 18446744073709551615"),
    ({"load": float("nan")}, ValueError, "load = nan; allowed: 0 to 1"),
    ({"load": "0.1"}, TypeError, "load = '0.1' (str); allowed: a number"),
    ({"path": "rr"}, ValueError, "path = rr; allowed: fp, rp, gp, rg, rw"),
    ({"path": 1}, TypeError, "path = 1 (int); allowed: a name"),
    ({"topology": "torrus"}, ValueError, "nearest: torus"),
    ({"whole": 1}, TypeError, "whole = 1 (int); allowed: True or False"),
    ({"permutation": [1, 2]}, ValueError, "permutation of 2 processors; allowed: 64, one a processor"),
    ({"permutation": [0.5] * 64}, TypeError, "permutation of float64; allowed: whole numbers"),
    ({"permutation": [-1] * 64}, ValueError, "permutation has -1 to -1"),
    ({"messages": [(0, 1)]}, ValueError, "messages[0] has 2 fields; allowed: ready, src, dst, length"),
    ({"messages": [(0, 1, 2, "x")]}, TypeError, "messages[0].length = 'x' (str); allowed: a whole number"),
    ({"messages": [(0, 1, 99, 3)]}, ValueError, "99"),
    ({"matrix": [[1.0]]}, ValueError, "matrix of shape (1, 1); allowed: (64, 64), a row a source"),
    ({"mix": [3]}, TypeError, "mix = [3] (list); allowed: a dict from flits to weights"),
    ({"permutation": range(64), "hotspot": 0.1}, ValueError, "permutation with hotspot; allowed: one of them, or a pattern that says"),
    ({"messages": [(0, 1, 2, 3)], "hotspot_node": 3}, ValueError, "messages with hotspot_node; allowed: one of them"),
    ({"matrix": np.ones((64, 64)), "hotspot": 0.1}, ValueError, "matrix with hotspot; allowed: one of them"),
    ({"matrix": np.ones((64, 64)), "permutation": range(64)}, ValueError, "permutation with matrix; allowed: one of them"),
    ({"topology": "graph", "graph": 3}, TypeError, "graph = 3 (int); allowed: its text, or a pathlib.Path"),
    ({"graph": "nodes 2"}, ValueError, "graph with topology = 'fat-tree'; allowed: only with graph"),
    ({"radix": 8}, ValueError, "radix with topology = 'fat-tree'; allowed: only with torus or mesh"),
    ({"topology": "torus", "radix": 4, "path": "minimal-adaptive", "vcs": 1}, fatfly.Deadlock, "wait in a circle"),
]


@pytest.mark.parametrize("settings,kind,says", WRONG, ids=lambda x: str(x)[:40])
def test_wrong_settings(settings, kind, says):
    with pytest.raises(kind) as caught:
        fatfly.run(**settings)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_pattern_says_which_of_two_counts():
    back = {"nodes": 16, "rounds": 5, "permutation": range(15, -1, -1)}
    both = {**back, "hotspot": 0.5, "hotspot_node": 3}
    assert fatfly.run(pattern="permutation", **both).digest == fatfly.run(**back).digest
    assert fatfly.run(pattern="hotspot", **both).digest == fatfly.run(nodes=16, rounds=5, hotspot=0.5, hotspot_node=3).digest


@pytest.mark.parametrize("call", [lambda jobs: fatfly.runs(2, nodes=4, jobs=jobs), lambda jobs: fatfly.sweep({"nodes": [4]}, jobs=jobs)],
                         ids=["runs", "sweep"])
def test_jobs_are_at_least_one(call):
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"jobs = {wrong}; allowed: 1 to"):
            call(wrong)
    for wrong in (True, 1.5):
        with pytest.raises(TypeError, match=f"jobs = {wrong} .*; allowed: a whole number"):
            call(wrong)
    for kind in (int, np.int64, np.uint8):
        assert len(fatfly.runs(kind(2), nodes=4, jobs=kind(1))) == len(fatfly.sweep({"nodes": [4]}, runs=kind(2), jobs=kind(1))) == 2
    assert len(call(np.int64(2))) == len(call(None))


def test_wrong_calls():
    with pytest.raises(ValueError, match="setting 'pth'"):
        fatfly.names("pth")
    with pytest.raises(TypeError, match="grid of list"):
        fatfly.sweep([1])
    with pytest.raises(TypeError, match="allowed: a list of values"):
        fatfly.sweep({"path": "rp"})
    with pytest.raises(TypeError, match="in the grid and beside it"):
        fatfly.sweep({"load": [0.1]}, load=0.2)
    with pytest.raises(ValueError, match="runs = 0"):
        fatfly.sweep({"load": [0.1]}, runs=0)
    with pytest.raises(ValueError, match="count = 0"):
        fatfly.runs(0)
    with pytest.raises(ValueError, match="nodes = 5; allowed: 4\\^n"):
        fatfly.model(5)
    with pytest.raises(ValueError, match="load = 2"):
        fatfly.model(64, load=2)
    with pytest.raises(ValueError, match="length = 0; allowed: 1 to"):
        fatfly.model(64, length=0)
    with pytest.raises(ValueError, match="share = 2; allowed: 0 to 1"):
        fatfly.run(nodes=4).quantile(2)
    for wrong in (True, 1.5, "2"):
        with pytest.raises(TypeError, match=f"count = '?{wrong}'? .*; allowed: a whole number"):
            fatfly.runs(wrong)
        with pytest.raises(TypeError, match=f"runs = '?{wrong}'? .*; allowed: a whole number"):
            fatfly.sweep({"nodes": [4]}, runs=wrong)
        with pytest.raises(TypeError, match=f"cycle = '?{wrong}'? .*; allowed: a whole number"):
            fatfly.Session(nodes=4).advance(wrong)
    for wrong in (-1, 1 << 64):
        with pytest.raises(ValueError, match=f"cycle = {wrong}; allowed: 0 to 18446744073709551615"):
            fatfly.Session(nodes=4).advance(wrong)
    assert fatfly.model(64, load=[]).columns.equals(fatfly.model(64).columns)


def test_poll():
    seen = []
    with pytest.raises(fatfly.Stopped) as caught:
        fatfly.run(nodes=64, load=0.05, cycles=10**6, poll=lambda cycle, delivered: seen.append(cycle) or cycle < 20000)
    assert caught.value.result.end == "stopped" and len(seen) > 1

    def wrong(cycle, delivered):
        raise KeyError(cycle)
    with pytest.raises(KeyError):
        fatfly.run(nodes=64, load=0.05, poll=wrong)


def test_a_poll_that_returns_nothing_lets_it_run():
    seen = []
    result = fatfly.run(nodes=64, load=0.05, cycles=50000, poll=lambda cycle, delivered: seen.append((cycle, delivered)))
    assert result.end == "done" and len(seen) > 2 and seen == sorted(seen) and seen[-1][1] <= result.worms


def test_before_a_run():
    fatfly.check(nodes=64, path="gp")
    with pytest.raises(ValueError, match="depth = 17 flits"):
        fatfly.check(depth=17)
    torus = {"topology": "torus", "radix": 4, "vcs": 2}
    assert fatfly.deadlock_free(nodes=64) > fatfly.deadlock_free(nodes=16) > 0
    assert fatfly.deadlock_free(**torus, path="e-cube") > 0
    with pytest.raises(fatfly.Deadlock):
        fatfly.deadlock_free(**torus, path="minimal-adaptive")
    assert fatfly.memory(nodes=4096) > 2 * fatfly.memory(nodes=1024) > 0


RING = "nodes 4\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\n"


def fits(**settings):
    try:
        fatfly.check(**settings)
    except ValueError:
        return False
    return True


def nodes_of(**settings):
    """Processors, as the message about a permutation of none has them."""
    with pytest.raises(ValueError, match="permutation of 0 processors; allowed: ") as wrong:
        fatfly.check(permutation=np.zeros(0, int), **settings)
    return int(str(wrong.value).split()[5].rstrip(","))


@pytest.mark.parametrize("topology", ["torus", "mesh"])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 4])
def test_every_size_of_a_torus_and_a_mesh(topology, dimensions):
    of = {"topology": topology, "dimensions": dimensions}
    for radix in range(2, 65):
        nodes = radix ** dimensions
        assert nodes_of(radix=radix, **of) == nodes
        if nodes > 1 << 18 and radix not in (32, 64):
            continue
        assert fits(nodes=nodes, **of) and fits(nodes=nodes, radix=radix, **of), nodes
        assert not fits(nodes=nodes, radix=radix + 1, **of) and not fits(nodes=nodes, radix=radix - 1, **of), nodes
    sizes = {radix ** dimensions for radix in range(2, 65)}
    assert {nodes for nodes in range(3000) if fits(nodes=nodes, **of)} == {n for n in sizes if n < 3000}
    assert not any(fits(nodes=nodes + more, **of) for nodes in sizes if nodes >= 3000 for more in (-1, 1))
    assert not fits(radix=1, **of) and not fits(radix=65, **of)


def test_every_size_of_the_other_topologies():
    sizes = {"fat-tree": {4 ** n for n in range(1, 13)}, "hypercube": {2 ** n for n in range(1, 17)},
             **dict.fromkeys(("butterfly", "reverse-butterfly", "wrapped-butterfly"), {2 ** n for n in range(1, 21)})}
    assert set(fatfly.names("topology")) == {*sizes, "torus", "mesh", "graph"}
    for topology, right in sizes.items():
        tried = {*range(3000), *(2 ** n + more for n in range(12, 18) for more in (-1, 0, 1)), *(3 ** n for n in range(8, 12))}
        assert {nodes for nodes in tried if fits(topology=topology, nodes=nodes)} == right & tried
    usual = nodes_of(topology="torus")
    assert nodes_of(topology="mesh", dimensions=3) ** 2 == usual ** 3 and not fits(topology="torus", dimensions=5)


def test_graph(tmp_path):
    (tmp_path / "ring.txt").write_text(RING)
    of = {"topology": "graph", "nodes": 4, "discipline": "store", "length": 1, "rounds": 5}
    there = [fatfly.run(graph=text, **of) for text in (RING, tmp_path / "ring.txt")]
    other = fatfly.run(graph=RING + "link 0 2\nlink 2 0\n", **of)
    assert there[0].digest == there[1].digest != other.digest
    with pytest.raises(ValueError, match="ring.txt:2"):
        (tmp_path / "ring.txt").write_text("nodes 4\nlink 0 9\n")
        fatfly.run(graph=tmp_path / "ring.txt", **of)


PAIR = "nodes 2\nlink 0 1 2\nlink 1 0 2\n"
STAR = "# three leaves, and a node without a processor\nnodes 4\n" + "".join(
    f"processor {leaf}  # a leaf\nlink 0 {leaf}\nlink {leaf} 0\n" for leaf in (3, 1, 2))
APART = "nodes 4\nprocessor 0 2\nprocessor 1 3\n" + "".join(f"link {src} {dst}\n" for src in (0, 1) for dst in (2, 3))


@pytest.mark.parametrize("graph,nodes", [(PAIR, 2), (STAR, 3), (APART, 2), (RING, 4)], ids=["pair", "star", "apart", "ring"])
def test_a_graph_says_how_many_processors_there_are(tmp_path, graph, nodes):
    file = tmp_path / "graph.txt"
    file.write_text(graph)
    of = {"discipline": "store", "length": 1, "rounds": 20}
    result = fatfly.run(topology="graph", graph=graph, **of)
    told = command({"topology": f"graph:{file}", **of})
    assert result.nodes == nodes and fatfly.digest([result]) == told["digest"] and result.cycles == told["cycles"]
    assert nodes_of(topology="graph", graph=file) == nodes
    for given in (nodes, None):
        assert fatfly.run(topology="graph", graph=file, nodes=given, **of).digest == result.digest
    with pytest.raises(ValueError, match=f"nodes = 64; allowed: {nodes}, the processors of graph"):
        fatfly.run(topology="graph", graph=graph, nodes=64, **of)


def test_processors_of_a_graph_in_every_call(tmp_path):
    of = {"topology": "graph", "graph": PAIR}
    fatfly.check(**of)
    assert fatfly.deadlock_free(**of) >= 1 and fatfly.memory(**of) > 0 and fatfly.run(**of).worms == 2
    assert [r.nodes for r in fatfly.runs(2, **of)] == [2, 2]
    assert fatfly.run(permutation=[1, 0], rounds=3, **of).worms == 6
    assert fatfly.run(matrix=[[0, 1], [1, 0]], rounds=3, **of).worms == 6
    frame = fatfly.sweep({"graph": [PAIR, STAR]}, runs=2, topology="graph", discipline="store", length=1, rounds=5)
    assert list(frame.worms) == [10, 10, 15, 15]
    with fatfly.Session(**of) as s:
        s.send(0, 1)
        s.advance()
        assert s.poll().dst == 1
        with pytest.raises(ValueError, match="allowed: processors 0 to 1"):
            s.send(0, 2)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("nodes 2\nlink 0 1\nlink 1 7\n")
    with pytest.raises(ValueError, match="wrong.txt:3: link: to node 7; allowed: 0 to 1$"):
        fatfly.run(topology="graph", graph=wrong)


def test_names():
    assert fatfly.names("path")[:5] == ["fp", "rp", "gp", "rg", "rw"] and "fcfs" in fatfly.names("scan")


def test_queues_without_a_bound():
    of = {"topology": "torus", "radix": 4, "discipline": "store", "length": 1, "rounds": 5}
    assert fatfly.run(**of, depth="unbounded").end == fatfly.run(**of, depth=4).end == "done"


def test_occupied():
    counts = fatfly.run(nodes=16, load=0.1, depth=2, cycles=20000).occupied
    assert counts[0] > counts[1] > 0 and counts[2] > 0 and counts[3:].sum() == 0


def test_a_bar(monkeypatch):
    calls = []

    class Bar:
        def __init__(self, total, unit):
            calls.append((total, unit))
        def update(self):
            calls.append("update")
        def close(self):
            calls.append("close")
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    auto = types.ModuleType("tqdm.auto")
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    with_none = fatfly.sweep({"nodes": [4, 16]}, progress=False)
    auto.tqdm = Bar
    assert fatfly.sweep({"nodes": [4, 16]}, progress=True).equals(with_none)
    assert calls == [(2, "run"), "update", "update", "close"]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert fatfly.sweep({"nodes": [4, 16]}, progress=True).equals(with_none)


def test_the_lock_is_released():
    count = [0]
    stop = threading.Event()

    def other():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.001)
    thread = threading.Thread(target=other)
    thread.start()
    before = count[0]
    fatfly.run(nodes=1024, load=0.02, cycles=20000)
    stop.set()
    thread.join()
    assert count[0] > before + 2


@pytest.mark.parametrize("nodes,length", [(4, 1), (64, 32), (1024, 7)])
def test_model_is_the_command(nodes, length):
    """Each cell; those that are a part of another one add up to it."""
    words = [COMMAND, "model", "--nodes", str(nodes), "--length", str(length), "--loads", "0:0.9:10", "--format", "csv"]
    rows = list(csv.DictReader(subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()))
    frame = fatfly.model(nodes, length, [float(row["load"]) for row in rows])
    assert len(rows) == len(frame) == 10 and 0 < frame.saturated.sum() < 10
    same = set(frame.columns) & set(rows[0])
    assert same == {"load", "latency", "service", "wait", "saturated"} == set(frame.columns) - {"distance"}
    for row, (_, ours) in zip(rows, frame.iterrows()):
        for name in same:
            assert pd.isna(ours[name]) if not row[name] else float(row[name]) == pytest.approx(ours[name], rel=1e-6), name
        assert ours.saturated or ours.latency == pytest.approx(ours.wait + ours.service + ours.distance - 1)
    usual = fatfly.model(nodes, length)
    assert usual.load.tolist() == pytest.approx([0.095 * k * fatfly.saturation(nodes) for k in range(1, 11)]) and not usual.saturated.any()
    assert fatfly.saturation(nodes) == pytest.approx(float(rows[0]["saturation_load"]), rel=1e-6)


def test_estimate(monkeypatch):
    frame = fatfly.estimate(COMMAND, nodes=4, length=4, vcs=1, path="rp", scan="rr", depth=2, flit_bits=32)
    assert len(frame) >= 1 and "latency" in " ".join(frame.columns)
    none = {"best": None, "nothing": False, "numpy_nothing": np.False_}   # not given, so nobody asks whether they exist
    assert fatfly.estimate(COMMAND, nodes=4, length=4, vcs=1, path="rp", scan="rr", depth=2, flit_bits=32, **none).equals(frame)
    for flag in (True, np.True_):
        with pytest.raises(ValueError, match="--no-such"):
            fatfly.estimate(COMMAND, no_such=flag)
    with pytest.raises(ValueError, match="--nods"):
        fatfly.estimate(COMMAND, nods=64)
    monkeypatch.delenv("FATFLY", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FileNotFoundError, match="the command is not in PATH; allowed: command="):
        fatfly.estimate()


def test_session():
    with fatfly.Session(nodes=16, length=8) as s:
        s.send(0, 15, tag=3)
        s.send(1, 2, 4, ready=500)
        assert s.advance(until_delivery=True) == 11
        first = s.poll()
        assert first == fatfly.Delivery(tag=3, ready=0, injected=0, head=3, tail=10, src=0, dst=15, length=8, links=4, of_class=0) and s.poll() is None
        assert s.next_event == 500
        s.advance()
        assert [d.src for d in s.deliveries()] == [1] and s.next_event is None
        assert s.statistics().worms == 2 and s.statistics().end == "done"
        with pytest.raises(ValueError, match="allowed: processors 0 to 15"):
            s.send(0, 16)
        with pytest.raises(TypeError, match="dst = '1'"):
            s.send(0, "1")
        with pytest.raises(TypeError, match="dst = True"):
            s.send(0, np.True_)
        for tag in (-1, np.int64(-1), 1 << 64):
            with pytest.raises(ValueError, match=f"tag = {tag}; allowed: 0 to 18446744073709551615"):
                s.send(0, 1, tag=tag)
    with pytest.raises(ValueError, match="the session is closed"):
        s.poll()
    with fatfly.Session(discipline="univ", length=4) as s:
        s.send(0, 5, tag=1)
        s.advance()
        assert [d.tag for d in s.deliveries()] == [1]
        with pytest.raises(ValueError, match="a worm after the first cycle with discipline = univ"):
            s.send(0, 5)


def test_a_session_takes_numpys_whole_numbers():
    came = []
    for kind in (int, np.int64, np.uint8):
        with fatfly.Session(nodes=16, length=4, engine="cycle") as s:
            s.send(kind(3), kind(9), kind(5), tag=kind(7), ready=kind(2), parents=kind(0), of_class=kind(0))
            s.advance(6)
            assert s.registers(kind(0)).equals(s.registers(0))
            s.advance()
            came.append(list(s.deliveries()))
    assert came[0] == came[1] == came[2] and (came[0][0].src, came[0][0].length, came[0][0].tag) == (3, 5, 7)


def test_inside_of_a_session():
    with fatfly.Session(nodes=16, length=8, engine="cycle") as s:
        for src in (1, 2, 3):
            s.send(src, 0, tag=src)
        s.advance(5)
        worms = s.worms()
        assert len(worms) == 3 and set(worms.tag) == {1, 2, 3} and (worms.blocked_by > 0).sum() == 2
        names = set(s.registers(0).name)
        assert {"busy_q", "hold_q"} <= names
        of = s.registers(0)
        assert [(of[name].min(), of[name].max()) for name in ("port", "channel")] == [(-1, 5), (-1, 0)]
        saved = s.save()
        before = s.registers(0)
        s.advance()
        first = list(s.deliveries())
        s.restore(saved)
        assert s.now == 5 and s.registers(0).equals(before)
        s.advance()
        assert list(s.deliveries()) == first and len(first) == 3
        with pytest.raises(ValueError, match="switch = 99; allowed: 0 to"):
            s.registers(99)
        with pytest.raises(TypeError, match="switch = 'a'"):
            s.registers("a")
        assert s.advance(until_delivery=True) == s.now   # nothing is left
        with fatfly.Session(nodes=16) as other, pytest.raises(ValueError, match="a snapshot of another session"):
            other.restore(saved)


ENDS = ["head_link", "head_channel", "tail_link", "tail_channel"]


def test_what_a_call_points_to_lives_as_long_as_the_call():
    """Freed memory is overwritten at once: a name, a graph or a table that went too early would be another."""
    lines = f"""import fatfly
    of = dict(topology="graph", graph={PAIR!r})
    torus = dict(topology="torus", radix=4, permutation=range(15, -1, -1))
    assert fatfly.check(**of) is None is fatfly.check(**torus)
    assert fatfly.deadlock_free(**of) >= 1 and fatfly.deadlock_free(**torus) >= 1
    assert fatfly.memory(**of) > 0 and fatfly.memory(**torus) > 0
    assert fatfly.Session(**of).advance() == 0 and fatfly.run(**of).worms == 2"""
    done = subprocess.run([sys.executable, "-B", "-c", lines.replace("\n    ", "\n")], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "165",
                               "PYTHONPATH": str(pathlib.Path(fatfly.__file__).parents[1])})
    assert done.returncode == 0, done.stderr


def test_a_place_that_is_none_is_missing():
    for of in ({"nodes": 16, "engine": "cycle"}, {"topology": "torus", "radix": 4}):
        seen = {"head": set(), "tail": set()}
        with fatfly.Session(length=4, vcs=2, **of) as s:
            for src in (0, 0, 1, 2):   # a tag as large as what stands for none is a tag
                s.send(src, 5, tag=(1 << 64) - 1 if src == 1 else (1 << 32) - 1)
            while s.next_event is not None:
                s.advance(s.now + 1)
                worms = s.worms()
                if s.now == 1:
                    assert sorted(map(int, worms.tag))[::3] == [(1 << 32) - 1, (1 << 64) - 1]
                assert worms.drop(columns=["injected", "since", "wants", *ENDS]).notna().all(axis=None)
                waits = worms.injected.isna()
                assert (worms.injected.dropna() < s.now).all() and (worms.since.dropna() <= s.now).all()
                assert (worms.sent[waits] == 0).all()
                for end, there in seen.items():
                    link, channel = worms.get(f"{end}_link"), worms.get(f"{end}_channel")
                    assert list(link.isna()) == list(channel.isna()) and set(channel.dropna()) <= {0, 1}
                    there |= set(link.notna())
                assert worms.head_link[waits | (worms.arrived > 0)].isna().all()
                assert worms.tail_link[worms.sent < worms.length].isna().all()
        assert seen == {"head": {False, True}, "tail": {False, True}}
        with fatfly.Session(length=4, vcs=2, **of) as s:
            for _ in range(4):
                s.send(0, 5)
            s.advance(1)
            assert s.worms().since.isna().sum() == 2   # behind others at their source


def test_a_session_that_cannot_be_looked_into_says_so():
    tree, torus = {"nodes": 16}, {"topology": "torus", "radix": 4}
    for of in (tree, {**tree, "engine": "fast"}, {**tree, "discipline": "store"}, {**torus, "discipline": "store"}):
        with fatfly.Session(length=4, **of) as s:
            s.send(0, 5)
            s.advance(3)
            for look in (s.worms, lambda s=s: s.registers(0)):
                says = 'engine = [a-z-]+ shows neither worms nor registers; allowed: .* engine="cycle"$'
                with pytest.raises(ValueError, match=says.replace("[a-z-]+", "fast") if "discipline" not in of else says):
                    look()
    for of in ({**tree, "engine": "cycle"}, {**tree, "engine": "cycle", "discipline": "phased"}, torus):
        with fatfly.Session(length=4, **of) as s:
            assert s.worms().empty and "tail_channel" in s.worms().columns and not s.registers(0).empty
            s.send(0, 5)
            s.advance(s.next_event + 1)
            assert len(s.worms()) == 1
    for look in (s.worms, lambda: s.registers(0)):
        with pytest.raises(ValueError, match="the session is closed"):
            look()


def test_the_session_of_the_page():
    page = (ROOT / "docs" / "python.md").read_text().split("<!-- by: tb/python/test_fatfly.py -->")
    lines = [line[4:] for line in page[1].splitlines() if line.startswith("    ")]
    names = {"fatfly": fatfly}
    exec("\n".join([*lines[:-1], "worms = " + lines[-1]]), names)  # pylint: disable=exec-used
    worm = names["worms"].iloc[0]
    assert len(page) == 2 and len(names["worms"]) == 1 and list(worm[ENDS].isna()) == [False, False, True, True]
    assert f"# head_link is {worm.head_link}, head_channel {worm.head_channel}; tail_link and tail_channel are missing" in lines[-1]


def test_another_version_is_refused(tmp_path):
    copy = tmp_path / "fatfly"
    subprocess.run(["cp", "-r", str(pathlib.Path(fatfly.__file__).parent), str(copy)], check=True)
    config = copy / "_config.py"
    config.write_text(config.read_text().replace(f'VERSION = "{fatfly.__version__}"', 'VERSION = "9.9.9"'))
    done = subprocess.run([sys.executable, "-B", "-c", "import fatfly"], env={**os.environ, "PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "Python files are of version 9.9.9, the compiled half of" in done.stderr


def test_the_versions_are_one():
    assert f'version = "{fatfly.__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_a_call_costs_little():
    """Not a bound on speed: it prints what docs/python.md says."""
    start = time.process_time()
    for _ in range(2000):
        fatfly.run(nodes=4, length=2)
    print(f"{(time.process_time() - start) / 2000 * 1e6:.0f} us a tiny run")


def test_the_cells_of_the_notebook_run():
    notebook = json.loads((ROOT / "docs" / "fatfly.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    pytest.importorskip("matplotlib").use("Agg")
    names: dict = {"display": lambda *a: None}
    for k, cell in enumerate(cells):
        exec(compile(cell, f"cell {k}", "exec"), names)  # pylint: disable=exec-used


def test_a_switch_by_itself():
    switch = fatfly.Switch(vcs=2, levels=2)
    head = fatfly.head(2, 0, 3)
    assert head & 15 == 3
    seen = []
    for cycle in range(4):
        wires = switch.outputs([3] * 6)
        seen += [(cycle, port, flit) for port, flit in enumerate(wires.flits) if flit]
        assert wires.room == (3,) * 6
        switch.tick([fatfly.Flit(1, head, True, True) if cycle == 0 else None] + [None] * 5)
    assert seen == [(1, 3, fatfly.Flit(0, head, True, True))]
    four, seen = fatfly.Switch(vcs=4, levels=2, depth=4), []
    worm = [fatfly.Flit(3, head, True, False), fatfly.Flit(3, 5, False, False), fatfly.Flit(3, 6, False, True)]
    for cycle in range(20):   # of three worms that meet each has a channel of its own
        seen += [flit for flit in four.outputs([15] * 6).flits if flit]
        four.tick([{0: worm[0], 8: worm[1], 9: worm[2]}.get(cycle)] * 3 + [None] * 3)
    for channel in range(3):
        assert [flit for flit in seen if flit.channel == channel] == [flit._replace(channel=channel) for flit in worm]
    assert len(seen) == 9
    for true in (1, 2, 255, np.True_):   # of a head and a tail it counts whether they are
        switch.outputs([3] * 6)
        switch.tick([fatfly.Flit(1, head, true, true)] + [None] * 5)
        assert switch.outputs([3] * 6).flits[3] == fatfly.Flit(0, head, True, True)
        switch.tick([None] * 6)


def played(switch):
    """Where the heads go that four children send up in each of 12 cycles: the parents are drawn at random."""
    seen = []
    for _ in range(12):
        wires = switch.outputs([1] * 6)
        seen.append([port for port, flit in enumerate(wires.flits) if flit])
        head = fatfly.Flit(0, fatfly.head(3, 0, 63), True, True)
        switch.tick([head if room else None for room in wires.room[:4]] + [None] * 2)
    return seen


def test_the_seed_of_a_switch():
    want = {seed: played(fatfly.Switch(seed=seed)) for seed in (1, 7)}
    assert want[1] != want[7]
    switch = fatfly.Switch()
    assert played(switch) == want[1]
    switch.reset(seed=7)
    assert played(switch) == want[7]
    switch.reset()                     # it stays
    assert played(switch) == want[7]


def test_a_switch_takes_a_flit_only_where_there_is_room():
    flit = fatfly.Flit(0, fatfly.head(3, 0, 63), True, True)
    says = "port 0, channel 0: no room; allowed: a flit only where outputs[(][)] shows room$"
    for depth in (1, 2, 5):
        switch = fatfly.Switch(depth=depth)
        for _ in range(depth):
            assert switch.outputs([0] * 6).room[0] == 1
            switch.tick([flit] + [None] * 5)
        assert switch.outputs([0] * 6).room == (0, 1, 1, 1, 1, 1)
        for _ in range(2):                       # the cycle is still the same
            with pytest.raises(ValueError, match=says):
                switch.tick([flit, flit] + [None] * 4)
        switch.tick([None, flit] + [None] * 4)   # and port 1 has taken nothing of what was refused
        assert switch.outputs([1] * 6).room[1] == int(depth > 1)
        with pytest.raises(ValueError, match=says):   # a flit that leaves makes room in the next cycle
            switch.tick([flit] + [None] * 5)
        switch.tick([None] * 6)
        with pytest.raises(RuntimeError, match="without outputs"):
            switch.tick([flit] + [None] * 5)
        switch.outputs([0] * 6)
        switch.reset()
        with pytest.raises(RuntimeError, match="without outputs"):
            switch.tick([None] * 6)
    of_two = fatfly.Switch(vcs=2, depth=1)
    for channel in (1, 0):
        of_two.outputs([0] * 6)
        of_two.tick([flit._replace(channel=channel)] + [None] * 5)
        room = of_two.outputs([0] * 6).room[0]
        assert room == channel
        with pytest.raises(ValueError, match=f"port 0, channel {channel}: no room"):
            of_two.tick([flit._replace(channel=channel)] + [None] * 5)


def test_a_root_has_no_parents():
    switch = fatfly.Switch(level=3)
    for port in (4, 5):
        assert switch.outputs([1] * 6).room == (1, 1, 1, 1, 0, 0)
        with pytest.raises(ValueError, match=f"port {port}, channel 0: no room"):
            switch.tick([None] * port + [fatfly.Flit(0, 0, True, True)] + [None] * (5 - port))


def test_wrong_switches_say_why():
    for given, text in (({"depth": 17}, "depth = 17 flits; allowed: 1 to 16"), ({"path": "greedy"}, "path = greedy; allowed: fp, rp, gp, rg, rw$"),
                        ({"scan": "rrr"}, "scan = rrr; allowed: .*nearest: rr"), ({"vcs": 3}, "vcs = 3")):
        with pytest.raises(ValueError, match=text):
            fatfly.Switch(**given)
    switch = fatfly.Switch()
    with pytest.raises(RuntimeError, match="without outputs"):
        switch.tick([None] * 6)
    with pytest.raises(ValueError, match="allowed: 6 times 0 to 1"):
        switch.outputs([2] * 6)
    switch.outputs([1] * 6)
    with pytest.raises(ValueError, match="channel = 1; allowed: 0 to 0"):
        switch.tick([fatfly.Flit(1, 0, True, True)] + [None] * 5)
    with pytest.raises(ValueError, match="5 arrivals; allowed: 6"):
        switch.tick([None] * 5)
    with pytest.raises(ValueError, match="payload = 4294967296; allowed: 32 bits"):
        switch.tick([fatfly.Flit(0, 1 << 32, True, True)] + [None] * 5)
    with pytest.raises(ValueError, match="levels = 0; allowed: 1 to"):
        fatfly.head(0, 0, 0)
    with pytest.raises(ValueError, match="parents = 4; allowed: 0 to 3"):
        fatfly.head(3, 0, 1, parents=4)
    with pytest.raises(ValueError, match="dst = 64; allowed: 0 to 63"):
        fatfly.head(3, 0, 64)
