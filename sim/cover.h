/* SPDX-License-Identifier: Apache-2.0
 * cover.h - functional coverage: which listed situations a regression has met.
 *
 * A point is counted once in every cycle in which it happens, from the words of the probe, and only
 * while both sides show the same words.  The points are listed by name in one table in cover.c.
 */
#ifndef FATFLY_COVER_H
#define FATFLY_COVER_H

#include "fail.h"
#include "lockstep.h"

/* Room for the counts of all points; cover_met(NULL) of them are points. */
enum { COVER_SLOTS = 2048 };

struct cover; /* looks on while one case runs */

/* NULL if memory is short. */
struct cover *cover_new(const struct dut_shape *shape);
void cover_free(struct cover *c);

/* A lockstep_options.watch; the context is a struct cover. */
void cover_look(void *context, uint64_t cycle, const struct lockstep_view *view);

/* Counts of the case, [COVER_SLOTS]. */
const uint64_t *cover_hits(const struct cover *c);

/* How many points hits[] has met; NULL: how many there are. */
unsigned cover_met(const uint64_t *hits);

/* The slot of a point by its name, or -1; the name of a slot, into text[size], false if the slot is
 * no point. */
int cover_find(const char *name);
bool cover_name(unsigned slot, char *text, size_t size);

/* A cover file: a header, then `name count`, a point a line, in the order of the table.  Reading
 * adds to hits[]; a file that is not there is one without counts.  It is written as FILE.part first;
 * cover_writable() tries whether it can be.  0, or -1 with f filled. */
int cover_read(uint64_t *hits, const char *file, struct fail *f);
int cover_writable(const char *file, struct fail *f);
int cover_write(const uint64_t *hits, const char *file, struct fail *f);

#endif
