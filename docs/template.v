// SPDX-License-Identifier: Apache-2.0
// template.v - a leaf switch with AXI4-Stream ports, and packets for it; copy what you need.
`default_nettype none

module template (
  input  wire         aclk,
  input  wire         aresetn,          // low for a clock edge at least
  // Processor 0: start sends a packet of two beats to dst; all three wait for ready.
  input  wire         start,
  input  wire [5:0]   dst,
  input  wire [31:0]  data,
  output wire         ready,
  // The streams of the other ports: children 1 to 3, parents 4 and 5.
  input  wire [159:0] s_tdata,
  input  wire [4:0]   s_tlast,
  input  wire [4:0]   s_tvalid,
  output wire [4:0]   s_tready,
  output wire [191:0] m_tdata,
  output wire [5:0]   m_tlast,
  output wire [5:0]   m_tvalid,
  input  wire [5:0]   m_tready
);
  `include "fatfly_head.vh"

  // The first beat of a packet is its head, the second is data.
  reg         second_q;
  reg  [31:0] data_q;
  wire        take;
  wire [63:0] head = fatfly_head(3, 20'd0, {14'd0, dst}, 9'd0);
  assign ready = take & ~second_q;
  always @(posedge aclk) begin
    if (!aresetn)              second_q <= 1'b0;
    else if (second_q & take)  second_q <= 1'b0;
    else if (start & ready)    second_q <= 1'b1;
    if (start & ready) data_q <= data;
  end

  // Every vector holds six ports side by side, port 0 lowest.
  fatfly_switch #(
    .VCS(1),                            // virtual channels a link: 1, 2 or 4; each is a stream
    .DEPTH(2),                          // flits a queue holds, 1 to 16
    .FLIT_W(32),                        // bits of TDATA, 16 to 64
    .PATH(1),                           // 0 FP, 1 RP, 2 GP, 3 RG, 4 RW
    .SCAN(0),                           // 0 RR, 1 FO, 2 FF, 3 ROT, 4 FCFS
    .LEVEL(1),                          // 1 (leaves) to LEVELS (root)
    .LEVELS(3),                         // of the network: 4^LEVELS processors
    .SEED(32'd1)                        // another one for each switch
  ) u_switch (
    .aclk(aclk), .aresetn(aresetn),
    .s_axis_tdata({s_tdata, second_q ? data_q : head[31:0]}),
    .s_axis_tlast({s_tlast, second_q}),
    .s_axis_tvalid({s_tvalid, second_q | start}),
    .s_axis_tready({s_tready, take}),
    .m_axis_tdata(m_tdata), .m_axis_tlast(m_tlast), .m_axis_tvalid(m_tvalid),
    .m_axis_tready(m_tready)
  );

  wire unused = &{1'b0, head[63:32], 1'b0};
endmodule
`default_nettype wire
