// SPDX-License-Identifier: Apache-2.0
// tb_fatfly_switch.v - random worms through fatfly_switch.v, for Icarus and Verilator alike.
//
// First one beat through an idle switch (latency), then a permutation at full speed (throughput),
// then random worms, lengths, channels and stalls with a reset in the middle, then silence.  The
// scoreboard knows every worm that went in (half of its words are zeros, ones or repeated): it must come out once, unchanged, at an output where it
// may, its beats together within a stream.  axis_rules.v watches the outputs.  In every cycle TREADY of a port with more than one channel
// is that of the channel whose turn it is.  Random numbers are the bench's own, so both simulators end with the same line.
// +cycles=N: of random traffic, in place of CYCLES; +window=N: in which beats are counted at full speed, in place of WINDOW.
`default_nettype none
`include "flit.vh"

module tb_fatfly_switch #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter integer CYCLES = 600,      // of random traffic
  parameter integer SEED   = 1
);
  localparam integer CH    = 6 * VCS;                      // streams each way: VCS * port + channel
  localparam integer ROOT  = (LEVEL == LEVELS) ? 1 : 0;
  localparam integer PORTS = (ROOT != 0) ? 4 : 6;
  localparam integer H     = 4 * LEVELS;                   // the height field
  localparam integer HEIGHT_W = $clog2(LEVELS + 1);
  localparam integer HEAD_W = H + HEIGHT_W + ((PATH == `FATFLY_FP) ? LEVELS - 1 : 0);
  // A head names its input, and its number if there is room: above the head, or in src, which no
  // switch reads.
  localparam integer TAG   = (FLIT_W - HEAD_W >= 5) ? FLIT_W - 5 : 2 * LEVELS;
  localparam integer NUMBERED = (FLIT_W - HEAD_W >= 11) ? 1 : 0;
  localparam integer LENGTH = 8;       // of the worms at full speed
  localparam integer WINDOW = 100;     // cycles in which their beats are counted

  reg                  aclk    = 1'b0;
  reg                  aresetn = 1'b0;
  reg  [CH*FLIT_W-1:0] s_tdata;
  reg  [CH-1:0]        s_tlast;
  reg  [CH-1:0]        s_tvalid = {CH{1'b0}};
  wire [CH-1:0]        s_tready;
  wire [CH*FLIT_W-1:0] m_tdata;
  wire [CH-1:0]        m_tlast;
  wire [CH-1:0]        m_tvalid;
  reg  [CH-1:0]        m_tready = {CH{1'b0}};
  wire [CH-1:0]        broken;

  always #5 aclk = ~aclk;

  fatfly_switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS), .SEED(SEED)
  ) dut (
    .aclk(aclk), .aresetn(aresetn),
    .s_axis_tdata(s_tdata), .s_axis_tlast(s_tlast), .s_axis_tvalid(s_tvalid),
    .s_axis_tready(s_tready),
    .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast), .m_axis_tvalid(m_tvalid),
    .m_axis_tready(m_tready)
  );

  genvar g;
  generate
    for (g = 0; g < CH; g = g + 1) begin : g_rules
      axis_rules #(
        .TDATA_W(FLIT_W)
      ) u_rules (
        .aclk(aclk), .aresetn(aresetn), .tdata(m_tdata[FLIT_W*g+:FLIT_W]), .tlast(m_tlast[g]),
        .tvalid(m_tvalid[g]), .tready(m_tready[g]), .broken(broken[g])
      );
    end
  endgenerate

  // The worms on their way.  A tag is an input stream; slot 64 * tag + number mod 64.
  reg [63:0] w_head   [0:24*64-1];
  reg [5:0]  w_ports  [0:24*64-1];     // where it may leave
  integer    w_length [0:24*64-1];
  integer    w_count  [0:24*64-1];     // its head's number among the flits of its tag
  integer    w_number [0:24*64-1];
  integer    w_state  [0:24*64-1];     // 0 no worm, 1 its head is still to come out, 2 under way
  integer    worms    [0:23];          // made, by tag
  integer    flits    [0:23];
  integer    left     [0:23];          // flits of the present worm still to be offered
  integer    slot     [0:23];          // ... and its place
  integer    current  [0:23];          // by output stream: the worm under way, or -1
  integer    at       [0:23];          // ... and the number of its next beat
  integer    newest   [0:24*24-1];     // by tag and output stream: number of the last worm, or -1

  integer errors = 0, cycle = 0, phase = 0, since = 0, pending = 0;
  integer total = 0, total_flits = 0, stalls = 0, refused = 0, mixed = 0;
  integer latency = -1, speed = 0;     // measured
  integer beats   [0:5];               // out of a port
  integer taken   [0:23];              // from an input stream
  integer next    [0:5];               // by port: the channel after the one that was taken last; 0 after a reset
  reg [63:0] turns = 64'd0;            // 2^VCS * next + channels with a beat and room: were there
  reg [VCS-1:0] can, turn;
  integer cycles, window;
  reg     was_reset = 1'b0;
  reg [35:0] used = 36'd0;             // crosspoints
  reg [23:0] out_used = 24'd0;         // output streams
  reg [8:0]  words = 9'd0;             // zeros, ones, as the beat before: second of a packet, within it, its last
  reg [FLIT_W-1:0] earlier [0:23];      // by output stream: its last beat
  reg [31:0] state;
  integer dice;
  integer in_rate = 8, out_rate = 8, i, k;

  // A task, for the simulators disagree on which calls of an expression are made.
  task roll(input integer n);          // dice = 0 .. n - 1 (xorshift32)
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 17);
      state = state ^ (state << 5);
      dice  = (state >> 4) % n;
    end
  endtask

  function [63:0] body;                // payload of a flit that is no head
    input integer tag;
    input integer count;
    reg   [63:0] x, run;
    begin
      // Four in a row are of a kind: zeros, ones, all the same, zeros in between, or four times at random.
      run  = {32'd0, tag[4:0], 2'd0, count[26:2]} * 64'h9E3779B97F4A7C15;
      run  = run ^ (run >> 29);
      x    = {32'd0, tag[4:0], count[26:0]} * 64'h9E3779B97F4A7C15;
      x    = x ^ (x >> 29);
      x    = {x[63:16], tag[4:0], count[10:0]};
      case (run[2:0])
        3'd0: x = 64'd0;
        3'd1: x = {64{1'b1}};
        3'd2: x = run;
        3'd3: if (count[0]) x = 64'd0;
        default: ;
      endcase
      body = x & ({64{1'b1}} >> (64 - FLIT_W));
    end
  endfunction

  // Beat n of the worm in slot k; the second is now and then the head again.
  function [63:0] beat;
    input integer k;
    input integer n;
    beat = (n == 0 || (n == 1 && w_count[k] % 4 == 3)) ? w_head[k] : body(k / 64, w_count[k] + n);
  endfunction

  task error(input integer port, input [8*40-1:0] what);
    begin
      errors = errors + 1;
      if (errors <= 5) $display("FAIL cycle %0d, output %0d: %0s", cycle, port, what);
      if ($test$plusargs("first")) $finish;
    end
  endtask

  // Where input i goes at full speed: FP lets all six ports run, else the children in a ring.
  function integer partner;
    input integer i;
    if (PATH == `FATFLY_FP && ROOT == 0) partner = (i < 2) ? 4 + i : (i < 4) ? 5 - i : i - 4;
    else                                 partner = (i < 4) ? (i + 1) % 4 : -1;
  endfunction

  task make_worm(input integer i, input integer v, input integer to, input integer length);
    integer tag, number, p, height, down;
    reg [63:0] head;
    begin
      tag    = VCS * i + v;
      number = worms[tag];
      k      = 64 * tag + number % 64;
      if (w_state[k] != 0) error(i, "the bench lost count");
      for (height = 0; height < 4; height = height + 1) begin
        roll(65536);
        head = {head[47:0], dice[15:0]};
      end
      head   = head & ({64{1'b1}} >> (64 - FLIT_W));
      roll(3);
      down   = (i > 3 || ROOT != 0 || dice != 0) ? 1 : 0;
      roll((i < 4) ? 3 : 4);
      p      = (i < 4) ? (i + 1 + dice) % 4 : dice;
      if (to >= 0) begin
        down = (to < 4) ? 1 : 0;
        p    = to % 4;
      end
      head[2*(LEVEL-1)+:2] = p;
      roll((i > 3 || down == 0) ? LEVELS - LEVEL : LEVEL);
      height = (i > 3 || down == 0) ? LEVEL + 1 + dice : 1 + dice;
      head[H+:HEIGHT_W] = height;
      if (to > 3 && PATH == `FATFLY_FP) head[H+HEIGHT_W+LEVEL-1] = to[0];
      head[TAG+:5] = tag;
      if (NUMBERED != 0) head[FLIT_W-11+:6] = number;
      w_head[k]   = head;
      w_ports[k]  = 6'd1 << p;
      if (down == 0) w_ports[k] = (PATH != `FATFLY_FP) ? 6'b110000
                                  : head[H+HEIGHT_W+LEVEL-1] ? 6'b100000 : 6'b010000;
      w_length[k] = length;
      w_count[k]  = flits[tag];
      w_number[k] = number;
      w_state[k]  = 1;
      slot[tag]   = k;
      left[tag]   = length;
      worms[tag]  = number + 1;
      total       = total + 1;
      pending     = pending + 1;
    end
  endtask

  // Puts the next beat of channel v on input i.
  task offer(input integer i, input integer v, input integer to, input integer length);
    integer tag;
    reg [63:0] payload;
    begin
      tag = VCS * i + v;
      if (left[tag] == 0) make_worm(i, v, to, length);
      payload = beat(slot[tag], w_length[slot[tag]] - left[tag]);
      left[tag]  = left[tag] - 1;
      flits[tag] = flits[tag] + 1;
      s_tdata[FLIT_W*tag+:FLIT_W] <= payload[FLIT_W-1:0];
      s_tlast[tag]                <= left[tag] == 0;
      s_tvalid[tag]               <= 1'b1;
    end
  endtask

  task receive(input integer c);       // a beat from output stream c
    integer o, d, tag, found;
    reg [63:0] payload;
    begin
      o = c / VCS;
      payload = m_tdata[FLIT_W*c+:FLIT_W];
      if (current[c] < 0) begin
        tag   = payload[TAG+:5];
        found = -1;
        if (tag < CH)
          for (d = 0; d < 64 && found < 0; d = d + 1) begin
            k = 64 * tag + (worms[tag] + d) % 64;
            if (w_state[k] == 1 && w_head[k] == payload) found = k;
          end
        if (found < 0) error(o, "a head that nobody sent");
        else begin
          if (!w_ports[found][o]) error(o, "a worm leaves where it must not");
          if (tag / VCS == o) error(o, "a worm came back");
          if (w_number[found] <= newest[24*tag+c]) error(o, "a worm overtook another");
          newest[24*tag+c] = w_number[found];
          w_state[found]   = 2;
          current[c]       = found;
          at[c]            = 0;
          used[6*(tag/VCS)+o] = 1'b1;
        end
      end else if (payload != beat(current[c], at[c]))
        error(o, "not the next flit of the worm");
      if (current[c] >= 0) begin
        at[c] = at[c] + 1;
        if (at[c] > 1) begin
          d = m_tlast[c] ? 2 : (at[c] > 2) ? 1 : 0;
          if (payload == 64'd0) words[d] = 1'b1;
          if (payload[FLIT_W-1:0] == {FLIT_W{1'b1}}) words[3+d] = 1'b1;
          if (payload[FLIT_W-1:0] == earlier[c]) words[6+d] = 1'b1;
        end
        earlier[c] = payload[FLIT_W-1:0];
        if (m_tlast[c] != (at[c] == w_length[current[c]])) error(o, "TLAST at the wrong beat");
        if (m_tlast[c]) begin
          w_state[current[c]] = 0;
          current[c] = -1;
          pending    = pending - 1;
        end
      end
      for (d = VCS * o; d < VCS * o + VCS; d = d + 1)
        if (d != c && current[d] >= 0) mixed = mixed + 1;
      out_used[c] = 1'b1;
      beats[o]    = beats[o] + 1;
      total_flits = total_flits + 1;
    end
  endtask

  // The first channel from next on, wrapping, that has a beat and room.
  task take_turns;
    for (i = 0; i < PORTS; i = i + 1) begin
      can  = s_tvalid[VCS*i+:VCS] & dut.in_room[VCS*i+:VCS];
      turn = {VCS{1'b0}};
      for (k = VCS - 1; k >= 0; k = k - 1)
        if (can[(next[i]+k)%VCS]) turn = 1 << (next[i] + k) % VCS;
      if (s_tready[VCS*i+:VCS] !== turn) error(i, "TREADY out of turn");
      turns[(next[i]<<VCS)+can] = 1'b1;
      for (k = 0; k < VCS; k = k + 1)
        if (turn[k]) next[i] = (k + 1) % VCS;
    end
  endtask

  task forget;                         // all worms, as a reset does
    begin
      for (i = 0; i < 24 * 64; i = i + 1) w_state[i] = 0;
      for (i = 0; i < 24 * 24; i = i + 1) newest[i] = -1;
      for (i = 0; i < 24; i = i + 1) begin
        worms[i] = 0;
        flits[i] = 0;
        left[i] = 0;
        current[i] = -1;
      end
      pending = 0;
    end
  endtask

  task quiet(input integer c);         // no beat on input stream c
    begin
      s_tvalid[c]               <= 1'b0;
      s_tdata[FLIT_W*c+:FLIT_W] <= {FLIT_W{1'bx}};
      s_tlast[c]                <= 1'bx;
    end
  endtask

  task go(input integer next);
    begin
      phase = next;
      since = 0;
      for (i = 0; i < 6; i = i + 1) beats[i] = 0;
    end
  endtask

  // A new beat wherever none waits, if its worm has more or a new one may begin.
  task random_beats(input integer begin_worms);
    for (i = 0; i < VCS * PORTS; i = i + 1)
      if (!s_tvalid[i] || s_tready[i]) begin
        quiet(i);
        roll(8);
        if ((begin_worms != 0 || left[i] != 0) && dice < in_rate) begin
          roll(10);
          offer(i / VCS, i % VCS, -1, (dice < 7) ? 1 + dice : 1);
        end
      end
  endtask

  initial begin
    state = SEED * 32'h9E3779B1 + 32'd1;
    forget;
    for (i = 0; i < 6; i = i + 1) beats[i] = 0;
    for (i = 0; i < 6; i = i + 1) next[i] = 0;
    cycles = CYCLES;
    window = WINDOW;
    if ($value$plusargs("cycles=%d", cycles)) ;
    if ($value$plusargs("window=%d", window)) ;
  end

  always @(posedge aclk) begin
    cycle = cycle + 1;
    since = since + 1;
    if (dut.u_switch.seed_i !== SEED) error(-1, "the switch has another seed");
    if (phase != 0 && (^s_tready) === 1'bx) error(-1, "TREADY is unknown");
    for (i = 0; i < CH; i = i + 1) begin
      if (cycle > 1 && broken[i] !== 1'b0) error(i / VCS, "a rule of AXI4-Stream is broken");
      if (aresetn) begin
        if (m_tvalid[i] && !m_tready[i]) stalls = stalls + 1;
        if (s_tvalid[i] && !s_tready[i]) refused = refused + 1;
        if (s_tvalid[i] && s_tready[i]) taken[i] = taken[i] + 1;
        if (m_tvalid[i] && m_tready[i]) receive(i);
        if (i >= VCS * PORTS && s_tready[i]) error(i / VCS, "a parent at the root");
      end
    end
    if (!aresetn) for (i = 0; i < 6; i = i + 1) next[i] = 0;
    else if (VCS > 1 && !was_reset) take_turns;
    if (was_reset && s_tready != {CH{1'b0}}) error(-1, "TREADY in reset");
    was_reset = !aresetn;

    case (phase)
      0: begin                         // reset
        aresetn <= since > 3;
        if (since == 6) go(1);
      end
      1: begin                         // one beat; nobody is ready
        if (since == 1) offer(0, VCS - 1, 2, 1);
        if (s_tvalid[VCS-1] && s_tready[VCS-1]) begin
          quiet(VCS - 1);
          latency = 0;
        end else if (latency >= 0) latency = latency + 1;
        if (m_tvalid[2*VCS+:VCS] != {VCS{1'b0}}) go(2);
        if (since == 20) error(2, "TVALID waits for TREADY");
        if (since == 20) go(2);
      end
      2: begin                         // full speed
        if (since == 1 && latency != 2) error(2, "latency is not 2");
        if (since > 5) m_tready <= {CH{1'b1}};
        for (i = 0; i < VCS * PORTS; i = i + 1)
          if (since > 10 && (!s_tvalid[i] || s_tready[i]) && partner(i / VCS) >= 0)
            offer(i / VCS, i % VCS, partner(i / VCS), LENGTH);
        if (since == 40) begin
          for (i = 0; i < 6; i = i + 1) beats[i] = 0;
          for (i = 0; i < CH; i = i + 1) taken[i] = 0;
        end
        if (since == 40 + window) begin
          for (i = 0; i < PORTS; i = i + 1)
            if (partner(i) >= 0 && beats[partner(i)] != ((VCS * DEPTH == 1) ? window / 2 : window))
              error(partner(i), "not at full speed");
          for (i = 0; i < VCS * PORTS; i = i + 1)
            if (partner(i / VCS) >= 0 && taken[i] < window / (2 * VCS) - LENGTH)
              error(i / VCS, "a channel is starved");
          speed = beats[1];
          go(3);
        end
      end
      3: begin                         // random traffic, a reset of one cycle and one of two
        if (since % 64 == 0) begin
          roll(10);
          in_rate  = (dice < 8) ? 1 + dice : 8;
          roll(10);
          out_rate = (dice < 8) ? dice : 8;
        end
        random_beats(1);
        for (i = 0; i < CH; i = i + 1) begin
          roll(8);
          m_tready[i] <= dice < out_rate;
        end
        if (since == cycles / 3 || since == cycles / 2 || since == cycles / 2 + 1) begin
          aresetn <= 1'b0;
          forget;
          for (i = 0; i < CH; i = i + 1) quiet(i);
        end else if (since == cycles / 3 + 1 || since == cycles / 2 + 2) begin
          aresetn <= 1'b1;
          forget;
          for (i = 0; i < CH; i = i + 1) quiet(i);
        end
        if (since == cycles) go(4);
      end
      default: begin                   // to the last flit
        in_rate = 8;
        random_beats(0);
        for (i = 0; i < CH; i = i + 1) begin
          roll(2);
          m_tready[i] <= dice[0];
        end
        if (since == 1000 || (since > 100 && pending == 0 && (m_tvalid | s_tvalid) == {CH{1'b0}})) begin
          if (pending != 0) error(-1, "worms are missing");
          if ((m_tvalid | s_tvalid) != {CH{1'b0}}) error(-1, "beats are left over");
          if (stalls == 0 || refused == 0) error(-1, "nothing ever waited");
          if (VCS > 1 && mixed == 0) error(-1, "no two worms shared a link");
          if (out_used != {24{1'b1}} >> (24 - VCS * PORTS)) error(-1, "a stream was not used");
          if (VCS > 1 && (turns | 64'h0001_0001_0001_0001 | ((VCS == 2) ? 64'hffff_ffff_ffff_ff11 : 64'd0)) != {64{1'b1}})
            error(-1, "a turn never came");
          if (words != 9'h1ff) error(-1, "a kind of word not at every place");
          for (i = 0; i < 36; i = i + 1)
            if (used[i] != (i % 6 != i / 6 && i % 6 < PORTS && i / 6 < PORTS && (i % 6 < 4 || i / 6 < 4)))
              error(i % 6, "a crosspoint was not used");
          $display("%0s v%0d q%0d w%0d path %0d scan %0d level %0d of %0d: %0d worms, %0d flits, %0d stalls, %0d TREADY low, %0d beats beside another worm, latency %0d, %0d beats in %0d cycles",
            (errors == 0) ? "PASS" : "FAIL", VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS, total,
            total_flits, stalls, refused, mixed, latency, speed, window);
          $finish;
        end
      end
    endcase
    if (errors > 5) begin
      $display("FAIL gave up");
      $finish;
    end
  end
endmodule
`default_nettype wire
