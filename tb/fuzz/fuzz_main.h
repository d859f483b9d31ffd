/* SPDX-License-Identifier: Apache-2.0
 * fuzz_main.h - a mutation fuzzer for machines without libFuzzer: main() around one target.
 *
 * usage: fuzz_x CORPUS ITERATIONS SEED [FIRST]
 * Runs every file of the folder CORPUS, then ITERATIONS mutants.  Mutant k follows from SEED, k and
 * the corpus alone, so `fuzz_x CORPUS 1 SEED k` repeats it; a crash prints that command.
 */
#ifndef FATFLY_FUZZ_MAIN_H
#define FATFLY_FUZZ_MAIN_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUZZ_SEEDS = 64, FUZZ_SIZE = 1 << 13 };

struct fuzz_seed {
    char name[256];
    size_t size;
    uint8_t data[FUZZ_SIZE];
};

/* Globals, because the death callback of the sanitizers takes no argument. */
static struct fuzz_seed fuzz_seeds[FUZZ_SEEDS];
static unsigned fuzz_count;
static char fuzz_command[600]; /* repeats the input in progress */

/* Of the sanitizers' runtime, if there is one. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void fuzz_died(void)
{
    size_t rest = strlen(fuzz_command);
    const char *text = fuzz_command;
    while (rest) {
        ssize_t n = write(STDERR_FILENO, text, rest);
        if (n <= 0)
            break;
        text += n;
        rest -= (size_t)n;
    }
}

static void fuzz_signal(int number)
{
    fuzz_died();
    signal(number, SIG_DFL);
    raise(number);
}

static uint64_t fuzz_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static size_t fuzz_below(uint64_t *state, size_t n)
{
    return (size_t)(fuzz_random(state) % n);
}

/* Replaces cut bytes at a place by put new ones; data has room for FUZZ_SIZE. */
static size_t fuzz_splice(uint8_t *data, size_t size, size_t at, size_t cut, const uint8_t *with,
                          size_t put)
{
    if (size - cut + put > FUZZ_SIZE)
        return size;
    memmove(data + at + put, data + at + cut, size - at - cut);
    memcpy(data + at, with, put);
    return size - cut + put;
}

static size_t fuzz_mutate(uint8_t *data, size_t size, uint64_t *state)
{
    static const char *const words[] = {
        "0", "-1", "1", "9", "4294967296", "18446744073709551616", ",", "\n", "\r\n", "\"",
        "@include", "/*", "*/", "#", ";", "=", "1e999", "0x", "L", ".", "(", "[", "{", "}",
        "nodes = 16;", "traffic = \"open\";", "cycles = 9;", "level = 1; levels = 2;",
    };
    size_t at = fuzz_below(state, size + 1);
    size_t span = size - at ? 1 + fuzz_below(state, size - at < 16 ? size - at : 16) : 0;
    uint8_t byte = (uint8_t)fuzz_random(state);
    switch (fuzz_below(state, 6)) {
    case 0: /* a bit */
        if (at < size)
            data[at] ^= (uint8_t)(1u << (byte & 7));
        return size;
    case 1: /* a byte more */
        return fuzz_splice(data, size, at, 0, &byte, 1);
    case 2: /* some bytes fewer */
        return fuzz_splice(data, size, at, span, &byte, 0);
    case 3: { /* a word that readers look for */
        const char *word = words[fuzz_below(state, sizeof words / sizeof *words)];
        return fuzz_splice(data, size, at, fuzz_below(state, 2) ? span : 0, (const uint8_t *)word,
                           strlen(word));
    }
    case 4: { /* a piece of a seed */
        const struct fuzz_seed *s = &fuzz_seeds[fuzz_below(state, fuzz_count)];
        size_t from = fuzz_below(state, s->size + 1);
        size_t put = fuzz_below(state, s->size - from + 1);
        return fuzz_splice(data, size, at, span, s->data + from, put);
    }
    default: /* the end */
        return at;
    }
}

static void fuzz_run(const uint8_t *data, size_t size)
{
    /* A block of its very size: a read beyond its end is seen. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int fuzz_by_name(const void *a, const void *b)
{
    return strcmp(((const struct fuzz_seed *)a)->name, ((const struct fuzz_seed *)b)->name);
}

static bool fuzz_load(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    if (!dir)
        return false;
    while ((entry = readdir(dir)) != NULL && fuzz_count < FUZZ_SEEDS) {
        struct fuzz_seed *s = &fuzz_seeds[fuzz_count];
        char path[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(s->name, sizeof s->name, "%s", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *in = fopen(path, "rb");
        if (!in)
            continue;
        s->size = fread(s->data, 1, FUZZ_SIZE, in);
        fclose(in);
        fuzz_count++;
    }
    closedir(dir);
    /* The order of a folder differs from machine to machine, the mutants must not. */
    qsort(fuzz_seeds, fuzz_count, sizeof *fuzz_seeds, fuzz_by_name);
    return fuzz_count != 0;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: %s CORPUS ITERATIONS SEED [FIRST]\n", argv[0]);
        return 2;
    }
    uint64_t iterations = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10);
    uint64_t first = argc == 5 ? strtoull(argv[4], NULL, 10) : 0;
    if (!fuzz_load(argv[1])) {
        fprintf(stderr, "%s: no seed there; allowed: a folder with files\n", argv[1]);
        return 3;
    }
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(fuzz_died);
    signal(SIGABRT, fuzz_signal);
    for (unsigned k = 0; k < fuzz_count; k++) {
        snprintf(fuzz_command, sizeof fuzz_command, "failed on seed %s/%.255s\n", argv[1],
                 fuzz_seeds[k].name);
        fuzz_run(fuzz_seeds[k].data, fuzz_seeds[k].size);
    }
    for (uint64_t k = first; k < first + iterations; k++) {
        static uint8_t data[FUZZ_SIZE];
        uint64_t state = seed;
        state = fuzz_random(&state) + k * UINT64_C(0xd1342543de82ef95);
        const struct fuzz_seed *s = &fuzz_seeds[fuzz_below(&state, fuzz_count)];
        size_t size = s->size;
        memcpy(data, s->data, size);
        for (size_t n = 1 + fuzz_below(&state, 8); n; n--)
            size = fuzz_mutate(data, size, &state);
        snprintf(fuzz_command, sizeof fuzz_command, "to repeat: %s %s 1 %llu %llu\n", argv[0],
                 argv[1], (unsigned long long)seed, (unsigned long long)k);
        fuzz_run(data, size);
    }
    fuzz_command[0] = '\0'; /* a leak, found at the end, has no input to blame */
    printf("%s: %u seeds, %llu mutants, seed %llu\n", argv[0], fuzz_count,
           (unsigned long long)iterations, (unsigned long long)seed);
    return 0;
}

#endif
