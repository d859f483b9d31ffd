// SPDX-License-Identifier: Apache-2.0
// lfsr_formal.v - lfsr.v with its properties, under any seed and any resets.
`default_nettype none

module lfsr_formal (
  input wire        clk_i,
  input wire        rst_i,
  input wire [31:0] seed_i
);
  wire [31:0] state;
  wire [15:0] next;
  wire [3:0]  bad;
  wire [1:0]  covers;

  lfsr dut (.clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .state_o(state), .next_o(next));
  lfsr_props u_props (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .state_o(state), .next_o(next),
    .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(4), .COVER(2)) u_check (.ok_i(1'b1), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
