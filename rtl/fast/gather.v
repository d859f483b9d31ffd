// SPDX-License-Identifier: Apache-2.0
// gather.v - one word of several: what the crossbar and the queues are made of.
// No state and no C twin: it is the assignment of a flit in switch.c.
//
// Two words and a bit take one gate of four inputs a bit, five take three, and four take two: with
// step the second gate is a multiplexer of words 2 and 3 by the first, which is then 0 or 1.  Yosys
// keeps this module apart, since it would undo just that to save a level.  Of the two codes for four
// the ring has words that follow each other in each of its bits (lead.v).
`default_nettype none

(* keep_hierarchy *)
module gather #(
  parameter integer WIDTH  = 34,
  parameter integer INPUTS = 5,        // 2 to 5
  parameter integer CODE   = 0,        // of four words: 0 as below, 1 a ring, 2 one-hot
  parameter [WIDTH-1:0] BITS = {WIDTH{1'b1}} // that are read; the others are zero
) (
  // 2: {-, the second}.  3, 5: one-hot or zero.  4: {-, step, high, low}; low for words 0 and 3,
  // high for 1 and 3, step for 2 and 3; of a ring bit k for words k and k + 1; or one-hot.  Zero gives zero,
  // but for two words.
  input  wire [INPUTS-1:0]       from_i,
  input  wire [INPUTS*WIDTH-1:0] words_i, // word i at WIDTH*i
  output wire [WIDTH-1:0]        word_o
);
  wire [WIDTH-1:0] a = words_i[0+:WIDTH];
  wire [WIDTH-1:0] b = words_i[WIDTH+:WIDTH];
  wire [WIDTH-1:0] from0 = {WIDTH{from_i[0]}};
  wire [WIDTH-1:0] from1 = {WIDTH{from_i[1]}};

  generate
    if (INPUTS == 2) begin : g_two
      wire unused = &{1'b0, from1, 1'b0};
      assign word_o = BITS & ((a & ~from0) | (b & from0));
    end else if (INPUTS == 4) begin : g_four
      wire [WIDTH-1:0] c = words_i[2*WIDTH+:WIDTH];
      wire [WIDTH-1:0] d = words_i[3*WIDTH+:WIDTH];
      wire [WIDTH-1:0] step  = {WIDTH{from_i[2]}};
      wire [WIDTH-1:0] pair = (CODE == 1) ? (from0 & ~from1 & a) | (from0 & from1 & b) | (~from0 & from1)
                                           : (from0 & from1) | (from0 & a) | (from1 & b);
      wire unused = &{1'b0, from_i[3], step, pair, 1'b0};
      if (CODE == 2) begin : g_one_hot
        assign word_o = BITS & ((a & from0) | (b & from1) | (c & step) | (d & {WIDTH{from_i[3]}}));
      end else if (CODE == 1) begin : g_ring
        assign word_o = BITS & ((pair & ~step) | (step & pair & c) | (step & ~pair & d));
      end else begin : g_code
        assign word_o = BITS & ((pair & ~step) | (step & ~pair & c) | (step & pair & d));
      end
    end else begin : g_or
      wire [WIDTH-1:0] c = words_i[2*WIDTH+:WIDTH];
      wire [WIDTH-1:0] three = (a & from0) | (b & from1) | (c & {WIDTH{from_i[2]}});
      if (INPUTS == 3) begin : g_three
        assign word_o = BITS & three;
      end else begin : g_five
        wire [WIDTH-1:0] d = words_i[3*WIDTH+:WIDTH];
        wire [WIDTH-1:0] e = words_i[4*WIDTH+:WIDTH];
        assign word_o = BITS & (three | (d & {WIDTH{from_i[3]}}) | (e & {WIDTH{from_i[4]}}));
      end
    end
  endgenerate
endmodule
`default_nettype wire
