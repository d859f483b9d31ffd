"use strict";
// main.js - the page: time, keys, mouse, and what is asked of the model in each frame.

let model, layout, picture, chart, controls, frame, before = null, part = 1;
let config, playing = false, owed = 0, last = 0, dirty = true, life = null;
const frames = { count: 0, since: 0, rate: 0 };
const measured = { digest: null, figures: null, queue: [], from: 0 };

const speedOf = () => { const x = +byId("speed").value / 100; return x >= 1 ? Infinity : 0.5 * 10 ** (x * 5); };

function fail(error) {
  byId("message").hidden = false;
  byId("message").textContent = error.message || String(error);
  if (!error.message) console.error(error);
}

function open(next) {
  byId("message").hidden = true;
  if (+next.nodes > DATA.most) throw new Error(`nodes = ${next.nodes}; allowed in the viewer: up to ${DATA.most} processors; fatfly run takes more`);
  model.configure(next, DATA.graph);
  const same = config && ["topology", "nodes", "length", "path", "scan", "vcs", "depth", "pattern", "radix", "dimensions"].every(k => String(config[k]) === String(next[k]));
  const kept = same ? chart.points.filter(p => p.done && p.load !== +next.load).map(p => ({ ...p, live: false })) : [];
  config = next;
  layout = new Layout(model.shape, config);
  chart.points = [...kept, { load: +config.load, latency: 0, live: true, done: false }];
  measured.digest = null;
  measured.from = performance.now();
  picture.selected = null;
  life = null;
  given.clear();
  controls.show(config);
  byId("what").textContent = byId("what").title = commandOf(config, DATA.defaults, DATA.graphName);
  byId("digest").textContent = "digest …";
  byId("detail").innerHTML = "<h2>Look closer</h2><p>Click on a switch for its queues, requests and grants; on a worm for its life.</p>";
  legend = null;
  chart.draw(model, config, picture.c);
  refresh(null);
}

let legend = null; // which of the two is shown

function showLegend() {
  const heat = picture.isHeat(layout);
  if (legend === heat) return;
  legend = heat;
  byId("legend").innerHTML = heat ? "queues of a switch, empty to full: " + HEAT.map(c => `<i style="background:${c};margin:0"></i>`).join("") +
    " &nbsp; lines: links that worms hold &nbsp; zoom in for flits" : `<i style="background:${COLOURS[0]}"></i><i style="background:${COLOURS[1]};margin-left:2px"></i>` +
    `<i style="background:${COLOURS[2]};margin-left:2px"></i>worms, white dot: head &nbsp; ◎ blocked, dashed to the link it wants` +
    (model.shape.levels ? "" : ` <i style="background:${picture.c.bad}"></i>a deadlock's circle`);
}

// After the model has moved, or gone back.
function refresh(old) {
  before = old;
  part = old ? 0 : 1;
  frame = new Frame(model);
  colour(frame.worms);
  picture.circle = new Set(model.deadlock ? [...model.deadlock.matchAll(/worm (\d+)/g)].map(m => +m[1]) : []);
  if (model.deadlock) {
    byId("message").hidden = false;
    byId("message").textContent = model.deadlock;
    setPlaying(false);
  }
  if (document.activeElement !== byId("cycle")) byId("cycle").value = model.now;
  dirty = true;
}

function setPlaying(on) {
  playing = on;
  owed = 0;
  byId("play").textContent = on ? "❚❚" : "▶";
  byId("play").setAttribute("aria-label", on ? "pause" : "play");
  if (!on) part = 1;
  if (!on && model) { details(); say(); }
  dirty = true;
}

function jump(cycle) {
  setPlaying(false);
  const old = cycle === model.now + 1 ? frame : null;
  if (!Number.isFinite(cycle) || cycle < 0) throw new Error(`cycle ${byId("cycle").value}; allowed: 0 and more`);
  byId("message").hidden = true;
  model.go(cycle);
  if (cycle % 32 === 0) model.look();
  refresh(old);
  part = 1;
  details();
  say();
}

function say() { // for those who cannot see it
  let inside = 0, blocked = 0;
  for (const w of frame.worms.values()) { inside += w.sent > 0; blocked += w.blockedBy !== 0 && w.sent > 0; }
  const text = `cycle ${model.now}: ${inside} worms in the network, ${blocked} blocked, ${frame.worms.size - inside} wait at their sources` +
    (model.over ? "; the run is over" : "") + (model.deadlock ? "; deadlock" : "");
  byId("state").textContent = text;
  byId("network").setAttribute("aria-label", text);
}

