// SPDX-License-Identifier: Apache-2.0
// switch_props.v - what switch.v must do, for proof and simulation alike.
//
// Six port_props.v tell what each port offers; here is what may then cross, and that nothing else
// does.  probe_i (PROBE = 1) is read for the grants of a cycle and for the registers; bad[0] to
// bad[3] and bad[10] say of the links alone what a neighbour relies on.
/* verilator lint_off WIDTH */          // genvars and small counts side by side
/* verilator lint_off UNUSEDSIGNAL */   // a probe shows more than is read
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module switch_props #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [6*VCS-1:0]        in_valid_i,
  input  wire [6*(FLIT_W+2)-1:0] in_flit_i,
  input  wire [6*VCS-1:0]        in_room_i,
  input  wire [6*VCS-1:0]        out_valid_i,
  input  wire [6*(FLIT_W+2)-1:0] out_flit_i,
  input  wire [6*VCS-1:0]        out_room_i,
  input  wire [PROBE_W-1:0]      probe_i,
  // The worms, for network_props.v.
  output wire [6*VCS-1:0]        came_o,     // a worm that enters has not yet come as a whole
  output wire [6*VCS-1:0]        busy_o,     // a worm holds this output channel
  output wire [6*VCS-1:0]        left_o,     // a worm that leaves has not yet left as a whole
  output wire [6*VCS-1:0]        some_o,     // the queue is not empty
  output wire [6*DEPTH*VCS-1:0]  head_o,
  output wire [6*DEPTH*VCS*FLIT_W-1:0] load_o,
  // Every sender keeps the rules of a link: a flit only where it saw room, one channel at a time,
  // whole worms on a channel, no worm back to where it came from.
  output wire [5:0]              ok_o,       // ... of each port
  output wire                    live_o,     // there was a reset
  // bad[0]: after a reset a queue has a flit, a channel is held or a flit leaves
  // bad[1]: a flit leaves without room, or two leave by one link, or an input sends two
  // bad[2]: a flit leaves by a crosspoint that does not exist, or an idle link is not zero
  // bad[3]: worms mix on a channel: a flit of another worm between a head and its tail
  // bad[4]: a hold does not end with its tail, or not exactly one input has it
  // bad[5]: what leaves is not the granted flit, or not on its channel (head: the lowest free)
  // bad[6]: a queue loses, repeats or reorders flits, or says wrong of its room
  // bad[7]: what a worm holds is not what its head got
  // bad[8]: a flit is granted what it cannot take
  // bad[9]: a flit that could move does not, though its output is idle
  // bad[10]: flits could move and none does
  // bad[11]: an input is overtaken by one that comes after it in the scan
  // bad[12]: GP not the lowest free parent, or RG, RW not the preferred one
  // bad[13]: the channels of an input do not take turns
  // bad[14]: the registers of the scan are not those of the rule
  output wire [14:0]             bad_o,
  // cover[0]: all queues full
  // cover[1]: every output channel held
  // cover[2]: a flit leaves by every output
  // cover[3]: the fifth flit of a worm leaves
  // cover[4]: a worm that holds an output has no flit here
  // cover[5]: two heads that could go to one output, one goes
  // cover[6]: a head waits since its output is held
  // cover[7]: a single follows a tail without a gap
  // cover[8]: reset while a worm crosses
  // cover[9..44]: a head goes from input (n - 9) / 6 to output (n - 9) mod 6; none: a reset
  output wire [44:0]             cover_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer CH       = 6 * VCS;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer PORTS    = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);
  localparam integer PORT_PW  = 32 + FLIT_PW + VCS * (32 + DEPTH * FLIT_PW);
  localparam integer SCAN_PW  = PROBE_W - 64 - 6 * PORT_PW;
  localparam [0:0]   EITHER   = PATH == `FATFLY_RG || PATH == `FATFLY_RW;

  wire [31:0]      random = probe_i[31:0];
  wire [CH-1:0]    busy   = probe_i[32+:CH];
  wire [SCAN_PW-1:0] scan = probe_i[64+:SCAN_PW];

  wire [35:0]           gnt;           // bit 6i + o
  wire [35:0]           req;
  wire [6*W-1:0]        flit;
  wire [6*VCS-1:0]      chan;
  wire [6*VCS-1:0]      offer;
  wire [6*HEIGHT_W-1:0] height;
  wire [6*VCS-1:0]      fresh;
  wire [6*VCS*CH-1:0]   hold;          // bit CH*c + d: input channel c holds output channel d
  wire [5:0]            port_ok;
  wire [5:0]            bad_queue, bad_hold, bad_turn, bad_room;
  wire [CH-1:0]         owned;         // some input channel holds this output channel
  wire [CH-1:0]         shared;        // two do
  wire [CH-1:0]         takes;         // the channel of each output that a head takes; one-hot
  reg                   live_q;        // there was a reset
  reg                   after_q;       // ... in the last cycle
  initial live_q = 1'b0;
  always @(posedge clk_i) begin
    if (rst_i) live_q <= 1'b1;
    after_q <= rst_i;
  end

  genvar i, j, o, d;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_port
      if (i < PORTS) begin : g_in
        wire [PORT_PW-1:0] probe = probe_i[64+SCAN_PW+PORT_PW*i+:PORT_PW];
        wire [VCS-1:0]     room;
        wire [2:0]         bad;
        assign gnt[6*i+:6] = probe[13:8];
        // The channel that it takes at the output that it is granted.
        wire [VCS-1:0]     gets =
          (takes[0+:VCS]     & {VCS{gnt[6*i]}})   | (takes[VCS+:VCS]   & {VCS{gnt[6*i+1]}}) |
          (takes[2*VCS+:VCS] & {VCS{gnt[6*i+2]}}) | (takes[3*VCS+:VCS] & {VCS{gnt[6*i+3]}}) |
          (takes[4*VCS+:VCS] & {VCS{gnt[6*i+4]}}) | (takes[5*VCS+:VCS] & {VCS{gnt[6*i+5]}});
        port_props #(
          .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
          .LEVELS(LEVELS), .PORT(i)
        ) u_port (
          .clk_i(clk_i), .rst_i(rst_i), .valid_i(in_valid_i[VCS*i+:VCS]),
          .flit_i(in_flit_i[W*i+:W]), .rand_i((i < 4) ? random[16+i] : 1'b0), .room_i(out_room_i),
          .free_i(~busy_o), .gnt_i(gnt[6*i+:6]), .chan_i(gets), .probe_i(probe),
          .room_o(room),
          .req_o(req[6*i+:6]), .flit_o(flit[W*i+:W]), .chan_o(chan[VCS*i+:VCS]),
          .offer_o(offer[VCS*i+:VCS]), .height_o(height[HEIGHT_W*i+:HEIGHT_W]),
          .fresh_o(fresh[VCS*i+:VCS]), .hold_o(hold[CH*VCS*i+:CH*VCS]), .came_o(came_o[VCS*i+:VCS]),
          .left_o(left_o[VCS*i+:VCS]), .some_o(some_o[VCS*i+:VCS]),
          .head_o(head_o[DEPTH*VCS*i+:DEPTH*VCS]),
          .load_o(load_o[DEPTH*VCS*FLIT_W*i+:DEPTH*VCS*FLIT_W]), .assume_o(port_ok[i]), .bad_o(bad)
        );
        assign bad_queue[i] = bad[0];
        assign bad_hold[i]  = bad[1];
        assign bad_turn[i]  = bad[2];
        assign bad_room[i]  = in_room_i[VCS*i+:VCS] != room;
      end else begin : g_absent
        assign gnt[6*i+:6]    = 6'd0;
        assign req[6*i+:6]    = 6'd0;
        assign flit[W*i+:W]   = {W{1'b0}};
        assign chan[VCS*i+:VCS]  = {VCS{1'b0}};
        assign offer[VCS*i+:VCS] = {VCS{1'b0}};
        assign fresh[VCS*i+:VCS] = {VCS{1'b0}};
        assign height[HEIGHT_W*i+:HEIGHT_W] = {HEIGHT_W{1'b0}};
        assign hold[CH*VCS*i+:CH*VCS] = {CH*VCS{1'b0}};
        assign came_o[VCS*i+:VCS] = {VCS{1'b0}};
        assign left_o[VCS*i+:VCS] = {VCS{1'b0}};
        assign some_o[VCS*i+:VCS] = {VCS{1'b0}};
        assign head_o[DEPTH*VCS*i+:DEPTH*VCS] = {DEPTH*VCS{1'b0}};
        assign load_o[DEPTH*VCS*FLIT_W*i+:DEPTH*VCS*FLIT_W] = {DEPTH*VCS*FLIT_W{1'b0}};
        assign port_ok[i]     = 1'b1;
        assign bad_queue[i]   = 1'b0;
        assign bad_hold[i]    = 1'b0;
        assign bad_turn[i]    = 1'b0;
        assign bad_room[i]    = |in_room_i[VCS*i+:VCS];
      end
    end
  endgenerate
  assign ok_o = port_ok;
  assign live_o = live_q;

  // What leaves by each output.
  wire [5:0] from [0:5];               // the inputs that are granted this output
  wire [5:0] used;                     // a flit leaves
  wire [5:0] bad_link, bad_worm, bad_flit;
  wire [5:0] moves;                    // input i sends a flit
  wire [5:0] asks;
  generate
    for (o = 0; o < 6; o = o + 1) begin : g_out
      wire [VCS-1:0]   valid = out_valid_i[VCS*o+:VCS];
      wire [VCS-1:0]   room  = out_room_i[VCS*o+:VCS];
      wire [W-1:0]     out   = out_flit_i[W*o+:W];
      wire [VCS-1:0]   able  = room & ~busy_o[VCS*o+:VCS];
      wire [VCS-1:0]   keep;           // the channel that the granted worm keeps to
      wire [W-1:0]     want;           // the granted flit
      assign takes[VCS*o+:VCS] = able & ~(able - 1'b1);
      for (i = 0; i < 6; i = i + 1) begin : g_from
        assign from[o][i] = gnt[6*i+o];
      end
      assign want = (flit[0+:W]   & {W{from[o][0]}}) | (flit[W+:W]   & {W{from[o][1]}}) |
                    (flit[2*W+:W] & {W{from[o][2]}}) | (flit[3*W+:W] & {W{from[o][3]}}) |
                    (flit[4*W+:W] & {W{from[o][4]}}) | (flit[5*W+:W] & {W{from[o][5]}});
      assign keep = (chan[0+:VCS] & {VCS{from[o][0]}}) | (chan[VCS+:VCS]   & {VCS{from[o][1]}}) |
                    (chan[2*VCS+:VCS] & {VCS{from[o][2]}}) |
                    (chan[3*VCS+:VCS] & {VCS{from[o][3]}}) |
                    (chan[4*VCS+:VCS] & {VCS{from[o][4]}}) |
                    (chan[5*VCS+:VCS] & {VCS{from[o][5]}});
      assign used[o]     = |valid;
      assign moves[o]    = |gnt[6*o+:6];
      assign asks[o]     = |req[6*o+:6];
      assign bad_link[o] = |(valid & ~room) | |(valid & (valid - 1'b1)) |
                           |(from[o] & (from[o] - 6'd1)) | |(gnt[6*o+:6] & (gnt[6*o+:6] - 6'd1));
      assign bad_flit[o] = out != want | valid != (want[FLIT_W+1] ? takes[VCS*o+:VCS] : keep) |
                           used[o] != |from[o];

      // What the link alone shows of a channel: a head when no worm holds it, else its body.
      reg  [VCS-1:0] busy_q;
      assign busy_o[VCS*o+:VCS] = busy_q;
      always @(posedge clk_i)
        if (rst_i) busy_q <= {VCS{1'b0}};
        else       busy_q <= out[FLIT_W] ? busy_q & ~valid : busy_q | valid;
      wire bad_head = |(valid & (busy_q ^ {VCS{~out[FLIT_W+1]}}));
      // ... and that it comes from whom that worm came from.
      wire [5:0] mix;
      for (i = 0; i < 6; i = i + 1) begin : g_mix
        wire [VCS-1:0] alien;
        for (d = 0; d < VCS; d = d + 1) begin : g_vc
          assign alien[d] = from[o][i] & offer[VCS*i+d] &
                            |(valid & busy_q & ~hold[CH*(VCS*i+d)+VCS*o+:VCS]);
        end
        assign mix[i] = |alien;
      end
      assign bad_worm[o] = bad_head | |mix;
    end

    // Who holds each output channel.
    for (d = 0; d < CH; d = d + 1) begin : g_hold
      wire [CH-1:0] by;
      for (i = 0; i < CH; i = i + 1) begin : g_by
        assign by[i] = hold[CH*i+d];
      end
      assign owned[d]  = |by;
      assign shared[d] = |(by & (by - 1'b1));
    end
  endgenerate

  // The order of the inputs: bit 36o + 6i + j, at output o input i comes before input j.
  wire [215:0] earlier;
  wire         bad_scan;
  wire [CH*CH-1:0] age;                // bit CH*a + b: a has been at the front longer than b (FCFS)
  wire [2:0]   start = scan[2:0];
  generate
    if (SCAN != `FATFLY_FCFS) begin : g_no_age
      assign age = {CH*CH{1'b0}};
    end
    if (SCAN == `FATFLY_RR || SCAN == `FATFLY_FF) begin : g_start
      // The start port is drawn by the byte of the last cycle.
      reg  [7:0]  byte_q;
      wire [10:0] place = byte_q * PORTS;
      always @(posedge clk_i) byte_q <= rst_i ? 8'd0 : random[31:24];
      assign bad_scan = start != place[10:8];
    end else if (SCAN == `FATFLY_ROT) begin : g_last
      wire [5:0] wrong;
      for (o = 0; o < 6; o = o + 1) begin : g_out
        // One past the input that was granted last.
        reg  [2:0] next_q;
        always @(posedge clk_i)
          if (rst_i) next_q <= 3'd0;
          else if (|from[o])
            next_q <= from[o][0] ? 3'd1 : from[o][1] ? 3'd2 : from[o][2] ? 3'd3 :
                      from[o][3] ? 3'd4 : from[o][4] ? 3'd5 : 3'd0;
        assign wrong[o] = scan[3+3*o+:3] != next_q;
      end
      assign bad_scan = |wrong;
    end else if (SCAN == `FATFLY_FCFS) begin : g_age
      wire [CH*CH-1:0] was;            // age at the start of the cycle, a < b
      wire [CH-1:0]    wrong;
      for (i = 0; i < CH; i = i + 1) begin : g_a
        wire [CH-1:0] differ;
        for (j = 0; j < CH; j = j + 1) begin : g_b
          if (i < j) begin : g_pair
            localparam integer K = i * (2 * CH - 1 - i) / 2 + j - i - 1;
            reg age_q;
            always @(posedge clk_i) age_q <= ~rst_i & age[CH*i+j];
            assign age[CH*i+j] = fresh[j] ? 1'b1 : fresh[i] ? 1'b0 : age_q;
            // Three never go round in a circle.
            wire [CH-1:0] circle;
            for (d = 0; d < CH; d = d + 1) begin : g_third
              if (d > j) begin : g_of
                assign circle[d] = age_q == was[CH*j+d] & age_q != was[CH*i+d];
              end else begin : g_counted
                assign circle[d] = 1'b0;
              end
            end
            assign was[CH*i+j] = age_q;
            assign differ[j]   = scan[32+K] != age_q | |circle;
          end else begin : g_mirror
            assign age[CH*i+j] = (i != j) & ~age[CH*j+i];
            assign was[CH*i+j] = 1'b0;
            assign differ[j]   = 1'b0;
          end
        end
        assign wrong[i] = |differ;
      end
      assign bad_scan = |wrong;
    end else begin : g_none
      assign bad_scan = 1'b0;
    end

    for (o = 0; o < 6; o = o + 1) begin : g_order
      for (i = 0; i < 6; i = i + 1) begin : g_i
        for (j = 0; j < 6; j = j + 1) begin : g_j
          wire [2:0] s = (SCAN == `FATFLY_ROT) ? scan[3+3*o+:3] :
                         (SCAN == `FATFLY_FO) ? 3'd0 : start;
          wire [3:0] ri = (i[2:0] >= s) ? i[3:0] : i[3:0] + 4'd6;
          wire [3:0] rj = (j[2:0] >= s) ? j[3:0] : j[3:0] + 4'd6;
          wire [HEIGHT_W-1:0] hi = height[HEIGHT_W*i+:HEIGHT_W];
          wire [HEIGHT_W-1:0] hj = height[HEIGHT_W*j+:HEIGHT_W];
          if (SCAN == `FATFLY_FCFS) begin : g_fcfs
            wire [VCS-1:0] row;
            for (d = 0; d < VCS; d = d + 1) begin : g_vc
              assign row[d] = offer[VCS*i+d] & |(offer[VCS*j+:VCS] & age[CH*(VCS*i+d)+VCS*j+:VCS]);
            end
            assign earlier[36*o+6*i+j] = |row;
          end else if (SCAN == `FATFLY_FF) begin : g_ff
            assign earlier[36*o+6*i+j] = hi > hj | (hi == hj & ri < rj);
          end else begin : g_list
            assign earlier[36*o+6*i+j] = ri < rj;
          end
          wire unused = &{1'b0, s, ri, rj, hi, hj, 1'b0};
        end
      end
    end
  endgenerate

  // Who may be overtaken by whom.  Under RG and RW all that go up are taken in the order of parent 0; the
  // first of them may get parent 1.
  wire [5:0] bad_legal, bad_idle, bad_order, bad_choice;
  wire [5:0] ahead5;                   // the input at parent 1 goes by the order of parent 0
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_lead
      // Input i has parent 1 and comes before whoever has parent 0.
      assign ahead5[i] = EITHER & from[5][i] & ~|(from[4] & ~earlier[36*4+6*i+:6]);
    end
    for (i = 0; i < 6; i = i + 1) begin : g_rule
      wire [5:0] r = req[6*i+:6];
      wire [5:0] g = gnt[6*i+:6];
      wire [5:0] passed;
      for (o = 0; o < 6; o = o + 1) begin : g_passed
        // Those that come before input i at this output.
        wire [5:0] early;
        for (j = 0; j < 6; j = j + 1) begin : g_early
          assign early[j] = (o == 5 && ahead5[j]) ? earlier[36*4+6*j+i] : earlier[36*o+6*j+i];
        end
        assign passed[o] = r[o] & |(from[o] & ~early);
      end
      wire [5:0] early4;
      for (j = 0; j < 6; j = j + 1) begin : g_early4
        assign early4[j] = earlier[36*4+6*j+i];
      end
      wire       both = r[4] & r[5];
      wire       pref = random[16+(i&3)];
      assign bad_legal[i]  = |(g & ~r);
      assign bad_idle[i]   = ~|g & |(r & ~used);
      assign bad_order[i]  = ~|g & |passed;
      assign bad_choice[i] = (PATH == `FATFLY_GP & both & g[5] & ~|(from[4] & early4)) |
                             (EITHER & both & g[5] & ~pref & ~|(from[4] & early4)) |
                             (EITHER & both & g[4] & pref & ~|(from[5] & early4));
    end
  endgenerate

  wire [CH-1:0] full;
  wire [CH-1:0] exists;                // this channel's port does
  wire [CH-1:0] waits;                 // a worm holds an output and has no flit here
  generate
    for (d = 0; d < CH; d = d + 1) begin : g_exists
      assign exists[d] = d < PORTS * VCS;
    end
  endgenerate
  assign full  = ~in_room_i;
  assign waits = left_o & ~some_o;

  wire [5:0]  bad_cross;
  assign bad_o[0]  = live_q & after_q & (|busy | |out_valid_i | in_room_i != exists);
  assign bad_o[1]  = live_q & |bad_link;
  assign bad_o[2]  = live_q & |bad_cross;
  assign bad_o[3]  = live_q & |bad_worm;
  assign bad_o[4]  = live_q & (busy != busy_o | owned != busy_o | |shared);
  assign bad_o[5]  = live_q & |bad_flit;
  assign bad_o[6]  = live_q & (|bad_queue | |bad_room);
  assign bad_o[7]  = live_q & |bad_hold;
  assign bad_o[8]  = live_q & |bad_legal;
  assign bad_o[9]  = live_q & |bad_idle;
  assign bad_o[10] = live_q & |asks & ~|used;
  assign bad_o[11] = live_q & |bad_order;
  assign bad_o[12] = live_q & |bad_choice;
  assign bad_o[13] = live_q & |bad_turn;
  assign bad_o[14] = live_q & bad_scan;

  // Crosspoints; and what covers alone need.
  wire [35:0] heads;                   // a head crosses here
  wire [5:0]  clash, blocked, fifth, follows;
  reg  [5:0]  tail_q;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_cross
      wire [5:0] none;
      for (o = 0; o < 6; o = o + 1) begin : g_out
        localparam integer NONE = (i == o || (i > 3 && o > 3) || i >= PORTS || o >= PORTS) ? 1 : 0;
        assign none[o] = (NONE != 0) & gnt[6*i+o];
        assign heads[6*i+o] = (NONE != 0) ? live_q & after_q : gnt[6*i+o] & flit[W*i+FLIT_W+1];
      end
      assign bad_cross[i] = |none | (~used[i] & |out_flit_i[W*i+:W]) | (i >= PORTS & used[i]);
      // Flits that left on channel 0 of this output since its head.
      reg [2:0] count_q;
      wire      first = out_valid_i[VCS*i];
      always @(posedge clk_i) begin
        if (rst_i) count_q <= 3'd0;
        else if (first) count_q <= out_flit_i[W*i+FLIT_W] ? 3'd0 : count_q + {2'd0, ~&count_q};
        tail_q[i] <= ~rst_i & first & out_flit_i[W*i+FLIT_W] & ~out_flit_i[W*i+FLIT_W+1];
      end
      assign fifth[i]   = first & count_q == 3'd4;
      assign follows[i] = first & tail_q[i] & &out_flit_i[W*i+FLIT_W+:2];
      assign clash[i]   = used[i] & |(waiting(i) & ~from[i]);
      assign blocked[i] = |(exists[VCS*i+:VCS] & some_o[VCS*i+:VCS]) & ~asks[i] & &out_room_i;
    end
  endgenerate
  function [5:0] waiting(input integer at);
    waiting = {req[30+at], req[24+at], req[18+at], req[12+at], req[6+at], req[at]};
  endfunction
  assign cover_o[0] = live_q & full == {CH{1'b1}};
  assign cover_o[1] = live_q & busy_o == exists;
  assign cover_o[2] = live_q & used == {{2{PORTS == 6}}, 4'hf};
  assign cover_o[3] = live_q & |fifth;
  assign cover_o[4] = live_q & |waits;
  assign cover_o[5] = live_q & |clash;
  assign cover_o[6] = live_q & |blocked;
  assign cover_o[7] = live_q & |follows;
  assign cover_o[8] = live_q & rst_i & |busy_o;
  assign cover_o[44:9] = {36{live_q}} & heads;
endmodule
`default_nettype wire
