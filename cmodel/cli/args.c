/* SPDX-License-Identifier: Apache-2.0
 * args.c - command lines, --help and the end of a command.
 */
#include "args.h"

#include "fatfly.h"
#include "outfile.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 64, WIDTH = 96, COLUMN = 28, SEEN = 90 };

/* A value as it was given; in quotes where a blank at its ends would not be seen. */
static const char *seen(const char *text, char quoted[SEEN])
{
    size_t n = strlen(text);
    if (n && !strchr(" \t", text[0]) && !strchr(" \t", text[n - 1]))
        return text;
    snprintf(quoted, SEEN, "'%.80s'", text);
    return quoted;
}

/* -- values ------------------------------------------------------------------------------------ */

int args_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *value,
               struct fail *f)
{
    char *end, quoted[SEEN];
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || !*text || *end || strspn(text, "0123456789") != strlen(text) || v < low
        || v > high)
        return fail(f, EXIT_USAGE, "%s %s; allowed: a whole number, %llu to %llu", name, seen(text, quoted),
                    (unsigned long long)low, (unsigned long long)high);
    *value = v;
    return 0;
}

static int take_nodes(const char *name, const char *text, uint64_t *nodes, struct fail *f)
{
    uint64_t below = 4;
    char quoted[SEEN];
    if (args_whole(name, text, 0, UINT64_MAX, nodes, f))
        return fail(f, EXIT_USAGE, "%s %s; allowed: 4^n with n = 1 to 10", name, seen(text, quoted));
    for (unsigned n = 1; n < FATFLY_MAX_LEVELS && below * 4 <= *nodes; n++)
        below *= 4;
    if (below == *nodes)
        return 0;
    char more[40] = "";
    if (below < *nodes && below < UINT64_C(1) << 2 * FATFLY_MAX_LEVELS)
        snprintf(more, sizeof more, " and %llu", (unsigned long long)below * 4);
    return fail(f, EXIT_USAGE, "%s %s; allowed: 4^n with n = 1 to 10; nearest: %llu%s", name, text,
                (unsigned long long)below, more);
}

static int take_positive(const char *name, const char *text, double *value, struct fail *f)
{
    char *end, quoted[SEEN];
    *value = strtod(text, &end);
    if (!*text || *end || strspn(text, "0123456789.eE+-") != strlen(text) ||
        !(*value > 0 && *value < 1e12))
        return fail(f, EXIT_USAGE, "%s %s; allowed: a number above 0", name, seen(text, quoted));
    return 0;
}

