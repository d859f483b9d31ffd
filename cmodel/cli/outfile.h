/* SPDX-License-Identifier: Apache-2.0
 * outfile.h - a file that appears under its name when it is whole.
 */
#ifndef FATFLY_OUTFILE_H
#define FATFLY_OUTFILE_H

#include "fail.h"

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    const char *file;
    char part[608]; /* beside it; empty: written in place */
    FILE *out;
};

/* Whether it is a regular file, or will be. */
bool outfile_is_regular(const char *file);

/* What is no regular file, such as a pipe or /dev/full, is written in place.  0, or -1 with f
 * filled. */
int outfile_open(struct outfile *o, const char *file, struct fail *f);

/* Gives the file its name if all was written; otherwise what was there before stays. */
int outfile_close(struct outfile *o, struct fail *f);

/* Ends without a file: what was there before stays. */
void outfile_drop(struct outfile *o);

/* Removes what is beside the name of a file that another thread has opened here and will not end: only
 * for a program that ends at once. */
void outfile_forget(const char *file);

#endif
