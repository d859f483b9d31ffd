// SPDX-License-Identifier: Apache-2.0
// lead.v - which of four children crosses to a parent, in a code of gather.v for four words (CODE 1).
// No state and no C twin: it is a part of pick.v.
//
// Two gates in a row, as many as a grant takes, which the code need not wait for.  Of two neighbours, k
// and k + 1, one wins unless a third comes before it.  In an order that is 0, 1, 2, 3 turned, a scan from a
// start port, a gate fewer says so: a third comes before k; but if that is k - 1 alone, it may come after
// k + 1.  Yosys keeps this module apart, since it would make the code of the grants.
`default_nettype none

(* keep_hierarchy *)
module lead #(
  parameter integer TURNED = 1         // 1: the order is 0, 1, 2, 3 turned; 0: any
) (
  input  wire [3:0]  req_i,            // bit i: child i asks
  input  wire [14:0] before_i,         // as in order.v
  output wire [2:0]  code_o            // bit k: child k or k + 1 wins
);
  wire [35:0] ahead;
  order u_order (.before_i(before_i), .ahead_o(ahead));
  wire unused = &{1'b0, ahead, 1'b0};
  genvar k;
  generate
    for (k = 0; k < 3; k = k + 1) begin : g_two
      localparam integer J = (k + 1) % 4;
      localparam integer M = (k + 2) % 4;
      localparam integer N = (k + 3) % 4;
      wire third = (req_i[M] & ahead[6*k+M]) | (req_i[N] & ahead[6*k+N]);
      if (TURNED != 0) begin : g_turned
        assign code_o[k] = (req_i[k] | req_i[J]) & ~(third & ~(req_i[J] & ahead[6*N+J]));
      end else begin : g_any
        wire other = (req_i[M] & ahead[6*J+M]) | (req_i[N] & ahead[6*J+N]);
        assign code_o[k] = (req_i[k] & ~third) | (req_i[J] & ~other);
      end
    end
  endgenerate
endmodule
`default_nettype wire
