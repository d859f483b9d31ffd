// SPDX-License-Identifier: Apache-2.0
// gate.v - a gate of four inputs that stays one.
// No state and no C twin: it is a part of what port.c and switch.c say as a whole.
//
// Yosys keeps this module apart.  On the longest paths of port_pair.v and switch.v it would share
// parts of such a gate with others: fewer gates, but more of them in a row.  TABLE is best written
// as an expression of A, B, C and D, the tables of in_i[3] to in_i[0] themselves: hff00, hf0f0,
// hcccc, haaaa.
`default_nettype none

(* keep_hierarchy *)
module gate #(
  parameter [15:0] TABLE = 16'h8000    // bit k: the output for inputs k
) (
  input  wire [3:0] in_i,
  output wire       out_o
);
`ifdef FATFLY_GATE_TABLE
  // scripts/sim/verilate.sh: two values a bit, and less code; tb/rtl/test_gate.sh shows that it is the same.
  assign out_o = TABLE[in_i];
`else
  // Not TABLE[in_i]: in simulation an input that is not known counts only where it matters.
  wire [7:0] eight = in_i[3] ? TABLE[15:8] : TABLE[7:0];
  wire [3:0] four  = in_i[2] ? eight[7:4] : eight[3:0];
  wire [1:0] two   = in_i[1] ? four[3:2] : four[1:0];
  assign out_o = in_i[0] ? two[1] : two[0];
`endif
endmodule
`default_nettype wire
