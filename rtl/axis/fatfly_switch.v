// SPDX-License-Identifier: Apache-2.0
// fatfly_switch.v - the switch of switch.v with AXI4-Stream inputs and outputs.
// No C twin: tb/axis/ tests it and proves the rules of AXI4-Stream.
//
// A worm is a packet: TDATA is the payload of a flit, TLAST its tail, and the first beat after
// reset or after a TLAST its head, which says where the worm goes (fatfly_head.vh makes it).
// docs/rtl.md has the rules, the timing and a template.
//
// Every virtual channel is a stream of its own, bit VCS*port + channel; ports 0 to 3 are the
// children, 4 and 5 the parents.  Not one stream a port with the channel as TID: its beat that
// waits for TREADY would hold back the other channels, whose worms would hold outputs meanwhile,
// and that can deadlock.  At the root the parents' TREADY and TVALID stay low.
`default_nettype none
`include "flit.vh"

module fatfly_switch #(
  parameter integer VCS    = 1,        // virtual channels a link: 1, 2 or 4
  parameter integer DEPTH  = 2,        // flits a queue holds, 1 to 16; full speed from 2
  parameter integer FLIT_W = 32,       // bits of TDATA, 16 to 64; a head must fit
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,        // of this switch, 1 (leaves) to LEVELS (root)
  parameter integer LEVELS = 3,        // of the network, N = 4^LEVELS processors
  parameter [31:0]  SEED   = 32'd1     // of the random bits; give each switch its own
) (
  input  wire                    aclk,
  input  wire                    aresetn,       // synchronous, active low
  input  wire [6*VCS*FLIT_W-1:0] s_axis_tdata,
  input  wire [6*VCS-1:0]        s_axis_tlast,
  input  wire [6*VCS-1:0]        s_axis_tvalid,
  output wire [6*VCS-1:0]        s_axis_tready, // VCS > 1: one-hot or zero within a port
  output wire [6*VCS*FLIT_W-1:0] m_axis_tdata,
  output wire [6*VCS-1:0]        m_axis_tlast,
  output wire [6*VCS-1:0]        m_axis_tvalid,
  input  wire [6*VCS-1:0]        m_axis_tready
);
  // What the parameters may be is checked in switch.v.
  localparam integer W        = FLIT_W + 2;
  localparam integer PORTS    = (LEVEL == LEVELS) ? 4 : 6;

  wire             rst = ~aresetn;
  reg              run_q;              // no TREADY from the first clock edge in reset on
  wire [6*VCS-1:0] in_valid;
  wire [6*W-1:0]   in_flit;
  wire [6*VCS-1:0] in_room;
  wire [6*VCS-1:0] out_valid;
  wire [6*W-1:0]   out_flit;
  wire [6*VCS-1:0] out_room;

  always @(posedge aclk) run_q <= aresetn;

  // No connection to probe_o, which is zero.
  /* verilator lint_off PINMISSING */
  switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),
    .LEVELS(LEVELS)
  ) u_switch (
    .clk_i(aclk), .rst_i(rst), .seed_i(SEED),
    .in_valid_i(in_valid), .in_flit_i(in_flit), .in_room_o(in_room),
    .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room)
  );
  /* verilator lint_on PINMISSING */

  genvar p, v;
  generate
    for (p = 0; p < PORTS; p = p + 1) begin : g_port
      // In: a beat is a flit, and a link takes one flit a cycle.
      wire [VCS-1:0] valid = s_axis_tvalid[VCS*p+:VCS];
      wire [VCS-1:0] last  = s_axis_tlast[VCS*p+:VCS];
      wire [VCS-1:0] room  = in_room[VCS*p+:VCS] & {VCS{run_q}};
      wire [VCS-1:0] take;             // one-hot or zero
      wire [W-2:0]   word;             // {tail, payload}
      reg  [VCS-1:0] open_q;           // a worm has begun and its tail is still to come
      assign in_valid[VCS*p+:VCS] = take;
      assign in_flit[W*p+:W]      = {~|(take & open_q), word};
      always @(posedge aclk)
        if (rst) open_q <= {VCS{1'b0}};
        else     open_q <= (open_q & ~take) | (take & ~last);

      if (VCS == 1) begin : g_one
        assign take             = valid & room;
        assign s_axis_tready[p] = room;
        assign word             = {last, s_axis_tdata[FLIT_W*p+:FLIT_W]};
      end else begin : g_turns
        // The first channel with a beat and room from next_q upwards, wrapping, as in port.v.
        localparam integer NEXT_W = $clog2(VCS);
        reg  [NEXT_W-1:0]      next_q;
        wire [VCS-1:0]         can   = valid & room;
        wire [VCS-1:0]         late  = can & ({VCS{1'b1}} << next_q);
        wire [VCS-1:0]         from  = (late != {VCS{1'b0}}) ? late : can;
        wire [NEXT_W-1:0]      taken;
        wire [VCS*(W-1)-1:0]   words;  // of every channel, zero but for the one that is taken
        assign take = from & (~from + 1'b1);
        assign s_axis_tready[VCS*p+:VCS] = take;
        for (v = 0; v < VCS; v = v + 1) begin : g_word
          assign words[(W-1)*v+:W-1] = {(W - 1) {take[v]}} &
                                       {last[v], s_axis_tdata[FLIT_W*(VCS*p+v)+:FLIT_W]};
        end
        if (VCS == 2) begin : g_two
          assign taken = take[1];
          assign word  = words[0+:W-1] | words[W-1+:W-1];
        end else begin : g_four
          assign taken = {take[3] | take[2], take[3] | take[1]};
          assign word  = words[0+:W-1] | words[W-1+:W-1] | words[2*(W-1)+:W-1] | words[3*(W-1)+:W-1];
        end
        always @(posedge aclk)
          if (rst)        next_q <= {NEXT_W{1'b0}};
          else if (|take) next_q <= taken + 1'b1;
      end

      // Out: two flits a channel are enough for one a cycle, and no TREADY reaches the switch in
      // the same cycle.  The far end counts heads itself.
      for (v = 0; v < VCS; v = v + 1) begin : g_queue
        localparam integer C = VCS * p + v;
        /* verilator lint_off PINMISSING */
        fifo_fast #(
          .WIDTH(FLIT_W + 1), .DEPTH(2)
        ) u_fifo (
          .clk_i(aclk), .rst_i(rst),
          .push_i(out_valid[C]), .data_i(out_flit[W*p+:FLIT_W+1]),
          .pop_i(m_axis_tvalid[C] & m_axis_tready[C]),
          .data_o({m_axis_tlast[C], m_axis_tdata[FLIT_W*C+:FLIT_W]}),
          .valid_o(m_axis_tvalid[C]), .room_o(out_room[C])
        );
        /* verilator lint_on PINMISSING */
      end
    end

    for (p = VCS * PORTS; p < 6 * VCS; p = p + 1) begin : g_absent
      assign s_axis_tready[p] = 1'b0;
      assign m_axis_tvalid[p] = 1'b0;
      assign m_axis_tlast[p]  = 1'b0;
      assign m_axis_tdata[FLIT_W*p+:FLIT_W] = {FLIT_W{1'b0}};
      assign in_valid[p]      = 1'b0;
      assign out_room[p]      = 1'b0;
    end
    for (p = PORTS; p < 6; p = p + 1) begin : g_no_link
      assign in_flit[W*p+:W] = {W{1'b0}};
    end
  endgenerate

  wire unused = &{1'b0, s_axis_tdata, s_axis_tlast, s_axis_tvalid, m_axis_tready,
                  in_room, out_valid, out_flit, 1'b0};
endmodule
`default_nettype wire
