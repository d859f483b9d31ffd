/* SPDX-License-Identifier: Apache-2.0
 * probe.h - names for the words that dut_ops.state() shows: every link and register of a device.
 *
 * One table serves the comparison, the explanation of a mismatch and the waves, on either side.
 * Per switch, in this order: lfsr_q; busy_q; scan; then ports 0..5, each a control word, the flit
 * on the link that enters the port, and its channels (rtl/switch.v, rtl/port.v, rtl/fifo.v).  A cube's
 * router has two control words (rtl/cube/); its port 5 is zero.
 */
#ifndef FATFLY_PROBE_H
#define FATFLY_PROBE_H

#include "dut.h"

enum probe_what {
    PROBE_WIRE,    /* a wire of this cycle: valid, room, gnt, offer */
    PROBE_REG,     /* a register (its name ends in _q) */
    PROBE_KIND,    /* flit kind, 2 bits */
    PROBE_PAYLOAD, /* flit payload */
};

enum { PROBE_NO_PORT = 15, PROBE_NO_VC = 15 };

struct probe_signal {
    char name[20];        /* "link_valid", "gnt", "hold_q", "front_q.kind", "mem_q[0].payload" .. */
    enum probe_what what;
    uint8_t port;         /* 0..5, or PROBE_NO_PORT for the switch itself */
    uint8_t vc;           /* 0.., or PROBE_NO_VC for the port itself */
    uint32_t bit;         /* first bit, from the start of the switch's words */
    uint16_t width;       /* 1..64; older_q is cut into pieces of up to 32 bits */
};

struct probe {
    struct dut_shape shape;
    unsigned switches;             /* in the device */
    unsigned words;                /* 32-bit words of one switch */
    unsigned count;                /* signals of one switch */
    struct probe_signal *signal;   /* [count]; the same for every switch of a device */
};

/* 0, or -1 if memory is short. */
int probe_init(struct probe *p, const struct dut_shape *shape);
void probe_free(struct probe *p);

/* Value of one signal of switch s (0 .. switches - 1, numbered level by level from the leaves). */
uint64_t probe_get(const struct probe *p, const uint32_t *state, unsigned s,
                   const struct probe_signal *g);

/* The signal of that name, or NULL. */
const struct probe_signal *probe_find(const struct probe *p, const char *name, unsigned port,
                                      unsigned vc);

/* Level (1 ..) and address of switch s; x and y of a cube's router. */
void probe_switch_place(const struct probe *p, unsigned s, unsigned *level, unsigned *address);

/* "S(1,0)", of a cube "R(3,2)", into text[size]. */
void probe_switch_name(const struct probe *p, unsigned s, char *text, size_t size);

#endif
