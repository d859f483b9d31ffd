// SPDX-License-Identifier: Apache-2.0
// switch_ref.v - the reference switch: the rules of a cycle, plainly, for every configuration.
// C twin: cmodel/switch/switch.c, with the same registers; docs/rules.md goes through the rules.
//
// switch.v chooses between this and rtl/fast/switch_fast.v, which gives the same outputs in every
// cycle (tb/formal proves it).  The ports are those of switch.v, which describes and checks them.
`default_nettype none
`include "flit.vh"

module switch_ref #(
  parameter integer VCS    = 1,        // virtual channels a link: 1, 2 or 4
  parameter integer DEPTH  = 2,        // flits a queue holds (q), 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64; a head must fit
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,        // of this switch, 1 (leaves) to LEVELS (root)
  parameter integer LEVELS = 3,        // of the network, N = 4^LEVELS processors
  parameter integer PROBE  = 0,        // 1: probe_o shows links and registers, 0: it is zero
  parameter integer PROBE_W = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                              + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,
  input  wire [31:0]             seed_i,
  input  wire [6*VCS-1:0]        in_valid_i,
  input  wire [6*(FLIT_W+2)-1:0] in_flit_i,
  output wire [6*VCS-1:0]        in_room_o,
  output wire [6*VCS-1:0]        out_valid_o,
  output wire [6*(FLIT_W+2)-1:0] out_flit_o,
  input  wire [6*VCS-1:0]        out_room_i,
  output wire [PROBE_W-1:0]      probe_o
);
  localparam integer W        = FLIT_W + 2;
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer ROOT     = (LEVEL == LEVELS) ? 1 : 0;
  localparam integer PORTS    = (ROOT != 0) ? 4 : 6;
  localparam integer ORDERS   = (SCAN == `FATFLY_ROT) ? 6 : 1;
  localparam integer PORT_PW  = 32 * (1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32)));
  localparam integer SCAN_PW  = PROBE_W - 64 - 6 * PORT_PW;
  localparam integer RANDOM   = (SCAN == `FATFLY_RR || SCAN == `FATFLY_FF ||
                                 PATH == `FATFLY_RP || PATH == `FATFLY_RG || PATH == `FATFLY_RW) ? 1 : 0;
  // A head that waits under RW asks for one parent, so that what is granted is as under RG.
  localparam integer GRANTS   = (PATH == `FATFLY_RW) ? `FATFLY_RG : PATH;

  wire [31:0]           random;
  wire [35:0]           req;           // bit 6i + o: input i's flit could take output o
  wire [35:0]           gnt;           // ... and crosses to it
  wire [15*ORDERS-1:0]  before_bits;
  wire [6*W-1:0]        flit;          // on offer, per input
  wire [6*VCS-1:0]      offer;         // the channel it waits in
  wire [6*VCS-1:0]      hold;          // the output channel that its worm holds; zero for a head
  wire [6*VCS-1:0]      fresh;
  wire [6*HEIGHT_W-1:0] height;
  reg  [6*VCS-1:0]      chan;          // the output channel that it takes, if it is granted
  reg  [6*VCS-1:0]      busy_q;        // output channels that a worm holds
  wire [6*PORT_PW-1:0]  port_probe;
  wire [SCAN_PW-1:0]    scan_probe;

  // An output channel that a head could take is not held and has room.  It takes the lowest.
  wire [6*VCS-1:0] free = out_room_i & ~busy_q;
  wire [6*VCS-1:0] lowest;

  genvar i, o;
  generate
    if (RANDOM != 0) begin : g_random
      wire [15:0] unused_next;
      lfsr u_lfsr (
        .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .state_o(random), .next_o(unused_next)
      );
    end else begin : g_no_random
      assign random = 32'd0;
      wire unused = &{1'b0, seed_i, 1'b0};
    end

    for (o = 0; o < 6; o = o + 1) begin : g_lowest
      assign lowest[VCS*o+:VCS] = free[VCS*o+:VCS] & (~free[VCS*o+:VCS] + 1'b1);
    end

    for (i = 0; i < 6; i = i + 1) begin : g_port
      if (i < PORTS) begin : g_in
        port #(
          .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN),
          .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(i > 3 ? 1 : 0), .PROBE(PROBE)
        ) u_port (
          .clk_i(clk_i), .rst_i(rst_i),
          .valid_i(in_valid_i[VCS*i+:VCS]), .flit_i(in_flit_i[W*i+:W]),
          .room_o(in_room_o[VCS*i+:VCS]),
          .rand_i((i < 4) & random[16+i]), .room_i(out_room_i), .free_i(free),
          .req_o(req[6*i+:6]), .flit_o(flit[W*i+:W]), .chan_o(hold[VCS*i+:VCS]),
          .offer_o(offer[VCS*i+:VCS]), .height_o(height[HEIGHT_W*i+:HEIGHT_W]),
          .fresh_o(fresh[VCS*i+:VCS]), .gnt_i(gnt[6*i+:6]), .chan_i(chan[VCS*i+:VCS]),
          .probe_o(port_probe[PORT_PW*i+:PORT_PW])
        );
      end else begin : g_absent
        assign in_room_o[VCS*i+:VCS]          = {VCS{1'b0}};
        assign req[6*i+:6]                    = 6'd0;
        assign flit[W*i+:W]                   = {W{1'b0}};
        assign hold[VCS*i+:VCS]               = {VCS{1'b0}};
        assign offer[VCS*i+:VCS]              = {VCS{1'b0}};
        assign height[HEIGHT_W*i+:HEIGHT_W]   = {HEIGHT_W{1'b0}};
        assign fresh[VCS*i+:VCS]              = {VCS{1'b0}};
        assign port_probe[PORT_PW*i+:PORT_PW] = {PORT_PW{1'b0}};
        wire unused = &{1'b0, in_valid_i[VCS*i+:VCS], in_flit_i[W*i+:W], out_room_i[VCS*i+:VCS], 1'b0};
      end
    end
  endgenerate

  scan #(
    .VCS(VCS), .SCAN(SCAN), .PORTS(PORTS), .HEIGHT_W(HEIGHT_W), .ORDERS(ORDERS), .PROBE(PROBE)
  ) u_scan (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(random[31:24]), .gnt_i(gnt), .height_i(height),
    .fresh_i(fresh), .offer_i(offer), .before_o(before_bits), .probe_o(scan_probe)
  );

  arbiter #(.PATH(GRANTS), .ROOT(ROOT), .ORDERS(ORDERS)) u_arbiter (
    .req_i(req), .pref_i(random[19:16]), .before_i(before_bits), .gnt_o(gnt)
  );

  // The crossbar: a granted flit crosses, a head into the lowest free channel, the flits behind it
  // into the channel that the worm holds.
  reg [6*VCS-1:0] out_valid;
  reg [6*W-1:0]   out_flit;
  integer         s, t;                // input, output
  always @* begin
    chan      = {6 * VCS{1'b0}};
    out_valid = {6 * VCS{1'b0}};
    out_flit  = {6 * W{1'b0}};
    for (s = 0; s < 6; s = s + 1)
      for (t = 0; t < 6; t = t + 1)
        if (gnt[6*s+t]) begin
          chan[VCS*s+:VCS]      = flit[W*s+FLIT_W+1] ? lowest[VCS*t+:VCS] : hold[VCS*s+:VCS];
          out_valid[VCS*t+:VCS] = chan[VCS*s+:VCS];
          out_flit[W*t+:W]      = flit[W*s+:W];
        end
  end
  assign out_valid_o = out_valid;
  assign out_flit_o  = out_flit;

  // A channel is held from its worm's head to its tail.
  integer c;
  always @(posedge clk_i)
    if (rst_i) busy_q <= {6 * VCS{1'b0}};
    else
      for (c = 0; c < 6 * VCS; c = c + 1)
        if (out_valid[c]) busy_q[c] <= ~out_flit[W*(c/VCS)+FLIT_W];

  generate
    if (PROBE != 0) begin : g_probe
      assign probe_o = {port_probe, scan_probe, {(32 - 6 * VCS) {1'b0}}, busy_q, random};
    end else begin : g_no_probe
      assign probe_o = 0;              // a replication this wide is taken for a slip
      wire unused = &{1'b0, port_probe, scan_probe, random, 1'b0};
    end
  endgenerate
endmodule
`default_nettype wire
