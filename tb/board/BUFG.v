// SPDX-License-Identifier: Apache-2.0
// BUFG.v - Xilinx's clock buffer, for lint.
`default_nettype none

module BUFG (
  input  wire I,
  output wire O
);
  assign O = I;
endmodule
`default_nettype wire
