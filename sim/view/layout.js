"use strict";
// layout.js - where nodes, links and flits are on the canvas.

class Layout {
  constructor(shape, config) {
    this.shape = shape;
    this.tree = shape.levels > 0;
    this.grid = config.topology === "torus" || config.topology === "mesh";
    this.wx = new Float64Array(shape.nodes);
    this.wy = new Float64Array(shape.nodes);
    this.x = new Float64Array(shape.nodes);
    this.y = new Float64Array(shape.nodes);
    this.w = new Float64Array(shape.nodes);
    this.level = new Uint8Array(shape.nodes);
    if (this.tree) this.placeTree();
    else if (this.grid) this.placeGrid(+config.radix, +config.dimensions); // controls give text
    else this.placeOther(config);
    this.reverse = this.pairs();
    this.zoom = 1;
    this.panX = 0;
    this.panY = 0;
  }
  pairs() {
    const { ends, links, nodes } = this.shape, at = new Map(), out = new Int32Array(links).fill(-1);
    for (let k = 0; k < links; k++) if (ends[2 * k] !== NONE) at.set(ends[2 * k] * nodes + ends[2 * k + 1], k);
    for (let k = 0; k < links; k++)
      if (ends[2 * k] !== NONE) out[k] = at.get(ends[2 * k + 1] * nodes + ends[2 * k]) ?? -1;
    return out;
  }
  placeTree() {
    const { levels, processors, switches } = this.shape;
    for (let l = 1, s = 0; l <= levels; l++)
      for (let a = 0; a < processors / 2 ** (l + 1); a++, s++) {
        const width = 2 ** (l - 1), span = 4 ** l;
        this.wx[s] = Math.floor(a / width) * span + (a % width + 0.5) * span / width;
        this.wy[s] = l;
        this.level[s] = l;
        this.w[s] = span / width;
      }
    for (let a = 0; a < processors; a++) this.wx[switches + a] = a + 0.5;
    this.width = processors;
    this.height = levels;
  }
  placeGrid(k, dimensions) {
    for (let s = 0; s < this.shape.nodes; s++) {
      const d = [0, 1, 2, 3].map(j => Math.floor(s / k ** j) % k);
      this.wx[s] = d[0] + (dimensions > 2 ? (k + 1) * d[2] : 0);
      this.wy[s] = d[1] + (dimensions > 3 ? (k + 1) * d[3] : 0);
    }
    this.width = Math.max(...this.wx) + 1;
    this.height = Math.max(...this.wy) + 1;
    this.radix = k;
    this.dimensions = dimensions;
  }
  placeOther(config) {
    const n = this.shape.nodes, rows = this.shape.processors, columns = n / rows;
    const rowed = config.topology.includes("butterfly") && Number.isInteger(columns);
    for (let s = 0; s < n; s++) {
      this.wx[s] = rowed ? 1.6 * Math.floor(s / rows) : n / 6 * (1 + Math.sin(2 * Math.PI * s / n));
      this.wy[s] = rowed ? s % rows : n / 6 * (1 - Math.cos(2 * Math.PI * s / n));
    }
    this.width = Math.max(...this.wx) + 1;
    this.height = Math.max(...this.wy) + 1;
  }
  // Pixels of everything, for a canvas of this size.
  fit(width, height) {
    this.px = width;
    this.py = height;
    if (this.tree) {
      const scale = (width - 36) / this.width * this.zoom;
      const row = (height - 92) / (this.height + 0.15);
      this.scale = scale;
      this.panX = Math.min(0, Math.max(width - 36 - this.width * scale, this.panX));
      this.box = Math.min(40, row * 0.3);
      for (let s = 0; s < this.shape.nodes; s++) {
        this.x[s] = 18 + this.panX + this.wx[s] * scale;
        this.y[s] = height - 42 - this.wy[s] * row;
      }
      this.cell = scale;
      return;
    }
    const scale = Math.min((width - 90) / this.width, (height - 100) / this.height) * this.zoom;
    this.scale = scale;
    this.box = scale * 0.34;
    this.cell = scale;
    const left = (width - this.width * scale) / 2 + this.panX, top = (height + 16 - this.height * scale) / 2 + this.panY;
    for (let s = 0; s < this.shape.nodes; s++) {
      this.x[s] = left + (this.wx[s] + 0.5) * scale;
      this.y[s] = top + (this.wy[s] + 0.5) * scale;
    }
  }
  boxWidth(s) {
    if (!this.tree) return this.box;
    return Math.min(this.w[s] * this.scale * 0.66, 150);
  }
  isProcessor(s) { return this.tree && s >= this.shape.switches; }
  visible(s, margin = 60) {
    return this.x[s] > -margin && this.x[s] < this.px + margin && this.y[s] > -margin && this.y[s] < this.py + margin;
  }
  // One end of a link, at node s by its port: lane -1 is the link that comes in from below or goes out up.
  treeEnd(s, port, lane) {
    if (this.isProcessor(s)) return [this.x[s] + lane * Math.min(5, this.scale * 0.2), this.y[s] - Math.min(8, this.scale * 0.3)];
    const w = this.boxWidth(s), up = port > 3, part = up ? (port - 4 ? 0.72 : 0.28) : (port + 0.5) / 4;
    return [this.x[s] + (part - 0.5) * w + lane * Math.min(5, w / 18), this.y[s] + (up ? -1 : 1) * this.box / 2];
  }
  // The line of a link: its points; two pieces where it leaves the picture and comes back.
  line(k) {
    const a = this.shape.ends[2 * k], b = this.shape.ends[2 * k + 1], back = this.reverse[k];
    if (this.tree) {
      const up = this.wy[a] < this.wy[b], lane = up ? -1 : 1;
      const out = back < 0 ? 0 : back % 6, into = k % 6;
      return [this.treeEnd(a, this.isProcessor(a) ? 0 : out, lane), this.treeEnd(b, this.isProcessor(b) ? 0 : into, lane)];
    }
    const xa = this.x[a], ya = this.y[a], xb = this.x[b], yb = this.y[b], h = this.box / 2;
    const port = k % this.shape.ports, d = Math.min(7, h * 0.45);
    if (this.grid && port < 4) {
      const [ux, uy] = [[1, 0], [-1, 0], [0, 1], [0, -1]][port], ox = -uy * d, oy = ux * d;
      const start = [xa + ux * h + ox, ya + uy * h + oy], end = [xb - ux * h + ox, yb - uy * h + oy];
      if ((xb - xa) * ux + (yb - ya) * uy > 0) return [start, end];
      const r = this.scale * 0.26;
      return [start, [start[0] + ux * r, start[1] + uy * r], [end[0] - ux * r, end[1] - uy * r], end];
    }
    const n = Math.hypot(xb - xa, yb - ya) || 1, ux = (xb - xa) / n, uy = (yb - ya) / n;
    const ox = back < 0 ? 0 : -uy * d, oy = back < 0 ? 0 : ux * d;
    return [[xa + ux * h + ox, ya + uy * h + oy], [xb - ux * h + ox, yb - uy * h + oy]];
  }
  // The point at part f of a link, in channel v.
  at(k, f, v) {
    const p = this.line(k), channels = this.shape.channels;
    const wrap = p.length === 4, half = wrap && f >= 0.5 ? 2 : 0, g = wrap ? (f % 0.5) * 2 + (f >= 1 ? 1 : 0) : f;
    const [a, b] = [p[half], p[half + 1]], n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const side = channels > 1 ? (v - (channels - 1) / 2) * Math.min(6, 14 / channels) : 0;
    return [a[0] + (b[0] - a[0]) * g - (b[1] - a[1]) / n * side, a[1] + (b[1] - a[1]) * g + (b[0] - a[0]) / n * side];
  }
  // Where slot j of a queue begins: the front is next to the node.
  slot(j) {
    const depth = Math.min(16, this.shape.depth);
    return 0.93 - j * Math.min(this.tree ? 0.13 : 0.17, (this.tree ? 0.62 : 0.42) / depth);
  }
  nodeAt(x, y) {
    for (let s = 0; s < this.shape.nodes; s++) {
      const w = this.isProcessor(s) ? 14 : this.boxWidth(s), h = this.isProcessor(s) ? 14 : this.box;
      if (Math.abs(x - this.x[s]) <= w / 2 + 2 && Math.abs(y - this.y[s]) <= h / 2 + 2) return s;
    }
    return -1;
  }
  name(s) {
    if (this.isProcessor(s)) return `processor ${s - this.shape.switches}`;
    if (!this.tree) return this.grid ? `node (${[...Array(this.dimensions)].map((_, j) => Math.floor(s / this.radix ** j) % this.radix).join(", ")})` : `node ${s}`;
    let first = 0;
    for (let l = 1; l < this.level[s]; l++) first += this.shape.processors / 2 ** (l + 1);
    return `S(${this.level[s]},${s - first})`;
  }
}

