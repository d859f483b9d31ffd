/* SPDX-License-Identifier: Apache-2.0
 * perfetto.h - writes a trace of Perfetto's TrackEvent kind: tracks, and slices of time on them.
 *
 * The fields that are used are those of tb/perfetto/perfetto.proto; the file is a protobuf message
 * Trace, whose packets are encoded here by hand.  A time is a whole number of nanoseconds.
 */
#ifndef FATFLY_PERFETTO_H
#define FATFLY_PERFETTO_H

#include <stdint.h>
#include <stdio.h>

/* How the children of a track are ordered. */
enum perfetto_order { PERFETTO_BY_NAME = 1, PERFETTO_BY_TIME = 2, PERFETTO_BY_RANK = 3 };

struct perfetto_track {
    uint64_t id;      /* not 0 */
    uint64_t parent;  /* 0: none */
    const char *name; /* among the children of one track each has its own; of a longer one the first
                         PERFETTO_MAX_NAME characters count */
    enum perfetto_order order; /* of its children; 0: it has none */
    uint32_t rank;    /* among its siblings, where they are ordered so */
};

enum { PERFETTO_MAX_NAME = 95 };

/* What is noted about a slice: a number, or a text. */
struct perfetto_note {
    const char *name;
    const char *text; /* NULL: value */
    uint64_t value;
};

struct perfetto {
    FILE *out;        /* whose error the caller asks for */
    uint64_t packets; /* written so far */
};

/* A track is written before what is on it. */
void perfetto_track(struct perfetto *p, const struct perfetto_track *track);

/* Slices of one track lie beside each other or inside each other; of two that begin in one
 * nanosecond the outer one is written first, and what ends before what begins. */
void perfetto_begin(struct perfetto *p, uint64_t time, uint64_t track, const char *name,
                    const struct perfetto_note *notes, unsigned count);
void perfetto_end(struct perfetto *p, uint64_t time, uint64_t track, const struct perfetto_note *notes,
                  unsigned count);

#endif
