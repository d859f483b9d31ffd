// SPDX-License-Identifier: Apache-2.0
// tb_scan.v - scan.v alone: the five orders by hand tables, the registers behind them.
// C twin: tb/unit/test_scan.c, with the same tables.
`default_nettype none
`include "flit.vh"

module scan_bench #(
  parameter integer SCAN = 0,
  parameter integer VCS  = 1
);
  localparam integer PW = 32*(1+((SCAN==`FATFLY_FCFS)?(3*VCS*(6*VCS-1)+31)/32:0));
  reg              clk = 1'b0;
  reg              rst = 1'b1;
  reg  [7:0]       rnd = 8'd0;
  reg  [35:0]      gnt = 36'd0;
  reg  [11:0]      height = 12'd0;
  reg  [6*VCS-1:0] fresh = {6*VCS{1'b0}};
  reg  [6*VCS-1:0] offer = {6{{VCS{1'b0}} | 1'b1}};
  wire [89:0]      before;
  wire [PW-1:0]    probe;
  integer          checks = 0;
  integer          fails  = 0;

  scan #(.VCS(VCS), .SCAN(SCAN), .HEIGHT_W(2), .PROBE(1)) dut (
    .clk_i(clk), .rst_i(rst), .rand_i(rnd), .gnt_i(gnt), .height_i(height), .fresh_i(fresh),
    .offer_i(offer), .before_o(before), .probe_o(probe)
  );

  // What tb/formal proves of every input holds here, too.
  reg              mark = 1'b0;
  reg  [4:0]       chan = 5'd0;
  wire             ok;
  wire [7:0]       bad;
  wire [2:0]       covers;
  scan_props #(.VCS(VCS), .SCAN(SCAN), .HEIGHT_W(2)) props (
    .clk_i(clk), .rst_i(rst), .rand_i(rnd), .gnt_i(gnt), .height_i(height), .fresh_i(fresh),
    .offer_i(offer), .before_o(before), .probe_o(probe), .mark_i(mark), .chan_i(chan), .ok_o(ok),
    .bad_o(bad), .cover_o(covers)
  );

  task check(input [8*10-1:0] name, input [31:0] got, input [31:0] want);
    begin
      checks = checks + 1;
      if (got !== want) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_scan: time %0t scan %0d V %0d %0s: got %o, want %o", $time, SCAN, VCS,
                   name, got, want);
      end
    end
  endtask

  task tick;
    begin
      mark = $random;
      chan = $unsigned($random) % (6 * VCS);
      #5 if (!rst) check("properties", {23'd0, ok, bad}, 32'h100);
      clk = 1'b1;
      #5 clk = 1'b0;
      gnt   = 36'd0;
      fresh = {6*VCS{1'b0}};
    end
  endtask

  task reset;
    begin
      rst = 1'b1;
      tick;
      rst = 1'b0;
      #1;
      check("reset", probe[31:0], 32'd0);
      check("reset", probe[PW-1-:32], 32'd0);
      check("before x", {31'd0, ^before === 1'bx}, 32'd0);
    end
  endtask

  // Output at (6: every one) looks at these ports in this order; ports not named may be anywhere.
  integer   o, a, b;
  reg [2:0] first, then;
  task order(input integer at, input [8*6-1:0] text);
    for (o = 0; o < 6; o = o + 1)
      if (at == o || at == 6)
        for (a = 5; a > 0; a = a - 1)
          for (b = a - 1; b >= 0; b = b - 1) begin
            first = text[8*a+:3];
            then  = text[8*b+:3];
            if (text[8*a+:8] != 8'd0) begin
              if (first < then)
                check("i first", {31'd0, before[15*o+first*(11-first)/2+then-first-1]}, 32'd1);
              else
                check("j first", {31'd0, before[15*o+then*(11-then)/2+first-then-1]}, 32'd0);
            end
          end
  endtask
endmodule

module tb_scan;
  scan_bench #(.SCAN(`FATFLY_RR))   rr ();
  scan_bench #(.SCAN(`FATFLY_FO))   fo ();
  scan_bench #(.SCAN(`FATFLY_FF))   ff ();
  scan_bench #(.SCAN(`FATFLY_ROT))  rot ();
  scan_bench #(.SCAN(`FATFLY_FCFS)) age ();
  scan_bench #(.SCAN(`FATFLY_FCFS), .VCS(2)) age2 ();
  integer i, o, k, t, a, b, n, key, least;
  integer seen [0:5];
  integer came [0:11];
  reg [5:0] done;
  reg [8*6-1:0] text;

  // From port s upwards, wrapping after port 5.
  function [8*6-1:0] from(input integer s);
    case (s)
      0: from = "012345";
      1: from = "123450";
      2: from = "234501";
      3: from = "345012";
      4: from = "450123";
      default: from = "501234";
    endcase
  endfunction

  // FF: a random byte that gives this start port, then heights "112300" of ports 0 .. 5.
  task ff_row(input integer start, input [8*6-1:0] heights, input [8*6-1:0] want);
    begin
      ff.rnd = (start * 256 + 5) / 6;
      ff.tick;
      for (i = 0; i < 6; i = i + 1) ff.height[2*i+:2] = heights[8*(5-i)+:2];
      #1;
      ff.order(6, want);
    end
  endtask

  task age_row(input [5:0] fresh, input [8*6-1:0] want);
    begin
      age.fresh = fresh;
      #1;
      age.order(6, want);
      age.tick;
    end
  endtask

  task grant(input integer from_port, input integer to_port);
    rot.gnt[6*from_port+to_port] = 1'b1;
  endtask

  initial begin
    // RR: floor(6 * byte / 256), in the next cycle; each port for 42 or 43 of 256.
    rr.reset;
    rr.order(6, "012345");
    for (i = 0; i < 6; i = i + 1) seen[i] = 0;
    for (k = 0; k < 256; k = k + 1) begin
      rr.rnd = k[7:0];
      rr.tick;
      rr.rnd = 8'hxx;                    // it is a register: this cycle's byte is not seen
      #1;
      rr.check("start", rr.probe[31:0], k * 6 / 256);
      rr.order(6, from(k * 6 / 256));
      seen[rr.probe[2:0]] = seen[rr.probe[2:0]] + 1;
    end
    for (i = 0; i < 6; i = i + 1) rr.check("share", seen[i], (i == 2 || i == 5) ? 42 : 43);

    fo.reset;
    for (k = 0; k < 64; k = k + 1) begin
      fo.rnd   = $random;
      fo.gnt   = 36'd1 << (k % 36);
      fo.fresh = $random;
      fo.order(6, "012345");
      fo.tick;
      fo.check("no state", fo.probe, 32'd0);
    end

    // FF: greater height first, then from the start port.
    ff.reset;
    ff_row(0, "111111", "012345");
    ff_row(4, "111111", "450123");
    ff_row(0, "123123", "251403");
    ff_row(3, "123123", "524130");
    ff_row(5, "321123", "501423");
    ff_row(2, "103212", "235401");
    // The height of a port that offers nothing may be unknown; the others keep their order.
    ff_row(1, "300003", "501234");
    ff.height[3:2] = 2'bxx;
    #1;
    ff.order(0, {8'd0, "50234"});

    // ROT: after input i crosses to output o, o alone starts from i + 1.
    for (i = 0; i < 6; i = i + 1)
      for (o = 0; o < 6; o = o + 1) begin
        rot.reset;
        grant(i, o);
        rot.tick;
        #1;
        for (k = 0; k < 6; k = k + 1) rot.order(k, from((k == o) ? (i + 1) % 6 : 0));
        rot.check("rot_q", rot.probe[31:0], ((i + 1) % 6) << (3 + 3 * o));
      end
    rot.reset;
    grant(0, 2); grant(1, 0);
    rot.tick;
    rot.check("rot_q", rot.probe[31:0], {11'd0, 18'o000102, 3'o0});
    rot.tick;                            // nobody crosses: they stay
    rot.check("rot_q", rot.probe[31:0], {11'd0, 18'o000102, 3'o0});
    grant(0, 4); grant(4, 0); grant(5, 2);
    rot.tick;
    rot.check("rot_q", rot.probe[31:0], {11'd0, 18'o010005, 3'o0});
    grant(2, 5); grant(3, 4); grant(5, 1);
    rot.tick;
    rot.check("rot_q", rot.probe[31:0], {11'd0, 18'o340005, 3'o0});

    // FCFS: a head that comes is ordered in its own cycle, behind all that wait; the lowest port
    // first of several.
    age.reset;
    age_row(6'b001000, {40'd0, "3"});
    age_row(6'b010010, {24'd0, "314"});
    age_row(6'b000000, {24'd0, "314"});
    age_row(6'b000101, {8'd0, "31402"});
    age_row(6'b000000, {16'd0, "1402"});  // 3 has left ...
    age_row(6'b001000, {8'd0, "14023"});  // ... and its next head is the youngest
    age_row(6'b100010, "402315");         // likewise 1, which is before 5 that came with it
    age_row(6'b000000, {16'd0, "4315"});
    age_row(6'b000000, "402315");
    age_row(6'b111111, "012345");

    // FCFS with V = 2: channels by the list of their arrivals.
    age2.reset;
    for (t = 1; t < 400; t = t + 1) begin
      age2.fresh = (t == 1) ? 12'hfff : $random & $random & $random;
      for (a = 0; a < 12; a = a + 1) if (age2.fresh[a]) came[a] = t;
      for (i = 0; i < 6; i = i + 1) age2.offer[2*i+:2] = ($random & 1) ? 2'b10 : 2'b01;
      done = 6'd0;
      for (k = 5; k >= 0; k = k - 1) begin
        least = 1 << 30;
        for (i = 0; i < 6; i = i + 1) begin
          a   = 2 * i + age2.offer[2*i+1];
          key = 16 * came[a] + a;
          if (!done[i] && key < least) begin
            least = key;
            b = i;
          end
        end
        done[b] = 1'b1;
        text[8*k+:8] = "0" + b;
      end
      #1;
      age2.order(6, text);
      age2.check("before x", {31'd0, ^age2.before === 1'bx}, 32'd0);
      age2.tick;
    end
    age2.reset;                          // in mid traffic

    n = rr.fails + fo.fails + ff.fails + rot.fails + age.fails + age2.fails;
    if (n == 0)
      $display("PASS tb_scan: %0d checks", rr.checks + fo.checks + ff.checks + rot.checks +
               age.checks + age2.checks);
    $finish;
  end
endmodule
`default_nettype wire
