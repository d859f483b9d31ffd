/* SPDX-License-Identifier: Apache-2.0
 * commands.c - all commands, in the order of `fatfly --help`.
 */
#include "commands.h"

const struct command *const commands[] = {
    &run_command,    &saturation_command, &sweep_command,  &merge_command, &export_command, &plot_command,
    &model_command,  &estimate_command,   &import_command, &view_command,   &events_command,
    &cosim_command,  NULL};
