// SPDX-License-Identifier: Apache-2.0
// port_one_formal.v - port_one.v alone, with the properties of port.v, under any far ends and any
// grants of what it asks for.
/* verilator lint_off UNDRIVEN */       // the wire that Yosys joins to a register
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off PINCONNECTEMPTY */
`default_nettype none
`include "flit.vh"

module port_one_formal #(
  parameter integer FLIT_W = 16,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 2,
  parameter integer PORT   = 0
) (
  input wire              clk_i,
  input wire              rst_i,
  input wire              valid_i,
  input wire [FLIT_W+1:0] flit_i,
  input wire              rand_i,
  input wire [5:0]        room_i,
  input wire [5:0]        busy_i,      // a worm holds the output
  input wire [5:0]        gnt_i
);
  wire                room, room_m, left, some;
  wire [5:0]          req, req_m, hold;
  wire [FLIT_W+1:0]   flit, flit_m;
  wire [32*(2+3*((FLIT_W+33)/32))-1:0] probe;
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

  port_one #(
    .FLIT_W(FLIT_W), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(PORT), .PROBE(1)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .room_o(room),
    .rand_i(rand_i), .room_i(room_i), .busy_i(busy_i), .req_o(req), .flit_o(flit),
    .gnt_i(gnt_i), .any_i(|gnt_i), .probe_o(probe)
  );
  port_props #(
    .VCS(1), .DEPTH(2), .FLIT_W(FLIT_W), .PATH(`FATFLY_RP), .SCAN(`FATFLY_RR), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .PORT(PORT)
  ) u_props (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_i), .flit_i(flit_i), .rand_i(rand_q),
    .room_i(room_i), .free_i(~busy_i), .gnt_i(gnt_i), .chan_i(1'b1), .probe_i(probe),
    .body_i(\dut.g_vc[0].body_q ), .room_o(room_m), .req_o(req_m), .flit_o(flit_m), .chan_o(),
    .offer_o(), .height_o(), .fresh_o(), .hold_o(hold), .came_o(), .left_o(left), .some_o(some),
    .head_o(), .load_o(), .assume_o(port_ok), .bad_o(bad_port)
  );

  // The switch grants one output of those that are asked for; what a worm holds is not free.
  wire granted = ~|(gnt_i & ~req_m) & ~|(gnt_i & (gnt_i - 6'd1));
  wire apart   = ~|(hold & ~busy_i);

  // bad[0]: a queue loses, repeats or reorders flits, or says wrong of its room
  // bad[1]: what a worm wants or holds is not what its head says, or registers contradict each other
  // bad[2]: never, of one channel
  // bad[3]: it asks for what its flit cannot take, or not for what it can
  // bad[4]: the flit at the front is wrong
  wire [4:0] bad = {|req_m & flit != flit_m, req != req_m | room != room_m, bad_port} & {5{run_q}};
  // cover[0]: the queue is full
  // cover[1]: a worm holds something and has nothing
  // cover[2]: a body leaves, and there is another
  // cover[3]: a single flit leaves, and a head is behind it
  wire [3:0] covers = {|gnt_i & &flit_m[FLIT_W+1:FLIT_W] & ~room,
                       |gnt_i & ~flit_m[FLIT_W+1] & ~flit_m[FLIT_W], left & ~some, ~room};
  check #(.BAD(5), .COVER(4)) u_check (
    .ok_i(port_ok & granted & apart & (run_q | rst_i)), .bad_i(bad),
    .cover_i(covers & {4{run_q}})
  );
endmodule
`default_nettype wire
