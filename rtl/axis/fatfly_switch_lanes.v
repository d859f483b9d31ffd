// SPDX-License-Identifier: Apache-2.0
// fatfly_switch_lanes.v - fatfly_switch with an AXI4-Stream of its own name for every channel of every port,
// as cocotbext-axi and block diagrams want it: s_axis_p<port>_c<channel>_tdata and so on.
// No C twin: tb/cocotb tests it.
//
// Ports 0 to 3 are the children, 4 and 5 the parents.  Channels from VCS on do not exist: their TREADY and
// TVALID stay low.  Parameters, packets and timing are those of fatfly_switch.v (docs/rtl.md).
`default_nettype none
`include "flit.vh"

module fatfly_switch_lanes #(
  parameter integer VCS    = 1,
  parameter integer DEPTH  = 2,
  parameter integer FLIT_W = 32,
  parameter integer PATH   = `FATFLY_RP,
  parameter integer SCAN   = `FATFLY_RR,
  parameter integer LEVEL  = 1,
  parameter integer LEVELS = 3,
  parameter [31:0]  SEED   = 32'd1
) (
  input  wire aclk,
  input  wire aresetn,
  input  wire [FLIT_W-1:0] s_axis_p0_c0_tdata,
  input  wire s_axis_p0_c0_tlast,
  input  wire s_axis_p0_c0_tvalid,
  output wire s_axis_p0_c0_tready,
  input  wire [FLIT_W-1:0] s_axis_p0_c1_tdata,
  input  wire s_axis_p0_c1_tlast,
  input  wire s_axis_p0_c1_tvalid,
  output wire s_axis_p0_c1_tready,
  input  wire [FLIT_W-1:0] s_axis_p0_c2_tdata,
  input  wire s_axis_p0_c2_tlast,
  input  wire s_axis_p0_c2_tvalid,
  output wire s_axis_p0_c2_tready,
  input  wire [FLIT_W-1:0] s_axis_p0_c3_tdata,
  input  wire s_axis_p0_c3_tlast,
  input  wire s_axis_p0_c3_tvalid,
  output wire s_axis_p0_c3_tready,
  input  wire [FLIT_W-1:0] s_axis_p1_c0_tdata,
  input  wire s_axis_p1_c0_tlast,
  input  wire s_axis_p1_c0_tvalid,
  output wire s_axis_p1_c0_tready,
  input  wire [FLIT_W-1:0] s_axis_p1_c1_tdata,
  input  wire s_axis_p1_c1_tlast,
  input  wire s_axis_p1_c1_tvalid,
  output wire s_axis_p1_c1_tready,
  input  wire [FLIT_W-1:0] s_axis_p1_c2_tdata,
  input  wire s_axis_p1_c2_tlast,
  input  wire s_axis_p1_c2_tvalid,
  output wire s_axis_p1_c2_tready,
  input  wire [FLIT_W-1:0] s_axis_p1_c3_tdata,
  input  wire s_axis_p1_c3_tlast,
  input  wire s_axis_p1_c3_tvalid,
  output wire s_axis_p1_c3_tready,
  input  wire [FLIT_W-1:0] s_axis_p2_c0_tdata,
  input  wire s_axis_p2_c0_tlast,
  input  wire s_axis_p2_c0_tvalid,
  output wire s_axis_p2_c0_tready,
  input  wire [FLIT_W-1:0] s_axis_p2_c1_tdata,
  input  wire s_axis_p2_c1_tlast,
  input  wire s_axis_p2_c1_tvalid,
  output wire s_axis_p2_c1_tready,
  input  wire [FLIT_W-1:0] s_axis_p2_c2_tdata,
  input  wire s_axis_p2_c2_tlast,
  input  wire s_axis_p2_c2_tvalid,
  output wire s_axis_p2_c2_tready,
  input  wire [FLIT_W-1:0] s_axis_p2_c3_tdata,
  input  wire s_axis_p2_c3_tlast,
  input  wire s_axis_p2_c3_tvalid,
  output wire s_axis_p2_c3_tready,
  input  wire [FLIT_W-1:0] s_axis_p3_c0_tdata,
  input  wire s_axis_p3_c0_tlast,
  input  wire s_axis_p3_c0_tvalid,
  output wire s_axis_p3_c0_tready,
  input  wire [FLIT_W-1:0] s_axis_p3_c1_tdata,
  input  wire s_axis_p3_c1_tlast,
  input  wire s_axis_p3_c1_tvalid,
  output wire s_axis_p3_c1_tready,
  input  wire [FLIT_W-1:0] s_axis_p3_c2_tdata,
  input  wire s_axis_p3_c2_tlast,
  input  wire s_axis_p3_c2_tvalid,
  output wire s_axis_p3_c2_tready,
  input  wire [FLIT_W-1:0] s_axis_p3_c3_tdata,
  input  wire s_axis_p3_c3_tlast,
  input  wire s_axis_p3_c3_tvalid,
  output wire s_axis_p3_c3_tready,
  input  wire [FLIT_W-1:0] s_axis_p4_c0_tdata,
  input  wire s_axis_p4_c0_tlast,
  input  wire s_axis_p4_c0_tvalid,
  output wire s_axis_p4_c0_tready,
  input  wire [FLIT_W-1:0] s_axis_p4_c1_tdata,
  input  wire s_axis_p4_c1_tlast,
  input  wire s_axis_p4_c1_tvalid,
  output wire s_axis_p4_c1_tready,
  input  wire [FLIT_W-1:0] s_axis_p4_c2_tdata,
  input  wire s_axis_p4_c2_tlast,
  input  wire s_axis_p4_c2_tvalid,
  output wire s_axis_p4_c2_tready,
  input  wire [FLIT_W-1:0] s_axis_p4_c3_tdata,
  input  wire s_axis_p4_c3_tlast,
  input  wire s_axis_p4_c3_tvalid,
  output wire s_axis_p4_c3_tready,
  input  wire [FLIT_W-1:0] s_axis_p5_c0_tdata,
  input  wire s_axis_p5_c0_tlast,
  input  wire s_axis_p5_c0_tvalid,
  output wire s_axis_p5_c0_tready,
  input  wire [FLIT_W-1:0] s_axis_p5_c1_tdata,
  input  wire s_axis_p5_c1_tlast,
  input  wire s_axis_p5_c1_tvalid,
  output wire s_axis_p5_c1_tready,
  input  wire [FLIT_W-1:0] s_axis_p5_c2_tdata,
  input  wire s_axis_p5_c2_tlast,
  input  wire s_axis_p5_c2_tvalid,
  output wire s_axis_p5_c2_tready,
  input  wire [FLIT_W-1:0] s_axis_p5_c3_tdata,
  input  wire s_axis_p5_c3_tlast,
  input  wire s_axis_p5_c3_tvalid,
  output wire s_axis_p5_c3_tready,
  output wire [FLIT_W-1:0] m_axis_p0_c0_tdata,
  output wire m_axis_p0_c0_tlast,
  output wire m_axis_p0_c0_tvalid,
  input  wire m_axis_p0_c0_tready,
  output wire [FLIT_W-1:0] m_axis_p0_c1_tdata,
  output wire m_axis_p0_c1_tlast,
  output wire m_axis_p0_c1_tvalid,
  input  wire m_axis_p0_c1_tready,
  output wire [FLIT_W-1:0] m_axis_p0_c2_tdata,
  output wire m_axis_p0_c2_tlast,
  output wire m_axis_p0_c2_tvalid,
  input  wire m_axis_p0_c2_tready,
  output wire [FLIT_W-1:0] m_axis_p0_c3_tdata,
  output wire m_axis_p0_c3_tlast,
  output wire m_axis_p0_c3_tvalid,
  input  wire m_axis_p0_c3_tready,
  output wire [FLIT_W-1:0] m_axis_p1_c0_tdata,
  output wire m_axis_p1_c0_tlast,
  output wire m_axis_p1_c0_tvalid,
  input  wire m_axis_p1_c0_tready,
  output wire [FLIT_W-1:0] m_axis_p1_c1_tdata,
  output wire m_axis_p1_c1_tlast,
  output wire m_axis_p1_c1_tvalid,
  input  wire m_axis_p1_c1_tready,
  output wire [FLIT_W-1:0] m_axis_p1_c2_tdata,
  output wire m_axis_p1_c2_tlast,
  output wire m_axis_p1_c2_tvalid,
  input  wire m_axis_p1_c2_tready,
  output wire [FLIT_W-1:0] m_axis_p1_c3_tdata,
  output wire m_axis_p1_c3_tlast,
  output wire m_axis_p1_c3_tvalid,
  input  wire m_axis_p1_c3_tready,
  output wire [FLIT_W-1:0] m_axis_p2_c0_tdata,
  output wire m_axis_p2_c0_tlast,
  output wire m_axis_p2_c0_tvalid,
  input  wire m_axis_p2_c0_tready,
  output wire [FLIT_W-1:0] m_axis_p2_c1_tdata,
  output wire m_axis_p2_c1_tlast,
  output wire m_axis_p2_c1_tvalid,
  input  wire m_axis_p2_c1_tready,
  output wire [FLIT_W-1:0] m_axis_p2_c2_tdata,
  output wire m_axis_p2_c2_tlast,
  output wire m_axis_p2_c2_tvalid,
  input  wire m_axis_p2_c2_tready,
  output wire [FLIT_W-1:0] m_axis_p2_c3_tdata,
  output wire m_axis_p2_c3_tlast,
  output wire m_axis_p2_c3_tvalid,
  input  wire m_axis_p2_c3_tready,
  output wire [FLIT_W-1:0] m_axis_p3_c0_tdata,
  output wire m_axis_p3_c0_tlast,
  output wire m_axis_p3_c0_tvalid,
  input  wire m_axis_p3_c0_tready,
  output wire [FLIT_W-1:0] m_axis_p3_c1_tdata,
  output wire m_axis_p3_c1_tlast,
  output wire m_axis_p3_c1_tvalid,
  input  wire m_axis_p3_c1_tready,
  output wire [FLIT_W-1:0] m_axis_p3_c2_tdata,
  output wire m_axis_p3_c2_tlast,
  output wire m_axis_p3_c2_tvalid,
  input  wire m_axis_p3_c2_tready,
  output wire [FLIT_W-1:0] m_axis_p3_c3_tdata,
  output wire m_axis_p3_c3_tlast,
  output wire m_axis_p3_c3_tvalid,
  input  wire m_axis_p3_c3_tready,
  output wire [FLIT_W-1:0] m_axis_p4_c0_tdata,
  output wire m_axis_p4_c0_tlast,
  output wire m_axis_p4_c0_tvalid,
  input  wire m_axis_p4_c0_tready,
  output wire [FLIT_W-1:0] m_axis_p4_c1_tdata,
  output wire m_axis_p4_c1_tlast,
  output wire m_axis_p4_c1_tvalid,
  input  wire m_axis_p4_c1_tready,
  output wire [FLIT_W-1:0] m_axis_p4_c2_tdata,
  output wire m_axis_p4_c2_tlast,
  output wire m_axis_p4_c2_tvalid,
  input  wire m_axis_p4_c2_tready,
  output wire [FLIT_W-1:0] m_axis_p4_c3_tdata,
  output wire m_axis_p4_c3_tlast,
  output wire m_axis_p4_c3_tvalid,
  input  wire m_axis_p4_c3_tready,
  output wire [FLIT_W-1:0] m_axis_p5_c0_tdata,
  output wire m_axis_p5_c0_tlast,
  output wire m_axis_p5_c0_tvalid,
  input  wire m_axis_p5_c0_tready,
  output wire [FLIT_W-1:0] m_axis_p5_c1_tdata,
  output wire m_axis_p5_c1_tlast,
  output wire m_axis_p5_c1_tvalid,
  input  wire m_axis_p5_c1_tready,
  output wire [FLIT_W-1:0] m_axis_p5_c2_tdata,
  output wire m_axis_p5_c2_tlast,
  output wire m_axis_p5_c2_tvalid,
  input  wire m_axis_p5_c2_tready,
  output wire [FLIT_W-1:0] m_axis_p5_c3_tdata,
  output wire m_axis_p5_c3_tlast,
  output wire m_axis_p5_c3_tvalid,
  input  wire m_axis_p5_c3_tready
);
  // Lane 4 * port + channel of all 24, of which the switch has channels 0 to VCS - 1.
  wire [24*FLIT_W-1:0] s_tdata  = {
    s_axis_p5_c3_tdata, s_axis_p5_c2_tdata, s_axis_p5_c1_tdata, s_axis_p5_c0_tdata,
    s_axis_p4_c3_tdata, s_axis_p4_c2_tdata, s_axis_p4_c1_tdata, s_axis_p4_c0_tdata,
    s_axis_p3_c3_tdata, s_axis_p3_c2_tdata, s_axis_p3_c1_tdata, s_axis_p3_c0_tdata,
    s_axis_p2_c3_tdata, s_axis_p2_c2_tdata, s_axis_p2_c1_tdata, s_axis_p2_c0_tdata,
    s_axis_p1_c3_tdata, s_axis_p1_c2_tdata, s_axis_p1_c1_tdata, s_axis_p1_c0_tdata,
    s_axis_p0_c3_tdata, s_axis_p0_c2_tdata, s_axis_p0_c1_tdata, s_axis_p0_c0_tdata};
  wire [23:0]          s_tlast  = {
    s_axis_p5_c3_tlast, s_axis_p5_c2_tlast, s_axis_p5_c1_tlast, s_axis_p5_c0_tlast,
    s_axis_p4_c3_tlast, s_axis_p4_c2_tlast, s_axis_p4_c1_tlast, s_axis_p4_c0_tlast,
    s_axis_p3_c3_tlast, s_axis_p3_c2_tlast, s_axis_p3_c1_tlast, s_axis_p3_c0_tlast,
    s_axis_p2_c3_tlast, s_axis_p2_c2_tlast, s_axis_p2_c1_tlast, s_axis_p2_c0_tlast,
    s_axis_p1_c3_tlast, s_axis_p1_c2_tlast, s_axis_p1_c1_tlast, s_axis_p1_c0_tlast,
    s_axis_p0_c3_tlast, s_axis_p0_c2_tlast, s_axis_p0_c1_tlast, s_axis_p0_c0_tlast};
  wire [23:0]          s_tvalid = {
    s_axis_p5_c3_tvalid, s_axis_p5_c2_tvalid, s_axis_p5_c1_tvalid, s_axis_p5_c0_tvalid,
    s_axis_p4_c3_tvalid, s_axis_p4_c2_tvalid, s_axis_p4_c1_tvalid, s_axis_p4_c0_tvalid,
    s_axis_p3_c3_tvalid, s_axis_p3_c2_tvalid, s_axis_p3_c1_tvalid, s_axis_p3_c0_tvalid,
    s_axis_p2_c3_tvalid, s_axis_p2_c2_tvalid, s_axis_p2_c1_tvalid, s_axis_p2_c0_tvalid,
    s_axis_p1_c3_tvalid, s_axis_p1_c2_tvalid, s_axis_p1_c1_tvalid, s_axis_p1_c0_tvalid,
    s_axis_p0_c3_tvalid, s_axis_p0_c2_tvalid, s_axis_p0_c1_tvalid, s_axis_p0_c0_tvalid};
  wire [23:0]          m_tready = {
    m_axis_p5_c3_tready, m_axis_p5_c2_tready, m_axis_p5_c1_tready, m_axis_p5_c0_tready,
    m_axis_p4_c3_tready, m_axis_p4_c2_tready, m_axis_p4_c1_tready, m_axis_p4_c0_tready,
    m_axis_p3_c3_tready, m_axis_p3_c2_tready, m_axis_p3_c1_tready, m_axis_p3_c0_tready,
    m_axis_p2_c3_tready, m_axis_p2_c2_tready, m_axis_p2_c1_tready, m_axis_p2_c0_tready,
    m_axis_p1_c3_tready, m_axis_p1_c2_tready, m_axis_p1_c1_tready, m_axis_p1_c0_tready,
    m_axis_p0_c3_tready, m_axis_p0_c2_tready, m_axis_p0_c1_tready, m_axis_p0_c0_tready};
  wire [23:0]          s_tready;
  wire [24*FLIT_W-1:0] m_tdata;
  wire [23:0]          m_tlast;
  wire [23:0]          m_tvalid;
  assign {
    s_axis_p5_c3_tready, s_axis_p5_c2_tready, s_axis_p5_c1_tready, s_axis_p5_c0_tready,
    s_axis_p4_c3_tready, s_axis_p4_c2_tready, s_axis_p4_c1_tready, s_axis_p4_c0_tready,
    s_axis_p3_c3_tready, s_axis_p3_c2_tready, s_axis_p3_c1_tready, s_axis_p3_c0_tready,
    s_axis_p2_c3_tready, s_axis_p2_c2_tready, s_axis_p2_c1_tready, s_axis_p2_c0_tready,
    s_axis_p1_c3_tready, s_axis_p1_c2_tready, s_axis_p1_c1_tready, s_axis_p1_c0_tready,
    s_axis_p0_c3_tready, s_axis_p0_c2_tready, s_axis_p0_c1_tready, s_axis_p0_c0_tready} = s_tready;
  assign {
    m_axis_p5_c3_tdata, m_axis_p5_c2_tdata, m_axis_p5_c1_tdata, m_axis_p5_c0_tdata,
    m_axis_p4_c3_tdata, m_axis_p4_c2_tdata, m_axis_p4_c1_tdata, m_axis_p4_c0_tdata,
    m_axis_p3_c3_tdata, m_axis_p3_c2_tdata, m_axis_p3_c1_tdata, m_axis_p3_c0_tdata,
    m_axis_p2_c3_tdata, m_axis_p2_c2_tdata, m_axis_p2_c1_tdata, m_axis_p2_c0_tdata,
    m_axis_p1_c3_tdata, m_axis_p1_c2_tdata, m_axis_p1_c1_tdata, m_axis_p1_c0_tdata,
    m_axis_p0_c3_tdata, m_axis_p0_c2_tdata, m_axis_p0_c1_tdata, m_axis_p0_c0_tdata} = m_tdata;
  assign {
    m_axis_p5_c3_tlast, m_axis_p5_c2_tlast, m_axis_p5_c1_tlast, m_axis_p5_c0_tlast,
    m_axis_p4_c3_tlast, m_axis_p4_c2_tlast, m_axis_p4_c1_tlast, m_axis_p4_c0_tlast,
    m_axis_p3_c3_tlast, m_axis_p3_c2_tlast, m_axis_p3_c1_tlast, m_axis_p3_c0_tlast,
    m_axis_p2_c3_tlast, m_axis_p2_c2_tlast, m_axis_p2_c1_tlast, m_axis_p2_c0_tlast,
    m_axis_p1_c3_tlast, m_axis_p1_c2_tlast, m_axis_p1_c1_tlast, m_axis_p1_c0_tlast,
    m_axis_p0_c3_tlast, m_axis_p0_c2_tlast, m_axis_p0_c1_tlast, m_axis_p0_c0_tlast} = m_tlast;
  assign {
    m_axis_p5_c3_tvalid, m_axis_p5_c2_tvalid, m_axis_p5_c1_tvalid, m_axis_p5_c0_tvalid,
    m_axis_p4_c3_tvalid, m_axis_p4_c2_tvalid, m_axis_p4_c1_tvalid, m_axis_p4_c0_tvalid,
    m_axis_p3_c3_tvalid, m_axis_p3_c2_tvalid, m_axis_p3_c1_tvalid, m_axis_p3_c0_tvalid,
    m_axis_p2_c3_tvalid, m_axis_p2_c2_tvalid, m_axis_p2_c1_tvalid, m_axis_p2_c0_tvalid,
    m_axis_p1_c3_tvalid, m_axis_p1_c2_tvalid, m_axis_p1_c1_tvalid, m_axis_p1_c0_tvalid,
    m_axis_p0_c3_tvalid, m_axis_p0_c2_tvalid, m_axis_p0_c1_tvalid, m_axis_p0_c0_tvalid} = m_tvalid;

  wire [6*VCS*FLIT_W-1:0] in_tdata;
  wire [6*VCS-1:0]        in_tlast;
  wire [6*VCS-1:0]        in_tvalid;
  wire [6*VCS-1:0]        in_tready;
  wire [6*VCS*FLIT_W-1:0] out_tdata;
  wire [6*VCS-1:0]        out_tlast;
  wire [6*VCS-1:0]        out_tvalid;
  wire [6*VCS-1:0]        out_tready;

  genvar p, c;
  generate
    for (p = 0; p < 6; p = p + 1) begin : g_port
      for (c = 0; c < 4; c = c + 1) begin : g_lane
        localparam integer L = 4 * p + c;
        localparam integer S = VCS * p + c;
        if (c < VCS) begin : g_there
          assign in_tdata[FLIT_W*S+:FLIT_W] = s_tdata[FLIT_W*L+:FLIT_W];
          assign in_tlast[S]    = s_tlast[L];
          assign in_tvalid[S]   = s_tvalid[L];
          assign s_tready[L]    = in_tready[S];
          assign m_tdata[FLIT_W*L+:FLIT_W] = out_tdata[FLIT_W*S+:FLIT_W];
          assign m_tlast[L]     = out_tlast[S];
          assign m_tvalid[L]    = out_tvalid[S];
          assign out_tready[S]  = m_tready[L];
        end else begin : g_none
          wire unused = &{1'b0, s_tdata[FLIT_W*L+:FLIT_W], s_tlast[L], s_tvalid[L], m_tready[L], 1'b0};
          assign s_tready[L] = 1'b0;
          assign m_tdata[FLIT_W*L+:FLIT_W] = {FLIT_W{1'b0}};
          assign m_tlast[L]  = 1'b0;
          assign m_tvalid[L] = 1'b0;
        end
      end
    end
  endgenerate

  fatfly_switch #(
    .VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS), .SEED(SEED)
  ) u_switch (
    .aclk(aclk), .aresetn(aresetn),
    .s_axis_tdata(in_tdata), .s_axis_tlast(in_tlast), .s_axis_tvalid(in_tvalid), .s_axis_tready(in_tready),
    .m_axis_tdata(out_tdata), .m_axis_tlast(out_tlast), .m_axis_tvalid(out_tvalid), .m_axis_tready(out_tready)
  );
endmodule
`default_nettype wire
