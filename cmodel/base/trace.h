/* SPDX-License-Identifier: Apache-2.0
 * trace.h - recorded messages of real programs: CSV `t_ns,src,dst,bytes`, gzip or plain.
 *
 * One row a message, sorted by time; src and dst are ranks from 0, bytes the payload (0 is a real,
 * empty message).  Everything else is refused with file:line and what is allowed.
 */
#ifndef FATFLY_TRACE_H
#define FATFLY_TRACE_H

#include "fail.h"

#include <stddef.h>
#include <stdint.h>

struct trace_message {
    uint64_t t_ns;
    uint32_t src;
    uint32_t dst;
    uint64_t bytes;
};

struct trace {
    struct trace_message *message;
    size_t count;
};

/* Larger values are refused as mistakes; replay can then scale times without an overflow. */
enum {
    TRACE_MAX_BYTES_LOG2 = 40, /* a message is shorter than 2^40 bytes */
    TRACE_MAX_TIME_LOG2 = 62,  /* t_ns is below 2^62 */
    TRACE_MAX_SPAN_LOG2 = 50,  /* ... and below 2^50 ns, 13 days, after the first message */
    TRACE_MAX_LINE = 127,      /* characters of a line */
};

/* Reads at most limit messages (0: all) of a trace whose ranks must be below ranks; what follows
 * them is not looked at.  Returns 0, or -1 with f filled and t empty. */
int trace_read(struct trace *t, const char *file, uint32_t ranks, size_t limit, struct fail *f);

/* The same from memory (gzip or plain), for tests and fuzzing; name stands for the file in
 * messages. */
int trace_parse(struct trace *t, const char *name, const char *text, size_t size, uint32_t ranks,
                size_t limit, struct fail *f);

void trace_free(struct trace *t);

/* A message of B bytes, cut to max_bytes if that is not 0, becomes ceil(B / payload of a worm) worms; the payload
 * of a worm is its flits but the head.  The last is as long as it must be; an empty message is a single flit. */
struct trace_cut {
    double cycles_per_us;
    uint64_t max_bytes;
    unsigned flit_bits, length;
};

uint64_t trace_worms(const struct trace_cut *cut, const struct trace_message *m);
uint32_t trace_flits(const struct trace_cut *cut, const struct trace_message *m, uint64_t worm); /* from 0 */

/* When message k is ready, from the first on; and what to say of a cycle of 2^62 or more. */
double trace_cycle(const struct trace_cut *cut, const struct trace *t, size_t k);
int trace_too_long(const struct trace_cut *cut, double cycle, const char *file, struct fail *f);

#endif
