// SPDX-License-Identifier: Apache-2.0
// fifo.v - the queue of one virtual channel: DEPTH flits, the oldest in a register of its own.
// C twin: cmodel/switch/fifo.h.
//
// The output comes straight from front_q, so routing starts at a register; the other DEPTH - 1
// flits wait in mem_q, a ring.  push_i may be high only when room_o was, pop_i only when valid_o
// is.  room_o does not see this cycle's pop: DEPTH = 2 streams at one flit a cycle, DEPTH = 1 at
// half of that (spec, section 4).  Only count_q needs a reset, and fresh_q with it.
`default_nettype none

module fifo #(
  parameter integer WIDTH = 34,        // bits of an entry
  parameter integer DEPTH = 2,         // entries, 1 to 16
  parameter integer PROBE = 0          // 1: probe_o shows the registers, 0: probe_o is zero
) (
  input  wire             clk_i,
  input  wire             rst_i,       // synchronous, active high
  input  wire             push_i,      // data_i enters at the clock edge
  input  wire [WIDTH-1:0] data_i,
  input  wire             pop_i,       // data_o leaves at the clock edge
  output wire [WIDTH-1:0] data_o,      // the oldest entry, if valid_o
  output wire             valid_o,     // not empty
  output wire             room_o,      // fewer than DEPTH entries
  output wire             fresh_o,     // data_o came to the front at the last clock edge
  // Word 0 {fresh_q, wr_q[3:0], rd_q[3:0], count_q[4:0]}, then front_q and mem_q[0..], each
  // filling whole words.
  output wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe_o
);
  localparam integer SLOT_W  = ((WIDTH + 31) / 32) * 32;
  localparam integer COUNT_W = $clog2(DEPTH + 1);

  reg  [WIDTH-1:0]   front_q;
  reg  [COUNT_W-1:0] count_q;
  reg                fresh_q;

  wire one        = count_q == 1;
  wire to_front   = push_i & (~valid_o | (one & pop_i));

  assign data_o  = front_q;
  assign valid_o = count_q != 0;
  assign room_o  = count_q != DEPTH[COUNT_W-1:0];
  assign fresh_o = fresh_q;

  always @(posedge clk_i)
    if (rst_i) count_q <= {COUNT_W{1'b0}};
    else if (push_i & ~pop_i) count_q <= count_q + 1'b1;
    else if (pop_i & ~push_i) count_q <= count_q - 1'b1;

  wire [3:0]              rd_probe;
  wire [3:0]              wr_probe;
  wire [DEPTH*SLOT_W-1:0] slots;       // slot 0 is front_q, slot k is mem_q[k-1]
  assign slots[SLOT_W-1:0] = {{(SLOT_W - WIDTH) {1'b0}}, front_q};

  generate
    if (DEPTH == 1) begin : g_single
      always @(posedge clk_i) begin
        if (to_front) front_q <= data_i;
        fresh_q <= ~rst_i & to_front;
      end
      assign rd_probe = 4'd0;
      assign wr_probe = 4'd0;
    end else begin : g_ring
      localparam integer PTR_W = (DEPTH > 2) ? $clog2(DEPTH - 1) : 1;
      localparam integer LAST  = DEPTH - 2;
      reg  [WIDTH-1:0] mem_q [0:DEPTH-2];
      reg  [PTR_W-1:0] rd_q;
      reg  [PTR_W-1:0] wr_q;

      wire from_mem = pop_i & valid_o & ~one;

      always @(posedge clk_i) begin
        if (to_front)      front_q <= data_i;
        else if (from_mem) front_q <= mem_q[rd_q];
        if (push_i & ~to_front) mem_q[wr_q] <= data_i;
        fresh_q <= ~rst_i & (to_front | from_mem);
      end

      always @(posedge clk_i)
        if (rst_i) begin
          rd_q <= {PTR_W{1'b0}};
          wr_q <= {PTR_W{1'b0}};
        end else begin
          if (from_mem)           rd_q <= (rd_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : rd_q + 1'b1;
          if (push_i & ~to_front) wr_q <= (wr_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : wr_q + 1'b1;
        end

      assign rd_probe = {{(4 - PTR_W) {1'b0}}, rd_q};
      assign wr_probe = {{(4 - PTR_W) {1'b0}}, wr_q};
      genvar k;
      for (k = 1; k < DEPTH; k = k + 1) begin : g_slot
        assign slots[k*SLOT_W+:SLOT_W] = {{(SLOT_W - WIDTH) {1'b0}}, mem_q[k-1]};
      end
    end
  endgenerate

  generate
    if (PROBE != 0) begin : g_probe
      assign probe_o = {slots, 18'd0, fresh_q, wr_probe, rd_probe, {(5 - COUNT_W) {1'b0}}, count_q};
    end else begin : g_no_probe
      wire unused = &{1'b0, slots, wr_probe, rd_probe, 1'b0};
      assign probe_o = {(32 + DEPTH * SLOT_W) {1'b0}};
    end
  endgenerate
endmodule
`default_nettype wire
