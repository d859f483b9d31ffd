/* SPDX-License-Identifier: Apache-2.0
 * session.h - what a session is made of.
 */
#ifndef FATFLY_SESSION_H
#define FATFLY_SESSION_H

#include "engine.h"

struct fatfly_session {
    struct fatfly_config config;
    struct topology topology;
    struct run *run;
    struct fatfly_result result;
    uint32_t *link_worms;
    uint32_t *sent;       /* [nodes] */
    uint64_t *last;       /* [nodes], ready cycle of the last one */
    struct fatfly_delivery *delivery;
    size_t first, count, room;
    bool begun;           /* fatfly_advance() has been called */
    bool short_of_memory; /* a delivery found no room */
    bool stuck;           /* the last fatfly_advance() found a deadlock */
    bool over;            /* of worms of its own: all has been done */
};

#endif
