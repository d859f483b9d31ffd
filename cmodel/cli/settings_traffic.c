/* SPDX-License-Identifier: Apache-2.0
 * settings_traffic.c - settings that say more than a number: the sizes of a mix and the weights of a
 * traffic matrix.
 */
#include "rows.h"

#include "pattern.h"
#include "traffic.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int row_refuse_missing(const struct settings *s, enum row row, struct fail *f)
{
    struct origin o = row_origin(s, row);
    char text[300];
    settings_get(s, row, text, sizeof text);
    if (!o.file || access(text, R_OK) == 0)
        return 0;
    return fail_at(f, o.file, o.line, "%s = %s: %s; allowed: a readable file",
                   settings_table[row].name, text, strerror(errno));
}

/* -- length-mix -------------------------------------------------------------------------------- */

static int refuse_mix(const struct settings *s, const char *at, const char *allowed, struct fail *f)
{
    struct origin o = row_origin(s, LENGTH_MIX);
    char a[SPELLED];
    return row_refuse(f, &o, "%s: '%.20s'; allowed: %s", row_spell_own(a, &o, s, LENGTH_MIX), at, allowed);
}

int settings_mix(struct settings *s, struct fail *f)
{
    struct fatfly_config *c = &s->config;
    const char *text = s->length_mix;
    c->mix_count = 0;
    c->length = 0;
    c->length_min = FATFLY_MAX_LENGTH;
    while (*text) {
        char *end = NULL;
        unsigned long flits = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
        const char *weight = end && *end == ':' ? end + 1 : NULL;
        double share = weight && (isdigit((unsigned char)*weight) || *weight == '.') ? strtod(weight, &end) : 0;
        size_t digits = weight ? strspn(weight, "0123456789.eE+-") : 0;
        if (flits < 1 || flits > FATFLY_MAX_LENGTH || !(share > 0 && share <= 1e12) ||
            end != weight + digits || (*end && (*end != ',' || !end[1])))
            return refuse_mix(s, text, "FLITS:WEIGHT,.. with 1 to 4096 flits and a weight above 0", f);
        for (unsigned k = 0; k < c->mix_count; k++)
            if (c->mix[k].length == flits)
                return refuse_mix(s, text, "each length once", f);
        if (c->mix_count == FATFLY_MAX_MIX)
            return refuse_mix(s, text, "at most 8 lengths", f);
        c->mix[c->mix_count++] = (struct fatfly_size){(unsigned)flits, share};
        c->length = flits > c->length ? (unsigned)flits : c->length;
        c->length_min = flits < c->length_min ? (unsigned)flits : c->length_min;
        text = *end ? end + 1 : end;
    }
    return 0;
}

/* -- classes ----------------------------------------------------------------------------------- */

static int refuse_class(const struct settings *s, enum row row, const char *allowed, struct fail *f)
{
    struct origin o = row_origin(s, row);
    char a[SPELLED];
    return row_refuse(f, &o, "%s; allowed: %s", row_spell_own(a, &o, s, row), allowed);
}

/* The numbers of a list, one for each of `count` classes; what: "1 to 4096 flits". */
static int read_list(const struct settings *s, enum row row, unsigned count, double low, double high, bool whole,
                     double *x, struct fail *f)
{
    const char *text = row_place(s, row);
    char allowed[200];
    unsigned k = 0;
    for (; *text && k <= count; k++) {
        char *end;
        double v = strtod(text, &end);
        size_t digits = strspn(text, whole ? "0123456789" : "0123456789.eE+-");
        if (!digits || end != text + digits || !(v >= low && v <= high) || (*end && (*end != ',' || !end[1])))
            break;
        if (k < count)
            x[k] = v;
        text = *end ? end + 1 : end;
    }
    if (!*text && k == count)
        return 0;
    snprintf(allowed, sizeof allowed, "%u %snumber%s, %g to %g%s", count, whole ? "whole " : "",
             count == 1 ? "" : "s", low, high, count == 1 ? "" : ", with commas between them");
    return refuse_class(s, row, allowed, f);
}

static int refuse_pattern(const struct settings *s, const char *name, const char *allowed, const char *near, struct fail *f)
{
    struct origin o = row_origin(s, CLASS_PATTERN);
    char a[SPELLED];
    return row_refuse(f, &o, "%s: '%.30s'; allowed: %s%s%s", row_spell_own(a, &o, s, CLASS_PATTERN), name, allowed,
                      near ? "; nearest: " : "", near ? near : "");
}

