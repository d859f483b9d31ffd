// SPDX-License-Identifier: Apache-2.0
// tb_selftest_all.v - self-tests side by side for Verilator: every V, scan, path and level in a few switches.  One line each, when ROUNDS rounds have passed in all of
// them or CYCLES are over: `v V path P scan S level L depth Q width W: rounds R errors EEEE`.
`default_nettype none

module tb_selftest_all #(
  parameter integer ROUNDS = 32,     // the counts of flits go round
  parameter integer CYCLES = 60000
) (
  input wire clk_i
);
  integer     cycle = 0;
  wire [4:0] ready;
  wire        stop = &ready || cycle == CYCLES;

  always @(posedge clk_i) cycle <= cycle + 1;

  genvar k;
  generate
    for (k = 0; k < 5; k = k + 1) begin : g_run
      localparam integer VCS    = (k == 2) ? 4 : 1 + k % 2;
      localparam integer SCAN   = k;
      localparam integer PATH   = k % 4;
      localparam integer LEVEL  = k % 3 + 1;
      localparam integer DEPTH  = 1 + (k + 1) % 4;
      localparam integer FLIT_W = (k % 4 == 3) ? 64 : (k % 4 == 2) ? 33 : 32;
      wire [31:0] rounds;
      wire [3:0]  errors;
      selftest #(
        .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL)
      ) u_selftest (
        .clk_i(clk_i), .rst_i(cycle < 3), .rounds_o(rounds), .errors_o(errors)
      );
      assign ready[k] = rounds >= ROUNDS;
      always @(posedge clk_i)
        if (stop)
          $display("v %0d path %0d scan %0d level %0d depth %0d width %0d: rounds %0d errors %b",
                   VCS, PATH, SCAN, LEVEL, DEPTH, FLIT_W, rounds, errors);
    end
  endgenerate

  always @(posedge clk_i)
    if (stop) begin
      $display("cycles %0d", cycle);
      $finish;
    end
endmodule
`default_nettype wire
