// SPDX-License-Identifier: Apache-2.0
// tb_gather.v - gather.v alone: every choice of every number of words, at random words.
`default_nettype none

module gather_bench #(
  parameter integer INPUTS = 2
);
  reg  [INPUTS-1:0]   from;
  reg  [INPUTS*8-1:0] words;
  wire [7:0]          word, some;
  integer             checks = 0;
  integer             fails  = 0;
  integer             k, t;
  reg  [7:0]          want;

  gather #(.WIDTH(8), .INPUTS(INPUTS)) dut (.from_i(from), .words_i(words), .word_o(word));
  gather #(.WIDTH(8), .INPUTS(INPUTS), .BITS(8'h5a)) part (.from_i(from), .words_i(words), .word_o(some));


  // What tb/formal proves of every input holds here, too.
  wire                ok, ok_part;
  wire [1:0]          bad, bad_part, covers, covers_part;
  gather_props #(.WIDTH(8), .INPUTS(INPUTS)) props (
    .from_i(from), .words_i(words), .word_o(word), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  gather_props #(.WIDTH(8), .INPUTS(INPUTS), .BITS(8'h5a)) props_part (
    .from_i(from), .words_i(words), .word_o(some), .ok_o(ok_part), .bad_o(bad_part), .cover_o(covers_part)
  );

  // k = INPUTS: none.
  task all;
    for (k = 0; k <= INPUTS; k = k + 1)
      for (t = 0; t < 200; t = t + 1) begin
        words = {$random, $random};
        want  = (k < INPUTS) ? words[8*k+:8] : 8'd0;
        if (INPUTS == 2) from = (k == 1);
        else if (INPUTS == 4) from = {k == 2 || k == 3, k == 1 || k == 3, k == 0 || k == 3};
        else from = (k < INPUTS) ? 1 << k : 0;
        #1;
        checks = checks + 1;
        if ({ok, ok_part, bad, bad_part} !== 6'b110000) begin
          fails = fails + 1;
          if (fails <= 5) $display("FAIL tb_gather: %0d words, %0d: bad %b %b", INPUTS, k, bad, bad_part);
        end
        if ((word !== want || some !== (want & 8'h5a)) && (INPUTS != 2 || k != 2)) begin
          fails = fails + 1;
          if (fails <= 5) $display("FAIL tb_gather: %0d words, %0d: got %h, want %h", INPUTS, k, word, want);
        end
      end
  endtask
endmodule

module tb_gather;
  gather_bench #(2) two ();
  gather_bench #(3) three ();
  gather_bench #(4) four ();
  gather_bench #(5) five ();
  initial begin
    two.all;
    three.all;
    four.all;
    five.all;
    if (two.fails + three.fails + four.fails + five.fails == 0)
      $display("PASS tb_gather: %0d checks", two.checks + three.checks + four.checks + five.checks);
    $finish;
  end
endmodule
`default_nettype wire
