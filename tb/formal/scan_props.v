// SPDX-License-Identifier: Apache-2.0
// scan_props.v - what must hold of scan.v, for proof and simulation.
//
// FCFS is told by one head, chosen by mark_i when it comes to the front of channel chan_i: later_q
// has the channels whose heads came after it, or with it at a higher number.  They come behind it and
// all others before, as long as it is there.  As any head can be the chosen one, that is the order.
`default_nettype none
`include "flit.vh"

module scan_props #(
  parameter integer VCS      = 1,
  parameter integer SCAN     = `FATFLY_RR,
  parameter integer PORTS    = 6,
  parameter integer HEIGHT_W = 2,
  parameter integer ORDERS   = 6
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire [7:0]            rand_i,
  input  wire [35:0]           gnt_i,
  input  wire [6*HEIGHT_W-1:0] height_i,
  input  wire [6*VCS-1:0]      fresh_i,
  input  wire [6*VCS-1:0]      offer_i,
  input  wire [15*ORDERS-1:0]  before_o,
  input  wire [32*(1+((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0))-1:0] probe_o,
  input  wire                  mark_i, // FCFS: follow the head that comes to ...
  input  wire [4:0]            chan_i, // ... this channel's front, until the next one does
  output wire                  ok_o,   // one-hot grants a column; a port offers one channel at most
  // bad[0]: at some output three ports run in a circle (FCFS: ports that offer a channel)
  // bad[1]: RR, FF: not in order from floor(PORTS * byte / 256), port 0 after reset
  // bad[2]: FO: not in order 0, 1, .. 5
  // bad[3]: FF: a greater height is not first
  // bad[4]: ROT: not in order from the port after the last one granted there, port 0 after reset
  // bad[5]: FCFS: a head that came later is before the followed one
  // bad[6]: FCFS: a head that came earlier is behind the followed one
  // bad[7]: FCFS: three channels of older_q run in a circle, or a bit of it is not what 5 and 6 say
  output wire [7:0]            bad_o,
  // cover[0]: port 5 is before all others (root: port 3; FO: port 0)
  // cover[1]: port 0 is behind ports 1 and 2, and 1 before 2 (FO: in order)
  // cover[2]: a reset after that
  output wire [2:0]            cover_o
);
  localparam integer CH    = 6 * VCS;
  localparam integer PAIRS = CH * (CH - 1) / 2;
  localparam [0:0]   DRAWN = SCAN == `FATFLY_RR || SCAN == `FATFLY_FF;

  // The first port of each output's round.
  reg        seen_q = 1'b0;
  reg  [2:0] start_q;
  reg [17:0] rot_q;
  integer    o, i, j;
  wire [10:0] draw = PORTS[2:0] * {3'd0, rand_i};
  reg  [5:0]  column;
  reg         one_hot;
  always @* begin
    one_hot = 1'b1;
    for (o = 0; o < 6; o = o + 1) begin
      for (i = 0; i < 6; i = i + 1) column[i] = gnt_i[6*i+o];
      if (|(column & (column - 6'd1))) one_hot = 1'b0;
    end
  end
  integer ro, ri;
  always @(posedge clk_i) begin
    seen_q  <= seen_q | rst_i;
    start_q <= (rst_i | ~DRAWN) ? 3'd0 : draw[10:8];
    for (ro = 0; ro < 6; ro = ro + 1)
      for (ri = 0; ri < 6; ri = ri + 1)
        if (gnt_i[6*ri+ro]) rot_q[3*ro+:3] <= (ri == 5) ? 3'd0 : ri[2:0] + 3'd1;
    if (rst_i | SCAN != `FATFLY_ROT) rot_q <= 18'd0;
  end

  // Place of port p in the round from port s.
  function [2:0] place(input [2:0] p, input [2:0] s);
    place = (p >= s) ? p - s : p + 3'd6 - s;
  endfunction

  reg  [5:0] offers;
  reg        single;
  reg  [VCS-1:0] chans;
  reg        drawn, fixed, high, turned, bit_ij;
  reg  [HEIGHT_W-1:0] hi, hj;
  always @* begin
    single = 1'b1;
    drawn  = 1'b0;
    fixed  = 1'b0;
    high   = 1'b0;
    turned = 1'b0;
    bit_ij = 1'b0;
    for (i = 0; i < 6; i = i + 1) begin
      chans     = offer_i[VCS*i+:VCS];
      offers[i] = SCAN != `FATFLY_FCFS || |chans;
      if (|(chans & (chans - 1'b1))) single = 1'b0;
    end
    for (o = 0; o < ORDERS; o = o + 1)
      for (i = 0; i < 5; i = i + 1)
        for (j = i + 1; j < 6; j = j + 1) begin
          bit_ij = before_o[15*o+i*(11-i)/2+j-i-1];
          hi     = height_i[HEIGHT_W*i+:HEIGHT_W];
          hj     = height_i[HEIGHT_W*j+:HEIGHT_W];
          if (DRAWN && (SCAN == `FATFLY_RR || hi == hj) &&
              bit_ij != (place(i[2:0], start_q) < place(j[2:0], start_q))) drawn = 1'b1;
          if (SCAN == `FATFLY_FO && !bit_ij) fixed = 1'b1;
          if (SCAN == `FATFLY_FF && hi != hj && bit_ij != (hi > hj)) high = 1'b1;
          if (SCAN == `FATFLY_ROT &&
              bit_ij != (place(i[2:0], rot_q[3*o+:3]) < place(j[2:0], rot_q[3*o+:3]))) turned = 1'b1;
        end
  end

  wire [ORDERS-1:0] total;
  genvar            g;
  generate
    for (g = 0; g < ORDERS; g = g + 1) begin : g_total
      total u_total (.before_i(before_o[15*g+:15]), .among_i(offers), .total_o(total[g]));
    end
  endgenerate

  // FCFS: the followed head.
  reg           live_q;
  reg  [4:0]    chan_q;
  reg  [CH-1:0] later_q;
  reg  [CH-1:0] above;                 // channels of a higher number than chan_i
  integer       k;
  always @*
    for (k = 0; k < CH; k = k + 1) above[k] = k[4:0] > chan_i;
  wire          chosen = mark_i & chan_i < CH[4:0] & |(fresh_i & {{(CH-1) {1'b0}}, 1'b1} << chan_i);
  wire [CH-1:0] own    = {{(CH-1) {1'b0}}, 1'b1} << chan_q;
  wire          live   = live_q & ~|(fresh_i & own);
  wire [CH-1:0] later  = later_q | fresh_i;
  always @(posedge clk_i) begin
    live_q <= ~rst_i & (chosen | live);
    if (chosen) chan_q <= chan_i;
    later_q <= chosen ? fresh_i & above : later;
  end

  wire late, early, tangled;
  generate
    if (SCAN == `FATFLY_FCFS) begin : g_fcfs
      // At the front: its port offers it; the others by the channel that they offer.
      wire [CH*CH-1:0] ahead;          // bit CH*a + b: b before a, of older_q
      wire [5:0]       me, after;
      wire [35:0]      rows;
      wire [CH-1:0]    off_later  = offer_i & later;
      wire [CH-1:0]    off_my     = offer_i & own;
      wire [PAIRS-1:0] age = probe_o[32+:PAIRS];
      reg              circle, astray;
      reg  [5:0]       wrong_late, wrong_early;
      integer          a, b, c;
      order u_order (.before_i(before_o[14:0]), .ahead_o(rows));
      for (g = 0; g < 6; g = g + 1) begin : g_port
        assign me[g]    = |off_my[VCS*g+:VCS];
        assign after[g] = |off_later[VCS*g+:VCS];
      end
      for (g = 0; g < CH * CH; g = g + 1) begin : g_pair
        localparam integer A = g / CH;
        localparam integer B = g % CH;
        if (B < A) begin : g_low
          assign ahead[g] = age[B*(2*CH-1-B)/2+A-B-1];
        end else if (A == B) begin : g_self
          assign ahead[g] = 1'b0;
        end else begin : g_high
          assign ahead[g] = ~age[A*(2*CH-1-A)/2+B-A-1];
        end
      end
      always @* begin
        wrong_late  = 6'd0;
        wrong_early = 6'd0;
        for (a = 0; a < 6; a = a + 1)
          for (b = 0; b < 6; b = b + 1)
            if (me[a] && a != b && offers[b]) begin
              if (after[b] && rows[6*a+b]) wrong_late[b] = 1'b1;
              if (!after[b] && !rows[6*a+b]) wrong_early[b] = 1'b1;
            end
        circle = 1'b0;
        for (a = 0; a < CH; a = a + 1)
          for (b = a + 1; b < CH; b = b + 1)
            for (c = b + 1; c < CH; c = c + 1)
              if (ahead[CH*b+a] == ahead[CH*c+b] && ahead[CH*b+a] != ahead[CH*c+a]) circle = 1'b1;
        astray = 1'b0;
        for (a = 0; a < CH; a = a + 1)
          for (b = 0; b < CH; b = b + 1)
            if (live_q && a != b && chan_q == a[4:0] && ahead[CH*a+b] == later_q[b]) astray = 1'b1;
      end
      assign late    = live & |wrong_late;
      assign early   = live & |wrong_early;
      assign tangled = circle | astray;
    end else begin : g_other
      assign late    = 1'b0;
      assign early   = 1'b0;
      assign tangled = 1'b0;
      wire unused = &{1'b0, live, later, offers, probe_o, 1'b0};
    end
  endgenerate

  assign ok_o  = (seen_q | rst_i) & one_hot & (single | SCAN != `FATFLY_FCFS);
  assign bad_o = {8{seen_q}} & {tangled, early, late, turned, high, fixed, drawn, ~&total};

  // Pairs of output 0, from (0,1): port k is last of none.
  wire [14:0] p0 = before_o[14:0];
  reg         back_q;
  assign cover_o[0] = seen_q & (SCAN == `FATFLY_FO ? &p0[4:0] : PORTS == 6 ?
                      ~(p0[4] | p0[8] | p0[11] | p0[13] | p0[14]) : ~(p0[2] | p0[6] | p0[9])) & (&offers);
  assign cover_o[1] = seen_q & (SCAN == `FATFLY_FO ? p0[5] & p0[0] : p0[5] & ~p0[0] & ~p0[1]) & (&offers);
  assign cover_o[2] = seen_q & back_q & rst_i;
  always @(posedge clk_i) back_q <= cover_o[1] & ~rst_i;
  wire unused_draw = &{1'b0, p0, draw[7:0], rand_i, height_i, PORTS[0], 1'b0};
endmodule
`default_nettype wire
