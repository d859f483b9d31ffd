/* SPDX-License-Identifier: Apache-2.0
 * args.h - the command line of the commands that have few options of their own: sweep, export,
 * plot; and how every command ends.
 */
#ifndef FATFLY_ARGS_H
#define FATFLY_ARGS_H

#include "fail.h"

#include <stdbool.h>
#include <stdint.h>

enum { ARGS_LIST = 16 };

struct arg_list {
    const char *item[ARGS_LIST];
    unsigned count;
};

/* An option: a flag, a value, or a value that may be given again. */
struct arg {
    const char *name; /* "--output" */
    bool *flag;
    const char **value;
    struct arg_list *list;
};

/* Fills what the table points at; *operand is the one word without a name, NULL if absent.
 * --name VALUE and --name=VALUE.  0, or -1 with f filled. */
int args_parse(const char *command, const struct arg *table, unsigned count, int argc,
               char *const argv[], const char **operand, struct fail *f);

/* Ends a command with one line at most: what f holds if code is not EXIT_OK, or that what was
 * printed is lost.  Returns the exit code. */
int args_finish(const char *command, int code, const struct fail *f);

/* A whole number in low .. high. */
int args_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value,
               struct fail *f);

/* The processors of a fat-tree: 4^levels. */
int args_nodes(const char *text, uint64_t *nodes, unsigned *levels, struct fail *f);

/* The place of a name in names[count]. */
int args_name(const char *name, const char *text, const char *const *names, unsigned count,
              unsigned *value, struct fail *f);

#endif
