// SPDX-License-Identifier: Apache-2.0
// route_props.v - what must hold of route.v, for proof and simulation.
//
// Told by source and destination alone, as the spec does (section 1): a worm turns at the lowest
// switch above both, so it goes up while its source and destination lie under different switches
// of this level, and the height in its head is that switch's level.
`default_nettype none
`include "flit.vh"

module route_props #(
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PARENT = 0
) (
  input  wire [FLIT_W-1:0]             head_i,
  input  wire                          rand_i,
  input  wire [3:0]                    child_o,
  input  wire [1:0]                    parent_o,
  input  wire [$clog2(LEVELS+1)-1:0]   height_o,
  output wire                          ok_o,   // the height field is that of source and destination
  // bad[0]: not to the child whose subtree has the destination, or to a child while it goes up
  // bad[1]: not to the parent that the path selection says, or up when it must go down
  // bad[2]: height_o is not the level at which it turns
  output wire [2:0]                    bad_o,
  // cover[0]: down to child 3
  // cover[1]: up (root, parent port: down to child 0)
  output wire [1:0]                    cover_o
);
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer D = 2 * LEVELS;
  wire [D-1:0] dst = head_i[0+:D];
  wire [D-1:0] src = head_i[D+:D];
  wire [HEIGHT_W-1:0] field = head_i[2*D+:HEIGHT_W];

  reg  [HEIGHT_W-1:0] turns;
  integer             l;
  always @* begin
    turns = 1;
    for (l = 1; l < LEVELS; l = l + 1)
      if (src >> 2 * l != dst >> 2 * l) turns = l[HEIGHT_W-1:0] + 1'b1;
  end

  localparam [0:0] DOWN = PARENT != 0 || LEVEL == LEVELS;
  wire       up     = !DOWN && src >> 2 * LEVEL != dst >> 2 * LEVEL;
  wire [D-1:0] below = dst >> 2 * (LEVEL - 1);   // its last digit is the child
  wire       path   = head_i[DOWN ? 0 : 2*D+HEIGHT_W+LEVEL-1];
  wire       second = (PATH == `FATFLY_FP) ? path : rand_i;
  wire [1:0] want   = (PATH == `FATFLY_GP || PATH == `FATFLY_RG || PATH == `FATFLY_RW) ? 2'b11 : second ? 2'b10 : 2'b01;

  assign ok_o       = field == turns;
  assign bad_o[0]   = child_o != (up ? 4'd0 : {below[1:0] == 2'd3, below[1:0] == 2'd2,
                                               below[1:0] == 2'd1, below[1:0] == 2'd0});
  assign bad_o[1]   = parent_o != (up ? want : 2'b00);
  assign bad_o[2]   = height_o != turns;
  assign cover_o[0] = child_o == 4'b1000;
  assign cover_o[1] = DOWN ? child_o == 4'b0001 : parent_o[0];
  wire unused = &{1'b0, head_i, below, path, 1'b0};
endmodule
`default_nettype wire
