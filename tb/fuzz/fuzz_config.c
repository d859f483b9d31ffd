/* SPDX-License-Identifier: Apache-2.0
 * fuzz_config.c - whatever text comes, the reader of cases refuses it in one line or gives a case
 * that keeps its promises.
 */
#include "config.h"

#include "fuzz_must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_refusal(const struct fail *f)
{
    MUST(f->code == EXIT_INPUT);
    MUST(strncmp(f->text, "c.cfg:", 6) == 0);
    const char *what = f->text + 6 + strspn(f->text + 6, "0123456789:") + 1;
    /* What libconfig says once an @include has come through to it. */
    MUST(strncmp(what, "cannot open include", 19) && strncmp(what, "include file", 12));
    MUST(strstr(f->text, "; allowed: ") || strstr(f->text, "; nearest valid name: ")
         || strstr(f->text, "; a head of "));
    for (const char *s = f->text; *s; s++)
        MUST((unsigned char)*s >= 0x20 && *s != 0x7f);
}

static void check_case(const struct config *c)
{
    char why[200];
    MUST(strcmp(c->name, "c") == 0);
    MUST(switch_params_check(&c->shape.params, why, sizeof why) == NULL);
    MUST(c->set.config.pattern < FATFLY_PERMUTATION || c->set.config.pattern == FATFLY_MESSAGES);
    MUST(c->shape.network || c->set.config.load > 0);
    MUST(!(c->set.config.load > 0) || (c->set.config.cycles > 0 && c->set.config.pattern == FATFLY_RANDOM));
    MUST((c->set.config.pattern == FATFLY_MESSAGES) == (c->set.trace[0] != '\0'));
    MUST(c->set.config.length >= (c->set.config.pattern == FATFLY_MESSAGES ? 2 : 1) && c->set.config.length <= 4096);
    MUST(c->set.config.length_min >= 1 && c->set.config.length_min <= c->set.config.length);
    MUST(c->set.config.rounds >= 1 && c->set.config.rounds <= 1000000);
    MUST(c->set.config.load >= 0 && c->set.config.load <= 1);
    MUST(c->set.cycles_per_us >= 1e-6 && c->set.cycles_per_us <= 1e6);
    MUST(c->set.config.cycles <= 1000000000 && c->set.stall <= 90);
    MUST(c->set.config.seed >> 60 == 0 && c->set.max_bytes <= UINT64_C(1) << 40);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config c;
    struct fail f;
    char *text = malloc(size + 1);
    MUST(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0'; /* config_load() refuses a NUL; what is before one is read */
    if (config_parse(&c, "c.cfg", text, &f))
        check_refusal(&f);
    else
        check_case(&c);
    free(text);
    return 0;
}

#ifdef FUZZ_MAIN
#include "fuzz_main.h"
#endif
