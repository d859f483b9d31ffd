"use strict";
// model.js - the C model: one WebAssembly instance, its sessions as typed arrays.

const NONE = 0xFFFFFFFF, STATUS = { OK: 0, DEADLOCK: -4 };

class Model {
  static async load(base64) {
    if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly; any of the last years has it");
    const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const nothing = () => 8; // no file can be written here
    const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: new Proxy({}, { get: () => nothing }) });
    const m = new Model();
    m.c = instance.exports;
    m.c._initialize();
    return m;
  }
  text(at = this.c.v_text()) {
    const bytes = new Uint8Array(this.c.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
  write(at, string) {
    const bytes = new TextEncoder().encode(string + "\0");
    new Uint8Array(this.c.memory.buffer).set(bytes, at);
  }
  words(at, count) { return new Uint32Array(this.c.memory.buffer, at, count); }

  configure(config, graph) {
    this.write(this.c.v_text(), Object.entries(config).map(([k, v]) => `${k}=${v}`).join("\n"));
    this.write(this.c.v_graph(), graph || "");
    if (this.c.v_configure()) throw new Error(this.text());
    for (const k of [0, 1]) {
      if (this.c.v_open(k)) throw new Error(this.text());
    }
    this.kept = new Map(); // cycle -> place of its snapshot
    this.every = 64;
    this.deadlock = null;
    const at = this.c.v_shape(), x = this.words(at, 10);
    const [nodes, switches, processors, links, ports, channels, depth, levels, linkCycles, hopCycles] = x;
    const ends = this.words(at, 10 + 2 * links).slice(10);
    this.shape = { nodes, switches, processors, links, ports, channels, depth, levels, linkCycles, hopCycles, ends };
    this.keep();
  }
  get now() { return this.c.v_now(0); }
  get over() { return this.c.v_over(0) !== 0; }

  keep() { // a snapshot of this cycle; every second goes when all places are taken
    if (this.kept.has(this.now)) return;
    if (this.kept.size >= 40) {
      this.every *= 2;
      for (const [cycle, place] of this.kept)
        if (cycle % this.every) { this.c.v_forget(place); this.kept.delete(cycle); }
    }
    let place = 0;
    const taken = new Set(this.kept.values());
    while (taken.has(place)) place++;
    if (place < 64 && this.c.v_save(place) === 0) this.kept.set(this.now, place);
  }
  // To a cycle; where time is up before, a part of the way.  Returns whether it moved.
  advance(cycle, until = Infinity) {
    const from = this.now;
    while (this.now < cycle && !this.over && !this.deadlock) {
      const stop = Math.min(cycle, (Math.floor(this.now / this.every) + 1) * this.every);
      this.note(this.c.v_advance(0, stop));
      if (this.now % this.every === 0) this.keep();
      if (performance.now() > until) break;
    }
    return this.now !== from;
  }
  note(status) {
    if (status === STATUS.DEADLOCK) this.deadlock = this.text();
    else if (status) throw new Error(this.text());
  }
  note1(status) { // of the run that is measured
    if (status) throw new Error(this.text());
  }
  look() { // for a circle, though others still move
    if (!this.deadlock && !this.shape.levels) this.note(this.c.v_deadlock());
  }
  go(cycle) { // forward or back, exactly
    if (cycle < this.now) {
      let best = 0;
      for (const c of this.kept.keys()) if (c <= cycle && c > best) best = c;
      if (this.c.v_restore(this.kept.get(best))) throw new Error(this.text());
      this.deadlock = null;
    }
    return this.advance(cycle);
  }
  queues(flits) {
    const { links, channels } = this.shape, each = flits ? 34 : 2;
    return { each, x: this.words(this.c.v_queues(flits ? 1 : 0), links * channels * each).slice() };
  }
  worms() {
    const at = this.c.v_worms(), count = this.words(at, 1)[0], x = this.words(at, 1 + 14 * count);
    const all = new Map();
    for (let k = 0; k < count; k++) {
      const [id, src, dst, length, sent, arrived, head, headChannel, tail, tailChannel, wants, blockedBy, ready, readyHigh] =
        x.subarray(1 + 14 * k, 15 + 14 * k);
      all.set(id, { id, src, dst, length, sent, arrived, head, headChannel, tail, tailChannel, wants, blockedBy, ready: ready + 2 ** 32 * readyHigh });
    }
    return all;
  }
  registers(node) {
    return this.text(this.c.v_switch(node)).split("\n").filter(Boolean).map(line => {
      const [name, port, channel, index, value] = line.split(" ");
      return { name, port: +port, channel: +channel, index: +index, value: BigInt(value) };
    });
  }
  figures(k) {
    const f = new Float64Array(this.c.memory.buffer, this.c.v_figures(k), 16);
    const [end, cycles, hops, worms, flits, measured, latency, accepted, window, last, source, blocked, congestion, dilation, p99, longest] = f;
    return { end, cycles, hops, worms, flits, measured, latency, accepted, window, last, source, blocked, congestion, dilation, p99,
             longest, digest: this.text() };
  }
  // The life of a worm by playing it again: from its first cycle on, or `span` cycles before and after this one.
  life(id, describe, span = 4000) {
    const here = this.now, dead = this.deadlock, now = this.worms().get(id), lines = [];
    if (!now) return null;
    const from = Math.max(now.ready, here - span), cut = from > now.ready;
    let before = null, ended = false;
    this.go(from);
    while (!ended && this.now <= here + span && !this.over && !this.deadlock) {
      const w = this.worms().get(id);
      ended = before && !w;
      if (cut && !before) lines.push([now.ready, `ready at processor ${now.src}`], [from, "what came before is not shown"]);
      else if (w || ended) lines.push(...describe(before, w, this.now));
      before = w || before;
      if (!ended) this.advance(this.now + 1);
    }
    if (!ended && this.now > here + span) lines.push([this.now, "what follows is not shown"]);
    this.go(here);
    this.deadlock = dead;
    return lines;
  }
}
