"use strict";
// draw.js - the picture.

// Six of Okabe and Ito's colours and a violet, which the colour-blind tell apart (tb/scripts/test_colours.py).
const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#9933ff"];
const HEAT = ["#fde9c4", "#fdc777", "#f99b45", "#e0632f", "#a8322d", "#5e1224"];
const given = new Map(); // a worm keeps its colour
const colourOf = id => COLOURS[given.get(id) ?? id % COLOURS.length];

// Worms that are new in the network get the colours that the fewest there have.
function colour(worms) {
  const used = new Array(COLOURS.length).fill(0), fresh = [];
  for (const w of worms.values())
    if (w.sent) { if (given.has(w.id)) used[given.get(w.id)]++; else fresh.push(w.id); }
  for (const id of fresh) {
    const k = used.indexOf(Math.min(...used));
    given.set(id, k);
    used[k]++;
  }
  if (given.size > 50000) for (const id of [...given.keys()].slice(0, 25000)) if (!worms.has(id)) given.delete(id);
}
const heatOf = part => HEAT[Math.max(0, Math.min(HEAT.length - 1, Math.ceil(part * HEAT.length) - 1))];

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.g = canvas.getContext("2d");
    this.selected = null; // {node} or {worm}
    this.circle = new Set(); // worms of a deadlock
  }
  resize() {
    const ratio = Math.min(2, devicePixelRatio || 1), r = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.round(r.width * ratio);
    this.canvas.height = Math.round(r.height * ratio);
    this.g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.width = r.width;
    this.height = r.height;
    const style = getComputedStyle(document.documentElement);
    this.c = Object.fromEntries(["back", "panel", "ink", "soft", "line", "wire", "box", "edge", "mark", "bad"]
      .map(n => [n, style.getPropertyValue("--" + n).trim()]));
    this.still = null;
  }
  isHeat(layout) { return layout.tree ? layout.scale < 7 : layout.scale < 30; }

  // Wires and boxes do not move: drawn once for each view.
  background(layout) {
    const key = [layout.zoom, layout.panX, layout.panY, this.width, this.height, this.c.back].join();
    if (this.still && this.still.key === key && this.still.layout === layout) return this.still.canvas;
    const still = document.createElement("canvas"), g = still.getContext("2d"), heat = this.isHeat(layout);
    still.width = this.canvas.width;
    still.height = this.canvas.height;
    g.setTransform(this.g.getTransform());
    g.strokeStyle = this.c.wire;
    g.lineWidth = heat ? 0.5 : 1;
    g.globalAlpha = heat ? 0.45 : 1;
    g.beginPath();
    const { ends, links, depth } = layout.shape;
    for (let k = 0; k < links; k++) {
      if (ends[2 * k] === NONE || !(layout.visible(ends[2 * k]) || layout.visible(ends[2 * k + 1]))) continue;
      const p = layout.line(k);
      for (let j = 0; j + 1 < p.length; j += 2) { g.moveTo(...p[j]); g.lineTo(...p[j + 1]); }
    }
    g.stroke();
    g.globalAlpha = 1;
    if (!heat) this.places(g, layout, Math.min(depth, layout.tree ? 16 : 2));
    for (let s = 0; s < layout.shape.nodes; s++) if (layout.visible(s)) this.node(g, layout, s, heat);
    this.still = { key, layout, canvas: still };
    return still;
  }
  places(g, layout, depth) { // of queues, hollow
    const { ends, links, channels } = layout.shape;
    g.fillStyle = this.c.back;
    for (let k = 0; k < links; k++) {
      const b = ends[2 * k + 1];
      if (b === NONE || layout.isProcessor(b) || !layout.visible(b) || this.flitSize(layout) < 3) continue;
      for (let v = 0; v < channels; v++)
        for (let j = 0; j < depth; j++) {
          const [x, y] = layout.at(k, layout.slot(j), v), r = this.flitSize(layout) * 0.5;
          g.fillRect(x - r, y - r, 2 * r, 2 * r);
          g.strokeRect(x - r, y - r, 2 * r, 2 * r);
        }
    }
  }
  node(g, layout, s, heat) {
    const w = layout.boxWidth(s), h = layout.box, x = layout.x[s], y = layout.y[s];
    g.strokeStyle = this.c.edge;
    g.fillStyle = this.c.box;
    g.lineWidth = 1;
    if (layout.isProcessor(s)) {
      const r = Math.min(7, layout.scale * 0.28);
      if (heat) return;
      g.beginPath();
      g.arc(x, y, r, 0, 7);
      g.fill();
      g.stroke();
      if (layout.scale > 15) this.label(g, String(s - layout.shape.switches), x, y + r + 9, Math.min(12, layout.scale * 0.5), this.c.soft);
      return;
    }
    g.beginPath();
    g.roundRect(x - w / 2, y - h / 2, w, h, Math.min(6, w / 8));
    g.fill();
    if (w > 5) g.stroke();
    const text = layout.tree ? layout.name(s) : String(s), fits = Math.min(13, h * 0.4, w * 1.7 / Math.max(2, text.length));
    if (!heat && fits > 6) this.label(g, text, x, y, fits, this.c.soft);
  }
  label(g, text, x, y, size, colour) {
    g.font = `${size}px system-ui, sans-serif`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillStyle = colour;
    g.fillText(text, x, y);
  }
  flitSize(layout) {
    const v = layout.shape.channels;
    return Math.min(layout.tree ? 9 : 10, layout.scale * (layout.tree ? 0.36 : 0.12), v > 1 ? 24 / v : 99);
  }

  draw(layout, frame, before, part) {
    const g = this.g;
    g.clearRect(0, 0, this.width, this.height);
    g.save();
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(this.background(layout), 0, 0);
    g.restore();
    this.flits = [];
    if (this.isHeat(layout)) this.heat(layout, frame);
    else this.snakes(layout, frame, before, part);
    this.waiting(layout, frame);
    this.selection(layout, frame);
  }
  // Far off: each switch by how full its queues are, each link in use by the colour of its worm.
  heat(layout, frame) {
    const { shape } = layout, { queue, each } = frame, g = this.g, full = new Float64Array(shape.nodes), by = COLOURS.map(() => []);
    const bad = [];
    for (let at = 0, c = 0; at < queue.length; at += each, c++) {
      const k = Math.floor(c / shape.channels), id = queue[at];
      if (queue[at + 1]) full[shape.ends[2 * k + 1]] += queue[at + 1];
      if (id && (layout.visible(shape.ends[2 * k]) || layout.visible(shape.ends[2 * k + 1])))
        (this.circle.has(id) ? bad : by[given.get(id) ?? id % COLOURS.length]).push(k);
    }
    g.lineWidth = layout.tree ? Math.max(0.8, Math.min(2, layout.scale)) : 1.5;
    for (const [colour, all] of [...COLOURS.map((c, j) => [c, by[j]]), [this.c.bad, bad]]) {
      g.strokeStyle = colour;
      g.beginPath();
      for (const k of all) {
        const p = layout.line(k);
        for (let j = 0; j + 1 < p.length; j += 2) { g.moveTo(...p[j]); g.lineTo(...p[j + 1]); }
      }
      g.stroke();
    }
    const most = layout.tree ? 6 * shape.channels * shape.depth : shape.ports * shape.channels * Math.min(4, shape.depth);
    for (let s = 0; s < shape.switches; s++) {
      if (!full[s] || !layout.visible(s)) continue;
      const w = Math.max(1.5, layout.boxWidth(s)), h = layout.box;
      g.fillStyle = heatOf(full[s] / most);
      g.fillRect(layout.x[s] - w / 2, layout.y[s] - h / 2, w, h);
    }
  }
  // Between two cycles a flit is on its way from one place to the next.
  point(layout, was, is, part) {
    const v = c => c % layout.shape.channels, k = c => Math.floor(c / layout.shape.channels);
    const [c, slot] = is, to = layout.slot(slot);
    if (part >= 1) return layout.at(k(c), to, v(c));
    const from = was && was[0] === c ? layout.slot(was[1]) : null;
    if (from !== null) return layout.at(k(c), from + (to - from) * part, v(c));
    if (!was) return layout.at(k(c), to * part, v(c));
    const rest = 1 - layout.slot(was[1]), all = rest + to, gone = part * all;
    return gone < rest ? layout.at(k(was[0]), layout.slot(was[1]) + gone, v(was[0])) : layout.at(k(c), gone - rest, v(c));
  }
  snakes(layout, frame, before, part) {
    const g = this.g, size = this.flitSize(layout), n = layout.shape.channels;
    const heads = [];
    for (const w of frame.worms.values()) {
      if (!w.chain || !w.chain.length) continue;
      const old = before && before.worms.get(w.id);
      const seen = w.chain.some(c => layout.visible(layout.shape.ends[2 * Math.floor(c / n)]) || layout.visible(layout.shape.ends[2 * Math.floor(c / n) + 1]));
      if (!seen) continue;
      const points = w.flits.map((is, j) => {
        const f = w.arrived + j;
        return this.point(layout, old && old.flits && f >= old.arrived ? old.flits[f - old.arrived] : null, is, part);
      });
      this.body(layout, w, points, size);
      points.forEach(([x, y], j) => {
        const head = w.arrived === 0 && j === 0, r = size * (head ? 0.62 : 0.42);
        g.fillStyle = colourOf(w.id);
        g.fillRect(x - r, y - r, 2 * r, 2 * r);
        this.flits.push([x, y, w.id]);
        if (head) heads.push([x, y, r, w]);
      });
    }
    for (const [x, y, r, w] of heads) this.head(layout, x, y, r, w, part);
  }
  body(layout, w, points, size) {
    const g = this.g, n = layout.shape.channels, last = points.length ? points[points.length - 1] : null;
    const tail = w.flits.length ? w.chain.indexOf(w.flits[w.flits.length - 1][0]) : 0;
    const head = w.arrived || !w.flits.length ? w.chain.length : w.chain.indexOf(w.flits[0][0]);
    const first = w.sent < w.length ? 0 : tail;
    g.strokeStyle = this.circle.has(w.id) ? this.c.bad : colourOf(w.id);
    g.globalAlpha = this.circle.has(w.id) ? 0.85 : this.selected && this.selected.worm === w.id ? 0.9 : 0.42;
    g.lineWidth = Math.max(1.5, size * (this.circle.has(w.id) ? 0.8 : 0.62));
    g.lineCap = g.lineJoin = "round";
    g.beginPath();
    if (first === tail && w.sent === w.length && last) g.moveTo(...last);
    else {
      const c = w.chain[0], start = layout.shape.ends[2 * Math.floor(c / n)];
      g.moveTo(layout.x[start], layout.y[start]);
      g.lineTo(...layout.at(Math.floor(c / n), 0, c % n));
    }
    for (let j = first; j < w.chain.length && j <= head; j++) {
      const c = w.chain[j], k = Math.floor(c / n);
      if (j > first) g.lineTo(...layout.at(k, 0, c % n));
      const p = layout.line(k);
      if (j === head && points.length) { g.lineTo(...points[0]); break; }
      if (p.length === 4) { g.lineTo(...p[1]); g.moveTo(...p[2]); }
      g.lineTo(...layout.at(k, 1, c % n));
      if (j === w.chain.length - 1 && w.arrived) { const end = layout.shape.ends[2 * k + 1]; g.lineTo(layout.x[end], layout.y[end]); }
    }
    g.stroke();
    g.globalAlpha = 1;
  }
  head(layout, x, y, r, w, part) {
    const g = this.g, bad = this.circle.has(w.id);
    g.fillStyle = "#fff";
    g.beginPath();
    g.arc(x, y, r * 0.45, 0, 7);
    g.fill();
    if (r > 4.5 && layout.scale > 26 && layout.shape.processors <= 64) {
      g.save();
      g.lineWidth = 3;
      g.strokeStyle = this.c.back;
      g.font = "600 11px system-ui, sans-serif";
      g.textAlign = "left";
      g.strokeText(String(w.id), x + r + 3, y - 6);
      g.restore();
      this.label(g, String(w.id), x, y, 0.01, this.c.ink);
      g.font = "600 11px system-ui, sans-serif";
      g.textAlign = "left";
      g.fillStyle = this.c.ink;
      g.fillText(String(w.id), x + r + 3, y - 6);
    }
    if (!w.blockedBy || part < 1) return;
    g.strokeStyle = bad ? this.c.bad : this.c.ink; // it stands: a ring, and a dashed line to the link that it wants
    g.lineWidth = bad ? 2.5 : 1.3;
    g.beginPath();
    g.arc(x, y, r + 3, 0, 7);
    g.stroke();
    if (w.wants === NONE || (layout.shape.processors > 64 && !bad)) return;
    const [tx, ty] = layout.at(w.wants, 0.42, (layout.shape.channels - 1) / 2);
    g.setLineDash([3, 3]);
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(tx, ty);
    g.stroke();
    g.setLineDash([]);
    g.beginPath();
    g.arc(tx, ty, 2.5, 0, 7);
    g.fillStyle = g.strokeStyle;
    g.fill();
  }
  // Worms that have not left their sources: a bar below the processor.
  waiting(layout, frame) {
    if (!layout.tree) return;
    const count = new Map(), g = this.g;
    for (const w of frame.worms.values()) if (w.sent === 0) count.set(w.src, (count.get(w.src) || 0) + 1);
    g.fillStyle = this.c.edge;
    for (const [src, n] of count) {
      const s = layout.shape.switches + src, w = Math.max(1, Math.min(10, layout.scale * 0.6));
      if (!layout.visible(s)) continue;
      const high = Math.min(18, 2.5 * n), top = layout.y[s] + (layout.scale > 15 ? 24 : 4);
      g.fillRect(layout.x[s] - w / 2, top, w, high);
    }
  }
  selection(layout, frame) {
    const g = this.g, s = this.selected;
    if (!s) return;
    g.strokeStyle = this.c.mark;
    g.lineWidth = 3;
    if (s.node !== undefined) {
      const w = layout.isProcessor(s.node) ? 20 : Math.max(6, layout.boxWidth(s.node)) + 8, h = layout.isProcessor(s.node) ? 20 : layout.box + 8;
      g.beginPath();
      g.roundRect(layout.x[s.node] - w / 2, layout.y[s.node] - h / 2, w, h, 8);
      g.stroke();
    }
    void frame;
  }
  wormAt(x, y) {
    let best = null, near = 10;
    for (const [fx, fy, id] of this.flits || []) {
      const d = Math.hypot(fx - x, fy - y);
      if (d < near) { near = d; best = id; }
    }
    return best;
  }
}
