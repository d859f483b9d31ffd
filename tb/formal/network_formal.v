// SPDX-License-Identifier: Apache-2.0
// network_formal.v - network.v of 16 processors, of reference switches, with its properties, under any seed, resets, worms
// and processors that take what they like.
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module network_formal #(
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(15+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + (1+DEPTH*((FLIT_W+33)/32))))
) (
  input wire                     clk_i,
  input wire                     rst_i,
  input wire [31:0]              seed_i,
  input wire [15:0]              inj_valid_i,
  input wire [16*(FLIT_W+2)-1:0] inj_flit_i,
  input wire [15:0]              ej_room_i
);
  wire [15:0]              inj_room;
  wire [15:0]              ej_valid;
  wire [16*(FLIT_W+2)-1:0] ej_flit;
  wire [6*PROBE_W-1:0]     probe;
  wire                     ok;
  wire [3:0]               bad;
  wire [3:0]               covers;
  reg                      run_q;      // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  network #(
    .LEVELS(2), .VCS(1), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .PROBE(1),
    .IMPL(`FATFLY_REF)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .inj_valid_i(inj_valid_i),
    .inj_flit_i(inj_flit_i), .inj_room_o(inj_room), .ej_valid_o(ej_valid), .ej_flit_o(ej_flit),
    .ej_room_i(ej_room_i), .probe_o(probe)
  );
  network_props #(
    .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .inj_valid_i(inj_valid_i), .inj_flit_i(inj_flit_i),
    .inj_room_i(inj_room), .ej_valid_i(ej_valid), .ej_flit_i(ej_flit), .ej_room_i(ej_room_i),
    .probe_i(probe), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(4), .COVER(4)) u_check (.ok_i(ok & (run_q | rst_i)), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
