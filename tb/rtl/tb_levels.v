// SPDX-License-Identifier: Apache-2.0
// tb_levels.v - every number of levels and every level of it, every radix: where a field of a head is.
//
// route.v for every path, number of levels and level, against a head made of source and destination; the switch with the
// ports that find fields themselves (port_one.v, port_fast.v) against the reference switch, 64 cycles of random worms, at
// every level from 1 to 9 and every number of levels from 5 to 10; the reference switch under FF with every number of channels
// at 2, 3 and 7 to 10 levels, where the worm of the greater height must go first; cube_route.v for radix 2 to 16 against hops
// counted in integers.
`default_nettype none
`include "flit.vh"

module levels_route #(
  parameter integer PATH   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PARENT = 0
);
  localparam integer D = 2 * LEVELS;
  localparam integer H = $clog2(LEVELS + 1);
  reg  [63:0]  head;
  reg          rnd;
  reg  [D-1:0] src, dst;
  wire [3:0]   child;
  wire [1:0]   parent;
  wire [H-1:0] height;
  wire         ok;
  wire [2:0]   bad;
  integer      checks = 0;
  integer      fails  = 0;
  integer      k, top;

  route_props #(
    .FLIT_W(64), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
  ) props (
    .head_i(head), .rand_i(rnd), .child_o(child), .parent_o(parent), .height_o(height), .ok_o(ok), .bad_o(bad), .cover_o()
  );
  route #(
    .FLIT_W(64), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
  ) dut (.head_i(head), .rand_i(rnd), .child_o(child), .parent_o(parent), .height_o(height));

  task all;
    for (k = 0; k < 16 * LEVELS; k = k + 1) begin
      top = k % LEVELS + 1;              // the level at which it turns
      rnd = $random;
      src = $random;
      dst = $random;
      dst = (src >> 2 * top << 2 * top) | (dst & ~({D{1'b1}} << 2 * top));
      if (top > 1 && dst >> 2 * (top - 1) == src >> 2 * (top - 1)) dst = dst ^ (1 << 2 * (top - 1));
      head = {$random, $random};
      head[0+:D]   = dst;
      head[D+:D]   = src;
      head[2*D+:H] = top;
      #1;
      checks = checks + 1;
      if ({ok, bad} !== 4'b1000) begin
        fails = fails + 1;
        if (fails <= 2)
          $display("FAIL tb_levels: route.v, path %0d, level %0d of %0d, parent %0d: %0d to %0d: bad %b", PATH, LEVEL, LEVELS,
                   PARENT, src, dst, bad);
      end
    end
  endtask
endmodule

// Worms of two flits come to all ports at once and go up to one parent or down to one child: those that are higher leave first.
module levels_order #(
  parameter integer VCS    = 1,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 8
);
  localparam integer H = $clog2(LEVELS + 1);
  localparam integer W = 66;
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [6*VCS-1:0] valid = {6*VCS{1'b0}};
  reg  [6*W-1:0]   flit  = {6*W{1'b0}};
  wire [6*VCS-1:0] out;
  wire [6*W-1:0]   left;
  reg  [6*VCS-1:0] sends;
  reg  [63:0]      word;
  reg  [3:0]       top [0:5];            // of the last worm that left there
  integer          checks = 0;
  integer          fails  = 0;
  integer          k, t, p, child, parent, flits;

  switch #(
    .VCS(VCS), .FLIT_W(64), .PATH(`FATFLY_FP), .SCAN(`FATFLY_FF), .LEVEL(LEVEL), .LEVELS(LEVELS), .IMPL(`FATFLY_REF)
  ) dut (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd5), .in_valid_i(valid), .in_flit_i(flit), .in_room_o(),
    .out_valid_o(out), .out_flit_o(left), .out_room_i({6*VCS{1'b1}}), .probe_o()
  );

  task check(input good, input integer height, input integer before);
    begin
      checks = checks + 1;
      if (good !== 1'b1) begin
        fails = fails + 1;
        if (fails <= 2)
          $display("FAIL tb_levels: order: V = %0d, level %0d of %0d: height %0d after %0d, %0d flits to come", VCS, LEVEL, LEVELS,
                   height, before, flits);
      end
    end
  endtask

  task tick;
    begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
  endtask

  task all;
    begin
      tick;
      rst = 1'b0;
      for (k = 0; k < 16; k = k + 1) begin
        child  = {$random} % 4;
        parent = {$random} % 2;
        flits  = 0;
        sends  = {6*VCS{1'b0}};
        for (p = 0; p < 6; p = p + 1) begin
          top[p] = 4'd15;
          word = {$random, $random};
          word[4*LEVELS+:H]          = (p > 3 || $random & 1) ? LEVEL + 1 + {$random} % (LEVELS - LEVEL) : LEVEL;
          word[4*LEVELS+H+LEVEL-1]   = parent;
          word[2*(LEVEL-1)+:2]       = child;
          flit[W*p+:W] = {2'b10, word};
          if (p != child || word[4*LEVELS+:H] != LEVEL) begin
            sends[VCS*p+{$random}%VCS] = 1'b1;
            flits = flits + 2;
          end
        end
        for (t = 0; t < 16; t = t + 1) begin
          valid = (t < 2) ? sends : {6*VCS{1'b0}};
          if (t == 1) for (p = 0; p < 6; p = p + 1) flit[W*p+64+:2] = 2'b01;
          #1;
          for (p = 0; p < 6; p = p + 1)
            if (out[VCS*p+:VCS] != 0) begin
              flits = flits - 1;
              check(left[W*p+4*LEVELS+:H] <= top[p], left[W*p+4*LEVELS+:H], top[p]);
              top[p] = left[W*p+4*LEVELS+:H];
            end
          tick;
        end
        check(flits == 0, 0, 0);
      end
    end
  endtask
endmodule

module levels_cube #(
  parameter integer K     = 4,
  parameter integer TORUS = 1,
  parameter integer NHOP  = 0,
  parameter integer VCS   = 2
);
  localparam integer D = $clog2(K);
  reg  [2*D-1:0] node, dst;
  reg            link;
  reg  [3:0]     chan;
  wire [4:0]     want;
  wire [VCS-1:0] mask;
  reg  [4:0]     wanted;
  reg  [15:0]    masked;
  integer        checks = 0;
  integer        fails  = 0;
  integer        k, d, x, y, hops, up, low;

  cube_route #(.K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS)) dut (
    .node_i(node), .dst_i(dst), .link_i(link), .chan_i(chan), .want_o(want), .mask_o(mask)
  );

  task all;
    for (k = 0; k < 8 * K; k = k + 1) begin
      node = {$random};
      dst  = {$random};
      node[0+:D] = {$random} % K;
      node[D+:D] = {$random} % K;
      dst[0+:D]  = {$random} % K;
      dst[D+:D]  = {$random} % K;
      link = $random;
      chan = {$random} % VCS;
      wanted = 5'd0;
      low    = 0;
      for (d = 1; d >= 0; d = d - 1) begin
        x = node[D*d+:D];
        y = dst[D*d+:D];
        hops = (y - x + K) % K;
        up = (TORUS == 0) ? y > x : (2 * hops == K) ? x % 2 == 0 : 2 * hops < K;
        if (x != y) begin
          if (NHOP == 0) wanted = 5'd0;  // x before y
          wanted[2*d+!up] = 1'b1;
          low = up ? y < x : y > x;
        end
      end
      masked = (TORUS == 0 || VCS == 1) ? 16'hffff : low ? (1 << VCS / 2) - 1 : 16'hffff << VCS / 2;
      x = node[0+:D] + node[D+:D];
      if (NHOP != 0) masked = 1 << (link ? chan + (x % 2 == 0) : 0);
      if (wanted == 5'd0) begin
        wanted = 5'b10000;
        masked = 16'hffff;
      end
      #1;
      checks = checks + 1;
      if (want !== wanted || mask !== masked[VCS-1:0]) begin
        fails = fails + 1;
        if (fails <= 2)
          $display("FAIL tb_levels: cube_route.v, K = %0d, torus %0d, nhop %0d, V = %0d: %h to %h: %b by %b, not %b by %b", K, TORUS,
                   NHOP, VCS, node, dst, want, mask, wanted, masked[VCS-1:0]);
      end
    end
  endtask
endmodule

module tb_levels #(
  parameter integer ROUTES   = 10,       // numbers of levels, from 1
  parameter integer SWITCHES = 10,       // pairs below
  parameter integer ORDERS   = 6,        // numbers of levels of HIGH
  parameter integer RADIX    = 16        // the largest
);
  localparam integer PARTS = 5 * ROUTES * (ROUTES + 1) + 2 * SWITCHES + 3 * ORDERS + 8 * (RADIX - 1);
  integer checks = 0;
  integer fails  = 0;
  integer parts  = 0;
  localparam [39:0] LEVEL  = 40'h4123456789;
  localparam [39:0] LEVELS = 40'h6567a8a9aa;
  localparam [23:0] HIGH   = 24'h23789a; // heights of 2, 2, 3, 4, 4, 4 bits
  genvar n, l, p, k, r;
  generate
    for (n = 1; n <= ROUTES; n = n + 1) begin : g_levels
      for (l = 1; l <= n; l = l + 1) begin : g_level
        localparam integer AT = 2000 * (n * (n - 1) / 2 + l);
        for (p = 0; p < 10; p = p + 1) begin : g_path
          levels_route #(.PATH(p / 2), .LEVEL(l), .LEVELS(n), .PARENT(p % 2)) b ();
          initial begin
            #(AT + 200 * p);
            b.all;
            checks = checks + b.checks;
            fails  = fails + b.fails;
            parts  = parts + 1;
          end
        end
      end
    end
    for (n = 0; n < SWITCHES; n = n + 1) begin : g_switches
      localparam integer L = LEVEL[4*n+:4];
      localparam integer N = LEVELS[4*n+:4];
      fast_pair #(
        .PATH(`FATFLY_FP), .SCAN(`FATFLY_FF), .LEVEL(L), .LEVELS(N), .TIME(64), .BENCH("tb_levels")
      ) one ();
      fast_pair #(
        .VCS(2), .DEPTH(3), .PATH(`FATFLY_FP), .SCAN(`FATFLY_FF), .LEVEL(L), .LEVELS(N), .TIME(64), .BENCH("tb_levels")
      ) ring ();
      initial begin
        #(2000 * (n + 1));
        one.all;
        ring.all;
        checks = checks + one.checks + ring.checks;
        fails  = fails + one.fails + ring.fails;
        parts  = parts + 2;
      end
    end
    for (n = 0; n < ORDERS; n = n + 1) begin : g_orders
      localparam integer N = HIGH[4*n+:4];
      for (p = 0; p < 3; p = p + 1) begin : g_order
        levels_order #(.VCS(1 << p), .LEVEL((N < 8) ? 1 : N - 7), .LEVELS(N)) b ();
        initial begin
          #(1000 * (3 * n + p));
          b.all;
          checks = checks + b.checks;
          fails  = fails + b.fails;
          parts  = parts + 1;
        end
      end
    end
    for (k = 2; k <= RADIX; k = k + 1) begin : g_radix
      for (r = 0; r < 8; r = r + 1) begin : g_cube
        levels_cube #(.K(k), .TORUS(r % 2), .NHOP(r / 2 % 2), .VCS((r < 4) ? 2 : 9)) b ();
        initial begin
          #(140 * (8 * (k - 2) + r));
          b.all;
          checks = checks + b.checks;
          fails  = fails + b.fails;
          parts  = parts + 1;
        end
      end
    end
  endgenerate

  initial begin
    #(2000 * 57);
    if (fails == 0 && parts == PARTS)
      $display("PASS tb_levels: %0d checks", checks);
    else $display("FAIL tb_levels: %0d checks, %0d failed, %0d parts of %0d", checks, fails, parts, PARTS);
    $finish;
  end
endmodule
`default_nettype wire
