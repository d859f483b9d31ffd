// SPDX-License-Identifier: Apache-2.0
// fatfly_checker.sv - the C model as golden reference in anybody's SystemVerilog bench.  One line checks
// every switch of a design, in every cycle:
//
//   bind switch fatfly_checker #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN),
//                                .LEVEL(LEVEL), .LEVELS(LEVELS)) u_checker (.*);
//
// What the switch sends and where it has room is compared at every rising edge after the first reset.  The
// first difference of each instance is printed; `failed` counts cycles with one.  STOP = 1 ends the
// simulation there.  Compile with sim/dpi/fatfly_dpi.c and cmodel/switch/*.c (docs/dpi.md).
module fatfly_checker #(
  parameter int VCS    = 1,
  parameter int DEPTH  = 2,
  parameter int FLIT_W = 32,
  parameter int PATH   = 1,
  parameter int SCAN   = 0,
  parameter int LEVEL  = 1,
  parameter int LEVELS = 3,
  parameter bit STOP   = 1
) (
  input logic                    clk_i,
  input logic                    rst_i,
  input logic [31:0]             seed_i,
  input logic [6*VCS-1:0]        in_valid_i,
  input logic [6*(FLIT_W+2)-1:0] in_flit_i,
  input logic [6*VCS-1:0]        in_room_o,
  input logic [6*VCS-1:0]        out_valid_o,
  input logic [6*(FLIT_W+2)-1:0] out_flit_o,
  input logic [6*VCS-1:0]        out_room_i
);
  import "DPI-C" function chandle fatfly_dpi_open(
    input int vcs, input int depth, input int flit_w, input int path, input int scan, input int level,
    input int levels, input string name);
  import "DPI-C" function void fatfly_dpi_reset(input chandle handle, input int unsigned seed);
  import "DPI-C" function void fatfly_dpi_eval(
    input chandle handle, input bit [6*VCS-1:0] out_room, output bit [6*VCS-1:0] in_room,
    output bit [6*VCS-1:0] out_valid, output bit [6*(FLIT_W+2)-1:0] out_flit);
  import "DPI-C" function void fatfly_dpi_tick(
    input chandle handle, input bit [6*VCS-1:0] in_valid, input bit [6*(FLIT_W+2)-1:0] in_flit);
  import "DPI-C" function void fatfly_dpi_close(input chandle handle);

  localparam int WIDE = 6 * (FLIT_W + 2);
  chandle golden;
  string  name;
  bit     ready;  // a reset was seen
  int     cycles; // compared
  int     failed; // of those, with a difference

  bit [6*VCS-1:0]        room;
  bit [6*VCS-1:0]        valid;
  bit [6*(FLIT_W+2)-1:0] flit;

  initial begin
    name = $sformatf("%m");
    golden = fatfly_dpi_open(VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS, name);
    if (golden == null) $fatal(1, "%m: the C model has no switch of these parameters");
  end
  final if (golden != null) fatfly_dpi_close(golden);

  task automatic differs(string what, logic [WIDE-1:0] got, logic [WIDE-1:0] want);
    if (failed == 0)
      $display("%s: cycle %0d after reset: %s is %0h, the C model has %0h; it is a switch of VCS = %0d, DEPTH = %0d, FLIT_W = %0d, PATH = %0d, SCAN = %0d, LEVEL = %0d of LEVELS = %0d: is that the one bound to?",
               name, cycles, what, got, want, VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS);
  endtask

  always @(posedge clk_i)
    if (rst_i) begin
      fatfly_dpi_reset(golden, seed_i);
      ready  <= 1;
      cycles <= 0;
    end else if (ready) begin
      fatfly_dpi_eval(golden, out_room_i, room, valid, flit);
      if (in_room_o !== room) differs("in_room_o", WIDE'(in_room_o), WIDE'(room));
      if (out_valid_o !== valid) differs("out_valid_o", WIDE'(out_valid_o), WIDE'(valid));
      if (out_flit_o !== flit) differs("out_flit_o", out_flit_o, flit);
      if (in_room_o !== room || out_valid_o !== valid || out_flit_o !== flit) begin
        failed <= failed + 1;
        if (STOP) $fatal(1, "%m: the switch differs from the C model");
      end
      fatfly_dpi_tick(golden, in_valid_i, in_flit_i);
      cycles <= cycles + 1;
    end
endmodule
