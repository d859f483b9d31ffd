// SPDX-License-Identifier: Apache-2.0
// cube_route_formal.v - cube_route.v in a node and in its neighbour, with its properties.
`default_nettype none

module cube_route_formal #(
  parameter integer K     = 4,
  parameter integer TORUS = 1,
  parameter integer NHOP  = 0,
  parameter integer VCS   = 2
) (
  input wire [2*$clog2(K)-1:0] node_i,
  input wire [2*$clog2(K)-1:0] dst_i,
  input wire                   link_i,
  input wire [3:0]             chan_i,
  input wire [1:0]             by_i,
  input wire [3:0]             on_i,
  input wire [1:0]             by2_i,
  input wire [3:0]             on2_i
);
  localparam integer D    = $clog2(K);
  localparam integer LAST = K - 1;

  // The neighbour, as cube_network.v wires it.
  wire [D-1:0]   at   = by_i[1] ? node_i[D+:D] : node_i[0+:D];
  wire [D-1:0]   up   = (at == LAST[D-1:0]) ? {D{1'b0}} : at + 1'b1;
  wire [D-1:0]   down = (at == {D{1'b0}}) ? LAST[D-1:0] : at - 1'b1;
  wire [D-1:0]   to   = by_i[0] ? down : up;
  wire [2*D-1:0] next = by_i[1] ? {to, node_i[0+:D]} : {node_i[D+:D], to};

  wire [4:0]     want, want2;
  wire [VCS-1:0] mask, mask2;
  wire           ok;
  wire [6:0]     bad;
  wire [2:0]     cover_;
  cube_route #(.K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS)) here (
    .node_i(node_i), .dst_i(dst_i), .link_i(link_i), .chan_i(chan_i), .want_o(want), .mask_o(mask)
  );
  cube_route #(.K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS)) there (
    .node_i(next), .dst_i(dst_i), .link_i(1'b1), .chan_i(on_i), .want_o(want2), .mask_o(mask2)
  );
  cube_route_props #(.K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS)) u_props (
    .node_i(node_i), .next_i(next), .dst_i(dst_i), .link_i(link_i), .chan_i(chan_i), .by_i(by_i),
    .on_i(on_i), .by2_i(by2_i), .on2_i(on2_i), .want_o(want), .mask_o(mask), .want2_o(want2),
    .mask2_o(mask2), .ok_o(ok), .bad_o(bad), .cover_o(cover_)
  );
  check #(.BAD(7), .COVER(3)) u_check (.ok_i(ok), .bad_i(bad), .cover_i(cover_));
endmodule
`default_nettype wire
