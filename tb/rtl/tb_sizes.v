// SPDX-License-Identifier: Apache-2.0
// tb_sizes.v - every depth of a queue and every width of a flit, where the regression has a choice of them.
//
// fifo.v and fifo_fast.v at depths 1 to 16 with the narrowest and the widest flits, and at every width of 18 to 66 bits with
// depths 2 and 3, against a list, 200 cycles at random; gather.v with every number of words, every code and every width.
// +first ends the run with the first FAIL.
`default_nettype none

module sizes_fifo #(
  parameter integer WIDTH = 34,
  parameter integer DEPTH = 2
);
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg              push, pop;
  reg  [WIDTH-1:0] data;
  wire [WIDTH-1:0] front, front_fast, next;
  wire             valid, room, fresh, valid_fast, room_fast, fresh_fast, more, turn, to;
  wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe, probe_fast;
  reg  [WIDTH-1:0] list [0:DEPTH];
  reg              is_fresh;
  integer          checks = 0;
  integer          fails  = 0;
  integer          held, t, k;

  fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) plain (
    .clk_i(clk), .rst_i(rst), .push_i(push), .data_i(data), .pop_i(pop), .data_o(front), .valid_o(valid), .room_o(room),
    .fresh_o(fresh), .probe_o(probe)
  );
  fifo_fast #(.WIDTH(WIDTH), .DEPTH(DEPTH)) fast (
    .clk_i(clk), .rst_i(rst), .push_i(push), .data_i(data), .pop_i(pop), .data_o(front_fast), .valid_o(valid_fast),
    .room_o(room_fast), .fresh_o(fresh_fast), .next_o(next), .more_o(more), .turn_o(turn), .to_o(to), .probe_o(probe_fast)
  );

  task check(input good);
    begin
      checks = checks + 1;
      if (good !== 1'b1) begin
        fails = fails + 1;
        if (fails <= 2) $display("FAIL tb_sizes: queue of %0d, %0d bits: cycle %0d, %0d held", DEPTH, WIDTH, t, held);
        if ($test$plusargs("first")) $finish;
      end
    end
  endtask

  task all;
    begin
      held = 0;
      is_fresh = 1'b0;
      push = 1'b0;
      pop = 1'b0;
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      rst = 1'b0;
      for (t = 0; t < 200; t = t + 1) begin  // fills in 50 cycles, drains in 50
        push = held < DEPTH && ($random & 7) < ((t / 50) % 2 ? 2 : 7);
        pop  = held > 0 && ($random & 7) < ((t / 50) % 2 ? 7 : 2);
        data = {$random, $random, $random};
        #1;
        check({valid, room, fresh} === {held > 0, held < DEPTH, is_fresh});
        check({valid_fast, room_fast, fresh_fast, more} === {held > 0, held < DEPTH, is_fresh, push | held > 1});
        if (held > 0) check(front === list[0] && front_fast === list[0]);
        if (push | held > 1) check(next === (held > 1 ? list[1] : data));
        is_fresh = (push && held == {31'd0, pop}) || (pop && held > 1);
        if (push) list[held] = data;
        if (pop) for (k = 0; k < DEPTH; k = k + 1) list[k] = list[k+1];
        held = held + push - pop;
        #1 clk = 1'b1;
        #1 clk = 1'b0;
      end
    end
  endtask
endmodule

module sizes_gather #(
  parameter integer WIDTH  = 34,
  parameter integer INPUTS = 5,
  parameter integer CODE   = 0
);
  reg  [INPUTS-1:0]       from;
  reg  [INPUTS*WIDTH-1:0] words;
  wire [WIDTH-1:0]        word;
  reg  [WIDTH-1:0]        want;
  integer                 checks = 0;
  integer                 fails  = 0;
  integer                 k, t;

  gather #(.WIDTH(WIDTH), .INPUTS(INPUTS), .CODE(CODE)) dut (.from_i(from), .words_i(words), .word_o(word));

  // k = INPUTS: none of them; of two there is always one.
  task all;
    for (k = 0; k <= INPUTS - (INPUTS == 2); k = k + 1)
      for (t = 0; t < 4; t = t + 1) begin
        words = {$random, $random, $random, $random, $random, $random, $random, $random, $random, $random, $random};
        if (t < 2) words = {INPUTS*WIDTH{t[0]}};
        want = words >> WIDTH * k;
        if (k == INPUTS) want = {WIDTH{1'b0}};
        if (INPUTS == 2) from = k;
        else if (INPUTS == 4 && CODE == 0) from = {1'b0, k == 2 || k == 3, k == 1 || k == 3, k == 0 || k == 3};
        else if (INPUTS == 4 && CODE == 1) from = {1'b0, k == 2 || k == 3, k == 1 || k == 2, k == 0 || k == 1};
        else from = 1 << k;
        #1;
        checks = checks + 1;
        if (word !== want) begin
          fails = fails + 1;
          if (fails <= 2) $display("FAIL tb_sizes: word %0d of %0d, code %0d, %0d bits: got %h, want %h", k, INPUTS, CODE, WIDTH, word, want);
          if ($test$plusargs("first")) $finish;
        end
      end
  endtask
endmodule

module tb_sizes;
  integer checks = 0;
  integer fails  = 0;
  genvar w, d;
  generate
    for (d = 1; d <= 16; d = d + 1) begin : g_depth
      sizes_fifo #(.WIDTH(18), .DEPTH(d)) low ();
      sizes_fifo #(.WIDTH(66), .DEPTH(d)) high ();
      initial begin
        low.all;
        high.all;
        checks = checks + low.checks + high.checks;
        fails  = fails + low.fails + high.fails;
      end
    end
    for (w = 18; w <= 66; w = w + 1) begin : g_width
      sizes_fifo #(.WIDTH(w), .DEPTH(2)) pair ();
      sizes_fifo #(.WIDTH(w), .DEPTH(3)) ring ();
      sizes_gather #(.WIDTH(w), .INPUTS(2)) two ();
      sizes_gather #(.WIDTH(w), .INPUTS(3)) three ();
      sizes_gather #(.WIDTH(w), .INPUTS(4)) four ();
      sizes_gather #(.WIDTH(w), .INPUTS(4), .CODE(1)) circle ();
      sizes_gather #(.WIDTH(w), .INPUTS(4), .CODE(2)) hot ();
      sizes_gather #(.WIDTH(w), .INPUTS(5)) five ();
      initial begin
        pair.all;
        ring.all;
        two.all;
        three.all;
        four.all;
        circle.all;
        hot.all;
        five.all;
        checks = checks + pair.checks + ring.checks + two.checks + three.checks + four.checks + circle.checks + hot.checks +
                 five.checks;
        fails  = fails + pair.fails + ring.fails + two.fails + three.fails + four.fails + circle.fails + hot.fails + five.fails;
      end
    end
  endgenerate
  initial begin
    #2000;
    if (fails == 0 && checks > 90000) $display("PASS tb_sizes: %0d checks", checks);
    else $display("FAIL tb_sizes: %0d of %0d checks", fails, checks);
    $finish;
  end
endmodule
`default_nettype wire
