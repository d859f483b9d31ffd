/* SPDX-License-Identifier: Apache-2.0
 * event_log.h - the log of every move of a run (docs/events.md), as it is written.
 */
#ifndef FATFLY_EVENT_LOG_H
#define FATFLY_EVENT_LOG_H

#include "fail.h"
#include "fatfly.h"

/* The version in the first line of a log, and the names of the columns. */
#define EVENT_LOG_VERSION 1
#define EVENT_LOG_COLUMNS \
    "event,cycle,cycles,worm,kind,flit,flits,link,channel,from,to,place,waited,src,dst,latency"

struct event_log;

/* Begins a log of a run of a configuration: compressed if the file's name ends in .gz.  NULL with f
 * filled if it cannot be written.  c must outlive it. */
struct event_log *event_log_open(const char *file, const struct fatfly_config *c, struct fail *f);

/* Whom to tell: for hooks.observer. */
const struct fatfly_observer *event_log_observer(const struct event_log *log);

/* Ends the log with what the run found, and gives the file its name.  0, or -1 with f filled. */
int event_log_close(struct event_log *log, const struct fatfly_result *r, struct fail *f);

/* Ends without a file. */
void event_log_drop(struct event_log *log);

#endif
