"use strict";
// panel.js - the controls, the latency-load chart, what is said of a switch and of a worm.

const byId = id => document.getElementById(id);
const escaped = s => String(s).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const option = name => "--" + name.replace(/_/g, "-");

const TREE_PATHS = ["rp", "fp", "gp", "rg", "rw"];
const PATHS = { "fat-tree": TREE_PATHS, hypercube: ["e-cube"], graph: ["greedy"] };
for (const kind of ["torus", "mesh"])
  PATHS[kind] = ["e-cube", "north-last", "positive-hop", "negative-hop", "minimal-adaptive", "balanced-e-cube"];
const CHOICES = {
  topology: ["fat-tree", "torus", "mesh"], nodes: [4, 16, 64, 256, 1024], vcs: [1, 2, 4], scan: ["rr", "fo", "ff", "rot", "fcfs"],
  pattern: ["random", "complement", "many-to-1", "transpose", "bit-reversal", "shuffle", "neighbour", "hotspot", "random-permutation"],
};
const FIELDS = [ // name, label, what it is
  ["topology", "topology", "select"], ["nodes", "N, processors", "select"], ["radix", "radix k", "number", 2, 32],
  ["dimensions", "dimensions n", "number", 1, 4], ["load", "load", "number", 0, 1, 0.01], ["length", "worm, flits", "number", 1, 4096],
  ["vcs", "V, channels", "select"], ["depth", "q, queue", "number", 1, 16], ["path", "path", "select"], ["scan", "scan", "select"],
  ["pattern", "pattern", "select"], ["seed", "seed", "number", 0, 4294967295],
];

// As one word of a shell.
const quoted = s => /^[\w./:=,@%+-]+$/.test(s) ? s : `'${s.replace(/'/g, "'\\''")}'`;

// The command that does the same: what differs from the defaults, where it counts; graphName: the file of a graph.
function commandOf(config, defaults, graphName) {
  const tree = config.topology === "fat-tree", words = ["fatfly run"], skip = new Set(["detect_warmup", "warmup", "topology"]);
  const counts = { lengths: { length_min: c => c !== "fixed", length_mean: c => c === "geometric", short_share: c => c === "bimodal" },
    pattern: { hotspot: c => c === "hotspot", hotspot_node: c => c === "hotspot", density: c => ["packing", "spreading", "monotone"].includes(c) },
    arrivals: { burst_on: c => c === "on-off", burst_off: c => c === "on-off" }, discipline: { phases: c => c === "phased", phase_length: c => c === "phased" },
    load: { rounds: c => !+c, delay_range: c => !+c, cycles: c => +c, arrivals: c => +c, whole: c => +c } };
  for (const [by, all] of Object.entries(counts)) for (const [name, test] of Object.entries(all)) if (!test(config[by])) skip.add(name);
  if (!tree) words.push("--topology " + quoted(config.topology + (config.topology === "graph" ? ":" + graphName : "")));
  if (!tree) skip.add("scan");
  if (!tree && !+config.vcs) skip.add("vcs"); // as many as needed
  const cube = config.topology === "torus" || config.topology === "mesh";
  if (!cube) for (const name of ["radix", "dimensions"]) skip.add(name);
  const always = new Set(tree ? ["nodes"] : ["nodes", "vcs", "depth"]);
  for (const [name, value] of Object.entries(config)) {
    if (skip.has(name) || (String(value) === String(defaults[name]) && !always.has(name)) || (name === "nodes" && cube)) continue;
    if (name === "depth" && !tree && value >= 2 ** 30) { words.push("--depth unbounded"); continue; }
    words.push(value === true || value === "true" ? option(name) : `${option(name)} ${value}`);
  }
  if (+config.load > 0) words.push(String(config.detect_warmup) === "true" ? "" : `--warmup ${config.warmup}`);
  words.push("--runs 1");
  return words.filter(Boolean).join(" ");
}

