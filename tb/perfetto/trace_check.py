#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trace_check.py - runs fatfly with --perfetto and compares the trace with what the run says otherwise.

    tb/perfetto/trace_check.py FATFLY [OPTION OF fatfly run]...
    tb/perfetto/trace_check.py FATFLY --damage COUNT [OPTION]...   # each of COUNT damaged traces must be seen

The trace is decoded with perfetto.proto, and once more by protoc where it is installed.  Compared are: the
latencies with --histogram, the worms over each link with --links, heads and tails of some worms with
--watch (butterfly fat-tree), first and last cycle of every worm on every link with --events; and what lies
inside a worm's slice must fill it without gap or overlap.  Prints one line and ends with 0, or with 1
and what differs.
"""
import collections
import csv
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

PROTO = pathlib.Path(__file__).parent / "perfetto.proto"
LINKS, WORMS, FIRST_LANE, FIRST_WORM = 1, 2, 1 << 40, 2 << 40
MESSAGES = ("TracePacket", "TrackEvent", "TrackDescriptor", "DebugAnnotation")
STILL = {"queued", "waits", "arrives", "discarded"}


class Wrong(Exception):
    """What the trace should not say."""


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Wrong(what)


@dataclass
class Slice:
    name: str
    begin: int
    end: int
    notes: dict[str, int | str]
    inside: list["Slice"] = field(default_factory=list)


@dataclass
class Track:
    name: str
    parent: int
    rank: int
    slices: list[Slice] = field(default_factory=list)
    open: list[Slice] = field(default_factory=list)
    last: int = 0


def value_of(text: str) -> int | str:
    if text.startswith('"'):
        need("\\" not in text, f"an odd text {text}")
        return text[1:-1]
    return int(text) if text.isdigit() else text


def parse(text: str) -> list[dict]:
    """Protobuf's text format, as protoc prints it: messages as dicts of lists."""
    top: dict = collections.defaultdict(list)
    stack = [top]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            name = line[:-1].strip()
            need(not name.isdigit(), f"unknown field {name}")
            inner: dict = collections.defaultdict(list)
            stack[-1][name].append(inner)
            stack.append(inner)
        elif line == "}":
            stack.pop()
        else:
            name, _, value = line.partition(": ")
            need(not name.isdigit(), f"unknown field {name}")
            stack[-1][name].append(value_of(value))
    need(set(top) <= {"packet"}, "fields beside packets")
    return top["packet"]


def schema() -> dict[str, dict[int, tuple[str, str]]]:
    """Of each message and enum of perfetto.proto, what its numbers stand for: name and kind."""
    found: dict[str, dict[int, tuple[str, str]]] = {}
    stack: list[str] = []
    for line in PROTO.read_text(encoding="utf-8").splitlines():
        line = line.partition("//")[0].strip()
        if m := re.fullmatch(r"(message|enum|oneof) (\w+) {", line):
            stack.append(stack[-1] if m[1] == "oneof" else m[2])
            found.setdefault(stack[-1], {})
        elif line == "}":
            stack.pop()
        elif m := re.fullmatch(r"(?:(?:optional|repeated) )?(?:(\w+) )?(\w+) = (\d+);", line):
            if stack:
                found[stack[-1]][int(m[3])] = (m[2], m[1] or "")
    return found


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        need(at < len(data), "the end is missing")
        value |= (data[at] & 127) << shift
        at += 1
        if not data[at - 1] & 128:
            return value, at
    raise Wrong("a varint of more than ten bytes")


def decode(data: bytes, kind: str, kinds: dict[str, dict[int, tuple[str, str]]]) -> dict:
    """A message, as parse() gives it."""
    message: dict = collections.defaultdict(list)
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        need(tag >> 3 in kinds[kind], f"unknown field {tag >> 3} of {kind}")
        name, inner = kinds[kind][tag >> 3]
        value, at = varint(data, at)
        bytes_follow = inner == "string" or inner in MESSAGES
        need(tag & 7 == (2 if bytes_follow else 0), f"{name}: wire type {tag & 7}")
        if not bytes_follow:
            need(inner not in kinds or value in kinds[inner], f"{name} = {value}")
            message[name].append(kinds[inner][value][0] if inner in kinds else value)
            continue
        need(at + value <= len(data), "the end is missing")
        part = data[at:at + value]
        at += value
        message[name].append(part.decode() if inner == "string" else decode(part, inner, kinds))
    return message


