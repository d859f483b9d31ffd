// SPDX-License-Identifier: Apache-2.0
// top.v - the self-test of a switch on the Lattice iCE40HX8K-B-EVN: 12 MHz, eight leds, no button.
`default_nettype none

module top #(
  parameter integer VCS    = 1,        // the switch; switch.v has their meaning
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = 1,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer SLOW   = 13        // led 1 changes every 2^SLOW rounds
) (
  input  wire       clk12_i,
  output wire [7:0] led_o
);
  selftest_board #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS),
    .BEAT(22), .SLOW(SLOW)
  ) u_board (
    .clk_i(clk12_i), .restart_i(1'b0), .led_o(led_o)
  );
endmodule
`default_nettype wire
