/* SPDX-License-Identifier: Apache-2.0
 * plan.h - which points a sweep file has, each once, what each costs, and which share of them a task has.
 */
#ifndef FATFLY_PLAN_H
#define FATFLY_PLAN_H

#include "results.h"
#include "sweep_file.h"

struct planned {
    uint64_t point;   /* number in the product; the place in the list is the one in the table */
    uint64_t hash[2]; /* of its key */
    double cost;      /* flits times links, about: for the time left, long ones first, and shares */
    bool done;
    bool other;       /* of another task's share */
    uint32_t task;    /* whose share it is in; 0 before plan_share() */
};

struct plan {
    struct planned *item;
    size_t count;
    size_t own;       /* of the task's share; without tasks, all */
    uint64_t twice;   /* points whose settings came before */
    uint32_t *slot;   /* open hash table: place + 1, 0: empty */
    size_t slots;     /* a power of 2 */
    char sum[RESULTS_SUM]; /* of all keys in their order: two sweep files have one only if their points are the same */
};

/* All points of a sweep file, all checks passed.  0, or -1 with f filled. */
int plan_make(struct plan *p, const struct sweep *sweep, struct fail *f);
void plan_free(struct plan *p);

/* Settings and key[SWEEP_MAX_KEY] of point k, all checks passed; free the settings. */
int plan_point(const struct sweep *sweep, uint64_t k, struct settings *s, char *key, struct fail *f);

/* Says which point a failure is about; -1. */
int plan_blame(const struct sweep *sweep, uint64_t k, struct fail *f);

/* Leaves the points of share `task` of `tasks` (from 1; split.h).  -1: no memory. */
int plan_share(struct plan *p, uint32_t task, uint32_t tasks, struct fail *f);

/* The place of a key in the plan, -1: it has no such point. */
int64_t plan_find(const struct plan *p, const char *key);

/* Marks the points that a file has; position[row], which may be NULL: where they belong now.
 * Returns how many, of the task's own. */
size_t plan_mark(struct plan *p, const struct results_table *t, int64_t *position);

#endif
