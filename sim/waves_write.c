/* SPDX-License-Identifier: Apache-2.0
 * waves_write.c - the child that writes the waves: one writer for FST, one for VCD.
 */
#include "waves_own.h"

#include <fstapi.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Order does not matter to it: the reader hands the changes of a cycle back in its own. */
struct tally {
    uint64_t sum, count;
};

static void tally_add(struct tally *t, uint64_t time, uint32_t var, const void *value, size_t size)
{
    const unsigned char *byte = value;
    uint64_t h = (time * UINT64_C(0x9e3779b97f4a7c15)) ^ var;
    for (size_t k = 0; k < size; k++)
        h = (h ^ byte[k]) * UINT64_C(0x100000001b3);
    t->sum += h ^ h >> 31;
    t->count++;
}

static void read_back_text(void *user, uint64_t time, fstHandle var, const unsigned char *value,
                           uint32_t size)
{
    tally_add(user, time, var, value, size);
}

static void read_back(void *user, uint64_t time, fstHandle var, const unsigned char *value)
{
    tally_add(user, time, var, value, strlen((const char *)value));
}

/* Do the blocks of the file, each a tag and a big-endian length, follow one another up to its very
 * end?  The reader below does not check that and can loop for ever on a file that was cut. */
static bool fst_ends_whole(const char *file)
{
    FILE *in = fopen(file, "rb");
    long at = 0, size = 0;

    if (!in)
        return false;
    if (!fseek(in, 0, SEEK_END))
        size = ftell(in);
    while (at >= 0 && at < size) {
        unsigned char head[9];
        uint64_t length = 0;
        if (fseek(in, at, SEEK_SET) || fread(head, sizeof head, 1, in) != 1)
            break;
        for (unsigned k = 1; k < sizeof head; k++)
            length = length << 8 | head[k];
        bool tag_ok = at ? head[0] != FST_BL_HDR && head[0] != FST_BL_SKIP : head[0] == FST_BL_HDR;
        if (!tag_ok || length < 8 || length > (uint64_t)(size - at))
            break;
        at += 1 + (long)length;
    }
    fclose(in);
    return size > 0 && at == size;
}

/* A reader that spins all the same is killed, which the parent sees. */
static void limit_reading(void)
{
    struct rusage used;
    struct rlimit limit;

    if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &limit))
        return;
    rlim_t seconds = 60 + 10 * (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    if (limit.rlim_max == RLIM_INFINITY || seconds < limit.rlim_max) {
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
    }
}

/* Does the file hold every variable and every change? */
static bool fst_holds(const char *file, const struct tally *written, unsigned vars)
{
    struct tally t = {.sum = 0};
    unsigned names = 0;
    struct fstHier *h;
    void *r = fstReaderOpen(file);

    if (!r)
        return false;
    while ((h = fstReaderIterateHier(r)) != NULL)
        names += h->htyp == FST_HT_VAR;
    fstReaderSetFacProcessMaskAll(r);
    bool whole = fstReaderIterBlocks2(r, read_back, read_back_text, &t, NULL) != 0;
    fstReaderClose(r);
    return whole && names == vars && t.sum == written->sum && t.count == written->count;
}

/* "link_worm [31:0]", as the save file names it without the blank. */
static void full_name(char *name, size_t size, const struct var *v)
{
    if (v->width > 1)
        snprintf(name, size, "%s [%u:0]", v->name, v->width - 1);
    else
        snprintf(name, size, "%s", v->name);
}

static void bits_text(char *text, uint64_t bits, unsigned width)
{
    for (unsigned k = 0; k < width; k++)
        text[k] = (char)('0' + (bits >> (width - 1 - k) & 1));
    text[width] = 0;
}

/* Why a file cannot grow: the FST writer does not keep the reason, so ask again. */
static int why_full(const char *file)
{
    static const char some[65536];
    int to = open(file, O_WRONLY | O_APPEND);
    int why = to < 0 ? errno : 0;

    for (unsigned k = 0; !why && k < 64; k++) {
        ssize_t n = write(to, some, sizeof some);
        if (n < 0)
            why = errno;
    }
    if (to >= 0)
        close(to);
    return why ? why : EXIT_UNKNOWN;
}

