/* SPDX-License-Identifier: Apache-2.0
 * fatfly.c - the command: `fatfly run ...`, `fatfly cosim ...`.
 */
#include "commands.h"
#include "fatfly.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void help(FILE *out)
{
    fputs("usage: fatfly COMMAND [OPTION]...\n"
          "fatfly is a switch for butterfly fat-trees, in C and in Verilog, and a simulator of networks.\n"
          "\n", out);
    for (unsigned k = 0; commands[k]; k++)
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
    const char *names[32], *near;
    char allowed[300] = "";
    unsigned count = 0;
    for (; commands[count]; count++) {
        names[count] = commands[count]->name;
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s, ", names[count]);
    }
    near = nearest(read, names, count);
    fprintf(stderr, "fatfly: %.60s: no such command; allowed: %s--help, --version%s%s\n", read, allowed,
            near ? "; nearest: " : "", near ? near : "");
    return EXIT_USAGE;
}

int main(int argc, char *argv[])
{
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    for (unsigned k = 0; commands[k]; k++)
        if (strcmp(argv[1], commands[k]->name) == 0)
            return command_main(commands[k], argc - 2, argv + 2);
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