function details() {
  const s = picture.selected;
  if (!s) return;
  byId("detail").innerHTML = s.node !== undefined ? (layout.isProcessor(s.node) ? processorText(s.node) : switchText(model, layout, s.node))
    : wormText(model, layout, s.worm, life);
}

function processorText(s) {
  const a = s - model.shape.switches, rows = [...frame.worms.values()].filter(w => w.src === a || w.dst === a)
    .map(w => `<tr><td><span class="chip" style="background:${colourOf(w.id)}"></span>${wormLink(w.id)}</td><td>${w.src === a ? `to ${w.dst}` : `from ${w.src}`}</td><td>${w.sent}/${w.length} sent, ${w.arrived} arrived</td></tr>`);
  return `<h2>Processor ${a}, cycle ${model.now}</h2><div class="scroll"><table>${rows.join("") || "<tr><td>no worm</td></tr>"}</table></div>`;
}

function select(what) {
  setPlaying(false);
  picture.selected = what;
  life = what && what.worm ? model.life(what.worm, describer(model, layout)) : null;
  refresh(null);
  details();
  say();
}

// -- time ------------------------------------------------------------------------------------------------

function tick(at) {
  requestAnimationFrame(tick);
  const passed = Math.min(0.1, (at - last) / 1000);
  last = at;
  frames.count++;
  if (at - frames.since > 1000) { frames.rate = frames.count * 1000 / (at - frames.since); frames.count = 0; frames.since = at; }
  try {
    if (playing) move(passed);
    measure(playing ? 4 : 9);
    if (dirty) { layout.fit(picture.width, picture.height); showLegend(); picture.draw(layout, frame, before, part); dirty = false; }
  } catch (error) { setPlaying(false); fail(error); }
}

function move(passed) {
  const speed = speedOf();
  byId("rate").textContent = speed === Infinity ? "as fast as it can" : `${speed < 10 ? speed.toFixed(1) : Math.round(speed)} cycles/s`;
  if (!playing) return;
  owed += passed * Math.min(speed, 1e6);
  if (speed < 40) { // slow enough to see flits move
    part = Math.min(1, owed);
    dirty = true;
    if (owed < 1) return;
    owed = Math.min(owed - 1, 1);
    advance(model.now + 1, frame);
    part = 0;
  } else if (owed >= 1) {
    advance(speed === Infinity ? model.now + 1e9 : model.now + Math.floor(owed), null);
    part = 1;
    owed %= 1;
  }
}

function advance(cycle, old) {
  const moved = model.advance(cycle, performance.now() + 9);
  if (Math.floor(model.now / 16) !== Math.floor(frame.now / 16)) model.look();
  refresh(old);
  if (!moved || model.over) { setPlaying(false); say(); }
  if (picture.selected && frames.count % 8 === 0) details();
}

// -- the whole run, for its latency and digest ---------------------------------------------------------------

function measure(milliseconds) {
  const live = chart.points.find(p => p.live);
  if (!live || live.done) return;
  const end = performance.now() + milliseconds;
  try {
    while (performance.now() < end && !model.c.v_over(1)) model.note1(model.c.v_advance(1, model.c.v_now(1) + 256));
  } catch (error) { live.done = true; byId("point").textContent = error.message; byId("digest").textContent = "digest: none, a deadlock"; return; }
  if (!model.c.v_over(1) && frames.count % 12) return;
  const f = model.figures(1), done = model.c.v_over(1) !== 0;
  Object.assign(live, { latency: f.latency, done });
  measured.figures = f;
  const state = ["done", "saturated", "cut"][f.end] || "";
  const load = +config.load ? `accepted ${(f.accepted / Math.max(1, f.window) / model.shape.processors).toPrecision(4)} flits per cycle and processor` : `last arrival in cycle ${f.last}`;
  byId("point").textContent = `${done ? (f.end === 1 ? "saturated: " : "") : "so far: "}mean latency ${f.latency.toFixed(1)} cycles, p99 ${f.p99}, ${f.measured} worms; ${load}; ${f.cycles} cycles`;
  if (done) {
    measured.digest = f.digest;
    byId("digest").textContent = "digest " + f.digest;
  }
  void state;
  chart.draw(model, config, picture.c);
}

// -- what people do ----------------------------------------------------------------------------------------

function zoomBy(factor, x = picture.width / 2, y = picture.height / 2) {
  const zoom = Math.max(1, Math.min(layout.tree ? Math.max(1, layout.width / 8) : 12, layout.zoom * factor)), f = zoom / layout.zoom;
  if (layout.tree) layout.panX = (layout.panX + 18 - x) * f + x - 18;
  else { layout.panX = layout.panX * f + (picture.width / 2 - x) * (f - 1); layout.panY = layout.panY * f + (picture.height / 2 + 8 - y) * (f - 1); } // as fit() has the middle
  if (zoom === 1) layout.panX = layout.panY = 0;
  layout.zoom = zoom;
  dirty = true;
}

