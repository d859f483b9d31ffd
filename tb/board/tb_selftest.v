// SPDX-License-Identifier: Apache-2.0
// tb_selftest.v - runs the self-test of a board until ROUNDS rounds have passed, an error shows or CYCLES
// are over, and says so in one line: `rounds R errors EEEE led L cycles C`.
//
// Rounds are counted from START, and the flits of each source from 40 below the end of their count, which so goes round.
// What is not as selftest.v and selftest_board.v say gets a line before that, `FAIL` and why: counts, lamps 1 and 3, the
// worms of a round, how long they are (1 to 8 flits), where they go (each child, and under FP each parent), the four kinds of load, the cycles until a lock-up is
// told, an error that does not stay.
`default_nettype none

module tb_selftest #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = 1,
  parameter integer SCAN   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer WORMS  = 8,        // a channel and round
  parameter integer SLOW   = 0,
  parameter integer START  = -2,       // 2^32 - 2
  parameter integer ROUNDS = 4,
  parameter integer LINGER = 12,       // cycles after an error
  parameter integer CYCLES = 60000
);
  localparam integer PORTS = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer CH    = PORTS * VCS;
  localparam integer QUIET = 1024;     // cycles without a flit that are a lock-up
  reg          clk = 1'b0;
  reg          was_rst = 1'b0;
  reg          set = 1'b0;             // counts begin
  reg          done = 1'b0;            // lamp 3
  reg          wrong = 1'b0;
  reg   [31:0] rounds;
  reg    [7:0] led_q;
  wire   [5:0] able;                   // ports all of whose channels have a flit and room
  wire   [5:0] sends;
  wire  [23:0] heads;                  // that enter
  integer      cycle = 0, since = 0, quiet = 0, errors = 0, c, k;
  integer      looked [0:3];           // cycles, by kind of load
  integer      rooms  [0:4*24-1];      // ... in which channel c has room at its far end, 24 * kind + c
  integer      turns  [0:4*6-1];       // ... in which port c is able, 6 * kind + c
  integer      gaps   [0:4*6-1];       // ... and sends nothing
  integer      worms  [0:23];
  integer      flits  [0:23];          // of the worm under way, by channel
  integer      long   [0:8];           // worms of so many flits
  integer      down   [0:3];           // worms to each child
  integer      up     [0:1];           // ... and up, by their path bit for this level
  reg [FLIT_W+1:0] flit;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  wire   [7:0] led;

  selftest_board #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS),
    .BEAT(4), .SLOW(SLOW)
  ) u_board (
    .clk_i(clk), .restart_i(1'b0), .led_o(led)
  );
  defparam u_board.u_selftest.WORMS = WORMS;
  always #5 clk = ~clk;

  task fails(input [8*40-1:0] why, input integer where);
    begin
      if (!wrong) $display("FAIL cycle %0d, round %0d: %0s, %0d", cycle, rounds, why, where);
      wrong = 1'b1;
    end
  endtask

  genvar p, v;
  generate
    for (p = 0; p < 6; p = p + 1) begin : g_port
      assign sends[p] = |u_board.u_selftest.in_valid[VCS*p+:VCS];
      if (p < PORTS) begin : g_here
        assign able[p] = &{u_board.u_selftest.in_room[VCS*p+:VCS], u_board.u_selftest.g_port[p].g_here.u_source.more_of};
        for (v = 0; v < VCS; v = v + 1) begin : g_vc
          assign heads[VCS*p+v] = u_board.u_selftest.in_valid[VCS*p+v] & u_board.u_selftest.in_flit[(FLIT_W+2)*(p+1)-1];
          always @(posedge set) begin
            u_board.u_selftest.g_port[p].g_here.u_source.g_vc[v].sent_q = -40;
            u_board.u_selftest.g_source[VCS*p+v].got_q = -40;
          end
        end
      end else begin : g_absent
        assign able[p] = 1'b0;
      end
    end
  endgenerate

  initial begin
    for (k = 0; k < 4; k = k + 1) looked[k] = 0;
    for (k = 0; k < 4 * 24; k = k + 1) rooms[k] = 0;
    for (k = 0; k < 4 * 6; k = k + 1) turns[k] = 0;
    for (k = 0; k < 4 * 6; k = k + 1) gaps[k] = 0;
    for (k = 0; k < 24; k = k + 1) worms[k] = 0;
    for (k = 0; k < 24; k = k + 1) flits[k] = 0;
    for (k = 0; k < 9; k = k + 1) long[k] = 0;
    for (k = 0; k < 4; k = k + 1) down[k] = 0;
    for (k = 0; k < 2; k = k + 1) up[k] = 0;
  end

  // Between the reset and the first flit.
  always @(negedge clk) begin
    if (was_rst && !u_board.rst_q) begin
      set = 1'b1;
      u_board.u_selftest.rounds_q = START;
      rounds = START;
    end
    was_rst = u_board.rst_q;
  end

  // A round is over: its worms, and the lamps before the next.
  task next_round;
    begin
      if (u_board.rounds !== rounds + 1) fails("rounds are not counted", 0);
      if (led_q[1] !== rounds[SLOW]) fails("lamp 1 is not of the rounds", 1);
      if (led_q[3] !== done) fails("lamp 3 is not of the rounds", 3);
      for (c = 0; c < CH; c = c + 1) begin
        if (worms[c] != WORMS) fails("another number of worms of channel", c);
        worms[c] = 0;
      end
      rounds = rounds + 1;
      since  = 0;
    end
  endtask

  // Sources leave gaps, in about half of the cycles, in rounds 0 and 2 of four.  Far ends give room in a fourth of the cycles in
  // rounds 0 and 1, in three fourths in round 2, always in round 3.
  task loads;
    for (k = 0; k < 4; k = k + 1) begin
      for (c = 0; c < PORTS; c = c + 1) begin
        if (turns[6*k+c] == 0) fails("never able, port", c);
        if (k % 2 == 1 && gaps[6*k+c] != 0) fails("gaps in a round without, port", c);
        if (k % 2 == 0 && (5 * gaps[6*k+c] < turns[6*k+c] || 5 * gaps[6*k+c] > 4 * turns[6*k+c])) fails("not gaps half the time, port", c);
      end
      for (c = 0; c < CH; c = c + 1) begin
        if (k < 2 && (20 * rooms[24*k+c] < looked[k] || 20 * rooms[24*k+c] > 9 * looked[k])) fails("room is not rare, channel", c);
        if (k == 2 && (20 * rooms[24*k+c] < 11 * looked[k] || 20 * rooms[24*k+c] > 19 * looked[k])) fails("room is not often, channel", c);
        if (k == 3 && rooms[24*k+c] != looked[k]) fails("not always room, channel", c);
      end
    end
  endtask

  // Where a head goes, by its address (docs/switch.md).
  task way(input integer from);
    begin
      flit = u_board.u_selftest.in_flit[(FLIT_W+2)*from+:FLIT_W+2];
      if (from > 3 || flit[4*LEVELS+:HEIGHT_W] <= LEVEL) down[flit[2*(LEVEL-1)+:2]] = down[flit[2*(LEVEL-1)+:2]] + 1;
      else if (PATH == 0) up[flit[4*LEVELS+HEIGHT_W+LEVEL-1]] = up[flit[4*LEVELS+HEIGHT_W+LEVEL-1]] + 1;
    end
  endtask

  // The tail of a worm: none has more than eight flits.
  task ends(input integer channel);
    begin
      if (flits[channel] > 8) fails("a worm too long of channel", channel);
      else long[flits[channel]] = long[flits[channel]] + 1;
      flits[channel] = 0;
    end
  endtask

  task ways;
    begin
      for (k = 1; k < 9; k = k + 1) if (long[k] == 0) fails("never a worm of so many flits", k);
      for (k = 0; k < 4; k = k + 1) if (down[k] < 4) fails("hardly a worm to child", k);
      for (k = 0; k < 2; k = k + 1) if (PATH == 0 && LEVEL < LEVELS && up[k] < 4) fails("hardly a worm to parent", k);
    end
  endtask

  always @(posedge clk) begin
    cycle = cycle + 1;
    since = since + 1;
    if (set && errors == 0) begin
      if (u_board.rounds !== rounds) next_round;
      done  = done | rounds[SLOW+3];
      led_q = led;
      k     = rounds[1:0];
      for (c = 0; c < CH; c = c + 1)
        begin
          if (heads[c]) begin
            worms[c] = worms[c] + 1;
            way(c / VCS);
          end
          if (u_board.u_selftest.in_valid[c]) begin
            flits[c] = flits[c] + 1;
            if (u_board.u_selftest.in_flit[(FLIT_W+2)*(c/VCS)+FLIT_W]) ends(c);
          end
        end
      if (since > 2) begin
        looked[k] = looked[k] + 1;
        for (c = 0; c < CH; c = c + 1) if (u_board.u_selftest.room_q[c]) rooms[24*k+c] = rooms[24*k+c] + 1;
        for (c = 0; c < PORTS; c = c + 1)
          if (able[c]) begin
            turns[6*k+c] = turns[6*k+c] + 1;
            if (!sends[c]) gaps[6*k+c] = gaps[6*k+c] + 1;
          end
      end
      quiet = (|u_board.u_selftest.out_valid) ? 0 : quiet + 1;
      if (quiet < QUIET && led[7]) fails("a lock-up is told too early", quiet);
      if (quiet > QUIET + 8 && !led[7]) fails("a lock-up is not told", quiet);
    end
    // An error stays, and so does why.
    if (errors != 0 && (!led[2] || led[3] || (led_q[7:4] & ~led[7:4]) != 4'd0)) fails("an error does not stay", errors);
    if (errors != 0 || led[2]) errors = errors + 1;
    led_q = led;
    if (errors == LINGER || cycle == CYCLES || (set && rounds == START + ROUNDS)) begin
      if (set && rounds == START + ROUNDS && ROUNDS >= 4) begin
        loads;
        ways;
      end
      $display("rounds %0d errors %b led %b cycles %0d", rounds - START, u_board.errors, led, cycle);
      $finish;
    end
  end
endmodule
`default_nettype wire
