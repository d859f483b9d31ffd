// SPDX-License-Identifier: Apache-2.0
// port_props.v - what port.v must do, for proof and simulation alike.
//
// A port told in the words of docs/rules.md: each channel is a list of flits, oldest first, and
// a worm whose head has left and whose tail has not holds an output channel.  From what comes in
// and what is granted this says what the port offers (the outputs named as the port's own), and
// bad_o says where the registers of the port differ from the lists.  switch_props.v has six of
// these, port_formal.v one.
//
// bad_o, after the first reset: 0 the queues, 1 what the worms hold, 2 whose turn it is.
/* verilator lint_off WIDTH */          // genvars and small counts side by side
/* verilator lint_off UNUSEDSIGNAL */   // a probe shows more than is read
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module port_props #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PORT   = 0         // 0 to 3 a child, 4 and 5 a parent
) (
  input  wire                          clk_i,
  input  wire                          rst_i,
  input  wire [VCS-1:0]                valid_i,
  input  wire [FLIT_W+1:0]             flit_i,
  input  wire                          rand_i,   // random bit of this cycle
  input  wire [6*VCS-1:0]              room_i,
  input  wire [6*VCS-1:0]              free_i,   // no worm holds the channel
  input  wire [5:0]                    gnt_i,
  input  wire [VCS-1:0]                chan_i,
  input  wire [32*(1+(FLIT_W+33)/32+VCS*(1+DEPTH*((FLIT_W+33)/32)))-1:0] probe_i,
  output wire [VCS-1:0]                room_o,
  output wire [5:0]                    req_o,    // what the flit on offer can take now
  output wire [FLIT_W+1:0]             flit_o,   // ... the flit, zero if it can take nothing
  output wire [VCS-1:0]                chan_o,   // ... the channel it keeps to, zero for a head
  output wire [VCS-1:0]                offer_o,  // ... where it waits, zero if it can take nothing
  output wire [$clog2(LEVELS+1)-1:0]   height_o,
  output wire [VCS-1:0]                fresh_o,
  output wire [6*VCS*VCS-1:0]          hold_o,   // bit 6V*v + V*o + w: v holds channel w of o
  output wire [VCS-1:0]                came_o,   // the worm that enters is not yet here as a whole
  output wire [VCS-1:0]                left_o,   // the worm that leaves has not yet left as a whole
  output wire [VCS-1:0]                some_o,   // the queue is not empty
  output wire [DEPTH*VCS-1:0]          head_o,   // entry k of channel v is a head
  output wire [DEPTH*VCS*FLIT_W-1:0]   load_o,   // ... its payload
  output wire                          assume_o,
  output wire [2:0]                    bad_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer PATH_LSB = 4 * LEVELS + HEIGHT_W + LEVEL - 1;
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);
  localparam integer PROBE_W  = 32 + DEPTH * FLIT_PW;
  localparam integer RING     = (DEPTH > 2) ? DEPTH - 1 : 1;
  localparam integer UP       = (LEVEL < LEVELS && PORT < 4) ? 1 : 0;

  wire [6*VCS-1:0]        can;
  wire [W*VCS-1:0]        front;
  wire [HEIGHT_W*VCS-1:0] height;
  wire [VCS*VCS-1:0]      chan;
  wire [VCS-1:0]          bad_queue;
  wire [VCS-1:0]          bad_hold;
  wire [VCS-1:0]          legal;       // what enters this channel does so by the rules
  wire [VCS-1:0]          asks;
  wire [VCS-1:0]          pop = offer_o & {VCS{|gnt_i}};

  // A head from a child goes up or to another child (spec, section 1).
  function served(input [FLIT_W-1:0] head);
    served = PORT > 3 || (UP != 0 && head[4*LEVELS+:HEIGHT_W] > LEVEL[HEIGHT_W-1:0]) ||
             head[2*(LEVEL-1)+:2] != PORT[1:0];
  endfunction
  localparam [5:0] NOWHERE = (PORT > 3) ? 6'h30 : (6'd1 << PORT) | ((UP != 0) ? 6'd0 : 6'h30);
  wire in_head = flit_i[FLIT_W+1];
  assign assume_o = rst_i | (~|(valid_i & (valid_i - 1'b1)) & &legal &
                            (~|valid_i | ~in_head | served(flit_i[FLIT_W-1:0])));

  genvar v, o, k;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      // The queue as a list.
      reg  [4:0]         count_q;
      reg  [DEPTH*W-1:0] list_q;
      wire [4:0]         kept = count_q - {4'd0, pop[v]};
      wire [DEPTH*W-1:0] rest = pop[v] ? list_q >> W : list_q;
      wire               some = count_q != 5'd0;
      wire [W-1:0]       first = list_q[W-1:0] & {W{some}};
      wire               head = first[FLIT_W+1];
      wire               tail = first[FLIT_W];
      assign some_o[v]       = some;
      assign room_o[v]       = count_q != DEPTH[4:0];
      assign front[W*v+:W]   = first;
      always @(posedge clk_i)
        if (rst_i) count_q <= 5'd0;
        else       count_q <= kept + {4'd0, valid_i[v]};
      for (k = 0; k < DEPTH; k = k + 1) begin : g_entry
        always @(posedge clk_i)
          list_q[W*k+:W] <= (valid_i[v] && kept == k) ? flit_i : rest[W*k+:W];
        assign head_o[DEPTH*v+k] = list_q[W*k+FLIT_W+1] & count_q > k;
        assign load_o[(DEPTH*v+k)*FLIT_W+:FLIT_W] = list_q[W*k+:FLIT_W];
      end

      // The worms: one enters while another leaves.
      reg             came_q;
      reg             left_q;
      reg             fresh_q;         // a flit came to the front
      reg [5:0]       hold_q;          // the output that the worm which leaves got
      reg [VCS-1:0]   chan_q;          // ... and the channel there
      always @(posedge clk_i)
        if (rst_i) begin
          came_q  <= 1'b0;
          left_q  <= 1'b0;
          fresh_q <= 1'b0;
          hold_q  <= 6'd0;
          chan_q  <= {VCS{1'b0}};
        end else begin
          if (valid_i[v]) came_q <= ~flit_i[FLIT_W];
          fresh_q <= (pop[v] | ~some) & (kept != 5'd0 | valid_i[v]);
          if (pop[v]) begin
            left_q <= ~tail;
            hold_q <= tail ? 6'd0 : gnt_i;
            chan_q <= tail ? {VCS{1'b0}} : head ? chan_i : chan_q;
          end
        end
      assign came_o[v]  = came_q;
      assign left_o[v]  = left_q;
      assign fresh_o[v] = fresh_q & head;
      assign chan[VCS*v+:VCS] = chan_q;
      for (o = 0; o < 6; o = o + 1) begin : g_hold
        assign hold_o[6*VCS*v+VCS*o+:VCS] = chan_q & {VCS{hold_q[o]}};
      end

      // Within a list worms follow each other whole; so whether a head leaves next is known
      // twice over, and so is whether the last flit ended a worm.
      wire [DEPTH:0]   open;           // the flit before entry k ended no worm
      wire [DEPTH-1:0] torn;
      wire [DEPTH-1:0] lost;           // a head that no crosspoint serves
      assign open[0] = left_q;
      for (k = 0; k < DEPTH; k = k + 1) begin : g_worm
        assign open[k+1] = (count_q > k) ? ~list_q[W*k+FLIT_W] : open[k];
        assign torn[k]   = count_q > k & list_q[W*k+FLIT_W+1] == open[k];
        assign lost[k]   = count_q > k & list_q[W*k+FLIT_W+1] & ~served(list_q[W*k+:FLIT_W]);
      end

      assign legal[v] = ~valid_i[v] | (room_o[v] & in_head == ~came_q);

      // Where the front flit could go.
      wire [1:0] digit = first[2*(LEVEL-1)+:2];
      wire       up    = (UP != 0) & first[4*LEVELS+:HEIGHT_W] > LEVEL[HEIGHT_W-1:0];
      wire       which  = (PATH == `FATFLY_RP) ? rand_i :
                          (UP != 0 && PATH == `FATFLY_FP) & first[PATH_LSB];
      wire [1:0] parent = (PATH == `FATFLY_FP || PATH == `FATFLY_RP) ? {which, ~which} : 2'b11;
      // RW: what is drawn in a head's first cycle at the front is kept; until then either will do.
      reg        drawn_q;
      always @(posedge clk_i)
        if (rst_i) drawn_q <= 1'b0;
        else if (fresh_o[v]) drawn_q <= rand_i;
      wire       waits  = PATH == `FATFLY_RW & ~fresh_q;
      wire [5:0] goes   = up & waits ? {drawn_q, ~drawn_q, 4'd0} : up ? {parent, 4'd0} : {2'd0, 4'd1 << digit};
      wire [5:0] want   = left_q ? hold_q : goes & {6{head}};
      for (o = 0; o < 6; o = o + 1) begin : g_can
        assign can[6*v+o] = some & want[o] & (head ? |(room_i[VCS*o+:VCS] & free_i[VCS*o+:VCS])
                                                   : |(room_i[VCS*o+:VCS] & chan_q));
      end
      assign asks[v] = |can[6*v+:6];

      // How far the worm goes (FF); of a body or tail what its head said.
      reg  [HEIGHT_W-1:0] height_q;
      wire [HEIGHT_W-1:0] far = first[4*LEVELS+:HEIGHT_W];
      always @(posedge clk_i)
        if (rst_i) height_q <= {HEIGHT_W{1'b0}};
        else if (pop[v] & head) height_q <= far;
      assign height[HEIGHT_W*v+:HEIGHT_W] = head ? far : height_q;

      // The registers.
      wire [PROBE_W-1:0]  probe = probe_i[32+FLIT_PW+PROBE_W*v+:PROBE_W];
      wire [DEPTH-1:0]    differ;
      for (k = 0; k < DEPTH; k = k + 1) begin : g_slot
        if (DEPTH > 2 && k > 0) begin : g_ring
          wire [4:0] place = {1'b0, probe[8:5]} + k - 5'd1;
          wire [4:0] at    = (place >= RING) ? place - RING[4:0] : place;
          wire [DEPTH*FLIT_PW-1:0] moved = probe[PROBE_W-1:32] >> FLIT_PW * (at + 5'd1);
          assign differ[k] = count_q > k & moved[W-1:0] != list_q[W*k+:W];
        end else begin : g_place
          assign differ[k] = count_q > k & probe[32+FLIT_PW*k+:W] != list_q[W*k+:W];
        end
      end
      wire [4:0] behind = some ? count_q - 5'd1 : 5'd0;
      wire [4:0] ends   = {1'b0, probe[8:5]} + behind;
      wire       astray = (DEPTH > 2) & ({1'b0, probe[8:5]} >= RING ||
                          {1'b0, probe[12:9]} != ((ends >= RING) ? ends - RING[4:0] : ends));
      assign bad_queue[v] = probe[4:0] != count_q | count_q > DEPTH | |differ | astray | |torn |
                            open[DEPTH] != came_q |
                            probe_i[4+v] != room_o[v] | probe[13] != fresh_q;
      assign bad_hold[v] = probe[31] | probe[28] != (PATH == `FATFLY_RW & drawn_q) | probe[19:14] != hold_q | |lost | |(hold_q & NOWHERE) |
                           (VCS > 1 & probe[20+:VCS] != chan_q) |
                           (VCS > 1 & SCAN == `FATFLY_FF & probe[24+:HEIGHT_W] != height_q) |
                           (left_q & (hold_q == 6'd0 | |(hold_q & (hold_q - 6'd1)) |
                                      chan_q == {VCS{1'b0}} |
                                      |(chan_q & (chan_q - 1'b1)))) |
                           (~left_q & (hold_q != 6'd0 | chan_q != {VCS{1'b0}}));
      wire unused = &{1'b0, probe, differ, 1'b0};
    end
  endgenerate

  // By turns: the channel after the last one that moved is asked first.
  reg  [1:0]       turn_q;
  wire             bad_turn;
  integer          n;
  reg  [1:0]       look;
  reg              found;
  reg  [VCS-1:0]   pick;
  reg  [5:0]       req;
  reg  [W-1:0]     flit;
  reg  [VCS-1:0]   keep;
  reg  [HEIGHT_W-1:0] high;
  always @* begin
    pick  = {VCS{1'b0}};
    found = 1'b0;
    look  = turn_q;
    for (n = 0; n < VCS; n = n + 1) begin
      if (~found & asks[look]) begin
        pick[look] = 1'b1;
        found = 1'b1;
      end
      look = (look == VCS - 1) ? 2'd0 : look + 2'd1;
    end
    req  = 6'd0;
    flit = {W{1'b0}};
    keep = {VCS{1'b0}};
    high = {HEIGHT_W{1'b0}};
    for (n = 0; n < VCS; n = n + 1)
      if (pick[n]) begin
        req  = can[6*n+:6];
        flit = front[W*n+:W];
        keep = chan[VCS*n+:VCS];
        high = height[HEIGHT_W*n+:HEIGHT_W];
      end
  end
  assign offer_o  = pick;
  assign req_o    = req;
  assign flit_o   = flit;
  assign chan_o   = keep;
  assign height_o = high;
  always @(posedge clk_i)
    if (rst_i) turn_q <= 2'd0;
    else
      for (n = 0; n < VCS; n = n + 1)
        if (pop[n]) turn_q <= (n == VCS - 1) ? 2'd0 : n[1:0] + 2'd1;
  assign bad_turn = probe_i[19:18] != turn_q | (VCS > 1 & probe_i[14+:VCS] != pick);

  assign bad_o = {bad_turn, |bad_hold, |bad_queue};
  wire unused = &{1'b0, probe_i, 1'b0};
endmodule
`default_nettype wire
