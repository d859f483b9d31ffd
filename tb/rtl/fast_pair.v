// SPDX-License-Identifier: Apache-2.0
// fast_pair.v - a fast switch beside the reference, both as users build them, without a probe: random worms, with data that is
// often all zeros, all ones or that of the flit before, the same outputs in every cycle, those of a reset among them.
// tb_fast.v and tb_levels.v say which.
`default_nettype none
`include "flit.vh"

module fast_pair #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 64,
  parameter integer PATH   = 0,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer TIME   = 48,         // cycles
  parameter         BENCH  = "tb_fast"   // what messages call it
);
  localparam integer W     = FLIT_W + 2;
  localparam integer H     = $clog2(LEVELS + 1);
  localparam integer PORTS = (LEVEL == LEVELS) ? 4 : 6;
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [6*VCS-1:0] valid = {6*VCS{1'b0}};
  reg  [6*W-1:0]   flit  = {6*W{1'b0}};
  reg  [6*VCS-1:0] room;
  wire [6*VCS-1:0] room_a, room_b, valid_a, valid_b;
  wire [6*W-1:0]   flit_a, flit_b;
  reg  [2:0]       left [0:23];          // flits of its worm that are still to come
  reg  [63:0]      last [0:5];           // payload of the flit before
  reg  [63:0]      word;
  reg              still = 1'b0;         // the neighbours send nothing
  reg              light = 1'b0;         // ... or the rest of their worms, so that queues are empty
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
        if (!still && room_b[VCS*p+v] === 1'b1 && (!light || left[VCS*p+v] != 0) && {$random} % 8 != 0) begin
          case ({$random} % 4)           // data that a switch must not read
            0: word = 64'd0;
            1: word = ~64'd0;
            2: word = last[p];
            default: word = {$random, $random};
          endcase
          some = left[VCS*p+v];
          if (some == 0) new_head;
          else left[VCS*p+v] = some - 1;
          last[p] = word;
          valid[VCS*p+v] = 1'b1;
          flit[W*p+:W] = {some == 0, left[VCS*p+v] == 0, word[FLIT_W-1:0]};
        end
      end
      room = {$random} | {$random};
      if (light) room = ~0;
      else if (t % 32 > 23) room = room & $random;      // few places, so that queues fill
      #1;
      if (t != 0) begin
        checks = checks + 1;
        for (p = 0; p < PORTS; p = p + 1) moved = moved + (valid_b[VCS*p+:VCS] != 0);
        if ({valid_a, room_a, flit_a} !== {valid_b, room_b, flit_b}) begin
          fails = fails + 1;
          if (fails == 1)
            $display("FAIL %0s: V = %0d, q = %0d, %0d bits, path %0d, scan %0d, level %0d of %0d, cycle %0d: fast %b %b %h, reference %b %b %h",
                     BENCH, VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS, t, valid_a, room_a, flit_a, valid_b, room_b, flit_b);
        end
      end
      #1 clk = 1'b1;
      #1 clk = 1'b0;
    end
  endtask

  // Resets in mid-traffic, too, of one cycle and of two.  Flits enter in the first: the neighbours are reset in the same cycle,
  // so they are still from the next one on.
  task all;
    begin
      for (p = 0; p < 6; p = p + 1) last[p] = 64'd0;
      for (t = 0; t < TIME && fails == 0; t = t + 1) begin
        still = t == 0 || t == TIME / 2 + 11;
        light = t > TIME / 2 - 8 && t < TIME / 2;
        rst = still || t == TIME / 2 || t == TIME / 2 + 10 || t == TIME / 2 + 18;
        cycle;
        if (rst) for (p = 0; p < 24; p = p + 1) left[p] = 3'd0;
      end
      if (fails == 0 && moved < TIME / 2) begin
        fails = 1;
        $display("FAIL %0s: V = %0d, q = %0d, path %0d, scan %0d, level %0d of %0d: %0d flits in all", BENCH, VCS, DEPTH, PATH,
                 SCAN, LEVEL, LEVELS, moved);
      end
    end
  endtask
endmodule
`default_nettype wire
