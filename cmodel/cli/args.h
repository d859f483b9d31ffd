/* SPDX-License-Identifier: Apache-2.0
 * args.h - a command as data: what it does and its options, each with name, kind, range and help,
 * from which the parser, --help, the manual page and completion follow; and how a command ends.
 */
#ifndef FATFLY_ARGS_H
#define FATFLY_ARGS_H

#include "fail.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { ARGS_LIST = 256 };

struct arg_list {
    const char *item[ARGS_LIST];
    unsigned count;
};

/* What an option takes, and what lies at its place in the command's options. */
enum arg_kind {
    ARG_FLAG,     /* nothing; bool */
    ARG_TEXT,     /* const char *, NULL: not given */
    ARG_INPUT,    /* a file that is read; const char * */
    ARG_OUTPUT,   /* a file that is written, none of those read; const char * */
    ARG_LIST,     /* a text, and may be given again; struct arg_list */
    ARG_WHOLE,    /* low .. high; uint64_t */
    ARG_POSITIVE, /* a number above 0; double */
    ARG_NODES,    /* 4^n processors; uint64_t */
    ARG_NAME      /* one of names[count]; unsigned */
};

struct arg {
    const char *name;  /* "output" */
    const char *value; /* what help shows: "FILE"; "" for a flag */
    enum arg_kind kind;
    size_t at;         /* in the command's options */
    const char *help;  /* with range and default */
    const char *group; /* heading in the help; NULL: as the option before */
    uint64_t low, high;
    const char *const *names;
    unsigned count;
    const char *words; /* what completion offers, where the kind does not say */
    size_t given;      /* in the options: a bool, true if it was given; 0: none */
};

struct command {
    const char *name;    /* "sweep" */
    const char *what;    /* one line in `fatfly --help` */
    const char *usage;   /* "FILE [OPTION]..." */
    const char *about;   /* before the options: paragraphs with a blank line between them */
    const char *notes;   /* and after them */
    const char *operand; /* what its one word without a name is: "sweep file"; NULL: none */
    const struct arg *arg;
    unsigned count;
    void (*help)(FILE *out, bool list); /* of options that are no struct arg; may be NULL */
    void (*end)(FILE *out, bool list);  /* what help says at its end; may be NULL */
    unsigned words;      /* it takes so many words without a name; 0: one */
    /* argv without the program and the command.  0, -1 with f filled, or another exit code. */
    int (*play)(int argc, char *const argv[], struct fail *f);
};
extern const struct command *const commands[]; /* ends with NULL */

/* Parses --name VALUE and --name=VALUE into options, which hold the defaults; *operand is the one
 * word without a name, NULL if absent, or operand[argc] are the several words, NULL after the last.  0, 1 if help was asked for and printed, or -1 with f filled. */
int args_parse(const struct command *c, int argc, char *const argv[], void *options,
               const char **operand, struct fail *f);

/* --help prints for people, --options for programs: a line each, fields with tabs between them. */
bool args_help(const struct command *c, int argc, char *const argv[]);
void args_help_option(FILE *out, bool list, const char *group, const char *name, const char *value,
                      const char *words, const char *help);

/* A name and what it means, as options are shown. */
void args_help_name(FILE *out, const char *name, const char *help);

/* In rows.c: where a setting of this name is taken, and the length of that; 0: it is none. */
size_t args_setting(const char *name, char *text, size_t size);

/* Where else an option is taken: "fatfly run, cases of fatfly cosim"; empty: nowhere. */
const char *args_where(const char *name, char *text, size_t size);

/* Plays a command, which ends with one line at most: what failed, or that what was printed is lost.  Returns the
 * exit code. */
int command_main(const struct command *c, int argc, char *const argv[]);

/* A whole number in low .. high. */
int args_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value,
               struct fail *f);

/* The place of a name in names[count]. */
int args_name(const char *name, const char *text, const char *const *names, unsigned count,
              unsigned *value, struct fail *f);

/* Whether two names are one file, through links, too. */
bool args_same_file(const char *a, const char *b);

#endif
