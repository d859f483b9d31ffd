// SPDX-License-Identifier: Apache-2.0
// tb_switch.v - switch.v alone, cycle by cycle: what crosses which output when.
// C twin: tb/unit/test_switch.c, with the same tables.
//
// An output is written as one character a cycle: a letter for each worm, upper case for its head,
// "." for no flit.  Links that carry no flit are unknown, and nothing that comes out ever is.
`default_nettype none
`include "flit.vh"

module switch_bench #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer PATH   = `FATFLY_GP,
  parameter integer SCAN   = `FATFLY_FO,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 2
);
  localparam integer W      = 34;
  localparam integer H      = 4 * LEVELS;      // the height field, two bits for 2 and 3 levels
  localparam integer CYCLES = 64;
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [31:0]      seed = 32'd1;
  reg  [6*VCS-1:0] in_valid = {6*VCS{1'b0}};
  reg  [6*W-1:0]   in_flit = {6*W{1'bx}};
  wire [6*VCS-1:0] in_room;
  wire [6*VCS-1:0] out_valid;
  wire [6*W-1:0]   out_flit;
  reg  [6*VCS-1:0] out_room = {6*VCS{1'b1}};
  integer          checks = 0;
  integer          fails  = 0;
  integer          cycle;

  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(W - 2), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PROBE(1)
  ) dut (
    .clk_i(clk), .rst_i(rst), .seed_i(seed), .in_valid_i(in_valid), .in_flit_i(in_flit),
    .in_room_o(in_room), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room),
    .probe_o(probe)
  );

  // The properties that are proven (tb/formal) hold here, too.
  localparam integer PORTS   = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                               + 6*(1+(W+31)/32 + VCS*(1+DEPTH*((W+31)/32))));
  wire [PROBE_W-1:0] probe;
  wire [5:0]         ok;
  wire [14:0]        bad;
  switch_props #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(W - 2), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS)
  ) u_props (
    .clk_i(clk), .rst_i(rst), .in_valid_i(in_valid), .in_flit_i(in_flit), .in_room_i(in_room),
    .out_valid_i(out_valid), .out_flit_i(out_flit), .out_room_i(out_room), .probe_i(probe),
    .came_o(), .busy_o(), .left_o(), .some_o(), .head_o(),
    .load_o(), .ok_o(ok), .live_o(), .bad_o(bad), .cover_o()
  );

  // The worms to send, in order for each input channel.
  integer   worms;
  reg [7:0] name  [0:31];
  integer   port  [0:31];
  integer   vc    [0:31];
  integer   dst   [0:31];
  integer   flits [0:31];
  integer   start [0:31];
  integer   path  [0:31];
  integer   sent  [0:31];
  reg [7:0] carried [0:6*VCS*CYCLES-1];          // by output channel, then cycle
  reg [7:0] before  [0:6*VCS*CYCLES-1];          // ... when keep was called
  reg [8*CYCLES-1:0] block [0:5];                // "x": no room at the far end
  reg [7:0] owner   [0:6*VCS-1];                 // letter of the worm that crosses, 0 for none
  integer   next    [0:6*VCS-1];                 // the number of its next flit
  integer   came, kept;

  task check(input [8*12-1:0] what, input integer at, input [63:0] got, input [63:0] want);
    begin
      checks = checks + 1;
      if (got !== want) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_switch: time %0t V %0d q %0d path %0d scan %0d", $time, VCS, DEPTH,
                   PATH, SCAN, " cycle %0d %0s %0d: got %h, want %h", cycle, what, at, got, want);
      end
    end
  endtask

  integer n, o, v, i, k, best, length, size, src, height;

  task reset;
    begin
      rst      = 1'b1;
      seed     = 32'd1;
      in_valid = {6*VCS{1'b0}};
      in_flit  = {6*W{1'bx}};
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      rst   = 1'b0;
      seed  = 32'hxxxxxxxx;                      // read at reset only
      cycle = 0;
      worms = 0;
      came  = 0;
      for (n = 0; n < 6 * VCS; n = n + 1) owner[n] = 8'd0;
      for (n = 0; n < 6; n = n + 1) block[n] = {8*CYCLES{1'b0}};
      for (n = 0; n < 6 * VCS * CYCLES; n = n + 1) carried[n] = ".";
      #1;
      check("reset valid", 0, out_valid, 64'd0);
      check("reset room", 0, in_room,
            (LEVEL == LEVELS) ? {4*VCS{1'b1}} : {6*VCS{1'b1}});
    end
  endtask

  task send(input [7:0] letter, input integer from, input integer channel, input integer to,
            input integer count, input integer not_before, input integer bits);
    begin
      name[worms]  = letter;
      port[worms]  = from;
      vc[worms]    = channel;
      dst[worms]   = to;
      flits[worms] = count;
      start[worms] = not_before;
      path[worms]  = bits;
      sent[worms]  = 0;
      worms = worms + 1;
    end
  endtask

  // The next flit of worm n.
  function [W-1:0] flit_of(input integer m);
    begin
      size   = 1 << (2 * (LEVEL - 1));
      src    = (port[m] < 4) ? port[m] * size : 4 * size;
      height = (src / 4 == dst[m] / 4) ? 1 : (src / 16 == dst[m] / 16) ? 2 : 3;
      flit_of = {sent[m] == 0, sent[m] + 1 == flits[m], name[m], 24'd0};
      if (sent[m] == 0)
        flit_of[23:0] = path[m] << (H + 2) | height << H | src << (2 * LEVELS) | dst[m];
      else
        flit_of[23:0] = sent[m];
    end
  endfunction

  // One flit a link: of several channels the one whose worm sent least.
  task drive;
    begin
      in_valid = {6*VCS{1'b0}};
      in_flit  = {6*W{1'bx}};
      for (i = 0; i < 6; i = i + 1) begin
        best = -1;
        for (v = 0; v < VCS; v = v + 1) begin
          n = -1;
          for (k = worms - 1; k >= 0; k = k - 1)
            if (port[k] == i && vc[k] == v && sent[k] < flits[k]) n = k;
          if (n >= 0)
            if (start[n] <= cycle && in_room[VCS*i+v] && (best < 0 || sent[n] < sent[best]))
              best = n;
        end
        if (best >= 0) begin
          in_valid[VCS*i+vc[best]] = 1'b1;
          in_flit[W*i+:W] = flit_of(best);
          sent[best] = sent[best] + 1;
        end
      end
    end
  endtask

  // What two letters of a text mean: the t-th from the left, if there are so many.
  function [7:0] letter_at(input [8*CYCLES-1:0] text, input integer t);
    begin
      length = 0;
      while (length < CYCLES && text[8*length+:8] != 8'd0) length = length + 1;
      letter_at = (t < length) ? text[8*(length-1-t)+:8] : ".";
    end
  endfunction

  // A channel carries whole worms: a head, its own flits in order, a tail.
  task follow(input integer ch, input [W-1:0] flit);
    begin
      came = came + 1;
      if (flit[W-1]) begin
        check("head at", ch, owner[ch], 64'd0);
        owner[ch] = flit[31:24];
        next[ch]  = 1;
      end else begin
        check("body of", ch, flit[31:24], owner[ch]);
        check("order at", ch, flit[23:0], next[ch]);
        next[ch] = next[ch] + 1;
      end
      if (flit[W-2]) owner[ch] = 8'd0;
    end
  endtask

  // All flits of all worms came out.
  task drained;
    begin
      for (n = 0; n < worms; n = n + 1) came = came - flits[n];
      check("missing", 0, came, 64'd0);
      for (n = 0; n < 6 * VCS; n = n + 1) check("held", n, owner[n], 64'd0);
    end
  endtask

  // The outputs until now, to be compared with another run of the same worms.
  task keep;
    begin
      kept = cycle;
      for (n = 0; n < 6 * VCS * CYCLES; n = n + 1) before[n] = carried[n];
    end
  endtask

  task same;
    for (n = 0; n < 6 * VCS * CYCLES; n = n + 1)
      if (n % CYCLES < kept) check("again", n, carried[n], before[n]);
  endtask

  task run(input integer cycles);
    repeat (cycles) begin
      for (o = 0; o < 6; o = o + 1)
        out_room[VCS*o+:VCS] = (letter_at(block[o], cycle) == "x") ? {VCS{1'b0}} : {VCS{1'b1}};
      #1;
      drive;
      #1;
      check("x", 0, {63'd0, ^{in_room, out_valid, out_flit} === 1'bx}, 64'd0);
      check("no room", 0, out_valid & ~out_room, 64'd0);
      check("the rules", 0, ok[PORTS-1:0], (64'd1 << PORTS) - 64'd1);
      check("properties", 0, bad, 64'd0);
      for (o = 0; o < 6; o = o + 1) begin
        if (~|out_valid[VCS*o+:VCS]) check("idle link", o, out_flit[W*o+:W], 64'd0);
        for (v = 0; v < VCS; v = v + 1)
          if (out_valid[VCS*o+v]) begin
            check("one channel", o, out_valid[VCS*o+:VCS], 64'd1 << v);
            follow(VCS * o + v, out_flit[W*o+:W]);
            carried[(VCS*o+v)*CYCLES+cycle] = out_flit[W*o+24+:8] |
                                              (out_flit[W*o+W-1] ? 8'h00 : 8'h20);
          end
      end
      #3 clk = 1'b1;
      #5 clk = 1'b0;
      cycle = cycle + 1;
      #1;
    end
  endtask

  // Channel ch of output at carried this and nothing after it.
  task out(input integer at, input integer ch, input [8*CYCLES-1:0] want);
    for (n = 0; n < cycle; n = n + 1) begin
      checks = checks + 1;
      if (carried[(VCS*at+ch)*CYCLES+n] !== letter_at(want, n)) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_switch: time %0t V %0d q %0d path %0d scan %0d", $time, VCS, DEPTH,
                   PATH, SCAN, " output %0d channel %0d cycle %0d: got %c", at, ch, n,
                   carried[(VCS*at+ch)*CYCLES+n], ", want %c of %0s", letter_at(want, n), want);
      end
    end
  endtask

  // The random bits of a cycle: 16 single steps for each before it.
  function [31:0] random_of(input integer at);
    begin
      random_of = 32'd1;
      for (k = 0; k < 16 * at; k = k + 1)
        random_of = {random_of[0] ^ random_of[2] ^ random_of[6] ^ random_of[7], random_of[31:1]};
    end
  endfunction
endmodule

module tb_switch;
  switch_bench gp ();
  switch_bench #(.DEPTH(1)) q1 ();
  switch_bench #(.DEPTH(16)) q16 ();
  switch_bench #(.PATH(`FATFLY_FP)) fp ();
  switch_bench #(.PATH(`FATFLY_RP)) rp ();
  switch_bench #(.PATH(`FATFLY_RG)) rg ();
  switch_bench #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_RR)) rr ();
  switch_bench #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_FF), .LEVELS(3)) ff ();
  switch_bench #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_ROT)) rot ();
  switch_bench #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_FCFS)) age ();
  switch_bench #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_ROT), .VCS(2)) rot2 ();
  switch_bench #(.PATH(`FATFLY_FP), .VCS(2)) fo2 ();
  switch_bench #(.PATH(`FATFLY_RP), .SCAN(`FATFLY_FF), .VCS(4), .DEPTH(3)) ff4 ();
  switch_bench #(.PATH(`FATFLY_RG), .SCAN(`FATFLY_FCFS), .VCS(2), .DEPTH(1)) age2 ();
  switch_bench #(.LEVEL(2)) root ();
  integer i, t, fails;
  reg [7:0] c;
  reg [5:0] waiting;
  reg [8*64-1:0] want, want5;

  initial begin
    // A flit that arrives at t leaves at t + 1; the stream of a worm has no gap.
    gp.reset;
    //     worm port vc dst flits start path
    gp.send("A", 0, 0, 2, 1, 0, 0);
    gp.send("B", 3, 0, 1, 5, 2, 0);
    gp.send("C", 0, 0, 3, 1, 0, 0);
    gp.run(12);
    gp.out(2, 0, ".A");
    gp.out(3, 0, "..C");
    gp.out(1, 0, "...Bbbbb");

    // Depth 1 halves the rate.
    q1.reset;
    q1.send("A", 0, 0, 2, 4, 0, 0);
    q1.send("B", 0, 0, 2, 2, 0, 0);
    q1.run(15);
    q1.out(2, 0, ".A.a.a.a.B.b");
    q16.reset;
    q16.send("A", 0, 0, 2, 4, 0, 0);
    q16.send("B", 0, 0, 2, 2, 0, 0);
    q16.run(15);
    q16.out(2, 0, ".AaaaBb");

    // No worm is cut, and no cycle lost: C is scanned before B, but waits for A's tail.
    gp.reset;
    gp.send("A", 1, 0, 2, 4, 0, 0);
    gp.send("B", 3, 0, 2, 3, 0, 0);
    gp.send("C", 0, 0, 2, 2, 1, 0);
    gp.run(15);
    gp.out(2, 0, ".AaaaCcBbb");

    // Without room nothing moves, and a waiting head holds nothing.
    gp.reset;
    gp.block[2] = "xxx..xx.x";
    gp.send("A", 1, 0, 2, 3, 0, 0);
    gp.send("B", 0, 0, 2, 2, 1, 0);
    gp.run(14);
    gp.out(2, 0, "...Bb..A.aa");

    // A full queue keeps what it has: 16 flits wait for room and come in order.
    q16.reset;
    q16.block[2] = "xxxxxxxxxxxxxxxxxxxxxxxx";
    q16.send("A", 0, 0, 2, 12, 0, 0);
    q16.send("B", 0, 0, 2, 12, 0, 0);
    q16.run(24);
    q16.check("full", 0, q16.in_room, 64'h3e);
    q16.run(26);
    q16.out(2, 0, "........................AaaaaaaaaaaaBbbbbbbbbbbb");

    // All six inputs cross at once.
    rr.reset;
    rr.send("A", 0, 0, 1, 3, 0, 0);
    rr.send("B", 1, 0, 0, 3, 0, 0);
    rr.send("C", 2, 0, 15, 3, 0, 0);
    rr.send("D", 3, 0, 14, 3, 0, 1);
    rr.send("E", 4, 0, 2, 3, 0, 0);
    rr.send("F", 5, 0, 3, 3, 0, 0);
    rr.run(10);
    rr.out(1, 0, ".Aaa");
    rr.out(0, 0, ".Bbb");
    rr.out(4, 0, ".Ccc");
    rr.out(5, 0, ".Ddd");
    rr.out(2, 0, ".Eee");
    rr.out(3, 0, ".Fff");

    // FP: one path bit, one parent.
    fp.reset;
    fp.send("A", 0, 0, 15, 2, 0, 1);
    fp.send("B", 1, 0, 14, 2, 0, 1);
    fp.send("C", 1, 0, 13, 1, 0, 0);
    fp.run(10);
    fp.out(5, 0, ".AaBb");
    fp.out(4, 0, ".....C");

    // GP: parent 0, then parent 1, then whichever is free first.
    gp.reset;
    gp.send("A", 0, 0, 15, 4, 0, 0);
    gp.send("B", 1, 0, 14, 2, 0, 0);
    gp.send("C", 2, 0, 13, 1, 0, 0);
    gp.send("D", 3, 0, 12, 3, 0, 0);
    gp.run(12);
    gp.out(4, 0, ".Aaaa");
    gp.out(5, 0, ".BbCDdd");

    // RP: bit 16 + i of the random state of the cycle says which parent.  RG while both are free.
    for (i = 0; i < 4; i = i + 1) begin
      rp.reset;
      rg.reset;
      want  = ".";
      want5 = ".";
      for (t = 0; t < 12; t = t + 1) begin
        c = "A" + t;
        rp.send(c, i, 0, 12, 1, 0, 0);
        rg.send(c, i, 0, 12, 1, 0, 0);
        want  = {want, "."};
        want5 = {want5, "."};
        if (rp.random_of(t + 1) >> (16 + i) & 1) want5[7:0] = c;
        else                                     want[7:0]  = c;
      end
      rp.run(16);
      rg.run(16);
      rp.out(4, 0, want);
      rp.out(5, 0, want5);
      rg.out(4, 0, want);
      rg.out(5, 0, want5);
    end

    // RP waits for a cycle in which it draws the parent that has room; RG takes it at once.
    rp.reset;
    rp.block[5] = {40{"x"}};
    want = ".";
    t = 1;
    for (i = 0; i < 5; i = i + 1) begin
      rp.send("A" + i, 2, 0, 12, 1, 0, 0);
      while (rp.random_of(t) >> 18 & 1) begin
        want = {want, "."};
        t = t + 1;
      end
      c = "A" + i;
      want = {want, c};
      t = t + 1;
    end
    rp.run(30);
    rp.out(4, 0, want);
    rg.reset;
    rg.block[4] = "xxxxxx";
    for (i = 0; i < 5; i = i + 1) rg.send("A" + i, 2, 0, 12, 1, 0, 0);
    rg.run(12);
    rg.out(5, 0, ".ABCDE");

    // RR: the first at or after floor(6 * byte / 256) of the cycle before.
    rr.reset;
    for (i = 1; i < 6; i = i + 1) rr.send("A" + i, i, 0, 0, 1, 0, 0);
    waiting = 6'h3e;
    want = ".";
    for (t = 1; t < 6; t = t + 1) begin
      i = (rr.random_of(t - 1) >> 24) * 6 / 256;
      while (!waiting[i]) i = (i + 1) % 6;
      waiting[i] = 1'b0;
      c = "A" + i;
      want = {want, c};
    end
    rr.run(10);
    rr.out(0, 0, want);

    // FCFS: the longest at the front first; of several in one cycle the lowest port.
    age.reset;
    age.block[0] = "xxxxx";
    age.send("A", 1, 0, 0, 1, 2, 0);
    age.send("B", 2, 0, 0, 2, 0, 0);
    age.send("C", 3, 0, 0, 1, 1, 0);
    age.send("D", 4, 0, 0, 1, 1, 0);
    age.send("E", 2, 0, 0, 1, 0, 0);     // behind B: it comes to the front last
    age.send("F", 5, 0, 0, 1, 0, 0);
    age.run(15);
    age.out(0, 0, ".....BbFCDAE");

    // FF: the highest first.
    ff.reset;
    ff.block[4] = "xx";
    ff.block[0] = "xx";
    ff.send("A", 0, 0, 4, 1, 0, 0);      // height 2
    ff.send("B", 3, 0, 60, 1, 0, 0);     // height 3
    ff.send("C", 1, 0, 0, 1, 0, 0);      // height 1
    ff.send("D", 5, 0, 0, 1, 0, 0);      // height 2, from processor 4
    ff.run(8);
    ff.out(4, 0, "..BA");
    ff.out(0, 0, "..DC");

    // ROT takes turns, FO does not.
    rot.reset;
    fp.reset;
    for (i = 0; i < 4; i = i + 1) begin
      rot.send("A", 0, 0, 3, 1, 0, 0);
      rot.send("B", 2, 0, 3, 1, 0, 0);
      fp.send("A", 0, 0, 3, 1, 0, 0);
      fp.send("B", 2, 0, 3, 1, 0, 0);
    end
    rot.run(12);
    rot.out(3, 0, ".ABABABAB");
    fp.run(12);
    fp.out(3, 0, ".AAAABBBB");

    // V = 2: worms share a link, each on its own channel; C waits for a free one.
    rot2.reset;
    rot2.send("A", 0, 0, 2, 4, 0, 0);
    rot2.send("B", 1, 1, 2, 3, 0, 0);
    rot2.send("C", 3, 0, 2, 2, 0, 0);
    rot2.run(15);
    rot2.out(2, 0, ".A.a.a..a");         // port 3 comes between port 1 and port 0
    rot2.out(2, 1, "..B.b.bC.c");
    rot.reset;
    rot.send("A", 0, 0, 2, 4, 0, 0);
    rot.send("B", 1, 0, 2, 3, 0, 0);
    rot.send("C", 3, 0, 2, 2, 0, 0);
    rot.run(15);
    rot.out(2, 0, ".AaaaBbbCc");         // V = 1: no worm is cut

    // V = 2, one input: its channels by turns; when A is blocked, B alone goes on.
    fo2.reset;
    fo2.send("A", 0, 0, 1, 3, 0, 0);
    fo2.send("B", 0, 1, 2, 3, 0, 0);
    fo2.run(12);
    fo2.out(1, 0, ".A.a.a");
    fo2.out(2, 0, "..B.b.b");
    fo2.reset;
    fo2.block[1] = "xxxxxxxx";
    fo2.send("A", 0, 0, 1, 3, 0, 0);
    fo2.send("B", 0, 1, 2, 3, 0, 0);
    fo2.run(15);
    fo2.out(1, 0, "........Aaa");
    fo2.out(2, 0, "..B.bb");

    // The root has no parents: no room there, nothing comes out there, what comes in is not read.
    root.reset;
    root.send("A", 0, 0, 4, 2, 0, 0);
    root.send("B", 1, 0, 8, 2, 0, 0);
    root.send("C", 2, 0, 15, 2, 0, 0);
    root.send("D", 3, 0, 1, 2, 0, 0);
    root.send("E", 3, 0, 7, 2, 0, 0);
    root.send("F", 4, 0, 7, 2, 0, 0);
    root.run(12);
    root.out(1, 0, ".AaEe");
    root.out(2, 0, ".Bb");
    root.out(3, 0, ".Cc");
    root.out(0, 0, ".Dd");
    root.out(4, 0, "");
    root.out(5, 0, "");
    root.in_valid[5:4] = 2'b11;
    root.run(3);
    root.out(0, 0, ".Dd");

    // Long worms from all inputs on all channels, reset while they cross, and again: all that comes
    // out is known, and the second life begins like the first.
    for (t = 0; t < 2; t = t + 1) begin
      ff4.reset;
      age2.reset;
      for (i = 0; i < 6; i = i + 1) begin
        ff4.send("A" + i, i, i % 4, (i == 0) ? 1 : 0, 5, 0, 0);
        ff4.send("G" + i, i, (i + 1) % 4, (i < 4) ? 15 : 3, 5, 0, 0);
        age2.send("A" + i, i, i % 2, (i == 0) ? 1 : 0, 5, 0, 0);
        age2.send("G" + i, i, (i + 1) % 2, (i < 4) ? 15 : 3, 5, 0, 0);
      end
      if (t == 0) begin
        ff4.run(9);
        age2.run(9);
        ff4.keep;
        age2.keep;
      end
    end
    ff4.run(60);
    age2.run(60);
    ff4.same;
    age2.same;
    ff4.drained;
    age2.drained;

    fails = gp.fails + q1.fails + q16.fails + fp.fails + rp.fails + rg.fails + rr.fails + ff.fails +
            rot.fails + age.fails + rot2.fails + fo2.fails + ff4.fails + age2.fails + root.fails;
    if (fails == 0)
      $display("PASS tb_switch: %0d checks", gp.checks + q1.checks + q16.checks + fp.checks +
               rp.checks + rg.checks + rr.checks + ff.checks + rot.checks + age.checks +
               rot2.checks + fo2.checks + ff4.checks + age2.checks + root.checks);
    $finish;
  end
endmodule
`default_nettype wire
