/* SPDX-License-Identifier: Apache-2.0
 * cube_network.h - a k-ary 2-cube of cube_routers, stepped cycle by cycle, or one router of it.
 * RTL twins: rtl/cube/cube_network.v, rtl/cube/cube_one.v.
 */
#ifndef FATFLY_CUBE_NETWORK_H
#define FATFLY_CUBE_NETWORK_H

#include "cube_router.h"

struct cube_network {
    struct cube_params params;
    uint32_t routers;          /* k * k, or one */
    uint32_t endpoints;        /* where links enter and leave: k * k processors, or the five ports */
    struct cube_router *router;
    struct cube_wires *wires;  /* [routers], of this cycle */
    /* Link 5s + p enters port p of router s; 5 * routers + e leaves by endpoint e; the last is the
     * edge of a mesh, where no flit goes and no room is. */
    struct link *link;         /* of this cycle */
    uint16_t *room;            /* at the link's far end */
    uint32_t *to;              /* [5 * routers]: the link that leaves by port p of router s */
    uint32_t *enter;           /* [endpoints]: the link that an endpoint drives */
    struct flit *mem;
};

/* A whole network (node < 0) or the router of that node.  NULL if memory is short. */
struct cube_network *cube_network_new(const struct cube_params *p, int node);
void cube_network_free(struct cube_network *n);
void cube_network_reset(struct cube_network *n, uint32_t seed);

/* in[endpoints]: the links into it; room[endpoints]: room behind those out of it. */
void cube_network_drive(struct cube_network *n, const struct link *in, const uint16_t *room);
void cube_network_tick(struct cube_network *n);

/* Router after router, cube_probe_words() words each. */
void cube_network_probe(const struct cube_network *n, uint32_t *words);

/* to[5 * k * k]: the link that leaves by each port, numbered as above. */
void cube_wire(const struct cube_params *p, uint32_t *to);

#endif
