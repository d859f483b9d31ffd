// SPDX-License-Identifier: Apache-2.0
// arbiter_props.v - what must hold of arbiter.v, for proof and simulation.
//
// The scan is the spec's (section 4), in turns: inputs in order, each takes what it wants if that is
// still free.  It is proven turn by turn: done_i had theirs, next_i comes before all others that
// ask, and takes out of what done_i left; the induction over the turns is docs/trust.md's.
// ORDERS = 6 (ROT): the same at one output, out_i, in its own order; outputs in turn, but that under
// RG the first in parent 0's order of all that go up takes its parent before.
`default_nettype none
`include "flit.vh"

module arbiter_props #(
  parameter integer PATH = `FATFLY_RP,
  parameter integer ROOT = 0,
  parameter integer ORDERS = 6
) (
  input  wire [35:0]           req_i,
  input  wire [3:0]            pref_i,
  input  wire [15*ORDERS-1:0]  before_i,
  input  wire [35:0]           gnt_o,
  input  wire [5:0]            done_i, // any set: what holds of it is proven if it is as above
  input  wire [5:0]            next_i,
  input  wire [2:0]            out_i,
  output wire                  ok_o,   // rows that port.v gives, those that ask are in order
  // bad[0]: an output is granted twice
  // bad[1]: an input is granted twice
  // bad[2]: a grant without a request
  // bad[3]: a grant at a crosspoint that does not exist
  // bad[4]: an output is idle while an input that asks for it gets nothing
  // bad[5]: not the grants of the spec's scan
  // bad[6]: an input gets nothing while one behind it gets an output that it asks for
  output wire [6:0]            bad_o,
  // cover[0]: all inputs that exist are granted
  // cover[1]: four inputs ask for one output, the last of them in number gets it
  // cover[2]: both parents are granted (root: children 0 and 1 change places)
  // cover[3]: both parents are asked for by two, who get one each (FP, RP, root: as cover[2])
  // cover[4]: the third of four that want one output is next, and gets nothing
  output wire [4:0]            cover_o
);
  localparam integer PORTS = (ROOT != 0) ? 4 : 6;
  localparam [0:0]   BOTH  = (PATH == `FATFLY_GP || PATH == `FATFLY_RG) && ROOT == 0;

  // Crosspoints that exist; requests and grants there, per input and per output.
  reg  [35:0] real_xp, asks, gnt_col;
  integer     a, b;
  always @* begin
    for (a = 0; a < 6; a = a + 1)
      for (b = 0; b < 6; b = b + 1) begin
        real_xp[6*a+b]  = a != b && (a < 4 || b < 4) && a < PORTS && b < PORTS;
        asks[6*a+b]     = req_i[6*a+b] & real_xp[6*a+b];
        gnt_col[6*b+a]  = gnt_o[6*a+b];
      end
  end

  // A row names one output, or both parents where a head may take either.
  reg  [5:0] some;
  reg        rows;
  reg  [5:0] row;
  integer    r;
  always @* begin
    rows = 1'b1;
    for (r = 0; r < 6; r = r + 1) begin
      row     = req_i[6*r+:6];
      some[r] = |asks[6*r+:6];
      if (|(row & (row - 6'd1)) && !(BOTH && r < 4 && row == 6'h30)) rows = 1'b0;
    end
  end
  wire [5:0] total;
  genvar     g;
  generate
    for (g = 0; g < 6; g = g + 1) begin : g_total
      if (g < ORDERS) begin : g_own
        total u_total (.before_i(before_i[15*g+:15]), .among_i(some), .total_o(total[g]));
      end else begin : g_none
        assign total[g] = 1'b1;
      end
    end
  endgenerate
  assign ok_o = rows & (&total);

  // Does z come before y at output x?
  function comes(input [14:0] order, input integer first, input integer second);
    comes = (first < second) ? order[first*(11-first)/2+second-first-1]
                             : ~order[second*(11-second)/2+first-second-1];
  endfunction

  // Whose turn it is, and what is left then.
  wire [2:0]  at = (ORDERS == 1) ? 3'd0 : out_i;
  wire [14:0] order = before_i[15*at+:15];
  reg         in_turn;
  reg  [5:0]  row_n, pref_n, got_n, taken, lead, want, mask;
  integer     n, m;
  always @* begin
    // The lead under RG with an order for each output: it goes up, nobody who does is before it.
    lead = 6'd0;
    for (n = 0; n < 6; n = n + 1) begin
      lead[n] = PATH == `FATFLY_RG && ORDERS == 6 && |asks[6*n+4+:2];
      for (m = 0; m < 6; m = m + 1)
        if (m != n && |asks[6*m+4+:2] && comes(before_i[15*(4%ORDERS)+:15], m, n)) lead[n] = 1'b0;
    end
    in_turn = out_i < 3'd6 & |next_i & ~|(next_i & (next_i - 6'd1)) & ~|(next_i & done_i);
    row_n   = 6'd0;
    got_n   = 6'd0;
    pref_n  = {2'b00, pref_i} & next_i;
    taken   = 6'd0;
    for (n = 0; n < 6; n = n + 1) begin
      // next_i, and done_i before it, come before the rest.
      for (m = 0; m < 6; m = m + 1)
        if (m != n && (done_i[n] | next_i[n]) && !(done_i[m] | next_i[m]) && some[n] && some[m] &&
            !comes(order, n, m)) in_turn = 1'b0;
      for (m = 0; m < 6; m = m + 1)
        if (m != n && done_i[n] && next_i[m] && some[n] && some[m] && !comes(order, n, m))
          in_turn = 1'b0;
      if (next_i[n]) begin
        row_n = asks[6*n+:6];
        got_n = gnt_o[6*n+:6];
      end
      if (done_i[n] | lead[n]) taken = taken | gnt_o[6*n+:6];
    end
    mask = 6'd1 << out_i;
    if (ORDERS == 1 || |(lead & next_i)) begin
      if (ORDERS == 6) taken = 6'd0;   // the lead is before all others
      want = row_n & ~taken;
      if (want == 6'h30) want = (PATH == `FATFLY_RG && |pref_n) ? 6'h20 : 6'h10;
      mask = 6'h3f;
    end else begin
      // Nothing at an output before this one.
      want = (|(got_n & (mask - 6'd1))) ? 6'd0 : row_n & ~taken & mask;
    end
  end
  wire astray = in_turn & (got_n & mask) != want;

  reg     twice_out, twice_in, idle, passed;
  integer x, y, z;
  always @* begin
    twice_out = 1'b0;
    twice_in  = 1'b0;
    idle      = 1'b0;
    passed    = 1'b0;
    for (x = 0; x < 6; x = x + 1) begin
      if (|(gnt_col[6*x+:6] & (gnt_col[6*x+:6] - 6'd1))) twice_out = 1'b1;
      if (|(gnt_o[6*x+:6] & (gnt_o[6*x+:6] - 6'd1))) twice_in = 1'b1;
      for (y = 0; y < 6; y = y + 1)
        if (asks[6*y+x] && ~|gnt_o[6*y+:6]) begin
          if (~|gnt_col[6*x+:6]) idle = 1'b1;
          // Under RG with an order for each output parent 1 can go by parent 0's.
          for (z = 0; z < 6; z = z + 1)
            if (z != y && gnt_o[6*z+x] && comes(before_i[15*(x%ORDERS)+:15], y, z) &&
                !(PATH == `FATFLY_RG && ORDERS == 6 && x == 5)) passed = 1'b1;
        end
    end
  end
  assign bad_o = {passed, astray, idle, |(gnt_o & ~real_xp), |(gnt_o & ~req_i), twice_in,
                  twice_out};

  assign cover_o[0] = |gnt_o[5:0] & |gnt_o[11:6] & |gnt_o[17:12] & |gnt_o[23:18] &
                      (ROOT != 0 | (|gnt_o[29:24] & |gnt_o[35:30]));
  assign cover_o[1] = asks[6] & asks[12] & asks[18] & (ROOT != 0 | asks[24]) &
                      gnt_o[(ROOT != 0) ? 18 : 24];
  assign cover_o[2] = (ROOT != 0) ? gnt_o[1] & gnt_o[6] : |gnt_col[29:24] & |gnt_col[35:30];
  assign cover_o[3] = BOTH ? &asks[5:4] & &asks[11:10] & |gnt_o[5:4] & |gnt_o[11:10] : cover_o[2];
  assign cover_o[4] = in_turn & next_i == 6'b000100 & asks[6] & asks[12] & asks[18] & out_i == 3'd0 &
                      done_i == ((ROOT != 0) ? 6'b001000 : 6'b001010) & want == 6'd0;
endmodule
`default_nettype wire
