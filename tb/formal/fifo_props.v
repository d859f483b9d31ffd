// SPDX-License-Identifier: Apache-2.0
// fifo_props.v - what must hold of fifo.v, for proof and simulation.
//
// mark_i chooses a push; its entry is followed by its place in the queue, which every pop lowers.
// As any push can be the chosen one, push n leaves with pop n, unchanged: nothing is lost, doubled
// or overtaken.  fifo.v never looks at data and treats all bits alike, so a few bits stand for any
// WIDTH.  The last two properties speak of the registers and make the others inductive.
`default_nettype none

module fifo_props #(
  parameter integer WIDTH = 34,
  parameter integer DEPTH = 2
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             push_i,
  input  wire [WIDTH-1:0] data_i,
  input  wire             pop_i,
  input  wire [WIDTH-1:0] data_o,
  input  wire             valid_o,
  input  wire             room_o,
  input  wire             fresh_o,
  input  wire [31+DEPTH*((WIDTH+31)/32)*32:0] probe_o,
  input  wire             mark_i,      // follow the entry that is pushed now
  output wire             ok_o,        // who pushes sees room, who pops an entry
  // bad[0]: valid_o is not "pushes - pops > 0"
  // bad[1]: room_o is not "pushes - pops < DEPTH"
  // bad[2]: the followed entry should be at the front and data_o differs
  // bad[3]: fresh_o is not "an entry came to the front at the last edge"
  // bad[4]: the count in probe_o is not pushes - pops
  // bad[5]: a followed entry further behind is not where rd_q and its place say
  // bad[6]: rd_q and wr_q do not lie apart by what waits between them
  output wire [6:0]       bad_o,
  // cover[0]: full
  // cover[1]: empty after full
  // cover[2]: push and pop at once (DEPTH 1: a pop)
  // cover[3]: the followed entry is at the front, after DEPTH - 1 were before it
  // cover[4]: a reset with entries inside
  output wire [4:0]       cover_o
);
  localparam integer SLOT_W = ((WIDTH + 31) / 32) * 32;
  localparam integer RING   = (DEPTH > 1) ? DEPTH - 1 : 1;

  reg              seen_q = 1'b0;      // there was a reset
  reg  [4:0]       held_q;             // pushes - pops
  reg              was_full_q;
  reg              fresh_q;
  reg              live_q;             // the followed entry is in the queue
  reg  [3:0]       place_q;            // entries before it
  reg              last_q;             // it came as the last of DEPTH
  reg  [WIDTH-1:0] item_q;
  wire [4:0]       left = held_q - {4'd0, pop_i};

  always @(posedge clk_i) begin
    seen_q <= seen_q | rst_i;
    if (rst_i) begin
      held_q     <= 5'd0;
      was_full_q <= 1'b0;
      fresh_q    <= 1'b0;
      live_q     <= 1'b0;
      place_q    <= 4'd0;
      last_q     <= 1'b0;
    end else begin
      held_q     <= left + {4'd0, push_i};
      was_full_q <= was_full_q | held_q == DEPTH[4:0];
      fresh_q    <= (push_i & left == 5'd0) | (pop_i & left != 5'd0);
      if (live_q & pop_i) begin
        live_q  <= place_q != 4'd0;
        place_q <= place_q - 4'd1;
      end
      if (push_i & mark_i & ~live_q) begin
        live_q  <= 1'b1;
        place_q <= left[3:0];
        last_q  <= held_q == DEPTH[4:0] - 5'd1 & ~pop_i;
        item_q  <= data_i;
      end
    end
  end

  // The ring, as probe_o shows it: entry k behind the front is in slot 1 + (rd_q + k - 1) mod RING.
  wire [3:0] rd = probe_o[8:5];
  wire [3:0] wr = probe_o[12:9];
  wire [4:0] ring = RING[4:0];
  wire [4:0] far  = {1'b0, rd} + {1'b0, place_q} - 5'd1;
  wire [4:0] slot = 5'd1 + ((far >= ring) ? far - ring : far);
  wire [4:0] gone = {1'b0, rd} + held_q - 5'd1;
  wire [4:0] ends = (held_q == 5'd0) ? {1'b0, rd} : (gone >= ring) ? gone - ring : gone;
  wire [DEPTH*SLOT_W-1:0] moved = probe_o[32+:DEPTH*SLOT_W] >> slot * SLOT_W;

  wire [6:0] bad;
  assign bad[0] = valid_o != (held_q != 5'd0);
  assign bad[1] = room_o != (held_q < DEPTH[4:0]);
  assign bad[2] = live_q & place_q == 4'd0 & (~valid_o | data_o != item_q);
  assign bad[3] = fresh_o != fresh_q;
  assign bad[4] = probe_o[4:0] != held_q;
  generate
    if (DEPTH > 1) begin : g_ring
      assign bad[5] = live_q & place_q != 4'd0 &
                      ({1'b0, place_q} >= held_q | moved[WIDTH-1:0] != item_q);
    end else begin : g_no_ring
      assign bad[5] = live_q & {1'b0, place_q} >= held_q;
    end
    if (DEPTH > 2) begin : g_apart
      assign bad[6] = held_q > DEPTH[4:0] | {1'b0, rd} >= ring | {1'b0, wr} != ends;
    end else begin : g_one
      assign bad[6] = held_q > DEPTH[4:0];
    end
  endgenerate
  assign ok_o       = (~push_i | room_o) & (~pop_i | valid_o) & (seen_q | rst_i);
  assign bad_o      = bad & {7{seen_q}};
  assign cover_o[0] = seen_q & held_q == DEPTH[4:0];
  assign cover_o[1] = seen_q & was_full_q & held_q == 5'd0;
  assign cover_o[2] = seen_q & ((DEPTH == 1) | push_i) & pop_i;
  assign cover_o[3] = seen_q & live_q & place_q == 4'd0 & last_q;
  assign cover_o[4] = seen_q & rst_i & held_q != 5'd0;
  wire unused = &{1'b0, moved, wr, rd, ends, probe_o, 1'b0};
endmodule
`default_nettype wire
