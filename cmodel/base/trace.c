/* SPDX-License-Identifier: Apache-2.0
 * trace.c - reads `t_ns,src,dst,bytes`, gzip or plain, line by line; docs/formats.md lists what is
 * refused.
 */
#include "trace.h"

#include "grow.h"
#include "source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 24 };

enum field { T_NS, SRC, DST, BYTES, FIELDS };

static const char *const field_names[FIELDS] = {"t_ns", "src", "dst", "bytes"};

struct reader {
    struct trace *t;
    const char *name;
    uint32_t ranks;
    size_t limit;
    size_t capacity;
    size_t line;                 /* number of the line being read */
    enum field column[FIELDS];   /* what the header says each column is */
    struct fail *f;
};

/* A decimal number of n digits.  Returns false if it is none or does not fit. */
static bool number(const char *s, size_t n, uint64_t *value)
{
    uint64_t v = 0;
    if (n == 0 || n > 19) /* 19 nines fit 64 bits */
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(unsigned char)s[i] - '0';
        if (digit > 9)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

/* How %.*s shows what was read: its length, cut so that the line stays readable. */
static int shown(size_t n)
{
    return n < SHOWN ? (int)n : SHOWN;
}

static const char *dots(size_t n)
{
    return n > SHOWN ? "..." : "";
}

static int parse_header(struct reader *r, const char *s, size_t n)
{
    bool seen[FIELDS] = {false};
    size_t columns = 0;
    for (const char *end = s + n;; s++) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        size_t length = (size_t)((comma ? comma : end) - s);
        char name[SHOWN + 1] = "";
        memcpy(name, s, (size_t)shown(length));
        enum field which = T_NS;
        while (which < FIELDS && (length > SHOWN || strcmp(name, field_names[which]) != 0))
            which++;
        if (which == FIELDS) {
            const char *near = nearest(name, field_names, FIELDS);
            return fail_at(r->f, r->name, r->line,
                           "column '%s%s' is unknown; allowed: t_ns, src, dst, bytes%s%s", name,
                           dots(length), near ? "; nearest: " : "", near ? near : "");
        }
        if (seen[which])
            return fail_at(r->f, r->name, r->line,
                           "column '%s' appears twice; allowed: t_ns, src, dst, bytes, once each",
                           name);
        seen[which] = true;
        r->column[columns++] = which;
        if (!comma)
            break;
        s = comma;
    }
    for (unsigned i = 0; i < FIELDS; i++)
        if (!seen[i])
            return fail_at(r->f, r->name, r->line,
                           "column '%s' is missing; allowed: t_ns, src, dst, bytes, once each",
                           field_names[i]);
    return 0;
}

static int keep(struct reader *r, const struct trace_message *m)
{
    struct trace *t = r->t;
    if (!GROW(t->message, t->count, r->capacity, 1024))
        return fail(r->f, EXIT_SYSTEM, "no memory for the %zu messages of %s", GROWN(r->capacity, 1024), r->name);
    t->message[t->count++] = *m;
    return 0;
}

static int check_times(const struct reader *r, uint64_t t_ns)
{
    if (r->t->count == 0)
        return 0;
    uint64_t first = r->t->message[0].t_ns, last = r->t->message[r->t->count - 1].t_ns;
    if (t_ns < last)
        return fail_at(r->f, r->name, r->line,
                       "t_ns = %llu after t_ns = %llu in the line before; allowed: %llu or more",
                       (unsigned long long)t_ns, (unsigned long long)last,
                       (unsigned long long)last);
    if ((t_ns - first) >> TRACE_MAX_SPAN_LOG2)
        return fail_at(r->f, r->name, r->line,
                       "t_ns = %llu after a first t_ns = %llu; allowed: %llu later at most",
                       (unsigned long long)t_ns, (unsigned long long)first,
                       (1ull << TRACE_MAX_SPAN_LOG2) - 1);
    return 0;
}

static int parse_message(struct reader *r, const char *line, size_t n)
{
    uint64_t most[FIELDS] = {
        (UINT64_C(1) << TRACE_MAX_TIME_LOG2) - 1,
        r->ranks - UINT64_C(1),
        r->ranks - UINT64_C(1),
        (UINT64_C(1) << TRACE_MAX_BYTES_LOG2) - 1,
    };
    uint64_t value[FIELDS] = {0};
    size_t fields = 1;
    for (size_t i = 0; i < n; i++)
        fields += line[i] == ',';
    if (fields != FIELDS)
        return fail_at(r->f, r->name, r->line, "%zu field%s in '%.*s%s'; allowed: %d", fields,
                       fields == 1 ? "" : "s", shown(n), line, dots(n), FIELDS);
    const char *s = line, *end = line + n;
    for (unsigned i = 0; i < FIELDS; i++) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        size_t length = (size_t)((comma ? comma : end) - s);
        enum field which = r->column[i];
        if (!number(s, length, &value[which]) || value[which] > most[which])
            return fail_at(r->f, r->name, r->line, "%s = '%.*s%s'; allowed: 0 to %llu",
                           field_names[which], shown(length), s, dots(length),
                           (unsigned long long)most[which]);
        s = comma ? comma + 1 : end;
    }
    struct trace_message m = {
        .t_ns = value[T_NS],
        .src = (uint32_t)value[SRC],
        .dst = (uint32_t)value[DST],
        .bytes = value[BYTES],
    };
    if (check_times(r, m.t_ns))
        return -1;
    /* A message to oneself never crosses the network, so a recorder has no business with it. */
    if (m.src == m.dst)
        return fail_at(r->f, r->name, r->line, "src = dst = %u; allowed: two different ranks",
                       (unsigned)m.src);
    return keep(r, &m);
}

