// SPDX-License-Identifier: Apache-2.0
// gather_props.v - what must hold of gather.v, for proof and simulation: it gives the word that
// from_i codes, as a choice among all of them, and of that the bits that are read.
`default_nettype none

module gather_props #(
  parameter integer WIDTH  = 34,
  parameter integer INPUTS = 5,
  parameter integer CODE   = 0,        // of four words, as in gather.v
  parameter [WIDTH-1:0] BITS = {WIDTH{1'b1}}
) (
  input  wire [INPUTS-1:0]       from_i,
  input  wire [INPUTS*WIDTH-1:0] words_i,
  input  wire [WIDTH-1:0]        word_o,
  output wire                    ok_o,     // from_i is a code of one word or of none
  // bad[0]: a bit that is read differs from the word that is chosen, zero if none is
  // bad[1]: a bit that is not read is not zero
  output wire [1:0]              bad_o,
  // cover[0]: the last word, all ones
  // cover[1]: no word (of two: the first)
  output wire [1:0]              cover_o
);
  reg  [INPUTS-1:0] one;               // the word chosen, one-hot or zero
  reg               code;
  reg  [WIDTH-1:0]  want;
  integer           k;
  always @* begin
    one  = from_i;
    code = ~|(from_i & (from_i - 1'b1));
    if (INPUTS == 2) begin
      one  = {{(INPUTS-1) {1'b0}}, 1'b1} << from_i[0];
      code = ~from_i[1];
    end else if (INPUTS == 4 && CODE != 2) begin
      one  = {INPUTS{1'b0}};
      for (k = 0; k < INPUTS; k = k + 1)
        one[k] = from_i == ((CODE == 1) ? (3 << k >> 1) & 7 : (k == 3) ? 7 : 1 << k);
      code = from_i == {INPUTS{1'b0}} | (|one);
    end
    want = {WIDTH{1'b0}};
    for (k = 0; k < INPUTS; k = k + 1)
      if (one[k]) want = words_i[WIDTH*k+:WIDTH];
  end

  assign ok_o       = code;
  assign bad_o[0]   = |((word_o ^ want) & BITS);
  assign bad_o[1]   = |(word_o & ~BITS);
  assign cover_o[0] = one[INPUTS-1] & &(word_o | ~BITS);
  assign cover_o[1] = (INPUTS == 2) ? one[0] & |word_o : ~|one & &words_i;
endmodule
`default_nettype wire
