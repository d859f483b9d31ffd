// SPDX-License-Identifier: Apache-2.0
// equal_formal.v - switch_ref.v and switch_fast.v side by side: the same inputs, the same outputs and probe.
//
// Any seed, any resets, any far ends, and senders that keep the rules of a link.
`default_nettype none
`include "flit.vh"

module equal_formal #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer ANY    = 0,        // 1: with DEPTH 3 and fifo_any.v, for queues of any depth but 2
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
  wire [6*VCS-1:0]        ref_room, fast_room, ref_valid, fast_valid;
  wire [6*(FLIT_W+2)-1:0] ref_flit, fast_flit;
  wire [PROBE_W-1:0]      ref_probe, fast_probe, empty;
  wire [PROBE_W-1:0]      told;        // ANY: what the queues of both are told
  wire                    ok;
  wire [2:0]              lemma;
  reg                     run_q;       // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  switch_ref #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PROBE(1)
  ) u_ref (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
    .in_room_o(ref_room), .out_valid_o(ref_valid), .out_flit_o(ref_flit), .out_room_i(out_room_i),
    .probe_o(ref_probe)
  );
  switch_fast #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PROBE(1)
  ) u_fast (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i),
    .in_room_o(fast_room), .out_valid_o(fast_valid), .out_flit_o(fast_flit), .out_room_i(out_room_i),
    .probe_o(fast_probe)
  );
  equal_props #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .ANY(ANY)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(in_valid_i), .in_flit_i(in_flit_i), .probe_i(ref_probe),
    .void_o(empty), .told_o(told), .ok_o(ok), .bad_o(lemma)
  );
  // bad[3]: in_room_o differs
  // bad[4]: out_valid_o differs
  // bad[5]: out_flit_o differs
  // bad[6]: probe_o differs: a register, or one that the tuned switch alone has contradicts the others;
  //         what a queue's empty places hold is not compared (the tuned ones also write them in a reset)
  wire [6:0] bad = {|((ref_probe ^ fast_probe) & ~empty), ref_flit != fast_flit, ref_valid != fast_valid,
                    ref_room != fast_room, lemma};
  // cover[0]: all queues full
  // cover[1]: every output channel held
  wire [1:0] covers;
  localparam integer PORTS = (LEVEL == LEVELS) ? 4 : 6;
  assign covers = {ref_probe[32+:6*VCS] == {6*VCS{1'b1}} >> (6 - PORTS) * VCS, ~|ref_room};
  check #(.BAD(7), .COVER(2)) u_check (
    .ok_i(ok & ~|((ref_probe ^ fast_probe) & told) & (run_q | rst_i)), .bad_i(bad & {7{run_q}}), .cover_i(covers & {2{run_q}})
  );
endmodule
`default_nettype wire
