// SPDX-License-Identifier: Apache-2.0
// tb_arbiter.v - arbiter.v alone against the spec's scan: each input in turn takes what it wants if
// that is still free.  C twin: tb/unit/test_arbiter.c, which goes through all requests.
`default_nettype none
`include "flit.vh"

module arbiter_bench #(
  parameter integer PATH = 0,
  parameter integer ROOT = 0
);
  reg  [35:0] req;
  reg  [3:0]  pref;
  reg  [89:0] before;
  wire [35:0] gnt;
  integer     checks = 0;
  integer     fails  = 0;
  integer     i, j, k, o, n, c, lead;
  reg  [2:0]  order [0:35];              // row o: the order at output o
  reg  [35:0] want;
  reg  [5:0]  taken, wants, served;
  reg  [89:0] draft;                     // of before, which costs a simulator more to change
  reg  [35:0] asks;                      // of req

  arbiter #(.PATH(PATH), .ROOT(ROOT)) dut (
    .req_i(req), .pref_i(pref), .before_i(before), .gnt_o(gnt)
  );

  // What tb/formal proves of every input holds here, too.
  reg  [5:0]  done, next;              // of the scan at one output: who had a turn, who has it
  reg  [2:0]  out;
  reg  [35:0] its_req, its_gnt;        // of one check in a few, for speed
  reg  [3:0]  its_pref;
  reg  [89:0] its_before;
  wire       ok;
  wire [6:0] bad;
  wire [4:0] covers;
  arbiter_props #(.PATH(PATH), .ROOT(ROOT)) props (
    .req_i(its_req), .pref_i(its_pref), .before_i(its_before), .gnt_o(its_gnt), .done_i(done),
    .next_i(next), .out_i(out), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );

  task turns;
    begin
      {its_req, its_pref, its_before, its_gnt} = {req, pref, before, gnt};
      o    = $unsigned($random) % 6;
      out  = o;
      done = 6'd0;
      for (k = 0; k < 6; k = k + 1) begin
        next = 6'd1 << order[6*o+k];
        #1;
        checks = checks + 1;
        if (ok !== 1'b1 || bad !== 7'd0) begin
          fails = fails + 1;
          if (fails <= 20)
            $display("FAIL tb_arbiter: time %0t path %0d root %0d req %o output %0d turn %0d", $time,
                     PATH, ROOT, req, o, k, ": ok %b, bad %b", ok, bad);
        end
        done = done | next;
      end
    end
  endtask

  // Output o looks at the inputs in this order, "013524"; 6: all outputs do.
  task set_order(input integer at, input [8*6-1:0] text);
    begin
      for (o = 0; o < 6; o = o + 1)
        if (at == o || at == 6)
          for (k = 0; k < 6; k = k + 1) begin
            order[6*o+k] = text[8*(5-k)+:3];
            for (j = 0; j < k; j = j + 1) spell(o, order[6*o+j], order[6*o+k]);
          end
      before = draft;
    end
  endtask

  task spell(input integer at, input [2:0] first, input [2:0] then);
    if (first < then) draft[15*at+first*(11-first)/2+then-first-1] = 1'b1;
    else              draft[15*at+then*(11-then)/2+first-then-1] = 1'b0;
  endtask

  reg [8*6-1:0] text;
  reg [7:0]     held;
  task random_order(input integer at);
    begin
      text = "012345";
      for (k = 5; k > 0; k = k - 1) begin
        n = $unsigned($random) % (k + 1);
        held = text[8*n+:8];
        text[8*n+:8] = text[8*k+:8];
        text[8*k+:8] = held;
      end
      set_order(at, text);
    end
  endtask

  // A request that port i can make, the n-th of them.
  function [5:0] choice(input integer port, input integer which);
    integer c, seen;
    begin
      choice = 6'd0;
      seen = 0;
      for (c = 0; c < 6; c = c + 1)
        if (c != port && !(port > 3 && c > 3) && !(ROOT != 0 && c > 3)) begin
          seen = seen + 1;
          if (seen == which) choice = 6'd1 << c;
        end
      if (which == 6) choice = (PATH >= `FATFLY_GP && port < 4 && ROOT == 0) ? 6'h30 : 6'd0;
    end
  endfunction

  task random_request;
    begin
      for (i = 0; i < 6; i = i + 1)
        asks[6*i+:6] = (ROOT != 0 && i > 3) ? 6'd0 : choice(i, $unsigned($random) % 7);
      req = asks;
    end
  endtask

  // One order for all outputs: the spec's scan.
  task scan;
    begin
      want  = 36'd0;
      taken = 6'd0;
      for (k = 0; k < 6; k = k + 1) begin
        i = order[k];
        wants = req[6*i+:6] & ~taken;
        if (wants == 6'h30)              // both parents will do and are free
          wants = (PATH == `FATFLY_RG && pref[i]) ? 6'h20 : 6'h10;
        want[6*i+:6] = wants;
        taken = taken | wants;
      end
    end
  endtask

  // An order per output (ROT): outputs one by one, but the first that goes up leads under RG.
  task scan_apart;
    begin
      want   = 36'd0;
      taken  = 6'd0;
      served = 6'd0;
      lead   = 6;
      if (PATH == `FATFLY_RG)
        for (k = 5; k >= 0; k = k - 1)
          if (|(req[6*order[24+k]+:6] & 6'h30)) lead = order[24+k];
      if (lead < 6) begin
        wants = req[6*lead+:6] & 6'h30;
        if (wants == 6'h30) wants = pref[lead] ? 6'h20 : 6'h10;
        want[6*lead+:6] = wants;
        taken = wants;
        served[lead] = 1'b1;
      end
      for (o = 0; o < 6; o = o + 1)
        for (k = 0; k < 6; k = k + 1) begin
          i = order[6*o+k];
          if (req[6*i+o] && !served[i] && !taken[o]) begin
            want[6*i+o] = 1'b1;
            taken[o]    = 1'b1;
            served[i]   = 1'b1;
          end
        end
    end
  endtask

  task check;
    begin
      #1;
      checks = checks + 1;
      if (gnt !== want) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_arbiter: time %0t path %0d root %0d req %o pref %b: gnt_o", $time, PATH,
                   ROOT, req, pref, " got %o, want %o", gnt, want);
      end
    end
  endtask

  task row(input [8*6-1:0] in_order, input [3:0] prefers, input [35:0] request,
           input [35:0] grants);
    begin
      set_order(6, in_order);
      pref = prefers;
      req  = request;
      want = grants;
      check;
    end
  endtask

  task at_random(input integer count);
    repeat (count) begin
      random_request;
      pref = $random;
      random_order(6);
      scan;
      check;
      turns;
      for (c = 0; c < 6; c = c + 1) random_order(c);
      scan_apart;
      check;
      turns;
    end
  endtask

  // All that four children can ask of two parents, all preferences.
  task all_up;
    for (c = 0; c < 4096; c = c + 1) begin
      req = {12'd0, c[7:6], 4'd0, c[5:4], 4'd0, c[3:2], 4'd0, c[1:0], 4'd0};
      pref = c[11:8];
      if (c % 16 == 0) random_order(6);
      scan;
      check;
    end
  endtask

  // Crosspoints that do not exist give nothing, even when all are asked for, one input at a time.
  task missing;
    for (c = 0; c < 36; c = c + 1) begin
      req  = 36'd1 << c;
      pref = 4'd0;
      want = (c / 6 == c % 6 || (c / 6 > 3 && c % 6 > 3) ||
              (ROOT != 0 && (c / 6 > 3 || c % 6 > 3))) ? 36'd0 : req;
      check;
    end
  endtask
endmodule

module tb_arbiter;
  arbiter_bench #(.PATH(`FATFLY_FP)) fp ();
  arbiter_bench #(.PATH(`FATFLY_RP)) rp ();
  arbiter_bench #(.PATH(`FATFLY_GP)) gp ();
  arbiter_bench #(.PATH(`FATFLY_RG)) rg ();
  arbiter_bench #(.PATH(`FATFLY_RG), .ROOT(1)) root ();

  initial begin
    // Octal rows, port 5 first.        5  4  3  2  1  0
    rp.row("012345", 4'b0000, 36'o00_00_00_00_04_04, 36'o00_00_00_00_00_04);
    rp.row("123450", 4'b0000, 36'o00_00_00_00_04_04, 36'o00_00_00_00_04_00);
    rp.row("012345", 4'b0000, 36'o10_04_40_20_01_02, 36'o10_04_40_20_01_02); // six at once
    rp.row("012345", 4'b0000, 36'o00_00_00_00_20_20, 36'o00_00_00_00_00_20); // parent 1 is idle
    gp.row("210345", 4'b0111, 36'o00_00_00_60_60_60, 36'o00_00_00_20_40_00); // lowest first
    gp.row("012345", 4'b0000, 36'o00_00_00_00_40_40, 36'o00_00_00_00_00_40);
    rg.row("012345", 4'b0011, 36'o00_00_00_60_60_60, 36'o00_00_00_00_20_40); // both prefer 1
    rg.row("012345", 4'b0001, 36'o00_00_00_60_60_60, 36'o00_00_00_00_20_40);
    rg.row("012345", 4'b0011, 36'o00_00_00_00_60_20, 36'o00_00_00_00_40_20); // 0 holds parent 0
    // What is said of inputs that do not ask does not matter, not even that it is unknown.
    rg.before = {90{1'bx}};
    rg.req    = 36'o00_10_00_00_60_00;
    rg.pref   = 4'bxx1x;
    rg.want   = 36'o00_10_00_00_40_00;
    rg.check;

    fp.set_order(6, "012345");
    fp.missing;
    rg.set_order(6, "543210");
    rg.missing;
    root.set_order(6, "012345");
    root.missing;
    fp.at_random(200);
    rp.at_random(200);
    gp.at_random(200);
    rg.at_random(200);
    root.at_random(100);
    gp.all_up;
    rg.all_up;

    if (fp.fails + rp.fails + gp.fails + rg.fails + root.fails == 0)
      $display("PASS tb_arbiter: %0d checks",
               fp.checks + rp.checks + gp.checks + rg.checks + root.checks);
    $finish;
  end
endmodule
`default_nettype wire
