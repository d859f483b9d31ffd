#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""test_view.py - the viewer in a headless Chromium, driven as a person would.

What the page says is compared with what the command says of the same run: digests, every register of
every switch in every cycle (with the waves of `fatfly run --waves`), the life of a worm (with --watch), every number
that is shown as text (with --format json and --events).

usage: test_view.py [--pictures DIR | --measure]     BUILD=build; writes PNGs for the pages there; prints figures of speed
Prints a line a check and `N passed, N failed`.
"""
import csv
import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

BUILD = os.environ.get("BUILD", "build")
PASSED, FAILED = [], []

# A number for all registers of all switches, all worms and the digest so far.
STATE = """const m = fatfly.model; let h = 7n;
for (let s = 0; s < m.shape.switches; s++) for (const r of m.registers(s)) h = (h * 1099511628211n ^ r.value) & 0xFFFFFFFFFFFFFFFFn;
for (const w of m.worms().values()) for (const x of Object.values(w)) h = (h * 1099511628211n ^ BigInt(x)) & 0xFFFFFFFFFFFFFFFFn;
return [m.now, h.toString(16), m.figures(0).digest].join(' ');"""


def check(name: str, good: bool, saw: object = "") -> None:
    (PASSED if good else FAILED).append(name)
    print(("PASS " if good else "FAIL ") + name + ("" if good else f"\n    saw: {str(saw)[:400]}"), flush=True)


def command(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BUILD + "/fatfly", *args], capture_output=True, text=True, check=False)


def browser() -> Any:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for arg in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1440,900", "--hide-scrollbars",
                "--disable-dev-shm-usage", "--force-device-scale-factor=1"):
        options.add_argument(arg)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options)
    driver.set_script_timeout(60)
    driver.set_page_load_timeout(60)
    return driver


class Page:
    """One file of `fatfly view`, open."""

    def __init__(self, driver: Any, folder: str) -> None:
        self.d, self.folder, self.size = driver, folder, 0

    def open(self, *args: str, build: str = BUILD) -> None:
        file = os.path.join(self.folder, "page.html")
        done = command("view", "--build", build, *args, "--output", file)
        assert done.returncode == 0, done.stderr
        with open(file, "rb") as page:
            self.size = len(gzip.compress(page.read(), 9))
        self.d.get("file://" + file)
        self.until("return window.fatfly !== undefined")

    def until(self, script: str, seconds: float = 60) -> None:
        end = time.time() + seconds
        while not self.js(script) and time.time() < end:
            time.sleep(0.05)

    def js(self, script: str, *args: object) -> Any:
        return self.d.execute_script(script, *args)

    def text(self, name: str) -> str:
        return str(self.d.find_element(By.ID, name).text)

    def press(self, name: str) -> None:
        self.d.find_element(By.ID, name).click()

    def key(self, key: str) -> None:
        ActionChains(self.d).send_keys(key).perform()

    def errors(self) -> list[str]:
        return [line["message"] for line in self.d.get_log("browser") if line["level"] == "SEVERE"]

    def click_node(self, node: int) -> None:
        x, y = self.js("const l = fatfly.layout; return [l.x[arguments[0]], l.y[arguments[0]]]", node)
        canvas = self.d.find_element(By.ID, "network")
        size = canvas.size
        ActionChains(self.d).move_to_element_with_offset(canvas, int(x - size["width"] / 2), int(y - size["height"] / 2)).click().perform()


def digest_of(line: str) -> str:
    out = command(*shlex.split(line)[1:]).stdout
    found = re.search(r"^digest +([0-9a-f]{16})$", out, re.M)
    return found.group(1) if found else "none: " + out


def digests(page: Page) -> None:
    for args in ("--nodes 16 --load 0.25 --length 8", "--nodes 64 --load 0.1 --vcs 2 --path rg --scan ff --cycles 20000",
                 "--nodes 16 --pattern complement", "--topology torus --radix 6 --length 8 --load 0.2 --cycles 20000",
                 "--topology mesh --radix 5 --path negative-hop --load 0.1 --length 4 --lengths uniform --cycles 20000",
                 "--topology hypercube --nodes 16 --load 0.2 --length 4 --depth 2 --cycles 20000"):
        page.open(*args.split())
        page.until("return fatfly.measured.digest")
        line, shown = page.text("what"), page.text("digest").replace("digest ", "")
        check(f"digest of {line} is the command's", shown == digest_of(line), shown)
        check("and that of what was asked for", shown == digest_of(f"fatfly run {args} --runs 1"), shown)
        first, again = page.js("return [fatfly.measured.figures, fatfly.model.figures(1)]")
        run = json.loads(command("run", *args.split(), "--runs", "1", "--format", "json").stdout)
        mean = run["latency_mean"] or first["latency"]
        check("so are its figures, however often they are asked for", first == again and abs(first["latency"] - mean) < 1e-6 * mean and
              first["hops"] == run["flit_hops"] and first["cycles"] == run["cycles"] and (not run["latency_max"] or first["longest"] == run["latency_max"]),
              (first, again, run))
    check("another seed has another digest", digest_of("fatfly run --nodes 16 --runs 1") != digest_of("fatfly run --nodes 16 --runs 1 --seed 2"))
    check("at most 200 kB gzipped", 0 < page.size <= 200_000, page.size)
    with open("docs/results/view.csv", encoding="utf-8", newline="") as table:
        written = {row["measure"]: int(row["value"]) for row in csv.DictReader(table)}["page"]
    check("... within 5 % of what docs/view.md says", abs(page.size - written) <= written / 20, (page.size, written))
    print(f"the page: {page.size} bytes gzipped")


# What counts only beside something else: its pattern, its lengths, its arrivals.  None is the default.
SETTINGS = ("--pattern packing --density 0.3", "--pattern spreading --density 0.3", "--pattern monotone --density 0.3",
            "--pattern hotspot --hotspot 0.3 --hotspot-node 5 --load 0.1 --cycles 3000", "--self-traffic --rounds 3 --delay-range 40",
            "--lengths uniform --length-min 3 --length 20 --load 0.1 --cycles 3000", "--lengths geometric --length-mean 7 --length 60",
            "--lengths bimodal --length-min 2 --length 40 --short-share 0.8", "--arrivals on-off --burst-on 50 --burst-off 200 --load 0.1 --cycles 3000",
            "--arrivals poisson --load 0.1 --cycles 3000 --whole", "--discipline phased --phases 3 --phase-length 100 --rounds 3",
            "--load 0.1 --warmup 500 --cycles 3000 --seed 18446744073709551615", "--rounds 20 --max-cycles 300 --flit-bits 48 --path fp --scan fcfs",
            "--topology torus --radix 4 --dimensions 3 --depth 16 --link-latency 2 --router-latency 3 --head-latency 2 --length 4",
            "--topology mesh --radix 4 --bandwidth on-demand --depth 3 --channels-in-turn --length 5 --path negative-hop --rounds 3",
            "--topology torus --radix 4 --vcs 4 --length 5 --rounds 3",
            "--topology GRAPH --force --load 0.05 --length 4 --cycles 3000",
            "--topology hypercube --nodes 16 --length 5 --rounds 3", "--topology butterfly --nodes 16 --length 5 --rounds 3")


def commands(page: Page) -> None:
    """Whatever is set, the command that the page shows does the same."""
    graph = os.path.join(page.folder, "it's $a \"graph\".txt") # a name that a shell would read otherwise
    shutil.copy("sim/paper/graphs/random-64.txt", graph)
    for args in (("" if "--topology" in some else "--nodes 16 ") + some.replace("GRAPH", shlex.quote(f"graph:{graph}")) for some in SETTINGS):
        page.open(*shlex.split(args))
        page.until("return fatfly.measured.digest")
        line, shown = page.text("what"), page.text("digest").replace("digest ", "")
        check(f"the command that is shown for {args} does the same", len(shown) == 16 and shown == digest_of(line), (line, shown, digest_of(line)))
        check("... which is what was asked for", shown == digest_of(f"fatfly run {args} --runs 1"), shown)


def controls(page: Page) -> None:
    """Networks that are chosen by the page's controls, one after the other: their nodes, and the command that is shown."""
    page.open("--nodes", "16", "--length", "4")
    for name, value, node in (("length", "6", ""), ("topology", "torus", "node (5, 1)"), ("dimensions", "3", "node (5, 1, 0)"), ("radix", "4", "node (1, 3, 0)"),
                              ("topology", "mesh", "node (1, 3, 0)"), ("seed", "7", "node (1, 3, 0)"), ("topology", "fat-tree", ""), ("vcs", "2", "")):
        page.js("delete fatfly.measured.digest; const e = document.querySelector(`[name=${arguments[0]}]`); e.value = arguments[1];"
                "e.dispatchEvent(new Event('change', {bubbles: true}))", name, value)
        page.until("return fatfly.measured.digest")
        line, shown = page.text("what"), page.text("digest").replace("digest ", "")
        check(f"{name} = {value} by the controls: the command that is shown does the same", len(shown) == 16 and shown == digest_of(line), (line, shown, digest_of(line)))
        if node:
            check(f"... and names nodes by their coordinates: {node}", page.js("return fatfly.layout.name(13)") == node, page.js("return fatfly.layout.name(13)"))
            wide = page.js("return Math.max(...fatfly.layout.wx) - Math.min(...fatfly.layout.wx)")
            check("... and draws planes beside each other", 0 < wide < 200, wide)
    page.open(*"--nodes 16 --length 4 --load 0.1 --cycles 500".split())
    for name, value in (("vcs", "2"), ("depth", "3"), ("length", "5"), ("path", "gp"), ("scan", "ff"), ("pattern", "complement"), ("nodes", "64"),
                        ("topology", "torus"), ("radix", "5"), ("dimensions", "1")):
        kept = []
        for change in ((name, value), ("load", "0.2"), ("load", "0.1")):
            page.until("return fatfly.measured.digest")
            page.js("const e = document.querySelector(`[name=${arguments[0]}]`); e.value = arguments[1]; e.dispatchEvent(new Event('change', {bubbles: true}))", *change)
            kept.append(page.js("return chart.points.filter(p => !p.live).map(p => p.load)"))
        check(f"points of other loads stay in the chart, but none from before {name} = {value}", kept == [[], [0.1], [0.2]], kept)
    for name, value in (("length", "1e3"), ("length", "1.5"), ("length", "-4"), ("length", "4294967300"), ("load", ""), ("seed", "")):
        page.js("const e = document.querySelector(`[name=${arguments[0]}]`); e.type = 'text'; e.value = arguments[1];"
                "e.dispatchEvent(new Event('change', {bubbles: true}))", name, value)
        check(f"{name} = '{value}' is refused", f"{name} = {value}" in page.text("message"), page.text("message"))
        page.open("--nodes", "16", "--length", "4")


