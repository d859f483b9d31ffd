/* SPDX-License-Identifier: Apache-2.0
 * settings_read.c - settings from a configuration file and from the command line.
 */
#include "rows.h"

#include "cfgtext.h"

#include <stdlib.h>
#include <string.h>

/* -- configuration files --------------------------------------------------------------------- */

/* One setting of a file; folder: characters of its name that are the folder's. */
static int take(struct settings *s, const char *file, size_t folder,
                const config_setting_t *setting, struct fail *f)
{
    const char *name = config_setting_name(setting);
    unsigned line = config_setting_source_line(setting);
    int type = config_setting_type(setting);
    struct origin o = {file, line ? line : 1};
    int row = row_find(s, name, &o, f);
    char text[512];
    if (row < 0)
        return -1;
    if (s->line[row]) /* once with a hyphen, once with an underscore: libconfig has two names */
        return fail_at(f, file, o.line, "%s again, it is in line %u, too; allowed: once", name, s->line[row]);
    bool whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    const struct setting *r = &settings_table[row];
    const char *string = type == CONFIG_TYPE_STRING ? config_setting_get_string(setting) : "";
    bool number = *string && strspn(string, "0123456789.+-eE") == strlen(string);
    bool words = r->kind == SET_NAME || r->kind == SET_TEXT ||
                 ((r->word || row == WARMUP) && !number);
    bool right = type == CONFIG_TYPE_STRING ? words
               : type == CONFIG_TYPE_BOOL   ? r->kind == SET_TRUTH
               : whole                      ? r->kind == SET_WHOLE || r->kind == SET_REAL
                                            : type == CONFIG_TYPE_FLOAT && r->kind == SET_REAL;
    if (!right) {
        static const char *const kinds[] = {[SET_WHOLE] = "a whole number", [SET_REAL] = "a number",
                                            [SET_NAME] = "a string", [SET_TRUTH] = "true or false",
                                            [SET_TEXT] = "a string"};
        return fail_at(f, file, line, "%s is %s; allowed: %s", name, cfgtext_type(type),
                       kinds[r->kind]);
    }
    if (type == CONFIG_TYPE_STRING) {
        int at = settings_file((unsigned)row, string);
        size_t before = at >= 0 && string[at] && string[at] != '/' ? folder : 0;
        if (before + strlen(string) >= sizeof text)
            return fail_at(f, file, line, "%s has %zu characters; allowed: at most %zu", name,
                           before + strlen(string), sizeof s->trace - 1);
        at = at < 0 ? 0 : at;
        snprintf(text, sizeof text, "%.*s%.*s%s", at, string, (int)before, file, string + at);
    } else if (whole) {
        snprintf(text, sizeof text, "%lld", (long long)config_setting_get_int64(setting));
    } else if (type == CONFIG_TYPE_FLOAT) {
        row_real_text(config_setting_get_float(setting), text, sizeof text);
    } else {
        snprintf(text, sizeof text, "%s", config_setting_get_bool(setting) ? "true" : "false");
    }
    return settings_set_at(s, file, line, name, text, f);
}

static int parse_text(struct settings *s, const char *name, const char *text, size_t folder,
                      struct fail *f)
{
    config_t file;
    config_init(&file);
    int bad = cfgtext_parse(&file, name, text, f);
    if (!bad) {
        const config_setting_t *root = config_root_setting(&file);
        int count = config_setting_length(root);
        for (int k = 0; k < count && !bad; k++)
            bad = take(s, name, folder, config_setting_get_elem(root, (unsigned)k), f);
    }
    config_destroy(&file);
    return bad;
}

int settings_parse_text(struct settings *s, const char *name, const char *text, struct fail *f)
{
    return parse_text(s, name, text, 0, f);
}

int settings_load(struct settings *s, const char *file, struct fail *f)
{
    const char *slash = strrchr(file, '/');
    char *text = cfgtext_load(file, f);
    if (!text)
        return -1;
    int bad = parse_text(s, file, text, slash ? (size_t)(slash - file) + 1 : 0, f);
    free(text);
    return bad;
}

/* -- the command line ------------------------------------------------------------------------ */

/* Name and value of the option at argv[*k], which moves past it. */
static int option(struct settings *s, int argc, char *const argv[], int *k, char name[64],
                  const char **value, struct fail *f)
{
    const char *arg = argv[(*k)++];
    size_t length = strcspn(arg, "=");
    if (strncmp(arg, "--", 2) != 0 || length > 60)
        return fail(f, EXIT_USAGE, "%.80s: no such option; fatfly %s --help shows all", arg,
                    settings_command(s->place));
    snprintf(name, 64, "%.*s", (int)length - 2, arg + 2);
    struct origin o = {NULL, 0};
    int row = row_find(s, name, &o, f);
    if (row < 0)
        return -1;
    if (arg[length]) {
        *value = arg + length + 1;
        return 0;
    }
    *value = "";
    if (settings_table[row].kind == SET_TRUTH) {
        if (*k < argc && (strcmp(argv[*k], "yes") == 0 || strcmp(argv[*k], "no") == 0))
            *value = argv[(*k)++];
        return 0;
    }
    if (*k == argc) {
        char text[300];
        row_value((enum row)row, s->place, text, sizeof text);
        return fail(f, EXIT_USAGE, "%s needs a value: --%s %s", arg, settings_table[row].name, text);
    }
    *value = argv[(*k)++];
    return 0;
}

int settings_parse(struct settings *s, enum place place, int argc, char *const argv[], struct fail *f)
{
    char name[64];
    const char *value = "", *given[ROWS_COUNT] = {NULL};
    settings_default(s);
    s->place = place;
    for (int k = 0; k < argc;) { /* the file first, wherever it stands */
        if (option(s, argc, argv, &k, name, &value, f))
            return -1;
        int row = settings_find(name);
        if (given[row])
            return fail(f, EXIT_USAGE, "--%s %s and --%s %s; allowed: once", name, given[row], name,
                        value);
        given[row] = value;
        if (row != CONFIG)
            continue;
        if (settings_set(s, name, value, f) || settings_load(s, value, f))
            return -1;
    }
    for (int k = 0; k < argc;) {
        if (option(s, argc, argv, &k, name, &value, f))
            return -1;
        if (settings_find(name) != CONFIG && settings_set(s, name, value, f))
            return -1;
    }
    return 0;
}
