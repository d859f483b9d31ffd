/* SPDX-License-Identifier: Apache-2.0
 * fail.c - one-line messages and the nearest valid name.
 */
#include "fail.h"

#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_PATH = 160, NAME_MAX_LENGTH = 48 };

static void keep_one_line(char *text)
{
    unsigned char *s = (unsigned char *)text;
    while (*s) {
        size_t n = text_utf8(s);
        if (n == 0 || *s < 0x20 || *s == 0x7f) {
            *s = '?';
            n = 1;
        }
        s += n;
    }
}

int fail(struct fail *f, enum exit_code code, const char *format, ...)
{
    va_list args;
    f->code = code;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
    keep_one_line(f->text);
    return -1;
}

int fail_at(struct fail *f, const char *file, size_t line, const char *format, ...)
{
    va_list args;
    size_t length = strlen(file);
    const char *cut = "";
    if (length > SHOWN_PATH) {
        cut = "...";
        file += length - SHOWN_PATH;
    }
    f->code = EXIT_INPUT;
    int used = line ? snprintf(f->text, sizeof f->text, "%s%s:%zu: ", cut, file, line)
                    : snprintf(f->text, sizeof f->text, "%s%s: ", cut, file);
    va_start(args, format);
    vsnprintf(f->text + used, sizeof f->text - (size_t)used, format, args);
    va_end(args);
    keep_one_line(f->text);
    return -1;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters to insert, drop, change or swap with a neighbour to get from a to b; capitals do not
 * count.  Both are at most NAME_MAX_LENGTH long. */
static unsigned edits(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    unsigned row[3][NAME_MAX_LENGTH + 1]; /* two rows back, one row back, this row */
    for (size_t j = 0; j <= lb; j++)
        row[1][j] = row[2][j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        int ca = tolower((unsigned char)a[i - 1]);
        row[2][0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            int cb = tolower((unsigned char)b[j - 1]);
            unsigned best = least(row[1][j], row[2][j - 1]) + 1;
            best = least(best, row[1][j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2])
                && cb == tolower((unsigned char)a[i - 2]))
                best = least(best, row[0][j - 2] + 1);
            row[2][j] = best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[1]);
    }
    return row[1][lb];
}

int plain_line(FILE *in, char *line, size_t size, const char *file, unsigned *n, struct fail *f)
{
    size_t length;
    if (!text_line(in, line, size, &length))
        return 0;
    ++*n;
    if (strlen(line) != length)
        return fail_at(f, file, *n, "a zero byte; allowed: text");
    if (length + 1 == size)
        return fail_at(f, file, *n, "a line of %zu characters or more; allowed: fewer", length);
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

const char *nearest(const char *read, const char *const *names, unsigned count)
{
    size_t length = strlen(read);
    const char *found = NULL;
    /* A third of the letters may be wrong; more would be a guess. */
    unsigned limit = (unsigned)(length + 2) / 3;
    if (length == 0 || length > NAME_MAX_LENGTH)
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        if (strlen(names[i]) > NAME_MAX_LENGTH)
            continue;
        unsigned d = edits(read, names[i]);
        if (d <= limit && d < strlen(names[i])) {
            if (d == 0)
                return names[i];
            found = names[i];
            limit = d - 1; /* of equally near names the first */
        }
    }
    return found;
}