def one(message: dict, name: str, default: Any = None) -> Any:
    values = message.get(name, [])
    need(len(values) <= 1 and (len(values) == 1 or default is not None), f"{name}: {len(values)} times")
    return values[0] if values else default


def notes_of(event: dict) -> dict[str, int | str]:
    notes = {}
    for note in event.get("debug_annotations", []):
        kinds = [k for k in ("uint_value", "string_value") if k in note]
        need(len(kinds) == 1, "a note without one value")
        name = one(note, "name")
        need(name not in notes, f"note {name} twice")
        notes[name] = one(note, kinds[0])
    return notes


def declare(tracks: dict[int, Track], d: dict) -> None:
    uuid, parent, name, order = one(d, "uuid"), one(d, "parent_uuid", 0), one(d, "name"), one(d, "child_ordering", "")
    need(uuid not in tracks, f"track {uuid} twice")
    if uuid in (LINKS, WORMS):
        need((name, order, parent) == (("links", "EXPLICIT", 0) if uuid == LINKS else ("worms", "CHRONOLOGICAL", 0)),
             f"track {uuid} is {name}, {order}")
    else:
        need(parent == (LINKS if uuid < FIRST_WORM else WORMS) and parent in tracks and not order,
             f"track {uuid} has parent {parent}")
        need(one(d, "sibling_order_rank", 0) == (uuid - FIRST_LANE if parent == LINKS else 0), f"rank of {name}")
        need(not any(t.name == name and t.parent == parent for t in tracks.values()), f"two tracks {name}")
    tracks[uuid] = Track(str(name), parent, one(d, "sibling_order_rank", 0))


def put(tracks: dict[int, Track], time: int, e: dict) -> None:
    uuid = one(e, "track_uuid")
    need(uuid in tracks, f"an event on track {uuid}")
    track = tracks[uuid]
    need(time >= track.last, f"{track.name}: back in time")
    track.last = time
    notes = notes_of(e)
    if one(e, "type") == "TYPE_SLICE_BEGIN":
        new = Slice(str(one(e, "name")), time, -1, notes)
        (track.open[-1].inside if track.open else track.slices).append(new)
        track.open.append(new)
    else:
        need(one(e, "type") == "TYPE_SLICE_END" and "name" not in e, f"{track.name}: an event of another type")
        need(bool(track.open), f"{track.name}: an end without a begin")
        done = track.open.pop()
        done.end = time
        need(time > done.begin, f"{track.name}: a slice without length")
        need(not set(notes) & set(done.notes), f"{track.name}: notes twice")
        done.notes.update(notes)


def second_opinion(file: pathlib.Path) -> list[dict]:
    with file.open("rb") as f:
        got = subprocess.run(["protoc", f"-I{PROTO.parent}", "--decode=perfetto.protos.Trace", PROTO.name], stdin=f,
                             capture_output=True, check=False)
    need(got.returncode == 0, "protoc: " + got.stderr.decode(errors="replace").strip())
    return parse(got.stdout.decode())


def read(data: bytes) -> dict[int, Track]:
    kinds = schema()
    tracks: dict[int, Track] = {}
    for k, packet in enumerate(decode(data, "Trace", kinds)["packet"]):
        need(one(packet, "trusted_packet_sequence_id") == 1, f"packet {k}: sequence")
        need(one(packet, "sequence_flags", 0) == (k == 0), f"packet {k}: flags")
        is_track = "track_descriptor" in packet
        need(is_track != ("track_event" in packet) and is_track != ("timestamp" in packet), f"packet {k}: kind")
        if is_track:
            declare(tracks, one(packet, "track_descriptor"))
        else:
            put(tracks, one(packet, "timestamp"), one(packet, "track_event"))
    for t in tracks.values():
        need(not t.open, f"{t.name}: no end")
    need(LINKS in tracks and WORMS in tracks, "no tracks of links and worms")
    return tracks


@dataclass
class Run:
    """What the command says without the trace."""
    options: list[str]
    result: dict
    histogram: collections.Counter
    links: dict[int, dict[str, str]]
    lives: dict[int, list[tuple[str, int, str, int]]]
    tree: bool
    channels: int
    apart: bool
    again: bool
    spans: collections.Counter = field(default_factory=collections.Counter)
    worms: dict[int, tuple[int, ...]] = field(default_factory=dict)


