// SPDX-License-Identifier: Apache-2.0
// arbiter.v - which input port crosses to which output port in this cycle.
// C twin: cmodel/switch/arbiter.c.  Combinational; its order comes from scan.v.
//
// Bit 6i + o of req_i: input i offers a flit that output o could take (not held by another worm,
// room at the far end).  A request names one output, but a head that goes up under GP or RG names
// every parent that could take it.  The four children each pick the first requester in their
// order.  Parents: under FP and RP likewise; under GP parent 0 picks first and parent 1 from
// the rest; under RG the first in parent 0's order takes the parent that it prefers and the other
// parent picks from the rest.  With one order for all outputs this is the spec's scan, where each
// input in turn takes what it wants if that is still free (docs/arbiter.md has the proof).
`default_nettype none
`include "flit.vh"

module arbiter #(
  parameter integer PATH = `FATFLY_RP,
  parameter integer ROOT = 0,          // 1: no parents, so 12 crosspoints instead of 28
  parameter integer ORDERS = 6         // 6: an order for each output; 1: one that all share
) (
  input  wire [35:0] req_i,            // bit 6i + o: input i asks for output o
  input  wire [3:0]  pref_i,           // bit i: child i prefers parent 1 (RG)
  input  wire [15*ORDERS-1:0] before_i, // bit 15o + pair(i, j): at output o, i before j, i < j
  output wire [35:0] gnt_o             // bit 6i + o; at most one per input and one per output
);
  // Column o of the request matrix: who asks for output o, and who gets it.
  wire [5:0] col [0:5];
  wire [5:0] won [0:5];

  // ahead[36k + 6i + j]: in order k, j comes before i.  Output o goes by order o mod ORDERS.
  wire [36*ORDERS-1:0] ahead;
  localparam integer K4 = 4 % ORDERS;
  localparam integer K5 = 5 % ORDERS;

  genvar i, o;
  generate
    for (o = 0; o < ORDERS; o = o + 1) begin : g_order
      order u_order (.before_i(before_i[15*o+:15]), .ahead_o(ahead[36*o+:36]));
    end

    for (o = 0; o < 6; o = o + 1) begin : g_out
      for (i = 0; i < 6; i = i + 1) begin : g_in
        // The crosspoints that no shortest path uses: back to the same child, parent to parent.
        if (i == o || (i > 3 && o > 3) || (ROOT != 0 && (i > 3 || o > 3))) begin : g_none
          assign col[o][i] = 1'b0;
        end else begin : g_xp
          assign col[o][i] = req_i[6*i+o];
        end
        assign gnt_o[6*i+o] = won[o][i];
      end
    end

    for (o = 0; o < 4; o = o + 1) begin : g_child
      pick u_pick (.req_i(col[o]), .ahead_i(ahead[36*(o%ORDERS)+:36]), .gnt_o(won[o]));
    end

    if (PATH == `FATFLY_RG && ROOT == 0) begin : g_rg
      // lead: the first in parent 0's order of all that go up; takes1: it goes to
      // parent 1, because it prefers that or asks no other.  The other parent picks from the rest.
      wire [5:0] lead;
      wire       takes1;
      wire [5:0] rest;
      wire [5:0] second;
      pick u_lead (.req_i(col[4] | col[5]), .ahead_i(ahead[36*K4+:36]), .gnt_o(lead));
      assign takes1 = |(lead & col[5] & ({2'b00, pref_i} | ~col[4]));
      assign rest     = (takes1 ? col[4] : col[5]) & ~lead;
      pick u_second (
        .req_i(rest), .ahead_i(takes1 ? ahead[36*K4+:36] : ahead[36*K5+:36]), .gnt_o(second)
      );
      assign won[4] = takes1 ? second : lead;
      assign won[5] = takes1 ? lead : second;
    end else begin : g_apart
      wire unused = &{1'b0, pref_i, 1'b0};
      pick u_pick4 (.req_i(col[4]), .ahead_i(ahead[36*K4+:36]), .gnt_o(won[4]));
      // GP: whoever parent 0 takes no longer asks parent 1.
      pick u_pick5 (
        .req_i((PATH == `FATFLY_GP) ? col[5] & ~won[4] : col[5]), .ahead_i(ahead[36*K5+:36]),
        .gnt_o(won[5])
      );
    end
  endgenerate

  wire unused = &{1'b0, req_i, 1'b0};
endmodule
`default_nettype wire
