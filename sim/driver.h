/* SPDX-License-Identifier: Apache-2.0
 * driver.h - the processors' side: sources that inject worms, exits that check what arrives.
 *
 * A source queue is unbounded.  Its link has V channels, as every link: a worm takes the lowest
 * channel that is free and has room, one flit crosses a cycle, channels that could send take turns.
 * The scoreboard knows every flit of every worm in flight: each must leave whole, in order, once,
 * where it may leave, unchanged.
 */
#ifndef FATFLY_DRIVER_H
#define FATFLY_DRIVER_H

#include "stimulus.h"

struct driver; /* sources and scoreboard of one run */

struct driver_totals {
    uint64_t worms_injected; /* heads that crossed into the device */
    uint64_t worms_delivered;
    uint64_t worm_flits; /* of those worms */
    uint64_t flits_injected;
    uint64_t flits_delivered;
    uint64_t last_arrival;   /* cycle of the last tail, from 0 */
    uint64_t latency_sum;    /* cycles, ready to tail arrived, of delivered worms */
    uint64_t latency_max;
    uint64_t digest;         /* of every flit delivered: cycle, exit, channel, kind, payload */
};

/* NULL if memory is short.  s stays the caller's and must outlive the driver. */
struct driver *driver_new(const struct stimulus *s);
void driver_free(struct driver *d);

/* What the sources send in this cycle, in[endpoints], given the device's room. */
void driver_drive(struct driver *d, uint64_t cycle, const uint16_t *room, struct link *in);

/* Takes the links out of the device.  Returns NULL, or what is wrong in why[size]. */
const char *driver_consume(struct driver *d, uint64_t cycle, const struct link *out, char *why,
                           size_t size);

const struct driver_totals *driver_totals(const struct driver *d);

/* The device was reset: what is in flight is lost, and of no worm that has begun is anything sent
 * again.  Flits and worms that are lost no longer count as injected. */
void driver_drop(struct driver *d);
unsigned driver_drops(const struct driver *d);

/* True when every worm has been delivered, or lost in a reset. */
bool driver_done(const struct driver *d);

/* Number of the worm that endpoint e sends in this cycle, after driver_drive(); 0: none. */
uint32_t driver_sends(const struct driver *d, unsigned e);

/* The worm of that number, or NULL. */
const struct worm *driver_worm(const struct driver *d, uint32_t number);

/* First worm in flight, in order of entry, or NULL: for a report of what was lost. */
const struct worm *driver_in_flight(const struct driver *d);

#endif
