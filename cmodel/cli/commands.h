/* SPDX-License-Identifier: Apache-2.0
 * commands.h - each command's data (args.h), beside its code; cosim's is in sim/options.c.
 */
#ifndef FATFLY_COMMANDS_H
#define FATFLY_COMMANDS_H

#include "args.h"

extern const struct command run_command, saturation_command, sweep_command, merge_command, export_command, plot_command,
    model_command, estimate_command, import_command, view_command, events_command, cosim_command;

/* argv without the program and the command.  They return the exit code. */
int run_main(int argc, char *const argv[]);
int saturation_main(int argc, char *const argv[]);
int sweep_main(int argc, char *const argv[]);
int merge_main(int argc, char *const argv[]);
int export_main(int argc, char *const argv[]);
int plot_main(int argc, char *const argv[]);
int model_main(int argc, char *const argv[]);
int estimate_main(int argc, char *const argv[]);
int import_main(int argc, char *const argv[]);
int view_main(int argc, char *const argv[]);
int events_main(int argc, char *const argv[]);
int cosim_main(int argc, char *const argv[]);

#endif
