// SPDX-License-Identifier: Apache-2.0
// reach.v - what the front flit of one of a port's two channels could take now (port_pair.v).
// C twin: channel_asks() in cmodel/switch/port.c.
//
// hold_i has both channels of an output that a head wants, and the one that a body or tail keeps
// to.  What a worm holds is not free, so a worm that waits for its next flit gets nothing.  The
// terms that ask_o is the OR of are shared out so that can_o and zero_o have no gate in common
// with it.  Yosys keeps this module apart, since it would build ask_o from can_o.
`default_nettype none

(* keep_hierarchy *)
module reach #(
  parameter integer UP   = 1,          // 1: there are parents to go to
  parameter integer SELF = 6           // the child that this port is, 6 for a parent port
) (
  input  wire [11:0] room_i,           // room at the far end of each output channel
  input  wire [11:0] busy_i,           // a worm holds it
  input  wire [7:0]  hold_i,           // of the children: bit 2o + w
  input  wire        body_i,           // a body or tail flit is at the front
  input  wire [1:0]  here_i,           // ... and keeps to this channel of a parent
  input  wire        parent_i,         // ... of this one
  input  wire        up_i,             // a head that goes up is at the front
  input  wire        drawn_i,          // ... to this parent, in this cycle
  input  wire [1:0]  free_i,           // a channel of the parent is free and has room
  output wire [5:0]  can_o,            // outputs that it could take
  output wire        parent_o,         // the parent among them
  output wire        zero_o,           // ... and channel 0 of a child
  output wire [2:0]  ask_o             // any of these: it could take some output
);
  // Tables of gate.v.
  localparam [15:0] A = 16'hff00;
  localparam [15:0] B = 16'hf0f0;
  localparam [15:0] C = 16'hcccc;
  localparam [15:0] D = 16'haaaa;
  wire [7:0] able = hold_i & room_i[7:0] & (~busy_i[7:0] | {8{body_i}});
  wire [1:0] body = here_i & (parent_i ? room_i[11:10] : room_i[9:8]);
  wire [7:0] zero;
  wire [7:0] even;
  wire [7:0] odd;
  assign parent_o = up_i ? drawn_i : parent_i;
  assign zero_o   = |zero;

  genvar o;
  generate
    for (o = 0; o < 4; o = o + 1) begin : g_child
      if (o == SELF) begin : g_none
        assign can_o[o]      = 1'b0;
        assign zero[2*o+:2]  = 2'd0;
        assign even[2*o+:2]  = 2'd0;
        assign odd[2*o+:2]   = 2'd0;
      end else begin : g_one
        // The n-th of the others.
        localparam integer N = (o < SELF) ? o : o + 1;
        assign can_o[o]      = |able[2*o+:2];
        assign zero[2*o+:2]  = {1'b0, able[2*o]};
        assign even[2*o+:2]  = {1'b0, able[2*o+N%2]};
        assign odd[2*o+:2]   = {1'b0, able[2*o+1-N%2]};
      end
    end
    if (UP != 0) begin : g_up
      assign ask_o[1:0] = {|odd | body[0], |even | body[1]};
      gate #(.TABLE(A & ((B & C) | (~B & D)))) u_head (.in_i({up_i, drawn_i, free_i}), .out_o(ask_o[2]));
      gate #(.TABLE(~A & (B | C | D))) u_can4 (.in_i({parent_o, ask_o[2], body}), .out_o(can_o[4]));
      gate #(.TABLE(A & (B | C | D)))  u_can5 (.in_i({parent_o, ask_o[2], body}), .out_o(can_o[5]));
    end else begin : g_down
      wire unused = &{1'b0, body, free_i, busy_i[11:8], 1'b0};
      assign can_o[5:4] = 2'b00;
      assign ask_o      = {1'b0, |odd, |even};
    end
  endgenerate
  wire unused = &{1'b0, busy_i[11:8], able, 1'b0};
endmodule
`default_nettype wire
