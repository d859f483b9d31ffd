/* SPDX-License-Identifier: Apache-2.0
 * import_matrix.c - patterns of BookSim2 that here are a traffic matrix: what its traffic.cpp says of them.
 */
#include "import_matrix.h"

#include "fatfly.h"
#include "outfile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_named(const char *pattern, const char *name)
{
    size_t length = strlen(name);
    return strncmp(pattern, name, length) == 0 && (!pattern[length] || pattern[length] == '(');
}

bool import_matrix_is(const char *pattern)
{
    return is_named(pattern, "hotspot") || is_named(pattern, "taper64");
}

enum { MOST_SPOTS = 64, MOST_RATE = 1000000 };

static const char *skip(const char *s)
{
    return s + strspn(s, " \t");
}

/* {a,b,c} or a, each of low to high; what follows it, or NULL. */
static const char *list(const char *s, unsigned long low, unsigned long high, unsigned long *x, unsigned *count)
{
    bool many = *(s = skip(s)) == '{';
    *count = 0;
    for (s += many;; s = skip(s) + 1) {
        char *end;
        s = skip(s);
        if (!isdigit((unsigned char)*s) || *count == MOST_SPOTS)
            return NULL;
        x[*count] = strtoul(s, &end, 10);
        if (x[*count] < low || x[*count] > high)
            return NULL;
        ++*count;
        s = skip(end);
        if (!many)
            return s;
        if (*s == '}')
            return skip(s + 1);
        if (*s != ',')
            return NULL;
    }
}

/* hotspot({1,2},{3,1}): every worm goes to one of these nodes, as often as its rate says; without rates alike, the last
 * stands for those that are left. */
static bool spots(const char *pattern, uint32_t nodes, double *row)
{
    unsigned long at[MOST_SPOTS], rate[MOST_SPOTS] = {1};
    unsigned count = 0, rates = 1;
    const char *s = strchr(pattern, '(');

    s = s ? list(s + 1, 0, nodes - 1, at, &count) : NULL;
    if (s && *s == ',')
        s = list(s + 1, 1, MOST_RATE, rate, &rates);
    if (!s || *s != ')' || s[1])
        return false;
    for (unsigned k = 0; k < count; k++)
        row[at[k]] += (double)rate[k < rates ? k : rates - 1];
    return true;
}

/* Half of the worms go to one of the nine nodes around, by number, half to any. */
static void taper(uint32_t src, double *row)
{
    for (uint32_t dst = 0; dst < 64; dst++)
        row[dst] = 9;
    for (uint32_t k = 0; k < 9; k++)
        row[(64 + src + 8 * (k / 3) + k % 3 - 9) % 64] += 64;
}

double *import_matrix(const char *pattern, uint32_t nodes, char *why, size_t size)
{
    bool taper64 = is_named(pattern, "taper64");
    double *weights = nodes <= FATFLY_MAX_MATRIX ? calloc((size_t)nodes * nodes, sizeof *weights) : NULL;

    if (!weights) {
        snprintf(why, size, "%.60s with %u processors is a matrix; allowed: at most %d processors", pattern, nodes,
                 FATFLY_MAX_MATRIX);
    } else if (taper64 && nodes != 64) {
        snprintf(why, size, "%.60s with %u processors; allowed: 64", pattern, nodes);
    } else if (taper64) {
        for (uint32_t src = 0; src < nodes; src++)
            taper(src, weights + (size_t)src * nodes);
        return weights;
    } else if (!spots(pattern, nodes, weights)) {
        snprintf(why, size, "%.60s; allowed: hotspot({a,b,..}) or hotspot({a,b,..},{rate,rate,..}), at most %d nodes of 0 to "
                 "%u, rates of 1 to %d", pattern, MOST_SPOTS, nodes - 1, MOST_RATE);
    } else {
        for (uint32_t src = 1; src < nodes; src++)
            memcpy(weights + (size_t)src * nodes, weights, nodes * sizeof *weights);
        return weights;
    }
    free(weights);
    return NULL;
}

int import_matrix_write(const double *weights, uint32_t nodes, const char *pattern, const char *file, struct fail *f)
{
    struct outfile o;

    if (outfile_open(&o, file, f))
        return -1;
    fprintf(o.out, "# traffic = %s of BookSim2, by fatfly import: a line for each source, a weight for each destination\n",
            pattern);
    for (uint32_t src = 0; src < nodes; src++)
        for (uint32_t dst = 0; dst < nodes; dst++)
            fprintf(o.out, "%.15g%c", weights[(size_t)src * nodes + dst], dst + 1 < nodes ? ' ' : '\n');
    return outfile_close(&o, f);
}
