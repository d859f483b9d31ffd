// SPDX-License-Identifier: Apache-2.0
// switch_fast.v - the switch of switch_ref.v with fewer gates in a row, for FPGAs.
// It gives the same outputs in every cycle (tb/formal proves it); what it is, is read in switch_ref.v.
//
// Heads are routed when they arrive, flits lie in pairs of registers that are written and read in turn,
// and one channel of two flits, or two under RP with RR, FO or ROT, have ports of their own.  The ports
// are those of switch.v, which checks the parameters.
`default_nettype none
`include "flit.vh"

module switch_fast #(
  parameter integer VCS    = 1,        // virtual channels a link: 1, 2 or 4
  parameter integer DEPTH  = 2,        // flits a queue holds (q), 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64; a head must fit
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,        // of this switch, 1 (leaves) to LEVELS (root)
  parameter integer LEVELS = 3,        // of the network, N = 4^LEVELS processors
  parameter integer PROBE  = 0,        // 1: probe_o shows links and registers, 0: it is zero
  // Bits of probe_o; a caller leaves it alone.
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,       // synchronous, active high
  input  wire [31:0]             seed_i,      // of the random bits, read while rst_i is high
  input  wire [6*VCS-1:0]        in_valid_i,
  input  wire [6*(FLIT_W+2)-1:0] in_flit_i,
  output wire [6*VCS-1:0]        in_room_o,
  output wire [6*VCS-1:0]        out_valid_o,
  output wire [6*(FLIT_W+2)-1:0] out_flit_o,  // zero while not valid
  input  wire [6*VCS-1:0]        out_room_i,
  // {ports 5 .. 0, scan, busy_q, lfsr_q}, each in whole words; cmodel/switch/switch.h has the C side.
  output wire [PROBE_W-1:0]      probe_o
);
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer W        = FLIT_W + 2;
  localparam integer ROOT     = (LEVEL == LEVELS) ? 1 : 0;
  localparam integer ORDERS   = (SCAN == `FATFLY_ROT) ? 6 : 1;
  localparam integer PORTS    = (ROOT != 0) ? 4 : 6;
  // With one channel and one output to ask for, an output without room grants nobody, whoever asks: the
  // room is joined to the grants, not to the requests.
  localparam integer LATE_ROOM = (VCS == 1 && (PATH == `FATFLY_FP || PATH == `FATFLY_RP)) ? 1 : 0;
  // One channel of two flits has ports of its own, and two have under RP for orders that are turned, not
  // mixed: fewer gates in a row.  Where a head may take either parent all outputs share one order.
  localparam integer TURNED   = (SCAN == `FATFLY_RR || SCAN == `FATFLY_FO || SCAN == `FATFLY_ROT) ? 1 : 0;
  localparam integer EITHER   = ((PATH == `FATFLY_GP || PATH == `FATFLY_RG) && ROOT == 0) ? 1 : 0;
  localparam integer PORT_ONE = (VCS == 1 && DEPTH == 2 && (EITHER == 0 || SCAN != `FATFLY_ROT)) ? 1 : 0;
  localparam integer OWN_PORTS = (PORT_ONE != 0 || (VCS == 2 && DEPTH == 2 && PATH == `FATFLY_RP && TURNED != 0)) ? 1 : 0;
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);
  localparam integer PORT_PW  = 32 + FLIT_PW + VCS * (32 + DEPTH * FLIT_PW);
  localparam integer SCAN_PW  = PROBE_W - 64 - 6 * PORT_PW;
  localparam integer RANDOM   = (SCAN == `FATFLY_RR || SCAN == `FATFLY_FF ||
                                 PATH == `FATFLY_RP || PATH == `FATFLY_RG) ? 1 : 0;

  // Tables of gate.v.
  localparam [15:0] A    = 16'hff00;
  localparam [15:0] B    = 16'hf0f0;
  localparam [15:0] C    = 16'hcccc;
  localparam [15:0] D    = 16'haaaa;
  localparam [15:0] OR4  = A | B | C | D;
  localparam [15:0] SAME = (B & C) | (~B & D); // two children ask for one parent: in_i[2] says for which

  wire [31:0]             random;
  wire [15:0]             random_next; // random[31:16] of the next cycle
  wire [35:0]             req;         // bit 6i + o
  wire [35:0]             ask;         // ... before the room is known, where that cannot matter
  wire [35:0]             won;
  wire [35:0]             gnt;
  wire [15*ORDERS-1:0]    before_bits;
  wire [6*W-1:0]          flit;        // on offer, per input
  wire [6*VCS-1:0]        chan;
  wire [6*VCS-1:0]        offer;
  wire [6*VCS-1:0]        fresh;
  wire [6*HEIGHT_W-1:0]   height;
  wire [6*VCS-1:0]        free;        // output channels that a head could take
  wire [6*VCS-1:0]        alloc;       // the one that it would take; one-hot per output
  wire [6*VCS-1:0]        busy;
  wire [5:0]              any;         // APART: per input, it crosses to some output
  wire [3:0]              up;          // ... a child crosses to a parent
  wire [5:0]              climb;       // EITHER: per input, it has a head that goes up
  wire [5:0]              other;       // ... that prefers parent 1
  wire [1:0]              leaves;      // ... per parent, a flit crosses to it
  wire [5:0]              filled;      // ONE: per input, a flit is at the front
  wire [5:0]              zero;        // ... VCS = 2: it takes channel 0
  wire [11:0]             flip;        // ... the channel whose hold begins or ends
  wire [6*PORT_PW-1:0]    port_probe;
  wire [SCAN_PW-1:0]      scan_probe;

  genvar i, o, w;
  generate
    if (RANDOM != 0) begin : g_random
      lfsr u_lfsr (.clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .state_o(random), .next_o(random_next));
    end else begin : g_no_random
      wire unused = &{1'b0, seed_i, 1'b0};
      assign random      = 32'd0;
      assign random_next = 16'd0;
    end

    for (i = 0; i < 6; i = i + 1) begin : g_port
      // A case, since Yosys puts the blocks after `else if' a level deeper.
      case ((i >= PORTS) ? 0 : (OWN_PORTS == 0) ? 1 : VCS + 1)
      3: begin : g_in
        port_pair #(
          .FLIT_W(FLIT_W), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(i), .PROBE(PROBE)
        ) u_port (
          .clk_i(clk_i), .rst_i(rst_i),
          .valid_i(in_valid_i[VCS*i+:VCS]), .flit_i(in_flit_i[W*i+:W]),
          .room_o(in_room_o[VCS*i+:VCS]),
          .rand_i((i < 4) & random_next[i]), .room_i(out_room_i), .busy_i(busy),
          .req_o(req[6*i+:6]), .flit_o(flit[W*i+:W]), .zero_o(zero[i]), .flip_o(flip[2*i+:2]),
          .offer_o(offer[VCS*i+:VCS]), .gnt_i(gnt[6*i+:6]), .any_i(any[i]),
          .probe_o(port_probe[PORT_PW*i+:PORT_PW])
        );
        assign climb[i]                     = 1'b0;
        assign other[i]                     = 1'b0;
        assign filled[i]                    = 1'b0;
        assign ask[6*i+:6]                  = 6'd0;
        assign chan[VCS*i+:VCS]             = {VCS{1'b0}};
        assign fresh[VCS*i+:VCS]            = {VCS{1'b0}};
        assign height[HEIGHT_W*i+:HEIGHT_W] = {HEIGHT_W{1'b0}};
      end
      2: begin : g_in
        wire comes;                    // a head, to the front
        port_one #(
          .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(i), .PROBE(PROBE)
        ) u_port (
          .clk_i(clk_i), .rst_i(rst_i),
          .valid_i(in_valid_i[VCS*i+:VCS]), .flit_i(in_flit_i[W*i+:W]),
          .room_o(in_room_o[VCS*i+:VCS]),
          .rand_i((i < 4) & random_next[i]), .room_i(out_room_i), .busy_i(busy),
          .req_o(req[6*i+:6]), .flit_o(flit[W*i+:W]), .valid_o(filled[i]),
          .climb_o(climb[i]), .other_o(other[i]), .height_o(height[HEIGHT_W*i+:HEIGHT_W]),
          .fresh_o(comes),
          .gnt_i(gnt[6*i+:6]), .any_i(any[i]),
          .probe_o(port_probe[PORT_PW*i+:PORT_PW])
        );
        assign zero[i]                      = 1'b0;
        assign flip[2*i+:2]                 = 2'b00;
        assign offer[VCS*i+:VCS]            = {VCS{1'b1}};
        assign ask[6*i+:6]                  = 6'd0;
        assign chan[VCS*i+:VCS]             = {VCS{1'b0}};
        assign fresh[VCS*i+:VCS]            = {VCS{comes}};
      end
      1: begin : g_in
        assign climb[i]     = 1'b0;
        assign other[i]     = 1'b0;
        assign filled[i]    = 1'b0;
        assign zero[i]      = 1'b0;
        assign flip[2*i+:2] = 2'b00;
        wire rand_bit;
        if (i < 4) begin : g_child
          assign rand_bit = random_next[i];
        end else begin : g_parent
          assign rand_bit = 1'b0;
        end
        // The channel that a head takes at the output it is granted.
        wire [6*VCS-1:0] takes;
        for (o = 0; o < 6; o = o + 1) begin : g_takes
          assign takes[VCS*o+:VCS] = alloc[VCS*o+:VCS] & {VCS{gnt[6*i+o]}};
        end
        port_fast #(
          .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN),
          .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(i > 3 ? 1 : 0), .PROBE(PROBE)
        ) u_port (
          .clk_i(clk_i), .rst_i(rst_i),
          .valid_i(in_valid_i[VCS*i+:VCS]), .flit_i(in_flit_i[W*i+:W]),
          .room_o(in_room_o[VCS*i+:VCS]),
          .rand_i(rand_bit), .room_i(out_room_i), .free_i(free),
          .req_o(req[6*i+:6]), .ask_o(ask[6*i+:6]), .flit_o(flit[W*i+:W]), .chan_o(chan[VCS*i+:VCS]),
          .offer_o(offer[VCS*i+:VCS]), .height_o(height[HEIGHT_W*i+:HEIGHT_W]),
          .fresh_o(fresh[VCS*i+:VCS]),
          .gnt_i(gnt[6*i+:6]),
          .chan_i(takes[0+:VCS] | takes[VCS+:VCS] | takes[2*VCS+:VCS] | takes[3*VCS+:VCS] |
                  takes[4*VCS+:VCS] | takes[5*VCS+:VCS]),
          .probe_o(port_probe[PORT_PW*i+:PORT_PW])
        );
      end
      default: begin : g_absent
        assign climb[i]                      = 1'b0;
        assign other[i]                      = 1'b0;
        assign filled[i]                     = 1'b0;
        assign zero[i]                       = 1'b0;
        assign flip[2*i+:2]                  = 2'b00;
        assign in_room_o[VCS*i+:VCS]         = {VCS{1'b0}};
        assign req[6*i+:6]                   = 6'd0;
        assign ask[6*i+:6]                   = 6'd0;
        assign flit[W*i+:W]                  = {W{1'b0}};
        assign chan[VCS*i+:VCS]              = {VCS{1'b0}};
        assign offer[VCS*i+:VCS]             = {VCS{1'b0}};
        assign height[HEIGHT_W*i+:HEIGHT_W]  = {HEIGHT_W{1'b0}};
        assign fresh[VCS*i+:VCS]             = {VCS{1'b0}};
        assign port_probe[PORT_PW*i+:PORT_PW] = {PORT_PW{1'b0}};
      end
      endcase
    end
  endgenerate

  scan_fast #(
    .VCS(VCS), .SCAN(SCAN), .PORTS(PORTS), .HEIGHT_W(HEIGHT_W), .ORDERS(ORDERS), .PORT_ONE(PORT_ONE), .PROBE(PROBE)
  ) u_scan (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(random[31:24]), .gnt_i(gnt), .height_i(height),
    .fresh_i(fresh), .offer_i(offer), .any_i(any), .valid_i(filled),
    .head_i({flit[W*6-1], flit[W*5-1], flit[W*4-1], flit[W*3-1], flit[W*2-1], flit[W-1]}),
    .before_o(before_bits), .probe_o(scan_probe)
  );

  arbiter #(
    .PATH(PATH), .ROOT(ROOT), .ORDERS(ORDERS)
  ) u_arbiter (
    .req_i((LATE_ROOM != 0) ? ask : req), .pref_i(random[19:16]), .before_i(before_bits), .gnt_o(won)
  );
  // APART: the same by outputs, in place of that.  A grant takes two gates, and so does what a child needs
  // to know of its parent, for which it asks alone: no rival that comes before it asks for the same one.
  generate
    if (OWN_PORTS != 0) begin : g_apart
      for (o = 0; o < 6; o = o + 1) begin : g_out
        localparam [5:0] FROM = (o >= PORTS) ? 6'd0 : (o > 3) ? 6'h0f :
                                ((ROOT != 0) ? 6'h0f : 6'h3f) & ~(6'd1 << o);
        if (o > 3 && EITHER != 0) begin : g_either
          assign gnt[24+o] = 1'b0;     // from no parent; the children are below
          assign gnt[30+o] = 1'b0;
        end else if (o < 4 || ORDERS > 1 || ROOT != 0) begin : g_pick
          wire [5:0] wins;
          pick_apart #(.FROM(FROM)) u_pick (
            .req_i({req[30+o], req[24+o], req[18+o], req[12+o], req[6+o], req[o]}),
            .before_i(before_bits[15*(o%ORDERS)+:15]), .gnt_o(wins)
          );
          for (i = 0; i < 6; i = i + 1) begin : g_won
            assign gnt[6*i+o] = wins[i];
          end
        end else begin : g_rest
          assign gnt[24+o] = 1'b0;     // from no parent; the children are below
          assign gnt[30+o] = 1'b0;
        end
      end
      if (EITHER == 0) begin : g_no_parents
        assign leaves = 2'b00;
      end else begin : g_parents
        wire [7:0] wins;
        parents #(.PATH(PATH)) u_parents (
          .room_i(out_room_i[5:4]), .busy_i(busy[5:4]), .req_i({req[23:22], req[17:16], req[11:10], req[5:4]}),
          .climb_i(climb[3:0]), .other_i(other[3:0]), .before_i(before_bits[14:0]), .gnt_o(wins), .up_o(up),
          .valid_o(leaves)
        );
        for (i = 0; i < 4; i = i + 1) begin : g_won
          assign gnt[6*i+4+:2] = wins[2*i+:2];
        end
      end
      for (i = 0; i < 4; i = i + 1) begin : g_up
        if (EITHER != 0) begin : g_either
          // Above.
        end else if (ROOT != 0) begin : g_none
          assign up[i] = 1'b0;
        end else if (ORDERS == 1) begin : g_one
          wire [3:0] rival;
          wire [2:0] rivals = {rival[(i+1)%4], rival[(i+2)%4], rival[(i+3)%4]};
          wire       unused = &{1'b0, rival, 1'b0};
          for (o = 0; o < 4; o = o + 1) begin : g_rival
            localparam integer LOW  = (i < o) ? i : o;
            localparam integer HIGH = (i < o) ? o : i;
            if (i == o) begin : g_self
              assign rival[o] = 1'b0;
            end else begin : g_other
              gate #(.TABLE((o < i) ? A & SAME : ~A & SAME)) u_rival (
                .in_i({before_bits[LOW*(11-LOW)/2+HIGH-LOW-1], req[6*i+5], req[6*o+4+:2]}),
                .out_o(rival[o])
              );
            end
          end
          for (o = 4; o < 6; o = o + 1) begin : g_parent
            gate #(.TABLE(A & ~B & ~C & ~D)) u_won (.in_i({req[6*i+o], rivals}), .out_o(gnt[6*i+o]));
          end
          gate #(.TABLE(A & ~B & ~C & ~D)) u_up (
            .in_i({req[6*i+4] | req[6*i+5], rivals}), .out_o(up[i])
          );
        end else begin : g_each
          assign up[i] = gnt[6*i+4] | gnt[6*i+5];
        end
        gate #(.TABLE(OR4)) u_any (
          .in_i({up[i], gnt[6*i+(i+1)%4], gnt[6*i+(i+2)%4], gnt[6*i+(i+3)%4]}), .out_o(any[i])
        );
      end
      gate #(.TABLE(OR4)) u_any4 (.in_i(gnt[24+:4]), .out_o(any[4]));
      gate #(.TABLE(OR4)) u_any5 (.in_i(gnt[30+:4]), .out_o(any[5]));
    end else begin : g_won
      assign leaves = 2'b00;
      assign gnt = (LATE_ROOM != 0) ? won & {6{out_room_i[5:0]}} : won;
      assign up  = 4'd0;
      assign any = 6'd0;
    end
  endgenerate

  // The crossbar and the output channels.
  generate
    for (o = 0; o < 6; o = o + 1) begin : g_out
      if (o < PORTS) begin : g_link
        reg  [VCS-1:0]   busy_q;       // a worm holds this channel
        wire [6*VCS-1:0] held;         // row i: the channel that its worm holds here
        wire [5:0]       head;         // it is a head, so it takes the lowest free channel
        wire [W-1:0]     out;
        // The inputs that lead here: all children but this one, and the parents.
        localparam integer INPUTS = (ROOT != 0) ? 3 : (o < 4) ? 5 : 4;
        wire [INPUTS-1:0]   from;
        wire [INPUTS*W-1:0] words;
        for (i = 0; i < INPUTS; i = i + 1) begin : g_word
          localparam integer FROM = (i < o) ? i : i + 1;
          assign words[W*i+:W] = flit[W*FROM+:W];
          if (o < 4) begin : g_one_hot
            assign from[i] = gnt[6*FROM+o];
          end
        end
        if (o > 3) begin : g_coded
          if (OWN_PORTS != 0 && EITHER != 0) begin : g_either
            assign from = {gnt[18+o], gnt[12+o], gnt[6+o], gnt[o]};
          end else if (OWN_PORTS != 0) begin : g_lead
            lead #(.TURNED(TURNED)) u_lead (
              .req_i({req[18+o], req[12+o], req[6+o], req[o]}), .before_i(before_bits[15*(o%ORDERS)+:15]),
              .code_o(from[2:0])
            );
            assign from[3] = 1'b0;
          end else begin : g_won
            assign from = {1'b0, gnt[12+o] | gnt[18+o], gnt[6+o] | gnt[18+o], gnt[o] | gnt[18+o]};
          end
        end
        wire         tail;             // link_one.v has this bit, else word
        wire [W-1:0] word;
        gather #(
          .WIDTH(W), .INPUTS(INPUTS), .CODE((OWN_PORTS == 0 || o < 4) ? 0 : (EITHER != 0) ? 2 : 1),
          .BITS(~{1'b0, (PORT_ONE != 0), {FLIT_W{1'b0}}})
        ) u_gather (
          .from_i(from), .words_i(words), .word_o(word)
        );
        assign out = {word[W-1], tail, word[FLIT_W-1:0]};
        for (i = 0; i < 6; i = i + 1) begin : g_in
          if (i == o || (i > 3 && o > 3) || i >= PORTS) begin : g_none
            assign held[VCS*i+:VCS] = {VCS{1'b0}};
            assign head[i]          = 1'b0;
          end else begin : g_xp
            assign held[VCS*i+:VCS] = chan[VCS*i+:VCS] & {VCS{gnt[6*i+o]}};
            assign head[i]          = flit[W*i+FLIT_W+1] & gnt[6*i+o];
          end
        end
        // With one channel port.v joins the room, a cycle's latest input, itself.
        assign free[VCS*o+:VCS]        = ((VCS == 1) ? {VCS{1'b1}} : out_room_i[VCS*o+:VCS]) & ~busy_q;
        assign alloc[VCS*o+:VCS]       = free[VCS*o+:VCS] & (~free[VCS*o+:VCS] + 1'b1);
        case ((OWN_PORTS == 0) ? VCS : VCS + 4)
        5: begin : g_one
          // All inputs but this one, or at a parent all children.
          wire [4:0]        asks = {req[30+o], (o < 4) ? req[24+o] : req[6*(o%4)+o],
                                    req[6*((o+3)%4)+o], req[6*((o+2)%4)+o], req[6*((o+1)%4)+o]};
          wire [INPUTS-1:0] tails;
          wire              next;
          wire unused = &{1'b0, held, head, 1'b0};
          for (i = 0; i < INPUTS; i = i + 1) begin : g_tail
            assign tails[i] = words[W*i+FLIT_W];
          end
          always @(posedge clk_i)
            if (rst_i | ~(out_valid_o[o] | busy_q[0])) busy_q <= 1'b0;
            else                                       busy_q <= next;
          wire              some;
          link_one #(.INPUTS(INPUTS), .RING(1 - EITHER)) u_link (
            .req_i(asks), .from_i(from), .tail_i(tails), .valid_o(some), .tail_o(tail), .busy_o(next)
          );
          if (o > 3 && EITHER != 0) begin : g_either
            wire unused_some = &{1'b0, some, 1'b0};
            assign out_valid_o[o] = leaves[o-4];
          end else begin : g_some
            assign out_valid_o[o] = some;
          end
        end
        6: begin : g_pair
          assign tail = word[FLIT_W];
          wire [VCS-1:0] next;
          wire unused = &{1'b0, held, head, 1'b0};
          always @(posedge clk_i)
            if (rst_i) busy_q <= {VCS{1'b0}};
            else       busy_q <= next;
          link #(.OTHER(o > 3 ? 5 : o)) u_link (
            .gnt_i({gnt[30+o], gnt[24+o], gnt[18+o], gnt[12+o], gnt[6+o], gnt[o]}), .zero_i(zero),
            .flip_i(flip), .busy_i(busy_q), .valid_o(out_valid_o[VCS*o+:VCS]), .busy_o(next)
          );
        end
        1: begin : g_valid
          assign tail = word[FLIT_W];
          wire unused = &{1'b0, held, head, 1'b0};
          assign out_valid_o[o] = gnt[o] | gnt[6+o] | gnt[12+o] | gnt[18+o] | gnt[24+o] | gnt[30+o];
        end
        default: begin : g_valids
          assign tail = word[FLIT_W];
          assign out_valid_o[VCS*o+:VCS] = held[0+:VCS] | held[VCS+:VCS] | held[2*VCS+:VCS] |
                                           held[3*VCS+:VCS] | held[4*VCS+:VCS] | held[5*VCS+:VCS] |
                                           (alloc[VCS*o+:VCS] & {VCS{|head}});
        end
        endcase
        assign out_flit_o[W*o+:W]      = out;
        if (OWN_PORTS == 0) for (w = 0; w < VCS; w = w + 1) begin : g_busy
          always @(posedge clk_i)
            if (rst_i) busy_q[w] <= 1'b0;
            else busy_q[w] <= (out_valid_o[VCS*o+w] & ~out[FLIT_W]) | (~out_valid_o[VCS*o+w] & busy_q[w]);
        end
        assign busy[VCS*o+:VCS] = busy_q;
      end else begin : g_absent
        assign free[VCS*o+:VCS]        = {VCS{1'b0}};
        assign alloc[VCS*o+:VCS]       = {VCS{1'b0}};
        assign out_valid_o[VCS*o+:VCS] = {VCS{1'b0}};
        assign out_flit_o[W*o+:W]      = {W{1'b0}};
        assign busy[VCS*o+:VCS]        = {VCS{1'b0}};
      end
    end
  endgenerate

  generate
    if (PROBE != 0) begin : g_probe
      assign probe_o = {port_probe, scan_probe, {(32 - 6 * VCS) {1'b0}}, busy, random};
    end else begin : g_no_probe
      wire unused = &{1'b0, port_probe, scan_probe, busy, 1'b0};
      assign probe_o = 0;              // a replication this wide is taken for a slip
    end
  endgenerate
  wire unused = &{1'b0, won, random, random_next, in_valid_i, in_flit_i, out_room_i, alloc, chan, offer, req, ask,
                 free, zero, flip, up, any, climb, other, leaves, filled, 1'b0};
endmodule
`default_nettype wire
