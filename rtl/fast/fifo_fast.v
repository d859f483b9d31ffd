// SPDX-License-Identifier: Apache-2.0
// fifo_fast.v - the queue of one virtual channel: DEPTH flits, the oldest in a register of its own.
// It does what fifo.v does, which is the twin of cmodel/switch/fifo.h.
//
// push_i may be high only when room_o was, pop_i only when valid_o is.  room_o does not see this
// cycle's pop: DEPTH = 2 streams at one flit a cycle, DEPTH = 1 at half of that (spec, section 4).
// Only the counts need a reset, and fresh_q with them.
//
// The oldest entry is in front_q, the others wait in the ring mem_q.  next_o shows what comes to the
// front at the clock edge, for those who must know it then.  At DEPTH 1 and 2 count_q is kept as two
// bits, not empty and full, so that what is asked of it comes from a register.
//
// At DEPTH 2 a user can keep an entry, or a part of it, in two registers that are written and read
// by turns, as turn_o and to_o say.  Then no wide register waits for pop_i, the latest signal of a
// cycle; synthesis drops the bits of front_q and mem_q that nobody reads.
`default_nettype none

module fifo_fast #(
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
  output wire [WIDTH-1:0] next_o,      // the entry behind data_o, or data_i if there is none
  output wire             more_o,      // ... which there is: queued, or pushed in this cycle
  output wire             turn_o,      // DEPTH 2: of two registers, the one with the oldest entry
  output wire             to_o,        // ... and the one for an entry that is pushed
  // As in fifo.v.
  output wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe_o
);
  localparam integer SLOT_W  = ((WIDTH + 31) / 32) * 32;

  reg              fresh_q;
  wire             behind;             // some flit waits in mem_q
  wire             load = more_o & (pop_i | ~valid_o);

  assign fresh_o = fresh_q;
  assign more_o  = push_i | behind;
  always @(posedge clk_i) fresh_q <= ~rst_i & load;

  wire [4:0]              count_probe;
  wire [3:0]              rd_probe;
  wire [3:0]              wr_probe;
  wire [DEPTH*SLOT_W-1:0] slots;       // slot 0 is front_q, slot k is mem_q[k-1]
  assign slots[SLOT_W-1:0] = {{(SLOT_W - WIDTH) {1'b0}}, data_o & {WIDTH{valid_o | (DEPTH != 2)}}};

  generate
    if (DEPTH > 2) begin : g_count
      localparam integer COUNT_W = $clog2(DEPTH + 1);
      reg [COUNT_W-1:0] count_q;
      assign valid_o = count_q != 0;
      assign behind  = valid_o & count_q != 1;
      assign room_o  = count_q != DEPTH[COUNT_W-1:0];
      always @(posedge clk_i)
        if (rst_i) count_q <= {COUNT_W{1'b0}};
        else if (push_i & ~pop_i) count_q <= count_q + 1'b1;
        else if (pop_i & ~push_i) count_q <= count_q - 1'b1;
      assign count_probe = {{(5 - COUNT_W) {1'b0}}, count_q};
    end else begin : g_bits
      reg valid_q;                     // count_q is valid_q + full_q (DEPTH 2), valid_q (DEPTH 1)
      always @(posedge clk_i)
        if (rst_i) valid_q <= 1'b0;
        else       valid_q <= more_o | (valid_q & ~pop_i);
      assign valid_o = valid_q;
      if (DEPTH == 2) begin : g_two
        reg full_q;
        always @(posedge clk_i)
          if (rst_i) full_q <= 1'b0;
          else       full_q <= ~pop_i & (full_q | (valid_q & push_i));
        assign behind = full_q;
        assign room_o = ~full_q;
        assign count_probe = {3'd0, full_q, valid_q & ~full_q};
      end else begin : g_one
        assign behind = 1'b0;
        assign room_o = ~valid_q;
        assign count_probe = {4'd0, valid_q};
      end
    end

    if (DEPTH == 2) begin : g_pair
      reg             turn_q;
      reg [WIDTH-1:0] front_q;
      reg [WIDTH-1:0] mem_q;           // what full_q does not say is there is not read
      always @(posedge clk_i) begin
        if (rst_i) turn_q <= 1'b0;
        else       turn_q <= turn_q ^ pop_i;
        if (pop_i | ~valid_o) front_q <= next_o;   // no harm if nothing comes
        if (push_i) mem_q <= data_i;
      end
      assign data_o   = front_q;
      assign next_o   = behind ? mem_q : data_i;
      assign turn_o   = turn_q;
      assign to_o     = turn_q ^ valid_o;
      assign rd_probe = 4'd0;
      assign wr_probe = 4'd0;
      assign slots[SLOT_W+:SLOT_W] = {{(SLOT_W - WIDTH) {1'b0}}, mem_q & {WIDTH{behind}}};
    end else begin : g_front
      reg [WIDTH-1:0] front_q;
      always @(posedge clk_i)
        if (load) front_q <= next_o;
      assign data_o = front_q;
      assign turn_o = 1'b0;
      assign to_o   = 1'b0;
    end

    if (DEPTH == 1) begin : g_single
      assign next_o   = data_i;
      assign rd_probe = 4'd0;
      assign wr_probe = 4'd0;
    end else if (DEPTH > 2) begin : g_ring
      localparam integer PTR_W = $clog2(DEPTH - 1);
      localparam integer LAST  = DEPTH - 2;
      reg  [WIDTH-1:0] mem_q [0:DEPTH-2];
      reg  [PTR_W-1:0] rd_q;
      reg  [PTR_W-1:0] wr_q;

      assign next_o = behind ? mem_q[rd_q] : data_i;
      wire from_mem = pop_i & behind;
      wire to_mem   = push_i & (behind | (valid_o & ~pop_i));

      always @(posedge clk_i)
        if (to_mem) mem_q[wr_q] <= data_i;

      always @(posedge clk_i)
        if (rst_i) begin
          rd_q <= {PTR_W{1'b0}};
          wr_q <= {PTR_W{1'b0}};
        end else begin
          if (from_mem) rd_q <= (rd_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : rd_q + 1'b1;
          if (to_mem)   wr_q <= (wr_q == LAST[PTR_W-1:0]) ? {PTR_W{1'b0}} : wr_q + 1'b1;
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
      assign probe_o = {slots, 18'd0, fresh_q, wr_probe, rd_probe, count_probe};
    end else begin : g_no_probe
      wire unused = &{1'b0, slots, wr_probe, rd_probe, count_probe, 1'b0};
      assign probe_o = {(32 + DEPTH * SLOT_W) {1'b0}};
    end
  endgenerate
endmodule
`default_nettype wire
