/* SPDX-License-Identifier: Apache-2.0
 * switch.h - the butterfly fat-tree switch: four children (ports 0..3), two parents (4, 5).
 * RTL twin: rtl/switch_ref.v, with the same registers; docs/rules.md has every cycle rule with a timing
 * table.
 *
 * A cycle: switch_eval() is the logic between clock edges and changes nothing, switch_tick() is
 * the clock edge.  Fields that end in _q are the registers of the RTL, bit for bit.  Nothing here
 * allocates, prints or keeps state outside the structs.
 */
#ifndef FATFLY_SWITCH_H
#define FATFLY_SWITCH_H

#include "lfsr.h"
#include "params.h"
#include "port.h"
#include "scan.h"

#include <stddef.h>

struct fat_switch {
    struct switch_params params;
    struct port port[SWITCH_PORTS]; /* at the root 4 and 5 stay empty */
    struct scan scan;
    struct lfsr lfsr;
    uint8_t busy_q[SWITCH_PORTS];   /* [6 * vcs] output channels that a worm holds, a bit per channel */
    uint8_t ports;                  /* 6, or 4 at the root */
    bool random;                    /* the parameters ask for random bits */
    uint8_t waiting;                /* not a register: ports with a flit in some queue, a bit each */
};

/* The wires of one cycle; all zero before the first. */
struct switch_wires {
    struct link out[SWITCH_PORTS];
    uint8_t sent;                  /* outputs with a flit, a bit each */
    uint8_t req[SWITCH_PORTS];     /* outputs that the input's flit could take, a bit each */
    uint8_t asks;                  /* inputs with such an output, a bit each */
    bool contest;                  /* two inputs could take one output, or one input two */
    uint8_t gnt[SWITCH_PORTS];     /* output that the input's flit crosses to, one-hot or zero */
    uint8_t chan[SWITCH_PORTS];    /* ... and the channel there, one-hot or zero */
    int8_t channel[SWITCH_PORTS];  /* channel on offer; -1: port_eval() was not asked, or found none */
    uint32_t fresh;                /* FCFS: channels to whose front a head came */
};

/* Flits of queue memory that switch_init() needs beside the struct. */
size_t switch_mem(const struct switch_params *p);

/* p must have passed switch_params_check(); mem[switch_mem(p)] stays the caller's. */
void switch_init(struct fat_switch *s, const struct switch_params *p, struct flit *mem);

/* Gives the registers their first values; seed starts the random bits.  To be called after switch_init(). */
void switch_reset(struct fat_switch *s, uint32_t seed);

/* room[o]: room at the far end of output o, a bit per channel. */
void switch_eval(const struct fat_switch *s, const uint8_t room[SWITCH_PORTS],
                 struct switch_wires *w);

/* in[i]: the links into the switch in this cycle; a flit only where there was room. */
void switch_tick(struct fat_switch *s, const struct link in[SWITCH_PORTS],
                 const struct switch_wires *w);

/* switch_tick() of a switch where no flit waits, arrives or leaves, and none did in the cycle
 * before: only the random bits move. */
void switch_tick_idle(struct fat_switch *s);

/* True if no flit waits here, so that switch_eval() would move nothing. */
static inline bool switch_idle(const struct fat_switch *s)
{
    return !s->waiting;
}

/* Every link and register as words, the probe_o of rtl/switch.v. */
unsigned switch_probe_words(const struct switch_params *p);
void switch_probe(const struct fat_switch *s, const struct link in[SWITCH_PORTS],
                  const struct switch_wires *w, uint32_t *words);

/* NULL, or what is inconsistent: holds and busy channels match one to one, counts within depth, a
 * queue without a held output starts with a head. */
const char *switch_check(const struct fat_switch *s);

/* After switch_eval(): NULL, or what is inconsistent in its wires: a grant without a request, a crosspoint
 * used without a grant, the arbiter asked where it has nothing to decide, or the other way round. */
const char *switch_check_wires(const struct fat_switch *s, const struct switch_wires *w);

#endif
