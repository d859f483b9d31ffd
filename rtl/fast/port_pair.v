// SPDX-License-Identifier: Apache-2.0
// port_pair.v - port.v for two channels of two flits under RP, with fewer gates in a row.
// C twin: cmodel/switch/port.c.
//
// The same port cycle by cycle, for the scans RR, FO and ROT.  What it asks for (reach.v) starts at
// registers: hold has the output channels that the front flit could take, all of a head's output
// and the one of a body.  Which channel a head would take, and whether it is then held, is known
// beside the arbiter, not after it.  any_i, the grant, then changes few bits, each by one gate
// (keep.v): all of a flit is kept by turns, and where a head leads is found on its arrival.
`default_nettype none
`include "flit.vh"

module port_pair #(
  parameter integer FLIT_W = 32,       // payload bits, 16 to 64
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PORT   = 0,        // 0 to 3 a child, 4 and 5 a parent
  parameter integer PROBE  = 0         // 1: probe_o shows the registers, 0: probe_o is zero
) (
  input  wire              clk_i,
  input  wire              rst_i,      // synchronous, active high
  input  wire [1:0]        valid_i,    // a flit enters this channel; one-hot or zero
  input  wire [FLIT_W+1:0] flit_i,
  output wire [1:0]        room_o,     // the channel can take a flit in this cycle
  input  wire              rand_i,     // random bit of the next cycle
  input  wire [11:0]       room_i,     // room at the far end of each output channel
  input  wire [11:0]       busy_i,     // a worm holds the channel
  output wire [5:0]        req_o,      // outputs that the flit on offer could take
  output wire [FLIT_W+1:0] flit_o,     // the flit on offer
  output wire              zero_o,     // it takes channel 0 there, else 1
  output wire [1:0]        flip_o,     // ... which is then held and was not, or the reverse
  output wire [1:0]        offer_o,    // the channel it waits in; zero if none asks
  input  wire [5:0]        gnt_i,      // the output it crosses to; one-hot or zero
  input  wire              any_i,      // ... is not zero
  output wire [32*(1+(FLIT_W+33)/32+2*(1+2*((FLIT_W+33)/32)))-1:0] probe_o // as in port.v
);
  localparam integer PARENT   = (PORT > 3) ? 1 : 0;
  localparam integer UPWARD   = (LEVEL == LEVELS || PARENT != 0) ? 0 : 1;
  localparam integer W        = FLIT_W + 2;
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);      // probe bits of a flit
  localparam integer PROBE_W  = 32 + 2 * FLIT_PW;          // ... and of a channel

  // Tables of keep.v, and what each does (gate.v).
  localparam [15:0] A = 16'hff00;
  localparam [15:0] B = 16'hf0f0;
  localparam [15:0] C = 16'hcccc;
  localparam [15:0] D = 16'haaaa;
  // b_i comes at once; but if a_i, the flit at the front could leave: in place of bit_o, if it does.
  localparam [15:0] COME = (~B & (C | D)) | (B & ((A & C) | (~A & D)));
  // a_i goes, b_i comes if no a_i, with the grant.
  localparam [15:0] MOVE = (A & (C | D) & ~B) | (~A & D);
  // b_i takes the place of bit_o, with the grant and a_i.
  localparam [15:0] LOAD = (A & B & C) | (~(A & B) & D);

  wire [11:0]    can;                  // of either channel
  wire [5:0]     ask;                  // ... parts
  wire [1:0]     zero;                 // it would take channel 0
  wire [1:0]     turns;                // ... whose hold then begins or ends
  wire [3:0]     kinds;                // head and tail bit of either front
  wire [4*W-1:0] words;                // odd_q, even_q of either channel
  wire [1:0]     turn;                 // odd_q is the older of the two
  wire [2*PROBE_W-1:0] probe;
  wire [W-1:0]   front_word;           // of the flit on offer, all but its kind
  wire           channel;              // channel 1 is on offer, if any is, else 0
  wire           favourite;            // the channel that is asked first
  reg            drawn_q;              // the parent of this cycle
  always @(posedge clk_i) drawn_q <= rand_i;
  // Channel 0 of that parent could be taken.  Not (.. & ..) by parent: that would be shared with free.
  wire up_zero = (drawn_q ? room_i[10] : room_i[8]) & ~(drawn_q ? busy_i[10] : busy_i[8]);

  // Where a head leads that enters: {up, children}.
  wire [4:0] leads;
  wire       parent1;
  wire [$clog2(LEVELS+1)-1:0] height;
  wire [4:0] routed = leads & {5{flit_i[FLIT_W+1]}};
  route #(
    .FLIT_W(FLIT_W), .PATH(`FATFLY_RP), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
  ) u_route (
    .head_i(flit_i[FLIT_W-1:0]), .rand_i(1'b0), .child_o(leads[3:0]), .parent_o({parent1, leads[4]}),
    .height_o(height)
  );
  wire unused_route = &{1'b0, parent1, height, 1'b0};

  // Parents of which some channel could be taken; a copy in each port is nearer than one for all.
  wire [1:0] free;
  genvar v, o;
  generate
    for (o = 0; o < 2; o = o + 1) begin : g_free
      if (UPWARD != 0) begin : g_up
        gate #(.TABLE((A & ~C) | (B & ~D))) u_free (
          .in_i({room_i[8+2*o+:2], busy_i[8+2*o+:2]}), .out_o(free[o])
        );
      end else begin : g_none
        assign free[o] = 1'b0;
      end
    end
    for (v = 0; v < 2; v = v + 1) begin : g_vc
      // The queue: one flit or two, in two registers by turns.
      localparam [15:0] MINE = (v == 0) ? ~B : B;          // of channel: this one is on offer
      reg  valid_q;
      reg  room_q;
      reg  turn_q;
      wire more   = valid_i[v] | ~room_q;                  // a flit behind, or one that comes
      wire chosen = (v == 0) ? ~channel : channel;
      wire leave  = chosen & valid_q;                      // the front could leave
      wire next_valid;
      wire next_room;
      wire next_turn;
      gate #(.TABLE(C | (D & ~(A & MINE)))) u_valid (
        .in_i({any_i, channel, more, valid_q}), .out_o(next_valid)
      );
      gate #(.TABLE(~(C & D & ~(A & MINE)))) u_room (
        .in_i({any_i, channel, more, valid_q}), .out_o(next_room)
      );
      gate #(.TABLE(D ^ (A & MINE))) u_turn (
        .in_i({any_i, channel, 1'b0, turn_q}), .out_o(next_turn)
      );
      always @(posedge clk_i)
        if (rst_i) begin
          valid_q <= 1'b0;
          room_q  <= 1'b1;
          turn_q  <= 1'b0;
        end else begin
          valid_q <= next_valid;
          room_q  <= next_room;
          turn_q  <= next_turn;
        end
      assign room_o[v] = room_q;
      assign turn[v]   = turn_q;

      wire          to = turn_q ^ valid_q;                 // odd_q is written next
      reg  [W-1:0]  even_q;
      reg  [W-1:0]  odd_q;
      reg  [4:0]    behind_q;          // where the flit behind leads, zero if it is not a head
      always @(posedge clk_i) begin
        if (valid_i[v] & ~to) even_q <= flit_i;
        if (valid_i[v] & to)  odd_q  <= flit_i;
        if (valid_i[v])       behind_q <= routed;
      end
      assign words[2*v*W+:2*W] = {odd_q, even_q};
      wire tail = turn_q ? odd_q[FLIT_W] : even_q[FLIT_W];

      // What comes to the front: the flit behind after the one that leaves, or a flit that enters now.
      wire       after = ~room_q & chosen;
      wire       now   = valid_i[v] & room_q & (~valid_q | chosen);
      wire [4:0] comes = (behind_q & {5{after}}) | (routed & {5{now}});
      wire       body_q;               // a body or tail flit is at the front
      keep #(.TABLE(COME)) u_body (
        .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(leave),
        .b_i((now & ~flit_i[FLIT_W+1]) | (after & ~tail)), .bit_o(body_q)
      );

      // A head that comes wants both channels of its output.  Its worm keeps the one it got until the
      // tail has left; while the queue is empty, that stays.
      wire       takes;                // channel 0
      wire [1:0] quit = {2{leave}} & {tail | takes, tail | ~takes};
      wire [7:0] hold;
      wire       up;                   // a head is at the front that goes up
      wire       parent;               // the one that it or its worm wants
      wire       parent_q;             // ... the worm
      wire [1:0] hold_up;              // the channel that a worm holds there
      wire [1:0] here;                 // ... if a flit of it is at the front
      wire       child_zero;
      for (o = 0; o < 8; o = o + 1) begin : g_child
        if (o / 2 == PORT) begin : g_none
          assign hold[o] = 1'b0;
        end else begin : g_one
          keep #(.TABLE(COME)) u_hold (
            .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(quit[o%2]), .b_i(comes[o/2]),
            .bit_o(hold[o])
          );
        end
      end
      if (UPWARD != 0) begin : g_up
        // A head that goes up wants the parent that is drawn in this cycle.
        wire go = chosen & up;
        keep #(.TABLE(COME)) u_up (
          .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(leave), .b_i(comes[4]), .bit_o(up)
        );
        keep #(.TABLE(LOAD)) u_parent (
          .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(go), .b_i(drawn_q), .bit_o(parent_q)
        );
        for (o = 0; o < 2; o = o + 1) begin : g_hold
          keep #(.TABLE(MOVE)) u_hold (
            .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(quit[o]), .b_i(go), .bit_o(hold_up[o])
          );
          wire stay;
          gate #(.TABLE((A | B) & C & ~D)) u_stay (
            .in_i({hold_up[o], up, now | after, quit[o]}), .out_o(stay)
          );
          keep #(.TABLE(COME)) u_here (
            .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(leave), .b_i(stay), .bit_o(here[o])
          );
        end
        gate #(.TABLE(A | B | (C & D))) u_takes (
          .in_i({child_zero, hold_up[0], up, up_zero}), .out_o(takes)
        );
      end else begin : g_down
        assign up       = 1'b0;
        assign parent_q = 1'b0;
        assign hold_up  = 2'b00;
        assign here     = 2'b00;
        assign takes    = child_zero;
      end
      reach #(
        .UP(UPWARD), .SELF((PORT > 3) ? 6 : PORT)
      ) u_reach (
        .room_i(room_i), .busy_i(busy_i), .hold_i(hold), .body_i(body_q), .here_i(here),
        .parent_i(parent_q), .up_i(up), .drawn_i(drawn_q), .free_i(free),
        .can_o(can[6*v+:6]), .parent_o(parent), .zero_o(child_zero), .ask_o(ask[3*v+:3])
      );
      wire unused = &{1'b0, comes, parent, hold_up, 1'b0};
      assign zero[v]       = takes;
      assign turns[v]      = ~body_q ^ tail;
      assign kinds[2*v+:2] = {~body_q, tail};

      // As port.v has them: want_q, chan_q, the slots.
      if (PROBE != 0) begin : g_probe
        reg  fresh_q;
        always @(posedge clk_i)
          fresh_q <= ~rst_i & more & (~valid_q | (any_i & chosen));
        wire [3:0] want = {|hold[7:6], |hold[5:4], |hold[3:2], |hold[1:0]};
        wire [1:0] goes = {parent, ~parent} & {2{(|hold_up) | up}} & {2{UPWARD != 0}};
        wire [1:0] some = hold[7:6] | hold[5:4] | hold[3:2] | hold[1:0];
        wire [1:0] chan = (some & {2{~&some}}) | hold_up;
        wire [W-1:0] front  = (turn_q ? odd_q : even_q) & {W{valid_q}};
        wire [W-1:0] second = (turn_q ? even_q : odd_q) & {W{~room_q}};
        // Two registers contradict each other, which never happens: for the proofs.
        wire both = &some | up;                            // a head is at the front
        wire worm = (|some & ~&some) | |hold_up;           // a worm is under way
        wire [3:0] child;
        wire [1:0] above;
        wire [3:0] towards;
        wire [1:0] rises;
        wire [2*$clog2(LEVELS+1)-1:0] unused_height;
        route #(
          .FLIT_W(FLIT_W), .PATH(`FATFLY_RP), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
        ) u_front (
          .head_i(front[FLIT_W-1:0]), .rand_i(1'b0), .child_o(towards), .parent_o(rises),
          .height_o(unused_height[$clog2(LEVELS+1)+:$clog2(LEVELS+1)])
        );
        route #(
          .FLIT_W(FLIT_W), .PATH(`FATFLY_RP), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
        ) u_behind (
          .head_i(second[FLIT_W-1:0]), .rand_i(1'b0), .child_o(child), .parent_o(above),
          .height_o(unused_height[0+:$clog2(LEVELS+1)])
        );
        wire odd = (both & (worm | body_q)) | (both & ~valid_q) | (valid_q & ~body_q & ~both) |
                   (body_q & ~(worm & valid_q)) | (up & |some) | (|hold_up & (|some | up)) | &hold_up |
                   |(want & (want - 4'd1)) | (both & {up, want} != {rises[0], towards}) | here != (hold_up & {2{body_q}}) | (~room_q & ~valid_q) |
                   (~room_q & behind_q != ({above[0], child} & {5{second[W-1]}}));
        wire unused_here = &{1'b0, above[1], rises[1], unused_height, 1'b0};
        assign probe[v*PROBE_W+:PROBE_W] =
          {{(FLIT_PW - W) {1'b0}}, second, {(FLIT_PW - W) {1'b0}}, front,
           odd, 9'd0, chan, {goes, want} & {6{~both}}, fresh_q, 11'd0, ~room_q, valid_q & room_q};
      end else begin : g_no_probe
        assign probe[v*PROBE_W+:PROBE_W] = {PROBE_W{1'b0}};
      end
    end

    // answer: the channel that is asked first asks.
    wire [1:0] asks = {|ask[5:3], |ask[2:0]};
    wire [1:0] answer;
    gate #(.TABLE(~A & (B | C | D))) u_answer0 (.in_i({favourite, ask[2:0]}), .out_o(answer[0]));
    gate #(.TABLE(A & (B | C | D)))  u_answer1 (.in_i({favourite, ask[5:3]}), .out_o(answer[1]));
    gate #(.TABLE(C | (~B & ~D)))    u_channel (.in_i({1'b0, favourite, answer}), .out_o(channel));
    for (o = 0; o < 6; o = o + 1) begin : g_req
      if (o == PORT || (o > 3 && UPWARD == 0)) begin : g_none
        assign req_o[o] = 1'b0;
      end else begin : g_one
        gate #(.TABLE((A & ~D) | (B & ~C))) u_req (.in_i({can[6+o], can[o], answer}), .out_o(req_o[o]));
      end
    end
    assign offer_o = asks & {~answer[0], ~answer[1]};
    keep #(.TABLE((A & ~B) | (~A & D))) u_favourite (
      .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(channel), .b_i(1'b0), .bit_o(favourite)
    );

    // The flit on offer: the code of gather.v for either answer.
    wire [1:0] code1 = {turn[1], turn[1]};
    wire [1:0] code0 = {turn[0], ~turn[0]};
    wire [1:0] early = favourite ? code1 : code0;
    wire [1:0] late  = favourite ? code0 : code1;
    wire [1:0] code;
    for (o = 0; o < 2; o = o + 1) begin : g_code
      gate #(.TABLE(((A | B) & C) | (~A & ~B & D))) u_code (
        .in_i({answer, early[o], late[o]}), .out_o(code[o])
      );
    end
    gather #(.WIDTH(W), .INPUTS(4), .BITS({2'b00, {FLIT_W{1'b1}}})) u_front_word (
      .from_i({1'b0, channel, code}), .words_i(words), .word_o(front_word)
    );
    assign flit_o = {channel ? kinds[3:2] : kinds[1:0], front_word[FLIT_W-1:0]};
    wire flips;
    gather #(.WIDTH(2), .INPUTS(2)) u_goes (
      .from_i({1'b0, channel}), .words_i({turns[1], zero[1], turns[0], zero[0]}), .word_o({flips, zero_o})
    );
    assign flip_o = {flips & ~zero_o, flips & zero_o};

    if (PROBE != 0) begin : g_probe
      assign probe_o = {probe, {(FLIT_PW - W) {1'b0}}, flit_i & {W{|valid_i}}, 13'd0, favourite, 2'b00,
                        offer_o, gnt_i, 2'b00, room_o, 2'b00, valid_i};
    end else begin : g_no_probe
      assign probe_o = {(32 + FLIT_PW + 2 * PROBE_W) {1'b0}};
    end
  endgenerate
  wire unused = &{1'b0, probe, gnt_i, can, free, front_word, up_zero, 1'b0};
endmodule
`default_nettype wire
