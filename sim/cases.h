/* SPDX-License-Identifier: Apache-2.0
 * cases.h - the cases of the regression: files in sim/cases/, the switch matrix, the cubes, the exact
 * cells, and the exhaustive benches.
 */
#ifndef FATFLY_CASES_H
#define FATFLY_CASES_H

#include "config.h"
#include "fail.h"

struct cosim_case {
    char name[80];
    const char *bench;     /* an exhaustive bench, a program of its own; else NULL */
    bool exact;            /* the last arrival must be at `expect` */
    uint64_t expect;
    bool slow;             /* only when named, or with --full */
    struct config config;
};

struct case_list {
    struct cosim_case *item;
    size_t count;
};

/* All cases, read below folder (sim/).  0, or -1 with f filled. */
int cases_read(struct case_list *l, const char *folder, struct fail *f);
void cases_free(struct case_list *l);

/* The case of that name, or NULL with f filled: the nearest name. */
const struct cosim_case *cases_find(const struct case_list *l, const char *name, struct fail *f);

#endif
