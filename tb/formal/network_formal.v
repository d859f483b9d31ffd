// SPDX-License-Identifier: Apache-2.0
// network_formal.v - network.v of 16 processors with its properties, under any seed, resets, worms
// and processors that take what they like.
/* verilator lint_off UNDRIVEN */       // the wires that Yosys joins to registers
/* verilator lint_off UNUSEDSIGNAL */   // ... some of which are not there
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
  wire [35:0]              body;
  wire [89:0]              pairs;
  wire                     ok;
  wire [3:0]               bad;
  wire [3:0]               covers;
  reg                      run_q;      // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  // As in switch_formal.v.
  (* hierconn *) wire \dut.g_level[1].g_switch[0].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign body[0] = \dut.g_level[1].g_switch[0].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[0].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign body[1] = \dut.g_level[1].g_switch[0].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[0].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign body[2] = \dut.g_level[1].g_switch[0].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[0].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign body[3] = \dut.g_level[1].g_switch[0].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[0].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  assign body[4] = \dut.g_level[1].g_switch[0].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[0].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  assign body[5] = \dut.g_level[1].g_switch[0].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire [14:0] \dut.g_level[1].g_switch[0].u_switch.u_scan.g_start.pairs_q ;
  assign pairs[0+:15] = \dut.g_level[1].g_switch[0].u_switch.u_scan.g_start.pairs_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[1].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign body[6] = \dut.g_level[1].g_switch[1].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[1].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign body[7] = \dut.g_level[1].g_switch[1].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[1].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign body[8] = \dut.g_level[1].g_switch[1].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[1].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign body[9] = \dut.g_level[1].g_switch[1].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[1].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  assign body[10] = \dut.g_level[1].g_switch[1].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[1].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  assign body[11] = \dut.g_level[1].g_switch[1].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire [14:0] \dut.g_level[1].g_switch[1].u_switch.u_scan.g_start.pairs_q ;
  assign pairs[15+:15] = \dut.g_level[1].g_switch[1].u_switch.u_scan.g_start.pairs_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[2].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign body[12] = \dut.g_level[1].g_switch[2].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[2].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign body[13] = \dut.g_level[1].g_switch[2].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[2].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign body[14] = \dut.g_level[1].g_switch[2].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[2].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign body[15] = \dut.g_level[1].g_switch[2].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[2].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  assign body[16] = \dut.g_level[1].g_switch[2].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[2].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  assign body[17] = \dut.g_level[1].g_switch[2].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire [14:0] \dut.g_level[1].g_switch[2].u_switch.u_scan.g_start.pairs_q ;
  assign pairs[30+:15] = \dut.g_level[1].g_switch[2].u_switch.u_scan.g_start.pairs_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[3].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign body[18] = \dut.g_level[1].g_switch[3].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[3].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign body[19] = \dut.g_level[1].g_switch[3].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[3].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign body[20] = \dut.g_level[1].g_switch[3].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[3].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign body[21] = \dut.g_level[1].g_switch[3].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[3].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  assign body[22] = \dut.g_level[1].g_switch[3].u_switch.g_port[4].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[1].g_switch[3].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  assign body[23] = \dut.g_level[1].g_switch[3].u_switch.g_port[5].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire [14:0] \dut.g_level[1].g_switch[3].u_switch.u_scan.g_start.pairs_q ;
  assign pairs[45+:15] = \dut.g_level[1].g_switch[3].u_switch.u_scan.g_start.pairs_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[0].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign body[24] = \dut.g_level[2].g_switch[0].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[0].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign body[25] = \dut.g_level[2].g_switch[0].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[0].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign body[26] = \dut.g_level[2].g_switch[0].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[0].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign body[27] = \dut.g_level[2].g_switch[0].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire [14:0] \dut.g_level[2].g_switch[0].u_switch.u_scan.g_start.pairs_q ;
  assign pairs[60+:15] = \dut.g_level[2].g_switch[0].u_switch.u_scan.g_start.pairs_q ;
  assign body[28+:2] = 2'b00;
  (* hierconn *) wire \dut.g_level[2].g_switch[1].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign body[30] = \dut.g_level[2].g_switch[1].u_switch.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[1].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign body[31] = \dut.g_level[2].g_switch[1].u_switch.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[1].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign body[32] = \dut.g_level[2].g_switch[1].u_switch.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_level[2].g_switch[1].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign body[33] = \dut.g_level[2].g_switch[1].u_switch.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire [14:0] \dut.g_level[2].g_switch[1].u_switch.u_scan.g_start.pairs_q ;
  assign pairs[75+:15] = \dut.g_level[2].g_switch[1].u_switch.u_scan.g_start.pairs_q ;
  assign body[34+:2] = 2'b00;

  network #(
    .LEVELS(2), .VCS(1), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .PROBE(1)
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
    .probe_i(probe), .body_i(body), .pairs_i(pairs), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(4), .COVER(4)) u_check (.ok_i(ok & (run_q | rst_i)), .bad_i(bad), .cover_i(covers));
endmodule
`default_nettype wire
