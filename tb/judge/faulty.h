/* SPDX-License-Identifier: Apache-2.0
 * faulty.h - a device with one fault of one bit in what it shows, at a chosen place and time.
 *
 * It stands behind the seam (sim/dut.h) and hands every call to a true device, C or Verilated, so
 * neither that device nor the program that judges it knows of it.
 */
#ifndef FATFLY_FAULTY_H
#define FATFLY_FAULTY_H

#include "dut.h"

enum fault_what {
    FAULT_NONE,
    FAULT_VALID,   /* a bit of what an exit sends: its channels */
    FAULT_KIND,
    FAULT_PAYLOAD,
    FAULT_ROOM,    /* of what an entry has room for */
    FAULT_STATE,   /* of the words inside; place is the word, beyond the last: the last */
    FAULT_CHECK,   /* switch `place` says that it is inconsistent */
    FAULT_MUTE,    /* no entry has room in this cycle, nor in any later one */
    FAULT_SHUT,    /* exits have no room in this cycle: what leaves then comes later */
    /* Of flit `place` of those that leave after the reset that counts, from 0: */
    FAULT_BEND,    /* a bit of its payload, where 64 and 65 are its kind */
    FAULT_LOSE,
    FAULT_TWICE,   /* it is there in the next cycle, too, in place of what may be */
    FAULT_BEYOND,  /* it leaves on channel 9 and up */
    FAULT_ASTRAY,  /* it leaves at the exit before or behind its own */
    FAULT_WHATS
};

struct fault {
    enum fault_what what;
    unsigned place;  /* endpoint, word, switch, or flit */
    unsigned bit;
    unsigned reset;  /* after which reset, from 1 */
    uint64_t cycle;  /* since then */
};

/* What a device that was wrapped has seen since it was opened. */
struct faulty_seen {
    unsigned resets;
    uint64_t cycles; /* since the last reset */
    uint64_t flits;  /* that left since then */
    uint64_t struck; /* cycle of the fault; UINT64_MAX: not yet */
    unsigned exit;   /* where it struck a flit, and whether that was a head */
    bool head;
};

/* A run that is repeated with one fault after another takes most of its time for the true devices.  What they show in a
 * run can be taped and played back in others that give them the same: what enters and where exits have room is the
 * stimulus's, whatever a fault makes of what leaves. */
enum faulty_tape { TAPE_OFF, TAPE_RECORD, TAPE_PLAY };
extern enum faulty_tape faulty_tape;

extern struct fault faulty_plan[2];       /* of the devices that are opened as side 0 and 1 */
extern struct faulty_seen faulty_seen[2];

/* The table of side k: `of` with the fault of faulty_plan[k]. */
const struct dut_ops *faulty_ops(unsigned k, const struct dut_ops *of);

/* "state 17 3 1 99" and so on: what, place, bit, reset, cycle.  False: it is none. */
bool faulty_read(const char *text, struct fault *fault);

#endif
