// SPDX-License-Identifier: Apache-2.0
// switch_harness.v - a design between registers, on four pins, so that it can be placed and timed.
//
// The design is a switch, a network or the arbiter core.  Every input comes from a shift register
// and every output goes to a register of its own, so each path through the design is register to
// register and none is constant or unread.  The registers are folded into one output pin by a chain
// of XORs, a register after each.  scripts/synth/synth.py joins the netlist of the design to this one
// after both are mapped, so no logic moves between them, and checks all that.
`default_nettype none

module switch_harness #(
  parameter integer KIND   = 0,        // 0: switch, 1: network, 2: arbiter_core
  parameter integer VCS    = 1,
  parameter integer FLIT_W = 32,
  parameter integer N      = 16        // processors of the network
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire data_i,
  output wire data_o
);
  localparam integer LINKS = (KIND == 1) ? N : 6;
  localparam integer LV    = LINKS * VCS;
  localparam integer LW    = LINKS * (FLIT_W + 2);
  localparam integer IN    = (KIND == 2) ? 67 : 33 + 2 * LV + LW;
  localparam integer OUT   = (KIND == 2) ? 36 : 2 * LV + LW;

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

  generate
    if (KIND == 0) begin : g_switch
      switch u_dut (
        .clk_i(clk_i), .rst_i(in_q[0]), .seed_i(in_q[1+:32]),
        .in_valid_i(in_q[33+:LV]), .out_room_i(in_q[33+LV+:LV]), .in_flit_i(in_q[33+2*LV+:LW]),
        .in_room_o(out[0+:LV]), .out_valid_o(out[LV+:LV]), .out_flit_o(out[2*LV+:LW])
      );
    end else if (KIND == 1) begin : g_network
      network u_dut (
        .clk_i(clk_i), .rst_i(in_q[0]), .seed_i(in_q[1+:32]),
        .inj_valid_i(in_q[33+:LV]), .ej_room_i(in_q[33+LV+:LV]), .inj_flit_i(in_q[33+2*LV+:LW]),
        .inj_room_o(out[0+:LV]), .ej_valid_o(out[LV+:LV]), .ej_flit_o(out[2*LV+:LW])
      );
    end else begin : g_arbiter
      arbiter_core u_dut (
        .clk_i(clk_i), .rst_i(in_q[0]), .req_i(in_q[1+:36]), .pref_i(in_q[37+:4]),
        .rand_i(in_q[41+:8]), .height_i(in_q[49+:12]), .fresh_i(in_q[61+:6]), .gnt_o(out)
      );
    end
  endgenerate
endmodule
`default_nettype wire