POINT = re.compile(r"(saturated: )?mean latency ([0-9.]+) cycles, p99 ([0-9]+), ([0-9]+) worms; "
                   r"(?:accepted ([0-9.]+) flits per cycle and processor|last arrival in cycle ([0-9]+)); ([0-9]+) cycles")
AROUND = re.compile(r"cycle ([0-9]+): ([0-9]+) worms in the network, ([0-9]+) blocked, ([0-9]+) wait at their sources(?:; the run is over)?")
WORM = re.compile(r"Worm ([0-9]+), cycle ([0-9]+)\n([0-9]+) flits from processor ([0-9]+) to ([0-9]+), ready in cycle ([0-9]+): "
                  r"([0-9]+) at the source, ([0-9]+) in the network, ([0-9]+) arrived")


class Flits:
    """Where all flits are in a cycle, by the log of a run."""

    def __init__(self, folder: str, args: str) -> None:
        file = os.path.join(folder, "events.csv")
        done = command("run", *args.split(), "--runs", "1", "--events", file)
        assert done.returncode == 0, done.stderr
        with open(file, encoding="ascii") as log:
            lines = list(log)
        hop = re.search(r" hop_cycles=([0-9]+) ", "".join(lines[:2]))
        assert hop
        self.hop, self.tree = int(hop.group(1)), " topology=fat-tree " in lines[1]
        self.made: dict[int, tuple[int, ...]] = {} # by worm: its ready, flits, src, dst
        self.moves: list[tuple[int, int, int, int, str]] = [] # worm, cycle, cycles, flit, place
        for row in csv.DictReader(line for line in lines if not line.startswith("#")):
            if row["event"] == "ready":
                self.made[int(row["worm"])] = (int(row["cycle"]), int(row["flits"]), int(row["src"]), int(row["dst"]))
            elif row["event"] == "move":
                self.moves.append((int(row["worm"]), int(row["cycle"]), int(row["cycles"]), int(row["flit"]), row["place"]))

    def at(self, cycle: int) -> dict[int, tuple[int, ...]]:
        """Of each worm under way: its flits that were sent, and that have arrived, and whether its head goes on in this cycle."""
        sent, arrived, goes = dict.fromkeys(self.made, 0), dict.fromkeys(self.made, 0), set()
        for worm, begins, takes, flit, place in self.moves:
            sent[worm] += place in ("first", "only") and begins + takes <= cycle
            arrived[worm] += place in ("last", "only") and begins + takes + self.hop <= cycle
            if flit == 0 and begins == cycle:
                goes.add(worm)
        return {k: (sent[k], arrived[k], k in goes) for k, made in self.made.items() if made[0] < cycle and arrived[k] < made[1]}


