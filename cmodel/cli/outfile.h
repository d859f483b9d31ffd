/* SPDX-License-Identifier: Apache-2.0
 * outfile.h - a file that appears under its name when it is whole.
 *
 * Until then it is FILE.part, or FILE.part1 and so on where there is one already: nothing that is there is
 * written over.  A symbolic link stays one: what it leads to is replaced.
 */
#ifndef FATFLY_OUTFILE_H
#define FATFLY_OUTFILE_H

#include "fail.h"

#include <stdbool.h>
#include <stdio.h>

enum { OUTFILE_NAME = 608 };

struct outfile {
    const char *file;
    char part[OUTFILE_NAME]; /* beside it; empty: written in place */
    FILE *out;
};

/* Whether it is a regular file, or will be; not a name of a descriptor, such as /dev/stdout. */
bool outfile_is_regular(const char *file);

/* What is no regular file, such as a pipe or /dev/full, is written in place, /dev/stdout and /dev/fd/N from
 * where they stand.  0, or -1 with f filled. */
int outfile_open(struct outfile *o, const char *file, struct fail *f);

/* Gives the file its name if all was written; otherwise what was there before stays. */
int outfile_close(struct outfile *o, struct fail *f);

/* Ends without a file: what was there before stays. */
void outfile_drop(struct outfile *o);

/* Removes what is beside the name of a file that another thread has opened here and will not end: only
 * for a program that ends at once. */
void outfile_forget(const char *file);

/* For those who write it themselves.  Makes an empty file beside file, [OUTFILE_NAME] bytes of name: 0, or -1
 * with f filled. */
int outfile_beside(const char *file, char part[], struct fail *f);

/* What is written beside a wave file, FILE.fst or FILE.vcd, from k = 0 on: FILE.gtkw and its filters.  False: no more. */
enum { OUTFILE_FILTERS = 4 };
extern const char *const outfile_filter[OUTFILE_FILTERS];
bool outfile_of_waves(const char *waves, unsigned k, char name[]);

/* Gives that the file's name: 0, or -1 with errno set. */
int outfile_place(const char *part, const char *file);

#endif
