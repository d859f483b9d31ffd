// SPDX-License-Identifier: Apache-2.0
// switch_formal.v - the reference switch with its properties, under any seed, resets, far ends and worms.
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module switch_formal #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input wire                    clk_i,
  input wire                    rst_i,
  input wire [31:0]             seed_i,
  input wire [6*VCS-1:0]        in_valid_i,
  input wire [6*(FLIT_W+2)-1:0] in_flit_i,
  input wire [6*VCS-1:0]        out_room_i
);
  wire [6*VCS-1:0]        in_room;
  wire [6*VCS-1:0]        out_valid;
  wire [6*(FLIT_W+2)-1:0] out_flit;
  wire [PROBE_W-1:0]      probe;
  wire [5:0]              ok;
  wire [14:0]             bad;
  wire [44:0]             covers;
  reg                     run_q;       // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PROBE(1), .IMPL(`FATFLY_REF)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
    .in_room_o(in_room), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room_i),
    .probe_o(probe)
  );
  switch_props #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
    .in_room_i(in_room), .out_valid_i(out_valid), .out_flit_i(out_flit), .out_room_i(out_room_i),
    .probe_i(probe), .came_o(), .busy_o(), .left_o(), .some_o(), .head_o(), .load_o(), .ok_o(ok), .live_o(), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(15), .COVER(45)) u_check (
    .ok_i(&ok & (run_q | rst_i)), .bad_i(bad), .cover_i(covers)
  );
endmodule
`default_nettype wire
