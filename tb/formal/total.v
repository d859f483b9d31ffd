// SPDX-License-Identifier: Apache-2.0
// total.v - whether one bit a pair makes a total order of some of the six ports.
// Each pair has one direction, so an order is total if no three ports run in a circle.
`default_nettype none

module total (
  input  wire [14:0] before_i,         // bit i(11 - i)/2 + j - i - 1: i comes before j, i < j
  input  wire [5:0]  among_i,          // the ports that matter
  output reg         total_o
);
  integer i, j, k;
  reg     ij, jk, ik;
  always @* begin
    total_o = 1'b1;
    for (i = 0; i < 4; i = i + 1)
      for (j = i + 1; j < 5; j = j + 1)
        for (k = j + 1; k < 6; k = k + 1) begin
          ij = before_i[i*(11-i)/2+j-i-1];
          jk = before_i[j*(11-j)/2+k-j-1];
          ik = before_i[i*(11-i)/2+k-i-1];
          if (among_i[i] & among_i[j] & among_i[k] & ij == jk & ij != ik) total_o = 1'b0;
        end
  end
endmodule
`default_nettype wire