// Which flits are where: for each worm its channels from the tail to the head, and its flits from the head on.
class Frame {
  constructor(model) {
    this.now = model.now;
    this.worms = model.worms();
    const { channels, ends } = model.shape, { each, x } = model.queues(true);
    this.each = each;
    this.queue = x;
    const own = new Map();
    const add = (id, c) => { const s = own.get(id); if (s) s.add(c); else own.set(id, new Set([c])); };
    for (let at = 0, c = 0; at < x.length; at += each, c++) {
      if (x[at]) add(x[at], c);
      for (let j = 0; j < Math.min(16, x[at + 1]); j++) add(x[at + 2 + 2 * j], c);
    }
    for (const [id, set] of own) {
      const w = this.worms.get(id);
      if (!w) continue;
      const from = new Map(), to = new Set();
      for (const c of set) {
        const k = Math.floor(c / channels);
        from.set(ends[2 * k], c);
        to.add(ends[2 * k + 1]);
      }
      let node = [...from.keys()].find(n => !to.has(n));
      w.chain = [];
      for (let c; w.chain.length < set.size && (c = from.get(node)) !== undefined; node = ends[2 * Math.floor(c / channels) + 1]) w.chain.push(c);
      w.flits = [];
      for (let j = w.chain.length - 1; j >= 0; j--) {
        const at = w.chain[j] * each;
        for (let s = 0; s < Math.min(16, x[at + 1]); s++) if (x[at + 2 + 2 * s] === id) w.flits.push([w.chain[j], s]);
      }
    }
  }
}
