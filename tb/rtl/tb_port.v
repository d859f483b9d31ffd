// SPDX-License-Identifier: Apache-2.0
// tb_port.v - port.v alone: what it offers, what its worms hold, whose turn it is.
// C twin: tb/unit/test_port.c, with the same tables.
//
// The port is child 0 (or a parent) of S(1, 0) in a network of 16 processors: outputs 1..3 are
// processors 1..3, outputs 4 and 5 the parents.
`default_nettype none
`include "flit.vh"

module port_bench #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer PARENT = 0
);
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [VCS-1:0]   valid = {VCS{1'b0}};
  reg  [33:0]      flit = {34{1'bx}};
  wire [VCS-1:0]   room;
  reg              rnd = 1'b0;
  reg  [6*VCS-1:0] far_room = {6*VCS{1'b1}};
  reg  [6*VCS-1:0] far_free = {6*VCS{1'b1}};
  wire [5:0]       req;
  wire [33:0]      out;
  wire [VCS-1:0]   chan, offer, fresh;
  wire [1:0]       height;
  reg  [5:0]       gnt = 6'd0;
  reg  [VCS-1:0]   takes = {VCS{1'b0}};
  wire [32*(3+VCS*(1+DEPTH*2))-1:0] probe;
  // What the worm in channel 0 holds: want_q, but for a head at the front.
  wire             head = probe[32*3+:5] != 5'd0 && probe[32*4+33];
  wire [5:0]       hold = head ? 6'd0 : probe[32*3+14+:6];
  integer          checks = 0;
  integer          fails  = 0;
  integer          cycle  = 0;
  integer          c;

  port #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(32), .PATH(PATH), .SCAN(SCAN), .LEVEL(1), .LEVELS(2),
    .PARENT(PARENT), .PROBE(1)
  ) dut (
    .clk_i(clk), .rst_i(rst), .valid_i(valid), .flit_i(flit), .room_o(room), .rand_i(rnd),
    .room_i(far_room), .free_i(far_free), .req_o(req), .flit_o(out), .chan_o(chan),
    .offer_o(offer), .height_o(height), .fresh_o(fresh), .gnt_i(gnt), .chan_i(takes),
    .probe_o(probe)
  );

  task check(input [8*12-1:0] name, input [33:0] got, input [33:0] want);
    begin
      checks = checks + 1;
      if (got !== want) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_port: time %0t V %0d path %0d cycle %0d %0s: got %b, want %b", $time,
                   VCS, PATH, cycle, name, got, want);
      end
    end
  endtask

  // The edge.  Control outputs are never unknown, though no queue has been reset.
  task tick;
    begin
      #1;
      check("x", {33'd0, ^{room, req, offer, fresh} === 1'bx}, 34'd0);
      if (|req) check("flit x", {33'd0, ^{out, chan, height} === 1'bx}, 34'd0);
      #4 clk = 1'b1;
      #5 clk = 1'b0;
      cycle = cycle + 1;
      valid = {VCS{1'b0}};
      flit  = {34{1'bx}};
      gnt   = 6'd0;
      takes = {VCS{1'bx}};               // read with a grant only
      #1;
    end
  endtask

  task reset;
    begin
      rst = 1'b1;
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      rst   = 1'b0;
      cycle = 0;
      valid = {VCS{1'b0}};
      gnt   = 6'd0;
      far_room = {6*VCS{1'b1}};
      far_free = {6*VCS{1'b1}};
      #1;
      check("reset req", req, 6'd0);
      check("reset hold", hold, 6'd0);
      check("reset room", room, {VCS{1'b1}});
      check("reset fresh", fresh, {VCS{1'b0}});
      check("no offer", offer, VCS == 1);  // one channel is always the one
    end
  endtask

  // A flit comes on channel at: "H"ead, "B"ody, "T"ail, "S"ingle, "." none.
  task come(input integer at, input [7:0] kind, input [3:0] dst);
    if (kind != ".") begin
      valid = {{VCS{1'b0}} | 1'b1} << at;
      flit  = {(kind == "S") ? 2'b11 : (kind == "H") ? 2'b10 : (kind == "T") ? 2'b01 : 2'b00,
               21'd0, 1'b0, (dst < 4) ? 2'd1 : 2'd2, 4'd0, dst};
      if (kind == "B" || kind == "T") flit[31:0] = 32'hbbbb0000 | cycle;
    end
  endtask

  // One cycle with one channel: what comes, outputs with room, outputs that are free; then what
  // the port must ask for, and what it is granted, which it holds until its tail has crossed.
  task row(input [7:0] kind, input [3:0] dst, input [5:0] has_room, input [5:0] is_free,
           input [5:0] want, input [5:0] granted);
    reg [5:0] holds;
    begin
      come(0, kind, dst);
      far_room = has_room;
      far_free = has_room & is_free;
      #1;
      check("req", req, want);
      gnt   = granted;
      takes = |granted;
      holds = (granted == 6'd0) ? hold : out[32] ? 6'd0 : granted;
      tick;
      check("hold", hold, holds);
    end
  endtask

  // One cycle with several: able: channels whose worm, to output c + 1, has room; offered: the
  // channel that must be, 7 for none.
  task turn(input [3:0] able, input [2:0] offered, input granted);
    begin
      for (c = 0; c < VCS; c = c + 1) far_room[VCS*(c+1)+:VCS] = able[c];
      far_free = {6*VCS{1'b0}};
      #1;
      check("req", req, (offered == 7) ? 6'd0 : 6'd2 << offered);
      if (offered != 7) check("offer", offer, {{VCS{1'b0}} | 1'b1} << offered);
      if (offered != 7) check("chan", chan, 1);
      if (granted) begin
        gnt   = req;
        takes = 1;
      end
      tick;
    end
  endtask

  // A worm without end in each channel, to outputs 1, 2, 3 and 4.
  task fill;
    begin
      reset;
      for (c = 0; c < VCS; c = c + 1) begin
        come(c, "H", (c == 3) ? 4'd15 : c[3:0] + 4'd1);
        tick;
        repeat (DEPTH - 1) begin
          come(c, "B", 4'd0);
          tick;
        end
        check("full", {33'd0, room[c]}, 34'd0);
      end
      // Let each head cross, to channel 0, the lowest first.
      for (c = 0; c < VCS; c = c + 1) begin
        far_free = {6*VCS{1'b0}};
        far_free[VCS*(c+1)+:VCS] = {VCS{1'b1}};
        far_room = far_free;
        #1;
        check("head", req, 6'd2 << c);
        gnt   = req;
        takes = 1;
        tick;
      end
      // next_q is 0 again.
    end
  endtask
endmodule

module tb_port;
  localparam [5:0] ALL = 6'h3f;
  port_bench one ();
  port_bench #(.PATH(`FATFLY_GP)) gp ();
  port_bench #(.PATH(`FATFLY_RG)) rg ();
  port_bench #(.PARENT(1), .PATH(`FATFLY_GP)) down ();
  port_bench #(.VCS(2), .DEPTH(16), .PATH(`FATFLY_GP)) two ();
  port_bench #(.VCS(4), .DEPTH(16), .PATH(`FATFLY_GP)) four ();
  port_bench #(.VCS(2), .DEPTH(2), .SCAN(`FATFLY_FF)) ff ();
  integer k;
  reg [7:0] draws;

  initial begin
    one.reset;
    //      in  dst  room  free   req    gnt
    one.row("H", 2, ALL,   ALL,   6'h00, 6'h00);
    one.row("B", 0, ALL,   ALL,   6'h04, 6'h04);   // the head crosses
    one.row("T", 0, ALL,   6'h3b, 6'h04, 6'h04);   // 2 is not free: this worm holds it
    one.row("H", 1, 6'h3b, 6'h3b, 6'h00, 6'h00);   // no room: the tail waits
    one.row(".", 0, ALL,   6'h3b, 6'h04, 6'h00);
    one.row(".", 0, ALL,   6'h3b, 6'h04, 6'h04);   // the tail crosses: the hold ends
    one.row(".", 0, ALL,   6'h3d, 6'h00, 6'h00);   // another worm holds 1
    one.row(".", 0, 6'h3d, ALL,   6'h00, 6'h00);   // 1 is free, without room
    one.row("T", 0, ALL,   ALL,   6'h02, 6'h02);
    one.row(".", 0, ALL,   6'h3d, 6'h02, 6'h02);
    one.row(".", 0, ALL,   ALL,   6'h00, 6'h00);
    // Single flits hold nothing.
    one.row("S", 1, ALL,   ALL,   6'h00, 6'h00);
    one.row("S", 2, ALL,   ALL,   6'h02, 6'h02);
    one.row("S", 3, ALL,   ALL,   6'h04, 6'h04);
    one.row("S", 9, ALL,   ALL,   6'h08, 6'h08);
    one.row(".", 0, ALL,   ALL,   6'h10, 6'h10);
    one.row(".", 0, ALL,   ALL,   6'h00, 6'h00);
    // RP: a waiting head draws anew in every cycle; its body follows it.
    draws = 8'b10010110;
    one.row("H", 12, ALL,  ALL,   6'h00, 6'h00);
    for (k = 0; k < 8; k = k + 1) begin
      one.rnd = draws[k];
      one.row(".", 0, ALL, ALL, draws[k] ? 6'h20 : 6'h10, 6'h00);
    end
    one.rnd = 1'b1;
    one.row("T", 0, ALL, ALL, 6'h20, 6'h20);
    one.rnd = 1'b0;
    one.row(".", 0, ALL, 6'h1f, 6'h20, 6'h00);
    // Reset in mid worm forgets the hold and the queue.
    one.reset;
    one.row("S", 1, ALL,   ALL,   6'h00, 6'h00);
    one.row(".", 0, ALL,   ALL,   6'h02, 6'h02);
    one.row(".", 0, ALL,   ALL,   6'h00, 6'h00);

    // GP, RG: all parents that could take the head.
    gp.reset;
    rg.reset;
    for (k = 0; k < 2; k = k + 1) begin
      gp.rnd = k[0];
      rg.rnd = k[0];
      gp.row("H", 15, ALL,   ALL,   6'h00, 6'h00);  rg.row("H", 15, ALL,   ALL,   6'h00, 6'h00);
      gp.row(".", 0,  ALL,   ALL,   6'h30, 6'h00);  rg.row(".", 0,  ALL,   ALL,   6'h30, 6'h00);
      gp.row(".", 0,  ALL,   6'h2f, 6'h20, 6'h00);  rg.row(".", 0,  ALL,   6'h2f, 6'h20, 6'h00);
      gp.row(".", 0,  6'h1f, ALL,   6'h10, 6'h00);  rg.row(".", 0,  6'h1f, ALL,   6'h10, 6'h00);
      gp.row(".", 0,  6'h1f, 6'h2f, 6'h00, 6'h00);  rg.row(".", 0,  6'h1f, 6'h2f, 6'h00, 6'h00);
      gp.row("T", 0,  ALL,   ALL,   6'h30, 6'h20);  rg.row("T", 0,  ALL,   ALL,   6'h30, 6'h20);
      gp.row(".", 0,  ALL,   6'h1f, 6'h20, 6'h20);  rg.row(".", 0,  ALL,   6'h1f, 6'h20, 6'h20);
      gp.row(".", 0,  ALL,   ALL,   6'h00, 6'h00);  rg.row(".", 0,  ALL,   ALL,   6'h00, 6'h00);
    end

    // A parent port: down, whatever the head's height.
    down.reset;
    down.row("S", 2, ALL, ALL, 6'h00, 6'h00);
    down.row("S", 12, ALL, ALL, 6'h04, 6'h04);
    down.row(".", 0, ALL, ALL, 6'h01, 6'h01);

    // Channels by turns: only one that could move is offered, next_q moves with a grant only.
    two.fill;
    two.turn(4'h3, 0, 1);  two.turn(4'h3, 1, 1);  two.turn(4'h3, 0, 0);  two.turn(4'h3, 0, 1);
    two.turn(4'h1, 0, 1);  two.turn(4'h0, 7, 0);  two.turn(4'h2, 1, 1);  two.turn(4'h2, 1, 1);
    two.turn(4'h3, 0, 1);
    four.fill;
    four.turn(4'hf, 0, 1); four.turn(4'hf, 1, 1); four.turn(4'hf, 2, 1); four.turn(4'hf, 3, 1);
    four.turn(4'ha, 1, 1); four.turn(4'ha, 3, 0); four.turn(4'hb, 3, 1); four.turn(4'h8, 3, 1);
    four.turn(4'h6, 1, 1); four.turn(4'h3, 0, 1); four.turn(4'h0, 7, 0); four.turn(4'h1, 0, 0);
    four.turn(4'h5, 2, 1); four.turn(4'hf, 3, 1);
    two.reset;
    four.reset;

    // FF: a body has its worm's height; it waits for the channel that its head took.
    ff.reset;
    ff.come(1, "H", 4'd15);
    ff.tick;
    ff.check("fresh", ff.fresh, 2'b10);
    ff.check("height", ff.height, 2'd2);
    ff.check("req", ff.req, 6'h10);
    ff.gnt = 6'h10;
    ff.takes = 2'b10;
    ff.come(1, "T", 4'd0);
    ff.tick;
    ff.check("not fresh", ff.fresh, 2'b00);
    ff.far_free = 12'd0;
    ff.far_room = 12'h100;               // channel 0 of output 4
    #1 ff.check("req", ff.req, 6'h00);
    ff.far_room = 12'h200;               // channel 1
    #1 ff.check("req", ff.req, 6'h10);
    ff.check("chan", ff.chan, 2'b10);
    ff.check("height", ff.height, 2'd2);
    ff.gnt = 6'h10;
    ff.takes = 2'b10;
    ff.come(1, "S", 4'd1);
    ff.tick;
    ff.far_free = 12'h008;               // a head takes any free channel, here 1 of output 1
    ff.far_room = 12'h008;
    #1 ff.check("req", ff.req, 6'h02);
    ff.check("chan", ff.chan, 2'b00);
    ff.check("height", ff.height, 2'd1);
    ff.far_free = 12'h000;
    #1 ff.check("req", ff.req, 6'h00);

    k = one.fails + gp.fails + rg.fails + down.fails + two.fails + four.fails + ff.fails;
    if (k == 0)
      $display("PASS tb_port: %0d checks", one.checks + gp.checks + rg.checks + down.checks +
               two.checks + four.checks + ff.checks);
    $finish;
  end
endmodule
`default_nettype wire
