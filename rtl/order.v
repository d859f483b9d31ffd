// SPDX-License-Identifier: Apache-2.0
// order.v - an order of the six ports, from one bit a pair to one row a port.
// C twin: scan_eval() in cmodel/switch/scan.c, which gives the rows.
`default_nettype none

module order (
  input  wire [14:0] before_i,         // bit i(11 - i)/2 + j - i - 1: i comes before j, i < j
  output wire [35:0] ahead_o           // bit 6i + j: j comes before i
);
  genvar i, j;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_i
      for (j = 0; j < 6; j = j + 1) begin : g_j
        if (j == i) begin : g_self
          assign ahead_o[6*i+j] = 1'b0;
        end else if (j < i) begin : g_low
          assign ahead_o[6*i+j] = before_i[j*(11-j)/2+i-j-1];
        end else begin : g_high
          assign ahead_o[6*i+j] = ~before_i[i*(11-i)/2+j-i-1];
        end
      end
    end
  endgenerate
endmodule
`default_nettype wire
