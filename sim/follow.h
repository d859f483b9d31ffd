/* SPDX-License-Identifier: Apache-2.0
 * follow.h - which worm is on every link and in every queue, from what the probe shows.
 *
 * Flits do not carry their worm's number; the follower keeps a shadow of every queue and moves
 * numbers as the grants of the cycle say.  It costs time, so only waves, --watch and the
 * explanation of a mismatch use it.
 */
#ifndef FATFLY_FOLLOW_H
#define FATFLY_FOLLOW_H

#include "driver.h"
#include "probe.h"

struct follow;

/* A flit crosses a link. */
struct follow_event {
    uint64_t cycle;
    uint32_t worm;      /* number; 0 if the grants make no sense (a planted bug) */
    enum flit_kind kind;
    uint32_t from;      /* 6 * switch + port that it leaves by; or entry, if injected */
    uint32_t to;        /* 6 * switch + port that it enters; 6 * switches + exit */
    uint16_t chan;      /* channel, one-hot */
    bool injected;
};

/* NULL if memory is short.  The probe stays the caller's. */
struct follow *follow_new(const struct probe *p);
void follow_free(struct follow *f);

/* One cycle of one side.  on_event may be NULL. */
void follow_cycle(struct follow *f, uint64_t cycle, const uint32_t *state, const struct link *out,
                  const struct driver *d,
                  void (*on_event)(void *context, const struct follow_event *e), void *context);

/* [6 * switches + endpoints]: number of the worm on each link in the last cycle, 0: none. */
const uint32_t *follow_links(const struct follow *f);

/* Number of the worm at the front of a queue after the last cycle's edge, 0: none. */
uint32_t follow_front(const struct follow *f, unsigned s, unsigned port, unsigned vc);

/* "S(2,3) port 4" for a link into a switch, "processor 5" or "exit 5" for others; into text[size]. */
void follow_place(const struct probe *p, uint32_t link, char *text, size_t size);
/* The same for where a flit leaves from: "S(1,0) parent 1". */
void follow_leaves(const struct probe *p, uint32_t from, bool injected, char *text, size_t size);

/* One line about an event: "cycle 17: head of worm 3 (2 -> 9) leaves S(1,0) by parent 0 ..". */
void follow_text(const struct probe *p, const struct driver *d, const struct follow_event *e,
                 char *text, size_t size);

/* The chain of who waits for whom, from a state in which nothing moves: lines to print, separated
 * by newlines, into text[size].  Returns true if it is a circle (a deadlock). */
bool follow_wait_chain(const struct follow *f, const uint32_t *state, const uint16_t *exit_room,
                       char *text, size_t size);

#endif
