// SPDX-License-Identifier: Apache-2.0
// equal_props.v - what a neighbour may send to a switch, and what the reference's registers then are.
//
// For equal_formal.v: a state of switch_ref.v that does not keep these is never reached, and the tuned
// switch need not be like it in such a state.  All is read from the reference's probe.
/* verilator lint_off WIDTH */          // genvars and small counts side by side
/* verilator lint_off UNUSEDSIGNAL */   // a probe shows more than is read
`default_nettype none
`include "flit.vh"

module equal_props #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer ANY    = 0,        // 1: fifo_any.v, whose probe shows what comes to the front of a queue
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [6*VCS-1:0]        in_valid_i,
  input  wire [6*(FLIT_W+2)-1:0] in_flit_i,
  input  wire [PROBE_W-1:0]      probe_i,
  output wire                    ok_o,       // every sender keeps the rules of a link
  output wire [PROBE_W-1:0]      void_o,     // bits of a queue's places that hold no flit
  output wire [PROBE_W-1:0]      told_o,     // ... that show what is to come
  // bad[0]: a queue of the reference does not have whole worms, or not where its pointers say
  // bad[1]: what a worm holds is not one channel that its input leads to
  // bad[2]: a channel is held by none or two though busy_q says by one
  output wire [2:0]              bad_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer CH       = 6 * VCS;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer PORTS    = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer FLIT_PW  = 32 * ((W + 31) / 32);
  localparam integer CHAN_PW  = 32 + DEPTH * FLIT_PW;
  localparam integer PORT_PW  = 32 + FLIT_PW + VCS * CHAN_PW;
  localparam integer RING     = (DEPTH > 2) ? DEPTH - 1 : 1;

  localparam integer PORTS_AT = PROBE_W - 6 * PORT_PW;
  assign void_o[PORTS_AT-1:0] = {PORTS_AT{1'b0}};
  assign told_o[PORTS_AT-1:0] = {PORTS_AT{1'b0}};
  wire [CH-1:0]    busy = probe_i[32+:CH];
  wire [CH-1:0]    bad_queue, bad_hold, legal;
  wire [CH*CH-1:0] held;               // bit CH*c + d: input channel c holds output channel d
  wire [CH-1:0]    owned, shared;

  genvar i, v, o, k, d;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_port
      localparam integer UP = (LEVEL < LEVELS && i < 4) ? 1 : 0;
      localparam [5:0] NOWHERE = (i > 3) ? 6'h30 : (6'd1 << i) | ((UP != 0) ? 6'd0 : 6'h30);
      wire [31:0] link = probe_i[PORTS_AT+PORT_PW*i+:32];
      assign void_o[PORTS_AT+PORT_PW*i+:32+FLIT_PW] = {32 + FLIT_PW{1'b0}};
      assign told_o[PORTS_AT+PORT_PW*i+:32+FLIT_PW] = {32 + FLIT_PW{1'b0}};
      for (v = 0; v < VCS; v = v + 1) begin : g_vc
        if (i >= PORTS) begin : g_absent
          assign bad_queue[VCS*i+v] = 1'b0;
          assign bad_hold[VCS*i+v]  = 1'b0;
          assign legal[VCS*i+v]     = 1'b1;
          assign held[CH*(VCS*i+v)+:CH] = {CH{1'b0}};
          assign void_o[PORTS_AT+PORT_PW*i+32+FLIT_PW+CHAN_PW*v+:CHAN_PW] = {CHAN_PW{1'b0}};
          assign told_o[PORTS_AT+PORT_PW*i+32+FLIT_PW+CHAN_PW*v+:CHAN_PW] = {CHAN_PW{1'b0}};
        end else begin : g_in
          wire [CHAN_PW-1:0] probe = probe_i[PORTS_AT+PORT_PW*i+32+FLIT_PW+CHAN_PW*v+:CHAN_PW];
          wire [4:0]         count = probe[4:0];
          wire [4:0]         rd    = {1'b0, probe[8:5]};
          wire [5:0]         hold  = probe[19:14];
          wire [VCS-1:0]     chan  = (VCS == 1) ? {VCS{|hold}} : probe[20+:VCS];
          // A flit that enters, or with ANY comes to the front: its kind, and whether it is a head that leads
          // back to where it comes from.
          wire [VCS-1:0]     link_valid = in_valid_i[VCS*i+:VCS];
          wire               pops = link[14+v] & |link[13:8];
          wire               came = (ANY == 0) ? link_valid[v] : probe[32+2*FLIT_PW] & (pops | count == 5'd0);
          wire [W-1:0]       in   = (ANY == 0) ? in_flit_i[W*i+:W] : probe[32+FLIT_PW+:W];
          wire               back = (i < 4) & in[2*(LEVEL-1)+:2] == i[1:0] &
                                    ((UP == 0) | in[4*LEVELS+:HEIGHT_W] <= LEVEL[HEIGHT_W-1:0]);
          reg                came_q;   // its worm goes on
          always @(posedge clk_i)
            if (rst_i)     came_q <= 1'b0;
            else if (came) came_q <= ~in[FLIT_W];
          wire fits = ANY != 0 | (count != DEPTH & (link_valid & (link_valid - 1'b1)) == {VCS{1'b0}});
          assign legal[VCS*i+v] = ~came | (fits & in[W-1] == ~came_q & ~(in[W-1] & back));
          assign told_o[PORTS_AT+PORT_PW*i+32+FLIT_PW+CHAN_PW*v+:CHAN_PW] = (ANY == 0) ? {CHAN_PW{1'b0}} :
            {{FLIT_PW{1'b1}}, {FLIT_PW{1'b1}}} << (32 + FLIT_PW);
          // Worms follow each other whole, from the one that leaves to the one that enters.
          wire [DEPTH:0]     open;
          wire [DEPTH-1:0]   torn;
          assign open[0] = |hold;
          for (k = 0; k < DEPTH; k = k + 1) begin : g_entry
            wire [4:0]   place = rd + k - 5'd1;
            wire [4:0]   slot  = (DEPTH <= 2 || ANY != 0 || k == 0) ? k : ((place >= RING) ? place - RING : place) + 5'd1;
            wire [W-1:0] flit  = probe[32+FLIT_PW*slot+:W];
            wire         lost  = (i < 4) & flit[2*(LEVEL-1)+:2] == i[1:0] &
                                 ((UP == 0) | flit[4*LEVELS+:HEIGHT_W] <= LEVEL[HEIGHT_W-1:0]);
            assign open[k+1] = (count > k) ? ~flit[FLIT_W] : open[k];
            assign torn[k]   = (count > k) & ((flit[W-1] == open[k]) | (flit[W-1] & lost));
          end
          // Place k - 1 of the ring, by how far it is from the first of those that wait.
          assign void_o[PORTS_AT+PORT_PW*i+32+FLIT_PW+CHAN_PW*v+:32] = 32'd0;
          for (k = 0; k < DEPTH; k = k + 1) begin : g_void
            wire [4:0] far  = (DEPTH <= 2) ? k : (k > rd) ? k - rd : k + RING - rd;
            wire       none = (k == 0) ? count == 5'd0 : far >= count;
            assign void_o[PORTS_AT+PORT_PW*i+32+FLIT_PW+CHAN_PW*v+32+FLIT_PW*k+:FLIT_PW] = {FLIT_PW{none}};
          end
          wire [4:0] behind = (count == 5'd0) ? 5'd0 : count - 5'd1;
          wire [4:0] ends   = rd + behind;
          wire       astray = (DEPTH > 2) & (rd >= RING | {1'b0, probe[12:9]} != ((ends >= RING) ? ends - RING : ends));
          assign bad_queue[VCS*i+v] = count > (ANY != 0 ? 1 : DEPTH) | astray | |torn | open[DEPTH] != came_q |
                                      (probe[13] & count == 5'd0);
          assign bad_hold[VCS*i+v]  = |(hold & NOWHERE) | |(hold & (hold - 6'd1)) | |(chan & (chan - 1'b1)) |
                                      (hold == 6'd0) != (chan == {VCS{1'b0}});
          for (o = 0; o < 6; o = o + 1) begin : g_hold
            assign held[CH*(VCS*i+v)+VCS*o+:VCS] = chan & {VCS{hold[o]}};
          end
        end
      end
    end
    for (d = 0; d < CH; d = d + 1) begin : g_out
      wire [CH-1:0] by;
      for (i = 0; i < CH; i = i + 1) begin : g_by
        assign by[i] = held[CH*i+d];
      end
      assign owned[d]  = |by;
      assign shared[d] = |(by & (by - 1'b1));
    end
  endgenerate
  assign ok_o  = rst_i | &legal;
  assign bad_o = {owned != busy | |shared, |bad_hold, |bad_queue};
endmodule
`default_nettype wire
