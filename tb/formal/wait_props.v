// SPDX-License-Identifier: Apache-2.0
// wait_props.v - how long a request waits for an output: scan.v and arbiter.v in a closed loop.
//
// Input in_i asks for output out_i, both arbitrary but fixed.  ROT: of the grants of that output that
// go to others while the request stands, each moves the pointer nearer to it.  FCFS: only worms that
// were at the front before its head came can go before it.  RR: it wins whenever the start port is
// its own; how soon that is drawn is the random number's business.  FO, FF: another that is ahead and
// asks on can keep it waiting for ever, whatever it does.
`default_nettype none
`include "flit.vh"

module wait_props #(
  parameter integer PATH = `FATFLY_RP,
  parameter integer SCAN = `FATFLY_RR,
  parameter integer ROOT = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire [2:0]  in_i,             // the request that is watched: an input ...
  input  wire [2:0]  out_i,            // ... and an output
  input  wire [2:0]  rival_i,          // FO, FF: another input
  input  wire [35:0] req_i,
  input  wire [35:0] gnt_i,
  input  wire [5:0]  fresh_i,          // a worm comes to the front of this input
  input  wire [5:0]  tail_i,           // ... and ends with the flit that it sends now
  input  wire [7:0]  rand_i,
  input  wire [11:0] height_i,
  output wire        ok_o,             // a crosspoint; only a worm that is there asks
  // bad[0]: ROT: more others were granted than inputs lead there, less this one
  // bad[1]: ROT: others granted and others between the pointer and it are more than that
  // bad[2]: FCFS: more worms went before than were there when its head came
  // bad[3]: FCFS: a worm that came later goes before
  // bad[4]: RR: the start port is its own, it asks and gets nothing
  // bad[5]: FO, FF: it is granted while a rival before it (lower, higher worm) asks for that alone
  output wire [5:0]  bad_o,
  // cover[0]: ROT, FCFS: as many went before as the bound allows; others: granted after a loss
  // cover[1]: FO, FF, RR, RG with ROT: 64 losses in a row, a rival wins; others: it is granted
  output wire [1:0]  cover_o
);
  localparam integer PORTS = (ROOT != 0) ? 4 : 6;
  // Under RG the order of parent 0 decides for parent 1, so that ROT bounds nothing there.
  wire bounded = SCAN == `FATFLY_ROT & ~(PATH == `FATFLY_RG & out_i == 3'd5);

  reg  [5:0] asks, gets, some, any_gnt;
  reg        exists;
  integer    i;
  always @* begin
    exists = in_i < PORTS[2:0] & out_i < PORTS[2:0] & in_i != out_i & ~(in_i[2] & out_i[2]);
    for (i = 0; i < 6; i = i + 1) begin
      asks[i]    = |(req_i[6*i+:6] >> out_i & 6'd1) && i[2:0] != out_i && !(i > 3 && out_i[2]) && i < PORTS;
      gets[i]    = |(gnt_i[6*i+:6] >> out_i & 6'd1);
      some[i]    = |req_i[6*i+:6];
      any_gnt[i] = |gnt_i[6*i+:6];
    end
  end
  wire [5:0] own    = 6'd1 << in_i;
  wire       asking = |(asks & own);
  wire       lost   = asking & ~|(any_gnt & own);
  wire [5:0] others = gets & ~own;
  wire [2:0] rivals = (ROOT != 0) ? 3'd2 : out_i[2] ? 3'd3 : 3'd4;  // others that lead there

  // Worms at the fronts; those before this one; start port and pointer, as specified.
  reg        seen_q = 1'b0;
  reg  [5:0] there_q, ahead_q;
  reg        here_q;
  reg  [2:0] start_q, rot_q, went_q, bound_q;
  reg  [6:0] lost_q;
  reg        ever_q;
  wire [5:0] there = there_q | fresh_i;
  wire [5:0] ends  = any_gnt & tail_i;
  wire [5:0] lower = own - 6'd1;
  wire       came  = |(fresh_i & own);
  wire [5:0] ahead = came ? (there_q | (fresh_i & lower)) & ~own : ahead_q & ~fresh_i;
  wire       here  = came | here_q;
  wire [2:0] bound = came ? count(ahead) : bound_q;
  wire [2:0] went  = came ? 3'd0 : went_q;
  wire [10:0] draw = PORTS[2:0] * {3'd0, rand_i};
  integer    k;

  function [2:0] count(input [5:0] x);
    count = {2'd0, x[0]} + {2'd0, x[1]} + {2'd0, x[2]} + {2'd0, x[3]} + {2'd0, x[4]} + {2'd0, x[5]};
  endfunction
  function [2:0] place(input [2:0] p, input [2:0] s);
    place = (p >= s) ? p - s : p + 3'd6 - s;
  endfunction

  // Inputs that lead to out_i and lie from the pointer up to in_i.
  reg  [5:0] between;
  always @*
    for (k = 0; k < 6; k = k + 1)
      between[k] = k[2:0] != in_i && k[2:0] != out_i && !(k > 3 && out_i[2]) && k < PORTS &&
                   place(k[2:0], rot_q) < place(in_i, rot_q);

  always @(posedge clk_i) begin
    seen_q  <= seen_q | rst_i;
    there_q <= there & ~ends & {6{~rst_i}};
    here_q  <= here & ~|(ends & own) & ~rst_i;
    ahead_q <= ahead & ~ends;
    bound_q <= bound;
    start_q <= rst_i ? 3'd0 : draw[10:8];
    for (k = 0; k < 6; k = k + 1)
      if (gets[k]) rot_q <= (k == 5) ? 3'd0 : k[2:0] + 3'd1;
    if (rst_i) rot_q <= 3'd0;
    if (SCAN == `FATFLY_FCFS)
      went_q <= went + {2'd0, lost & |(others & ends)};
    else
      went_q <= (rst_i | ~lost) ? 3'd0 : went_q + {2'd0, |others & went_q != 3'd7};
    lost_q <= (rst_i | ~lost | ~|others) ? 7'd0 : lost_q + {6'd0, ~&lost_q};
    ever_q <= ~rst_i & lost & |others;
  end

  // The rival asks for this output alone, and is before it.
  reg       before_it;
  reg [1:0] h_own, h_riv;
  integer   m;
  always @* begin
    h_own     = 2'd0;
    h_riv     = 2'd0;
    before_it = 1'b0;
    for (m = 0; m < 6; m = m + 1) begin
      if (in_i == m[2:0]) h_own = height_i[2*m+:2];
      if (rival_i == m[2:0]) begin
        h_riv     = height_i[2*m+:2];
        before_it = rival_i != in_i & asks[m] & req_i[6*m+:6] == 6'd1 << out_i;
      end
    end
    before_it = before_it & ((SCAN == `FATFLY_FO) ? rival_i < in_i : h_riv > h_own);
  end

  assign ok_o = exists & (seen_q | rst_i) & (SCAN != `FATFLY_FCFS | ~|(some & ~there)) &
                ~|(fresh_i & there_q);
  assign bad_o[0] = seen_q & bounded & went_q > rivals;
  assign bad_o[1] = seen_q & bounded & went_q != 3'd0 & {1'b0, went_q} + {1'b0, count(between)} > {1'b0, rivals};
  assign bad_o[2] = seen_q & SCAN == `FATFLY_FCFS & here & went > bound;
  assign bad_o[3] = seen_q & SCAN == `FATFLY_FCFS & here & ((lost & |(others & ~ahead)) |
                    {1'b0, went} + {1'b0, count(ahead)} > {1'b0, bound});
  assign bad_o[4] = seen_q & SCAN == `FATFLY_RR & start_q == in_i & lost;
  assign bad_o[5] = seen_q & (SCAN == `FATFLY_FO | SCAN == `FATFLY_FF) & before_it & |(gets & own);

  wire win = seen_q & asking & |(gets & own);
  assign cover_o[0] = SCAN == `FATFLY_ROT ? win & bounded & went_q == rivals :
                      SCAN == `FATFLY_FCFS ? win & went == rivals & bound == rivals : win & ever_q;
  assign cover_o[1] = (SCAN == `FATFLY_FCFS | (SCAN == `FATFLY_ROT & (PATH != `FATFLY_RG | ROOT != 0))) ? win :
                      seen_q & lost_q == 7'd64 & (SCAN != `FATFLY_FO | before_it);
  wire unused = &{1'b0, draw[7:0], 1'b0};
endmodule
`default_nettype wire