/* 0, an errno, or EXIT_UNKNOWN.  The writer's handles count from 1, in the order of declaration. */
static int fst_child(const struct waves *w, FILE *in)
{
    struct record r;
    struct tally t = {.sum = 0};
    uint64_t now = 0;
    char text[65];
    void *fst = fstWriterCreate(w->part, 1);

    if (!fst)
        return why_full(w->part);
    fstWriterSetPackType(fst, FST_WR_PT_LZ4);
    fstWriterSetTimescale(fst, -9);
    fstWriterSetDate(fst, ""); /* the same run gives the same file */
    fstWriterSetVersion(fst, "fatfly");
    for (unsigned k = 0; k < w->steps; k++) {
        const struct step *s = &w->step[k];
        if (s->is_var) {
            const struct var *v = &w->var[s->var];
            full_name(text, sizeof text, v);
            fstWriterCreateVar(fst, v->width ? FST_VT_VCD_WIRE : FST_VT_GEN_STRING,
                               FST_VD_IMPLICIT, v->width, text, 0);
        } else if (s->scope[0]) {
            fstWriterSetScope(fst, FST_ST_VCD_MODULE, s->scope, NULL);
        } else {
            fstWriterSetUpscope(fst);
        }
    }
    for (;;) {
        if (fread(&r, sizeof r, 1, in) != 1)
            return EXIT_UNKNOWN; /* the simulation is gone */
        if (r.var == RECORD_END)
            break;
        if (r.var == RECORD_TIME) {
            fstWriterEmitTimeChange(fst, now = r.value.bits);
            continue;
        }
        unsigned width = w->var[r.var].width;
        fstHandle handle = (fstHandle)r.var + 1;
        if (width) {
            bits_text(text, r.value.bits, width);
            fstWriterEmitValueChange(fst, handle, text);
            tally_add(&t, now, handle, text, width);
        } else {
            size_t size = strlen(r.value.text);
            fstWriterEmitVariableLengthValueChange(fst, handle, r.value.text, (uint32_t)size);
            tally_add(&t, now, handle, r.value.text, size);
        }
    }
    fstWriterClose(fst);
    if (!fst_ends_whole(w->part))
        return why_full(w->part);
    limit_reading();
    return fst_holds(w->part, &t, w->vars) ? 0 : why_full(w->part);
}

/* Identifier of a variable in VCD: a number to base 94, digits from '!'. */
static const char *vcd_id(unsigned var, char id[8])
{
    unsigned k = 0;
    do {
        id[k++] = (char)('!' + var % 94);
        var /= 94;
    } while (var);
    id[k] = 0;
    return id;
}

static int vcd_child(const struct waves *w, FILE *in)
{
    struct record r;
    char text[65], id[8];
    FILE *out = fopen(w->part, "w");

    if (!out)
        return errno;
    fprintf(out, "$version fatfly $end\n$timescale 1ns $end\n");
    for (unsigned k = 0; k < w->steps; k++) {
        const struct step *s = &w->step[k];
        if (s->is_var) {
            const struct var *v = &w->var[s->var];
            full_name(text, sizeof text, v);
            fprintf(out, "$var %s %u %s %s $end\n", v->width ? "wire" : "string",
                    v->width ? v->width : 1, vcd_id(s->var, id), text);
        } else if (s->scope[0]) {
            fprintf(out, "$scope module %s $end\n", s->scope);
        } else {
            fprintf(out, "$upscope $end\n");
        }
    }
    fprintf(out, "$enddefinitions $end\n");
    for (;;) {
        if (fread(&r, sizeof r, 1, in) != 1)
            return EXIT_UNKNOWN; /* the simulation is gone */
        if (r.var == RECORD_END)
            break;
        if (r.var == RECORD_TIME) {
            fprintf(out, "#%" PRIu64 "\n", r.value.bits);
            continue;
        }
        unsigned width = w->var[r.var].width;
        vcd_id((unsigned)r.var, id);
        if (width == 1)
            fprintf(out, "%u%s\n", r.value.bits != 0, id);
        else if (width) {
            bits_text(text, r.value.bits, width);
            fprintf(out, "b%s %s\n", text, id);
        } else
            fprintf(out, "s%s %s\n", r.value.text, id);
        if (ferror(out))
            return errno ? errno : EXIT_UNKNOWN;
    }
    bool bad = fflush(out) || ferror(out);
    int why = errno ? errno : EXIT_UNKNOWN;
    return fclose(out) ? errno : bad ? why : 0;
}

void waves_write(const struct waves *w, int from)
{
    const struct rlimit none = {0, 0};
    int quiet = open("/dev/null", O_RDWR);
    FILE *in = fdopen(from, "rb");
    int why = EXIT_UNKNOWN;

    /* A limit on file size must fail a write, not kill; an interrupt must leave time to tidy up;
     * the writer's own words and a core file would only hide the one line that the parent says. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    setrlimit(RLIMIT_CORE, &none);
    if (quiet >= 0) {
        dup2(quiet, STDOUT_FILENO);
        dup2(quiet, STDERR_FILENO);
    }
    if (in)
        why = w->fst ? fst_child(w, in) : vcd_child(w, in);
    if (why)
        waves_remove_part(w);
    _exit(why > 0 && why < EXIT_UNKNOWN ? why : why ? EXIT_UNKNOWN : 0);
}
