// SPDX-License-Identifier: Apache-2.0
// route_formal.v - route.v at every level of a network, for each path selection, as a child and as a
// parent port, with its properties; all heads.  A property is broken if it is in any of them.
`default_nettype none

module route_formal #(
  parameter integer FLIT_W = 32,
  parameter integer LEVELS = 3
) (
  input wire [FLIT_W-1:0] head_i,
  input wire              rand_i
);
  localparam integer PLACES = LEVELS * 5 * 2;
  wire [PLACES-1:0] ok, bad0, bad1, bad2, cover0, cover1;
  genvar l, p, d;
  generate
    for (l = 0; l < LEVELS; l = l + 1) begin : g_level
      for (p = 0; p < 5; p = p + 1) begin : g_path
        for (d = 0; d < 2; d = d + 1) begin : g_side
          localparam integer K = 10 * l + 2 * p + d;
          wire [3:0] child;
          wire [1:0] parent;
          wire [$clog2(LEVELS+1)-1:0] height;
          route #(.FLIT_W(FLIT_W), .PATH(p), .LEVEL(l + 1), .LEVELS(LEVELS), .PARENT(d)) dut (
            .head_i(head_i), .rand_i(rand_i), .child_o(child), .parent_o(parent), .height_o(height)
          );
          route_props #(.FLIT_W(FLIT_W), .PATH(p), .LEVEL(l + 1), .LEVELS(LEVELS), .PARENT(d)) u_props (
            .head_i(head_i), .rand_i(rand_i), .child_o(child), .parent_o(parent), .height_o(height),
            .ok_o(ok[K]), .bad_o({bad2[K], bad1[K], bad0[K]}), .cover_o({cover1[K], cover0[K]})
          );
        end
      end
    end
  endgenerate
  check #(.BAD(3), .COVER(2)) u_check (
    .ok_i(&ok), .bad_i({|bad2, |bad1, |bad0}), .cover_i({&cover1, &cover0})
  );
endmodule
`default_nettype wire