def call(fatfly: str, options: list[str]) -> Run:
    text = " ".join(options)
    tree = "--topology" not in text
    with tempfile.TemporaryDirectory() as d:
        files = [f"{d}/histogram", f"{d}/links"]
        got = subprocess.run([fatfly, "run", "--runs", "1", "--format", "json", *options, "--histogram", files[0],
                              "--links", files[1]], capture_output=True, text=True, check=False)
        need(got.returncode in (0, 1), f"fatfly run {text}: {got.stderr}")
        latencies = {int(r["latency"]): int(r["count"]) for r in csv.DictReader(open(files[0], encoding="utf-8"))}
        links = {int(r["link"]): r for r in csv.DictReader(open(files[1], encoding="utf-8"))}
    lives = {}
    static = "--load" not in text and "--max-cycles" not in text
    small = (m := re.search(r"--nodes (\d+)", text)) and int(m[1]) <= 256   # of others --watch shows no ports
    if tree and static and small and not re.search("discipline (store|split|univ)", text):
        for worm in (1, 7, 13):
            out = subprocess.run([fatfly, "run", *options, "--runs", "1", "--watch", str(worm)], check=True,
                                 capture_output=True, text=True).stdout
            lives[worm] = [(kind, int(cycle), f"{a} to {b}", int(c)) for cycle, kind, a, b, c in re.findall(
                r"^cycle (\d+): (head|tail|single flit) of .* crosses from (\S+ \d+|S\S+)(?: parent \d| child \d)? to "
                r"(\S+ \d+|S\S+)(?: parent \d| child \d)?, channel (\d+)", out, re.M)]
            need(len(lives[worm]) > 1, f"worm {worm} is not watched")
    channels = int(m[1]) if (m := re.search(r"--vcs (\d+)", text)) else 1
    return Run(options, json.loads(got.stdout), collections.Counter(latencies), links, lives, tree, channels,
               "split" in text, "cmsv" in text)


def events(fatfly: str, options: list[str], apart: bool) -> tuple[collections.Counter, dict[int, tuple[int, ...]]]:
    """What --events says: worm, link, channel, first cycle and end of each time that a worm is on a link; and of
    each worm source, destination, flits, ready cycle and that after its tail."""
    lanes: dict[tuple[int, ...], list[int]] = {}
    spans: collections.Counter = collections.Counter()
    worms: dict[int, tuple[int, ...]] = {}
    with tempfile.TemporaryDirectory() as d:
        subprocess.run([fatfly, "run", "--runs", "1", *options, "--events", f"{d}/e"], capture_output=True, check=False)
        with open(f"{d}/e", encoding="utf-8") as f:
            rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
    for r in rows:
        worm = int(r["worm"])
        if r["event"] == "ready":
            worms[worm] = (int(r["src"]), int(r["dst"]), int(r["flits"]), int(r["cycle"]), 0)
        elif r["event"] == "arrived":
            worms[worm] = (*worms[worm][:4], int(r["cycle"]) + 1)
        elif r["event"] == "move":
            key = (worm, int(r["link"]), int(r["channel"]))
            first, end = int(r["cycle"]), int(r["cycle"]) + int(r["cycles"])
            if (r["flit"] == "0" or apart) and key in lanes:
                spans[(*key, *lanes.pop(key))] += 1
            lanes[key] = [lanes[key][0] if key in lanes else first, end]
    for left, span in lanes.items():
        spans[(*left, *span)] += 1
    return spans, worms


def link_name(row: dict[str, str]) -> str:
    level = int(row["level"])
    lower = f"S({level},{row['lower']})" if level else f"processor {row['lower']}"
    upper = f"S({level + 1},{row['upper']})"
    return f"{lower} to {upper}" if row["direction"] == "up" else f"{upper} to {lower}"


