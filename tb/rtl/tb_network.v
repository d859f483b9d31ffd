// SPDX-License-Identifier: Apache-2.0
// tb_network.v - network.v of 16 processors: each flit arrives once, in order, where it should, and
// many-to-1 takes cL + d - 2 cycles (spec, section 7); of 16 and 64: the links that worms take.
`default_nettype none
`include "flit.vh"

module network_bench #(
  parameter integer VCS   = 1,
  parameter integer DEPTH = 2,
  parameter integer PATH  = `FATFLY_RP,
  parameter integer SCAN  = `FATFLY_RR
);
  localparam integer N = 16;
  localparam integer W = 34;
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [31:0]      seed;
  reg  [N*VCS-1:0] inj_valid = {N*VCS{1'b0}};
  reg  [N*W-1:0]   inj_flit = {N*W{1'bx}};
  wire [N*VCS-1:0] inj_room, ej_valid;
  wire [N*W-1:0]   ej_flit;
  integer          checks = 0;
  integer          fails  = 0;
  integer          length, cycle, last, arrived, limit, a, v, src, height;
  integer          dst  [0:N-1];         // a worm for each processor
  integer          sent [0:N-1];
  integer          got  [0:N-1];         // by source
  integer          from [0:N*VCS-1];     // source of the worm that is arriving on a channel, or -1
  reg [W-1:0]      flit;

  network #(
    .LEVELS(2), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(W - 2), .PATH(PATH), .SCAN(SCAN)
  ) dut (
    .clk_i(clk), .rst_i(rst), .seed_i(seed), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
    .inj_room_o(inj_room), .ej_valid_o(ej_valid), .ej_flit_o(ej_flit),
    .ej_room_i({N*VCS{1'b1}}), .probe_o()
  );

  task check(input [8*14-1:0] what, input integer at, input [63:0] is, input [63:0] want);
    begin
      checks = checks + 1;
      if (is !== want) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_network: time %0t V %0d q %0d path %0d scan %0d L %0d", $time, VCS,
                   DEPTH, PATH, SCAN, length, " cycle %0d %0s %0d: got %h, want %h", cycle, what,
                   at, is, want);
      end
    end
  endtask

  task reset(input [31:0] with_seed);
    begin
      rst  = 1'b1;
      seed = with_seed;
      inj_valid = {N*VCS{1'b0}};
      inj_flit  = {N*W{1'bx}};
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      rst   = 1'b0;
      seed  = 32'hxxxxxxxx;
      cycle = 0;
      for (a = 0; a < N; a = a + 1) begin
        sent[a] = 0;
        got[a]  = 0;
      end
      for (a = 0; a < N * VCS; a = a + 1) from[a] = -1;
      #1 check("reset room", 0, inj_room, {N*VCS{1'b1}});
      check("reset valid", 0, ej_valid, 64'd0);
    end
  endtask

  // A source injects over its channel a mod V whenever there is room.
  task inject;
    for (a = 0; a < N; a = a + 1) begin
      v = a % VCS;
      inj_valid[VCS*a+:VCS] = {VCS{1'b0}};
      inj_flit[W*a+:W]      = {W{1'bx}};
      if (sent[a] < length && inj_room[VCS*a+v]) begin
        height = (a / 4 == dst[a] / 4) ? 1 : 2;
        flit = {sent[a] == 0, sent[a] + 1 == length, 32'd0};
        if (sent[a] == 0) flit[15:0] = {1'b0, a[3], 4'd0, height[1:0], a[3:0], dst[a][3:0]};
        else              flit[31:0] = {4'hb, a[3:0], 8'd0, sent[a][15:0]};
        inj_valid[VCS*a+v] = 1'b1;
        inj_flit[W*a+:W]   = flit;
        sent[a] = sent[a] + 1;
      end
    end
  endtask

  task receive;
    for (a = 0; a < N; a = a + 1) begin
      if (~|ej_valid[VCS*a+:VCS]) check("idle link", a, ej_flit[W*a+:W], 64'd0);
      for (v = 0; v < VCS; v = v + 1)
        if (ej_valid[VCS*a+v]) begin
          check("one channel", a, ej_valid[VCS*a+:VCS], 64'd1 << v);
          flit = ej_flit[W*a+:W];
          if (flit[W-1]) begin
            check("whole before", a, from[VCS*a+v] == -1, 64'd1);
            src = flit[7:4];
            from[VCS*a+v] = src;
            check("destination", a, flit[3:0], a);
            check("number", a, got[src], 64'd0);
          end else begin
            src = from[VCS*a+v];
            check("body", a, flit[31:0], {4'hb, src[3:0], 8'd0, got[src][15:0]});
          end
          check("sent to", a, dst[src], a);
          got[src] = got[src] + 1;
          check("tail", a, flit[W-2], got[src] == length);
          if (flit[W-2]) from[VCS*a+v] = -1;
          arrived = arrived + 1;
          last    = cycle;
        end
    end
  endtask

  // Worms of this many flits to dst[]; last: the cycle in which the last tail arrives.
  task run(input integer flits, input [31:0] with_seed);
    begin
      length = flits;
      reset(with_seed);
      arrived = 0;
      last    = -1;
      limit   = 20 * flits * N + 100;
      while (arrived < N * length && cycle < limit) begin
        #1 inject;
        #1 check("x", 0, {63'd0, ^{inj_room, ej_valid, ej_flit} === 1'bx}, 64'd0);
        receive;
        #3 clk = 1'b1;
        #5 clk = 1'b0;
        cycle = cycle + 1;
      end
      check("arrived", 0, arrived, N * length);
      for (a = 0; a < N; a = a + 1) check("flits of", a, got[a], length);
      // Nothing more comes.
      repeat (10) begin
        inj_valid = {N*VCS{1'b0}};
        #5 check("after the end", 0, ej_valid, 64'd0);
        clk = 1'b1;
        #5 clk = 1'b0;
      end
    end
  endtask

  task complement(input integer flits);
    begin
      for (a = 0; a < N; a = a + 1) dst[a] = N - 1 - a;
      run(flits, 32'd7);
      // Four links: the head arrives in cycle 3 at the earliest, each flit of it a cycle later.
      check("no faster", 0, last >= 4 + flits - 2, 64'd1);
      $display("tb_network: V %0d q %0d path %0d scan %0d", VCS, DEPTH, PATH, SCAN,
               " complement L %0d: last arrival in cycle %0d", flits, last);
    end
  endtask

  // c = 8 worms to each of two processors, d = 4 links.
  task many_to_1(input integer flits, input [31:0] with_seed);
    begin
      for (a = 0; a < N; a = a + 1) dst[a] = (a < N / 2) ? N - 1 : 0;
      run(flits, with_seed);
      check("cL + d - 2", 0, last, 8 * flits + 4 - 2);
      $display("tb_network: V %0d q %0d path %0d scan %0d", VCS, DEPTH, PATH, SCAN,
               " many-to-1 L %0d: last arrival in cycle %0d", flits, last);
    end
  endtask

  task exact_cells(input [31:0] with_seed);
    begin
      many_to_1(1, with_seed);
      many_to_1(2, with_seed);
      many_to_1(8, with_seed);
      many_to_1(32, with_seed);
    end
  endtask
endmodule

// The links that single worms take, cycle by cycle, against the formulas of the spec, section 1.
// This reads link_valid inside network.v: the probe has it, too, but an event simulator would copy
// thousands of its bits for each one that changes.
module walk_bench #(
  parameter integer LEVELS = 2
);
  localparam integer N        = 1 << (2 * LEVELS);
  localparam integer SWITCHES = (N >> 1) - (N >> (LEVELS + 1));
  localparam integer W        = 18;   // a head of 64 processors with FP and no bit more
  localparam integer H        = 4 * LEVELS;      // height, two bits for 2 and 3 levels; then path
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [N-1:0]     inj_valid;
  reg  [N*W-1:0]   inj_flit;
  wire [N-1:0]     inj_room, ej_valid;
  wire [N*W-1:0]   ej_flit;
  wire [6*SWITCHES-1:0]       busy;      // links into switches that carry a flit
  reg  [6*SWITCHES-1:0]       want;
  integer checks = 0;
  integer fails  = 0;
  integer src, dst, bits, height, level, a, b, c, q, up0, up1, cycle, going_down;

  network #(
    .LEVELS(LEVELS), .DEPTH(1), .FLIT_W(W - 2), .PATH(`FATFLY_FP), .SCAN(`FATFLY_FO)
  ) dut (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd1), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
    .inj_room_o(inj_room), .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .ej_room_i({N{1'b1}}),
    .probe_o()
  );

  genvar s;
  generate
    for (s = 0; s < 6 * SWITCHES; s = s + 1) begin : g_link
      assign busy[s] = dut.link_valid[s];
    end
  endgenerate

  task tick;
    begin
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      inj_valid = {N{1'b0}};
      inj_flit  = {N*W{1'bx}};
      #1;
    end
  endtask

  // The switch's number, from S(level, at).
  function integer number(input integer of_level, input integer at);
    number = N / 2 - (N >> of_level) + at;
  endfunction

  task check(input [N-1:0] arrives);
    begin
      checks = checks + 1;
      if (busy !== want || ej_valid !== arrives) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_network: time %0t %0d to %0d path %b cycle %0d", $time, src, dst, bits,
                   cycle, " links: got %h, want %h", busy, want, ", arrivals: got %h, want %h",
                   ej_valid, arrives);
      end
    end
  endtask

  task walk(input integer from, input integer to, input integer path);
    begin
      src    = from;
      dst    = to;
      bits   = path;
      height = (src / 4 == dst / 4) ? 1 : (src / 16 == dst / 16) ? 2 : 3;
      inj_valid[src]     = 1'b1;
      inj_flit[W*src+:W] = {2'b11, 16'd0} | bits << (H + 2) | height << H | src << (2 * LEVELS) |
                           dst;
      cycle = 0;
      level = 1;
      a     = src / 4;
      c     = src % 4;
      going_down = 0;
      #1;
      while (level > 0) begin
        // The worm crosses the link into port c of S(level, a).
        want = {6*SWITCHES{1'b0}};
        want[6*number(level, a)+c] = 1'b1;
        check({N{1'b0}});
        if (level < height && !going_down) begin
          q = (bits >> (level - 1)) & 1;
          c = (a % (1 << (level + 1))) / (1 << (level - 1));
          a = a / (1 << (level + 1)) * (1 << level) + (a + q * (1 << (level - 1))) % (1 << level);
          level = level + 1;
        end else begin
          going_down = 1;
          q = (dst >> (2 * (level - 1))) & 3;
          level = level - 1;
          if (level > 0) begin
            // The switch below whose parent 0 or 1 is this one and which meets it at child q.
            c = 0;
            for (b = 0; b < N >> (level + 1); b = b + 1) begin
              up0 = b / (1 << (level + 1)) * (1 << level) + b % (1 << level);
              up1 = b / (1 << (level + 1)) * (1 << level) + (b + (1 << (level - 1))) % (1 << level);
              if (c == 0 && (b % (1 << (level + 1))) / (1 << (level - 1)) == q &&
                  (up0 == a || up1 == a)) begin
                c = (up0 == a) ? 4 : 5;
                a = b;
                b = N;
              end
            end
          end
        end
        tick;
        cycle = cycle + 1;
      end
      want = {6*SWITCHES{1'b0}};
      check({{N-1{1'b0}}, 1'b1} << dst);
      tick;
      cycle = cycle + 1;
      check({N{1'b0}});
    end
  endtask

  integer from, to, path;
  task reset;
    begin
      inj_valid = {N{1'b0}};
      tick;
      rst = 1'b0;
    end
  endtask

  task every_walk;
    begin
      reset;
      for (from = 0; from < N; from = from + 1)
        for (to = 0; to < N; to = to + 1)
          for (path = 0; path < 1 << (LEVELS - 1); path = path + 1)
            if (from != to) walk(from, to, path);
    end
  endtask

  task some_walks(input integer count);
    begin
      reset;
      repeat (count) begin
        from = $unsigned($random) % N;
        to   = $unsigned($random) % N;
        path = $unsigned($random) % (1 << (LEVELS - 1));
        if (from != to) walk(from, to, path);
      end
    end
  endtask
endmodule

// The networks in parts: Icarus takes time that grows with the square of the number of switches to elaborate them.
module tb_network;
  network_bench rp_rr ();
  network_bench #(.PATH(`FATFLY_GP), .SCAN(`FATFLY_FO)) gp_fo ();
  integer fails;

  initial begin
    rp_rr.complement(1);
    rp_rr.complement(4);
    gp_fo.complement(4);
    // No randomness in these cells: the same for every seed, path and order.
    rp_rr.exact_cells(32'd1);
    gp_fo.many_to_1(8, 32'd1);
    rp_rr.many_to_1(8, 32'hdeadbeef);
    fails = rp_rr.fails + gp_fo.fails;
    if (fails == 0) $display("PASS tb_network: %0d checks", rp_rr.checks + gp_fo.checks);
    $finish;
  end
endmodule

module tb_network_orders;
  network_bench #(.PATH(`FATFLY_RG), .SCAN(`FATFLY_FCFS)) rg_fcfs ();
  network_bench #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_ROT)) fp_rot ();
  integer fails;

  initial begin
    rg_fcfs.complement(4);
    fp_rot.complement(4);
    rg_fcfs.many_to_1(8, 32'd2);
    fp_rot.many_to_1(8, 32'd3);
    fails = rg_fcfs.fails + fp_rot.fails;
    if (fails == 0) $display("PASS tb_network_orders: %0d checks", rg_fcfs.checks + fp_rot.checks);
    $finish;
  end
endmodule

module tb_network_queues;
  network_bench #(.DEPTH(1), .SCAN(`FATFLY_FF)) q1_ff ();
  network_bench #(.VCS(2), .PATH(`FATFLY_GP), .SCAN(`FATFLY_ROT)) v2_rot ();
  integer fails;

  initial begin
    q1_ff.complement(1);
    q1_ff.complement(4);
    v2_rot.complement(1);
    v2_rot.complement(4);
    fails = q1_ff.fails + v2_rot.fails;
    if (fails == 0) $display("PASS tb_network_queues: %0d checks", q1_ff.checks + v2_rot.checks);
    $finish;
  end
endmodule

module tb_network_walk16;
  walk_bench #(.LEVELS(2)) walk16 ();

  initial begin
    walk16.every_walk;
    if (walk16.fails == 0) $display("PASS tb_network_walk16: %0d checks", walk16.checks);
    $finish;
  end
endmodule

module tb_network_walk64;
  walk_bench #(.LEVELS(3)) walk64 ();

  initial begin
    walk64.some_walks(100);
    if (walk64.fails == 0) $display("PASS tb_network_walk64: %0d checks", walk64.checks);
    $finish;
  end
endmodule
`default_nettype wire