class Controls {
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    form.addEventListener("change", () => this.read());
    form.addEventListener("submit", e => e.preventDefault());
  }
  show(config) {
    this.config = { ...config };
    const tree = config.topology === "fat-tree", cube = config.topology === "torus" || config.topology === "mesh";
    const hidden = { nodes: cube, radix: !cube, dimensions: !cube, scan: !tree };
    this.form.innerHTML = FIELDS.filter(([n]) => !hidden[n]).map(([name, label, kind, low, high, step]) => {
      const value = config[name], help = `<label>${label}`;
      if (kind === "select") {
        const all = name === "path" ? PATHS[config.topology] || [value] : name === "vcs" && !tree ? [0, 1, 2, 3, 4, 5, 6, 8] : CHOICES[name];
        const list = all.map(String).includes(String(value)) ? all : [...all, value];
        return help + `<select name="${name}">` + list.map(v => `<option value="${v}"${String(v) === String(value) ? " selected" : ""}>` +
          `${name === "vcs" && +v === 0 ? "as needed" : v}</option>`).join("") + "</select></label>";
      }
      if (name === "depth" && +value > 16)
        return help + `<input name="depth" value="unbounded" readonly title="queues of any length"></label>`;
      return help + `<input name="${name}" type="number" min="${low}" max="${high}" step="${step || 1}" value="${value}"></label>`;
    }).join("");
  }
  read() {
    const before = this.config, c = { ...before };
    for (const e of this.form.elements) if (e.name && !(e.name === "depth" && e.value === "unbounded")) c[e.name] = e.value;
    if (c.topology !== before.topology) {
      const tree = c.topology === "fat-tree";
      Object.assign(c, { path: (PATHS[c.topology] || [c.path])[0], vcs: tree ? 1 : 0, depth: 2, nodes: tree ? 64 : c.radix ** c.dimensions, scan: "rr" });
      if (!tree && +c.radix > 10) Object.assign(c, { radix: 8, nodes: 8 ** c.dimensions });
    }
    if (c.topology === "torus" || c.topology === "mesh") c.nodes = c.radix ** c.dimensions;
    this.changed(c, before);
  }
}

class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.points = []; // {load, latency, live, done}
  }
  draw(model, config, colours) {
    const ratio = Math.min(2, devicePixelRatio || 1), r = this.canvas.getBoundingClientRect(), g = this.canvas.getContext("2d");
    this.canvas.width = r.width * ratio;
    this.canvas.height = r.height * ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const levels = model.shape.levels, saturation = levels ? model.c.v_saturation(levels) : 0;
    const loads = this.points.map(p => p.load), wide = Math.max(saturation * 1.12, ...loads.map(x => x * 1.15), 0.02);
    const zero = levels ? model.c.v_model(levels, +config.length, 0) : 0;
    const high = Math.max(zero * 3.2, ...this.points.map(p => Math.min(p.latency, (zero || 1e9) * 6) * 1.15), 10);
    const left = 44, bottom = r.height - 30, X = x => left + x / wide * (r.width - left - 12), Y = y => bottom - y / high * (bottom - 10);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = colours.soft;
    g.strokeStyle = colours.line;
    g.lineWidth = 1;
    const tick = (span, n) => { const p = 10 ** Math.floor(Math.log10(span / n)); return [1, 2, 5, 10].map(k => k * p).find(s => span / s <= n); };
    g.textAlign = "right";
    for (let y = 0, s = tick(high, 4); y <= high; y += s) { g.beginPath(); g.moveTo(left, Y(y)); g.lineTo(r.width - 12, Y(y)); g.stroke(); g.fillText(y >= 1000 ? `${+(y / 1000).toPrecision(3)}k` : String(+y.toPrecision(4)), left - 5, Y(y) + 4); }
    g.textAlign = "center";
    for (let x = 0, s = tick(wide, 5); x <= wide; x += s) g.fillText(String(+x.toPrecision(3)), X(x), bottom + 13);
    g.fillText("load, flits per cycle and processor", (left + r.width) / 2, bottom + 26);
    g.save(); g.translate(10, bottom / 2); g.rotate(-Math.PI / 2); g.fillText("latency, cycles", 0, 0); g.restore();
    if (levels) {
      g.strokeStyle = colours.mark;
      g.lineWidth = 2;
      g.beginPath();
      for (let j = 0; j <= 120; j++) {
        const load = saturation * j / 120 * 0.9999, latency = model.c.v_model(levels, +config.length, load);
        if (latency < 0 || latency > high) break;
        g.lineTo(X(load), Y(latency));
      }
      g.stroke();
      g.setLineDash([4, 4]);
      g.lineWidth = 1;
      g.beginPath(); g.moveTo(X(saturation), 10); g.lineTo(X(saturation), bottom); g.stroke();
      g.setLineDash([]);
      g.textAlign = "left";
      g.fillStyle = colours.mark;
      g.fillText("the paper's model", left + 6, Y(zero) - 8);
    }
    for (const p of this.points) {
      if (!p.latency) continue;
      const off = p.latency > high, x = X(p.load), y = off ? 14 : Y(p.latency);
      g.beginPath();
      if (off) { g.moveTo(x - 5, y + 5); g.lineTo(x, y - 4); g.lineTo(x + 5, y + 5); g.closePath(); } else g.arc(x, y, p.live ? 5.5 : 3.5, 0, 7);
      g.fillStyle = p.live ? "#d55e00" : colours.edge;
      p.done || !p.live ? g.fill() : (g.lineWidth = 2, g.strokeStyle = "#d55e00", g.stroke());
    }
  }
}

