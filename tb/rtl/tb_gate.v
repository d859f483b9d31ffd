// SPDX-License-Identifier: Apache-2.0
// tb_gate.v - gate.v alone is its table: what scripts/sim/verilate.sh has in its place (FATFLY_GATE_TABLE).
// Each output is one bit of the table, so that tables with one bit set, and with one bit clear, show all.
`default_nettype none

module tb_gate;
  reg  [3:0]  in;
  wire [15:0] set, clear;
  integer     n;
  integer     checks = 0;
  integer     fails  = 0;

  genvar k;
  generate
    for (k = 0; k < 16; k = k + 1) begin : g_bit
      gate #(.TABLE(16'd1 << k))    u_set   (.in_i(in), .out_o(set[k]));
      gate #(.TABLE(~(16'd1 << k))) u_clear (.in_i(in), .out_o(clear[k]));
    end
  endgenerate

  initial begin
    for (n = 0; n < 16; n = n + 1) begin
      in = n[3:0];
      #1;
      checks = checks + 1;
      if (set !== 16'd1 << n || clear !== ~(16'd1 << n)) begin
        fails = fails + 1;
        $display("FAIL tb_gate: input %b: %b %b", in, set, clear);
      end
    end
    if (fails == 0 && checks == 16) $display("PASS tb_gate: %0d inputs, 32 tables", checks);
    $finish;
  end
endmodule
`default_nettype wire
