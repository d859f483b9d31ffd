// SPDX-License-Identifier: Apache-2.0
// lfsr_props.v - what must hold of lfsr.v, for proof and simulation.
//
// next: one step at a time, as the recurrence is written.  That 16 steps of a primitive recurrence
// have the period 2^32 - 1 is algebra: tb/unit/test_lfsr.c computes it.
`default_nettype none

module lfsr_props (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire [31:0] seed_i,
  input  wire [31:0] state_o,
  input  wire [15:0] next_o,
  // bad[0]: the state is zero after a reset
  // bad[1]: after a reset the state is not the seed, or 1 for seed 0
  // bad[2]: the state is not 16 single steps after the last one
  // bad[3]: next_o is not what state_o[31:16] is in the next cycle
  output wire [3:0]  bad_o,
  // cover[0]: sixteen equal bits
  // cover[1]: seed 0
  output wire [1:0]  cover_o
);
  reg        seen_q = 1'b0;            // there was a reset
  reg        was_rst_q;
  reg [31:0] seed_q, state_q;
  reg [15:0] next_q;
  always @(posedge clk_i) begin
    seen_q    <= seen_q | rst_i;
    was_rst_q <= rst_i;
    seed_q    <= seed_i;
    state_q   <= state_o;
    next_q    <= next_o;
  end

  reg [31:0] want;
  integer k;
  always @* begin
    want = state_q;
    for (k = 0; k < 16; k = k + 1)
      want = {want[0] ^ want[2] ^ want[6] ^ want[7], want[31:1]};
  end

  assign bad_o[0] = seen_q & state_o == 32'd0;
  assign bad_o[1] = seen_q & was_rst_q & state_o != (seed_q == 32'd0 ? 32'd1 : seed_q);
  assign bad_o[2] = seen_q & ~was_rst_q & state_o != want;
  assign bad_o[3] = seen_q & ~was_rst_q & state_o[31:16] != next_q;
  assign cover_o[0] = seen_q & ~was_rst_q & state_o[31:16] == 16'hffff;
  assign cover_o[1] = seen_q & was_rst_q & seed_q == 32'd0;
endmodule
`default_nettype wire
