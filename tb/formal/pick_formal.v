// SPDX-License-Identifier: Apache-2.0
// pick_formal.v - order.v and pick.v with their properties: all settings of the pairs and requests.
`default_nettype none

module pick_formal (
  input wire [14:0] before_i,
  input wire [5:0]  req_i
);
  wire [35:0] ahead;
  wire [5:0]  gnt;
  wire [4:0]  bad;
  wire [1:0]  covers;

  order u_order (.before_i(before_i), .ahead_o(ahead));
  pick u_pick (.req_i(req_i), .ahead_i(ahead), .gnt_o(gnt));
  pick_props u_props (
    .before_i(before_i), .ahead_o(ahead), .req_i(req_i), .gnt_o(gnt), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(5), .COVER(2)) u_check (.ok_i(1'b1), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
