// SPDX-License-Identifier: Apache-2.0
// cube_route.v - where a head may go from a node of a k-ary 2-cube, and by which virtual channels.
// C twin: cmodel/switch/cube_route.h.
//
// A node is {y, x}, as a destination in a head.  Outputs: 0 to x + 1, 1 to x - 1, 2 to y + 1, 3 to
// y - 1, 4 the processor.  All ways are shortest ones; where both ways round a ring are, up from an even
// coordinate and down from an odd one, so that both carry the same.
//
// e-cube: x first.  On a torus by the lower half of the channels as long as the link between k - 1 and
// 0 is to come or being taken, else by the upper half, so that no ring of waiting worms closes (Dally
// and Seitz); on a mesh by any.
// Negative-hop (BC 2): any dimension that is left, by the channel whose number is that of negative
// hops made.  Nodes are even or odd by x + y; a hop from odd to even is negative.  A torus needs an
// even k for that: a ring of odd length has no two colours.
// At the destination any channel will do.  Combinational; of anything but a head it means nothing.
`default_nettype none

module cube_route #(
  parameter integer K     = 4,         // nodes of a line, 2 to 16
  parameter integer TORUS = 1,         // 0: a mesh, in which no link joins the ends of a line
  parameter integer NHOP  = 0,         // 0: e-cube, 1: negative-hop
  parameter integer VCS   = 2          // virtual channels of a link, 1 to 9
) (
  input  wire [2*$clog2(K < 2 ? 2 : K)-1:0] node_i, // here; K < 2 has a width, too, so that cube.v can refuse it
  input  wire [2*$clog2(K < 2 ? 2 : K)-1:0] dst_i,
  input  wire                   link_i,   // 0: the head comes from the processor here
  input  wire [3:0]             chan_i,   // else the channel that it came by
  output wire [4:0]             want_o,   // outputs that will do: one, or one a dimension
  output wire [VCS-1:0]         mask_o    // channels that will do, of whichever output
);
  localparam integer D   = $clog2(K < 2 ? 2 : K);
  localparam integer FAR = K / 2;
  localparam integer EVEN = (K % 2 == 0) ? 1 : 0;

  wire [1:0] other;                    // x, y: not there yet
  wire [1:0] up;                       // ... and it is that way
  wire [1:0] wrap;                     // ... over the link that joins the ends of the line
  wire       second;                   // y will do
  genvar d, v;
  generate
    for (d = 0; d < 2; d = d + 1) begin : g_dimension
      wire [D-1:0] from = node_i[D*d+:D];
      wire [D-1:0] to   = dst_i[D*d+:D];
      wire         less = to < from;
      assign other[d] = to != from;
      if (TORUS != 0) begin : g_ring
        wire [D:0] hops = {1'b0, to} - {1'b0, from} + (less ? K[D:0] : {(D + 1) {1'b0}});
        assign up[d]   = hops < FAR[D:0] | (hops == FAR[D:0] & ~(EVEN[0] & from[0]));
        assign wrap[d] = up[d] == less;
      end else begin : g_line
        assign up[d]   = ~less;
        assign wrap[d] = 1'b0;
      end
    end

    if (NHOP != 0) begin : g_nhop
      wire       odd    = node_i[0] ^ node_i[D];
      wire [3:0] number = link_i ? chan_i + {3'd0, ~odd} : 4'd0;
      wire unused = &{1'b0, wrap, 1'b0};
      assign second = other[1];
      for (v = 0; v < VCS; v = v + 1) begin : g_chan
        assign mask_o[v] = want_o[4] | number == v[3:0];
      end
    end else begin : g_ecube
      wire low = other[0] ? wrap[0] : wrap[1];
      wire unused = &{1'b0, low, link_i, chan_i, 1'b0};
      assign second = other[1] & ~other[0];
      for (v = 0; v < VCS; v = v + 1) begin : g_chan
        if (TORUS != 0 && VCS > 1) begin : g_half
          assign mask_o[v] = want_o[4] | ((v < VCS / 2) ? low : ~low);
        end else begin : g_any
          assign mask_o[v] = 1'b1;
        end
      end
    end
  endgenerate
  assign want_o[1:0] = {other[0] & ~up[0], other[0] & up[0]};
  assign want_o[3:2] = {second & ~up[1], second & up[1]};
  assign want_o[4]   = ~|other;
endmodule
`default_nettype wire
