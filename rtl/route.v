// SPDX-License-Identifier: Apache-2.0
// route.v - where a head may go from a switch of one level.  C twin: cmodel/switch/route.h.
//
// Up while the worm's height is above this level, else down to child (dst >> 2(LEVEL-1)) mod 4
// (spec, section 1).  Combinational; what it says of anything but a head means nothing.
`default_nettype none
`include "flit.vh"

module route #(
  parameter integer FLIT_W = 32,       // payload bits, 16 to 64
  parameter integer PATH   = `FATFLY_RP,
  parameter integer LEVEL  = 1,        // of this switch, 1 (leaves) to LEVELS (root)
  parameter integer LEVELS = 3,        // of the network: N = 4^LEVELS
  parameter integer PARENT = 0         // 1: the input is a parent port, its worms only go down
) (
  input  wire [FLIT_W-1:0]             head_i,   // payload of a head flit
  input  wire                          rand_i,   // this input's random bit of the cycle
  output wire [3:0]                    child_o,  // one-hot, or zero if the worm goes up
  output wire [1:0]                    parent_o, // parents that will do, zero if it goes down
  output wire [$clog2(LEVELS+1)-1:0]   height_o  // level at which the worm turns
);
  localparam integer HEIGHT_W   = $clog2(LEVELS + 1);
  localparam integer HEIGHT_LSB = 4 * LEVELS;
  localparam integer PATH_LSB   = HEIGHT_LSB + HEIGHT_W;

  wire [1:0] digit = head_i[2*(LEVEL-1)+:2];
  wire       up;

  assign height_o = head_i[HEIGHT_LSB+:HEIGHT_W];
  assign child_o  = up ? 4'd0 : 4'd1 << digit;

  generate
    if (LEVEL == LEVELS || PARENT != 0) begin : g_down
      wire unused = &{1'b0, rand_i, 1'b0};
      assign up       = 1'b0;
      assign parent_o = 2'b00;
    end else begin : g_up
      assign up = height_o > LEVEL[HEIGHT_W-1:0];
      if (PATH == `FATFLY_FP) begin : g_fp
        wire unused = &{1'b0, rand_i, 1'b0};
        wire parent = head_i[PATH_LSB+LEVEL-1];
        assign parent_o = {up & parent, up & ~parent};
      end else if (PATH == `FATFLY_RP) begin : g_rp
        assign parent_o = {up & rand_i, up & ~rand_i};
      end else begin : g_either
        wire unused = &{1'b0, rand_i, 1'b0};
        assign parent_o = {up, up};
      end
    end
  endgenerate

  wire unused_head = &{1'b0, head_i, 1'b0};
endmodule
`default_nettype wire
