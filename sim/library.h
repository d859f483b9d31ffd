/* SPDX-License-Identifier: Apache-2.0
 * library.h - opens the library of a device (dut.h), such as the Verilated build/rtl/<shape>.so.
 */
#ifndef FATFLY_LIBRARY_H
#define FATFLY_LIBRARY_H

#include "dut.h"
#include "fail.h"

/* build: the folder that make would put it in, or NULL if it is not one of make's.  0, or -1 with f
 * filled: EXIT_SYSTEM, with the command that builds it. */
int library_load(const char *file, const char *build, const struct dut_ops **ops, struct fail *f);

#endif
