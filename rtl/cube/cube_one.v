// SPDX-License-Identifier: Apache-2.0
// cube_one.v - one router of a k-ary 2-cube, its place a parameter: for the co-simulation of one.
`default_nettype none
`include "flit.vh"

module cube_one #(
  parameter integer NODE   = 0,        // x + K * y
  parameter integer K      = 4,
  parameter integer TORUS  = 1,
  parameter integer NHOP   = 0,
  parameter integer VCS    = 2,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer SCAN   = `FATFLY_ROT,
  parameter integer PROBE  = 0,
  // Bits of probe_o; a caller leaves it alone.
  parameter integer PROBE_W = 32*(4 + 6*(2+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [31:0]             seed_i,
  input  wire [5*VCS-1:0]        in_valid_i,
  input  wire [5*(FLIT_W+2)-1:0] in_flit_i,
  output wire [5*VCS-1:0]        in_room_o,
  output wire [5*VCS-1:0]        out_valid_o,
  output wire [5*(FLIT_W+2)-1:0] out_flit_o,
  input  wire [5*VCS-1:0]        out_room_i,
  output wire [PROBE_W-1:0]      probe_o
);
  generate
    if (NODE < 0 || NODE >= K * K) begin : g_bad_node
      fatfly_error_NODE_must_be_0_to_K_times_K_less_1 u_error ();
    end
  endgenerate

  localparam integer D = $clog2(K < 2 ? 2 : K);
  localparam integer X = NODE % K;
  localparam integer Y = NODE / K;

  cube #(
    .K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SCAN(SCAN),
    .PROBE(PROBE)
  ) u_cube (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .node_i({Y[D-1:0], X[D-1:0]}),
    .in_valid_i(in_valid_i), .in_flit_i(in_flit_i), .in_room_o(in_room_o),
    .out_valid_o(out_valid_o), .out_flit_o(out_flit_o), .out_room_i(out_room_i),
    .probe_o(probe_o)
  );
endmodule
`default_nettype wire
