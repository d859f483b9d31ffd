/* SPDX-License-Identifier: Apache-2.0
 * gg_paths.h - the channels of GG's general model (gg.h) from the paths of a topology: uniform traffic, a worm from each
 * processor to each other one as likely as any, one path for each pair.
 *
 * A channel is those virtual channels of a link of which a head takes any that is free: m of them are m servers.  Time is
 * counted in flits of a virtual channel.  Worms that begin in a router wait for their first channel as those do that come
 * from elsewhere (GG 1), and those that end in one are consumed there.
 */
#ifndef FATFLY_GG_PATHS_H
#define FATFLY_GG_PATHS_H

#include "gg.h"
#include "topology.h"

#include <stdint.h>

struct gg_paths {
    struct gg_network network; /* each channel behind those that it leads to, if there are no circles */
    struct gg_channel *channel;
    struct gg_next *next;
    unsigned longest; /* path, links */
    bool circles;     /* of channels that lead to each other */
};

enum gg_paths_status {
    GG_PATHS_OK = 0,
    GG_PATHS_CHOICE,  /* a head may take one of several links */
    GG_PATHS_OVERLAP, /* heads take a virtual channel out of different sets */
    GG_PATHS_MEMORY   /* is short */
};

/* Of an open topology; p is empty unless the status is GG_PATHS_OK. */
enum gg_paths_status gg_paths_open(struct gg_paths *p, const struct topology *t);
void gg_paths_close(struct gg_paths *p);

#endif
