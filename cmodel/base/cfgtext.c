/* SPDX-License-Identifier: Apache-2.0
 * cfgtext.c - libconfig text from files that anybody may have written.
 */
#include "cfgtext.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_TEXT = 1 << 16, MAX_DEPTH = 16, MAX_DIGITS_DEC = 18, MAX_DIGITS_HEX = 15 };

/* libconfig 1.5 lets whole numbers that do not fit 32 bits wrap around, opens the files that
 * @include names, and takes the end of the file for the end of a comment or string.  So the text
 * passes through here first: numbers of more digits than 64 bits hold are refused, the others get
 * the suffix that makes them 64 bits wide, and the rest is refused.  out has room for twice the
 * text. */
static int widen(struct fail *f, const char *file, const char *text, char *out)
{
    size_t line = 1;
    unsigned depth = 0;
    const char *s = text;
    if (strncmp(s, "\xef\xbb\xbf", 3) == 0)
        return fail_at(f, file, 1, "a byte order mark; allowed: text without one");
    while (*s) {
        const char *start = s;
        depth += *s == '(' || *s == '[' || *s == '{';
        depth -= depth && (*s == ')' || *s == ']' || *s == '}');
        if (depth > MAX_DEPTH)
            return fail_at(f, file, line, "brackets in brackets, %u deep; allowed: at most %d", depth,
                           MAX_DEPTH);
        if (*s == '"') {
            for (s++; *s && *s != '"' && *s != '\n'; s++)
                if (*s == '\\' && s[1] && s[1] != '\n')
                    s++;
            if (*s != '"')
                return fail_at(f, file, line, "a string without its end; allowed: \"...\"");
            s++;
        } else if (*s == '#' || (*s == '/' && s[1] == '/')) {
            s += strcspn(s, "\n");
        } else if (*s == '/' && s[1] == '*') {
            const char *end = strstr(s + 2, "*/");
            if (!end)
                return fail_at(f, file, line, "a comment without its end; allowed: /* ... */");
            for (; s < end; s++)
                line += *s == '\n';
            s += 2;
        } else if (*s == '@') {
            int shown = strncmp(s, "@include", 8) == 0 ? 8 : 1;
            return fail_at(f, file, line, "'%.*s'; allowed: keys and values, no other files",
                           shown, s);
        } else if (isalpha((unsigned char)*s) || *s == '*') {
            while (isalnum((unsigned char)*s) || *s == '_' || *s == '-' || *s == '*')
                s++;
        } else if (isdigit((unsigned char)*s) || *s == '.') {
            bool hex = *s == '0' && (s[1] == 'x' || s[1] == 'X');
            bool real = false;
            size_t digits = 0;
            for (s += hex ? 2 : 0; *s; s++) {
                if (hex ? isxdigit((unsigned char)*s) : isdigit((unsigned char)*s)) {
                    digits++;
                } else if (!hex && (*s == '.' || *s == 'e' || *s == 'E')) {
                    real = true;
                    if (*s != '.' && (s[1] == '-' || s[1] == '+'))
                        s++;
                } else {
                    break;
                }
            }
            size_t most = hex ? MAX_DIGITS_HEX : MAX_DIGITS_DEC;
            if (!real && digits > most)
                return fail_at(f, file, line, "'%.*s%s'; allowed: whole numbers of up to %zu digits in a file",
                               s - start > 24 ? 24 : (int)(s - start), start,
                               s - start > 24 ? "..." : "", most);
            memcpy(out, start, (size_t)(s - start));
            out += s - start;
            if (!real && *s != 'L')
                *out++ = 'L';
            continue;
        } else {
            line += *s == '\n';
            s++;
        }
        memcpy(out, start, (size_t)(s - start));
        out += s - start;
    }
    *out = '\0';
    return 0;
}

/* What is allowed in place of what libconfig could not read in a line. */
static const char *hint(const char *text, int line, const char *said)
{
    for (int k = 1; k < line && *text; k++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    if (strstr(said, "duplicate"))
        return "each key once, as key = value;";
    const char *end = text + strcspn(text, "\n");
    for (const char *s = text; s < end; s++) {
        if (s > text && *s == ',' && isdigit((unsigned char)s[-1]) && isdigit((unsigned char)s[1]) &&
            !memchr(text, '[', (size_t)(s - text)) && !memchr(text, '(', (size_t)(s - text)))
            return "a decimal point, as in 0.1;";
        if (*s == '=' && (strncasecmp(s + 1 + strspn(s + 1, " -+"), "nan", 3) == 0 ||
                          strncasecmp(s + 1 + strspn(s + 1, " -+"), "inf", 3) == 0))
            return "a finite number, in digits";
    }
    return "key = value; with a string in quotes";
}

int cfgtext_parse(config_t *c, const char *name, const char *text, struct fail *f)
{
    if (strlen(text) > MAX_TEXT)
        return fail_at(f, name, 0, "more than %d characters; allowed: at most %d", MAX_TEXT,
                       MAX_TEXT);
    char *widened = malloc(2 * strlen(text) + 1);
    if (!widened)
        return fail(f, EXIT_SYSTEM, "no memory to read %s", name);
    int bad = widen(f, name, text, widened);
    if (!bad && !config_read_string(c, widened))
        bad = fail_at(f, name, (size_t)config_error_line(c),
                      "%s; allowed: %s", config_error_text(c),
                      hint(text, config_error_line(c), config_error_text(c)));
    free(widened);
    return bad;
}

const char *cfgtext_type(int type)
{
    switch (type) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return "a whole number";
    case CONFIG_TYPE_FLOAT:
        return "a number with a fraction";
    case CONFIG_TYPE_STRING:
        return "a string";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    case CONFIG_TYPE_ARRAY:
        return "an array";
    case CONFIG_TYPE_LIST:
        return "a list";
    default:
        return "a group";
    }
}

char *cfgtext_load(const char *file, struct fail *f)
{
    return cfgtext_load_most(file, MAX_TEXT, f);
}

char *cfgtext_load_most(const char *file, size_t most, struct fail *f)
{
    int fd = open(file, O_RDONLY);
    if (fd < 0) {
        fail_at(f, file, 0, "%s; allowed: a readable file", strerror(errno));
        return NULL;
    }
    size_t size = 0;
    ssize_t got = 0;
    char *text = malloc(most + 2); /* one character more than allowed, and a zero */
    while (text && size <= most) {
        got = read(fd, text + size, most + 1 - size);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        size += got > 0 ? (size_t)got : 0;
    }
    int error = errno;
    close(fd);
    if (!text) {
        fail(f, EXIT_SYSTEM, "no memory to read %s", file);
    } else if (got < 0) {
        fail_at(f, file, 0, "%s; allowed: a readable file", strerror(error));
    } else if (memchr(text, '\0', size)) {
        size_t line = 1;
        for (const char *s = text; *s; s++)
            line += *s == '\n';
        fail_at(f, file, line, "a NUL byte; allowed: text");
    } else {
        text[size] = '\0';
        char *fits = realloc(text, size + 1);
        return fits ? fits : text;
    }
    free(text);
    return NULL;
}