def wrong_point(page: Page, args: str) -> list[str]:
    """What the line under the chart says otherwise than `run --format json`."""
    page.until("return fatfly.measured.digest")
    run = json.loads(command("run", *args.split(), "--runs", "1", "--format", "json").stdout)
    found = POINT.fullmatch(page.text("point"))
    if not found:
        return [page.text("point")]
    wrong = [] if bool(found.group(1)) == (run["end"] == "saturated") else [f"{run['end']} is shown otherwise"]
    for k, name, off in ((2, "latency_mean", 0.0500001), (3, "latency_p99", 0), (4, "measured", 0), (5, "accepted_load", 0.0000501),
                         (6, "last_arrival_max", 0), (7, "cycles", 0)):
        shown = found.group(k)
        if shown is not None and run[name] is not None and abs(float(shown) - run[name]) > off:
            wrong.append(f"{name} = {run[name]}, shown {shown}")
    return wrong


def wrong_cycle(page: Page, flits: Flits, cycle: int) -> list[str]:
    """What the line of state, the picture's name, the panels of a worm and of a processor say otherwise than the log."""
    page.js("fatfly.jump(arguments[0])", cycle)
    there, wrong = flits.at(cycle), []
    inside = [k for k, (sent, _, _) in there.items() if sent]
    stand = [k for k in inside if not there[k][1] and not there[k][2]]
    state = page.js("return document.getElementById('state').textContent")
    if state != page.d.find_element(By.ID, "network").get_attribute("aria-label"):
        wrong.append("the picture has another name")
    found = AROUND.fullmatch(state)
    got = [int(found.group(k)) for k in (1, 2, 3, 4)] if found else []
    want = [cycle, len(inside), len(stand), len(there) - len(inside)]
    if not flits.tree: # where a flit crosses for several cycles, or channels are free, a head that does not begin need not be blocked
        got[2:3] = want[2:3] = []
    if got != want:
        wrong.append(f"{want}, shown {state}")
    for k in [*inside[:3], *[k for k in there if k not in inside][:1]]:
        page.js("fatfly.select({worm: arguments[0]})", k)
        ready, length, src, dst = flits.made[k]
        sent, arrived, _ = there[k]
        panel = WORM.match(page.text("detail"))
        if not panel or [int(x) for x in panel.groups()] != [k, cycle, length, src, dst, ready, length - sent, sent - arrived, arrived]:
            wrong.append(f"worm {k}: {flits.made[k]} {there[k]}, shown {page.text('detail')[:150]}")
    for src in range(4 if flits.tree else 0):
        page.js("fatfly.select({node: fatfly.model.shape.switches + arguments[0]})", src)
        rows = page.js("return [...document.querySelectorAll('#detail tr')].map(r => r.textContent)")
        own = [f"worm {k}{f'to {flits.made[k][3]}' if flits.made[k][2] == src else f'from {flits.made[k][2]}'}{sent}/{flits.made[k][1]} sent, {arrived} arrived"
               for k, (sent, arrived, _) in there.items() if src in flits.made[k][2:]]
        if sorted(rows) != sorted(own or ["no worm"]):
            wrong.append(f"processor {src}: {own}, shown {rows}")
    return wrong


# Each network with an open loop and with a number of worms; butterflies and butterfly fat-trees have more nodes than processors.
FIGURES = ("--nodes 16 --load 0.25 --length 8 --cycles 3000", "--nodes 64 --rounds 3 --length 5 --vcs 2",
           "--nodes 16 --load 0.9 --length 8 --cycles 20000", "--topology torus --radix 4 --load 0.3 --length 5 --cycles 3000",
           "--topology torus --radix 5 --rounds 3 --length 4 --link-latency 2 --router-latency 1", "--topology mesh --radix 4 --load 0.9 --length 6 --cycles 20000",
           "--topology butterfly --nodes 16 --load 0.2 --length 4 --cycles 3000", "--topology butterfly --nodes 16 --rounds 3 --length 4",
           "--topology hypercube --nodes 16 --load 0.1 --length 4 --cycles 3000")

# Text of the page, what comes in its place.
WRONG_TEXTS = (("/ model.shape.processors).toPrecision", "/ model.shape.nodes).toPrecision"), ("p99 ${f.p99},", "p99 ${f.longest},"),
               ("inside += w.sent > 0;", "inside += w.sent >= 0;"), ("${w.sent - w.arrived} in the network", "${w.sent} in the network"),
               ("w.src === a ? `to ${w.dst}`", "w.src === a ? `to ${w.src}`"), ('setAttribute("aria-label", text)', 'setAttribute("aria-label", "")'))


def numbers(page: Page, folder: str) -> None:
    """Every number that the page shows as text is that of the command: of the run its figures, of a cycle its log."""
    for args in FIGURES:
        page.open(*args.split())
        wrong = wrong_point(page, args)
        check(f"the line under the chart has the command's figures: {args}", not wrong, (wrong, page.text("point")))
        flits = Flits(folder, args)
        wrong = [line for cycle in (9, 14, 17, 20, 150) for line in (wrong_cycle(page, flits, cycle) if cycle < max(m[1] for m in flits.moves) else [])]
        check("... and what is said of a cycle, of worms and of processors is that of the log", not wrong and len(flits.moves) > 300, wrong)
    own, args = os.path.join(folder, "wrong"), FIGURES[0]
    flits = Flits(folder, args)
    shutil.copytree(os.path.join(BUILD, "view"), os.path.join(own, "view"))
    file = pathlib.Path(own, "view", "page.html")
    right = file.read_text(encoding="utf-8")
    for old, new in WRONG_TEXTS:
        file.write_text(right.replace(old, new), encoding="utf-8")
        page.open(*args.split(), build=own)
        wrong = wrong_point(page, args) + wrong_cycle(page, flits, 20) + wrong_cycle(page, flits, 50)
        check(f"planted: {new}", right.count(old) == 1 and len(wrong) > 0, (right.count(old), wrong))


def there_and_back(page: Page) -> bool:
    """To cycle 300 by steps, back, to 120 in one, on again: the same states."""
    page.js("fatfly.jump(100)")
    seen = {}
    for k in range(100, 200):
        page.js("fatfly.jump(arguments[0])", k)
        seen[k] = page.js(STATE)
    same = True
    for k in (199, 198, 150, 101, 199, 100):
        page.js("fatfly.jump(arguments[0])", k)
        same = same and page.js(STATE) == seen[k]
    page.js("fatfly.jump(150)")
    page.press("back")
    same = same and page.js(STATE) == seen[149]
    page.press("step")
    page.press("step")
    return bool(same and page.js(STATE) == seen[151] and len(set(seen.values())) == 100)


def time_travel(page: Page) -> None:
    for args in ("--nodes 16 --load 0.3 --length 8", "--nodes 64 --load 0.1 --vcs 4 --scan fcfs",
                 "--topology torus --radix 6 --depth 2 --load 0.2 --length 8"):
        page.open(*args.split())
        check(f"forward and back is the same: {args}", there_and_back(page), page.js(STATE))
    page.js("const m = fatfly.model; m.c = {...m.c, v_restore: () => 0}")
    check("planted: a page that goes back to nowhere is seen", not there_and_back(page))