int args_name(const char *name, const char *text, const char *const *names, unsigned count,
              unsigned *value, struct fail *f)
{
    char allowed[400] = "", quoted[SEEN];
    for (unsigned k = 0; k < count; k++) {
        if (strcmp(text, names[k]) == 0) {
            *value = k;
            return 0;
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", k ? ", " : "", names[k]);
    }
    const char *near = nearest(text, names, count);
    return fail(f, EXIT_USAGE, "%s %s; allowed: %s%s%s", name, seen(text, quoted), allowed,
                near ? "; nearest: " : "", near ? near : "");
}

static int take(const struct arg *a, const char *name, const char *text, void *options,
                struct fail *f)
{
    void *at = (char *)options + a->at;
    struct arg_list *list = at;
    if (a->given)
        *(bool *)((char *)options + a->given) = true;
    switch (a->kind) {
    case ARG_FLAG:
        *(bool *)at = true;
        return 0;
    case ARG_LIST:
        if (list->count == ARGS_LIST)
            return fail(f, EXIT_USAGE, "%s %s; allowed: at most %d times", name, text, ARGS_LIST);
        list->item[list->count++] = text;
        return 0;
    case ARG_WHOLE:
        return args_whole(name, text, a->low, a->high, at, f);
    case ARG_POSITIVE:
        return take_positive(name, text, at, f);
    case ARG_NODES:
        return take_nodes(name, text, at, f);
    case ARG_NAME:
        return args_name(name, text, a->names, a->count, at, f);
    default:
        *(const char **)at = text;
        return 0;
    }
}

/* -- options ----------------------------------------------------------------------------------- */

const char *args_where(const char *name, char *text, size_t size)
{
    size_t used = args_setting(name, text, size);
    for (const struct command *const *c = commands; *c; c++)
        for (unsigned k = 0; k < (*c)->count && used < size; k++)
            if (strcmp((*c)->arg[k].name, name) == 0)
                used += (size_t)snprintf(text + used, size - used, "%sfatfly %s", used ? ", " : "",
                                         (*c)->name);
    return text;
}

static int no_such(const struct command *c, const char *word, size_t length, struct fail *f)
{
    const char *names[MOST];
    char dashed[MOST][40], read[64], where[200];
    unsigned count = c->count < MOST ? c->count : MOST;
    for (unsigned k = 0; k < count; k++) {
        snprintf(dashed[k], sizeof dashed[k], "--%s", c->arg[k].name);
        names[k] = dashed[k];
    }
    snprintf(read, sizeof read, "%.*s", length < 60 ? (int)length : 60, word);
    if (strncmp(read, "--", 2) == 0 && *args_where(read + 2, where, sizeof where))
        return fail(f, EXIT_USAGE, "%s is no option of fatfly %s; allowed: in %s", read, c->name,
                    where);
    const char *near = nearest(read, names, count);
    return fail(f, EXIT_USAGE, "%s: no such option%s%s; fatfly %s --help shows all", read,
                near ? "; nearest: " : "", near ? near : "", c->name);
}

/* The folder of a name, as the file system has it. */
static bool folder_of(const char *file, struct stat *is)
{
    char folder[608];
    const char *slash = strrchr(file, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - file) : 2, slash ? file : "./");
    return (!slash || (size_t)(slash + 1 - file) < sizeof folder) && stat(folder, is) == 0;
}

