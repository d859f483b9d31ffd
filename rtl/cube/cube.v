// SPDX-License-Identifier: Apache-2.0
// cube.v - the router of a k-ary 2-cube, torus or mesh, built of the parts of the fat-tree switch.
// C twin: cmodel/switch/cube_router.c.  docs/cube.md has the rules of a cycle.
//
// Port p leads to and comes from the neighbour at 0: x + 1, 1: x - 1, 2: y + 1, 3: y - 1, and 4 the
// processor; links are those of switch.v.  To arbiter.v and scan.v the neighbours are children 0 to 3,
// the processor is parent 0, and parent 1 never asks: the crosspoints of the switch are just those of
// a router, from a neighbour to all others and the processor.
`default_nettype none
`include "flit.vh"

module cube #(
  parameter integer K      = 4,        // nodes of a line, 2 to 16; odd not with NHOP on a torus
  parameter integer TORUS  = 1,        // 0: a mesh
  parameter integer NHOP   = 0,        // 0: e-cube, 1: negative-hop
  parameter integer VCS    = 2,        // virtual channels of a link, 1 to 9: what the routing needs
  parameter integer DEPTH  = 2,        // flits a queue holds (q), 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64
  parameter integer SCAN   = `FATFLY_ROT, // or `FATFLY_RR, `FATFLY_FO
  parameter integer PROBE  = 0,        // 1: probe_o shows links and registers, 0: it is zero
  // Bits of probe_o; a caller leaves it alone.
  parameter integer PROBE_W = 32*(4 + 6*(2+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                    clk_i,
  input  wire                    rst_i,       // synchronous, active high
  input  wire [31:0]             seed_i,      // of the random bits, read while rst_i is high
  input  wire [2*$clog2(K < 2 ? 2 : K)-1:0] node_i, // {y, x}, constant
  input  wire [5*VCS-1:0]        in_valid_i,  // bit VCS*port + channel
  input  wire [5*(FLIT_W+2)-1:0] in_flit_i,
  output wire [5*VCS-1:0]        in_room_o,
  output wire [5*VCS-1:0]        out_valid_o,
  output wire [5*(FLIT_W+2)-1:0] out_flit_o,  // zero while not valid
  input  wire [5*VCS-1:0]        out_room_i,
  // {port 5 (zero), ports 4 .. 0, scan, busy_q, lfsr_q}, each in whole words.
  output wire [PROBE_W-1:0]      probe_o
);
  // Read only by verilator --hierarchical: all routers of a network are one block.
  /*verilator hier_block*/
  // A module that does not exist stops every tool, and its name says why (as in switch.v).
  localparam integer NEEDS = (NHOP != 0) ? ((TORUS != 0) ? K / 2 : K - 1) + 1 : (TORUS != 0) ? 2 : 1;
  generate
    if (K < 2 || K > 16) begin : g_bad_k
      fatfly_error_K_must_be_2_to_16 u_error ();
    end
    if (TORUS != 0 && TORUS != 1) begin : g_bad_torus
      fatfly_error_TORUS_must_be_0_or_1 u_error ();
    end
    if (NHOP != 0 && NHOP != 1) begin : g_bad_nhop
      fatfly_error_NHOP_must_be_0_or_1 u_error ();
    end
    if (TORUS != 0 && NHOP != 0 && K % 2 != 0) begin : g_bad_odd
      fatfly_error_K_must_be_even_for_NHOP_on_a_torus u_error ();
    end
    if (VCS < NEEDS || VCS > 9) begin : g_bad_vcs
      fatfly_error_VCS_must_be_what_the_routing_needs_to_9 u_error ();
    end
    if (DEPTH < 1 || DEPTH > 16) begin : g_bad_depth
      fatfly_error_DEPTH_must_be_1_to_16 u_error ();
    end
    if (FLIT_W < 16 || FLIT_W > 64) begin : g_bad_flit_w
      fatfly_error_FLIT_W_must_be_16_to_64 u_error ();
    end
    if (SCAN != `FATFLY_RR && SCAN != `FATFLY_FO && SCAN != `FATFLY_ROT) begin : g_bad_scan
      fatfly_error_SCAN_must_be_RR_FO_or_ROT u_error ();
    end
  endgenerate

  localparam integer W       = FLIT_W + 2;
  localparam integer ORDERS  = (SCAN == `FATFLY_ROT) ? 6 : 1;
  localparam integer RANDOM  = (SCAN == `FATFLY_RR || NHOP != 0) ? 1 : 0;
  localparam integer PORT_PW = (PROBE_W - 128) / 6;

  wire [31:0]           random;
  wire [35:0]           req;           // bit 6i + o
  wire [35:0]           gnt;
  wire [15*ORDERS-1:0]  before_bits;
  wire [5*W-1:0]        flit;          // on offer, per input
  wire [5*VCS-1:0]      chan;          // the channel that it crosses by
  wire [5*VCS-1:0]      free;          // room at the far end, and no worm holds the channel
  wire [5*VCS-1:0]      busy;
  wire [5*PORT_PW-1:0]  port_probe;
  wire [31:0]           scan_probe;

  genvar i, o, w;
  generate
    if (RANDOM != 0) begin : g_random
      wire [15:0] random_next;
      wire unused = &{1'b0, random_next, 1'b0};
      lfsr u_lfsr (.clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i), .state_o(random), .next_o(random_next));
    end else begin : g_no_random
      wire unused = &{1'b0, seed_i, 1'b0};
      assign random = 32'd0;
    end

    for (i = 0; i < 5; i = i + 1) begin : g_port
      cube_port #(
        .K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W),
        .LINK(i < 4 ? 1 : 0), .PROBE(PROBE)
      ) u_port (
        .clk_i(clk_i), .rst_i(rst_i), .node_i(node_i),
        .valid_i(in_valid_i[VCS*i+:VCS]), .flit_i(in_flit_i[W*i+:W]), .room_o(in_room_o[VCS*i+:VCS]),
        .rand_i(random[16+i]), .room_i(out_room_i), .free_i(free),
        .req_o(req[6*i+:5]), .flit_o(flit[W*i+:W]), .gnt_i(gnt[6*i+:5]), .chan_o(chan[VCS*i+:VCS]),
        .probe_o(port_probe[PORT_PW*i+:PORT_PW])
      );
      assign req[6*i+5] = 1'b0;
    end
    assign req[35:30] = 6'd0;
  endgenerate

  scan_fast #(
    .VCS(1), .SCAN(SCAN), .PORTS(6), .HEIGHT_W(1), .ORDERS(ORDERS), .PROBE(PROBE)
  ) u_scan (
    .clk_i(clk_i), .rst_i(rst_i), .rand_i(random[31:24]), .gnt_i(gnt), .height_i(6'd0),
    .fresh_i(6'd0), .offer_i(6'd0), .any_i(6'd0), .valid_i(6'd0), .head_i(6'd0), .before_o(before_bits), .probe_o(scan_probe)
  );

  arbiter #(
    .PATH(`FATFLY_RP), .ROOT(0), .ORDERS(ORDERS)
  ) u_arbiter (
    .req_i(req), .pref_i(4'd0), .before_i(before_bits), .gnt_o(gnt)
  );

  // The crossbar and the output channels.
  generate
    for (o = 0; o < 5; o = o + 1) begin : g_out
      reg  [VCS-1:0]   busy_q;         // a worm holds this channel
      wire [4:0]       from;
      wire [5*VCS-1:0] by;
      wire [VCS-1:0]   valid;
      wire [W-1:0]     out;
      for (i = 0; i < 5; i = i + 1) begin : g_in
        assign from[i]        = gnt[6*i+o];
        assign by[VCS*i+:VCS] = chan[VCS*i+:VCS] & {VCS{from[i]}};
      end
      assign valid = by[0+:VCS] | by[VCS+:VCS] | by[2*VCS+:VCS] | by[3*VCS+:VCS] | by[4*VCS+:VCS];
      gather #(
        .WIDTH(W), .INPUTS(5)
      ) u_gather (
        .from_i(from), .words_i(flit), .word_o(out)
      );
      assign free[VCS*o+:VCS]        = out_room_i[VCS*o+:VCS] & ~busy_q;
      assign out_valid_o[VCS*o+:VCS] = valid;
      assign out_flit_o[W*o+:W]      = out;
      assign busy[VCS*o+:VCS]        = busy_q;
      for (w = 0; w < VCS; w = w + 1) begin : g_busy
        always @(posedge clk_i)
          if (rst_i) busy_q[w] <= 1'b0;
          else if (valid[w]) busy_q[w] <= ~out[FLIT_W];
      end
    end
  endgenerate

  generate
    if (PROBE != 0) begin : g_probe
      assign probe_o = {{PORT_PW{1'b0}}, port_probe, scan_probe, {(64 - 5 * VCS) {1'b0}}, busy, random};
    end else begin : g_no_probe
      wire unused = &{1'b0, port_probe, scan_probe, busy, 1'b0};
      assign probe_o = 0;              // a replication this wide is taken for a slip
    end
  endgenerate
  wire unused = &{1'b0, random, gnt, 1'b0};
endmodule
`default_nettype wire