def check_worm(track: Track, number: int) -> Slice:
    need(len(track.slices) == 1, f"{track.name}: {len(track.slices)} lives")
    life = track.slices[0]
    n = life.notes
    need(track.name == life.name == f"worm {number}: {n.get('source')} to {n.get('destination')}",
         f"{track.name} is {life.name}, {n}")
    need(n.get("end") in ("delivered", "under way"), f"{life.name}: end")
    need(set(n) == {"source", "destination", "flits", "links", "end"} |
         ({"latency"} if n["end"] == "delivered" else set()), f"{life.name}: notes {n}")
    at = life.begin
    for k, inner in enumerate(life.inside):
        need(inner.begin == at and not inner.inside, f"{life.name}: {inner.name} begins at {inner.begin}, not {at}")
        at = inner.end
        crosses = "link" in inner.notes
        need(crosses == (inner.name not in STILL), f"{life.name}: {inner.name}")
        need(set(inner.notes) == ({"link", "channel"} if crosses else {"in"} if inner.name == "waits" else set()),
             f"{life.name}: notes of {inner.name}")
        need((inner.name != "queued") or k == 0, f"{life.name}: queued again")
        if inner.name == "waits":
            need(life.inside[k - 1].name.endswith(f" to {inner.notes['in']}"), f"{life.name}: waits elsewhere")
    need(at == life.end, f"{life.name}: ends at {life.end}, not {at}")
    if n["end"] == "delivered":
        need(n["latency"] == life.end - life.begin, f"{life.name}: latency")
    return life


def check_lane(uuid: int, track: Track, run: Run, lives: dict[int, Slice], seen: collections.Counter) -> None:
    last = 0
    for s in track.slices:
        n = s.notes
        need(not s.inside and s.begin >= last, f"{track.name}: two worms at once")
        last = s.end
        need(set(n) == {"worm", "source", "destination", "flits", "link", "channel"} |
             ({"flit"} if run.apart else set()), f"{track.name}: notes {n}")
        life = lives.get(int(n["worm"]))
        need(life is not None, f"{track.name}: no worm {n['worm']}")
        need(s.name == life.name and all(n[k] == life.notes[k] for k in ("source", "destination", "flits")),
             f"{track.name}: {s.name} is {n}")
        stem = track.name.partition(",")[0] if not run.tree else re.sub(r", channel \d+$", "", track.name)
        if run.tree:
            need(uuid - FIRST_LANE == int(n["link"]) * run.channels + int(n["channel"]), f"{track.name}: link {n['link']}")
            row = run.links.get(int(n["link"]))
            need(row is not None and stem == link_name(row), f"{track.name} is link {n['link']}")
            need(track.name == stem + (f", channel {n['channel']}" if run.channels > 1 else ""), track.name)
        if not run.apart or n["flit"] == 0:
            seen[n["link"]] += 1
            mine = [i for i in life.inside if i.notes.get("link") == n["link"] and i.begin == s.begin]
            if run.again and s.begin >= life.end:
                continue  # its sender does not know yet that it has arrived
            need(len(mine) == 1 and mine[0].notes["channel"] == n["channel"] and
                 re.sub(r"( \(\d+\))?$", "", track.name).startswith(mine[0].name), f"{track.name}: not in {life.name}")


def check_watch(run: Run, tracks: dict[int, Track]) -> None:
    for worm, moves in run.lives.items():
        found = []
        for track in tracks.values():
            for s in track.slices if track.parent == LINKS else []:
                if s.notes["worm"] == worm:
                    name, channel = re.sub(r", channel \d+$", "", track.name), s.notes["channel"]
                    single = s.notes["flits"] == 1
                    found.append(("single flit" if single else "head", s.begin, name, channel))
                    if not single:
                        found.append(("tail", s.end - 1, name, channel))
        need(sorted(found) == sorted(moves), f"worm {worm} does what --watch does not say:\n{sorted(found)}\n{moves}")


def bucket(latency: int) -> int:
    """As --histogram: exact below 128, then 64 buckets for each factor 2."""
    wide = max(latency.bit_length() - 7, 0)
    return latency >> wide << wide


def check_events(run: Run, tracks: dict[int, Track], lives: dict[int, Slice]) -> None:
    spans = collections.Counter((s.notes["worm"], s.notes["link"], s.notes["channel"], s.begin, s.end)
                                for t in tracks.values() if t.parent == LINKS for s in t.slices)
    need(spans == run.spans, f"--events has {list(run.spans - spans)[:3]}, the trace {list(spans - run.spans)[:3]}")
    for worm, life in lives.items():
        *is_, ready, end = run.worms[worm]
        need(is_ == [life.notes[k] for k in ("source", "destination", "flits")] and ready == life.begin,
             f"{life.name} is {run.worms[worm]}")
        need(end == (life.end if life.notes["end"] == "delivered" else 0), f"{life.name} ends at {end}")


