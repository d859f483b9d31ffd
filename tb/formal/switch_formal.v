// SPDX-License-Identifier: Apache-2.0
// switch_formal.v - switch.v with its properties, under any seed, resets, far ends and worms.
/* verilator lint_off UNDRIVEN */       // the wires that Yosys joins to registers
/* verilator lint_off UNUSEDSIGNAL */   // ... some of which are not there
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module switch_formal #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input wire                    clk_i,
  input wire                    rst_i,
  input wire [31:0]             seed_i,
  input wire [6*VCS-1:0]        in_valid_i,
  input wire [6*(FLIT_W+2)-1:0] in_flit_i,
  input wire [6*VCS-1:0]        out_room_i
);
  wire [6*VCS-1:0]        in_room;
  wire [6*VCS-1:0]        out_valid;
  wire [6*(FLIT_W+2)-1:0] out_flit;
  wire [PROBE_W-1:0]      probe;
  wire [5:0]              ok;
  wire [14:0]             bad;
  wire [44:0]             covers;
  wire [6*VCS-1:0]        body;
  wire [14:0]             pairs;
  wire [23:0]             every;       // body_q as if there were four channels
  reg                     run_q;       // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  // Yosys joins these to the registers of the same name when it flattens; to others they are wires
  // without a driver.
  (* hierconn *) wire [14:0] \dut.u_scan.g_start.pairs_q ;
  assign pairs = \dut.u_scan.g_start.pairs_q ;
  (* hierconn *) wire \dut.g_port[0].g_in.u_port.g_vc[0].body_q ;
  assign every[0] = \dut.g_port[0].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_port[0].g_in.u_port.g_vc[1].body_q ;
  assign every[1] = \dut.g_port[0].g_in.u_port.g_vc[1].body_q ;
  (* hierconn *) wire \dut.g_port[0].g_in.u_port.g_vc[2].body_q ;
  assign every[2] = \dut.g_port[0].g_in.u_port.g_vc[2].body_q ;
  (* hierconn *) wire \dut.g_port[0].g_in.u_port.g_vc[3].body_q ;
  assign every[3] = \dut.g_port[0].g_in.u_port.g_vc[3].body_q ;
  (* hierconn *) wire \dut.g_port[1].g_in.u_port.g_vc[0].body_q ;
  assign every[4] = \dut.g_port[1].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_port[1].g_in.u_port.g_vc[1].body_q ;
  assign every[5] = \dut.g_port[1].g_in.u_port.g_vc[1].body_q ;
  (* hierconn *) wire \dut.g_port[1].g_in.u_port.g_vc[2].body_q ;
  assign every[6] = \dut.g_port[1].g_in.u_port.g_vc[2].body_q ;
  (* hierconn *) wire \dut.g_port[1].g_in.u_port.g_vc[3].body_q ;
  assign every[7] = \dut.g_port[1].g_in.u_port.g_vc[3].body_q ;
  (* hierconn *) wire \dut.g_port[2].g_in.u_port.g_vc[0].body_q ;
  assign every[8] = \dut.g_port[2].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_port[2].g_in.u_port.g_vc[1].body_q ;
  assign every[9] = \dut.g_port[2].g_in.u_port.g_vc[1].body_q ;
  (* hierconn *) wire \dut.g_port[2].g_in.u_port.g_vc[2].body_q ;
  assign every[10] = \dut.g_port[2].g_in.u_port.g_vc[2].body_q ;
  (* hierconn *) wire \dut.g_port[2].g_in.u_port.g_vc[3].body_q ;
  assign every[11] = \dut.g_port[2].g_in.u_port.g_vc[3].body_q ;
  (* hierconn *) wire \dut.g_port[3].g_in.u_port.g_vc[0].body_q ;
  assign every[12] = \dut.g_port[3].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_port[3].g_in.u_port.g_vc[1].body_q ;
  assign every[13] = \dut.g_port[3].g_in.u_port.g_vc[1].body_q ;
  (* hierconn *) wire \dut.g_port[3].g_in.u_port.g_vc[2].body_q ;
  assign every[14] = \dut.g_port[3].g_in.u_port.g_vc[2].body_q ;
  (* hierconn *) wire \dut.g_port[3].g_in.u_port.g_vc[3].body_q ;
  assign every[15] = \dut.g_port[3].g_in.u_port.g_vc[3].body_q ;
  (* hierconn *) wire \dut.g_port[4].g_in.u_port.g_vc[0].body_q ;
  assign every[16] = \dut.g_port[4].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_port[4].g_in.u_port.g_vc[1].body_q ;
  assign every[17] = \dut.g_port[4].g_in.u_port.g_vc[1].body_q ;
  (* hierconn *) wire \dut.g_port[4].g_in.u_port.g_vc[2].body_q ;
  assign every[18] = \dut.g_port[4].g_in.u_port.g_vc[2].body_q ;
  (* hierconn *) wire \dut.g_port[4].g_in.u_port.g_vc[3].body_q ;
  assign every[19] = \dut.g_port[4].g_in.u_port.g_vc[3].body_q ;
  (* hierconn *) wire \dut.g_port[5].g_in.u_port.g_vc[0].body_q ;
  assign every[20] = \dut.g_port[5].g_in.u_port.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_port[5].g_in.u_port.g_vc[1].body_q ;
  assign every[21] = \dut.g_port[5].g_in.u_port.g_vc[1].body_q ;
  (* hierconn *) wire \dut.g_port[5].g_in.u_port.g_vc[2].body_q ;
  assign every[22] = \dut.g_port[5].g_in.u_port.g_vc[2].body_q ;
  (* hierconn *) wire \dut.g_port[5].g_in.u_port.g_vc[3].body_q ;
  assign every[23] = \dut.g_port[5].g_in.u_port.g_vc[3].body_q ;
  genvar i, v;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_body
      for (v = 0; v < VCS; v = v + 1) begin : g_vc
        assign body[VCS*i+v] = every[4*i+v];
      end
    end
  endgenerate

  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PROBE(1)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
    .in_room_o(in_room), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room_i),
    .probe_o(probe)
  );
  switch_props #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
    .in_room_i(in_room), .out_valid_i(out_valid), .out_flit_i(out_flit), .out_room_i(out_room_i),
    .probe_i(probe), .body_i(body), .pairs_i(pairs), .came_o(), .busy_o(),
    .left_o(), .some_o(), .head_o(), .load_o(), .ok_o(ok), .live_o(), .bad_o(bad), .cover_o(covers)
  );
  check #(.BAD(15), .COVER(45)) u_check (
    .ok_i(&ok & (run_q | rst_i)), .bad_i(bad), .cover_i(covers)
  );
endmodule
`default_nettype wire
