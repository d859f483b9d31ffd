/* SPDX-License-Identifier: Apache-2.0
 * plot.h - `fatfly plot DB`: curves of a sweep, drawn by gnuplot.
 */
#ifndef FATFLY_PLOT_H
#define FATFLY_PLOT_H

/* The exit code. */
int plot_main(int argc, char *const argv[]);

#endif
