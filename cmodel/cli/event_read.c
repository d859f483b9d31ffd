/* SPDX-License-Identifier: Apache-2.0
 * event_read.c - reads a log of events.
 */
#include "event_read.h"

#include "event_log.h"
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000, FIELDS = 16, MOST_LINKS = 1 << 28 };

const char *const event_names[EVENTS_COUNT] = {"ready", "move", "lost", "arrived"};

struct event_reader {
    const char *file;
    struct source in;
    char window[LONGEST + SOURCE_CHUNK], *at, *end; /* what has been read of it, and where the next line begins */
    size_t line;
    bool over; /* the last line was read */
    struct event_log_header header;
    struct event_log_totals totals;
    char text[LONGEST];
};

static int wrong(const struct event_reader *r, struct fail *f, const char *allowed)
{
    return fail_at(f, r->file, r->line, "'%.60s'; allowed: %s", r->text, allowed);
}

/* More of the file behind what is left of it: 1, 0 at its end, or -1. */
static int more(struct event_reader *r, struct fail *f)
{
    size_t held = (size_t)(r->end - r->at), got;

    memmove(r->window, r->at, held);
    r->at = r->window;
    got = source_read(&r->in, r->window + held, SOURCE_CHUNK);
    r->end = r->window + held + got;
    if (got)
        return 1;
    if (r->in.error == ENOMEM)
        return fail(f, EXIT_SYSTEM, "no memory to read %s", r->file);
    if (r->in.error)
        return fail_at(f, r->file, r->line, "%s; allowed: a readable file", strerror(r->in.error));
    return r->in.wrong ? fail_at(f, r->file, r->line, "%s", r->in.wrong) : 0;
}

/* The next line without its end: 1, 0 at the end of the file, or -1. */
static int next_line(struct event_reader *r, struct fail *f)
{
    char *newline;
    int got = 1;

    r->line++;
    while ((newline = memchr(r->at, '\n', (size_t)(r->end - r->at))) == NULL && r->end - r->at < LONGEST && got)
        if ((got = more(r, f)) < 0)
            return -1;
    if (r->at == r->end)
        return 0;
    size_t length = (size_t)((newline ? newline : r->end) - r->at);
    bool fits = length < LONGEST;
    memcpy(r->text, r->at, fits ? length : LONGEST - 1);
    r->text[fits ? length : LONGEST - 1] = '\0';
    if (!newline || !fits || strlen(r->text) < length)
        return wrong(r, f, "a line that ends");
    r->at = newline + 1;
    return 1;
}

static bool whole(const char *text, uint64_t most, uint64_t *value)
{
    size_t length = strlen(text);
    if (!length || length > 20 || strspn(text, "0123456789") != length)
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0 && *value <= most;
}

/* -- the lines before and after the rows --------------------------------------------------------- */

/* " name=" of a line, up to the next blank. */
static bool item(const char *text, const char *name, char *value, size_t size)
{
    char key[40];
    snprintf(key, sizeof key, " %s=", name);
    const char *at = strstr(text, key);
    if (!at)
        return false;
    at += strlen(key);
    size_t length = strcspn(at, " ");
    if (length == 0 || length >= size)
        return false;
    memcpy(value, at, length);
    value[length] = '\0';
    return true;
}

static bool count(const char *text, const char *name, uint64_t most, uint64_t *value)
{
    char word[32];
    return item(text, name, word, sizeof word) && whole(word, most, value);
}

