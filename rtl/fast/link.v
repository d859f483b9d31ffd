// SPDX-License-Identifier: Apache-2.0
// link.v - an output that two worms share: which channel a flit leaves by, and what is held then.
// C twin: the end of switch_tick() in cmodel/switch/switch.c.
//
// Beside the crossbar, not behind it: two gates in a row after the grants (gate.v).  Of six inputs
// only five lead here, OTHER of them is not read.
`default_nettype none

module link #(
  parameter integer OTHER = 0          // an input that does not lead here
) (
  input  wire [5:0]  gnt_i,            // by input: it is granted this output
  input  wire [5:0]  zero_i,           // ... and takes channel 0, else 1
  input  wire [11:0] flip_i,           // bit 2i + w: ... and the hold of channel w begins or ends
  input  wire [1:0]  busy_i,
  output wire [1:0]  valid_o,
  output wire [1:0]  busy_o            // busy_i of the next cycle
);
  localparam [15:0] A = 16'hff00;
  localparam [15:0] B = 16'hf0f0;
  localparam [15:0] C = 16'hcccc;
  localparam [15:0] D = 16'haaaa;
  localparam integer I0 = (OTHER < 1) ? 1 : 0;
  localparam integer I1 = (OTHER < 2) ? 2 : 1;
  localparam integer I2 = (OTHER < 3) ? 3 : 2;
  localparam integer I3 = (OTHER < 4) ? 4 : 3;
  localparam integer I4 = (OTHER < 5) ? 5 : 4;
  wire unused = &{1'b0, gnt_i, zero_i, flip_i, 1'b0};

  genvar w;
  generate
    for (w = 0; w < 2; w = w + 1) begin : g_vc
      localparam [15:0] ON = (w == 0) ? A : ~A;
      wire valid01;
      wire valid23;
      wire flip01;
      wire flip23;
      gate #(.TABLE((w == 0) ? (A & B) | (C & D) : (A & ~B) | (C & ~D))) u_valid01 (
        .in_i({gnt_i[I0], zero_i[I0], gnt_i[I1], zero_i[I1]}), .out_o(valid01)
      );
      gate #(.TABLE((w == 0) ? (A & B) | (C & D) : (A & ~B) | (C & ~D))) u_valid23 (
        .in_i({gnt_i[I2], zero_i[I2], gnt_i[I3], zero_i[I3]}), .out_o(valid23)
      );
      gate #(.TABLE((ON & B) | C | D)) u_valid (
        .in_i({zero_i[I4], gnt_i[I4], valid01, valid23}), .out_o(valid_o[w])
      );
      gate #(.TABLE((A & B) | (C & D))) u_flip01 (
        .in_i({gnt_i[I0], flip_i[2*I0+w], gnt_i[I1], flip_i[2*I1+w]}), .out_o(flip01)
      );
      gate #(.TABLE((A & B) | (C & D))) u_flip23 (
        .in_i({gnt_i[I2], flip_i[2*I2+w], gnt_i[I3], flip_i[2*I3+w]}), .out_o(flip23)
      );
      gate #(.TABLE(A ^ (B | C | D))) u_busy (
        .in_i({busy_i[w], gnt_i[I4] & flip_i[2*I4+w], flip01, flip23}), .out_o(busy_o[w])
      );
    end
  endgenerate
endmodule
`default_nettype wire
