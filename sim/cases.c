/* SPDX-License-Identifier: Apache-2.0
 * cases.c - the cases of the regression.
 */
#include "cases.h"

#include "fat_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Worms for one switch of the matrix: long enough for every phase of stalls and traffic twice. */
enum { MATRIX_CYCLES = 262144, MATRIX_LENGTH = 9, MATRIX_STALL = 40 };

static struct cosim_case *append(struct case_list *l, struct fail *f)
{
    struct cosim_case *more = realloc(l->item, (l->count + 1) * sizeof *more);
    if (!more) {
        fail(f, EXIT_SYSTEM, "no memory for the list of cases");
        return NULL;
    }
    l->item = more;
    memset(&l->item[l->count], 0, sizeof *l->item);
    config_default(&l->item[l->count].config);
    return &l->item[l->count++];
}

static int by_name(const void *a, const void *b)
{
    const struct cosim_case *x = a;
    const struct cosim_case *y = b;
    return strcmp(x->name, y->name);
}

/* Of a file that does not open: is it what the machine lacks? */
static enum exit_code unread(void)
{
    return errno == ENOMEM || errno == EMFILE || errno == ENFILE ? EXIT_SYSTEM : EXIT_INPUT;
}

/* Cases from *.cfg in folder/cases. */
static int read_files(struct case_list *l, const char *folder, struct fail *f)
{
    char path[500];
    snprintf(path, sizeof path, "%s/cases", folder);
    DIR *dir = opendir(path);
    size_t first = l->count;
    int bad = 0;

    if (!dir)
        return fail(f, unread(), "%s: %s; the cases are in a checkout of fatfly: run there, or say "
                    "--sim DIR", path, strerror(errno));
    for (struct dirent *e; !bad && (e = readdir(dir));) {
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".cfg") != 0)
            continue;
        struct cosim_case *c = append(l, f);
        char file[800];
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        bad = !c || config_load(&c->config, file, f);
        if (!bad) {
            snprintf(c->name, sizeof c->name, "%.*s", (int)(dot - e->d_name), e->d_name);
            c->slow = dut_endpoints(&c->config.shape) > 64;
        }
    }
    closedir(dir);
    if (l->count > first)
        qsort(l->item + first, l->count - first, sizeof *l->item, by_name);
    return bad ? -1 : 0;
}

/* A line of a list of cases, without its comment. */
struct line {
    const char *path;
    unsigned number;
    char text[200];
};

static int refuse_line(const struct line *at, const char *allowed, struct fail *f)
{
    return fail_at(f, at->path, at->number, "\"%.60s\"; allowed: %s", at->text, allowed);
}

/* take() for each line of folder/name that is not empty: 0, or -1 with f filled. */
static int read_list(struct case_list *l, const char *folder, const char *name, const char *what,
                     int (*take)(struct case_list *l, const struct line *at, struct fail *f), struct fail *f)
{
    char path[500];
    struct line at = {.path = path};
    int bad = 0, got = 0;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    if (!in)
        return fail(f, unread(), "%s: %s; %s", path, strerror(errno), what);
    while (!bad && (got = plain_line(in, at.text, sizeof at.text, path, &at.number, f)) > 0) {
        at.text[strcspn(at.text, "#")] = 0;
        if (at.text[strspn(at.text, " \t\r\v\f")])
            bad = take(l, &at, f);
    }
    if (!bad && got == 0 && ferror(in))
        bad = fail(f, unread(), "%s: %s; %s", path, strerror(errno), what);
    fclose(in);
    return bad || got < 0 ? -1 : 0;
}

/* A switch of matrix.txt. */
static int take_switch(struct case_list *l, const struct line *at, struct fail *f)
{
    char why[200], shape[71] = "", more[2] = "";
    int fields = sscanf(at->text, "%70s %1s", shape, more);
    struct cosim_case *c = append(l, f);

    if (!c)
        return -1;
    if (fields > 1)
        return refuse_line(at, "one shape, as s1of3-v1-q2-w32-rp-rr", f);
    if (dut_shape_parse(shape, &c->config.shape, why, sizeof why))
        return fail_at(f, at->path, at->number, "%s", why);
    if (c->config.shape.network || c->config.shape.cube.radix)
        return fail_at(f, at->path, at->number, "%s; allowed: one switch, as s1of3-v1-q2-w32-rp-rr", shape);
    snprintf(c->name, sizeof c->name, "switch-%s", shape);
    c->config.set.config.load = 0.6;
    c->config.set.config.length = MATRIX_LENGTH;
    c->config.set.config.length_min = 1;
    c->config.set.config.cycles = MATRIX_CYCLES;
    c->config.set.stall = MATRIX_STALL;
    c->config.set.config.seed = at->number;
    return 0;
}

/* The worms of a line of cubes.txt.  A pattern needs processors that are a power of four. */
static int set_cube(struct cosim_case *c, const char *shape, const char *traffic, unsigned size,
                    const char *path, unsigned n, struct fail *f)
{
    struct config *to = &c->config;
    char why[200];
    unsigned kind = 0;
    bool open = strcmp(traffic, "open") == 0;

    if (dut_shape_parse(shape, &to->shape, why, sizeof why))
        return fail_at(f, path, n, "%s", why);
    while (kind < FATFLY_PERMUTATION && strcmp(traffic, fatfly_pattern_names[kind]) != 0)
        kind++;
    unsigned k = to->shape.cube.radix;
    bool pattern = kind < FATFLY_PERMUTATION && to->shape.network && k && (k & (k - 1)) == 0;
    if (!size || !k || (!open && !pattern))
        return fail_at(f, path, n, "\"%s %s %u\"; allowed: a cube, open and its cycles, or in a network "
                       "of radix 2, 4, 8, 16 a pattern and its rounds", shape, traffic, size);
    snprintf(c->name, sizeof c->name, "%s-%s%s%s", to->shape.network ? "cube" : "router", shape,
             pattern ? "-" : "", pattern ? traffic : "");
    c->slow = dut_endpoints(&to->shape) > 64;
    to->set.config.pattern = pattern ? (enum fatfly_pattern)kind : FATFLY_RANDOM;
    to->set.config.load = pattern ? 0 : 0.6;
    to->set.config.length = MATRIX_LENGTH;
    to->set.config.length_min = pattern ? MATRIX_LENGTH : 1;
    to->set.config.cycles = pattern ? 0 : size;
    to->set.config.rounds = pattern ? size : 1;
    to->set.stall = to->shape.network ? 10 : MATRIX_STALL;
    to->set.config.seed = n;
    return 0;
}