bool args_same_file(const char *a, const char *b)
{
    struct stat x, y;
    const char *name[2] = {strrchr(a, '/') ? strrchr(a, '/') + 1 : a, strrchr(b, '/') ? strrchr(b, '/') + 1 : b};
    bool there[2] = {stat(a, &x) == 0, stat(b, &y) == 0};
    if (strcmp(a, b) == 0)
        return true;
    if (there[0] || there[1])
        return there[0] && there[1] && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return strcmp(name[0], name[1]) == 0 && folder_of(a, &x) && folder_of(b, &y) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* The file that an option of a kind names, if it is of that kind and given. */
static const char *file_of(const struct arg *a, const void *options, enum arg_kind kind)
{
    return a->kind == kind ? *(const char *const *)((const char *)options + a->at) : NULL;
}

/* Nor must what is written beside a wave file, arg k. */
static int refuse_beside(const struct command *c, const void *options, unsigned k, struct fail *f)
{
    char name[OUTFILE_NAME];
    const char *waves = file_of(&c->arg[k], options, ARG_OUTPUT);
    for (unsigned i = 0; outfile_of_waves(waves, i, name); i++)
        for (unsigned j = 0; j < c->count; j++) {
            const char *in = file_of(&c->arg[j], options, ARG_INPUT), *out = file_of(&c->arg[j], options, ARG_OUTPUT);
            if ((in && args_same_file(name, in)) || (out && args_same_file(name, out)))
                return fail(f, EXIT_USAGE, "--waves %s writes %s, too, which is --%s; allowed: another file", waves, name,
                            c->arg[j].name);
        }
    return 0;
}

/* What is written must not be what is read, nor another thing that is written. */
static int refuse_same_file(const struct command *c, const void *options, const char *operand,
                            struct fail *f)
{
    for (unsigned k = 0; k < c->count; k++) {
        const char *out = file_of(&c->arg[k], options, ARG_OUTPUT);
        if (!out)
            continue;
        if (strcmp(c->arg[k].name, "waves") == 0 && refuse_beside(c, options, k, f))
            return -1;
        if (operand && args_same_file(out, operand))
            return fail(f, EXIT_USAGE, "--%s %s is the %s that is read; allowed: another file",
                        c->arg[k].name, out, c->operand);
        for (unsigned j = 0; j < c->count; j++) {
            const char *other = file_of(&c->arg[j], options, j < k && c->arg[j].kind == ARG_OUTPUT ? ARG_OUTPUT : ARG_INPUT);
            if (other && args_same_file(out, other))
                return fail(f, EXIT_USAGE, "--%s %s and --%s are one file; allowed: two",
                            c->arg[k].name, out, c->arg[j].name);
        }
    }
    return 0;
}

int args_parse(const struct command *c, int argc, char *const argv[], void *options,
               const char **operand, struct fail *f)
{
    const char *given[MOST] = {NULL};
    unsigned words = 0;
    *operand = NULL;
    if (args_help(c, argc, argv))
        return 1;
    for (int k = 0; k < argc; k++) {
        const char *word = argv[k], *value = strchr(word, '=');
        size_t length = value ? (size_t)(value - word) : strlen(word);
        unsigned i = 0;
        if (word[0] != '-' || !word[1]) {
            if (!c->operand)
                return fail(f, EXIT_USAGE, "%s; fatfly %s takes options alone, --help shows them",
                            word, c->name);
            if (words && words >= c->words)
                return c->words ? fail(f, EXIT_USAGE, "more than %u files; allowed: %u", words, c->words)
                                : fail(f, EXIT_USAGE, "%s after %s; allowed: one file", word, *operand);
            operand[words++] = word;
            continue;
        }
        while (i < c->count && (length != strlen(c->arg[i].name) + 2 || word[1] != '-' ||
                                strncmp(c->arg[i].name, word + 2, length - 2) != 0))
            i++;
        if (i == c->count)
            return no_such(c, word, length, f);
        char name[64];
        snprintf(name, sizeof name, "--%s", c->arg[i].name);
        if (c->arg[i].kind == ARG_FLAG && value)
            return fail(f, EXIT_USAGE, "%s; allowed: %s, without a value", word, name);
        if (c->arg[i].kind != ARG_FLAG && !value && k + 1 == argc)
            return fail(f, EXIT_USAGE, "%s needs a value", word);
        const char *text = c->arg[i].kind == ARG_FLAG ? "" : value ? value + 1 : argv[++k];
        if (given[i] && c->arg[i].kind != ARG_LIST && c->arg[i].kind != ARG_FLAG)
            return fail(f, EXIT_USAGE, "%s %s and %s %s; allowed: once", name, given[i], name, text);
        given[i] = text;
        if (take(&c->arg[i], name, text, options, f))
            return -1;
    }
    if (c->operand && !*operand)
        return fail(f, EXIT_USAGE, "no %s; usage: fatfly %s %s", c->operand, c->name, c->usage);
    return refuse_same_file(c, options, *operand, f);
}

/* -- help -------------------------------------------------------------------------------------- */

/* Words of text in lines of at most WIDTH characters, `indent` spaces before all but the first. */
static void wrapped(FILE *out, const char *text, int indent)
{
    size_t at = (size_t)indent;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (*text == '\n' && text[1] == '\n') {
            fprintf(out, "\n\n");
            at = 0;
            text += 2;
            continue;
        }
        if (at + length + 1 > WIDTH && at > (size_t)indent) {
            fprintf(out, "\n%*s", indent, "");
            at = (size_t)indent;
        } else if (at > (size_t)indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)length, text);
        at += length;
        text += length;
        text += *text == ' ' || (*text == '\n' && text[1] != '\n');
    }
    fputc('\n', out);
}

