/* SPDX-License-Identifier: Apache-2.0
 * settings_help.c - the settings as help, man page and shell completion show them.
 */
#include "rows.h"

#include "args.h"

#include <string.h>

void row_value(enum row row, enum place place, char *text, size_t size)
{
    const struct setting *r = &settings_table[row];
    size_t used = 0;
    snprintf(text, size, "%s", r->value ? r->value : "");
    for (unsigned k = 0; used < size; k++) {
        const char *name = row == TOPOLOGY ? fatfly_topology_name(k) : k < r->count ? r->names[k] : NULL;
        if (!name)
            break;
        if (row == TOPOLOGY || row_has_name(row, place, k))
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? "|" : "", name,
                                     row == TOPOLOGY && strcmp(name, "graph") == 0 ? ":FILE" : "");
    }
}

/* What completion offers: the words between bars, names of files, or nothing. */
static void shown_words(enum row row, const char *value, char *text, size_t size)
{
    const struct setting *r = &settings_table[row];
    size_t used = 0;
    snprintf(text, size, "%s", r->words ? r->words : r->kind == SET_TRUTH ? ""
                             : strcmp(value, "FILE") == 0 ? "files"
                             : strcmp(value, "DIR") == 0 ? "folders" : "nothing");
    for (const char *s = value; !r->words && strchr(value, '|') && *s && used < size;) {
        size_t n = strcspn(s, "|");
        if (!(*s >= 'A' && *s <= 'Z'))
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? " " : "words ",
                                     (int)strcspn(s, "|F"), s);
        s += n + (s[n] == '|');
    }
}

static void help_of(enum place place, FILE *out, bool list)
{
    const char *group = "";
    for (unsigned row = 0; row < ROWS_COUNT; row++) {
        const struct setting *r = &settings_table[row];
        char value[300], words[300];
        if (!(r->places & place))
            continue;
        if (strcmp(group, r->group) != 0 && !list)
            fprintf(out, "%s\n", r->group);
        group = r->group;
        row_value((enum row)row, place, value, sizeof value);
        shown_words((enum row)row, value, words, sizeof words);
        args_help_option(out, list, group, r->name, value, words, r->help);
    }
}

void settings_help(FILE *out, bool list)
{
    help_of(IN_RUN, out, list);
}

void settings_help_saturation(FILE *out, bool list)
{
    help_of(IN_SATURATION, out, list);
}

void settings_help_view(FILE *out, bool list)
{
    help_of(IN_VIEW, out, list);
}
