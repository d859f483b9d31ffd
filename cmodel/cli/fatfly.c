/* SPDX-License-Identifier: Apache-2.0
 * fatfly.c - the command: `fatfly cosim ...`.
 */
#include "fail.h"

#include <stdio.h>
#include <string.h>

int cosim_main(int argc, char *const argv[]);

static const char help[] =
    "usage: fatfly COMMAND [OPTION]...\n"
    "fatfly is a butterfly fat-tree switch, a C model and Verilog proven the same.\n"
    "\n"
    "  cosim   run the C model and the Verilated Verilog in lock-step\n"
    "\n"
    "fatfly COMMAND --help shows the options of a command.\n";

int main(int argc, char *argv[])
{
    if (argc > 1 && strcmp(argv[1], "cosim") == 0)
        return cosim_main(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return fputs(help, stdout) < 0 ? EXIT_SYSTEM : EXIT_OK;
    if (argc > 1) {
        fprintf(stderr, "fatfly: %s: no such command; allowed: cosim, --help\n", argv[1]);
        return EXIT_USAGE;
    }
    fputs(help, stderr);
    return EXIT_USAGE;
}