def waves(file: str) -> tuple[dict[str, str], list[dict[str, int]]]:
    """Names of signals, and their values in each cycle."""
    names: dict[str, str] = {}
    scope: list[str] = []
    cycles: list[dict[str, int]] = []
    now: dict[str, int] = {}
    with open(file, encoding="ascii") as text:
        for line in text:
            word = line.split()
            if line.startswith("$scope"):
                scope.append(word[2])
            elif line.startswith("$upscope"):
                scope.pop()
            elif line.startswith("$var"):
                names[".".join([*scope[1:], word[4]])] = word[3]
            elif line.startswith("#"):
                while len(cycles) < int(line[1:]) // 10:
                    cycles.append(dict(now))
            elif line.startswith("b"):
                now[word[1]] = int(word[0][1:].replace("x", "0"), 2)
            elif line[:1] in "01":
                now[line[1:].strip()] = int(line[0])
    cycles.append(dict(now))
    return names, cycles


SAME = """const all = [], m = fatfly.model; fatfly.jump(arguments[0]);
for (let s = 0; s < m.shape.switches; s++) for (const r of m.registers(s))
  if (m.now === arguments[0]) all.push([fatfly.layout.name(s), r.name, r.port, r.channel, r.index, String(r.value)]);
return all;"""


def registers(page: Page, folder: str, args: str) -> None:
    """All registers, grants and room of all switches in every fourth cycle: those of the waves."""
    file = os.path.join(folder, "waves.vcd")
    done = command("run", *args.split(), "--runs", "1", "--waves", file)
    assert done.returncode == 0, done.stderr
    names, cycles = waves(file)
    page.open(*args.split())
    compared, wrong = 0, []
    for k in range(0, len(cycles) - 2, 4):
        for where, name, port, channel, index, value in page.js(SAME, k):
            level, at = re.findall(r"\d+", where)
            path = f"l{level}_{at}" + (f".port{port}" if port >= 0 else "") + (f".vc{channel}" if channel >= 0 else "")
            path += "." + (name.replace("mem_q", f"mem_q{index}") if name.startswith("mem_q") else name)
            if path not in names or names[path] not in cycles[k]:
                continue
            if "_q_" in name and cycles[k][names[path.rsplit(".", 1)[0] + ".count_q"]] < 1 + (name.startswith("mem_q")):
                continue # no flit there: depth 2 shows none
            compared += 1
            if cycles[k][names[path]] != int(value):
                wrong.append((k, path, cycles[k][names[path]], value))
    check(f"{compared} registers and wires are those of the waves: {args}", compared > 2000 and not wrong, wrong[:3])


def clicks(page: Page) -> None:
    args = "--nodes 16 --length 8 --pattern complement"
    page.open(*args.split())
    page.js("fatfly.jump(6)")
    time.sleep(0.3)
    page.click_node(1)
    shown = page.js("""return [...document.querySelectorAll('#detail tr[data-channel]')].map(r => r.querySelector('[data-register=count_q]').textContent).join()""")
    truth = page.js("return fatfly.model.registers(1).filter(r => r.name === 'count_q').map(r => String(r.value)).join()")
    check("a click on a switch shows its queues", shown == truth and "2" in shown and page.text("detail").startswith("Switch S(1,1), cycle 6"), shown)
    asks = page.js("return [...document.querySelectorAll('#detail [data-register=ask]')].map(e => e.textContent).join('|')")
    check("and what its ports ask for", "parent" in asks, asks)
    life = command("run", *args.split(), "--runs", "1", "--watch", "3").stdout.splitlines()
    want = [line for line in life if line.startswith("cycle")]
    page.js("fatfly.select({worm: 3})")
    got = [line for line in page.js("return [...document.querySelectorAll('#life td')].map(e => e.textContent)") if "crosses" in line]
    check("the life of a worm is that of --watch", got == want and len(want) == 8, got)
    check("it waits for another", "is in its way" in page.text("detail") or "Blocked by" in page.text("detail"), page.text("detail"))
    x, y = page.js("fatfly.jump(7); const l = fatfly.layout; l.fit(fatfly.picture.width, fatfly.picture.height); fatfly.picture.draw(l, fatfly.frame, null, 1); return fatfly.picture.flits[0]")[:2]
    canvas = page.d.find_element(By.ID, "network")
    ActionChains(page.d).move_to_element_with_offset(canvas, int(x - canvas.size["width"] / 2), int(y - canvas.size["height"] / 2)).click().perform()
    check("a click on a flit shows its worm", page.text("detail").startswith("Worm "), page.text("detail")[:40])


def lives(page: Page) -> None:
    """Of worms on other networks, where a link takes cycles, and of long ones: cycle by cycle as --watch prints them."""
    for args, worm, cycle in (("--topology hypercube --nodes 16 --length 3 --load 0.3 --cycles 1000", 50, 36),
                              ("--topology torus --radix 4 --length 5 --rounds 3", 20, 20),
                              ("--topology torus --radix 4 --length 5 --link-latency 3 --router-latency 2 --rounds 2", 11, 20),
                              ("--topology mesh --radix 4 --length 4 --bandwidth on-demand --depth 2 --rounds 2", 9, 8),
                              ("--nodes 16 --length 3 --rounds 2", 18, 6)):
        told = re.findall(r"^cycle (\d+): (head|tail) ", command("run", *args.split(), "--runs", "1", "--watch", str(worm)).stdout, re.M)
        page.open(*args.split())
        page.js("fatfly.jump(arguments[0]); fatfly.select({worm: arguments[1]})", cycle, worm)
        shown = page.js("return [...document.querySelectorAll('#life td')].map(e => e.textContent)")
        got = [found.groups() for found in (re.match(r"cycle (\d+): (head|tail) ", line) for line in shown) if found]
        check(f"the life of worm {worm} is that of --watch: {args}", sorted(got) == sorted(told) and len(told) >= 2, (told, shown))
        ready = page.js("return fatfly.model.worms().get(arguments[0]).ready", worm)
        check("... and begins when it is ready", shown[:1] == [f"cycle {ready}: ready at processor {(worm - 1) % 16}"], shown[:1])
    late = page.js("""const m = Object.create(fatfly.model, {c: {value: {v_worms: () => 0}}, words: {value: (at, n) => Uint32Array.from([1, 9, ...Array(11), 5, 3]).subarray(0, n)}});
        return m.worms().get(9).ready""")
    check("a worm that is ready after 2^32 cycles is so", late == 5 + 3 * 2**32, late)
    args = "--nodes 16 --length 64 --rounds 20 --pattern many-to-1"
    page.open(*args.split())
    page.js("fatfly.jump(5300); fatfly.select({worm: 290})")
    told = re.findall(r"^cycle (\d+): (head|tail) ", command("run", *args.split(), "--runs", "1", "--watch", "290").stdout, re.M)
    shown = page.js("return [...document.querySelectorAll('#life td')].map(e => e.textContent)")
    got = [found.groups() for found in (re.match(r"cycle (\d+): (head|tail) ", line) for line in shown) if found]
    check("of a long life what is near, and what is left out is said", sorted(got) == sorted(told) and shown[1] == "cycle 1300: what came before is not shown", (told, shown))


