// SPDX-License-Identifier: Apache-2.0
// selftest.v - a switch between six sources of random worms and six checkers, for a board.
//
// In a round every channel of every port sends WORMS worms.  Then the round waits until as many flits
// of each source have left as it sent, and counts.  Four rounds go through the four kinds of load:
// sources with and without gaps in turn, far ends that mostly stall twice, mostly do not, never do.  A source's
// flits pass the switch in order, so each must be the next of its source, at whatever port it leaves.
// An error stays until reset.
`default_nettype none
`include "flit.vh"

module selftest #(
  parameter integer VCS    = 1,        // the parameters of switch.v
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,       // at least 16 above the address
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer WORMS  = 32,       // a channel and round, of 1 to 8 flits
  parameter integer WATCH  = 10        // 2^WATCH cycles without a flit are a lock-up
) (
  input  wire        clk_i,
  input  wire        rst_i,            // synchronous, active high
  output wire [31:0] rounds_o,         // passed since reset
  // {stuck or lost, out of sequence, wrong port, broken}: a flit's code, the order of its worm, no room
  output wire [3:0]  errors_o
);
  localparam integer W     = FLIT_W + 2;
  localparam integer PORTS = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer COUNT = 12;
  // Code, sequence and source of a flit take 16 bits above the address, as switch_check.vh counts it.
  localparam integer LEAST = 16 + 4 * LEVELS + $clog2(LEVELS + 1) + ((PATH == `FATFLY_FP) ? LEVELS - 1 : 0);
  generate
    if (FLIT_W < LEAST) begin : g_bad_flit_w
      fatfly_error_FLIT_W_must_be_16_above_the_address u_error ();
    end
    // Where a worm goes is drawn from 16 bits.
    if (LEVELS > 8) begin : g_bad_levels
      fatfly_error_LEVELS_of_the_self_test_must_be_1_to_8 u_error ();
    end
  endgenerate
  localparam integer SEQ_W = 5 - $clog2(VCS);
  localparam integer CH    = 6 * VCS;

  wire [CH-1:0]       in_valid;
  wire [6*W-1:0]      in_flit;
  wire [CH-1:0]       in_room;
  wire [CH-1:0]       out_valid;
  wire [6*W-1:0]      out_flit;
  reg  [CH-1:0]       room_q;
  wire [5:0]          idle;
  wire [CH*COUNT-1:0] sent;
  wire [5:0]          seen;
  wire [6*CH-1:0]     whose;           // row o: of which source a flit left by port o
  wire [6*SEQ_W-1:0]  seq;
  wire [5:0]          broken;
  wire [5:0]          wrong;
  wire [CH-1:0]       same;            // all that was sent has left
  wire [CH-1:0]       astray;          // not the next of its source
  reg  [31:0]         rounds_q;
  reg  [3:0]          errors_q;
  reg  [2:0]          pause_q;         // cycles until the end of a round can be told
  reg                 all_idle_q;
  reg                 all_same_q;
  reg  [WATCH-1:0]    quiet_q;         // cycles since a flit left, while some have not
  reg                 begun_q;

  // Nothing starts after an error: what the boards show stays as it was.
  wire pass  = begun_q & (pause_q == 3'd0) & all_idle_q & all_same_q & (errors_q == 4'd0);
  wire start = ~begun_q | pass;
  wire fast  = rounds_q[0];

  genvar p, o;
  generate
    for (p = 0; p < 6; p = p + 1) begin : g_port
      if (p < PORTS) begin : g_here
        selftest_source #(
          .VCS(VCS), .FLIT_W(FLIT_W), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(p), .WORMS(WORMS), .COUNT(COUNT)
        ) u_source (
          .clk_i(clk_i), .rst_i(rst_i), .start_i(start), .fast_i(fast),
          .valid_o(in_valid[VCS*p+:VCS]), .flit_o(in_flit[W*p+:W]), .room_i(in_room[VCS*p+:VCS]),
          .idle_o(idle[p]), .sent_o(sent[VCS*COUNT*p+:VCS*COUNT])
        );
        selftest_sink #(
          .VCS(VCS), .FLIT_W(FLIT_W), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(p)
        ) u_sink (
          .clk_i(clk_i), .rst_i(rst_i),
          .valid_i(out_valid[VCS*p+:VCS]), .flit_i(out_flit[W*p+:W]), .room_i(room_q[VCS*p+:VCS]),
          .seen_o(seen[p]), .whose_o(whose[CH*p+:CH]), .seq_o(seq[SEQ_W*p+:SEQ_W]),
          .broken_o(broken[p]), .wrong_o(wrong[p])
        );
      end else begin : g_absent
        // Parents of the root: nothing may leave there.
        wire unused = &{1'b0, in_room[VCS*p+:VCS], out_flit[W*p+:W], room_q[VCS*p+:VCS], 1'b0};
        assign in_valid[VCS*p+:VCS] = {VCS{1'b0}};
        assign in_flit[W*p+:W]      = {W{1'b0}};
        assign idle[p]              = 1'b1;
        assign sent[VCS*COUNT*p+:VCS*COUNT] = {VCS*COUNT{1'b0}};
        assign seen[p]              = 1'b0;
        assign whose[CH*p+:CH]      = {CH{1'b0}};
        assign seq[SEQ_W*p+:SEQ_W]  = {SEQ_W{1'b0}};
        assign broken[p]            = 1'b0;
        assign wrong[p]             = |out_valid[VCS*p+:VCS];
      end
    end
  endgenerate

  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS)
  ) u_switch (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(32'h2545f491),
    .in_valid_i(in_valid), .in_flit_i(in_flit), .in_room_o(in_room),
    .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(room_q),
    /* verilator lint_off PINCONNECTEMPTY */
    .probe_o()                         // for simulation
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // Room at the far ends, from two bits a channel.
  wire [31:0] random;
  wire [15:0] random_next;
  lfsr u_lfsr (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(32'h7f4a7c15), .state_o(random), .next_o(random_next)
  );
  wire [CH-1:0] lot_a = random[CH-1:0];
  wire [CH-1:0] lot_b = random[31-:CH];
  always @(posedge clk_i)
    room_q <= (rounds_q[1:0] == 2'd3) ? {CH{1'b1}} : rounds_q[1] ? lot_a | lot_b : lot_a & lot_b;

  // Every source's next flit.
  generate
    for (p = 0; p < CH; p = p + 1) begin : g_source
      wire [5:0]         left;         // ports by which a flit of this source leaves
      wire [6*SEQ_W-1:0] ands;
      reg  [COUNT-1:0]   got_q;
      reg                same_q;
      reg                astray_q;
      for (o = 0; o < 6; o = o + 1) begin : g_out
        assign left[o]               = whose[CH*o+p];
        assign ands[SEQ_W*o+:SEQ_W]  = seq[SEQ_W*o+:SEQ_W] & {SEQ_W{left[o]}};
      end
      wire [SEQ_W-1:0] which = ands[0+:SEQ_W] | ands[SEQ_W+:SEQ_W] | ands[2*SEQ_W+:SEQ_W] |
                               ands[3*SEQ_W+:SEQ_W] | ands[4*SEQ_W+:SEQ_W] | ands[5*SEQ_W+:SEQ_W];
      always @(posedge clk_i)
        if (rst_i) begin
          got_q    <= 0;
          same_q   <= 1'b0;
          astray_q <= 1'b0;
        end else begin
          if (|left) got_q <= got_q + 1'b1;
          same_q   <= got_q == sent[COUNT*p+:COUNT];
          astray_q <= |left & (which != got_q[SEQ_W-1:0] || |(left & (left - 1'b1)));
        end
      assign same[p]   = same_q;
      assign astray[p] = astray_q;
    end
  endgenerate

  always @(posedge clk_i)
    if (rst_i) begin
      rounds_q   <= 32'd0;
      errors_q   <= 4'd0;
      pause_q    <= 3'd7;
      all_idle_q <= 1'b0;
      all_same_q <= 1'b0;
      quiet_q    <= 0;
      begun_q    <= 1'b0;
    end else begin
      begun_q    <= 1'b1;
      all_idle_q <= &idle;
      all_same_q <= &same;
      pause_q    <= start ? 3'd7 : (pause_q != 3'd0) ? pause_q - 1'b1 : pause_q;
      quiet_q    <= (|seen | (all_idle_q & all_same_q)) ? {WATCH{1'b0}} : (&quiet_q) ? quiet_q : quiet_q + 1'b1;
      errors_q   <= errors_q | {&quiet_q, |astray, |wrong, |broken};
      if (pass) rounds_q <= rounds_q + 1'b1;
    end
  assign rounds_o = rounds_q;
  assign errors_o = errors_q;
  wire unused = &{1'b0, random, random_next, 1'b0};
endmodule
`default_nettype wire
