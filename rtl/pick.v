// SPDX-License-Identifier: Apache-2.0
// pick.v - the first of up to six requesters in a given order.  C twin: cmodel/switch/pick.h.
// A requester wins unless another one comes before it, so all six decide side by side.
`default_nettype none

module pick (
  input  wire [5:0]  req_i,
  input  wire [14:0] before_i,         // bit i(11 - i)/2 + j - i - 1: i comes before j, i < j
  output wire [5:0]  gnt_o             // one-hot, or zero if nobody asks
);
  genvar i, j;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_in
      wire [5:0] ahead;                // who asks and comes before i
      for (j = 0; j < 6; j = j + 1) begin : g_other
        if (j == i) begin : g_self
          assign ahead[j] = 1'b0;
        end else if (j < i) begin : g_low
          assign ahead[j] = req_i[j] & before_i[j*(11-j)/2+i-j-1];
        end else begin : g_high
          assign ahead[j] = req_i[j] & ~before_i[i*(11-i)/2+j-i-1];
        end
      end
      assign gnt_o[i] = req_i[i] & ~|ahead;
    end
  endgenerate
endmodule
`default_nettype wire
