// SPDX-License-Identifier: Apache-2.0
// switch_harness.v - a switch between registers, on four pins, so that it can be placed and timed.
//
// Every input comes from a shift register and every output goes to a register of its own, so each
// path through the switch is register to register and none is constant or unread.  The registers
// are folded into one output pin by a chain of XORs, a register after each.  scripts/synth.sh joins
// the netlist of the switch to this one after both are mapped, so no logic moves between them.
`default_nettype none

module switch_harness #(
  parameter integer VCS    = 1,
  parameter integer FLIT_W = 32
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire data_i,
  output wire data_o
);
  localparam integer W   = 6 * (FLIT_W + 2);
  localparam integer IN  = 33 + 12 * VCS + W;
  localparam integer OUT = 12 * VCS + W;

  reg  [IN-1:0]  in_q;
  reg  [OUT-1:0] out_q;
  reg  [OUT-1:0] fold_q;
  wire [OUT-1:0] out;

  always @(posedge clk_i) begin
    in_q   <= {in_q[IN-2:1], data_i, rst_i};
    out_q  <= out;
    fold_q <= out_q ^ {fold_q[OUT-2:0], 1'b0};
  end
  assign data_o = fold_q[OUT-1];

  switch u_switch (
    .clk_i(clk_i), .rst_i(in_q[0]), .seed_i(in_q[1+:32]),
    .in_valid_i(in_q[33+:6*VCS]), .out_room_i(in_q[33+6*VCS+:6*VCS]), .in_flit_i(in_q[33+12*VCS+:W]),
    .in_room_o(out[0+:6*VCS]), .out_valid_o(out[6*VCS+:6*VCS]), .out_flit_o(out[12*VCS+:W])
  );
endmodule
`default_nettype wire
