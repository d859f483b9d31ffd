// SPDX-License-Identifier: Apache-2.0
// selftest_sink.v - looks at the flits that leave by one port of a switch under self-test.
//
// It knows the wires alone.  Two cycles after a flit left: whether its code is right; whether heads,
// bodies and tails of each channel come in order and all of one source between head and tail;
// whether it left only where there was room; whether this is the port that its head asks for.  Whose
// it is and its sequence number go on to selftest.v, which sees all ports.
`default_nettype none
`include "flit.vh"

module selftest_sink #(
  parameter integer VCS    = 1,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PORT   = 0
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  input  wire [VCS-1:0]         valid_i,
  input  wire [FLIT_W+1:0]      flit_i,
  input  wire [VCS-1:0]         room_i,   // what the switch was told in this cycle
  output wire                   seen_o,   // a flit left
  output wire [6*VCS-1:0]       whose_o,  // ... of this source, bit VCS*port + channel
  output wire [4-$clog2(VCS):0] seq_o,
  output wire                   broken_o, // code, order within a channel, or no room
  output wire                   wrong_o   // not where its head wants to go
);
  localparam integer CHAN_W   = $clog2(VCS);
  localparam integer SEQ_W    = 5 - CHAN_W;
  localparam integer LOW_W    = FLIT_W - 16;
  localparam integer ID_W     = 3 + CHAN_W;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);

  // As on the wires.
  reg [VCS-1:0]    valid_q;
  reg [FLIT_W+1:0] flit_q;
  reg              no_room_q;
  always @(posedge clk_i) begin
    valid_q   <= rst_i ? {VCS{1'b0}} : valid_i;
    flit_q    <= flit_i;
    no_room_q <= |(valid_i & ~room_i);
  end
  wire             any    = |valid_q;
  wire             head   = flit_q[FLIT_W+1];
  wire             tail   = flit_q[FLIT_W];
  wire [7:0]       sent   = flit_q[FLIT_W-1-:8];
  wire [SEQ_W-1:0] seq    = flit_q[FLIT_W-9-:SEQ_W];
  wire [ID_W-1:0]  id     = flit_q[LOW_W+:ID_W];
  wire [2:0]       from   = id[ID_W-1-:3];

  wire [7:0] code;
  selftest_code #(.WIDTH(FLIT_W - 6)) u_code (
    .data_i({head, tail, seq, id, flit_q[LOW_W-1:0]}), .code_o(code)
  );

  // A worm is open on a channel from its head to its tail.
  wire [VCS-1:0] disorder;
  wire [6*VCS-1:0] whose;
  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      reg            open_q;
      reg [ID_W-1:0] id_q;
      assign disorder[v] = valid_q[v] & (head ? open_q : ~open_q | (id_q != id));
      always @(posedge clk_i)
        if (rst_i) open_q <= 1'b0;
        else if (valid_q[v]) open_q <= ~tail;
      always @(posedge clk_i)
        if (valid_q[v] & head) id_q <= id;
    end
    for (v = 0; v < 6 * VCS; v = v + 1) begin : g_whose
      localparam integer ID = v;
      assign whose[v] = any & (id == ID[ID_W-1:0]);
    end
  endgenerate

  // Where a head goes (spec, section 1), here from the wires alone: up while its height is above
  // this level, but never from a parent, else to the child that a digit of its destination names.
  wire [HEIGHT_W-1:0] height = flit_q[4*LEVELS+:HEIGHT_W];
  wire [1:0]          digit  = flit_q[2*(LEVEL-1)+:2];
  wire                up     = (LEVEL < LEVELS) && height > LEVEL[HEIGHT_W-1:0] && from < 3'd4;
  wire                right;
  generate
    if (PORT < 4) begin : g_child
      assign right = ~up && digit == PORT[1:0] && from != PORT[2:0];
    end else if (PATH == `FATFLY_FP) begin : g_fixed
      assign right = up && flit_q[4*LEVELS+HEIGHT_W+LEVEL-1] == PORT[0];
    end else begin : g_parent
      assign right = up;
    end
  endgenerate

  reg             seen_q;
  reg [6*VCS-1:0] whose_q;
  reg [SEQ_W-1:0] seq_q;
  reg             broken_q;
  reg             wrong_q;
  always @(posedge clk_i) begin
    seen_q   <= any & ~rst_i;
    whose_q  <= rst_i ? {6*VCS{1'b0}} : whose;
    seq_q    <= seq;
    broken_q <= ~rst_i & any & (code != sent || |disorder || no_room_q || from > 3'd5 ||
                                |(valid_q & (valid_q - 1'b1)));
    wrong_q  <= ~rst_i & any & head & ~right;
  end
  assign seen_o   = seen_q;
  assign whose_o  = whose_q;
  assign seq_o    = seq_q;
  assign broken_o = broken_q;
  assign wrong_o  = wrong_q;
  wire unused = &{1'b0, height, digit, 1'b0};
endmodule
`default_nettype wire