// -- what is said of a switch ---------------------------------------------------------------------------

const KIND = ["body", "tail", "head", "single"];
const bits = x => { const all = []; for (let j = 0n; j < 64n; j++) if (x >> j & 1n) all.push(Number(j)); return all; };
const HELP = {
  ask: "outputs that the flit on offer could take in this cycle", offer: "the channel whose flit is offered", gnt: "the output that it gets: it crosses at the end of this cycle",
  hold_q: "output that the worm in this queue holds", chan_q: "and the channel there", busy_q: "channels of this output that worms hold",
  count_q: "flits in the queue", room: "channels with room for a flit", front_q: "the oldest flit", next_q: "channel to offer first",
  fresh_q: "front_q came to the front at the last clock edge", rot_q: "input to begin with at this output", rd_q: "place of mem_q that comes next", wr_q: "place of mem_q that is written next",
  worm: "worm that has the channel", crossed: "of its flits, those that have crossed", queued: "those in the queue at the far end", flying: "those under way to it",
  owed: "flits that have left that queue, of which the sender does not know yet", sending: "a flit crosses in this cycle", "asks for": "where its head wants to go",
  "waits for": "the worm that is in its way in this cycle",
  height_q: "height of the worm, for scan ff", start_q: "input that the scan begins with", lfsr_q: "the random bits", older_q: "which channel waits longer",
};
const portName = (tree, p) => tree ? (p < 4 ? `child ${p}` : `parent ${p - 4}`) : `port ${p}`;

