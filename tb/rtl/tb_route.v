// SPDX-License-Identifier: Apache-2.0
// tb_route.v - route.v alone: every source and destination of N = 16 and 64 at every level and
// path, as a child and as a parent port.  C twin: tb/unit/test_route.c.
`default_nettype none

module route_bench #(
  parameter integer PATH   = 0,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer PARENT = 0
);
  localparam integer H = (LEVELS == 2) ? 8 : 12;        // the height field, two bits
  reg  [31:0] head;
  reg         rnd;
  wire [3:0]  child;
  wire [1:0]  parent;
  wire [1:0]  height;
  integer     checks = 0;
  integer     fails  = 0;
  integer     src, dst, top, k, want;

  wire        ok;
  wire [2:0]  bad;
  wire [1:0]  covers;

  // What tb/formal proves of every input holds here, too.
  route_props #(
    .FLIT_W(32), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
  ) props (
    .head_i(head), .rand_i(rnd), .child_o(child), .parent_o(parent), .height_o(height), .ok_o(ok),
    .bad_o(bad), .cover_o(covers)
  );

  route #(
    .FLIT_W(32), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PARENT(PARENT)
  ) dut (.head_i(head), .rand_i(rnd), .child_o(child), .parent_o(parent), .height_o(height));

  task check(input [8*8-1:0] name, input [5:0] got, input [5:0] expected);
    begin
      checks = checks + 1;
      if (got !== expected) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_route: time %0t path %0d level %0d of %0d, %0d to %0d %0s", $time, PATH,
                   LEVEL, LEVELS, src, dst, name, ": got %b, want %b", got, expected);
      end
    end
  endtask

  // k: the random bit, then the path bits; the free bits are unknown.
  task all;
    for (src = 0; src < 1 << (2 * LEVELS); src = src + 1)
      for (dst = 0; dst < 1 << (2 * LEVELS); dst = dst + 1) begin
        top = (src / 4 == dst / 4) ? 1 : (src / 16 == dst / 16) ? 2 : 3;
        for (k = 0; k < 1 << LEVELS; k = k + 1) begin
          head = 32'hxxxxxxxx;
          rnd  = k[0];
          if (LEVELS == 2) head[10:0] = {k[1], top[1:0], src[3:0], dst[3:0]};
          else             head[15:0] = {k[2:1], top[1:0], src[5:0], dst[5:0]};
          if (PARENT != 0 || top <= LEVEL) want = 1 << ((dst / (1 << (2 * (LEVEL - 1)))) % 4);
          else if (PATH == 0) want = 16 << ((k >> LEVEL) & 1);
          else if (PATH == 1) want = 16 << (k & 1);
          else want = 48;
          #1;
          check("outputs", {parent, child}, want[5:0]);
          check("height", {4'd0, height}, top[5:0]);
          check("props", {1'b0, bad, ok, 1'b0}, 6'b000010);
        end
      end
  endtask
endmodule

module tb_route;
  integer checks = 0;
  integer fails  = 0;
  genvar p, l, d;
  generate
    for (p = 0; p < 4; p = p + 1) begin : g_path
      for (l = 1; l <= 5; l = l + 1) begin : g_level       // 1, 2 of 2; 1, 2, 3 of 3
        for (d = 0; d < 2; d = d + 1) begin : g_side
          route_bench #(
            .PATH(p), .LEVEL((l < 3) ? l : l - 2), .LEVELS((l < 3) ? 2 : 3), .PARENT(d)
          ) b ();
          // One bench in each stretch of time; the largest takes 4096 * 8.
          initial begin
            #(40000 * (10 * p + 2 * (l - 1) + d));
            b.all;
            checks = checks + b.checks;
            fails  = fails + b.fails;
          end
        end
      end
    end
  endgenerate

  initial begin
    #(40000 * 41);
    if (fails == 0 && checks == 4 * 2 * (2 * 256 * 4 + 3 * 4096 * 8) * 3)
      $display("PASS tb_route: %0d checks", checks);
    else $display("FAIL tb_route: time %0t: %0d checks, %0d failed", $time, checks, fails);
    $finish;
  end
endmodule
`default_nettype wire