const safely = f => (...all) => { try { return f(...all); } catch (error) { fail(error); return undefined; } };

function listen() {
  const on = (id, what, f) => byId(id).addEventListener(what, safely(f));
  on("play", "click", () => setPlaying(!playing));
  on("step", "click", () => jump(model.now + 1));
  on("back", "click", () => jump(Math.max(0, model.now - 1)));
  on("first", "click", () => jump(0));
  on("cycle", "change", e => jump(Math.floor(+e.target.value)));
  on("in", "click", () => zoomBy(1.6));
  on("out", "click", () => zoomBy(1 / 1.6));
  on("fit", "click", () => zoomBy(0));
  on("speed", "input", () => { move(0); });
  on("theme", "click", () => { document.documentElement.classList.toggle("dark"); restyle(); });
  addEventListener("resize", safely(restyle));
  new ResizeObserver(safely(restyle)).observe(byId("network"));
  const canvas = byId("network");
  let drag = null;
  canvas.addEventListener("pointerdown", e => { drag = { x: e.offsetX, y: e.offsetY, px: layout.panX, py: layout.panY, moved: false }; });
  canvas.addEventListener("pointermove", e => {
    if (!drag) return;
    if (Math.hypot(e.offsetX - drag.x, e.offsetY - drag.y) > 4) drag.moved = true;
    if (drag.moved) { layout.panX = drag.px + e.offsetX - drag.x; layout.panY = drag.py + e.offsetY - drag.y; dirty = true; }
  });
  addEventListener("pointerup", () => setTimeout(() => { drag = null; }, 0));
  canvas.addEventListener("click", safely(e => {
    if (drag && drag.moved) return;
    const node = layout.nodeAt(e.offsetX, e.offsetY), worm = picture.wormAt(e.offsetX, e.offsetY);
    select(worm !== null ? { worm } : node >= 0 ? { node } : null);
  }));
  canvas.addEventListener("wheel", e => { e.preventDefault(); zoomBy(e.deltaY < 0 ? 1.2 : 1 / 1.2, e.offsetX, e.offsetY); }, { passive: false });
  document.addEventListener("click", safely(e => { const id = e.target.dataset && e.target.dataset.worm; if (id) select({ worm: +id }); }));
  document.addEventListener("keydown", safely(e => {
    if (["INPUT", "SELECT"].includes(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
    const keys = { " ": () => setPlaying(!playing), ArrowRight: () => jump(model.now + (e.shiftKey ? 10 : 1)),
      ArrowLeft: () => jump(Math.max(0, model.now - (e.shiftKey ? 10 : 1))), Home: () => jump(0), "+": () => zoomBy(1.6), "=": () => zoomBy(1.6),
      "-": () => zoomBy(1 / 1.6), 0: () => zoomBy(0), Escape: () => select(null),
      "[": () => { byId("speed").value -= 5; move(0); }, "]": () => { byId("speed").value = +byId("speed").value + 5; move(0); },
      n: () => nextNode(1), p: () => nextNode(-1) };
    if (keys[e.key] && !(e.key === " " && e.target.tagName === "BUTTON")) { e.preventDefault(); keys[e.key](); }
  }));
}

function nextNode(step) { // switches, one after the other, without a mouse
  const n = model.shape.switches, at = picture.selected && picture.selected.node !== undefined ? picture.selected.node : step > 0 ? -1 : 0;
  select({ node: (at + step + n) % n });
}

function restyle() {
  picture.resize();
  if (!layout) return;
  dirty = true;
  chart.draw(model, config, picture.c);
}

async function start() {
  if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
  picture = new Picture(byId("network"));
  chart = new Chart(byId("chart"));
  picture.resize();
  model = await Model.load(DATA.wasm);
  controls = new Controls(byId("controls"), (next, old) => {
    try { open(next); } catch (error) { open(old); fail(error); }
  });
  listen();
  open({ ...DATA.config });
  move(0);
  requestAnimationFrame(tick);
  say();
  window.fatfly = { get model() { return model; }, get layout() { return layout; }, get picture() { return picture; }, get frame() { return frame; }, frames, measured, jump, select, open, setPlaying, zoomBy, get config() { return config; }, get command() { return commandOf(config, DATA.defaults, DATA.graphName); } };
}

start().catch(fail);