static int read_network(struct event_reader *r, struct fail *f)
{
    struct event_log_header *h = &r->header;
    const struct { const char *name; uint32_t *to; uint64_t most; } counts[] = {
        {"processors", &h->processors, MOST_LINKS}, {"nodes", &h->nodes, MOST_LINKS},
        {"links", &h->links, MOST_LINKS}, {"channels", &h->channels, FATFLY_MAX_CHANNELS},
        {"depth", &h->depth, FATFLY_MAX_DEPTH}, {"link_cycles", &h->link_cycles, UINT32_MAX},
        {"hop_cycles", &h->hop_cycles, UINT32_MAX},
        {"at_once", &h->at_once, 1024}};
    char discipline[40];
    bool good = strncmp(r->text, "# network ", 10) == 0 &&
                item(r->text, "topology", h->topology, sizeof h->topology) &&
                item(r->text, "engine", h->engine, sizeof h->engine) &&
                item(r->text, "discipline", discipline, sizeof discipline);

    for (size_t k = 0; good && k < sizeof counts / sizeof *counts; k++) {
        uint64_t value = 0;
        good = count(r->text, counts[k].name, counts[k].most, &value);
        *counts[k].to = (uint32_t)value;
    }
    unsigned d = 0;
    while (good && d < FATFLY_DISCIPLINES && strcmp(discipline, fatfly_discipline_names[d]) != 0)
        d++;
    if (!good || d == FATFLY_DISCIPLINES || !h->processors || !h->links || !h->channels || !h->at_once)
        return wrong(r, f, "# network topology=.. discipline=.., as fatfly run --events writes it");
    h->discipline = (enum fatfly_discipline)d;
    h->reuse = item(r->text, "release", discipline, sizeof discipline) && strcmp(discipline, "tail-sent") == 0;
    h->ends = malloc((size_t)h->links * sizeof *h->ends);
    h->enter = malloc((size_t)h->processors * sizeof *h->enter);
    h->leave = malloc((size_t)h->processors * sizeof *h->leave);
    if (!h->ends || !h->enter || !h->leave)
        return fail(f, EXIT_SYSTEM, "no memory to read %s", r->file);
    for (uint32_t k = 0; k < h->links; k++)
        h->ends[k] = (struct fatfly_ends){FATFLY_NOWHERE, FATFLY_NOWHERE};
    for (uint32_t a = 0; a < h->processors; a++)
        h->enter[a] = h->leave[a] = FATFLY_NOWHERE;
    return 0;
}

/* "# link 3 0 1", "# processor 2 2 2". */
static int read_place(struct event_reader *r, struct fail *f)
{
    struct event_log_header *h = &r->header;
    bool link = strncmp(r->text, "# link ", 7) == 0;
    uint64_t value[3];
    char copy[LONGEST], *at = copy;
    bool good = link || strncmp(r->text, "# processor ", 12) == 0;

    strcpy(copy, r->text + (link ? 7 : good ? 12 : 0));
    for (unsigned k = 0; k < 3 && good; k++) {
        size_t length = strcspn(at, " ");
        bool more = at[length] == ' ';
        at[length] = '\0';
        good = whole(at, UINT32_MAX, &value[k]) && more == (k < 2);
        at += length + 1;
    }
    if (!good || value[0] >= (link ? h->links : h->processors) || value[1] >= h->nodes || value[2] >= h->nodes)
        return wrong(r, f, "# link NUMBER FROM TO, # processor NUMBER ENTER LEAVE, or the columns");
    if (link)
        h->ends[value[0]] = (struct fatfly_ends){(uint32_t)value[1], (uint32_t)value[2]};
    else {
        h->enter[value[0]] = (uint32_t)value[1];
        h->leave[value[0]] = (uint32_t)value[2];
    }
    return 0;
}

static int read_header(struct event_reader *r, struct fail *f)
{
    char first[40];
    int got = next_line(r, f);

    snprintf(first, sizeof first, "# fatfly events %d", EVENT_LOG_VERSION);
    if (got < 0)
        return -1;
    if (!got || strcmp(r->text, first) != 0)
        return fail_at(f, r->file, 1, "no '%s'; allowed: a log of fatfly run --events", first);
    got = next_line(r, f);
    if (got > 0 && read_network(r, f))
        return -1;
    while (got > 0 && (got = next_line(r, f)) > 0 && strcmp(r->text, EVENT_LOG_COLUMNS) != 0)
        if (read_place(r, f))
            return -1;
    if (got == 0)
        fail_at(f, r->file, r->line, "ends before its rows; allowed: a log that is whole");
    return got > 0 ? 0 : -1;
}

static int read_totals(struct event_reader *r, struct fail *f)
{
    struct event_log_totals *t = &r->totals;
    const struct { const char *name; uint64_t *to; } counts[] = {
        {"cycles", &t->cycles}, {"flit_hops", &t->flit_hops}, {"worms", &t->worms}, {"flits", &t->flits},
        {"measure_from", &t->measure_from}, {"measure_cycles", &t->measure_cycles},
        {"measured", &t->measured}, {"latency_sum", &t->latency_sum}, {"latency_max", &t->latency_max},
        {"source_wait", &t->source_wait}, {"congestion", &t->congestion}, {"dilation", &t->dilation}};
    bool good = item(r->text, "end", t->end, sizeof t->end) &&
                item(r->text, "digest", t->digest, sizeof t->digest);

    for (size_t k = 0; good && k < sizeof counts / sizeof *counts; k++)
        good = count(r->text, counts[k].name, UINT64_MAX, counts[k].to);
    if (!good)
        return wrong(r, f, "# run end=.. cycles=.., as fatfly run --events writes it");
    char last[LONGEST];
    strcpy(last, r->text);
    int got = next_line(r, f);
    if (got > 0)
        return wrong(r, f, "nothing after the line '# run'");
    strcpy(r->text, last);
    r->over = true;
    return got;
}

