// SPDX-License-Identifier: Apache-2.0
// tb_sink.v - the checkers of the self-test, at one port or all, get every fault that selftest_sink.v names: in each channel,
// with and without room in each channel, and with every set of channels in the middle of a worm.  What the checkers say two
// cycles later must be what the bench says, for right flits, too.  Then every bit of a flit is wrong, and every two.
// `PASS` or `FAIL` and why, in one line.
`default_nettype none
`include "flit.vh"

module tb_sink #(
  parameter integer VCS    = 1,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer STEP   = 1         // ports 0, STEP, ...
);
  localparam integer PORTS  = (LEVEL == LEVELS) ? 4 : 6;
  localparam integer CHAN_W = $clog2(VCS);
  localparam integer ID_W   = 3 + CHAN_W;
  localparam integer SEQ_W  = 5 - CHAN_W;
  localparam integer LOW_W  = FLIT_W - 16;
  localparam integer HEIGHT = 4 * LEVELS;
  localparam integer ALL    = 1 << VCS;
  localparam integer EXPECT = 3 + 6 * VCS + SEQ_W;   // {broken, head, seen, whose, seq}

  reg                clk = 1'b0;
  reg                rst = 1'b1;
  reg  [VCS-1:0]     valid = 0;
  reg  [VCS-1:0]     room = 0;
  reg                head = 0, tail = 0;
  reg  [SEQ_W-1:0]   seq = 0;
  reg  [ID_W-1:0]    id = 0;
  reg  [LOW_W-1:0]   low = 0;
  reg  [FLIT_W+1:0]  flip = 0;         // bits that are wrong
  wire [7:0]         code;
  wire [FLIT_W+1:0]  flit = {head, tail, code, seq, id, low} ^ flip;
  wire [ID_W-1:0]    shown_id = flit[LOW_W+:ID_W];
  wire [2:0]         shown_from = shown_id[ID_W-1-:3];
  reg  [VCS-1:0]     open = 0;         // in the middle of a worm
  reg  [ID_W-1:0]    owner [0:VCS-1];
  reg  [EXPECT-1:0]  expect, expect_q;
  reg  [5:0]         may, may_q;       // by which ports this head may leave
  reg                broken, up;
  wire [5:0]         agrees, right;
  integer            cycle = 0, tests = 0, m, r, v, w, k, i, j;

  selftest_code #(
    .WIDTH(FLIT_W - 6)
  ) u_code (
    .data_i({head, tail, seq, id, low}), .code_o(code)
  );
  always #5 clk = ~clk;

  genvar p;
  generate
    for (p = 0; p < 6; p = p + 1) begin : g_port
      if (p < PORTS && p % STEP == 0) begin : g_sink
        wire             seen, broken_o, wrong_o;
        wire [6*VCS-1:0] whose;
        wire [SEQ_W-1:0] seq_o;
        selftest_sink #(
          .VCS(VCS), .FLIT_W(FLIT_W), .PATH(PATH), .LEVEL(LEVEL), .LEVELS(LEVELS), .PORT(p)
        ) u_sink (
          .clk_i(clk), .rst_i(rst), .valid_i(valid), .flit_i(flit), .room_i(room),
          .seen_o(seen), .whose_o(whose), .seq_o(seq_o), .broken_o(broken_o), .wrong_o(wrong_o)
        );
        // Whose and which flit it is matters for one that left.
        assign agrees[p] = {broken_o, seen, whose} === {expect_q[EXPECT-1], expect_q[EXPECT-3-:1+6*VCS]} &&
                           (!seen || seq_o === expect_q[SEQ_W-1:0]);
        assign right[p]  = wrong_o === (expect_q[EXPECT-2] & ~may_q[p]);
      end else begin : g_none
        assign agrees[p] = 1'b1;
        assign right[p]  = 1'b1;
      end
    end
  endgenerate

  task fails(input [8*40-1:0] why, input [5:0] ports);
    begin
      $display("FAIL cycle %0d, V = %0d, ports %b: %0s", cycle, VCS, ports, why);
      $finish;
    end
  endtask

  // One cycle with what is on the wires; then nothing is.
  task tick;
    begin
      #1 broken = |flip || shown_from > 3'd5 || (valid & ~room) != 0 || (valid & (valid - 1'b1)) != 0;
      for (i = 0; i < VCS; i = i + 1)
        if (valid[i] && !rst) begin
          if (flit[FLIT_W+1] ? open[i] : (!open[i] || owner[i] != shown_id)) broken = 1'b1;
          open[i] = ~flit[FLIT_W];
          if (flit[FLIT_W+1]) owner[i] = shown_id;
        end
      up = LEVEL < LEVELS && flit[HEIGHT+:$clog2(LEVELS+1)] > LEVEL && shown_from < 4;
      if (up) may = (PATH != `FATFLY_FP) ? 6'b110000 : flit[HEIGHT+$clog2(LEVELS+1)+LEVEL-1] ? 6'b100000 : 6'b010000;
      else    may = (6'd1 << flit[2*(LEVEL-1)+:2]) & ~(6'd1 << shown_from);
      expect = {broken, flit[FLIT_W+1], 1'b1, {6*VCS{1'b0}}, flit[FLIT_W-9-:SEQ_W]};
      if (shown_id < 6 * VCS) expect[SEQ_W+shown_id] = 1'b1;
      if (valid == 0 || rst) expect = 0;
      @(posedge clk) #1 cycle = cycle + 1;
      if (cycle > 4 && !(&agrees)) fails("broken, seen, whose or sequence", ~agrees);
      if (cycle > 4 && !(&right)) fails("wrong port", ~right);
      expect_q = expect;
      may_q = may;
      valid = 0;
      flip = 0;
    end
  endtask

  // A flit on channel c that is right: the first of a worm, or one of the worm that is under way.
  task right_flit(input integer c, input last);
    begin
      valid = 1 << c;
      room  = {VCS{1'b1}};
      head  = ~open[c];
      tail  = last;
      seq   = $random;
      low   = {$random, $random};
      id    = open[c] ? owner[c] : VCS * ({$random} % 6) + {$random} % VCS;
    end
  endtask

  initial begin
    for (v = 0; v < VCS; v = v + 1) owner[v] = 0;
    repeat (2) tick;
    right_flit(0, 1'b0);               // nothing is seen in reset
    tick;
    rst = 1'b0;
    for (m = 0; m < 16; m = m + 1)     // V = 1 eight times, V = 2 four times
      for (v = 0; v < VCS; v = v + 1)
        for (r = 0; r < ALL; r = r + 1)
          for (k = 0; k < 6; k = k + 1) begin
            for (w = 0; w < VCS; w = w + 1)
              while (open[w] != m[w]) begin
                right_flit(w, open[w]);
                tick;
              end
            right_flit(v, $random);
            room = r;
            case (k)
              1: flip[{$random} % (FLIT_W + 2)] = 1'b1;
              2: begin                                 // of the worm under way, or of the last
                head = ~head;
                id = owner[v];
              end
              3: id = (id + 1 + {$random} % (6 * VCS - 1)) % (6 * VCS); // of another source
              4: id = {2'b11, {(ID_W-2) {1'b0}}} | (id & {ID_W{1'b1}} >> 2);
              5: valid = valid | 1 << {$random} % VCS; // two at once
              default: ;
            endcase
            tick;
            tests = tests + 1;
          end
    for (j = 0; j < FLIT_W + 2; j = j + 1)
      for (k = 0; k <= j; k = k + 1) begin
        w = {$random} % VCS;
        right_flit(w, $random);
        flip[j] = 1'b1;
        flip[k] = 1'b1;
        tick;
        tests = tests + 1;
      end
    repeat (2) tick;
    $display("PASS %0d tests, %0d cycles", tests, cycle);
    $finish;
  end
endmodule
`default_nettype wire
