/* SPDX-License-Identifier: Apache-2.0
 * cells.h - a row of named cells, as programs read it: CSV and JSON.
 */
#ifndef FATFLY_CELLS_H
#define FATFLY_CELLS_H

#include <stdio.h>

enum { CELL_TEXT = 72, CELLS_MOST = 160 };

enum cell_kind { CELL_NUMBER, CELL_WORD, CELL_TRUTH }; /* a truth is 1 or 0, in JSON true or false */

/* Text is empty where there is no value: in JSON null. */
struct cells {
    unsigned count;
    struct {
        const char *name;
        enum cell_kind kind;
        char text[CELL_TEXT];
    } cell[CELLS_MOST];
};

/* One more cell; a number that is NaN is no value. */
void cells_add(struct cells *r, enum cell_kind kind, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A line of the names, a line of the values. */
void cells_csv_names(const struct cells *r, FILE *out);
void cells_csv(const struct cells *r, FILE *out);

/* "name": value, .. with `between` after each comma. */
void cells_json(const struct cells *r, const char *between, FILE *out);

/* A value of JSON: a number or a truth as it stands where it is one, else with quotes, or null. */
void cell_json(enum cell_kind kind, const char *text, FILE *out);

#endif
