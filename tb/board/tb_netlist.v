// SPDX-License-Identifier: Apache-2.0
// tb_netlist.v - the mapped netlist of the iCE40 board's top, built with SLOW=0, on yosys' models of the cells:
// `passed R error E` after two rounds or CYCLES.  Lamps are all it sees.
`default_nettype none

module tb_netlist #(
  parameter integer CYCLES = 4000
);
  reg        clk = 1'b0;
  reg        last = 1'b0;
  integer    cycle = 0;
  integer    passed = 0;
  wire [7:0] led;

  top u_top (.clk12_i(clk), .led_o(led));
  always #5 clk = ~clk;

  always @(posedge clk) begin
    cycle <= cycle + 1;
    last  <= led[1];
    if (cycle > 50 && led[1] !== last) passed <= passed + 1;
    if (passed == 2 || led[2] !== 1'b0 && cycle > 50 || cycle == CYCLES) begin
      $display("passed %0d error %b why %b cycles %0d", passed, led[2], led[7:4], cycle);
      $finish;
    end
  end
endmodule
`default_nettype wire
