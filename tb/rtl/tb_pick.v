// SPDX-License-Identifier: Apache-2.0
// tb_pick.v - pick.v alone: all 64 requests in all 720 orders.  C twin: tb/unit/test_pick.c.
`default_nettype none

module tb_pick;
  reg  [5:0]  req;
  reg  [14:0] before;
  wire [5:0]  gnt;
  integer     checks = 0;
  integer     fails  = 0;
  integer     orders = 0;
  integer     i, j, k, m, n;
  reg  [2:0]  order [0:5];
  reg  [5:0]  want;
  reg         is_order;

  wire [35:0] ahead;

  order rows (.before_i(before), .ahead_o(ahead));
  pick dut (.req_i(req), .ahead_i(ahead), .gnt_o(gnt));

  // What tb/formal proves of every input holds here, too; of every eighth, for speed.
  reg  [14:0] its_before;
  reg  [35:0] its_ahead;
  reg  [5:0]  its_req;
  reg  [5:0]  its_gnt;
  wire [4:0] bad;
  wire [1:0] covers;
  pick_props props (
    .before_i(its_before), .ahead_o(its_ahead), .req_i(its_req), .gnt_o(its_gnt), .bad_o(bad),
    .cover_o(covers)
  );

  function integer pair(input integer a, input integer b);
    pair = a * (11 - a) / 2 + b - a - 1;
  endfunction

  initial begin
    // All 6^6 rows of places; those that name each port once are the orders.
    for (n = 0; n < 46656; n = n + 1) begin
      m = n;
      want = 6'd0;
      for (k = 0; k < 6; k = k + 1) begin
        order[k] = m % 6;
        want[m % 6] = 1'b1;
        m = m / 6;
      end
      is_order = want == 6'h3f;
      if (is_order) begin
        orders = orders + 1;
        for (i = 0; i < 6; i = i + 1)
          for (j = i + 1; j < 6; j = j + 1)
            if (order[i] < order[j]) before[pair(order[i], order[j])] = 1'b1;
            else                     before[pair(order[j], order[i])] = 1'b0;
        for (m = 0; m < 64; m = m + 1) begin
          req  = m[5:0];
          want = 6'd0;
          for (k = 5; k >= 0; k = k - 1)
            if (req[order[k]]) want = 6'd1 << order[k];
          #1;
          checks = checks + 1;
          if (m % 8 == orders % 8) begin
            {its_before, its_ahead, its_req, its_gnt} = {before, ahead, req, gnt};
            #1;
          end
          if (gnt !== want || (m % 8 == orders % 8 && bad !== 5'd0)) begin
            fails = fails + 1;
            if (fails <= 20)
              $display("FAIL tb_pick: time %0t gnt_o of %b in order %b: got %b, want %b; bad %b", $time,
                       req, before, gnt, want, bad);
          end
        end
      end
    end
    // What is said of ports that do not ask does not matter, not even that it is unknown.
    before = 15'bxxxxxxxxxxxxxxx;
    for (m = 0; m < 6; m = m + 1) begin
      req = 6'd1 << m;
      #1;
      checks = checks + 1;
      if (gnt !== req) begin
        fails = fails + 1;
        $display("FAIL tb_pick: time %0t gnt_o of %b alone: got %b, want %b", $time, req, gnt, req);
      end
    end
    if (orders != 720) begin
      fails = fails + 1;
      $display("FAIL tb_pick: time %0t orders: got %0d, want 720", $time, orders);
    end
    if (fails == 0) $display("PASS tb_pick: %0d checks", checks);
    $finish;
  end
endmodule
`default_nettype wire
