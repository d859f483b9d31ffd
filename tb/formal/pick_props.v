// SPDX-License-Identifier: Apache-2.0
// pick_props.v - what must hold of pick.v and order.v, for proof and simulation.
`default_nettype none

module pick_props (
  input  wire [14:0] before_i,         // of order.v
  input  wire [35:0] ahead_o,          // of order.v; ahead_i of pick.v
  input  wire [5:0]  req_i,
  input  wire [5:0]  gnt_o,
  // bad[0]: order: a port comes before itself, or not one of two comes before the other
  // bad[1]: order: a row differs from the pair bits
  // bad[2]: pick: two grants
  // bad[3]: pick: a grant to nobody's request
  // bad[4]: pick: the requests are in order, and nobody or not the first of them is granted
  output wire [4:0]  bad_o,
  // cover[0]: all six ask and the last port is first
  // cover[1]: three ports run in a circle, all ask, nobody is granted
  output wire [1:0]  cover_o
);
  wire total;
  total u_total (.before_i(before_i), .among_i(req_i), .total_o(total));

  // The first: who has the fewest of those that ask before it, looked for one by one.
  reg         twist, differs;
  reg [5:0]   first;
  reg         beaten;
  integer     i, j, p;
  always @* begin
    twist   = 1'b0;
    differs = 1'b0;
    p       = 0;
    for (i = 0; i < 6; i = i + 1) begin
      if (ahead_o[7*i]) twist = 1'b1;
      for (j = i + 1; j < 6; j = j + 1) begin
        if (ahead_o[6*i+j] == ahead_o[6*j+i]) twist = 1'b1;
        if (ahead_o[6*j+i] != before_i[p]) differs = 1'b1;
        p = p + 1;                     // the pairs stand in this order
      end
    end
    first = 6'd0;
    for (i = 0; i < 6; i = i + 1) begin
      beaten = 1'b0;
      for (j = 0; j < 6; j = j + 1)
        if (j < i && req_i[j] && before_i[j*(11-j)/2+i-j-1]) beaten = 1'b1;
        else if (j > i && req_i[j] && ~before_i[i*(11-i)/2+j-i-1]) beaten = 1'b1;
      first[i] = req_i[i] & ~beaten;
    end
  end

  assign bad_o[0] = twist;
  assign bad_o[1] = differs;
  assign bad_o[2] = |(gnt_o & (gnt_o - 6'd1));
  assign bad_o[3] = |(gnt_o & ~req_i);
  assign bad_o[4] = total & (gnt_o != first | (gnt_o == 6'd0) != (req_i == 6'd0));
  assign cover_o[0] = &req_i & total & gnt_o[5];
  assign cover_o[1] = ~total & req_i == 6'b010101 & gnt_o == 6'd0;
endmodule
`default_nettype wire
