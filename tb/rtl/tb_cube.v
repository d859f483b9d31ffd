// SPDX-License-Identifier: Apache-2.0
// tb_cube.v - one router of a k-ary 2-cube under random worms at all its ports, with gaps and stalls: each
// flit must leave once, in order, where and by a channel that its worm may take.  With 9 channels, which
// the co-simulation has not, and from registers that start unknown.
`default_nettype none

module cube_bench #(
  parameter integer NODE  = 0,
  parameter integer K     = 4,
  parameter integer TORUS = 1,
  parameter integer NHOP  = 0,
  parameter integer VCS   = 2,
  parameter integer DEPTH = 2,
  parameter integer SCAN  = 3,
  parameter integer WORMS = 250
) (
  input  wire clk,
  output reg  done,
  output reg  bad
);
  localparam integer FLIT_W = 48;
  localparam integer W      = FLIT_W + 2;
  localparam integer D      = $clog2(K);

  reg                rst;
  reg  [5*VCS-1:0]   in_valid;
  reg  [5*W-1:0]     in_flit;
  wire [5*VCS-1:0]   in_room;
  wire [5*VCS-1:0]   out_valid;
  wire [5*W-1:0]     out_flit;
  reg  [5*VCS-1:0]   out_room;
  wire [32*(4 + 6*(2+(FLIT_W+33)/32 + VCS*(1+DEPTH*((FLIT_W+33)/32))))-1:0] probe;

  cube_one #(
    .NODE(NODE), .K(K), .TORUS(TORUS), .NHOP(NHOP), .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .SCAN(SCAN)
  ) dut (
    .clk_i(clk), .rst_i(rst), .seed_i(32'd12345), .in_valid_i(in_valid), .in_flit_i(in_flit),
    .in_room_o(in_room), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room),
    .probe_o(probe)
  );

  integer len [0:WORMS-1], dst [0:WORMS-1], entry [0:WORMS-1], chan [0:WORMS-1];
  integer sending [0:5*VCS-1], sent [0:5*VCS-1];      // per input channel: worm or -1, flits so far
  integer leaving [0:5*VCS-1], left [0:5*VCS-1];      // per output channel
  integer started, delivered, cycle, idle, i, v, c, k, id, seed;
  reg [W-1:0] flit;

  // The shortest way from a digit to another: 1 up, 2 down, 0 there.
  function integer way;
    input integer from, to;
    integer up, down;
    begin
      up   = (to - from + K) % K;
      down = (from - to + K) % K;
      if (from == to) way = 0;
      else if (TORUS == 0) way = (to > from) ? 1 : 2;
      else if (up == down) way = (from % 2 == 0) ? 1 : 2;
      else way = (up < down) ? 1 : 2;
    end
  endfunction

  // The line's link between k - 1 and 0 is on the way.
  function integer joins;
    input integer from, to;
    joins = TORUS != 0 && ((way(from, to) == 1 && to < from) || (way(from, to) == 2 && to > from));
  endfunction

  // A head for node t that came by port p and channel n may leave by output o and channel m.
  function integer may;
    input integer t, p, n, o, m;
    integer x, y, wx, wy, hops;
    begin
      x = NODE % K;
      y = NODE / K;
      wx = way(x, t % K);
      wy = way(y, t / K);
      hops = (p == 4) ? 0 : ((x + y) % 2 == 0) ? n + 1 : n;
      may = 0;
      if (wx == 0 && wy == 0) may = o == 4;
      else if (o == wx - 1 || (o == wy + 1 && wy != 0 && (wx == 0 || NHOP != 0)))
        if (NHOP != 0) may = m == hops;
        else if (TORUS == 0) may = 1;
        else if (o < 2) may = joins(x, t % K) ? m < VCS / 2 : m >= VCS / 2;
        else may = joins(y, t / K) ? m < VCS / 2 : m >= VCS / 2;
    end
  endfunction

  // It may come in there: a port that is, not where it goes back, and not by the last channel of a class.
  function integer enters;
    input integer t, p, n;
    integer o, m;
    begin
      enters = 0;
      for (o = 0; o < 5; o = o + 1)
        for (m = 0; m < VCS; m = m + 1)
          if (may(t, p, n, o, m) != 0) enters = 1;
      for (m = 0; m < VCS; m = m + 1)
        if (may(t, p, n, p, m) != 0) enters = 0;
      if (TORUS == 0 && ((p == 0 && NODE % K == K - 1) || (p == 1 && NODE % K == 0) ||
                         (p == 2 && NODE / K == K - 1) || (p == 3 && NODE / K == 0))) enters = 0;
    end
  endfunction

  task wrong;
    input integer what;
    begin
      if (!bad) begin
        $display("FAIL: K=%0d TORUS=%0d NHOP=%0d VCS=%0d DEPTH=%0d node %0d:", K, TORUS, NHOP, VCS, DEPTH, NODE);
        $display("  check %0d at cycle %0d, output %0d channel %0d, worm %0d", what, cycle, i, v, id);
      end
      bad  = 1'b1;
      done = 1'b1;
    end
  endtask

  task drive;
    begin
      in_valid = 0;
      in_flit  = 0;
      for (i = 0; i < 5; i = i + 1) begin
        v = $unsigned($random(seed)) % VCS;
        c = VCS * i + v;
        if (in_room[c] && ($unsigned($random(seed)) % 4 != 0)) begin
          if (sending[c] < 0 && started < WORMS) begin
            k = $unsigned($random(seed)) % (K * K);
            if (enters(k, i, v) != 0) begin
              sending[c] = started;
              sent[c]        = 0;
              dst[started]   = k;
              entry[started] = i;
              chan[started]  = v;
              len[started]   = 1 + $unsigned($random(seed)) % 6;
              started        = started + 1;
            end
          end
          if (sending[c] >= 0) begin
            id = sending[c];
            flit = {sent[c] == 0, sent[c] == len[id] - 1, id[31:0], sent[c][15:0]};
            if (sent[c] == 0) begin
              flit[D-1:0] = dst[id] % K;
              flit[D+:D]  = dst[id] / K;
            end
            in_valid[c]      = 1'b1;
            in_flit[W*i+:W]  = flit;
            sent[c]          = sent[c] + 1;
            if (sent[c] == len[id]) sending[c] = -1;
          end
        end
      end
      out_room = {5*VCS{1'b1}};
      if (started < WORMS)
        for (c = 0; c < 5 * VCS; c = c + 1) out_room[c] = ($unsigned($random(seed)) % 3 != 0);
    end
  endtask

  task look;
    begin
      idle = idle + 1;
      if (^{out_valid, out_flit, in_room} === 1'bx) wrong(1);
      for (i = 0; i < 5 && !bad; i = i + 1) begin
        k = 0;
        for (v = 0; v < VCS && !bad; v = v + 1) begin
          c = VCS * i + v;
          flit = out_flit[W*i+:W];
          if (out_valid[c]) begin
            idle = 0;
            k    = k + 1;
            id   = flit[FLIT_W-1:16];
            if (!out_room[c] || k > 1) wrong(2);
            else if (flit[FLIT_W+1] != (leaving[c] < 0)) wrong(3);
            else if (flit[FLIT_W+1]) begin
              if (id >= started || len[id] < 0 || may(dst[id], entry[id], chan[id], i, v) == 0) wrong(4);
              leaving[c] = id;
              left[c]    = 0;
            end else if (id != leaving[c] || flit[15:0] != left[c]) wrong(5);
            if (!bad) begin
              left[c] = left[c] + 1;
              if (flit[FLIT_W] != (left[c] == len[id])) wrong(6);
              if (flit[FLIT_W]) begin
                delivered  = delivered + 1;
                len[id]    = -1;         // it cannot come again
                leaving[c] = -1;
              end
            end
          end
        end
        if (k == 0 && out_flit[W*i+:W] != 0) wrong(7);
      end
    end
  endtask

  initial begin
    done      = 1'b0;
    bad       = 1'b0;
    seed      = NODE + 1;
    started   = 0;
    delivered = 0;
    idle      = 0;
    id        = 0;
    rst       = 1'b1;
    in_valid  = 0;
    in_flit   = 0;
    out_room  = 0;
    for (c = 0; c < 5 * VCS; c = c + 1) begin
      sending[c] = -1;
      leaving[c] = -1;
    end
    @(posedge clk);
    #1 rst = 1'b0;
    for (cycle = 0; !done; cycle = cycle + 1) begin
      drive;
      #4 look;
      if (delivered == WORMS && idle > 20) done = 1'b1;
      if (idle > 500) wrong(8);        // some have not come
      @(posedge clk);
      #1;
    end
  end
endmodule

module tb_cube;
  reg clk = 1'b0;
  always #5 clk = ~clk;
  wire [6:0] done;
  wire [6:0] bad;

  cube_bench #(.NODE(136), .K(16), .NHOP(1), .VCS(9))
    u_even (.clk(clk), .done(done[0]), .bad(bad[0]));
  cube_bench #(.NODE(15), .K(16), .NHOP(1), .VCS(9), .SCAN(0), .DEPTH(1))
    u_odd (.clk(clk), .done(done[1]), .bad(bad[1]));
  cube_bench #(.NODE(255), .K(16), .VCS(9), .SCAN(1), .DEPTH(3))
    u_ecube (.clk(clk), .done(done[2]), .bad(bad[2]));
  cube_bench #(.NODE(40), .K(9), .TORUS(0), .NHOP(1), .VCS(9))
    u_mesh (.clk(clk), .done(done[3]), .bad(bad[3]));
  cube_bench #(.NODE(0), .K(4), .TORUS(0), .VCS(1))
    u_corner (.clk(clk), .done(done[4]), .bad(bad[4]));
  cube_bench #(.NODE(3), .K(2), .NHOP(1), .VCS(2), .SCAN(0))
    u_two (.clk(clk), .done(done[5]), .bad(bad[5]));
  cube_bench #(.NODE(12), .K(5), .VCS(3))
    u_five (.clk(clk), .done(done[6]), .bad(bad[6]));

  initial begin
    wait (&done);
    if (|bad) $display("FAIL");
    else $display("PASS tb_cube");
    $finish;
  end
endmodule
`default_nettype wire
