// SPDX-License-Identifier: Apache-2.0
// tb_levels.v - every number of levels and every level of it, every radix: where a field of a head is.
//
// route.v for every path, number of levels and level, against a head made of source and destination; the switch with the
// ports that find fields themselves (port_one.v, port_fast.v) against the reference switch, 64 cycles of random worms, at
// every level from 1 to 9 and every number of levels from 5 to 10; cube_route.v for radix 2 to 16 against hops counted in
// integers.
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

module levels_switch #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer PATH   = 0,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3
);
  localparam integer W     = 66;
  localparam integer H     = $clog2(LEVELS + 1);
  localparam integer PORTS = (LEVEL == LEVELS) ? 4 : 6;
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [6*VCS-1:0] valid = {6*VCS{1'b0}};
  reg  [6*W-1:0]   flit = {6*W{1'b0}};
  reg  [6*VCS-1:0] room = {6*VCS{1'b0}};
  wire [6*VCS-1:0] room_a, room_b, valid_a, valid_b;
  wire [6*W-1:0]   flit_a, flit_b;
  reg  [1:0]       left [0:23];          // flits of its worm that are still to come
  reg  [63:0]      word;
  integer          checks = 0;
  integer          fails  = 0;
  integer          moved  = 0;
  integer          t, p, v, o, some;

  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(64), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .IMPL(`FATFLY_FAST)
  ) fast (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd77), .in_valid_i(valid), .in_flit_i(flit), .in_room_o(room_a),
    .out_valid_o(valid_a), .out_flit_o(flit_a), .out_room_i(room), .probe_o()
  );
  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(64), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .IMPL(`FATFLY_REF)
  ) reference (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd77), .in_valid_i(valid), .in_flit_i(flit), .in_room_o(room_b),
    .out_valid_o(valid_b), .out_flit_o(flit_b), .out_room_i(room), .probe_o()
  );

  // A worm that may come in by this port: up, or down to another child.
  task new_head;
    begin
      left[VCS*p+v] = $random;
      if (p > 3 || (LEVEL < LEVELS && $random & 1)) word[4*LEVELS+:H] = LEVEL + 1 + {$random} % (LEVELS - LEVEL + (LEVEL == LEVELS));
      else word[4*LEVELS+:H] = LEVEL;
      if (word[2*(LEVEL-1)+:2] == p) word[2*(LEVEL-1)] = ~word[2*(LEVEL-1)];
    end
  endtask

  task cycle;
    begin
      valid = {6*VCS{1'b0}};
      for (p = 0; p < PORTS; p = p + 1) begin
        v = {$random} % VCS;
        if (!rst && room_a[VCS*p+v] && {$random} % 4 != 0) begin
          word = {$random, $random};
          some = left[VCS*p+v];
          if (some == 0) new_head;
          else left[VCS*p+v] = some - 1;
          valid[VCS*p+v] = 1'b1;
          flit[W*p+:W] = {some == 0, left[VCS*p+v] == 0, word};
        end
      end
      room = {$random} | {$random};
      #1;
      if (!rst) begin
        checks = checks + 1;
        for (o = 0; o < PORTS; o = o + 1) begin
          moved = moved + (valid_a[VCS*o+:VCS] != 0);
          if (valid_a[VCS*o+:VCS] !== valid_b[VCS*o+:VCS] || room_a[VCS*o+:VCS] !== room_b[VCS*o+:VCS] ||
              flit_a[W*o+:W] !== flit_b[W*o+:W]) begin
            fails = fails + 1;
            if (fails <= 2)
              $display("FAIL tb_levels: V = %0d, q = %0d, path %0d, scan %0d, level %0d of %0d, cycle %0d, port %0d: fast %b %h, reference %b %h",
                       VCS, DEPTH, PATH, SCAN, LEVEL, LEVELS, t, o, valid_a[VCS*o+:VCS], flit_a[W*o+:W],
                       valid_b[VCS*o+:VCS], flit_b[W*o+:W]);
          end
        end
      end
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
  endtask

  task all;
    begin
      for (t = 0; t < 24; t = t + 1) left[t] = 2'd0;
      for (t = 0; t < 64; t = t + 1) begin
        cycle;
        rst = t < 1;
      end
      if (moved < 40) begin
        fails = fails + 1;
        $display("FAIL tb_levels: level %0d of %0d: %0d flits in all", LEVEL, LEVELS, moved);
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
  parameter integer RADIX    = 16        // the largest
);
  localparam integer PARTS = 5 * ROUTES * (ROUTES + 1) + 2 * SWITCHES + 8 * (RADIX - 1);
  integer checks = 0;
  integer fails  = 0;
  integer parts  = 0;
  localparam [39:0] LEVEL  = 40'h4123456789;
  localparam [39:0] LEVELS = 40'h6567a8a9aa;
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
      levels_switch #(.PATH(`FATFLY_FP), .SCAN(`FATFLY_FF), .LEVEL(L), .LEVELS(N)) one ();
      levels_switch #(.VCS(2), .DEPTH(3), .PATH(`FATFLY_FP), .SCAN(`FATFLY_FF), .LEVEL(L), .LEVELS(N)) ring ();
      initial begin
        #(2000 * (n + 1));
        one.all;
        ring.all;
        checks = checks + one.checks + ring.checks;
        fails  = fails + one.fails + ring.fails;
        parts  = parts + 2;
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