/* Names of patterns, one for each of `count` classes; those in which not all send, and a trace, are none. */
static int read_patterns(struct settings *s, unsigned count, struct fail *f)
{
    const char *text = s->class_pattern, *names[FATFLY_PATTERNS];
    enum fatfly_pattern of[FATFLY_PATTERNS];
    char allowed[500] = "", name[sizeof s->class_pattern];
    unsigned known = 0, k = 0;
    for (unsigned j = 0; j < FATFLY_PATTERNS; j++)
        if (pattern_may_be_of_class((enum fatfly_pattern)j)) {
            size_t used = strlen(allowed);
            snprintf(allowed + used, sizeof allowed - used, "%s%s", known ? ", " : "", fatfly_pattern_names[j]);
            of[known] = (enum fatfly_pattern)j;
            names[known++] = fatfly_pattern_names[j];
        }
    for (; k <= count; k++) {
        size_t length = strcspn(text, ",");
        unsigned j = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        while (j < known && strcmp(name, names[j]) != 0)
            j++;
        if (j == known)
            return refuse_pattern(s, name, allowed, nearest(name, names, known), f);
        if (k < count)
            s->config.class_pattern[k] = of[j];
        if (!text[length])
            break;
        text += length + 1;
    }
    s->config.class_patterns = true;
    snprintf(allowed, sizeof allowed, "%u patterns, with commas between them", count);
    return k + 1 == count ? 0 : refuse_class(s, CLASS_PATTERN, allowed, f);
}

/* What class-length says already, and what the Verilog, which knows no classes, cannot show. */
static int refuse_beside_classes(const struct settings *s, struct fail *f)
{
    const struct fatfly_config *c = &s->config;
    enum row with = c->classes > 1 ? CLASSES : REPLY;
    bool many = traffic_classes(c) > 1, lengths = s->class_length[0];
    const struct { enum row row; bool wrong; enum row with; } rules[] = {
        {LENGTH, lengths, CLASS_LENGTH}, {LENGTHS, lengths && c->lengths != FATFLY_FIXED, CLASS_LENGTH},
        {LENGTH_MIX, lengths, CLASS_LENGTH}, {PATTERN, c->class_patterns, CLASS_PATTERN}, {ENGINE, many && s->rtl, with}};
    char a[SPELLED], b[SPELLED];
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        struct origin o = row_origin(s, rules[k].row);
        if (rules[k].wrong && row_given(s, rules[k].row))
            return row_refuse(f, &o, "%s with %s; allowed: one of them", row_spell_own(a, &o, s, rules[k].row),
                              row_spell_own(b, &o, s, rules[k].with));
    }
    return 0;
}

int settings_classes(struct settings *s, struct fail *f)
{
    static const enum row lists[] = {CLASS_LENGTH, CLASS_SHARE, CLASS_PRIORITY, REPLY};
    struct fatfly_config *c = &s->config;
    double x[2 * FATFLY_MAX_CLASSES];
    bool replies = s->reply[0];

    c->class_patterns = false;
    memset(c->class_pattern, 0, sizeof c->class_pattern);
    memset(c->class_length, 0, sizeof c->class_length);
    memset(c->class_priority, 0, sizeof c->class_priority);
    memset(c->reply, 0, sizeof c->reply);
    for (unsigned k = 0; k < FATFLY_MAX_CLASSES; k++)
        c->class_share[k] = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        enum row row = lists[k];
        unsigned count = row == CLASS_PRIORITY && replies ? 2 * c->classes : c->classes;
        if (!*(const char *)row_place(s, row))
            continue;
        if (count == 1 && row != REPLY)
            return refuse_class(s, row, "with classes of 2 or more", f);
        bool share = row == CLASS_SHARE, rank = row == CLASS_PRIORITY;
        if (read_list(s, row, count, share ? 1e-12 : rank ? 0 : 1, share ? 1e12 : rank ? 1000 : FATFLY_MAX_LENGTH,
                      !share, x, f))
            return -1;
        for (unsigned j = 0; j < count; j++)
            if (share)
                c->class_share[j] = x[j];
            else if (j < FATFLY_MAX_CLASSES)
                (rank ? c->class_priority : row == REPLY ? c->reply : c->class_length)[j] = (unsigned)x[j];
    }
    if (s->class_pattern[0] && c->classes == 1)
        return refuse_class(s, CLASS_PATTERN, "with classes of 2 or more", f);
    if ((s->class_pattern[0] && read_patterns(s, c->classes, f)) || refuse_beside_classes(s, f))
        return -1;
    for (unsigned k = 0; c->class_length[0] && k < c->classes; k++)
        c->length = k && c->length > c->class_length[k] ? c->length : c->class_length[k];
    return 0;
}

