/* SPDX-License-Identifier: Apache-2.0
 * unit.h - what every unit test needs: cmocka, a check that says what differed, random numbers.
 *
 * A test takes its seed as first argument; a failure prints the seed of the run.  The second is the function that
 * runs alone.
 */
#ifndef FATFLY_UNIT_H
#define FATFLY_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t unit_seed = 1;
static uint64_t unit_state;

static inline void unit_args(int argc, char **argv)
{
    if (argc > 1)
        unit_seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    unit_state = unit_seed;
}

/* A random number below n (a Weyl sequence, scrambled); 0 if n is 0. */
static inline unsigned draw(unsigned n)
{
    unit_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (unit_state ^ unit_state >> 32) * UINT64_C(0xd6e8feb86659fd93);
    z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (unsigned)(((z ^ z >> 32) & 0xffffffff) * n >> 32);
}

enum { UNIT_WORDS = 40 };

/* The words of a command line, with blanks between them, to be read before the next call: how many. */
static inline int words_of(const char *line, char *argv[UNIT_WORDS])
{
    static char words[600];
    int argc = 0;

    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok(words, " "); w && argc < UNIT_WORDS; w = strtok(NULL, " "))
        argv[argc++] = w;
    return argc;
}

static inline void check_eq(const char *file, int line, const char *expr, unsigned long at,
                            uint64_t got, uint64_t want)
{
    if (got == want)
        return;
    print_error("%s:%d: at %lu: %s is 0x%llx, want 0x%llx (seed %llu)\n", file, line, at, expr,
                (unsigned long long)got, (unsigned long long)want, (unsigned long long)unit_seed);
    _fail(file, line);
}

/* at: the cycle, or the number of the case in a loop. */
#define CHECK_AT(at, got, want)                                                                    \
    check_eq(__FILE__, __LINE__, #got, (unsigned long)(at), (uint64_t)(got), (uint64_t)(want))
#define CHECK_EQ(got, want) CHECK_AT(0, got, want)

#define ROWS(table) (sizeof(table) / sizeof *(table))

/* The stride of a long loop: 1, or n with sanitizers, with which it takes three times as long.  The step engines runs these tests
 * without. */
#ifdef __SANITIZE_ADDRESS__
#define UNIT_EACH(n) (n)
#else
#define UNIT_EACH(n) 1
#endif

/* The next order of n ports in a walk over all n! of them, false after the last. */
static inline int next_order(uint8_t *order, unsigned n)
{
    unsigned i = n - 1;
    while (i > 0 && order[i - 1] > order[i])
        i--;
    if (i == 0)
        return 0;
    unsigned j = n - 1;
    while (order[j] < order[i - 1])
        j--;
    uint8_t held = order[j];
    order[j] = order[i - 1];
    order[i - 1] = held;
    for (j = n - 1; i < j; i++, j--) {
        held = order[i];
        order[i] = order[j];
        order[j] = held;
    }
    return 1;
}

/* The masks of an order of six ports, first one first: ahead[i] has the ports before i. */
static inline void ahead_of(const uint8_t order[6], uint8_t ahead[6])
{
    unsigned seen = 0;
    for (unsigned k = 0; k < 6; k++) {
        ahead[order[k]] = (uint8_t)seen;
        seen |= 1u << order[k];
    }
}

static inline void shuffle(uint8_t order[6])
{
    for (unsigned k = 0; k < 6; k++) {
        unsigned j = draw(k + 1);
        order[k] = order[j];
        order[j] = (uint8_t)k;
    }
}

#endif
