// SPDX-License-Identifier: Apache-2.0
// fatfly_switch_formal.v - fatfly_switch.v with axis_rules.v on every output, for tb/axis/prove.sh.
`default_nettype none

module fatfly_switch_formal #(
  parameter integer VCS    = 1,
  parameter integer FLIT_W = 32,
  parameter integer LEVEL  = 1
) (
  input  wire                    aclk,
  input  wire                    aresetn,
  input  wire [6*VCS*FLIT_W-1:0] s_axis_tdata,
  input  wire [6*VCS-1:0]        s_axis_tlast,
  input  wire [6*VCS-1:0]        s_axis_tvalid,
  input  wire [6*VCS-1:0]        m_axis_tready
);
  wire [6*VCS-1:0]        s_axis_tready;
  wire [6*VCS*FLIT_W-1:0] m_axis_tdata;
  wire [6*VCS-1:0]        m_axis_tlast;
  wire [6*VCS-1:0]        m_axis_tvalid;
  wire [6*VCS-1:0]        broken;

  fatfly_switch #(
    .VCS(VCS), .FLIT_W(FLIT_W), .LEVEL(LEVEL)
  ) dut (
    .aclk(aclk), .aresetn(aresetn),
    .s_axis_tdata(s_axis_tdata), .s_axis_tlast(s_axis_tlast), .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .m_axis_tdata(m_axis_tdata), .m_axis_tlast(m_axis_tlast), .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready)
  );

  genvar c;
  generate
    for (c = 0; c < 6 * VCS; c = c + 1) begin : g_rules
      axis_rules #(
        .TDATA_W(FLIT_W)
      ) u_rules (
        .aclk(aclk), .aresetn(aresetn), .tdata(m_axis_tdata[FLIT_W*c+:FLIT_W]),
        .tlast(m_axis_tlast[c]), .tvalid(m_axis_tvalid[c]), .tready(m_axis_tready[c]),
        .broken(broken[c])
      );
    end
  endgenerate
endmodule
`default_nettype wire
