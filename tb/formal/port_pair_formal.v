// SPDX-License-Identifier: Apache-2.0
// port_pair_formal.v - port_pair.v alone, with the properties of port.v, under any far ends and any
// grants of what it asks for.
/* verilator lint_off UNDRIVEN */       // the wires that Yosys joins to registers
/* verilator lint_off UNUSEDSIGNAL */   // ... some of which are not there
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module port_pair_formal #(
  parameter integer FLIT_W = 16,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 2,
  parameter integer PORT   = 0
) (
  input wire              clk_i,
  input wire              rst_i,
  input wire [1:0]        valid_i,
  input wire [FLIT_W+1:0] flit_i,
  input wire              rand_i,
  input wire [11:0]       room_i,
  input wire [11:0]       busy_i,      // a worm holds the channel
  input wire [5:0]        gnt_i
);
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  wire [1:0]          room, offer, flip, body, went;
  wire [1:0]          room_m, chan_m, offer_m, fresh_m, came, left, some;
  wire                zero;
  wire [5:0]          req, req_m;
  wire [FLIT_W+1:0]   flit, flit_m;
  wire [HEIGHT_W-1:0] height_m;
  wire [23:0]         hold;
  wire [32*(1+(FLIT_W+33)/32+2*(1+2*((FLIT_W+33)/32)))-1:0] probe;
  wire [3:0]          heads;
  wire [4*FLIT_W-1:0] loads;
  wire                port_ok;
  wire [2:0]          bad_port;
  reg                 run_q;           // the first cycle is a reset
  reg                 rand_q;          // the random bit of this cycle
  initial run_q = 1'b0;
  always @(posedge clk_i) begin
    run_q  <= 1'b1;
    rand_q <= rand_i;
  end

  // As in switch_formal.v.
  (* hierconn *) wire \dut.g_vc[0].body_q ;
  (* hierconn *) wire \dut.g_vc[1].body_q ;
  assign body = {\dut.g_vc[1].body_q , \dut.g_vc[0].body_q };

  port_pair #(
    .FLIT_W(FLIT_W), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(PORT), .PROBE(1)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .room_o(room),
    .rand_i(rand_i), .room_i(room_i), .busy_i(busy_i), .req_o(req), .flit_o(flit), .zero_o(zero),
    .flip_o(flip), .offer_o(offer), .gnt_i(gnt_i), .any_i(|gnt_i), .probe_o(probe)
  );

  // The channels of the granted output: those that are free and have room, and the lowest of them,
  // which a head takes.
  wire [11:0] able = room_i & ~busy_i;
  wire [1:0]  there = (able[1:0] & {2{gnt_i[0]}}) | (able[3:2] & {2{gnt_i[1]}}) |
                      (able[5:4] & {2{gnt_i[2]}}) | (able[7:6] & {2{gnt_i[3]}}) |
                      (able[9:8] & {2{gnt_i[4]}}) | (able[11:10] & {2{gnt_i[5]}});
  wire [1:0]  takes = {there[1] & ~there[0], there[0]};
  port_props #(
    .VCS(2), .DEPTH(2), .FLIT_W(FLIT_W), .PATH(`FATFLY_RP), .SCAN(`FATFLY_RR), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PORT(PORT)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .rand_i(rand_q),
    .room_i(room_i), .free_i(~busy_i), .gnt_i(gnt_i), .chan_i(takes), .probe_i(probe),
    .body_i(body), .room_o(room_m), .req_o(req_m), .flit_o(flit_m), .chan_o(chan_m),
    .offer_o(offer_m), .height_o(height_m), .fresh_o(fresh_m), .hold_o(hold), .came_o(came),
    .left_o(left), .some_o(some), .head_o(heads), .load_o(loads),
    .assume_o(port_ok), .bad_o(bad_port)
  );

  // The switch grants one output of those that are asked for; what a worm holds is not free.
  wire granted = ~|(gnt_i & ~req_m) & ~|(gnt_i & (gnt_i - 6'd1));
  wire apart   = ~|((hold[11:0] | hold[23:12]) & ~busy_i);

  // bad[0]: a queue loses, repeats or reorders flits, or says wrong of its room
  // bad[1]: what a worm wants or holds is not what its head says, or registers contradict each other
  // bad[2]: the channels do not take turns
  // bad[3]: it asks for what its flit cannot take, or not for what it can
  // bad[4]: the flit on offer or where it waits is wrong
  // bad[5]: it does not take the channel that its worm holds, or of a head the lowest
  // bad[6]: a hold does not begin with a head that others follow, or does not end with their tail
  assign went = flit_m[FLIT_W+1] ? takes : chan_m;
  wire   turn = flit_m[FLIT_W+1] ^ flit_m[FLIT_W];
  wire [6:0] bad = {|gnt_i & flip != (went & {2{turn}}),
                    |gnt_i & {~zero, zero} != went,
                    |req_m & flit != flit_m | offer != offer_m,
                    req != req_m | room != room_m,
                    bad_port} & {7{run_q}};
  // cover[0]: all queues full
  // cover[1]: all channels hold something and have nothing
  // cover[2]: a body leaves, and there is another
  wire [2:0] covers = {|gnt_i & ~flit_m[FLIT_W+1] & ~flit_m[FLIT_W], &left & ~|some, ~|room};
  check #(.BAD(7), .COVER(3)) u_check (
    .ok_i(port_ok & granted & apart & (run_q | rst_i)), .bad_i(bad),
    .cover_i(covers & {3{run_q}})
  );
endmodule
`default_nettype wire
