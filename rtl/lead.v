// SPDX-License-Identifier: Apache-2.0
// lead.v - which of four children crosses to a parent, in the code of gather.v for four words.
// No state and no C twin: it is a part of pick.v.
//
// Two gates in a row, as many as a grant takes, which the code need not wait for.  Only for orders
// that are 0, 1, 2, 3 turned: a scan from a start port.  Yosys keeps this module apart, since it
// would make the code of the grants.
`default_nettype none

(* keep_hierarchy *)
module lead (
  input  wire [3:0]  req_i,            // bit i: child i asks
  input  wire [14:0] before_i,         // as in order.v
  output wire [2:0]  code_o            // {2 or 3, 1 or 3, 0 or 3}
);
  wire b02 = before_i[1];
  wire b03 = before_i[2];              // the order is 0, 1, 2, 3
  wire b12 = before_i[5];              // not 2, 3, 0, 1
  wire b13 = before_i[6];              // 0, 1, 2, 3 or 1, 2, 3, 0
  wire b23 = before_i[9];
  wire unused = &{1'b0, before_i, 1'b0};
  wire before3 = (req_i[1] & b13) | (req_i[2] & b23);
  wire before2 = (req_i[0] & b02) | (req_i[1] & b12);
  wire first   = (req_i[0] & b03) | (req_i[2] & ~b12);
  wire from1   = req_i[1] | (req_i[3] & ~req_i[2]);
  wire from3   = req_i[3] | (req_i[1] & ~req_i[0]);
  assign code_o[0] = (req_i[0] | req_i[3]) & ~(before3 & ~(req_i[0] & b02));
  assign code_o[1] = (b13 ? from1 : from3) & ~first;
  assign code_o[2] = (req_i[2] | req_i[3]) & ~(before2 & ~(req_i[3] & ~b13));
endmodule
`default_nettype wire
