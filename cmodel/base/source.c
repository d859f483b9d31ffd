/* SPDX-License-Identifier: Apache-2.0
 * source.c - bytes of a file or of memory, inflated if they are gzip.  Not by gzread(), which leaves out bytes behind the
 * end of the gzip data.
 */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* More input bytes, unless some are left.  Returns -1 with error set. */
static int fill(struct source *s)
{
    if (s->left || s->fd < 0)
        return 0;
    s->next = s->chunk;
    /* A pipe gives what it has; two bytes at least are needed to know gzip, so fill up. */
    while (s->left < SOURCE_CHUNK) {
        ssize_t n = read(s->fd, s->chunk + s->left, SOURCE_CHUNK - s->left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            s->error = errno;
            return -1;
        }
        if (n == 0)
            break;
        s->left += (size_t)n;
    }
    return 0;
}

static bool starts_like_gzip(const struct source *s)
{
    return s->left >= 2 && s->next[0] == 0x1f && s->next[1] == 0x8b;
}

size_t source_read(struct source *s, char *out, size_t room)
{
    if (s->wrong || s->error || fill(s))
        return 0;
    if (!s->started) {
        s->started = true;
        s->gzip = starts_like_gzip(s);
        if (s->gzip && inflateInit2(&s->z, 15 + 16) != Z_OK) {
            s->gzip = false;
            s->error = ENOMEM;
            return 0;
        }
    }
    if (!s->gzip) {
        size_t n = s->left < room ? s->left : room;
        if (n)
            memcpy(out, s->next, n);
        s->next += n;
        s->left -= n;
        return n;
    }
    size_t got = 0;
    while (got < room && !s->wrong) {
        if (fill(s))
            break;
        if (s->ended && s->left == 0)
            break;
        if (s->ended && s->next[0] != 0x1f) {
            s->wrong = "bytes after the end of the gzip data; allowed: none";
            break;
        }
        if (s->ended) { /* gzip files may follow each other */
            inflateReset(&s->z);
            s->ended = false;
        }
        uInt in = s->left < SOURCE_CHUNK ? (uInt)s->left : SOURCE_CHUNK;
        s->z.next_in = s->next;
        s->z.avail_in = in;
        s->z.next_out = (unsigned char *)out + got;
        s->z.avail_out = (uInt)(room - got);
        int status = inflate(&s->z, Z_NO_FLUSH);
        got = room - s->z.avail_out;
        s->next += in - s->z.avail_in;
        s->left -= in - s->z.avail_in;
        if (status == Z_STREAM_END)
            s->ended = true;
        else if (status == Z_MEM_ERROR) {
            s->error = ENOMEM;
            break;
        } else if (status == Z_BUF_ERROR && in == 0)
            s->wrong = "the gzip data end too early; allowed: a whole gzip file";
        else if (status != Z_OK && status != Z_BUF_ERROR)
            s->wrong = "the gzip data are corrupt; allowed: a whole gzip file";
    }
    return got;
}

void source_memory(struct source *s, const char *bytes, size_t size)
{
    memset(s, 0, offsetof(struct source, chunk));
    s->fd = -1;
    s->next = (const unsigned char *)bytes;
    s->left = size;
}

int source_open(struct source *s, const char *file)
{
    source_memory(s, NULL, 0);
    s->fd = open(file, O_RDONLY);
    s->error = s->fd < 0 ? errno : 0;
    return s->fd < 0 ? -1 : 0;
}

void source_close(struct source *s)
{
    if (s->gzip)
        inflateEnd(&s->z);
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
    s->gzip = false;
}
