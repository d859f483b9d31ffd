// SPDX-License-Identifier: Apache-2.0
// flit.vh - numbers that every module of the switch agrees on.  C twin: cmodel/switch/flit.h.
`ifndef FATFLY_FLIT_VH
`define FATFLY_FLIT_VH

// A flit is {kind, payload}: two bits above FLIT_W.  A worm of one flit is head and tail at once.
`define FATFLY_KIND_BODY   2'b00
`define FATFLY_KIND_TAIL   2'b01
`define FATFLY_KIND_HEAD   2'b10
`define FATFLY_KIND_SINGLE 2'b11

// The head's payload in a network of n levels (N = 4^n processors), from bit 0:
//   dst 2n | src 2n | height ceil(log2(n+1)) | path n-1 (bit l-1: parent taken at level l) | free
// Only PATH = FP reads the path bits.  N = 4096 needs 12 + 12 + 3 + 5 = 32 bits.

// PATH: which parent a head that goes up wants (GO III.B.2, GG 3.1).
`define FATFLY_FP 0   // the one that its path bit names
`define FATFLY_RP 1   // one drawn anew in every cycle
`define FATFLY_GP 2   // the lowest-numbered one that is free
`define FATFLY_RG 3   // one drawn at random, the other if that is blocked; anew in every cycle
`define FATFLY_RW 4   // the same in its first cycle at the front, then it waits for the one it drew
`define FATFLY_PATHS 5

// SCAN: which of several inputs gets an output (GO III.B.2).
`define FATFLY_RR   0 // from a start port drawn anew in every cycle
`define FATFLY_FO   1 // ports 0 .. 5
`define FATFLY_FF   2 // greater height first, then as RR
`define FATFLY_ROT  3 // from the port after the last one granted, per output
`define FATFLY_FCFS 4 // the head that has been at the front longest
`define FATFLY_SCANS 5

// IMPL: which of the two switches that do the same (switch.v).
`define FATFLY_AUTO 0 // the fast one where there is one
`define FATFLY_REF  1 // rtl/switch_ref.v
`define FATFLY_FAST 2 // rtl/fast/switch_fast.v

`endif
