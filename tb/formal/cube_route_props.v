// SPDX-License-Identifier: Apache-2.0
// cube_route_props.v - what must hold of cube_route.v, for proof.
//
// Told by distances: hops are counted along a line, or the shorter way round a ring.  A head is in
// a node, leaves by link by_i and channel on_i, and is in the next node then.  Whatever link and
// channel it takes there, by2_i and on2_i, that one comes later in one order of all channels of the
// network: so no ring of waiting worms can close (Dally and Seitz).  The order is x before y, lower
// half before upper half, along the way (e-cube), or the class, then odd after even nodes (BC 2).
`default_nettype none

module cube_route_props #(
  parameter integer K     = 4,
  parameter integer TORUS = 1,
  parameter integer NHOP  = 0,
  parameter integer VCS   = 2
) (
  input  wire [2*$clog2(K)-1:0] node_i,
  input  wire [2*$clog2(K)-1:0] next_i,   // the neighbour by by_i, from an edge the other end
  input  wire [2*$clog2(K)-1:0] dst_i,
  input  wire                   link_i,
  input  wire [3:0]             chan_i,
  input  wire [1:0]             by_i,     // a link by which it may leave
  input  wire [3:0]             on_i,     // ... and a channel
  input  wire [1:0]             by2_i,    // the same in the next node
  input  wire [3:0]             on2_i,
  input  wire [4:0]             want_o,
  input  wire [VCS-1:0]         mask_o,
  input  wire [4:0]             want2_o,  // of the next node, where it comes by channel on_i
  input  wire [VCS-1:0]         mask2_o,
  output wire                   ok_o,     // nodes exist; negative-hop: the classes left are enough
  // bad[0]: at its destination not by every channel to the processor, or to the processor elsewhere
  // bad[1]: a link that does not bring it nearer
  // bad[2]: not one link of every dimension that is left; e-cube: not one of the first of them
  // bad[3]: halfway round a ring not up from an even coordinate, down from an odd one
  // bad[4]: no channel will do
  // bad[5]: the channel after this one does not come later in the order
  // bad[6]: negative-hop: in the next node the classes left are not enough
  output wire [6:0]             bad_o,
  // cover[0]: over the link between K - 1 and 0; mesh: from one corner to the opposite one
  // cover[1]: by the last channel
  // cover[2]: e-cube: y follows x; negative-hop: x and y will do
  output wire [2:0]             cover_o
);
  localparam integer D    = $clog2(K);
  localparam integer LAST = K - 1;
  localparam integer HALF = K / 2;
  localparam integer LOW  = VCS / 2;

  function [D:0] apart;                // hops between two coordinates
    input [D-1:0] a;
    input [D-1:0] b;
    reg   [D:0]   line;
    begin
      line  = (a < b) ? {1'b0, b} - {1'b0, a} : {1'b0, a} - {1'b0, b};
      apart = (TORUS != 0 && line > HALF[D:0]) ? K[D:0] - line : line;
    end
  endfunction

  wire [D:0]   dx     = apart(node_i[0+:D], dst_i[0+:D]);
  wire [D:0]   dy     = apart(node_i[D+:D], dst_i[D+:D]);
  wire [D+1:0] left   = {1'b0, dx} + {1'b0, dy};
  wire [D:0]   dx2    = apart(next_i[0+:D], dst_i[0+:D]);
  wire [D:0]   dy2    = apart(next_i[D+:D], dst_i[D+:D]);
  wire [D+1:0] left2  = {1'b0, dx2} + {1'b0, dy2};
  wire         odd    = node_i[0] ^ node_i[D];
  wire         odd2   = next_i[0] ^ next_i[D];
  wire [D-1:0] at     = by_i[1] ? node_i[D+:D] : node_i[0+:D];
  wire         edge_  = at == (by_i[0] ? {D{1'b0}} : LAST[D-1:0]);
  wire [15:0]  may    = {{(16 - VCS) {1'b0}}, mask_o};
  wire [15:0]  may2   = {{(16 - VCS) {1'b0}}, mask2_o};
  wire         leaves = want_o[{1'b0, by_i}];
  wire         takes  = leaves & may[on_i];
  wire         takes2 = want2_o[{1'b0, by2_i}] & may2[on2_i];
  wire         home   = ~|left;

  // Negative hops made, and those to come: every second hop, the first if it leaves an odd node.
  wire [7:0] made   = link_i ? {4'd0, chan_i} + {7'd0, ~odd} : 8'd0;
  wire [7:0] made2  = {4'd0, on_i} + {7'd0, ~odd2};
  wire [7:0] need   = made + (({{(6 - D) {1'b0}}, left} + {7'd0, odd}) >> 1);
  wire [7:0] need2  = made2 + (({{(6 - D) {1'b0}}, left2} + {7'd0, odd2}) >> 1);

  wire [7:0] order, order2;
  generate
    if (NHOP != 0) begin : g_nhop
      assign order  = {3'd0, on_i, odd};
      assign order2 = {3'd0, on2_i, odd2};
    end else begin : g_ecube
      wire [D-1:0] at2    = by2_i[1] ? next_i[D+:D] : next_i[0+:D];
      wire [D-1:0] along  = by_i[0] ? LAST[D-1:0] - at : at;
      wire [D-1:0] along2 = by2_i[0] ? LAST[D-1:0] - at2 : at2;
      wire [0:0]   upper  = TORUS != 0 && on_i >= LOW[3:0];
      wire [0:0]   upper2 = TORUS != 0 && on2_i >= LOW[3:0];
      assign order  = {{(6 - D) {1'b0}}, by_i[1], upper, along};
      assign order2 = {{(6 - D) {1'b0}}, by2_i[1], upper2, along2};
    end
  endgenerate

  wire known = {1'b0, node_i[0+:D]} < K[D:0] & {1'b0, node_i[D+:D]} < K[D:0]
             & {1'b0, dst_i[0+:D]} < K[D:0] & {1'b0, dst_i[D+:D]} < K[D:0];
  wire       one_x  = ^want_o[1:0], one_y = ^want_o[3:2];
  wire       see_x  = |dx, see_y = |dy & (NHOP != 0 | ~see_x);
  wire [D:0] ahead  = by_i[1] ? dy : dx;
  assign ok_o     = known & (NHOP == 0 | ~link_i | need < VCS[7:0]);
  assign bad_o[0] = want_o[4] != home | (home & mask_o != {VCS{1'b1}});
  assign bad_o[1] = leaves & (left2 + 1'b1 != left | (TORUS == 0 & edge_));
  assign bad_o[2] = (see_x ? ~one_x : |want_o[1:0]) | (see_y ? ~one_y : |want_o[3:2]);
  assign bad_o[3] = leaves & TORUS != 0 & K % 2 == 0 & ahead == HALF[D:0] & by_i[0] != at[0];
  assign bad_o[4] = ~|mask_o;
  assign bad_o[5] = takes & takes2 & order2 <= order;
  assign bad_o[6] = NHOP != 0 & takes & need2 >= VCS[7:0];
  assign cover_o[0] = (TORUS != 0) ? takes & edge_ : left == 2 * LAST[D+1:0];
  assign cover_o[1] = takes & on_i == VCS[3:0] - 1'b1;
  assign cover_o[2] = (NHOP != 0) ? one_x & one_y : takes & takes2 & ~by_i[1] & by2_i[1];
endmodule
`default_nettype wire
