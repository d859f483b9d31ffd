/* SPDX-License-Identifier: Apache-2.0
 * timeline.h - a run as a Perfetto trace (docs/perfetto.md): which worm is on which link, and the life of
 * each worm.  It is told by an observer (fatfly.h).  A cycle is a nanosecond.
 */
#ifndef FATFLY_TIMELINE_H
#define FATFLY_TIMELINE_H

#include "fail.h"
#include "fatfly.h"

struct timeline;

/* Begins a trace of a run of a configuration, which must outlive it.  NULL with f filled if it cannot
 * be written. */
struct timeline *timeline_open(const char *file, const struct fatfly_config *c, struct fail *f);

/* Whom to tell: for hooks.observer. */
const struct fatfly_observer *timeline_observer(const struct timeline *t);

/* Ends what has not ended, at the end of the run's last cycle, and gives the file its name.  0, or
 * -1 with f filled: memory was short, or the file cannot be written. */
int timeline_close(struct timeline *t, const struct fatfly_result *r, struct fail *f);

/* Ends without a file. */
void timeline_drop(struct timeline *t);

#endif