def forced(page: Page) -> None:
    """A page that was made without --force does not force what is chosen in it."""
    page.open(*"--topology torus --radix 6 --length 16".split())
    check("the command has no --force that nobody gave", "--force" not in page.text("what"), page.text("what"))
    page.js("const e = document.querySelector('[name=vcs]'); e.value = '1'; e.dispatchEvent(new Event('change', {bubbles: true}))")
    time.sleep(0.5)
    check("a choice that can deadlock is refused", "wait in a circle" in page.text("message"), page.text("message"))
    page.open(*"--topology torus --radix 6 --length 16 --vcs 1 --force".split())
    check("... but not where that was asked for", "--force" in page.text("what") and not page.text("message"), page.text("message"))


NODE = """const m = fatfly.model, s = arguments[0], e = m.shape.ends, want = [], all = [...m.worms().values()];
for (let k = 0; k < m.shape.links; k++) for (let v = 0; v < m.shape.channels; v++) if (e[2 * k + 1] === s) {
  const { each, x } = m.queues(true), at = (k * m.shape.channels + v) * each, head = all.find(w => w.head === k && w.headChannel === v);
  if (x[at] || x[at + 1] || head) want.push([x[at + 1], head && head.blockedBy ? 'worm ' + head.blockedBy : '']);
}
const got = [...document.querySelectorAll('#detail tr[data-queue]')].filter(r => r.dataset.queue !== 'source')
  .map(r => [+r.querySelector('[data-register=flits]').textContent, (r.querySelector('[data-register=gnt] button') || {textContent: ''}).textContent]);
return [JSON.stringify(want), JSON.stringify(got), want.length, want.filter(w => w[1]).length,
        [...document.querySelectorAll('#detail tr[data-queue]')].filter(r => r.dataset.queue === 'source').length, all.filter(w => w.src === s && !w.sent).length,
        +(document.getElementById('detail').textContent.match(/and (\\d+) more/) || [0, 0])[1]];"""


def nodes(page: Page) -> None:
    """A click on a node of a torus and of a mesh: its queues, owners, requests."""
    for args in ("--topology torus --radix 6 --depth 2 --load 0.5 --length 12", "--topology mesh --radix 5 --depth 3 --load 0.4 --length 9"):
        page.open(*args.split())
        queues = waits = 0
        same = True
        for cycle, node in ((160, 7), (190, 13), (220, 12), (250, 8), (280, 17), (310, 18)):
            page.js("fatfly.jump(arguments[0])", cycle)
            time.sleep(0.1)
            page.click_node(node)
            want, got, some, blocked, sources, waiting, more = page.js(NODE, node)
            same = same and want == got and sources == min(3, waiting) and more == max(0, waiting - 3) and f"cycle {cycle}" in page.text("detail")
            queues, waits = queues + some, waits + blocked
        check(f"a click on a node shows {queues} queues, {waits} heads that wait, and its source: {args}", same and queues > 10 and waits > 1, (want, got, sources, waiting))
        other = page.js(NODE, 13)
        check(f"planted: the queues of another node are seen: {args}", other[0] != other[1] or other[4] != min(3, other[5]), other)
        owner = page.js("return [...document.querySelectorAll('#detail tr[data-channel] [data-register=worm]')].map(e => e.textContent).join()")
        truth = page.js("return fatfly.model.registers(18).filter(r => r.name === 'worm').map(r => r.value ? 'worm ' + r.value : '0').join()")
        check(f"and who owns the channels that leave it: {args}", owner == truth and "worm" in owner, (owner, truth))


QUEUED = """fatfly.jump(arguments[0]); const { each, x } = fatfly.model.queues(true); let drawn = 0, there = 0, most = 0;
for (const w of fatfly.frame.worms.values()) drawn += (w.flits || []).length;
for (let at = 0; at < x.length; at += each) { there += x[at + 1]; most = Math.max(most, x[at + 1]); }
return [drawn, there, most];"""


def depths(page: Page) -> None:
    """Every flit in a queue is one of a worm's, whatever the depth of queues, and some queue is full."""
    for network in ("--nodes 16 --pattern many-to-1 --length 40", "--topology torus --radix 4 --pattern many-to-1 --length 40"):
        for depth in (1, 2, 3, 4, 5, 7, 8, 9, 15, 16):
            page.open(*network.split(), "--depth", str(depth))
            drawn, there, most = page.js(QUEUED, 60)
            check(f"all flits of queues of {depth} are shown: {network}", drawn == there > 8 and most == depth, (drawn, there, most))


def looks(page: Page) -> None:
    """From 4 to 1024 processors and on networks of other kinds; dark and light; the field, the point and its curve."""
    for args in ("--nodes 4 --load 0.2 --length 4", "--nodes 1024 --load 0.02", "--topology butterfly --nodes 16 --load 0.1 --length 4",
                 "--topology graph:sim/paper/graphs/random-64.txt --force --load 0.05 --length 4"):
        page.open(*args.split())
        page.js("fatfly.jump(40)")
        time.sleep(0.3)
        inked = page.js("const c = document.getElementById('network'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, s = new Set(); for (let k = 0; k < d.length; k += 4) s.add(d[k] << 16 | d[k + 1] << 8 | d[k + 2]); return s.size")
        check(f"a picture of {args}", inked > 8 and page.js("return fatfly.model.now") == 40, inked)
    page.open(*"--topology mesh --radix 3 --dimensions 4 --load 0.05 --length 4".split())
    check("... in four dimensions", page.js("return fatfly.layout.name(77)") == "node (2, 1, 2, 2)", page.js("return fatfly.layout.name(77)"))
    page.open(*"--nodes 16 --load 0.3 --length 8".split())
    page.until("return fatfly.measured.digest")
    mean = re.search(r"^latency +.*?([0-9.]+)", command("run", *"--nodes 16 --load 0.3 --length 8 --runs 1".split()).stdout, re.M)
    check("the point has the command's mean latency", bool(mean) and f"mean latency {float(mean.group(1)):.1f} cycles" in page.text("point"), (mean, page.text("point")))
    curve = page.js("""const c = document.getElementById('chart'), g = c.getContext('2d'), d = g.getImageData(0, 0, c.width, c.height).data, m = fatfly.picture.c.mark, p = document.createElement('canvas').getContext('2d');
p.fillStyle = m; p.fillRect(0, 0, 1, 1); const w = p.getImageData(0, 0, 1, 1).data; let n = 0, o = 0; for (let k = 0; k < d.length; k += 4) { n += d[k] === w[0] && d[k + 1] === w[1] && d[k + 2] === w[2]; o += d[k] === 0xd5 && d[k + 1] === 0x5e && d[k + 2] === 0; } return [n, o]""")
    check("behind it is the paper's curve", curve[0] > 100 and curve[1] > 10, curve)
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = page.js(paper)
    page.press("theme")
    check("dark and light differ", page.js(paper) != light, light)
    field = page.d.find_element(By.ID, "cycle")
    field.clear()
    field.send_keys("77", Keys.TAB)
    page.until("return fatfly.model.now === 77", 5)
    check("the field jumps to a cycle", page.js("return fatfly.model.now") == 77)
    names = page.js("return [...document.getElementById('controls').elements].map(e => e.name)")
    check("controls of load, length, V, q, path, scan, pattern", {"load", "length", "vcs", "depth", "path", "scan", "pattern"} <= set(names), names)
    waiting = page.js("for (let k = 60; k < 200; k++) { fatfly.jump(k); for (const w of fatfly.model.worms().values()) if (w.blockedBy && w.sent && w.wants !== 0xFFFFFFFF) return [k, w.id, w.blockedBy]; } return null")
    page.js("fatfly.select({worm: arguments[0]})", waiting[1])
    check("who blocks a worm is said", f"Blocked by worm {waiting[2]}" in page.text("detail"), (waiting, page.text("detail")[:200]))


