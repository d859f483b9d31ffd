// SPDX-License-Identifier: Apache-2.0
// port_one.v - port.v for one channel of two flits under RP, with fewer gates in a row.
// It does what port.v does, which is the twin of cmodel/switch/port.c.
//
// The same port cycle by cycle, for the scans RR, FO and ROT.  A request is one gate from registers:
// want_q has the output of the front's worm, room and all.  any_i, the grant, changes few bits, each by
// one gate (keep.v): all of a flit is kept by turns, and where the next head leads is known beside it.
`default_nettype none
`include "flit.vh"

module port_one #(
  parameter integer FLIT_W = 32,       // payload bits, 16 to 64
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PORT   = 0,        // 0 to 3 a child, 4 and 5 a parent
  parameter integer PROBE  = 0         // 1: probe_o shows the registers, 0: probe_o is zero
) (
  input  wire              clk_i,
  input  wire              rst_i,      // synchronous, active high
  input  wire              valid_i,    // a flit enters
  input  wire [FLIT_W+1:0] flit_i,
  output wire              room_o,     // the queue can take a flit in this cycle
  input  wire              rand_i,     // random bit of the next cycle
  input  wire [5:0]        room_i,     // room at the far end of each output
  input  wire [5:0]        busy_i,     // a worm holds the output
  output wire [5:0]        req_o,      // outputs that the flit at the front could take
  output wire [FLIT_W+1:0] flit_o,     // the flit at the front
  input  wire [5:0]        gnt_i,      // the output it crosses to; one-hot or zero
  input  wire              any_i,      // ... is not zero
  output wire [32*(2+3*((FLIT_W+33)/32))-1:0] probe_o // as in port.v
);
  localparam integer PARENT   = (PORT > 3) ? 1 : 0;
  localparam integer UPWARD   = (LEVEL == LEVELS || PARENT != 0) ? 0 : 1;
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);      // probe bits of a flit

  // Tables of gate.v and keep.v.
  localparam [15:0] A = 16'hff00;
  localparam [15:0] B = 16'hf0f0;
  localparam [15:0] C = 16'hcccc;
  localparam [15:0] D = 16'haaaa;
  // b_i comes at once; but if a_i, the flit at the front could leave: in place of bit_o, if it does.
  localparam [15:0] COME = (~B & (C | D)) | (B & ((A & C) | (~A & D)));
  // in_i[1] with the grant or if nothing is at the front, else in_i[0].
  localparam [15:0] MOVE = ((A | ~B) & C) | (~A & B & D);

  // The queue: one flit or two, in two registers by turns.
  reg          valid_q;
  reg          room_q;
  reg          turn_q;
  wire         next_valid;
  wire         next_room;
  wire         next_turn;
  wire         to = turn_q ^ valid_q;  // odd_q is written next
  reg  [W-1:0] even_q;
  reg  [W-1:0] odd_q;
  gate #(.TABLE(C | ~D | (B & ~A))) u_valid (
    .in_i({any_i, valid_q, valid_i, room_q}), .out_o(next_valid)
  );
  gate #(.TABLE(A | (D & ~(B & C)))) u_room (
    .in_i({any_i, valid_q, valid_i, room_q}), .out_o(next_room)
  );
  gate #(.TABLE(A ^ D)) u_turn (.in_i({any_i, 2'b00, turn_q}), .out_o(next_turn));
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
  always @(posedge clk_i) begin
    if (valid_i & ~to) even_q <= flit_i;
    if (valid_i & to)  odd_q  <= flit_i;
  end
  assign room_o = room_q;

  // The flit at the front, its kind apart: head_q is high for a head, and while nothing is there.
  reg          head_q;
  wire         tail = valid_q & (turn_q ? odd_q[FLIT_W] : even_q[FLIT_W]);
  wire [W-1:0] wide;
  gather #(.WIDTH(W), .INPUTS(2), .BITS({2'b00, {FLIT_W{1'b1}}})) u_wide (
    .from_i({1'b0, turn_q}), .words_i({odd_q, even_q}), .word_o(wide)
  );
  assign flit_o = {head_q, tail, wide[FLIT_W-1:0]};

  // What comes to the front when the flit there leaves, or when nothing is there: the flit behind,
  // which is a head if a tail is before it, or one that enters now.
  wire       next_head;
  wire       alone = room_q ? ~valid_i | flit_i[W-1] : tail;   // a head, or nothing
  wire       comes;                                            // a head
  reg  [1:0] digit_q;                  // of the flit behind
  wire [1:0] digit = room_q ? flit_i[2*(LEVEL-1)+:2] : digit_q;
  wire       up;                       // it goes up, if it is a head
  gate #(.TABLE((~B & C) | (B & ((A & C) | (~A & D))))) u_head (
    .in_i({any_i, valid_q, alone, head_q}), .out_o(next_head)
  );
  gate #(.TABLE((A & B & C) | (~A & D))) u_comes (
    .in_i({room_q, valid_i, flit_i[W-1], tail}), .out_o(comes)
  );
  always @(posedge clk_i) digit_q <= digit;
  always @(posedge clk_i)
    if (rst_i) head_q <= 1'b1;
    else       head_q <= next_head;

  // The output that the front's worm wants: its head takes it when it crosses, and it stays until the
  // tail has left.  A worm that waits for its next flit asks for nothing, as head_q is high and what it
  // holds is not free.
  wire [5:0] want;
  genvar o;
  generate
    for (o = 0; o < 6; o = o + 1) begin : g_out
      if (o == PORT || (o > 3 && UPWARD == 0)) begin : g_none
        assign want[o]  = 1'b0;
        assign req_o[o] = 1'b0;
      end else begin : g_one
        gate #(.TABLE(A & B & (~C | ~D))) u_req (
          .in_i({want[o], room_i[o], head_q, busy_i[o]}), .out_o(req_o[o])
        );
        if (o < 4) begin : g_child
          wire mine;
          gate #(.TABLE(A & ~B & ((o > 1) ? C : ~C) & ((o % 2 != 0) ? D : ~D))) u_mine (
            .in_i({comes, up, digit}), .out_o(mine)
          );
          keep #(.TABLE(COME)) u_want (
            .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(tail), .b_i(mine), .bit_o(want[o])
          );
        end else begin : g_parent
          // A head draws the parent for every cycle until it has crossed.
          wire drawn = (o == 4) ? ~rand_i : rand_i;
          wire moves = (comes & up & drawn) | (want[o] & ~tail);
          wire stays = head_q ? (want[4] | want[5]) & drawn : want[o];
          wire next;
          reg  want_q;
          gate #(.TABLE(MOVE)) u_next (.in_i({any_i, valid_q, moves, stays}), .out_o(next));
          always @(posedge clk_i)
            if (rst_i) want_q <= 1'b0;
            else       want_q <= next;
          assign want[o] = want_q;
        end
      end
    end
    if (UPWARD != 0) begin : g_up
      reg  up_q;                       // of the flit behind
      wire above = flit_i[4*LEVELS+:HEIGHT_W] > LEVEL[HEIGHT_W-1:0];
      assign up = room_q ? above : up_q;
      always @(posedge clk_i) up_q <= up;
    end else begin : g_down
      assign up = 1'b0;
      wire unused = &{1'b0, rand_i, 1'b0};
    end

    // What is not in the probe, for the proofs, as port.v names it.
    for (o = 0; o < PROBE; o = o + 1) begin : g_vc
      wire body_q = ~head_q;
      wire unused = &{1'b0, body_q, 1'b0};
    end

    // As port.v has them.
    if (PROBE != 0) begin : g_probe
      reg          fresh_q;
      wire [5:0]   hold   = want & {6{~(valid_q & head_q)}};
      wire         more   = valid_i | ~room_q;             // a flit behind, or one that comes
      wire [W-1:0] front  = (turn_q ? odd_q : even_q) & {W{valid_q}};
      wire [W-1:0] second = (turn_q ? even_q : odd_q) & {W{~room_q}};
      always @(posedge clk_i) fresh_q <= ~rst_i & more & (~valid_q | any_i);
      // Two registers contradict each other, which never happens: for the proofs.
      wire       above;                // the second goes up
      wire       rises;                // the front does
      wire       head  = valid_q & front[W-1];
      wire [3:0] child = rises ? 4'd0 : 4'd1 << front[2*(LEVEL-1)+:2];
      wire       odd   = (~room_q & (~valid_q | digit != second[2*(LEVEL-1)+:2] | up != above)) |
                         head_q != (~valid_q | front[W-1]) |
                         (head & (want[3:0] != child | ^want[5:4] != rises | &want[5:4]));
      if (UPWARD != 0) begin : g_above
        assign above = second[4*LEVELS+:HEIGHT_W] > LEVEL[HEIGHT_W-1:0];
        assign rises = front[4*LEVELS+:HEIGHT_W] > LEVEL[HEIGHT_W-1:0];
      end else begin : g_below
        assign above = 1'b0;
        assign rises = 1'b0;
      end
      assign probe_o = {{(FLIT_PW - W) {1'b0}}, second, {(FLIT_PW - W) {1'b0}}, front,
                        odd, 11'd0, hold, fresh_q, 11'd0, ~room_q, valid_q & room_q,
                        {(FLIT_PW - W) {1'b0}}, flit_i & {W{valid_i}}, 18'd1, gnt_i, 3'd0, room_q,
                        3'd0, valid_i};
    end else begin : g_no_probe
      assign probe_o = {(64 + 3 * FLIT_PW) {1'b0}};
    end
  endgenerate
  wire unused = &{1'b0, gnt_i, room_i, busy_i, want, wide, 1'b0};
endmodule
`default_nettype wire
