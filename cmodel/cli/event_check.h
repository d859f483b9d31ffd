/* SPDX-License-Identifier: Apache-2.0
 * event_check.h - whether a log of events can be: no flit is lost, doubled or in two places, no link
 * and no channel carries more than it can, and the run's results follow from it.
 */
#ifndef FATFLY_EVENT_CHECK_H
#define FATFLY_EVENT_CHECK_H

#include "event_read.h"

enum { EVENT_FINDINGS = 10 };

/* What the rows say. */
struct event_sums {
    uint64_t rows[EVENTS_COUNT];
    uint64_t flit_moves;      /* flits over links */
    uint64_t flits;           /* of worms that arrived */
    uint64_t measured, latency_sum, latency_max, source_wait; /* of worms made in the measured cycles */
    uint64_t busiest;         /* flits over the link that carried most */
    uint32_t busiest_link;
    uint64_t last_cycle;      /* of a row */
};

struct event_check;

/* NULL if memory is short. */
struct event_check *event_check_new(const struct event_log_header *h);
/* False if memory is short. */
bool event_check_row(struct event_check *c, const struct event_row *row, size_t line);
void event_check_end(struct event_check *c, const struct event_log_totals *t);
const struct event_sums *event_check_sums(const struct event_check *c);
/* How much is wrong; text(k) of the first EVENT_FINDINGS: "line 12: ...". */
uint64_t event_check_findings(const struct event_check *c);
const char *event_check_text(const struct event_check *c, unsigned k);
void event_check_free(struct event_check *c);

#endif
