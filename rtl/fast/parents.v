// SPDX-License-Identifier: Apache-2.0
// parents.v - which children cross to which parents if a head that goes up may take either (GP, RG).
// C twin: the end of arbiter_eval() in cmodel/switch/arbiter.c.
//
// Heads that go up ask for the same parents, those that are free and have room.  If these are two, the
// first of the heads takes the parent that it prefers, parent 0 under GP, and the second takes the other; if
// it is one, the first takes that.  A worm under way is alone at its parent.  So a grant needs to know of a
// child's rivals whether none or exactly one comes before it, and what that one prefers: three gates in
// a row from registers.  Yosys keeps this module apart for that.  All outputs share one order.
`default_nettype none
`include "flit.vh"

(* keep_hierarchy *)
module parents #(
  parameter integer PATH = `FATFLY_GP
) (
  input  wire [1:0]  room_i,           // room at the far end of each parent
  input  wire [1:0]  busy_i,           // a worm holds it
  input  wire [7:0]  req_i,            // bit 2i + p: a worm of child i goes on to p, or a head that prefers p could
  input  wire [3:0]  climb_i,          // child i has a head that goes up
  input  wire [3:0]  other_i,          // ... and it prefers parent 1
  input  wire [14:0] before_i,         // as in order.v
  output wire [7:0]  gnt_o,            // bit 2i + p
  output wire [3:0]  up_o,             // child i crosses to a parent
  output wire [1:0]  valid_o           // some child crosses to parent p
);
  wire [1:0]  free = room_i & ~busy_i;
  wire        both = room_i[0] & ~busy_i[0] & room_i[1] & ~busy_i[1];
  wire [35:0] ahead;
  order u_order (.before_i(before_i), .ahead_o(ahead));
  wire unused = &{1'b0, ahead, other_i, 1'b0};

  wire some = |climb_i;
  wire two  = (climb_i[0] & climb_i[1]) | (climb_i[2] & climb_i[3]) | ((climb_i[0] | climb_i[1]) & (climb_i[2] | climb_i[3]));
  assign valid_o[0] = req_i[0] | req_i[2] | req_i[4] | req_i[6] | (free[0] & (free[1] ? two : some));
  assign valid_o[1] = req_i[1] | req_i[3] | req_i[5] | req_i[7] | (free[1] & (free[0] ? two : some));

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_child
      localparam integer J = (i + 1) % 4;
      localparam integer K = (i + 2) % 4;
      localparam integer L = (i + 3) % 4;
      wire rival1 = climb_i[J] & ahead[6*i+J];
      wire rival2 = climb_i[K] & ahead[6*i+K];
      wire rival3 = climb_i[L] & ahead[6*i+L];
      wire rivals0 = ~(rival1 | rival2);               // none of these two
      wire rivals1 = rival1 ^ rival2;                  // one of them
      wire leads  = (rivals0 & ~rival3) | ~climb_i[i]; // no head comes before it
      wire next   = both & (rival3 ? rivals0 : rivals1); // exactly one, and there is a parent for it
      wire [1:0] takes = {req_i[2*i+1] | (climb_i[i] & free[1] & ~free[0]),
                          req_i[2*i]   | (climb_i[i] & free[0] & ~free[1])};
      wire [1:0] left;                 // the one before it leaves this parent
      if (PATH == `FATFLY_RG) begin : g_rg
        wire of_two = (other_i[J] & ahead[6*i+J]) | (other_i[K] & ahead[6*i+K]);
        wire given  = of_two | (other_i[L] & ahead[6*i+L]); // parent 1 is taken, if both were free
        assign left = {climb_i[i] & ~given, climb_i[i] & given};
      end else begin : g_gp
        assign left = {climb_i[i], 1'b0};
      end
      assign gnt_o[2*i+:2] = ({2{leads}} & takes) | ({2{next}} & left);

      wire fits = both ? ~(rival3 & ~rivals0) & (rivals0 | rivals1) : rivals0 & ~rival3;
      wire head = climb_i[i] & (free[0] | free[1]);
      wire body = ~climb_i[i] & (req_i[2*i] | req_i[2*i+1]);
      assign up_o[i] = (fits & head) | body;
    end
  endgenerate
endmodule
`default_nettype wire
