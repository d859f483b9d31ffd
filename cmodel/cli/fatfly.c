/* SPDX-License-Identifier: Apache-2.0
 * fatfly.c - the command: `fatfly run ...`, `fatfly cosim ...`.
 */
#include "commands.h"
#include "fatfly.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int (*const mains[])(int argc, char *const argv[]) = {
    run_main, saturation_main, sweep_main, merge_main, export_main, plot_main, model_main, estimate_main, import_main,
    view_main, events_main, cosim_main};
enum { COMMANDS = sizeof mains / sizeof *mains };

static void help(FILE *out)
{
    fputs("usage: fatfly COMMAND [OPTION]...\n"
          "fatfly is a switch for butterfly fat-trees, in C and in Verilog, and a simulator of networks.\n"
          "\n", out);
    for (unsigned k = 0; k < COMMANDS; k++)
        fprintf(out, "  %-12s%s\n", commands[k]->name, commands[k]->what);
    fputs("\n"
          "fatfly COMMAND --help shows the options of a command; fatfly --version the version.\n"
          "exit codes: 0 done, 1 a check failed, 2 usage, 3 bad input file, 4 missing tool,\n"
          "library, memory or disk space, or interrupted, 5 saturated, where asked to say so\n",
          out);
}

static int done(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_OK;
    fprintf(stderr, "fatfly: cannot write: %s\n", strerror(errno));
    return EXIT_SYSTEM;
}

static int no_command(const char *read)
{
    const char *names[COMMANDS];
    for (unsigned k = 0; k < COMMANDS; k++)
        names[k] = commands[k]->name;
    const char *near = nearest(read, names, COMMANDS);
    struct fail f;
    fail(&f, EXIT_USAGE, "%.60s: no such command; allowed: run, saturation, sweep, merge, export, plot, "
         "model, estimate, import, view, events, cosim, --help, --version%s%s", read, near ? "; nearest: " : "",
         near ? near : "");
    fprintf(stderr, "fatfly: %s\n", f.text);
    return EXIT_USAGE;
}

int main(int argc, char *argv[])
{
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    for (unsigned k = 0; k < COMMANDS; k++)
        if (strcmp(argv[1], commands[k]->name) == 0)
            return mains[k](argc - 2, argv + 2);
    if (strcmp(argv[1], "--help") == 0) {
        help(stdout);
        return done();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("fatfly %s\n", FATFLY_VERSION);
        return done();
    }
    return no_command(argv[1]);
}
