/* SPDX-License-Identifier: Apache-2.0
 * network.h - a butterfly fat-tree of fat_switches, stepped cycle by cycle.
 * RTL twin: rtl/network.v.
 *
 * A cycle: network_drive(), network_eval(), network_tick(), in this order.  All switches decide on
 * the state at the start of the cycle, so the order in which they are evaluated cannot matter.
 */
#ifndef FATFLY_NETWORK_H
#define FATFLY_NETWORK_H

#include "switch.h"

struct network {
    struct switch_params params;   /* level is not used */
    uint32_t nodes;                /* N */
    uint32_t switches;
    struct fat_switch *sw;         /* [switches] */
    struct switch_wires *wires;    /* [switches], of this cycle */
    /* Link 6s + p enters port p of switch s; link 6 * switches + a reaches processor a. */
    struct link *link;             /* [6 * switches + N], of this cycle */
    uint8_t *room;                 /* [6 * switches + N], room at the link's far end */
    uint32_t *to;                  /* [6 * switches], the link that leaves by port p of switch s */
    struct flit *mem;              /* queue memory of all switches */
    uint32_t *driven;              /* links with a flit in this cycle */
    uint32_t driven_count;
    bool *clean;                   /* [switches], wires show an idle switch */
    bool *reached;                 /* [switches], a flit arrives in this cycle */
};

/* Bytes that a network needs. */
size_t network_bytes(const struct switch_params *p);

/* NULL if memory is short.  p must have passed switch_params_check() for level 1. */
struct network *network_new(const struct switch_params *p);
void network_free(struct network *n);

/* The registers; links keep what they carry until the next network_drive(). */
void network_reset(struct network *n, uint32_t seed);

/* Random seed of switch s in a network with this seed (mix() of rtl/network.v). */
uint32_t network_switch_seed(uint32_t seed, uint32_t s);

/* in[N]: what the processors inject, only where network_room() was; room[N]: room at the
 * processors, a bit per channel. */
void network_drive(struct network *n, const struct link *in, const uint8_t *room);
void network_eval(struct network *n);
void network_tick(struct network *n);

/* Room for a flit from processor a, a bit per channel. */
static inline uint8_t network_room(const struct network *n, uint32_t a)
{
    return n->room[6 * (a >> 2) + (a & 3)];
}

/* The link that reaches processor a in this cycle. */
static inline const struct link *network_exit(const struct network *n, uint32_t a)
{
    return &n->link[SWITCH_PORTS * n->switches + a];
}

/* Between network_eval() and network_tick(): NULL, or what is inconsistent, in switch *s.  Beside
 * switch_check() and switch_check_wires(): what the network knows without looking (room, which links
 * carry a flit, which switch is idle, which a flit reaches) is what a look finds. */
const char *network_check(const struct network *n, uint32_t *s);

/* Every link and register, switch after switch: switches * switch_probe_words() words. */
void network_probe(const struct network *n, uint32_t *words);

#endif
