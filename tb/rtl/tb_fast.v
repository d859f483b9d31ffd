// SPDX-License-Identifier: Apache-2.0
// tb_fast.v - the fast switch beside the reference, both as users build them, without a probe: random worms, the same outputs
// in every cycle.
//
// Every path selection with every scan at a leaf, in the middle and at a root with one channel of two flits; with two channels
// and with other queues every path selection with every scan; four channels.  Numbers of levels, widths and depths go round,
// so that each kind of port meets many of them.  The proofs of make formal are of few levels and widths, and show a probe.
`default_nettype none
`include "flit.vh"

module tb_fast #(
  parameter integer FROM = 0,            // rows; test_fast.sh runs all 114, a few at once, as Icarus takes its time for many
  parameter integer ROWS = 4
);
  integer checks = 0;
  integer fails  = 0;
  integer parts  = 0;
  genvar n;
  generate
    for (n = FROM; n < FROM + ROWS; n = n + 1) begin : g_row
      // Rows 0 to 59: one channel of two flits.  60 to 68: RP with RR, FO, ROT and two channels of two flits.  69 to 109: one or
      // two channels, any queue.  110 to 113: four.
      localparam integer M     = (n < 60) ? n : (n < 69) ? n - 60 : n - 69;
      localparam integer V     = (n < 60) ? 1 : (n < 69) ? 2 : (n > 109) ? 4 : (M > 19 && M < 30) ? 1 : 2;
      localparam integer PATH  = (n < 60 || (n > 68 && n < 110)) ? M % 4 : `FATFLY_RP;
      localparam integer SCAN  = (n < 60 || (n > 68 && M < 20)) ? M / 4 % 5 : (n > 68 && n < 110) ? (2 * M + M / 4) % 5 : (n < 69) ? ((M % 3 == 2) ? `FATFLY_ROT : M % 3) : `FATFLY_RR;
      localparam integer PLACE = (n < 60) ? M / 20 : (n < 69) ? M / 3 : (M % 4 + M / 4 * 2 + M / 20 + 1) % 3;
      localparam integer Q     = (n < 69 || n > 110 || (M > 29 && n < 110)) ? 2 : 1 + (5 * n + n / 16) % 16;
      localparam integer N     = (PLACE == 2) ? 1 + (7 * n + n / 10) % 10 : (PLACE == 0) ? 2 + (7 * n + n / 9) % 9 : 3 + (5 * n + n / 8) % 8;
      localparam integer L     = (PLACE == 2) ? N : (PLACE == 0) ? 1 : 2 + (3 * n) % (N - 2);
      localparam integer HEAD  = 4 * N + $clog2(N + 1) + ((PATH == `FATFLY_FP) ? N - 1 : 0);
      localparam integer LEAST = (HEAD < 16) ? 16 : HEAD;
      localparam integer BITS  = LEAST + (11 * n) % (65 - LEAST);
      fast_pair #(.VCS(V), .DEPTH(Q), .FLIT_W(BITS), .PATH(PATH), .SCAN(SCAN), .LEVEL(L), .LEVELS(N)) b ();
      initial begin
        #(1000 * (n - FROM));
        b.all;
        checks = checks + b.checks;
        fails  = fails + b.fails;
        parts  = parts + 1;
      end
    end
  endgenerate

  initial begin
    #(1000 * (ROWS + 1));
    if (fails == 0 && parts == ROWS)
      $display("PASS tb_fast: %0d checks", checks);
    else $display("FAIL tb_fast: %0d checks, %0d failed, %0d rows of %0d", checks, fails, parts, ROWS);
    $finish;
  end
endmodule
`default_nettype wire
