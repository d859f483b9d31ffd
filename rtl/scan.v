// SPDX-License-Identifier: Apache-2.0
// scan.v - the order in which a switch looks at its input ports.
// C twin: cmodel/switch/scan.c, with the same registers.
//
// before_o holds for each output a total order of the six inputs, one bit a pair: arbiter.v needs
// nothing else to know of a scan.  An order from port s on is s, s+1, .. 5, 0, .. s-1: of i < j,
// i comes first unless i < s <= j.  6V-bit vectors are channels, bit V*port + channel.
`default_nettype none
`include "flit.vh"

module scan #(
  parameter integer VCS      = 1,      // virtual channels of an input port
  parameter integer SCAN     = `FATFLY_RR,
  parameter integer PORTS    = 6,      // input ports that exist: 6, or 4 at the root
  parameter integer HEIGHT_W = 2,      // bits of a worm's height
  parameter integer ORDERS   = 6,      // 6: an order for each output; 1: one that all share (not ROT)
  parameter integer PROBE    = 0       // 1: probe_o shows the registers, 0: probe_o is zero
) (
  input  wire                  clk_i,
  input  wire                  rst_i,    // synchronous, active high
  input  wire [7:0]            rand_i,   // random byte: next cycle's start port
  input  wire [35:0]           gnt_i,    // bit 6i + o: input i crosses to output o (ROT)
  input  wire [6*HEIGHT_W-1:0] height_i, // of each port's offered worm (FF)
  input  wire [6*VCS-1:0]      fresh_i,  // a head came to this channel's front (FCFS)
  input  wire [6*VCS-1:0]      offer_i,  // one-hot per port: the channel that it offers (FCFS)
  output wire [15*ORDERS-1:0]  before_o, // bit 15o + pair(i, j), i < j: at output o, i before j
  // Word 0 {rot_q[17:0], start_q[2:0]}; under FCFS older_q in the words after it.
  output wire [32*(1+((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0))-1:0] probe_o
);
  localparam integer CH    = 6 * VCS;
  localparam integer PAIRS = CH * (CH - 1) / 2;

  wire [2:0]       start;            // port that comes first
  wire [17:0]      rot;              // ... at each output
  wire [PAIRS-1:0] age;              // older_q
  wire [PAIRS-1:0] older;            // ... as of this cycle
  genvar i, j, o;

  generate
    if (SCAN == `FATFLY_RR || SCAN == `FATFLY_FF) begin : g_start
      // Drawn one cycle ahead: floor(PORTS * byte / 256); of six ports each comes 42 or 43 times
      // in 256, of the root's four each 64 times.
      wire [9:0] thrice = {2'b00, rand_i} + {1'b0, rand_i, 1'b0};
      reg  [2:0] start_q;
      always @(posedge clk_i)
        if (rst_i) start_q <= 3'd0;
        else       start_q <= (PORTS == 4) ? {1'b0, rand_i[7:6]} : thrice[9:7];
      assign start = start_q;
      wire unused = &{1'b0, thrice, 1'b0};
    end else begin : g_no_start
      assign start = 3'd0;
      wire unused = &{1'b0, rand_i, 1'b0};
    end

    if (SCAN == `FATFLY_ROT) begin : g_rot
      for (o = 0; o < 6; o = o + 1) begin : g_out
        reg [2:0] rot_q;               // the port after the last one granted
        reg [2:0] next;
        integer   k;
        always @* begin
          next = rot_q;
          for (k = 0; k < 6; k = k + 1)
            if (gnt_i[6*k+o]) next = (k == 5) ? 3'd0 : k[2:0] + 3'd1;
        end
        always @(posedge clk_i)
          if (rst_i) rot_q <= 3'd0;
          else       rot_q <= next;
        assign rot[3*o+:3] = rot_q;
      end
    end else begin : g_no_rot
      assign rot = 18'd0;
    end

    if (SCAN == `FATFLY_FCFS) begin : g_age
      // Bit of channels a < b: a has been at the front longer.  A head that comes to the front is
      // younger than all that are there; of several in one cycle the lowest channel is the oldest.
      reg [PAIRS-1:0] older_q;
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
      assign age   = {PAIRS{1'b0}};
    end

    for (o = 0; o < ORDERS; o = o + 1) begin : g_order
      for (i = 0; i < 5; i = i + 1) begin : g_i
        for (j = i + 1; j < 6; j = j + 1) begin : g_j
          localparam integer P = 15 * o + i * (11 - i) / 2 + j - i - 1;
          wire round = start <= i[2:0] | start > j[2:0];
          if (SCAN == `FATFLY_FF) begin : g_ff
            wire [HEIGHT_W-1:0] hi = height_i[HEIGHT_W*i+:HEIGHT_W];
            wire [HEIGHT_W-1:0] hj = height_i[HEIGHT_W*j+:HEIGHT_W];
            assign before_o[P] = hi > hj | (hi == hj & round);
          end else if (SCAN == `FATFLY_ROT) begin : g_rot
            assign before_o[P] = rot[3*o+:3] <= i[2:0] | rot[3*o+:3] > j[2:0];
          end else if (SCAN == `FATFLY_FCFS) begin : g_fcfs
            // The one of the V * V pairs of channels that the two ports offer.
            wire [VCS*VCS-1:0] lead;
            genvar a, b;
            for (a = 0; a < VCS; a = a + 1) begin : g_a
              for (b = 0; b < VCS; b = b + 1) begin : g_b
                localparam integer C = VCS * i + a;
                assign lead[VCS*a+b] = offer_i[C] & offer_i[VCS*j+b] &
                                        older[C*(2*CH-1-C)/2+VCS*j+b-C-1];
              end
            end
            assign before_o[P] = |lead;
          end else begin : g_round    // RR; FO, whose start stays 0
            assign before_o[P] = round;
          end
          wire unused = &{1'b0, round, 1'b0};
        end
      end
    end

    if (PROBE == 0) begin : g_no_probe
      assign probe_o = 0;
    end else if (SCAN == `FATFLY_FCFS) begin : g_age_probe
      localparam integer AGE_PW = ((PAIRS + 31) / 32) * 32;
      assign probe_o = {{(AGE_PW - PAIRS) {1'b0}}, age, 11'd0, rot, start};
    end else begin : g_probe
      assign probe_o = {11'd0, rot, start};
    end
  endgenerate
  wire unused = &{1'b0, clk_i, rst_i, gnt_i, height_i, fresh_i, offer_i, older, age, rot, start, 1'b0};
endmodule
`default_nettype wire
