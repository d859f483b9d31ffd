// SPDX-License-Identifier: Apache-2.0
// port.v - one input port: V queues, the output that each worm holds, and the flit on offer.
// C twin: cmodel/switch/port.c, with the same registers.
//
// Each channel asks for the outputs that its front flit could take in this cycle: a head for those
// that route.v names, if some channel there is free and has room; a body or tail flit for the
// output that its head got, if the channel there has room.  Of the channels that ask, the first
// from next_q on is offered to the arbiter; next_q moves past a channel when its flit crosses.
// An output's channels are V-bit groups: bit VCS*o + w is channel w of output o.
`default_nettype none
`include "flit.vh"

module port #(
  parameter integer VCS    = 1,        // virtual channels: 1, 2 or 4
  parameter integer DEPTH  = 2,        // flits a queue holds, 1 to 16
  parameter integer FLIT_W = 32,       // payload bits, 16 to 64
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PARENT = 0,        // 1: this is a parent port
  parameter integer PROBE  = 0         // 1: probe_o shows the registers, 0: probe_o is zero
) (
  input  wire                        clk_i,
  input  wire                        rst_i,    // synchronous, active high
  input  wire [VCS-1:0]              valid_i,  // a flit enters this channel; one-hot or zero
  input  wire [FLIT_W+1:0]           flit_i,
  output wire [VCS-1:0]              room_o,   // the channel can take a flit in this cycle
  input  wire                        rand_i,   // the port's random bit of this cycle
  input  wire [6*VCS-1:0]            room_i,   // room at the far end of each output channel
  input  wire [6*VCS-1:0]            free_i,   // ... and no worm holds the channel
  output wire [5:0]                  req_o,    // outputs that the flit on offer could take
  output wire [FLIT_W+1:0]           flit_o,   // the flit on offer
  output wire [VCS-1:0]              chan_o,   // channel that its worm holds; zero for a head
  output wire [VCS-1:0]              offer_o,  // the channel it waits in; zero if V > 1 and none asks
  output wire [$clog2(LEVELS+1)-1:0] height_o, // of the worm on offer (FF)
  output wire [VCS-1:0]              fresh_o,  // a head came to this channel's front (FCFS)
  input  wire [5:0]                  gnt_i,    // the output it crosses to; one-hot or zero
  input  wire [VCS-1:0]              chan_i,   // the channel that it takes there; one-hot
  // Word 0 {next_q[1:0], offer[3:0], gnt[5:0], room[3:0], valid[3:0]}, the flit on the link, then
  // for each channel {3 zeros, drawn_q, height_q[3:0], chan_q[3:0], hold_q[5:0], fifo's 14 bits}, its slots.
  output wire [32*(1+(FLIT_W+33)/32+VCS*(1+DEPTH*((FLIT_W+33)/32)))-1:0] probe_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);      // probe bits of a flit
  localparam integer PROBE_W  = 32 + DEPTH * FLIT_PW;      // ... and of a channel

  // Of every channel.
  wire [6*VCS-1:0]        req;
  wire [VCS-1:0]          asks;
  wire [W*VCS-1:0]        front;
  wire [VCS*VCS-1:0]      chan;
  wire [HEIGHT_W*VCS-1:0] height;
  wire [VCS*PROBE_W-1:0]  probe;
  wire [1:0]              next;        // channel to offer first
  wire [VCS-1:0]          pop = offer_o & {VCS{|gnt_i}};

  genvar v, o;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      wire                valid;
      wire                fresh;
      wire [W-1:0]        flit;        // at the front
      wire                head = flit[FLIT_W+1];
      wire                tail = flit[FLIT_W];
      wire [5:0]          to;          // where it may go if it is a head
      wire [1:0]          parent;      // ... of the parents, as route.v says
      wire [HEIGHT_W-1:0] head_height;
      wire [PROBE_W-1:0]  queue;
      reg  [5:0]          hold_q;      // output that the worm holds, one-hot; zero = none
      wire [3:0]          chan_probe;
      wire [3:0]          height_probe;
      wire                drawn_probe;

      fifo #(.WIDTH(W), .DEPTH(DEPTH), .PROBE(PROBE)) u_fifo (
        .clk_i(clk_i), .rst_i(rst_i), .push_i(valid_i[v]), .data_i(flit_i), .pop_i(pop[v]),
        .data_o(flit), .valid_o(valid), .room_o(room_o[v]), .fresh_o(fresh), .probe_o(queue)
      );

      route #(
        .FLIT_W(FLIT_W), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
      ) u_route (
        .head_i(flit[FLIT_W-1:0]), .rand_i(rand_i), .child_o(to[3:0]), .parent_o(parent),
        .height_o(head_height)
      );

      always @(posedge clk_i)
        if (rst_i)       hold_q <= 6'd0;
        else if (pop[v]) hold_q <= tail ? 6'd0 : gnt_i;

      if (VCS > 1) begin : g_chan
        reg [VCS-1:0] chan_q;          // the channel that it holds there, one-hot
        always @(posedge clk_i)
          if (rst_i)       chan_q <= {VCS{1'b0}};
          else if (pop[v]) chan_q <= tail ? {VCS{1'b0}} : chan_i;
        assign chan[VCS*v+:VCS] = chan_q;
        assign chan_probe       = {{(4 - VCS) {1'b0}}, chan_q};
      end else begin : g_one_chan
        assign chan[v]    = ~head;
        assign chan_probe = 4'd0;
      end

      // Only a worm's head says its height.  With one channel only heads compete.
      if (VCS > 1 && SCAN == `FATFLY_FF) begin : g_height
        reg [HEIGHT_W-1:0] height_q;
        always @(posedge clk_i)
          if (rst_i)              height_q <= {HEIGHT_W{1'b0}};
          else if (pop[v] & head) height_q <= head_height;
        assign height[HEIGHT_W*v+:HEIGHT_W] = head ? head_height : height_q;
        assign height_probe = {{(4 - HEIGHT_W) {1'b0}}, height_q};
      end else begin : g_no_height
        assign height[HEIGHT_W*v+:HEIGHT_W] = head_height;
        assign height_probe = 4'd0;
      end

      // In its first cycle at the front a head could take either parent, later the one that it drew then.
      if (PATH == `FATFLY_RW) begin : g_drawn
        reg drawn_q;
        always @(posedge clk_i)
          if (rst_i)             drawn_q <= 1'b0;
          else if (fresh & head) drawn_q <= rand_i;
        assign to[5:4]     = parent & ({2{fresh}} | {drawn_q, ~drawn_q});
        assign drawn_probe = drawn_q;
      end else begin : g_not_drawn
        assign to[5:4]     = parent;
        assign drawn_probe = 1'b0;
      end

      for (o = 0; o < 6; o = o + 1) begin : g_out
        wire takes = to[o] & |free_i[VCS*o+:VCS];
        wire goes  = hold_q[o] & |(room_i[VCS*o+:VCS] & chan[VCS*v+:VCS]);
        assign req[6*v+o] = valid & (head ? takes : goes);
      end
      assign asks[v]       = |req[6*v+:6];
      assign front[W*v+:W] = flit;
      assign fresh_o[v]    = fresh & head;
      assign probe[v*PROBE_W+:PROBE_W] =
        {queue[PROBE_W-1:32], 3'd0, drawn_probe, height_probe, chan_probe, hold_q, queue[13:0]};
      wire unused = &{1'b0, queue[31:14], 1'b0};
    end

    if (VCS == 1) begin : g_offer_one
      assign offer_o  = 1'b1;
      assign req_o    = req;
      assign flit_o   = front;
      assign chan_o   = chan;
      assign height_o = height;
      assign next     = 2'd0;
      wire unused = &{1'b0, asks, chan_i, 1'b0};
    end else begin : g_offer
      localparam integer NEXT_W = $clog2(VCS);
      reg  [NEXT_W-1:0] next_q;        // channel to offer first
      // Turned so that channel next_q comes first, the lowest bit, and turned back.
      wire [2*VCS-1:0]  turned = {asks, asks} >> next_q;
      wire [VCS-1:0]    leader = turned[VCS-1:0] & (~turned[VCS-1:0] + 1'b1);
      wire [2*VCS-1:0]  back   = {leader, leader} << next_q;
      wire              unused = &{1'b0, turned, back, 1'b0};
      assign offer_o = back[2*VCS-1:VCS];
      assign next    = {{(2 - NEXT_W) {1'b0}}, next_q};

      reg [5:0]          req_r;
      reg [W-1:0]        flit_r;
      reg [VCS-1:0]      chan_r;
      reg [HEIGHT_W-1:0] height_r;
      reg [NEXT_W-1:0]   after;        // the channel after the one on offer
      integer k;
      always @* begin
        req_r    = 6'd0;
        flit_r   = {W{1'b0}};
        chan_r   = {VCS{1'b0}};
        height_r = {HEIGHT_W{1'b0}};
        after    = next_q;
        for (k = 0; k < VCS; k = k + 1)
          if (offer_o[k]) begin
            req_r    = req[6*k+:6];
            flit_r   = front[W*k+:W];
            chan_r   = flit_r[FLIT_W+1] ? {VCS{1'b0}} : chan[VCS*k+:VCS];
            height_r = height[HEIGHT_W*k+:HEIGHT_W];
            after    = k[NEXT_W-1:0] + 1'b1;
          end
      end
      assign req_o    = req_r;
      assign flit_o   = flit_r;
      assign chan_o   = chan_r;
      assign height_o = height_r;
      always @(posedge clk_i)
        if (rst_i)       next_q <= {NEXT_W{1'b0}};
        else if (|gnt_i) next_q <= after;
    end

    if (PROBE != 0) begin : g_probe
      wire [FLIT_PW-1:0] link  = {{(FLIT_PW - W) {1'b0}}, flit_i & {W{|valid_i}}};
      wire [3:0]         valid = {{(4 - VCS) {1'b0}}, valid_i};
      wire [3:0]         room  = {{(4 - VCS) {1'b0}}, room_o};
      wire [3:0]         offer = {{(4 - VCS) {1'b0}}, offer_o};
      assign probe_o = {probe, link, 12'd0, next, offer, gnt_i, room, valid};
    end else begin : g_no_probe
      wire unused = &{1'b0, probe, next, 1'b0};
      assign probe_o = {(32 + FLIT_PW + VCS * PROBE_W) {1'b0}};
    end
  endgenerate
endmodule
`default_nettype wire