def check(data: bytes, run: Run) -> str:
    tracks = read(data)
    lives = {u - FIRST_WORM: check_worm(t, u - FIRST_WORM) for u, t in tracks.items() if t.parent == WORMS}
    seen: collections.Counter = collections.Counter()
    for uuid, track in tracks.items():
        if track.parent == LINKS:
            need(bool(track.slices), f"{track.name}: empty")
            check_lane(uuid, track, run, lives, seen)
    crossings = sum("link" in i.notes for life in lives.values() for i in life.inside)
    need(crossings == sum(seen.values()) or "cmsv" in str(run.options), f"{crossings} crossings of worms, {sum(seen.values())} on links")
    if not run.apart:
        want = {k: int(r["worms"]) for k, r in run.links.items() if int(r["worms"])}
        same = dict(seen) == want
        if "cmsv" in str(run.options):  # --links counts paths, not tries
            same = set(seen) == set(want) and all(seen[k] >= want[k] for k in want)
        elif "--load" in run.options or "--max-cycles" in run.options:  # what is cut short counts there, not here
            same = all(seen[k] <= want[k] for k in seen) and sum(want.values()) - sum(seen.values()) <= len(lives)
        need(same, "other worms over links than --links says")
    done = [life for life in lives.values() if life.notes["end"] == "delivered"]
    if "--load" not in run.options:
        latencies = collections.Counter(bucket(int(life.notes["latency"])) for life in done)
        need(latencies == run.histogram, f"other latencies than --histogram says: {latencies - run.histogram}, "
             f"{run.histogram - latencies}")
    need(len(done) >= sum(run.histogram.values()), "fewer worms than were measured")
    check_watch(run, tracks)
    check_events(run, tracks, lives)
    slices = sum(len(t.slices) + sum(len(s.inside) for s in t.slices) for t in tracks.values())
    return f"{len(lives)} worms, {len(done)} delivered, {crossings} crossings, {slices} slices"


def damaged(whole: bytes, k: int) -> bytes:
    """The trace without its end, without a piece, or with another bit."""
    rng = random.Random(k)
    at = rng.randrange(len(whole))
    if k % 10 == 0:
        return whole[:at]
    if k % 10 == 1:
        return whole[:at] + whole[at + rng.randrange(1, 40):]
    bad = bytearray(whole)
    bad[at] ^= 1 << rng.randrange(8)
    return bytes(bad)


def packets(whole: bytes) -> list[bytes]:
    found = []
    while whole:
        size, shift, k = 0, 0, 1
        while True:
            size |= (whole[k] & 127) << shift
            shift += 7
            k += 1
            if not whole[k - 1] & 128:
                break
        found.append(whole[:k + size])
        whole = whole[k + size:]
    return found


def main() -> int:
    fatfly, *options = sys.argv[1:]
    count = 0
    if options[:1] == ["--damage"]:
        count = int(options[1])
        options = options[2:]
    with tempfile.TemporaryDirectory() as d:
        file = pathlib.Path(d) / "trace"
        try:
            run = call(fatfly, [*options, "--perfetto", str(file)])
            run.spans, run.worms = events(fatfly, options, run.apart)
            whole = file.read_bytes()
            told = check(whole, run)
            if shutil.which("protoc"):
                need(second_opinion(file) == decode(whole, "Trace", schema())["packet"], "protoc reads something else")
                told += ", protoc agrees"
        except Wrong as e:
            print(e)
            return 1
        if not count:
            print(told)
            return 0
        parts = packets(whole)
        wrongs = [damaged(whole, k) for k in range(count)]
        wrongs += [b"".join(parts[:k] + parts[k + 1:]) for k in range(2, len(parts), len(parts) // 20)]
        wrongs += [b"".join(parts[:-1]), whole + parts[-1]]
        unseen = 0
        for k, bad in enumerate(wrongs):
            try:
                check(bad, run)
                print(f"damage {k} of {len(wrongs)} was not seen")
                unseen += 1
            except (Wrong, UnicodeDecodeError, ValueError):
                pass
        print(f"{len(wrongs) - unseen} of {len(wrongs)} damaged traces were seen")
        return unseen > 0


if __name__ == "__main__":
    sys.exit(main())
