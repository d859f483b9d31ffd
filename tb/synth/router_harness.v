// SPDX-License-Identifier: Apache-2.0
// router_harness.v - the router of a torus or a mesh between registers, as switch_harness.v has a switch.
//
// Every input comes from a shift register, every output goes to a register of its own; the router's place
// is a constant, as in a network.  scripts/synth/synth.py joins and checks it as it does the other.
`default_nettype none

module router_harness #(
  parameter integer VCS    = 2,
  parameter integer FLIT_W = 32
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire data_i,
  output wire data_o
);
  localparam integer LV  = 5 * VCS;
  localparam integer LW  = 5 * (FLIT_W + 2);
  localparam integer IN  = 33 + 2 * LV + LW;
  localparam integer OUT = 2 * LV + LW;

  reg  [IN-1:0]  in_q;
  reg  [OUT-1:0] out_q;
  reg  [OUT-1:0] fold_q;
  wire [OUT-1:0] out;

  always @(posedge clk_i) begin
    in_q   <= {in_q[IN-2:1], data_i, rst_i};
    out_q  <= out;
    fold_q <= out_q ^ {fold_q[OUT-2:0], in_q[IN-1] ^ in_q[0]};
  end
  assign data_o = fold_q[OUT-1];

  cube_one u_dut (
    .clk_i(clk_i), .rst_i(in_q[0]), .seed_i(in_q[1+:32]),
    .in_valid_i(in_q[33+:LV]), .out_room_i(in_q[33+LV+:LV]), .in_flit_i(in_q[33+2*LV+:LW]),
    .in_room_o(out[0+:LV]), .out_valid_o(out[LV+:LV]), .out_flit_o(out[2*LV+:LW])
  );
endmodule
`default_nettype wire
