/* SPDX-License-Identifier: Apache-2.0
 * view.c - `fatfly view`: one page that shows a run in a browser, with the C model inside.
 *
 * The page is that of `make view`; a line of it is a mark that the configuration takes the place of.
 */
#include "commands.h"
#include "outfile.h"
#include "rows.h"
#include "text.h"
#include "view_fields.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int play(int argc, char *const argv[], struct fail *f);

const struct command view_command = {
    "view", "a page that shows a run in a browser, cycle by cycle", "[OPTION]...",
    "Writes one HTML file that holds the C model as WebAssembly and shows the first run of what `fatfly "
    "run` would simulate: worms over links, queues, who blocks whom.  It needs no server and no network.  "
    "Takes the options of fatfly run that say what is simulated; --output names the file, by default "
    "fatfly.html.  Up to 1024 processors, disciplines worm and phased.",
    "`make view` builds what the page is made of, once; --build names the folder that it is in.  Without it an "
    "installed command takes the page that was installed with it.\n\n"
    "exit codes: 0 done, 2 usage, 3 bad input file, 4 no page in the build folder, or it cannot be "
    "written",
    NULL, NULL, 0, settings_help_view, NULL, .play = play};

static const char mark[] = "@CONFIG@\n";

/* As text where JavaScript has no such number. */
static void put_number(FILE *out, const char *name, uint64_t value)
{
    const char *quote = value >> 53 ? "\"" : "";
    fprintf(out, ",\"%s\":%s%" PRIu64 "%s", name, quote, value, quote);
}

static void write_fields(FILE *out, const struct fatfly_config *c)
{
    fprintf(out, "{\"topology\":\"%s\"", c->topology ? c->topology : "fat-tree");
#define NUMBER(field) put_number(out, #field, c->field);
#define REAL(field) fprintf(out, ",\"" #field "\":%.17g", c->field);
#define TRUTH(field) fprintf(out, ",\"" #field "\":%s", c->field ? "true" : "false");
#define NAME(field, type, names, count) fprintf(out, ",\"" #field "\":\"%s\"", names[c->field]);
    VIEW_FIELDS(NUMBER, REAL, TRUTH, NAME)
#undef NUMBER
#undef REAL
#undef TRUTH
#undef NAME
    putc('}', out);
}

static void write_config(FILE *out, const struct fatfly_config *c)
{
    struct fatfly_config defaults;

    fatfly_defaults(&defaults);
    fprintf(out, "most:%d,config:", VIEW_MAX_PROCESSORS);
    write_fields(out, c);
    fprintf(out, ",defaults:");
    write_fields(out, &defaults);
    fprintf(out, ",graph:");
    text_json(out, c->graph ? c->graph : "");
    fprintf(out, ",graphName:");
    text_json(out, c->graph ? c->graph_name : "");
    fprintf(out, "\n");
}

static int check(const struct settings *s, struct fail *f)
{
    if (s->config.graph && strlen(s->config.graph) >= VIEW_MAX_GRAPH)
        return fail(f, EXIT_USAGE, "--topology %s: %zu characters; allowed in the viewer: up to %d", s->topology,
                    strlen(s->config.graph), VIEW_MAX_GRAPH - 1);
    return s->config.nodes <= VIEW_MAX_PROCESSORS
               ? 0 : fail(f, EXIT_USAGE, "--nodes %u; allowed in the viewer: up to %d processors", s->config.nodes,
                          VIEW_MAX_PROCESSORS);
}

/* The page with a configuration in place of the mark. */
static int copy(FILE *page, const char *name, FILE *out, const struct fatfly_config *c, struct fail *f)
{
    char *line = NULL;
    size_t room = 0;
    bool marked = false;

    for (ssize_t n; (n = getline(&line, &room, page)) > 0;) {
        if (strcmp(line, mark) == 0 && !marked) {
            write_config(out, c);
            marked = true;
        } else {
            fwrite(line, 1, (size_t)n, out);
        }
    }
    free(line);
    return marked ? 0 : fail(f, EXIT_SYSTEM, "%s: no page of the viewer; make view writes one", name);
}

/* The page of the build folder, or, if there is none, what was installed beside this command. */
static FILE *open_page(const struct settings *s, char *name, size_t size)
{
    char self[PATH_MAX], installed[PATH_MAX];

    snprintf(name, size, "%s/view/page.html", s->build);
    FILE *page = fopen(name, "r");
    int why = errno;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (page || n < 0 || strcmp(s->build, "build") != 0)
        return page;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    if (slash && snprintf(installed, sizeof installed, "%s/../share/fatfly/view.html", self) < (int)sizeof installed)
        page = fopen(installed, "r");
    if (page)
        snprintf(name, size, "%s", installed);
    errno = why;
    return page;
}

static int write_page(const struct settings *s, struct fail *f)
{
    const char *file = s->output;
    struct fatfly_config c = s->config;
    char name[PATH_MAX];
    struct outfile o;

    FILE *page = open_page(s, name, sizeof name);
    if (!page)
        return fail(f, EXIT_SYSTEM, "%s: %s; `make view` builds the page, --build DIR says where it is",
                    name, strerror(errno));
    c.force = row_given(s, FORCE) && c.force; /* not because it is known to be safe: that holds for this one alone */
    int bad = args_same_file(name, file)
                  ? fail(f, EXIT_USAGE, "--output %s is the page of the viewer that is read; allowed: another file", file)
                  : outfile_open(&o, file, f);
    if (!bad) {
        bad = copy(page, name, o.out, &c, f);
        if (bad)
            outfile_drop(&o);
        else
            bad = outfile_close(&o, f);
    }
    fclose(page);
    if (!bad)
        printf("%s\n", file);
    return bad;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct settings s;
    if (args_help(&view_command, argc, argv))
        return 0;
    int bad = settings_parse(&s, IN_VIEW, argc, argv, f);
    if (!bad && !s.output[0])
        snprintf(s.output, sizeof s.output, "fatfly.html");
    bad = bad || settings_finish(&s, f) || check(&s, f) || write_page(&s, f);
    settings_free(&s);
    return bad ? -1 : 0;
}
