// SPDX-License-Identifier: Apache-2.0
// tb_fatfly_head.v - heads of random worms by fatfly_head.vh; heads.c prints the same list.
`default_nettype none

module tb_fatfly_head;
  `include "fatfly_head.vh"
  reg [31:0] state = 32'd1;
  reg [31:0] bits;
  reg [19:0] src, dst;
  integer levels, i, low;

  task roll(input integer n);
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 17);
      state = state ^ (state << 5);
      bits  = (n == 0) ? 32'd0 : state >> (32 - n);
    end
  endtask

  initial begin
    for (levels = 1; levels <= 10; levels = levels + 1)
      for (i = 0; i < 1000; i = i + 1) begin
        roll(2 * levels);
        src = bits[19:0];
        roll(2 * levels);
        dst = bits[19:0];
        low = 2 * ((i / 2) % levels);
        if (i % 2 != 0) dst = dst ^ (((dst ^ src) >> low) << low);
        roll(levels - 1);
        $display("%0d %0d %0d %0d %h", levels, src, dst, bits[8:0], fatfly_head(levels, src, dst, bits[8:0]));
      end
    $finish;
  end
endmodule
`default_nettype wire
