// SPDX-License-Identifier: Apache-2.0
// top.v - the self-test of a switch on the Digilent Arty A7-35T: 100 MHz, four leds, BTN0 restarts.
//
// The clock is divided by four, so that the speed of the device is no question.  BUFG is Xilinx's.
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
  input  wire       clk100_i,
  input  wire       btn0_i,      // high while pressed
  output wire [3:0] led_o
);
  reg  [1:0] div_q = 2'd0;
  wire       clk25;
  wire [7:0] led;
  always @(posedge clk100_i) div_q <= div_q + 2'd1;
  BUFG u_clk25 (.I(div_q[1]), .O(clk25));

  selftest_board #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS),
    .BEAT(23), .SLOW(SLOW)
  ) u_board (
    .clk_i(clk25), .restart_i(btn0_i), .led_o(led)
  );
  assign led_o = led[3:0];
  wire unused = &{1'b0, led[7:4], 1'b0};
endmodule
`default_nettype wire
