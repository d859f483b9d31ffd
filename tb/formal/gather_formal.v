// SPDX-License-Identifier: Apache-2.0
// gather_formal.v - gather.v with its properties: all words and codes, all bits read or every other.
`default_nettype none

module gather_formal #(
  parameter integer WIDTH  = 34,
  parameter integer INPUTS = 5,
  parameter integer CODE   = 0
) (
  input wire [INPUTS-1:0]       from_i,
  input wire [INPUTS*WIDTH-1:0] words_i
);
  localparam [63:0] SOME = 64'h5a5a_5a5a_5a5a_5a5a;
  wire [WIDTH-1:0]  word, part;
  wire              ok, part_ok;
  wire [1:0]        bad, part_bad, covers, part_covers;

  gather #(.WIDTH(WIDTH), .INPUTS(INPUTS), .CODE(CODE)) dut (
    .from_i(from_i), .words_i(words_i), .word_o(word)
  );
  gather_props #(.WIDTH(WIDTH), .INPUTS(INPUTS), .CODE(CODE)) u_props (
    .from_i(from_i), .words_i(words_i), .word_o(word), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  gather #(.WIDTH(WIDTH), .INPUTS(INPUTS), .CODE(CODE), .BITS(SOME[WIDTH-1:0])) u_part (
    .from_i(from_i), .words_i(words_i), .word_o(part)
  );
  gather_props #(.WIDTH(WIDTH), .INPUTS(INPUTS), .CODE(CODE), .BITS(SOME[WIDTH-1:0])) u_part_props (
    .from_i(from_i), .words_i(words_i), .word_o(part), .ok_o(part_ok), .bad_o(part_bad),
    .cover_o(part_covers)
  );
  check #(.BAD(2), .COVER(2)) u_check (
    .ok_i(ok & part_ok), .bad_i(bad | part_bad), .cover_i(covers & part_covers)
  );
endmodule
`default_nettype wire
