/* SPDX-License-Identifier: Apache-2.0
 * toggles.c - which bits of a VCD on standard input rose and fell.
 *
 * Writes a line a variable: scope, name, and a digit a bit, the highest bit first: 1 it rose, 2 it
 * fell, 3 both, 0 neither.  What a variable is before its first value is no change.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16, SCOPE = 4096 };

struct code { /* variables of the same value share a code */
    unsigned width;
    char *value; /* NULL: none yet */
    uint8_t *seen;
};

struct variable {
    char *scope;
    char *name;
    size_t code;
};

struct vcd {
    struct code *code;
    size_t codes;
    struct variable *variable;
    size_t variables;
};

static void die(const char *why)
{
    fprintf(stderr, "toggles: %s\n", why);
    exit(3);
}

static void *must(void *memory)
{
    if (!memory)
        die("no memory");
    return memory;
}

/* The characters '!' to '~' as digits. */
static size_t number_of(const char *text)
{
    size_t n = 0;
    size_t unit = 1;
    for (; *text > ' '; text++, unit *= 94)
        n += (size_t)(*text - '!' + 1) * unit;
    return n;
}

static void declare(struct vcd *v, const char *scope, const char *line)
{
    char text[64];
    char name[SCOPE];
    unsigned width;

    if (sscanf(line, " $var %*s %u %63s %4095s", &width, text, name) != 3 || !width)
        die("a $var that is none");
    size_t n = number_of(text);
    if (n >= v->codes) {
        size_t codes = 2 * n + 1024;
        v->code = must(realloc(v->code, codes * sizeof *v->code));
        memset(v->code + v->codes, 0, (codes - v->codes) * sizeof *v->code);
        v->codes = codes;
    }
    if (!v->code[n].seen) {
        v->code[n].width = width;
        v->code[n].seen = must(calloc(width, 1));
    }
    if (v->variables % 1024 == 0)
        v->variable = must(realloc(v->variable, (v->variables + 1024) * sizeof *v->variable));
    v->variable[v->variables++] =
        (struct variable){must(strdup(scope)), must(strdup(name)), n};
}

static void read_header(struct vcd *v, char *line)
{
    char scope[SCOPE] = "";
    char name[SCOPE];

    while (fgets(line, LINE, stdin)) {
        char *text = line + strspn(line, " ");
        if (strncmp(text, "$enddefinitions", 15) == 0)
            return;
        if (strncmp(text, "$upscope", 8) == 0) {
            char *dot = strrchr(scope, '/');
            if (dot)
                *dot = 0;
        } else if (strncmp(text, "$scope", 6) == 0 && sscanf(text, "$scope %*s %4095s", name) == 1) {
            size_t at = strlen(scope);
            if (snprintf(scope + at, sizeof scope - at, "/%s", name) >= (int)(sizeof scope - at))
                die("a scope is too deep");
        } else if (strncmp(text, "$var", 4) == 0) {
            declare(v, scope, text);
        }
    }
    die("no $enddefinitions: not a VCD");
}

/* bits: as many as the variable has, or fewer, with zeros above. */
static void change(struct code *c, const char *bits, size_t n)
{
    bool first = !c->value;
    if (!c->seen || n > c->width)
        die("a value of no variable");
    if (first)
        c->value = must(malloc(c->width));
    for (size_t k = 0; k < c->width; k++) {
        char bit = k < c->width - n ? '0' : bits[k - (c->width - n)];
        if (!first && bit != c->value[k])
            c->seen[k] |= bit == '1' ? 1 : 2;
        c->value[k] = bit;
    }
}

static void read_values(struct vcd *v, char *line)
{
    while (fgets(line, LINE, stdin)) {
        char *bits = line + (*line == 'b');
        if (*line != 'b' && *line != '0' && *line != '1')
            continue; /* a time */
        size_t n = *line == 'b' ? strspn(bits, "01") : 1;
        size_t code = number_of(bits + n + (*line == 'b'));
        if (code >= v->codes)
            die("a value of no variable");
        change(&v->code[code], bits, n);
    }
}

int main(void)
{
    static char line[LINE];
    struct vcd v = {.codes = 0};

    read_header(&v, line);
    read_values(&v, line);
    for (size_t k = 0; k < v.variables; k++) {
        const struct variable *a = &v.variable[k];
        const struct code *c = &v.code[a->code];
        printf("%s %s ", a->scope, a->name);
        for (unsigned b = 0; b < c->width; b++)
            putchar('0' + c->seen[b]);
        putchar('\n');
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 4;
}
