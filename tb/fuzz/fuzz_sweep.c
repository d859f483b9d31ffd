/* SPDX-License-Identifier: Apache-2.0
 * fuzz_sweep.c - whatever text comes, the reader of sweep files refuses it in one line or gives a
 * product whose points can all be named and tried.
 */
#include "sweep_file.h"

#include "fuzz_must.h"

#include <stdlib.h>
#include <string.h>

static void check_refusal(const struct fail *f)
{
    MUST(f->code == EXIT_INPUT);
    MUST(strncmp(f->text, "s.cfg:", 6) == 0);
    for (const char *s = f->text; *s; s++)
        MUST((unsigned char)*s >= 0x20 && *s != 0x7f);
}

/* Point k: settings, or one line on what contradicts; never files that the text may name. */
static void check_point(const struct sweep *s, uint64_t k)
{
    struct settings p;
    struct fail f = {.code = EXIT_OK, .text = ""};
    char name[80], key[SWEEP_MAX_KEY];
    sweep_point_name(s, k, name, sizeof name);
    MUST(strlen(name) < sizeof name);
    if (sweep_point(s, k, &p, &f)) {
        check_refusal(&f);
    } else if (!p.trace[0] && !p.permutation[0]) {
        int bad = settings_finish(&p, &f);
        MUST(!bad || f.code == EXIT_INPUT || f.code == EXIT_SYSTEM || f.code == EXIT_USAGE);
        MUST(bad || sweep_key(&p, key, sizeof key, &f) == 0);
    }
    settings_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep s;
    struct fail f = {.code = EXIT_OK, .text = ""};
    char *text = malloc(size + 1);
    MUST(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0'; /* sweep_load() refuses a NUL; what is before one is read */
    if (sweep_parse(&s, "s.cfg", text, &f)) {
        check_refusal(&f);
    } else {
        MUST(s.points >= 1 && s.points <= SWEEP_MAX_POINTS && s.name[0]);
        for (uint64_t k = 0; k < s.points; k += s.points / 8 + 1)
            check_point(&s, k);
        check_point(&s, s.points - 1);
        sweep_free(&s);
    }
    free(text);
    return 0;
}

#ifdef FUZZ_MAIN
#include "fuzz_main.h"
#endif
