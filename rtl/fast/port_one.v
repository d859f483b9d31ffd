// SPDX-License-Identifier: Apache-2.0
// port_one.v - port.v for one channel of two flits, with fewer gates in a row.
// It does what port.v does, which is the twin of cmodel/switch/port.c.
//
// The same port cycle by cycle.  A request is one gate from registers: want_q has the output of the
// front's worm, room and all.  any_i, the grant, changes few bits, each by one gate (keep.v): all of a
// flit is kept by turns, and where the next head leads is known beside it.
`default_nettype none
`include "flit.vh"

module port_one #(
  parameter integer FLIT_W = 32,       // payload bits, 16 to 64
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
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
  output wire [5:0]        req_o,      // outputs that the flit at the front could take; GP, RG: parents.v
  output wire [FLIT_W+1:0] flit_o,     // the flit at the front
  output wire              valid_o,    // ... is there
  output wire              climb_o,    // GP, RG: ... is a head that goes up
  output wire              other_o,    // ... RG: and prefers parent 1, if both parents are free
  output wire [$clog2(LEVELS+1)-1:0] height_o, // FF: its height, if it is a head
  output wire              fresh_o,    // PROBE: ... it is a head that came in this cycle
  input  wire [5:0]        gnt_i,      // the output it crosses to; one-hot or zero
  input  wire              any_i,      // ... is not zero
  output wire [32*(2+3*((FLIT_W+33)/32))-1:0] probe_o // as in port.v
);
  localparam integer PARENT   = (PORT > 3) ? 1 : 0;
  localparam integer UPWARD   = (LEVEL == LEVELS || PARENT != 0) ? 0 : 1;
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);      // probe bits of a flit
  localparam integer EITHER   = (PATH == `FATFLY_GP || PATH == `FATFLY_RG) ? 1 : 0;
  localparam integer FORK     = (PATH == `FATFLY_FP) ? 4 * LEVELS + HEIGHT_W + LEVEL - 1 : 0; // the path bit of this level

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
  wire [W-1:0] front_word;
  gather #(.WIDTH(W), .INPUTS(2), .BITS({2'b00, {FLIT_W{1'b1}}})) u_front_word (
    .from_i({1'b0, turn_q}), .words_i({odd_q, even_q}), .word_o(front_word)
  );
  assign flit_o = {head_q, tail, front_word[FLIT_W-1:0]};

  // What comes to the front when the flit there leaves, or when nothing is there: the flit behind,
  // which is a head if a tail is before it, or one that enters now.
  wire       next_head;
  wire       alone = room_q ? ~valid_i | flit_i[W-1] : tail;   // a head, or nothing
  wire       comes;                                            // a head
  reg  [1:0] digit_q;                  // of the flit behind
  wire [1:0] digit = room_q ? flit_i[2*(LEVEL-1)+:2] : digit_q;
  wire       up;                       // it goes up, if it is a head
  wire       fork_bit;                 // ... FP: to parent 1
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
        // A case, since Yosys puts the blocks after `else if' a level deeper.
        case ((o < 4) ? 0 : (EITHER != 0) ? 3 : (PATH == `FATFLY_FP) ? 2 : 1)
        0: begin : g_child
          wire mine;
          gate #(.TABLE(A & ~B & ((o > 1) ? C : ~C) & ((o % 2 != 0) ? D : ~D))) u_mine (
            .in_i({comes, up, digit}), .out_o(mine)
          );
          keep #(.TABLE(COME)) u_want (
            .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(tail), .b_i(mine), .bit_o(want[o])
          );
        end
        1: begin : g_parent
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
        2: begin : g_fork
          // The head's path bit names the parent, as the digit a child.
          keep #(.TABLE(COME)) u_want (
            .clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(tail),
            .b_i(comes & up & ((o == 4) ? ~fork_bit : fork_bit)), .bit_o(want[o])
          );
        end
        default: begin : g_either
          // Until it has crossed a head draws anew, and from then on its worm wants the parent it got.
          wire drawn = (PATH == `FATFLY_GP) ? (o == 4) : (o == 4) ? ~rand_i : rand_i;
          wire claim = comes & up & drawn;
          wire moves;
          wire stays = ~valid_q ? claim | want[o] : head_q ? (want[4] | want[5]) & drawn : want[o];
          wire next;
          reg  want_q;
          gate #(.TABLE((A & ~B) | C)) u_moves (.in_i({gnt_i[o], tail, claim, 1'b0}), .out_o(moves));
          gate #(.TABLE((A & B) | (~A & C))) u_next (.in_i({any_i, moves, stays, 1'b0}), .out_o(next));
          always @(posedge clk_i)
            if (rst_i) want_q <= 1'b0;
            else       want_q <= next;
          assign want[o] = want_q;
        end
        endcase
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

    wire fork_odd;                     // redundant registers contradict each other, as odd below
    if (UPWARD != 0 && PATH == `FATFLY_FP) begin : g_path
      reg fork_q;                      // of the flit behind
      assign fork_bit = room_q ? flit_i[FORK] : fork_q;
      always @(posedge clk_i) fork_q <= fork_bit;
      assign fork_odd = ~room_q & fork_q != (turn_q ? even_q[FORK] : odd_q[FORK]);
    end else begin : g_no_path
      assign fork_bit = 1'b0;
      assign fork_odd = 1'b0;
      wire unused = &{1'b0, fork_bit, 1'b0};
    end

    // A head that goes up is at the front.
    wire climb_odd;
    if (UPWARD != 0 && EITHER != 0) begin : g_climb
      wire next;
      reg  climb_q;
      gate #(.TABLE(MOVE)) u_next (.in_i({any_i, valid_q, comes & up, climb_q}), .out_o(next));
      always @(posedge clk_i)
        if (rst_i) climb_q <= 1'b0;
        else       climb_q <= next;
      assign climb_o   = climb_q;
      assign other_o   = want[5];
      assign climb_odd = climb_q != (valid_q & head_q & (want[4] | want[5]));
    end else begin : g_no_climb
      assign climb_o   = 1'b0;
      assign other_o   = 1'b0;
      assign climb_odd = 1'b0;
    end

    // The height of the flit at the front, and of the one behind it.
    wire height_odd;
    if (SCAN == `FATFLY_FF) begin : g_height
      reg  [HEIGHT_W-1:0] behind_q;
      reg  [HEIGHT_W-1:0] height_q;
      wire [HEIGHT_W-1:0] behind = room_q ? flit_i[4*LEVELS+:HEIGHT_W] : behind_q;
      wire [HEIGHT_W-1:0] next;
      for (o = 0; o < HEIGHT_W; o = o + 1) begin : g_bit
        gate #(.TABLE(MOVE)) u_next (.in_i({any_i, valid_q, behind[o], height_q[o]}), .out_o(next[o]));
      end
      always @(posedge clk_i) begin
        behind_q <= behind;
        height_q <= next;
      end
      assign height_o   = height_q;
      assign height_odd = (valid_q & height_q != (turn_q ? odd_q[4*LEVELS+:HEIGHT_W] : even_q[4*LEVELS+:HEIGHT_W])) |
                          (~room_q & behind_q != (turn_q ? even_q[4*LEVELS+:HEIGHT_W] : odd_q[4*LEVELS+:HEIGHT_W]));
    end else begin : g_no_height
      assign height_o   = {HEIGHT_W{1'b0}};
      assign height_odd = 1'b0;
    end
    assign valid_o = valid_q;

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
      assign fresh_o = fresh_q & head_q;
      // Two registers contradict each other, which never happens: for the proofs.
      wire       above;                // the second goes up
      wire       rises;                // the front does
      wire       head  = valid_q & front[W-1];
      wire [3:0] child = rises ? 4'd0 : 4'd1 << front[2*(LEVEL-1)+:2];
      wire       fixed = (PATH == `FATFLY_FP) | (PATH == `FATFLY_GP); // a head's parent is no draw
      wire       right = (PATH == `FATFLY_FP) & front[FORK];
      wire       odd   = (~room_q & (~valid_q | digit != second[2*(LEVEL-1)+:2] | up != above)) |
                         head_q != (~valid_q | front[W-1]) |
                         (head & (want[3:0] != child | ^want[5:4] != rises | &want[5:4])) |
                         (head & fixed & rises & want[5] != right) |
                         fork_odd | climb_odd | height_odd;
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
      wire unused = &{1'b0, fork_odd, climb_odd, height_odd, 1'b0};
      assign fresh_o = 1'b0;
      assign probe_o = {(64 + 3 * FLIT_PW) {1'b0}};
    end
  endgenerate
  wire unused = &{1'b0, gnt_i, room_i, busy_i, rand_i, want, front_word, 1'b0};
endmodule
`default_nettype wire
