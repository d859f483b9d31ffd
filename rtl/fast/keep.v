// SPDX-License-Identifier: Apache-2.0
// keep.v - a register bit that waits for its port's grant, the latest signal of a cycle.
// No C twin: it is a register of port.c.
//
// The grant passes one gate and no clock enable, which would cost as much as two gates.
`default_nettype none

module keep #(
  parameter [15:0] TABLE = 16'haaaa    // bit_o of the next cycle, of {any_i, a_i, b_i, bit_o} (gate.v)
) (
  input  wire clk_i,
  input  wire rst_i,                   // synchronous, active high
  input  wire any_i,                   // the flit on offer leaves
  input  wire a_i,
  input  wire b_i,
  output wire bit_o
);
  wire next;
  reg  bit_q;
  gate #(.TABLE(TABLE)) u_next (.in_i({any_i, a_i, b_i, bit_q}), .out_o(next));
  always @(posedge clk_i)
    if (rst_i) bit_q <= 1'b0;
    else       bit_q <= next;
  assign bit_o = bit_q;
endmodule
`default_nettype wire
