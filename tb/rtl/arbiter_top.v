// SPDX-License-Identifier: Apache-2.0
// arbiter_top.v - top for tb/arbiter/arbiter_all.cpp: one pick, the root's arbiter of every PATH, and the
// arbiters of switches in which one order serves all outputs (all but ROT), x_one_o.
// The arbiters of inner switches with six orders are the hot loop of that program; it has
// rtl/arbiter.v itself as top for each of them.
`default_nettype none
`include "flit.vh"

module arbiter_top (
  input  wire [35:0] req_i,            // bit 6i + o, as in rtl/arbiter.v
  input  wire [3:0]  pref_i,
  input  wire [89:0] before_i,
  input  wire [14:0] before_one_i,
  output wire [35:0] fp_o,
  output wire [35:0] rp_o,
  output wire [35:0] gp_o,
  output wire [35:0] rg_o,
  output wire [35:0] fp_one_o,
  output wire [35:0] rp_one_o,
  output wire [35:0] gp_one_o,
  output wire [35:0] rg_one_o,
  output wire [35:0] fp_root_one_o,
  output wire [35:0] rp_root_one_o,
  output wire [35:0] gp_root_one_o,
  output wire [35:0] rg_root_one_o,
  input  wire [5:0]  pick_req_i,
  input  wire [14:0] pick_before_i,
  output wire [5:0]  pick_o
);
  wire [35:0] pick_ahead;
  order u_order (.before_i(pick_before_i), .ahead_o(pick_ahead));
  pick u_pick (.req_i(pick_req_i), .ahead_i(pick_ahead), .gnt_o(pick_o));

  arbiter #(.PATH(`FATFLY_FP), .ROOT(1)) u_fp (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_i), .gnt_o(fp_o)
  );
  arbiter #(.PATH(`FATFLY_RP), .ROOT(1)) u_rp (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_i), .gnt_o(rp_o)
  );
  arbiter #(.PATH(`FATFLY_GP), .ROOT(1)) u_gp (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_i), .gnt_o(gp_o)
  );
  arbiter #(.PATH(`FATFLY_RG), .ROOT(1)) u_rg (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_i), .gnt_o(rg_o)
  );

  arbiter #(.PATH(`FATFLY_FP), .ROOT(0), .ORDERS(1)) u_fp_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(fp_one_o)
  );
  arbiter #(.PATH(`FATFLY_RP), .ROOT(0), .ORDERS(1)) u_rp_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(rp_one_o)
  );
  arbiter #(.PATH(`FATFLY_GP), .ROOT(0), .ORDERS(1)) u_gp_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(gp_one_o)
  );
  arbiter #(.PATH(`FATFLY_RG), .ROOT(0), .ORDERS(1)) u_rg_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(rg_one_o)
  );
  arbiter #(.PATH(`FATFLY_FP), .ROOT(1), .ORDERS(1)) u_fp_root_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(fp_root_one_o)
  );
  arbiter #(.PATH(`FATFLY_RP), .ROOT(1), .ORDERS(1)) u_rp_root_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(rp_root_one_o)
  );
  arbiter #(.PATH(`FATFLY_GP), .ROOT(1), .ORDERS(1)) u_gp_root_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(gp_root_one_o)
  );
  arbiter #(.PATH(`FATFLY_RG), .ROOT(1), .ORDERS(1)) u_rg_root_one (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_one_i), .gnt_o(rg_root_one_o)
  );
endmodule
`default_nettype wire
