// SPDX-License-Identifier: Apache-2.0
// lfsr.v - the random bits of one switch: 16 fresh bits a cycle.  C twin: cmodel/switch/lfsr.h.
//
// s[n] = s[n-32] ^ s[n-30] ^ s[n-26] ^ s[n-25], a primitive recurrence.  No lag is below 16, so
// 16 steps are one row of XORs; 16 and 2^32 - 1 share no factor, so the period stays 2^32 - 1.
// A register that moves one step a cycle would hand port i's bit to port i-1 in the next cycle.
`default_nettype none

module lfsr (
  input  wire        clk_i,
  input  wire        rst_i,            // synchronous, active high
  input  wire [31:0] seed_i,           // state at reset; 0, which would stay 0, becomes 1
  output wire [31:0] state_o,          // bit 0 is the oldest; bits 31..16 are new in this cycle
  output wire [15:0] next_o            // bits 31..16 of the next cycle
);
  reg  [31:0] lfsr_q;
  wire [15:0] fresh = lfsr_q[15:0] ^ lfsr_q[17:2] ^ lfsr_q[21:6] ^ lfsr_q[22:7];

  always @(posedge clk_i)
    if (rst_i) lfsr_q <= (seed_i == 32'd0) ? 32'd1 : seed_i;
    else       lfsr_q <= {fresh, lfsr_q[31:16]};

  assign state_o = lfsr_q;
  assign next_o  = fresh;
endmodule
`default_nettype wire
