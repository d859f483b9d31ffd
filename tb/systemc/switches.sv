// SPDX-License-Identifier: Apache-2.0
// switches.sv - five reference switches, a path selection and a scan each, for `verilator --sc`: one build instead of five.
// No scan has the number of its path, so that one taken for the other shows.
module switches (
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
  for (genvar k = 0; k < 5; k++) begin : g_path
    switch #(.PATH(k), .SCAN((k + 2) % 5), .LEVEL(2), .LEVELS(3), .IMPL(1)) u_switch (
      .clk_i(clk_i), .rst_i(rst_i[k]), .seed_i(seed_i[k]), .in_valid_i(in_valid_i[k]), .in_flit_i(in_flit_i[k]),
      .in_room_o(in_room_o[k]), .out_valid_o(out_valid_o[k]), .out_flit_o(out_flit_o[k]),
      .out_room_i(out_room_i[k]), .probe_o());
  end
endmodule
