// SPDX-License-Identifier: Apache-2.0
// scan_top.v - top for tb/arbiter/arbiter_all.cpp: every scan side by side on the same inputs.
`default_nettype none
`include "flit.vh"

module scan_top (
  input  wire        clk_i,
  input  wire        rst_i,            // synchronous, active high
  input  wire [7:0]  rand_i,
  input  wire [35:0] gnt_i,
  input  wire [23:0] height_i,         // four bits a port; ff2_o reads the lower two of each
  input  wire [5:0]  fresh1_i,         // of one channel a port, then of two, then of four
  input  wire [11:0] fresh2_i,
  input  wire [11:0] offer2_i,
  input  wire [23:0] fresh4_i,
  input  wire [23:0] offer4_i,
  output wire [89:0] rr_o,
  output wire [89:0] rr_root_o,        // four ports
  output wire [89:0] fo_o,
  output wire [89:0] ff2_o,            // heights of two bits: three levels
  output wire [89:0] ff4_o,            // heights of four bits: eight levels or more
  output wire [89:0] rot_o,
  output wire [89:0] fcfs1_o,
  output wire [89:0] fcfs2_o,
  output wire [89:0] fcfs4_o
);
  wire [11:0] height2 = {height_i[21:20], height_i[17:16], height_i[13:12], height_i[9:8],
                         height_i[5:4], height_i[1:0]};
  // All but ROT have one order that the six outputs share, as in switch.v.
  wire [14:0] rr;
  wire [14:0] rr_root;
  wire [14:0] fo;
  wire [14:0] ff2;
  wire [14:0] ff4;
  wire [14:0] fcfs1;
  wire [14:0] fcfs2;
  wire [14:0] fcfs4;

  wire [31:0]  rr_probe;
  wire [31:0]  rr_root_probe;
  wire [31:0]  fo_probe;
  wire [31:0]  ff2_probe;
  wire [31:0]  ff4_probe;
  wire [31:0]  rot_probe;
  wire [63:0]  fcfs1_probe;
  wire [127:0] fcfs2_probe;
  wire [319:0] fcfs4_probe;

  scan #(.SCAN(`FATFLY_RR), .ORDERS(1)) u_rr (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(rr), .probe_o(rr_probe)
  );
  scan #(.SCAN(`FATFLY_RR), .PORTS(4), .ORDERS(1)) u_rr_root (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(rr_root), .probe_o(rr_root_probe)
  );
  scan #(.SCAN(`FATFLY_FO), .ORDERS(1)) u_fo (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(fo), .probe_o(fo_probe)
  );
  scan #(.SCAN(`FATFLY_FF), .ORDERS(1)) u_ff2 (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(ff2), .probe_o(ff2_probe)
  );
  scan #(.SCAN(`FATFLY_FF), .HEIGHT_W(4), .ORDERS(1)) u_ff4 (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height_i),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(ff4), .probe_o(ff4_probe)
  );
  scan #(.SCAN(`FATFLY_ROT)) u_rot (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(rot_o), .probe_o(rot_probe)
  );
  scan #(.SCAN(`FATFLY_FCFS), .ORDERS(1)) u_fcfs1 (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh1_i), .offer_i(6'h3f), .before_o(fcfs1), .probe_o(fcfs1_probe)
  );
  scan #(.SCAN(`FATFLY_FCFS), .VCS(2), .ORDERS(1)) u_fcfs2 (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh2_i), .offer_i(offer2_i), .before_o(fcfs2), .probe_o(fcfs2_probe)
  );
  scan #(.SCAN(`FATFLY_FCFS), .VCS(4), .ORDERS(1)) u_fcfs4 (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(rand_i), .gnt_i(gnt_i), .height_i(height2),
    .fresh_i(fresh4_i), .offer_i(offer4_i), .before_o(fcfs4), .probe_o(fcfs4_probe)
  );

  assign rr_o = {6{rr}};
  assign rr_root_o = {6{rr_root}};
  assign fo_o = {6{fo}};
  assign ff2_o = {6{ff2}};
  assign ff4_o = {6{ff4}};
  assign fcfs1_o = {6{fcfs1}};
  assign fcfs2_o = {6{fcfs2}};
  assign fcfs4_o = {6{fcfs4}};

  wire unused = &{1'b0, rr_probe, rr_root_probe, fo_probe, ff2_probe, ff4_probe, rot_probe, fcfs1_probe,
                  fcfs2_probe, fcfs4_probe, 1'b0};
endmodule
`default_nettype wire
