/* SPDX-License-Identifier: Apache-2.0
 * fail.h - how the programs end.  docs/cosim.md lists the codes for users.
 */
#ifndef FATFLY_FAIL_H
#define FATFLY_FAIL_H

#include <stddef.h>
#include <stdio.h>

enum exit_code {
    EXIT_OK = 0,
    EXIT_CHECK = 1, /* a check failed: the two sides differ, a flit was lost, a deadlock */
    EXIT_USAGE = 2, /* an option is unknown, out of range or contradicts another */
    EXIT_INPUT = 3, /* a configuration, trace or worm file is wrong; file:line says where */
    EXIT_SYSTEM = 4, /* a tool, a library, memory or disk space is missing */
    EXIT_SATURATED = 5, /* a point is saturated, and the user asked to be told so */
};

/* One line about what went wrong, without a newline, and the code to end with. */
struct fail {
    enum exit_code code;
    char text[400];
};

/* Fills f and returns -1, so that a function can end with `return fail(f, ...)`.  The text stays
 * one line whatever was read: control characters and broken UTF-8 become '?'. */
int fail(struct fail *f, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a wrong input file: "file:line: " before the text, EXIT_INPUT as the code.  Line 0
 * stands for the file as a whole.  Of a very long path only the end is shown. */
int fail_at(struct fail *f, const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The next line without its newline, *n is counted up: 1.  0: there is none, or it cannot be read.  -1 with f filled: it has
 * a NUL, or size - 1 characters and more. */
int plain_line(FILE *in, char *line, size_t size, const char *file, unsigned *n, struct fail *f);

/* The name in names[count] that is nearest to what was read, or NULL if none is near. */
const char *nearest(const char *read, const char *const *names, unsigned count);

#endif
