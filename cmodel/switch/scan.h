/* SPDX-License-Identifier: Apache-2.0
 * scan.h - the order in which a switch looks at its input ports.
 * RTL twin: rtl/scan.v, with the same registers; in brackets: the bits of each.
 */
#ifndef FATFLY_SCAN_H
#define FATFLY_SCAN_H

#include "arbiter.h"
#include "flit.h"
#include "params.h"

enum { MAX_CHANNELS = SWITCH_PORTS * MAX_VCS };

struct scan {
    uint8_t start_q;             /* [3 if RR or FF] port to start from in this cycle */
    uint8_t rot_q[SWITCH_PORTS]; /* [18 if ROT] per output, the port after the last one granted */
    /* Bit b of row a < b: channel a has been at the front longer than b.  Channels are counted
     * vcs * port + channel. */
    uint32_t older_q[MAX_CHANNELS]; /* [3 * vcs * (6 * vcs - 1) if FCFS] */
};

/* What a scan looks at in a cycle. */
struct scan_in {
    uint8_t asks;                  /* ports that offer a flit which could move, a bit each */
    uint8_t height[SWITCH_PORTS];  /* FF: of the worm on offer */
    uint8_t channel[SWITCH_PORTS]; /* FCFS: the channel on offer, 0 .. vcs - 1 */
    uint32_t fresh;                /* FCFS: channels to whose front a head came, a bit each */
};

void scan_reset(struct scan *s);

/* Points order[o] at six masks for each output; room[] is the caller's, for orders that are not
 * in a table.  Only the ports in in->asks are ordered. */
void scan_eval(const struct scan *s, const struct switch_params *p, const struct scan_in *in,
               arbiter_order order, uint8_t room[SWITCH_PORTS]);

/* The clock edge: rand is the cycle's random byte, gnt[i] what arbiter_eval() granted, fresh as in
 * scan_in. */
void scan_tick(struct scan *s, const struct switch_params *p, unsigned rand,
               const uint8_t gnt[SWITCH_PORTS], uint32_t fresh);

/* Words that scan_probe() writes: word 0 {rot_q, start_q}; under FCFS older_q after it. */
unsigned scan_probe_words(const struct switch_params *p);
void scan_probe(const struct scan *s, const struct switch_params *p, uint32_t *words);

/* The order of a scan from a start port: ahead[start][i], the ports that come before i. */
extern const uint8_t scan_from[SWITCH_PORTS][SWITCH_PORTS];

#endif
