// SPDX-License-Identifier: Apache-2.0
// selftest_source.v - traffic into one port of a switch under self-test: random worms on all its
// channels, a fixed number of them a round.
//
// The payload of every flit is {code 8, sequence SEQ_W, port 3, channel, low}; low is the address in
// a head (flit.vh) and random in the others.  The sequence counts the flits of this port and channel.
`default_nettype none
`include "flit.vh"

module selftest_source #(
  parameter integer VCS    = 1,
  parameter integer FLIT_W = 32,       // the address and 16 bits must fit
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,        // 1 to 8
  parameter integer PORT   = 0,        // 0 to 3 child, 4 and 5 parent
  parameter integer WORMS  = 32,       // worms a channel sends in a round
  parameter integer COUNT  = 12        // bits of the flit counts
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  input  wire                   start_i, // a round begins
  input  wire                   fast_i,  // leave no gaps
  output wire [VCS-1:0]         valid_o,
  output wire [FLIT_W+1:0]      flit_o,
  input  wire [VCS-1:0]         room_i,
  output wire                   idle_o,  // all worms of the round are sent
  output wire [VCS*COUNT-1:0]   sent_o   // flits since reset, per channel
);
  localparam integer CHAN_W   = $clog2(VCS);
  localparam integer SEQ_W    = 5 - CHAN_W;
  localparam integer LOW_W    = FLIT_W - 16;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer WORMS_W  = $clog2(WORMS + 1);
  localparam integer DST_W    = 2 * LEVELS;
  localparam [DST_W-1:0] ALL  = {DST_W{1'b1}};
  // The processors above which this switch stands: their addresses differ below bit 2 LEVEL only.
  localparam [DST_W-1:0] INSIDE = ~(ALL << (2 * LEVEL));
  localparam [DST_W-1:0] HERE   = {LEVELS{2'b10}} & ~INSIDE;

  wire [31:0] random;
  wire [15:0] random_next;
  lfsr u_lfsr (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(32'h9e3779b9 ^ (32'h01010101 * (PORT + 1))),
    .state_o(random), .next_o(random_next)
  );

  // Of the channel whose turn it is, by lot.  Only a channel with room is ever chosen to send, so
  // one that is blocked does not stop another.
  wire [1:0]       chan = random[28:27] & (2'd3 >> (2 - CHAN_W));
  wire [VCS-1:0]   turn = {{(VCS-1){1'b0}}, 1'b1} << chan;
  wire [2:0]       length = random[26:24]; // of a new worm, less one
  wire [3*VCS-1:0] left_of;
  wire [VCS-1:0]   more_of;
  wire [VCS*SEQ_W-1:0] seq_of;
  wire [2:0]       left = left_of[3*chan+:3];
  wire             head = left == 3'd0;
  wire             tail = head ? length == 3'd0 : left == 3'd1;
  wire             send = (fast_i | random[29]) & |(turn & room_i & more_of);
  assign valid_o = turn & {VCS{send}};

  genvar v;
  generate
    for (v = 0; v < VCS; v = v + 1) begin : g_vc
      reg [2:0]         left_q;        // flits that its worm still has
      reg [WORMS_W-1:0] worms_q;       // worms of this round not begun
      reg [COUNT-1:0]   sent_q;
      assign left_of[3*v+:3]          = left_q;
      assign more_of[v]               = left_q != 3'd0 || worms_q != 0;
      assign seq_of[SEQ_W*v+:SEQ_W]   = sent_q[SEQ_W-1:0];
      assign sent_o[COUNT*v+:COUNT]   = sent_q;
      always @(posedge clk_i)
        if (rst_i) begin
          left_q  <= 3'd0;
          worms_q <= 0;
          sent_q  <= 0;
        end else if (start_i) begin
          worms_q <= WORMS[WORMS_W-1:0];
        end else if (valid_o[v]) begin
          left_q <= head ? length : left_q - 3'd1;
          sent_q <= sent_q + 1'b1;
          if (head) worms_q <= worms_q - 1'b1;
        end
    end
  endgenerate
  assign idle_o = more_of == {VCS{1'b0}};

  // Where a worm goes: the digit of its child, and what differs from HERE above that.
  wire [DST_W-1:0] lot   = random[DST_W-1:0];
  wire [DST_W-1:0] above = lot & ~INSIDE;
  wire [DST_W-1:0] far   = (above != 0) ? above : (ALL & ~INSIDE & ~(ALL << (2 * LEVEL + 1)));
  wire             up;
  wire [DST_W-1:0] dst;
  wire [DST_W-1:0] src;
  generate
    if (PORT > 3) begin : g_parent
      // From outside to a processor below.
      assign up  = 1'b1;               // it went up, to come down here
      assign dst = HERE | (lot & INSIDE);
      assign src = HERE ^ far;
    end else begin : g_child
      // Not to the child that it came from.
      localparam [1:0] CHILD = PORT[1:0];
      localparam [DST_W-1:0] ONE  = 1;
      localparam [DST_W-1:0] BACK = {{(DST_W-2){1'b0}}, CHILD} << (2 * (LEVEL - 1));
      localparam [DST_W-1:0] SKIP = ONE << (2 * (LEVEL - 1));
      wire back = lot[2*(LEVEL-1)+:2] == CHILD;
      assign up  = (LEVEL < LEVELS) ? random[16] : 1'b0;
      assign dst = up ? (HERE ^ far) | (lot & INSIDE)
                      : HERE | ((lot ^ (back ? SKIP : {DST_W{1'b0}})) & INSIDE);
      assign src = HERE | BACK;
    end
  endgenerate

  // The smallest level whose prefix is that of both.
  reg [HEIGHT_W-1:0] height;
  integer l;
  always @* begin
    height = LEVEL[HEIGHT_W-1:0];
    for (l = LEVEL; l < LEVELS; l = l + 1)
      if (up && far[2*l+:2] != 2'b00) height = l[HEIGHT_W-1:0] + 1'b1;
  end

  wire [LOW_W-1:0]     address;
  wire [63:0]          noise = {random, random};
  wire [LOW_W-1:0]     low   = head ? address : noise[LOW_W-1:0];
  wire [3+CHAN_W-1:0]  stream;
  wire [SEQ_W-1:0]     seq   = seq_of[SEQ_W*chan+:SEQ_W];
  wire [7:0]           code;
  localparam [2:0] PORT_ID = PORT[2:0];
  generate
    // Path bits (FP): zero width cannot be written, so one spare bit stands above them.
    if (LOW_W > 2 * DST_W + HEIGHT_W + LEVELS) begin : g_wide
      assign address = {{(LOW_W - 2*DST_W - HEIGHT_W - LEVELS) {1'b0}}, random[17+:LEVELS], height, src, dst};
    end else begin : g_narrow
      wire [2*DST_W+HEIGHT_W+LEVELS-1:0] all = {random[17+:LEVELS], height, src, dst};
      assign address = all[LOW_W-1:0];
      wire unused = &{1'b0, all, 1'b0};
    end
    if (VCS == 1) begin : g_one
      assign stream = PORT_ID;
    end else begin : g_more
      assign stream = {PORT_ID, chan[CHAN_W-1:0]};
    end
  endgenerate
  selftest_code #(.WIDTH(FLIT_W - 6)) u_code (
    .data_i({head, tail, seq, stream, low}), .code_o(code)
  );
  assign flit_o = {head, tail, code, seq, stream, low};
  wire unused = &{1'b0, random, random_next, lot, noise, 1'b0};
endmodule
`default_nettype wire
