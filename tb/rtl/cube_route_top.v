// SPDX-License-Identifier: Apache-2.0
// cube_route_top.v - top for tb/cube/cube_route_all.cpp: cube_route of one radix in all four kinds with
// 1 to 9 virtual channels.
`default_nettype none

module cube_route_top #(
  parameter integer K = 4
) (
  input  wire [2*$clog2(K)-1:0] node_i,
  input  wire [2*$clog2(K)-1:0] dst_i,
  input  wire                   link_i,
  input  wire [3:0]             chan_i,
  output wire [179:0]           want_o,   // instance 9 * (2 TORUS + NHOP) + VCS - 1, five bits each
  output wire [323:0]           mask_o    // ... nine bits each
);
  genvar i;
  generate
    for (i = 0; i < 36; i = i + 1) begin : g_kind
      wire [i%9:0] mask;
      cube_route #(.K(K), .TORUS(i / 18), .NHOP(i / 9 % 2), .VCS(i % 9 + 1)) u_route (
        .node_i(node_i), .dst_i(dst_i), .link_i(link_i), .chan_i(chan_i),
        .want_o(want_o[5*i+:5]), .mask_o(mask)
      );
      if (i % 9 == 8) begin : g_all
        assign mask_o[9*i+:9] = mask;
      end else begin : g_some
        assign mask_o[9*i+:9] = {{(8 - i % 9) {1'b0}}, mask};
      end
    end
  endgenerate
endmodule
`default_nettype wire
