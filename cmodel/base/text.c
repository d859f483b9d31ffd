/* SPDX-License-Identifier: Apache-2.0
 * text.c - text as JSON, XML and HTML, and CSV have it.
 */
#include "text.h"

#include <string.h>

bool text_line(FILE *in, char *line, size_t size, size_t *length)
{
    int c = 0;
    *length = 0;
    while (*length + 1 < size && c != '\n' && (c = getc(in)) != EOF)
        line[(*length)++] = (char)c;
    line[*length] = '\0';
    return *length && !ferror(in);
}

size_t text_utf8(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates and what lies beyond U+10FFFF. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)
        || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

void text_json(FILE *out, const char *s)
{
    fputc('"', out);
    for (size_t n; *s; s += n ? n : 1) {
        n = text_utf8((const unsigned char *)s);
        if ((unsigned char)*s < ' ' || *s == '<')
            fprintf(out, "\\u%04x", (unsigned)*s);
        else if (!n)
            fputs("\\ufffd", out);
        else if (n == 1)
            fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
        else
            fwrite(s, 1, n, out);
    }
    fputc('"', out);
}

void text_xml(FILE *out, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc((unsigned char)*s < ' ' && *s != '\n' ? ' ' : *s, out);
        }
}

void text_csv(FILE *out, const char *s)
{
    if (!s[strcspn(s, ",\"\r\n")]) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++)
        fprintf(out, *s == '"' ? "\"%c" : "%c", *s);
    fputc('"', out);
}

void text_shell(FILE *out, const char *s)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,@%+";

    if (*s && !s[strspn(s, plain)]) {
        fputs(s, out);
        return;
    }
    fputc('\'', out);
    for (; *s; s++)
        fprintf(out, *s == '\'' ? "'\\''" : "%c", *s);
    fputc('\'', out);
}
