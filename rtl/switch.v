// SPDX-License-Identifier: Apache-2.0
// switch.v - the butterfly fat-tree switch: four children (ports 0..3), two parents (4, 5).
// docs/rules.md has every rule of a cycle.
//
// This is a choice between two switches with the same outputs in every cycle: switch_ref.v, the rules
// as one reads them, and rtl/fast/switch_fast.v, tuned for FPGAs.  tb/formal proves that they agree.
//
// A link is x_valid (one-hot over the virtual channels) and x_flit forward, x_room back.  A sender
// raises valid only where it saw room, so a flit moves whenever valid is high.  One cycle a hop:
// a flit that arrived at cycle t may leave at t + 1.  Vectors hold six ports: bit VCS*port +
// channel, and FLIT_W + 2 flit bits a port.  At the root (LEVEL = LEVELS) the parent ports do not
// exist: their inputs are not read and their outputs are zero.
`default_nettype none
`include "flit.vh"

module switch #(
  parameter integer VCS    = 1,        // virtual channels a link: 1, 2 or 4
  parameter integer DEPTH  = 2,        // flits a queue holds (q), 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64; a head must fit
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,        // of this switch, 1 (leaves) to LEVELS (root)
  parameter integer LEVELS = 3,        // of the network, N = 4^LEVELS processors
  parameter integer PROBE  = 0,        // 1: probe_o shows links and registers, 0: it is zero
  parameter integer IMPL   = `FATFLY_AUTO, // FATFLY_REF, FATFLY_FAST, or AUTO: fast where it exists
  // Bits of probe_o; a caller leaves it alone.
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,       // synchronous, active high
  input  wire [31:0]             seed_i,      // of the random bits, read while rst_i is high
  input  wire [6*VCS-1:0]        in_valid_i,
  input  wire [6*(FLIT_W+2)-1:0] in_flit_i,
  output wire [6*VCS-1:0]        in_room_o,
  output wire [6*VCS-1:0]        out_valid_o,
  output wire [6*(FLIT_W+2)-1:0] out_flit_o,  // zero while not valid
  input  wire [6*VCS-1:0]        out_room_i,
  // {ports 5 .. 0, scan, busy_q, lfsr_q}, each in whole words; cmodel/switch/switch.h has the C side.
  output wire [PROBE_W-1:0]      probe_o
);
  // Read only by verilator --hierarchical: compile each level's switch once (N = 256 and more).
  /*verilator hier_block*/
  // The fast switches that are proven to be the reference (docs/proofs.md); with four channels one of the 25.
  localparam integer HAS_FAST = (PATH < `FATFLY_RW && SCAN <= `FATFLY_FCFS && (VCS != 4 || (PATH == `FATFLY_RP && SCAN == `FATFLY_RR))) ? 1 : 0;
`include "switch_check.vh"

  generate
    if (GOOD != 0 && HAS_FAST != 0 && IMPL != `FATFLY_REF) begin : g_fast
      switch_fast #(
        .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
        .LEVELS(LEVELS), .PROBE(PROBE)
      ) u_switch (
        .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
        .in_room_o(in_room_o), .out_valid_o(out_valid_o), .out_flit_o(out_flit_o),
        .out_room_i(out_room_i), .probe_o(probe_o)
      );
    end else if (GOOD != 0) begin : g_ref
      switch_ref #(
        .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
        .LEVELS(LEVELS), .PROBE(PROBE)
      ) u_switch (
        .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
        .in_room_o(in_room_o), .out_valid_o(out_valid_o), .out_flit_o(out_flit_o),
        .out_room_i(out_room_i), .probe_o(probe_o)
      );
    end
  endgenerate
endmodule
`default_nettype wire
