/* SPDX-License-Identifier: Apache-2.0
 * fuzz_trace.c - whatever bytes come, the trace reader refuses them in one line or gives a trace
 * that keeps its promises and reads the same when it is written out again.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { RANKS = 64, ROW = 80 };

static void check_refusal(const struct trace *t, const struct fail *f)
{
    MUST(t->message == NULL && t->count == 0);
    MUST(f->code == EXIT_INPUT);
    MUST(strncmp(f->text, "t.csv:", 6) == 0 && f->text[6] >= '1' && f->text[6] <= '9');
    MUST(strstr(f->text, "; allowed: ") != NULL);
    for (const char *s = f->text; *s; s++)
        MUST((unsigned char)*s >= 0x20 && *s != 0x7f);
}

static void check_trace(const struct trace *t)
{
    MUST(t->count > 0);
    for (size_t k = 0; k < t->count; k++) {
        const struct trace_message *m = &t->message[k];
        MUST(m->src < RANKS && m->dst < RANKS && m->src != m->dst);
        MUST(m->bytes >> TRACE_MAX_BYTES_LOG2 == 0 && m->t_ns >> TRACE_MAX_TIME_LOG2 == 0);
        MUST(k == 0 || m->t_ns >= t->message[k - 1].t_ns);
        MUST((m->t_ns - t->message[0].t_ns) >> TRACE_MAX_SPAN_LOG2 == 0);
    }
}

static void check_round_trip(const struct trace *t)
{
    size_t room = 64 + ROW * t->count;
    char *text = malloc(room);
    MUST(text);
    size_t size = (size_t)snprintf(text, room, "t_ns,src,dst,bytes\n");
    for (size_t k = 0; k < t->count; k++)
        size += (size_t)snprintf(text + size, room - size, "%llu,%u,%u,%llu\n",
                                 (unsigned long long)t->message[k].t_ns, t->message[k].src,
                                 t->message[k].dst, (unsigned long long)t->message[k].bytes);
    struct trace again;
    struct fail f;
    MUST(trace_parse(&again, "again", text, size, RANKS, 0, &f) == 0);
    MUST(again.count == t->count);
    MUST(memcmp(again.message, t->message, t->count * sizeof *t->message) == 0);
    trace_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace t, some;
    struct fail f;
    if (trace_parse(&t, "t.csv", (const char *)data, size, RANKS, 0, &f)) {
        check_refusal(&t, &f);
        return 0;
    }
    check_trace(&t);
    check_round_trip(&t);
    /* A limit gives the beginning of the same. */
    size_t half = t.count / 2 + 1;
    MUST(trace_parse(&some, "t.csv", (const char *)data, size, RANKS, half, &f) == 0);
    MUST(some.count == (half < t.count ? half : t.count));
    MUST(memcmp(some.message, t.message, some.count * sizeof *t.message) == 0);
    trace_free(&some);
    trace_free(&t);
    return 0;
}

#ifdef FUZZ_MAIN
#include "fuzz_main.h"
#endif
