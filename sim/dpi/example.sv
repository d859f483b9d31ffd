// SPDX-License-Identifier: Apache-2.0
// example.sv - a bench that checks switches against the C model: worms into a leaf switch of N = 16, room
// behind it, and fatfly_checker bound to every switch.  First directed worms, of 1, 2, 3 and 9 flits: from each
// port to each alone, from all ports to one child, from all to their neighbours, with room at all times; then
// random worms and random room.  Ends with the cycles compared.
//
// docs/dpi.md has the command.
`timescale 1ns / 1ps

bind switch fatfly_checker #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
                             .LEVELS(LEVELS)) u_checker (.*);

// The worms of one port: one at a time on each channel, a flit only where there is room.
module source #(
  parameter int VCS    = 1,
  parameter int FLIT_W = 32,
  parameter int PORT   = 0
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic              directed_i, // no worms but these:
  input  logic              begin_i,    // one is ready
  input  logic [3:0]        length_i,
  input  logic [3:0]        dst_i,
  input  logic [VCS-1:0]    room_i,
  output logic [VCS-1:0]    valid_o,
  output logic [FLIT_W+1:0] flit_o
);
  int         left  [VCS]; // flits of its worm, 0: none
  bit         begun [VCS];
  bit [3:0]   src   [VCS];
  bit [3:0]   dst   [VCS];
  int         turn;        // channel that is tried first
  bit [63:0]  noise;       // of the payload in this cycle

  bit [VCS-1:0] can;
  int           pick;
  always_comb begin
    pick = -1;
    for (int c = 0; c < VCS; c++) can[c] = left[c] > 0 && room_i[c];
    for (int k = VCS - 1; k >= 0; k--) if (can[(turn + k) % VCS]) pick = (turn + k) % VCS;
    valid_o = '0;
    flit_o  = '0;
    if (pick >= 0 && !rst_i) begin
      valid_o[pick] = 1;
      flit_o = {!begun[pick], left[pick] == 1, noise[FLIT_W-1:0]};
      // dst | src | height | path
      if (!begun[pick])
        flit_o[10:0] = {noise[10], dst[pick][3:2] == src[pick][3:2] ? 2'd1 : 2'd2, src[pick], dst[pick]};
    end
  end

  always @(posedge clk_i) begin
    noise <= {$urandom, $urandom};
    turn  <= int'($urandom_range(VCS - 1));
    for (int c = 0; c < VCS; c++)
      if (rst_i) left[c] <= 0;
      else if (c == pick) begin
        left[c]  <= left[c] - 1;
        begun[c] <= 1;
      end else if (directed_i) begin
        if (begin_i && c == 0) begin
          left[c]  <= int'(length_i);
          begun[c] <= 0;
          src[c]   <= PORT < 4 ? 4'(PORT) : 4'd4;
          dst[c]   <= dst_i;
        end
      end else if (left[c] == 0 && $urandom_range(2) == 0) begin
        left[c]  <= int'($urandom_range(6, 1));
        begun[c] <= 0;
        src[c]   <= PORT < 4 ? 4'(PORT) : 4'($urandom_range(15, 4));
        // From below to another processor, from above to one of this switch.
        dst[c]   <= PORT < 4 ? 4'(PORT) ^ 4'($urandom_range(15, 1)) : 4'($urandom_range(3));
      end
  end
endmodule

module rig #(
  parameter int VCS    = 1,
  parameter int DEPTH  = 2,
  parameter int FLIT_W = 32,
  parameter int PATH   = 1,
  parameter int SCAN   = 0,
  parameter int IMPL   = 0
) (
  input logic clk_i,
  input logic rst_i,
  input logic directed_i,
  input logic [5:0] begin_i,
  input logic [3:0] length_i,
  input logic [5:0][3:0] dst_i
);
  logic [6*VCS-1:0]        in_valid, in_room, out_valid, out_room;
  logic [6*(FLIT_W+2)-1:0] in_flit, out_flit;

  for (genvar p = 0; p < 6; p++) begin : g_port
    source #(.VCS(VCS), .FLIT_W(FLIT_W), .PORT(p)) u_source (
      .clk_i(clk_i), .rst_i(rst_i), .directed_i(directed_i), .begin_i(begin_i[p]), .length_i(length_i), .dst_i(dst_i[p]),
      .room_i(in_room[VCS*p+:VCS]), .valid_o(in_valid[VCS*p+:VCS]),
      .flit_o(in_flit[(FLIT_W+2)*p+:FLIT_W+2]));
  end
  always @(posedge clk_i) out_room <= directed_i ? '1 : (6*VCS)'($urandom) | (6*VCS)'($urandom);

  switch #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(1), .LEVELS(2),
           .IMPL(IMPL)) u_switch (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(32'hc0ffee), .in_valid_i(in_valid), .in_flit_i(in_flit),
    .in_room_o(in_room), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room), .probe_o());
endmodule

module example #(
  parameter int CYCLES = 10000,
  parameter int ALL    = 0     // 1: every path selection and every scan, and more channels
);
  logic clk = 0;
  logic rst = 1;
  always #5 clk = !clk;

  localparam int SLOTS = 4 * 41; // of 64 cycles: six worms of nine flits to one output, one after the other
  int   cycle = 0;
  logic directed = 1;
  logic [5:0]      first;  // a worm of this port begins
  logic [3:0]      length;
  logic [5:0][3:0] dst;

  // Slot 4 * k + i is a worm of LENGTH[i] flits, of port k / 6 to output k % 6 for k < 36, then of all ports to
  // child k - 36, then of port p to child p + 1 modulo 4.
  localparam int LENGTH [4] = '{1, 2, 3, 9};
  always @(posedge clk) begin
    int k, to;
    k = cycle / 256;
    length <= 4'(LENGTH[cycle / 64 % 4]);
    for (int p = 0; p < 6; p++) begin
      to = k < 36 ? k % 6 : k < 40 ? k - 36 : (p + 1) % 4;
      first[p] <= cycle % 64 == 0 && (k >= 36 || k / 6 == p) && to != p && !(p >= 4 && to >= 4);
      dst[p]   <= to < 4 ? 4'(to) : 4'd15;
    end
    directed <= cycle < 64 * SLOTS;
    if (!rst) cycle <= cycle + 1;
  end

  rig u_default (.clk_i(clk), .rst_i(rst), .directed_i(directed), .begin_i(first), .length_i(length), .dst_i(dst));
  if (ALL != 0) begin : g_all
    for (genvar path = 0; path < 5; path++) begin : g_path // no scan has the number of its path
      rig #(.PATH(path), .SCAN((path + 2) % 5), .IMPL(1)) u_rig (
        .clk_i(clk), .rst_i(rst), .directed_i(directed), .begin_i(first), .length_i(length), .dst_i(dst));
    end
    rig #(.VCS(2)) u_two (.clk_i(clk), .rst_i(rst), .directed_i(directed), .begin_i(first), .length_i(length), .dst_i(dst));
    rig #(.VCS(4), .DEPTH(3), .FLIT_W(40), .PATH(3), .SCAN(4), .IMPL(1)) u_four (
      .clk_i(clk), .rst_i(rst), .directed_i(directed), .begin_i(first), .length_i(length), .dst_i(dst));
  end

  initial begin
    repeat (3) @(posedge clk);
    rst <= 0;
    repeat (64 * SLOTS + CYCLES / 2) @(posedge clk);
    rst <= 1; // in the middle of the traffic
    @(posedge clk);
    rst <= 0;
    repeat (CYCLES / 2) @(posedge clk);
    $display("%0d switches, %0d directed and %0d random cycles each: the same as the C model", ALL != 0 ? 8 : 1,
             64 * SLOTS, CYCLES);
    $finish;
  end
endmodule
