/* SPDX-License-Identifier: Apache-2.0
 * options.c - the command line of `fatfly cosim`.
 */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "usage: fatfly cosim [OPTION]...\n"
    "Runs the C model and the Verilated Verilog in lock-step and compares every link and every\n"
    "register in every cycle.  Without --case: the whole regression.\n"
    "\n"
    "which cases\n"
    "  --case NAME        this case alone; may be given again\n"
    "  --config FILE      a case from a configuration file (docs/formats.md)\n"
    "  --list             names of all cases\n"
    "  --full             the slow cases (N = 256), too\n"
    "  --seed N           seed of traffic, stalls and random bits; default: the case's\n"
    "  --worms FILE       these worms in place of the case's traffic\n"
    "  --side both|c|rtl  both in lock-step (default), or one alone\n"
    "  --max-cycles N     stop after N cycles\n"
    "  --outputs-only     compare the links out of the device alone (a library without probe)\n"
    "  --jobs N           cases at once; default: one a core\n"
    "what to see (one case)\n"
    "  --waves FILE       .fst or .vcd, and a GTKWave save file beside it\n"
    "  --from C --to C    window of the waves, cycles\n"
    "  --watch WORM       print that worm's life; with --waves: only while it is in the network\n"
    "  --shrink SECONDS   how long to look for a smaller failing case; default 10\n"
    "  --cover FILE       count the points of functional coverage met (any cases); adds to FILE\n"
    "where\n"
    "  --build DIR        Verilated libraries in DIR/rtl, results in DIR/cosim; default build\n"
    "  --sim DIR          cases, matrix and traces; default sim\n"
    "  --rtl LIB, --c LIB another library for a side\n"
    "  --shapes           names of the Verilated libraries that the cases need\n"
    "\n"
    "exit codes: 0 all passed, 1 a check failed, 2 usage, 3 bad input file, 4 missing tool,\n"
    "library, memory or disk space, or interrupted\n";

static int whole(uint64_t *to, const char *name, const char *text, uint64_t low, uint64_t high,
                 struct fail *f)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || !text[0] || *end || strspn(text, "0123456789") != strlen(text) || v < low ||
        v > high)
        return fail(f, EXIT_USAGE, "%s %s; allowed: a whole number, %llu to %llu", name, text,
                    (unsigned long long)low, (unsigned long long)high);
    *to = v;
    return 0;
}

int options_parse(struct options *o, int argc, char *const argv[], struct fail *f)
{
    enum { CASE, CONFIG, LIST, FULL, SEED, WORMS, SIDE, MAX_CYCLES, JOBS, WAVES, FROM, TO, WATCH,
           SHRINK, BUILD, SIM, RTL, C, SHAPES, HELP,
           OUTPUTS_ONLY, COVER, COUNT };
    static const char *const names[COUNT] = {
        "--case", "--config", "--list", "--full", "--seed", "--worms", "--side", "--max-cycles",
        "--jobs", "--waves", "--from", "--to", "--watch", "--shrink", "--build", "--sim", "--rtl",
        "--c", "--shapes", "--help", "--outputs-only", "--cover"};
    static const char *const sides[] = {"both", "c", "rtl"};
    uint64_t v = 0;
    int bad = 0;

    memset(o, 0, sizeof *o);
    o->build = "build";
    o->sim = "sim";
    o->shrink = 10;
    o->to = UINT64_MAX;
    for (int k = 0; k < argc && !bad; k++) {
        int which = 0;
        while (which < COUNT && strcmp(argv[k], names[which]) != 0)
            which++;
        bool alone = which == LIST || which == FULL || which == SHAPES || which == HELP ||
                     which == OUTPUTS_ONLY;
        if (which == COUNT) {
            const char *near = nearest(argv[k], names, COUNT);
            return fail(f, EXIT_USAGE, "%s: no such option%s%s; fatfly cosim --help shows all",
                        argv[k], near ? "; nearest: " : "", near ? near : "");
        }
        if (!alone && ++k == argc)
            return fail(f, EXIT_USAGE, "%s needs a value", names[which]);
        const char *text = alone ? "" : argv[k];
        switch (which) {
        case CASE:
            if (o->named_count == MAX_NAMED)
                return fail(f, EXIT_USAGE, "--case %s: at most %d cases can be named", text,
                            MAX_NAMED);
            o->named[o->named_count++] = text;
            break;
        case CONFIG: o->config = text; break;
        case WORMS: o->worms = text; break;
        case WAVES: o->waves = text; break;
        case RTL: o->rtl = text; break;
        case C: o->c = text; break;
        case COVER: o->cover = text; break;
        case BUILD: o->build = text; break;
        case SIM: o->sim = text; break;
        case LIST: o->list = true; break;
        case FULL: o->full = true; break;
        case SHAPES: o->shapes = true; break;
        case HELP: o->help = true; break;
        case OUTPUTS_ONLY: o->outputs_only = true; break;
        case SIDE:
            for (v = 0; v < 3 && strcmp(text, sides[v]) != 0; v++)
                ;
            if (v == 3)
                bad = fail(f, EXIT_USAGE, "--side %s; allowed: both, c, rtl", text);
            else
                o->side = (enum side)v;
            break;
        case SEED:
            bad = whole(&o->seed, names[which], text, 0, UINT64_MAX, f);
            o->seeded = true;
            break;
        case MAX_CYCLES: bad = whole(&o->max_cycles, names[which], text, 1, UINT64_MAX, f); break;
        case FROM: bad = whole(&o->from, names[which], text, 0, UINT64_MAX, f); break;
        case TO: bad = whole(&o->to, names[which], text, 0, UINT64_MAX, f); break;
        case WATCH: bad = whole(&o->watch, names[which], text, 1, UINT32_MAX, f); break;
        case JOBS:
            bad = whole(&v, names[which], text, 1, 256, f);
            o->jobs = (unsigned)v;
            break;
        default: /* SHRINK */
            bad = whole(&v, names[which], text, 0, 86400, f);
            o->shrink = (double)v;
            break;
        }
    }
    if (bad)
        return -1;
    if (o->config && o->named_count)
        return fail(f, EXIT_USAGE, "--config %s contradicts --case %s; give one", o->config,
                    o->named[0]);
    unsigned alone = o->named_count + (o->config != NULL);
    const char *single = o->waves ? "--waves" : o->watch ? "--watch" : o->worms ? "--worms"
                       : o->rtl ? "--rtl" : o->c ? "--c" : NULL;
    if (single && alone != 1)
        return fail(f, EXIT_USAGE, "%s needs exactly one --case or --config; %u given", single,
                    alone);
    if (o->cover && (o->side != SIDE_BOTH || o->outputs_only))
        return fail(f, EXIT_USAGE, "--cover %s counts what both sides agree on; it needs --side both "
                    "and no --outputs-only", o->cover);
    if (o->from > o->to)
        return fail(f, EXIT_USAGE, "--from %llu --to %llu; the window ends before it begins",
                    (unsigned long long)o->from, (unsigned long long)o->to);
    if (o->waves) {
        const char *dot = strrchr(o->waves, '.');
        if (!dot || (strcmp(dot, ".fst") != 0 && strcmp(dot, ".vcd") != 0))
            return fail(f, EXIT_USAGE, "--waves %s; allowed: a file that ends in .fst or .vcd",
                        o->waves);
    }
    return 0;
}
