// SPDX-License-Identifier: Apache-2.0
// tb_selftest.v - runs the self-test of a board until ROUNDS rounds have passed, an error shows or CYCLES
// are over, and says so in one line: `rounds R errors EEEE led L cycles C`.
`default_nettype none

module tb_selftest #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = 1,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer ROUNDS = 8,
  parameter integer CYCLES = 60000
);
  reg        clk = 1'b0;
  reg        stop = 1'b0;
  integer    cycle = 0;
  wire [7:0] led;

  selftest_board #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS),
    .BEAT(4), .SLOW(0)
  ) u_board (
    .clk_i(clk), .restart_i(1'b0), .led_o(led)
  );

  always #5 clk = ~clk;
  always @(posedge clk) begin
    cycle <= cycle + 1;
    stop  <= led[2] || cycle == CYCLES || (cycle > 100 && u_board.rounds == ROUNDS);
    if (stop) begin
      $display("rounds %0d errors %b led %b cycles %0d", u_board.rounds, u_board.errors, led, cycle);
      $finish;
    end
  end
endmodule
`default_nettype wire
