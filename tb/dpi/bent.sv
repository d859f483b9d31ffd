// SPDX-License-Identifier: Apache-2.0
// bent.sv - between a switch and its checkers: one wire is wrong for some cycles, for one of them alone.
//
// CHECKERK is what test_dpi.sh makes of fatfly_checker: CHECKER0 is as it is, the others have a mistake each.
// +kind=room|valid|flit +bit=N +from=CYCLE +to=CYCLE: that bit is inverted in these cycles, counted from the first reset.
// +who=K: for CHECKERK, which stops at a difference; without it for one that goes on and says at the end how many it saw.
module bent #(
  parameter int VCS    = 1,
  parameter int DEPTH  = 2,
  parameter int FLIT_W = 32,
  parameter int PATH   = 1,
  parameter int SCAN   = 0,
  parameter int LEVEL  = 1,
  parameter int LEVELS = 3
) (
  input logic                    clk_i,
  input logic                    rst_i,
  input logic [31:0]             seed_i,
  input logic [6*VCS-1:0]        in_valid_i,
  input logic [6*(FLIT_W+2)-1:0] in_flit_i,
  input logic [6*VCS-1:0]        in_room_o,
  input logic [6*VCS-1:0]        out_valid_o,
  input logic [6*(FLIT_W+2)-1:0] out_flit_o,
  input logic [6*VCS-1:0]        out_room_i
);
  string                   kind = "";
  int                      who  = -1;
  int                      number = 0;
  int                      from = 0;
  int                      upto = -1;
  int                      cycle; // after the first reset
  bit                      now;
  logic [6*VCS-1:0]        room, valid;
  logic [6*(FLIT_W+2)-1:0] flit;

  initial begin
    void'($value$plusargs("kind=%s", kind));
    void'($value$plusargs("who=%d", who));
    void'($value$plusargs("bit=%d", number));
    void'($value$plusargs("from=%d", from));
    void'($value$plusargs("to=%d", upto));
  end
  always @(posedge clk_i) if (!rst_i) cycle <= cycle + 1;
  always_comb begin
    now = cycle >= from && cycle <= upto;
    room = in_room_o ^ (6*VCS)'(now && kind == "room") << number;
    valid = out_valid_o ^ (6*VCS)'(now && kind == "valid") << number;
    flit = out_flit_o ^ (6*(FLIT_W+2))'(now && kind == "flit") << number;
  end
`define ONE(K) \
  CHECKER``K #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS)) u_checker``K ( \
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i), .out_room_i(out_room_i), \
    .in_room_o(who == K ? room : in_room_o), .out_valid_o(who == K ? valid : out_valid_o), \
    .out_flit_o(who == K ? flit : out_flit_o));
  `ONE(0) `ONE(1) `ONE(2) `ONE(3) `ONE(4) `ONE(5) `ONE(6)
  CHECKER0 #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .STOP(0)) u_counts (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i), .out_room_i(out_room_i),
    .in_room_o(who < 0 ? room : in_room_o), .out_valid_o(who < 0 ? valid : out_valid_o), .out_flit_o(who < 0 ? flit : out_flit_o));
  // And one of another switch, which differs without a wrong wire.
  CHECKER0 #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL + 1), .LEVELS(LEVELS), .STOP(0)) u_level (.*);
  final $display("failed: %0d", u_counts.failed);
endmodule
