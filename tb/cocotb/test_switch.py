# SPDX-License-Identifier: Apache-2.0
"""test_switch.py - fatfly_switch under cocotb: cocotbext-axi sends and takes packets on lanes with names of
their own, and two scoreboards look on: the C model says every output pin of every cycle, and every packet
must leave once, whole, by an output that its head allows.

run.py builds and runs it; SEED, PACKETS and the parameters come through the environment.
"""
import itertools
import json
import os
import random
from collections import Counter

import cocotb
import fatfly
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from switch_model import PORTS, AxisSwitch, Beat

NS = 10


def parameters() -> dict:
    return json.loads(os.environ["FATFLY_PARAMETERS"])


async def golden(dut, model, state) -> None:
    """Compares what stands at the pins before every rising edge, then takes the edge itself."""
    side = {lane: [{pin: getattr(dut, f"{way}_axis_p{lane[0]}_c{lane[1]}_{pin}") for pin in
                    ("tdata", "tlast", "tvalid", "tready")} for way in "sm"] for lane in model.lanes}
    while True:
        await RisingEdge(dut.aclk)
        if not dut.aresetn.value:
            model.reset()
            continue
        come, out_ready, sees, room = {}, {}, {}, {}
        for lane, (s, m) in side.items():
            come[lane] = Beat(int(s["tdata"].value), bool(s["tlast"].value)) if s["tvalid"].value else None
            out_ready[lane] = bool(m["tready"].value)
            sees[lane] = Beat(int(m["tdata"].value), bool(m["tlast"].value)) if m["tvalid"].value else None
            room[lane] = bool(s["tready"].value)
        for what, is_there, want in (("m_axis", sees, model.offers()), ("s_axis_tready", room, model.ready(come))):
            for lane in model.lanes:
                assert is_there[lane] == want[lane], (f"cycle {state['cycles']}: {what} of port {lane[0]} channel "
                                                      f"{lane[1]} is {is_there[lane]}, the C model has {want[lane]}")
        state["cycles"] += 1
        state["beats"] += sum(bool(sees[lane] and out_ready[lane]) for lane in model.lanes)
        model.tick(come, out_ready)


def packets(rng, p, count):
    """Random packets that a switch of this level can meet: port, and the payloads of the flits.  Address 0 on its
    level: from a child up or to another child, from a parent down."""
    level, levels = p["level"], p["levels"]
    below, quarter = 4 ** level, 4 ** (level - 1)
    for k in range(count):
        port = rng.randrange(4 if level == levels else PORTS)
        inner = rng.randrange(quarter)
        if port < 4:
            src = port * quarter + inner
            up = level < levels and rng.random() < 0.5
            dst = rng.randrange(below, 4 ** levels) if up else rng.choice(
                [d for d in range(below) if d // quarter != port])
        else:
            src, dst = rng.randrange(below, 4 ** levels), rng.randrange(below)
        parents = rng.randrange(1 << (levels - 1)) if p["path"] == "fp" else 0
        used = 4 * levels + max(levels.bit_length(), 1) + (levels - 1 if p["path"] == "fp" else 0)
        head = fatfly.head(levels, src, dst, parents) | (k << used & (1 << p["flit_bits"]) - 1)
        length = rng.choice((1, 2, 5, 9))
        yield port, [head] + [rng.getrandbits(p["flit_bits"]) for _ in range(length - 1)]


def outputs_of(p, payload):
    """Ports by which a packet may leave a switch of this level, address 0."""
    dst = payload & 4 ** p["levels"] - 1
    return {4, 5} if dst >= 4 ** p["level"] else {dst // 4 ** (p["level"] - 1) % 4}


@cocotb.test()
async def switch_is_the_model(dut):
    p = parameters()
    rng = random.Random(int(os.environ.get("SEED", "1")))
    wide = p["flit_bits"] // 8
    state = {"cycles": 0, "beats": 0}
    model = AxisSwitch(**p)
    for port, channel in itertools.product(range(PORTS), range(4)):
        stem = f"p{port}_c{channel}"
        for pin in ("tdata", "tlast", "tvalid"):
            getattr(dut, f"s_axis_{stem}_{pin}").value = 0
        getattr(dut, f"m_axis_{stem}_tready").value = 0
    # Ports by name before from_prefix() looks through all signals: under Verilator 5.006 that finds copies of the ports,
    # which an evaluation overwrites, and cocotb keeps the handle that it had first.
    dut.aclk.value = 0
    dut.aresetn.value = 0
    bus = {(way, lane): AxiStreamBus.from_prefix(dut, f"{way}_axis_p{lane[0]}_c{lane[1]}")
           for way in "sm" for lane in model.lanes}
    sources = {lane: AxiStreamSource(bus["s", lane], dut.aclk, dut.aresetn, reset_active_level=False)
               for lane in model.lanes}
    sinks = {lane: AxiStreamSink(bus["m", lane], dut.aclk, dut.aresetn, reset_active_level=False)
             for lane in model.lanes}
    for lane in model.lanes:
        sources[lane].log.setLevel("WARNING")
        sinks[lane].log.setLevel("WARNING")
        sources[lane].set_pause_generator(itertools.cycle([rng.random() < 0.2 for _ in range(37)]))
        sinks[lane].set_pause_generator(itertools.cycle([rng.random() < 0.3 for _ in range(41)]))
    cocotb.start_soon(Clock(dut.aclk, NS, "ns").start())
    scoreboard = cocotb.start_soon(golden(dut, model, state))
    await ClockCycles(dut.aclk, 3)
    dut.aresetn.value = 1

    sent = Counter()
    for port, words in packets(rng, p, int(os.environ.get("PACKETS", "200"))):
        data = b"".join(word.to_bytes(wide, "little") for word in words)
        sent[data] += 1
        await sources[port, rng.randrange(p["vcs"])].send(AxiStreamFrame(data))
    for _ in range(200):
        await ClockCycles(dut.aclk, 100)
        if all(s.empty() and s.idle() for s in sources.values()) and not any(model.offers().values()):
            break
    await ClockCycles(dut.aclk, 40)
    (scoreboard.cancel if hasattr(scoreboard, "cancel") else scoreboard.kill)()  # cocotb 2, cocotb 1
    got = Counter()
    for (port, _), sink in sinks.items():
        while not sink.empty():
            data = bytes(sink.recv_nowait().tdata)
            assert port in outputs_of(p, int.from_bytes(data[:wide], "little")), f"a packet leaves by port {port}"
            got[data] += 1
    assert got == sent, f"{sum((sent - got).values())} packets are lost, {sum((got - sent).values())} were never sent"
    dut._log.info("agreed: %d cycles, %d packets, %d beats", state["cycles"], sum(got.values()), state["beats"])
