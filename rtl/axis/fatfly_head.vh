// SPDX-License-Identifier: Apache-2.0
// fatfly_head.vh - the first beat of a packet, from where it goes; include it inside a module.
// C twin: worm_height() and head_pack() in cmodel/switch/flit.h.
//
// In a network of `levels` levels processors are 0 to 4^levels - 1.  path bit l - 1 names the
// parent to take at level l and is read only if PATH = FP.  Bits above the head are zero here and
// free for the sender (flit.vh has the layout).
/* verilator lint_off VARHIDDEN */      // the module around may have a dst of its own

// Level at which the worm turns: the smallest l >= 1 with src >> 2l = dst >> 2l.
function [3:0] fatfly_height;
  input [19:0] src;
  input [19:0] dst;
  integer l;
  begin
    fatfly_height = 4'd1;
    for (l = 1; l < 10; l = l + 1)
      if ((src >> 2 * l) != (dst >> 2 * l)) fatfly_height = l[3:0] + 4'd1;
  end
endfunction

function [63:0] fatfly_head;
  input integer levels;
  input [19:0]  src;
  input [19:0]  dst;
  input [8:0]   path;
  integer height_w;
  begin
    height_w = (levels < 2) ? 1 : (levels < 4) ? 2 : (levels < 8) ? 3 : 4;
    fatfly_head = {44'd0, dst} | {44'd0, src} << 2 * levels |
                  {60'd0, fatfly_height(src, dst)} << 4 * levels |
                  {55'd0, path} << (4 * levels + height_w);
  end
endfunction
/* verilator lint_on VARHIDDEN */
