/* SPDX-License-Identifier: Apache-2.0
 * sweep.h - `fatfly sweep FILE`: all points of a sweep file, on all cores, each kept as soon as it
 * is done.
 */
#ifndef FATFLY_SWEEP_H
#define FATFLY_SWEEP_H

/* The exit code. */
int sweep_main(int argc, char *const argv[]);

#endif
