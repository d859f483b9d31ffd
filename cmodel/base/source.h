/* SPDX-License-Identifier: Apache-2.0
 * source.h - where bytes come from: a file, a pipe or memory, inflated if they start like gzip.
 */
#ifndef FATFLY_SOURCE_H
#define FATFLY_SOURCE_H

#define ZLIB_CONST /* next_in points to const */

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

enum { SOURCE_CHUNK = 1 << 15 };

struct source {
    int fd; /* -1: memory */
    const unsigned char *next;
    size_t left;
    bool started, gzip, ended;
    const char *wrong; /* with the gzip data, found, but to be told after the bytes before it; with what is allowed */
    int error;         /* errno, if that is what is wrong */
    z_stream z;
    unsigned char chunk[SOURCE_CHUNK];
};

/* Reads a file.  Returns -1 with error set. */
int source_open(struct source *s, const char *file);

/* Reads size bytes, which stay the caller's. */
void source_memory(struct source *s, const char *bytes, size_t size);

/* Up to room bytes of text to out.  Returns how many; 0 at the end, or if wrong or error is set. */
size_t source_read(struct source *s, char *out, size_t room);

/* Nothing if it could not be opened. */
void source_close(struct source *s);

#endif
