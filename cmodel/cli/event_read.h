/* SPDX-License-Identifier: Apache-2.0
 * event_read.h - reads a log of events (docs/events.md) row by row, compressed or not.
 */
#ifndef FATFLY_EVENT_READ_H
#define FATFLY_EVENT_READ_H

#include "fail.h"
#include "fatfly.h"

enum event { EVENT_READY, EVENT_MOVE, EVENT_LOST, EVENT_ARRIVED, EVENTS_COUNT };
extern const char *const event_names[EVENTS_COUNT];

/* Fields that a row does not have are 0. */
struct event_row {
    enum event event;
    uint64_t cycle, cycles, waited, latency;
    uint32_t worm, flit, flits, link, channel, from, to, src, dst;
    bool head, tail, packet; /* kind; single is head and tail */
    bool first, last;        /* place; only is both */
};

struct event_log_header {
    char topology[40], engine[40];
    enum fatfly_discipline discipline;
    bool reuse;                /* a channel is free when the tail was sent */
    uint32_t processors, nodes, links, channels, depth, link_cycles, hop_cycles, at_once;
    struct fatfly_ends *ends;  /* [links]; to is FATFLY_NOWHERE where there is none */
    uint32_t *enter, *leave;   /* [processors] */
};

struct event_log_totals {
    char end[16];
    char digest[20];
    uint64_t cycles, flit_hops, worms, flits, measure_from, measure_cycles, measured, latency_sum,
        latency_max, source_wait, congestion, dilation;
};

struct event_reader;

/* NULL with f filled: EXIT_INPUT. */
struct event_reader *event_read_open(const char *file, struct fail *f);
const struct event_log_header *event_read_header(const struct event_reader *r);
/* Of the row read last. */
size_t event_read_line(const struct event_reader *r);
/* The next row: 1; 0: the log is over, and totals() has its last line; -1 with f filled. */
int event_read_next(struct event_reader *r, struct event_row *row, struct fail *f);
const struct event_log_totals *event_read_totals(const struct event_reader *r);
void event_read_close(struct event_reader *r);

#endif
