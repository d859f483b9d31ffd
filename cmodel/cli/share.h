/* SPDX-License-Identifier: Apache-2.0
 * share.h - the results file of one task of a sweep: written on a local disk, then put where all tasks' files are.
 *
 * SQLite needs locks that network file systems do not always keep, so a task writes where it alone is.  What
 * it has when it ends, for whatever reason that lets it speak, it copies beside its place and renames.
 */
#ifndef FATFLY_SHARE_H
#define FATFLY_SHARE_H

#include "plan.h"

struct share {
    uint32_t task, tasks; /* from 1; tasks 0: the whole sweep */
    char file[520];       /* DB.3-of-16.sqlite, beside the file that they will be merged into */
    char local[520];      /* the same while it is written */
};

/* file, which need not be there, for task and tasks. */
int share_place(struct share *h, const char *db, struct fail *f);

/* Both files, after plan_share(); folder: for the local one; NULL: $TMPDIR, else /tmp.  Makes folder/fatfly-USER,
 * which nobody else may write. */
int share_name(struct share *h, const char *db, const char *folder, const struct plan *p, struct fail *f);

/* Marks the points of a file that is not there, or whole and of this version; own: of this task, whose
 * sweep file must be the same.  found is increased by those of the task's points that were not marked. */
int share_known(struct plan *p, const char *file, bool own, size_t *found, struct fail *f);

/* Copies to the local file what an earlier one in the task's place has and it has not. */
int share_take(const struct share *h, struct results *local, struct fail *f);

/* Removes parts of the file whose writers were killed: those that nobody has locked. */
void share_tidy(const struct share *h);

/* Puts what the local file has in its place, then removes it. */
int share_put(const struct share *h, struct fail *f);

#endif
