// SPDX-License-Identifier: Apache-2.0
// tb_top.v - what a board adds to selftest.v: parameters, reset, restart button, lamps.  A board's top, or
// selftest_board.v, around a stand-in for selftest.v, whose rounds take four cycles and whose errors the bench makes.
//
// Defined for a board: TOP, CLOCK, DIVIDED (edges of CLOCK in a cycle), BUTTON and PRESSED if there is one, LAMPS, LEDS and LIT,
// BEAT, and for selftest_board.v OWN, since it has its BEAT as a parameter.  `PASS` or `FAIL` and why, in one line.
`default_nettype none

module selftest #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = 1,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3
) (
  input  wire        clk_i,
  input  wire        rst_i,
  output wire [31:0] rounds_o,
  output wire [3:0]  errors_o
);
  reg [33:0] cycles_q;
  reg [3:0]  errors_q;
  assign rounds_o = cycles_q[33:2];
  assign errors_o = errors_q;
  always @(posedge clk_i) begin
    cycles_q <= rst_i ? 34'd0 : cycles_q + {33'd0, errors_q == 4'd0};
    errors_q <= rst_i ? 4'd0 : errors_q | tb_top.bad;
  end
endmodule

module tb_top;
  localparam integer SLOW = 1;
  reg         clock = 1'b0;
  reg         pressed = 1'b0;
  reg  [3:0]  bad = 4'd0;              // errors that happen now
  reg         dark, was;
  integer     cycle = 0, resets = 0, changed = 0, e, k;
  wire [`LAMPS-1:0] led;
  wire [7:0]  lamp = led ^ {8{~`LIT}};

  `TOP #(
    .VCS(2), .DEPTH(3), .FLIT_W(40), .PATH(3), .SCAN(4), .LEVEL(2), .LEVELS(5), .SLOW(SLOW)
`ifdef OWN
    , .BEAT(`BEAT)
`endif
  ) u_top (
    .`CLOCK(clock),
`ifdef BUTTON
    .`BUTTON(pressed ^ ~`PRESSED),
`endif
    .`LEDS(led)
  );
  always #5 clock = ~clock;

`ifdef OWN
  `define BOARD u_top
`else
  `define BOARD u_top.u_board
`endif

  task fails(input [8*40-1:0] why);
    begin
      $display("FAIL cycle %0d: %0s", cycle, why);
      $finish;
    end
  endtask

  // After a cycle: each lamp that the board has, by what the stand-in says.
  task tick;
    begin
      was = lamp[0];
      repeat (`DIVIDED) @(posedge clock);
      #1 cycle = cycle + 1;
      changed = (lamp[0] === was) ? changed + 1 : 1;
`ifdef OWN
      if (changed > (1 << `BEAT) || (lamp[0] !== was && cycle % (1 << `BEAT) != 0)) fails("lamp 0 blinks at another rate");
`endif
      if (`BOARD.rst_q) resets = resets + 1;
      if (cycle > 20) begin
        if (lamp[1] !== `BOARD.u_selftest.rounds_o[SLOW]) fails("lamp 1 is not of the rounds");
        if (lamp[2] !== |`BOARD.u_selftest.errors_o) fails("lamp 2 is not of an error");
        for (k = 4; k < `LAMPS; k = k + 1)
          if (lamp[k] !== `BOARD.u_selftest.errors_o[k-4]) fails("a lamp does not say why");
      end
    end
  endtask

  task passes_all;                     // from a reset: lamp 3 after 2^(SLOW + 3) rounds, no sooner
    begin
      if (!(`BOARD.u_selftest.rounds_o < 4) || `BOARD.rst_q) fails("no reset, or it does not end");
      while (`BOARD.u_selftest.rounds_o < (8 << SLOW)) begin
        if (lamp[3] !== 1'b0) fails("lamp 3 too early");
        tick;
      end
      repeat (2) tick;
      repeat (300) begin
        if (lamp[3] !== 1'b1) fails("lamp 3 is dark");
        tick;
      end
    end
  endtask

  task press(input integer cycles);
    begin
      resets = 0;
      #3 pressed = 1'b1;
      repeat (cycles) tick;
      #3 pressed = 1'b0;
      repeat (40) tick;
      if (resets < 16) fails("the button does not restart");
    end
  endtask

  initial begin
    #1 if (`BOARD.u_selftest.VCS != 2 || `BOARD.u_selftest.DEPTH != 3 || `BOARD.u_selftest.FLIT_W != 40 || `BOARD.u_selftest.PATH != 3 ||
        `BOARD.u_selftest.SCAN != 4 || `BOARD.u_selftest.LEVEL != 2 || `BOARD.u_selftest.LEVELS != 5)
      fails("a parameter of the switch is lost");
    if (`BOARD.BEAT != `BEAT || `BOARD.SLOW != SLOW) fails("BEAT or SLOW is another");
    repeat (40) tick;
    if (resets < 16) fails("no reset after power-up");
    passes_all;
    for (e = 0; e < 4; e = e + 1) begin
      bad = 4'd1 << e;
      tick;
      bad = 4'd0;
      repeat (2) tick;
      repeat (100) begin
        if (lamp[2] !== 1'b1 || lamp[3] !== 1'b0) fails("an error does not stay");
        tick;
      end
`ifdef BUTTON
      press(e == 0 ? 1 : 5 * e);
      if (lamp[2] !== 1'b0) fails("the button leaves the error lit");
      passes_all;
`endif
    end
`ifdef BUTTON
    press(50);                         // without an error, too
    passes_all;
`endif
    $display("PASS");
    $finish;
  end
endmodule
`default_nettype wire
