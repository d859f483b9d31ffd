// SPDX-License-Identifier: Apache-2.0
// cube_port.v - one input port of a cube's router: V queues, what each worm holds, the flit on offer.
// C twin: cube_port in cmodel/switch/cube_router.c.
//
// A head asks for the outputs of cube_route.v that have a channel which will do, is free and has room;
// of two such outputs a random bit takes one, anew in every cycle.  A body or tail flit asks for what
// its head got, if that has room.  Of the channels that ask, the first at or after next_q is offered;
// next_q moves past a channel when its flit crosses.  Bit VCS*o + w is channel w of output o.
`default_nettype none

module cube_port #(
  parameter integer K      = 4,        // nodes of a line, 2 to 16
  parameter integer TORUS  = 1,        // 0: a mesh
  parameter integer NHOP   = 0,        // 0: e-cube, 1: negative-hop
  parameter integer VCS    = 2,        // virtual channels of a link, 1 to 9
  parameter integer DEPTH  = 2,        // flits a queue holds, 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64
  parameter integer LINK   = 1,        // 0: the port of the processor
  parameter integer PROBE  = 0         // 1: probe_o shows the registers, 0: it is zero
) (
  input  wire                   clk_i,
  input  wire                   rst_i,    // synchronous, active high
  input  wire [2*$clog2(K < 2 ? 2 : K)-1:0] node_i, // {y, x}
  input  wire [VCS-1:0]         valid_i,  // a flit enters this channel; one-hot or zero
  input  wire [FLIT_W+1:0]      flit_i,
  output wire [VCS-1:0]         room_o,   // the channel can take a flit in this cycle
  input  wire                   rand_i,   // random bit: 1 prefers y
  input  wire [5*VCS-1:0]       room_i,   // room at the far end of each output channel
  input  wire [5*VCS-1:0]       free_i,   // ... and no worm holds the channel
  output reg  [4:0]             req_o,    // the output that the flit on offer asks for; one-hot or zero
  output reg  [FLIT_W+1:0]      flit_o,   // the flit on offer
  input  wire [4:0]             gnt_i,    // the output it crosses to: req_o or zero
  output wire [VCS-1:0]         chan_o,   // ... by this channel
  // Word 0 {gnt[5:0], room[8:0], valid[8:0]}, word 1 {next_q[3:0], offer[8:0]}, the flit on the link,
  // then each channel: {4 zeros, chan_q[8:0], hold_q[4:0], fifo's}, its slots.
  output wire [32*(2+(FLIT_W+33)/32+VCS*(1+DEPTH*((FLIT_W+33)/32)))-1:0] probe_o
);
  localparam integer W       = FLIT_W + 2;
  localparam integer D       = $clog2(K < 2 ? 2 : K);
  localparam integer FLIT_PW = 32 * ((W + 31) / 32);
  localparam integer CHAN_PW = 32 + DEPTH * FLIT_PW;

  wire [5*VCS-1:0]       req;          // of every channel
  wire [W*VCS-1:0]       front;
  wire [VCS*VCS-1:0]     set;          // output channels that will do
  wire [VCS-1:0]         asks;
  wire [VCS-1:0]         offer;        // one-hot, or zero if none asks
  wire [3:0]             next;
  wire [VCS*CHAN_PW-1:0] probe;
  wire [VCS-1:0]         pop = offer & {VCS{|gnt_i}};

  genvar v, o;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      localparam [3:0] V = v;
      reg  [4:0]         hold_q;       // output that the worm here holds, one-hot; zero = none
      reg  [VCS-1:0]     chan_q;       // ... and the channel
      wire [W-1:0]       flit;
      wire               valid;
      wire [4:0]         want;
      wire [VCS-1:0]     mask;
      wire               head = flit[FLIT_W+1];
      wire [4:0]         can;
      wire [CHAN_PW-1:0] queue;
      wire [W-1:0]       next_flit;
      wire               fresh, more, turn, to;
      wire unused = &{1'b0, next_flit, fresh, more, turn, to, 1'b0};

      fifo_fast #(
        .WIDTH(W), .DEPTH(DEPTH), .PROBE(PROBE)
      ) u_fifo (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(valid_i[v]), .data_i(flit_i),
        .pop_i(pop[v]), .data_o(flit), .valid_o(valid),
        .room_o(room_o[v]), .fresh_o(fresh), .next_o(next_flit), .more_o(more),
        .turn_o(turn), .to_o(to), .probe_o(queue)
      );

      cube_route #(
        .K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS)
      ) u_route (
        .node_i(node_i), .dst_i(flit[2*D-1:0]), .link_i(LINK != 0), .chan_i(V),
        .want_o(want), .mask_o(mask)
      );

      assign set[VCS*v+:VCS] = head ? mask : chan_q;
      for (o = 0; o < 5; o = o + 1) begin : g_out
        assign can[o] = valid & (head ? want[o] & |(free_i[VCS*o+:VCS] & mask)
                                      : hold_q[o] & |(room_i[VCS*o+:VCS] & chan_q));
      end
      assign req[5*v+:5] = ~(|can[1:0] & |can[3:2]) ? can : rand_i ? can & 5'b01100 : can & 5'b00011;
      assign asks[v]     = |can;
      assign front[W*v+:W] = flit;

      always @(posedge clk_i)
        if (rst_i) begin
          hold_q <= 5'd0;
          chan_q <= {VCS{1'b0}};
        end else if (pop[v]) begin
          hold_q <= flit[FLIT_W] ? 5'd0 : gnt_i;
          chan_q <= flit[FLIT_W] ? {VCS{1'b0}} : chan_o;
        end

      if (PROBE != 0) begin : g_probe
        wire [8:0] chan = {{(9 - VCS) {1'b0}}, chan_q};
        wire unused_bits = &{1'b0, queue[31:14], 1'b0};
        assign probe[CHAN_PW*v+:CHAN_PW] = {queue[CHAN_PW-1:32], 4'd0, chan, hold_q, queue[13:0]};
      end else begin : g_no_probe
        wire unused_bits = &{1'b0, queue, 1'b0};
        assign probe[CHAN_PW*v+:CHAN_PW] = {CHAN_PW{1'b0}};
      end
    end

    if (VCS == 1) begin : g_offer_one
      assign offer = asks;
      assign next  = 4'd0;
    end else begin : g_offer
      localparam integer NEXT_W = $clog2(VCS);
      reg  [NEXT_W-1:0] next_q;        // channel to offer first
      wire [VCS-1:0]    late = asks & ({VCS{1'b1}} << next_q);
      wire [VCS-1:0]    from = (late != {VCS{1'b0}}) ? late : asks;
      reg  [NEXT_W-1:0] after;         // the channel after the one on offer
      integer k;
      assign offer = from & (~from + 1'b1);
      always @* begin
        after = {NEXT_W{1'b0}};
        for (k = 1; k < VCS; k = k + 1)
          after = after | (k[NEXT_W-1:0] & {NEXT_W{offer[k-1]}});
      end
      always @(posedge clk_i)
        if (rst_i)       next_q <= {NEXT_W{1'b0}};
        else if (|gnt_i) next_q <= after;
      assign next = {{(4 - NEXT_W) {1'b0}}, next_q};
    end
  endgenerate

  // What the channel on offer says, and the room behind the output that it is granted.
  reg [VCS-1:0] may;
  reg [VCS-1:0] room;
  integer c, p;
  always @* begin
    req_o  = 5'd0;
    flit_o = {W{1'b0}};
    may    = {VCS{1'b0}};
    room   = {VCS{1'b0}};
    for (c = 0; c < VCS; c = c + 1) begin
      req_o  = req_o  | (req[5*c+:5] & {5{offer[c]}});
      flit_o = flit_o | (front[W*c+:W] & {W{offer[c]}});
      may    = may    | (set[VCS*c+:VCS] & {VCS{offer[c]}});
    end
    for (p = 0; p < 5; p = p + 1)
      room = room | ((flit_o[FLIT_W+1] ? free_i[VCS*p+:VCS] : room_i[VCS*p+:VCS]) & {VCS{gnt_i[p]}});
  end
  wire [VCS-1:0] takes = may & room;
  assign chan_o = takes & (~takes + 1'b1);   // the lowest

  generate
    if (PROBE != 0) begin : g_probe
      wire [FLIT_PW-1:0] link   = {{(FLIT_PW - W) {1'b0}}, flit_i & {W{|valid_i}}};
      wire [8:0]         valids = {{(9 - VCS) {1'b0}}, valid_i};
      wire [8:0]         rooms  = {{(9 - VCS) {1'b0}}, room_o};
      wire [8:0]         offers = {{(9 - VCS) {1'b0}}, offer};
      assign probe_o = {probe, link, 19'd0, next, offers, 8'd0, 1'b0, gnt_i, rooms, valids};
    end else begin : g_no_probe
      wire unused = &{1'b0, probe, next, 1'b0};
      assign probe_o = 0;              // a replication this wide is taken for a slip
    end
  endgenerate
endmodule
`default_nettype wire