/* -- matrix ------------------------------------------------------------------------------------ */

enum { LONGEST_LINE = 1 << 20 };

/* The weights of a line, separated by blanks or commas. */
static int read_row(const struct settings *s, size_t line, char *text, double *row, struct fail *f)
{
    uint32_t nodes = s->config.nodes, count = 0;
    for (char *word = strtok(text, " \t,\r\n"); word; word = strtok(NULL, " \t,\r\n")) {
        char *end;
        double x = strtod(word, &end);
        if (*end || strspn(word, "0123456789.eE+-") != strlen(word) || !(x >= 0 && x <= 1e12))
            return fail_at(f, s->matrix, line, "'%.40s'; allowed: a weight, 0 to 1e12", word);
        if (count == nodes)
            return fail_at(f, s->matrix, line, "more than %u weights; allowed: %u, one for each "
                           "processor", nodes, nodes);
        row[count++] = x;
    }
    return count == nodes ? 0 : fail_at(f, s->matrix, line, "%u weights; allowed: %u, one for each "
                                        "processor", count, nodes);
}

/* A line that is no comment and not empty. */
static bool has_weights(const char *text)
{
    text += strspn(text, " \t\r\n");
    return *text && *text != '#';
}

static int read_matrix(const struct settings *s, FILE *in, struct fail *f)
{
    uint32_t nodes = s->config.nodes, rows = 0;
    char *text = malloc(LONGEST_LINE + 1);
    unsigned line = 0;
    int got = 0, bad = text ? 0 : fail(f, EXIT_SYSTEM, "no memory to read %s", s->matrix);
    while (!bad && (got = plain_line(in, text, LONGEST_LINE + 1, s->matrix, &line, f)) > 0) {
        if (!has_weights(text))
            continue;
        if (rows == nodes)
            bad = fail_at(f, s->matrix, line, "a line more; allowed: %u lines, one for each processor", nodes);
        else
            bad = read_row(s, line, text, s->weights + (size_t)rows++ * nodes, f);
    }
    free(text);
    bad = bad || got < 0 ? -1 : 0;
    if (!bad && ferror(in))
        bad = fail_at(f, s->matrix, 0, "%s; allowed: a readable file", strerror(errno));
    if (!bad && rows < nodes)
        bad = fail_at(f, s->matrix, line + 1, "%u lines; allowed: %u, one for each processor", rows, nodes);
    size_t k = 0, all = (size_t)nodes * nodes;
    while (!bad && k < all && !(s->weights[k] > 0))
        k++;
    if (!bad && k == all)
        bad = fail_at(f, s->matrix, line, "all weights are 0; allowed: at least one above 0");
    return bad;
}

int settings_matrix(struct settings *s, struct fail *f)
{
    uint32_t nodes = s->config.nodes;
    struct origin o = row_origin(s, s->config.class_patterns ? CLASS_PATTERN : PATTERN);
    if (nodes > FATFLY_MAX_MATRIX)
        return row_refuse(f, &o, "pattern matrix with %u processors; allowed: at most %d", nodes,
                          FATFLY_MAX_MATRIX);
    if (row_refuse_missing(s, MATRIX, f))
        return -1;
    FILE *in = fopen(s->matrix, "r");
    if (!in)
        return fail_at(f, s->matrix, 0, "%s; allowed: a readable file", strerror(errno));
    s->weights = malloc((size_t)nodes * nodes * sizeof *s->weights);
    int bad = s->weights ? read_matrix(s, in, f) : fail(f, EXIT_SYSTEM, "no memory to read %s", s->matrix);
    fclose(in);
    s->config.matrix = s->weights;
    return bad;
}
