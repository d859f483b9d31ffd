// SPDX-License-Identifier: Apache-2.0
// tb_code.v - what the check code of the self-test sees, by what selftest_code.v says of flits of every width: 1 to 58 data bits, of which
// 58 are in a flit of 64 bits, and the most that it takes, 247.  `PASS` or `FAIL` and why, in one line.
//
// A code word is {code, data}.  One wrong bit turns over one column: of a data bit, what it adds to the code; of a bit of
// the code, itself.  Since the code is a sum of columns, which is tried with random data, one wrong bit is seen if no
// column is zero, and two wrong bits, or two that changed places, if no two columns are equal.
`default_nettype none

module tb_code;
  reg [58:0] bad;
  integer    k;

  genvar w;
  generate
    for (w = 0; w < 59; w = w + 1) begin : g_width
      localparam integer WIDTH = (w == 58) ? 247 : w + 1;
      reg  [WIDTH-1:0] data;
      wire [7:0]       code;
      reg  [7:0]       column [0:WIDTH-1];
      reg  [255:0]     used;
      reg  [7:0]       sum;
      reg  [8*32-1:0]  random;
      integer          i, n;
      selftest_code #(
        .WIDTH(WIDTH)
      ) u_code (
        .data_i(data), .code_o(code)
      );
      initial begin
        bad[w] = 1'b0;
        used = 256'd1;                 // no column is zero
        for (i = 0; i < 8; i = i + 1) used[8'd1 << i] = 1'b1;
        for (i = 0; i < WIDTH; i = i + 1) begin
          data = 0;
          data[i] = 1'b1;
          #1 column[i] = code;
          if (used[code] !== 1'b0) bad[w] = 1'b1;
          used[code] = 1'b1;
        end
        for (n = 0; n < 20; n = n + 1) begin
          for (i = 0; i < 8; i = i + 1) random[32*i+:32] = $random;
          data = (n == 0) ? {WIDTH{1'b0}} : (n == 1) ? {WIDTH{1'b1}} : random[WIDTH-1:0];
          sum = 8'd0;
          for (i = 0; i < WIDTH; i = i + 1) if (data[i]) sum = sum ^ column[i];
          #1 if (code !== sum) bad[w] = 1'b1;
        end
      end
    end
  endgenerate

  initial begin
    #1000 for (k = 0; k < 59 && bad[k] === 1'b0; k = k + 1) ;
    if (k == 59) $display("PASS");
    else         $display("FAIL %0d data bits: not every two wrong bits are seen", (k == 58) ? 247 : k + 1);
    $finish;
  end
endmodule
`default_nettype wire
