// SPDX-License-Identifier: Apache-2.0
// check.v - hands a top's properties to the proof tools; scripts/formal/formal.py sets the macros.
//
// FORMAL_BITS: the bits of bad_i that are asserted, all but for a planted bug's.  FORMAL_REACH:
// each cover is asserted to stay low, so that a model checker that knows no covers can break it.
`default_nettype none
`ifndef FORMAL_BITS
`define FORMAL_BITS ~64'd0
`endif

module check #(
  parameter integer BAD   = 1,         // properties, up to 64
  parameter integer COVER = 1          // covers
) (
  input  wire             ok_i,        // the environment keeps its word
  input  wire [BAD-1:0]   bad_i,       // high: a property is broken
  input  wire [COVER-1:0] cover_i      // high: something that should be possible is there
);
  localparam [63:0] BITS = `FORMAL_BITS;
  wire broken = |(bad_i & BITS[BAD-1:0]);
`ifdef FORMAL
  always @* assume (ok_i);
  genvar k;
  generate
    for (k = 0; k < COVER; k = k + 1) begin : g_cover
`ifdef FORMAL_REACH
      always @* assert (!cover_i[k]);
`else
      always @* cover (cover_i[k]);
`endif
    end
`ifndef FORMAL_REACH
    always @* assert (!broken);
`endif
  endgenerate
`else
  wire unused = &{1'b0, ok_i, broken, cover_i, 1'b0};
`endif
endmodule
`default_nettype wire
