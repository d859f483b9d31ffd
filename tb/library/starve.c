/* SPDX-License-Identifier: Apache-2.0
 * starve.c - every allocation of a run fails once, then it and all later ones: the library says
 * FATFLY_NO_MEMORY and how much is needed, and with sanitizers nothing leaks or is used after.
 *
 * Linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc.
 */
#include "fatfly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t boundary, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t boundary, size_t size);

/* Globals, because the wrapped functions know no context. */
static unsigned long asked; /* allocations so far */
static unsigned long fails; /* number of the one that fails, from 1; 0: none */
static bool for_ever;       /* and all after it */

static bool refuse(void)
{
    asked++;
    return fails && (asked == fails || (for_ever && asked > fails));
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return refuse() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t boundary, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(boundary, size);
}

static struct fatfly_result result;
static unsigned bad;

static int run(const struct fatfly_config *c, char *why, size_t size)
{
    asked = 0;
    *why = '\0';
    return fatfly_run(c, NULL, &result, why, size);
}

static void starve(const char *what, const struct fatfly_config *c)
{
    char why[200];
    fails = 0;
    int status = run(c, why, sizeof why);
    uint64_t digest = result.digest;
    unsigned long all = asked;
    if (status || all < 8 || !digest) {
        printf("%s: status %d, %lu allocations: %s\n", what, status, all, why);
        bad++;
        return;
    }
    for (unsigned long k = 1; k <= all; k++)
        for (int more = 0; more < 2; more++) {
            fails = k;
            for_ever = more;
            status = run(c, why, sizeof why);
            if (status == FATFLY_NO_MEMORY && strstr(why, "GB are needed"))
                continue;
            printf("%s: allocation %lu of %lu failed: status %d: %s\n", what, k, all, status, why);
            bad++;
        }
    fails = 0;
    if (run(c, why, sizeof why) || result.digest != digest) {
        printf("%s: another digest after all that\n", what);
        bad++;
    }
    printf("%s: %lu allocations\n", what, all);
}

int main(void)
{
    static const struct fatfly_message messages[] = {{0, 1, 9, 3}, {4, 9, 1, 1}, {4, 2, 1, 30}};
    for (unsigned d = 0; d < FATFLY_DISCIPLINES; d++) {
        struct fatfly_config c;
        char name[80];
        fatfly_defaults(&c);
        c.nodes = 256; /* more worms than an engine begins with room for, if there are rounds */
        c.discipline = (enum fatfly_discipline)d;
        c.length = 4;
        c.rounds = 9;
        c.scan = d % 2 ? FATFLY_FCFS : FATFLY_RR;
        if (d >= FATFLY_CMSV1) { /* several rounds, and all that they ask of paths */
            c.topology = "butterfly";
            c.path = FATFLY_GREEDY;
            c.vcs = 0;
        }
        snprintf(name, sizeof name, "%s, static", fatfly_discipline_names[d]);
        starve(name, &c);
        if (d >= FATFLY_CMSV1)
            continue;
        c.pattern = FATFLY_MESSAGES;
        c.messages = messages;
        c.message_count = sizeof messages / sizeof *messages;
        snprintf(name, sizeof name, "%s, messages", fatfly_discipline_names[d]);
        if (d != FATFLY_PHASED) /* which draws the cycles itself */
            starve(name, &c);
        c.pattern = FATFLY_RANDOM;
        if (d == FATFLY_WORM) {
            c.parts = 2;
            snprintf(name, sizeof name, "%s, in parts", fatfly_discipline_names[d]);
            starve(name, &c);
            c.parts = 1;
        }
        if (d == FATFLY_WORM || d == FATFLY_PHASED) {
            c.rounds = 2;
            c.vcs = 2;
            snprintf(name, sizeof name, "%s, two channels", fatfly_discipline_names[d]);
            starve(name, &c);
        }
        if (d == FATFLY_UNIV || d == FATFLY_PHASED)
            continue;
        c.load = 0.9;
        c.cycles = 200;
        c.warmup = 0;
        c.max_cycles = 300;
        snprintf(name, sizeof name, "%s, open loop", fatfly_discipline_names[d]);
        starve(name, &c);
    }
    return bad != 0;
}
