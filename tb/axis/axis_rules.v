// SPDX-License-Identifier: Apache-2.0
// axis_rules.v - what an AXI4-Stream transmitter must keep to; for the bench and for the proof.
//
// TVALID is low after a clock edge in reset.  A beat that waits for TREADY stays as it is.  In
// simulation no control signal is ever unknown, and no other signal of a beat.
`default_nettype none

module axis_rules #(
  parameter integer TDATA_W = 32
) (
  input  wire               aclk,
  input  wire               aresetn,
  input  wire [TDATA_W-1:0] tdata,
  input  wire               tlast,
  input  wire               tvalid,
  input  wire               tready,
  output wire               broken         // in this cycle
);
  reg                     waits_q;         // a beat was there and not taken
  reg                     reset_q;
  reg                     known_q;         // waits_q and reset_q mean something
  reg [TDATA_W:0]         beat_q;
  wire [TDATA_W:0]        beat = {tlast, tdata};

  initial known_q = 1'b0;
  always @(posedge aclk) begin
    known_q <= 1'b1;
    waits_q <= aresetn & tvalid & ~tready;
    reset_q <= ~aresetn;
    beat_q  <= beat;
  end

  wire moved = waits_q & (~tvalid | (beat != beat_q));
  wire early = reset_q & tvalid;
`ifdef FORMAL
  assign broken = known_q & (moved | early);
  always @* assert (~broken);
`else
  wire unknown = (tvalid ^ tready) === 1'bx || (tvalid && ^beat === 1'bx);
  assign broken = known_q & (moved | early | unknown);
`endif
endmodule
`default_nettype wire
