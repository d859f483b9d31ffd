// SPDX-License-Identifier: Apache-2.0
// port_fast.v - one input port: V queues, the output that each worm holds, and the flit on offer.
// It does what port.v does, which is the twin of cmodel/switch/port.c.
//
// Each channel asks for the outputs that its front flit could take in this cycle: a head what
// route.v says, as far as some channel of that output is free and has room; a body or tail flit
// the channel that its head got, if that has room.  Of the channels that ask, the first at or
// after next_q is offered to the arbiter; next_q moves past a channel when its flit crosses.
// An output's channels are V-bit groups: bit VCS*o + w is channel w of output o.
`default_nettype none
`include "flit.vh"

module port_fast #(
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
  input  wire                          rand_i,   // random bit of the next cycle
  input  wire [6*VCS-1:0]              room_i,   // room at the far end of each output channel
  input  wire [6*VCS-1:0]              free_i,   // ... and no worm holds the channel
  output wire [5:0]                    req_o,    // outputs that the flit on offer could take
  output wire [5:0]                    ask_o,    // VCS = 1: the same, but for the room
  output wire [FLIT_W+1:0]             flit_o,   // the flit on offer
  output wire [VCS-1:0]                chan_o,   // channel that its worm holds; zero for a head
  output wire [VCS-1:0]                offer_o,  // the channel it waits in; zero if V > 1 and none asks
  output wire [$clog2(LEVELS+1)-1:0]   height_o, // of the worm on offer (FF)
  output wire [VCS-1:0]                fresh_o,  // a head came to this channel's front (FCFS)
  input  wire [5:0]                    gnt_i,    // the output it crosses to; one-hot or zero
  input  wire [VCS-1:0]                chan_i,   // the channel that a head takes there; one-hot
  // Word 0 {next_q[1:0], offer[3:0], gnt[5:0], room[3:0], valid[3:0]}, the flit on the link, then
  // each channel: {4 zeros, height_q[3:0], chan_q[3:0], hold_q[5:0], fifo's}, its slots.
  output wire [32*(1+(FLIT_W+33)/32+VCS*(1+DEPTH*((FLIT_W+33)/32)))-1:0] probe_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);      // probe bits of a flit
  localparam integer PROBE_W  = 32 + DEPTH * FLIT_PW;      // ... and of a channel

  // What is read of a flit on its way to the front: its kind, and of a head where it goes.
  localparam integer PATH_LSB = 4 * LEVELS + HEIGHT_W + LEVEL - 1;
  localparam [W-1:0] DIGIT    = {{(W-2){1'b0}}, 2'b11} << 2 * (LEVEL - 1);
  localparam [W-1:0] HEIGHT   = {{(W-HEIGHT_W){1'b0}}, {HEIGHT_W{1'b1}}} << 4 * LEVELS;
  localparam [W-1:0] FORK     = {{(W-1){1'b0}}, (PATH == `FATFLY_FP)} << PATH_LSB;
  localparam [W-1:0] UP       = (LEVEL == LEVELS || PARENT != 0) ? {W{1'b0}} : HEIGHT | FORK;
  localparam [W-1:0] AHEAD    = (DEPTH == 2) ? {2'b11, {FLIT_W{1'b0}}} | DIGIT | UP : {W{1'b1}};

  wire [6*VCS-1:0]        req;         // of every channel
  wire [5:0]              ask;         // VCS = 1
  wire [W*VCS-1:0]        front;       // front_q of every channel
  wire [2*W*VCS-1:0]      words;       // odd_q, even_q of every channel
  wire [VCS-1:0]          turn;        // odd_q is the older of the two
  wire [VCS*VCS-1:0]      chan;
  wire [HEIGHT_W*VCS-1:0] height;
  wire [VCS*PROBE_W-1:0]  probe;
  wire [1:0]              next_probe;
  wire [W-1:0]            fronts;      // front_q of the flit on offer
  wire [W-1:0]            turned_word; // ... and what is kept by turns of it
  assign flit_o = (fronts & AHEAD) | (turned_word & ~AHEAD);
  wire [VCS-1:0]          pop = offer_o & {VCS{|gnt_i}};

  genvar v, o;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      wire                valid;
      wire                fresh;
      wire [W-1:0]        stored;      // front_q
      wire [W-1:0]        next;        // what comes to the front
      wire                more;        // ... if anything does
      wire                to;          // odd_q is written next
      wire [5:0]          next_want;
      wire [HEIGHT_W-1:0] next_height;
      wire [HEIGHT_W-1:0] head_height = stored[4*LEVELS+:HEIGHT_W];
      wire [5:0]          want;        // want_q
      wire [5:0]          can;
      wire [PROBE_W-1:0]  queue;
      // A body or tail flit is at the front.  Only flit_o of a valid channel is read, so its head
      // bit can come from here.
      reg                 body_q;
      wire                head = ~body_q;
      assign front[v*W+:W] = {head, stored[W-2:0]};

      fifo_fast #(
        .WIDTH(W), .DEPTH(DEPTH), .PROBE(PROBE)
      ) u_fifo (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(valid_i[v]), .data_i(flit_i),
        .pop_i(pop[v]), .data_o(stored), .valid_o(valid),
        .room_o(room_o[v]), .fresh_o(fresh), .next_o(next), .more_o(more),
        .turn_o(turn[v]), .to_o(to), .probe_o(queue)
      );

      if (DEPTH == 2) begin : g_pair
        // What is not read ahead, the bulk of a flit.
        reg [W-1:0] even_q;
        reg [W-1:0] odd_q;
        always @(posedge clk_i) begin
          if (valid_i[v] & ~to) even_q <= flit_i;
          if (valid_i[v] & to)  odd_q  <= flit_i;
        end
        assign words[2*v*W+:2*W] = {odd_q & ~AHEAD, even_q & ~AHEAD};
      end else begin : g_no_pair
        assign words[2*v*W+:2*W] = {2*W{1'b0}};
        wire unused = &{1'b0, to, 1'b0};
      end

      // Routed on arrival.  While another flit follows or is still to come, want_q stays: the worm
      // holds what its head got.
      route #(
        .FLIT_W(FLIT_W), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
      ) u_route (
        .head_i(next[FLIT_W-1:0]), .rand_i(rand_i),
        .child_o(next_want[3:0]), .parent_o(next_want[5:4]), .height_o(next_height)
      );
      wire unused_next = &{1'b0, next_height, next[FLIT_W], stored[W-1], 1'b0};

      // A head comes to the front, or a tail leaves it empty.
      wire renew = rst_i | (~valid & more & next[FLIT_W+1]) |
                   (pop[v] & (more ? next[FLIT_W+1] : stored[FLIT_W]));
      wire none = ~more | rst_i;

      // Needs no reset: with want_q zero it is not read, and an empty queue sets it anew.
      always @(posedge clk_i)
        if (pop[v] | ~valid) begin
          if (~more) body_q <= 1'b0;
          else       body_q <= ~next[FLIT_W+1];
        end

      reg [3:0] child_q;
      assign want[3:0] = child_q;
      always @(posedge clk_i)
        if (renew) begin
          if (none) child_q <= 4'd0;
          else      child_q <= next_want[3:0];
        end

      if (LEVEL == LEVELS || PARENT != 0) begin : g_down
        assign want[5:4] = 2'b00;
        wire unused = &{1'b0, next_want[5:4], 1'b0};
      end else if (PATH == `FATFLY_RP) begin : g_rp
        // The parent is drawn for every cycle until the head has crossed.
        reg up_q;
        reg parent_q;
        wire held = up_q & ~(valid & head);
        wire draw = pop[v] ? stored[FLIT_W] : ~held;
        assign want[5:4] = {up_q & parent_q, up_q & ~parent_q};
        always @(posedge clk_i)
          if (renew) begin
            if (none) up_q <= 1'b0;
            else      up_q <= |next_want[5:4];
          end
        always @(posedge clk_i)
          if (draw) parent_q <= rand_i;
      end else begin : g_parents
        // Under GP and RG a head wants both; when it has crossed, its worm wants the one it got.
        reg [1:0] parent_q;
        assign want[5:4] = parent_q;
        always @(posedge clk_i)
          if (renew) begin
            if (none) parent_q <= 2'b00;
            else      parent_q <= next_want[5:4];
          end else if (pop[v]) parent_q <= gnt_i[5:4];
      end

      for (o = 0; o < 6; o = o + 1) begin : g_out
        if (VCS == 1) begin : g_one
          // A worm that waits for its next flit needs no gate: what it holds is not free.
          assign ask[o] = want[o] & (body_q | free_i[o]);
          assign can[o] = ask[o] & room_i[o];
        end else begin : g_more
          assign can[o] = want[o] & (body_q ? |(room_i[VCS*o+:VCS] & chan[VCS*v+:VCS])
                                            : valid & (|free_i[VCS*o+:VCS]));
        end
      end
      assign req[6*v+:6] = can;
      assign fresh_o[v]  = fresh & head;

      wire [3:0] chan_probe;
      if (VCS > 1) begin : g_chan
        reg [VCS-1:0] chan_q;          // the channel that the worm holds there, one-hot
        always @(posedge clk_i)
          if (rst_i)       chan_q <= {VCS{1'b0}};
          else if (pop[v]) chan_q <= stored[FLIT_W] ? {VCS{1'b0}} : body_q ? chan_q : chan_i;
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

      // The slots, with the bits that are kept by turns from where they are.
      wire [DEPTH*FLIT_PW-1:0] slots;
      if (DEPTH == 2) begin : g_slots
        wire [W-1:0] oldest = (turn[v] ? words[(2*v+1)*W+:W] : words[2*v*W+:W]) & {W{valid}};
        wire [W-1:0] second = (turn[v] ? words[2*v*W+:W] : words[(2*v+1)*W+:W]) & {W{~room_o[v]}};
        assign slots = {{(FLIT_PW - W) {1'b0}}, (queue[32+FLIT_PW+:W] & AHEAD) | (second & ~AHEAD),
                        {(FLIT_PW - W) {1'b0}}, (queue[32+:W] & AHEAD) | (oldest & ~AHEAD)};
      end else begin : g_ring
        assign slots = queue[PROBE_W-1:32];
      end
      // What want_q holds once the head has crossed.
      wire [5:0] hold = want & {6{~(valid & head)}};
      // Two registers contradict each other, which never happens: for the proofs.
      wire odd;
      if (PROBE != 0) begin : g_odd
        wire [W-1:0] shown = slots[W-1:0];
        wire [3:0]   child;
        wire [1:0]   above;
        wire [HEIGHT_W-1:0] unused_height;
        route #(
          .FLIT_W(FLIT_W), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
        ) u_front (
          .head_i(shown[FLIT_W-1:0]), .rand_i(want[5]), .child_o(child), .parent_o(above),
          .height_o(unused_height)
        );
        wire twice;                    // what is kept twice differs
        if (DEPTH == 2) begin : g_twice
          assign twice = (valid & queue[32+:W] != shown) |
                         (~room_o[v] & (~valid | queue[32+FLIT_PW+:W] != slots[FLIT_PW+:W]));
        end else begin : g_once
          assign twice = 1'b0;
        end
        assign odd = twice | ((valid | |want) & body_q != (valid & ~shown[W-1])) |
                     (valid & shown[W-1] & want != {above, child});
        wire unused_odd = &{1'b0, unused_height, 1'b0};
      end else begin : g_even
        assign odd = 1'b0;
      end
      assign probe[v*PROBE_W+:PROBE_W] = {slots, odd, 3'd0, height_probe, chan_probe, hold,
                                          queue[13:0]};
      wire unused = &{1'b0, queue, 1'b0};
    end

    // Of the flit on offer, what is kept by turns.
    if (DEPTH != 2) begin : g_no_turns
      assign turned_word = {W{1'b0}};
      wire unused = &{1'b0, words, turn, 1'b0};
    end else if (VCS == 1) begin : g_word_one
      gather #(.WIDTH(W), .INPUTS(2), .BITS(~AHEAD)) u_word (
        .from_i({1'b0, turn}), .words_i(words), .word_o(turned_word)
      );
    end else begin : g_word
      wire [W*VCS/2-1:0] part;
      for (v = 0; v < VCS; v = v + 2) begin : g_two
        wire [1:0] odd  = offer_o[v+:2] & turn[v+:2];
        wire [1:0] even = offer_o[v+:2] & ~turn[v+:2];
        gather #(.WIDTH(W), .INPUTS(4), .BITS(~AHEAD)) u_word (
          .from_i({1'b0, offer_o[v+1], odd[0] | odd[1], even[0] | odd[1]}),
          .words_i(words[2*v*W+:4*W]), .word_o(part[v/2*W+:W])
        );
        wire unused = &{1'b0, even, 1'b0};
      end
      if (VCS == 2) begin : g_word_two
        assign turned_word = part;
      end else begin : g_word_four
        assign turned_word = part[W-1:0] | part[W+:W];
      end
    end

    if (VCS == 1) begin : g_offer_one
      assign offer_o  = 1'b1;
      assign req_o    = req;
      assign ask_o    = ask;
      assign fronts   = front;
      assign chan_o   = chan;
      assign height_o = height;
      wire unused = &{1'b0, chan_i, 1'b0};
      assign next_probe = 2'd0;
    end else begin : g_offer
      localparam integer NEXT_W = $clog2(VCS);
      reg  [NEXT_W-1:0] next_q;        // channel to offer first
      wire [VCS-1:0]    asks;
      wire [VCS-1:0]    leader;        // no channel that comes before this one asks
      for (v = 0; v < VCS; v = v + 1) begin : g_asks
        assign asks[v] = |req[6*v+:6];
      end
      assign offer_o = asks & leader;
      assign ask     = 6'd0;
      assign ask_o   = ask;
      if (VCS == 2) begin : g_leader_two
        assign leader = {next_q[0] | ~asks[0], ~next_q[0] | ~asks[1]};
      end else begin : g_leader_four
        wire [VCS-1:0] late = asks & ({VCS{1'b1}} << next_q); // at or after next_q
        wire [VCS-1:0] from = (late != {VCS{1'b0}}) ? late : asks;
        assign leader = from & (~from + 1'b1);
      end

      // AND-OR of the channels; all bits of one field in one row.
      wire [6*VCS-1:0]        req_and;
      wire [W*VCS-1:0]        flit_and;
      wire [VCS*VCS-1:0]      chan_and;
      wire [HEIGHT_W*VCS-1:0] height_and;
      for (v = 0; v < VCS; v = v + 1) begin : g_and
        // A channel that does not ask has no request, so first will do.
        assign req_and[6*v+:6]                  = req[6*v+:6] & {6{leader[v]}};
        assign flit_and[W*v+:W]                 = front[W*v+:W] & {W{offer_o[v]}};
        assign chan_and[VCS*v+:VCS]             = chan[VCS*v+:VCS] & {VCS{offer_o[v]}};
        assign height_and[HEIGHT_W*v+:HEIGHT_W] = height[HEIGHT_W*v+:HEIGHT_W] & {HEIGHT_W{offer_o[v]}};
      end
      if (VCS == 2) begin : g_two
        assign req_o    = req_and[5:0] | req_and[11:6];
        assign fronts   = flit_and[W-1:0] | flit_and[W+:W];
        assign chan_o   = chan_and[1:0] | chan_and[3:2];
        assign height_o = height_and[HEIGHT_W-1:0] | height_and[HEIGHT_W+:HEIGHT_W];
        always @(posedge clk_i)
          if (rst_i)       next_q <= 1'b0;
          else if (|gnt_i) next_q <= offer_o[0];
      end else begin : g_four
        assign req_o    = req_and[5:0] | req_and[11:6] | req_and[17:12] | req_and[23:18];
        assign fronts   = flit_and[W-1:0] | flit_and[W+:W] | flit_and[2*W+:W] | flit_and[3*W+:W];
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
      wire [FLIT_PW-1:0] link  = {{(FLIT_PW - W) {1'b0}}, flit_i & {W{|valid_i}}};
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
