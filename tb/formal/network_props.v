// SPDX-License-Identifier: Apache-2.0
// network_props.v - what network.v with 16 processors and one channel a link must do.
//
// Every switch has its switch_props.v; what that asks of a neighbour is proven here of all links
// but those of the processors.  The wiring is that of docs/switch.md, told once more: parent p of
// leaf a is root (a + p) mod 2, which has it as its child a.  Switches 0 to 3 are the leaves.
/* verilator lint_off WIDTH */          // genvars and small counts side by side
/* verilator lint_off UNUSEDSIGNAL */   // a probe shows more than is read
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module network_props #(
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(15+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + (1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                     clk_i,
  input  wire                     rst_i,
  input  wire [15:0]              inj_valid_i,
  input  wire [16*(FLIT_W+2)-1:0] inj_flit_i,
  input  wire [15:0]              inj_room_i,
  input  wire [15:0]              ej_valid_i,
  input  wire [16*(FLIT_W+2)-1:0] ej_flit_i,
  input  wire [15:0]              ej_room_i,
  input  wire [6*PROBE_W-1:0]     probe_i,
  output wire                     ok_o,        // the processors keep the rules of a link
  // bad[0]: a switch does what it must not
  // bad[1]: a switch sends its neighbour what breaks the rules of a link
  //         (and, a lemma: its two ends disagree on whether a worm is under way)
  // bad[2]: a head is where no shortest path leads, or comes out at the wrong processor
  // bad[3]: deadlock: flits inside, all that come out are taken, and nothing can move
  output wire [3:0]               bad_o,
  // cover[0]: flits go up, turn at a root and come out in one cycle
  // cover[1]: every queue of child ports is full
  // cover[2]: nothing moves while flits are inside, since a worm is not yet injected as a whole
  // cover[3]: a worm is in three switches at once
  output wire [3:0]               cover_o
);
  localparam integer W       = FLIT_W + 2;
  localparam integer FLIT_PW = 32 * ((W + 31) / 32);
  localparam integer PORT_PW = 32 + FLIT_PW + 32 + DEPTH * FLIT_PW;

  // What comes in by each link, and what the far end of each output says.
  wire [35:0]           valid, room, far_valid, far_room;
  wire [36*W-1:0]       flit, far_flit;
  wire [35:0]           came, busy, some, ok, left;
  wire [36*DEPTH-1:0]   head;
  wire [36*DEPTH*FLIT_W-1:0] load;
  wire [5:0]            live;
  wire [15*6-1:0]       bad;
  wire [35:0]           wrong_end, wrong_way, wrong_link;
  wire [15:0]           wrong_exit, waits;

  genvar s, p, k;
  generate
    for (s = 0; s < 6; s = s + 1) begin : g_switch
      wire [5:0]         ok_port;
      wire [PROBE_W-1:0] probe = probe_i[PROBE_W*s+:PROBE_W];
      for (p = 0; p < 6; p = p + 1) begin : g_port
        localparam integer THERE = (s > 3 && p > 3) ? 0 : 1;
        wire [PORT_PW-1:0] port = probe[PROBE_W-PORT_PW*(6-p)+:PORT_PW];
        assign valid[6*s+p]      = port[0];
        assign room[6*s+p]       = port[4];
        assign flit[W*(6*s+p)+:W] = port[32+:W];
        // The port at the other end of this port's links.
        localparam integer AT = (s < 4) ? 6 * (4 + (s + p) % 2) + s
                                        : 6 * (p % 4) + 4 + (s + p) % 2;
        if (s < 4 && p < 4) begin : g_processor
          assign far_valid[6*s+p]        = ej_valid_i[4*s+p];
          assign far_flit[W*(6*s+p)+:W]  = ej_flit_i[W*(4*s+p)+:W];
          assign far_room[6*s+p]         = ej_room_i[4*s+p];
          assign wrong_end[6*s+p]  = 1'b0;
          assign wrong_link[6*s+p] = valid[6*s+p] != inj_valid_i[4*s+p] |
                                     room[6*s+p] != inj_room_i[4*s+p] |
                                     (valid[6*s+p] &
                                      flit[W*(6*s+p)+:W] != inj_flit_i[W*(4*s+p)+:W]);
          // The worm turns at the leaf if the leaf has its processor.
          wire [FLIT_W-1:0] in  = inj_flit_i[W*(4*s+p)+:FLIT_W];
          wire [W-1:0]      out = ej_flit_i[W*(4*s+p)+:W];
          assign ok[6*s+p] = ok_port[p] & (~inj_valid_i[4*s+p] | ~inj_flit_i[W*(4*s+p)+W-1] |
                                           rst_i | in[9:8] == ((in[3:2] == s) ? 2'd1 : 2'd2));
          assign wrong_exit[4*s+p] = ej_valid_i[4*s+p] & out[W-1] & out[3:0] != 4 * s + p;
          assign waits[4*s+p]      = came[6*s+p] & room[6*s+p];
        end else if (THERE != 0) begin : g_link
          assign far_valid[6*s+p]        = valid[AT];
          assign far_flit[W*(6*s+p)+:W]  = flit[W*AT+:W];
          assign far_room[6*s+p]         = room[AT];
          assign wrong_end[6*s+p]  = came[AT] != busy[6*s+p];
          assign wrong_link[6*s+p] = ~ok_port[p];
          assign ok[6*s+p]         = 1'b1;
        end else begin : g_none
          assign far_valid[6*s+p]        = 1'b0;
          assign far_flit[W*(6*s+p)+:W]  = {W{1'b0}};
          assign far_room[6*s+p]         = 1'b0;
          assign wrong_end[6*s+p]  = 1'b0;
          assign wrong_link[6*s+p] = 1'b0;
          assign ok[6*s+p]         = 1'b1;
        end
        wire [DEPTH-1:0] stray;
        for (k = 0; k < DEPTH; k = k + 1) begin : g_entry
          wire [FLIT_W-1:0] l = load[((6*s+p)*DEPTH+k)*FLIT_W+:FLIT_W];
          assign stray[k] = head[(6*s+p)*DEPTH+k] &
                            ((s > 3) ? 1'b0 : (p > 3) ? l[3:2] != s
                                            : l[9:8] != ((l[3:2] == s) ? 2'd1 : 2'd2));
        end
        assign wrong_way[6*s+p] = |stray;
      end
      switch_props #(
        .VCS(1), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN),
        .LEVEL((s < 4) ? 1 : 2), .LEVELS(2)
      ) u_props (
        .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(valid[6*s+:6]), .in_flit_i(flit[6*W*s+:6*W]),
        .in_room_i(room[6*s+:6]), .out_valid_i(far_valid[6*s+:6]),
        .out_flit_i(far_flit[6*W*s+:6*W]),
        .out_room_i(far_room[6*s+:6]), .probe_i(probe), .came_o(came[6*s+:6]), .busy_o(busy[6*s+:6]),
        .left_o(left[6*s+:6]), .some_o(some[6*s+:6]), .head_o(head[6*DEPTH*s+:6*DEPTH]),
        .load_o(load[6*DEPTH*FLIT_W*s+:6*DEPTH*FLIT_W]), .ok_o(ok_port), .live_o(live[s]),
        .bad_o(bad[15*s+:15]), .cover_o()
      );
    end
  endgenerate

  wire moves = |far_valid;             // by some output of some switch
  assign ok_o = &ok;
  assign bad_o[0] = |bad | (live != 6'd0 & live != 6'h3f);
  assign bad_o[1] = live[0] & ((~rst_i & |wrong_link) | |wrong_end);
  assign bad_o[2] = live[0] & (|wrong_way | |wrong_exit);
  assign bad_o[3] = live[0] & |some & &ej_room_i & ~moves & ~|waits;

  assign cover_o[0] = live[0] & |far_valid[3:0] & |far_valid[27:24] & |far_valid[11:10];
  assign cover_o[1] = live[0] & ~|room[3:0] & ~|room[9:6] & ~|room[15:12] & ~|room[21:18] &
                      ~|room[27:24] & ~|room[33:30];
  assign cover_o[2] = live[0] & |some & &ej_room_i & ~moves & |waits;
  assign cover_o[3] = live[0] & |(left[3:0] & some[3:0]) & left[24] & some[24] &
                      |busy[27:24];
endmodule
`default_nettype wire
