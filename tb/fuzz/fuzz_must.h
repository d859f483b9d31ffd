/* SPDX-License-Identifier: Apache-2.0
 * fuzz_must.h - what the fuzz targets that read libconfig files share.
 */
#ifndef FATFLY_FUZZ_MUST_H
#define FATFLY_FUZZ_MUST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

/* libconfig's scanner drops a string that is followed by a syntax error.  What it allocates
 * elsewhere, and what we do, is still watched. */
const char *__lsan_default_suppressions(void)
{
    return "leak:strbuf_append\nleak:libconfig_yylex\n";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
