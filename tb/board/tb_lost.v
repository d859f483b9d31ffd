// SPDX-License-Identifier: Apache-2.0
// tb_lost.v - whichever flit of a round does not leave the switch, alone or with all after it, the self-test tells it, and
// the round does not pass.
//
// A run for each flit, all after it or not, from reset to the error or the end of PATIENCE cycles; where all after it are lost,
// too, the error must be {stuck or lost} alone.  The last run of each loses nothing.  Far ends always have room, so that rounds
// are short.  Ends with one line: `PASS`, or `FAIL` and which.
`default_nettype none
`include "flit.vh"

module tb_lost #(
  parameter integer PATIENCE = 100
);
  reg         clk = 1'b0;
  reg         rst = 1'b1;
  reg         all = 1'b1;              // lost after the first
  wire [31:0] rounds;
  wire [3:0]  errors;
  integer     first = 0;               // flit that is lost
  integer     left = 0;                // flits that have left, or should have
  integer     cycle, runs = 0;
  wire        begun = left > first;

  selftest #(.DEPTH(1), .LEVELS(1), .WORMS(1), .WATCH(4)) u_selftest (
    .clk_i(clk), .rst_i(rst), .rounds_o(rounds), .errors_o(errors)
  );
  always #5 clk = ~clk;

  initial begin
    force u_selftest.room_q = 6'h3f;
    while (runs < 2) begin
      rst = 1'b1;
      repeat (2) @(negedge clk);
      rst = 1'b0;
      for (cycle = 0; cycle < PATIENCE && errors == 4'd0 && (begun || rounds == 0); cycle = cycle + 1) @(negedge clk);
      if (begun ? errors == 4'd0 || rounds != 0 || (all && errors != 4'b1000) : errors != 4'd0 || rounds != 1 || first < 4) begin
        $display("FAIL flit %0d%0s: errors %b, rounds %0d", first, all ? " and all after it" : "", errors, rounds);
        $finish;
      end
      first = begun ? first + 1 : 0;
      if (first == 0) begin
        all  = 1'b0;
        runs = runs + 1;
      end
    end
    $display("PASS");
    $finish;
  end
endmodule

// In place of rtl/switch.v.
module switch #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire [31:0]          seed_i,
  input  wire [5:0]           in_valid_i,
  input  wire [6*FLIT_W+11:0] in_flit_i,
  output wire [5:0]           in_room_o,
  output wire [5:0]           out_valid_o,
  output wire [6*FLIT_W+11:0] out_flit_o,
  input  wire [5:0]           out_room_i,
  output wire                 probe_o
);
  wire [5:0] leaves;
  reg  [5:0] lost;
  integer    left, c;

  switch_fast #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS)
  ) u_switch (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i), .in_room_o(in_room_o),
    .out_valid_o(leaves), .out_flit_o(out_flit_o), .out_room_i(out_room_i), .probe_o()
  );
  always @* begin
    lost = 6'd0;
    left = tb_lost.left;
    for (c = 0; c < 6; c = c + 1)
      if (leaves[c]) begin
        lost[c] = left == tb_lost.first || (left > tb_lost.first && tb_lost.all);
        left    = left + 1;
      end
  end
  always @(posedge clk_i) tb_lost.left <= rst_i ? 0 : left;
  assign out_valid_o = leaves & ~lost;
  assign probe_o     = 1'b0;
endmodule
`default_nettype wire
