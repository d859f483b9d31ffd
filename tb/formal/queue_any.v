// SPDX-License-Identifier: Apache-2.0
// queue_any.v - what a port sees of a queue: its front, and what comes to the front next, told by someone else.
//
// fifo_any_formal.v tells it what fifo_fast.v says of a queue of any depth, and proves that it then shows what
// that queue shows; fifo_any.v tells it anything.
`default_nettype none

module queue_any #(
  parameter integer WIDTH = 34
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             more_i,      // an entry is there or comes that is next
  input  wire [WIDTH-1:0] next_i,      // ... this one
  input  wire             pop_i,
  output wire [WIDTH-1:0] data_o,
  output wire             valid_o,
  output wire             fresh_o
);
  reg [WIDTH-1:0] front_q;
  reg             valid_q;
  reg             fresh_q;
  wire            enters = more_i & (pop_i | ~valid_q);
  always @(posedge clk_i) begin
    if (enters) front_q <= next_i;
    valid_q <= ~rst_i & (enters | (valid_q & ~pop_i));
    fresh_q <= ~rst_i & enters;
  end
  assign data_o  = front_q;
  assign valid_o = valid_q;
  assign fresh_o = fresh_q;
endmodule
`default_nettype wire
