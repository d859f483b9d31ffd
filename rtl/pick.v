// SPDX-License-Identifier: Apache-2.0
// pick.v - the first of up to six requesters in a given order.  C twin: cmodel/switch/pick.h.
// A requester wins unless another one comes before it, so all six decide side by side.
`default_nettype none

module pick (
  input  wire [5:0]  req_i,
  input  wire [35:0] ahead_i,          // bit 6i + j: j comes before i
  output wire [5:0]  gnt_o             // one-hot, or zero if nobody asks
);
  genvar i;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_in
      assign gnt_o[i] = req_i[i] & ~|(req_i & ahead_i[6*i+:6]);
    end
  endgenerate
endmodule
`default_nettype wire
