// SPDX-License-Identifier: Apache-2.0
// tb_fast.v - the fast switch beside the reference, both as users build them, without a probe: random worms, the same outputs
// in every cycle.
//
// All that chooses an implementation together: one or two channels, queues of one flit, of two or of more, path, scan, root or
// not, and what there is with four channels; leaf or not with every four of these; one channel of two flits, and the ports of
// two channels, at leaf, middle and root.  Depths, levels and widths go round.  test_fast.sh checks that no row is missing.  The
// proofs of make formal are of few levels and widths, and show a probe.
`default_nettype none
`include "flit.vh"

module tb_fast #(
  parameter integer FROM = 0,            // rows; test_fast.sh runs all 272, a few at once, as Icarus takes its time for many
  parameter integer ROWS = 4
);
  integer checks = 0;
  integer fails  = 0;
  integer parts  = 0;
  genvar n;
  generate
    for (n = FROM; n < FROM + ROWS; n = n + 1) begin : g_row
      // Rows 0 to 239: the whole product of V = 1, 2.  240 to 248: four channels.  249 to 268: one channel of two flits, where
      // it is leaf there in the middle here and the other way round.  269 to 271: so with two channels, RP, and RR, FO or ROT.
      localparam integer M     = (n < 240) ? n % 20 : (n < 249) ? `FATFLY_RP : (n < 269) ? n - 249 : `FATFLY_RP + 4 * ((n == 271) ? `FATFLY_ROT : n - 269);
      localparam integer V     = (n < 240) ? 1 + n / 120 : (n < 249) ? 4 : (n < 269) ? 1 : 2;
      localparam integer PATH  = M % 4;
      localparam integer SCAN  = M / 4;
      localparam integer CLASS = (n < 240) ? n / 20 % 3 : (n < 249) ? n % 3 : 1; // q = 1, 2, more
      localparam integer LEAF  = (PATH + SCAN + CLASS + V) % 2;
      localparam integer PLACE = (n < 240) ? ((n / 60 % 2 == 1) ? 2 : LEAF) : (n < 249) ? n / 3 % 3 : 1 - LEAF; // 2: root
      localparam integer Q     = (CLASS == 2) ? 3 + (5 * n + n / 16) % 14 : 1 + CLASS;
      // In the middle: of the 36 such levels of 3 to 10 levels, the sets of k and of 9 - k levels side by side.
      localparam integer A     = (n + n / 4) % 36 % 9;
      localparam integer B     = (n + n / 4) % 36 / 9;
      localparam integer N     = (PLACE == 2) ? 1 + (7 * n + n / 10) % 10 : (PLACE == 0) ? 2 + (7 * n + n / 9) % 9 : (A > B) ? 10 - B : 3 + B;
      localparam integer L     = (PLACE == 2) ? N : (PLACE == 0) ? 1 : (A > B) ? 1 + A - B : 2 + A;
      localparam integer HEAD  = 4 * N + $clog2(N + 1) + ((PATH == `FATFLY_FP) ? N - 1 : 0);
      localparam integer LEAST = (HEAD < 16) ? 16 : HEAD;
      localparam integer BITS  = LEAST + (11 * n) % (65 - LEAST);
      fast_pair #(.VCS(V), .DEPTH(Q), .FLIT_W(BITS), .PATH(PATH), .SCAN(SCAN), .LEVEL(L), .LEVELS(N)) b ();
      initial begin
        #(1000 * (n - FROM));
        b.all;
        $display("row %0d %0d %0d %0d %0d %0d %0d", V, Q, PATH, SCAN, L, N, BITS);
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
