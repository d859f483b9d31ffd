/* SPDX-License-Identifier: Apache-2.0
 * args.c - the command line of the commands that have few options of their own.
 */
#include "args.h"

#include "fatfly.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

static int no_such(const char *command, const struct arg *table, unsigned count, const char *word,
                   size_t length, struct fail *f)
{
    const char *names[MOST];
    char read[64];
    for (unsigned k = 0; k < count && k < MOST; k++)
        names[k] = table[k].name;
    snprintf(read, sizeof read, "%.*s", length < 60 ? (int)length : 60, word);
    const char *near = nearest(read, names, count < MOST ? count : MOST);
    return fail(f, EXIT_USAGE, "%s: no such option%s%s; fatfly %s --help shows all", read,
                near ? "; nearest: " : "", near ? near : "", command);
}

static int take(const struct arg *a, const char *value, struct fail *f)
{
    if (a->list) {
        if (a->list->count == ARGS_LIST)
            return fail(f, EXIT_USAGE, "%s %s; allowed: at most %d times", a->name, value,
                        ARGS_LIST);
        a->list->item[a->list->count++] = value;
    } else if (*a->value) {
        return fail(f, EXIT_USAGE, "%s %s and %s %s; allowed: once", a->name, *a->value, a->name,
                    value);
    } else {
        *a->value = value;
    }
    return 0;
}

int args_parse(const char *command, const struct arg *table, unsigned count, int argc,
               char *const argv[], const char **operand, struct fail *f)
{
    *operand = NULL;
    for (int k = 0; k < argc; k++) {
        const char *word = argv[k], *value = strchr(word, '=');
        size_t length = value ? (size_t)(value - word) : strlen(word);
        const struct arg *a = table;
        if (word[0] != '-' || !word[1]) {
            if (*operand)
                return fail(f, EXIT_USAGE, "%s after %s; allowed: one file", word, *operand);
            *operand = word;
            continue;
        }
        while (a < table + count && (strlen(a->name) != length || strncmp(a->name, word, length)))
            a++;
        if (a == table + count)
            return no_such(command, table, count, word, length, f);
        if (a->flag && value)
            return fail(f, EXIT_USAGE, "%s; allowed: %s, without a value", word, a->name);
        if (a->flag) {
            *a->flag = true;
            continue;
        }
        if (!value && k + 1 == argc)
            return fail(f, EXIT_USAGE, "%s needs a value", word);
        if (take(a, value ? value + 1 : argv[++k], f))
            return -1;
    }
    return 0;
}

int args_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value,
               struct fail *f)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || !*text || *end || strspn(text, "0123456789") != strlen(text) || v < low
        || v > high)
        return fail(f, EXIT_USAGE, "%s %s; allowed: a whole number, %llu to %llu", name, text,
                    (unsigned long long)low, (unsigned long long)high);
    *value = v;
    return 0;
}

int args_nodes(const char *text, uint64_t *nodes, unsigned *levels, struct fail *f)
{
    uint64_t near = 4;

    if (args_whole("--nodes", text, 0, UINT64_MAX, nodes, f))
        return fail(f, EXIT_USAGE, "--nodes %s; allowed: 4^n with n = 1 to 10", text);
    for (*levels = 1; *levels < FATFLY_MAX_LEVELS && near < *nodes; ++*levels)
        near *= 4;
    if (near == *nodes)
        return 0;
    if (near < *nodes || near == 4)
        return fail(f, EXIT_USAGE, "--nodes %s; allowed: 4^n with n = 1 to 10; nearest: %llu",
                    text, (unsigned long long)near);
    return fail(f, EXIT_USAGE, "--nodes %s; allowed: 4^n with n = 1 to 10; nearest: %llu and %llu",
                text, (unsigned long long)near / 4, (unsigned long long)near);
}

int args_name(const char *name, const char *text, const char *const *names, unsigned count,
              unsigned *value, struct fail *f)
{
    char allowed[200] = "";
    for (unsigned k = 0; k < count; k++) {
        if (strcmp(text, names[k]) == 0) {
            *value = k;
            return 0;
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", k ? ", " : "", names[k]);
    }
    const char *near = nearest(text, names, count);
    return fail(f, EXIT_USAGE, "%s %s; allowed: %s%s%s", name, text, allowed,
                near ? "; nearest: " : "", near ? near : "");
}

int args_finish(const char *command, int code, const struct fail *f)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    int error = errno;

    if (lost && code != EXIT_SYSTEM) {
        fprintf(stderr, "fatfly %s: cannot write what it found: %s\n", command, strerror(error));
        return EXIT_SYSTEM;
    }
    if (code != EXIT_OK)
        fprintf(stderr, "fatfly %s: %s\n", command, f->text);
    return code;
}
