// SPDX-License-Identifier: Apache-2.0
// tb_template.v - docs/template.v at work: a packet from each port to every processor to which it can go from there, each alone,
// with outputs that stall; then packets of processor 0 without a gap.
//
// Heads are laid out by the table of docs/switch.md, not by fatfly_head.vh.  What leaves must be that packet, at the port of its
// destination or, where that is not below this switch, at a parent; and both parents must get some.  No processor sends to itself.
`default_nettype none

module tb_template;
  localparam integer HELD = 16;          // packets without a gap

  reg          aclk    = 1'b0;
  reg          aresetn = 1'b0;
  reg          start   = 1'b0;
  reg  [5:0]   dst     = 6'd0;
  reg  [31:0]  data    = 32'd0;
  wire         ready;
  reg  [159:0] s_tdata = 160'd0;
  reg  [4:0]   s_tlast = 5'd0, s_tvalid = 5'd0;
  wire [4:0]   s_tready;
  wire [191:0] m_tdata;
  wire [5:0]   m_tlast, m_tvalid;
  reg  [5:0]   m_tready = 6'd0;

  template dut (
    .aclk(aclk), .aresetn(aresetn), .start(start), .dst(dst), .data(data), .ready(ready),
    .s_tdata(s_tdata), .s_tlast(s_tlast), .s_tvalid(s_tvalid), .s_tready(s_tready),
    .m_tdata(m_tdata), .m_tlast(m_tlast), .m_tvalid(m_tvalid), .m_tready(m_tready)
  );

  always #5 aclk = ~aclk;

  reg  [32:0]  beat [0:2*HELD-1];        // that are to leave: last, data
  reg  [5:0]   may;                      // ports at which
  reg  [5:0]   at;                       // ports at which the first one did
  reg  [1:0]   parents = 2'd0;           // that got something
  reg          stalls  = 1'b1;
  integer      want = 0, got = 0, packets = 0, faults = 0, waited = 0, seed = 1, p, q, from, to, far, k;
  time         begun;

  task fault(input integer port);
    begin
      $display("FAIL a packet from port %0d, processor %0d, to processor %0d: after %0d of %0d beats: port %0d, %b %b %h", from, far, to,
               got, want, port, m_tvalid, m_tlast, m_tdata);
      faults = faults + 1;
      $finish;
    end
  endtask

  always @(posedge aclk)
    for (q = 0; q < 6; q = q + 1)
      if (aresetn && m_tvalid[q] !== 1'b0 && (m_tready[q] || m_tvalid[q] === 1'bx) && faults == 0) begin
        if (got % 2 == 0) at = 6'd1 << q;
        if (!may[q] || !at[q] || got == want || {m_tlast[q], m_tdata[32*q+:32]} !== beat[got]) fault(q);
        if (q >= 4) parents[q-4] = 1'b1;
        got = got + 1;
      end
  // Inputs change between the edges.
  always @(negedge aclk) m_tready = stalls ? $random(seed) : ~6'd0;

  // The packet of `from`, `far` and `to` is expected, with a body.
  task expect_packet(input [31:0] body);
    reg [5:0] a, b;
    begin
      a = far;
      b = to;
      beat[want] = {19'd0, (a[5:4] != b[5:4]) ? 2'd3 : (a[3:2] != b[3:2]) ? 2'd2 : 2'd1, a, b};
      beat[want+1] = {1'b1, body};
      want = want + 2;
      packets = packets + 1;
      may = (b < 4) ? 6'd1 << b[1:0] : 6'b110000;
    end
  endtask

  // All that is expected leaves, and nothing more.
  task leaves;
    begin
      for (waited = 0; got < want && waited < 100; waited = waited + 1) @(negedge aclk);
      repeat (4) @(negedge aclk);
      if (got != want && faults == 0) fault(-1);
      want = 0;
      got = 0;
    end
  endtask

  // The input that is offered is taken at an edge; what it was is gone then.
  task taken;
    reg took;
    begin
      took = 1'b0;
      for (waited = 0; !took && waited < 100; waited = waited + 1) begin
        @(posedge aclk) took = (from == 0) ? ready === 1'b1 : s_tready[from-1] === 1'b1;
        @(negedge aclk);
      end
      if (!took && faults == 0) fault(-1);
    end
  endtask

  task send;
    begin
      expect_packet($random(seed));
      if (from == 0) begin
        {start, dst, data} = {1'b1, to[5:0], beat[want-1][31:0]};
        taken;
        {start, dst, data} = {1'b0, ~dst, ~data};
      end else begin
        s_tvalid[from-1] = 1'b1;
        for (k = want - 2; k < want; k = k + 1) begin
          {s_tlast[from-1], s_tdata[32*(from-1)+:32]} = beat[k];
          taken;
        end
        s_tvalid[from-1] = 1'b0;
        s_tdata = ~s_tdata;
      end
      leaves;
    end
  endtask

  initial begin
    repeat (2) @(negedge aclk);
    aresetn = 1'b1;
    repeat (2) @(negedge aclk);
    for (from = 0; from < 4; from = from + 1) begin
      far = from;
      for (to = 0; to < 64; to = to + 1) if (to != from) send;
    end
    // What comes from a parent is of a processor elsewhere, for one of the four here.
    for (from = 4; from < 6; from = from + 1)
      for (far = 4; far < 64; far = far + 1)
        for (to = 0; to < 4; to = to + 1) send;
    if (parents != 2'b11 && faults == 0) fault(-1);

    // The next packet is offered while the second beat of the one before leaves; without stalls each takes two cycles.
    from = 0;
    far = 0;
    to = 2;
    for (p = 0; p < 2; p = p + 1) begin
      stalls = (p == 0);
      repeat (2) @(negedge aclk);
      for (k = 0; k < HELD; k = k + 1) expect_packet(k * 32'h1234567);
      begun = $time;
      {start, dst} = {1'b1, 6'd2};
      for (k = 0; k < HELD; k = k + 1) begin
        data = k * 32'h1234567;
        taken;
      end
      start = 1'b0;
      if (!stalls && $time - begun != 10 * (2 * HELD - 1) && faults == 0) fault(-1);
      leaves;
    end
    if (faults == 0) $display("PASS %0d packets", packets);
    $finish;
  end
endmodule
`default_nettype wire
