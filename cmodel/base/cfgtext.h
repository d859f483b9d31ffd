/* SPDX-License-Identifier: Apache-2.0
 * cfgtext.h - libconfig text from files that anybody may have written: what all readers of
 * `key = value;` need before and around libconfig.
 */
#ifndef FATFLY_CFGTEXT_H
#define FATFLY_CFGTEXT_H

#include "fail.h"

#include <libconfig.h>

/* The whole file with a zero after it, to be freed, or NULL with f filled. */
char *cfgtext_load(const char *file, struct fail *f);
/* As much as `most` characters of it, and one more if it is longer. */
char *cfgtext_load_most(const char *file, size_t most, struct fail *f);

/* Parses text into c, which config_init() made; name stands for the file in messages.  0, or -1
 * with f filled: file:line, what was read and what is allowed. */
int cfgtext_parse(config_t *c, const char *name, const char *text, struct fail *f);

/* "a whole number", "a list", ..: a CONFIG_TYPE_.. for messages. */
const char *cfgtext_type(int type);

#endif
