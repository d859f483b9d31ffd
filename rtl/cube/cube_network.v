// SPDX-License-Identifier: Apache-2.0
// cube_network.v - a k-ary 2-cube: K * K routers, each with a processor.
// C twin: cmodel/network/cube_network.c.
//
// Router s = x + K * y has processor s.  The link that leaves a router by port p enters its neighbour
// by port p ^ 1.  On a mesh the links over the edge do not exist: no flit, no room.
`default_nettype none
`include "flit.vh"

module cube_network #(
  parameter integer K      = 4,        // nodes of a line, 2 to 16; odd not with NHOP on a torus
  parameter integer TORUS  = 1,        // 0: a mesh
  parameter integer NHOP   = 0,        // 0: e-cube, 1: negative-hop
  parameter integer VCS    = 2,        // virtual channels of a link, 1 to 9
  parameter integer DEPTH  = 2,        // flits a queue holds (q), 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64
  parameter integer SCAN   = `FATFLY_ROT, // or `FATFLY_RR, `FATFLY_FO
  parameter integer PROBE  = 0,        // 1: probe_o shows every link and register, 0: it is zero
  // Derived; a caller leaves them alone.
  parameter integer N       = K * K,
  parameter integer PROBE_W = 32*(4 + 6*(2+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,       // synchronous, active high
  input  wire [31:0]             seed_i,      // of all random bits, read while rst_i is high
  input  wire [N*VCS-1:0]        inj_valid_i, // bit VCS*a + v: processor a, channel v
  input  wire [N*(FLIT_W+2)-1:0] inj_flit_i,
  output wire [N*VCS-1:0]        inj_room_o,
  output wire [N*VCS-1:0]        ej_valid_o,
  output wire [N*(FLIT_W+2)-1:0] ej_flit_o,
  input  wire [N*VCS-1:0]        ej_room_i,
  output wire [N*PROBE_W-1:0]    probe_o      // router s at PROBE_W*s
);
  localparam integer W = FLIT_W + 2;
  localparam integer D = $clog2(K < 2 ? 2 : K);

  // What cube.v would say, if there were any.
  generate
    if (K < 2 || K > 16) begin : g_bad_k
      fatfly_error_K_must_be_2_to_16 u_error ();
    end
  endgenerate

  // Each router starts its random bits elsewhere, as in network.v.
  function [31:0] mix;
    input [31:0] x;
    reg   [31:0] h;
    begin
      h   = x * 32'h9E3779B1;
      h   = (h ^ (h >> 16)) * 32'h85EBCA6B;
      h   = (h ^ (h >> 13)) * 32'hC2B2AE35;
      mix = h ^ (h >> 16);
    end
  endfunction

  // Link 4s + p enters port p of router s.
  wire [VCS-1:0] link_valid [0:4*N-1];
  wire [W-1:0]   link_flit  [0:4*N-1];
  wire [VCS-1:0] link_room  [0:4*N-1];

  genvar s, p;
  generate
    for (s = 0; s < N; s = s + 1) begin : g_router
      localparam integer X    = s % K;
      localparam integer Y    = s / K;
      localparam [31:0]  MINE = mix(s + 1);
      wire [5*VCS-1:0] in_valid;
      wire [5*W-1:0]   in_flit;
      wire [5*VCS-1:0] in_room;
      wire [5*VCS-1:0] out_valid;
      wire [5*W-1:0]   out_flit;
      wire [5*VCS-1:0] out_room;

      cube #(
        .K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SCAN(SCAN),
        .PROBE(PROBE)
      ) u_cube (
        .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i ^ MINE), .node_i({Y[D-1:0], X[D-1:0]}),
        .in_valid_i(in_valid), .in_flit_i(in_flit), .in_room_o(in_room),
        .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room),
        .probe_o(probe_o[PROBE_W*s+:PROBE_W])
      );

      for (p = 0; p < 4; p = p + 1) begin : g_link
        // The neighbour by port p, along a line whose nodes lie STEP apart.
        localparam integer STEP = (p < 2) ? 1 : K;
        localparam integer AT   = (p < 2) ? X : Y;
        localparam integer TO   = (p % 2 == 0) ? (AT + 1) % K : (AT + K - 1) % K;
        localparam integer T    = s + (TO - AT) * STEP;
        localparam integer LAST = (p % 2 == 0) ? K - 1 : 0;
        localparam integer Q    = (p % 2 == 0) ? p + 1 : p - 1;
        assign in_valid[VCS*p+:VCS] = link_valid[4*s+p];
        assign in_flit[W*p+:W]      = link_flit[4*s+p];
        assign link_room[4*s+p]     = in_room[VCS*p+:VCS];
        if (TORUS != 0 || AT != LAST) begin : g_there
          assign link_valid[4*T+Q]    = out_valid[VCS*p+:VCS];
          assign link_flit[4*T+Q]     = out_flit[W*p+:W];
          assign out_room[VCS*p+:VCS] = link_room[4*T+Q];
        end else begin : g_edge
          wire unused = &{1'b0, out_valid[VCS*p+:VCS], out_flit[W*p+:W], link_room[4*s+p], 1'b0};
          assign link_valid[4*s+p]    = {VCS{1'b0}};
          assign link_flit[4*s+p]     = {W{1'b0}};
          assign out_room[VCS*p+:VCS] = {VCS{1'b0}};
        end
      end

      assign in_valid[4*VCS+:VCS]    = inj_valid_i[VCS*s+:VCS];
      assign in_flit[4*W+:W]         = inj_flit_i[W*s+:W];
      assign inj_room_o[VCS*s+:VCS]  = in_room[4*VCS+:VCS];
      assign ej_valid_o[VCS*s+:VCS]  = out_valid[4*VCS+:VCS];
      assign ej_flit_o[W*s+:W]       = out_flit[4*W+:W];
      assign out_room[4*VCS+:VCS]    = ej_room_i[VCS*s+:VCS];
    end
  endgenerate
endmodule
`default_nettype wire
