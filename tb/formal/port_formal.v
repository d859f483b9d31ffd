// SPDX-License-Identifier: Apache-2.0
// port_formal.v - port.v alone, with more channels and deeper queues than a whole switch is proven
// with, under any far ends and any grants of what it asks for.
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module port_formal #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 16,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 2,
  parameter integer PORT   = 0
) (
  input wire               clk_i,
  input wire               rst_i,
  input wire [VCS-1:0]     valid_i,
  input wire [FLIT_W+1:0]  flit_i,
  input wire               rand_i,
  input wire [6*VCS-1:0]   room_i,
  input wire [6*VCS-1:0]   free_i,     // no worm holds the channel
  input wire [5:0]         gnt_i,
  input wire [VCS-1:0]     chan_i
);
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  wire [VCS-1:0]      room, chan, offer, fresh;
  wire [VCS-1:0]      room_m, chan_m, offer_m, fresh_m, left, some;
  wire [5:0]          req, req_m;
  wire [FLIT_W+1:0]   flit, flit_m;
  wire [HEIGHT_W-1:0] height, height_m;
  wire [6*VCS*VCS-1:0] hold;
  wire [32*(1+(FLIT_W+33)/32+VCS*(1+DEPTH*((FLIT_W+33)/32)))-1:0] probe;
  wire                port_ok;
  wire [2:0]          bad_port;
  reg                 run_q;           // the first cycle is a reset
  initial run_q = 1'b0;
  always @(posedge clk_i) run_q <= 1'b1;

  port #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PARENT(PORT > 3 ? 1 : 0), .PROBE(1)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .room_o(room),
    .rand_i(rand_i), .room_i(room_i), .free_i(free_i & room_i),
    .req_o(req), .flit_o(flit), .chan_o(chan), .offer_o(offer), .height_o(height),
    .fresh_o(fresh), .gnt_i(gnt_i), .chan_i(chan_i), .probe_o(probe)
  );
  port_props #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PORT(PORT)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .rand_i(rand_i),
    .room_i(room_i), .free_i(free_i), .gnt_i(gnt_i), .chan_i(chan_i), .probe_i(probe),
    .room_o(room_m), .req_o(req_m), .flit_o(flit_m), .chan_o(chan_m),
    .offer_o(offer_m), .height_o(height_m), .fresh_o(fresh_m), .hold_o(hold), .came_o(),
    .left_o(left), .some_o(some), .head_o(), .load_o(),
    .assume_o(port_ok), .bad_o(bad_port)
  );

  // The switch grants one output of those that are asked for, and there a head takes a free channel
  // with room, another flit the one that its worm holds, which is not free.
  wire [6*VCS-1:0] held;
  wire [VCS-1:0]   there;              // free channels with room of the granted output
  genvar v, o;
  generate
    for (o = 0; o < 6 * VCS; o = o + 1) begin : g_held
      wire [VCS-1:0] by;
      for (v = 0; v < VCS; v = v + 1) begin : g_by
        assign by[v] = hold[6*VCS*v+o];
      end
      assign held[o] = |by;
    end
  endgenerate
  wire [6*VCS-1:0] able = room_i & free_i;
  assign there = (able[0+:VCS]     & {VCS{gnt_i[0]}}) | (able[VCS+:VCS]   & {VCS{gnt_i[1]}}) |
                 (able[2*VCS+:VCS] & {VCS{gnt_i[2]}}) | (able[3*VCS+:VCS] & {VCS{gnt_i[3]}}) |
                 (able[4*VCS+:VCS] & {VCS{gnt_i[4]}}) | (able[5*VCS+:VCS] & {VCS{gnt_i[5]}});
  wire granted = ~|(gnt_i & ~req_m) & ~|(gnt_i & (gnt_i - 6'd1));
  wire taken   = ~|gnt_i | (flit_m[FLIT_W+1] ? |chan_i & ~|(chan_i & (chan_i - 1'b1)) & ~|(chan_i & ~there)
                                             : VCS == 1 | chan_i == chan_m);
  wire apart   = ~|(held & free_i);

  // bad[0]: a queue loses, repeats or reorders flits, or says wrong of its room
  // bad[1]: what a worm holds is not what its head got
  // bad[2]: the channels do not take turns
  // bad[3]: it asks for what its flit cannot take, or not for what it can
  // bad[4]: the flit on offer, its channel or where it waits is wrong
  // bad[5]: the height or the news of a head is wrong
  wire [5:0] bad = {fresh != fresh_m | (|req_m & SCAN == `FATFLY_FF & (VCS > 1 | flit_m[FLIT_W+1]) &
                                        height != height_m),
                    |req_m & (flit != flit_m | (VCS > 1 & chan != chan_m)) |
                    (VCS > 1 & offer != offer_m),
                    req != req_m | room != room_m,
                    bad_port} & {6{run_q}};
  // cover[0]: all queues full
  // cover[1]: all channels hold something and have nothing
  // cover[2]: a body leaves, and there is another
  wire [2:0] covers = {|gnt_i & ~flit_m[FLIT_W+1] & ~flit_m[FLIT_W], &left & ~|some, ~|room};
  check #(.BAD(6), .COVER(3)) u_check (
    .ok_i(port_ok & granted & taken & apart & (run_q | rst_i)), .bad_i(bad),
    .cover_i(covers & {3{run_q}})
  );
endmodule
`default_nettype wire
