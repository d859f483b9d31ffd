// SPDX-License-Identifier: Apache-2.0
// port_top.v - top for tb/arbiter/arbiter_all.cpp: the input port in every place of a three-level network
// where it masks in a way of its own, side by side on the same inputs.
//
// 0..3: a child port of level 2 under FP, RP, GP, RG.  4: a parent port.  5: a child port of the
// root.  6: a child port of level 1 under FP (another digit, another path bit).
`default_nettype none
`include "flit.vh"

module port_top #(
  parameter integer VCS = 1
) (
  input  wire             clk_i,
  input  wire             rst_i,       // synchronous, active high
  input  wire [VCS-1:0]   valid_i,
  input  wire [17:0]      flit_i,      // FLIT_W = 16: the shortest that a head of FP fits
  input  wire             rand_i,
  input  wire [6*VCS-1:0] room_i,
  input  wire [6*VCS-1:0] free_i,
  input  wire [5:0]       gnt_i,
  input  wire [VCS-1:0]   chan_i,
  output wire [41:0]      req_o,       // bit 6k + o: place k asks for output o
  output wire [7*VCS-1:0] offer_o      // bit VCS*k + v: place k offers channel v
);
  localparam integer PROBE_W = 32 * (2 + VCS * 3);

  genvar k;
  generate
    for (k = 0; k < 7; k = k + 1) begin : g_place
      localparam integer PATH  = (k < 4) ? k : `FATFLY_FP;
      localparam integer LEVEL = (k == 5) ? 3 : (k == 6) ? 1 : 2;
      wire [VCS-1:0]     room;
      wire [17:0]        flit;
      wire [VCS-1:0]     chan;
      wire [1:0]         height;
      wire [VCS-1:0]     fresh;
      wire [PROBE_W-1:0] probe;
      // A place that leads down alone crosses to child 0 where the others cross to a parent.
      wire [5:0] gnt = (k == 4 || k == 5) ? {2'b00, gnt_i[3:1], gnt_i[0] | gnt_i[4] | gnt_i[5]} : gnt_i;
      port #(
        .VCS(VCS), .DEPTH(2), .FLIT_W(16), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(3),
        .PARENT(k == 4 ? 1 : 0)
      ) u_port (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .room_o(room),
        .rand_i(rand_i), .room_i(room_i), .free_i(free_i),
        .req_o(req_o[6*k+:6]), .flit_o(flit), .chan_o(chan), .offer_o(offer_o[VCS*k+:VCS]),
        .height_o(height), .fresh_o(fresh), .gnt_i(gnt), .chan_i(chan_i), .probe_o(probe)
      );
      wire unused = &{1'b0, room, flit, chan, height, fresh, probe, 1'b0};
    end
  endgenerate
endmodule
`default_nettype wire
