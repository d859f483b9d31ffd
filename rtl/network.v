// SPDX-License-Identifier: Apache-2.0
// network.v - the butterfly fat-tree of N = 4^LEVELS processors (GO III.B.1, GG 3.1).
// C twin: cmodel/network/network.c, wiring in cmodel/network/fat_tree.c.
//
// Level l = 1 .. LEVELS holds N / 2^(l+1) switches S(l, a).  Switches are numbered level by level
// from the leaves; link 6s + p enters port p of switch s.  Processor a sits on child a mod 4 of
// S(1, a / 4): it injects on inj_* and consumes on ej_*, by the rules of every other link.
`default_nettype none
`include "flit.vh"

module network #(
  parameter integer LEVELS = 2,        // N = 4^LEVELS processors: 4, 16, 64, 256, 1024
  parameter integer VCS    = 1,        // virtual channels a link: 1, 2 or 4
  parameter integer DEPTH  = 2,        // flits a queue holds (q), 1 to 16
  parameter integer FLIT_W = 32,       // payload bits of a flit, 16 to 64; a head must fit
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer PROBE  = 0,        // 1: probe_o shows every link and register, 0: it is zero
  parameter integer IMPL   = `FATFLY_AUTO, // of each switch, as in switch.v
  // Derived; a caller leaves them alone.
  parameter integer N        = 1 << (2 * LEVELS),
  parameter integer SWITCHES = (N >> 1) - (N >> (LEVELS + 1)),
  parameter integer PROBE_W  = 32*(3 + ((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0)
                               + 6*(1+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))
) (
  input  wire                        clk_i,
  input  wire                        rst_i,       // synchronous, active high
  input  wire [31:0]                 seed_i,      // of all random bits, read while rst_i is high
  input  wire [N*VCS-1:0]            inj_valid_i, // bit VCS*a + v: processor a, channel v
  input  wire [N*(FLIT_W+2)-1:0]     inj_flit_i,
  output wire [N*VCS-1:0]            inj_room_o,
  output wire [N*VCS-1:0]            ej_valid_o,
  output wire [N*(FLIT_W+2)-1:0]     ej_flit_o,
  input  wire [N*VCS-1:0]            ej_room_i,
  output wire [SWITCHES*PROBE_W-1:0] probe_o      // switch s at PROBE_W*s
);
  localparam integer W = FLIT_W + 2;

  // As in switch.v, which checks all the others; 5 is the most that is tested.
  localparam integer GOOD = (LEVELS >= 1 && LEVELS <= 5) ? 1 : 0;
  generate
    if (GOOD == 0) begin : g_bad_levels
      fatfly_error_LEVELS_must_be_1_to_5 u_error ();
    end
  endgenerate

  // Each switch starts its random bits elsewhere (the finalizer of MurmurHash3).
  function [31:0] mix;
    input [31:0] x;
    reg   [31:0] h;
    begin
      h   = x * 32'h9E3779B1;
      h   = (h ^ (h >> 16)) * 32'h85EBCA6B;
      h   = (h ^ (h >> 13)) * 32'hC2B2AE35;
      mix = h ^ (h >> 16);
    end
  endfunction

  // Links into the ports of all switches.
  wire [VCS-1:0] link_valid [0:6*SWITCHES-1];
  wire [W-1:0]   link_flit  [0:6*SWITCHES-1];
  wire [VCS-1:0] link_room  [0:6*SWITCHES-1];

  genvar l, a, p;
  generate
    for (l = 1; l <= GOOD * LEVELS; l = l + 1) begin : g_level
      localparam integer COUNT = N >> (l + 1);
      localparam integer BASE  = (N >> 1) - (N >> l);           // switches below this level
      for (a = 0; a < COUNT; a = a + 1) begin : g_switch
        localparam integer S    = BASE + a;
        localparam [31:0]  MINE = mix(S + 1);
        wire [6*VCS-1:0] in_valid;
        wire [6*W-1:0]   in_flit;
        wire [6*VCS-1:0] in_room;
        wire [6*VCS-1:0] out_valid;
        wire [6*W-1:0]   out_flit;
        wire [6*VCS-1:0] out_room;

        switch #(
          .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN),
          .LEVEL(l), .LEVELS(LEVELS), .PROBE(PROBE), .IMPL(IMPL)
        ) u_switch (
          .clk_i(clk_i), .rst_i(rst_i), .seed_i(seed_i ^ MINE),
          .in_valid_i(in_valid), .in_flit_i(in_flit), .in_room_o(in_room),
          .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room),
          .probe_o(probe_o[PROBE_W*S+:PROBE_W])
        );

        for (p = 0; p < 6; p = p + 1) begin : g_in
          assign in_valid[VCS*p+:VCS] = link_valid[6*S+p];
          assign in_flit[W*p+:W]      = link_flit[6*S+p];
          assign link_room[6*S+p]     = in_room[VCS*p+:VCS];
        end

        if (l == 1) begin : g_leaf
          for (p = 0; p < 4; p = p + 1) begin : g_processor
            assign link_valid[6*S+p]              = inj_valid_i[VCS*(4*a+p)+:VCS];
            assign link_flit[6*S+p]               = inj_flit_i[W*(4*a+p)+:W];
            assign inj_room_o[VCS*(4*a+p)+:VCS]   = in_room[VCS*p+:VCS];
            assign ej_valid_o[VCS*(4*a+p)+:VCS]   = out_valid[VCS*p+:VCS];
            assign ej_flit_o[W*(4*a+p)+:W]        = out_flit[W*p+:W];
            assign out_room[VCS*p+:VCS]           = ej_room_i[VCS*(4*a+p)+:VCS];
          end
        end else begin : g_inner
          // Child c of S(l, a): the switches below that name it as parent.  With block =
          // floor(a / 2^(l-1)) these are S(l-1, 2^l block + 2^(l-2) c + r mod 2^(l-2)), where r is
          // the place of a in its block; the one whose place is r meets us with its parent 0.
          localparam integer HALF  = 1 << (l - 2);
          localparam integer BLOCK = a / (2 * HALF);
          localparam integer PLACE = a % (2 * HALF);
          for (p = 0; p < 4; p = p + 1) begin : g_child
            localparam integer BELOW  = 4 * HALF * BLOCK + HALF * p + PLACE % HALF;
            localparam integer PARENT = ((BELOW % (2 * HALF)) == PLACE) ? 4 : 5;
            localparam integer T      = BASE - (N >> l) + BELOW;
            assign link_valid[6*T+PARENT] = out_valid[VCS*p+:VCS];
            assign link_flit[6*T+PARENT]  = out_flit[W*p+:W];
            assign out_room[VCS*p+:VCS]   = link_room[6*T+PARENT];
          end
        end

        if (l < LEVELS) begin : g_up
          localparam integer WIDTH = 1 << l;                    // places in a block of level l + 1
          localparam integer CHILD = (a % (2 * WIDTH)) / (WIDTH / 2);
          for (p = 0; p < 2; p = p + 1) begin : g_parent
            localparam integer ABOVE = a / (2 * WIDTH) * WIDTH + (a + p * WIDTH / 2) % WIDTH;
            localparam integer T     = BASE + COUNT + ABOVE;
            assign link_valid[6*T+CHILD]      = out_valid[VCS*(4+p)+:VCS];
            assign link_flit[6*T+CHILD]       = out_flit[W*(4+p)+:W];
            assign out_room[VCS*(4+p)+:VCS]   = link_room[6*T+CHILD];
          end
        end else begin : g_root
          wire unused = &{1'b0, out_valid[4*VCS+:2*VCS], out_flit[4*W+:2*W], link_room[6*S+4],
                          link_room[6*S+5], 1'b0};
          for (p = 4; p < 6; p = p + 1) begin : g_parent
            assign link_valid[6*S+p]       = {VCS{1'b0}};
            assign link_flit[6*S+p]        = {W{1'b0}};
            assign out_room[VCS*p+:VCS]    = {VCS{1'b0}};
          end
        end
      end
    end
  endgenerate
endmodule
`default_nettype wire
