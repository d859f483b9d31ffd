// SPDX-License-Identifier: Apache-2.0
// fifo.v - the queue of one virtual channel: DEPTH flits, the oldest in a register of its own.
// C twin: cmodel/switch/fifo.h, with the same registers.
//
// push_i may be high only when room_o is, pop_i only when valid_o is.  room_o does not see this
// cycle's pop: DEPTH = 2 streams at one flit a cycle, DEPTH = 1 at half of that.
`default_nettype none

module fifo #(
  parameter integer WIDTH = 34,        // bits of an entry
  parameter integer DEPTH = 2,         // entries (q), 1 to 16
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
  // Word 0 {18 zeros, fresh_q, wr_q[3:0], rd_q[3:0], count_q[4:0]}, then front_q and mem_q[0..],
  // each in whole words.  At DEPTH 2 places that hold no entry are shown as zero.
  output wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe_o
);
  localparam integer COUNT_W = $clog2(DEPTH + 1);
  localparam integer SLOT_W  = ((WIDTH + 31) / 32) * 32;

  reg  [COUNT_W-1:0] count_q;          // entries held, front_q included
  reg  [WIDTH-1:0]   front_q;          // the oldest; the others wait in the ring mem_q
  reg                fresh_q;
  wire [WIDTH-1:0]   behind;           // the oldest in mem_q
  wire               to_front = push_i & (count_q == 0 | (count_q == 1 & pop_i));
  wire               to_mem   = push_i & ~to_front;
  wire               from_mem = pop_i & (count_q > 1);

  assign data_o  = front_q;
  assign valid_o = count_q != 0;
  assign room_o  = count_q != DEPTH[COUNT_W-1:0];
  assign fresh_o = fresh_q;

  always @(posedge clk_i)
    if (rst_i) begin
      count_q <= {COUNT_W{1'b0}};
      fresh_q <= 1'b0;
    end else begin
      if (push_i & ~pop_i) count_q <= count_q + 1'b1;
      if (pop_i & ~push_i) count_q <= count_q - 1'b1;
      if (from_mem)        front_q <= behind;
      if (to_front)        front_q <= data_i;
      fresh_q <= to_front | from_mem;
    end

  wire [4:0]              count = {{(5 - COUNT_W) {1'b0}}, count_q};
  wire [3:0]              rd;
  wire [3:0]              wr;
  wire [DEPTH*SLOT_W-1:0] slots;       // slot 0 is front_q, slot k is mem_q[k-1]
  wire                    front_shown = DEPTH != 2 | count_q != 0;
  assign slots[SLOT_W-1:0] = {{(SLOT_W - WIDTH) {1'b0}}, front_q & {WIDTH{front_shown}}};

  generate
    if (DEPTH == 1) begin : g_none
      assign behind = front_q;
      assign rd     = 4'd0;
      assign wr     = 4'd0;
      wire unused = &{1'b0, to_mem, 1'b0};
    end else if (DEPTH == 2) begin : g_one
      reg [WIDTH-1:0] mem_q;
      always @(posedge clk_i)
        if (~rst_i & to_mem) mem_q <= data_i;
      assign behind = mem_q;
      assign rd     = 4'd0;
      assign wr     = 4'd0;
      assign slots[SLOT_W+:SLOT_W] = {{(SLOT_W - WIDTH) {1'b0}}, mem_q & {WIDTH{count_q == 2}}};
    end else begin : g_ring
      localparam integer PTR_W = $clog2(DEPTH - 1);
      localparam [31:0]  LAST  = DEPTH - 2;
      reg [WIDTH-1:0] mem_q [0:DEPTH-2];
      reg [PTR_W-1:0] rd_q;            // next of mem_q to come to the front
      reg [PTR_W-1:0] wr_q;            // next of mem_q to be written
      assign behind = mem_q[rd_q];
      always @(posedge clk_i)
        if (~rst_i & to_mem) mem_q[wr_q] <= data_i;
      always @(posedge clk_i)
        if (rst_i) begin
          rd_q <= {PTR_W{1'b0}};
          wr_q <= {PTR_W{1'b0}};
        end else begin
          if (from_mem) rd_q <= (rd_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : rd_q + 1'b1;
          if (to_mem)   wr_q <= (wr_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : wr_q + 1'b1;
        end
      assign rd = {{(4 - PTR_W) {1'b0}}, rd_q};
      assign wr = {{(4 - PTR_W) {1'b0}}, wr_q};
      genvar k;
      for (k = 1; k < DEPTH; k = k + 1) begin : g_slot
        assign slots[k*SLOT_W+:SLOT_W] = {{(SLOT_W - WIDTH) {1'b0}}, mem_q[k-1]};
      end
    end

    if (PROBE != 0) begin : g_probe
      assign probe_o = {slots, 18'd0, fresh_q, wr, rd, count};
    end else begin : g_no_probe
      wire unused = &{1'b0, slots, wr, rd, count, 1'b0};
      assign probe_o = {(32 + DEPTH * SLOT_W) {1'b0}};
    end
  endgenerate
endmodule
`default_nettype wire
