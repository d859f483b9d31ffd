// SPDX-License-Identifier: Apache-2.0
// tb_fast.v - the fast switch beside the reference, both as users build them, without a probe: random worms, the same outputs
// in every cycle.
//
// Every path selection with every scan at a leaf, in the middle and at a root with one channel of two flits; with two channels
// and with other queues every path selection with every scan; four channels.  Numbers of levels, widths and depths go round,
// so that each kind of port meets many of them.  The proofs of make formal are of few levels and widths, and show a probe.
`default_nettype none
`include "flit.vh"

module fast_pair #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 64,
  parameter integer PATH   = 0,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3
);
  localparam integer W     = FLIT_W + 2;
  localparam integer H     = $clog2(LEVELS + 1);
  localparam integer PORTS = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer TIME  = 48;
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [6*VCS-1:0] valid = {6*VCS{1'b0}};
  reg  [6*W-1:0]   flit  = {6*W{1'b0}};
  reg  [6*VCS-1:0] room;
  wire [6*VCS-1:0] room_a, room_b, valid_a, valid_b;
  wire [6*W-1:0]   flit_a, flit_b;
  reg  [2:0]       left [0:23];          // flits of its worm that are still to come
  reg  [63:0]      word;
  integer          checks = 0;
  integer          fails  = 0;
  integer          moved  = 0;
  integer          t, p, v, some;

  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .IMPL(`FATFLY_FAST)
  ) fast (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd77), .in_valid_i(valid), .in_flit_i(flit), .in_room_o(room_a),
    .out_valid_o(valid_a), .out_flit_o(flit_a), .out_room_i(room), .probe_o()
  );
  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .IMPL(`FATFLY_REF)
  ) reference (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd77), .in_valid_i(valid), .in_flit_i(flit), .in_room_o(room_b),
    .out_valid_o(valid_b), .out_flit_o(flit_b), .out_room_i(room), .probe_o()
  );

  // A worm that may come in by this port: up, or down to another child; of any height that can be.
  task new_head;
    begin
      left[VCS*p+v] = {$random} % 5;
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
        flit[W*p+:W] = {$random, $random, $random};     // what is not valid must not be read
        if (!rst && room_b[VCS*p+v] && {$random} % 8 != 0) begin
          word = {$random, $random};
          some = left[VCS*p+v];
          if (some == 0) new_head;
          else left[VCS*p+v] = some - 1;
          valid[VCS*p+v] = 1'b1;
          flit[W*p+:W] = {some == 0, left[VCS*p+v] == 0, word[FLIT_W-1:0]};
        end
      end
      room = {$random} | {$random};
      if (t % 32 > 23) room = room & $random;           // few places, so that queues fill
      #1;
      if (!rst) begin
        checks = checks + 1;
        for (p = 0; p < PORTS; p = p + 1) moved = moved + (valid_b[VCS*p+:VCS] != 0);
        if ({valid_a, room_a, flit_a} !== {valid_b, room_b, flit_b}) begin
          fails = fails + 1;
          if (fails == 1)
            $display("FAIL tb_fast: V = %0d, q = %0d, %0d bits, path %0d, scan %0d, level %0d of %0d, cycle %0d: fast %b %b %h, reference %b %b %h",
                     VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS, t, valid_a, room_a, flit_a, valid_b, room_b, flit_b);
        end
      end
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
  endtask

  // A reset in mid-traffic, too.
  task all;
    begin
      for (t = 0; t < TIME && fails == 0; t = t + 1) begin
        if (t == 0 || t == TIME / 2) for (p = 0; p < 24; p = p + 1) left[p] = 3'd0;
        rst = t == 0 || t == TIME / 2;
        cycle;
      end
      if (fails == 0 && moved < TIME / 2) begin
        fails = 1;
        $display("FAIL tb_fast: V = %0d, q = %0d, path %0d, scan %0d, level %0d of %0d: %0d flits in all", VCS, DEPTH, PATH, SCAN,
                 LEVEL, LEVELS, moved);
      end
    end
  endtask
endmodule

module tb_fast #(
  parameter integer FROM = 0,            // rows; test_fast.sh runs all 114, a few at once, as Icarus takes its time for many
  parameter integer ROWS = 4
);
  integer checks = 0;
  integer fails  = 0;
  integer parts  = 0;
  genvar n;
  generate
    for (n = FROM; n < FROM + ROWS; n = n + 1) begin : g_row
      // Rows 0 to 59: one channel of two flits.  60 to 68: RP with RR, FO, ROT and two channels of two flits.  69 to 109: one or
      // two channels, any queue.  110 to 113: four.
      localparam integer M     = (n < 60) ? n : (n < 69) ? n - 60 : n - 69;
      localparam integer V     = (n < 60) ? 1 : (n < 69) ? 2 : (n > 109) ? 4 : (M > 19 && M < 30) ? 1 : 2;
      localparam integer PATH  = (n < 60 || (n > 68 && n < 110)) ? M % 4 : `FATFLY_RP;
      localparam integer SCAN  = (n < 60 || (n > 68 && M < 20)) ? M / 4 % 5 : (n > 68 && n < 110) ? (2 * M + M / 4) % 5 : (n < 69) ? ((M % 3 == 2) ? `FATFLY_ROT : M % 3) : `FATFLY_RR;
      localparam integer PLACE = (n < 60) ? M / 20 : (n < 69) ? M / 3 : (M % 4 + M / 4 * 2 + M / 20 + 1) % 3;
      localparam integer Q     = (n < 69 || n > 110 || (M > 29 && n < 110)) ? 2 : 1 + (5 * n + n / 16) % 16;
      localparam integer N     = (PLACE == 2) ? 1 + (7 * n + n / 10) % 10 : (PLACE == 0) ? 2 + (7 * n + n / 9) % 9 : 3 + (5 * n + n / 8) % 8;
      localparam integer L     = (PLACE == 2) ? N : (PLACE == 0) ? 1 : 2 + (3 * n) % (N - 2);
      localparam integer HEAD  = 4 * N + $clog2(N + 1) + ((PATH == `FATFLY_FP) ? N - 1 : 0);
      localparam integer LEAST = (HEAD < 16) ? 16 : HEAD;
      localparam integer BITS  = LEAST + (11 * n) % (65 - LEAST);
      fast_pair #(.VCS(V), .DEPTH(Q), .FLIT_W(BITS), .PATH(PATH), .SCAN(SCAN), .LEVEL(L), .LEVELS(N)) b ();
      initial begin
        #(1000 * (n - FROM));
        b.all;
        checks = checks + b.checks;
        fails  = fails + b.fails;
        parts  = parts + 1;
      end
    end
  endgenerate

  initial begin
    #(1000 * (ROWS + 1));
    if (fails == 0 && parts == ROWS)
      $display("PASS tb_fast: %0d checks", checks);
    else $display("FAIL tb_fast: %0d checks, %0d failed, %0d rows of %0d", checks, fails, parts, ROWS);
    $finish;
  end
endmodule
`default_nettype wire
