/* SPDX-License-Identifier: Apache-2.0
 * cells.c - a row of named cells, as programs read it: CSV and JSON.
 */
#include "cells.h"

#include "text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cells_add(struct cells *r, enum cell_kind kind, const char *name, const char *format, ...)
{
    char *text = r->cell[r->count].text;
    va_list args;

    assert(r->count < CELLS_MOST);
    va_start(args, format);
    vsnprintf(text, CELL_TEXT, format, args);
    va_end(args);
    if (kind == CELL_NUMBER && strstr(text, "nan"))
        *text = '\0';
    r->cell[r->count].name = name;
    r->cell[r->count++].kind = kind;
}

void cells_csv_names(const struct cells *r, FILE *out)
{
    for (unsigned k = 0; k < r->count; k++)
        fprintf(out, "%s%s", k ? "," : "", r->cell[k].name);
    fputc('\n', out);
}

void cells_csv(const struct cells *r, FILE *out)
{
    for (unsigned k = 0; k < r->count; k++) {
        fputs(k ? "," : "", out);
        text_csv(out, r->cell[k].text);
    }
    fputc('\n', out);
}

void cell_json(enum cell_kind kind, const char *text, FILE *out)
{
    char *end;
    double x = strtod(text, &end);
    bool plain = !*end && end != text && x - x == 0 && *text != '+' && !strpbrk(text, "xX ");
    if (!*text && kind != CELL_WORD)
        fputs("null", out);
    else if (kind == CELL_TRUTH)
        fputs(*text == '1' ? "true" : "false", out);
    else if (kind == CELL_NUMBER && (plain || strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
        fputs(text, out);
    else
        text_json(out, text);
}

void cells_json(const struct cells *r, const char *between, FILE *out)
{
    for (unsigned k = 0; k < r->count; k++) {
        fprintf(out, "%s%s\"%s\": ", k ? "," : "", k ? between : "", r->cell[k].name);
        if (*r->cell[k].text)
            cell_json(r->cell[k].kind, r->cell[k].text, out);
        else
            fputs("null", out);
    }
}
