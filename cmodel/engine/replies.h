/* SPDX-License-Identifier: Apache-2.0
 * replies.h - requests and replies: when a worm that asks for one has arrived, its destination sends a reply.
 *
 * A run takes worms from replies_take() in place of calendar_take(): those of the traffic, and the replies to
 * those that have arrived.  Engines know nothing of it.
 */
#ifndef FATFLY_REPLIES_H
#define FATFLY_REPLIES_H

#include "calendar.h"

struct replies {
    const struct fatfly_config *config; /* NULL: there are none */
    const struct traffic *traffic;
    struct calendar *requests;
    struct calendar coming;  /* replies that are not ready yet */
    uint64_t *made;          /* [processors], replies of each */
    bool short_of_memory;
};

/* Of a configuration with replies.  0, or -1 if memory is short; close follows either way. */
int replies_open(struct replies *p, const struct fatfly_config *c, const struct traffic *t,
                 struct calendar *requests);
void replies_close(struct replies *p);
void replies_visit(struct replies *p, struct visitor *v);

/* A worm has arrived, the last cycle of its tail was `tail`.  Whether a reply or a request is to come for it. */
bool replies_arrived(struct replies *p, const struct traffic_worm *w, uint64_t tail);

/* Worms to come for which nothing more need arrive. */
static inline uint32_t replies_count(const struct replies *p)
{
    return p->config ? p->coming.count : 0;
}

/* As calendar_next() and calendar_take() of requests and replies together: of one cycle replies first. */
uint64_t replies_next(const struct replies *p, const struct calendar *requests);
bool replies_take(struct replies *p, struct calendar *requests, uint64_t cycle, struct traffic_worm *w);

#endif
