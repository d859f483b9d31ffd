// SPDX-License-Identifier: Apache-2.0
// arbiter_core.v - arbiter and scan order of an inner switch with one channel, for synthesis alone.
`default_nettype none
`include "flit.vh"

module arbiter_core #(
  parameter integer PATH = `FATFLY_RP,
  parameter integer SCAN = `FATFLY_RR
) (
  input  wire        clk_i,
  input  wire        rst_i,            // synchronous, active high
  input  wire [35:0] req_i,            // as in rtl/arbiter.v
  input  wire [3:0]  pref_i,           // RG
  input  wire [7:0]  rand_i,           // RR, FF
  input  wire [11:0] height_i,         // FF, two bits a port: three levels
  input  wire [5:0]  fresh_i,          // FCFS
  output wire [35:0] gnt_o
);
  localparam integer ORDERS = (SCAN == `FATFLY_ROT) ? 6 : 1;

  wire [15*ORDERS-1:0] before_bits;
  wire [32*((SCAN == `FATFLY_FCFS) ? 2 : 1)-1:0] probe;
  wire unused = &{1'b0, probe, 1'b0};

  scan_fast #(
    .VCS(1), .SCAN(SCAN), .PORTS(6), .HEIGHT_W(2), .ORDERS(ORDERS)
  ) u_scan (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_o), .height_i(height_i),
    .fresh_i(fresh_i), .offer_i(6'h3f), .before_o(before_bits), .probe_o(probe)
  );

  arbiter #(
    .PATH(PATH), .ROOT(0), .ORDERS(ORDERS)
  ) u_arbiter (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_bits), .gnt_o(gnt_o)
  );
endmodule
`default_nettype wire
