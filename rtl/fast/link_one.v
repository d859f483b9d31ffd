// SPDX-License-Identifier: Apache-2.0
// link_one.v - an output of one channel: whether a flit leaves, whether it is a tail, and what is held.
// C twin: the end of switch_tick() in cmodel/switch/switch.c.
//
// Some flit leaves whenever one asks, so valid_o does not wait for the grants.  Whether the output is
// held then is known with the tail bit, two gates after them, not behind it (gate.v).
`default_nettype none

module link_one #(
  parameter integer INPUTS = 5,        // 3, 4 or 5, as in gather.v
  parameter integer RING   = 1         // 4: from_i is what lead.v gives; 0: one-hot as of the others
) (
  input  wire [4:0]        req_i,      // inputs that ask for this output
  input  wire [INPUTS-1:0] from_i,     // the one that is granted, as in gather.v
  input  wire [INPUTS-1:0] tail_i,     // tail bits of what they offer
  output wire              valid_o,
  output wire              tail_o,     // zero while not valid
  output wire              busy_o      // a worm holds the output then, if valid_o; high if not
);
  localparam [15:0] A = 16'hff00;
  localparam [15:0] B = 16'hf0f0;
  localparam [15:0] C = 16'hcccc;
  localparam [15:0] D = 16'haaaa;
  wire       some;
  gate #(.TABLE(A | B | C | D)) u_some (.in_i(req_i[3:0]), .out_o(some));
  assign valid_o = some | req_i[4];

  generate
    if (INPUTS == 4 && RING != 0) begin : g_ring
      localparam [15:0] LOW  = (A & B & D) | (A & ~B & C) | (~A & B);
      localparam [15:0] HIGH = (A & B & C) | (A & ~B & D) | (~A & B);
      wire low;
      gate #(.TABLE(LOW))   u_low  (.in_i({from_i[0], from_i[1], tail_i[0], tail_i[1]}), .out_o(low));
      gate #(.TABLE(HIGH))  u_tail (.in_i({from_i[2], low, tail_i[2], tail_i[3]}), .out_o(tail_o));
      gate #(.TABLE(~HIGH)) u_busy (.in_i({from_i[2], low, tail_i[2], tail_i[3]}), .out_o(busy_o));
      wire unused = &{1'b0, from_i, 1'b0};
    end else begin : g_or
      localparam [15:0] TAIL = A | B | (C & D);
      wire [4:0] from = {{(5 - INPUTS) {1'b0}}, from_i};
      wire [4:0] tail = {{(5 - INPUTS) {1'b0}}, tail_i};
      wire low;
      wire high;
      gate #(.TABLE((A & B) | (C & D))) u_low (
        .in_i({from[0], tail[0], from[1], tail[1]}), .out_o(low)
      );
      gate #(.TABLE((A & B) | (C & D))) u_high (
        .in_i({from[2], tail[2], from[3], tail[3]}), .out_o(high)
      );
      gate #(.TABLE(TAIL))  u_tail (.in_i({low, high, from[4], tail[4]}), .out_o(tail_o));
      gate #(.TABLE(~TAIL)) u_busy (.in_i({low, high, from[4], tail[4]}), .out_o(busy_o));
    end
  endgenerate
endmodule
`default_nettype wire
