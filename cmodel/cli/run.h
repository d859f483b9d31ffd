/* SPDX-License-Identifier: Apache-2.0
 * run.h - `fatfly run`: one point, its table, CSV or JSON.
 */
#ifndef FATFLY_RUN_H
#define FATFLY_RUN_H

/* argv without the program and the command.  Returns the exit code. */
int run_main(int argc, char *const argv[]);

#endif
