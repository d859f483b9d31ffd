// SPDX-License-Identifier: Apache-2.0
// arbiter_formal.v - arbiter.v with its properties: all rows that port.v can give, all orders.
`default_nettype none
`include "flit.vh"

module arbiter_formal #(
  parameter integer PATH = `FATFLY_RP,
  parameter integer ROOT = 0,
  parameter integer ORDERS = 6
) (
  input wire [35:0]          req_i,
  input wire [3:0]           pref_i,
  input wire [15*ORDERS-1:0] before_i,
  input wire [5:0]           done_i,
  input wire [5:0]           next_i,
  input wire [2:0]           out_i
);
  wire [35:0] gnt;
  wire        ok;
  wire [6:0]  bad;
  wire [4:0]  covers;

  arbiter #(.PATH(PATH), .ROOT(ROOT), .ORDERS(ORDERS)) dut (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_i), .gnt_o(gnt)
  );
  arbiter_props #(.PATH(PATH), .ROOT(ROOT), .ORDERS(ORDERS)) u_props (
    .req_i(req_i), .pref_i(pref_i), .before_i(before_i), .gnt_o(gnt), .done_i(done_i),
    .next_i(next_i), .out_i(out_i), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(7), .COVER(5)) u_check (.ok_i(ok), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
