// SPDX-License-Identifier: Apache-2.0
// pick_apart.v - order.v and pick.v of one output, for switch.v with port_pair.v.
// C twin: cmodel/switch/pick.h.
//
// Yosys keeps this module apart: a grant takes two gates, whatever follows from it.
`default_nettype none

(* keep_hierarchy *)
module pick_apart #(
  parameter [5:0] FROM = 6'h3f         // the inputs that lead to this output
) (
  input  wire [5:0]  req_i,
  input  wire [14:0] before_i,         // as in order.v
  output wire [5:0]  gnt_o             // one-hot, or zero if nobody asks
);
  wire [35:0] ahead;
  order u_order (.before_i(before_i), .ahead_o(ahead));
  pick u_pick (.req_i(req_i & FROM), .ahead_i(ahead), .gnt_o(gnt_o));
endmodule
`default_nettype wire
