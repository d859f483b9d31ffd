// SPDX-License-Identifier: Apache-2.0
// switches.sv - five reference switches of one path selection, a scan each, for `verilator --sc`: one build instead of five.
module switches #(
  parameter int PATH = 0
) (
  input  logic         clk_i,
  input  logic         rst_i       [5],
  input  logic [31:0]  seed_i      [5],
  input  logic [5:0]   in_valid_i  [5],
  input  logic [203:0] in_flit_i   [5],
  output logic [5:0]   in_room_o   [5],
  output logic [5:0]   out_valid_o [5],
  output logic [203:0] out_flit_o  [5],
  input  logic [5:0]   out_room_i  [5]
);
  for (genvar scan = 0; scan < 5; scan++) begin : g_scan
    switch #(.PATH(PATH), .SCAN(scan), .LEVEL(2), .LEVELS(3), .IMPL(1)) u_switch (
      .clk_i(clk_i), .rst_i(rst_i[scan]), .seed_i(seed_i[scan]), .in_valid_i(in_valid_i[scan]), .in_flit_i(in_flit_i[scan]),
      .in_room_o(in_room_o[scan]), .out_valid_o(out_valid_o[scan]), .out_flit_o(out_flit_o[scan]),
      .out_room_i(out_room_i[scan]), .probe_o());
  end
endmodule
