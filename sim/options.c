/* SPDX-License-Identifier: Apache-2.0
 * options.c - the command line of `fatfly cosim`.
 */
#include "options.h"

#include "commands.h"
#include "split.h"

#include <string.h>

/* Of the folders, so that the names of the files in them have room. */
enum { LONGEST_FOLDER = 400 };

#define AT(field) .at = offsetof(struct options, field)
#define GIVEN(field) .given = offsetof(struct options, field)

static const char *const sides[] = {"both", "c", "rtl"};

static const struct arg args[] = {
    {"case", "NAME", ARG_LIST, AT(named), "this case alone; may be given again", "which cases",
     .words = "cases"},
    {"config", "FILE", ARG_INPUT, AT(config), "a case from a configuration file (docs/formats.md)"},
    {"list", "", ARG_FLAG, AT(list), "names of all cases"},
    {"full", "", ARG_FLAG, AT(full), "the slow cases (N = 256, a torus of 16 x 16), too"},
    {"task", "K/T", ARG_TEXT, AT(share),
     "the share K of T of these cases, about equal in cost (docs/cluster.md); reports are called junit.K-of-T.xml"},
    {"seed", "N", ARG_WHOLE, AT(seed),
     "seed of traffic, stalls and random bits; default: the case's", .high = UINT64_MAX,
     GIVEN(seeded)},
    {"worms", "FILE", ARG_INPUT, AT(worms), "these worms in place of the case's traffic"},
    {"side", "both|c|rtl", ARG_NAME, AT(side), "both in lock-step (default), or one alone",
     .names = sides, .count = 3},
    {"max-cycles", "N", ARG_WHOLE, AT(max_cycles), "stop after N cycles", .low = 1,
     .high = UINT64_MAX},
    {"outputs-only", "", ARG_FLAG, AT(outputs_only),
     "compare the links out of the device alone (a library without probe)"},
    {"jobs", "N", ARG_WHOLE, AT(jobs), "cases at once; default: one per core", .low = 1, .high = 256},
    {"waves", "FILE", ARG_OUTPUT, AT(waves), ".fst or .vcd, and a GTKWave save file beside it",
     "what to see (one case)"},
    {"from", "C", ARG_WHOLE, AT(from), "with --waves: first cycle of the window",
     .high = UINT64_MAX, GIVEN(windowed)},
    {"to", "C", ARG_WHOLE, AT(to), "with --waves: its last cycle", .high = UINT64_MAX,
     GIVEN(windowed)},
    {"watch", "WORM", ARG_WHOLE, AT(watch),
     "print that worm's life; with --waves: only while it is in the network", .low = 1,
     .high = UINT32_MAX},
    {"shrink", "SECONDS", ARG_WHOLE, AT(shrink),
     "how long to look for a smaller failing case; default 10", .high = 86400},
    {"cover", "FILE", ARG_OUTPUT, AT(cover),
     "count the points of functional coverage met (any cases); adds to FILE"},
    {"build", "DIR", ARG_TEXT, AT(build),
     "Verilated libraries in DIR/rtl, results in DIR/cosim; default build", "where",
     .words = "folders"},
    {"sim", "DIR", ARG_TEXT, AT(sim), "cases, matrix and traces; default sim", .words = "folders"},
    {"rtl", "LIB", ARG_INPUT, AT(rtl), "another library for the Verilog"},
    {"c", "LIB", ARG_INPUT, AT(c), "another library for the C model"},
    {"shapes", "", ARG_FLAG, AT(shapes), "names of the Verilated libraries that the cases need"},
};

const struct command cosim_command = {
    "cosim", "run the C model and the Verilated Verilog in lock-step", "[OPTION]...",
    "Runs the C model and the Verilated Verilog in lock-step and compares every link and every "
    "register in every cycle.  Without --case: the whole regression.",
    "exit codes: 0 all passed, 1 a check failed, 2 usage, 3 bad input file, 4 missing tool, library, "
    "memory or disk space, or interrupted",
    NULL, args, sizeof args / sizeof *args, NULL, NULL, .play = cosim_play};

int options_parse(struct options *o, int argc, char *const argv[], struct fail *f)
{
    const char *none;
    *o = (struct options){.build = "build", .sim = "sim", .shrink = 10, .to = UINT64_MAX};
    int parsed = args_parse(&cosim_command, argc, argv, o, &none, f);
    if (parsed)
        return parsed;
    const struct { const char *option, *value; } folders[] = {{"build", o->build}, {"sim", o->sim}};
    for (unsigned k = 0; k < 2; k++)
        if (strlen(folders[k].value) > LONGEST_FOLDER)
            return fail(f, EXIT_USAGE, "--%s of %zu characters; allowed: at most %d", folders[k].option, strlen(folders[k].value),
                        LONGEST_FOLDER);
    if (o->share && split_parse(o->share, &o->task, &o->tasks, f))
        return -1;
    if (o->config && o->named.count)
        return fail(f, EXIT_USAGE, "--config %s contradicts --case %s; give one", o->config,
                    o->named.item[0]);
    if (o->share && o->config)
        return fail(f, EXIT_USAGE, "--task %s of --config %s, which is one case; allowed: with --case, or alone", o->share,
                    o->config);
    unsigned alone = o->named.count + (o->config != NULL);
    const char *single = o->waves ? "--waves" : o->watch ? "--watch" : o->worms ? "--worms"
                       : o->rtl ? "--rtl" : o->c ? "--c" : NULL;
    if (single && alone != 1)
        return fail(f, EXIT_USAGE, "%s needs exactly one --case or --config; %u given", single,
                    alone);
    if (single && o->share)
        return fail(f, EXIT_USAGE, "%s with --task %s; allowed: without --task, for one case", single, o->share);
    const struct { const char *given, *name; unsigned only; } libraries[] = {{o->rtl, "rtl", SIDE_C}, {o->c, "c", SIDE_RTL}};
    for (unsigned k = 0; k < 2; k++)
        if (libraries[k].given && o->side == libraries[k].only)
            return fail(f, EXIT_USAGE, "--%s %s with --side %s, which does not use it; allowed: --side both or %s", libraries[k].name,
                        libraries[k].given, sides[o->side], libraries[k].name);
    if (o->cover && (o->side != SIDE_BOTH || o->outputs_only))
        return fail(f, EXIT_USAGE, "--cover %s counts what both sides agree on; it needs --side both "
                    "and no --outputs-only", o->cover);
    if (o->from > o->to)
        return fail(f, EXIT_USAGE, "--from %llu --to %llu; the window ends before it begins",
                    (unsigned long long)o->from, (unsigned long long)o->to);
    if (o->windowed && !o->waves)
        return fail(f, EXIT_USAGE, "--from and --to without --waves; allowed: only with --waves");
    if (o->waves) {
        const char *dot = strrchr(o->waves, '.');
        if (!dot || (strcmp(dot, ".fst") != 0 && strcmp(dot, ".vcd") != 0))
            return fail(f, EXIT_USAGE, "--waves %s; allowed: a file that ends in .fst or .vcd",
                        o->waves);
    }
    return 0;
}
