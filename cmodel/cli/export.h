/* SPDX-License-Identifier: Apache-2.0
 * export.h - the table of a sweep as CSV, JSON or text, and the choice of its rows and columns.
 */
#ifndef FATFLY_EXPORT_H
#define FATFLY_EXPORT_H

#include "args.h"
#include "results.h"
#include "settings.h"

struct export {
    enum format format;
    const char *columns;     /* "a,b,c"; NULL: all */
    struct arg_list where;   /* "name=value" */
    bool timing;             /* cpu_s and wall_s, too */
    bool all;                /* points that the sweep file has no more, too */
};


/* Whether a setting or column is called so, in any spelling of its hyphens: plain is the name as in
 * columns[] and keys.  -1 with f filled: the nearest name. */
int export_name(const struct results_table *t, const char *option, const char *name, char *plain,
                size_t size, struct fail *f);

/* Keeps the rows that match, in their order: chosen[k] of count.  -1 with f filled: no such name,
 * no row. */
int export_choose(const struct results_table *t, const struct arg_list *where, bool all,
                  const struct results_row ***chosen, size_t *count, struct fail *f);

/* Says on stderr, for one version, that latency_mean of static points is another value than it was:
 * where the file is of such a build, or where a program may read it under the old name.  names: "a,b",
 * NULL: all. */
void export_old_names(const char *command, const struct results_table *t, const char *file,
                      const char *names);

int export_print(const struct results_table *t, const struct export *e, FILE *out, struct fail *f);

#endif
