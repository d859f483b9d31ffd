// SPDX-License-Identifier: Apache-2.0
// top.v - the self-test of a switch on the Sipeed Tang Nano 9K: 27 MHz, six leds, S2 restarts.
//
// Leds and buttons are active low.
`default_nettype none

module top #(
  parameter integer VCS    = 1,        // the switch; switch.v has their meaning
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = 1,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer SLOW   = 14        // led 1 changes every 2^SLOW rounds
) (
  input  wire       clk27_i,
  input  wire       s2_ni,       // low while pressed
  output wire [5:0] led_no
);
  wire [7:0] led;
  selftest_board #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS),
    .BEAT(23), .SLOW(SLOW)
  ) u_board (
    .clk_i(clk27_i), .restart_i(~s2_ni), .led_o(led)
  );
  assign led_no = ~led[5:0];
  wire unused = &{1'b0, led[7:6], 1'b0};
endmodule
`default_nettype wire