function switchText(model, layout, s) {
  const tree = layout.tree, all = model.registers(s), of = (p, v) => all.filter(r => r.port === p && r.channel === v);
  const outputs = x => bits(x).map(o => portName(tree, o)).join(", ") || "–";
  const value = r => ["ask", "gnt", "hold_q"].includes(r.name) ? outputs(r.value)
    : r.name === "lfsr_q" ? "0x" + r.value.toString(16).padStart(8, "0") : ["room", "busy_q", "offer", "chan_q"].includes(r.name) ? bits(r.value).map(v => "c" + v).join(" ") || "–" : String(r.value);
  const row = r => `<td data-register="${r.name}" title="${HELP[r.name] || ""}">${escaped(value(r))}</td>`;
  let html = `<h2>${tree ? "Switch " : ""}${layout.name(s)}, cycle ${model.now}</h2>`;
  const whole = of(-1, -1).filter(r => r.name !== "older_q");
  if (whole.length) html += "<p>" + whole.map(r => `<code title="${HELP[r.name] || ""}" data-register="${r.name}">${r.name} ${value(r)}</code>`).join(" &nbsp; ") + "</p>";
  const ports = [...new Set(all.filter(r => r.port >= 0).map(r => r.port))];
  const channels = [...new Set(all.filter(r => r.channel >= 0).map(r => r.channel))];
  const table = (title, names, rows) => `<h3>${title}</h3><div class="scroll"><table><tr><th></th>` +
    names.map(n => `<th title="${HELP[n] || ""}">${n}</th>`).join("") + "</tr>" + rows.join("") + "</table></div>";
  if (tree) {
    const pick = (list, n) => list.find(r => r.name === n);
    const wires = ["room", "ask", "offer", "gnt", "busy_q", "next_q", "rot_q"].filter(n => all.some(r => r.name === n));
    html += table("Ports: requests and grants of this cycle", wires, ports.map(p => `<tr data-port="${p}"><th>${portName(tree, p)}</th>` +
      wires.map(n => row(pick(of(p, -1), n))).join("") + "</tr>"));
    const queues = ["count_q", "hold_q", "chan_q", "fresh_q", "rd_q", "wr_q", "height_q"].filter(n => all.some(r => r.name === n));
    html += table("Queues", ["front_q", ...queues], ports.flatMap(p => channels.map(v => {
      const list = of(p, v), count = pick(list, "count_q").value, q = frameQueue(model, 6 * s + p, v);
      const front = count ? `<span class="chip" style="background:${colourOf(q.worm[0])}"></span>${wormLink(q.worm[0])} ${KIND[Number(pick(list, "front_q_kind").value)]}` : "–";
      return `<tr data-port="${p}" data-channel="${v}"><th>${portName(tree, p)}${channels.length > 1 ? " c" + v : ""}</th><td data-register="front_q" title="0x${pick(list, "front_q_payload").value.toString(16)}">${front}</td>` +
        queues.map(n => row(pick(list, n))).join("") + "</tr>";
    })));
  } else {
    html += queuesText(model, layout, s, table);
    const names = ["worm", "crossed", "queued", "flying", "owed", "sending"].filter(n => all.some(r => r.name === n));
    html += table("Channels that leave it", names, ports.flatMap(p => channels.map(v => {
      const list = of(p, v);
      if (!list.length) return "";
      return `<tr data-port="${p}" data-channel="${v}"><th>${portName(tree, p)} c${v}</th>` + names.map(n => {
        const r = list.find(x => x.name === n);
        return n === "worm" && r.value ? `<td data-register="worm"><span class="chip" style="background:${colourOf(Number(r.value))}"></span>${wormLink(Number(r.value))}</td>` : row(r);
      }).join("") + "</tr>";
    })));
  }
  return html;
}

// Of a node of another network: the queues that end there, and what the heads in them, and at its source, ask for.
function queuesText(model, layout, s, table) {
  const { ends, links, channels, nodes, processors } = model.shape, worms = model.worms(), rows = [];
  const chip = id => `<span class="chip" style="background:${colourOf(id)}"></span>${wormLink(id)}`;
  const place = n => layout.name(n).replace("node ", ""); // short: the panel is narrow
  const asks = w => !w || w.wants === NONE ? "–" : place(ends[2 * w.wants + 1]);
  const blocked = w => w && w.blockedBy ? chip(w.blockedBy) : w && w.wants !== NONE ? "goes on" : "–";
  const cells = (name, w, flits, owner) => `<tr data-queue="${name}"><th>${name}</th><td data-register="owner">${owner ? chip(owner) : "–"}</td>` +
    `<td data-register="flits">${flits}</td><td data-register="ask">${asks(w)}</td><td data-register="gnt">${blocked(w)}</td></tr>`;
  for (let k = 0; k < links; k++) {
    if (ends[2 * k + 1] !== s || ends[2 * k] === NONE) continue;
    for (let v = 0; v < channels; v++) {
      const q = frameQueue(model, k, v), head = [...worms.values()].find(w => w.head === k && w.headChannel === v);
      if (q.holder || q.worm.length || head) rows.push(cells(`${place(ends[2 * k])} c${v}`, head, q.worm.length, head ? head.id : q.worm[0] || q.holder));
    }
  }
  const waiting = nodes === processors ? [...worms.values()].filter(w => w.src === s && !w.sent) : [];
  for (const w of waiting.slice(0, 3)) rows.push(cells("source", w, w.length, w.id));
  if (waiting.length > 3) rows.push(`<tr><th>source</th><td colspan="4">and ${waiting.length - 3} more</td></tr>`);
  return table("Queues that end here", ["worm", "flits", "asks for", "waits for"], rows.length ? rows : ["<tr><td>all are empty</td></tr>"]);
}

