// SPDX-License-Identifier: Apache-2.0
// port.v - one input port: V queues, the output that each worm holds, and the flit on offer.
// C twin: cmodel/switch/port.c.
//
// Each channel asks for the outputs that its front flit could take in this cycle: a head what
// route.v says, as far as some channel of that output is free and has room; a body or tail flit
// the channel that its head got, if that has room.  Of the channels that ask, the first at or
// after next_q is offered to the arbiter; next_q moves past a channel when its flit crosses.
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
  input  wire                          clk_i,
  input  wire                          rst_i,    // synchronous, active high
  input  wire [VCS-1:0]                valid_i,  // a flit enters this channel; one-hot or zero
  input  wire [FLIT_W+1:0]             flit_i,
  output wire [VCS-1:0]                room_o,   // the channel can take a flit in this cycle
  input  wire                          rand_i,   // random bit of the cycle
  input  wire [6*VCS-1:0]              room_i,   // room at the far end of each output channel
  input  wire [6*VCS-1:0]              free_i,   // ... and no worm holds the channel
  output wire [5:0]                    req_o,    // outputs that the flit on offer could take
  output wire [FLIT_W+1:0]             flit_o,   // the flit on offer
  output wire [VCS-1:0]                chan_o,   // channel that its worm holds; zero for a head
  output wire [VCS-1:0]                offer_o,  // the channel it waits in; zero if V > 1 and none asks
  output wire [$clog2(LEVELS+1)-1:0]   height_o, // of the worm on offer (FF)
  output wire [VCS-1:0]                fresh_o,  // a head came to this channel's front (FCFS)
  input  wire [5:0]                    gnt_i,    // the output it crosses to; one-hot or zero
  input  wire [VCS-1:0]                chan_i,   // the channel that it takes there; one-hot
  // Word 0 {next_q[1:0], offer[3:0], gnt[5:0], room[3:0], valid[3:0]}, the flit on the link, then
  // each channel: {height_q[3:0], chan_q[3:0], hold_q[5:0], fifo word 0}, its slots.
  output wire [32*(1+(FLIT_W+33)/32+VCS*(1+DEPTH*((FLIT_W+33)/32)))-1:0] probe_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);      // probe bits of a flit
  localparam integer PROBE_W  = 32 + DEPTH * FLIT_PW;      // ... and of a channel

  wire [6*VCS-1:0]        req;         // of every channel
  wire [W*VCS-1:0]        front;
  wire [VCS*VCS-1:0]      chan;
  wire [HEIGHT_W*VCS-1:0] height;
  wire [VCS*PROBE_W-1:0]  probe;
  wire [1:0]              next_probe;
  wire [VCS-1:0]          pop = offer_o & {VCS{|gnt_i}};
  wire                    tail = flit_o[FLIT_W];

  genvar v, o;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      wire                valid;
      wire                fresh;
      wire                head = front[v*W+FLIT_W+1];
      wire [3:0]          child;
      wire [1:0]          parent;
      wire [HEIGHT_W-1:0] head_height;
      wire [5:0]          want = {parent, child};
      wire [5:0]          can;
      wire [PROBE_W-1:0]  queue;
      // The output that the worm in this channel holds, one-hot; zero while none does.
      reg  [5:0]          hold_q;

      fifo #(
        .WIDTH(W), .DEPTH(DEPTH), .PROBE(PROBE)
      ) u_fifo (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(valid_i[v]), .data_i(flit_i),
        .pop_i(pop[v]), .data_o(front[v*W+:W]), .valid_o(valid),
        .room_o(room_o[v]), .fresh_o(fresh), .probe_o(queue)
      );

      route #(
        .FLIT_W(FLIT_W), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
      ) u_route (
        .head_i(front[v*W+:FLIT_W]), .rand_i(rand_i),
        .child_o(child), .parent_o(parent), .height_o(head_height)
      );

      for (o = 0; o < 6; o = o + 1) begin : g_out
        assign can[o] = head ? want[o] & (|free_i[VCS*o+:VCS])
                             : hold_q[o] & (|(room_i[VCS*o+:VCS] & chan[VCS*v+:VCS]));
      end
      assign req[6*v+:6] = can & {6{valid}};
      assign fresh_o[v]  = fresh & head;

      always @(posedge clk_i)
        if (rst_i)       hold_q <= 6'd0;
        else if (pop[v]) hold_q <= tail ? 6'd0 : gnt_i;

      wire [3:0] chan_probe;
      if (VCS > 1) begin : g_chan
        reg [VCS-1:0] chan_q;          // the channel that the worm holds there, one-hot
        always @(posedge clk_i)
          if (rst_i)       chan_q <= {VCS{1'b0}};
          else if (pop[v]) chan_q <= tail ? {VCS{1'b0}} : chan_i;
        assign chan[VCS*v+:VCS] = chan_q;
        assign chan_probe       = {{(4 - VCS) {1'b0}}, chan_q};
      end else begin : g_one_chan
        assign chan[v]    = ~head;
        assign chan_probe = 4'd0;
      end

      // With one channel only heads compete, so a body's height is never asked for.
      wire [3:0] height_probe;
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

      assign probe[v*PROBE_W+:PROBE_W] = {queue[PROBE_W-1:32], 4'd0, height_probe, chan_probe,
                                          hold_q, queue[13:0]};
      wire unused = &{1'b0, queue[31:14], 1'b0};
    end

    if (VCS == 1) begin : g_offer_one
      assign offer_o  = 1'b1;
      assign req_o    = req;
      assign flit_o   = front;
      assign chan_o   = chan;
      assign height_o = height;
      wire unused = &{1'b0, chan_i, 1'b0};
      assign next_probe = 2'd0;
    end else begin : g_offer
      localparam integer NEXT_W = $clog2(VCS);
      reg  [NEXT_W-1:0] next_q;        // channel to offer first
      wire [VCS-1:0]    asks;
      wire [VCS-1:0]    late;          // asking channels at or after next_q
      wire [VCS-1:0]    from = (late != {VCS{1'b0}}) ? late : asks;
      for (v = 0; v < VCS; v = v + 1) begin : g_asks
        assign asks[v] = |req[6*v+:6];
      end
      assign late    = asks & ({VCS{1'b1}} << next_q);
      assign offer_o = from & (~from + 1'b1);

      // AND-OR of the channels; all bits of one field in one row.
      wire [6*VCS-1:0]        req_and;
      wire [W*VCS-1:0]        flit_and;
      wire [VCS*VCS-1:0]      chan_and;
      wire [HEIGHT_W*VCS-1:0] height_and;
      for (v = 0; v < VCS; v = v + 1) begin : g_and
        assign req_and[6*v+:6]                  = req[6*v+:6] & {6{offer_o[v]}};
        assign flit_and[W*v+:W]                 = front[W*v+:W] & {W{offer_o[v]}};
        assign chan_and[VCS*v+:VCS]             = chan[VCS*v+:VCS] & {VCS{offer_o[v]}};
        assign height_and[HEIGHT_W*v+:HEIGHT_W] = height[HEIGHT_W*v+:HEIGHT_W] & {HEIGHT_W{offer_o[v]}};
      end
      if (VCS == 2) begin : g_two
        assign req_o    = req_and[5:0] | req_and[11:6];
        assign flit_o   = flit_and[W-1:0] | flit_and[W+:W];
        assign chan_o   = chan_and[1:0] | chan_and[3:2];
        assign height_o = height_and[HEIGHT_W-1:0] | height_and[HEIGHT_W+:HEIGHT_W];
        always @(posedge clk_i)
          if (rst_i)       next_q <= 1'b0;
          else if (|gnt_i) next_q <= offer_o[0];
      end else begin : g_four
        assign req_o    = req_and[5:0] | req_and[11:6] | req_and[17:12] | req_and[23:18];
        assign flit_o   = flit_and[W-1:0] | flit_and[W+:W] | flit_and[2*W+:W] | flit_and[3*W+:W];
        assign chan_o   = chan_and[3:0] | chan_and[7:4] | chan_and[11:8] | chan_and[15:12];
        assign height_o = height_and[HEIGHT_W-1:0] | height_and[HEIGHT_W+:HEIGHT_W] |
                          height_and[2*HEIGHT_W+:HEIGHT_W] | height_and[3*HEIGHT_W+:HEIGHT_W];
        always @(posedge clk_i)
          if (rst_i)       next_q <= 2'd0;
          else if (|gnt_i) next_q <= {offer_o[1] | offer_o[2], offer_o[0] | offer_o[2]};
      end
      assign next_probe = {{(2 - NEXT_W) {1'b0}}, next_q};
    end

    if (PROBE != 0) begin : g_probe
      wire [FLIT_PW-1:0] link  = {{(FLIT_PW - W) {1'b0}}, flit_i};
      wire [3:0]         valid = {{(4 - VCS) {1'b0}}, valid_i};
      wire [3:0]         room  = {{(4 - VCS) {1'b0}}, room_o};
      wire [3:0]         offer = {{(4 - VCS) {1'b0}}, offer_o};
      assign probe_o = {probe, link, 12'd0, next_probe, offer, gnt_i, room, valid};
    end else begin : g_no_probe
      wire unused = &{1'b0, probe, next_probe, 1'b0};
      assign probe_o = {(32 + FLIT_PW + VCS * PROBE_W) {1'b0}};
    end
  endgenerate
endmodule
`default_nettype wire
