// SPDX-License-Identifier: Apache-2.0
// wait_formal.v - scan.v and arbiter.v in a loop, any rows that port.v gives, any random bytes.
`default_nettype none
`include "flit.vh"

module wait_formal #(
  parameter integer PATH = `FATFLY_RP,
  parameter integer SCAN = `FATFLY_RR,
  parameter integer ROOT = 0
) (
  input wire        clk_i,
  input wire        rst_i,
  input wire [35:0] req_i,
  input wire [3:0]  pref_i,
  input wire [7:0]  rand_i,
  input wire [11:0] height_i,
  input wire [5:0]  fresh_i,
  input wire [5:0]  tail_i
);
  localparam integer ORDERS = (SCAN == `FATFLY_ROT) ? 6 : 1;
  localparam integer PORTS  = (ROOT != 0) ? 4 : 6;
  /* verilator lint_off UNDRIVEN */    // the proof tools choose them
  (* anyconst *) wire [2:0] in;
  (* anyconst *) wire [2:0] out;
  (* anyconst *) wire [2:0] rival;
  /* verilator lint_on UNDRIVEN */
  wire [35:0]          gnt;
  wire [15*ORDERS-1:0] before_bits;
  wire                 ok;
  wire [5:0]           bad;
  wire [1:0]           covers;
  wire [32*(1+((SCAN==`FATFLY_FCFS)?1:0))-1:0] probe;

  // Rows: one output, or both parents.
  reg     rows;
  integer i;
  always @* begin
    rows = 1'b1;
    for (i = 0; i < 6; i = i + 1)
      if (|(req_i[6*i+:6] & (req_i[6*i+:6] - 6'd1)) &&
          !(PATH >= `FATFLY_GP && i < 4 && req_i[6*i+:6] == 6'h30)) rows = 1'b0;
  end

  scan #(.VCS(1), .SCAN(SCAN), .PORTS(PORTS), .HEIGHT_W(2), .ORDERS(ORDERS)) u_scan (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt), .height_i(height_i),
    .fresh_i(fresh_i), .offer_i(6'h3f), .before_o(before_bits), .probe_o(probe)
  );
  arbiter #(.PATH(PATH), .ROOT(ROOT), .ORDERS(ORDERS)) u_arbiter (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_bits), .gnt_o(gnt)
  );
  wait_props #(.PATH(PATH), .SCAN(SCAN), .ROOT(ROOT)) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .in_i(in), .out_i(out), .rival_i(rival), .req_i(req_i),
    .gnt_i(gnt), .fresh_i(fresh_i), .tail_i(tail_i), .rand_i(rand_i), .height_i(height_i),
    .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(6), .COVER(2)) u_check (.ok_i(ok & rows), .bad_i(bad), .cover_i(covers));
  wire unused = &{1'b0, probe, 1'b0};
endmodule
`default_nettype wire