const wormLink = id => `<button class="link" data-worm="${id}">worm ${id}</button>`;

function frameQueue(model, link, channel) {
  const { each, x } = model.queues(true), at = (link * model.shape.channels + channel) * each;
  const count = Math.min(16, x[at + 1]);
  return { holder: x[at], worm: [...Array(count)].map((_, j) => x[at + 2 + 2 * j]), kind: [...Array(count)].map((_, j) => x[at + 3 + 2 * j]) };
}

// -- the life of a worm ---------------------------------------------------------------------------------

// As fatfly run --watch says it, and what it waits for besides.
function describer(model, layout) {
  const { ends, switches, levels, channels, linkCycles, hopCycles } = model.shape;
  const lag = linkCycles + hopCycles; // a head or a flit that is consumed is seen when it is there, a tail when it has crossed
  const at = (node, port) => node >= switches ? layout.name(node) : levels ? `${layout.name(node)} ${portName(true, port)}` : layout.name(node);
  const from = k => at(ends[2 * k], levels && ends[2 * k] < switches ? layout.reverse[k] % 6 : 0), to = k => at(ends[2 * k + 1], k % 6);
  const exit = (id, dst) => {
    const k = 6 * switches + dst, { each, x } = model.queues(false);
    for (let v = 0; v < channels; v++) if (x[(k * channels + v) * each] === id) return [k, v];
    return [k, 0];
  };
  const cross = (what, w, k, v) => `${what} of worm ${w.id} (${w.src} to ${w.dst}) crosses from ${from(k)} to ${to(k)}, channel ${v}`;
  const arrives = (what, w) => levels ? cross(what, w, ...exit(w.id, w.dst)) : `${what} of worm ${w.id} (${w.src} to ${w.dst}) arrives`;
  return (was, w, now) => {
    const lines = [];
    if (!w) return [[now - lag, arrives("tail", was)]];
    if (!was) lines.push([w.ready, `ready at processor ${w.src}`]);
    if (w.head !== NONE && (!was || w.head !== was.head)) lines.push([now - lag, cross("head", w, w.head, w.headChannel)]);
    if (was && !was.arrived && w.arrived) lines.push([now - lag, arrives("head", w)]);
    if (w.tail !== NONE && (!was || w.tail !== was.tail)) lines.push([now - linkCycles, cross("tail", w, w.tail, w.tailChannel)]);
    if (w.blockedBy && (!was || w.blockedBy !== was.blockedBy || w.wants !== was.wants))
      lines.push([now, `waits for ${w.wants === NONE ? "those before it" : `the link to ${to(w.wants)}`}; worm ${w.blockedBy} is in its way`]);
    return lines;
  };
}

function wormText(model, layout, id, life) {
  const w = model.worms().get(id);
  let html = `<h2><span class="chip" style="background:${colourOf(id)}"></span>Worm ${id}, cycle ${model.now}</h2>`;
  if (w)
    html += `<p>${w.length} flits from processor ${w.src} to ${w.dst}, ready in cycle ${w.ready}: ${w.length - w.sent} at the source, ` +
      `${w.sent - w.arrived} in the network, ${w.arrived} arrived.` +
      (w.blockedBy ? ` <b>Blocked by ${wormLink(w.blockedBy)}</b>${w.wants !== NONE ? `, which has the way to ${layout.name(model.shape.ends[2 * w.wants + 1])}` : ""}.` : "") + "</p>";
  else html += "<p>It is not under way in this cycle.</p>";
  if (life) html += "<h3>Its life</h3><div class='scroll'><table id='life'>" + life.map(([c, t]) => `<tr><td>cycle ${c}: ${escaped(t)}</td></tr>`).join("") + "</table></div>";
  return html;
}