# Of each node: flits in the queues that end there, by the model, and the colour in its middle; of each worm: flits in queues, and drawn.
INK = """fatfly.jump(arguments[0]); const m = fatfly.model, l = fatfly.layout, p = fatfly.picture, { channels, depth, ports, switches, ends } = m.shape;
l.fit(p.width, p.height); p.draw(l, fatfly.frame, null, 1);
const full = Array(m.shape.nodes).fill(0), { each, x } = m.queues(true), ratio = p.canvas.width / p.width, flits = {}, drawn = {};
for (let at = 0, c = 0; at < x.length; at += each, c++) {
  full[ends[2 * Math.floor(c / channels) + 1]] += x[at + 1];
  for (let j = 0; j < x[at + 1]; j++) flits[x[at + 2 + 2 * j]] = (flits[x[at + 2 + 2 * j]] || 0) + 1;
}
for (const [, , id] of p.flits) drawn[id] = (drawn[id] || 0) + 1;
const g = p.canvas.getContext('2d'), at = x => Math.floor(x * ratio);
const ink = [...Array(switches).keys()].map(s => [...g.getImageData(at(l.x[s]), at(l.y[s]), 1, 1).data]);
return { heat: p.isHeat(l), full: full.slice(0, switches), ink, flits, drawn, ports, channels, depth, legend: HEAT };"""