/* A cube, or router of one, of cubes.txt: shape, traffic, cycles or rounds. */
static int take_cube(struct case_list *l, const struct line *at, struct fail *f)
{
    char shape[50] = "", traffic[16] = "", more[2] = "";
    unsigned size = 0;

    if (sscanf(at->text, "%49s %15s %7u %1s", shape, traffic, &size, more) != 3)
        return refuse_line(at, "shape, traffic, cycles or rounds", f);
    struct cosim_case *c = append(l, f);
    return c ? set_cube(c, shape, traffic, size, at->path, at->number, f) : -1;
}

/* Many-to-1 takes exactly cL + d - 2 cycles (spec, section 7): c = N/2, d = 2 levels. */
static int add_exact(struct case_list *l, struct fail *f)
{
    static const unsigned lengths[] = {1, 2, 8, 32};

    for (unsigned levels = 2; levels <= 3; levels++)
        for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            struct cosim_case *c = append(l, f);
            if (!c)
                return -1;
            c->config.shape.params.levels = levels;
            c->config.set.config.pattern = FATFLY_MANY_TO_1;
            c->config.set.config.length = c->config.set.config.length_min = lengths[k];
            c->exact = true;
            c->expect = (uint64_t)fat_tree_nodes(levels) / 2 * lengths[k] + 2 * (uint64_t)levels - 2;
            snprintf(c->name, sizeof c->name, "exact-n%u-l%u", fat_tree_nodes(levels), lengths[k]);
        }
    return 0;
}

static int add_bench(struct case_list *l, const char *name, const char *bench, struct fail *f)
{
    struct cosim_case *c = append(l, f);
    if (!c)
        return -1;
    snprintf(c->name, sizeof c->name, "%s", name);
    c->bench = bench;
    return 0;
}

/* Case k once more, with another Verilog of the same shape. */
static int again(struct case_list *l, size_t k, bool bare, struct fail *f)
{
    struct cosim_case *c = append(l, f);
    if (!c)
        return -1;
    *c = l->item[k];
    *(bare ? &c->config.shape.bare : &c->config.shape.reference) = true;
    snprintf(c->name, sizeof c->name, "%.70s%s", l->item[k].name, bare ? "-bare" : "-ref");
    return 0;
}

/* A line of reference.txt: a name, or a pattern of names as in a shell, of cases whose Verilog is the fast
 * switch with its probe and that run again on the reference switch, as NAME-ref, or with the word bare
 * without a probe, as NAME-bare. */
static int take_reference(struct case_list *l, const struct line *at, struct fail *f)
{
    char name[80] = "", word[8] = "", more[2] = "";
    int fields = sscanf(at->text, "%79s %7s %1s", name, word, more), bad = 0;
    size_t known = l->count;
    bool any = false;

    if (fields > 2 || (fields == 2 && strcmp(word, "bare") != 0))
        return refuse_line(at, "a name or a pattern of names, and bare for the Verilog without a probe", f);
    for (size_t k = 0; !bad && k < known; k++)
        if (!l->item[k].bench && !l->item[k].config.shape.bare && !l->item[k].config.shape.reference &&
            fnmatch(name, l->item[k].name, 0) == 0) {
            any = true;
            bad = again(l, k, fields == 2, f);
        }
    return bad || any ? bad : fail_at(f, at->path, at->number, "\"%.60s\" names no case; fatfly cosim --list shows all",
                                      name);
}

int cases_read(struct case_list *l, const char *folder, struct fail *f)
{
    memset(l, 0, sizeof *l);
    if (!add_bench(l, "arbiter-core", "arbiter_all", f) &&
        !add_bench(l, "cube-routes", "cube_route_all", f) && !read_files(l, folder, f) &&
        !add_exact(l, f) && !read_list(l, folder, "matrix.txt", "the list of switches", take_switch, f) &&
        !read_list(l, folder, "cubes.txt", "the list of cubes", take_cube, f) &&
        !read_list(l, folder, "reference.txt", "the cases of the reference switch", take_reference, f))
        return 0;
    cases_free(l);
    return -1;
}

void cases_free(struct case_list *l)
{
    free(l->item);
    l->item = NULL;
    l->count = 0;
}

const struct cosim_case *cases_find(const struct case_list *l, const char *name, struct fail *f)
{
    const char **names = calloc(l->count + 1, sizeof *names);

    for (size_t k = 0; k < l->count; k++) {
        if (strcmp(l->item[k].name, name) == 0) {
            free(names);
            return &l->item[k];
        }
        if (names)
            names[k] = l->item[k].name;
    }
    const char *near = names ? nearest(name, names, (unsigned)l->count) : NULL;
    fail(f, EXIT_USAGE, "--case %s: no such case%s%s; fatfly cosim --list shows all", name,
         near ? "; nearest: " : "", near ? near : "");
    free(names);
    return NULL;
}
