/* SPDX-License-Identifier: Apache-2.0
 * import_check.c - whether a configuration that was made can be run.
 */
#include "import_check.h"

#include "settings.h"

#include <stdlib.h>
#include <string.h>

/* The line of the original that line k of the text was made from; 0: none. */
static size_t line_of(const char *text, unsigned long k)
{
    static const char mark[] = ", line ";
    for (; k > 1 && *text; k--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    const char *from = strstr(text, mark);
    return from && from < text + strcspn(text, "\n") ? strtoul(from + strlen(mark), NULL, 10) : 0;
}

int import_check(const char *file, const char *text, struct fail *f)
{
    static const char name[] = "converted";
    struct settings *s = calloc(1, sizeof *s);
    struct fail why = {.code = EXIT_OK, .text = ""};
    if (!s)
        return fail(f, EXIT_SYSTEM, "no memory to check %s", file);
    settings_default(s);
    s->place = IN_RUN;
    int bad = settings_parse_text(s, name, text, &why) || settings_agree(s, &why);
    settings_free(s);
    free(s);
    if (!bad)
        return 0;
    if (why.code == EXIT_SYSTEM)
        return fail(f, EXIT_SYSTEM, "%s", why.text);
    const char *said = why.text;
    size_t line = 0;
    if (strncmp(said, name, strlen(name)) == 0 && said[strlen(name)] == ':') {
        line = line_of(text, strtoul(said + strlen(name) + 1, NULL, 10));
        said += strlen(name) + 1 + strcspn(said + strlen(name) + 1, " ");
        said += strspn(said, " ");
    }
    return fail_at(f, file, line, "here %s", said);
}
