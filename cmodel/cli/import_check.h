/* SPDX-License-Identifier: Apache-2.0
 * import_check.h - whether a configuration that was made can be run.
 */
#ifndef FATFLY_IMPORT_CHECK_H
#define FATFLY_IMPORT_CHECK_H

#include "fail.h"

/* text: settings, each line with a comment "..., line N" of file, which it was made from.  0, or -1 with f filled: what
 * fatfly run would refuse, at that line of file.  A matrix is not looked at. */
int import_check(const char *file, const char *text, struct fail *f);

#endif
