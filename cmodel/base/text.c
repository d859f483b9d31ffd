/* SPDX-License-Identifier: Apache-2.0
 * text.c - text as JSON, XML and HTML, and CSV have it.
 */
#include "text.h"

#include <string.h>

void text_json(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++)
        if ((unsigned char)*s < ' ' || *s == '<')
            fprintf(out, "\\u%04x", (unsigned)*s);
        else
            fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
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
