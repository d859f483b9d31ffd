// SPDX-License-Identifier: Apache-2.0
// scan_formal.v - scan.v with its properties, under any grants, heights, heads, offers and resets.
`default_nettype none
`include "flit.vh"

module scan_formal #(
  parameter integer VCS      = 1,
  parameter integer SCAN     = `FATFLY_RR,
  parameter integer PORTS    = 6,
  parameter integer HEIGHT_W = 2,
  parameter integer ORDERS   = 6
) (
  input wire                  clk_i,
  input wire                  rst_i,
  input wire [7:0]            rand_i,
  input wire [35:0]           gnt_i,
  input wire [6*HEIGHT_W-1:0] height_i,
  input wire [6*VCS-1:0]      fresh_i,
  input wire [6*VCS-1:0]      offer_i,
  input wire                  mark_i,
  input wire [4:0]            chan_i
);
  wire [15*ORDERS-1:0] before_bits;
  wire [32*(1+((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0))-1:0] probe;
  wire                 ok;
  wire [7:0]           bad;
  wire [2:0]           covers;
  wire [6*VCS-1:0]     offer = (VCS == 1) ? {6*VCS{1'b1}} : offer_i;  // as port.v does

  scan #(
    .VCS(VCS), .SCAN(SCAN), .PORTS(PORTS), .HEIGHT_W(HEIGHT_W), .ORDERS(ORDERS), .PROBE(1)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height_i),
    .fresh_i(fresh_i), .offer_i(offer), .before_o(before_bits), .probe_o(probe)
  );
  scan_props #(
    .VCS(VCS), .SCAN(SCAN), .PORTS(PORTS), .HEIGHT_W(HEIGHT_W), .ORDERS(ORDERS)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height_i),
    .fresh_i(fresh_i), .offer_i(offer), .before_o(before_bits), .probe_o(probe), .mark_i(mark_i),
    .chan_i(chan_i), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(8), .COVER(3)) u_check (.ok_i(ok), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
