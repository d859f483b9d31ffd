// SPDX-License-Identifier: Apache-2.0
// selftest_code.v - the check code of a flit, eight bits.
//
// A Hamming code shortened from x^8 + x^4 + x^3 + x^2 + 1, a primitive polynomial: data bit i has
// the column x^(8+i), a bit of the code x^0 .. x^7.  All columns differ up to 247 data bits, so one
// wrong bit, two wrong bits and any two bits that changed places are seen.
`default_nettype none

module selftest_code #(
  parameter integer WIDTH = 26         // data bits, 1 to 247
) (
  input  wire [WIDTH-1:0] data_i,
  output wire [7:0]       code_o
);
  // Which data bits bit `row` of the code is the parity of.
  function [WIDTH-1:0] mask(input [2:0] row);
    integer k;
    reg [7:0] power;
    begin
      power = 8'h1d;                   // x^8
      for (k = 0; k < WIDTH; k = k + 1) begin
        mask[k] = power[row];
        power   = {power[6:0], 1'b0} ^ (power[7] ? 8'h1d : 8'h00);
      end
    end
  endfunction

  genvar r;
  generate
    for (r = 0; r < 8; r = r + 1) begin : g_row
      localparam [WIDTH-1:0] MASK = mask(r);
      assign code_o[r] = ^(data_i & MASK);
    end
  endgenerate
endmodule
`default_nettype wire
