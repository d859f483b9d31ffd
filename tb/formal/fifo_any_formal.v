// SPDX-License-Identifier: Apache-2.0
// fifo_any_formal.v - fifo.v and fifo_fast.v of one depth side by side, and queue_any.v told what comes next.
//
// What a port sees of a queue is its front, and of fifo_fast.v what comes to the front next.  queue_any.v shows
// the same, whatever the depth; so what equal_formal.v with ANY proves of two switches with queue_any.v in them
// holds of those with fifo.v and fifo_fast.v.
/* verilator lint_off WIDTH */          // genvars and small counts side by side
/* verilator lint_off UNUSEDSIGNAL */   // a probe shows more than is read
/* verilator lint_off UNSIGNED */       // k > rd for k = 0
`default_nettype none

module fifo_any_formal #(
  parameter integer WIDTH = 2,
  parameter integer DEPTH = 4,
  parameter integer PROBE_W = 32 + DEPTH * ((WIDTH + 31) / 32) * 32
) (
  input wire             clk_i,
  input wire             rst_i,
  input wire             push_i,
  input wire [WIDTH-1:0] data_i,
  input wire             pop_i
);
  localparam integer SLOT_W = ((WIDTH + 31) / 32) * 32;
  localparam integer RING   = (DEPTH > 2) ? DEPTH - 1 : 1;

  wire [WIDTH-1:0]     ref_data, fast_data, any_data, next;
  wire                 ref_valid, fast_valid, any_valid, ref_room, fast_room, ref_fresh, fast_fresh, any_fresh, more;
  wire [PROBE_W-1:0]   ref_probe, fast_probe, empty;
  wire [1:0]           unused;
  reg                  run_q;          // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PROBE(1)) u_ref (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .pop_i(pop_i), .data_o(ref_data),
    .valid_o(ref_valid), .room_o(ref_room), .fresh_o(ref_fresh), .probe_o(ref_probe)
  );
  fifo_fast #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PROBE(1)) u_fast (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .data_i(data_i), .pop_i(pop_i), .data_o(fast_data),
    .valid_o(fast_valid), .room_o(fast_room), .fresh_o(fast_fresh), .next_o(next), .more_o(more),
    .turn_o(unused[0]), .to_o(unused[1]), .probe_o(fast_probe)
  );
  queue_any #(.WIDTH(WIDTH)) u_any (
    .clk_i(clk_i), .rst_i(rst_i), .more_i(more), .next_i(next), .pop_i(pop_i), .data_o(any_data),
    .valid_o(any_valid), .fresh_o(any_fresh)
  );

  // Bits of the probe that show no entry: slot 0 is the front, slot k is place k - 1 of the ring.
  wire [4:0] count = ref_probe[4:0];
  wire [4:0] rd    = {1'b0, ref_probe[8:5]};
  wire [4:0] wr    = {1'b0, ref_probe[12:9]};
  wire [4:0] ends  = rd + ((count == 5'd0) ? 5'd0 : count - 5'd1);
  assign empty[31:0] = 32'd0;
  genvar k;
  generate
    for (k = 0; k < DEPTH; k = k + 1) begin : g_slot
      wire [4:0] far  = (DEPTH <= 2) ? k : (k > rd) ? k - rd : k + RING - rd;
      wire       none = (k == 0) ? count == 5'd0 : far >= count;
      assign empty[32+SLOT_W*k+:SLOT_W] = {SLOT_W{none}};
    end
  endgenerate
  // bad[0]: fifo.v is not where its pointers say
  // bad[1]: fifo.v and fifo_fast.v differ, in what they give or in a register
  // bad[2]: queue_any.v differs
  wire [2:0] bad;
  assign bad[0] = count > DEPTH | ((DEPTH > 2) & (rd >= RING | wr != ((ends >= RING) ? ends - RING : ends)));
  assign bad[1] = |((ref_probe ^ fast_probe) & ~empty) | ref_valid != fast_valid | ref_room != fast_room |
                  ref_fresh != fast_fresh | (ref_valid & ref_data != fast_data);
  assign bad[2] = any_valid != ref_valid | any_fresh != ref_fresh | (ref_valid & any_data != ref_data);
  // cover[0]: a full queue, and a flit leaves
  // cover[1]: a flit comes as the only one leaves
  wire [1:0] covers = {push_i & pop_i & count == 5'd1, pop_i & ~ref_room};
  check #(.BAD(3), .COVER(2)) u_check (
    .ok_i((rst_i | ((ref_room | ~push_i) & (ref_valid | ~pop_i))) & (run_q | rst_i)), .bad_i(bad & {3{run_q}}),
    .cover_i(covers & {2{run_q}})
  );
endmodule
`default_nettype wire
