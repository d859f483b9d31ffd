/* SPDX-License-Identifier: Apache-2.0
 * commands.h - each command's data (args.h), beside its code; cosim's is in sim/options.c.
 */
#ifndef FATFLY_COMMANDS_H
#define FATFLY_COMMANDS_H

#include "args.h"

extern const struct command run_command, saturation_command, sweep_command, merge_command, export_command, plot_command,
    model_command, estimate_command, import_command, view_command, events_command, cosim_command;

#endif
