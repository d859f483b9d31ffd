// SPDX-License-Identifier: Apache-2.0
// tb_lfsr.v - lfsr.v alone: by hand, against single steps, from each kind of seed.
// C twin: tb/unit/test_lfsr.c, which also proves the period.
`default_nettype none

module tb_lfsr;
  reg         clk = 1'b0;
  reg         rst;
  reg  [31:0] seed;
  wire [31:0] state;
  integer     checks = 0;
  integer     fails  = 0;
  integer     t, k, run;
  reg  [31:0] want;

  wire [15:0] next;
  wire [3:0]  bad;
  wire [1:0]  covers;

  lfsr dut (.clk_i(clk), .rst_i(rst), .seed_i(seed), .state_o(state), .next_o(next));

  // What tb/formal proves of every input holds here, too.
  lfsr_props props (
    .clk_i(clk), .rst_i(rst), .seed_i(seed), .state_o(state), .next_o(next), .bad_o(bad),
    .cover_o(covers)
  );

  task check(input [8*16-1:0] name, input [31:0] got, input [31:0] expected);
    begin
      checks = checks + 1;
      if (got !== expected) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_lfsr: time %0t %0s: got %h, want %h", $time, name, got, expected);
      end
    end
  endtask

  task tick;
    begin
      #5 check("properties", {28'd0, bad}, 32'd0);
      clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask

  task start(input [31:0] from);
    begin
      rst  = 1'b1;
      seed = from;
      tick;
      rst  = 1'b0;
      seed = 32'hxxxxxxxx;               // read at reset only
      #1;
    end
  endtask

  initial begin
    start(32'd1);
    check("by hand 0", state, 32'h00000001);
    tick; check("by hand 1", state, 32'h00010000);
    tick; check("by hand 2", state, 32'h46000001);
    tick; check("by hand 3", state, 32'h00014600);

    start(32'd0);        check("seed 0", state, 32'd1);
    start(32'h80000000); check("seed 2^31", state, 32'h80000000);
    start(32'hffffffff); check("all ones", state, 32'hffffffff);

    // One step: s[n] = s[n-32] ^ s[n-30] ^ s[n-26] ^ s[n-25]; bit 31 is the youngest.
    for (run = 0; run < 64; run = run + 1) begin
      want = (run < 32) ? 32'd1 << run : $random;
      start(want);
      for (t = 0; t < 40; t = t + 1) begin
        check("16 steps", state, want);
        for (k = 0; k < 16; k = k + 1)
          want = {want[0] ^ want[2] ^ want[6] ^ want[7], want[31:1]};
        tick;
      end
    end

    if (fails == 0) $display("PASS tb_lfsr: %0d checks", checks);
    $finish;
  end
endmodule
`default_nettype wire
