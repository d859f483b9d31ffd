/* SPDX-License-Identifier: Apache-2.0
 * text.h - text as JSON, XML and HTML, CSV and a shell have it.
 */
#ifndef FATFLY_TEXT_H
#define FATFLY_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* The next line, its end included, as fgets() reads it, but NUL is a character like others; false: there is none, or it cannot
 * be read. */
bool text_line(FILE *in, char *line, size_t size, size_t *length);

/* Bytes of the UTF-8 sequence at s, 0 if there is none. */
size_t text_utf8(const unsigned char *s);

/* With quotes around it, U+FFFD for what is no UTF-8; safe between <script> and </script>, too. */
void text_json(FILE *out, const char *s);

/* Control characters but newlines become blanks. */
void text_xml(FILE *out, const char *s);

/* With quotes around it where a cell needs them. */
void text_csv(FILE *out, const char *s);

/* As one word of a shell's command, in quotes where it needs them. */
void text_shell(FILE *out, const char *s);

#endif
