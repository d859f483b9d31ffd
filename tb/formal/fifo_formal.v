// SPDX-License-Identifier: Apache-2.0
// fifo_formal.v - fifo.v with its properties, under any pushes, pops and resets that it allows.
`default_nettype none

module fifo_formal #(
  parameter integer WIDTH = 2,
  parameter integer DEPTH = 2
) (
  input wire             clk_i,
  input wire             rst_i,
  input wire             push_i,
  input wire [WIDTH-1:0] data_i,
  input wire             pop_i,
  input wire             mark_i
);
  wire [WIDTH-1:0] data;
  wire             valid, room, fresh, ok;
  wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe;
  wire [6:0]       bad;
  wire [4:0]       covers;

  fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PROBE(1)) dut (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .pop_i(pop_i), .data_o(data),
    .valid_o(valid), .room_o(room), .fresh_o(fresh), .probe_o(probe)
  );
  fifo_props #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .pop_i(pop_i), .data_o(data),
    .valid_o(valid), .room_o(room), .fresh_o(fresh), .probe_o(probe),
    .mark_i(mark_i), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(7), .COVER(5)) u_check (.ok_i(ok), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
