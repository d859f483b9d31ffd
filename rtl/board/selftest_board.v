// SPDX-License-Identifier: Apache-2.0
// selftest_board.v - selftest.v with its own reset and its lamps: what a board's top puts on pins.
`default_nettype none
`include "flit.vh"

module selftest_board #(
  parameter integer VCS    = 1,        // the parameters of switch.v
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer BEAT   = 23,       // led 0 changes every 2^BEAT cycles
  parameter integer SLOW   = 13        // led 1 changes every 2^SLOW rounds
) (
  input  wire       clk_i,
  input  wire       restart_i,         // a button, high while pressed, not synchronous
  // 0 the clock runs, 1 rounds pass, 2 error, 3 2^(SLOW+3) rounds passed without an error;
  // why 2 is lit: 4 broken flit, 5 wrong port, 6 out of sequence, 7 stuck or lost
  output wire [7:0] led_o
);
  // No reset pin is needed: registers are zero after configuration.
  reg  [4:0]    up_q   = 5'd0;
  reg  [1:0]    sync_q = 2'd0;
  reg  [BEAT:0] beat_q = 0;
  reg           rst_q  = 1'b0;
  reg           done_q;
  wire [31:0]   rounds;
  wire [3:0]    errors;

  always @(posedge clk_i) begin
    sync_q <= {sync_q[0], restart_i};
    beat_q <= beat_q + 1'b1;
    up_q   <= sync_q[1] ? 5'd0 : (&up_q) ? up_q : up_q + 1'b1;
    rst_q  <= ~&up_q;
    done_q <= ~rst_q & (done_q | rounds[SLOW+3]) & (errors == 4'd0);
  end

  selftest #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS)
  ) u_selftest (
    .clk_i(clk_i), .rst_i(rst_q), .rounds_o(rounds), .errors_o(errors)
  );
  assign led_o = {errors, done_q, |errors, rounds[SLOW], beat_q[BEAT]};
  wire unused = &{1'b0, rounds, 1'b0};
endmodule
`default_nettype wire
