/* SPDX-License-Identifier: Apache-2.0
 * lockstep.h - runs one or two devices through a stimulus and compares everything in every cycle:
 * links out, room, and every link and register inside.
 */
#ifndef FATFLY_LOCKSTEP_H
#define FATFLY_LOCKSTEP_H

#include "driver.h"

enum lockstep_end {
    END_DONE,      /* every worm delivered, nothing lost */
    END_CUT,       /* the cycle limit came first; flits injected = delivered + in flight */
    END_MISMATCH,  /* the two sides differ */
    END_SCOREBOARD,/* both agree, but a flit is lost, doubled, out of order or astray */
    END_CHECK,     /* a side is inconsistent in itself, see dut_ops.check */
    END_DEADLOCK,  /* flits are in flight and none has moved for lockstep_options.patience cycles */
    END_MEMORY,    /* a device or the run could not be set up */
};

/* What a watcher sees of a cycle. */
struct lockstep_view {
    unsigned sides;
    const struct link *in;         /* [endpoints] */
    const uint16_t *exit_room;     /* [endpoints] */
    const struct dut_out *out[2];
    const uint32_t *state[2];
    const struct driver *driver;
    bool differ;
};

struct lockstep_options {
    uint64_t max_cycles;  /* 0: none */
    uint64_t patience;    /* 0: 2,000 */
    uint64_t after;       /* cycles to go on after a difference, for waves */
    bool outputs_only;    /* do not compare or check inside the device */
    bool cold;            /* the one reset that counts, without traffic before it: of devices that play a tape */
    /* Called in every cycle after sampling; side 0 and 1 as in run(). */
    void (*watch)(void *context, uint64_t cycle, const struct lockstep_view *view);
    void *context;
};

struct lockstep_result {
    enum lockstep_end end;
    uint64_t cycles;      /* simulated */
    uint64_t cycle;       /* of the failure */
    unsigned at;          /* END_CHECK: the switch */
    uint64_t compared;    /* links compared: links inside and out x cycles */
    struct driver_totals totals;
    double seconds;       /* processor time of the run */
    char why[240];        /* of the failure, one line */
};

/* Worms that are ready before this cycle of the stimulus can be met before the reset that counts. */
uint64_t lockstep_warm(const struct stimulus *s);

/* ops[1] NULL: one side alone, nothing to compare.  Each run opens its devices anew: queue memory
 * has no reset, so what an earlier run left there would differ where that run did. */
void lockstep_run(const struct dut_ops *const ops[2], const struct stimulus *s,
                  const struct lockstep_options *o, struct lockstep_result *r);

#endif