void args_help_option(FILE *out, bool list, const char *group, const char *name, const char *value,
                      const char *words, const char *help)
{
    char left[400];
    if (list) {
        fprintf(out, "option\t%s\t%s\t%s\t%s\t%s\n", group, name, value, words, help);
        return;
    }
    snprintf(left, sizeof left, "  --%s%s%s", name, *value ? " " : "", value);
    if (strlen(left) < COLUMN) {
        fprintf(out, "%-*s", COLUMN, left);
    } else {
        size_t room = WIDTH;
        for (const char *rest = left; *rest; room = WIDTH - COLUMN) {
            size_t end = strlen(rest), all = end;
            while (end > room || (end < all && rest[end - 1] != '|'))
                end--;
            fprintf(out, "%.*s\n%*s", (int)end, rest, COLUMN, "");
            rest += end;
        }
    }
    wrapped(out, help, COLUMN);
}

void args_help_name(FILE *out, const char *name, const char *help)
{
    fprintf(out, "  %-*s", COLUMN - 2, name);
    wrapped(out, help, COLUMN);
}

/* What completion offers for an option's value. */
static const char *words_of(const struct arg *a, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    if (a->words)
        return a->words;
    if (a->kind == ARG_NODES)
        return "words 4 16 64 256 1024 4096 16384 65536 262144 1048576";
    if (a->kind == ARG_INPUT || a->kind == ARG_OUTPUT)
        return "files";
    for (unsigned k = 0; k < a->count && a->kind == ARG_NAME && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? " " : "words ", a->names[k]);
    return a->kind == ARG_FLAG || *text ? text : "nothing";
}

static void print_paragraphs(FILE *out, bool list, const char *kind, const char *text)
{
    if (!list)
        wrapped(out, text, 0);
    for (const char *end; list && *text; text = *end ? end + 2 : end) {
        end = strstr(text, "\n\n");
        end = end ? end : text + strlen(text);
        fprintf(out, "%s\t%.*s\n", kind, (int)(end - text), text);
    }
}

static void print_help(const struct command *c, bool list, FILE *out)
{
    const char *group = "";
    char words[300];
    fprintf(out, "%sfatfly %s %s\n", list ? "usage\t" : "usage: ", c->name, c->usage);
    print_paragraphs(out, list, "about", c->about);
    if (!list)
        fputc('\n', out);
    if (c->help)
        c->help(out, list);
    for (unsigned k = 0; k < c->count; k++) {
        const struct arg *a = &c->arg[k];
        if (a->group && !list)
            fprintf(out, "%s\n", a->group);
        group = a->group ? a->group : group;
        args_help_option(out, list, group, a->name, a->value, words_of(a, words, sizeof words),
                         a->help);
    }
    if (!list)
        fputc('\n', out);
    print_paragraphs(out, list, "notes", c->notes);
    if (c->end)
        c->end(out, list);
}

bool args_help(const struct command *c, int argc, char *const argv[])
{
    for (int k = 0; k < argc; k++)
        if (strcmp(argv[k], "--help") == 0 || (argc == 1 && strcmp(argv[k], "--options") == 0)) {
            print_help(c, argv[k][2] == 'o', stdout);
            return true;
        }
    return false;
}

int command_main(const struct command *c, int argc, char *const argv[])
{
    struct fail f = {.code = EXIT_OK};
    signal(SIGXFSZ, SIG_IGN); /* a file too large for its limit is a full disk, not a crash */
    int bad = c->play(argc, argv, &f), code = bad < 0 ? (int)f.code : bad;
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    int error = errno;

    if (lost && code != EXIT_SYSTEM) {
        fprintf(stderr, "fatfly %s: cannot write what it found: %s\n", c->name, strerror(error));
        return EXIT_SYSTEM;
    }
    if (bad < 0)
        fprintf(stderr, "fatfly %s: %s\n", c->name, f.text);
    return code;
}
