// SPDX-License-Identifier: Apache-2.0
// scan_fast.v - the order in which a switch looks at its input ports.  C twin: cmodel/switch/scan.c.
//
// before_o holds for each output a total order of the six inputs, one bit a pair: arbiter.v needs
// nothing else to know of a scan.  Rows of six bits are ports; 6V-bit vectors are channels, bit
// V*port + channel.
//
// Under FCFS with the ports of port_one.v (PORT_ONE) rank_q has the order of this cycle, one gate after the
// grants of the last: a port whose flit leaves, or that has none, counts as younger than all others, whatever
// comes to its front then.  What it says counts, and is what older says, where both ports have a head.
`default_nettype none
`include "flit.vh"

module scan_fast #(
  parameter integer VCS      = 1,      // virtual channels of an input port
  parameter integer SCAN     = `FATFLY_RR,
  parameter integer PORTS    = 6,      // input ports that exist: 6, or 4 at the root
  parameter integer HEIGHT_W = 2,      // bits of a worm's height
  parameter integer ORDERS   = 6,      // 6: an order for each output; 1: one that all share (not ROT)
  parameter integer PORT_ONE = 0,      // 1: all ports are those of port_one.v
  parameter integer PROBE    = 0       // 1: probe_o shows the registers, 0: probe_o is zero
) (
  input  wire                  clk_i,
  input  wire                  rst_i,    // synchronous, active high
  input  wire [7:0]            rand_i,   // random byte: next cycle's start port
  input  wire [35:0]           gnt_i,    // bit 6i + o: input i crosses to output o (ROT)
  input  wire [6*HEIGHT_W-1:0] height_i, // of each port's offered worm (FF)
  input  wire [6*VCS-1:0]      fresh_i,  // a head came to this channel's front (FCFS)
  input  wire [6*VCS-1:0]      offer_i,  // one-hot per port: the channel that it offers (FCFS)
  input  wire [5:0]            any_i,    // PORT_ONE: the flit at the port's front leaves
  input  wire [5:0]            valid_i,  // ... there is one
  input  wire [5:0]            head_i,   // ... which is a head; high where there is none
  output wire [15*ORDERS-1:0]  before_o, // bit 15o + pair(i, j), i < j: at output o, i before j
  // Word 0 {odd, 10 zeros, rot_q[17:0], start_q[2:0]}; under FCFS older_q in the words after it.
  output wire [32*(1+((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0))-1:0] probe_o
);
  localparam integer CH    = 6 * VCS;
  localparam integer PAIRS = CH * (CH - 1) / 2;

  wire [2:0]       start;
  wire [14:0]      round;            // bit pair(i, j): i before j in the order from the start port
  wire [17:0]      rot;
  wire [PAIRS-1:0] older;            // as of this cycle
  wire [PAIRS-1:0] age;              // older_q
  wire [14:0]      rank;             // PORT_ONE, FCFS: bit pair(i, j): i before j
  wire             odd;              // ... is not what older says, which never happens: for the proofs
  genvar i, j, o;

  generate
    // A start port s orders the ports s, s+1, .. 5, 0, .. s-1: for i < j, i is first unless i < s <= j.
    if (SCAN == `FATFLY_RR || SCAN == `FATFLY_FF) begin : g_start
      // Drawn one cycle ahead: floor(PORTS * byte / 256); of six ports each comes 42 or 43 times
      // in 256, of the root's four each 64 times.  Kept as the 15 pairs, so that a scan starts
      // with no decoder: start_q is where the pairs k, k + 1 turn round.
      wire [9:0]  thrice = {2'b00, rand_i} + {1'b0, rand_i, 1'b0};
      wire [2:0]  draw   = (PORTS == 4) ? {1'b0, rand_i[7:6]} : thrice[9:7];
      wire [14:0] pairs;
      reg  [14:0] pairs_q;
      always @(posedge clk_i)
        if (rst_i) pairs_q <= 15'h7fff;
        else       pairs_q <= pairs;
      for (i = 0; i < 5; i = i + 1) begin : g_i
        for (j = i + 1; j < 6; j = j + 1) begin : g_j
          assign pairs[i*(11-i)/2+j-i-1] = draw <= i[2:0] || draw > j[2:0];
        end
      end
      wire unused = &{1'b0, thrice, 1'b0};
      assign round = pairs_q;
      assign start = {~pairs_q[12] | ~pairs_q[14], ~pairs_q[5] | ~pairs_q[9],
                      ~pairs_q[0] | ~pairs_q[9] | ~pairs_q[14]};
    end else begin : g_no_start
      wire unused = &{1'b0, rand_i, 1'b0};
      assign round = 15'h7fff;
      assign start = 3'd0;
    end

    if (SCAN == `FATFLY_ROT) begin : g_rot
      for (o = 0; o < 6; o = o + 1) begin : g_out
        reg  [2:0] rot_q;
        wire [5:0] won;
        for (i = 0; i < 6; i = i + 1) begin : g_won
          assign won[i] = gnt_i[6*i+o];
        end
        always @(posedge clk_i)
          if (rst_i) rot_q <= 3'd0;
          else if (|won) rot_q <= {won[4] | won[3], won[2] | won[1], won[2] | won[0] | won[4]};
        assign rot[3*o+:3] = rot_q;
      end
    end else begin : g_no_rot
      assign rot = 18'd0;
    end

    if (SCAN == `FATFLY_FCFS) begin : g_age
      // older_q, bit of channels a < b: a has been at the front longer.  A head that comes to the
      // front is younger than all that are there; of several in one cycle the lowest is oldest.
      reg  [PAIRS-1:0] older_q;
      for (i = 0; i < CH; i = i + 1) begin : g_a
        for (j = i + 1; j < CH; j = j + 1) begin : g_b
          localparam integer K = i * (2 * CH - 1 - i) / 2 + j - i - 1;
          assign older[K] = fresh_i[j] | (older_q[K] & ~fresh_i[i]);
        end
      end
      always @(posedge clk_i)
        if (rst_i) older_q <= {PAIRS{1'b0}};
        else       older_q <= older;
      assign age = older_q;
    end else begin : g_no_age
      assign older = {PAIRS{1'b0}};
      assign age   = older;
    end

    if (SCAN == `FATFLY_FCFS && PORT_ONE != 0) begin : g_rank
      // Tables of gate.v.
      localparam [15:0] A = 16'hff00;
      localparam [15:0] B = 16'hf0f0;
      localparam [15:0] C = 16'hcccc;
      localparam [15:0] D = 16'haaaa;
      reg  [14:0] rank_q;
      wire [14:0] next;
      wire [14:0] differs;
      for (i = 0; i < 5; i = i + 1) begin : g_i
        for (j = i + 1; j < 6; j = j + 1) begin : g_j
          localparam integer R = i * (11 - i) / 2 + j - i - 1;
          if (j < PORTS) begin : g_two
            wire stays = ~valid_i[j] | (valid_i[i] & rank_q[R]); // if neither leaves
            gate #(.TABLE(B | (A & ~D) | (~A & C))) u_next (
              .in_i({any_i[i], any_i[j], stays, valid_i[j]}), .out_o(next[R])
            );
            assign differs[R] = valid_i[i] & head_i[i] & valid_i[j] & head_i[j] & rank_q[R] != older[R];
          end else begin : g_absent
            assign next[R]    = 1'b0;
            assign differs[R] = 1'b0;
          end
        end
      end
      always @(posedge clk_i)
        if (rst_i) rank_q <= 15'd0;
        else       rank_q <= next;
      assign rank = rank_q;
      // Ages go round, which never happens: for the proofs.
      wire [19:0] circle;
      for (i = 0; i < 4; i = i + 1) begin : g_a
        for (j = i + 1; j < 5; j = j + 1) begin : g_b
          for (o = j + 1; o < 6; o = o + 1) begin : g_c
            localparam integer AB = i * (11 - i) / 2 + j - i - 1;
            localparam integer AC = i * (11 - i) / 2 + o - i - 1;
            localparam integer BC = j * (11 - j) / 2 + o - j - 1;
            assign circle[(o-2)*(o-1)*o/6+(j-1)*j/2+i] = older[AB] == older[BC] & older[AB] != older[AC];
          end
        end
      end
      assign odd   = |differs | |circle;
    end else begin : g_no_first
      assign rank = 15'd0;
      assign odd   = 1'b0;
    end

    for (o = 0; o < ORDERS; o = o + 1) begin : g_order
      for (i = 0; i < 5; i = i + 1) begin : g_i
        for (j = i + 1; j < 6; j = j + 1) begin : g_j
          localparam integer P = 15 * o + i * (11 - i) / 2 + j - i - 1;
          localparam integer R = P % 15;
          if (SCAN == `FATFLY_RR) begin : g_rr
            assign before_o[P] = round[R];
          end else if (SCAN == `FATFLY_FO) begin : g_fo
            assign before_o[P] = 1'b1;
          end else if (SCAN == `FATFLY_FF) begin : g_ff
            wire [HEIGHT_W-1:0] hi = height_i[i*HEIGHT_W+:HEIGHT_W];
            wire [HEIGHT_W-1:0] hj = height_i[j*HEIGHT_W+:HEIGHT_W];
            assign before_o[P] = hi > hj || (hi == hj && round[R]);
          end else if (SCAN == `FATFLY_ROT) begin : g_rot
            assign before_o[P] = rot[3*o+:3] <= i[2:0] || rot[3*o+:3] > j[2:0];
          end else if (PORT_ONE != 0) begin : g_rank
            assign before_o[P] = rank[R];
          end else begin : g_fcfs
            wire [VCS*VCS-1:0] pairs;
            genvar a, b;
            for (a = 0; a < VCS; a = a + 1) begin : g_a
              for (b = 0; b < VCS; b = b + 1) begin : g_b
                localparam integer C = VCS * i + a;
                assign pairs[VCS*a+b] = offer_i[C] & offer_i[VCS*j+b] &
                                        older[C*(2*CH-1-C)/2+VCS*j+b-C-1];
              end
            end
            assign before_o[P] = |pairs;
          end
        end
      end
    end
  endgenerate

  generate
    if (PROBE != 0) begin : g_probe
      if (SCAN == `FATFLY_FCFS) begin : g_age
        localparam integer AGE_PW = ((PAIRS + 31) / 32) * 32;
        assign probe_o = {{(AGE_PW - PAIRS) {1'b0}}, age, odd, 10'd0, rot, start};
      end else begin : g_flat
        // Bit 31: the pairs are not those of the start port, which never happens: for the proofs.
        wire [14:0] turned;
        for (i = 0; i < 5; i = i + 1) begin : g_i
          for (j = i + 1; j < 6; j = j + 1) begin : g_j
            assign turned[i*(11-i)/2+j-i-1] = start <= i[2:0] || start > j[2:0];
          end
        end
        assign probe_o = {round != turned, 10'd0, rot, start};
      end
    end else if (SCAN == `FATFLY_FCFS) begin : g_no_age_probe
      assign probe_o = {(32 + ((PAIRS + 31) / 32) * 32) {1'b0}};
    end else begin : g_no_probe
      assign probe_o = 32'd0;
    end
  endgenerate
  wire unused_inputs = &{1'b0, clk_i, rst_i, gnt_i, height_i, fresh_i, offer_i, any_i, valid_i, head_i,
                        older, age, rank, odd, rot, start, round, 1'b0};
endmodule
`default_nettype wire
