/* SPDX-License-Identifier: Apache-2.0
 * fifo.h - the queue of one virtual channel: the oldest flit in a register of its own, the other
 * depth - 1 in a ring.  RTL twin: rtl/fifo.v, with the same registers; in brackets: the bits of each
 * (tb/twins compares the two).
 */
#ifndef FATFLY_FIFO_H
#define FATFLY_FIFO_H

#include "flit.h"

#include <stdbool.h>
#include <stddef.h>

struct fifo {
    struct flit front_q; /* [flit_w + 2] the oldest flit */
    struct flit *mem_q;  /* [(depth - 1) * (flit_w + 2)] the others, depth - 1 places of the owner's */
    uint8_t count_q;     /* [clog2(depth + 1)] flits held, front_q included */
    uint8_t rd_q;        /* [clog2(depth - 1)] next of mem_q to come to the front */
    uint8_t wr_q;        /* [clog2(depth - 1)] next of mem_q to be written */
    uint8_t fresh_q;     /* [1] front_q came to the front at the last clock edge */
};

static inline void fifo_reset(struct fifo *f)
{
    f->count_q = f->rd_q = f->wr_q = f->fresh_q = 0;
}

static inline bool fifo_valid(const struct fifo *f)
{
    return f->count_q != 0;
}

static inline bool fifo_room(const struct fifo *f, unsigned depth)
{
    return f->count_q != depth;
}

/* The clock edge: data enters (NULL: nothing does; else there was room) and, if pop, the oldest
 * leaves (there was one). */
static inline void fifo_tick(struct fifo *f, unsigned depth, const struct flit *data, bool pop)
{
    bool to_front = data && (f->count_q == 0 || (f->count_q == 1 && pop));
    bool from_mem = pop && f->count_q > 1;

    f->fresh_q = to_front || from_mem;
    if (from_mem) {
        f->front_q = f->mem_q[f->rd_q];
        f->rd_q = f->rd_q + 2u == depth ? 0 : (uint8_t)(f->rd_q + 1);
    }
    if (to_front) {
        f->front_q = *data;
    } else if (data) {
        f->mem_q[f->wr_q] = *data;
        f->wr_q = f->wr_q + 2u == depth ? 0 : (uint8_t)(f->wr_q + 1);
    }
    f->count_q = (uint8_t)(f->count_q + (data != NULL) - pop);
}

#endif
