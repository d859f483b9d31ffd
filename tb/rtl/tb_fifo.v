// SPDX-License-Identifier: Apache-2.0
// tb_fifo.v - fifo.v alone at depths 1, 2, 3, 5 and 16, cycle by cycle and at random.
// C twin: tb/unit/test_fifo.c, with the same tables.
`default_nettype none

module fifo_bench #(
  parameter integer DEPTH = 2
);
  reg        clk = 1'b0;
  reg        rst = 1'b1;
  reg        push = 1'b0;
  reg        pop = 1'b0;
  reg  [7:0] data;
  wire [7:0] front;
  wire       valid, room, fresh, ok;
  reg        mark = 1'b0;
  wire [6:0] bad;
  wire [4:0] covers;
  wire [31+DEPTH*32:0] probe;
  integer    checks = 0;
  integer    fails  = 0;
  integer    cycle  = 0;
  integer    sent, got, held, full, t;
  reg        is_fresh;

  fifo #(.WIDTH(8), .DEPTH(DEPTH), .PROBE(1)) dut (
    .clk_i(clk), .rst_i(rst), .push_i(push), .data_i(data), .pop_i(pop),
    .data_o(front), .valid_o(valid), .room_o(room), .fresh_o(fresh), .probe_o(probe)
  );

  // What tb/formal proves of every input holds here, too.
  fifo_props #(.WIDTH(8), .DEPTH(DEPTH)) props (
    .clk_i(clk), .rst_i(rst), .push_i(push), .data_i(data), .pop_i(pop), .data_o(front),
    .valid_o(valid), .room_o(room), .fresh_o(fresh), .probe_o(probe),
    .mark_i(mark), .ok_o(ok), .bad_o(bad), .cover_o(covers)
  );

  task check(input [8*12-1:0] name, input [31:0] is, input [31:0] want);
    begin
      checks = checks + 1;
      if (is !== want) begin
        fails = fails + 1;
        if (fails <= 20)
          $display("FAIL tb_fifo: time %0t depth %0d cycle %0d %0s: got %h, want %h", $time, DEPTH,
                 cycle, name, is, want);
      end
    end
  endtask

  task tick;
    begin
      mark = $random;
      #5 if (!rst) begin
        check("properties", {25'd0, bad}, 32'd0);
        check("kept", {31'd0, ok}, 32'd1);
      end
      clk = 1'b1;
      #5 clk = 1'b0;
      cycle = cycle + 1;
    end
  endtask

  task reset;
    begin
      rst = 1'b1;
      tick;
      rst = 1'b0;
      push = 1'b0;
      pop = 1'b0;
      cycle = 0;
      #1;
      check("reset count", probe[31:0], 32'd0);
    end
  endtask

  // One cycle: what enters ("." nothing), whether the front leaves; before the edge: the front
  // ("." empty), room, fresh.
  task row(input [7:0] in, input leaves, input [7:0] is_front, input is_room, input is_new);
    begin
      push = in != ".";
      data = push ? in : 8'hxx;          // not read unless push
      pop  = leaves;
      #1;
      check("valid", {31'd0, valid}, {31'd0, is_front != "."});
      if (is_front != ".") check("front", {24'd0, front}, {24'd0, is_front});
      check("room", {31'd0, room}, {31'd0, is_room});
      check("fresh", {31'd0, fresh}, {31'd0, is_new});
      tick;
    end
  endtask

  // A sender that sends when it sees room, a receiver that always takes: 100 cycles.
  task stream(input integer want);
    begin
      reset;
      sent = 0;
      got  = 0;
      for (t = 0; t < 101; t = t + 1) begin
        push = room;
        pop  = valid;
        data = sent[7:0];
        #1;
        if (pop) check("stream", {24'd0, front}, {24'd0, got[7:0]});
        if (pop) got = got + 1;
        if (push) sent = sent + 1;
        tick;
      end
      check("rate", got, want);
    end
  endtask

  // Against a counting list; every other 100 cycles tend to fill, the others to drain.
  task at_random;
    begin
      reset;
      sent = 0;
      got  = 0;
      full = 0;
      is_fresh = 1'b0;
      for (t = 0; t < 3000; t = t + 1) begin
        held = sent - got;
        push = held < DEPTH && ($random & 7) < ((t / 100) % 2 ? 6 : 2);
        pop  = held > 0 && ($random & 7) < ((t / 100) % 2 ? 2 : 6);
        data = push ? sent[7:0] : 8'hxx;
        #1;
        check("valid", {31'd0, valid}, {31'd0, held > 0});
        check("room", {31'd0, room}, {31'd0, held < DEPTH});
        check("fresh", {31'd0, fresh}, {31'd0, is_fresh});
        check("count", {27'd0, probe[4:0]}, held);
        if (held > 0) check("front", {24'd0, front}, {24'd0, got[7:0]});
        if (held == DEPTH) full = full + 1;
        is_fresh = (push && held == {31'd0, pop}) || (pop && held > 1);
        if (push) sent = sent + 1;
        if (pop) got = got + 1;
        tick;
      end
      check("was full", {31'd0, full > 0}, 32'd1);
      reset;                              // with flits inside
    end
  endtask
endmodule

module tb_fifo;
  fifo_bench #(.DEPTH(1))  d1 ();
  fifo_bench #(.DEPTH(2))  d2 ();
  fifo_bench #(.DEPTH(3))  d3 ();
  fifo_bench #(.DEPTH(5))  d5 ();
  fifo_bench #(.DEPTH(16)) d16 ();
  integer k;

  initial begin
    //     in leaves front room fresh
    d1.reset;
    d1.row("A", 0, ".", 1, 0);
    d1.row(".", 0, "A", 0, 1);
    d1.row(".", 1, "A", 0, 0);           // room is not seen before the next cycle
    d1.row("B", 0, ".", 1, 0);
    d1.row(".", 1, "B", 0, 1);
    d1.row(".", 0, ".", 1, 0);

    d2.reset;
    d2.row("A", 0, ".", 1, 0);
    d2.row("B", 0, "A", 1, 1);           // B waits in the ring
    d2.row(".", 0, "A", 0, 0);           // full
    d2.row(".", 1, "A", 0, 0);
    d2.row("C", 1, "B", 1, 1);           // C comes straight to the front
    d2.row("D", 1, "C", 1, 1);
    d2.row("E", 0, "D", 1, 1);
    d2.row(".", 1, "D", 0, 0);
    d2.row(".", 1, "E", 1, 1);
    d2.row(".", 0, ".", 1, 0);

    d3.reset;
    d3.row("A", 0, ".", 1, 0);
    d3.row("B", 0, "A", 1, 1);
    d3.row("C", 0, "A", 1, 0);
    d3.row(".", 0, "A", 0, 0);
    d3.row(".", 1, "A", 0, 0);
    d3.row("D", 1, "B", 1, 1);
    d3.row("E", 0, "C", 1, 1);
    d3.row(".", 1, "C", 0, 0);
    d3.row(".", 1, "D", 1, 1);
    d3.row(".", 0, "E", 1, 1);
    d3.row(".", 1, "E", 1, 0);
    d3.row(".", 0, ".", 1, 0);

    d16.reset;
    for (k = 0; k < 16; k = k + 1) d16.row("A" + k, 0, (k == 0) ? "." : "A", 1, k == 1);
    d16.row(".", 1, "A", 0, 0);
    for (k = 1; k < 16; k = k + 1) d16.row(".", 1, "A" + k, 1, 1);
    d16.row(".", 0, ".", 1, 0);

    d1.stream(50);
    d2.stream(100);
    d3.stream(100);
    d5.stream(100);
    d16.stream(100);
    d1.at_random;
    d2.at_random;
    d3.at_random;
    d5.at_random;
    d16.at_random;

    if (d1.fails + d2.fails + d3.fails + d5.fails + d16.fails == 0)
      $display("PASS tb_fifo: %0d checks",
               d1.checks + d2.checks + d3.checks + d5.checks + d16.checks);
    $finish;
  end
endmodule
`default_nettype wire