/* -- rows ---------------------------------------------------------------------------------------- */

static bool name_of(const char *text, const char *const *names, unsigned many, unsigned *value)
{
    for (*value = 0; *value < many; ++*value)
        if (strcmp(text, names[*value]) == 0)
            return true;
    return false;
}

/* A whole number, 0 where a row of its event has none. */
static bool number(const char *text, bool has, uint64_t most, uint64_t *value)
{
    *value = 0;
    return has ? whole(text, most, value) : !*text;
}

static bool read_row(char *field[FIELDS], struct event_row *x)
{
    static const char *const kinds[] = {"body", "tail", "head", "single", "packet"};
    static const char *const places[] = {"inner", "last", "first", "only"};
    enum { READY = 1, MOVE = 2, LOST = 4, ARRIVED = 8 };
    uint64_t value[FIELDS];
    static const struct { unsigned at, in; uint64_t most; } numbers[] = {
        {1, 15, UINT64_MAX}, {2, MOVE, UINT32_MAX}, {3, 15, UINT32_MAX}, {5, MOVE | LOST, UINT32_MAX},
        {6, READY | MOVE | ARRIVED, UINT32_MAX}, {7, MOVE | LOST, UINT32_MAX}, {8, MOVE, UINT32_MAX},
        {9, MOVE | LOST, UINT32_MAX}, {10, MOVE | LOST, UINT32_MAX}, {12, MOVE, UINT64_MAX},
        {13, READY | ARRIVED, UINT32_MAX}, {14, READY | ARRIVED, UINT32_MAX}, {15, ARRIVED, UINT64_MAX}};
    unsigned event, kind = 0, place = 0;

    if (!name_of(field[0], event_names, EVENTS_COUNT, &event))
        return false;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!number(field[numbers[k].at], numbers[k].in >> event & 1, numbers[k].most, &value[numbers[k].at]))
            return false;
    if (event == EVENT_MOVE ? !name_of(field[4], kinds, 5, &kind) || !name_of(field[11], places, 4, &place)
                            : *field[4] || *field[11])
        return false;
    *x = (struct event_row){
        .event = (enum event)event, .cycle = value[1], .cycles = value[2], .worm = (uint32_t)value[3],
        .flit = (uint32_t)value[5], .flits = (uint32_t)value[6], .link = (uint32_t)value[7],
        .channel = (uint32_t)value[8], .from = (uint32_t)value[9], .to = (uint32_t)value[10],
        .waited = value[12], .src = (uint32_t)value[13], .dst = (uint32_t)value[14], .latency = value[15],
        .head = kind >= 2, .tail = kind & 1 || kind == 4, .packet = kind == 4, .first = place >> 1,
        .last = place & 1};
    return true;
}

int event_read_next(struct event_reader *r, struct event_row *row, struct fail *f)
{
    char copy[LONGEST], *field[FIELDS];
    unsigned fields = 0;
    int got = r->over ? 0 : next_line(r, f);

    if (r->over || got < 0)
        return got;
    if (got == 0)
        return fail_at(f, r->file, r->line, "ends without '# run'; allowed: a log that is whole");
    if (strncmp(r->text, "# run ", 6) == 0)
        return read_totals(r, f);
    strcpy(copy, r->text);
    char *at = copy;
    while (at && fields < FIELDS) {
        field[fields++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    if (at || fields < FIELDS || !read_row(field, row))
        return wrong(r, f, "a row of " EVENT_LOG_COLUMNS);
    return 1;
}

/* -- the file ------------------------------------------------------------------------------------ */

struct event_reader *event_read_open(const char *file, struct fail *f)
{
    struct event_reader *r = calloc(1, sizeof *r);

    if (!r) {
        fail(f, EXIT_SYSTEM, "no memory to read %s", file);
        return NULL;
    }
    r->file = file;
    r->at = r->end = r->window;
    if (source_open(&r->in, file))
        fail_at(f, file, 0, "%s; allowed: a readable file", strerror(r->in.error));
    else if (read_header(r, f) == 0)
        return r;
    event_read_close(r);
    return NULL;
}

const struct event_log_header *event_read_header(const struct event_reader *r)
{
    return &r->header;
}

size_t event_read_line(const struct event_reader *r)
{
    return r->line;
}

const struct event_log_totals *event_read_totals(const struct event_reader *r)
{
    return &r->totals;
}

void event_read_close(struct event_reader *r)
{
    if (!r)
        return;
    source_close(&r->in);
    free(r->header.ends);
    free(r->header.enter);
    free(r->header.leave);
    free(r);
}