def wrong_ink(page: Page, cycle: int) -> tuple[list[str], int]:
    """What the picture of a cycle shows otherwise than the model has it; how many things it shows."""
    saw = page.js(INK, cycle)
    if not saw["heat"]:
        return [f"worm {k}: {n} flits, {saw['drawn'].get(k)} drawn" for k, n in saw["flits"].items() if saw["drawn"].get(k) != n] + \
            [f"worm {k} is drawn" for k in saw["drawn"] if k not in saw["flits"]], len(saw["drawn"])
    steps = ["#" + "".join(f"{c:02x}" for c in pixel[:3]) for pixel in saw["ink"]]
    most = saw["ports"] * saw["channels"] * min(saw["depth"], 4)
    wrong = []
    for node, (full, colour) in enumerate(zip(saw["full"], steps)):
        want = saw["legend"][min(6, -(-6 * full // most)) - 1] if full else None  # six steps, the last one full
        if colour != want if want else colour in saw["legend"]:
            wrong.append(f"{full} of {most} flits in node {node}: {colour}, not {want}")
    return wrong, sum(full > 0 for full in saw["full"])


# Flits that are not, at the beginning of a step, where they were, in its middle half-way on their link, and at its end where they are then.
STEPS = """const wrong = [], l = fatfly.layout, p = fatfly.picture; let seen = 0;
const drawn = (frame, old, part) => { p.draw(l, frame, old, part); const by = {}; for (const [x, y, id] of p.flits) (by[id] = by[id] || []).push([x, y]); return by; };
for (let t = arguments[0]; t < arguments[0] + 12; t++) {
  fatfly.jump(t);
  const old = fatfly.frame, was = drawn(old, null, 1);
  fatfly.jump(t + 1);
  const now = fatfly.frame, is = drawn(now, null, 1), [begin, half, end] = [0, 0.5, 1].map(part => drawn(now, old, part));
  if (JSON.stringify(end) !== JSON.stringify(is)) wrong.push([t, 'end']);
  for (const id in begin) begin[id].forEach((at, j) => {
    const w = now.worms.get(+id), o = old.worms.get(+id), k = o ? w.arrived + j - o.arrived : -1, from = (was[id] || [])[k];
    if (!from) return;
    seen++;
    const c = w.flits[j][0], same = o.flits[k][0] === c && l.line(Math.floor(c / l.shape.channels)).length === 2;
    const middle = same ? [0, 1].map(a => (from[a] + is[id][j][a]) / 2) : half[id][j];
    if (Math.hypot(at[0] - from[0], at[1] - from[1], half[id][j][0] - middle[0], half[id][j][1] - middle[1]) > 1e-6) wrong.push([t, +id, j]);
  });
}
return [wrong.slice(0, 4), seen]"""

# Nodes that do not stay where they are when they are zoomed at, and of a tree those that are not above the middle of their share.
ZOOMED = """const wrong = [], l = fatfly.layout, p = fatfly.picture, { levels, processors, nodes } = l.shape, fit = () => l.fit(p.width, p.height);
for (const by of [1.6, 1.2, 1 / 1.2]) for (let s = 0; s < nodes; s += 1 + Math.floor(nodes / 40)) {
  fatfly.zoomBy(0); fit(); fatfly.zoomBy(2); fit();
  const x = l.x[s], y = l.y[s];
  if (Math.abs(x / p.width - 0.5) > 0.2) continue;
  fatfly.zoomBy(by, x, y); fit();
  if (Math.abs(l.x[s] - x) > 1e-6 || (!levels && Math.abs(l.y[s] - y) > 1e-6)) wrong.push([s, by, l.x[s] - x, l.y[s] - y]);
}
fatfly.zoomBy(0); fit();
for (let level = 1, s = 0; level <= levels; level++) for (let a = 0; a < processors / 2 ** (level + 1); a++, s++)
  if (Math.abs(l.wx[s] - (a + 0.5) * 2 ** (level + 1)) > 1e-9) wrong.push([l.name(s), l.wx[s]]);
return wrong.slice(0, 4)"""


def ink(page: Page) -> None:
    """Far off a node has the colour of what its queues hold, near by each worm is drawn with all of its flits, which go from place to
    place; what is zoomed at stays where it is."""
    for args in ("--nodes 1024 --load 0.03", "--nodes 1024 --load 0.03 --vcs 2 --depth 3 --pattern transpose", "--nodes 64 --load 0.15 --vcs 2 --length 12",
                 "--topology torus --radix 28 --load 0.1 --length 9 --depth 4",
                 "--topology mesh --radix 6 --load 0.3 --length 9 --depth 2 --pattern complement"):
        page.open(*args.split())
        seen = [wrong_ink(page, cycle) for cycle in (40, 120, 300)]
        wrong = [line for lines, _ in seen for line in lines]
        check(f"the picture shows what there is: {args}", not wrong and min(count for _, count in seen) > 7, (wrong, [count for _, count in seen]))
        if not page.js("return fatfly.picture.isHeat(fatfly.layout)"):
            wrong, flits = page.js(STEPS, 100)
            check("... and flits go from place to place", not wrong and flits > 300, (wrong, flits))
        wrong = page.js(ZOOMED)
        check("... and what is zoomed at stays", not wrong, wrong)


# What each key and each button does to the cycle, zoom, speed, the selected node, and whether it plays and is dark; all else stays.
LOOK = """return {now: fatfly.model.now, zoom: fatfly.layout.zoom, speed: +document.getElementById('speed').value,
  plays: document.getElementById('play').textContent !== '▶', node: (fatfly.picture.selected || {node: -1}).node,
  dark: document.documentElement.classList.contains('dark')}"""
DOES: dict[str, Any] = {
    " ": lambda x: {"plays": not x["plays"]}, "ArrowRight": lambda x: {"now": x["now"] + 1}, "ArrowLeft": lambda x: {"now": max(0, x["now"] - 1)},
    "shift ArrowRight": lambda x: {"now": x["now"] + 10}, "shift ArrowLeft": lambda x: {"now": max(0, x["now"] - 10)}, "Home": lambda x: {"now": 0},
    "+": lambda x: {"zoom": min(12, 1.6 * x["zoom"])}, "=": lambda x: {"zoom": min(12, 1.6 * x["zoom"])}, "-": lambda x: {"zoom": max(1, x["zoom"] / 1.6)},
    "0": lambda x: {"zoom": 1}, "Escape": lambda x: {"node": -1}, "[": lambda x: {"speed": max(0, x["speed"] - 5)},
    "]": lambda x: {"speed": min(100, x["speed"] + 5)},
    "n": lambda x: {"node": (x["node"] + 1) % 36}, "p": lambda x: {"node": (x["node"] - 1 if x["node"] > 0 else 35)},
    "#first": lambda x: {"now": 0}, "#back": lambda x: {"now": max(0, x["now"] - 1)}, "#play": lambda x: {"plays": not x["plays"]},
    "#step": lambda x: {"now": x["now"] + 1}, "#out": lambda x: {"zoom": max(1, x["zoom"] / 1.6)}, "#in": lambda x: {"zoom": min(12, 1.6 * x["zoom"])},
    "#fit": lambda x: {"zoom": 1}, "#theme": lambda x: {"dark": not x["dark"]}}
NAMED = {"ArrowRight": Keys.ARROW_RIGHT, "ArrowLeft": Keys.ARROW_LEFT, "Home": Keys.HOME, "Escape": Keys.ESCAPE, " ": Keys.SPACE}
# From which cycle, speed and node each is pressed: at the ends, and next to them.
FROM = ((0, "0", -1), (9, "98", 0), (57, "2", 35))


def wrong_press(page: Page, what: str, cycle: int, speed: str, node: int) -> str:
    """What a key or a button does otherwise, or nothing."""
    page.js("fatfly.jump(arguments[0]); document.getElementById('speed').value = arguments[1]", cycle, speed)
    page.js("fatfly.select(arguments[0] < 0 ? null : {node: arguments[0]})", node)
    page.js("document.activeElement.blur(); document.getElementById('message').hidden = true")
    before = page.js(LOOK)
    if what.startswith("#"):
        page.press(what[1:])
    else:
        shift, key = what.startswith("shift "), what.rpartition(" ")[2] or what
        chain = ActionChains(page.d).key_down(Keys.SHIFT) if shift else ActionChains(page.d)
        chain.send_keys(NAMED.get(key, key))
        (chain.key_up(Keys.SHIFT) if shift else chain).perform()
    after = page.js(LOOK)
    want = {**before, **DOES[what](before)}
    if want["plays"] or before["plays"]:
        want["now"] = after["now"]
    page.js("fatfly.setPlaying(false)")
    same = all(abs(after[k] - want[k]) < 1e-9 if k == "zoom" else after[k] == want[k] for k in want)
    return "" if same and not page.text("message") else f"{what!r} of {before}: {after}, not {want}; {page.text('message')}"


def pressed(page: Page) -> None:
    """Every key that the page listens to and every button, from both ends of what it changes."""
    main, html = (pathlib.Path("sim/view", name).read_text(encoding="utf-8") for name in ("main.js", "page.html"))
    listened = re.search(r"const keys = \{(.*?)\};", main, re.S)
    assert listened
    there = [a or b or c for a, b, c in re.findall(r'"([^"]+)": \(\)|(\w+): \(\)|(\S): \(\)', listened[1])]
    buttons = ["#" + name for name in re.findall(r'<button id="(\w+)"', html)]
    check("every key and button has a row", {*there, *buttons} == {name.replace("shift ", "") for name in DOES} and len(there) > 10, there)
    page.open(*"--topology torus --radix 6 --load 0.2 --length 5".split())
    for what in DOES:
        wrong = [line for place in FROM if (line := wrong_press(page, what, *place))]
        check(f"what {what!r} does", not wrong, wrong)


def keys(page: Page) -> None:
    page.js("fatfly.jump(10)")
    page.d.find_element(By.ID, "network").click()
    page.key(Keys.ARROW_RIGHT)
    page.key(Keys.ARROW_RIGHT)
    page.key(Keys.ARROW_LEFT)
    check("arrow keys step", page.js("return fatfly.model.now") == 11, page.js("return fatfly.model.now"))
    page.key("n")
    check("n goes through the switches", page.text("detail").startswith("Switch S("), page.text("detail")[:30])
    label = page.d.find_element(By.ID, "network").get_attribute("aria-label")
    check("the picture says what it shows", "cycle 11:" in label and "blocked" in label, label)
    nameless = page.js("""return [...document.querySelectorAll('button,input,select')].filter(e => !e.getAttribute('aria-label') && !e.closest('label') && !e.textContent.trim()).length""")
    check("every control has a name", nameless == 0, nameless)
    page.key(Keys.SPACE)
    time.sleep(1)
    moved = page.js("return fatfly.model.now")
    page.key(Keys.SPACE)
    check("space plays", moved > 11, moved)
    page.js("document.querySelector('[name=vcs]').value = 2; document.querySelector('[name=vcs]').dispatchEvent(new Event('change', {bubbles: true}))")
    check("a control changes the network", "--vcs 2" in page.text("what") and page.js("return fatfly.model.shape.channels") == 2, page.text("what"))
    page.js("document.querySelector('[name=depth]').value = 99; document.querySelector('[name=depth]').dispatchEvent(new Event('change', {bubbles: true}))")
    check("a wrong value is refused in one line", page.text("message") == "depth = 99 flits; allowed: 1 to 16" and page.js("return fatfly.model.shape.depth") == 2,
          page.text("message"))


def deadlock(page: Page) -> None:
    page.open(*"--topology torus --radix 6 --vcs 1 --path e-cube --depth 2 --force --length 16 --load 0.6".split())
    page.js("fatfly.jump(3000)")
    says = page.text("message")
    circle = page.js("return [...fatfly.picture.circle]")
    holds = page.js("const w = fatfly.model.worms(); return [...fatfly.picture.circle].every(id => w.get(id).blockedBy && fatfly.picture.circle.has(w.get(id).blockedBy))")
    check("a node of a torus has a coordinate a dimension", page.js("return fatfly.layout.name(13)") == "node (1, 2)", page.js("return fatfly.layout.name(13)"))
    check("a deadlock is said and its circle marked", says.startswith("deadlock in cycle") and len(circle) >= 3 and holds, (says, circle))
    page.js("fatfly.jump(100)")
    check("and left by going back", page.js("return fatfly.model.now") == 100 and not page.js("return fatfly.picture.circle.size"))


def refusals(page: Page, folder: str) -> None:
    with open(folder + "/large", "w", encoding="utf-8") as graph:
        graph.write("nodes 2\nlink 0 1\nlink 1 0\n" + "# a long graph\n" * 20000)
    for args, says in (("--nodes 4096", "fatfly view: --nodes 4096; allowed in the viewer: up to 1024 processors"),
                       ("--discipline store", "fatfly view: --discipline store; allowed: worm, phased"),
                       ("--watch 3", "fatfly view: --watch is no option of fatfly view; allowed: in fatfly run"),
                       ("--lod 0.1", "nearest: --load"), ("--precision 0.1 --load 0.1", "--precision is no option of fatfly view"),
                       (f"--topology graph:{folder}/large", "characters; allowed in the viewer: up to 262143"),
                       ("--build /nowhere", "fatfly view: /nowhere/view/page.html: No such file or directory; `make view` builds the page")):
        at = [] if "--build" in args else ["--build", BUILD]
        done = command("view", *at, *args.split(), "--output", folder + "/not.html")
        check(f"fatfly view {args}", done.returncode in (2, 4) and says in done.stderr and done.stderr.count("\n") == 1 and not os.path.exists(folder + "/not.html"),
              done.stderr)
    own = os.path.join(folder, "own")
    shutil.copytree(os.path.join(BUILD, "view"), os.path.join(own, "view"))
    was = pathlib.Path(own, "view", "page.html").read_bytes()
    done = command("view", "--build", own, "--nodes", "16", "--output", own + "/view/page.html")
    check("the page that is read is not replaced", done.returncode == 2 and "is the page of the viewer that is read" in done.stderr
          and pathlib.Path(own, "view", "page.html").read_bytes() == was, done.stderr)
    page.d.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.WebAssembly"})
    page.d.get("file://" + folder + "/page.html")
    time.sleep(0.5)
    check("a browser without WebAssembly", page.text("message").startswith("this browser has no WebAssembly"), page.text("message"))


def frames_of(page: Page, args: str, rate: int) -> float:
    page.open(*args.split())
    page.until("return fatfly.measured.digest", 30)
    page.js(f"document.getElementById('speed').value = {rate}; fatfly.setPlaying(true)")
    time.sleep(3.2)
    found = float(page.js("return fatfly.frames.rate"))
    page.js("fatfly.setPlaying(false)")
    return found


def traversals_of(page: Page, args: str) -> float:
    """Links that flits cross in the page, a second."""
    page.open(*args.split())
    hops, seconds = page.js("""const m = fatfly.model, t = performance.now(), was = m.figures(1).hops;
while (performance.now() - t < 2000 && !m.c.v_over(1)) m.c.v_advance(1, m.c.v_now(1) + 1000);
return [m.figures(1).hops - was, (performance.now() - t) / 1000]""")
    return float(hops / seconds)


def measure(page: Page) -> None:
    """For scripts/bench/bench_view.py: lines `name value`."""
    begin = time.monotonic()
    page.open(*"--nodes 16 --load 0.25".split())
    page.js("fatfly.setPlaying(true)")
    page.until("return fatfly.model.now > 0")
    print(f"opened {time.monotonic() - begin:.3f}")
    print(f"frames-256 {frames_of(page, '--nodes 256 --load 0.06', 35):.1f}")
    print(f"traversals-1024 {traversals_of(page, '--nodes 1024 --load 0.03'):.0f}")


def speed(page: Page) -> None:
    for args, rate in (("--nodes 256 --load 0.06", 35), ("--nodes 1024 --load 0.03", 35), ("--nodes 1024 --load 0.03", 60)):
        found = frames_of(page, args, rate)
        check(f"at least 30 frames a second, {args}, speed {rate}: {found:.0f}", found >= 30, found)
    found = traversals_of(page, "--nodes 1024 --load 0.03")
    check(f"at least 20 million link traversals a second in the page, N = 1024: {found / 1e6:.0f}", found >= 20e6, found)


def pictures(page: Page, folder: str) -> None:
    page.open(*"--nodes 16 --load 0.3 --length 8".split())
    page.until("return fatfly.measured.digest")
    page.js("fatfly.jump(147); fatfly.select({node: 1})")
    time.sleep(0.5)
    page.d.save_screenshot(folder + "/view.png")
    page.open(*"--topology torus --radix 6 --vcs 1 --path e-cube --depth 2 --force --length 16 --load 0.6".split())
    page.js("document.documentElement.classList.add('dark'); dispatchEvent(new Event('resize')); fatfly.jump(3000)")
    time.sleep(0.5)
    page.d.save_screenshot(folder + "/view-deadlock.png")


def main() -> int:
    driver = browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            page = Page(driver, folder)
            if "--pictures" in sys.argv:
                pictures(page, sys.argv[sys.argv.index("--pictures") + 1])
                return 0
            if "--measure" in sys.argv:
                measure(page)
                return 0
            digests(page)
            commands(page)
            controls(page)
            numbers(page, folder)
            time_travel(page)
            registers(page, folder, "--nodes 16 --length 8 --pattern complement")
            registers(page, folder, "--nodes 16 --length 6 --vcs 2 --depth 3 --scan ff --path rg")
            clicks(page)
            keys(page)
            nodes(page)
            depths(page)
            ink(page)
            pressed(page)
            looks(page)
            deadlock(page)
            lives(page)
            forced(page)
            errors = page.errors()
            check("no error in the console", not errors, errors)
            speed(page)
            refusals(page, folder)
    finally:
        driver.quit()
    print(f"{len(PASSED)} passed, {len(FAILED)} failed")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
