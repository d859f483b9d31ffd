// SPDX-License-Identifier: Apache-2.0
// fifo_any.v - in place of fifo.v and fifo_fast.v: queues of which anything may come to the front at any time.
//
// For equal_formal.v with ANY.  DEPTH is 3, for the probe: places 1 and 2 show what comes next, and whether it
// does; both switches are told the same.  What enters is not read.
`default_nettype none

module fifo #(
  parameter integer WIDTH = 34,
  parameter integer DEPTH = 3,
  parameter integer PROBE = 1
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             push_i,
  input  wire [WIDTH-1:0] data_i,
  input  wire             pop_i,
  output wire [WIDTH-1:0] data_o,
  output wire             valid_o,
  output wire             room_o,
  output wire             fresh_o,
  output wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe_o
);
  localparam integer SLOT_W = ((WIDTH + 31) / 32) * 32;
  (* anyseq *) reg [WIDTH-1:0] next;
  (* anyseq *) reg             more;
  queue_any #(.WIDTH(WIDTH)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(more), .next_i(next), .pop_i(pop_i), .data_o(data_o),
    .valid_o(valid_o), .fresh_o(fresh_o)
  );
  assign room_o  = 1'b1;
  assign probe_o = {{(SLOT_W - 1) {1'b0}}, more, {(SLOT_W - WIDTH) {1'b0}}, next,
                    {(SLOT_W - WIDTH) {1'b0}}, data_o & {WIDTH{valid_o}}, 18'd0, fresh_o, 12'd0, valid_o};
  wire unused = &{1'b0, push_i, data_i, 1'b0};
endmodule

module fifo_fast #(
  parameter integer WIDTH = 34,
  parameter integer DEPTH = 3,
  parameter integer PROBE = 1
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             push_i,
  input  wire [WIDTH-1:0] data_i,
  input  wire             pop_i,
  output wire [WIDTH-1:0] data_o,
  output wire             valid_o,
  output wire             room_o,
  output wire             fresh_o,
  output wire [WIDTH-1:0] next_o,
  output wire             more_o,
  output wire             turn_o,
  output wire             to_o,
  output wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe_o
);
  localparam integer SLOT_W = ((WIDTH + 31) / 32) * 32;
  fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PROBE(PROBE)) u_any (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .pop_i(pop_i), .data_o(data_o),
    .valid_o(valid_o), .room_o(room_o), .fresh_o(fresh_o), .probe_o(probe_o)
  );
  assign next_o = probe_o[32+SLOT_W+:WIDTH];
  assign more_o = probe_o[32+2*SLOT_W];
  assign turn_o = 1'b0;
  assign to_o   = 1'b0;
endmodule
`default_nettype wire
