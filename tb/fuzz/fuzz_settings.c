/* SPDX-License-Identifier: Apache-2.0
 * fuzz_settings.c - whatever text comes, the reader of configuration files refuses it in one line
 * or gives settings that keep their promises: in range, the same when they are written out again,
 * and what settings_finish() lets through the simulator takes.
 */
#include "settings.h"

#include "fuzz_must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_RUN = 64 }; /* processors */

static bool one_line(const char *s)
{
    while ((unsigned char)*s >= 0x20 && *s != 0x7f)
        s++;
    return *s == '\0';
}

static void check_refusal(const struct fail *f, const char *text)
{
    if (!one_line(f->text) || f->code != EXIT_INPUT)
        fprintf(stderr, "code %d: %s\n", (int)f->code, f->text);
    MUST(one_line(f->text));
    MUST(f->code == EXIT_INPUT);
    MUST(strncmp(f->text, "c.cfg:", 6) == 0);
    /* What libconfig says once an @include has come through to it. */
    MUST(strstr(text, "@include") || !strstr(f->text, "include file"));
    if (!strstr(f->text, "; allowed: ") && !strstr(f->text, "; nearest valid name: "))
        fprintf(stderr, "%s\n", f->text);
    MUST(strstr(f->text, "; allowed: ") || strstr(f->text, "; nearest valid name: "));
}

/* Every value, written out and read by itself, is the same again. */
static void check_round_trip(const struct settings *s)
{
    struct settings again;
    struct fail f;
    char text[600], second[600];
    settings_default(&again);
    for (unsigned k = 0; k < settings_count; k++) {
        settings_get(s, k, text, sizeof text);
        if (!(settings_table[k].places & IN_RUN) ||
            (settings_table[k].kind == SET_TEXT && !text[0]))
            continue; /* no file, which is not a name to give */
        if (settings_set(&again, settings_table[k].name, text, &f))
            fprintf(stderr, "%s = '%s': %s\n", settings_table[k].name, text, f.text);
        MUST(settings_set(&again, settings_table[k].name, text, &f) == 0);
        settings_get(&again, k, second, sizeof second);
        MUST(strcmp(text, second) == 0);
    }
    /* Bit for bit: a digit less would be another point. */
    const struct fatfly_config *c = &s->config, *d = &again.config;
    MUST(c->load == d->load && c->hotspot == d->hotspot && c->length_mean == d->length_mean &&
         c->short_share == d->short_share && c->overhead == d->overhead &&
         s->cycles_per_us == again.cycles_per_us);
    MUST(c->seed == d->seed && c->cycles == d->cycles && c->max_cycles == d->max_cycles &&
         c->nodes == d->nodes && c->vcs == d->vcs && s->rtl == again.rtl);
}

/* What a whole configuration gets when it is run: an end, and no more cycles than were allowed. */
static void check_run(struct settings *s)
{
    static struct fatfly_result r;
    char why[300];
    if (s->config.nodes > LARGEST_RUN || s->config.rounds > 4 || s->config.length > 64)
        return;
    s->config.max_cycles = 200;
    MUST(fatfly_run(&s->config, NULL, &r, why, sizeof why) == FATFLY_OK);
    MUST(r.cycles <= 200 + s->config.length && r.end != FATFLY_STOPPED);
}

static void check_finish(struct settings *s)
{
    struct fail f;
    char why[300];
    if (s->trace[0] || s->permutation[0] || s->matrix[0] || s->plugin[0])
        return; /* files of any name, devices among them */
    if (settings_finish(s, &f)) {
        MUST(one_line(f.text));
        MUST(f.code == EXIT_INPUT || f.code == EXIT_SYSTEM || f.code == EXIT_USAGE);
        /* Only memory, or a clash with a default, has no line of the file. */
        MUST(f.code == EXIT_INPUT || strstr(f.text, "GB of memory") || strstr(f.text, "--"));
        settings_free(s);
        return;
    }
    MUST(s->runs >= 1 && s->runs <= 100000 && s->threads <= 256);
    MUST((unsigned)s->format < FORMATS);
    MUST(fatfly_check(&s->config, why, sizeof why) == FATFLY_OK);
    uint64_t runs = s->runs;
    unsigned depth = s->config.depth, delays = s->config.delay_range;
    MUST(settings_finish(s, &f) == 0); /* again, as sweeps do */
    MUST(s->runs == runs && s->config.depth == depth && s->config.delay_range == delays);
    check_run(s);
    settings_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings s;
    struct fail f;
    char *text = malloc(size + 1);
    MUST(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0'; /* settings_load() refuses a NUL; what is before one is read */
    settings_default(&s);
    if (settings_parse_text(&s, "c.cfg", text, &f)) {
        check_refusal(&f, text);
    } else {
        check_round_trip(&s);
        check_finish(&s);
    }
    free(text);
    return 0;
}

#ifdef FUZZ_MAIN
#include "fuzz_main.h"
#endif