static int parse_line(struct reader *r, const char *line, size_t n)
{
    r->line++;
    if (memchr(line, '\0', n))
        return fail_at(r->f, r->name, r->line, "a NUL byte; allowed: text");
    if (n > TRACE_MAX_LINE)
        return fail_at(r->f, r->name, r->line,
                       "a line of more than %d characters; allowed: at most %d", TRACE_MAX_LINE,
                       TRACE_MAX_LINE);
    if (n && line[n - 1] == '\r')
        return fail_at(r->f, r->name, r->line, "a line that ends in CR LF; allowed: LF alone");
    return r->line == 1 ? parse_header(r, line, n) : parse_message(r, line, n);
}

static bool full(const struct reader *r)
{
    return r->limit && r->t->count == r->limit;
}

static int parse_all(struct reader *r, struct source *s)
{
    char window[TRACE_MAX_LINE + 1 + SOURCE_CHUNK];
    size_t held = 0, got;
    while ((got = source_read(s, window + held, SOURCE_CHUNK)) != 0) {
        char *line = window, *end = window + held + got, *newline;
        while (!full(r) && (newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
            if (parse_line(r, line, (size_t)(newline - line)))
                return -1;
            line = newline + 1;
        }
        if (full(r))
            return 0;
        held = (size_t)(end - line);
        if (held > TRACE_MAX_LINE)
            return parse_line(r, line, held);
        memmove(window, line, held);
    }
    if (s->error == ENOMEM)
        return fail(r->f, EXIT_SYSTEM, "no memory to read %s", r->name);
    if (s->error)
        return fail_at(r->f, r->name, 0, "%s; allowed: a readable file", strerror(s->error));
    if (s->wrong)
        return fail_at(r->f, r->name, r->line + 1, "%s", s->wrong);
    if (held && parse_line(r, window, held))
        return -1;
    if (r->line == 0)
        return fail_at(r->f, r->name, 1,
                       "an empty file; allowed: the header t_ns,src,dst,bytes and messages");
    if (r->t->count == 0)
        return fail_at(r->f, r->name, r->line + 1, "no message; allowed: one or more");
    return 0;
}

static int parse_source(struct trace *t, const char *name, struct source *s, uint32_t ranks,
                        size_t limit, struct fail *f)
{
    struct reader r = {.t = t, .name = name, .ranks = ranks, .limit = limit, .f = f};
    t->message = NULL;
    t->count = 0;
    int status = parse_all(&r, s);
    source_close(s);
    if (status)
        trace_free(t);
    return status;
}

int trace_parse(struct trace *t, const char *name, const char *text, size_t size, uint32_t ranks,
                size_t limit, struct fail *f)
{
    struct source s;
    source_memory(&s, text, size);
    return parse_source(t, name, &s, ranks, limit, f);
}

int trace_read(struct trace *t, const char *file, uint32_t ranks, size_t limit, struct fail *f)
{
    struct source s;
    t->message = NULL;
    t->count = 0;
    if (source_open(&s, file))
        return fail_at(f, file, 0, "%s; allowed: a readable file", strerror(s.error));
    return parse_source(t, file, &s, ranks, limit, f);
}

void trace_free(struct trace *t)
{
    free(t->message);
    t->message = NULL;
    t->count = 0;
}

static uint64_t bytes_of(const struct trace_cut *cut, const struct trace_message *m)
{
    return cut->max_bytes && m->bytes > cut->max_bytes ? cut->max_bytes : m->bytes;
}

static uint64_t payload(const struct trace_cut *cut)
{
    return (uint64_t)(cut->flit_bits / 8) * (cut->length - 1);
}

uint64_t trace_worms(const struct trace_cut *cut, const struct trace_message *m)
{
    uint64_t bytes = bytes_of(cut, m);
    return bytes ? (bytes + payload(cut) - 1) / payload(cut) : 1;
}

uint32_t trace_flits(const struct trace_cut *cut, const struct trace_message *m, uint64_t worm)
{
    uint64_t rest = bytes_of(cut, m) - worm * payload(cut), flit = cut->flit_bits / 8;
    uint64_t some = rest < payload(cut) ? rest : payload(cut);
    return 1 + (uint32_t)((some + flit - 1) / flit);
}

double trace_cycle(const struct trace_cut *cut, const struct trace *t, size_t k)
{
    return (double)(t->message[k].t_ns - t->message[0].t_ns) * cut->cycles_per_us / 1000.0;
}

int trace_too_long(const struct trace_cut *cut, double cycle, const char *file, struct fail *f)
{
    return fail(f, EXIT_INPUT, "%s: with cycles-per-us = %g the trace lasts %g cycles; allowed: below 2^62", file,
                cut->cycles_per_us, cycle);
}
